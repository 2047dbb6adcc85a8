//! Looks for what would stop a session file from being listed, loaded or accepted.
//!
//! What is an error here stops the newest program, the provider, or one of the older programs that
//! are still in use; what is a warning loses something of the session.

mod content;
mod tree;

use rustc_hash::FxHashMap;

use super::key::{self, Key};
use super::scan::has_results;
use super::tools;
use super::wire::Line;
use crate::error::Result;
use crate::harness::{Finding, Severity};
use crate::json;
use crate::jsonl::{self, Input};
use crate::note::{Fate, NoteKind, Notes};

/// How many findings of one rule are told one by one.
const EACH: u64 = 20;

/// Looks through a file.
pub(super) fn check(input: &Input) -> Result<Vec<Finding>> {
    let (mut check, mut notes) = (Check::default(), Notes::default());
    check.name(input);
    let mut lines = input.lines()?;
    let (mut last, mut is_ended) = (0, true);
    while let Some(line) = lines.next_line()? {
        (last, is_ended) = (line.number, line.ended);
        let mut take = |number: u64, text: &str, _: &mut Notes| {
            let line: Line<'_> = json::from_str(text)?;
            check.line(&line, number);
            Ok(Fate::Used)
        };
        jsonl::one_line(line, &mut notes, &mut take)?;
    }
    for note in notes.list() {
        check.broken(note.kind, note.first_line, note.count);
    }
    if !is_ended {
        check.add(Rule {
            severity: Severity::Warning,
            name: "no_final_newline",
            message: "the last line has no end: programs before 2.1.330 glue their first line to it",
            hint: "add a line end to the file",
        }, last);
    }
    tree::check(&mut check);
    Ok(check.finish())
}

/// What a finding says besides its place.
#[derive(Clone, Copy)]
struct Rule {
    severity: Severity,
    name: &'static str,
    message: &'static str,
    /// Empty where nothing helps.
    hint: &'static str,
}

/// What is kept of a line of the chain.
struct Link {
    number: u64,
    key: Key,
    parent: Key,
    kind: Kind,
    is_side: bool,
    time: u64,
    /// Whether it has the result of a call.
    is_result: bool,
    /// The line of that call, where it says so.
    call: Key,
    /// A hash of the response it belongs to, 0 for none.
    response: u64,
}

/// What a line of the chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    User,
    Assistant,
    Boundary,
    Summary,
    /// Attachments, and what else the programs know.
    Link,
}

/// What was found so far.
#[derive(Default)]
struct Check {
    findings: Vec<Finding>,
    counts: FxHashMap<&'static str, u64>,
    links: Vec<Link>,
    calls: content::Calls,
    /// Whether it is the file of a side session; nothing before the first line of the chain.
    is_side_file: Option<bool>,
    /// The line that the last pointer names, and where the pointer stands.
    pointer: Option<(Key, u64)>,
}

impl Check {
    fn add(&mut self, rule: Rule, line: u64) {
        let count = self.counts.entry(rule.name).or_default();
        *count += 1;
        if *count > EACH {
            return;
        }
        let hint = (!rule.hint.is_empty()).then(|| rule.hint.to_owned());
        let Rule { severity, name, message, .. } = rule;
        self.findings.push(Finding { severity, line, rule: name, message: message.into(), hint });
    }

    fn name(&mut self, input: &Input) {
        let stem = input.path().and_then(|path| path.file_stem());
        let is_fine = stem.is_none_or(|stem| key::key(stem).1 || stem.starts_with("agent-"));
        if !is_fine {
            self.add(
                Rule {
                    severity: Severity::Error,
                    name: "name_is_no_uuid",
                    message: "the file is not named by a UUID: no program finds it",
                    hint: "name it by a UUID in lower case, with `.jsonl`",
                },
                0,
            );
        }
    }

