//! Files that command lines write: here documents and what is printed into a file, `tee`, editing in
//! place, copying and patching, and scripts that name the one file that they write.

use std::cell::LazyCell;
use std::collections::HashSet;

use super::cmdlets::{self, Deed};
use super::command::{Command, command};
use super::copied::{self, is_left};
use super::files::{is_outside, is_temporary};
use super::outcomes::in_box;
use super::paths::is_file;
use super::pattern::{Groups, Pattern};
use super::place::known;
use super::sure::{Sure, walk};
use super::text::GAP;
use super::timeline::{Done, Timeline};
use super::{here, patched, place, shell, variables};
use crate::model::{Action, Change, Verb};

/// A file that a command line wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// As it is told from where the line began.
    pub(super) path: String,
    /// Whether all that was in it before is gone.
    pub(super) anew: bool,
    /// What was written, where the line holds all of it.
    pub(super) text: Option<String>,
    /// Whether it came from elsewhere, as by copying.
    pub(super) is_copied: bool,
}

/// A file that a call changed.
pub(super) struct Changed {
    /// From the session's folder, as it is called after the call.
    pub(super) path: String,
    /// Whether a command line wrote it.
    pub(super) by_shell: bool,
    /// Whether all that was in it before is gone, if it was there.
    pub(super) anew: bool,
    /// Whether a command brought it there from elsewhere.
    pub(super) is_brought: bool,
}

