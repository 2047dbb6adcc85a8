//! The message that most failures of a run share, and whether what it tells of lies in the environment.

use std::collections::HashMap;

use super::recognise::Failing;
use super::signature;
use crate::derive::pattern::Pattern;

/// How programs tell why a test failed, by the group `why`, the surest first.
static FORMS: [Pattern; 4] = [
    Pattern::new(r"^thread '[^'\n]*'(?: \(\d+\))? panicked at [^\n]*:\n(?P<why>[^\n]+)"),
    // What the shortest summary tells stands above it, too.
    Pattern::new(r"^E {1,7}(?P<why>(?:[\w.]*(?:Error|Exception)|assert)\b[^\n]*)"),
    Pattern::new(r"^ *(?P<why>(?:[\w.$]*(?:Error|Exception))(?: \[\w+\])?: [^\s][^\n]*)"),
    Pattern::new(r"^ +\w+_test\.go:\d+: (?P<why>[^\n]+)"),
];

/// How an operating system says that it does not let a program do something, in lower case; that a file may
/// not be read or written is told in other words.
const REFUSED: &[&str] = &[
    "operation not permitted",
    "eperm",
    "network is unreachable",
    "enetunreach",
    "sandbox: deny",
    "blocked by the sandbox",
    "denied by the sandbox",
];

/// A message that most failures of a run share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::derive) struct Common {
    /// The message, without what changes from run to run.
    pub message: String,
    /// How often it is told.
    pub count: usize,
}

impl Common {
    /// Finds the message that more than half of `failed` tests share, where that are several.
    pub(super) fn of(failing: &[Failing], failed: usize, output: &str) -> Option<Self> {
        if failed < 2 {
            return None;
        }
        let whys = failing.iter().filter_map(|one| one.why.as_deref());
        let by_name = most(whys).filter(|common| common.is_most_of(failed));
        let told = |form: &'static Pattern| {
            let whys = form.all_groups(output).filter_map(|found| found.named("why"));
            most(whys).filter(|common| common.is_most_of(failed))
        };
        by_name.or_else(|| FORMS.iter().find_map(told))
    }

    fn is_most_of(&self, failed: usize) -> bool {
        self.count > 1 && self.count * 2 > failed
    }
}

/// Returns the message that is told most often, of several the first.
fn most<'w>(whys: impl Iterator<Item = &'w str>) -> Option<Common> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for (at, why) in whys.enumerate() {
        counts.entry(signature::normal(why.trim())).or_insert((0, usize::MAX - at)).0 += 1;
    }
    let best = counts.into_iter().max_by_key(|(_, rank)| *rank)?;
    Some(Common { message: best.0, count: best.1.0 })
}

/// Whether a message says that the environment of a run did not let it do something, which no change of a file
/// mends.
pub(super) fn is_refusal(message: &str) -> bool {
    let low = message.to_lowercase();
    let is_word = |at: usize, form: &str| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !low[..at].ends_with(is_part) && !low[at + form.len()..].starts_with(is_part)
    };
    REFUSED.iter().any(|form| low.match_indices(form).any(|(at, _)| is_word(at, form)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common(failed: usize, output: &str) -> Option<(String, usize)> {
        Common::of(&[], failed, output).map(|common| (common.message, common.count))
    }

    #[test]
    fn every_form_compiles() {
        assert!(FORMS.iter().all(Pattern::is_sound));
    }

    #[test]
    fn the_message_that_most_share_is_found() {
        let thread = |name: &str, why: &str| {
            format!("thread '{name}' (77) panicked at src/a.rs:3:5:\n{why}\nnote: run with x\n")
        };
        let (port, other) = ("no port: Operation not permitted", "assertion failed: x");
        let output = [thread("a", other), thread("b", port), thread("c", port)].concat();
        assert_eq!(common(3, &output), Some((port.to_owned(), 2)));
        assert_eq!(common(4, &output), None);
        assert_eq!(common(1, &output), None);
        let pytest = "E       OSError: no page\nE       OSError: no page\n";
        assert_eq!(common(2, pytest), Some(("OSError: no page".to_owned(), 2)));
        let go = "    a_test.go:3: no page\n    b_test.go:14: no page\n";
        assert_eq!(common(2, go), Some(("no page".to_owned(), 2)));
        let why = |why: &str| Failing { id: why.to_owned(), why: Some("no page".to_owned()) };
        let named = Common::of(&[why("a"), why("b")], 2, pytest);
        assert_eq!(named.map(|common| common.message).as_deref(), Some("no page"));
    }

    #[test]
    fn what_the_environment_refused_is_told_from_what_a_file_does() {
        for message in [
            "PermissionError: [Errno 1] Operation not permitted",
            "Error: listen EPERM: operation not permitted 127.0.0.1",
            "dial tcp 192.0.2.1:443: connect: network is unreachable",
        ] {
            assert!(is_refusal(message), "{message}");
        }
        for message in [
            "PermissionError: [Errno 13] Permission denied: 'a.txt'",
            "AssertionError: expected the operation to be permitted",
            "TypeError: x.tEPERMs is not a function",
        ] {
            assert!(!is_refusal(message), "{message}");
        }
    }
}
