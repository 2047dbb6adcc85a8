//! What was done about an error, and what the user said to do, in few words.

use crate::derive::{FactKind, start};

/// How much of the error is told.
const ERROR_CHARS: usize = 70;
/// What stands between an error and what was done about it.
const THEN: &str = " → ";

/// How much is told of what the user said to do, and from what length on it is told in few words first.
const SAID_CHARS: usize = 140;
const LONG_CHARS: usize = 200;

/// Returns a fact in few words, where it has many.
pub(super) fn brief(kind: FactKind, text: &str) -> Option<String> {
    match kind {
        FactKind::Fix => mended(text),
        FactKind::Directive if text.chars().count() > LONG_CHARS => Some(start(text, SAID_CHARS)),
        _ => None,
    }
}

/// Returns the line of an error that was mended in few words, where it is longer: what was done, and by which command it
/// was seen, is told whole, since what is left out of a command can say that it ran less. What did not help, or was not
/// checked, says so at its end alone.
fn mended(text: &str) -> Option<String> {
    let (error, rest) = text.split_once(THEN)?;
    let told = format!("{}{THEN}{rest}", cut(error, ERROR_CHARS));
    (told.len() < text.len()).then_some(told)
}

/// Cuts a text behind its command, which stays whole.
fn cut(text: &str, most: usize) -> String {
    let code = text.rfind('`').map_or(0, |at| at + 1);
    let (head, rest) = text.split_at(code);
    let gap = if rest.starts_with(' ') { " " } else { "" };
    format!("{head}{gap}{}", start(rest, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_with_what_was_done_about_it() {
        let error = "the lamp of the third room burns at noon, and at night, and in the morning, and in the rain";
        let rest = "changed lamp.rs → verified by `lamp --check rooms/*.lamp --no-run`";
        let whole = format!("`lamp --check rooms/*.lamp --strict --all`: {error} → {rest}");
        let told = brief(FactKind::Fix, &whole).unwrap();
        let begin = "`lamp --check rooms/*.lamp --strict --all`: the lamp of the third room burns";
        assert!(told.starts_with(begin), "{told}");
        assert!(told.ends_with(&format!(" … → {rest}")), "{told}");
        assert_eq!(brief(FactKind::Fix, "`a`: b → ran `c` and more"), None);
        let said = brief(FactKind::Directive, &whole).unwrap();
        assert!(whole.starts_with(said.trim_end_matches([' ', '…'])) && said.len() < 150, "{said}");
        assert_eq!(brief(FactKind::Directive, "option 2: by hand"), None);
        for other in [FactKind::Check, FactKind::Constraint, FactKind::Attempt, FactKind::DeadEnd] {
            assert_eq!(brief(other, &whole), None);
        }
    }
}
