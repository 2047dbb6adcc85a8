//! Which result belongs to which call: both are written down up to three times.

use super::content::{Asked, MASK_TAG, Piece, Told, bare_id, calls};
use super::replay::{Call, NONE, Scan, hash, index};
use crate::model::Status;

impl Scan {
    pub(super) fn see_calls(&mut self, entry: u32, told: &Told<'_>, own: bool) -> (usize, usize) {
        let calls = calls(&told.record, &told.pieces);
        let mut whole = 0;
        for (at, asked) in calls.iter().enumerate() {
            let call = self.link_call(entry, at, asked, own);
            let call = &mut self.replay.calls[call as usize];
            call.status = status(asked.status.get()).or(call.status);
            let Some(result) = asked.result.filter(|raw| !is_void(raw.get())) else { continue };
            let masked = is_masked(result.get());
            whole += usize::from(!masked);
            call.offer(entry, masked);
        }
        (calls.len(), whole)
    }

    fn link_call(&mut self, entry: u32, at: usize, asked: &Asked<'_>, own: bool) -> u32 {
        let key = link(asked.id.as_deref(), at);
        if let Some(call) = self.replay.links.get(&(entry, key)) {
            return *call;
        }
        let by_id = asked.id.as_deref().and_then(|id| self.by_id.get(&hash(id))).copied();
        // Interfaces that count their calls anew give the same id to a later call.
        let again = by_id.filter(|call| !own || self.replay.calls[*call as usize].source == NONE);
        let call = again.unwrap_or_else(|| self.new_call(entry, at, asked));
        self.replay.links.insert((entry, key), call);
        call
    }

    fn new_call(&mut self, entry: u32, at: usize, asked: &Asked<'_>) -> u32 {
        let number = index(self.replay.calls.len());
        let id = match &asked.id {
            Some(id) => {
                self.by_id.insert(hash(id), number);
                id.clone()
            }
            None => {
                self.unnamed.push((asked.name.as_ref().into(), number));
                format!("{}-{at}", self.replay.entries[entry as usize].id)
            }
        };
        let call = Call { id: id.into(), owner: entry, source: NONE, masked: false, status: None };
        self.replay.calls.push(call);
        number
    }

    pub(super) fn see_results(&mut self, entry: u32, pieces: &[Piece<'_>]) -> (usize, usize) {
        let mut whole = 0;
        for (at, piece) in pieces.iter().enumerate() {
            let Piece::Response(response) = piece else { continue };
            let id = bare_id(&response.id, response.name.text());
            let call = match &id {
                Some(id) => self.by_id.get(&hash(id)).copied(),
                None => self.next_unnamed(response.name.text()),
            };
            let masked = response.response.is_some_and(|raw| is_masked(raw.get()));
            whole += usize::from(!masked);
            let Some(call) = call else { continue };
            let call = *self.replay.links.entry((entry, link(id.as_deref(), at))).or_insert(call);
            self.replay.calls[call as usize].offer(entry, masked);
        }
        (0, whole)
    }

    fn next_unnamed(&mut self, name: &str) -> Option<u32> {
        let at = self.unnamed.iter().position(|(other, _)| other.as_ref() == name)?;
        Some(self.unnamed.remove(at).1)
    }
}

impl Call {
    /// Takes a result from the first message that has it whole.
    fn offer(&mut self, entry: u32, masked: bool) {
        if self.source == NONE || (self.masked && !masked) {
            (self.source, self.masked) = (entry, masked);
        }
    }
}

/// Reads the harness's word for how a call ended.
fn status(word: Option<&str>) -> Option<Status> {
    match word? {
        "success" => Some(Status::Ok),
        "error" => Some(Status::Error),
        "cancelled" => Some(Status::Interrupted),
        _ => None,
    }
}

/// Tells whether a result is only what is left of one that was taken out of the context.
fn is_masked(raw: &str) -> bool {
    memchr::memmem::find(raw.as_bytes(), MASK_TAG.as_bytes()).is_some()
}

/// Tells whether a result says nothing at all, so that the harness sends none.
fn is_void(raw: &str) -> bool {
    matches!(raw, "null" | "\"\"" | "[]" | "false")
}

/// A call or result within its message: by its id, else by its place.
pub(super) fn link(id: Option<&str>, at: usize) -> u64 {
    id.map_or_else(|| hash(&format!("\0{at}")), hash)
}
