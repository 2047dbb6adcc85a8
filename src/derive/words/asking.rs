//! Whether the agent's last words ask the user something.

use super::super::paragraphs;
use super::foreign;
use super::sentence::{self, Sentence};
use crate::model::QUESTION_MARKS;

/// Who or what a question to the user names.
const YOU: &[&str] =
    &["you", "your", "may i", "should i", "shall i", "should we", "shall we", "want me"];

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

/// Tells whether the agent's last words ask the user something: by the last sentence, by what stands in the last
/// paragraph or list, or a little further up by a question that names the user.
pub(in super::super) fn asks_user(words: &str) -> bool {
    let sentences = sentence::prose(words);
    let block = sentence::prose(paragraphs::last_block(words));
    let names = |sentence: &Sentence| YOU.iter().any(|word| sentence.find(word).is_some());
    let last = sentences.iter().rev().take(ASKED_BACK).enumerate();
    let waits = |sentence: &Sentence| {
        let waits = !is_offer(sentence) && WAITS.iter().any(|words| says(sentence, words));
        waits || foreign::waits(sentence)
    };
    last.into_iter()
        .any(|(back, sentence)| ends(sentence) && (back == 0 || names(sentence)) || waits(sentence))
        || asks_in(&block)
        || offers_choices(words)
}

/// How a recap says that the next step is the user's.
const USERS_TURN: &[&str] =
    &["answer", "approve", "choose", "confirm whether", "confirm you", "decide", "pick", "tell me"];

/// Tells whether a recap of the harness says that the user has to decide: `Next: decide whether …`.
pub(in super::super) fn asks_in_recap(recap: &str) -> bool {
    let low = recap.to_lowercase();
    let next = low.rsplit_once("next: ").map(|(_, next)| next.trim_start());
    let is_users =
        |next: &str| USERS_TURN.iter().any(|verb| next.strip_prefix(verb).is_some_and(ends_word));
    next.is_some_and(is_users) || asks_user(recap)
}

fn ends_word(rest: &str) -> bool {
    !rest.starts_with(char::is_alphanumeric)
}

/// Whether a sentence ends as a question that is no courtesy.
fn ends(sentence: &Sentence) -> bool {
    let is_courtesy = || {
        let is_short = sentence.text.split_whitespace().count() <= COURTESY_WORDS;
        let hangs = HANGING.iter().any(|word| sentence.find(word).is_some());
        is_short && !hangs && COURTESY.iter().any(|it| sentence.find(it) == Some(0))
    };
    let bare = sentence.text.trim_end_matches(['*', '_', '"', '`', ')', '»', '”']);
    // What is printed bold may end before the sentence does.
    (bare.ends_with(QUESTION_MARKS) || sentence.text.contains("?**")) && !is_courtesy()
}

/// How an agent tells the user to choose.
const CHOOSE: &[&str] = &[
    "choose between",
    "choose one",
    "choose which",
    "decide between",
    "decide whether",
    "decide which",
    "pick one",
    "pick which",
];

/// How a sentence begins that bids the user to answer, with no question mark.
const BIDDING: &[&str] = &[
    "please approve",
    "please choose",
    "please confirm",
    "please decide",
    "please pick",
    "please provide",
    "please reply",
    "please send",
    "please share",
    "please specify",
    "please tell me",
    "reply with",
    "which do you prefer",
];
/// How an agent says that it needs a word of the user's before it goes on. "Let me know if you need anything
/// else" is courtesy.
const NEEDING: &[&str] = &[
    "let me know how to proceed",
    "let me know how you",
    "let me know what you",
    "let me know when",
    "let me know whether",
    "let me know which",
    "need you to",
    "need your",
    "once you approve",
    "once you confirm",
    "tell me when",
    "until you approve",
    "until you confirm",
    "when you are ready",
    "when you're ready",
];

/// Whether the last paragraph or list asks: it begins by telling the user to choose, bids the user to answer, says
/// that a word of the user's is needed, or has a question in another language than English, where nobody knows
/// whom it names.
fn asks_in(block: &[Sentence]) -> bool {
    let chooses = |first: &Sentence| CHOOSE.iter().any(|words| first.begins_at(0, words));
    let answers = |at: usize| block.get(at + 1).is_some_and(foreign::answers);
    let asks = |(at, sentence): (usize, &Sentence)| {
        ends(sentence) && foreign::may_ask(sentence) && !answers(at)
    };
    let bids = |sentence: &Sentence| {
        BIDDING.iter().any(|words| sentence.begins_at(0, words))
            || NEEDING.iter().any(|words| says(sentence, words))
            || bids_before_it_goes_on(sentence)
            || has_open_question(sentence)
    };
    block.first().is_some_and(chooses)
        || block.iter().any(|sentence| bids(sentence) || foreign::needs_word(sentence))
        || block.iter().enumerate().any(asks)
}

