//! A conversion carries every item of its source, or says that it is lost.

use camino::Utf8Path;
use segue::convert::{self, Converted, Options};
use segue::harness::{self, Want};
use segue::jsonl::Input;
use segue::model::{
    Action, Blobs, Body, Conversation, Entry, EntryBody, Item, Part, Session, Side, ToolCall,
};
use segue::note::{LossKind, NoteKind};

use crate::corpus::{complaints, sessions};
use crate::data::folder;
use crate::fuzz::carry::{entries, is_ordered};
use crate::program::Call;

/// Reads a session as a conversion does; nothing where the file is none.
pub(crate) fn read(path: &std::path::Path) -> Option<Session> {
    let path = Utf8Path::from_path(path).unwrap();
    let input = Input::file(path).unwrap();
    let harness = harness::recognise(&input).ok()?;
    let want = Want { blobs: Blobs::Carried, native: true, ..Want::default() };
    let mut session = Session::default();
    session.end = harness.read(&input, want, &mut session).ok()?;
    Some(session)
}

/// Makes a session ready for the harness `to`.
pub(crate) fn conversation(session: Session, to: &str, full_history: bool) -> Converted {
    let source = harness::by_name(&session.header.harness).unwrap();
    let deed = |call: &ToolCall<'_>| {
        let arguments = serde_json::from_str(call.arguments.get()).ok()?;
        Some((source.deed(&call.name, &arguments)?, source.asks_more(&call.name, &arguments)))
    };
    let same = source.name() == to;
    let is_alone = |call: &ToolCall<'_>| source.keeps_no_result(&call.name);
    let printed = |output| source.printed(output);
    let begun = |result: &str| source.begun(result).map(|begun| begun.name);
    let waits_for =
        |call: &ToolCall<'_>| match source.action(&call.name, call.kind, &call.arguments) {
            Some(Action::Wait { on, .. }) => on,
            _ => None,
        };
    let options = Options {
        same,
        full_history,
        deed: &deed,
        is_alone: &is_alone,
        printed: &printed,
        begun: &begun,
        ended: &|_| Vec::new(),
        waits_for: &waits_for,
    };
    convert::convert(session, &options)
}

/// Makes a session ready for a file that has no place for side sessions beside it.
pub(crate) fn alone(session: Session, to: &str, full_history: bool) -> Converted {
    let mut made = conversation(session, to, full_history);
    made.leave_sides();
    made
}

/// Returns what is carried of a part that only another harness knows: its JSON, or a line in place
/// of what nobody can read.
pub(crate) fn foreign(kind: &str, json: &str) -> String {
    let is_digit = |sign: char| sign.is_ascii_alphanumeric() || "+/=_-".contains(sign);
    match json.split(|sign| !is_digit(sign)).any(|run| run.len() > 400) {
        true => format!("[{kind}, {} bytes: not carried over]", json.len()),
        false => json.to_owned(),
    }
}

/// How many items stand in the entries of a conversation and of its side sessions; each of these may
/// say what is known of it besides.
fn carried(conversation: &Conversation, found: &mut Vec<String>) -> u64 {
    let own: u64 = entries(conversation).map(|entry| entry.items).sum();
    let sides = conversation.sides.iter().map(|side| {
        let below: u64 = side.conversation.sides.iter().map(Side::all_items).sum();
        let inside = carried(&side.conversation, found) - below;
        if !(0..=1).contains(&(side.items - inside - side.losses.items())) {
            found.push(format!("{}: {inside} of {} {:?}", side.id, side.items, side.losses.list()));
        }
        if !is_ordered(&side.conversation) {
            found.push(format!("{}: time goes back", side.id));
        }
        side.all_items()
    });
    own + sides.sum::<u64>()
}

fn check(path: &std::path::Path) -> Vec<String> {
    let Some(session) = read(path) else { return Vec::new() };
    let mut found = Vec::new();
    for to in harness::ALL.iter().filter(|harness| harness.writer().is_some()) {
        for full in [false, true] {
            let made = conversation(session.clone(), to.name(), full);
            let carried = carried(&made.conversation, &mut found);
            let lost = made.losses.items();
            if carried + lost != made.items {
                let list = made.losses.list();
                found.push(format!("{carried} + {lost} != {} {list:?}", made.items));
            }
            if !is_ordered(&made.conversation) {
                found.push("time goes back".to_owned());
            }
            let mut left = made;
            left.leave_sides();
            if entries(&left.conversation).map(|entry| entry.items).sum::<u64>()
                + left.losses.items()
                != left.items
            {
                found.push("side sessions are left behind in silence".to_owned());
            }
        }
    }
    found.iter().map(|what| format!("{}: {what}", path.display())).collect()
}

