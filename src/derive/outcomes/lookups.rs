//! Look-ups that failed and brought what was wanted in another way.

use std::collections::HashSet;

use super::absent::PREFIXES;
use super::{acts, sounds};
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// Programs that ask another machine.
const ASKING: &[&str] = &["aws", "az", "curl", "gcloud", "gh", "glab", "kubectl", "wget"];
/// Options by which they do more than ask.
const CHANGING: &[&str] = &[
    "--data",
    "--field",
    "--form",
    "--method",
    "--raw-field",
    "--request",
    "-F",
    "-X",
    "-d",
    "-f",
];
/// Words by which they ask how a check stands: that it failed is an answer.
const CHECKING: &[&str] = &["checks", "watch"];
/// Within how many more calls another look-up is for the same.
const NEAR: usize = 3;

/// Whether a call only asked for something, and one soon after it that worked asked for most of the same.
pub(in crate::derive) fn was_found_otherwise(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let parts = timeline.parts(done);
    let wanted = done.command().map(literals).unwrap_or_default();
    let finds = |later: &Done<'_>| {
        let line = later.command().filter(|_| later.worked()).unwrap_or_default();
        let asked = literals(line);
        shell::raw(line).iter().any(|(part, _)| asks(part))
            && wanted.intersection(&asked).count() * 2 > wanted.len()
    };
    !parts.is_empty()
        && parts.iter().all(|part| asks(part))
        && timeline.done().skip(done.index + 1).take(NEAR).any(|later| finds(&later))
}

/// Whether a command asks another machine for something and changes nothing there.
fn asks(part: &str) -> bool {
    let mut words = part.split_whitespace().skip_while(|word| PREFIXES.contains(word));
    let is_asking = words.next().is_some_and(|program| ASKING.contains(&program));
    let is_more = |word: &str| {
        let name = word.split('=').next().unwrap_or_default();
        CHANGING.contains(&name) || CHECKING.contains(&name)
    };
    is_asking
        && !words.any(is_more)
        && !acts::does_something(part)
        && !sounds::sounds_like_a_check(part)
}

/// Returns the numbers and names on a line by which something is asked for.
fn literals(line: &str) -> HashSet<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let words = line.split(|c| !is_part(c)).map(|word| word.trim_matches(['.', '-']));
    let tells = |word: &&str| {
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        word.len() > 1 && has_digit || word.len() > 3 && word.contains(['.', '_'])
    };
    words.filter(tells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_nothing_asks() {
        for part in ["gh pr view $n", "do gh api repos/a/b/pulls/533", "curl -s http://a.test/x"] {
            assert!(asks(part), "{part}");
        }
        for part in [
            "gh pr create --title x",
            "gh api repos/a/b/pulls/533 -X PATCH",
            "curl --data=x http://a.test",
            "gh pr checks 533",
            "cargo test",
        ] {
            assert!(!asks(part), "{part}");
        }
    }

    #[test]
    fn numbers_and_names_tell_what_is_asked_for() {
        let told = literals("for n in 533 534; do gh pr view $n --json title 2>&1; done");
        assert_eq!(told, HashSet::from(["533", "534"]));
        assert!(literals("gh api repos/a/b/pulls/533").contains("533"));
    }
}
