//! One pass over a text that tells which rules can match at all.

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// The words of a table of rules; a rule can only match a text that has one of its words.
pub(super) struct Prefilter {
    words: Option<AhoCorasick>,
    /// What each word tells.
    owners: Vec<Owner>,
    always: Candidates,
}

/// A rule, and in which of its lists a word stands.
#[derive(Clone, Copy)]
struct Owner {
    rule: usize,
    is_first: bool,
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
        let (mut words, mut owners, mut always) = (Vec::new(), Vec::new(), Candidates::default());
        for (rule, [first, second]) in rules.enumerate() {
            always.first |= u128::from(first.is_empty()) << rule;
            always.second |= u128::from(second.is_empty()) << rule;
            for (list, is_first) in [(first, true), (second, false)] {
                words.extend(list);
                owners.resize(words.len(), Owner { rule, is_first });
            }
        }
        // Without the automaton every rule is tried: slower, and nothing is missed.
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(words)
            .ok();
        Self { words: automaton, owners, always }
    }

    /// Returns which rules can match, one bit a rule.
    pub(super) fn candidates(&self, text: &[u8]) -> u128 {
        let Some(words) = &self.words else { return u128::MAX };
        let mut bits = self.always;
        for hit in words.find_overlapping_iter(text) {
            let Owner { rule, is_first } = self.owners[hit.pattern().as_usize()];
            let list = if is_first { &mut bits.first } else { &mut bits.second };
            *list |= 1 << rule;
        }
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
