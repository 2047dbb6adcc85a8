//! The id of a converted session.

use std::io::{self, Read};

use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use xxhash_rust::xxh3::Xxh3Default;

/// Stands for this program among all that make ids from names.
const SPACE: Uuid = Uuid::from_u128(0x6b1f_9c52_70d4_4b1e_9f0a_2d0c_5e9a_73b1);

/// How much of an id says of which source and for whom it is, in characters.
pub const KIN_CHARS: usize = 8;

/// Returns the id of what a source becomes: the same for the same source, content, target and
/// options, so that a second run finds what the first one wrote.
///
/// The ids of what one source becomes for one target begin alike, however it has grown since.
pub fn target_id(source: &str, target: &str, rest: &[&str]) -> String {
    // No part can hold the byte that stands between them.
    let named = |name: String| Uuid::new_v5(&SPACE, name.as_bytes()).to_string();
    let kin = named(format!("{source}\0{target}"));
    let own = named(format!("{source}\0{target}\0{}", rest.join("\0")));
    format!("{}{}", &kin[..KIN_CHARS], &own[KIN_CHARS..])
}

/// A number of 128 bits for the bytes that it was given, in whatever pieces.
///
/// It tells one state of a file from another, at a tenth of what a SHA-256 costs; it is no proof
/// against somebody who makes two files for it.
#[derive(Clone, Default)]
pub struct State {
    hash: Xxh3Default,
    /// How many bytes it was given.
    pub bytes: u64,
}

impl State {
    /// The state of all that `input` gives.
    pub fn of(input: impl Read) -> io::Result<Self> {
        let mut state = Self::default();
        each_piece(input, |piece| state.add(piece))?;
        Ok(state)
    }

    /// Takes the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// Returns it in hexadecimal.
    pub fn told(&self) -> String {
        format!("{:032x}", self.hash.digest128())
    }
}

/// Returns the SHA-256 of all that `input` gives, in hexadecimal.
pub fn digest(input: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    each_piece(input, |piece| hash.update(piece))?;
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn each_piece(mut input: impl Read, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => take(&buffer[..count]),
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_the_same_in_whatever_pieces() {
        let text = "a line of the file\n".repeat(40);
        let mut state = State::default();
        for line in text.lines() {
            state.add(line.as_bytes());
            state.add(b"\n");
        }
        assert_eq!((state.told(), state.bytes), (State::of(text.as_bytes()).unwrap().told(), 760));
        assert_ne!(state.told(), State::of(text.trim_end().as_bytes()).unwrap().told());
    }

    #[test]
    fn ids_of_one_source_begin_alike() {
        let id = |content: &str| target_id("a:1", "b", &[content, "live"]);
        assert_eq!(id("x"), id("x"));
        assert_ne!(id("x"), id("y"));
        assert_eq!(id("x")[..KIN_CHARS], id("y")[..KIN_CHARS]);
        assert_ne!(target_id("a:2", "b", &["x", "live"])[..KIN_CHARS], id("x")[..KIN_CHARS]);
        assert!(Uuid::parse_str(&id("x")).is_ok_and(|id| id.get_version_num() == 5));
    }
}
