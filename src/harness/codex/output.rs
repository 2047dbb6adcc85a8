//! How a call ended, out of the text that the model was shown.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::item;
use super::read::Reader;
use super::row::Outcome;
use super::text::pieces;
use super::wire::Payload;
use crate::harness::Begun;
use crate::json;
use crate::jsonl;
use crate::model::{Answer, Part, Status, Text};
use crate::note::Notes;

/// How a line begins that tells by what name a command, or a script, runs on.
const RUNNING: &[&str] = &["Process running with session ID ", "Script running with cell ID "];
/// How the first line of a text begins that tells how a command ended.
const HEADS: &[&str] = &[
    "Exit code: ",
    "Wall time",
    "Chunk ID: ",
    "Command: ",
    "Process exited with code ",
    RUNNING[0],
    "Script ",
];
/// How the texts begin that tell of a call that did not work.
const FAILURES: &[&str] = &[
    "unsupported call: ",
    "unsupported custom tool call: ",
    "failed to parse function arguments",
    "apply_patch verification failed",
    "execution error",
    "exec_command failed",
    "write_stdin failed",
    "collab spawn failed",
    "Full-history forked agents inherit",
    "tool call error: ",
    "unable to locate image",
];
/// What stands in the text of a call that a human refused.
const REFUSALS: &[&str] = &["rejected by user", "rejected by the user"];
/// How those begin that call a tool which is not there.
const NO_TOOL: &[&str] = &[FAILURES[0], FAILURES[1]];
/// What stands in the text of a call that a rule of the harness did not let run.
const BY_POLICY: &str = "rejected: blocked by policy";
/// How many lines stand before the output itself, at most.
const HEAD_LINES: usize = 8;
/// How much of a text to look at for the head.
const HEAD_BYTES: usize = 600;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) status: Status,
    pub(super) exit_code: Option<i64>,
    pub(super) rejected: bool,
}

impl Ending {
    const OK: Self = Self { status: Status::Ok, exit_code: None, rejected: false };

    fn of(status: Status) -> Self {
        Self { status, ..Self::OK }
    }

    fn code(code: i64) -> Self {
        let status = if code == 0 { Status::Ok } else { Status::Error };
        Self { status, exit_code: Some(code), rejected: false }
    }

    /// Adds what an output says of itself, where it is an object.
    pub(super) fn with_own(self, output: Option<&RawValue>) -> Self {
        let is_failure = self.status == Status::Ok && output.is_some_and(says_failed);
        if is_failure { Self { status: Status::Error, ..self } } else { self }
    }

    /// Adds what an event tells of the same call.
    pub(super) fn with(self, outcome: Option<&Outcome>) -> Self {
        let Some(outcome) = outcome else { return self };
        let failed = outcome.failed && self.status == Status::Ok;
        Self {
            status: if failed { Status::Error } else { self.status },
            exit_code: self
                .exit_code
                .or(outcome.exit_code.filter(|_| self.status != Status::Interrupted)),
            rejected: self.rejected || outcome.declined,
        }
    }
}

/// Reads a status word.
pub(super) fn status_word(word: &str) -> Status {
    match word {
        "failed" | "declined" | "error" => Status::Error,
        "incomplete" | "interrupted" | "cancelled" => Status::Interrupted,
        _ => Status::Ok,
    }
}

/// Returns what the model was shown.
pub(super) fn parts<'a>(
    reader: &Reader<'_>,
    payload: &Payload<'a>,
    line: u64,
    notes: &mut Notes,
) -> Vec<Part<'a>> {
    if let Some(tools) = payload.tools.filter(|_| payload.output.is_none()) {
        return vec![Part::Other { kind: "tools".into(), json: Cow::Borrowed(tools) }];
    }
    let Some(raw) = payload.output.filter(|raw| raw.get().starts_with('{')) else {
        let pieces = pieces(payload.output);
        return pieces.iter().map(|piece| item::part(reader, piece, line, notes)).collect();
    };
    let payload: Payload<'a> = jsonl::shaped(Some(raw)).unwrap_or_default();
    let pieces = pieces(payload.content_items);
    let items = pieces.iter().map(|piece| item::part(reader, piece, line, notes));
    let items: Vec<Part<'a>> = items.collect();
    match payload.content.and_then(Text::json) {
        Some(text) if is_told_by(&text, &items, payload.content_items) => items,
        Some(text) => std::iter::once(Part::Text(text)).chain(items).collect(),
        None if items.is_empty() => {
            vec![Part::Other { kind: "output".into(), json: Cow::Borrowed(raw) }]
        }
        None => items,
    }
}

/// Tells whether an output's text is only its pieces once more: one of them, or all as JSON.
fn is_told_by(text: &Text<'_>, items: &[Part<'_>], list: Option<&RawValue>) -> bool {
    let is_it = |part: &Part<'_>| matches!(part, Part::Text(other) if other == text);
    let is_list = || {
        let said: Option<Vec<Value>> = json::from_str(text.plain().trim()).ok();
        said.is_some() && said == list.and_then(|list| json::from_str(list.get()).ok())
    };
    !items.is_empty() && (items.iter().any(is_it) || is_list())
}

