//! The files of side sessions, each linked to the call that began it.

use std::collections::HashSet;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Target, Writer, line_id};
use crate::model::{Conversation, Entry, EntryBody, Side};
use crate::note::{LossKind, Losses};

/// The session whose call began a side session, on its way into a file.
#[derive(Debug)]
pub struct Above<'a> {
    /// What it holds.
    pub conversation: &'a Conversation,
    /// The ids of its calls that are sent.
    pub calls: HashSet<&'a str>,
    /// What it is written with, its new id above all.
    pub target: &'a Target,
    /// What the main session is written with; the same where that began the side session.
    pub main: &'a Target,
    /// The file of the main session.
    pub file: &'a Utf8Path,
    /// How many sessions stand above the side session; 1 where the main one began it.
    pub depth: usize,
}

impl<'a> Above<'a> {
    fn new(
        conversation: &'a Conversation,
        (target, main): (&'a Target, &'a Target),
        file: &'a Utf8Path,
        depth: usize,
    ) -> Self {
        let call = |entry: &'a Entry| match &entry.body {
            EntryBody::Exchange(exchange) => Some(exchange.call.call_id.as_ref()),
            _ => None,
        };
        let is_asked = !conversation.sides.is_empty();
        let calls = conversation.live.iter().filter(|_| is_asked).filter_map(call).collect();
        Self { conversation, calls, target, main, file, depth }
    }

    /// Returns what `side` is written with below this session.
    pub(in crate::harness) fn target_of(&self, side: &Side) -> Target {
        let harness = &side.conversation.header.harness;
        Target {
            id: side_id(self.target, side),
            origin: format!("{harness}:{}", side.id),
            ..self.target.clone()
        }
    }
}

/// A side session as it would be written.
#[derive(Clone, Debug)]
pub struct SideFile {
    /// Its file, below the home of the harness.
    pub path: Utf8PathBuf,
    /// What the file holds.
    pub text: Vec<u8>,
    /// A small file that has to stand beside it.
    pub beside: Option<(Utf8PathBuf, Vec<u8>)>,
    /// What the form cannot hold.
    pub losses: Losses,
}

/// A side session that was written.
#[derive(Clone, Debug)]
pub struct SideWritten {
    /// Its id in the source.
    pub id: String,
    /// How many items of the source are in it.
    pub items: u64,
    /// The id of the side session that began it, if it was one.
    pub under: Option<String>,
    /// Its file.
    pub file: SideFile,
}

/// Returns the id of a side session of what `target` names: the same on every run.
pub(in crate::harness) fn side_id(target: &Target, side: &Side) -> String {
    line_id(target, &format!("side\0{}", side.id))
}

/// Writes the side sessions of `conversation`, whose own file is `file`, and theirs; what the form
/// has no place for is lost.
pub fn sides(
    writer: &dyn Writer,
    conversation: &Conversation,
    target: &Target,
    file: &Utf8Path,
) -> io::Result<(Vec<SideWritten>, Losses)> {
    let (mut files, mut losses) = (Vec::new(), Losses::default());
    let above = Above::new(conversation, (target, target), file, 1);
    below(writer, &above, None, &mut files, &mut losses)?;
    Ok((files, losses))
}

fn below(
    writer: &dyn Writer,
    above: &Above<'_>,
    under: Option<&str>,
    files: &mut Vec<SideWritten>,
    losses: &mut Losses,
) -> io::Result<()> {
    for side in &above.conversation.sides {
        let Some(mut file) = writer.side(side, above)? else {
            losses.lose_many(LossKind::SideSession, side.all_items(), &side.id);
            continue;
        };
        let lost = side.losses.items() + file.losses.items();
        losses.add(side.losses.clone());
        losses.add(std::mem::take(&mut file.losses));
        let items = side.items.saturating_sub(lost);
        let under = under.map(str::to_owned);
        files.push(SideWritten { id: side.id.clone(), items, under, file });
        let target = above.target_of(side);
        let ids = (&target, above.main);
        let next = Above::new(&side.conversation, ids, above.file, above.depth + 1);
        below(writer, &next, Some(&side.id), files, losses)?;
    }
    Ok(())
}
