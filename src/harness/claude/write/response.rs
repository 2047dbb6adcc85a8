//! A response of the model and its results.

use std::borrow::Cow;
use std::io;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::super::scan::SYNTHETIC;
use super::block::{self, Block, Made, Voice};
use super::chain::Chain;
use super::line::{Body, Mark, ModelMessage, Usage, UserMessage};
use super::tool;
use crate::harness::mark;
use crate::harness::write::EMPTY;
use crate::jsonl;
use crate::model::{
    Deed, Entry, EntryBody, Exchange, Origin, Part, Reasoning, Status, ToolCall, ToolResult,
    Usage as Cost, plain,
};
use crate::note::LossKind;

/// The longest name of a tool that the provider takes.
const NAME_CHARS: usize = 128;

/// What a call says that was interrupted before it said anything.
const INTERRUPTED: &str = "(interrupted)";

/// How the ids of calls begin that the provider answers itself.
const BY_PROVIDER: &str = "srvtoolu_";

/// What all lines of a response say.
struct Frame {
    id: String,
    request: Option<String>,
    model: String,
    stop_reason: &'static str,
    usage: Usage,
}

impl Chain<'_> {
    /// Writes what the model said in one response, with the folder in which the shell was before it.
    pub(super) fn response(&mut self, group: &[Entry]) -> io::Result<()> {
        let Some(folder) = self.moved_to(group) else { return self.said_at_once(group) };
        let home = std::mem::replace(&mut self.envelope.cwd, folder);
        let written = self.said_at_once(group);
        self.envelope.cwd = home;
        written
    }

    /// Returns the folder in which the shell was before a response, if that is not the session's; one
    /// below that as it lies below the folder of the new session.
    fn moved_to(&self, group: &[Entry]) -> Option<String> {
        let folder = group.iter().find_map(|entry| match &entry.body {
            // Its command line goes there by itself.
            EntryBody::Exchange(exchange) if exchange.says_folder() => None,
            EntryBody::Exchange(exchange) => exchange.call.cwd.as_deref(),
            _ => None,
        })?;
        let [new, old] = &self.at_home;
        let is_away = folder != new && folder != old;
        is_away.then(|| self.target.folder(folder, old))
    }

    /// Writes what the model said in one response, a line a block, and then the results.
    fn said_at_once(&mut self, group: &[Entry]) -> io::Result<()> {
        let Some(first) = group.first() else { return Ok(()) };
        let frame = self.frame(first, group);
        let mut call_lines = Vec::new();
        let mut is_said = false;
        for entry in group {
            let given = self.by_provider(entry);
            let blocks = self.blocks(entry, given.is_some());
            if blocks.is_empty() {
                continue;
            }
            is_said = true;
            let uuid = self.ids.line(&entry.id, "assistant");
            if let EntryBody::Exchange(exchange) = &entry.body
                && given.is_none()
            {
                call_lines.push((entry, exchange, uuid.clone()));
            }
            self.said_by_model(blocks, &frame, uuid, &entry.ts)?;
            if let Some(given) = given {
                let uuid = self.ids.line(&entry.id, "result");
                self.said_by_model(vec![given_back(given)], &frame, uuid, &entry.ts)?;
            }
        }
        self.lose_usage(group, is_said);
        for (entry, exchange, call_line) in call_lines {
            self.result(exchange, entry, &call_line)?;
        }
        Ok(())
    }

    /// Returns what the model said in an entry; nothing of one that says something else.
    fn blocks<'e>(&mut self, entry: &'e Entry, by_provider: bool) -> Vec<Block<'e>> {
        match &entry.body {
            EntryBody::Answer(message) => {
                let voice = Voice { is_text: true, is_own: self.is_own };
                let blocks = block::blocks(&message.parts, voice, &entry.id, &mut self.losses);
                self.lose_if_empty(&blocks, LossKind::EmptyMessage, entry);
                blocks
            }
            EntryBody::Reasoning(reasoning) => {
                let blocks = thought(reasoning).into_iter().collect::<Vec<_>>();
                self.lose_if_empty(&blocks, LossKind::Reasoning, entry);
                blocks
            }
            EntryBody::Exchange(exchange) => vec![self.call(exchange, &entry.id, by_provider)],
            _ => Vec::new(),
        }
    }

    /// Returns what a tool of the provider gave back, which the model's own message holds: the call, the
    /// kind of block and its content; nothing of any other entry.
    fn by_provider<'e>(&self, entry: &'e Entry) -> Option<(&'e str, &'e str, &'e RawValue)> {
        let EntryBody::Exchange(exchange) = &entry.body else { return None };
        let [Part::Other { kind, json }] = exchange.result.output.as_slice() else { return None };
        let id = exchange.call.call_id.as_ref();
        let is_given = id.starts_with(BY_PROVIDER) && kind.ends_with("_tool_result");
        (is_given && self.is_own).then_some((id, kind.as_ref(), json.as_ref()))
    }

    fn lose_if_empty(&mut self, blocks: &[Block<'_>], kind: LossKind, entry: &Entry) {
        if blocks.is_empty() {
            self.losses.lose_many(kind, entry.items, &entry.id);
        }
    }

    fn frame(&mut self, first: &Entry, group: &[Entry]) -> Frame {
        let own = group.iter().find_map(message_id).filter(|_| self.is_own);
        let id = self.ids.response(&first.id, own);
        let model = group.iter().find_map(model).map(str::to_owned).or_else(|| self.model.clone());
        let known = |name: &String| self.is_own || name.starts_with("claude-");
        if model.as_ref().is_some_and(|name| !known(name)) {
            self.losses.lose(LossKind::Model, &first.id);
        }
        let model = model.filter(|name| self.is_own || name.starts_with("claude-"));
        self.model.clone_from(&model);
        let is_call = |entry: &Entry| matches!(entry.body, EntryBody::Exchange(_));
        let has_call =
            group.iter().any(|entry| is_call(entry) && self.by_provider(entry).is_none());
        let usage = group.iter().rev().find_map(cost).filter(|_| self.is_own);
        Frame {
            request: (!group.iter().any(is_made))
                .then(|| format!("req_{}", id.trim_start_matches("msg_"))),
            id,
            // The program goes on with the model that the last line names, and complains of one that
            // it does not know; without one it takes the user's own choice.
            model: model.unwrap_or_else(|| SYNTHETIC.to_owned()),
            stop_reason: if has_call || group.iter().any(is_interim) {
                "tool_use"
            } else {
                "end_turn"
            },
            usage: usage.map(told).unwrap_or_default(),
        }
    }

    fn said_by_model(
        &mut self,
        content: Vec<Block<'_>>,
        frame: &Frame,
        uuid: String,
        ts: &str,
    ) -> io::Result<()> {
        let message = ModelMessage {
            id: &frame.id,
            kind: "message",
            role: "assistant",
            model: &frame.model,
            content,
            stop_reason: frame.stop_reason,
            stop_sequence: None,
            usage: frame.usage,
        };
        self.line(Body::Assistant { message, request_id: frame.request.as_deref() }, uuid, ts)
    }

    /// Counts the costs that no line tells.
    fn lose_usage(&mut self, group: &[Entry], is_said: bool) {
        let told = group.iter().rposition(|entry| cost(entry).is_some());
        let told = told.filter(|_| is_said && self.is_own);
        for (place, entry) in group.iter().enumerate() {
            if matches!(entry.body, EntryBody::Usage(_)) && told != Some(place) {
                self.losses.lose_many(LossKind::Usage, entry.items, &entry.id);
            }
        }
    }

    fn call<'e>(&mut self, exchange: &'e Exchange, id: &str, by_provider: bool) -> Block<'e> {
        let call = &exchange.call;
        let deed = exchange.deed.as_ref().filter(|_| !self.is_own);
        let (name, input) = match deed.and_then(|deed| tool::call(&self.at_home(deed))) {
            Some((name, arguments)) => {
                self.losses.lose(LossKind::ToolMapped, id);
                self.losses.lose_many(LossKind::Arguments, exchange.asks_more.into(), id);
                (Cow::Borrowed(name), object(arguments))
            }
            None => {
                let name = legal_name(&call.name);
                if name != call.name {
                    self.losses.lose(LossKind::ToolMapped, id);
                }
                (name, input(&call.arguments))
            }
        };
        let id = &call.call_id;
        Block::Made(match by_provider {
            true => Made::ServerToolUse { id, name, input },
            false => Made::ToolUse { id, name, input },
        })
    }

    /// Leaves out of a deed the folder in which it is done anyway.
    fn at_home(&self, deed: &Deed) -> Deed {
        let mut deed = deed.clone();
        if let Deed::Shell { cwd, .. } = &mut deed {
            cwd.take_if(|cwd| cwd.is_empty() || self.at_home.contains(cwd));
        }
        deed
    }

    fn result(&mut self, exchange: &Exchange, entry: &Entry, call_line: &str) -> io::Result<()> {
        let result = &exchange.result;
        let is_error = result.status != Status::Ok;
        // The provider takes nothing but text of a failure, and the program sends no more.
        let is_text = is_error && !self.is_own;
        let voice = Voice { is_text, is_own: self.is_own };
        let id = exchange.result_id.as_ref().unwrap_or(&entry.id);
        let mut blocks = block::blocks(&result.output, voice, id, &mut self.losses);
        if is_error && blocks.is_empty() {
            blocks.push(failure(result));
        }
        let tool_result = self.is_own.then(|| own_result(&exchange.call, result)).flatten();
        let is_told = result.status != Status::Interrupted || tool_result.is_some();
        // The form knows failures, not why the call never ended.
        if !is_told && exchange.result_id.is_some() {
            self.losses.lose(LossKind::ErrorFlag, id);
        }
        let block = Made::ToolResult {
            tool_use_id: &exchange.call.call_id,
            content: block::content(blocks),
            is_error,
        };
        let content = block::Content::Blocks(vec![Block::Made(block)]);
        let body = Body::User {
            message: UserMessage { role: "user", content },
            mark: Mark::default(),
            tool_result,
            call_line: Some(call_line),
        };
        let uuid = self.ids.line(&entry.id, "result");
        // What the program noted of a code beside its own results is not written.
        let unknown = || mark::Mark::of_unknown_code(exchange).filter(|_| self.is_own);
        let beside = mark::Mark::of_result(exchange, self.is_recorded).or_else(unknown);
        self.marked(body, uuid, &exchange.result_ts, beside)
    }
}

