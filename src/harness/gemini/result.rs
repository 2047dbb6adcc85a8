//! What a tool gave back, and how it ended.

use std::borrow::Cow;
use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use super::action;
use super::content::{MASK_TAG, Piece, pieces};
use super::outcome::Outcome;
use super::parts::parts;
use super::shell;
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
        ToolKind::Shell if given.name == action::SHELL => shell::ending(&mut result),
        ToolKind::Agent => agent(&mut result),
        ToolKind::Ask if with_text(&result.output, |text| text.starts_with(DISMISSED)) => {
            (result.status, result.rejected) = (Status::Error, true);
        }
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

/// How the result of questions begins to which the human gave no answer, which counts as a success.
const DISMISSED: &str = "User dismissed ";

/// How the result of another agent begins.
const AGENT: &str = "Subagent '";
/// What stands before the reason for which an agent ended.
const REASON: &str = "Termination Reason: ";
/// How many bytes of what an agent gave back say how it ended.
const AGENT_BYTES: usize = 256;

/// Reads how another agent ended: that it did not reach its goal counts as a success for the harness.
fn agent(result: &mut ToolResult<'_>) {
    let Some(Part::Text(text)) = result.output.first().filter(|_| result.status == Status::Ok)
    else {
        return;
    };
    let start = text.start(AGENT_BYTES);
    let mut lines = start.lines();
    let first = lines.next().filter(|line| line.starts_with(AGENT)).unwrap_or_default();
    let reason = lines.next().and_then(|line| line.strip_prefix(REASON)).map(str::trim);
    let failed = first.contains("' failed. Error: ");
    result.status = match reason.filter(|_| first.ends_with("' finished.")) {
        Some("ABORTED") => Status::Interrupted,
        Some(reason) if reason != "GOAL" => Status::Error,
        _ if failed => Status::Error,
        _ => return,
    };
}

/// Returns what another agent answered, behind why it ended.
pub(super) fn answer(text: &str) -> Option<&str> {
    let (_, told) = text.split_once('\n').filter(|_| text.starts_with(AGENT))?;
    let (_, answer) = told.strip_prefix(REASON)?.split_once("\n")?;
    answer.strip_prefix("Result:\n")
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
    fn an_agent_that_did_not_reach_its_goal_failed() {
        let ended = |reason: &str| {
            format!("Subagent 'generalist' finished.\nTermination Reason: {reason}\nResult:\nx")
        };
        let failed = "Subagent 'generalist' failed. Error: no model".to_owned();
        let told = "Termination Reason: TIMEOUT is what it said".to_owned();
        for (text, status) in [
            (ended("GOAL"), Status::Ok),
            (ended("MAX_TURNS"), Status::Error),
            (ended("ABORTED"), Status::Interrupted),
            (failed, Status::Error),
            (told, Status::Ok),
        ] {
            let output = vec![Part::Text(Text::from(text.clone()))];
            let mut result = ToolResult::new("c".into(), Status::Ok, output);
            agent(&mut result);
            assert_eq!(result.status, status, "{text}");
        }
    }
}
