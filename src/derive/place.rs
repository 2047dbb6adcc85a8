//! Paths and command lines as they are told from the session's folder, and the folders that they go to.

use std::ops::Range;

use super::here::without_here_documents;
use super::pattern::Pattern;
use super::shell::{self, Quotes};

/// Returns a command line without going to the folder where the session is anyway.
pub(super) fn at_home<'l>(line: &'l str, cwd: &str) -> &'l str {
    match goes_to(line) {
        Some((folder, rest)) if !cwd.is_empty() && one_form(folder) == one_form(cwd) => {
            rest.trim_start()
        }
        _ => line,
    }
}

/// Returns a command line that ran in `folder` as it would be written in `home`; nothing if the folder
/// cannot be told on it.
pub fn from_home(line: &str, folder: &str, home: &str) -> Option<String> {
    let (to, from) = (one_form(folder), one_form(home));
    let goes_by_itself = goes_to(line).is_some_and(|(folder, _)| is_whole(&one_form(folder)));
    if to == from || to == "." || goes_by_itself {
        return Some(line.to_owned());
    }
    if !is_told(&to) || line.contains("Set-Location") {
        return None;
    }
    // Another folder as it was written: one of a single letter is no drive everywhere.
    let whole = folder.trim_end_matches('/').replace('\\', "/");
    let to = below(&to, &from).unwrap_or(&whole);
    Some(match goes_to(line).map(|(next, rest)| (one_form(next), rest)) {
        Some((next, rest)) if is_told(&next) && !next.contains(['$', '`', '|', ' ']) => {
            match without_ways_up(&format!("{to}/{next}")).as_str() {
                "" => rest.trim_start().to_owned(),
                there => goes_first(there, rest.trim_start()),
            }
        }
        _ => goes_first(to, line),
    })
}

/// How many characters of a folder are told.
const PLACE_CHARS: usize = 200;

/// Whether a folder can be told on a command line as it is.
pub(super) fn is_told(folder: &str) -> bool {
    let is_odd = |c: char| c.is_control() || matches!(c, '\'' | '"');
    let is_short = folder.chars().count() <= PLACE_CHARS;
    !folder.is_empty() && is_short && !folder.starts_with('-') && !folder.contains(is_odd)
}

/// Writes a command line that goes to a folder first.
pub(super) fn goes_first(folder: &str, line: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/_.-~:@+…".contains(c);
    // A comment would hide what it is joined to.
    let joint = if line.trim_start().starts_with('#') { "\n" } else { " && " };
    match folder.chars().all(is_plain) {
        true => format!("cd {folder}{joint}{line}"),
        false => format!("cd '{folder}'{joint}{line}"),
    }
}

/// Returns a folder as it is told from `home`, if it lies below that; both in one form.
pub(super) fn below<'f>(folder: &'f str, home: &str) -> Option<&'f str> {
    match folder.strip_prefix(home.trim_end_matches('/')).filter(|_| !home.is_empty()) {
        Some(rest) => rest.strip_prefix('/').filter(|rest| !rest.is_empty()),
        None => (!is_whole(folder) && !folder.starts_with("..") && folder != ".").then_some(folder),
    }
}

/// Whether a folder in one form is told from the root, a drive or the home folder.
pub(super) fn is_whole(folder: &str) -> bool {
    folder.starts_with(['/', '~']) || folder.get(1..2) == Some(":")
}

/// Returns the folder in which all of a command line runs, if it goes to one first.
pub(super) fn runs_in(line: &str) -> Option<String> {
    let (said, rest) = goes_to(line)?;
    let folder = one_form(said);
    // What the shell makes something else of.
    let made: &[char] = match said.trim().chars().next() {
        Some('\'') => &['\''],
        Some('"') => &['"', '\'', '$', '`'],
        _ => &['"', '\'', '$', '`', '|', ' ', '*', '?', '[', '{', '(', '<', '>', '&'],
    };
    let is_known = !folder.is_empty() && !folder.contains(made) && folder != "-";
    (is_known && !rest.contains("cd ") && !rest.contains("popd")).then_some(folder)
}

/// Returns the folder to which a command line goes before all else, and what it does there.
pub(super) fn goes_to(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix("cd ")?;
    // What joins does not in quotes.
    let start = rest.len() - rest.trim_start().len();
    let quote = rest[start..].chars().next().filter(|first| matches!(first, '"' | '\''));
    let inside = quote.and_then(|quote| rest[start + 1..].find(quote));
    let from = inside.map_or(0, |inside| start + 1 + inside);
    let joint = |mark: &str| {
        let at = from + rest[from..].find(mark)?;
        Some((&rest[..at], &rest[at + mark.len()..]))
    };
    ["&&", ";", "\n"].into_iter().filter_map(joint).min_by_key(|(folder, _)| folder.len())
}

