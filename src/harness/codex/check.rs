//! What would stop the client from listing, loading or sending a file, or what it would drop.

mod found;
mod items;
mod meta;
mod place;

use serde::Deserialize;
use serde_json::value::RawValue;

use self::found::Found;
use self::items::History;
use super::wire::{Info, Payload, Record, Tokens};
use super::{chain, known, old, recognise};
use crate::error::Result;
use crate::harness::Finding;
use crate::harness::Severity::{Error, Info as Hint, Warning};
use crate::harness::time::is_time;
use crate::json;
use crate::jsonl::{self, Input, Lax, Line};

/// How far down the client looks for what it shows in its list.
const PREVIEW_LINES: u64 = 210;
/// From how many bytes of text on a history should have a count of its tokens.
const LONG_BYTES: u64 = 400_000;
/// How much of a file is looked at to see what it is.
const HEAD_BYTES: usize = 4096;

/// Looks through a file as the client does.
pub(super) fn check(input: &Input) -> Result<Vec<Finding>> {
    let mut found = Found::default();
    if old::is_document(String::from_utf8_lossy(&input.head(HEAD_BYTES)?).trim_start()) {
        found.add(Error, 1, "old_form", "is one document, which no client since 0.36 reads");
        found.hint("`segue convert` writes it in the form of today");
        return Ok(found.list());
    }
    let mut doctor = Doctor { found, ..Doctor::default() };
    let mut lines = input.lines()?;
    while let Some(line) = lines.next_line()? {
        doctor.line(&line);
    }
    doctor.end(input);
    Ok(doctor.found.list())
}

/// What is remembered from line to line.
#[derive(Default)]
struct Doctor {
    found: Found,
    meta: Option<meta::Meta>,
    /// Lines that are not blank.
    lines: u64,
    is_old: bool,
    has_preview: bool,
    /// The ordinal of the last line, if it has one.
    ordinal: Option<u64>,
    ends: bool,
    history: History,
    /// The last count: tokens in use, and how many there may be.
    count: Option<(u64, Option<u64>)>,
}

impl Doctor {
    fn line(&mut self, line: &Line<'_>) {
        self.ends = line.ended;
        let bytes = line.bytes.trim_ascii();
        if bytes.is_empty() {
            return;
        }
        self.lines += 1;
        let text = std::str::from_utf8(bytes).ok();
        let record: Option<Record<'_>> = text.and_then(|text| json::from_str(text).ok());
        let Some(record) = record else { return self.broken(line) };
        if self.lines == 1 {
            self.first(&record, text.unwrap_or_default());
        }
        if self.is_old {
            return;
        }
        self.ordinal = record.ordinal;
        if record.timestamp.get().is_none_or(|time| !is_time(time)) {
            let why = "has no time stamp in RFC 3339: the client drops the line";
            match (self.lines, record.kind.get()) {
                (1, Some("session_meta")) => {
                    let why = format!("{why}, and with it what the session is");
                    self.found.add(Error, line.number, "no_meta", &why);
                }
                _ => self.found.add(Warning, line.number, "missing_timestamp", why),
            }
            return;
        }
        let Some(payload) = record.payload else {
            self.found.add(Warning, line.number, "missing_payload", "has no payload");
            return;
        };
        self.record(record.kind.text(), payload, line.number);
    }

    fn broken(&mut self, line: &Line<'_>) {
        if self.lines == 1 {
            let why = "is no JSON record; the first line must be the `session_meta`";
            self.found.add(Error, line.number, "no_meta", why);
        } else if line.ended {
            let why = "is no JSON record: the client skips the line";
            self.found.add(Warning, line.number, "broken_line", why);
        } else {
            let why = "is cut off: the client skips the line";
            self.found.add(Warning, line.number, "cut_off_line", why);
        }
    }

    /// The first line tells who the session is; nothing may stand before it.
    fn first(&mut self, record: &Record<'_>, text: &str) {
        if record.kind.get() == Some("session_meta") && record.payload.is_some() {
            return;
        }
        self.is_old = record.payload.is_none() && recognise::recognises(text);
        if self.is_old {
            let why = "is of the form before 0.32, which the client does not resume";
            self.found.add(Error, 1, "old_form", why);
            self.found.hint("`segue convert` writes it in the form of today");
        } else {
            let why = "the first line is not the `session_meta`: the client does not resume it";
            self.found.add(Error, 1, "no_meta", why);
        }
    }

