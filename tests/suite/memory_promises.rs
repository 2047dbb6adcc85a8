//! What holds for every pair of harnesses that keep memories.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::memory::{Place, fates, records};
use crate::program::Call;

const ALL: [&str; 4] = ["claude", "codex", "gemini", "hermes"];
/// Those whose stores keep texts as they are; the other one keeps sentences.
const WHOLE: [&str; 3] = ["claude", "codex", "gemini"];

/// Puts some memories of every kind and level into the home of `harness`.
fn filled(place: &Place, harness: &str) {
    let kinds = ["feedback", "user", "project", "reference"];
    let rows = kinds.iter().flat_map(|kind| ["project", "global"].map(|level| (*kind, level)));
    let lines = rows.map(|(kind, level)| {
        let cwd = (level == "project").then(|| place.path("project"));
        let body = format!("The {kind} of the {level}: `a @b` and\n\n- one\n- two");
        json!({
            "type": "memory", "schema": "segue.memory/1", "id": "x", "kind": kind,
            "name": format!("{kind}-{level}"), "title": format!("A {kind}, {level}"),
            "summary": "", "body_md": body, "scope": {"level": level, "cwd": cwd},
            "source": {"harness": "other", "path": "x", "layer": "memory", "generation": "g",
                       "key": format!("{kind}{level}")},
            "updated_at": "2026-02-03T04:05:06Z", "content_sha256": "", "flags": {},
        })
    });
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let file = place.path("filled.ndjson");
    fs::write(&file, text).unwrap();
    place.json(&["import", file.to_str().unwrap(), "--to", harness, "--json", "--write"]);
}

/// What is kept: kind, level and text of each memory.
fn kept(place: &Place, harness: &str) -> BTreeSet<(String, String, String, String)> {
    let found = records(&place.run(&["export", harness]));
    let text = |value: &Value| value.as_str().unwrap().replace('＠', "@");
    let memories = found.iter().filter(|one| one["source"]["layer"] != "instructions");
    memories
        .map(|one| {
            let level = text(&one["scope"]["level"]);
            (text(&one["kind"]), level, text(&one["title"]), text(&one["body_md"]))
        })
        .collect()
}

#[test]
fn there_and_back_keeps_texts_and_kinds() {
    for from in ALL {
        for to in ALL.into_iter().filter(|to| *to != from) {
            let place = Place::new();
            filled(&place, from);
            let before = kept(&place, from);
            assert_eq!(before.len(), 8, "{from}: {before:?}");
            place.json(&["migrate", "--from", from, "--to", to, "--json", "--write"]);
            let home = place.path("home").join(format!(".{from}"));
            fs::remove_dir_all(&home).unwrap();
            fs::create_dir(&home).unwrap();
            place.json(&["migrate", "--from", to, "--to", from, "--json", "--write"]);
            let after = kept(&place, from);
            if WHOLE.contains(&from) && WHOLE.contains(&to) {
                assert_eq!(after, before, "{from} to {to} and back");
                continue;
            }
            let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            for (_, _, _, body) in &before {
                let body = flat(body.trim_start_matches("Project project: "));
                let mut all = after.iter();
                assert!(
                    all.any(|(_, _, _, other)| flat(other).contains(&body)),
                    "{from} to {to} and back: `{body}` is not in {after:?}"
                );
            }
        }
    }
}

#[test]
fn a_plan_says_what_is_done_and_what_a_harness_exports_is_its_own() {
    for from in ALL {
        for to in ALL.into_iter().filter(|to| *to != from) {
            let place = Place::new();
            filled(&place, from);
            let mut plan = place.json(&["migrate", "--from", from, "--to", to, "--json"]);
            let mut done =
                place.json(&["migrate", "--from", from, "--to", to, "--json", "--write"]);
            for one in [&mut plan, &mut done] {
                one.as_object_mut().unwrap().remove("written");
                one.as_object_mut().unwrap().remove("backups");
            }
            assert_eq!(plan, done, "{from} to {to}");
            for harness in [from, to] {
                let file = place.path("own.ndjson");
                fs::write(&file, place.run(&["export", harness]).stdout).unwrap();
                let before = place.all();
                let args = ["import", file.to_str().unwrap(), "--to", harness, "--json", "--write"];
                let again = place.json(&args);
                let has_other = fates(&again).iter().any(|fate| fate != "same");
                assert!(!has_other, "{from} to {to}, {harness}: {again}");
                assert!(place.all() == before, "{from} to {to}, {harness}");
            }
        }
    }
}

#[test]
fn what_came_from_a_harness_does_not_come_back_as_something_new() {
    for from in WHOLE {
        for to in WHOLE.into_iter().filter(|to| *to != from) {
            let place = Place::new();
            let cwd = place.path("project");
            let lines = ["project", "global"].map(|level| {
                json!({
                    "type": "memory", "schema": "segue.memory/1", "id": "x", "kind": "feedback",
                    "name": level, "title": level, "summary": "", "content_sha256": "", "flags": {},
                    "body_md": format!("## A heading\n\nText of the {level}."),
                    "scope": {"level": level, "cwd": (level == "project").then_some(&cwd)},
                    "source": {"harness": "other", "path": "x", "layer": "memory", "generation": "g",
                               "key": level},
                })
            });
            let file = place.path("two.ndjson");
            fs::write(&file, lines.map(|line| format!("{line}\n")).concat()).unwrap();
            place.json(&["import", file.to_str().unwrap(), "--to", from, "--json", "--write"]);
            place.json(&["migrate", "--from", from, "--to", to, "--json", "--write"]);
            let before = place.all();
            let back = place.json(&["migrate", "--from", to, "--to", from, "--json", "--write"]);
            assert!(
                fates(&back).iter().all(|fate| fate == "dropped" || fate == "same"),
                "{from}, {to}: {back}"
            );
            assert!(place.all() == before, "{from} to {to} and back");
        }
    }
}