/// Finds the files that a call changed for all that is known, each once.
pub(super) fn changed(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<Changed> {
    let path = |change: &Change| match &change.verb {
        Verb::Move(to) => timeline.path(to),
        _ => timeline.path(&change.path),
    };
    let made = |path: String, by_shell: bool, anew: bool| Changed {
        path,
        by_shell,
        anew,
        is_brought: false,
    };
    match done.call.action.as_deref().filter(|_| done.worked()) {
        Some(Action::Edit { changes }) => {
            let anew = |change: &Change| change.verb == Verb::Write;
            changes.iter().map(|change| made(path(change), false, anew(change))).collect()
        }
        _ => {
            let brought = |one: &Written| {
                // A patch changes what is there.
                let is_brought = one.is_copied && one.anew;
                Changed { is_brought, ..made(one.path.clone(), true, one.anew) }
            };
            timeline.written(done).iter().map(brought).collect()
        }
    }
}

/// Finds the files that the command line of a call wrote, which the timeline keeps; paths from the session's folder.
pub(super) fn written_by(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<Written> {
    let Some(line) = done.command().filter(|_| done.worked()) else { return Vec::new() };
    let mut found = written(line);
    if line.contains("patch") || line.contains("git apply") {
        found.extend(patched::names(line, &done.output()).into_iter().map(Written::copied));
    }
    let place = |one: Written| Some(Written { path: timeline.place(done, &one.path)?, ..one });
    // What is copied out of the project, or to where programs put what they make, is no work on it.
    let is_of_work = |one: &Written| {
        !one.is_copied || !(is_outside(&one.path) || is_temporary(&one.path) || is_left(&one.path))
    };
    found.into_iter().filter_map(place).filter(is_of_work).collect()
}

impl Written {
    fn copied(path: String) -> Self {
        Self { path, anew: false, text: None, is_copied: true }
    }
}

/// What stands in every line that writes a file in one of these ways.
const SIGNS: &[&str] = &[
    "<<",
    "tee ",
    "sed ",
    "perl ",
    "echo ",
    "printf ",
    "python",
    "node ",
    "cp ",
    "ln ",
    "install ",
    "rsync ",
    "scp ",
    "curl ",
    "wget ",
    "truncate ",
    ": >",
    ":>",
    "true >",
    "cat ",
    "git show ",
];
/// Programs whose output is a text of their own, or none, so that a file that takes it is written.
const PRINTING: &[&str] = &["", ":", "cat", "echo", "printf", "true"];

/// How scripts give a name to a path.
static NAMED: Pattern = Pattern::new(concat!(
    r"(?:^|;)\s*(?:const |let |var )?(\w+)\s*=\s*(?:pathlib\.)?(?:Path\()?",
    r#"r?['"]([^'"\n]+)['"]\)?\s*(?:;|$)"#,
));
/// How they open a file to write it, each by the path itself or by a name that it was given.
static WRITES: Pattern = Pattern::new(concat!(
    r#"\bopen\(\s*(?:r?['"]([^'"\n]+)['"]|(\w+))\s*,\s*(?:mode\s*=\s*)?['"][wa]"#,
    r#"|\bwriteFileSync\(\s*(?:['"]([^'"\n]+)['"]|(\w+))\s*,"#,
    r#"|\bPath\(\s*r?['"]([^'"\n]+)['"]\s*\)\.write_(?:text|bytes)\("#,
    r"|\b(\w+)\.write_(?:text|bytes)\(",
));

/// Finds the files that a command line that ended well has surely written, each once.
///
/// Nothing is told where only the shell knows the name, by a pattern or by a variable that the line does not set. Of
/// a line of which the middle is missing only what begins before that is looked at.
pub(super) fn written(line: &str) -> Vec<Written> {
    let mut found = by_lines(line);
    for deed in cmdlets::deeds(line) {
        let (path, anew, is_copied) = match deed {
            Deed::Write(path, anew) => (path, anew, false),
            Deed::Copy(path) => (path, true, true),
            Deed::Remove(_) | Deed::Move(..) => continue,
        };
        found.push(Written { path, anew, text: None, is_copied });
    }
    let mut seen = HashSet::new();
    found.retain(|one| is_file(&one.path) && seen.insert(one.path.clone()));
    found
}

fn by_lines(line: &str) -> Vec<Written> {
    if !SIGNS.iter().any(|sign| line.contains(sign)) {
        return Vec::new();
    }
    let (line, is_whole) = line.split_once(GAP).map_or((line, true), |(head, _)| (head, false));
    let set = LazyCell::new(|| variables::set(line));
    let place = |path: &str, folder: Option<&str>| match path.contains('$') {
        true => known(&variables::put(path, &set), folder),
        false => known(path, folder),
    };
    let mut found: Vec<Written> = Vec::new();
    walk(line, |one| {
        let Some(command) = command(one.raw) else { return };
        if let Some(inner) = in_own_shell(&command) {
            // The shell ends as its line does, and runs where it stands.
            found.extend(by_lines(inner).into_iter().filter_map(|inner| {
                Some(Written { path: known(&inner.path, one.folder)?, ..inner })
            }));
        }
        let text = || here::document(line, one.raw).filter(|_| is_whole);
        let told = |path: &str, anew: bool, text: Option<String>| {
            let path = place(path, one.folder)?;
            Some(Written { path, anew, text, is_copied: false })
        };
        if command.program() != "mv" {
            let anew = command.program() != "truncate";
            let taken = command.target.iter().filter(|_| shows_file(&command));
            let taken = taken.map(|(path, _)| path.clone());
            let paths = copied::targets(&command.words).into_iter().chain(taken);
            let paths = paths.filter_map(|path| place(&path, one.folder));
            found.extend(paths.map(|path| Written { anew, ..Written::copied(path) }));
        }
        match by_one(&command).as_slice() {
            [] => found.extend(
                script(&command, text).into_iter().filter_map(|path| told(&path, false, None)),
            ),
            [(path, anew)] => {
                let own = || matches!(command.program(), "cat" | "tee") && !reads(&command, one);
                found.extend(told(path, *anew, Some(()).filter(|()| own()).and_then(|()| text())));
            }
            all => found.extend(all.iter().filter_map(|(path, anew)| told(path, *anew, None))),
        }
    });
    found
}

/// Whether a command prints a file as it stood at some commit: `git show HEAD~1:src/a.rs`.
fn shows_file(command: &Command) -> bool {
    matches!(&command.words[..], [git, show, of] if git == "git" && show == "show" && of.contains(':'))
}

/// Returns the files that one command of a line would write, as it names them.
pub(super) fn by_part(line: &str, raw: &str) -> Vec<String> {
    let Some(command) = command(raw) else { return Vec::new() };
    let mut found = copied::targets(&command.words);
    found.extend(by_one(&command).into_iter().map(|(path, _)| path.to_owned()));
    if found.is_empty() {
        found = script(&command, || here::document(line, raw));
    }
    found
}

/// Whether a command takes more than its here document.
fn reads(command: &Command, one: &Sure<'_>) -> bool {
    one.is_piped || (command.program() == "cat" && command.words.len() > 1)
}

/// Returns what one command writes, and whether anew.
fn by_one(command: &Command) -> Vec<(&str, bool)> {
    let arguments = command.words.get(1..).unwrap_or_default();
    let has = |options: &[&str]| arguments.iter().any(|word| options.contains(&word.as_str()));
    match command.program() {
        "tee" => {
            let operands = arguments.iter().filter(|word| !word.starts_with('-'));
            operands.map(|word| (word.as_str(), !has(&["-a", "--append"]))).collect()
        }
        "sed" => in_place(arguments, &["e", "f"], sed_edits),
        "perl" => in_place(arguments, &["e", "E"], perl_edits),
        name if PRINTING.contains(&name) || prints_far(command) => {
            command.target.iter().map(|(path, anew)| (path.as_str(), *anew)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the line that another shell of this machine is given.
fn in_own_shell(command: &Command) -> Option<&str> {
    let name = command.program().rsplit('/').next()?;
    match command.words.get(1..)? {
        [option, line] if ["bash", "sh", "zsh"].contains(&name) => {
            let is_line = option.starts_with('-') && !option.starts_with("--");
            (is_line && option.ends_with('c')).then_some(line)
        }
        _ => None,
    }
}

/// Whether a command has another machine or a container print a text: the file that takes that is one of this
/// machine.
fn prints_far(command: &Command) -> bool {
    let words = command.words.iter().map(String::as_str);
    let line = shlex::try_join(words).ok().filter(|_| command.target.is_some());
    let Some(inner) = line.and_then(|line| in_box(&line)) else { return false };
    let program = shell::program(&inner);
    ["cat", "echo", "printf"].contains(&program) && !inner.contains([';', '&', '|', '>', '`', '$'])
}

/// Whether a command edits the files that it is given in place.
pub(super) fn edits_in_place(words: &[String]) -> bool {
    let has = |edits: fn(&str) -> bool| words.iter().any(|word| edits(word));
    match words.first().map(String::as_str) {
        Some("sed") => has(sed_edits),
        Some("perl") => has(perl_edits),
        _ => false,
    }
}

fn sed_edits(word: &str) -> bool {
    word.starts_with("--in-place") || is_in_place(word, "nErsz")
}

fn perl_edits(word: &str) -> bool {
    is_in_place(word, "pnwl0")
}

/// Whether an option has a program edit in place, alone or behind `others`: `-i`, `-pi`, `-i.bak`.
fn is_in_place(word: &str, others: &str) -> bool {
    let rest = word.strip_prefix('-').map(|rest| rest.trim_start_matches(|c| others.contains(c)));
    rest.and_then(|rest| rest.strip_prefix('i'))
        .is_some_and(|rest| rest.is_empty() || rest == "e" || rest.starts_with(['.', '~']))
}

/// Returns the files that a program edits in place: its operands but for the script, which stands
/// first unless one of the options `scripts` has it.
fn in_place<'c>(
    arguments: &'c [String],
    scripts: &[&str],
    edits: impl Fn(&str) -> bool,
) -> Vec<(&'c str, bool)> {
    let (mut operands, mut has_script, mut is_edited) = (Vec::new(), false, false);
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        is_edited |= edits(word);
        if word.starts_with("--expression=") || word.starts_with("--file=") {
            has_script = true;
        } else if matches!(word, "--expression" | "--file")
            || (!word.starts_with("--")
                && word.starts_with('-')
                && scripts.iter().any(|letter| word.ends_with(letter)))
        {
            has_script = true;
            words.next();
        } else if !word.starts_with('-') && !word.is_empty() {
            operands.push((word, false));
        }
    }
    let from = usize::from(!has_script).min(operands.len());
    if is_edited { operands.split_off(from) } else { Vec::new() }
}

/// Returns the files that a script on the line writes by a name that it spells out.
fn script(command: &Command, document: impl Fn() -> Option<String>) -> Vec<String> {
    let is_around = |word: &&String| {
        word.contains('=')
            || word.chars().all(|c| c.is_ascii_digit() || c == 's')
            || ["env", "poetry", "run", "time", "timeout", "uv"].contains(&word.as_str())
    };
    let around = command.words.iter().take_while(is_around).count();
    let words = &command.words[around..];
    let program = words.first().map_or("", String::as_str);
    let name = place::name(program);
    let interprets = ["python", "node"]
        .contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
    let text = match words.get(1..).unwrap_or_default() {
        _ if !interprets => return Vec::new(),
        [option, text, ..] if matches!(option.as_str(), "-c" | "-e" | "--eval") => text.clone(),
        [] => document().unwrap_or_default(),
        [only] if only == "-" => document().unwrap_or_default(),
        _ => return Vec::new(),
    };
    by_script(&text)
}

/// Finds the files that a script opens to write.
fn by_script(text: &str) -> Vec<String> {
    if text.contains("chdir") {
        return Vec::new();
    }
    let named: Vec<_> = NAMED.all_groups(text).collect();
    let file = |one: Groups<'_>| {
        if let Some(path) = [1, 3, 5].into_iter().find_map(|group| one.at(group)) {
            return Some(path.to_owned());
        }
        let group = [2, 4, 6].into_iter().find(|group| one.at(*group).is_some())?;
        let is_it =
            |given: &&Groups<'_>| given.at(1) == one.at(group) && given.start(1) < one.start(group);
        Some(named.iter().rev().find(is_it)?.at(2)?.to_owned())
    };
    WRITES.all_groups(text).filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Vec<String> {
        let mark = |one: Written| format!("{}{}", if one.anew { "" } else { "+" }, one.path);
        written(line).into_iter().map(mark).collect()
    }

    #[test]
    fn files_that_a_line_writes_are_found() {
        assert_eq!(told("cat > src/a.rs <<'EOF'\nfn a() {} > b.rs\nEOF"), ["src/a.rs"]);
        assert_eq!(told("cd sub && cat >> x.py <<EOF\nx\nEOF\nmake"), ["+sub/x.py"]);
        assert_eq!(
            told("echo 'a > b.rs' >c.toml; printf x > \"my d.txt\""),
            ["c.toml", "my d.txt"]
        );
        assert_eq!(told("make | tee -a log.txt other.txt"), ["+log.txt", "+other.txt"]);
        assert_eq!(
            told("sed -i '' 's/a.c/b.c/' src/x.c && sed -i.bak s/a/b/g y.c"),
            ["+src/x.c", "+y.c"]
        );
        assert_eq!(told("perl -0pi -e 's/a/b/' x.md"), ["+x.md"]);
        assert_eq!(told("S=src/core; cat > \"$S/a.py\" <<'EOF'\n$S\nEOF"), ["src/core/a.py"]);
        assert_eq!(
            told("D=\"C:/Users/ada\"\ncat > \"${D}/a.sh\" <<'EOF'\nx\nEOF"),
            ["C:/Users/ada/a.sh"]
        );
        assert_eq!(
            told("S=src && sed -i s/a/b/ \"$S/a.py\" && cp x.py $S/b.py"),
            ["+src/a.py", "src/b.py"]
        );
        for unknown in [
            "S=$(mktemp -d); cat > \"$S/a.py\" <<'EOF'\nx\nEOF",
            "for S in a b; do echo x > $S/a.py; done; S=c",
            "S=a; S=b; echo x > $S/a.py",
            "echo x > $S/a.py",
        ] {
            assert_eq!(told(unknown), [""; 0], "{unknown}");
        }
        assert_eq!(told("perl -pi tools/fix.pl src/a.rs"), ["+src/a.rs"]);
        assert_eq!(told("sed -i -f fix/script.sed -e 's/a/b.rs/' src/a.rs"), ["+src/a.rs"]);
        assert_eq!(
            told("sed -i '/old/rsrc/foo.txt' a.md && sed -Ei s/a/b/ b.md"),
            ["+a.md", "+b.md"]
        );
        assert_eq!(told("printf x | tee out.md < src/in.rs 2> err.txt"), ["out.md"]);
        assert_eq!(told("mkdir -p a/b && cat > a/b/c.rs <<E\nx\nE\nmake || true"), ["a/b/c.rs"]);
        assert_eq!(told("echo x # don't\necho y > a.md"), ["a.md"]);
        let script = "cd sub && python - <<'PY'\np = 'src/a.py'\ns = open(p).read()\nio.open(p, 'w').write(s)\np = r'b.py'\nopen(p, mode='w')\nPY\nmake";
        assert_eq!(told(script), ["+sub/src/a.py", "+sub/b.py"]);
        assert_eq!(
            told(
                "python3 - <<'PY'\nfrom pathlib import Path\np = Path('src/x.py')\np.write_text(p.read_text())\nPY"
            ),
            ["+src/x.py"]
        );
        assert_eq!(told("python -c \"open('a.json', 'w').write('{}')\""), ["+a.json"]);
    }

    #[test]
    fn what_was_written_is_told_where_the_line_holds_all_of_it() {
        let text = |line: &str| written(line).remove(0).text;
        assert_eq!(text("cat > a.rs <<'E'\none\ntwo\nE\nmake").as_deref(), Some("one\ntwo"));
        assert_eq!(text("tee a.rs <<E | head\none\nE").as_deref(), None);
        assert_eq!(text("echo hi > a.rs\nmake\nmake").as_deref(), None);
        assert_eq!(text("cat > a.rs <<E\none\n[…]\ntwo\nE").as_deref(), None);
        assert_eq!(text("cat b.rs - > a.rs <<E\none\nE").as_deref(), None);
        // What stands behind the gap may be part of the document.
        assert_eq!(told("cat > a.rs <<E\none\n[…]\ncat > b.rs <<E\nE"), ["a.rs"]);
    }

    #[test]
    fn what_only_reads_or_is_not_known_writes_nothing() {
        for line in [
            "cat a.rs b.rs 2>/dev/null",
            "cat <<EOF\ncat > a.rs\nEOF",
            "echo 'x > a.rs'",
            "echo done >&2; echo x > /dev/null",
            "cat > $OUT/a.rs <<EOF\nx\nEOF",
            "sed -n 1,5p a.rs; sed 's/a/b/' a.rs",
            "perl -ne print a.pl",
            "python3 -c \"print(open('a.json').read())\"",
            "grep \"open('src/x.py', 'w')\" python/",
            "ssh host python3 - <<E\nopen('a.py', 'w')\nE",
            "cat > run.sh.txt.$X <<E\npython -c \"open('a.py','w')\"\nE",
            "python3 run.py <<E\nopen('a.py', 'w')\nE",
            "python3 - <<E\nfor p in ['a.py']:\n    open(p, 'w')\nE",
            "echo \">src/main.rs\"; echo a\\>b.rs",
            "grep -q x f.rs || echo x >> f.rs",
            "test -f a.rs || echo x > a.rs",
            "make && echo x > a.rs; ls",
            "(cd sub && echo x > a.rs && make)",
            "for f in a; do echo x > a.rs; done",
            "cargo build # then && echo x > src/b.rs",
            "echo hi > src\\main.rs; sed -i s/a/b/ src\\lib.rs",
            "perl tools/gen.pl -input data.json",
            "cargo test > out.log",
            "echo \"unclosed > a.rs",
        ] {
            assert_eq!(told(line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn what_a_shell_of_this_machine_writes_is_told_from_what_one_elsewhere_does() {
        let told =
            |line: &str| -> Vec<String> { written(line).into_iter().map(|one| one.path).collect() };
        for line in [
            "bash -c 'echo x > src/a.rs'",
            "sh -c \"echo x > src/a.rs\"",
            "cd src && bash -lc 'printf x > a.rs'",
            "ssh host cat /srv/a.rs > src/a.rs",
            "ssh -p 22 ada@host 'cat /srv/a.rs' > src/a.rs",
            "docker exec app cat /srv/a.rs > src/a.rs",
            "kubectl exec pod -- cat /srv/a.rs > src/a.rs",
            "docker cp app:/srv/a.rs src/a.rs",
            "cat x.rs y.rs > src/a.rs",
        ] {
            assert_eq!(told(line), ["src/a.rs"], "{line}");
        }
        for line in [
            "ssh host 'echo x > src/a.rs'",
            "ssh host \"cat x > src/a.rs\"",
            "ssh host bash -c 'echo x > src/a.rs'",
            "echo x | ssh host 'cat > src/a.rs'",
            "ssh host tee src/a.rs < x",
            "docker exec app sh -c 'echo x > src/a.rs'",
            "docker exec app tee src/a.rs",
            "docker cp src/a.rs app:/srv/a.rs",
            "ssh host make all > src/a.rs",
            "bash -c 'echo x > $OUT/a.rs'",
            "bash run.sh -c 'echo x > src/a.rs'",
            "cat x.rs y.rs",
        ] {
            assert_eq!(told(line), Vec::<String>::new(), "{line}");
        }
    }
}
