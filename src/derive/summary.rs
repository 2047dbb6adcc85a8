//! The harness's own last compaction summary and its running notes, by their sections.

use serde::Serialize;

use super::outcomes::{commits_something, pushes};
use super::timeline::Timeline;
use super::{open_work, topic};
use crate::model::{Action, Body, Item, Origin};

/// A compaction summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The id of the compaction.
    pub id: String,
    /// The turn after which it was made.
    pub turn: u32,
    /// Whether it can be read; if not there are no sections.
    pub readable: bool,
    /// Its sections, the most useful for the next step first.
    pub sections: Vec<Section>,
}

/// A section of a summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Section {
    /// Its heading; empty where the summary has none.
    pub title: String,
    /// What stands under it.
    pub text: String,
    /// How much it helps the next step, from 0 to 1.
    #[serde(skip)]
    pub worth: f64,
    /// The turn after which it was written.
    #[serde(skip)]
    pub turn: u32,
}

/// Words of headings, and how much what stands under them helps the next step.
const WORTH: &[(&str, f64)] = &[
    ("user messages", 0.2),
    ("next", 1.0),
    ("pending", 1.0),
    ("remaining", 1.0),
    ("task_state", 1.0),
    ("current", 0.9),
    ("continuing", 0.9),
    ("constraint", 0.9),
    ("recent", 0.7),
    ("error", 0.7),
    ("decision", 0.8),
    ("goal", 0.7),
    ("request", 0.6),
    ("preserve", 0.6),
    ("knowledge", 0.6),
    ("discover", 0.6),
    ("artifact", 0.6),
    ("file", 0.6),
    ("problem", 0.5),
    ("concept", 0.3),
];

/// Returns the last summary that counts, with what the harness's running notes say beside it.
pub(super) fn last(timeline: &Timeline<'_>) -> Option<Summary> {
    let (summed, noted) = (compacted(timeline), noted(timeline));
    let mut summary = match (summed, noted) {
        (Some(mut summed), Some(noted)) => {
            let is_new = |section: &Section| summed.sections.iter().all(|s| s.text != section.text);
            let new: Vec<_> = noted.sections.into_iter().filter(is_new).collect();
            summed.sections.extend(new);
            summed
        }
        (summed, noted) => summed.or(noted)?,
    };
    summary.sections.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    Some(summary)
}

/// Returns the notes that the harness kept while the session went on; what its template says of a
/// section, in italics below the heading, is none.
fn noted(timeline: &Timeline<'_>) -> Option<Summary> {
    let found = timeline.items.iter().rev().find_map(|item| match &item.body {
        Body::Notice { kind, text: Some(text) } if kind == "session_memory" => Some((item, text)),
        _ => None,
    });
    let (item, text) = found?;
    let text = super::text::plain(&text.plain());
    let mut is_below_heading = false;
    let mut is_hint = |line: &str| {
        let is_one = line.len() > 2 && line.starts_with('_') && line.ends_with('_');
        let before = std::mem::replace(&mut is_below_heading, line.starts_with('#'));
        is_below_heading |= before && line.is_empty();
        before && is_one
    };
    let lines = text.lines().map(str::trim_end).filter(|line| !is_hint(line));
    let sections = sections(&lines.collect::<Vec<_>>().join("\n"), item.turn);
    let summary = Summary { id: item.id.to_string(), turn: item.turn, readable: true, sections };
    (!summary.sections.is_empty()).then_some(summary)
}

fn compacted(timeline: &Timeline<'_>) -> Option<Summary> {
    let found = timeline.items.iter().rev().find_map(|item| match &item.body {
        Body::Compaction(compaction) => Some((item, compaction)),
        _ => None,
    });
    let (item, compaction) = found?;
    let text = compaction.summary.as_ref().map(|text| text.plain().into_owned());
    let mut sections = text.map(|text| sections(&text, item.turn)).unwrap_or_default();
    if is_past(timeline, item.line) || was_answered(timeline, item.line) {
        sections.iter_mut().for_each(Section::grow_old);
    }
    let made = made_since(timeline, item.line);
    sections.iter_mut().for_each(|section| section.mark(&made));
    Some(Summary {
        id: item.id.to_string(),
        turn: item.turn,
        readable: compaction.readable,
        sections,
    })
}

