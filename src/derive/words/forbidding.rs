//! Sentences in other languages than English that bind the work, known by their grammar: a denied order or
//! infinitive at the head of a clause, "no new …", "change only …", "must stay …", "ask before …". What could as
//! well report, ask or describe is left alone rather than guessed at.

use super::cues::Holds;
use super::heard::Heard;
use super::sentence::Sentence;
use super::tongues::{Forms, Tongue};
use super::{foreign, germanic, scripts};

/// Words that bind wherever they stand, or at the beginning of a sentence, and for how long.
const PHRASES: &[(&str, bool, Holds)] = &[
    // German
    ("auf keinen fall", false, Holds::Here),
    ("unter keinen umständen", false, Holds::Here),
    ("bitte nicht", false, Holds::Here),
    ("bitte niemals", false, Holds::Lasting),
    ("bitte nie", false, Holds::Lasting),
    ("bitte immer", false, Holds::Lasting),
    ("ab jetzt", true, Holds::Lasting),
    ("von nun an", true, Holds::Lasting),
    ("du darfst nicht", false, Holds::Here),
    ("du darfst kein", false, Holds::Here),
    // French
    ("il ne faut pas", false, Holds::Here),
    ("il ne faut jamais", false, Holds::Lasting),
    ("en aucun cas", false, Holds::Here),
    ("à partir de maintenant", true, Holds::Lasting),
    ("désormais", true, Holds::Lasting),
    // Spanish
    ("por favor no", false, Holds::Here),
    ("bajo ningún concepto", false, Holds::Here),
    ("a partir de ahora", true, Holds::Lasting),
    ("de ahora en adelante", true, Holds::Lasting),
    // Portuguese
    ("por favor não", false, Holds::Here),
    ("em hipótese alguma", false, Holds::Here),
    ("a partir de agora", true, Holds::Lasting),
    ("de agora em diante", true, Holds::Lasting),
    // Turkish
    ("sakın", false, Holds::Here),
    ("bundan sonra", true, Holds::Lasting),
    ("bundan böyle", true, Holds::Lasting),
    // Italian
    ("in nessun caso", false, Holds::Here),
    ("per favore non", false, Holds::Here),
    ("d'ora in poi", false, Holds::Lasting),
    ("non devi mai", false, Holds::Lasting),
    // Russian
    ("ни в коем случае", false, Holds::Here),
    ("пожалуйста не", false, Holds::Here),
    ("не трогай", false, Holds::Here),
    ("впредь", true, Holds::Lasting),
];

/// Words by which an order holds from now on.
const NEVER: &[&str] = &[
    "nie",
    "niemals",
    "nooit",
    "nunca",
    "jamás",
    "jamais",
    "mai",
    "никогда",
    "ніколи",
    "nigdy",
    "asla",
    "أبدا",
    "कभी",
];
/// The same, written otherwise.
const NEVER_TEXT: &[&str] =
    &["永远", "从现在起", "今后", "今後", "决不", "決して", "앞으로", "절대"];

/// Tells whether a sentence in another language than English says what must or must not be done.
pub(super) fn binding(sentence: &Sentence) -> Option<Holds> {
    let stands = |(phrase, opens, _): &&(&str, bool, Holds)| match opens {
        true => sentence.words.len() > 2 && sentence.begins_at(0, phrase),
        false => sentence.find(phrase).is_some(),
    };
    let found: Vec<_> = PHRASES.iter().filter(stands).map(|(_, _, holds)| *holds).collect();
    if found.contains(&Holds::Lasting) {
        return Some(Holds::Lasting);
    }
    let by_words = || {
        let heard = Heard::of(sentence);
        if heard.is_none() {
            return false;
        }
        let heads: Vec<usize> = heads(sentence).collect();
        let reported = is_reported(sentence);
        heard.tongues().any(|tongue| limits(tongue, sentence, &heads, reported))
            || heard.is_germanic() && germanic::limits(sentence, &heads, reported)
    };
    let is_grammar = || by_words() || scripts::limits(sentence);
    if found.is_empty() && !is_grammar() {
        return None;
    }
    // The Polish "nie" is a plain "not".
    let german =
        || germanic::limits(sentence, &heads(sentence).collect::<Vec<_>>(), is_reported(sentence));
    let never = |word: &&&str| sentence.find(word).is_some_and(|_| **word != "nie" || german());
    let lasts = NEVER.iter().any(|word| never(&word))
        || !sentence.text.is_ascii() && NEVER_TEXT.iter().any(|it| sentence.text.contains(it));
    Some(if lasts { Holds::Lasting } else { Holds::Here })
}

