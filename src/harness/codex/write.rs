//! Writes sessions that Codex CLI resumes.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Codex, ledger};
use crate::error::Result;
use crate::harness::{Finding, Imported, Place, Target, Writer};
use crate::jsonl::Input;
use crate::model::{Conversation, Deed, NativeCall};
use crate::note::Losses;

impl Writer for Codex {
    fn call(&self, _deed: &Deed) -> Option<NativeCall> {
        None
    }

    fn write(
        &self,
        _conversation: &Conversation,
        _target: &Target,
        _out: &mut dyn io::Write,
    ) -> io::Result<Losses> {
        Ok(Losses::default())
    }

    fn place(
        &self,
        home: &Utf8Path,
        _conversation: &Conversation,
        target: &Target,
    ) -> Result<Place> {
        Ok(Place { file: home.join(&target.id), beside: Vec::new() })
    }

    fn resume(&self, target: &Target) -> String {
        target.id.clone()
    }

    fn ledger(&self, home: &Utf8Path, from: &str) -> Option<Utf8PathBuf> {
        (from == "claude").then(|| ledger::path(home))
    }

    fn entered(&self, list: &str, source: &Imported, target: &Target) -> Option<String> {
        ledger::entered(list, source, target)
    }

    fn check(&self, _input: &Input) -> Result<Vec<Finding>> {
        Ok(Vec::new())
    }
}
