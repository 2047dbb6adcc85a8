//! German and Dutch orders, in which what denies stands behind the verb, or the verb at the end.

use super::forbidding::is_form;
use super::sentence::Sentence;
use super::tongues::Forms;

/// Orders to one.
const ORDERS: Forms = &[
    (
        "änder fass verwend nutz benutz füg lösch entfern installier schreib mach erstell verschieb \
         benenn rühr führ veröffentlich bearbeit editier überschreib formatier ersetz veränder",
        "- e",
    ),
    ("änd veränd", "re"),
    ("nimm lass gib leg", "-"),
    (
        "gebruik raak wijzig verander pas voeg verwijder maak schrijf doe zet installeer hernoem \
         verplaats laat draai voer bewerk overschrijf",
        "-",
    ),
];
/// The same that are mostly names of what is done.
const NAMES: Forms =
    &[("push pushe commit committe merge deploy mock import importier start bau", "- e")];
/// Orders to change something: "use only even numbers" is rather the work itself.
const CHANGES: Forms = &[
    ("änder fass veränder bearbeit editier rühr push pushe commit committe", "- e"),
    ("änd veränd", "re"),
    ("wijzig verander raak bewerk", "-"),
];
/// What stands behind what denies such a one.
const AIMS: &[&str] = &[
    "", "auf", "an", "in", "ins", "nach", "zu", "zum", "ohne", "vor", "bevor", "bis", "die", "den",
    "das", "naar", "op", "de", "het", "zonder", "voor", "voordat", "direkt",
];
/// Words with which another clause begins, mostly without a comma in Dutch.
const JOINS: &[&str] = &[
    "als", "wanneer", "indien", "zodat", "omdat", "terwijl", "totdat", "hoewel", "of", "om",
    "want", "geval", "wenn", "falls", "sofern", "sodass", "damit", "weil", "dass", "ob", "sobald",
    "während", "welche", "wo",
];
/// Those that begin a condition.
const CONDITIONS: &[&str] =
    &["als", "wanneer", "indien", "wenn", "falls", "sofern", "sobald", "geval"];
/// The same that are articles, too, or stand for a thing.
const RELATIVES: &[&str] = &["die", "dat", "der", "das", "den", "dem", "wat", "was"];
/// Words behind which such a one is an article.
const BEFORE_ARTICLES: &[&str] = &[
    "bitte", "auch", "an", "auf", "in", "bei", "von", "aan", "op", "ook", "mir", "nicht", "nur",
    "alleen",
];
/// What stands behind "none" where it is none of what was named, or a measure.
const NO_OBJECT: &[&str] = &["so", "zo", "durch", "door", "mit", "met"];
/// What stands behind such a one that is an order, besides what denies.
const OBJECTS: &[&str] = &["das", "de", "den", "die", "direkt", "het", "hier", "bitte"];
/// How infinitives of such end.
const INFINITIVES: &[&str] = &[
    "ändern",
    "fassen",
    "pushen",
    "verwenden",
    "nutzen",
    "fügen",
    "löschen",
    "entfernen",
    "installieren",
    "committen",
    "schreiben",
    "machen",
    "erstellen",
    "legen",
    "verschieben",
    "benennen",
    "rühren",
    "bauen",
    "nehmen",
    "importieren",
    "starten",
    "mergen",
    "deployen",
    "veröffentlichen",
    "bearbeiten",
    "editieren",
    "formatieren",
    "mocken",
    "ersetzen",
    "gebruiken",
    "raken",
    "wijzigen",
    "veranderen",
    "passen",
    "voegen",
    "verwijderen",
    "maken",
    "schrijven",
    "zetten",
    "installeren",
    "hernoemen",
    "verplaatsen",
    "bewerken",
    "overschrijven",
];
/// How participles of such end that have not the stem of the infinitive.
const PARTICIPLES: &[&str] = &["benannt", "verschoben", "schrieben", "nommen", "schreven"];
/// Words that deny.
const NOTS: &[&str] = &[
    "nicht",
    "nichts",
    "nie",
    "niemals",
    "kein",
    "keine",
    "keinen",
    "keinerlei",
    "keiner",
    "niet",
    "niets",
    "nooit",
    "geen",
];
/// Words that say "only".
const ONLY: &[&str] = &["nur", "ausschließlich", "alleen", "uitsluitend"];
/// Orders to leave something.
const LEAVES: &[&str] = &["lass", "laat"];
/// Who does something behind a verb: then nobody is told to.
const SUBJECTS: &[&str] =
    &["ich", "er", "wir", "man", "du", "ihr", "ik", "hij", "wij", "we", "men"];
