//! Writes sessions that Gemini CLI resumes: a header, then one line a message.

mod check;
mod form;
mod message;
mod parts;
mod side;
mod tools;

use std::io;

use camino::Utf8Path;

use super::{Gemini, project};
use crate::error::Result;
use crate::harness::write::Records;
use crate::harness::{Above, Finding, Place, SideFile, Target, Writer};
use crate::jsonl::Input;
use crate::model::{Conversation, Deed, Entry, EntryBody, Git, NativeCall, Side};
use crate::note::{LossKind, Losses};

pub(super) use tools::{asks_more, deed};

/// What stands in the name of a file where no entry has a time.
const NO_TIME: &str = "1970-01-01T00:00:00.000Z";
/// What a file says of itself that is a side session's.
const SIDE: &str = "subagent";
/// How many characters of the id stand in the name of its file.
const ID_CHARS: usize = 8;

impl Writer for Gemini {
    fn call(&self, deed: &Deed) -> Option<NativeCall> {
        tools::call(deed)
    }

    fn write(
        &self,
        conversation: &Conversation,
        target: &Target,
        out: &mut dyn io::Write,
    ) -> io::Result<Losses> {
        write(conversation, &header(conversation, target), target, out)
    }

    fn place(
        &self,
        home: &Utf8Path,
        conversation: &Conversation,
        target: &Target,
    ) -> Result<Place> {
        let root = project::root(&target.cwd);
        let (folder, is_marked) = project::folder_for(home, root);
        let file = folder.join("chats").join(file_name(conversation, target));
        let marker = is_marked.then(|| (folder.join(project::MARKER), root.to_owned()));
        Ok(Place { file, beside: marker.into_iter().collect() })
    }

    fn side(&self, side: &Side, above: &Above<'_>) -> io::Result<Option<SideFile>> {
        side::write(side, above)
    }

    fn resume(&self, target: &Target) -> String {
        format!("gemini --resume {}", target.id)
    }

    fn keeps_days(&self) -> Option<u32> {
        Some(check::KEPT_DAYS)
    }

    fn check(&self, input: &Input) -> Result<Vec<Finding>> {
        check::check(input)
    }
}

/// Writes a session that says `header` of itself.
fn write(
    conversation: &Conversation,
    header: &form::Header<'_>,
    target: &Target,
    out: &mut dyn io::Write,
) -> io::Result<Losses> {
    let mut losses = Losses::default();
    for entry in &conversation.older {
        losses.lose_many(LossKind::OlderHistory, entry.items, &entry.id);
    }
    if let Some(boundary) = conversation.boundary.as_ref().filter(|_| !has_summary(conversation)) {
        losses.lose_many(LossKind::Compaction, boundary.items, &boundary.id);
    }
    let compaction = conversation.boundary.as_ref().filter(|_| has_summary(conversation));
    if let Some(Entry { body: EntryBody::Boundary(of), items, id, .. }) = compaction
        && of.has_facts()
    {
        losses.lose_many(LossKind::CompactionFacts, *items, id);
    }
    if conversation.header.git != Git::default() {
        losses.lose(LossKind::Git, "");
    }
    let mut out = Records::new(out);
    out.put(header)?;
    let is_side = header.kind == SIDE;
    let mut writer = message::Messages::new(conversation, target, is_side, out, &mut losses);
    for entry in &conversation.live {
        writer.take(entry)?;
    }
    writer.finish()?;
    Ok(losses)
}

fn has_summary(conversation: &Conversation) -> bool {
    conversation.live.iter().any(|entry| matches!(entry.body, EntryBody::Summary(_)))
}

/// Names the file by the end of the id: the harness deletes files that end in its start, once one
/// of them has nothing to resume, and each resumption makes such a one.
fn file_name(conversation: &Conversation, target: &Target) -> String {
    let begun = first_entry(conversation).map_or(NO_TIME, |entry| &entry.ts);
    let minute = begun.get(..16).unwrap_or(&NO_TIME[..16]).replace(':', "-");
    let from = target.id.len().saturating_sub(ID_CHARS);
    format!("session-{minute}-{}.jsonl", target.id.get(from..).unwrap_or(&target.id))
}

fn first_entry(conversation: &Conversation) -> Option<&Entry> {
    let Conversation { older, boundary, live, .. } = conversation;
    older.first().or(boundary.as_ref()).or(live.first())
}

fn header<'a>(conversation: &'a Conversation, target: &'a Target) -> form::Header<'a> {
    let known = &conversation.header;
    let first = first_entry(conversation).map_or(NO_TIME, |entry| &entry.ts);
    let started = known.started_at.as_deref().filter(|started| *started < first);
    let last = conversation.live.last().map_or(first, last_time);
    let (harness, session) = target.origin.split_once(':').unwrap_or(("", &target.origin));
    form::Header {
        session_id: &target.id,
        project_hash: project::digest(project::root(&target.cwd)),
        start_time: started.unwrap_or(first),
        last_updated: target.now.as_deref().unwrap_or(last),
        kind: "main",
        summary: known.title.as_deref().filter(|title| !title.trim().is_empty()),
        x_origin: form::Origin {
            harness,
            session,
            cwd: project::root(&target.cwd),
            ended: target.now.as_ref().map(|_| last),
        },
    }
}

fn last_time(entry: &Entry) -> &str {
    match &entry.body {
        EntryBody::Exchange(exchange) => &exchange.result_ts,
        _ => &entry.ts,
    }
}
