//! Which lines a resume would send, in which order, and why the others not.
//!
//! Follows the newest program: parents from the active leaf, parallel tools gathered around their
//! response, cut at the last compaction boundary, lines preserved by it put behind its summary.

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::nodes::NodeKind;
use super::trail::Trail;
use super::tree::Tree;

/// Why a line is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is sent.
    Live,
    /// Replaced by the boundary with that index.
    Replaced(u32),
    /// What the harness noted below the line from which the conversation goes on.
    Below,
    /// On a branch that was left.
    Branch,
    /// Of the side session that began with the line of that index.
    Side(u32),
    /// Another line has the same uuid and comes later.
    Duplicate,
}

const LIVE: u32 = 0;
const BRANCH: u32 = 1;
const DUPLICATE: u32 = 2;
const BELOW: u32 = 3;
/// From here on it is the index of the boundary that is told.
const REPLACED: u32 = 4;
/// From here on it is that of the line with which a side session began.
const SIDE: u32 = 1 << 31;

/// What becomes of each line with a uuid, by its index.
pub(super) struct Fates {
    of: Vec<u32>,
    /// What boundaries replaced: by boundary, then in file order.
    replaced: Vec<u32>,
    /// Place in the live view; empty if that is the order of the file.
    pub ranks: Vec<u32>,
    /// For each line the smallest rank from it on; empty with `ranks`.
    pub floors: Vec<u32>,
    /// Lines that others of their response follow.
    pub followed: Bits,
    /// How many missing parents had to be bridged.
    pub bridged: u64,
}

impl Fates {
    /// Returns what becomes of a line.
    pub(super) fn of(&self, index: u32) -> Option<Fate> {
        Some(match *self.of.get(index as usize)? {
            LIVE => Fate::Live,
            BRANCH => Fate::Branch,
            DUPLICATE => Fate::Duplicate,
            BELOW => Fate::Below,
            side if side >= SIDE => Fate::Side(side - SIDE),
            boundary => Fate::Replaced(boundary - REPLACED),
        })
    }

    /// Returns the lines that a boundary replaced, in file order.
    pub(super) fn replaced(&self, boundary: u32) -> &[u32] {
        let by = |index: &u32| self.of[*index as usize];
        let from = self.replaced.partition_point(|index| by(index) < REPLACED + boundary);
        let count = self.replaced[from..].partition_point(|index| by(index) == REPLACED + boundary);
        &self.replaced[from..from + count]
    }
}

/// Decides what becomes of each line.
pub(super) fn fates(tree: Tree<'_>) -> Fates {
    let mut walk = Walk::new(tree);
    let (mut path, mut live) = (Trail::default(), Bits::default());
    let leaf = walk.leaf();
    if let Some(leaf) = leaf {
        walk.path(leaf, None, &Bits::default(), &mut path);
    }
    let (mut last, mut is_in_file_order) = (0, true);
    walk.order(&path, &mut live, |index| {
        is_in_file_order &= last <= index;
        last = index;
    });
    let mut of = walk.first_fates(&live);
    walk.replace(&mut of);
    leaf.into_iter().for_each(|leaf| walk.below(leaf, &mut of));
    walk.tree.forget_parents();
    let (ranks, floors) = match is_in_file_order {
        true => (Vec::new(), Vec::new()),
        false => walk.ranks(&path, &live),
    };
    let Walk { tree: Tree { followed, .. }, bridged, .. } = walk;
    let is_replaced = |index: &usize| (REPLACED..SIDE).contains(&of[*index]);
    let replaced = (0..of.len()).filter(is_replaced).filter_map(|index| u32::try_from(index).ok());
    let mut replaced: Vec<u32> = replaced.collect();
    replaced.sort_by_key(|index| of[*index as usize]);
    Fates { of, replaced, ranks, floors, followed, bridged }
}

/// Goes through a tree.
struct Walk<'n> {
    tree: Tree<'n>,
    /// Parents that a preserved segment changed.
    moved: FxHashMap<u32, u32>,
    /// Indexes by time, made when a parent is missing.
    by_time: Vec<u32>,
    bridged: u64,
}

impl<'n> Walk<'n> {
    fn new(tree: Tree<'n>) -> Self {
        let mut walk = Self { tree, moved: FxHashMap::default(), by_time: Vec::new(), bridged: 0 };
        walk.preserve();
        walk
    }

