//! The check of a native file knows every defect that stops the harness.

use std::fs;

use segue::harness::Severity;
use segue::jsonl::Input;

use super::{findings, utf8, writer};

const HEAD: &str = r#"{"sessionId":"aaaaaaaa-0000-4000-8000-00000000beef","projectHash":"x"}"#;
const USER: &str = r#"{"id":"m1","type":"user","content":"hello"}"#;

fn rules(lines: &[&str]) -> Vec<&'static str> {
    findings(format!("{}\n", lines.join("\n")).as_bytes())
}

/// A message with one call, whose result is `result`.
fn called(args: &str, result: &str) -> String {
    format!(
        r#"{{"id":"m2","type":"gemini","content":"","toolCalls":[{{"id":"glob__c1","name":"glob","args":{args},"result":{result}}}]}}"#
    )
}

const RESULT: &str =
    r#"[{"functionResponse":{"id":"c1","name":"glob","response":{"output":"x"}}}]"#;

#[test]
fn what_stops_the_whole_file_is_an_error() {
    let head = |more: &str| HEAD.replace("\"x\"", &format!("\"x\",{more}"));
    let side = head("\"kind\":\"subagent\"");
    let with_id = head("\"id\":\"h\"");
    let marked = format!("\u{feff}{HEAD}");
    let slash = r#"{"id":"m1","type":"user","content":[{"text":" /quit"}]}"#;
    let cases: [(&[&str], &[&str]); 7] = [
        (&[HEAD, USER], &[]),
        (&[USER, HEAD], &[]),
        (&[USER], &["no_header"]),
        (&[&with_id, USER], &["no_header", "header_with_id"]),
        (&[&marked, USER], &["byte_order_mark", "no_header", "broken_line"]),
        (&[&side, USER], &[]),
        (&[HEAD, slash], &["nothing_to_resume", "command_text"]),
    ];
    for (lines, want) in cases {
        let mut found = rules(lines);
        found.retain(|rule| *rule != "sub_agent");
        assert_eq!(found, want, "{lines:?}");
    }
}

#[test]
fn a_side_session_among_the_others_is_deleted() {
    let home = tempfile::tempdir().unwrap();
    let chats = home.path().join("chats");
    fs::create_dir_all(chats.join("parent")).unwrap();
    let text = format!("{}\n{USER}\n", HEAD.replace("\"x\"", "\"x\",\"kind\":\"subagent\""));
    let severity = |place: &str| {
        let path = chats.join(place);
        fs::write(&path, &text).unwrap();
        let findings = writer().check(&Input::file(utf8(&path)).unwrap()).unwrap();
        findings.iter().find(|finding| finding.rule == "sub_agent").unwrap().severity
    };
    assert_eq!(severity("session-2026-01-01T00-00-0000beef.jsonl"), Severity::Error);
    assert_eq!(severity("parent/41cf1cc8.jsonl"), Severity::Info);
}

#[test]
fn the_name_says_whether_it_is_listed_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let chats = home.path().join("chats");
    fs::create_dir_all(&chats).unwrap();
    let found = |name: &str| -> Vec<&str> {
        let path = chats.join(name);
        fs::write(&path, format!("{HEAD}\n{USER}\n")).unwrap();
        let findings = writer().check(&Input::file(utf8(&path)).unwrap()).unwrap();
        findings.iter().map(|finding| finding.rule).collect()
    };
    assert_eq!(found("session-2026-01-01T00-00-0000beef.jsonl"), [""; 0]);
    assert_eq!(found("session-2026-01-01T00-00-aaaaaaaa.jsonl"), ["named_by_id_start"]);
    assert_eq!(found("mine.jsonl"), ["file_name"]);
}

