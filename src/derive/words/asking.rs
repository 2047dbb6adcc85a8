//! Whether the agent's last words ask the user something.

use super::foreign;
use super::sentence::{self, Sentence};

/// Who or what a question to the user names.
const YOU: &[&str] = &["you", "your", "should i", "shall i", "should we", "shall we", "want me"];

/// How many sentences before the last a question to the user can stand.
const ASKED_BACK: usize = 10;

/// How questions begin on which nothing hangs, and how few words they have.
const COURTESY: &[&str] = &[
    "anything else",
    "is there anything else",
    "what else can i",
    "what would you like to do next",
];
const COURTESY_WORDS: usize = 12;
/// Words by which such a question is one about what comes all the same.
const HANGING: &[&str] = &["before", "or"];

/// Tells whether the agent's last words ask the user something: by the last sentence, or a little further up
/// one that names the user.
pub(in super::super) fn asks_user(words: &str) -> bool {
    let sentences = sentence::prose(words);
    let is_courtesy = |sentence: &Sentence| {
        let is_short = sentence.text.split_whitespace().count() <= COURTESY_WORDS;
        let hangs = HANGING.iter().any(|word| sentence.find(word).is_some());
        is_short && !hangs && COURTESY.iter().any(|it| sentence.find(it) == Some(0))
    };
    let ends = |sentence: &Sentence| {
        let bare = sentence.text.trim_end_matches(['*', '_', '"', '`', ')', '»', '”']);
        // What is printed bold may end before the sentence does.
        (bare.ends_with(['?', '？', '؟']) || sentence.text.contains("?**"))
            && !is_courtesy(sentence)
    };
    let names = |sentence: &Sentence| YOU.iter().any(|word| sentence.find(word).is_some());
    let last = sentences.iter().rev().take(ASKED_BACK).enumerate();
    let waits = |sentence: &Sentence| {
        WAITS.iter().any(|words| says(sentence, words)) || foreign::waits(sentence)
    };
    last.into_iter()
        .any(|(back, sentence)| ends(sentence) && (back == 0 || names(sentence)) || waits(sentence))
}

/// How many words before such words can take them back.
const BEFORE: usize = 4;

/// Whether a sentence says that the agent waits, not that it did not have to, or had what it waited for: "it
/// no longer needs your approval", "with your approval I merged it".
fn says(sentence: &Sentence, words: &str) -> bool {
    let Some(at) = sentence.find(words) else { return false };
    let before: Vec<&str> = sentence.clause_before(at).take(BEFORE).collect();
    let had = before.first().is_some_and(|word| HAD.contains(word));
    // "I do not merge it until I have your approval".
    let denies = |word: &&str| matches!(*word, "no" | "not" | "never") || word.ends_with("n't");
    let waits = |word: &&str| matches!(*word, "until" | "before" | "without");
    !had && (!before.iter().any(denies) || before.iter().any(waits))
}

/// Words before what an agent waits for that say that it has it.
const HAD: &[&str] = &["after", "given", "got", "had", "per", "was", "with"];

/// How an agent says, without a question, that it goes on only once the user says so.
const WAITS: &[&str] = &[
    "awaiting your",
    "before i proceed",
    "on your word",
    "say the word",
    "tell me whether",
    "tell me which",
    "wait for your",
    "waiting for your",
    "waiting on your",
    "your approval",
    "your call",
    "your go-ahead",
    "your sign-off",
];

#[cfg(test)]
mod tests {
    use super::asks_user;

    #[test]
    fn a_question_to_the_user_is_told_from_one_that_is_answered() {
        for words in [
            "It is written. Shall I push it?",
            "Should I remove anything else from the old API?",
            "Is there anything else you want me to check before I push it?",
            "What would you like to do next: publish it or wait?",
            "Two things:\n\n1. **Do you want it restored?** It can be.\n2. It is gone. And that is so.\nSo far.\nI looked.",
            "选哪个？",
            "It is paused. Say the word and I'll delete them. The rest comes after the merge.",
            "Nothing is pushed: it is waiting for your approval.",
            "I have not pushed, waiting for your word.",
            "I won't merge it without your approval.",
            "Der Zweig ist fertig und wartet auf deine Freigabe.",
            "J'attends votre accord avant de pousser.",
            "Está listo: espero tu confirmación para publicarlo.",
            "現在はご承認をお待ちしています。",
            "当前正在等待你的确认。",
            "Ich habe noch nicht gepusht und warte auf deine Freigabe.",
            "No he subido nada: espero tu aprobación.",
            "Não fiz push; aguardo sua confirmação.",
            "현재 사용자 승인 대기 중입니다. 그 뒤에 진행합니다.",
        ] {
            assert!(asks_user(words), "{words}");
        }
        for words in [
            "Why did it fail? The lock was held.",
            "What changed? Only the parser.",
            "Done.",
            "It is pushed. Is there anything else you need?",
            "With your approval I merged it. All is done.",
            "It no longer needs your approval. It is done.",
            "I didn’t wait for your go-ahead since you asked for it.",
            "That was your call and it is done.",
            "Nach deiner Freigabe habe ich ihn gemergt.",
            "Si quelque chose manque, dites-le moi.",
            "Espero que te sirva.",
            "Ya no espero tu aprobación: está publicado.",
            "Ya no estoy a la espera de tu respuesta: está publicado.",
            "Não estou mais aguardando sua resposta: publiquei.",
            "Der Thread wartet auf ihre Ergebnisse.",
            "O processo fica aguardando sua vez na fila.",
            "程序现在会等待用户输入后再继续。",
            "承認されたのでマージしました。",
            "已按你的确认合并，不再等待你的回复。",
            "문제가 있으면 알려주세요.",
            "승인 대기 중이던 PR을 머지했습니다.",
        ] {
            assert!(!asks_user(words), "{words}");
        }
    }
}
