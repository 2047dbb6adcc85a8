//! Turns and their steps, as a pack takes them.

use super::entries::{Entry, Place, faded};
use super::turns;
use super::weights::Weights;
use crate::derive::{Facts, Step, Turn, gist};

/// Fewer bytes hardly say how far it is.
const LEAST_NEWS_BYTES: usize = 40;
/// How many reports of other agents are told before other steps.
const MOST_REPORTS: usize = 6;
/// How many characters of what the agent said in the current turn are told first.
const NEWS_CHARS: usize = 140;

pub(super) fn entries(facts: &Facts, worth: &Weights) -> Vec<Entry> {
    let mut all = Vec::new();
    let newest = facts.turns.first().map_or(0, |turn| turn.number);
    let mut age = 0;
    for (turn, found) in facts.turns.iter().enumerate() {
        // What the current turn asks stands in the card.
        if found.id != facts.now.goal_id {
            let fresh = faded(worth.tiny_fade, turn);
            let before = facts.now.goal_before.as_ref();
            let in_card = before.is_some_and(|before| before.id == found.id);
            all.push(turn_entry(turn, found, worth, (fresh, in_card)));
        }
        let richest = turns::richest(found, newest);
        let news = if turn == 0 { news(facts) } else { Vec::new() };
        let reports = if turn == 0 { reports(facts) } else { Vec::new() };
        for (index, step) in found.steps.iter().enumerate() {
            let fresh = worth.step_fade.powi(age);
            let closing = if step.closes { CLOSING * faded(worth.tiny_fade, turn) } else { 0.0 };
            let is_open = turn == 0 && (step.fails_last || still_fails(facts, step));
            let is_open = is_open && !(step.looked || step.fetched);
            let failed = if is_open { FAILED } else { 1.0 };
            let line = (fresh * failed).max(closing);
            let mut entry = step_entry(turn, index, step, worth, [line, fresh]);
            // What was looked at stands in the files themselves; of the last step it is what the next builds on.
            let is_there = step.looked && !step.failed && !step.fetched;
            let is_past = is_there && (turn, index) != (0, 0);
            entry.levels.truncate(if is_past { 1 } else { richest });
            if let Some(place) = news.iter().position(|new| *new == index) {
                entry.is_news = true;
                let brief = gist(&step.text, "", NEWS_CHARS);
                if brief == step.text {
                    entry.levels.remove(0);
                }
                entry.levels.insert(0, (brief, worth.news * faded(worth.news_fade, place)));
            }
            if let Some(place) = reports.iter().position(|report| *report == index) {
                // What nobody has answered yet stands nowhere else.
                let fade = faded(worth.news_fade, place);
                entry.is_news = true;
                entry.levels[0].1 = entry.levels[0].1.max(worth.unread[0] * fade);
                if let Some(more) = entry.levels.get_mut(1) {
                    more.1 = worth.unread[1] * fade;
                }
            }
            let is_last = (turn, index) == (0, 0) && is_unread(facts) && !step.reports;
            if is_last && step.prints && entry.levels.len() > 1 {
                read_first(&mut entry, step, worth);
            }
            all.push(entry);
            age += 1;
        }
    }
    all.retain(|entry| !entry.levels.is_empty());
    all
}

/// Whether what failed in a step is among what fails.
fn still_fails(facts: &Facts, step: &Step) -> bool {
    let is_it = |item: &String| step.evidence.contains(item);
    facts.failures.iter().any(|failure| failure.evidence.iter().any(is_it))
}

/// Whether the agent has said nothing since its last call.
fn is_unread(facts: &Facts) -> bool {
    facts.now.last_words.is_none() || facts.now.acted_since
}

/// How many rows of what the last call printed are told first, of its head and of its end: there it says how
/// it came out.
const UNREAD_ROWS: [usize; 2] = [2, 4];

/// Has what the last call printed come early: nobody has said yet what it means. Of what was only looked at that
/// is what is short.
fn read_first(entry: &mut Entry, step: &Step, worth: &Weights) {
    let Some(detail) = step.details.first() else { return };
    let rows: Vec<&str> = detail.lines().collect();
    let [head, end] = UNREAD_ROWS;
    let is_short = rows.len() <= head + end + 1;
    entry.is_news = true;
    entry.levels[0].1 = worth.unread[0];
    if is_short {
        entry.levels[1].1 = worth.unread[1];
    } else if !step.looked {
        let brief = [&rows[..head], &["[…]"], &rows[rows.len() - end..]].concat().join("\n");
        entry.levels.insert(1, (format!("{}\n{brief}", step.text), worth.unread[1]));
    }
}

