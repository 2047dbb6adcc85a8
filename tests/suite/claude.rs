//! The reader of Claude Code sessions.

use std::collections::HashSet;
use std::path::Path;

use segue::harness::{self, Harness, Want};
use segue::jsonl::Input;
use segue::model::{
    Body, Compaction, Item, Message, Origin, Part, Plan, PlanStatus, Session, Status, ToolKind,
    ToolResult,
};
use segue::note::NoteKind;

use crate::program::Call;

mod results;
mod typed;

const COMPACTIONS: [&str; 4] = [
    "1.0.128/compaction.jsonl",
    "2.0.77/compaction.jsonl",
    "2.1.84/compaction.jsonl",
    "2.1.330/compaction-preserved.jsonl",
];

fn claude() -> &'static dyn Harness {
    harness::by_name("claude").unwrap()
}

fn path(name: &str) -> String {
    format!("{}/fixtures/claude/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn read(input: &Input) -> Session {
    let mut session = Session::default();
    let want = Want { actions: true, ..Want::default() };
    session.end = claude().read(input, want, &mut session).unwrap();
    for item in &session.items {
        assert_eq!(item.live, item.dropped_by.is_none(), "{}", item.id);
    }
    assert_eq!(claude().header(input).unwrap(), session.header);
    assert!(crate::corpus::adds_up(&session.end.tally), "{:?}", session.end.tally);
    session
}

fn fixture(name: &str) -> Session {
    read(&Input::file(path(name).as_str().into()).unwrap())
}

fn memory(bytes: &[u8]) -> Session {
    read(&Input::memory("x.jsonl", bytes))
}

fn messages(session: &Session) -> impl Iterator<Item = (&Item<'static>, &Message<'static>)> {
    session.items.iter().filter_map(|item| match &item.body {
        Body::Message(message) => Some((item, message)),
        _ => None,
    })
}

fn results(session: &Session) -> Vec<(&Item<'static>, &ToolResult<'static>)> {
    let result = |item| match item {
        item @ &Item { body: Body::ToolResult(ref result), .. } => Some((item, result)),
        _ => None,
    };
    session.items.iter().filter_map(result).collect()
}

fn plans(session: &Session) -> Vec<(&Item<'static>, &Plan<'static>)> {
    let plan = |item| match item {
        item @ &Item { body: Body::Plan(ref plan), .. } => Some((item, plan)),
        _ => None,
    };
    session.items.iter().filter_map(plan).collect()
}

fn compaction(session: &Session) -> (&Item<'static>, &Compaction<'static>) {
    let found = session.items.iter().find_map(|item| match &item.body {
        Body::Compaction(compaction) => Some((item, compaction)),
        _ => None,
    });
    found.unwrap()
}

/// Returns the words of the live messages in the order in which they would be sent.
fn live(session: Session) -> Vec<String> {
    let mut session = session;
    session.keep_live();
    messages(&session).map(|(_, message)| message.words().chars().take(40).collect()).collect()
}

fn dropped_by<'s>(session: &'s Session, words: &str) -> Option<&'s str> {
    let found = messages(session).find(|(_, message)| message.words().contains(words));
    found.unwrap().0.dropped_by.as_deref()
}

#[test]
fn parallel_calls_are_told_apart_and_gathered_around_their_response() {
    let session = fixture("2.1.84/parallel-tools.jsonl");
    let calls = session.items.iter().filter_map(|item| match &item.body {
        Body::ToolCall(call) => Some((call.call_id.as_ref(), call.kind)),
        _ => None,
    });
    let calls: Vec<_> = calls.collect();
    assert_eq!(calls[..2], [("toolu_01A", ToolKind::Shell), ("toolu_01B", ToolKind::Read)]);
    let ended: Vec<_> = results(&session)
        .into_iter()
        .map(|(item, result)| (result.call_id.as_ref(), result.status, result.exit_code, item.live))
        .collect();
    let ok = Status::Ok;
    let want = [
        ("toolu_01B", ok, None, true),
        ("toolu_01A", ok, Some(0), true),
        ("toolu_02A", ok, None, true),
        ("toolu_03A", Status::Error, None, true),
        ("toolu_04A", Status::Error, Some(3), true),
    ];
    assert_eq!(ended, want);
    assert!(session.items.iter().any(|item| matches!(item.body, Body::Reasoning(_))));
    assert!(session.end.notes.is_empty(), "{:?}", session.end.notes);
}

