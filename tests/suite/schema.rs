//! The published schema describes every record, and nothing else fits it.

use std::collections::BTreeSet;
use std::path::Path;

use jsonschema::Validator;
use segue::harness::{self, Want};
use segue::jsonl::Input;
use serde_json::{Value, json};

use crate::corpus::{Records, sessions};

/// The published schema.
pub(crate) struct Schema {
    validator: Validator,
}

impl Schema {
    pub(crate) fn published() -> Self {
        Self { validator: jsonschema::validator_for(&text()).unwrap() }
    }

    /// Returns what is wrong with the first records of `ndjson` that do not fit.
    pub(crate) fn complaints(&self, ndjson: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        for line in ndjson.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(record) => found.extend(self.complaint(&record)),
                Err(cause) => found.push(format!("a line that is no JSON: {cause}")),
            }
            if found.len() > 2 {
                break;
            }
        }
        found
    }

    fn complaint(&self, record: &Value) -> Option<String> {
        if self.validator.is_valid(record) {
            return None;
        }
        let shown: String = record.to_string().chars().take(600).collect();
        Some(format!("does not fit the schema: {}\n  {shown}", reason(record)))
    }
}

fn text() -> Value {
    serde_json::from_str(include_str!("../../schemas/session-1.schema.json")).unwrap()
}

/// Returns why a record does not fit the one definition that its type names.
fn reason(record: &Value) -> String {
    let mut schema = text();
    let kind = record["type"].as_str().unwrap_or("?");
    schema["oneOf"] = json!([{ "$ref": format!("#/$defs/{kind}") }]);
    let Ok(validator) = jsonschema::validator_for(&schema) else { return format!("type {kind}") };
    let narrowed = validator.iter_errors(record).map(|error| format!("{:.500}", error.to_string()));
    narrowed.collect::<Vec<_>>().join("; ")
}

#[test]
fn is_itself_a_schema() {
    assert!(jsonschema::meta::is_valid(&text()));
}

#[test]
fn every_field_is_described() {
    let bare = bare_fields(&text());
    assert!(bare.is_empty(), "{bare:?}");
}

#[test]
fn the_table_of_weights_is_described_with_what_holds() {
    let schema: Value =
        serde_json::from_str(include_str!("../../schemas/weights-1.schema.json")).unwrap();
    assert!(jsonschema::meta::is_valid(&schema) && bare_fields(&schema).is_empty());
    let table = serde_json::to_value(segue::select::Weights::default()).unwrap();
    let described = schema["properties"].as_object().unwrap();
    let held: serde_json::Map<_, _> =
        described.iter().map(|(name, field)| (name.clone(), field["default"].clone())).collect();
    assert_eq!(Value::Object(held), table);
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&table));
}

/// Returns the fields of a schema that have no description.
pub(crate) fn bare_fields(schema: &Value) -> Vec<String> {
    fn walk(at: &str, value: &Value, bare: &mut Vec<String>) {
        let Value::Object(map) = value else { return };
        for (name, field) in map.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            if field.get("description").is_none() {
                bare.push(format!("{at}.{name}"));
            }
        }
        map.iter().for_each(|(name, value)| walk(&format!("{at}.{name}"), value, bare));
    }
    let mut bare = Vec::new();
    walk("", schema, &mut bare);
    bare
}

#[test]
fn refuses_what_it_does_not_describe() {
    let schema = Schema::published();
    let line = json!({"type": "line", "line": 1, "text": "x", "ended": true});
    assert_eq!(schema.complaint(&line), None);
    for (name, value) in [("more", json!(1)), ("base64", json!("eA==")), ("line", json!(0))] {
        let mut other = line.clone();
        other[name] = value;
        assert!(schema.complaint(&other).is_some(), "{other}");
    }
    assert!(schema.complaint(&json!({"type": "never-seen"})).is_some());
}

#[test]
fn describes_every_record_of_the_fixtures() {
    let schema = Schema::published();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut read = 0;
    for path in sessions(&fixtures) {
        let input = Input::file(camino::Utf8Path::from_path(&path).unwrap()).unwrap();
        let Ok(harness) = harness::recognise(&input) else { continue };
        let want = Want {
            actions: false,
            bare: false,
            blobs: segue::model::Blobs::Carried,
            raw_lines: true,
            places: true,
            live_only: false,
            native: true,
        };
        let mut sink = Records::new(false);
        let Ok(end) = harness.read(&input, want, &mut sink) else { continue };
        read += 1;
        let found = schema.complaints(&sink.ndjson.end(&end).unwrap());
        assert!(found.is_empty(), "{}: {}", path.display(), found.join("\n"));
    }
    assert!(read > 0, "no fixture could be read");
}

/// Returns the source files below a folder, but those that read memories.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !matches!(name, "memory" | "hermes") {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_note_that_a_reader_adds_is_described() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut texts = vec![std::fs::read_to_string(src.join("jsonl.rs")).unwrap()];
    sources(&src.join("harness"), &mut texts);
    sources(&src.join("jsonl"), &mut texts);
    let is_name = |byte: char| byte.is_ascii_alphanumeric();
    let named = texts.iter().flat_map(|text| text.split("NoteKind::").skip(1));
    let names = named.map(|rest| rest.split(|byte| !is_name(byte)).next().unwrap());
    let used: BTreeSet<String> = names.map(snake).collect();
    let schema = text();
    let listed = schema["$defs"]["note"]["properties"]["kind"]["enum"].as_array().unwrap();
    let listed = listed.iter().map(|kind| kind.as_str().unwrap().to_owned());
    assert_eq!(used, listed.collect());
}

/// Returns the name of a kind as it stands in JSON.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for sign in name.chars() {
        if sign.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(sign.to_ascii_lowercase());
    }
    snake
}
