//! What makes a check that passed out of date, whichever way files were changed.

use serde_json::{Value, json};

use crate::attack;
use crate::carried::codex;
use crate::program::Call;
use crate::status::{edit, facts, failing, open_by, pack, shell, status};

const PASSED: &str = "==== 3 passed in 0.10s ====";
const FAILED: &str = "==== 1 failed, 2 passed in 0.10s ====";

/// Returns a session that changes a file, has its tests pass, and then does `steps`.
fn passed(steps: &[Value]) -> Vec<Value> {
    let first = [edit("src/a.py", "x", "y"), shell("pytest -q", PASSED)];
    first.iter().chain(steps).chain(&[json!("That was it.")]).cloned().collect()
}

/// Whether the check is out of date after `steps`, and the work not done for that.
fn is_outdated(steps: &[Value]) -> bool {
    let status = status(&passed(steps));
    let since = status["last_check"]["edits_since"].as_u64().unwrap();
    assert_eq!(since == 0, status["done"] == json!(true), "{status}");
    since > 0
}

/// Returns a call of a tool of a server.
fn served(name: &str, input: &Value, output: &str) -> Value {
    let output = json!([{"type": "text", "text": output}]);
    json!({"name": format!("mcp__{name}"), "input": input, "output": output})
}

/// Returns a file of a pack as `state path`.
fn file(pack: &Value, path: &str) -> String {
    let files = pack["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["path"] == path);
    file.map_or_else(String::new, |file| format!("{} {}", file["state"], file["edits"]))
}

#[test]
fn a_file_that_the_tool_of_a_server_changes_is_changed() {
    for (name, input) in [
        ("code__replace_symbol_body", json!({"relative_path": "src/a.py", "body": "x"})),
        ("code__insert_after_symbol", json!({"relative_path": "src/a.py", "body": "x"})),
        ("ide__replace_text_in_file", json!({"pathInProject": "src/a.py", "oldText": "x"})),
        ("fast__edit_file", json!({"target_filepath": "/home/ada/tool/src/a.py", "code": "x"})),
        ("editor__Edit", json!({"file_path": "/home/ada/tool/src/a.py", "old_string": "x"})),
    ] {
        let call = served(name, &input, "OK");
        assert!(is_outdated(std::slice::from_ref(&call)), "{name}");
        assert_eq!(file(&pack(&passed(&[call])), "src/a.py"), "\"edited\" 2", "{name}");
    }
    let look = served("code__find_symbol", &json!({"relative_path": "src/a.py"}), "[]");
    assert!(!is_outdated(&[look]));
}

#[test]
fn a_check_that_a_server_runs_is_one() {
    let input = json!({"command": "pytest -q"});
    let ended = |name: &str, output: &str| {
        let status = status(&passed(&[served(name, &input, output)]));
        status["last_check"]["told"].as_str().unwrap().to_owned()
    };
    let object = json!({"stdout": format!("F..\n{FAILED}\n"), "stderr": "", "return_code": 1});
    assert_eq!(ended("code__execute_shell_command", &object.to_string()), "1 of 3 failed");
    assert_eq!(
        ended("shell__start_process", &format!("Process started\n{FAILED}")),
        "1 of 3 failed"
    );
    assert_eq!(ended("ssh__execute_shell_command", &object.to_string()), "passed (3 tests)");
}

#[test]
fn a_patch_that_a_shell_is_given_is_a_change_whichever_shell_that_is() {
    let patch = |old: &str, new: &str| {
        format!("*** Begin Patch\n*** Update File: a.py\n@@\n-{old}\n+{new}\n*** End Patch")
    };
    let call = |id: &str, arguments: &Value| {
        json!({"type": "function_call", "name": "exec_command", "call_id": id,
            "arguments": arguments.to_string()})
    };
    let gave = |id: &str, output: &str| {
        let output =
            format!("Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{output}");
        json!({"type": "function_call_output", "call_id": id, "output": output})
    };
    let patched = |id: &str, old: &str, new: &str| {
        let line = format!("apply_patch <<'EOF'\n{}\nEOF", patch(old, new));
        [
            call(id, &json!({ "cmd": line })),
            gave(id, "Success. Updated the following files:\nM a.py"),
        ]
    };
    let tested = [call("c2", &json!({"cmd": "pytest -q"})), gave("c2", PASSED)];
    let items = [patched("c1", "one", "two"), tested, patched("c3", "two", "three")].concat();
    let (_folder, path) = attack::session(&codex(&items));
    let said = attack::segue(&["status", &path]);
    assert!(said.stdout.contains("passed (3 tests); 1 file was changed since"), "{}", said.stdout);
}

#[test]
fn a_file_that_is_taken_away_moved_or_copied_is_changed() {
    for line in [
        "rm src/b.py",
        "git rm -q src/b.py",
        "mv src/c.py src/b.py",
        "mv src/b.py /srv/old/",
        "jq '.a = 1' config.json > tmp.json && mv tmp.json config.json",
        "cp ../other/b.py src/b.py",
        "install -m644 /srv/b.py src/b.py",
        "ln -sf ../other/b.py src/b.py",
        "rsync -a /srv/src/ src/",
        "curl -sL https://x.example/b.py -o src/b.py",
        "wget -qO src/b.py https://x.example/b.py",
        ": > src/b.py",
        "truncate -s 0 src/b.py",
        "find src -name '*.py' -exec sed -i 's/a/b/' {} +",
        "grep -rl foo src | xargs sed -i 's/foo/bar/g'",
        "fd -e py | xargs -I{} perl -pi -e 's/a/b/' {}",
        "git show HEAD~1:src/a.py > src/a.py",
        "git ls-files '*.py' | xargs rm",
    ] {
        assert!(is_outdated(&[shell(line, "")]), "{line}");
    }
    for line in [
        "rm -rf build .pytest_cache out.log /tmp/x.py",
        "rm notes.md",
        "rm report.json",
        "cp src/a.py src/a.py.bak",
        "cp src/a.py /srv/a.py",
        "cp -r src dist",
        "mv dist/a.js dist/b.js",
        "curl -so /tmp/x.py https://x.example/x.py",
        "rsync -an /srv/src/ src/",
        "grep -rl foo src | xargs sed -n 1p",
        "find /srv -name '*.py' -exec sed -i 's/a/b/' {} +",
        "git show HEAD~1:src/a.py > /tmp/a.py",
        "git ls-files -o --exclude-standard | xargs rm",
        "find . -name '*.pyc' | xargs rm",
    ] {
        assert!(!is_outdated(&[shell(line, "")]), "{line}");
    }
}

#[test]
fn what_came_and_went_leaves_a_check_as_it_is() {
    let made = shell("cat > try.py <<'EOF'\nprint(1)\nEOF\npython3 try.py", "1");
    let first = [edit("src/a.py", "x", "y"), made, shell("pytest -q", PASSED)];
    let steps = |last: &str| {
        first.iter().cloned().chain([shell(last, ""), json!("That was it.")]).collect::<Vec<_>>()
    };
    assert_eq!(status(&steps("rm try.py"))["done"], json!(true));
    assert_eq!(status(&steps("rm src/a.py"))["done"], json!(false));
    let printed = [shell("mkdir try && ./gen > try/b.py", ""), shell("rm -rf try", "")];
    assert!(!is_outdated(&printed));
}

#[test]
fn files_that_are_copied_or_patched_are_told_as_changed() {
    let told = |line: &str, output: &str| pack(&passed(&[shell(line, output)]));
    let made = told("cp ../other/b.py src/b.py", "");
    assert_eq!(file(&made, "src/b.py"), "\"created\" 1");
    let patched = told("patch -p1 < fix.patch", "patching file src/a.py\n");
    assert_eq!(file(&patched, "src/a.py"), "\"edited\" 2");
    let gone = told("rm src/a.py", "");
    assert_eq!(file(&gone, "src/a.py"), "\"deleted\" 1");
}

#[test]
fn a_patch_and_what_git_brings_are_changes() {
    let moved = " src/b.py | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)";
    for (line, output, told) in [
        ("patch -p1 < fix.patch", "patching file src/b.py", "1 file was changed since"),
        ("git apply fix.patch", "", "files were changed since"),
        (
            "git pull",
            &*format!("Updating a1..b2\nFast-forward\n{moved}"),
            "1 file was changed since",
        ),
        ("git merge main", &*format!("Merge made.\n{moved}"), "1 file was changed since"),
        ("git rebase main", "Successfully rebased and updated refs/heads/f.", "files were changed"),
        ("git cherry-pick abc123", "[main 1234567] x\n 1 file changed", "files were changed since"),
        ("git revert --no-edit HEAD~3", "[main 1a2b3c4] Revert \"x\"", "files were changed since"),
        ("git checkout main", "Switched to branch 'main'", "files were changed since"),
        ("git reset --hard origin/main", "HEAD is now at 1a2b3c4 x", "file"),
        ("git stash pop", "On branch main\n\tmodified:   src/b.py", "1 file was changed since"),
    ] {
        let steps = passed(&[shell(line, output)]);
        let said = crate::status::segue(&["status", "-"], &steps);
        assert!(said.stdout.contains("passed (3 tests); "), "{line}: {}", said.stdout);
        assert!(said.stdout.contains(told), "{line}: {}", said.stdout);
    }
    for (line, output) in [
        ("git pull", "Already up to date."),
        ("git rebase main", "Current branch f is up to date."),
        ("git checkout -b f", "Switched to a new branch 'f'"),
        ("git checkout -b f 2>&1 | tail -2", "Switched to a new branch 'f'"),
        ("git checkout main", "Already on 'main'"),
        ("git commit -qam 'Read amounts' && git push", ""),
        ("git -C ../other pull", moved),
        ("cd /srv/other && git pull", moved),
        ("git apply --check fix.patch", ""),
        ("git pull", " README.md | 2 +-"),
    ] {
        assert!(!is_outdated(&[shell(line, output)]), "{line}");
    }
}

#[test]
fn who_comes_back_to_a_branch_finds_what_was_there() {
    let away = |back: &str| {
        let there = [shell("git checkout main", "Switched to branch 'main'")];
        let pulled = [shell("git pull", "Updating a1..b2\nFast-forward\n src/b.py | 2 +-")];
        let back = [shell(back, "Switched to branch 'f'")];
        [&there[..], &pulled[..], &back[..]].concat()
    };
    let named = [shell("git checkout -b f", "Switched to a new branch 'f'")];
    assert!(!is_outdated(&away("git checkout -")));
    assert!(!is_outdated(&[&named[..], &away("git switch f")[..]].concat()));
    assert!(is_outdated(&away("git checkout g")));
    let baseline = [
        shell("git stash", "Saved working directory and index state WIP on f: 1a2b3c4 x"),
        shell("pytest -q", PASSED),
        shell("git stash pop", "On branch f\n\tmodified:   src/a.py"),
    ];
    assert!(!is_outdated(&baseline));
    let merged = [
        shell("git checkout main", "Switched to branch 'main'"),
        shell("git merge f", "Updating a1..b2\nFast-forward\n src/a.py | 2 +-"),
    ];
    assert!(!is_outdated(&[&named[..], &merged[..]].concat()));
    let by_server = [
        shell("gh pr merge 7 --squash", ""),
        shell("git checkout main && git pull", "Switched to branch 'main'\n src/a.py | 2 +-"),
    ];
    assert!(!is_outdated(&by_server));
}

/// Returns a change that is committed, its test that fails, and then other steps.
fn failed(then: &[Value]) -> Vec<Value> {
    let commit = shell("git commit -qam 'Cache the amounts'", "");
    [&[edit("src/a.py", "x", "y"), commit, failing("pytest -q", FAILED)], then].concat()
}

#[test]
fn what_passes_on_another_branch_says_nothing_of_the_one_come_back_to() {
    let named = shell("git switch -c f", "Switched to a new branch 'f'");
    let to = |branch: &str| {
        shell(&format!("git switch {branch}"), &format!("Switched to branch '{branch}'"))
    };
    let (main, back, passes) = (to("main"), to("f"), shell("pytest -q", PASSED));
    let pull = shell("git pull", PULLED);
    let line = "git checkout -q main && pytest -q; git checkout -q -";
    for (at_start, there) in [
        (vec![named.clone()], vec![main.clone(), passes.clone(), back.clone()]),
        (vec![named.clone()], vec![main.clone(), pull, passes.clone(), back.clone()]),
        // Nobody named the branch before.
        (vec![], vec![main.clone(), passes.clone(), back.clone()]),
        (vec![named.clone()], vec![shell(line, PASSED)]),
    ] {
        let steps = [at_start, failed(&there), vec![json!("It is the cache.")]].concat();
        let pack = pack(&steps);
        assert!(facts(&pack, "fix").is_empty(), "{pack}");
        assert_eq!(open_by(&pack, "check").len(), 1, "{there:?} {}", pack["open_work"]);
        let said = crate::status::segue(&["status", "-"], &steps).stdout;
        assert!(!said.contains("changed since"), "{said}");
    }
    // Who works there has the work there.
    let there = [main.clone(), edit("src/a.py", "y", "z"), passes.clone(), back];
    assert!(open_by(&pack(&failed(&there)), "check").is_empty());
    // To go to another branch mends nothing, wherever one stays.
    let stays = failed(&[main.clone(), passes.clone()]);
    assert!(facts(&pack(&stays), "fix").is_empty());
    let merge = shell("git merge -q g", "Merge made by the 'ort' strategy.");
    let mended = failed(&[main, merge, passes]);
    assert_eq!(facts(&pack(&mended), "fix").len(), 1);
}

/// What git says of a merge that is a commit of its own.
const MERGED: &str =
    "Switched to branch 'main'\nMerge made by the 'ort' strategy.\n src/a.py | 2 +-";
const PULLED: &str = "Updating a1a1..b2b2\nFast-forward\n src/b.py | 2 +-";

#[test]
fn own_work_that_is_merged_is_the_same_work() {
    let named = shell("git checkout -b f", "Switched to a new branch 'f'");
    let step = |line: &str, output: &str| is_outdated(&[named.clone(), shell(line, output)]);
    for line in [
        "git checkout main && git merge --no-ff f -m 'Merge the branch f'",
        "git checkout main && git merge -m 'Merge it' --no-ff f && git push",
    ] {
        assert!(!step(line, MERGED), "{line}");
    }
    let both = format!("Switched to branch 'dev'\n{}{MERGED}", MERGED.replace("main", "dev"));
    let line =
        "git checkout dev && git merge --no-ff f && git checkout main && git merge --no-ff dev";
    assert!(!step(line, &both));
    let rebased = "Successfully rebased and updated refs/heads/f.";
    for line in ["git rebase -i HEAD^^", "git rebase -i --autosquash 1a2b3c4"] {
        assert!(!step(line, rebased), "{line}");
    }
    let forward = PULLED.replace("b.py", "a.py");
    let away = [
        named.clone(),
        shell("git checkout main", "Switched to branch 'main'"),
        shell("git pull", PULLED),
        shell("git merge f", &forward),
    ];
    assert!(!is_outdated(&away));
    // In another working tree.
    assert!(!step("git worktree add .worktrees/b main && cd .worktrees/b && git merge x", MERGED));
}

#[test]
fn a_merge_that_brings_the_work_of_others_is_a_change() {
    let named = shell("git checkout -b f", "Switched to a new branch 'f'");
    let step = |line: &str, output: &str| is_outdated(&[named.clone(), shell(line, output)]);
    let joined = format!("Auto-merging src/a.py\n{MERGED}");
    let rebased = "Successfully rebased and updated refs/heads/f.";
    for (line, output) in [
        ("git checkout main && git merge f", MERGED),
        ("git checkout main && git merge --no-ff f", &joined),
        ("git checkout main && git merge --no-ff g f", MERGED),
        ("git merge --no-ff main", MERGED),
        ("git checkout main && git pull && git merge --no-ff f", &format!("{PULLED}\n{MERGED}")),
        ("git rebase --onto main HEAD~2", rebased),
        ("git rebase -i --autosquash origin/main", rebased),
    ] {
        assert!(step(line, output), "{line}");
    }
    let pulled = [
        named.clone(),
        shell("git checkout main", "Switched to branch 'main'"),
        shell("git pull", PULLED),
        shell("git merge --no-ff f", MERGED),
    ];
    assert!(is_outdated(&pulled));
}

#[test]
fn what_a_shell_of_windows_does_to_files_counts() {
    let on_windows = |line: &str| {
        let steps: Vec<Value> = [
            edit("src/a.py", "x", "y"),
            json!({"name": "PowerShell", "input": {"command": "pytest -q"}, "output": PASSED}),
            json!({"name": "PowerShell", "input": {"command": line}, "output": ""}),
            json!("That was it."),
        ]
        .into();
        let text = crate::status::session(&steps);
        let text = text
            .replace("/home/ada/tool/src/a.py", "C:\\\\p\\\\src\\\\a.py")
            .replace("/home/ada/tool", "C:\\\\p");
        let said =
            |command: &[&str]| Call::new("nobody", command).stdin(text.as_bytes()).run().stdout;
        let pack: Value = serde_json::from_str(&said(&["pack", "-", "--json"])).unwrap();
        (said(&["status", "-"]).contains("changed since"), pack)
    };
    for (line, path, told) in [
        ("Set-Content -Path src\\b.py -Value 'x'", "src/b.py", "\"created\" 1"),
        (
            "(Get-Content src\\a.py) -replace 'a','b' | Set-Content src\\a.py",
            "src/a.py",
            "\"edited\" 2",
        ),
        ("'x' | Out-File C:\\p\\src\\a.py", "src/a.py", "\"edited\" 2"),
        ("[System.IO.File]::WriteAllText(\"C:\\p\\src\\a.py\", $c)", "src/a.py", "\"edited\" 2"),
        ("@\"\nx\n\"@ > src\\a.py", "src/a.py", "\"edited\" 2"),
        ("Copy-Item src\\a.py src\\b.py", "src/b.py", "\"created\" 1"),
        ("Remove-Item src\\a.py", "src/a.py", "\"deleted\" 1"),
        ("del src\\a.py", "src/a.py", "\"deleted\" 1"),
        ("Move-Item src\\a.py src\\b.py", "src/a.py", "\"moved\" 0"),
        ("Rename-Item src\\a.py b.py", "src/a.py", "\"moved\" 0"),
    ] {
        let (is_outdated, pack) = on_windows(line);
        assert!(is_outdated, "{line}");
        assert_eq!(file(&pack, path), told, "{line}");
    }
    let (is_outdated, _) = on_windows("Get-Content src\\a.py; Remove-Item -Recurse build");
    assert!(!is_outdated);
}
