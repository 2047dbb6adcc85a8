//! From an id to what it stands for.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::derive::levels::{self, Level};

use crate::derive::{Facts, clip, raw};
use crate::error::{Error, Result};
use crate::guard::Redactor;
use crate::model::{Body, Item, Session};

use super::nearest::{is_short, nearest, told};
use super::shown::safe;

/// How much of an id must be typed, in characters.
const LEAST: usize = 4;
/// How many are named of those that it may be.
const MOST_CANDIDATES: usize = 5;
/// How much of what one of them stands for is told, in characters.
const CANDIDATE_CHARS: usize = 60;
/// Stands for a turn of which its level has nothing, such as what the harness did before the first
/// request.
const NOTHING: &str = "(nothing at this level)";
/// What is said of turns that nothing goes on from.
const LEFT: &str = "on a branch that the session left";

/// A session with everything in it that has an id.
pub(super) struct Ids<'s> {
    session: &'s Session,
    /// The list that a fact stands in, and its fields.
    facts: Vec<(String, Map<String, Value>)>,
}

/// The turns that an id such as `T-12` or `T-3..T-7` names, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turns {
    first: u32,
    last: u32,
}

impl<'s> Ids<'s> {
    /// Gathers the ids of `session` and of the facts that were derived from it.
    pub(super) fn new(session: &'s Session, facts: &Facts) -> Self {
        let value = serde_json::to_value(facts).unwrap_or_default();
        let lists = value.as_object().into_iter().flatten();
        // The session itself is no fact.
        let entries = lists.filter(|(list, _)| *list != "sessions").flat_map(|(list, entries)| {
            let entries = entries.as_array().into_iter().flatten();
            entries.filter_map(|entry| Some((list.replace('_', " "), entry.as_object()?.clone())))
        });
        Self { session, facts: entries.filter(|(_, fact)| has_id_of_its_own(fact)).collect() }
    }

    /// Returns what `id` stands for, harmless to print; turns at `level`.
    pub(super) fn show(&self, id: &str, level: Level) -> Result<String> {
        let id = without_marks(id);
        let tag = of_tag(id);
        let (id, level) = tag.as_ref().map_or((id, level), |(id, level)| (id.as_str(), *level));
        let found = match turns(id) {
            Some(turns) if turns.last < turns.first => {
                let what = format!("the range `{id}` ends before it begins");
                return Err(Error::usage(what, format!("T-{}..T-{}", turns.last, turns.first)));
            }
            Some(turns) => self.turns(turns, level),
            None => match self.fact(id).or_else(|| self.item(id)) {
                None => self.begun(id)?,
                found => found,
            },
        };
        found.ok_or_else(|| self.unknown(id))
    }

    fn turns(&self, turns: Turns, level: Level) -> Option<String> {
        let found = levels::turns(self.session, |turn| turns.hold(turn), level);
        let (first, last) = (found.first()?.0, found.last()?.0);
        let tag = levels::tag(first, last, level);
        let body = |(turn, text): &(u32, String)| {
            let text = if text.trim().is_empty() { NOTHING } else { text };
            match level {
                _ if first == last => text.to_owned(),
                Level::Tiny => format!("T-{turn}: {text}"),
                _ => format!("T-{turn}\n{text}\n"),
            }
        };
        let body: Vec<_> = found.iter().map(body).collect();
        Some(format!("<{tag}>\n{}\n</{tag}>", safe(body.join("\n").trim_end())))
    }

    fn fact(&self, id: &str) -> Option<String> {
        // A pack names files and commands by themselves, so they stand for their facts, too.
        let named = |fact: &Map<String, Value>, name: &str, wanted: &str| {
            fact.get(name).is_some_and(|own| own == wanted)
        };
        let path = self.path(id);
        let same = |fact: &Map<String, Value>| {
            id_of(fact).eq_ignore_ascii_case(id)
                || named(fact, "path", &path)
                || named(fact, "command", id)
        };
        let (list, fact) = self.facts.iter().find(|(_, fact)| same(fact))?;
        let mut rows = vec![format!("{} ({list})", id_of(fact))];
        rows.extend(fact.iter().filter_map(|(name, value)| field(name, value)));
        let evidence = fact.get("evidence").and_then(Value::as_array).into_iter().flatten();
        let items = evidence.filter_map(Value::as_str).flat_map(|id| self.items(id));
        let items: Vec<_> = items.map(raw).collect();
        if !items.is_empty() {
            rows.push(format!("\nIt rests on:\n\n{}", items.join("\n\n")));
        }
        Some(safe(&rows.join("\n")))
    }

