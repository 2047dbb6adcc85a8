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
fn what_is_chosen_does_not_depend_on_the_day_where_there_is_little_room() {
    for budget in (500..900).step_by(17).map(|budget| budget.to_string()) {
        let told = |day: &str| {
            let said = pack(&["--budget", &budget, "--as-of", day]);
            said.stdout.split_once(" hash=\"").unwrap().1[..8].to_owned()
        };
        let first = told("2026-03-14");
        for day in ["2026-03-15", "2026-04-20", "2027-03-01", "2031-04-01"] {
            assert_eq!(told(day), first, "{budget} {day}");
        }
    }
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
    assert_eq!(pack(&["--known-hash", &hash, "--explain"]).stdout, "unchanged\n");
    assert_eq!(pack(&["--known-hash", "0123456789ab"]).stdout, pack(&[]).stdout);
    let explained = pack(&["--known-hash", "0123456789ab", "--explain"]).stdout;
    assert_eq!(explained, pack(&["--explain"]).stdout);
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

/// Returns the lines of a pack without the file that it was read from and how to ask for more.
fn without_path(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("`segue show ID"));
    let cut = |line: &str| line.split("; `segue show ID").next().unwrap().to_owned();
    lines.map(|line| cut(line.split("; file ").next().unwrap())).collect()
}

#[test]
fn a_pack_of_the_past_is_the_pack_of_that_day() {
    let bytes = std::fs::read(DEMO).unwrap();
    let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let day = ["--as-of", "2026-03-15"];
    for count in [2, 5, 9, 14] {
        let line: Value = serde_json::from_slice(lines[count - 1]).unwrap();
        let then = lines[..count].concat();
        let before = Call::new("nobody", &["pack", "-", day[0], day[1]]).stdin(&then).run();
        let export = Call::new("nobody", &["export", "-"]).stdin(&then).run();
        // What a response cost is told in its last line, which is not there yet.
        let is_item = |line: &&str| line.contains("\"id\":") && !line.contains("\"usage\"");
        let last = export.stdout.lines().rev().find(is_item).unwrap();
        let id = serde_json::from_str::<Value>(last).unwrap()["id"].as_str().unwrap().to_owned();
        for point in [id.as_str(), line["timestamp"].as_str().unwrap()] {
            let now = pack(&["--until", point, day[0], day[1]]);
            assert_eq!(without_path(&now.stdout), without_path(&before.stdout), "{count} {point}");
        }
    }
}

#[test]
fn a_point_is_a_turn_a_day_or_refused() {
    let (first, all) = (pack(&["--until", "T-1"]).stdout, pack(&[]).stdout);
    assert!(!first.contains("keep the sign handling") && all.contains("keep the sign handling"));
    let whole = pack(&["--until", "2026-03-14"]).stdout;
    assert_eq!(whole.replace(" --until 2026-03-14`", "`"), all);
    for wrong in ["T-99", "2026-03-13", "2020-01-01T00:00:00Z", "feedbeef", "x"] {
        let said = Call::new("nobody", &["pack", DEMO, "--until", wrong]).run();
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{wrong}: {}", said.stderr);
    }
}

#[test]
fn a_time_without_a_zone_is_in_utc() {
    let until = |point| pack(&["--until", point, "--as-of", "2026-03-15"]).stdout;
    let then = until("2026-03-14T09:04:00Z");
    assert_ne!(without_path(&then), without_path(&until("2026-03-14")));
    for same in
        ["2026-03-14 09:04", "2026-03-14T09:04", "2026-03-14T09:04:00", "2026-03-14T10:04+01"]
    {
        assert_eq!(until(same), then, "{same}");
    }
}

