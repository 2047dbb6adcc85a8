//! What was done between a run that failed and one of the same that did not, and in the lines of both: nothing
//! that may have mattered, or commands that surely ran with success, or more.
//!
//! Only where nothing at all may have mattered it can be said that running it again was enough.

use std::collections::HashSet;

use super::matter::{Matter, goes, is_in_block, is_of_shell, matter, writes};
use super::recognise::Ended;
use super::{acts, codes};
use crate::derive::checking::is_check;
use crate::derive::sure::has_block;
use crate::derive::timeline::Done;
use crate::derive::{shell, text};
use crate::model::{Action, ToolKind};

/// How many commands in between are named.
const MOST: usize = 3;
/// Among so many calls in between nobody looks for what helped.
const MOST_CALLS: usize = 300;

/// Where a command ran.
#[derive(Clone, Copy)]
pub(super) struct Ran {
    /// The number of the call that began it.
    pub began: usize,
    /// The number of the call by which it had ended.
    pub over: usize,
    /// Its place on the line, from 0.
    pub at: usize,
    /// Whether it is known in which folder.
    pub is_placed: bool,
}

/// Two runs of one command, and the calls among which they are.
pub(super) struct Gap<'c, 's> {
    pub calls: &'c [Done<'s>],
    /// The one that failed.
    pub first: Ran,
    /// The one that did not.
    pub later: Ran,
    /// The command.
    pub command: &'c str,
    /// The files that were changed, as far as they are known.
    pub changed: String,
    /// Whether no change of files could have mattered.
    pub is_outside: bool,
}

/// What was done in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Between {
    /// The commands that surely ran with success and may have mattered; the last few of them.
    named: Vec<String>,
    /// Whether other commands may have mattered, too.
    has_commands: bool,
    /// Whether files were changed.
    has_edits: bool,
    /// Which ones, as far as they are known.
    changed: String,
    /// Whether something else may have mattered: another tool, what went on in the background, the human.
    has_others: bool,
}

impl Between {
    /// Names the commands that surely ran with success.
    pub(super) fn named(&self) -> String {
        let more = if self.has_commands { " and more" } else { "" };
        self.named.join(", ") + if self.names_some() { more } else { "" }
    }

    /// Whether some commands surely ran with success that may have mattered.
    pub(super) fn names_some(&self) -> bool {
        !self.named.is_empty()
    }

    /// Whether nothing was done that may have mattered.
    pub(super) fn is_nothing(&self) -> bool {
        self.named.is_empty() && !self.has_commands && !self.has_others && !self.has_edits
    }

    /// Whether nothing else was done than that folders were made, as for what a variable names.
    pub(super) fn only_makes_folders(&self) -> bool {
        let is_more = self.has_commands || self.has_others || self.has_edits;
        !is_more && self.named.iter().all(|named| named.starts_with("`mkdir "))
    }

    /// Says when the same command worked: of what was done before nobody knows whether it mattered.
    fn how(&self) -> String {
        let ran = match () {
            () if self.names_some() => self.named(),
            () if self.has_commands => "other commands".to_owned(),
            () => String::new(),
        };
        let changed = match self.changed.as_str() {
            "" => "files",
            changed => changed,
        };
        match () {
            () if self.is_nothing() => "when it was run again".to_owned(),
            () if self.has_edits && ran.is_empty() => format!("after changes of {changed}"),
            () if self.has_edits => format!("after changes of {changed}, and {ran}"),
            () if !ran.is_empty() => format!("after {ran}"),
            () => "later".to_owned(),
        }
    }

    /// Says how the same command in the same words came to work, and whether that can be learnt from: with other
    /// `rights`, without what is `left` out, or by what lies between.
    pub(super) fn made(&self, rights: Option<String>, left: &str) -> (String, bool) {
        match rights {
            Some(rights) => (format!("with {rights}{}", self.after()), true),
            None if !left.is_empty() => (format!("without {left}{}", self.after()), true),
            // Where files were changed as well, nobody knows what helped.
            None if self.names_some() && !self.has_edits => {
                (format!("when it was run again{}", self.after()), true)
            }
            None => (self.how(), self.is_nothing()),
        }
    }

