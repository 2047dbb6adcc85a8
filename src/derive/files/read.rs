//! What stands in a file, by what was read of it.

use std::collections::{BTreeMap, HashMap};

use super::defined::defined;
use super::touched::Touched;
use super::{USED, USES};
use crate::derive::timeline::Done;
use crate::derive::{place, shell, text, variables};
use crate::model::ToolKind;

/// Takes the names that a file defines and uses out of what was read of it.
pub(super) fn read(
    found: &mut BTreeMap<String, Touched>,
    path: &str,
    done: &Done<'_>,
    fresh: f64,
    is_recent: bool,
) {
    let Some(entry) = found.get_mut(path) else { return };
    entry.state = match entry.state {
        // What could not be read was not.
        None if done.failed() => Some("named"),
        // What is told of a file says nothing of what stands in it.
        state if done.command().is_some_and(|line| only_speaks(line, path)) => {
            state.or(Some("named"))
        }
        state if done.failed() => state,
        None | Some("named" | "listed") => Some("read"),
        Some("deleted") if done.call.kind == ToolKind::Read => Some("read"),
        state => state,
    };
    if !is_recent || done.failed() || !matches!(done.call.kind, ToolKind::Read | ToolKind::Shell) {
        return;
    }
    // What a program prints that does something else, or of other files too, is not what stands in the
    // file.
    let is_of_file = |command| shell::only_looks(command) && prints_only(command, path);
    if done.is_shared || done.command().is_some_and(|command| !is_of_file(command)) {
        return;
    }
    let output = done.output();
    let secrets = text::Secrets::of(&output);
    let is_plain = |name: &&str| !secrets.has(name);
    for name in output.lines().filter_map(defined).filter(is_plain) {
        *entry.names.entry(name.to_owned()).or_default() += fresh;
    }
    // What is only used there counts by how often, to a bound, and far less than what is defined.
    let mut used: HashMap<&str, f64> = HashMap::new();
    for name in text::names(&output).filter(is_plain) {
        *used.entry(name).or_default() += 1.0;
    }
    for (name, times) in used {
        let weight = fresh * USED * times.min(USES);
        match entry.names.get_mut(name) {
            Some(known) => *known += weight,
            None => drop(entry.names.insert(name.to_owned(), weight)),
        }
    }
}

/// How commands begin that only speak of files: to servers, of what is to be committed, and in the text of that.
const SPEAKING: &[&str] = &["curl ", "gh ", "git add ", "git commit ", "glab ", "wget "];
/// How those begin that do so on the screen, if nothing else stands in them.
const TELLING: &[&str] = &["echo ", "printf "];
/// How programs stand within a command, and what it may write.
const MORE: &[&str] = &["$(", "`", "<(", ">"];
/// What stands before a text that a program looks through, in place of files.
const TEXT: &str = "<<<";

/// Whether a command line only speaks of the file `path`.
fn only_speaks(command: &str, path: &str) -> bool {
    let name = place::name(path);
    let parts = shell::raw(command);
    let begins = |part: &str, start: &str| {
        variables::behind(part.trim_start_matches(['{', '(', ' '])).starts_with(start)
    };
    // What a loop goes through may be an end of addresses.
    let fetches = parts.iter().any(|(part, _)| part.contains("curl ") || part.contains("wget "));
    let tells = |part: &str| TELLING.iter().any(|start| begins(part, start)) && !does_more(part);
    // What is told to another program can be what that one opens.
    let speaks = |part: &str, joint: &str| {
        SPEAKING.iter().any(|start| begins(part, start))
            || joint != "|" && tells(part)
            || looks_through(part)
            || only_fills(part, name)
            || fetches && begins(part, "for ")
    };
    let mut naming = parts.iter().filter(|(part, _)| part.contains(name)).peekable();
    if naming.peek().is_none() {
        // It stands in a here document, such as the message of a commit.
        let mut given = parts.iter().filter(|(part, _)| part.contains("<<")).peekable();
        let is_message = |part: &str| SPEAKING.iter().any(|start| begins(part, start));
        return given.peek().is_some() && given.all(|(part, _)| is_message(part));
    }
    naming.all(|(part, joint)| speaks(part, joint))
}

/// Whether more stands in a command than the words of a text.
fn does_more(part: &str) -> bool {
    let (mut quote, mut plain) = (None, String::new());
    let mut chars = part.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None | Some('"'), '\\') => _ = chars.next(),
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            // In quotes an arrow is a word like others; in single ones all is.
            (Some('\''), _) | (Some(_), '<' | '>') => {}
            _ => plain.push(c),
        }
    }
    MORE.iter().any(|mark| plain.contains(mark))
}

/// Whether a command names a file only as that into which goes what a program prints besides.
fn only_fills(part: &str, name: &str) -> bool {
    if ["cat ", "echo ", "printf "].iter().any(|start| part.contains(start)) {
        return false;
    }
    let mut words = part.split('>').map(str::trim_start);
    let before = words.next().unwrap_or_default();
    let goes_there = |rest: &str| {
        let mut words = rest.splitn(2, char::is_whitespace);
        let is_it = words.next().is_some_and(|word| word.contains(name));
        (is_it, words.next().is_some_and(|more| more.contains(name)))
    };
    let rest: Vec<_> = words.map(goes_there).collect();
    !before.contains(name)
        && rest.iter().any(|(is_it, _)| *is_it)
        && !rest.iter().any(|(_, names_more)| *names_more)
}

