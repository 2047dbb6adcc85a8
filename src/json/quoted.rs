//! The end of a quoted string, found 64 bytes at a time.

#[cfg(target_arch = "x86_64")]
mod broad;

use wide::{u8x16, u8x64};

use super::ends;

/// How many bytes are looked at in one step.
const STEP_BYTES: usize = 64;

/// A string that was gone through.
#[derive(Clone, Copy)]
pub(super) struct Quoted {
    /// Where the closing quote stands.
    pub end: usize,
    pub has_escapes: bool,
}

/// Finds the quote that closes the string whose first byte is at `from`.
///
/// Returns nothing where there is none, and where a control character or an escape that there is
/// not stands before it. Halves of surrogate pairs pass.
pub(super) fn close(bytes: &[u8], from: usize) -> Option<Quoted> {
    if let Some(end) = short(bytes, from) {
        return Some(Quoted { end, has_escapes: false });
    }
    let near = bytes.len().min(from + ends::LONG_BYTES);
    match long(&bytes[..near], from) {
        None if near < bytes.len() => ends::known(bytes, from, || long(bytes, from)),
        found => found,
    }
}

/// Calls `found` with the place of every byte that stands escaped in a JSON string, in order.
#[cfg(target_arch = "x86_64")]
pub(super) fn specials(bytes: &[u8], found: impl FnMut(usize)) {
    if let Some(simd) = broad::V4::try_new() {
        return simd.vectorize(broad::Specials { look: simd, bytes, found });
    }
    match broad::V3::try_new() {
        Some(simd) => simd.vectorize(broad::Specials { look: simd, bytes, found }),
        None => mark(bytes, found, &Any),
    }
}

/// Calls `found` with the place of every byte that stands escaped in a JSON string, in order.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn specials(bytes: &[u8], found: impl FnMut(usize)) {
    mark(bytes, found, &Any);
}

/// Finds what has to be escaped block by block.
#[inline(always)]
fn mark(bytes: &[u8], mut found: impl FnMut(usize), look: &impl Look) {
    let mut from = 0;
    while from < bytes.len() {
        let at = look.at(&block(&bytes[from..]));
        let mut special = at.quote | at.backslash | at.control;
        while special != 0 {
            found(from + special.trailing_zeros() as usize);
            special &= special - 1;
        }
        from += STEP_BYTES;
    }
}

/// Takes the broadest registers that this processor has.
#[cfg(target_arch = "x86_64")]
fn long(bytes: &[u8], from: usize) -> Option<Quoted> {
    if let Some(simd) = broad::V4::try_new() {
        return simd.vectorize(broad::Search { look: simd, bytes, from });
    }
    match broad::V3::try_new() {
        Some(simd) => simd.vectorize(broad::Search { look: simd, bytes, from }),
        None => steps(bytes, from, &Any),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn long(bytes: &[u8], from: usize) -> Option<Quoted> {
    steps(bytes, from, &Any)
}

/// Goes through a string block by block.
#[inline(always)]
fn steps(bytes: &[u8], from: usize, look: &impl Look) -> Option<Quoted> {
    let (mut at, mut carry, mut has_escapes) = (from, 0, false);
    loop {
        let rest = &bytes[at..];
        let found = look.at(&block(rest));
        let escaped = escaped(found.backslash, &mut carry);
        let closing = found.quote & !escaped;
        let inside = (closing & closing.wrapping_neg()).wrapping_sub(1);
        has_escapes |= found.backslash & inside != 0;
        // Nearly all escapes are these four; the others are looked at one by one.
        let rare = escaped & inside & !(found.quote | found.backslash | found.letter);
        if found.control & inside != 0 || (rare != 0 && !are_escapes(bytes, at, rare)) {
            return None;
        }
        if closing != 0 {
            return Some(Quoted { end: at + closing.trailing_zeros() as usize, has_escapes });
        }
        if rest.len() <= STEP_BYTES {
            return None;
        }
        at += STEP_BYTES;
    }
}

/// Finds the end of a string that has fewer than 16 bytes and nothing special in it, as most have.
fn short(bytes: &[u8], from: usize) -> Option<usize> {
    let block = u8x16::new(*bytes.get(from..)?.first_chunk()?);
    let quote = block.simd_eq(u8x16::splat(b'"'));
    let backslash = block.simd_eq(u8x16::splat(b'\\'));
    let control = block.simd_eq(block.min(u8x16::splat(0x1F)));
    let end = from + (quote | backslash | control).to_bitmask().trailing_zeros() as usize;
    (bytes.get(end) == Some(&b'"') && end < from + 16).then_some(end)
}

/// The next bytes of a text; the last ones with blanks behind them.
#[inline(always)]
fn block(rest: &[u8]) -> [u8; STEP_BYTES] {
    rest.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [b' '; STEP_BYTES];
        block[..rest.len()].copy_from_slice(rest);
        block
    })
}

/// Where the bytes that matter stand in a block; the lowest bit is the first byte.
struct Found {
    quote: u64,
    backslash: u64,
    /// The letters that stand for a newline and a tab behind a backslash.
    letter: u64,
    control: u64,
}

/// Finds the bytes that matter in a block.
trait Look {
    fn at(&self, block: &[u8; STEP_BYTES]) -> Found;
}

/// With what every processor of its kind has.
struct Any;

impl Look for Any {
    #[inline(always)]
    fn at(&self, block: &[u8; STEP_BYTES]) -> Found {
        let block = u8x64::new(*block);
        Found {
            quote: block.simd_eq(u8x64::splat(b'"')).to_bitmask(),
            backslash: block.simd_eq(u8x64::splat(b'\\')).to_bitmask(),
            letter: (block.simd_eq(u8x64::splat(b'n')) | block.simd_eq(u8x64::splat(b't')))
                .to_bitmask(),
            control: block.simd_eq(block.min(u8x64::splat(0x1F))).to_bitmask(),
        }
    }
}

/// Tells which bytes a backslash escapes; `carry` is 1 where the next block begins with one.
///
/// In a run of backslashes every second one is escaped. Subtracting carries through each run at
/// once (Langdale and Lemire, "Parsing gigabytes of JSON per second", 3.1.1).
#[inline(always)]
fn escaped(backslash: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    if backslash == 0 {
        return std::mem::take(carry);
    }
    let starts = backslash & !*carry;
    let series = ((starts << 1) | ODD).wrapping_sub(starts) ^ ODD;
    let escaped = series ^ (backslash | *carry);
    *carry = (series & backslash) >> 63;
    escaped
}

/// Whether there is an escape for each of the bytes at `at` that are marked in `escaped`.
fn are_escapes(bytes: &[u8], at: usize, mut escaped: u64) -> bool {
    let mut legal = true;
    while escaped != 0 {
        let letter = at + escaped.trailing_zeros() as usize;
        legal &= match bytes.get(letter) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
            Some(b'u') => {
                ends::numbered();
                is_hex(bytes.get(letter + 1..letter + 5))
            }
            _ => false,
        };
        escaped &= escaped - 1;
    }
    legal
}

fn is_hex(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}