    /// Says after what another command worked, with a blank before it; nothing where that is not known.
    pub(super) fn after(&self) -> String {
        match () {
            () if self.names_some() => format!(" after {}", self.named()),
            () if self.has_commands => " after other commands".to_owned(),
            () => String::new(),
        }
    }
}

impl Gap<'_, '_> {
    /// Looks at all that was done.
    pub(super) fn between(&self) -> Between {
        let mut found = Found::default();
        if self.later.began.saturating_sub(self.first.began) > MOST_CALLS {
            return Between { has_commands: true, ..Between::default() };
        }
        let line = |at: usize| self.calls.get(at).and_then(Done::command).unwrap_or_default();
        let (first, later) = (line(self.first.began), line(self.later.began));
        let before = shell::raw(first);
        let is_one_line = self.first.began == self.later.began;
        let end = if is_one_line { self.later.at.min(before.len()) } else { before.len() };
        self.behind_first(&before[..end], &mut found);
        let within = |done: &&Done<'_>| {
            done.index > self.first.began && done.index < self.later.began && !done.refused()
        };
        self.calls.iter().filter(within).for_each(|done| self.call(done, &mut found));
        if !is_one_line {
            let says =
                self.calls.get(self.later.began).is_none_or(|it| acts::says_failed(&it.output()));
            self.before_later(&before, &shell::raw(later), says, &mut found);
        }
        let turn = |ran: &Ran| self.calls.get(ran.began).map(|done| done.item.turn);
        found.others |= turn(&self.first) != turn(&self.later);
        found.commands |= found.goes && !(self.first.is_placed && self.later.is_placed);
        Between { changed: self.changed.clone(), ..found.into_between() }
    }

    /// Takes what the line of the first run ran behind it.
    fn behind_first(&self, parts: &[(String, String)], found: &mut Found) {
        let mut was_reached = false;
        let behind = parts.windows(2).skip(self.first.at);
        let mut is_piped = true;
        for pair in behind {
            let ((_, joint), (raw, _)) = (&pair[0], &pair[1]);
            is_piped &= joint == "|";
            was_reached |= !matches!(joint.as_str(), "&&" | "|");
            // What only takes what it prints is part of it.
            if was_reached && !is_piped {
                found.unsure(matter(raw));
            }
        }
    }

    /// Takes what a call in between did.
    fn call(&self, done: &Done<'_>, found: &mut Found) {
        let is_over = done.index > self.first.over;
        match done.call.action.as_deref() {
            Some(Action::Shell { .. }) => self.line(done, is_over, found),
            Some(Action::Read { .. } | Action::Search { .. } | Action::Fetch { .. }) => {}
            Some(Action::Plan) => {}
            // The first run may be waited for.
            Some(Action::Wait { .. }) => found.others |= is_over,
            Some(Action::Edit { .. }) => found.edits |= !self.is_outside,
            None if matches!(
                done.call.kind,
                ToolKind::Read | ToolKind::Search | ToolKind::Fetch | ToolKind::Plan
            ) => {}
            _ => found.others = true,
        }
    }

    fn line(&self, done: &Done<'_>, is_over: bool, found: &mut Found) {
        let line = done.command().unwrap_or_default();
        let joined = shell::joined(line);
        let runs_on = done.result.is_none_or(|result| result.out.is_some());
        let is_known = is_over && !runs_on && done.worked();
        for (at, (raw, _)) in shell::raw(line).iter().enumerate() {
            let part = shell::bare(raw);
            if part == self.command {
                continue;
            }
            let is_sure = || {
                // What a shell keeps to itself may be gone with it.
                is_known && !is_of_shell(&part) && has_worked(done, &joined, at, line)
            };
            found.take(raw, &part, is_sure);
        }
    }

    /// Takes what the line of the later run did before it, unless the line of the first did the same; `says_failed`
    /// where something on the line did not work.
    fn before_later(
        &self,
        before: &[(String, String)],
        parts: &[(String, String)],
        says_failed: bool,
        found: &mut Found,
    ) {
        let known = &before[..self.first.at.min(before.len())];
        let mut known: HashSet<&str> = surely_ran(known).collect();
        let piped = before.iter().take(self.first.at).rev().take_while(|(_, joint)| joint == "|");
        known.extend(piped.map(|(raw, _)| raw.trim()));
        let parts = &parts[..self.later.at.min(parts.len())];
        let chain = chain(parts);
        let fed = parts.iter().rev().take_while(|(_, joint)| joint == "|").count();
        for (at, (raw, _)) in parts.iter().enumerate() {
            let (part, told) = (shell::bare(raw), shell::without_comment(raw).trim());
            if known.contains(raw.trim()) || part == self.command {
                continue;
            }
            let is_fed = at >= parts.len() - fed;
            // Variables that are set for what follows are told with it.
            let is_told = told.strip_prefix("export ").is_some_and(only_sets);
            match part.is_empty() {
                true => found.commands |= !told.is_empty(),
                false if is_fed => found.commands = true,
                false if is_told => {}
                // One that is known by its verb would say where it did not work.
                false => found.take(raw, &part, || {
                    let is_act = !says_failed && acts::key(&part).is_some();
                    at >= parts.len() - chain || is_act && !may_be_left(parts, at)
                }),
            }
        }
    }
}

