//! Whether a request says that what is changed is to be committed.

use super::sentence::{self, Sentence};

/// Words before which somebody says in the same clause that something is not to be, in several languages.
const NOT: &[&str] = &[
    "don't", "dont", "never", "no", "not", "without", "kein", "keine", "nicht", "nichts", "nie",
    "ohne", "ne", "pas", "sans", "não", "nem", "sem", "sin", "non", "senza", "не", "без",
];
/// Words before them by which they tell how something is.
const DESCRIBING: &[&str] =
    &["are", "did", "does", "had", "has", "have", "is", "was", "were", "will"];
/// How many words back such a word stands.
const BACK: usize = 3;
/// The same in scripts that put no blanks between words.
const UNPARTED: &[&str] = &[
    "不要提交",
    "别提交",
    "先不提交",
    "コミットしないで",
    "コミットは不要",
    "커밋하지 마",
    "커밋하지마",
];
/// What stands before the verb of an order, but for nothing.
const BEFORE: &[&str] =
    &["also", "and", "can", "finally", "git", "let's", "now", "please", "then", "to", "you"];
/// Words by which somebody says that they do it themselves.
const OWN: &[&str] = &["i commit", "i will commit", "i'll commit", "myself", "selbst", "moi-même"];
/// How somebody says that something stays as it is.
const STAYING: &[&str] = &["keep", "leave", "leaving", "remain", "stay"];

/// Tells whether a request says that something is to be committed, or that it is not or is left to the user: what it says
/// last of that. Nothing where it says neither.
pub(in super::super) fn commits(request: &str) -> Option<bool> {
    if UNPARTED.iter().any(|words| request.contains(words)) {
        return Some(false);
    }
    let speaks_of_it = request.to_lowercase().contains("commit");
    let sentences = speaks_of_it.then(|| sentence::typed(request)).unwrap_or_default();
    sentences.iter().rev().find_map(says)
}

fn says(sentence: &Sentence) -> Option<bool> {
    let has = |words: &[&str]| words.iter().any(|word| sentence.find(word).is_some());
    if sentence.find("uncommitted").is_some() && has(STAYING) {
        return Some(false);
    }
    let at = sentence.words.iter().rposition(|word| word.low.starts_with("commit"))?;
    let before: Vec<&str> = sentence.clause_before(at).take(BACK + 1).collect();
    match before.iter().take(BACK).position(|word| NOT.contains(word)) {
        Some(not) => {
            let is_told = before.get(not + 1).is_some_and(|word| DESCRIBING.contains(word));
            (!is_told).then_some(false)
        }
        None if has(OWN) => Some(false),
        None => before.first().is_none_or(|word| BEFORE.contains(word)).then_some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::commits;

    #[test]
    fn who_forbids_a_commit_is_told_from_who_orders_or_speaks_of_one() {
        for request in [
            "mend the sign, but leave it uncommitted",
            "mend the sign. I'll commit myself",
            "mend the sign; never commit, I do that myself",
            "Don't push or commit.",
            "no commits please",
            "behebe es, aber nicht committen",
            "ohne Commit bitte",
            "corrige le signe, pas de commit",
            "符号を直して、コミットしないで",
        ] {
            assert_eq!(commits(request), Some(false), "{request}");
        }
        for request in
            ["mend it and commit", "Commit it.", "don't touch the API, and commit when done"]
        {
            assert_eq!(commits(request), Some(true), "{request}");
        }
        for request in [
            "mend the bug that the importer does not commit the transaction",
            "the last commit broke it",
            "I committed it. Now write the docs",
            "mend the sign",
        ] {
            assert_eq!(commits(request), None, "{request}");
        }
    }
}
