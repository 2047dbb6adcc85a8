//! What the harness itself told the agent to see to: a hook that sends it back to work, a comment on its pull
//! request.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::ending::claims_done;
use super::gist::gist;
use super::idle::asks_by_name;
use super::open_work::is_by_human;
use super::pattern::Pattern;
use super::replied::{AgentSaid, MOST_CHARS};
use super::timeline::{Done, Timeline};
use super::{
    deeds, paragraphs, reviewed, shell, steps, stopped, symptoms, telling, text, turns, words,
};
use crate::model::{Action, Body, Item, Origin, Role, Status, ToolCall, ToolKind, ToolResult};

/// How many characters of it are told.
const CHARS: usize = 400;
/// How many where nobody has answered it yet.
const NEW_CHARS: usize = 600;

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
    /// Whether it had asked the user something there that nobody has answered since.
    pub asks: bool,
    /// Whether it did something since, or ended its turn again.
    #[serde(skip)]
    pub has_gone_on: bool,
}

/// How it is told that nobody has taken in what came.
pub(super) const TAKE_IN: &str = "take in what came from ";

/// What the harness or another agent told with which a session ends: it came after the agent had ended its turn, and
/// this has neither said nor done anything since.
pub(super) struct Unread<'t> {
    /// The item that holds the last of it.
    pub item: &'t Item<'static>,
    words: String,
    /// Of what ran in the background and has ended, whether it worked.
    worked: Option<bool>,
}

/// A word by which news say that something went wrong.
static ILL: Pattern = Pattern::new(
    r"(?i)\b(?:fail(?:s|ed|ing|ures?)?|errors?|conflict(?:s|ing)?|rejected|broken?|cancell?ed|timed out)\b|❌|✗",
);

impl<'t> Unread<'t> {
    /// Takes the words of an item, if they say something to somebody; in data programs tell each other how they are.
    fn of(item: &'t Item<'static>, words: &str) -> Option<Self> {
        let words = match &item.body {
            Body::Message(message) if message.origin == Origin::Agent => without_data(words),
            _ => Cow::Borrowed(words),
        };
        let words = read(&words, NEW_CHARS);
        (!words.is_empty() && !is_data(&words)).then_some(Self { item, words, worked: None })
    }

    /// Joins what came, the newest first, into one: of each its beginning, the newest last. Of much something is left
    /// out, but what went wrong as the last.
    fn joined(news: &[Self]) -> Option<Self> {
        let item = news.first()?.item;
        let mut told: Vec<usize> = (0..news.len()).collect();
        told.sort_by_key(|at| !news[*at].is_ill());
        told.truncate(MOST_NEWS);
        told.sort_unstable();
        let words = told.iter().rev();
        let words = words.map(|at| text::clip(&news[*at].words, NEW_CHARS / told.len()));
        let mut words: Vec<_> = words.collect();
        let more = news.len() - told.len();
        words.extend((more > 0).then(|| format!("({more} more came)")));
        Some(Self { item, words: words.join("\n"), worked: None })
    }

    fn is_ill(&self) -> bool {
        self.worked == Some(false) || is_ill(&self.words)
    }

    /// Whether it tells something beside other news, and where the agent does not say that it waits for something: that
    /// something ended well does not.
    fn tells(&self, is_waited_for: bool, has_others: bool) -> bool {
        self.worked != Some(true) || is_waited_for && !has_others
    }

    /// Says what came, and from whom.
    pub(super) fn told(&self) -> String {
        let whose = match &self.item.body {
            Body::Message(message) if message.origin == Origin::Agent => "another agent",
            _ => "the harness",
        };
        format!("{TAKE_IN}{whose} after the agent's last words: {}", self.words)
    }
}

/// Whether words are a few data, by which programs tell each other how they are.
fn is_data(words: &str) -> bool {
    let is_told = |row: &&str| {
        let row = row.trim();
        !row.is_empty() && !row.ends_with(':') && !row.starts_with('<')
    };
    let first = words.lines().find(is_told).unwrap_or_default();
    first.trim_start().starts_with('{') && text::word_count(words) < DATA_WORDS
}

