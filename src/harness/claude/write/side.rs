//! Side sessions: each has a file of its own in the folder of the main session, whatever depth it
//! has, and beside it a small file that names the call.

use std::io;

use super::chain::Chain;
use super::line::Agent;
use crate::harness::claude::NAME;
use crate::harness::claude::beside::WARM_UP;
use crate::harness::{Above, SideFile};
use crate::model::{Conversation, EntryBody, Side};

/// How many characters of an id the harness makes itself, after the letter that they begin with.
const ID_CHARS: usize = 16;
/// The longest id of a side session that is kept.
const MAX_CHARS: usize = 32;

/// Writes a side session and the file beside it; nothing for a warm-up, which nobody asked for.
pub(super) fn write(side: &Side, above: &Above<'_>) -> io::Result<Option<SideFile>> {
    if is_warm_up(&side.conversation) {
        return Ok(None);
    }
    let is_own = side.conversation.header.harness == NAME;
    let target = above.target_of(side);
    let id = id(side, is_own, &target.id);
    let mut text = Vec::new();
    let chain = Chain::new(&side.conversation, &target, is_own, &mut text);
    let mut chain = chain.aside(&above.main.id, &id);
    chain.conversation(&side.conversation)?;
    let losses = chain.losses;
    let agent = Agent {
        agent_type: side.agent.as_deref(),
        description: side.title.as_deref(),
        tool_use_id: side.call_id.as_deref(),
        spawn_depth: above.depth,
    };
    let folder = above.file.with_extension("").join("subagents");
    let beside = (folder.join(format!("agent-{id}.meta.json")), serde_json::to_vec(&agent)?);
    let path = folder.join(format!("agent-{id}.jsonl"));
    Ok(Some(SideFile { path, text, beside: Some(beside), losses }))
}

fn is_warm_up(conversation: &Conversation) -> bool {
    let Conversation { older, boundary, live, .. } = conversation;
    let first = older.iter().chain(boundary).chain(live).next();
    first.is_some_and(|entry| match &entry.body {
        EntryBody::Said(message) => message.plain() == WARM_UP,
        _ => false,
    })
}

/// Returns the harness's own id, which results name too, or one as it makes them.
fn id(side: &Side, is_own: bool, made: &str) -> String {
    let fine = |byte: u8| byte.is_ascii_alphanumeric();
    if is_own && (1..=MAX_CHARS).contains(&side.id.len()) && side.id.bytes().all(fine) {
        return side.id.clone();
    }
    let digits = made.bytes().filter(u8::is_ascii_hexdigit).take(ID_CHARS);
    format!("a{}", digits.map(char::from).collect::<String>())
}
