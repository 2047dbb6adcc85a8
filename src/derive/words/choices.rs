//! Choices that the user made in words, in answer to the agent.

use super::super::fact::{Fact, FactKind, State};
use super::super::timeline::Timeline;
use super::super::{Trust, text};
use super::directions::{self, ANSWERS, Led};
use super::lists::VERBS;
use super::options::{Offered, Picked};
use super::sentence::{self, Sentence};
use super::talk::Said;
use super::{cues, names, options, referring};
use crate::model::{Action, QUESTION_MARKS};

/// The longest answer that can be a choice, in words.
const SHORT: usize = 60;
/// The longest message that only agrees, in words; what is longer is not looked at closely.
const APPROVAL_WORDS: usize = 12;
/// How many parts of an approved plan are told.
const PARTS: usize = 6;

/// Words before a choice.
const LEADS: &[&str] = &["ok", "okay", "yes", "no", "please", "then", "so", "good", "right", "and"];

/// Beginnings of a choice.
const CHOOSING: &[&str] = &[
    "go with",
    "use",
    "switch to",
    "stick with",
    "keep",
    "prefer",
    "choose",
    "pick",
    "drop",
    "i prefer",
    "i'd prefer",
    "i'd go with",
    "i'll go with",
    "i choose",
    "i'd rather",
    "we'll use",
    "we will use",
    "we should use",
    "we'll go with",
    "we should keep",
    "let's use",
    "let's go with",
    "let's keep",
    "let's drop",
    "let's switch",
    "let's do",
    "let's make",
    "let's have",
    "let's skip",
    "let's leave",
    "let's stick",
    "let's remove",
    "let's name",
    "let's call",
    "let's focus",
    "let's ignore",
    "let's avoid",
    "let's defer",
    "defer",
    "skip",
    "ignore",
];

/// How many directions of one message are told.
const OF_MESSAGE: usize = 3;

/// Finds choices that answer a question of the agent, or take one of its options; of a message that directs more
/// than can be told, what is behind that stands in the second list.
pub(super) fn directives(talk: &[Said]) -> (Vec<Fact>, Vec<Fact>) {
    let (mut found, mut dropped): (Vec<Fact>, Vec<Fact>) = (Vec::new(), Vec::new());
    // The option that was taken last: where it is told, its name, and those among which it stood.
    let mut taken: Option<(usize, String, Vec<Offered>)> = None;
    let last = talk.last().map_or(0, |said| said.turn);
    for said in talk {
        let question = question(&said.before);
        let options = options::offered(&said.before);
        if let Some(picked) = option_taken(said, question.as_deref(), &options) {
            if let Some((at, name, others)) = &taken
                && options::is_withdrawn(&said.before, name, others, &options)
                && let Some(earlier) = found.get_mut(*at)
            {
                earlier.state = State::Superseded;
            }
            taken = Some((found.len(), picked.name, options));
            found.push(choice(said, question.as_deref(), picked.told));
            continue;
        }
        let proposed = agrees(said).then(|| proposal(&said.before)).flatten();
        if let Some(approval) = approval(said, question.as_deref(), proposed.as_deref()) {
            // What the agent asked to be let do was done in that turn, or is asked for again.
            let is_of_turn = question.as_deref().is_some_and(asks_to_be_let);
            found.extend((!is_of_turn || said.turn + OVER_AFTER > last).then_some(approval));
            continue;
        }
        let count = said.text.split_whitespace().take(SHORT + 1).count();
        let chooses = count <= SHORT && (question.is_some() || options.len() > 1);
        let is_choice = |sentence: &Sentence| chooses && chosen(sentence, &options).is_some();
        let lists = options.len() > 1;
        let led = Led { asked: question.as_deref(), proposed: proposed.as_deref(), lists };
        let mut more = directions::directions(said, led, &is_choice);
        // The card quotes the last request.
        more.iter_mut().filter(|_| said.turn == last).for_each(|fact| fact.weight = 0.1);
        dropped.extend(more.drain(OF_MESSAGE.min(more.len())..));
        found.extend(more);
        let sentences = said.sentences.iter().take(4).filter(|_| chooses);
        let words = sentences.filter_map(|sentence| chosen(sentence, &options));
        found.extend(words.map(|words| choice(said, question.as_deref(), words)));
    }
    (found, dropped)
}

