//! How well facts agree with what careful readers wanted, for the sessions of `tests/eval/labels.ndjson`.
//!
//! The sessions are not part of this repository; [`crate::data`] says where they are. Matched are
//! ids of items, never words: a fact is right if one of the items that it rests on is that of a
//! label of its kind, or the call or the result that belongs to it. A fix is
//! counted a second time, where it must also rest on one of the runs that its label says prove it. `SEGUE_EVAL=1` shows the figures,
//! and the id of every fact that nobody asked for and every label that was missed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use camino::Utf8Path;
use segue::derive;
use segue::harness::{self, HumanCalls, Want};
use segue::jsonl::Input;
use segue::model::{Body, Origin, Session};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::data;

/// What held when the rules were last changed, with room for one or two more mistakes: kind, tier
/// (empty for all), least precision, least recall, over both sets.
const FLOORS: &[(&str, &str, f64, f64)] = &[
    ("objective", "", 0.9, 0.9),
    ("open_work", "", 0.88, 0.76),
    ("open_work", "S", 0.9, 0.9),
    ("open_work", "C", 0.85, 0.6),
    ("decision", "", 0.88, 0.74),
    ("decision", "S", 0.9, 0.9),
    ("constraint", "", 0.8, 0.5),
    ("error_fix", "S", 0.92, 0.8),
    // The same, with a run that proves it.
    ("proven_fix", "S", 0.88, 0.75),
];

/// What a reader wanted of one session.
#[derive(Deserialize)]
struct Labelled {
    file_sha256: String,
    set: String,
    labels: Vec<Label>,
}

/// One thing that a reader wanted; `tests/eval/README.md` explains the fields.
#[derive(Clone, Deserialize)]
struct Label {
    record: String,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    with: Vec<String>,
    kind: String,
    state: String,
    tier: String,
    #[serde(default)]
    optional: bool,
}

/// A fact as it is compared: its kind in the words of the labels.
struct Found {
    kind: &'static str,
    trust: String,
    state: Option<String>,
    evidence: Vec<String>,
}

/// Counts for one row of the table.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Facts that are right, and facts that count.
    facts: (usize, usize),
    /// Labels that were found, and labels that count.
    labels: (usize, usize),
    /// Facts whose state is that of the label, and facts that have a state.
    states: (usize, usize),
}

/// The table of one set, by kind and tier, and the single cases.
#[derive(Default)]
struct Table {
    rows: BTreeMap<(String, String), Counts>,
    cases: Vec<String>,
    sessions: usize,
}

fn labels() -> Vec<Labelled> {
    let lines = include_str!("../eval/labels.ndjson").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the files of the data by the digest of their bytes.
fn by_digest() -> Option<HashMap<String, PathBuf>> {
    let folder = data::folder("corpus")?;
    let digest = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let hex: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        (hex, path)
    };
    Some(data::files(&folder).into_iter().map(digest).collect())
}

fn read(path: &std::path::Path) -> Session {
    let input = Input::file(Utf8Path::from_path(path).unwrap()).unwrap();
    let harness = harness::recognise(&input).unwrap();
    let mut session = Session::default();
    let want = Want { actions: true, ..Want::default() };
    session.end = harness.read(&input, want, &mut HumanCalls::new(&mut session)).unwrap();
    session
}

/// Names items by one of those that say the same: a result for its call, the first for a copy.
struct Same(HashMap<String, String>);

impl Same {
    fn new(session: &Session) -> Self {
        let mut names = HashMap::new();
        let mut calls: HashMap<&str, &str> = HashMap::new();
        for item in &session.items {
            if let Some(first) = &item.copy_of {
                names.insert(item.id.to_string(), first.to_string());
                continue;
            }
            match &item.body {
                Body::ToolCall(call) => {
                    calls.insert(&call.call_id, &item.id);
                }
                Body::ToolResult(result) => {
                    if let Some(call) = calls.get(result.call_id.as_ref()) {
                        names.insert(item.id.to_string(), (*call).to_owned());
                    }
                }
                _ => {}
            }
        }
        Self(names)
    }

    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        let once = self.0.get(id).map_or(id, String::as_str);
        self.0.get(once).map_or(once, String::as_str)
    }
}

/// Returns the first message of a human in the turn `T-n`.
fn request(session: &Session, turn: &str) -> Option<String> {
    let turn: u32 = turn.strip_prefix("T-")?.parse().ok()?;
    let asks = |item: &&segue::model::Item<'static>| {
        let human = matches!(&item.body, Body::Message(message) if message.origin == Origin::Human);
        human && item.turn == turn && item.copy_of.is_none()
    };
    session.items.iter().find(asks).map(|item| item.id.to_string())
}

