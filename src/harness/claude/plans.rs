//! The harness's lists of work: one tool that replaces the list, and tools that change single tasks.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::wire::ToolUseResult;
use crate::harness::Lists;
use crate::json;
use crate::jsonl;
use crate::model::{Plan, PlanItem, PlanStatus};

/// A call that changes a list of work, kept until its result says that it worked.
pub(super) enum Pending {
    /// The whole list.
    Todos(Vec<PlanItem>),
    /// A new task.
    Create(PlanItem),
    /// A change of one.
    Update(Value),
    /// A list was asked for.
    List,
}

impl Pending {
    /// Reads a call of the tool called `name`.
    pub(super) fn read(name: &str, input: &RawValue) -> Option<Self> {
        let value = || json::from_str::<Value>(input.get()).ok();
        Some(match name {
            "TodoWrite" => Self::Todos(todos(value()?.get("todos")?)),
            "TaskCreate" => {
                let value = value()?;
                let subject = value.get("subject")?.as_str()?;
                let details = details(&value);
                Self::Create(PlanItem { details, ..PlanItem::new(subject, PlanStatus::Pending) })
            }
            "TaskUpdate" => Self::Update(value()?),
            "TaskList" => Self::List,
            _ => return None,
        })
    }
}

impl Lists for Plans {
    fn set(&mut self, name: &str, arguments: &RawValue, result: &str) -> Option<Plan<'static>> {
        self.apply(Pending::read(name, arguments)?, None, result)
    }
}

fn todos(list: &Value) -> Vec<PlanItem> {
    list.as_array().into_iter().flatten().filter_map(todo).collect()
}

/// Reads an entry of the todo tool's list, of a task list, or a task file.
fn todo(value: &Value) -> Option<PlanItem> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let blocked_by = value.get("blockedBy").and_then(Value::as_array).into_iter().flatten();
    Some(PlanItem {
        id: value.get("id").and_then(word),
        text: text("content").or_else(|| text("subject"))?.to_owned(),
        details: details(value),
        status: PlanStatus::from_word(text("status").unwrap_or_default()),
        blocked_by: blocked_by.filter_map(word).collect(),
        listed_in: None,
    })
}

/// Returns what is told of a task besides its subject.
fn details(value: &Value) -> Option<String> {
    let details = value.get("description")?.as_str()?.trim();
    (!details.is_empty()).then(|| details.to_owned())
}

/// Returns a number or a word as text.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(word) => Some(word.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Reads a file that holds a list of todos, or one task.
pub(super) fn from_file(text: &str) -> Vec<PlanItem> {
    match json::from_str::<Value>(text) {
        Ok(Value::Array(list)) => todos(&Value::Array(list)),
        Ok(task @ Value::Object(_)) => todos(&Value::Array(vec![task])),
        _ => Vec::new(),
    }
}

/// Returns a list without what is told of its entries besides.
fn bare(items: &[PlanItem]) -> Vec<PlanItem> {
    items.iter().map(|item| PlanItem { details: None, ..item.clone() }).collect()
}

/// The list of work as far as it has been read.
#[derive(Default)]
pub(super) struct Plans {
    tasks: Vec<PlanItem>,
    /// The state that was told last, without details.
    last: Vec<PlanItem>,
    /// The details that were told, by the numbers of the tasks.
    details: HashMap<String, String>,
    /// The task of which details are to be told next.
    fresh: Option<(String, String)>,
}

