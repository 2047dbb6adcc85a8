//! What went wrong in a run, on one line that is the same the next time.

use std::sync::LazyLock;

use regex::Regex;

use super::recognise::Failing;
use crate::derive::text;

/// The lines by which a program says in a fixed form what went wrong, the surest first.
static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let forms = [
        // Exceptions of Python end a traceback.
        r"(?m)^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|NotFound|Interrupt): \S.*$",
        // Exceptions of JavaScript and of the JVM, also uncaught ones.
        r"(?m)^(?:Uncaught )?(?:[\w.$]+\.)?\w*(?:Error|Exception)(?: \[\w+\])?: \S.*$",
        r"(?m)^thread '[^'\n]*'(?: \(\d+\))? panicked at .*(?:\n.*)?$",
        r"(?m)^error(?:\[\w+\])?: \S.*$",
        r"(?m)^[^\s:]+:\d+(?::\d+)?: (?:fatal )?error:? \S.*$",
        r"(?m)^panic: \S.*$",
        r"(?m)^(?:npm|pnpm|yarn) (?:ERR!|error) \S.*$",
    ];
    forms.iter().filter_map(|form| Regex::new(form).ok()).collect()
});

/// What differs from run to run: times, addresses, long numbers, digests.
static CHANGING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = r"0x[0-9a-fA-F]+|\b[0-9a-f]{12,}\b|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*|\b\d{4,}\b|:\d+:\d+\b|\b[\d.]+m?s\b";
    Regex::new(forms).ok()
});

/// The longest signature, in characters.
const LONGEST: usize = 200;

/// Returns the signature of a failed run, if something in a fixed form tells it.
pub(super) fn signature(failing: &[Failing], output: &str) -> Option<String> {
    if let Some(first) = failing.first() {
        return Some(normal(&first.id));
    }
    let found = FORMS.iter().find_map(|form| form.find(output))?;
    Some(normal(found.as_str()))
}

/// Takes out what differs from run to run.
fn normal(line: &str) -> String {
    let steady = CHANGING.as_ref().map(|regex| regex.replace_all(line, "…"));
    text::line(steady.as_deref().unwrap_or(line), LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_compiles() {
        assert_eq!(FORMS.len(), 7);
        assert!(CHANGING.is_some());
    }

    #[test]
    fn the_surest_line_is_taken_without_what_changes() {
        let trace = "error: see below\nTraceback (most recent call last):\n  File \"a.py\", line 3\nValueError: no id 123456 at 0x7f3a\n";
        assert_eq!(signature(&[], trace).as_deref(), Some("ValueError: no id … at …"));
        assert_eq!(signature(&[], "it went wrong\nsome error here\n"), None);
        let failing = [Failing { id: "parser::empty".to_owned(), why: None }];
        assert_eq!(signature(&failing, trace).as_deref(), Some("parser::empty"));
    }
}
