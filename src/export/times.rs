//! Times in the one form that others read, and for what has none.

use std::borrow::Cow;

use jiff::{SignedDuration, Timestamp};

/// Where a session without any time is said to begin: a date that nobody takes for a real one.
const NO_TIME: &str = "2026-01-01T00:00:00.000Z";
/// How far apart its records are then.
const STEP: SignedDuration = SignedDuration::from_secs(15);

/// Returns a time in UTC with three digits of a second; nothing if it cannot be read.
pub(super) fn normal(text: &str) -> Option<Cow<'_, str>> {
    let is_normal =
        text.len() == NO_TIME.len() && text.ends_with('Z') && text.as_bytes()[10] == b'T';
    let time: Timestamp = text.parse().ok()?;
    Some(if is_normal { text.into() } else { shown(time).into() })
}

fn shown(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// Fills the gaps, and tells how many there were.
///
/// What has no time happened with what is before it. Only where nothing has one are times made up:
/// they count from `start`.
pub(super) fn filled<'a>(
    times: Vec<Option<Cow<'a, str>>>,
    start: Option<&str>,
) -> (Vec<Cow<'a, str>>, usize) {
    let gaps = times.iter().filter(|time| time.is_none()).count();
    if let Some(first) = times.iter().flatten().next().cloned() {
        let mut last = first;
        let mut fill = |time: Option<Cow<'a, str>>| {
            last = time.unwrap_or_else(|| last.clone());
            last.clone()
        };
        return (times.into_iter().map(&mut fill).collect(), gaps);
    }
    let mut next = start.unwrap_or(NO_TIME).parse().unwrap_or(Timestamp::UNIX_EPOCH);
    let step = |_: Option<Cow<'a, str>>| {
        let time = next;
        next = next.checked_add(STEP).unwrap_or(next);
        shown(time).into()
    };
    (times.into_iter().map(step).collect(), gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_any_zone_and_precision_become_one_form() {
        assert_eq!(normal("2026-08-18T11:00:00Z").as_deref(), Some("2026-08-18T11:00:00.000Z"));
        let zone = normal("2026-08-18T13:00:00.1234567+02:00");
        assert_eq!(zone.as_deref(), Some("2026-08-18T11:00:00.123Z"));
        assert!(matches!(normal("2026-08-18T11:00:00.500Z"), Some(Cow::Borrowed(_))));
        assert_eq!(normal("yesterday"), None);
        assert_eq!(normal("2026-08-18T99:00:00.000Z"), None);
    }

    #[test]
    fn what_has_no_time_happened_with_what_is_before_it() {
        let times = vec![None, Some("b".into()), None, Some("c".into())];
        let (filled, gaps) = filled(times, None);
        assert_eq!((filled.join(" "), gaps), ("b b b c".to_owned(), 2));
    }
}
