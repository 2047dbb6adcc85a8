//! Files that commands took away or moved.

use super::super::cmdlets::{self, Deed};
use super::super::place::{known, runs_in};
use super::super::sure::walk;
use super::super::{shell, variables};

/// What a command did with a file; paths as they are told from where the line began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    /// It was deleted, or a folder with all in it.
    Removed(String),
    /// It is somewhere else now: the file or folder, where it went, and whether that is the folder
    /// into which it went.
    Moved(String, String, bool),
}

impl Gone {
    /// The file or folder that is gone.
    pub(super) fn from(&self) -> &str {
        let (Self::Removed(from) | Self::Moved(from, ..)) = self;
        from
    }
}

/// Programs that only speak of a file that is gone.
const SPEAKING: &[&str] = &["git commit", "git add", "git status", "echo ", "printf "];

/// How a line of an output begins that says that something was not taken away.
const REFUSING: &[&str] = &["rm: ", "mv: ", "fatal: ", "error: "];

/// Whether an output says that something was not taken away.
pub(super) fn refuses(output: &str) -> bool {
    output.lines().any(|row| REFUSING.iter().any(|start| row.starts_with(start)))
}

/// Finds what a command line takes away that ended well, with what it printed.
///
/// Nothing is told where it is not sure: where a name is known to the shell alone, by a variable that the line
/// does not set or a pattern, where the command may not have run, or where the line names the path again,
/// since it may have made it anew.
pub(super) fn taken(line: &str, output: &str) -> Vec<Gone> {
    let mut gone = taken_by(line, output, |_| true);
    for deed in cmdlets::deeds(line) {
        gone.extend(match deed {
            Deed::Remove(path) => Some(Gone::Removed(path)),
            Deed::Move(from, to) => Some(Gone::Moved(from, to, false)),
            Deed::Write(..) | Deed::Copy(_) => None,
        });
    }
    gone
}

/// Finds what of that git takes away, which is what it keeps.
pub(super) fn taken_by_git(line: &str, output: &str) -> Vec<Gone> {
    taken_by(line, output, |words| words.first() == Some(&"git"))
}

fn taken_by(line: &str, output: &str, counts: impl Fn(&[&str]) -> bool) -> Vec<Gone> {
    let mut gone = Vec::new();
    if !line.contains("rm ") && !line.contains("mv ") {
        return gone;
    }
    let line = variables::put_in(line).replace("\\\n", " ");
    walk(&line, |one| {
        let words: Vec<&str> = one.raw.split_whitespace().collect();
        if one.is_piped || !counts(&words) {
            return;
        }
        let found = by_one(&words, one.folder);
        gone.extend(found.into_iter().filter(|gone| !is_named(gone.from(), one.later)));
    });
    for told in shown(&line, output, counts).unwrap_or_default() {
        if !gone.contains(&told) {
            gone.push(told);
        }
    }
    gone
}

/// Finds what is taken away where nobody would know whether that ran, but right behind it a command says words of
/// its own that were printed, as `else git mv a b && echo moved; fi` does.
fn shown(line: &str, output: &str, counts: impl Fn(&[&str]) -> bool) -> Option<Vec<Gone>> {
    if !line.contains("echo ") || refuses(output) {
        return None;
    }
    let folder = if line.contains("cd ") { runs_in(line)? } else { String::new() };
    let parts = shell::raw(line);
    let mut gone = Vec::new();
    for (at, pair) in parts.windows(2).enumerate() {
        let [(raw, joint), (said, _)] = pair else { continue };
        let words = raw.split_whitespace().skip_while(|word| shell::BLOCKS.contains(word));
        let words: Vec<&str> = words.collect();
        if matches!(joint.as_str(), "&&" | ";") && counts(&words) && was_printed(said, output) {
            let found = by_one(&words, Some(&folder)).into_iter();
            gone.extend(found.filter(|gone| !is_named(gone.from(), &parts[at + 2..])));
        }
    }
    Some(gone)
}

/// Whether a command says words that stand on a line of an output.
fn was_printed(raw: &str, output: &str) -> bool {
    let words = shlex::split(raw).filter(|words| words.first().is_some_and(|it| it == "echo"));
    let Some(said) = words.map(|words| words[1..].join(" ")) else { return false };
    said.len() > 3 && output.lines().any(|row| row.trim() == said)
}

/// Reads what `git clean` says that it takes away.
pub(super) fn cleaned(output: &str) -> Vec<Gone> {
    let rows = output.lines().filter_map(|row| row.strip_prefix("Removing "));
    rows.filter_map(|path| known(path, Some(""))).map(Gone::Removed).collect()
}

/// Whether a later command of the line does something with a path, or with what is in it.
fn is_named(path: &str, later: &[(String, String)]) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    let speaks = |raw: &str| SPEAKING.iter().any(|program| raw.trim_start().starts_with(program));
    let is_part = |c: char| c == '/' || c.is_whitespace() || "'\"=:;,<>".contains(c);
    let names = |raw: &str| raw.contains(name) && raw.split(is_part).any(|part| part == name);
    later.iter().any(|(raw, _)| names(raw) && !speaks(raw))
}

