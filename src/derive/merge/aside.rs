//! Sessions in which something was only asked, beside the work of others.

use super::super::{AgentSaid, Ending, Facts, Now, scope, status};

/// A session with more requests is one in which something was thought through.
const MOST_REQUESTS: usize = 3;

/// Which works some sessions, newest first, are.
pub(super) struct Works {
    /// The lane of each session.
    pub(super) lanes: Vec<usize>,
    /// Whether something was only asked in it.
    is_aside: Vec<bool>,
    /// The newest session that is a work.
    pub(super) lead: usize,
}

impl Works {
    /// A session in which something was only asked is no work and sets no goal: it has no call that changed or
    /// checked something, and leaves nothing open. There is none where the newest of the others has no changes or
    /// nothing open.
    pub(super) fn of(all: &[Facts]) -> Self {
        let mut is_aside: Vec<bool> = all.iter().map(only_asked).collect();
        let lead = is_aside.iter().position(|is_aside| !is_aside);
        let lead = lead.filter(|lead| *lead == 0 || is_open_work(&all[*lead]));
        if lead.is_none() {
            is_aside.fill(false);
        }
        Self { lanes: scope::lanes(all), is_aside, lead: lead.unwrap_or(0) }
    }

    /// Returns the lane of a session, if it is a work.
    pub(super) fn lane(&self, index: usize) -> Option<usize> {
        self.lanes.get(index).copied().filter(|_| !self.is_aside[index])
    }

    /// Tells whether all that are works look like one.
    pub(super) fn are_one(&self) -> bool {
        let mut lanes = (0..self.lanes.len()).filter_map(|index| self.lane(index));
        let first = lanes.next();
        lanes.all(|lane| Some(lane) == first)
    }
}

fn only_asked(facts: &Facts) -> bool {
    let now = &facts.now;
    let did_nothing = now.last_done.is_none() && facts.files.iter().all(|file| file.edits == 0);
    let was_answered = !(now.asks || now.stopped || now.came_back) && now.unfinished.is_none();
    let is_bare = facts.open_work.is_empty() && facts.decisions.is_empty() && now.handed.is_none();
    did_nothing && was_answered && is_bare && facts.turns.len() <= MOST_REQUESTS
}

fn is_open_work(facts: &Facts) -> bool {
    let has_changes = facts.files.iter().any(|file| file.edits > 0);
    has_changes && (facts.now.asks || !status(facts).open.is_empty())
}

/// Gives the newest session the card of the one at `lead`, and returns how that one ended.
pub(super) fn lead(all: &mut [Facts], lead: usize) -> Option<Ending> {
    let leading = all.get_mut(lead).filter(|_| lead > 0)?;
    let mut now = std::mem::take(&mut leading.now);
    let ending = leading.ending.clone();
    name(&mut now, &format!("S{}/", lead + 1));
    all[0].now = now;
    Some(ending)
}

/// Puts the name of the session before the ids of a card that have none yet.
fn name(now: &mut Now, name: &str) {
    let said = [now.replies_to.as_mut(), now.last_words.as_mut()];
    let said = said.into_iter().flatten().map(|said: &mut AgentSaid| &mut said.id);
    let before = now.goal_before.iter_mut().flat_map(|before| {
        std::iter::once(&mut before.id).chain(before.between.iter_mut().map(|one| &mut one.id))
    });
    let turns = now.event.iter_mut().map(|event| &mut event.turn);
    let turns = turns.chain(now.recap.iter_mut().map(|recap| &mut recap.turn));
    let others = now.asked_too.iter_mut().map(|one| &mut one.id);
    let others = others.chain(now.handed.iter_mut().map(|handed| &mut handed.id));
    let ids = said.chain(before).chain(turns).chain(others).chain([&mut now.goal_id]);
    ids.filter(|id| id.starts_with("T-")).for_each(|id| id.insert_str(0, name));
    if let Some(done) = &mut now.last_done {
        *done = done.replace(" (T-", &format!(" ({name}T-"));
    }
}
