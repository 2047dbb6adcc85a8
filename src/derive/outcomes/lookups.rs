//! Look-ups that failed and brought what was wanted in another way.

use std::collections::HashSet;

use super::{acts, sounds};
use crate::derive::shell;
use crate::derive::timeline::{Done, Timeline};

/// Programs that get what stands at an address.
const FETCHING: &[&str] = &["curl", "wget"];
/// How options of those begin by which they send something.
const SENDING: &[&str] = &[
    "--body",
    "--data",
    "--form",
    "--json",
    "--method",
    "--post",
    "--request",
    "--upload",
    "-F",
    "-T",
    "-X",
    "-d",
];
/// Methods by which they only get something, and how these stand in one word.
const GETTING: &[&str] =
    &["--get", "--method=GET", "--request=GET", "-G", "-XGET", "-XHEAD", "GET", "HEAD"];
/// Programs that ask another machine, and the place of the word that says what they do, from 0; without one it
/// is any before the first option.
const ASKING: &[(&str, Option<usize>)] = &[
    ("aws", Some(1)),
    ("az", None),
    ("gcloud", None),
    ("gh", Some(1)),
    ("glab", Some(1)),
    ("kubectl", None),
];
/// Words by which they only read, and how others of that kind begin.
const READING: &[&str] = &[
    "cat", "describe", "diff", "download", "explain", "get", "list", "logs", "ls", "read", "show",
    "status", "tail", "top", "trace", "version", "view",
];
const READING_STARTS: &[&str] = &["describe-", "filter-", "get-", "head-", "list-", "lookup-"];
/// Options by which a call of an interface sends something.
const SENDING_FIELDS: &[&str] =
    &["--field", "--input", "--method", "--raw-field", "-F", "-X", "-f"];
/// Options with a value that may stand before the word that says what is done.
const VALUED: &[&str] = &[
    "--context",
    "--kubeconfig",
    "--namespace",
    "--output",
    "--profile",
    "--project",
    "--region",
    "--repo",
    "-R",
    "-n",
    "-o",
];
/// How many options of one letter stand in one word at most.
const MOST_LETTERS: usize = 6;
/// Programs that keep others in several versions, and the verbs by which they only say which are there.
const MANAGERS: &[&str] =
    &["asdf", "fnm", "jenv", "mise", "nodenv", "nvm", "pyenv", "rbenv", "rustup", "sdk", "volta"];
const LOOKING: &[&str] = &[
    "current",
    "list",
    "ls",
    "ls-remote",
    "show",
    "version",
    "versions",
    "where",
    "whence",
    "which",
];
/// Within how many more calls another look-up is for the same.
const NEAR: usize = 3;

/// Whether a program that keeps others was only asked which are there.
pub(in crate::derive) fn asks_manager(program: &str, verb: &str) -> bool {
    MANAGERS.contains(&program) && LOOKING.contains(&verb)
}

/// Whether a call only asked for something, and one soon after it that worked asked for most of the same.
pub(in crate::derive) fn was_found_otherwise(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    let parts = timeline.parts(done);
    let line = done.command().unwrap_or_default();
    let finds = |later: &Done<'_>| {
        let later = later.command().filter(|_| later.worked()).unwrap_or_default();
        shell::raw(later).iter().any(|(part, _)| only_asks(part)) && asks_the_same(line, later)
    };
    !parts.is_empty()
        && parts.iter().all(|part| only_asks(part))
        && timeline.done().skip(done.index + 1).take(NEAR).any(|later| finds(&later))
}

/// Whether one line asks for what stands at all addresses of another, or for most of its numbers and names.
fn asks_the_same(line: &str, later: &str) -> bool {
    let (wanted, asked) = (addresses(line), addresses(later));
    if !wanted.is_empty() {
        return wanted.iter().all(|one| asked.iter().any(|other| other.holds(one)));
    }
    let (wanted, asked) = (literals(line), literals(later));
    wanted.intersection(&asked).count() * 2 > wanted.len()
}

/// A place on another machine, and what is asked there.
struct Address<'l> {
    place: &'l str,
    /// The fields of its query.
    query: HashSet<&'l str>,
}

impl<'l> Address<'l> {
    /// Reads it from what stands behind how it is got.
    fn of(rest: &'l str) -> Self {
        let rest = rest.split('#').next().unwrap_or(rest);
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let fields = query.split('&').filter(|field| !field.is_empty());
        Self { place: place.trim_end_matches('/'), query: fields.collect() }
    }

    /// Whether it asks at the same place for no other thing: more fields may only say more of it.
    fn holds(&self, wanted: &Self) -> bool {
        self.place == wanted.place && wanted.query.is_subset(&self.query)
    }
}

/// Returns the addresses on a line, without how they are got.
fn addresses(line: &str) -> Vec<Address<'_>> {
    let words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    words.filter_map(|word| word.split_once("://")).map(|(_, rest)| Address::of(rest)).collect()
}

/// Whether a command asks another machine for something and changes nothing there.
pub(in crate::derive) fn only_asks(part: &str) -> bool {
    let mut words = shell::led(part);
    let program = words.next().unwrap_or_default();
    let words: Vec<&str> = words.collect();
    let reads = match ASKING.iter().find(|(name, _)| *name == program) {
        Some((_, place)) => reads(&words, *place),
        None => FETCHING.contains(&program) && !sends(&words),
    };
    reads && !acts::has_verb(part) && !sounds::sounds_like_a_check(part)
}

