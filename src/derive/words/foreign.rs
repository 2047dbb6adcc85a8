//! Words by which sentences in other languages say that the agent waits: only those that can hardly mean
//! anything else. All other sentences are left alone rather than guessed at.

use super::heard::ENGLISH;
use super::sentence::Sentence;

/// Where a phrase must stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Anywhere, as words of their own.
    Words,
    /// Anywhere; for scripts that put no blanks between words.
    Text,
}

/// How an agent says that it waits for the user's word. That somebody may speak up is said at the end of
/// much that is done, and stands for nothing.
const WAITS: &[(&str, At)] = &[
    // German
    ("warte auf deine", At::Words),
    ("warte auf dein", At::Words),
    ("warte auf ihre", At::Words),
    ("wartet auf deine", At::Words),
    ("wartet auf dein", At::Words),
    ("wartet auf ihre freigabe", At::Words),
    ("wartet auf ihre antwort", At::Words),
    ("wartet auf ihre bestätigung", At::Words),
    ("wartet auf ihre entscheidung", At::Words),
    ("sobald du zustimmst", At::Words),
    ("sobald sie zustimmen", At::Words),
    // French
    ("j'attends votre", At::Words),
    ("j'attends ta", At::Words),
    ("j'attends ton", At::Words),
    ("en attente de votre", At::Words),
    ("en attente de ta", At::Words),
    ("en attente de ton", At::Words),
    // Spanish
    ("espero tu", At::Words),
    ("espero su", At::Words),
    ("esperando tu", At::Words),
    ("esperando su aprobación", At::Words),
    ("esperando su confirmación", At::Words),
    ("esperando su decisión", At::Words),
    ("esperando su respuesta", At::Words),
    ("a la espera de tu", At::Words),
    ("a la espera de su", At::Words),
    // Portuguese
    ("aguardo sua", At::Words),
    ("aguardo a sua", At::Words),
    ("aguardando sua aprovação", At::Words),
    ("aguardando sua confirmação", At::Words),
    ("aguardando sua decisão", At::Words),
    ("aguardando sua resposta", At::Words),
    ("aguardando a sua aprovação", At::Words),
    ("aguardando a sua confirmação", At::Words),
    ("aguardando a sua decisão", At::Words),
    ("aguardando a sua resposta", At::Words),
    // Italian
    ("attendo la tua", At::Words),
    ("attendo il tuo", At::Words),
    ("in attesa della tua", At::Words),
    ("in attesa del tuo", At::Words),
    // Turkish
    ("onayını bekliyor", At::Words),
    ("onayını bekliyorum", At::Words),
    ("onayınızı bekliyor", At::Words),
    ("onayınızı bekliyorum", At::Words),
    ("onay verirsen", At::Words),
    ("onay verirseniz", At::Words),
    // Russian
    ("жду вашего", At::Words),
    ("жду твоего", At::Words),
    ("жду вашей", At::Words),
    ("жду вашу", At::Words),
    // Chinese
    ("等待你的", At::Text),
    ("等待您的", At::Text),
    ("等你确认", At::Text),
    ("等您确认", At::Text),
    ("等待用户确认", At::Text),
    ("等待用户批准", At::Text),
    ("等待用户回复", At::Text),
    ("需要你的确认", At::Text),
    ("需要您的确认", At::Text),
    // Japanese
    ("承認をお待ち", At::Text),
    ("返事をお待ち", At::Text),
    ("回答をお待ち", At::Text),
    ("指示をお待ち", At::Text),
    ("承認待ち", At::Text),
    ("ご指示ください", At::Text),
    // Korean
    ("승인을 기다", At::Text),
    ("답변을 기다", At::Text),
    ("확인을 기다", At::Text),
    ("승인 대기 중", At::Text),
    ("승인해 주시면", At::Text),
    ("승인해주시면", At::Text),
    ("답변해 주시면", At::Text),
    ("답변해주시면", At::Text),
];

/// Words before what is said so, by which nobody waits, or no more.
const NOT_BEFORE: &[&str] = &["no", "não", "non", "не", "больше"];
/// How many words before.
const BEFORE: usize = 4;
/// The same behind it.
const NOT_AFTER: &[&str] = &["nicht mehr", "plus"];
/// By which a sentence in a script without blanks says so.
const WAITS_NOT: &[&str] = &[
    "不再等",
    "没有等待",
    "没等",
    "无需",
    "不用等",
    "不必等",
    "待ちません",
    "待たず",
    "待たない",
    "기다리지",
    "중이던",
    "중이었",
];

