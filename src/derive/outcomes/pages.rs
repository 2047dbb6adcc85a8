//! Pages that the session opened on the server of the repository: pull requests, issues, releases.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use super::environment::fact;
use super::lines::Late;
use super::merged::{self, DECIDING, Fate, Fated};
use super::recognise::Ended;
use crate::derive::fact::{Fact, FactKind};
use crate::derive::now::Now;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{ids, shell};

/// How many pages stand alone, and how many earlier ones are told in one.
const MOST_PAGES: usize = 3;
const MOST_EARLIER: usize = 5;
/// Of how many others it is told what was done to them.
const MOST_DECIDED: usize = 3;
/// Commands that make a page on the server of the repository and print its address, and what they
/// make.
const MAKING: &[(&str, &str)] = &[
    ("gh pr create", "pull request"),
    ("gh issue create", "issue"),
    ("gh release create", "release"),
    ("glab mr create", "merge request"),
    ("glab issue create", "issue"),
];

/// The longest address of a page that is told, in bytes.
const MOST_ADDRESS_BYTES: usize = 200;

/// How much more it is worth what the next request is likely to mean.
const MEANT: f64 = 5.0;

/// Raises the newest pull request that is not merged: who says "the PR" means it.
pub(super) fn raise_newest(facts: &mut [Fact]) {
    let is_open = |fact: &&mut Fact| {
        let forms = ["opened pull request ", "opened merge request "];
        forms.iter().any(|form| fact.text.starts_with(form))
            && !["; merged", "; closed"].iter().any(|end| fact.text.ends_with(end))
    };
    if let Some(fact) = facts.iter_mut().find(is_open) {
        fact.weight = MEANT;
    }
}

/// Raises what was merged or closed since the agent's words in the card, where it stands in them as waiting: who reads
/// only these would do it again.
pub(in crate::derive) fn raise_quoted(timeline: &Timeline<'_>, facts: &mut [Fact], now: &Now) {
    let Some(said) = &now.replies_to else { return };
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let since = timeline.done().rev().take_while(|done| done.item.turn >= newest);
    let decided = since.flat_map(|done| merged::decided(&done));
    let settled = decided.filter(|it| it.fate != Fate::Open && names_page(&said.text, &it.number));
    let settled: Vec<String> = settled.map(|fated| fated.number).collect();
    for fact in facts.iter_mut().filter(|fact| fact.kind == FactKind::Environment) {
        if settled_number(&fact.text).is_some_and(|it| settled.iter().any(|number| number == it)) {
            fact.weight = MEANT;
        }
    }
}