    fn kind(&self, index: u32) -> NodeKind {
        self.tree.nodes.kind(index)
    }

    /// Puts each preserved segment between its summary and what followed that.
    fn preserve(&mut self) {
        let segments = self.tree.named.segments.iter();
        let ends = segments.filter_map(|kept| Some((kept.anchor?, (kept.head?, kept.tail?))));
        let ends: FxHashMap<u32, (u32, u32)> = ends.collect();
        if ends.is_empty() {
            return;
        }
        for index in 0..self.tree.count() {
            let kept = self.tree.parent(index).and_then(|parent| ends.get(&parent));
            if let Some((_, tail)) = kept.filter(|(head, _)| *head != index) {
                self.moved.insert(index, *tail);
            }
        }
        self.moved.extend(ends.into_iter().map(|(anchor, (head, _))| (head, anchor)));
    }

    fn parent(&self, index: u32) -> Option<u32> {
        self.moved.get(&index).copied().or_else(|| self.tree.parent(index))
    }

    /// Returns the line from which the conversation goes on.
    fn leaf(&self) -> Option<u32> {
        let last = (0..self.tree.count()).rev().find(|index| {
            let kind = self.kind(*index);
            !matches!(kind, NodeKind::Link | NodeKind::Boundary) && self.tree.counts(*index)
        })?;
        match self.tree.named.pointer {
            Some(pointed) if !self.descends(last, pointed) && !self.is_beside(last, pointed) => {
                Some(pointed)
            }
            _ => Some(last),
        }
    }

    /// Whether `pointed` is a call, or stands for a result, of a response through which the conversation
    /// goes on to `last` by another call or result: calls that one response makes in a chain are no
    /// rewind from each other. Those that stand beside each other are; so the program takes them.
    fn is_beside(&self, last: u32, pointed: u32) -> bool {
        let call = match self.talk_above(pointed).map(|talk| (talk, self.kind(talk))) {
            Some((result, NodeKind::Result)) => self.tree.call(result),
            Some((line, NodeKind::Assistant)) if line == pointed => Some(line),
            _ => None,
        };
        let is_call = |line: &u32| !self.tree.results_of(*line, 0).0.is_empty();
        let call = call.filter(|call| is_call(call) && self.tree.response(*call).is_some());
        let Some(call) = call else { return false };
        let mut lines = Vec::new();
        self.tree.lines_of_response(call, &mut lines);
        let mut above = Bits::default();
        for index in self.up(pointed) {
            above.insert(index);
        }
        let after = self.up(last).take_while(|index| !above.has(*index)).last();
        let meeting = after.and_then(|after| self.parent(after));
        let Some((after, meeting)) = after.zip(meeting) else { return false };
        let goes_on = self.kind(after) == NodeKind::Result || lines.contains(&after);
        goes_on && lines.contains(&meeting) && is_call(&meeting)
    }

    /// Returns the line of talk below which the harness noted `index`, itself if it is one.
    fn talk_above(&self, index: u32) -> Option<u32> {
        self.up(index).find(|index| self.kind(*index) != NodeKind::Link)
    }

    /// Returns a line, its parent, and so on to the root.
    fn up(&self, from: u32) -> impl Iterator<Item = u32> {
        let most = self.tree.count() as usize;
        std::iter::successors(Some(from), |index| self.parent(*index)).take(most)
    }

    fn descends(&self, from: u32, ancestor: u32) -> bool {
        self.up(from).any(|index| index == ancestor)
    }

    /// Goes from `leaf` to the root, or to the last boundary.
    ///
    /// With a boundary it is the history before that: it hangs together by the parents on disk;
    /// what a boundary preserved has new ones only for the context after it. It goes back to what
    /// was `walked` for an earlier boundary: the rest is that one's history.
    fn path(&mut self, leaf: u32, before: Option<u32>, walked: &Bits, path: &mut Trail) {
        path.clear();
        let mut at = Some(leaf);
        while let Some(index) = at.filter(|index| !walked.has(*index) && path.pass(*index)) {
            if self.kind(index) == NodeKind::Boundary {
                break;
            }
            let parent = match before {
                Some(limit) => self.tree.parent_before(index, limit),
                None => self.parent(index),
            };
            at = parent.or_else(|| self.bridge(index, path));
        }
    }

