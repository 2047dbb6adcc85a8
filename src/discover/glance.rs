//! What the two ends of a file tell of its session.

use camino::Utf8Path;

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

/// Reads the header of the file at `path` without a look at all of it, where that says enough, or
/// of a short file, which is read at once; and tells what of it that rests on.
///
/// Nothing where it takes a look at all of it, which also tells what is wrong with it.
pub(super) fn glance(harness: &dyn Harness, path: &Utf8Path, look: Look) -> Option<(Header, Look)> {
    let mut input = Input::ends(path, look == Look::Ends && harness.is_log(path))?;
    if input.is_whole() {
        return Some((harness.header(&input).ok()?, Look::Whole));
    }
    loop {
        let header = harness.header(&input).ok();
        match header.as_ref().map_or(Some(Lack::Start), |header| lack(harness, &input, header)) {
            None => return Some((header?, Look::Ends)),
            Some(Lack::Start) => input.more_of_start()?,
            Some(Lack::End) => input.more_of_end()?,
        }
    }
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
