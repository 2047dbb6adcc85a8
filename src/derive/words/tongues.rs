//! How languages with blanks between words forbid, by their grammar: forms of verbs, and the words around
//! them. Lists of stems stand with the endings that make an order of them.

/// Stems, and the endings with which they are meant; `-` is none.
pub(super) type Forms = &'static [(&'static str, &'static str)];

/// What a language forbids by.
pub(super) struct Tongue {
    /// What denies an order behind it, at the head of a clause.
    pub nots: &'static [&'static str],
    /// What may stand between that and the verb.
    pub between: &'static [&'static str],
    /// What has to follow the verb, if anything.
    pub after: &'static [&'static str],
    /// Orders that are denied so, which no statement looks like.
    pub orders: Forms,
    /// The same for infinitives, which are orders at the head of a sentence only.
    pub infinitives: Forms,
    /// What forbids the infinitive behind it.
    pub bans: &'static [&'static str],
    /// What forbids the order of a second person behind it: "I do not want you to".
    pub unwanted: &'static [&'static str],
    /// What says that there shall be none.
    pub none: &'static [&'static str],
    /// How words begin that say "new", "more", "from elsewhere".
    pub new: &'static [&'static str],
    /// How words begin of what a run finds or not, or that say that it did.
    pub found: &'static [&'static str],
    /// Orders to change something that no statement looks like.
    pub changes: Forms,
    /// Words that say "only".
    pub only: &'static [&'static str],
    /// Words that say "must".
    pub must: &'static [&'static str],
    /// How words begin that say "stay".
    pub stay: &'static [&'static str],
    /// How words begin that say "as it is".
    pub same: &'static [&'static str],
    /// How an order begins to ask first, and what has to follow.
    pub ask: (&'static [&'static str], &'static [&'static str]),
}

/// A language that says nothing; each says what it has.
const SILENT: Tongue = Tongue {
    nots: &[],
    between: &[],
    after: &[],
    orders: &[],
    infinitives: &[],
    bans: &[],
    unwanted: &[],
    none: &[],
    new: &[],
    found: &[],
    changes: &[],
    only: &[],
    must: &[],
    stay: &[],
    same: &[],
    ask: (&[], &[]),
};

pub(super) const TONGUES: &[Tongue] =
    &[GERMAN, DUTCH, SPANISH, PORTUGUESE, ITALIAN, FRENCH, RUSSIAN, UKRAINIAN, POLISH, ARABIC];

const GERMAN: Tongue = Tongue {
    unwanted: &["ich will nicht dass du", "ich möchte nicht dass du", "wir wollen nicht dass du"],
    none: &[
        "kein",
        "keine",
        "keinen",
        "keinerlei",
        "ohne",
        "ich will keine",
        "ich möchte keine",
        "wir wollen keine",
        "ich will keinen",
        "ich möchte keinen",
        "wir wollen keinen",
    ],
    new: &["neue", "weitere", "zusätzliche", "externe"],
    found: &[
        "fehler",
        "problem",
        "warnung",
        "meldung",
        "änderung",
        "commit",
        "ergebnis",
        "nachricht",
        "treffer",
        "gefunden",
        "nötig",
        "notwendig",
        "mehr",
        "vorhanden",
        "da",
        "dabei",
    ],
    must: &["muss", "müssen", "soll", "sollen", "sollte", "sollten"],
    stay: &["bleiben"],
    same: &[
        "gleich",
        "unverändert",
        "wie",
        "erhalten",
        "kompatib",
        "identisch",
        "dieselbe",
        "stabil",
        "bestehen",
        "so",
        "intakt",
        "unberührt",
    ],
    ask: (&["frag", "frage", "fragt"], &["bevor", "vorher", "vor"]),
    ..SILENT
};

const DUTCH: Tongue = Tongue {
    unwanted: &["ik wil niet dat je", "we willen niet dat je"],
    none: &["geen", "zonder", "ik wil geen", "we willen geen"],
    new: &["nieuwe", "extra", "externe"],
    found: &[
        "fout",
        "problem",
        "waarschuwing",
        "melding",
        "wijziging",
        "commit",
        "resulta",
        "bericht",
        "gevonden",
        "nodig",
        "meer",
    ],
    must: &["moet", "moeten"],
    stay: &["blijven"],
    same: &["hetzelfde", "gelijk", "zoals", "ongewijzigd", "compatib", "stabiel", "intact"],
    ask: (&["vraag"], &["voordat", "eerst", "voor"]),
    ..SILENT
};

