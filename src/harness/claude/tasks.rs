//! What goes on in the background: how a result says so, and how its end is told.

use super::said::{tagged, unescaped};
use crate::harness::{Begun, Late};
use crate::model::Status;

/// How a result begins of which the call runs on, what stands before its name, and whether an agent
/// does it.
const BEGUN: &[(&str, &str, bool)] = &[
    ("Async agent launched", "agentId: ", true),
    ("Spawned successfully", "agent_id: ", true),
    ("Workflow launched in background", "Task ID: ", true),
    ("Command running in background", "with ID: ", false),
    ("Command did not complete", "background (ID: ", false),
    ("Monitor started", "(task ", false),
];

/// How the harness says that something ended.
const TOLD: &str = "<task-notification>";

/// Says by what name a call runs on, by how its result begins.
pub(super) fn begun(result: &str) -> Option<Begun> {
    let (_, mark, is_agent) = BEGUN.iter().find(|(begin, ..)| result.starts_with(begin))?;
    let (_, rest) = result.split_once(mark)?;
    let name = rest.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_')).next()?;
    let name = (!name.is_empty()).then(|| name.to_owned())?;
    Some(Begun { name, is_agent: *is_agent })
}

/// Whether the head of what was asked of a task says that it runs on.
pub(super) fn runs_on(result: &str) -> bool {
    head(result).is_some_and(|head| tagged(head, "status") == Some("running"))
}

/// Returns the exit code that it tells, and what was printed.
pub(super) fn waited(result: &str) -> Option<(i64, &str)> {
    let head = head(result)?;
    let code = tagged(head, "exit_code")?.trim().parse().ok()?;
    let below = result[head.len()..].trim_end();
    let inner = below.strip_prefix("<output>").and_then(|rest| rest.strip_suffix("</output>"));
    Some((code, inner.map_or(below, |inner| inner.trim_matches('\n'))))
}

/// Returns the head of what was asked of a task; what that printed stands below.
fn head(result: &str) -> Option<&str> {
    let head = result.split("<stdout>").next().and_then(|head| head.split("<output>").next());
    head.filter(|head| head.trim_start().starts_with('<'))
}

/// Returns how something ended, if a text tells that: an event of something that goes on does not.
pub(super) fn late(message: &str) -> Option<Late> {
    let text = message.trim_start().strip_prefix(TOLD)?;
    // What was given back can hold tags of its own.
    let (head, report) = text.split_once("<result>").unzip();
    let report = report.map(|rest| rest.rsplit_once("</result>").map_or(rest, |(inner, _)| inner));
    let head = head.unwrap_or(text);
    let told = unescaped(tagged(head, "summary").unwrap_or_default().trim());
    let status = match tagged(head, "status")?.trim() {
        "completed" => Status::Ok,
        "failed" => Status::Error,
        _ => Status::Interrupted,
    };
    Some(Late {
        name: tagged(head, "task-id")?.trim().to_owned(),
        exit_code: exit_code(&told),
        report: report.map(|report| unescaped(report.trim())).filter(|report| !report.is_empty()),
        status,
        told,
    })
}

/// Returns the code in `completed (exit code 0)` and `failed with exit code 7`.
fn exit_code(told: &str) -> Option<i64> {
    let (_, rest) = told.rsplit_once("exit code ")?;
    rest.trim_end_matches(['.', ')']).parse().ok()
}

/// How many bytes of a text tell whether it is what stands behind an agent's report.
pub(super) const TAIL_BYTES: usize = 160;

/// Whether a text that begins so tells how to call an agent again that has reported.
pub(super) fn is_behind_answer(start: &str) -> bool {
    let rest = start.strip_prefix("agentId: ").and_then(|rest| rest.split_once(" ("));
    let tells = |said: &str| {
        ["use SendMessage ", "for resuming to "].iter().any(|form| said.starts_with(form))
    };
    rest.is_some_and(|(id, said)| !id.contains(char::is_whitespace) && tells(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_on_is_told_by_name() {
        let name = |text: &str| begun(text).map(|begun| (begun.name, begun.is_agent));
        let agent = "Async agent launched successfully. (Internal.)\nagentId: a397dc (internal ID)";
        assert_eq!(name(agent), Some(("a397dc".to_owned(), true)));
        let command = "Command running in background with ID: b5lz. Output is being written to: /t";
        assert_eq!(name(command), Some(("b5lz".to_owned(), false)));
        assert_eq!(name("It is said: Command running in background with ID: b5lz"), None);
        assert_eq!(name("Command running in background with ID: "), None);
        let watch =
            "Monitor started (task b3fb, timeout 3600000ms). You will be notified on each event.";
        assert_eq!(name(watch), Some(("b3fb".to_owned(), false)));
    }

    #[test]
    fn what_was_asked_of_a_task_says_whether_it_runs_on() {
        let asked = "<retrieval_status>timeout</retrieval_status>\n\n<task_id>b7</task_id>\n\n";
        assert!(runs_on(&format!("{asked}<status>running</status>")));
        assert!(runs_on("<status>running</status>\n\n<stdout>\nready\n</stdout>"));
        assert!(!runs_on(&format!("{asked}<status>completed</status>")));
        assert!(!runs_on("<status>completed</status>\n<stdout>\n<status>running</status>"));
        assert!(!runs_on("It says <status>running</status>"));
        let ended = "<status>failed</status>\n\n<exit_code>3</exit_code>\n\n<output>\n";
        assert_eq!(waited(&format!("{asked}{ended}no\n</output>")), Some((3, "no")));
        assert_eq!(waited(&format!("{asked}<output>\n<exit_code>3</exit_code>")), None);
    }

    #[test]
    fn how_it_ended_is_told_later() {
        let told = |status: &str, summary: &str, more: &str| {
            late(&format!(
                "<task-notification>\n<task-id>b1</task-id>\n{status}<summary>{summary}</summary>\n{more}</task-notification>"
            ))
        };
        let done = told("<status>completed</status>", "Command \"x\" completed (exit code 0)", "");
        let done = done.unwrap();
        assert_eq!((done.status, done.exit_code, done.report), (Status::Ok, Some(0), None));
        let failed =
            told("<status>failed</status>", "\"a &amp;&amp; b\" failed with exit code 7", "");
        let failed = failed.unwrap();
        assert_eq!((failed.status, failed.exit_code), (Status::Error, Some(7)));
        assert_eq!(failed.told, "\"a && b\" failed with exit code 7");
        let report = "<result>see <result>x</result> &lt;b&gt;</result><usage>9</usage>";
        let agent = told("<status>completed</status>", "Agent finished", report).unwrap();
        assert_eq!(agent.report.as_deref(), Some("see <result>x</result> <b>"));
        assert_eq!(
            told("<status>killed</status>", "was killed.", "").unwrap().status,
            Status::Interrupted
        );
        // Something that goes on tells what it sees.
        assert_eq!(told("", "Monitor event: \"x\"", "<event>line</event>"), None);
        assert_eq!(late("see <task-notification><task-id>a</task-id>"), None);
    }

    #[test]
    fn how_to_call_an_agent_again_is_none_of_its_report() {
        for tail in [
            "agentId: a0 (use SendMessage with to: 'a0' to continue this agent)\n<usage>x</usage>",
            "agentId: a0 (for resuming to continue this agent's work if needed)\n<usage>x</usage>",
        ] {
            assert!(is_behind_answer(tail), "{tail}");
        }
        for report in ["agentId: a0 is the one", "The report.\nagentId: a0 (use SendMessage with)"]
        {
            assert!(!is_behind_answer(report), "{report}");
        }
    }
}
