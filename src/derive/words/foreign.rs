//! Words by which sentences in other languages bind the work, or say that the agent waits: only those that
//! can hardly mean anything else. All other sentences are left alone rather than guessed at.

use super::cues::Holds;
use super::sentence::Sentence;

/// Where a phrase must stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// At the beginning of the sentence.
    Start,
    /// Anywhere, as words of their own.
    Words,
    /// Anywhere; for scripts that put no blanks between words.
    Text,
    /// At the beginning, with the second phrase later.
    Around(&'static str),
}

/// Phrases, where they must stand, and how long what they say holds.
const TABLE: &[(&str, At, Holds)] = &[
    // German
    ("auf keinen fall", At::Words, Holds::Here),
    ("unter keinen umständen", At::Words, Holds::Here),
    ("bitte nicht", At::Words, Holds::Here),
    ("bitte niemals", At::Words, Holds::Lasting),
    ("bitte nie", At::Words, Holds::Lasting),
    ("bitte immer", At::Words, Holds::Lasting),
    ("niemals", At::Start, Holds::Lasting),
    ("ab jetzt", At::Start, Holds::Lasting),
    ("von nun an", At::Start, Holds::Lasting),
    ("du darfst nicht", At::Words, Holds::Here),
    ("du darfst kein", At::Words, Holds::Here),
    // French
    ("ne", At::Around("pas"), Holds::Here),
    ("ne", At::Around("jamais"), Holds::Lasting),
    ("il ne faut pas", At::Words, Holds::Here),
    ("il ne faut jamais", At::Words, Holds::Lasting),
    ("en aucun cas", At::Words, Holds::Here),
    ("à partir de maintenant", At::Start, Holds::Lasting),
    ("désormais", At::Start, Holds::Lasting),
    // Spanish
    ("nunca", At::Start, Holds::Lasting),
    ("por favor no", At::Words, Holds::Here),
    ("bajo ningún concepto", At::Words, Holds::Here),
    ("a partir de ahora", At::Start, Holds::Lasting),
    ("de ahora en adelante", At::Start, Holds::Lasting),
    // Portuguese
    ("por favor não", At::Words, Holds::Here),
    ("em hipótese alguma", At::Words, Holds::Here),
    ("a partir de agora", At::Start, Holds::Lasting),
    ("de agora em diante", At::Start, Holds::Lasting),
    // Turkish
    ("sakın", At::Words, Holds::Here),
    ("asla", At::Start, Holds::Lasting),
    ("bundan sonra", At::Start, Holds::Lasting),
    ("bundan böyle", At::Start, Holds::Lasting),
    // Italian
    ("in nessun caso", At::Words, Holds::Here),
    ("per favore non", At::Words, Holds::Here),
    ("d'ora in poi", At::Words, Holds::Lasting),
    ("non devi mai", At::Words, Holds::Lasting),
    // Russian
    ("ни в коем случае", At::Words, Holds::Here),
    ("пожалуйста не", At::Words, Holds::Here),
    ("не трогай", At::Words, Holds::Here),
    ("никогда не", At::Start, Holds::Lasting),
    ("впредь", At::Start, Holds::Lasting),
    // Chinese
    ("不要", At::Text, Holds::Here),
    ("千万别", At::Text, Holds::Here),
    ("严禁", At::Text, Holds::Here),
    ("永远不要", At::Text, Holds::Lasting),
    ("从现在起", At::Text, Holds::Lasting),
    // Japanese
    ("ないでください", At::Text, Holds::Here),
    ("ないで下さい", At::Text, Holds::Here),
    ("てはいけ", At::Text, Holds::Here),
    ("てはなら", At::Text, Holds::Here),
    ("今後は", At::Text, Holds::Lasting),
    // Korean
    ("하지 마", At::Text, Holds::Here),
    ("하지마", At::Text, Holds::Here),
    ("지 말아", At::Text, Holds::Here),
    ("지 말 것", At::Text, Holds::Here),
    ("앞으로는", At::Text, Holds::Lasting),
];

/// What looks like a phrase above and asks or tells: "do you want to", "do not you".
const NOT: &[&str] =
    &["要不要", "不要紧", "是不是不要", "てはいけませんか", "てはいけないか", "てはならないか"];

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

/// Tells whether a sentence in another language than English says that the user's word is needed.
pub(super) fn needs_word(sentence: &Sentence) -> bool {
    stands(sentence, &bare(sentence), NEEDS)
}

/// Words that stand in English sentences, and hardly in those of other languages.
const ENGLISH: &[&str] = &[
    "and", "are", "did", "does", "for", "have", "how", "is", "it", "not", "of", "that", "the",
    "this", "to", "what", "when", "where", "which", "why", "with",
];
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

/// Tells whether a question is in another language than English, and not one that its speaker goes on to answer.
pub(super) fn may_ask(sentence: &Sentence) -> bool {
    let is_english = sentence.words.iter().any(|word| ENGLISH.contains(&word.low.as_str()));
    !is_english && !stands(sentence, &bare(sentence), WHY)
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
fn bare(sentence: &Sentence) -> String {
    sentence.words.iter().flat_map(|word| [word.low.as_str(), " "]).collect()
}

/// Tells whether a sentence in another language than English says what must or must not be done.
pub(super) fn binding(sentence: &Sentence) -> Option<Holds> {
    // Scripts without blanks between words have no ASCII.
    let bare = if sentence.text.is_ascii() { String::new() } else { bare(sentence) };
    let is_ascii = bare.is_ascii();
    if !is_ascii && NOT.iter().any(|phrase| bare.contains(phrase)) {
        return None;
    }
    let stands = |(phrase, at, _): &&(&str, At, Holds)| match at {
        At::Start => sentence.words.len() > 2 && sentence.begins_at(0, phrase),
        At::Words => sentence.find(phrase).is_some(),
        At::Text => !is_ascii && bare.contains(phrase),
        At::Around(later) => sentence.begins_at(0, phrase) && sentence.find(later).is_some(),
    };
    let found: Vec<_> = TABLE.iter().filter(stands).map(|(_, _, holds)| *holds).collect();
    let lasting = found.contains(&Holds::Lasting);
    found.first().map(|first| if lasting { Holds::Lasting } else { *first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::words::sentence::typed;

    #[test]
    fn clear_words_bind_in_many_languages() {
        let all = [
            ("Bitte nicht auf main pushen.", Holds::Here),
            ("Ne touche pas aux tests.", Holds::Here),
            ("Nunca hagas push a main", Holds::Lasting),
            ("De agora em diante use tabs", Holds::Lasting),
            ("Sakın testleri silme", Holds::Here),
            ("In nessun caso cambiare lo schema", Holds::Here),
            ("Ни в коем случае не трогай тесты", Holds::Here),
            ("不要修改测试", Holds::Here),
            ("テストを変更しないでください。", Holds::Here),
            ("테스트를 수정하지 마세요", Holds::Here),
        ];
        for (text, holds) in all {
            assert_eq!(binding(&typed(text)[0]), Some(holds), "{text}");
        }
    }

    #[test]
    fn what_could_mean_something_else_is_left_alone() {
        let none = [
            "Es schlägt immer fehl",
            "Ne yapalım şimdi",
            "要不要提交？",
            "Siempre falla",
            "테스트를 실행해 주세요",
            "Evet hepsini ele al",
        ];
        for text in none {
            assert_eq!(binding(&typed(text)[0]), None, "{text}");
        }
    }
}
