//! Options that the agent offered by numbers or letters, and the replies that take one of them.

use super::super::pattern::Pattern;
use super::super::text;
use crate::model::QUESTION_MARKS;

/// The longest reply that is told whole with the option that it takes, in words.
const REPLY_WORDS: usize = 25;
/// How much of an option is told beside such a reply, in characters.
const BESIDE_CHARS: usize = 160;

/// An option by its name, which is a number or a small letter, and its words.
pub(super) type Offered = (String, String);

/// What a reply takes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Picked {
    /// The name of the option.
    pub name: String,
    /// What is told of it.
    pub told: String,
}

/// Returns the options that a text of the agent offers: those of the question with which it ends, else
/// entries that are numbered from 1 or lettered from A.
pub(super) fn offered(before: &str) -> Vec<Offered> {
    let last = before.trim().lines().next_back().unwrap_or_default();
    let asked = if last.contains(QUESTION_MARKS) { in_question(last) } else { Vec::new() };
    if asked.len() > 1 { asked } else { listed(before) }
}

/// How options stand inside a question: "option 1 (…), or option 3 (…)".
static INSIDE: Pattern = Pattern::new(r"\b[Oo]ption (\d{1,2}|[A-Da-d])\**\s*\(");

/// Returns the options that stand inside a question.
fn in_question(line: &str) -> Vec<Offered> {
    let of = |name: &str, from: usize| {
        let inner = line.get(from..)?.split_once('(')?.1;
        let mut depth = 1;
        let end = inner.find(|c| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth == 0
        })?;
        Some((name.to_lowercase(), text::line(&inner[..end], 240)))
    };
    let found = INSIDE.all_groups(line);
    found.filter_map(|one| of(one.at(1)?, one.start(1)?)).collect()
}

/// Returns the entries of a list that are numbered from 1 or lettered from A.
fn listed(before: &str) -> Vec<Offered> {
    let mut found: Vec<Offered> = Vec::new();
    for line in before.lines() {
        // What is asked is no option.
        let told = option(line).filter(|(_, words)| !words.ends_with(QUESTION_MARKS));
        let Some((name, words)) = told else { continue };
        let follows = match found.last() {
            None => matches!(name.as_str(), "1" | "a"),
            Some((last, _)) => after(last) == name,
        };
        match (follows, matches!(name.as_str(), "1" | "a")) {
            (true, _) => found.push((name, words)),
            // A later list is the one that is chosen from.
            (false, true) => found = vec![(name, words)],
            (false, false) => {}
        }
    }
    found
}

/// Returns name and words of a line such as `2. …`, `**Option B** — …` or `- (a) …`.
fn option(line: &str) -> Option<Offered> {
    let bare = line.trim().trim_start_matches(['-', '*', '#', '(', ' ', '|']);
    let rest = bare.strip_prefix("Option ").or_else(|| bare.strip_prefix("option "));
    let rest = rest.unwrap_or(bare);
    let end = rest.find(|c: char| !c.is_alphanumeric())?;
    let (name, words) = rest.split_at(end);
    let marked = words.starts_with(['.', ')', ':', '*']) || bare.len() > rest.len();
    let words = words.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
    let words = words.replace("**", "");
    let says = words.split_whitespace().count() > 0;
    (marked && is_name(name) && says).then(|| (name.to_lowercase(), text::line(&words, 240)))
}

/// Whether a word can be the name of an option.
fn is_name(word: &str) -> bool {
    let is_number = !word.is_empty() && word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    is_number || is_letter(word)
}

