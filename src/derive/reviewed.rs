//! Comments that a review left at lines of files, as somebody passes them on.

use super::pattern::Pattern;
use super::text;

/// How a comment begins in a list of them: whose it is, where it stands if it stands somewhere, and what it is called.
static COMMENT: Pattern =
    Pattern::new(r"(?m)^- ([^\s:]+)(?: on (\S+:\d+)| \([^)\n]+\))?( \[[^\]\n]+\])?:");
/// Images, marks and numbers before what a comment says.
static AHEAD: Pattern = Pattern::new(r"!\[[^\]\n]*\]\([^)\n]*\)|[*_#>`]+|^\s*\d+\\?\.\s");

/// How many of them are told, and how many of those that stand nowhere.
const MOST: usize = 6;
const MOST_OTHERS: usize = 3;
/// A list of comments has no more rows above it.
const ROWS_ABOVE: usize = 2;
/// How many characters of what each says first.
const TITLE_CHARS: usize = 90;
/// A title has more than one word.
const TITLE_WORDS: usize = 2;

/// Tells what stands above a list of comments, and how each begins: first those that stand at a line of a file, with
/// that, then others; `bare` takes the marks of pages out of its text. Nothing where none stands at a line.
pub(super) fn comments(words: &str, bare: impl Fn(&str) -> String) -> Option<String> {
    let all: Vec<_> = COMMENT.all_groups(words).collect();
    let starts: Vec<usize> = all.iter().filter_map(|groups| groups.start(0)).collect();
    let above = bare(&words[..*starts.first()?]);
    let above: Vec<&str> = above.lines().filter(|row| !row.trim().is_empty()).collect();
    if above.len() > ROWS_ABOVE {
        return None;
    }
    let (mut placed, mut others) = (Vec::new(), Vec::new());
    for (at, groups) in all.iter().enumerate() {
        let from = starts[at] + groups.all().len();
        let to = starts.get(at + 1).copied().unwrap_or(words.len());
        let said = title(&bare(&words[from..to]));
        let named = groups.at(3).unwrap_or_default();
        match groups.at(2) {
            Some(place) => placed.push(format!("- {place}{named}: {said}")),
            None if said.is_empty() => {}
            None => others.push(format!("- {}: {said}", groups.at(1).unwrap_or_default())),
        }
    }
    if placed.is_empty() {
        return None;
    }
    let more = placed.len().saturating_sub(MOST) + others.len().saturating_sub(MOST_OTHERS);
    placed.truncate(MOST);
    others.truncate(MOST_OTHERS);
    let above = above.into_iter().map(str::to_owned);
    let rest = (more > 0).then(|| format!("({more} more)"));
    Some(above.chain(placed).chain(others).chain(rest).collect::<Vec<_>>().join("\n"))
}

/// Returns the first row of a comment that says something.
fn title(comment: &str) -> String {
    let rows = comment.lines().map(|row| AHEAD.replaced(row, "").trim().to_owned());
    let mut rows = rows.filter(|row| text::word_count(row) >= TITLE_WORDS);
    text::line(&rows.next().unwrap_or_default(), TITLE_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_comments_at_lines_it_is_told_where_they_stand_and_how_they_begin() {
        let words = "PR #7 has 4 new review comments:\n- bot (commented): \n### Review\n\nSome suggestions.\n- bot: a summary of all of it\n- bot on src/a.rs:12 [comment_id=31]: **![P1](https://a.example/p.svg)  Keep the sign**\n\nIt is lost for negative amounts.\n\nUseful?\n- ada on src/b.rs:3: 1\\. Say what it costs\nmore of it\n\nPlease address the feedback.";
        assert_eq!(
            comments(words, str::to_owned).as_deref(),
            Some(
                "PR #7 has 4 new review comments:\n- src/a.rs:12 [comment_id=31]: Keep the sign\n- src/b.rs:3: Say what it costs\n- bot: Some suggestions.\n- bot: a summary of all of it"
            )
        );
        for other in
            ["- bot: a summary", "built on linux: fine", "- the sign on a.rs is lost: mend it", ""]
        {
            assert_eq!(comments(other, str::to_owned), None, "{other}");
        }
        // A report of which one row has that form is told by all that it says.
        let report = format!("It is wrong.\n\nIn two ways.\n\nFirst:\n{words}");
        assert_eq!(comments(&report, str::to_owned), None);
        let many: String =
            (0..9).map(|at| format!("- bot on a.rs:{at}: mend the sign\n")).collect();
        let told = comments(&many, str::to_owned).unwrap();
        assert!(
            told.starts_with("- a.rs:0: mend the sign") && told.ends_with("\n(3 more)"),
            "{told}"
        );
    }
}
