//! How a tool ended, out of its text and out of the harness's own form of the result.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use super::tasks;
use super::wire::{Block, ToolUseResult};
use crate::jsonl;
use crate::model::{Answer, Part, Status, Text, ToolKind, ToolResult};

/// What the harness says when a human refuses a tool.
const REFUSED: &[&str] = &[
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "[Request interrupted by user for tool use]",
    "User rejected tool use",
    "Error: User rejected tool use",
];

/// Before what the human said on refusing.
const SAID: &[&str] =
    &["the user said:\n", "The user provided the following reason for the rejection:"];

/// How the harness begins that did not let a call run by its rules, or has no such tool, and what else it says.
const NOT_LET: &[(&str, &str)] = &[
    ("permission for this action was denied", ""),
    ("permission to use ", "denied"),
    ("pretooluse:", " hook error"),
    ("<tool_use_error>blocked: ", ""),
    ("<tool_use_error>", "cancelled: "),
    ("<tool_use_error>error: no such tool available", ""),
];

/// Whether a result that begins so says that.
pub(super) fn was_not_let(start: &str) -> bool {
    let first = start.lines().find(|row| !row.trim().is_empty()).unwrap_or_default();
    let low = first.to_lowercase();
    NOT_LET.iter().any(|(start, rest)| low.starts_with(start) && low.contains(rest))
}

/// Reads a tool result; `kind` is what its tool is for, where the call is known.
pub(super) fn result<'a>(
    block: &Block<'a>,
    own: Option<&'a RawValue>,
    more: &ToolUseResult<'_>,
    kind: Option<ToolKind>,
    parts: Vec<Part<'a>>,
) -> ToolResult<'a> {
    let start = first_text(&parts).map(|text| text.start(400).into_owned()).unwrap_or_default();
    let own_text = own.filter(|_| block.is_error).and_then(jsonl::string).unwrap_or_default();
    let refused = |text: &str| REFUSED.iter().any(|words| text.starts_with(words));
    let rejected = (block.is_error || kind == Some(ToolKind::Ask)) && refused(&start)
        || block.is_error && refused(&own_text);
    let status = match (block.is_error, more.interrupted) {
        (_, true) => Status::Interrupted,
        (true, false) => Status::Error,
        (false, false) => Status::Ok,
    };
    let mut result =
        ToolResult::new(block.tool_use_id.clone().take().unwrap_or_default(), status, parts);
    result.rejected = rejected;
    if rejected {
        result.user_said = first_text(&result.output).and_then(|text| said(&text.plain()));
    }
    let is_command = kind == Some(ToolKind::Shell) && more.background.filled().is_none();
    // The code that has this meaning is not told.
    let is_zero = is_command && !rejected && more.meaning.filled().is_none();
    result.exit_code = exit_code(&start, status, is_zero);
    result.answers = answers(more.answers, more.annotations);
    result
}

/// Reads the harness's own form of a result, where it says more than the text: for other tools it
/// only repeats the output, or the whole file that was read.
pub(super) fn own_form(own: Option<&RawValue>, kind: Option<ToolKind>) -> ToolUseResult<'_> {
    let tells = matches!(kind, None | Some(ToolKind::Shell | ToolKind::Ask | ToolKind::Agent));
    jsonl::shaped(own.filter(|_| tells)).unwrap_or_default()
}

fn first_text<'p, 'a>(parts: &'p [Part<'a>]) -> Option<&'p Text<'a>> {
    parts.iter().find_map(Part::as_text)
}

/// Before the exit code of a command that failed.
const EXIT_CODE: &str = "Exit code ";

/// Returns the exit code: in the first line of a failure, 0 where a command may have ended so.
fn exit_code(start: &str, status: Status, is_zero: bool) -> Option<i64> {
    let first = start.strip_prefix("Error: ").unwrap_or(start);
    let told = first.strip_prefix(EXIT_CODE).and_then(|rest| {
        rest.split(|c: char| !c.is_ascii_digit() && c != '-').next()?.parse().ok()
    });
    let running = tasks::begun(start).is_some() || tasks::runs_on(start);
    told.or((is_zero && status == Status::Ok && !running).then_some(0))
}

