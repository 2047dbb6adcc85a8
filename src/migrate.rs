//! Memories of one harness, and which of them go into another.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Layer, Level, Memory};

/// What is to be moved.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Only what holds this wide; nothing for both.
    pub level: Option<Level>,
    /// What is moved besides the memories themselves.
    pub with: BTreeSet<Layer>,
    /// Whether the target keeps what holds everywhere apart from what holds in one project.
    pub keeps_levels: bool,
}

/// The memories that are to be written, and those that are not.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// What goes to the writer: what holds everywhere first.
    pub wanted: Vec<Memory>,
    /// What stays, each with the reason.
    pub left: Vec<(Memory, String)>,
    /// What says one thing everywhere and another in the project: the titles.
    pub conflicts: Vec<String>,
}

/// Chooses among `memories` what is to be written.
///
/// The same memory is written once. Where one of a project and one that holds everywhere have the
/// same name and say different things, both are written if the target keeps them apart, else the
/// project's alone.
pub fn choose(memories: Vec<Memory>, choice: &Choice) -> Chosen {
    let mut out = Chosen::default();
    let mut seen: BTreeMap<(Level, String), String> = BTreeMap::new();
    let in_project: BTreeMap<String, (String, String)> = memories
        .iter()
        .filter(|memory| memory.scope.level == Level::Project)
        .map(|one| (one.name.clone(), (one.content_sha256.clone(), one.title.to_lowercase())))
        .collect();
    for memory in memories {
        let key = (memory.scope.level, memory.content_sha256.clone());
        let other = in_project.get(&memory.name).filter(|_| memory.scope.level == Level::Global);
        let differs = other.is_some_and(|(content, title)| {
            let is_another = memory.is_named_by_title() && *title != memory.title.to_lowercase();
            *content != memory.content_sha256 && !is_another
        });
        let why = stays(&memory, choice).or_else(|| {
            let twin = seen.get(&key)?;
            Some(format!("it says the same as `{twin}`"))
        });
        let why = why.or_else(|| {
            (differs && !choice.keeps_levels)
                .then(|| "the project says otherwise under the same name".to_owned())
        });
        if differs {
            out.conflicts.push(memory.title.clone());
        }
        match why {
            Some(why) => out.left.push((memory, why)),
            None => {
                seen.insert(key, memory.title.clone());
                out.wanted.push(memory);
            }
        }
    }
    out.wanted.sort_by_key(|memory| memory.scope.level);
    told_apart(&mut out.wanted);
    out
}

/// Gives those a key of their own that say they come from one place, so that none is written over
/// another.
fn told_apart(memories: &mut [Memory]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for memory in memories.iter() {
        *counts.entry(memory.origin()).or_default() += 1;
    }
    for memory in memories {
        if counts.get(&memory.origin()).is_some_and(|count| *count > 1) {
            memory.source.key += &format!("#{}", memory.content_sha256);
        }
    }
}

/// Says why a memory is not meant, if so.
fn stays(memory: &Memory, choice: &Choice) -> Option<String> {
    // Of some there is nothing left when the guard has taken out what nobody sees.
    if [&memory.title, &memory.summary, &memory.body_md].iter().all(|text| text.trim().is_empty()) {
        return Some("it says nothing".to_owned());
    }
    if memory.flags.quarantined {
        let rules = memory.flags.threats.join(", ");
        return Some(format!("it looks like a hidden instruction ({rules})"));
    }
    if choice.level.is_some_and(|level| level != memory.scope.level) {
        return Some("it is of the other scope".to_owned());
    }
    let layer = memory.source.layer;
    if choice.with.contains(&layer) {
        return None;
    }
    match layer {
        Layer::Instructions => Some("humans write it (`--with instructions` takes it)".to_owned()),
        Layer::Rules => Some("humans write it (`--with rules` takes it)".to_owned()),
        Layer::Agent => Some("it belongs to a sub-agent (`--with agents` takes it)".to_owned()),
        Layer::Session => Some("it is about one session (`--with sessions` takes it)".to_owned()),
        Layer::Skills => Some("it is a skill (`--with skills` takes it)".to_owned()),
        Layer::Memory | Layer::Notes | Layer::Imported | Layer::Settings => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MemoryScope, MemorySource};

    fn memory(level: Level, title: &str, body: &str, layer: Layer) -> Memory {
        let scope = MemoryScope { level, cwd: None };
        let source = MemorySource { layer, ..MemorySource::default() };
        Memory { title: title.into(), body_md: body.into(), scope, source, ..Memory::default() }
            .finished()
    }

    #[test]
    fn a_memory_without_words_stays() {
        let all = vec![
            memory(Level::Global, "", " \n", Layer::Memory),
            memory(Level::Global, "Tabs", "", Layer::Memory),
        ];
        let chosen = choose(all, &Choice::default());
        assert_eq!(chosen.wanted.len(), 1);
        assert_eq!(chosen.left[0].1, "it says nothing");
    }

    #[test]
    fn a_project_wins_where_the_levels_are_not_kept_apart() {
        let all = vec![
            memory(Level::Project, "Tabs", "Use tabs.", Layer::Memory),
            memory(Level::Global, "Tabs", "Use blanks.", Layer::Memory),
            memory(Level::Global, "Twice", "Same.", Layer::Memory),
            memory(Level::Global, "Twice", "Same.", Layer::Notes),
            memory(Level::Project, "Rule", "Never.", Layer::Instructions),
        ];
        let told = |chosen: &Chosen| {
            let wanted: Vec<_> = chosen.wanted.iter().map(|one| one.body_md.clone()).collect();
            let left: Vec<_> =
                chosen.left.iter().map(|(one, why)| format!("{}: {why}", one.body_md)).collect();
            (wanted.join(" "), left.join("; "))
        };
        let apart = choose(all.clone(), &Choice { keeps_levels: true, ..Choice::default() });
        let (wanted, left) = told(&apart);
        assert_eq!(wanted, "Use blanks. Same. Use tabs.");
        assert_eq!(
            left,
            "Same.: it says the same as `Twice`; Never.: humans write it (`--with instructions` takes it)"
        );
        assert_eq!(apart.conflicts, ["Tabs"]);
        let with = [Layer::Instructions].into();
        let (wanted, left) = told(&choose(all, &Choice { with, ..Choice::default() }));
        assert_eq!(wanted, "Same. Use tabs. Never.");
        assert!(left.starts_with("Use blanks.: the project says otherwise"), "{left}");
    }
}
