//! Where the words of a text stand, 64 bytes at a time.

use wide::u8x64;

/// How many bytes are looked at in one step.
pub const STEP_BYTES: usize = 64;

/// Marks those of the first [`STEP_BYTES`] bytes that are no blanks; the lowest bit is the first
/// byte. Behind the end there are none.
pub fn words(bytes: &[u8]) -> u64 {
    let block = bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [b' '; STEP_BYTES];
        block[..bytes.len()].copy_from_slice(bytes);
        block
    });
    let block = u8x64::new(block);
    let is = |byte: u8| block.simd_eq(u8x64::splat(byte));
    !(is(b' ') | is(b'\t') | is(b'\n') | is(0x0C) | is(b'\r')).to_bitmask()
}
