//! Of which files a command line prints lines.

use super::outcomes::{CONTAINERS, MACHINES};
use super::paths::{is_file, paths_in};
use super::shell;

/// Programs that print what is in the files that they are given.
const PRINTS: &[&str] =
    &["bat", "cat", "gc", "Get-Content", "head", "less", "more", "nl", "sed", "tail", "type"];

/// Returns the files of which a command line prints lines.
pub(super) fn shown(command: &str) -> Vec<String> {
    let own = commands(command).filter(|part| prints(part)).flat_map(paths_in);
    let own = own.chain(commands(command).flat_map(of_git));
    let looped =
        loops(command).filter(|looped| commands(looped.body).any(|part| looped.is_shown_by(part)));
    own.chain(looped.flat_map(Loop::files)).collect()
}

/// Returns those of the [`shown`] files that are as they lie on this machine: not as git keeps them, and not in
/// a container or on another machine.
pub(super) fn shown_here(command: &str) -> Vec<String> {
    let is_away = |word: &str| CONTAINERS.contains(&word) || MACHINES.contains(&word);
    let is_here = |part: &String| {
        let is_kept = part.trim_start().starts_with("git ") && part.contains(':');
        !is_kept && !part.split_whitespace().any(is_away)
    };
    let parts = shell::raw(command).into_iter().map(|(part, _)| part).filter(is_here);
    shown(&parts.collect::<Vec<_>>().join("\n"))
}

/// What a command line prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// What stands in files, and nothing else.
    Files,
    /// That, and other things.
    Both,
    Other,
}

/// Tells what a command line prints.
pub(super) fn shows(line: &str) -> Shows {
    if shown(line).is_empty() {
        return Shows::Other;
    }
    let is_quiet =
        |part: &str| part.split_whitespace().next().is_none_or(|it| shell::QUIET.contains(&it));
    let is_of_files = |part: &str| is_quiet(part) || prints(part) || !of_git(part).is_empty();
    // What is passed on is not printed.
    let line = line.replace("2>&1", "").replace("&>", ">");
    let mut pipes = line.split(['\n', ';', '&']).flat_map(|part| part.split('|').take(1));
    if pipes.all(|part| is_of_files(part.trim())) { Shows::Files } else { Shows::Both }
}

/// Returns the files of which a command of git prints lines: as they were (`git show HEAD:src/a.rs`), or
/// what changed in them (`git diff -- src/a.rs`), unless that is but counted.
fn of_git(part: &str) -> Vec<String> {
    let mut words = part.split_whitespace();
    let is_one = words.next() == Some("git") && matches!(words.next(), Some("diff" | "show"));
    let counts = |word: &str| {
        let counted = ["--stat", "--name-", "--numstat", "--shortstat", "--quiet", "--summary"];
        counted.iter().any(|option| word.starts_with(option)) || word.contains('>')
    };
    if !is_one || words.clone().any(counts) {
        return Vec::new();
    }
    let bare: Vec<&str> = words.map(|word| word.trim_matches(['"', '\''])).collect();
    // What stands before the mark is a branch or a revision, however it is called.
    let from = bare.iter().position(|word| *word == "--").map_or(0, |at| at + 1);
    let files = bare[from..].iter().filter(|word| !word.starts_with("origin/"));
    let files = files.map(|word| word.split_once(':').map_or(*word, |(_, path)| path));
    files.filter(|word| is_file(word) && !word.starts_with('-')).map(str::to_owned).collect()
}

fn commands(line: &str) -> impl Iterator<Item = &str> {
    line.split(['\n', ';', '|', '&']).map(str::trim)
}

/// Whether a command prints what is in files.
fn prints(part: &str) -> bool {
    let program = shell::program(part);
    PRINTS.contains(&program) && !part.replace("2>", "").contains('>')
}

/// A loop of a shell over words that stand there.
struct Loop<'c> {
    name: &'c str,
    words: &'c str,
    body: &'c str,
}

