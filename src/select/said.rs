//! What the agent and the harness said, as far as a card tells it.

use super::entries::{Entry, Place};
use super::weights::Weights;
use crate::derive::{AgentSaid, GAP, Work, gist, gist_without, word_count};

/// How many of what the agent had said before it, and said last; the first always, where it is needed.
const SAID_CHARS: [usize; 4] = [250, 700, 1500, 3400];
/// How much less it is worth where the request stands for itself, or something was done for it since.
const NOT_NEEDED: f64 = 0.25;
/// The same where the request is so short that it hardly says what it is about.
const SHORT: f64 = 0.8;
/// A request of fewer words is.
const SHORT_WORDS: usize = 6;
/// A recap of no more characters is told whole.
const RECAP_CHARS: usize = 360;

/// What the agent had said before the request: what it comes to, then more of it.
pub(super) fn replied(replied: &AgentSaid, goal: &str, worth: &Weights) -> Entry {
    let told = SAID_CHARS.map(|most| gist(&replied.text, goal, most));
    let is_short = word_count(goal) < SHORT_WORDS;
    let share = if is_short { SHORT } else { NOT_NEEDED };
    let told = levels(told, if replied.is_needed { 1.0 } else { share }, &worth.replied);
    Entry { weak: !replied.is_needed, ..Entry::new(Place::Replied, told) }
}

/// What the agent said last, without what is listed of it as open work, unless there is room for all.
pub(super) fn last_words(said: &AgentSaid, open: &[Work], worth: &Weights) -> Entry {
    let told = SAID_CHARS.map(|most| without_open(&said.text, open, most));
    let share = if said.is_needed { 1.0 } else { NOT_NEEDED };
    Entry::new(Place::LastWords, levels(told, share, &worth.last_words))
}

/// Returns what the agent's last words come to beside the open work that they list.
pub(super) fn without_open(words: &str, open: &[Work], most: usize) -> String {
    let listed = open.iter().take(MOST_LISTED).filter(|work| work.source == "agent_said");
    let listed: Vec<(String, bool)> =
        listed.map(|work| (bare(&work.text), work.text.ends_with('…'))).collect();
    let is_small = most <= SAID_CHARS[1];
    let is_told = |part: &str| {
        let part = bare(part);
        let holds = |(work, is_cut): &(String, bool)| {
            // Of what is listed only by its beginning there is more to tell, where that has room.
            let is_more = *is_cut && part.starts_with(work.as_str());
            is_small && is_more || (is_small || !is_cut) && work.contains(&part)
        };
        part.len() >= LEAST_LISTED && listed.iter().any(holds)
    };
    let told = gist_without(words, "", most, &is_told);
    if told == GAP.trim() { String::new() } else { told }
}

/// Returns the letters and digits of what the agent's last words come to, told in short, open work and all.
pub(super) fn brief(said: &AgentSaid) -> String {
    bare(&gist(&said.text, "", SAID_CHARS[1]))
}

/// Whether a piece of open work stands in the `brief` words, which leave it out since it is listed: then the
/// list has it in any pack that has the words.
pub(super) fn is_left_out(brief: &str, work: &Work) -> bool {
    let start: String = bare(&work.text).chars().take(LISTED_CHARS).collect();
    work.source == "agent_said" && start.len() >= LEAST_LISTED && brief.contains(&start)
}

/// So many pieces of open work come before everything else.
pub(super) const MOST_LISTED: usize = 12;
/// So many letters and digits tell which it is.
const LISTED_CHARS: usize = 40;
/// Fewer letters and digits may stand in open work by chance.
const LEAST_LISTED: usize = 16;

/// Returns the letters and digits of a text, by which it is compared.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn levels(told: [String; 4], share: f64, worths: &[f64; 4]) -> Vec<(String, f64)> {
    let mut told = Vec::from(told);
    // Words that only list open work begin with nothing, so that there is room for the list.
    told.dedup();
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
