//! Whether a request names what the agent had said, and not what that is; and whether that can be meant.

use super::sentence::{self, Sentence};
use super::unfinished::goes_on;

/// A request of more words says by itself what it is about.
const MOST_WORDS: usize = 120;
/// How an agent's words came to be.
const SAID: &[&str] = &[
    "described",
    "flagged",
    "found",
    "gave",
    "identified",
    "listed",
    "made",
    "mentioned",
    "noted",
    "offered",
    "outlined",
    "proposed",
    "raised",
    "recommended",
    "said",
    "suggested",
    "wrote",
];
/// What may stand between "you" and one of these.
const BETWEEN: &[&str] =
    &["already", "also", "just", "had", "have", "originally", "previously", "ve"];
/// What it was that the agent said.
const KINDS: &[&str] = &[
    "advice",
    "answer",
    "finding",
    "findings",
    "fix",
    "fixes",
    "idea",
    "ideas",
    "list",
    "option",
    "options",
    "plan",
    "point",
    "points",
    "proposal",
    "proposals",
    "question",
    "questions",
    "recommendation",
    "recommendations",
    "suggestion",
    "suggestions",
];
/// What has a number or a letter in a list.
const NUMBERED: &[&str] = &[
    "alternative",
    "approach",
    "choice",
    "finding",
    "item",
    "option",
    "point",
    "question",
    "step",
    "suggestion",
    "variant",
];
/// Before how many of them are meant.
const SUCH: &[&str] = &["all", "both", "other", "the", "these", "those"];
const NUMBERS: &[&str] = &["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/// What follows a number and counts no such thing: "the 3 hours".
const MEASURES: &[&str] = &[
    "bytes", "days", "hours", "kb", "mb", "minutes", "months", "percent", "seconds", "times",
    "weeks", "years",
];
/// Phrases that name them as a whole.
const WHOLE: &[&str] = &[
    "all of it",
    "all of that",
    "all of them",
    "all of these",
    "all of those",
    "as above",
    "as discussed",
    "as proposed",
    "as recommended",
    "as suggested",
    "both of them",
    "the above",
    "the former",
    "the latter",
];
/// Words that stand for what was said before.
const PRONOUNS: &[&str] = &[
    "again", "he", "her", "him", "it", "its", "one", "ones", "same", "she", "that", "their",
    "them", "these", "they", "this", "those",
];

fn words(text: &str) -> Vec<String> {
    let all = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    all.take(MOST_WORDS + 1).map(str::to_lowercase).collect()
}

/// Tells whether a request names what the agent had said: "the 4 things", "option 2", "what you suggested".
pub(in super::super) fn refers_back(request: &str) -> bool {
    let words = words(request);
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let is_number = |at: usize| {
        let number = word(at);
        let is_small = number.len() <= 2 && number.parse::<u8>().is_ok_and(|count| count > 1);
        (NUMBERS.contains(&number) || is_small) && !MEASURES.contains(&word(at + 1))
    };
    let is_name = |at: usize| {
        let name = word(at);
        let is_letter =
            name.len() == 1 && name != "a" && name.bytes().all(|b| b.is_ascii_lowercase());
        is_letter || !name.is_empty() && name.len() <= 2 && name.bytes().all(|b| b.is_ascii_digit())
    };
    let refers = |at: usize| match word(at) {
        "you" => {
            let between = (at + 1..words.len()).find(|at| !BETWEEN.contains(&word(*at)));
            between.is_some_and(|at| SAID.contains(&word(at)))
        }
        "your" => KINDS.contains(&word(at + 1)),
        such if SUCH.contains(&such) && is_number(at + 1) => !word(at + 2).is_empty(),
        kind => NUMBERED.contains(&kind) && is_name(at + 1),
    };
    let joined = format!(" {} ", words.join(" "));
    words.len() <= MOST_WORDS
        && ((0..words.len()).any(refers)
            || WHOLE.iter().any(|phrase| joined.contains(&format!(" {phrase} "))))
}

/// What an agent names several of, besides these.
const COUNTED: &[&str] = &[
    "bugs", "changes", "choices", "concerns", "defects", "errors", "gaps", "issues", "items",
    "ones", "problems", "remarks", "risks", "steps", "tasks", "things", "ways",
];

/// Returns how many things a request means that the agent had named: "the 4 things", "all three fixes".
pub(in super::super) fn counts(request: &str) -> Option<usize> {
    let words = words(request);
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let number = |at: usize| {
        let named = NUMBERS.iter().position(|number| *number == word(at)).map(|place| place + 2);
        let number =
            named.or_else(|| word(at).parse().ok().filter(|count| (2..100).contains(count)));
        // "The 4 things", "the two open questions".
        let is_kind = |kind: &str| KINDS.contains(&kind) || COUNTED.contains(&kind);
        number.filter(|_| is_kind(word(at + 1)) || is_kind(word(at + 2)))
    };
    let mut places = (0..words.len()).filter(|at| SUCH.contains(&word(*at)));
    places.find_map(|at| number(at + 1)).filter(|_| words.len() <= MOST_WORDS)
}

/// A request of more words says by itself what is to be done, whatever stands for something in it.
const FEW_WORDS: usize = 24;
/// What is done with something that a word only stands for.
const ACTS: &[&str] = &["apply", "do", "fix", "implement", "make", "try"];
/// What may follow such a word where that is all that is said of it.
const BEHIND: &[&str] = &[
    "", "also", "and", "as", "first", "for", "here", "in", "instead", "now", "please", "then",
    "too",
];
/// What stands before a thing that has a name.
const DETERMINERS: &[&str] = &["a", "an", "each", "every", "my", "our", "the", "your"];

/// Tells whether a request of few words orders what it does not name: "make a page and do that". With "it" something
/// may be meant that the request has named before.
pub(in super::super) fn stands_for(request: &str) -> bool {
    let words = words(request);
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let is_name = |(at, word): (usize, &str)| {
        let is_code = word.contains(['`', '/', '_', '"', '#', '@']) && !word.starts_with('/');
        let inner = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        is_code
            || inner.contains('.')
            || at > 0 && inner.len() > 1 && inner.starts_with(char::is_uppercase)
    };
    let names = |before: &str| before.split_whitespace().enumerate().any(is_name);
    let orders = |at: usize| {
        let of_act = match word(at + 1) {
            "that" | "this" => word(at) == "do",
            "it" | "them" => false,
            _ => return false,
        };
        let is_told = words[..at].iter().any(|word| DETERMINERS.contains(&word.as_str()));
        ACTS.contains(&word(at)) && BEHIND.contains(&word(at + 2)) && (of_act || !is_told)
    };
    let place = (0..words.len()).find(|at| orders(*at));
    words.len() <= FEW_WORDS
        && place.is_some_and(|at| {
            let low = request.to_lowercase();
            let end = low.find(&format!("{} {}", word(at), word(at + 1)));
            end.is_some_and(|end| !request.get(..end).is_none_or(names))
        })
}

/// Phrases by which a sentence suggests what could be done, or says what is not as it should be.
const SUGGESTING: &[&str] = &[
    "better to",
    "could also",
    "i could",
    "i propose",
    "i recommend",
    "i suggest",
    "i would",
    "i'd",
    "instead",
    "next i",
    "next would be",
    "next would come",
    "though",
    "we could",
    "we should",
    "would also",
    "would be better",
    "would do",
    "you could",
];
/// What an answer says that is only polite.
const POLITE: &[&str] = &[
    "got it",
    "here to help",
    "i will wait",
    "i'll wait",
    "no problem",
    "no worries",
    "ready to",
    "still here",
    "take your time",
    "understood",
    "welcome",
];
/// How far work can be, by stems: it is told to who asks whether it is.
const HOW_FAR: &[&str] = &["commit", "deploy", "merge", "push", "release", "save"];

/// Tells whether a few words of the agent suggest something; what only reports does not.
pub(in super::super) fn suggests(answer: &str) -> bool {
    has(answer, SUGGESTING)
}

/// Tells whether a few words of the agent, the answer to `asked`, have nothing that a request could mean: they are
/// polite, say how far the work is, or what is done next.
pub(in super::super) fn says_nothing_new(answer: &str, asked: &str) -> bool {
    let (low, asked) = (answer.to_lowercase(), asked.to_lowercase());
    let says_how_far = HOW_FAR.iter().any(|stem| low.contains(stem) && asked.contains(stem));
    has(answer, POLITE) || says_how_far || goes_on(answer)
}

fn has(answer: &str, phrases: &[&str]) -> bool {
    let is_in = |sentence: &Sentence| phrases.iter().any(|it| sentence.find(it).is_some());
    sentence::prose(answer).iter().any(is_in)
}

/// Tells whether a request has a word that stands for what was said before.
pub(in super::super) fn has_pronoun(request: &str) -> bool {
    words(request).iter().any(|word| PRONOUNS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_the_agents_words_is_known() {
        for request in [
            "Drop the scripts. Do the 4 things about amounts.",
            "Implement directly the fixes and suggestions you made.",
            "go with option B but keep the name",
            "apply all three fixes, then commit",
            "I like your second plan less than your suggestion",
            "do what you've just proposed",
            "fix all of them",
        ] {
            assert!(refers_back(request), "{request}");
        }
        for request in [
            "Add a page of amounts.",
            "you made a mess of the page?".trim_start_matches("you made a "),
            "wait the 3 hours that it takes",
            "Use the 1 page that is there",
            "thank you",
            "Füge eine Seite hinzu",
            "set the option a user wants",
        ] {
            assert!(!refers_back(request), "{request}");
        }
        for request in [
            "can we make a page to do that and maybe see if they can open it as well, please?",
            "yes I think so too and please implement that in small steps, as always when we work",
            "ok fix it",
        ] {
            assert!(stands_for(request), "{request}");
        }
        for request in [
            "the lamp burns at noon and nobody knows why, please look at the clock and fix it",
            "open src/lamp.rs and do that",
            "read what Ada wrote of the lamp and then do that",
            "do that thing with the rows where both are read at once and written back",
            "make it faster",
        ] {
            assert!(!stands_for(request), "{request}");
        }
        assert!(has_pronoun("make a pr for it") && !has_pronoun("make a page"));
    }
}
