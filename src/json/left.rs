//! Strings that stay in the file that they come from.

use std::fmt::Debug;
use std::sync::Arc;

/// What strings can be fetched from again.
pub trait TextSource: Debug + Send + Sync {
    /// Shows `look` the JSON string that stands at `at`, `bytes` long with its quotes.
    ///
    /// Where that is not to be had any more, `look` is not called, and the source remembers why.
    fn show(&self, at: u64, bytes: usize, look: &mut dyn FnMut(&str));

    /// Shows `look` the first `bytes` bytes of the JSON string that stands at `at`, its first quote
    /// among them, and fewer where a character would be cut.
    fn show_start(&self, at: u64, bytes: usize, look: &mut dyn FnMut(&str));
}

/// A JSON string that was left where it is stored.
#[derive(Clone, Debug)]
pub struct Left {
    source: Arc<dyn TextSource>,
    at: u64,
    bytes: usize,
}

impl Left {
    /// The JSON string at `at` of `source`, `bytes` long with its quotes.
    pub fn new(source: Arc<dyn TextSource>, at: u64, bytes: usize) -> Self {
        Self { source, at, bytes }
    }

    /// How long it is as it is stored, its quotes included.
    pub fn stored_bytes(&self) -> usize {
        self.bytes
    }

    /// Returns what `look` makes of the string as it is stored; nothing if it is gone.
    pub fn look<T>(&self, look: impl FnOnce(&str) -> T) -> Option<T> {
        once(look, |look| self.source.show(self.at, self.bytes, look))
    }

    /// Returns what `look` makes of the first `bytes` bytes of the string as it is stored, its first
    /// quote among them; nothing if it is gone.
    ///
    /// Costs the same however long the string is.
    pub fn look_start<T>(&self, bytes: usize, look: impl FnOnce(&str) -> T) -> Option<T> {
        once(look, |look| self.source.show_start(self.at, bytes.min(self.bytes), look))
    }
}

/// Returns what `look` makes of what `show` shows it.
fn once<T>(look: impl FnOnce(&str) -> T, show: impl FnOnce(&mut dyn FnMut(&str))) -> Option<T> {
    let (mut look, mut made) = (Some(look), None);
    show(&mut |stored| made = look.take().map(|look| look(stored)).or(made.take()));
    made
}
