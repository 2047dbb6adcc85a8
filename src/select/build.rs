//! What was chosen, put together as a pack.

use std::collections::{HashMap, HashSet};

use super::ages::Ages;
use super::entries::{Entry, Place};
use super::pack::{
    CommandLine, DecisionLine, FactLine, FailureBlock, FileLine, LeftOut, Pack, SectionBlock,
    SessionLine, StepLine, TurnBlock, WorkLine,
};
use super::{already, elsewhere, fetch, hash, said};
use crate::derive::levels::Level;
use crate::derive::{
    self, AgentSaid, Before, Event, Fact, FactKind, Facts, FileFact, Now, Recap, State, Turn,
    keeps_versions,
};
use crate::model::GONE_ON;

/// The text of each chosen entry.
struct Chosen<'e> {
    entries: &'e [Entry],
    levels: &'e [usize],
}

impl<'e> Chosen<'e> {
    /// Returns the texts of one kind with their index.
    fn texts(&self, index: impl Fn(Place) -> Option<usize>) -> Vec<(usize, &'e str)> {
        let pairs = self.entries.iter().zip(self.levels).filter(|(_, level)| **level > 0);
        let text = |(entry, level): (&'e Entry, &usize)| {
            Some((index(entry.place)?, entry.levels[level - 1].0.as_str()))
        };
        pairs.filter_map(text).collect()
    }

    /// Counts those of one kind that are not told.
    fn left_out(&self, is_it: impl Fn(Place) -> bool) -> usize {
        let pairs = self.entries.iter().zip(self.levels);
        pairs.filter(|(entry, level)| **level == 0 && is_it(entry.place)).count()
    }
}

/// Puts together what was chosen: `levels` says how richly each entry is shown, 0 for not.
pub(super) fn pack(facts: &Facts, entries: &[Entry], levels: &[usize], as_of: &str) -> Pack {
    let chosen = Chosen { entries, levels };
    let ages = Ages::new(facts, as_of);
    let mut pack = Pack {
        schema: "segue-pack-1",
        pack_hash: hash::UNKNOWN.to_owned(),
        session: session(facts, as_of),
        target: None,
        now: now(facts, &chosen),
        open_work: work(facts, &chosen, &ages),
        failures: failures(facts, &chosen, &ages),
        decisions: decisions(facts, &chosen, &ages),
        facts: fact_lines(facts, &chosen, &ages),
        files: files(facts, &chosen, &ages),
        files_named: files_named(facts, &chosen),
        files_root: None,
        masks_mentions: false,
        commands: commands(facts, &chosen),
        summary: sections(facts, &chosen),
        summary_unreadable: facts.summary.as_ref().is_some_and(|summary| !summary.readable),
        turns: turns(facts, &chosen),
        checks: facts.checks.clone(),
        reality: facts.reality.clone(),
        fetch: fetch::by_id(&facts.sessions),
        lessons: facts.lessons.clone(),
        outcome: facts.ending.outcome,
        self_check: derive::self_check(facts),
        explanation: None,
        left_out: LeftOut::default(),
        redacted: Vec::new(),
        findings: Vec::new(),
        sessions: facts.sessions.clone(),
        warnings: facts.warnings.clone(),
    };
    let mut named = pack.files.iter().map(|file| &file.path).chain(&pack.files_named);
    let root = elsewhere::root(&facts.files);
    pack.files_root =
        root.filter(|root| named.any(|path| elsewhere::shortened(path, Some(root)) != *path));
    pack.left_out = left_out(facts, &pack, &chosen);
    pack
}