/// Tells whether a sentence in another language than English says that the agent waits for the user's word.
pub(super) fn waits(sentence: &Sentence) -> bool {
    stands(sentence, &bare(sentence), WAITS)
}

/// Tells whether one of `phrases` stands in a sentence, of which `bare` are the words, and nothing takes it back.
fn stands(sentence: &Sentence, bare: &str, phrases: &[(&str, At)]) -> bool {
    let is_denied = |at: usize| {
        sentence.clause_before(at).take(BEFORE).any(|word| NOT_BEFORE.contains(&word))
            || NOT_AFTER.iter().any(|not| sentence.find(not).is_some_and(|after| after > at))
    };
    let stands = |(phrase, at): &(&str, At)| match at {
        At::Text => bare.contains(phrase) && !WAITS_NOT.iter().any(|not| bare.contains(not)),
        _ => sentence.find(phrase).is_some_and(|at| !is_denied(at)),
    };
    phrases.iter().any(stands)
}

/// How an agent says at the end that it needs the user's word; further up it may tell what the work does.
const NEEDS: &[(&str, At)] = &[
    ("brauche deine freigabe", At::Words),
    ("brauche deine zustimmung", At::Words),
    ("brauche ihre freigabe", At::Words),
    ("brauche ihre zustimmung", At::Words),
    ("j'ai besoin de votre accord", At::Words),
    ("j'ai besoin de ton accord", At::Words),
    ("necesito tu aprobación", At::Words),
    ("necesito su aprobación", At::Words),
    ("preciso da sua aprovação", At::Words),
    ("ho bisogno della tua approvazione", At::Words),
    ("onayın gerekiyor", At::Words),
    ("onayınız gerekiyor", At::Words),
    ("нужно ваше одобрение", At::Words),
    ("нужно твоё одобрение", At::Words),
    ("需要你的批准", At::Text),
    ("需要您的批准", At::Text),
    ("承認が必要です", At::Text),
    ("승인이 필요합니다", At::Text),
];

/// How an agent bids the user to tell it something, and how it says that this is to be when something has happened, in
/// each language: "if" is courtesy.
const TELL_WHEN: &[(&[&str], &[&str])] = &[
    (
        &["gib bescheid", "gib mir bescheid", "melde dich", "sag bescheid", "sag mir bescheid"],
        &["sobald"],
    ),
    (&["dis-moi", "dites-moi", "prévenez-moi", "préviens-moi"], &["dès que", "quand", "une fois"]),
    (&["avísame", "avíseme", "dime"], &["cuando", "en cuanto"]),
    (&["avise-me", "me avisa", "me avise"], &["assim que", "quando"]),
    (&["avvisami", "dimmi", "fammi sapere"], &["appena", "quando"]),
    (&["дай знать", "дайте знать", "сообщи", "сообщите"], &["как только", "когда"]),
    (&["bana söyle", "haber ver", "haber verin"], &[]),
];
/// How a word of Turkish ends that says when.
const TURKISH_WHEN: &[&str] = &[
    "dığında",
    "diğinde",
    "duğunda",
    "düğünde",
    "tığında",
    "tiğinde",
    "tuğunda",
    "tüğünde",
    "ınca",
    "ince",
    "unca",
    "ünce",
];
/// The same in scripts that put no blanks between words, or other ones.
const TOLD_WHEN: &[&str] = &[
    "后告诉我",
    "后通知我",
    "好了告诉我",
    "終わったら教えて",
    "完了したら教えて",
    "できたら教えて",
    "終わったら知らせ",
    "完了したら知らせ",
    "끝나면알려",
    "완료되면알려",
    "만들면알려",
];

/// Whether a sentence bids the user to tell the agent when something has happened.
fn tells_when(sentence: &Sentence, bare: &str) -> bool {
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| sentence.find(phrase).is_some());
    let ends = |word: &str| TURKISH_WHEN.iter().any(|end| word.ends_with(end));
    let is_when = |when: &[&str]| match when {
        [] => sentence.words.iter().any(|word| ends(&word.low)),
        _ => has(when),
    };
    let close = bare.replace(' ', "");
    TELL_WHEN.iter().any(|(tell, when)| has(tell) && is_when(when))
        || TOLD_WHEN.iter().any(|phrase| close.contains(phrase))
}