const SPANISH: Tongue = Tongue {
    nots: &["no", "nunca", "jamás", "ni", "tampoco"],
    between: &["me", "lo", "la", "los", "las", "le", "se"],
    orders: &[
        (
            "toqu cambi modifiqu us utilic agregu instal borr elimin ejecut cre renombr format edit \
             publiqu despliegu coment quit refactoric cometas",
            "es e en emos",
        ),
        ("hag añad sub escrib muev romp pong met introduzc reescrib", "as a an amos"),
    ],
    infinitives: &[
        ("toc cambi modific us utiliz agreg instal borr elimin ejecut cre renombr edit", "ar"),
        ("public despleg quit alter", "ar"),
        ("hac añad romp pon met", "er"),
        ("sub escrib introduc reescrib", "ir"),
    ],
    bans: &["prohibido", "está prohibido", "queda prohibido", "evita", "no se debe", "no se deben"],
    unwanted: &["no quiero que", "no queremos que"],
    none: &["sin", "nada de", "ningún", "ninguna", "no quiero", "no queremos"],
    new: &["nuev", "adicional", "extern"],
    found: &[
        "error",
        "problema",
        "aviso",
        "cambio",
        "mensaje",
        "commit",
        "resultado",
        "advertencia",
        "encontrad",
        "necesari",
    ],
    changes: &[("modifique cambie edite modifiquen cambien editen", "-")],
    only: &["solo", "sólo", "solamente", "únicamente"],
    must: &["debe", "deben", "debería", "deberían", "tiene", "tienen"],
    stay: &["quedar", "permanecer", "mantener", "seguir igual", "seguir siendo"],
    same: &["igual", "como", "intact", "sin", "mism", "compatib", "estable", "inalterad"],
    ask: (&["pregúntame", "pregunta", "pregúntenos", "consúltame", "avísame"], &["antes"]),
    ..SILENT
};

const PORTUGUESE: Tongue = Tongue {
    nots: &["não", "nunca", "jamais", "nem"],
    between: &["me", "o", "a", "os", "as", "se"],
    orders: &[
        (
            "toqu mud alter us utiliz adicion apagu delet execut cri renomei format edit publiqu \
             instal modifiqu commit coment envi rod",
            "e es em emos",
        ),
        ("faç escrev remov mex sub quebr inclu reescrev ponh", "a as am amos"),
    ],
    infinitives: &[
        ("toc mud alter us utiliz adicion apag delet execut cri renome edit public", "ar"),
        ("instal modific commit quebr", "ar"),
        ("faz escrev remov mex reescrev", "er"),
        ("inclu sub", "ir"),
    ],
    bans: &["proibido", "é proibido", "está proibido", "evite", "não se deve"],
    unwanted: &["não quero que você", "não queremos que você"],
    none: &["sem", "nada de", "nenhum", "nenhuma", "não quero", "não queremos"],
    new: &["nov", "adiciona", "extern"],
    found: &[
        "erro",
        "problema",
        "aviso",
        "mudança",
        "alteraç",
        "mensage",
        "commit",
        "resultado",
        "encontrad",
        "necessári",
    ],
    changes: &[("altere mude modifique edite mexa toque", "-")],
    only: &["só", "apenas", "somente"],
    must: &["deve", "devem", "deveria", "deveriam", "tem", "têm", "precisa", "precisam"],
    stay: &["ficar", "permanecer", "manter", "continuar igual", "continuar sendo"],
    same: &["igua", "como", "intact", "mesm", "compat", "estáve", "inalterad"],
    ask: (&["pergunte", "pergunta", "me pergunte", "me pergunta", "me avise"], &["antes"]),
    ..SILENT
};

