//! How commands are told.

use std::collections::HashSet;

use super::entries::{Entry, Place, faded, share};
use super::order::Size;
use super::weights::Weights;
use crate::derive::{Command, Facts, command_start, is_bare, keeps_versions, known_by};

/// How much of a long command says which it is.
const COMMAND_CHARS: usize = 52;

/// How much less a command that kept versions is worth for each before it: the first few show how that is
/// done here.
const VERSIONS_FADE: f64 = 0.95;
/// What stands around a command in a line with others.
const IN_A_LINE: Size = Size { tokens: 1, chars: 2 };

/// The commands, the likeliest to be needed first.
pub(super) fn command_entries(facts: &Facts, worth: &Weights) -> Vec<Entry> {
    let heaviest = facts.commands.first().map_or(1.0, |command| command.weight);
    let (mut starts, mut of_versions) = (HashSet::new(), 0);
    let entry = |(index, command): (usize, &Command)| {
        let mut share = share(command.weight, heaviest, worth.command_power);
        if keeps_versions(&command.command) {
            share *= faded(VERSIONS_FADE, of_versions);
            of_versions += 1;
        }
        command_entry(index, command, worth, share, &mut starts)
    };
    facts.commands.iter().enumerate().map(entry).collect()
}

/// A command on a line of its own, or in one with others that kept versions.
fn command_entry(
    index: usize,
    command: &Command,
    worth: &Weights,
    share: f64,
    starts: &mut HashSet<String>,
) -> Entry {
    let place = Place::Command(index);
    if !keeps_versions(&command.command) {
        return Entry::new(place, command_levels(command, worth, share, starts));
    }
    let known = known_by(&command.command);
    let mut levels = vec![(known, worth.command * share)];
    if levels[0].0 != command.command {
        levels.push((command.command.clone(), worth.rest * share));
    }
    Entry { frame: IN_A_LINE, ..Entry::new(place, levels) }
}

/// Cuts a command short; where an earlier one begins with the same words, its end tells it apart.
fn command_levels(
    command: &Command,
    worth: &Weights,
    share: f64,
    starts: &mut HashSet<String>,
) -> Vec<(String, f64)> {
    let whole = command.command.clone();
    let mut start = command_start(&whole, COMMAND_CHARS);
    let is_known = !starts.insert(start.clone());
    if start != whole && (is_known || is_bare(&start)) {
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
