//! Links to files in what an agent says.

use super::place::relative;
use super::text::fenced;

/// Returns `text` with each link to a file on this machine as the path alone, told from `home`, where the link
/// is called after the file: `[a.rs:3](/home/ada/p/src/a.rs:3)` is `src/a.rs:3`. Nothing if it has none.
pub fn unlinked(text: &str, home: &str) -> Option<String> {
    let (mut told, mut is_code) = (String::new(), fenced());
    for line in text.split_inclusive('\n') {
        // What is quoted stays as it is.
        if is_code(line) || !line.contains("](") {
            told.push_str(line);
        } else {
            unlink(line, home, &mut told);
        }
    }
    (told != text).then_some(told)
}

/// How many bytes the name and the path of a link have at most.
const MOST_BYTES: usize = 1000;

fn unlink(line: &str, home: &str, told: &mut String) {
    let mut rest = line;
    while let Some((before, target)) = rest.split_once("](") {
        let begin = before.len().saturating_sub(MOST_BYTES);
        let near = &before[before.ceil_char_boundary(begin)..];
        let opens = near.rfind('[').map(|at| before.len() - near.len() + at);
        let opens = opens.filter(|at| !before[..*at].ends_with('!'));
        let path = &target[..target.floor_char_boundary(MOST_BYTES)];
        let path = path.split([')', ' ', '`']).next().unwrap_or_default();
        let link = opens.zip(target[path.len()..].strip_prefix(')')).and_then(|(at, after)| {
            let name = &before[at + 1..];
            leads_to(name, path).then(|| (at, plain(name, path, home), after))
        });
        match link {
            Some((at, path, after)) => {
                told.push_str(&before[..at]);
                told.push_str(&path);
                rest = after;
            }
            None => {
                told.push_str(before);
                told.push_str("](");
                rest = target;
            }
        }
    }
    told.push_str(rest);
}

/// Whether a link is called after the file to which it leads, which is told from the root.
fn leads_to(name: &str, path: &str) -> bool {
    let is_whole = path.starts_with(['/', '~']) || path.get(1..3) == Some(":/");
    let name = without_line(name.trim_matches('`'));
    let path = without_line(path);
    let is_plain = !name.is_empty() && !path.contains([' ', '\n', '`']);
    let folder = path.strip_suffix(name).filter(|_| is_whole && is_plain);
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with('/') || name.starts_with('/'))
}

/// Returns a path without the line that stands behind it, as in `a.rs:3`, `a.rs:3-9` and `a.rs#L3`.
fn without_line(path: &str) -> &str {
    let path = path.split_once('#').map_or(path, |(path, _)| path);
    let is_line = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '-');
    path.rsplit_once(':').filter(|(_, rest)| is_line(rest)).map_or(path, |(path, _)| path)
}

/// Returns the path of a link as it is told, with the line that its name tells.
fn plain(name: &str, path: &str, home: &str) -> String {
    let (bare, is_code) = (name.trim_matches('`'), name.starts_with('`'));
    let line = if without_line(path) == path { &bare[without_line(bare).len()..] } else { "" };
    let path = format!("{}{line}", relative(path, home));
    if is_code { format!("`{path}`") } else { path }
}

#[cfg(test)]
mod tests {
    use super::unlinked;

    #[test]
    fn links_that_are_called_after_their_file_are_told_by_its_path() {
        let told = |text: &str| unlinked(text, "/home/ada/p");
        let text =
            "See [a.rs:3](/home/ada/p/src/a.rs:3), [`b.md`](/home/ada/q/b.md#L3) and [x](/y).";
        let want = "See src/a.rs:3, `/home/ada/q/b.md#L3` and [x](/y).";
        assert_eq!(told(text).as_deref(), Some(want));
        for text in [
            "[docs](https://x.io/docs)",
            "[a.rs](src/a.rs)",
            "an index[0](/a/0 and no end",
            "[rs](/home/ada/p/src/a.rs)",
            "[a\n.rs](/a/a.rs)",
            "plain",
            "![a.png](/home/ada/p/a.png)",
            "```\n[a.rs](/home/ada/p/a.rs)\n```",
            "~~~\n[a.rs](/home/ada/p/a.rs)\n~~~",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
        let line = told("see [a.rs:42](/home/ada/p/src/a.rs)");
        assert_eq!(line.as_deref(), Some("see src/a.rs:42"));
        // As long as a message may be.
        for piece in ["](", "[a](/b ", "[a](/b", "你[好](/b　"] {
            assert_eq!(told(&piece.repeat(20_000)), None);
        }
        let other = unlinked("[a.rs](C:/p/src/a.rs)", "C:\\p");
        assert_eq!(other.as_deref(), Some("src/a.rs"));
    }
}
