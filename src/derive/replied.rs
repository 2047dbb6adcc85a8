//! What a request is the reply to.

use serde::Serialize;

use super::ended::Ends;
use super::gist::{answers, is_numbered};
use super::outcomes::has_verb;
use super::read_out::read_out;
use super::timeline::{Done, Timeline};
use super::turns::{self, Step};
use super::{Facts, tagged, telling, text, words};
use crate::model::{Action, Body, Item, Message, Origin, QUESTION_MARKS, is_command};

/// What the agent said: a question, what can be chosen, what was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentSaid {
    /// Its turn.
    pub id: String,
    /// What it said, cut in the middle.
    pub text: String,
    /// The item.
    #[serde(skip)]
    pub(crate) item: String,
    /// Whether what comes next hangs on it: nothing was done for the request that replies to it, which can
    /// hardly be understood alone, or hardly anything, and it orders what it does not name; or the session ends with it.
    #[serde(skip)]
    pub(crate) is_needed: bool,
    /// Whether the request names what stands in it, and not what that is: "the 4 things", "what you suggested",
    /// answers its points by their numbers, or says yes before all else.
    #[serde(skip)]
    pub(crate) is_named: bool,
    /// Whether hardly anything was done for the request, and what it is about may well be what stands in it.
    #[serde(skip)]
    pub(crate) is_near: bool,
    /// Whether the request names nothing, and is in a language in which nobody knows here what it refers to.
    #[serde(skip)]
    pub(crate) is_bare: bool,
}

/// How many characters of it are kept.
pub(super) const MOST_CHARS: usize = 12_000;
/// A request of fewer words hardly says by itself what it is about.
const SHORT_WORDS: usize = 12;
/// One of fewer only says yes, or which.
const NOD_WORDS: usize = 6;
/// One of fewer that agrees first may mean with "it" what the agent had said.
const ORDER_WORDS: usize = 24;

/// A request of fewer words is mostly about what was said before.
const BOUND_WORDS: usize = 40;

/// An answer of fewer words that asks nothing hardly says what a request after it is about, where it tells of work.
const BRIEF_WORDS: usize = 25;
/// One of fewer never does.
const NOTE_WORDS: usize = 6;

/// Returns what the agent had said last before the current request, where that helps to understand it:
/// nothing was done for it yet, as `waits` says, or hardly anything; it is short, it names what was said or agrees to it
/// before all else.
pub(super) fn replied(timeline: &Timeline<'_>, goal: &str, waits: bool) -> Option<AgentSaid> {
    let is_brief = text::word_count(goal) < SHORT_WORDS || words::stands_for(goal);
    let is_short = is_brief && !is_command(goal);
    let is_named = words::refers_back(goal);
    // Who says yes to a question and goes on with something else has said yes.
    let assents = words::opens_with_assent(goal);
    // Who agrees and then orders in few words something with "it" means what was said.
    let is_few = text::word_count(goal) < ORDER_WORDS;
    let orders = is_few && words::begins_with_assent(goal) && words::has_pronoun(goal);
    let is_numbered = is_numbered(goal);
    let (request, _) = timeline.requests().next_back()?;
    let is_near = waits || !is_command(goal) && has_hardly_begun(timeline, request);
    // So few words can be the answer to a question.
    if !(is_near || is_short || is_named || is_numbered || assents || is_few) {
        return None;
    }
    let (item, message) = said_before(timeline, request)?;
    let words = text::plain(&message.plain());
    let (item, words) = telling(timeline, goal, (item, words));
    let (item, words) = holding(timeline, goal, (item, words));
    let is_named = is_named || is_numbered && answers(&words, goal);
    let nods = text::word_count(goal) < NOD_WORDS && asks_last(&words);
    let question = end_of(&words);
    let is_told = is_few && !is_command(goal) && words::asks_user(question);
    let answers = is_told && is_about(goal, question);
    let agrees = assents && asks_last(&words);
    let is_named = is_named || nods || is_near && agrees;
    let is_needed =
        is_named || waits && (is_short || asks(&words)) || is_near && orders_unnamed(goal);
    let helps = is_near || is_short || is_named || orders || answers || agrees;
    (helps && !words.trim().is_empty()).then(|| AgentSaid {
        id: turns::id(item.turn),
        text: text::clip(&tagged::answer(&words), MOST_CHARS),
        item: item.id.to_string(),
        is_needed,
        is_named,
        is_near: is_near && (is_short || is_bound(goal) || asks(&words)),
        is_bare: is_bare(goal),
    })
}

/// Whether a request names nothing, and is in a language in which nobody knows here what it refers to.
fn is_bare(goal: &str) -> bool {
    let is_foreign = |c: char| c.is_alphabetic() && !c.is_ascii();
    !is_command(goal) && !names(goal) && (goal.contains(is_foreign) || !words::is_english(goal))
}

/// Whether a request orders what it does not name: "make the edits", "run it". That the agent has begun with it takes
/// nothing from that.
fn orders_unnamed(goal: &str) -> bool {
    let count = text::word_count(goal);
    let is_short = count < SHORT_WORDS && !is_command(goal);
    words::stands_for(goal)
        || is_short && words::has_pronoun(goal) && !asks(goal)
        || count < NOD_WORDS && is_bare(goal)
}

