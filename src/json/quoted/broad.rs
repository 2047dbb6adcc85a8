//! The same with the broader registers that many processors have: a tenth to a seventh off an export.
//!
//! All of it has to be inlined: what is called by itself is built for any processor.

use std::arch::x86_64::{__m256i, __m512i};

pub(super) use pulp::x86::{V3, V4};

use super::{Found, Look, Quoted, STEP_BYTES, mark, steps};

pub(super) struct Search<'a, L> {
    pub look: L,
    pub bytes: &'a [u8],
    pub from: usize,
}

impl<L: Look> pulp::NullaryFnOnce for Search<'_, L> {
    type Output = Option<Quoted>;

    #[inline(always)]
    fn call(self) -> Option<Quoted> {
        steps(self.bytes, self.from, &self.look)
    }
}

pub(super) struct Specials<'a, L, F> {
    pub look: L,
    pub bytes: &'a [u8],
    pub found: F,
}

impl<L: Look, F: FnMut(usize)> pulp::NullaryFnOnce for Specials<'_, L, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        mark(self.bytes, self.found, &self.look);
    }
}

/// With registers of 64 bytes: a block is one of them, and a comparison gives its bits.
impl Look for V4 {
    #[inline(always)]
    fn at(&self, block: &[u8; STEP_BYTES]) -> Found {
        let block = pulp::cast(*block);
        let blank = self.avx512f._mm512_set1_epi8(0x20);
        Found {
            quote: marks(*self, block, b'"'),
            backslash: marks(*self, block, b'\\'),
            letter: marks(*self, block, b'n') | marks(*self, block, b't'),
            control: self.avx512bw._mm512_cmplt_epu8_mask(block, blank),
        }
    }
}

/// Returns a bit for each byte that is `byte`.
#[inline(always)]
fn marks(simd: V4, block: __m512i, byte: u8) -> u64 {
    let wanted = simd.avx512f._mm512_set1_epi8(byte.cast_signed());
    simd.avx512bw._mm512_cmpeq_epi8_mask(block, wanted)
}

/// With registers of 32 bytes, which processors have since about 2013.
impl Look for V3 {
    #[inline(always)]
    fn at(&self, block: &[u8; STEP_BYTES]) -> Found {
        let [low, high]: [__m256i; 2] = pulp::cast(*block);
        let (avx2, top) = (self.avx2, splat(*self, 0x1F));
        Found {
            quote: bits(*self, is(*self, low, b'"'), is(*self, high, b'"')),
            backslash: bits(*self, is(*self, low, b'\\'), is(*self, high, b'\\')),
            letter: bits(*self, is_letter(*self, low), is_letter(*self, high)),
            control: bits(
                *self,
                avx2._mm256_cmpeq_epi8(low, avx2._mm256_min_epu8(low, top)),
                avx2._mm256_cmpeq_epi8(high, avx2._mm256_min_epu8(high, top)),
            ),
        }
    }
}

#[inline(always)]
fn splat(simd: V3, byte: u8) -> __m256i {
    simd.avx._mm256_set1_epi8(byte.cast_signed())
}

/// Marks the bytes that are `byte`.
#[inline(always)]
fn is(simd: V3, half: __m256i, byte: u8) -> __m256i {
    simd.avx2._mm256_cmpeq_epi8(half, splat(simd, byte))
}

#[inline(always)]
fn is_letter(simd: V3, half: __m256i) -> __m256i {
    simd.avx2._mm256_or_si256(is(simd, half, b'n'), is(simd, half, b't'))
}

/// Returns a bit for each marked byte.
#[inline(always)]
fn bits(simd: V3, low: __m256i, high: __m256i) -> u64 {
    let low = simd.avx2._mm256_movemask_epi8(low).cast_unsigned();
    let high = simd.avx2._mm256_movemask_epi8(high).cast_unsigned();
    u64::from(low) | u64::from(high) << 32
}

#[cfg(test)]
mod tests {
    use super::super::Any;
    use super::*;

    #[test]
    fn every_processor_finds_the_same() {
        let mut random = fastrand::Rng::with_seed(7);
        let found = |quoted: Option<Quoted>| quoted.map(|quoted| (quoted.end, quoted.has_escapes));
        for _ in 0..20_000 {
            let letters = b"aaaaaaaaaaaaaaaaaaaant\\\\\\\"u/\x01\x1f \x7f\x80\xff";
            let length = random.usize(..200);
            let bytes: Vec<u8> =
                (0..length).map(|_| letters[random.usize(..letters.len())]).collect();
            let (bytes, from) = (bytes.as_slice(), random.usize(..=length));
            let any = found(steps(bytes, from, &Any));
            if let Some(look) = V3::try_new() {
                assert_eq!(found(look.vectorize(Search { look, bytes, from })), any, "{bytes:?}");
            }
            if let Some(look) = V4::try_new() {
                assert_eq!(found(look.vectorize(Search { look, bytes, from })), any, "{bytes:?}");
            }
        }
    }
}
