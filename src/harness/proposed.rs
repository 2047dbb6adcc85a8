//! Plans that were put to the user in words, as the calls by which other harnesses do that.

use memchr::memmem;

use super::{Sink, recorders};
use crate::error::Result;
use crate::model::{
    Action, Body, Header, Item, Origin, Part, PlanItem, PlanStatus, ToolCall, ToolKind,
    no_arguments,
};

/// The name of calls that stand for such words.
const NAME: &str = "propose_plan";

/// Passes items on, and behind words that put a plan to the user a call that does.
pub struct Proposals<'s> {
    sink: &'s mut dyn Sink,
    /// The lines between which a plan stands in words.
    tags: Option<(&'static str, &'static str)>,
    /// The plan that was told since the user's last words.
    told: Option<String>,
}

impl<'s> Proposals<'s> {
    /// Passes on to `sink`.
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self { sink, tags: None, told: None }
    }

    /// Returns the plan that an item puts to the user, if it does.
    fn plan(&self, item: &Item<'_>) -> Option<String> {
        match &item.body {
            Body::Message(message) if message.origin == Origin::Model => {
                let (open, close) = self.tags?;
                let may_have = |part: &Part<'_>| match part {
                    Part::Text(text) => match text.stored() {
                        Some(stored) => memmem::find(stored.as_bytes(), open.as_bytes()).is_some(),
                        None => text.plain().contains(open),
                    },
                    Part::Blob(_) | Part::Other { .. } => false,
                };
                message.parts.iter().any(may_have).then_some(())?;
                Some(between(&message.plain(), open, close)?.trim().to_owned())
            }
            // What no call set, and of which the entries stand in the text beside them, was written as that.
            Body::Plan(plan) if plan.call_id.is_none() => {
                let text = plan.explanation.as_ref()?.plain();
                let is_of_it = |entry: &PlanItem| {
                    entry.status == PlanStatus::Pending && text.contains(&entry.text)
                };
                let is_written = !plan.items.is_empty() && plan.items.iter().all(is_of_it);
                is_written.then(|| text.trim().to_owned())
            }
            _ => None,
        }
    }
}

/// Returns what stands in a text between two lines.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let (before, rest) = text.split_once(open)?;
    let rest = rest.trim_start_matches([' ', '\r']).strip_prefix('\n')?;
    let (inside, _) = rest.rsplit_once(close)?;
    (before.is_empty() || before.ends_with('\n')).then_some(inside)
}

/// Returns a call that puts a plan to the user.
fn call(id: String, plan: String) -> ToolCall<'static> {
    let call = ToolCall::new(id, NAME, ToolKind::Plan, no_arguments());
    ToolCall { action: Some(Box::new(Action::Propose { plan, file: None })), ..call }
}

impl Sink for Proposals<'_> {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.tags = recorders(header).iter().find_map(|recorder| recorder.plan_tags());
        self.sink.header(header)
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        if let Body::Message(message) = &item.body
            && message.origin == Origin::Human
        {
            self.told = None;
        }
        let is_own = item.side_session.is_none() && item.copy_of.is_none();
        let plan = self.plan(&item).filter(|plan| is_own && !plan.is_empty());
        let Some(plan) = plan else { return self.sink.item(item) };
        let is_known = self.told.as_ref() == Some(&plan);
        let mut put = item.borrowed();
        put.id = format!("{}/proposed", item.id).into();
        put.body = Body::ToolCall(call(put.id.to_string(), plan.clone()));
        let put = put.into_owned();
        // A list of the same once more is none of the work.
        if matches!(item.body, Body::Message(_)) {
            self.sink.item(item)?;
        }
        self.told = Some(plan);
        if is_known { Ok(()) } else { self.sink.item(put) }
    }

    fn next(&mut self) -> Option<&mut dyn Sink> {
        Some(self.sink)
    }
}
