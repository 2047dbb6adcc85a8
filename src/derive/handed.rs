//! The pack with which a session goes on where another one ended.
//!
//! What it quotes of that is evidence of what was asked: it is told as a quotation, never above the words of this
//! session, and what it lists as open was so when this session began.

use std::borrow::Cow;

use serde::Serialize;

use super::fact::{Fact, FactKind};
use super::replied::AgentSaid;
use super::timeline::Timeline;
use super::{Before, Now, Summary, Trust, text, turns};
use crate::model::{
    Body, Compaction, Item, Message, Origin, SentLine, SentPack, besides, goes_on, only_goes_on,
};

/// A pack that was handed to a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Handed {
    /// The session that it is of, as `harness:id`, if it names one.
    pub session: Option<String>,
    /// The beginning of its hash.
    pub hash: Option<String>,
    /// The turn that it came with.
    pub id: String,
    /// Whether the goal is quoted from it, since the user said no more than to go on.
    pub gave_goal: bool,
    /// Whether nothing more was said with it than to go on.
    #[serde(skip)]
    pub(crate) is_bare: bool,
    /// The item that has it.
    #[serde(skip)]
    pub(crate) item: String,
}

impl Handed {
    /// Whether it is of a session with this harness and id.
    pub(super) fn is_of(&self, harness: &str, id: &str) -> bool {
        let named = self.session.as_deref().and_then(|name| name.split_once(':'));
        named.is_some_and(|(of, start)| of == harness && id.starts_with(start))
    }
}

/// A pack in a session, and where it stands.
pub(super) struct Came<'s> {
    text: Cow<'s, str>,
    item: &'s Item<'static>,
    /// The request that it came with; the pack itself where nobody asked for anything.
    request: &'s Item<'static>,
    /// Whether nothing more was said with it than to go on.
    is_bare: bool,
    /// Whether it was said to go on with it: else nothing that it lists is of this session.
    is_taken: bool,
}

/// Words of the user with their turn.
pub(super) type Asked = (String, String);

/// What stands behind what must hold by a pack.
const BY_PACK: &str = " (by that pack)";
/// What of it is told where it gave the goal, so that a summary which it is says it no more; what stands above the
/// first heading is its tag.
const TOLD: [&str; 5] = ["", "Now", "Open work", "Said by the user", "Decided by the user"];
/// How many lines of a list are taken over.
const MOST: usize = 20;

/// Returns the pack that was handed to a session: the newest that the user sent without more than a nod, else the
/// one with the first request, else what the harness put before a first request that only nods, or where there is none.
pub(super) fn came<'s>(timeline: &Timeline<'s>) -> Option<Came<'s>> {
    let sent = |(item, message): (&'s Item<'static>, &'s Message<'static>)| {
        let text = message.sent();
        SentPack::first_in(&text)?;
        let beside = besides(&text);
        let (is_bare, is_taken) = (only_goes_on(&beside), goes_on(&beside));
        Some(Came { text, item, request: item, is_bare, is_taken })
    };
    let Some(first) = timeline.requests().next() else {
        return timeline.items.iter().find_map(|item| put(item, item));
    };
    let bare = timeline.requests().rev().filter_map(sent).find(|came| came.is_bare);
    bare.or_else(|| sent(first)).or_else(|| before(timeline, first))
}

/// Whose words can be a pack that nobody sent: of a conversion it is the summary of what did not fit.
const PUT: [Origin; 2] = [Origin::Harness, Origin::Summary];

/// Returns a pack that the harness put before the first request, if that only nods; a file that holds one is none.
fn before<'s>(
    timeline: &Timeline<'s>,
    (request, message): (&'s Item<'static>, &'s Message<'static>),
) -> Option<Came<'s>> {
    let mut earlier = timeline.items.iter().take_while(|item| !std::ptr::eq(**item, request));
    only_goes_on(&message.words()).then(|| earlier.find_map(|item| put(item, request)))?
}

/// Returns the pack with which an item begins that nobody sent.
fn put<'s>(item: &'s Item<'static>, request: &'s Item<'static>) -> Option<Came<'s>> {
    let text = match &item.body {
        Body::Notice { text: Some(text), .. } => text.plain(),
        Body::Message(message) if PUT.contains(&message.origin) => message.plain(),
        Body::Compaction(Compaction { summary: Some(text), .. }) => text.plain(),
        _ => return None,
    };
    SentPack::at_start(&text)?;
    Some(Came { text, item, request, is_bare: true, is_taken: true })
}

