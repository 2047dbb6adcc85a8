//! The first pass: one row a record, the header, and how calls ended.

use rustc_hash::FxHashSet;
use serde_json::value::RawValue;

use super::chain;
use super::row::{
    Compacted, INJECTED, Kind, LISTED, Outcome, REPEATED_ID, Row, Scan, Sub, TYPED, UNTOLD,
};
use super::text::{self, Digest, Whose, bare_summary, digest, id_digest, kinds, pieces};
use super::wire::{Done, Info, Meta, Payload, Record, Settings, Tokens};
use super::{head, known, timeline};
use crate::error::Result;
use crate::jsonl::{self, Fault, Input, Lax};
use crate::model::Text;
use crate::note::{Fate, Notes, Tally};

/// How many first texts are kept until it is clear which of them a human wrote.
const TITLES: usize = 40;

/// The first pass over a file and what it goes on from.
pub(super) fn scan(input: &Input) -> Result<Scan> {
    let chain = chain::chain(input);
    let mut scanner = Scanner::default();
    for link in &chain.links {
        scanner.prefix = format!("{}/", link.id);
        scanner.end = link.end;
        scanner.file(&link.input)?;
    }
    scanner.prefix.clear();
    scanner.end = u64::MAX;
    scanner.own = true;
    scanner.scan.own_start = scanner.at();
    let tally = scanner.file(input)?;
    scanner.scan.lines = tally.lines_read;
    scanner.scan.chain = chain;
    Ok(scanner.finish(input))
}

/// Splits a line into what both passes look at.
pub(super) fn split(text: &str) -> Result<(Record<'_>, Option<Payload<'_>>), Fault> {
    let record: Record<'_> = serde_json::from_str(text)?;
    let payload = match record.payload {
        Some(raw) if !raw.get().starts_with('{') => return Ok((record, None)),
        Some(raw) => raw.get(),
        None => text,
    };
    let payload = serde_json::from_str(payload)?;
    Ok((record, Some(payload)))
}

/// Counts the records of one line: two may be glued together.
#[derive(Default)]
pub(super) struct Place {
    line: u64,
    nth: u32,
}

impl Place {
    /// Goes to the next record, which stands on `line`.
    pub(super) fn next(&mut self, line: u64) {
        self.nth = if self.line == line { self.nth + 1 } else { 1 };
        self.line = line;
    }

    /// Returns an id that names the place.
    pub(super) fn id(&self, prefix: &str) -> String {
        match self.nth {
            0 | 1 => format!("{prefix}line-{}", self.line),
            nth => format!("{prefix}line-{}.{nth}", self.line),
        }
    }
}

#[derive(Default)]
pub(super) struct Scanner {
    pub(super) scan: Scan,
    pub(super) prefix: String,
    pub(super) own: bool,
    end: u64,
    place: Place,
    ids: FxHashSet<u64>,
    /// The numbers of all call ids so far.
    calls: FxHashSet<u64>,
    last_script: Option<u32>,
    pub(super) thoughts: FxHashSet<u64>,
    pub(super) titles: Vec<(u32, String)>,
    pub(super) name: Option<String>,
    pub(super) has_own_meta: bool,
    last_total: Option<Tokens>,
    last_used: Option<Tokens>,
    /// Compactions that wait for the next count.
    waiting: Vec<u32>,
}

impl Scanner {
    fn file(&mut self, input: &Input) -> Result<Tally> {
        self.place = Place::default();
        let mut notes = Notes::default();
        jsonl::each_record(input, &mut notes, |line, text, _| {
            let (record, payload) = split(text)?;
            if record.ordinal.is_none_or(|ordinal| ordinal < self.end) {
                self.record(line, &record, payload.as_ref());
            }
            Ok(Fate::Used)
        })
    }

    fn finish(mut self, input: &Input) -> Scan {
        timeline::resolve(&mut self.scan, &self.thoughts);
        head::finish(&mut self, input);
        self.scan
    }

    /// The number that the next row will have.
    fn at(&self) -> u32 {
        u32::try_from(self.scan.rows.len()).unwrap_or(u32::MAX)
    }

    fn record(&mut self, line: u64, record: &Record<'_>, payload: Option<&Payload<'_>>) {
        self.place.next(line);
        if self.own {
            head::time(&mut self.scan.header, record.timestamp.get());
        }
        let row = match payload {
            Some(payload) => self.row(record, payload),
            None => Row::of(Kind::Incomplete),
        };
        self.scan.rows.push(row);
    }