/// Whether a command looks for something in a text, and not in files.
fn looks_through(part: &str) -> bool {
    let program = shell::program(part);
    let opens = part.contains(" -f") || MORE.iter().any(|mark| part.contains(mark));
    shell::SEARCHING.contains(&program) && part.contains(TEXT) && !opens
}

/// Whether all that a command line prints is of the file `path`: each of its commands names it and no
/// other place, or passes on what another prints.
fn prints_only(command: &str, path: &str) -> bool {
    let name = place::name(path);
    let mut is_passed = false;
    shell::raw(command).iter().all(|(part, joint)| {
        let passes = std::mem::replace(&mut is_passed, joint == "|");
        let words = shlex::split(part).unwrap_or_default();
        let program = words.first().map_or("", String::as_str);
        // What it looks for, and where.
        let named = words.iter().skip(1).filter(|word| !word.starts_with('-'));
        let is_one = !shell::SEARCHING.contains(&program) || named.count() <= 2;
        let is_silent = program == "pwd" || shell::QUIET.contains(&program);
        passes || is_silent || (part.contains(name) && is_one)
    })
}

#[cfg(test)]
mod tests {
    use super::{only_speaks, prints_only};

    #[test]
    fn what_is_only_spoken_of_is_not_read() {
        assert!(only_speaks("gh run list --workflow ci.yml | head", ".github/workflows/ci.yml"));
        assert!(only_speaks("git add -A && git commit -m 'Mend ci.yml'", "ci.yml"));
        assert!(only_speaks("git add ci.yml a.lock && git commit -m 'Mend'", "a.lock"));
        assert!(!only_speaks("cat a.lock; git add a.lock", "a.lock"));
        assert!(only_speaks("for p in /a.txt; do curl -s https://a.example$p; done", "/a.txt"));
        assert!(only_speaks("git commit -q -F - <<'M' | tail -2\nMend ci.yml\nM", "ci.yml"));
        assert!(!only_speaks("python3 - <<'E'\nopen('ci.yml')\nE", "ci.yml"));
        assert!(!only_speaks("for p in a.txt; do cat $p; done", "a.txt"));
        assert!(!only_speaks("gh run list; cat ci.yml", "ci.yml"));
        assert!(!only_speaks("make", "ci.yml"));
        // Also with a variable set for it, on the screen, and of what is looked for in a text.
        assert!(only_speaks("GH_REPO=a/b gh pr create --body 'See ci.yml'", "ci.yml"));
        assert!(only_speaks("echo '== /a.json ==' && curl -s https://a.example/a.json", "/a.json"));
        assert!(only_speaks(
            "grep -q 'a.json' <<<\"$robots\" && printf 'names /a.json'",
            "/a.json"
        ));
        // An arrow in a text writes nothing.
        assert!(only_speaks("echo 'done -> ci.yml' && make", "ci.yml"));
        assert!(only_speaks("{ echo ci.yml; }", "ci.yml"));
        assert!(!only_speaks("echo \"$(cat ci.yml)\"", "ci.yml"));
        assert!(!only_speaks("{ echo -; cat ci.yml; }", "ci.yml"));
        assert!(!only_speaks("echo 'on: push' > ci.yml", "ci.yml"));
        // What a program printed into it was not read of it.
        assert!(only_speaks("make >/tmp/a/ci.yml 2>&1", "/tmp/a/ci.yml"));
        assert!(!only_speaks("make > ci.yml; cat ci.yml", "ci.yml"));
        assert!(!only_speaks("sort ci.yml > ci.yml", "ci.yml"));
        assert!(!only_speaks("echo '== ci.yml' && cat ci.yml", "ci.yml"));
        assert!(!only_speaks("echo ci.yml | xargs cat", "ci.yml"));
        assert!(!only_speaks("grep x <<<\"$(cat ci.yml)\"", "ci.yml"));
        assert!(!only_speaks("grep -f ci.yml <<<\"$told\"", "ci.yml"));
        assert!(!only_speaks("diff - ci.yml <<<\"$told\"", "ci.yml"));
    }

    #[test]
    fn what_is_printed_of_other_files_too_is_not_of_one() {
        for line in [
            "cat src/a.rs",
            "cd /p && sed -n '1,20p' src/a.rs | head",
            "echo '== a'; nl -ba src/a.rs; tail -5 src/a.rs",
            "grep -n 'fn main' src/a.rs",
            "rg TODO src/a.rs",
        ] {
            assert!(prints_only(line, "src/a.rs"), "{line}");
        }
        for line in [
            "cat src/a.rs; ls script/",
            "rg 'x' src tests src/a.rs",
            "rg x src tests src/a.rs",
            "gh api repos/x/y && cat src/a.rs",
            "git diff --stat; cat src/a.rs",
        ] {
            assert!(!prints_only(line, "src/a.rs"), "{line}");
        }
    }
}
