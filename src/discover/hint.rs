//! Which sessions the words of a hint can mean, but for capitals and accents.

use crate::model::low;

/// What a word is worth by where it stands, of [`MOST`] at most.
const TITLE: u32 = 3;
const FOLDER: u32 = 2;
const REQUEST: u32 = 2;
const MOST: u32 = 3;
/// The score that a session must have to be the one that is meant.
const ENOUGH: u32 = 50;
/// How far it must be ahead of the next one.
const AHEAD: u32 = 30;

/// Where a hint's words are looked for.
#[derive(Clone, Debug, Default)]
pub struct Where<'a> {
    /// The title of a session.
    pub title: &'a str,
    /// Its folder and its branch.
    pub folder: &'a str,
    /// What the user asked for in it; empty if that was not read.
    pub requests: &'a str,
}

/// What a hint means among some sessions, by their scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// No word of it is in any of them.
    Nothing,
    /// Those with these indices, in the order of the sessions.
    Sure(Vec<usize>),
    /// It may be any of these, the best first.
    Unsure(Vec<usize>),
}

/// Takes a hint apart; marks around words do not count.
pub fn hint_words(hint: &str) -> Vec<String> {
    let bare = |word: &str| low(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut words: Vec<_> = hint.split_whitespace().map(bare).collect();
    words.retain(|word| !word.is_empty());
    words.sort();
    words.dedup();
    words
}

/// Says how well `words` fit, from 0 to 100: each counts by the best place where it begins a word.
pub fn score(words: &[String], place: &Where<'_>) -> u32 {
    let texts = [place.title, place.folder, place.requests].map(low);
    let of_word = |word: &String| {
        let worths = texts.iter().zip([TITLE, FOLDER, REQUEST]);
        worths.filter(|(text, _)| begins_a_word(text, word)).map(|(_, worth)| worth).max()
    };
    let points: u32 = words.iter().filter_map(of_word).sum();
    let most = MOST * u32::try_from(words.len()).unwrap_or(u32::MAX);
    (100 * points).checked_div(most).unwrap_or(0)
}

/// Tells whether `word` stands in `text` where a word begins; where words are not parted by blanks
/// it may stand anywhere.
fn begins_a_word(text: &str, word: &str) -> bool {
    let unparted = !word.is_ascii();
    let before = |at: usize| text[..at].chars().next_back();
    text.match_indices(word)
        .any(|(at, _)| unparted || before(at).is_none_or(|c| !c.is_alphanumeric()))
}

/// Says which one session is meant: it has half of what is possible, and is well ahead.
pub fn one_meant(scores: &[u32]) -> Meant {
    let ranked = ranked(scores);
    let score = |place: usize| ranked.get(place).map_or(0, |index: &usize| scores[*index]);
    match ranked.first() {
        None => Meant::Nothing,
        Some(best) if score(0) >= ENOUGH && score(0) >= score(1) + AHEAD => {
            Meant::Sure(vec![*best])
        }
        Some(_) => Meant::Unsure(ranked),
    }
}

/// Says which sessions are meant where several may be: each has half of what is possible.
pub fn all_meant(scores: &[u32]) -> Meant {
    let sure: Vec<_> = (0..scores.len()).filter(|index| scores[*index] >= ENOUGH).collect();
    match ranked(scores) {
        ranked if ranked.is_empty() => Meant::Nothing,
        _ if !sure.is_empty() => Meant::Sure(sure),
        ranked => Meant::Unsure(ranked),
    }
}

/// Returns the indices of what fits at all, the best first, newer ones before older ones.
fn ranked(scores: &[u32]) -> Vec<usize> {
    let mut ranked: Vec<_> = (0..scores.len()).filter(|index| scores[*index] > 0).collect();
    ranked.sort_by_key(|index| std::cmp::Reverse(scores[*index]));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(hint: &str, title: &str, folder: &str, requests: &str) -> u32 {
        score(&hint_words(hint), &Where { title, folder, requests })
    }

    #[test]
    fn a_title_counts_most_and_a_word_counts_once() {
        assert_eq!(of("Parser", "Fix the parser", "/p/parser", "the parser"), 100);
        assert_eq!(of("parser", "Fix it", "/p", "the parser's edge"), 66);
        assert_eq!(of("parser dates", "Fix the parser", "/p", ""), 50);
        assert_eq!(of("parse", "Fix the parser", "/p", ""), 100, "the start of a word is enough");
        assert_eq!(of("arse", "Fix the parser", "/p", ""), 0);
        assert_eq!(of("解析", "修复解析器", "/p", ""), 100);
        assert_eq!(of("…", "Fix", "/p", ""), 0);
        // However an accent is written, and whether at all.
        assert_eq!(of("café besancon", "La cafe\u{301} de Besançon", "/p", ""), 100);
    }

    #[test]
    fn one_is_meant_only_if_it_is_well_ahead() {
        assert_eq!(one_meant(&[0, 0]), Meant::Nothing);
        assert_eq!(one_meant(&[66, 100]), Meant::Sure(vec![1]));
        assert_eq!(one_meant(&[100, 75]), Meant::Unsure(vec![0, 1]));
        assert_eq!(one_meant(&[33, 0]), Meant::Unsure(vec![0]));
        assert_eq!(one_meant(&[66, 0]), Meant::Sure(vec![0]));
        assert_eq!(all_meant(&[66, 0, 100]), Meant::Sure(vec![0, 2]));
        assert_eq!(all_meant(&[33, 0]), Meant::Unsure(vec![0]));
        assert_eq!(all_meant(&[0]), Meant::Nothing);
    }
}
