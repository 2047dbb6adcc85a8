//! `export --to trajectory`: equal to what another program makes of the same files, and valid.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::corpus::sessions;
use crate::data;
use crate::program::Call;

/// The harnesses of the other program that this one reads too.
const HARNESSES: [&str; 3] = ["claude-code", "codex", "gemini-cli"];

/// A difference that is kept on purpose.
struct Kept {
    case: &'static str,
    at: &'static str,
    ours: &'static str,
    _why: &'static str,
}

const KEPT: &[Kept] = &[
    Kept {
        case: "codex/cleanup",
        at: "/3/tool_calls/0/args",
        ours: "{\"input\":\"not-json\"}",
        _why: "a tool that takes free text has it under `input`; text that should have been an \
               object is carried in the same way, so that there is one place to look",
    },
    Kept {
        case: "gemini-cli/cleanup",
        at: "/2/timestamp",
        ours: "2026-01-04T00:00:02.000Z",
        _why: "the time beside a call is when it came back; it was asked with its message",
    },
    Kept {
        case: "gemini-cli/cleanup",
        at: "/3/content",
        ours: "file missing",
        _why: "`response` wraps the words of a failure under `error` as it wraps an output under \
               `output`, which the other program takes off too; `ok` says that it failed",
    },
    Kept {
        case: "gemini-cli/tool-calls",
        at: "/2/content",
        ours: "**Planning** read the overview first",
        _why: "subject and text of a thought as the model wrote them, the subject in bold",
    },
    Kept {
        case: "gemini-cli/tool-calls",
        at: "/4/timestamp",
        ours: "2026-01-03T00:00:02.000Z",
        _why: "the time beside a call is when it came back; it was asked with its message",
    },
];

fn exported(path: &Path, more: &[&str]) -> Value {
    let args = [&["export", "--to", "trajectory", path.to_str().unwrap()], more].concat();
    let said = Call::new("nobody", &args).run();
    assert_eq!(said.code, 0, "{}: {}", path.display(), said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the folders of the pairs: each has an `input.*` and an `expected.json`.
fn cases(oracle: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for harness in HARNESSES {
        for entry in std::fs::read_dir(oracle.join(harness)).unwrap() {
            let folder = entry.unwrap().path();
            let name = folder.file_name().unwrap().to_str().unwrap();
            found.push((format!("{harness}/{name}"), folder));
        }
    }
    found.sort();
    found
}

#[test]
fn is_what_another_program_makes_of_the_same_files() {
    let Some(oracle) = data::folder("oracle/trajectory-v1") else { return };
    let cases = cases(&oracle);
    assert!(cases.len() >= 7, "{cases:?}");
    for (name, folder) in cases {
        let input =
            data::files(&folder).into_iter().find(|path| path.file_stem().unwrap() == "input");
        let ours = exported(&input.unwrap(), &[]);
        // What it says beside the records, in words of its own, are notes here.
        let mut expected = json(&folder.join("expected.json"))["records"].take();
        for kept in KEPT.iter().filter(|kept| kept.case == name) {
            let theirs = expected.pointer_mut(kept.at).unwrap();
            assert_ne!(*theirs, json!(kept.ours), "{name}{}: no difference any more", kept.at);
            *theirs = json!(kept.ours);
        }
        assert_eq!(ours, expected, "{name}");
    }
}

#[test]
fn every_fixture_fits_the_schema_in_both_views() {
    let Some(folder) = data::folder("schemas") else { return };
    let schema = json(&folder.join("trajectory-v1.schema.json"));
    let validator: Validator = jsonschema::validator_for(&schema).unwrap();
    let mut count = 0;
    for path in sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")) {
        let read = Call::new("nobody", &["export", "-q", path.to_str().unwrap()]).run();
        if read.code != 0 {
            continue;
        }
        for view in ["live", "full"] {
            let ours = exported(&path, &["--view", view]);
            let wrong: Vec<_> = validator.iter_errors(&ours).map(|e| e.to_string()).collect();
            assert!(wrong.is_empty(), "{} {view}: {:.500}", path.display(), wrong.join("\n"));
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn a_compaction_is_a_system_record_and_its_summary_stands_once() {
    let path = Path::new("fixtures/claude/2.1.84/compaction.jsonl");
    let records = exported(path, &[]);
    let list = records.as_array().unwrap();
    let system: Vec<_> = list.iter().filter(|record| record["role"] == "system").collect();
    assert_eq!(system.len(), 1, "{records:#}");
    let summary = system[0]["content"].as_str().unwrap();
    let with_it = list.iter().filter(|record| {
        record["content"].as_str().is_some_and(|content| content.contains(summary))
    });
    assert_eq!(with_it.count(), 1);
}

#[test]
fn what_it_has_no_place_for_is_told() {
    let path = "fixtures/codex/0.169.0/multiturn.jsonl";
    let said = Call::new("nobody", &["export", "--to", "trajectory", "-v", path]).run();
    assert!(
        said.stderr.contains("left out what the form has no place for `usage`"),
        "{}",
        said.stderr
    );
    let said = Call::new("nobody", &["export", "--to", "trajectory", "--strict", path]).run();
    assert_eq!(said.code, 5);
}
