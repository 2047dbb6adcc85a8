//! A call with what came of it.

use std::borrow::Cow;

use memchr::memmem::Finder;

use super::outcomes::says_failed;
use super::place::one_form;
use super::text;
use crate::model::{Action, Item, Part, Status, Text, ToolCall, ToolResult, Unwrap};

/// A tool call with what came of it.
#[derive(Clone, Copy)]
pub(super) struct Done<'s> {
    pub item: &'s Item<'static>,
    pub call: &'s ToolCall<'static>,
    pub result: Option<&'s ToolResult<'static>>,
    /// Whether the result is that of a script with several calls, whose outputs nobody tells apart.
    pub is_shared: bool,
    /// Counts the calls from 0.
    pub index: usize,
    /// The folder of the session.
    pub cwd: &'s str,
    /// What takes off its output what the harness put around that.
    pub unwraps: &'s [Unwrap],
    /// Whether the shell was in that folder before it, as far as the commands tell.
    pub is_home: bool,
    /// How what it began came to its end, where it came back before that.
    pub end: Option<End<'s>>,
    /// Whether it is known to have failed, though its exit code does not tell: that of a pipe, or of what was only begun.
    pub fell: bool,
}

/// How what a call began came to its end after the call had come back.
#[derive(Clone, Copy)]
pub(super) struct End<'s> {
    /// The result of the call by which that was told.
    pub result: &'s ToolResult<'static>,
    /// That of the call which shows what was printed last; none where nothing does, since the harness only told how it
    /// ended.
    pub shown: Option<&'s ToolResult<'static>>,
    /// Whether that reads a file.
    pub is_read: bool,
    /// The number of the call by which it was over.
    pub over: usize,
}

