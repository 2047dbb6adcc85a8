//! How the lines of a file hang together, when all of them are known.

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::key::Key;
use super::links::{ByKey, Links, MISSING, NONE};
use super::nodes::{NodeKind, Nodes};
use super::times::Times;
use super::twins::Twins;

/// Lines that survive a compaction: the first and the last of them, and the one that they follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<Id> {
    pub head: Id,
    pub anchor: Id,
    pub tail: Id,
}

/// What a file names besides the parents of lines.
#[derive(Default)]
pub(super) struct Named<Id> {
    /// The line that the last pointer names as the active leaf.
    pub pointer: Id,
    pub segments: Vec<Segment<Id>>,
}

/// Which line follows which, which are of one response, which answer which.
pub(super) struct Tree<'n> {
    pub nodes: &'n Nodes,
    pub named: Named<Option<u32>>,
    /// Lines that others of their response follow.
    pub followed: Bits,
    pub times: Times,
    /// For each line its parent; for one of a side session the line with which that began.
    parents: Vec<u32>,
    /// For each line of a response the next one of it that counts, the first behind the last; for
    /// a result the line of its call; [`NONE`] for others.
    mates: Vec<u32>,
    /// The results that count, by the line of their call.
    results: Vec<u32>,
    twins: Twins,
    /// For each boundary what it names as the last line before it, and its parent.
    histories: FxHashMap<u32, [Option<u32>; 2]>,
}

impl<'n> Tree<'n> {
    /// Finds what each line names.
    pub(super) fn new(nodes: &'n Nodes, mut links: Links, named: &Named<Key>) -> Self {
        let followed = links.join();
        let by_key = ByKey::new(nodes);
        links.find_far(&by_key);
        let twins = Twins::new(nodes, by_key.shared());
        let find = |key: Key| by_key.any(key).and_then(|index| twins.last(nodes, index));
        let segment = |Segment { head, anchor, tail }: &Segment<Key>| Segment {
            head: find(*head),
            anchor: find(*anchor),
            tail: find(*tail),
        };
        let named = Named {
            pointer: find(named.pointer),
            segments: named.segments.iter().map(segment).collect(),
        };
        let history = |(boundary, keys): &(u32, [Key; 2])| (*boundary, keys.map(find));
        let histories = links.histories.iter().map(history).collect();
        drop(by_key);
        let Links { parents, mates, times, .. } = links;
        let results = Vec::new();
        let mut tree =
            Self { nodes, named, followed, times, parents, mates, results, twins, histories };
        tree.settle();
        tree
    }

    /// Goes over from what has the right uuid to what counts.
    fn settle(&mut self) {
        self.settle_parents();
        self.settle_calls();
        if self.twins.is_any_earlier() || self.nodes.have_side() {
            self.settle_rings();
        }
        if self.is_in_order() {
            self.times = Times::default();
        }
    }

    /// A line of a side session comes after its parent, and has its beginning.
    fn settle_parents(&mut self) {
        let (nodes, mut nameless) = (self.nodes, None);
        for index in 0..self.count() {
            let named = self.parents[index as usize];
            self.parents[index as usize] = match (nodes.is_side(index), named) {
                (true, named) => {
                    let before = match named {
                        NONE => nameless,
                        MISSING => None,
                        named => self.twins.before(nodes, named, index, true),
                    };
                    nameless = if nodes.key(index) == 0 { Some(index) } else { nameless };
                    before.map_or(index, |before| self.parents[before as usize])
                }
                (false, NONE | MISSING) => named,
                // What names itself names nothing that stands before it.
                (false, named) => {
                    let last = self.twins.last(nodes, named);
                    last.filter(|last| *last != index).unwrap_or(MISSING)
                }
            };
        }
    }

    /// Finds which result answers which line.
    fn settle_calls(&mut self) {
        let is_result = |index: &u32| self.nodes.kind(*index) == NodeKind::Result;
        for index in (0..self.count()).filter(is_result) {
            let named = Some(self.mates[index as usize]).filter(|named| *named != NONE);
            let call = named.and_then(|named| self.twins.last(self.nodes, named));
            let call = call.or_else(|| self.parent(index)).filter(|_| self.counts(index));
            self.mates[index as usize] = call.unwrap_or(NONE);
            if call.is_some() {
                self.results.push(index);
            }
        }
        self.results.sort_by_key(|index| self.mates[*index as usize]);
    }

