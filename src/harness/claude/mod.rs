//! Stub.

use camino::{Utf8Path, Utf8PathBuf};

use super::{Harness, Shelf, Sink, Want};
use crate::error::Result;
use crate::jsonl::Input;
use crate::model::{End, Header};

/// Reads sessions of Claude.
pub(super) struct Claude;

impl Harness for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn title(&self) -> &'static str {
        "Claude"
    }

    fn home(&self, _var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        None
    }

    fn caller(&self, _var: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        None
    }

    fn shelves(&self, _home: &Utf8Path, _project: Option<&Utf8Path>) -> Vec<Shelf> {
        Vec::new()
    }

    fn may_be_session(&self, _path: &Utf8Path) -> bool {
        false
    }

    fn recognises(&self, _head: &str) -> bool {
        false
    }

    fn header(&self, input: &Input) -> Result<Header> {
        Err(super::no_items(input))
    }

    fn read(&self, input: &Input, _want: Want, _sink: &mut dyn Sink) -> Result<End> {
        Err(super::no_items(input))
    }
}