impl<'s> Came<'s> {
    fn pack(&self) -> Option<SentPack<'_>> {
        SentPack::first_in(&self.text)
    }

    /// Returns it where the session goes on with it.
    fn taken(&self) -> Option<SentPack<'_>> {
        self.pack().filter(|_| self.is_taken)
    }

    fn id(&self) -> String {
        turns::id(self.request.turn)
    }

    /// Says of which session it is.
    pub(super) fn handed(&self, newest: Option<&Item<'_>>) -> Handed {
        let pack = self.pack();
        Handed {
            session: pack.and_then(|pack| pack.session()).map(str::to_owned),
            hash: pack.and_then(|pack| pack.hash()).map(str::to_owned),
            id: self.id(),
            gave_goal: self.is_bare
                && newest.is_none_or(|newest| newest.id == self.request.id)
                && pack.is_some_and(|pack| pack.goal().is_some()),
            is_bare: self.is_bare,
            item: self.item.id.to_string(),
        }
    }

    /// Whether what is asked for is known: it does not stand in a pack alone that cannot be read.
    pub(super) fn is_known(&self, now: &Now) -> bool {
        !self.is_bare || now.goal_id != self.id() || !self.quoted().is_empty()
    }

    /// Returns a request, and the ones that the pack quotes if it came with that, the newest first; a nod stands for
    /// what it quotes.
    pub(super) fn asked(&self, item: &Item<'_>, own: Asked) -> Vec<Asked> {
        if item.id != self.request.id {
            return vec![own];
        }
        let quoted = self.asks();
        let own = Some(own).filter(|_| !self.is_bare || quoted.is_empty());
        own.into_iter().chain(quoted).collect()
    }

    /// Whether it says that what was asked for has no answer yet.
    pub(super) fn is_unanswered(&self) -> bool {
        self.taken().is_some_and(|pack| pack.is_unanswered())
    }

    /// Returns the requests that it quotes with their turn, the newest first.
    pub(super) fn asks(&self) -> Vec<Asked> {
        self.quoted().into_iter().map(|words| (self.id(), words)).collect()
    }

    /// Returns the requests that it quotes, the newest first.
    fn quoted(&self) -> Vec<String> {
        let pack = self.taken();
        let goal = pack.and_then(|pack| pack.goal());
        let before = pack.filter(|_| goal.is_some()).and_then(|pack| pack.before());
        goal.into_iter().chain(before).collect()
    }

    /// Whether words are of a request that it quotes.
    pub(super) fn quotes(&self, before: &Before) -> bool {
        before.id == self.id() && self.quoted().contains(&before.text)
    }

    /// Returns the request that it quotes as the one before its goal.
    pub(super) fn before(&self) -> Option<Before> {
        let text = self.quoted().into_iter().nth(1)?;
        Some(Before { id: self.id(), text, is_quoted: true, ..Before::default() })
    }

    /// Returns what the agent had said before its goal.
    pub(super) fn replies_to(&self) -> Option<AgentSaid> {
        let text = self.taken()?.replies_to()?;
        let item = self.item.id.to_string();
        Some(AgentSaid {
            id: self.id(),
            text,
            item,
            is_needed: true,
            is_named: false,
            is_near: false,
            is_bare: false,
        })
    }

    /// Returns what it says must hold in the end, but for what is known.
    pub(super) fn acceptance(&self, known: &[String]) -> Vec<String> {
        let lines = self.taken().into_iter().flat_map(|pack| pack.acceptance().take(MOST));
        let by_pack = |line: &str| line.trim_end_matches(BY_PACK).to_owned() + BY_PACK;
        let lines = lines.map(|line| text::line(line, 200));
        lines.filter(|line| !known.contains(line)).map(|line| by_pack(&line)).collect()
    }

    /// Returns a summary less what is told of it as of a pack that gave the goal.
    pub(super) fn less_told(&self, mut summary: Summary, gave_goal: bool) -> Option<Summary> {
        if gave_goal && summary.id == self.item.id {
            summary.sections.retain(|section| !TOLD.contains(&section.title.as_str()));
        }
        (!summary.sections.is_empty()).then_some(summary)
    }

    /// Returns what it lists as open work, and the item that has it.
    pub(super) fn open(&self) -> (Vec<SentLine>, &'s str) {
        let mut lines = self.taken().map(|pack| pack.listed("Open work")).unwrap_or_default();
        lines.truncate(MOST);
        (lines, &self.item.id)
    }

    /// Returns what it quotes of the user that binds the work, and decided it.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let Some(pack) = self.taken() else { return Vec::new() };
        let place = (self.request.turn, self.item.id.as_ref());
        let over = ["done", "superseded", "stale"].map(|state| format!(", {state})"));
        let holds = |line: &SentLine| !over.iter().any(|state| line.behind.ends_with(state));
        let said = pack.listed("Said by the user").into_iter().filter(holds).map(|line| {
            let kind = match line.behind.contains("C-") {
                true => FactKind::Constraint,
                false => FactKind::Directive,
            };
            Fact::new(kind, Trust::C, line.text, place)
        });
        // Its id stands before what was decided.
        let decided = pack.listed("Decided by the user").into_iter().filter_map(|line| {
            let kind = line.text.split(' ').next().filter(|kind| !kind.is_empty())?;
            let (_, what) = line.behind.split_once("): ")?;
            let text = format!("{kind}: {what}");
            Some(Fact::new(FactKind::Directive, Trust::C, text, place))
        });
        said.take(MOST).chain(decided.take(MOST)).collect()
    }
}
