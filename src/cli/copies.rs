//! Files of one session: which of them hold what no newer one does.

use std::collections::{BTreeMap, HashMap, HashSet};

use camino::Utf8Path;
use sha2::{Digest as _, Sha256};

use crate::discover::{Found, Search};
use crate::error::Result;

/// Returns the sessions, and of each those files with its id that hold what no newer one does: it was gone on
/// with in two places. What a harness left behind in an older form of file is the same once more.
pub(super) fn without_copies(search: &Search) -> Vec<&Found> {
    let mut all: Vec<&Found> = search.found.iter().collect();
    let mut groups: BTreeMap<(&str, &str), Vec<&Found>> = BTreeMap::new();
    for other in &search.others {
        groups.entry(name(other)).or_default().push(other);
    }
    let first: HashMap<_, &Found> = search.found.iter().map(|one| (name(one), one)).collect();
    for (name, others) in groups {
        let Some(first) = first.get(&name) else { continue };
        let mut kept = vec![(*first, Lines::of(first).ok())];
        for other in others {
            let lines = Lines::of(other).ok();
            if !kept.iter().any(|(one, held)| holds((one, held.as_ref()), (other, lines.as_ref())))
            {
                kept.push((other, lines));
                all.push(other);
            }
        }
    }
    all
}

fn name(found: &Found) -> (&str, &str) {
    (found.harness.name(), &found.header.id)
}

/// Returns the ending of a file's name, packed or not.
fn form(found: &Found) -> Option<&str> {
    let path = found.path.as_str();
    Utf8Path::new(path.strip_suffix(".zst").unwrap_or(path)).extension()
}

/// Tells whether a file has every line of another. One that cannot be read has failed, and is told as such.
fn holds((one, held): (&Found, Option<&Lines>), (other, lines): (&Found, Option<&Lines>)) -> bool {
    if form(one) != form(other) {
        return true;
    }
    let (Some(held), Some(lines)) = (held, lines) else { return false };
    let is_cut = |last: &[u8]| held.all.contains(&hash(last)) || begins_line(one, last);
    lines.all.is_subset(&held.all) && lines.last.as_deref().is_none_or(is_cut)
}

/// The lines of a file.
struct Lines {
    /// The hash of each.
    all: HashSet<u128>,
    /// The last one if no newline ends it: it may be cut off, and is not among the others.
    last: Option<Vec<u8>>,
}

impl Lines {
    fn of(found: &Found) -> Result<Self> {
        let (mut all, mut last) = (HashSet::new(), None);
        let input = found.open()?;
        let mut lines = input.lines()?;
        while let Some(line) = lines.next_line()? {
            match line.ended {
                _ if line.bytes.is_empty() => {}
                true => _ = all.insert(hash(line.bytes)),
                false => last = Some(line.bytes.to_owned()),
            }
        }
        Ok(Self { all, last })
    }
}

fn hash(line: &[u8]) -> u128 {
    let digest = Sha256::digest(line);
    digest.iter().take(16).fold(0, |sum, byte| (sum << 8) | u128::from(*byte))
}

/// Tells whether a line of a file begins with `start`.
fn begins_line(found: &Found, start: &[u8]) -> bool {
    let any = || -> Result<bool> {
        let input = found.open()?;
        let mut lines = input.lines()?;
        while let Some(line) = lines.next_line()? {
            if line.bytes.starts_with(start) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    any().unwrap_or(false)
}
