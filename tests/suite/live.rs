//! The live view against what the real program sent.

use std::fmt::Write as _;
use std::path::Path;

use segue::error::Result;
use segue::export::Ndjson;
use segue::harness::{self, Sink, Want};
use segue::jsonl::Input;
use segue::model::{Header, Item};
use serde_json::Value;

struct Live(Ndjson<Vec<u8>>);

impl Sink for Live {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.0.header(header)
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        self.0.item(item)
    }

    fn settled(&mut self, rank: u32) -> Result<()> {
        self.0.settled(rank)
    }
}

/// Returns the blocks of the live view, a line each.
fn live_blocks(bytes: &[u8]) -> Vec<String> {
    let input = Input::memory("x.jsonl", bytes);
    let mut live = Live(Ndjson::new(Vec::new(), true));
    let want = Want { live_only: true, ..Want::default() };
    let end = harness::by_name("claude").unwrap().read(&input, want, &mut live).unwrap();
    let out = String::from_utf8(live.0.end(&end).unwrap()).unwrap();
    let records = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.flat_map(|record| blocks(&record)).collect()
}

fn blocks(record: &Value) -> Vec<String> {
    let text = |key: &str| record[key].as_str().unwrap_or_default();
    let one_name = |name: &str| if name == "Task" { "Agent".to_owned() } else { name.to_owned() };
    match text("type") {
        "message" => record["parts"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|part| match part["type"].as_str().unwrap() {
                "text" => words(part["text"].as_str().unwrap())
                    .map(|words| format!("{} text {words}", text("role"))),
                "blob" => Some(format!("{} image", text("role"))),
                other => Some(format!("{} {other}", text("role"))),
            })
            .collect(),
        "tool_call" => {
            vec![format!("assistant tool_use {} {}", text("call_id"), one_name(text("name")))]
        }
        "tool_result" => {
            vec![format!("user tool_result {} {}", text("call_id"), text("status") != "ok")]
        }
        _ => Vec::new(),
    }
}

/// Takes reminders out, folds blanks, cuts at 160 characters.
fn words(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    while let Some(start) = text.find("<system-reminder>") {
        let end = text[start..].find("</system-reminder>").map_or(text.len(), |at| start + at + 18);
        text.replace_range(start..end, "");
    }
    let folded: String =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(160).collect();
    (!folded.is_empty()).then(|| folded.trim_end().to_owned())
}

fn wanted(blocks: &Value) -> Vec<String> {
    let line = |block: &Value| {
        let text = |key: &str| block[key].as_str().unwrap_or_default();
        match text("type") {
            "text" => words(text("text")).map(|words| format!("{} text {words}", text("role"))),
            "tool_use" => Some(format!("assistant tool_use {} {}", text("id"), text("name"))),
            "tool_result" => Some(format!(
                "user tool_result {} {}",
                text("id"),
                block["is_error"].as_bool().unwrap_or(false)
            )),
            kind => Some(format!("{} {kind}", text("role"))),
        }
    };
    blocks.as_array().unwrap().iter().filter_map(line).collect()
}

/// Returns the first `count` lines of a file.
fn first_lines(path: &Path, count: usize) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    bytes.split_inclusive(|byte| *byte == b'\n').take(count).flatten().copied().collect()
}

/// A case that names a later line than the one at which its request was made: the real program,
/// given these 68 lines, sends four blocks more (as it does for 67), and these at line 62.
const NAMED_TOO_LATE: (&str, usize, usize) = ("2.1.330/tools/sent.json", 68, 62);

#[test]
fn the_live_view_is_what_the_real_program_sent() {
    let Some(real) = crate::data::folder("real/claude") else { return };
    let (mut cases, mut failed) = (0, String::new());
    for sent in crate::data::files(&real).iter().filter(|path| path.ends_with("sent.json")) {
        let list: Value = serde_json::from_slice(&std::fs::read(sent).unwrap()).unwrap();
        for case in list.as_array().unwrap() {
            cases += 1;
            let mut line = usize::try_from(case["line"].as_u64().unwrap()).unwrap();
            if sent.ends_with(NAMED_TOO_LATE.0) && line == NAMED_TOO_LATE.1 {
                line = NAMED_TOO_LATE.2;
            }
            let file = sent.with_file_name("").join(case["file"].as_str().unwrap());
            let got = live_blocks(&first_lines(&file, line));
            let want = wanted(&case["blocks"]);
            if got != want {
                writeln!(failed, "{} line {line}\n got  {got:#?}\n want {want:#?}", sent.display())
                    .unwrap();
            }
        }
    }
    assert_eq!(cases, 124);
    assert!(failed.is_empty(), "{failed}");
}
