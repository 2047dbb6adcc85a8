//! Files in command lines and in what was printed.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashMap;

use rustc_hash::FxHashSet;

use super::place;

/// What begins a change of colour, and how logs write that.
const COLOUR: &str = "\u{1b}[";
const COLOUR_WRITTEN: &str = "^[[";
/// How many lines of an output are searched for files.
pub(super) const MOST_LISTED: usize = 240;
/// Endings that make a bare word a file.
const ENDINGS: &[&str] = &[
    "c", "cc", "cfg", "cpp", "cs", "css", "csv", "dart", "env", "ex", "exs", "go", "gradle", "h",
    "hpp", "hs", "html", "ini", "java", "js", "json", "jsonl", "jsx", "kt", "lock", "lua", "md",
    "mjs", "ml", "php", "proto", "ps1", "py", "rb", "rs", "scss", "sh", "sql", "svelte", "swift",
    "tf", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml", "yml", "zig",
];

/// Returns the files that a command line names.
pub(super) fn paths_in(command: &str) -> Vec<String> {
    // Every file has an ending.
    if !command.contains('.') {
        return Vec::new();
    }
    // A name without a folder is a file only where it stands as an argument of its own.
    let alone: LazyCell<FxHashSet<&str>, _> = LazyCell::new(|| {
        command.split_whitespace().map(|word| word.trim_end_matches(';')).collect()
    });
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let (mut found, mut last, mut at) = (Vec::new(), None, 0);
    while at < command.len() {
        let before = command[..at].chars().next_back();
        let end = word_end(command, at);
        let word = &command[at..end];
        at = end + command[end..].chars().next().map_or(0, char::len_utf8);
        // What stands after a variable is the end of a path that nobody knows.
        let ahead = &command[..end - word.len()];
        // So is what stands behind a mark by which something was cut; with a stroke between a whole folder was.
        let is_cut = before == Some('…') && !word.starts_with('/')
            || word.starts_with("...") && !word.starts_with(".../");
        let is_unknown = before == Some('$') || is_cut || word.starts_with('/') && goes_on(ahead);
        if is_unknown || leaves_out(ahead) {
            continue;
        }
        // Of an escaped end of a line the letter is left here; a folder can begin with it as well.
        let is_behind_line = || before == Some('\\') && last.is_some_and(ends_line);
        let letter = word.strip_prefix(['n', 'r', 't']).filter(|rest| rest.contains('/'));
        let word = letter.filter(|_| is_behind_line()).unwrap_or(word);
        last = Some(word);
        if !word.contains('.') {
            continue;
        }
        let word = word.trim_start_matches(':').split(':').next().unwrap_or_default();
        // A file is pointed at with a mark, but an alias of a folder has one as well: `@/a.ts`.
        let whole = word;
        let pointed = word.strip_prefix('@');
        let pointed = pointed.filter(|rest| before == Some('=') || !rest.starts_with('/'));
        let word = pointed.unwrap_or(word);
        // Of a long path some programs print the end alone.
        let word = word.strip_prefix(".../").unwrap_or(word).trim_end_matches('.');
        // Of an address only the scheme is left here, which is no file.
        let is_path = is_file(word) && (word.contains('/') || alone.contains(whole));
        if is_path && seen.insert(word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// Whether what stands before a path has a program leave that out.
fn leaves_out(ahead: &str) -> bool {
    let magic = ahead.strip_suffix(')').and_then(|ahead| ahead.rsplit_once(":("));
    [":!", ":^", "--exclude=", "--ignore="].iter().any(|mark| ahead.ends_with(mark))
        || magic.is_some_and(|(_, words)| words.split(',').any(|word| word == "exclude"))
}

/// Whether what stands before a stroke is the start of a path that is not all letters: a variable, a
/// pattern, or a name in quotes that end there.
fn goes_on(before: &str) -> bool {
    let mut back = before.chars().rev();
    match back.next() {
        Some('}' | ')' | '*' | ']') => true,
        Some('>') => ends_with_blank(before),
        Some('"' | '\'') => {
            let word: String = back.take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            // One letter says how a string of code is to be read.
            word.len() > 2
                || before.ends_with("}\"")
                || before[..before.len() - 1 - word.len()].ends_with('$')
        }
        _ => false,
    }
}

/// Whether the start of a path ends with a name in place of which each has its own: `changes/<name>`.
fn ends_with_blank(before: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let name = before.strip_suffix('>').map(|before| before.trim_end_matches(is_name));
    name.is_some_and(|start| start.ends_with("/<") && start.len() + 1 < before.len())
}

/// Returns where the word ends that begins at `from`, which may be there.
fn word_end(text: &str, from: usize) -> usize {
    let is_part =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '@' | '+' | '-' | '~' | ':');
    let mut at = from;
    loop {
        let part = |byte: &&u8| byte.is_ascii() && is_part(char::from(**byte));
        at += text.as_bytes()[at..].iter().take_while(part).count();
        match text[at..].chars().next().filter(|c| !c.is_ascii() && is_part(*c)) {
            Some(c) => at += c.len_utf8(),
            None => return at,
        }
    }
}

/// Whether a word may be what an escaped end of a line in a string of code stands behind.
fn ends_line(word: &str) -> bool {
    word.ends_with(|c: char| c.is_ascii_digit())
        || matches!(word, "" | "n" | "r" | "t")
        || is_file(word)
}

/// Returns a printed line without colours, the files of a comparison without the letters that stand
/// before them, and of a line near one that a search found (`a.rs-33-text`) the file alone.
pub(super) fn printed(line: &str) -> Cow<'_, str> {
    let pair = line.strip_prefix("diff --git a/").map(|pair| pair.split(" b/").next());
    let heads = ["--- a/", "+++ b/"];
    let line =
        heads.iter().find_map(|head| line.strip_prefix(head)).or(pair.flatten()).unwrap_or(line);
    let mark = [COLOUR, COLOUR_WRITTEN].into_iter().find(|mark| line.contains(mark));
    let Some(mark) = mark else { return Cow::Borrowed(near_found(line).unwrap_or(line)) };
    let mut parts = line.split(mark);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |at| at + 1);
        plain.push_str(&part[end..]);
    }
    Cow::Owned(plain)
}

