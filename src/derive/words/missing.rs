//! How an agent says in other languages than English that something is not done, and in all by a label.

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

/// Labels behind whose colon stands what is left.
const LABELS: &[&str] = &[
    "left",
    "left to do",
    "next",
    "next step",
    "next steps",
    "next up",
    "not done",
    "open points",
    "outstanding",
    "remaining",
    "remaining work",
    "still left",
    "still missing",
    "still open",
    "still to do",
    "to do",
    "todo",
    "what is left",
    "what's left",
    "noch offen",
    "noch zu tun",
    "offen",
    "offene punkte", // German
    "nog te doen",
    "nog open", // Dutch
    "reste",
    "reste à faire",
    "à faire", // French
    "da fare",
    "manca",
    "resta", // Italian
    "falta",
    "faltan",
    "pendiente",
    "pendientes",
    "por hacer",
    "queda pendiente", // Spanish
    "faltam",
    "pendente",
    "pendentes",
    "por fazer", // Portuguese
    "do zrobienia",
    "pozostało", // Polish
    "не сделано",
    "осталось",   // Russian
    "залишилось", // Ukrainian
    "kalan",
    "yapılacaklar", // Turkish
    "المتبقي",      // Arabic
    "剩余",
    "待办",
    "未完成",
    "还剩", // Chinese
    "残り",
    "残タスク",
    "未対応", // Japanese
    "남은 일",
    "남은 작업",
    "미완료", // Korean
];
/// What stands there where nothing is.
const NOTHING: &[&str] = &[
    "-",
    "–",
    "0",
    "n/a",
    "nil",
    "no",
    "none",
    "nothing",
    "nichts",
    "keine",
    "niets",
    "rien",
    "aucun",
    "niente",
    "nada",
    "ninguna",
    "ninguno",
    "nenhum",
    "nic",
    "нет",
    "ничего",
    "немає",
    "yok",
    "لا شيء",
    "all clear",
    "all done",
    "all resolved",
    "无",
    "没有",
    "なし",
    "없음",
];

/// Labels that stand as often for something else.
const AMBIGUOUS: &[&str] = &["left", "next", "offen", "to do", "todo"];
/// Labels behind which stands what was done.
const DONE: &[&str] = &[
    "added", "changed", "checks", "done", "finished", "fixed", "tests", "verified", "erledigt",
    "fertig",
];

/// Tells whether the label of the sentence at `at` is one of several that describe something: those beside it have
/// labels, too, which tell nothing of work.
pub(super) fn is_one_of_labels(sentences: &[Sentence], at: usize) -> bool {
    let label = |sentence: &Sentence| {
        let (label, _) = sentence.text.split_once([':', '：'])?;
        let label = label.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        (label.split_whitespace().count() <= 3).then_some(label)
    };
    let is_other = |at: usize| {
        let label = sentences.get(at).and_then(label);
        label.is_some_and(|it| !DONE.contains(&it.as_str()) && !LABELS.contains(&it.as_str()))
    };
    let is_ambiguous = label(&sentences[at]).is_some_and(|it| AMBIGUOUS.contains(&it.as_str()));
    is_ambiguous && (at.checked_sub(1).is_some_and(is_other) || is_other(at + 1))
}

/// Tells whether a sentence names what is left behind a label for it. What only counts or measures is none.
pub(super) fn is_labelled(sentence: &Sentence) -> bool {
    let is_mark = |c: char| !c.is_alphanumeric();
    let Some((label, rest)) = sentence.text.split_once([':', '：']) else { return false };
    let label = label.trim_matches(is_mark).to_lowercase().replace('’', "'");
    let rest = rest.trim().trim_start_matches(['*', '_', ' ']);
    let low = rest.to_lowercase();
    let first = low.trim_end_matches(is_mark);
    let is_none = |none: &str| {
        first == none || first.strip_prefix(none).is_some_and(|rest| rest.starts_with([' ', ',']))
    };
    let measures = ["http", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"];
    LABELS.contains(&label.as_str())
        && !rest.starts_with(|c: char| c.is_ascii_digit())
        && !measures.iter().any(|start| low.starts_with(start))
        && rest.chars().any(char::is_alphanumeric)
        && !NOTHING.iter().any(|none| is_none(none))
}

/// Tells whether a sentence in another language than English says that something is not done.
pub(super) fn is_missing(sentence: &Sentence) -> bool {
    let has = |row: &&[&str]| row.iter().all(|part| sentence.text.contains(part));
    PHRASES.iter().any(|phrase| sentence.find(phrase).is_some())
        || !sentence.text.is_ascii() && UNPARTED.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::super::sentence::prose;
    use super::{is_labelled, is_missing, is_one_of_labels};

    #[test]
    fn labels_that_describe_something_leave_nothing() {
        let is_one = |words: &str| {
            let all = prose(words);
            let at = all.iter().position(is_labelled).unwrap();
            is_one_of_labels(&all, at)
        };
        assert!(is_one("- Previous: goes a page back\n- Next: goes a page on"));
        assert!(is_one("Todo: grey. Doing: blue. Done: green."));
        assert!(!is_one("Done: the parser. Left: the page."));
        assert!(!is_one("All tests pass. Left: the page."));
    }

    #[test]
    fn what_is_left_is_known_by_its_label() {
        let is_labelled = |words: &str| prose(words).iter().any(is_labelled);
        for words in [
            "All tests pass. Left: the page of amounts and the notes.",
            "**Still to do:** the page of amounts.",
            "- Remaining: the page of amounts",
            "Alles läuft. Offen: die Seite der Beträge.",
            "Todo pasa. Falta: la página.",
            "测试都通过了。剩余：金额页面。",
            "すべて通りました。残り：金額のページ。",
            "남은 작업: 금액 페이지.",
        ] {
            assert!(is_labelled(words), "{words}");
        }
        for words in [
            "Remaining: none.",
            "Left: nothing, all is in.",
            "Left: 12px; right: 4px",
            "Next: 3 of 4",
            "Remaining work: -",
            "Offen: nichts.",
            "残り：なし",
            "The left: it is empty.",
            "Written: the page of amounts.",
        ] {
            assert!(!is_labelled(words), "{words}");
        }
    }

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
