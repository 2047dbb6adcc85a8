//! What a change took out of a file and put into it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::steps::cut;
use super::timeline::Done;
use crate::guard::private_keys;
use crate::model::{Action, Change, Verb};

/// Returns the lines that a change took out and put in, if the call changed something; where lines only
/// moved within their file, those.
pub(super) fn hunk(done: &Done<'_>, most: usize) -> Option<String> {
    hunk_of(done, |_| true, most)
}

/// Returns the same of the files that `is_it` takes, by their paths as the call names them.
pub(super) fn hunk_of(
    done: &Done<'_>,
    is_it: impl Fn(&str) -> bool,
    most: usize,
) -> Option<String> {
    let Some(Action::Edit { changes }) = done.call.action.as_deref().filter(|_| !done.failed())
    else {
        return None;
    };
    let kept = changes.iter().filter(|change| change.verb != Verb::Delete && is_it(&change.path));
    let sides: Vec<_> = kept.map(|change| (change.path.as_str(), Sides::new(change))).collect();
    let moved = only_moved(&sides);
    let rows = sides.iter().flat_map(|(path, sides)| {
        let (gone, come) = sides.telling();
        let is_moved = moved.contains(path);
        let mark = if is_moved { "moved: " } else { "-" };
        let gone = gone.iter().take(most / 2).map(move |row| format!("{mark}{row}"));
        // What moved is told where it went from.
        let come = come.iter().filter(|_| !is_moved).map(|row| format!("+{row}"));
        gone.chain(come.take(most)).collect::<Vec<_>>()
    });
    let rows: Vec<_> = rows.take(most).map(|row| cut(&row)).collect();
    (!rows.is_empty()).then(|| rows.join("\n"))
}

/// The lines that went with a change and those that came, without those that stand on both sides as
/// often.
struct Sides<'a> {
    change: &'a Change,
    /// The private keys that are not the same on both sides.
    keys: Vec<&'a str>,
    gone: Vec<&'a str>,
    come: Vec<&'a str>,
}

impl<'a> Sides<'a> {
    fn new(change: &'a Change) -> Self {
        let keys = changed_keys(change);
        let gone = differing(&change.removed, &change.added, &keys);
        let come = differing(&change.added, &change.removed, &keys);
        if gone.is_empty() && come.is_empty() {
            return Self::in_order(change);
        }
        Self { change, keys, gone, come }
    }

    /// Returns the lines that the other side does not have at all, on both sides, if there are any: one
    /// more brace says little.
    fn telling(&self) -> (Vec<&'a str>, Vec<&'a str>) {
        let new = |rows: &[&'a str], other: &'a str| {
            let others: HashSet<&str> = lines(other).collect();
            let is_new = |row: &&&str| !others.contains(**row) || is_of(&self.keys, row);
            rows.iter().filter(is_new).copied().collect::<Vec<_>>()
        };
        let gone = new(&self.gone, &self.change.added);
        let come = new(&self.come, &self.change.removed);
        match gone.is_empty() && come.is_empty() {
            true => (self.gone.clone(), self.come.clone()),
            false => (gone, come),
        }
    }

    /// Where all lines stand on both sides, returns those that stand there in another order.
    fn in_order(change: &'a Change) -> Self {
        let told = |row: &&str| !row.is_empty();
        let gone: Vec<_> = lines(&change.removed).filter(told).collect();
        let come: Vec<_> = lines(&change.added).filter(told).collect();
        let pairs = || gone.iter().zip(&come);
        let head = pairs().take_while(|(one, two)| one == two).count();
        let back = gone[head..].iter().rev().zip(come[head..].iter().rev());
        let tail = back.take_while(|(one, two)| one == two).count();
        let middle = |rows: &[&'a str]| rows[head..rows.len() - tail].to_vec();
        Self { change, keys: Vec::new(), gone: middle(&gone), come: middle(&come) }
    }
}

/// Returns the files of which lines only moved: each that went came as well, as often, and by another
/// change, none of which put one line in place of another.
fn only_moved<'a>(all: &[(&'a str, Sides<'_>)]) -> HashSet<&'a str> {
    let mut counts: HashMap<(&str, &str), isize> = HashMap::new();
    let mut paths: HashSet<&str> = all.iter().map(|(path, _)| *path).collect();
    for (path, sides) in all {
        if !sides.gone.is_empty() && !sides.come.is_empty() {
            paths.remove(path);
        }
        sides.gone.iter().for_each(|row| *counts.entry((path, row)).or_default() -= 1);
        sides.come.iter().for_each(|row| *counts.entry((path, row)).or_default() += 1);
    }
    for ((path, _), _) in counts.iter().filter(|(_, count)| **count != 0) {
        paths.remove(path);
    }
    paths
}

/// Returns how many lines came with a change and how many went; what stands in both did neither.
pub(super) fn counts(change: &Change) -> (usize, usize) {
    if change.removed.is_empty() {
        return (change.added.lines().count(), 0);
    }
    let mut went: FxHashMap<&str, usize> = FxHashMap::default();
    change.removed.lines().for_each(|row| *went.entry(row.trim_end()).or_default() += 1);
    let mut came = 0;
    for row in change.added.lines() {
        match went.get_mut(row.trim_end()).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => came += 1,
        }
    }
    (came, went.values().sum())
}

/// Returns the lines of `text` that do not stand in `other`, each as often as it stands there more, and
/// those of `keys`.
fn differing<'a>(text: &'a str, other: &str, keys: &[&str]) -> Vec<&'a str> {
    let mut both: FxHashMap<&str, usize> = FxHashMap::default();
    lines(other).for_each(|row| *both.entry(row).or_default() += 1);
    let differs = |row: &&str| match both.get_mut::<str>(row) {
        Some(count) if *count > 0 => {
            *count -= 1;
            is_of(keys, row) && !row.is_empty()
        }
        _ => !row.is_empty(),
    };
    lines(text).filter(differs).collect()
}

/// Returns the private keys of a change that are not the same on both sides: they are told whole, since
/// by its first and last lines a key is known.
fn changed_keys(change: &Change) -> Vec<&str> {
    let of = |text, other: &str| {
        let others: HashSet<&str> = lines(other).collect();
        let differs = move |key: &&str| lines(key).any(|row| !others.contains(row));
        keys(text).into_iter().filter(differs).collect::<Vec<_>>()
    };
    [of(&change.removed, &change.added), of(&change.added, &change.removed)].concat()
}

/// Whether a row lies in one of `keys`.
fn is_of(keys: &[&str], row: &str) -> bool {
    keys.iter().any(|key| key.as_bytes().as_ptr_range().contains(&row.as_ptr()))
}

/// Returns the lines of each private key in a text.
fn keys(text: &str) -> Vec<&str> {
    let whole = |key: Range<usize>| {
        let start = text[..key.start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[key.end..].find('\n').map_or(text.len(), |length| key.end + length);
        &text[start..end]
    };
    private_keys(text).into_iter().map(whole).collect()
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_and_after_a_change_did_not_come() {
        let counts = |removed: &str, added: &str| {
            let (removed, added) = (removed.into(), added.into());
            counts(&Change { path: String::new(), verb: Verb::Update, removed, added })
        };
        assert_eq!(counts("a\nb\nc", "a\nx\ny\nc"), (2, 1));
        assert_eq!(counts("", "a\na"), (2, 0));
        assert_eq!(counts("a\na\nb", "a\nb"), (0, 1));
    }
}
