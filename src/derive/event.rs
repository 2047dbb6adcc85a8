//! What the harness itself told the agent to see to: a hook that sends it back to work, a comment on its pull
//! request.

use serde::Serialize;

use super::ending::claims_done;
use super::gist::gist;
use super::open_work::is_by_human;
use super::pattern::Pattern;
use super::replied::AgentSaid;
use super::timeline::Timeline;
use super::{steps, text, turns};
use crate::model::{Body, Item, Origin, Role, Status, ToolResult};

/// How many characters of it are told.
const CHARS: usize = 400;
/// How many of what the agent had said before.
const BEFORE_CHARS: usize = 240;
/// How many where nobody has answered it yet.
const NEW_CHARS: usize = 600;

/// How what nobody has taken in is told as work.
pub(super) const TAKE_IN: &str = "take in what came from";

/// Data of fewer words is no report.
const DATA_WORDS: usize = 30;
/// How much of what came is told, the newest.
const MOST_NEWS: usize = 4;

/// Words of the harness, or of others that it passed on, on which the agent went to work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// The id of the item that holds them.
    pub id: String,
    /// The turn in which they came.
    pub turn: String,
    /// What the words come to.
    pub text: String,
    /// What the agent had said at the end of its turn before they came.
    pub answer: Option<AgentSaid>,
}

/// What the harness or another agent told with which a session ends: it came after the agent had ended its turn, and
/// this has neither said nor done anything since.
pub(super) struct Unread<'t> {
    /// The item that holds the last of it.
    pub item: &'t Item<'static>,
    words: String,
}

impl<'t> Unread<'t> {
    /// Takes the words of an item, if they say something to somebody; in data programs tell each other how they are.
    fn of(item: &'t Item<'static>, words: &str) -> Option<Self> {
        let words = read(words, NEW_CHARS);
        let is_told = |row: &&str| !row.trim().is_empty() && !row.trim_end().ends_with(':');
        let is_data = words.lines().find(is_told)?.trim_start().starts_with('{');
        let is_short = text::word_count(&words) < DATA_WORDS;
        (!is_data || !is_short).then_some(Self { item, words })
    }

    /// Joins what came, the newest first, into one: of each its beginning, the newest last.
    fn joined(mut news: Vec<Self>) -> Option<Self> {
        news.truncate(MOST_NEWS);
        let item = news.first()?.item;
        let words = news.iter().rev().map(|one| text::clip(&one.words, NEW_CHARS / news.len()));
        Some(Self { item, words: words.collect::<Vec<_>>().join("\n") })
    }

    /// Says what came, and from whom.
    pub(super) fn told(&self) -> String {
        let whose = match &self.item.body {
            Body::Message(message) if message.origin == Origin::Agent => "another agent",
            _ => "the harness",
        };
        format!("{TAKE_IN} {whose} after the agent's last words: {}", self.words)
    }
}

/// Returns what a session ends with that nobody has taken in.
pub(super) fn unread<'t>(timeline: &Timeline<'t>) -> Option<Unread<'t>> {
    let (mut news, mut ended) = (Vec::new(), None);
    for item in timeline.items.iter().copied().rev() {
        match &item.body {
            Body::Message(message) => match message.origin {
                Origin::Model if message.interim => return None,
                Origin::Model => {
                    let ended =
                        ended.filter(|(_, worked)| !worked || !claims_done(&message.plain()));
                    return Unread::joined(news).or(ended.map(|(unread, _)| unread));
                }
                Origin::Human | Origin::Summary => return None,
                // Context and reminders ask for nothing, nor do the program's own commands.
                Origin::Harness if message.said.is_none() => {}
                Origin::Command => {}
                // What only the provider can read says nothing.
                Origin::Agent if message.said.is_some() && !steps::tells(&message.plain()) => {}
                Origin::Harness | Origin::Agent => {
                    news.extend(Unread::of(item, &message.sent()));
                }
            },
            Body::ToolCall(call) if timeline.is_deed(item) && !is_by_human(call) => return None,
            // What ran in the background has ended.
            Body::ToolResult(result) if !timeline.is_deed(item) => {
                let mut done = timeline.done().rev();
                let done = done.find(|done| done.call.call_id == result.call_id)?;
                let came = Unread::of(item, &done.output()).filter(|_| !was_ended(result));
                ended = ended.or(came.map(|unread| (unread, done.worked())));
            }
            Body::Notice { kind, .. } if kind == "interrupted" => return None,
            Body::Compaction(_) => return None,
            _ => {}
        }
    }
    None
}

/// The exit codes of what was ended by somebody: 128 and the number of the signal.
const ENDED: &[i64] = &[130, 137, 143];

/// Whether what ran in the background came to no end of its own.
fn was_ended(result: &ToolResult<'_>) -> bool {
    result.status == Status::Interrupted
        || result.exit_code.is_some_and(|code| ENDED.contains(&code))
}

/// Marks of pages in words: tags, remarks, images.
static MARKUP: Pattern = Pattern::new(
    r#"(?s)<!--.*?-->|</?[a-z][a-z0-9_-]*(?:\s[^<>]*)?/?>|!\[[^\]]*\]\([^)\s]*\)|&nbsp;"#,
);

/// Returns what words come to without the marks of pages, and without the ids that stand alone in their rows.
fn read(words: &str, most: usize) -> String {
    let plain = text::plain(words);
    let bare = MARKUP.replaced(&plain, "");
    let is_id = |word: &str| word.contains(|c: char| c.is_numeric() || matches!(c, '/' | '_'));
    let is_one = |row: &str| row.split_whitespace().nth(1).is_none();
    // What another row says, too, tells nothing more.
    let is_again = |row: &str| bare.matches(row.trim()).nth(1).is_some();
    let tells = |row: &&str| !is_one(row) || row.trim().is_empty() || !is_id(row) && !is_again(row);
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
            // What the user ran is no work of the agent's.
            Body::ToolCall(call) if timeline.is_deed(item) && !is_by_human(call) => {
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
        answer: answer(std::iter::once(ended).chain(items)),
    })
}

/// An answer of fewer words says no more than what is waited for.
const ANSWER_WORDS: usize = 60;

/// Returns the newest of the words with which the agent ended a turn, back to the user's, that are more than a few and at
/// least half as many as any of them: that is the answer, the others say what is waited for.
fn answer<'t>(items: impl Iterator<Item = &'t Item<'static>>) -> Option<AgentSaid> {
    let messages = items.filter_map(|item| match &item.body {
        Body::Message(message) => Some((item, message)),
        _ => None,
    });
    let own = messages.take_while(|(_, message)| message.origin != Origin::Human);
    let ends = own.filter(|(_, message)| message.origin == Origin::Model && !message.interim);
    let ends = ends.map(|(item, message)| {
        let words = text::plain(&message.plain());
        (item, text::word_count(&words), words)
    });
    let ends: Vec<_> = ends.collect();
    let most = ends.iter().map(|(_, count, _)| *count).max().unwrap_or(0);
    let tells = |count: usize| count >= ANSWER_WORDS && 2 * count >= most;
    let (item, _, words) = ends.into_iter().find(|(_, count, _)| tells(*count))?;
    Some(AgentSaid {
        id: turns::id(item.turn),
        text: gist(&words, "", BEFORE_CHARS),
        item: item.id.to_string(),
        is_needed: false,
        is_named: false,
        is_bare: false,
    })
}
