//! What the exit code of a line tells of one of its commands.

use super::recognise::Ended;
use crate::derive::shell;

/// Says what the exit code of a line tells of the command at `at`.
pub(super) fn exit(joined: &[(String, String)], at: usize, code: Option<i64>, line: &str) -> Ended {
    let Some(code) = code else { return Ended::Unknown };
    let after = &joined[at..];
    let is_hidden = |joint: &str| match joint {
        "" | "&&" => false,
        "|" => !line.contains("pipefail"),
        _ => true,
    };
    if after.iter().any(|(_, joint)| is_hidden(joint)) {
        return Ended::Unknown;
    }
    // What is turned round says the other way how it ended, and as often that it was not to be.
    if is_turned_round(joined, at, line) {
        return Ended::Unknown;
    }
    let is_last = after.iter().skip(1).all(|(part, _)| part.is_empty());
    let before = joined[..at].iter().rev().take_while(|(_, joint)| joint != ";");
    let is_first = before.into_iter().all(|(part, _)| part.is_empty());
    // What stands behind `||` may not have run.
    let is_else = at > 0 && joined[at - 1].1 == "||";
    match code {
        0 if is_else => Ended::Unknown,
        0 => Ended::Passed,
        _ if is_last && is_first => Ended::Failed,
        _ => Ended::Unknown,
    }
}

/// Whether the exit code of the command at `at` is turned round: `! make check`.
fn is_turned_round(joined: &[(String, String)], at: usize, line: &str) -> bool {
    let first = joined[..at].iter().rev().take_while(|(_, joint)| joint == "|").count();
    line.contains("! ")
        && shell::raw(line).get(at - first).is_some_and(|(part, _)| part.trim().starts_with("! "))
}
