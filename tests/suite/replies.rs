//! What a request of a few words points at, and in which order a small pack tells things.

use serde_json::{Value, json};

use super::status::{edit, pack, printed, segue, shell};

fn told(words: &str) -> Value {
    json!({ "told": words })
}

fn small(budget: &str, steps: &[Value]) -> String {
    segue(&["pack", "-", "--budget", budget], steps).stdout
}

/// Work that left many files and commands behind.
fn work() -> Vec<Value> {
    let step = |at: usize| {
        let file = format!("src/part_{at}/amounts_of_the_day.rs");
        let run = format!("cargo run --bin part_{at} -- --all rows_{at}.csv --from spring");
        [edit(&file, "x", &format!("fn parse_amounts_{at}() {{}}")), shell(&run, "ok")]
    };
    (0..24).flat_map(step).collect()
}

const POINTS: [&str; 5] = [
    "the door asks for the name before anything is drawn on it",
    "the lamp reads its clock once an hour and at each start",
    "the attic takes letters in boxes of twenty with the year on them",
    "the cellar keeps apples apart from pears until the first frost",
    "the roof is mended before the rain with tiles of the old barn",
];

fn proposal() -> String {
    let all = "It was looked at from all sides and is so. ".repeat(12);
    let points = POINTS.map(|point| format!("- {point}.\n")).concat();
    format!("The importer is written. {all}\n\nWhat I would do next:\n\n{points}\n{all}")
}

#[test]
fn what_a_few_words_agree_to_is_told_before_names() {
    let mut steps = work();
    steps.push(json!(proposal()));
    steps.push(told("go on with your suggestion"));
    let text = small("1000", &steps);
    assert!(POINTS.iter().all(|point| text.contains(point)), "{text}");
    // Some of it is told also while it is worked on.
    steps.push(edit("src/door.rs", "x", "y"));
    let text = small("1000", &steps);
    assert!(POINTS[..3].iter().all(|point| text.contains(point)), "{text}");
    // What the agent answered hangs on its answer.
    steps.pop();
    steps.push(json!("All five are done and pushed."));
    let text = small("1000", &steps);
    assert!(!POINTS[1..].iter().any(|point| text.contains(point)), "{text}");
}

#[test]
fn what_the_last_call_printed_is_told_before_names() {
    let mut steps = work();
    steps.push(told("set the bit of the script"));
    let listed =
        "100644 a1 0\tscript/mend.sh\n100644 b2 0\tscript/draw.sh\nmode is not kept here\n";
    steps.push(shell("chmod +x script/mend.sh && git update-index -q --refresh", listed));
    let text = small("620", &steps);
    assert!(text.contains("    mode is not kept here"), "{text}");
    // What the agent said of it stands for it.
    steps.push(json!("The bit has to be set in the index, which I do next."));
    let text = small("620", &steps);
    assert!(!text.contains("    mode is not kept here"), "{text}");
}

#[test]
fn a_rule_in_the_middle_of_a_long_request_is_told_in_the_smallest_pack() {
    let words = "Look at each of the files below in turn, and at what calls them. ".repeat(6);
    let rule = "Never touch the vendored parser.";
    let steps = [told(&format!("{words}{rule} {words}")), edit("src/a.rs", "x", "y")];
    let text = small("360", &steps);
    assert!(text.contains(&format!(" […] {rule} […] ")), "{text}");
    assert_eq!(printed(&steps).matches(rule).count(), 1);
    // Beyond what is told of the request it stands on a line of its own.
    let words = words.repeat(4);
    let steps = [told(&format!("{words}{rule} {words}")), edit("src/a.rs", "x", "y")];
    let text = small("400", &steps);
    assert!(text.contains(&format!("- {rule} (C-")), "{text}");
}

#[test]
fn no_entry_of_a_list_is_told_before_those_above_it() {
    let long = "with a row for each day, the sum below it and a mark at what was changed by hand";
    let entries = [
        "Look at it",
        &format!("Write the page of amounts {long}"),
        "Draw the lamp",
        &format!("Ask for the name at the door {long}"),
        "Move the letters",
    ];
    let todos =
        entries.map(|entry| json!({"content": entry, "status": "pending", "activeForm": entry}));
    let steps = [
        edit("src/a.rs", "x", "y"),
        json!({"name": "TodoWrite", "input": {"todos": todos}, "output": "Todos have been modified"}),
    ];
    let mut counts = Vec::new();
    for budget in (260..700).step_by(10) {
        let text = small(&budget.to_string(), &steps);
        let is_told = |entry: &&str| text.contains(&format!("] {}", &entry[..10]));
        let first = entries.iter().take_while(|entry| is_told(entry)).count();
        assert_eq!(first, entries.iter().filter(|entry| is_told(entry)).count(), "{text}");
        counts.push(first);
    }
    assert!(counts.contains(&2) && counts.contains(&5), "{counts:?}");
}

