//! What `segue convert` and `segue check` say and leave behind, as a user sees it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::corpus::sessions;
use crate::program::{Call, Said};

const TARGETS: [&str; 3] = ["claude", "codex", "gemini"];
const REMOTE: &str = "fixtures/codex/0.169.0/compaction-remote.jsonl";

/// Lines of a session of Claude Code, each the parent of the next; `cwd` in each if there is one.
pub(crate) fn claude(cwd: Option<&str>, lines: &[Value]) -> String {
    let mut text = String::new();
    let mut parent = Value::Null;
    for (place, line) in lines.iter().enumerate() {
        let uuid = format!("aa11bb22-0000-4000-8000-{place:012}");
        let mut whole = json!({
            "parentUuid": parent, "isSidechain": false, "uuid": uuid,
            "sessionId": "aa11bb22-4444-4ddd-8ddd-00000000000f", "version": "2.1.330",
            "timestamp": format!("2026-01-02T03:04:{:02}.000Z", place % 60),
        });
        if let Some(cwd) = cwd {
            whole["cwd"] = cwd.into();
        }
        for (key, value) in line.as_object().unwrap() {
            whole[key] = value.clone();
        }
        text += &format!("{whole}\n");
        parent = uuid.into();
    }
    text
}

pub(crate) fn user(content: impl Into<Value>) -> Value {
    json!({ "type": "user", "message": { "role": "user", "content": content.into() } })
}

pub(crate) fn model(content: &Value) -> Value {
    json!({ "type": "assistant", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x",
        "content": content, "stop_reason": "end_turn",
        "usage": { "input_tokens": 1, "output_tokens": 1 },
    } })
}

/// A folder with a session in it, and a home with the folders of all harnesses.
struct Place(tempfile::TempDir);

impl Place {
    fn with(session: &[u8]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("in.jsonl"), session).unwrap();
        for name in TARGETS {
            fs::create_dir(place.path(&format!(".{name}"))).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn call(&self, args: &[&str]) -> Said {
        Call::new("nobody", args).env("HOME", self.0.path().to_str().unwrap()).run()
    }

    /// Converts the session into the file `out`.
    fn convert(&self, to: &str, more: &[&str]) -> Said {
        let (from, out) = (self.path("in.jsonl"), self.path("out"));
        let _ = fs::remove_file(&out);
        self.call(&[&["convert", &from, "--to", to, "--out", &out], more].concat())
    }

    fn written(&self) -> String {
        fs::read_to_string(self.path("out")).unwrap()
    }

    fn files(&self) -> usize {
        crate::data::files(self.0.path()).len()
    }
}

fn losses(place: &Place, to: &str) -> Vec<(String, u64)> {
    let report = place.path("report.json");
    let said = place.convert(to, &["--report", &report]);
    assert_eq!(said.code, 0, "{to}: {}", said.stderr);
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    let list = report["losses"].as_array().unwrap().iter();
    list.map(|loss| (loss["kind"].as_str().unwrap().to_owned(), loss["count"].as_u64().unwrap()))
        .collect()
}

#[test]
fn what_has_nothing_to_go_on_with_is_refused() {
    let mut caveat = user("<local-command-caveat>Caveat: local commands.</local-command-caveat>");
    caveat["isMeta"] = true.into();
    let typed =
        user("<command-name>/model</command-name>\n<command-message>model</command-message>");
    let blank = user("  ");
    let place = Place::with(claude(Some("/w"), &[caveat, typed, blank]).as_bytes());
    let from = place.path("in.jsonl");
    for to in TARGETS {
        let installed = ["convert", &from, "--to", to, "--install"];
        let planned = ["convert", &from, "--to", to, "--dry-run"];
        for said in [place.convert(to, &[]), place.call(&installed), place.call(&planned)] {
            assert_eq!((said.code, said.stdout.as_str()), (3, ""), "{to}: {}", said.stderr);
            assert!(said.stderr.contains("has nothing to go on with"), "{}", said.stderr);
        }
        assert_eq!(place.files(), 1, "{to} left something behind");
    }
}

#[test]
fn a_session_that_would_be_cleaned_up_says_so() {
    let place = Place::with(claude(Some("/w"), &[user("sort the words")]).as_bytes());
    for to in TARGETS {
        let hint = "deletes sessions that ended more than 30 days ago";
        assert_eq!(place.convert(to, &[]).stderr.contains(hint), to == "gemini", "{to}");
        let from = place.path("in.jsonl");
        let installed = place.call(&["convert", &from, "--to", to, "--install"]);
        assert_eq!(installed.code, 0, "{}", installed.stderr);
        assert!(!installed.stderr.contains(hint), "{to}");
    }
}

/// Lines of a session of Codex CLI.
fn codex(payloads: &[Value]) -> String {
    let meta = json!({
        "id": "01a1ffd7-0000-7000-8000-00000000000f", "timestamp": "2026-01-02T03:04:00.000Z",
        "cwd": "/w", "originator": "x", "cli_version": "0.169.0", "source": "cli",
    });
    let line = |kind: &str, payload: &Value| {
        let line =
            json!({ "timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload });
        format!("{line}\n")
    };
    let items = payloads.iter().map(|payload| line("response_item", payload));
    line("session_meta", &meta) + &items.collect::<String>()
}

fn said(role: &str, text: &str) -> Value {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] })
}

