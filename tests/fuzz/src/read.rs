//! The readers: each line is accounted for, and all views of a file say the same.

use std::io::Read as _;

use segue::error::Result;
use segue::export::{Document, Ndjson};
use segue::harness::{self, Harness, Sink, Want};
use segue::jsonl::Input;
use segue::model::{Blobs, Header, Item, Session};
use serde_json::Value;

/// By which the forms are found that no harness writes.
const UNIFIED: &[u8] = br#"{"type":"session","schema":"segue-session-1"}"#;
const ATIF: &[u8] = br#"{"schema_version":"ATIF-v1.7","steps":[]}"#;

/// Returns a reader by its name; the name of a form is that of its format.
pub fn reader(name: &str) -> &'static dyn Harness {
    let by_head = |head| harness::recognise(&Input::memory("head", head)).expect("a known head");
    match name {
        "unified" => by_head(UNIFIED),
        "atif" => by_head(ATIF),
        name => harness::by_name(name).expect("a harness"),
    }
}

/// Keeps what a reader gives, as an export writes it, and the bytes of the lines.
pub struct Records {
    pub ndjson: Ndjson<Vec<u8>>,
    pub header: Option<Header>,
    pub bytes: Vec<u8>,
    pub lines: u64,
}

impl Records {
    pub fn new(live_only: bool) -> Self {
        let ndjson = Ndjson::new(Vec::new(), live_only);
        Self { ndjson, header: None, bytes: Vec::new(), lines: 0 }
    }
}

impl Sink for Records {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.header = Some(header.clone());
        self.ndjson.header(header)
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        self.ndjson.item(item)
    }

    fn settled(&mut self, rank: u32) -> Result<()> {
        self.ndjson.settled(rank)
    }

    fn raw_line(&mut self, line: u64, bytes: &[u8], ended: bool) -> Result<()> {
        self.lines += 1;
        self.bytes.extend_from_slice(bytes);
        self.bytes.extend_from_slice(if ended { b"\n" } else { b"" });
        self.ndjson.raw_line(line, bytes, ended)
    }
}

/// Reads `bytes` with the reader called `name`.
pub fn hold(name: &str, bytes: &[u8]) {
    let input = Input::memory("fuzzed", bytes);
    let reader = reader(name);
    let _ = harness::recognise(&input);
    let mut sink = Records::new(false);
    let want = Want {
        actions: true,
        bare: false,
        blobs: Blobs::Carried,
        raw_lines: true,
        places: true,
        live_only: false,
        native: true,
    };
    let header = reader.header(&input);
    match reader.read(&input, want, &mut sink) {
        Ok(end) => {
            let tally = &end.tally;
            let sum = tally.lines_used + tally.lines_bookkeeping + tally.lines_noted;
            assert_eq!(sum, tally.lines_read, "{tally:?}");
            assert_eq!(header.ok(), sink.header, "two headers");
            let mut source = Vec::new();
            input.open().expect("opens").read_to_end(&mut source).expect("reads");
            // An export gives the lines of what it was made of.
            assert!(name == "unified" || sink.bytes == source, "the raw lines are not the source");
            let stream = sink.ndjson.end(&end).expect("memory");
            for line in stream.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                serde_json::from_slice::<Value>(line).expect("a record is JSON");
            }
            views(reader, &input);
        }
        Err(error) => assert_eq!(error.exit_code(), 3, "{error}"),
    }
}

/// Holds the live view as a stream and the live view as a document together.
fn views(reader: &dyn Harness, input: &Input) {
    let want = Want { live_only: true, ..Want::default() };
    let mut sink = Records::new(true);
    let end = reader.read(input, want, &mut sink).expect("was read before");
    let stream = sink.ndjson.end(&end).expect("memory");
    let mut session = Session::default();
    session.end = reader.read(input, want, &mut session).expect("was read before");
    session.keep_live();
    let document = serde_json::to_value(Document::new(&session)).expect("is JSON");
    assert_eq!(said(&stream), ids(&document), "the live views differ");
}

fn said(ndjson: &[u8]) -> Vec<String> {
    let kinds = ["message", "reasoning", "tool_call", "tool_result"];
    let lines = ndjson.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let records = lines.map(|line| serde_json::from_slice::<Value>(line).expect("JSON"));
    let wanted = records.filter(|record| kinds.iter().any(|kind| record["type"] == *kind));
    wanted.map(|record| record["id"].as_str().expect("an id").to_owned()).collect()
}

fn ids(document: &Value) -> Vec<String> {
    let messages = document["messages"].as_array().expect("a list");
    let pieces = messages.iter().flat_map(|message| message["content"].as_array().expect("a list"));
    pieces.map(|piece| piece["id"].as_str().expect("an id").to_owned()).collect()
}