#[test]
fn what_the_card_says_was_asked_is_not_said_again_above_what_was_done() {
    let asked = "write the exporter of amounts too, in the same manner";
    let steps = [
        edit("src/a.rs", "x", "y"),
        told(asked),
        edit("src/b.rs", "x", "y"),
        json!("Shall I push it?"),
        told("yes"),
    ];
    let text = printed(&steps);
    assert_eq!(text.matches(asked).count(), 1, "{text}");
    assert!(text.contains("T-2: → changed src/b.rs"), "{text}");
    assert_eq!(pack(&steps)["now"]["goal_before"]["text"], json!(asked));
}

#[test]
fn a_rule_that_the_goal_has_without_a_full_stop_is_not_said_again() {
    let rule = "Never touch the page of amounts";
    let asked = told(&format!("Write the exporter of amounts too. {rule}."));
    // At the end of a request it may have no full stop.
    let words = "Look at each of the rows of the day and at what reads them. ".repeat(4);
    let steps = [
        asked,
        edit("src/b.rs", "x", "y"),
        json!("It is written."),
        told(&format!("{words}{rule}")),
        edit("src/c.rs", "x", "y"),
    ];
    let text = printed(&steps);
    assert!(!text.contains(&format!("- {rule}. (C-")), "{text}");
}

#[test]
fn what_is_typed_while_the_agent_works_answers_what_it_said_when_it_last_ended() {
    let report = "The review found three warnings:\n\n- the key is logged\n- the page is empty\n- no test reads rows";
    let at_work = json!("Also writing that down where reviewers look first.");
    let steps = |last: &[Value]| {
        let mut steps = vec![
            edit("src/a.rs", "x", "y"),
            json!(report),
            told("defer the last point of the list"),
            at_work.clone(),
        ];
        steps.extend_from_slice(last);
        pack(&steps)["now"]["replies_to"].clone()
    };
    let fix = told("fix all warnings that were found");
    let replies = steps(&[edit("notes.md", "x", "y"), fix.clone()]);
    assert_eq!(replies, json!({"id": "T-1", "text": report}));
    // Without a call behind them the words are what the request answers.
    assert_eq!(steps(&[fix])["text"], at_work);
}

#[test]
fn what_the_user_chose_last_comes_next() {
    let question = json!({"questions": [{"question": "What comes now?", "options": [{"label": "push it"}, {"label": "wait"}]}]});
    let answered = json!({"name": "AskUserQuestion", "input": question,
        "answers": {"What comes now?": "push it"},
        "output": "User has answered your questions: \"What comes now?\"=\"push it\". You can now continue with the user's answers in mind."});
    let steps = [edit("src/a.rs", "x", "y"), json!("Both parts are written."), answered];
    let now = &pack(&steps)["now"];
    assert_eq!(now["next"], json!("go on as the user answered: What comes now? → push it"));
    assert_eq!(now["last_words"]["text"], json!("Both parts are written."));
    // A question may name what becomes of what, and two may begin alike.
    let answers =
        json!({"Euros → cents: which way?": "at once", "Euros → cents: which file?": "rows"});
    let asked: Vec<_> = answers
        .as_object()
        .unwrap()
        .keys()
        .map(|asked| json!({"question": asked, "options": []}))
        .collect();
    let both = json!({"name": "AskUserQuestion", "input": {"questions": asked}, "answers": answers, "output": "Answered."});
    let told = &pack(&[json!("Two things."), both])["decisions"];
    let mut told: Vec<_> =
        told.as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    told.sort_unstable();
    assert_eq!(told, ["Euros → cents: which file? → rows", "Euros → cents: which way? → at once"]);
    // What was done since is what counts.
    let steps =
        [&steps[..], &[shell("git push", "To box:a.git\n"), json!("It is there.")]].concat();
    assert_eq!(pack(&steps)["now"]["next"], json!("It is there."));
    let plan = json!({"name": "ExitPlanMode", "input": {"plan": "# Rows\n\nRead them once."},
        "output": "User has approved your plan. You can now start coding."});
    let steps = [json!("This is how I would do it."), plan];
    let next = pack(&steps)["now"]["next"].to_string();
    assert!(next.contains("carry out the plan that the user approved (D-"), "{next}");
}

