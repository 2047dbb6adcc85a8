//! One pass over a text that tells which rules can match at all.

use aho_corasick::AhoCorasick;

/// The words of a table of rules; a rule can only match a text that has one of its words.
pub(super) struct Prefilter {
    words: Option<AhoCorasick>,
    /// The rule of each word.
    rules: Vec<usize>,
    always: u128,
}

impl Prefilter {
    /// Takes the words of each rule, at most 128 rules; letters of either case are the same.
    ///
    /// A rule without words may match anything.
    pub(super) fn new<'w>(rules: impl Iterator<Item = &'w [&'w str]>) -> Self {
        let (mut words, mut owners, mut always) = (Vec::new(), Vec::new(), 0);
        for (number, of_rule) in rules.enumerate() {
            if of_rule.is_empty() {
                always |= 1 << number;
            }
            words.extend_from_slice(of_rule);
            owners.resize(words.len(), number);
        }
        // Without the automaton every rule is tried: slower, and nothing is missed.
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok();
        Self { words: automaton, rules: owners, always }
    }

    /// Returns which rules can match, one bit a rule.
    pub(super) fn candidates(&self, text: &[u8]) -> u128 {
        let Some(words) = &self.words else { return u128::MAX };
        let found = words.find_overlapping_iter(text);
        found.fold(self.always, |bits, hit| bits | 1 << self.rules[hit.pattern().as_usize()])
    }
}
