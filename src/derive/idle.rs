//! Calls and messages of which a line tells nothing that whoever goes on could use.

use serde_json::Value;

use super::timeline::Done;
use super::{shell, steps, text, words};
use crate::model::{Action, Status, ToolKind, ToolResult, is_sealed};

/// Whether a call only steers: it changes the list of work, stops, waits, or asks without saying what.
pub(super) fn is_idle(done: &Done<'_>) -> bool {
    match done.call.action.as_deref() {
        Some(Action::Plan | Action::Stop { .. }) => true,
        // Waiting is worth a word only where it ended badly.
        Some(Action::Wait { .. }) => !done.failed(),
        Some(Action::Type { keys, .. }) => {
            let is_silent = || !done.failed() && done.output().trim().is_empty();
            ends(keys) || is_unseen(keys) && is_silent()
        }
        None if done.failed() || runs_on(done) => false,
        None if steps::keeps_no_result(done.call) && is_empty(done.call.arguments.get()) => true,
        None => is_silent(done) && !is_answered(done),
        _ => false,
    }
}

/// Whether a call does nothing but to wait for what runs, or to look how far that is.
pub(super) fn only_waits(done: &Done<'_>) -> bool {
    match done.call.action.as_deref() {
        Some(Action::Wait { .. }) => true,
        Some(Action::Type { keys, .. }) => is_unseen(keys),
        Some(Action::Shell { command, .. }) => looks_later(command),
        _ => false,
    }
}

/// Whether a command line waits for a while, and then only looks.
fn looks_later(line: &str) -> bool {
    let looks = |(part, _): &(String, String)| {
        let part = part.trim();
        let shows = ["gh pr checks", "gh run list", "gh run view"];
        shell::only_looks(part) || shows.iter().any(|form| part.starts_with(form))
    };
    line.trim_start().starts_with("sleep ") && shell::raw(line).iter().skip(1).all(looks)
}

/// Whether a call had not come back, or was ended before it did: it may hang.
fn runs_on(done: &Done<'_>) -> bool {
    let is_out =
        |result: &ToolResult<'_>| result.out.is_some() || result.status == Status::Interrupted;
    done.call.kind == ToolKind::Other && done.result.is_some_and(is_out)
}

/// Whether a message of another agent has no words that can be read, but for the name of who wrote it.
pub(super) fn is_unreadable(words: &str) -> bool {
    let named = words.split_once(": ").filter(|(name, _)| !name.contains(char::is_whitespace));
    is_sealed(words) || named.is_some_and(|(_, said)| is_sealed(said))
}

/// Whether keys only stop what runs, or end its input.
fn ends(keys: &str) -> bool {
    matches!(keys.trim_matches([' ', '\r', '\n']), "\u{3}" | "\u{4}")
}

/// Whether nobody sees what was typed: the ends of lines, and keys that move.
fn is_unseen(keys: &str) -> bool {
    text::plain(keys).trim().is_empty()
}

/// How the names of tools begin that only wait, or look how things stand.
const LOOKS: &[&str] = &["list", "poll", "sleep", "status", "wait"];
/// How others begin that end with what is looked at: `reset_status` does something.
const ACTS: &[&str] = &[
    "add",
    "approve",
    "archive",
    "cancel",
    "change",
    "clear",
    "create",
    "delete",
    "mark",
    "move",
    "post",
    "publish",
    "rebuild",
    "remove",
    "replace",
    "reset",
    "send",
    "set",
    "start",
    "transition",
    "update",
    "upload",
    "write",
];

/// Whether neither the name of what was called nor its arguments say anything. Without arguments the name
/// can say all of it: `deploy_staging`.
fn is_silent(done: &Done<'_>) -> bool {
    let arguments = done.call.arguments.get();
    is_taken_out(arguments) || is_empty(arguments) && only_looks(&done.call.name)
}

/// Whether a tool only waits or looks, by its name.
fn only_looks(name: &str) -> bool {
    let words = words_of(name);
    is_in(words.first(), LOOKS) || is_in(words.last(), &["status"]) && !is_in(words.first(), ACTS)
}

/// Verbs by which a tool only looks something up.
const ASKS: &[&str] = &[
    "browse", "describe", "fetch", "find", "get", "list", "lookup", "query", "read", "search",
    "show", "status", "view",
];
/// Verbs before a query that have it asked.
const RUNS: &[&str] = &["execute", "run"];
/// What is looked for, though the word can be a verb, too: `pull_request_read`.
const NOUNS: &[&str] = &["check", "issue", "pull", "request", "run", "work"];
/// Verbs at the end of a name by which what was found is changed: `search_replace`.
const CHANGES: &[&str] = &["delete", "remove", "replace", "update", "write"];
/// Words before which the first of a name says what is done to something: `upload_to_list`.
const TOWARDS: &[&str] = &["as", "into", "to"];

