//! Work that seems to be open and is not: what was tried once more in another way, what came back later, what a request
//! left behind.

use serde_json::{Value, json};

use crate::program::Call;
use crate::status::{
    codex_pack, edit, ended, failing, open_by, pack, printed, read, segue, shell, status,
};

const RED: &str = "running 2 tests\ntest a ... FAILED\ntest b ... ok\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored";
const LAUNCHED: &str = "Command running in background with ID: b7xaaq. Output is being written to: /tmp/t/b7xaaq.output";

fn begun() -> Vec<Value> {
    let line = json!({"name": "Bash", "input": {"command": "cargo test 2>&1 | tail -20", "run_in_background": true}, "output": LAUNCHED});
    let end = ended(
        "b7xaaq",
        "completed",
        "<summary>Background command \"x\" completed (exit code 0)</summary>",
    );
    vec![edit("src/a.rs", "x", "y"), line, end]
}

fn with(steps: &[Value]) -> Value {
    pack(&[&begun()[..], steps, &[json!("Hm.")]].concat())
}

#[test]
fn what_a_command_printed_that_had_ended_is_read_where_it_is_asked_for() {
    let head = "<retrieval_status>success</retrieval_status>\n\n<task_id>b7xaaq</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>completed</status>\n\n<exit_code>0</exit_code>\n\n";
    let asked = |id: &str| json!({"name": "TaskOutput", "input": {"task_id": id}, "output": format!("{head}<output>\n{RED}\n</output>")});
    let open = |steps: &[Value]| open_by(&with(steps), "check");
    let red = ["make `cargo test` pass: 1 test failed: a"];
    assert_eq!(open(&[asked("b7xaaq")]), red);
    // What the harness numbers is what stands in the file.
    let rows: Vec<_> =
        RED.lines().enumerate().map(|(at, row)| format!("{}\t{row}", at + 1)).collect();
    let look = |path: &str| json!({"name": "Read", "input": {"file_path": path}, "output": rows.join("\n")});
    assert_eq!(open(&[look("/tmp/t/b7xaaq.output")]), red);
    for other in [asked("b7xabq"), look("/tmp/t/b7xabq.output")] {
        assert_eq!(open(&[other]), Vec::<String>::new());
    }
    // Asked twice, it is the same.
    assert_eq!(open(&[asked("b7xaaq"), asked("b7xaaq")]), red);
}

fn refused() -> Value {
    json!({"name": "Edit", "fails": true, "output": "String to replace not found in file.",
        "input": {"file_path": "/home/ada/tool/v.txt", "old_string": "one = 1", "new_string": "one = 1 # the first"}})
}

fn unmade(later: &[Value]) -> Vec<String> {
    open_by(&pack(&[&[refused()], later, &[json!("That is in.")]].concat()), "interrupted")
}

#[test]
fn a_change_that_failed_and_was_made_in_another_way_is_not_open() {
    let open = ["change v.txt: the change that was tried did not go through"];
    assert_eq!(unmade(&[]), open);
    for line in [
        "sed -i 's/one = 1/one = 1 # the first/' v.txt",
        "cat > v.txt <<'E'\none = 1 # the first\nE",
        "python3 - <<'E'\nopen('v.txt', 'w').write('one = 1 # the first')\nE",
    ] {
        assert_eq!(unmade(&[shell(line, "")]), Vec::<String>::new(), "{line}");
    }
    for line in ["sed -i 's/one/two/' w.txt", "cat v.txt", "sed -n 1,3p v.txt", "grep -n one v.txt"]
    {
        assert_eq!(unmade(&[shell(line, "")]), open, "{line}");
    }
}

#[test]
fn a_change_that_failed_for_a_text_that_was_there_is_not_open() {
    let open = ["change v.txt: the change that was tried did not go through"];
    let at = |path: &str, text: &str| read(path, text);
    assert_eq!(unmade(&[at("v.txt", "1\tone = 1 # the first")]), Vec::<String>::new());
    assert_eq!(unmade(&[at("v.txt", "1\tone = 1")]), open);
    assert_eq!(unmade(&[at("w.txt", "1\tone = 1 # the first")]), open);
}