/// Returns the kind in the words of the labels; nothing for kinds that nobody labelled.
fn kind_of(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "constraint" => "constraint",
        "preference" => "preference",
        "correction" => "correction",
        "directive" | "choice" => "decision",
        "fix" => "error_fix",
        "dead_end" => "failing",
        _ => return None,
    })
}

/// An error that was fixed, where the fact must also rest on a run that proves it.
const PROVEN: &str = "proven_fix";

/// Returns the labels, those of fixes also as such that need a proof.
fn with_proofs(labels: &[Label]) -> Vec<Label> {
    let fixes = labels.iter().filter(|label| label.kind == "error_fix");
    let proven = fixes.map(|label| Label { kind: PROVEN.to_owned(), ..label.clone() });
    labels.iter().cloned().chain(proven).collect()
}

/// Returns all facts that are compared.
fn found(session: &Session) -> Vec<Found> {
    let facts = serde_json::to_value(derive::derive(session)).unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let one = |kind, default: &str, fact: &Value| Found {
        kind,
        trust: text(&fact["trust"]).unwrap_or_else(|| default.to_owned()),
        state: text(&fact["state"]).map(|state| state.to_lowercase()),
        evidence: fact["evidence"].as_array().into_iter().flatten().filter_map(text).collect(),
    };
    let list = |name: &str| facts[name].as_array().cloned().unwrap_or_default();
    let mut all = Vec::new();
    if let Some(id) = facts["now"]["goal_id"].as_str().and_then(|turn| request(session, turn)) {
        all.push(Found {
            kind: "objective",
            trust: "B".to_owned(),
            state: None,
            evidence: vec![id],
        });
    }
    all.extend(list("open_work").iter().map(|fact| one("open_work", "S", fact)));
    all.extend(list("decisions").iter().map(|fact| one("decision", "S", fact)));
    all.extend(list("failures").iter().map(|fact| one("failing", "S", fact)));
    for fact in list("facts") {
        let kind = fact["kind"].as_str().and_then(kind_of);
        all.extend(kind.map(|kind| one(kind, "C", &fact)));
        all.extend((kind == Some("error_fix")).then(|| one(PROVEN, "C", &fact)));
    }
    all
}

impl Table {
    fn row(&mut self, kind: &str, tier: &str) -> &mut Counts {
        self.rows.entry((kind.to_owned(), tier.to_owned())).or_default()
    }

    /// Compares the facts of one session with its labels.
    fn compare(&mut self, session: &Session, wanted: &Labelled) {
        self.sessions += 1;
        let same = Same::new(session);
        let short = &wanted.file_sha256[..8];
        let labels = with_proofs(&wanted.labels);
        let mut hit: HashSet<usize> = HashSet::new();
        for fact in found(session) {
            let on: HashSet<&str> = fact.evidence.iter().map(|id| same.name(id)).collect();
            let fits = |label: &Label| {
                let mut records = std::iter::once(&label.record).chain(&label.also);
                let proven = label.kind != PROVEN
                    || label.with.is_empty()
                    || label.with.iter().any(|id| on.contains(same.name(id)));
                label.kind == fact.kind && records.any(|id| on.contains(same.name(id))) && proven
            };
            let matched: Vec<_> = (0..labels.len()).filter(|at| fits(&labels[*at])).collect();
            hit.extend(&matched);
            self.count_fact(&fact, &matched, &labels);
            if matched.is_empty() {
                let ids = fact.evidence.join(" ");
                self.cases.push(format!("false  {short} {} {} {ids}", fact.kind, fact.trust));
            }
        }
        for (at, label) in labels.iter().enumerate() {
            // What is superseded need not be told.
            if label.optional || label.state == "superseded" {
                continue;
            }
            let counts = &mut self.row(&label.kind, &label.tier).labels;
            counts.1 += 1;
            counts.0 += usize::from(hit.contains(&at));
            if !hit.contains(&at) {
                let (kind, tier) = (&label.kind, &label.tier);
                self.cases.push(format!("missed {short} {kind} {tier} {}", label.record));
            }
        }
    }

    fn count_fact(&mut self, fact: &Found, matched: &[usize], labels: &[Label]) {
        let labels: Vec<_> = matched.iter().map(|at| &labels[*at]).collect();
        if !labels.is_empty() && labels.iter().all(|label| label.optional) {
            return;
        }
        let counts = self.row(fact.kind, &fact.trust);
        counts.facts.1 += 1;
        counts.facts.0 += usize::from(!labels.is_empty());
        if let (Some(state), false) = (&fact.state, labels.is_empty()) {
            counts.states.1 += 1;
            counts.states.0 += usize::from(labels.iter().any(|label| label.state == *state));
        }
    }

    /// Adds up the rows that `wanted` names by kind and tier.
    fn sum(&self, wanted: impl Fn(&str, &str) -> bool) -> Counts {
        let rows = self.rows.iter().filter(|((kind, tier), _)| wanted(kind, tier));
        rows.fold(Counts::default(), |sum, (_, row)| sum.and(*row))
    }

