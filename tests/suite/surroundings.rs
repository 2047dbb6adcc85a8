//! What a session tells of its machine, its files and the pages and commits that it made.

use serde_json::{Value, json};

use crate::program::Call;
use crate::status::{codex_pack, edit, facts, failing, pack, printed, segue, shell, status};

#[test]
fn several_places_of_a_file_are_one_change() {
    let patch = "*** Begin Patch\n*** Update File: a.rs\n@@\n-one\n+two\n@@\n-three\n+four\n+five\n*** Add File: b.rs\n+x\n*** End Patch";
    let call = json!({"name": "apply_patch", "input": {"input": patch}, "output": "Success. Updated the following files:\nM a.rs\nA b.rs"});
    let turns = codex_pack(&[call])["turns"].to_string();
    assert!(turns.contains("edited a.rs (+3 −2), wrote b.rs (1 line)"), "{turns}");
}

#[test]
fn lines_that_only_moved_are_not_told_as_taken_out_and_put_in() {
    let turns = |patch: &str| {
        let patch = format!("*** Begin Patch\n*** Update File: a.rs\n{patch}\n*** End Patch");
        codex_pack(&[json!({"name": "apply_patch", "input": {"input": patch}, "output": "Success. Updated the following files:\nM a.rs"})])["turns"].to_string()
    };
    let moved = turns("@@\n a\n-two\n@@\n b\n+two");
    assert!(moved.contains("moved: two") && !moved.contains("-two"), "{moved}");
    let both = turns("@@\n a\n-two\n@@\n b\n+two\n+three");
    assert!(both.contains("-two\\n+two\\n+three"), "{both}");
    // What stands elsewhere in the file, too, is a change all the same.
    let hides =
        turns("@@\n def a():\n+    return None\n@@\n def b():\n-    return None\n+    return 0");
    assert!(hides.contains("+    return None\\n-    return None\\n+    return 0"), "{hides}");
    let swap = "@@\n def a():\n-    return True\n+    return False\n@@\n def b():\n-    return False\n+    return True";
    let told = "-    return True\\n+    return False\\n-    return False\\n+    return True";
    for patch in [swap.to_owned(), format!("{swap}\n@@\n def c():\n-    x = 1\n+    x = 2")] {
        assert!(turns(&patch).contains(told), "{}", turns(&patch));
    }
    let copied = turns("@@\n a\n-two\n@@\n b\n+two\n@@\n c\n+two");
    assert!(copied.contains("-two\\n+two\\n+two"), "{copied}");
    // One more brace is told only where nothing else is.
    let braces = |new: &str| pack(&[edit("a.c", "f {\n}", new)])["turns"].to_string();
    let (more, only) = (braces("f {\n}\ng {\n}"), braces("f {\n}\n}"));
    assert!(more.contains("+g {") && !more.contains("+}"), "{more}");
    assert!(only.contains("+}"), "{only}");
    let order = [edit("a.py", "import b\nimport a\nx", "import a\nimport b\nx")];
    let order = pack(&order)["turns"].to_string();
    let told = "-import b\\n-import a\\n+import a\\n+import b\"";
    assert!(order.contains(told) || order.contains(&told.replace('"', "\\n")), "{order}");
}

#[test]
fn versions_and_servers_are_told() {
    let steps = [
        shell("node --version", "v22.1.0\n"),
        shell("npm run dev", "  Local: http://localhost:5173/\n"),
        json!("ok"),
    ];
    assert_eq!(
        facts(&pack(&steps), "environment"),
        ["open `npm run dev` serves http://localhost:5173", "open node 22.1.0",]
    );
}

