//! The harness's own lists of work: plans and goals.

use serde_json::Value;
use serde_json::value::RawValue;

use super::read::{At, Reader};
use crate::error::Result;
use crate::harness::Lists;
use crate::json;
use crate::model::{Body, Part, Plan, PlanItem, PlanStatus, Status};

/// The list of work and the goal of a session of which other programs carry the calls.
#[derive(Default)]
pub(super) struct Plans {
    /// The goal that was told last.
    goal: Option<PlanItem>,
}

impl Lists for Plans {
    fn set(&mut self, name: &str, arguments: &RawValue, result: &str) -> Option<Plan<'static>> {
        let mut plan = of_call(name, "", arguments)?;
        let value: Value = json::from_str(result).unwrap_or_default();
        if value["goal"].is_object() {
            plan.items = goal(&value["goal"]).into_iter().collect();
            let is_known = plan.items.first() == self.goal.as_ref();
            self.goal = plan.items.first().cloned();
            return Some(plan).filter(|_| !is_known);
        }
        Some(plan).filter(|plan| !plan.items.is_empty() || plan.explanation.is_some())
    }
}

/// Reads the plan that a call sets, if it sets one.
pub(super) fn of_call(name: &str, call_id: &str, arguments: &RawValue) -> Option<Plan<'static>> {
    let value: Value = json::from_str(arguments.get()).ok()?;
    match name {
        "update_plan" => of_value(&value, call_id),
        // What the goal is then stands in the result.
        "create_goal" | "update_goal" => Some(Plan {
            call_id: Some(call_id.to_owned().into()),
            explanation: None,
            items: goal(&value).into_iter().collect(),
        }),
        _ => None,
    }
}

/// Reads the arguments of `update_plan`.
pub(super) fn of_value(value: &Value, call_id: &str) -> Option<Plan<'static>> {
    let steps = value["plan"].as_array()?;
    let item = |step: &Value| {
        let status = PlanStatus::from_word(step["status"].as_str().unwrap_or_default());
        PlanItem::new(step["step"].as_str().unwrap_or_default(), status)
    };
    let explanation = value["explanation"].as_str().filter(|text| !text.trim().is_empty());
    Some(Plan {
        call_id: Some(call_id.to_owned().into()),
        explanation: explanation.map(|text| text.to_owned().into()),
        items: steps.iter().map(item).collect(),
    })
}

fn goal(value: &Value) -> Option<PlanItem> {
    let text = value["objective"].as_str()?.to_owned();
    let word = value["status"].as_str().unwrap_or("active");
    let status = PlanStatus::from_word(word);
    Some(PlanItem::new(text, status))
}

/// Gives the plan that a call set, once it is known to have worked.
pub(super) fn after(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    call_id: &str,
    status: Status,
    output: &[Part<'_>],
) -> Result<()> {
    let Some(mut plan) = reader.plans.remove(call_id) else { return Ok(()) };
    if status != Status::Ok {
        return Ok(());
    }
    let value: Value = json::from_str(&super::text::plain(output)).unwrap_or_default();
    if value["goal"].is_object() {
        return give_goal(reader, at, &value["goal"], Some(call_id));
    }
    if plan.items.is_empty() && plan.explanation.is_none() {
        return Ok(());
    }
    plan.call_id = Some(call_id.to_owned().into());
    give(reader, at, plan)
}

/// Gives a plan.
pub(super) fn give(reader: &mut Reader<'_>, at: &At<'_>, plan: Plan<'_>) -> Result<()> {
    reader.give(at, &format!("{}/plan", at.id), Body::Plan(plan))
}

/// Gives a goal, unless it is as it was.
pub(super) fn give_goal(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    value: &Value,
    call_id: Option<&str>,
) -> Result<()> {
    let Some(item) = goal(value) else { return Ok(()) };
    let state = (item.text.clone(), value["status"].as_str().unwrap_or_default().to_owned());
    if reader.last_goal.as_ref() == Some(&state) {
        return Ok(());
    }
    reader.last_goal = Some(state);
    let call_id = call_id.map(|id| id.to_owned().into());
    give(reader, at, Plan { call_id, explanation: None, items: vec![item] })
}
