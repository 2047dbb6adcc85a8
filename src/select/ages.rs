//! How old the single things of a pack are, where they are older than their session.

use std::collections::HashMap;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use crate::derive::Facts;

/// What is older than this at the end of its session has an age of its own; of all else the age of
/// the session says enough.
const FRESH: SignedDuration = SignedDuration::from_hours(24);

/// The ages of facts.
pub(super) struct Ages<'f> {
    stamps: &'f HashMap<String, String>,
    /// The last time stamp of each session, by its name in the pack.
    ends: HashMap<&'f str, Timestamp>,
    /// The name of the session of ids that name none.
    first: &'f str,
    as_of: Option<Date>,
}

impl<'f> Ages<'f> {
    /// Ages of `facts` that count from the day `as_of`.
    pub(super) fn new(facts: &'f Facts, as_of: &str) -> Self {
        let end = |stamp: &Option<String>| stamp.as_deref()?.parse().ok();
        let ends = facts.sessions.iter().filter_map(|one| Some((&*one.name, end(&one.ended_at)?)));
        Self {
            stamps: &facts.stamps,
            ends: ends.collect(),
            first: facts.sessions.first().map_or("", |one| &one.name),
            as_of: as_of.parse().ok(),
        }
    }

    /// Returns the whole days from a fact to the day from which ages count; nothing if it is not
    /// more than a day older than the last item of its session.
    pub(super) fn of(&self, id: &str) -> Option<i64> {
        let session = id.split_once('/').map_or(self.first, |(name, _)| name);
        let stamp: Timestamp = self.stamps.get(id)?.parse().ok()?;
        if self.ends.get(session)?.duration_since(stamp) <= FRESH {
            return None;
        }
        self.since(id)
    }

    /// Returns the whole days from a fact to the day from which ages count, if that is any.
    pub(super) fn since(&self, id: &str) -> Option<i64> {
        let stamp: Timestamp = self.stamps.get(id)?.parse().ok()?;
        let day = stamp.to_zoned(jiff::tz::TimeZone::UTC).date();
        let age = self.as_of?.since(day).ok()?;
        Some(i64::from(age.get_days())).filter(|days| *days > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::SessionFact;

    #[test]
    fn only_what_is_older_than_its_session_has_an_age() {
        let stamps = [("a", "2026-03-01T10:00:00Z"), ("b", "2026-03-04T10:00:00.5+02:00")];
        let stamps = stamps.into_iter().chain([("S2/a", "2026-02-01T00:00:00Z"), ("c", "soon")]);
        let stamps = stamps.map(|(id, stamp)| (id.to_owned(), stamp.to_owned())).collect();
        let session = |name: &str, end: &str| SessionFact {
            name: name.to_owned(),
            ended_at: Some(end.to_owned()),
            ..SessionFact::default()
        };
        let sessions =
            [session("S1", "2026-03-05T08:00:01Z"), session("S2", "2026-02-01T12:00:00Z")];
        let ages = |as_of: &str| {
            let ends = sessions
                .iter()
                .map(|one| (one.name.as_str(), one.ended_at.as_deref().unwrap().parse().unwrap()));
            let ages = Ages {
                stamps: &stamps,
                ends: ends.collect(),
                first: "S1",
                as_of: as_of.parse().ok(),
            };
            ["a", "b", "S2/a", "c", "d"].map(|id| ages.of(id))
        };
        assert_eq!(ages("2026-03-11"), [Some(10), Some(7), None, None, None]);
        // Before it was said nothing has an age.
        assert_eq!(ages("2026-03-01"), [None; 5]);
    }
}
