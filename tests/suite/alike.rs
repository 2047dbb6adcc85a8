//! What is the same in another form is told the same.

use serde_json::{Value, json};

use crate::status::{edit, open_by, pack, segue, shell};

/// Returns the open boxes of what the agent said last.
fn boxes(words: &str) -> Vec<String> {
    let passed = shell("cargo test", "test result: ok. 3 passed; 0 failed");
    let steps: [Value; 3] = [edit("src/a.rs", "a", "b"), passed, json!(words)];
    open_by(&pack(&steps), "box")
}

#[test]
fn what_is_quoted_between_fences_of_either_kind_is_no_open_work() {
    for fence in ["```", "~~~", "````"] {
        let template = format!("A template for later:\n\n{fence}md\n- [ ] a title\n{fence}\n");
        assert!(boxes(&template).is_empty(), "{fence}");
        let more = format!("{template}\n- [ ] read times\n");
        assert_eq!(boxes(&more), ["read times"], "{fence}");
    }
    let inline = "See ```a``` first:\n```x```\n- [ ] read times\n";
    assert_eq!(boxes(inline), ["read times"]);
    assert_eq!(boxes("~~gone~~\n- [ ] read times\n"), ["read times"]);
}

#[test]
fn what_runs_in_a_box_by_a_name_of_its_own_is_no_check() {
    let asked = |command: &str| {
        let passed = shell("cargo test", "test result: ok. 3 passed; 0 failed");
        let steps = [edit("src/a.rs", "a", "b"), passed, shell(command, "seeded")];
        let printed = segue(&["pack", "-", "--budget", "20000", "--no-check"], &steps).stdout;
        printed.lines().any(|line| line.contains(command) && line.contains("still pass"))
    };
    for program in ["docker compose", "docker-compose", "podman-compose"] {
        assert!(!asked(&format!("{program} run --rm test-db ./seed.sh")), "{program}");
        assert!(asked(&format!("{program} run --rm db make test")), "{program}");
    }
}

#[test]
fn what_git_only_shows_is_no_deed_wherever_it_is_asked() {
    let kept = |command: &str| {
        let steps = [shell(command, "done"), edit("src/a.rs", "a", "b"), shell("npm run x", "ok")];
        let pack = pack(&steps);
        let commands = pack["commands"].as_array().unwrap().iter();
        let told: Vec<_> = commands.map(|one| one["command"].as_str().unwrap()).collect();
        told.contains(&command)
    };
    for command in ["git status", "git -C lib status", "git branch", "git branch --show-current"] {
        assert!(!kept(command), "{command}");
    }
    for command in ["git branch -D x", "git -C lib branch x", "git remote add x y"] {
        assert!(kept(command), "{command}");
    }
}