    /// Returns a path as facts have it: from the session's folder, with slashes.
    fn path(&self, typed: &str) -> String {
        let with_slashes = |path: &str| path.replace('\\', "/");
        let (path, home) = (with_slashes(typed), self.session.header.cwd.as_deref());
        let home = home.map(with_slashes).filter(|home| !home.is_empty());
        let below = home.and_then(|home| path.strip_prefix(&home)?.strip_prefix('/'));
        below.or(path.strip_prefix("./")).unwrap_or(&path).to_owned()
    }

    fn item(&self, id: &str) -> Option<String> {
        let items: Vec<_> = self.items(id).into_iter().map(raw).collect();
        (!items.is_empty()).then(|| safe(&items.join("\n\n")))
    }

    /// Returns the fact or the item whose id begins so, if it is only one.
    fn begun(&self, start: &str) -> Result<Option<String>> {
        if start.chars().count() < LEAST {
            return Ok(None);
        }
        let whole = |id: &'s str| id.split_once('/').map_or(id, |(id, _)| id);
        let items = self.session.items.iter().map(|item| whole(&item.id));
        let facts = self.facts.iter().map(|(_, fact)| id_of(fact));
        let ids: BTreeSet<_> = items.chain(facts).filter(|id| id.starts_with(start)).collect();
        let is_start = !ids.is_empty();
        let ids = if is_start { ids } else { self.shortened(start) };
        let ids = if ids.is_empty() { self.quoting(start) } else { ids };
        match (ids.first(), ids.len()) {
            (Some(id), 1) => Ok(self.fact(id).or_else(|| self.item(id))),
            (None, _) => Ok(None),
            (_, count) => {
                let what = match is_start {
                    true => format!("{count} ids begin with `{start}`"),
                    false => format!("`{start}` may be any of {count} that a pack tells so"),
                };
                Err(Error::usage(what, self.candidates(&ids)))
            }
        }
    }

    /// Names the first of several ids, each with what it stands for.
    fn candidates(&self, ids: &BTreeSet<&str>) -> String {
        let told = |id: &&str| {
            let fact = self.facts.iter().find(|(_, fact)| id_of(fact) == *id).map(|(_, fact)| fact);
            let field = |name| fact?.get(name).and_then(Value::as_str).filter(|it| !it.is_empty());
            let words = ["path", "command", "text"].into_iter().find_map(field);
            let words = words.map(|words| format!(" ({})", clip(words, CANDIDATE_CHARS)));
            format!("{id}{}", words.unwrap_or_default())
        };
        let named: Vec<_> = ids.iter().take(MOST_CANDIDATES).map(told).collect();
        let more = ids.len().saturating_sub(MOST_CANDIDATES);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        // It stands in no output of which somebody may say that secrets stay in.
        safe(&Redactor::default().text(&format!("name one of {}{more}", named.join(", "))))
    }

    /// Returns the ids of what a pack tells by `words` without its id: a path by its end, a command by its
    /// first words.
    fn shortened(&self, words: &str) -> BTreeSet<&str> {
        let end = self.path(words.trim_start_matches("…"));
        let end = end.trim_start_matches('/');
        let start = words.strip_suffix('…').map(str::trim_end).filter(|start| !start.is_empty());
        let is_meant = |fact: &Map<String, Value>| {
            let text = |name| fact.get(name).and_then(Value::as_str).unwrap_or_default();
            let above = text("path").strip_suffix(end).filter(|_| !end.is_empty());
            let goes_on = |rest: &str| start.is_some() || rest.starts_with(' ');
            above.is_some_and(|above| above.is_empty() || above.ends_with('/'))
                || text("command").strip_prefix(start.unwrap_or(words)).is_some_and(goes_on)
        };
        let facts = self.facts.iter().filter(|(_, fact)| is_meant(fact));
        facts.map(|(_, fact)| id_of(fact)).collect()
    }

    /// Returns the ids of what a pack tells with these words between backquotes, as a command that was refused.
    fn quoting(&self, words: &str) -> BTreeSet<&str> {
        let code = format!("`{words}`");
        let is_quoted = |fact: &Map<String, Value>| {
            fact.get("text").and_then(Value::as_str).is_some_and(|text| text.contains(&code))
        };
        let facts = self.facts.iter().filter(|(_, fact)| is_quoted(fact));
        facts.map(|(_, fact)| id_of(fact)).collect()
    }