/// Tells from an output how the call ended.
pub(super) fn ending(parts: &[Part<'_>]) -> Ending {
    parts.iter().find_map(Part::as_text).map_or(Ending::OK, of_text)
}

/// Tells whether an output that is an object says itself that the call failed.
fn says_failed(output: &RawValue) -> bool {
    let output = Some(output).filter(|raw| raw.get().starts_with('{'));
    let output: Option<Payload<'_>> = jsonl::shaped(output);
    output.and_then(|output| output.success).is_some_and(|raw| raw.get() == "false")
}

/// Tells from one text how a call ended.
pub(super) fn of_text(text: &Text<'_>) -> Ending {
    let start = text.start(HEAD_BYTES);
    let start = start.trim_start();
    if HEADS.iter().any(|lead| start.starts_with(lead)) {
        return of_head(start);
    }
    if start.starts_with('{') {
        return of_json(&text.plain());
    }
    if FAILURES.iter().any(|lead| start.starts_with(lead)) {
        let first = start.lines().next().unwrap_or_default();
        let rejected = REFUSALS.iter().any(|words| first.contains(words));
        return Ending { rejected, ..Ending::of(Status::Error) };
    }
    let first = start.lines().next().unwrap_or_default();
    let is_short = first.len() < 24 || first.starts_with("aborted by user") && first.len() < 48;
    if first.starts_with("aborted") && is_short {
        return Ending::of(Status::Interrupted);
    }
    if first.len() < 80 && REFUSALS.iter().any(|words| first.contains(words)) {
        return Ending { rejected: true, ..Ending::of(Status::Error) };
    }
    Ending::OK
}

/// Whether a failure that begins so says that the call was not let run by a rule, or that there is no such tool.
pub(super) fn was_not_let(start: &str) -> bool {
    let first = start.lines().next().unwrap_or_default();
    let begins = |leads: &[&str]| leads.iter().any(|lead| first.starts_with(lead));
    begins(NO_TOOL) || begins(FAILURES) && first.contains(BY_POLICY)
}

/// Says by what name a command or another agent runs on, by how its result begins.
pub(super) fn begun(result: &str) -> Option<Begun> {
    #[derive(Deserialize)]
    struct Spawned {
        task_name: Option<String>,
        agent_id: Option<String>,
    }
    let start = result.trim_start();
    if start.starts_with('{') {
        if let Some(name) = of_result(start) {
            return Some(Begun { name, is_agent: false });
        }
        let spawned: Spawned = json::from_str(start.trim_end()).ok()?;
        let name = spawned.task_name.or(spawned.agent_id).filter(|name| !name.is_empty())?;
        return Some(Begun { name, is_agent: true });
    }
    HEADS.iter().find(|lead| start.starts_with(*lead))?;
    let told =
        |line: &str| RUNNING.iter().find_map(|mark| Some(line.strip_prefix(mark)?.to_owned()));
    let name = head(start).find_map(told)?;
    let name = name.trim();
    let is_one = !name.is_empty() && !name.contains(char::is_whitespace);
    is_one.then(|| Begun { name: name.to_owned(), is_agent: false })
}

/// How long a wait for more output lasts at least where nothing ends.
const LEAST_WAIT_SECONDS: f64 = 5.0;

/// Whether a wait lasted as long as it was told to, by how the result of the script that waited begins.
pub(super) fn waited_in_full(arguments: &str, result: &str) -> bool {
    let arguments: Value = json::from_str(arguments).unwrap_or_default();
    let asked = arguments["yield_time_ms"].as_f64().unwrap_or_default() / 1000.0;
    let seconds = |line: &str| -> Option<f64> {
        let told = line.strip_prefix("Wall time")?.trim_start_matches(':').trim_start();
        told.strip_suffix(" seconds")?.parse().ok()
    };
    head(result.trim_start())
        .find_map(seconds)
        .is_some_and(|lasted| lasted >= asked.max(LEAST_WAIT_SECONDS))
}

/// Returns by what name a command runs on of which a script printed the result as it got it: before the
/// output stands how long it took, and no exit code.
fn of_result(start: &str) -> Option<String> {
    let (head, _) = start.split_once("\"output\":")?;
    let is_running = head.contains("\"wall_time_seconds\":") && !head.contains("\"exit_code\":");
    let (_, rest) = head.split_once("\"session_id\":").filter(|_| is_running)?;
    let name: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    (!name.is_empty()).then_some(name)
}

/// Returns the lines that stand before the output itself.
fn head(start: &str) -> impl Iterator<Item = &str> {
    start.lines().take(HEAD_LINES).take_while(|line| *line != "Output:")
}

/// Returns what stands behind the lines of bookkeeping.
pub(super) fn printed(output: &str) -> Option<Cow<'_, str>> {
    let mut at = 0;
    let mut rows = output.split_inclusive('\n').take(HEAD_LINES);
    rows.find(|row| {
        at += row.len();
        row.trim() == "Output:"
    })?;
    Some(Cow::Borrowed(&output[at..]))
}