/// Returns what the agent had said before a request, to which that is the reply.
pub(super) fn said_before<'t>(
    timeline: &'t Timeline<'_>,
    request: &Item<'_>,
) -> Option<(&'t Item<'t>, &'t Message<'t>)> {
    let before = timeline.items.iter().rev().skip_while(|item| !std::ptr::eq(**item, request));
    // What the user said in several messages is one reply, also where the agent had hardly begun to answer.
    let mut is_stopped = false;
    let before = before.skip(1).skip_while(|item| {
        is_stopped |= matches!(&item.body, Body::Notice { kind, .. } if kind == "interrupted");
        item.is_by_human() || is_stopped && is_begun(item)
    });
    let talk = before.filter_map(|item| match &item.body {
        Body::Message(message) => Some((item, message)),
        _ => None,
    });
    let mut talk = talk.take_while(|(_, message)| message.origin != Origin::Human);
    let (item, message) = talk.find(|(_, message)| message.is_by_model())?;
    // What is typed while the agent works answers what it said when it last came to an end.
    let asked = asks_last(&text::plain(&message.plain()));
    let at_work = !is_stopped && !asked && began_work(timeline, item, request);
    let ended = if at_work { last_end(timeline, item) } else { None };
    Some(ended.unwrap_or((item, message)))
}

/// Returns what the agent had said, or where that says hardly anything and the request stands for something,
/// what it had said before.
fn telling<'t>(
    timeline: &'t Timeline<'_>,
    goal: &str,
    (item, words): (&'t Item<'t>, String),
) -> (&'t Item<'t>, String) {
    let says = |words: &str| text::word_count(words) >= BRIEF_WORDS;
    let stands = words::has_pronoun(goal) || words::refers_back(goal);
    if says(&words) || names(&words) || asks_last(&words) || !stands {
        return (item, words);
    }
    if words::suggests(&words) && text::word_count(&words) >= NOTE_WORDS {
        return (item, words);
    }
    // Where nothing was done, a few words can be what was found.
    let mut of_turn = timeline.own().rev().skip_while(|done| done.item.turn > item.turn);
    let has_worked = of_turn
        .by_ref()
        .take_while(|done| done.item.turn == item.turn)
        .any(|it| works(timeline, &it));
    let asked = timeline.requests().rev().find(|(asked, _)| asked.line < item.line);
    let asked = asked.map(|(_, message)| message.words().into_owned()).unwrap_or_default();
    // What it said on its way only leads on where a part of it does.
    let leads_on = || is_interim(item) && words::goes_on(&words);
    let says_nothing = || words::says_nothing_new(&words, &asked) || leads_on();
    let finds = text::word_count(&words) >= NOTE_WORDS && !says_nothing();
    if !has_worked && finds {
        return (item, words);
    }
    let before = last_end(timeline, item);
    let before = before.map(|(item, message)| (item, text::plain(&message.plain())));
    before.filter(|(_, words)| says(words)).unwrap_or((item, words))
}

/// Returns what the agent had said, or where the request names a point by its number that only an earlier answer
/// holds, "the first one is #288", that answer.
fn holding<'t>(
    timeline: &'t Timeline<'_>,
    goal: &str,
    said: (&'t Item<'t>, String),
) -> (&'t Item<'t>, String) {
    let points = telling::points(goal);
    let holds = |words: &str| !points.is_disjoint(&telling::points(words));
    // Who agrees means what was said last, if that asks or proposes something.
    let assents =
        words::begins_with_assent(goal) && (asks_last(&said.1) || words::suggests(&said.1));
    if points.is_empty() || is_command(goal) || assents || holds(&said.1) {
        return said;
    }
    let about = telling::words(goal);
    let shared = |words: &str| about.intersection(&telling::words(words)).count();
    let mut from = said.0;
    for _ in 0..MOST_BACK {
        let Some((item, message)) = last_end(timeline, from) else { break };
        let words = text::plain(&message.plain());
        // What the request is about otherwise stays.
        if holds(&words) {
            return if shared(&words) < shared(&said.1) { said } else { (item, words) };
        }
        from = item;
    }
    said
}

/// Whether a call changed a file, or did something that others see.
fn works(timeline: &Timeline<'_>, done: &Done<'_>) -> bool {
    matches!(done.call.action.as_deref(), Some(Action::Edit { .. }))
        || timeline.parts(done).iter().any(|part| has_verb(part))
}

/// After so many deeds what comes next hangs on these.
const MOST_DEEDS: usize = 8;

/// Whether the agent has done hardly anything for a request, and has not ended its turn since: that it looked at
/// something, and says that it does, takes nothing from what the request replies to.
fn has_hardly_begun(timeline: &Timeline<'_>, request: &Item<'_>) -> bool {
    let since = timeline.items.iter().rev().take_while(|item| !std::ptr::eq(**item, request));
    let mut ends = Ends::default();
    if since.into_iter().any(|item| ends.at(item)) {
        return false;
    }
    let since = timeline.own().rev().take_while(|done| done.item.line > request.line);
    since.filter(|done| works(timeline, done)).nth(MOST_DEEDS - 1).is_none()
}

