//! A session as far as a pack looks at it.

mod beside;
mod written;

pub(super) use beside::Beside;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::value::RawValue;

use crate::derive::{self, GAP};
use crate::error::Result;
use crate::harness::{self, CalledTexts, Harness, HumanCalls, LateResults, Proposals, Sink, Want};
use crate::jsonl::Input;
use crate::model::{
    Action, Blobs, Body, End, Header, Item, Origin, Part, Plan, PlanItem, PlanStatus, Role,
    Session, Text, ToolCall, ToolResult, no_arguments,
};

/// What a pack asks of a session: what was done, and of an image only how large it is.
const WANT: Want = Want {
    actions: true,
    bare: true,
    blobs: Blobs::Sized,
    raw_lines: false,
    places: false,
    native: false,
    live_only: false,
};

/// Reads a session as far as derive looks at it.
pub(super) fn read(harness: &dyn Harness, input: &Input) -> Result<Session> {
    looked_at(|sink| harness.read(input, WANT, sink))
}

/// Returns what derive looks at of what `give` gives.
fn looked_at(give: impl FnOnce(&mut dyn Sink) -> Result<End>) -> Result<Session> {
    let mut kept = Kept::default();
    let mut plans = Proposals::new(&mut kept);
    let mut late = LateResults::new(&mut plans);
    let mut calls = HumanCalls::new(&mut late);
    kept.session.end = give(&mut CalledTexts::new(&mut calls))?;
    Ok(kept.whole())
}

/// Returns of a session that was read for something else what [`read`] would give of it, so that all
/// ids are those of the pack.
pub(super) fn of(session: &Session) -> Result<Session> {
    let recorder = harness::by_name(&session.header.harness);
    looked_at(|sink| {
        sink.header(&session.header)?;
        sink.expect(session.items.len());
        for item in &session.items {
            let mut item = lent(item, recorder);
            if item.copy_of.is_none() && item.side_session.is_none() {
                take_texts(&mut item.body);
            }
            sink.item(item)?;
        }
        Ok(session.end.clone())
    })
}

/// Returns an item that was read for something else, with what derive asks of a call.
fn lent<'i>(item: &'i Item<'_>, recorder: Option<&'static dyn Harness>) -> Item<'i> {
    let mut item = item.borrowed();
    if let Body::ToolCall(call) = &mut item.body
        && call.action.is_none()
    {
        call.set_action(harness::action(recorder, call));
    }
    item
}

/// Takes what was left in the file once: several look into it one after the other.
fn take_texts(body: &mut Body<'_>) {
    let parts = match body {
        Body::Message(message) => &mut message.parts,
        Body::ToolResult(result) => &mut result.output,
        _ => return,
    };
    for part in parts {
        if let Part::Text(text) = part {
            text.take();
        }
    }
}

/// Keeps what derive looks at, long outputs by their head and tail.
#[derive(Default)]
struct Kept {
    session: Session,
    /// Who recorded it.
    recorder: Option<&'static dyn Harness>,
    /// Where a plan stands that was proposed without its text.
    untold: Option<usize>,
    /// The calls of other agents of which it counts what came of them.
    deeds: HashSet<String>,
}

/// How much is kept of a text.
#[derive(Clone, Copy)]
struct Limit {
    /// The longest text that is kept whole, in bytes.
    whole_bytes: usize,
    /// How much is kept of a longer one, at its head and at its tail.
    head_bytes: usize,
}

/// By so much head and tail are shorter than a round number, so that both and what stands between them fit
/// into one.
const MARGIN_BYTES: usize = 8;
/// What the model would still see.
const NEAR: Limit = Limit { whole_bytes: 24 * 1024, head_bytes: 8 * 1024 - MARGIN_BYTES };
/// What the user asked for: a pack has room for more of it.
const ASKED: Limit = Limit { whole_bytes: 64 * 1024, head_bytes: 24 * 1024 - MARGIN_BYTES };
/// Outputs that a compaction replaced or a branch left behind: of these the first lines count, and
/// the last, in which a run of tests says how it ended.
const FAR: Limit = Limit { whole_bytes: 5 * 1024, head_bytes: 2 * 1024 - MARGIN_BYTES };

