//! Memory to read into, which each thread uses again: a fresh piece has to be cleared, and the
//! system has to find its pages, which costs as much as reading a short file.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// How many buffers a thread keeps, and how long each may be, in bytes.
const KEPT: usize = 4;
const KEPT_BYTES: usize = 4 * 1024 * 1024;

thread_local! {
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Bytes that can be written over; what stands in them at first means nothing.
#[derive(Debug, Default)]
pub(super) struct Buffer(Vec<u8>);

impl Buffer {
    /// Returns one of at least `bytes` bytes.
    pub(super) fn of(bytes: usize) -> Self {
        let spare = SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten();
        let mut buffer = Self(spare.unwrap_or_default());
        if buffer.len() < bytes {
            // What it holds is not worth moving.
            buffer.0.clear();
            buffer.0.resize(bytes, 0);
        }
        buffer
    }

    /// Makes it longer; what it holds stays.
    pub(super) fn grow(&mut self, bytes: usize) {
        if self.len() < bytes {
            self.0.resize(bytes, 0);
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let bytes = std::mem::take(&mut self.0);
        // A thread that ends keeps nothing.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if (1..=KEPT_BYTES).contains(&bytes.len()) && spare.len() < KEPT {
                spare.push(bytes);
            }
        });
    }
}