/// Finds what one command takes away.
fn by_one(words: &[&str], folder: Option<&str>) -> Vec<Gone> {
    let rest = words.strip_prefix(&["git"]).unwrap_or(words);
    let [program @ ("rm" | "mv"), arguments @ ..] = rest else { return Vec::new() };
    let is_option = |word: &&&str| word.starts_with('-') && word.len() > 1;
    // Some only say what they would do, or keep the file, or take a value.
    let keeps = |word: &&str| match word.strip_prefix("--") {
        Some(long) => !matches!(long, "" | "force" | "recursive" | "quiet" | "verbose"),
        None => word.contains(['n', 't', 'S', 'i', 'I', 'u', 'b']),
    };
    let is_told = |word: &&str| word.contains(['\\', '>', '<', '#', '*', '?', '[', '$', '`']);
    if arguments.iter().filter(is_option).any(keeps) || arguments.iter().any(is_told) {
        return Vec::new();
    }
    let names = arguments.iter().filter(|word| !word.starts_with('-'));
    let paths: Vec<Option<String>> = names.map(|word| known(word, folder)).collect();
    match (*program, paths.as_slice()) {
        ("rm", paths) => paths.iter().flatten().cloned().map(Gone::Removed).collect(),
        (_, [from @ .., Some(to)]) => {
            let into = from.len() > 1 || to.ends_with('/');
            let to = to.trim_end_matches('/');
            let moved = |from: &String| Gone::Moved(from.clone(), to.to_owned(), into);
            from.iter().flatten().map(moved).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Vec<String> {
        let words = |gone| match gone {
            Gone::Removed(path) => path,
            Gone::Moved(from, to, false) => format!("{from}>{to}"),
            Gone::Moved(from, to, true) => format!("{from}>{to}/"),
        };
        taken(line, "").into_iter().map(words).collect()
    }

    #[test]
    fn what_a_line_takes_away_is_told_from_where_it_began() {
        assert_eq!(told("rm -rf a.txt 'b.txt' && make"), ["a.txt", "b.txt"]);
        assert_eq!(told("cd sub && git rm -q x.sh; rm /tmp/y"), ["sub/x.sh", "/tmp/y"]);
        assert_eq!(
            told("mv a.rs b.rs; git mv -f c.rs d.rs e"),
            ["a.rs>b.rs", "c.rs>e/", "d.rs>e/"]
        );
        assert_eq!(told("cd a/b && rm ../c ../../../d ./e"), ["a/c", "../d", "a/b/e"]);
        assert_eq!(
            told("git mv src/ lib; mv one two dest"),
            ["src/>lib", "one>dest/", "two>dest/"]
        );
        assert_eq!(told("ls\ngit mv a/x.md \\\n  b/x.md\nls"), ["a/x.md>b/x.md"]);
        assert_eq!(told("mv src/x/../a.rs old/"), ["src/a.rs>old/"]);
        assert_eq!(told("git rm a.rs && git commit -m 'Remove a.rs' && git push"), ["a.rs"]);
        assert_eq!(told("git mv plans old/2-plans && ls old/2-plans/"), ["plans>old/2-plans"]);
        assert_eq!(walk("cd /x && make; cd y", |_| ()).as_deref(), Some("/x/y"));
        assert_eq!(walk("cd -", |_| ()), None);
    }

    #[test]
    fn names_that_the_line_gives_are_put_in() {
        let line = "T=\"old/2-plans\"\ngit mv plans \"$T\"\necho \"moved to $T\"";
        assert_eq!(told(line), ["plans>old/2-plans"]);
        assert_eq!(told("D=src; rm ${D}/a.rs"), ["src/a.rs"]);
        for line in ["T=$(date); git mv a $T", "T=a; T=b; rm $T.rs", "for T in a b; do rm $T; done"]
        {
            assert_eq!(told(line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn what_is_said_behind_a_command_shows_that_it_ran() {
        let line = "T=old/plans; if [ -e \"$T\" ]; then echo \"it is there\"; else git mv plans \"$T\" && echo \"moved to $T\"; fi; ls old";
        let count = |output: &str| taken(line, output).len();
        assert_eq!(count("moved to old/plans\nplans"), 1);
        assert_eq!(count("it is there\nplans"), 0);
        assert_eq!(count("fatal: bad source\nmoved to old/plans"), 0);
    }

    #[test]
    fn what_is_not_known_to_have_gone_is_not_told() {
        for line in [
            "rm *.log $x ${y}",
            "make || rm out.txt",
            "git rm --cached a.txt",
            "git rm --dry-run a.rs",
            "git rm a.rs -n",
            "git mv -n a b",
            "mv -t dest a.rs b.rs",
            "mv --target-directory=dest a.rs",
            "echo 'rm a.txt'",
            "mv $a b",
            "git commit -m 'mv a b'",
            "npm rm left",
            "rm my\\ notes.md",
            "rm .; rm ..; git rm -r ./; mv a.rs ..",
            "make || (echo no; rm a.rs)",
            "if true; then\n rm a.rs\nfi",
            "clean() {\n rm a.rs\n}",
            "[ -f lock ] && rm a.rs; echo ok",
            "rm a.rs | cat",
            "rm a.rs && cat > a.rs <<EOF\nx\nEOF",
            "rm -f out.json && node build.js > out.json",
            "rm -rf out && ./gen && ls out/a.rs",
            "mv a.rs a.rs.bak && ./gen.sh > a.rs",
            "(cd sub && make) && rm a.rs",
            "cd \"$x\" && rm a",
        ] {
            assert_eq!(told(line), Vec::<String>::new(), "{line}");
        }
    }
}
