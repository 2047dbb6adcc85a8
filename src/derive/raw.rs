//! An item as it was: what it is on a line, and below it all of its words.

use crate::model::{
    Action, Answer, Body, Change, Compaction, Item, Message, Part, Plan, PlanItem, Text, ToolCall,
    ToolResult,
};

/// Tells an item in full; nothing of its words is cut or cleaned.
pub fn raw(item: &Item<'_>) -> String {
    let (about, words) = told(item);
    let about = [about, not_live(item)].into_iter().filter(|words| !words.is_empty());
    let about: String = about.map(|words| format!(" {words}")).collect();
    under(&format!("[{} {}]{about}", item.body.type_name(), item.id), &words)
}

/// Returns the words of an item as somebody would look for them: a call with the name of its tool,
/// a command or a change as it is meant, not as JSON has it.
pub(super) fn words(item: &Item<'_>) -> String {
    let Body::ToolCall(call) = &item.body else { return told(item).1 };
    let meant = match call.action.as_deref() {
        Some(Action::Shell { command: text, .. } | Action::Type { keys: text, .. }) => {
            format!("{text}{}", said_beside(call, text))
        }
        Some(Action::Edit { changes }) => {
            let change =
                |change: &Change| format!("{}\n{}\n{}", change.path, change.removed, change.added);
            changes.iter().map(change).collect::<Vec<_>>().join("\n")
        }
        _ => call_words(call),
    };
    format!("{} {meant}", call.name)
}

/// The most bytes of an argument that only says what a command is for, or where it runs.
const BESIDE_BYTES: usize = 400;

/// Returns the short arguments of a call besides its command, each on a line, such as what it is for.
fn said_beside(call: &ToolCall<'_>, command: &str) -> String {
    let arguments = serde_json::from_str(call.arguments.get());
    let Ok(serde_json::Value::Object(arguments)) = arguments else { return String::new() };
    let told = arguments.iter().filter_map(|(_, value)| value.as_str());
    let beside = told.filter(|told| told.len() <= BESIDE_BYTES && !command.contains(told));
    beside.map(|told| format!("\n{told}")).collect()
}

/// Says what an item is, and returns its words.
fn told(item: &Item<'_>) -> (String, String) {
    match &item.body {
        Body::Message(message) => message_words(message),
        Body::Reasoning(reasoning) => {
            let sealed =
                if reasoning.opaque { "more of it only the provider can read" } else { "" };
            (sealed.to_owned(), reasoning.text.plain().into_owned())
        }
        Body::ToolCall(call) => (call.name.to_string(), call_words(call)),
        Body::ToolResult(result) => result_words(result),
        Body::Plan(plan) => (String::new(), plan_words(plan)),
        Body::Compaction(compaction) => compaction_words(compaction),
        Body::Usage(usage) => {
            let tokens = |tokens: Option<u64>| tokens.map_or("?".to_owned(), |n| n.to_string());
            let (read, written) = (tokens(usage.input_tokens), tokens(usage.output_tokens));
            (format!("{read} tokens in, {written} out"), String::new())
        }
        Body::Notice { kind, text } => (kind.to_string(), some(text.as_ref())),
        Body::SideSession(side) => (side.id.to_string(), some(side.title.as_ref())),
    }
}

/// Puts words under a heading, if there are any.
fn under(head: &str, words: &str) -> String {
    if words.is_empty() { head.to_owned() } else { format!("{head}\n{words}") }
}

fn some(text: Option<&Text<'_>>) -> String {
    text.map(|text| text.plain().into_owned()).unwrap_or_default()
}

/// Says why an item would not be sent to the model on resume.
fn not_live(item: &Item<'_>) -> String {
    let why = item.dropped_by.as_deref().filter(|_| !item.live);
    why.map(|why| format!("(not live: {why})")).unwrap_or_default()
}

fn message_words(message: &Message<'_>) -> (String, String) {
    let word = |value: serde_json::Result<serde_json::Value>| {
        let value = value.unwrap_or_default();
        value.as_str().unwrap_or_default().to_owned()
    };
    let role = word(serde_json::to_value(message.role));
    let origin = word(serde_json::to_value(message.origin));
    (format!("{role}, words of: {origin}"), parts_words(&message.parts))
}

/// Returns all pieces, one under the other; bytes are named by what they are.
fn parts_words(parts: &[Part<'_>]) -> String {
    let words = parts.iter().map(|part| match part {
        Part::Text(text) => text.plain().into_owned(),
        Part::Blob(blob) => {
            let size =
                blob.name().bytes.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
            format!("[{}{size}]", blob.media_type)
        }
        Part::Other { kind, json } => format!("[{kind}] {}", json.get()),
    });
    words.collect::<Vec<_>>().join("\n")
}

fn call_words(call: &ToolCall<'_>) -> String {
    call.arguments.get().to_owned()
}

fn result_words(result: &ToolResult<'_>) -> (String, String) {
    let status = serde_json::to_value(result.status).unwrap_or_default();
    let mut about = status.as_str().unwrap_or_default().to_owned();
    if let Some(code) = result.exit_code {
        about = format!("{about}, exit {code}");
    }
    if result.rejected {
        about.push_str(", refused by the user");
    }
    let whole = result.persisted.as_ref().map(|whole| whole.text.clone());
    let output = whole.unwrap_or_else(|| parts_words(&result.output));
    let said = result.user_said.iter().map(|said| format!("the user said: {}", said.plain()));
    let answer = |answer: &Answer| format!("{} → {}", answer.question, answer.answer);
    let rest = said.chain(result.answers.iter().map(answer));
    let words = std::iter::once(output).chain(rest).filter(|words| !words.is_empty());
    (about, words.collect::<Vec<_>>().join("\n"))
}

fn plan_words(plan: &Plan<'_>) -> String {
    let entry = |item: &PlanItem| {
        let status = serde_json::to_value(item.status).unwrap_or_default();
        let more = item.details.iter().map(|details| format!("\n  {details}"));
        let more = more.collect::<String>();
        format!("- {}: {}{more}", status.as_str().unwrap_or_default(), item.text)
    };
    let why = plan.explanation.iter().map(|why| why.plain().into_owned());
    why.chain(plan.items.iter().map(entry)).collect::<Vec<_>>().join("\n")
}

fn compaction_words(compaction: &Compaction<'_>) -> (String, String) {
    let replaced = compaction.replaced.len();
    let sealed = if compaction.readable { "" } else { "; only the provider can read the summary" };
    let about = format!("{}, {replaced} items replaced{sealed}", compaction.trigger);
    (about, some(compaction.summary.as_ref()))
}
