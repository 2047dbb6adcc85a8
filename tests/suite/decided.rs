//! What became of pull requests, issues and tags, whoever made them.

use serde_json::{Value, json};

use crate::status::{edit, facts, failing, pack, shell, told};

fn environment(steps: &[Value]) -> Vec<String> {
    let told = facts(&pack(steps), "environment").into_iter();
    told.map(|line| line.trim_start_matches("open ").to_owned()).collect()
}

fn last_done(steps: &[Value]) -> String {
    let done = pack(steps)["now"]["last_done"].clone();
    done.as_str().unwrap_or_default().to_owned()
}

#[test]
fn what_was_decided_on_pages_of_others_is_told() {
    for (line, output, told) in [
        ("gh pr merge 233 --squash", "", "merged pull request #233"),
        ("gh pr merge 5 -R ada/tool --merge", "", "merged pull request ada/tool#5"),
        ("gh pr merge --squash 233", "", "merged pull request #233"),
        ("gh pr merge https://git.example/a/b/pull/233 -s", "", "merged pull request #233"),
        ("gh pr close -c 'superseded by #5' 9", "", "closed pull request #9"),
        (
            "gh pr close 9",
            "✓ Closed pull request ada/tool#9 (Mend it)",
            "closed pull request ada/tool#9",
        ),
        (
            "gh issue close 12; git status",
            "✓ Closed issue ada/tool#12 (It fails)",
            "closed issue ada/tool#12",
        ),
        ("gh pr reopen 9", "", "reopened pull request #9"),
    ] {
        let steps = [edit("src/a.rs", "x", "y"), shell(line, output)];
        assert_eq!(environment(&steps), [told]);
        assert!(last_done(&steps).starts_with(&format!("ran `{line}`")), "{}", last_done(&steps));
    }
    // A chain that may have failed, and an act that did not hold.
    let either = shell("gh pr merge 9 --squash && git pull || echo failed", "failed");
    assert_eq!(environment(&[either]), [""; 0]);
    let seen = shell("gh pr view 9 --json state", "{\"state\":\"OPEN\"}");
    assert_eq!(environment(&[shell("gh pr close 9", ""), seen]), [""; 0]);
    let both = shell("gh issue close 9 && gh issue reopen 9", "");
    assert_eq!(environment(&[both]), ["reopened issue #9"]);
    // Of one page the newest word counts.
    let again = [shell("gh pr close 9", ""), shell("gh pr reopen 9", "")];
    assert_eq!(environment(&again), ["reopened pull request #9"]);
    for (line, output) in [
        ("gh pr view 9 --json state", "{\"state\":\"MERGED\"}"),
        ("gh pr merge 9 --auto --squash", ""),
        ("gh pr merge 9 | tail -1", "GraphQL: not mergeable"),
        ("gh pr merge --subject 9 --squash", ""),
        ("gh pr close --help", "usage"),
        ("echo gh pr close 9", "gh pr close 9"),
        ("gh pr list --state closed", "9\tMend it\tfix\tCLOSED"),
    ] {
        assert_eq!(environment(&[shell(line, output)]), [""; 0], "{line}");
    }
}

#[test]
fn what_the_session_opened_and_closed_again_is_told_as_closed() {
    let page = "https://github.com/ada/tool/pull/9";
    let made = shell("gh pr create --fill", page);
    let told = |line: &str, output: &str| environment(&[made.clone(), shell(line, output)]);
    let closed = [format!("opened pull request {page}; closed")];
    assert_eq!(told("gh pr close 9", "✓ Closed pull request ada/tool#9 (x)"), closed);
    assert_eq!(told("gh pr view 9 --json state", "{\"state\":\"CLOSED\"}"), closed);
    let open = [format!("opened pull request {page}")];
    assert_eq!(told("gh pr view 9 --json state", "{\"state\":\"OPEN\"}"), open);
    let steps = [made.clone(), shell("gh pr close 9", ""), shell("gh pr reopen 9", "")];
    assert_eq!(environment(&steps), open);
    let issue = "https://github.com/ada/tool/issues/12";
    let steps = [shell("gh issue create --fill", issue), shell("gh issue close 12", "")];
    assert_eq!(environment(&steps), [format!("opened issue {issue}; closed")]);
}

