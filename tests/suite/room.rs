//! What a pack has no room for is counted, what binds comes first, and lists are told whole where there is room.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::convert_run::user;
use crate::handed::{call, say, segue, session, status, value};
use crate::program::Call;

fn listed(entries: &[(String, &str)]) -> [Value; 2] {
    let todos: Vec<_> = entries
        .iter()
        .map(|(text, status)| json!({"content": text, "status": status, "activeForm": text}))
        .collect();
    call("list", "TodoWrite", &json!({ "todos": todos }), "ok")
}

fn steps(count: usize) -> Vec<(String, &'static str)> {
    let step = |n| {
        format!(
            "Step {n}: move module {n} to the new parser, with its tests and its page of the manual"
        )
    };
    (1..=count).map(|n| (step(n), "pending")).collect()
}

fn of_list(count: usize) -> String {
    let list = listed(&steps(count));
    session(&[&[user("Move all modules.")][..], &list, &[say("I begin with the first.")]].concat())
}

fn packed(session: &str, budget: usize) -> String {
    segue(&["pack", "-", "--no-check", "--budget", &budget.to_string()], session).stdout
}

#[test]
fn a_long_list_of_work_is_told_whole_or_counted() {
    let all = of_list(120);
    assert_eq!(packed(&all, 100_000).matches("- [ ] Step ").count(), 120);
    assert_eq!(status(&all).1.matches("open: Step ").count(), 120);
    let small = packed(&all, 900);
    let told = small.matches("- [ ] Step ").count();
    assert!(small.contains(&format!("- and {} more that did not fit\n", 120 - told)), "{small}");
    let longest = value(&of_list(205));
    let last = longest["open_work"].as_array().unwrap().last().unwrap();
    assert_eq!(last["details"], "and 5 more of the same list");
}

#[test]
fn entries_of_a_list_that_differ_in_one_word_all_stay() {
    let words = "Still open:\n- [ ] Add tests for the parser\n- [ ] Add tests for the lexer\n- [ ] Add tests for the printer";
    let told = status(&session(&[user("Test it all."), say(words)])).1;
    for thing in ["parser", "lexer", "printer"] {
        assert!(told.contains(&format!("Add tests for the {thing}")), "{told}");
    }
}

#[test]
fn a_box_that_the_list_of_work_has_as_done_since_is_not_open() {
    let plan = "- [ ] Add tests for the parser\n- [ ] Add tests for the lexer";
    let approved =
        call("plan", "ExitPlanMode", &json!({ "plan": plan }), "User has approved your plan.");
    let done = [
        ("Add tests for the parser".to_owned(), "completed"),
        ("Look for the rest".to_owned(), "pending"),
    ];
    let lines = [&[user("Test it all.")][..], &approved, &listed(&done), &[say("On it.")]].concat();
    let told = status(&session(&lines)).1;
    assert!(
        told.contains("Add tests for the lexer") && !told.contains("tests for the parser"),
        "{told}"
    );
    // What the agent's last words say of it is newer.
    let lines =
        [&lines[..lines.len() - 1], &[say("Open again:\n- [ ] Add tests for the parser")]].concat();
    assert!(status(&session(&lines)).1.contains("Add tests for the parser"));
}

#[test]
fn all_checks_that_fail_are_open() {
    let mut lines = vec![user("Make the tests pass.")];
    for n in 0..20 {
        let input = json!({"command": format!("pytest tests/test_{n:02}.py")});
        let output =
            format!("FAILED tests/test_{n:02}.py::test_a - assert {n} == 0\n1 failed in 0.01s");
        lines.extend(call(&format!("run-{n}"), "Bash", &input, &output));
    }
    lines.push(say("I look at the first."));
    assert_eq!(status(&session(&lines)).1.matches("open: make `pytest tests/").count(), 20);
}

#[test]
fn what_binds_comes_before_commands_and_files() {
    let mut lines =
        vec![user("Tidy the kitchen module. Never touch README.md. Do not add packages.")];
    for n in 0..25 {
        let input = json!({"file_path": format!("/home/ada/kettle/src/part_{n}.py")});
        lines.extend(call(&format!("read-{n}"), "Read", &input, "def boil(): pass"));
    }
    lines.push(say("Read."));
    for words in ["And now the hall, please.", "And the stairs.", "Which part is the largest?"] {
        lines.extend([user(words), say("Part 3, I think.")]);
    }
    let all = session(&lines);
    for budget in [520, 600, 800, 1500] {
        let told = packed(&all, budget);
        let at = told.find("Never touch README.md.").unwrap_or_else(|| panic!("{budget}: {told}"));
        assert!(told.find("## Files").is_none_or(|files| at < files), "{told}");
    }
}

