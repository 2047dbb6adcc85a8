//! What a request says must hold in the end.

use super::text;

/// Returns what the request says must hold, or the one before if it says nothing of it; without
/// what can be read right above: of the one before `shown` characters are.
pub(super) fn accepted(goal: &str, before: Option<&str>, shown: usize) -> Vec<String> {
    let mut found = acceptance(goal);
    if let Some(before) = before.filter(|_| found.is_empty()) {
        found = acceptance(before);
    }
    let above = [Some(text::clip(goal, 240)), before.map(|words| text::clip(words, shown))];
    let on_one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let above: Vec<_> = above.into_iter().flatten().map(on_one_line).collect();
    found.retain(|line| !above.iter().any(|text| text.contains(line)));
    found
}

/// Words of a heading over what must hold, and over what is to be done.
const ACCEPTANCE: &[&str] = &["acceptance", "done when", "definition of done"];
const TASKS: &[&str] = &["checklist", "must", "requirement", "task", "to do", "todo"];

/// Returns the boxes and the lines under a heading of acceptance that a request holds; not the boxes
/// under another heading or in a fence: they are of a document that was pasted.
fn acceptance(goal: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut under, mut has_boxes) = (false, true);
    // The title of a request is no heading of something else.
    let title = goal.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    for line in text::unfenced(goal).map(str::trim) {
        let low = line.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| low.contains(word));
        let is_heading = line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
        if is_heading || line.ends_with(':') {
            under = says(ACCEPTANCE);
            let is_of_other = is_heading && line != title;
            has_boxes = under || says(TASKS) || has_boxes && !is_of_other;
            continue;
        }
        let boxed = line.strip_prefix("- [ ] ").or_else(|| line.strip_prefix("* [ ] "));
        let listed = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        let meant = boxed.filter(|_| has_boxes).or(listed.filter(|_| under && boxed.is_none()));
        found.extend(meant.map(|line| text::line(line, 200)));
    }
    found.truncate(12);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_hold_is_told_from_what_was_pasted() {
        let found = |goal: &str| acceptance(goal).join("; ");
        assert_eq!(found("Do it:\n- [ ] tests pass\n- [x] read"), "tests pass");
        assert_eq!(found("# Tasks\n- [ ] a\n\n## Done when\n- b\n- [ ] c"), "a; b; c");
        assert_eq!(found("Acceptance:\n- `make` passes\n\nNotes:\n- none"), "`make` passes");
        let pasted = "Review the diff.\n\n## Roadmap\n### Later\n- [ ] teams\nOpen:\n- [ ] rooms";
        assert_eq!(found(pasted), "");
        assert_eq!(found("# Plan for the login\n- [ ] a"), "a");
        assert_eq!(found("#123 please fix\n- [ ] a\n```make``` first\n- [ ] b"), "a; b");
        assert_eq!(found("As in\n```\n- [ ] x\n```\n- [ ] y"), "y");
    }
}
