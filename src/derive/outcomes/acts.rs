//! Commands that change something beyond the files, such as a push or an installation: those that
//! failed and did their work later.

use super::asked::Around;
use super::checks::Edit;
use super::gap::{Between, Gap, Ran};
use super::mending::Changes;
use super::recognise::{self, Ended};
use super::{codes, git, signature};
use crate::derive::fact::{Fact, FactKind, State};
use crate::derive::pattern::Pattern;
use crate::derive::timeline::Done;
use crate::derive::timeline::Timeline;
use crate::derive::{Trust, ids, shell, symptoms, text};
use crate::model::Status;

/// Words of a command line by which it does something.
const VERBS: &[&str] = &[
    "add",
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clone",
    "commit",
    "create",
    "deploy",
    "edit",
    "install",
    "login",
    "merge",
    "migrate",
    "publish",
    "pull",
    "push",
    "rebase",
    "release",
    "restore",
    "revert",
    "start",
    "stash",
    "switch",
    "sync",
    "tag",
    "up",
    "update",
    "upgrade",
    "upload",
];

/// How an output says that the command was called the wrong way: nobody looks at that twice.
const MISUSED: &[&str] = &[
    "usage:",
    "unknown option",
    "unknown flag",
    "unknown switch",
    "unknown command",
    "unknown json field",
    "unknown shorthand",
    "unrecognized",
    "unexpected argument",
    "no such option",
    "invalid option",
    "invalid usage",
    "arg(s), received",
];
/// How it says that there was nothing to do it to.
const AIMLESS: &[&str] =
    &["did not match any file", "no such file or directory", "nothing to commit"];
/// In how many of its first lines an output says that the command was called the wrong way.
const FIRST_LINES: usize = 3;

/// How git and what it calls say that they failed, also where a pipe hides the exit code.
static FAILED: Pattern = Pattern::new(
    r"^(?:fatal|error|ERROR): \S| ! \[(?:remote )?rejected\]|^(?:npm|pnpm|yarn) (?:ERR!|error) ",
);

/// After how many more calls a run in other words is no longer about the same.
const NEAR: usize = 40;
/// How many are told.
const MOST: usize = 6;
/// How much they matter beside errors that a change of files mended.
const WEIGHT: f64 = 0.3;
/// How much those that only had to be asked for in another way.
const RIGHTS: f64 = 0.5;
/// How much those that a change of a file mended that they are about.
const CHANGED: f64 = 0.6;

/// Options by which what stopped on its way is given up, or a step of it is left out.
const GIVING_UP: &[&str] = &["--abort", "--quit", "--skip"];
/// An option by which an act goes past the checks that stand before it.
const PAST_CHECKS: &str = "--no-verify";

/// A run of such a command.
struct Act<'s> {
    command: String,
    /// Its words up to the verb.
    key: String,
    ended: Ended,
    around: Around,
    done: Done<'s>,
    /// Its place on the line, from 0.
    at: usize,
}

/// Finds those that failed and worked later, newest first.
pub(super) fn mended(timeline: &Timeline<'_>, edits: &[Edit]) -> Vec<Fact> {
    let calls: Vec<_> = timeline.done().map(Done::at_end).collect();
    let acts: Vec<_> = calls.iter().flat_map(|done| of_call(timeline, done)).collect();
    let mut found: Vec<(&Act<'_>, usize, Fact)> = Vec::new();
    for (at, act) in acts.iter().enumerate().rev() {
        if act.ended != Ended::Failed {
            continue;
        }
        let mut tries = acts[at + 1..].iter().filter(|later| later.is_again(act));
        let Some(later) = tries.find(|later| later.is_done() && !later.gives_up()) else {
            continue;
        };
        let is_try = |(last, end, _): &&mut (&Act<'_>, usize, Fact)| {
            last.command == act.command && *end == later.done.index
        };
        // Of several tries in the same words the last one is told.
        if let Some((_, _, fact)) = found.iter_mut().find(is_try) {
            fact.evidence.insert(0, act.done.item.id.to_string());
            continue;
        }
        if found.len() >= MOST {
            continue;
        }
        let Some(fact) = fact(act, later, &calls, edits) else { continue };
        if found.iter().all(|(_, _, known)| known.id != fact.id) {
            found.push((act, later.done.index, fact));
        }
    }
    found.into_iter().map(|(_, _, fact)| fact).collect()
}

impl Act<'_> {
    fn is_done(&self) -> bool {
        self.ended == Ended::Passed
    }

    /// Whether it goes past the checks before which `first` did not get.
    fn goes_past_checks_of(&self, first: &Act<'_>) -> bool {
        let passes_by = |act: &Act<'_>| act.command.contains(PAST_CHECKS);
        passes_by(self) && !passes_by(first)
    }

    /// Whether it ends what failed without its work, as `git merge --abort` does.
    fn gives_up(&self) -> bool {
        self.command.split_whitespace().any(|word| GIVING_UP.contains(&word))
    }

    fn ran(&self) -> Ran {
        let is_placed = self.around.folder().is_some();
        Ran { began: self.done.index, over: self.done.index, at: self.at, is_placed }
    }

    /// Parts the changes of files up to a later try by whether this one, which printed `output`, is about them.
    fn changes<'e>(&self, later: &Act<'_>, output: &str, edits: &'e [Edit]) -> Changes<'e> {
        Changes::between(edits, (self.done.index, later.done.index), output, self.around.folder())
    }

    /// Whether it is the next try of `first`: in the same words, or soon after it.
    fn is_again(&self, first: &Act<'_>) -> bool {
        // Elsewhere it is another one, whatever its words are.
        if let (Some(here), Some(there)) = (self.around.folder(), first.around.folder())
            && here != there
        {
            return false;
        }
        let is_near = self.done.index <= first.done.index + NEAR;
        self.key == first.key && (is_near || self.command == first.command)
    }
}