    fn lines(&self, set: &str) -> Vec<String> {
        let mut lines = vec![format!("{set}: {} sessions", self.sessions)];
        let mut kinds: Vec<_> = self.rows.keys().map(|(kind, _)| kind.as_str()).collect();
        kinds.dedup();
        for name in kinds {
            lines.push(self.sum(|kind, _| kind == name).line(name));
            let of_kind = self.rows.iter().filter(|((kind, _), _)| kind == name);
            lines.extend(of_kind.map(|((_, tier), row)| row.line(&format!("  tier {tier}"))));
        }
        for tier in ["S", "A", "B", "C"] {
            lines.push(
                self.sum(|kind, of| of == tier && kind != PROVEN)
                    .line(&format!("all of tier {tier}")),
            );
        }
        lines
    }
}

impl Counts {
    fn and(self, other: Self) -> Self {
        let add = |(a, b): (usize, usize), (c, d): (usize, usize)| (a + c, b + d);
        Self {
            facts: add(self.facts, other.facts),
            labels: add(self.labels, other.labels),
            states: add(self.states, other.states),
        }
    }

    fn line(&self, name: &str) -> String {
        let share = |(some, all): (usize, usize)| match all {
            0 => "     -     ".to_owned(),
            _ => format!("{some:>3}/{all:<3} {:.2}", ratio((some, all))),
        };
        let (facts, labels, states) = (share(self.facts), share(self.labels), share(self.states));
        format!("  {name:<14} precision {facts}  recall {labels}  state {states}")
    }
}

/// Returns a share; of nothing, all is right.
fn ratio((some, all): (usize, usize)) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    if all == 0 { 1.0 } else { number(some) / number(all) }
}

/// Compares all sessions that are there, each set for itself.
fn tables() -> Option<BTreeMap<String, Table>> {
    let files = by_digest()?;
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for wanted in labels() {
        let Some(path) = files.get(&wanted.file_sha256) else {
            data::tell(&format!("SKIPPED: no file of digest {}", wanted.file_sha256));
            continue;
        };
        tables.entry(wanted.set.clone()).or_default().compare(&read(path), &wanted);
    }
    Some(tables)
}

/// The labels say nothing but what the guide has words for.
#[test]
fn labels_are_those_of_the_guide() {
    let guide = include_str!("../eval/README.md");
    let all = labels();
    let of_set = |set: &str| all.iter().filter(|wanted| wanted.set == set).count();
    assert_eq!((of_set("independent"), of_set("second"), all.len()), (10, 20, 30));
    for wanted in &all {
        assert_eq!(wanted.file_sha256.len(), 64);
        for label in &wanted.labels {
            let words = [&label.kind, &label.state, &label.tier];
            let known = words.iter().all(|word| guide.contains(&format!("`{word}`")));
            assert!(known, "{} {}", wanted.file_sha256, label.record);
        }
    }
}

/// Every label names items that are there.
#[test]
fn labels_name_items_of_their_session() {
    let Some(files) = by_digest() else { return };
    for wanted in labels() {
        let Some(path) = files.get(&wanted.file_sha256) else { continue };
        let session = read(path);
        let ids: HashSet<&str> = session.items.iter().map(|item| item.id.as_ref()).collect();
        for label in &wanted.labels {
            let mut records = std::iter::once(&label.record).chain(&label.also).chain(&label.with);
            let known = records.all(|id| ids.contains(id.as_str()));
            assert!(known, "{} {}", wanted.file_sha256, label.record);
        }
    }
}

/// Facts agree with the labels at least as well as they once did, with some room.
#[test]
fn facts_agree_with_careful_readers() {
    let Some(tables) = tables() else { return };
    let lines: Vec<_> = tables.iter().flat_map(|(set, table)| table.lines(set)).collect();
    if std::env::var_os("SEGUE_EVAL").is_some() {
        let cases = tables
            .iter()
            .flat_map(|(set, table)| table.cases.iter().map(move |case| format!("{set} {case}")));
        for line in lines.iter().cloned().chain(cases) {
            data::tell(&line);
        }
    }
    if tables.values().map(|table| table.sessions).sum::<usize>() < labels().len() {
        return;
    }
    let table = lines.join("\n");
    for (kind, tier, precision, recall) in FLOORS {
        let of =
            |table: &Table| table.sum(|of, at| of == *kind && (tier.is_empty() || at == *tier));
        let counts = tables.values().map(of).fold(Counts::default(), Counts::and);
        let (right, told) = (ratio(counts.facts), ratio(counts.labels));
        assert!(
            right >= *precision && told >= *recall,
            "{kind} {tier}: precision {right:.2}, recall {told:.2}\n{table}"
        );
    }
}
