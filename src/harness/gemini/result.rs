//! What a tool gave back, and how it ended.

use std::borrow::Cow;
use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use super::action;
use super::content::{MASK_TAG, Piece, pieces};
use super::outcome::Outcome;
use super::parts::parts;
use super::wire::FunctionResponse;
use crate::harness::Want;
use crate::harness::mark::Mark;
use crate::json;
use crate::model::{Answer, Part, Status, Text, ToolKind, ToolResult};
use crate::note::{NoteKind, Notes};

/// What is recorded of a result.
pub(super) struct Given<'n, 'a> {
    /// The tool.
    pub(super) name: &'n str,
    pub(super) status: Option<Status>,
    /// When it came back, where that is recorded.
    pub(super) ts: Option<Cow<'a, str>>,
    pub(super) pieces: Vec<Piece<'a>>,
    /// What this program noted beside it.
    pub(super) mark: Option<Mark>,
}

/// Reads a result; `questions` are those of the call, if it asked the human.
pub(super) fn read<'a>(
    call_id: String,
    given: Given<'_, 'a>,
    questions: &[String],
    want: Want,
    line: u64,
    notes: &mut Notes,
) -> ToolResult<'a> {
    let (mut output, mut failed) = (Vec::new(), false);
    for piece in given.pieces {
        match piece {
            Piece::Response(response) => failed |= take(&response, &mut output, want, line, notes),
            // What a tool gave back is no thinking of the model's.
            Piece::Thought(raw) => output.extend(Text::json(raw).map(Part::Text)),
            Piece::Call(call) => notes.add(NoteKind::UnknownPart, call.name.text(), line),
            piece => output.append(&mut parts(vec![piece], want.blobs, line, notes)),
        }
    }
    let status = match given.status {
        None | Some(Status::Ok) if failed => Status::Error,
        status => status.unwrap_or(Status::Ok),
    };
    let mut result = ToolResult::new(call_id.into(), status, output);
    match action::kind(given.name) {
        ToolKind::Shell => exit_code(&mut result),
        ToolKind::Ask => result.answers = answers(&result.output, questions),
        ToolKind::Plan if given.name == action::PROPOSE => verdict(&mut result),
        _ => {}
    }
    let refused = |text: &str| text.contains("did not allow") || text.contains("denied execution");
    if result.status == Status::Interrupted && with_text(&result.output, refused) {
        result.rejected = true;
    }
    if let Some(mark) = given.mark {
        mark.tell(&mut result);
    }
    result
}

/// Digests what a result says, as it is stored: all copies come from one program.
pub(super) fn digest(result: &ToolResult<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(result.status as u8);
    for part in &result.output {
        hasher.write_u8(0xff);
        match part {
            Part::Text(text) => match text.stored() {
                Some(stored) => hasher.write(stored.as_bytes()),
                None => hasher.write(text.plain().as_bytes()),
            },
            Part::Other { json, .. } => hasher.write(json.get().as_bytes()),
            Part::Blob(blob) => {
                hasher.write(blob.media_type.as_bytes());
                hasher.write(blob.name().sha256.as_deref().unwrap_or_default().as_bytes());
            }
        }
    }
    hasher.finish()
}

/// Tells whether a result says something, and that was not taken out of the context.
pub(super) fn is_whole(result: &ToolResult<'_>) -> bool {
    !result.output.is_empty() && !with_text(&result.output, |text| text.contains(MASK_TAG))
}

/// Takes the output out of a response; tells whether it is an error.
fn take<'a>(
    response: &FunctionResponse<'a>,
    output: &mut Vec<Part<'a>>,
    want: Want,
    line: u64,
    notes: &mut Notes,
) -> bool {
    let mut outcome = Outcome::of(response.response);
    output.append(&mut outcome.parts);
    output.append(&mut parts(pieces(response.parts), want.blobs, line, notes));
    outcome.failed
}

