//! Which lines a resume would send, in which order, and why the others not.
//!
//! Follows the newest program: parents from the active leaf, parallel tools gathered around their
//! response, cut at the last compaction boundary, lines preserved by it put behind its summary.

use rustc_hash::{FxHashMap, FxHashSet};

use super::key::Key;
use super::scan::{Node, NodeKind, Segment};

/// Why a line is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is sent.
    Live,
    /// Replaced by the boundary with that index.
    Replaced(u32),
    /// On a branch that was left.
    Branch,
    /// Of a side session.
    Side,
    /// Another line has the same uuid and comes later.
    Duplicate,
}

/// What becomes of each line with a uuid, by its index.
pub(super) struct Fates {
    pub of: Vec<Fate>,
    /// Place in the live view; empty if that is the order of the file.
    pub ranks: Vec<u32>,
    /// For each line the smallest rank from it on; empty with `ranks`.
    pub floors: Vec<u32>,
    /// For each boundary the lines that it replaced, in file order.
    pub replaced: FxHashMap<u32, Vec<u32>>,
    /// For each line of a side session the line with which it began.
    pub side_roots: FxHashMap<u32, u32>,
    /// How many missing parents had to be bridged.
    pub bridged: u64,
}

/// Decides what becomes of each line.
pub(super) fn fates(nodes: &[Node], segments: &[Segment], pointer: Option<Key>) -> Fates {
    let mut tree = Tree::new(nodes, segments);
    let path = match tree.leaf(pointer) {
        Some(leaf) => tree.path(leaf, None, &[]),
        None => Vec::new(),
    };
    let order = tree.live_order(&path);
    let mut of: Vec<Fate> = nodes.iter().map(|node| tree.lost(node)).collect();
    let duplicates = tree.duplicates();
    duplicates.iter().for_each(|index| of[*index as usize] = Fate::Duplicate);
    order.iter().for_each(|index| of[*index as usize] = Fate::Live);
    let replaced = tree.replaced(&mut of);
    let (ranks, floors) = ranks(&order, nodes.len());
    Fates { of, ranks, floors, replaced, side_roots: side_roots(nodes), bridged: tree.bridged }
}

struct Tree<'n> {
    nodes: &'n [Node],
    by_key: FxHashMap<Key, u32>,
    /// Lines of whose uuid there is a later one.
    earlier: FxHashMap<Key, Vec<u32>>,
    /// Parents that a preserved segment changed.
    moved: FxHashMap<u32, u32>,
    /// The lines of each response.
    groups: FxHashMap<u32, Vec<u32>>,
    /// The results whose call stands on a line.
    results: FxHashMap<u32, Vec<u32>>,
    /// Indexes by time, made when a parent is missing.
    by_time: Vec<u32>,
    bridged: u64,
}

impl<'n> Tree<'n> {
    fn new(nodes: &'n [Node], segments: &[Segment]) -> Self {
        let mut by_key = FxHashMap::default();
        let mut earlier: FxHashMap<Key, Vec<u32>> = FxHashMap::default();
        let keyed = |node: &&Node| node.key != 0 && !node.is_side;
        for (index, node) in (0u32..).zip(nodes).filter(|(_, node)| keyed(node)) {
            if let Some(before) = by_key.insert(node.key, index) {
                earlier.entry(node.key).or_default().push(before);
            }
        }
        let mut tree = Self {
            nodes,
            by_key,
            earlier,
            moved: FxHashMap::default(),
            groups: FxHashMap::default(),
            results: FxHashMap::default(),
            by_time: Vec::new(),
            bridged: 0,
        };
        tree.gather();
        tree.preserve(segments);
        tree
    }

