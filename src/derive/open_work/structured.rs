//! Findings of a review that an agent answers as JSON.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::graded::{begins_graded, place, told};
use crate::derive::paths;

/// Names of the list.
const LISTS: &[&str] = &["findings", "issues", "comments", "items"];
/// A text of more words explains something.
const TITLE_WORDS: usize = 4;

/// Returns the findings that words list, if they are JSON and no more: each with what explains it.
fn listed(words: &str) -> Option<(Vec<(String, String)>, String)> {
    let words = words.trim();
    let fenced = words.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let bare = fenced.map_or(words, |rest| rest.trim_start_matches(char::is_alphabetic)).trim();
    if !bare.starts_with(['{', '[']) {
        return None;
    }
    let value = serde_json::from_str::<Value>(bare).ok()?;
    let list = LISTS.iter().find_map(|name| value.get(name)).unwrap_or(&value).as_array()?;
    let found: Vec<_> = list.iter().filter_map(Value::as_object).filter_map(one).collect();
    let says = value.as_object().and_then(explained).unwrap_or_default();
    (!found.is_empty()).then(|| (found, says.to_owned()))
}

/// Returns the title of a finding with its place, and what explains it; it has a grade or a place.
fn one(finding: &Map<String, Value>) -> Option<(String, String)> {
    let title = finding.get("title")?.as_str()?;
    let place = in_file(finding);
    let grade = ["severity", "priority"].iter().find_map(|name| finding.get(*name));
    let is_graded = grade.is_some_and(|grade| !grade.is_null()) || begins_graded(title);
    let told = told(title, place.as_deref()).filter(|_| is_graded || place.is_some())?;
    let says = explained(finding).filter(|says| *says != title);
    Some((told, says.unwrap_or_default().to_owned()))
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
    listed(words).map(|(found, _)| found.into_iter().map(|(told, _)| told).collect())
}

/// Returns words as a person would read them: findings that are JSON as a list.
pub(in crate::derive) fn read(words: &str) -> Cow<'_, str> {
    let Some((found, says)) = listed(words) else { return Cow::Borrowed(words) };
    let line = |(told, says): (String, String)| match says.is_empty() {
        true => format!("- {told}"),
        false => format!("- {told}: {says}"),
    };
    let list = found.into_iter().map(line).collect::<Vec<_>>().join("\n");
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
        let all = ["[P2] Count the lamps (/w/src/lamp.rs:3)", "Close the gate (src/gate.rs:30)"];
        assert_eq!(findings(words).unwrap(), all);
        assert_eq!(findings(&format!("```json\n{words}\n```")).unwrap(), all);
        let told = "Two things are wrong with it.\n\n- [P2] Count the lamps (/w/src/lamp.rs:3): Each lamp is lit twice at dusk.\n- Close the gate (src/gate.rs:30)";
        assert_eq!(read(words), told);
        for words in [
            r#"{"findings":[]}"#,
            r#"{"items":[{"title":"Buy some oil"}]}"#,
            r#"{"lamps":[{"title":"[P1] Count the lamps","severity":"high"}]}"#,
            "The gate is {open}.",
        ] {
            assert_eq!((findings(words), &*read(words)), (None, words));
        }
    }
}