/// Returns the steps of the current turn in which the agent says how far it is, newest first; what the card
/// tells as its last words is none.
fn news(facts: &Facts) -> Vec<usize> {
    let Some(turn) = facts.turns.first() else { return Vec::new() };
    let card = [&facts.now.last_words, &facts.now.replies_to];
    let in_card: Vec<&str> = card.into_iter().flatten().map(|said| said.item.as_str()).collect();
    let is_new = |step: &&Step| {
        let is_told = step.evidence.first().is_some_and(|item| in_card.contains(&item.as_str()));
        step.said && !step.announces && !is_told && says_how_far(&step.text)
    };
    let places = turn.steps.iter().enumerate().filter(|(_, step)| is_new(step));
    places.map(|(index, _)| index).collect()
}

/// Returns the steps of the current turn that tell what another agent found and nobody has answered, newest first.
fn reports(facts: &Facts) -> Vec<usize> {
    let steps = facts.turns.first().into_iter().flat_map(|turn| turn.steps.iter().enumerate());
    steps.filter(|(_, step)| step.owes).map(|(index, _)| index).take(MOST_REPORTS).collect()
}

/// Whether words say more than what is done next, in whatever language: they are not short, nor one sentence that
/// leads to a call.
fn says_how_far(words: &str) -> bool {
    let words = words.trim_end();
    let told = match words.ends_with([':', '：', '…']) {
        true => words.rfind(['.', '!', '?', '。', '！', '？']).map_or("", |end| &words[..end]),
        false => words,
    };
    told.len() >= LEAST_NEWS_BYTES
}

fn turn_entry(index: usize, turn: &Turn, worth: &Weights, (fresh, in_card): (f64, bool)) -> Entry {
    let heads = turn.asks.iter().filter(|_| !in_card).map(|ask| head(ask, &turn.outcome));
    let mut levels: Vec<_> =
        heads.zip(worth.tiny).map(|(text, worth)| (text, worth * fresh)).collect();
    // What is asked stands in the card, and so may what came of it.
    if levels.is_empty() && !turn.outcome.is_empty() {
        levels.push((format!("→ {}", turn.outcome), ANSWER * worth.tiny[0] * fresh));
    }
    Entry::new(Place::Turn(index), levels)
}

/// A turn in one line: what was asked, and what came of it.
fn head(ask: &str, outcome: &str) -> String {
    if outcome.is_empty() { ask.to_owned() } else { format!("{ask} → {outcome}") }
}

/// How much it is worth that the agent said what it then did.
const ANNOUNCED: f64 = 0.3;
/// How much more it is worth that a call failed after which nothing was done, or that still fails.
const FAILED: f64 = 2.5;
/// How much what another agent found is worth beside a step: it stands for all that the agent did.
const REPORT: f64 = 1.5;

/// The same of what the agent said when it ended an earlier turn, which fades by turns: it tells what came of all
/// that was done there.
const CLOSING: f64 = 2.0;
/// How much more it is worth what came of a request that the card quotes: a question says little without its answer.
const ANSWER: f64 = 2.0;

/// Makes the entry of a step; `fresh` is what its line is worth for its age, and its details.
fn step_entry(turn: usize, index: usize, step: &Step, worth: &Weights, fresh: [f64; 2]) -> Entry {
    let report = if step.reports { REPORT } else { 1.0 };
    let announced = if step.announces { ANNOUNCED } else { 1.0 };
    let [line, fresh] = fresh.map(|fresh| fresh * report * announced);
    let mut levels = vec![(step.text.clone(), worth.step * line)];
    let worths = match (step.said, step.looked) {
        (false, true) => worth.looked,
        _ => worth.detail,
    };
    for (detail, worth) in step.details.iter().zip(worths) {
        let text = match step.said {
            true => detail.clone(),
            false => format!("{}\n{detail}", step.text),
        };
        levels.push((text, worth * fresh));
    }
    Entry::new(Place::Step(turn, index), levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_of_the_request_in_the_card_is_told_from_a_request() {
        let turn = Turn {
            id: "T-1".to_owned(),
            number: 1,
            asks: vec!["write it".to_owned()],
            outcome: "it is written".to_owned(),
            steps: Vec::new(),
        };
        let told = |in_card: bool| {
            turn_entry(0, &turn, &Weights::default(), (1.0, in_card)).levels[0].0.clone()
        };
        assert_eq!(told(true), "→ it is written");
        assert_eq!(told(false), "write it → it is written");
    }

    #[test]
    fn what_only_leads_to_a_call_does_not_say_how_far_it_is() {
        for words in [
            "Şimdi düzenlemeleri yapıyorum.",
            "Şimdi README'nin kültür bölümü ve tabloları için yazdıklarım:",
            "现在运行测试：",
            "And now the page of amounts, which needs the same change as before…",
        ] {
            assert!(!says_how_far(words), "{words}");
        }
        for words in [
            "Both issues are filed now, as #544 and #545. Marking those tasks:",
            "All 12 checks pass on the branch, and nothing is left uncommitted.",
            "测试全部通过，三个文件已提交。现在推送分支：",
        ] {
            assert!(says_how_far(words), "{words}");
        }
    }
}
