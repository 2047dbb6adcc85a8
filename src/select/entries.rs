//! The renderings of each fact, and what they are worth.

use std::collections::HashSet;

use super::asked::{self, grown};
use super::commands::command_entries;
use super::order::{Size, frame};
use super::weights::Weights;
use super::{already, brief, elsewhere, near, said, steps, turns};
use crate::derive::{
    Decision, Fact, FactKind, Facts, Failure, FileFact, Section, State, Trust, Work, start,
    word_count,
};

/// Where an entry stands in the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Place {
    /// The current request.
    Goal,
    /// The request before it.
    Before,
    /// What the agent had said before it.
    Replied,
    /// What the agent had said before what set it to work again.
    Answer,
    /// What a command or a skill is for that was called, by its index.
    Called(usize),
    /// What the harness says of where the work stood.
    Recap,
    /// The agent's last words.
    LastWords,
    /// Open work by its index, and so on.
    Work(usize),
    Failure(usize),
    Decision(usize),
    Fact(usize),
    File(usize),
    Command(usize),
    Section(usize),
    /// The head of a turn: what was asked and what came of it.
    Turn(usize),
    /// Turn and step.
    Step(usize, usize),
}

/// A fact with its renderings; level 0 is leaving it out.
pub(super) struct Entry {
    pub place: Place,
    /// What stands with every rendering, such as the path of a file.
    pub fixed: String,
    /// What stands around it: marks, the id, counts.
    pub frame: Size,
    /// Whether it rests on words alone, or is long ago, so that nothing has to make room for it.
    pub weak: bool,
    /// Whether it binds what is being done, and stands nowhere else.
    pub binds: bool,
    /// Whether it tells how far the current request is, so that it counts to no share of the turns.
    pub is_news: bool,
    /// Whether it is a fact that is the user's.
    pub by_user: bool,
    /// How many of its levels come first, where it is one of what comes before everything else.
    pub musts: usize,
    /// Whether it is a file that the session changed.
    pub is_changed: bool,
    /// The list of which it is an entry, if it is of one.
    pub list: Option<&'static str>,
    /// How many times more it is worth for being near the words of the next task.
    pub near: f64,
    /// What comes around it from level 2 on.
    pub more: Size,
    /// Renderings from level 1 on, each longer than the one before, with its own worth.
    pub levels: Vec<(String, f64)>,
}

impl Entry {
    pub(super) fn new(place: Place, levels: Vec<(String, f64)>) -> Self {
        Self {
            place,
            fixed: String::new(),
            frame: frame(place),
            more: Size::default(),
            weak: false,
            binds: false,
            is_news: false,
            by_user: false,
            musts: 1,
            is_changed: false,
            list: None,
            near: 1.0,
            levels,
        }
    }

    /// Whether a level comes before everything else: the request, what was said last, open work, what
    /// fails, what the user decided.
    pub(super) fn must(&self, level: usize) -> bool {
        let must = match self.place {
            Place::Goal => level <= 2,
            Place::Before | Place::Replied | Place::Answer | Place::LastWords | Place::Recap => {
                level == 1
            }
            Place::Work(index) => index < said::MOST_LISTED && level == 1,
            Place::Failure(index) => index == 0 && level == 1,
            Place::Decision(index) => index < 4 && level <= self.musts,
            Place::Fact(_) => self.binds && level == 1,
            _ => false,
        };
        must && !self.weak
    }
}

/// How much less names in a file are worth for each file before it but the first few: of thirty files no two
/// dozen are open at once, and lines of nothing but names say little.
const NAMES_FADE: f64 = 0.88;
const NAMES_WHOLE: usize = 3;
/// What stands around a file on a line of its own, beyond what it has in a list.
const OWN_LINE: Size = Size { tokens: 9, chars: 28 };
/// What says of a file what became of it.
const MARK: Size = Size { tokens: 4, chars: 16 };
/// For so many turns everything else makes room for what the user decided.
const RECENT_TURNS: u32 = 5;
/// Of a list of boxes everything else makes room for so many.
const FIRST_BOXES: usize = 3;
/// How much another box of the list is worth beside those.
const LATER_BOX: f64 = 0.5;
/// So many rules of the current request that it is too long to tell come before everything else.
const FIRST_RULES: usize = 2;
/// And so many of what binds the work, whenever it was said: who does not know of it does harm.
const FIRST_LIMITS: usize = 6;
/// By how much less an order is worth for each turn after it: most are followed at once.
const ORDER_FADE: f64 = 0.9;
/// The same for what binds the work, and for what the user decided: some of it only bound what was at hand,
/// most is done, merged or given up some turns later.
const RULE_FADE: f64 = 0.97;
/// For no more turns do these fade: a rule such as "never push" may bind the work to its end.
const FADING_TURNS: usize = 15;
/// How much of a piece of work is told first, where somebody wrote it down at length.
const WORK_CHARS: usize = 110;
/// How much of what the harness's list tells of a piece of work.
const DETAILS_CHARS: [usize; 2] = [280, 1400];
/// How much the rest of a line is worth beside its detail, where it is told in few words first.
const REST: f64 = 0.5;
/// What a called command is for is worth so much beside a fact.
const CALLED: f64 = 0.4;
/// An answer of fewer words is told with its question.
const NOD_WORDS: usize = 5;
/// Of what was only listed or spoken of so many files are told: more hide those that are needed.
const MOST_SEEN: usize = 60;
/// How much less one is worth for each before it.
const SEEN_FADE: f64 = 0.95;
/// Names shown for a file at each level beyond its path.
const NAMES: [usize; 3] = [6, 14, 28];