/// Behind a verb: then it is on oneself, or rather a noun.
const REFLEXIVE: &[&str] = &["dir", "euch", "je", "von", "vom", "des", "mit", "van", "met"];
/// Words that end as a third person does, and are none.
const NO_VERBS: &[&str] = &["direkt", "direct", "jetzt", "erst", "het", "dat", "dit", "sonst"];
/// What makes a statement of a sentence with an infinitive.
const STATES: &[&str] = &[
    "ich", "wir", "du", "er", "es", "man", "ist", "sind", "war", "hat", "haben", "habe", "kann",
    "können", "konnte", "konnten", "will", "wollen", "wollte", "wird", "werden", "würde", "wurde",
    "wurden", "werd", "waren", "muss", "müssen", "soll", "sollen", "sollte", "sollten", "darf",
    "dürfen", "zu", "um", "wenn", "dass", "weil", "ik", "we", "wij", "je", "hij", "het", "is",
    "zijn", "was", "heeft", "hebben", "kan", "kunnen", "kon", "konden", "wil", "willen", "zal",
    "zou", "moet", "moeten", "mag", "mogen", "te", "om", "als", "dat", "omdat", "zum", "zur",
    "beim", "falls", "sofern", "sodass", "damit", "zodat", "indien", "wanneer", "terwijl",
    "worden", "wordt", "doet", "gaat", "werkt", "geht", "läuft", "tut",
];
/// Words behind which a noun stands.
const ARTICLES: &[&str] = &[
    "das", "den", "der", "het", "de", "een", "dit", "dat", "deze", "die", "mijn", "ons", "onze",
    "in", "op",
];
/// Words behind which an infinitive is a noun.
const BEFORE_NOUNS: &[&str] = &[
    "na", "bij", "tijdens", "door", "voor", "nach", "beim", "vor", "vom", "durch", "während", "en",
    "und",
];
/// Words that forbid with what denies: "may not".
const MAY: &[&str] =
    &["darf", "dürfen", "soll", "sollen", "sollte", "sollten", "mag", "mogen", "moet", "moeten"];
/// Whom or what such a word is said of that is nothing in particular.
const VAGUE: &[&str] =
    &["das", "dat", "dies", "dit", "es", "het", "ich", "ik", "man", "men", "wir", "we"];
/// Things that stay as they are.
const AS_IT_IS: &[&str] = &[
    "wie es ist",
    "wie er ist",
    "wie sie ist",
    "wie sie sind",
    "unverändert",
    "zoals het is",
    "ongewijzigd",
];

/// Returns words without one of which no sentence forbids anything here.
pub(super) fn denying() -> impl Iterator<Item = &'static str> {
    [NOTS, ONLY, LEAVES].into_iter().flatten().copied()
}

/// Tells whether a sentence forbids something; at `heads` its orders may begin.
pub(super) fn limits(sentence: &Sentence, heads: &[usize], reported: bool) -> bool {
    heads.iter().any(|at| denied(sentence, *at))
        || !reported && (infinitive(sentence) || may_not(sentence))
}

/// "Touch the tests not", "change only src", "leave it as it is".
fn denied(sentence: &Sentence, at: usize) -> bool {
    let (clause, next) = (sentence.clause_end(at), sentence.word(at + 1));
    let any = |list: &[&str]| (at + 1..clause).any(|at| list.contains(&sentence.word(at)));
    let leaves = LEAVES.contains(&sentence.word(at));
    if !leaves && !any(NOTS) && !any(ONLY) {
        return false;
    }
    let orders = || [NOTS, ONLY, OBJECTS].iter().any(|list| list.contains(&next));
    let is_name = !is_form(sentence.word(at), ORDERS) && is_form(sentence.word(at), NAMES);
    let is_order =
        is_form(sentence.word(at), ORDERS) || is_name && orders() && !sentence.text.contains(": ");
    if !is_order || SUBJECTS.contains(&next) {
        return false;
    }
    let end = joined(sentence, at);
    let only = || {
        let only = (at + 1..end).any(|at| ONLY.contains(&sentence.word(at)));
        only && is_form(sentence.word(at), CHANGES) && clause > at + 2
    };
    // "Print nothing if all is well".
    let depends = end < clause && CONDITIONS.contains(&sentence.word(end));
    let denies = |not: usize| denies(sentence, at, not, is_name);
    // A statement without its subject: "changed nothing".
    let states = || {
        STATES.contains(&next)
            || next.ends_with('t') && ![NO_VERBS, NOTS].iter().any(|it| it.contains(&next))
    };
    if states() || REFLEXIVE.contains(&next) {
        return false;
    }
    let stays = || AS_IT_IS.iter().any(|it| sentence.find(it).is_some_and(|place| place > at));
    !depends && (at + 1..end).any(denies) || only() || leaves && stays()
}