#[test]
fn tags_that_were_pushed_are_told_once_and_not_where_they_were_taken_away() {
    let row =
        |name: &str| format!("To a.example:ada/tool.git\n * [new tag]         {name} -> {name}\n");
    let pushed = shell("git push origin v1.0", &row("v1.0"));
    assert_eq!(environment(std::slice::from_ref(&pushed)), ["pushed tag v1.0"]);
    let both = row("v1.0") + &row("v1.1");
    assert_eq!(environment(&[shell("git push --tags", &both)]), ["pushed tags v1.0, v1.1"]);
    let gone = "To a.example:ada/tool.git\n - [deleted]         v1.0\n";
    let steps = [pushed.clone(), shell("git push origin --delete v1.0", gone)];
    assert_eq!(environment(&steps), [""; 0]);
    let again =
        shell("git push origin :v1.0 && git push origin v1.0", &format!("{gone}{}", row("v1.0")));
    assert_eq!(environment(&[pushed, again]), ["pushed tag v1.0"]);
    // What is only fetched, or would be pushed, is not pushed.
    let fetched = "From a.example:ada/tool\n * [new tag]         v0.9 -> v0.9\nTo a.example:ada/tool.git\n   1..2  main -> main\n";
    assert_eq!(environment(&[shell("git pull --rebase && git push", fetched)]), [""; 0]);
    assert_eq!(environment(&[shell("git push --dry-run --tags", &row("v1.0"))]), [""; 0]);
    let cut = shell("git push --tags 2>&1 | tail -n 5", &row("v1.0"));
    assert_eq!(environment(&[cut]), ["pushed tag v1.0"]);
    let branch = "To a.example:ada/tool.git\n * [new branch]      main -> main\n";
    assert_eq!(environment(&[shell("git push", branch)]), [""; 0]);
}

#[test]
fn a_tag_is_told_with_the_repository_to_which_it_went_where_there_are_several() {
    let row = |to: &str| format!("To a.example:ada/{to}.git\n * [new tag]         v1.0 -> v1.0\n");
    let wrong = shell("git tag v1.0 && git push origin v1.0", &row("tool"));
    let line = "git -C /home/ada/web tag v1.0 && git -C /home/ada/web push origin v1.0";
    let right = shell(line, &row("web"));
    let both = environment(&[wrong.clone(), right.clone()]);
    assert_eq!(both, ["pushed tag v1.0 to ada/web", "pushed tag v1.0 to ada/tool"]);
    // What was taken away from one is still in the other.
    let gone = shell(
        "git push origin --delete v1.0",
        "To a.example:ada/tool.git\n - [deleted]         v1.0\n",
    );
    assert_eq!(environment(&[wrong, right.clone(), gone]), ["pushed tag v1.0 to ada/web"]);
    // What it does where nothing is meant to stay is no work.
    let tried = "git -C \"$tmp\" commit -q --allow-empty -m initial";
    let steps = [failing("cargo run -- check", "error: no table"), shell(tried, "")];
    assert!(last_done(&steps).starts_with("ran `cargo run"), "{}", last_done(&steps));
    // One repository can have several addresses, and two servers one of the same name.
    let row = |to: &str, row: &str| format!("To {to}\n{row}\n");
    let tag = " * [new tag]         v1.0 -> v1.0";
    let pushed = shell("git push origin v1.0", &row("git@a.example:ada/tool.git", tag));
    let gone = " - [deleted]         v1.0";
    let gone = shell("git push origin :v1.0", &row("https://a.example/ada/tool", gone));
    assert_eq!(environment(&[pushed.clone(), gone]), [""; 0]);
    let mirror = shell("git push mirror v1.0", &row("https://b.example/ada/tool.git", tag));
    let both = environment(&[pushed, mirror]);
    assert_eq!(
        both,
        ["pushed tag v1.0 to b.example/ada/tool", "pushed tag v1.0 to a.example/ada/tool"]
    );
    // What git does in another folder is done all the same.
    assert_eq!(environment(std::slice::from_ref(&right)), ["pushed tag v1.0"]);
    let looks = shell("git -C /home/ada/web log -1", "x");
    assert!(last_done(&[edit("a.rs", "x", "y"), right, looks]).contains("push origin v1.0"));
}

#[test]
fn what_a_push_that_was_rejected_did_push_is_told() {
    let output = |rows: &str| {
        format!(
            "To a.example:ada/tool.git\n{rows}error: failed to push some refs to 'a.example:ada/tool.git'\n"
        )
    };
    let main = " ! [remote rejected] main -> main (protected branch hook declined)\n";
    let tag = " * [new tag]         v1.0 -> v1.0\n";
    let push = "git tag v1.0 && git push origin main --tags";
    let half = failing(push, &output(&format!("{tag}{main}")));
    assert_eq!(environment(std::slice::from_ref(&half)), ["pushed tag v1.0"]);
    let done = |step: &Value| {
        pack(std::slice::from_ref(step))["now"]["last_done"].as_str().unwrap().to_owned()
    };
    let told = done(&half);
    assert!(
        told.ends_with("(protected branch hook declined); pushed all the same: v1.0"),
        "{told}"
    );
    let branch = "   1a2b3c4..5d6e7f8  it -> it\n";
    let told = done(&failing("git push origin it main", &output(&format!("{branch}{main}"))));
    assert!(told.ends_with("; pushed all the same: it"), "{told}");
    // What is only tried, and what was rejected as a whole, is not pushed.
    for (line, rows) in [
        ("git push --dry-run origin it main", format!("{branch}{main}")),
        (
            "git push origin main && git push other main",
            format!("   1a2b3c4..5d6e7f8  main -> main\n{main}"),
        ),
        ("git push origin main", main.to_owned()),
        (
            "git push --atomic origin it main",
            format!("{main} ! [rejected]        it -> it (atomic push failed)\n"),
        ),
    ] {
        let told = done(&failing(line, &output(&rows)));
        assert!(!told.contains("all the same"), "{line}: {told}");
    }
}

