//! The first line: who the session is.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::found::{Found, short};
use crate::harness::Severity::{Error, Info, Warning};
use crate::jsonl::{self, Lax};

/// What later checks need of it.
#[derive(Default)]
pub(super) struct Meta {
    pub(super) id: String,
    pub(super) is_paginated: bool,
}

#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Own<'a> {
    id: Lax<'a>,
    timestamp: Lax<'a>,
    cwd: Lax<'a>,
    originator: Lax<'a>,
    cli_version: Lax<'a>,
    history_mode: Lax<'a>,
    model_provider: Lax<'a>,
    source: Option<&'a RawValue>,
    base_instructions: Option<&'a RawValue>,
}

/// Looks at what a file says of itself.
pub(super) fn check(raw: &RawValue, line: u64, found: &mut Found) -> Meta {
    let own: Own<'_> = jsonl::shaped(Some(raw)).unwrap_or_default();
    let needed = [
        ("id", &own.id),
        ("timestamp", &own.timestamp),
        ("cwd", &own.cwd),
        ("originator", &own.originator),
        ("cli_version", &own.cli_version),
    ];
    for (name, _) in needed.iter().filter(|(_, value)| value.get().is_none()) {
        let why = format!("the `session_meta` has no `{name}`: the client does not load it");
        found.add(Error, line, "incomplete_meta", &why);
    }
    let id = own.id.text();
    if own.id.get().is_some() && uuid::Uuid::parse_str(id).is_err() {
        let why = format!("the id `{}` is no UUID: the client does not load it", short(id));
        found.add(Error, line, "incomplete_meta", &why);
    }
    let mode = own.history_mode.text();
    if !matches!(mode, "" | "legacy" | "paginated") {
        let why =
            format!("has the unknown `history_mode` `{}`, which no client reads", short(mode));
        found.add(Error, line, "history_mode", &why);
    }
    if let Some(provider) = own.model_provider.filled() {
        let why = format!(
            "is bound to the provider `{}`: the client resumes it with no other",
            short(provider)
        );
        found.add(Info, line, "model_provider", &why);
    }
    let has_instructions = own.base_instructions.is_some_and(|raw| raw.get() != "null");
    if has_instructions && !own.originator.text().starts_with("codex") {
        let why = "has `base_instructions`, which take the place of the client's own";
        found.add(Warning, line, "base_instructions", why);
    }
    source(own.source, line, found);
    Meta { id: short(id), is_paginated: mode == "paginated" }
}

/// The picker only lists what a human began in the program itself or in an editor.
fn source(raw: Option<&RawValue>, line: u64, found: &mut Found) {
    let source: Value = jsonl::shaped(raw).unwrap_or_default();
    match source.as_str() {
        None if source["subagent"]["thread_spawn"].is_object() => {
            let why = "is the session of a sub-agent: the picker hides it";
            found.add(Info, line, "hidden", why);
        }
        None if source.get("subagent").is_some() || source.get("internal").is_some() => {
            let why = "is a session of a sub-agent, which the picker hides";
            found.add(Warning, line, "hidden", why);
        }
        Some("cli" | "vscode") | None => {}
        Some(other) => {
            let why = format!("has the source `{}`, which the picker hides", short(other));
            found.add(Info, line, "hidden", &why);
            found.hint("`codex resume --include-non-interactive` lists it");
        }
    }
}
