//! Words by which an agent says that it waits for something that runs, and what it does after that. For whom it is the
//! user that it waits stands in `asking` and `foreign`.

use super::sentence::{self, Sentence};
use super::unfinished::{ends_course, goes_on, is_course};

/// Words of which one stands where the agent waits for something that runs, or says what comes after it.
const WAITING: &[&str] = &[
    "background",
    "running",
    "until",
    "wait",
    "as soon as",
    "once ",
    "when it",
    "after it",
    "be notified",
    "notifies me",
    "pinged",
    "is being ",
    "kicked off",
    "comes next",
    "afterwards",
    "report back", // English
    "warte",
    "sobald",
    "wenn ",
    "danach",
    "läuft",
    "laufen noch", // German
    "attends",
    "attente",
    "dès qu",
    "quand ",
    "une fois",
    "en cours", // French
    "espero",
    "esperand",
    "cuando ",
    "en cuanto",
    "quando ",
    "assim que",
    "aguard",
    "appena",
    "en curso",
    "em andamento",
    "in corso", // Spanish, Portuguese, Italian
    "bekliyor",
    "devam ediyor",
    "çalışıyor", // Turkish
    "жду",
    "ждём",
    "ждем",
    "когда ",
    "как только",
    "выполняется", // Russian
    "기다",
    "대기",
    "끝나면",
    "완료되면",
    "진행 중",
    "실행 중", // Korean
    "待ち",
    "待って",
    "次第",
    "終わったら",
    "完了したら",
    "実行中", // Japanese
    "等待",
    "等它",
    "完成后",
    "结束后",
    "之后",
    "正在",
    "进行中", // Chinese
];

/// Words behind "when the" by which that is over.
const OVER: &[&str] = &[
    "completes",
    "ends",
    "finishes",
    "is done",
    "is green",
    "is over",
    "is ready",
    "is through",
    "is up",
    "lands",
    "passes",
];

/// Tells whether words say that the agent waits for something that runs, or what comes after it.
pub(in super::super) fn waits_for_what_runs(said: &str) -> bool {
    let low = said.to_lowercase();
    let is_over = |rest: &str| {
        let sentence = rest.split(['.', '\n']).next().unwrap_or_default();
        OVER.iter().any(|word| sentence.contains(word))
    };
    WAITING.iter().any(|word| low.contains(word))
        || ["when the ", "after the "].iter().any(|it| low.split(it).skip(1).any(is_over))
        || goes_on(said)
}

/// Words by which something is done only later, when something else has happened.
const LATER: &[&str] = &[
    "after it",
    "after the deploy",
    "after the merge",
    "after the release",
    "after this",
    "after you",
    "as soon as",
    "once",
    "unless",
    "when ci",
    "when it",
    "when the",
    "when you",
];

/// Whether a sentence says that something else must happen before.
pub(super) fn depends(sentence: &Sentence) -> bool {
    LATER.iter().any(|phrase| sentence.find(phrase).is_some())
}

/// Words by which an agent speaks of what it is going to do itself.
const OWN: &[&str] = &["i will", "i'll", "i'm going to", "i am going to", "we'll", "we will"];
/// Words by which it says that it has an eye on what runs.
const WATCHES: &[&str] = &[
    "i'm watching",
    "i am watching",
    "i'm monitoring",
    "i am monitoring",
    "i'm waiting for",
    "i am waiting for",
];
/// Words by which it is the user for whom something waits.
const USERS: &[&str] = &[
    "after you",
    "as soon as you",
    "if you",
    "let me know",
    "once you",
    "tell me",
    "unless you",
    "until you",
    "waiting for you",
    "waiting for your",
    "when you",
];

/// Tells whether a sentence of words says what the agent does once something else has happened, for which nobody is
/// asked.
pub(in super::super) fn goes_on_later(words: &str) -> bool {
    let has = |sentence: &Sentence, phrases: &[&str]| {
        phrases.iter().any(|phrase| sentence.find(phrase).is_some())
    };
    let is_own = |sentence: &Sentence| {
        has(sentence, OWN) || sentence.word(0) == "will" || is_course_before_later(sentence)
    };
    let waits =
        |sentence: &Sentence| has(sentence, WATCHES) || is_own(sentence) && depends(sentence);
    sentence::prose(words).iter().any(|it| !has(it, USERS) && waits(it))
}

/// "Merging once the checks are green": what is done later stands first.
fn is_course_before_later(sentence: &Sentence) -> bool {
    let later = LATER.iter().filter_map(|phrase| sentence.find(phrase)).min();
    later.is_some_and(|at| is_course(sentence.word(0)) && !ends_course(sentence, at))
}