    fn row(&mut self, record: &Record<'_>, payload: &Payload<'_>) -> Row {
        if record.payload.is_none() {
            return self.bare(record, payload);
        }
        match record.kind.text() {
            "session_meta" => self.meta(record.payload),
            "response_item" => self.item(payload, true),
            "event_msg" => self.event(payload),
            "turn_context" => self.settings(record.payload),
            "compacted" => self.compacted(payload),
            "token_usage_record" => {
                self.scan.has_usage_records |= self.own;
                Row::of(if payload.usage.is_some() { Kind::UsageRecord } else { Kind::Skip })
            }
            kind if known::is_line(kind) => Row::of(Kind::Skip),
            _ => Row::of(Kind::Unknown),
        }
    }

    /// A line of the oldest files, which is the item itself.
    fn bare(&mut self, record: &Record<'_>, payload: &Payload<'_>) -> Row {
        if record.record_type.get().is_some() {
            return Row::of(Kind::Skip);
        }
        if record.kind.get().is_some() || payload.role.get().is_some() {
            return self.item(payload, true);
        }
        match record.id.filled() {
            Some(id) if record.timestamp.get().is_some() => {
                self.bare_meta(id);
                Row::of(Kind::Header)
            }
            _ => Row::of(Kind::Unknown),
        }
    }

    fn bare_meta(&mut self, id: &str) {
        if self.own && !self.has_own_meta {
            self.has_own_meta = true;
            self.scan.header.id = id.to_owned();
        }
    }

