//! How a command ended, out of what stands around its output: the harness counts one that failed as a success.

use super::background;
use super::content::MASK_TAG;
use crate::model::{Part, Status, ToolResult};

/// How the output of a command begins that did not come to its end, which counts as a success, too.
const CUT_OFF: &[(&str, Status)] = &[
    ("Command was automatically cancelled because it exceeded the timeout", Status::Error),
    ("Command was cancelled by user before it could complete", Status::Interrupted),
];
/// What the harness puts around what a command printed.
const TAGS: (&str, &str) = ("<untrusted_context>\n", "\n</untrusted_context>");
/// The fields that stand below an output, in their order; newer versions leave out those that say nothing.
pub(super) const FIELDS: [&str; 5] =
    ["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: "];
const ERROR: usize = 0;
const CODE: usize = 1;
const SIGNAL: usize = 2;

/// Returns a text without what the harness put around it.
pub(super) fn unwrapped(text: &str) -> &str {
    let inner = text.strip_prefix(TAGS.0).unwrap_or(text);
    inner.strip_suffix(TAGS.1).unwrap_or(inner)
}

/// Reads out of its text how a command ended.
pub(super) fn ending(result: &mut ToolResult<'_>) {
    if result.status != Status::Ok {
        return;
    }
    let Some(Part::Text(text)) = result.output.first() else { return };
    let text = text.plain();
    let text = unwrapped(&text);
    if let Some((_, status)) = CUT_OFF.iter().find(|(start, _)| text.starts_with(start)) {
        result.status = *status;
        return;
    }
    let (code, failed) = told(text);
    result.exit_code = code;
    if failed || code.is_some_and(|code| code != 0) {
        result.status = Status::Error;
    }
}

/// Returns the exit code, and whether the command failed without one: it was killed, or never began.
fn told(text: &str) -> (Option<i64>, bool) {
    let fields = fields(text);
    let said = |field: usize| fields[field].filter(|value| !matches!(*value, "(none)" | "0"));
    // What it printed can end in a line that reads like an error of the harness's.
    let is_sure = text.starts_with("Command: ") || text.starts_with("Output: (empty)\n");
    let failed = said(SIGNAL).is_some() || is_sure && said(ERROR).is_some();
    let code = match fields[CODE] {
        Some(code) => code.parse().ok(),
        // What is left of a masked output does not tell, nor what still ran.
        None if text.contains(MASK_TAG) || background::begun(text).is_some() => None,
        // Nor do fields behind which something stands that nobody knows.
        None if fields == Fields::default() && text.contains("\nExit Code: ") => None,
        // Without one it went well.
        None => (!failed).then_some(0),
    };
    (code, failed)
}

/// How that begins which the harness puts behind the fields: words of hooks, and where the whole of a long output is.
const ADDED: &[&str] = &[
    "\n\n<hook_context>",
    "\n\n[System] Tool input parameters",
    "\n\nOutput too large.",
    "\n</untrusted_context>",
];

type Fields<'t> = [Option<&'t str>; FIELDS.len()];

/// Returns the values of the fields below an output, also where something of the harness's stands behind them.
fn fields(text: &str) -> Fields<'_> {
    let (mut text, mut found) = (text, last_fields(text));
    while found == Fields::default()
        && let Some(at) = ADDED.iter().filter_map(|added| text.rfind(added)).max()
    {
        text = &text[..at];
        found = last_fields(text);
    }
    found
}

/// Returns the values of the fields with which a text ends: what was printed can read like one, but not behind them.
fn last_fields(text: &str) -> Fields<'_> {
    let mut found = [None; FIELDS.len()];
    let mut before = FIELDS.len();
    for line in text.trim_end().lines().rev() {
        let field = FIELDS[..before].iter().position(|name| line.starts_with(name));
        let Some(field) = field else { break };
        found[field] = Some(line[FIELDS[field].len()..].trim());
        before = field;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Text;

    #[test]
    fn a_command_that_was_cut_off_did_not_end_well() {
        let late = "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.";
        let late = format!("{late} Below is the output before it was cancelled:\na ... ok");
        let by_user = "Command was cancelled by user before it could complete.";
        for (text, status) in [
            (late.clone(), Status::Error),
            (format!("<untrusted_context>\n{late}\n</untrusted_context>"), Status::Error),
            (by_user.to_owned(), Status::Interrupted),
            (format!("Output: {late}"), Status::Ok),
        ] {
            let output = vec![Part::Text(Text::from(text.clone()))];
            let mut result = ToolResult::new("c".into(), Status::Ok, output);
            ending(&mut result);
            let code = (status == Status::Ok).then_some(0);
            assert_eq!((result.status, result.exit_code), (status, code), "{text}");
        }
    }

    #[test]
    fn how_a_command_ended_stands_below_its_output() {
        let old = |error: &str, code: &str, signal: &str| {
            format!(
                "Command: x\nDirectory: (root)\nOutput: a\nError: {error}\nExit Code: {code}\nSignal: {signal}\nBackground PIDs: (none)\nProcess Group PGID: 5"
            )
        };
        let cases = [
            ("Output: Exit Code: 7\nExit Code: 3\nProcess Group PGID: 1", (Some(3), false)),
            ("Output: fine\nProcess Group PGID: 1", (Some(0), false)),
            ("Output: Exit Code: 7\ndone\nProcess Group PGID: 1", (Some(0), false)),
            ("Output: a\nExit Code: 7\ndone\nProcess Group PGID: 1", (Some(0), false)),
            ("Output: a\nSignal: 9\nProcess Group PGID: 1", (None, true)),
            ("Exit Code: (none)\nSignal: SIGKILL", (None, true)),
            ("Output: (empty)\nError: spawn sh ENOENT", (None, true)),
            // It printed that itself, and went on.
            ("Output: a\nError: no colour\nProcess Group PGID: 1", (Some(0), false)),
            ("<tool_output_masked>", (None, false)),
            ("Output: a\nExit Code: 101\nProcess Group PGID: 9\n\nSomething new.", (None, false)),
            (
                "Output: a\nExit Code: 101\nProcess Group PGID: 9\n\n<hook_context>lint is fine</hook_context>",
                (Some(101), false),
            ),
            (
                "Output: a\nExit Code: 3\nProcess Group PGID: 9\n</untrusted_context>\n\n<hook_context>fine</hook_context>\n\n[System] Tool input parameters (a) were modified by a hook before execution.",
                (Some(3), false),
            ),
            (
                "<tool_output_masked>\nOutput: a\nExit Code: 101\nProcess Group PGID: 9\n\nOutput too large. Full output available at: /t/x\n</tool_output_masked>",
                (Some(101), false),
            ),
            ("Command moved to background (PID: 5). Output hidden.", (None, false)),
            ("Output: moved to background\nProcess Group PGID: 1", (Some(0), false)),
            (&old("(none)", "0", "0"), (Some(0), false)),
            (&old("(none)", "2", "(none)"), (Some(2), false)),
            (&old("spawn sh ENOENT", "(none)", "(none)"), (None, true)),
            (&old("(none)", "(none)", "SIGTERM"), (None, true)),
        ];
        for (text, want) in cases {
            assert_eq!(told(text), want, "{text}");
        }
    }
}