/// Whether the agent ended its turn without an end of its work, since it waits for something.
fn waits(said: &str) -> bool {
    words::goes_on_later(said) || words::waits_for_what_runs(said) && !claims_done(said)
}

/// Whether words say that something went wrong.
fn is_ill(words: &str) -> bool {
    words.lines().any(|row| ILL.is_match(row) && !symptoms::is_well(row))
}

/// Returns what a session ends with that nobody has taken in.
pub(super) fn unread<'t>(timeline: &Timeline<'t>) -> Option<Unread<'t>> {
    let mut came: Vec<Unread<'_>> = Vec::new();
    for item in timeline.items.iter().copied().rev() {
        match &item.body {
            Body::Message(message) => match message.origin {
                Origin::Model if message.interim => return None,
                Origin::Model => {
                    let is_waited_for = waits(&message.plain());
                    let has_others = came.iter().any(|one| one.worked.is_none());
                    came.retain(|one| one.tells(is_waited_for, has_others));
                    return Unread::joined(&came);
                }
                Origin::Human | Origin::Summary => return None,
                // Context and reminders ask for nothing, nor do the program's own commands.
                Origin::Harness if message.said.is_none() => {}
                Origin::Command => {}
                // What only the provider can read says nothing.
                Origin::Agent if message.said.is_some() && !steps::tells(&message.plain()) => {}
                Origin::Harness | Origin::Agent => {
                    came.extend(Unread::of(item, &message.sent()));
                }
            },
            Body::ToolCall(call) if timeline.is_deed(item) && !is_by_human(call) => return None,
            // What ran in the background has ended.
            Body::ToolResult(result) if !timeline.is_deed(item) => {
                let mut done = timeline.done().rev();
                let done = done.find(|done| done.call.call_id == result.call_id)?;
                let end = end_of(timeline, result).and_then(|words| Unread::of(item, &words));
                came.extend(end.map(|end| Unread { worked: Some(done.worked()), ..end }));
            }
            Body::Notice { kind, .. } if kind == "interrupted" => return None,
            Body::Compaction(_) => return None,
            _ => {}
        }
    }
    None
}

/// Whether what a call ran in the background came to no end of its own, since somebody ended it after that.
fn was_ended(timeline: &Timeline<'_>, ran: &Done<'_>, result: &ToolResult<'_>) -> bool {
    // That something ended is told of the call that began it.
    let begun = stopped::waited_for(timeline, ran).unwrap_or(*ran);
    let code = result.exit_code.unwrap_or_default();
    result.status == Status::Interrupted || timeline.killers().ended(&begun, code)
}

/// Remarks in pages, and what says by its name only what something is called: an id, or a file that holds it.
static APART: Pattern =
    Pattern::new(r"(?s)<!--.*?-->|<!--[^\n]*|<(?:[a-z]+[-_])*(?:id|file)>[^<>\n]*</[a-z_-]+>");
/// Marks of pages in words: tags and images. What stands directly behind a word is a type that it is given.
static MARKUP: Pattern = Pattern::new(
    r#"\B<[a-z][a-z0-9_-]*(?:\s[^<>]*)?>|</[a-z][a-z0-9_-]*>|<[a-z]+ ?/>|!\[[^\]]*\]\([^)\s]*\)|&nbsp;"#,
);

/// Returns words of agents without the rows of data beside others.
fn without_data(words: &str) -> Cow<'_, str> {
    let is_data = |row: &str| row.starts_with('{') && row.ends_with('}');
    let is_word = |row: &str| !row.is_empty() && !row.starts_with('<') && !is_data(row);
    match words.lines().any(is_data) && within(words).lines().any(is_word) {
        true => {
            Cow::Owned(words.lines().filter(|row| !is_data(row)).collect::<Vec<_>>().join("\n"))
        }
        false => Cow::Borrowed(words),
    }
}

