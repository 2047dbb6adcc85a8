//! Work that was begun or promised and is not finished.

use serde::Serialize;

use super::ids;
use super::timeline::Timeline;
use crate::model::{Action, Body, PlanItem, PlanStatus};

/// A piece of open work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Work {
    /// `W-` and eight hexadecimal digits.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub status: PlanStatus,
    /// What must be done before.
    pub blocked_by: Vec<String>,
    /// `plan` for the harness's own list, `agent` for an agent that has not come back.
    pub source: &'static str,
    /// The items that it rests on.
    pub evidence: Vec<String>,
}

/// How many entries of a plan are kept.
const MOST: usize = 30;

/// Finds what is open in the harness's own list of work, and agents that have not come back.
pub(super) fn open_work(timeline: &Timeline<'_>) -> Vec<Work> {
    let plan = timeline.items.iter().rev().find_map(|item| match &item.body {
        Body::Plan(plan) => Some((item.id.to_string(), &plan.items)),
        _ => None,
    });
    let mut open = plan.map(|(id, items)| of_plan(&id, items)).unwrap_or_default();
    open.extend(timeline.done().filter(|done| done.result.is_none()).filter_map(|done| {
        let Some(Action::Agent { task }) = done.call.action.as_deref() else { return None };
        Some(Work {
            id: ids::id('W', task),
            text: task.clone(),
            status: PlanStatus::InProgress,
            blocked_by: Vec::new(),
            source: "agent",
            evidence: vec![done.item.id.to_string()],
        })
    }));
    open.truncate(MOST);
    open
}

fn of_plan(id: &str, items: &[PlanItem]) -> Vec<Work> {
    let text_of = |number: &String| {
        let found =
            items.iter().find(|item| item.id.as_ref() == Some(number) && item.status.is_open());
        found.map(|item| item.text.clone())
    };
    let work = |item: &PlanItem| Work {
        id: ids::id('W', &item.text),
        text: item.text.clone(),
        status: item.status,
        blocked_by: item.blocked_by.iter().filter_map(text_of).collect(),
        source: "plan",
        evidence: vec![id.to_owned()],
    };
    let mut open: Vec<_> = items.iter().filter(|item| item.status.is_open()).map(work).collect();
    open.sort_by_key(|work| work.status != PlanStatus::InProgress);
    open
}