#[test]
fn the_cost_of_a_response_is_told_once() {
    for name in ["2.1.84/parallel-tools.jsonl", "2.1.330/compaction-preserved.jsonl"] {
        let session = fixture(name);
        let responses: HashSet<_> = session
            .items
            .iter()
            .filter_map(|item| match &item.body {
                Body::Message(message) if message.origin == Origin::Model => {
                    message.message_id.clone()
                }
                Body::ToolCall(call) => call.message_id.clone(),
                Body::Reasoning(reasoning) => reasoning.message_id.clone(),
                _ => None,
            })
            .collect();
        let costs = session.items.iter().filter(|item| matches!(item.body, Body::Usage(_)));
        assert_eq!(costs.count(), responses.len(), "{name}");
    }
}

#[test]
fn a_compaction_replaces_what_stood_before_it() {
    for name in COMPACTIONS {
        let session = fixture(name);
        let (item, found) = compaction(&session);
        assert!(item.live && found.readable, "{name}");
        assert_eq!(found.trigger, "manual", "{name}");
        assert!(matches!(found.tokens_before, Some(5143..=5149)), "{name}");
        assert_eq!(dropped_by(&session, "[[c1]] first"), Some(item.id.as_ref()), "{name}");
        assert_eq!(dropped_by(&session, "[[c2]] second"), Some(item.id.as_ref()), "{name}");
        let ids: HashSet<_> = session.items.iter().map(|item| item.id.as_ref()).collect();
        let there =
            |id: &str| ids.iter().any(|one| *one == id || one.starts_with(&format!("{id}/")));
        assert!(found.replaced.iter().all(|id| there(id)), "{name}");
        assert!(!found.replaced.is_empty(), "{name}");
        let summary = messages(&session).find(|(_, message)| message.origin == Origin::Summary);
        let summary = summary.unwrap().0;
        assert_eq!(found.summary_id.as_deref(), Some(summary.id.as_ref()), "{name}");
        assert_eq!(found.summary_line, Some(summary.line), "{name}");
    }
}

#[test]
fn what_a_compaction_printed_is_the_commands_and_not_the_humans() {
    for name in COMPACTIONS {
        let session = fixture(name);
        let human = messages(&session).filter(|(_, message)| message.origin == Origin::Human);
        let turns: Vec<_> =
            human.map(|(item, message)| (item.turn, message.words().into_owned())).collect();
        let want = ["[[c1]] first question", "[[c2]] second question", "[[c3]] third question"];
        let want = [want.as_slice(), &["[[c4]] fourth question"]].concat();
        let want: Vec<_> = (1..).zip(want.into_iter().map(Into::into)).collect();
        assert_eq!(turns, want, "{name}");
    }
}

#[test]
fn a_preserved_segment_stands_behind_its_summary() {
    let session = fixture(COMPACTIONS[3]);
    assert_eq!(dropped_by(&session, "Second answer"), None);
    assert_eq!(compaction(&session).1.tokens_after, Some(2698));
    let live = live(session);
    let at = |words: &str| live.iter().position(|live| live.starts_with(words)).unwrap();
    assert_eq!(at("This session is being continued"), 0);
    assert_eq!(at("Second answer before compaction."), 1);
    assert!(at("[[c3]] third") < at("Answer after compaction."));
    assert!(!live.iter().any(|live| live.contains("First answer")));
}

#[test]
fn of_lines_written_twice_the_later_counts_and_its_result_has_its_call() {
    let session = fixture("2.1.84/duplicates-after-boundary.jsonl");
    let copies =
        session.items.iter().filter(|item| item.dropped_by.as_deref() == Some("duplicate"));
    assert!(copies.count() >= 4);
    let orphan = session.end.notes.iter().find(|note| note.kind == NoteKind::OrphanResult);
    assert_eq!(orphan, None);
    let ended: Vec<_> = results(&session)
        .iter()
        .map(|(_, result)| (result.call_id.as_ref(), result.exit_code))
        .collect();
    let want = [("toolu_a1", Some(0)), ("toolu_a2", Some(0))];
    assert_eq!(ended, [want, want].concat());
    assert_eq!(
        live(session),
        [
            "This session is being continued from a p",
            "ok (mock default)",
            "[[a2]] go on",
            "next turn answer"
        ]
    );
}

