//! The second pass: lines to items.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use super::live::Fate as Lot;
use super::piece::{Piece, pieces};
use super::plans::{Pending, Plans};
use super::scan::{self, Node, Scan};
use super::wire::{
    Block, CompactMeta, ImageSource, Line, Message as WireMessage, ToolUseResult,
    Usage as WireUsage,
};
use super::{action, attachment, beside, result, said, tools};
use crate::error::Result;
use crate::harness::{Sink, Want};
use crate::jsonl::{self, Fault, Input};
use crate::model::{
    Blob, Body, Compaction, End, Item, Message, Origin, Part, Persisted, Reasoning, Role,
    SideSession, Status, Text, ToolCall, ToolKind, Usage,
};
use crate::note::{Fate, NoteKind, Notes};

/// Reads a whole session.
pub(super) fn session(input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
    let mut notes = Notes::default();
    let scan = scan::scan(input, &mut notes)?;
    sink.header(&scan.header)?;
    let mut reader = Reader::new(&scan, input, want, sink);
    let mut raw = want.raw_lines.then(|| input.lines()).transpose()?;
    let tally = jsonl::each_record(input, &mut notes, |number, text, notes| {
        if let Some(lines) = raw.as_mut().filter(|_| reader.raw_line < number) {
            reader.raw_lines(lines, number)?;
        }
        reader.line(number, text, notes)
    })?;
    if let Some(lines) = raw.as_mut() {
        reader.raw_lines(lines, u64::MAX)?;
    }
    reader.finish(&mut notes)?;
    Ok(End { tally, notes: notes.list() })
}

/// What is known of a call whose result has not come yet.
struct Open {
    kind: ToolKind,
    turn: u32,
    pending: Option<Pending>,
    /// Hash of the prompt of a side session, to find the one it began.
    prompt: u64,
}

/// Turns lines into items, one after the other.
pub(super) struct Reader<'r> {
    scan: &'r Scan,
    input: &'r Input,
    want: Want,
    sink: &'r mut dyn Sink,
    /// Index of the next line with a uuid.
    next_node: usize,
    turn: u32,
    open: FxHashMap<String, Open>,
    /// Side sessions by the call that began them: id of the agent, call, turn.
    pub(super) agents: FxHashMap<String, (String, u32)>,
    plans: Plans,
    compaction: Option<Item<'static>>,
    sides: FxHashMap<u128, String>,
    raw_line: u64,
    /// The side session whose file is being read.
    side: Option<String>,
}

/// One line with what the tree says of it.
pub(super) struct Place<'a> {
    number: u64,
    id: Cow<'a, str>,
    node: Option<&'a Node>,
    index: u32,
}

impl<'r> Reader<'r> {
    fn new(scan: &'r Scan, input: &'r Input, want: Want, sink: &'r mut dyn Sink) -> Self {
        Self {
            scan,
            input,
            want,
            sink,
            next_node: 0,
            turn: 0,
            open: FxHashMap::default(),
            agents: FxHashMap::default(),
            plans: Plans::default(),
            compaction: None,
            sides: FxHashMap::default(),
            raw_line: 0,
            side: None,
        }
    }

    fn raw_lines(&mut self, lines: &mut jsonl::Lines<'_>, until: u64) -> Result<()> {
        while self.raw_line < until {
            let Some(line) = lines.next_line()? else { return Ok(()) };
            self.raw_line = line.number;
            self.sink.raw_line(line.number, line.bytes, line.ended)?;
        }
        Ok(())
    }