/// Makes a choice of its words, with the question that it answers.
fn choice(said: &Said, question: Option<&str>, words: String) -> Fact {
    let detail = question.map(|question| format!("asked: {question}"));
    let place = (said.turn, said.item.as_str());
    Fact { detail, weight: 0.8, ..Fact::new(FactKind::Directive, Trust::B, words, place) }
}

/// Returns what a whole message takes of what was offered, if it is short and answers no list.
fn option_taken(said: &Said, question: Option<&str>, options: &[Offered]) -> Option<Picked> {
    let is_offered = question.is_some() || options.len() > 1;
    let is_line = said.text.lines().nth(1).is_none();
    options::picked(&said.text, options).filter(|_| is_offered && is_line)
}

/// How an agent asks to be let do something itself.
const LET: &[&str] = &[
    "can i",
    "do you want me to",
    "may i",
    "shall i",
    "should i",
    "want me to",
    "would you like me to",
];
/// What is done once, and over then; what changes how the thing is stays agreed to.
const ONCE: &[&str] = &[
    "apply", "archive", "build", "bump", "check", "clean", "close", "commit", "continue", "create",
    "delete", "deploy", "do", "draft", "file", "fix", "go", "install", "look", "mend", "merge",
    "open", "post", "prepare", "proceed", "publish", "push", "rebase", "release", "reply", "rerun",
    "restart", "retry", "revert", "run", "send", "squash", "start", "tag", "test", "try", "update",
    "upload", "write",
];
/// Words by which it binds what comes later.
const LASTING: &[&str] = &[
    "after", "all", "always", "before", "every", "instead", "keep", "leave", "never", "now",
    "only", "until", "use", "whenever", "with",
];
/// Words by which it is known which of something is meant.
const POINTING: &[&str] = &["both", "that", "the", "these", "this", "those"];
/// So many turns later that is over.
const OVER_AFTER: u32 = 2;

/// Whether what a verb says is done once, or once more: "redeploy".
fn is_done_once(verb: &str) -> bool {
    [Some(verb), verb.strip_prefix("re")].into_iter().flatten().any(|verb| ONCE.contains(&verb))
}

/// Whether a question only asks whether the agent may do something once.
pub(in super::super) fn asks_to_be_let(asked: &str) -> bool {
    let is_once = |sentence: &Sentence| {
        let let_do = LET.iter().find(|words| sentence.begins_at(0, words));
        let deed = let_do.map(|words| sentence.word(words.split(' ').count()));
        let has = |all: &[&str]| sentence.words.iter().any(|word| all.contains(&word.low.as_str()));
        // "Make both changes and redeploy": what they change was agreed to elsewhere.
        let makes = || has(&["change", "changes", "edits"]) && has(POINTING);
        let is_deed = |deed: &str| is_done_once(deed) || deed == "make" && makes();
        deed.is_some_and(is_deed) && !has(LASTING)
    };
    sentence::prose(asked).iter().any(is_once)
}

/// How it is told that the user agreed to something.
pub const AGREED: &str = "agreed to: ";
/// Messages by which a human agrees to what was asked.
const AGREEING: &[&str] = &[
    "approved",
    "approve",
    "yes",
    "yes please",
    "yes go ahead",
    "go ahead",
    "lgtm",
    "do it",
    "do that",
    "yes do it",
    "yes do that",
    "proceed",
    "please proceed",
    "sounds good",
    "agreed",
    "confirmed",
];

/// Whether a message may agree to something, by its first word.
fn agrees(said: &Said) -> bool {
    let first = said.sentences.first().map_or("", |first| first.word(0));
    let agreeing = AGREEING.iter().filter_map(|words| words.split(' ').next());
    ANSWERS.iter().copied().chain(agreeing).any(|word| word == first)
}

/// Whether a request begins with a sentence that only agrees, and goes on.
pub(in super::super) fn opens_with_assent(request: &str) -> bool {
    let all = sentence::typed(request);
    let first = all.first().filter(|_| all.len() > 1);
    let words = first.map(|first| first.words.iter().map(|word| word.low.as_str()));
    let words = words.map(|words| words.collect::<Vec<_>>().join(" ")).unwrap_or_default();
    is_agreement(&words)
}

/// Whether a sentence of these words, in small letters, does nothing but agree.
fn is_agreement(words: &str) -> bool {
    matches!(words, "go" | "sure go ahead") || AGREEING.contains(&words) || ASSENTS.contains(&words)
}

