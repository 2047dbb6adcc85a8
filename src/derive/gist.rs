//! What a long message comes to.

use std::ops::Range;

use super::words;

/// A sentence of more characters is cut into parts of about so many.
const PART_CHARS: usize = 200;
/// In a reply of more words a number is hardly the name of what was chosen.
const CHOICE_WORDS: usize = 12;
/// So many sentences of the last paragraph come before the heads of numbered entries.
const LAST_PARTS: usize = 2;
/// However long a word is, a part of a sentence has no more characters.
const MOST_PART_CHARS: usize = 240;
/// A bold line of fewer characters is told whole, since it is a heading.
const BOLD_CHARS: usize = 120;
/// An opening of fewer characters says too little.
const OPENING_CHARS: usize = 60;
/// So many lines an entry has at most that is told with its head.
const MOST_BELOW: usize = 40;
/// With room for fewer characters nothing of the next part is told.
const LEAST_CHARS: usize = 60;
/// What stands where something was left out.
const GAP: &str = "[…]";

/// Returns what a message comes to in about `most` characters; more room only adds.
///
/// First stand its opening, the question with which it ends and the heads of what can be chosen, then the
/// first sentences of the paragraph with which it ends, then the heads of its numbered entries and the rest
/// of that paragraph, then the head of each other line, the
/// last first, since what is found or proposed mostly stands in lists and at the end; each under what leads
/// to its list. Rows of tables come next, then the rest of the lines, then code. What `reply` chooses by its
/// number comes whole after the opening.
pub fn gist(message: &str, reply: &str, most: usize) -> String {
    let message = message.trim();
    if message.chars().count() <= most {
        return message.to_owned();
    }
    let lines = lines(message);
    let mut left = most;
    let mut taken: Vec<Vec<usize>> = lines.iter().map(|line| vec![0; line.parts.len()]).collect();
    for (line, part) in order(message, &lines, reply) {
        if taken[line][part] > 0 {
            continue;
        }
        let text = &message[lines[line].parts[part].clone()];
        let cost = text.chars().count() + 1;
        if cost > left {
            // Of what does not fit whole its first words.
            taken[line][part] = if left >= LEAST_CHARS { start(text, left) } else { 0 };
            break;
        }
        left -= cost;
        taken[line][part] = text.len();
    }
    told(message, &lines, &taken)
}

/// Returns how many bytes of a text its first words have, in at most `most` characters.
fn start(text: &str, most: usize) -> usize {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let is_blank = |at: &usize| text[*at..].starts_with(char::is_whitespace);
    let blank = (end / 2..=end).rev().filter(|at| text.is_char_boundary(*at)).find(is_blank);
    blank.unwrap_or(end)
}

/// A line that is not blank.
struct Line {
    /// Its sentences, or parts of long ones; the first has the indentation.
    parts: Vec<Range<usize>>,
    kind: LineKind,
    /// Whether blank lines stand before it.
    is_apart: bool,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    Prose,
    /// It says little alone.
    Heading,
    Row,
    /// Code, and what stands around it, or between the head of a table and its rows.
    Code,
}

impl LineKind {
    fn of(bare: &str, is_code: bool) -> Self {
        let is_rule = |c: char| "|-=: *_".contains(c);
        match bare {
            _ if is_code || bare.chars().all(is_rule) => Self::Code,
            _ if bare.starts_with('|') => Self::Row,
            _ if bare.starts_with('#') => Self::Heading,
            _ => Self::Prose,
        }
    }
}

fn lines(message: &str) -> Vec<Line> {
    let (mut lines, mut at, mut is_fenced, mut is_apart) = (Vec::new(), 0, false, false);
    for row in message.split_inclusive('\n') {
        let from = at;
        at += row.len();
        let bare = row.trim();
        if bare.is_empty() {
            is_apart = true;
            continue;
        }
        let is_fence = bare.starts_with("```") || bare.starts_with("~~~");
        is_fenced ^= is_fence;
        let kind = LineKind::of(bare, is_fenced || is_fence);
        lines.push(Line { parts: parts(row.trim_end(), from), kind, is_apart });
        is_apart = false;
    }
    lines
}

/// Returns the sentences of a row that begins at `from`, long ones cut between words.
fn parts(row: &str, from: usize) -> Vec<Range<usize>> {
    let is_bold = row.trim_start().starts_with("**") && row.ends_with("**");
    if is_bold && row.chars().count() <= BOLD_CHARS {
        return std::iter::once(from..from + row.len()).collect();
    }
    let (mut parts, mut at) = (Vec::new(), from);
    for sentence in words::sentences(row) {
        let (mut begin, mut count) = (at, 0);
        for (place, c) in sentence.char_indices() {
            count += 1;
            if count > MOST_PART_CHARS || (count > PART_CHARS && c.is_whitespace()) {
                parts.push(begin..at + place);
                (begin, count) = (at + place, 0);
            }
        }
        at += sentence.len();
        parts.push(begin..at);
    }
    // What only marks the begin of a list entry is none.
    let is_mark = |part: &Range<usize>| part.end - part.start < 6 && parts.len() > 1;
    if parts.first().is_some_and(is_mark) {
        let mark = parts.remove(0);
        parts[0].start = mark.start;
    }
    parts.retain(|part| part.end > part.start);
    parts
}

