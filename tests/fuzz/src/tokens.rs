//! Counting tokens: both ways count the same, and never more than there are bytes.

use std::sync::LazyLock;

use segue::select::tokens::Counter;

static REFERENCE: LazyLock<Counter> =
    LazyLock::new(|| Counter::named("o200k_harmony").expect("an encoding"));
static OLDER: LazyLock<Counter> =
    LazyLock::new(|| Counter::named("cl100k_base").expect("an encoding"));

/// A longer text is counted in pieces, of another length each way.
const PIECE_BYTES: usize = 4096;

/// Counts a text.
pub fn hold(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let count = Counter::Fast.count(&text);
    assert!(count <= text.len() && (count > 0) != text.is_empty());
    let reference = REFERENCE.count(&text);
    if text.len() <= PIECE_BYTES {
        assert_eq!(count, reference, "{text:?}");
    }
    assert!(OLDER.count(&text) <= text.len());
    let scaled = Counter::Fast.scaled(145).count(&text);
    assert!(scaled * 100 >= count * 145 && scaled <= count * 2);
}