#[test]
fn what_would_be_lost_or_refused_is_found() {
    let fine = called("{}", RESULT);
    let again = r#"{"id":"m3","type":"user","content":[{"functionResponse":{"id":"c1","name":"glob","response":{}}}]}"#;
    let orphan = again.replace("c1", "c9");
    let no_id = r#"{"type":"user","content":"hi"}"#;
    let rewind = r#"{"$rewindTo":"nowhere"}"#;
    let slash = r#"{"id":"m3","type":"user","content":"/quit"}"#;
    let [null, empty, none] = ["null", "\"\"", "[]"].map(|result| called("{}", result));
    let text = called("\"text\"", RESULT);
    let named = fine.replace("glob", "find it");
    let cases: [(&[&str], &[&str]); 13] = [
        (&[HEAD, USER, &fine], &[]),
        (&[HEAD, USER, &named], &["tool_name"]),
        (&[HEAD, USER, &null], &["call_without_result"]),
        (&[HEAD, USER, &empty], &["call_without_result"]),
        (&[HEAD, USER, &none], &["call_without_result"]),
        (&[HEAD, USER, &fine, again], &["repeated_result"]),
        (&[HEAD, USER, &orphan], &["orphan_result"]),
        (&[HEAD, USER, &text], &["arguments"]),
        (&[HEAD, USER, no_id], &["message_without_id"]),
        (&[HEAD, USER, rewind, &fine], &["unknown_rewind"]),
        (&[HEAD, USER, slash], &["command_text"]),
        (&[HEAD, "{\"id\": \u{0}", USER], &["broken_line"]),
        (&[HEAD, USER, &null, &fine], &[]),
    ];
    for (lines, want) in cases {
        assert_eq!(rules(lines), want, "{lines:?}");
    }
    assert_eq!(findings(format!("{HEAD}\n{USER}").as_bytes()), ["no_newline_at_end"]);
    assert_eq!(findings(format!("{HEAD}\n{USER}\n{{\"id\":").as_bytes()), ["cut_off_line"]);
}

#[test]
fn a_new_list_of_messages_replaces_the_old_one() {
    let null = called("{}", "null");
    let set = format!(r#"{{"$set":{{"messages":[{USER}],"lastUpdated":"2026-01-01T00:00:00Z"}}}}"#);
    assert_eq!(rules(&[HEAD, &null, &set]), ["kept_until"]);
    let back = r#"{"$rewindTo":"m2"}"#;
    assert_eq!(rules(&[HEAD, USER, &null, back]), [""; 0]);
}

#[test]
fn a_document_is_one_too() {
    let text = format!("{{\n \"sessionId\": \"a\",\n \"messages\": [\n{USER}\n]\n}}\n");
    assert_eq!(findings(text.as_bytes()), [""; 0]);
    assert_eq!(findings(b"[1,2]\n"), ["no_header", "nothing_to_resume"]);
    assert_eq!(findings(b""), ["no_header", "nothing_to_resume"]);
    // One that cannot be read is told as that, not line by line.
    for broken in [&text.as_bytes()[..text.len() - 5], &[0xff; 5000]] {
        assert_eq!(findings(broken), ["broken_document"]);
    }
}

#[test]
fn recorded_files_have_only_what_the_harness_does_itself() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/gemini"));
    let rules = |name: &str| {
        let path = root.join(name);
        let findings = writer().check(&Input::file(utf8(&path)).unwrap()).unwrap();
        let mut rules: Vec<_> = findings.iter().map(|finding| finding.rule).collect();
        rules.dedup();
        rules.join(" ")
    };
    let cases = [
        (
            "0.20.2/merged-turns/chats/session-2026-11-21T20-44-9ef629bc.json",
            "named_by_id_start kept_until",
        ),
        (
            "0.61.0/compaction/chats/session-2026-11-21T20-25-5bf4a297.jsonl",
            "named_by_id_start kept_until",
        ),
        (
            "0.61.0/tools/chats/session-2026-11-21T20-24-c20e3001.jsonl",
            "named_by_id_start repeated_result kept_until",
        ),
        (
            "0.61.0/stub/chats/session-2026-11-21T20-43-980e144f.jsonl",
            "nothing_to_resume named_by_id_start kept_until",
        ),
        (
            "0.61.0/sub-agent/chats/6614a8f5-c7e1-4574-995e-efd0fab34898/\
             41cf1cc8-f897-45ee-82a3-19bb7c178cc2.jsonl",
            "repeated_result sub_agent kept_until",
        ),
    ];
    for (name, want) in cases {
        assert_eq!(rules(name), want, "{name}");
    }
}