fn with_text(output: &[Part<'_>], test: impl Fn(&str) -> bool) -> bool {
    output.iter().any(|part| match part {
        Part::Text(text) => test(&text.plain()),
        _ => false,
    })
}

/// How the output of a command begins that did not come to its end, which counts as a success, too.
const CUT_OFF: &[(&str, Status)] = &[
    ("Command was automatically cancelled because it exceeded the timeout", Status::Error),
    ("Command was cancelled by user before it could complete", Status::Interrupted),
];

/// Reads the exit code out of the text: the harness counts a failed command as a success.
fn exit_code(result: &mut ToolResult<'_>) {
    if result.status != Status::Ok {
        return;
    }
    let Some(Part::Text(text)) = result.output.first() else { return };
    let text = text.plain();
    let begin = text.strip_prefix("<untrusted_context>\n").unwrap_or(&text);
    if let Some((_, status)) = CUT_OFF.iter().find(|(start, _)| begin.starts_with(start)) {
        result.status = *status;
        return;
    }
    let code = code_in(&text);
    result.exit_code = code;
    if code.is_some_and(|code| code != 0) {
        result.status = Status::Error;
    }
}

/// Finds the last `Exit Code:` line; without one the command went well.
fn code_in(text: &str) -> Option<i64> {
    let line = text.lines().rev().find_map(|line| line.strip_prefix("Exit Code: "));
    match line {
        Some(code) => code.trim().parse().ok(),
        // What is left of a masked output does not tell, nor what still ran.
        None if text.contains(MASK_TAG) || text.contains("moved to background") => None,
        None => Some(0),
    }
}

/// Reads what the human chose: `{"answers":{"0":"..."}}`, by the number of the question.
fn answers(output: &[Part<'_>], questions: &[String]) -> Vec<Answer> {
    #[derive(serde::Deserialize)]
    struct Answers {
        answers: serde_json::Map<String, serde_json::Value>,
    }
    let Some(Part::Text(text)) = output.first() else { return Vec::new() };
    let read = json::from_str::<Answers>(&text.plain());
    let answers = read.map(|read| read.answers).unwrap_or_default();
    let answer = |(number, answer): (String, serde_json::Value)| {
        let question = number.parse::<usize>().ok().and_then(|number| questions.get(number));
        let answer = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
        Answer { question: question.cloned().unwrap_or(number), answer }
    };
    answers.into_iter().map(answer).collect()
}

/// A plan that was turned down counts as a success for the harness.
fn verdict(result: &mut ToolResult<'_>) {
    const FEEDBACK: &str = "Plan rejected. User feedback: ";
    let Some(Part::Text(text)) = result.output.first() else { return };
    let text = text.plain();
    let rejected = text.starts_with("Plan rejected") || text.starts_with("User cancelled the plan");
    let said = text.strip_prefix(FEEDBACK).map(|rest| match rest.split_once("\n\nThe plan is") {
        Some((feedback, _)) => feedback.to_owned(),
        None => rest.to_owned(),
    });
    if rejected {
        (result.status, result.rejected) = (Status::Error, true);
        result.user_said = said.map(Text::from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_was_cut_off_did_not_end_well() {
        let late = "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.";
        let late = format!("{late} Below is the output before it was cancelled:\na ... ok");
        let by_user = "Command was cancelled by user before it could complete.";
        for (text, status) in [
            (late.clone(), Status::Error),
            (format!("<untrusted_context>\n{late}\n</untrusted_context>"), Status::Error),
            (by_user.to_owned(), Status::Interrupted),
            (format!("Output: {late}"), Status::Ok),
        ] {
            let output = vec![Part::Text(Text::from(text.clone()))];
            let mut result = ToolResult::new("c".into(), Status::Ok, output);
            exit_code(&mut result);
            let code = (status == Status::Ok).then_some(0);
            assert_eq!((result.status, result.exit_code), (status, code), "{text}");
        }
    }

    #[test]
    fn the_exit_code_is_the_last_one_in_the_text() {
        let cases = [
            ("Output: Exit Code: 7\nExit Code: 3\nProcess Group PGID: 1", Some(3)),
            ("Output: fine\nProcess Group PGID: 1", Some(0)),
            ("Exit Code: (none)\nSignal: 9", None),
            ("<tool_output_masked>", None),
        ];
        for (text, want) in cases {
            assert_eq!(code_in(text), want, "{text}");
        }
    }
}