#[test]
fn a_long_request_and_an_approved_plan_are_told_whole_where_there_is_room() {
    let spec: Vec<_> =
        (1..=150).map(|n| format!("{n}. The page {n} says how field {n} is rounded.")).collect();
    let plan: Vec<_> = (1..=60)
        .map(|n| format!("{n}. Change src/mod_{n}.py so that the total of field {n} is right"))
        .collect();
    let approved = call(
        "plan",
        "ExitPlanMode",
        &json!({"plan": format!("# Rounding\n\n{}", plan.join("\n"))}),
        "User has approved your plan.",
    );
    let request = format!("Build it by this:\n\n{}", spec.join("\n"));
    let all = session(&[&[user(&*request)][..], &approved, &[say("I begin.")]].concat());
    let whole = packed(&all, 30_000);
    assert!(spec.iter().chain(&plan).all(|line| whole.contains(line.as_str())), "{whole}");
    // So is one that is longer than what is kept of an output.
    let pages: Vec<_> = (1..=500)
        .map(|n| format!("{n}. The page {n} says how the field {n} is rounded to whole cents."))
        .collect();
    let long = session(&[user(&*pages.join("\n")), say("I begin.")]);
    let told = packed(&long, 60_000);
    assert!(pages.iter().all(|line| told.contains(line.as_str())), "{}", told.len());
    // Where there is none, no line is made of two.
    let lines: HashSet<_> = spec.iter().chain(&plan).map(String::as_str).collect();
    for budget in [1500, 2500, 4000] {
        let told = packed(&all, budget);
        for line in told.lines().filter(|line| !line.contains("[…]")) {
            let line = line.trim_start_matches(['>', ' ']);
            let is_numbered = line.starts_with(|c: char| c.is_ascii_digit());
            assert!(!is_numbered || lines.contains(line), "{budget}: {line}");
        }
        assert!(told.contains(" lines are not shown]"), "{budget}: {told}");
    }
}

#[test]
fn no_difference_calls_resolved_what_had_no_room_or_is_of_other_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, session: &str, budget: &str| {
        let path = folder.path().join(name);
        let said = segue(&["pack", "-", "--no-check", "--json", "--budget", budget], session);
        std::fs::write(&path, said.stdout).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let all = of_list(40);
    let (large, small) = (file("large", &all, "8000"), file("small", &all, "700"));
    let other = session(&[user("Paint the fence."), say("It is green.")])
        .replace("\"sessionId\":\"", "\"sessionId\":\"9");
    let other = file("other", &other, "8000");
    let between = |to: &str| -> Value {
        let said = Call::new("empty", &["diff", &large, to, "--json"]).run();
        serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}", said.stderr))
    };
    for to in [small.as_str(), &other] {
        let found = between(to);
        let lists = |field: &str| {
            let entries = found[field].as_array().unwrap().iter();
            entries.filter(|entry| entry["list"] == "open_work").count()
        };
        assert_eq!(lists("resolved"), 0, "{found}");
        assert!(lists("untold") > 10, "{found}");
    }
}

#[test]
fn no_difference_passes_over_a_list_that_the_newer_pack_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let list = of_list(40);
    let pack = segue(&["pack", "-", "--no-check", "--json", "--budget", "8000"], &list).stdout;
    let whole = file("whole", &pack);
    let mut pack: Value = serde_json::from_str(&pack).unwrap();
    let between = |to: &Value| -> Value {
        let to = file("to", &to.to_string());
        let said = Call::new("empty", &["diff", &whole, &to, "--json"]).run();
        serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}", said.stderr))
    };
    let count = |found: &Value, field: &str| found[field].as_array().unwrap().len();
    // Where it has the list, and room for all of it, what is not there is done.
    pack["open_work"] = json!([]);
    let found = between(&pack);
    assert_eq!((count(&found, "resolved"), count(&found, "untold")), (40, 0), "{found}");
    pack["open_work"] = Value::Null;
    let found = between(&pack);
    assert_eq!((count(&found, "resolved"), count(&found, "untold")), (0, 40), "{found}");
    pack.as_object_mut().unwrap().remove("open_work");
    let found = between(&pack);
    assert_eq!((count(&found, "resolved"), count(&found, "untold")), (0, 40), "{found}");
    let to = file("to", &pack.to_string());
    let told = Call::new("empty", &["diff", &whole, &to]).run().stdout;
    assert!(
        told.starts_with("not in the newer pack, which had no room for all, has no such list, or")
    );
}

