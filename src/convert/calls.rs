//! Calls and what came back, put together.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use sha2::{Digest as _, Sha256};

use super::scripts::{self, Polled, Printed, Scripts};
use super::{Names, Options};
use crate::model::{Body, Entry, EntryBody, Exchange, Item, Part, Status, ToolCall, ToolResult};
use crate::note::{LossKind, Losses};

/// What stands in place of a result that never came.
const NO_RESULT: &str = "interrupted: the session holds no result of this call";
/// What stands in place of a result that the source's harness never keeps.
const NOT_KEPT: &str = "(the session does not keep what this call gave back)";
/// The longest id of a call that every provider accepts.
const ID_CHARS: usize = 64;

/// Entries as they are gathered.
#[derive(Default)]
pub(super) struct Section {
    entries: Vec<Entry>,
    /// How often somebody but the model spoke so far.
    said: usize,
    /// Where the calls that wait for a result stand, by the source's id; more than one where a
    /// response gave several calls the same.
    open: HashMap<String, VecDeque<usize>>,
    /// What `said` was at each entry.
    said_at: Vec<usize>,
    /// The calls that have one.
    done: HashMap<String, usize>,
    /// Who waits for the output of a script: the last call of it, and where its calls begin.
    waits: HashMap<String, (String, usize)>,
    /// The calls that stay inside their script.
    nested: HashSet<String>,
    /// What scripts printed whose calls have results of their own.
    printed: Vec<Printed>,
    /// Such scripts that ran on, by the name that each was given.
    running: HashMap<String, String>,
    /// By what name that runs on which a call only waits for, by the id of the call.
    waited: HashMap<String, String>,
    /// The calls that waited for such scripts.
    polled: Vec<Polled>,
    /// Results whose call may stand behind them, by its id.
    early: BTreeMap<String, VecDeque<Early>>,
    /// Lists of work, each by its item and the id of its call, which may stand behind them.
    early_plans: Vec<(String, String)>,
}

/// A result that came where no call had its id so far.
struct Early {
    result: ToolResult<'static>,
    id: String,
    ts: String,
    /// What the section's `said` was there.
    said: usize,
}

impl Section {
    /// A section of at most so many entries.
    pub(super) fn of(most: usize) -> Self {
        let (entries, said_at) = (Vec::with_capacity(most), Vec::with_capacity(most));
        Self { entries, said_at, ..Self::default() }
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.said += usize::from(matches!(entry.body, EntryBody::Said(_)));
        self.said_at.push(self.said);
        self.entries.push(entry);
    }

    /// Has the call that comes next wait for a result: behind those of its response that have the
    /// same id, in place of earlier ones.
    fn wait(&mut self, id: String, response: u32) {
        let Self { entries, open, .. } = self;
        let waiting = open.entry(id).or_default();
        waiting.retain(|at| entries[*at].response == response);
        waiting.push_back(entries.len());
    }

    /// Puts a result to the call that stands at a place.
    fn put(&mut self, at: usize, named: String, early: Early, losses: &mut Losses) {
        let Early { result, id, ts, said } = early;
        self.done.insert(named, at);
        if self.said_at[at] != said {
            losses.lose(LossKind::Moved, &id);
        }
        let entry = &mut self.entries[at];
        entry.items += 1;
        if let EntryBody::Exchange(exchange) = &mut entry.body {
            exchange.result = result;
            exchange.result_ts = ts;
            exchange.result_id = Some(id);
        }
    }

    /// Counts a list of work to the call that set it; tells whether there is one.
    fn count_plan(&mut self, call: &str) -> bool {
        let at = self.first_open(call).or_else(|| self.done.get(call).copied());
        if let Some(at) = at {
            self.entries[at].items += 1;
        }
        at.is_some()
    }

    /// Where the first call of an id stands that waits for a result.
    fn first_open(&self, id: &str) -> Option<usize> {
        self.open.get(id).and_then(|waiting| waiting.front()).copied()
    }

    /// Says why a result has no call that waits for it; nothing where no call has had its id so far.
    fn without_call(&self, id: &str) -> Option<LossKind> {
        if self.nested.contains(id) {
            Some(LossKind::Nested)
        } else {
            self.done.contains_key(id).then_some(LossKind::RepeatedResult)
        }
    }

    /// Ends the wait of the first call of an id.
    fn answered(&mut self, id: &str) -> Option<usize> {
        self.open.get_mut(id).and_then(VecDeque::pop_front)
    }
}