/// How a row begins that opens an element with a name of several words: in one stands what somebody sent, and around it
/// what the harness says of it.
static OPENS: Pattern = Pattern::new(r"^<([a-z]+-[a-z-]+)(?:\s[^<>]*)?>");

/// Returns what stands in elements of words, if these have some, without what stands before and behind them.
pub(super) fn within(words: &str) -> &str {
    let opened = OPENS.groups(words);
    let Some((from, name)) = opened.and_then(|it| Some((it.start(0)?, it.at(1)?))) else {
        return words;
    };
    let close = format!("</{name}>");
    let to = words.rfind(&close).map_or(words.len(), |at| at + close.len());
    &words[from..to]
}

/// Returns words without the marks of pages in them; what is set as code is that.
fn without_marks(words: &str) -> String {
    let bare = APART.replaced(within(words), "");
    let spans = bare.split('`').enumerate().map(|(at, span)| match at % 2 {
        0 => MARKUP.replaced(span, ""),
        _ => Cow::Borrowed(span),
    });
    spans.collect::<Vec<_>>().join("`")
}

/// Returns what words come to without the marks of pages.
fn read(words: &str, most: usize) -> String {
    let plain = text::plain(words);
    if let Some(told) = reviewed::comments(within(&plain), most, without_marks) {
        return told;
    }
    let bare = without_marks(&plain);
    // A word alone in its row that another row says, too, tells nothing more.
    let is_name = |c: char| c.is_whitespace() || c.is_numeric() || matches!(c, '/' | '_');
    let is_word = |row: &str| !row.is_empty() && !row.contains(is_name);
    let is_mark = |c: char| !c.is_alphanumeric() && c != '-';
    let others = bare.lines().map(str::trim).filter(|row| !is_word(row));
    let mut said: HashSet<&str> = others.flat_map(|row| row.split(is_mark)).collect();
    let mut rows: Vec<&str> = Vec::new();
    // Marks around what is shown stand more than once.
    let marks = bare.lines().map(str::trim).filter(|row| !row.contains(char::is_alphanumeric));
    let mut fences: HashMap<&str, usize> = HashMap::new();
    marks.for_each(|row| *fences.entry(row).or_default() += 1);
    let is_fence = |row: &str| fences.get(row).is_some_and(|count| *count > 1);
    for row in bare.lines().map(str::trim_end) {
        if !is_word(row.trim()) || !is_fence(row.trim()) && said.insert(row.trim()) {
            rows.push(row);
        }
    }
    let told = gist(rows.join("\n").trim(), "", most);
    if told.is_empty() { text::clip(bare.trim(), most) } else { told }
}

/// Returns the last words of the harness, or of another agent, or the end of what ran on, that came after the agent had
/// ended its turn and sent it to work again, if no request came since. What follows a compaction belongs to that.
pub(super) fn event(timeline: &Timeline<'_>) -> Option<Event> {
    let has_news = unread(timeline).is_some();
    let mut items = timeline.items.iter().copied().rev();
    let Heard { item, words, ended, has_changed, has_gone_on } = heard(timeline, &mut items)?;
    let before: Vec<_> = std::iter::once(ended).chain(items).collect();
    let question = question(timeline, &before);
    // What ended, or what another agent found, is over once the agent went on with it.
    let is_of_harness = matches!(&item.body, Body::Message(it) if it.origin == Origin::Harness);
    if has_gone_on && !is_of_harness && question.is_none() {
        return None;
    }
    let text = read(&words, CHARS);
    // Beside what nobody has taken in yet only what went wrong, or was worked on, is worth its room.
    if has_news && !has_changed && question.is_none() && !is_ill(&text) {
        return None;
    }
    let asks = question.is_some();
    Some(Event {
        id: item.id.to_string(),
        turn: turns::id(item.turn),
        text,
        answer: question.map(said).or_else(|| answer(before.into_iter())),
        asks,
        has_gone_on,
    })
}

