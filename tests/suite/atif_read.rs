//! ATIF documents can be read: our own, and those of other programs.

use std::path::{Path, PathBuf};

use segue::harness;
use segue::jsonl::Input;
use serde_json::{Value, json};

use crate::corpus::sessions;
use crate::data;
use crate::mutations;
use crate::program::{Call, Said};

fn segue(args: &[&str], stdin: &str) -> Said {
    Call::new("nobody", args).stdin(stdin.as_bytes()).run()
}

/// Returns each fixture that can be read, as an ATIF document.
fn documents(view: &str) -> Vec<(PathBuf, String)> {
    let fixtures = sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")).into_iter();
    let export = |path: PathBuf| {
        let args = ["export", "-q", "--to", "atif", "--blobs", "--view", view];
        let said = segue(&[&args[..], &[path.to_str().unwrap()]].concat(), "");
        (said.code == 0).then_some((path, said.stdout))
    };
    let found: Vec<_> = fixtures.filter_map(export).collect();
    assert!(found.len() > 30, "{}", found.len());
    found
}

fn records(ndjson: &str) -> Vec<Value> {
    ndjson.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_document_of_a_document_is_the_same() {
    for view in ["full", "live"] {
        for (path, first) in documents(view) {
            let first: Value = serde_json::from_str(&first).unwrap();
            if first["steps"] == json!([]) && first.get("subagent_trajectories").is_none() {
                continue;
            }
            let args = ["export", "--to", "atif", "--blobs", "--view", view, "-"];
            let again = segue(&args, &first.to_string());
            assert_eq!(again.code, 0, "{}: {}", path.display(), again.stderr);
            let again: Value = serde_json::from_str(&again.stdout).unwrap();
            for key in ["agent", "session_id", "extra", "steps", "subagent_trajectories"] {
                assert_eq!(again[key], first[key], "{}: {key}", path.display());
            }
        }
    }
}

#[test]
fn what_was_said_and_done_is_the_same_as_in_the_source() {
    for (path, document) in documents("live") {
        let ours = segue(&["export", "-q", "-"], &document).stdout;
        let source = segue(&["export", "-q", "--view", "live", path.to_str().unwrap()], "").stdout;
        let calls = |ndjson: &str| -> Vec<_> {
            let calls = records(ndjson).into_iter().filter(|record| record["type"] == "tool_call");
            calls
                .map(|call| (call["name"].clone(), call["kind"].clone(), call["call_id"].clone()))
                .collect()
        };
        assert_eq!(calls(&ours), calls(&source), "{}", path.display());
        let asked = |ndjson: &str| -> Vec<_> {
            let human = records(ndjson).into_iter().filter(|record| record["origin"] == "human");
            human.map(|message| (message["turn"].clone(), message["id"].clone())).collect()
        };
        assert_eq!(asked(&ours), asked(&source), "{}", path.display());
    }
}

#[test]
fn words_behind_a_call_of_one_answer_stay_behind_it() {
    let row = |count: u32, role: &str, content: Value| {
        json!({"parentUuid": (count > 0).then(|| format!("u{}", count - 1)), "isSidechain": false,
            "cwd": "/home/ada/tool", "sessionId": "00000001-0000-4000-8000-000000000000",
            "type": role, "message": {"id": "m1", "role": role, "content": content},
            "uuid": format!("u{count}"), "version": "2.1.330",
            "timestamp": format!("2026-01-02T10:00:{count:02}.000Z")})
    };
    let call = json!([{"type": "server_tool_use", "id": "t1", "name": "web_search", "input": {}}]);
    let found = json!([{"type": "web_search_tool_result", "tool_use_id": "t1", "content": []}]);
    let lines = [
        row(0, "user", json!("Which colour is it?")),
        row(1, "assistant", call),
        row(2, "assistant", found),
        row(3, "assistant", json!([{"type": "text", "text": "It is green."}])),
    ];
    let source: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let document = segue(&["export", "-q", "--to", "atif", "-"], &source).stdout;
    let kinds = |text: &str| -> Vec<_> {
        let all = records(&segue(&["export", "-q", "-"], text).stdout).into_iter();
        all.map(|record| record["type"].clone()).collect()
    };
    assert_eq!(kinds(&document), kinds(&source), "{document}");
    for text in [&source, &document] {
        let said = segue(&["status", "-q", "-"], text);
        assert_eq!((said.code, said.stdout.as_str()), (0, "done\n"), "{}", said.stderr);
    }
}

#[test]
fn a_pack_of_a_document_knows_the_goal_the_files_and_the_harness() {
    let document =
        segue(&["export", "-q", "--to", "atif", "fixtures/demo/session.jsonl"], "").stdout;
    let pack = |args: &[&str], stdin: &str| {
        let all =
            [&["pack", "--no-check", "--as-of", "2026-12-01", "--budget", "4000"], args].concat();
        let said = segue(&all, stdin);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stdout
    };
    let (ours, source) = (pack(&["-"], &document), pack(&["fixtures/demo/session.jsonl"], ""));
    let section = |pack: &str, name: &str| {
        let (_, rest) = pack.split_once(&format!("\n## {name}\n")).unwrap();
        rest.split("\n## ").next().unwrap().to_owned()
    };
    for name in ["Now", "Failing", "Files"] {
        assert_eq!(section(&ours, name), section(&source, name));
    }
    assert!(ours.contains("session=\"claude:5e90e000-0000\""), "{ours}");
}

#[test]
fn documents_of_another_program_are_read_with_their_calls_and_side_sessions() {
    let Some(folder) = data::folder("oracle/trajectory-v1/atif") else { return };
    let path = folder.join("tool-calls/input.json");
    let said = segue(&["export", path.to_str().unwrap()], "");
    assert_eq!(said.code, 0, "{}", said.stderr);
    let records = records(&said.stdout);
    assert_eq!(records[0]["harness"], "example-agent");
    assert_eq!(records[0]["title"], "Inspect the workspace.");
    let calls: Vec<_> = records.iter().filter(|record| record["type"] == "tool_call").collect();
    assert_eq!(calls[0]["kind"], "shell");
    assert_eq!(calls[0]["arguments"], json!({"command": "find . -maxdepth 1 -type f"}));
    let path = folder.join("cleanup/input.json");
    let said = segue(&["export", "-v", path.to_str().unwrap()], "");
    assert!(said.stdout.contains("\"session_id\":\"embedded-1\""), "{}", said.stdout);
    assert!(said.stdout.contains("\"arguments\":{\"input\":[\"fast\"]}"), "{}", said.stdout);
    assert!(said.stderr.contains("tool results without their call: 1"), "{}", said.stderr);
}

#[test]
fn a_time_without_a_zone_is_in_utc_and_what_is_no_time_is_noted() {
    let step = |number: u32, source: &str, time: &str| json!({"step_id": number, "source": source, "message": "go", "timestamp": time});
    let document = json!({
        "schema_version": "ATIF-v1.7", "session_id": "aa", "agent": {"name": "x", "version": "1"},
        "steps": [
            step(1, "user", "2026-11-21T20:23:27.686123"),
            step(2, "agent", "2026-11-21T20:23:28+01:00"),
            step(3, "agent", "2026-11-21 20:23:29"),
        ],
    });
    let said = segue(&["export", "-"], &document.to_string());
    let told = records(&said.stdout);
    let messages = told.iter().filter(|record| record["type"] == "message");
    let times: Vec<_> = messages.map(|message| message["ts"].as_str()).collect();
    assert_eq!(
        times,
        [Some("2026-11-21T20:23:27.686123Z"), Some("2026-11-21T20:23:28+01:00"), None]
    );
    assert!(told.last().unwrap()["notes"].to_string().contains("odd_time"), "{}", said.stdout);
}

#[test]
fn what_a_compaction_of_another_program_replaced_is_not_live() {
    let step = |number: u32, source: &str, message: &str| json!({"step_id": number, "source": source, "message": message});
    let mut compaction = step(3, "system", "We did much.");
    compaction["extra"] = json!({"context_management": {"type": "compaction"}});
    let document = json!({
        "schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"name": "x", "version": "1"},
        "steps": [step(1, "user", "go"), step(2, "agent", "ok"), compaction, step(4, "agent", "more")],
    });
    let said = segue(&["export", "--view", "live", "-"], &document.to_string());
    let records = records(&said.stdout);
    let kinds: Vec<_> = records.iter().map(|record| record["id"].as_str().unwrap_or("")).collect();
    assert_eq!(kinds, ["s", "step-3", "step-3/summary", "step-4", ""]);
    assert_eq!(records[1]["replaced_ids"], json!(["step-1", "step-2"]));
    assert_eq!(records[2]["origin"], "summary");
}

#[test]
fn very_many_compactions_are_read_in_linear_time() {
    let all: Vec<u32> = (1..3000).chain(1..3000).collect();
    let step = |number: u32| {
        let context = match number {
            // Some say what they replaced, twice; the rest nothing.
            2990.. => json!({"type": "compaction", "replaced_step_ids": all}),
            _ => json!({"type": "compaction"}),
        };
        let extra = json!({"context_management": context});
        json!({"step_id": number, "source": "system", "message": "so far", "extra": extra})
    };
    let document = json!({
        "schema_version": "ATIF-v1.7", "agent": {"name": "x", "version": "1"},
        "steps": (1..3000).map(step).collect::<Vec<_>>(),
    });
    let said = segue(&["export", "-q", "-"], &document.to_string());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let records = records(&said.stdout);
    let named = |record: &Value| record["replaced_ids"].as_array().map_or(0, Vec::len);
    // Each that says nothing names the one before it and its summary; the last all before it, once.
    assert_eq!(named(&records[2999]), 2);
    let most = records.iter().map(named).max();
    assert!(most > Some(5000) && most < Some(6000), "{most:?}");
}

#[test]
fn images_come_from_files_below_the_document_alone() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("in");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("out.png"), b"secret").unwrap();
    std::fs::write(inner.join("a.png"), b"image").unwrap();
    std::os::unix::fs::symlink("../out.png", inner.join("link.png")).unwrap();
    let image =
        |path: &str| json!({"type": "image", "source": {"media_type": "image/png", "path": path}});
    let outside = folder.path().join("out.png");
    let held = "data:image/png;base64,aW1hZ2U=";
    let paths = ["a.png", "../out.png", "link.png", outside.to_str().unwrap(), "gone.png", held];
    let document = json!({
        "schema_version": "ATIF-v1.7", "agent": {"name": "x", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": paths.map(image)}],
    });
    let path = inner.join("d.json");
    std::fs::write(&path, document.to_string()).unwrap();
    let said = segue(&["export", "--blobs", path.to_str().unwrap()], "");
    let parts = records(&said.stdout)[1]["parts"].clone();
    let data: Vec<_> = parts.as_array().unwrap().iter().map(|part| part["data"].as_str()).collect();
    assert_eq!(data, [Some("aW1hZ2U="), None, None, None, None, Some("aW1hZ2U=")]);
    let note = "note: could not read files beside the session: 4";
    assert!(said.stderr.contains(note), "{}", said.stderr);
    let without = segue(&["export", path.to_str().unwrap()], "").stderr;
    assert!(!without.contains("could not read"), "{without}");
}

#[test]
fn damaged_documents_are_read_without_a_panic() {
    let session = |(path, export): (PathBuf, String)| {
        let input = Input::memory("export", export.as_bytes());
        let harness = harness::recognise(&input).unwrap();
        assert_eq!(harness.name(), "atif", "{}", path.display());
        // A line a value, so that damage by lines does something too.
        let pretty: Value = serde_json::from_str(&export).unwrap();
        (harness, path, serde_json::to_vec_pretty(&pretty).unwrap())
    };
    let sessions: Vec<_> = documents("full").into_iter().map(session).collect();
    mutations::hold(&sessions);
}