/// How many characters of the folder to which a command line goes are told.
const FOLDER_CHARS: usize = 24;

/// Writes a command line for reading: of a long way to another folder only the last part is told,
/// below the session's folder the way from there.
pub(super) fn in_short(line: &str, cwd: &str) -> String {
    let Some((folder, rest)) = goes_to(line) else { return line.to_owned() };
    let (to, home) = (one_form(folder), one_form(cwd));
    let to = short_folder(below(&to, &home).unwrap_or(&to));
    // What stood in quotes could say something else without.
    match folder.trim().starts_with(['"', '\'']) && !to.contains('\'') {
        true => goes_first(&to, rest.trim_start()),
        false => format!("cd {to} && {}", rest.trim_start()),
    }
}

/// Writes a command behind the folder in which it ran.
pub(super) fn told_in(folder: &str, command: &str) -> String {
    let folder = short_folder(folder);
    match folder.contains(' ') && !folder.contains('\'') {
        true => goes_first(&folder, command),
        false => format!("cd {folder} && {command}"),
    }
}

/// Returns a folder, or its end where it is long.
fn short_folder(folder: &str) -> String {
    let last = name(folder);
    let is_long = folder.chars().count() > FOLDER_CHARS && last.len() < folder.len();
    if is_long { format!("…/{last}") } else { folder.to_owned() }
}

/// Writes a command of several lines on one, so that it still says the same: lines are joined by
/// semicolons where nothing else joins them, and what a here document holds is left out.
pub(super) fn on_one_line(line: &str) -> String {
    if !line.contains('\n') {
        return line.to_owned();
    }
    let mut told = String::new();
    let bare = subjects_told(line, &without_here_documents(line));
    for row in bare.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let quoted = is_quoted(&told);
        if row.starts_with('#') && !quoted {
            continue;
        }
        let joins = told.ends_with(['|', '&', ';', '(', '{', '\\'])
            || ["do", "then", "else"].iter().any(|word| told.ends_with(&format!(" {word}")));
        told = told.trim_end_matches('\\').trim_end().to_owned();
        told.push_str(if told.is_empty() || quoted || joins { " " } else { "; " });
        told.push_str(row);
    }
    told.trim_start().to_owned()
}

