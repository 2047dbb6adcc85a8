//! What a command may mean for what comes after it: nothing where it only looks, else a change that it says, or any.

use super::lookups::only_asks;
use super::{acts, git};
use crate::derive::command::command;
use crate::derive::files::is_temporary;
use crate::derive::written::edits_in_place;
use crate::derive::{powershell, shell};

/// What a command of a line means for what comes after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Matter {
    Nothing,
    /// It goes to another folder.
    Goes,
    /// It is known to change something, and says what.
    Told,
    /// It may change something.
    May,
}

/// Commands that go to another folder.
const GOING: &[&str] = &["cd", "popd", "pushd"];
/// Commands that change only what their shell keeps, by their letters.
const OF_SHELL: &[&str] = &[
    ".", "alias", "declare", "eval", "export", "local", "set", "shopt", "source", "trap",
    "typeset", "ulimit", "umask", "unalias", "unset",
];
/// Those of them that change nothing of what another command does, or only how the shell goes on.
const QUIET: &[&str] = &["local", "set", "shopt", "trap", "unalias"];
/// Commands that change files, or wait, and say on their line what and for how long.
const CHANGING: &[&str] = &[
    ".",
    "./configure",
    "chmod",
    "chown",
    "copy",
    "cp",
    "del",
    "kill",
    "killall",
    "ln",
    "mkdir",
    "mklink",
    "move",
    "mv",
    "pkill",
    "rm",
    "rmdir",
    "sleep",
    "source",
    "touch",
    "ulimit",
    "unlink",
    "unset",
];
/// Words that run nothing by themselves.
const HEADS: &[&str] = &[":", "[[", "case", "done", "esac", "fi", "for", "select", "}", ")"];
/// Options by which `find` does more than look.
const FINDS: &[&str] = &["-delete", "-exec", "-execdir", "-fprint", "-ok", "-okdir"];

/// Whether a command changes only what its shell keeps.
pub(super) fn is_of_shell(part: &str) -> bool {
    OF_SHELL.contains(&shell::program(part))
}

/// Whether a command goes to another folder.
pub(super) fn goes(part: &str) -> bool {
    GOING.contains(&shell::program(part))
}

/// Says what a command as it stands on its line may mean for what comes after it.
pub(super) fn matter(raw: &str) -> Matter {
    let mut told = shell::without_comment(raw).trim();
    while let Some(rest) = shell::BLOCKS.iter().find_map(|word| told.strip_prefix(word)) {
        let is_word =
            rest.is_empty() || rest.starts_with(char::is_whitespace) || told.starts_with('(');
        if !is_word {
            break;
        }
        told = rest.trim_start();
    }
    let part = shell::bare(told);
    match of_part(&part) {
        Matter::Nothing | Matter::Goes if puts_in(told) || writes(told) => Matter::May,
        matter => matter,
    }
}