/// Returns the parts in the order in which they are taken; some more than once.
fn order(message: &str, lines: &[Line], reply: &str) -> Vec<(usize, usize)> {
    let of = |kind: LineKind| (0..lines.len()).filter(move |at| lines[*at].kind == kind);
    let prose: Vec<usize> = of(LineKind::Prose).collect();
    let whole = |at: usize| (0..lines[at].parts.len()).map(move |part| (at, part));
    let text = |(line, part): (usize, usize)| &message[lines[line].parts[part].clone()];
    let mut told = 0;
    let opening = prose.iter().flat_map(|at| whole(*at)).take_while(|next| {
        let before = told;
        told += text(*next).chars().count();
        before < OPENING_CHARS
    });
    let opening: Vec<_> = opening.collect();
    let mut all: Vec<(usize, usize)> = opening.first().copied().into_iter().collect();
    let question = prose.last().map(|last| (*last, lines[*last].parts.len() - 1));
    let question = question.filter(|at| text(*at).trim_end().ends_with(['?', '？', '؟']));
    all.extend(question);
    all.extend(chosen(message, lines, reply).into_iter().flat_map(whole));
    let options = options(message, lines);
    if question.is_some() {
        all.extend(options.iter().flat_map(|at| entry(lines, *at)));
    }
    all.extend(opening);
    // What ends a list is no paragraph: of that the heads come first, too.
    let last = prose.last().filter(|at| lines[**at].is_apart);
    let last: Vec<_> = last.into_iter().flat_map(|at| whole(*at)).collect();
    all.extend(last.iter().take(LAST_PARTS));
    let numbered = prose.iter().copied().filter(|at| number(row(message, lines, *at)).is_some());
    let heads = |at: usize| {
        [lead_of(message, lines, at), head_of(message, lines, at), at].map(|at| (at, 0))
    };
    all.extend(numbered.flat_map(heads));
    all.extend(last);
    all.extend(prose.iter().rev().copied().flat_map(heads));
    all.extend(of(LineKind::Row).map(|at| (at, 0)));
    all.extend(prose.iter().rev().flat_map(|at| whole(*at)));
    all.extend((0..lines.len()).rev().flat_map(whole));
    all
}

fn row<'m>(message: &'m str, lines: &[Line], at: usize) -> &'m str {
    let end = lines[at].parts.last().map_or(0, |part| part.end);
    &message[lines[at].parts[0].start..end]
}

/// Returns how an entry begins: one that is a heading says nothing without what stands below it.
fn entry(lines: &[Line], at: usize) -> impl Iterator<Item = (usize, usize)> {
    let is_heading = lines[at].kind == LineKind::Heading;
    let below = is_heading && lines.get(at + 1).is_some_and(|line| line.kind == LineKind::Prose);
    [Some(at), below.then_some(at + 1)].into_iter().flatten().map(|at| (at, 0))
}

/// Returns the line that leads to the list in which one stands; itself if it stands in none, or if none
/// does.
fn lead_of(message: &str, lines: &[Line], at: usize) -> usize {
    let is_entry = |at: &usize| {
        let row = row(message, lines, *at);
        let marked = row.trim_start().starts_with(['-', '*', '•', '+']);
        row.starts_with([' ', '\t']) || marked || number(row).is_some()
    };
    if !is_entry(&at) {
        return at;
    }
    let above = (0..at).rev().take(MOST_BELOW).find(|above| !is_entry(above));
    let leads = |above: &usize| {
        let row = row(message, lines, *above).trim_end_matches(['*', '_']);
        lines[*above].kind == LineKind::Heading || row.ends_with([':', '：'])
    };
    above.filter(leads).unwrap_or(at)
}

/// Returns the line under which one stands by its indentation, which says nothing without it; one that is
/// not indented stands for itself.
fn head_of(message: &str, lines: &[Line], at: usize) -> usize {
    let depth = |at: usize| {
        let row = row(message, lines, at);
        row.len() - row.trim_start_matches([' ', '\t']).len()
    };
    let own = depth(at);
    (0..at)
        .rev()
        .take(MOST_BELOW)
        .find(|above| depth(*above) < own)
        .filter(|_| own > 0)
        .unwrap_or(at)
}

