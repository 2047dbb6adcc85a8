//! Boxes of lists that a request names by their numbers.

use super::said::marked;
use crate::derive::words;
use crate::model::goes_on;

/// Words behind which a number is that of a box or of a part of the list, be they longer by an ending.
const LABELS: &[&str] = &[
    "box",
    "item",
    "phase",
    "point",
    "section",
    "step",
    "task", // English
    "abschnitt",
    "aufgabe",
    "punkt",
    "schritt", // German
    "étape",
    "tâche",
    "paso",
    "tarea",
    "passo",
    "tarefa", // French, Spanish, Portuguese
    "задач",
    "пункт",
    "шаг", // Russian
    "任务",
    "步骤",
    "タスク",
    "手順",
    "작업",
    "단계", // Chinese, Japanese, Korean
];
/// How many bytes such an ending has at most.
const ENDING_BYTES: usize = 4;
/// Words behind which it is so in a request of a few words: other ones measure, or name what has a version.
const LEADS: &[&str] = &["do", "finish", "implement", "next", "now", "start", "then"];
/// The same where the request says to go on with it.
pub(super) const WITH: &[&str] = &["com", "con", "mit", "avec", "with"];
/// Words between two numbers of which both are that of a box, or none.
const JOINTS: &[&str] = &["and", "e", "et", "or", "to", "und", "y"];
/// How many words a request has at most that says by a number alone what it is about.
const FEW_WORDS: usize = 8;

/// How many bytes a request has at most in which a box is named: more is a text that somebody pasted.
const MOST_BYTES: usize = 4_000;

/// Whether somebody names an open box by its number, such as "4.1", or a part of the list by that in its heading: as such,
/// or in hardly any other words.
///
/// A part of the list has a number like anything else: it is named where the request goes on with it, or says no more than
/// to begin with it.
pub(super) fn names_box(request: &str, text: &str) -> bool {
    if request.len() > MOST_BYTES {
        return false;
    }
    let low = request.to_lowercase();
    let is_few = low.split_whitespace().nth(FEW_WORDS).is_none();
    let mut was_meant = false;
    for (at, number) in numbers(&low) {
        let how = how_led(&low[..at], was_meant);
        was_meant = match how {
            Led::ByLabel => {
                let (before, behind) = (&low[..at], &low[at + number.len()..]);
                let is_asked = || is_few && is_begun(before) || is_all(before, behind);
                let is_meant = || goes_on(&low) || is_asked() && !is_of_other(behind, IN);
                let is_part = || !before.ends_with('#') && is_meant();
                !is_of_other(behind, OF) && (number.contains('.') || is_part())
            }
            Led::Bare => is_few && number.contains('.'),
            Led::With => is_few && number.contains('.') && goes_on(&low),
            Led::Otherwise => false,
        };
        let is_part = || how == Led::ByLabel && heads(text, number);
        if was_meant && (opens_box(text, number) || is_part()) {
            return true;
        }
    }
    false
}

/// Returns the numbers of a text that stand alone, with their places.
fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let all = text.split(move |c| !is_part(c)).map(|word| word.trim_matches('.'));
    let all = all.map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word));
    all.filter(|(at, word)| {
        let behind = text[at + word.len()..].chars().next();
        !word.is_empty() && !behind.is_some_and(|c| c.is_ascii_alphanumeric() || c == '%')
    })
}

/// What leads to a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Led {
    /// A word or a mark for what has a number.
    ByLabel,
    /// Nothing, or a word that says when or that it is to be done.
    Bare,
    /// A word by which it is what to go on with.
    With,
    Otherwise,
}