    fn line(&mut self, number: u64, text: &str, notes: &mut Notes) -> Result<Fate, Fault> {
        let line: Line<'_> = serde_json::from_str(text)?;
        let is_node = line.uuid.filled().is_some() || scan::is_talk(&line);
        let scan = self.scan;
        let index = self.next_node;
        let node = is_node.then(|| scan.nodes.get(index)).flatten();
        self.next_node += usize::from(is_node);
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        if node.is_some() && !scan.fates.floors.is_empty() {
            self.sink.settled(scan.fates.floors[index as usize])?;
        }
        let id = match line.uuid.filled() {
            _ if self.is_duplicate(node, index) => {
                Cow::Owned(format!("{}~{number}", line.uuid.text()))
            }
            Some(id) => Cow::Owned(id.to_owned()),
            None => Cow::Owned(format!("line-{number}")),
        };
        let place = Place { number, id, node, index };
        Ok(self.route(&line, &place, notes)?)
    }

    fn is_duplicate(&self, node: Option<&Node>, index: u32) -> bool {
        node.is_some() && self.scan.fates.of.get(index as usize) == Some(&Lot::Duplicate)
    }

    /// Sends a line to what reads its type.
    fn route(&mut self, line: &Line<'_>, place: &Place<'_>, notes: &mut Notes) -> Result<Fate> {
        match line.kind.text() {
            "user" | "assistant" if line.message.0.is_none() => {
                notes.add(NoteKind::IncompleteRecord, line.kind.text(), place.number);
                Ok(Fate::Noted)
            }
            "user" => self.user(line, place, notes),
            "assistant" => self.assistant(line, place, notes),
            "system" => self.system(line, place, notes),
            "attachment" => self.attachment(line, place, notes),
            "ai-title" | "custom-title" | "summary" => Ok(Fate::Used),
            kind if tools::is_bookkeeping(kind) => Ok(Fate::Bookkeeping),
            kind => {
                notes.add(NoteKind::UnknownRecord, kind, place.number);
                Ok(Fate::Noted)
            }
        }
    }

    fn user(&mut self, line: &Line<'_>, place: &Place<'_>, notes: &mut Notes) -> Result<Fate> {
        let Some(message) = &line.message.0 else { return Ok(Fate::Noted) };
        let pieces = pieces(message.content);
        let mut run: Vec<Part<'_>> = Vec::new();
        let mut count = 0;
        self.begin_side(line, place, message.content)?;
        for piece in &pieces {
            match piece.block.as_ref().filter(|_| piece.kind() == "tool_result") {
                Some(block) => {
                    self.words(line, place, std::mem::take(&mut run), &mut count)?;
                    self.result(line, place, block, &mut count, notes)?;
                }
                None => run.extend(self.part(piece, place, notes)),
            }
        }
        self.words(line, place, run, &mut count)?;
        if count == 0 && pieces.is_empty() {
            notes.add(NoteKind::IncompleteRecord, "user", place.number);
            return Ok(Fate::Noted);
        }
        Ok(if count == 0 { Fate::Bookkeeping } else { Fate::Used })
    }