/// Words that join clauses, or make an order polite.
const OPENERS: &[&str] = &[
    "aber",
    "und",
    "bitte",
    "also",
    "en",
    "maar",
    "alsjeblieft",
    "graag",
    "y",
    "e",
    "pero",
    "favor",
    "además",
    "también",
    "mas",
    "também",
    "ma",
    "favore",
    "inoltre",
    "et",
    "mais",
    "plaît",
    "surtout",
    "и",
    "а",
    "но",
    "пожалуйста",
    "также",
    "і",
    "й",
    "та",
    "але",
    "ласка",
    "також",
    "i",
    "ale",
    "proszę",
    "oraz",
    "ولكن",
    "لكن",
    "فضلك",
    "ok",
];

/// Words that name nothing, around such and behind "none".
const BESIDE: &[&str] = &["por", "per", "s'il", "te", "vous", "di", "de", "del"];

/// Where a clause may begin.
fn opens(sentence: &Sentence, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    sentence.words[before].ends || OPENERS.contains(&sentence.word(before))
}

/// Returns where orders may begin; what a sentence quotes gives none.
fn heads(sentence: &Sentence) -> impl Iterator<Item = usize> + '_ {
    let reported = is_reported(sentence);
    (0..sentence.words.len()).filter(move |at| *at == 0 || !reported && opens(sentence, *at))
}

/// Tells whether a text quotes what something says: a colon that stands behind more than a label.
pub(super) fn is_reported(sentence: &Sentence) -> bool {
    let before = sentence.text.split_once(": ").map(|(before, _)| before);
    before.is_some_and(|before| {
        let is_name = |c: char| c.is_ascii_digit() || matches!(c, '/' | '.' | '_');
        let label = before.split_whitespace().next_back().unwrap_or_default();
        let label = label.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        before.split_whitespace().count() > 2
            || before.contains(is_name)
            || !label.is_empty() && !ATTENTION.contains(&label.as_str())
    })
}

/// Tells whether a word has one of the forms.
pub(super) fn is_form(word: &str, forms: Forms) -> bool {
    let fits = |(stems, ends): &(&str, &str)| {
        stems.split_ascii_whitespace().filter_map(|stem| word.strip_prefix(stem)).any(|rest| {
            ends.split_ascii_whitespace().any(|end| end == rest || end == "-" && rest.is_empty())
        })
    };
    !word.is_empty() && forms.iter().any(fits)
}

/// Words with which a sentence goes on that tells what a program does, or is an idiom.
const TELLS: &[&str] = &[
    "de tema",
    "ruszaj się",
    "панику",
    "au lieu de",
    "alors que",
    "alors qu'",
    "lorsque",
    "quand",
    "en vez de",
    "em vez de",
    "invece di",
    "вместо того",
];
/// Words with which somebody goes on who says what should be, but is not.
const BUTS: &[&str] = &[
    "ahora",
    "agora",
    "adesso",
    "maintenant",
    "jetzt",
    "теперь",
    "сейчас",
    "тепер",
    "teraz",
    "aber",
    "jedoch",
    "maar",
    "echter",
    "pero",
    "mas",
    "porém",
    "ma",
    "però",
    "mais",
    "но",
    "однако",
    "але",
    "ale",
];
/// Labels of what is meant for the reader; behind any other stands what something says.
const ATTENTION: &[&str] = &[
    "wichtig",
    "achtung",
    "hinweis",
    "regel",
    "regeln",
    "bitte",
    "beachten",
    "belangrijk",
    "regels",
    "op",
    "importante",
    "atención",
    "regla",
    "reglas",
    "nota",
    "atenção",
    "regra",
    "regras",
    "attenzione",
    "regola",
    "regole",
    "important",
    "attention",
    "règle",
    "règles",
    "важно",
    "внимание",
    "правило",
    "правила",
    "важливо",
    "увага",
    "ważne",
    "uwaga",
    "zasada",
    "önemli",
    "dikkat",
    "kural",
    "rule",
    "rules",
    "note",
    "ps",
    "ok",
];
/// Marks of short vowels in Arabic, which are mostly left out.
const VOWELS: std::ops::RangeInclusive<char> = '\u{64b}'..='\u{652}';