#[test]
fn programs_that_the_shell_did_not_find_are_told_until_they_run() {
    let python = failing("python tool.py --all", "(eval):1: command not found: python");
    let bats = failing("cd test && sudo bats .", "/bin/sh: 1: bats: not found");
    let told = |steps: &[Value]| facts(&pack(&[steps, &[json!("ok")]].concat()), "environment");
    assert_eq!(
        told(&[python.clone(), shell("python3 tool.py --all", "done\n"), bats.clone()]),
        ["open no such program here: bats, python"]
    );
    assert_eq!(
        told(&[python, bats, shell("python tool.py", "done\n")]),
        ["open no such program here: bats"]
    );
    let bats = failing("bats .", "bash: bats: command not found");
    assert!(told(&[bats, shell("brew install bats", "done\n")]).is_empty());
    // What a log says of another machine, and what a script lacks, is no command of the session's.
    let log = shell("gh run view 1 --log-failed", "zsh:1: command not found: hk\n");
    assert!(told(&[log, failing("npm run lint", "sh: actionlint: command not found")]).is_empty());
}

#[test]
fn what_does_not_work_here_as_it_stands_is_told_until_it_does() {
    let told = |steps: &[Value]| facts(&pack(&[steps, &[json!("ok")]].concat()), "environment");
    let remotes = "none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`";
    let fails = failing("gh pr list", remotes);
    let line = "open `gh` does not work here as it stands: none of the git remotes configured for this repository point to a known GitHub host";
    assert_eq!(told(std::slice::from_ref(&fails)), [line]);
    let with = shell("gh pr list -R ada/tool --limit 3", "7\tMend the dates\tOPEN");
    let other = shell("gh pr checks 7 --repo ada/tool", "unit\tpass");
    assert_eq!(
        told(&[fails.clone(), with, other]),
        [format!("{line}; with `--repo ada/tool` it does")]
    );
    let user = shell("gh api user", "{}");
    assert_eq!(told(&[fails.clone(), user]), [line]);
    let bare = shell("gh pr list", "7\tMend the dates\tOPEN");
    assert_eq!(told(&[fails.clone(), bare]), [""; 0]);
    // What only shows such words is none, nor what works in another folder.
    let quoted = shell("gh issue view 5", remotes);
    let there = failing("cd ../other && gh pr list", remotes);
    for other in [shell("cat notes.md", remotes), quoted, there] {
        assert_eq!(told(&[other]), [""; 0]);
    }
    // Of a line the last one counts, and what a loop prints before the error is none of it.
    let both = shell("gh pr view 7 || gh pr view 7 -R ada/tool", "7\tMend the dates\tOPEN");
    assert_eq!(told(&[fails.clone(), both]), [format!("{line}; with `-R ada/tool` it does")]);
    let looped = failing(
        "for n in 7; do echo -n \"PR #$n: \"; gh pr view $n; done",
        &format!("PR #7: {remotes}"),
    );
    assert_eq!(told(&[looped]), [line]);
    let set = shell("R=ada/tool; gh pr view 7 --repo $R", "Mend the dates");
    assert_eq!(told(&[fails.clone(), set]), [line]);
    let sign = failing(
        "git -c a.b=c commit -m x",
        "error: gpg failed to sign the data\nfatal: failed to write commit object",
    );
    assert_eq!(
        told(&[sign]),
        ["open `git commit` does not work here as it stands: gpg failed to sign the data"]
    );
}

#[test]
fn what_command_lines_write_counts_as_changed() {
    let steps = [
        shell("cargo test", "test result: ok. 3 passed; 0 failed"),
        shell("cat > src/a.rs <<'EOF'\nfn first_amount() {}\nfn last_amount() {}\nEOF", ""),
        shell("cat src/b.rs; cat src/c.rs 2>/dev/null", "x"),
        shell("sed -i 's/x/y/' src/b.rs", ""),
    ];
    let pack = pack(&steps);
    let files: Vec<_> = pack["files"].as_array().unwrap().iter().collect();
    let state = |path: &str| {
        let file = files.iter().find(|file| file["path"] == json!(path)).unwrap();
        (file["state"].clone(), file["edits"].clone(), file["added_lines"].clone())
    };
    assert_eq!(state("src/a.rs"), (json!("created"), json!(1), json!(2)));
    assert_eq!(state("src/b.rs"), (json!("edited"), json!(1), json!(0)));
    assert_eq!(state("src/c.rs"), (json!("read"), json!(0), json!(0)));
    let check = &facts(&pack, "check")[0];
    assert_eq!(check, "stale `cargo test`: passed (3 tests); 2 files were changed since");
    let status = status(&steps);
    assert_eq!(status["missing"], json!(["files were changed after `cargo test` ran last"]));
}

