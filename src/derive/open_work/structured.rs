//! Findings of a review that an agent answers as JSON.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::graded::{is_open, place, told};
use super::grades::{SCALES, begins_graded, is_grade};
use crate::derive::paths;

/// Names of a list of findings.
const FINDINGS: &[&str] = &["findings", "issues"];
/// Names of a list that can be one of anything.
const ITEMS: &[&str] = &["comments", "items"];
/// Grades of what is no fault.
const NO_FAULT: &[&str] = &["info", "informational", "n/a", "none", "praise"];
/// Names that tell how far a finding is dealt with.
const STATES: &[&str] = &["fixed", "resolution", "resolved", "state", "status"];
/// A text of more words explains something.
const TITLE_WORDS: usize = 4;

/// A finding, and what explains it.
struct Finding {
    told: String,
    says: String,
    is_placed: bool,
}

/// What JSON lists.
struct Listed {
    findings: Vec<Finding>,
    /// What explains all of them.
    says: String,
    /// Whether nothing else is listed.
    is_all: bool,
}

/// Returns the findings that words list, if they are JSON and no more.
fn listed(words: &str) -> Option<Listed> {
    let words = words.trim();
    let fenced = words.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let bare = fenced.map_or(words, |rest| rest.trim_start_matches(char::is_alphabetic)).trim();
    if !bare.starts_with(['{', '[']) {
        return None;
    }
    let value = serde_json::from_str::<Value>(bare).ok()?;
    let named = |names: &[&str]| names.iter().find_map(|name| value.get(name));
    let of_findings = named(FINDINGS);
    let list = of_findings.or_else(|| named(ITEMS)).unwrap_or(&value).as_array()?;
    let one = |finding| one(finding, of_findings.is_some());
    let findings: Vec<_> = list.iter().filter_map(Value::as_object).filter_map(one).collect();
    let says = value.as_object().and_then(explained).unwrap_or_default().to_owned();
    let is_all = findings.len() == list.len();
    (!findings.is_empty()).then_some(Listed { findings, says, is_all })
}

/// Returns a finding that is open: it has a line in a file, or a grade or a file in a list of findings.
fn one(finding: &Map<String, Value>, of_findings: bool) -> Option<Finding> {
    let title = finding.get("title")?.as_str()?;
    let place = in_file(finding);
    let grade = SCALES.iter().find_map(|name| finding.get(*name)).filter(|it| !it.is_null());
    let is_none = |grade: &str| NO_FAULT.contains(&grade.to_lowercase().as_str());
    let is_fault = !grade.and_then(Value::as_str).is_some_and(is_none);
    let is_one = place.is_some() && (of_findings || first_line(finding).is_some())
        || of_findings && (grade.is_some() || begins_graded(title));
    let named = grade.and_then(Value::as_str).filter(|it| is_grade(it) && !begins_graded(title));
    let head = named.map_or(Cow::Borrowed(title), |it| Cow::Owned(format!("{it}: {title}")));
    let told = told(&head, place.as_deref()).filter(|_| is_one && is_fault && !is_settled(finding));
    let says = explained(finding).filter(|says| *says != title).unwrap_or_default().to_owned();
    Some(Finding { told: told?, says, is_placed: place.is_some() })
}

/// Whether an object says that somebody dealt with it.
fn is_settled(object: &Map<String, Value>) -> bool {
    let states = object.iter().filter(|(name, _)| STATES.contains(&name.to_lowercase().as_str()));
    states.into_iter().any(|(_, state)| match state {
        Value::Bool(is_settled) => *is_settled,
        Value::String(state) => !state.is_empty() && !is_open(state),
        _ => false,
    })
}

/// Returns the first text of an object that is more than a name.
fn explained(object: &Map<String, Value>) -> Option<&str> {
    let texts =
        object.iter().filter(|(name, _)| *name != "title").filter_map(|(_, it)| it.as_str());
    texts.into_iter().find(|text| text.split_whitespace().count() > TITLE_WORDS)
}

/// Returns the place in a file that an object names, wherever it does so.
fn in_file(object: &Map<String, Value>) -> Option<String> {
    let texts = object.values().filter_map(Value::as_str);
    let path = texts.clone().find(|text| paths::is_file(text) && !text.contains(' '));
    let line = || first_line(object).map(|line| format!(":{line}")).unwrap_or_default();
    let own = path.map(|path| format!("{path}{}", line()));
    let one_word = |text: &&str| !text.contains(char::is_whitespace);
    own.or_else(|| texts.clone().filter(one_word).find_map(place))
        .or_else(|| object.values().filter_map(Value::as_object).find_map(in_file))
}