/// How a commit is given its message by a here document.
static BY_DOCUMENT: Pattern = Pattern::new(r#"(?:-F ?|--file[= ])- *<<-? *(?:'\w+'|"\w+"|\\?\w+)"#);

/// Returns a command that is `bare` of its here documents with the first line of each that is the message of a commit.
fn subjects_told(line: &str, bare: &str) -> String {
    let commits = |text: &str, place: &Range<usize>| {
        let row = text[..place.start].rsplit(['\n', ';', '&', '|']).next().unwrap_or_default();
        row.trim_start().starts_with("git ") && row.contains(" commit ")
    };
    let subject = |place: Range<usize>| {
        let mut below = line[place.end..].lines().skip(1).map(str::trim);
        below.find(|row| !row.is_empty()).unwrap_or_default()
    };
    let subjects: Vec<&str> =
        BY_DOCUMENT.places(line).filter(|place| commits(line, place)).map(subject).collect();
    let places: Vec<_> = BY_DOCUMENT.places(bare).filter(|place| commits(bare, place)).collect();
    if places.len() != subjects.len() {
        return bare.to_owned();
    }
    let (mut told, mut from) = (String::new(), 0);
    for (place, subject) in places.into_iter().zip(subjects) {
        told.push_str(&bare[from..place.start]);
        told.push_str(&format!("-m \"{subject}\""));
        from = place.end;
    }
    told + &bare[from..]
}

/// Whether a quote is open at the end of a command.
fn is_quoted(command: &str) -> bool {
    let mut quotes = Quotes::default();
    quotes.take(command);
    quotes.open.is_some()
}

/// Returns the folder outside of `cwd` in which a command line runs, if it names one.
pub(super) fn elsewhere(line: &str, cwd: &str) -> Option<String> {
    outside(goes_to(line)?.0, cwd)
}

/// Returns a folder in one form if it is told from the root and lies outside of `cwd`.
pub(super) fn outside(folder: &str, cwd: &str) -> Option<String> {
    let (folder, home) = (one_form(folder), one_form(cwd));
    let is_inside = home.is_empty() || folder == home || lies_in(&folder, &home);
    (is_whole(&folder) && !is_inside).then_some(folder)
}

/// Whether a path lies below a folder; nothing lies below one without a name.
pub(super) fn lies_in(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    !folder.is_empty() && path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns the last name of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a path ends with whole names of another: `a/src/b.rs` does with `src/b.rs`.
pub(super) fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// What brings files into a folder.
const BRINGING: &[&str] = &["PWD", "archive", "clone", "cp ", "ln ", "rsync", "tar ", "worktree"];

/// Whether a command line works in a folder that it makes itself for what does not last, and brings nothing there.
pub(super) fn is_in_made(line: &str) -> bool {
    if !line.contains("$(mktemp") || BRINGING.iter().any(|word| line.contains(word)) {
        return false;
    }
    let parts = shell::raw(line);
    let mut ways = parts.iter().filter_map(|(part, _)| part.trim().strip_prefix("cd "));
    let (Some(to), None) = (ways.next(), ways.next()) else { return false };
    let to = to.trim().trim_matches('"');
    let is_set_to = |name: &str| {
        let name = name.trim_matches(['{', '}']);
        [format!("{name}=$(mktemp"), format!("{name}=\"$(mktemp")]
            .iter()
            .any(|it| line.contains(it))
    };
    to.starts_with("$(mktemp") || to.strip_prefix('$').is_some_and(is_set_to)
}

/// Writes a folder one way: `"/c/p"`, `C:\\p` and `C:/p/` are the same.
pub(super) fn one_form(folder: &str) -> String {
    let folder = folder.trim().trim_matches(['"', '\'']).replace('\\', "/");
    let folder = folder.trim_end_matches('/');
    let mut chars = folder.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('/'), Some(drive), Some('/') | None) if drive.is_ascii_alphabetic() => {
            format!("{}:{}", drive.to_ascii_uppercase(), &folder[2..])
        }
        _ => folder.to_owned(),
    }
}

