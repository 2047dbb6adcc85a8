//! What of an output is of which of several runs of one program on a line.

use std::ops::Range;

use super::super::recognise::{self, Ended, Known, Seen};
use super::{Commands, boxes, is_no_check, runs_test_task};
use crate::derive::shell;

impl Commands<'_> {
    /// Returns what of the rows is of the command at `at`, where several run the same program, and each has a summary:
    /// nothing where there are fewer, and none tells of failure. Of one that runs again and again the last run counts.
    pub(super) fn share(&self, at: usize, rows: &str) -> Option<Range<usize>> {
        let told = || recognise::ends_of(&self.named[at], rows);
        if watches(&self.joined[at].0) {
            let [ends] = &told()[..] else { return None };
            return Some(*ends.iter().rev().nth(1)?..rows.len());
        }
        let tests = |at: usize| {
            let part = &self.joined[at].0;
            (!self.named[at].is_empty() || runs_test_task(part)) && !is_no_check(part)
        };
        let is_alike = |other: &usize| self.named[*other] == self.named[at] && tests(*other);
        if !tests(at) || self.places.iter().filter(|other| is_alike(other)).count() < 2 {
            return None;
        }
        let alike: Vec<usize> = self.places.iter().copied().filter(is_alike).collect();
        // What runs beside others ends in any order.
        let is_mixed =
            |at: &usize| self.joined[*at].1 == "&" || shell::is_in_loop(self.line.command, *at);
        if alike.iter().any(is_mixed) {
            return None;
        }
        let all = told();
        let raw = shell::raw(self.line.command);
        // What goes into a file may be shown behind it, or not at all.
        let printing: Vec<usize> =
            alike.iter().copied().filter(|at| !goes_into_file(&raw[*at].0)).collect();
        for own in [&alike, &printing] {
            let mut whole = all.iter().filter(|ends| ends.len() == own.len());
            if let Some(ends) = whole.next().filter(|_| whole.next().is_none()) {
                let Some(place) = own.iter().position(|other| *other == at) else {
                    return Some(0..0);
                };
                let from = place.checked_sub(1).map_or(0, |before| ends[before]);
                return Some(from..if place + 1 == ends.len() { rows.len() } else { ends[place] });
            }
        }
        let between = &self.joined[alike[0]..alike[alike.len() - 1]];
        let is_fewer = matches!(&all[..], [ends] if ends.len() < printing.len())
            && !self.named[at].is_empty()
            && between.iter().all(|(_, joint)| joint != "||")
            && rows.len() == self.line.output.len();
        let fails = |seen: &Seen| seen.ended == Ended::Failed;
        let known = Known { is_well: false, is_one: false };
        let has_failed = || recognise::seen_by(&self.named[at], rows, known).iter().any(fails);
        (is_fewer && !has_failed()).then_some(0..0)
    }

    /// Whether the command at `at` is one of a program that no other part of the line runs, and runs that once.
    pub(super) fn runs_once(&self, at: usize) -> bool {
        let part = &self.joined[at].0;
        let is_it = |other: &&Vec<&str>| **other == self.named[at];
        !self.named[at].is_empty()
            && self.named.iter().filter(is_it).count() == 1
            && boxes::commands(part).len() == 1
            && shell::handed(part).is_none()
            && (!shell::is_in_loop(self.line.command, at) || is_tried_again(self.line.command))
    }
}

/// Whether a line has a loop that is left as soon as something went well.
fn is_tried_again(line: &str) -> bool {
    let raw = shell::raw(line);
    let is_it = |(at, (part, _)): (usize, &(String, String))| {
        let before = at.checked_sub(1).map_or("", |before| raw[before].1.as_str());
        part.trim_start().starts_with("until ") || part.trim() == "break" && before == "&&"
    };
    raw.iter().enumerate().any(is_it)
}

/// Whether a command runs again whenever something changes: by an option, or a task that is called so. A filter, a file
/// and a package can have that name, too.
fn watches(part: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    let is_task = |at: usize| match words[at] {
        word if word.ends_with(":watch") || word.starts_with("watch:") => true,
        "watch" => {
            at == 0 || at < 3 && matches!(words[at - 1], "cargo" | "run" | "vitest" | "yarn")
        }
        _ => false,
    };
    (0..words.len()).any(|at| words[at] == "--watch" || is_task(at))
}

/// Whether what a command prints goes into a file.
fn goes_into_file(raw: &str) -> bool {
    let is_it = |word: &str| word.trim_start_matches(['1', '&']).starts_with('>');
    raw.split_whitespace().any(|word| is_it(word) && !word.ends_with("&2"))
}
