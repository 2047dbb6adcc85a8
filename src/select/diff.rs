//! What differs between two packs, by the ids of what they hold.

use serde::Serialize;
use serde_json::Value;

use crate::derive;

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
    /// What only the older one has: done or gone.
    pub resolved: Vec<Entry>,
    /// What only the older one has where nobody knows why: the newer one had no room for all of the list, does not
    /// have that list, or tells of other work.
    pub untold: Vec<Entry>,
    /// What both have, otherwise.
    pub changed: Vec<Entry>,
}

/// One thing of a pack.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The list of the pack that it stands in, or `now`.
    pub list: String,
    /// Its id as its pack has it, the newer one if both do; in the now card the name of the field.
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

/// The sessions of a pack, each with the name that stands before its ids; before those of the first there may be
/// none. Without sessions ids are what they are: a session has the same ones in another harness.
struct Names(Vec<(String, String)>);

impl Names {
    /// Returns those of both packs, if one of them holds several sessions.
    fn of(packs: [&Value; 2]) -> [Self; 2] {
        let sessions = packs.map(|pack| {
            let sessions = pack["sessions"].as_array().into_iter().flatten();
            let named = |one: &Value| {
                let name = text(one, "name").unwrap_or_default() + "/";
                (name, format!("{} {} ", one["harness"], one["id"]))
            };
            sessions.map(named).collect::<Vec<_>>()
        });
        let has_several = sessions.iter().any(|sessions| sessions.len() > 1);
        sessions.map(|sessions| Self(if has_several { sessions } else { Vec::new() }))
    }

    /// Tells whether what is known so is of one of the sessions; without sessions nobody knows otherwise.
    fn has(&self, known: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|(_, session)| known.starts_with(session))
    }

    /// Returns by what an id is known, whatever number its session has.
    fn known(&self, id: &str) -> String {
        let mut named = self.0.iter().filter_map(|(name, session)| {
            let bare = id.strip_prefix(name.as_str())?;
            Some(format!("{session}{bare}"))
        });
        // Ids of the session's own items are no other session's.
        let is_ours = id.starts_with(|c: char| c.is_ascii_uppercase()) && id[1..].starts_with('-');
        let of_first = |(_, session): &(String, String)| format!("{session}{id}");
        let first = || self.0.first().filter(|_| is_ours).map(of_first);
        named.next().or_else(first).unwrap_or_else(|| id.to_owned())
    }

    /// Returns what a field says with the sessions in place of their names.
    fn spelled_out(&self, value: &Value) -> Value {
        let is_place = |text: &str| self.0.iter().any(|(name, _)| text.starts_with(name));
        match value {
            Value::String(text) if is_place(text) || text.starts_with("T-") => {
                Value::String(self.known(text))
            }
            Value::Array(list) => list.iter().map(|value| self.spelled_out(value)).collect(),
            other => other.clone(),
        }
    }
}

/// Compares two packs as `pack --json` prints them. Lists stand in the order of the newer pack.
pub fn diff(from: &Value, to: &Value) -> Diff {
    let mut found = Diff {
        schema: "segue-diff-1",
        from: text(from, "pack_hash"),
        to: text(to, "pack_hash"),
        new: Vec::new(),
        resolved: Vec::new(),
        untold: Vec::new(),
        changed: NOW.iter().filter_map(|field| now(field, &from["now"], &to["now"])).collect(),
    };
    let names = Names::of([from, to]);
    let is_other = are_of_others(from, to);
    for list in lists_of(from, to) {
        let (old, new) = (with_ids(&from[list], &names[0]), with_ids(&to[list], &names[1]));
        for (known, item) in &new {
            match old.iter().find(|(other, _)| other == known) {
                None => found.new.push(entry(list, item, Vec::new())),
                Some((_, before)) => {
                    let fields = differing((before, &names[0]), (item, &names[1]));
                    if !fields.is_empty() {
                        found.changed.push(entry(list, item, fields));
                    }
                }
            }
        }
        let gone = old.iter().filter(|(id, _)| !new.iter().any(|(other, _)| other == id));
        let (known, left_out): (Vec<_>, Vec<_>) = gone.partition(|(id, _)| names[1].has(id));
        let of = |gone: Vec<&(String, &Value)>| {
            gone.into_iter().map(|(_, item)| entry(list, item, Vec::new())).collect::<Vec<_>>()
        };
        found.untold.extend(of(left_out));
        match is_whole(list, to) && !is_other {
            true => found.resolved.extend(of(known)),
            false => found.untold.extend(of(known)),
        }
    }
    found
}