/// Pairs calls with results, and gives calls ids that are legal everywhere.
pub(super) struct Calls<'o> {
    options: &'o Options<'o>,
    used: HashSet<String>,
    /// What the calls are called here, by the source's ids; of several with one id the first.
    pub(super) names: Names,
    /// How often an id was replaced so far.
    replaced: HashMap<String, u32>,
}

impl<'o> Calls<'o> {
    pub(super) fn new(options: &'o Options<'o>) -> Self {
        Self { options, used: HashSet::new(), names: Names::new(), replaced: HashMap::new() }
    }

    /// Takes a call, a result, or the list of work that a call set.
    pub(super) fn take(
        &mut self,
        item: Item<'static>,
        response: u32,
        scripts: &Scripts,
        section: &mut Section,
        losses: &mut Losses,
    ) {
        let (id, ts) = (item.id.into_owned(), item.ts.map(Into::into).unwrap_or_default());
        match item.body {
            Body::ToolCall(call) => {
                if let Some(last) = scripts.last.get(call.call_id.as_ref()) {
                    let from = section.entries.len();
                    section.waits.insert(call.call_id.to_string(), (last.clone(), from));
                    losses.lose(LossKind::Script, &id);
                } else if let Some(parent) = call.parent_call.as_ref().filter(|_| self.options.same)
                {
                    // What it began is begun by its script.
                    section.nested.insert(call.call_id.to_string());
                    let script = self.names.get(parent.as_ref()).cloned();
                    self.names.extend(script.map(|script| (call.call_id.to_string(), script)));
                    losses.lose(LossKind::Nested, &id);
                } else {
                    self.call(call, (id, ts, response), section, losses);
                }
            }
            Body::ToolResult(result) => {
                let early = Early { result, id, ts, said: section.said };
                if let Some(early) = result_of(early, (scripts, self.options), section, losses) {
                    let named = early.result.call_id.to_string();
                    section.early.entry(named).or_default().push_back(early);
                }
            }
            Body::Plan(plan) => match plan.call_id.map(Cow::into_owned) {
                Some(call) if section.count_plan(&call) => {}
                Some(call) => section.early_plans.push((id, call)),
                None => losses.lose(LossKind::Plan, &id),
            },
            _ => {}
        }
    }

    fn call(
        &mut self,
        mut call: ToolCall<'static>,
        (id, ts, response): (String, String, u32),
        section: &mut Section,
        losses: &mut Losses,
    ) {
        let (deed, asks_more) = (self.options.deed)(&call).unzip();
        let asks_more = asks_more.unwrap_or_default();
        let named = call.call_id.to_string();
        let legal = self.legal(&named);
        if legal != named {
            losses.lose(LossKind::CallId, &id);
            call.call_id = legal.clone().into();
        }
        let group = call.namespace.as_deref().filter(|group| !call.name.starts_with(*group));
        if group.is_some() && !self.options.same {
            losses.lose(LossKind::ToolMapped, &id);
        }
        if !section.running.is_empty()
            && let Some(name) = (self.options.waits_for)(&call)
        {
            section.waited.insert(named.clone(), name);
        }
        section.wait(named.clone(), response);
        self.names.entry(named).or_insert(legal);
        let none = ToolResult::new(call.call_id.clone(), Status::Interrupted, Vec::new());
        let exchange = Exchange {
            call,
            deed,
            asks_more,
            result: none,
            result_ts: String::new(),
            result_id: None,
            never_came: false,
        };
        let body = EntryBody::Exchange(Box::new(exchange));
        section.push(Entry { id, items: 1, ts, response, body });
    }

    /// Returns an id that every provider accepts and that no other call has.
    fn legal(&mut self, id: &str) -> String {
        let is_legal = |id: &str| {
            let fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            !id.is_empty() && id.len() <= ID_CHARS && id.bytes().all(fine)
        };
        let mut legal = id.to_owned();
        let mut count = self.replaced.get(id).copied().unwrap_or(0);
        while !is_legal(&legal) || self.used.contains(&legal) {
            let hash = Sha256::digest(format!("{id}\0{count}"));
            let hex: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
            legal = format!("call_{hex}");
            count += 1;
        }
        if count > 0 {
            self.replaced.insert(id.to_owned(), count);
        }
        self.used.insert(legal.clone());
        legal
    }

