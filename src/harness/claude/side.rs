//! Side sessions, inline and in files of their own, and what else stands beside the file.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::live::Fate;
use super::read::{Place, Reader};
use super::wire::Line;
use super::{beside, key};
use crate::error::Result;
use crate::json;
use crate::jsonl::{self, Input};
use crate::model::{Body, Item, SideSession, Text};
use crate::note::{NoteKind, Notes};

impl Reader<'_> {
    /// Says that an inline side session begins, at the first of its lines.
    pub(super) fn begin_side(
        &mut self,
        line: &Line<'_>,
        place: &Place<'_>,
        content: Option<&RawValue>,
    ) -> Result<()> {
        let is_inline = place.node.is_some_and(|node| node.is_side);
        if !is_inline || line.parent.filled().is_some() {
            return Ok(());
        }
        let prompt = content.and_then(jsonl::string).map_or(0, |text| super::talk::hash(&text));
        // Two calls may have the same words: the first that has no side session yet is meant.
        let call_id = self.open.began(prompt);
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

    /// Returns the id of the inline side session that a line belongs to.
    pub(super) fn side_of(&self, line: &Line<'_>, place: &Place<'_>) -> Option<String> {
        if let Some(id) = line.agent_id.filled() {
            return Some(id.to_owned());
        }
        let Some(Fate::Side(root)) = self.scan.fates.of(place.index) else { return None };
        let key = self.scan.nodes.get(root)?.key;
        self.sides.get(&key).cloned().or_else(|| Some(key::id_of(key, &self.scan.odd)))
    }

    /// Notes the results of a file to which it has no call, before or behind them.
    fn tell_orphans(&mut self, notes: &mut Notes) {
        for line in self.open.orphans() {
            notes.add(NoteKind::OrphanResult, "", line);
        }
    }

    /// Gives what stands beside the file, and what was kept back.
    pub(super) fn finish(&mut self, notes: &mut Notes) -> Result<()> {
        self.release_compaction()?;
        self.tell_orphans(notes);
        if self.want.live_only {
            return Ok(());
        }
        // Of an earlier point nobody knows what stood there.
        if !self.input.is_cut() {
            for item in beside::state(self.input, &self.plans, self.turn) {
                self.sink.item(item)?;
            }
        }
        for file in beside::side_files(self.input, &self.scan.header.id, notes) {
            self.side_file(&file, notes)?;
        }
        Ok(())
    }

    /// Reads a side session that has a file of its own.
    pub(super) fn side_file(&mut self, file: &beside::SideFile, notes: &mut Notes) -> Result<()> {
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
            let line: Line<'_> = json::from_str(text)?;
            let id = line.uuid.filled().map_or_else(|| format!("line-{number}"), str::to_owned);
            let place = Place { number, id: id.into(), node: None, index: 0 };
            Ok(self.route(&line, &place, notes)?)
        });
        self.tell_orphans(notes);
        self.side = None;
        self.turn = main_turn;
        read.map(|_| ())
    }
}
