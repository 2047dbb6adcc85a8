//! Files that command lines write: here documents and what is printed into a file, `tee`, editing in
//! place, and scripts that name the one file that they write.

use std::sync::LazyLock;

use regex::Regex;

use super::paths::is_file;
use super::{shell, timeline};

/// A file that a command line wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// As it is told from where the line began.
    pub(super) path: String,
    /// Whether all that was in it before is gone.
    pub(super) anew: bool,
}

/// What stands in every line that writes a file in one of these ways.
const SIGNS: &[&str] = &["<<", "tee ", "sed ", "perl ", "echo ", "printf ", "python", "node "];
/// Programs whose output is a text of their own, so that a file that takes it is written.
const PRINTING: &[&str] = &["cat", "echo", "printf"];

/// How scripts name a file, and how they write one.
static NAMED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\b(?:open|Path|writeFileSync)\(\s*r?['"]([^'"\n]+)['"]"#).ok());
static WRITES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"\.write_text\(|\bwriteFileSync\(|\bopen\([^()\n]*,\s*(?:mode=)?['"][wa]"#).ok()
});

/// Finds the files that a command line that ended well has written, each once.
///
/// Nothing is told where only the shell knows the name, by a variable or a pattern.
pub(super) fn written(line: &str) -> Vec<Written> {
    if !SIGNS.iter().any(|sign| line.contains(sign)) {
        return Vec::new();
    }
    let mut found: Vec<Written> = Vec::new();
    let mut folder = Some(String::new());
    for (raw, _) in shell::raw(line) {
        // What is not closed is no command that could have ended well.
        let Some(words) = shlex::split(&raw) else { continue };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["cd" | "pushd", to] => folder = timeline::known(to, folder.as_deref()),
            ["cd" | "pushd" | "popd", ..] => folder = None,
            words => found.extend(by_one(words).into_iter().filter_map(|(word, anew)| {
                let path = timeline::known(word, folder.as_deref())?;
                Some(Written { path, anew })
            })),
        }
    }
    found.extend(by_script(line).map(|path| Written { path, anew: false }));
    let mut seen = std::collections::HashSet::new();
    found.retain(|one| is_file(&one.path) && seen.insert(one.path.clone()));
    found
}

/// Returns what one command writes, and whether anew.
fn by_one<'w>(words: &[&'w str]) -> Vec<(&'w str, bool)> {
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let operands = || arguments.iter().filter(|word| !word.starts_with(['-', '<', '>']));
    let has = |is_it: fn(&str) -> bool| arguments.iter().any(|word| is_it(word));
    match *program {
        "tee" => {
            let anew = !arguments.contains(&"-a") && !arguments.contains(&"--append");
            operands().map(|word| (*word, anew)).collect()
        }
        "sed" if has(|word| word.starts_with("-i") || word.starts_with("--in-place")) => {
            operands().map(|word| (*word, false)).collect()
        }
        "perl" if has(is_in_place) => operands().map(|word| (*word, false)).collect(),
        program if PRINTING.contains(&program) => target(arguments).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Whether an option has `perl` edit in place, alone or among others: `-i`, `-pi`, `-i.bak`.
fn is_in_place(word: &str) -> bool {
    let options = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    options.is_some_and(|rest| rest.trim_start_matches(['p', 'n', '0', 'w']).starts_with('i'))
}

/// Returns the file that takes what is printed.
fn target<'w>(words: &[&'w str]) -> Option<(&'w str, bool)> {
    let at = words.iter().position(|word| word.starts_with('>'))?;
    let word = words[at];
    let rest = word.trim_start_matches('>');
    let name = if rest.is_empty() { *words.get(at + 1)? } else { rest };
    (!name.starts_with('&')).then_some((name, !word.starts_with(">>")))
}

/// Returns the file that a script on the line writes, if it names one alone.
fn by_script(line: &str) -> Option<String> {
    let (named, writes) = (NAMED.as_ref()?, WRITES.as_ref()?);
    if !line.contains("python") && !line.contains("node ") || !writes.is_match(line) {
        return None;
    }
    let mut names = named.captures_iter(line).filter_map(|found| Some(found.get(1)?.as_str()));
    let first = names.next()?;
    names.all(|name| name == first).then(|| timeline::known(first, Some(""))).flatten()
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
        assert_eq!(
            told(
                "python3 - <<'PY'\nfrom pathlib import Path\np = Path('src/x.py')\np.write_text(p.read_text())\nPY"
            ),
            ["+src/x.py"]
        );
        assert_eq!(told("python -c \"open('a.json', 'w').write('{}')\""), ["+a.json"]);
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
            "python3 - <<E\na = open('a.py').read()\nopen('b.py', 'w').write(a)\nE",
            "cargo test > out.log",
            "echo \"unclosed > a.rs",
        ] {
            assert_eq!(told(line), Vec::<String>::new(), "{line}");
        }
    }
}