/// Builds the entries of everything, of the card too.
pub(super) fn entries(facts: &Facts, worth: &Weights) -> Vec<Entry> {
    let mut all = card(facts, worth);
    all.extend(works(facts, worth));
    for (index, failure) in facts.failures.iter().enumerate() {
        all.push(failure_entry(index, failure, worth, faded(0.5, index)));
    }
    let newest = facts.turns.first().map_or(0, |turn| turn.number);
    for (index, decision) in facts.decisions.iter().enumerate() {
        let weak = decision.turn + RECENT_TURNS < newest;
        let old = newest.saturating_sub(decision.turn);
        let share = faded(0.93, index) * faded(RULE_FADE, (old as usize).min(FADING_TURNS));
        let entry = decision_entry(index, decision, worth, share);
        all.push(Entry { weak, ..entry });
    }
    all.extend(fact_entries(facts, newest, worth));
    let heaviest = facts.files.first().map_or(1.0, |file| file.weight);
    let root = elsewhere::root(&facts.files);
    let mut seen = 0;
    for (index, file) in facts.files.iter().enumerate() {
        seen += usize::from(!file.was_opened());
        if !file.was_opened() && seen > MOST_SEEN {
            continue;
        }
        let mut share = share(file.weight, heaviest, worth.file_power);
        if !file.was_opened() {
            share *= faded(SEEN_FADE, seen);
        }
        let names = share * faded(NAMES_FADE, index.saturating_sub(NAMES_WHOLE));
        let entry = file_entry(index, file, worth, (share, names));
        let fixed = elsewhere::shortened(&entry.fixed, root.as_deref()).into_owned();
        all.push(Entry { fixed, ..entry });
    }
    all.extend(command_entries(facts, worth));
    let sections = facts.summary.iter().flat_map(|summary| summary.sections.iter());
    let section = |(index, section): (usize, &Section)| {
        let since = newest.saturating_sub(section.turn + 1) as usize;
        section_entry(index, section, worth, faded(worth.tiny_fade, since))
    };
    all.extend(sections.enumerate().map(section));
    all.extend(steps::entries(facts, worth));
    near::draw_near(&mut all, worth);
    all
}

/// Returns what is left of a worth of 1 after so many steps.
pub(super) fn faded(fade: f64, steps: usize) -> f64 {
    fade.powi(i32::try_from(steps).unwrap_or(i32::MAX))
}

/// The requests, and what was said.
fn card(facts: &Facts, worth: &Weights) -> Vec<Entry> {
    let now = &facts.now;
    let mut all = vec![asked::goal(facts, worth)];
    all.extend(now.goal_before.iter().map(|before| asked::before(before, worth)));
    let done = facts.turns.first().filter(|turn| turn.id == now.goal_id);
    let done = done.map_or(0, |turn| turn.steps.len());
    all.extend(now.replies_to.iter().map(|said| said::replied(said, now, done, worth)));
    let event = now.event.iter();
    all.extend(event.filter_map(|event| said::answered(event, now, worth)));
    let called = now.called.iter().enumerate().map(|(index, called)| {
        let share = if index == 0 { CALLED } else { CALLED * REST };
        Entry::new(Place::Called(index), vec![(called.about.clone(), worth.fact[0] * share)])
    });
    all.extend(called);
    let recap = now.recap.iter().map(|recap| said::recapped(&recap.text, worth.recap));
    all.extend(recap.map(|levels| Entry::new(Place::Recap, levels)));
    let last = now.last_words.iter();
    all.extend(last.map(|said| said::last_words(said, now, &facts.open_work, worth)));
    all
}