/// How many bytes a file has at most that a search names before a line.
const NEAR_BYTES: usize = 400;

fn near_found(line: &str) -> Option<&str> {
    let is_number = |rest: &str| {
        let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        text.len() < rest.len() && text.starts_with('-')
    };
    let start = &line[..line.floor_char_boundary(NEAR_BYTES)];
    let word = start.split(char::is_whitespace).next()?;
    let mut ends = word.match_indices('-').map(|(at, _)| word.split_at(at));
    let (file, _) = ends.find(|(head, rest)| is_number(&rest[1..]) && has_known_ending(head))?;
    Some(file)
}

fn has_known_ending(path: &str) -> bool {
    let name = place::name(path);
    is_file(path) && name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Finds names that stand for other files: the end of a longer path of which no more is known than
/// that it was seen or said. `paths` has each with its weight and whether it was opened; what comes
/// back has the short one first, the shortest before all.
///
/// Where several end so, those that were opened come first, then what weighs most.
pub(super) fn ends(paths: &[(&str, f64, bool)]) -> Vec<(String, String)> {
    let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, (path, ..)) in paths.iter().enumerate() {
        named.entry(place::name(path)).or_default().push(at);
    }
    let mut found = Vec::new();
    for (short, _, _) in paths.iter().filter(|(_, _, opened)| !opened) {
        // A server is told paths from a root of its own.
        let end = short.trim_start_matches('/');
        let is_longer = |at: &&usize| {
            let rest = paths[**at].0.strip_suffix(end);
            paths[**at].0 != *short
                && rest.is_some_and(|rest| rest.ends_with('/') && rest.len() > 1)
        };
        let longer: Vec<_> = named[place::name(short)].iter().filter(is_longer).copied().collect();
        let best = longer
            .iter()
            .map(|at| paths[*at])
            .max_by(|a, b| a.2.cmp(&b.2).then(a.1.total_cmp(&b.1)).then_with(|| b.0.cmp(a.0)));
        found.extend(
            best.filter(|best| best.2 || longer.len() == 1)
                .map(|best| ((*short).to_owned(), best.0.to_owned())),
        );
    }
    found.sort_by(|a, b| a.0.len().cmp(&b.0.len()).then_with(|| a.cmp(b)));
    found
}

pub(super) fn is_file(word: &str) -> bool {
    let (folders, name) = match memchr::memrchr(b'/', word.as_bytes()) {
        Some(at) => (Some(&word[..at]), &word[at + 1..]),
        None => (None, word),
    };
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let is_number = ending.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = !stem.is_empty()
        && (1..=8).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_plain || is_number || word.starts_with('-') {
        return false;
    }
    let Some(folders) = folders else { return ENDINGS.contains(&ending) };
    let is_system = || ["/dev/", "/proc/", "/sys/"].iter().any(|root| word.starts_with(root));
    // Two revisions, and all between them.
    let is_range = || (stem.contains("..") || stem.ends_with('.')) && !ENDINGS.contains(&ending);
    // Two files, and not one in the other: `a.md/b.md`.
    let is_two = || {
        let folder = place::name(folders);
        let ending = folder.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        ending.is_some_and(|(_, ending)| ending != "js" && ENDINGS.contains(&ending))
    };
    // What stands for any path in an explanation.
    let is_any = || word.contains("/.../") || word.contains("path/to/");
    !is_any() && !is_two() && !is_system() && !is_range()
}

