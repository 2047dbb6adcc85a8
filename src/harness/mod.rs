//! Everything that knows how one harness stores its sessions.
//!
//! To add a harness: add its folder here, its `mod` line, and its row in [`ALL`].

mod adopt;
mod atif;
mod called;
mod claude;
mod codex;
mod folders;
mod gemini;
mod hermes;
mod human;
mod late;
mod mark;
mod mcp;
pub mod memory;
mod proposed;
mod recognise;
mod time;
mod unified;
mod write;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::value::RawValue;

use crate::error::{Error, Result};
use crate::jsonl::{Input, Line};
use crate::model::{
    Action, Blobs, Body, Deed, End, Header, Item, Part, Session, Text, ToolKind, Unwrap, shortened,
};

pub use adopt::{Lists, action};
pub use called::CalledTexts;
pub use folders::{ContextFile, Shelf};
pub use human::{HumanCalls, HumanRan};
pub use late::{Begun, Late, LateResults};
pub use proposed::Proposals;
pub use recognise::{destroyed, fits, packed, recognise};
pub use write::{
    Above, Finding, Imported, Place, Severity, SideFile, SideWritten, Target, Writer, sides,
};

/// A program whose session files this program can read.
pub trait Harness: Sync {
    /// Returns the name that users type.
    fn name(&self) -> &'static str;

    /// Returns the name that its makers gave it.
    fn title(&self) -> &'static str;