impl Sink for Kept {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.recorder = harness::by_name(&header.harness);
        self.session.header(header)
    }

    fn expect(&mut self, items: usize) {
        self.session.expect(items);
    }

    fn item(&mut self, mut item: Item<'_>) -> Result<()> {
        let passed_over =
            item.copy_of.is_some() || item.side_session.is_some() && !self.tells_deed(&item);
        match &mut item.body {
            Body::Usage(_) | Body::Reasoning(_) => return Ok(()),
            _ if passed_over => return Ok(()),
            Body::ToolResult(result) => {
                let limit = if item.live { NEAR } else { FAR };
                self.drop_behind(&mut result.output);
                self.take_plan(result);
                result.output.iter_mut().for_each(|part| shorten(part, limit));
                if let Some(whole) = result.persisted.as_mut() {
                    shorten_plain(&mut whole.text, limit);
                }
            }
            Body::Message(message) => {
                if message.role == Role::Assistant {
                    message.parts.iter_mut().for_each(|part| self.unmark(part));
                }
                let limit = if message.origin == Origin::Human { ASKED } else { NEAR };
                message.parts.iter_mut().for_each(|part| shorten(part, limit));
            }
            Body::ToolCall(call) => {
                if let Some(action) = call.action.as_deref_mut() {
                    self.begin_at_home(action);
                    shorten_action(action);
                    match action {
                        Action::Propose { plan, .. } if plan.trim().is_empty() => {
                            self.untold = Some(self.session.items.len());
                        }
                        Action::Propose { plan, file: Some(file) } if plan == file => {
                            let text = written::as_written(&self.session.items, file);
                            *plan = text.unwrap_or_else(|| file.clone());
                            shorten_plain(plan, NEAR);
                        }
                        _ => {}
                    }
                }
                call.arguments = only_rights(call, self.recorder);
            }
            Body::Compaction(compaction) => {
                compaction.summary.iter_mut().for_each(|text| shorten_text(text, NEAR));
            }
            Body::Notice { text: Some(text), .. } => shorten_text(text, NEAR),
            Body::Plan(plan) => {
                self.take_details(plan, item.turn);
                self.forget_plan(&item);
            }
            _ => {}
        }
        self.session.items.push(item.into_owned());
        Ok(())
    }
}

impl Kept {
    /// Gives the session, with what other agents did for it.
    fn whole(mut self) -> Session {
        derive::take_in(&mut self.session);
        derive::answer_plans(&mut self.session);
        self.session
    }

    /// Whether an item of a side session is a command or a change of its agent, or what came of one. A script's
    /// result is that of the calls which it made.
    fn tells_deed(&mut self, item: &Item<'_>) -> bool {
        match &item.body {
            Body::SideSession(_) => true,
            Body::ToolCall(call) => {
                let action = call.action.as_deref();
                let is_deed = matches!(action, Some(Action::Shell { .. } | Action::Edit { .. }));
                let deed = is_deed.then_some(&call.call_id);
                self.deeds
                    .extend(deed.into_iter().chain(&call.parent_call).map(ToString::to_string));
                is_deed
                    || call.parent_call.is_some()
                    || matches!(action, Some(Action::Agent { .. }))
            }
            Body::ToolResult(result) => self.deeds.contains(result.call_id.as_ref()),
            _ => false,
        }
    }

    /// Gives a plan that was proposed without its text that with which it was approved.
    fn take_plan(&mut self, result: &ToolResult<'_>) {
        let Some(item) = self.untold.and_then(|at| self.session.items.get_mut(at)) else { return };
        let Body::ToolCall(call) = &mut item.body else { return };
        let Some(Action::Propose { plan, .. }) = call.action.as_deref_mut() else { return };
        if call.call_id != result.call_id {
            return;
        }
        let mut texts = result.output.iter().filter_map(Part::as_text);
        let quoted = texts.find_map(|text| self.recorder?.approved_plan(&text.plain()));
        self.untold = None;
        if let Some(mut quoted) = quoted {
            shorten_plain(&mut quoted, NEAR);
            *plan = quoted;
        }
    }