fn works(facts: &Facts, worth: &Weights) -> Vec<Entry> {
    let (mut all, mut boxes) = (Vec::new(), 0);
    let brief = facts.now.last_words.as_ref().map(|said| said::brief(said, &facts.now.goal));
    for (index, work) in facts.open_work.iter().enumerate() {
        // What the card says already need not be said again.
        if work.source == "unanswered" {
            continue;
        }
        boxes += usize::from(work.source == "box");
        let is_more = work.source == "box" && boxes > FIRST_BOXES;
        let is_left_out = brief.as_ref().is_some_and(|brief| said::is_left_out(brief, work));
        let weak = !matches!(work.trust, Trust::S | Trust::A) && !is_left_out || is_more;
        let share = if is_more { LATER_BOX } else { 1.0 };
        // Where the card has the agent's last words, they need not stand here, too.
        let text = work.alone(facts.now.last_words.is_some());
        let levels = work_levels((work, text), worth, share * faded(0.97, index));
        let is_listed =
            matches!(work.source, "plan" | "box" | "agent_said" | "summary" | "summary_aside");
        let list = is_listed.then_some(work.source);
        all.push(Entry { weak, list, ..Entry::new(Place::Work(index), levels) });
    }
    all
}

/// Returns how much of the worth of the likeliest something has; long after the last touch
/// everything weighs nothing.
pub(super) fn share(weight: f64, heaviest: f64, power: f64) -> f64 {
    if heaviest > 0.0 { (weight / heaviest).powf(power) } else { 0.0 }
}

fn failure_entry(index: usize, failure: &Failure, worth: &Weights, share: f64) -> Entry {
    let few = failure.key_lines.join("\n");
    let all = failure.lines.join("\n");
    let mut levels = vec![(few.clone(), worth.failure[0] * share)];
    if all != few {
        levels.push((all, worth.failure[1] * share));
    }
    Entry { fixed: failure.command.clone(), ..Entry::new(Place::Failure(index), levels) }
}

/// How many characters of a decision are told at each level; an approved plan is long.
const DECISION_CHARS: [usize; 4] = [300, 1500, 6000, 24_000];

/// A decision in a few words, then more of it: in a few nobody has to look for a name of a file first.
fn decision_entry(index: usize, decision: &Decision, worth: &Weights, share: f64) -> Entry {
    let text = match &decision.words {
        Some(words) => format!("{}; the user said: {words}", decision.text),
        None => decision.text.clone(),
    };
    let brief = decision.brief.clone().filter(|_| decision.words.is_none());
    let worths = if brief.is_some() { &worth.decision[1..] } else { &worth.decision };
    let mut levels = grown(&text, &DECISION_CHARS, worths, share);
    if let (Some(outline), Some(first)) = (&decision.outline, levels.first_mut()) {
        first.0.clone_from(outline);
    }
    let first = levels.first().map_or(0, |(first, _)| first.len());
    let brief = brief.filter(|brief| brief.len() < first);
    let musts = if brief.is_some() { 2 } else { 1 };
    levels.splice(0..0, brief.map(|brief| (brief, worth.decision[0] * share)));
    Entry { musts, ..Entry::new(Place::Decision(index), levels) }
}

/// What a fact of each kind is worth beside one of the user's constraints.
fn kind_share(kind: FactKind) -> f64 {
    match kind {
        // Who breaks a rule does harm; who lacks another fact looks again.
        FactKind::Constraint => 2.5,
        FactKind::Correction => 2.0,
        FactKind::Preference | FactKind::Directive => 1.8,
        FactKind::Check | FactKind::DeadEnd => 0.9,
        FactKind::Choice | FactKind::Memory => 0.6,
        FactKind::Fix | FactKind::Attempt => 0.5,
        FactKind::Environment | FactKind::Assumption => 0.4,
    }
}

fn fact_entries(facts: &Facts, newest: u32, worth: &Weights) -> Vec<Entry> {
    let (mut all, mut rules, mut limits) = (Vec::new(), 0, 0);
    let mut details = HashSet::new();
    for (index, fact) in facts.facts.iter().enumerate() {
        if fact.state == State::Superseded || already::is_told(facts, fact) {
            continue;
        }
        let is_rule = matches!(fact.kind, FactKind::Constraint | FactKind::Preference)
            && !fact.is_of_called();
        // Turns of other sessions have the same numbers.
        let is_new = is_rule && fact.turn == newest && turns::session(&fact.id).is_empty();
        rules += usize::from(is_new);
        let is_limit = is_rule && fact.kind == FactKind::Constraint;
        limits += usize::from(is_limit);
        let binds = is_new && rules <= FIRST_RULES || is_limit && limits <= FIRST_LIMITS;
        let mut entry = fact_entry(index, fact, (newest, binds), worth);
        // The same change below two of them is told once; a line says of each what it needs.
        let change = fact.detail.as_ref().filter(|detail| detail.contains('\n'));
        if change.is_some_and(|detail| !details.insert(detail)) {
            entry.levels.retain(|(text, _)| *text == fact.text);
        }
        all.push(entry);
    }
    all
}

