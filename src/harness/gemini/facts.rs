//! What is known of a session besides its messages.

use jiff::Timestamp;

use super::content::{Piece, Speaker, Told, Voice, is_context, object};
use super::project;
use super::root::Root;
use super::wire::{Record, Source};
use crate::error::Result;
use crate::harness::time::is_time;
use crate::jsonl::{Input, elements, string};
use crate::model::{Header, SourceFile};
use crate::note::{NoteKind, Notes};

/// Gathered while the records are replayed.
#[derive(Default)]
pub(super) struct Facts {
    id: Option<String>,
    kind: Option<String>,
    summary: Option<String>,
    first: Option<(Timestamp, String)>,
    last: Option<(Timestamp, String)>,
    model: Option<String>,
    request: Option<String>,
    context: Option<String>,
    root: Root,
    /// The session of which this program made it.
    source: Option<String>,
    /// Whether other folders belong to the project.
    has_folders: bool,
    /// In which folder it goes on, as this program noted where it made the file.
    folder: Option<String>,
    /// Whether a human wrote something.
    asked: bool,
    answered: bool,
    /// Whether anything but the harness's own context is in it.
    filled: bool,
}

impl Facts {
    /// Takes the time stamps of a record.
    pub(super) fn times(&mut self, record: &Record<'_>) {
        // A file that was put in place is dated by when, so that the harness keeps it.
        let made: Source<'_> =
            object(record.origin.filter(|_| record.last_updated.get().is_some()))
                .unwrap_or_default();
        let updated = made.ended.get().or(record.last_updated.get());
        let stamps = [record.start_time.get(), updated, record.timestamp.get()];
        for text in stamps.into_iter().flatten().filter(|text| is_time(text)) {
            // The last hours of the year 9999 are later than any time that can be read.
            let time = text.parse().unwrap_or(Timestamp::MAX);
            if self.first.as_ref().is_none_or(|(first, _)| time < *first) {
                self.first = Some((time, text.to_owned()));
            }
            if self.last.as_ref().is_none_or(|(last, _)| time > *last) {
                self.last = Some((time, text.to_owned()));
            }
        }
    }

    /// Takes metadata; what is said later counts.
    pub(super) fn merge(&mut self, record: &Record<'_>) {
        let fields = [
            (&mut self.id, &record.session_id),
            (&mut self.kind, &record.kind),
            (&mut self.summary, &record.summary),
        ];
        for (field, value) in fields {
            if let Some(value) = value.filled() {
                *field = Some(value.to_owned());
            }
        }
        if let Some(folders) = record.directories {
            self.has_folders = !elements(Some(folders)).is_empty();
        }
        if let Some(Source { harness, session, cwd, .. }) = object(record.origin) {
            self.source = session.filled().map(|id| format!("{}:{id}", harness.text()));
            self.folder = cwd.filled().map(str::to_owned).or(self.folder.take());
        }
        self.root.expect(record.project_hash.text());
    }

    /// Tells what of it no header has.
    pub(super) fn left_out(&self, notes: &mut Notes) {
        // A side session always names the folders of the one that began it.
        if self.has_folders && self.kind.as_deref() != Some("subagent") {
            notes.add(NoteKind::NotInForm, "directories", 0);
        }
    }

    /// Takes what a message tells of the session.
    pub(super) fn message(&mut self, told: &Told<'_>) {
        let record = &told.record;
        if self.id.is_none() {
            self.id = record.session_id.filled().map(str::to_owned);
        }
        match record.speaker() {
            Some(Speaker::User) if record.id.get().is_none() && record.message.is_some() => {}
            Some(Speaker::User) => self.said(told),
            Some(Speaker::Model) => self.answer(told),
            Some(Speaker::Notice) => self.filled = true,
            None => {}
        }
    }

    fn said(&mut self, told: &Told<'_>) {
        let voice = told.voice();
        self.filled |= !matches!(voice, Voice::Context | Voice::Empty);
        self.asked |= voice == Voice::Human;
        let wanted = voice == Voice::Human && self.request.is_none();
        if !wanted && self.context.is_some() {
            return;
        }
        for piece in &told.pieces {
            let Piece::Text(raw) = piece else { continue };
            let text = string(raw).unwrap_or_default();
            if is_context(&text) && voice != Voice::Human {
                self.context.get_or_insert_with(|| text.into_owned());
            } else if wanted && !text.trim().is_empty() {
                self.request.get_or_insert_with(|| text.into_owned());
            }
        }
    }

    fn answer(&mut self, told: &Told<'_>) {
        let record = &told.record;
        if let Some(model) = record.model.filled() {
            self.model = Some(model.to_owned());
        }
        let said = told.pieces.iter().any(|piece| match piece {
            Piece::Text(raw) => raw.get().len() > 2,
            Piece::Call(_) | Piece::Data(_) | Piece::Other(_) => true,
            Piece::Thought(_) | Piece::Response(_) => false,
        });
        // Written without blanks, an empty list has two characters.
        record.tool_calls.into_iter().for_each(|calls| self.root.look(calls.get()));
        let called = record.tool_calls.is_some_and(|calls| calls.get().len() > 2);
        self.answered |= said || called;
        self.filled |= self.answered || !elements(record.thoughts).is_empty();
    }

    /// Tells whether it is the session of a sub-agent.
    pub(super) fn is_side(&self) -> bool {
        self.kind.as_deref() == Some("subagent")
    }

    /// Returns the id by which the harness knows the session.
    pub(super) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("")
    }

    /// Makes the header; a session without any item is an error.
    pub(super) fn header(&self, input: &Input) -> Result<Header> {
        if !self.filled {
            return Err(crate::harness::no_items(input));
        }
        let project = project::of(input, self.context.as_deref());
        let noted = || self.folder.as_deref();
        let known = || self.root.found().or(input.folder()).or_else(noted).map(str::to_owned);
        let project = project.or_else(known);
        let is_side = self.is_side();
        let title = self.request.as_deref().and_then(crate::harness::title_of);
        // A sub-agent's summary is its whole report.
        let summary = self.summary.as_deref().filter(|_| !is_side);
        Ok(Header {
            id: self.id.clone().unwrap_or_else(|| name_of(input)),
            harness: "gemini".into(),
            cwd: project.clone(),
            project,
            started_at: self.first.as_ref().map(|(_, text)| text.clone()),
            ended_at: self.last.as_ref().map(|(_, text)| text.clone()),
            title: summary.and_then(crate::harness::title_of).or(title),
            model: self.model.clone(),
            parent: is_side.then(|| parent_of(input)).flatten(),
            converted_from: self.source.clone(),
            source: SourceFile { path: input.shown().into(), bytes: input.bytes },
            is_side,
            is_automatic: false,
            has_request: self.asked && !is_side,
            has_answer: self.answered,
            ..Header::default()
        })
    }
}

/// The name of a file without its ending, for what has no id of its own.
fn name_of(input: &Input) -> String {
    let name = input.path().and_then(camino::Utf8Path::file_stem);
    name.unwrap_or("").to_owned()
}

/// The session whose sub-agent wrote this file: the name of the folder in which it stands.
fn parent_of(input: &Input) -> Option<String> {
    let folder = input.path()?.canonicalize_utf8().ok()?.parent()?.to_owned();
    let in_chats = folder.parent()?.file_name() == Some("chats");
    in_chats.then(|| folder.file_name().map(str::to_owned)).flatten()
}
