//! Long rows of JSON, told by their fields.

use serde_json::{Map, Value};

use super::text;

/// A longer row is not taken apart.
const MOST_BYTES: usize = 1 << 16;
/// How long a value is at most that is told.
const VALUE_CHARS: usize = 60;

/// Fields that say what went wrong, or what a row of a log is about: where one of these is too long, the row
/// says more as it stands.
const TELLING: &[&str] = &["detail", "error", "errors", "message", "msg", "reason"];

/// Tells a row of JSON that is longer than `most` by those of its fields that are short; of a list by how
/// many entries it has, and the first. Nothing if it is none, or has no such field.
pub(super) fn in_short(row: &str, most: usize) -> Option<String> {
    let row = row.trim();
    let is_long = (most + 1..=MOST_BYTES).contains(&row.len());
    if !is_long || !row.starts_with(['{', '[']) {
        return None;
    }
    match inner(serde_json::from_str(row).ok()?) {
        Value::Object(fields) => told(&fields, most),
        Value::Array(entries) => {
            let first = entries.first().and_then(Value::as_object)?;
            let entry = if entries.len() == 1 { "entry" } else { "entries, the first" };
            let head = format!("{} {entry}: ", entries.len());
            Some(format!("{head}{}", told(first, most.saturating_sub(head.len()))?))
        }
        _ => None,
    }
}

/// How many characters of one value are told at most where there is room for them.
const LONG_CHARS: usize = 800;
/// How many of all of them.
const ALL_CHARS: usize = 2400;

/// Tells an output that is one value of JSON with its long fields, too: as it stands where that is not too long, else
/// field by field, each cut by itself. Nothing if it is none.
pub(super) fn at_length(output: &str) -> Option<String> {
    let output = output.trim();
    if !output.starts_with(['{', '[']) || output.len() > MOST_BYTES {
        return None;
    }
    let value: Value = serde_json::from_str(output).ok()?;
    if output.chars().count() <= ALL_CHARS {
        return Some(output.to_owned());
    }
    // Of one that is written on many rows head and tail tell more.
    if output.contains('\n') {
        return None;
    }
    let Value::Object(fields) = inner(value) else { return None };
    let (mut rows, mut left) = (Vec::new(), ALL_CHARS);
    for (name, value) in fields.iter().filter(|(name, _)| !name.chars().any(char::is_control)) {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let row = text::clip(&format!("{name}: {value}"), LONG_CHARS.min(left));
        left = left.saturating_sub(row.chars().count());
        if left == 0 {
            rows.push("[…]".to_owned());
            break;
        }
        rows.push(row);
    }
    (!rows.is_empty()).then(|| rows.join("\n"))
}

/// Returns what stands in objects that only wrap one other.
fn inner(value: Value) -> Value {
    let mut value = value;
    loop {
        match value {
            Value::Object(fields) if fields.len() == 1 => {
                let only = fields.into_iter().next().map_or(Value::Null, |(_, only)| only);
                value = only;
            }
            value => return value,
        }
    }
}

fn told(fields: &Map<String, Value>, most: usize) -> Option<String> {
    let (mut told, mut is_all, mut long) = (String::new(), true, Vec::new());
    for (name, value) in fields {
        let is_empty = value.is_null() || value.as_str().is_some_and(str::is_empty);
        let value = match value {
            _ if name.chars().any(char::is_control) => None,
            Value::String(text) if text.is_empty() || text.contains('\n') => None,
            Value::String(text) if text.chars().count() > VALUE_CHARS => None,
            Value::String(text) => Some(text.clone()),
            Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
            Value::Array(entries) => few(entries),
            Value::Null | Value::Object(_) => None,
        };
        let one = value.map(|value| format!("{name}: {value}"));
        let fits = |one: &String| told.chars().count() + one.chars().count() + 2 <= most;
        match one.filter(fits) {
            Some(one) => {
                told.push_str(if told.is_empty() { "" } else { ", " });
                told.push_str(&one);
            }
            None if !is_empty && TELLING.contains(&name.to_lowercase().as_str()) => return None,
            None if value_is_long(&fields[name]) => long.push(name),
            None => is_all = false,
        }
    }
    // Of a long text at least the name is told.
    if told.is_empty() {
        return None;
    }
    for name in long {
        let room = most.saturating_sub(told.chars().count() + name.chars().count() + 9);
        let start =
            fields[name].as_str().filter(|_| SAYING.contains(&name.to_lowercase().as_str()));
        let start = start.and_then(|text| said(text, room)).unwrap_or_default();
        let one = format!(", {name}: {start}…");
        match told.chars().count() + one.chars().count() + 5 <= most {
            true => told.push_str(&one),
            false => is_all = false,
        }
    }
    let more = if is_all { "" } else { ", …" };
    Some(format!("{{{told}{more}}}"))
}

/// Fields that are what a page or a message says.
const SAYING: &[&str] = &["body", "content", "description", "text"];
/// How many characters of it tell something.
const LEAST_SAID: usize = 24;
/// A word is not longer.
const MOST_LETTERS: usize = 60;

