//! Secrets in a text, replaced by tags.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use memchr::memmem;
use regex::bytes::{Regex, RegexBuilder};
use serde::Serialize;

use super::bare;
use super::likely::is_likely;
use super::plain::{Plain, escape};
use super::prefilter::Prefilter;
use super::private_key::{SIGNS, keys};
use super::rules::{JWK, KEY_TYPES, PRIVATE_KEY, Proof, RULES};

/// How often secrets of one kind were replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Redacted {
    /// The kind, as the tags name it.
    pub rule: &'static str,
    /// In how many places.
    pub count: usize,
}

/// Replaces secrets by `[REDACTED:kind:n]`.
///
/// The same secret gets the same tag wherever it stands; `n` counts the secrets of a kind from 1,
/// by first appearance. So one redactor sees all texts of an output, in their order.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    tags: BTreeMap<String, String>,
    /// How many secrets of a kind there are.
    secrets: BTreeMap<&'static str, usize>,
    /// In how many places they stood, by the number of the rule.
    places: BTreeMap<usize, usize>,
}

impl Redactor {
    /// Returns `text` without its secrets.
    ///
    /// Inside of JSON text it only changes what stands between quotes, and never a part of an
    /// escape. A secret is found, and has the same tag, also where JSON writes some of it escaped.
    pub fn text<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let found = self.places(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for (place, tag) in found {
            // Two secrets may touch one escape.
            out.push_str(&text[from..place.start.max(from)]);
            from = place.end;
            out.push_str(&tag);
        }
        out.push_str(&text[from..]);
        Cow::Owned(out)
    }

    /// Returns where secrets stand in `text`, in order, each with the tag that replaces it.
    pub fn places(&mut self, text: &str) -> Vec<(Range<usize>, String)> {
        let plain = Plain::of(text);
        let found = find(&plain.text).into_iter();
        let replaced = found.map(|(place, rule)| {
            let tag = self.tag(&plain.text[place.clone()], rule).to_owned();
            (plain.source(&place), tag)
        });
        replaced.collect()
    }

    /// Replaces the secrets in a text in its place.
    pub fn string(&mut self, text: &mut String) {
        if let Cow::Owned(redacted) = self.text(text) {
            *text = redacted;
        }
    }

    /// Tells whether it has found nothing so far.
    pub fn is_idle(&self) -> bool {
        self.tags.is_empty()
    }

    /// Returns how often each kind was replaced, in the order of the table.
    pub fn counts(&self) -> Vec<Redacted> {
        let count =
            |(rule, count): (&usize, &usize)| Redacted { rule: RULES[*rule].id, count: *count };
        self.places.iter().map(count).collect()
    }

    /// Returns how often each kind stands in `text`, of what this redactor has replaced.
    pub fn counts_in(&self, text: &str) -> Vec<Redacted> {
        let times = |rule: &str| {
            let tags = self.tags.values().filter(|tag| kind(tag) == rule);
            tags.collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .map(|tag| text.matches(tag.as_str()).count())
                .sum()
        };
        let all = self.counts().into_iter();
        let here = all.map(|one| Redacted { count: times(one.rule), ..one });
        here.filter(|one| one.count > 0).collect()
    }

    fn tag(&mut self, secret: &str, rule: usize) -> &str {
        *self.places.entry(rule).or_default() += 1;
        self.tags.entry(secret.to_owned()).or_insert_with(|| {
            let kind = RULES[rule].id;
            let number = self.secrets.entry(kind).or_default();
            *number += 1;
            format!("[REDACTED:{kind}:{number}]")
        })
    }
}

/// Returns where secrets stand in a text, in order and apart.
pub fn secrets(text: &str) -> Vec<Range<usize>> {
    let plain = Plain::of(text);
    find(&plain.text).into_iter().map(|(place, _)| plain.source(&place)).collect()
}

/// Returns where private keys stand in a text, with their first and last lines.
pub fn private_keys(text: &str) -> Vec<Range<usize>> {
    let has = |sign: &&str| memmem::find(text.as_bytes(), sign.as_bytes()).is_some();
    if !SIGNS.iter().any(has) {
        return Vec::new();
    }
    let is_candidate = |number: &usize| candidates(text) >> number & 1 == 1;
    let rule = (0..RULES.len()).find(|number| RULES[*number].id == PRIVATE_KEY);
    rule.filter(is_candidate).map(|number| places(number, text)).unwrap_or_default()
}

