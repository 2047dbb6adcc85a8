//! The files of sub-agents, which stand in a folder of their parent's name.

use camino::{Utf8Path, Utf8PathBuf};

use super::project::chats_dir;
use super::replay::Replay;
use crate::error::Result;
use crate::harness::Sink;
use crate::jsonl::Input;
use crate::model::{Header, Item};

/// How deep agents that begin agents are followed.
pub(super) const MAX_DEPTH: usize = 4;

/// What stands around the session that is being read.
pub(super) struct Beside {
    chats: Option<Utf8PathBuf>,
    pub(super) is_side: bool,
    /// Stands before ids that are made up, so that those of several files differ.
    pub(super) prefix: String,
    pub(super) depth: usize,
}

impl Beside {
    pub(super) fn main(input: &Input, replay: &Replay) -> Self {
        let chats = input.path().and_then(chats_dir).map(Utf8Path::to_owned);
        Self { chats, is_side: replay.facts.is_side(), prefix: String::new(), depth: 0 }
    }

    /// The surroundings of a sub-agent's session.
    pub(super) fn inside(&self, agent: &str) -> Self {
        let prefix = format!("{agent}/");
        Self { chats: self.chats.clone(), is_side: true, prefix, depth: self.depth + 1 }
    }

    /// Returns where the file of a sub-agent should be.
    pub(super) fn path(&self, session: &str, agent: &str) -> Option<Utf8PathBuf> {
        let is_name = |name: &str| {
            !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':'])
        };
        let chats = self.chats.as_ref().filter(|_| self.depth < MAX_DEPTH)?;
        (is_name(session) && is_name(agent))
            .then(|| chats.join(session).join(format!("{agent}.jsonl")))
    }

    /// Counts the lines of a sub-agent's file, if it is there.
    pub(super) fn lines(&self, session: &str, agent: &str) -> Option<u64> {
        let input = Input::companion(&self.path(session, agent)?)?;
        let mut lines = input.lines().ok()?;
        let mut count = 0;
        while lines.next_line().ok()?.is_some() {
            count += 1;
        }
        Some(count)
    }
}

/// Marks everything as part of a side session.
pub(super) struct SideSink<'s> {
    pub(super) sink: &'s mut dyn Sink,
    pub(super) agent: &'s str,
    pub(super) turn: u32,
}

impl Sink for SideSink<'_> {
    fn header(&mut self, _header: &Header) -> Result<()> {
        Ok(())
    }

    fn item(&mut self, mut item: Item<'_>) -> Result<()> {
        if item.side_session.is_none() {
            item.side_session = Some(self.agent.to_owned().into());
        }
        item.turn = self.turn;
        item.rank = 0;
        self.sink.item(item.dropped("side_session"))
    }
}
