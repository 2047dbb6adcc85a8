//! The list of sessions that Codex has taken over from another program.
//!
//! It offers to take over what is not in it, so a session that was converted is entered here.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value, json};

use crate::harness::{Imported, Target};

/// Where it stands in the home.
const NAME: &str = "external_agent_session_imports.json";

/// Returns the file of the list.
pub(super) fn path(home: &Utf8Path) -> Utf8PathBuf {
    home.join(NAME)
}

/// Returns the list with `source` entered as `target`; nothing if it is in it, or if `old` is no
/// such list.
///
/// Codex compares path, time and digest of the source, so that one that has grown is offered again.
pub(super) fn entered(old: &str, source: &Imported, target: &Target) -> Option<String> {
    let mut list: Map<String, Value> = match old.trim() {
        "" => Map::new(),
        text => serde_json::from_str(text).ok()?,
    };
    let records = list.entry("records").or_insert_with(|| json!([])).as_array_mut()?;
    let is_same = |record: &Value| {
        record["source_path"] == source.path.as_str()
            && record["content_sha256"] == source.content_sha256.as_str()
    };
    if records.iter().any(is_same) {
        return None;
    }
    records.push(json!({
        "source_path": source.path.as_str(),
        "content_sha256": source.content_sha256,
        "imported_thread_id": target.id,
        "imported_at": source.now_s,
        "source_modified_at": source.modified_ns,
        "connector_names": [],
        "title": source.title,
    }));
    let mut text = serde_json::to_string_pretty(&list).ok()?;
    text.push('\n');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_entered_once_and_others_stay() {
        let source = Imported {
            path: "/home/ada/a.jsonl".into(),
            content_sha256: "00ff".to_owned(),
            modified_ns: 1_700_000_000_000_000_001,
            now_s: 1_700_000_100,
            title: Some("Mend it".to_owned()),
        };
        let target = Target {
            id: "01990000-0000-7000-8000-0000000000c0".to_owned(),
            cwd: "/home/ada".to_owned(),
            origin: String::new(),
            now: None,
        };
        let old = r#"{"version":3,"records":[{"source_path":"/other","content_sha256":"1"}]}"#;
        let new = entered(old, &source, &target).unwrap();
        let list: Value = serde_json::from_str(&new).unwrap();
        assert_eq!((&list["version"], list["records"].as_array().unwrap().len()), (&json!(3), 2));
        assert_eq!(list["records"][1]["imported_thread_id"], target.id.as_str());
        assert_eq!(list["records"][1]["source_modified_at"], 1_700_000_000_000_000_001_u64);
        assert_eq!(entered(&new, &source, &target), None);
        assert!(entered("", &source, &target).is_some());
        assert_eq!(entered("[1]", &source, &target), None, "an unknown form stays as it is");
    }
}