fn of_part(part: &str) -> Matter {
    let words: Vec<&str> = part.split_whitespace().collect();
    let has = |options: &[&str]| words.iter().any(|word| options.contains(word));
    let edits = || edits_in_place(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    match words.first().copied().unwrap_or_default() {
        "" => Matter::Nothing,
        program if GOING.contains(&program) => Matter::Goes,
        program if HEADS.contains(&program) || QUIET.contains(&program) => Matter::Nothing,
        program if CHANGING.contains(&program) => Matter::Told,
        program if OF_SHELL.contains(&program) => Matter::May,
        "xargs" => shell::handed(part).map_or(Matter::Nothing, of_handed),
        "tee" => Matter::Nothing,
        "find" if has(FINDS) => Matter::May,
        "sort" if has(&["-o"]) => Matter::May,
        "sed" | "perl" if edits() => Matter::Told,
        "git" if git::looks(part) => Matter::Nothing,
        "git" => {
            if acts::key(part).is_some() {
                Matter::Told
            } else {
                Matter::May
            }
        }
        _ if acts::key(part).is_some() => Matter::Told,
        program if powershell::looks(program) => {
            if is_cmdlet_that_shows(program) {
                Matter::Nothing
            } else {
                Matter::May
            }
        }
        _ if shell::looks(part) || only_asks(part) => Matter::Nothing,
        _ => Matter::May,
    }
}

/// Says what a command means that is handed its words: which they are is not known.
fn of_handed(part: &str) -> Matter {
    match of_part(part) {
        Matter::Told => Matter::May,
        matter => matter,
    }
}

/// Verbs of PowerShell that only show something, as its commands begin with them.
const SHOWING: &[&str] = &[
    "Compare-",
    "ConvertFrom-",
    "ConvertTo-",
    "ForEach-",
    "Format-",
    "Get-",
    "Join-",
    "Measure-",
    "Resolve-",
    "Select-",
    "Sort-",
    "Split-",
    "Test-",
    "Where-",
    "Write-",
];

fn is_cmdlet_that_shows(program: &str) -> bool {
    SHOWING.iter().any(|verb| program.starts_with(verb))
}

/// Whether what a command prints goes into a file that may matter.
pub(super) fn writes(raw: &str) -> bool {
    let counts = |path: &str| !path.starts_with("/dev/") && !is_temporary(path);
    match command(raw) {
        Some(it) => {
            let mut named = it.words.iter().skip(1).filter(|word| !word.starts_with('-'));
            it.target.as_ref().is_some_and(|(path, _)| counts(path))
                || it.program() == "tee" && named.any(|path| counts(path))
        }
        None => raw.contains("> "),
    }
}

/// How long a command is at most that is looked into.
const MOST_BYTES: usize = 1000;

/// Whether a command has the output of another one put in that may change something.
fn puts_in(raw: &str) -> bool {
    let Some((_, rest)) = raw.split_once("$(").filter(|_| raw.len() <= MOST_BYTES) else {
        return raw.contains('`') || raw.len() > MOST_BYTES && raw.contains("$(");
    };
    // What is put in there once more is not looked into.
    let inner = rest.split_once(')').map_or(rest, |(inner, _)| inner);
    let may = |(raw, _): &(String, String)| {
        raw.contains("$(")
            || raw.contains('`')
            || writes(raw)
            || !matches!(of_part(&shell::bare(raw)), Matter::Nothing | Matter::Goes)
    };
    shell::raw(inner).iter().any(may) || rest.contains("$(") && puts_in(rest)
}

/// Whether a command stands behind a word of a block.
pub(super) fn is_in_block(raw: &str) -> bool {
    shell::BLOCKS.contains(&shell::program(raw))
}

#[cfg(test)]
mod tests {
    use super::{Matter, matter};

    #[test]
    fn what_only_looks_is_told_from_what_may_change_something() {
        for line in [
            "ls -la",
            "cat a.rs 2>/dev/null",
            "then grep -rn x src",
            "git -C sub status --short",
            "git branch -a",
            "git stash list",
            "find . -name '*.rs'",
            "xargs grep x",
            "[[ -f a ]]",
            "gh pr view 3",
            "echo $(git rev-parse HEAD)",
            "cat a > /dev/null",
            "set -e",
            "# rm a",
            "Get-ChildItem src",
        ] {
            assert!(matter(line) == Matter::Nothing, "{line}");
        }
        for line in
            ["mkdir -p a", "source .env", "git checkout x", "npm install", "sed -i s/a/b/ c"]
        {
            assert!(matter(line) == Matter::Told, "{line}");
        }
        for line in [
            "./gen.sh",
            "echo x > .env",
            "find . -name x -delete",
            "git branch x",
            "git stash",
            "xargs rm",
            "echo $(touch a)",
            "echo `touch a`",
            "curl -X POST https://a.test",
            "else ./gen.sh",
            "Remove-Item a",
            "eval $X",
        ] {
            assert!(matches!(matter(line), Matter::May | Matter::Told), "{line}");
        }
        assert!(matter("cd sub") == Matter::Goes);
    }
}
