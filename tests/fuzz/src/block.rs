//! The managed block: what stands around it stays, byte for byte.

use segue::block::{Kind, MEMORY, PACK, body, find, only_imports, put, take_out, unmentioned};

/// What parts a text from the body that is put into it.
const MIDDLE: &[u8] = b"\n=====\n";

/// Puts the second half of `bytes` into the first.
pub fn hold(bytes: &[u8]) {
    let at = bytes.windows(MIDDLE.len()).position(|window| window == MIDDLE);
    let (text, rest) = at.map_or((bytes, &[][..]), |at| bytes.split_at(at));
    let words = String::from_utf8_lossy(rest.get(MIDDLE.len()..).unwrap_or_default());
    for (kind, other) in [(PACK, MEMORY), (MEMORY, PACK)] {
        one(text, kind, other, &words);
    }
    assert_eq!(unmentioned(&unmentioned(&words)), unmentioned(&words));
}

fn one(text: &[u8], kind: Kind, other: Kind, words: &str) {
    let _ = only_imports(text, kind);
    let Ok(before) = find(text, kind) else {
        assert!(put(text, kind, "0123", words).is_err() && take_out(text, kind).is_err());
        return;
    };
    // A text takes one, unless that would take the end of a fence with it.
    let Ok(once) = put(text, kind, "0123", words) else {
        assert!(before.is_some(), "a text without a block takes one");
        return;
    };
    let block = find(&once, kind).expect("balanced").expect("is there");
    assert_eq!(block.hash, "0123");
    let (head, tail) = match &before {
        Some(block) => (&text[..block.place.start], &text[block.place.end..]),
        None => (text, &[][..]),
    };
    assert!(once.starts_with(head) && once.ends_with(tail), "something around it has changed");
    if before.is_some() {
        assert_eq!(once.len() - block.place.len(), head.len() + tail.len());
    }
    let said = body(&once, &block);
    assert_eq!(put(&once, kind, "0123", words).as_deref(), Ok(&*once), "put twice is not once");
    let again = put(&once, kind, "0123", &said).expect("balanced");
    assert_eq!(body(&again, &find(&again, kind).expect("balanced").expect("is there")), said);
    let out = take_out(&once, kind).expect("balanced").expect("is there");
    if before.is_none() {
        assert_eq!(out, text, "taken out is not what was before");
    }
    // The other block, if there is one, is none of this one's business.
    if find(text, other).is_ok_and(|found| found.is_some()) && before.is_none() {
        let there = |text: &[u8]| {
            let block = find(text, other).expect("balanced").expect("is there");
            text[block.place].to_vec()
        };
        assert_eq!(there(text), there(&out));
    }
}
