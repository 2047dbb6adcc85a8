//! Counts tokens of `o200k_base` out of a table that is part of the program.
//!
//! A start-up hook has no time to load 200,000 tokens into memory: that took 50 ms and 69 MB, more
//! than all else of a small pack. Here a lookup touches the page or two that it needs.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::layout::{self, Entry, LONGEST_BYTES, PLACE_BYTES, PLACES};
use super::split;

/// As `layout` says.
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.table"));

thread_local! {
    static MERGE: RefCell<Merge> = RefCell::default();
}

/// Counts the tokens of a text; special tokens in it count as plain text.
pub(super) fn count(text: &str) -> usize {
    let pieces = split::pieces(text).map(str::as_bytes);
    MERGE.with_borrow_mut(|merge| pieces.map(|piece| merge.count(piece)).sum())
}

/// Returns the rank of a token, or nothing if there is none of these bytes.
fn rank(token: &[u8]) -> Option<u32> {
    if token.len() > LONGEST_BYTES {
        return None;
    }
    let (places, bytes) = TABLE.split_at(PLACES * PLACE_BYTES);
    let (hash, mut at) = layout::place(token);
    loop {
        let place = places[at * PLACE_BYTES..].first_chunk()?;
        let entry = Entry::read(u64::from_le_bytes(*place))?;
        if entry.may_be(token, hash) && bytes[entry.start..].starts_with(token) {
            return Some(entry.rank);
        }
        at = (at + 1) % PLACES;
    }
}

/// Two neighbours that are a token together: the least rank is merged first, then the leftmost.
type Pair = Reverse<(u32, usize, usize)>;

/// How many pieces are remembered, and how long each may be, in bytes: names and paths come again.
const KNOWN: usize = 1 << 14;
const KNOWN_BYTES: usize = 64;

/// Merges the bytes of a piece into tokens; the memory is used again for the next one.
#[derive(Default)]
struct Merge {
    /// How many tokens pieces of several are.
    known: FxHashMap<Box<[u8]>, usize>,
    /// For the first byte of each token the end of it.
    ends: Vec<usize>,
    /// For the first byte of each token the start of the one before it.
    befores: Vec<usize>,
    pairs: BinaryHeap<Pair>,
}

impl Merge {
    fn count(&mut self, piece: &[u8]) -> usize {
        if rank(piece).is_some() {
            return 1;
        }
        if let Some(count) = self.known.get(piece) {
            return *count;
        }
        let count = self.merged(piece);
        if piece.len() <= KNOWN_BYTES && self.known.len() < KNOWN {
            self.known.insert(piece.into(), count);
        }
        count
    }

    /// Merges a piece and counts what is left.
    fn merged(&mut self, piece: &[u8]) -> usize {
        let length = piece.len();
        self.ends.clear();
        self.ends.extend(1..=length);
        self.befores.clear();
        self.befores.extend((0..length).map(|at| at.saturating_sub(1)));
        self.pairs.clear();
        (1..length).for_each(|at| self.pair(piece, at - 1, at));
        let mut count = length;
        while let Some(Reverse((_, start, end))) = self.pairs.pop() {
            let middle = self.ends[start];
            // One of the two may be part of another token by now: then it has no end, or another.
            if middle == 0 || middle >= end || self.ends[middle] != end {
                continue;
            }
            self.ends[start] = end;
            self.ends[middle] = 0;
            count -= 1;
            if start > 0 {
                self.pair(piece, self.befores[start], start);
            }
            if end < length {
                self.befores[end] = start;
                self.pair(piece, start, end);
            }
        }
        count
    }

    /// Remembers the token that begins at `start` and the one that begins at `next`, if they are a
    /// token together.
    fn pair(&mut self, piece: &[u8], start: usize, next: usize) {
        let end = self.ends[next];
        if let Some(rank) = rank(&piece[start..end]) {
            self.pairs.push(Reverse((rank, start, end)));
        }
    }
}