#[test]
fn who_asks_back_has_chosen_nothing() {
    let options = json!([{"label": "Rows (Recommended)"}, {"label": "Columns"}]);
    let decided = |answer: &str| {
        let input = json!({"questions": [{"question": "Which way?", "options": options}]});
        let asked = json!({"name": "AskUserQuestion", "input": input, "answers": {"Which way?": answer}, "output": "Answered."});
        let told = pack(&[json!("Two ways."), asked, edit("src/a.rs", "x", "y")]);
        told["decisions"].as_array().unwrap().len() == 1
    };
    for answer in [
        "is the other half of it done, too?",
        "Was ist schneller?",
        "どちらが速いですか？",
        "I don't know, what is faster?",
        "are rows slower?",
        "Would you use rows or columns?",
        "Can you explain columns?",
        "Which one do you prefer?",
        "Is that right?",
        "Are rows ok?",
        "Can rows keep their order?",
        "Do the pages need rows?",
        "Let's look at the numbers first, ok?",
        "what do you think of rows",
        "Does it matter",
        "rows, what do you think?",
        "Was hältst du von Columns?",
        "que penses-tu de Columns ?",
        "¿qué opinas de Columns?",
        "Columns nasıl?",
        "что думаешь о Columns?",
        "你觉得Columns怎么样",
        "Columnsはどう思いますか",
        "Columns 어때",
    ] {
        assert!(!decided(answer), "{answer}");
    }
    for answer in [
        "Columns",
        "Do rows, but can you keep the old page too?",
        "Can you use a tree instead?",
        "Do both, ok?",
        "How about none of them?",
        "Columns, ok?",
        "Columns. What's the difference to rows anyway?",
        "Use columns but explain why?",
        "Let's do rows. Makes sense?",
        "none of these - can't we just write a file?",
        "Columns. Do you think that we need a test?",
        "Columns, I think",
    ] {
        assert!(decided(answer), "{answer}");
    }
}

#[test]
fn what_the_card_quotes_is_not_told_again_as_what_came_of_its_turn() {
    let steps = [
        edit("src/a.rs", "x", "y"),
        json!("The rows are read once and the page has them."),
        told("look at the page again"),
        shell("cat page.html", "rows"),
        json!("It has them all, and nothing is left."),
        told("and now?"),
    ];
    let text = printed(&steps);
    assert_eq!(text.matches("It has them all").count(), 1, "{text}");
    assert!(text.contains("T-2: ") || !text.contains("T-2-T"), "{text}");
}

#[test]
fn the_agents_last_words_stay_whatever_the_harness_lists() {
    let todos =
        json!([{"content": "write the page", "status": "in_progress", "activeForm": "Writing"}]);
    let list = json!({"name": "TodoWrite", "input": {"todos": todos}, "output": "Todos have been modified"});
    let words = "All rows are read, and the page has them.";
    let steps = [list, json!(words), shell("cat page.html", "rows")];
    let now = &pack(&steps)["now"];
    assert_eq!(
        (&now["last_words"]["text"], &now["next"]),
        (&json!(words), &json!("go on with: write the page"))
    );
    // What was run in the harness after them is neither's word.
    let run = told("<local-command-stdout>Set model to small</local-command-stdout>");
    let steps = [edit("a.md", "x", "y"), json!(words), run];
    assert_eq!(pack(&steps)["now"]["last_words"]["text"], json!(words));
    let closes = "or ask what comes next: nothing else is known to be open.";
    assert!(printed(&steps).contains(closes), "{}", printed(&steps));
}

