//! The one way of a session's words onto the terminal: everything here is recovered text.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::value::RawValue;

use super::{Cli, guarded};
use crate::error::Result;
use crate::guard::Redactor;
use crate::model::{Action, Body, Change, Part, Session, Text};
use crate::{emit, render};

// What may be shown.
#[derive(Debug, clap::Args)]
pub(super) struct ShownArgs {
    /// Leave keys, tokens and passwords in
    #[arg(long)]
    no_redact: bool,
}

/// Takes secrets out of what is shown.
pub(super) struct Shown(Option<Redactor>);

impl Shown {
    pub(super) fn new(args: &ShownArgs) -> Self {
        Self((!args.no_redact).then(Redactor::default))
    }

    /// Tells whether it takes any out.
    pub(super) fn redacts(&self) -> bool {
        self.0.is_some()
    }

    /// Takes the secrets out of a session, before anything of it is cut.
    pub(super) fn redact(&mut self, session: &mut Session) {
        let Some(redactor) = &mut self.0 else { return };
        for item in &mut session.items {
            redact_body(&mut item.body, redactor);
        }
    }

    /// Returns where the secrets of a text stand that is shown in part, each with the tag that stands for
    /// it.
    pub(super) fn secrets(&mut self, text: &str) -> Vec<(Range<usize>, String)> {
        self.0.as_mut().map(|redactor| redactor.places(text)).unwrap_or_default()
    }

    /// Prints `text`, whose words went through [`safe`] or [`printable`], with a line end after it.
    pub(super) fn print(mut self, text: &str, cli: &Cli) -> Result<()> {
        let text = match &mut self.0 {
            Some(redactor) => redactor.text(text),
            None => Cow::Borrowed(text),
        };
        emit::print(format!("{}\n", text.trim_end_matches('\n')).as_bytes())?;
        let here = self.0.as_ref().map(|redactor| redactor.counts_in(&text)).unwrap_or_default();
        if let Some(line) = guarded::redacted(&here) {
            cli.say(&format!("{line}; `--no-redact` leaves them in"));
        }
        Ok(())
    }
}

fn redact_body(body: &mut Body<'static>, redactor: &mut Redactor) {
    match body {
        Body::Message(message) => {
            message.parts.iter_mut().for_each(|part| redact_part(part, redactor));
            message.said.iter_mut().for_each(|said| redact_text(said, redactor));
        }
        Body::Reasoning(reasoning) => redact_text(&mut reasoning.text, redactor),
        Body::ToolCall(call) => {
            redact_json(&mut call.arguments, redactor);
            call.action
                .as_deref_mut()
                .into_iter()
                .for_each(|action| redact_action(action, redactor));
        }
        Body::ToolResult(result) => {
            result.output.iter_mut().for_each(|part| redact_part(part, redactor));
            result.user_said.iter_mut().for_each(|said| redact_text(said, redactor));
            result.persisted.iter_mut().for_each(|whole| redactor.string(&mut whole.text));
            result.answers.iter_mut().for_each(|answer| redactor.string(&mut answer.answer));
        }
        Body::Plan(plan) => {
            plan.explanation.iter_mut().for_each(|why| redact_text(why, redactor));
            plan.items.iter_mut().for_each(|item| redactor.string(&mut item.text));
        }
        Body::Compaction(compaction) => {
            compaction.summary.iter_mut().for_each(|summary| redact_text(summary, redactor));
        }
        Body::Notice { text, .. } => {
            text.iter_mut().for_each(|text| redact_text(text, redactor));
        }
        Body::SideSession(side) => {
            side.title.iter_mut().for_each(|title| redact_text(title, redactor));
        }
        Body::Usage(_) => {}
    }
}

fn redact_part(part: &mut Part<'static>, redactor: &mut Redactor) {
    match part {
        Part::Text(text) => redact_text(text, redactor),
        Part::Other { json, .. } => redact_json(json, redactor),
        Part::Blob(_) => {}
    }
}

fn redact_text(text: &mut Text<'static>, redactor: &mut Redactor) {
    let mut plain = text.plain().into_owned();
    redactor.string(&mut plain);
    *text = Text::from(plain);
}

fn redact_json(json: &mut Cow<'static, RawValue>, redactor: &mut Redactor) {
    let redacted = match redactor.text(json.get()) {
        Cow::Owned(redacted) => RawValue::from_string(redacted).ok(),
        Cow::Borrowed(_) => return,
    };
    // What is no JSON any more is not shown at all.
    *json = Cow::Owned(redacted.unwrap_or_default());
}

fn redact_action(action: &mut Action, redactor: &mut Redactor) {
    let mut string = |text: &mut String| redactor.string(text);
    match action {
        Action::Shell { command: text, .. }
        | Action::Type { keys: text, .. }
        | Action::Search { pattern: text, .. }
        | Action::Fetch { target: text }
        | Action::Propose { plan: text, .. }
        | Action::Agent { task: text } => string(text),
        Action::Edit { changes } => changes.iter_mut().for_each(|change| {
            let Change { removed, added, .. } = change;
            [removed, added].into_iter().for_each(&mut string);
        }),
        Action::Ask { questions } => {
            questions.iter_mut().for_each(|question| string(&mut question.text));
        }
        Action::Read { .. } | Action::Plan | Action::Wait { .. } | Action::Stop { .. } => {}
    }
}

/// Makes words of a session harmless: no control characters, nothing that looks like a tag of a
/// program or like a tag of ours.
pub(super) fn safe(words: &str) -> String {
    render::defused(words)
}

/// Makes lines of a file harmless to the terminal and leaves all else: somebody may want to change
/// just these lines.
pub(super) fn printable(lines: &str) -> String {
    emit::printable(lines)
}
