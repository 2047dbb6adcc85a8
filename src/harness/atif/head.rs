//! What a document says of itself.

use serde_json::Value;

use super::tree::own;
use crate::harness::time::{is_time, tidied};
use crate::harness::{ALL, title_of};
use crate::jsonl::Input;
use crate::model::{Body, Git, Header, Item, Origin, SourceFile};

/// Returns the name of the harness that recorded a document: ours, where we know it.
pub(super) fn recorder(root: &Value) -> &str {
    let name = root["agent"]["name"].as_str().unwrap_or("unknown");
    ALL.iter().find(|harness| harness.known_as() == name).map_or(name, |harness| harness.name())
}

/// Makes the header, from the document and from its items where it says nothing.
pub(super) fn header(root: &Value, items: &[Item<'_>], input: &Input) -> Header {
    let own = own(root);
    let said = |key: &str| own[key].as_str().map(str::to_owned);
    let said_time = |key: &str| {
        let text = said(key).map(|text| tidied(text.into()).into_owned());
        text.filter(|text| is_time(text))
    };
    let is_main = |item: &&Item<'_>| item.side_session.is_none();
    let times = || items.iter().filter(is_main).filter_map(|item| item.ts.as_deref());
    let asked = items.iter().filter(is_main).find_map(|item| match &item.body {
        Body::Message(message) if message.origin == Origin::Human => Some(message.words()),
        _ => None,
    });
    let answers = |item: &Item<'_>| match &item.body {
        Body::Message(message) => message.origin == Origin::Model,
        Body::ToolCall(_) => true,
        _ => false,
    };
    let id = root["session_id"].as_str().or(root["trajectory_id"].as_str());
    Header {
        id: id.unwrap_or_default().to_owned(),
        harness: recorder(root).to_owned(),
        harness_version: version(root),
        cwd: said("cwd"),
        project: said("project"),
        git: Git { branch: said("branch"), commit: said("commit"), remote: said("remote") },
        started_at: said_time("started_at").or_else(|| times().next().map(str::to_owned)),
        ended_at: said_time("ended_at").or_else(|| times().next_back().map(str::to_owned)),
        title: said("title").or_else(|| title_of(asked.as_deref()?)),
        model: root["agent"]["model_name"].as_str().map(str::to_owned),
        parent: said("parent"),
        converted_from: said("converted_from"),
        source: SourceFile { path: input.shown().to_owned(), bytes: input.bytes },
        is_side: false,
        is_automatic: false,
        has_request: asked.is_some(),
        has_answer: items.iter().filter(is_main).any(answers),
    }
}

fn version(root: &Value) -> Option<String> {
    let version = root["agent"]["version"].as_str()?;
    // The form asks for one, known or not.
    (version != "unknown").then(|| version.to_owned())
}
