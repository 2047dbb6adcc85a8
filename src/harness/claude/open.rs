//! Calls whose result has not come yet.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use super::plans::Pending;
use crate::model::ToolKind;

/// What is known of a call whose result has not come yet.
pub(super) struct Open {
    pub(super) kind: ToolKind,
    pub(super) turn: u32,
    pub(super) pending: Option<Pending>,
    /// Counts the calls of the session.
    pub(super) number: u64,
    /// Hash of the prompt of a side session, to find the one it began.
    pub(super) prompt: u64,
    /// Hash of the id of its response; nothing for a line that comes again.
    pub(super) response: Option<u64>,
}

/// The calls whose result has not come yet, by id.
#[derive(Default)]
pub(super) struct OpenCalls {
    last: FxHashMap<String, Open>,
    /// Those before the last, where a response gave several calls one id.
    earlier: FxHashMap<String, VecDeque<Open>>,
    /// Results that came before a call with their id.
    early: FxHashMap<String, VecDeque<Early>>,
}

/// A result that came before its call, as far as that call needs it.
pub(super) struct Early {
    pub(super) line: u64,
    /// How its text begins; nothing of one that failed.
    pub(super) start: Option<String>,
    /// What the harness tells beside it.
    pub(super) own: Option<Box<RawValue>>,
}

impl OpenCalls {
    /// Has a call wait for its result: behind those of its response that have the same id, in place of
    /// earlier ones.
    pub(super) fn begin(&mut self, id: &str, open: Open) {
        let response = open.response;
        let Some(before) = self.last.insert(id.to_owned(), open) else { return };
        if response.is_some() && before.response == response {
            self.earlier.entry(id.to_owned()).or_default().push_back(before);
        } else {
            self.earlier.remove(id);
        }
    }

    /// Returns the last result that came before a call with its id, as a conversion takes it.
    pub(super) fn early(&mut self, id: &str) -> Option<Early> {
        self.early.get_mut(id)?.pop_back()
    }

    /// Says what the tool of the call is for that waits longest under this id.
    pub(super) fn kind(&self, id: &str) -> Option<ToolKind> {
        let first = self.earlier.get(id).and_then(VecDeque::front);
        first.or_else(|| self.last.get(id)).map(|open| open.kind)
    }

    /// Ends the wait of the call that waits longest under this id.
    pub(super) fn end(&mut self, id: &str) -> Option<Open> {
        let first = self.earlier.get_mut(id).and_then(VecDeque::pop_front);
        first.or_else(|| self.last.remove(id))
    }

    /// Remembers a result that no call waits for so far.
    pub(super) fn came_early(&mut self, id: &str, early: Early) {
        self.early.entry(id.to_owned()).or_default().push_back(early);
    }

    /// Takes the lines of results whose call never came, in order.
    pub(super) fn orphans(&mut self) -> Vec<u64> {
        let mut lines: Vec<_> =
            self.early.drain().flat_map(|(_, all)| all).map(|one| one.line).collect();
        lines.sort_unstable();
        lines
    }

    /// Returns the id of the first call that began a side session with these words and that none is
    /// known of.
    pub(super) fn began(&mut self, prompt: u64) -> Option<String> {
        let same = self.last.iter_mut().filter(|(_, open)| prompt != 0 && open.prompt == prompt);
        let call = same.min_by_key(|(_, open)| open.number);
        call.map(|(id, open)| {
            open.prompt = 0;
            id.clone()
        })
    }
}