    /// Closes what is still open, and returns the entries. A result that stands before its call is
    /// that call's, if no other is.
    pub(super) fn close(
        &self,
        mut section: Section,
        scripts: &Scripts,
        losses: &mut Losses,
    ) -> Vec<Entry> {
        self.close_early(&mut section, scripts, losses);
        let Section { mut entries, printed, polled, .. } = section;
        for printed in printed {
            scripts::add_printed(&mut entries, printed, self.options);
        }
        scripts::drop_polled(&mut entries, polled, self.options, losses);
        for entry in &mut entries {
            let EntryBody::Exchange(exchange) = &mut entry.body else { continue };
            exchange.result.call_id = exchange.call.call_id.clone();
            if exchange.result_id.is_none() && exchange.result.output.is_empty() {
                self.end(exchange, &entry.id, losses);
            }
            if exchange.result.persisted.is_some() {
                let id = exchange.result_id.as_ref().unwrap_or(&entry.id);
                losses.lose(LossKind::Persisted, id);
            }
            if exchange.result_ts.is_empty() {
                exchange.result_ts.clone_from(&entry.ts);
            }
        }
        entries
    }

    /// Puts results to calls that stand behind them: of more than there are calls the last ones.
    fn close_early(&self, section: &mut Section, scripts: &Scripts, losses: &mut Losses) {
        for (named, mut results) in std::mem::take(&mut section.early) {
            let waiting = section.open.get(&named).map_or(0, VecDeque::len);
            let more = if waiting == 0 { 0 } else { results.len().saturating_sub(waiting) };
            for repeated in results.drain(..more) {
                losses.lose(LossKind::RepeatedResult, &repeated.id);
            }
            for early in results {
                if let Some(early) = result_of(early, (scripts, self.options), section, losses) {
                    losses.lose(LossKind::OrphanResult, &early.id);
                }
            }
        }
        for (id, call) in std::mem::take(&mut section.early_plans) {
            if !section.count_plan(&call) {
                losses.lose(LossKind::Plan, &id);
            }
        }
    }

    /// Ends a call that has no result.
    fn end(&self, exchange: &mut Exchange, id: &str, losses: &mut Losses) {
        let is_alone = (self.options.is_alone)(&exchange.call);
        if is_alone {
            exchange.result.status = Status::Ok;
        }
        // Its own harness sends it as it stands.
        if is_alone && self.options.same {
            return;
        }
        let words = if is_alone { NOT_KEPT } else { NO_RESULT };
        exchange.never_came = !is_alone;
        exchange.result.output = vec![Part::Text(words.into())];
        losses.lose(LossKind::OpenCall, id);
    }
}

/// Puts a result to its call; gives it back where no call has its id so far.
fn result_of(
    early: Early,
    (scripts, options): (&Scripts, &Options<'_>),
    section: &mut Section,
    losses: &mut Losses,
) -> Option<Early> {
    let Early { result, id, ts, said } = early;
    let named = result.call_id.to_string();
    let mut at = section.answered(&named);
    if let Some((last, from)) = section.waits.remove(&named) {
        if scripts.told.contains(&named) {
            let name = first_text(&result.output).and_then(|text| (options.begun)(&text));
            section.running.extend(name.map(|name| (name, named.clone())));
            let is_early = section.first_open(&last).is_some();
            let (to, output) = (section.entries.len(), result.output);
            section.printed.push(Printed { script: named, from, to, output, is_early });
            losses.lose(LossKind::Script, &id);
            return None;
        }
        scripts::tell_the_others(&named, section.first_open(&last), from, &mut section.entries);
        at = section.answered(&last);
        section.done.extend(at.map(|at| (last, at)));
    }
    let Some(at) = at else {
        let Some(reason) = section.without_call(&named) else {
            return Some(Early { result, id, ts, said });
        };
        losses.lose(reason, &id);
        return None;
    };
    let running = section.waited.remove(&named).and_then(|name| section.running.get(&name));
    if let Some(script) = running.cloned() {
        section.polled.push(Polled { script, at });
    }
    section.put(at, named, Early { result, id, ts, said }, losses);
    None
}

/// Returns the text with which an output begins.
pub(super) fn first_text(output: &[Part<'_>]) -> Option<String> {
    match output.first()? {
        Part::Text(text) => Some(text.plain().into_owned()),
        _ => None,
    }
}