/// Returns the lines with which the entries of the last numbered list begin, in order; none if they do not
/// begin with the first.
fn options(message: &str, lines: &[Line]) -> Vec<usize> {
    let number_of = |at: usize| number(row(message, lines, at));
    let mut found: Vec<usize> = Vec::new();
    for at in (0..lines.len()).rev() {
        let Some(number) = number_of(at) else { continue };
        // One that does not count down belongs to another list.
        if found.last().is_some_and(|next| number_of(*next) != Some(number + 1)) {
            break;
        }
        found.push(at);
    }
    // Where it does not begin with the first, they are no options.
    let is_whole = found.last().is_some_and(|first| number_of(*first) == Some(1));
    found.reverse();
    if is_whole { found } else { Vec::new() }
}

/// Returns the lines of the entries that a short reply chooses by their numbers: of those with one number
/// the last, since what can be chosen stands at the end.
fn chosen(message: &str, lines: &[Line], reply: &str) -> Vec<usize> {
    let is_short = reply.split_whitespace().count() <= CHOICE_WORDS;
    let words = reply.split(|c: char| !c.is_alphanumeric()).filter(|_| is_short);
    let row = |at: usize| &message[lines[at].parts[0].start..];
    let is_inner = |at: &usize| row(*at).starts_with(char::is_whitespace);
    let is_more = |at: &usize| is_inner(at) && number(row(*at)).is_none();
    let entry = |wanted: u32| {
        let from = (0..lines.len()).rev().find(|at| number(row(*at)) == Some(wanted))?;
        Some(std::iter::once(from).chain((from + 1..lines.len()).take_while(is_more)))
    };
    words.filter_map(|word| word.parse().ok()).filter_map(entry).flatten().collect()
}

/// Returns the number with which an entry of a list begins, as in `2.`, `(2)`, `**Option 2:**`.
fn number(row: &str) -> Option<u32> {
    let bare = row.trim_start_matches(|c: char| c.is_whitespace() || "*-+•#_(".contains(c));
    let (word, rest) = bare.split_once(' ').unwrap_or(("", bare));
    let is_named = !word.is_empty() && word.chars().all(char::is_alphabetic);
    let bare = if is_named { rest } else { bare };
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &bare[digits..];
    let is_mark = after.starts_with(['.', ')', ':', '*', '、', '．']);
    let is_dash = is_named && after.trim_start().starts_with(['—', '–', '-']);
    let is_version = after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit());
    bare[..digits].parse().ok().filter(|_| (is_mark || is_dash) && !is_version)
}

