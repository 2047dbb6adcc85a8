//! What a tool gave back: its output, or its failure, and whatever else it said.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::content::object;
use crate::model::{Part, Text};

/// The kind of the part that holds what a tool said beside its output.
pub(super) const BESIDE: &str = "response";

/// The fields of an object in their order, with their values as they stand.
#[derive(Default)]
pub(super) struct Fields<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some((key, value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
            fields.push((key.0, value));
        }
        Ok(Fields(fields))
    }
}

/// A key that is copied only where it has escapes.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// What a tool gave back, as parts.
pub(super) struct Outcome<'a> {
    /// What it said, and then what it said beside that.
    pub(super) parts: Vec<Part<'a>>,
    /// Whether it failed.
    pub(super) failed: bool,
}

impl<'a> Outcome<'a> {
    /// Reads a response: an object with an output or an error, or anything else that a tool made.
    pub(super) fn of(response: Option<&'a RawValue>) -> Self {
        let is_set = |raw: &RawValue| raw.get() != "null";
        let Fields(fields) = object(response).unwrap_or_default();
        let is_named = |key: &str| matches!(key, "output" | "error");
        let named = |name: &str| {
            let found = fields.iter().rev().find(|(key, _)| key == name);
            found.map(|(_, value)| *value).filter(|value| is_set(value))
        };
        let (error, output) = (named("error"), named("output"));
        let mut parts = Vec::new();
        let mut say = |raw: Option<&'a RawValue>| {
            if let Some(raw) = raw.filter(|raw| !matches!(raw.get(), "null" | "{}" | "\"\"")) {
                parts.push(Part::Text(Text::json(raw).unwrap_or_else(|| Text::from(raw.get()))));
            }
        };
        if error.or(output).is_none() {
            say(response);
        } else {
            say(error);
            say(output);
            let beside = fields.iter().filter(|(key, value)| !is_named(key) && is_set(value));
            parts.extend(beside_part(beside));
        }
        Self { parts, failed: error.is_some() }
    }
}

/// Makes one part of fields, as the object that they are.
fn beside_part<'f, 'a: 'f>(
    fields: impl Iterator<Item = &'f (Cow<'a, str>, &'a RawValue)>,
) -> Option<Part<'static>> {
    let field =
        |(key, value): &(Cow<'_, str>, &RawValue)| format!("{}:{}", quoted(key), value.get());
    let fields: Vec<String> = fields.map(field).collect();
    let json = RawValue::from_string(format!("{{{}}}", fields.join(","))).ok()?;
    let json = Cow::Owned(json);
    (!fields.is_empty()).then(|| Part::Other { kind: BESIDE.into(), json })
}

fn quoted(key: &str) -> String {
    serde_json::Value::from(key).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(response: &str) -> (Vec<String>, bool) {
        let raw = RawValue::from_string(response.to_owned()).unwrap();
        let outcome = Outcome::of(Some(&raw));
        let text = |part: &Part<'_>| match part {
            Part::Text(text) => text.plain().into_owned(),
            Part::Other { kind, json } => format!("{kind} {json}"),
            Part::Blob(_) => "blob".to_owned(),
        };
        (outcome.parts.iter().map(text).collect(), outcome.failed)
    }

    #[test]
    fn all_that_a_tool_said_is_kept() {
        let cases: [(&str, &[&str], bool); 9] = [
            (r#"{"output":"a"}"#, &["a"], false),
            (r#"{"error":"b"}"#, &["b"], true),
            (r#"{"output":"a","error":null}"#, &["a"], false),
            (r#"{"output":"a","error":"b"}"#, &["b", "a"], true),
            (
                r#"{"b":1e999,"output":"a","\n":[2],"c":null}"#,
                &["a", r#"response {"b":1e999,"\n":[2]}"#],
                false,
            ),
            (r#"{"output":"","x":"y"}"#, &[r#"response {"x":"y"}"#], false),
            (r#"{"x":"y"}"#, &[r#"{"x":"y"}"#], false),
            (r#""a""#, &["a"], false),
            ("{}", &[], false),
        ];
        for (response, want, failed) in cases {
            let (texts, has_failed) = told(response);
            assert_eq!(texts, want, "{response}");
            assert_eq!(has_failed, failed, "{response}");
        }
    }
}