/// Takes off an output the first line, where that tells the exit code alone; and of one in which nothing came out, that
/// it is so.
pub(super) fn printed(output: &str) -> Option<Cow<'_, str>> {
    let told = output.trim();
    let is_alone = told.len() < 60 && told.starts_with('(') && told.ends_with("no output)");
    if is_alone && !told.contains('\n') {
        return Some(Cow::Borrowed(""));
    }
    let (first, rest) = output.split_once('\n').unwrap_or((output, ""));
    let code = first.strip_prefix("Error: ").unwrap_or(first).strip_prefix(EXIT_CODE)?.trim_end();
    let is_code = code.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    (!code.is_empty() && is_code).then_some(Cow::Borrowed(rest))
}

fn said(text: &str) -> Option<Text<'static>> {
    let words =
        SAID.iter().find_map(|mark| text.split_once(mark)).map(|(_, words)| words.trim())?;
    let words = words.split("\n\nNote: The user's next message").next()?.trim();
    (!words.is_empty()).then(|| Text::from(words.to_owned()))
}

/// How it stands where somebody chose nothing and wrote a note.
const NOTES_ONLY: &str = "(notes only)";

/// Reads what was answered to each question, with the notes that were written beside it.
fn answers(raw: Option<&RawValue>, notes: Option<&RawValue>) -> Vec<Answer> {
    let answers: Option<serde_json::Map<String, Value>> = jsonl::shaped(raw);
    let beside: serde_json::Map<String, Value> = jsonl::shaped(notes).unwrap_or_default();
    let noted = |question: &str| beside.get(question)?["notes"].as_str().map(str::trim);
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let answer = |(question, value): (String, Value)| {
        let chosen = text(value);
        let answer = match noted(&question).filter(|noted| !noted.is_empty()) {
            Some(noted) if chosen == NOTES_ONLY => noted.to_owned(),
            Some(noted) => format!("{chosen}; noted: {noted}"),
            None => chosen,
        };
        Answer { question, answer }
    };
    answers.into_iter().flatten().map(answer).collect()
}

/// Returns the name of the file that holds the whole output, if the text only shows a part.
pub(super) fn persisted_name(parts: &[Part<'_>], more: &ToolUseResult<'_>) -> Option<String> {
    let path = match more.persisted.get() {
        Some(path) => Cow::Borrowed(path),
        None => {
            const MARK: &str = "<persisted-output>";
            let text = first_text(parts).filter(|text| text.start(MARK.len()).starts_with(MARK))?;
            let start = text.start(1200).into_owned();
            let rest = start.strip_prefix(MARK)?;
            let (_, path) = rest.split_once("saved to: ")?;
            Cow::Owned(path.lines().next()?.trim().to_owned())
        }
    };
    let name = path.rsplit(['/', '\\']).next()?;
    (!name.is_empty() && name != "..").then(|| name.to_owned())
}

/// Returns the size of a whole output and as much of it as stands beside the part that the model
/// saw, where that is more: the file that holds the whole is often not handed on.
pub(super) fn kept(parts: &[Part<'_>], more: &ToolUseResult<'_>) -> Option<(u64, String)> {
    let [stdout, stderr] =
        [more.stdout, more.stderr].map(|raw| raw.and_then(jsonl::string).unwrap_or_default());
    let kept = if stderr.trim().is_empty() {
        stdout.into_owned()
    } else {
        format!("{}\n{stderr}", stdout.trim_end_matches('\n'))
    };
    let seen = first_text(parts).map_or(0, |seen| seen.plain().len());
    let bytes = more.persisted_bytes.unwrap_or_default().max(kept.len() as u64);
    (kept.len() > seen).then_some((bytes, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_an_output_is_taken_off() {
        let told = |output| printed(output).map(Cow::into_owned);
        assert_eq!(told("Exit code 1\nno such remote\n").as_deref(), Some("no such remote\n"));
        assert_eq!(told("Error: Exit code 128").as_deref(), Some(""));
        assert_eq!(told("Exit code 2 is for usage\n"), None);
        assert_eq!(told("(Shell completed with no output)").as_deref(), Some(""));
        assert_eq!(told("(a)\nwith no output)"), None);
    }

    #[test]
    fn what_was_noted_beside_an_answer_is_part_of_it() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let told = raw(r#"{"which?":"(notes only)","how?":"by hand","when?":"now"}"#);
        let notes =
            raw(r#"{"which?":{"notes":"the first"},"how?":{"notes":"but soon"},"when?":{}}"#);
        let found: Vec<_> =
            answers(Some(&told), Some(&notes)).into_iter().map(|one| one.answer).collect();
        assert_eq!(found, ["the first", "by hand; noted: but soon", "now"]);
        assert_eq!(answers(Some(&told), None)[0].answer, "(notes only)");
    }
}
