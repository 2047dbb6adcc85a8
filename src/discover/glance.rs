//! What the two ends of a file tell of its session.

use crate::harness::Harness;
use crate::jsonl::Input;
use crate::model::Header;

/// How much of a file is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// All of it.
    Whole,
    /// Its first and last lines, where they tell id, folder and end; what stands between them, such
    /// as a title that was given there, is not seen.
    Ends,
}

/// How many bytes are looked at of the start and of the end of a file: few, then more where these
/// do not tell enough.
const ENDS_BYTES: [(usize, usize); 3] =
    [(16 << 10, 8 << 10), (64 << 10, 64 << 10), (256 << 10, 512 << 10)];

/// Reads the header of a file from its ends, if these say enough.
pub(super) fn glance(harness: &dyn Harness, input: &Input) -> Option<Header> {
    let says_enough = |ends: &Input, header: &Header| {
        let is_talk = header.has_request || header.has_answer || header.is_side;
        let ended = header.ended_at.as_ref().is_some_and(|ended| ends.last_lines_hold(ended));
        // The last lines may name a folder that the session went into on its way.
        let began = header.cwd.as_ref().is_some_and(|cwd| ends.first_lines_name(cwd));
        ended && began && is_talk
    };
    let header = |(head_bytes, tail_bytes)| {
        let ends = input.ends(head_bytes, tail_bytes).ok()??;
        harness.header(&ends).ok().filter(|header| says_enough(&ends, header))
    };
    ENDS_BYTES.into_iter().filter(|_| harness.is_log()).find_map(header)
}