    /// Returns the name by which the formats of other programs know it.
    fn known_as(&self) -> &'static str {
        self.name()
    }

    /// Tells whether its files say of a call that it succeeded, not only of one that it failed.
    fn says_success(&self) -> bool {
        false
    }

    /// Whether its shell begins each call in the session's folder, wherever one before it went.
    fn begins_home(&self) -> bool {
        false
    }

    /// Returns the folder where it keeps its files; `var` looks up an environment variable.
    fn home(&self, _var: &dyn Fn(&str) -> Option<String>) -> Option<Utf8PathBuf> {
        None
    }

    /// Returns the id of the session that started this program, if its environment tells.
    fn caller(&self, _var: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        None
    }

    /// Tells whether its environment says that a shell of it started this program, but not of which session.
    fn calls_without_a_name(&self, _var: &dyn Fn(&str) -> Option<String>) -> bool {
        false
    }

    /// Returns the names of the tags that it puts around words of its own in what its model reads.
    fn host_tags(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the folders under `home` that hold session files, and how deep to look.
    ///
    /// With a project the answer may be narrower than all, never wider.
    fn shelves(&self, _home: &Utf8Path, _project: Option<&Utf8Path>) -> Vec<Shelf> {
        Vec::new()
    }

    /// Returns the folders under `home` with files of side sessions that no list shows, each called by
    /// its id.
    fn side_shelves(&self, _home: &Utf8Path) -> Vec<Shelf> {
        Vec::new()
    }

    /// Returns how many tokens its models count for 100 of `o200k_base`, on text such as that of a pack.
    fn tokens_per_100(&self) -> usize {
        100
    }

    /// Tells whether `@` before a path in what it is asked makes it read that file.
    fn reads_mentions(&self) -> bool {
        false
    }

    /// Returns the file of a project that it reads at its start.
    fn context_file(&self) -> ContextFile {
        ContextFile { name: "AGENTS.md", instead: None, window: None }
    }

    /// Tells by its path whether a file holds lines in the order in which things happened, so that
    /// its two ends say nearly all that its header does.
    fn is_log(&self, _path: &Utf8Path) -> bool {
        false
    }

    /// Returns the folder in which a session began, where not its lines but what stands around its
    /// file says it.
    fn folder_beside(&self, _input: &Input) -> Option<String> {
        None
    }

    /// Tells by its path whether a file on a shelf can be a session of its own.
    fn may_be_session(&self, _path: &Utf8Path) -> bool {
        false
    }

    /// Tells by the first bytes of a file whether this harness wrote it.
    fn recognises(&self, head: &str) -> bool;

    /// Says what a call of one of its tools means, by what stands in an export.
    fn action(&self, _name: &str, _kind: ToolKind, _arguments: &RawValue) -> Option<Action> {
        None
    }

    /// Says what one of its tools is for, by what stands in an export.
    fn tool_kind(&self, _name: &str, _arguments: &RawValue) -> ToolKind {
        ToolKind::Other
    }

    /// The arguments by which a call of a shell asks for rights that others do not have.
    fn rights(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the command that the human ran, or what came of it, if a message is that.
    fn human_ran(&self, _message: &str) -> Option<HumanRan> {
        None
    }

    /// Returns by what name a call has the harness put in the text of a command or of a skill, if it does that.
    fn calls_text(&self, _name: &str, _arguments: &RawValue) -> Option<String> {
        None
    }

    /// Returns the text of a skill that the result of a call for it holds, where that has it.
    fn called_text<'m>(&self, _result: &'m str) -> Option<&'m str> {
        None
    }

    /// Returns by what name a command or a skill is called whose text a message of the harness holds, where the message
    /// says so itself.
    fn called(&self, _message: &str) -> Option<String> {
        None
    }

    /// Returns what a hook of the user's says against the work, if an item is that.
    fn objection(&self, _body: &Body<'_>) -> Option<String> {
        None
    }

    /// Says by what name a call runs on, if the beginning of its result tells only that it does.
    fn begun(&self, _result: &str) -> Option<Begun> {
        None
    }

    /// Whether the beginning of a result that is an error says that the call was not let run by a rule of the harness, or
    /// that there is no such tool.
    fn was_not_let(&self, _result: &str) -> bool {
        false
    }

    /// Whether the beginning of a result that is an error says that the harness lost what came of the call.
    fn was_lost(&self, _result: &str) -> bool {
        false
    }

    /// Returns the exit code of what was waited for, and what it printed, if what came of that tells both.
    fn waited<'r>(&self, _result: &'r str) -> Option<(i64, &'r str)> {
        None
    }

    /// Whether the beginning of what came of waiting says that what was waited for runs on.
    fn runs_on(&self, _result: &str) -> bool {
        false
    }

    /// Whether a wait with these arguments lasted as long as it could, by the beginning of the result of the
    /// script that waited: what printed nothing by then had not ended.
    fn waited_in_full(&self, _arguments: &str, _result: &str) -> bool {
        false
    }

    /// Returns how calls ended that ran on, if a message that the harness put in tells that.
    fn late(&self, _message: &str) -> Vec<Late> {
        Vec::new()
    }

    /// Returns how agents ended, if the result of waiting for them tells that.
    fn heard(&self, _result: &str) -> Vec<Late> {
        Vec::new()
    }

    /// Whether the result of a question that begins so says that nobody answered it.
    fn is_no_answer(&self, _result: &str) -> bool {
        false
    }

    /// Returns what a message says that the harness put in, where that tells of something that happened, so that the
    /// agent goes to work on it: context, reminders and remarks do not.
    fn news<'m>(&self, _message: &'m str) -> Option<&'m str> {
        None
    }

    /// Returns who sent a message of another agent and what that says, where the harness puts it into a
    /// form of its own.
    fn letter(&self, _message: &str) -> Option<String> {
        None
    }

    /// Returns what the model said without the lines by which it steers the program's screen, if it
    /// has such.
    fn without_marks(&self, _answer: &Text<'_>) -> Option<String> {
        None
    }

    /// Tells whether a text of a result is what the program puts behind what another agent answered: how to call
    /// that one again, and what it took.
    fn is_behind_answer(&self, _text: &Text<'_>) -> bool {
        false
    }

    /// Returns the lines between which the model puts a plan to the user in its words, where the harness has such.
    fn plan_tags(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Returns the plan that a result quotes as the one that the user approved.
    fn approved_plan(&self, _result: &str) -> Option<String> {
        None
    }

    /// Tells whether the first lines of its files are what the session once was.
    fn keeps_past(&self) -> bool {
        true
    }

    /// Returns the digest of the folder in which the session at `path` began, where that is kept so alone.
    fn filed_under(&self, _path: &Utf8Path) -> Option<String> {
        None
    }

    /// Returns the digest by which it would keep sessions of a folder.
    fn digest_of(&self, _folder: &Utf8Path) -> Option<String> {
        None
    }

    /// Reads the header alone, just as [`Harness::read`] would give it.
    fn header(&self, input: &Input) -> Result<Header>;

    /// Reads a whole session: the header first, then each item, in file order.
    fn read(&self, input: &Input, want: Want, sink: &mut dyn Sink) -> Result<End>;

    /// Says exactly what a call does, where another harness may have a tool for the same.
    fn deed(&self, _name: &str, _arguments: &serde_json::Value) -> Option<Deed> {
        None
    }

    /// Tells whether a call whose deed is known asks for more than that says.
    fn asks_more(&self, _name: &str, _arguments: &serde_json::Value) -> bool {
        false
    }

    /// Returns what follows the list of work that its tools keep, by what stands in an export.
    fn lists(&self) -> Option<Box<dyn Lists>> {
        None
    }

    /// Tells whether it keeps no result of the calls of a tool, however they ended.
    fn keeps_no_result(&self, _name: &str) -> bool {
        false
    }

    /// Takes off the output of a script what it put around what the script printed.
    fn printed(&self, output: Vec<Part<'static>>) -> Vec<Part<'static>> {
        output
    }

    /// Returns what takes off an output what it wrapped around what a call printed.
    fn unwraps(&self) -> Unwrap {
        |_| None
    }

    /// Returns what writes sessions in its form; nothing for forms that are only read.
    fn writer(&self) -> Option<&'static dyn Writer> {
        None
    }
}