    /// Takes out of the ring of each response the lines that do not count; each still leads to one
    /// that does.
    fn settle_rings(&mut self) {
        let (mut seen, mut ring) = (Bits::default(), Vec::new());
        for first in 0..self.count() {
            let mut at = first;
            ring.clear();
            while self.is_in_ring(at) && seen.insert(at) {
                ring.push(at);
                at = self.mates[at as usize];
            }
            let counting = ring.iter().copied().find(|index| self.counts(*index));
            let mut next = counting.unwrap_or(NONE);
            for index in ring.iter().rev().copied() {
                self.mates[index as usize] = next;
                next = if self.counts(index) { index } else { next };
            }
        }
    }

    fn is_in_ring(&self, index: u32) -> bool {
        self.nodes.kind(index) == NodeKind::Assistant && self.mates[index as usize] != NONE
    }

    /// Whether every line comes after its parent, so that none has to be looked for by its time.
    fn is_in_order(&self) -> bool {
        let is_after = |(index, parent): (u32, &u32)| *parent == NONE || *parent < index;
        let is_side = |index| self.nodes.is_side(index);
        (0..).zip(&self.parents).all(|(index, parent)| is_side(index) || is_after((index, parent)))
    }

    /// How many lines there are.
    pub(super) fn count(&self) -> u32 {
        self.nodes.count()
    }

    /// Whether a line counts: not of a side session, not replaced by a later one of its uuid.
    pub(super) fn counts(&self, index: u32) -> bool {
        !self.nodes.is_side(index) && !self.twins.is_earlier(index)
    }

    /// Whether a later line of the same uuid counts for this one.
    pub(super) fn is_earlier(&self, index: u32) -> bool {
        self.twins.is_earlier(index)
    }

    /// Whether a line says that it follows another.
    pub(super) fn names_parent(&self, index: u32) -> bool {
        self.parents[index as usize] != NONE
    }

    /// Returns the line that one follows.
    pub(super) fn parent(&self, index: u32) -> Option<u32> {
        let is_side = self.nodes.is_side(index);
        Some(self.parents[index as usize]).filter(|parent| !is_side && *parent < MISSING)
    }

    /// Returns the line of a side session with which that began.
    pub(super) fn side_root(&self, index: u32) -> u32 {
        self.parents[index as usize]
    }

    /// Returns the line that one follows among those before `limit`: after a compaction some
    /// programs write the lines that they keep once more, with new parents.
    pub(super) fn parent_before(&self, index: u32, limit: u32) -> Option<u32> {
        self.twins.before(self.nodes, self.parent(index)?, limit, false)
    }

    /// Returns the line before a boundary that it names itself.
    pub(super) fn history(&self, boundary: u32) -> Option<u32> {
        let named = self.histories.get(&boundary)?.iter().flatten();
        named.filter_map(|last| self.twins.before(self.nodes, *last, boundary, false)).next()
    }

    /// Forgets which line follows which, and in what time.
    pub(super) fn forget_parents(&mut self) {
        (self.parents, self.times) = (Vec::new(), Times::default());
    }

    /// Returns the line of the call that a result answers.
    pub(super) fn call(&self, result: u32) -> Option<u32> {
        let is_result = self.nodes.kind(result) == NodeKind::Result;
        Some(self.mates[result as usize]).filter(|call| is_result && *call != NONE)
    }

    /// Returns a line of the same response that counts, itself if it does.
    pub(super) fn response(&self, index: u32) -> Option<u32> {
        let mate = Some(self.mates[index as usize]).filter(|_| self.is_in_ring(index));
        mate.map(|mate| if self.counts(index) { index } else { mate })
    }

    /// Puts the lines of the response of `index` into `lines`.
    pub(super) fn lines_of_response(&self, index: u32, lines: &mut Vec<u32>) {
        lines.clear();
        let mut at = index;
        loop {
            lines.push(at);
            at = self.mates[at as usize];
            if at == index {
                break;
            }
        }
        lines.sort_unstable();
    }

    /// Returns the results whose call stands on a line, and the place behind them; they are looked
    /// for at `place` first, where the results of the call before end.
    pub(super) fn results_of(&self, call: u32, place: usize) -> (&[u32], usize) {
        let call_at = |at: usize| self.results.get(at).map(|index| self.mates[*index as usize]);
        let is_near = call_at(place).is_none_or(|at| at >= call)
            && place.checked_sub(1).and_then(call_at).is_none_or(|before| before < call);
        let from = match is_near {
            true => place,
            false => self.results.partition_point(|index| self.mates[*index as usize] < call),
        };
        let mut end = from;
        while call_at(end) == Some(call) {
            end += 1;
        }
        (&self.results[from..end], end)
    }
}
