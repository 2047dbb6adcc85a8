//! The ways in which such programs fail: each has a test, and those that have no other place are here.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::convert_run::{claude, model, user};
use crate::corpus::sessions;
use crate::program::Call;

const README: &str = include_str!("../README.md");
const TARGETS: [&str; 3] = ["claude", "codex", "gemini"];
const TOOLS: &str = "fixtures/codex/0.145.0/tools-legacy.jsonl";
/// What one argument of a program may hold on Linux, in bytes.
const ARGUMENT_BYTES: usize = 128 * 1024;

/// Tells whether the module at the start of `name` has the test at its end.
fn is_there(name: &str) -> bool {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let Some((module, test)) = name.rsplit_once("::") else { return false };
    let file = suite.join(module.replace("::", "/")).with_extension("rs");
    let text = fs::read_to_string(file).unwrap_or_default();
    text.contains(&format!("#[test]\nfn {test}()"))
}

#[test]
fn every_way_to_fail_has_its_tests() {
    let rows: Vec<_> = README.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(rows.len(), 32);
    for (number, row) in (1..).zip(rows) {
        let cells: Vec<_> = row.split(" | ").collect();
        assert_eq!(cells[0], format!("| {number}"), "{row}");
        let names: Vec<_> = cells[2].split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{row}");
        for name in names {
            assert!(is_there(name), "there is no test `{name}`");
        }
    }
}

fn converted(input: &[u8], to: &str) -> String {
    let said = Call::new("nobody", &["convert", "-", "--to", to]).stdin(input).run();
    assert_eq!(said.code, 0, "{to}: {}", said.stderr);
    said.stdout
}

#[test]
fn an_answer_has_all_fields_that_the_program_reads() {
    let source = fs::read(TOOLS).unwrap();
    let text = converted(&source, "claude");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let chain: Vec<_> = lines.filter(|line| line["uuid"].is_string()).collect();
    for line in &chain {
        for key in ["sessionId", "version", "cwd", "timestamp", "userType", "type"] {
            assert!(line[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {line}");
        }
        assert_eq!(line["isSidechain"], false);
        assert!(line.get("toolUseResult").is_none(), "{line}");
    }
    let answers: Vec<_> = chain.iter().filter(|line| line["type"] == "assistant").collect();
    assert!(answers.len() > 3);
    for message in answers.iter().map(|line| &line["message"]) {
        assert!(message["id"].as_str().unwrap().starts_with("msg_"), "{message}");
        assert_eq!((&message["type"], &message["role"]), (&json!("message"), &json!("assistant")));
        assert!(message["model"].is_string() && message["stop_reason"].is_string(), "{message}");
        assert!(message["usage"]["input_tokens"].is_u64(), "{message}");
        assert!(message["usage"]["output_tokens"].is_u64(), "{message}");
    }
}

#[test]
fn what_is_written_ends_in_a_line_end() {
    let source = fs::read(TOOLS).unwrap();
    // One that is cut off as well.
    for input in [&source[..], &source[..source.len() - 40]] {
        for to in TARGETS {
            assert!(converted(input, to).ends_with("}\n"), "{to}");
        }
    }
}

#[test]
fn two_records_on_one_line_are_both_read() {
    let lines = claude(
        Some("/w"),
        &[user("sort the words"), model(&json!([{"type": "text", "text": "sorted"}]))],
    );
    let glued = lines.replacen("}\n{", "}{", 1);
    assert_eq!(glued.lines().count(), 1);
    let said =
        Call::new("nobody", &["export", "-", "--view", "live"]).stdin(glued.as_bytes()).run();
    assert!(said.stdout.contains("sort the words"), "{}", said.stdout);
    assert!(said.stdout.contains("\"sorted\""), "{}", said.stdout);
}

#[test]
fn a_session_without_a_folder_goes_on_where_the_user_is() {
    let input = claude(None, &[user("sort the words")]);
    let here = env!("CARGO_MANIFEST_DIR");
    for to in TARGETS {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join(format!(".{to}"))).unwrap();
        let call = Call::new("nobody", &["convert", "-", "--to", to, "--install"]);
        let said = call.env("HOME", home.path().to_str().unwrap()).stdin(input.as_bytes()).run();
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stdout.starts_with("cd ") && said.stdout.contains(here), "{}", said.stdout);
        let listed = Call::new("nobody", &["list", "--json", "--project", here]);
        let listed = listed.env("HOME", home.path().to_str().unwrap()).run();
        assert_eq!(listed.stdout.lines().count(), 1, "{to}: {}", listed.stderr);
    }
}

#[test]
fn a_line_of_many_megabytes_is_checked() {
    let long = "one two ".repeat(1 << 20);
    let source = claude(Some("/w"), &[user(long.as_str())]);
    for to in TARGETS {
        let text = converted(source.as_bytes(), to);
        assert!(text.len() > long.len());
        let said = Call::new("nobody", &["check", "-", "--as", to]).stdin(text.as_bytes()).run();
        assert_eq!(said.code, 0, "{to}: {}", said.stdout);
    }
}

#[test]
fn a_pack_fits_one_argument() {
    let fixtures = sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    for path in fixtures {
        let said = Call::new("nobody", &["pack", "--no-check", path.to_str().unwrap()]).run();
        assert!(said.stdout.len() < ARGUMENT_BYTES, "{}: {}", path.display(), said.stdout.len());
    }
    let many: Vec<_> = (0..40).map(|_| user("\u{10348}\u{fffd}\u{1f9ea} ".repeat(4000))).collect();
    let input = claude(Some("/w"), &many);
    let said = Call::new("nobody", &["pack", "-"]).stdin(input.as_bytes()).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.len() < ARGUMENT_BYTES, "{}", said.stdout.len());
}
