//! The reader of Codex CLI sessions.

use std::collections::HashSet;

use segue::harness::{self, Harness, Want};
use segue::jsonl::Input;
use segue::model::{Action, Body, End, Item, Origin, Session, Status, ToolCall, ToolResult};
use segue::note::NoteKind;

fn codex() -> &'static dyn Harness {
    harness::by_name("codex").unwrap()
}

fn fixture(name: &str) -> Input {
    let path = format!("{}/fixtures/codex/{name}", env!("CARGO_MANIFEST_DIR"));
    Input::file(path.as_str().into()).unwrap()
}

fn read(input: &Input) -> Session {
    let mut session = Session::default();
    let want = Want { actions: true, ..Want::default() };
    session.end = codex().read(input, want, &mut session).unwrap();
    let mut seen = HashSet::new();
    for item in &session.items {
        assert!(seen.insert(item.id.clone()), "id {} comes twice", item.id);
        assert_eq!(item.live, item.dropped_by.is_none(), "{}", item.id);
    }
    assert_eq!(codex().header(input).unwrap(), session.header);
    assert_tally(&session.end);
    session
}

fn assert_tally(end: &End) {
    let tally = end.tally;
    let parts = tally.lines_used + tally.lines_bookkeeping + tally.lines_noted;
    assert_eq!(parts, tally.lines_read);
}

fn text(lines: &[&str]) -> Session {
    read(&Input::memory("x.jsonl", lines.join("\n").as_bytes()))
}

fn item(payload: &str) -> String {
    line("response_item", payload)
}

fn event(payload: &str) -> String {
    line("event_msg", payload)
}

fn line(kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-02T03:04:05.000Z","type":"{kind}","payload":{payload}}}"#)
}

fn user(words: &str) -> String {
    item(&format!(
        r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{words}"}}]}}"#
    ))
}

fn answer(words: &str) -> String {
    item(&format!(
        r#"{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{words}"}}]}}"#
    ))
}