/// Returns the kind that a tag names.
fn kind(tag: &str) -> &str {
    tag.split(':').nth(1).unwrap_or_default()
}

/// Returns where secrets stand, in order and apart, with the number of the first rule that fits.
fn find(text: &str) -> Vec<(Range<usize>, usize)> {
    let candidates = candidates(text);
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    for number in (0..RULES.len()).filter(|number| candidates >> number & 1 == 1) {
        found.extend(places(number, text).into_iter().map(|place| (place, number)));
    }
    found.sort_by_key(|(place, _)| place.start);
    apart(found)
}

/// Returns which rules can match a text, one bit a rule.
fn candidates(text: &str) -> u128 {
    static WORDS: LazyLock<Prefilter> = LazyLock::new(|| {
        Prefilter::new(RULES.iter().map(|rule| [rule.words.to_vec(), rule.also.to_vec()]))
    });
    WORDS.candidates(text.as_bytes())
}

/// Makes one of places that meet, under the name of the first rule; they come in order.
fn apart(places: Vec<(Range<usize>, usize)>) -> Vec<(Range<usize>, usize)> {
    let mut found: Vec<(Range<usize>, usize)> = Vec::with_capacity(places.len());
    for (place, rule) in places {
        match found.last_mut().filter(|(last, _)| place.start < last.end) {
            Some((last, of)) => (last.end, *of) = (last.end.max(place.end), rule.min(*of)),
            None => found.push((place, rule)),
        }
    }
    found
}

/// Returns where one rule finds a secret that is likely one.
fn places(number: usize, text: &str) -> Vec<Range<usize>> {
    let rule = &RULES[number];
    let Some(regex) = compiled(number) else { return Vec::new() };
    if rule.id == PRIVATE_KEY {
        return keys(text, regex);
    }
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(groups) = regex.captures_at(text.as_bytes(), from) {
        let whole = groups.get(0).map_or(from..from, |whole| whole.range());
        from = whole.end.max(whole.start + 1);
        let Some(secret) = groups.name("s").or_else(|| groups.get(0)) else { continue };
        let name = groups.name("n").map_or(&b""[..], |name| name.as_bytes());
        let range = secret.range();
        // A class of bytes may end inside of a character.
        let start = text.floor_char_boundary(range.start);
        // Nor is the letter of an escape, such as `\n`, a letter of the secret.
        let start = start + escape(text.as_bytes(), start);
        let mut range = start..text.ceil_char_boundary(range.end.max(start));
        if rule.proof == Proof::Bare {
            range.end = start + bare::value(&text[range.clone()]).len();
            // What was cut off may be the next field, with a secret of its own.
            from = from.min(range.end.max(whole.start + 1));
        }
        let after = &text[range.end..];
        if is_likely(rule, &text[range.clone()], name, after) {
            found.push(range);
        } else if rule.proof == Proof::Bare {
            // Nor may one that is none hide another that stands in it.
            from = from.min(start.max(whole.start + 1));
        }
        if from > text.len() {
            break;
        }
    }
    if rule.id == JWK && !found.is_empty() {
        let types = key_types(text);
        found.retain(|place| is_near(&types, place));
    }
    found
}

/// How many bytes lie between a part of a key in JSON and what it says it is for, at most.
const JWK_BYTES: usize = 8 << 10;

/// Returns where keys in JSON say what they are for, in order.
fn key_types(text: &str) -> Vec<usize> {
    let is_between = |c: char| c.is_whitespace() || "\\\"':=>".contains(c);
    let is_type = |at: &usize| {
        let value = text[at + 3..].trim_start_matches(is_between);
        KEY_TYPES.iter().any(|kind| value.starts_with(kind))
    };
    text.match_indices("kty").map(|(at, _)| at).filter(is_type).collect()
}

fn is_near(types: &[usize], place: &Range<usize>) -> bool {
    let next = types.partition_point(|at| at + JWK_BYTES < place.start);
    types.get(next).is_some_and(|at| *at <= place.end + JWK_BYTES)
}

