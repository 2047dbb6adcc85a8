//! What the agent and the harness said, as far as a card tells it.

use super::entries::{Entry, Place};
use super::weights::Weights;
use crate::derive::{AgentSaid, Event, GAP, Now, Work, gist, gist_without, word_count};

/// How many of what the agent had said before it, and said last; the first always, where it is needed.
const SAID_CHARS: [usize; 4] = [250, 700, 1500, 3400];
/// How much less it is worth where the request stands for itself, or something was done for it since.
const NOT_NEEDED: f64 = 0.25;
/// The same of the agent's last words where they are short: of a list of two one alone misleads.
const BRIEF: [f64; 4] = [NOT_NEEDED, 1.0, NOT_NEEDED, NOT_NEEDED];
/// The same where the request is so short that it hardly says what it is about.
const SHORT: f64 = 0.8;
/// A request of fewer words is.
const SHORT_WORDS: usize = 6;
/// A reply of fewer words that nothing was done for yet says little but yes, or which.
const REPLY_WORDS: usize = 12;
/// How much more of what the agent had said is worth there at each length, since that is what is asked for.
const ANSWERED: [f64; 4] = [1.0, 5.0, 2.5, 1.0];
/// The same where hardly anything was done for a request that is perhaps not short: it makes room for the likeliest files,
/// and not for all names in them.
const NEAR: [f64; 4] = [0.2, 1.0, 0.7, 0.4];
/// The same for a request of few words, where something was done for it since, or where it can stand for itself.
const NODDED: [f64; 4] = [SHORT, 2.0, 1.0, SHORT];
/// The same where so much was done since that the reply is hardly what the next step hangs on.
const LONG_AGO: [f64; 4] = [SHORT, SHORT, 0.5, 0.5];
/// After so many steps it is.
const LONG_STEPS: usize = 8;
/// How much more the next few of the agent's last words are worth where they ask the user something: what
/// comes next is a reply to it.
const ASKED: [f64; 4] = [1.0, 1.5, 1.0, 1.0];
/// A recap of no more characters is told whole.
const RECAP_CHARS: usize = 360;

/// What the agent had said before the request: what it comes to, then more of it; `done` steps were made since.
pub(super) fn replied(replied: &AgentSaid, now: &Now, done: usize, worth: &Weights) -> Entry {
    let words = word_count(&now.goal);
    let is_bare = replied.is_bare && words < REPLY_WORDS && done < LONG_STEPS;
    let is_short = is_bare || words < SHORT_WORDS && !now.goal.starts_with('/');
    // What the agent answered hangs no more on what it had said before.
    let has_said = now.last_words.as_ref().is_some_and(|said| said.is_needed);
    let is_answered = has_said && !now.is_on_its_way;
    let mut shares = match replied.is_needed {
        true if (words < REPLY_WORDS || replied.is_named) && !is_answered => ANSWERED,
        true => [1.0; 4],
        false if replied.is_near => NEAR,
        false if is_short && !is_answered && done < LONG_STEPS => NODDED,
        false if is_short && !is_answered => LONG_AGO,
        false if is_short => [SHORT; 4],
        false => [NOT_NEEDED; 4],
    };
    if (replied.is_needed || replied.is_near) && is_brief(replied) {
        shares[1] = shares[1].max(1.0);
    }
    let told = levels(|most| gist(&replied.text, &now.goal, most), shares, &worth.replied);
    Entry { weak: !replied.is_needed, ..Entry::new(Place::Replied, told) }
}

/// How much more of what the agent had said before something set it to work again is worth at each length.
const SET_AGAIN: [f64; 4] = [1.0, 1.0, 0.7, 0.4];

/// What the agent had said before what set it to work again: all of it that matters where it asked the user something.
pub(super) fn answered(event: &Event, now: &Now, worth: &Weights) -> Option<Entry> {
    let answer = event.answer.as_ref()?;
    let shares = match event.asks {
        true => ASKED,
        false if event.has_gone_on => [1.0, NOT_NEEDED, NOT_NEEDED, NOT_NEEDED],
        false => SET_AGAIN,
    };
    let told = levels(|most| gist(&answer.text, &now.goal, most), shares, &worth.last_words);
    Some(Entry::new(Place::Answer, told))
}

