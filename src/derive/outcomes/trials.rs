//! What was only tried out: a file is changed, something is run, and the same line puts the file back, whatever came
//! of the run. That tells nothing of the files as they are now.

use super::away::Place;
use super::commits::commits_something;
use super::is_prose;
use crate::derive::command::{Command, command};
use crate::derive::paths::is_file;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{place, shell, written};

/// What stands in every line that puts a file back.
const SIGNS: &[&str] = &["git checkout ", "git restore ", "git reset ", "cp ", "mv ", "-i", "-pi"];
/// What is printed where that did not go through.
const FAILED: &[&str] = &["fatal: ", "error: pathspec", "cp: ", "mv: ", "sed: "];
/// A line of more commands is not looked at.
const MOST_PARTS: usize = 200;

/// A file that is changed on a line and put back on it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trial {
    /// Where on the line it is changed.
    from: usize,
    /// Where what surely ran with the change ends.
    to: usize,
    /// The file as the line names it.
    path: String,
}

/// Returns from where to where on it each line that tries something out does so.
pub(super) fn spans(timeline: &Timeline<'_>) -> Vec<(Place, Place)> {
    let lines = timeline.done().filter_map(|done| Some((done, done.command()?)));
    // What it commits or puts aside is not taken back.
    let is_it = |line: &str| puts_back(line) && !commits_something(line) && !line.contains("stash");
    let lines = lines.filter(|(_, line)| is_it(line));
    let spans = |(done, line): (Done<'_>, &str)| {
        let places = |trial: Trial| ((done.index, trial.from), (done.index, trial.to));
        of_call(&done, line).into_iter().map(places).collect::<Vec<_>>()
    };
    lines.flat_map(spans).collect()
}