    fn node(&self, index: u32) -> &'n Node {
        &self.nodes[index as usize]
    }

    /// Whether a line counts: not of a side session, not replaced by a later one of its uuid.
    fn counts(&self, index: u32) -> bool {
        let node = self.node(index);
        !node.is_side && (node.key == 0 || self.by_key.get(&node.key) == Some(&index))
    }

    fn find(&self, key: Key) -> Option<u32> {
        if key == 0 { None } else { self.by_key.get(&key).copied() }
    }

    /// Finds the line of a uuid that stands before `limit`: after a compaction some programs write
    /// the lines that they keep once more, with new parents.
    fn find_before(&self, key: Key, limit: u32) -> Option<u32> {
        let last = self.find(key).filter(|index| *index < limit);
        let others = || self.earlier.get(&key)?.iter().rev().find(|index| **index < limit).copied();
        last.or_else(others)
    }

    /// Finds which lines belong to one response, and which results to them.
    fn gather(&mut self) {
        for (index, node) in (0u32..).zip(self.nodes) {
            if !self.counts(index) {
                continue;
            }
            match node.kind {
                NodeKind::Assistant if node.message != 0 => {
                    self.groups.entry(node.message).or_default().push(index);
                }
                NodeKind::Result => {
                    let call = self.find(node.other).or_else(|| self.find(node.parent));
                    if let Some(call) = call {
                        self.results.entry(call).or_default().push(index);
                    }
                }
                _ => {}
            }
        }
    }

    /// Puts each preserved segment between its summary and what followed that.
    fn preserve(&mut self, segments: &[Segment]) {
        let ends = segments.iter().filter_map(|segment| {
            let head = self.find(segment.head)?;
            Some((self.find(segment.anchor)?, (head, self.find(segment.tail)?)))
        });
        let ends: FxHashMap<u32, (u32, u32)> = ends.collect();
        if ends.is_empty() {
            return;
        }
        for (index, node) in (0u32..).zip(self.nodes) {
            let kept = self.find(node.parent).and_then(|parent| ends.get(&parent));
            if let Some((_, tail)) = kept.filter(|(head, _)| *head != index) {
                self.moved.insert(index, *tail);
            }
        }
        self.moved.extend(ends.into_iter().map(|(anchor, (head, _))| (head, anchor)));
    }

    fn parent(&self, index: u32) -> Option<u32> {
        self.moved.get(&index).copied().or_else(|| self.find(self.node(index).parent))
    }

    /// Returns the line from which the conversation goes on.
    fn leaf(&self, pointer: Option<Key>) -> Option<u32> {
        let count = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let last = (0..count).rev().find(|index| {
            let kind = self.node(*index).kind;
            !matches!(kind, NodeKind::Link | NodeKind::Boundary) && self.counts(*index)
        })?;
        let pointed = pointer.and_then(|key| self.find(key));
        match pointed {
            Some(pointed) if !self.descends(last, pointed) => Some(pointed),
            _ => Some(last),
        }
    }

    fn descends(&self, from: u32, ancestor: u32) -> bool {
        let mut at = Some(from);
        for _ in 0..=self.nodes.len() {
            match at {
                Some(index) if index == ancestor => return true,
                Some(index) => at = self.parent(index),
                None => return false,
            }
        }
        false
    }

    /// Returns the lines from the root, or the last boundary, to `leaf`.
    ///
    /// With a boundary it is the history before that: it hangs together by the parents on disk;
    /// what a boundary preserved has new ones only for the context after it. It goes back to what
    /// was `walked` for an earlier boundary: the rest is that one's history.
    fn path(&mut self, leaf: u32, before: Option<u32>, walked: &[bool]) -> Vec<u32> {
        let mut path = Vec::new();
        let mut seen = FxHashSet::default();
        let mut at = Some(leaf);
        let is_walked = |index: u32| walked.get(index as usize) == Some(&true);
        while let Some(index) = at.filter(|index| !is_walked(*index) && seen.insert(*index)) {
            path.push(index);
            if self.node(index).kind == NodeKind::Boundary {
                break;
            }
            let parent = match before {
                Some(limit) => self.find_before(self.node(index).parent, limit),
                None => self.parent(index),
            };
            at = parent.or_else(|| self.bridge(index, &seen));
        }
        path.reverse();
        path
    }

    /// Returns the line before `index` in time, if its parent is named but not there.
    fn bridge(&mut self, index: u32, seen: &FxHashSet<u32>) -> Option<u32> {
        let node = self.node(index);
        if node.parent == 0 || node.time == 0 {
            return None;
        }
        if self.by_time.is_empty() {
            let talk = |index: &u32| self.counts(*index) && self.node(*index).time > 0;
            let count = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
            let mut sorted: Vec<u32> = (0..count).filter(talk).collect();
            sorted.sort_by_key(|index| (self.node(*index).time, *index));
            self.by_time = sorted;
        }
        let place = (node.time, index);
        let end = self.by_time.partition_point(|other| (self.node(*other).time, *other) < place);
        let before = self.by_time[..end].iter().rev().find(|other| !seen.contains(*other));
        self.bridged += u64::from(before.is_some());
        before.copied()
    }

    /// Returns the lines of the path, each response with all its lines and results together.
    fn live_order(&self, path: &[u32]) -> Vec<u32> {
        let mut order = Vec::with_capacity(path.len());
        let mut taken = FxHashSet::default();
        let mut take = |order: &mut Vec<u32>, index: u32| {
            if taken.insert(index) {
                order.push(index);
            }
        };
        let mut gathered = FxHashSet::default();
        for index in path.iter().copied() {
            let node = self.node(index);
            let group = self.groups.get(&node.message).filter(|_| node.message != 0);
            let Some(group) = group else {
                take(&mut order, index);
                continue;
            };
            if !gathered.insert(node.message) {
                continue;
            }
            group.iter().for_each(|line| take(&mut order, *line));
            let mut results: Vec<u32> =
                group.iter().flat_map(|line| self.results.get(line)).flatten().copied().collect();
            results.sort_unstable();
            results.iter().for_each(|line| take(&mut order, *line));
        }
        order
    }

    fn lost(&self, node: &Node) -> Fate {
        if node.is_side { Fate::Side } else { Fate::Branch }
    }

    fn duplicates(&self) -> Vec<u32> {
        let twice = |(index, node): &(u32, &Node)| !node.is_side && !self.counts(*index);
        (0u32..).zip(self.nodes).filter(twice).map(|(index, _)| index).collect()
    }

    /// Finds for each boundary what stood before it, back to the boundary before.
    fn replaced(&mut self, of: &mut [Fate]) -> FxHashMap<u32, Vec<u32>> {
        let is_boundary = |index: &u32| self.node(*index).kind == NodeKind::Boundary;
        let count = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let boundaries: Vec<u32> = (0..count).filter(is_boundary).collect();
        let mut replaced = FxHashMap::default();
        let mut walked = vec![false; self.nodes.len()];
        for boundary in boundaries {
            let node = self.node(boundary);
            let named = self.find_before(node.other, boundary);
            let named = named.or_else(|| self.find_before(node.parent, boundary));
            let start = named.or_else(|| self.talk_before(boundary));
            let Some(start) = start else { continue };
            let path = self.path(start, Some(boundary), &walked);
            path.iter().for_each(|index| walked[*index as usize] = true);
            let mut lines = self.live_order(&path);
            lines.retain(|index| of[*index as usize] != Fate::Live);
            lines.sort_unstable();
            for index in &lines {
                if of[*index as usize] == Fate::Branch {
                    of[*index as usize] = Fate::Replaced(boundary);
                }
            }
            lines.retain(|index| of[*index as usize] == Fate::Replaced(boundary));
            replaced.insert(boundary, lines);
        }
        replaced
    }

    /// The last line of talk before a boundary that does not say what it follows.
    fn talk_before(&self, boundary: u32) -> Option<u32> {
        (0..boundary).rev().find(|index| self.counts(*index))
    }
}