/// Takes a folder and the way up behind it out of a path: `a/../b` is `b`.
pub(super) fn without_ways_up(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match parts.last() {
            Some(&last) if part == ".." && !matches!(last, ".." | "" | "~") => drop(parts.pop()),
            _ if part == "." => {}
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns a path as it is told from where the line began; nothing if only the shell knows it, or
/// if it is no more than a folder on the way up.
pub(super) fn known(word: &str, folder: Option<&str>) -> Option<String> {
    let quoted = |mark: char| word.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    let bare = quoted('"').or_else(|| quoted('\'')).unwrap_or(word);
    let is_told = !bare.is_empty() && !bare.contains(['$', '*', '?', '[', '`', '"', '\'', '\\']);
    let bare = bare.strip_prefix("./").filter(|rest| !rest.is_empty()).unwrap_or(bare);
    let whole = match (bare, folder) {
        _ if !is_told => return None,
        (bare, _) if is_whole(bare) => bare.to_owned(),
        (bare, Some("")) => bare.to_owned(),
        (bare, folder) => format!("{}/{bare}", folder?.trim_end_matches('/')),
    };
    let path = without_ways_up(&whole);
    let last = name(path.trim_end_matches('/'));
    (!matches!(last, "" | "." | ".." | "~")).then_some(path)
}

/// Returns `path` without the folder of the session, with forward slashes.
pub(super) fn relative(path: &str, cwd: &str) -> String {
    let path = path.strip_prefix("file://").unwrap_or(path).replace('\\', "/");
    let cwd = cwd.replace('\\', "/");
    let inside = path.strip_prefix(cwd.trim_end_matches('/')).filter(|_| !cwd.is_empty());
    let short = inside.and_then(|rest| rest.strip_prefix('/')).unwrap_or(&path);
    short.strip_prefix("./").unwrap_or(short).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_told_from_the_folder_of_the_session() {
        let told = |line: &str, folder: &str| {
            from_home(line, folder, "/p").unwrap_or_else(|| line.to_owned())
        };
        assert_eq!(told("make", "/p"), "make");
        assert_eq!(told("make", "/p/web app"), "cd 'web app' && make");
        assert_eq!(told("make", "/p2"), "cd /p2 && make");
        assert_eq!(told("make", "."), "make");
        assert_eq!(told("make", "/q/a"), "cd /q/a && make");
        assert_eq!(told("cd b && make", "/p/a"), "cd a/b && make");
        assert_eq!(told("cd .. && make", "/p/a"), "make");
        let quoted = "cd '&& rm x;' && make";
        assert_eq!(in_short(quoted, "/p"), quoted);
        assert_eq!(told(quoted, "/p"), quoted);
        assert_eq!(told("cd /q && make", "/p/a"), "cd /q && make");
        assert_eq!(told("# all\nmake", "/p/a"), "cd a\n# all\nmake");
        assert_eq!(from_home("make", r"C:\p\a", r"C:\p").as_deref(), Some("cd a && make"));
        // What no shell would read back so, and what is no folder that one goes to.
        for odd in ["/p/a'b", "/p/a\nb", "-x", "", &format!("/p/{}", "x".repeat(300))] {
            assert_eq!(from_home("make", odd, "/p"), None);
        }
    }

    #[test]
    fn going_home_is_not_told() {
        assert_eq!(at_home("cd /home/ada/p && make", "/home/ada/p"), "make");
        assert_eq!(at_home("cd \"C:/p\"; make", "C:\\p"), "make");
        assert_eq!(at_home("cd /c/p && make", "C:\\p"), "make");
        assert_eq!(at_home("cd /tmp && make", "/home/ada/p"), "cd /tmp && make");
    }

    #[test]
    fn a_folder_of_a_drive_does_not_lie_in_another_one() {
        assert_eq!(known("C:/p/a", Some("tests/b")).as_deref(), Some("C:/p/a"));
        assert_eq!(known("/p/a", Some("tests/b")).as_deref(), Some("/p/a"));
        assert_eq!(known("a", Some("tests/b")).as_deref(), Some("tests/b/a"));
    }

    #[test]
    fn a_long_way_to_a_folder_is_told_by_its_end() {
        let told = |line: &str| in_short(line, "/home/ada/p");
        assert_eq!(told("cd /home/ada/p/web && make"), "cd web && make");
        assert_eq!(told("cd /tmp/try; make"), "cd /tmp/try && make");
        let far = "cd /home/ada/worktrees/of-another/branch\nmake all";
        assert_eq!(told(far), "cd …/branch && make all");
        assert_eq!(told("make all"), "make all");
    }

    #[test]
    fn several_lines_are_told_on_one() {
        assert_eq!(
            on_one_line("# try it\nmake \\\n  all\nmake test &&\nls"),
            "make all; make test && ls"
        );
        let commit = "git add a && git commit -F - <<'EOF'\nfeat: words\n\nmore\nEOF\ngit push";
        assert_eq!(on_one_line(commit), "git add a && git commit -m \"feat: words\"; git push");
        let two = "git commit -q --file=- <<E && ls\n\na b\nE\ncat <<E\nx\nE\ngit commit -F- <<\"E\"\nc\nE";
        assert_eq!(
            on_one_line(two),
            "git commit -q -m \"a b\" && ls; cat <<E; git commit -m \"c\""
        );
        let other = "gh pr create -F - <<E\n## Why\nE";
        assert_eq!(on_one_line(other), "gh pr create -F - <<E");
        assert_eq!(on_one_line("git commit -m \"a\n\n# b\""), "git commit -m \"a # b\"");
        assert_eq!(on_one_line("for f in *; do\ncat $f\ndone"), "for f in *; do cat $f; done");
    }

    #[test]
    fn a_folder_outside_of_the_session_s_is_told() {
        let out = |line: &str| elsewhere(line, "/home/ada/p");
        assert_eq!(out("cd /tmp/try && make"), Some("/tmp/try".to_owned()));
        assert_eq!(out("cd /home/ada/p2; make"), Some("/home/ada/p2".to_owned()));
        let at_home = ["cd /home/ada/p && make", "cd /home/ada/p/sub && make", "cd sub && make"];
        assert_eq!(at_home.map(out), [None, None, None]);
        assert_eq!(out("make"), None);
    }

    #[test]
    fn paths_are_told_from_the_session_s_folder() {
        assert_eq!(relative("/home/ada/p/src/a.rs", "/home/ada/p"), "src/a.rs");
        assert_eq!(relative("/home/ada/p2/a.rs", "/home/ada/p"), "/home/ada/p2/a.rs");
        assert_eq!(relative("./a.rs", ""), "a.rs");
        assert_eq!(relative("C:\\p\\a.rs", "C:\\p"), "a.rs");
    }
}
