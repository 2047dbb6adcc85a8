//! Writes sessions that Codex CLI resumes: records of the form that every version since 0.36 reads.

mod compacted;
mod events;
mod items;
mod output;
mod rollout;
mod said;
mod side;
mod steps;
mod tools;

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Codex, check, ledger};
use crate::error::Result;
use crate::harness::{Above, Finding, Imported, Place, SideFile, Target, Writer};
use crate::jsonl::Input;
use crate::model::{Conversation, Deed, NativeCall, Side};
use crate::note::Losses;

impl Writer for Codex {
    fn call(&self, deed: &Deed) -> Option<NativeCall> {
        tools::call(deed)
    }

    fn write(
        &self,
        conversation: &Conversation,
        target: &Target,
        out: &mut dyn io::Write,
    ) -> io::Result<Losses> {
        rollout::write(conversation, target, None, out)
    }

    fn place(
        &self,
        home: &Utf8Path,
        conversation: &Conversation,
        target: &Target,
    ) -> Result<Place> {
        let start = rollout::started_at(conversation, target);
        let day = start.get(..10).unwrap_or_default().replace('-', "/");
        let name = rollout::name(&start, target);
        Ok(Place { file: home.join("sessions").join(day).join(name), beside: Vec::new() })
    }

    fn side(&self, side: &Side, above: &Above<'_>) -> io::Result<Option<SideFile>> {
        side::write(side, above).map(Some)
    }

    fn resume(&self, target: &Target) -> String {
        format!("codex resume {}", target.id)
    }

    fn ledger(&self, home: &Utf8Path, from: &str) -> Option<Utf8PathBuf> {
        (from == "claude").then(|| ledger::path(home))
    }

    fn entered(&self, list: &str, source: &Imported, target: &Target) -> Option<String> {
        ledger::entered(list, source, target)
    }

    fn check(&self, input: &Input) -> Result<Vec<Finding>> {
        check::check(input)
    }
}