/// What a session leaves open of what a summary lists as pending, where `more` came after it: what was changed, run,
/// said or asked for.
fn pending_after(pending: &str, more: &[Step<'_>]) -> Vec<String> {
    let line = |at: usize, more: Value| {
        let mut record = json!({"uuid": format!("{at:08x}-0000-4000-8000-000000000000"), "sessionId": "s1",
            "parentUuid": (at > 1).then(|| format!("{:08x}-0000-4000-8000-000000000000", at - 1)),
            "cwd": "/home/ada/tool", "version": "2.1.84", "timestamp": format!("2026-01-02T03:04:{at:02}.000Z")});
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        record
    };
    let user =
        |content: Value| json!({"type": "user", "message": {"role": "user", "content": content}});
    let model = |at: usize, block: Value| json!({"type": "assistant", "message": {"id": format!("m{at}"), "role": "assistant", "content": [block]}});
    let called = |at: usize, name: &str, input: Value, output: &str| {
        let call =
            json!({"type": "tool_use", "id": format!("c{at}"), "name": name, "input": input});
        let came =
            json!([{"type": "tool_result", "tool_use_id": format!("c{at}"), "content": output}]);
        vec![model(at, call), user(came)]
    };
    let summary = format!(
        "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n7. Pending Tasks:\n{pending}"
    );
    let mut lines = vec![
        user(json!("make the parser strict and write the docs")),
        json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": {"trigger": "auto", "preTokens": 1000}}),
        json!({"type": "user", "isCompactSummary": true, "message": {"role": "user", "content": summary}}),
    ];
    for step in more {
        let at = lines.len() + 1;
        lines.extend(match step {
            Edits(path) => {
                let input = json!({"file_path": format!("/home/ada/tool/{path}"), "old_string": "1", "new_string": "2"});
                called(at, "Edit", input, "updated")
            }
            Runs(command, output) => called(at, "Bash", json!({"command": command}), output),
            Lists(id, subject) => {
                let input = json!({"subject": subject, "description": "as agreed"});
                called(at, "TaskCreate", input, &format!("Task #{id} created successfully: {subject}"))
            }
            Sets(id, status) => {
                let input = json!({"taskId": id, "status": status});
                called(at, "TaskUpdate", input, &format!("Updated task #{id} status"))
            }
            Says(words) => vec![model(at, json!({"type": "text", "text": words}))],
            Asks(words) => vec![user(json!(words))],
        });
    }
    let lines = lines.into_iter().enumerate().map(|(at, more)| line(at + 1, more));
    let session: String = lines.map(|line| format!("{line}\n")).collect();
    let call = ["pack", "-", "--no-check", "--json", "--budget", "20000"];
    let said = Call::new("empty", &call).stdin(session.as_bytes()).run();
    let told: Value = serde_json::from_str(&said.stdout).unwrap();
    let since = more.iter().any(|step| matches!(step, Edits(_)));
    open_by(&told, if since { "summary_aside" } else { "summary" })
}

/// What came after a summary.
#[derive(Clone, Copy)]
enum Step<'s> {
    Edits(&'s str),
    Runs(&'s str, &'s str),
    Lists(u8, &'s str),
    Sets(&'s str, &'s str),
    Says(&'s str),
    Asks(&'s str),
}

use Step::{Asks, Edits, Lists, Runs, Says, Sets};

/// A session that was compacted, in which the agent came to an end, and then was asked for something.
fn asked_since(last: Option<&str>, request: &str) -> Vec<String> {
    let pending = "   - Write the page of strict mode\n   - Lint the docs folder again\n";
    let mut more = vec![Edits("src/p.py")];
    more.extend(last.map(Says));
    more.extend([Asks(request), Edits("src/x.py")]);
    pending_after(pending, &more)
}

#[test]
fn what_a_summary_lists_is_over_once_it_was_run_committed_or_changed() {
    let pending = "- Renumber the rest of `day-sums/tasks.md`.\n- Re-run `spec check --strict` on both.\n- Commit the split.\n- **Mend the warnings:**\n  - W4: the page of sums\n  - W6: the arithmetic\n";
    let warnings = "**Mend the warnings:** W4: the page of sums; W6: the arithmetic";
    let [renumber, again, commit] = [
        "Renumber the rest of `day-sums/tasks.md`.",
        "Re-run `spec check --strict` on both.",
        "Commit the split.",
    ];
    let open = |more: &[Step<'_>]| pending_after(pending, more);
    assert_eq!(open(&[Edits("src/p.py")]), [renumber, again, commit, warnings]);
    assert_eq!(open(&[Edits("specs/day-sums/tasks.md")]), [again, commit, warnings]);
    assert_eq!(
        open(&[Runs("spec check sums --strict 2>&1 | tail -3", "valid")]),
        [renumber, commit, warnings]
    );
    assert_eq!(open(&[Runs("spec check sums", "valid")]), [renumber, again, commit, warnings]);
    let commit = || Runs("git commit -qam 'split it'", "[main 1a2b3c4] split it\n 1 file changed");
    assert_eq!(open(&[Edits("specs/day-sums/tasks.md"), commit()]), [again, warnings]);
    // What only begins so, is to be done elsewhere, or failed though its line went well.
    for (entry, more) in [
        ("Commit hooks need fixing", commit()),
        ("Commit it once the user approves", commit()),
        ("Commit 1a2b3c4 needs a revert", commit()),
        ("Commit author is wrong", commit()),
        ("Commit only after the review", commit()),
        ("Run `make day sums` in production", Runs("make day sums", "ok")),
        (
            "Run `npm install left-pad`",
            Runs("npm install left-pad 2>&1 | tail -1", "npm error code ERESOLVE"),
        ),
    ] {
        assert_eq!(pending_after(&format!("- {entry}\n"), &[more]), [entry]);
    }
}

#[test]
fn what_a_list_of_work_tells_is_not_told_again_by_an_older_summary() {
    let pending = "   - **Task 2 (blocked by task 1)**: the bell of the door, hung by hand\n   - Paint the attic\n\n9. Optional Next Step:\n   Continue Task 1. Still needed:\n   1. Find where lamps are kept\n   2. Then proceed to Task 2: the door bell\n";
    let [bell, paint, find, then] = [
        "**Task 2 (blocked by task 1)**: the bell of the door, hung by hand",
        "Paint the attic",
        "Find where lamps are kept",
        "Then proceed to Task 2: the door bell",
    ];
    let open = |two: &str, more: &[Step<'_>]| {
        let lists = [Lists(1, "Mend the lamp of the hall"), Lists(2, two)];
        pending_after(pending, &[&lists[..], more].concat())
    };
    let two = "Hang the bell of the door";
    // What the work since may have done is still told, as older than that.
    for more in [&[Sets("1", "in_progress")][..], &[Sets("1", "in_progress"), Edits("src/p.py")]] {
        assert_eq!(open(two, more), [paint, find]);
    }
    // None of these words is on the list, or there is none, or the task is done and what was said of it is more.
    let all = [bell, paint, find, then];
    assert_eq!(open("Count the chairs", &[Edits("src/p.py")]), all);
    assert_eq!(pending_after(pending, &[Edits("src/p.py")]), all);
    assert_eq!(open(two, &[Sets("2", "completed")]), all);
}

#[test]
fn a_compaction_behind_the_last_words_of_the_agent_ends_nothing() {
    let line = |at: usize, more: Value| {
        let mut record = json!({"uuid": format!("{at:08x}-0000-4000-8000-000000000000"),
            "parentUuid": (at > 1).then(|| format!("{:08x}-0000-4000-8000-000000000000", at - 1)),
            "sessionId": "5e90e000-0000-4000-8000-000000000000", "version": "2.1.84", "cwd": "/home/ada/tool",
            "timestamp": format!("2026-01-02T03:04:{at:02}.000Z")});
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        record
    };
    let user = |text: &str| json!({"type": "user", "message": {"role": "user", "content": text}});
    let says = |text: &str| json!({"type": "assistant", "message": {"id": "m2", "role": "assistant", "content": [{"type": "text", "text": text}]}});
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": {"trigger": "manual", "preTokens": 1000}});
    let mut summary = user(
        "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n7. Pending Tasks:\n   - Write the page of strict mode\n",
    );
    summary["isCompactSummary"] = json!(true);
    let packed = |more: &[Value]| -> Value {
        let all = [
            user("open a pull request for the parser"),
            says("The pull request is open. Shall I merge it?"),
            boundary.clone(),
            summary.clone(),
        ];
        let lines = all.iter().chain(more).enumerate().map(|(at, more)| line(at + 1, more.clone()));
        let session: String = lines.map(|line| format!("{line}\n")).collect();
        let call = ["pack", "-", "--no-check", "--json", "--budget", "20000"];
        let said = Call::new("empty", &call).stdin(session.as_bytes()).run();
        serde_json::from_str(&said.stdout).unwrap()
    };
    let told = packed(&[]);
    assert_eq!(
        told["now"]["last_words"]["text"],
        json!("The pull request is open. Shall I merge it?")
    );
    assert_eq!(told["now"]["asks"], json!(true));
    // Its list is newer than these words.
    assert_eq!(open_by(&told, "summary"), ["Write the page of strict mode"]);
    let told = packed(&[user("yes, and write that page")]);
    assert_eq!(told["now"]["asks"], json!(false));
    assert_eq!(open_by(&told, "summary"), [""; 0]);
}

#[test]
fn what_a_summary_lists_is_over_where_a_command_follows_the_last_words_of_the_agent() {
    let command = "<command-message>plan:apply</command-message>\n<command-name>/plan:apply</command-name>\n<command-args>importer</command-args>";
    let pending = ["Write the page of strict mode", "Lint the docs folder again"];
    let done = Some("The page is written, linted and committed.");
    assert_eq!(asked_since(done, command), Vec::<String>::new());
    assert_eq!(asked_since(done, "now add the importer of sheets"), Vec::<String>::new());
    assert_eq!(asked_since(done, "go on"), pending);
    assert_eq!(
        asked_since(
            done,
            "<command-message>continue</command-message>\n<command-name>/continue</command-name>"
        ),
        pending
    );
    // A command in the middle of the work ends nothing.
    assert_eq!(asked_since(None, command), pending);
}

#[test]
fn a_check_after_which_was_committed_is_not_what_comes_next() {
    let next = |steps: &[Value]| {
        let text = segue(&["pack", "-", "--no-check"], steps).stdout;
        text.lines().find(|line| line.starts_with("Next: ")).unwrap_or_default().to_owned()
    };
    let red = failing("cargo test", RED);
    let said = json!("Only the old test fails. I look at the page of amounts now.");
    let commit = shell("git commit -qam 'Add the importer'", "[main 1234567] Add the importer");
    let look = shell("cat docs/page.md", "# Amounts");
    let work = [edit("src/a.rs", "x", "y"), red.clone()];
    let of =
        |more: &[&Value]| [&work[..], &more.iter().copied().cloned().collect::<Vec<_>>()].concat();
    assert!(next(&of(&[&said, &look])).contains("mend what makes `cargo test`"));
    // The agent's last words say what does.
    assert_eq!(next(&of(&[&commit, &said, &look])), "");
    // Nobody said what was to be done.
    assert!(next(&of(&[&commit, &look])).contains("mend what makes `cargo test`"));
    assert!(next(&of(&[&commit, &red, &said, &look])).contains("mend what makes `cargo test`"));
}

#[test]
fn a_wait_says_for_what() {
    let line = json!({"name": "Bash", "input": {"command": "make all", "run_in_background": true}, "output": LAUNCHED});
    let wait = json!({"name": "TaskOutput", "input": {"task_id": "b7xaaq"}, "output": null});
    let open = status(&[line, wait])["open"].to_string();
    assert!(open.contains("the session ended during: waited for `make all`"), "{open}");
}

#[test]
fn what_a_provider_looks_up_by_itself_has_no_result() {
    let fetch = json!({"name": "WebFetch", "input": {"url": "https://docs.example/page", "prompt": "x"}, "output": null});
    let open = status(&[edit("src/a.rs", "x", "y"), fetch])["open"].to_string();
    assert!(open.contains("ended during: fetched https://docs.example/page → no result"), "{open}");
    let line = |kind: &str, payload: Value| {
        json!({"timestamp": "2026-01-02T03:04:05.100Z", "type": kind, "payload": payload})
            .to_string()
    };
    let ask = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "look it up"}]});
    let search = json!({"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "clock of the hall"}});
    let meta = json!({"id": "01a1ffd7-0000-7000-8000-00000000000f", "cwd": "/w", "cli_version": "0.169.0", "source": "cli"});
    let session =
        [line("session_meta", meta), line("response_item", ask), line("response_item", search)];
    let said =
        Call::new("empty", &["pack", "-", "--no-check"]).stdin(session.join("\n").as_bytes()).run();
    assert!(said.stdout.contains("fetched clock of the hall"), "{}", said.stdout);
    assert!(!said.stdout.contains("no result"), "{}", said.stdout);
    assert!(!said.stdout.contains("ended during"), "{}", said.stdout);
}

#[test]
fn what_is_asked_for_before_it_is_done_once_more_is_what_nobody_saw() {
    let asked = |step: Value| {
        let steps = [edit("src/a.rs", "x", "y"), step];
        pack(&steps)["checks"][0].as_str().unwrap().to_owned()
    };
    let lost = |line: &str| {
        let missing = "[Tool result missing due to internal error]";
        json!({"name": "Bash", "input": {"command": line}, "output": missing, "fails": true})
    };
    let told = |line: &str, shows: &str| {
        format!("`{shows}`: was it pushed? `{line}` had no result when the session ended")
    };
    assert_eq!(asked(lost("git push")), told("git push", "git fetch; git status -sb"));
    assert_eq!(asked(lost("git push --tags")), told("git push --tags", "git ls-remote"));
    let far = "/home/ada/work/far/away/other";
    let there = asked(lost(&format!("cd {far} && git push")));
    assert!(there.contains(&format!("`cd {far} && git fetch; git status -sb`")), "{there}");
    let there = asked(lost("cd api && git push"));
    assert_eq!(there, told("git push", "cd api && git fetch; git status -sb"));
    let there = asked(lost("for it in api web; do git -C $it push; done"));
    assert!(there.contains("`git fetch; git status -sb`: was it pushed"), "{there}");
    let there = asked(lost("cd /home/ada/other && git push"));
    assert_eq!(there, told("git push", "cd /home/ada/other && git fetch; git status -sb"));
    for line in ["git push -n", "git push --delete origin it"] {
        assert!(!asked(lost(line)).contains("pushed"), "{line}");
    }
    let steps = [edit("src/a.rs", "x", "y"), lost("git push")];
    let text = printed(&steps);
    assert!(text.contains("- ran `git push` → no result") && !text.contains("not run"), "{text}");
    // What was done once more since is known.
    let steps = [edit("src/a.rs", "x", "y"), lost("git push"), shell("git push", "To x:y.git")];
    assert!(!pack(&steps)["checks"].to_string().contains("pushed"));
    // Nobody knows which command of a line still runs.
    let begun = |line: &str| json!({"name": "Bash", "input": {"command": line, "run_in_background": true}, "output": "Command running in background with ID: b7. Output is being written to: /tmp/b7.output"});
    for line in ["git push && npm run dev", "git push"] {
        let still = format!("was it pushed? `{line}` still ran");
        assert!(asked(begun(line)).contains(&still), "{line}");
    }
    assert!(
        asked(begun("npm run build && git push")).contains("was it pushed? `git push` still ran")
    );
}

#[test]
fn only_what_shows_the_same_thing_answers_whether_it_was_done() {
    let asked = |steps: &[Value]| {
        let steps = [&[edit("src/a.rs", "x", "y")], steps].concat();
        pack(&steps)["checks"].to_string()
    };
    let lost = |line: &str| json!({"name": "Bash", "input": {"command": line}, "output": "[Tool result missing due to internal error]", "fails": true});
    let pushed = "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main";
    let tag = "To a.example:ada/tool.git\n * [new tag]  v1.2.0 -> v1.2.0";
    let page = "https://a.example/ada/web/pull/3";
    let push = || lost("git push");
    for later in [
        shell("cd ../web && git push", pushed),
        shell("git -C /home/ada/web push", pushed),
        shell("git push origin v1.2.0", tag),
        failing("git push", "fatal: no route"),
        shell("cd ../web && git status -sb", "## main...origin/main"),
        shell("git log -1", "commit 1a2b3c4"),
    ] {
        assert!(asked(&[push(), later.clone()]).contains("was it pushed"), "{later}");
    }
    for later in [
        shell("git push", pushed),
        shell("git status -sb", "## main...origin/main"),
        shell("git fetch && git status", "Your branch is up to date with 'origin/main'."),
    ] {
        assert!(!asked(&[push(), later.clone()]).contains("was it pushed"), "{later}");
    }
    // What still runs may do it yet.
    let runs = json!({"name": "Bash", "input": {"command": "git push", "run_in_background": true}, "output": "Command running in background with ID: b7. Output is being written to: /tmp/b7.output"});
    let looks = shell("git status -sb", "## main...origin/main [ahead 1]");
    assert!(asked(&[runs, looks]).contains("was it pushed"));
    let opens = || lost("gh pr create --fill");
    let other = shell("gh pr create --fill -R ada/web", page);
    assert!(asked(&[opens(), other]).contains("was the pull request opened"));
    let listed = shell("gh pr list", "7\tcart\tcart\tOPEN");
    assert!(!asked(&[opens(), listed]).contains("was the pull request opened"));
    let seen = shell("git log -1 --oneline", "1a2b3c4 cart");
    assert!(!asked(&[lost("git commit -am cart"), seen]).contains("was it committed"));
}

#[test]
fn a_look_that_does_not_show_the_thing_itself_answers_nothing() {
    let lost = |line: &str| json!({"name": "Bash", "input": {"command": line}, "output": "[Tool result missing due to internal error]", "fails": true});
    let asked = |line: &str, later: Value| {
        let steps = [edit("src/a.rs", "x", "y"), lost(line), later];
        pack(&steps)["checks"].to_string().contains("had no result when the session ended")
    };
    let push = "git push";
    let commit = "git commit -am cart";
    for (line, later) in [
        (push, shell("git status --short", " M a.ts")),
        (push, shell("git status -s -uno", "")),
        (push, shell("git status --porcelain=v2", "")),
        (commit, shell("git log --oneline -3 origin/main", "1a2b3c4 cart")),
        (commit, shell("git show HEAD:src/cart.ts", "let a = 1;")),
        ("gh pr comment 3 -b x", shell("gh pr view 3 --json state", "{\"state\":\"OPEN\"}")),
        ("gh pr comment 3 -b x", shell("gh pr list", "3\tcart")),
        ("gh pr merge 3", shell("gh pr view 4", "title: cart")),
        ("gh pr merge 3 -R ada/web", shell("gh pr view 3 -R ada/tool", "state: MERGED")),
        (commit, failing("git commit -am cart", "lint failed")),
    ] {
        assert!(asked(line, later.clone()), "{line}: {later}");
    }
    let exists =
        "a pull request for branch \"cart\" already exists:\nhttps://a.example/ada/tool/pull/7";
    let tag = " ! [rejected]  v1.0 -> v1.0 (already exists)";
    for (line, later) in [
        (push, shell("git status", "Your branch is up to date with 'origin/main'.")),
        (push, shell("git status --short --branch", "## main...origin/main")),
        (commit, shell("git log origin/main..HEAD", "commit 1a2b3c4")),
        (commit, failing("git commit -am cart", "nothing to commit, working tree clean")),
        ("gh pr comment 3 -b x", shell("gh pr view 3 --comments", "ada: x")),
        ("gh pr comment 3 -b x", shell("gh pr view 3 -c", "ada: x")),
        (commit, shell("git log -1 --since='2026-01-01 10:00'", "commit 1a2b3c4")),
        ("gh pr merge 3 -R ada/web", shell("gh pr view 3 --json state", "state: MERGED")),
        ("gh pr merge", shell("gh pr view 4 --json state", "{\"state\":\"MERGED\"}")),
        ("gh pr create --fill", failing("gh pr create --fill", exists)),
        ("git push origin v1.0", failing("git push origin v1.0", tag)),
        ("gh pr merge 3 -R ada/web", shell("gh pr view 3 -R ada/web", "state: MERGED")),
        (
            "git -C /home/ada/tool push",
            shell("git push", "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main"),
        ),
    ] {
        assert!(!asked(line, later.clone()), "{line}: {later}");
    }
    let there = pack(&[edit("src/a.rs", "x", "y"), lost("git -C '/home/ada/web' push")]);
    let there = there["checks"].to_string();
    assert!(there.contains("cd /home/ada/web && git fetch; git status -sb"), "{there}");
}

#[test]
fn what_hooks_print_does_not_show_that_it_was_done() {
    let asked = |line: &str, output: &str| {
        let output = format!(
            "Chunk ID: a\nWall time: 9.0 seconds\nProcess running with session ID 11\nOutput:\n{output}"
        );
        let call = json!({"name": "exec_command", "input": {"cmd": line}, "output": output});
        codex_pack(&[call])["checks"].to_string()
    };
    for (line, output) in [
        ("git commit -am cart", "[STARTED] Preparing lint-staged...\n[COMPLETED] Running tasks"),
        ("git commit -am cart", "[INFO] Initializing environment for https://a.example/hooks."),
        ("git commit -am cart && npm run watch", "husky > pre-commit\nrunning tests"),
    ] {
        assert!(asked(line, output).contains("was it committed"), "{output}");
    }
    for output in ["see https://a.example/docs", "[tool] Pushing rows to origin...", "src/a -> b"] {
        assert!(asked("git push", output).contains("was it pushed"), "{output}");
    }
    // Rows of other programs begin with the same mark.
    for row in ["✓ 34 modules transformed.", "✓ build in 1m"] {
        let opened = asked("npm run build && gh pr create --fill", row);
        assert!(opened.contains("was the pull request opened"), "{opened}");
        let merged = asked("gh run watch 12 && gh pr merge 7 --squash", row);
        assert!(merged.contains("was it merged"), "{merged}");
    }
    let merged = asked("gh pr merge 7 --squash", "✓ Squashed and merged pull request ada/tool#7");
    assert!(!merged.contains("was it merged"), "{merged}");
    let merged = asked("gh pr merge 7 --squash && git switch main && git pull", "");
    assert!(merged.contains("was it merged"), "{merged}");
    for (line, output) in [
        ("git commit -am cart && npm run watch", "[main 1a2b3c4] cart\n 1 file changed"),
        ("git push && gh run watch", "To x:y.git\n * [new branch]      cart -> cart"),
        ("gh pr create --fill && gh pr checks --watch", "https://a.example/ada/tool/pull/7"),
    ] {
        assert!(!asked(line, output).contains("when the session ended"), "{line}");
    }
}

#[test]
fn what_the_harness_lost_did_not_fail() {
    let lost = |line: &str| json!({"name": "Bash", "input": {"command": line}, "output": "[Tool result missing due to internal error]", "fails": true});
    let passed = shell("npm test", "Tests:       3 passed, 3 total");
    let steps = [passed, edit("src/a.js", "x", "y"), lost("npm test"), json!("Hm.")];
    let told = pack(&steps);
    assert_eq!(told["commands"][0]["worked"], Value::Null, "{}", told["commands"]);
    assert!(told["checks"].to_string().contains("`npm test`: does it still pass?"));
    assert!(!printed(&steps).contains("failed last"));
}

#[test]
fn what_ended_by_its_own_output_does_not_still_run() {
    let begun = json!({"name": "Bash", "input": {"command": "npm test", "run_in_background": true}, "output": "Command running in background with ID: bq17xa. Output is being written to: /tmp/tasks/bq17xa.output"});
    let poll = json!({"name": "TaskOutput", "input": {"task_id": "bq17xa", "block": false}, "output": "<retrieval_status>not_ready</retrieval_status>\n\n<task_id>bq17xa</task_id>\n\n<status>running</status>"});
    let seen = shell("tail -5 /tmp/tasks/bq17xa.output", "Tests:       3 passed, 3 total");
    let other = shell("tail -5 /tmp/tasks/bq17xa.output", "> shop@1.0.0 test");
    let open = |more: &[Value]| {
        let steps = [&[edit("src/a.js", "x", "y"), begun.clone()], more].concat();
        open_by(&pack(&steps), "running").len()
    };
    assert_eq!(open(&[]), 1);
    assert_eq!(open(std::slice::from_ref(&poll)), 1);
    assert_eq!(open(&[poll.clone(), seen.clone()]), 0);
    assert_eq!(open(&[seen, poll.clone()]), 1);
    // A look that shows no end tells nothing, nor does one that was not let.
    assert_eq!(open(&[poll, other]), 1);
    let blocked = "<tool_use_error>Blocked: sleep 240 followed by: cat</tool_use_error>";
    let held = json!({"name": "Bash", "input": {"command": "sleep 240; cat /tmp/tasks/bq17xa.output"}, "output": blocked, "fails": true});
    assert_eq!(open(&[held]), 1);
}

#[test]
fn a_look_at_what_was_printed_ends_nothing_but_that_it_was_stopped_does() {
    let launched = "Command running in background with ID: bq17xa. Output is being written to: /tmp/tasks/bq17xa.output";
    let begun = |line: &str| json!({"name": "Bash", "input": {"command": line, "run_in_background": true}, "output": launched});
    let wait = json!({"name": "TaskOutput", "input": {"task_id": "bq17xa", "block": true}, "output": "<retrieval_status>timeout</retrieval_status>\n\n<task_id>bq17xa</task_id>\n\n<status>running</status>"});
    let killed =
        ended("bq17xa", "killed", "<summary>Background command \"x\" was stopped</summary>");
    let file = "/tmp/tasks/bq17xa.output";
    let looks = [
        read(file, ""),
        read(file, "step 1 of 9"),
        shell(&format!("tail -5 {file}"), "step 1 of 9"),
        shell(&format!("sleep 60; cat {file}"), ""),
    ];
    let steps = |line: &str, more: &[Value]| {
        let pushed = shell("git commit -am cart && git push", "[main 1a2b3c4] cart");
        let first = [edit("src/a.js", "x", "y"), pushed, begun(line)];
        [&first[..], more, &[json!("All done: it is pushed.")]].concat()
    };
    let open = |line: &str, more: &[Value]| open_by(&pack(&steps(line, more)), "running").len();
    for look in looks {
        for line in ["./deploy.sh", "npm run e2e", "gh run watch 12"] {
            assert_eq!(open(line, std::slice::from_ref(&look)), 1, "{line}: {look}");
            assert_eq!(open(line, &[wait.clone(), look.clone()]), 1, "{line}: {look}");
            assert_eq!(open(line, &[look.clone(), killed.clone()]), 0, "{line}: {look}");
        }
    }
    assert_eq!(open("./deploy.sh", &[wait.clone(), killed.clone()]), 0);
    assert_eq!(open("./deploy.sh", &[wait.clone(), wait, killed]), 0);
    let found = status(&steps("gh run watch 12", &[read(file, "")]));
    assert_eq!(found["done"], json!(false), "{found}");
}

#[test]
fn what_was_seen_of_a_part_does_not_end_what_still_runs() {
    let output = |runs: bool, printed: &str| {
        let how = if runs { "running with session ID 31" } else { "exited with code 0" };
        format!("Chunk ID: a\nWall time: 9.0 seconds\nProcess {how}\nOutput:\n{printed}")
    };
    let begun = json!({"name": "exec_command", "input": {"cmd": "npm run test:all"}, "output": output(true, "> shop:unit")});
    let waited = |runs, printed: &str| json!({"name": "write_stdin", "input": {"session_id": 31, "chars": ""}, "output": output(runs, printed)});
    let passed = " Tests  3 passed (3)\n\n> shop:e2e\nstarting chromium";
    let open = |last: Value| open_by(&codex_pack(&[begun.clone(), last]), "running").len();
    assert_eq!(open(waited(true, passed)), 1);
    assert_eq!(open(waited(false, passed)), 0);
    // Nor did it fail as a whole.
    let red = output(true, "error[E0433]: cannot find `x`\n --> src/a.rs:3:5\n");
    let begun = json!({"name": "exec_command", "input": {"cmd": "cargo clippy && cargo test"}, "output": red});
    let last = codex_pack(&[begun])["now"]["last_done"].to_string();
    assert!(last.contains("which still ran at the end") && !last.contains("failed"), "{last}");
    // What had counted its failures by then did.
    let red = output(
        true,
        "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed in 0.30s\n",
    );
    let begun = json!({"name": "exec_command", "input": {"cmd": "pytest -q"}, "output": red});
    let found = codex_pack(&[edit("src/a.py", "x", "y"), begun, json!("One test fails.")]);
    assert_eq!(found["failures"].as_array().map(Vec::len), Some(1), "{}", found["failures"]);
}

#[test]
fn commands_that_are_left_to_the_user_are_open_again_after_a_change() {
    let block = "git add -A\ngit commit -m 'cart'\ngit push\n";
    let ran = shell("git add -A && git commit -m 'cart' && git push", "[main 1a2b3c4] cart");
    let left = |steps: &[Value]| {
        let words = json!(format!("Run this when you are happy with it:\n\n```bash\n{block}```\n"));
        let steps = [steps, &[words]].concat();
        open_by(&pack(&steps), "agent_said").iter().any(|work| work.contains("left to the user"))
    };
    let change = edit("src/cart.rs", "x", "y");
    assert!(!left(&[change.clone(), ran.clone()]));
    assert!(left(&[ran.clone(), change.clone()]));
    // Notes that lie elsewhere are none of the work.
    let note = json!({"name": "Write", "input": {"file_path": "/tmp/pr.md", "content": "x\n"},
        "output": "File created successfully"});
    assert!(!left(&[change, ran, note]));
    // A second piece of work is handed on anew; what was handed on once is not.
    let left = |steps: &[Value], line: &str| {
        let words = json!(format!("To hand it on:\n\n```bash\n{line}\n```\n"));
        let steps = [steps, &[words]].concat();
        open_by(&pack(&steps), "agent_said").iter().any(|work| work.contains("left to the user"))
    };
    let commit = |sha: &str| shell("git commit -am cart", &format!("[cart {sha}] cart"));
    let opened = shell("gh pr create --fill", "https://a.example/ada/tool/pull/7");
    let merged = shell("gh pr merge --squash", "✓ Squashed and merged pull request ada/tool#7");
    let once = [commit("1a2b3c4"), opened, merged];
    assert!(!left(&once, "gh pr merge --squash"));
    let branch = shell("git switch -c foot", "Switched to a new branch 'foot'");
    let again = [&once[..], &[branch, commit("5d6e7f8")]].concat();
    assert!(left(&again, "gh pr create --fill") && !left(&again, "gh pr merge --squash"));
    let opened = shell("gh pr create --fill", "https://a.example/ada/tool/pull/8");
    let again = [&again[..], &[opened]].concat();
    assert!(!left(&again, "gh pr create --fill") && left(&again, "gh pr merge --squash"));
    let line = "git switch main && git merge cart";
    let merged = [commit("1a2b3c4"), shell(line, "Fast-forward")];
    assert!(!left(&merged, line));
    let back = shell("git switch cart", "Switched to branch 'cart'");
    assert!(left(&[&merged[..], &[back, commit("5d6e7f8")]].concat(), line));
}

#[test]
fn after_a_call_that_the_user_refused_that_is_what_comes_next() {
    let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
    let push =
        json!({"name": "Bash", "input": {"command": "git push"}, "output": refused, "fails": true});
    let next = pack(&[edit("src/a.rs", "x", "y"), push])["now"]["next"].clone();
    assert!(next.as_str().is_some_and(|next| next.contains("git push")), "{next}");
}

#[test]
fn what_showed_its_end_runs_no_more_whoever_waited() {
    let still_runs = |line: &str, shown: &str| {
        let begun = json!({"name": "Bash", "input": {"command": line, "run_in_background": true}, "output": LAUNCHED});
        let steps = [
            edit("src/a.rs", "x", "y"),
            begun,
            shell("sleep 60; tail -20 /tmp/t/b7xaaq.output", shown),
        ];
        !open_by(&pack(&steps), "running").is_empty()
    };
    for (line, shown) in [
        ("git push", "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main"),
        ("gh run watch 12", "✓ build\n✓ CI (12) completed with 'success'"),
        (
            "gh run watch 12; gh run watch 13",
            "CI (12) completed with 'success'\ndocs (13) has already completed with 'failure'",
        ),
        ("gh pr checks 7 --watch", "build\tpass\t1m\thttps://x\nlint\tpass\t1s\thttps://x"),
        ("npx tsc --noEmit; echo EXIT=$?", "EXIT=0"),
        ("./deploy.sh; echo \"exit: $?\"", "gone out\nexit: 1"),
        ("(cargo test; echo \"exit: $?\")", "exit: 101"),
        ("./deploy.sh; rc=$?; echo \"rc=$rc\"", "gone out\nrc=1"),
        (
            "git push && git push a v1",
            "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main\nTo a.example:ada/tool.git\n * [new tag]  v1 -> v1",
        ),
    ] {
        assert!(!still_runs(line, shown), "{line}");
    }
    // What is seen to have failed there is to be mended.
    let fail = |work: &Value| work["failures"].as_array().unwrap().len();
    let failed = |line: &str, shown: &str| {
        let begun = json!({"name": "Bash", "input": {"command": line, "run_in_background": true}, "output": LAUNCHED});
        let look = json!({"name": "Read", "input": {"file_path": "/tmp/t/b7xaaq.output"}, "output": format!("1\t{}", shown.replace('\n', "\n2\t"))});
        let work = pack(&[edit("src/a.rs", "x", "y"), begun, look, json!("Done, it is out.")]);
        assert!(open_by(&work, "running").is_empty(), "{line}");
        fail(&work) > 0
    };
    for (line, shown) in [
        (
            "git push origin main && git push origin v1",
            "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main\nTo a.example:ada/tool.git\n ! [rejected]        v1 -> v1 (already exists)",
        ),
        ("npm run deploy; echo $?", "no key\n1"),
        ("npm run deploy; rc=$?; echo \"rc=$rc\"", "no key\nrc=1"),
        ("(npm run deploy; echo \"exit: $?\")", "no key\nexit: 1"),
        ("gh run watch 12", "X build\nCI (12) completed with 'failure'"),
    ] {
        assert!(failed(line, shown), "{line}");
    }
    assert!(!failed("npm run deploy; echo $?", "it is there\n0"));
    let two = "npm run build; echo \"exit: $?\"; ls dist | grep -c map; echo \"maps: $?\"";
    assert!(!failed(two, "exit: 0\n0\nmaps: 1"));
    // Of several numbers nobody knows which is the code.
    assert!(!failed("npm run deploy; echo \"exit=$? (12 rows)\"", "exit=0 (12 rows)"));
    // What was done since may have mended it.
    let begun = json!({"name": "Bash", "input": {"command": "git push", "run_in_background": true}, "output": LAUNCHED});
    let look = json!({"name": "Read", "input": {"file_path": "/tmp/t/b7xaaq.output"}, "output": "1\tTo a.example:ada/tool.git\n2\t ! [rejected]        main -> main (fetch first)"});
    let again = shell(
        "git push -u origin HEAD",
        "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  HEAD -> main",
    );
    let open = |more: &[Value]| {
        let steps = [&[edit("src/a.rs", "x", "y"), begun.clone(), look.clone()], more].concat();
        fail(&pack(&steps))
    };
    assert_eq!((open(&[]), open(&[again])), (1, 0));
    for (line, shown) in [
        ("git push", "Enumerating objects: 5, done."),
        ("gh run watch 12; gh run watch 13", "CI (12) completed with 'success'"),
        ("gh pr checks 7 --watch", "build\tpending\t1m\thttps://x"),
        ("./deploy.sh; echo EXIT=$?", "step 1 of 9"),
        ("./deploy.sh", "step 1"),
        ("./deploy.sh; echo \"exit: $?\"", "step 1"),
        ("pytest; echo \"exit: $?\"", "tests/test_cart.py ....... [ 45%]"),
        (
            "git push && git push a v1",
            "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main",
        ),
    ] {
        assert!(still_runs(line, shown), "{line}");
    }
}