    fn record(&mut self, kind: &str, raw: &RawValue, line: u64) {
        let Some(payload) = jsonl::shaped::<Payload<'_>>(Some(raw)) else {
            self.found.add(Warning, line, "missing_payload", "has a payload that is no object");
            return;
        };
        match kind {
            "session_meta" if self.meta.is_none() => {
                self.meta = Some(meta::check(raw, line, &mut self.found));
            }
            "response_item" => self.history.item(&payload, line, &mut self.found),
            "compacted" => self.history.compacted(&payload, line, &mut self.found),
            "event_msg" => self.event(&payload, line),
            "session_meta" | "turn_context" | "token_usage_record" => {}
            kind if known::is_line(kind) => {}
            kind => {
                let why = format!("has the unknown type `{}`", found::short(kind));
                self.found.add(Hint, line, "unknown_type", &why);
            }
        }
    }

    fn event(&mut self, payload: &Payload<'_>, line: u64) {
        let done = payload.item.and_then(|item| jsonl::shaped::<Kind<'_>>(Some(item)));
        let is_user_item = done.is_some_and(|done| done.kind.get() == Some("UserMessage"));
        match payload.kind.text() {
            "item_completed" if is_user_item => self.preview(),
            "user_message" if payload.message.is_some_and(|raw| raw.get().starts_with('"')) => {
                self.preview();
            }
            "user_message" => {
                let why = "is a `user_message` without its text: the client skips the line";
                self.found.add(Warning, line, "incomplete_item", why);
            }
            "thread_goal_updated" => self.preview(),
            "token_count" => self.count(payload),
            _ => {}
        }
    }

    fn preview(&mut self) {
        self.has_preview |= self.lines <= PREVIEW_LINES;
    }

    fn count(&mut self, payload: &Payload<'_>) {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Window {
            #[serde(deserialize_with = "jsonl::count")]
            model_context_window: Option<u64>,
        }
        let Some(info) = jsonl::shaped::<Info<'_>>(payload.info) else { return };
        let last: Tokens = jsonl::shaped(info.last_token_usage).unwrap_or_default();
        let window: Window = jsonl::shaped(payload.info).unwrap_or_default();
        self.count = Some((last.total_tokens.unwrap_or_default(), window.model_context_window));
    }

    fn end(&mut self, input: &Input) {
        if self.lines == 0 {
            return self.found.add(Error, 0, "no_meta", "holds no record");
        }
        // Without a beginning nothing else matters; that was said at the first line.
        let Some(meta) = self.meta.take().filter(|_| !self.is_old) else { return };
        let found = &mut self.found;
        place::check(input, &meta.id, found);
        if meta.is_paginated && self.ordinal.is_none() {
            let why =
                "is paginated, and its last line has no `ordinal`: the client does not resume it";
            found.add(Error, 0, "missing_ordinal", why);
        }
        if !self.has_preview {
            let why = "has no `user_message` event in its first lines: the client does not list it";
            found.add(Error, 0, "not_listed", why);
            found.hint(&format!("it can be resumed by its id: `codex resume {}`", meta.id));
        }
        if let Some(missing) = chain::chain(input).missing {
            let why = format!("goes on from session {missing}, which is not beside it");
            found.add(Error, 0, "missing_history", &why);
        }
        if !self.ends {
            let why = "does not end with a line end; the client adds one";
            found.add(Hint, 0, "no_line_end", why);
        }
        self.history.end(found);
        self.length();
    }

    fn length(&mut self) {
        match self.count {
            None if self.history.bytes > LONG_BYTES => {
                let why = "has no count of tokens: the client sends it whole, however long it is";
                self.found.add(Warning, 0, "no_token_count", why);
            }
            Some((used, Some(window))) if used > window / 10 * 9 => {
                let why = format!("uses {used} of {window} tokens: the client compacts it first");
                self.found.add(Hint, 0, "will_compact", &why);
            }
            _ => {}
        }
    }
}

/// The kind of a thing inside an event.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Kind<'a> {
    #[serde(rename = "type")]
    kind: Lax<'a>,
}