fn of_call<'s>(timeline: &Timeline<'s>, done: &Done<'s>) -> Vec<Act<'s>> {
    if timeline.parts(done).iter().all(|part| key(part).is_none()) {
        return Vec::new();
    }
    let ran = done.result.filter(|result| !result.rejected && result.status != Status::Interrupted);
    let (Some(result), Some(line)) = (ran, done.command()) else { return Vec::new() };
    let joined = shell::joined(line);
    let keys = joined.iter().map(|(part, _)| key_there(part));
    let code = result.exit_code.or(done.failed().then_some(1));
    let code = code.or_else(|| done.worked().then_some(0));
    let says_so = has_error(&done.output());
    let ended = |at: usize| match codes::exit(&joined, at, code, line) {
        Ended::Passed if !says_so => Ended::Passed,
        Ended::Unknown if code == Some(0) && !says_so && !shell::is_excused(line, at) => {
            Ended::Passed
        }
        Ended::Unknown if code != Some(0) || says_so => by_place(&joined, at),
        Ended::Unknown => Ended::Unknown,
        other => other,
    };
    let around = Around::of_last(done, joined.len());
    let act = |(at, (key, around)): (usize, (Option<String>, Around))| {
        let (command, ended) = (joined[at].0.clone(), ended(at));
        Some(Act { command, key: key?, ended, around, done: *done, at })
    };
    keys.zip(around).enumerate().filter_map(act).collect()
}

/// Whether an output says that a command failed of which no exit code is known.
pub(in crate::derive) fn says_failed(output: &str) -> bool {
    has_error(output) || signature::unstarted(output).is_some()
}

fn has_error(output: &str) -> bool {
    FAILED.is_match(output)
}

/// Of a line that failed the last command is the one that did, if all before it had to work.
fn by_place(joined: &[(String, String)], at: usize) -> Ended {
    let rest = &joined[at + 1..];
    let is_last = rest.iter().all(|(part, _)| part.is_empty());
    let is_chain = joined[..at].iter().all(|(_, joint)| joint == "&&");
    if is_last && is_chain { Ended::Failed } else { Ended::Unknown }
}

/// Returns what a command that does something is known by: its words up to the verb.
pub(super) fn key(part: &str) -> Option<String> {
    let plain = git::from_verb(part);
    let part = &*shell::in_one_way(&plain);
    let is_plain = |word: &&str| word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    let words: Vec<_> = part.split_whitespace().filter(|word| !word.starts_with('-')).collect();
    let first: Vec<_> = words.iter().take(3).copied().take_while(is_plain).collect();
    let verb = first.iter().skip(1).position(|word| VERBS.contains(word))?;
    let is_check = !recognise::named(part).is_empty();
    (!is_check).then(|| first[..=verb + 1].join(" "))
}

/// Returns the same, with the folder in which git is told to work: there it is another command.
fn key_there(part: &str) -> Option<String> {
    let key = key(part)?;
    Some(git::told_folder(part).map_or(key.clone(), |folder| format!("{key} in {folder}")))
}

/// Whether a command does something by its verb, as `git push` does.
pub(in crate::derive) fn has_verb(part: &str) -> bool {
    key(part).is_some()
}

/// Whether an output ends with words that say that the last command of a line was called the wrong way.
pub(in crate::derive) fn was_misused_last(output: &str) -> bool {
    let last = output.lines().rfind(|row| !row.trim().is_empty());
    last.is_some_and(|row| says(row, MISUSED))
}

/// Whether an output begins with words that say that the command was called the wrong way; what only warns
/// may stand before them.
pub(in crate::derive) fn was_misused(output: &str) -> bool {
    let warns = |row: &str| row.starts_with("warning: ");
    let says_more = |row: &&str| !row.trim().is_empty() && !warns(row);
    let rows = output.lines().filter(says_more);
    rows.take(FIRST_LINES).any(|row| says(row, MISUSED))
}

fn says(text: &str, forms: &[&str]) -> bool {
    let low = text.to_lowercase();
    forms.iter().any(|form| low.contains(form))
}

