//! Choices that the user made and that a machine recorded: answers, approved plans, refusals.

use std::collections::HashSet;

use serde::Serialize;

use super::timeline::{Done, Timeline};
use super::{ids, outcomes, shell, text};
use crate::model::{Action, Answer, Body, Item, Origin, QUESTION_MARKS, ToolCall};

/// A choice of the user's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// `D-` and eight hexadecimal digits.
    pub id: String,
    /// `answered`, `approved` or `refused`.
    pub kind: &'static str,
    /// What was decided.
    pub text: String,
    /// Its title and its headings, where it is a plan that is long.
    #[serde(skip)]
    pub outline: Option<String>,
    /// What was decided in a few words, where there are more.
    #[serde(skip)]
    pub brief: Option<String>,
    /// The user's own words, where there are any.
    pub words: Option<String>,
    /// What else could have been chosen.
    pub alternatives: Vec<String>,
    /// The turn.
    pub turn: u32,
    /// The items that it rests on.
    pub evidence: Vec<String>,
}

/// Finds the choices, newest first; a later answer to the same question replaces the earlier.
pub(super) fn decisions(timeline: &Timeline<'_>) -> Vec<Decision> {
    let mut asked: HashSet<&str> = HashSet::new();
    let mut found: Vec<Decision> = Vec::new();
    let is_stopped = |done: &Done<'_>| done.refused() && said(done).is_none();
    let any_stopped = timeline.done().any(|done| is_stopped(&done));
    // What was let through after the call at hand, to the letter: of a call that is understood, or of
    // which less is kept, both tell.
    let whole = |done: &Done<'_>| {
        let ToolCall { name, arguments, action, .. } = done.call;
        format!("{name} {} {action:?}", arguments.get())
    };
    let mut done_later: HashSet<String> = HashSet::new();
    for done in timeline.done().rev() {
        if any_stopped && !done.refused() && done.result.is_some() {
            done_later.insert(whole(&done));
        }
        // It was only broken off.
        if is_stopped(&done) && done_later.contains(&whole(&done)) {
            continue;
        }
        for (at, decision) in of_call(timeline, &done).into_iter().enumerate() {
            let answer = answers(&done).get(at).filter(|_| decision.kind == "answered");
            if answer.is_some_and(|answer| asks_back(&done, answer)) {
                continue;
            }
            let is_new = answer.is_none_or(|answer| asked.insert(&answer.question));
            let is_same = |known: &&mut Decision| {
                known.kind == "refused" && decision.kind == "refused" && known.id == decision.id
            };
            match found.iter_mut().find(is_same) {
                Some(known) => known.take_in(decision),
                None => found.extend(is_new.then_some(decision)),
            }
        }
    }
    found
}

impl Decision {
    /// Takes in that the same was refused before.
    fn take_in(&mut self, before: Self) {
        self.evidence.splice(0..0, before.evidence);
        self.words = match (before.words, self.words.take()) {
            (Some(before), Some(words)) if before != words => {
                Some(format!("{before}; then: {words}"))
            }
            (before, words) => words.or(before),
        };
    }
}

/// How much of all answers is told as what comes next, about.
const ANSWER_CHARS: usize = 300;
/// How much of a question at least.
const LEAST_QUESTION: usize = 24;
/// What stands between a question and its answer.
const ANSWER: &str = " → ";

/// Says what comes next where a session ended with what the user chose, or said on refusing something: nothing was done
/// for that yet.
pub(super) fn to_follow(timeline: &Timeline<'_>, last: &Item<'_>) -> Option<String> {
    let Body::ToolResult(result) = &last.body else { return None };
    let done = timeline.last().filter(|done| done.call.call_id == result.call_id)?;
    if let Some(words) = said(&done).filter(|_| done.refused()) {
        let what = done.told().map_or_else(|| "it".to_owned(), |line| format!("`{line}`"));
        let (what, words) = (text::line(&what, ANSWER_CHARS), text::line(&words, ANSWER_CHARS));
        return Some(format!("do as the user said on refusing {what}: {words}"));
    }
    let found = of_call(timeline, &done);
    if let Some(plan) = found.iter().find(|one| one.kind == "approved") {
        return Some(format!("carry out the plan that the user approved ({})", plan.id));
    }
    told_answers(&done).map(|told| format!("go on as the user answered: {told}"))
}

/// Returns what the user answered last from a line of the session on, with what was asked.
pub(super) fn answered_since(timeline: &Timeline<'_>, line: u64) -> Option<String> {
    let later = timeline.done().rev().take_while(|done| done.item.line >= line);
    later.into_iter().find_map(|done| told_answers(&done))
}