    /// Gives the words of a user line.
    fn words<'a>(
        &mut self,
        line: &Line<'a>,
        place: &Place<'a>,
        parts: Vec<Part<'a>>,
        count: &mut usize,
    ) -> Result<()> {
        let parts: Vec<_> = parts.into_iter().filter(|part| !is_blank(part)).collect();
        if parts.is_empty() {
            return Ok(());
        }
        let (origin, said) = authorship(line, &parts);
        if line.is_summary {
            self.summary(place, &parts)?;
        }
        let interrupted = first_start(&parts).starts_with("[Request interrupted by user");
        let mut message = Message { said, ..Message::text(Role::User, origin, "") };
        message.parts = parts;
        if origin == Origin::Human && !line.is_side && self.side.is_none() {
            self.turn += 1;
        }
        self.give(line, place, count, Body::Message(message))?;
        if interrupted {
            let notice = Body::Notice { kind: "interrupted".into(), text: None };
            let id = format!("{}/interrupted", place.id);
            return self.aside(line, place, id, notice);
        }
        Ok(())
    }

    fn result<'a>(
        &mut self,
        line: &Line<'a>,
        place: &Place<'a>,
        block: &Block<'a>,
        count: &mut usize,
        notes: &mut Notes,
    ) -> Result<()> {
        let parts = pieces(block.content);
        let parts = parts.iter().filter_map(|piece| self.part(piece, place, notes)).collect();
        let call_id = block.tool_use_id.text();
        let kind = self.open.get(call_id).map(|open| open.kind);
        // The same line comes again, and it is that one which counts.
        let is_copy = self.is_duplicate(place.node, place.index);
        let open = if is_copy { None } else { self.open.remove(call_id) };
        if open.is_none() && !is_copy {
            notes.add(NoteKind::OrphanResult, "", place.number);
        }
        let mut result = result::result(block, line.tool_result, kind, parts);
        if let Some(name) = result::persisted_name(&result.output, line.tool_result) {
            let text = beside::tool_output(self.input, &name, place.number, notes);
            result.persisted = text.map(|(bytes, text)| Persisted { name, bytes, text });
        }
        self.link_agent(line.tool_result, block.tool_use_id.text(), open.as_ref());
        let (status, call_id) = (result.status, result.call_id.clone().into_owned());
        let pending = open.and_then(|open| open.pending).filter(|_| status == Status::Ok);
        let plan = pending.and_then(|pending| {
            self.plans.apply(pending, line.tool_result, &first_start(&result.output))
        });
        self.give(line, place, count, Body::ToolResult(result))?;
        let Some(mut plan) = plan.filter(|_| self.side.is_none()) else { return Ok(()) };
        plan.call_id = Some(call_id.into());
        let item = self.item(line, place, format!("{}/plan", place.id).into(), Body::Plan(plan));
        self.sink.item(item)
    }

    /// Remembers which call began a side session.
    fn link_agent(&mut self, own: Option<&RawValue>, call_id: &str, open: Option<&Open>) {
        let Some(open) = open.filter(|open| open.kind == ToolKind::Agent) else { return };
        let more: ToolUseResult<'_> = jsonl::shaped(own).unwrap_or_default();
        if let Some(agent) = more.agent_id.filled() {
            self.agents.insert(agent.to_owned(), (call_id.to_owned(), open.turn));
        }
    }

    fn assistant(&mut self, line: &Line<'_>, place: &Place<'_>, notes: &mut Notes) -> Result<Fate> {
        let Some(message) = &line.message.0 else { return Ok(Fate::Noted) };
        let pieces = pieces(message.content);
        let mut count = 0;
        for piece in &pieces {
            let Some(body) = self.said_by_model(piece, message, place, notes) else { continue };
            self.give(line, place, &mut count, body)?;
        }
        self.usage(line, place, message)?;
        if pieces.is_empty() {
            notes.add(NoteKind::IncompleteRecord, "assistant", place.number);
            return Ok(Fate::Noted);
        }
        Ok(if count == 0 { Fate::Bookkeeping } else { Fate::Used })
    }

    fn said_by_model<'a>(
        &mut self,
        piece: &Piece<'a>,
        message: &WireMessage<'a>,
        place: &Place<'a>,
        notes: &mut Notes,
    ) -> Option<Body<'a>> {
        let message_id = message.id.clone().take();
        let Some(block) = piece.block.as_ref() else {
            return self.model_words(self.part(piece, place, notes)?, message);
        };
        match block.kind.text() {
            "thinking" | "redacted_thinking" => {
                let text = block.thinking.and_then(Text::json).unwrap_or_else(|| "".into());
                let opaque = block.signature.is_some() || block.thinking.is_none();
                Some(Body::Reasoning(Reasoning { text, message_id, opaque }))
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                Some(Body::ToolCall(self.call(block, message_id)))
            }
            kind if kind.ends_with("_tool_result") => {
                let json = block.content.unwrap_or_else(|| piece.raw());
                let part = Part::Other { kind: kind.to_owned().into(), json: Cow::Borrowed(json) };
                self.open.remove(block.tool_use_id.text());
                Some(Body::ToolResult(result::result(block, None, None, vec![part])))
            }
            _ => self.model_words(self.part(piece, place, notes)?, message),
        }
    }

    fn model_words<'a>(&self, part: Part<'a>, message: &WireMessage<'a>) -> Option<Body<'a>> {
        if is_blank(&part) {
            return None;
        }
        Some(Body::Message(Message {
            role: Role::Assistant,
            origin: Origin::Model,
            message_id: message.id.clone().take(),
            model: message.model.clone().take(),
            parts: vec![part],
            said: None,
        }))
    }

    fn call<'a>(&mut self, block: &Block<'a>, message_id: Option<Cow<'a, str>>) -> ToolCall<'a> {
        let name = block.name.clone().take().unwrap_or_default();
        let kind = tools::kind(&name);
        let arguments = arguments(block.input);
        let value = || serde_json::from_str::<serde_json::Value>(arguments.get()).ok();
        let action = if self.want.actions {
            value().and_then(|input| action::action(&name, &input)).map(Box::new)
        } else {
            None
        };
        let prompt = match kind {
            ToolKind::Agent => value().and_then(|v| Some(hash(v.get("prompt")?.as_str()?))),
            _ => None,
        };
        let pending = (kind == ToolKind::Plan).then(|| Pending::read(&name, &arguments)).flatten();
        let open = Open { kind, turn: self.turn, pending, prompt: prompt.unwrap_or(0) };
        self.open.insert(block.id.text().to_owned(), open);
        let call_id = block.id.clone().take().unwrap_or_default();
        ToolCall { call_id, name, kind, arguments, message_id, parent_call: None, action }
    }

    /// Gives the cost of a response at its last line.
    fn usage(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        message: &WireMessage<'_>,
    ) -> Result<()> {
        let group = place.node.map_or(0, |node| node.message) as usize;
        let is_last = group == 0 || self.scan.last_of_message.get(group) == Some(&place.index);
        let usage: Option<WireUsage> = jsonl::shaped(message.usage).filter(|_| is_last);
        let Some(usage) = usage.filter(|_| !line.is_api_error) else { return Ok(()) };
        let parts =
            [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
        let body = Body::Usage(Usage {
            model: message.model.clone().take(),
            input_tokens: parts.iter().flatten().copied().reduce(u64::saturating_add),
            cached_tokens: usage.cache_read_input_tokens,
            cache_write_tokens: usage.cache_creation_input_tokens,
            output_tokens: usage.output_tokens,
            ..Usage::default()
        });
        // A response may get more lines, so that its own id is what stays.
        let own = message.id.filled().filter(|_| group != 0);
        self.aside(line, place, format!("{}/usage", own.unwrap_or(&place.id)), body)
    }

    fn system(&mut self, line: &Line<'_>, place: &Place<'_>, notes: &mut Notes) -> Result<Fate> {
        let text = line.content.and_then(Text::json);
        match line.subtype.text() {
            "compact_boundary" => self.boundary(line, place).map(|()| Fate::Used),
            "local_command" => {
                let Some(text) = text else { return Ok(Fate::Bookkeeping) };
                let message = Message::text(Role::User, Origin::Command, text);
                self.give(line, place, &mut 0, Body::Message(message)).map(|()| Fate::Used)
            }
            subtype if tools::is_quiet(subtype) => Ok(Fate::Bookkeeping),
            subtype => {
                if !tools::is_notice(subtype) {
                    notes.add(NoteKind::UnknownRecord, &format!("system/{subtype}"), place.number);
                }
                let kind = subtype.to_owned().into();
                self.aside(line, place, place.id.to_string(), Body::Notice { kind, text })?;
                Ok(Fate::Used)
            }
        }
    }

    fn attachment(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Result<Fate> {
        let Some(found) = attachment::read(line, place.number, notes) else {
            return Ok(Fate::Bookkeeping);
        };
        let is_human = matches!(&found, Body::Message(message) if message.origin == Origin::Human);
        self.turn += u32::from(is_human && self.side.is_none() && !line.is_side);
        match found {
            Body::Notice { .. } => self.aside(line, place, place.id.to_string(), found)?,
            found => self.give(line, place, &mut 0, found)?,
        }
        Ok(Fate::Used)
    }

    /// Keeps a boundary until its summary comes.
    fn boundary(&mut self, line: &Line<'_>, place: &Place<'_>) -> Result<()> {
        self.release_compaction()?;
        let meta: CompactMeta<'_> = jsonl::shaped(line.compact).unwrap_or_default();
        let lines = self.scan.fates.replaced.get(&place.index).map_or(&[][..], Vec::as_slice);
        let replaced = lines.iter().map(|index| &self.scan.nodes[*index as usize]);
        let replaced = replaced.filter(|node| node.kind != scan::NodeKind::Link && node.key != 0);
        let body = Compaction {
            trigger: meta.trigger.filled().unwrap_or("unknown").to_owned().into(),
            tokens_before: meta.before,
            tokens_after: meta.after,
            tokens_before_estimated: false,
            tokens_after_estimated: false,
            summary: None,
            readable: false,
            summary_id: None,
            summary_line: None,
            replaced: replaced.map(|node| scan::id_of(node.key, &self.scan.odd).into()).collect(),
        };
        let item = self.item(line, place, place.id.clone(), Body::Compaction(body));
        self.compaction = Some(item.into_owned());
        Ok(())
    }

    /// Completes the compaction with the summary at `place`.
    fn summary(&mut self, place: &Place<'_>, parts: &[Part<'_>]) -> Result<()> {
        if let Some(Body::Compaction(compaction)) =
            self.compaction.as_mut().map(|item| &mut item.body)
        {
            let whole = parts.iter().find_map(|part| match part {
                Part::Text(text) => Some(text.plain().into_owned()),
                _ => None,
            });
            compaction.summary = whole.map(|text| bare_summary(&text).to_owned().into());
            compaction.readable = compaction.summary.is_some();
            compaction.summary_id = Some(place.id.to_string().into());
            compaction.summary_line = Some(place.number);
        }
        self.release_compaction()
    }

    fn release_compaction(&mut self) -> Result<()> {
        self.compaction.take().map_or(Ok(()), |item| self.sink.item(item))
    }

    /// Says that an inline side session begins, at the first of its lines.
    fn begin_side(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        content: Option<&RawValue>,
    ) -> Result<()> {
        if !line.is_side || self.side.is_some() || line.parent.filled().is_some() {
            return Ok(());
        }
        let prompt = content.and_then(jsonl::string).map_or(0, |text| hash(&text));
        let call = self.open.iter().find(|(_, open)| prompt != 0 && open.prompt == prompt);
        let call_id = call.map(|(id, _)| id.clone());
        let id = line.agent_id.filled().map_or_else(|| place.id.to_string(), str::to_owned);
        let side = SideSession {
            id: id.clone().into(),
            call_id: call_id.map(Cow::Owned),
            agent: None,
            title: None,
            source: None,
            lines: None,
        };
        self.sides.insert(place.node.map_or(0, |node| node.key), id);
        let item =
            self.item(line, place, format!("{}/side", place.id).into(), Body::SideSession(side));
        self.sink.item(item)
    }

    /// Reads a piece of content that is no tool's.
    fn part<'a>(
        &self,
        piece: &Piece<'a>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Option<Part<'a>> {
        if let Some(text) = &piece.text {
            return Some(Part::Text(text.clone()));
        }
        let block = piece.block.as_ref()?;
        match block.kind.text() {
            "text" => block.text.and_then(Text::json).map(Part::Text),
            "image" | "document" => self.blob(block).or_else(|| other(piece)),
            "tool_reference" | "fallback" | "container_upload" | "search_result" => other(piece),
            kind => {
                notes.add(NoteKind::UnknownPart, kind, place.number);
                other(piece)
            }
        }
    }

    fn blob<'a>(&self, block: &Block<'a>) -> Option<Part<'a>> {
        let source: ImageSource<'_> = jsonl::shaped(block.source)?;
        let media_type = source.media_type.clone().take().unwrap_or("image/unknown".into());
        let blob = match (source.data.take(), source.url.take()) {
            (Some(data), _) => Blob::base64(media_type, data, self.want.blobs),
            (None, url) => Blob::address(url?, self.want.blobs),
        };
        Some(Part::Blob(blob))
    }

    /// Gives an item of a line; the first has the line's id, the others a number behind it.
    fn give<'a>(
        &mut self,
        line: &Line<'a>,
        place: &Place<'a>,
        count: &mut usize,
        body: Body<'a>,
    ) -> Result<()> {
        let id = match *count {
            0 => place.id.clone(),
            more => Cow::Owned(format!("{}/{more}", place.id)),
        };
        *count += 1;
        let item = self.item(line, place, id, body);
        self.sink.item(item)
    }

    /// Gives something that is never sent to the model.
    fn aside(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        id: String,
        body: Body<'_>,
    ) -> Result<()> {
        let item = self.item(line, place, id.into(), body);
        let item = if item.live { item.dropped("never_sent") } else { item };
        self.sink.item(item)
    }

    fn item<'a>(
        &self,
        line: &Line<'a>,
        place: &Place<'_>,
        id: Cow<'a, str>,
        body: Body<'a>,
    ) -> Item<'a> {
        let mut item = Item::new(id, place.number, self.turn, body);
        item.parent_id = line.parent.filled().map(|id| Cow::Owned(id.to_owned()));
        item.ts = line.timestamp.filled().map(|time| Cow::Owned(time.to_owned()));
        if let Some(side) = &self.side {
            item.side_session = Some(side.clone().into());
            return item.dropped("side_session");
        }
        let lot = place.node.and_then(|_| self.scan.fates.of.get(place.index as usize));
        item.rank = self.scan.fates.ranks.get(place.index as usize).copied().unwrap_or(0);
        match lot {
            Some(Lot::Live) if line.is_api_error && is_synthetic(place) => {
                item.dropped("never_sent")
            }
            Some(Lot::Live) => item,
            Some(Lot::Replaced(boundary)) => {
                let key = self.scan.nodes[*boundary as usize].key;
                item.dropped(scan::id_of(key, &self.scan.odd))
            }
            Some(Lot::Side) => {
                item.side_session = self.side_of(line, place).map(Cow::Owned);
                item.dropped("side_session")
            }
            Some(Lot::Duplicate) => item.dropped("duplicate"),
            Some(Lot::Branch) | None => item.dropped("branch"),
        }
    }

    /// Returns the id of the inline side session that a line belongs to.
    fn side_of(&self, line: &Line<'_>, place: &Place<'_>) -> Option<String> {
        if let Some(id) = line.agent_id.filled() {
            return Some(id.to_owned());
        }
        let root = self.scan.fates.side_roots.get(&place.index)?;
        let key = self.scan.nodes.get(*root as usize)?.key;
        self.sides.get(&key).cloned().or_else(|| Some(scan::id_of(key, &self.scan.odd)))
    }

    /// Gives what stands beside the file, and what was kept back.
    fn finish(&mut self, notes: &mut Notes) -> Result<()> {
        self.release_compaction()?;
        if self.want.live_only {
            return Ok(());
        }
        for item in beside::state(self.input, &self.plans.last, self.turn) {
            self.sink.item(item)?;
        }
        for file in beside::side_files(self.input, &self.scan.header.id) {
            self.side_file(&file, notes)?;
        }
        Ok(())
    }

    /// Reads a side session that has a file of its own.
    fn side_file(&mut self, file: &beside::SideFile, notes: &mut Notes) -> Result<()> {
        let Ok(input) = Input::file(&file.path) else {
            notes.add(NoteKind::UnreadableCompanion, file.path.file_name().unwrap_or_default(), 0);
            return Ok(());
        };
        let linked = self.agents.get(&file.id).cloned();
        let (call_id, turn) = match (file.call_id.clone(), linked) {
            (Some(call), linked) => (Some(call), linked.map_or(self.turn, |(_, turn)| turn)),
            (None, Some((call, turn))) => (Some(call), turn),
            (None, None) => (None, self.turn),
        };
        let side = SideSession {
            id: file.id.clone().into(),
            call_id: call_id.map(Cow::Owned),
            agent: file.agent.clone().map(Cow::Owned),
            title: file.title.clone().map(Text::from),
            source: file.path.file_name().map(str::to_owned),
            lines: Some(beside::count_lines(&input)?),
        };
        let mut item = Item::new(format!("{}/side", file.id), 0, turn, Body::SideSession(side));
        item.side_session = Some(file.id.clone().into());
        self.sink.item(item.dropped("side_session"))?;
        self.side = Some(file.id.clone());
        let main_turn = std::mem::replace(&mut self.turn, turn);
        let read = jsonl::each_record(&input, notes, |number, text, notes| {
            let line: Line<'_> = serde_json::from_str(text)?;
            let id = line.uuid.filled().map_or_else(|| format!("line-{number}"), str::to_owned);
            let place = Place { number, id: id.into(), node: None, index: 0 };
            Ok(self.route(&line, &place, notes)?)
        });
        self.side = None;
        self.turn = main_turn;
        read.map(|_| ())
    }
}