/// Returns the ranks of the live lines and the floors, or nothing if file order is live order.
fn ranks(order: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    if order.is_sorted() {
        return (Vec::new(), Vec::new());
    }
    let mut ranks = vec![0; count];
    for (rank, index) in (0u32..).zip(order) {
        ranks[*index as usize] = rank;
    }
    let is_live: FxHashSet<u32> = order.iter().copied().collect();
    let mut floors = vec![u32::MAX; count];
    let mut least = u32::MAX;
    for index in (0..count).rev() {
        if is_live.contains(&u32::try_from(index).unwrap_or(u32::MAX)) {
            least = least.min(ranks[index]);
        }
        floors[index] = least;
    }
    (ranks, floors)
}

/// Finds where each inline side session began; a line comes after its parent.
fn side_roots(nodes: &[Node]) -> FxHashMap<u32, u32> {
    let mut roots = FxHashMap::default();
    let mut by_key: FxHashMap<Key, u32> = FxHashMap::default();
    for (index, node) in (0u32..).zip(nodes).filter(|(_, node)| node.is_side) {
        let root = by_key.get(&node.parent).and_then(|parent| roots.get(parent)).copied();
        roots.insert(index, root.unwrap_or(index));
        by_key.insert(node.key, index);
    }
    roots
}
