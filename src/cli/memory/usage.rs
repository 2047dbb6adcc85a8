//! How often sessions used a memory: what the agent cites, and the files that it reads.

use std::collections::BTreeMap;
use std::io::Read as _;

use super::super::Cli;
use super::place::{Held, PlaceArgs};
use crate::discover::{self, Found, Look};
use crate::error::Result;
use crate::harness::memory::{Citation, Memories};
use crate::harness::{self, Sink, Want};
use crate::model::{Action, Body, Header, Item, Memory, Role, plain};

/// Counts what sessions say of all that is held, which can take a while.
pub(super) fn count_all(held: &mut [Held], place: &PlaceArgs, all: bool, cli: &Cli) -> Result<()> {
    let _progress = cli.progress("reading sessions");
    held.iter_mut().try_for_each(|one| count(one, place, all))
}

/// Counts what the sessions of the project say of the memories that `held` has.
///
/// Only sessions of the same harness are looked at, and of those only the ones that can say
/// something. What the source has counted itself stays, where it is more.
pub(super) fn count(held: &mut Held, place: &PlaceArgs, all: bool) -> Result<()> {
    let Some(reader) = harness::by_name(held.of.name()) else { return Ok(()) };
    if held.memories.is_empty() || (!all && held.at.project.is_none()) {
        return Ok(());
    }
    let world = place.world_of(all)?;
    let project = (!all).then(|| world.project());
    let found = discover::sessions(&world, Some(reader), project.as_ref(), Look::Ends).found;
    let mut cited = Cited { of: held.of, at: None, uses: Vec::new() };
    for one in found.iter().filter(|one| can_cite(one, held.of)) {
        let Ok(input) = one.open() else { continue };
        let want = Want { actions: true, ..Want::default() };
        // A session that cannot be read says nothing of memories; `segue list -v` tells of it.
        let _ = one.harness.read(&input, want, &mut cited);
    }
    let mut uses: BTreeMap<String, (u64, Option<String>)> = BTreeMap::new();
    for (citation, at) in &cited.uses {
        for memory in held.memories.iter().filter(|memory| is_meant(memory, citation)) {
            let entry = uses.entry(memory.id.clone()).or_default();
            entry.0 += 1;
            entry.1 = entry.1.take().max(at.clone());
        }
    }
    for memory in &mut held.memories {
        let Some((count, last)) = uses.remove(&memory.id) else { continue };
        memory.usage_count = memory.usage_count.max(Some(count));
        memory.last_used_at = memory.last_used_at.take().max(last);
    }
    Ok(())
}

/// Tells by its bytes whether a session can say something of memories.
fn can_cite(one: &Found, of: &dyn Memories) -> bool {
    const CHUNK_BYTES: usize = 1 << 20;
    let words = of.cited_by();
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let Ok(input) = one.open() else { return false };
    let Ok(mut source) = input.open() else { return false };
    let mut bytes = Vec::new();
    loop {
        // The end of the last piece may begin a word.
        let kept = bytes.len().min(longest);
        bytes.drain(..bytes.len() - kept);
        match source.by_ref().take(CHUNK_BYTES as u64).read_to_end(&mut bytes) {
            Ok(0) | Err(_) => return false,
            Ok(_) => {}
        }
        if words.iter().any(|word| memchr::memmem::find(&bytes, word.as_bytes()).is_some()) {
            return true;
        }
    }
}

/// Tells whether a citation is of a memory: the same file, and one of its lines.
fn is_meant(memory: &Memory, citation: &Citation) -> bool {
    let file = citation.file.trim_start_matches("./");
    let path = memory.source.path.as_str();
    let is_file = path == file || path.strip_suffix(file).is_some_and(|rest| rest.ends_with('/'));
    let lines = memory.source.first_line.zip(memory.source.last_line).zip(citation.lines);
    is_file && lines.is_none_or(|((first, last), (from, to))| from <= last && first <= to)
}

/// Gathers citations and their times.
struct Cited {
    of: &'static dyn Memories,
    at: Option<String>,
    uses: Vec<(Citation, Option<String>)>,
}

impl Sink for Cited {
    fn header(&mut self, _header: &Header) -> Result<()> {
        Ok(())
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        if let Some(ts) = &item.ts {
            self.at = Some(ts.to_string());
        }
        let found = match &item.body {
            _ if item.copy_of.is_some() => Vec::new(),
            Body::Message(message) if message.role == Role::Assistant => {
                self.of.citations(&plain(&message.parts))
            }
            Body::ToolCall(call) => match call.action.as_deref() {
                Some(Action::Read { path, lines }) => {
                    let line = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
                    let lines = lines.map(|(first, last)| (line(first), line(last)));
                    vec![Citation { file: path.clone(), lines }]
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        self.uses.extend(found.into_iter().map(|one| (one, self.at.clone())));
        Ok(())
    }
}