    /// Returns the items of an id, each call with what came of it.
    ///
    /// An id stands for all items that begin with it and `/`, too.
    fn items(&self, id: &str) -> Vec<&'s Item<'static>> {
        let part = |item: &Item<'_>| {
            item.id.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let found = self.session.items.iter().filter(|item| part(item));
        found.flat_map(|item| std::iter::once(item).chain(self.result(item))).collect()
    }

    fn result(&self, item: &Item<'_>) -> Option<&'s Item<'static>> {
        let Body::ToolCall(call) = &item.body else { return None };
        self.session.items.iter().find(
            |item| matches!(&item.body, Body::ToolResult(result) if result.call_id == call.call_id),
        )
    }

    /// Says which turns of a range are not shown; nothing where all are, or where none is meant.
    pub(super) fn left_out(&self, id: &str) -> Option<String> {
        let wanted = turns(id).filter(|wanted| wanted.first < wanted.last)?;
        let shown = levels::numbers(self.session);
        let left: Vec<_> = self.left(wanted).iter().map(|turn| format!("T-{turn}")).collect();
        let left = match &left[..] {
            [] => None,
            [only] => Some(format!("{only} is {LEFT}")),
            several => Some(format!("{} are {LEFT}", several.join(", "))),
        };
        let last = shown.last().filter(|last| **last < wanted.last);
        let beyond = last.map(|last| format!("the last turn is T-{last}"));
        let parts: Vec<_> = left.into_iter().chain(beyond).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// Returns which of the turns nothing goes on from: another branch was taken, or they were rolled
    /// back.
    fn left(&self, wanted: Turns) -> BTreeSet<u32> {
        let shown: BTreeSet<_> = levels::numbers(self.session).into_iter().collect();
        let own = self.session.items.iter().filter(|item| item.side_session.is_none());
        own.map(|item| item.turn)
            .filter(|turn| wanted.hold(*turn) && !shown.contains(turn))
            .collect()
    }

    /// Refuses an id that stands for nothing, and names the nearest that do.
    fn unknown(&self, id: &str) -> Error {
        let what = format!("nothing in session {} has the id `{id}`", self.session.header.id);
        if let Some(wanted) = turns(id) {
            if !self.left(wanted).is_empty() {
                let what = format!("`{id}` is {LEFT}");
                let hint = "`segue search WORDS --all-items` and `segue export` have its items, whose \
                            ids `segue show` takes";
                return Error::usage(what, hint);
            }
            let all = levels::numbers(self.session);
            let hint = match (all.first(), all.last()) {
                (Some(first), Some(last)) if first < last => {
                    format!("the turns are T-{first} to T-{last}")
                }
                (Some(only), _) => format!("the only turn is T-{only}"),
                _ => "the session has no turn".to_owned(),
            };
            return Error::usage(what, hint);
        }
        let facts = self.facts.iter().map(|(_, fact)| id_of(fact).to_owned());
        let items = self.session.items.iter().map(|item| item.id.to_string());
        let texts =
            self.facts.iter().flat_map(|(_, fact)| ["path", "command"].map(|name| fact.get(name)));
        let texts = texts.flatten().filter_map(Value::as_str).filter(|text| is_short(text));
        let near = nearest(id, facts.chain(items).chain(texts.map(safe)));
        let others = "`segue pack` has ids of what it tells, `segue search WORDS` those of items; what is \
                      over by now is there with `--until T-N`";
        Error::usage(what, told(&near).unwrap_or_else(|| others.to_owned()))
    }
}

/// Splits an id of a pack of several sessions, such as `S2/T-4`, into the number of its session and
/// the id there; what names no session is of the first of `count`.
pub(super) fn session_and_id(id: &str, count: usize) -> Result<(usize, &str)> {
    let Some((name, rest)) = id.split_once('/') else { return Ok((1, id)) };
    let number = name.strip_prefix('S').filter(|number| number.bytes().all(|b| b.is_ascii_digit()));
    match number.and_then(|number| number.parse().ok()) {
        Some(number) if (1..=count).contains(&number) => Ok((number, rest)),
        Some(_) => {
            let what = format!("`{id}` is of the session that its pack calls {name}");
            Err(Error::usage(what, "--session for each session of the pack, in its order"))
        }
        // A path.
        None => Ok((1, id)),
    }
}

impl Turns {
    fn hold(self, turn: u32) -> bool {
        (self.first..=self.last).contains(&turn)
    }
}

/// Reads `T-12`, `T-3..T-7` or `T-3..7`.
fn turns(id: &str) -> Option<Turns> {
    let number = |id: &str| id.strip_prefix("T-").or_else(|| id.strip_prefix("t-"))?.parse().ok();
    let Some((first, last)) = id.split_once("..") else {
        return number(id).map(|turn| Turns { first: turn, last: turn });
    };
    let last = number(last).or_else(|| last.parse().ok())?;
    Some(Turns { first: number(first)?, last })
}

/// Returns an id without what a pack has around it: a tag stands in brackets, a command in marks.
fn without_marks(id: &str) -> &str {
    let within = |(open, close)| id.strip_prefix(open)?.strip_suffix(close);
    [("</", ">"), ("<", ">"), ("`", "`")].into_iter().find_map(within).unwrap_or(id)
}

/// Reads the tag around turns of a pack, such as `T-4-C` or `T-1-through-2-T`: the turns and their level.
fn of_tag(id: &str) -> Option<(String, Level)> {
    let (turns, letter) = id.rsplit_once('-')?;
    let level = match letter {
        "R" => Level::Raw,
        "S" => Level::Smooth,
        "C" => Level::Compact,
        "T" => Level::Tiny,
        _ => return None,
    };
    let id = turns.replacen("-through-", "..", 1);
    self::turns(&id).map(|_| (id, level))
}

fn id_of(fact: &Map<String, Value>) -> &str {
    fact.get("id").and_then(Value::as_str).unwrap_or_default()
}

/// Tells whether a fact has an id of its own, not that of its turn.
fn has_id_of_its_own(fact: &Map<String, Value>) -> bool {
    let id = id_of(fact);
    !id.is_empty() && turns(id).is_none()
}

/// Tells a field of a fact, unless it is empty or told otherwise.
fn field(name: &str, value: &Value) -> Option<String> {
    if matches!(name, "id" | "evidence") {
        return None;
    }
    let words = match value {
        Value::Null => return None,
        Value::Number(turn) if name == "turn" => format!("T-{turn}"),
        Value::String(text) => text.clone(),
        Value::Array(list) if list.is_empty() => return None,
        Value::Array(list) => list.iter().map(|one| format!("\n{}", plain(one))).collect(),
        other => plain(other),
    };
    let name = name.replace('_', " ");
    let rows: Vec<_> = words.trim_end().split('\n').collect();
    Some(format!("{name}: {}", rows.join("\n    ")).replace(": \n", ":\n"))
}

/// Returns a value without the quotes of a string.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_its_session() {
        let of_two = |id: &'static str| session_and_id(id, 2).ok();
        assert_eq!(of_two("S2/T-4"), Some((2, "T-4")));
        assert_eq!(of_two("S1/T-3..T-7"), Some((1, "T-3..T-7")));
        for other in ["T-4", "src/a.rs", "Src/a.rs", "S/a", "/S2/T-4", ""] {
            assert_eq!(of_two(other), Some((1, other)));
        }
        for other in ["S0/T-1", "S3/T-1"] {
            assert_eq!(of_two(other), None, "{other}");
        }
    }

    #[test]
    fn a_tag_of_a_pack_names_its_turns_and_their_level() {
        assert_eq!(of_tag("T-4-C"), Some(("T-4".to_owned(), Level::Compact)));
        assert_eq!(of_tag("T-1-through-12-T"), Some(("T-1..12".to_owned(), Level::Tiny)));
        for other in ["T-4", "T-4-X", "F-12345678-C", "a-T", "T"] {
            assert_eq!(of_tag(other), None, "{other}");
        }
    }

    #[test]
    fn turns_and_ranges_of_turns_are_read() {
        let range = |first, last| Some(Turns { first, last });
        assert_eq!(turns("T-12"), range(12, 12));
        assert_eq!(turns("t-3..T-7"), range(3, 7));
        assert_eq!(turns("T-3..7"), range(3, 7));
        for other in ["T-", "T-x", "12", "3..7", "T-3..", "T-99999999999", "F-12345678", ""] {
            assert_eq!(turns(other), None, "{other}");
        }
    }
}
