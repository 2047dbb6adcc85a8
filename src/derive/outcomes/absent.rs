//! Programs that the session called and that the shell did not find.

use std::collections::HashSet;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::boxes::{CONTAINERS, MACHINES};
use crate::derive::pattern::{Groups, Pattern};
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// How many are told, the newest first.
const MOST: usize = 6;

/// How shells say that they do not find a program: `zsh:1: command not found: x`, `bash: line 1: x: command
/// not found`, `/bin/sh: 1: x: not found`, and those of Windows.
static ABSENT: Pattern = Pattern::new(concat!(
    r"^(?:\(eval\)|[\w/.-]*sh)(?::\d+|: line \d+|: \d+)?: ",
    r"(?:(?:command not found|Unknown command): ([\w.+-]+)|([\w.+-]+): (?:command )?not found)[ \r]*$",
    r"|^(?:[\w.+-]+ ?: )?(?:The term )?'([\w.+-]+)' is not recognized as (?:an internal|the name|a name) .*$",
));
/// What each of these lines holds.
static SIGNS: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["not found", "Unknown command", "is not recognized as"].map(Finder::new));

/// Returns the programs that a command of the session named, that its shell did not find, and that did not run
/// later and were not installed, the newest first, with the last call that says so.
pub(super) fn absent<'s>(timeline: &Timeline<'s>) -> Option<(Vec<String>, Done<'s>)> {
    let is_run = |done: &Done<'_>| done.command().is_some() && done.result.is_some();
    if !timeline.done().filter(is_run).any(|done| timeline.not_found(&done).is_some()) {
        return None;
    }
    let (mut ran, mut absent): (HashSet<String>, Vec<String>) = Default::default();
    let mut last = None;
    for done in timeline.done().rev().filter(is_run) {
        let missed = timeline.not_found(&done);
        let programs =
            timeline.parts(&done).iter().filter_map(|part| part.split_whitespace().next());
        if missed.is_none() && done.worked() {
            ran.extend(installed(timeline.parts(&done)));
        }
        for program in programs {
            if !missed.is_some_and(|missed| missed.contains(program)) {
                ran.insert(program.to_owned());
            } else if !ran.contains(program) && !absent.iter().any(|known| known == program) {
                absent.push(program.to_owned());
                last.get_or_insert(done);
            }
        }
    }
    absent.truncate(MOST);
    last.map(|last| (absent, last))
}

/// Returns the programs that the shell of a call did not find.
pub(in crate::derive) fn not_found(done: &Done<'_>) -> HashSet<String> {
    let Some(line) = done.command().filter(|_| done.may_print(&*SIGNS)) else {
        return HashSet::new();
    };
    let missed = missed(&done.output());
    if missed.is_empty() || shows_others(line, &missed) { HashSet::new() } else { missed }
}

/// Programs that keep others running in a terminal of their own.
const TERMINALS: &[&str] = &["screen", "tmux"];
/// Programs that print what was printed elsewhere.
const FETCHING: &[&str] = &["curl", "gh", "glab", "journalctl", "wget"];
/// Programs that print a file, unless they stand behind a pipe.
const PRINTING: &[&str] = &["awk", "cat", "grep", "head", "less", "rg", "sed", "tail"];
/// Programs behind a pipe, besides those that interpret it, that take a text as data and print something else.
const TAKING: &[&str] = &[
    "base64",
    "cksum",
    "git",
    "jq",
    "md5sum",
    "mysql",
    "patch",
    "psql",
    "sha256sum",
    "sqlite3",
    "tar",
    "wc",
    "xargs",
    "yq",
];

/// Whether something on a line shows what another shell printed: what was not found is then not known to be
/// missing here. Those of `missed` print nothing of what they are given.
fn shows_others(line: &str, missed: &HashSet<String>) -> bool {
    let all = shell::raw(line);
    let program = |at: usize| shell::led(&all[at].0).next().unwrap_or_default();
    // What another program takes in is not seen: `cat a.json | jq .`.
    let takes =
        |name: &str| TAKING.contains(&name) || missed.contains(name) || shell::interprets(name);
    let is_seen = |at: usize| {
        let behind = (at..all.len() - 1).take_while(|at| all[*at].1 == "|");
        !behind.map(|at| program(at + 1)).any(takes)
    };
    let shows = |(at, _): (usize, &(String, String))| {
        let is_piped = at > 0 && all[at - 1].1 == "|";
        let prints =
            FETCHING.contains(&program(at)) || PRINTING.contains(&program(at)) && !is_piped;
        is_elsewhere(program(at)) || prints && is_seen(at)
    };
    all.iter().enumerate().any(shows)
}

/// Whether a program runs others elsewhere, which may print past a pipe.
fn is_elsewhere(program: &str) -> bool {
    [CONTAINERS, MACHINES, TERMINALS].iter().any(|all| all.contains(&program))
}

/// Returns what commands name that put programs on the machine.
fn installed(parts: &[String]) -> Vec<String> {
    let installs = |part: &&String| part.split_whitespace().any(|word| word == "install");
    let words = parts.iter().filter(installs).flat_map(|part| part.split_whitespace());
    words.map(str::to_owned).collect()
}

/// Returns the programs that an output says are not there.
fn missed(output: &str) -> HashSet<String> {
    let named = |groups: Groups<'_>| (1..=3).find_map(|at| groups.at(at)).map(str::to_owned);
    ABSENT.all_groups(output).filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_shell_printed_is_not_missing_here() {
        let x1 = HashSet::from(["x1".to_owned()]);
        for line in [
            "make; ssh box 'make'",
            "x1 a; gh run view 7 --log",
            "cat build.log; x1 a",
            "if docker exec app x1; then x1; fi",
            "cat a.log | grep x1; x1 b",
            "cat ci.log | sort -u; x1 a",
            "gh run view 7 --log | sort | uniq -c; x1 a",
        ] {
            assert!(shows_others(line, &x1), "{line}");
        }
        for line in [
            "x1 a 2>&1 | tail -3",
            "cd p && x1 a || echo no",
            "x1 'cat a' | grep b",
            "cat a.json | x1 .",
            "cat a.json | jq . | tail -3; x1 a",
            "cat a.sh | bash",
            "cat a.txt | xargs x1",
            "cat a.py | python3.12 -; x1 a",
        ] {
            assert!(!shows_others(line, &x1), "{line}");
        }
    }

    #[test]
    fn each_shell_says_it_in_its_way() {
        assert!(ABSENT.is_sound());
        for row in [
            "zsh:1: command not found: x1",
            "(eval):3: command not found: x1",
            "bash: line 1: x1: command not found",
            "bash: x1: command not found",
            "/bin/sh: 1: x1: not found",
            "fish: Unknown command: x1",
            "'x1' is not recognized as an internal or external command,",
            "x1 : The term 'x1' is not recognized as the name of a cmdlet, function, script file, or",
        ] {
            let output = format!("one\n{row}\r\ntwo\n");
            assert_eq!(missed(&output).into_iter().collect::<Vec<_>>(), ["x1"], "{row}");
        }
        for row in
            ["error: page x1: not found", "404 x1: not found", "the bash: x1 was not found there"]
        {
            assert!(missed(row).is_empty(), "{row}");
        }
    }
}
