//! From rows to decisions: which text is a double, which message a human's, what is still live.

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::pairs;
use super::row::{
    BY_ROW, DOUBLE, HUMAN, Kept, Kind, LIVE, NEVER_SENT, Row, SUMMARY, SUPERSEDED, Scan,
};

/// How many tokens of human messages the harness keeps beside a summary.
const KEPT_TOKENS: u32 = 20_000;

/// Decides everything that needs more than one record.
pub(super) fn resolve(scan: &mut Scan, mut thoughts: Vec<u64>) {
    thoughts.sort_unstable();
    pairs::pair(&mut scan.rows, &thoughts);
    drop(thoughts);
    pairs::requests(&mut scan.rows);
    Timeline::new(scan).run();
}

/// A place in what is sent: a record (0), or an item inside a compaction or kept beside it, counted
/// from 1.
#[derive(Clone, Copy)]
struct Entry {
    row: u32,
    sub: u32,
}

impl Entry {
    /// Where it stands in its compaction, if that holds it.
    fn inside(self) -> Option<usize> {
        (self.sub as usize).checked_sub(1)
    }
}

/// What is sent since one compaction, or since the start.
struct Frame {
    /// The compaction.
    mark: Option<u32>,
    /// The task in which it happened.
    task: u32,
    entries: Vec<Entry>,
    /// The requests: which entry, which task.
    turns: Vec<(usize, u32)>,
}

/// Replays the file as the harness does on resume.
struct Timeline<'s> {
    scan: &'s mut Scan,
    frames: Vec<Frame>,
    task: u32,
    /// The last row so far with a text or call of which a compaction may hold a copy.
    originals: FxHashMap<(u8, u64), Option<u32>>,
}

impl<'s> Timeline<'s> {
    fn new(scan: &'s mut Scan) -> Self {
        let first = Frame { mark: None, task: 0, entries: Vec::new(), turns: Vec::new() };
        let listed = scan.compactions.values().filter(|found| found.listed);
        let subs = listed.flat_map(|found| &found.subs).filter(|sub| sub.row.digest() != 0);
        let originals = subs.map(|sub| (key(&sub.row), None)).collect();
        Self { scan, frames: vec![first], task: 0, originals }
    }

    fn run(mut self) {
        for at in 0..self.scan.rows.len() {
            let row = self.scan.rows[at];
            let number = u32::try_from(at).unwrap_or(u32::MAX);
            match row.kind {
                Kind::Task => self.task += 1,
                Kind::Compaction => self.compaction(number),
                Kind::Rollback => self.rollback(number, row.size),
                _ if row.is_history() => self.push(number, row.has(HUMAN)),
                _ => self.scan.rows[at].dropped = NEVER_SENT,
            }
            if row.is_history()
                && let Some(original) = self.originals.get_mut(&key(&row))
            {
                *original = Some(number);
            }
        }
        self.drop_orphans();
    }

    fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            let first = Frame { mark: None, task: 0, entries: Vec::new(), turns: Vec::new() };
            self.frames.push(first);
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn push(&mut self, row: u32, is_request: bool) {
        let task = self.task;
        let top = self.top();
        if is_request {
            top.turns.push((top.entries.len(), task));
        }
        top.entries.push(Entry { row, sub: 0 });
    }

    fn entry(&self, entry: Entry) -> Option<Row> {
        let Some(place) = entry.inside() else {
            return self.scan.rows.get(entry.row as usize).copied();
        };
        let found = self.scan.compactions.get(&entry.row)?;
        if let Some(sub) = found.subs.get(place) {
            return Some(sub.row);
        }
        let Kept { original, dropped } = *found.kept.get(place)?;
        self.scan.rows.get(original as usize).map(|row| Row { dropped, ..*row })
    }

    /// Returns the row whose text an item is, if that is known.
    fn original(&self, entry: Entry) -> Option<u32> {
        let Some(place) = entry.inside() else { return Some(entry.row) };
        let found = self.scan.compactions.get(&entry.row)?;
        match found.subs.get(place) {
            Some(sub) => sub.copy_of,
            None => found.kept.get(place).map(|kept| kept.original),
        }
    }

    /// Returns the row of an item that has one of its own.
    fn own_row(&mut self, entry: Entry) -> Option<&mut Row> {
        let Some(place) = entry.inside() else {
            return self.scan.rows.get_mut(entry.row as usize);
        };
        let subs = &mut self.scan.compactions.get_mut(&entry.row)?.subs;
        subs.get_mut(place).map(|sub| &mut sub.row)
    }

    fn drop_one(&mut self, entry: Entry, by: u32) {
        if let Some(row) = self.own_row(entry) {
            row.dropped = by;
        } else if let Some(place) = entry.inside()
            && let Some(found) = self.scan.compactions.get_mut(&entry.row)
            && let Some(kept) = found.kept.get_mut(place)
        {
            kept.dropped = by;
        }
    }

    fn drop_all(&mut self, entries: &[Entry], by: u32) {
        entries.iter().for_each(|entry| self.drop_one(*entry, by));
    }

