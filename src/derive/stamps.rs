//! When each thing that was found was said or done last.

use std::collections::HashMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Facts;
use super::timeline::{Done, Timeline};

/// Returns the time stamp, as recorded, of the last item that each fact rests on, by the id of the
/// fact; what rests on nothing with a time is left out.
pub(super) fn stamps(timeline: &Timeline<'_>, facts: &Facts) -> HashMap<String, String> {
    let works = facts.open_work.iter().map(|work| (&work.id, &work.evidence));
    let failures = facts.failures.iter().map(|failure| (&failure.id, &failure.evidence));
    let decisions = facts.decisions.iter().map(|decision| (&decision.id, &decision.evidence));
    let others = facts.facts.iter().map(|fact| (&fact.id, &fact.evidence));
    let files = facts.files.iter().map(|file| (&file.id, &file.evidence));
    let all = works.chain(failures).chain(decisions).chain(others).chain(files);
    let wanted: FxHashSet<&str> =
        all.clone().flat_map(|(_, evidence)| evidence).map(String::as_str).collect();
    let items = timeline.items.iter().enumerate();
    let items = items.filter(|(_, item)| wanted.contains(item.id.as_ref()));
    let agents = timeline.done().filter(Done::is_by_agent);
    let agents = agents.filter(|done| wanted.contains(done.item.id.as_ref()));
    let agents = agents.filter_map(|done| Some((timeline.place_of(&done)?, done.item)));
    let dated = items.map(|(at, item)| (at, *item)).chain(agents);
    let dated = dated.filter_map(|(at, item)| Some((item.id.as_ref(), (at, item.ts.as_deref()?))));
    let dated: FxHashMap<&str, (usize, &str)> = dated.collect();
    let stamp = |(id, evidence): (&String, &Vec<String>)| {
        let last = evidence.iter().filter_map(|item| dated.get(item.as_str())).max()?;
        Some((id.clone(), last.1.to_owned()))
    };
    all.filter_map(stamp).collect()
}
