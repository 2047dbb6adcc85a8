//! The second pass: lines to items.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::key;
use super::live::Fate as Lot;
use super::nodes::{Node, NodeKind};
use super::open::OpenCalls;
use super::plans::Plans;
use super::scan::{self, Scan};
use super::whereabouts::Whereabouts;
use super::wire::{Attachment, Line};
use super::{attachment, tools};
use crate::error::Result;
use crate::harness::{Sink, Want};
use crate::json;
use crate::jsonl::{self, Fault, Input};
use crate::model::{Body, End, Item, Message, Origin, Plan, Role, Text};
use crate::note::{Fate, NoteKind, Notes, Tally};

/// Reads a whole session.
pub(super) fn session(input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End> {
    let mut notes = Notes::default();
    let scan = scan::scan(input, &mut notes)?;
    sink.header(&scan.header)?;
    sink.expect(scan.nodes.count() as usize);
    let mut reader = Reader::new(&scan, input, want, sink);
    let (mut tally, mut lines) = (Tally::default(), input.lines()?);
    while let Some(line) = lines.next_line()? {
        if want.raw_lines {
            reader.sink.raw_line(line.number, line.bytes, line.ended)?;
        }
        if want.places {
            reader.sink.place(Some(line));
        }
        let mut take =
            |number: u64, text: &str, notes: &mut Notes| reader.line(number, text, notes);
        tally.count(jsonl::one_line(line, &mut notes, &mut take)?);
    }
    reader.sink.place(None);
    reader.give_unsent()?;
    reader.finish(&mut notes)?;
    Ok(End { tally, notes: notes.list() })
}

/// Turns lines into items, one after the other.
pub(super) struct Reader<'r> {
    pub(super) scan: &'r Scan,
    pub(super) input: &'r Input,
    pub(super) want: Want,
    pub(super) sink: &'r mut dyn Sink,
    /// Index of the next line with a uuid.
    pub(super) next_node: u32,
    pub(super) turn: u32,
    pub(super) open: OpenCalls,
    /// How many calls there were.
    pub(super) calls: u64,
    /// Side sessions by the call that began them: id of the agent, call, turn.
    pub(super) agents: FxHashMap<String, (String, u32)>,
    pub(super) plans: Plans,
    /// The list of work that a call set whose result came before it.
    pub(super) caught_up: Option<(String, Plan<'static>)>,
    pub(super) compaction: Option<Item<'static>>,
    /// The boundary that replaced the last line that was replaced, and its id.
    boundary: (Option<u32>, String),
    pub(super) sides: FxHashMap<u128, String>,
    /// The line in which the user ran a command of his own, if it was the last words of his.
    pub(super) command: String,
    /// Where the shell is.
    pub(super) shell: Whereabouts,
    /// The side session whose file is being read.
    pub(super) side: Option<String>,
    /// What was typed and never sent: it comes after all that was done without it.
    unsent: Vec<Item<'static>>,
}

/// One line with what the tree says of it.
pub(super) struct Place<'a> {
    pub(super) number: u64,
    pub(super) id: Cow<'a, str>,
    pub(super) node: Option<Node>,
    pub(super) index: u32,
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
            open: OpenCalls::default(),
            calls: 0,
            agents: FxHashMap::default(),
            plans: Plans::default(),
            caught_up: None,
            compaction: None,
            boundary: (None, String::new()),
            sides: FxHashMap::default(),
            command: String::new(),
            shell: Whereabouts::default(),
            side: None,
            unsent: Vec::new(),
        }
    }

    fn line(&mut self, number: u64, text: &str, notes: &mut Notes) -> Result<Fate, Fault> {
        let line: Line<'_> = json::from_str(text)?;
        let is_node = line.uuid.filled().is_some() || scan::is_talk(&line);
        let scan = self.scan;
        let index = self.next_node;
        let node = is_node.then(|| scan.nodes.get(index)).flatten();
        self.next_node += u32::from(is_node);
        if node.is_some() && !scan.fates.floors.is_empty() {
            self.sink.settled(scan.fates.floors[index as usize])?;
        }
        let id = match line.uuid.filled() {
            _ if self.is_duplicate(node, index) => {
                Cow::Owned(format!("{}~{number}", line.uuid.text()))
            }
            Some(id) => Cow::Borrowed(id),
            None => Cow::Owned(format!("line-{number}")),
        };
        let place = Place { number, id, node, index };
        if line.timestamp.filled().is_some() && key::when(&line.timestamp).is_none() {
            notes.add(NoteKind::OddTime, "", number);
        }
        Ok(self.route(&line, &place, notes)?)
    }

    pub(super) fn is_duplicate(&self, node: Option<Node>, index: u32) -> bool {
        node.is_some() && self.scan.fates.of(index) == Some(Lot::Duplicate)
    }

    /// Sends a line to what reads its type.
    pub(super) fn route(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Result<Fate> {
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
            "queue-operation" if self.is_unsent(place.number) => Ok(self.unsent(line, place)),
            kind if tools::is_bookkeeping(kind) => Ok(Fate::Bookkeeping),
            kind => {
                notes.add(NoteKind::UnknownRecord, kind, place.number);
                Ok(Fate::Noted)
            }
        }
    }

    /// Whether a line of the session's own file has what was typed and never sent.
    fn is_unsent(&self, number: u64) -> bool {
        self.side.is_none() && self.scan.unsent.binary_search(&number).is_ok()
    }

    /// Keeps what was typed while the agent worked and never sent.
    fn unsent(&mut self, line: &Line<'_>, place: &Place<'_>) -> Fate {
        let Some(text) = line.content.and_then(scan::text_of) else { return Fate::Bookkeeping };
        let message = Body::Message(Message::text(Role::User, Origin::Human, Text::from(text)));
        let item = self.item(line, place, Cow::Borrowed(&*place.id), message);
        self.unsent.push(item.dropped("never_sent").into_owned());
        Fate::Used
    }

    /// Gives it: no answer in the file is one to it.
    fn give_unsent(&mut self) -> Result<()> {
        for mut item in std::mem::take(&mut self.unsent) {
            self.turn += 1;
            item.turn = self.turn;
            self.sink.item(item)?;
        }
        Ok(())
    }

    pub(super) fn system(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Result<Fate> {
        let text = line.content.and_then(Text::json);
        match line.subtype.text() {
            "compact_boundary" => self.boundary(line, place).map(|()| Fate::Used),
            "local_command" => {
                let Some(text) = text else { return Ok(Fate::Bookkeeping) };
                let message = Message::text(Role::User, Origin::Command, text);
                self.give(line, place, &mut 0, Body::Message(message)).map(|()| Fate::Used)
            }
            "away_summary" => {
                let text = text.map(|text| tools::recap(&text.plain()).to_owned().into());
                let recap = Body::Notice { kind: "recap".into(), text };
                self.aside(line, place, place.id.to_string(), recap).map(|()| Fate::Used)
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

    pub(super) fn attachment(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        notes: &mut Notes,
    ) -> Result<Fate> {
        let Some(wire) = jsonl::shaped::<Attachment<'_>>(line.attachment) else {
            return Ok(Fate::Bookkeeping);
        };
        let found = match wire.kind.text() {
            "queued_command" => self.queued(&wire, place, notes),
            _ => attachment::read(&wire, line, place.number, notes),
        };
        let Some(found) = found else { return Ok(Fate::Bookkeeping) };
        let is_human = matches!(&found, Body::Message(message) if message.origin == Origin::Human);
        self.turn += u32::from(is_human && self.side.is_none() && !line.is_side);
        match found {
            Body::Notice { ref kind, .. } if attachment::is_sent(kind) => {
                self.give(line, place, &mut 0, found)?;
            }
            Body::Notice { .. } => self.aside(line, place, place.id.to_string(), found)?,
            found => self.give(line, place, &mut 0, found)?,
        }
        Ok(Fate::Used)
    }

    /// Gives an item of a line; the first has the line's id, the others a number behind it.
    pub(super) fn give(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        count: &mut usize,
        body: Body<'_>,
    ) -> Result<()> {
        let id = match *count {
            0 => Cow::Borrowed(&*place.id),
            more => Cow::Owned(format!("{}/{more}", place.id)),
        };
        *count += 1;
        let item = self.item(line, place, id, body);
        self.sink.item(item)
    }

    /// Gives something that is never sent to the model.
    pub(super) fn aside(
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

    pub(super) fn item<'a>(
        &mut self,
        line: &'a Line<'_>,
        place: &Place<'_>,
        id: Cow<'a, str>,
        body: Body<'a>,
    ) -> Item<'a> {
        let mut item = Item::new(id, place.number, self.turn, body);
        item.parent_id = line.parent.filled().map(Cow::Borrowed);
        item.ts = key::when(&line.timestamp);
        if let Some(side) = &self.side {
            item.side_session = Some(side.clone().into());
            return item.dropped("side_session");
        }
        let lot = place.node.and_then(|_| self.scan.fates.of(place.index));
        item.rank = self.scan.fates.ranks.get(place.index as usize).copied().unwrap_or(0);
        match lot {
            Some(Lot::Live) if line.is_api_error && is_synthetic(place) => {
                item.dropped("never_sent")
            }
            Some(Lot::Below) => item.dropped("never_sent"),
            Some(Lot::Live) => item,
            Some(Lot::Replaced(boundary)) => {
                let id = self.replaced_by(boundary).to_owned();
                item.dropped(id)
            }
            Some(Lot::Side(_)) => {
                item.side_session = self.side_of(line, place).map(Cow::Owned);
                item.dropped("side_session")
            }
            Some(Lot::Duplicate) => item.dropped("duplicate"),
            Some(Lot::Branch) | None => item.dropped("branch"),
        }
    }

    /// Returns the id of the boundary that replaced the line at hand, mostly the same as before.
    fn replaced_by(&mut self, boundary: u32) -> &str {
        let scan = self.scan;
        let is_same = self.boundary.0 == Some(boundary);
        if !is_same {
            let id = key::id_of(scan.nodes.key(boundary), &scan.odd);
            self.boundary = (Some(boundary), id);
        }
        &self.boundary.1
    }
}

fn is_synthetic(place: &Place<'_>) -> bool {
    place.node.is_some_and(|node| node.kind == NodeKind::Synthetic)
}