fn fact_entry(index: usize, fact: &Fact, (newest, binds): (u32, bool), worth: &Weights) -> Entry {
    let age = newest.saturating_sub(fact.turn) as usize;
    let fade = match fact.kind {
        FactKind::Directive | FactKind::Correction => faded(ORDER_FADE, age),
        FactKind::Constraint => faded(RULE_FADE, age.min(FADING_TURNS)),
        _ => 1.0,
    };
    let kind = if binds { FactKind::Constraint } else { fact.kind };
    let share = fact.weight * kind_share(kind) * fade;
    let mut levels = vec![(fact.text.clone(), worth.fact[0] * share)];
    if let Some(brief) = brief::brief(fact.kind, &fact.text) {
        levels[0].1 = worth.fact[1] * REST * share;
        levels.insert(0, (brief, worth.fact[0] * share));
    }
    let more = fact.detail.iter().map(|detail| format!("{}\n{detail}", fact.text));
    levels.extend(more.map(|text| (text, worth.fact[1] * share)));
    // A few words of an answer say nothing without the question.
    let is_nod = fact.kind == FactKind::Directive && word_count(&fact.text) < NOD_WORDS;
    if is_nod && levels.len() > 1 {
        let more = levels.pop().unwrap_or_default();
        levels[0].0 = more.0;
    }
    let by_user = fact.is_by_user();
    Entry { binds, by_user, ..Entry::new(Place::Fact(index), levels) }
}

fn file_entry(index: usize, file: &FileFact, worth: &Weights, (share, names): (f64, f64)) -> Entry {
    let first = if file.was_opened() { worth.file[0] } else { worth.listed };
    let mut levels = vec![(String::new(), first * share)];
    // Names in what is no part of the project lead nowhere.
    let depth = if file.is_of_program() { 0 } else { NAMES.len() };
    for (most, more) in NAMES.iter().take(depth).zip(&worth.file[1..]) {
        let told = file.names[..file.names.len().min(*most)].join(", ");
        if levels.last().is_none_or(|(last, _)| *last != told) {
            levels.push((told, more * names));
        }
    }
    let mut entry = Entry { fixed: file.path.clone(), ..Entry::new(Place::File(index), levels) };
    entry.more = OWN_LINE;
    entry.is_changed = file.is_changed();
    if file.mark.is_some() {
        entry.frame = entry.frame.plus(MARK);
    }
    if !file.names_gone.is_empty() {
        entry.more = entry.more.plus(Size { tokens: 3, chars: 8 });
    }
    entry
}

/// A section of the summary; `fresh` is what is left of its worth: what was asked since the first request behind it has
/// an answer of its own.
fn section_entry(index: usize, section: &Section, worth: &Weights, fresh: f64) -> Entry {
    let mut levels: Vec<(String, f64)> = Vec::new();
    for (most, worth) in [240, 900, 3000].into_iter().zip(worth.section) {
        let told = section.shortened(most);
        if levels.last().is_none_or(|(last, _)| *last != told) {
            levels.push((told, worth * section.worth * fresh));
        }
    }
    Entry::new(Place::Section(index), levels)
}

/// A piece of work by its first words, then whole, then with what the harness's list tells of it besides.
fn work_levels((work, text): (&Work, &str), worth: &Weights, share: f64) -> Vec<(String, f64)> {
    let mut levels = Vec::new();
    // What somebody wrote down can be long; its first words say which it is.
    if matches!(work.source, "agent_said" | "box" | "plan") {
        levels.push((start(text, WORK_CHARS), worth.work * share));
    }
    if levels.last().is_none_or(|(last, _)| *last != text) {
        let worth = if levels.is_empty() { worth.work } else { worth.rest_of_work };
        levels.push((text.to_owned(), worth * share));
    }
    let details = work.details.as_deref().unwrap_or_default();
    let told = grown(details, &DETAILS_CHARS, &worth.work_details, share);
    levels.extend(told.into_iter().map(|(told, worth)| (format!("{text}\n{told}"), worth)));
    levels
}
