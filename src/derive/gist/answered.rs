//! The points of a message that a request answers one by one: "1. Yes. 2. Rather not."

use std::collections::BTreeMap;

use super::lines::{Line, LineKind, lines, row};
use crate::model::is_command;

/// A point has no number of more digits.
const MOST_DIGITS: usize = 2;
/// What joins the numbers of points that are answered, or told, together: "2 + 3.".
const JOINS: &[char] = &['+', '&', ',', '/', ' '];

/// Whether a request may answer points by their numbers.
pub(in crate::derive) fn is_numbered(request: &str) -> bool {
    !wanted(request).is_empty()
}

/// Whether a request answers the points of a message: each of its own numbers, of which there are some, stands there.
pub(in crate::derive) fn answers(message: &str, request: &str) -> bool {
    let wanted = wanted(request);
    !wanted.is_empty() && !points(message, &lines(message), &wanted).is_empty()
}

/// Returns how the points of a message begin that a request answers by their numbers, in the order of these.
pub(super) fn answered(message: &str, lines: &[Line], request: &str) -> Vec<usize> {
    points(message, lines, &wanted(request))
}

/// Returns the numbers with which rows of a request begin. Where they do not rise it is a text of its own, and so it is
/// where it has headings, or is called for by a name.
fn wanted(request: &str) -> Vec<u32> {
    if is_command(request) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for row in request.lines() {
        if row.starts_with('#') {
            return Vec::new();
        }
        found.extend(numbers(row).1);
    }
    let rise = found.windows(2).all(|pair| pair[0] < pair[1]);
    if rise && found.len() > 1 { found } else { Vec::new() }
}

/// Returns the lines with these numbers, of those that begin with the same marks; none where one of them is not there.
fn points(message: &str, lines: &[Line], wanted: &[u32]) -> Vec<usize> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut by_marks: BTreeMap<&str, Vec<(u32, usize)>> = BTreeMap::new();
    for at in (0..lines.len()).filter(|at| lines[*at].kind != LineKind::Code) {
        let (marks, found) = numbers(row(message, lines, at));
        by_marks.entry(marks).or_default().extend(found.into_iter().map(|number| (number, at)));
    }
    let last = |all: &[(u32, usize)], number: u32| {
        all.iter().rev().find(|(own, _)| *own == number).map(|(_, at)| *at)
    };
    let whole = by_marks.values().filter_map(|all| {
        let found: Option<Vec<usize>> = wanted.iter().map(|number| last(all, *number)).collect();
        found
    });
    // What stands last is what was asked at the end.
    let mut found = whole.max_by_key(|found| found[0]).unwrap_or_default();
    found.dedup();
    found
}

/// Returns what marks the begin of a row, and the numbers that stand there: "**4.", "## 2 + 3.", "| 1 |".
pub(super) fn numbers(row: &str) -> (&str, Vec<u32>) {
    let bare = row.trim_start();
    let rest = bare.trim_start_matches(|c: char| c == ' ' || "-*+•#_(|".contains(c));
    let marks = &bare[..bare.len() - rest.len()];
    let is_number = |c: char| c.is_ascii_digit() || JOINS.contains(&c);
    let head = &rest[..rest.find(|c| !is_number(c)).unwrap_or(rest.len())];
    let after = rest[head.len()..].trim_start_matches('*');
    let ends = if marks.starts_with('|') { &['|'][..] } else { &['.', ')', ':'] };
    let behind = after.strip_prefix(ends).unwrap_or("0");
    // A time or a version is none.
    if behind.starts_with(|c: char| c.is_ascii_digit()) || !head.starts_with(|c: char| c != ' ') {
        return (marks, Vec::new());
    }
    let words = head.split(JOINS).filter(|word| !word.is_empty());
    let all: Option<Vec<u32>> =
        words.map(|word| word.parse().ok().filter(|_| word.len() <= MOST_DIGITS)).collect();
    (marks, all.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{answers, numbers};

    #[test]
    fn the_numbers_of_a_point_are_read() {
        for (row, wanted) in [
            ("1. Yes.", vec![1]),
            ("  2) no", vec![2]),
            ("**4. The key is logged**", vec![4]),
            ("4. **The key** is logged", vec![4]),
            ("## 2 + 3. Java", vec![2, 3]),
            ("5+6. Rather not", vec![5, 6]),
            ("| 7 | The key |", vec![7]),
            ("(8) The key", vec![8]),
            ("**9**: the key", vec![9]),
            ("10:30 is too late", vec![]),
            ("1.5 is the version", vec![]),
            ("2026. The year", vec![]),
            ("3 lamps burn", vec![]),
            ("- [ ] one", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(numbers(row).1, wanted, "{row}");
        }
    }

    #[test]
    fn who_answers_by_numbers_means_the_points_of_the_message() {
        let message = "Found:\n\n### 0. Right\n\n**1. The key is logged.** So it is.\n\n**2. The gate is open.**\n\n### 1. Plain\n\n**3. The lamp burns.** At noon.\n";
        assert!(answers(message, "My answers:\n1. Mend it.\n2. Leave it.\n3. Why?"));
        assert!(answers(message, "1. mend it\n3. I don't understand."));
        for request in [
            "1. Mend it.\n4. Leave it.",
            "1. Mend it.",
            "Write the page:\n1. Rows.\n2. Sums.\n\nand then\n1. Push.",
            "# Plan\n1. Mend it.\n2. Leave it.",
            "/review\n1. Mend it.\n2. Leave it.",
            "mend it",
        ] {
            assert!(!answers(message, request), "{request}");
        }
        assert!(!answers("The lamp burns at noon.", "1. Mend it.\n2. Leave it."));
    }
}