    fn compaction(&mut self, at: u32) {
        self.supersede_summary(at);
        let mark = self.top().mark;
        let entries = std::mem::take(&mut self.top().entries);
        let mut found = self.scan.compactions.remove(&at).unwrap_or_default();
        if found.listed {
            for sub in &mut found.subs {
                sub.copy_of = self.originals.get(&key(&sub.row)).copied().flatten();
            }
            self.scan.named.extend(found.subs.iter().filter_map(|sub| sub.copy_of));
        } else {
            found.kept = self.kept(&entries);
            self.scan.kept.extend(found.kept.iter().map(|kept| kept.original));
            self.scan.named.extend(found.kept.iter().map(|kept| kept.original));
        }
        let count = found.subs.len() + found.kept.len();
        let sub = |number: usize| Entry { row: at, sub: u32::try_from(number + 1).unwrap_or(0) };
        let next = (0..count).map(sub).collect();
        self.scan.compactions.insert(at, found);
        self.drop_all(&entries, BY_ROW + at);
        self.top().entries = entries;
        if let Some(mark) = mark {
            self.scan.rows[mark as usize].dropped = BY_ROW + at;
        }
        let task = self.task;
        self.frames.push(Frame { mark: Some(at), task, entries: next, turns: Vec::new() });
    }

    /// The model's message that the harness made the summary of is not part of the dialogue.
    fn supersede_summary(&mut self, at: u32) {
        let summary = self.scan.compactions.get(&at).and_then(|found| found.summary);
        let Some(last) = self.top().entries.last().copied() else { return };
        let Some(row) = self.own_row(last) else { return };
        if row.kind == Kind::Answer && Some(row.digest()) == summary {
            row.flags |= SUMMARY;
            row.dropped = SUPERSEDED;
            self.top().entries.pop();
        }
    }

    /// The newest requests that fit beside a summary, oldest first.
    fn kept(&self, entries: &[Entry]) -> Vec<Kept> {
        let (mut kept, mut tokens) = (Vec::new(), 0);
        for entry in entries.iter().rev() {
            let original = self.original(*entry);
            // In a history that was written down only the original tells whose words they are.
            let first = original.and_then(|row| self.scan.rows.get(row as usize));
            let is_request = |row: &Row| row.has(HUMAN) || first.is_some_and(|row| row.has(HUMAN));
            let Some(row) = self.entry(*entry).filter(is_request) else { continue };
            tokens += row.size.div_ceil(4);
            if tokens > KEPT_TOKENS {
                break;
            }
            kept.extend(original.map(|original| Kept { original, dropped: LIVE }));
        }
        kept.reverse();
        kept.shrink_to_fit();
        kept
    }

    /// Takes back the last `turns` requests and what came of them.
    fn rollback(&mut self, at: u32, turns: u32) {
        self.scan.rows[at as usize].dropped = NEVER_SENT;
        let mut left = turns as usize;
        while left > 0 {
            let top = self.top();
            let own =
                |turn: &&(usize, u32)| top.mark.is_some() && top.task > 0 && turn.1 == top.task;
            let later = top.turns.len() - top.turns.iter().filter(own).count();
            if left <= later || top.mark.is_none() {
                return self.cut(at, left);
            }
            left = left.saturating_sub(top.turns.len());
            self.undo_compaction(at);
        }
    }

    /// A compaction in a turn that is taken back never happened.
    fn undo_compaction(&mut self, at: u32) {
        let Some(frame) = self.frames.pop() else { return };
        self.drop_all(&frame.entries, BY_ROW + at);
        let Some(mark) = frame.mark else { return };
        self.scan.rows[mark as usize].dropped = BY_ROW + at;
        let before = self.top().mark;
        let entries = self.top().entries.clone();
        let revived: Vec<Entry> = entries
            .into_iter()
            .filter(|entry| self.entry(*entry).is_some_and(|row| row.dropped == BY_ROW + mark))
            .collect();
        self.drop_all(&revived, LIVE);
        if let Some(before) = before {
            self.scan.rows[before as usize].dropped = LIVE;
        }
    }

    /// Drops the last `turns` requests of the top frame, and the context right before them.
    fn cut(&mut self, at: u32, turns: usize) {
        let top = self.top();
        let first = top.turns.len().saturating_sub(turns);
        let Some((mut from, _)) = top.turns.get(first).copied() else { return };
        top.turns.truncate(first);
        while from > 0 {
            let before = self.top().entries[from - 1];
            let is_context = self.entry(before).is_some_and(|row| match row.kind {
                Kind::Developer => true,
                Kind::User => !row.has(HUMAN) && before.sub == 0,
                _ => false,
            });
            if !is_context {
                break;
            }
            from -= 1;
        }
        let gone = self.top().entries.split_off(from);
        self.drop_all(&gone, BY_ROW + at);
    }

    /// A result whose call is not sent is not sent either.
    fn drop_orphans(&mut self) {
        let known = calls(self.scan.rows.iter().copied());
        for row in self.scan.rows.iter_mut().filter(|row| row.kind == Kind::Result) {
            row.flags |= if known.contains(&row.digest()) { 0 } else { DOUBLE };
        }
        drop(known);
        let entries = std::mem::take(&mut self.top().entries);
        self.frames.clear();
        let sent = calls(entries.iter().filter_map(|entry| self.entry(*entry)));
        for entry in entries {
            let Some(row) = self.entry(entry) else { continue };
            if row.kind == Kind::Result && !sent.contains(&row.digest()) {
                self.drop_one(entry, NEVER_SENT);
            }
        }
    }
}

/// Returns the numbers of the calls among some rows.
fn calls(rows: impl Iterator<Item = Row> + Clone) -> FxHashSet<u64> {
    let is_call = |row: &Row| row.kind == Kind::Call;
    // Counted first: a set that grows takes twice as much.
    let count = rows.clone().filter(is_call).count();
    let mut calls = FxHashSet::with_capacity_and_hasher(count, FxBuildHasher);
    calls.extend(rows.filter(is_call).map(|row| row.digest()));
    calls
}

/// What an item and its copy share.
fn key(row: &Row) -> (u8, u64) {
    (row.kind as u8, row.digest())
}