impl<'s> Done<'s> {
    /// The command line, if the call runs one.
    pub(super) fn command(&self) -> Option<&'s str> {
        match self.call.action.as_deref() {
            Some(Action::Shell { command, .. }) => Some(super::place::at_home(command, self.cwd)),
            _ => None,
        }
    }

    /// Returns the name by which what it began runs on. What has none cannot be waited for, and may have ended long
    /// ago.
    pub(super) fn runs_on_as(&self) -> Option<&'s str> {
        self.result?.out.as_deref().filter(|name| !name.is_empty())
    }

    /// Whether another agent made it.
    pub(super) fn is_by_agent(&self) -> bool {
        self.item.side_session.is_some()
    }

    /// Whether the human ran it.
    pub(super) fn is_by_human(&self) -> bool {
        matches!(self.call.action.as_deref(), Some(Action::Shell { by_human: true, .. }))
    }

    /// Whether a folder to which its line goes was not there, so that all after it ran elsewhere.
    pub(super) fn went_nowhere(&self) -> bool {
        let Some(line) = self.command().filter(|line| line.contains("cd ")) else { return false };
        // A name that the shell puts in is not known.
        let is_of_line = |name: &str| line.contains(name) || line.contains('$');
        let output = self.output();
        output.contains("cd:") && output.lines().filter_map(not_there).any(is_of_line)
    }

    /// The folder in which all of its command line ran, if that goes to one first, or is noted to have
    /// run in another one than the session.
    pub(super) fn folder(&self) -> Option<String> {
        let goes = self.command().and_then(super::place::runs_in);
        let goes = goes.filter(|_| !self.went_nowhere());
        let noted = self.noted_folder();
        match goes {
            Some(to) if !to.starts_with(['/', '~']) && !to.contains(':') => {
                Some(noted.map_or(to.clone(), |folder| format!("{folder}/{to}")))
            }
            goes => goes.or(noted.map(str::to_owned)),
        }
    }

    /// The same, in one form, if it is not the one of the session.
    pub(super) fn folder_elsewhere(&self) -> Option<String> {
        let folder = self.folder().map(|folder| one_form(&folder));
        folder.filter(|folder| *folder != one_form(self.cwd))
    }

    /// The folder in which the shell was, if that is noted and not the session's.
    fn noted_folder(&self) -> Option<&'s str> {
        let Some(Action::Shell { cwd: Some(cwd), .. }) = self.call.action.as_deref() else {
            return None;
        };
        let is_away = one_form(cwd) != one_form(self.cwd);
        is_away.then(|| cwd.trim_end_matches('/'))
    }

    /// The command line as a person would read it, if the call runs one.
    pub(super) fn told(&self) -> Option<String> {
        let one_line = |line: &str| super::place::on_one_line(line);
        self.command().map(|line| one_line(&super::place::in_short(line, self.cwd)))
    }

    /// Whether the call did not do what it should. Where the harness keeps no exit code of what the
    /// human ran, the output tells.
    pub(super) fn failed(&self) -> bool {
        self.result.is_some_and(|result| {
            result.status == Status::Error
                || result.exit_code.is_some_and(|code| code != 0)
                || (self.is_by_human() && result.exit_code.is_none() && says_failed(&self.output()))
        })
    }

    /// Whether the user did not let it run.
    pub(super) fn refused(&self) -> bool {
        self.result.is_some_and(|result| result.rejected)
    }

    /// Whether somebody, or the harness by its rules, did not let it run.
    pub(super) fn was_held_back(&self) -> bool {
        // What has an exit code ran, whatever it printed.
        let is_not_let = |result: &ToolResult<'_>| result.not_let && result.exit_code.is_none();
        self.refused() || self.result.is_some_and(is_not_let)
    }

    /// Whether the harness lost what came out of it: it may have run.
    pub(super) fn is_lost(&self) -> bool {
        self.result.is_some_and(|result| result.lost)
    }

    /// Whether it is known that it worked.
    pub(super) fn worked(&self) -> bool {
        self.result.is_some_and(|result| result.status == Status::Ok) && !self.failed()
    }

    /// Returns the call with the end of what it began as its result, where that came later.
    pub(super) fn at_end(self) -> Self {
        Self { result: self.end.map(|end| end.result).or(self.result), ..self }
    }

    /// Whether that is the end of what it began: nothing of that comes later.
    pub(super) fn is_at_end(&self) -> bool {
        self.end.is_none_or(|end| self.result.is_some_and(|own| std::ptr::eq(own, end.result)))
    }

    /// Whether a check of it failed, though its exit code says nothing of it.
    pub(super) fn fell_at_once(&self) -> bool {
        self.fell && self.is_at_end()
    }

    /// What came out: the whole text where it was kept, else what the model saw; at the end of what it began, what was
    /// shown of that last.
    pub(super) fn output(&self) -> Cow<'s, str> {
        match self.end.filter(|_| self.is_at_end()) {
            Some(end) if end.is_read => text::without_numbers(&self.printed(end.shown)).into(),
            Some(end) => self.printed(end.shown),
            None => without_name(self.printed(self.result), self.runs_on_as()),
        }
    }

    /// Returns what stands in a result that was printed.
    fn printed(&self, result: Option<&'s ToolResult<'static>>) -> Cow<'s, str> {
        let Some(result) = result else { return Cow::Borrowed("") };
        if let Some(whole) = &result.persisted {
            return text::cleaned(&whole.text);
        }
        let mut texts = result.output.iter().filter_map(Part::as_text).map(Text::plain);
        match (texts.next(), texts.next()) {
            (None, _) => Cow::Borrowed(""),
            (Some(Cow::Borrowed(only)), None) => bare(only, self.unwraps),
            (first, second) => {
                let all: Vec<_> = first.into_iter().chain(second).chain(texts).collect();
                Cow::Owned(bare(&all.join("\n"), self.unwraps).into_owned())
            }
        }
    }

    /// Whether one of some words can stand in its output, before anything is taken from that: most have none, and need
    /// not be looked at.
    pub(super) fn may_print(&self, words: &[Finder<'_>]) -> bool {
        let Some(result) = self.result else { return false };
        let has = |text: &str| words.iter().any(|word| word.find(text.as_bytes()).is_some());
        let has_part = |part: &Part<'_>| matches!(part, Part::Text(text) if has(&text.plain()));
        match &result.persisted {
            Some(whole) => has(&whole.text),
            None => result.output.iter().any(has_part),
        }
    }
}