#[test]
fn a_copy_that_is_out_of_date_or_was_redacted_does_not_come_back_as_something_new() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    for to in ["codex", "gemini", "hermes"] {
        let place = Place::new();
        let file = place.store().join("key.md");
        let text =
            format!("---\nname: key\ndescription: d\n---\n\nPort 8080 wants {secret}.\u{200b}\n");
        place.put(&file, &text);
        place.json(&["migrate", "--from", "claude", "--to", to, "--json", "--write"]);
        let back = || place.json(&["migrate", "--from", to, "--to", "claude", "--json", "--write"]);
        for text in [text.clone(), text.replace("8080", "9090")] {
            place.put(&file, &text);
            let before = place.all();
            let plan = back();
            assert_eq!(plan["rows"][0]["reason"], "it came from there", "{to}: {plan}");
            assert!(fates(&plan) == ["dropped"] && place.all() == before, "{to}: {plan}");
        }
        // What somebody changed there is news.
        let edit = ["edit", to, "--match", "8080", "--replace", "Port 7070 is free.", "--write"];
        assert_eq!(place.run(&edit).code, 0);
        assert_ne!(fates(&back()), ["dropped"], "{to}");
    }
}

#[test]
fn what_a_harness_holds_already_comes_from_no_other_a_second_time() {
    for from in ALL {
        for (by, to) in ALL.into_iter().flat_map(|by| ALL.map(|to| (by, to))) {
            // Sentences are no memories that another harness has, word for word.
            let is_whole = WHOLE.contains(&from) && WHOLE.contains(&by) && WHOLE.contains(&to);
            if !is_whole || from == by || by == to || from == to {
                continue;
            }
            let place = Place::new();
            let cwd = place.path("project");
            let line = json!({
                "type": "memory", "schema": "segue.memory/1", "id": "x", "kind": "user",
                "name": "tea", "title": "tea", "summary": "", "content_sha256": "", "flags": {},
                "body_md": "Ada drinks tea.", "scope": {"level": "project", "cwd": cwd},
                "source": {"harness": "other", "path": "x", "layer": "memory", "generation": "g",
                           "key": "tea"},
            });
            let file = place.path("one.ndjson");
            fs::write(&file, format!("{line}\n")).unwrap();
            place.json(&["import", file.to_str().unwrap(), "--to", from, "--json", "--write"]);
            let migrate = |from, to| {
                place.json(&["migrate", "--from", from, "--to", to, "--json", "--write"])
            };
            assert_eq!(fates(&migrate(from, by)), ["new"], "{from} to {by}");
            assert_eq!(fates(&migrate(from, to)), ["new"], "{from} to {to}");
            let before = place.all();
            let again = migrate(by, to);
            assert_eq!(fates(&again), ["same"], "{from}, {by} to {to}: {again}");
            assert!(place.all() == before, "{from}, {by} to {to}");
        }
    }
}

#[test]
fn what_went_for_one_project_into_a_store_of_all_stays_with_that_project() {
    let place = Place::new();
    let text = "---\nname: port\ndescription: d\nmetadata:\n  type: project\n---\n\nPort 8080.\n";
    place.put(&place.store().join("port.md"), text);
    let migrate =
        |from, to| place.json(&["migrate", "--from", from, "--to", to, "--json", "--write"]);
    for to in ["hermes", "gemini"] {
        assert_eq!(fates(&migrate("claude", to)), ["new"], "{to}");
    }
    let kept = records(&place.run(&["export", "hermes"]));
    assert_eq!(kept[0]["scope"]["cwd"], json!(place.path("project")), "{kept:?}");
    let before = place.all();
    let again = migrate("hermes", "gemini");
    assert_eq!(fates(&again), ["same"], "{again}");
    assert!(place.all() == before);
    for to in ["claude", "codex", "gemini"] {
        let args = ["memory", "migrate", "--from", "hermes", "--to", to, "--json"];
        let home = place.path("home");
        let args = [&args[..], &["--project", "/p/kite"]].concat();
        let said = Call::new("nobody", &args).env("HOME", home.to_str().unwrap()).run();
        let plan: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(plan["rows"][0]["reason"], "it belongs to another project", "{to}: {plan}");
        assert_eq!(plan["rows"].as_array().unwrap().len(), 1, "{to}: {plan}");
    }
    // What says something else since is not the same, wherever both have it from.
    place.put(&place.store().join("port.md"), &text.replace("8080", "9999"));
    assert_eq!(fates(&migrate("claude", "hermes")), ["changed"]);
    assert_eq!(fates(&migrate("hermes", "gemini")), ["new"]);
    // Nor is what says more.
    let place = Place::new();
    place.put(&place.store().join("port.md"), text);
    let migrate =
        |from, to| place.json(&["migrate", "--from", from, "--to", to, "--json", "--write"]);
    for to in ["hermes", "gemini"] {
        assert_eq!(fates(&migrate("claude", to)), ["new"], "{to}");
    }
    place.put(&place.store().join("port.md"), &text.replace("8080.", "8080. It moves soon."));
    assert_eq!(fates(&migrate("claude", "hermes")), ["changed"]);
    assert_eq!(fates(&migrate("hermes", "gemini")), ["new"]);
}