/// Whether a tool only looks something up, as far as its name tells.
pub(super) fn asks_by_name(name: &str) -> bool {
    let words = words_of(name);
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    if RUNS.contains(&first.as_str()) {
        return last == "query";
    }
    // The name of its server may come first.
    let asks = words.iter().take(2).position(|word| is_in(Some(word), ASKS));
    if asks.is_some_and(|at| at == 0 || !acts(first)) {
        // `find_and_replace` does something.
        let does = |word: &String| acts(word) && !is_in(Some(word), ASKS);
        return !is_in(Some(last), CHANGES)
            && !words.windows(2).any(|pair| pair[0] == "and" && does(&pair[1]));
    }
    let does = |word: &String| {
        acts(word) && ![ASKS, NOUNS].iter().any(|of| is_in(Some(word), of))
            || is_in(Some(word), TOWARDS)
    };
    is_in(Some(last), ASKS) && !words.iter().any(does)
}

fn acts(word: &str) -> bool {
    ACTS.contains(&word) || words::is_verb(word)
}

fn is_in(word: Option<&String>, of: &[&str]) -> bool {
    word.is_some_and(|it| of.contains(&it.as_str()))
}

/// Returns the words of which the name of a tool is made: of a tool of a server those before it name that.
fn words_of(name: &str) -> Vec<String> {
    let own = name.rsplit("__").next().unwrap_or(name);
    let words = own.split_inclusive(|c: char| !c.is_alphanumeric()).flat_map(humps);
    words.map(str::to_lowercase).collect()
}

/// Splits a word before each capital letter, as in `ListAgents`.
fn humps(word: &str) -> Vec<&str> {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let starts = word.char_indices().filter(|(at, c)| *at > 0 && c.is_uppercase());
    let mut at: Vec<usize> = starts.map(|(at, _)| at).collect();
    at.insert(0, 0);
    at.push(word.len());
    at.windows(2).map(|pair| &word[pair[0]..pair[1]]).collect()
}

fn is_empty(arguments: &str) -> bool {
    match serde_json::from_str::<Value>(arguments) {
        Ok(Value::Null) => true,
        Ok(Value::Object(fields)) => fields.is_empty(),
        Ok(Value::String(text)) => text.trim().is_empty(),
        _ => false,
    }
}

/// Whether what arguments said was taken out, and what is left are names.
fn is_taken_out(arguments: &str) -> bool {
    let Ok(arguments) = serde_json::from_str::<Value>(arguments) else { return false };
    let fields: Vec<&Value> = match &arguments {
        Value::Object(fields) => fields.values().collect(),
        Value::String(text) => return is_sealed(text),
        _ => return false,
    };
    let is_sealed = |field: &&Value| field.as_str().is_some_and(is_sealed);
    let is_name = |field: &&Value| match field {
        Value::String(text) => text.split_whitespace().count() < 2,
        Value::Array(_) | Value::Object(_) => false,
        _ => true,
    };
    fields.iter().any(is_sealed) && fields.iter().all(|it| is_sealed(it) || is_name(it))
}

/// Whether words came back that say something.
fn is_answered(done: &Done<'_>) -> bool {
    steps::tells(&done.output())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_say_nothing_are_told_from_others() {
        for none in ["{}", "null", "\"\""] {
            assert!(is_empty(none) && !is_taken_out(none), "{none}");
        }
        for none in
            [r#"{"target":"review","message":"REDACTED"}"#, r#"{"message":"[redacted]","turns":3}"#]
        {
            assert!(is_taken_out(none) && !is_empty(none), "{none}");
        }
        for some in [
            r#"{"target":"review","message":"look again"}"#,
            r#"{"query":"REDACTED","note":"in the old folder"}"#,
            r#"{"id":"7"}"#,
            "[1]",
        ] {
            assert!(!is_taken_out(some) && !is_empty(some), "{some}");
        }
    }

    #[test]
    fn what_only_looks_is_told_from_what_does_something_by_its_name() {
        for name in ["ListAgents", "wait_agent", "mcp__queue__poll", "job_status"] {
            assert!(only_looks(name), "{name}");
        }
        for name in [
            "mcp__ops__deploy_and_wait",
            "reset_status",
            "drop_allow_list",
            "mcp__ops__deploy_staging",
            "run_migrations",
            "mcp__wait_list__restart",
            "Enlist",
        ] {
            assert!(!only_looks(name), "{name}");
        }
        for name in [
            "getPage",
            "mcp__wiki__search_pages",
            "read_thread",
            "lookup",
            "pages_search",
            "job_status",
            "run_query",
            "get_commit",
            "get_pull_request_comments",
            "list_open_pull_requests",
            "pull_request_read",
            "jira_get_issue",
            "slack_list_channels",
            "describe_change",
            "search_and_read",
            "check_run_status",
        ] {
            assert!(asks_by_name(name), "{name}");
        }
        for name in [
            "mcp__x__reply_to_thread",
            "widget_create",
            "set_budget",
            "mcp__search__publish_page",
            "update_status",
            "set_view",
            "changeStatus",
            "moveCardToList",
            "archiveList",
            "startSearch",
            "find_and_replace",
            "read_and_delete",
            "mark_as_read",
            "upload_to_list",
            "search_replace",
            "transition_issue_status",
            "jira_delete_list",
            "db_update_status",
        ] {
            assert!(!asks_by_name(name), "{name}");
        }
    }

    #[test]
    fn a_message_that_nobody_can_read_is_told_by_what_follows_its_sender() {
        assert!(is_unreadable("/root/review: (what only the provider can read)"));
        assert!(is_unreadable("REDACTED"));
        assert!(!is_unreadable("/root/review: it holds"));
        assert!(!is_unreadable("what follows is: REDACTED"));
    }
}
