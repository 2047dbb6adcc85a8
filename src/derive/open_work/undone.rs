//! Rows of the agent's last words that it marks as not done: in a table or in a list.

use super::said::entry;
use crate::derive::text;

/// Marks before what is not begun or goes on.
const MARKS: &[char] = &['⏳', '⌛', '⬜', '☐', '🔲', '🚧'];
/// Marks before what is done.
const DONE_MARKS: &[char] = &['✅', '☑', '✔', '✓'];
/// What a column says of what is not done.
const STATES: &[&str] =
    &["blocked", "in progress", "not done", "not started", "not yet", "pending", "to do", "todo"];
/// How the column is called that says how far each is.
const HEADINGS: &[&str] = &["progress", "state", "status"];

/// Returns what rows of tables and entries of lists name as not done.
pub(super) fn marked_open(words: &str) -> Vec<String> {
    let rows: Vec<&str> = text::unfenced(words).map(str::trim).collect();
    let list = |row: &&&str| entry(row).unwrap_or(row).starts_with(DONE_MARKS);
    let has_done = rows.iter().filter(|row| !row.starts_with('|')).any(|row| list(&row));
    let (mut found, mut column) = (Vec::new(), None);
    for row in rows {
        if row.starts_with('|') {
            match column {
                None => column = Some(status_column(row)),
                Some(column) => found.extend(column.and_then(|at| of_table(row, at))),
            }
        } else {
            column = None;
            found.extend(of_list(row).filter(|_| has_done));
        }
    }
    found
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    let inside = row.strip_prefix('|').map(|row| row.trim_end_matches('|')).unwrap_or_default();
    inside.split('|').map(str::trim)
}

/// Returns a cell without what stands around its words, in small letters.
fn plain(cell: &str) -> String {
    cell.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Returns the column that says how far each is, by the heading of a table.
fn status_column(heading: &str) -> Option<usize> {
    cells(heading).position(|cell| HEADINGS.contains(&plain(cell).as_str())).filter(|at| *at > 0)
}

fn of_table(row: &str, at: usize) -> Option<String> {
    let state = cells(row).nth(at)?;
    let is_open = state.starts_with(MARKS) || STATES.contains(&plain(state).as_str());
    let name = cells(row).take(at).find(|cell| cell.chars().any(char::is_alphabetic))?;
    let state = state.trim_start_matches(|c: char| !c.is_alphanumeric());
    let told = if state.is_empty() { name.to_owned() } else { format!("{name}: {state}") };
    is_open.then_some(told)
}

fn of_list(row: &str) -> Option<String> {
    let row = entry(row).unwrap_or(row);
    let rest = row.strip_prefix(MARKS)?;
    let told = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | '"'));
    (!told.is_empty()).then(|| told.replace("**", ""))
}

#[cfg(test)]
mod tests {
    use super::marked_open;

    #[test]
    fn what_is_marked_as_not_done_is_told() {
        let table = "| Task | Status |\n|---|---|\n| Rounding | ✅ Done |\n| Notes | ⏳ Pending |\n| Page | in progress |\n";
        assert_eq!(marked_open(table), ["Notes: Pending", "Page: in progress"]);
        assert_eq!(
            marked_open("✅ Rounding\n⬜ Notes\n⏳ **Page** of sums"),
            ["Notes", "Page of sums"]
        );
        // Without a column for it nobody knows what a table is about, and a cross is also what is wrong.
        for words in [
            "| Port | Use |\n|---|---|\n| 80 | pending |\n",
            "| What | Before | Now |\n|---|---|---|\n| Rounding | Not started | Done |\n",
            "❌ `a == b`\n✅ `a.eq(b)`",
            "- ⏳ Build time: 12s\n- 🚧 in work",
            "```\n✅ a\n⬜ an example\n```",
        ] {
            assert!(marked_open(words).is_empty(), "{words}");
        }
    }
}