/// Returns the answers to a call that asked, each with its question.
fn told_answers(done: &Done<'_>) -> Option<String> {
    let is_asked = matches!(done.call.action.as_deref(), Some(Action::Ask { .. }));
    let refused = done.result.is_some_and(|result| result.rejected);
    let answers = if is_asked && !refused { answers(done) } else { &[] };
    let most = ANSWER_CHARS / answers.len().max(1);
    let told: Vec<_> = answers.iter().map(|answer| in_short(answer, most)).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// Returns a question with its answer in about `most` characters: the answer tells more.
fn in_short(answer: &Answer, most: usize) -> String {
    let told = text::line(&answer.answer, most);
    let left = most.saturating_sub(told.chars().count()).max(LEAST_QUESTION);
    format!("{}{ANSWER}{told}", text::line(&answer.question, left))
}

/// Returns the answers that came back to a call that asked.
fn answers<'t>(done: &Done<'t>) -> &'t [Answer] {
    done.result.map(|result| result.answers.as_slice()).unwrap_or_default()
}

/// How a question begins that chooses nothing, though it names what could be chosen.
const ASKING: &[&str] = &[
    "are", "did", "do", "does", "how", "is", "what", "when", "where", "which", "who", "why",
    "would",
];
/// How one begins that does so where it asks of something, and chooses where it asks it of somebody.
const ASKING_OF: &[&str] = &["can", "could", "should", "will"];
/// How one begins that chooses or proposes something all the same, and how one that only goes on talking.
const CHOOSING: &[&str] = &[
    "both",
    "do both",
    "do it",
    "do that",
    "go with",
    "how about",
    "keep ",
    "let's",
    "neither",
    "none",
    "skip",
    "take ",
    "use ",
    "what about",
    "why not",
];
const TALKING: &[&str] =
    &["let's discuss", "let's look", "let's see", "let's talk", "let's think", "none - why"];
/// With what a choice ends that only wants to hear that it is fine.
const TAGS: &[&str] = &[", ok", ", okay", ", right", ", yes"];
/// How words begin that want to hear more, and of what.
const WANTING: &[&str] = &["can ", "could ", "explain", "look ", "please ", "tell ", "what "];
const MORE: &[&str] = &["difference", "explain", "look at"];

/// Words by which somebody asks what another thinks of something, in several languages, with a question mark or none.
const OPINION: &[&str] = &[
    "do you think",
    "do you recommend",
    "does it matter",
    "your opinion",
    "your take", // English
    "denkst du",
    "empfiehlst du",
    "hältst du",
    "meinst du",
    "spielt das eine rolle", // German
    "penses-tu",
    "pensez-vous",
    "conseilles-tu",
    "conseillez-vous", // French
    "qué opinas",
    "qué piensas",
    "qué recomiendas",
    "o que você acha",
    "o que acha",
    "cosa ne pensi",
    "che ne pensi",
    "ne düşünüyorsun",
    "nasıl?", // Turkish
    "что думаешь",
    "что думаете",
    "как думаешь",
    "как думаете", // Russian
    "怎么样",
    "你觉得呢",
    "您觉得呢",
    "怎么看",
    "どう思",
    "どう？",
    "어때",
    "어떻게 생각", // Chinese, Japanese, Korean
];

/// Whether words ask in their first sentence for an opinion: in its last clause, since before that it is but a reason for
/// what is chosen, or anywhere where they `ask` from the beginning on.
fn asks_for_opinion(words: &str, ask: bool) -> bool {
    let first = words.split(['.', '!', ';', '\n']).next().unwrap_or_default();
    let last = first.rsplit([',', '，', '、', ':', '：']).next().unwrap_or_default();
    let looked_at = if ask { first } else { last };
    OPINION.iter().any(|phrase| has_phrase(looked_at, phrase))
}

/// Whether words hold a phrase that is no part of longer words, as far as blanks part them.
fn has_phrase(words: &str, phrase: &str) -> bool {
    let is_parted = phrase.chars().all(|c| c < '\u{2e80}');
    words.match_indices(phrase).any(|(at, _)| {
        let before = words[..at].chars().next_back();
        let behind = words[at + phrase.len()..].chars().next();
        !is_parted || ![before, behind].into_iter().flatten().any(char::is_alphanumeric)
    })
}