/// What a sentence bids the user to do that only the user can: what is to be tried is no question.
const TO_USER: &[&str] = &["approve", "confirm", "give me", "merge", "publish", "say", "tell me"];
/// How an agent goes on there with what it does then.
const THEN_I: &[&str] = &["and i rerun", "and i will", "and i'll", "then i will", "then i'll"];
/// How a sentence begins that names first what must have happened.
const ONCE: &[&str] = &["after", "once", "when"];

/// Whether a sentence bids the user to do something, on which the agent goes on: "merge it and I'll tag it",
/// "once the key is made, tell me and I rerun it".
fn bids_before_it_goes_on(sentence: &Sentence) -> bool {
    let Some(goes_on) = THEN_I.iter().filter_map(|words| sentence.find(words)).min() else {
        return false;
    };
    let is_once = ONCE.contains(&sentence.word(0));
    let opens = |at: usize| at == 0 || is_once && sentence.words[at - 1].ends;
    let bids = |at: usize| opens(at) && TO_USER.iter().any(|words| sentence.begins_at(at, words));
    !is_offer(sentence) && (0..goes_on).any(bids)
}

/// Whether a sentence says that a question of the agent's was not answered yet.
pub(super) fn has_open_question(sentence: &Sentence) -> bool {
    let asked = ["question", "questions"].iter().find_map(|word| sentence.find(word));
    let is_own = |at: usize| sentence.clause_before(at).any(|word| matches!(word, "my" | "our"));
    asked.is_some_and(is_own)
        && ["still open", "still stand", "still stands"].iter().any(|it| says(sentence, it))
}

/// How a sentence says that what it offers need not be: "say the word if you want it squashed".
const OFFERS: &[&str] = &[
    "if you want",
    "if you'd like",
    "if you'd prefer",
    "if you'd rather",
    "if you prefer",
    "if you would like",
];

fn is_offer(sentence: &Sentence) -> bool {
    OFFERS.iter().any(|words| sentence.find(words).is_some())
}

/// What leads to a list of what the user can choose, in small letters.
const CHOICES: &[&str] = &[
    "alternatives",
    "choices",
    "options",
    "optionen",
    "möglichkeiten",
    "opciones",
    "opções",
    "opzioni",
    "seçenekler",
    "варианты",
    "选项",
    "可选方案",
    "選択肢",
    "선택지",
];
/// What may stand before that.
const SUCH: &[&str] = &["your", "the", "possible", "two", "three", "four", "2", "3", "4"];