/// What a reader is to look into besides the plain items.
#[derive(Clone, Copy, Debug, Default)]
pub struct Want {
    /// Say what each tool call means.
    pub actions: bool,
    /// Leave out, where that costs less, the arguments of calls of which is said what they mean.
    pub bare: bool,
    /// What of images and other bytes.
    pub blobs: Blobs,
    /// Give each physical line too.
    pub raw_lines: bool,
    /// Say where each line stands whose items come next.
    pub places: bool,
    /// Keep what only the same harness can send again: signed thinking, opaque summaries.
    pub native: bool,
    /// Leave out what is not live: a sink that only wants the live view.
    pub live_only: bool,
}

/// Takes what a reader reads, in order.
pub trait Sink {
    /// Takes the header; it comes first.
    fn header(&mut self, header: &Header) -> Result<()>;

    /// Takes an item.
    fn item(&mut self, item: Item<'_>) -> Result<()>;

    /// Returns the sink to which it passes on what it does not take itself, if it is one that does.
    fn next(&mut self) -> Option<&mut dyn Sink> {
        None
    }

    /// Hears how many items come, about.
    fn expect(&mut self, items: usize) {
        if let Some(next) = self.next() {
            next.expect(items);
        }
    }

    /// Hears before the first item that nothing can be read of what the last compaction left in place of older
    /// items. Not every reader knows.
    fn expect_hidden(&mut self) {
        if let Some(next) = self.next() {
            next.expect_hidden();
        }
    }

    /// Hears that no later item has a smaller [`Item::rank`] than `rank`.
    fn settled(&mut self, rank: u32) -> Result<()> {
        self.next().map_or(Ok(()), |next| next.settled(rank))
    }

    /// Hears which line of the session's file the next items may borrow from, if that was wanted;
    /// nothing before those of other files.
    fn place(&mut self, line: Option<Line<'_>>) {
        if let Some(next) = self.next() {
            next.place(line);
        }
    }

    /// Takes a physical line without its line end; only if it was wanted.
    fn raw_line(&mut self, line: u64, bytes: &[u8], ended: bool) -> Result<()> {
        self.next().map_or(Ok(()), |next| next.raw_line(line, bytes, ended))
    }
}

/// For how many items room is made at once.
const MOST_EXPECTED: usize = 1 << 17;

/// Keeps everything.
impl Sink for Session {
    fn header(&mut self, header: &Header) -> Result<()> {
        self.header = header.clone();
        self.begins_home = begins_home(header);
        let known = recorders(header);
        let all = if known.is_empty() { ALL } else { &known };
        self.unwraps = all.iter().map(|recorder| recorder.unwraps()).collect();
        Ok(())
    }

    fn expect(&mut self, items: usize) {
        // A file can have more lines than there is room for; of most nothing comes.
        let _ = self.items.try_reserve_exact(items.min(MOST_EXPECTED));
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        self.items.push(item.into_owned());
        Ok(())
    }
}

/// Every harness, in the order in which help lists them.
pub static ALL: &[&dyn Harness] = &[&claude::Claude, &codex::Codex, &gemini::Gemini];

/// What no harness wrote, but can be read like a session: it has no home and is never listed.
static FORMS: &[&dyn Harness] = &[&unified::Unified, &atif::Atif];

/// Tells whether a reader is for a form that no harness writes.
pub fn is_form(reader: &dyn Harness) -> bool {
    FORMS.iter().any(|form| form.name() == reader.name())
}

/// Returns the harness called `name`.
pub fn by_name(name: &str) -> Option<&'static dyn Harness> {
    ALL.iter().copied().find(|harness| harness.name() == name)
}

/// Tells whether each call of a session begins in its folder. Of one that was converted each call says
/// for itself where it began, as far as that is known.
fn begins_home(header: &Header) -> bool {
    let recorder = by_name(&header.harness).filter(|_| header.converted_from.is_none());
    recorder.is_some_and(|recorder| recorder.begins_home())
}

/// Returns whose forms stand in a session: those of its harness, and where it was converted, of any.
fn recorders(header: &Header) -> Vec<&'static dyn Harness> {
    let others = ALL.iter().copied().filter(|other| other.name() != header.harness);
    let others = others.filter(|_| header.converted_from.is_some());
    by_name(&header.harness).into_iter().chain(others).collect()
}

/// Returns the context file that is called `name`, or is read in place of one of that name.
pub fn context_file(name: &str) -> Option<ContextFile> {
    let mut files = ALL.iter().map(|harness| harness.context_file());
    files.find(|file| file.name == name || file.instead == Some(name))
}

/// Refuses a session without any item.
fn no_items(input: &Input) -> Error {
    let why = "holds no item of a session".to_owned();
    let hint = "nothing was said in it yet; `segue list` shows the sessions with something in them";
    Error::NotASession { path: input.shown().into(), why, hint: Some(hint.to_owned()) }
}

/// Returns the first line of a request that says something, short enough for a table; of a pack with which a session
/// went on, that of what had been asked for.
fn title_of(text: &str) -> Option<String> {
    let (text, behind) = crate::model::named_by(text);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(shortened(line, 120 - behind.len()) + behind)
}
