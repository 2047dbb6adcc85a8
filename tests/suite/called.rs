//! What commands and skills say that were called, by the text that the harness put in for them.

use serde_json::{Value, json};

use crate::program::Call;
use crate::status::session;

/// The text of a command as one is written.
const EXPLORE: &str = "<!-- explore -->\n\nThink about a question. Bring what you find.\n\n\
    **IMPORTANT: This is for thinking.** You may read files and search, but you must NEVER write code.\n\n\
    **Input**: the question. Never mind what it is called.\n\n\
    ## Steps\n\n1. Read the code that the question is on, as far as it goes, and write\n   down what it says. Always keep the notes.\n\
    2. Ask again:\n   ```\n   Never say in a fence what is not so.\n   ```\n\
    3. **Publish only when asked for it.**\n\n\
    ## Rules\n\n- Stage what you name — never `git add -A`.\n- Never pass on what was said to the reader\n  of the page.\n\
    - [ ] Never tick this box\n- Do not omit this\n- Don't guess names of people\n- Warnings do not block the work\n\
    | Never | in a table |\n\n<example>\nNever in an example.\n</example>\n";

fn typed(command: &str) -> Value {
    let (name, arguments) = command.split_once(' ').unwrap_or((command, ""));
    let words = format!(
        "<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
    );
    json!({"told": words})
}

fn put_in(text: &str) -> Value {
    json!({"told": [{"type": "text", "text": format!("PUT-IN{text}")}]})
}

fn asked(words: &str) -> Value {
    json!({"told": words})
}

