//! The one order in which renderings are taken, and what they cost.

use std::collections::HashMap;

use super::entries::{Entry, Place};
use super::turns;
use super::weights::Weights;

/// One step from a level of an entry to the next.
pub(super) struct Increment {
    pub entry: usize,
    pub level: usize,
    pub tokens: usize,
    pub chars: usize,
    pub density: f64,
}

/// Puts all increments into their order: worth per token first, each entry's levels in turn.
pub(super) fn increments(
    entries: &[Entry],
    worth: &Weights,
    count: &dyn Fn(&str) -> usize,
) -> Vec<Increment> {
    let mut all = Vec::new();
    for (entry, found) in entries.iter().enumerate() {
        let frame = found.frame.plus(Size::of(&found.fixed, count));
        let (mut before, mut density) = (Size::default(), f64::INFINITY);
        for (level, (text, worth)) in found.levels.iter().enumerate() {
            let more = if level > 0 { found.more } else { Size::default() };
            let size = Size::of(text, count).plus(frame).plus(more);
            let tokens = size.tokens.saturating_sub(before.tokens).max(1);
            density = density.min(worth / tokens_f64(tokens));
            let chars = size.chars.saturating_sub(before.chars);
            all.push(Increment { entry, level: level + 1, tokens, chars, density });
            before = size;
        }
    }
    heads_first(&mut all, entries);
    lists_in_order(&mut all, entries);
    in_order(&mut all, entries);
    changed_first(&mut all, entries);
    users_first(&mut all, entries);
    in_order(&mut all, entries);
    turns::share_out(&mut all, entries, worth);
    in_order(&mut all, entries);
    with_headings(&mut all, entries);
    all
}

/// Makes the head of a turn worth at least what its steps are: they cannot stand without it.
fn heads_first(all: &mut [Increment], entries: &[Entry]) {
    let mut best: HashMap<usize, f64> = HashMap::new();
    for increment in all.iter() {
        if let Place::Step(turn, _) = entries[increment.entry].place {
            let best = best.entry(turn).or_insert(0.0);
            *best = best.max(increment.density);
        }
    }
    for increment in all {
        if let (Place::Turn(turn), 1) = (entries[increment.entry].place, increment.level) {
            let least = best.get(&turn).copied().unwrap_or(0.0);
            increment.density = increment.density.max(least);
        }
    }
}

/// Takes no entry of a list before those above it: with gaps it would look as if these were done. The
/// increments stand as their entries do.
fn lists_in_order(all: &mut [Increment], entries: &[Entry]) {
    let mut least: HashMap<&str, f64> = HashMap::new();
    for increment in all {
        let Some(list) = entries[increment.entry].list else { continue };
        let most = least.entry(list).or_insert(f64::INFINITY);
        increment.density = increment.density.min(*most);
        if increment.level == 1 {
            *most = increment.density;
        }
    }
}

/// Names files that were changed before all others: who does not know of one takes a wrong state of the work for
/// the whole. The curve of densities stays as it was; `all` stand in its order.
fn changed_first(all: &mut [Increment], entries: &[Entry]) {
    let is_name = |increment: &Increment| {
        increment.level == 1 && matches!(entries[increment.entry].place, Place::File(_))
    };
    let places: Vec<usize> = (0..all.len()).filter(|at| is_name(&all[*at])).collect();
    let curve: Vec<f64> = places.iter().map(|at| all[*at].density).collect();
    let (changed, others): (Vec<usize>, Vec<usize>) =
        places.into_iter().partition(|at| entries[all[*at].entry].is_changed);
    let mut most: HashMap<usize, f64> = HashMap::new();
    for (at, density) in changed.into_iter().chain(others).zip(curve) {
        all[at].density = density;
        most.insert(all[at].entry, density);
    }
    for increment in all {
        let most = most.get(&increment.entry).copied().unwrap_or(f64::INFINITY);
        increment.density = increment.density.min(most);
    }
}

/// What costs more says too much for a place before what tells how far the work is.
const FEW_TOKENS: usize = 70;