/// Returns the words of a call that failed without any: the provider refuses a failure that says
/// nothing, on every turn.
fn failure<'a>(result: &ToolResult<'_>) -> Block<'a> {
    match (result.status, result.exit_code.filter(|code| *code != 0)) {
        (Status::Interrupted, _) => block::text(INTERRUPTED),
        (_, Some(code)) => block::text(format!("Exit code {code}")),
        (_, None) => block::text(EMPTY),
    }
}

/// Returns the block of what a tool of the provider gave back; one without a content is known whole.
fn given_back<'a>((id, kind, json): (&str, &str, &'a RawValue)) -> Block<'a> {
    #[derive(serde::Deserialize)]
    struct Whole<'a> {
        #[serde(borrow, default)]
        tool_use_id: jsonl::Lax<'a>,
    }
    let whole: Option<Whole<'_>> = jsonl::shaped(Some(json));
    if whole.is_some_and(|whole| whole.tool_use_id.filled().is_some()) {
        return Block::Native(block::one_line(json));
    }
    let block = json!({"type": kind, "tool_use_id": id, "content": json});
    let raw = serde_json::value::to_raw_value(&block);
    Block::Native(Cow::Owned(raw.expect("a value with keys of text is JSON")))
}

/// Returns the block of a thought that its provider signed.
fn thought<'a>(reasoning: &'a Reasoning<'_>) -> Option<Block<'a>> {
    #[derive(serde::Deserialize)]
    struct Signed<'a> {
        #[serde(borrow, default)]
        signature: jsonl::Lax<'a>,
        #[serde(borrow, default)]
        data: jsonl::Lax<'a>,
    }
    let native = reasoning.native.as_deref()?;
    let signed: Signed<'_> = jsonl::shaped(Some(native))?;
    let seal = signed.signature.filled().or(signed.data.filled());
    seal.map(|_| Block::Native(block::one_line(native)))
}

