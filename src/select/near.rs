//! What is near the words of the next task.

use std::collections::BTreeSet;

use super::entries::Entry;
use super::order::tokens_f64;
use super::weights::Weights;

/// Raises what holds words of the next task, by the share of those words that it holds.
pub(super) fn draw_near(entries: &mut [Entry], worth: &Weights) {
    let words: BTreeSet<String> = words_of(&worth.focus_on).collect();
    if words.is_empty() {
        return;
    }
    for entry in entries {
        let whole = entry.levels.last().map_or("", |(text, _)| text.as_str());
        let held: BTreeSet<String> = words_of(whole).chain(words_of(&entry.fixed)).collect();
        let share = tokens_f64(words.intersection(&held).count()) / tokens_f64(words.len());
        entry.near = 1.0 + worth.focus * share;
        entry.levels.iter_mut().for_each(|(_, worth)| *worth *= entry.near);
    }
}

/// Returns the words of a text in small letters, those of names and paths one by one; words of one
/// or two letters in a script that has small ones say too little.
fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let tells = |word: &&str| word.chars().count() > 2 || !word.is_ascii();
    words.filter(tells).map(str::to_lowercase)
}