#[test]
fn what_was_done_after_the_last_words_stands_below_them() {
    let push =
        shell("git push -u origin amounts", "branch 'amounts' set up to track 'origin/amounts'.");
    let words = json!("Pushing the branch, then the page is read once more:");
    let steps = [edit("a.md", "x", "y"), words.clone(), push.clone()];
    let text = printed(&steps);
    let since = "The agent's last words: Pushing the branch, then the page is read once more:\n\
                 Done since: ran `git push -u origin amounts`; 1 file changed in the session\n";
    assert!(text.contains(since), "{text}");
    let after =
        "The turn has no answer yet: go on after what was done since the agent's last words above.";
    assert!(text.contains(after), "{text}");
    // What was only looked at since is no deed.
    let steps = [edit("a.md", "x", "y"), push, words, shell("cat page.html", "rows")];
    let text = printed(&steps);
    assert!(text.contains("\nLast done: ran `git push -u origin amounts`"), "{text}");
    let from = "The turn has no answer yet: go on from the agent's last words above.";
    assert!(text.contains(from), "{text}");
}

#[test]
fn what_was_read_is_told_by_its_name_but_for_the_last_step() {
    let first = shell("cat docs/first.md", "the first page speaks of amounts\nand of signs");
    let last = shell("cat docs/last.md", "the last page speaks of rows\nand of ends");
    let fetched = json!({"name": "WebFetch", "input": {"url": "https://a.example/x", "prompt": "read it"},
        "output": "the page from elsewhere speaks of cents\nand of rates"});
    let text = printed(&[first, edit("a.md", "x", "y"), fetched, edit("b.md", "x", "y"), last]);
    assert!(text.contains("docs/first.md") && !text.contains("speaks of amounts"), "{text}");
    assert!(text.contains("speaks of rows") && text.contains("speaks of cents"), "{text}");
}

#[test]
fn what_the_agent_said_of_how_far_it_is_comes_before_names_in_files() {
    let code: String = (0..40).map(|row| format!("fn parse_amount_{row}() {{}}\n")).collect();
    let write = |row: usize| {
        json!({"name": "Write", "input": {"file_path": format!("/home/ada/tally/src/part_{row}.rs"),
            "content": code.replace("amount", &format!("amount_of_{row}"))}, "output": "File created successfully"})
    };
    let said = "All 35 rows were deleted and 2 were kept: the page of amounts is whole again.";
    let steps: Vec<Value> = (0..12)
        .map(write)
        .chain([told("delete the rows"), shell("./delete --rows", "deleted=35"), json!(said)])
        .chain((0..12).map(|row| shell(&format!("cat src/part_{row}.rs"), &code)))
        .chain([json!("Then the branch is pushed:"), shell("git push", "ok")])
        .collect();
    let small = segue(&["pack", "-", "--budget", "900"], &steps).stdout;
    assert!(small.contains(said), "{small}");
}

#[test]
fn a_list_that_a_commit_came_after_is_not_what_comes_next() {
    let todos =
        json!([{"content": "write the page", "status": "pending", "activeForm": "Writing"}]);
    let list = json!({"name": "TodoWrite", "input": {"todos": todos}, "output": "Todos have been modified"});
    let commit =
        shell("git commit -am 'add the page'", "[main 1234567] add the page\n 1 file changed");
    let next = |steps: &[Value]| pack(steps)["now"]["next"].clone();
    let steps = [list.clone(), edit("src/page.rs", "x", "y"), commit.clone()];
    let behind = "see what is left of the list of work: 1234567 came after it was changed last";
    assert_eq!(next(&steps), json!(behind));
    // Nor does one in another folder.
    let note = shell("cd /home/ada/notes && git commit -am 'Note'", "[main 9a9b3c4] Note");
    let other = [list.clone(), edit("src/page.rs", "x", "y"), note];
    assert_eq!(next(&other), json!("go on with: write the page"));
    // A commit of what was changed before says nothing of it.
    assert_eq!(
        next(&[edit("src/page.rs", "x", "y"), list, commit]),
        json!("go on with: write the page")
    );
}

#[test]
fn a_request_that_names_what_the_agent_said_is_told_with_it() {
    let points = POINTS.map(|point| format!("- {point}.\n")).concat();
    let said = json!(format!("The importer is written. Five things are left:\n\n{points}"));
    let request = "Leave the old files where they are, with their names and their dates, and do the five things \
                   that are left. Write down how long each of them took.";
    let steps = |request: &str| {
        [edit("src/a.rs", "x", "y"), said.clone(), told(request), edit("src/door.rs", "x", "y")]
    };
    let text = small("700", &steps(request));
    assert!(POINTS.iter().all(|point| text.contains(point)), "{text}");
    let other = request.replace("the five things that are left", "the importer of amounts");
    let answered = [&steps(&other)[..], &[json!("The importer is there now.")]].concat();
    assert_eq!(pack(&answered)["now"]["replies_to"], Value::Null);
}