#[test]
fn a_pull_request_that_a_tool_made_is_told_by_what_shows_it_then() {
    let page = "https://github.com/ada/tool/pull/9";
    let made = json!({"name": "mcp__hub__create_pull_request", "input": {"head": "x"}, "output": "Action completed."});
    let told = |line: &str| {
        let steps = [
            edit("src/a.rs", "x", "y"),
            made.clone(),
            shell(line, &format!("{{\"url\":\"{page}\"}}")),
        ];
        (environment(&steps), last_done(&steps))
    };
    let (environment, last) = told("gh pr view --json url");
    assert_eq!(environment, [format!("opened pull request {page}")]);
    assert!(last.starts_with(&format!("opened pull request {page}")), "{last}");
    // One that is named can be any.
    assert!(
        told("gh pr view 9 --json url").0.is_empty() && told("gh pr list --json url").0.is_empty()
    );
    let looks = json!({"name": "mcp__hub__list_pull_requests", "input": {}, "output": "[]"});
    assert!(last_done(&[edit("src/a.rs", "x", "y"), looks]).starts_with("edited"));
}

#[test]
fn what_only_looked_with_the_changes_aside_was_not_done_last() {
    let edited = edit("src/a.rs", "x", "y");
    let probe = "git stash push -u; git checkout -q origin/main -- docs/; spectool validate; git checkout -q HEAD -- docs/; git stash pop";
    assert!(last_done(&[edited.clone(), shell(probe, "valid")]).starts_with("edited src/a.rs"));
    let within = "git stash && git pull --rebase && git push && git stash pop";
    let last = last_done(&[edited.clone(), shell(within, "x")]);
    assert!(last.starts_with("ran `git stash && git pull"), "{last}");
    let pushed = "git stash && git pull --rebase && git stash pop && git push";
    assert!(last_done(&[edited, shell(pushed, "x")]).starts_with("ran `git stash && git pull"));
}

#[test]
fn what_only_looked_and_failed_fails_no_more_once_the_work_went_on() {
    let part = |at: usize| edit(&format!("src/part_{at}.rs"), "x", "y");
    let failing_at_end = |line: &str, parts: usize| {
        let look = json!({"name": "Bash", "fails": true, "input": {"command": line},
            "output": "Exit code 1\nError: the mirror was not found on this cluster"});
        let steps: Vec<_> = [look].into_iter().chain((0..parts).map(part)).collect();
        pack(&steps)["failures"].as_array().unwrap().len()
    };
    for line in
        ["lamps list", "lamps clone --help; lamps list", "git rev-parse HEAD main", "gh pr view 3"]
    {
        assert_eq!(failing_at_end(line, 5), 0, "{line}");
    }
    for line in ["cargo build", "git push origin main"] {
        assert_eq!(failing_at_end(line, 5), 1, "{line}");
    }
    assert_eq!(failing_at_end("lamps list", 1), 1);
    // A wait that ran out of time is none either, but a check that did is.
    let timed_out = |line: &str| {
        let run = json!({"name": "Bash", "fails": true, "input": {"command": line},
            "output": "Exit code 143\nCommand timed out after 2m 0s"});
        pack(&[part(0), run, part(1)])["failures"].as_array().unwrap().len()
    };
    assert_eq!(timed_out("for i in $(seq 1 40); do gh pr view 546 --json state; sleep 3; done"), 0);
    assert_eq!(timed_out("make deploy"), 1);
    let broken = json!({"name": "Bash", "fails": true, "input": {"command": "kubectl get pods --watch"},
        "output": "Exit code 143\nweb 0/1 CrashLoopBackOff\nCommand timed out after 2m 0s"});
    assert_eq!(pack(&[part(0), broken, part(1)])["failures"].as_array().unwrap().len(), 1);
    assert_eq!(timed_out("cargo test"), 1);
    // What says how a server or a plan is may be what the work is about.
    let refused = |line: &str, output: &str| {
        let look =
            json!({"name": "Bash", "fails": true, "input": {"command": line}, "output": output});
        let steps: Vec<_> = [look].into_iter().chain((0..5).map(part)).collect();
        pack(&steps)["failures"].as_array().unwrap().len()
    };
    for (line, output) in [
        ("terraform plan", "Error: Invalid provider configuration"),
        ("kubectl get pods", "The connection to the server localhost:8080 was refused"),
        ("./bin/shop --version", "Segmentation fault (core dumped)"),
        ("gh pr checks 7", "build\tfail\t1m\thttps://x/1"),
    ] {
        assert_eq!(refused(line, output), 1, "{line}");
    }
}