fn how_led(before: &str, was_meant: bool) -> Led {
    let bare = before.trim_end_matches(|c: char| !c.is_alphanumeric());
    let between = &before[bare.len()..];
    let last = bare.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_label = |label: &&str| {
        let is_form = last.starts_with(*label) && last.len() <= label.len() + ENDING_BYTES;
        is_form || !label.is_ascii() && last.ends_with(*label)
    };
    let follows = last.bytes().all(|byte| byte.is_ascii_digit()) || JOINTS.contains(&last);
    match () {
        () if between.ends_with('#') || LABELS.iter().any(is_label) => Led::ByLabel,
        () if bare.is_empty() || between.contains([':', '\n']) => Led::Bare,
        () if was_meant && follows => Led::Bare,
        () if between.is_empty() => Led::Otherwise,
        () if LEADS.contains(&last) => Led::Bare,
        () if WITH.contains(&last) => Led::With,
        () => Led::Otherwise,
    }
}

/// Whether a label before a number stands alone, or behind a word by which it is to be done.
fn is_begun(before: &str) -> bool {
    let mut words = before.split(|c: char| !c.is_alphanumeric()).rev().filter(|it| !it.is_empty());
    words.next().is_some() && words.find(|it| *it != "the").is_none_or(|word| LEADS.contains(&word))
}

/// Words beside which that is no more than a short order: "move on to section 3, please".
const LINKS: &[&str] =
    &["a", "ahead", "den", "der", "die", "el", "la", "le", "now", "o", "on", "please", "the", "to"];
/// Words by which it is looked at, left out or taken back, or something else is there.
const NOT_TO_DO: &[&str] = &[
    "about",
    "after",
    "at",
    "before",
    "cancel",
    "check",
    "close",
    "compare",
    "defer",
    "delay",
    "delete",
    "describe",
    "discuss",
    "don",
    "drop",
    "estimate",
    "except",
    "explain",
    "finished",
    "for",
    "from",
    "how",
    "ignore",
    "in",
    "no",
    "not",
    "postpone",
    "quote",
    "read",
    "reject",
    "remove",
    "rename",
    "review",
    "revert",
    "see",
    "show",
    "skip",
    "stop",
    "summarize",
    "undo",
    "until",
    "what",
    "why",
    "without",
];
/// Labels that things have as well which somebody only said.
const SAID: &[&str] = &["item", "point", "punkt", "пункт"];
/// How many other words such an order has at most before what it names.
const MOST_BEFORE: usize = 2;

/// Whether a label with its number ends a short clause with which a request begins, or that follows a nod: what it says
/// to do then is that, in any language.
fn is_all(before: &str, behind: &str) -> bool {
    let parts = |c: char| matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '\n');
    let (nod, clause) = match before.rfind(parts) {
        Some(at) => (&before[..at], &before[at + 1..]),
        None => ("", before),
    };
    let own = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words
            .filter(|word| !LINKS.contains(word) && !WITH.contains(word))
            .map(str::to_owned)
            .collect()
    };
    // The last of them is the label.
    let before = own(clause);
    let is_said = |label: &String| SAID.iter().any(|said| label.starts_with(said));
    let is_order = before.len() <= MOST_BEFORE + 1
        && !before.last().is_some_and(is_said)
        && !before.iter().any(|word| NOT_TO_DO.contains(&word.as_str()));
    let end = behind.find(parts).unwrap_or(behind.len());
    let rest = own(&behind[..end]);
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let ends = rest.iter().all(|word| is_number(word) || JOINTS.contains(&word.as_str()));
    let is_nod = || own(nod).len() <= MOST_BEFORE && words::begins_with_assent(nod);
    is_order && ends && !behind[end..].starts_with('?') && (nod.is_empty() || is_nod())
}

/// Words by which a number is that of something, and those for the list of which it may be.
const OF: &[&str] = &["de", "del", "der", "des", "du", "of", "vom", "von"];
const IN: &[&str] = &["in"];
const OF_LIST: &[&str] = &["change", "list", "plan", "spec", "task", "todo"];

/// Whether what stands behind a number, or behind several, says by a word `of` that it is that of something else than a
/// list.
fn is_of_other(behind: &str, of: &[&str]) -> bool {
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let clause = behind.split([',', ';', ':', '\n', '?', '!']).next().unwrap_or_default();
    let words = clause.split(|c: char| !c.is_alphanumeric());
    let mut words = words.skip_while(|word| is_number(word) || JOINTS.contains(word));
    let is_of = words.next().is_some_and(|word| of.contains(&word));
    is_of && !words.take(3).any(|word| OF_LIST.iter().any(|it| word.starts_with(it)))
}

