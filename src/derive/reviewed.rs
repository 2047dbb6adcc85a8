//! Comments that a review left at lines of files, as somebody passes them on.

use super::pattern::Pattern;
use super::text;

/// How such a comment begins: whose it is, where it stands, and what it is called there.
static COMMENT: Pattern = Pattern::new(r"(?m)^- [^\s:]+ on (\S+:\d+)( \[[^\]\n]+\])?:");
/// How any entry of the list begins.
static ENTRY: Pattern =
    Pattern::new(r"(?m)^- [^\s:]+(?: on \S+:\d+| \([^)\n]+\))?(?: \[[^\]\n]+\])?:");
/// Images, marks and numbers before what a comment says.
static AHEAD: Pattern = Pattern::new(r"!\[[^\]\n]*\]\([^)\n]*\)|[*_#>`]+|^\s*\d+\\?\.\s");

/// How many of them are told.
const MOST: usize = 6;
/// How many characters of what each says first.
const TITLE_CHARS: usize = 90;
/// A title has more than one word.
const TITLE_WORDS: usize = 2;

/// Tells what stands above a list of comments, and of each that stands at a line of a file where it stands and how it
/// begins; `bare` takes the marks of pages out of its text. Nothing where there is none.
pub(super) fn comments(words: &str, bare: impl Fn(&str) -> String) -> Option<String> {
    let ends: Vec<usize> = ENTRY.places(words).map(|place| place.start).collect();
    let told = COMMENT.all_groups(words).filter_map(|groups| {
        let (whole, place) = (groups.at(0)?, groups.at(1)?);
        let from = groups.start(0)? + whole.len();
        let to = ends.iter().copied().find(|end| *end > from).unwrap_or(words.len());
        let name = groups.at(2).unwrap_or_default();
        Some(format!("- {place}{name}: {}", title(&bare(&words[from..to]))))
    });
    let mut told: Vec<String> = told.collect();
    let more = told.len().saturating_sub(MOST);
    told.truncate(MOST);
    let head = bare(words).lines().find(|row| !row.trim().is_empty()).map(str::to_owned)?;
    let first = told.first().filter(|_| !head.starts_with('-')).map(|_| head);
    let rest = (more > 0).then(|| format!("({more} more)"));
    (!told.is_empty())
        .then(|| first.into_iter().chain(told).chain(rest).collect::<Vec<_>>().join("\n"))
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
                "PR #7 has 4 new review comments:\n- src/a.rs:12 [comment_id=31]: Keep the sign\n- src/b.rs:3: Say what it costs"
            )
        );
        for other in
            ["- bot: a summary", "built on linux: fine", "- the sign on a.rs is lost: mend it", ""]
        {
            assert_eq!(comments(other, str::to_owned), None, "{other}");
        }
        let many: String =
            (0..9).map(|at| format!("- bot on a.rs:{at}: mend the sign\n")).collect();
        let told = comments(&many, str::to_owned).unwrap();
        assert!(
            told.starts_with("- a.rs:0: mend the sign") && told.ends_with("\n(3 more)"),
            "{told}"
        );
    }
}
