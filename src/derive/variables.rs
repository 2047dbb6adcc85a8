//! Variables that are set for one command.

use super::shell::{Quotes, is_assignment, is_redirection};

/// Returns what stands behind the variables that are set for a command, where they are set to something
/// with blanks in it: `X="$(a b)" make` runs `make`.
pub(super) fn behind(part: &str) -> &str {
    let mut rest = part.trim_start();
    while let Some(behind) = behind_variable(rest) {
        rest = behind;
    }
    rest
}

/// Returns what stands behind the first variable, if that is set and a command follows.
fn behind_variable(part: &str) -> Option<&str> {
    let (name, value) = part.split_once('=').filter(|_| is_assignment(part))?;
    let (mut quotes, mut depth, mut last) = (Quotes::default(), 0usize, ' ');
    let mut is_ticked = false;
    let end = value.char_indices().find(|(_, c)| {
        let is_plain = quotes.step(*c);
        match c {
            '(' if last == '$' || depth > 0 => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '`' => is_ticked = !is_ticked,
            _ => {}
        }
        last = *c;
        is_plain && !is_ticked && depth == 0 && c.is_whitespace()
    });
    let behind = part[name.len() + 1 + end?.0..].trim_start();
    // Behind `x=$(make) 2>/dev/null` stands none: what runs is within the variable.
    let is_command = behind.starts_with(|c: char| c.is_alphanumeric() || "._/~$".contains(c))
        && !is_redirection(behind.split_whitespace().next().unwrap_or_default());
    is_command.then_some(behind)
}
