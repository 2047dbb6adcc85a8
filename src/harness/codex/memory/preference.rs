//! What a bullet of a preference says: what was asked, and what to do from now on.

use crate::model::{Memory, MemoryKind};

/// Makes a memory of what the user prefers: what follows the last arrow is how it is applied.
pub(super) fn fill(memory: &mut Memory) {
    memory.kind = MemoryKind::Feedback;
    let after = memory.body_md.rsplit_once(" -> ").map(|(_, rest)| rest.trim().to_owned());
    memory.how_to_apply = after.filter(|text| !text.is_empty());
}

/// Returns a text without the tasks that it names at its end, such as `[Task 1][Task 2]`, and their
/// numbers.
pub(super) fn without_tasks(text: &str) -> (String, Vec<u32>) {
    let (mut rest, mut numbers) = (text.trim_end(), Vec::new());
    while let Some((before, inner)) = rest.strip_suffix(']').and_then(|text| text.rsplit_once('['))
    {
        let found: Option<Vec<u32>> = inner
            .split([',', ';'])
            .map(|part| part.trim().trim_start_matches("Task ").trim().parse().ok())
            .collect();
        match found {
            Some(found) if inner.starts_with("Task") => numbers.extend(found),
            _ => break,
        }
        rest = before.trim_end();
    }
    numbers.sort_unstable();
    (rest.to_owned(), numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_taken_off_the_end() {
        let told = |text| without_tasks(text);
        assert_eq!(told("a -> b [Task 2][Task 1]"), ("a -> b".to_owned(), vec![1, 2]));
        assert_eq!(told("a [Task 1, Task 3]"), ("a".to_owned(), vec![1, 3]));
        assert_eq!(told("a [ad-hoc note]"), ("a [ad-hoc note]".to_owned(), vec![]));
        assert_eq!(told("see [Task 1] there"), ("see [Task 1] there".to_owned(), vec![]));
    }

    #[test]
    fn the_default_is_how_it_is_applied() {
        let body = "when a test fails, the user asked: \"show it\" -> show the output first";
        let mut memory = Memory { body_md: body.to_owned(), ..Memory::default() };
        fill(&mut memory);
        assert_eq!(memory.how_to_apply.as_deref(), Some("show the output first"));
        assert_eq!(memory.kind, MemoryKind::Feedback);
    }
}
