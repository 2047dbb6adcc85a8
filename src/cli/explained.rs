//! The choice of a pack as lines for people.

use std::fmt::Write as _;

use super::table::cut;
use crate::emit::one_line;
use crate::render::defused;
use crate::select::{Explained, Explanation};

/// How many columns what names a thing takes at most.
const NAME_COLUMNS: usize = 60;

/// Tells every thing on a line: whether it is in, at which level, its cost and what it is worth.
pub(super) fn told(explanation: Option<&Explanation>) -> String {
    let mut out = String::new();
    if let Some(explanation) = explanation {
        // Writing to a string cannot fail.
        let _ = lines(explanation, &mut out);
    }
    out
}

fn lines(explanation: &Explanation, out: &mut String) -> std::fmt::Result {
    writeln!(out, "why    level tokens  /token   kind share near trust  what")?;
    for thing in &explanation.things {
        line(thing, out)?;
    }
    let Explanation { worth, gap_at_most, unused_tokens, .. } = explanation;
    let share = 100.0 * gap_at_most / (worth + gap_at_most).max(1e-9);
    writeln!(
        out,
        "worth {worth:.0}; {unused_tokens} tokens are left; the best choice is worth at most {share:.2} % more"
    )
}

fn line(thing: &Explained, out: &mut String) -> std::fmt::Result {
    let trust = thing.trust.map_or("-".to_owned(), |trust| format!("{trust:?}"));
    let name = cut(&one_line(&defused(&thing.id)), NAME_COLUMNS);
    writeln!(
        out,
        "{:<6} {}/{}   {:>6} {:>7.2} {:>6.0} {:>5.2} {:>4.1} {:>5}  {}",
        thing.why,
        thing.level,
        thing.levels,
        thing.tokens,
        thing.density,
        thing.kind,
        thing.share,
        thing.near,
        trust,
        name,
    )
}