/// Returns how a text begins, behind its heading, on one line.
fn said(text: &str, most: usize) -> Option<String> {
    let row =
        text.lines().map(str::trim).find(|row| !row.is_empty() && !row.starts_with(['#', '<']))?;
    // What has no blank for long is no text, but bytes in letters.
    let is_text = row.chars().take(MOST_LETTERS).any(|c| c.is_whitespace() || !c.is_ascii());
    let is_plain = is_text && !row.chars().any(char::is_control) && most >= LEAST_SAID;
    is_plain.then(|| text::start(row, most).trim_end_matches('…').trim_end().to_owned())
}

/// Of a list of how many entries each is told.
const FEW: usize = 3;

/// Tells a list that is empty, or has a few short words.
fn few(entries: &[Value]) -> Option<String> {
    let word = |entry: &Value| {
        let text = entry.as_str()?;
        (!text.is_empty() && !text.chars().any(char::is_control)).then(|| text.to_owned())
    };
    let words = entries.iter().take(FEW + 1).map(word).collect::<Option<Vec<_>>>()?;
    let told = format!("[{}]", words.join(", "));
    (words.len() <= FEW && told.chars().count() <= VALUE_CHARS).then_some(told)
}

/// Whether a value is a text that is left out because it is long.
fn value_is_long(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains('\n') || text.chars().count() > VALUE_CHARS)
}

#[cfg(test)]
mod tests {
    use super::{ALL_CHARS, LONG_CHARS, at_length, in_short};

    #[test]
    fn one_value_is_told_as_it_stands_or_each_field_cut_by_itself() {
        let row = r#"{"key":"K-7","description":"Keep seven. Never delete the newest."}"#;
        assert_eq!(at_length(row).as_deref(), Some(row));
        let long = "x".repeat(ALL_CHARS);
        let told =
            at_length(&format!(r#"{{"key":"K-7","body":"{long}","state":"OPEN"}}"#)).unwrap();
        assert!(
            told.starts_with("key: K-7\nbody: xxx") && told.ends_with("\nstate: OPEN"),
            "{told}"
        );
        assert!(told.chars().count() < LONG_CHARS + 40);
        let many = format!(r#"{{"a":"{long}","b":"{long}","c":"{long}","d":"{long}","e":1}}"#);
        let told = at_length(&many).unwrap();
        assert!(told.chars().count() < ALL_CHARS + 100, "{told}");
        for other in ["", "no value", "{\"a\":1}\n{\"a\":2}", "[1", "7"] {
            assert_eq!(at_length(other), None, "{other}");
        }
    }

    #[test]
    fn a_long_row_is_told_by_its_short_fields() {
        let body = "x".repeat(90);
        let row = format!(r#"{{"notes":"{body}","files":[1],"number":7,"state":"OPEN"}}"#);
        assert_eq!(in_short(&row, 80).unwrap(), "{number: 7, state: OPEN, notes: …, …}");
        assert_eq!(in_short(&format!(r#"{{"data":{{"a":{row}}}}}"#), 80), in_short(&row, 80));
        let list = format!("[{row},{row}]");
        assert_eq!(
            in_short(&list, 80).unwrap(),
            "2 entries, the first: {number: 7, state: OPEN, notes: …, …}"
        );
        assert_eq!(in_short(&row, 400), None);
        let row = format!(
            r#"{{"notes":"{body}","failed":[],"left":["mac"],"jobs":[7],"some":["a","b","c","d"],"ok":true}}"#
        );
        assert_eq!(in_short(&row, 80).unwrap(), "{failed: [], left: [mac], ok: true, notes: …, …}");
        let forged = format!(r#"{{"a\nb":1,"notes":"{body}","n":7}}"#);
        assert_eq!(in_short(&forged, 80).unwrap(), "{n: 7, notes: …, …}");
        // What went wrong is not left out of it.
        for row in [
            format!(r#"{{"level":"error","msg":"{body}","pid":7}}"#),
            format!(r#"{{"error":{{"message":"{body}","code":"gone"}}}}"#),
            format!(r#"{{"status":"failed","error":{{"message":"{body}","code":7}}}}"#),
        ] {
            assert_eq!(in_short(&row, 80), None);
        }
        let row = format!(r#"{{"notes":"{body}","error":null,"number":7}}"#);
        assert_eq!(in_short(&row, 80).unwrap(), "{number: 7, notes: …, …}");
        assert_eq!(in_short(&format!("{row}]"), 80), None);
        assert_eq!(in_short(&format!("[\"{body}\"]"), 80), None);
    }

    #[test]
    fn of_what_a_page_says_its_beginning_is_told() {
        let body = format!("## Summary\n\nTwo hooks write the cache at once. {}", "x".repeat(90));
        let row = serde_json::json!([{ "body": body, "id": 7, "url": "y".repeat(70) }]).to_string();
        assert_eq!(
            in_short(&row, 90).unwrap(),
            "1 entry: {id: 7, body: Two hooks write the cache at once.…, url: …}"
        );
        assert_eq!(in_short(&row, 40).unwrap(), "1 entry: {id: 7, body: …, url: …}");
        let bytes = serde_json::json!([{ "content": "aGVs".repeat(30), "id": 7 }]).to_string();
        assert_eq!(in_short(&bytes, 90).unwrap(), "1 entry: {id: 7, content: …}");
    }
}