/// How many loops of a line are looked at.
const MOST_LOOPS: usize = 20;

/// Finds the loops of a command line.
fn loops(command: &str) -> impl Iterator<Item = Loop<'_>> {
    command.split("for ").skip(1).take(MOST_LOOPS).filter_map(Loop::read)
}

impl<'c> Loop<'c> {
    /// Reads a loop behind its first word.
    fn read(text: &'c str) -> Option<Self> {
        let (name, rest) = text.split_once(" in ")?;
        let (words, rest) = rest.split_once("do ").or_else(|| rest.split_once("do\n"))?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let body = rest.split("done").next().unwrap_or_default();
        (!name.is_empty() && name.bytes().all(is_plain)).then_some(Self { name, words, body })
    }

    /// Whether a command of its body prints what is in each.
    fn is_shown_by(&self, part: &str) -> bool {
        let is_name = |word: &str| {
            let name = word.strip_prefix('$').map(|name| name.trim_matches(['{', '}']));
            name == Some(self.name)
        };
        prints(part) && part.split([' ', '"']).any(is_name)
    }

    /// Returns the files among its words.
    fn files(self) -> impl Iterator<Item = String> {
        let words = self.words.trim_end().trim_end_matches(';').split_whitespace();
        let bare = words.map(|word| word.trim_matches(['"', '\'']));
        bare.filter(|word| is_file(word)).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_whose_lines_are_printed_are_shown() {
        let found = shown("nl -ba src/a.rs; sed -n 1,9p b.py 2>/dev/null && rg x c.rs | head -3");
        assert_eq!(found, ["src/a.rs", "b.py"]);
        assert!(shown("cat > x.rs <<'EOF'").is_empty());
        let looped = "for f in src/a.rs \"b.py\"; do echo \"FILE $f\"; nl -ba \"$f\"; done | head";
        assert_eq!(shown(looped), ["src/a.rs", "b.py"]);
        assert_eq!(shown("for f in a.rs\ndo\n cat ${f}\ndone"), ["a.rs"]);
        assert!(shown("for f in a.rs b.rs; do touch $f; cat $g; done").is_empty());
        let of_git =
            "git show HEAD:src/a.rs | nl -ba; git show :b.py; git diff main -- 'c.rs' d/e.md";
        assert_eq!(shown(of_git), ["src/a.rs", "b.py", "c.rs", "d/e.md"]);
        assert!(shown("git diff --stat -- a.rs; git show v1.2; git add b.rs").is_empty());
        assert_eq!(shown("git diff origin/rel.md -- a.rs"), ["a.rs"]);
    }

    #[test]
    fn what_lies_elsewhere_is_not_shown_here() {
        let line =
            "cat a.rs; git diff -- b.rs; for f in c.rs; do head $f; done; sh -c 'x; cat d.rs'";
        assert_eq!(shown_here(line), shown(line));
        for line in [
            "git show main:src/a.rs | head",
            "ssh -p 22 box 'cd /srv; cat src/a.rs'",
            "sudo docker exec app sh -c \"cd /app && head src/a.rs\"",
            "kubectl exec pod -- sh -c 'ls; cat src/a.rs'",
            "ssh box <<E\ncat a.rs\nE",
        ] {
            assert!(!shown(line).is_empty() && shown_here(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn what_stands_in_files_is_told_from_what_else_is_printed() {
        assert_eq!(shows("cd x; sed -n 1,9p a.rs | rg -n b && nl b.py"), Shows::Files);
        assert_eq!(shows("cat a.md 2>&1"), Shows::Files);
        assert_eq!(shows("mkdir -p b && sleep 1; cat a.md"), Shows::Files);
        assert_eq!(shows("pwd; cat a.md"), Shows::Both);
        assert_eq!(shows("rg -l x src; sed -n 1,9p a.rs"), Shows::Both);
        assert_eq!(shows("rg -n x src | head -3"), Shows::Other);
    }
}
