//! How agents ended that are known by an id: what waiting for them gave back, and what the client told.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::harness::Late;
use crate::json;
use crate::model::Status;

/// What stands around what the client tells of an agent.
const TAGS: (&str, &str) = ("<subagent_notification>", "</subagent_notification>");

/// How it stands with an agent that has come to an end; with any other it is one word.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ended {
    Completed(Option<String>),
    Errored(Option<String>),
}

/// How it stands with an agent.
#[derive(Deserialize)]
#[serde(untagged)]
enum State {
    Ended(Ended),
    Other(serde::de::IgnoredAny),
}

/// Returns how the agents ended that were waited for.
pub(super) fn heard(result: &str) -> Vec<Late> {
    #[derive(Deserialize)]
    struct Waited {
        status: BTreeMap<String, State>,
    }
    // Most results tell nothing of it.
    if !result.trim_start().starts_with("{\"status\"") {
        return Vec::new();
    }
    let waited: Option<Waited> = json::from_str(result.trim()).ok();
    let all = waited.map(|waited| waited.status).unwrap_or_default();
    all.into_iter().filter_map(|(name, state)| late(name, state)).collect()
}

/// Returns how an agent ended, if the client told that.
pub(super) fn notified(message: &str) -> Option<Late> {
    #[derive(Deserialize)]
    struct Told {
        agent_id: String,
        status: State,
    }
    let rest = message.trim_start().strip_prefix(TAGS.0)?;
    let told: Told = json::from_str(rest.rsplit_once(TAGS.1)?.0.trim()).ok()?;
    late(told.agent_id, told.status)
}

fn late(name: String, state: State) -> Option<Late> {
    let State::Ended(ended) = state else { return None };
    let (status, report) = match ended {
        Ended::Completed(report) => (Status::Ok, report),
        Ended::Errored(why) => (Status::Error, why),
    };
    let report = report.filter(|words| !words.trim().is_empty());
    Some(Late { name, status, exit_code: None, told: String::new(), report })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_an_agent_ended_is_told_by_its_id() {
        let told = |late: &Late| (late.name.clone(), late.status, late.report.clone());
        let waited = r#"{"status":{"a1":{"completed":"It is there."},"a2":"running","a3":{"errored":"no"},"a4":{"completed":null}},"timed_out":false}"#;
        let all: Vec<_> = heard(waited).iter().map(told).collect();
        let ended = |name: &str, status, report: Option<&str>| {
            (name.to_owned(), status, report.map(str::to_owned))
        };
        let one = ended("a1", Status::Ok, Some("It is there."));
        assert_eq!(
            all,
            [one.clone(), ended("a3", Status::Error, Some("no")), ended("a4", Status::Ok, None),]
        );
        assert!(heard(r#"{"status":{},"timed_out":true}"#).is_empty());
        assert!(heard(r#"{"status":"running"}"#).is_empty());
        let message = |status: &str| {
            format!(
                "<subagent_notification>\n{{\"agent_id\":\"a1\",\"status\":{status}}}\n</subagent_notification>"
            )
        };
        let late = notified(&message(r#"{"completed":"It is there."}"#)).unwrap();
        assert_eq!(told(&late), one);
        assert_eq!(notified(&message("\"shutdown\"")), None);
        assert_eq!(notified("It said <subagent_notification>"), None);
    }
}