/// Returns the pattern of a rule, compiled when it is needed first.
fn compiled(number: usize) -> Option<&'static Regex> {
    static PATTERNS: [OnceLock<Option<Regex>>; RULES.len()] =
        [const { OnceLock::new() }; RULES.len()];
    let compile = || {
        let pattern = match RULES[number].pattern.strip_prefix("^^") {
            // What stands before a key is no part of it.
            Some(key) if !key.contains("?P<s>") => format!("{START}(?P<s>{key})"),
            Some(key) => format!("{START}{key}"),
            None => RULES[number].pattern.to_owned(),
        };
        RegexBuilder::new(&pattern).unicode(false).build().ok()
    };
    PATTERNS[number].get_or_init(compile).as_ref()
}

/// What `^^` stands for: letters before a key are part of an escape, or it is none.
const START: &str = r"(?:\b|\\[nrtbf]|\\u[0-9a-f]{4}|\[[0-9;]{0,12}m|%[0-9A-F]{2})";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_pattern_is_looked_for() {
        let told =
            |text: &str| find(text).into_iter().map(|(_, rule)| RULES[rule].id).collect::<Vec<_>>();
        assert_eq!(told("dckr_oat_aB3dE6gH9jK2mN5pQ8sT"), ["docker-token"]);
        assert_eq!(told("dp.ct.aB3dE6gH9jK2mN5pQ8sTaB3dE6gH9jK2mN5pQ8sT"), ["doppler-token"]);
        assert_eq!(told("SECRET_KEY_BASE=hunter2!xyzpq"), ["env-secret"]);
    }

    #[test]
    fn edges_of_private_keys_are_found_however_they_are_written() {
        let row = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n";
        for edge in ["-----begin private key-----", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"] {
            let text = format!("x\n{edge}\n{}and so on", row.repeat(4));
            assert_eq!(private_keys(&text).len(), 1, "{edge}");
        }
        assert!(private_keys("a private key").is_empty());
    }

    #[test]
    fn each_field_of_a_form_is_looked_at() {
        let count = |text: &str| find(text).len();
        assert_eq!(count("user_password=Abc12345x9&admin_password=Zz98Qw76pp and"), 2);
        assert_eq!(count("secret=xxxxxxxx&password=Real1Pass2x"), 1);
        assert_eq!(count("password=$DB_PASS:password=Real1Pass2x"), 1);
        // A tab, also as JSON writes it.
        assert_eq!(count("db.password\t=\tAbc12345x9\npassword:\\tAbc12345x7\\n"), 2);
        // Each goes on where the one before ended.
        let many = "password=Abc12345x9&".repeat(20_000);
        assert_eq!(count(&many), 20_000);
    }

    #[test]
    fn parts_of_keys_in_json_stand_near_their_type() {
        let d = "f1S9Yx0kZt3Qp7LmB2vNcR8aWuHsEoJg5iT4dKzXbMw";
        let far = "and so on ".repeat(JWK_BYTES / 5);
        let count = |text: &str| find(text).len();
        for key in [
            format!("kty: EC\nd: {d}\n"),
            format!(r"const jwk = {{\nkty: 'EC',\nd: '{d}',\n}}"),
            format!(r#"{{\"d\":\"{d}\",\"kty\":\"OKP\"}}"#),
            format!(r#"{{"kty" => "EC", "d" => "{d}"}}"#),
            format!(r#"Jwk {{ kty: "EC", d: Some("{d}") }}"#),
        ] {
            assert_eq!(count(&format!("{far}{key}{far}")), 1, "{key}");
            assert_eq!(count(&key.replace("EC", "x").replace("OKP", "x")), 0, "{key}");
        }
        assert_eq!(count(&format!("kty: EC {far} d: '{d}'")), 0);
    }

    #[test]
    fn every_pattern_compiles_and_every_kind_has_one_row() {
        let mut names = std::collections::BTreeSet::new();
        for (number, rule) in RULES.iter().enumerate() {
            assert!(compiled(number).is_some(), "{}", rule.id);
            assert!(names.insert(rule.id), "{} stands twice", rule.id);
        }
        assert!(RULES.len() <= 128, "the prefilter has one bit a rule");
    }
}
