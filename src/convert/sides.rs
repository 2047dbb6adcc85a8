//! Side sessions as conversations of their own, each below the session whose call began it.

use std::collections::HashMap;

use super::{Names, Options, whole};
use crate::model::{Body, Conversation, Git, Header, Item, Side, SideSession};
use crate::note::{LossKind, Losses};

/// How deep side sessions of side sessions are followed.
const MAX_DEPTH: usize = 8;

/// The items of one side session.
#[derive(Default)]
pub(super) struct Group {
    id: String,
    /// What is known of it besides its items.
    known: Option<SideSession<'static>>,
    /// The side session in which that is said; nothing for the main session.
    within: Option<String>,
    items: Vec<Item<'static>>,
    /// How many items stand for it.
    count: u64,
}

/// Takes the items of side sessions out of those of a session.
pub(super) fn split(items: Vec<Item<'static>>) -> (Vec<Item<'static>>, Vec<Group>) {
    if items.iter().all(Item::is_own) {
        return (items, Vec::new());
    }
    let (mut main, mut groups) = (Vec::new(), Vec::<Group>::new());
    let mut places = HashMap::<String, usize>::new();
    for item in items {
        let of = match &item.body {
            Body::SideSession(side) => Some(side.id.to_string()),
            _ => item.side_session.as_deref().map(str::to_owned),
        };
        let Some(id) = of else {
            main.push(item);
            continue;
        };
        let at = *places.entry(id).or_insert_with_key(|id| {
            groups.push(Group { id: id.clone(), ..Group::default() });
            groups.len() - 1
        });
        groups[at].take(item);
    }
    (main, groups)
}

impl Group {
    fn take(&mut self, item: Item<'static>) {
        self.count += 1;
        match item.body {
            Body::SideSession(side) if self.known.is_none() => {
                let within = item.side_session.filter(|within| *within != self.id);
                self.within = within.map(std::borrow::Cow::into_owned);
                self.known = Some(side);
            }
            _ => self.items.push(item),
        }
    }

    /// Makes the conversation, and tells the calls in it.
    fn converted(self, main: &Header, options: &Options<'_>) -> Made {
        let Self { id, known, within, items, count } = self;
        let (items, has_summary) = live(items);
        // Of what only its provider can read no summary is made: all that it replaced is sent.
        let full_history = options.full_history || (!has_summary && !options.same);
        let mut losses = Losses::default();
        let header = header(&id, &items, main);
        let options = Options { full_history, ..*options };
        let (conversation, calls) = whole(header, items, &options, &mut losses);
        let (call, agent, title) = known.map_or((None, None, None), |known| {
            let own = |text: std::borrow::Cow<'_, str>| text.into_owned();
            let title = known.title.map(|title| title.plain().into_owned());
            (known.call_id.map(own), known.agent.map(own), title)
        });
        let side = Side { id, call_id: None, agent, title, items: count, conversation, losses };
        Made { side, call, within, calls }
    }
}

/// Makes items live as if their session were a main one; tells whether its last compaction has a
/// summary, if there was one.
fn live(mut items: Vec<Item<'static>>) -> (Vec<Item<'static>>, bool) {
    let last = items.iter().rposition(|item| matches!(item.body, Body::Compaction(_)));
    let by = last.map(|at| (at, items[at].id.clone()));
    let has_summary = last.is_none_or(|at| {
        matches!(&items[at].body, Body::Compaction(compaction) if compaction.summary.is_some())
    });
    for (place, item) in items.iter_mut().enumerate() {
        item.side_session = None;
        item.rank = u32::try_from(place).unwrap_or(u32::MAX);
        if item.dropped_by.as_deref() == Some("side_session") {
            let by = by.as_ref().filter(|(at, _)| place < *at);
            item.dropped_by = by.map(|(_, id)| id.clone());
            item.live = by.is_none();
        }
    }
    (items, has_summary)
}