/// Whether a printed line begins with a file, as lines of listings and searches do.
pub(super) fn begins_line(line: &str) -> bool {
    let line = printed(line);
    let first = paths_in(&line).into_iter().next();
    let start = line.trim_start().trim_start_matches("./");
    first.is_some_and(|path| start.starts_with(path.trim_start_matches("./")))
}

/// Returns the folders that a command lists by their names alone. Nameless stands for the one that
/// it runs in, beside others that are named.
pub(super) fn listed_folders(command: &str) -> Vec<String> {
    let parts = command.split(['\n', ';', '|', '&']).map(str::trim);
    let lists = parts.filter_map(|part| {
        let rest = part.strip_prefix("ls").or(part.strip_prefix("tree"))?;
        (rest.is_empty() || rest.starts_with(' ')).then_some(rest)
    });
    let folders: Vec<String> = lists.flat_map(listed).collect();
    if folders.iter().all(String::is_empty) { Vec::new() } else { folders }
}

/// Returns the folders in the arguments of a command that lists some.
fn listed(arguments: &str) -> Vec<String> {
    let words = arguments.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let is_folder = |word: &&str| {
        let plain = word.chars().all(|c| c.is_alphanumeric() || "_./@+-~".contains(c));
        plain
            && !word.starts_with('-')
            && !is_file(word)
            && !word.chars().all(|c| c.is_ascii_digit())
    };
    let is_bare = words.clone().all(|word| word.starts_with('-'));
    let bare = is_bare.then(String::new);
    let named = words.filter(is_folder).map(|word| word.trim_end_matches('/').to_owned());
    bare.into_iter().chain(named).collect()
}

