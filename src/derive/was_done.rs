//! Whether what others see was done, where a session ended before anybody saw how it came out.

use super::open_work::{Work, still_runs};
use super::outcomes::{
    Outcomes, commits_something, from_verb, is_push, number_of, repository_of, sends_nothing,
    sends_only_tags, tells_of_commit, tells_of_push, told_folder,
};
use super::pattern::Pattern;
use super::timeline::{Done, Timeline};
use super::{place, shell, text};
use crate::model::Status;

/// How many characters name the command.
const TOLD_CHARS: usize = 60;

/// Something that others see.
#[derive(Debug, PartialEq, Eq)]
struct Deed {
    /// What shows whether it was done, and what is asked.
    shows: &'static str,
    asks: &'static str,
    /// How commands begin by which one sees that, too.
    looks: &'static [&'static str],
}

const COMMIT: Deed = Deed {
    shows: "git log -1",
    asks: "was it committed",
    looks: &["git log", "git show", "git status"],
};
const PUSH: Deed = Deed {
    shows: "git fetch; git status -sb",
    asks: "was it pushed",
    looks: &["git status", "git ls-remote", "git log origin"],
};
const TAGS: Deed =
    Deed { shows: "git ls-remote", asks: "was it pushed", looks: &["git ls-remote"] };

const MERGE: Deed = page("gh pr view", "was it merged", LOOKS_PR);
/// What is asked of words on a page.
const POSTED: &str = "was it posted";

const LOOKS_PR: &[&str] = &["gh pr list", "gh pr status", "gh pr view"];
const LOOKS_ISSUE: &[&str] = &["gh issue list", "gh issue status", "gh issue view"];
const LOOKS_RELEASE: &[&str] = &["gh release list", "gh release view"];
const LOOKS_MR: &[&str] = &["glab mr list", "glab mr view"];

/// Commands that do something to a page of a hoster, with what shows it, what is asked, and how one looks.
const PAGES: &[(&str, Deed)] = &[
    ("gh pr create", page("gh pr view", "was the pull request opened", LOOKS_PR)),
    ("gh pr merge", MERGE),
    ("gh pr comment", page("gh pr view --comments", POSTED, LOOKS_PR)),
    ("gh issue comment", page("gh issue view --comments", POSTED, LOOKS_ISSUE)),
    ("gh issue create", page("gh issue list", "was the issue opened", LOOKS_ISSUE)),
    ("gh release create", page("gh release list", "was it published", LOOKS_RELEASE)),
    ("glab mr create", page("glab mr view", "was the merge request opened", LOOKS_MR)),
];

const fn page(shows: &'static str, asks: &'static str, looks: &'static [&'static str]) -> Deed {
    Deed { shows, asks, looks }
}

/// The address of a page that was made.
static PAGE: Pattern = Pattern::new(
    r"https://\S+/(?:discussions|issues|merge_requests|pull)/\d|https://\S+/releases/",
);
/// The row by which a program says that a page is merged, or will be.
static MERGED: Pattern = Pattern::new(r"^(?:✓|!) .*\b[Mm]erged\b");
/// How it is said of a page that it is there, by a program that was to make it again.
static PAGE_EXISTS: Pattern =
    Pattern::new(r"(?i)\b(?:(?:pull|merge) request|release)\b.* already exists");

/// Asks whether the last thing that others see was done, where the session ended before that had come back, or
/// while it still ran, as `open` says: who goes on would do it twice.
pub(super) fn was_done(
    timeline: &Timeline<'_>,
    outcomes: &Outcomes,
    open: &[Work],
) -> Option<String> {
    let runs = |done: &Done<'_>| {
        let is_it = |work: &Work| still_runs(work) && work.evidence[..] == [&*done.item.id];
        open.iter().any(is_it)
    };
    let last = timeline.own().next_back().map_or(0, |done| done.item.turn);
    let newest = timeline.own().rev().take_while(|done| done.item.turn == last);
    let mut later: Vec<Done<'_>> = Vec::new();
    for done in newest {
        let (output, ..) = outcomes.came_of(timeline, &done);
        let asks = end(&done, runs(&done));
        let asks = asks.and_then(|end| asked(timeline, (&done, &output), end, &later));
        if asks.is_some() {
            return asks;
        }
        later.push(done);
    }
    None
}