/// Whether an open box begins with a number of several parts, or with one of a part of the list: "4.1" for "4".
fn opens_box(text: &str, number: &str) -> bool {
    let is_it = |own: &str| {
        let rest = own.strip_prefix(number);
        rest.is_some_and(
            |rest| if number.contains('.') { rest.is_empty() } else { rest.starts_with('.') },
        )
    };
    let own = |rest: &str| bare(rest.split_whitespace().next().unwrap_or_default()).to_owned();
    marked(text).any(|(is_open, rest)| is_open && is_it(&own(rest)))
}

/// Whether a heading has a number as its first one.
fn heads(text: &str, number: &str) -> bool {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut heads = text.lines().filter(|line| line.starts_with('#'));
    heads.any(|line| line.split_whitespace().map(bare).find(is_number) == Some(number))
}

/// Returns a number without the marks around it.
fn bare(number: &str) -> &str {
    number.trim_matches(|c: char| !c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::names_box;

    const LIST: &str = "# Tasks\n\n## 1. Read\n- [x] 1.1 read\n- [ ] 1.2 parse\n\n## Phase 2: rest\n- [ ] 2.1 test\n- [ ] **2.2** say\n";

    #[test]
    fn a_part_of_a_list_is_named_by_the_first_number_of_its_boxes() {
        let list = "- [ ] 1.1 read\n- [ ] 2.1 test\n- [ ] 30 end\n";
        assert!(names_box("go on with section 2", list));
        assert!(!names_box("go on with section 3", list) && !names_box("2", list));
        for request in [
            "phase 2",
            "now do phase 2",
            "go on with task 2 of the list",
            "do task 2 in tasks.md",
            "work on task 2",
            "complete step 2",
            "ok, phase 2",
            "go ahead with phase 2",
            "move on to section 2",
            "implementa la tarea 2",
            "mach Aufgabe 2",
            "implement phase 2, then write a summary of what you did there",
        ] {
            assert!(names_box(request, list), "{request}");
        }
        for request in [
            "fix issue #2",
            "review PR #2 and mend what is wrong",
            "close #1 and #2",
            "see section 2 of the RFC and mend the header",
            "CI fails in step 2; mend it",
            "fix the bug in points 1 and 2 of the review",
            "phase 2 of the rocket",
            "mend task 2 of the scheduler",
            "start step 2.1 of the build",
            "do task 2 in JIRA",
            "skip task 2",
            "see section 2",
            "fix point 2",
            "in step 2 it fails",
            "it fails: step 2",
            "why task 2?",
            "is it task 2?",
            "write what task 2 needs",
        ] {
            assert!(!names_box(request, list), "{request}");
        }
    }

    #[test]
    fn a_box_is_named_by_its_number_alone_or_as_what_it_is() {
        for request in [
            "1.2",
            "#1.2",
            "next: 1.2 please",
            "now 1.2 and 2.1",
            "do 1.1 and 1.2",
            "do 1.2-2.2",
            "continue with 1.2",
            "mach weiter mit Aufgabe 1.2",
            "weiter mit 1.2",
            "the importer is to be tested as task 2.2 says, and nothing besides",
            "start phase 2",
            "go on with section 2",
            "完成任务1.2",
        ] {
            assert!(names_box(request, LIST), "{request}");
        }
        for request in [
            "upgrade serde to 1.2 and 2.1",
            "the amounts grew by 1.2 percent, 2.1 before; why?",
            "use python 1.2 and node 2.1",
            "bump the version to 1.2",
            "it crashes with 1.2",
            "v1.2",
            "1.2% of it",
            "redo task 1.1",
            "start phase 3",
            "section 3",
            "2",
            "",
        ] {
            assert!(!names_box(request, LIST), "{request}");
        }
    }
}