#[test]
fn a_point_of_a_side_session_is_one_of_the_session() {
    const SPAWNED: &str = "fixtures/codex/0.169.0/rollout-2026-11-21T20-41-09-\
                           01a1ffd7-67cd-7213-aa49-898cbb18d436.jsonl";
    // Of the side session's file, whose lines count for themselves.
    let item = "01a1ffd7-685e-7fb2-b571-024ce7469a7e/msg_01a1ffd7-6879-7223-8203-09deb68f8619";
    for point in [item, "2026-11-21T20:41:09.497Z"] {
        let said = Call::new("nobody", &["pack", SPAWNED, "--until", point, "--json"]).run();
        assert_eq!(said.code, 0, "{point}: {}", said.stderr);
        let pack = json(&said);
        assert_eq!(pack["session"]["ended_at"], "2026-11-21T20:41:09.486Z", "{point}");
        assert_eq!(pack["now"]["goal"], "Spawn an agent", "{point}");
    }
}

#[test]
fn a_session_whose_first_line_is_broken_has_a_past_and_notes() {
    let mut bytes = b"one broken { line\n".to_vec();
    bytes.extend(std::fs::read(DEMO).unwrap());
    let call = |args: &[&str]| Call::new("nobody", args).stdin(&bytes).run();
    let said = call(&["pack", "-", "--until", "T-1"]);
    assert!(said.code == 0 && !said.stdout.contains("keep the sign handling"), "{}", said.stderr);
    let said = call(&["diff", "-", "--from", "T-1"]);
    let note = "note: could not read broken lines: 1 (first at line 1)\n";
    assert_eq!((said.code, said.stderr.as_str()), (0, note));
    assert_eq!(call(&["diff", "-", "--from", "T-1", "--strict"]).code, 5);
}

#[test]
fn ids_of_a_past_pack_are_looked_up_in_the_past() {
    let (then, here) = ("2026-03-14T09:09:00Z", env!("CARGO_MANIFEST_DIR"));
    let pack = json(&pack(&["--json", "--until", then]));
    let fetch = pack["fetch"].as_str().unwrap();
    assert_eq!(fetch, format!("segue show ID --session {here}/{DEMO} --until {then}"));
    let work = pack["open_work"].as_array().unwrap();
    assert!(!work.is_empty());
    for one in work {
        let id = one["id"].as_str().unwrap();
        let command = fetch.replace("ID", id);
        let words: Vec<_> = command.split(' ').skip(1).collect();
        let said = Call::new("nobody", &words).run();
        assert!(said.code == 0 && said.stdout.starts_with(id), "{}", said.stderr);
    }
    let wrong = Call::new("nobody", &["show", "T-1", "--demo", "--until", "T-9"]).run();
    assert!(wrong.code == 2 && wrong.stderr.contains("no turn T-9"), "{}", wrong.stderr);
}

