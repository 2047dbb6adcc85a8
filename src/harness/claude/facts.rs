//! What the header is made of.

use serde_json::value::RawValue;

use super::key::{self, key};
use super::nodes::NodeKind;
use super::said;
use super::scan::{SYNTHETIC, is_typed, origin_of, text_of};
use super::wire::{ForkedFrom, Line, Message};
use crate::harness::mark::Mark;
use crate::jsonl::{self, Input};
use crate::model::{Git, Header, Origin, SourceFile};

/// What goes into the header.
#[derive(Default)]
pub(super) struct Facts {
    session_id: Option<String>,
    cwd: Option<String>,
    version: Option<String>,
    branch: Option<String>,
    first_time: Option<String>,
    last_time: Option<String>,
    pub(super) custom_title: Option<String>,
    pub(super) ai_title: Option<String>,
    request: Option<String>,
    model: Option<String>,
    parent: Option<String>,
    /// The session of which this program made it.
    source: Option<String>,
    main_lines: u64,
    side_lines: u64,
    is_automatic: bool,
    has_request: bool,
    has_answer: bool,
}

impl Facts {
    /// Whether nothing but a side session stands in the file.
    pub(super) fn is_side(&self) -> bool {
        self.main_lines == 0 && self.side_lines > 0
    }

    /// Takes what any line tells.
    pub(super) fn envelope(&mut self, line: &Line<'_>) {
        keep_first(&mut self.cwd, line.cwd.filled());
        keep_last(&mut self.session_id, line.session_id.filled());
        keep_last(&mut self.version, line.version.filled());
        keep_last(&mut self.branch, line.git_branch.filled().filter(|name| *name != "HEAD"));
        if let Some(by) = line.entrypoint.filled() {
            self.is_automatic = is_automatic(by);
        }
        let time = key::when(&line.timestamp);
        let time = time.as_deref();
        if self.first_time.as_deref().is_none_or(|first| time.is_some_and(|time| time < first)) {
            keep_last(&mut self.first_time, time);
        }
        if self.last_time.as_deref().is_none_or(|last| time.is_some_and(|time| time > last)) {
            keep_last(&mut self.last_time, time);
        }
        let forked: Option<ForkedFrom<'_>> = jsonl::shaped(line.forked_from);
        keep_first(&mut self.parent, forked.as_ref().and_then(|from| from.session_id.filled()));
        if let Some(mark) = Mark::read(line.converted_from) {
            keep_first(&mut self.source, mark.session.as_deref());
        }
    }

    /// Takes what a line of the conversation tells.
    pub(super) fn talk(&mut self, line: &Line<'_>, message: &Message<'_>, kind: NodeKind) {
        if line.is_side {
            self.side_lines += 1;
        } else {
            self.main_lines += 1;
        }
        match kind {
            NodeKind::Assistant => {
                self.has_answer = true;
                let model = message.model.filled().filter(|name| *name != SYNTHETIC);
                keep_last(&mut self.model, model);
            }
            NodeKind::User if self.request.is_none() || !self.has_request => {
                self.request = request(line, message.content);
                self.has_request |= self.request.is_some();
            }
            _ => {}
        }
    }

    /// Makes the header; `summary` is a title for where there is no better one.
    pub(super) fn header(self, input: &Input, summary: Option<String>) -> Header {
        // Between the ends of a file may stand what is not of a side session.
        let is_told = !self.is_side() || input.is_whole();
        let is_side = self.is_side() && is_told;
        let title = self.custom_title.or(self.ai_title);
        let title = title.or(summary);
        let stem = input.path().and_then(|path| path.file_stem()).map(str::to_owned);
        let id = stem.filter(|stem| key(stem).1 || stem.starts_with("agent-"));

        Header {
            id: id.or_else(|| self.session_id.clone()).unwrap_or_default(),
            harness: super::NAME.into(),
            harness_version: self.version,
            project: self.cwd.clone(),
            cwd: self.cwd,
            git: Git { branch: self.branch, ..Git::default() },
            started_at: self.first_time,
            ended_at: self.last_time,
            title: title.or(self.request).and_then(|text| super::super::title_of(&text)),
            model: self.model,
            parent: if is_side { self.session_id } else { self.parent },
            converted_from: self.source,
            source: SourceFile { path: input.shown().into(), bytes: input.bytes },
            is_side,
            is_automatic: self.is_automatic,
            has_request: self.has_request && is_told && !is_side,
            has_answer: self.has_answer && is_told,
        }
    }
}

/// Whether the program was started by another one: in a script, through its library, or on a server.
fn is_automatic(entrypoint: &str) -> bool {
    entrypoint.starts_with("sdk-") || matches!(entrypoint, "mcp" | "claude-code-github-action")
}

/// Returns the human's words in a user line.
fn request(line: &Line<'_>, content: Option<&RawValue>) -> Option<String> {
    if origin_of(line) != Some(Origin::Human) && origin_of(line).is_some() {
        return None;
    }
    let mark = Mark::read(line.converted_from);
    let is_marked = mark.as_ref().is_some_and(|mark| mark.origin.is_some());
    if let Some(said) = mark.and_then(|mark| mark.said) {
        return Some(said).filter(|said| !said.trim().is_empty());
    }
    let words = jsonl::elements(content).into_iter().filter_map(|raw| {
        let text = text_of(raw)?;
        let is_human = is_marked || said::whose(&text, is_typed(line)) == Origin::Human;
        is_human.then(|| said::said(&text).unwrap_or(text))
    });
    let words = words.collect::<Vec<_>>().join("\n");
    (!words.trim().is_empty()).then_some(words)
}

/// Returns a text in which something stands.
pub(super) fn filled(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

fn keep_first(slot: &mut Option<String>, value: Option<&str>) {
    if slot.is_none() {
        *slot = value.map(str::to_owned);
    }
}

fn keep_last(slot: &mut Option<String>, value: Option<&str>) {
    if let Some(value) = value.filter(|value| slot.as_deref() != Some(*value)) {
        *slot = Some(value.to_owned());
    }
}