/// Whether words are so few that hardly anything of them can be left out.
fn is_brief(said: &AgentSaid) -> bool {
    said.text.chars().count() <= SAID_CHARS[1]
}

/// What the agent said last, without what is listed of it as open work, unless there is room for all.
pub(super) fn last_words(said: &AgentSaid, now: &Now, open: &[Work], worth: &Weights) -> Entry {
    let shares = match said.is_needed {
        true if now.asks => ASKED,
        true => [1.0; 4],
        false if is_brief(said) => BRIEF,
        false => [NOT_NEEDED; 4],
    };
    let told =
        levels(|most| without_open((&said.text, &now.goal), open, most), shares, &worth.last_words);
    Entry::new(Place::LastWords, told)
}

/// Returns what the agent's last words, the answer to a request, come to beside the open work that they list.
pub(super) fn without_open((words, request): (&str, &str), open: &[Work], most: usize) -> String {
    let listed = open.iter().take(MOST_LISTED).filter(|work| work.source == "agent_said");
    let listed: Vec<(String, bool)> =
        listed.map(|work| (bare(&work.text), work.text.ends_with('…'))).collect();
    let is_small = most <= SAID_CHARS[1];
    let has = |part: &str| {
        let part = bare(part);
        let holds = |(work, is_cut): &(String, bool)| {
            // Of what is listed only by its beginning there is more to tell, where that has room.
            let is_more = *is_cut && part.starts_with(work.as_str());
            is_small && is_more || (is_small || !is_cut) && work.contains(&part)
        };
        part.len() >= LEAST_LISTED && listed.iter().any(holds)
    };
    // Of what only has a name the rest counts: "**File:** src/a.rs:12".
    let is_told = |part: &str| has(part) || part.split_once(":** ").is_some_and(|(_, it)| has(it));
    let told = gist_without(words, request, most, &is_told);
    if told == GAP.trim() { String::new() } else { told }
}

/// Whether the least that the card tells of what the agent had said has some words of it.
pub(super) fn always_tells(replied: &AgentSaid, words: &str, now: &Now) -> bool {
    let words = bare(words);
    !words.is_empty() && bare(&gist(&replied.text, &now.goal, SAID_CHARS[0])).contains(&words)
}

/// Returns the letters and digits of what the agent's last words come to, told in short, open work and all.
pub(super) fn brief(said: &AgentSaid, request: &str) -> String {
    bare(&gist_without(&said.text, request, SAID_CHARS[1], &|_| false))
}

/// Whether a piece of open work stands in the `brief` words, which leave it out since it is listed: then the
/// list has it in any pack that has the words.
pub(super) fn is_left_out(brief: &str, work: &Work) -> bool {
    let start: String = bare(&work.text).chars().take(LISTED_CHARS).collect();
    work.source == "agent_said" && start.len() >= LEAST_LISTED && brief.contains(&start)
}

/// Whether a piece of open work that rests on the agent's last words stands in them as they are told.
pub(super) fn stands_in(last_words: &str, work: &Work) -> bool {
    work.source == "agent_said" && is_left_out(&bare(last_words), work)
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

/// Returns what is told of words at growing lengths: the first, and two steps to each of the others, so that
/// a small pack has room for one of them.
fn levels(
    told: impl Fn(usize) -> String,
    shares: [f64; 4],
    worths: &[f64; 4],
) -> Vec<(String, f64)> {
    let mut all = vec![(told(SAID_CHARS[0]), worths[0] * shares[0])];
    for level in 1..SAID_CHARS.len() {
        let between = [SAID_CHARS[level - 1].midpoint(SAID_CHARS[level]), SAID_CHARS[level]];
        let worth = worths[level] * shares[level] / 2.0;
        all.extend(between.map(|most| (told(most), worth)));
    }
    // Words that only list open work begin with nothing, so that there is room for the list.
    all.dedup_by(|(text, _), (before, _)| text == before);
    all
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
