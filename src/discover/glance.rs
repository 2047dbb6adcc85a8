//! What the two ends of a file tell of its session.

use camino::Utf8Path;

use crate::error::Result;
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

/// Reads the header of the file at `path`, of a log by its ends alone where these say enough and
/// that is wanted, and tells how much of the file it rests on.
pub(super) fn glance(harness: &dyn Harness, path: &Utf8Path, look: Look) -> Result<(Header, Look)> {
    let mut input = Input::quick(path, look == Look::Ends && harness.is_log(path))?;
    while !input.is_whole() {
        let header = harness.header(&input).ok();
        let more = match (header.as_ref().and_then(|header| lack(harness, &input, header)), header)
        {
            (None, Some(header)) => return Ok((header, Look::Ends)),
            (Some(Lack::End), _) => input.more_of_end(),
            (Some(Lack::Start) | None, _) => input.more_of_start(),
        };
        if more.is_none() {
            input = input.whole();
        }
    }
    Ok((harness.header(&input)?, Look::Whole))
}

/// The end of a file of which too little was read.
enum Lack {
    Start,
    End,
}

/// Tells which end of a file has to say more.
fn lack(harness: &dyn Harness, ends: &Input, header: &Header) -> Option<Lack> {
    let is_talk = header.has_request || header.has_answer || header.is_side;
    // The last lines may name a folder that the session went into on its way.
    let names =
        |cwd: &String| ends.first_lines_name(cwd) || harness.folder_beside(ends) == header.cwd;
    let began = header.cwd.as_ref().is_some_and(names);
    if !is_talk || !began {
        return Some(Lack::Start);
    }
    // What does not come from the first lines, of which fewer were read, comes from the last ones.
    let is_late = |ended: &String| !ends.first_lines_hold(ended) || ends.last_lines_hold(ended);
    (!header.ended_at.as_ref().is_some_and(is_late)).then_some(Lack::End)
}
