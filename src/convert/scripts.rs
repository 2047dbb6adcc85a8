//! Scripts whose calls are carried in their place, and what they printed themselves.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::Options;
use crate::model::{Body, Entry, EntryBody, Exchange, Item, Part, Status, plain};
use crate::note::{LossKind, Losses};

/// What stands in place of the result of a call whose script printed everything at its end.
const IN_LAST: &str = "(the output of the script stands at its last call)";

/// Scripts whose calls are carried in their place, by the id of the script's call.
pub(super) struct Scripts {
    /// The last call of each.
    pub(super) last: HashMap<String, String>,
    /// Those whose calls have results of their own.
    pub(super) told: HashSet<String>,
}

/// What a script whose calls have results of their own printed.
pub(super) struct Printed {
    /// The id of the script's call.
    pub(super) script: String,
    /// Between which entries its calls stand.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) output: Vec<Part<'static>>,
    /// Whether it was printed before the last of its calls came back.
    pub(super) is_early: bool,
}

/// A call that only waited for a script to go on, and what that printed meanwhile.
pub(super) struct Polled {
    /// The id of the script's call.
    pub(super) script: String,
    /// Where the call stands.
    pub(super) at: usize,
}

/// Finds the scripts whose calls are to be carried in their place.
pub(super) fn scripts(items: &[Item<'_>], options: &Options<'_>) -> Scripts {
    let mut last = HashMap::new();
    let mut results: HashSet<&str> = HashSet::new();
    let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
    for item in items {
        match &item.body {
            Body::ToolResult(result) => {
                results.insert(&result.call_id);
            }
            Body::ToolCall(call) if !options.same => {
                if let Some(parent) = &call.parent_call {
                    last.insert(parent.to_string(), call.call_id.to_string());
                    children.entry(parent).or_default().push(&call.call_id);
                }
            }
            _ => {}
        }
    }
    let told = children.into_iter();
    let told = told.filter(|(_, calls)| calls.iter().all(|call| results.contains(call)));
    Scripts { last, told: told.map(|(parent, _)| parent.to_owned()).collect() }
}

/// Gives the calls of a script but the one at `last` a word in place of their output.
pub(super) fn tell_the_others(script: &str, last: Option<usize>, from: usize, all: &mut [Entry]) {
    for (place, entry) in all.iter_mut().enumerate().skip(from) {
        let Some(exchange) = call_of(entry, script) else { continue };
        if exchange.result_id.is_none() && Some(place) != last {
            exchange.result.status = Status::Ok;
            exchange.result.output = vec![Part::Text(IN_LAST.into())];
        }
    }
}

/// Adds what a script printed besides the results of its calls to the result of the last of them.
pub(super) fn add_printed(entries: &mut [Entry], printed: Printed, options: &Options<'_>) {
    let Printed { script, from, to, output, is_early } = printed;
    let called = entries[from..to].iter().filter_map(exchange_of);
    let called = called.filter(|exchange| is_of(exchange, &script));
    let results: Vec<_> = called.map(|exchange| &exchange.result.output).collect();
    let texts: Vec<_> = results.iter().map(|result| plain(result)).collect();
    let own = untold((options.printed)(output), &Told::of(&texts), &results);
    let calls = entries[from..to].iter_mut().filter_map(|entry| call_of(entry, &script));
    let Some(last) = calls.last() else { return };
    let at = if is_early { 0 } else { last.result.output.len() };
    last.result.output.splice(at..at, own);
}

/// Takes out of what came of waiting for scripts what stands at their calls, and the calls of which
/// then nothing is left.
pub(super) fn drop_polled(
    entries: &mut Vec<Entry>,
    polled: Vec<Polled>,
    options: &Options<'_>,
    losses: &mut Losses,
) {
    let mut left = what_is_left(entries, polled, options);
    if left.is_empty() {
        return;
    }
    let mut place = 0;
    entries.retain_mut(|entry| {
        place += 1;
        let EntryBody::Exchange(exchange) = &mut entry.body else { return true };
        let Some(output) = left.remove(&(place - 1)) else { return true };
        if output.is_empty() {
            losses.lose_many(LossKind::Script, entry.items, &entry.id);
            return false;
        }
        exchange.result.output = output;
        true
    });
}

/// Returns by the places of calls that waited for scripts what is left of what came of it, where
/// something stands at a call of the script. Each script is gone through once.
fn what_is_left(
    entries: &[Entry],
    polled: Vec<Polled>,
    options: &Options<'_>,
) -> HashMap<usize, Vec<Part<'static>>> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for Polled { script, at } in polled {
        places.entry(script).or_default().push(at);
    }
    let mut results: HashMap<&str, Vec<&Output>> = HashMap::new();
    for exchange in entries.iter().filter_map(exchange_of) {
        let parent = exchange.call.parent_call.as_deref();
        if let Some(script) = parent.filter(|script| places.contains_key(*script)) {
            results.entry(script).or_default().push(&exchange.result.output);
        }
    }
    let mut left = HashMap::new();
    for (script, results) in results {
        let texts: Vec<_> = results.iter().map(|result| plain(result)).collect();
        let told = Told::of(&texts);
        for at in places.remove(script).unwrap_or_default() {
            let Some(exchange) = exchange_of(&entries[at]) else { continue };
            let printed = (options.printed)(exchange.result.output.clone());
            let all = printed.len();
            let own = untold(printed, &told, &results);
            if own.len() < all || all == 0 {
                left.insert(at, own);
            }
        }
    }
    left
}

