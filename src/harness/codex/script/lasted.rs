//! Whether a command of which a script printed only what came out ran on when its call came back: that comes
//! back after some time, whether the command has ended or not.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::model::Part;

/// After how many milliseconds a call comes back that says nothing of it, and the longest it can say.
const DEFAULT: u64 = 10_000;
const LONGEST: u64 = 30_000;
/// How much later the script itself ends.
const AFTER: SignedDuration = SignedDuration::from_millis(700);
/// How many seconds a script took at least whose end was waited for.
const WAITED: f64 = 0.3;

/// Returns after how many milliseconds the call of a command comes back.
pub(super) fn comes_back(name: &str, arguments: &Value) -> Option<u64> {
    let given = || arguments.get("yield_time_ms").map_or(Some(DEFAULT), Value::as_u64);
    (name == "exec_command").then(given).flatten().map(|given| given.min(LONGEST))
}

/// Tells whether a script ended while it was waited for, so that it is known when.
pub(super) fn waited(output: &[Part<'_>]) -> bool {
    let Some(Part::Text(first)) = output.first() else { return false };
    let plain = first.plain();
    let told = plain.lines().find_map(|line| line.strip_prefix("Wall time ")?.split(' ').next());
    told.and_then(|seconds| seconds.parse::<f64>().ok()).is_some_and(|seconds| seconds >= WAITED)
}

/// Tells whether a script ended just when the call of its command came back without the command's end.
pub(super) fn was_given_up(
    after: Option<u64>,
    began: &Option<String>,
    ended: Option<&str>,
) -> bool {
    let parsed = |stamp: &str| stamp.parse::<Timestamp>().ok();
    let (Some(after), Some(began), Some(ended)) = (
        after.and_then(|after| i64::try_from(after).ok()).map(SignedDuration::from_millis),
        began.as_deref().and_then(parsed),
        ended.and_then(parsed),
    ) else {
        return false;
    };
    let lasted = ended.duration_since(began);
    lasted >= after && lasted <= after + AFTER
}

/// How many characters a script writes at most before the name by which a command runs on.
const NAME_CHARS: usize = 40;

/// Returns what a script writes before the name by which its command runs on, on one line with it, such as
/// ``text(`id: ${r.session_id}`)``.
pub(super) fn before_name(script: &str) -> Option<String> {
    let (before, _) = script.split_once(".session_id}")?;
    let (before, result) = before.rsplit_once("${")?;
    let written = before.rsplit_once('`')?.1;
    let written = written.rsplit(['\n', '}']).next().unwrap_or(written);
    let written = written.rsplit("\\n").next().unwrap_or(written);
    let is_plain = result.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_told = written.trim().len() > 1 && written.chars().count() <= NAME_CHARS;
    (is_plain && is_told).then(|| written.to_owned())
}

/// Returns that name, where it stands so on the last line that was printed.
pub(super) fn named(before: &str, output: &[Part<'_>]) -> Option<String> {
    let Some(Part::Text(last)) = output.last() else { return None };
    let plain = last.end(2 * NAME_CHARS);
    let line = plain.trim_end().lines().next_back()?;
    let name = line.strip_prefix(before)?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_that_a_script_prints_is_found_behind_what_it_writes_before_it() {
        let script = "text(r.output); if(r.session_id) text(`SESSION_ID=${r.session_id}`);";
        let before = before_name(script).unwrap();
        let last = |text: &str| vec![Part::Text(text.to_owned().into())];
        assert_eq!(named(&before, &last("SESSION_ID=15859\n")).as_deref(), Some("15859"));
        assert_eq!(named(&before, &last("done\nSESSION_ID=15859")).as_deref(), Some("15859"));
        for other in ["SESSION_ID=undefined", "SESSION_ID=", "15859", "SESSION_ID=15859\nok"] {
            assert_eq!(named(&before, &last(other)), None, "{other}");
        }
        // A number alone can be anything.
        assert_eq!(before_name("text(`${r.session_id}`)"), None);
        assert_eq!(before_name("text(r.session_id)"), None);
    }

    #[test]
    fn a_command_that_had_not_ended_is_told_by_how_long_its_script_took() {
        let given = |milliseconds: u64| serde_json::json!({"yield_time_ms": milliseconds});
        assert_eq!(comes_back("exec_command", &given(1_000)), Some(1_000));
        assert_eq!(comes_back("exec_command", &given(90_000)), Some(30_000));
        assert_eq!(comes_back("exec_command", &serde_json::json!({})), Some(10_000));
        assert_eq!(comes_back("view_image", &given(1_000)), None);
        let began = Some("2026-01-02T03:04:05.000Z".to_owned());
        let given_up = |ended| was_given_up(Some(10_000), &began, Some(ended));
        assert!(given_up("2026-01-02T03:04:15.100Z"));
        assert!(!given_up("2026-01-02T03:04:14.900Z"));
        // It was let run only later, or did more.
        assert!(!given_up("2026-01-02T03:04:25.100Z"));
        assert!(!was_given_up(None, &began, Some("2026-01-02T03:04:15.100Z")));
    }
}