    fn meta(&mut self, raw: Option<&RawValue>) -> Row {
        if let Some(meta) = jsonl::shaped::<Meta<'_>>(raw).filter(|_| self.own) {
            head::meta(self, &meta);
        }
        Row::of(Kind::Header)
    }

    fn settings(&mut self, raw: Option<&RawValue>) -> Row {
        let settings: Settings<'_> = jsonl::shaped(raw).unwrap_or_default();
        let header = &mut self.scan.header;
        if let Some(model) = settings.model.filled() {
            header.model = Some(model.to_owned());
        }
        if header.cwd.is_none() {
            header.cwd = settings.cwd.filled().map(str::to_owned);
        }
        Row::of(Kind::Skip)
    }

    /// An item that is sent to the model; `outer` unless it stands inside a compaction.
    fn item(&mut self, payload: &Payload<'_>, outer: bool) -> Row {
        let mut row = match payload.kind.get() {
            Some("message") | None if payload.role.get().is_some() => self.message(payload, outer),
            Some("agent_message") => Row::with(Kind::Mail, all_text(payload.content).finish()),
            Some("reasoning") => self.reasoning(payload),
            Some(kind) if known::is_call(kind) => self.call(payload, outer),
            // Without a call it is context that the harness gives.
            Some("function_call_output") if payload.call_id.filled().is_none() => {
                Row::of(Kind::Developer)
            }
            Some(kind) if known::is_result(kind) => Row::with(Kind::Result, call_digest(payload)),
            Some("web_search_call") => Row::of(Kind::WebSearch),
            Some("image_generation_call") => Row::of(Kind::Image),
            Some(kind) if known::is_item(kind) => Row::of(Kind::Skip),
            Some("message") | None => Row::of(Kind::Incomplete),
            Some(_) => Row::of(Kind::Unknown),
        };
        if outer && let Some(id) = payload.id.filled() {
            let is_new = self.ids.insert(id_digest(&format!("{}{id}", self.prefix)));
            row.flags |= if is_new { 0 } else { REPEATED_ID };
        }
        row
    }

    fn message(&mut self, payload: &Payload<'_>, outer: bool) -> Row {
        let kind = match payload.role.text() {
            "user" => return self.user(payload, outer),
            "assistant" => Kind::Answer,
            "developer" => Kind::Developer,
            "system" => Kind::System,
            _ => return Row::of(Kind::Unknown),
        };
        let text = all_text(payload.content);
        if payload.content.is_none() {
            return Row::of(Kind::Incomplete);
        }
        self.scan.header.has_answer |= kind == Kind::Answer && outer;
        Row { size: size(text.bytes), ..Row::with(kind, text.finish()) }
    }

    fn user(&mut self, payload: &Payload<'_>, outer: bool) -> Row {
        let kinds = kinds(payload);
        let (mut typed, mut all) = (Digest::default(), Digest::default());
        let (mut flags, mut title) = (INJECTED, None);
        for (at, (_, piece)) in pieces(payload.content).iter().enumerate() {
            let text = piece.text.and_then(Text::json);
            let plain = text.as_ref().map(Text::plain).unwrap_or_default();
            let whose = text::whose_piece(piece, kinds.get(at));
            if whose == Whose::Human {
                typed.add(&plain);
                title = title.or_else(|| title_of(&plain));
                flags &= !INJECTED;
            }
            all.add(&plain);
        }
        let says_typed = kinds.iter().any(|kind| kind.text().starts_with("user."));
        let says_nothing = kinds.iter().all(|kind| matches!(kind.text(), "" | "unknown"));
        flags |= if says_typed { TYPED } else { 0 } | if says_nothing { UNTOLD } else { 0 };
        if outer && flags & INJECTED == 0 {
            self.title(title);
        }
        let digest = if flags & INJECTED == 0 { &typed } else { &all };
        let row = Row::with(Kind::User, digest.finish());
        Row { size: size(all.bytes), flags, ..row }
    }

    fn title(&mut self, title: Option<String>) {
        if let Some(title) = title.filter(|_| self.titles.len() < TITLES) {
            self.titles.push((self.at(), title));
        }
    }

    fn reasoning(&mut self, payload: &Payload<'_>) -> Row {
        let mut any = payload.encrypted_content.is_some_and(|raw| raw.get().len() > 2);
        for list in [payload.summary, payload.content] {
            for (_, piece) in pieces(list) {
                let Some(text) = piece.text.and_then(Text::json) else { continue };
                any |= !text.is_blank();
                self.thoughts.insert(digest(&text.plain()));
            }
        }
        Row::of(if any { Kind::Reasoning } else { Kind::Skip })
    }

    fn call(&mut self, payload: &Payload<'_>, outer: bool) -> Row {
        let digest = call_digest(payload);
        if outer {
            self.calls.insert(digest);
            if payload.kind.get() == Some("custom_tool_call") && payload.name.text() == "exec" {
                self.last_script = Some(self.at());
            }
        }
        Row::with(Kind::Call, digest)
    }

    fn event(&mut self, payload: &Payload<'_>) -> Row {
        match payload.kind.text() {
            "user_message" => self.user_event(payload),
            "agent_message" => said(Kind::AnswerEvent, payload.message),
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                said(Kind::ReasoningEvent, payload.text.or(payload.message))
            }
            "token_count" => self.count(payload),
            "task_started" | "turn_started" => Row::of(Kind::Task),
            "turn_aborted" => Row::of(Kind::Aborted),
            "error" => Row::of(Kind::Failure),
            "thread_rolled_back" => self.rollback(payload),
            "thread_goal_updated" => Row::of(goal_kind(payload)),
            "thread_name_updated" => self.named(payload),
            "item_completed" => self.done(payload),
            "exec_command_end" | "patch_apply_end" => self.ended(payload),
            "sub_agent_activity" => Row::of(match payload.sort.text() {
                "started" => Kind::Spawn,
                _ => Kind::Skip,
            }),
            kind if known::is_event(kind) => Row::of(Kind::Skip),
            _ => Row::of(Kind::Unknown),
        }
    }

    fn user_event(&mut self, payload: &Payload<'_>) -> Row {
        if !matches!(payload.sort.text(), "" | "plain") {
            return Row::of(Kind::Skip);
        }
        let mut row = said(Kind::UserEvent, payload.message);
        let mut images = [payload.images, payload.local_images].into_iter();
        if row.kind == Kind::Skip && images.any(|list| !jsonl::elements(list).is_empty()) {
            row = Row::with(Kind::UserEvent, digest(""));
        }
        if row.kind == Kind::UserEvent {
            let text = payload.message.and_then(jsonl::string).unwrap_or_default();
            self.title(title_of(&text));
        }
        row
    }

    fn named(&mut self, payload: &Payload<'_>) -> Row {
        if let Some(name) = payload.thread_name.filled().filter(|_| self.own) {
            self.name = Some(name.to_owned());
        }
        Row::of(Kind::Header)
    }

    fn rollback(&mut self, payload: &Payload<'_>) -> Row {
        self.mark();
        let turns = u32::try_from(payload.num_turns.unwrap_or(0)).unwrap_or(u32::MAX);
        Row { size: turns, ..Row::of(Kind::Rollback) }
    }

    /// Remembers the id of the record at hand, because it drops others.
    fn mark(&mut self) {
        let (at, id) = (self.at(), self.place.id(&self.prefix));
        self.scan.marks.insert(at, id);
    }

    /// The same counts come again with each change of limits; only new ones cost something.
    fn count(&mut self, payload: &Payload<'_>) -> Row {
        let Some(info) = jsonl::shaped::<Info<'_>>(payload.info) else {
            return Row::of(Kind::Skip);
        };
        let total: Option<Tokens> = jsonl::shaped(info.total_token_usage);
        let used: Option<Tokens> = jsonl::shaped(info.last_token_usage);
        let is_new = if total.is_some() { total != self.last_total } else { used != self.last_used };
        if used != self.last_used || is_new {
            let after = used.and_then(|used| used.total_tokens);
            for waiting in self.waiting.drain(..) {
                if let Some(found) = self.scan.compactions.get_mut(&waiting) {
                    found.after = after;
                }
            }
        }
        (self.last_total, self.last_used) = (total, used.or(self.last_used));
        Row::of(if is_new && used.is_some() { Kind::Usage } else { Kind::Skip })
    }

    fn done(&mut self, payload: &Payload<'_>) -> Row {
        let done: Done<'_> = jsonl::shaped(payload.item).unwrap_or_default();
        match done.kind.text() {
            "UserMessage" => self.user_done(&done),
            "AgentMessage" => listed(Kind::AnswerEvent, done.content),
            "Reasoning" => {
                let first = jsonl::elements(done.summary_text.filter(|raw| raw.get() != "[]"));
                let first = first.first().copied();
                said(Kind::ReasoningEvent, first.or(jsonl::elements(done.raw_content).first().copied()))
            }
            "Plan" => Row::of(if done.text.is_some() { Kind::PlanText } else { Kind::Skip }),
            "CommandExecution" | "FileChange" => self.command_done(&done),
            kind if known::is_done(kind) => Row::of(Kind::Skip),
            _ => Row::of(Kind::Unknown),
        }
    }

    fn user_done(&mut self, done: &Done<'_>) -> Row {
        let row = listed(Kind::UserEvent, done.content);
        let first = pieces(done.content).into_iter().find_map(|(_, piece)| piece.text);
        let text = first.and_then(jsonl::string).unwrap_or_default();
        self.title(title_of(&text));
        row
    }

    fn command_done(&mut self, done: &Done<'_>) -> Row {
        let id = id_digest(done.id.text());
        let outcome = outcome(&done.exit_code, done.status.text(), None);
        if self.calls.contains(&id) {
            self.scan.outcomes.insert(id, outcome);
            return Row::of(Kind::Skip);
        }
        let Some(script) = self.last_script else { return Row::of(Kind::Skip) };
        if let Some(row) = self.scan.rows.get_mut(script as usize) {
            row.flags |= LISTED;
        }
        Row::with(Kind::Child, id)
    }

    fn ended(&mut self, payload: &Payload<'_>) -> Row {
        let outcome = outcome(&payload.exit_code, payload.status.text(), payload.success);
        self.scan.outcomes.insert(id_digest(payload.call_id.text()), outcome);
        Row::of(Kind::Skip)
    }

    fn compacted(&mut self, payload: &Payload<'_>) -> Row {
        self.mark();
        let message = payload.message.and_then(jsonl::string).unwrap_or_default();
        let summary = (!message.trim().is_empty()).then(|| digest(bare_summary(&message)));
        let mut found = Compacted { summary, listed: false, ..Compacted::default() };
        found.before = self.last_used.and_then(|used| used.total_tokens);
        if let Some(history) = payload.replacement_history {
            found.listed = true;
            for raw in jsonl::elements(Some(history)) {
                let payload: Payload<'_> = jsonl::shaped(Some(raw)).unwrap_or_default();
                found.subs.push(Sub { row: self.item(&payload, false), copy_of: None });
            }
        }
        let at = self.at();
        self.waiting.push(at);
        self.scan.compactions.insert(at, found);
        Row::of(Kind::Compaction)
    }
}

