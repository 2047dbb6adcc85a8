//! What a text costs.
//!
//! `o200k_base` is counted out of a table that needs no loading; tiktoken-rs, of which the table is
//! made, knows the other encodings and which model uses which, and is the reference in tests.
//! Neither is ever given an unbounded text.

#[allow(dead_code, reason = "the build writes entries")]
mod layout;
mod o200k;
mod split;

use tiktoken_rs::tokenizer::{Tokenizer, get_tokenizer};

/// The longest text that is given to a tokenizer at once, in bytes; longer ones are counted in
/// pieces, which can only count more.
const PIECE_BYTES: usize = 32 * 1024;
/// tiktoken-rs runs out of stack on long runs of blanks, so its pieces are smaller.
const REFERENCE_PIECE_BYTES: usize = 4 * 1024;

/// The tokenizer whose tokens a budget means, unless another was asked for.
pub const DEFAULT: &str = "o200k_base";

/// Counts tokens of one encoding; what has to be loaded is loaded at the first text.
pub enum Counter {
    /// `o200k_base` by the fast way.
    Fast,
    /// Any encoding by tiktoken-rs.
    Reference(Tokenizer),
    /// What another counts, times so many hundredths, rounded up: for models whose encoding is not
    /// published.
    Scaled(Box<Counter>, usize),
}

impl Counter {
    /// Finds the counter of an encoding, such as `cl100k_base`, or of a model, such as `gpt-4`.
    pub fn named(name: &str) -> Option<Self> {
        let encoding = encoding(name)?;
        if matches!(encoding, Tokenizer::O200kBase) {
            return Some(Self::Fast);
        }
        Some(Self::Reference(encoding))
    }

    /// Counts `per_100` tokens for each 100 that it counts now.
    #[must_use]
    pub fn scaled(self, per_100: usize) -> Self {
        if per_100 == 100 { self } else { Self::Scaled(Box::new(self), per_100) }
    }

    /// Counts the tokens of `text`; special tokens in it count as plain text.
    pub fn count(&self, text: &str) -> usize {
        match self {
            Self::Scaled(counter, per_100) => (counter.count(text) * per_100).div_ceil(100),
            Self::Fast => pieces(text, PIECE_BYTES).map(o200k::count).sum(),
            Self::Reference(encoding) => match tiktoken_rs::bpe_for_tokenizer(*encoding) {
                Ok(table) => {
                    let count = |piece: &str| table.count_ordinary(piece);
                    pieces(text, REFERENCE_PIECE_BYTES).map(count).sum()
                }
                // There are never more tokens than bytes.
                Err(_) => text.len(),
            },
        }
    }
}

fn encoding(name: &str) -> Option<Tokenizer> {
    Some(match name {
        "o200k_base" => Tokenizer::O200kBase,
        "o200k_harmony" => Tokenizer::O200kHarmony,
        "cl100k_base" => Tokenizer::Cl100kBase,
        "p50k_base" => Tokenizer::P50kBase,
        "r50k_base" | "gpt2" => Tokenizer::R50kBase,
        model => get_tokenizer(model)?,
    })
}

/// Cuts a text into pieces of at most `most` bytes.
fn pieces(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = most.min(rest.len());
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_count_the_same() {
        let reference = Counter::Reference(Tokenizer::O200kBase);
        let texts = [
            "",
            "fn main() { println!(\"hi\"); }",
            "会话恢复 日本語 한국어 🚀👩‍💻",
            "  \n\n\t x 12345 <|endoftext|>",
            "a_b-c/d.rs:12",
        ];
        for text in texts {
            assert_eq!(Counter::Fast.count(text), reference.count(text), "{text:?}");
        }
        let long = include_str!("tokens.rs").replace('\t', " ");
        assert!(long.len() > REFERENCE_PIECE_BYTES);
        let whole: usize =
            pieces(&long, REFERENCE_PIECE_BYTES).map(|piece| Counter::Fast.count(piece)).sum();
        assert_eq!(whole, reference.count(&long));
    }

    #[test]
    fn any_mixture_of_characters_counts_as_it_does_elsewhere() {
        let reference = Counter::Reference(Tokenizer::O200kBase);
        let parts = "a|B|é|Ñ|ǅ|ʰ|あ|ا|ß|ſ|K|\u{301}|\u{903}|1|²|Ⅷ|٣|'s|'S|'ſ|'ll|'RE|'vE|'|’|.|/|//|\n|\r|\
                     \r\n| |  |\t|\u{b}|\u{a0}|\u{2028}|\u{85}|😀|_|-|<|endoftext|>|the|HTTP|Ünï|\u{200d}|\0";
        let parts: Vec<&str> = parts.split('|').chain(["|"]).collect();
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let count = random.usize(1..14);
            let text: String = (0..count).map(|_| parts[random.usize(..parts.len())]).collect();
            assert_eq!(Counter::Fast.count(&text), reference.count(&text), "{text:?}");
        }
    }

    #[test]
    fn every_character_is_of_the_class_that_it_is_elsewhere() {
        let reference = Counter::Reference(Tokenizer::O200kBase);
        // All of them take a while: each run looks at one in so many.
        let step: usize = std::env::var("SEGUE_MUTATIONS").map_or(37, |_| 1);
        for char in ('\u{80}'..=char::MAX).step_by(step) {
            let text = format!("a{char}B {char}b{char}'s1{char}");
            assert_eq!(Counter::Fast.count(&text), reference.count(&text), "{char:?}");
        }
    }

    #[test]
    fn long_runs_of_one_letter_are_merged_as_they_are_elsewhere() {
        let reference = Counter::Reference(Tokenizer::O200kBase);
        for letter in ["a", "é", "=", " ", "あ", "xy", "-="] {
            for length in [1, 2, 63, 64, 65, 127, 128, 129, 500] {
                let text = letter.repeat(length);
                assert_eq!(Counter::Fast.count(&text), reference.count(&text), "{length} {letter}");
            }
        }
    }

    #[test]
    fn a_megabyte_of_blanks_stops_neither() {
        let blanks = " ".repeat(1 << 20);
        assert!(Counter::Fast.count(&blanks) > 0);
        assert!(Counter::Reference(Tokenizer::O200kBase).count(&blanks) > 0);
    }

    #[test]
    fn hundredths_are_rounded_up() {
        let text = "one two three";
        assert_eq!(Counter::Fast.count(text), 3);
        assert_eq!(Counter::Fast.scaled(145).count(text), 5);
        assert!(matches!(Counter::Fast.scaled(100), Counter::Fast));
    }

    #[test]
    fn models_and_encodings_have_names() {
        assert!(matches!(Counter::named("gpt-4o"), Some(Counter::Fast)));
        assert_eq!(Counter::named("cl100k_base").unwrap().count("hello world"), 2);
        assert!(Counter::named("no-such-model").is_none());
    }
}