/// Returns the number of the page of which a fact says that it is merged or closed.
fn settled_number(fact: &str) -> Option<&str> {
    let opened = ["; merged", "; closed"].iter().find_map(|end| fact.strip_suffix(end));
    let opened = opened.filter(|line| !line.starts_with("opened earlier"));
    let is_settled = ["merged ", "closed "].iter().any(|verb| fact.starts_with(verb));
    let number = opened.or(is_settled.then_some(fact))?.rsplit(['/', '#']).next()?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Whether a text names a page by its number: `#7`, the end of its address, the command that takes it in.
fn names_page(text: &str, number: &str) -> bool {
    let is_named = |before: &str| {
        let address = ["/pull/", "/issues/", "/merge_requests/"];
        before.ends_with('#')
            || address.iter().any(|form| before.ends_with(form))
            || DECIDING.iter().any(|(form, ..)| before.ends_with(form))
    };
    text.match_indices(number).any(|(at, _)| {
        let behind = text[at + number.len()..].chars().next();
        is_named(&text[..at]) && !behind.is_some_and(|c| c.is_ascii_digit())
    })
}

/// Pages on the server of the repository.
pub(super) struct Pages<'s> {
    /// Those that were opened, the newest first: each with its key, how it is told, and its call.
    pages: Vec<(String, String, Done<'s>)>,
    /// Others on which was decided here, the newest first.
    acts: Vec<(Fated, Done<'s>)>,
}

impl Fated {
    /// Whether an address is of its kind, where each kind has numbers of its own.
    fn is_of_kind(&self, key: &str) -> bool {
        !key.contains("/-/") || key.contains("/issues/") == (self.what == "issue")
    }

    /// Whether it is the page of this key, which ends in its address.
    fn is_of(&self, key: &str) -> bool {
        let is_there = |name: &String| key.contains(&format!("/{name}/"));
        key.rsplit('/').next() == Some(&self.number)
            && self.repository.as_ref().is_none_or(is_there)
            && self.is_of_kind(key)
    }
}

/// Finds the pages that were opened, each once, and what became of them, and others on which was decided.
pub(super) fn pages<'s>(timeline: &Timeline<'s>, late: &HashMap<usize, Late>) -> Pages<'s> {
    let (mut seen, mut fates) = (HashSet::new(), Vec::<Fated>::new());
    let mut acts: Vec<(Fated, Done<'s>)> = Vec::new();
    // Most sessions open none.
    let told = LazyCell::new(|| merged::told(timeline));
    let mut pages = Vec::new();
    for done in timeline.done().rev().filter(|done| done.result.is_some()) {
        for fated in merged::decided(&done).into_iter().rev() {
            acts.extend(fated.by_act.then(|| (fated.clone(), done)));
            fates.push(fated);
        }
        let is_new = |(key, _): &(String, String)| seen.insert(key.clone());
        let Some((key, line)) = opened(timeline, &done, late).filter(is_new) else { continue };
        let number = key.rsplit('/').next().unwrap_or_default();
        // The newest word counts.
        let fate = fates.iter().find(|fated| fated.is_of(&key)).map(|fated| fated.fate);
        // What was said before it was opened was said of another.
        let is_told = told.get(number).is_some_and(|turn| *turn > done.item.turn);
        let fate = if is_told { Some(Fate::Merged) } else { fate };
        let end = match fate {
            Some(Fate::Merged) if line.contains(" request ") => "; merged",
            Some(Fate::Closed) => "; closed",
            _ => "",
        };
        pages.push((key, format!("{line}{end}"), done));
    }
    // What the session opened tells with it what became of it; of others the newest word counts.
    let is_own = |fated: &Fated| pages.iter().any(|(key, ..)| fated.is_of(key));
    let mut known: HashSet<String> = HashSet::new();
    let newest = |fated: &Fated| fates.iter().find(|one| one.page() == fated.page());
    let holds = |fated: &Fated| newest(fated).is_none_or(|one| one.fate == fated.fate);
    acts.retain(|(fated, _)| known.insert(fated.page()) && !is_own(fated) && holds(fated));
    acts.truncate(MOST_DECIDED);
    Pages { pages, acts }
}

impl Pages<'_> {
    /// Whether one of this number is told.
    pub(super) fn tell(&self, number: &str) -> bool {
        let opened = self.pages.iter().map(|(key, ..)| key.rsplit('/').next());
        opened
            .flatten()
            .chain(self.acts.iter().map(|(it, _)| it.number.as_str()))
            .any(|it| it == number)
    }

    /// Returns how many facts tell them.
    pub(super) fn facts(&self) -> usize {
        self.pages.len().min(MOST_PAGES + 1) + self.acts.len()
    }

    /// Returns those that stand alone, with what a call opened.
    pub(super) fn alone_of(&self, done: &Done<'_>) -> impl Iterator<Item = (&str, &str)> {
        let is_of = |page: &&(String, String, Done<'_>)| page.2.index == done.index;
        let alone = self.pages.iter().take(MOST_PAGES).filter(is_of);
        alone.map(|(key, line, _)| (key.as_str(), line.as_str()))
    }

    /// Returns what a call did to pages that the session did not open, each with its key.
    pub(super) fn decided_by(&self, done: &Done<'_>) -> impl Iterator<Item = (String, String)> {
        let index = done.index;
        let acts = self.acts.iter().filter(move |(_, done)| done.index == index);
        acts.map(|(fated, _)| (format!("decided {}", fated.page()), fated.told()))
    }

    /// Tells the others in one fact, which rests on the calls that it names.
    pub(super) fn earlier(&self) -> Option<Fact> {
        let earlier = self.pages.get(MOST_PAGES..)?;
        let few = &earlier[..earlier.len().min(MOST_EARLIER)];
        let (_, _, newest) = few.first()?;
        let told = few.iter().map(|(_, line, _)| line.strip_prefix("opened ").unwrap_or(line));
        let told = told.collect::<Vec<_>>().join(", ");
        let more = match earlier.len() - few.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let keys: Vec<_> = few.iter().map(|(key, ..)| key.as_str()).collect();
        let id = ids::id('F', &format!("earlier {}", keys.join(" ")));
        let fact = fact(id, format!("opened earlier: {told}{more}"), newest);
        let evidence = few.iter().map(|(.., done)| done.item.id.to_string()).collect();
        Some(Fact { evidence, ..fact })
    }
}

/// Options by which a command makes nothing.
const ONLY_LOOKS: &[&str] = &["--dry-run", "--help", "-h", "--web", "-w"];

/// How the names of tools end that make a page on the server of the repository, and what they make.
const MAKING_TOOLS: &[(&str, &str)] = &[
    ("create_pull_request", "pull request"),
    ("create_merge_request", "merge request"),
    ("create_issue", "issue"),
    ("create_release", "release"),
];

/// Whether a tool makes a page on the server of the repository, by its name.
pub(in crate::derive) fn is_making_tool(name: &str) -> bool {
    MAKING_TOOLS.iter().any(|(end, _)| name.ends_with(end))
}

/// After how many more calls what was made is not looked for any more.
const MOST_LATER: usize = 6;

/// Returns the page that a command shows which was called soon after `done` and names none: that of the branch.
fn shown_later(timeline: &Timeline<'_>, done: &Done<'_>, what: &str) -> Option<String> {
    let asks = |part: &String| {
        let rest = part.strip_prefix("gh pr view").or_else(|| part.strip_prefix("glab mr view"));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" -"))
    };
    let later = timeline.done().skip(done.index + 1).take(MOST_LATER);
    // On another branch it is another one.
    let stays = |one: &Done<'_>| {
        let moves =
            |part: &String| ["git switch", "git checkout"].iter().any(|it| part.starts_with(it));
        !timeline.parts(one).iter().any(moves)
    };
    let later = later.take_while(stays);
    let mut shown = later.filter(|one| one.worked() && timeline.parts(one).iter().any(asks));
    shown.find_map(|one| address(&one.output(), what)).filter(|_| what != "issue")
}

