//! The first pass: one row a record, the header, and how calls ended.

use rustc_hash::FxHashSet;
use serde_json::value::RawValue;

use super::chain;
use super::digest::{Digest, digest, id_digest};
use super::event::Told;
use super::row::{Compacted, INJECTED, Kind, OTHERS, REPEATED_ID, Row, Scan, Sub, TYPED, UNTOLD};
use super::text::{self, Whose, bare_summary, kinds, pieces};
use super::wire::{Meta, Payload, Record, Settings, Tokens, Whole};
use super::{head, known, timeline};
use crate::error::Result;
use crate::harness::mark::Mark;
use crate::json;
use crate::jsonl::{self, Fault, Input};
use crate::model::{Origin, Text};
use crate::note::{Fate, Tally};

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
///
/// The raw payload is only there for the lines whose payload is not an item: going through it a
/// second time would cost as much as the first.
pub(super) fn split(text: &str) -> Result<(Record<'_>, Option<Box<Payload<'_>>>), Fault> {
    let whole: Whole<'_> = json::from_str(text)?;
    let wrapped = whole.payload.is_some();
    let mut payload = match whole.payload {
        Some(payload) => payload.0,
        None => Some(json::from_str(text)?),
    };
    if let Some(payload) = &mut payload {
        payload.mark = whole.converted_from;
    }
    if matches!(whole.kind.text(), "session_meta" | "turn_context") {
        let record: Record<'_> = json::from_str(text)?;
        return Ok((Record { wrapped, ..record }, payload));
    }
    let record = Record {
        timestamp: whole.timestamp,
        kind: whole.kind,
        payload: None,
        ordinal: whole.ordinal,
        record_type: whole.record_type,
        id: whole.id,
        wrapped,
    };
    Ok((record, payload))
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
        let line = self.line.to_string();
        match self.nth {
            0 | 1 => [prefix, "line-", &line].concat(),
            nth => format!("{prefix}line-{line}.{nth}"),
        }
    }
}

#[derive(Default)]
pub(super) struct Scanner {
    pub(super) scan: Scan,
    pub(super) prefix: String,
    pub(super) own: bool,
    pub(super) end: u64,
    pub(super) place: Place,
    pub(super) ids: FxHashSet<u64>,
    /// The numbers of all call ids so far.
    pub(super) calls: FxHashSet<u64>,
    pub(super) last_script: Option<u32>,
    /// The numbers of all thoughts so far.
    thoughts: Vec<u64>,
    pub(super) titles: Vec<(u32, String)>,
    pub(super) name: Option<String>,
    pub(super) has_own_meta: bool,
    pub(super) last_total: Option<Tokens>,
    pub(super) last_used: Option<Tokens>,
    pub(super) told: Told,
    /// Compactions that wait for the next count.
    pub(super) waiting: Vec<u32>,
}

impl Scanner {
    fn file(&mut self, input: &Input) -> Result<Tally> {
        self.place = Place::default();
        jsonl::skim(input, |line, text| {
            let (record, payload) = split(text)?;
            if record.ordinal.is_none_or(|ordinal| ordinal < self.end) {
                self.record(line, text, &record, payload.as_deref());
            }
            Ok(Fate::Used)
        })
    }

    fn finish(mut self, input: &Input) -> Scan {
        (self.ids, self.calls) = Default::default();
        timeline::resolve(&mut self.scan, std::mem::take(&mut self.thoughts));
        head::finish(&mut self, input);
        self.scan
    }

    /// The number that the next row will have.
    pub(super) fn at(&self) -> u32 {
        u32::try_from(self.scan.rows.len()).unwrap_or(u32::MAX)
    }

    fn record(
        &mut self,
        line: u64,
        text: &str,
        record: &Record<'_>,
        payload: Option<&Payload<'_>>,
    ) {
        self.place.next(line);
        if self.own {
            head::time(&mut self.scan.header, record.timestamp.get());
        }
        let row = match payload {
            Some(payload) => self.row(text, record, payload),
            None => Row::of(Kind::Incomplete),
        };
        self.scan.rows.push(row);
    }

    fn row(&mut self, text: &str, record: &Record<'_>, payload: &Payload<'_>) -> Row {
        if !record.wrapped {
            return self.bare(text, record, payload);
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
            // Mail in a line of its own; what the model is sent is made of it.
            "inter_agent_communication" => self.mail(payload),
            kind if known::is_line(kind) => Row::of(Kind::Skip),
            _ => Row::of(Kind::Unknown),
        }
    }

    fn mail(&self, payload: &Payload<'_>) -> Row {
        Row::with(Kind::Mail, all_text(payload.content).finish())
    }

