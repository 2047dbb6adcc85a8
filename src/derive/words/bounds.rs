//! Constraints and preferences: what the user ordered, and what the user would not let happen.

use super::super::fact::{Fact, FactKind};
use super::super::timeline::Timeline;
use super::super::{Trust, shell, text};
use super::cues::{self, Holds};
use super::talk::Said;

/// How many characters of a sentence are told; a dangerous one is told whole.
const CHARS: usize = 300;

/// Finds the sentences of the human that say what must or must not be done.
pub(super) fn bounds(talk: &[Said]) -> Vec<Fact> {
    let mut found = Vec::new();
    for said in talk {
        for sentence in &said.sentences {
            let Some(holds) = cues::binding(sentence) else { continue };
            let dangerous = cues::is_dangerous(sentence);
            let most = if dangerous { usize::MAX } else { CHARS };
            let kind = match holds {
                Holds::Here => FactKind::Constraint,
                Holds::Lasting => FactKind::Preference,
            };
            let place = (said.turn, said.item.as_str());
            let mut fact = Fact::new(kind, Trust::B, text::line(&sentence.text, most), place);
            fact.weight = match dangerous {
                true => 1.0,
                false if cues::is_of_one_step(sentence) => 0.6,
                false => 0.8,
            };
            found.push(fact);
        }
    }
    found
}

/// Finds the programs that the user refused to let run more than once.
///
/// One refusal is a decision and told there; the second shows that it is a rule.
pub(super) fn refusals(timeline: &Timeline<'_>) -> Vec<Fact> {
    let mut found: Vec<(String, u32, Vec<String>)> = Vec::new();
    for done in timeline.done().filter(super::super::timeline::Done::refused) {
        let Some(command) = done.command() else { continue };
        let mut parts = shell::parts(command).into_iter().map(|part| pattern(&part));
        let Some(pattern) = parts.next_back() else { continue };
        let id = done.item.id.to_string();
        match found.iter_mut().find(|(other, ..)| *other == pattern) {
            Some((_, turn, evidence)) => {
                *turn = done.item.turn;
                evidence.push(id);
            }
            None => found.push((pattern, done.item.turn, vec![id])),
        }
    }
    found.retain(|(.., evidence)| evidence.len() > 1);
    let fact = |(pattern, turn, evidence): (String, u32, Vec<String>)| {
        let words = format!("do not run `{pattern}` without being asked");
        let detail = Some(format!("refused {} times", evidence.len()));
        let place = (turn, evidence[0].as_str());
        let fact = Fact::new(FactKind::Constraint, Trust::S, words, place);
        Fact { detail, evidence, ..fact }
    };
    found.into_iter().map(fact).collect()
}

/// Returns program and subcommand of a command.
fn pattern(part: &str) -> String {
    let words = part.split_whitespace().take(2).filter(|word| !word.starts_with(['-', '/', '.']));
    words.collect::<Vec<_>>().join(" ")
}
