//! Links to files in what an agent says.

use super::place::relative;

/// Returns `text` with each link to a file on this machine as the path alone, told from `home`, where the link
/// is called after the file: `[a.rs:3](/home/ada/p/src/a.rs:3)` is `src/a.rs:3`. Nothing if it has none.
pub fn unlinked(text: &str, home: &str) -> Option<String> {
    let mut told = String::new();
    let mut rest = text;
    while let Some((before, target)) = rest.split_once("](") {
        let opens = before.rfind('[').filter(|at| !before[*at..].contains('\n'));
        let link = opens.zip(target.split_once(')')).and_then(|(at, (path, after))| {
            let name = &before[at + 1..];
            leads_to(name, path).then(|| (at, quoted(name, &relative(path, home)), after))
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
    (told != text).then_some(told)
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

fn quoted(name: &str, path: &str) -> String {
    if name.starts_with('`') { format!("`{path}`") } else { path.to_owned() }
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
        ] {
            assert_eq!(told(text), None, "{text}");
        }
        let other = unlinked("[a.rs](C:/p/src/a.rs)", "C:\\p");
        assert_eq!(other.as_deref(), Some("src/a.rs"));
    }
}