/// Returns the files that a call changed and put back, from the session's folder.
pub(in crate::derive) fn put_back(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<String> {
    let Some(line) = done.command().filter(|line| puts_back(line)) else { return Vec::new() };
    let trials = of_call(done, line).into_iter();
    trials.filter_map(|trial| timeline.place(done, &trial.path)).collect()
}

fn puts_back(line: &str) -> bool {
    SIGNS.iter().any(|sign| line.contains(sign))
}

fn of_call(done: &Done<'_>, line: &str) -> Vec<Trial> {
    let went_wrong = || {
        let output = done.output();
        output.lines().any(|row| FAILED.iter().any(|form| row.starts_with(form)))
    };
    let found = if done.refused() { Vec::new() } else { trials(line, done.worked()) };
    if found.is_empty() || went_wrong() { Vec::new() } else { found }
}

/// Finds what a line tries out; `worked` where it ended well as a whole.
fn trials(line: &str, worked: bool) -> Vec<Trial> {
    let parts = shell::raw(line);
    if parts.len() > MOST_PARTS || parts.len() < 3 {
        return Vec::new();
    }
    let bare: Vec<&str> = parts.iter().map(|(raw, _)| bare(raw)).collect();
    let words: Vec<Command> = bare.iter().map(|raw| command(raw).unwrap_or_default()).collect();
    let mut found = Vec::new();
    for at in 2..parts.len() {
        let Some(to) = ends(&parts, at, worked).filter(|_| depth(&bare[..=at]) == 0) else {
            continue;
        };
        for path in brought(&words, at) {
            let writes = |from: &usize| {
                written::by_part(line, bare[*from]).iter().any(|one| same(one, &path))
            };
            let Some(from) = (0..to).find(writes).filter(|from| from + 1 < to) else { continue };
            // Behind another folder the same name is another file.
            let stays = !words[from..at].iter().any(|one| one.program() == "cd");
            // Settings are put in place for a run that tells of the work.
            let is_code = !is_prose(&path) && !is_settings(&path);
            found.extend((stays && is_code).then_some(Trial { from, to, path }));
        }
    }
    found
}

/// The ends of files in which settings stand.
const SETTINGS: &[&str] =
    &["cfg", "conf", "config", "ini", "json", "lock", "properties", "toml", "xml", "yaml", "yml"];

/// Whether settings stand in a file, by its name.
fn is_settings(path: &str) -> bool {
    let name = place::name(path);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    name.starts_with('.') || ending.is_some_and(|ending| SETTINGS.contains(&ending.as_str()))
}

/// Returns a command without what begins the body of a loop or a block before it.
fn bare(raw: &str) -> &str {
    let raw = raw.trim();
    ["do ", "{ ", "("].iter().find_map(|start| raw.strip_prefix(start)).unwrap_or(raw).trim()
}

/// Returns how many conditions are open behind these commands: what stands there may not run.
fn depth(parts: &[&str]) -> usize {
    parts.iter().fold(0_usize, |depth, part| match part.split_whitespace().next() {
        Some("if" | "case" | "while" | "until" | "trap") => depth + 1,
        Some("fi" | "esac") => depth.saturating_sub(1),
        _ => depth,
    })
}

/// Returns up to where the commands stand whatever comes of which the command at `at` runs; nothing if it hangs on
/// something else.
fn ends(parts: &[(String, String)], at: usize, worked: bool) -> Option<usize> {
    let chain = parts[..at].iter().rev().take_while(|(_, joint)| joint == "&&").count();
    let start = at - chain;
    let runs = start == 0 || parts[start - 1].1 == ";";
    let is_end = parts[at..].iter().all(|(_, joint)| joint.is_empty() || joint == "&&");
    runs.then_some(if worked && is_end { at } else { start })
}

fn same(one: &str, other: &str) -> bool {
    let bare = |path: &'_ str| path.trim_start_matches("./").to_owned();
    bare(one) == bare(other)
}

/// Returns the files that the command at `at` puts back as they were before the commands in front of it.
fn brought(words: &[Command], at: usize) -> Vec<String> {
    let own = plain(&words[at]);
    let before = words[..at].iter().map(plain);
    match own[..] {
        ["git", "checkout", ref rest @ ..] => {
            let rest: Vec<&str> = rest.iter().copied().filter(|word| *word != "-q").collect();
            match rest[..] {
                ["--", ref named @ ..] | ["HEAD", "--", ref named @ ..] => all(named),
                ref named if named.iter().all(|word| is_file(word)) => all(named),
                _ => Vec::new(),
            }
        }
        ["git", "restore", ref rest @ ..] => {
            let is_plain =
                |word: &&str| matches!(*word, "-q" | "--quiet" | "--worktree" | "-W" | "--");
            let named: Vec<&str> = rest.iter().filter(|word| !is_plain(word)).copied().collect();
            if named.iter().any(|word| word.starts_with('-')) { Vec::new() } else { all(&named) }
        }
        [program @ ("cp" | "mv"), .., kept, path] => {
            let copies = |one: &Vec<&str>| match one[..] {
                ["cp" | "mv", .., from, to] => from == path && to == kept,
                ["sed" | "perl", ..] => {
                    let ending = kept.strip_prefix(path).filter(|ending| !ending.is_empty());
                    let keeps = |ending: &str| {
                        one.iter().any(|word| word.starts_with('-') && word.ends_with(ending))
                    };
                    one.last() == Some(&path) && ending.is_some_and(keeps)
                }
                _ => false,
            };
            let is_kept = !program.is_empty() && before.into_iter().any(|one| copies(&one));
            if is_kept { vec![path.to_owned()] } else { Vec::new() }
        }
        ["sed" | "perl", .., script, path] => {
            let (Some(turned), true) = (turned(script), own.len() > 3) else { return Vec::new() };
            let is_it = |one: &Vec<&str>| {
                one.first() == own.first()
                    && one.last() == Some(&path)
                    && one.len() > 3
                    && substituted(one[one.len() - 2]).is_some_and(|it| it == turned)
            };
            if before.into_iter().any(|one| is_it(&one)) {
                vec![path.to_owned()]
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    }
}

fn plain(command: &Command) -> Vec<&str> {
    command.words.iter().map(String::as_str).collect()
}

fn all(named: &[&str]) -> Vec<String> {
    named.iter().map(|path| (*path).to_owned()).collect()
}

/// Returns what a script that only substitutes puts in the place of what.
fn substituted(script: &str) -> Option<(&str, &str)> {
    let rest = script.strip_prefix('s')?;
    let mark =
        rest.chars().next().filter(|mark| !mark.is_alphanumeric() && !mark.is_whitespace())?;
    let mut parts = rest[mark.len_utf8()..].split(mark);
    let (old, new, flags) = (parts.next()?, parts.next()?, parts.next()?);
    (parts.next().is_none() && flags.len() < 3 && !old.is_empty()).then_some((old, new))
}

/// Returns what a script undoes, if it only substitutes: the same the other way round.
fn turned(script: &str) -> Option<(&str, &str)> {
    substituted(script).map(|(old, new)| (new, old))
}

#[cfg(test)]
mod tests {
    use super::trials;

    fn told(line: &str) -> Vec<(usize, usize, String)> {
        trials(line, true).into_iter().map(|one| (one.from, one.to, one.path)).collect()
    }

    #[test]
    fn what_a_line_puts_back_was_only_tried() {
        for (line, from, to) in [
            (
                "sed -i 's/a = 2/a = 9/' src/a.py && pytest -q; sed -i 's/a = 9/a = 2/' src/a.py",
                0,
                2,
            ),
            ("sed -i '' 's|a|b|g' src/a.py; pytest -q; sed -i '' 's|b|a|g' src/a.py", 0, 2),
            (
                "cp src/a.py /tmp/a.bak && sed -i s/2/9/ src/a.py && pytest; cp /tmp/a.bak src/a.py",
                1,
                3,
            ),
            ("sed -i.bak s/2/9/ src/a.py; pytest; mv src/a.py.bak src/a.py", 0, 2),
            ("sed -i s/2/9/ src/a.py && pytest -q; git checkout -- src/a.py", 0, 2),
            ("sed -i s/2/9/ src/a.py && pytest -q | tail -3; git restore src/a.py", 0, 3),
            ("echo 'x = 1' >> src/a.py\npytest -q\ngit checkout src/a.py && echo back", 0, 2),
            (
                "for n in 1 2; do sed -i s/2/$n/ src/a.py; pytest -q; git checkout -q src/a.py; done",
                1,
                3,
            ),
            ("sed -i s/2/9/ src/a.py; if pytest -q; then echo no; fi; git checkout src/a.py", 0, 4),
            ("sed -i s/2/9/ src/a.py && pytest -q && git checkout src/a.py", 0, 2),
        ] {
            assert_eq!(told(line), [(from, to, "src/a.py".to_owned())], "{line}");
        }
    }

    #[test]
    fn what_stays_is_no_trial() {
        for line in [
            "sed -i s/2/9/ src/a.py && pytest -q || git checkout src/a.py",
            "sed -i s/2/9/ src/a.py; if ! pytest -q; then git checkout src/a.py; fi",
            "sed -i s/2/9/ src/a.py; git checkout src/a.py; pytest -q",
            "sed -i s/2/9/ src/a.py; pytest -q; git checkout src/b.py",
            "sed -i s/2/9/ src/a.py; pytest -q; sed -i s/3/4/ src/a.py",
            "npm ci; npm test; git checkout package-lock.json",
            "cp src/b.py src/a.py; pytest -q; cp src/c.py src/a.py",
            "echo a >> notes.md; pytest -q; git checkout notes.md",
            "sed -i s/2/9/ a.py; cd sub; pytest -q; git checkout a.py",
            "sed -i s/2/9/ src/a.py; pytest -q; git restore --staged src/a.py",
        ] {
            assert_eq!(told(line), [], "{line}");
        }
        // Where the check failed nothing was put back.
        let chain = "sed -i s/2/9/ src/a.py && pytest -q && git checkout src/a.py";
        assert_eq!(trials(chain, false), []);
    }
}
