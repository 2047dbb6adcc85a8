//! What an agent says between tags.

use std::borrow::Cow;
use std::ops::Range;

use super::text::{fenced, untagged};

/// Tags in which an agent writes what it thinks of first, and those in which it then says what comes of it.
const DRAFTS: &[&str] = &["analysis", "draft", "reasoning", "scratchpad", "thinking", "thoughts"];
const ANSWERS: &[&str] =
    &["answer", "conclusion", "final", "final_answer", "output", "response", "result", "summary"];

/// In a text of more bytes nobody looks for them.
const MOST_TAGGED: usize = 30_000;

/// Returns what an agent says to somebody: all but the drafts behind which an answer in tags comes, without the tags
/// with which a line begins and that are closed. What stands between fences is only shown.
pub(super) fn answer(words: &str) -> Cow<'_, str> {
    let words = untagged(words);
    if words.len() > MOST_TAGGED || !words.contains("</") {
        return Cow::Borrowed(words);
    }
    let mut lines = Lines::of(words);
    let last_answer = (0..lines.0.len()).rfind(|at| lines.tagged(*at, ANSWERS).is_some());
    let (mut at, mut is_changed) = (0, false);
    while at < lines.0.len() {
        let draft = lines.tagged(at, DRAFTS);
        let Some((tag, end)) = draft.or_else(|| lines.tagged(at, ANSWERS)) else {
            at += 1;
            continue;
        };
        is_changed = true;
        match draft.is_some() && Some(end) <= last_answer {
            true => lines.drop(tag, at..end),
            false => lines.strip(tag, at..end),
        }
    }
    if is_changed { Cow::Owned(lines.joined()) } else { Cow::Borrowed(words) }
}

/// The lines of a text but those that are left out, each with whether it stands between fences.
struct Lines<'w>(Vec<(Option<&'w str>, bool)>);

impl<'w> Lines<'w> {
    fn of(words: &'w str) -> Self {
        let mut is_code = fenced();
        Self(words.lines().map(|line| (Some(line), is_code(line))).collect())
    }

    /// Returns a line that is still there and stands between no fences.
    fn said(&self, at: usize) -> Option<&'w str> {
        self.0[at].0.filter(|_| !self.0[at].1)
    }

    /// Returns with which of the tags a line begins, and the line at whose beginning or end that is closed.
    fn tagged(&self, at: usize, tags: &[&'static str]) -> Option<(&'static str, usize)> {
        let line = self.said(at)?.trim_start();
        let begins = |tag: &&str| after_open(line, tag).is_some();
        let tag = tags.iter().copied().find(begins)?;
        let closes = |at: &usize| self.said(*at).is_some_and(|line| closed(line, tag).is_some());
        (at..self.0.len()).find(closes).map(|end| (tag, end))
    }

    /// Leaves out what stands between a tag and its end.
    fn drop(&mut self, tag: &str, Range { start, end }: Range<usize>) {
        let rest = self.0[end].0.and_then(|line| line.trim_start().strip_prefix(&close(tag)));
        self.0[start..end].iter_mut().for_each(|line| line.0 = None);
        self.0[end].0 = rest.filter(|rest| !rest.trim().is_empty());
    }

    /// Leaves out the tag and its end.
    fn strip(&mut self, tag: &str, Range { start, end }: Range<usize>) {
        let told = |line: &&str| !line.trim().is_empty();
        self.0[start].0 = self.0[start].0.and_then(|line| after_open(line, tag)).filter(told);
        self.0[end].0 = self.0[end].0.and_then(|line| closed(line, tag)).filter(told);
    }

    /// Joins them; of the blank lines around what was left out one stays.
    fn joined(&self) -> String {
        let (mut kept, mut is_cut): (Vec<&str>, bool) = (Vec::new(), false);
        for (line, _) in &self.0 {
            let Some(line) = line else {
                is_cut = true;
                continue;
            };
            let is_blank = |line: &str| line.trim().is_empty();
            if is_cut && is_blank(line) && kept.last().is_none_or(|last| is_blank(last)) {
                continue;
            }
            is_cut = false;
            kept.push(line);
        }
        kept.join("\n").trim_end().to_owned()
    }
}

fn close(tag: &str) -> String {
    format!("</{tag}>")
}

/// Returns what stands on a line behind the tag with which it begins.
fn after_open<'w>(line: &'w str, tag: &str) -> Option<&'w str> {
    line.trim_start().strip_prefix('<')?.strip_prefix(tag)?.strip_prefix('>')
}

/// Returns a line without the end of a tag with which it begins or ends.
fn closed<'w>(line: &'w str, tag: &str) -> Option<&'w str> {
    let close = close(tag);
    line.trim_end().strip_suffix(&close).or_else(|| line.trim_start().strip_prefix(&close))
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn what_comes_behind_a_draft_is_the_answer() {
        let drafted = "Here it is.\n\n<analysis>\nThe lamp burns.\n</analysis>\n\n<summary>\nLight the gate.\n</summary>\n";
        assert_eq!(answer(drafted), "Here it is.\n\nLight the gate.");
        let asked = format!("{drafted}\nShall I?\n");
        assert_eq!(answer(&asked), "Here it is.\n\nLight the gate.\n\nShall I?");
        let two = "<draft>\na\n</draft>\n\n<result>\nOne.\n</result>\n<summary>\nTwo.\n</summary>";
        assert_eq!(answer(two), "One.\nTwo.");
        assert_eq!(answer("<draft>a</draft>\n<answer>One.</answer>"), "One.");
        let shown = "<draft>\nOne.\n</draft>\n\n```xml\n<result>\nx\n</result>\n```\nTwo.";
        let told = "One.\n\n```xml\n<result>\nx\n</result>\n```\nTwo.";
        assert_eq!(answer(shown), told);
        // Without a draft, or behind none, all is said.
        let said = "One.\n\n<summary>\nTwo.\n</summary>\n\nThree.";
        assert_eq!(answer(said), "One.\n\nTwo.\n\nThree.");
        let turned = "<summary>\nTwo.\n</summary>\n<analysis>\nOne.\n</analysis>\nThree.";
        assert_eq!(answer(turned), "Two.\nOne.\nThree.");
        for other in [
            "One.\n<summary>\nTwo.",
            "One.\n```xml\n<summary>\n</summary>\n```\nTwo.",
            "The tag <summary>\nis closed by\n</summary> here.",
            "One.\n</summary>\nTwo.\n<summary>\nThree.",
            "No tag at all.\n",
        ] {
            assert_eq!(answer(other), other);
        }
    }
}