/// Returns the files that a listing of `folders` names: one folder is that of all names, several
/// are told apart by a line such as `src:` before theirs.
pub(super) fn in_folders(folders: &[String], output: &str) -> Vec<String> {
    let is_named = |name: &str| {
        folders.iter().any(|known| !known.is_empty() && name.starts_with(known.as_str()))
    };
    let mut folder = match folders {
        [only] => Some(only.clone()),
        _ => None,
    };
    let mut found = Vec::new();
    for line in output.lines().take(MOST_LISTED) {
        let heading = line.strip_suffix(':').map(|name| name.trim_end_matches('/'));
        if let Some(name) = heading.filter(|name| is_named(name)) {
            folder = Some(name.to_owned());
            continue;
        }
        // With its size and time a name stands last, or first before them.
        let mut words = line.split_whitespace();
        let (first, last) = (words.next(), words.next_back());
        let name =
            [last, first].into_iter().flatten().find(|word| is_file(word) && !word.contains('/'));
        if let Some((folder, name)) = folder.as_ref().zip(name) {
            found.push(if folder == "." { name.to_owned() } else { format!("{folder}/{name}") });
        }
    }
    found.truncate(MOST_LISTED / 4);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_commands() {
        let found = paths_in(
            "sed -n '1,20p' src/a.rs && rg x tests/b_test.py:12 | head; curl https://x.io/a.js; v1.2.3",
        );
        assert_eq!(found, ["src/a.rs", "tests/b_test.py"]);
        assert!(paths_in("git diff origin/main...HEAD; git log v1.0..v1.1").is_empty());
        assert_eq!(paths_in("cat $D/a.rs ${D}/b.rs $(pwd)/c.rs */d.rs x/e.rs"), ["x/e.rs"]);
        assert_eq!(paths_in("cat \"$D\"/a.rs src/[id]/b.rs; open(f\"/tmp/c.rs\")"), ["/tmp/c.rs"]);
        assert_eq!(paths_in("{\"path\":\"/x/y.js\"} '/x/z.js'"), ["/x/y.js", "/x/z.js"]);
        assert_eq!(paths_in("see .github/workflows/ci.yml."), [".github/workflows/ci.yml"]);
        let without =
            "':(exclude)src/a.rs' ':!src/b.rs' :^c.rs ':(top,exclude)d.rs' --exclude=src/e.rs";
        assert_eq!(
            paths_in(&format!("git diff --stat -- {without} ':(top)src/f.rs'")),
            ["src/f.rs"]
        );
        assert_eq!(paths_in("cat Cargo.toml > /dev/null; node -v 20.1"), ["Cargo.toml"]);
        assert_eq!(paths_in("\"a.c:1\\nsrc/b.c\\n\\tnew/c.c\""), ["src/b.c", "new/c.c"]);
        assert_eq!(paths_in("type src\\net/tcp.c C:\\x\\repo/a.py"), ["net/tcp.c", "repo/a.py"]);
        assert_eq!(paths_in("cat src/a..b.rs"), ["src/a..b.rs"]);
        // What stands behind a name that each has its own is no file at the root; what stands in a tag is one.
        assert!(paths_in("see changes/<name>/research.md").is_empty());
        assert_eq!(paths_in("<file>/x/y.js</file> make >/x/z.log"), ["/x/y.js", "/x/z.log"]);
        assert!(paths_in("see README.md/NOTES.md and release.yml/build.yml").is_empty());
        assert_eq!(
            paths_in("vi lib/three.js/a.js .github/b.md"),
            ["lib/three.js/a.js", ".github/b.md"]
        );
        assert!(paths_in("see specs/.../spec.md and path/to/file.py").is_empty());
        // The end of a path that was cut is none.
        assert!(
            paths_in("| `…lows/build.yml` | ...lows/test.yml …12 tokens cut…c/a.rs").is_empty()
        );
        assert_eq!(paths_in("see …/src/a.rs, .../src/b.rs"), ["/src/a.rs", "src/b.rs"]);
    }

    #[test]
    fn printed_files_are_told_without_what_stands_around_them() {
        assert_eq!(printed("diff --git a/src/x.rs b/src/x.rs"), "src/x.rs");
        assert_eq!(printed("+++ b/src/x.rs"), "src/x.rs");
        assert_eq!(printed("\u{1b}[1;35m./src/x.rs\u{1b}[0m:3"), "./src/x.rs:3");
        assert_eq!(printed("^[[94m--> ^[[0m./a/x.yml:3"), "--> ./a/x.yml:3");
        assert!(!is_file("origin/main..HEAD") && is_file("a/x.y"));
        assert_eq!(paths_in(" .../core/x.rs | 3 +"), ["core/x.rs"]);
        assert_eq!(printed("src/x-1-y.rs-33-    let a = b-1-c;"), "src/x-1-y.rs");
        assert_eq!(printed("docs/2026-01-02-x.md: a"), "docs/2026-01-02-x.md: a");
    }

    #[test]
    fn the_end_of_a_path_is_the_same_file() {
        let all = [
            ("src/core/x.rs", 3.0, true),
            ("core/x.rs", 1.0, false),
            ("x.rs", 0.5, false),
            ("old/x.rs", 9.0, false),
            ("a/y.rs", 1.0, false),
            ("b/y.rs", 2.0, false),
            ("y.rs", 1.0, false),
            ("dex.rs", 1.0, false),
        ];
        assert_eq!(
            ends(&[("src/app/x/route.ts", 1.0, true), ("/x/route.ts", 1.0, false)]),
            [("/x/route.ts".to_owned(), "src/app/x/route.ts".to_owned())]
        );
        let found = ends(&all);
        let told: Vec<_> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(told, [("x.rs", "src/core/x.rs"), ("core/x.rs", "src/core/x.rs")]);
    }

    #[test]
    fn a_line_of_a_listing_begins_with_a_file() {
        assert!(begins_line("./src/a.rs:3: let b") && !begins_line("see src/a.rs"));
    }

    #[test]
    fn listings_of_a_folder_name_its_files() {
        let listed = |command: &str, output: &str| in_folders(&listed_folders(command), output);
        let long =
            "total 8\n-rw-r--r-- 1 a a 55 Aug 12 20:54 ci.yml\ndrwxr-xr-x 2 a a 4 Aug 12 20:54 old";
        assert_eq!(listed("ls -la .github/workflows/ | tail", long), [".github/workflows/ci.yml"]);
        assert_eq!(listed("ls src", "a.rs  55B\nb.rs  1.2K"), ["src/a.rs", "src/b.rs"]);
        let two = "src:\na.rs\n\ntests:\nb.rs";
        assert_eq!(listed("ls src tests && make", two), ["src/a.rs", "tests/b.rs"]);
        assert_eq!(listed("cargo test", "a.rs"), Vec::<String>::new());
        // Of two listings nobody knows whose a name is.
        assert_eq!(listed("ls docs/ && ls -a", "a.md\n.env"), Vec::<String>::new());
        assert_eq!(listed("ls; lsof -i x", "a.md"), Vec::<String>::new());
    }
}
