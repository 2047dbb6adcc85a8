//! Looks for what would stop a file from being listed, loaded or accepted.
//!
//! The file is replayed just as the harness does it: unlike the reader of this program it mends no
//! line, and takes the last version of a message, not the fullest.

mod live;
mod message;

use camino::Utf8Path;
use serde_json::value::RawValue;

use self::live::Live;
use self::message::Known;
use crate::error::{Error, Result};
use crate::harness::gemini::content::object;
use crate::harness::gemini::source::Source;
use crate::harness::gemini::wire::Record;
use crate::harness::{Finding, Severity};
use crate::json;
use crate::jsonl::{Input, elements};

/// What becomes of a file that is no session to the harness.
const GONE: &str = "the harness does not list it, and deletes it at its next start";
/// How many findings of one rule are told one by one.
const MOST: usize = 50;
/// After how many days the harness deletes a session, unless told otherwise.
pub(super) const KEPT_DAYS: u32 = 30;

/// Returns what is wrong with a file, the worst first.
pub(super) fn check(input: &Input) -> Result<Vec<Finding>> {
    let is_empty = input.head(1)?.is_empty();
    if let Err(Error::NotASession { why, .. }) = Source::open(input)
        && !is_empty
    {
        // Its lines are no records, so that nothing more is to be said of them.
        let message = format!("the file {why}; {GONE}");
        let hint = Some("take a copy that is whole".to_owned());
        let (severity, rule) = (Severity::Error, "broken_document");
        return Ok(vec![Finding { severity, line: 0, rule, message, hint }]);
    }
    let mut check = Check::default();
    check.lines(input)?;
    if !check.has_header() {
        check = Check { marked: check.marked, ..whole(input, check) };
    }
    check.name(input);
    check.finish();
    let mut findings = check.findings.list;
    findings.sort_by_key(|finding| (finding.severity, finding.line));
    Ok(findings)
}

/// Reads a file that is no list of records as the one document that it may be.
fn whole(input: &Input, lines: Check) -> Check {
    let Ok(Source::Document { header: Some(header), messages }) = Source::open(input) else {
        return lines;
    };
    let mut check = Check { is_document: true, ..Check::default() };
    let Ok(header) = json::from_str::<Record<'_>>(&header) else { return lines };
    check.merge(&header);
    if check.id.is_none() {
        return lines;
    }
    for (line, message) in (1..).zip(&messages) {
        check.message(message, line);
    }
    check
}

/// What is known of a file while it is replayed.
#[derive(Default)]
struct Check {
    findings: Findings,
    live: Live,
    id: Option<String>,
    has_hash: bool,
    is_side: bool,
    last_updated: Option<String>,
    is_document: bool,
    /// Whether it begins with a byte order mark.
    marked: bool,
}

/// Findings as they are gathered.
#[derive(Default)]
struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    fn add(
        &mut self,
        severity: Severity,
        rule: &'static str,
        line: u64,
        message: &str,
        hint: &str,
    ) {
        let known = self.list.iter().rev().filter(|finding| finding.rule == rule).count();
        if known < MOST {
            let hint = (!hint.is_empty()).then(|| hint.to_owned());
            let message = message.to_owned();
            self.list.push(Finding { severity, line, rule, message, hint });
        }
    }
}

impl Check {
    fn has_header(&self) -> bool {
        self.id.is_some() && (self.has_hash || self.is_document)
    }