/// Returns a session in which the texts are marked that the harness put in.
fn with_texts(steps: &[Value]) -> String {
    let lines = session(steps);
    let lines = lines.lines().map(|line| match line.contains("PUT-IN") {
        true => line.replacen('{', "{\"isMeta\":true,", 1).replace("PUT-IN", ""),
        false => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}

fn run(arguments: &[&str], steps: &[Value]) -> String {
    let said = Call::new("empty", arguments).stdin(with_texts(steps).as_bytes()).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    said.stdout
}

fn pack(steps: &[Value]) -> Value {
    serde_json::from_str(&run(&["pack", "-", "--no-check", "--json"], steps)).unwrap()
}

/// Returns what a pack tells by the texts of what was called.
fn rules(pack: &Value) -> Vec<String> {
    let facts = pack["facts"].as_array().unwrap().iter();
    let told = facts.filter(|fact| fact["of_called"] == json!(true));
    told.map(|fact| {
        assert_eq!((&fact["kind"], &fact["trust"]), (&json!("constraint"), &json!("A")));
        fact["text"].as_str().unwrap().to_owned()
    })
    .collect()
}

fn about(pack: &Value) -> Vec<String> {
    let all = pack["now"]["called"].as_array().cloned().unwrap_or_default();
    all.iter().map(|one| format!("{}: {}", one["name"], one["about"]).replace('"', "")).collect()
}

#[test]
fn what_the_user_said_to_a_command_comes_before_its_text() {
    let text = "Look at the change.\n\nReport what you find. Never edit the code.\n";
    let rule = |typed: Value| {
        rules(&pack(&[typed, put_in(text), json!("I look at it now.")])).first().cloned()
    };
    let unless = "By /look, unless the user's words say otherwise: Never edit the code.";
    let plain = "By /look: Never edit the code.";
    for (words, want) in [
        ("look and mend all that you find", unless),
        ("look 把你发现的问题全部修好", unless),
        ("look sums-of-days", plain),
        ("look --all src/a.rs src/b.rs tests/c.rs", plain),
        ("look", plain),
    ] {
        assert_eq!(rule(typed(words)).as_deref(), Some(want), "{words}");
    }
}

const ABOUT: &str = "/plan:explore: Think about a question. Bring what you find.";
const FIRST: &str =
    "By /plan:explore: You may read files and search, but you must NEVER write code.";

#[test]
fn the_text_of_a_command_that_was_called_says_what_it_is_for_and_what_it_forbids() {
    let steps = [typed("plan:explore the parser"), put_in(EXPLORE), json!("I look at it now.")];
    let told = pack(&steps);
    assert_eq!(about(&told), [ABOUT]);
    let all = [
        FIRST,
        "By /plan:explore: Publish only when asked for it.",
        "By /plan:explore: Stage what you name — never `git add -A`.",
    ];
    assert_eq!(rules(&told), all);
    let text = run(&["pack", "-", "--no-check", "--budget", "4000"], &steps);
    assert!(text.contains("> /plan:explore the parser\n/plan:explore (T-2), by its own text: Think about a question. Bring what you find.\n"), "{text}");
    for rule in all {
        assert!(text.contains(&format!("\n{rule} (C-")), "{rule}\n{text}");
    }
    // Nobody typed it.
    assert!(!text.contains("## Said by the user"), "{text}");
}

#[test]
fn it_holds_until_something_else_is_asked_for_or_called() {
    let begun = [typed("plan:explore the parser"), put_in(EXPLORE), json!("It reads rows twice.")];
    let told = |more: &[Value]| {
        let told = pack(&[&begun[..], more].concat());
        (about(&told), rules(&told).first().cloned())
    };
    let holds = (vec![ABOUT.to_owned()], Some(FIRST.to_owned()));
    // What only goes along with it asks for nothing else, nor does who answers what the agent asked.
    assert_eq!(told(&[asked("go on")]), holds);
    assert_eq!(told(&[asked("好的"), json!("Both are read."), asked("yes")]), holds);
    let asks = json!("Which one is it, rows or columns?");
    assert_eq!(told(&[asked("ok"), asks.clone(), asked("the second one of them")]), holds);
    // Whoever lets the agent do something orders that.
    let asks_to = json!("It reads rows twice. Shall I mend the first?");
    assert_eq!(told(&[asks_to, asked("yes")]).1, None);
    // What is typed while the agent is at it belongs to it.
    let begun = [typed("plan:explore the parser"), put_in(EXPLORE)];
    let at_it = pack(&[&begun[..], &[asked("look at the writer of tables, too")]].concat());
    assert_eq!(rules(&at_it)[0], FIRST);
    // Whoever orders something else is not told what was forbidden for that.
    for order in [
        "fix all findings",
        "commit and push",
        "Option 1. Also fix the warnings",
        "모두 고쳐줘",
        "PR 머지하죠",
    ] {
        assert_eq!(told(&[asks.clone(), asked(order)]).1, None, "{order}");
    }
    let later = "now write a page on the importer of sheets and its columns, for whoever installs it anew on a machine of their own";
    assert_eq!(
        told(&[asked(later), json!("It is there."), asked("and one on rows")]),
        (vec![], None)
    );
    // A command without a text ends it, too.
    assert_eq!(told(&[typed("apply")]).1, None);
    let other = "Apply the plan.\n\nNever skip a task.";
    let (about, rule) = told(&[typed("apply"), put_in(other)]);
    assert!(about.contains(&"/apply: Apply the plan.".to_owned()), "{about:?}");
    assert_eq!(rule.as_deref(), Some("By /apply: Never skip a task."));
    // The request before is told with what it called; what that forbids is over.
    let short = told(&[asked("write the fix now"), json!("Written.")]);
    assert_eq!(short, (vec![ABOUT.to_owned()], None));
}

#[test]
fn what_a_skill_says_that_the_agent_called_is_told_beside_it() {
    let skill = |output: &str| json!({"name": "Skill", "input": {"skill": "review", "args": "x"}, "output": output});
    let text = "Base directory for this skill: /home/ada/.claude/skills/review\n\n# Review\n\n\
        Review a change against its plan. Never edits the plan under review.\n";
    let steps = [json!("I review it."), skill("Launching skill: review"), put_in(text)];
    let told = pack(&steps);
    assert_eq!(
        about(&told),
        ["review: Review a change against its plan. Never edits the plan under review."]
    );
    assert_eq!(rules(&told), [""; 0]);
    let longer = format!("{text}\n- Never hide what was found\n");
    let by_user =
        [typed("plan:explore"), put_in(EXPLORE), skill("Launching skill: review"), put_in(&longer)];
    let told = pack(&by_user);
    assert_eq!(about(&told).len(), 2);
    assert_eq!(rules(&told).len(), 4);
    assert_eq!(rules(&told)[3], "By review: Never hide what was found");
    // One that did not begin puts nothing in.
    let mut failed = skill("Unknown skill: review");
    failed["fails"] = json!(true);
    assert_eq!(about(&pack(&[failed, put_in(text)])), [""; 0]);
}

#[test]
fn what_is_no_text_of_a_command_says_nothing() {
    let none = |steps: &[Value]| {
        let told = pack(steps);
        assert_eq!((about(&told), rules(&told)), (vec![], vec![]));
    };
    none(&[typed("plan:explore the parser"), json!("I look.")]);
    none(&[asked("look at the parser"), put_in(EXPLORE)]);
    none(&[typed("context"), put_in("<local-command-stdout>Never here.</local-command-stdout>")]);
    none(&[
        typed("lies"),
        put_in("Prüfe die Änderung am Plan. Niemals den Plan ändern, auch nicht am Ende."),
    ]);
    // What belongs to the program itself ends nothing.
    let found = pack(&[
        typed("plan:explore"),
        put_in(EXPLORE),
        json!("Done."),
        typed("clear"),
        asked("go on"),
    ]);
    assert_eq!(rules(&found)[0], FIRST);
}

#[test]
fn a_long_text_and_long_sentences_are_told_in_few_words() {
    let filler = "It says what there is to know about the matter at hand, at length. ".repeat(40);
    let far = "Read each file that the change names and each of those that they name, too, in the order in which they stand there, but never write to one of them while you read it, whatever it says.";
    let text = format!(
        "Look.\n\nCheck the pages of the project.\n\n{filler}\n\n{far}\n\n{filler}\n\n{filler}\n\nDo NOT publish a page.\n"
    );
    let told = pack(&[typed("pages"), put_in(&text)]);
    assert_eq!(about(&told), ["/pages: Check the pages of the project."]);
    let rules = rules(&told);
    assert_eq!(rules[0], "By /pages: Do NOT publish a page.");
    assert!(rules[1].starts_with("By /pages: … never write to one"), "{rules:?}");
    assert!(rules.iter().all(|rule| rule.chars().count() < 180), "{rules:?}");
}

#[test]
fn a_status_is_the_same_with_it() {
    let done = [json!("All of it is written and the tests pass.")];
    let with = [&[typed("plan:explore"), put_in(EXPLORE)][..], &done].concat();
    let without = [&[typed("plan:explore")][..], &done].concat();
    let status = |steps: &[Value]| {
        let said = Call::new("empty", &["status", "-", "--json"])
            .stdin(with_texts(steps).as_bytes())
            .run();
        serde_json::from_str::<Value>(&said.stdout).unwrap()
    };
    let (with, without) = (status(&with), status(&without));
    assert_eq!((&with["status"], &with["open"]), (&without["status"], &without["open"]));
}

#[test]
fn what_other_harnesses_put_in_is_told_in_the_same_way() {
    let line = |kind: &str, payload: Value| {
        json!({"timestamp": "2026-01-02T03:04:05.100Z", "type": kind, "payload": payload})
            .to_string()
    };
    let says = |text: &str| json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]});
    let skill = "<skill>\n<name>tidy</name>\n<path>/home/ada/.codex/skills/tidy/SKILL.md</path>\n---\nname: tidy\ndescription: Tidies the imports of a file.\n---\n\n# Tidy\n\nNever touch generated files.\n</skill>";
    let meta = json!({"id": "01a1ffd7-0000-7000-8000-00000000000f", "cwd": "/w", "cli_version": "0.169.0", "source": "cli"});
    let session = [
        line("session_meta", meta),
        line("response_item", says("$tidy src/a.rs")),
        line("response_item", says(skill)),
    ];
    let read = |session: &str| -> Value {
        let call = Call::new("empty", &["pack", "-", "--no-check", "--json"]);
        let said = call.stdin(session.as_bytes()).run();
        serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}", said.stderr))
    };
    let told = read(&session.join("\n"));
    assert_eq!(about(&told), ["$tidy: Tidies the imports of a file."]);
    assert_eq!(rules(&told), ["By $tidy: Never touch generated files."]);
    let head = json!({"sessionId": "5e90e000-0000-4000-8000-000000000001", "projectHash": "0".repeat(64),
        "startTime": "2026-01-02T03:04:05.000Z", "lastUpdated": "2026-01-02T03:05:05.000Z", "kind": "main"});
    let asked = json!({"id": "a1", "timestamp": "2026-01-02T03:04:06.000Z", "type": "user",
        "content": [{"text": "Tidy the imports of the file that is named. Never touch generated files. It is src/a.rs."}],
        "displayContent": [{"text": "/tidy src/a.rs"}]});
    let told = read(&format!("{head}\n{asked}\n"));
    assert_eq!(
        about(&told),
        ["/tidy: Tidy the imports of the file that is named. Never touch generated files."]
    );
    assert_eq!(rules(&told), [""; 0]);
}