/// What can stand in the way of work until it is done, and how a summary says that it is not.
struct Act {
    does: fn(&str) -> bool,
    open: &'static [&'static str],
    told: &'static str,
}

const ACTS: &[Act] = &[
    Act {
        does: commits_something,
        open: &[
            "commit blocked",
            "commit failed",
            "commit is blocked",
            "commit pending",
            "not been committed",
            "not committed",
            "not yet committed",
            "uncommitted",
        ],
        told: " (then; a commit was made since)",
    },
    Act {
        does: pushes,
        open: &[
            "push blocked",
            "push failed",
            "push is blocked",
            "push pending",
            "not been pushed",
            "not pushed",
            "not yet pushed",
            "unpushed",
        ],
        told: " (then; something was pushed since)",
    },
];

/// Returns the acts that were done behind a line.
fn made_since(timeline: &Timeline<'_>, line: u64) -> Vec<&'static Act> {
    let later = || timeline.done().filter(|done| done.item.line > line && done.worked());
    let was_done = |act: &&Act| later().any(|done| done.command().is_some_and(act.does));
    ACTS.iter().filter(was_done).collect()
}

/// Whether work went on behind a line until something was committed, or until the agent had changed
/// something and came to an end.
fn is_past(timeline: &Timeline<'_>, line: u64) -> bool {
    let mut later = timeline.done().filter(|done| done.item.line > line && done.worked());
    let ended = open_work::last_words(timeline).is_some();
    later.any(|done| match done.call.action.as_deref() {
        Some(Action::Edit { .. }) => ended,
        Some(Action::Shell { command, .. }) => commits_something(command),
        _ => false,
    })
}

/// Whether the user asked for something else behind a line, once the agent had said something there.
fn was_answered(timeline: &Timeline<'_>, line: u64) -> bool {
    let is_said = |item: &&Item<'_>| {
        let Body::Message(message) = &item.body else { return false };
        item.line > line && message.origin == Origin::Model
    };
    let Some(said) = timeline.items.iter().copied().find(is_said) else { return false };
    timeline
        .requests()
        .any(|(item, message)| item.line > said.line && !topic::is_nod(&message.words()))
}

/// Words of headings under which stands what was to be done when a summary was made.
const TO_DO: &[&str] = &["next", "pending", "remaining", "current", "continuing", "task_state"];
/// How much less that is worth once work went on.
const PAST: f64 = 0.15;

/// Words of what binds the work: of a section that has to be cut such lines are told first.
const BINDING: &[&str] =
    &["always", "don't", "forbidden", "must", "never", "not", "only", "required", "until"];
/// How much of what is told of a section such lines take at most, in parts of a hundred.
const BINDING_SHARE: usize = 60;

impl Section {
    /// Returns its text in at most `most` characters, as whole lines where it is longer: first those that bind the
    /// work, then from the begin on; code is left out. More room only adds.
    pub fn shortened(&self, most: usize) -> String {
        if self.text.chars().count() <= most {
            return self.text.clone();
        }
        let mut lines: Vec<&str> = self.text.lines().collect();
        let mut fenced = fenced(&lines).into_iter();
        lines.retain(|_| fenced.next() != Some(true));
        let mut taken = vec![false; lines.len()];
        let binds = |line: &str| {
            let low = line.to_lowercase();
            let mut words = low.split(|c: char| !c.is_alphanumeric() && c != '\'');
            words.any(|word| BINDING.contains(&word))
        };
        let binding = (0..lines.len()).filter(|at| binds(lines[*at]));
        let mut left = most * BINDING_SHARE / 100;
        let spare = most - left;
        take(&lines, binding, &mut left, &mut taken);
        left += spare;
        take(&lines, 0..lines.len(), &mut left, &mut taken);
        drop_bare(&lines, &mut taken);
        let told = joined(&lines, &taken);
        if told.is_empty() { super::text::clip(&self.text, most) } else { told }
    }

