//! Every session file of the large data keeps every promise of reading.
//!
//! The data is not part of this repository; [`crate::data`] says where it is.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::Utf8Path;
use segue::export::Document;
use segue::harness::{self, Harness, Want};
use segue::jsonl::Input;
use segue::model::{Blobs, End, Session};
use segue::note::Tally;
use serde_json::Value;

use crate::data::{files, folder, tell};
pub(crate) use crate::fuzz::read::Records;
use crate::schema::Schema;

/// Returns every file below `folder` that may be a session by its name.
pub(crate) fn sessions(folder: &Path) -> Vec<PathBuf> {
    let endings = ["jsonl", "json", "zst"];
    let wanted = |path: &PathBuf| {
        path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted))
    };
    files(folder).into_iter().filter(wanted).collect()
}

/// Runs `check` for each of `things` on two threads and returns what it complained about.
pub(crate) fn complaints<T: Sync>(
    things: &[T],
    check: impl Fn(usize, &T) -> Vec<String> + Sync,
) -> Vec<String> {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(at) else { break };
            let found = check(at, thing);
            all.lock().unwrap().extend(found);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    all.into_inner().unwrap()
}

/// Tells whether the three counts add up to the lines.
pub(crate) fn adds_up(tally: &Tally) -> bool {
    tally.lines_used + tally.lines_bookkeeping + tally.lines_noted == tally.lines_read
}

#[test]
fn every_file_keeps_every_promise() {
    let schema = Schema::published();
    for name in ["real", "corpus"] {
        let Some(folder) = folder(name) else { continue };
        let files = sessions(&folder);
        let read = AtomicUsize::new(0);
        let found = complaints(&files, |_, path| {
            let (fine, found) = check(&schema, path);
            read.fetch_add(usize::from(fine), Ordering::Relaxed);
            found
        });
        assert!(found.is_empty(), "{} complaints:\n{}", found.len(), found.join("\n"));
        let read = read.into_inner();
        tell(&format!("{name}: {read} of {} files are sessions", files.len()));
        assert!(read > files.len() / 3, "{name}: only {read} of {} files were read", files.len());
    }
}

/// Returns whether the file is a session, and what is wrong with the way it was read.
fn check(schema: &Schema, path: &Path) -> (bool, Vec<String>) {
    let path = Utf8Path::from_path(path).unwrap();
    let wrong = |what: String| format!("{path}: {what}");
    let input = Input::file(path).unwrap();
    let harness = match harness::recognise(&input) {
        Ok(harness) => harness,
        Err(error) => {
            let refused = error.exit_code() == 3;
            return (false, if refused { vec![] } else { vec![wrong(error.to_string())] });
        }
    };
    let mut sink = Records::new(false);
    let want = Want {
        actions: true,
        bare: false,
        blobs: Blobs::Named,
        raw_lines: true,
        places: true,
        live_only: false,
        native: true,
    };
    match harness.read(&input, want, &mut sink) {
        Ok(end) => (true, promises(schema, harness, &input, sink, &end).map(wrong).collect()),
        Err(error) if error.exit_code() == 3 => {
            let listed = harness.header(&input).is_ok();
            let complaint = listed.then(|| wrong(format!("has a header, but {error}")));
            (false, complaint.into_iter().collect())
        }
        Err(error) => (false, vec![wrong(error.to_string())]),
    }
}

fn promises(
    schema: &Schema,
    harness: &dyn Harness,
    input: &Input,
    sink: Records,
    end: &End,
) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    let tally = &end.tally;
    if !adds_up(tally) {
        found.push(format!("the counts do not add up: {tally:?}"));
    }
    if harness.header(input).ok() != sink.header {
        let cheap = harness.header(input);
        found.push(format!("two headers:\n  {cheap:?}\n  {:?}", sink.header));
    }
    let mut source = Vec::new();
    input.open().unwrap().read_to_end(&mut source).unwrap();
    if sink.bytes != source {
        found.push("the raw lines do not make the source".to_owned());
    }
    if tally.lines_read != sink.lines && !is_document(&source) {
        found.push(format!("{} lines, but read {}", sink.lines, tally.lines_read));
    }
    found.extend(schema.complaints(&sink.ndjson.end(end).unwrap()));
    found.extend(forms(harness, input));
    found.into_iter()
}

/// Compares the live view as a stream with the live view as a document.
fn forms(harness: &dyn Harness, input: &Input) -> Option<String> {
    let want = Want { live_only: true, ..Want::default() };
    let mut sink = Records::new(true);
    let end = harness.read(input, want, &mut sink).ok()?;
    let stream = sink.ndjson.end(&end).ok()?;
    let mut session = Session::default();
    session.end = harness.read(input, want, &mut session).ok()?;
    session.keep_live();
    let document = serde_json::to_value(Document::new(&session)).unwrap();
    let (streamed, arranged) = (said(&stream), ids(&document));
    if streamed != arranged {
        return Some(format!("the live views differ: {} and {}", streamed.len(), arranged.len()));
    }
    boundaries(&document)
}

/// Returns the ids of what was said and done, in the order of the stream.
fn said(ndjson: &[u8]) -> Vec<String> {
    let kinds = ["message", "reasoning", "tool_call", "tool_result"];
    let lines = ndjson.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let records = lines.map(|line| serde_json::from_slice::<Value>(line).unwrap());
    let wanted = |record: &Value| kinds.iter().any(|kind| record["type"] == *kind);
    records.filter(wanted).map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

fn ids(document: &Value) -> Vec<String> {
    let messages = document["messages"].as_array().unwrap();
    let pieces = messages.iter().flat_map(|message| message["content"].as_array().unwrap());
    pieces.map(|piece| piece["id"].as_str().unwrap().to_owned()).collect()
}

/// Checks that every index in a document points at a message.
fn boundaries(document: &Value) -> Option<String> {
    let messages = document["messages"].as_array().unwrap();
    let in_order = messages.iter().enumerate().all(|(at, message)| message["index"] == at);
    let fits = |index: &Value| index.as_u64().is_some_and(|index| index < messages.len() as u64);
    let fine = |boundary: &Value| {
        let after = &boundary["after_message_index"];
        (after.is_null() || fits(after))
            && boundary["replaced_message_indices"].as_array().unwrap().iter().all(fits)
    };
    let all = document["compaction"]["boundaries"].as_array().unwrap().iter().all(fine);
    (!in_order || !all).then(|| "an index points at no message".to_owned())
}

fn is_document(source: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(source).is_ok()
}
