//! What somebody wrote, on one line: a heading by its words, a table by its cells.

use super::text::{Secrets, fenced, line};

/// What stands for a cell without words.
const EMPTY: &str = "–";

/// Puts a text on one line as [`line()`] does, each heading by its words and each row of a table by its cells;
/// what stands between fences stays as it is.
pub(super) fn read_out(words: &str, most: usize) -> String {
    let rows: Vec<&str> = words.lines().map(str::trim).collect();
    let (mut all, mut is_table, mut is_code) = (String::new(), false, fenced());
    for (at, row) in rows.iter().enumerate() {
        let next = rows.get(at + 1).copied().unwrap_or_default();
        is_table = row.starts_with('|') && (is_table || is_rule(next));
        match row {
            row if is_code(row) => all.push_str(row),
            row if is_table && is_rule(row) => continue,
            row if is_table => all.push_str(&cells(row)),
            row => all.push_str(&heading(row)),
        }
        all.push('\n');
        // What comes is cut off: no character has more bytes.
        if all.len() / 4 > most {
            break;
        }
    }
    let told = line(all.trim_end().trim_end_matches(';'), most);
    if told.is_empty() { line(words, most) } else { told }
}

/// Whether a row stands between the head of a table and what is below it.
fn is_rule(row: &str) -> bool {
    let has = |c: char| row.contains(c);
    row.starts_with('|') && has('-') && row.chars().all(|c| "|-: ".contains(c))
}

/// Returns the cells of a row of a table, one after the other.
fn cells(row: &str) -> String {
    let inner = row.strip_prefix('|').unwrap_or(row);
    let inner = inner.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(inner);
    // A bar may be a letter of a secret, which is only known where it stands whole.
    if !Secrets::of(row).is_empty() {
        return format!("{inner};");
    }
    let told = |cell: &&str| if cell.is_empty() { EMPTY } else { *cell }.to_owned();
    let cells: Vec<String> =
        split(inner).iter().map(|cell| cell.trim()).map(|cell| told(&cell)).collect();
    format!("{};", cells.join(if cells.len() == 2 { ": " } else { ", " }))
}

/// Splits a row at bars that stand neither in code nor behind a backslash.
fn split(row: &str) -> Vec<&str> {
    let (mut found, mut from, mut is_code, mut is_escaped) = (Vec::new(), 0, false, false);
    for (at, c) in row.char_indices() {
        match c {
            '`' if !is_escaped => is_code = !is_code,
            '|' if !is_code && !is_escaped => {
                found.push(&row[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    found.push(&row[from..]);
    found
}

/// Returns the words of a row that is a heading, with what ends them; any other row as it is.
fn heading(row: &str) -> String {
    let words = row.trim_start_matches('#').trim();
    let is_heading = row.starts_with('#') && row.trim_start_matches('#').starts_with([' ', '\t']);
    match words {
        _ if row.chars().all(|c| c == '#') => String::new(),
        words if is_heading && words.ends_with(['.', ':', '?', '!', '：', '。', '？', '！']) => {
            words.to_owned()
        }
        words if is_heading => format!("{words}:"),
        _ => row.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &str) -> String {
        read_out(words, 400)
    }

    #[test]
    fn headings_and_tables_are_told_by_their_words() {
        let words = "## What I did\n| file | rows |\n|---|---|\n| a.rs | 3 |\n| b.rs | |\n\nDone.";
        assert_eq!(told(words), "What I did: file: rows; a.rs: 3; b.rs: –; Done.");
        assert_eq!(
            told("| a | b | c |\n|:-:|---|--:|\n| 1 | 2 | |\n| | 3 | 4 |"),
            "a, b, c; 1, 2, –; –, 3, 4"
        );
        assert_eq!(told("## Which one?\n## 完成：\n### So\n"), "Which one? 完成： So:");
        assert_eq!(told("###\n|---|---|"), "|---|---|");
        assert_eq!(told("###"), "###");
    }

    #[test]
    fn what_is_no_table_and_what_is_code_stays() {
        for words in
            ["|x| x + 1 is the closure.", "```python\n# read it\n| a |\n```", "#12 is open"]
        {
            assert_eq!(told(words), words.replace('\n', " "));
        }
    }

    #[test]
    fn a_bar_of_a_secret_or_of_code_splits_nothing() {
        let row = "| `a|b` | x \\| y |";
        assert_eq!(told(&format!("| m | n |\n|---|---|\n{row}")), "m: n; `a|b`: x \\| y");
        let secret = "postgres://ada:hunter2|hunter2xyz@h/db";
        let words = format!("| m | n |\n|---|---|\n| {secret} | y |");
        assert!(told(&words).contains(secret), "{}", told(&words));
    }
}