fn fact(act: &Act<'_>, later: &Act<'_>, calls: &[Done<'_>], edits: &[Edit]) -> Option<Fact> {
    let output = act.done.output();
    let did_not_run = act.done.was_held_back() || act.done.is_lost();
    if says(&output, MISUSED) || says(&output, AIMLESS) || did_not_run {
        return None;
    }
    let error = symptoms::telling(&output, 1).into_iter().next()?;
    let told = format!("`{}`: {}", text::line(&act.command, 90), text::line(&error, 160));
    let is_outside = signature::is_outside(&error);
    // What went past its checks was mended by nothing.
    let is_mended = !is_outside && !later.goes_past_checks_of(act);
    let changes = if is_mended { act.changes(later, &output, edits) } else { Changes::default() };
    let gap = Gap {
        calls,
        first: act.ran(),
        later: later.ran(),
        command: &later.command,
        changed: changes.others(),
        is_outside,
    };
    let between = gap.between();
    let own = changes.own();
    let (how, is_lesson) = match own.is_empty() {
        true => worked(act, later, &between),
        false => (format!("changed {own} → {}", worked_then(act, later, &between)), true),
    };
    let item = &act.done.item;
    let fact = Fact::new(FactKind::Fix, Trust::S, format!("{told} → {how}"), (item.turn, &item.id));
    let evidence = vec![item.id.to_string(), later.done.item.id.to_string()];
    let id = ids::id('F', &format!("act {} {error}", act.command));
    // What the harness has to be asked for holds for the next session, too.
    let has_rights = otherwise(&act.done, &later.done).is_some();
    let weight = match () {
        () if !own.is_empty() => CHANGED,
        () if has_rights => RIGHTS,
        () => WEIGHT,
    };
    let detail = changes.shown(calls);
    Some(Fact { id, detail, evidence, state: State::Done, weight, is_lesson, ..fact })
}

/// Says how a command worked after changes of files that it is about, with what else was run before and in which other
/// words.
fn worked_then(act: &Act<'_>, later: &Act<'_>, between: &Between) -> String {
    let set = later.around.set_beside(&act.around) + &later.around.how_beside(&act.around, &[]);
    let named = if between.names_some() { between.after() } else { String::new() };
    match set.is_empty() && act.command == later.command {
        true => format!("worked{named}"),
        false => format!("worked{named} as `{}`", text::line(&(set + &later.command), 120)),
    }
}

/// Says how a command worked that had failed, and whether something can be learnt from that.
fn worked(act: &Act<'_>, later: &Act<'_>, between: &Between) -> (String, bool) {
    let set = later.around.set_beside(&act.around) + &later.around.how_beside(&act.around, &[]);
    let left = later.around.left_out(&act.around);
    let after = between.after();
    if !set.is_empty() || act.command != later.command {
        let named = if between.names_some() { after } else { String::new() };
        if later.goes_past_checks_of(act) {
            let told = text::line(&(set + &later.command), 120);
            return (format!("went past its hooks{named} as `{told}`"), false);
        }
        return (format!("worked{named} as `{}`", text::line(&(set + &later.command), 120)), true);
    }
    let (how, is_lesson) = between.made(otherwise(&act.done, &later.done), &left);
    (format!("worked {how}"), is_lesson)
}

/// Returns which rights a second call of a command was given that the first had not, such as to run outside
/// of a sandbox.
pub(super) fn otherwise(first: &Done<'_>, later: &Done<'_>) -> Option<String> {
    let (first, later) = (first.call.rights(), later.call.rights());
    let is_new = |(name, value): &(&String, &String)| first.get(*name) != Some(*value);
    let told: Vec<_> =
        later.iter().filter(is_new).map(|(name, value)| format!("`{name}: {value}`")).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_known_by_their_words_up_to_the_verb() {
        assert_eq!(key("git push -u origin main").as_deref(), Some("git push"));
        assert_eq!(key("gh pr create --title x").as_deref(), Some("gh pr create"));
        assert_eq!(key("npm install left-pad").as_deref(), Some("npm install"));
        assert_eq!(key("git -C /p push").as_deref(), Some("git push"));
        assert_eq!(key_there("git -C /p push").as_deref(), Some("git push in /p"));
        for part in ["git log", "gh pr view 3", "cargo test", "curl -s http://a.test/push"] {
            assert_eq!(key(part), None, "{part}");
        }
    }

    #[test]
    fn only_the_end_of_a_chain_is_blamed() {
        let ended = |line: &str, at: usize| by_place(&shell::joined(line), at);
        assert_eq!(ended("git tag v1 && git push origin v1", 1), Ended::Failed);
        assert_eq!(ended("git tag v1 && git push origin v1", 0), Ended::Unknown);
        assert_eq!(ended("git fetch; git push", 1), Ended::Unknown);
    }

    #[test]
    fn every_form_compiles() {
        assert!(FAILED.is_match(" ! [rejected]        main -> main (fetch first)"));
        assert!(FAILED.is_match("fatal: no remote") && !FAILED.is_match("no error: all is well"));
    }
}
