//! What `status --json` and `frame` print fits its published schema, and the frame of files.

use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::corpus::{complaints, sessions};
use crate::data;
use crate::program::Call;
use crate::schema::bare_fields;

/// The commands, each with its schema.
const PRINTED: [(&[&str], &str); 2] = [
    (&["status", "--json"], include_str!("../../schemas/status-1.schema.json")),
    (&["frame"], include_str!("../../schemas/frame-1.schema.json")),
];
/// The largest session of the large data that is looked at, in bytes.
const MOST_BYTES: u64 = 250_000;

fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Returns what does not fit of what the commands print of a session; nothing if it is none.
fn misfits(path: &Path) -> Vec<String> {
    let shown = path.to_str().unwrap();
    let misfit = |(command, text): &(&[&str], &str)| {
        let said = Call::new("nobody", &[*command, &[shown]].concat()).run();
        // The work may not be done.
        if said.code > 1 {
            return None;
        }
        let printed: Value = match serde_json::from_str(&said.stdout) {
            Ok(printed) => printed,
            Err(cause) => return Some(format!("{shown}: {command:?}: {cause}: {}", said.stderr)),
        };
        let validator: Validator = jsonschema::validator_for(&schema(text)).unwrap();
        let wrong = validator.iter_errors(&printed);
        let wrong: Vec<_> = wrong
            .map(|wrong| format!("{}: {:.200}", wrong.instance_path(), wrong.to_string()))
            .collect();
        (!wrong.is_empty()).then(|| format!("{shown}: {command:?}: {}", wrong.join("; ")))
    };
    PRINTED.iter().filter_map(misfit).collect()
}

#[test]
fn the_schemas_are_schemas_describe_every_field_and_are_printed() {
    for (name, (_, text)) in ["status", "frame"].iter().zip(PRINTED) {
        assert!(jsonschema::meta::is_valid(&schema(text)), "{name}");
        assert_eq!(bare_fields(&schema(text)), Vec::<String>::new(), "{name}");
        let said = Call::new("nobody", &["schema", name]).run();
        assert_eq!((said.code, said.stdout.as_str()), (0, text));
    }
}

#[test]
fn all_that_is_printed_fits() {
    let mut paths = sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    for name in ["real", "corpus"] {
        let more = data::folder(name).map(|folder| sessions(&folder)).unwrap_or_default();
        let small =
            |path: &std::path::PathBuf| path.metadata().is_ok_and(|meta| meta.len() <= MOST_BYTES);
        paths.extend(more.into_iter().filter(small));
    }
    assert!(paths.len() > 20, "{}", paths.len());
    let found = complaints(&paths, |_, path| misfits(path));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_schema_refuses_what_it_does_not_describe() {
    let said = Call::new("nobody", &["frame", "fixtures/demo/session.jsonl"]).run();
    let frame: Value = serde_json::from_str(&said.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema(PRINTED[1].1)).unwrap();
    assert!(validator.is_valid(&frame));
    for (name, value) in [("more", json!(1)), ("ts", json!(7)), ("task", json!({}))] {
        let mut other = frame.clone();
        other[name] = value;
        assert!(!validator.is_valid(&other), "{name}");
    }
}

#[test]
fn files_of_a_frame_have_lines_and_a_hash_where_they_are_known() {
    let line = |number: usize, kind: &str, content: Value| {
        let record = json!({
            "type": kind, "uuid": format!("u{number}"), "sessionId": "frame", "cwd": "/p",
            "parentUuid": number.checked_sub(1).map(|before| format!("u{before}")),
            "timestamp": format!("2026-01-02T03:04:{number:02}.000Z"), "version": "2.1.84",
            "message": {"role": kind, "content": content},
        });
        format!("{record}\n")
    };
    let mut text = line(0, "user", json!("go on"));
    let read = |offset: u64, limit: u64| json!({"file_path": "/p/read.rs", "offset": offset, "limit": limit});
    let calls = [
        ("Read", read(40, 10)),
        ("Read", read(50, 11)),
        ("Read", read(1, 5)),
        ("Write", json!({"file_path": "/p/whole.txt", "content": "one\ntwo\n"})),
        ("Write", json!({"file_path": "/p/part.txt", "content": "one\n"})),
        ("Edit", json!({"file_path": "/p/part.txt", "old_string": "one", "new_string": "two"})),
    ];
    for (at, (name, input)) in calls.iter().enumerate() {
        let id = format!("c{at}");
        let call = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": "ok"}]);
        text += &line(2 * at + 1, "assistant", call);
        text += &line(2 * at + 2, "user", result);
    }
    let said = Call::new("nobody", &["frame", "-"]).stdin(text.as_bytes()).run();
    let frame: Value = serde_json::from_str(&said.stdout).unwrap();
    let of = |path: &str| {
        let file = frame["artifacts"].as_array().unwrap().iter().find(|file| file["text"] == path);
        let file = file.unwrap_or_else(|| panic!("{frame}"));
        (file["spans"].clone(), file["sha256"].clone())
    };
    assert_eq!(of("read.rs"), (json!([[1, 5], [40, 60]]), Value::Null));
    // printf 'one\ntwo\n' | sha256sum
    let hash = "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8";
    assert_eq!(of("whole.txt"), (json!([[1, 2]]), json!(hash)));
    // The tool may not have changed just what the call says.
    assert_eq!(of("part.txt"), (json!([[1, 1]]), Value::Null));
}
