//! One pass over a text that tells which rules can match at all.

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Words that each stand for something; one pass over a text tells which of them it has.
pub struct Words {
    /// Without it every word counts as there.
    automaton: Option<AhoCorasick>,
    /// What each word stands for.
    meant: Vec<usize>,
}

impl Words {
    /// Takes words, each with the number of what it stands for.
    pub fn new<W: AsRef<[u8]>>(words: impl IntoIterator<Item = (usize, W)>) -> Self {
        Self::made(false, words)
    }

    fn made<W: AsRef<[u8]>>(any_case: bool, words: impl IntoIterator<Item = (usize, W)>) -> Self {
        let (meant, words): (Vec<usize>, Vec<W>) = words.into_iter().unzip();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(any_case)
            .kind(Some(AhoCorasickKind::DFA))
            .build(words)
            .ok();
        Self { automaton, meant }
    }

    /// Tells `found` what the words of `text` stand for, as often as they stand there.
    pub fn each(&self, text: &[u8], mut found: impl FnMut(usize)) {
        match &self.automaton {
            Some(words) => {
                let hits = words.find_overlapping_iter(text);
                hits.for_each(|hit| found(self.meant[hit.pattern().as_usize()]));
            }
            None => self.meant.iter().for_each(|meant| found(*meant)),
        }
    }
}

/// The words of a table of rules; a rule can only match a text that has one of its words.
pub(super) struct Prefilter {
    /// The words of rules by their numbers, each twice: a word of its first list stands for an even number.
    words: Words,
    always: Candidates,
}

/// One bit a rule: which have a word of their first list, and which of their second.
#[derive(Clone, Copy, Default)]
struct Candidates {
    first: u128,
    second: u128,
}

impl Prefilter {
    /// Takes two lists of words for each rule, at most 128 rules: it needs a word of each; letters of
    /// either case are the same.
    ///
    /// Of a list without words none is needed.
    pub(super) fn new<W: AsRef<[u8]>>(rules: impl Iterator<Item = [Vec<W>; 2]>) -> Self {
        let (mut words, mut always) = (Vec::new(), Candidates::default());
        for (rule, [first, second]) in rules.enumerate() {
            always.first |= u128::from(first.is_empty()) << rule;
            always.second |= u128::from(second.is_empty()) << rule;
            words.extend(first.into_iter().map(|word| (2 * rule, word)));
            words.extend(second.into_iter().map(|word| (2 * rule + 1, word)));
        }
        Self { words: Words::made(true, words), always }
    }

    /// Returns which rules can match, one bit a rule.
    pub(super) fn candidates(&self, text: &[u8]) -> u128 {
        let mut bits = self.always;
        self.words.each(text, |meant| {
            let list = if meant % 2 == 0 { &mut bits.first } else { &mut bits.second };
            *list |= 1 << (meant / 2);
        });
        bits.first & bits.second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_each_list_is_needed() {
        let rules = [[vec!["key"], vec![]], [vec!["a1", "a2"], vec!["b1"]], [vec![], vec![]]];
        let words = Prefilter::new(rules.into_iter());
        assert_eq!(words.candidates(b"KEYS"), 0b101);
        assert_eq!(words.candidates(b"a2"), 0b100);
        assert_eq!(words.candidates(b"b1"), 0b100);
        assert_eq!(words.candidates(b"b1 A1"), 0b110);
    }
}
