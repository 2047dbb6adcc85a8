//! Time stamps that only go on.

use jiff::{SignedDuration, Timestamp};

use crate::model::{Conversation, Entry, EntryBody};
use crate::note::{LossKind, Losses};

/// How time goes on where the source does not say so.
const STEP: SignedDuration = SignedDuration::from_millis(1);

/// Gives every entry a time later than that of the entry before: harnesses sort by it, and choose
/// by it what they resume. Results of a response come after all its calls.
pub(super) fn order(conversation: &mut Conversation, losses: &mut Losses) {
    let header = &conversation.header;
    let start = [&header.started_at, &header.ended_at].into_iter().flatten();
    let start = start.filter_map(|ts| parse(ts)).next().unwrap_or(Timestamp::UNIX_EPOCH);
    let mut clock = Clock { last: None, start, losses };
    clock.all(&mut conversation.older);
    if let Some(boundary) = &mut conversation.boundary {
        clock.set(&mut boundary.ts, &boundary.id);
    }
    clock.all(&mut conversation.live);
}

struct Clock<'l> {
    last: Option<Timestamp>,
    start: Timestamp,
    losses: &'l mut Losses,
}

impl Clock<'_> {
    fn all(&mut self, entries: &mut [Entry]) {
        let mut from = 0;
        while from < entries.len() {
            let response = entries[from].response;
            let same = |entry: &&Entry| response > 0 && entry.response == response;
            let count = entries[from..].iter().take_while(same).count().max(1);
            let group = &mut entries[from..from + count];
            for entry in &mut *group {
                self.set(&mut entry.ts, &entry.id);
            }
            for entry in group {
                if let EntryBody::Exchange(exchange) = &mut entry.body {
                    // A result that was made up has no time that could be mended.
                    let id = exchange.result_id.as_deref().unwrap_or_default();
                    self.set(&mut exchange.result_ts, id);
                }
            }
            from += count;
        }
    }

    fn set(&mut self, ts: &mut String, id: &str) {
        let said = parse(ts);
        let next = self.last.map_or(self.start, |last| last.checked_add(STEP).unwrap_or(last));
        let time = match said {
            Some(said) if self.last.is_none_or(|last| said > last) => said,
            _ => next,
        };
        let is_mended = said.is_none_or(|said| self.last.is_some_and(|last| said < last));
        if is_mended && !id.is_empty() {
            self.losses.lose(LossKind::Timestamp, id);
        }
        self.last = Some(time);
        *ts = format!("{time:.3}");
    }
}

/// Reads a time, cut to milliseconds.
fn parse(ts: &str) -> Option<Timestamp> {
    let time: Timestamp = ts.parse().ok()?;
    Timestamp::from_millisecond(time.as_millisecond()).ok()
}
