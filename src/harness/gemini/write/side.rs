//! Side sessions: each has a file of its own in a folder that is named by the session that began it,
//! and the call names it.

use std::io;

use super::form::Header;
use super::header;
use crate::harness::gemini::side::MAX_DEPTH;
use crate::harness::{Above, SideFile};
use crate::model::Side;

/// Returns the side session that a call names as begun by it: a call has room for one.
pub(super) fn begun<'s>(sides: &'s [Side], call: &str) -> Option<&'s Side> {
    sides.iter().find(|side| side.call_id.as_deref() == Some(call))
}

/// Writes a side session, if a call that is written names it.
pub(super) fn write(side: &Side, above: &Above<'_>) -> io::Result<Option<SideFile>> {
    let sides = &above.conversation.sides;
    let is_named = side.call_id.as_deref().is_some_and(|call| {
        above.calls.contains(call) && begun(sides, call).is_some_and(|begun| begun.id == side.id)
    });
    if !is_named || above.depth > MAX_DEPTH {
        return Ok(None);
    }
    let target = above.target_of(side);
    let header = Header { kind: super::SIDE, ..header(&side.conversation, &target) };
    let mut text = Vec::new();
    let losses = super::write(&side.conversation, &header, &target, &mut text)?;
    let folder = above.file.with_file_name(&above.target.id);
    let path = folder.join(format!("{}.jsonl", target.id));
    Ok(Some(SideFile { path, text, beside: None, losses }))
}
