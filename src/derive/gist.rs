//! What a long message comes to.

use std::ops::Range;

use super::words;

/// A sentence of more characters is cut into parts of about so many.
const PART_CHARS: usize = 200;
/// In a reply of more words a number is hardly the name of what was chosen.
const CHOICE_WORDS: usize = 12;
/// However long a word is, a part of a sentence has no more characters.
const MOST_PART_CHARS: usize = 240;
/// So many lines an entry has at most that is told with its head.
const MOST_BELOW: usize = 40;
/// With room for fewer characters nothing of the next part is told.
const LEAST_CHARS: usize = 60;
/// What stands where something was left out.
const GAP: &str = "[…]";

/// Returns what a message comes to in about `most` characters; more room only adds.
///
/// First stand its opening, the question with which it ends and the heads of what can be chosen, then the
/// paragraph with which it ends, then the head of each line, the last first, since what is found or proposed
/// mostly stands in lists and at the end; then the rest of the lines; headings, code and tables come last.
/// What `reply` chooses by its number comes whole after the opening.
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
    /// Whether it is code, a row of a table, or a heading, which says little alone.
    is_code: bool,
    /// Whether blank lines stand before it.
    is_apart: bool,
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
        let is_code = is_fenced || is_fence || bare.starts_with(['|', '#']);
        lines.push(Line { parts: parts(row.trim_end(), from), is_code, is_apart });
        is_apart = false;
    }
    lines
}

/// Returns the sentences of a row that begins at `from`, long ones cut between words.
fn parts(row: &str, from: usize) -> Vec<Range<usize>> {
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
    let prose: Vec<usize> = (0..lines.len()).filter(|at| !lines[*at].is_code).collect();
    let mut all: Vec<(usize, usize)> = prose.first().map(|at| (*at, 0)).into_iter().collect();
    let whole = |at: usize| (0..lines[at].parts.len()).map(move |part| (at, part));
    let question = prose.last().map(|last| (*last, lines[*last].parts.len() - 1));
    let asks = |(last, part): &(usize, usize)| {
        message[lines[*last].parts[*part].clone()].trim_end().ends_with(['?', '？', '؟'])
    };
    all.extend(question.filter(asks));
    all.extend(chosen(message, lines, reply).into_iter().flat_map(whole));
    if question.as_ref().is_some_and(asks) {
        all.extend(options(message, lines).into_iter().map(|at| (at, 0)));
    }
    // What ends a list is no paragraph: of that the heads come first, too.
    let last = prose.last().filter(|at| lines[**at].is_apart);
    all.extend(last.into_iter().flat_map(|at| whole(*at)));
    let head = |at: usize| (head_of(message, lines, at), 0);
    all.extend(prose.iter().rev().flat_map(|at| [head(*at), (*at, 0)]));
    all.extend(prose.iter().rev().flat_map(|at| whole(*at)));
    all.extend((0..lines.len()).rev().filter(|at| lines[*at].is_code).flat_map(whole));
    all
}

/// Returns the line under which one stands by its indentation, which says nothing without it; one that is
/// not indented stands for itself.
fn head_of(message: &str, lines: &[Line], at: usize) -> usize {
    let depth = |at: usize| {
        let row = &message[lines[at].parts[0].start..];
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

/// Returns the lines with which the entries of the last numbered list begin, in order.
fn options(message: &str, lines: &[Line]) -> Vec<usize> {
    let number_of = |at: usize| number(&message[lines[at].parts[0].start..]);
    let mut found: Vec<usize> = Vec::new();
    for at in (0..lines.len()).rev() {
        let Some(number) = number_of(at) else { continue };
        // One that does not count down belongs to another list.
        if found.last().is_some_and(|next| number_of(*next) != Some(number + 1)) {
            break;
        }
        found.push(at);
    }
    found.reverse();
    found
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
        let told = "Two ways lead there. […]\n\n1. by hand: slow. […]\n2. by a script: fast. […]\n   It must be kept up.\n\nWhich?";
        assert_eq!(gist(OPTIONS, "", 120), told);
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