fn typed(words: &str) -> String {
    event(&format!(r#"{{"type":"user_message","message":"{words}"}}"#))
}

fn said(words: &str) -> String {
    event(&format!(r#"{{"type":"agent_message","message":"{words}"}}"#))
}

fn session(lines: &[String]) -> Session {
    let mut all = vec![line("session_meta", r#"{"id":"s","cwd":"/w","cli_version":"0.1.0"}"#)];
    all.extend(lines.iter().cloned());
    text(&all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// One line an item: what it is, whose, its text, and what dropped it.
fn told(session: &Session) -> Vec<String> {
    session.items.iter().map(one).collect()
}

fn one(item: &Item<'_>) -> String {
    let what = match &item.body {
        Body::Message(message) => format!("{:?} {}", message.origin, message.words()),
        Body::Reasoning(reasoning) => format!("Reasoning {}", reasoning.text.plain()),
        Body::ToolCall(call) => format!("Call {}", call.call_id),
        Body::ToolResult(result) => format!("Result {} {:?}", result.call_id, result.status),
        Body::Plan(plan) => format!("Plan {}", plan.items.len()),
        Body::Compaction(_) => "Compaction".to_owned(),
        Body::Usage(usage) => format!("Usage {:?}", usage.input_tokens),
        Body::Notice { kind, .. } => format!("Notice {kind}"),
        Body::SideSession(side) => format!("Side {}", side.id),
    };
    let dropped = item.dropped_by.as_deref().map(|by| format!(" -{by}")).unwrap_or_default();
    format!("{} {what}{dropped}", item.turn)
}

fn live(session: &Session) -> Vec<String> {
    let items = session.items.iter().filter(|item| item.live);
    items.filter(|item| !matches!(item.body, Body::Compaction(_))).map(one).collect()
}

fn calls(session: &Session) -> Vec<&ToolCall<'static>> {
    session
        .items
        .iter()
        .filter_map(|item| match &item.body {
            Body::ToolCall(call) => Some(call),
            _ => None,
        })
        .collect()
}

fn results(session: &Session) -> Vec<&ToolResult<'static>> {
    session
        .items
        .iter()
        .filter_map(|item| match &item.body {
            Body::ToolResult(result) => Some(result),
            _ => None,
        })
        .collect()
}

fn requests(session: &Session) -> Vec<String> {
    let words = |item: &Item<'_>| match &item.body {
        Body::Message(message) if message.origin == Origin::Human && item.copy_of.is_none() => {
            Some(message.words().into_owned())
        }
        _ => None,
    };
    session.items.iter().filter_map(words).collect()
}

#[test]
fn each_version_is_recognised_and_its_request_read_once() {
    let names = [
        ("0.8.0/bare-tools.jsonl", "Add a notes file"),
        ("0.29.0/bare-with-context.jsonl", "Add a notes file"),
        ("0.36.0/compaction-message-only.jsonl", "Read the readme please"),
        ("0.104.0/compaction-with-prefix.jsonl", "Read the readme please"),
        ("0.116.0/outputs-and-images.jsonl", "Add a notes file"),
        ("0.145.0/tools-legacy.jsonl", "Add a notes file"),
        ("0.169.0/code-mode.jsonl", "Do it in code mode"),
    ];
    for (name, request) in names {
        let input = fixture(name);
        assert_eq!(harness::recognise(&input).unwrap().name(), "codex", "{name}");
        let session = read(&input);
        assert_eq!(requests(&session), [request], "{name}");
        assert_eq!(session.header.title.as_deref(), Some(request), "{name}");
        assert!(session.header.has_request, "{name}");
        let unknown = |note: &segue::note::Note| note.kind == NoteKind::UnknownRecord;
        assert!(!session.end.notes.iter().any(unknown), "{name}: {:?}", session.end.notes);
    }
}

#[test]
fn who_works_answers_though_nothing_is_said_yet() {
    let asked = [typed("mend the parser"), user("mend the parser")];
    assert!(!session(&asked).header.has_answer);
    let call = item(r#"{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}"#);
    assert!(session(&[asked.to_vec(), vec![call]].concat()).header.has_answer);
}

#[test]
fn what_a_review_found_is_no_request() {
    let found = "<user_action>\\n  <context>User initiated a review task.</context>\\n  <action>review</action>\\n</user_action>";
    let all = session(&[
        typed("mend the parser"),
        user("mend the parser"),
        answer("It is."),
        user(found),
    ]);
    assert_eq!(requests(&all), ["mend the parser"]);
}

#[test]
fn requests_of_resumed_sessions_are_in_order() {
    let session = read(&fixture("0.169.0/multiturn.jsonl"));
    let want = ["First question: what is here?", "Second question", "Third question with an image"];
    assert_eq!(requests(&session)[..2], want[..2]);
    assert_eq!(requests(&session).get(2).map(String::as_str), Some(want[2]));
}

#[test]
fn the_folder_of_a_bare_file_stands_in_its_context() {
    let header = read(&fixture("0.29.0/bare-with-context.jsonl")).header;
    assert_eq!(header.cwd.as_deref(), Some("/home/ada/repo_old"));
    assert_eq!(header.id, "5adf3756-1861-44c1-8d0c-1eb02e1b5dcf");
}

#[test]
fn a_summary_replaces_what_was_before() {
    let session = read(&fixture("0.145.0/compaction-local.jsonl"));
    let Some(Body::Compaction(found)) = session
        .items
        .iter()
        .map(|item| &item.body)
        .find(|body| matches!(body, Body::Compaction(_)))
    else {
        panic!("no compaction");
    };
    assert!(found.readable);
    assert!(found.summary.as_ref().unwrap().plain().starts_with("SUMMARY: goal is"));
    let summary = session.items.iter().find(|item| Some(&item.id) == found.summary_id.as_ref());
    let Body::Message(message) = &summary.unwrap().body else { panic!("no message") };
    assert_eq!(message.origin, Origin::Summary);
    let raw = session.items.iter().filter(|item| item.dropped_by.as_deref() == Some("superseded"));
    assert_eq!(raw.count(), 1);
    let request = session.items.iter().find(|item| item.copy_of.is_some() && item.live);
    assert!(request.is_some());
}

#[test]
fn a_summary_alone_keeps_the_requests() {
    let session = read(&fixture("0.36.0/compaction-message-only.jsonl"));
    let want = [
        "1 Human Read the readme please",
        "1 Summary SUMMARY: goal is to test compaction; README was read; next: continue.",
    ];
    assert_eq!(live(&session), want);
}

#[test]
fn a_summary_for_the_provider_alone_is_noted() {
    let session = read(&fixture("0.169.0/compaction-remote.jsonl"));
    let note = session.end.notes.iter().find(|note| note.kind == NoteKind::UnreadableSummary);
    assert_eq!(note.map(|note| note.count), Some(1));
}

#[test]
fn texts_for_the_screen_are_not_read_twice() {
    let lines = [
        user("# AGENTS.md instructions for /w"),
        user("go"),
        typed("go"),
        event(r#"{"type":"agent_reasoning","text":"hm"}"#),
        item(r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}"#),
        said("done"),
        answer("done"),
        user("surprise from a hook"),
        user("go"),
        typed("go"),
        said("only on the screen"),
        typed("lost"),
    ];
    let want = [
        "0 Harness # AGENTS.md instructions for /w",
        "1 Human go",
        "1 Reasoning hm",
        "1 Model done",
        "1 Harness surprise from a hook",
        "2 Human go",
        "2 Model only on the screen -never_sent",
        "3 Human lost -never_sent",
    ];
    assert_eq!(told(&session(&lines)), want);
}

/// The notices of a session, each with its kind.
fn notices(lines: &[String]) -> Vec<String> {
    let session = session(lines);
    let notices = session.items.iter().filter_map(|item| match &item.body {
        Body::Notice { kind, text } => {
            let text = text.as_ref().map_or("".into(), |text| text.plain());
            Some(format!("{kind}: {text}"))
        }
        _ => None,
    });
    notices.collect()
}

#[test]
fn a_failure_without_a_message_is_told_as_it_stands() {
    let turn = |records: &[&str]| {
        let begun = [user("go"), event(r#"{"type":"task_started"}"#)];
        notices(&begun.into_iter().chain(records.iter().map(|one| event(one))).collect::<Vec<_>>())
    };
    let end = r#"{"type":"task_complete","turn_id":"t","error":{"codex_error_info":"usage_limit_exceeded"}}"#;
    assert_eq!(turn(&[end]), [r#"error: {"codex_error_info":"usage_limit_exceeded"}"#]);
    let odd = r#"{"type":"task_complete","turn_id":"t","error":{"message":7}}"#;
    assert_eq!(turn(&[odd]), [r#"error: {"message":7}"#]);
    for none in ["null", "{}", "\"\"", "false"] {
        let end = format!(r#"{{"type":"task_complete","turn_id":"t","error":{none}}}"#);
        assert!(turn(&[&end]).is_empty(), "{none}");
    }
    // Where the turn has told what failed there is nothing new in it.
    assert_eq!(turn(&[r#"{"type":"error","message":"no credits"}"#, end]), ["error: no credits"]);
    // The end repeats any failure of its turn, and one may come behind it.
    let plain = r#"{"type":"task_complete","turn_id":"t","error":"E1"}"#;
    let (first, second) =
        (r#"{"type":"error","message":"E1"}"#, r#"{"type":"error","message":"E2"}"#);
    assert_eq!(turn(&[first, second, plain]), ["error: E1", "error: E2"]);
    assert_eq!(turn(&[plain, first]), ["error: E1"]);
    assert_eq!(turn(&[first, first]), ["error: E1", "error: E1"]);
}

#[test]
fn a_review_is_told_once_and_without_what_it_does_not_say() {
    let item = |kind: &str, review: &str| {
        event(&format!(
            r#"{{"type":"item_completed","item":{{"type":"{kind}","id":"i","review":"{review}"}}}}"#
        ))
    };
    let found = r#"{"type":"exited_review_mode","review_output":{"findings":[{"title":"Bug","body":"It breaks","code_location":{"absolute_file_path":"/w/a.rs"}}],"overall_explanation":"bad"}}"#;
    let told = notices(&[
        user("go"),
        event(
            r#"{"type":"entered_review_mode","target":{"type":"commit","sha":"1a2b3c","title":"Fix it"}}"#,
        ),
        item("EnteredReviewMode", "commit 1a2b3c"),
        event(found),
        item("ExitedReviewMode", "bad - Bug"),
        item("EnteredReviewMode", "once more"),
        event(r#"{"type":"exited_review_mode","review_output":null}"#),
        item("ExitedReviewMode", "all is well"),
    ]);
    let want = [
        "review: commit 1a2b3c Fix it",
        "review: bad\n\nBug\n/w/a.rs\nIt breaks",
        "review: once more",
        "review: all is well",
    ];
    assert_eq!(told, want);
}

#[test]
fn what_the_harness_says_beside_the_conversation_is_kept() {
    let finding = r#"{"title":"[P1] It leaks","body":"The file stays open.","code_location":{"absolute_file_path":"/w/a.rs","line_range":{"start":7,"end":9}}}"#;
    let review = format!(
        r#"{{"type":"exited_review_mode","review_output":{{"findings":[{finding}],"overall_correctness":"patch is incorrect","overall_explanation":"One leak."}}}}"#
    );
    let lines = [
        user("go"),
        event(r#"{"type":"task_started"}"#),
        event(
            r#"{"type":"entered_review_mode","target":{"type":"custom","instructions":"look at a.rs"},"user_facing_hint":"a"}"#,
        ),
        event(&review),
        event(r#"{"type":"exited_review_mode","review_output":null}"#),
        event(r#"{"type":"warning","message":"the model is slow"}"#),
        event(r#"{"type":"error","message":"no credits"}"#),
        event(r#"{"type":"task_complete","turn_id":"t","error":{"message":"no credits"}}"#),
        event(r#"{"type":"task_started"}"#),
        event(r#"{"type":"task_complete","turn_id":"u","last_agent_message":null}"#),
        event(
            r#"{"type":"task_complete","turn_id":"u","error":{"message":"the limit is reached"}}"#,
        ),
        event(r#"{"type":"error","error":{"message":"not allowed"}}"#),
        event(
            r#"{"type":"item_completed","item":{"type":"ExitedReviewMode","id":"r","review":"all is well"}}"#,
        ),
    ];
    let session = session(&lines);
    let notices = session.items.iter().filter_map(|item| match &item.body {
        Body::Notice { kind, text } => {
            assert_eq!(item.dropped_by.as_deref(), Some("never_sent"));
            Some(format!("{kind}: {}", text.as_ref().map_or("".into(), |text| text.plain())))
        }
        _ => None,
    });
    assert_eq!(
        notices.collect::<Vec<_>>(),
        [
            "review: look at a.rs",
            "review: patch is incorrect\n\nOne leak.\n\n[P1] It leaks\n/w/a.rs:7\nThe file stays open.",
            "warning: the model is slow",
            "error: no credits",
            "error: the limit is reached",
            "error: not allowed",
            "review: all is well",
        ]
    );
    assert_eq!(session.end.tally.lines_noted, 0);
}

#[test]
fn turns_are_rolled_back_with_the_context_before_them() {
    let lines = [
        user("one"),
        typed("one"),
        answer("1"),
        user("<environment_context>x</environment_context>"),
        user("two"),
        typed("two"),
        answer("2"),
        event(r#"{"type":"thread_rolled_back","num_turns":1}"#),
        user("three"),
        typed("three"),
    ];
    let session = session(&lines);
    assert_eq!(live(&session), ["1 Human one", "1 Model 1", "3 Human three"]);
    let dropped = session.items.iter().filter(|item| item.dropped_by.as_deref() == Some("line-9"));
    assert_eq!(dropped.count(), 3);
}

#[test]
fn a_compaction_in_a_turn_that_is_rolled_back_never_happened() {
    let compacted = line("compacted", r#"{"message":"sum"}"#);
    let lines = [
        user("one"),
        typed("one"),
        user("two"),
        typed("two"),
        compacted,
        answer("2"),
        event(r#"{"type":"thread_rolled_back","num_turns":1}"#),
    ];
    assert_eq!(live(&session(&lines)), ["1 Human one"]);
}

#[test]
fn results_without_a_call_are_not_sent() {
    let lines = [
        user("go"),
        item(
            r#"{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"a"}"#,
        ),
        line("compacted", r#"{"message":"sum","replacement_history":[]}"#),
        item(r#"{"type":"function_call_output","call_id":"a","output":"x"}"#),
        item(r#"{"type":"function_call_output","call_id":"b","output":"x"}"#),
    ];
    let session = session(&lines);
    assert_eq!(live(&session), Vec::<String>::new());
    let note = session.end.notes.iter().find(|note| note.kind == NoteKind::OrphanResult);
    assert_eq!(note.map(|note| note.count), Some(1));
}

#[test]
fn exit_codes_and_patches_are_read() {
    let session = read(&fixture("0.145.0/tools-legacy.jsonl"));
    let codes: Vec<_> = results(&session)
        .iter()
        .filter_map(|result| result.exit_code.map(|code| (result.status, code)))
        .collect();
    assert!(codes.contains(&(Status::Ok, 0)) && codes.contains(&(Status::Error, 3)), "{codes:?}");
    let patch = calls(&session).into_iter().find(|call| call.name == "apply_patch").unwrap();
    let Some(Action::Edit { changes }) = patch.action.as_deref() else { panic!("no edit") };
    assert_eq!(changes.len(), 2);
    assert_eq!(
        (changes[0].path.as_str(), changes[0].added.as_str()),
        ("notes.txt", "first line\nsecond line\n")
    );
}

#[test]
fn scripts_have_the_commands_that_the_file_lists() {
    let session = read(&fixture("0.169.0/code-mode.jsonl"));
    let children: Vec<_> = calls(&session)
        .into_iter()
        .filter(|call| call.parent_call.is_some())
        .map(|call| (call.name.to_string(), call.parent_call.clone().unwrap().to_string()))
        .collect();
    let pair = |name: &str, parent: &str| (name.to_owned(), parent.to_owned());
    let want = [
        pair("exec_command", "call_m002"),
        pair("exec_command", "call_m002"),
        pair("apply_patch", "call_m003"),
        pair("update_plan", "call_m004"),
    ];
    assert_eq!(children, want);
    let failed = results(&session).into_iter().find(|result| result.exit_code == Some(3));
    assert_eq!(failed.map(|result| result.status), Some(Status::Error));
}

fn script(call: &str, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    item(&format!(
        r#"{{"type":"custom_tool_call","name":"exec","call_id":"{call}","input":{text}}}"#
    ))
}

fn script_output(call: &str, texts: &[&str]) -> String {
    let part = |text: &&str| serde_json::json!({ "type": "input_text", "text": text });
    let parts: Vec<_> = texts.iter().map(part).collect();
    let parts = serde_json::to_string(&parts).unwrap();
    item(&format!(r#"{{"type":"custom_tool_call_output","call_id":"{call}","output":{parts}}}"#))
}

#[test]
fn what_a_script_called_is_found_once() {
    use segue::derive::found::{Query, search};
    let lines = [
        user("go"),
        script("a", "text((await tools.exec_command({cmd:'make needle'})).output)"),
        script_output("a", &["Script completed\nWall time 0.1 seconds\nOutput:\n", "a needle"]),
        script("b", "for (const needle of list) text(await tools.exec_command({cmd: needle}))"),
    ];
    let session = session(&lines);
    let ids = |word: &str| -> Vec<String> {
        let hits = search(&session, &Query::new(&[word.to_owned()], false), false);
        hits.iter().map(|hit| hit.item.id.to_string()).collect()
    };
    let found = ids("needle");
    let (calls, all) = (ids("exec_command"), found.len());
    assert!(found.iter().any(|id| id.ends_with("/0")), "{found:?}");
    for id in found.iter().chain(&calls) {
        assert!(!found.contains(&format!("{id}/0")), "{found:?}");
    }
    assert_eq!(
        all, 3,
        "the call and its result, and the script that calls nothing by itself: {found:?}"
    );
}

#[test]
fn scripts_have_the_commands_of_their_texts_otherwise() {
    let done = "Script completed\nWall time 0.1 seconds\nOutput:\n";
    let lines = [
        user("go"),
        script("a", "text(JSON.stringify(await tools.exec_command({cmd:'false'})))"),
        script_output("a", &[done, r#"{"exit_code":1,"output":""}"#]),
        script("b", "for (const cmd of ['x','y']) text((await tools.exec_command({cmd})).output)"),
        script_output("b", &[done, "X", "Y"]),
        script("c", "text(await tools.update_plan({plan:[{step:'s',status:'pending'}]}))"),
        script_output("c", &[done, "{}"]),
        script("d", "text(await tools.exec_command({cmd: secret}))"),
        script_output("d", &[done, "?"]),
        script("e", "text(await tools.exec_command({cmd: 'slow'}))"),
        script_output("e", &["Script running with cell ID 7\nWall time 10 seconds\nOutput:\n"]),
        item(
            r#"{"type":"function_call","name":"wait","call_id":"f","arguments":"{\"cell_id\":\"7\"}"}"#,
        ),
        script_output("f", &[done, "end"]),
    ];
    let session = session(&lines);
    let want = [
        "1 Human go",
        "1 Call a",
        "1 Call a/0",
        "1 Result a Ok",
        "1 Result a/0 Error",
        "1 Call b",
        "1 Call b/0",
        "1 Call b/1",
        "1 Result b Ok",
        "1 Result b/0 Ok",
        "1 Result b/1 Ok",
        "1 Call c",
        "1 Call c/0",
        "1 Result c Ok",
        "1 Result c/0 Ok",
        "1 Plan 1",
        "1 Call d",
        "1 Result d Ok",
        "1 Call e",
        "1 Call e/0",
        "1 Result e Ok",
        "1 Call f",
        "1 Result f Ok",
        "1 Result e/0 Ok",
    ];
    assert_eq!(told(&session), want);
    let unclear = session.end.notes.iter().find(|note| note.kind == NoteKind::UnclearScript);
    assert_eq!(unclear.map(|note| note.count), Some(1));
}

#[test]
fn answers_plans_and_pictures_are_read() {
    let lines = [
        user("go"),
        item(
            r#"{"type":"function_call","name":"request_user_input","call_id":"q","arguments":"{\"questions\":[{\"id\":\"i\",\"question\":\"Which?\",\"options\":[{\"label\":\"A\"}]}]}"}"#,
        ),
        item(
            r#"{"type":"function_call_output","call_id":"q","output":"{\"answers\":{\"i\":{\"answers\":[\"A\"]}}}"}"#,
        ),
        item(
            r#"{"type":"function_call","name":"update_plan","call_id":"p","arguments":"{\"plan\":[{\"step\":\"s\",\"status\":\"in_progress\"}]}"}"#,
        ),
        item(
            r#"{"type":"function_call_output","call_id":"p","output":"unsupported call: update_plan"}"#,
        ),
        item(
            r#"{"type":"image_generation_call","id":"g","status":"completed","revised_prompt":"p","result":"aGVsbG8="}"#,
        ),
        item(
            r#"{"type":"web_search_call","status":"completed","action":{"type":"open_page","url":"https://x"}}"#,
        ),
    ];
    let session = session(&lines);
    let asked = results(&session)[0];
    assert_eq!(
        (asked.answers[0].question.as_str(), asked.answers[0].answer.as_str()),
        ("Which?", "A")
    );
    assert!(!session.items.iter().any(|item| matches!(item.body, Body::Plan(_))));
    let fetched = calls(&session).pop().unwrap().action.as_deref();
    assert_eq!(fetched, Some(&Action::Fetch { target: "https://x".into() }));
}

#[test]
fn a_fork_goes_on_from_the_file_that_it_names() {
    let missing = read(&fixture("0.169.0/fork-by-reference.jsonl"));
    assert!(missing.end.notes.iter().any(|note| note.kind == NoteKind::MissingHistory));
    let home = tempfile::tempdir().unwrap();
    let home = camino::Utf8Path::from_path(home.path()).unwrap();
    let (old, new) = (home.join("sessions/2026/11/20"), home.join("sessions/2026/11/21"));
    std::fs::create_dir_all(&old).unwrap();
    std::fs::create_dir_all(&new).unwrap();
    let source = |name| std::fs::read_to_string(fixture(name).path().unwrap()).unwrap();
    let base = "01a1ffd7-b1ff-7903-bbbc-bf8ba888ba93";
    let text = source("0.169.0/multiturn.jsonl");
    std::fs::write(old.join(format!("rollout-2026-11-20T00-00-00-{base}.jsonl")), text).unwrap();
    let own = new.join("rollout-2026-11-21T00-00-00-01a1ffd7-b620-7a00-80b9-17eddb102de4.jsonl");
    std::fs::write(&own, source("0.169.0/fork-by-reference.jsonl")).unwrap();
    let index = r#"{"id":"01a1ffd7-b620-7a00-80b9-17eddb102de4","thread_name":"my fork"}"#;
    std::fs::write(home.join("session_index.jsonl"), index).unwrap();
    let whole = read(&Input::file(&own).unwrap());
    assert_eq!(requests(&whole), ["First question: what is here?", "after fork"]);
    assert_eq!(whole.end.tally, missing.end.tally);
    assert!(whole.items[0].id.starts_with(base) && whole.items[0].live);
    assert_eq!(whole.header.title.as_deref(), Some("my fork"));
}

#[test]
fn an_agents_items_follow_at_the_end() {
    let name = "0.169.0/rollout-2026-11-21T20-41-09-01a1ffd7-67cd-7213-aa49-898cbb18d436.jsonl";
    let session = read(&fixture(name));
    let agent = "01a1ffd7-685e-7fb2-b571-024ce7469a7e";
    let first = session.items.iter().position(|item| item.side_session.is_some()).unwrap();
    assert!(session.items[first..].iter().all(|item| item.side_session.as_deref() == Some(agent)));
    assert!(session.items[first..].iter().all(|item| !item.live));
    let Some(Body::SideSession(side)) = session
        .items
        .iter()
        .map(|item| &item.body)
        .find(|body| matches!(body, Body::SideSession(_)))
    else {
        panic!("no marker");
    };
    assert_eq!(
        (side.id.as_ref(), side.call_id.as_deref(), side.lines),
        (agent, Some("call_sa1"), Some(13))
    );
    let own =
        read(&fixture(&name.replace("67cd-7213-aa49-898cbb18d436", "685e-7fb2-b571-024ce7469a7e")));
    assert!(own.header.is_side && own.header.parent.is_some());
}

#[test]
fn only_its_own_files_are_recognised() {
    let own = [
        r#"{"id":"x","timestamp":"t","instructions":null}"#,
        r#"{"record_type":"state"}"#,
        "{\"timestamp\":\"t\",\"ty\n{\"timestamp\":\"t\",\"type\":\"event_msg\",\"payload\":{\"type\":\"x\"}}",
        r#"{"type":"message","role":"user","content":[]}"#,
        r#"{"timestamp":"t","type":"session_meta","payload":{"id":"x","base_instructions":"cut o"#,
    ];
    let others = [
        r#"{"type":"user","uuid":"u","message":{"role":"user","content":"x"}}"#,
        r#"{"sessionId":"x","projectHash":"y","startTime":"t"}"#,
        r#"{"type":"summary","summary":"x","leafUuid":"y"}"#,
        r#"{"id":"1","timestamp":"t","type":"user","content":"x"}"#,
        "hello",
        "",
    ];
    own.iter().for_each(|head| assert!(codex().recognises(head), "{head}"));
    others.iter().for_each(|head| assert!(!codex().recognises(head), "{head}"));
}

#[test]
fn the_first_client_wrote_one_document() {
    let text = r#"{
      "session": {"timestamp": "2025-04-20T01:02:03.004Z", "id": "x", "instructions": ""},
      "items": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"type": "function_call", "name": "shell", "call_id": "a", "arguments": "{\"command\":[\"ls\"]}"}
      ]
    }"#;
    let input = Input::memory("x.json", text.as_bytes());
    assert_eq!(harness::recognise(&input).unwrap().name(), "codex");
    let session = read(&input);
    assert_eq!(told(&session), ["1 Human go", "1 Call a"]);
    assert_eq!((session.header.id.as_str(), session.header.source.bytes), ("x", text.len() as u64));
}

#[test]
fn lines_come_as_they_stand_before_their_items() {
    #[derive(Default)]
    struct Order(Vec<String>);
    impl harness::Sink for Order {
        fn header(&mut self, _: &segue::model::Header) -> segue::error::Result<()> {
            Ok(())
        }
        fn item(&mut self, item: Item<'_>) -> segue::error::Result<()> {
            self.0.push(format!("item {}", item.line));
            Ok(())
        }
        fn raw_line(&mut self, line: u64, bytes: &[u8], ended: bool) -> segue::error::Result<()> {
            self.0.push(format!("line {line} {} {ended}", bytes.len()));
            Ok(())
        }
    }
    let request = user("go");
    let input = Input::memory("x", format!("{request}\r\nbroken").as_bytes());
    let mut order = Order::default();
    let want = Want { raw_lines: true, ..Want::default() };
    codex().read(&input, want, &mut order).unwrap();
    let want =
        [format!("line 1 {} true", request.len() + 1), "item 1".into(), "line 2 6 false".into()];
    assert_eq!(order.0, want);
}

#[test]
fn a_file_without_items_is_refused() {
    let input = Input::memory("x", br#"{"type":"session_meta","payload":{"id":"x"}}"#);
    assert_eq!(codex().header(&input).unwrap_err().exit_code(), 3);
    let mut sink = Session::default();
    assert!(codex().read(&input, Want::default(), &mut sink).is_err());
    assert!(sink.header.id.is_empty());
}

#[test]
fn mutated_files_stop_nothing() {
    let names = [
        "0.29.0/bare-with-context.jsonl",
        "0.169.0/code-mode.jsonl",
        "0.145.0/compaction-local.jsonl",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    for name in names {
        let bytes = std::fs::read(fixture(name).path().unwrap()).unwrap();
        for _ in 0..120 {
            let mut bytes = bytes.clone();
            for _ in 0..random.usize(1..12) {
                let at = random.usize(0..bytes.len());
                match random.u8(0..4) {
                    0 => bytes[at] = random.u8(..),
                    1 => bytes.truncate(at.max(1)),
                    2 => drop(bytes.drain(at..(at + random.usize(0..40)).min(bytes.len()))),
                    _ => bytes[at] = *random.choice(br#"{}[]",:\"#).unwrap(),
                }
                if bytes.is_empty() {
                    bytes.push(b'\n');
                }
            }
            let input = Input::memory("x", &bytes);
            let mut sink = Session::default();
            if let Ok(end) =
                codex().read(&input, Want { actions: true, ..Want::default() }, &mut sink)
            {
                assert_tally(&end);
            }
        }
    }
}

#[test]
fn what_the_model_said_before_it_went_on_is_known() {
    let phase = |line: &str, phase: &str| {
        line.replacen(r#""payload":{"#, &format!(r#""payload":{{"phase":"{phase}","#), 1)
    };
    let lines = [
        typed("go"),
        phase(&answer("I look."), "commentary"),
        phase(&answer("Done."), "final_answer"),
        answer("More."),
        phase(&said("On my way."), "commentary"),
    ];
    let session = session(&lines);
    let interim: Vec<_> = session
        .items
        .iter()
        .filter_map(|item| match &item.body {
            Body::Message(message) if message.interim => Some(message.words()),
            _ => None,
        })
        .collect();
    assert_eq!(interim, ["I look.", "On my way."]);
}

#[test]
fn a_plan_that_the_model_wrote_is_told_by_its_steps() {
    let steps = |plan: &str| {
        let item = format!(
            r#"{{"type":"item_completed","item":{{"type":"Plan","id":"p","text":"{plan}"}}}}"#
        );
        let session = text(&[&user("go"), &typed("go"), &event(&item)]);
        let plan = session.items.iter().find_map(|item| match &item.body {
            Body::Plan(plan) => Some(plan.items.clone()),
            _ => None,
        });
        plan.unwrap().into_iter().map(|item| item.text).collect::<Vec<_>>()
    };
    let plan = r"# Move the API\n\n1. Add the router\n2. Keep the old one\n   - until March\n3) Test both\n";
    assert_eq!(steps(plan), ["Add the router", "Keep the old one", "Test both"]);
    for plan in [
        r"# Move the API\n- Add the router\n- Test it",
        // Nobody knows which of two lists is that of the steps.
        r"# Move the API\n1. Add\n2. Test\n## Open\n1. When?\n2. Who?",
        r"# Move the API\n```\n1. a\n2. b\n```",
        r"# Move the API\n1. Add the router",
    ] {
        assert_eq!(steps(plan), ["Move the API"], "{plan}");
    }
}
