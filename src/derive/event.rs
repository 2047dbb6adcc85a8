//! What the harness itself told the agent to see to: a hook that sends it back to work, a comment on its pull
//! request.

use serde::Serialize;

use super::gist::gist;
use super::pattern::Pattern;
use super::replied::AgentSaid;
use super::timeline::Timeline;
use super::{text, turns};
use crate::model::{Body, Item, Origin, Role};

/// How many characters of it are told.
const CHARS: usize = 400;
/// How many where nobody has answered it yet.
const NEW_CHARS: usize = 600;

/// Words of the harness, or of others that it passed on, on which the agent went to work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// The id of the item that holds them.
    pub id: String,
    /// The turn in which they came.
    pub turn: String,
    /// What the words come to.
    pub text: String,
    /// What the agent had answered to the request before they came.
    pub answer: Option<AgentSaid>,
}

/// What the harness or another agent told with which a session ends: it came after the agent had ended its turn, and
/// this has neither said nor done anything since.
pub(super) struct Unread<'t> {
    /// The item that holds the last of it.
    pub item: &'t Item<'static>,
    words: String,
}

impl Unread<'_> {
    /// Says what came, and from whom.
    pub(super) fn told(&self) -> String {
        let whose = match &self.item.body {
            Body::Message(message) if message.origin == Origin::Agent => "another agent",
            _ => "the harness",
        };
        format!("take in what came from {whose} after the agent's last words: {}", self.words)
    }
}

/// Returns what a session ends with that nobody has taken in.
pub(super) fn unread<'t>(timeline: &Timeline<'t>) -> Option<Unread<'t>> {
    let mut newest = None;
    for item in timeline.items.iter().copied().rev() {
        let came = match &item.body {
            Body::Message(message) => match message.origin {
                Origin::Model if message.interim => return None,
                Origin::Model => return newest,
                Origin::Human | Origin::Command | Origin::Summary => return None,
                Origin::Harness if message.role != Role::User => continue,
                Origin::Harness | Origin::Agent => message.plain(),
            },
            Body::ToolCall(_) if timeline.is_deed(item) => return None,
            // What ran in the background has ended.
            Body::ToolResult(result) if !timeline.is_deed(item) => {
                timeline.done().rev().find(|done| done.call.call_id == result.call_id)?.output()
            }
            Body::Notice { kind, .. } if kind == "interrupted" => return None,
            Body::Compaction(_) => return None,
            _ => continue,
        };
        let words = read(&came, NEW_CHARS);
        newest = newest.or(Some(Unread { item, words }).filter(|came| !came.words.is_empty()));
    }
    None
}

/// Marks of pages in words: tags, remarks, images.
static MARKUP: Pattern = Pattern::new(
    r#"(?s)<!--.*?-->|</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>|!\[[^\]]*\]\([^)\s]*\)|&nbsp;"#,
);

/// Returns what words come to without the marks of pages, and without the ids that stand alone in their rows.
fn read(words: &str, most: usize) -> String {
    let plain = text::plain(words);
    let bare = MARKUP.replaced(&plain, "");
    let tells = |row: &&str| row.trim().is_empty() || row.split_whitespace().nth(1).is_some();
    let rows: Vec<&str> = bare.lines().filter(tells).map(str::trim_end).collect();
    let told = gist(rows.join("\n").trim(), "", most);
    if told.is_empty() { text::clip(bare.trim(), most) } else { told }
}

/// Returns the last words of the harness that came after the agent had ended its turn and sent it to work again,
/// if no request came since. What follows a compaction belongs to that.
pub(super) fn event(timeline: &Timeline<'_>) -> Option<Event> {
    if unread(timeline).is_some() {
        return None;
    }
    let (mut is_at_work, mut heard) = (false, None);
    let mut items = timeline.items.iter().copied().rev();
    let (item, message, ended) = loop {
        // Before all that was said or done nobody had ended anything.
        let item = items.next()?;
        match &item.body {
            Body::Message(message) => match message.origin {
                Origin::Human => return None,
                Origin::Harness if message.role == Role::User && is_at_work => {
                    heard = heard.or(Some((item, message)));
                }
                Origin::Harness => {}
                Origin::Model if !message.interim && heard.is_some() => {
                    let (came, words) = heard?;
                    break (came, words, item);
                }
                origin => {
                    is_at_work |= origin == Origin::Model;
                    heard = None;
                }
            },
            Body::ToolCall(_) | Body::ToolResult(_) if timeline.is_deed(item) => {
                (is_at_work, heard) = (true, None);
            }
            Body::Compaction(_) => heard = None,
            Body::Notice { kind, .. } if kind == "interrupted" => heard = None,
            _ => {}
        }
    };
    Some(Event {
        id: item.id.to_string(),
        turn: turns::id(item.turn),
        text: read(&message.plain(), CHARS),
        answer: std::iter::once(ended).chain(items).map_while(said_to_user).find_map(answer),
    })
}

/// An answer of fewer words says no more than what is waited for.
const ANSWER_WORDS: usize = 40;

/// Returns an item unless it is the user's.
fn said_to_user<'t>(item: &'t Item<'static>) -> Option<&'t Item<'static>> {
    let is_human = matches!(&item.body, Body::Message(message) if message.origin == Origin::Human);
    (!is_human).then_some(item)
}

/// Returns what an item says, if the agent ended a turn with it, in many words.
fn answer(item: &Item<'_>) -> Option<AgentSaid> {
    let Body::Message(message) = &item.body else { return None };
    let is_end = message.origin == Origin::Model && !message.interim;
    let words = Some(text::plain(&message.plain())).filter(|_| is_end)?;
    (text::word_count(&words) >= ANSWER_WORDS).then(|| AgentSaid {
        id: turns::id(item.turn),
        text: gist(&words, "", CHARS),
        item: item.id.to_string(),
        is_needed: false,
        is_named: false,
    })
}