#[test]
fn what_fails_and_had_no_room_is_counted_and_not_resolved() {
    let failed = |name: char| {
        let input = json!({"command": format!("./load_{name}.sh --all-of-the-parts")});
        let mut lines = call(&format!("c{name}"), "Bash", &input, "");
        let words = format!("Exit code 1\nTraceback (most recent call last):\nKeyError: '{name}'");
        lines[1]["message"]["content"][0]["content"] = json!(words);
        lines[1]["message"]["content"][0]["is_error"] = json!(true);
        lines
    };
    let all: Vec<_> = ('a'..='c').flat_map(failed).collect();
    let all = session(&[&[user("Load it.")][..], &all, &[say("All three fail.")]].concat());
    let folder = tempfile::tempdir().unwrap();
    let pack = |budget: &str| {
        let said = segue(&["pack", "-", "--no-check", "--json", "--budget", budget], &all);
        let path = folder.path().join(budget);
        std::fs::write(&path, &said.stdout).unwrap();
        let pack: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
        (path.to_str().unwrap().to_owned(), pack)
    };
    let (large, whole) = pack("20000");
    let count = |pack: &Value| pack["failures"].as_array().map_or(0, Vec::len);
    // The smallest budget that is enough for the card and one of them.
    let budget = (200..420).step_by(10).find(|budget| count(&pack(&budget.to_string()).1) == 1);
    let budget = budget.unwrap();
    let (small, cut) = pack(&budget.to_string());
    assert_eq!(whole["left_out"]["failures"], 0);
    let left = count(&whole) - count(&cut);
    assert!(left > 0 && cut["left_out"]["failures"] == left, "{cut}");
    assert!(
        packed(&all, budget).contains(&format!("- and {left} more that did not fit")),
        "{}",
        packed(&all, budget)
    );
    let said = Call::new("empty", &["diff", &large, &small, "--json"]).run();
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let of = |field: &str| {
        let entries = found[field].as_array().unwrap().iter();
        entries.filter(|entry| entry["list"] == "failures").count()
    };
    assert_eq!((of("resolved"), of("untold")), (0, left), "{found}");
}

#[test]
fn rules_beyond_what_is_kept_are_counted() {
    let rules = |count: usize| {
        let rule = |n| format!("Never touch the file src/part{n}.rs.");
        let words = (1..=count).map(rule).collect::<Vec<_>>().join(" ");
        let lines =
            [user(words), say("I keep to that."), user("Paint the fence."), say("It is green.")];
        session(&lines)
    };
    let counted = |count: usize| {
        let said =
            segue(&["pack", "-", "--no-check", "--json", "--budget", "60000"], &rules(count));
        let pack: Value = serde_json::from_str(&said.stdout).unwrap();
        let told = pack["facts"].as_array().unwrap().len();
        (
            told,
            pack["left_out"]["facts_by_user"].as_u64().unwrap(),
            pack["left_out"]["facts"].as_u64().unwrap(),
        )
    };
    assert_eq!(counted(100), (100, 0, 0));
    assert_eq!(counted(140), (100, 40, 40));
    assert!(packed(&rules(140), 60_000).contains("- and 40 more that did not fit\n"));
    // What the request itself says is not missing.
    let all = rules(140).lines().take(1).collect::<String>() + "\n";
    let value = value(&all);
    assert_eq!(value["left_out"]["facts_by_user"], 0, "{}", value["left_out"]);
}

#[test]
fn a_look_alike_of_the_at_sign_is_told_and_taken() {
    let path = "/home/ada/kettle/app/@modal/page.md";
    let made = call("made", "Write", &json!({"file_path": path, "content": "a"}), "File created");
    let all = session(&[&[user("Make the page.")][..], &made, &[say("It is there.")]].concat());
    let told = packed(&all, 4000);
    assert!(told.contains("- created: app/＠modal/page.md"), "{told}");
    assert!(told.contains("\n＠ stands for @ in this pack"), "{told}");
    let shown = segue(&["show", "app/＠modal/page.md", "--session", "-"], &all);
    assert!(shown.stdout.contains("path: app/@modal/page.md"), "{}", shown.stderr);
    // Where none is, none is told of.
    assert!(!packed(&of_list(3), 4000).contains('＠'));
}
