//! Commands that matter: what builds, tests, runs and publishes, not what only looks.

use std::collections::HashMap;

use serde::Serialize;

use super::checking::is_check;
use super::files::is_temporary;
use super::makers::makes_project;
use super::outcomes::{Outcomes, answered_no, asks_manager, git_looks};
use super::place::{below, goes_first, goes_to, is_told, is_whole, one_form, told_in};
use super::shell::is_assignment;
use super::short::short_paths_after;
use super::timeline::{Done, Timeline};
use super::{ids, paths, shell, text};

/// A command that the session ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Command {
    /// `F-` and eight hexadecimal digits.
    pub id: String,
    /// The command without what stood before and after it on the line: of those that begin the same the
    /// newest that ran more than once, else the newest.
    pub command: String,
    /// How often it was run so.
    pub runs: usize,
    /// Whether the last run worked; nothing if that is not known.
    pub worked: Option<bool>,
    /// The turn of the last run.
    pub turn: u32,
    /// The items that it rests on: the last run.
    pub evidence: Vec<String>,
    /// How likely it is needed again; larger is likelier.
    #[serde(skip)]
    pub weight: f64,
}

/// How much less a run counts for each call after it.
const FADE: f64 = 0.985;

/// How often a program was given its text before it is told that it was: once may be by chance.
const LEAST_WAYS: usize = 3;

/// How many characters of a command are kept.
const TOLD_CHARS: usize = 110;
/// How many of one that runs what lies far away.
const PATH_CHARS: usize = 180;

/// Finds the commands that matter, the likeliest to be needed again first.
pub(super) fn commands(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Vec<Command> {
    let calls: Vec<_> = timeline.done().map(Done::at_end).collect();
    let last = calls.len();
    let home = one_form(timeline.header.cwd.as_deref().unwrap_or_default());
    let mut found: HashMap<String, Group> = HashMap::new();
    for done in &calls {
        if done.was_held_back() {
            continue;
        }
        // Of what other agents ran only checks are told elsewhere, too.
        let is_meant = |part: &&String| !done.is_by_agent() || is_check(part);
        let parts = timeline.parts(done);
        let alone = parts.len() == 1;
        // Of a line with another way nobody knows which way it went.
        let has_other = done.command().is_some_and(|line| line.contains("||"));
        let folder = done.folder().filter(|folder| is_told(folder));
        let folder = folder.and_then(|folder| told_from(&home, folder));
        let line = done.command().unwrap_or_default();
        // A project that was made is there; what did not make it is called again.
        let is_over = |part: &str| is_of_the_moment(part) || makes_project(part) && !done.failed();
        let is_told = |part: &&String| !is_over(part) && !is_fragment(part, line);
        let faded = FADE.powi(i32::try_from(last - done.index).unwrap_or(i32::MAX));
        for way in shell::ways(line).into_iter().filter(|_| !done.is_by_agent()) {
            let group = found.entry(way.clone()).or_default();
            group.least = LEAST_WAYS;
            group.run((None, way), faded * ASKED, done.index);
        }
        let with = outcomes.with_needed(done);
        let set_for = |part: &str| {
            let found = with.iter().find(|(one, _)| one == part);
            found.map_or_else(String::new, |(_, set)| set.clone())
        };
        let missing = timeline.not_found(done);
        for part in parts.iter().filter(is_meant).filter(is_told) {
            let group = found.entry(known_by(part)).or_default();
            let weight = faded * if only_asks(part) { ASKED } else { 1.0 };
            // Of what ran far away only a check says something of the code there.
            let needs =
                |folder: &String| !has_own_top(part) && (!is_whole(folder) || is_check(part));
            let place = folder.clone().filter(needs);
            let form = (place, set_for(part) + &told(part, TOLD_CHARS, text::line));
            let form = group.run(form, weight, done.index);
            let program = shell::program(part);
            form.worked = match (done.failed(), done.worked()) {
                _ if missing.is_some_and(|all| all.contains(program)) => Some(false),
                _ if done.fell && alone => Some(false),
                // It may have run.
                _ if done.is_lost() => None,
                (true, _) if alone => (!answered_no(timeline, done)).then_some(false),
                (false, true) if !has_other => Some(true),
                _ => None,
            };
        }
    }
    let made = |(key, group): (String, Group)| group.command(&key, &calls);
    let mut list: Vec<_> = found.into_iter().filter_map(made).collect();
    list.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.id.cmp(&b.id)));
    list
}

/// Returns a folder as it is told from another one, unless it is that; what was only tried out somewhere says nothing by
/// where that was.
fn told_from(home: &str, folder: String) -> Option<String> {
    match below(&folder, home) {
        Some(below) => Some(below.to_owned()),
        None => (is_whole(&folder) && !is_temporary(&folder) && folder != home).then_some(folder),
    }
}

