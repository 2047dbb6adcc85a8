//! Sessions of which one was made of the other: a conversion with which nobody went on holds what its source does, and
//! one with which somebody did holds that too, unless its source went on as well.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use super::Found;
use crate::error::Result;
use crate::harness::{Sink, Want};
use crate::model::{Blobs, Header, Item};

/// By how much a conversion may end later that nobody went on with: its times are put in order.
const MADE_LATER: SignedDuration = SignedDuration::from_secs(60);
/// By how much its last item can be later than that of which it was made.
const PUT_LATER: SignedDuration = SignedDuration::from_millis(50);

/// Keeps of a session and what was converted of it those that went on, or the one that was there first;
/// the order stays.
pub fn without_copies(found: Vec<Found>) -> Vec<Found> {
    let headers: Vec<&Header> = found.iter().map(|one| &one.header).collect();
    let kept = first_of_kin(&headers, |first, end| had_item_at(&found[first], end));
    let kept = found.into_iter().zip(kept).filter_map(|(one, is_kept)| is_kept.then_some(one));
    kept.collect()
}

/// Tells of each header whether its session stands for all that are its kin; `had_item` tells whether one had an item
/// at a time.
fn first_of_kin(headers: &[&Header], had_item: impl Fn(usize, Timestamp) -> bool) -> Vec<bool> {
    let places: HashMap<String, usize> =
        headers.iter().enumerate().map(|(place, header)| (name(header), place)).collect();
    let sources: HashMap<String, &str> = headers
        .iter()
        .filter_map(|header| Some((name(header), header.converted_from.as_deref()?)))
        .collect();
    let mut best: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, header) in headers.iter().enumerate() {
        let root = root(name(header), &sources);
        let first = places.get(&root).filter(|first| ends_before(header, headers[**first]));
        // The first may have gone on since, or have ended with what no other can hold.
        if first.zip(ended(header)).is_some_and(|(first, end)| had_item(*first, end)) {
            continue;
        }
        let stand = best.entry(root).or_default();
        match stand.iter_mut().find(|one| ends_with(headers[**one], header)) {
            Some(one) if is_copy_of_first(headers[*one], header) => *one = place,
            Some(_) => {}
            None => stand.push(place),
        }
    }
    let is_held = |place: usize, stand: &[usize]| {
        let (header, end) = (headers[place], ended(headers[place]));
        let start = header.started_at.as_deref().and_then(|at| at.parse().ok());
        let mut went_on = stand.iter().filter(|other| ends_before(header, headers[**other]));
        // Of what was folded it does not have the beginning.
        let has_all = |other: usize, end| {
            had_item(other, end) && start.is_none_or(|start| had_item(other, start))
        };
        end.is_some_and(|end| went_on.any(|other| has_all(*other, end)))
    };
    let last = |stand: Vec<usize>| {
        let kept = stand.iter().filter(|place| !is_held(**place, &stand));
        kept.copied().collect::<Vec<_>>()
    };
    let best: HashSet<usize> = best.into_values().flat_map(last).collect();
    (0..headers.len()).map(|place| best.contains(&place)).collect()
}

fn name(header: &Header) -> String {
    format!("{}:{}", header.harness, header.id)
}

/// Returns the session of which all was made, by way of whatever was made of it in between.
fn root(mut name: String, sources: &HashMap<String, &str>) -> String {
    let mut seen = HashSet::new();
    while let Some(source) = sources.get(&name).filter(|_| seen.insert(name.clone())) {
        name = (*source).to_owned();
    }
    name
}

fn ended(header: &Header) -> Option<Timestamp> {
    header.ended_at.as_deref().and_then(|at| at.parse().ok())
}

/// Tells whether two are known to end at the same time, so that neither went on beyond the other.
fn ends_with(header: &Header, other: &Header) -> bool {
    let ends = ended(header).zip(ended(other));
    ends.is_some_and(|(one, two)| two.duration_since(one).abs() <= MADE_LATER)
}

/// Tells whether a session is known to end before another one, of which it was made or which was made of it.
fn ends_before(header: &Header, other: &Header) -> bool {
    let is_made = header.converted_from.is_some() || other.converted_from.is_some();
    let ends = ended(header).zip(ended(other)).filter(|_| is_made);
    ends.is_some_and(|(one, two)| two.duration_since(one) > MADE_LATER)
}

/// Tells whether a session has an item that can be the last one of another that ends at a time, one of both being made
/// of the other. Whoever went on with that did so at another.
fn had_item_at(found: &Found, end: Timestamp) -> bool {
    let want = Want { blobs: Blobs::Sized, ..Want::default() };
    let mut moment = Moment { end, is_there: false };
    let read = found.open().and_then(|input| found.harness.read(&input, want, &mut moment));
    read.is_ok() && moment.is_there
}

