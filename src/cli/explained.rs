//! The choice of a pack as lines for people.

use std::fmt::Write as _;

use super::table::cut;
use crate::emit::one_line;
use crate::render::defused;
use crate::select::{Explained, Explanation};

/// How many columns what names a thing takes at most.
const NAME_COLUMNS: usize = 60;
/// How many it takes at least, however narrow the terminal is.
const LEAST_NAME_COLUMNS: usize = 12;

/// What stands over the columns.
const HEAD: &str = "why    level tokens  /token   kind share near trust  what";

/// Tells every thing on a line: whether it is in, at which level, its cost and what it is worth;
/// `width` is how many columns the terminal has, if it is one.
pub(super) fn told(explanation: Option<&Explanation>, width: Option<usize>) -> String {
    let room = width.map_or(NAME_COLUMNS, |width| width.saturating_sub(HEAD.len() - "what".len()));
    let room = room.clamp(LEAST_NAME_COLUMNS, NAME_COLUMNS);
    let mut out = String::new();
    if let Some(explanation) = explanation {
        // Writing to a string cannot fail.
        let _ = lines(explanation, room, &mut out);
    }
    out
}

fn lines(explanation: &Explanation, room: usize, out: &mut String) -> std::fmt::Result {
    writeln!(out, "{HEAD}")?;
    for thing in &explanation.things {
        line(thing, room, out)?;
    }
    let Explanation { worth, gap_at_most, unused_tokens, .. } = explanation;
    let share = 100.0 * gap_at_most / (worth + gap_at_most).max(1e-9);
    writeln!(
        out,
        "worth {worth:.0}; {unused_tokens} tokens are left; the best choice is worth at most {share:.2} % more"
    )
}

fn line(thing: &Explained, room: usize, out: &mut String) -> std::fmt::Result {
    let trust = thing.trust.map_or("-".to_owned(), |trust| format!("{trust:?}"));
    let name = cut(&one_line(&defused(&thing.id)), room);
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

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    #[test]
    fn a_line_fits_the_terminal_and_has_more_of_a_name_elsewhere() {
        let name = "cargo test --package bank-import --test import -- --nocapture rounding";
        let thing = Explained {
            id: name.to_owned(),
            level: 1,
            levels: 3,
            tokens: 12345,
            kind: 400.0,
            share: 1.0,
            near: 1.9,
            trust: None,
            density: 12.5,
            why: "taken",
        };
        let explanation =
            Explanation { things: vec![thing], worth: 400.0, gap_at_most: 0.0, unused_tokens: 7 };
        let told = |width| told(Some(&explanation), width);
        assert!(told(Some(80)).lines().all(|line| line.width() <= 80), "{}", told(Some(80)));
        assert!(told(Some(80)).contains("cargo test --package…"), "{}", told(Some(80)));
        assert!(told(None).contains("cargo test --package bank-import --test import --"));
        assert_eq!(told(Some(400)), told(None));
        assert!(told(Some(10)).contains("  cargo test…"), "{}", told(Some(10)));
    }
}