/// Returns the number of the call that a record names.
fn call_digest(payload: &Payload<'_>) -> u64 {
    id_digest(payload.call_id.filled().or(payload.id.filled()).unwrap_or_default())
}

fn goal_kind(payload: &Payload<'_>) -> Kind {
    if payload.goal.is_some() { Kind::Goal } else { Kind::Skip }
}

/// An event that repeats one text.
fn said(kind: Kind, text: Option<&RawValue>) -> Row {
    let Some(text) = text.and_then(Text::json).filter(|text| !text.is_blank()) else {
        return Row::of(Kind::Skip);
    };
    let plain = text.plain();
    if plain == known::COMPACTED_NOTICE {
        return Row::of(Kind::Skip);
    }
    Row { size: size(plain.len()), ..Row::with(kind, digest(&plain)) }
}

/// An event that repeats a message of several pieces.
fn listed(kind: Kind, content: Option<&RawValue>) -> Row {
    let text = all_text(content);
    Row { size: size(text.bytes), ..Row::with(kind, text.finish()) }
}

fn all_text(content: Option<&RawValue>) -> Digest {
    let mut digest = Digest::default();
    for (_, piece) in pieces(content) {
        if let Some(text) = piece.text.and_then(Text::json) {
            digest.add(&text.plain());
        }
    }
    digest
}

fn outcome(exit_code: &Lax<'_>, status: &str, success: Option<&RawValue>) -> Outcome {
    let exit_code = exit_code.get().and_then(|code| code.parse().ok());
    let failed = matches!(status, "failed" | "declined")
        || success.is_some_and(|raw| raw.get() == "false")
        || exit_code.is_some_and(|code: i64| code != 0);
    Outcome { exit_code, failed, declined: status == "declined" }
}

/// Returns what names a request in a table.
fn title_of(words: &str) -> Option<String> {
    crate::harness::title_of(text::request(words).unwrap_or(words))
}

fn size(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
