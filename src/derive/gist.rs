//! What a long message comes to.

mod lines;
mod order;

use std::ops::Range;

use self::lines::{Line, LineKind, lines, row};
use self::order::order;
use super::text;

/// With room for fewer characters nothing of the next part is told.
const LEAST_CHARS: usize = 60;
/// What stands where something was left out.
const GAP: &str = "[…]";

/// Returns what a message comes to in about `most` characters; more room only adds.
///
/// First stand its opening with the few rows of code that this leads to, the question with which it ends and the
/// heads of what can be chosen, then the first sentences of the paragraph with which it ends, then the heads of its
/// numbered entries, its headings, each with the sentence below it, the heads of its last list and the rest of that
/// paragraph, then the head of each other line, the last first, since what is found or proposed mostly stands in
/// lists and at the end; each under what leads to its list. Rows of tables come next, then the rest of the lines,
/// then code. What `reply` chooses by its number comes whole after the opening.
pub fn gist(message: &str, reply: &str, most: usize) -> String {
    gist_without(message, reply, most, &|_| false)
}

/// Returns the same without the sentences that are told elsewhere, or the lines; where the whole message
/// has room it is told whole.
pub fn gist_without(
    message: &str,
    reply: &str,
    most: usize,
    is_told: &dyn Fn(&str) -> bool,
) -> String {
    let message = message.trim();
    if message.chars().count() <= most {
        return message.to_owned();
    }
    let lines = lines(message);
    let elsewhere: Vec<bool> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| line.kind == LineKind::Prose && is_told(row(message, &lines, at)))
        .collect();
    let mut left = most;
    let mut taken: Vec<Vec<usize>> = lines.iter().map(|line| vec![0; line.parts.len()]).collect();
    for (line, part) in order(message, &lines, reply) {
        // The rest of a long sentence says nothing without its beginning.
        let begin = begins(message, &lines[line].parts, part);
        let told = |part: usize| is_told(&message[lines[line].parts[part].clone()]);
        let is_elsewhere = || elsewhere[line] || told(part) || begin < part && told(begin);
        if taken[line][part] > 0 || is_elsewhere() {
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
    drop_bare_headings(message, &lines, &mut taken);
    close(message, &lines, &mut taken);
    told(message, &lines, &taken)
}

/// Leaves out headings below which nothing is told; a number may name what can be chosen.
fn drop_bare_headings(message: &str, lines: &[Line], taken: &mut [Vec<usize>]) {
    let depth = |at: &usize| {
        let bare = row(message, lines, *at).trim_start();
        bare.len() - bare.trim_start_matches('#').len()
    };
    let is_heading = |at: &usize| lines[*at].kind == LineKind::Heading;
    for at in (0..lines.len()).filter(is_heading) {
        let ends = |below: &usize| is_heading(below) && depth(below) <= depth(&at);
        let mut below = (at + 1..lines.len()).take_while(|below| !ends(below));
        let tells = |below: usize| !is_heading(&below) && taken[below].iter().any(|it| *it > 0);
        if !below.any(tells) && order::number(row(message, lines, at)).is_none() {
            taken[at].fill(0);
        }
    }
}

/// Takes both fences of each block of code of which something is taken, and of no other: one alone would
/// make code of what stands below it.
fn close(message: &str, lines: &[Line], taken: &mut [Vec<usize>]) {
    let is_fence = |line: &Line| line.kind == LineKind::Code && row_is_fence(message, line);
    let fences: Vec<usize> = (0..lines.len()).filter(|at| is_fence(&lines[*at])).collect();
    for pair in fences.chunks(2) {
        let end = pair.get(1).copied().unwrap_or(lines.len());
        let is_told = taken[pair[0] + 1..end].iter().flatten().any(|bytes| *bytes > 0);
        for fence in pair {
            let parts = lines[*fence].parts.iter();
            taken[*fence] = parts.map(|part| if is_told { part.len() } else { 0 }).collect();
        }
    }
}

fn row_is_fence(message: &str, line: &Line) -> bool {
    let bare = line.parts.first().map_or("", |part| message[part.clone()].trim_start());
    bare.starts_with("```") || bare.starts_with("~~~")
}

/// Returns the number of the part with which the sentence of a part begins.
fn begins(message: &str, parts: &[Range<usize>], part: usize) -> usize {
    let ends = |c: char| matches!(c, '.' | '!' | '?' | ':' | '。' | '！' | '？' | '*' | ')' | '`');
    let goes_on = |at: &usize| !message[parts[*at - 1].clone()].trim_end().ends_with(ends);
    (1..=part).rev().find(|at| !goes_on(at)).unwrap_or(0)
}

/// Returns how many bytes of a text its first words have, in at most `most` characters.
fn start(text: &str, most: usize) -> usize {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let is_blank = |at: &usize| text[*at..].starts_with(char::is_whitespace);
    let blank = (end / 2..=end).rev().filter(|at| text.is_char_boundary(*at)).find(is_blank);
    text::head(text, blank.unwrap_or(end)).len()
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
            let is_first = std::mem::take(&mut is_new);
            if is_first && !told.is_empty() {
                told.push_str(if std::mem::take(&mut is_apart) { "\n\n" } else { "\n" });
            }
            let text = &message[part.start..part.start + bytes];
            // Only the begin of a line has its indentation.
            let is_inner = is_first && part.start != line.parts[0].start;
            told.push_str(if is_inner { text.trim_start() } else { text });
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

    use super::order::number;
    use super::*;

    const OPTIONS: &str = "Two ways lead there.\n\nIt was looked at from all sides. Both are sound.\n\n1. by hand: slow. It needs no tool.\n2. by a script: fast. It needs a shell.\n   It must be kept up.\n\nWhich?";

    #[test]
    fn an_opening_is_told_with_the_few_rows_of_code_that_it_leads_to() {
        let code = "```\n1a2b3c4 add the page\n5d6e7f8 say it\n```";
        let message = format!(
            "Two commits were made, the tree is clean:\n\n{code}\n\n{}",
            "One more sentence of it. ".repeat(20)
        );
        assert!(gist(&message, "", 120).contains(code), "{}", gist(&message, "", 120));
    }

    #[test]
    fn what_stands_below_each_heading_comes_before_the_rest() {
        let rest = "More of it follows here. ".repeat(12);
        let message = format!(
            "Both are answered.\n\n## 1. The first\n\nYes, that is better. {rest}\n\n## 2. The second\n\nNo: the floor is 17. {rest}"
        );
        let told = gist(&message, "", 150);
        assert!(told.contains("that is better.") && told.contains("the floor is 17."), "{told}");
    }

    #[test]
    fn a_heading_is_told_only_with_something_below_it() {
        let rest = "More of it follows here. ".repeat(12);
        let message = format!(
            "It is written.\n\n## One\n\n### Deep\n\n- The floor is 17.\n\n## Two\n\n{rest}\n\n## Three\n\n{rest}"
        );
        let told = gist(&message, "", 70);
        assert!(
            told.contains("## One\n\n### Deep\n\n- The floor") || !told.contains("##"),
            "{told}"
        );
        for most in 60..400 {
            let told = gist(&message, "", most);
            let is_bare = |pair: &[&str]| pair[0].starts_with("## T") && pair[1].starts_with('#');
            let lines: Vec<&str> = told.lines().filter(|line| !line.is_empty()).collect();
            assert!(!lines.windows(2).any(is_bare), "{most}: {told}");
            assert!(!lines.last().unwrap().starts_with('#'), "{most}: {told}");
        }
    }

    #[test]
    fn the_rest_of_a_sentence_goes_with_its_beginning() {
        let long =
            format!("What is left is {}and then it ends.", "one more word of it ".repeat(12));
        let message = format!("It is done. All of it went well.\n\n{long} Look at it.");
        let is_told = |part: &str| part.starts_with("What is left") && !part.contains("Look");
        let told = gist_without(&message, "", 250, &is_told);
        assert!(told.ends_with("Look at it.") && !told.contains("then it ends"), "{told}");
    }

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
    fn a_block_of_code_has_both_its_fences_or_none() {
        let words = "It is so. ".repeat(9);
        let code = "let amount = parse(row);\n".repeat(6);
        let message = format!("{words}\n\n```rust\n{code}```\n\n{words}");
        for most in 40..message.len() {
            let told = gist(&message, "", most);
            let fences = told.matches("```").count();
            assert!(fences == 0 || fences == 2 && told.contains("let amount"), "{most}: {told}");
        }
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
    fn of_the_last_list_the_first_entries_come_first() {
        let rest = "It was looked at from all sides. ".repeat(6);
        let words = format!(
            "So it is. {rest}\n\nLeft:\n\n- the door. {rest}\n- the wall. {rest}\n- the roof. {rest}\n\nSo far. {rest}"
        );
        assert!(gist(&words, "", 145).contains("Left:\n\n- the door. […]"));
        let told = gist(&words, "", 180);
        assert!(told.contains("- the door. […]\n- the wall. […]\n- the roof. […]"), "{told}");
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
