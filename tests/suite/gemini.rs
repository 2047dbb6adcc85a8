//! Sessions of Gemini CLI, as real versions of it wrote them.

mod files;
mod replay;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use camino::Utf8Path;
use segue::harness::{self, Sink, Want};
use segue::jsonl::Input;
use segue::model::{Action, Body, Header, Item, Origin, PlanStatus, Session};
use serde_json::json;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gemini")
}

fn fixture(path: &str) -> Input {
    let path = fixtures().join(path);
    Input::file(Utf8Path::from_path(&path).unwrap()).unwrap()
}

fn read(input: &Input) -> Session {
    let want = Want { actions: true, ..Want::default() };
    read_with(input, want).unwrap()
}

fn read_with(input: &Input, want: Want) -> Result<Session, segue::error::Error> {
    let gemini = harness::by_name("gemini").unwrap();
    let mut session = Session::default();
    session.end = gemini.read(input, want, &mut session)?;
    Ok(session)
}

#[test]
fn what_the_program_sends_by_itself_is_no_request() {
    let said = |text: &str| {
        let (at, end) = ("2026-01-01T00:00:00Z", "2026-01-01T00:00:09Z");
        let message = |id: &str, kind: &str, content: &str| json!({"id": id, "timestamp": at, "type": kind, "content": content});
        let session = json!({"sessionId": "s", "projectHash": "p", "startTime": at,
            "lastUpdated": end, "messages": [message("a", "user", "mend the parser"),
            message("b", "gemini", "I do."), message("c", "user", text)]});
        let session = lines(&session.to_string());
        let last = session.items.iter().rfind(|item| matches!(item.body, Body::Message(_)));
        match last.map(|item| (item.turn, &item.body)) {
            Some((turn, Body::Message(message))) => (turn, message.origin),
            _ => panic!("no message"),
        }
    };
    assert_eq!(said("System: Please continue."), (1, Origin::Harness));
    assert_eq!(said("Please continue."), (1, Origin::Harness));
    assert_eq!(said("Please continue with the lexer."), (2, Origin::Human));
    let circle =
        "System: Potential loop detected. Details: it reads again. Please take a step back.";
    assert_eq!(said(circle), (1, Origin::Harness));
    assert_eq!(said("System: potential loops in the parser?"), (2, Origin::Human));
}

#[test]
fn what_the_human_ran_in_the_shell_mode_is_no_request() {
    let ran = "I ran the following shell command:\n```sh\nnpm test\n```\n\nThis produced the following result:\n```\nCommand exited with code 1.\nTests  1 failed | 3 passed (4)\n```";
    let (at, end) = ("2026-01-01T00:00:00Z", "2026-01-01T00:00:09Z");
    let message = |id: &str, kind: &str, content: &str| json!({"id": id, "timestamp": at, "type": kind, "content": content});
    let session = json!({"sessionId": "s", "projectHash": "p", "startTime": at, "lastUpdated": end,
        "messages": [message("a", "user", "mend the parser"), message("b", "gemini", "It is."), message("c", "user", ran)]});
    let session = lines(&session.to_string());
    let told = outline(&session);
    assert!(told[told.len() - 1].starts_with("1: Command I ran"), "{told:?}");
    assert!(session.items.iter().all(|item| item.turn == 1 && item.live), "{told:?}");
}

fn lines(text: &str) -> Session {
    read(&Input::memory("memory", text.as_bytes()))
}

/// Writes each item as one short line: what it is, what it says, and why it is not live.
fn outline(session: &Session) -> Vec<String> {
    session.items.iter().map(shortly).collect()
}