/// Returns the newest of the words with which the agent ended a turn that ask the user something, back to the user's,
/// where it did nothing since, and said nothing of that: what set it to work answers nothing. `before` are the items
/// from its words before that on, the last first.
fn question<'t>(
    timeline: &Timeline<'t>,
    before: &[&'t Item<'static>],
) -> Option<&'t Item<'static>> {
    let mut own = before.iter().copied().take_while(|item| !item.is_by_human());
    let asked = own.find(|item| is_end(item) && asks_user(item))?;
    let about = telling::words(&asked_about(&words_of(asked)));
    let is_form = |one: &str, other: &str| one.starts_with(other) || other.starts_with(one);
    let is_named = |words: &str| {
        telling::words(words).iter().any(|word| about.iter().any(|one| is_form(one, word)))
    };
    let mut later = timeline.items.iter().rev().take_while(|item| !std::ptr::eq(**item, asked));
    let sees_to_it = |item: &Item<'_>| match &item.body {
        Body::Message(_) => is_end(item) && says_something(item) && is_named(&words_of(item)),
        Body::ToolCall(call) => {
            timeline.is_deed(item) && !is_by_human(call) && does_something(call)
        }
        _ => false,
    };
    (!later.any(|item| sees_to_it(item))).then_some(asked)
}

/// Whether words say more than at what the agent looks next.
fn says_something(item: &Item<'_>) -> bool {
    !words::only_announces(&words_of(item))
}

/// Returns the end of words that ask something, with the sentence before it where a word there stands for what it names.
fn asked_about(words: &str) -> String {
    let last = paragraphs::last_block(words);
    if !words::has_pronoun(last) {
        return last.to_owned();
    }
    let before = words.trim().strip_suffix(last).unwrap_or_default().trim_end();
    let line = before.lines().next_back().unwrap_or_default();
    let mut sentences = words::sentences(line).into_iter().rev();
    let sentence = sentences.find(|it| it.contains(char::is_alphanumeric)).unwrap_or_default();
    format!("{sentence}\n{last}")
}

/// Whether the agent ended a turn with an item.
fn is_end(item: &Item<'_>) -> bool {
    matches!(&item.body, Body::Message(it) if it.origin == Origin::Model && !it.interim)
}

/// What set the agent to work again.
struct Heard<'t> {
    item: &'t Item<'static>,
    words: String,
    /// The words with which it had ended its turn.
    ended: &'t Item<'static>,
    /// Whether it changed a file since.
    has_changed: bool,
    /// Whether it did something since, or ended its turn again.
    has_gone_on: bool,
}

/// Finds that; `items` are those of the session, the last first, and are left where the agent had ended its turn.
fn heard<'t>(
    timeline: &Timeline<'_>,
    items: &mut impl Iterator<Item = &'t Item<'static>>,
) -> Option<Heard<'t>> {
    let (mut is_at_work, mut has_changed, mut heard) = (false, false, None);
    let (mut has_gone_on, mut has_acted) = (false, false);
    loop {
        // Before all that was said or done nobody had ended anything.
        let item = items.next()?;
        match &item.body {
            Body::Message(message) => match message.origin {
                Origin::Human => return None,
                Origin::Harness if message.role == Role::User && is_at_work => {
                    heard = heard.or_else(|| Some((item, message.sent().into_owned())));
                }
                Origin::Harness => {}
                // What only the provider can read says nothing.
                Origin::Agent if message.said.is_some() && !steps::tells(&message.plain()) => {}
                Origin::Agent if is_at_work => {
                    let words = || Some(without_data(&message.sent()).into_owned());
                    heard = heard.or_else(|| Some((item, words().filter(|it| !is_data(it))?)));
                }
                Origin::Model if !message.interim && heard.is_some() => {
                    let (came, words) = heard?;
                    let ended = item;
                    return Some(Heard { item: came, words, ended, has_changed, has_gone_on });
                }
                origin => {
                    // With words behind which it does nothing it ended its turn.
                    has_gone_on |= origin == Origin::Model && !message.interim && !has_acted;
                    is_at_work |= origin == Origin::Model;
                    heard = None;
                }
            },
            // What the user ran is no work of the agent's.
            Body::ToolCall(call) if timeline.is_deed(item) && !is_by_human(call) => {
                (is_at_work, has_acted, heard) = (true, true, None);
                has_changed |= matches!(call.action.as_deref(), Some(Action::Edit { .. }));
                has_gone_on = has_gone_on || does_something(call);
            }
            Body::ToolResult(result) if is_at_work && !timeline.is_deed(item) => {
                heard = heard.or_else(|| Some((item, end_of(timeline, result)?)));
            }
            Body::Compaction(_) => heard = None,
            Body::Notice { kind, .. } if kind == "interrupted" => heard = None,
            _ => {}
        }
    }
}

