//! `segue show`: what an id of a pack stands for.

use clap::ValueEnum;

use super::lookup::{self, Ids};
use super::session::NamedSessions;
use super::shown::{Shown, ShownArgs};
use super::{Cli, kept};
use crate::block::mentioned;
use crate::derive::{self, levels};
use crate::error::Result;

const EXAMPLE: &str = "\
Examples:
  segue show --demo D-e74abc6f           a decision, with what it rests on
  segue show T-3..T-7 --level compact    what was done in five turns";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// What to print, one after the other: a turn, turns such as T-3..T-7, or an id or the start of one
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    #[command(flatten)]
    sessions: NamedSessions,

    /// How much of a turn to print
    #[arg(long, value_enum, default_value_t = Level::Smooth)]
    level: Level,

    #[command(flatten)]
    shown: ShownArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    /// Every item as it was
    Raw,
    /// Without escapes, repeated output and the harness's own words; long outputs by head and tail
    Smooth,
    /// The request, each call on a line with how it ended, the agent's last words
    Compact,
    /// One line
    Tiny,
}

impl From<Level> for levels::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Raw => Self::Raw,
            Level::Smooth => Self::Smooth,
            Level::Compact => Self::Compact,
            Level::Tiny => Self::Tiny,
        }
    }
}

/// Runs `segue show`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let count = args.sessions.count();
    let mut shown = Shown::new(&args.shown);
    let ids: Vec<_> = args.ids.iter().map(|id| mentioned(id)).collect();
    let wanted = ids.iter().map(|id| lookup::session_and_id(id, count));
    let wanted: Vec<_> = wanted.collect::<Result<_>>()?;
    let mut found = vec![String::new(); wanted.len()];
    let (mut notes, mut left_out) = (Vec::new(), Vec::new());
    for number in 1..=count {
        let ids = wanted.iter().zip(&mut found).filter(|((of, _), _)| *of == number);
        let mut ids = ids.peekable();
        if ids.peek().is_none() {
            continue;
        }
        let mut session = args.sessions.read(number, cli)?;
        // Ids are those of the whole content, so secrets go only now.
        let facts = derive::derive(&kept::of(&session)?);
        shown.redact(&mut session);
        let of_session = Ids::new(&session, &facts);
        for ((_, id), found) in ids {
            *found = of_session.show(id, args.level.into())?;
            left_out.extend(of_session.left_out(id));
        }
        notes.extend(session.end.notes);
    }
    shown.print(&found.join("\n\n"), cli)?;
    left_out.iter().for_each(|words| cli.say(&format!("note: {words}")));
    super::tell(&notes, cli)
}