/// Whether a command only asks what is there, or ends what ran then: nobody needs to be told of it.
fn is_of_the_moment(part: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    match words.as_slice() {
        [_, "--version" | "--help" | "-V"] | [.., "--help"] => true,
        [manager, verb, ..] if asks_manager(manager, verb) => true,
        // What a program was given to read is not told.
        [before @ .., "-"] => {
            let given = before.iter().rev().find(|word| !word.starts_with('-'));
            before.len() < 4 && given.is_some_and(|word| shell::interprets(word))
        }
        ["kill", rest @ ..] => rest.iter().all(|word| {
            let word = word.trim_start_matches('-');
            word.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        }),
        _ => false,
    }
}

/// How much a command counts that anybody finds without being told: it only asks how things are, or is no
/// more than the way in which scripts are run.
const ASKED: f64 = 0.35;

/// Whether a command only asks git how things are, or a server who asks.
fn only_asks(part: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().take(3).collect();
    git_looks(part) || matches!(words[..], ["gh" | "glab", "auth", "status" | "token"])
}

/// Whether a part of a line cannot be run by itself: it goes on with what stands before it, is cut off
/// before its end, or calls what the line defines.
fn is_fragment(part: &str, line: &str) -> bool {
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    let is_defined = |form: &str| line.contains(&form.replace('_', program));
    !program.contains(char::is_alphanumeric)
        || words.next() == Some("=")
        || part.ends_with(" @")
        || ["_()", "_ ()", "function _ ", "function _{"].iter().any(|form| is_defined(form))
}

/// Commands that begin the same.
#[derive(Default)]
struct Group {
    weight: f64,
    /// How often it must have been run to be told.
    least: usize,
    /// Each as it is told, with its folder where that is another one than the session's.
    forms: HashMap<(Option<String>, String), Form>,
}

/// What came of the runs of a command.
#[derive(Default)]
struct Form {
    runs: usize,
    /// The number of the last call.
    last: usize,
    worked: Option<bool>,
}

/// What a command of git takes away by: who does it once does not mean to do it again.
const DESTROYING: &[&str] = &["--delete", "--force", "--hard", "-D", "-d", "-f", "delete"];

impl Group {
    /// Counts a run in one of its forms, by the call of number `index`.
    fn run(&mut self, form: (Option<String>, String), weight: f64, index: usize) -> &mut Form {
        self.weight += weight;
        let form = self.forms.entry(form).or_default();
        form.runs += 1;
        form.last = index;
        form
    }

    /// Returns the command that is told: the newest that ran more than once, else the newest.
    fn command(self, key: &str, calls: &[Done<'_>]) -> Option<Command> {
        let destroys = |told: &str| {
            let mut words = told.split_whitespace();
            words.next().is_some_and(keeps_versions)
                && words.any(|word| DESTROYING.contains(&word) || word.starts_with(':'))
        };
        let is_usual = |told: &str, form: &Form| form.runs > 1 || !destroys(told);
        let rank = |((_, told), form): &((_, String), Form)| {
            (is_usual(told, form), form.runs > 1, form.last)
        };
        let ((folder, command), form) = self
            .forms
            .into_iter()
            .max_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| b.0.cmp(&a.0)))?;
        if form.runs < self.least {
            return None;
        }
        let item = calls.get(form.last)?.item;
        Some(Command {
            id: ids::exact('F', key),
            command: folder.map_or(command.clone(), |to| goes_first(&to, &command)),
            runs: form.runs,
            worked: form.worked,
            turn: item.turn,
            evidence: vec![item.id.to_string()],
            weight: self.weight,
        })
    }
}

/// Programs that keep versions, and those that speak with their servers.
const VERSIONING: &[&str] = &["git", "gh", "glab", "hg", "jj", "svn"];

/// Whether a command kept versions or spoke with their server: it did what was at hand then, and its
/// first words tell what that was.
pub fn keeps_versions(command: &str) -> bool {
    let mut words = command.split_whitespace().skip_while(|word| is_assignment(word));
    words.next().is_some_and(|program| VERSIONING.contains(&program))
}

/// Whether of what a command is given nothing is told but options: all else is cut off.
pub fn is_bare(command: &str) -> bool {
    let mut words = command.split_whitespace().skip(1);
    command.ends_with('…') && words.all(|word| word.starts_with(['-', '…']))
}

/// Puts the first words of a command on one line of at most `most` characters; a path among the very
/// first is told whole, since it says nothing if it is cut. Of one that goes to a folder far away first that is told by
/// its end, and so much of the rest.
pub fn command_start(command: &str, most: usize) -> String {
    let far = goes_to(command).map(|(to, rest)| (one_form(to), rest.trim_start()));
    match far.filter(|(to, _)| is_whole(to)) {
        Some((folder, rest)) => told_in(&folder, &told(rest, most, text::start)),
        None => told(command, most, text::start),
    }
}

fn told(command: &str, most: usize, cut: fn(&str, usize) -> String) -> String {
    let until = runs_until(command);
    let line = text::line(command, usize::MAX);
    match line.chars().count() > until && until >= most {
        true => {
            let at = line.char_indices().nth(until).map_or(line.len(), |(at, _)| at);
            format!("{} …", text::head(&line, at))
        }
        false => {
            // What it runs stays as it is.
            let most = most.max(until);
            let from = line.char_indices().nth(until).map_or(line.len(), |(at, _)| at);
            cut(&short_paths_after(&line, from, most), most)
        }
    }
}