#[test]
fn inline_side_sessions_hang_on_the_call_that_began_them() {
    let session = fixture("1.0.128/sidechain-inline.jsonl");
    let sides: Vec<_> = session
        .items
        .iter()
        .filter_map(|item| match &item.body {
            Body::SideSession(side) => Some((side.id.to_string(), side.call_id.as_deref())),
            _ => None,
        })
        .collect();
    let calls: Vec<_> = sides.iter().map(|(_, call)| *call).collect();
    assert_eq!(calls, [Some("toolu_s2"), Some("toolu_s1")]);
    let inside = session.items.iter().filter(|item| item.side_session.is_some());
    for item in inside {
        assert_eq!(item.dropped_by.as_deref(), Some("side_session"), "{}", item.id);
        assert_eq!(item.turn, 1);
    }
    assert_eq!(
        live(session),
        ["[[s1]] use subagents", "Delegating.", "Subagents reported back. Done."]
    );
}

#[test]
fn a_filed_side_session_is_read_with_what_is_said_of_it() {
    let session = fixture("2.1.330/filed-side-session/e7420af1-b4f4-483b-b081-1aaed47273dd.jsonl");
    let side = session.items.iter().find_map(|item| match &item.body {
        Body::SideSession(side) => Some(side),
        _ => None,
    });
    let side = side.unwrap();
    assert_eq!(
        (side.id.as_ref(), side.call_id.as_deref()),
        ("a54a9f0f278258c3b", Some("toolu_s2"))
    );
    assert_eq!(side.agent.as_deref(), Some("general-purpose"));
    assert_eq!(
        side.title.as_ref().map(|title| title.plain().into_owned()).as_deref(),
        Some("Other stuff")
    );
    assert!(side.source.is_some());
    assert_eq!(dropped_by(&session, "SUB2 REPORT: hi"), Some("side_session"));
    let notified =
        messages(&session).filter(|(_, message)| message.plain().contains("<task-notification>"));
    for (item, message) in notified {
        assert_eq!((message.origin, item.turn), (Origin::Harness, 1));
    }
}

#[test]
fn a_side_session_by_itself_is_known_as_one() {
    let name = "2.1.330/filed-side-session/e7420af1-b4f4-483b-b081-1aaed47273dd/subagents/\
                agent-a54a9f0f278258c3b.jsonl";
    assert!(fixture(name).header.is_side);
}

#[test]
fn a_persisted_output_is_found_beside_the_session() {
    let home =
        "2.1.84/persisted-home/projects/-home-ada-tools/3b3b6842-8974-4636-b80a-14fa0ecb539b.jsonl";
    let session = fixture(home);
    let results = results(&session);
    let persisted = results[0].1.persisted.as_ref().unwrap();
    assert_eq!(persisted.name, "bdjv8ay7k.txt");
    assert!(persisted.text.ends_with("the last line\n"));
    assert_eq!(persisted.bytes, persisted.text.len() as u64);
    let alone = memory(&std::fs::read(path(home)).unwrap());
    let note = alone.end.notes.iter().find(|note| note.kind == NoteKind::UnreadableCompanion);
    assert_eq!(note.map(|note| note.count), Some(1));
}

#[test]
fn a_persisted_output_is_in_every_export_that_has_room() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/claude/2.1.84/persisted-home/projects/",
        "-home-ada-tools/3b3b6842-8974-4636-b80a-14fa0ecb539b.jsonl"
    );
    let export =
        |path: &str, form: &str| Call::new("nobody", &["export", path, "--to", form, "-v"]).run();
    for form in ["ndjson", "json", "atif", "markdown"] {
        assert!(export(path, form).stdout.contains("line 50 y"), "{form}");
    }
    let told = export(path, "trajectory").stderr;
    assert!(told.contains("`persisted_output`: 1"), "{told}");
    // And an ATIF document has it again.
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("a.json");
    std::fs::write(&document, export(path, "atif").stdout).unwrap();
    let again = export(document.to_str().unwrap(), "ndjson").stdout;
    assert!(again.contains("\"persisted\":{"), "{again}");
}

#[test]
fn tasks_are_followed_and_their_files_say_more() {
    let session = fixture(
        "2.1.84/tasks-home/projects/-home-ada-tasks/bfcb9376-bdeb-4054-a3ce-aed1e944f3ef.jsonl",
    );
    let states: Vec<Vec<_>> = plans(&session)
        .iter()
        .map(|(_, plan)| plan.items.iter().map(|item| item.status).collect())
        .collect();
    let (pending, active, done) =
        (PlanStatus::Pending, PlanStatus::InProgress, PlanStatus::Completed);
    let want = [
        vec![pending],
        vec![pending, pending],
        vec![active, pending],
        vec![active, pending],
        vec![done, pending],
    ];
    assert_eq!(states, want);
    let (last, plan) = plans(&session).pop().unwrap();
    assert_eq!((last.line, last.live), (0, false));
    assert_eq!(plan.items[1].blocked_by, ["1"]);
    // Each change tells the whole list, so details stand only where they are new.
    let details = |at: usize| -> Vec<_> {
        plans(&session)[at].1.items.iter().map(|item| item.details.as_deref()).collect()
    };
    assert_eq!(details(0), [Some("Write the parser for X")]);
    assert_eq!(details(1), [None, Some("Test it")]);
    assert_eq!(details(2), [None, None]);
}