#[test]
fn a_call_that_never_has_a_result_is_not_interrupted() {
    let search = json!({
        "type": "web_search_call", "id": "ws_1", "status": "completed",
        "action": { "type": "search", "query": "rust uuid" },
    });
    let items = [said("user", "look it up"), search, said("assistant", "found")];
    let place = Place::with(codex(&items).as_bytes());
    assert!(losses(&place, "codex").iter().all(|(kind, _)| kind != "open_call"));
    let written = place.written();
    assert!(written.contains(r#""type":"web_search_call""#), "{written}");
    for word in ["interrupted", "does not keep", "_output\""] {
        assert!(!written.contains(word), "{word}: {written}");
    }
    for to in ["claude", "gemini"] {
        assert!(losses(&place, to).contains(&("open_call".to_owned(), 1)), "{to}");
        let written = place.written();
        assert!(written.contains("does not keep what this call gave back"), "{written}");
        assert!(!written.contains("interrupted"), "{written}");
    }
}

#[test]
fn words_that_follow_a_call_stay_behind_it() {
    let search = json!({
        "type": "web_search_call", "id": "ws_1", "status": "completed",
        "action": { "type": "search", "query": "rust uuid" },
    });
    let call = json!({
        "type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": "call_1",
    });
    let output = json!({ "type": "function_call_output", "call_id": "call_1", "output": "a.txt" });
    let items = [said("user", "look it up"), search, said("assistant", "found"), call, output];
    let place = Place::with(codex(&items).as_bytes());
    assert_eq!(place.convert("claude", &[]).code, 0);
    let written = place.written();
    let lines: Vec<Value> =
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let chain: Vec<_> = lines.iter().filter(|line| line["uuid"].is_string()).collect();
    let kinds: Vec<_> = chain[1..]
        .iter()
        .map(|line| line["message"]["content"][0]["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["tool_use", "tool_result", "text", "tool_use", "tool_result"]);
    assert_ne!(chain[1]["message"]["id"], chain[3]["message"]["id"]);
    assert_eq!(chain[3]["message"]["id"], chain[4]["message"]["id"]);
    assert!(chain.is_sorted_by_key(|line| line["timestamp"].to_string()), "{written}");
}

/// Returns the session whose compaction only its provider can read, with long turns behind it.
fn remote_and_long() -> String {
    let long = "every word counts ".repeat(4000);
    let more = [said("user", "and now the index"), said("assistant", &long), said("user", "go on")];
    let more = codex(&more);
    let (_, more) = more.split_once('\n').unwrap();
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(REMOTE)).unwrap() + more
}

#[test]
fn a_summary_for_the_provider_alone_stays_with_its_own_harness() {
    let place = Place::with(remote_and_long().as_bytes());
    assert_eq!(place.convert("codex", &[]).code, 0);
    let compacted = |written: &str| {
        let lines = written.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["type"] == "compacted").collect::<Vec<_>>()
    };
    let own = compacted(&place.written());
    assert!(own[0].to_string().contains("encrypted_content"), "{own:?}");
    assert!(!own[0].to_string().contains("<resume-pack"), "{own:?}");
    let asked = first_request(&fs::read_to_string(place.path("in.jsonl")).unwrap());
    for to in TARGETS {
        let said = place.convert(to, &["--max-tokens", "8000"]);
        assert_eq!(said.code, 0, "{to}: {}", said.stderr);
        assert!(said.stderr.contains("are folded into a pack"), "{to}: {}", said.stderr);
        let written = place.written();
        let pack = written.lines().rev().find(|line| line.contains("<resume-pack")).unwrap();
        assert!(pack.contains(&asked), "{to}: the pack does not know `{asked}`: {pack}");
    }
}

/// Returns the first words of a user that are not the harness's own.
fn first_request(lines: &str) -> String {
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let words = lines.filter(|line| line["payload"]["role"] == "user");
    let words =
        words.filter_map(|line| line["payload"]["content"][0]["text"].as_str().map(str::to_owned));
    let mut words = words.filter(|words| !words.starts_with(['<', '#']));
    words.next().unwrap().lines().next().unwrap().to_owned()
}

#[test]
fn what_was_exported_and_goes_home_keeps_what_its_harness_said() {
    for (source, to) in [
        ("fixtures/codex/0.145.0/tools-legacy.jsonl", "codex"),
        ("fixtures/claude/2.1.330/refused-and-answered.jsonl", "claude"),
    ] {
        let direct = Call::new("nobody", &["convert", source, "--to", to]).run().stdout;
        let texts = |written: &str| {
            let read = Call::new("nobody", &["export", "-", "--view", "live"]);
            let read = read.stdin(written.as_bytes()).run().stdout;
            let records = read.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let words = records.filter(|record| record["type"] == "message");
            let texts = |record: Value| {
                let parts = record["parts"].as_array().unwrap().iter();
                parts.map(|part| part["text"].to_string()).collect::<Vec<_>>().join(r"\n")
            };
            // One of the forms puts the parts of a message into one.
            words.map(texts).map(|text| text.replace('"', "")).collect::<Vec<_>>()
        };
        for form in ["ndjson", "atif"] {
            let exported = Call::new("nobody", &["export", source, "--to", form]).run().stdout;
            let made = Call::new("nobody", &["convert", "-", "--to", to]);
            let made = made.stdin(exported.as_bytes()).run();
            assert_eq!(made.code, 0, "{form}: {}", made.stderr);
            assert_eq!(texts(&made.stdout), texts(&direct), "{source} by {form}");
        }
    }
}

#[test]
fn what_the_target_has_no_place_for_is_counted() {
    let mut answer = model(&json!([{ "type": "text", "text": "sorted" }]));
    answer["message"]["usage"]["cache_creation_input_tokens"] = 7.into();
    let boundary = json!({
        "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
        "compactMetadata": { "trigger": "manual", "preTokens": 90_000 },
    });
    let mut summary = user("This session is being continued. Summary: words are sorted.");
    summary["isCompactSummary"] = true.into();
    let lines = [user("sort"), boundary, summary, user("and now?"), answer];
    let place = Place::with(claude(Some("/w"), &lines).as_bytes());
    let of = |to| losses(&place, to).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
    let has = |list: &[String], kind: &str| list.iter().any(|one| one == kind);
    let (own, codex, gemini) = (of("claude"), of("codex"), of("gemini"));
    for kind in ["cache_write", "compaction_facts", "model"] {
        assert!(!has(&own, kind), "{kind} in {own:?}");
    }
    assert!(has(&codex, "compaction_facts") && has(&codex, "model"), "{codex:?}");
    assert!(has(&gemini, "compaction_facts") && has(&gemini, "cache_write"), "{gemini:?}");
}

#[test]
fn that_a_pack_stands_for_a_summary_is_told() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "content": "Compacted"});
    let answer = model(&json!([{ "type": "text", "text": "sorted" }]));
    let lines = [user("sort"), answer.clone(), boundary, user("and now?"), answer];
    let place = Place::with(claude(Some("/w"), &lines).as_bytes());
    let has = |to| losses(&place, to).iter().any(|(kind, _)| kind == "summary_made");
    assert!(has("codex") && has("gemini"));
    assert!(!has("claude"), "there it stays as it is");
}