    fn is_to_do(&self) -> bool {
        let title = self.title.to_lowercase();
        TO_DO.iter().any(|word| title.contains(word))
    }

    /// Says of a list of what was to be done that it can be done by now.
    fn grow_old(&mut self) {
        if self.is_to_do() {
            self.title.push_str(" (then; it may be done since)");
            self.worth *= PAST;
        }
    }

    /// Says behind each line by which an act is not done yet that it was done since; a list of what was to be
    /// done says so of all that stands in it.
    fn mark(&mut self, made: &[&Act]) {
        if made.is_empty() || self.is_to_do() {
            return;
        }
        let marked = self.text.lines().map(|line| {
            let low = line.to_lowercase();
            let is_open = |act: &&&Act| act.open.iter().any(|form| low.contains(form));
            format!("{line}{}", made.iter().find(is_open).map_or("", |act| act.told))
        });
        self.text = marked.collect::<Vec<_>>().join("\n");
    }
}

/// Takes of `lines` those at `places`, until the next has no room any more.
fn take(lines: &[&str], places: impl Iterator<Item = usize>, left: &mut usize, taken: &mut [bool]) {
    for at in places {
        let cost = lines[at].chars().count() + GAP.len() + 2;
        if taken[at] {
            continue;
        }
        let Some(rest) = left.checked_sub(cost) else { break };
        (*left, taken[at]) = (rest, true);
    }
}

/// Whether a line is a heading, or leads to what stands below it; one that is only bold can be a rule.
fn leads(line: &str) -> bool {
    let line = line.trim();
    let bare = line.trim_end_matches(['*', '_']);
    line.starts_with('#') || bare.ends_with([':', '：'])
}

/// Leaves out lines that lead to something of which nothing is told.
fn drop_bare(lines: &[&str], taken: &mut [bool]) {
    let mut is_told = false;
    for at in (0..lines.len()).rev() {
        if lines[at].trim().is_empty() {
            continue;
        }
        taken[at] &= is_told || !leads(lines[at]);
        is_told = taken[at];
    }
}

/// What stands where lines are left out.
const GAP: &str = "[…]";

/// Puts the lines that were taken together, with a mark where some are missing.
fn joined(lines: &[&str], taken: &[bool]) -> String {
    let mut told: Vec<&str> = Vec::new();
    for (line, is_taken) in lines.iter().zip(taken) {
        match is_taken {
            true => told.push(line),
            false if line.trim().is_empty() => {}
            false if told.last() != Some(&GAP) => told.push(GAP),
            false => {}
        }
    }
    if told.iter().all(|line| *line == GAP || line.trim().is_empty()) {
        return String::new();
    }
    told.join("\n").trim().to_owned()
}

/// Tells of each line whether it stands in a fence of code, or is one. Where a fence is not closed nobody knows
/// which lines are code, and a fence around all that is said holds no code: then none is.
fn fenced(lines: &[&str]) -> Vec<bool> {
    let mut fenced = vec![false; lines.len()];
    let mut open: Option<(usize, usize)> = None;
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim();
        let rest = line.trim_start_matches('`');
        let ticks = line.len() - rest.len();
        match open {
            // What is closed on its own line opens nothing.
            _ if ticks < 3 || rest.contains('`') => {}
            Some((_, first)) if ticks < first => {}
            None => open = Some((at, ticks)),
            Some((first, _)) if rest.is_empty() => {
                fenced[first..=at].fill(true);
                open = None;
            }
            Some(_) => return vec![false; lines.len()],
        }
    }
    let is_all =
        lines.iter().zip(&fenced).all(|(line, is_code)| *is_code || line.trim().is_empty());
    if open.is_some() || is_all { vec![false; lines.len()] } else { fenced }
}

