//! How an agent says in other languages than English that something is not done.

use super::sentence::Sentence;

/// Phrases of languages with blanks between words.
const PHRASES: &[&str] = &[
    "fehlt noch",
    "fehlen noch",
    "steht noch aus",
    "stehen noch aus",
    "noch nicht fertig",
    "ist noch offen",
    "sind noch offen", // German
    "ontbreekt nog",
    "ontbreken nog",
    "nog niet af", // Dutch
    "manque encore",
    "manquent encore",
    "il reste à",
    "reste à faire",
    "restent à faire", // French
    "manca ancora",
    "mancano ancora",
    "resta da",
    "restano da", // Italian
    "aún falta",
    "aún faltan",
    "falta aún",
    "faltan aún",
    "todavía falta",
    "todavía faltan",
    "falta por",
    "faltan por",
    "queda por",
    "quedan por",
    "sigue faltando",
    "siguen faltando", // Spanish
    "ainda falta",
    "ainda faltam",
    "falta ainda",
    "faltam ainda", // Portuguese
    "brakuje jeszcze",
    "jeszcze brakuje",
    "wciąż brakuje",
    "nadal brakuje",
    "pozostało", // Polish
    "ещё не готов",
    "ещё не готова",
    "ещё не готово",
    "ещё не готовы",
    "ещё не сделано",
    "осталось",
    "всё ещё не хватает",
    "ещё не хватает",
    "пока не хватает",
    "ещё нет",
    "всё ещё нет", // Russian
    "hâlâ eksik",
    "henüz yok",
    "henüz bitmedi", // Turkish
    "ما زال ناقصا",
    "لا يزال ناقصا",
    "ما زالت ناقصة",
    "لا تزال ناقصة",
    "ما زال مفقودا",
    "لا يزال مفقودا",
    "ما زالت مفقودة",
    "لا تزال مفقودة", // Arabic
];
/// Phrases of scripts without blanks, or of words with endings: all of one row stand in the sentence.
const UNPARTED: &[&[&str]] = &[
    &["还没"],
    &["还剩"],
    &["还缺"],
    &["尚未"],
    &["仍未"],
    &["未完成"],
    &["仍然缺"],
    &["仍缺"],
    &["まだ", "ません"],
    &["まだ", "ない"],
    &["まだ", "残"],
    &["残っています"],
    &["残りは"],
    &["未完了"],
    &["未対応"],
    &["아직", "않"],
    &["아직", "못"],
    &["아직", "없"],
    &["아직", "남"],
    &["남아 있"],
    &["남았습니다"],
    &["لم ", " بعد"],
];

/// Tells whether a sentence in another language than English says that something is not done.
pub(super) fn is_missing(sentence: &Sentence) -> bool {
    let has = |row: &&[&str]| row.iter().all(|part| sentence.text.contains(part));
    PHRASES.iter().any(|phrase| sentence.find(phrase).is_some())
        || !sentence.text.is_ascii() && UNPARTED.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::super::sentence::prose;
    use super::is_missing;

    #[test]
    fn what_is_not_done_is_known_in_other_languages() {
        let is_missing = |words: &str| is_missing(&prose(words)[0]);
        for words in [
            "Die zweite Hälfte fehlt noch.",
            "Il manque encore la seconde moitié.",
            "Manca ancora la seconda parte.",
            "Aún falta la segunda mitad.",
            "Ainda falta a segunda metade.",
            "Вторая половина ещё не готова.",
            "第二部分还没有写。",
            "後半はまだ書いていません。",
            "두 번째 절반은 아직 남아 있습니다.",
            "De tweede helft ontbreekt nog.",
            "Wciąż brakuje drugiej połowy.",
        ] {
            assert!(is_missing(words), "{words}");
        }
        for words in [
            "Es fehlt nichts mehr.",
            "Alles ist fertig.",
            "Tout est écrit.",
            "No falta nada.",
            "全部写好了。",
            "すべて書きました。",
            "모두 썼습니다.",
            "Nic nie brakuje.",
        ] {
            assert!(!is_missing(words), "{words}");
        }
    }
}
