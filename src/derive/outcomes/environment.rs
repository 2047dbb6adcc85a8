//! What the session showed of the machine and the project: versions, addresses, members, memories.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::checks::Edit;
use super::lines::Late;
use super::recognise::Ended;
use crate::derive::fact::{Fact, FactKind, State};
use crate::derive::pattern::Pattern;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, ids, shell, text};
use crate::model::{Action, ToolKind};

/// How many facts are kept, how many pages among them that stand alone, and how many earlier ones are
/// told in one.
const MOST: usize = 12;
const MOST_PAGES: usize = 3;
const MOST_EARLIER: usize = 5;
/// How many files are named that say what the project is made of.
const MOST_MANIFESTS: usize = 12;
/// Files that say what a project is made of.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pnpm-workspace.yaml",
    "pyproject.toml",
    "go.mod",
    "go.work",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "composer.json",
    "Gemfile",
    "Package.swift",
    "pubspec.yaml",
    "mix.exs",
    "CMakeLists.txt",
    "deno.json",
];

static VERSION: Pattern = Pattern::new(r"\bv?(\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?)");
static ADDRESS: Pattern =
    Pattern::new(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d{2,5})?[\w/.-]*");

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

/// Finds what is told, newest first; `late` has how commands went on that were waited for.
pub(super) fn environment(
    timeline: &Timeline<'_>,
    edits: &[Edit],
    late: &HashMap<usize, Late>,
) -> Vec<Fact> {
    let pages = pages(timeline, late);
    let mut told = Told { facts: Vec::new(), kept_free: pages.facts() };
    let mut manifests: BTreeSet<String> = BTreeSet::new();
    let mut first_manifest = None;
    for done in timeline.done().rev().filter(|done| done.result.is_some()) {
        for (key, line) in pages.alone_of(&done) {
            told.kept_free -= 1;
            told.add(key, line, &done);
        }
        if done.failed() {
            continue;
        }
        for (key, line) in versions(&done).into_iter().chain(served(timeline, &done)) {
            told.add(&key, &line, &done);
        }
        if let Some(path) = manifest(timeline, &done) {
            if manifests.len() < MOST_MANIFESTS {
                manifests.insert(path);
            }
            first_manifest.get_or_insert(done);
        }
    }
    told.kept_free = 0;
    told.facts.extend(pages.earlier());
    if let Some(done) = first_manifest {
        let manifests: Vec<_> = manifests.into_iter().collect();
        told.add("manifests", &format!("manifests: {}", manifests.join(", ")), &done);
    }
    let done: Vec<_> = timeline.done().collect();
    for edit in edits.iter().rev().filter(|edit| is_memory(&edit.path)) {
        if let Some(done) = done.iter().find(|done| done.index == edit.index) {
            let line = format!("memory written: {}", edit.path);
            told.add(&line, &line, done);
        }
    }
    raise_newest(&mut told.facts);
    told.facts
}

/// How much more it is worth what the next request is likely to mean.
const MEANT: f64 = 3.0;

/// Raises the newest pull request that is not merged: who says "the PR" means it.
fn raise_newest(facts: &mut [Fact]) {
    let is_open = |fact: &&mut Fact| {
        let forms = ["opened pull request ", "opened merge request "];
        forms.iter().any(|form| fact.text.starts_with(form)) && !fact.text.contains("merged")
    };
    if let Some(fact) = facts.iter_mut().find(is_open) {
        fact.weight = MEANT;
    }
}

/// What is told so far, and for how many pages there must be room yet.
struct Told {
    facts: Vec<Fact>,
    kept_free: usize,
}

impl Told {
    /// Adds what is not told yet, if there is room.
    fn add(&mut self, key: &str, line: &str, done: &Done<'_>) {
        let id = ids::id('F', key);
        let has_room = self.facts.len() + self.kept_free < MOST;
        if has_room && self.facts.iter().all(|fact| fact.id != id) {
            self.facts.push(fact(id, line.to_owned(), done));
        }
    }
}

fn fact(id: String, line: String, done: &Done<'_>) -> Fact {
    let at = (done.item.turn, done.item.id.as_ref());
    let fact = Fact::new(FactKind::Environment, Trust::S, line, at);
    Fact { id, state: State::Open, ..fact }
}

/// The pages that were opened, the newest first: each with its key, how it is told, and its call.
struct Pages<'s>(Vec<(String, String, Done<'s>)>);

