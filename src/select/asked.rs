//! The requests, as far as a card tells them.

use super::entries::{Entry, Place};
use super::weights::Weights;
use crate::derive::{Before, Fact, FactKind, Facts, State, clip};

/// How many characters of the request are told at each level; two of them always. Whoever has room for it is to
/// have all that was asked for.
pub(super) const GOAL_CHARS: [usize; 5] = [240, 1400, 4000, 12_000, 40_000];
/// How many of the one before; the first always.
pub(super) const BEFORE_CHARS: [usize; 2] = [320, 1400];
/// The same where nothing was done for the current one: all that was done was done for that.
const WORKED_CHARS: [usize; 2] = [700, 1400];
/// The same where it only tells how the work began, beside one that is newer.
const FIRST_CHARS: [usize; 3] = [160, 360, 1400];
/// So many rules that stand in the middle of a long request are told with its ends.
const MOST_RULES: usize = 2;
/// A longer one is not.
const RULE_CHARS: usize = 200;
/// What stands where a request is cut.
const CUT: &str = " […]";

/// The current request: its ends with the rules between them, then more of it.
pub(super) fn goal(facts: &Facts, worth: &Weights) -> Entry {
    let goal = &facts.now.goal;
    let mut levels = grown(goal, &GOAL_CHARS, &worth.goal, 1.0);
    if let [(first, _), (second, _), ..] = &mut levels[..] {
        *first = with_rules(first, second, &facts.facts);
    }
    Entry::new(Place::Goal, levels)
}

/// Returns the ends of a request with the rules between them that stand in `more` of it.
fn with_rules(ends: &str, more: &str, facts: &[Fact]) -> String {
    let Some((head, rest)) = ends.split_once(CUT) else { return ends.to_owned() };
    let tail = rest.trim_start().trim_start_matches(CUT.trim_start());
    let binds = |fact: &&Fact| {
        matches!(fact.kind, FactKind::Constraint | FactKind::Preference)
            && fact.state != State::Superseded
            && fact.text.chars().count() <= RULE_CHARS
            && !folded(head).contains(&folded(&fact.text))
            && !folded(tail).contains(&folded(&fact.text))
    };
    let more = folded(more);
    let mut rules: Vec<(usize, &str)> = Vec::new();
    for fact in facts.iter().filter(binds) {
        rules.extend(more.find(&folded(&fact.text)).map(|at| (at, fact.text.as_str())));
    }
    rules.sort_unstable();
    rules.truncate(MOST_RULES);
    let told: String = rules.iter().map(|(_, rule)| format!("{CUT} {rule}")).collect();
    format!("{head}{told}{CUT}{rest}")
}

/// Returns words on one line.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The request before: that of all the work, if nothing was done for the current one.
pub(super) fn before(before: &Before, worth: &Weights) -> Entry {
    let (chars, share): (&[usize], _) = match before.is_latest_done {
        true => (&WORKED_CHARS, 1.0),
        false if before.is_first => (&FIRST_CHARS, 0.6),
        false => (&BEFORE_CHARS, 0.6),
    };
    Entry::new(Place::Before, grown(&before.text, chars, &worth.before, share))
}

/// What more of a text is worth than the weights tell of, beside the last of which they do.
const LATER: f64 = 0.5;

/// Cuts a text at growing lengths; lengths that add nothing fall away.
pub(super) fn grown(text: &str, most: &[usize], worths: &[f64], share: f64) -> Vec<(String, f64)> {
    let mut levels: Vec<(String, f64)> = Vec::new();
    let later = worths.last().map(|last| last * LATER);
    for (most, worth) in most.iter().zip(worths.iter().copied().chain(later.into_iter().cycle())) {
        let cut = clip(text, *most);
        if !cut.is_empty() && levels.last().is_none_or(|(last, _)| *last != cut) {
            levels.push((cut, worth * share));
        }
    }
    levels
}
