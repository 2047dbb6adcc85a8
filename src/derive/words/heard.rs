//! In which languages a sentence may forbid, by its words: of most sentences in none, so that their grammar need
//! not be looked at; and whether a text is English.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::germanic;
use super::sentence::Sentence;
use super::tongues::{TONGUES, Tongue};

/// Stands for what [`germanic`] knows, behind the bits of [`TONGUES`].
const GERMANIC: u16 = 1 << 15;

/// Of a word the languages that forbid by it, or by a phrase that it begins, a bit for each.
static HEARD: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
    let of_tongue = |(at, tongue)| phrases(tongue).map(move |phrase| (phrase, 1_u16 << at));
    let tongues = TONGUES.iter().enumerate().flat_map(of_tongue);
    let germanic = germanic::denying().map(|word| (word, GERMANIC));
    let mut heard: HashMap<&'static str, u16> = HashMap::new();
    for (phrase, bit) in tongues.chain(germanic) {
        *heard.entry(phrase.split(' ').next().unwrap_or_default()).or_default() |= bit;
    }
    heard
});

/// Returns by what a language forbids.
fn phrases(tongue: &Tongue) -> impl Iterator<Item = &'static str> + use<> {
    let Tongue { nots, bans, unwanted, none, only, must, ask: (ask, _), .. } = *tongue;
    [nots, bans, unwanted, none, only, must, ask].into_iter().flatten().copied()
}

/// The languages that may forbid in a sentence.
pub(super) struct Heard(u16);

impl Heard {
    pub(super) fn of(sentence: &Sentence) -> Self {
        let of_word = |word: &str| {
            // An elided "ne" stands before its verb in one word.
            let elided = word.find('\'').and_then(|_| HEARD.get(word.get(..2)?));
            HEARD.get(word).into_iter().chain(elided).fold(0, |all, bits| all | bits)
        };
        Self(sentence.words.iter().fold(0, |all, word| all | of_word(&word.low)))
    }

    pub(super) fn is_none(&self) -> bool {
        self.0 == 0
    }

    pub(super) fn is_germanic(&self) -> bool {
        self.0 & GERMANIC != 0
    }

    pub(super) fn tongues(&self) -> impl Iterator<Item = &'static Tongue> {
        TONGUES
            .iter()
            .enumerate()
            .filter(|(at, _)| self.0 & 1_u16 << at != 0)
            .map(|(_, tongue)| tongue)
    }
}

/// Words that stand in English texts, and hardly in those of other languages.
pub(super) const ENGLISH: &[&str] = &[
    "and", "are", "for", "have", "is", "it", "not", "now", "of", "that", "the", "this", "to",
    "with",
];
/// A text of so many words has one of them.
pub(super) const ENGLISH_WITHIN: usize = 12;
/// A text of fewer words needs none.
const FEW_WORDS: usize = 4;

/// Whether words are such as can be read here: what they leave open is known.
pub(in super::super) fn is_english(words: &str) -> bool {
    let all =
        words.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let known = all.clone().filter(|word| ENGLISH.contains(&word.to_lowercase().as_str())).count();
    let count = all.count();
    let least = (count / ENGLISH_WITHIN).max(usize::from(count >= FEW_WORDS));
    known >= least && words.chars().any(|c| c.is_ascii_alphabetic())
}