/// How many bytes a shell writes of itself before what fails in it, such as `bash: line 1: cd: `.
const SHELL_BYTES: usize = 24;
/// Why a shell cannot go to a folder.
const NO_FOLDER: &[&str] = &["no such file or directory", "permission denied", "not a directory"];

/// Returns the folder to which a shell says that it cannot go: `cd: x: No such file or directory`, or
/// `cd: no such file or directory: x`.
fn not_there(row: &str) -> Option<&str> {
    // A shell names itself first; other text has it somewhere.
    let at = row.find("cd:").filter(|at| *at < SHELL_BYTES)?;
    let (one, two) = row[at + "cd:".len()..].trim().rsplit_once(": ")?;
    let is_why = |text: &str| NO_FOLDER.contains(&text.to_ascii_lowercase().as_str());
    match (is_why(one), is_why(two)) {
        (true, _) => Some(two),
        (false, is_why) => is_why.then_some(one),
    }
}

/// How many bytes stand at most before the name by which something runs on, and of which words, such as `SESSION_ID=`.
const NAME_LEAD_BYTES: usize = 40;
const NAMING: &[&str] = &["cell", "id", "pid", "process", "running", "session"];

/// Returns an output without its last row, if that only says by which name it goes on.
fn without_name<'s>(output: Cow<'s, str>, name: Option<&str>) -> Cow<'s, str> {
    let Some(name) = name else { return output };
    let whole = output.trim_end();
    let last = whole.rsplit('\n').next().unwrap_or_default();
    let lead = last.strip_suffix(name).filter(|lead| lead.len() <= NAME_LEAD_BYTES);
    // A number behind any other word is a result.
    let is_name = lead.is_some_and(|lead| {
        let words = lead.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words = words.map(str::to_ascii_lowercase).peekable();
        words.peek().is_some() && words.all(|word| NAMING.contains(&word.as_str()))
    });
    let rest = whole.len() - last.len();
    match output {
        output if !is_name => output,
        Cow::Borrowed(output) => Cow::Borrowed(&output[..rest]),
        Cow::Owned(mut output) => {
            output.truncate(rest);
            Cow::Owned(output)
        }
    }
}

/// Returns what a command printed, without what its harness and its colours put around it.
fn bare<'o>(output: &'o str, unwraps: &[Unwrap]) -> Cow<'o, str> {
    let text = unwrapped(output, unwraps);
    let told = of_object(&text).map(|told| unwrapped(&told, unwraps).into_owned());
    match told.map_or(text, Cow::Owned) {
        Cow::Borrowed(text) => text::cleaned(text),
        Cow::Owned(text) => Cow::Owned(text::plain(&text)),
    }
}

fn unwrapped<'o>(output: &'o str, unwraps: &[Unwrap]) -> Cow<'o, str> {
    unwraps.iter().find_map(|unwrap| unwrap(output)).unwrap_or(Cow::Borrowed(output))
}

/// Returns what was printed where a tool gives that in a JSON object, under `output` or `stdout`.
fn of_object(text: &str) -> Option<String> {
    let text = Some(text.trim()).filter(|text| text.starts_with('{'))?;
    let told: serde_json::Value = serde_json::from_str(text).ok()?;
    let under = |key: &str| told.get(key)?.as_str();
    match (under("output"), under("stdout"), under("stderr").unwrap_or_default()) {
        (Some(printed), ..) | (None, Some(printed), "") => Some(printed.to_owned()),
        (None, Some(printed), beside) => Some(format!("{printed}\n{beside}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_gives_as_an_object_is_what_was_printed() {
        let first_row: Unwrap = |text| Some(text.strip_prefix("head\n")?.into());
        let told = |output| bare(output, &[|_| None, first_row]).into_owned();
        assert_eq!(told("head\nhi\n"), "hi\n");
        assert_eq!(told("head\n{\"exit_code\":1,\"output\":\"no\"}"), "no");
        assert_eq!(told("{\"output\":\"head\\nhi\"}"), "hi");
        assert_eq!(told("{\"stdout\":\"a\",\"stderr\":\"b\"}"), "a\nb");
        assert_eq!(told("{\"a\":1}"), "{\"a\":1}");
    }
}
