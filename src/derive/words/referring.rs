//! Whether a request names what the agent had said, and not what that is; and whether that can be meant.

use super::sentence::{self, Sentence, Word};
use super::unfinished::goes_on_with;
use crate::model::QUESTION_MARKS;

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

/// Returns the numbers of entries of a list that words name: "item 4".
pub(in super::super) fn numbered(text: &str) -> Vec<u32> {
    let words = words(text);
    let is_kind = |word: &str| NUMBERED.contains(&word.trim_end_matches('s'));
    let pairs = words.windows(2).filter(|pair| is_kind(&pair[0]) && pair[1].len() <= 2);
    pairs.filter_map(|pair| pair[1].parse().ok()).collect()
}

/// A request of more words says by itself what is to be done, whatever stands for something in it.
const FEW_WORDS: usize = 24;
/// What is done with something that a word only stands for.
const ACTS: &[&str] = &["apply", "do", "fix", "implement", "make", "try"];
/// What such an act makes, where nobody says of what.
const EDITS: &[&str] = &["changes", "edits", "fixes"];
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
    let makes = |at: usize| {
        let made = word(at + 1) == "the" && EDITS.contains(&word(at + 2));
        made && BEHIND.contains(&word(at + 3))
    };
    let orders = |at: usize| {
        let of_act = match word(at + 1) {
            "that" | "this" => word(at) == "do",
            "it" | "them" => false,
            "the" => return ACTS.contains(&word(at)) && makes(at),
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
    "next i",
    "next would be",
    "next would come",
    "though",
    "we could",
    "we should",
    "would also",
    "would be better",
    "you could",
];
/// By which "instead" says what could be, and not what was done.
const POSSIBLE: &[&str] = &["can", "could", "should", "would"];
/// What a sentence says that is only polite.
const POLITE: &[&str] = &[
    "here to help",
    "i am ready",
    "i will wait",
    "i'll wait",
    "i'm ready",
    "i'm still here",
    "let me know",
    "no problem",
    "no worries",
    "take your time",
    "you are welcome",
    "you're welcome",
];
/// One of more words says something besides.
const POLITE_WORDS: usize = 14;
/// How a sentence begins that only leads to the next one.
const LEADING: &[&str] = &["i now have", "i now see", "now i can see", "now i have", "now i see"];
/// Sentences of no more words are only a nod.
const NODDING_WORDS: usize = 3;
/// How far work can be, by stems: it is told to who asks whether it is.
const HOW_FAR: &[&str] = &["commit", "deploy", "merge", "push", "release", "save"];
/// Words by which a question asks for more than whether.
const ASKING: &[&str] = &["how", "what", "where", "which", "who", "why"];
/// Words by which an answer says more than how far it is.
const MORE: &[&str] = &[
    "because", "but", "cannot", "except", "fail", "failed", "fails", "missing", "no", "not",
    "since", "though", "twice", "wrong",
];

/// Tells whether a few words of the agent suggest something; what only reports does not.
pub(in super::super) fn suggests(answer: &str) -> bool {
    let is_possible = |sentence: &Sentence| {
        sentence.find("instead").is_some() && POSSIBLE.iter().any(|it| sentence.find(it).is_some())
    };
    let is_over = |sentence: &Sentence| sentence.find("should have").is_some();
    let suggests = |sentence: &Sentence| {
        !is_over(sentence)
            && (SUGGESTING.iter().any(|it| sentence.find(it).is_some()) || is_possible(sentence))
    };
    sentence::prose(answer).iter().any(suggests)
}

/// Tells whether a few words of the agent, the answer to `asked`, have nothing that a request could mean: all are
/// polite, or say what is done next, or they say how far the work is to who asked that.
pub(in super::super) fn says_nothing_new(answer: &str, asked: &str) -> bool {
    let is_polite = |sentence: &Sentence| {
        let has = |phrases: &[&str]| phrases.iter().any(|it| sentence.find(it).is_some());
        let leads = || LEADING.iter().any(|it| sentence.begins_at(0, it));
        let is_more = || sentence.words.iter().any(is_more);
        let words = sentence.words.len();
        words <= NODDING_WORDS || leads() || words <= POLITE_WORDS && has(POLITE) && !is_more()
    };
    let sentences = sentence::prose(answer);
    let says_nothing = |sentence: &Sentence| is_polite(sentence) || goes_on_with(sentence);
    !sentences.is_empty() && sentences.iter().all(says_nothing)
        || says_how_far(&sentences, &asked.to_lowercase())
}

fn is_more(word: &Word) -> bool {
    MORE.contains(&word.low.as_str()) || word.low.ends_with("n't")
}

/// Tells whether an answer says how far the work is, and no more, to who asked whether it is.
fn says_how_far(answer: &[Sentence], asked: &str) -> bool {
    let words = words(asked);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    let is_told = |stem: &str| {
        let is_it = |word: &Word| word.low.starts_with(stem);
        asked.contains(stem) && answer.iter().any(|sentence| sentence.words.iter().any(is_it))
    };
    asked.contains(QUESTION_MARKS)
        && !has(ASKING)
        && HOW_FAR.iter().any(|stem| is_told(stem))
        && !answer.iter().any(|sentence| sentence.words.iter().any(is_more))
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