/// Takes a summary that was written after a turn apart at its headings.
fn sections(text: &str, turn: u32) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut open = Section { title: String::new(), text: String::new(), worth: 0.5, turn };
    let lines: Vec<&str> = text.lines().collect();
    for (line, is_code) in lines.iter().zip(fenced(&lines)) {
        match heading(line).filter(|_| !is_code) {
            Some((title, rest)) => {
                found.push(std::mem::replace(
                    &mut open,
                    Section { worth: worth(&title), title, text: rest, turn },
                ));
            }
            None if line.trim_start().starts_with("</") && !is_code => {}
            None => {
                open.text.push_str(line);
                open.text.push('\n');
            }
        }
    }
    found.push(open);
    found.iter_mut().for_each(|section| section.text = without_indent(&section.text));
    found.retain(|section| !section.text.is_empty());
    found
}

/// Returns a text without what all its lines are indented by, and without blank ones around it.
fn without_indent(text: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let is_said = |line: &&str| !line.trim().is_empty();
    let indent = text.lines().filter(is_said).map(blanks).min().unwrap_or(0);
    let lines = text.lines().skip_while(|line| !is_said(line));
    let lines: Vec<&str> = lines.map(|line| line.get(indent..).unwrap_or_default()).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Returns title and rest of a line that begins a section: `3. Title:`, `## Title`,
/// `**Title**:`, or a tag alone on its line.
fn heading(line: &str) -> Option<(String, String)> {
    let bare = line.trim_end();
    if let Some((tag, rest)) =
        bare.trim_start().strip_prefix('<').and_then(|line| line.split_once('>'))
        && let Some(text) = rest.strip_suffix(&format!("</{tag}>"))
    {
        return Some((tag.to_owned(), format!("{text}\n")));
    }
    if let Some(tag) = bare.trim_start().strip_prefix('<').and_then(|tag| tag.strip_suffix('>')) {
        let is_word = !tag.is_empty() && tag.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        return is_word.then(|| (tag.to_owned(), String::new()));
    }
    if let Some(title) = bare.strip_prefix('#') {
        return Some((title.trim_matches(['#', ' ', '*']).to_owned(), String::new()));
    }
    let numbered = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        numbered.strip_prefix(". ").filter(|_| bare.starts_with(|c: char| c.is_ascii_digit()));
    let bold = numbered.unwrap_or(bare).strip_prefix("**");
    let (title, rest) = match (numbered, bold) {
        (_, Some(bold)) => bold.split_once("**")?,
        (Some(numbered), None) => numbered.split_once(':')?,
        (None, None) => return None,
    };
    let short = title.split_whitespace().count() <= 7 && !title.contains('`');
    let rest = rest.trim_start_matches(':').trim();
    let starts = short && (numbered.is_some() || rest.is_empty());
    starts.then(|| (title.trim_end_matches(':').trim().to_owned(), format!("{rest}\n")))
}

fn worth(title: &str) -> f64 {
    let title = title.to_lowercase();
    WORTH.iter().find(|(word, _)| title.contains(word)).map_or(0.5, |(_, worth)| *worth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_section_that_is_cut_what_binds_the_work_is_told_first() {
        let code = format!("```yaml\n{}```\n", "  name: build the image\n".repeat(20));
        let filler = "- It was looked at in the files.\n".repeat(30);
        let rule = "- Deletion must name one tag, never a filter";
        let text = format!("The user asks:\n{code}{filler}{rule}\n- the end");
        let section = Section { title: String::new(), text, worth: 1.0, turn: 0 };
        let told = section.shortened(240);
        assert!(told.starts_with("The user asks:\n- It was looked at"), "{told}");
        assert!(told.ends_with(&format!("[…]\n{rule}\n[…]")), "{told}");
        assert!(told.chars().count() <= 240 && !told.contains("image"), "{told}");
        let more = section.shortened(600);
        assert!(told.lines().filter(|line| *line != GAP).all(|line| more.contains(line)));
        assert_eq!(section.shortened(10_000), section.text);
        let long = Section { text: "word ".repeat(100), ..section };
        assert!(long.shortened(60).starts_with("word word"));
    }

    #[test]
    fn no_heading_stands_above_nothing() {
        let filler = "- It was looked at in the files of each of the rooms.\n".repeat(12);
        let text = format!(
            "The rooms:\n{filler}\n**What must never be done:**\n{filler}\n## Must be kept\n{filler}- Never light the attic\n"
        );
        let section = Section { title: String::new(), text, worth: 1.0, turn: 0 };
        for most in 120..900 {
            let told = section.shortened(most);
            let rows: Vec<&str> = told.lines().filter(|row| !row.trim().is_empty()).collect();
            let bare = |pair: &[&str]| leads(pair[0]) && (pair[1] == GAP || leads(pair[1]));
            assert!(!rows.windows(2).any(bare), "{most}: {told}");
        }
        let told = section.shortened(240);
        assert!(told.ends_with("- Never light the attic") && !told.contains("**"), "{told}");
    }

    #[test]
    fn lists_keep_their_depth_whatever_a_section_is_indented_by() {
        let text = "   - one\n     - within\n\n   - two\n";
        assert_eq!(without_indent(text), "- one\n  - within\n\n- two");
        assert_eq!(without_indent("Words.\n   - one\n"), "Words.\n   - one");
        assert_eq!(without_indent(" \n  a\n b\n"), " a\nb");
        assert_eq!(without_indent(" \n\n"), "");
    }

    #[test]
    fn only_closed_fences_are_code() {
        let filler = "- It was looked at in the files.\n".repeat(30);
        let told = |code: &str| {
            let text = format!("Start:\n{code}\n{filler}- Never push to main\n");
            Section { title: String::new(), text, worth: 1.0, turn: 0 }.shortened(240)
        };
        for code in ["```yaml\na: b", "``` x ```", "```\na: b\n\n```bash\nmake\n```"] {
            assert!(told(code).ends_with("- Never push to main"), "{}", told(code));
        }
        let whole = told("````md\n```sh\nnever seen\n```\n````");
        assert!(whole.ends_with("- Never push to main") && !whole.contains("seen"), "{whole}");
    }

    #[test]
    fn a_comment_in_code_is_no_heading() {
        let text = "## Rules\n```sh\n# build all\nmake\n</x>\n```\nNever push\n## Next\nship";
        let found = sections(text, 0);
        let told: Vec<_> = found.iter().map(|one| (&*one.title, &*one.text)).collect();
        let rules = "```sh\n# build all\nmake\n</x>\n```\nNever push";
        assert_eq!(told, [("Rules", rules), ("Next", "ship")]);
        // A fence that is not closed, or around all, hides no heading.
        assert_eq!(sections("## Rules\n```sh\nmake\n## Next\nship", 0).len(), 2);
        assert_eq!(sections("```md\n## Rules\na\n## Next\nb\n```", 0).len(), 3);
    }

    #[test]
    fn summaries_are_taken_apart_in_each_form() {
        let text = "1. Primary Request and Intent:\n   Fix it.\n7. Pending Tasks:\n   - tests\n\n9. Optional Next Step: run `make`\n";
        let titles: Vec<_> =
            sections(text, 0).iter().map(|s| (s.title.clone(), s.text.clone())).collect();
        assert_eq!(titles[0], ("Primary Request and Intent".into(), "Fix it.".into()));
        assert_eq!(titles[1].1, "- tests");
        assert_eq!(titles[2], ("Optional Next Step".into(), "run `make`".into()));
        let tags = "<overall_goal>\nShip\n</overall_goal>\n<task_state>\n1. [DONE] a\n2. [TODO] b\n</task_state>";
        assert_eq!(sections(tags, 0)[1].text, "1. [DONE] a\n2. [TODO] b");
        let short =
            sections("<overall_goal>Ship</overall_goal>\n<key_knowledge>x</key_knowledge>", 0);
        assert_eq!((short[0].title.as_str(), short[1].text.as_str()), ("overall_goal", "x"));
        assert_eq!(sections("## Current State\nx\n## Next\ny", 0)[1].worth, 1.0);
    }
}