fn shortly(item: &Item<'_>) -> String {
    let said = match &item.body {
        Body::Message(message) => format!("{:?} {}", message.origin, message.plain()),
        Body::Reasoning(reasoning) => format!("thinks {}", reasoning.text.plain()),
        Body::ToolCall(call) => format!("calls {}", call.name),
        Body::ToolResult(result) => match result.exit_code {
            Some(code) => format!("{:?} {code}", result.status),
            None => format!("{:?}", result.status),
        },
        Body::Plan(plan) => format!("plan of {}", plan.items.len()),
        Body::Compaction(_) => "compaction".into(),
        Body::Usage(_) => "usage".into(),
        Body::Notice { kind, .. } => format!("notice {kind}"),
        Body::SideSession(_) => "side session".into(),
    };
    let said: String = said.replace('\n', " ").chars().take(40).collect();
    let copy = if item.copy_of.is_some() { " (copy)" } else { "" };
    match &item.dropped_by {
        Some(by) => format!("{}: {said}{copy} - {by}", item.turn),
        None => format!("{}: {said}{copy}", item.turn),
    }
}

/// The outline without what every answer brings with it.
fn talk(session: &Session) -> Vec<String> {
    let mut lines = outline(session);
    lines.retain(|line| !line.contains(": usage"));
    lines
}

/// What holds for every session: lines add up, ids differ, each call has one result.
fn sound(session: &Session, name: &str) {
    let tally = session.end.tally;
    let sum = tally.lines_used + tally.lines_bookkeeping + tally.lines_noted;
    assert_eq!(sum, tally.lines_read, "{name}");
    let ids: BTreeSet<&str> = session.items.iter().map(|item| item.id.as_ref()).collect();
    assert_eq!(ids.len(), session.items.len(), "{name}: an id occurs twice");
    let mut open: BTreeMap<(Option<&str>, &str), i32> = BTreeMap::new();
    for item in session.items.iter().filter(|item| item.copy_of.is_none()) {
        let side = item.side_session.as_deref();
        match &item.body {
            Body::ToolCall(call) => *open.entry((side, &call.call_id)).or_default() += 1,
            Body::ToolResult(result) => *open.entry((side, &result.call_id)).or_default() -= 1,
            _ => {}
        }
    }
    let unpaired: Vec<_> = open.into_iter().filter(|(_, left)| *left != 0).collect();
    assert!(unpaired.is_empty(), "{name}: {unpaired:?}");
}

fn all_files() -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    walk(&fixtures(), &mut found);
    found.retain(|path| path.extension().is_some());
    found.sort();
    found
}

const HEADER: &str =
    r#"{"sessionId":"s","projectHash":"x","startTime":"2026-01-01T00:00:00.000Z"}"#;