    /// A line of the oldest files, which is the item itself.
    fn bare(&mut self, text: &str, record: &Record<'_>, payload: &Payload<'_>) -> Row {
        if record.record_type.get().is_some() {
            return Row::of(Kind::Skip);
        }
        if record.kind.get().is_some() || payload.role.get().is_some() {
            return self.item(payload, true);
        }
        match record.id.filled() {
            Some(_) if record.timestamp.get().is_some() => {
                self.bare_meta(text);
                Row::of(Kind::Header)
            }
            _ => Row::of(Kind::Unknown),
        }
    }

    fn bare_meta(&mut self, text: &str) {
        if let Ok(meta) = json::from_str::<Meta<'_>>(text)
            && self.own
        {
            head::meta(self, &meta);
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
            Some("agent_message") => self.mail(payload),
            Some("reasoning") => self.reasoning(payload),
            Some(kind) if known::is_call(kind) => self.call(payload, outer),
            // Without a call it is context that the harness gives.
            Some("function_call_output") if payload.call_id.filled().is_none() => {
                Row::of(Kind::Developer)
            }
            Some(kind) if known::is_result(kind) => Row::with(Kind::Result, call_digest(payload)),
            Some("web_search_call") => Row::of(Kind::WebSearch),
            Some("image_generation_call") => Row::of(Kind::Image),
            Some(kind) if known::is_summary(kind) && outer => self.reasoning(payload),
            Some(kind) if known::is_item(kind) => Row::of(Kind::Skip),
            Some("message") | None => Row::of(Kind::Incomplete),
            Some(_) => Row::of(Kind::Unknown),
        };
        // Who works answers, though nothing is said yet.
        self.scan.header.has_answer |= outer && matches!(row.kind, Kind::Call);
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
            if whose == Whose::Harness && self.own && self.scan.header.cwd.is_none() {
                self.scan.header.cwd = text::folder(&plain);
            }
            all.add(&plain);
        }
        let says_typed = kinds.iter().any(|kind| kind.text().starts_with("user."));
        let says_nothing = kinds.iter().all(|kind| matches!(kind.text(), "" | "unknown"));
        flags |= if says_typed { TYPED } else { 0 } | if says_nothing { UNTOLD } else { 0 };
        let digest = if flags & INJECTED == 0 { &typed } else { &all };
        if let Some(Mark { origin: Some(origin), said, .. }) = Mark::read(payload.mark) {
            flags = if origin == Origin::Human { TYPED } else { INJECTED | OTHERS };
            title = said.as_deref().and_then(title_of).or(title);
        }
        if outer && flags & INJECTED == 0 {
            self.title(title);
        }
        let row = Row::with(Kind::User, digest.finish());
        Row { size: size(all.bytes), flags, ..row }
    }

    pub(super) fn title(&mut self, title: Option<String>) {
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
                self.thoughts.push(digest(&text.plain()));
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

    fn compacted(&mut self, payload: &Payload<'_>) -> Row {
        self.mark();
        let message = payload.message.and_then(jsonl::string).unwrap_or_default();
        let summary = (!message.trim().is_empty()).then(|| digest(bare_summary(&message)));
        let mut found = Compacted { summary, listed: false, ..Compacted::default() };
        found.before = self.last_used.and_then(|used| used.total_tokens);
        if let Some(history) = payload.replacement_history {
            found.listed = true;
            for item in inside(history, payload.mark) {
                found.subs.push(Sub { row: self.item(&item, false), copy_of: None });
            }
        }
        let at = self.at();
        self.waiting.push(at);
        self.scan.compactions.insert(at, found);
        Row::of(Kind::Compaction)
    }
}

/// Returns the items inside a compaction; `marks` is a list of what was noted beside each.
pub(super) fn inside<'a>(history: &'a RawValue, marks: Option<&'a RawValue>) -> Vec<Payload<'a>> {
    let marks = jsonl::elements(marks.filter(|raw| raw.get().starts_with('[')));
    let item = |(place, raw): (usize, &'a RawValue)| Payload {
        mark: marks.get(place).copied(),
        ..jsonl::shaped(Some(raw)).unwrap_or_default()
    };
    jsonl::elements(Some(history)).into_iter().enumerate().map(item).collect()
}

/// Returns the number of the call that a record names.
fn call_digest(payload: &Payload<'_>) -> u64 {
    id_digest(payload.call_id.filled().or(payload.id.filled()).unwrap_or_default())
}

pub(super) fn all_text(content: Option<&RawValue>) -> Digest {
    let mut digest = Digest::default();
    for (_, piece) in pieces(content) {
        if let Some(text) = piece.text.and_then(Text::json) {
            digest.add(&text.plain());
        }
    }
    digest
}

/// Returns what names a request in a table.
pub(super) fn title_of(words: &str) -> Option<String> {
    crate::harness::title_of(text::request(words).unwrap_or(words))
}

pub(super) fn size(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
