//! Writes sessions that Claude Code resumes.
//!
//! One chain of lines, each the parent of the next: what was replaced, a boundary, what is sent.
//! Of a response every block has a line, all with one id, and its results come after all of them.

mod block;
mod chain;
pub(super) mod folder;
mod line;
mod response;
mod side;
mod tool;

use std::io;

use camino::Utf8Path;

use super::{Claude, NAME, check};
use crate::error::{Error, Result};
use crate::harness::{Above, Finding, Place, SideFile, Target, Writer};
use crate::jsonl::Input;
use crate::model::{Conversation, Deed, NativeCall, Side};
use crate::note::Losses;

pub(super) use tool::{asks_more, deed};

impl Writer for Claude {
    fn call(&self, deed: &Deed) -> Option<NativeCall> {
        tool::call(deed)
    }

    fn write(
        &self,
        conversation: &Conversation,
        target: &Target,
        out: &mut dyn io::Write,
    ) -> io::Result<Losses> {
        let is_own = conversation.header.harness == NAME;
        let mut chain = chain::Chain::new(conversation, target, is_own, out);
        chain.conversation(conversation)?;
        Ok(chain.losses)
    }

    fn place(
        &self,
        home: &Utf8Path,
        _conversation: &Conversation,
        target: &Target,
    ) -> Result<Place> {
        if target.cwd.is_empty() {
            let hint = "name the folder in which it is to go on: `--cwd DIR`".to_owned();
            let what = "the session does not say in which folder it worked".to_owned();
            return Err(Error::Usage { what, hint: Some(hint) });
        }
        let folder = home.join("projects").join(folder::name(&target.cwd));
        Ok(Place { file: folder.join(format!("{}.jsonl", target.id)), beside: Vec::new() })
    }

    fn side(&self, side: &Side, above: &Above<'_>) -> io::Result<Option<SideFile>> {
        side::write(side, above)
    }

    fn resume(&self, target: &Target) -> String {
        format!("claude --resume {}", target.id)
    }

    fn check(&self, input: &Input) -> Result<Vec<Finding>> {
        check::check(input)
    }
}
