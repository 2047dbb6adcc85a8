//! Long rows of JSON, told by their fields.

use serde_json::{Map, Value};

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
            let head = format!("{} entries, the first: ", entries.len());
            Some(format!("{head}{}", told(first, most.saturating_sub(head.len()))?))
        }
        _ => None,
    }
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
    let (mut told, mut is_all) = (String::new(), true);
    for (name, value) in fields {
        let is_empty = value.is_null() || value.as_str().is_some_and(str::is_empty);
        let value = match value {
            _ if name.chars().any(char::is_control) => None,
            Value::String(text) if text.is_empty() || text.contains('\n') => None,
            Value::String(text) if text.chars().count() > VALUE_CHARS => None,
            Value::String(text) => Some(text.clone()),
            Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
        let one = value.map(|value| format!("{name}: {value}"));
        let fits = |one: &String| told.chars().count() + one.chars().count() + 2 <= most;
        match one.filter(fits) {
            Some(one) => {
                told.push_str(if told.is_empty() { "" } else { ", " });
                told.push_str(&one);
            }
            None if !is_empty && TELLING.contains(&name.to_lowercase().as_str()) => return None,
            None => is_all = false,
        }
    }
    let more = if is_all { "" } else { ", …" };
    (!told.is_empty()).then(|| format!("{{{told}{more}}}"))
}

#[cfg(test)]
mod tests {
    use super::in_short;

    #[test]
    fn a_long_row_is_told_by_its_short_fields() {
        let body = "x".repeat(90);
        let row = format!(r#"{{"body":"{body}","files":[1],"number":7,"state":"OPEN"}}"#);
        assert_eq!(in_short(&row, 80).unwrap(), "{number: 7, state: OPEN, …}");
        assert_eq!(in_short(&format!(r#"{{"data":{{"a":{row}}}}}"#), 80), in_short(&row, 80));
        let list = format!("[{row},{row}]");
        assert_eq!(
            in_short(&list, 80).unwrap(),
            "2 entries, the first: {number: 7, state: OPEN, …}"
        );
        assert_eq!(in_short(&row, 400), None);
        let forged = format!(r#"{{"a\nb":1,"body":"{body}","n":7}}"#);
        assert_eq!(in_short(&forged, 80).unwrap(), "{n: 7, …}");
        // What went wrong is not left out of it.
        for row in [
            format!(r#"{{"level":"error","msg":"{body}","pid":7}}"#),
            format!(r#"{{"error":{{"message":"{body}","code":"gone"}}}}"#),
            format!(r#"{{"status":"failed","error":{{"message":"{body}","code":7}}}}"#),
        ] {
            assert_eq!(in_short(&row, 80), None);
        }
        let row = format!(r#"{{"body":"{body}","error":null,"number":7}}"#);
        assert_eq!(in_short(&row, 80).unwrap(), "{number: 7, …}");
        assert_eq!(in_short(&format!("{row}]"), 80), None);
        assert_eq!(in_short(&format!("[\"{body}\"]"), 80), None);
    }
}
