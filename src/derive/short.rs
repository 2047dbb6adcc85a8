//! Long paths by their ends.

use std::borrow::Cow;

use super::place;
use super::text::Secrets;

/// How many characters a path has at least that is shortened.
const LONG_PATH: usize = 24;

/// Folders that lie at the root of a machine: a path that begins with another one may be an address of a server.
const ROOTS: &[&str] = &[
    "Applications",
    "Users",
    "Volumes",
    "data",
    "etc",
    "home",
    "mnt",
    "opt",
    "private",
    "root",
    "srv",
    "tmp",
    "usr",
    "var",
    "workspace",
    "workspaces",
];
/// Files of which nearly every folder has one, so that the name alone tells nothing.
const COMMON: &[&str] = &["__init__", "index", "lib", "main", "mod", "page", "README", "SKILL"];

/// Puts the end of a path in the place of long ones, the longest first, those from the root before others,
/// until a line has at most `most` characters: where a line is cut, the name tells more than the folders above
/// it. An end that another word of the line has too is told with more of its folders.
pub(super) fn short_paths(line: &str, most: usize) -> String {
    short_paths_after(line, 0, most)
}

/// The same, but what stands before the byte `from` stays as it is.
pub(super) fn short_paths_after(line: &str, from: usize, most: usize) -> String {
    let mut over = line.chars().count().saturating_sub(most);
    let words: Vec<&str> = line.split(char::is_whitespace).collect();
    if over == 0 {
        return words.join(" ");
    }
    // What is left of a secret nobody would know as one.
    let secrets = Secrets::of(line);
    let starts = words.iter().scan(0, |next, word| {
        let start = *next;
        *next += word.len() + 1;
        Some(start)
    });
    let mut told: Vec<Cow<'_, str>> = words.iter().map(|word| Cow::Borrowed(*word)).collect();
    let is_free = |(start, word): &(usize, &&str)| *start >= from && !secrets.has(word);
    let shorter = |(at, it): (usize, (usize, &&str))| {
        Some((at, by_its_end(it.1, &words).filter(|_| is_free(&it))?))
    };
    let mut long: Vec<(usize, String)> =
        starts.zip(&words).enumerate().filter_map(shorter).collect();
    long.sort_by_key(|(at, _)| {
        let word = words[*at];
        (!begins_at_root(word), usize::MAX - word.len(), *at)
    });
    for (at, short) in long {
        if over == 0 {
            break;
        }
        over = over.saturating_sub(words[at].chars().count() - short.chars().count());
        told[at] = Cow::Owned(short);
    }
    told.join(" ")
}

fn begins_at_root(word: &str) -> bool {
    word[head(word)..].starts_with(['/', '~'])
}

/// Returns a word of the line with the end of the path that it names, if that is long: the name, and as many
/// folders as tell it from the other words.
fn by_its_end(word: &str, words: &[&str]) -> Option<String> {
    let head = head(word);
    let path = word[head..].trim_end_matches('/');
    if word[head..].chars().count() < LONG_PATH || !may_be_short(path) {
        return None;
    }
    let others: Vec<&&str> = words.iter().filter(|other| !other.contains(path)).collect();
    let stem = path.rsplit('/').next()?.split('.').next()?;
    let fewest = if COMMON.contains(&stem) { 1 } else { 0 };
    let mut ends = path.rmatch_indices('/').map(|(at, _)| &path[at..]).skip(fewest);
    let end = ends.find(|end| !others.iter().any(|other| other.contains(end)))?;
    let short = format!("{}…{end}", &word[..head]);
    (short.chars().count() < word.chars().count()).then_some(short)
}

/// Whether a path is one to a file, as far as it tells: an address of a server or a branch is not told by its end.
fn may_be_short(path: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "/~._-+@".contains(c);
    let name = place::name(path);
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && ending.len() <= 8 && ending.starts_with(char::is_alphabetic)
    });
    let mut folders = path.split('/');
    let first = folders.next().unwrap_or_default();
    let is_here = match first {
        "" => folders.next().is_some_and(|root| ROOTS.contains(&root)),
        "~" => true,
        // What begins with `a.example` is an address.
        first => has_ending && (first.starts_with('.') || !first.contains('.')),
    };
    is_here && !path.contains("//") && path.chars().all(is_part) && !path.starts_with("s/")
}

/// Returns where in a word its path begins: behind an option, or a quote.
fn head(word: &str) -> usize {
    let before = &word[..word.find('/').unwrap_or(0)];
    before.rfind(['=', '"', '\'', '(', ':', '@', '<', '>', '`']).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::{short_paths, short_paths_after};

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
        // What two words end with tells neither.
        assert_eq!(
            short_paths("mv src/amounts/of/all/old/mod.rs src/amounts/of/all/new/mod.rs", 10),
            "mv …/old/mod.rs …/new/mod.rs"
        );
        assert_eq!(
            short_paths("rm -r /home/ada/work/one/output /home/ada/work/two/output", 10),
            "rm -r …/one/output …/two/output"
        );
        assert_eq!(short_paths("cat src/one/two/three/four/mod.rs", 10), "cat …/four/mod.rs");
        for line in [
            "curl https://a.example/one/two/three/four/five.json",
            "gh api repos/ada/tally/pulls/533/comments",
            "git push origin ada/amounts/that-are-negative",
            "gh api /repos/ada/tally/pulls/533/comments",
            "curl -s api.example.com/v1/customers/7/orders.json",
            "curl -s $BASE/customers/and/all/their/list.json",
            "git push origin release/2026/november/ledger-v1.2",
            "aws ssm get-parameter --name /production/ledger/database/url",
            "docker build -t registry.example.com/team/project/app.web .",
            "sed -i 's/old_amount_of_rows/new_amount/g.b' a.rs",
        ] {
            assert_eq!(short_paths(line, 10), line);
        }
        let line = "AWS_SECRET_ACCESS_KEY=/home/x9Ab/bPxRfiCYZq81mPLvKqk9UqWvT3a27 python3 a.py";
        assert_eq!(short_paths(line, 10), line);
        // On lines below each other the words stay apart.
        let lines = "set -e\npython3\n/home/ada/work/tools/checks/run.py";
        assert_eq!(short_paths(lines, 10), "set -e python3 …/run.py");
        let line = "/home/ada/work/tools/run.py /home/ada/work/notes/amounts.md";
        let told = short_paths_after(line, 27, 10);
        assert_eq!(told, "/home/ada/work/tools/run.py …/amounts.md");
    }
}