#[test]
fn what_was_done_behind_the_page_that_a_line_made_is_told_with_it() {
    let page = "https://github.com/ada/tool/pull/9\n";
    let since = |steps: &[Value]| {
        last_done(&[&[edit("src/a.rs", "x", "y"), json!("It is mended.")], steps].concat())
    };
    let deployed = since(&[shell("gh pr create --fill; npm run deploy", page)]);
    assert!(deployed.contains("npm run deploy"), "{deployed}");
    let merged = since(&[shell("git push && gh pr create --fill && gh pr merge --auto", page)]);
    assert!(merged.contains("gh pr merge"), "{merged}");
    let published = since(&[shell("npm publish && gh pr create --fill", page)]);
    assert!(published.contains("npm publish"), "{published}");
    let made = since(&[shell("git push && gh pr create --fill | tail -1", page)]);
    assert!(made.contains("opened pull request") && !made.contains("push"), "{made}");
    let again = since(&[
        shell("gh pr create --fill | tail -3", "could not resolve remote \"origin\""),
        shell("gh pr create --fill -R ada/tool", page),
        shell("npm run lint", "ok"),
    ]);
    assert_eq!(again.matches("pull request").count(), 1, "{again}");
    assert!(!again.contains("gh pr create"), "{again}");
    // What was only tried, or had nothing to do, is no deed; what still runs is told so.
    let nothing = since(&[
        shell("git push --dry-run", "To a.example:ada/tool.git\n   1a2b3c4..5d6e7f8  main -> main"),
        shell("git push", "Everything up-to-date"),
        shell("npm run lint", "ok"),
    ]);
    assert!(!nothing.contains("push"), "{nothing}");
    let begun = json!({"name": "Bash", "input": {"command": "git push", "run_in_background": true},
        "output": "Command running in background with ID: b7xaaq. Output is being written to: /tmp/t/b7xaaq.output"});
    let runs = since(&[begun, shell("npm run lint", "ok")]);
    assert!(
        runs.contains("`git push`, which still ran at the end, then ran `npm run lint`"),
        "{runs}"
    );
}

#[test]
fn pages_that_the_session_came_back_to_are_told_by_their_numbers() {
    let hand = |steps: &[Value]| {
        let all = environment(&[&[edit("src/a.rs", "x", "y")], steps].concat());
        all.into_iter().filter(|line| line.starts_with("at hand")).collect::<Vec<_>>()
    };
    let view = |number: &str| {
        shell(
            &format!("gh pr view {number} --json number,title,state,isDraft"),
            &format!(
                r#"{{"isDraft":true,"number":{number},"state":"OPEN","title":"Keep the \"sign\" of amounts"}}"#
            ),
        )
    };
    let checks = shell("gh pr checks 31", "unit\tpass\t3s\thttps://x");
    let line = r#"at hand: pull request #31: Keep the "sign" of amounts"#;
    assert_eq!(hand(&[view("31"), checks.clone()]), [line]);
    // One look is no work on it, unless the user named it.
    assert_eq!(hand(&[view("31")]), [""; 0]);
    assert_eq!(hand(&[view("31"), json!("It is a draft."), told("mend #31")]), [line]);
    assert_eq!(hand(&[view("31"), json!("It is a draft."), told("mend #310")]), [""; 0]);
    // That of the branch has its number in what is printed.
    let own = shell("gh pr view --json number,title", r#"{"number":31,"title":"Rows"}"#);
    assert_eq!(hand(&[own, checks.clone()]), ["at hand: pull request #31: Rows"]);
    let issue = shell("gh issue view 8 -R ada/tool", "title:\tIt is lost\nstate:\tOPEN\n");
    let both = hand(&[view("31"), checks.clone(), issue.clone(), issue]);
    assert_eq!(both, [format!("at hand: issue ada/tool#8: It is lost; {}", &line[9..])]);
    // What was opened here, or is over, is told so or not at all.
    let made = shell("gh pr create --fill", "https://github.com/ada/tool/pull/31\n");
    assert_eq!(hand(&[made, view("31"), checks.clone()]), [""; 0]);
    let merged = shell("gh pr view 31 --json state", r#"{"state":"MERGED"}"#);
    assert_eq!(hand(&[checks, merged]), [""; 0]);
}