/// Finds the first address of a page of its kind in an output.
fn address(output: &str, what: &str) -> Option<String> {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"\"'\\<>`".contains(c);
    let mut rest = output.match_indices("https://").map(|(at, _)| &output[at..]);
    let is_it = |row: &&str| is_page(row, what) && !row.contains("//api.");
    let page = rest.find_map(|rest| Some(rest.split(|c| !is_plain(c)).next()?).filter(is_it))?;
    Some(page.to_owned())
}

/// Says which page a tool made on the server of the repository, if a call is of one that did.
pub(in crate::derive) fn made_by_tool(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<String> {
    let made = is_making_tool(&done.call.name).then(|| opened(timeline, done, &HashMap::new()));
    made.flatten().map(|(_, line)| line)
}

/// Says which page a command line made on the server of the repository, if it did, and nothing of it failed.
pub(in crate::derive) fn made_by_line(done: &Done<'_>) -> Option<String> {
    let (what, page) = opened_by_command(done, None).filter(|_| !done.failed())?;
    Some(format!("opened {what} {page}"))
}

/// Returns the page that a call made on the server of the repository, by its address.
fn opened(
    timeline: &Timeline<'_>,
    done: &Done<'_>,
    late: &HashMap<usize, Late>,
) -> Option<(String, String)> {
    let name = done.call.name.as_ref();
    let (what, page) = match MAKING_TOOLS.iter().find(|(end, _)| name.ends_with(end)) {
        Some(_) if done.failed() => return None,
        // What such a tool gives back is mostly JSON, with more addresses behind the page's.
        Some((_, what)) => {
            let told = address(&done.output(), what);
            (*what, told.or_else(|| shown_later(timeline, done, what))?)
        }
        None => opened_by_command(done, late.get(&done.index))?,
    };
    Some((format!("opened {page}"), format!("opened {what} {page}")))
}

/// Whether an address is that of a page of its kind.
fn is_page(row: &str, what: &str) -> bool {
    let place = match what {
        "issue" => "/issues/",
        "release" => "/releases/",
        _ => "/pull/|/pulls/|/merge_requests/",
    };
    let is_plain = !row.contains(|c: char| c.is_whitespace() || c.is_control());
    let is_it = place.split('|').any(|place| row.contains(place));
    row.starts_with("https://") && row.len() <= MOST_ADDRESS_BYTES && is_plain && is_it
}

/// Returns what a command made and its address: the last one that was printed, or the first, as what
/// else the line runs prints none. `late` is how it went on where it was waited for.
fn opened_by_command(done: &Done<'_>, late: Option<&Late>) -> Option<(&'static str, String)> {
    let line = done.command().filter(|line| line.contains(" create"))?;
    let (parts, told) = (shell::raw(line), shell::joined(line));
    let making = |part: &str| MAKING.iter().find(|(form, _)| part.starts_with(form));
    let at = told.iter().position(|(part, _)| making(part).is_some())?;
    let (part, (_, what)) = (&told[at].0, making(&told[at].0)?);
    let is_quiet = |at: usize| {
        let raw = &parts[at].0;
        let program = shell::program(raw);
        let is_filter = at > 0 && parts[at - 1].1 == "|" && told[at].0.is_empty();
        let is_set = program.contains('=') || program.is_empty();
        // None of these prints an address of a page.
        let is_quiet = program == "git" || shell::QUIET.contains(&program);
        is_filter || is_set || is_quiet || raw.contains("<<")
    };
    let is_last = (at + 1..parts.len()).all(is_quiet);
    // What it printed shows that it was made, unless what stopped it printed that.
    let has_failed = Late::ended(done, late) == Ended::Failed;
    let output = Late::output_of(done, late);
    // What is written in it, such as its text, can hold the same words.
    let options: String = shell::unquoted(part).map(|(_, c)| c).collect();
    let looks = options.split_whitespace().any(|word| ONLY_LOOKS.contains(&word));
    let is_tried = parts[at].1 == "||";
    let is_stopped = has_failed && is_last;
    if looks
        || is_tried
        || is_stopped
        || !(is_last || (0..at).all(is_quiet))
        || output.contains("already exists")
    {
        return None;
    }
    let mut rows = output.lines().map(str::trim);
    let is_page = |row: &&str| is_page(row, what);
    let page = if is_last { rows.rfind(is_page)? } else { rows.find(is_page)? };
    Some((what, page.to_owned()))
}