#[test]
fn a_word_that_stands_for_something_goes_back_to_where_that_was_said() {
    let said = "The rows can be read in two ways. I would read them once, since the page asks for them twice and \
                a second reading takes as long as the first.";
    let then = |request: &str| {
        let steps = [json!(said), told("fine, no hurry with that"), json!("Great."), told(request)];
        pack(&steps)["now"]["replies_to"]["text"].clone()
    };
    assert_eq!(then("make a page for it"), json!(said));
    assert_eq!(then("make a page of the 2 ways"), json!(said));
    assert_eq!(then("make a page of amounts"), json!("Great."));
    // What names something can be what is meant.
    for named in ["Opened #812, which waits for a review.", "It is on the branch of Bob now."] {
        let steps = [json!(said), told("fine, open it"), json!(named), told("merge it now")];
        assert_eq!(pack(&steps)["now"]["replies_to"]["text"], json!(named));
    }
}

#[test]
fn a_request_that_agrees_before_it_goes_on_is_told_with_the_question() {
    let long = "And then look at the way in which letters leave the attic, whether it is the \
                simplest one for those who carry them, and which of its steps could be left out.";
    let to = |said: &str, lead: &str| {
        let answer = json!("They go by the stairs, and no step of it could be left out.");
        let steps =
            [json!(said), told(&format!("{lead} {long}")), shell("ls attic", "box"), answer];
        pack(&steps)["now"]["replies_to"]["text"].clone()
    };
    let asks =
        "The apples can be kept in boxes or in sacks; boxes let the air in. Shall I take boxes?";
    for lead in ["Yes, do that.", "OK.", "Go ahead."] {
        assert_eq!(to(asks, lead), json!(asks), "{lead}");
    }
    for (said, lead) in [(asks, "Wait."), ("The apples are in boxes.", "OK."), (asks, "Ok now")] {
        assert_eq!(to(said, lead), Value::Null, "{said} {lead}");
    }
}

#[test]
fn a_question_asked_at_work_is_what_the_next_request_answers() {
    let steps = [
        json!("Two ways: A is a lock, B is a queue. Which one?"),
        told("A"),
        json!("I looked at the file. There are two callers, x and y. Shall I keep y?"),
        shell("ls", "a.rs"),
        told("keep y"),
    ];
    let replies = &pack(&steps)["now"]["replies_to"]["text"];
    assert!(replies.as_str().unwrap().ends_with("Shall I keep y?"), "{replies}");
}

