//! A session that goes to another harness and back says the same, less what was told as lost.

use std::path::Path;

use segue::harness::{self, Harness, Target, Want};
use segue::jsonl::Input;
use segue::model::{Blobs, Conversation, Deed, EntryBody, Exchange, Part, Session, Status};
use segue::note::{LossKind, Losses};
use serde_json::Value;

use crate::convert::{conversation, read};
use crate::corpus::{complaints, sessions};
use crate::data::folder;

const ID: &str = "5f1d9a52-70d4-5b1e-9f0a-2d0c5e9a73b1";

/// Writes a conversation for `to` and reads what was written.
fn through(made: &Conversation, to: &str) -> (Session, Losses) {
    let [id, origin] = [ID, "other:1"].map(str::to_owned);
    let cwd = made.header.cwd.clone().unwrap_or_else(|| "/home/ada/tool".to_owned());
    let target = Target { id, cwd, origin, now: None };
    let to = harness::by_name(to).unwrap();
    let mut bytes = Vec::new();
    let losses = to.writer().unwrap().write(made, &target, &mut bytes).unwrap();
    let input = Input::memory("written", &bytes);
    let want = Want { blobs: Blobs::Carried, native: true, ..Want::default() };
    let mut session = Session::default();
    session.end = to.read(&input, want, &mut session).unwrap();
    (session, losses)
}

/// A thing that a model is told.
#[derive(Debug)]
pub(crate) enum Told {
    Words(&'static str, String),
    Call {
        id: String,
        name: String,
        arguments: Value,
        deed: Option<Deed>,
        ends: Status,
        says: String,
    },
}

fn text(parts: &[Part<'_>]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.plain().trim().to_owned()),
        _ => None,
    });
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What a call of `away`, another harness, does is known too: not all of them can be turned back.
fn call(exchange: &Exchange, away: &dyn Harness) -> Told {
    let call = &exchange.call;
    let arguments = serde_json::from_str(call.arguments.get()).unwrap();
    let mut deed = exchange.deed.clone().or_else(|| away.deed(&call.name, &arguments));
    // A command is run in the session's own folder where it names none.
    if let Some(Deed::Shell { cwd, .. }) = &mut deed {
        *cwd = None;
    }
    Told::Call {
        id: call.call_id.to_string(),
        name: call.name.to_string(),
        arguments,
        deed,
        ends: exchange.result.status,
        says: text(&exchange.result.output),
    }
}

pub(crate) fn told(made: &Conversation, away: &dyn Harness) -> Vec<Told> {
    let entries = made.live.iter().filter_map(|entry| match &entry.body {
        EntryBody::Said(message) => Some(Told::Words("user", text(&message.parts))),
        EntryBody::Answer(message) => Some(Told::Words("model", text(&message.parts))),
        EntryBody::Summary(words) => Some(Told::Words("summary", words.plain().trim().to_owned())),
        EntryBody::Exchange(exchange) => Some(call(exchange, away)),
        _ => None,
    });
    entries.filter(|told| !matches!(told, Told::Words(_, words) if words.is_empty())).collect()
}

/// Tells whether `back` says what `there` said; a harness may put its own words around it.
fn is_same(there: &Told, back: &Told, loses_errors: bool) -> bool {
    match (there, back) {
        (Told::Words(a, there), Told::Words(b, back)) => a == b && back.contains(there.as_str()),
        (
            Told::Call { id, name, arguments, deed, ends, says },
            Told::Call {
                id: id_b,
                name: name_b,
                arguments: args_b,
                deed: deed_b,
                ends: ends_b,
                says: says_b,
            },
        ) => {
            let is_mapped =
                deed.as_ref().zip(deed_b.as_ref()).is_some_and(|(a, b)| does_same(a, b));
            let is_carried = name == name_b && arguments == args_b;
            let ends_alike = ends == ends_b || loses_errors;
            id == id_b && (is_mapped || is_carried) && ends_alike && says_b.contains(says.as_str())
        }
        _ => false,
    }
}

fn is_near(there: &Told, back: &Told) -> bool {
    match (there, back) {
        (Told::Words(a, _), Told::Words(b, _)) => a == b,
        (Told::Call { id, .. }, Told::Call { id: back, .. }) => id == back,
        _ => false,
    }
}

/// Tells whether two calls do the same; a harness without a place for the folder goes there first.
fn does_same(there: &Deed, back: &Deed) -> bool {
    match (there, back) {
        (Deed::Shell { command, .. }, Deed::Shell { command: back, .. }) => {
            back.strip_suffix(command.as_str()).is_some_and(|before| {
                before.is_empty() || (before.starts_with("cd ") && before.ends_with(" && "))
            })
        }
        _ => there == back,
    }
}

/// Finds the first thing that is not said again, in its order; words of the user's side may be lost
/// as often as `told_lost` says.
pub(crate) fn missing(
    there: &[Told],
    back: &[Told],
    loses_errors: bool,
    told_lost: &mut u64,
) -> Option<String> {
    let mut last = 0;
    for one in there {
        // Two answers in a row may have become one.
        let first = if matches!(one, Told::Words("model", _)) { last } else { last + 1 };
        let rest = back.iter().enumerate().skip(if last == 0 { 0 } else { first });
        match rest.into_iter().find(|(_, other)| is_same(one, other, loses_errors)) {
            Some((at, _)) => last = at,
            None if matches!(one, Told::Words("user", _)) && *told_lost > 0 => *told_lost -= 1,
            None => {
                let near = back.iter().find(|other| is_near(one, other));
                return Some(format!("{one:?}\n  not {near:?}"));
            }
        }
    }
    None
}

fn there_and_back(path: &Path) -> Vec<String> {
    let Some(session) = read(path) else { return Vec::new() };
    let own = session.header.harness.clone();
    let Some(home) = harness::by_name(&own) else { return Vec::new() };
    let mut wrong = Vec::new();
    for to in harness::ALL.iter().map(|to| to.name()).filter(|to| *to != home.name()) {
        let made = conversation(session.clone(), to, false);
        if !made.conversation.has_words() || made.lacks_summary() {
            continue;
        }
        let (away, losses) = through(&made.conversation, to);
        let turned = conversation(away, &own, false);
        let (back, more) = through(&turned.conversation, &own);
        let back = conversation(back, &own, false);
        let count = |kind| {
            let lists = [losses.list(), turned.losses.list(), more.list(), made.losses.list()];
            let of = lists.iter().flatten().filter(|loss| loss.kind == kind);
            of.map(|loss| loss.count).sum::<u64>()
        };
        let loses_errors = count(LossKind::ErrorFlag) + count(LossKind::OpenCall) > 0;
        // What looks like the harness's own words was told as lost.
        let mut told_lost = count(LossKind::HarnessText);
        let away = harness::by_name(to).unwrap();
        let (there, back) = (told(&made.conversation, away), told(&back.conversation, away));
        let missing = missing(&there, &back, loses_errors, &mut told_lost);
        wrong.extend(missing.map(|what| format!("{} by {to}: {what}", path.display())));
    }
    wrong
}

#[test]
fn fixtures_come_back_as_they_were() {
    let fixtures = sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    let wrong = complaints(&fixtures, |_, path| there_and_back(path));
    assert!(wrong.is_empty(), "{} wrong: {}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
}

#[test]
fn real_sessions_come_back_as_they_were() {
    let Some(folder) = folder("real") else { return };
    let wrong = complaints(&sessions(&folder), |_, path| there_and_back(path));
    assert!(wrong.is_empty(), "{} wrong: {}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
}
