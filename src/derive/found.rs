//! Items that hold some words.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization as _;

use super::timeline::Timeline;
use super::{raw, text};
use crate::model::{Body, Item, Session, low};

/// What is looked for.
pub struct Query {
    /// As [`low`] writes them; all must be there.
    words: Vec<String>,
    whole_words: bool,
}

/// An item that holds all of the words.
pub struct Hit<'s> {
    /// The item.
    pub item: &'s Item<'static>,
    /// The line of it that holds most of the words, short enough to read.
    pub line: String,
}

/// How many characters of a line are told.
const LINE_CHARS: usize = 200;
/// How many of them stand before the match, where the line is longer.
const BEFORE_CHARS: usize = 60;

impl Query {
    /// Looks for all of `words` as they stand but for capitals and accents; with `whole_words` a match may not
    /// begin or end inside a word.
    pub fn new(words: &[String], whole_words: bool) -> Self {
        let words = words.iter().map(|word| low(word));
        Self { words: words.filter(|word| !word.is_empty()).collect(), whole_words }
    }

    /// Returns where `word` first stands in `text`, which is as [`low`] writes it.
    fn find(&self, text: &str, word: &str) -> Option<usize> {
        let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let whole = |at: &usize| {
            let (before, after) = (&text[..*at], &text[at + word.len()..]);
            !inside(before.chars().next_back()) && !inside(after.chars().next())
        };
        let mut places = text.match_indices(word).map(|(at, _)| at);
        places.find(|at| !self.whole_words || whole(at))
    }

    fn holds_all(&self, text: &str) -> bool {
        !self.words.is_empty() && self.words.iter().all(|word| self.find(text, word).is_some())
    }

    /// Returns the line that holds most of the words, the first of several, cut around its match.
    fn best_line(&self, words: &str) -> String {
        let count = |row: &str| {
            let row = low(row);
            self.words.iter().filter(|word| self.find(&row, word).is_some()).count()
        };
        let rows = words.lines().filter(|row| !row.trim().is_empty());
        let counted = rows.map(|row| (count(row), row));
        let best = counted.reduce(|best, row| if row.0 > best.0 { row } else { best });
        best.map(|(_, row)| self.around(row)).unwrap_or_default()
    }

    /// Cuts a long line so that its first match can be seen.
    fn around(&self, row: &str) -> String {
        // Accents that are characters of their own would be counted.
        let row: String = text::line(row, usize::MAX).nfc().collect();
        let low = low(&row);
        let at = self.words.iter().filter_map(|word| self.find(&low, word)).min().unwrap_or(0);
        // Small letters may take other room than capitals, so the place is counted in characters.
        let at = low[..at].chars().count();
        if at <= LINE_CHARS - BEFORE_CHARS {
            return text::line(&row, LINE_CHARS);
        }
        let rest: String = row.chars().skip(at - BEFORE_CHARS).collect();
        format!("…{}", text::line(&rest, LINE_CHARS))
    }
}

/// Returns the items of `session` that hold all words of `query`, newest first.
///
/// Looks at what was said and done, in calls and what came of them, and at summaries; with
/// `all_items` also at reasoning, side sessions, copies, and branches that were left.
pub fn search<'s>(session: &'s Session, query: &Query, all_items: bool) -> Vec<Hit<'s>> {
    let items: Vec<&Item<'static>> = match all_items {
        true => session.items.iter().collect(),
        false => Timeline::new(session).items.into_iter().filter(|item| counts(item)).collect(),
    };
    let hit = |item: &'s Item<'static>| {
        let told = text::plain(&raw::words(item));
        query.holds_all(&low(&told)).then(|| Hit { item, line: query.best_line(&told) })
    };
    let mut hits: Vec<_> = items.into_iter().rev().filter_map(hit).collect();
    drop_outer(&mut hits);
    hits
}

/// Leaves out a call that is made of others, or its result, where one of those is a hit itself.
fn drop_outer(hits: &mut Vec<Hit<'_>>) {
    let of_call = |item: &Item<'_>| matches!(item.body, Body::ToolCall(_) | Body::ToolResult(_));
    let outer = |hit: &Hit<'_>| {
        let (outer, number) = hit.item.id.rsplit_once('/')?;
        let is_inner = of_call(hit.item) && number.bytes().all(|byte| byte.is_ascii_digit());
        is_inner.then(|| outer.to_owned())
    };
    let outer: HashSet<String> = hits.iter().filter_map(outer).collect();
    hits.retain(|hit| !of_call(hit.item) || !outer.contains(hit.item.id.as_ref()));
}

fn counts(item: &Item<'_>) -> bool {
    !matches!(item.body, Body::Reasoning(_) | Body::Usage(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(words: &[&str], whole: bool) -> Query {
        Query::new(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), whole)
    }

    #[test]
    fn all_words_must_be_there_and_capitals_do_not_count() {
        assert!(query(&["PARSE", "amount"], false).holds_all("fn parse_amount()"));
        assert!(!query(&["parse", "lexer"], false).holds_all("fn parse_amount()"));
        assert!(query(&["größe"], false).holds_all(&low("GRÖSSE GRÖßE")));
        assert!(query(&["数字"], false).holds_all("跳过数字"));
        assert!(!query(&[""], false).holds_all("anything"));
    }

    #[test]
    fn accents_do_not_count_however_they_are_written() {
        let holds = |word: &str, text: &str| query(&[word], false).holds_all(&low(text));
        assert!(holds("resume", "le Résumé") && holds("résumé", "re\u{301}sume\u{301}"));
        assert!(holds("re\u{301}sume\u{301}", "résumé") && holds("istanbul", "İstanbul"));
        // These are other letters.
        assert!(
            !holds("하", "한") && !holds("का", "कि") && holds("한", "\u{1112}\u{1161}\u{11ab}")
        );
        let long = format!("{} needle {}", "e\u{301}".repeat(300), "y".repeat(500));
        assert!(query(&["needle"], false).best_line(&long).contains("needle"));
    }

    #[test]
    fn whole_words_do_not_begin_inside_a_word() {
        assert!(!query(&["art"], true).holds_all("start part_art"));
        assert!(query(&["art"], true).holds_all("start, art."));
    }

    #[test]
    fn the_line_with_most_of_the_words_is_told() {
        let found = query(&["b", "c"], false).best_line("a b\n  b and c  \nc");
        assert_eq!(found, "b and c");
        let long = format!("{} İ needle {}", "x".repeat(500), "y".repeat(500));
        let found = query(&["needle"], false).best_line(&long);
        assert!(found.contains("needle"), "{found}");
        assert!(found.chars().count() <= LINE_CHARS + 1, "{found}");
    }
}
