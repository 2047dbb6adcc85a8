//! What stays the same, and how a change of it is told: hashes, packs of the past, differences.

use serde_json::Value;

use crate::program::{Call, Said};

const DEMO: &str = "fixtures/demo/session.jsonl";

/// Runs `segue pack` on the demo's file.
fn pack(more: &[&str]) -> Said {
    let said = Call::new("nobody", &[&["pack", DEMO], more].concat()).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    said
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.stdout).unwrap()
}

fn hash(more: &[&str]) -> String {
    let found = json(&pack(&[&["--json"], more].concat()));
    found["pack_hash"].as_str().unwrap().to_owned()
}

#[test]
fn a_hash_does_not_depend_on_the_day_or_the_place() {
    let first = hash(&["--as-of", "2026-03-15"]);
    assert_eq!(hash(&["--as-of", "2031-12-01"]), first);
    let bytes = std::fs::read(DEMO).unwrap();
    let piped = Call::new("nobody", &["pack", "-", "--json"]).stdin(&bytes).run();
    assert_eq!(json(&piped)["pack_hash"], first.as_str());
    assert_ne!(hash(&["--budget", "700"]), first, "other items have another hash");
    let more = String::from_utf8(bytes).unwrap().replace("parse_amount", "parse_money");
    let other = Call::new("nobody", &["pack", "-", "--json"]).stdin(more.as_bytes()).run();
    assert_ne!(json(&other)["pack_hash"], first.as_str(), "other words have another hash");
}

#[test]
fn the_opening_tag_has_the_beginning_of_the_hash() {
    let hash = hash(&[]);
    let text = pack(&[]).stdout;
    let tag = text.lines().next().unwrap();
    assert!(tag.ends_with(&format!(" hash=\"{}\">", &hash[..8])), "{tag}");
}

#[test]
fn a_known_pack_is_not_told_again() {
    let hash = hash(&[]);
    for known in [&hash[..8], hash.as_str(), &hash.to_uppercase()] {
        assert_eq!(pack(&["--known-hash", known]).stdout, "unchanged\n");
    }
    let said = pack(&["--known-hash", &hash, "--json"]).stdout;
    assert_eq!(said, format!("{{\"unchanged\":true,\"pack_hash\":\"{hash}\"}}\n"));
    assert_eq!(pack(&["--known-hash", "0123456789ab"]).stdout, pack(&[]).stdout);
    for wrong in ["", "abc", "not-a-hash-at-all"] {
        let said = Call::new("nobody", &["pack", DEMO, "--known-hash", wrong]).run();
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{wrong}");
    }
}

#[test]
fn a_known_pack_leaves_its_file_alone() {
    let path = format!("{}/known-pack.md", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, "the pack of yesterday\n").unwrap();
    let said = pack(&["--known-hash", &hash(&[]), "--out", &path]);
    assert_eq!(said.stdout, "unchanged\n");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "the pack of yesterday\n");
}