#[test]
fn todos_replace_the_list() {
    let session = fixture("1.0.128/todos.jsonl");
    let plans = plans(&session);
    let [(_, plan)] = plans.as_slice() else { panic!("{} plans", plans.len()) };
    let told: Vec<_> = plan.items.iter().map(|item| (item.text.as_str(), item.status)).collect();
    let want = [
        ("Do A", PlanStatus::Completed),
        ("Do B", PlanStatus::InProgress),
        ("Do C", PlanStatus::Pending),
    ];
    assert_eq!(told, want);
    assert_eq!(plan.call_id.as_deref(), Some("toolu_07A"));
}

#[test]
fn a_refused_tool_and_an_answer_are_the_humans() {
    let session = fixture("2.1.330/refused-and-answered.jsonl");
    let results = results(&session);
    assert_eq!((results[0].1.status, results[0].1.rejected), (Status::Error, true));
    let answer = &results[1].1.answers[0];
    assert_eq!((answer.question.as_str(), answer.answer.as_str()), ("Which DB?", "Postgres"));
    let interrupted = session.items.iter().any(
        |item| matches!(&item.body, Body::Notice { kind, .. } if kind.as_ref() == "interrupted"),
    );
    assert!(interrupted);
    let origins: Vec<_> = messages(&session).map(|(_, message)| message.origin).collect();
    let want = [
        Origin::Human,
        Origin::Model,
        Origin::Harness,
        Origin::Command,
        Origin::Command,
        Origin::Model,
    ];
    assert_eq!(origins, want);
}

#[test]
fn a_plan_is_approved_or_not_by_the_result_of_its_call() {
    for (name, status) in
        [("1.0.128/plan-approved.jsonl", Status::Ok), ("2.1.84/plan-refused.jsonl", Status::Error)]
    {
        let session = fixture(name);
        let results = results(&session);
        assert_eq!((results.len(), results[0].1.status), (1, status), "{name}");
    }
}

#[test]
fn words_typed_while_the_agent_worked_are_the_humans() {
    let session = fixture("made/queued-command.jsonl");
    let told: Vec<_> =
        messages(&session).map(|(item, message)| (item.turn, message.origin, item.live)).collect();
    let want = [
        (1, Origin::Human, true),
        (1, Origin::Model, true),
        (2, Origin::Human, true),
        (2, Origin::Harness, true),
        (2, Origin::Model, true),
    ];
    assert_eq!(told, want);
}

/// Returns a line of the queue of what was typed while the agent worked.
fn queue(operation: &str, content: Option<&str>) -> String {
    let line = serde_json::json!({"type": "queue-operation", "operation": operation, "content": content,
        "timestamp": "2026-11-21T20:28:00.000Z", "sessionId": "c0f86215-251d-4a80-9d6e-ed826e1a842e"});
    format!("{line}\n")
}