/// Whether the user asked something in reply to a question, and chose nothing by that.
fn asks_back(done: &Done<'_>, answer: &Answer) -> bool {
    let words = answer.answer.trim().to_lowercase().replace('\u{2019}', "'");
    let Some(Action::Ask { questions }) = done.call.action.as_deref() else { return false };
    let options = || questions.iter().flat_map(|question| &question.options);
    let name = |option: &String| option.split(" (").next().unwrap_or_default().to_lowercase();
    let names = || options().any(|option| words.contains(&name(option)));
    let begins = |forms: &[&str]| forms.iter().any(|form| words.starts_with(form));
    let has = |forms: &[&str]| forms.iter().any(|form| words.contains(form));
    let mut first = words.split_whitespace();
    let (first, second) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let asks = ASKING.contains(&first)
        || ASKING_OF.contains(&first) && !matches!(second, "i" | "we" | "you");
    let bare = words.trim_end_matches(QUESTION_MARKS);
    let is_tagged = || TAGS.iter().any(|tag| bare.ends_with(tag));
    let does = || options().any(|option| words.starts_with(&format!("do {}", name(option))));
    let chooses = begins(CHOOSING) && !begins(TALKING);
    let is_choice = chooses
        || does()
        || !asks && !begins(TALKING) && (is_tagged() || has(&[" instead"]) || names());
    let wants_more = || begins(WANTING) && has(MORE);
    let is_offered = || options().any(|option| *option == answer.answer);
    let asks_back = || bare.len() < words.len() && (!is_choice || wants_more());
    (!chooses && asks_for_opinion(&words, asks) || asks_back()) && !is_offered()
}

/// How much of a decision is told in a few words, about.
const BRIEF_CHARS: usize = 90;
/// How many characters of an approved plan are kept.
const PLAN_CHARS: usize = 24_000;

