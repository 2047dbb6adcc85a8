//! What somebody wants to be so or not to be, where that binds the work.

use super::lists::FILLERS;
use super::sentence::Sentence;

/// What somebody shall do for whom that is laid down.
const LAID_DOWN: &[&str] = &["decide", "own"];
/// Who or what is no third one.
const NOT_THIRD: &[&str] = &["", "it", "me", "that", "this", "to", "us", "you"];
/// The longest name of a third one, in words.
const NAME_WORDS: usize = 4;

/// Tells whether "want" stands at `at`, and names what is not wanted.
pub(super) fn names_unwanted(sentence: &Sentence, at: usize) -> bool {
    sentence.word(at) == "want" && !matches!(sentence.word(at + 1), "" | "it" | "to")
}

/// Tells whether the one who speaks stands before `at`: "we do not want it".
pub(super) fn of_user(sentence: &Sentence, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| matches!(sentence.word(before), "i" | "we"))
}

/// Tells whether a sentence begins by what a third one shall do or leave, "want" at `at`: "we want the bot to own it".
pub(super) fn lays_down(sentence: &Sentence, at: usize) -> bool {
    let begins = at.checked_sub(1).is_some_and(|we| {
        sentence.word(we) == "we" && (0..we).all(|before| FILLERS.contains(&sentence.word(before)))
    });
    let name = (at + 1..sentence.clause_end(at)).take(NAME_WORDS + 1);
    let to = name.clone().find(|place| sentence.word(*place) == "to");
    // What stands behind a comma mostly tells that it is not so.
    begins
        && sentence.clause_end(at) == sentence.words.len()
        && !NOT_THIRD.contains(&sentence.word(at + 1))
        && to.is_some_and(|to| {
            LAID_DOWN.contains(&sentence.word(to + 1)) && !sentence.word(to + 2).is_empty()
        })
}
