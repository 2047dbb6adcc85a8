//! What several sessions say that is worth keeping beyond them.
//!
//! Only words of the user, and what machines recorded of commands: what came out of a tool is never
//! proposed, whatever it says. One session alone gives little: what the user wants from now on.

use std::collections::{BTreeMap, BTreeSet};

use super::fact::{Fact, FactKind, State};
use super::{Command, Facts, Trust, checking, text, words};
use crate::model::{Level, Memory, MemoryKind, MemoryScope, MemorySource, first_sentence, slug};

/// In how many sessions a command must have worked.
const SESSIONS: usize = 2;
/// How many commands are named.
const MOST_COMMANDS: usize = 8;
/// How many places are named as evidence.
const MOST_PLACES: usize = 4;
/// Longer words are a request, not a rule, in characters.
const LONGEST_RULE: usize = 400;

/// Where something was said or done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// The time stamp, where there is one.
    at: Option<String>,
    session: String,
    turn: u32,
}

/// A fact with the session that it is from.
type Told<'f> = (&'f Facts, &'f Fact);

/// Finds what is worth keeping in `all`, the facts of sessions of one project: what the user wants
/// from now on, what had to be said more than once, commands that worked again and again, errors that
/// came back and how they went away.
pub fn durable(all: &[Facts]) -> Vec<Memory> {
    let mut seen = BTreeSet::new();
    let told = all.iter().flat_map(|facts| facts.facts.iter().map(move |fact| (facts, fact)));
    // A session that goes on with another has a copy of what was said and done there.
    let is_new = |(facts, fact): &Told<'_>| {
        let stamp = facts.stamps.get(&fact.id);
        stamp.is_none_or(|stamp| seen.insert((fact.id.clone(), stamp.clone())))
    };
    let told: Vec<Told<'_>> = told.filter(is_new).collect();
    let of = |kind: FactKind| {
        let fine = move |(_, fact): &&Told<'_>| {
            fact.kind == kind && fact.trust == Trust::B && fact.state != State::Superseded
        };
        told.iter().filter(fine).copied().collect::<Vec<_>>()
    };
    let mut found: Vec<Memory> = Vec::new();
    let wanted = of(FactKind::Preference);
    found.extend(groups(&wanted).iter().filter_map(|group| lasting(group)));
    let corrected: Vec<_> =
        groups(&of(FactKind::Correction)).into_iter().filter(|group| group.len() > 1).collect();
    found.extend(
        corrected.iter().filter_map(|group| rule(group, "the user had to say it more than once")),
    );
    found.extend(commands(all));
    found.extend(fixes(&told));
    found
}

/// Puts together what speaks of the same thing, the latest first in each group.
fn groups<'f>(told: &[Told<'f>]) -> Vec<Vec<Told<'f>>> {
    let mut groups: Vec<Vec<Told<'f>>> = Vec::new();
    for one in told {
        match groups.iter_mut().find(|group| words::same(&group[0].1.text, &one.1.text)) {
            Some(group) => group.push(*one),
            None => groups.push(vec![*one]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|one| std::cmp::Reverse(place(one)));
    }
    groups
}

fn place((facts, fact): &Told<'_>) -> Place {
    Place {
        at: facts.stamps.get(&fact.id).cloned(),
        session: format!("{}:{}", facts.session.harness, facts.session.id),
        turn: fact.turn,
    }
}