/// Words one of which stands before what is ordered by whoever agrees.
const ASSENTS: &[&str] =
    &["ja", "ok", "okay", "oui", "sure", "si", "sí", "yeah", "yep", "yes", "yup"];

/// Whether the first word of a request agrees.
pub(in super::super) fn begins_with_assent(request: &str) -> bool {
    begins_with(ASSENTS, request)
}

/// Whether the first word of a request is one of some, in whatever letters.
pub(in super::super) fn begins_with(first: &[&str], request: &str) -> bool {
    let mut words = request.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| first.contains(&word.to_lowercase().as_str()))
}

/// Returns the words of a request alone, in lower case.
fn bare(request: &str) -> String {
    let low = request.to_lowercase();
    let words = low.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a request does nothing but agree.
pub(in super::super) fn only_agrees(request: &str) -> bool {
    is_agreement(&bare(request))
}

/// Finds a message that only agrees: to a question or a proposal, or by a word that needs neither.
fn approval(said: &Said, question: Option<&str>, proposed: Option<&str>) -> Option<Fact> {
    let is_short = said.text.split_whitespace().nth(APPROVAL_WORDS).is_none();
    if !is_short || said.before.is_empty() {
        return None;
    }
    let words = bare(&said.text);
    let needs_none = matches!(words.as_str(), "approved" | "approve" | "lgtm");
    if !AGREEING.contains(&words.as_str()) {
        return None;
    }
    let last = said.before.trim().lines().next_back().filter(|_| needs_none);
    let place = (said.turn, said.item.as_str());
    let fact = |words| Fact::new(FactKind::Directive, Trust::B, words, place);
    if let Some(asked) = question.or(last) {
        let words = format!("{AGREED}{}", meant(&said.before, asked));
        return Some(Fact { weight: 0.5, ..fact(words) });
    }
    // What the agent would do is its own word, not the user's.
    let detail = directions::agreed_to(proposed?);
    Some(Fact { detail: Some(detail), weight: 0.5, ..fact(text::line(&said.text, 240)) })
}

/// How much of what a question stands for is told, in characters.
const MEANT_CHARS: usize = 400;

/// Returns what a question asks, with what stands before it where it only points back: "on that basis?".
fn meant(before: &str, asked: &str) -> String {
    let told = text::line(asked, 240);
    let points = referring::has_pronoun(asked)
        || sentence::prose(asked).iter().any(|it| it.find("both").is_some());
    if !points || !names::keys(asked).is_empty() {
        return told;
    }
    let mut parts =
        before.trim().rsplit("\n\n").map(sentence::prose).filter(|part| !part.is_empty());
    let last = parts.next().unwrap_or_default();
    let above = match last.as_slice() {
        [_] => parts.next().unwrap_or_default(),
        all => all.iter().take(all.len().saturating_sub(1)).cloned().collect(),
    };
    let mut left = MEANT_CHARS;
    let others = above.iter().rev().filter(|sentence| sentence.text != asked);
    let fits = others.take_while(|sentence| {
        let count = sentence.text.chars().count() + 1;
        let is_first = left == MEANT_CHARS;
        left = left.saturating_sub(count);
        left > 0 || is_first
    });
    let mut kept: Vec<&str> = fits.map(|sentence| sentence.text.as_str()).collect();
    kept.reverse();
    let above = text::line(&kept.join(" "), MEANT_CHARS);
    if above.is_empty() { told } else { format!("{above} — {told}") }
}

/// Says what a sentence chooses, if it does.
fn chosen(sentence: &Sentence, options: &[Offered]) -> Option<String> {
    if cues::is_question(sentence) {
        return None;
    }
    let told = || text::line(&sentence.text, 300);
    if let Some(picked) = options::picked(&sentence.text, options) {
        return Some(picked.told);
    }
    let lead = (0..3).find(|at| !LEADS.contains(&sentence.word(*at)))?;
    let more = sentence.words.len() - lead;
    let begins = |phrase: &&str| {
        let length = phrase.split(' ').count();
        sentence.begins_at(lead, phrase) && more > length
    };
    CHOOSING.iter().any(begins).then(told)
}

/// Returns the question with which a text of the agent ends, if it does.
fn question(before: &str) -> Option<String> {
    let last = before.trim().lines().rev().find(|line| !line.trim().is_empty())?;
    let asked =
        sentence::prose(last).into_iter().rfind(|part| part.text.ends_with(QUESTION_MARKS))?;
    Some(text::line(&asked.text, 240))
}

/// How a sentence begins by which the agent proposes something, whatever follows.
const PROPOSING: &[&str] = &[
    "i propose",
    "i recommend",
    "i suggest",
    "my preferred",
    "my proposal",
    "my recommendation",
    "my suggestion",
    "my vote",
];
/// The same where a verb of work follows: "I'd guess", "we should see the rows" propose nothing.
const PROPOSING_TO: &[&str] =
    &["i'd", "i would", "i think we should", "so i'd", "so i would", "we should"];
/// Verbs of work that stand there for what is thought or waited for.
const NO_WORK: &[&str] =
    &["ask", "assume", "be", "find", "get", "go", "let", "look", "rely", "wait"];

/// Returns what a text of the agent proposes in its last paragraph, if it does.
fn proposal(before: &str) -> Option<String> {
    let proposes = |sentence: &Sentence| {
        let next = |phrase: &str| sentence.word(phrase.split(' ').count());
        let says = |phrase: &&str| sentence.begins_at(0, phrase) && !next(phrase).is_empty();
        let works = |phrase: &&str| {
            let verb = next(phrase);
            says(phrase) && VERBS.contains(&verb) && !NO_WORK.contains(&verb)
        };
        !cues::is_question(sentence)
            && (PROPOSING.iter().any(says) || PROPOSING_TO.iter().any(works))
    };
    let last = before.trim().rsplit("\n\n").next()?;
    let found = sentence::prose(last).into_iter().rev().find(proposes)?;
    Some(text::line(&found.text, 240))
}

/// Finds what the plans that the user approved set out to do, where that is not told with them.
pub(super) fn of_plans(timeline: &Timeline<'_>) -> Vec<Fact> {
    let plan = timeline.done().rev().find_map(|done| match done.call.action.as_deref() {
        Some(Action::Propose { plan, .. }) if done.worked() => Some((done.item, plan)),
        _ => None,
    });
    let Some((item, plan)) = plan else { return Vec::new() };
    // What stands first is read with the decision itself.
    let told = text::clip(plan, 300);
    let place = (item.turn, item.id.as_ref());
    let parts = plan.lines().filter_map(part).filter(|words| !told.contains(words.as_str()));
    let orders = |words: &String| sentence::prose(words).first().is_some_and(cues::is_order);
    let parts = parts.filter(orders);
    let fact = |words| Fact {
        detail: Some("part of the plan that the user approved".to_owned()),
        weight: 0.4,
        ..Fact::new(FactKind::Directive, Trust::S, words, place)
    };
    parts.take(PARTS).map(fact).collect()
}

/// Returns a line of the top level of a list.
fn part(line: &str) -> Option<String> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.strip_prefix(". ").filter(|_| digits.len() < line.len());
    let bare = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or(numbered)?;
    let words = bare.replace("**", "");
    (words.split_whitespace().count() > 2).then(|| text::line(&words, 200))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_stands_near_the_end_of_what_was_said() {
        let told = "It works. I'd move the helper. The rest can wait.";
        assert_eq!(proposal(told).as_deref(), Some("I'd move the helper."));
        assert!(proposal("Yes. My vote: one rule for all paths.").is_some());
        for words in [
            "I'd be happy to help.",
            "Should we move it?",
            "I moved the helper.",
            "I'd already pushed it before your message came.",
            "I'd forgotten the flag.",
            "I'd guess that the tests are flaky.",
            "We should see the rows in an hour.",
            "I'd move the helper.\n\nIt is done now.",
            "",
        ] {
            assert_eq!(proposal(words), None, "{words}");
        }
    }

    #[test]
    fn what_a_question_points_back_at_is_told_with_it() {
        let asked = "Want me to go on with that?";
        let plan = "So I write both parts now, and show you the list before I delete anything.";
        for before in [format!("It works.\n\n{plan} {asked}"), format!("{plan}\n\n{asked}")] {
            assert_eq!(meant(&before, asked), format!("{plan} — {asked}"));
        }
        let named = "Shall I push that to `main`?";
        assert_eq!(meant(&format!("{plan} {named}"), named), named);
        let whole = "Shall I write the page of amounts?";
        assert_eq!(meant(&format!("{plan} {whole}"), whole), whole);
    }

    #[test]
    fn a_question_is_the_end_of_what_was_said() {
        assert_eq!(question("Done. Use tabs or blanks?").as_deref(), Some("Use tabs or blanks?"));
        assert_eq!(question("Why? I know.\nDone."), None);
    }
}