const ITALIAN: Tongue = Tongue {
    nots: &["non", "mai"],
    between: &["mai", "lo", "la", "li", "le"],
    infinitives: &[
        ("tocc cambi modific us utilizz cre cancell elimin rinomin install aggiorn", "are"),
        ("pubblic lanci commit port spost form edit fare f avvi committ", "are -"),
        ("aggiung scriv mett romp rimuov riscriv", "ere"),
        ("inser esegu", "ire"),
    ],
    orders: &[("tocch cambi modifich us utilizz aggiung", "iate")],
    bans: &["vietato", "è vietato", "evita di", "non si deve", "non si devono", "proibito"],
    unwanted: &["non voglio che tu", "non vogliamo che tu"],
    none: &["senza", "nessun", "nessuna", "niente", "non voglio", "non vogliamo"],
    new: &["nuov", "aggiuntiv", "estern"],
    found: &[
        "error",
        "problem",
        "avvis",
        "modific",
        "messagg",
        "commit",
        "risultat",
        "trovat",
        "necessari",
    ],
    changes: &[("modificate cambiate toccate", "-")],
    only: &["solo", "soltanto", "solamente"],
    must: &["deve", "devono", "dovrebbe", "dovrebbero"],
    stay: &["restare", "rimanere"],
    same: &[
        "ugual", "com", "stess", "intatt", "invariat", "compatib", "stabil", "immutat", "identic",
    ],
    ask: (&["chiedimi", "chiedi", "chiedici", "avvisami"], &["prima"]),
    ..SILENT
};

const FRENCH: Tongue = Tongue {
    nots: &["ne", "n'"],
    between: &["le", "la", "les", "y", "me", "pas", "jamais"],
    after: &["pas", "jamais", "aucun", "aucune", "rien", "que", "ni", "surtout pas"],
    orders: &[
        ("touch modifi utilis pouss install renomm édit commit publi cass reformat", "e es ez"),
        // Said of a program, too: "does not add the row".
        ("chang ajout supprim cré déplac déploi effac remplac import enlèv", "es ez"),
        ("fais écris mets romps réécris retires sers faites écrivez mettez", "-"),
    ],
    infinitives: &[
        (
            "touch modifi chang utilis ajout supprim pouss cré install lanc renomm édit commit \
             committ déplac publi déploy effac cass remplac import reformat enlev",
            "er",
        ),
        ("faire écrire mettre réécrire", "-"),
    ],
    bans: &[
        "interdit de",
        "il est interdit de",
        "interdiction de",
        "évite de",
        "évitez de",
        "tu ne dois pas",
        "vous ne devez pas",
    ],
    unwanted: &["je ne veux pas que tu", "nous ne voulons pas que tu"],
    none: &[
        "pas de",
        "pas d'autres",
        "aucun",
        "aucune",
        "sans",
        "je ne veux pas de",
        "je ne veux aucun",
        "je ne veux aucune",
    ],
    new: &["nouve", "supplémentaire", "externe"],
    found: &[
        "erreur",
        "problème",
        "avertissement",
        "changement",
        "message",
        "commit",
        "résultat",
        "trouvé",
        "nécessaire",
    ],
    changes: &[("modifi chang touch édit", "ez")],
    only: &["uniquement", "seulement", "que"],
    must: &["doit", "doivent", "devrait", "devraient"],
    stay: &["rester"],
    same: &["identique", "même", "comme", "inchangé", "intact", "compatib", "stable", "tel"],
    ask: (&["demande-moi", "demandez-moi", "demande", "demandez"], &["avant"]),
};

const RUSSIAN: Tongue = Tongue {
    nots: &["не", "никогда не", "ни в коем случае не"],
    orders: &[
        (
            "трог измен мен использу добавля удаля лома исправля редактиру создава запуска \
             переименовыва переписыва дела устанавлива откры публику мерж сливай обновля деплой \
             убира отключа пропуска затрагива перемеща форматиру заменя пересоздава",
            "ай яй й айте яйте йте",
        ),
        ("пуш коммить комить пиш прав став чин", "ь ьте - те и ите"),
    ],
    infinitives: &[(
        "трога изменя меня использова добавля удаля лома редактирова создава запуска \
             переименовыва переписыва дела устанавлива публикова обновля убира отключа пропуска \
             затрагива перемеща форматирова писа заменя мержи пуши коммити комити прави стави чини",
        "ть",
    )],
    bans: &["нельзя", "запрещено", "запрещается", "не надо", "не смей"],
    unwanted: &["не хочу чтобы ты", "я не хочу чтобы ты", "мы не хотим чтобы ты"],
    none: &["без", "никаких", "никакой", "без каких-либо"],
    new: &["нов", "дополнительн", "внешн", "лишн"],
    found: &["ошиб", "проблем", "предупрежд", "изменени", "сообщени", "коммит", "найден", "нужно"],
    changes: &[("мен изменя правь редактиру трог", "яй ай й - ьте йте яйте айте")],
    only: &["только", "лишь"],
    must: &["должен", "должна", "должно", "должны"],
    stay: &["остаться", "остават", "сохранить"],
    same: &["прежн", "неизмен", "таки", "тем", "той", "как", "совместим", "стабильн", "нетронут"],
    ask: (&["спрашивай", "спроси", "спрашивайте", "спросите"], &["перед", "прежде", "сначала"]),
    ..SILENT
};