/// Returns how it is told that what ran in the background has ended, unless somebody ended it.
fn end_of(timeline: &Timeline<'_>, result: &ToolResult<'_>) -> Option<String> {
    let mut done = timeline.done().rev();
    let done = done.find(|done| done.call.call_id == result.call_id)?;
    (!was_ended(timeline, &done, result)).then(|| done.output().into_owned())
}

/// Whether a call does more than to look at something.
fn does_something(call: &ToolCall<'_>) -> bool {
    match call.action.as_deref() {
        Some(Action::Shell { command, .. }) => {
            shell::parts(command).iter().any(|part| deeds::does_something(part.as_str()))
        }
        Some(
            Action::Edit { .. }
            | Action::Agent { .. }
            | Action::Ask { .. }
            | Action::Propose { .. }
            | Action::Type { .. },
        ) => true,
        None => call.kind == ToolKind::Other && !asks_by_name(&call.name),
        _ => false,
    }
}

/// Words of a question that what came since can answer.
const OF_WAITING: &[&str] = &["check back", "did you know", "keep an eye", "wait", "watch"];

/// Whether the agent's words ask the user something that only the user can answer.
fn asks_user(item: &Item<'_>) -> bool {
    let words = words_of(item);
    let low = words.to_lowercase();
    let mut asked = low.split_inclusive(['?', '.', '!', '\n']).filter(|part| part.ends_with('?'));
    let last = asked.next_back().unwrap_or_default();
    words::asks_user(&words) && !OF_WAITING.iter().any(|word| last.contains(word))
}

fn words_of(item: &Item<'_>) -> String {
    match &item.body {
        Body::Message(message) => text::plain(&message.plain()),
        _ => String::new(),
    }
}

fn said(item: &Item<'_>) -> AgentSaid {
    AgentSaid {
        id: turns::id(item.turn),
        text: text::clip(text::untagged(&words_of(item)), MOST_CHARS),
        item: item.id.to_string(),
        is_needed: false,
        is_named: false,
        is_near: false,
        is_bare: false,
    }
}

/// An answer of fewer words says no more than what is waited for.
const ANSWER_WORDS: usize = 60;

/// Returns the newest of the words with which the agent ended a turn, back to the user's, that are more than a few and at
/// least half as many as any of them: that is the answer, the others say what is waited for.
fn answer<'t>(items: impl Iterator<Item = &'t Item<'static>>) -> Option<AgentSaid> {
    let own = items.take_while(|item| !item.is_by_human()).filter(|item| is_end(item));
    let ends: Vec<_> = own.map(|item| (item, text::word_count(&words_of(item)))).collect();
    let most = ends.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let tells = |count: usize| count >= ANSWER_WORDS && 2 * count >= most;
    ends.into_iter().find(|(_, count)| tells(*count)).map(|(item, _)| said(item))
}
