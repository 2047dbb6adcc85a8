//! The first pass over events: what the screen was told, which mostly repeats an item.

use rustc_hash::FxHashSet;
use serde_json::value::RawValue;

use super::digest::{digest, id_digest};
use super::row::{Kind, LISTED, Outcome, Row};
use super::scan::{Scanner, all_text, size, title_of};
use super::text::pieces;
use super::wire::{Done, Info, Payload, Tokens};
use super::{beside, known};
use crate::harness::mark::Mark;
use crate::jsonl::{self, Lax};
use crate::model::Text;

/// What a turn has told so far and may tell once more.
#[derive(Default)]
pub(super) struct Told {
    failures: FxHashSet<u64>,
    /// The failure that the end of the turn told.
    at_end: Option<u64>,
    /// The last review: whether it was over, and whether an item told it.
    review: Option<(bool, bool)>,
}

impl Scanner {
    pub(super) fn event(&mut self, payload: &Payload<'_>) -> Row {
        match payload.kind.text() {
            "user_message" => self.user_event(payload),
            "agent_message" => said(Kind::AnswerEvent, payload.message),
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                said(Kind::ReasoningEvent, payload.text.or(payload.message))
            }
            "token_count" => self.count(payload),
            "task_started" | "turn_started" => {
                self.told = Told::default();
                Row::of(Kind::Task)
            }
            "turn_aborted" => Row::of(Kind::Aborted),
            "error" => self.failure(payload, false),
            "task_complete" | "turn_complete" => self.failure(payload, true),
            "warning" => said(Kind::Warning, payload.message),
            "entered_review_mode" => self.reviewed(payload, false),
            "exited_review_mode" => self.reviewed(payload, true),
            "thread_rolled_back" => self.rollback(payload),
            "thread_goal_updated" => Row::of(goal_kind(payload)),
            "thread_name_updated" => self.named(payload),
            "item_completed" => self.done(payload),
            "exec_command_end" | "patch_apply_end" => self.ended(payload),
            "sub_agent_activity" => Row::of(match payload.sort.text() {
                "started" => Kind::Spawn,
                _ => Kind::Skip,
            }),
            kind if known::is_event(kind) => Row::of(Kind::Skip),
            _ => Row::of(Kind::Unknown),
        }
    }

    /// What failed; the end of a turn says so once more, or alone.
    fn failure(&mut self, payload: &Payload<'_>, is_end: bool) -> Row {
        let failed = beside::failed(payload);
        let Some((words, has_words)) = failed.map(|(text, known)| (digest(&text.plain()), known))
        else {
            return Row::of(if is_end { Kind::Skip } else { Kind::Failure });
        };
        let is_told = match is_end {
            true if has_words => self.told.failures.contains(&words),
            true => !self.told.failures.is_empty(),
            false => self.told.at_end == Some(words),
        };
        if is_told {
            return Row::of(Kind::Skip);
        }
        self.told.failures.insert(words);
        self.told.at_end = self.told.at_end.or(is_end.then_some(words));
        Row::of(Kind::Failure)
    }

    /// A review that begins or is over; an event and an item say the same.
    fn reviewed(&mut self, payload: &Payload<'_>, is_over: bool) -> Row {
        let is_item = payload.item.is_some();
        if beside::reviewed(payload).is_none() {
            return Row::of(Kind::Review);
        }
        if self.told.review.take() == Some((is_over, !is_item)) {
            return Row::of(Kind::Skip);
        }
        self.told.review = Some((is_over, is_item));
        Row::of(Kind::Review)
    }

    fn user_event(&mut self, payload: &Payload<'_>) -> Row {
        let is_anothers = || Mark::read(payload.mark).is_some_and(|mark| mark.is_anothers());
        if !matches!(payload.sort.text(), "" | "plain") || is_anothers() {
            return Row::of(Kind::Skip);
        }
        let mut row = said(Kind::UserEvent, payload.message);
        let mut images = [payload.images, payload.local_images].into_iter();
        if row.kind == Kind::Skip && images.any(|list| !jsonl::elements(list).is_empty()) {
            row = Row::with(Kind::UserEvent, digest(""));
        }
        if row.kind == Kind::UserEvent {
            let text = payload.message.and_then(jsonl::string).unwrap_or_default();
            self.title(title_of(&text));
        }
        row
    }

    fn named(&mut self, payload: &Payload<'_>) -> Row {
        if let Some(name) = payload.thread_name.filled().filter(|_| self.own) {
            self.name = Some(name.to_owned());
        }
        Row::of(Kind::Header)
    }

    fn rollback(&mut self, payload: &Payload<'_>) -> Row {
        self.mark();
        let turns = u32::try_from(payload.num_turns.unwrap_or(0)).unwrap_or(u32::MAX);
        Row { size: turns, ..Row::of(Kind::Rollback) }
    }

    /// Remembers the id of the record at hand, because it drops others.
    pub(super) fn mark(&mut self) {
        let (at, id) = (self.at(), self.place.id(&self.prefix));
        self.scan.marks.insert(at, id);
    }

    /// The same counts come again with each change of limits; only new ones cost something.
    fn count(&mut self, payload: &Payload<'_>) -> Row {
        let Some(info) = jsonl::shaped::<Info<'_>>(payload.info) else {
            return Row::of(Kind::Skip);
        };
        let total: Option<Tokens> = jsonl::shaped(info.total_token_usage);
        let used: Option<Tokens> = jsonl::shaped(info.last_token_usage);
        let is_new =
            if total.is_some() { total != self.last_total } else { used != self.last_used };
        // An estimate of how long the session is; no response cost it.
        let is_estimate = [total, used].iter().flatten().all(Tokens::is_nothing);
        if used != self.last_used || is_new {
            let after = used.and_then(|used| used.total_tokens);
            for waiting in self.waiting.drain(..) {
                if let Some(found) = self.scan.compactions.get_mut(&waiting) {
                    found.after = after;
                }
            }
        }
        (self.last_total, self.last_used) = (total, used.or(self.last_used));
        let is_usage = is_new && used.is_some() && !is_estimate;
        Row::of(if is_usage { Kind::Usage } else { Kind::Skip })
    }

    fn done(&mut self, payload: &Payload<'_>) -> Row {
        let done: Done<'_> = jsonl::shaped(payload.item).unwrap_or_default();
        match done.kind.text() {
            "UserMessage" => self.user_done(&done),
            "AgentMessage" => listed(Kind::AnswerEvent, done.content),
            "Reasoning" => {
                let first = jsonl::elements(done.summary_text.filter(|raw| raw.get() != "[]"));
                let first = first.first().copied();
                said(
                    Kind::ReasoningEvent,
                    first.or(jsonl::elements(done.raw_content).first().copied()),
                )
            }
            "Plan" => Row::of(if done.text.is_some() { Kind::PlanText } else { Kind::Skip }),
            "CommandExecution" | "FileChange" => self.command_done(&done),
            "EnteredReviewMode" => self.reviewed(payload, false),
            "ExitedReviewMode" => self.reviewed(payload, true),
            kind if known::is_done(kind) => Row::of(Kind::Skip),
            _ => Row::of(Kind::Unknown),
        }
    }

    fn user_done(&mut self, done: &Done<'_>) -> Row {
        let row = listed(Kind::UserEvent, done.content);
        let first = pieces(done.content).into_iter().find_map(|(_, piece)| piece.text);
        let text = first.and_then(jsonl::string).unwrap_or_default();
        self.title(title_of(&text));
        row
    }

    fn command_done(&mut self, done: &Done<'_>) -> Row {
        let id = id_digest(done.id.text());
        let outcome = outcome(&done.exit_code, done.status.text(), None);
        if self.calls.contains(&id) {
            self.scan.outcomes.insert(id, outcome);
            return Row::of(Kind::Skip);
        }
        let Some(script) = self.last_script else { return Row::of(Kind::Skip) };
        if let Some(row) = self.scan.rows.get_mut(script as usize) {
            row.flags |= LISTED;
        }
        Row::with(Kind::Child, id)
    }

    fn ended(&mut self, payload: &Payload<'_>) -> Row {
        let outcome = outcome(&payload.exit_code, payload.status.text(), payload.success);
        self.scan.outcomes.insert(id_digest(payload.call_id.text()), outcome);
        Row::of(Kind::Skip)
    }
}

fn goal_kind(payload: &Payload<'_>) -> Kind {
    if payload.goal.is_some() { Kind::Goal } else { Kind::Skip }
}

/// An event that repeats one text.
fn said(kind: Kind, text: Option<&RawValue>) -> Row {
    let Some(text) = text.and_then(Text::json).filter(|text| !text.is_blank()) else {
        return Row::of(Kind::Skip);
    };
    let plain = text.plain();
    if plain == known::COMPACTED_NOTICE {
        return Row::of(Kind::Skip);
    }
    Row { size: size(plain.len()), ..Row::with(kind, digest(&plain)) }
}

/// An event that repeats a message of several pieces.
fn listed(kind: Kind, content: Option<&RawValue>) -> Row {
    let text = all_text(content);
    Row { size: size(text.bytes), ..Row::with(kind, text.finish()) }
}

fn outcome(exit_code: &Lax<'_>, status: &str, success: Option<&RawValue>) -> Outcome {
    let exit_code = exit_code.get().and_then(|code| code.parse().ok());
    let failed = matches!(status, "failed" | "declined")
        || success.is_some_and(|raw| raw.get() == "false")
        || exit_code.is_some_and(|code: i64| code != 0);
    Outcome { exit_code, failed, declined: status == "declined" }
}