/// Counts what is not in a pack.
fn left_out(facts: &Facts, pack: &Pack, chosen: &Chosen<'_>) -> LeftOut {
    let shown: usize = pack.turns.iter().map(|turn| turn.steps.len()).sum();
    let steps: usize = facts.turns.iter().map(|turn| turn.steps.len()).sum();
    let told: HashSet<&str> = pack.files.iter().map(|file| file.id.as_str()).collect();
    let is_told = |file: &FileFact| told.contains(file.id.as_str());
    let changed = facts.files.iter().filter(|file| file.is_changed());
    let last_words = pack.now.last_words.as_ref().map_or("", |said| said.text.as_str());
    let is_said = |index: usize| said::stands_in(last_words, &facts.open_work[index]);
    let is_by_user = |index: usize| facts.facts[index].is_by_user();
    let is_untold = |fact: &&Fact| {
        fact.state != State::Superseded
            && !already::is_told(facts, fact)
            && !already::stands_in(&pack.now.goal, fact)
    };
    let dropped = facts.dropped.iter().filter(is_untold).count();
    LeftOut {
        open_work: chosen.left_out(|it| matches!(it, Place::Work(index) if !is_said(index))),
        failures: chosen.left_out(|it| matches!(it, Place::Failure(_))),
        decisions: chosen.left_out(|it| matches!(it, Place::Decision(_))),
        facts: chosen.left_out(|it| matches!(it, Place::Fact(_))) + dropped,
        facts_by_user: dropped
            + chosen.left_out(|it| matches!(it, Place::Fact(index) if is_by_user(index))),
        files: facts.files.len() - pack.files.len() - pack.files_named.len(),
        files_changed: changed.filter(|file| !is_told(file)).count(),
        commands: facts.commands.len() - pack.commands.len(),
        turns: facts.turns.len() - pack.turns.len(),
        steps: steps - shown,
    }
}

/// Returns the name of a turn, with the session that the id names if it is not the newest.
fn turn(id: &str, turn: u32) -> String {
    format!("{}T-{turn}", super::turns::session(id))
}

fn session(facts: &Facts, as_of: &str) -> SessionLine {
    let header = &facts.session;
    let title = header.title.as_deref().unwrap_or_default();
    let title = title.strip_suffix(GONE_ON).unwrap_or(title).trim_end_matches('…');
    let before = facts.now.goal_before.iter().map(|before| before.text.as_str());
    let mut quoted = std::iter::once(facts.now.goal.as_str()).chain(before);
    let has = |words: &str, title: &str| {
        words.split_whitespace().collect::<Vec<_>>().join(" ").contains(title)
    };
    let day = |stamp: &str| stamp.get(..10)?.parse::<jiff::civil::Date>().ok();
    let last = header.ended_at.as_deref().and_then(day);
    let age = last.zip(day(as_of)).and_then(|(last, now)| now.since(last).ok());
    SessionLine {
        header: header.clone(),
        as_of: as_of.to_owned(),
        title_in_goal: quoted.any(|words| has(words, title)),
        // On a day before its last item it has no age.
        age_days: age.map(|span| i64::from(span.get_days())).filter(|days| *days >= 0),
    }
}

fn now(facts: &Facts, chosen: &Chosen<'_>) -> Now {
    let goal = chosen.texts(|place| (place == Place::Goal).then_some(0));
    let least = derive::clip(&facts.now.goal, 120);
    let goal = goal.first().map_or(least, |(_, text)| (*text).to_owned());
    let before = chosen.texts(|place| (place == Place::Before).then_some(0));
    let before = before.first().map(|(_, text)| (*text).to_owned());
    let goal_before = facts.now.goal_before.as_ref().map(|told| Before {
        text: before.unwrap_or_else(|| derive::clip(&told.text, 120)),
        ..told.clone()
    });
    let replied = chosen.texts(|place| (place == Place::Replied).then_some(0));
    let replied = facts.now.replies_to.iter().zip(replied);
    let mut replied =
        replied.map(|(told, (_, text))| AgentSaid { text: text.to_owned(), ..told.clone() });
    let recap = chosen.texts(|place| (place == Place::Recap).then_some(0));
    let recap = facts.now.recap.iter().zip(recap);
    let mut recap = recap.map(|(told, (_, text))| Recap { text: text.to_owned(), ..told.clone() });
    let called = chosen.texts(|place| match place {
        Place::Called(index) => Some(index),
        _ => None,
    });
    let called = called.into_iter().map(|(index, _)| facts.now.called[index].clone());
    let last = chosen.texts(|place| (place == Place::LastWords).then_some(0));
    let last = last.first().map(|(_, text)| (*text).to_owned());
    let last_words = facts.now.last_words.as_ref().map(|told| AgentSaid {
        text: last.unwrap_or_else(|| {
            said::without_open((&told.text, &facts.now.goal), &facts.open_work, 120)
        }),
        ..told.clone()
    });
    let answer = chosen.texts(|place| (place == Place::Answer).then_some(0));
    let answer = answer.first().map(|(_, text)| (*text).to_owned());
    let told =
        |said: &AgentSaid| AgentSaid { text: answer.clone().unwrap_or_default(), ..said.clone() };
    let event = facts.now.event.clone().map(|event| Event {
        answer: event.answer.as_ref().filter(|_| answer.is_some()).map(told),
        ..event
    });
    Now {
        goal,
        goal_before,
        event,
        replies_to: replied.next(),
        last_words,
        recap: recap.next(),
        called: called.collect(),
        ..facts.now.clone()
    }
}

