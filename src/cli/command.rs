//! The commands, and what `--help` says of them.

use super::{
    Cli, check, completions, convert, diff, doctor, export, frame, list, man, memory, pack, schema,
    search, show, span, status, sync, templates,
};
use crate::error::Result;

// The options of a command that is not called are never made: that took longer than all the rest of
// the start. So what a command is for stands here, and the structs of options have no docstrings: they
// would take its place.
#[derive(Debug, clap::Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Show the sessions of this project, newest first
    ///
    /// Times are in UTC. An id in the table is as short as it may be typed. Side sessions of
    /// agents and files without any item are not shown.
    List(list::Args),
    /// Print what the next session needs, within a budget of tokens
    ///
    /// The goal in the user's words, open work, what fails, decisions, files, commands, the
    /// harness's own summary and the last steps, as far as the budget goes. A larger budget only
    /// adds.
    Pack(pack::Args),
    /// Keep a pack as a block in AGENTS.md or another file that harnesses read first
    ///
    /// The block stands between two lines of its own, at the end of the file or wherever you move
    /// it; every other byte stays. Nothing is written if the block says the same already. A file
    /// that is read in place of another one is meant where it stands beside it.
    ///
    /// No block is put where it would cost 60 per cent of the tokens of the session itself or
    /// more, or would lie beyond what the harness reads of its file.
    Sync(sync::Args),
    /// Print what an id of a pack stands for
    ///
    /// A turn (`T-12`), a range of turns (`T-3..T-7`), a piece of open work (`W-`), a decision
    /// (`D-`, `C-`), a file (`P-`, or its path), a failure or a command (`F-`, or the command), in
    /// full and with the items that it rests on; or an item by its own id. In a pack of several
    /// sessions an id such as `S2/T-4` is that of the second `--session`.
    Show(show::Args),
    /// Say whether the work of a session is done
    ///
    /// Sets what the agent said last against what a machine recorded: the list of work, checks
    /// that fail, what was broken off, changes that nothing checked. Exit code 1 if the work is
    /// not done.
    Status(status::Args),
    /// Print the state that the last turn left, as a frame in JSON
    ///
    /// When it ended, what it was about, what was decided, which files and checks it touched, and
    /// what comes next.
    Frame(frame::Args),
    /// Print the items of a session that hold some words, newest first
    ///
    /// One item a line: its id, its turn, its kind, and the line with the match. `segue show`
    /// takes the id. All WORDS must be in the item; capitals and accents do not count.
    Search(search::Args),
    /// Print lines of a file of the project as it is now
    ///
    /// Each line has its number. Whether the file was changed since the session ended is said on
    /// standard error. Only regular files inside the project can be read.
    Span(span::Args),
    /// Say what is new, resolved and changed between two packs
    ///
    /// Things are matched by their ids, which depend on what they say. Two points of a session are
    /// compared by all that was found up to each, whatever the budget.
    Diff(diff::Args),
    /// Print a session in one schema, whatever harness wrote it
    ///
    /// NDJSON, one record a line: `session` first, each item in the order of the file, `end` last
    /// with what became of every line. `segue schema session` describes the records.
    Export(export::Args),
    /// Write a session as another harness's own, which its program resumes
    ///
    /// Carried is what would be sent on resume. A compaction becomes the target's own; what it had
    /// replaced stands before it where the target has a place for that. Calls become the target's
    /// own tools where these say exactly the same. The answers of side sessions stay at the calls
    /// that began them. With --install each side session is written too, as a file of its own that
    /// is linked to its call; one that the target has no place for, and all of them without
    /// --install, are left out. A side session that is named itself goes on as a session of its
    /// own.
    ///
    /// What could not be carried is told on standard error, a line a kind. The same session gives
    /// the same file; one that has grown gives a new one.
    Convert(convert::Args),
    /// Look for what would stop a session file from being listed, loaded, or accepted
    ///
    /// Each finding has a line, a rule and what to do. Exit code 1 if the session could not be
    /// resumed as it is; what would only be dropped or cleaned up is a warning.
    Check(check::Args),
    /// Look at memories, and move them between harnesses
    ///
    /// Memories are what agents keep from one session to the next: topic files, blocks, entries,
    /// notes. Context files that humans write are shown too, and moved only if you say so. Nothing
    /// is written without `--write`.
    Memory(memory::Args),
    /// Say what is there of each harness, and what stands in the way
    ///
    /// Where each harness keeps its files and how that was found out, how many sessions and
    /// memories there are, the versions that wrote the newest ones, what cannot be read and why;
    /// whether this project has sessions, and whether a pack in one of its context files may be
    /// out of date. Each finding says what to do. Exit code 1 if a finding is an error, so that
    /// something needs you.
    Doctor(doctor::Args),
    /// List what a pack can be made for, or print a built-in template
    ///
    /// A template gets what `segue pack --json` prints, in the language of Jinja. Each value that
    /// a template of yours prints loses control characters and what looks like a tag of a program.
    Templates(templates::Args),
    /// Print a JSON Schema
    ///
    /// `session` describes the records of `segue export`, one a line; `pack` what `segue pack
    /// --json` prints; `status`, `diff`, `check` and `doctor` what these commands print with
    /// `--json`; `frame` what `segue frame` prints; `weights` the table that `--weights` takes;
    /// `conversion` the report of `segue convert`; `memory` the records of `segue memory export`;
    /// `memory-plan` and `memory-check` what `segue memory migrate` and `segue memory check` print
    /// with `--json`.
    Schema(schema::Args),
    /// Print completions for a shell
    Completions(completions::Args),
    /// Print the manual page
    ///
    /// All commands are on the one page. With --out-dir each command has a page of its own
    /// besides, such as `segue-memory-list(1)`.
    Man(man::Args),
}

impl Command {
    /// Runs the command.
    pub(super) fn run(&self, cli: &Cli) -> Result<()> {
        match self {
            Self::List(args) => list::run(args, cli),
            Self::Pack(args) => pack::run(args, cli),
            Self::Sync(args) => sync::run(args, cli),
            Self::Show(args) => show::run(args, cli),
            Self::Status(args) => status::run(args, cli),
            Self::Frame(args) => frame::run(args, cli),
            Self::Search(args) => search::run(args, cli),
            Self::Span(args) => span::run(args, cli),
            Self::Diff(args) => diff::run(args, cli),
            Self::Export(args) => export::run(args, cli),
            Self::Convert(args) => convert::run(args, cli),
            Self::Check(args) => check::run(args, cli),
            Self::Memory(args) => memory::run(args, cli),
            Self::Doctor(args) => doctor::run(args, cli),
            Self::Templates(args) => templates::run(args),
            Self::Schema(args) => schema::run(args),
            Self::Completions(args) => completions::run(args),
            Self::Man(args) => man::run(args),
        }
    }
}