/// Says why nobody saw how a call came out.
fn end(done: &Done<'_>, still_runs: bool) -> Option<&'static str> {
    match done.result {
        _ if still_runs => Some("still ran"),
        None => Some("had no result"),
        Some(_) if done.is_lost() => Some("had no result"),
        Some(result) if result.status == Status::Interrupted => Some("was broken off"),
        Some(_) => None,
    }
}

/// Asks for the last thing on the line of a call that others see, unless all of its output or one of the calls made
/// `later` shows that it was done.
fn asked(
    timeline: &Timeline<'_>,
    (done, output): (&Done<'_>, &str),
    end: &str,
    later: &[Done<'_>],
) -> Option<String> {
    let parts = timeline.parts(done);
    let (at, deed) = parts.iter().enumerate().rev().find_map(|(at, it)| Some((at, deed(it)?)))?;
    let part = &parts[at];
    let folder = folder(done, part);
    // How it was while the command ran says little.
    let still_ran = end == "still ran";
    let looks = if still_ran { &[][..] } else { deed.looks };
    let is_seen = later.iter().any(|later| shows(later, (deed, looks), part, folder.as_deref()));
    if shows_end(deed, output) || is_seen {
        return None;
    }
    // Nobody knows which command of a line still runs.
    let told = match done.told().filter(|_| still_ran && at + 1 < parts.len()) {
        Some(line) => text::start(&line, TOLD_CHARS),
        None => text::start(part, TOLD_CHARS),
    };
    let shows = folder.as_deref().and_then(|folder| there(deed.shows, folder, done.cwd));
    let shows = shows.unwrap_or_else(|| deed.shows.to_owned());
    Some(format!("`{shows}`: {}? `{told}` {end} when the session ended", deed.asks))
}

/// Writes a command as it is to be run in another folder than the session's, where that is known; who reads on goes
/// there, so that all of it is told.
fn there(command: &str, folder: &str, home: &str) -> Option<String> {
    let is_known = place::is_told(folder) && !folder.contains(['$', '`']);
    let folder = place::below(folder, &place::one_form(home)).unwrap_or(folder);
    is_known.then(|| place::goes_first(folder, command))
}

/// Returns the folder in which a command of a call ran, if that is another one than the session's.
fn folder(done: &Done<'_>, part: &str) -> Option<String> {
    let there = done.folder();
    let folder = match (told_folder(part), there) {
        (Some("."), there) => there,
        (Some(to), Some(from)) if !place::is_whole(to) => Some(format!("{from}/{to}")),
        (Some(to), _) => Some(to.to_owned()),
        (None, there) => there,
    };
    folder.filter(|folder| place::one_form(folder) != place::one_form(done.cwd))
}

/// Whether a command of a call does the same again, or finds that it is done, or looks whether it is; `part` is the
/// command that is asked for.
fn shows(
    later: &Done<'_>,
    (asked, looks): (&Deed, &[&str]),
    part: &str,
    in_folder: Option<&str>,
) -> bool {
    let Some(line) = later.command() else { return false };
    let output = later.output();
    let tells = |(one, _): &(String, String)| {
        let one = one.trim();
        let does_it = deed(one) == Some(asked);
        let is_about_it = match does_it {
            true => later.worked() || shows_end(asked, &output) || finds(asked, &output),
            false => later.worked() && looks.iter().any(|form| looks_at(one, form, asked)),
        };
        is_about_it
            && is_same_page(one, part)
            && is_same_repository(one, part, does_it)
            && folder(later, one).as_deref() == in_folder
    };
    shell::raw(line).iter().any(tells)
}

/// Whether a command is of the same repository as another one: a look may leave out which, and is of the one at hand then.
fn is_same_repository(one: &str, other: &str, does_it: bool) -> bool {
    match (repository_of(one), repository_of(other)) {
        (Some(one), Some(other)) => one == other,
        (one, other) => !does_it || one == other,
    }
}

/// Whether one who was to do it again found that it is done.
fn finds(deed: &Deed, output: &str) -> bool {
    match deed {
        _ if *deed == COMMIT => output.contains("nothing to commit"),
        _ if *deed == TAGS => output.contains("(already exists)"),
        _ if *deed == PUSH || *deed == MERGE => false,
        _ => PAGE_EXISTS.is_match(output),
    }
}

/// Whether a command that begins with `form` shows whether a deed was done.
fn looks_at(part: &str, form: &str, asked: &Deed) -> bool {
    let plain = from_verb(part);
    let Some(rest) = plain.strip_prefix(form) else { return false };
    let has = |forms: &[&str]| rest.split_whitespace().any(|word| forms.contains(&word));
    let is_short = has(&["-s", "--short", "-z"]) || rest.contains(" --porcelain");
    let tells_branch = has(&["-b", "-sb", "-bs", "--branch"]);
    match form {
        // What is not committed says nothing of the server.
        "git status" if *asked == PUSH => tells_branch || !is_short,
        // A file as it was, or what is on the server, is no commit of now.
        "git show" | "git log" if *asked == COMMIT => {
            let is_other = |word: &str| {
                let word = word.trim_matches(['"', '\'']);
                let is_there = word.starts_with("origin/") && !word.contains("..");
                let is_file = word
                    .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '@' | ':'))
                    && word.split_once(':').is_some_and(|(_, file)| {
                        file.starts_with(|c: char| c.is_alphabetic() || c == '.')
                    });
                is_there || is_file
            };
            !rest.split_whitespace().any(is_other)
        }
        _ => asked.asks != POSTED || rest.contains("comments") || has(&["-c"]),
    }
}

/// Whether two commands name no two numbers of pages.
fn is_same_page(one: &str, other: &str) -> bool {
    number_of(one).zip(number_of(other)).is_none_or(|(one, other)| one == other)
}

/// Whether what a call printed shows that it did what is asked for.
fn shows_end(deed: &Deed, output: &str) -> bool {
    match deed {
        _ if *deed == COMMIT => tells_of_commit(output),
        _ if *deed == PUSH || *deed == TAGS => tells_of_push(output),
        _ if *deed == MERGE => MERGED.is_match(output),
        _ => PAGE.is_match(output),
    }
}

/// Returns what a command does that others see.
fn deed(part: &str) -> Option<&'static Deed> {
    let is_push = is_push(part);
    if part.contains("--dry-run") || is_push && sends_nothing(part) {
        return None;
    }
    let page = PAGES.iter().find(|(form, _)| part.starts_with(form));
    match () {
        () if commits_something(part) => Some(&COMMIT),
        () if is_push && sends_only_tags(part) => Some(&TAGS),
        () if is_push => Some(&PUSH),
        () => page.map(|(_, deed)| deed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_see_is_asked_for_and_not_what_would_be_done() {
        let asks = |part: &str| deed(part).map(|deed| deed.asks);
        assert_eq!(asks("git commit -m 'a'"), Some("was it committed"));
        assert_eq!(asks("git push -u origin it"), Some("was it pushed"));
        assert_eq!(asks("git -C web push"), Some("was it pushed"));
        assert_eq!(asks("gh pr create --fill"), Some("was the pull request opened"));
        for part in ["git push origin v1.2.0", "git push --tags", "git -C web push origin v1.2.0"] {
            assert_eq!(deed(part), Some(&TAGS), "{part}");
        }
        let nothing = ["git push -n", "git push --delete origin it", "git push --dry-run"];
        for part in ["git commit --dry-run", "git status", "gh pr view 3"].iter().chain(&nothing) {
            assert_eq!(asks(part), None, "{part}");
        }
    }

    #[test]
    fn only_its_own_row_shows_that_it_was_done() {
        let push = "To a:x.git\n   1a2b3c4..5d6e7f8  main -> main";
        assert!(shows_end(&COMMIT, "[main 1a2b3c4] cart") && shows_end(&PUSH, push));
        assert!(shows_end(&PUSH, "Everything up-to-date"));
        let opened = deed("gh pr create").unwrap();
        assert!(shows_end(opened, "Creating it\nhttps://a.example/ada/shop/pull/7"));
        let hooks = [
            "[STARTED] Preparing lint-staged...",
            "[INFO] Initializing environment for https://a.example/ruff",
            "remote: Create it by visiting:\nremote: https://a.example/ada/shop/pull/new/cart",
            "[checks] Pushing rows/v1 to origin...\nsrc/a -> src/b",
        ];
        for output in hooks {
            for deed in [&COMMIT, &PUSH, opened] {
                assert!(!shows_end(deed, output), "{output}");
            }
        }
    }
}