/// Says of a side session what is its own, not what is known of the main session alone.
fn header(id: &str, items: &[Item<'_>], main: &Header) -> Header {
    let mut times = items.iter().filter_map(|item| item.ts.as_deref());
    let first = times.next().map(str::to_owned);
    let last = times.next_back().map(str::to_owned);
    Header {
        id: id.to_owned(),
        parent: Some(main.id.clone()),
        is_side: true,
        title: None,
        model: None,
        git: Git::default(),
        ended_at: last.or_else(|| first.clone()),
        started_at: first.or_else(|| main.started_at.clone()),
        ..main.clone()
    }
}

/// A side session that has no place yet.
struct Made {
    side: Side,
    /// The call that began it, by the source's id.
    call: Option<String>,
    within: Option<String>,
    /// The calls in it.
    calls: Names,
}

/// Makes conversations of side sessions, each below the one whose call began it.
///
/// Those that have no words, or whose call is not carried, are lost.
pub(super) fn sides(
    main: &Conversation,
    calls: &Names,
    groups: Vec<Group>,
    options: &Options<'_>,
    losses: &mut Losses,
) -> Vec<Side> {
    let made = groups.into_iter().map(|group| group.converted(&main.header, options));
    let mut made: Vec<_> = made.collect();
    let parents = parents(&mut made, calls);
    let mut below = HashMap::<usize, Vec<usize>>::new();
    for (at, parent) in parents.into_iter().enumerate() {
        if let Some(parent) = parent.filter(|_| made[at].side.conversation.has_words()) {
            below.entry(parent).or_default().push(at);
        }
    }
    let root = made.len();
    let mut waiting: Vec<_> = made.into_iter().map(|made| Some(made.side)).collect();
    let sides = gather(root, &below, &mut waiting, MAX_DEPTH);
    for side in waiting.into_iter().flatten() {
        losses.lose_many(LossKind::SideSession, side.items, &side.id);
    }
    sides
}

/// Tells for each where the call stands that began it, and names that call: the number of the side
/// session, their count for the main one, nothing where the call is not carried.
fn parents(made: &mut [Made], main: &Names) -> Vec<Option<usize>> {
    let root = made.len();
    let mut owners = HashMap::<&str, usize>::new();
    for (at, one) in made.iter().enumerate() {
        for call in one.calls.keys() {
            owners.entry(call).or_insert(at);
        }
    }
    let places: HashMap<&str, usize> =
        made.iter().enumerate().map(|(at, one)| (one.side.id.as_str(), at)).collect();
    let find = |one: &Made| -> Option<(usize, Option<String>)> {
        let Some(call) = &one.call else { return Some((root, None)) };
        let within = one.within.as_deref().and_then(|id| places.get(id).copied());
        let stated = within.and_then(|at| Some((at, made[at].calls.get(call)?.clone())));
        let in_main = || main.get(call).map(|name| (root, name.clone()));
        let anywhere = || {
            let at = *owners.get(call.as_str())?;
            Some((at, made[at].calls.get(call)?.clone()))
        };
        let (at, name) = stated.or_else(in_main).or_else(anywhere)?;
        Some((at, Some(name)))
    };
    let found: Vec<_> = made.iter().map(find).collect();
    let place = |(one, found): (&mut Made, Option<(usize, Option<String>)>)| {
        let (at, name) = found?;
        one.side.call_id = name;
        Some(at)
    };
    made.iter_mut().zip(found).map(place).collect()
}

/// Takes what stands below `parent`, and what stands below that, out of what waits.
fn gather(
    parent: usize,
    below: &HashMap<usize, Vec<usize>>,
    waiting: &mut [Option<Side>],
    depth: usize,
) -> Vec<Side> {
    let Some(children) = below.get(&parent).filter(|_| depth > 0) else { return Vec::new() };
    let mut sides = Vec::new();
    for at in children {
        let Some(mut side) = waiting[*at].take() else { continue };
        side.conversation.sides = gather(*at, below, waiting, depth - 1);
        sides.push(side);
    }
    sides
}
