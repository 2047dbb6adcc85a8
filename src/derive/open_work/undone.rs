//! Rows of the agent's last words that it marks as not done: in a table or in a list.

use super::said::{entry, unfenced};

/// Marks before what is not begun or goes on.
const MARKS: &[char] = &['⏳', '⌛', '⬜', '☐', '🔲', '🚧'];
/// What a column says of it in words.
const STATES: &[&str] = &[
    "blocked",
    "in progress",
    "not done",
    "not started",
    "not yet",
    "open",
    "pending",
    "to do",
    "todo",
    "wip",
];
/// What a column says of what is done; without one such row nobody knows that a table is about work.
const DONE: &[&str] = &["complete", "completed", "done", "finished", "passed"];
/// Marks of the same.
const DONE_MARKS: &[char] = &['✅', '☑', '✔', '✓'];

/// Returns what rows of tables and entries of lists name as not done.
pub(super) fn marked_open(words: &str) -> Vec<String> {
    let rows: Vec<&str> = unfenced(words).map(str::trim).collect();
    let is_about_work = rows.iter().any(|row| cells(row).any(is_done));
    let told = |row: &&str| match row.strip_prefix('|') {
        Some(_) if is_about_work => of_table(row),
        Some(_) => None,
        None => of_list(row),
    };
    rows.iter().filter_map(told).collect()
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    let inside = row.strip_prefix('|').map(|row| row.trim_end_matches('|')).unwrap_or_default();
    inside.split('|').map(str::trim).filter(|cell| !cell.is_empty())
}

/// Returns a cell without what stands around its words, in small letters.
fn plain(cell: &str) -> String {
    cell.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn is_done(cell: &str) -> bool {
    cell.starts_with(DONE_MARKS) || DONE.contains(&plain(cell).as_str())
}

fn of_table(row: &str) -> Option<String> {
    let is_open = |cell: &&str| cell.starts_with(MARKS) || STATES.contains(&plain(cell).as_str());
    let state = cells(row).skip(1).find(is_open)?;
    let is_name = |cell: &&str| *cell != state && cell.chars().any(char::is_alphabetic);
    let name = cells(row).find(is_name)?;
    let state = state.trim_start_matches(|c: char| !c.is_alphanumeric());
    Some(if state.is_empty() { name.to_owned() } else { format!("{name}: {state}") })
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
        let table = "| Task | Status |\n|---|---|\n| Rounding | ✅ Done |\n| Notes | ⏳ Pending |\n| 3 | Page | in progress |\n";
        assert_eq!(marked_open(table), ["Notes: Pending", "Page: in progress"]);
        assert_eq!(
            marked_open("✅ Rounding\n⬜ Notes\n- ⏳ **Page** of sums"),
            ["Notes", "Page of sums"]
        );
        // Without a row that is done it may be about anything, and a cross is also what is wrong.
        for words in [
            "| Port | State |\n|---|---|\n| 80 | open |\n",
            "| Issue | State |\n|---|---|\n| #4 | pending |\n",
            "❌ `a == b`\n✅ `a.eq(b)`",
            "```\n⬜ an example\n```",
        ] {
            assert!(marked_open(words).is_empty(), "{words}");
        }
    }
}