#[test]
fn a_foreign_model_and_an_output_beside_the_source_are_counted() {
    let place = Place::with(b"");
    let kinds = |session: &str, to: &str| {
        let report = place.path("report.json");
        let said = place.call(&["convert", session, "--to", to, "--report", &report]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
        let list = report["losses"].as_array().unwrap().clone();
        list.iter().map(|loss| loss["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let model = kinds(
        "fixtures/gemini/0.61.0/tools/chats/session-2026-11-21T20-24-c20e3001.jsonl",
        "claude",
    );
    assert!(model.iter().any(|kind| kind == "model"), "{model:?}");
}

#[test]
fn hostile_sessions_are_written_whole_or_refused() {
    let call =
        json!([{ "type": "tool_use", "id": "a/../b", "name": "x".repeat(10_000), "input": {} }]);
    let image = json!([{ "type": "image", "source": {
        "type": "base64", "media_type": "image/png", "data": "not base64" } }]);
    let many = [
        user("a\u{0}b \" ' \\ \u{202e}"),
        user(""),
        user(image),
        model(&call),
        model(&json!([{ "type": "text", "text": "" }])),
    ];
    let lone = claude(Some("/w"), &[user("MARK")]).replace("MARK", r"\ud800 alone");
    let calls_only = claude(Some("/w"), &[model(&call)]);
    let mut inputs = vec![lone, calls_only, claude(None, &many)];
    let cwds = ["/w/../../etc", "/w/\u{0}nul", "/w/'; rm -rf x '", "", "relative", "/"];
    inputs.extend(cwds.map(|cwd| claude(Some(cwd), &many)));
    inputs.push(claude(Some(&format!("/{}", "n".repeat(10_000))), &many));
    for (number, input) in inputs.iter().enumerate() {
        let place = Place::with(input.as_bytes());
        for to in TARGETS {
            let told = place.convert(to, &[]);
            assert!([0, 2, 3].contains(&told.code), "{number} {to}: {}", told.stderr);
            assert_eq!(told.code == 0, Path::new(&place.path("out")).exists(), "{number} {to}");
            let from = place.path("in.jsonl");
            let installed = place.call(&["convert", &from, "--to", to, "--install"]);
            assert!([0, 2, 3, 4].contains(&installed.code), "{number} {to}: {}", installed.stderr);
            assert!(!installed.stderr.contains("panicked"), "{number} {to}: {}", installed.stderr);
            assert!(!installed.stdout.contains('\0'), "{number} {to}");
            let is_part = |path: &std::path::PathBuf| path.to_string_lossy().contains(".segue-");
            assert!(!crate::data::files(place.0.path()).iter().any(is_part), "{number} {to}");
            let made = place.call(&["check", &place.path("out"), "--as", to, "--json"]);
            let made: Value = serde_json::from_str(&made.stdout).unwrap_or_default();
            let errors = made["findings"].as_array().cloned().unwrap_or_default();
            let is_bad =
                |one: &&Value| one["severity"] == "error" && one["rule"] != "name_is_no_uuid";
            assert!(errors.iter().find(is_bad).is_none(), "{number} {to}: {errors:?}");
        }
    }
}

#[test]
fn findings_fit_their_schema() {
    let printed = Call::new("nobody", &["schema", "check"]).run().stdout;
    let schema: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(crate::schema::bare_fields(&schema), Vec::<String>::new());
    let schema = jsonschema::validator_for(&schema).unwrap();
    let fixtures = sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    let mut findings = 0;
    for path in &fixtures {
        let path = path.to_str().unwrap();
        for to in TARGETS {
            let said = Call::new("nobody", &["check", path, "--as", to, "--json"]).run();
            let Ok(report) = serde_json::from_str::<Value>(&said.stdout) else {
                assert!([2, 3].contains(&said.code), "{path}: {}", said.stderr);
                continue;
            };
            let fits = schema.validate(&report).map_err(|error| error.to_string());
            assert_eq!(fits, Ok(()), "{path} as {to}");
            assert_eq!(report["resumable"] == true, said.code == 0, "{path} as {to}");
            findings += report["findings"].as_array().unwrap().len();
        }
    }
    assert!(findings > 20, "only {findings} findings");
}

#[test]
fn very_many_calls_with_one_id_are_carried_each_with_its_own() {
    let line = |at: usize, role: &str, content: Value| {
        let message = json!({"id": format!("m{at}"), "role": role, "content": content});
        let parent = at.checked_sub(1).map(|parent| format!("u{parent}"));
        json!({"type": role, "uuid": format!("u{at}"), "parentUuid": parent, "sessionId": "s",
            "cwd": "/x", "timestamp": "2026-01-01T00:00:00Z", "message": message})
        .to_string()
    };
    let call =
        json!([{"type": "tool_use", "id": "same", "name": "Bash", "input": {"command": "ls"}}]);
    let mut lines = vec![line(0, "user", json!("go"))];
    lines.extend((1..=10_000).map(|at| line(at, "assistant", call.clone())));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let said = Call::new("nobody", &["convert", path.to_str().unwrap(), "--to", "codex"]).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    let calls = said.stdout.lines().filter(|line| line.contains("\"function_call\""));
    let ids: std::collections::HashSet<_> =
        calls.map(|line| line.split("\"call_id\":\"").nth(1).unwrap().split('"').next()).collect();
    assert_eq!(ids.len(), 10_000);
}