/// Tells whether the model had not ended its turn with it.
fn is_interim(entry: &Entry) -> bool {
    matches!(&entry.body, EntryBody::Answer(message) if message.interim)
}

/// Tells whether a program put it in place of an answer.
fn is_made(entry: &Entry) -> bool {
    matches!(&entry.body, EntryBody::Answer(message) if message.origin == Origin::Harness)
}

fn message_id(entry: &Entry) -> Option<&str> {
    match &entry.body {
        EntryBody::Answer(message) => message.message_id.as_deref(),
        EntryBody::Reasoning(reasoning) => reasoning.message_id.as_deref(),
        EntryBody::Exchange(exchange) => exchange.call.message_id.as_deref(),
        _ => None,
    }
}

fn model(entry: &Entry) -> Option<&str> {
    match &entry.body {
        EntryBody::Answer(message) => message.model.as_deref(),
        EntryBody::Usage(usage) => usage.model.as_deref(),
        _ => None,
    }
}

/// Returns what a response cost; not what the session did.
fn cost(entry: &Entry) -> Option<&Cost<'static>> {
    match &entry.body {
        EntryBody::Usage(cost) if !cost.cumulative => Some(cost),
        _ => None,
    }
}

fn told(cost: &Cost<'_>) -> Usage {
    let cached = cost.cached_tokens.unwrap_or(0);
    let written = cost.cache_write_tokens.unwrap_or(0);
    let whole = cost.input_tokens.unwrap_or(0);
    Usage {
        input_tokens: whole.saturating_sub(cached).saturating_sub(written),
        output_tokens: cost.output_tokens.unwrap_or(0),
        cache_creation_input_tokens: written,
        cache_read_input_tokens: cached,
    }
}

