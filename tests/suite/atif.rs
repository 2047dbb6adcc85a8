//! `export --to atif`: valid, with compactions, side sessions and images where the form has them.

use std::path::Path;

use serde_json::{Value, json};

use crate::corpus::sessions;
use crate::data;
use crate::program::Call;

fn exported(path: &str, more: &[&str]) -> Value {
    let args = [&["export", "-q", "--to", "atif", path], more].concat();
    let said = Call::new("nobody", &args).run();
    assert_eq!(said.code, 0, "{path}: {}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

/// Returns every step below a document, those of side sessions too.
fn steps(root: &Value) -> Vec<&Value> {
    let mut found: Vec<_> = root["steps"].as_array().unwrap().iter().collect();
    for side in root["subagent_trajectories"].as_array().into_iter().flatten() {
        found.extend(steps(side));
    }
    found
}

#[test]
fn every_fixture_fits_the_schema_in_both_versions_and_views() {
    let Some(folder) = data::folder("schemas") else { return };
    let text = std::fs::read_to_string(folder.join("atif-v1.8.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let mut count = 0;
    for path in sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")) {
        let path = path.to_str().unwrap();
        if Call::new("nobody", &["export", "-q", path]).run().code != 0 {
            continue;
        }
        for (view, version) in [("live", "1.7"), ("full", "1.8")] {
            let ours = exported(path, &["--view", view, "--atif-version", version, "--blobs"]);
            let wrong: Vec<_> = validator.iter_errors(&ours).map(|e| e.to_string()).collect();
            assert!(wrong.is_empty(), "{path} {view}: {:.500}", wrong.join("\n"));
            assert_eq!(ours["schema_version"], format!("ATIF-v{version}"));
            linked(&ours, path);
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
}

/// Holds what the schema cannot say: numbers count up, and results answer calls of their step.
fn linked(root: &Value, path: &str) {
    let list = root["steps"].as_array().unwrap();
    for (step, number) in list.iter().zip(1..) {
        assert_eq!(step["step_id"], number, "{path}");
        let calls = step["tool_calls"].as_array().into_iter().flatten();
        let calls: Vec<_> = calls.map(|call| &call["tool_call_id"]).collect();
        for result in step["observation"]["results"].as_array().into_iter().flatten() {
            let of = &result["source_call_id"];
            assert!(of.is_null() || calls.contains(&of), "{path}: {result}");
            for to in result["subagent_trajectory_ref"].as_array().into_iter().flatten() {
                let sides = root["subagent_trajectories"].as_array().unwrap();
                assert!(sides.iter().any(|side| side["trajectory_id"] == to["trajectory_id"]));
            }
        }
        let is_agent = step["source"] == "agent";
        for key in ["tool_calls", "metrics", "reasoning_content", "model_name"] {
            assert!(is_agent || step.get(key).is_none(), "{path}: {key} of {}", step["source"]);
        }
    }
    let sides = root["subagent_trajectories"].as_array();
    sides.into_iter().flatten().for_each(|side| linked(side, path));
}

#[test]
fn a_compaction_is_a_system_step_that_names_what_it_replaced() {
    let root = exported("fixtures/claude/2.1.84/compaction.jsonl", &[]);
    let steps = steps(&root);
    let found: Vec<_> =
        steps.iter().filter(|step| step["extra"].get("context_management").is_some()).collect();
    assert_eq!(found.len(), 1);
    let (step, context) = (found[0], &found[0]["extra"]["context_management"]);
    assert_eq!((&step["source"], &context["type"]), (&json!("system"), &json!("compaction")));
    assert!(step["message"].as_str().unwrap().starts_with("MOCK-SUMMARY: primary"), "{step}");
    let own = step["step_id"].as_u64().unwrap();
    let replaced = context["replaced_step_ids"].as_array().unwrap();
    assert!(!replaced.is_empty() && replaced.iter().all(|id| id.as_u64().unwrap() < own));
}

#[test]
fn a_side_session_stands_inside_and_its_call_points_at_it() {
    let root = exported("fixtures/claude/1.0.128/sidechain-inline.jsonl", &[]);
    let sides = root["subagent_trajectories"].as_array().unwrap();
    assert_eq!(sides.len(), 2, "{root:#}");
    assert!(!sides[0]["steps"].as_array().unwrap().is_empty());
    let steps = steps(&root);
    let results = steps.iter().filter_map(|step| step["observation"]["results"].as_array());
    let refs: Vec<_> = results
        .flatten()
        .filter_map(|result| result["subagent_trajectory_ref"].as_array())
        .collect();
    let name = |value: &Value| value["trajectory_id"].as_str().unwrap().to_owned();
    let mut named: Vec<_> = refs.iter().map(|refs| name(&refs[0])).collect();
    let mut there: Vec<_> = sides.iter().map(name).collect();
    named.sort();
    there.sort();
    assert_eq!(named, there);
}

#[test]
fn one_answer_with_several_calls_is_one_step_that_has_their_results() {
    let root = exported("fixtures/claude/2.1.84/parallel-tools.jsonl", &[]);
    let most = steps(&root)
        .iter()
        .map(|step| {
            let calls = step["tool_calls"].as_array().map_or(0, Vec::len);
            let results = step["observation"]["results"].as_array().map_or(0, Vec::len);
            assert!(step["source"] != "agent" || results <= calls, "{step}");
            calls
        })
        .max();
    assert!(most > Some(1), "{root:#}");
}

#[test]
fn images_are_files_beside_the_document_each_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.json");
    let out = out.to_str().unwrap();
    let path = "fixtures/claude/2.1.84/command-and-image.jsonl";
    let args = ["export", "--to", "atif", "--out", out, path];
    let said = Call::new("nobody", &args).run();
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
    let text = std::fs::read_to_string(out).unwrap();
    let root: Value = serde_json::from_str(&text).unwrap();
    let steps = steps(&root);
    let parts = steps.iter().filter_map(|step| step["message"].as_array()).flatten();
    let image = parts.clone().find(|part| part["type"] == "image").unwrap();
    let path = image["source"]["path"].as_str().unwrap();
    assert!(path.starts_with("a.images/"), "{path}");
    let bytes = std::fs::read(folder.path().join(path)).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && path.ends_with(".png"), "{path}");
    let files = data::files(&folder.path().join("a.images"));
    assert_eq!(files.len(), 1);
}

#[test]
fn an_image_without_a_place_leaves_a_mark_and_a_note() {
    let path = "fixtures/claude/2.1.84/command-and-image.jsonl";
    let said = Call::new("nobody", &["export", "--to", "atif", path]).run();
    assert!(said.stdout.contains("[image]"), "{}", said.stdout);
    assert!(said.stderr.contains("no place for `image/png`: 1"), "{}", said.stderr);
    let inside = Call::new("nobody", &["export", "--to", "atif", "--blobs", path]).run();
    assert!(inside.stdout.contains("data:image/png;base64,"), "{}", inside.stdout);
}