fn of_call(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<Decision> {
    let Some(result) = done.result else { return Vec::new() };
    let decision = |kind, decided: String, words: Option<String>| Decision {
        id: ids::id('D', &decided),
        kind,
        text: decided,
        outline: None,
        brief: None,
        words,
        alternatives: Vec::new(),
        turn: done.item.turn,
        evidence: vec![done.item.id.to_string()],
    };
    if result.rejected {
        let words = said(done).or_else(|| said_next(timeline, done));
        return vec![decision("refused", refused(done, words.is_some()), words)];
    }
    match done.call.action.as_deref() {
        Some(Action::Propose { plan, file }) if done.worked() => {
            let approved = decision("approved", text::clip(plan, PLAN_CHARS), None);
            let file = file.as_ref().filter(|file| *file != plan);
            let whole = match file {
                Some(file) => format!("{}\n\n(plan file: {file})", approved.text),
                None => approved.text.clone(),
            };
            let outline = outline(plan);
            let title = outline.as_deref().and_then(|told| told.split_once(" ("));
            let brief = title.map(|(title, _)| text::line(title, BRIEF_CHARS));
            let outline = outline.map(|outline| match file {
                Some(file) => format!("{outline} (plan file: {file})"),
                None => outline,
            });
            vec![Decision { text: whole, outline, brief, ..approved }]
        }
        Some(Action::Ask { questions }) => {
            let answer = |answer: &Answer| {
                let options = questions.iter().find(|question| question.text == answer.question);
                let others = options.map(|question| question.options.clone()).unwrap_or_default();
                let chosen = format!(
                    "{}{ANSWER}{}",
                    text::line(&answer.question, 200),
                    text::clip(&answer.answer, 500)
                );
                let mut decision = decision("answered", chosen, None);
                // Half an answer can say the opposite.
                let is_whole = answer.answer.chars().count() <= BRIEF_CHARS;
                let brief = Some(in_short(answer, BRIEF_CHARS)).filter(|_| is_whole);
                decision.brief = brief.filter(|brief| brief.len() < decision.text.len());
                decision.alternatives =
                    others.into_iter().filter(|other| *other != answer.answer).collect();
                decision
            };
            result.answers.iter().map(answer).collect()
        }
        _ => Vec::new(),
    }
}

/// A plan of fewer characters is told whole.
const SHORT_PLAN: usize = 300;
/// How many characters its headings take at most.
const OUTLINE_CHARS: usize = 400;

/// Returns the title of a long plan and what its headings name, on one line.
fn outline(plan: &str) -> Option<String> {
    let is_long = plan.chars().count() > SHORT_PLAN;
    let headings = text::unfenced(plan)
        .map(str::trim)
        .filter(|line| line.starts_with('#') && line.trim_start_matches('#').starts_with(' '));
    let headings: Vec<_> = headings
        .map(|line| line.trim_start_matches('#').trim())
        .filter(|line| !line.is_empty() && !line.eq_ignore_ascii_case("context"))
        .collect();
    let (title, parts) = headings.split_first()?;
    let told = format!("{title} ({})", parts.join("; "));
    (is_long && parts.len() > 1).then(|| text::line(&told, OUTLINE_CHARS))
}

/// Returns what the user said to a refusal.
fn said(done: &Done<'_>) -> Option<String> {
    let words = done.result?.user_said.as_ref()?;
    Some(text::clip(&words.plain(), 600))
}

/// Returns what the user wrote next, where a call was the last that was made before it.
fn said_next(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<String> {
    let items = &timeline.items;
    let from = items.partition_point(|item| item.line < done.item.line);
    let at = from + items[from..].iter().position(|item| std::ptr::eq(*item, done.item))?;
    let next = items[at + 1..].iter().find_map(|item| match &item.body {
        Body::Message(message) if message.origin != Origin::Harness => Some(Some(message)),
        Body::ToolCall(_) => Some(None),
        _ => None,
    });
    let words = next.flatten().filter(|message| message.origin == Origin::Human)?.words();
    Some(text::clip(words.trim(), 600)).filter(|words| !words.is_empty())
}

/// How much of a command is told that only looked when the user said something else.
const BROKEN_CHARS: usize = 80;

/// Says what it was that the user refused. Who stops what only looks, and says something, mostly has no fault to
/// find with that.
fn refused(done: &Done<'_>, has_words: bool) -> String {
    match done.call.action.as_deref() {
        Some(Action::Shell { command, .. }) if has_words && only_reads(command) => {
            format!("broke in at `{}`", text::line(command, BROKEN_CHARS))
        }
        Some(Action::Shell { command, .. }) => format!("do not run `{}`", text::line(command, 200)),
        Some(Action::Edit { changes }) => {
            let paths: Vec<_> = changes.iter().map(|change| change.path.as_str()).collect();
            format!("do not make this change of {}", text::line(&paths.join(", "), 200))
        }
        Some(Action::Propose { plan, .. }) => format!("not this plan: {}", text::line(plan, 300)),
        Some(Action::Ask { questions }) => {
            let first = questions.first().map(|question| text::line(&question.text, 200));
            format!("did not answer: {}", first.unwrap_or_default())
        }
        _ => format!("do not use {}", done.call.name),
    }
}

/// Programs that only read, whatever options they are given but for those that write.
const READS: &[&str] = &["cd", "echo", "grep", "head", "ls", "rg", "tail", "wc"];

/// Whether nothing on a command line can do more than read: unlike what no check has to do with.
fn only_reads(line: &str) -> bool {
    let reads = |part: &str| {
        let program = shell::program(part);
        READS.contains(&program) || outcomes::git_looks(part)
    };
    let all = shell::raw(line);
    !line.contains(['>', '`'])
        && !line.contains("$(")
        && all.iter().all(|(part, _)| part.trim().is_empty() || reads(part))
}

#[cfg(test)]
mod tests {
    use super::{in_short, only_reads, outline};
    use crate::model::Answer;

    #[test]
    fn a_look_is_told_from_what_does_something() {
        for line in ["grep -n uses a.yml", "cd a && git log -3 | head", "echo \"== x\"; ls -la b"] {
            assert!(only_reads(line), "{line}");
        }
        for line in
            ["rm -rf b", "cat .env", "git branch -D x", "ls | xargs rm", "echo x > a", "ls $(rm a)"]
        {
            assert!(!only_reads(line), "{line}");
        }
    }

    #[test]
    fn an_answer_is_told_before_all_of_its_question() {
        let told = |question: &str, answer: &str, most| {
            in_short(&Answer { question: question.into(), answer: answer.into() }, most)
        };
        let question = "Which of the two ways to write an amount shall it be?";
        assert_eq!(
            told(question, "with a point", 60),
            "Which of the two ways to write an amount shall… → with a point"
        );
        let long = told(question, &"long ".repeat(30), 40);
        assert!(long.starts_with("Which of the two ways… → long long"), "{long}");
        // A question can name what changes into what.
        let arrow =
            told("Which way from euros → cents, given all of the reports?", "one by one", 40);
        assert_eq!(arrow, "Which way from euros → cents,… → one by one");
    }

    #[test]
    fn a_long_plan_is_told_by_its_headings() {
        let words = "It has to be known which day it is. ".repeat(10);
        let plan = format!(
            "# Ship it\n\n## Context\n{words}\n## Build\n```\n# a comment\n```\n## Publish\n"
        );
        assert_eq!(outline(&plan).unwrap(), "Ship it (Build; Publish)");
        // A number of an issue and what stands in code are no headings.
        let plan = format!("# Ship it\n{words}\n#12 is open\n#!/bin/sh\n~~~\n# a\n# b\n~~~\n");
        assert_eq!(outline(&plan), None);
        assert_eq!(outline("# Ship it\n## Build\n## Publish\n"), None);
        assert_eq!(outline(&format!("# Ship it\n{words}")), None);
    }
}
