//! What became of a conversion: the report of what was lost, and why one is not put in place.

use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use super::Cli;
use super::lines::Lines;
use crate::convert::Converted;
use crate::emit;
use crate::error::{Error, Result};
use crate::harness::{self, Finding, Severity, SideWritten, Target, Writer};
use crate::jsonl::Input;
use crate::note::{Loss, LossKind, Losses, Note};

/// What was lost, for programs.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    schema: &'static str,
    source: End<'a>,
    target: End<'a>,
    /// Items of the source that are in the target.
    carried: u64,
    /// Items of the source that are not.
    lost: u64,
    losses: Vec<Loss>,
    /// What could not be read of the source.
    notes: &'a [Note],
}

/// One end of a conversion.
#[derive(Serialize)]
pub(super) struct End<'a> {
    pub(super) harness: &'a str,
    pub(super) id: &'a str,
    /// The folder in which it began, or goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cwd: Option<&'a str>,
    /// Its items, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<u64>,
    /// How many side sessions are written with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) side_sessions: Option<usize>,
    /// The file, where one is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<&'a str>,
    /// The command that resumes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resume: Option<String>,
}

impl<'a> Report<'a> {
    pub(super) fn of(converted: &'a Converted, target: End<'a>, notes: &'a [Note]) -> Self {
        let Converted { losses, items, conversation } = converted;
        let header = &conversation.header;
        let source = End {
            harness: &header.harness,
            id: &header.id,
            cwd: header.cwd.as_deref(),
            items: Some(*items),
            side_sessions: None,
            file: None,
            resume: None,
        };
        Self {
            schema: "segue.conversion/1",
            source,
            target,
            carried: items - losses.items(),
            lost: losses.items(),
            losses: losses.list(),
            notes,
        }
    }
}

/// Has a session written to `out`, with the secrets in it replaced if that is wanted.
pub(super) fn written(
    write: impl FnOnce(&mut dyn Write) -> io::Result<Losses>,
    out: impl Write,
    redact: bool,
    losses: &mut Losses,
) -> io::Result<()> {
    let mut out = Lines::new(out, redact);
    losses.add(write(&mut out)?);
    let (_, counts) = out.finish()?;
    let count = counts.iter().flatten().map(|one| one.count as u64).sum();
    losses.lose_many(LossKind::Redacted, count, "");
    Ok(())
}

/// A side session as it would be written.
pub(super) struct SideFiles {
    /// Its id in the source.
    pub(super) id: String,
    /// How many items of the source are in it.
    pub(super) items: u64,
    /// The id of the side session that began it, if it was one.
    pub(super) under: Option<String>,
    /// Its own file, and what has to stand beside that.
    pub(super) files: Vec<(Utf8PathBuf, Vec<u8>)>,
}

/// Returns the side sessions as they would be written beside `file`, if their harness would take them.
pub(super) fn side_files(
    writer: &dyn Writer,
    converted: &mut Converted,
    target: &Target,
    file: &Utf8Path,
    redact: bool,
) -> Result<Vec<SideFiles>> {
    let Converted { conversation, losses, .. } = converted;
    let fail = |cause| Error::write(file, cause);
    let (sides, lost) = harness::sides(writer, conversation, target, file).map_err(fail)?;
    losses.add(lost);
    let mut put = |text: &[u8]| {
        let mut out = Vec::new();
        let write = |out: &mut dyn Write| out.write_all(text).map(|()| Losses::default());
        written(write, &mut out, redact, losses).map(|()| out).map_err(fail)
    };
    let mut made = Vec::new();
    for SideWritten { id, items, under, file: side } in sides {
        let text = put(&side.text)?;
        let findings = writer.check(&Input::memory(side.path.as_str(), &text))?;
        refusal(&findings).map_or(Ok(()), Err)?;
        let mut files = vec![(side.path, text)];
        if let Some((path, text)) = side.beside {
            files.push((path, put(&text)?));
        }
        made.push(SideFiles { id, items, under, files });
    }
    Ok(made)
}

/// Tells what was lost on standard error, a line a kind.
pub(super) fn tell_losses(losses: &Losses, cli: &Cli) {
    for loss in losses.list() {
        let first = loss.first.first();
        let first = first.map(|id| format!(" (first: {})", emit::one_line(id))).unwrap_or_default();
        cli.say(&format!("loss: {}: {}{first}", loss.kind.words(), loss.count));
    }
}

/// Refuses a session that its harness would not take, which is a mistake of this program.
pub(super) fn refusal(findings: &[Finding]) -> Option<Error> {
    let found = findings.iter().find(|one| one.severity == Severity::Error)?;
    let Finding { line, rule, message, .. } = found;
    Some(Error::Refused {
        what: format!("nothing was put in place: line {line} of it would be: {message} [{rule}]"),
        hint: Some("`--out FILE` writes it all the same, for a report of this mistake".into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stops_a_session_refuses_it() {
        let finding = |severity, rule| Finding {
            severity,
            line: 7,
            rule,
            message: "two results".to_owned(),
            hint: None,
        };
        let warning = finding(Severity::Warning, "other");
        assert!(refusal(std::slice::from_ref(&warning)).is_none());
        let error = refusal(&[warning, finding(Severity::Error, "two_results")]).unwrap();
        assert_eq!(error.exit_code(), 4);
        assert!(error.to_string().contains("line 7 of it would be: two results [two_results]"));
        assert!(error.hint().is_some_and(|hint| hint.contains("--out FILE")));
    }
}