#[test]
fn what_was_typed_and_never_sent_is_a_request_until_it_is_told_otherwise() {
    let start = std::fs::read_to_string(path("made/queued-command.jsonl")).unwrap();
    let (fourth, fifth) = (Some("say it in Dutch"), Some("and in Czech"));
    let last = |lines: &[String]| -> Vec<String> {
        let bytes = format!("{start}{}", lines.concat());
        let session = memory(bytes.as_bytes());
        assert_eq!(session.end.tally.lines_noted, 0);
        let human = messages(&session).filter(|(_, message)| message.origin == Origin::Human);
        let never = human.filter(|(item, _)| item.dropped_by.as_deref() == Some("never_sent"));
        never.map(|(item, message)| format!("{} {}", item.turn, message.plain())).collect()
    };
    let (put, next) = (queue("enqueue", fourth), queue("dequeue", None));
    assert_eq!(last(std::slice::from_ref(&put)), ["3 say it in Dutch"]);
    assert_eq!(last(&[put.clone(), next.clone()]), ["3 say it in Dutch"]);
    let both = [put.clone(), queue("enqueue", fifth), next.clone()];
    assert_eq!(last(&both), ["3 say it in Dutch", "4 and in Czech"]);
    // What was answered after it was no answer to it.
    let lines: Vec<_> = start.split_inclusive('\n').collect();
    let again = |line: &str| line.replace("\"uuid\":\"", "\"uuid\":\"f");
    assert_eq!(last(&[put.clone(), again(lines[4])]), ["3 say it in Dutch"]);
    // A path is no command, and another that is sent takes this one not along.
    let (path, other) = (Some("/home/ada/a.rs is wrong"), again(lines[0]));
    assert_eq!(last(&[queue("enqueue", path)]), ["3 /home/ada/a.rs is wrong"]);
    let told: serde_json::Value = serde_json::from_str(&other).unwrap();
    let words = told["message"]["content"].as_str().unwrap();
    let two = [queue("enqueue", Some(words)), queue("enqueue", fifth), next.clone(), other.clone()];
    assert_eq!(last(&two).last().map(|one| &one[2..]), Some("and in Czech"));
    // Taken back, or sent: as a line of its own, beside another, or in a way that nobody knows.
    assert_eq!(last(&[put.clone(), queue("remove", fourth)]), [""; 0]);
    assert_eq!(last(&[put.clone(), queue("popAll", None)]), [""; 0]);
    assert_eq!(last(&[put.clone(), queue("shuffle", None)]), [""; 0]);
    let (user, queued, answer) = (again(lines[0]), again(lines[2]), again(lines[4]));
    for sent in [user, queued, answer] {
        assert_eq!(last(&[put.clone(), next.clone(), sent]), [""; 0]);
    }
    // What the program put there, or what only steers it, is no request.
    for text in ["<task-notification>\n<task-id>b1</task-id>\n</task-notification>", "/clear"] {
        assert_eq!(last(&[queue("enqueue", Some(text)), next.clone()]), [""; 0]);
    }
}

#[test]
fn after_going_back_the_last_branch_counts_unless_the_file_points_at_another() {
    let bytes = std::fs::read(path("made/rewind.jsonl")).unwrap();
    let pointed = memory(&bytes);
    assert_eq!(dropped_by(&pointed, "[[p3]]"), Some("branch"));
    assert_eq!(dropped_by(&pointed, "[[p2]]"), None);
    let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let unpointed = memory(&lines[..lines.len() - 1].concat());
    assert_eq!(dropped_by(&unpointed, "[[p2]]"), Some("branch"));
    assert_eq!(dropped_by(&unpointed, "Answer two."), Some("branch"));
    assert_eq!(dropped_by(&unpointed, "[[p3]]"), None);
}

/// What Claude Code 2.1.330 sent of such files, each with a pointer at one of two parallel calls or
/// results, and the conversation going on from the other.
#[test]
fn a_pointer_at_one_of_parallel_calls_is_no_rewind() {
    let bytes = std::fs::read(path("2.1.84/parallel-tools.jsonl")).unwrap();
    let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let id = |line: usize| {
        let value: serde_json::Value = serde_json::from_slice(lines[line - 1]).unwrap();
        value["uuid"].as_str().unwrap().to_owned()
    };
    let pointed = |line: usize| {
        let pointer = format!("{{\"type\":\"last-prompt\",\"leafUuid\":\"{}\"}}\n", id(line));
        [&lines[..9].concat(), pointer.as_bytes(), &lines[9..].concat()].concat()
    };
    let branches = |bytes: &[u8]| {
        let session = memory(bytes);
        let of = |item: &&Item<'_>| item.dropped_by.as_deref() == Some("branch");
        session.items.iter().filter(of).map(|item| item.line).collect::<Vec<_>>()
    };
    // The result of the second call, that call, and what was noted below the result; the conversation
    // goes on from the first.
    for line in [8, 7, 9] {
        assert!(branches(&pointed(line)).is_empty(), "{line}");
        let input = Input::memory("x.jsonl", &pointed(line));
        let found = claude().writer().unwrap().check(&input).unwrap();
        assert!(!found.iter().any(|finding| finding.rule == "pointer_moves_the_end"), "{line}");
    }
    // Beside each other, and not one below the other, they are branches.
    let second = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let below = format!("\"parentUuid\":\"{}\"", id(6));
    let beside = format!("\"parentUuid\":\"{}\"", id(5));
    let mut apart: Vec<_> = second(pointed(8)).lines().map(str::to_owned).collect();
    apart[6] = apart[6].replace(&below, &beside);
    assert!(branches(apart.join("\n").as_bytes()).contains(&12));
}