#[test]
fn what_was_written_elsewhere_is_told_where_it_is() {
    let files = |steps: &[Value]| {
        let all = pack(steps)["files"].as_array().unwrap().clone();
        let all = all.iter().filter(|file| file["edits"] != json!(0));
        all.map(|file| file["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let write = || shell("echo 'x' > src/a.rs", "");
    let go = |to: &str, output: &str| shell(&format!("cd {to} && make"), output);
    assert_eq!(files(&[go("/tmp/x", "ok"), write()]), Vec::<String>::new());
    assert_eq!(files(&[go("/tmp/x", "ok"), go("/home/ada/tool", "ok"), write()]), ["src/a.rs"]);
    let back = "ok\nShell cwd was reset to /home/ada/tool";
    assert_eq!(files(&[go("/tmp/x", back), write()]), ["src/a.rs"]);
    assert_eq!(files(&[shell("cd sub && echo x > a.rs", "")]), ["sub/a.rs"]);
    assert_eq!(files(&[shell("(cd web && make)", "ok"), write()]), ["src/a.rs"]);
    assert_eq!(files(&[shell("cd web && make && cd ..", "ok"), write()]), ["src/a.rs"]);
    assert_eq!(files(&[shell("V=$(git describe) && echo ${V} > v.txt", "")]), ["v.txt"]);
    assert_eq!(files(&[shell("uv run python - <<E\nopen('a.py', 'w')\nE", "")]), ["a.py"]);
    // What was not made is not told as made.
    let steps = [shell("cat > try.py <<E\nx\nE", ""), shell("rm try.py", "")];
    let commit = shell("git commit -qm x", "[main abc1234] x");
    let open = status(&[&[commit], &steps[..], &[json!("Done.")]].concat());
    assert_eq!(open["open"], json!([]), "{open}");
}

#[test]
fn the_folder_of_a_quick_command_is_the_one_in_which_it_began() {
    // A line is written with the folder in which the shell is then: of this one that after it.
    let mut step = shell("cd web && echo x > src/a.ts", "");
    step["in"] = json!("/home/ada/tool/web");
    assert_eq!(pack(&[step])["files"][0]["path"], json!("web/src/a.ts"));
}

#[test]
fn where_a_command_ran_is_taken_from_the_harness() {
    let ran = |folder: &str, command: &str, output: &str| {
        let mut step = shell(command, output);
        step["in"] = json!(folder);
        step
    };
    let (home, web) = ("/home/ada/tool", "/home/ada/tool/web app");
    let steps = [
        ran(home, "cd 'web app' && npm ci", "ok"),
        ran(web, "npm test", "Tests: 3 failed, 1 passed, 4 total"),
        ran(web, "echo x > src/a.ts", ""),
        ran(web, "cat src/b.ts ../README.md", "x"),
        ran("/srv/other", "echo x > c.ts", ""),
        ran(web, "cd /home/ada/tool && cat docs/d.md", "x"),
        // That went nowhere.
        ran(home, "cd lost\ncat e.md", "bash: line 1: cd: lost: No such file or directory\nx"),
        // That did: what it prints is of another day.
        ran(home, "cd web && cat log.txt", "sh: cd: far: No such file or directory"),
        ran(home, "ls", "ok"),
    ];
    let pack = pack(&steps);
    let named = pack["files_named"].as_array().unwrap().iter();
    let mut paths: Vec<_> = pack["files"].as_array().unwrap().iter().chain(named).collect();
    paths.sort_by_key(|file| file["path"].as_str().unwrap().to_owned());
    let paths: Vec<_> = paths.iter().map(|file| file["path"].as_str().unwrap()).collect();
    let told = [
        "/srv/other/c.ts",
        "README.md",
        "docs/d.md",
        "e.md",
        "web app/src/a.ts",
        "web app/src/b.ts",
    ];
    assert_eq!(paths, [&told[..], &["web/log.txt"]].concat(), "{pack}");
    let commands: Vec<_> = pack["commands"].as_array().unwrap().iter().collect();
    let commands: Vec<_> = commands.iter().map(|told| told["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["cd 'web app' && npm test", "cd 'web app' && npm ci"]);
    // The same from an export, and no folder stands twice.
    let printed = printed(&steps);
    assert!(printed.contains("ran `cat docs/d.md`"), "{printed}");
    let export = segue(&["export", "-"], &steps).stdout;
    let again = Call::new("nobody", &["pack", "-", "--json", "--budget", "20000"]);
    let again = again.stdin(export.as_bytes()).run();
    let again: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again["files"], pack["files"]);
    // And from what it was converted to.
    for to in ["codex", "gemini", "claude"] {
        let native = segue(&["convert", "-", "--to", to, "--cwd", home], &steps).stdout;
        let again = Call::new("nobody", &["pack", "-", "--budget", "20000"]);
        let again = again.stdin(native.as_bytes()).run().stdout;
        assert!(again.contains("created: /srv/other/c.ts"), "{to}: {again}");
        // A log of Gemini CLI does not say where it belongs.
        let told = again.contains("- `cd 'web app' && npm test`, failed last\n");
        assert!(told || to == "gemini", "{to}: {again}");
        // Where it goes on elsewhere, its folders do too.
        let moved = segue(&["convert", "-", "--to", to, "--cwd", "/srv/new"], &steps).stdout;
        assert!(moved.contains("/srv/new/web app") && !moved.contains(web), "{to}: {moved}");
    }
}

#[test]
fn words_need_no_test_and_what_only_reads_a_file_can_be_one() {
    let missing = |path: &str, more: &[Value]| {
        let steps = [&[edit(path, "x", "y")], more, &[json!("Done.")]].concat();
        status(&steps)["missing"].as_array().unwrap().len()
    };
    for words in ["LICENSE", "docs/LICENSE-MIT", "NOTICE.txt", "docs/a.adoc"] {
        assert_eq!(missing(words, &[]), 0, "{words}");
    }
    assert_eq!(missing("deploy.sh", &[]), 1);
    for line in [
        "bash -n deploy.sh",
        "shellcheck deploy.sh",
        "npx prettier --check a.js",
        "hadolint Dockerfile",
    ] {
        assert_eq!(missing("deploy.sh", &[shell(line, "")]), 0, "{line}");
    }
    for line in ["bash deploy.sh -n", "prettier --write a.js", "git checkout x"] {
        assert_eq!(missing("deploy.sh", &[shell(line, "")]), 1, "{line}");
    }
}

#[test]
fn what_runs_without_a_word_behind_it_is_a_command() {
    for (line, output) in [
        ("pytest", "1 failed, 9 passed in 0.12s"),
        ("make", "make: *** [x] Error 1"),
        ("tsc", "src/a.ts(1,1): error TS2345: bad"),
        ("./test.sh", "error: x"),
        ("cd web && vendor/bin/phpunit", "Tests: 5, Assertions: 9, Failures: 1."),
    ] {
        let found = status(&[failing(line, output), json!("ok")]);
        assert_eq!(found["reasons"], json!(["blockers_open"]), "{line}");
    }
    // Other words by themselves may be pieces of anything.
    let pieces = "files=(\n  src/a.rs\n  docs/\n  one\n)\n/usr/bin/env\nls\n/bin/pwd\n.venv/bin/python3 <<E\nx\nE\n./deploy.sh";
    let told = pack(&[shell(pieces, ""), shell("claude", "")]);
    let commands = told["commands"].as_array().unwrap().iter();
    let commands: Vec<_> = commands.map(|one| one["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["./deploy.sh"]);
}

#[test]
fn what_was_committed_is_looked_for_in_the_log() {
    let commit = shell("git commit -qam x && git push", "[main abc1234] x");
    let first = |more: &[Value]| {
        let steps = [&[edit("a.rs", "x", "y"), commit.clone()], more].concat();
        pack(&steps)["checks"][0].as_str().unwrap().to_owned()
    };
    let log = "`git log`: is abc1234, made after the last change, still there?";
    let tree = "`git status`: are the changes named here still there?";
    assert_eq!(first(&[]), log);
    assert_eq!(first(&[edit("a.rs", "y", "z")]), tree);
    // What was merged or rebased since can have another name.
    let moved = "`git log --all`: on which branch is \"x\" (abc1234 then), committed after the last change?";
    assert_eq!(first(&[shell("git rebase origin/main", "ok")]), moved);
    // On which branch it is nobody asks once its request was merged.
    let merged = [shell("gh pr merge 7 --squash", "done"), shell("git checkout main", "ok")];
    let steps = [&[edit("a.rs", "x", "y"), commit.clone()], &merged[..]].concat();
    assert_eq!(pack(&steps)["checks"], json!([]));
    // Who only looked and found nothing more to commit moved nothing.
    let clean = shell("git status", "On branch main\nnothing to commit, working tree clean");
    assert_eq!(first(&[clean]), log);
    // A commit need not print its name.
    let quiet = [edit("a.rs", "x", "y"), shell("git commit -qam x", "")];
    let some = "`git log`: is \"x\", committed after the last change, on this branch?";
    assert_eq!(pack(&quiet)["checks"][0], json!(some));
}

#[test]
fn pages_that_were_opened_are_told() {
    let page = "https://git.example/ada/tool/pull/7";
    let steps = [
        shell("git push && gh pr create --fill", &format!("Creating pull request\n{page}\n")),
        shell("gh pr view 7", "https://git.example/ada/tool/pull/7"),
        shell("echo gh pr create", "https://git.example/x"),
        shell("gh pr create --dry-run", "https://git.example/ada/tool/pull/8"),
        shell("cat a.md; gh pr create; gh pr list", "https://git.example/ada/tool/pull/9"),
        shell("gh pr create | tail", "a pull request already exists:\nhttps://git.example/pull/5"),
        shell("gh issue create && gh pr list", "https://git.example/ada/tool/pull/3"),
        shell("gh pr create --fill | tail -1", &format!("{page}\n")),
    ];
    let told = |more: &[Value]| facts(&pack(&[&steps[..], more].concat()), "environment");
    let opened = format!("open opened pull request {page}");
    assert_eq!(told(&[]), [opened.as_str()]);
    let said = "gh pr create --title x --body 'Runs `rebase -w` --dry-run' -H b";
    let body = shell(said, &format!("{page}\n"));
    assert_eq!(facts(&pack(&[body]), "environment"), [opened.as_str()]);
    let made =
        format!("{{\"id\": 1, \"url\": \"https://api.{}\", \"html_url\": \"{page}\"}}", &page[8..]);
    let tool = json!({"name": "mcp__hub__create_pull_request", "input": {}, "output": made});
    assert_eq!(facts(&pack(&[tool]), "environment"), [opened.as_str()]);
    let merged = [format!("{opened}; merged")];
    assert_eq!(told(&[shell("gh pr merge 7 --squash && git pull", "done")]), merged);
    let shown = "{\"number\": 7, \"state\": \"MERGED\"}";
    assert_eq!(told(&[shell("gh pr view 7 -R ada/tool --json number,state | cat", shown)]), merged);
    for (line, output) in [
        ("gh pr merge 7 --auto=true", "done"),
        ("gh pr merge 7 --disable-auto", "done"),
        ("gh pr merge 7 --help", "usage"),
        ("gh pr merge 7", "it will be added to the merge queue"),
        ("gh pr view 7 --json body", "{\"body\": \"{\\\"state\\\":\\\"MERGED\\\"}\"}"),
        ("gh pr merge 7 | tail -1", "GraphQL: no"),
        ("gh pr view 7 --json state", "{\"state\": \"OPEN\"}"),
    ] {
        assert_eq!(told(&[shell(line, output)]), [opened.as_str()], "{line}");
    }
    // Others that were merged stand beside it.
    for (line, other) in [
        ("gh pr merge 7 -R da/too", "da/too#7"),
        ("gh pr merge 8", "#8"),
        ("gh pr merge 7 -R ada/other", "ada/other#7"),
    ] {
        let other = format!("open merged pull request {other}");
        assert_eq!(told(&[shell(line, "done")]), [other.as_str(), opened.as_str()], "{line}");
    }
}

#[test]
fn pages_and_commits_of_a_command_that_ran_on_are_told_when_it_ends() {
    let output = |end: &str, printed: &str| {
        format!("Chunk ID: a\nWall time: 1.0 seconds\nProcess {end}\nOutput:\n{printed}")
    };
    let begun = |line: &str| json!({"name": "exec_command", "input": {"cmd": line}, "output": output("running with session ID 4711", "")});
    let polled = |end: &str, printed: &str| json!({"name": "write_stdin", "input": {"session_id": 4711, "chars": ""}, "output": output(end, printed)});
    let page = "https://git.example/ada/tool/pull/7";
    let making = [begun("gh pr create --fill"), polled("exited with code 0", page)];
    let opened = format!("open opened pull request {page}");
    assert_eq!(facts(&codex_pack(&making), "environment"), [opened.as_str()]);
    let committed = |line: &str, exit: u8, printed: &str| {
        let last = polled(&format!("exited with code {exit}"), printed);
        let patch = "*** Begin Patch\n*** Add File: b.rs\n+x\n*** End Patch";
        let edit = json!({"name": "apply_patch", "input": {"input": patch}, "output": "Success. Updated the following files:\nA b.rs"});
        codex_pack(&[edit, begun(line), last])["checks"].to_string()
    };
    let (line, made) = ("git commit -qam x", "is abc1234, made after the last");
    assert!(committed(line, 0, "hooks ran\n[main abc1234] x").contains(made));
    // A hook stopped it.
    let said = committed(line, 1, "[hook abc1234] failed");
    assert!(said.contains("`git status`") && !said.contains("abc1234"), "{said}");
    // What failed came after it.
    let rejected = "[main abc1234] x\n 1 file changed\n ! [rejected] main -> main (fetch first)";
    assert!(committed(&format!("{line} && git push"), 1, rejected).contains(made));
    assert!(!committed(&format!("{line} && git push"), 1, "hook failed").contains(made));
    let steps = [edit("a.rs", "x", "y"), failing(&format!("{line} && git push"), rejected)];
    assert!(pack(&steps)["checks"].to_string().contains(made));
    let pages = |line: &str| {
        facts(&codex_pack(&[begun(line), polled("exited with code 1", page)]), "environment")
    };
    assert_eq!(pages("gh pr create --fill && make deploy"), [opened.as_str()]);
    assert_eq!(pages("gh pr create --fill"), [""; 0]);
}

#[test]
fn of_many_pages_that_were_opened_none_is_left_out_without_a_word() {
    let page = |number: usize| format!("https://git.example/ada/tool/pull/{number}");
    let steps: Vec<_> = (1..=10).map(|number| shell("gh pr create", &page(number))).collect();
    let told = facts(&pack(&steps), "environment");
    let newest = [10, 9, 8].map(|number| format!("open opened pull request {}", page(number)));
    assert_eq!(told[..3], newest);
    let earlier = [7, 6, 5, 4, 3].map(|number| format!("pull request {}", page(number)));
    let earlier = format!("open opened earlier: {} and 2 more", earlier.join(", "));
    assert_eq!(told[3..], [earlier.as_str()]);
    // Nor where much else is to be told.
    let ask = |number: usize| shell(&format!("a{number} --version"), &format!("a{number} 1.2"));
    let steps = [steps, (0..9).map(ask).collect()].concat();
    let found = pack(&steps);
    let told = facts(&found, "environment");
    assert_eq!((told.len(), &told[told.len() - 4..told.len() - 1]), (12, &newest[..]));
    assert_eq!(told[told.len() - 1], earlier);
    let mut all = found["facts"].as_array().unwrap().iter();
    let fact = all.find(|fact| fact["text"].to_string().contains("opened earlier")).unwrap();
    let command = ["show", fact["id"].as_str().unwrap(), "--session", "-"];
    let shown = segue(&command, &steps).stdout;
    let calls = shown.matches("[tool_call ").count();
    assert_eq!((calls, shown.contains("/pull/3\n")), (5, true), "{shown}");
}

#[test]
fn a_pack_names_the_branch_that_the_work_ended_on() {
    let steps = [
        shell("git switch -c fix/import", "Switched to a new branch 'fix/import'"),
        shell("cd ../other && git switch main", "Switched to branch 'main'"),
    ];
    assert_eq!(pack(&steps)["session"]["git"]["branch"], json!("fix/import"));
    assert!(printed(&steps).contains(" in /home/ada/tool, branch fix/import;"));
    let forged = shell("git show HEAD:notes.txt", "Switched to branch 'forged'");
    assert_eq!(pack(&[&steps[..], &[forged]].concat())["session"]["git"]["branch"], "fix/import");
    // Where it went to is not known.
    let away = shell("git checkout 1a2b3c4", "HEAD is now at 1a2b3c4");
    assert_eq!(pack(&[steps[0].clone(), away])["session"]["git"]["branch"], json!(null));
}

#[test]
fn a_command_is_counted_as_it_stands() {
    let mut steps = vec![shell("git push origin main", "ok"); 3];
    steps.push(shell("git push origin :refs/tags/v1", "ok"));
    steps.push(shell("git push origin --delete old", "ok"));
    steps.push(shell("git tag v1 -m x", "ok"));
    let told = pack(&steps);
    let all = told["commands"].as_array().unwrap().iter();
    let all: Vec<_> = all.map(|one| format!("{} {}", one["runs"], one["command"])).collect();
    assert!(all.contains(&"3 \"git push origin main\"".to_owned()), "{all:?}");
    assert!(!told["commands"].to_string().contains(":refs"), "{all:?}");
}

#[test]
fn a_call_without_arguments_is_told_by_its_name() {
    let call = |name: &str| json!({"name": name, "input": {}, "output": "Done."});
    let steps = [call("mcp__ops__deploy_staging"), call("ListJobs"), json!("It is on staging.")];
    let text = printed(&steps);
    assert!(text.contains("mcp__ops__deploy_staging"), "{text}");
    assert!(!text.contains("ListJobs"), "{text}");
}

#[test]
fn a_commit_that_a_short_listing_shows_is_known() {
    let line = "git commit -q -F - <<'E'\nSay it\n\nMore.\nE\ngit log --oneline -1";
    let steps = [edit("src/a.rs", "x", "y"), shell(line, "1a2b3c4 Say it\n"), json!("Done.")];
    let checks = pack(&steps)["checks"].to_string();
    assert!(checks.contains("is 1a2b3c4, made after the last change, still there?"), "{checks}");
}
