//! Lessons: what a later session in the same project can learn from this one.

use serde::Serialize;

use super::fact::{Fact, FactKind};
use super::{ids, text, words};

/// Something that was learnt the hard way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lesson {
    /// `L-` and eight hexadecimal digits of the content.
    pub id: String,
    /// What it is about, in a few words.
    pub topic: String,
    /// Names by which it is found again, in the order of the alphabet.
    pub keywords: Vec<String>,
    /// What was learnt.
    pub content: String,
    /// The turns that it comes from, such as `T-12`, the oldest first.
    pub source_turns: Vec<String>,
    /// How sure it is, 0 to 1.
    pub weight: f64,
}

/// How many are kept.
pub(super) const MOST: usize = 12;
/// How many names are kept of each.
const KEYWORDS: usize = 8;

/// Finds them in the facts of a session: errors that were mended or resisted, and corrections that
/// the user had to repeat. The surest comes first.
pub(super) fn lessons(facts: &[Fact]) -> Vec<Lesson> {
    let chains = facts
        .iter()
        .filter(|fact| fact.is_lesson)
        .filter(|fact| matches!(fact.kind, FactKind::Fix | FactKind::DeadEnd | FactKind::Attempt));
    let mut found: Vec<Lesson> = chains.map(of_chain).collect();
    let mut corrections: Vec<&Fact> =
        facts.iter().filter(|fact| fact.kind == FactKind::Correction).collect();
    corrections.sort_by_key(|fact| fact.turn);
    for group in words::repeated(&corrections) {
        let content: Vec<&str> = group.iter().map(|fact| fact.text.as_str()).collect();
        let turns = group.iter().map(|fact| fact.turn).collect();
        found.push(lesson(content[0], &content.join("\n"), turns, 0.9));
    }
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    found.dedup_by(|a, b| a.id == b.id);
    found.truncate(MOST);
    found
}

/// A mended error teaches most, one that resisted warns, a try without a check tells little.
fn of_chain(fact: &Fact) -> Lesson {
    let weight = match fact.kind {
        FactKind::Fix => 0.8,
        FactKind::DeadEnd => 0.7,
        _ => 0.3,
    };
    let content = match &fact.detail {
        Some(detail) => format!("{}\n{detail}", fact.text),
        None => fact.text.clone(),
    };
    lesson(&fact.text, &content, vec![fact.turn], weight * fact.weight)
}

fn lesson(topic: &str, content: &str, turns: Vec<u32>, weight: f64) -> Lesson {
    Lesson {
        id: ids::id('L', content),
        topic: text::line(topic, 80),
        keywords: words::keys(content).into_iter().take(KEYWORDS).collect(),
        content: content.to_owned(),
        source_turns: turns.into_iter().map(super::turns::id).collect(),
        weight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::Trust;

    fn fact(kind: FactKind, words: &str, turn: u32) -> Fact {
        Fact::new(kind, Trust::B, words.to_owned(), (turn, "item"))
    }

    #[test]
    fn what_was_mended_and_what_was_said_twice_is_a_lesson() {
        let fix = Fact {
            detail: Some("verified by `cargo test`".to_owned()),
            ..fact(FactKind::Fix, "E0425 in src/a.rs: the import was missing", 2)
        };
        let all = [
            fix,
            fact(FactKind::Correction, "No, `config.toml` stays in `etc/app`", 5),
            fact(FactKind::Correction, "I said `config.toml` belongs into `etc/app`", 3),
            fact(FactKind::Correction, "Stop adding comments", 4),
        ];
        let found = lessons(&all);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].source_turns, ["T-3", "T-5"]);
        assert!(found[0].keywords.contains(&"config.toml".to_owned()));
        assert_eq!(found[1].topic, "E0425 in src/a.rs: the import was missing");
        assert!(found[1].content.ends_with("verified by `cargo test`"));
    }
}