#[test]
fn items_are_carried_or_counted_as_lost() {
    let fixtures = sessions(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures")));
    assert!(fixtures.len() > 20, "the fixtures are not there");
    let wrong = complaints(&fixtures, |_, path| check(path));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn items_of_real_sessions_are_carried_or_counted_as_lost() {
    for name in ["corpus", "real"] {
        let Some(folder) = folder(name) else { return };
        let wrong = complaints(&sessions(&folder), |_, path| check(path));
        assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    }
}

#[test]
fn what_says_that_the_user_stopped_is_carried_with_that() {
    let head = r#"{"type":"session","schema":"segue-session-1","id":"c731db59-d666-4b39-abb1-c1424ed6c321","harness":"claude"}"#;
    let rest = r#""turn":1,"ts":"2026-01-02T03:04:05.000Z","line":1"#;
    let said = format!(
        r#"{{"type":"message","id":"e1",{rest},"live":true,"role":"user","origin":"harness","parts":[{{"type":"text","text":"[Request interrupted by user]"}}]}}"#
    );
    let stop = format!(
        r#"{{"type":"notice","id":"e1/interrupted",{rest},"live":false,"dropped_by":"never_sent","kind":"interrupted"}}"#
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stopped.jsonl");
    std::fs::write(&path, format!("{head}\n{said}\n{stop}\n")).unwrap();
    assert_eq!(check(&path), [""; 0]);
}

/// Returns the ids of the files and commands that a pack of `session` names.
fn ids(session: &str) -> Vec<String> {
    let said = Call::new("nobody", &["pack", session, "--json", "--budget", "8000"]).run();
    let pack: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let lists = ["files", "commands", "failures"].map(|name| pack[name].as_array().cloned());
    let mut ids: Vec<_> = lists
        .into_iter()
        .flatten()
        .flatten()
        .map(|fact| fact["id"].as_str().unwrap_or_default().to_owned())
        .collect();
    ids.sort();
    ids
}

#[test]
fn what_a_pack_names_has_the_same_ids_after_a_conversion() {
    let sources = [
        ("fixtures/demo/session.jsonl", "codex"),
        ("fixtures/claude/2.1.84/parallel-tools.jsonl", "codex"),
        ("fixtures/codex/0.145.0/tools-legacy.jsonl", "claude"),
    ];
    for (source, to) in sources {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("session.jsonl");
        let out = out.to_str().unwrap();
        let said = Call::new("nobody", &["convert", source, "--to", to, "--out", out]).run();
        assert_eq!(said.code, 0, "{}", said.stderr);
        let before = ids(source);
        assert!(!before.is_empty(), "{source}");
        assert_eq!(ids(out), before, "{source} -> {to}");
    }
}

#[test]
fn a_fold_takes_the_counts_that_hold_what_was_folded() {
    let fixture = "fixtures/codex/0.145.0/tools-legacy.jsonl";
    let session = read(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(fixture)).unwrap();
    let costs = |entries: &[Entry]| {
        entries.iter().filter(|entry| matches!(entry.body, EntryBody::Usage(_))).count()
    };
    let whole = conversation(session, "codex", false);
    let live = &whole.conversation.live;
    let first = live.iter().position(|entry| matches!(entry.body, EntryBody::Usage(_))).unwrap();
    assert_eq!(costs(live), 2);
    let mut folded = whole.clone();
    folded.fold(first + 1, "what was before".to_owned());
    assert_eq!((costs(&folded.conversation.older), costs(&folded.conversation.live)), (1, 0));
    let items = |made: &Converted| {
        let carried: u64 = entries(&made.conversation).map(|entry| entry.items).sum();
        carried + made.losses.items()
    };
    assert_eq!(items(&folded), items(&whole), "each is carried or lost");
    let mut beside = whole.clone();
    beside.fold(0, "nothing was before".to_owned());
    assert_eq!(costs(&beside.conversation.live), 2, "they still say how long it is");
}

#[test]
fn what_a_compaction_replaced_is_not_sent_again_where_that_was_left_too() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/claude/2.1.84/compaction.jsonl");
    let mut lines = std::fs::read_to_string(path).unwrap();
    // Words that begin anew, as after going back to before the first line.
    lines += r#"{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"another beginning"},"uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2027-01-01T00:00:00.000Z","cwd":"/home/ada/tool","sessionId":"s","version":"2.1.84"}"#;
    let input = Input::memory("branched", lines.as_bytes());
    let mut session = Session::default();
    let want = Want { native: true, ..Want::default() };
    session.end = harness::by_name("claude").unwrap().read(&input, want, &mut session).unwrap();
    let is_compaction = |item: &&Item<'_>| matches!(item.body, Body::Compaction(_));
    let left = session.items.iter().find(is_compaction).unwrap();
    assert!(!left.live);
    let replaced = session.items.iter().filter(|item| item.dropped_by.as_deref() == Some(&left.id));
    assert!(replaced.count() > 0);
    for to in ["claude", "codex", "gemini"] {
        let Conversation { older, boundary, live, .. } =
            conversation(session.clone(), to, false).conversation;
        assert!(boundary.is_none() && older.is_empty(), "{to}: {older:?}");
        assert_eq!(live.len(), 1, "{to}: {live:?}");
    }
}

#[test]
fn a_result_that_stands_before_its_call_is_that_calls() {
    let said = r#"{"timestamp":"2026-08-01T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"do it"}]}}"#;
    let call = r#"{"timestamp":"2026-08-01T10:00:03.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}","call_id":"k1"}}"#;
    let output = |words: &str, id: &str| {
        let line = r#"{"timestamp":"2026-08-01T10:00:02.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"ID","output":"WORDS"}}"#;
        line.replace("ID", id).replace("WORDS", words)
    };
    let given = |lines: &[&str]| {
        let head = r#"{"timestamp":"2026-08-01T10:00:00.000Z","type":"session_meta","payload":{"id":"01990000-0000-7000-8000-0000000000c0","timestamp":"2026-08-01T10:00:00.000Z","cwd":"/w","originator":"codex_cli_rs","cli_version":"0.133.0","source":"cli"}}"#;
        let text = format!("{head}\n{}\n", lines.join("\n"));
        let mut session = Session::default();
        let input = Input::memory("early", text.as_bytes());
        let codex = harness::by_name("codex").unwrap();
        session.end = codex.read(&input, Want::default(), &mut session).unwrap();
        let orphans = session.end.notes.iter().filter(|note| note.kind == NoteKind::OrphanResult);
        let orphans = orphans.map(|note| note.count).sum::<u64>();
        let made = conversation(session, "gemini", false);
        let exchanges = made.conversation.live.iter().filter_map(|entry| match &entry.body {
            EntryBody::Exchange(exchange) => match &exchange.result.output[..] {
                [Part::Text(text)] => Some(text.plain().into_owned()),
                _ => None,
            },
            _ => None,
        });
        let results: Vec<_> = exchanges.collect();
        let lost = made.losses.list().iter().map(|loss| loss.kind).collect::<Vec<_>>();
        (results, lost, orphans)
    };
    let (early, late) = (output("early output", "k1"), output("late output", "k1"));
    let (results, lost, orphans) = given(&[said, &early, call]);
    assert_eq!((results, orphans), (vec!["early output".to_owned()], 0));
    assert!(!lost.contains(&LossKind::OrphanResult) && !lost.contains(&LossKind::OpenCall));
    // What comes behind a call is rather its result.
    let (results, lost, _) = given(&[said, &early, call, &late]);
    assert_eq!(results, ["late output"]);
    assert!(lost.contains(&LossKind::RepeatedResult), "{lost:?}");
    // Of two the pack tells the last, too.
    let (results, lost, _) = given(&[said, &output("first", "k1"), &early, call]);
    assert_eq!(results, ["early output"]);
    assert!(lost.contains(&LossKind::RepeatedResult), "{lost:?}");
    let other = output("another's", "k2");
    let (results, lost, orphans) = given(&[said, &other, call, &late]);
    assert_eq!((results, orphans), (vec!["late output".to_owned()], 1));
    assert!(lost.contains(&LossKind::Unsent), "{lost:?}");
}