/// Takes the first of what the user decided, and of what the user said, at the latest with the first file that was
/// not changed: below a heading nobody is told only how much there is, beside names that tell less.
fn users_first(all: &mut [Increment], entries: &[Entry]) {
    let is_other = |entry: &Entry| matches!(entry.place, Place::File(_)) && !entry.is_changed;
    let others = all.iter().filter(|one| one.level == 1 && is_other(&entries[one.entry]));
    let least = others.map(|one| one.density).fold(0.0, f64::max);
    let is_decided = |entry: &Entry| matches!(entry.place, Place::Decision(_));
    let is_said = |entry: &Entry| entry.by_user;
    for is_it in [&is_decided as &dyn Fn(&Entry) -> bool, &is_said] {
        let of = |one: &&mut Increment| {
            one.level == 1 && one.tokens <= FEW_TOKENS && is_it(&entries[one.entry])
        };
        let best = all.iter_mut().filter(of).reduce(|best, one| {
            let must = |one: &Increment| entries[one.entry].must(1);
            let is_better = (must(one), one.density) > (must(best), best.density);
            if is_better { one } else { best }
        });
        if let Some(best) = best {
            best.density = best.density.max(least);
        }
    }
}

/// Sorts: what must be there first, then worth per token; what is equal, by place.
fn in_order(all: &mut [Increment], entries: &[Entry]) {
    all.sort_by(|a, b| {
        let rank = |increment: &Increment| {
            let entry = &entries[increment.entry];
            let must = entry.must(increment.level);
            // What is open has its place before a decision of few words.
            (!must, must && matches!(entry.place, Place::Decision(_)))
        };
        let order = rank(a).cmp(&rank(b)).then(b.density.total_cmp(&a.density));
        order.then(a.entry.cmp(&b.entry)).then(a.level.cmp(&b.level))
    });
}

#[derive(Clone, Copy, Default)]
pub(super) struct Size {
    pub tokens: usize,
    pub chars: usize,
}

impl Size {
    fn of(text: &str, count: &dyn Fn(&str) -> usize) -> Self {
        // Each line may be indented or quoted in the pack.
        let lines = text.lines().count();
        Self { tokens: count(text) + lines, chars: text.encode_utf16().count() + 4 * lines }
    }

    pub(super) fn plus(self, more: Self) -> Self {
        Self { tokens: self.tokens + more.tokens, chars: self.chars + more.chars }
    }
}

/// What stands around the text of an entry on its line: marks, the id, counts.
pub(super) fn frame(place: Place) -> Size {
    let (tokens, chars) = match place {
        Place::Goal => (2, 4),
        Place::Before => (10, 30),
        Place::Replied => (14, 50),
        Place::Answer => (12, 40),
        Place::Recap => (12, 36),
        Place::Called(_) => (14, 44),
        Place::LastWords => (10, 40),
        Place::Work(_) => (14, 40),
        Place::Failure(_) => (36, 120),
        Place::Decision(_) => (16, 50),
        Place::Fact(_) => (20, 60),
        Place::File(_) => (3, 6),
        Place::Command(_) => (5, 16),
        Place::Section(_) => (10, 50),
        Place::Turn(_) => (8, 16),
        Place::Step(..) => (4, 10),
    };
    Size { tokens, chars }
}

/// Charges the heading of a section, or of a turn, to the first thing under it.
fn with_headings(increments: &mut [Increment], entries: &[Entry]) {
    let mut seen = Vec::new();
    for increment in increments {
        let heading = match entries[increment.entry].place {
            Place::Step(turn, _) => (8, turn + 1),
            place if section(place) == 0 => continue,
            place => (section(place), 0),
        };
        if !seen.contains(&heading) {
            seen.push(heading);
            let (tokens, chars) = if heading.0 == 8 { (40, 120) } else { (24, 110) };
            increment.tokens += tokens;
            increment.chars += chars;
        }
    }
}

fn section(place: Place) -> usize {
    match place {
        Place::Goal
        | Place::Before
        | Place::Replied
        | Place::Answer
        | Place::Called(_)
        | Place::Recap
        | Place::LastWords => 0,
        Place::Work(_) => 1,
        Place::Failure(_) => 2,
        Place::Decision(_) => 3,
        Place::File(_) => 4,
        Place::Command(_) => 5,
        Place::Section(_) => 6,
        Place::Turn(_) | Place::Step(..) => 8,
        Place::Fact(_) => 9,
    }
}

#[expect(clippy::cast_precision_loss, reason = "no text has so many tokens")]
pub(super) fn tokens_f64(tokens: usize) -> f64 {
    tokens as f64
}