/// Whether all words of a text set variables.
fn only_sets(text: &str) -> bool {
    shlex::split(text).is_some_and(|words| words.iter().all(|word| shell::is_assignment(word)))
}

/// Whether a command may not have run, or nobody would be told that it did not work.
fn may_be_left(parts: &[(String, String)], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| parts.get(before));
    let is_joined = |joint: &str| matches!(joint, ";" | "&&");
    before.is_some_and(|(_, joint)| !is_joined(joint)) || !is_joined(&parts[at].1)
}

/// Returns how many commands right before another one surely went well where that ran; behind `||` one may not have
/// run.
fn chain(parts: &[(String, String)]) -> usize {
    let count = parts.iter().rev().take_while(|(_, joint)| joint == "&&").count();
    let before = parts.len().checked_sub(count + 1).and_then(|at| parts.get(at));
    let is_else = before.is_some_and(|(_, joint)| joint == "||");
    count - usize::from(is_else && count > 0)
}

/// Returns the commands before one that failed of which it is known that they went well, or that do the same each
/// time.
fn surely_ran(parts: &[(String, String)]) -> impl Iterator<Item = &str> {
    let chain = chain(parts);
    let is_it = move |(at, (raw, _)): &(usize, &(String, String))| {
        let part = shell::bare(raw);
        *at >= parts.len() - chain || part.is_empty() || is_of_shell(&part) || goes(&part)
    };
    parts.iter().enumerate().filter(is_it).map(|(_, (raw, _))| raw.trim())
}

/// What is found, one after the other.
#[derive(Default)]
struct Found {
    /// What surely ran with success and says what it changed.
    sure: Vec<String>,
    commands: bool,
    edits: bool,
    others: bool,
    goes: bool,
}

impl Found {
    fn unsure(&mut self, matter: Matter) {
        self.goes |= matter == Matter::Goes;
        self.commands |= matches!(matter, Matter::Told | Matter::May);
    }

    fn take(&mut self, raw: &str, part: &str, is_sure: impl FnOnce() -> bool) {
        let matter = matter(raw);
        // What may as well only look is none that helped.
        let can_be_told = matter == Matter::Told
            && !is_check(part)
            && !part.contains(['\n', '`'])
            && !part.contains("$(")
            && !writes(raw)
            && !has_block(raw)
            && !is_in_block(raw)
            && !part.starts_with(['$', '"', '\'']);
        if !can_be_told || !is_sure() {
            return self.unsure(matter);
        }
        let told = format!("`{}`", text::line(part, 80));
        if !self.sure.contains(&told) {
            self.sure.push(told);
        }
    }

    fn into_between(self) -> Between {
        let mut named = self.sure;
        let has_commands = self.commands || named.len() > MOST;
        // The last of them stand next to the success.
        named.drain(..named.len().saturating_sub(MOST));
        Between {
            named,
            has_commands,
            has_edits: self.edits,
            changed: String::new(),
            has_others: self.others,
        }
    }
}

/// Whether a command of a call that worked did, too; one that is known by its verb would say where it did not.
fn has_worked(done: &Done<'_>, joined: &[(String, String)], at: usize, line: &str) -> bool {
    match codes::exit(joined, at, Some(0), line) {
        Ended::Passed => true,
        Ended::Failed => false,
        Ended::Unknown => {
            acts::key(&joined[at].0).is_some()
                && !acts::says_failed(&done.output())
                && !shell::is_excused(line, at)
        }
    }
}
