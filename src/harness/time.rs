//! What is a time: RFC 3339 as programs write it, and nothing that only looks like it.

use std::borrow::Cow;

use serde::{Deserialize as _, Deserializer};

use crate::jsonl::Lax;

/// The form of a day and a time of that day.
const FORM: &[u8; 19] = b"0000-00-00T00:00:00";
/// How long the form of the day is.
const DAY_BYTES: usize = 10;
/// How long the form with milliseconds in UTC is, which most programs write.
const USUAL_BYTES: usize = 24;
/// The smallest fraction of a second that is read is a billionth.
const MOST_FRACTION_DIGITS: usize = 9;
/// A time in UTC that is no longer has no smaller fraction.
const SHORT_BYTES: usize = 30;

/// Tells whether `text` is a time of RFC 3339.
pub(super) fn is_time(text: &str) -> bool {
    let Some((start, rest)) = text.as_bytes().split_first_chunk() else { return false };
    has_form(start, FORM) && is_in_range(start) && is_end(rest)
}

/// Reads a field that holds a time, as [`tidied`] has it.
pub(super) fn stamp<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Lax<'a>, D::Error> {
    Lax::deserialize(from).map(|Lax(text)| Lax(text.map(tidied)))
}

/// Returns a time in the words of most programs: RFC 3339 allows small letters too, and a fraction of any
/// length, of which the first nine digits are read. What is no time stays as it is.
pub(super) fn tidied(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_small = bytes.get(DAY_BYTES) == Some(&b't') || text.ends_with('z');
    if !is_small && bytes.len() <= SHORT_BYTES {
        return text;
    }
    let mut tidy = text.to_ascii_uppercase();
    if let Some((seconds, rest)) = tidy.split_once('.') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let kept = digits.min(MOST_FRACTION_DIGITS);
        tidy = format!("{seconds}.{}{}", &rest[..kept], &rest[digits..]);
    }
    if is_time(&tidy) { Cow::Owned(tidy) } else { text }
}

/// Tells whether `text` is a time such as `2026-11-21T20:23:27.686Z`: of two of these the later one is the
/// greater text.
pub(super) fn is_usual(text: &str) -> bool {
    text.len() == USUAL_BYTES && text.ends_with('Z') && is_time(text)
}

fn has_form(text: &[u8], form: &[u8]) -> bool {
    let fits = |(byte, form): (&u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        mark => byte == mark,
    };
    text.iter().zip(form).fold(text.len() == form.len(), |all, pair| all & fits(pair))
}

/// Tells whether there is such a day, and such a time in it; a minute may have a leap second.
fn is_in_range(text: &[u8; 19]) -> bool {
    let digits = |from: usize, to: usize| {
        text[from..to].iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'))
    };
    let (year, month, day) = (digits(0, 4), digits(5, 7), digits(8, 10));
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day) && digits(11, 13) < 24 && digits(14, 16) < 60 && digits(17, 19) <= 60
}

/// Tells whether what stands behind the seconds is a fraction of one, if anything, and an offset.
fn is_end(rest: &[u8]) -> bool {
    let offset = match rest.strip_prefix(b".") {
        None => rest,
        Some(fraction) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if !(1..=MOST_FRACTION_DIGITS).contains(&digits) {
                return false;
            }
            &fraction[digits..]
        }
    };
    match offset {
        b"Z" => true,
        [b'+' | b'-', clock @ ..] => {
            has_form(clock, b"00:00") && clock < b"24".as_slice() && clock[3] < b'6'
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_time_is_what_the_rfc_says() {
        for time in [
            "2026-11-21T20:23:27.686Z",
            "2026-11-21T20:23:27Z",
            "2026-11-21T20:23:27.686123+02:00",
            "2024-02-29T23:59:59.123456789-23:59",
            "2000-02-29T00:00:00Z",
            "2016-12-31T23:59:60Z",
        ] {
            assert!(is_time(time), "{time}");
            assert!(time.parse::<Timestamp>().is_ok(), "{time} can be read");
        }
        for none in [
            "",
            "2026-11-21",
            "2026-11-21T20:23:27",
            "2026-11-21T20:23Z",
            "2026-08-01 10:00:00Z",
            "2026-99-99Tgarbage Z",
            "2026-99-99T10:00:00.000Z",
            "2026-00-01T10:00:00.000Z",
            "2026-04-31T10:00:00.000Z",
            "1900-02-29T10:00:00.000Z",
            "20260801T100000Z",
            "2026-08-01T10:00:00+25:00",
            "2026-08-01T10:00:00+02:60",
            "2026-08-01T10:00:00+0200",
            "2026-08-01T24:00:00Z",
            "2026-08-01T10:60:00Z",
            "2026-08-01T10:00:61Z",
            "2026-08-01T10:00:00Z[UTC]",
            "2026-08-01T10:00:00.Z",
            "2026-08-01T10:00:00.1234567890Z",
            "2026-08-01T10:00:00.000ZZ",
            "２０２６-08-01T10:00:00Z",
            "1754042400123",
        ] {
            assert!(!is_time(none), "{none}");
        }
        for (time, tidy) in [
            ("2026-11-21t20:23:27z", "2026-11-21T20:23:27Z"),
            ("2026-11-21T20:23:27.1234567891Z", "2026-11-21T20:23:27.123456789Z"),
            ("2026-11-21t20:23:27.12345678901234+02:00", "2026-11-21T20:23:27.123456789+02:00"),
            ("2026-11-21T20:23:27.123456789+02:00", "2026-11-21T20:23:27.123456789+02:00"),
            ("2026-11-21t20:61:27z", "2026-11-21t20:61:27z"),
            ("2026-08-01t10:00:00.z", "2026-08-01t10:00:00.z"),
            ("tomorrow, as is said where they jazz", "tomorrow, as is said where they jazz"),
            ("２０２６-08-01t10:00:00z", "２０２６-08-01t10:00:00z"),
        ] {
            assert_eq!(tidied(time.into()), tidy);
        }
        assert!(is_usual("2026-11-21T20:23:27.686Z"));
        assert!(!is_usual("2026-11-21T20:23:27.68Z") && !is_usual("2026-11-21T20:61:27.686Z"));
        assert!(!is_usual("2026-11-21T20:23:27+02:0Z"));
    }
}