#[test]
fn a_difference_is_told_by_ids() {
    let diff = |more: &[&str]| Call::new("nobody", &[&["diff", DEMO], more].concat()).run();
    let then = "2026-03-14T09:04:00Z";
    let said = diff(&["--from", then, "--json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let found = json(&said);
    let ids = |list: &str| {
        let entries = found[list].as_array().unwrap().iter();
        entries.map(|entry| entry["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(ids("changed").contains(&"goal".to_owned()), "{found}");
    assert!(ids("new").iter().any(|id| id.starts_with("W-")), "{found}");
    assert!(ids("changed").iter().any(|id| id.starts_with("P-")), "{found}");
    let told = diff(&["--from", then]).stdout;
    let goal = "  now goal: good. keep the sign handling inside parse_amount";
    assert!(told.starts_with("new:\n") && told.contains(goal), "{told}");
    let said = diff(&["--from", "T-2"]);
    assert!(said.stdout == "unchanged\n" && !said.stderr.contains("--until"), "{}", said.stderr);
    // What is over by now is shown as it was then.
    let said = diff(&["--from", "T-1"]);
    assert!(
        !said.stdout.contains("resolved:") && !said.stderr.contains("--until"),
        "{}",
        said.stdout
    );
    let said = diff(&["--from", "2026-03-14T09:01:30Z"]);
    assert!(said.stdout.contains("\nresolved:\n  open_work W-"), "{}", said.stdout);
    let at = format!("--session {}/{DEMO} --until", env!("CARGO_MANIFEST_DIR"));
    let hint =
        format!("segue: `segue show ID {at} 2026-03-14T09:01:30Z` prints what is resolved\n");
    assert_eq!(said.stderr, hint);
    // Of a day its start, as the difference has it.
    let said = diff(&["--from", "2026-03-14", "--to", "2026-03-14"]);
    assert!(!said.stdout.contains("resolved:"), "{}", said.stdout);
    let twice = Call::new("nobody", &["diff", "-", "-"]).run();
    assert!(twice.code == 2 && twice.stderr.contains("read only once"), "{}", twice.stderr);
    assert!(diff(&["--to", "T-1"]).stdout.contains("now goal: tally should import CSV"));
    // Of a day on which work begins its start is meant, on which it ends its end.
    let day = "2026-03-14";
    let told = diff(&["--from", day, "--to", day]).stdout;
    assert!(told.contains(goal) && told.contains("  open_work W-"), "{told}");
    let said = diff(&["--from", "T-2", "--to", "T-1"]);
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("--from is later than --to"), "{}", said.stderr);
    let early = diff(&["--to", "2000-01-01"]);
    assert!(early.code == 2 && early.stderr.contains("as old as 2000-01-01"), "{}", early.stderr);
    let said = diff(&["--from", "T-99"]);
    assert!(said.stderr.contains("no turn T-99: its last one is T-2"), "{}", said.stderr);
}

#[test]
fn two_packs_in_files_are_compared() {
    let write = |name: &str, more: &[&str]| {
        let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, pack(&[&["--json"], more].concat()).stdout).unwrap();
        path
    };
    let then = "2026-03-14T09:04:00Z";
    let old = write("old-pack.json", &["--until", then, "--as-of", "2026-03-15"]);
    let new = write("new-pack.json", &["--as-of", "2027-03-15"]);
    let diff = |from: &str, to: &str| Call::new("nobody", &["diff", from, to]).run();
    let told = diff(&old, &new).stdout;
    assert!(told.contains("\nchanged:\n  now goal: good. keep the sign"), "{told}");
    assert!(told.contains("\n  open_work W-"), "{told}");
    let same = write("same-pack.json", &["--as-of", "2030-01-01"]);
    assert_eq!(diff(&same, &new).stdout, "unchanged\n");
    let piped = Call::new("nobody", &["diff", &old, "-"]);
    assert_eq!(piped.stdin(&std::fs::read(&new).unwrap()).run().stdout, told);
    let back = diff(&new, &old).stdout;
    assert!(back.starts_with("resolved:\n  open_work W-"), "{back}");
    let said = diff(DEMO, &new);
    assert_eq!((said.code, said.stdout.as_str()), (3, ""), "{}", said.stderr);
    assert_eq!(Call::new("nobody", &["diff", &old]).run().code, 2);
}

#[test]
fn what_a_day_resolved_is_shown_as_it_was_at_its_start() {
    let day = "2026-03-14";
    let path = format!("{}/days.jsonl", env!("CARGO_TARGET_TMPDIR"));
    let text = std::fs::read_to_string(DEMO).unwrap();
    let mut is_later = false;
    let moved = text.lines().map(|line| {
        is_later |= line.contains("T09:02");
        if is_later { line.to_owned() + "\n" } else { line.replace(day, "2026-03-13") + "\n" }
    });
    std::fs::write(&path, moved.collect::<String>()).unwrap();
    let said = Call::new("nobody", &["diff", &path, "--from", day]).run();
    let resolved = said.stdout.split_once("resolved:\n").expect(&said.stdout).1;
    let id = resolved.split([' ', ':']).find(|word| word.starts_with("W-")).unwrap();
    let command = said.stderr.split('`').nth(1).unwrap().replace("ID", id);
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let shown = Call::new("nobody", &words).run();
    assert!(shown.code == 0 && shown.stdout.starts_with(id), "{command}: {}", shown.stderr);
}

#[test]
fn a_session_more_makes_no_difference_of_what_the_others_leave() {
    let all = json(&pack(&["--json"]));
    let renamed = |pack: &Value, name: &str| {
        let text = serde_json::to_string(pack).unwrap();
        let text = ["W", "F", "D", "C", "P", "T", "L"].iter().fold(text, |text, kind| {
            text.replace(&format!("\"{kind}-"), &format!("\"{name}/{kind}-"))
        });
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let write = |file: &str, pack: &Value| {
        let path = format!("{}/{file}", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, pack.to_string()).unwrap();
        path
    };
    let session =
        |name: &str, id: &str| serde_json::json!({"name": name, "harness": "claude", "id": id});
    let demo = all["session"]["id"].as_str().unwrap();
    let mut first = renamed(&all, "S1");
    first["sessions"] = serde_json::json!([session("S1", demo), session("S2", "a-1")]);
    let mut later = renamed(&all, "S3");
    later["sessions"] =
        serde_json::json!([session("S1", "b-2"), session("S2", "a-1"), session("S3", demo)]);
    later["open_work"]
        .as_array_mut()
        .unwrap()
        .push(serde_json::json!({"id": "S1/W-00000001", "text": "x"}));
    let (one, first, later) =
        (write("one.json", &all), write("first.json", &first), write("later.json", &later));
    for earlier in [&first, &one] {
        let said = Call::new("nobody", &["diff", earlier, &later]).run();
        assert_eq!(said.stdout, "new:\n  open_work S1/W-00000001: x\n", "{earlier}");
    }
    // What a session leaves that the newer pack does not have is not resolved by that.
    let said = Call::new("nobody", &["diff", &later, &one]).run().stdout;
    assert!(said.ends_with(":\n  open_work S1/W-00000001: x\n"), "{said}");
    assert!(said.starts_with("not in the newer pack") && !said.contains("resolved"), "{said}");
}

#[test]
fn a_session_right_after_its_first_request_has_a_past() {
    let bytes = std::fs::read_to_string(DEMO).unwrap();
    let first = bytes.lines().find(|line| line.contains("\"type\":\"user\"")).unwrap();
    let call = |args: &[&str], input: &str| Call::new("nobody", args).stdin(input.as_bytes()).run();
    let said = call(&["pack", "-", "--until", "T-1", "--json"], first);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(json(&said)["now"]["goal"].as_str().unwrap().starts_with("tally should import"));
    assert_eq!(call(&["diff", "-", "--from", "T-1"], first).stdout, "unchanged\n");
    // What side sessions in files of their own hold are no lines of it.
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("one-line/s.jsonl");
    let side = path.with_extension("").join("subagents/agent-a1.jsonl");
    std::fs::create_dir_all(side.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("{first}\n")).unwrap();
    std::fs::write(
        &side,
        format!("{first}\n{first}\n")
            .replace("\"isSidechain\":false", "\"isSidechain\":true,\"agentId\":\"a1\""),
    )
    .unwrap();
    let said = call(&["pack", path.to_str().unwrap(), "--until", "T-1"], "");
    assert_eq!(said.code, 0, "{}", said.stderr);
    // One line can be a whole document, too.
    let document = "{\"sessionId\":\"a\",\"projectHash\":\"b\",\"messages\":[\
        {\"id\":\"1\",\"type\":\"user\",\"content\":\"first\"},\
        {\"id\":\"2\",\"type\":\"user\",\"content\":\"then\"}]}";
    let said = call(&["pack", "-", "--until", "T-1"], document);
    assert!(said.code == 2 && said.stderr.contains("one document"), "{}", said.stderr);
}