fn of_head(start: &str) -> Ending {
    for line in head(start) {
        let code = line.strip_prefix("Exit code: ");
        let code = code.or(line.strip_prefix("Process exited with code "));
        if let Some(code) = code.and_then(|code| code.trim().parse().ok()) {
            return Ending::code(code);
        }
        if line.starts_with("Script failed") {
            return Ending::of(Status::Error);
        }
        if line.starts_with("aborted by user") || line.starts_with("Script terminated") {
            return Ending::of(Status::Interrupted);
        }
    }
    Ending::OK
}

/// The oldest shells and some scripts answer in JSON.
fn of_json(text: &str) -> Ending {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Metadata {
        #[serde(deserialize_with = "code")]
        exit_code: Option<i64>,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Shell {
        #[serde(deserialize_with = "code")]
        exit_code: Option<i64>,
        metadata: Option<Metadata>,
    }
    let shell: Shell = json::from_str(text.trim()).unwrap_or_default();
    let code = shell.exit_code.or(shell.metadata.and_then(|metadata| metadata.exit_code));
    code.map_or(Ending::OK, Ending::code)
}

fn code<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value.as_i64())
}

/// Returns what the human answered.
pub(super) fn answers(asked: &[(String, String)], parts: &[Part<'_>]) -> Vec<Answer> {
    let text = super::text::plain(parts);
    let value: Value = json::from_str(&text).unwrap_or_default();
    let Some(given) = value["answers"].as_object() else { return Vec::new() };
    let words = |value: &Value| match value {
        Value::Array(list) => {
            list.iter().filter_map(|word| word.as_str()).collect::<Vec<_>>().join("; ")
        }
        other => other.as_str().unwrap_or_default().to_owned(),
    };
    let answer = |(id, value): (&String, &Value)| {
        let question = asked.iter().find(|(asked, _)| asked == id);
        let inner = value.get("answers").unwrap_or(value);
        Answer {
            question: question.map_or_else(|| id.clone(), |(_, words)| words.clone()),
            answer: words(inner),
        }
    };
    given.iter().map(answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> (Status, Option<i64>) {
        let ending = of_text(&Text::from(text));
        (ending.status, ending.exit_code)
    }

    #[test]
    fn a_wait_that_was_cut_short_is_told_from_one_that_was_not() {
        let after =
            |seconds: &str| format!("Script completed\nWall time {seconds} seconds\nOutput:\n");
        let asked = |most: u32| format!("{{\"session_id\":1,\"yield_time_ms\":{most}}}");
        assert!(waited_in_full(&asked(1000), &after("5.0")));
        assert!(waited_in_full(&asked(30_000), &after("30.1")));
        assert!(!waited_in_full(&asked(1000), &after("0.4")));
        assert!(!waited_in_full(&asked(30_000), &after("5.0")));
        assert!(!waited_in_full(&asked(1000), "Output:\nWall time 9.0 seconds\n"));
    }

    #[test]
    fn every_form_tells_how_it_ended() {
        use Status::{Error, Interrupted, Ok};
        let json = r#"{"output":"x","metadata":{"exit_code":3,"duration_seconds":0.0}}"#;
        assert_eq!(told(json), (Error, Some(3)));
        assert_eq!(told(r#"{"exit_code":0,"output":"x"}"#), (Ok, Some(0)));
        assert_eq!(told("Exit code: 3\nWall time: 0 seconds\nOutput:\n"), (Error, Some(3)));
        let long = "Command: x\nChunk ID: a\nWall time: 0.0 seconds\nProcess exited with code 0\n";
        assert_eq!(told(long), (Ok, Some(0)));
        let running = "Wall time: 1.0 seconds\nProcess running with session ID 1\nOutput:\n";
        assert_eq!(told(running), (Ok, None));
        assert_eq!(begun(running).map(|begun| begun.name).as_deref(), Some("1"));
        assert_eq!(begun("Wall time: 1 s\nOutput:\nProcess running with session ID 1"), None);
        assert_eq!(told("Wall time: 0.1 seconds\naborted by user"), (Interrupted, None));
        assert_eq!(told("aborted"), (Interrupted, None));
        assert_eq!(told("aborted by user after 3.1s"), (Interrupted, None));
        assert_eq!(told("unsupported call: shell"), (Error, None));
        assert_eq!(told("Script failed\nWall time 0.0 seconds\nOutput:\n"), (Error, None));
        assert_eq!(told("Wall time: 0 seconds\nOutput:\nExit code: 3"), (Ok, None));
        assert_eq!(told("said: Exit code: 3"), (Ok, None));
        let whole = "Exit code: 0\nWall time: 1 seconds\nOutput:\nhi\nOutput:\n";
        assert_eq!(printed(whole).as_deref(), Some("hi\nOutput:\n"));
        assert_eq!(printed("Output: hi\n"), None);
        let refused = of_text(&Text::from("exec command rejected by user"));
        assert_eq!((refused.status, refused.rejected), (Error, true));
    }
}
