//! What a call printed, without what the harness put around it.

use std::borrow::Cow;

use super::content::MASK_TAG;
use super::result::answer;
use super::shell::{FIELDS, unwrapped};

/// What stands in a field in which nothing came out.
const NOTHING: &str = "(empty)";

/// Returns what a call printed, where something stands around it: tags, fields of which one is the output, or of what
/// an agent answered, why that ended.
pub(super) fn printed(output: &str) -> Option<Cow<'_, str>> {
    let whole = output.trim();
    let text = unmasked(unwrapped(whole));
    let inner = field(text).or_else(|| answer(text).map(Cow::Borrowed));
    inner.or_else(|| (text.len() < whole.len()).then_some(Cow::Borrowed(text)))
}

fn unmasked(text: &str) -> &str {
    let inner = || text.strip_prefix(MASK_TAG)?.strip_suffix("</tool_output_masked>");
    inner().map_or(text, str::trim)
}

/// Returns the field of an output that is told in fields, or the two for what went to each stream; one that failed
/// keeps what stands there of its error.
fn field(output: &str) -> Option<Cow<'_, str>> {
    let behind = |name: &str| output.split_once(name).map(|(_, rest)| rest);
    let has_more = output.starts_with("Command: ");
    let only = if has_more { behind("\nOutput: ") } else { output.strip_prefix("Output: ") };
    if let Some(printed) = only {
        let printed = above_fields(printed)?;
        let bare =
            printed.strip_prefix(NOTHING).filter(|rest| rest.is_empty() || rest.starts_with('\n'));
        return Some(Cow::Borrowed(bare.map_or(printed, str::trim_start)));
    }
    let (printed, beside) = behind("\nStdout: ").filter(|_| has_more)?.rsplit_once("\nStderr: ")?;
    let filled = |text| if text == NOTHING { "" } else { text };
    Some(match (filled(printed.trim_end()), filled(above_fields(beside)?)) {
        (printed, "") => Cow::Borrowed(printed),
        ("", beside) => Cow::Borrowed(beside),
        (printed, beside) => Cow::Owned(format!("{printed}\n{beside}")),
    })
}

/// Returns what stands above the fields behind an output, and of an error what that is; nothing where there are none.
fn above_fields(field: &str) -> Option<&str> {
    let [_, behind @ ..] = FIELDS;
    let whole = field.trim_end();
    let mut field = whole;
    while let Some((before, last)) = field.rsplit_once('\n')
        && (behind.iter().any(|name| last.starts_with(name)) || last == "Error: (none)")
    {
        field = before;
    }
    (field.len() < whole.len()).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::printed;

    fn told(output: &str) -> String {
        printed(output).unwrap_or(output.into()).into_owned()
    }

    #[test]
    fn outputs_that_are_told_in_fields_are_unwrapped() {
        let behind = "Exit Code: 3\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 5";
        let whole = |error: &str| {
            format!("Command: ls\nDirectory: (root)\nOutput: one\ntwo\nError: {error}\n{behind}")
        };
        assert_eq!(told(&whole("(none)")), "one\ntwo");
        assert_eq!(told(&whole("no such\nfile")), "one\ntwo\nError: no such\nfile");
        assert_eq!(
            told("<untrusted_context>\nOutput: oops\nExit Code: 3\n</untrusted_context>"),
            "oops"
        );
        assert_eq!(told("Output: (empty)\nProcess Group PGID: 1"), "");
        assert_eq!(told("Output: (empty) set\nProcess Group PGID: 1"), "(empty) set");
        assert_eq!(told("Output: a.out\nwritten"), "Output: a.out\nwritten");
        let none = "Output: (empty)\nError: no such shell\nProcess Group PGID: 1";
        assert_eq!(told(none), "Error: no such shell");
        let streams = |out: &str, err: &str| {
            told(&format!(
                "Command: ls\nDirectory: (root)\nStdout: {out}\nStderr: {err}\nError: (none)\n{behind}"
            ))
        };
        assert_eq!(streams("one\ntwo\n", "(empty)"), "one\ntwo");
        assert_eq!(streams("(empty)", "no"), "no");
        assert_eq!(streams("one", "no"), "one\nno");
    }

    #[test]
    fn tags_around_all_of_an_output_are_taken_off() {
        assert_eq!(told("<untrusted_context>\nhi\n</untrusted_context>"), "hi");
        assert_eq!(told("<tool_output_masked>\nhi\n</tool_output_masked>"), "hi");
        assert_eq!(told("<p>\nhi\n</p>"), "<p>\nhi\n</p>");
    }

    #[test]
    fn what_an_agent_answered_is_told_without_why_it_ended() {
        let answer = "Subagent 'a' finished.\nTermination Reason: GOAL\nResult:\nIt is in one.rs.";
        assert_eq!(told(answer), "It is in one.rs.");
        assert_eq!(told("It ran.\nResult:\n3 passed"), "It ran.\nResult:\n3 passed");
    }
}
