//! What the agent and the harness said, as far as a card tells it.

use super::entries::{Entry, Place};
use super::weights::Weights;
use crate::derive::{AgentSaid, gist};

/// How many of what the agent had said before it, and said last; the first always, where it is needed.
const SAID_CHARS: [usize; 4] = [250, 700, 1500, 3400];
/// How much less it is worth where the request stands for itself, or something was done for it since.
const NOT_NEEDED: f64 = 0.25;
/// A recap of no more characters is told whole.
const RECAP_CHARS: usize = 360;

/// What the agent had said before the request: what it comes to, then more of it.
pub(super) fn replied(replied: &AgentSaid, goal: &str, worth: &Weights) -> Entry {
    let told = levels(&replied.text, goal, replied.is_needed, &worth.replied);
    Entry { weak: !replied.is_needed, ..Entry::new(Place::Replied, told) }
}

/// What the agent said last.
pub(super) fn last_words(said: &AgentSaid, worth: &Weights) -> Entry {
    Entry::new(Place::LastWords, levels(&said.text, "", said.is_needed, &worth.last_words))
}

fn levels(text: &str, reply: &str, is_needed: bool, worths: &[f64; 4]) -> Vec<(String, f64)> {
    let mut told: Vec<_> = SAID_CHARS.iter().map(|most| gist(text, reply, *most)).collect();
    told.dedup();
    told.retain(|text| !text.is_empty());
    let share = if is_needed { 1.0 } else { NOT_NEEDED };
    told.into_iter().zip(worths.iter().map(|worth| worth * share)).collect()
}

/// Returns a recap by its last sentence, which tells what comes next, then whole.
pub(super) fn recapped(text: &str, [last, whole]: [f64; 2]) -> Vec<(String, f64)> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= RECAP_CHARS {
        return vec![(text, last)];
    }
    let ends = [". ", "! ", "? ", "।", "؟ ", "。", "！", "？"];
    let end = |mark: &&str| text.trim_end_matches(['।', '。', '！', '？']).rfind(*mark);
    let begin = ends.iter().filter_map(|mark| Some(end(mark)? + mark.len())).max();
    match begin {
        Some(at) => vec![(format!("… {}", text[at..].trim()), last), (text, whole)],
        None => vec![(text, last)],
    }
}