/// Finds the pages that were opened, each once, and which of them were merged later.
fn pages<'s>(timeline: &Timeline<'s>, late: &HashMap<usize, Late>) -> Pages<'s> {
    let (mut seen, mut merged) = (HashSet::new(), HashMap::<_, HashSet<_>>::new());
    let mut pages = Vec::new();
    for done in timeline.done().rev().filter(|done| done.result.is_some()) {
        if let Some((number, repository)) = merges(&done) {
            merged.entry(number).or_default().insert(repository);
        }
        let is_new = |(key, _): &(String, String)| seen.insert(key.clone());
        let Some((key, line)) = opened(&done, late).filter(is_new) else { continue };
        let is_there = |name: &String| key.contains(&format!("/{name}/"));
        let by_number = key.rsplit('/').next().and_then(|number| merged.get(number));
        let is_it = |name: &Option<String>| name.as_ref().is_none_or(is_there);
        let is_merged = by_number.is_some_and(|names| names.iter().any(is_it));
        let end = if line.contains(" request ") && is_merged { "; merged" } else { "" };
        pages.push((key, format!("{line}{end}"), done));
    }
    Pages(pages)
}

impl Pages<'_> {
    /// Returns how many facts tell them.
    fn facts(&self) -> usize {
        self.0.len().min(MOST_PAGES + 1)
    }

    /// Returns those that stand alone, with what a call opened.
    fn alone_of(&self, done: &Done<'_>) -> impl Iterator<Item = (&str, &str)> {
        let is_of = |page: &&(String, String, Done<'_>)| page.2.index == done.index;
        let alone = self.0.iter().take(MOST_PAGES).filter(is_of);
        alone.map(|(key, line, _)| (key.as_str(), line.as_str()))
    }

    /// Tells the others in one fact, which rests on the calls that it names.
    fn earlier(&self) -> Option<Fact> {
        let earlier = self.0.get(MOST_PAGES..)?;
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

/// Returns what `PROGRAM --version` printed: the program, and the line with the version.
fn versions(done: &Done<'_>) -> Vec<(String, String)> {
    let Some(line) = done
        .command()
        .filter(|line| line.contains("ersion") || line.contains(" -v") || line.contains(" -V"))
    else {
        return Vec::new();
    };
    let parts = shell::joined(line);
    let asked: Vec<&str> = parts.iter().filter_map(|(part, _)| asks_version(part)).collect();
    let output = done.output();
    let mut rows = output.lines().filter(|row| !row.trim().is_empty());
    // Only where each line can be told to belong to one program.
    let only_asks = asked.len() == parts.iter().filter(|(part, _)| !part.is_empty()).count();
    let fits = only_asks
        && !asked.is_empty()
        && output.lines().filter(|row| !row.trim().is_empty()).count() == asked.len();
    let version = |row: &str| Some(VERSION.groups(row)?.at(1)?.to_owned());
    let told = asked.into_iter().filter(|_| fits).filter_map(|program| {
        let version = version(rows.next()?)?;
        Some((format!("version {program}"), format!("{program} {version}")))
    });
    told.collect()
}

/// Returns the program that a command only asks for its version.
fn asks_version(part: &str) -> Option<&str> {
    let words: Vec<&str> = part.split_whitespace().collect();
    match words.as_slice() {
        [program, "--version" | "-V" | "-version"] => Some(*program),
        ["node" | "npm" | "pnpm" | "yarn" | "bun", "-v"] => words.first().copied(),
        ["go" | "docker" | "zig" | "kubectl" | "terraform", "version"] => words.first().copied(),
        _ => None,
    }
}

/// Returns the addresses on this machine that a started server told.
fn served(timeline: &Timeline<'_>, done: &Done<'_>) -> Vec<(String, String)> {
    let starts = timeline.parts(done).iter().find(|part| starts_server(part));
    let Some(part) = starts else { return Vec::new() };
    let output = done.output();
    let tell = |found: &str| {
        let address = found.trim_end_matches(['.', '/']);
        (format!("served {address}"), format!("`{}` serves {address}", text::line(part, 100)))
    };
    ADDRESS.find(&output).map(tell).into_iter().collect()
}

/// Options by which a command makes nothing.
const ONLY_LOOKS: &[&str] = &["--dry-run", "--help", "-h", "--web", "-w"];
/// Programs that print no addresses of pages.
const QUIET: &[&str] = &["cd", "echo", "export", "git", "mkdir", "printf", "set", "sleep"];

/// How the names of tools end that make a page on the server of the repository, and what they make.
const MAKING_TOOLS: &[(&str, &str)] = &[
    ("create_pull_request", "pull request"),
    ("create_merge_request", "merge request"),
    ("create_issue", "issue"),
    ("create_release", "release"),
];

/// Returns the page that a call made on the server of the repository, by its address.
fn opened(done: &Done<'_>, late: &HashMap<usize, Late>) -> Option<(String, String)> {
    let name = done.call.name.as_ref();
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"\"'\\<>`".contains(c);
    let (what, page) = match MAKING_TOOLS.iter().find(|(end, _)| name.ends_with(end)) {
        Some(_) if done.failed() => return None,
        Some((_, what)) => {
            // What such a tool gives back is mostly JSON, with more addresses behind the page's.
            let output = done.output();
            let mut rest = output.match_indices("https://").map(|(at, _)| &output[at..]);
            let is_it = |row: &&str| is_page(row, what) && !row.contains("//api.");
            let page = rest
                .find_map(|rest| Some(rest.split(|c| !is_plain(c)).next()?).filter(is_it))?
                .to_owned();
            (*what, page)
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
        let program = raw.split_whitespace().next().unwrap_or_default();
        let is_filter = at > 0 && parts[at - 1].1 == "|" && told[at].0.is_empty();
        let is_set = program.contains('=') || program.is_empty();
        is_filter || is_set || QUIET.contains(&program) || raw.contains("<<")
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

/// Commands that merge a page or show its state, and whether they merge.
const MERGING: &[(&str, bool)] =
    &[("gh pr merge ", true), ("glab mr merge ", true), ("gh pr view ", false)];
/// Options by which a command does not merge now.
const NOT_NOW: &[&str] = &["--auto", "--disable-auto", "--help", "-h"];
/// What an output says where it was only put into a row.
const QUEUED: &str = "merge queue";

/// A pull request that is merged: its number, and the repository where the command named it.
type Merged = (String, Option<String>);

/// Returns the pull request that a command merged, or showed to be merged.
fn merges(done: &Done<'_>) -> Option<Merged> {
    let line =
        done.command().filter(|line| line.contains("gh pr ") || line.contains("glab mr "))?;
    let told = |(part, joint): &(String, String)| {
        let (form, merges) = MERGING.iter().find(|(form, _)| part.starts_with(form))?;
        let words: Vec<&str> = part[form.len()..].split_whitespace().collect();
        let number = words.first().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?;
        let named = words.iter().position(|word| matches!(*word, "-R" | "--repo"));
        let repository = named.and_then(|at| words.get(at + 1)).map(|name| (*name).to_owned());
        let is_now =
            !words.iter().any(|word| NOT_NOW.iter().any(|option| word.starts_with(option)));
        // Behind a pipe nobody knows how it ended.
        let is_done = *merges && is_now && matches!(joint.as_str(), "" | "&&");
        Some((((*number).to_owned(), repository), is_done))
    };
    let found: Vec<_> = shell::raw(line).iter().filter_map(told).collect();
    let is_one = found.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let output = done.output();
    let shown = || serde_json::from_str::<serde_json::Value>(&output).ok();
    let says_so = || shown().is_some_and(|shown| shown["state"] == "MERGED");
    let went_well = done.result?.exit_code == Some(0) && !output.contains(QUEUED);
    let did = || found.iter().any(|(_, is_done)| *is_done);
    let is_merged = is_one && went_well && (did() || says_so());
    found.into_iter().next().map(|(one, _)| one).filter(|_| is_merged)
}

/// Whether a command starts something that goes on listening.
fn starts_server(part: &str) -> bool {
    let mut words = part.split_whitespace().take(5).flat_map(|word| word.split(':'));
    let serving = [
        "dev",
        "serve",
        "server",
        "start",
        "preview",
        "runserver",
        "uvicorn",
        "gunicorn",
        "http.server",
        "watch",
        "up",
    ];
    words.any(|word| serving.contains(&word))
}

/// Returns the manifest that a call read or changed, inside the project.
fn manifest(timeline: &Timeline<'_>, done: &Done<'_>) -> Option<String> {
    let path = match done.call.action.as_deref() {
        Some(Action::Read { path, .. }) if done.call.kind == ToolKind::Read => path,
        Some(Action::Edit { changes }) => &changes.first()?.path,
        _ => return None,
    };
    let path = timeline.path(path);
    let name = path.rsplit('/').next().unwrap_or(&path);
    let is_inside = !path.starts_with(['/', '~'])
        && !path.contains(":/")
        && !path.contains("..")
        && !path.contains("node_modules/");
    (is_inside && MANIFESTS.contains(&name)).then_some(path)
}

/// Whether a file lies in a folder of memories.
fn is_memory(path: &str) -> bool {
    let mut folders = path.rsplit('/').skip(1);
    path.ends_with(".md") && folders.any(|folder| folder == "memory" || folder == "memories")
}
