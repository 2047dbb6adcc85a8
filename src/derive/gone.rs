//! Files that commands took away or moved.

use super::shell;

/// What a command did with a file; paths as the command line tells them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    /// It was deleted, or a folder with all in it.
    Removed(String),
    /// It is somewhere else now; what ends with a slash is a folder.
    Moved(String, String),
}

/// Finds what a command line takes away, if all of it went well.
///
/// Names that only the shell knows, by a variable or a pattern, tell nothing; nor does what runs only
/// where something before it failed.
pub(super) fn gone(line: &str) -> Vec<Gone> {
    if !line.contains("rm ") && !line.contains("mv ") {
        return Vec::new();
    }
    // The folder that the line went to; nothing once that is not known.
    let mut folder = Some(String::new());
    let (mut all, mut is_otherwise) = (Vec::new(), false);
    for (part, joint) in shell::all(line) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let arguments = |from: usize| {
            let words = words.iter().skip(from).copied();
            words.filter(|word| !word.starts_with('-')).map(|word| known(word, folder.as_deref()))
        };
        match words.as_slice() {
            _ if is_otherwise => {}
            ["cd" | "pushd", to] => folder = known(to, folder.as_deref()),
            ["cd" | "pushd", ..] => folder = None,
            ["git", "rm", ..] if part.contains("--cached") || part.contains("-n ") => {}
            ["rm", ..] => all.extend(arguments(1).flatten().map(Gone::Removed)),
            ["git", "rm", ..] => all.extend(arguments(2).flatten().map(Gone::Removed)),
            ["mv", ..] => all.extend(moved(&arguments(1).collect::<Vec<_>>())),
            ["git", "mv", ..] => all.extend(moved(&arguments(2).collect::<Vec<_>>())),
            _ => {}
        }
        is_otherwise = joint == "||";
    }
    all
}

/// The last of the names of a move is where the others go.
fn moved(names: &[Option<String>]) -> Vec<Gone> {
    let [from @ .., Some(to)] = names else { return Vec::new() };
    // More than one go into a folder.
    let to = if from.len() > 1 { format!("{}/", to.trim_end_matches('/')) } else { to.clone() };
    from.iter().flatten().map(|from| Gone::Moved(from.clone(), to.clone())).collect()
}

/// Returns a path as it is told from where the line began; nothing if only the shell knows it.
fn known(word: &str, folder: Option<&str>) -> Option<String> {
    let quoted = |mark: char| word.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    let bare = quoted('"').or_else(|| quoted('\'')).unwrap_or(word);
    let is_told = !bare.is_empty() && !bare.contains(['$', '*', '?', '[', '{', '`', '"', '\'']);
    let bare = is_told.then_some(bare)?;
    if bare.starts_with(['/', '~']) {
        return Some(bare.to_owned());
    }
    match folder? {
        "" => Some(bare.to_owned()),
        folder => Some(without_ways_up(&format!("{}/{bare}", folder.trim_end_matches('/')))),
    }
}

/// Takes a folder and the way up behind it out of a path: `a/../b` is `b`.
fn without_ways_up(path: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Vec<String> {
        let words = |gone| match gone {
            Gone::Removed(path) => path,
            Gone::Moved(from, to) => format!("{from}>{to}"),
        };
        gone(line).into_iter().map(words).collect()
    }

    #[test]
    fn what_a_line_takes_away_is_told_from_where_it_began() {
        assert_eq!(told("rm -rf a.txt 'b.txt' && make"), ["a.txt", "b.txt"]);
        assert_eq!(told("cd sub && git rm -q x.sh; rm /tmp/y"), ["sub/x.sh", "/tmp/y"]);
        assert_eq!(
            told("mv a.rs b.rs; git mv -f c.rs d.rs e"),
            ["a.rs>b.rs", "c.rs>e/", "d.rs>e/"]
        );
        assert_eq!(told("cd \"$x\" && rm a; rm /b"), ["/b"]);
        assert_eq!(told("cd a/b && rm ../c ../../../d ./e"), ["a/c", "../d", "a/b/e"]);
    }

    #[test]
    fn what_is_not_known_to_have_gone_is_not_told() {
        for line in [
            "rm *.log $x ${y}",
            "make || rm out.txt",
            "git rm --cached a.txt",
            "echo 'rm a.txt'",
            "mv $a b",
            "git commit -m 'mv a b'",
            "npm rm left",
        ] {
            assert_eq!(told(line), Vec::<String>::new(), "{line}");
        }
    }
}
