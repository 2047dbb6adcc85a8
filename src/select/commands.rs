//! How commands are told.

use std::collections::HashSet;

use super::weights::Weights;
use crate::derive::{Command, command_start};

/// How much of a long command says which it is.
const COMMAND_CHARS: usize = 52;

/// Cuts a command short; where an earlier one begins with the same words, its end tells it apart.
pub(super) fn command_levels(
    command: &Command,
    worth: &Weights,
    share: f64,
    starts: &mut HashSet<String>,
) -> Vec<(String, f64)> {
    let whole = command.command.clone();
    let mut start = command_start(&whole, COMMAND_CHARS);
    if !starts.insert(start.clone()) && start != whole {
        start = both_ends(&whole);
    }
    let mut levels = vec![(start, worth.command * share)];
    // A few more characters are not worth a level of their own.
    match whole.chars().count() > COMMAND_CHARS + 12 {
        true => levels.push((whole, worth.rest * share)),
        false => levels[0].0 = whole,
    }
    levels
}

/// Returns the first and the last characters of a command.
fn both_ends(command: &str) -> String {
    let (head, tail) = (COMMAND_CHARS / 3, COMMAND_CHARS - COMMAND_CHARS / 3);
    let count = command.chars().count();
    let start: String = command.chars().take(head).collect();
    let end: String = command.chars().skip(count.saturating_sub(tail)).collect();
    format!("{}…{}", start.trim_end(), end.trim_start())
}