    /// Returns the line before `index` in time, if its parent is named but not there.
    fn bridge(&mut self, index: u32, path: &Trail) -> Option<u32> {
        let time = |index: u32| self.tree.times.get(index);
        if !self.tree.names_parent(index) || time(index) == 0 {
            return None;
        }
        if self.by_time.is_empty() {
            let is_talk = |index: &u32| self.tree.counts(*index) && time(*index) > 0;
            let mut sorted: Vec<u32> = (0..self.tree.count()).filter(is_talk).collect();
            sorted.sort_by_key(|index| (time(*index), *index));
            self.by_time = sorted;
        }
        let place = (time(index), index);
        let end = self.by_time.partition_point(|other| (time(*other), *other) < place);
        let before = self.by_time[..end].iter().rev().find(|other| !path.has(**other));
        self.bridged += u64::from(before.is_some());
        before.copied()
    }

    /// Gives the lines of a path, each response with all its lines and results together; what is
    /// `taken` is not given again.
    fn order(&self, path: &Trail, taken: &mut Bits, mut give: impl FnMut(u32)) {
        let (mut lines, mut results, mut place) = (Vec::new(), Vec::new(), 0);
        let mut take = |index: u32, taken: &mut Bits| {
            if taken.insert(index) {
                give(index);
            }
        };
        for index in path.backwards() {
            let Some(response) = self.tree.response(index) else {
                take(index, taken);
                continue;
            };
            // A response is taken as a whole.
            if taken.has(response) {
                continue;
            }
            self.tree.lines_of_response(response, &mut lines);
            results.clear();
            for line in &lines {
                take(*line, taken);
                let (found, end) = self.tree.results_of(*line, place);
                results.extend_from_slice(found);
                place = end;
            }
            results.sort_unstable();
            results.iter().for_each(|line| take(*line, taken));
        }
    }

    /// Tells the fates of all lines, without what boundaries replaced.
    fn first_fates(&self, live: &Bits) -> Vec<u32> {
        let fate = |index: u32| match index {
            index if self.tree.nodes.is_side(index) => SIDE + self.tree.side_root(index),
            index if live.has(index) => LIVE,
            index if self.tree.is_earlier(index) => DUPLICATE,
            _ => BRANCH,
        };
        (0..self.tree.count()).map(fate).collect()
    }

    /// Finds for each boundary what stood before it, back to the boundary before.
    fn replace(&mut self, of: &mut [u32]) {
        let (mut walked, mut taken) = (Bits::default(), Bits::default());
        let mut path = Trail::default();
        for boundary in 0..self.tree.count() {
            if self.kind(boundary) != NodeKind::Boundary {
                continue;
            }
            let named = self.tree.history(boundary);
            let Some(start) = named.or_else(|| self.talk_before(boundary)) else { continue };
            self.path(start, Some(boundary), &walked, &mut path);
            walked.extend(path.backwards());
            taken.clear();
            self.order(&path, &mut taken, |index| {
                let fate = &mut of[index as usize];
                *fate = if *fate == BRANCH { REPLACED + boundary } else { *fate };
            });
        }
    }

    /// Marks the lines that hang below `leaf` with no talk between.
    fn below(&self, leaf: u32, of: &mut [u32]) {
        for index in leaf + 1..self.tree.count() {
            let parent = self.parent(index);
            let is_below = |parent: u32| parent == leaf || of[parent as usize] == BELOW;
            let is_link = self.kind(index) == NodeKind::Link && of[index as usize] == BRANCH;
            if is_link && parent.is_some_and(is_below) {
                of[index as usize] = BELOW;
            }
        }
    }

    /// The last line of talk before a boundary that does not say what it follows.
    fn talk_before(&self, boundary: u32) -> Option<u32> {
        (0..boundary).rev().find(|index| self.tree.counts(*index))
    }

    /// Returns the ranks of the live lines and the floors.
    fn ranks(&self, path: &Trail, live: &Bits) -> (Vec<u32>, Vec<u32>) {
        let mut ranks = vec![0; self.tree.count() as usize];
        let mut rank = 0;
        self.order(path, &mut Bits::default(), |index| {
            ranks[index as usize] = rank;
            rank += 1;
        });
        let mut least = u32::MAX;
        let floor = |index: u32| {
            if live.has(index) {
                least = least.min(ranks[index as usize]);
            }
            least
        };
        let mut floors: Vec<u32> = (0..self.tree.count()).rev().map(floor).collect();
        floors.reverse();
        (ranks, floors)
    }
}