/// Whether the words behind a program that gets something have it send something; several options may stand in one.
pub(in crate::derive) fn sends(words: &[&str]) -> bool {
    let sends = |word: &&str| {
        let holds = letters(word)
            .is_some_and(|it| it.contains(['F', 'T', 'X']) && it.len() <= MOST_LETTERS);
        holds || SENDING.iter().any(|option| word.starts_with(option))
    };
    !only_gets(words) && words.iter().any(sends)
}

/// Whether the words of a call of an interface have it send something: a field alone does.
pub(in crate::derive) fn sends_fields(words: &[&str]) -> bool {
    let name = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
    let is_field = |word: &&str| SENDING_FIELDS.contains(&name(word).as_str());
    sends(words) || !only_gets(words) && words.iter().any(is_field)
}

/// Returns the letters of options that stand in a word.
fn letters<'w>(word: &&'w str) -> Option<&'w str> {
    word.strip_prefix('-').filter(|letters| !letters.starts_with('-'))
}

/// Whether words say by which method something is got, whatever else is given.
fn only_gets(words: &[&str]) -> bool {
    let is_method = |word: &&str| {
        matches!(*word, "--request" | "--method")
            || letters(word).is_some_and(|it| it.ends_with('X'))
    };
    // Beside a method of another name that only says where the fields go.
    let names_one = |word: &&str| {
        is_method(word) || letters(word).is_some_and(|it| it.contains('X')) || *word == "-T"
    };
    let is_get = |word: &&str| matches!(*word, "-G" | "--get");
    let says = |word: &&str| GETTING.contains(word) && word.starts_with('-') && !is_get(word);
    words.windows(2).any(|pair| is_method(&pair[0]) && GETTING.contains(&pair[1]))
        || words.iter().any(says)
        || words.iter().any(is_get) && !words.iter().any(names_one)
}

/// Whether the words of a command say that it only reads: the one at `place`, or any before the first option.
fn reads(words: &[&str], place: Option<usize>) -> bool {
    let (mut plain, mut options) = (Vec::new(), Vec::new());
    let mut is_value = false;
    for word in words.iter().copied() {
        match word.starts_with('-') {
            true => options.push(word),
            false if is_value => {}
            // What stands behind an option may be its value.
            false if options.iter().all(|option| VALUED.contains(option)) => plain.push(word),
            false => {}
        }
        is_value = VALUED.contains(&word);
    }
    let does_read = |word: &&str| {
        READING.contains(word) || READING_STARTS.iter().any(|start| word.starts_with(start))
    };
    match (plain.first(), place) {
        (Some(&"api"), Some(_)) => !sends_fields(words),
        (Some(&"search" | &"status"), Some(_)) => true,
        (_, Some(place)) => plain.get(place).is_some_and(does_read),
        // What is read is named behind that: a thing may be called like any word.
        (_, None) => plain.iter().take(MOST_BEFORE).any(does_read),
    }
}

/// Behind how many words stands the last that says what is done.
const MOST_BEFORE: usize = 4;

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
        for part in [
            "gh pr view $n",
            "do gh api repos/a/b/pulls/533",
            "gh --repo a/b run view 533 --log",
            "curl -s http://a.test/x",
            "curl -sX GET http://a.test/x",
            "curl -XGET http://a.test/x -d @query.json",
            "curl -G http://a.test/x --data-urlencode q=1",
            "gh api -X GET search/issues -f q=x",
            "kubectl -n a get pods",
            "kubectl logs deployment/a",
            "aws --region x ec2 describe-instances",
            "gcloud compute instances list",
            "az vm show -n a",
        ] {
            assert!(only_asks(part), "{part}");
        }
        for part in [
            "gh pr create --title x",
            "gh api repos/a/b/pulls/533 -X PATCH",
            "curl --data=x http://a.test",
            "curl -XPOST http://a.test/deploy -d a=1 -G",
            "gh api repos/a/b/issues --input a.json",
            "gh pr checks 533",
            "gh run rerun 533",
            "gh release upload v1 a.zip",
            "gh secret set A -b view",
            "gh issue close 12",
            "kubectl -n list scale deployment/a --replicas=2",
            "gcloud compute instances stop vm-1",
            "aws s3 rm s3://a/b",
            "curl -sfT a.zip http://a.test/x",
            "curl -XPOST http://a.test/x",
            "curl -sX POST http://a.test/GET",
            "gh api repos/a/b/issues -f title=GET",
            "cargo test",
        ] {
            assert!(!only_asks(part), "{part}");
        }
    }

    #[test]
    fn another_page_of_a_machine_is_not_the_same() {
        let first = "curl -sf http://localhost:8080/api/orders";
        assert!(!asks_the_same(first, "curl -s http://localhost:8080/health"));
        assert!(asks_the_same(first, "wget -qO- 'http://localhost:8080/api/orders/?page=1'"));
        let first = "curl -sf 'http://localhost:8080/api/order?id=1&full=yes#top'";
        assert!(!asks_the_same(first, "curl -s 'http://localhost:8080/api/order?id=2&full=yes'"));
        assert!(!asks_the_same(first, "curl -s http://localhost:8080/api/order"));
        assert!(asks_the_same(first, "curl -s 'http://localhost:8080/api/order?full=yes&id=1'"));
    }

    #[test]
    fn numbers_and_names_tell_what_is_asked_for() {
        let told = literals("for n in 533 534; do gh pr view $n --json title 2>&1; done");
        assert_eq!(told, HashSet::from(["533", "534"]));
        assert!(literals("gh api repos/a/b/pulls/533").contains("533"));
    }
}