/// Puts what was taken together again, with a mark where something is missing; `taken` has how many bytes
/// of each part.
fn told(message: &str, lines: &[Line], taken: &[Vec<usize>]) -> String {
    let (mut told, mut is_missing, mut is_apart) = (String::new(), false, false);
    for (line, taken) in lines.iter().zip(taken) {
        is_apart |= line.is_apart;
        let mut is_new = taken.iter().any(|bytes| *bytes > 0);
        for (part, bytes) in line.parts.iter().zip(taken) {
            if *bytes == 0 {
                is_missing = true;
                continue;
            }
            if std::mem::take(&mut is_missing) && !told.is_empty() {
                told.push(' ');
                told.push_str(GAP);
            }
            if std::mem::take(&mut is_new) && !told.is_empty() {
                told.push_str(if std::mem::take(&mut is_apart) { "\n\n" } else { "\n" });
            }
            told.push_str(&message[part.start..part.start + bytes]);
            is_missing = part.start + bytes < part.end;
        }
    }
    if is_missing {
        told.push(' ');
        told.push_str(GAP);
    }
    told.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const OPTIONS: &str = "Two ways lead there.\n\nIt was looked at from all sides. Both are sound.\n\n1. by hand: slow. It needs no tool.\n2. by a script: fast. It needs a shell.\n   It must be kept up.\n\nWhich?";

    #[test]
    fn a_message_comes_to_its_opening_its_question_and_the_heads_of_its_lines() {
        let told = "Two ways lead there. […]\n\n1. by hand: slow. […]\n2. by a script: fast. […]\n\nWhich?";
        assert_eq!(gist(OPTIONS, "", 80), told);
        // An opening of a few words goes on.
        let more =
            told.replace(" […]\n\n1", "\n\nIt was looked at from all sides. Both are sound.\n\n1");
        assert_eq!(gist(OPTIONS, "", 128), more);
        assert_eq!(gist(OPTIONS, "", 4000), OPTIONS);
        // What can be chosen comes before how the agent leans.
        let leans = OPTIONS
            .replace("Which?", "I lean to 1, since it needs nothing new and was tried. Which?");
        let told = gist(&leans, "", 90);
        assert!(told.contains("1. by hand: slow. […]\n2. by a script: fast. […]"), "{told}");
        assert!(told.ends_with("Which?") && !told.contains("tried"), "{told}");
    }

    #[test]
    fn what_a_reply_chooses_comes_whole() {
        for reply in ["option 2", "2.", "let's do (2)"] {
            let told = gist(OPTIONS, reply, 100);
            assert!(told.contains("fast. It needs a shell.\n   It must be kept up."), "{told}");
        }
        assert!(
            !gist(OPTIONS, "it took 2 days of all that I had and more than I can say here", 100)
                .contains("shell")
        );
        let rows =
            ["2. a", "2) a", "(2) a", "- **Option 2:** a", "**2.** a", "### 2. a", "Option 2 — a"];
        assert!(rows.iter().all(|row| number(row) == Some(2)), "{:?}", rows.map(number));
        assert!(
            ["20 files", "- 2 files", "v2. a", "2.0.1 is out", "Version 2 was slower."]
                .iter()
                .all(|row| number(row).is_none())
        );
    }

    #[test]
    fn code_and_tables_come_last() {
        let words = format!(
            "It fails:\n\n```\n{}```\n\n| a | b |\n\nThe cause is the lock.",
            "row of code\n".repeat(30)
        );
        assert_eq!(gist(&words, "", 40), "It fails: […]\n\nThe cause is the lock.");
    }

    #[test]
    fn entries_stand_under_what_leads_to_them_and_headings_over_what_they_head() {
        let rest = "It was looked at from all sides and found so. ".repeat(4);
        let words = format!(
            "It was reviewed, all of it, and in every way that there is.\n\n1. The lock is held. {rest}\n2. The key is lost. {rest}\n\nVerified as safe:\n\n- the door. {rest}\n- the wall. {rest}\n\nSo far."
        );
        let told = gist(&words, "", 160);
        assert!(told.contains("1. The lock is held. […]\n2. The key is lost. […]"), "{told}");
        for most in (100..400).step_by(10) {
            let told = gist(&words, "", most);
            let is_safe = told.contains("Verified as safe:");
            assert!(
                is_safe || !(told.contains("- the wall") || told.contains("- the door")),
                "{told}"
            );
        }
        let words = format!(
            "{}\n\n## 1. One\n\nIt is here. {rest}\n\n## 2. Two\n\nIt is gone. {rest}\n\nWhich?",
            "So it is. ".repeat(9)
        );
        let told = gist(&words, "", 120);
        assert!(
            told.contains("## 1. One\n\nIt is here. […]\n\n## 2. Two\n\nIt is gone. […]"),
            "{told}"
        );
        let table = format!(
            "**Two things. There are two:**\n\n| a | b |\n|---|---|\n| one | here |\n\n{rest}"
        );
        let told = gist(&format!("{table}\n\nSo far."), "", 140);
        assert!(
            told.contains("**Two things. There are two:**") && told.contains("| one | here |"),
            "{told}"
        );
    }

    #[test]
    fn one_long_sentence_is_cut_between_words() {
        let long = "word ".repeat(400);
        let told = gist(&long, "", 500);
        assert!(told.starts_with("word word") && told.ends_with("word […]"), "{told}");
        assert!(gist(&"字".repeat(2000), "", 500).chars().count() > 400);
    }

    #[test]
    fn what_stands_below_an_entry_is_not_told_without_it() {
        let rest = "It was looked at from all sides. ".repeat(12);
        let words = format!(
            "Found:\n\n- One is gone.\n\n  It was here.\n\n- Two is late. {rest}\n\n  Nobody saw it.\n\nSo much for that."
        );
        for most in (60..300).step_by(10) {
            let told = gist(&words, "", most);
            let stands = |part: &str| told.contains(part);
            assert!(!stands("Nobody saw") || stands("Two is late."), "{most}: {told}");
            assert!(!stands("It was here") || stands("One is gone."), "{most}: {told}");
        }
    }

    #[test]
    fn without_blanks_and_full_stops_a_message_is_told_by_its_ends_too() {
        let long = "这里有很多问题，".repeat(60);
        let told = gist(&format!("{long}\n\n1、甲\n2、乙\n\n选哪个？"), "", 320);
        assert!(told.ends_with("1、甲\n2、乙\n\n选哪个？") && told.starts_with("这里"), "{told}");
    }

    #[test]
    fn more_room_only_adds() {
        let lines = |letter: &str| (0..90).map(|at| format!("{letter}{at} ")).collect::<String>();
        let words = format!(
            "Hi.\n\n- {}. So.\n- {}\n\n```\n{}\n```\nWhich?",
            lines("a"),
            lines("b"),
            lines("c")
        );
        let held = |most: usize| -> HashSet<String> {
            gist(&words, "1", most)
                .split_whitespace()
                .filter(|word| *word != GAP)
                .map(str::to_owned)
                .collect()
        };
        for most in (100..1500).step_by(20) {
            assert!(held(most).is_subset(&held(most + 20)), "{most}: {}", gist(&words, "1", most));
        }
    }
}