/// A sentence as it is looked at in one language.
struct Looked<'s> {
    tongue: &'s Tongue,
    sentence: &'s Sentence,
}

fn limits(tongue: &Tongue, sentence: &Sentence, heads: &[usize], reported: bool) -> bool {
    let looked = Looked { tongue, sentence };
    let binds = |at: usize| {
        looked.denies(at)
            || looked.bans(at)
            || looked.wants_none(at)
            || looked.changes_only(at)
            || looked.asks(at)
    };
    heads.iter().copied().any(binds) || !reported && looked.stays()
}

impl Looked<'_> {
    fn word(&self, at: usize) -> String {
        let word = self.sentence.word(at);
        match word.contains(|c| VOWELS.contains(&c)) {
            true => word.replace(|c| VOWELS.contains(&c), ""),
            false => word.to_owned(),
        }
    }

    /// Returns where it goes on behind the longest of `phrases` that stands at `at`.
    fn behind(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        let is_there = |phrase: &&&str| self.sentence.begins_at(at, phrase);
        let count = |phrase: &&str| phrase.split(' ').count();
        phrases.iter().filter(is_there).map(count).max().map(|count| at + count)
    }

    /// "Do not touch the tests", also with an infinitive.
    fn denies(&self, at: usize) -> bool {
        let Tongue { nots, between, after, orders, infinitives, .. } = self.tongue;
        let word = self.sentence.word(at);
        // An elided "ne" stands before the verb in one word.
        let elided = word.strip_prefix("n'").filter(|_| nots.contains(&"n'"));
        let behind = self.behind(at, nots);
        let Some(verb) = behind.or(elided.map(|_| at)) else { return false };
        let passed = (verb..verb + 3).find(|at| !between.contains(&self.sentence.word(*at)));
        let verb = passed.unwrap_or(verb);
        let form = elided.map_or_else(|| self.word(verb), str::to_owned);
        let is_order = is_form(&form, orders);
        let is_infinitive = || is_form(&form, infinitives) && self.may_command(at);
        let tells = TELLS.iter().any(|it| self.sentence.find(it).is_some());
        let denied = || {
            let mut rest = at + 1..self.sentence.clause_end(at);
            after.is_empty() || rest.any(|at| after.contains(&self.sentence.word(at)))
        };
        let apart = (at..verb).any(|at| self.sentence.words[at].ends);
        !apart && !tells && !self.is_english() && (is_order || is_infinitive()) && denied()
    }

    /// Tells whether an infinitive can be an order: behind a comma it may as well go on with a statement.
    fn may_command(&self, at: usize) -> bool {
        at <= 2 || OPENERS.contains(&self.sentence.word(at - 1))
    }

    /// Tells whether a sentence without a letter of its own is rather English: "no uses found".
    fn is_english(&self) -> bool {
        let english = ["found", "left", "remain", "yet", "anymore"];
        self.sentence.text.is_ascii()
            && (!foreign::may_be(self.sentence)
                || english.iter().any(|word| self.sentence.find(word).is_some()))
    }

    /// "It is forbidden to change the schema", "I do not want you to change it".
    fn bans(&self, at: usize) -> bool {
        let Tongue { bans, unwanted, infinitives, orders, between, .. } = self.tongue;
        let next = |at: usize| {
            (at..at + 2).find(|at| !between.contains(&self.sentence.word(*at))).unwrap_or(at)
        };
        let banned = || {
            let at = next(self.behind(at, bans)?);
            is_form(&self.word(at), infinitives).then_some(())
        };
        let unwanted = || {
            let at = self.unwanted(at, unwanted)?;
            // Without a pronoun the verb tells whose order it is.
            let is_you = unwanted.iter().any(|it| it.ends_with(" que"));
            (!is_you || is_form(&self.word(next(at)), orders)).then_some(())
        };
        // What stands before such a mark is rather what something says.
        let is_said =
            || [": ", " - ", " – ", " — "].iter().any(|it| self.sentence.text.contains(it));
        banned().is_some() && !is_said() || unwanted().is_some()
    }

    fn unwanted(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        self.behind(at, phrases).filter(|at| !self.sentence.word(*at).is_empty())
    }

    /// "No new dependencies".
    fn wants_none(&self, at: usize) -> bool {
        let Tongue { none, new, found, .. } = self.tongue;
        let Some(from) = self.behind(at, none) else { return false };
        let end = self.sentence.clause_end(at).max(from);
        let words = || (from..end).map(|at| self.word(at));
        let any = |list: &[&str]| words().any(|word| list.iter().any(|it| word.starts_with(it)));
        let polite = |word: &str| OPENERS.contains(&word) || BESIDE.contains(&word);
        let ends = (end..self.sentence.words.len()).all(|at| polite(self.sentence.word(at)));
        let count = words().filter(|word| !polite(word)).count();
        // A verb would make a statement of it.
        (2..=3).contains(&count) && ends && any(new) && !any(found) && (at == 0 || from > at + 1)
    }

    /// "Change only files below src".
    fn changes_only(&self, at: usize) -> bool {
        let Tongue { changes, only, .. } = self.tongue;
        let (first, second) = (self.word(at), self.word(at + 1));
        let is_only = |word: &String| only.contains(&word.as_str());
        let more = self.sentence.words.len() > at + 2;
        let verb_first = || is_only(&second) && is_form(&first, changes);
        more && (verb_first() || at == 0 && is_only(&first) && is_form(&second, changes))
    }

    /// "The public interface must stay the same".
    fn stays(&self) -> bool {
        let Tongue { must, stay, same, .. } = self.tongue;
        let starts = |at: usize, it: &&str| match it.split_once(' ') {
            Some((first, second)) => {
                self.sentence.word(at) == first && self.sentence.word(at + 1).starts_with(second)
            }
            None => self.sentence.word(at).starts_with(it),
        };
        let all = 0..self.sentence.words.len();
        let must = all.clone().find(|at| must.contains(&self.sentence.word(*at)));
        let Some(must) = must.filter(|must| *must >= 2) else { return false };
        let but = BUTS.iter().any(|it| self.sentence.find(it).is_some_and(|at| at > must));
        !but && all.clone().skip(must).any(|at| stay.iter().any(|it| starts(at, it)))
            && all.skip(must).any(|at| same.iter().any(|it| starts(at, it)))
    }

    /// "Ask me before you commit".
    fn asks(&self, at: usize) -> bool {
        let (ask, first) = self.tongue.ask;
        let Some(from) = self.behind(at, ask) else { return false };
        (from..from + 3).any(|at| first.contains(&self.sentence.word(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::words::cues;
    use crate::derive::words::sentence::typed;

    fn found(text: &str) -> Option<Holds> {
        typed(text).iter().find_map(cues::binding)
    }

    #[test]
    fn orders_that_forbid_bind_in_many_languages() {
        let here = [
            "Bitte nicht auf main pushen.",
            "Push nicht auf main.",
            "Fass die Tests nicht an.",
            "Keine neuen Pakete.",
            "Wichtig: die Tests nicht ändern",
            "Am Schema darf nichts geändert werden.",
            "Die öffentliche API muss gleich bleiben.",
            "Behebe den Fehler, aber ändere nur Dateien in src.",
            "Lass den Kopf so wie er ist.",
            "Frag mich, bevor du etwas löschst.",
            "Raak de tests niet aan.",
            "Wijzig alleen bestanden in src.",
            "De migraties niet wijzigen.",
            "No toques los tests.",
            "Sin paquetes nuevos.",
            "Arregla el fallo, pero no borres datos.",
            "La API pública debe quedar igual.",
            "Pregúntame antes de hacer commit.",
            "No quiero que toques la configuración.",
            "Não mexa nos testes.",
            "Altere só src.",
            "É proibido alterar as migrações.",
            "Non toccare i test.",
            "Nessun nuovo pacchetto.",
            "L'API pubblica deve restare uguale.",
            "Ne touche pas aux tests.",
            "N'utilise pas lampjs.",
            "Ne modifie que src.",
            "Interdit de modifier les migrations.",
            "Не трогай тесты.",
            "Нельзя менять схему.",
            "Никаких новых пакетов.",
            "Меняй только файлы в src.",
            "Публичный API должен остаться прежним.",
            "Не чіпай тести.",
            "Не можна змінювати схему.",
            "Nie ruszaj testów.",
            "Nie wolno zmieniać schematu.",
            "Publiczne API musi pozostać bez zmian.",
            "لا تقم بتعديل المخطط.",
            "أصلح الخطأ، ولا تغيّروا المخطط.",
            "Testlere dokunma.",
            "Sakın testleri silme",
            "Şemayı değiştirmeyin.",
            "Önce bana sor, yani commit yapmadan önce sor.",
            "不要修改测试",
            "修复它，但别改测试。",
            "如果测试失败，不要修改测试。",
            "只修改这个函数。",
            "接口必须保持不变。",
            "テストを変更しないでください。",
            "新しいパッケージは追加しないこと。",
            "src以下だけ変更して。",
            "スキーマを変えずに直して。",
            "테스트를 수정하지 마세요",
            "새 패키지 금지.",
            "src만 수정해.",
            "टेस्ट मत बदलो।",
            "केवल src की फाइलें बदलो।",
            "In nessun caso cambiare lo schema",
        ];
        for text in here {
            assert_eq!(found(text), Some(Holds::Here), "{text}");
        }
        let lasting = [
            "Nie direkt auf main pushen.",
            "Nunca hagas push a main",
            "De agora em diante use tabs",
            "Ne pousse jamais sur main.",
            "Никогда не пушь в main.",
            "Nigdy nie wypychaj na main.",
            "Asla main'e push etme.",
            "कभी main पर push मत करना।",
            "以后都用中文回复。",
        ];
        for text in lasting {
            assert!(found(text).is_some(), "{text}");
        }
        assert_eq!(found(lasting[0]), Some(Holds::Lasting));
        assert_eq!(found(lasting[4]), Some(Holds::Lasting));
    }

    #[test]
    fn reports_questions_and_statements_do_not() {
        let none = [
            "Es schlägt immer fehl",
            "Kompiliert nicht.",
            "Push geht nicht.",
            "Commit wurde nicht erstellt.",
            "Keine neuen Fehler gefunden.",
            "Ohne neue Pakete geht das nicht.",
            "Mach dir keine Sorgen.",
            "Nicht schlimm, weitermachen.",
            "Die Seite muss länger offen bleiben.",
            "Der Log sagt dies: Datei nicht löschen",
            "Wenn du die Tests nicht änderst, bricht der Lauf ab.",
            "Kon het bestand niet schrijven.",
            "Ik heb niets gewijzigd.",
            "No funciona.",
            "No hay paquetes nuevos.",
            "No uses left.",
            "No linter errors.",
            "No quiero que falle.",
            "Nunca ha funcionado.",
            "El test no toca la base de datos.",
            "Siempre falla",
            "Não funciona.",
            "Não precisa mudar os testes.",
            "Non funziona.",
            "Niente di nuovo.",
            "Ne marche pas.",
            "Ne yapalım şimdi",
            "Pas de problème.",
            "Le menu doit rester ouvert.",
            "Не работает.",
            "Нельзя открыть файл.",
            "Не забудь тесты.",
            "Никаких новых ошибок.",
            "Не все тесты прошли.",
            "Не відкривається файл.",
            "Nie działa.",
            "Nie używa cache.",
            "Nie tutaj jest problem.",
            "لا تعمل.",
            "لا، شكرا.",
            "لا توجد أخطاء جديدة.",
            "Çalışmıyor.",
            "Merak etme.",
            "Giriş sayfası ekleme",
            "Evet hepsini ele al",
            "要不要提交？",
            "这个函数不要求参数。",
            "系统提示不要关闭窗口。",
            "系统提示：不要关闭窗口。",
            "如果不要缓存会怎样",
            "别的文件没问题。",
            "不得不重启服务。",
            "只改了一行就坏了。",
            "毎回手動で再起動しなくてはいけません。",
            "心配しないで。",
            "最初のテストだけ失敗している。",
            "테스트를 실행해 주세요",
            "걱정하지 마.",
            "이미지 말고 로그를 봐.",
            "푸시할지 말지 모르겠어.",
            "चिंता मत करो।",
            "मेरा मत है कि यह ठीक है।",
            "कोई समस्या नहीं।",
        ];
        for text in none {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn features_and_reports_in_the_form_of_an_order_do_not() {
        let none = [
            "Verwijder de rijen die niet nodig zijn",
            "Maak een test die niet faalt",
            "Pas de tekst aan als er niets is",
            "Laat een fout zien als er geen bestand is",
            "Voeg een melding toe wanneer er geen rijen zijn",
            "Schrijf een test voor het geval er geen rijen zijn",
            "Gebruik de cache werkt niet",
            "Doe niet zo moeilijk",
            "De knop doet niets na verwijderen",
            "Lösche die Zeilen die keine Zahl haben",
            "Ersetze keine durch null",
            "Mach das Fenster nicht so groß",
            "Push nicht möglich: Rechte fehlen",
            "Deploy hier nicht sichtbar",
            "Commit nicht da",
            "Zeilen die nicht passen löschen",
            "先问我的名字再显示",
            "应该保持一致的两个值不同",
            "以后都失败",
            "删除以后都要刷新页面",
            "数据库要保持稳定才行",
            "不许用户登录的bug",
            "请求保持一致",
            "请求保持不变",
            "ボタンを押しても何も変わらないこと",
            "入力を禁止",
            "前に必ず確認ダイアログを出して",
            "로그인 금지",
            "버튼만 수정해",
            "수정하지 말고 삭제해",
            "फ़ाइल मत हटाओ वाला संदेश आता है",
            "सिर्फ पहली पंक्ति बदलना",
            "لا تحذف الدالة الصف",
            "لا تغير الدالة القيمة",
            "ممنوع الدخول رسالة تظهر",
            "Yeni satır ekleme.",
            "Listeyi güncelleme.",
            "Interdit de supprimer : message affiché par le serveur",
            "Ne modifie que la première ligne au lieu de toutes",
            "Не создавай панику",
            "No cambies de tema",
            "Translate: No toques los tests.",
            "label: Nicht löschen",
            "Le champ doit rester identique après la sauvegarde mais change",
            "El total debe quedar igual después de guardar, pero cambia",
            "Die Summe muss gleich bleiben, ändert sich aber",
            "새 메시지 금지",
            "Ändere die Abfrage damit keine Duplikate kommen",
            "Lösche den Ordner falls nicht gebraucht",
            "Schreibe eine Funktion die keine Lampen wirft",
            "Mach die Zeile weg die nichts tut",
            "Gib nichts aus wenn alles grün ist",
            "Verwende die neue API nicht die alte",
            "Verwende nur gerade Zahlen im Test",
            "Der Test soll die Datei nicht verändern",
            "Laat zien waarom het niet werkt",
            "Doe de test nog eens want die werkt niet",
            "Gebruik de nieuwe api niet de oude",
            "Maak het zo dat niets dubbel loopt",
            "Solo cambia el color al pasar el ratón",
            "Sólo modifica la primera fila, debería todas",
            "La API debe quedar igual que antes, ahora falla",
            "N'ajoute pas la ligne",
            "Seulement change la couleur",
            "Modifica solo la prima riga, dovrebbe tutte",
            "Запрещено удалять - пишет сервер",
            "禁止重复提交的功能坏了",
            "仅修改时间显示错误",
            "不允许删除时应提示",
            "登录前先问我一下密码这个提示不对",
            "사용자가 수정하지 않게 해줘",
            "Boş ad kaydedilmemeli",
            "Butona basınca silinmemeli",
            "Sadece ilk satırı güncelle",
            "सूची में दोहराव मत दिखाओ",
            "सिर्फ नाम बदलो",
            "बटन काम नहीं करें",
        ];
        for text in none {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
