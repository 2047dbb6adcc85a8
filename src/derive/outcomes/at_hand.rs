//! Pages on the server of the repository that the session did not open and came back to: who goes on needs their numbers.

use super::numbers::{number_of, repository_of};
use crate::derive::text;
use crate::derive::timeline::{Done, Timeline};

/// How commands begin that are about a page, and what that is.
const FORMS: &[(&str, &str)] = &[
    ("gh pr ", "pull request"),
    ("gh issue ", "issue"),
    ("glab mr ", "merge request"),
    ("glab issue ", "issue"),
];
/// What they do with it.
const VERBS: &[&str] = &[
    "checkout", "checks", "comment", "develop", "diff", "edit", "note", "ready", "review", "view",
];
/// How many pages are told, and how often one was asked for at least.
const MOST: usize = 3;
const LEAST: usize = 2;
/// How much less a call counts for each later one.
const FADE: f64 = 0.99;
/// How much it counts that the user named a page by its number.
const NAMED: f64 = 1.5;
/// How many characters of a title are told.
const TITLE_CHARS: usize = 60;

/// A page that was asked for.
struct Page<'s> {
    what: &'static str,
    number: String,
    /// As it was named on the command line.
    repository: Option<String>,
    count: usize,
    weight: f64,
    title: Option<String>,
    /// Whether it is merged or closed, by the newest call that shows that.
    is_over: Option<bool>,
    /// The last call about it.
    last: Done<'s>,
}

/// Tells the pages that were asked for most, with the last call about one; `is_told` says of a number whether it is
/// told elsewhere.
pub(super) fn at_hand<'s>(
    timeline: &Timeline<'s>,
    is_told: impl Fn(&str) -> bool,
) -> Option<(String, Done<'s>)> {
    let mut pages: Vec<Page<'s>> = Vec::new();
    let mut age = 0;
    for done in timeline.own().rev().filter(Done::worked) {
        age += 1;
        let Some((what, number, repository)) = asked(timeline, &done) else { continue };
        let at = pages.iter().position(|page| (page.what, &page.number) == (what, &number));
        let at = at.unwrap_or_else(|| {
            pages.push(Page {
                what,
                number,
                repository,
                count: 0,
                weight: 0.0,
                title: None,
                is_over: None,
                last: done,
            });
            pages.len() - 1
        });
        let page = &mut pages[at];
        page.count += 1;
        page.weight += FADE.powi(age);
        if page.title.is_none() || page.is_over.is_none() {
            let output = done.output();
            page.title = page.title.take().or_else(|| field(&output, "title"));
            page.is_over = page.is_over.or_else(|| is_over(&output));
        }
    }
    pages.retain(|page| !is_told(&page.number) && page.is_over != Some(true));
    if pages.is_empty() {
        return None;
    }
    name(timeline, &mut pages);
    pages.retain(|page| page.count >= LEAST);
    pages.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    pages.truncate(MOST);
    let last = pages.iter().map(|page| page.last).max_by_key(|done| done.index)?;
    let mut before = None;
    let told = pages.iter().map(|page| page.told(&mut before)).collect::<Vec<_>>().join("; ");
    Some((format!("at hand: {told}"), last))
}

/// Counts the pages that the user named, the newest request more.
fn name(timeline: &Timeline<'_>, pages: &mut [Page<'_>]) {
    for (_, message) in timeline.requests() {
        let words = message.words();
        for number in words.split('#').skip(1) {
            let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
            if let Some(page) = pages.iter_mut().find(|page| page.number == number[..end]) {
                (page.count, page.weight) = (page.count + 1, page.weight + NAMED);
            }
        }
    }
}

impl Page<'_> {
    /// Tells it; the repository only where that is not the one `before`.
    fn told<'p>(&'p self, before: &mut Option<&'p str>) -> String {
        let repository = self.repository.as_deref().filter(|named| *before != Some(*named));
        *before = repository.or(*before);
        let title = self.title.as_deref().map(|title| text::line(title, TITLE_CHARS));
        let title = title.map(|title| format!(": {title}")).unwrap_or_default();
        format!("{} {}#{}{title}", self.what, repository.unwrap_or_default(), self.number)
    }
}

/// Returns which page a call is about: what it is, its number and the repository that is named.
fn asked(
    timeline: &Timeline<'_>,
    done: &Done<'_>,
) -> Option<(&'static str, String, Option<String>)> {
    let line = done.command().filter(|line| line.contains("gh ") || line.contains("glab "))?;
    if !FORMS.iter().any(|(form, _)| line.contains(form)) {
        return None;
    }
    let mut pages = timeline.parts(done).iter().filter_map(|part| {
        let (form, what) = FORMS.iter().find(|(form, _)| part.starts_with(form))?;
        let words: Vec<&str> = part[form.len()..].split_whitespace().collect();
        words.first().filter(|verb| VERBS.contains(verb))?;
        Some((part, words, *what))
    });
    // Of several nobody knows what was printed of which.
    let (part, words, what) = pages.next().filter(|_| pages.next().is_none())?;
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let number = match number_of(part) {
        Some(number) => number,
        // It may be any.
        None if words.get(1).is_some_and(|word| !word.starts_with('-')) => return None,
        // That of the branch.
        None => field(&done.output(), "number").filter(|number| is_number(&number.as_str()))?,
    };
    let repository = repository_of(part).filter(|word| !word.contains(['$', '"']));
    Some((what, number, repository.map(str::to_owned)))
}

/// Returns a field as it is printed for people, `title:\tA`, or as JSON.
fn field(output: &str, name: &str) -> Option<String> {
    let row = output.lines().find_map(|row| row.strip_prefix(name)?.strip_prefix(":\t"));
    if let Some(row) = row {
        return Some(row.trim().to_owned());
    }
    let page = output.trim_start().starts_with('{').then(|| serde_json::from_str(output).ok());
    let page: serde_json::Value = page.flatten()?;
    match page.get(name)? {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Tells whether a page is merged or closed, where that is printed.
fn is_over(output: &str) -> Option<bool> {
    let state = field(output, "state").unwrap_or_else(|| output.trim().to_owned()).to_uppercase();
    let is_one = |states: &[&str]| states.contains(&state.as_str());
    match () {
        () if is_one(&["CLOSED", "MERGED"]) => Some(true),
        () if is_one(&["OPEN", "DRAFT"]) => Some(false),
        () => None,
    }
}