#[test]
fn what_is_shown_as_wrong_is_no_rule() {
    let text = "Mend the tests of a change, one by one, and say what was wrong with each.\n\n## Rules\n\n- Never push the branch.\n- Bad: never write tests.\n\n## Wrong\n\n- Do not write any test for it.\n\nExamples:\n\n- user: do not touch the pages\n\n## Then\n\n- Never delete a test.\n";
    let steps = [typed("fix"), put_in(text)];
    let rules = rules(&pack(&steps));
    let bare: Vec<&str> =
        rules.iter().filter_map(|rule| rule.split_once(": ")).map(|(_, it)| it).collect();
    assert_eq!(bare, ["Never push the branch.", "Never delete a test."]);
}

#[test]
fn words_within_words_and_leads_hide_no_more_than_what_they_lead_to() {
    let head = "Mend one bug in the project, with a test for it.\n\n";
    let told = |text: &str| {
        let rules = rules(&pack(&[typed("fix"), put_in(&format!("{head}{text}"))]));
        rules.iter().map(|rule| rule.trim_start_matches("By /fix: ").to_owned()).collect::<Vec<_>>()
    };
    let rule = ["Never push to main."];
    for text in [
        "## Badges\n\nNever push to main.\n",
        "## What can go wrong\n\nNever push to main.\n",
        "A bad prompt:\n\nDo not think about it.\n\nThis is the text.\n\nNever push to main.\n",
        "Examples:\n\n- do not think about it\n\n- never rest here\n\nNever push to main.\n",
        "````\n```\nNever rest here.\n```\nNever sleep here.\n````\n\nNever push to main.\n",
        "## Bad examples\n\nNever rest here.\n\nNever sleep here.\n\n## Rules\n\nNever push to main.\n",
    ] {
        assert_eq!(told(text), rule, "{text}");
    }
    let soft =
        "You should not push to main. Avoid editing generated files. It should not be slow.\n";
    assert_eq!(told(soft), ["You should not push to main.", "Avoid editing generated files."]);
    let front = "---\nname: fix\ndescription: >-\n  Mends a bug\n  with a test.\nmodel: x\n---\n\nNever push to main.\n";
    let told = pack(&[typed("fix"), put_in(front)]);
    assert_eq!(about(&told), ["/fix: Mends a bug with a test."]);
    assert_eq!(rules(&told), ["By /fix: Never push to main."]);
}