/// So Claude Code 2.1.330 does, too: what was pointed at before a compaction is forgotten with it.
#[test]
fn a_pointer_before_a_compaction_is_no_rewind() {
    let bytes = std::fs::read(path("2.1.330/compaction-preserved.jsonl")).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let at = lines.iter().rposition(|line| line.contains("\"compact_boundary\"")).unwrap();
    let is_talk = |line: &&&str| line.contains("\"type\":\"assistant\"");
    let value: serde_json::Value =
        serde_json::from_str(lines[..at].iter().find(is_talk).unwrap()).unwrap();
    let pointer = format!("{{\"type\":\"last-prompt\",\"leafUuid\":{}}}\n", value["uuid"]);
    let pointed =
        |at: usize| [&lines[..at].concat(), pointer.as_str(), &lines[at..].concat()].concat();
    let told = |bytes: &[u8]| live(memory(bytes));
    let own = told(&bytes);
    assert_eq!(told(pointed(at).as_bytes()), own);
    // Behind it one goes back to before it.
    assert!(told(pointed(lines.len()).as_bytes()) != own);
}

#[test]
fn a_fork_holds_the_history_of_its_parent() {
    let session = fixture("2.1.84/fork.jsonl");
    assert_eq!(session.header.id, "ef3a6050-0764-4eee-86fc-1815506708f3");
    assert_eq!(live(session), ["[[f1]] q1", "A1", "[[f2]] q2", "A2", "[[f3]] q3", "A3 forked"]);
}

#[test]
fn a_command_of_the_users_own_is_what_was_typed_and_an_image_has_a_digest() {
    let session = fixture("2.1.84/command-and-image.jsonl");
    let (_, command) = messages(&session).next().unwrap();
    assert_eq!((command.origin, command.words().as_ref()), (Origin::Human, "/greet Bob"));
    let image =
        messages(&session).flat_map(|(_, message)| &message.parts).find_map(|part| match part {
            Part::Blob(blob) => Some(blob),
            _ => None,
        });
    let image = image.unwrap();
    assert_eq!((image.media_type.as_ref(), &image.data), ("image/png", &None));
    assert_eq!(image.name().sha256.as_ref().map(String::len), Some(64));
    assert_eq!(dropped_by(&session, "<command-name>/context"), Some("branch"));
    assert!(session.header.title.is_some());
}

#[test]
fn a_missing_parent_is_bridged_and_noted() {
    let session = fixture("2.1.84/dangling-parent.jsonl");
    let note = session.end.notes.iter().find(|note| note.kind == NoteKind::MissingParent);
    assert_eq!(note.map(|note| note.count), Some(1));
    assert_eq!(live(session), ["[[f1]] q1", "A1", "A2"]);
}

#[test]
fn ids_stay_when_the_file_grows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude");
    for file in crate::corpus::sessions(&folder) {
        let bytes = std::fs::read(&file).unwrap();
        let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let mut before: Vec<String> = Vec::new();
        for count in 1..=lines.len() {
            let input = Input::memory("x.jsonl", &lines[..count].concat());
            let mut session = Session::default();
            if claude().read(&input, Want::default(), &mut session).is_err() {
                continue;
            }
            // What waits to be sent is an item until it is sent, as another one.
            let waits = |item: &Item<'_>| match &item.body {
                Body::Message(message) => {
                    message.origin == Origin::Human
                        && item.dropped_by.as_deref() == Some("never_sent")
                }
                _ => false,
            };
            // Of a line that is written once more the later one has the id.
            let stay = session.items.iter().filter(|item| !waits(item));
            let ids: Vec<_> = stay.map(|item| item.id.to_string()).collect();
            let gone = before.iter().find(|id| !ids.contains(id));
            assert_eq!(gone, None, "{} line {count}", file.display());
            before = ids;
        }
    }
}

#[test]
fn no_id_comes_twice_among_what_is_live() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude");
    for file in crate::corpus::sessions(&folder) {
        let input = Input::file(file.to_str().unwrap().into()).unwrap();
        if harness::recognise(&input).is_err() {
            continue;
        }
        let session = read(&input);
        let mut seen = HashSet::new();
        for item in session.items.iter().filter(|item| item.live) {
            assert!(seen.insert(item.id.clone()), "{}: {} comes twice", file.display(), item.id);
        }
    }
}