/// Returns a name that the provider takes.
fn legal_name<'a>(name: &'a str) -> Cow<'a, str> {
    let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.len() <= NAME_CHARS && name.chars().all(fine) {
        return Cow::Borrowed(name);
    }
    let legal = name.chars().take(NAME_CHARS).map(|c| if fine(c) { c } else { '_' });
    let legal: String = legal.collect();
    Cow::Owned(if legal.is_empty() { "unknown".to_owned() } else { legal })
}

fn object(arguments: Map<String, Value>) -> Cow<'static, RawValue> {
    let raw = serde_json::value::to_raw_value(&Value::Object(arguments));
    Cow::Owned(raw.expect("a value with keys of text is JSON"))
}

/// Returns arguments as an object: the provider refuses anything else on every turn.
fn input(arguments: &RawValue) -> Cow<'_, RawValue> {
    if arguments.get().starts_with('{') {
        return block::one_line(arguments);
    }
    let mut wrapped = Map::new();
    let value = serde_json::from_str(arguments.get()).unwrap_or_default();
    wrapped.insert("value".to_owned(), value);
    object(wrapped)
}

/// Returns what the harness keeps of a result besides what is sent, where that says more.
fn own_result(call: &ToolCall<'_>, result: &ToolResult<'_>) -> Option<Value> {
    if call.name == "Bash" && result.status == Status::Interrupted {
        let stdout = plain(&result.output);
        let own = json!({"stdout": stdout, "stderr": "", "interrupted": true, "isImage": false});
        return Some(own);
    }
    if call.name != "AskUserQuestion" || result.answers.is_empty() {
        return None;
    }
    let answers = result.answers.iter();
    let answers: Map<_, _> = answers
        .map(|answer| (answer.question.clone(), Value::from(answer.answer.as_str())))
        .collect();
    let arguments: Map<String, Value> = jsonl::shaped(Some(&call.arguments)).unwrap_or_default();
    let questions = arguments.get("questions").cloned().unwrap_or_default();
    Some(json!({"questions": questions, "answers": answers}))
}
