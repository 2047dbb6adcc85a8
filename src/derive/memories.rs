//! Memories that touch the work of a session, as facts beside its own.

use std::collections::BTreeSet;

use super::fact::{Fact, FactKind};
use super::{Facts, Trust, place, text, words};
use crate::model::{Memory, clipped};

/// How many are taken.
const MOST: usize = 8;
/// How many names two texts must share to speak of the same thing.
const SHARED: usize = 2;
/// How much of a body is shown, in characters.
const BODY_CHARS: usize = 600;
/// How much of the rule is shown, in characters.
const RULE_CHARS: usize = 220;
/// How many of the session's files say what it is about.
const FILES: usize = 12;

impl Facts {
    /// Adds those of `memories` that touch the work: they share names with the request, with what is
    /// open, or with the files that the session changed. What is nearest comes first.
    ///
    /// They are what an agent once wrote down, and never more than that: a memory is told apart from
    /// what the session itself shows.
    pub fn add_memories(&mut self, memories: &[Memory]) {
        let about = self.about();
        let mut near: Vec<(usize, &Memory)> = memories
            .iter()
            .map(|memory| (nearness(&about, memory), memory))
            .filter(|(shared, memory)| *shared >= SHARED && !memory.flags.quarantined)
            .collect();
        near.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.id.cmp(&other.id)));
        near.dedup_by(|(_, one), (_, other)| one.content_sha256 == other.content_sha256);
        for (_, memory) in near.into_iter().take(MOST) {
            if let Some(time) = &memory.updated_at {
                self.stamps.insert(memory.id.clone(), time.clone());
            }
            self.facts.push(fact(memory));
        }
    }

    /// Returns the names that say what the work is about.
    fn about(&self) -> BTreeSet<String> {
        let now = &self.now;
        let said = [Some(&now.goal), now.active.as_ref(), now.next.as_ref()];
        let before = now.goal_before.as_ref().map(|before| &before.text);
        let work = self.open_work.iter().map(|work| &work.text);
        let said = said.into_iter().flatten().chain(before).chain(&now.acceptance).chain(work);
        let mut names: BTreeSet<String> = said.flat_map(|text| words::keys(text)).collect();
        let files = self.files.iter().filter(|file| file.was_opened()).take(FILES);
        for file in files {
            let path = file.path.to_lowercase();
            names.insert(place::name(&path).to_owned());
            names.insert(path);
        }
        names
    }
}

/// Counts the names that a memory shares with the work; one in its title counts twice.
fn nearness(about: &BTreeSet<String>, memory: &Memory) -> usize {
    let shared = |text: &str| words::keys(text).intersection(about).count();
    let title = format!("{} {}", memory.title.replace('-', " "), memory.summary);
    shared(&title) + shared(&format!("{title} {}", memory.body_md))
}

fn fact(memory: &Memory) -> Fact {
    let rule = match memory.summary.as_str() {
        "" => clipped(&memory.body_md, RULE_CHARS),
        summary => clipped(summary, RULE_CHARS),
    };
    let title = text::line(&memory.title, 80);
    let told = if rule.starts_with(title.trim_end_matches('…')) {
        rule
    } else {
        format!("{title}: {rule}")
    };
    let body = text::clip(memory.body_md.trim(), BODY_CHARS);
    Fact {
        id: memory.id.clone(),
        detail: (body.len() > told.len()).then_some(body),
        ..Fact::new(FactKind::Memory, Trust::C, told, (0, &memory.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Session;

    #[test]
    fn only_memories_that_share_names_with_the_work_are_taken() {
        let mut facts = super::super::derive(&Session::default());
        facts.now.goal = "Mend `parse_header` in src/reader.rs".to_owned();
        let memory = |title: &str, body: &str| {
            Memory { title: title.into(), body_md: body.into(), ..Memory::default() }.finished()
        };
        let near = memory("Reader", "`parse_header` of src/reader.rs keeps the line ends.");
        let held = Memory {
            flags: crate::model::MemoryFlags { quarantined: true, ..Default::default() },
            ..near.clone()
        };
        let far = memory("Deploy", "Run `make deploy` on Mondays.");
        facts.add_memories(&[far, held, near.clone()]);
        let told: Vec<_> =
            facts.facts.iter().map(|fact| (fact.id.as_str(), fact.kind, fact.trust)).collect();
        assert_eq!(told, [(near.id.as_str(), FactKind::Memory, Trust::C)]);
    }
}