/// Makes a rule of what is to hold from now on: what says how long answers shall be, and not for how long that
/// holds, may be of one answer and is a rule only where it was said again.
fn lasting(group: &[Told<'_>]) -> Option<Memory> {
    let (_, fact) = group.first()?;
    let is_said_again = group.len() > 1 || fact.evidence.len() > 1;
    match (words::is_on_length_alone(&fact.text), is_said_again) {
        (false, _) => rule(group, "the user wants it from now on"),
        (true, true) => rule(group, "the user had to say it more than once"),
        (true, false) => None,
    }
}

/// Makes a rule of what the user said, in the words of the last time.
fn rule(group: &[Told<'_>], why: &str) -> Option<Memory> {
    let (_, fact) = group.first()?;
    if fact.text.chars().count() > LONGEST_RULE {
        return None;
    }
    let places: Vec<_> = group.iter().map(place).collect();
    Some(memory(MemoryKind::Feedback, &fact.text, why, &places))
}

/// Names the commands that test, build or check the project and worked in several sessions; what
/// others do, such as those of version control, is the same in every project.
fn commands(all: &[Facts]) -> Option<Memory> {
    let mut worked: BTreeMap<&str, (BTreeSet<Place>, usize)> = BTreeMap::new();
    for facts in all {
        for command in facts.commands.iter().filter(|command| is_proved(command)) {
            let entry = worked.entry(&command.command).or_default();
            entry.0.insert(Place {
                at: facts.session.ended_at.clone(),
                session: format!("{}:{}", facts.session.harness, facts.session.id),
                turn: command.turn,
            });
            entry.1 += command.runs;
        }
    }
    let mut known: Vec<_> = worked
        .into_iter()
        .filter(|(command, (places, _))| places.len() >= SESSIONS && !command.contains('\n'))
        .collect();
    known.sort_by_key(|(command, (places, runs))| {
        (std::cmp::Reverse((places.len(), *runs)), *command)
    });
    known.truncate(MOST_COMMANDS);
    let line = |(command, (places, _)): &(&str, (BTreeSet<Place>, usize))| {
        format!("- `{}` worked in {} sessions", command.replace('`', "'"), places.len())
    };
    let lines: Vec<_> = known.iter().map(line).collect();
    let mut places: Vec<Place> = known.into_iter().flat_map(|(_, (places, _))| places).collect();
    places.sort_by(|a, b| b.cmp(a));
    places.dedup_by(|a, b| a.session == b.session);
    let text = format!("Commands that test, build or check this project:\n\n{}", lines.join("\n"));
    (!lines.is_empty())
        .then(|| memory(MemoryKind::Reference, &text, "they were run with success", &places))
}

fn is_proved(command: &Command) -> bool {
    command.worked == Some(true) && checking::is_check(&command.command)
}

/// Tells of errors that came back in another session, and what made them go away.
fn fixes(told: &[Told<'_>]) -> Vec<Memory> {
    let mut by_id: BTreeMap<&str, Vec<Told<'_>>> = BTreeMap::new();
    let is_mended = |(_, fact): &&Told<'_>| {
        fact.kind == FactKind::Fix && fact.state == State::Done && fact.is_lesson
    };
    let mended = told.iter().filter(is_mended);
    mended.for_each(|one| by_id.entry(&one.1.id).or_default().push(*one));
    let sessions = |group: &[Told<'_>]| {
        group.iter().map(|(facts, _)| facts.session.id.as_str()).collect::<BTreeSet<_>>().len()
    };
    let again = by_id.into_values().filter(|group| sessions(group) >= SESSIONS);
    again
        .filter_map(|mut group| {
            group.sort_by_key(|one| std::cmp::Reverse(place(one)));
            // What the tool printed stands between the command and the first arrow, and stays behind.
            let (failed, went) = group[0].1.text.split_once(" → ")?;
            let command = failed.strip_prefix('`')?.split('`').next()?;
            let text = format!("When `{command}` fails: {}", went.replace(" → ", "; "));
            let places: Vec<_> = group.iter().map(place).collect();
            Some(memory(
                MemoryKind::Reference,
                &text,
                "it failed in more than one session and went away so",
                &places,
            ))
        })
        .collect()
}

fn memory(kind: MemoryKind, said: &str, why: &str, places: &[Place]) -> Memory {
    let shown = places.iter().take(MOST_PLACES).map(|place| {
        let day = place.at.as_deref().and_then(|at| at.get(..10)).map(|day| format!(", {day}"));
        format!("{} T-{}{}", place.session, place.turn, day.unwrap_or_default())
    });
    let shown = shown.collect::<Vec<_>>().join("; ");
    let more = places.len().saturating_sub(MOST_PLACES);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let title = text::line(first_sentence(said).trim_end_matches(':'), 80);
    let newest = places.iter().filter_map(|place| place.at.clone()).max();
    Memory {
        kind,
        name: slug(&title),
        keywords: words::keys(said).into_iter().take(8).collect(),
        body_md: format!("{}\n\n**Why:** {why} ({shown}{more}).", said.trim()),
        scope: MemoryScope { level: Level::Project, cwd: None },
        created_at: places.iter().filter_map(|place| place.at.clone()).min(),
        updated_at: newest,
        source: MemorySource {
            harness: "segue".to_owned(),
            key: slug(&title),
            generation: "seed".to_owned(),
            ..MemorySource::default()
        },
        title,
        ..Memory::default()
    }
    .finished()
}
