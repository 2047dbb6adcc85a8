//! Tests of what long messages come to.

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
    assert!(told.contains("## One\n\n### Deep\n\n- The floor") || !told.contains("##"), "{told}");
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
    let long = format!("What is left is {}and then it ends.", "one more word of it ".repeat(12));
    let message = format!("It is done. All of it went well.\n\n{long} Look at it.");
    let is_told = |part: &str| part.starts_with("What is left") && !part.contains("Look");
    let told = gist_without(&message, "", 250, &is_told);
    assert!(told.ends_with("Look at it.") && !told.contains("then it ends"), "{told}");
}

#[test]
fn a_message_comes_to_its_opening_its_question_and_the_heads_of_its_lines() {
    let told =
        "Two ways lead there. […]\n\n1. by hand: slow. […]\n2. by a script: fast. […]\n\nWhich?";
    assert_eq!(gist(OPTIONS, "", 80), told);
    // An opening of a few words goes on.
    let more =
        told.replace(" […]\n\n1", "\n\nIt was looked at from all sides. Both are sound.\n\n1");
    assert_eq!(gist(OPTIONS, "", 128), more);
    assert_eq!(gist(OPTIONS, "", 4000), OPTIONS);
    // What can be chosen comes before how the agent leans.
    let leans =
        OPTIONS.replace("Which?", "I lean to 1, since it needs nothing new and was tried. Which?");
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
        assert!(is_safe || !(told.contains("- the wall") || told.contains("- the door")), "{told}");
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
    let table =
        format!("**Two things. There are two:**\n\n| a | b |\n|---|---|\n| one | here |\n\n{rest}");
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

#[test]
fn a_line_is_told_with_the_code_that_it_leads_to_or_not_at_all() {
    let rest = "It was looked at from all sides. ".repeat(9);
    let message = format!(
        "It is a switch, and no more than that is needed for it.\n\nIt is off today. {rest}\n\n## What to add\n\n```json\n\"mode\": \"full\",\n```\n\nSo one row does it:\n\n```json\n\"level\": \"deep\",\n```\n\n## Why\n\n{rest}"
    );
    for most in (60..700).step_by(5) {
        let told = gist(&message, "", most);
        for (lead, row) in [("## What to add", "\"mode\""), ("does it:", "\"level\"")] {
            assert!(!told.contains(lead) || told.contains(row), "{most}: {told}");
        }
    }
    let is_told = |part: &str| (60..700).any(|most| gist(&message, "", most).contains(part));
    assert!(is_told("does it:\n\n```json\n\"level\""));
    assert!(is_told("to add\n\n```json\n\"mode\""));
}

#[test]
fn a_rule_is_no_code_to_which_a_line_leads() {
    let message = format!(
        "Both reviews are in, together they say:\n\n---\n\n# Verdict\n\n{}\n\nSay what to mend first.",
        "It drops the last digit of each amount. ".repeat(9)
    );
    let told = gist(&message, "", 100);
    assert!(told.contains("together they say:") && !told.contains("---"), "{told}");
    let message = message.replace("---", "```\n[]\n```");
    assert!(gist(&message, "", 100).contains("[]"), "code without a letter is code");
}

#[test]
fn what_leads_to_a_list_is_told_with_its_first_entry() {
    let rest = "It was looked at from all sides. ".repeat(9);
    let message = format!(
        "What was asked for is written. Still open from before this is:\n\n- the door. {rest}\n- the wall. {rest}\n\nMore of it.\n\n{rest}"
    );
    let told = gist(&message, "", 120);
    assert!(
        told.starts_with(
            "What was asked for is written. Still open from before this is:\n\n- the door. […]"
        ),
        "{told}"
    );
}

#[test]
fn a_heading_is_no_sentence_that_ends_behind_a_number() {
    let rest = "It was looked at from all sides. ".repeat(9);
    let message = format!(
        "All that was asked for is written, and it was looked at twice.\n\n## 2. What of the door?\n\nIt is shut. {rest}\n\n## 3 + 4. The rest\n\n{rest}"
    );
    let told = gist(&message, "", 200);
    assert!(told.contains("## 2. What of the door?\n\nIt is shut."), "{told}");
}

#[test]
fn what_was_asked_for_comes_behind_the_opening() {
    let rest = "It was looked at from all sides. ".repeat(9);
    let message = format!(
        "All that was asked for is written, and it was looked at twice.\n\n## Known\n\n**1. The door is shut.** {rest}\n\n## What is missing to verify\n\nTwo things.\n\n**A. Is the floor dry?** {rest}\n\n**B. Whether the wall holds.** {rest}\n\n## Where it lands\n\n{rest}\n\n{rest}"
    );
    let told = |request: &str| gist_without(&message, request, 260, &|_| false);
    let asked = told("look at it, and tell what is missing to verify");
    assert!(asked.contains("## What is missing to verify\n\nTwo things."), "{asked}");
    assert!(asked.contains("A. Is the floor dry?") && asked.contains("B. Whether"), "{asked}");
    assert!(!told("go on with it").contains("What is missing"), "{}", told("go on with it"));
}

#[test]
fn entries_may_have_letters() {
    for row in ["**B.** b", "**B. b**", "### B: b", "(B) b", "**Option B:** b", "- **B)** b"] {
        assert_eq!(number(row), number("**B.**"), "{row}");
        assert!(number(row) > number("**A.**"), "{row}");
    }
    for row in ["B. Frank said so", "**Bold.** b", "I. e. b", "(see B) b", "**a)** b"] {
        assert_eq!(number(row), None, "{row}");
    }
}

#[test]
fn no_sentence_ends_within_code() {
    let rest = "It was looked at from all sides. ".repeat(9);
    let message = format!(
        "All that was asked for is written, and it was looked at twice.\n\n**2. The merge is `. + $block`, and flat.** {rest}\n\nSo far."
    );
    let told = gist(&message, "", 180);
    assert!(told.contains("`. + $block`, and flat.**"), "{told}");
}

#[test]
fn what_failed_and_what_is_to_be_done_come_before_the_last_words() {
    let rest = "Es wurde von allen Seiten angesehen und für gut befunden. ".repeat(6);
    let message = format!(
        "Fast alles ist fertig, und von allem wurde alles zweimal angesehen.\n\n{rest}\n\n| Schritt | Stand |\n|---|---|\n| Bau | ✅ |\n| Versand | ❌ 403 |\n\n**Zwei Schritte für dich:**\n\n1. Neuer Schlüssel. {rest}\n2. Dann noch einmal:\n   ```\n   make send\n   ```\n\nDer Rest hält nichts auf. {rest}"
    );
    let told = gist(&message, "", 230);
    assert!(told.contains("| Versand | ❌ 403 |") && !told.contains("| Bau"), "{told}");
    let list = "**Zwei Schritte für dich:**\n\n1. Neuer Schlüssel. […]\n2. Dann noch einmal:\n   ```\n   make send\n   ```";
    assert!(told.contains(list), "{told}");
    // Where no row says that something went well, they compare.
    let plain = message.replace("✅", "❌");
    assert!(!gist(&plain, "", 180).contains('❌'), "{}", gist(&plain, "", 180));
}

#[test]
fn no_row_of_a_table_is_cut() {
    let words = "The rooms and their lamps were counted. ".repeat(2);
    let row = |at: usize| {
        format!("| room {at} | {} |\n", "a lamp that burns at noon and at night ".repeat(3))
    };
    let message =
        format!("{words}\n\n| room | lamps |\n|---|---|\n{}", (0..6).map(row).collect::<String>());
    for most in 90..600 {
        let told = gist(&message, "", most);
        let rows = told.lines().filter(|line| line.starts_with("| room "));
        assert!(
            rows.clone().all(|row| row.trim_end_matches(" […]").ends_with('|')),
            "{most}: {told}"
        );
    }
}

#[test]
fn the_one_bold_sentence_that_leads_to_a_table_or_a_list_comes_before_the_last_paragraph() {
    let rest = "One more sentence of it. ".repeat(8);
    let table = "**Two of them cannot be met:**\n\n| check | why |\n|---|---|\n| card | no server |\n| auth | no user |";
    let message = format!(
        "The picture is whole, with thirteen failures in all of it.\n\n{table}\n\n{rest}\n\nAlso, one passes."
    );
    let told = gist(&message, "", 160);
    assert!(told.contains("**Two of them cannot be met:**\n\n| check | why |"), "{told}");
    assert!(told.contains("| card | no server |\n| auth | no user |"), "{told}");
    // Several bold lines part a message as headings do.
    let several = message.replace("Also, one", "**Next:**\n\n- one more\n\nAlso, one");
    assert!(!gist(&several, "", 160).contains("no server"), "{}", gist(&several, "", 160));
    // What can be chosen by its number is more.
    let options =
        message.replace("Also, one", "What comes now:\n\n1. by hand\n2. by a script\n\nAlso, one");
    assert!(
        gist(&options, "", 160).contains("1. by hand\n2. by a script"),
        "{}",
        gist(&options, "", 160)
    );
    let title = message.replace("Two of them cannot be met", "Warnings");
    assert!(gist(&title, "", 160).ends_with("Also, one passes."), "{}", gist(&title, "", 160));
}

#[test]
fn what_comes_next_stands_before_what_was_found() {
    let found = "The reader takes rows of both kinds, and hands them on as they came, whatever stands in them. ";
    let message = format!("{}I'll answer the question of the sign at the end.", found.repeat(5));
    let told = gist(&message, "", 200);
    assert!(told.ends_with("I'll answer the question of the sign at the end."), "{told}");
    let message = format!("{}It was so all the time.", found.repeat(5));
    assert!(!gist(&message, "", 200).contains("all the time"));
}

#[test]
fn entries_with_a_letter_and_a_number_are_points() {
    for (row, wanted) in [
        ("**W1 — the key is logged**", Some(1)),
        ("### C2: the gate is open", Some(2)),
        ("**B12.** The lamp", Some(12)),
        ("W1 — the key is logged", None),
        ("**E2E tests** are gone", None),
        ("**V2 of the page**", None),
        ("**H264 — a format**", None),
    ] {
        assert_eq!(number(row), wanted, "{row}");
    }
}

#[test]
fn the_part_that_a_reply_names_comes_first() {
    let rest = "It was looked at from all sides and is so. ".repeat(6);
    let findings = |kind: &str| -> String {
        (1..4)
            .map(|at| format!("**{at}. The {kind} of room {at} is wrong**\n\n{rest}\n\n"))
            .collect()
    };
    let message = format!(
        "The review is done.\n\n## Critical\n\n{}## Warnings worth acting on\n\n- The gate is open at night. {rest}\n- The key hangs outside. {rest}\n\n### Remaining: 4.1 and 4.2\n\nBoth need the merge. {rest}\n\n## Seen besides\n\n{rest}",
        findings("lamp")
    );
    let told = gist(&message, "Option 1. Also mend the warnings", 250);
    assert!(told.contains("The gate is open") && told.contains("The key hangs"), "{told}");
    let told = gist(&message, "go on with 4.1 and 4.2, and close it after that", 250);
    assert!(told.contains("Remaining: 4.1 and 4.2\n\nBoth need the merge."), "{told}");
    // What stands in several titles names none of them, nor does what stands in none.
    for other in ["go on with the rooms", "go on", "go on with 7.1", "push it"] {
        let told = gist(&message, other, 250);
        assert!(!told.contains("The key hangs"), "{other}: {told}");
    }
    // A number that no title has is told by its line.
    let row = "| 12 | #288: the lamp burns at noon |";
    let message =
        format!("{message}\n\n| # | What |\n|---|---|\n{row}\n| 13 | #289: it is dark |\n\n{rest}");
    let told = gist(&message, "the first one is #288, right?", 250);
    assert!(told.contains(row) && !told.contains("#289"), "{told}");
}

#[test]
fn the_list_that_the_end_names_by_a_number_comes_first() {
    let rest = "It was looked at from all sides and is so. ".repeat(6);
    let points: String =
        (1..4).map(|at| format!("**{at}. The lamp {at} burns.** {rest}\n\n")).collect();
    let rows = ["mend the door", "light the lamp", "sweep the attic"];
    let table: String =
        rows.iter().enumerate().map(|(at, row)| format!("| {} | {row} |\n", at + 1)).collect();
    let message = |end: &str| {
        format!(
            "I looked.\n\n## Lamps\n\n{points}\n\nWhat I would do:\n\n| # | What |\n|---|---|\n{table}\n{rest}\n\n{end}"
        )
    };
    let told = gist(&message("Shall I write all of it, or begin with item 3?"), "", 250);
    assert!(rows.iter().all(|row| told.contains(row)), "{told}");
    for end in ["Shall I write all of it?", "Shall I begin with item 7?", "It took 3 days."] {
        let told = gist(&message(end), "", 250);
        assert!(!rows.iter().all(|row| told.contains(row)), "{end}: {told}");
    }
    let told = gist(&message("That is all."), "go on with item 2", 250);
    assert!(told.contains("light the lamp"), "{told}");
}

#[test]
fn what_is_asked_a_little_above_the_end_comes_first() {
    let rest = "It was looked at from all sides and is so. ".repeat(6);
    let message = |asked: &str| {
        format!(
            "Both are there.\n\n## Doors\n\n{rest}\n\n## Lamps\n\n{rest}\n\n{asked}\n\nThe rest can wait until spring. {rest}"
        )
    };
    let asked = "Want me to mend it? The gate is open, so I can do both at once.";
    let told = gist(&message(asked), "", 150);
    assert!(told.contains(asked), "{told}");
    let told = gist(&message("Why was it open? The key hung outside."), "", 150);
    assert!(!told.contains("Why was it open?"), "{told}");
}

#[test]
fn what_is_left_is_told_before_what_was_found() {
    let rest = "It was looked at from all sides and is so. ".repeat(3);
    let points: String =
        (1..6).map(|at| format!("{at}. The lamp {at} burns again. {rest}\n")).collect();
    let message = |title: &str| {
        format!(
            "All is lit.\n\n## What was done\n\n{points}\n{title}\n\n- The gate stands open.\n- The key hangs outside.\n\nMerge it when you like.\n"
        )
    };
    for title in ["## Left undone, deliberately", "## Open", "**Remaining:**"] {
        let told = gist(&message(title), "", 200);
        assert!(told.contains("The gate stands open."), "{title}: {told}");
    }
    let told = gist(&message("## Seen besides"), "", 200);
    assert!(!told.contains("The gate stands open."), "{told}");
}