/// Returns the first number of a line below an object.
fn first_line(object: &Map<String, Value>) -> Option<u64> {
    let is_line = |name: &str| name.contains("line") || name == "start";
    let own = object.iter().filter(|(name, _)| is_line(name)).find_map(|(_, it)| it.as_u64());
    own.or_else(|| object.values().filter_map(Value::as_object).find_map(first_line))
}

/// Returns the findings in words that are JSON.
pub(super) fn findings(words: &str) -> Option<Vec<String>> {
    listed(words).map(|found| found.findings.into_iter().map(|it| it.told).collect())
}

/// Returns words as a person would read them: findings that are JSON as a list, where nothing else stands there.
pub(in crate::derive) fn read(words: &str) -> Cow<'_, str> {
    let is_review = |found: &Listed| found.is_all && found.findings.iter().any(|it| it.is_placed);
    let Some(found) = listed(words).filter(is_review) else { return Cow::Borrowed(words) };
    let line = |Finding { told, says, .. }: Finding| match says.is_empty() {
        true => format!("- {told}"),
        false => format!("- {told}: {says}"),
    };
    let list = found.findings.into_iter().map(line).collect::<Vec<_>>().join("\n");
    let says = found.says;
    Cow::Owned(if says.is_empty() { list } else { format!("{says}\n\n{list}") })
}

#[cfg(test)]
mod tests {
    use super::{findings, read};

    #[test]
    fn findings_in_json_are_read() {
        let words = r#"{"findings":[
            {"title":"[P2] Count the lamps","body":"Each lamp is lit twice at dusk.","priority":2,
             "where":{"path":"/w/src/lamp.rs","range":{"start":3,"end":5}}},
            {"title":"Close the gate","severity":"high","file":"src/gate.rs","line":30}],
            "verdict":"Two things are wrong with it."}"#;
        let all =
            ["[P2] Count the lamps (/w/src/lamp.rs:3)", "high: Close the gate (src/gate.rs:30)"];
        assert_eq!(findings(words).unwrap(), all);
        assert_eq!(findings(&format!("```json\n{words}\n```")).unwrap(), all);
        let told = "Two things are wrong with it.\n\n- [P2] Count the lamps (/w/src/lamp.rs:3): Each lamp is lit twice at dusk.\n- high: Close the gate (src/gate.rs:30)";
        assert_eq!(read(words), told);
        for words in [
            r#"{"findings":[]}"#,
            r#"{"items":[{"title":"Buy some oil"}]}"#,
            r#"{"lamps":[{"title":"[P1] Count the lamps","severity":"high"}]}"#,
            r#"{"items":[{"title":"Buy some oil","priority":"high"}]}"#,
            r#"{"items":[{"title":"Draw the lamp","priority":"high","icon":"img/lamp.png"}]}"#,
            r#"{"comments":[{"title":"It reads well","file":"src/lamp.rs","line":3,"severity":"none"}]}"#,
            r#"{"findings":[{"title":"It burns","file":"src/lamp.rs","severity":"high","status":"fixed"}]}"#,
            r#"{"findings":[{"title":"It burns","file":"src/lamp.rs","line":3,"resolved":true}]}"#,
            "The gate is {open}.",
        ] {
            assert_eq!((findings(words), &*read(words)), (None, words));
        }
    }

    #[test]
    fn json_that_lists_more_than_findings_with_places_is_left_as_it_is() {
        let open = r#"{"title":"It burns","file":"src/lamp.rs","status":"Open"}"#;
        let mended = r#"{"title":"It rusts","file":"src/gate.rs","status":"fixed"}"#;
        for (words, found) in [
            (format!(r#"{{"findings":[{open},{mended}]}}"#), "It burns (src/lamp.rs)"),
            (r#"{"issues":[{"title":"It burns","priority":"high"}]}"#.to_owned(), "high: It burns"),
        ] {
            assert_eq!(findings(&words).unwrap(), [found]);
            assert_eq!(read(&words), words);
        }
    }
}