/// Where the clause ends that begins with a verb: also at words with which another one begins.
fn joined(sentence: &Sentence, at: usize) -> usize {
    let begins = |at: &usize| {
        let word = sentence.word(*at);
        let article = || BEFORE_ARTICLES.contains(&sentence.word(at - 1));
        JOINS.contains(&word) || word.starts_with("waar") || RELATIVES.contains(&word) && !article()
    };
    let end = sentence.clause_end(at);
    (at + 2..end).find(begins).unwrap_or(end)
}

/// Tells whether the word `not` denies the order at `at`.
fn denies(sentence: &Sentence, at: usize, not: usize, is_name: bool) -> bool {
    let (word, next) = (sentence.word(not), sentence.word(not + 1));
    let ends = sentence.words[not].ends || next.is_empty();
    let is_plain = matches!(word, "nicht" | "niet");
    if !NOTS.contains(&word) || !ends && NO_OBJECT.contains(&next) {
        return false;
    }
    // "With none", "made not visible", "push not possible", "the use of it does not work".
    let is_with = matches!(sentence.word(not - 1), "mit" | "met");
    let makes = matches!(sentence.word(at), "mach" | "mache" | "maak") && not > at + 1 && !ends;
    let is_state = is_name && is_plain && !ends && !AIMS.contains(&next);
    let is_verb = |at: usize| {
        let (word, before) = (sentence.word(at), sentence.word(at - 1));
        word.ends_with('t') && !NO_VERBS.contains(&word) && !ARTICLES.contains(&before)
    };
    // "Use the new one, not the old one", without a comma.
    let is_named = |at: usize| ARTICLES.contains(&sentence.word(at));
    let is_other = is_plain && is_named(not + 1) && (at + 1..not).any(is_named);
    let is_told = matches!(word, "niet" | "niets" | "geen") && (at + 2..not).any(is_verb);
    !is_with && !makes && !is_state && !is_other && !is_told
}

/// "Never push to main", with the verb at the end.
fn infinitive(sentence: &Sentence) -> bool {
    let raw = sentence
        .text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let polite = |word: &str| matches!(word, "bitte" | "alsjeblieft" | "graag");
    let last = raw.rev().find(|word| !word.is_empty() && !polite(word)).unwrap_or_default();
    let is_verb =
        last.starts_with(char::is_lowercase) && INFINITIVES.iter().any(|it| last.ends_with(it));
    let has = |list: &[&str]| sentence.words.iter().any(|word| list.contains(&word.low.as_str()));
    // In one clause with the verb.
    let denied = || {
        let count = sentence.words.len();
        let not = (0..count).rfind(|at| NOTS.contains(&sentence.word(*at)));
        let parts = |not: usize| sentence.words[not..count - 1].iter().any(|word| word.ends);
        // "Rows that do not fit".
        let relates = |not: usize| not > 0 && RELATIVES.contains(&sentence.word(not - 1));
        let is_noun = count > 1 && BEFORE_NOUNS.contains(&sentence.word(count - 2));
        not.is_some_and(|not| !parts(not) && !relates(not) && !is_noun)
    };
    let only = ONLY.contains(&sentence.word(0)) && sentence.words.len() > 2;
    is_verb && (denied() || only) && !has(STATES)
}

/// "The schema may not be changed".
fn may_not(sentence: &Sentence) -> bool {
    let count = sentence.words.len();
    let Some(at) = (0..count).find(|at| MAY.contains(&sentence.word(*at))) else { return false };
    let denies = (at + 1..count).any(|at| NOTS.contains(&sentence.word(at)));
    let last = sentence.word(count - 1);
    let vague = sentence.words[..at].iter().any(|word| VAGUE.contains(&word.low.as_str()))
        || VAGUE.contains(&sentence.word(at + 1));
    let done = || sentence.word(count - 2);
    let is_passive = matches!(last, "werden" | "worden")
        && (PARTICIPLES.iter().any(|it| done().ends_with(it))
            || INFINITIVES.iter().any(|it| done().contains(stem(it))));
    at > 0 && denies && !vague && is_passive
}

/// Returns what an infinitive and its participle share.
fn stem(infinitive: &str) -> &str {
    infinitive.strip_suffix("en").or_else(|| infinitive.strip_suffix('n')).unwrap_or(infinitive)
}