fn is_letter(word: &str) -> bool {
    word.len() == 1 && word.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Returns the name that follows another: 2 after 1, b after a.
fn after(name: &str) -> String {
    match name.parse::<u32>() {
        Ok(number) => number.saturating_add(1).to_string(),
        Err(_) => name.chars().map(|c| char::from_u32(u32::from(c) + 1).unwrap_or(c)).collect(),
    }
}

/// Words before the option that say nothing of it.
const LEADS: &[&str] = &[
    "alright", "and", "choose", "do", "fine", "go", "good", "great", "i'd", "i'll", "let's", "no",
    "ok", "okay", "pick", "please", "prefer", "right", "so", "sure", "take", "the", "then", "use",
    "with", "yeah", "yep", "yes", "nimm", "nehmen", "wir", "bitte", "die", "den", "das",
];
/// What an option is called.
const CALLED: &[&str] = &["choice", "number", "option", "opción", "seçenek", "variante"];
/// Words behind the option that add nothing to it.
const FILLERS: &[&str] =
    &["bitte", "choice", "it", "now", "one", "option", "please", "so", "thanks", "then", "way"];
/// What can follow a number that is the name of an option, and not a count of something.
const FOLLOWING: &[&str] = &["aber", "bitte", "but", "instead", "please", "then", "though", "with"];
/// Words with which an option that is named is not taken.
const NOT: &[&str] = &[
    "avoid", "can't", "cannot", "don't", "except", "hate", "nicht", "never", "not", "keine",
    "neither", "won't",
];
/// Names by their place.
const ORDINALS: &[(&str, u32)] = &[
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("erste", 1),
    ("ersten", 1),
    ("zweite", 2),
    ("zweiten", 2),
    ("dritte", 3),
    ("dritten", 3),
];

/// Returns the option that a reply takes before all else, with what the reply says beside that.
pub(super) fn picked(reply: &str, options: &[Offered]) -> Option<Picked> {
    let words: Vec<&str> = reply.split_whitespace().take(REPLY_WORDS + 1).collect();
    if words.is_empty() || words.len() > REPLY_WORDS || reply.contains(QUESTION_MARKS) {
        return None;
    }
    let low: Vec<String> = words.iter().map(|word| bare(word)).collect();
    let called = low.iter().take(4).position(|word| CALLED.contains(&word.as_str()));
    let lead = low.iter().take_while(|word| LEADS.contains(&word.as_str())).count();
    let at = called.map_or(lead, |called| called + 1);
    let name = name_at(&words, &low, at, called.is_some())?;
    // Of several, or of what is not wanted, none is taken.
    let is_other = |word: &String| is_name(word) && !is_letter(word) && *word != name;
    if low.iter().any(is_other) || low.iter().take(at).any(|word| NOT.contains(&word.as_str())) {
        return None;
    }
    let own = options.iter().find(|(other, _)| *other == name).map(|(_, words)| words);
    let adds = |word: &String| {
        let known = |list: &[&str]| list.contains(&word.as_str());
        let is_own = || own.is_some_and(|own| own.to_lowercase().contains(word.as_str()));
        !word.is_empty() && !known(FILLERS) && !is_own()
    };
    let adds_before = |word: &String| adds(word) && !LEADS.contains(&word.as_str());
    let before = called.unwrap_or(lead).min(low.len());
    let more = low[..before].iter().any(adds_before) || low.iter().skip(at + 1).any(adds);
    let told = match (own, more) {
        (Some(own), false) => format!("option {name}: {own}"),
        (Some(own), true) => {
            let (own, reply) = (text::line(own, BESIDE_CHARS), text::line(reply, 300));
            format!("option {name} ({own}), in the user's words: {reply}")
        }
        // What it stands for is told with the question.
        (None, false) if called.is_some() && options.len() < 2 => format!("option {name}"),
        (None, _) => return None,
    };
    Some(Picked { name, told })
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'")
}

/// Returns the name of the option that stands at a word of a reply, if one surely does.
fn name_at(words: &[&str], low: &[String], at: usize, is_called: bool) -> Option<String> {
    let (word, name) = (words.get(at)?, low.get(at)?);
    let next = low.get(at + 1).map(String::as_str);
    let follows = |list: &[&str]| next.is_none_or(|next| list.contains(&next));
    if let Some((_, number)) = ORDINALS.iter().find(|(ordinal, _)| ordinal == name) {
        let is_the = || at > 0 && matches!(low[at - 1].as_str(), "the" | "die" | "den" | "das");
        let is_one = follows(FILLERS) || word.ends_with([',', '.']);
        return (is_one && (is_the() || next.is_some_and(|it| it == "one")))
            .then(|| number.to_string());
    }
    let is_marked = word.ends_with(['.', ',', ')', ':', ';', '!']);
    // "a" is a word as well.
    let is_word = name == "a" && next.is_some() && !is_marked;
    let is_sure = is_called || is_marked || (follows(FOLLOWING) && !is_word);
    (is_name(name) && is_sure).then(|| name.clone())
}

/// Says that something will not do.
const WILL_NOT: &[&str] =
    &["cannot", "can't", "won't", "impossible", "not possible", "doesn't work", "does not work"];

/// How many words an option has at least by which a list of options is known again.
const TELLING_WORDS: usize = 3;

/// Whether what the agent said before a later choice withdraws the option `name` of `earlier`: it will not do
/// and is no more among those to choose from, or the same is asked again.
pub(super) fn is_withdrawn(before: &str, name: &str, earlier: &[Offered], now: &[Offered]) -> bool {
    let called = format!("option {name}");
    let low = before.to_lowercase();
    let withdrawn = low.lines().flat_map(|line| line.split_inclusive(['.', '!', '?'])).any(|it| {
        let at = it.find(&called).map(|at| at + called.len());
        let is_it = |at: &usize| !it[*at..].starts_with(char::is_alphanumeric);
        at.filter(is_it).is_some() && WILL_NOT.iter().any(|cue| it.contains(cue))
    });
    let tells = |one: &&Offered| one.1.split_whitespace().count() >= TELLING_WORDS;
    let again = now.iter().filter(|one| earlier.contains(one)).filter(tells).count() > 1;
    (withdrawn && now.iter().all(|(other, _)| other != name)) || again
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(reply: &str, options: &[Offered]) -> Option<String> {
        picked(reply, options).map(|picked| picked.told)
    }

    #[test]
    fn options_are_found_by_number_and_letter() {
        let before = "Two ways:\n1. **Delete it** now\n2. Keep it\n\nWhich one?";
        let all = offered(before);
        assert_eq!(all[1], ("2".to_owned(), "Keep it".to_owned()));
        let lettered = offered("**Option A — one file**\n**Option B** two files");
        assert_eq!(lettered[0], ("a".to_owned(), "one file".to_owned()));
        assert_eq!(lettered[1].1, "two files");
        assert_eq!(told("option 2.", &all).as_deref(), Some("option 2: Keep it"));
        let first = Some("option 1: Delete it now".to_owned());
        for reply in ["ok, go with option 1", "1", "1 please", "the first one", "Die erste bitte"] {
            assert_eq!(told(reply, &all), first, "{reply}");
        }
        assert_eq!(told("b please", &lettered).as_deref(), Some("option b: two files"));
        for reply in [
            "option 3",
            "is option 2 faster?",
            "2 tests fail",
            "2 for loops are slow",
            "first run it",
            "a test",
            "1, 2",
            "1 and 2",
            "not option 2",
            "i hate option 2",
            "1. postgres 2. port 8080",
        ] {
            assert_eq!(told(reply, &all), None, "{reply}");
        }
        assert_eq!(told("a test fails", &lettered), None);
    }

    #[test]
    fn options_inside_a_question_are_those_that_are_asked_for() {
        let before = "1. Edit\n2. Add\n3. Drop\n\nDo you want option 1 (edit it (here)), or option 3 (drop it, file it)?";
        let all = offered(before);
        let named = |name: &str, words: &str| (name.to_owned(), words.to_owned());
        assert_eq!(all, [named("1", "edit it (here)"), named("3", "drop it, file it")]);
        assert_eq!(told("option 3.", &all).as_deref(), Some("option 3: drop it, file it"));
    }

    #[test]
    fn what_a_reply_adds_to_an_option_is_told_with_it() {
        let all = offered("1. one UPDATE\n2. batches of 5000 by a job\n\nWhich one?");
        for reply in [
            "option 2, but 1000 rows",
            "2. and do not drop the old column in this release",
            "2, for we have one node only",
            "2, but with 1000 rows",
            "I'd say option 2 with a lock",
        ] {
            let whole =
                format!("option 2 (batches of 5000 by a job), in the user's words: {reply}");
            assert_eq!(told(reply, &all), Some(whole));
        }
        let plain = Some("option 2: batches of 5000 by a job".to_owned());
        assert_eq!(told("option 2: batches please", &all), plain);
        // What an option stands for may be in the question alone.
        assert_eq!(told("option 2.", &[]).as_deref(), Some("option 2"));
        assert_eq!(told("2.", &[]), None);
    }

    #[test]
    fn an_option_that_will_not_do_is_withdrawn() {
        let before = "So **option 2 cannot work**. Take option 1 or option 3?";
        assert!(is_withdrawn(before, "2", &[], &[]));
        assert!(!is_withdrawn(before, "1", &[], &[]));
        assert!(!is_withdrawn("option 21 cannot work", "2", &[], &[]));
        let all = offered("1. one\n2. two\n\nWhich?");
        assert!(!is_withdrawn("It is so:", "2", &all, &all));
        let all = offered("1. keep the old table\n2. drop it at once\n\nWhich?");
        assert!(is_withdrawn("It is so:", "2", &all, &all));
        // Of a new list it says something else.
        assert!(!is_withdrawn(before, "2", &[], &all));
        assert!(offered("1. Which database?\n2. Which port?").is_empty());
    }
}
