//! The guard: what it leaves is clean, and it has nothing left to do a second time.

use segue::emit;
use segue::guard::marks::{defused, is_hidden, is_steering, shed, visible};
use segue::guard::{Redactor, rules, threats, threats_in_memory};
use serde::de::IgnoredAny;

/// Looks at a text, and takes out of it what must not go on.
pub fn hold(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    for threat in threats(text).into_iter().chain(threats_in_memory(text)) {
        assert!(rules().any(|rule| rule == threat.rule), "{}", threat.rule);
    }
    characters(text);
    secrets(text);
}

fn characters(text: &str) {
    let seen = visible(text);
    assert!(!seen.contains(|c| is_steering(c) || matches!(c, '\u{2028}' | '\u{2029}')), "{seen:?}");
    assert_eq!(visible(&seen), seen, "visible twice");
    let harmless = defused(text);
    assert!(!harmless.contains(is_steering));
    assert_eq!(defused(&harmless), harmless, "defused twice");
    assert!(!harmless.contains("</resume-pack"), "{harmless:?}");
    let (left, gone) = shed(text);
    assert_eq!(gone.is_empty(), left == text, "{gone:?}");
    let (again, more) = shed(&left);
    assert_eq!((again, more.len()), (left.clone(), 0), "shed twice");
    if !text.contains(is_hidden) && !text.contains(is_steering) {
        assert!(gone.is_empty());
    }
    let line = emit::one_line(text);
    assert!(!line.contains(char::is_control), "{line:?}");
    assert!(!emit::printable(text).contains(is_steering));
}

fn secrets(text: &str) {
    let mut redactor = Redactor::default();
    let once = redactor.text(text).into_owned();
    let counted: usize = redactor.counts().iter().map(|one| one.count).sum();
    assert_eq!(counted == 0, once == text, "counted {counted}");
    let same = Redactor::default().text(text).into_owned();
    assert_eq!(once, same, "not the same on every run");
    let twice = Redactor::default().text(&once).into_owned();
    assert_eq!(twice, once, "redacted twice");
    // A line of JSON stays one.
    if serde_json::from_str::<IgnoredAny>(text).is_ok() {
        serde_json::from_str::<IgnoredAny>(&once).expect("still JSON");
    }
}
