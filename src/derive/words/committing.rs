//! Whether a request says that what is changed is to be committed.

use super::sentence::{self, Sentence};

/// Words before which somebody says in the same clause that something is not to be, in several languages.
const NOT: &[&str] = &[
    "don't", "dont", "never", "no", "not", "without", "kein", "keine", "nicht", "nichts", "nie",
    "ohne", "ne", "pas", "sans", "não", "nem", "sem", "sin", "non", "senza", "не", "без", "avoid",
];
/// Words before them by which they tell how something is.
const DESCRIBING: &[&str] =
    &["are", "did", "does", "had", "has", "have", "is", "was", "were", "will"];
/// Words that can stand between them and the act that is not to be: with any other verb it is that which is not to be.
const BETWEEN: &[&str] = &[
    "a", "add", "and", "any", "create", "de", "do", "ever", "faça", "git", "hagas", "have", "make",
    "making", "merge", "need", "or", "please", "push", "run", "stage", "to", "try", "want", "yet",
    "you",
];
/// How many of them at most.
const BACK: usize = 4;
/// Words behind "commit" with which it is a thing and no act.
const OF_COMMITS: &[&str] = &[
    "hash", "hashes", "history", "hook", "hooks", "id", "ids", "log", "message", "messages",
    "prefix", "sha", "style", "title", "titles",
];
/// Words before it with which it is one.
const THE: &[&str] = &[
    "at", "by", "each", "every", "for", "from", "in", "last", "my", "of", "on", "per", "that",
    "the", "these", "this", "those", "your",
];
/// Words before it with which none is to be made, if it is no verb.
const NO: &[&str] = &["a", "any", "de", "kein", "keine", "no", "ohne", "sans", "senza", "without"];
/// Words behind a commit that is not to be which name nothing that is left out of one, so that none is to be. Who
/// never commits secrets, or to main, commits the rest elsewhere.
const OF_ALL: &[&str] = &[
    "again", "all", "and", "anything", "at", "before", "bitte", "change", "changes", "encore",
    "first", "for", "from", "it", "merci", "myself", "needed", "noch", "nor", "now", "or", "pas",
    "please", "required", "rien", "still", "that", "them", "these", "this", "today", "unless",
    "until", "work", "yet", "you", "yourself",
];
/// Words there before what is not to be committed.
const OF_ONE: &[&str] = &["any", "my", "of", "our", "the", "those", "your"];
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
/// Words by which somebody says that they do it themselves, behind "commit" or a word behind that.
const OWN: &[&str] = &["moi-même", "myself", "selbst"];
/// Words before "I commit" with which it says only when.
const WHEN: &[&str] = &["after", "before", "if", "when", "whenever", "while", "time"];
/// How somebody says that something stays as it is.
const STAYING: &[&str] = &["keep", "leave", "leaving", "remain", "stay"];

/// Tells whether a request says that something is to be committed, or that it is not or is left to the user: what it says
/// last of that. Nothing where it says neither.
pub(in super::super) fn commits(request: &str) -> Option<bool> {
    if UNPARTED.iter().any(|words| request.contains(words)) {
        return Some(false);
    }
    let speaks_of_it = request.to_lowercase().contains("commit");
    let sentences = if speaks_of_it { sentence::typed(request) } else { Vec::new() };
    sentences.iter().rev().find_map(says)
}

fn says(sentence: &Sentence) -> Option<bool> {
    let has = |words: &[&str]| words.iter().any(|word| sentence.find(word).is_some());
    if sentence.find("uncommitted").is_some() && has(STAYING) {
        return Some(false);
    }
    let names = |at: &usize| sentence.word(*at).starts_with("commit");
    (0..sentence.words.len()).rev().filter(names).find_map(|at| says_at(sentence, at))
}

/// Tells what a sentence says by the word at `at`.
fn says_at(sentence: &Sentence, at: usize) -> Option<bool> {
    let behind = &sentence.words[at + 1..sentence.clause_end(at)];
    let before: Vec<&str> = sentence.clause_before(at).take(BACK + 2).collect();
    if is_own(sentence.word(at), &before) || behind.iter().take(2).any(|it| OWN.contains(&&*it.low))
    {
        return Some(false);
    }
    let nearest = before.first().copied().unwrap_or_default();
    let is_of = behind.first().is_some_and(|word| OF_COMMITS.contains(&&*word.low));
    if is_of || THE.contains(&nearest) {
        return None;
    }
    let not = before.iter().position(|word| !BETWEEN.contains(word));
    let not = not.filter(|not| NOT.contains(&before[*not]) && sentence.word(at) != "committed");
    let Some(not) = not else {
        return before.first().is_none_or(|word| BEFORE.contains(word)).then_some(true);
    };
    let is_told = before.get(not + 1).is_some_and(|word| DESCRIBING.contains(word));
    // Who wants none of a kind wants others; who may not do it without something may with it.
    let mut named = behind.iter().map(|word| &*word.low).skip_while(|word| OF_ONE.contains(word));
    let is_any = named
        .next()
        .is_none_or(|word| OF_ALL.contains(&word) || word == "without" && !NO.contains(&nearest));
    (!is_told && is_any).then_some(false)
}

/// Whether somebody says with the words before "commit", the nearest first, that they do it.
fn is_own(commit: &str, before: &[&str]) -> bool {
    let is_when = |at: usize| before.get(at).is_some_and(|word| WHEN.contains(word));
    let says = match before {
        ["i'll", ..] => !is_when(1),
        ["will", "i", ..] => !is_when(2),
        ["i", ..] => !is_when(1),
        _ => false,
    };
    says && commit == "commit"
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
            "no need to commit",
            "I don't want you to commit yet",
            "don't make any commits",
            "don't commit, and keep commit messages short",
            "mend it; I commit that myself",
            "corrige le signe, pas de commit",
            "mend it; no commits until I have reviewed them",
            "mend it. No commit needed.",
            "don't commit the changes",
            "don't commit anything",
            "don't commit any of it",
            "never commit without asking me",
            "don't run git commit",
            "don't make a commit for this",
            "mend it, and avoid committing",
            "arréglalo, no hagas commit",
            "符号を直して、コミットしないで",
        ] {
            assert_eq!(commits(request), Some(false), "{request}");
        }
        for request in [
            "mend it and commit",
            "Commit it.",
            "don't touch the API, and commit when done",
            "mend it, and don't forget to commit",
            "Mend it. Commit it. No emojis in commit messages.",
            "mend it and commit everything; I'll push myself",
        ] {
            assert_eq!(commits(request), Some(true), "{request}");
        }
        for request in [
            "mend the bug that the importer does not commit the transaction",
            "the last commit broke it",
            "I committed it. Now write the docs",
            "mend the sign",
            "Never amend commits. Mend the sign",
            "mend the sign; do not squash the commits",
            "mend the sign; don't sign commits",
            "use conventional commits, never squash commits",
            "no commits without tests",
            "Never commit to main.",
            "Never commit secrets.",
            "Do not commit node_modules",
            "don't commit .env files",
            "don't commit any secrets",
            "don't commit if a test fails",
            "don't commit the lockfile",
            "never commit broken code",
            "don't just commit it, also push",
            "the linter must not fail on commit",
            "mend the sign (no Co-Authored-By in commits)",
            "the hook fails when I commit",
            "mend the check that I wrote myself for commit messages",
        ] {
            assert_eq!(commits(request), None, "{request}");
        }
    }
}
