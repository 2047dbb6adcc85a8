//! Comments that a review left at lines of files, as somebody passes them on.

use super::pattern::Pattern;
use super::text;

/// How a comment begins in a list of them: whose it is, where it stands if it stands somewhere, and what it is called.
static COMMENT: Pattern = Pattern::new(
    r"(?m)^- ([^\s:]+(?: [^\s:]+){0,2}?)(?: on (\S*[./]\S*)| \([^)\n]+\))?( \[[^\]\n]+\])?:",
);
/// Images and marks in what a comment says, and before its rows.
static MARKS: Pattern =
    Pattern::new(r"(?m)!\[[^\]\n]*\]\([^)\n]*\)|\*\*|^[ \t]*(?:#+[ \t]+|```[a-z]*[ \t]*$)");
/// A number before all that it says.
static NUMBER: Pattern = Pattern::new(r"\A\s*\d+\\?\.\s");
/// What ends the last comment: the order to deal with them, or the end of what holds them.
static ORDER: Pattern =
    Pattern::new(r"\n\nPlease address (?:all|the|this|these)\b[^\n]*feedback[^<]*");
static CLOSE: Pattern = Pattern::new(r"\n</[a-z]");

/// How many of them are told, and how many of those that stand nowhere.
const MOST: usize = 6;
const MOST_OTHERS: usize = 3;
/// A list of comments has no more rows above it.
const ROWS_ABOVE: usize = 2;
/// How many characters of what each says are told at least.
const LEAST_CHARS: usize = 90;

/// Tells what stands above a list of comments, and what each says, the fewer they are the more of it, up to `most`
/// characters: first those that stand in a file, with the place, then others, then what came behind them. `bare` takes
/// the marks of pages out of a text. Nothing where none stands in a file.
pub(super) fn comments(words: &str, most: usize, bare: impl Fn(&str) -> String) -> Option<String> {
    let all: Vec<_> = COMMENT.all_groups(words).collect();
    let starts: Vec<usize> = all.iter().filter_map(|groups| groups.start(0)).collect();
    let above = bare(&words[..*starts.first()?]);
    let above: Vec<&str> = above.lines().filter(|row| !row.trim().is_empty()).collect();
    if above.len() > ROWS_ABOVE {
        return None;
    }
    let last = *starts.last()?;
    let ends = [&ORDER, &CLOSE].into_iter().filter_map(|end| end.places(&words[last..]).next());
    let end = ends.map(|place| last + place.start).min().unwrap_or(words.len());
    let (mut placed, mut others) = (Vec::new(), Vec::new());
    for (at, groups) in all.iter().enumerate() {
        let from = starts[at] + groups.all().len();
        let to = starts.get(at + 1).copied().unwrap_or(end);
        let said = said(&bare(&words[from..to]));
        let named = groups.at(3).unwrap_or_default();
        match groups.at(2) {
            Some(place) => placed.push((format!("- {place}{named}: "), said)),
            None if said.is_empty() => {}
            None => others.push((format!("- {}: ", groups.at(1).unwrap_or_default()), said)),
        }
    }
    if placed.is_empty() {
        return None;
    }
    let more = placed.len().saturating_sub(MOST) + others.len().saturating_sub(MOST_OTHERS);
    placed.truncate(MOST);
    others.truncate(MOST_OTHERS);
    let behind = said(&bare(&ORDER.replaced(&words[end..], "")));
    let behind = Some((String::new(), behind)).filter(|(_, said)| !said.is_empty());
    let told: Vec<_> = placed.into_iter().chain(others).chain(behind).collect();
    let share = LEAST_CHARS.max(most / told.len());
    let told = told.into_iter().map(|(place, said)| place + &text::line(&said, share));
    let above = above.into_iter().map(str::to_owned);
    let rest = (more > 0).then(|| format!("({more} more)"));
    Some(above.chain(told).chain(rest).collect::<Vec<_>>().join("\n"))
}

/// Returns what a comment says, in one row: without marks, and what it quotes at the end.
fn said(comment: &str) -> String {
    let plain = MARKS.replaced(comment, "");
    let plain = NUMBER.replaced(&plain, "");
    // To ask how it was found tells nothing.
    let asks_how = |row: &str| row.contains('👍') && row.contains('👎');
    let tells = |row: &&str| !row.is_empty() && !asks_how(row);
    let rows = plain.lines().map(str::trim).filter(tells);
    let (quoted, own): (Vec<_>, Vec<_>) = rows.partition(|row| row.starts_with('>'));
    own.into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_comments_at_lines_it_is_told_where_they_stand_and_how_they_begin() {
        let words = "PR #7 has 4 new review comments:\n- bot (commented): \n### Review\n\nSome suggestions.\n- bot: a summary of all of it\n- bot on src/a.rs:12 [comment_id=31]: **![P1](https://a.example/p.svg)  Keep the sign**\n\nIt is lost for negative amounts.\n\nUseful? 👍 / 👎\n- ada on src/b.rs:3: 1\\. Say what it costs\nmore of it\n\nPlease address the feedback.";
        assert_eq!(
            comments(words, 400, str::to_owned).as_deref(),
            Some(
                "PR #7 has 4 new review comments:\n- src/a.rs:12 [comment_id=31]: Keep the sign It is lost for negative amounts.\n- src/b.rs:3: Say what it costs more of it\n- bot: Review Some suggestions.\n- bot: a summary of all of it"
            )
        );
        for other in
            ["- bot: a summary", "built on linux: fine", "- the sign on a.rs is lost: mend it", ""]
        {
            assert_eq!(comments(other, 400, str::to_owned), None, "{other}");
        }
        // A report of which one row has that form is told by all that it says.
        let report = format!("It is wrong.\n\nIn two ways.\n\nFirst:\n{words}");
        assert_eq!(comments(&report, 400, str::to_owned), None);
        // Of one nearly all is told, and what it quotes last; a place may be a range, a file, or gone.
        let one = "- Ada Byron on src/a.rs:3-9 [comment_id=2]: > it is rounded\n\nNo.\n1. Use `cents`.\n2. Revoke the key.\n\nPlease address the feedback.\n</event>\n<event>The build fails.</event>";
        assert_eq!(
            comments(one, 400, |text| text.replace("</event>", "").replace("<event>", ""))
                .as_deref(),
            Some(
                "- src/a.rs:3-9 [comment_id=2]: No. 1. Use `cents`. 2. Revoke the key. > it is rounded\nThe build fails."
            )
        );
        let places = "- bot on src/a.rs:null: a\n- bot on src/b.rs: b\n";
        let told = comments(places, 400, str::to_owned);
        assert_eq!(told.as_deref(), Some("- src/a.rs:null: a\n- src/b.rs: b"));
        let many: String =
            (0..9).map(|at| format!("- bot on a.rs:{at}: mend the sign\n")).collect();
        let told = comments(&many, 400, str::to_owned).unwrap();
        assert!(
            told.starts_with("- a.rs:0: mend the sign") && told.ends_with("\n(3 more)"),
            "{told}"
        );
    }
}
