//! The session from whose shell this program runs, where its harness does not say which that is.

use std::collections::HashSet;

use super::{Found, World};
use crate::error::Result;
use crate::harness::{Sink, Want};
use crate::model::{Action, Blobs, Body, Header, Item, Origin};

/// The name of this program on a command line.
const OWN_NAME: &str = env!("CARGO_PKG_NAME");

/// Takes it out of `found`, newest first: it is the newest of its harness, and the call that runs this program is
/// open at its end.
pub(super) fn take_out(world: &World<'_>, found: &mut Vec<Found>) {
    let is_asked = |one: &Found| one.harness.calls_without_a_name(world.var);
    let newest = found.iter().position(is_asked).filter(|_| world.caller.id.is_none());
    if let Some(at) = newest.filter(|at| found.get(*at).is_some_and(runs_this)) {
        found.remove(at);
    }
}

/// Tells whether a call that names this program is open at the end; of what cannot be read none is.
fn runs_this(one: &Found) -> bool {
    let want = Want { actions: true, blobs: Blobs::Sized, ..Want::default() };
    let mut open = Open::default();
    let read = one.open().and_then(|input| one.harness.read(&input, want, &mut open));
    read.is_ok() && !open.0.is_empty()
}

/// The calls without a result that name this program, since a human spoke last.
#[derive(Default)]
struct Open(HashSet<String>);

impl Sink for Open {
    fn header(&mut self, _header: &Header) -> Result<()> {
        Ok(())
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        match &item.body {
            Body::Message(message) if message.origin == Origin::Human => self.0.clear(),
            Body::ToolCall(call) => {
                if let Some(Action::Shell { command, .. }) = call.action.as_deref()
                    && names_this(command)
                {
                    self.0.insert(call.call_id.to_string());
                }
            }
            Body::ToolResult(result) => {
                self.0.remove(result.call_id.as_ref());
            }
            _ => {}
        }
        Ok(())
    }
}

fn names_this(command: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    command.split(|c| !is_of_name(c)).any(|word| word == OWN_NAME)
}

#[cfg(test)]
mod tests {
    use super::names_this;

    #[test]
    fn a_command_line_names_the_program_by_a_word_of_its_own() {
        for line in ["segue pack", "cd a && ./bin/segue list|cat", "(segue status)"] {
            assert!(names_this(line), "{line}");
        }
        for line in ["", "cat segue.md", "my-segue pack"] {
            assert!(!names_this(line), "{line}");
        }
    }
}