fn is_synthetic(place: &Place<'_>) -> bool {
    place.node.is_some_and(|node| node.kind == scan::NodeKind::Synthetic)
}

/// Tells whose words the parts of a user line are, and what the human typed in them.
fn authorship<'a>(line: &Line<'_>, parts: &[Part<'a>]) -> (Origin, Option<Text<'a>>) {
    if let Some(origin) = scan::origin_of(line) {
        return (origin, None);
    }
    let mut words = Vec::new();
    let (mut origin, mut plain) = (None, true);
    for part in parts {
        let Part::Text(text) = part else { continue };
        let text = text.plain();
        let whose = said::origin(&text);
        if whose == Origin::Human {
            let typed = said::said(&text);
            plain &= typed.is_none();
            words.push(typed.unwrap_or_else(|| text.into_owned()));
            origin = Some(whose);
        } else {
            plain = false;
            origin = origin.or(Some(whose));
        }
    }
    let origin = origin.unwrap_or(Origin::Human);
    let said = (!plain && !words.is_empty()).then(|| Text::from(words.join("\n")));
    (origin, said)
}

/// Returns the text after the introduction and before the closing words of a compaction summary.
fn bare_summary(text: &str) -> &str {
    let body = text.split_once("\nSummary:\n").map_or(text, |(_, body)| body);
    let ends = [
        "\n\nIf you need specific details from before compaction",
        "\nContinue the conversation from where it left off",
        "\nPlease continue the conversation from where",
    ];
    ends.iter().fold(body, |body, end| body.split(end).next().unwrap_or(body)).trim()
}

fn first_start(parts: &[Part<'_>]) -> String {
    let text = parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(text.start(300).into_owned()),
        Part::Blob(_) | Part::Other { .. } => None,
    });
    text.unwrap_or_default()
}

fn is_blank(part: &Part<'_>) -> bool {
    matches!(part, Part::Text(text) if text.is_blank())
}

fn other<'a>(piece: &Piece<'a>) -> Option<Part<'a>> {
    Some(Part::Other { kind: piece.kind().to_owned().into(), json: Cow::Borrowed(piece.raw()) })
}

/// Returns arguments as an object: what is none stands under `input`.
fn arguments(raw: Option<&RawValue>) -> Cow<'_, RawValue> {
    let text = match raw {
        Some(raw) if raw.get().starts_with('{') => return Cow::Borrowed(raw),
        Some(raw) if raw.get() != "null" => format!("{{\"input\":{}}}", raw.get()),
        _ => "{}".to_owned(),
    };
    Cow::Owned(RawValue::from_string(text).expect("an object of a value that was parsed is JSON"))
}

fn hash(text: &str) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.trim().as_bytes());
    hasher.finish().max(1)
}
