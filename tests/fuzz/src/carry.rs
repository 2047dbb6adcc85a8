//! A session into another harness: each item is carried or told as lost, and what is written can be
//! read again.

use camino::Utf8Path;
use segue::convert::{self, Converted, Options};
use segue::harness::{self, Harness, Target, Want};
use segue::jsonl::Input;
use segue::model::{Action, Blobs, Conversation, Entry, EntryBody, Session, Side, ToolCall};

const ID: &str = "5f1d9a52-70d4-5b1e-9f0a-2d0c5e9a73b1";

/// Reads a session by what it looks like.
pub fn session(bytes: &[u8]) -> Option<Session> {
    let input = Input::memory("fuzzed", bytes);
    let reader = harness::recognise(&input).ok()?;
    let want = Want { blobs: Blobs::Carried, native: true, actions: true, ..Want::default() };
    let mut session = Session::default();
    session.end = reader.read(&input, want, &mut session).ok()?;
    Some(session)
}

/// Converts a session for every harness.
pub fn hold(bytes: &[u8]) {
    let Some(session) = session(bytes) else { return };
    for to in harness::ALL {
        for full in [false, true] {
            converted(&session, *to, full);
        }
    }
}

fn converted(session: &Session, to: &dyn Harness, full_history: bool) {
    let source = harness::by_name(&session.header.harness);
    let deed = |call: &ToolCall<'_>| {
        let arguments = serde_json::from_str(call.arguments.get()).ok()?;
        Some((source?.deed(&call.name, &arguments)?, source?.asks_more(&call.name, &arguments)))
    };
    let same = source.is_some_and(|source| source.name() == to.name());
    let is_alone =
        |call: &ToolCall<'_>| source.is_some_and(|source| source.keeps_no_result(&call.name));
    let printed = |output| source.map_or_else(Vec::new, |source| source.printed(output));
    let begun = |result: &str| source?.begun(result).map(|begun| begun.name);
    let waits_for =
        |call: &ToolCall<'_>| match source?.action(&call.name, call.kind, &call.arguments) {
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
    let made = convert::convert(session.clone(), &options);
    let (carried, lost) = (carried(&made.conversation), made.losses.items());
    assert_eq!(carried + lost, made.items, "{:?}", made.losses.list());
    assert!(is_ordered(&made.conversation), "time goes back");
    let Conversation { older, boundary, .. } = &made.conversation;
    assert!(older.is_empty() || boundary.is_some(), "what was replaced would be sent again");
    if made.conversation.has_words() && !made.lacks_summary() {
        written(&made, to);
    }
    let mut folded = made.clone();
    folded.fold(made.conversation.live.len() / 2, "A summary.".to_owned());
    assert!(is_ordered(&folded.conversation), "time goes back");
    let mut alone = made;
    alone.leave_sides();
    let own: u64 = entries(&alone.conversation).map(|entry| entry.items).sum();
    assert_eq!(own + alone.losses.items(), alone.items, "left behind in silence");
}

/// Writes a conversation and reads what was written.
fn written(made: &Converted, to: &dyn Harness) {
    let Some(writer) = to.writer() else { return };
    let [id, cwd, origin] = [ID, "/home/ada/tool", "other:1"].map(str::to_owned);
    let target = Target { id, cwd, origin, now: None };
    let mut bytes = Vec::new();
    writer.write(&made.conversation, &target, &mut bytes).expect("memory");
    let place = Utf8Path::new("/home/ada/session.jsonl");
    let (sides, _) =
        harness::sides(writer, &made.conversation, &target, place).expect("sides are written");
    for bytes in std::iter::once(&bytes).chain(sides.iter().map(|side| &side.file.text)) {
        let input = Input::memory("written", bytes);
        let mut back = Session::default();
        back.end = to.read(&input, Want::default(), &mut back).expect("what is written is read");
        let tally = &back.end.tally;
        assert_eq!(tally.lines_noted, 0, "{:?}", back.end.notes);
        let found = writer.check(&input).expect("what is written is checked");
        let grave = found.iter().find(|one| one.severity == harness::Severity::Error);
        assert!(grave.is_none(), "{}: {grave:?}\n{}", to.name(), String::from_utf8_lossy(bytes));
    }
}

fn carried(conversation: &Conversation) -> u64 {
    let own: u64 = entries(conversation).map(|entry| entry.items).sum();
    let sides = conversation.sides.iter().map(|side| {
        let below: u64 = side.conversation.sides.iter().map(Side::all_items).sum();
        let inside = carried(&side.conversation) - below;
        let left = (side.items - inside).checked_sub(side.losses.items());
        assert!(left.is_some_and(|left| left <= 1), "{}: {:?}", side.id, side.losses.list());
        assert!(is_ordered(&side.conversation), "time goes back");
        side.all_items()
    });
    own + sides.sum::<u64>()
}

pub fn entries(conversation: &Conversation) -> impl Iterator<Item = &Entry> {
    let Conversation { older, boundary, live, .. } = conversation;
    older.iter().chain(boundary).chain(live)
}

/// Whether times only go on; results of a response stand behind it.
pub fn is_ordered(conversation: &Conversation) -> bool {
    let mut times: Vec<&str> = Vec::new();
    let mut group: (u32, Vec<&str>) = (0, Vec::new());
    for entry in entries(conversation) {
        if entry.response == 0 || entry.response != group.0 {
            times.append(&mut group.1);
            group.0 = entry.response;
        }
        times.push(&entry.ts);
        if let EntryBody::Exchange(exchange) = &entry.body {
            group.1.push(&exchange.result_ts);
        }
    }
    times.append(&mut group.1);
    times.windows(2).all(|pair| pair[0] < pair[1])
}
