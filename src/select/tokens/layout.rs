//! How the table of tokens lies in a file: the build writes it, and the program looks things up in
//! it as it stands, without loading it.
//!
//! First the places of an open-addressed hash table, then the bytes of all tokens. A place is a
//! little-endian number of 64 bits, 0 where it is empty: length (8 bits), start of the bytes
//! (24), rank (18), and the top of the hash (14), which tells most tokens apart that are not the
//! wanted one.

use xxhash_rust::xxh3::xxh3_64;

/// How many places there are: more than twice as many as tokens.
pub(crate) const PLACES: usize = 1 << 19;
/// How many bytes a place takes.
pub(crate) const PLACE_BYTES: usize = 8;
/// The longest token, in bytes.
pub(crate) const LONGEST_BYTES: usize = 128;

/// What stands in a place.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) length: usize,
    pub(crate) start: usize,
    pub(crate) rank: u32,
    tag: u64,
}

impl Entry {
    /// Describes a token whose bytes begin at `start`.
    pub(crate) fn new(token: &[u8], start: usize, rank: u32) -> Self {
        Self { length: token.len(), start, rank, tag: xxh3_64(token) >> 50 }
    }

    /// Returns the entry as it is written.
    pub(crate) fn bits(self) -> u64 {
        self.length as u64 | (self.start as u64) << 8 | u64::from(self.rank) << 32 | self.tag << 50
    }

    /// Reads an entry; nothing from an empty place.
    pub(crate) fn read(bits: u64) -> Option<Self> {
        (bits != 0).then_some(Self {
            length: (bits & 0xFF) as usize,
            start: (bits >> 8 & 0xFF_FFFF) as usize,
            rank: (bits >> 32 & 0x3_FFFF) as u32,
            tag: bits >> 50,
        })
    }

    /// Tells whether it can be the token with that hash.
    pub(crate) fn may_be(&self, token: &[u8], hash: u64) -> bool {
        self.tag == hash >> 50 && self.length == token.len()
    }
}

/// Returns the hash of a token, and the place where to look for it first.
pub(crate) fn place(token: &[u8]) -> (u64, usize) {
    let hash = xxh3_64(token);
    (hash, hash as usize & (PLACES - 1))
}