fn said(id: &str, kind: &str, text: &str) -> String {
    format!(r#"{{"id":"{id}","type":"{kind}","content":"{text}"}}"#)
}

fn record(parts: &[&str]) -> String {
    let mut text = HEADER.to_owned();
    for part in parts {
        text.push('\n');
        text.push_str(part);
    }
    text.push('\n');
    text
}

#[test]
fn a_message_in_several_versions_is_one() {
    let session = read(&fixture("0.61.0/tools/chats/session-2026-11-21T20-24-c20e3001.jsonl"));
    sound(&session, "tools");
    let talk = talk(&session);
    let want = [
        "0: Harness <session_context> This is the Ge",
        "1: Human List the files, then write notes.t",
        "1: thinks **Planning the work** I will list - never_sent",
        "1: Model I'll start by looking around.",
        "1: calls write_todos",
        "1: calls run_shell_command",
        "1: Ok",
        "1: plan of 3",
        "1: Ok 0",
        "1: calls write_file",
        "1: Ok",
    ];
    assert_eq!(talk[..want.len()], want);
    assert!(talk.contains(&"1: Error 3".into()), "{talk:#?}");
    let header = &session.header;
    assert_eq!(header.project.as_deref(), Some("/home/ada/tools"));
    assert_eq!(header.title.as_deref(), Some("List the files, then write notes.txt"));
    assert_eq!(header.model.as_deref(), Some("gemini-2.5-pro"));
    assert_eq!(header.started_at.as_deref(), Some("2026-11-21T20:24:16.368Z"));
    assert_eq!(header.ended_at.as_deref(), Some("2026-11-21T20:24:17.554Z"));
    assert!(header.has_request && header.has_answer && !header.is_side);
}

#[test]
fn calls_say_what_they_mean() {
    let session = read(&fixture("0.61.0/tools/chats/session-2026-11-21T20-24-c20e3001.jsonl"));
    let actions = session.items.iter().filter_map(|item| match &item.body {
        Body::ToolCall(call) => call.action.as_deref(),
        _ => None,
    });
    let actions: Vec<&Action> = actions.collect();
    assert!(matches!(actions[0], Action::Plan));
    assert!(matches!(actions[1], Action::Shell { command, .. } if command == "echo one; echo two"));
    let Action::Edit { changes } = actions[2] else { panic!("{:?}", actions[2]) };
    assert_eq!(
        (changes[0].path.as_str(), changes[0].added.as_str()),
        ("notes.txt", "alpha\nbeta\n")
    );
    let Action::Edit { changes } = actions[3] else { panic!("{:?}", actions[3]) };
    assert_eq!((changes[0].removed.as_str(), changes[0].added.as_str()), ("alpha", "ALPHA"));
}

#[test]
fn a_compaction_keeps_its_tail_as_copies() {
    let session = read(&fixture("0.61.0/compaction/chats/session-2026-11-21T20-25-5bf4a297.jsonl"));
    sound(&session, "compaction");
    let talk = talk(&session);
    let at = talk.iter().position(|line| line.ends_with("compaction")).unwrap();
    let after = [
        "3: compaction",
        "3: Summary <state_snapshot> <overall_goal>C",
        "3: Harness Got it. Thanks for the additiona",
        "2: Human Second question about databases (copy)",
        "2: Model Second answer: a longer body of te (copy)",
        "3: Human Third question, run echo (copy)",
        "3: Model Third: running a command. (copy)",
        "3: calls run_shell_command (copy)",
        "3: Ok 0 (copy)",
        "3: Model Third finished after compression.",
    ];
    assert_eq!(talk[at..], after);
    let id = session.items.iter().find(|item| matches!(item.body, Body::Compaction(_))).unwrap();
    assert!(talk[1..at].iter().all(|line| line.ends_with(id.id.as_ref())), "{talk:#?}");
    let Body::Compaction(compaction) = &id.body else { unreachable!() };
    assert_eq!((compaction.tokens_before, compaction.tokens_after), (Some(950_000), Some(4000)));
    assert!(compaction.tokens_before_estimated && compaction.readable);
    let summary = compaction.summary.as_ref().unwrap().plain().into_owned();
    assert!(summary.starts_with("<overall_goal>Count numbers"), "{summary}");
    assert_eq!(compaction.summary_id.as_deref(), Some(format!("{}/1", id.id).as_str()));
    assert_eq!(compaction.replaced.len(), 8);
}

#[test]
fn a_resumed_session_is_not_doubled() {
    let path = "0.61.0/resumed-same-minute/chats/session-2026-11-21T20-24-c20e3001.jsonl";
    let session = read(&fixture(path));
    sound(&session, "same minute");
    let humans = session.items.iter().filter(
        |item| matches!(&item.body, Body::Message(message) if message.origin == Origin::Human),
    );
    let turns: Vec<u32> = humans.map(|item| item.turn).collect();
    assert_eq!(turns, [1, 2]);
    assert!(
        session
            .items
            .iter()
            .all(|item| item.live || item.dropped_by.as_deref() == Some("never_sent"))
    );
    let later =
        read(&fixture("0.61.0/resumed-later/chats/session-2026-11-21T20-25-9d5d0b74.jsonl"));
    let want = [
        "0: Harness <session_context> This is the Ge",
        "1: Human What does a parser do?",
        "1: thinks **Greeting** User asks about pars - never_sent",
        "1: Model A parser reads tokens.",
        "2: Human And a lexer?",
        "2: Model MOCK-OK",
    ];
    assert_eq!(talk(&later), want);
}

#[test]
fn notices_and_commands_are_never_sent() {
    let path = "0.61.0/interactive-resumed/chats/session-2026-11-21T20-42-980e144f.jsonl";
    let session = read(&fixture(path));
    sound(&session, "interactive");
    let talk = talk(&session);
    for line in [
        "1: notice info - never_sent",
        "2: notice error - never_sent",
        "3: Command /nosuch - never_sent",
        "3: Model MOCK-OK",
        "5: Model After compress answer.",
    ] {
        assert!(talk.contains(&line.to_owned()), "{line} in {talk:#?}");
    }
}

#[test]
fn a_turn_that_the_human_broke_off_is_interrupted() {
    let ended = |end: &str| {
        let asked =
            [said("u1", "user", "do it"), said("g1", "gemini", "I will."), said("i1", "info", end)];
        talk(&lines(&record(&asked.each_ref().map(String::as_str)))).pop().unwrap()
    };
    assert_eq!(ended("Request cancelled."), "1: notice interrupted - never_sent");
    assert_eq!(ended("Request cancelled. It was said."), "1: notice info - never_sent");
}

#[test]
fn a_sub_agent_follows_its_parent() {
    let path = "0.61.0/sub-agent/chats/session-2026-11-21T20-26-6614a8f5.jsonl";
    let session = read(&fixture(path));
    sound(&session, "sub-agent");
    assert_eq!(session.end.tally.lines_read, 11);
    let agent = "41cf1cc8-f897-45ee-82a3-19bb7c178cc2";
    let side: Vec<_> =
        session.items.iter().filter(|item| item.side_session.as_deref() == Some(agent)).collect();
    let Body::SideSession(begin) = &side[0].body else { panic!("{}", side[0].id) };
    assert_eq!(begin.agent.as_deref(), Some("codebase_investigator"));
    assert_eq!(
        (begin.lines, begin.call_id.as_deref()),
        (Some(12), Some("invoke_agent_1795292798706_0"))
    );
    assert!(side.iter().all(|item| item.dropped_by.as_deref() == Some("side_session")));
    assert!(side.len() > 6 && session.items.last().unwrap().side_session.is_some());
    let alone =
        format!("0.61.0/sub-agent/chats/6614a8f5-c7e1-4574-995e-efd0fab34898/{agent}.jsonl");
    let alone = read(&fixture(&alone));
    assert!(alone.header.is_side && !alone.header.has_request);
    assert_eq!(alone.header.parent.as_deref(), Some("6614a8f5-c7e1-4574-995e-efd0fab34898"));
    assert_eq!(alone.header.project.as_deref(), Some("/home/ada/sub"));
}

#[test]
fn documents_and_checkpoints_are_read_by_message() {
    let session = read(&fixture("0.38.2/tools/chats/session-2026-11-21T20-42-a06f916c.json"));
    sound(&session, "0.38.2");
    assert_eq!(session.header.project.as_deref(), Some("/home/ada/v0.38.2"));
    assert_eq!((session.end.tally.lines_read, session.items.last().unwrap().line), (6, 6));
    assert!(talk(&session).contains(&"1: Error 3".into()));
    let merged = read(&fixture("0.20.2/merged-turns/chats/session-2026-11-21T20-44-9ef629bc.json"));
    sound(&merged, "0.20.2");
    assert!(talk(&merged).contains(&"1: Error 3".into()));
    let checkpoint = read(&fixture("0.61.0/interactive-resumed/checkpoint-my%20tag.json"));
    let want = [
        "1: Harness <session_context> This is the Ge",
        "1: Human hello interactive",
        "1: Model First interactive answer.",
    ];
    assert_eq!(talk(&checkpoint), want);
}

#[test]
fn what_holds_no_session_is_refused_before_anything_is_given() {
    struct Deaf;
    impl Sink for Deaf {
        fn header(&mut self, _: &Header) -> Result<(), segue::error::Error> {
            panic!("there is no header to give")
        }
        fn item(&mut self, _: Item<'_>) -> Result<(), segue::error::Error> {
            panic!("there is no item to give")
        }
    }
    let gemini = harness::by_name("gemini").unwrap();
    let stub = fixture("0.61.0/stub/chats/session-2026-11-21T20-43-980e144f.jsonl");
    let log = fixture("0.61.0/interactive-resumed/logs.json");
    for input in [stub, log] {
        assert_eq!(harness::recognise(&input).unwrap().name(), "gemini");
        let want = Want { raw_lines: true, ..Want::default() };
        assert_eq!(gemini.read(&input, want, &mut Deaf).unwrap_err().exit_code(), 3);
        assert_eq!(gemini.header(&input).unwrap_err().exit_code(), 3);
    }
}

#[test]
fn lists_of_work_come_from_the_call() {
    let session =
        read(&fixture("0.43.0/tools-resumed/chats/session-2026-11-21T20-45-9944ffb4.jsonl"));
    sound(&session, "0.43.0");
    let plans = session.items.iter().filter_map(|item| match &item.body {
        Body::Plan(plan) => Some(plan),
        _ => None,
    });
    let plans: Vec<_> = plans.collect();
    assert_eq!(plans.len(), 2);
    assert_eq!(plans[0].items[0].status, PlanStatus::InProgress);
    assert!(plans[1].items.iter().all(|item| !item.status.is_open()));
}

#[test]
fn the_folder_is_told_by_its_digest_where_a_path_lies_in_it() {
    // SHA-256 of `/home/ada/tool`.
    let digest = "9f484e0328a8bf3dc07268eab5a766d9fd5f61479c83eaf426ac2ade27afd767";
    let header = HEADER.replace("\"x\"", &format!("\"{digest}\""));
    let call = |path: &str| {
        json!({
            "id": "2", "type": "gemini", "timestamp": "2026-01-01T00:00:02.000Z", "content": "",
            "toolCalls": [{"id": "c", "name": "read_file", "args": {"absolute_path": path}}],
        })
    };
    let cwd = |path: &str| {
        let parts = [header.clone(), said("1", "user", "go"), call(path).to_string()];
        lines(&format!("{}\n", parts.join("\n"))).header.cwd
    };
    assert_eq!(cwd("/home/ada/tool/src/a.rs").as_deref(), Some("/home/ada/tool"));
    assert_eq!(cwd("/home/ada/tools/src/a.rs"), None);
}

#[test]
fn other_harnesses_are_not_claimed() {
    let gemini = harness::by_name("gemini").unwrap();
    for head in [
        r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"b","message":{"role":"user","content":"x"}}"#,
        r#"{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x"}}"#,
        r#"{"type":"message","role":"user","content":[]}"#,
        r#"{"uuid":"a","parentUuid":null,"sessionId":"b","message":{"role":"user","parts":[]}}{"uuid":"c"}"#,
        "{\"silly\":1}\n[1]\n42",
        "",
        "plain text",
    ] {
        assert!(!gemini.recognises(head), "{head}");
    }
}

#[test]
fn an_answer_of_which_no_part_is_known_is_an_item() {
    let lines = [
        r#"{"sessionId":"5b227bfd","projectHash":"9f48","startTime":"2026-01-04T12:00:00.000Z","kind":"main"}"#,
        r#"{"id":"a","timestamp":"2026-01-04T12:00:03.000Z","type":"gemini","content":[{"soundData":{"x":1}}]}"#,
    ];
    let session = read(&Input::memory("session.jsonl", lines.join("\n").as_bytes()));
    let [item] = session.items.as_slice() else { panic!("{:?}", session.items) };
    assert!(matches!(&item.body, Body::Message(message) if !message.parts.is_empty()));
}