    /// Drops what the program itself put behind an answer.
    fn drop_behind(&self, output: &mut Vec<Part<'_>>) {
        let is_behind = |part: &Part<'_>| match part {
            Part::Text(text) => self.recorder.is_some_and(|it| it.is_behind_answer(text)),
            Part::Blob(_) | Part::Other { .. } => false,
        };
        if output.len() > 1 {
            output.pop_if(|last| is_behind(last));
        }
    }

    /// Leaves out what the model only says to the program's screen, and where links to files lead.
    fn unmark(&self, part: &mut Part<'_>) {
        let Part::Text(text) = part else { return };
        if let Some(bare) = self.recorder.and_then(|recorder| recorder.without_marks(text)) {
            *text = Text::from(bare);
        }
        let home = self.session.header.cwd.as_deref().unwrap_or_default();
        let bare = match text.plain() {
            plain if plain.contains("](") => derive::unlinked(&plain, home),
            _ => None,
        };
        if let Some(bare) = bare {
            *text = Text::from(bare);
        }
    }

    /// Has each command line begin in the session's folder, where it is known in which it ran.
    fn begin_at_home(&self, action: &mut Action) {
        let Action::Shell { command, cwd: Some(folder), .. } = action else { return };
        let Some(home) = &self.session.header.cwd else { return };
        if let Some(line) = derive::from_home(command, folder, home) {
            *command = line;
            folder.clone_from(home);
        }
    }

    /// Gives the entries of a plan, which stands in `turn`, what the one before it has of them: their details, and
    /// since when they are listed.
    fn take_details(&mut self, plan: &mut Plan<'_>, turn: u32) {
        let before = self.session.items.iter().rev().find_map(|item| match &item.body {
            Body::Plan(plan) if !plan.items.is_empty() => Some(plan.items.as_slice()),
            _ => None,
        });
        let before = before.unwrap_or_default();
        let known: HashMap<&str, &PlanItem> =
            before.iter().map(|entry| (entry.text.as_str(), entry)).collect();
        let texts: HashSet<&str> = plan.items.iter().map(|entry| entry.text.as_str()).collect();
        let is_open = |entry: &&PlanItem| entry.status != PlanStatus::Completed;
        let left: Vec<_> = before.iter().filter(is_open).collect();
        let kept = left.iter().filter(|entry| texts.contains(entry.text.as_str())).count();
        // A list that has little of what was open is another one.
        let known = if 2 * kept < left.len() { HashMap::new() } else { known };
        for entry in &mut plan.items {
            // One that was done is listed anew.
            let goes_on = |same: &&&PlanItem| {
                same.status != PlanStatus::Completed || entry.status == PlanStatus::Completed
            };
            let same = known.get(entry.text.as_str()).filter(goes_on);
            entry.listed_in = same.and_then(|same| same.listed_in).or(Some(turn));
        }
        let detailed = before.iter().filter_map(|entry| Some((entry.id.as_ref()?, entry)));
        let detailed: HashMap<&String, &PlanItem> = detailed.collect();
        for entry in plan.items.iter_mut().filter(|entry| entry.details.is_none()) {
            let same = entry.id.as_ref().and_then(|id| detailed.get(id));
            entry.details = same.and_then(|same| same.details.clone());
        }
    }

    /// Drops the plan before `item` if that replaces it: only the last one is looked at, but for
    /// the reasons that others give.
    fn forget_plan(&mut self, item: &Item<'_>) {
        let replaced = self.session.items.iter().rposition(|before| {
            matches!(before.body, Body::Plan(_)) && before.dropped_by == item.dropped_by
        });
        let Some(place) = replaced else { return };
        match &mut self.session.items[place].body {
            Body::Plan(plan) if plan.explanation.is_some() => plan.items.clear(),
            _ => {
                self.session.items.remove(place);
            }
        }
    }
}

/// Returns no arguments for a call whose meaning is known: they say the same again. Which rights a command
/// was given says more than that.
fn only_rights<'a>(
    call: &ToolCall<'a>,
    recorder: Option<&'static dyn Harness>,
) -> Cow<'a, RawValue> {
    match call.action.as_deref() {
        None => call.arguments.clone(),
        Some(Action::Shell { .. }) => {
            let rights = recorder.map_or(&[][..], |recorder| recorder.rights());
            // Most ask for none, and are not taken apart.
            let asks = rights.iter().any(|name| call.arguments.get().contains(name));
            let rights =
                if asks { call.options(|name| rights.contains(&name)) } else { BTreeMap::new() };
            Cow::Owned(serde_json::value::to_raw_value(&rights).unwrap_or_default())
        }
        Some(_) => no_arguments(),
    }
}

/// Shortens what a call runs or proposes; the text of a change stays, its lines are counted.
fn shorten_action(action: &mut Action) {
    match action {
        Action::Shell { command: text, .. }
        | Action::Type { keys: text, .. }
        | Action::Propose { plan: text, .. } => {
            shorten_plain(text, NEAR);
        }
        _ => {}
    }
}