/// Tells whether a sentence in another language than English says that the user's word is needed.
pub(super) fn needs_word(sentence: &Sentence) -> bool {
    let bare = bare(sentence);
    stands(sentence, &bare, NEEDS) || tells_when(sentence, &bare)
}

/// Words of a question that stand in English sentences, and hardly in those of other languages.
const ASKING: &[&str] = &["did", "does", "how", "what", "when", "where", "which", "why"];
/// Words of a question that its speaker goes on to answer.
const WHY: &[(&str, At)] = &[
    ("warum", At::Words),
    ("wieso", At::Words),
    ("weshalb", At::Words),
    ("pourquoi", At::Words),
    ("por qué", At::Words),
    ("por que", At::Words),
    ("perché", At::Words),
    ("neden", At::Words),
    ("niçin", At::Words),
    ("niye", At::Words),
    ("почему", At::Words),
    ("зачем", At::Words),
    ("为什么", At::Text),
    ("为何", At::Text),
    ("なぜ", At::Text),
    ("どうして", At::Text),
    ("왜", At::Words),
];
/// Words with which somebody answers what was just asked.
const ANSWERS: &[&str] = &[
    "yes",
    "no",
    "ja",
    "nein",
    "oui",
    "non",
    "sí",
    "sim",
    "não",
    "sì",
    "evet",
    "hayır",
    "да",
    "нет",
    "是的",
    "不是",
    "はい",
    "いいえ",
    "네",
    "예",
    "아니요",
];

/// Tells whether no word of a sentence is one of English.
pub(super) fn may_be(sentence: &Sentence) -> bool {
    !sentence.words.iter().any(|word| [ENGLISH, ASKING].iter().any(|all| all.contains(&&*word.low)))
}

/// Tells whether a question is in another language than English, and not one that its speaker goes on to answer.
pub(super) fn may_ask(sentence: &Sentence) -> bool {
    may_be(sentence) && !stands(sentence, &bare(sentence), WHY)
}

/// Tells whether a sentence answers the question before it.
pub(super) fn answers(sentence: &Sentence) -> bool {
    ANSWERS.contains(&sentence.word(0))
}

/// How an agent says that it waits for checks elsewhere; those of scripts without blanks stand without any.
const WAITS_FOR_CHECKS: &[(&str, At)] = &[
    // German
    ("warte auf ci", At::Words),
    ("warte auf die ci", At::Words),
    ("warte auf die checks", At::Words),
    ("ci läuft noch", At::Words),
    // French
    ("en attente de la ci", At::Words),
    ("en attente du ci", At::Words),
    ("en attente des checks", At::Words),
    ("j'attends la ci", At::Words),
    // Spanish
    ("esperando ci", At::Words),
    ("esperando la ci", At::Words),
    ("esperando a ci", At::Words),
    ("esperando a que ci", At::Words),
    ("esperando los checks", At::Words),
    // Portuguese
    ("aguardando ci", At::Words),
    ("aguardando a ci", At::Words),
    ("aguardando o ci", At::Words),
    ("aguardando os checks", At::Words),
    // Italian
    ("in attesa della ci", At::Words),
    ("in attesa di ci", At::Words),
    // Turkish
    ("ci bekleniyor", At::Words),
    ("ci bekliyorum", At::Words),
    // Russian
    ("жду ci", At::Words),
    ("ждём ci", At::Words),
    ("ожидаю ci", At::Words),
    // Chinese
    ("等待ci", At::Text),
    ("ci还在运行", At::Text),
    ("ci仍在运行", At::Text),
    // Japanese
    ("ciを待", At::Text),
    ("ci待ちです", At::Text),
    ("ci待ち中", At::Text),
    ("ciの完了を待", At::Text),
    ("ciの完了待ち", At::Text),
    ("ciの結果を待", At::Text),
    // Korean
    ("ci대기중", At::Text),
    ("ci완료대기중", At::Text),
    ("ci완료를기다", At::Text),
    ("ci를기다", At::Text),
    ("ci결과를기다", At::Text),
];

/// Tells whether a sentence in another language than English says that the agent waits for checks elsewhere.
pub(super) fn waits_for_checks(sentence: &Sentence) -> bool {
    let bare = bare(sentence).replace(' ', "");
    stands(sentence, &bare, WAITS_FOR_CHECKS)
}

/// Returns the words of a sentence, as phrases of scripts without blanks are looked for.
pub(super) fn bare(sentence: &Sentence) -> String {
    sentence.words.iter().flat_map(|word| [word.low.as_str(), " "]).collect()
}