/// Returns after how many characters it is told what a command runs, if that is a path; 0 if it is
/// none, or too long to tell.
fn runs_until(command: &str) -> usize {
    let (mut at, mut until) = (0, 0);
    for (place, word) in command.split_whitespace().take(3).enumerate() {
        at += word.chars().count() + usize::from(place > 0);
        until = if word.contains('/') && at <= PATH_CHARS { at } else { until };
    }
    until
}

/// Returns what a command is known by: its first words.
pub(super) fn key(part: &str) -> String {
    let part = shell::in_one_way(part);
    let (first, rest): (Vec<_>, Vec<_>) =
        part.split_whitespace().enumerate().partition(|(at, _)| *at < 3);
    // Which page is asked for stands behind how.
    let addresses = rest.into_iter().filter(|(_, word)| word.contains("://"));
    first.into_iter().chain(addresses).map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

/// Returns the first words of a command, by which it is known, without a path behind a verb of git: which
/// file was added or taken back once tells nobody how that is done. The folder in which git is told to
/// work is none of the three words, nor are variables.
pub fn known_by(part: &str) -> String {
    if let Some((set, rest)) = part.split_once(' ').filter(|(word, _)| is_assignment(word)) {
        return format!("{set} {}", known_by(rest));
    }
    let mut words: Vec<&str> = part.split_whitespace().take(5).collect();
    let verb = if matches!(words[..], ["git", "-C", ..]) { 3 } else { 1 };
    words.truncate(verb + 2);
    if words.first() == Some(&"git") && words.get(verb + 1).is_some_and(|word| is_path(word)) {
        words.pop();
    }
    words.join(" ")
}

fn is_path(word: &str) -> bool {
    word.contains('/') || paths::is_file(word)
}

/// Whether a command does the same in every folder of a repository: it names no file.
fn has_own_top(command: &str) -> bool {
    let mut words = command.split_whitespace();
    words.next().is_some_and(keeps_versions) && !words.any(is_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_only_then_is_not_needed_again() {
        for part in [
            "gh pr create --help",
            "kill -9 8 814",
            "uv run python -",
            "mise which a",
            "pyenv versions",
        ] {
            assert!(is_of_the_moment(part), "{part}");
        }
        for part in [
            "gh pr view 7",
            "kill-port 80",
            "kill $PID",
            "python3 tools/parse.py -",
            "mise run which",
        ] {
            assert!(!is_of_the_moment(part), "{part}");
        }
    }

    #[test]
    fn what_only_asks_how_things_are_is_told_last() {
        for part in
            ["git stash list", "git remote -v", "gh auth status", "git -C a merge-base HEAD main"]
        {
            assert!(only_asks(part), "{part}");
        }
        for part in ["git stash pop", "git tag v1", "gh pr view 7", "merge-base"] {
            assert!(!only_asks(part), "{part}");
        }
    }

    #[test]
    fn what_kept_versions_is_known_by_its_first_words() {
        for (command, known) in [
            ("GH_REPO=ada/tool gh pr view 3 --json x", "GH_REPO=ada/tool gh pr view"),
            ("git push -u origin feat/a", "git push -u"),
            ("gh pr create --fill", "gh pr create"),
            ("git add src/a.rs src/b.rs", "git add"),
            ("git checkout notes.md", "git checkout"),
            ("git checkout main", "git checkout main"),
            ("git stash", "git stash"),
            ("git -C web/a push -u origin a", "git -C web/a push -u"),
            ("gh api repos/a/b/pulls", "gh api repos/a/b/pulls"),
        ] {
            assert!(keeps_versions(command), "{command}");
            assert_eq!(known_by(command), known);
        }
        assert!(!keeps_versions("gitk --all") && !keeps_versions("cargo test"));
    }

    #[test]
    fn a_command_of_which_only_options_are_left_is_bare() {
        assert!(is_bare("curl -s -L …"));
        assert!(!is_bare("curl -s a.example …") && !is_bare("make -s"));
    }

    #[test]
    fn a_path_among_the_first_words_is_told_whole() {
        assert_eq!(
            runs_until("python3 /opt/tools/run.py --all"),
            "python3 /opt/tools/run.py".len()
        );
        assert_eq!(runs_until("git commit -m a/b"), 0);
        assert_eq!(
            command_start("cd /home/ada/worktrees/of-the-next-one && make -j4 all tests of it", 20),
            "cd …/of-the-next-one && make -j4 all tests …"
        );
        assert_eq!(
            command_start("shasum -a 256 -b docs/plans/2026/first/design-of-all.md", 40),
            "shasum -a 256 -b …/design-of-all.md"
        );
        assert_eq!(runs_until(&format!("node /{}", "x/".repeat(200))), 0);
    }
}