fn shorten_plain(text: &mut String, limit: Limit) {
    if let Some(short) = shortened(&Text::from(text.as_str()), limit) {
        *text = short;
    }
}

fn shorten(part: &mut Part<'_>, limit: Limit) {
    match part {
        Part::Text(text) => shorten_text(text, limit),
        Part::Blob(blob) => blob.keep_size(),
        Part::Other { .. } => {}
    }
}

fn shorten_text(text: &mut Text<'_>, limit: Limit) {
    match shortened(text, limit) {
        Some(short) => *text = Text::from(short),
        // It is looked at more than once.
        None => text.make_plain(),
    }
}

/// Returns a long text by its head and its tail; what is between them is not even unescaped.
fn shortened(text: &Text<'_>, limit: Limit) -> Option<String> {
    let Limit { whole_bytes, head_bytes } = limit;
    if text.stored_bytes() <= whole_bytes {
        return None;
    }
    let (head, tail) = (text.start(head_bytes), text.end(head_bytes));
    let head = whole_start(&head[..head.floor_char_boundary(head_bytes)]);
    let tail = whole_end(&tail[tail.ceil_char_boundary(tail.len().saturating_sub(head_bytes))..]);
    let mut short = String::with_capacity(head.len() + GAP.len() + tail.len());
    [head, GAP, tail].into_iter().for_each(|part| short.push_str(part));
    Some(short)
}

/// How far a cut is moved so that no line is cut, or else no word, in bytes.
const ROW_BYTES: usize = 240;

/// Takes off the end of a head what is not whole: half a path would be another file.
fn whole_start(head: &str) -> &str {
    let near = &head[head.ceil_char_boundary(head.len().saturating_sub(ROW_BYTES))..];
    let end = near.rfind('\n').or_else(|| near.rfind(char::is_whitespace));
    end.map_or(head, |end| &head[..head.len() - near.len() + end])
}

/// Takes off the start of a tail what is not whole.
fn whole_end(tail: &str) -> &str {
    let near = &tail[..tail.floor_char_boundary(ROW_BYTES)];
    let start = near.find('\n').or_else(|| near.find(char::is_whitespace));
    let start = start.and_then(|start| Some(start + tail[start..].chars().next()?.len_utf8()));
    start.map_or(tail, |start| &tail[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::stored::Stored;
    use crate::select::{Selection, Weights};

    /// All that is found in a session.
    fn told(session: &Session) -> serde_json::Value {
        let (facts, weights) = (derive::derive(session), Weights::default());
        let selection = Selection::new(&facts, &weights, "2026-01-01", &str::len);
        serde_json::to_value(selection.pack(usize::MAX).sealed()).unwrap()
    }

    #[test]
    fn a_long_text_is_cut_between_its_lines_and_else_between_its_words() {
        let limit = Limit { whole_bytes: 100, head_bytes: 50 };
        let short = |text: &str| shortened(&Text::from(text), limit).unwrap();
        let rows = "src/parser/a.rs:1\n".repeat(20);
        assert_eq!(
            short(&rows),
            format!("{0}{GAP}{0}", "src/parser/a.rs:1\n".repeat(2)).replace("\n\n", "\n")
        );
        let words = "src/parser/a.rs ".repeat(20);
        assert_eq!(short(&words), format!("{0}{GAP}{0} ", ["src/parser/a.rs"; 3].join(" ")));
        let none = "é".repeat(100);
        assert_eq!(short(&none), format!("{0}{GAP}{0}", "é".repeat(25)));
    }

    #[test]
    fn a_session_that_is_carried_tells_what_it_tells_by_itself() {
        let mut count = 0;
        insta::glob!("../../fixtures", "**/*.json*", |path| {
            let path = camino::Utf8Path::from_path(path).unwrap();
            let input = Input::file(path).unwrap();
            let Ok(harness) = harness::recognise(&input) else { return };
            for native in [false, true] {
                let want = Want { blobs: Blobs::Carried, places: true, native, ..Want::default() };
                let mut stored = Stored::of(&input);
                let Ok(end) = harness.read(&input, want, &mut stored) else { continue };
                let session = Session { end, ..stored.session };
                let by_itself = read(harness, &input).unwrap();
                assert_eq!(told(&of(&session).unwrap()), told(&by_itself), "{path}");
                count += 1;
            }
        });
        assert!(count > 60, "{count}");
    }
}