/// What a call gave back.
type Output = Vec<Part<'static>>;

/// Returns what a script printed that none of its calls gave back.
fn untold(mut printed: Output, told: &Told<'_>, results: &[&Output]) -> Output {
    let is_told = |part: &Part<'_>| match part {
        Part::Text(text) => told.has(text.plain().trim()),
        _ => results.iter().any(|result| result.iter().any(|other| is_same(part, other))),
    };
    printed.retain(|part| !is_told(part));
    printed
}

fn exchange_of(entry: &Entry) -> Option<&Exchange> {
    match &entry.body {
        EntryBody::Exchange(exchange) => Some(exchange),
        _ => None,
    }
}

fn is_of(exchange: &Exchange, script: &str) -> bool {
    exchange.call.parent_call.as_deref() == Some(script)
}

fn call_of<'e>(entry: &'e mut Entry, script: &str) -> Option<&'e mut Exchange> {
    match &mut entry.body {
        EntryBody::Exchange(exchange) if is_of(exchange, script) => Some(exchange),
        _ => None,
    }
}

/// What the calls of a script gave back.
struct Told<'t> {
    results: HashSet<&'t str>,
    lines: HashSet<&'t str>,
}

/// A line of fewer characters may be the script's own word, such as `true`; one of letters alone also if
/// it is longer.
const TELLING_CHARS: usize = 5;
const WORD_CHARS: usize = 12;

impl<'t> Told<'t> {
    fn of(results: &'t [Cow<'_, str>]) -> Self {
        let lines = results.iter().flat_map(|result| result.lines().map(str::trim));
        Self { lines: lines.collect(), results: results.iter().map(|one| one.trim()).collect() }
    }

    /// Tells whether a text says nothing that the calls did not give back: it is empty, a result whole, or
    /// only telling lines of theirs, or it is an object of results, as a call gives it to its script.
    fn has(&self, text: &str) -> bool {
        let mut lines = text.lines().map(str::trim);
        let is_telling = |line: &str| {
            let is_word = line.chars().all(char::is_alphanumeric);
            line.chars().count() >= if is_word { WORD_CHARS } else { TELLING_CHARS }
        };
        text.is_empty()
            || self.results.contains(text)
            || lines.clone().any(is_telling) && lines.all(|line| self.lines.contains(line))
            || self.holds(text)
    }

    fn holds(&self, text: &str) -> bool {
        if !text.starts_with('{') {
            return false;
        }
        let Ok(object) = serde_json::from_str::<Map<String, Value>>(text) else { return false };
        // An id tells which call it was, and nothing that the script made.
        let fields = object.iter().filter(|(name, _)| !name.ends_with("id"));
        let mut texts = fields.filter_map(|(_, value)| value.as_str()).map(str::trim);
        let has_result = object.is_empty() || texts.clone().any(|text| self.results.contains(text));
        has_result && texts.all(|text| text.is_empty() || self.results.contains(text))
    }
}

/// Tells whether two parts that are no texts are the same.
fn is_same(one: &Part<'_>, other: &Part<'_>) -> bool {
    match (one, other) {
        (Part::Blob(one), Part::Blob(other)) => one == other,
        (Part::Other { json: one, .. }, Part::Other { json: other, .. }) => {
            one.get() == other.get()
        }
        _ => false,
    }
}