#[test]
fn what_was_just_suggested_in_a_few_words_is_what_is_meant() {
    let slow = "The tests take long because each of them reads the whole file anew, and that is read from the net; with \
                the rows kept in a folder of their own none of it would be read twice.";
    let to = |steps: &[Value], request: &str| {
        let asked = [json!(slow), told("and the reader of rows?")];
        let steps = [&asked, steps, &[told(request)]].concat();
        pack(&steps)["now"]["replies_to"]["text"].as_str().unwrap().to_owned()
    };
    let brief = "I would keep the rows in memory instead.";
    let says =
        [shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored"), json!(brief)];
    for request in
        ["do what you suggested", "do what you just proposed and commit it", "implement that"]
    {
        assert_eq!(to(&says, request), brief, "{request}");
    }
    // What tells of work suggests nothing.
    let works =
        [edit("src/a.rs", "x", "y"), json!("The reader of rows is changed and committed now.")];
    assert_eq!(to(&works, "do what you suggested"), slow);
    // What ends a piece of work can suggest the next one.
    for more in ["Done. I would also keep the rows in memory.", "Mended; next would be the runner."]
    {
        let works = [edit("src/a.rs", "x", "y"), json!(more)];
        assert_eq!(to(&works, "yes, do that"), more);
    }
}

#[test]
fn courtesies_and_what_only_leads_on_are_not_what_is_meant() {
    let points = POINTS.map(|point| format!("1. {point}.\n")).concat();
    let found = format!("I went through the house. What I found:\n\n{points}\nSay the word.");
    for (asked, small) in [
        ("thanks, is it committed?", "Yes, all of it is committed and pushed already."),
        ("thank you, that was quick", "You are welcome, just tell me when you want more of it."),
        ("give me a minute", "Sure, take your time, I will wait here for you."),
        ("do a proposal", "Now I can see the real shape. Let me check what the rules ask for."),
        ("thanks", "You're welcome! Let me know if you want me to mend any of these."),
    ] {
        let steps = [json!(found), told(asked), json!(small), told("good, then fix all of them")];
        let said = pack(&steps)["now"]["replies_to"]["text"].clone();
        assert!(said.as_str().unwrap().starts_with("I went through"), "{asked}: {said}");
    }
    // What was found, in a few words, is.
    for brief in [
        "The retry swallows each error, since it returns early.",
        "The total is pushed into the list before the tax is known.",
    ] {
        let steps = [json!(found), told("and the retry?"), json!(brief), told("fix it")];
        assert_eq!(pack(&steps)["now"]["replies_to"]["text"], brief);
    }
    // So is what says more than how far it is, and what an agent found that was sent off.
    let agent = json!({"name": "Task", "input": {"description": "look", "prompt": "why is it slow?", "subagent_type": "Explore"}, "output": "The rows are sorted twice."});
    let none: &[Value] = &[];
    for (asked, by, brief) in [
        (
            "what is wrong with the release script?",
            none,
            "The release script forgets to push the tag.",
        ),
        (
            "was it committed?",
            none,
            "No, the commit failed because the hook could not find the linter.",
        ),
        (
            "where is the fault?",
            none,
            "The welcome page loads the banner twice, as it seems to me.",
        ),
        (
            "where is the fault?",
            none,
            "It sorts the rows of the day twice. I will look at the page next.",
        ),
        ("why is it slow?", &[agent], "The rows are sorted twice, in the reader and in the page."),
    ] {
        let steps = [&[json!(found), told(asked)], by, &[json!(brief), told("fix it")]].concat();
        assert_eq!(pack(&steps)["now"]["replies_to"]["text"], brief);
    }
    // What reports of work is not, whatever it says of the time to come.
    for report in [
        "The typo is mended and all of the tests still pass.",
        "I fixed it; it should work now.",
        "Mended. You should see it after a reload of the page.",
        "I used a loop instead of the map for all of the rows.",
        "The typo is mended, as we should have done long ago.",
    ] {
        let work = edit("readme.md", "x", "y");
        let steps =
            [json!(found), told("mend the typo first"), work, json!(report), told("now do that")];
        let said = pack(&steps)["now"]["replies_to"]["text"].clone();
        assert!(said.as_str().unwrap().starts_with("I went through"), "{report}: {said}");
    }
}

#[test]
fn the_list_that_a_request_counts_comes_first() {
    let long =
        "It was looked at from all sides, and each of them is as it is told here. ".repeat(9);
    let defects = POINTS.map(|point| format!("## Defect\n\n{point}. {long}\n\n")).concat();
    let rows = ["mend the door", "light the lamp", "sweep the attic", "close the roof"];
    let table: String =
        rows.iter().enumerate().map(|(at, row)| format!("| {} | {row} |\n", at + 1)).collect();
    let said = format!("I looked.\n\n{defects}| # | What |\n|---|---|\n{table}\n{long}");
    let steps = [json!(said), told("Leave the rest as it is. Do the 4 things about the house.")];
    let text = small("700", &steps);
    assert!(rows.iter().all(|row| text.contains(row)), "{text}");
}

#[test]
fn a_request_in_some_words_can_answer_the_question_before_it() {
    let asks =
        "Two ways are there.\n\nDoes the pin follow the derived value, or do you want it fixed?";
    let to = |request: &str| {
        let said = json!("It is there now, and both of the pages say so.");
        let steps = [json!(asks), told(request), shell("ls attic", "box"), said];
        pack(&steps)["now"]["replies_to"]["text"].clone()
    };
    let answer = "The page follows the derived value, as the others of the house have done so far";
    assert_eq!(to(answer), json!(asks));
    for other in [
        "Now write a page on how letters leave the attic and the cellar in spring",
        "Now look at the letters of ada in the attic, since nobody has derived how they came there",
    ] {
        assert_eq!(to(other), Value::Null);
    }
}

/// A review of as many points, each with more than its head.
fn review() -> String {
    let all = "It was looked at from all sides and is so. ".repeat(4);
    let point = |(at, point): (usize, &&str)| format!("{}. **{point}** — {all}\n\n", at + 1);
    let points: String = POINTS.iter().enumerate().map(point).collect();
    format!(
        "The review is done. {all}\n\nWhat was found:\n\n{points}## What is well\n\n{all}\n\n- {all}\n- {all}"
    )
}

#[test]
fn the_points_that_a_request_answers_by_their_numbers_are_told() {
    let lead = "Look deeper into all points of the review, the door and the lamp and the attic, and tell me in a few words what could be done about each, so that I can choose between them:";
    let answers = |numbers: &[usize]| {
        let rows = numbers.iter().map(|at| format!("{at}. Why should it be so at all?\n"));
        told(&format!("{lead}\n\n{}", rows.collect::<String>()))
    };
    let steps = |request: Value| {
        let looked =
            [json!("Let me look at the door first."), shell("cat src/door.rs", "fn a() {}")];
        [&work()[..], &[json!(review()), request], &looked, &[edit("src/door.rs", "x", "y")]]
            .concat()
    };
    let text = small("900", &steps(answers(&[2, 3, 5])));
    assert!([1, 2, 4].iter().all(|at| text.contains(POINTS[*at])), "{text}");
}

#[test]
fn short_last_words_are_told_whole_before_names() {
    let words = "I found two things that are not as they should be, and nothing else on the page:\n\n1. The door asks for the name before anything is drawn on it, though the lamp is out and nobody reads it.\n2. The attic takes letters in boxes of twenty only where the year stands on them.\n\nI mend both, and leave the cellar and the roof as they are.";
    let steps = [work(), vec![json!(words), edit("src/door.rs", "x", "y")]].concat();
    let text = small("1400", &steps);
    assert!(text.contains("2. The attic takes letters"), "{text}");
    assert!(text.contains("leave the cellar and the roof as they are."), "{text}");
}

#[test]
fn what_a_request_orders_and_does_not_name_stays_while_the_agent_only_looks() {
    let looks = [
        json!("Let me read the page first."),
        shell("cat attic/page.md", "apples"),
        shell("cat attic/rows.md", "pears"),
    ];
    let told_of = |end: &str, request: &str| {
        let said = json!(format!("{}{end}", proposal()));
        let steps = [&work()[..], &[said, told(request)], &looks].concat();
        let text = small("1000", &steps);
        POINTS.iter().filter(|point| text.contains(**point)).count()
    };
    for request in ["make the edits and also mend the page", "run it", "önerinle devam edelim"] {
        assert_eq!(told_of("", request), POINTS.len(), "{request}");
    }
    // What says by itself what it is about leaves room for files and what is in them.
    for request in ["make the edits to the page of rows", "what is it about in the attic?"] {
        assert!(told_of("", request) < POINTS.len(), "{request}");
    }
    // Who agrees to a question first, and asks for more, has agreed.
    let page = "Write the page of amounts too, with a row for each day and the sum of them below it, in the order in which the letters came in, as the law of the house has it since spring.";
    let asks = "\n\nShall I do all of that?";
    assert_eq!(told_of(asks, &format!("yes. also\n\n{page}")), POINTS.len());
    assert!(told_of(asks, &format!("also\n\n{page}")) < POINTS.len());
}

#[test]
fn a_request_that_names_a_point_is_told_with_the_answer_that_holds_it() {
    let all = "It was looked at from all sides and is so. ".repeat(9);
    let filed = format!(
        "All findings are filed as issues. {all}\n\n| Part | Issue |\n|---|---|\n| The gate stands open | #288 |\n| The lamp burns at noon | #289 |\n\n{all}"
    );
    let other = |asked: &str| format!("The hooks of the house are set. {all}\n\n{asked}");
    let told_to = |asked: &str, request: &str| {
        let steps = [
            json!(filed),
            told("set the hooks of the house first"),
            edit("hooks.json", "x", "y"),
            json!(other(asked)),
            told(request),
        ];
        pack(&steps)["now"]["replies_to"]["text"].as_str().unwrap_or_default().to_owned()
    };
    let text = told_to(
        "Shall I go back to the findings?",
        "the first one of the findings is #288, right?",
    );
    assert!(text.contains("The gate stands open | #288"), "{text}");
    for request in [
        "set the other hooks of the house as well, as #288 wants it",
        "go on with #291",
        "yes, go on with that",
    ] {
        let text = told_to("Shall I set the other hooks too?", request);
        assert!(text.starts_with("The hooks of the house"), "{request}: {text}");
    }
    // Who agrees where nothing was asked means what has the number.
    let text = told_to("They are read when the house wakes.", "ok now #288");
    assert!(text.contains("The gate stands open | #288"), "{text}");
}