    fn broken(&mut self, kind: NoteKind, line: u64, count: u64) {
        let (name, message) = match kind {
            NoteKind::BrokenLine => ("broken_line", "the line is no record and is skipped"),
            NoteKind::CutOffLine => ("cut_off_line", "the last line is cut off and is skipped"),
            NoteKind::GluedRecords => {
                ("glued_records", "several records stand on the line: all of them are skipped")
            }
            NoteKind::WrongEncoding => ("wrong_encoding", "some of the text is no UTF-8"),
            _ => return,
        };
        let hint = "take it out, or repair it, and mend the parent of the line after it";
        for _ in 0..count {
            self.add(Rule { severity: Severity::Warning, name, message, hint }, line);
        }
    }

    fn line(&mut self, line: &Line<'_>, number: u64) {
        match line.kind.text() {
            "last-prompt" => {
                let leaf = line.leaf.filled().map(|id| (key::key(id).0, number));
                self.pointer = leaf.or(self.pointer);
            }
            "user" | "assistant" => {
                self.link(line, number);
                if !self.is_aside(line) {
                    self.talk(line, number);
                }
            }
            "system" | "attachment" | "progress" => self.link(line, number),
            kind if line.uuid.filled().is_some() && !tools::is_bookkeeping(kind) => {
                self.link(line, number);
                self.add(
                    Rule {
                        severity: Severity::Warning,
                        name: "unknown_type_in_chain",
                        message: "2.1.84 and older cut the conversation at a line of unknown type",
                        hint: "take it out and give its children its parent",
                    },
                    number,
                );
            }
            _ => {}
        }
    }

    /// Tells whether a line belongs to a side session inside of the file: one that has a file of its
    /// own names its agent from the first line on.
    fn is_aside(&mut self, line: &Line<'_>) -> bool {
        let has_agent = line.is_side && line.agent_id.filled().is_some();
        let is_side_file = *self.is_side_file.get_or_insert(has_agent);
        line.is_side && !is_side_file
    }

    /// Looks at what every line of the chain must have.
    fn link(&mut self, line: &Line<'_>, number: u64) {
        let kind = match line.kind.text() {
            "user" if line.is_summary => Kind::Summary,
            "user" => Kind::User,
            "assistant" => Kind::Assistant,
            "system" if line.subtype.text() == "compact_boundary" => Kind::Boundary,
            _ => Kind::Link,
        };
        if line.uuid.filled().is_none() {
            self.add(
                Rule {
                    severity: Severity::Error,
                    name: "missing_uuid",
                    message: "the line has no uuid: nothing before the last line is resumed",
                    hint: "give each line a uuid, and the next one that as its parent",
                },
                number,
            );
        }
        self.time(line, number);
        let is_side = self.is_aside(line);
        if kind == Kind::Boundary && !is_side {
            self.pointer = None;
        }
        let message = line.message.0.as_ref();
        let is_result = kind == Kind::User && message.is_some_and(|it| has_results(it.content));
        self.links.push(Link {
            number,
            key: key::key(line.uuid.text()).0,
            parent: key::key(line.parent.text()).0,
            kind,
            is_side,
            time: key::time(line.timestamp.text()),
            is_result,
            call: key::key(line.call_line.text()).0,
            response: message.and_then(|message| message.id.filled()).map_or(0, key::hash),
        });
    }

    fn time(&mut self, line: &Line<'_>, number: u64) {
        let (name, message) = match line.timestamp.filled() {
            None => (
                "missing_timestamp",
                "without a time 2.1.84 does not find the session, and 2.0.77 crashes",
            ),
            Some(time) if !time.contains('T') => {
                ("timestamp_is_no_date", "2.1.84 does not find a session with such a time")
            }
            Some(_) => return,
        };
        let hint = "write times as `2026-01-01T00:00:01.000Z`, each later than the one before";
        self.add(Rule { severity: Severity::Error, name, message, hint }, number);
    }

    /// Says how many more there were of what was told often, worst first.
    fn finish(mut self) -> Vec<Finding> {
        for finding in &mut self.findings {
            let more = self.counts.get(finding.rule).map_or(0, |count| count.saturating_sub(EACH));
            if more > 0 {
                self.counts.remove(finding.rule);
                finding.message.push_str(&format!(" (and {more} more than are listed)"));
            }
        }
        self.findings.sort_by_key(|finding| (finding.severity, finding.line));
        self.findings
    }
}
