//! What differs between two packs, by the ids of what they hold.

use serde::Serialize;
use serde_json::Value;

/// What differs between an older pack and a newer one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    /// `segue-diff-1`.
    pub schema: &'static str,
    /// The hash of the older pack.
    pub from: Option<String>,
    /// The hash of the newer one.
    pub to: Option<String>,
    /// What only the newer one has.
    pub new: Vec<Entry>,
    /// What only the older one has: done, gone, or left out.
    pub resolved: Vec<Entry>,
    /// What both have, otherwise.
    pub changed: Vec<Entry>,
}

/// One thing of a pack.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The list of the pack that it stands in, or `now`.
    pub list: String,
    /// Its id; in the now card the name of the field.
    pub id: String,
    /// What it is, as the newer pack has it if both do.
    pub text: String,
    /// The fields that differ, if both have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

/// Turns are told at more or less length by their age, and that a session went on is no difference
/// of the work.
const PASSED_OVER: [&str; 2] = ["turns", "sessions"];
/// Fields of the now card that are told.
const NOW: [&str; 4] = ["goal", "active", "last_done", "next"];

/// Compares two packs as `pack --json` prints them. Lists stand in the order of the newer pack.
pub fn diff(from: &Value, to: &Value) -> Diff {
    let mut found = Diff {
        schema: "segue-diff-1",
        from: text(from, "pack_hash"),
        to: text(to, "pack_hash"),
        new: Vec::new(),
        resolved: Vec::new(),
        changed: NOW.iter().filter_map(|field| now(field, &from["now"], &to["now"])).collect(),
    };
    let lists = to.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    for list in lists.filter(|name| !PASSED_OVER.contains(name)) {
        let (old, new) = (with_ids(&from[list]), with_ids(&to[list]));
        for (id, item) in &new {
            match old.iter().find(|(other, _)| other == id) {
                None => found.new.push(entry(list, id, item, Vec::new())),
                Some((_, before)) => {
                    let fields = differing(before, item);
                    if !fields.is_empty() {
                        found.changed.push(entry(list, id, item, fields));
                    }
                }
            }
        }
        let gone = old.iter().filter(|(id, _)| !new.iter().any(|(other, _)| other == id));
        found.resolved.extend(gone.map(|(id, item)| entry(list, id, item, Vec::new())));
    }
    found
}

impl Diff {
    /// Tells whether the packs say the same.
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.resolved.is_empty() && self.changed.is_empty()
    }
}

fn text(value: &Value, field: &str) -> Option<String> {
    value[field].as_str().map(str::to_owned)
}

fn now(field: &str, from: &Value, to: &Value) -> Option<Entry> {
    let changed = from[field] != to[field];
    changed.then(|| Entry {
        list: "now".to_owned(),
        id: field.to_owned(),
        text: text(to, field).unwrap_or_default(),
        fields: vec![field.to_owned()],
    })
}

fn with_ids(list: &Value) -> Vec<(&str, &Value)> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| Some((item["id"].as_str()?, item))).collect()
}

fn entry(list: &str, id: &str, item: &Value, fields: Vec<String>) -> Entry {
    let words =
        ["text", "command", "path", "topic"].into_iter().find_map(|field| text(item, field));
    Entry { list: list.to_owned(), id: id.to_owned(), text: words.unwrap_or_default(), fields }
}

/// Returns the fields that differ, ages aside.
fn differing(before: &Value, after: &Value) -> Vec<String> {
    let names = after.as_object().into_iter().flatten().map(|(name, _)| name);
    let differs =
        |name: &&String| *name != "age_days" && before[name.as_str()] != after[name.as_str()];
    names.filter(differs).cloned().collect()
}