fn work(facts: &Facts, chosen: &Chosen<'_>, ages: &Ages<'_>) -> Vec<WorkLine> {
    let texts = chosen.texts(|place| match place {
        Place::Work(index) => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let work = &facts.open_work[index];
        let own = work.alone(facts.now.last_words.is_some());
        let details = text.strip_prefix(own).map(str::trim_start);
        WorkLine {
            id: work.id.clone(),
            text: details.map_or(text, |_| own).to_owned(),
            details: details.filter(|details| !details.is_empty()).map(str::to_owned),
            status: work.status,
            blocked_by: work.blocked_by.clone(),
            trust: work.trust,
            source: work.source,
            age_days: ages.of(&work.id),
        }
    };
    texts.into_iter().map(line).collect()
}

fn failures(facts: &Facts, chosen: &Chosen<'_>, ages: &Ages<'_>) -> Vec<FailureBlock> {
    let texts = chosen.texts(|place| match place {
        Place::Failure(index) => Some(index),
        _ => None,
    });
    let block = |(index, text): (usize, &str)| {
        let failure = &facts.failures[index];
        FailureBlock {
            id: failure.id.clone(),
            command: failure.command.clone(),
            by_agent: failure.by_agent,
            exit_code: failure.exit_code,
            lines: text.lines().map(str::to_owned).collect(),
            edits_since: failure.edits_since,
            turn: turn(&failure.id, failure.turn),
            age_days: ages.of(&failure.id),
        }
    };
    texts.into_iter().map(block).collect()
}

fn decisions(facts: &Facts, chosen: &Chosen<'_>, ages: &Ages<'_>) -> Vec<DecisionLine> {
    let texts = chosen.texts(|place| match place {
        Place::Decision(index) => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let decision = &facts.decisions[index];
        DecisionLine {
            id: decision.id.clone(),
            kind: decision.kind,
            text: text.to_owned(),
            alternatives: decision.alternatives.clone(),
            turn: turn(&decision.id, decision.turn),
            age_days: ages.of(&decision.id),
        }
    };
    texts.into_iter().map(line).collect()
}

fn fact_lines(facts: &Facts, chosen: &Chosen<'_>, ages: &Ages<'_>) -> Vec<FactLine> {
    let texts = chosen.texts(|place| match place {
        Place::Fact(index) => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let fact = &facts.facts[index];
        let is_more = text.len() > fact.text.len();
        FactLine {
            id: fact.id.clone(),
            kind: fact.kind,
            lane: fact.lane,
            text: if text.len() < fact.text.len() { text } else { &fact.text }.to_owned(),
            detail: fact.detail.clone().filter(|_| is_more),
            trust: fact.trust,
            of_called: fact.is_of_called(),
            state: fact.state,
            turn: turn(&fact.id, fact.turn),
            // What is no part of the session has an age of its own.
            age_days: match fact.kind {
                FactKind::Memory => ages.since(&fact.id),
                _ => ages.of(&fact.id),
            },
        }
    };
    texts.into_iter().map(line).collect()
}

fn file_places(place: Place) -> Option<usize> {
    match place {
        Place::File(index) => Some(index),
        _ => None,
    }
}

fn files(facts: &Facts, chosen: &Chosen<'_>, ages: &Ages<'_>) -> Vec<FileLine> {
    let texts = chosen.texts(file_places).into_iter();
    let line = |(index, names): (usize, &str)| {
        let file = &facts.files[index];
        let is_gone = |name: &&str| file.names_gone.iter().any(|gone| gone == name);
        let told = names.split(", ").filter(|name| !name.is_empty());
        let (gone, there): (Vec<_>, Vec<_>) = told.partition(is_gone);
        FileLine {
            id: file.id.clone(),
            path: file.path.clone(),
            state: file.state,
            edits: file.edits,
            by_agents: file.by_agents,
            added_lines: file.added_lines,
            removed_lines: file.removed_lines,
            turn: turn(&file.id, file.edited_in.unwrap_or(file.turn)),
            names: there.join(", "),
            names_gone: gone.into_iter().map(str::to_owned).collect(),
            mark: file.mark,
            age_days: ages.of(&file.id),
        }
    };
    texts.filter(|(index, _)| facts.files[*index].was_opened()).map(line).collect()
}

fn files_named(facts: &Facts, chosen: &Chosen<'_>) -> Vec<String> {
    let texts = chosen.texts(file_places).into_iter();
    let named = texts.filter(|(index, _)| !facts.files[*index].was_opened());
    named.map(|(index, _)| facts.files[index].path.clone()).collect()
}

fn commands(facts: &Facts, chosen: &Chosen<'_>) -> Vec<CommandLine> {
    let texts = chosen.texts(|place| match place {
        Place::Command(index) => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let command = &facts.commands[index];
        CommandLine {
            id: command.id.clone(),
            command: text.to_owned(),
            runs: command.runs,
            worked: command.worked,
            keeps_versions: keeps_versions(&command.command),
        }
    };
    texts.into_iter().map(line).collect()
}

fn sections(facts: &Facts, chosen: &Chosen<'_>) -> Vec<SectionBlock> {
    let Some(summary) = &facts.summary else { return Vec::new() };
    let texts = chosen.texts(|place| match place {
        Place::Section(index) => Some(index),
        _ => None,
    });
    let block = |(index, text): (usize, &str)| SectionBlock {
        title: summary.sections[index].title.clone(),
        text: text.to_owned(),
    };
    texts.into_iter().map(block).collect()
}

fn turns(facts: &Facts, chosen: &Chosen<'_>) -> Vec<TurnBlock> {
    let heads = chosen.texts(|place| match place {
        Place::Turn(index) => Some(index),
        _ => None,
    });
    let heads: HashMap<usize, &str> = heads.into_iter().collect();
    let mut blocks: Vec<(usize, TurnBlock)> = Vec::new();
    for (index, turn) in facts.turns.iter().enumerate().rev() {
        let steps = step_lines(turn, index, chosen);
        let head = heads.get(&index).copied().unwrap_or_default();
        if !steps.is_empty() || !head.is_empty() {
            blocks.push((index, block(turn, head, steps)));
        }
    }
    let shown: Vec<_> = blocks.iter().map(|(index, block)| (*index, block.level)).collect();
    let tags = super::turns::tags(facts, &shown);
    let tagged = blocks.into_iter().zip(tags).map(|((_, block), (opens, closes))| TurnBlock {
        opens,
        closes,
        ..block
    });
    tagged.collect()
}

fn block(turn: &Turn, head: &str, steps: Vec<StepLine>) -> TurnBlock {
    let left_out = turn.steps.len() - steps.len();
    // Of a session that does not lead, details are never told.
    let leads = super::turns::session(&turn.id).is_empty();
    let is_whole = leads && left_out == 0 && steps.iter().all(|step| step.is_whole);
    let level = match steps.is_empty() {
        true => Level::Tiny,
        false if is_whole => Level::Raw,
        false if steps.iter().any(|step| step.detail.is_some()) => Level::Smooth,
        false => Level::Compact,
    };
    TurnBlock {
        id: turn.id.clone(),
        level,
        opens: None,
        closes: None,
        head: head.to_owned(),
        left_out: if level == Level::Tiny { 0 } else { left_out },
        steps,
    }
}

/// Returns the chosen steps of a turn, oldest first.
fn step_lines(turn: &Turn, number: usize, chosen: &Chosen<'_>) -> Vec<StepLine> {
    let texts = chosen.texts(|place| match place {
        Place::Step(of, index) if of == number => Some(index),
        _ => None,
    });
    let line = |(index, text): (usize, &str)| {
        let step = &turn.steps[index];
        let detail = text.split_once('\n').filter(|_| !step.said);
        let richest = step.details.last().map_or(step.text.len(), String::len);
        StepLine {
            text: detail.map_or(text, |(line, _)| line).to_owned(),
            detail: detail.map(|(_, detail)| detail.to_owned()),
            said: step.said,
            is_whole: text.len() >= richest,
        }
    };
    texts.into_iter().rev().map(line).collect()
}