impl Plans {
    /// Applies a call that worked, and returns the list if it changed.
    pub(super) fn apply(
        &mut self,
        pending: Pending,
        own: Option<&RawValue>,
        text: &str,
    ) -> Option<Plan<'static>> {
        let items = match pending {
            Pending::Todos(items) => items,
            Pending::Create(mut task) => {
                let id = self.number(own, text);
                self.tell_of(&id, task.details.take());
                task.id = Some(id);
                self.tasks.push(task);
                self.told()
            }
            Pending::Update(change) => {
                self.update(&change)?;
                self.told()
            }
            Pending::List => {
                self.tasks = listed(own)?;
                self.told()
            }
        };
        let is_new = items.iter().any(|item| item.details.is_some());
        let bare = bare(&items);
        if bare == self.last && !is_new {
            return None;
        }
        self.last = bare;
        Some(Plan { call_id: None, explanation: None, items })
    }

    /// Whether a list says nothing that was not told.
    pub(super) fn tells(&self, items: &[PlanItem]) -> bool {
        let is_told = |item: &PlanItem| {
            let known = item.id.as_ref().and_then(|id| self.details.get(id));
            item.details.is_none() || !item.status.is_open() || known == item.details.as_ref()
        };
        bare(items) == self.last && items.iter().all(is_told)
    }

    /// Notes the details of a task, if they are new.
    fn tell_of(&mut self, id: &str, details: Option<String>) {
        let Some(details) = details else { return };
        if self.details.get(id) != Some(&details) {
            self.details.insert(id.to_owned(), details.clone());
            self.fresh = Some((id.to_owned(), details));
        }
    }

    /// Returns the list as it is told: each change tells all of it, so that details stand only where they
    /// are new.
    fn told(&mut self) -> Vec<PlanItem> {
        let mut told = self.tasks.clone();
        if let Some((id, details)) = self.fresh.take() {
            let task = told.iter_mut().find(|task| task.id.as_ref() == Some(&id));
            task.into_iter().for_each(|task| task.details = Some(details.clone()));
        }
        told
    }

    /// Returns the number of a new task: only the result has it.
    fn number(&self, own: Option<&RawValue>, text: &str) -> String {
        let more: ToolUseResult<'_> = jsonl::shaped(own).unwrap_or_default();
        let task: Option<Value> = jsonl::shaped(more.task);
        let told = task.and_then(|task| task.get("id").and_then(word));
        let said = text
            .split_once('#')
            .map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
        told.or(said.filter(|number| !number.is_empty()))
            .unwrap_or_else(|| (self.tasks.len() + 1).to_string())
    }

    fn update(&mut self, change: &Value) -> Option<()> {
        let id = word(change.get("taskId")?)?;
        let place = self.tasks.iter().position(|task| task.id.as_deref() == Some(&id))?;
        let text = |key: &str| change.get(key).and_then(Value::as_str);
        if text("status") == Some("deleted") {
            self.tasks.remove(place);
            return Some(());
        }
        let task = &mut self.tasks[place];
        if let Some(word) = text("status") {
            task.status = PlanStatus::from_word(word);
        }
        if let Some(subject) = text("subject") {
            subject.clone_into(&mut task.text);
        }
        let blockers = change.get("addBlockedBy").and_then(Value::as_array).into_iter().flatten();
        task.blocked_by.extend(blockers.filter_map(Value::as_str).map(str::to_owned));
        self.tell_of(&id, details(change));
        Some(())
    }
}

fn listed(own: Option<&RawValue>) -> Option<Vec<PlanItem>> {
    let more: ToolUseResult<'_> = jsonl::shaped(own)?;
    let tasks: Value = json::from_str(more.tasks?.get()).ok()?;
    tasks.as_array().is_some().then(|| todos(&tasks))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn details_of_a_task_are_told_where_they_are_new_and_outlive_a_list_that_has_none() {
        let mut plans = Plans::default();
        let mut give = |name: &str, input: Value, own: Option<Value>| {
            let raw = |value: Value| serde_json::value::to_raw_value(&value).unwrap();
            let pending = Pending::read(name, &raw(input)).unwrap();
            let plan = plans.apply(pending, own.map(raw).as_deref(), "Task #1 created");
            plan.map(|plan| plan.items[0].details.clone())
        };
        let details = |text: &str| Some(Some(text.to_owned()));
        let task = json!({"subject": "Write it", "description": " all of it "});
        assert_eq!(give("TaskCreate", task, None), details("all of it"));
        let listed = json!({"tasks": [{"id": "1", "subject": "Write", "status": "pending"}]});
        assert_eq!(give("TaskList", json!({}), Some(listed)), Some(None));
        let mut update = |change: Value| give("TaskUpdate", change, None);
        assert_eq!(update(json!({"taskId": "1", "description": "all of it"})), None);
        assert_eq!(update(json!({"taskId": "1", "description": "half"})), details("half"));
        assert_eq!(update(json!({"taskId": "1", "status": "in_progress"})), Some(None));
        // A file of a task can say more than the session does.
        let file = |details: &str| {
            from_file(
                &json!({"id": "1", "subject": "Write", "status": "in_progress",
                "description": details})
                .to_string(),
            )
        };
        assert!(plans.tells(&file("half")) && !plans.tells(&file("all of it and more")));
    }
}
