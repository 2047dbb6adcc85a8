//! What is known of a session besides its items.

use jiff::Timestamp;
use serde_json::value::RawValue;

use super::chain;
use super::row::{HUMAN, Kind};
use super::scan::Scanner;
use super::wire::{GitMeta, Meta};
use crate::harness::time::{is_time, is_usual};
use crate::jsonl::{self, Input, Lax};
use crate::model::{Git, Header, SourceFile};

/// Takes what a `session_meta` of the session's own file says; only the first tells who it is.
pub(super) fn meta(scanner: &mut Scanner, meta: &Meta<'_>) {
    let header = &mut scanner.scan.header;
    if let Some(version) = meta.cli_version.filled() {
        header.harness_version = Some(version.to_owned());
    }
    if scanner.has_own_meta {
        return;
    }
    scanner.has_own_meta = true;
    header.id = meta.id.filled().or(meta.session_id.filled()).unwrap_or_default().to_owned();
    if let Some(cwd) = meta.cwd.filled() {
        header.cwd = Some(cwd.to_owned());
    }
    header.git = git(meta.git);
    header.converted_from = meta.converted_from.filled().map(str::to_owned);
    header.parent = meta.forked_from_id.filled().map(str::to_owned);
    if header.parent.is_none() {
        header.parent = meta.parent_thread_id.filled().map(str::to_owned);
    }
    let source = source(meta.source);
    header.is_side = source.is_side;
    header.is_automatic = source.is_automatic;
    if header.parent.is_none() {
        header.parent = source.parent;
    }
    scanner.scan.is_spawned = source.is_spawned;
    scanner.scan.agent_role = source.agent_role;
    scanner.scan.inherited_before = meta.subagent_history_start_ordinal.unwrap_or(0);
    time(&mut scanner.scan.header, meta.timestamp.get());
}

fn git(raw: Option<&RawValue>) -> Git {
    let git: GitMeta<'_> = jsonl::shaped(raw).unwrap_or_default();
    let own = |text: Lax<'_>| text.filled().map(str::to_owned);
    Git { branch: own(git.branch), commit: own(git.commit_hash), remote: own(git.repository_url) }
}

/// Who began a session, other than a human.
#[derive(Default)]
struct Source {
    is_side: bool,
    is_automatic: bool,
    is_spawned: bool,
    agent_role: Option<String>,
    parent: Option<String>,
}

fn source(raw: Option<&RawValue>) -> Source {
    let value: serde_json::Value = jsonl::shaped(raw).unwrap_or_default();
    let spawn = &value["subagent"]["thread_spawn"];
    let text = |key: &str| spawn[key].as_str().map(str::to_owned);
    Source {
        is_side: value.get("subagent").is_some() || value.get("internal").is_some(),
        // These are what the program itself leaves out of the list of those to resume.
        is_automatic: matches!(value.as_str(), Some("exec" | "mcp")),
        is_spawned: spawn.is_object(),
        agent_role: text("agent_role"),
        parent: text("parent_thread_id"),
    }
}

/// Widens the span of time by one time stamp.
pub(super) fn time(header: &mut Header, ts: Option<&str>) {
    let Some(ts) = ts else { return };
    // Most lines come in order, in one form: later than the last is later than the first.
    if let (Some(_), Some(last)) = (&header.started_at, &mut header.ended_at)
        && last.as_str() <= ts
        && is_usual(ts)
        && is_usual(last)
    {
        ts.clone_into(last);
        return;
    }
    if !is_time(ts) {
        return;
    }
    if header.started_at.as_deref().is_none_or(|first| is_before(ts, first)) {
        header.started_at = Some(ts.to_owned());
    }
    if header.ended_at.as_deref().is_none_or(|last| is_before(last, ts)) {
        header.ended_at = Some(ts.to_owned());
    }
}

fn is_before(one: &str, other: &str) -> bool {
    if is_usual(one) && is_usual(other) {
        return one < other;
    }
    // The last hours of the year 9999 are later than any time that can be read.
    let at = |text: &str| text.parse().unwrap_or(Timestamp::MAX);
    at(one) < at(other)
}

/// Fills in what is clear only at the end of the first pass.
pub(super) fn finish(scanner: &mut Scanner, input: &Input) {
    let name = scanner.name.take().or_else(|| {
        // Where only the ends are read a name that was given later is not seen anyway.
        let path = input.path().filter(|_| input.is_whole())?;
        chain::indexed_name(path, &scanner.scan.header.id)
    });
    let scan = &mut scanner.scan;
    let is_request = |at: u32| scan.rows.get(at as usize).is_some_and(|row| row.has(HUMAN));
    let first = scanner.titles.iter().find(|(at, _)| is_request(*at));
    let title = name.or_else(|| first.map(|(_, title)| title.clone()));
    let is_human = |row: &super::row::Row| row.has(HUMAN);
    scan.header.has_request = scan.rows.iter().any(is_human);
    scan.header.has_answer |=
        scan.rows.iter().any(|row| row.kind == Kind::AnswerEvent && row.is_item());
    scan.header.title = title;
    scan.header.harness = "codex".to_owned();
    scan.header.project = scan.header.cwd.clone();
    scan.header.source = SourceFile { path: input.shown().to_owned(), bytes: input.bytes };
    if scan.header.id.is_empty() {
        scan.header.id = id_of_name(input.shown());
    }
}

/// The id in a file's name: what follows the date, or all of it.
fn id_of_name(shown: &str) -> String {
    let name = shown.rsplit(['/', '\\']).next().unwrap_or(shown);
    let name = name.split(".json").next().unwrap_or(name);
    let uuid = name.len().checked_sub(36).and_then(|at| name.get(at..));
    let is_uuid = |id: &&str| id.bytes().filter(|byte| *byte == b'-').count() == 4;
    uuid.filter(is_uuid).unwrap_or(name).to_owned()
}