const UKRAINIAN: Tongue = Tongue {
    nots: &["не", "ніколи не", "в жодному разі не"],
    orders: &[
        (
            "чіпа міня змінюва зміню використовуй додава видаля лама редагуй створю запуска \
             перейменовуй переписуй встановлю публікуй оновлю прибира вимика",
            "й йте - те",
        ),
        ("пуш коміть роби пиши прав став", "- те ь ьте"),
    ],
    infinitives: &[(
        "чіпа міня змінюва використовува додава видаля лама редагува створюва запуска \
             перейменовува переписува встановлюва публікува оновлюва прибира вимика роби писа пуши \
             коміти",
        "ти",
    )],
    bans: &["не можна", "заборонено", "забороняється", "не треба", "не смій"],
    unwanted: &["не хочу щоб ти", "я не хочу щоб ти"],
    none: &["без", "жодних", "ніяких", "жодної"],
    new: &["нов", "додатков", "зовнішн"],
    found: &["помил", "проблем", "попереджен", "змін", "повідомл", "коміт", "знайден", "потрібно"],
    changes: &[("змінюй міняй редагуй чіпай прав", "- те")],
    only: &["тільки", "лише"],
    must: &["має", "мають", "мусить", "повинен", "повинна", "повинно", "повинні"],
    stay: &["залишити", "залишати", "лишити"],
    same: &["незмін", "таки", "тим", "як", "сумісн", "стабільн", "колишн"],
    ask: (&["питай", "запитай", "спитай", "запитуй"], &["перед", "спочатку", "перш"]),
    ..SILENT
};

const POLISH: Tongue = Tongue {
    nots: &["nie", "nigdy nie", "pod żadnym pozorem nie"],
    orders: &[
        (
            "rusz zmieni używ doda dodaw usuw wypych dotyk instal tworz pushuj commituj edytuj \
             modyfikuj kasuj psuj formatuj mergeuj instaluj publikuj przepisuj nadpisuj",
            "aj ajcie - cie",
        ),
        ("pisz rób twórz łam zmień przenoś", "- cie"),
    ],
    infinitives: &[(
        "rusza zmienia używa dodawa usuwa wypycha dotyka pushowa commitowa edytowa modyfikowa \
             kasowa psu formatowa mergowa instalowa publikowa przepisywa pisa robi tworzy łama",
        "ć",
    )],
    bans: &["nie wolno", "zabronione jest", "zabrania się", "nie należy"],
    unwanted: &["nie chcę żebyś", "nie chcę abyś"],
    none: &["bez", "bez żadnych", "żadnych", "żadne", "żadnej", "nie chcę"],
    new: &["now", "dodatkow", "zewnętrzn"],
    found: &["błęd", "problem", "ostrzeże", "zmian", "komunikat", "commit", "znalezion", "potrzeb"],
    changes: &[("zmieniaj zmień edytuj modyfikuj ruszaj", "- cie")],
    only: &["tylko", "wyłącznie", "jedynie"],
    must: &["musi", "muszą", "ma", "mają", "powinno", "powinna", "powinien", "powinny"],
    stay: &["pozosta", "zostać"],
    same: &["bez", "tak", "jak", "niezmien", "zgodn", "stabiln", "nienarusz"],
    ask: (&["zapytaj", "pytaj", "spytaj"], &["przed", "zanim", "najpierw"]),
    ..SILENT
};

/// What is said of a thing that is feminine has the form of an order to one man. Only those are looked at that have
/// a form of their own.
const ARABIC: Tongue = Tongue {
    nots: &["لا", "ولا", "لكن لا", "ولكن لا", "فلا"],
    orders: &[
        (
            "تدفع تلمس تستخدم تغير تعدل تضيف تحذف تنشئ تكتب تشغل تثبت تنقل تكسر تنشر تدمج تحرر تبدل تعطل \
             ترفع",
            "ي وا",
        ),
        ("تقم تضف", "-"),
    ],
    none: &["بدون", "دون", "بدون أي", "دون أي"],
    new: &["جديد", "إضافي", "خارجي"],
    found: &["خطأ", "أخطاء", "مشاكل", "مشكلة", "تغيير", "رسائل", "تحذير"],
    ask: (&["اسألني", "استشرني"], &["قبل", "أولا"]),
    ..SILENT
};