    fn lines(&mut self, input: &Input) -> Result<()> {
        let mut lines = input.lines()?;
        while let Some(line) = lines.next_line()? {
            self.marked |= line.number == 1 && line.bytes.starts_with(b"\xEF\xBB\xBF");
            let text = String::from_utf8_lossy(line.bytes);
            if text.trim().is_empty() {
                continue;
            }
            match json::from_str::<Record<'_>>(&text) {
                Ok(record) if text.trim_start().starts_with('{') => {
                    self.record(&record, &text, line.number);
                }
                Ok(_) => {}
                Err(_) => self.broken(line.number, line.ended),
            }
            if !line.ended && json::from_str::<Record<'_>>(&text).is_ok() {
                self.findings.add(
                    Severity::Warning,
                    "no_newline_at_end",
                    line.number,
                    "the last line has no line end: what the harness adds next is glued to it and lost",
                    "add a line end",
                );
            }
        }
        Ok(())
    }

    fn broken(&mut self, line: u64, ended: bool) {
        let (severity, rule, what) = match ended {
            true => (Severity::Warning, "broken_line", "the line is no JSON and is passed over"),
            false => (Severity::Info, "cut_off_line", "the last line is cut off and passed over"),
        };
        self.findings.add(severity, rule, line, what, "");
    }

    /// Takes one record; the order of the questions is the harness's own.
    fn record(&mut self, record: &Record<'_>, text: &str, line: u64) {
        let is_header = record.session_id.get().and(record.project_hash.get()).is_some();
        if let Some(to) = record.rewind_to.get() {
            if !self.live.rewind(to) {
                let what = "the rewind names a message that is not there: all before it is lost";
                self.findings.add(Severity::Warning, "unknown_rewind", line, what, "");
            }
        } else if record.id.get().is_some() {
            if is_header {
                let what = "the header has an `id`: the harness takes it for a message";
                let hint = "remove `id` from the header";
                self.findings.add(Severity::Error, "header_with_id", line, what, hint);
            }
            self.message(text, line);
        } else if let Some(set) = record.set.filter(|raw| raw.get().starts_with(['{', '['])) {
            let Some(set) = object::<Record<'_>>(Some(set)) else { return };
            self.merge(&set);
            if let Some(list) = set.messages.filter(|raw| raw.get().starts_with('[')) {
                self.live.clear();
                self.messages(list, line);
            }
        } else if is_header {
            self.merge(record);
            if let Some(list) = record.messages {
                self.messages(list, line);
            }
        } else if record.is_message() {
            let what = "the message has no `id` and is left out";
            self.findings.add(Severity::Warning, "message_without_id", line, what, "give it an id");
        }
    }

    fn merge(&mut self, record: &Record<'_>) {
        if let Some(id) = record.session_id.get() {
            self.id = Some(id.to_owned());
        }
        self.has_hash |= record.project_hash.get().is_some();
        if let Some(kind) = record.kind.get() {
            self.is_side = kind == "subagent";
        }
        if let Some(time) = record.last_updated.get() {
            self.last_updated = Some(time.to_owned());
        }
    }

    fn messages(&mut self, list: &RawValue, line: u64) {
        for raw in elements(Some(list)) {
            self.message(raw.get(), line);
        }
    }

    fn message(&mut self, text: &str, line: u64) {
        let Ok(record) = json::from_str::<Record<'_>>(text) else { return };
        // A document counts messages without an id too.
        let id = record.id.get().map(str::to_owned);
        let id = id.or_else(|| self.is_document.then(|| format!("#{line}")));
        match id {
            Some(id) => self.live.put(&id, Known::of(&record, line)),
            None => {
                let what = "a message of the list has no `id` and is left out";
                self.findings.add(Severity::Warning, "message_without_id", line, what, "");
            }
        }
    }

    /// Looks at the name of the file, where it stands among the sessions of a project.
    fn name(&mut self, input: &Input) {
        let path = input.path();
        let (name, folder) =
            (path.and_then(Utf8Path::file_name).unwrap_or(""), path.and_then(Utf8Path::parent));
        let is_listed = folder.and_then(Utf8Path::file_name) == Some("chats");
        let ending = [".json", ".jsonl"].iter().find_map(|ending| name.strip_suffix(ending));
        let fits = name.starts_with("session-") && ending.is_some();
        if is_listed && !fits {
            let what = "only files called `session-*.json` or `session-*.jsonl` are listed";
            self.findings.add(Severity::Error, "file_name", 0, what, "rename the file");
        }
        if self.is_side && !is_listed {
            self.is_side = false;
            let what = "the session of a sub-agent: it is not listed by itself";
            self.findings.add(Severity::Info, "sub_agent", 0, what, "");
        }
        let start = self.id.as_deref().and_then(|id| id.get(..super::ID_CHARS));
        let start = start.map(|start| format!("-{start}"));
        if fits && start.is_some_and(|start| ending.is_some_and(|name| name.ends_with(&start))) {
            let what = "the name ends in the start of the id: after a resume and a second start the \
                        clean-up can delete the file";
            let hint = "name it by the end of the id, or set `general.sessionRetention.enabled` to \
                        false";
            self.findings.add(Severity::Warning, "named_by_id_start", 0, what, hint);
        }
    }

    /// Looks at what would be sent, and at the file as a whole.
    fn finish(&mut self) {
        let can_resume = self.live.find(&mut self.findings);
        let mut fatal = |rule, what: &str, hint| {
            self.findings.add(Severity::Error, rule, 0, &format!("{what}: {GONE}"), hint);
        };
        if self.marked && !self.is_document {
            fatal("byte_order_mark", "the first line begins with a byte order mark", "remove it");
        }
        if self.id.is_none() || !(self.has_hash || self.is_document) {
            fatal("no_header", "no record has both `sessionId` and `projectHash`", "add a header");
        }
        if self.is_side {
            let what = "`kind` says that it is the session of a sub-agent";
            fatal("sub_agent", what, "set `kind` to `main`");
        }
        if !can_resume {
            let what = "nothing that a human or the model said is in it";
            fatal("nothing_to_resume", what, "");
        }
        if let Some(time) = &self.last_updated {
            let what = format!(
                "unless told otherwise the harness deletes it {KEPT_DAYS} days after {time}"
            );
            self.findings.add(Severity::Info, "kept_until", 0, &what, "");
        }
    }
}