/// Whether a request of no more than some words brings nothing that it is about: no page, no command of its own.
fn is_bound(goal: &str) -> bool {
    text::word_count(goal) < BOUND_WORDS && !is_command(goal) && !goal.contains("://")
}

/// Whether the agent said an item in the middle of its turn.
fn is_interim(item: &Item<'_>) -> bool {
    matches!(&item.body, Body::Message(message) if message.interim)
}

/// Whether words name something, by a number, a link, a name in code or one with a capital letter: that can
/// be what a request stands for.
fn names(words: &str) -> bool {
    let marks = |c: char| c.is_numeric() || matches!(c, '`' | '/' | '#' | '@');
    let is_name = |word: &&str| word.starts_with(char::is_uppercase) && !is_of_agent(word);
    words.contains(marks)
        || words::sentences(words)
            .iter()
            .any(|one| one.split_whitespace().skip(1).any(|word| is_name(&word)))
}

/// Whether a word is "I", or begins with it: "I've".
fn is_of_agent(word: &str) -> bool {
    word.split(|c: char| !c.is_alphanumeric()).next() == Some("I")
}

impl Facts {
    /// Takes what the card tells out of the steps of its turn.
    pub fn leave_to_card(&mut self) {
        // Without a goal there is no card for the reply to it.
        let replied = self.now.replies_to.as_ref().filter(|_| !self.now.goal.is_empty());
        for said in replied.into_iter().chain(&self.now.last_words) {
            let is_it = |step: &Step| step.said && step.evidence.first() == Some(&said.item);
            for turn in self.turns.iter_mut().filter(|turn| turn.id == said.id) {
                turn.steps.retain(|step| !is_it(step));
                let told = turn.outcome.trim_end_matches('…');
                if !told.is_empty() && read_out(&said.text, usize::MAX).contains(told) {
                    turn.outcome.clear();
                }
            }
        }
    }
}

/// An answer of fewer words that the user stopped had only begun.
const BEGUN_WORDS: usize = 4;

/// How many requests back words are looked for with which the agent came to an end.
const MOST_BACK: usize = 3;

/// Whether the agent called something between what it said and a request.
fn began_work(timeline: &Timeline<'_>, said: &Item<'_>, request: &Item<'_>) -> bool {
    let since = timeline.items.iter().rev().skip_while(|item| !std::ptr::eq(**item, request));
    let mut since = since.take_while(|item| !std::ptr::eq(**item, said));
    since.any(|item| matches!(item.body, Body::ToolCall(_)))
}

/// Returns the words with which the agent came to an end last before an item: a request follows, and no call
/// stands between.
fn last_end<'t>(
    timeline: &'t Timeline<'_>,
    from: &Item<'_>,
) -> Option<(&'t Item<'t>, &'t Message<'t>)> {
    let before = timeline.items.iter().rev().skip_while(|item| !std::ptr::eq(**item, from));
    let (mut requests, mut follows) = (0, false);
    for item in before.skip(1) {
        match &item.body {
            Body::Message(message) if message.origin == Origin::Human => {
                requests += usize::from(!follows);
                follows = true;
            }
            Body::Message(message) if follows && message.is_by_model() => {
                return Some((item, message));
            }
            Body::ToolCall(_) if requests == MOST_BACK => return None,
            Body::ToolCall(_) | Body::ToolResult(_) => follows = false,
            _ => {}
        }
    }
    None
}

/// Whether an item is none by which an answer came to say or do something.
fn is_begun(item: &Item<'_>) -> bool {
    match &item.body {
        Body::Message(message) if message.is_by_model() => {
            text::word_count(&message.plain()) < BEGUN_WORDS
        }
        Body::Message(message) => message.origin == Origin::Harness,
        Body::ToolCall(_) | Body::ToolResult(_) => false,
        _ => true,
    }
}

/// Whether words end with a question.
fn asks(words: &str) -> bool {
    words.trim_end().ends_with(QUESTION_MARKS)
}

/// Whether a question stands in their last paragraph.
fn asks_last(words: &str) -> bool {
    end_of(words).contains(QUESTION_MARKS)
}

fn end_of(words: &str) -> &str {
    words.trim_end().rsplit("\n\n").next().unwrap_or_default()
}

/// A word of so many letters says alone what a request is about.
const TELLING_CHARS: usize = 7;

/// Whether a request has telling words of a question, be it in another form.
fn is_about(words: &str, question: &str) -> bool {
    let asked = telling::words(question);
    let is_form = |one: &str, other: &str| one.starts_with(other) || other.starts_with(one);
    let request = telling::words(words);
    let shared = request.iter().filter(|word| asked.iter().any(|other| is_form(word, other)));
    let shared: Vec<_> = shared.collect();
    let is_few = text::word_count(words) < SHORT_WORDS;
    shared.len() > 1 || is_few && shared.iter().any(|word| word.chars().count() >= TELLING_CHARS)
}