/// Looks for an item at a time.
struct Moment {
    end: Timestamp,
    is_there: bool,
}

impl Sink for Moment {
    fn header(&mut self, _header: &Header) -> Result<()> {
        Ok(())
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        let at = item.ts.as_deref().and_then(|at| at.parse::<Timestamp>().ok());
        self.is_there |= at.is_some_and(|at| self.end.duration_since(at).abs() <= PUT_LATER);
        Ok(())
    }
}

fn is_copy_of_first(header: &Header, other: &Header) -> bool {
    header.converted_from.is_some() && other.converted_from.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &str, from: Option<&str>, ended: &str) -> Header {
        let (harness, id) = name.split_once(':').unwrap();
        Header {
            harness: harness.to_owned(),
            id: id.to_owned(),
            converted_from: from.map(str::to_owned),
            ended_at: Some(format!("2026-01-02T{ended}Z")),
            ..Header::default()
        }
    }

    #[test]
    fn a_session_and_what_was_made_of_it_are_one() {
        let kept = |all: &[Header]| first_of_kin(&all.iter().collect::<Vec<_>>(), |_, _| false);
        let source = header("a:1", None, "03:00:00.000");
        let copy = header("b:2", Some("a:1"), "03:00:00.004");
        let copy_of_copy = header("c:3", Some("b:2"), "03:00:00.009");
        let other = header("a:4", None, "03:00:00.000");
        let all = [copy_of_copy.clone(), copy.clone(), source.clone(), other];
        assert_eq!(kept(&all), [false, false, true, true]);
        // Where both went on, each has what the other has not.
        let went_on = header("b:2", Some("a:1"), "04:00:00.000");
        assert_eq!(kept(&[went_on.clone(), source.clone(), copy.clone()]), [true, true, false]);
        let unknown = Header { ended_at: None, ..copy.clone() };
        assert_eq!(kept(&[source.clone(), unknown]), [true, true]);
        assert_eq!(kept(&[source, went_on]), [true, true]);
        // The source may be gone.
        assert_eq!(kept(&[copy_of_copy.clone(), copy.clone()]), [true, false]);
        assert_eq!(kept(&[copy_of_copy]), [true]);
        // Nothing writes a circle, but a file can say anything.
        let around = [header("a:1", Some("b:2"), "03:00:00.000"), copy];
        assert_eq!(kept(&around), [true, true]);
    }

    #[test]
    fn a_session_can_go_on_beyond_what_was_made_of_it() {
        let kept = |all: &[Header]| {
            let had_item = |first: usize, end: Timestamp| {
                all[first].id == "1" && end.to_string().contains("T03:00:00")
            };
            first_of_kin(&all.iter().collect::<Vec<_>>(), had_item)
        };
        let source = header("a:1", None, "04:00:00.000");
        let copy = header("b:2", Some("a:1"), "03:00:00.004");
        let copy_of_copy = header("c:3", Some("b:2"), "03:00:00.009");
        assert_eq!(kept(&[source.clone(), copy_of_copy, copy]), [true, false, false]);
        // With that somebody went on before.
        let went_on = header("b:2", Some("a:1"), "03:30:00.000");
        assert_eq!(kept(&[source, went_on.clone()]), [true, true]);
        assert_eq!(kept(&[went_on]), [true]);
    }

    #[test]
    fn a_conversion_that_went_on_stands_for_what_it_was_made_of() {
        let source = header("a:1", None, "03:00:00.000");
        let went_on = header("b:2", Some("a:1"), "04:00:00.000");
        let again = header("c:3", Some("b:2"), "05:00:00.000");
        let all = [&again, &went_on, &source];
        let had_item =
            |at: usize, end: Timestamp| all[at].ended_at.as_deref() >= Some(&end.to_string());
        assert_eq!(first_of_kin(&all, had_item), [true, false, false]);
        // Of what was folded it does not have the beginning.
        let begun = Header { started_at: Some("2026-01-02T02:00:00Z".into()), ..source.clone() };
        let all = [&went_on, &begun];
        let had_item = |at: usize, end: Timestamp| {
            ended(all[at]) >= Some(end) && end >= ended(&source).unwrap()
        };
        assert_eq!(first_of_kin(&all, had_item), [true, true]);
        let all = [&again, &went_on, &source];
        // What its source did later it does not hold.
        let only_own = |at: usize, end: Timestamp| ended(all[at]) == Some(end);
        assert_eq!(first_of_kin(&all, only_own), [true, true, true]);
    }
}
