//! Strings that stay in the file that they come from.

use std::fmt::Debug;
use std::sync::Arc;

/// What strings can be fetched from again.
pub trait TextSource: Debug + Send + Sync {
    /// Shows `look` the JSON string that stands at `at`, `bytes` long with its quotes.
    ///
    /// Where that is not to be had any more, `look` is not called, and the source remembers why.
    fn show(&self, at: u64, bytes: usize, look: &mut dyn FnMut(&str));
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
        let (mut look, mut made) = (Some(look), None);
        self.source.show(self.at, self.bytes, &mut |stored| {
            made = look.take().map(|look| look(stored)).or(made.take());
        });
        made
    }
}
