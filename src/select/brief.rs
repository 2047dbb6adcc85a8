//! What was done about an error, in few words.

use crate::derive::{FactKind, start};

/// How much of the error is told.
const ERROR_CHARS: usize = 70;
/// What stands between an error and what was done about it.
const THEN: &str = " → ";

/// Returns the line of an error that was mended in few words, where it is longer: what was done, and by which command it
/// was seen, is told whole, since what is left out of a command can say that it ran less. What did not help, or was not
/// checked, says so at its end alone.
pub(super) fn brief(kind: FactKind, text: &str) -> Option<String> {
    let (error, rest) = text.split_once(THEN).filter(|_| kind == FactKind::Fix)?;
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
        for other in [FactKind::Check, FactKind::Constraint, FactKind::Attempt, FactKind::DeadEnd] {
            assert_eq!(brief(other, &whole), None);
        }
    }
}
