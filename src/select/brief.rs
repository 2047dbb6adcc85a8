//! How a check ended, and what was done about an error, in few words.

use crate::derive::{FactKind, command_start, start};

/// How much of a command tells which it is.
const COMMAND_CHARS: usize = 40;
/// How much of each other part of the line.
const PART_CHARS: usize = 70;
/// What stands between an error and what was done about it.
const THEN: &str = " → ";

/// Returns the line of a check or of an error in few words, where it is longer: how a check ended is told whole,
/// since half of it can say the opposite.
pub(super) fn brief(kind: FactKind, text: &str) -> Option<String> {
    let told = match kind {
        FactKind::Check => ended(text)?,
        FactKind::Fix | FactKind::Attempt | FactKind::DeadEnd => {
            let parts = text.split(THEN).map(|part| cut(&in_short(part), PART_CHARS));
            parts.collect::<Vec<_>>().join(THEN)
        }
        _ => return None,
    };
    (told.len() < text.len()).then_some(told)
}

/// Returns how a check ended behind the first words of its command.
fn ended(text: &str) -> Option<String> {
    let (command, end) = text.strip_prefix('`')?.split_once("`: ")?;
    Some(format!("`{}`: {end}", command_start(command, COMMAND_CHARS)))
}

/// Cuts the command in a part short, if one stands there.
fn in_short(part: &str) -> String {
    let found = part.split_once('`').and_then(|(before, rest)| {
        let (command, after) = rest.split_once('`')?;
        Some(format!("{before}`{}`{after}", command_start(command, COMMAND_CHARS)))
    });
    found.unwrap_or_else(|| part.to_owned())
}

/// Cuts a part behind its command, which stays whole.
fn cut(part: &str, most: usize) -> String {
    let code = part.rfind('`').map_or(0, |at| at + 1);
    let (head, rest) = part.split_at(code);
    let gap = if rest.starts_with(' ') { " " } else { "" };
    format!("{head}{gap}{}", start(rest, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_told_by_the_first_words_of_its_command_and_whole_end() {
        let told = |text: &str| brief(FactKind::Check, text);
        let long =
            "docker run --rm -v \"$PWD:/w\" -w /w registry.example/lint@sha256:0123456789abcdef .";
        assert_eq!(
            told(&format!("`{long}`: passed; 2 files were changed since")).unwrap(),
            "`docker run --rm -v \"$PWD:/w\" -w /w …`: passed; 2 files were changed since"
        );
        for short in ["`cargo test`: passed (4 tests)", "no command here"] {
            assert_eq!(told(short), None);
        }
    }

    #[test]
    fn an_error_is_told_with_what_was_done_about_it() {
        let error = "the lamp of the third room burns at noon, and at night, and in the morning, and in the rain";
        let whole = format!(
            "`lamp --check rooms/*.lamp --strict --all --with-clocks`: {error} → changed lamp.rs → verified by `lamp`"
        );
        let told = brief(FactKind::Fix, &whole).unwrap();
        let begin =
            "`lamp --check rooms/*.lamp --strict --all …`: the lamp of the third room burns";
        assert!(told.starts_with(begin), "{told}");
        assert!(told.ends_with(" … → changed lamp.rs → verified by `lamp`"), "{told}");
        assert_eq!(brief(FactKind::Fix, "`a`: b → ran `c` and more"), None);
        assert_eq!(brief(FactKind::Constraint, &whole), None);
    }
}