/// Returns the names of all lists that one of two packs has, those of the newer one first.
fn lists_of<'p>(from: &'p Value, to: &'p Value) -> Vec<&'p str> {
    let lists = |pack: &'p Value| {
        let fields = pack.as_object().into_iter().flatten();
        fields.filter(|(_, value)| value.is_array()).map(|(name, _)| name.as_str())
    };
    let mut all: Vec<&str> = lists(to).collect();
    let gone: Vec<&str> = lists(from).filter(|name| !all.contains(name)).collect();
    all.extend(gone);
    all.retain(|name| !PASSED_OVER.contains(name));
    all
}

/// The lists of which a pack takes what it has room for, and counts the rest.
const BY_ROOM: [&str; 6] = ["open_work", "failures", "decisions", "facts", "files", "commands"];

/// Whether a list of a pack has all that was known for it; of one that it has not, nobody knows.
fn is_whole(list: &str, pack: &Value) -> bool {
    let Some(all) = pack[list].as_array() else { return false };
    let is_counted = BY_ROOM.contains(&list);
    // Of these there may be more than are ever told.
    let is_full = list == "failures" && all.len() >= derive::MOST_FAILURES;
    !is_full && (!is_counted || pack["left_out"][list].as_u64() == Some(0))
}

/// Whether two packs tell of other work: they have no session in common, and what was asked in one is not known in
/// the other.
fn are_of_others(from: &Value, to: &Value) -> bool {
    let sessions = |pack: &Value| {
        let sessions = pack["sessions"].as_array().into_iter().flatten();
        sessions.map(|one| (one["harness"].clone(), one["id"].clone())).collect::<Vec<_>>()
    };
    let (old, new) = (sessions(from), sessions(to));
    let asked = &from["now"]["goal"];
    let is_asked = [&to["now"]["goal"], &to["now"]["goal_before"]["text"]].contains(&asked);
    !old.is_empty() && !old.iter().any(|session| new.contains(session)) && !is_asked
}

impl Diff {
    /// Tells whether the packs say the same.
    pub fn is_empty(&self) -> bool {
        [&self.new, &self.resolved, &self.untold, &self.changed].into_iter().all(Vec::is_empty)
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

/// Returns what a list holds, each by what its id is known.
fn with_ids<'p>(list: &'p Value, names: &Names) -> Vec<(String, &'p Value)> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| Some((names.known(item["id"].as_str()?), item))).collect()
}

fn entry(list: &str, item: &Value, fields: Vec<String>) -> Entry {
    let words =
        ["text", "command", "path", "topic", "rule"].iter().find_map(|field| text(item, field));
    let id = text(item, "id").unwrap_or_default();
    Entry { list: list.to_owned(), id, text: words.unwrap_or_default(), fields }
}

/// Returns the fields that differ, ages and ids aside.
fn differing(before: (&Value, &Names), after: (&Value, &Names)) -> Vec<String> {
    let fields = after.0.as_object().into_iter().flatten();
    let differs = |(name, value): &(&String, &Value)| {
        let old = &before.0[name.as_str()];
        let is_told = !matches!(name.as_str(), "age_days" | "id");
        is_told && before.1.spelled_out(old) != after.1.spelled_out(value)
    };
    fields.filter(differs).map(|(name, _)| name.clone()).collect()
}