/// Whether words end with a numbered list of what can be chosen, under a line that says no more than that.
fn offers_choices(words: &str) -> bool {
    let mut above = words.trim_end().lines().rev().filter(|line| !line.trim().is_empty());
    let mut entries = 0;
    let lead = loop {
        let Some(line) = above.next() else { return false };
        let is_deeper = line.starts_with([' ', '\t']);
        match sentence::is_numbered(line.trim()) {
            true => entries += 1,
            false if is_deeper => {}
            false => break line,
        }
    };
    let bare = lead.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ':' | '：'));
    let Some(bare) = bare.strip_suffix([':', '：']).filter(|_| entries > 1) else { return false };
    let low = bare.to_lowercase();
    let mut named = low.split_whitespace().rev();
    named.next().is_some_and(|last| CHOICES.contains(&last)) && named.all(|it| SUCH.contains(&it))
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
    use super::{asks_in_recap, asks_user};

    #[test]
    fn a_question_to_the_user_is_told_from_one_that_is_answered() {
        for words in [
            "It is written. Shall I push it?",
            "#7 is open. Shall I merge it?",
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
            "Tudo pronto.\n\nFaço o merge agora? É só um commit.",
            "İkisi hazır:\n- Dalı sileyim mi (`git branch -d eski`)? Geri alınabilir.\n- Gerisi sonra.",
            "**다음 단계**: 수정안에 대한 승인이 필요합니다. 그 뒤에 진행합니다.",
            "Es fehlt noch etwas.\n\nIch brauche deine Freigabe. Danach geht es weiter.",
            "Both are written.\n\n선택지:\n1. 그대로 둔다\n2. 다시 쓴다",
            "The tag is set.\n\n**Your options:**\n\n1. Leave it.\n2. Set it again\n   behind the fix.",
            "I found two ways: A and B. Let me know which one you prefer.",
            "Please provide the text that shall go to the file.",
            "It is ready. Please confirm before I delete the branch.",
            "I need your decision on the schema first.",
            "I'll hold off on pushing until you confirm.",
            "I stopped here. Please run `login` and tell me when it is done.",
            "There are two. Reply with 1 or 2.",
            "Ready to proceed when you are ready.",
            "Both work.\n\nDecide between the short form and the long one. The page needs either.",
            "It is green.\n\nGive me the word on the merge and I'll run the other two steps.",
            "Confirm the merge and I'll go on. I wait here.",
            "Both are up. Merge the second, and then I'll tag it.",
            "Two steps are yours.\n\nOnce the key is made on the site, tell me and I rerun the job.",
            "1. **May I merge the second one?** It is green.\n2. The rest is done.",
            "What is wrong? Tell me what you want done instead and I'll help.",
            "That came from the monitor, so my two questions from before are still open.",
            "Politikayı oluşturduğunda haber ver, üçünü de ben hallederim.",
            "Leg bitte den Schlüssel an. Sobald er da ist, sag Bescheid.",
            "Préviens-moi quand la clé est là.",
            "Avísame en cuanto esté la clave.",
            "鍵ができたら教えてください。",
        ] {
            assert!(asks_user(words), "{words}");
        }
        for words in [
            "Why did it fail? The lock was held.",
            "What changed? Only the parser.",
            "Done.",
            "It is pushed. Is there anything else you need?",
            "With your approval I merged it. All is done.",
            "It is pushed. Let me know if you need anything else.",
            "It is done, and I did not need your key for it.",
            "To see it, run `make serve`. Please note that the port changed.",
            "It no longer needs your approval. It is done.",
            "I didn’t wait for your go-ahead since you asked for it.",
            "That was your call and it is done.",
            "Nach deiner Freigabe habe ich ihn gemergt.",
            "Si quelque chose manque, dites-le moi.",
            "Hepsi tamam. Sorun olursa haber ver.",
            "Alles fertig. Wenn etwas fehlt, sag Bescheid.",
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
            "Alles grün.\n\nWarum schlug es fehl? Die Sperre war gehalten.",
            "Geht es schneller? Ja, doppelt so schnell.",
            "Soll das so? Habe ich gefragt.\n\nNun steht es in der Datei.",
            "배포에는 승인이 필요합니다.\n\n그렇게 문서에 썼습니다.",
            "I added these options:\n1. short\n2. long",
            "Options considered:\n1. short\n2. long\n\nI took the first.",
            "The page says how to decide between the two. It is done.",
            "They are left as they were; say the word if you want them on a branch of their own.",
            "If you want the old rows dropped, tell me which.",
            "Let me know if you'd like a page of it and I'll write one.",
            "I said that I fix it and I'll stand by that.",
            "I fixed the parser, add a test, and I will keep it small. All is done.",
            "Done. To try it: run `cargo run`, then I can show you the page.",
            "All done. Give it a try and I'll tweak the colours.",
            "All done. Test it on your phone and I'll adjust the spacing.",
            "If it happens again, send me the log and I'll look.",
            "Done. There are still open questions in the spec of the bank, not for us.",
            "The plan that I followed: merge the two, then I'll clean up. Both are done.",
            "The old questions are not still open: both were answered.",
        ] {
            assert!(!asks_user(words), "{words}");
        }
    }

    #[test]
    fn a_recap_says_whose_the_next_step_is() {
        for words in [
            "The review failed twice. Next: decide whether to split it.",
            "It is paused. Next: confirm you want it archived.",
            "Die Prüfung ist durch. Sie wartet auf deine Freigabe.",
        ] {
            assert!(asks_in_recap(words), "{words}");
        }
        for words in ["It is written. Next: confirm the build passes.", "Next: decided steps."] {
            assert!(!asks_in_recap(words), "{words}");
        }
    }
}
