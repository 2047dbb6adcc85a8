//! Long paths by their ends.

/// How many characters a path has at least that is shortened.
const LONG_PATH: usize = 24;

/// Puts the file's own name in the place of long paths, the longest first, those from the root before
/// others, until a line has at most `most` characters: where a line is cut, the name tells more than the
/// folders above it.
pub(super) fn short_paths(line: &str, most: usize) -> String {
    let mut words: Vec<String> = line.split(char::is_whitespace).map(str::to_owned).collect();
    let mut over = line.chars().count().saturating_sub(most);
    let mut long: Vec<(usize, String)> = Vec::new();
    if over > 0 {
        let shorter = |(at, word): (usize, &String)| Some((at, named(word)?));
        long.extend(words.iter().enumerate().filter_map(shorter));
    }
    long.sort_by_key(|(at, _)| {
        let word = &words[*at];
        (!begins_at_root(word), usize::MAX - word.len(), *at)
    });
    for (at, short) in long {
        if over == 0 {
            break;
        }
        over = over.saturating_sub(words[at].chars().count() - short.chars().count());
        words[at] = short;
    }
    words.join(" ")
}

fn begins_at_root(word: &str) -> bool {
    word[head(word)..].starts_with(['/', '~'])
}

/// Returns a word with the name alone of the file that it names, if its path is long. What stands below a folder of
/// the project and has no ending may be an address of a server, or a branch, which its end alone does not tell.
fn named(word: &str) -> Option<String> {
    let head = head(word);
    let path = &word[head..];
    let (folders, name) = path.trim_end_matches('/').rsplit_once('/')?;
    let is_part = |c: char| c.is_alphanumeric() || "/~._-+@$ {}'\"".contains(c);
    let is_file = path.starts_with(['/', '~']) || name.contains('.');
    let is_long = path.chars().count() >= LONG_PATH && folders.contains('/') && !name.is_empty();
    let is_path = is_file && path.chars().all(is_part) && !path.starts_with("s/");
    (is_long && is_path && !word.contains("://")).then(|| format!("{}…/{name}", &word[..head]))
}

/// Returns where in a word its path begins: behind an option, or a quote.
fn head(word: &str) -> usize {
    let before = &word[..word.find('/').unwrap_or(0)];
    before.rfind(['=', '"', '\'', '(', ':', '@', '<', '>', '`']).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::short_paths;

    #[test]
    fn a_path_is_told_by_its_end_where_a_line_is_too_long() {
        let line =
            "python3 /home/ada/work/tools/checks/run.py --out=/var/data/results/today/all.json";
        assert_eq!(short_paths(line, 200), line);
        assert_eq!(
            short_paths(line, 70),
            "python3 /home/ada/work/tools/checks/run.py --out=…/all.json"
        );
        assert_eq!(short_paths(line, 20), "python3 …/run.py --out=…/all.json");
        assert_eq!(
            short_paths("cat 'src/some/very/long/folder/a.rs' /opt/some/very/long/b.rs", 50),
            "cat 'src/some/very/long/folder/a.rs' …/b.rs"
        );
        for line in [
            "curl https://a.example/one/two/three/four/five.json",
            "gh api repos/ada/tally/pulls/533/comments",
            "git push origin ada/amounts/that-are-negative",
            "sed -i 's/old_amount_of_rows/new_amount/g.b' a.rs",
        ] {
            assert_eq!(short_paths(line, 10), line);
        }
        // On lines below each other the words stay apart.
        let lines = "set -e\npython3\n/home/ada/work/tools/checks/run.py";
        assert_eq!(short_paths(lines, 10), "set -e python3 …/run.py");
    }
}
