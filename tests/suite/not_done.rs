//! What a hook objected to, and what was begun and goes on: it is open, whatever was said.

use serde_json::{Value, json};

use super::program::Call;
use super::status::{edit, ended, pack, session, shell, status, told};

const PASSED: &str = "==== 4 passed in 0.10s ====";

#[test]
fn what_a_hook_objected_to_is_open_until_somebody_sees_to_it() {
    let work = [edit("src/a.py", "x", "y"), shell("pytest -q", PASSED), json!("Fixed.")];
    let feedback = "Stop hook feedback:\n- [./check.sh]: the list of changes has no entry";
    let open = |steps: &[Value], hooks: &[&str]| {
        let lines = session(steps);
        let marked = lines.lines().map(|line| {
            let is_hook = hooks.iter().any(|hook| line.contains(hook));
            let mark = if is_hook { "{\"isMeta\":true," } else { "{" };
            line.replacen('{', mark, 1) + "\n"
        });
        let text: String = marked.collect();
        let said = Call::new("nobody", &["status", "-"]).stdin(text.as_bytes()).run().stdout;
        said.lines()
            .filter(|line| line.contains("a hook objected"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let stopped = [&work[..], &[told(feedback)]].concat();
    let found = open(&stopped, &["Stop hook"]);
    assert!(found[0].contains("[./check.sh]: the list of changes has no entry"), "{found:?}");
    let seen = [&stopped[..], &[json!("I wrote the entry.")]].concat();
    assert!(open(&seen, &["Stop hook"]).is_empty());
    // What somebody typed is no hook's.
    assert!(open(&stopped, &[]).is_empty());
}

#[test]
fn a_search_for_a_commit_and_runs_elsewhere_that_go_on_are_told() {
    let said = |calls: &[Value]| {
        let steps: Vec<_> =
            calls.iter().cloned().chain([json!("That is how it stands.")]).collect();
        let found = status(&steps);
        let open = found["open"].as_array().unwrap().iter();
        open.map(|work| work["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join("\n")
    };
    let goes_on = "Bisecting: 3 revisions left to test after this (roughly 2 steps)\n[1a2b3c4] x";
    let begun = shell("git bisect start HEAD v1 && git bisect good v1", goes_on);
    assert!(said(std::slice::from_ref(&begun)).starts_with("finish the bisect: git said last"));
    for (line, output) in [
        ("git bisect reset", "Previous HEAD position was 1a2b3c4"),
        ("git bisect bad", "1a2b3c4 is the first bad commit"),
        ("git -C . bisect reset", ""),
        ("./search.sh", "1a2b3c4 is the first bad commit"),
        ("git checkout -f main", "Switched to branch 'main'"),
    ] {
        assert!(!said(&[begun.clone(), shell(line, output)]).contains("bisect"), "{line}");
    }
    let away = shell("cd ../other && git bisect good", goes_on);
    assert!(!said(&[away]).contains("bisect"));
    let push = shell("git push", "To x\n   1a2b3c4..2b3c4d5  main -> main");
    let look = |output: &str| shell("gh pr checks 4", output);
    let pending = look("unit\tpass\t4s\nlint\tpending\t0\n");
    let told = "had not ended when it was looked at last, as `gh pr checks 4` shows";
    assert!(said(&[push.clone(), pending.clone()]).contains(told));
    for calls in [
        vec![pending.clone()],
        vec![push.clone(), pending.clone(), look("unit\tpass\t4s\nlint\tpass\t9s\n")],
        vec![push.clone(), pending, push],
    ] {
        assert!(!said(&calls).contains(told), "{calls:?}");
    }
}

#[test]
fn what_git_showed_as_not_committed_is_told_where_nothing_was_committed() {
    let left = |steps: &[Value]| {
        let open = status(steps)["open"].as_array().unwrap().clone();
        let lines = open.iter().filter(|work| work["source"] == json!("uncommitted"));
        let lines = lines.map(|work| work["text"].as_str().unwrap().to_owned());
        lines.filter(|line| line.contains("showed")).collect::<Vec<_>>()
    };
    let work = [edit("src/a.py", "x", "y"), edit("new/b.py", "x", "y"), shell("pytest -q", PASSED)];
    let look = |rows: &str| shell("git status --short", rows);
    let claim = json!("All is done.");
    let listed = look(" M src/a.py\n M notes.md\n?? new/");
    let all = [&work[..], &[listed.clone(), claim.clone()]].concat();
    let told = "commit: 2 files edited and not committed, as `git status` showed, in T-1: src/a.py, new/b.py";
    assert_eq!(left(&all), [told]);
    // It is no reason why the work is not done.
    assert_eq!(status(&all)["done"], json!(true));
    for (more, lines) in [
        (shell("git stash", "Saved working directory and index state"), 0),
        (shell("git checkout main", "Switched to branch 'main'"), 0),
        (look(""), 0),
        (look(" M notes.md"), 0),
        (shell("cat src/a.py", "y"), 1),
        (shell("pytest -q", PASSED), 1),
        (shell("./scripts/commit.sh", "[main 1a2b3c4] Mend it"), 0),
        (shell("git log -1", "1a2b3c4 Mend it"), 0),
        (shell("git diff --stat", " src/a.py | 2 +-"), 1),
        (shell("git branch", "* main"), 1),
        (json!({"name": "mcp__git__git_commit", "input": {}, "output": "Committed."}), 0),
        (json!({"told": "I committed it. Now the page."}), 0),
    ] {
        let steps = [&work[..], &[listed.clone(), more.clone(), claim.clone()]].concat();
        assert_eq!(left(&steps).len(), lines, "{more}");
    }
    // It is the user's, where they say so, until they say something else of it.
    let asked = |words: &str| json!({ "told": words });
    let told_after = |requests: &[&str]| {
        let requests: Vec<_> = requests.iter().map(|words| asked(words)).collect();
        left(&[&requests[..], &work[..], &[listed.clone(), claim.clone()]].concat()).len()
    };
    for mine in [
        "mend it, but leave it uncommitted",
        "mend it; I'll commit myself",
        "mend it, nicht committen",
    ] {
        assert_eq!(told_after(&[mine]), 0, "{mine}");
        assert_eq!(told_after(&[mine, "mend the tests as well"]), 0, "{mine}");
        assert_eq!(told_after(&[mine, "mend the tests and commit all"]), 1, "{mine}");
    }
    assert_eq!(told_after(&["the importer does not commit the transaction"]), 1);
    // Whoever commits is told what came after that.
    let commit = shell("git commit -qam 'Mend it' && git status --short", "?? new/");
    let steps = [&work[..], &[commit, claim]].concat();
    assert_eq!(left(&steps), [""; 0]);
}

/// The texts of what is open by one source.
fn open_lines(steps: &[Value], source: &str) -> Vec<String> {
    let open = status(steps)["open"].as_array().unwrap().clone();
    let lines = open.iter().filter(|work| work["source"] == json!(source));
    lines.map(|work| work["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_only_sounds_like_something_left_is_not_open() {
    let work = [edit("src/a.py", "x", "y"), shell("pytest -q", PASSED)];
    let said = |words: &str| open_lines(&[&work[..], &[json!(words)]].concat(), "agent_said").len();
    assert_eq!(said("The parser is there. Nothing has failed yet."), 0);
    assert_eq!(said("The parser is there. Nothing has been pushed yet."), 1);
    let recapped = |words: &str| {
        let steps =
            [edit("src/a.py", "x", "y"), json!("It is written."), json!({ "recap": words })];
        open_lines(&steps, "recap").len()
    };
    assert_eq!(recapped("You asked for the parser. All 12 tests pass with no failures."), 0);
    assert_eq!(recapped("You asked for the parser. All 12 tests pass, no commit was made."), 1);
    let recapped_with = |more: &str| recapped(&format!("You asked for the parser. {more}"));
    for more in [
        "Everything is merged with no review comments.",
        "It is merged, no errors were found.",
        "It is merged, no new warnings were added.",
        "It is merged, no files were created outside src.",
    ] {
        assert_eq!(recapped_with(more), 0, "{more}");
    }
    for more in [
        "It is complete, no pull request was opened.",
        "It is complete, no tests were written.",
        "It is finished with no commits made.",
    ] {
        assert_eq!(recapped_with(more), 1, "{more}");
    }
    // Whoever did the work without the agent that was not to be had, and says so, leaves nothing.
    let input = json!({"description": "Audit it", "prompt": "look"});
    let agent = json!({"name": "Task", "input": input, "output": "overloaded", "fails": true});
    let given = |before: &[Value]| {
        let claim = json!("The parser is done; I looked at it myself.");
        let open = open_lines(&[before, &[agent.clone(), claim]].concat(), "interrupted");
        open.iter().filter(|line| line.starts_with("give to an agent")).count()
    };
    assert_eq!((given(&work), given(&[])), (0, 1));
}

#[test]
fn who_asks_for_a_commit_or_speaks_of_commits_forbids_none() {
    let left = |request: &str| {
        let look = shell("git status --short", " M src/a.py");
        let steps = [told(request), edit("src/a.py", "x", "y"), look, json!("All is done.")];
        open_lines(&steps, "uncommitted").len()
    };
    for request in [
        "mend it, and don't forget to commit",
        "mend it, never amend commits",
        "mend it and commit everything; I'll push myself",
        "the linter must not fail on commit; mend it",
    ] {
        assert_eq!(left(request), 1, "{request}");
    }
    for request in ["mend it, no need to commit", "mend it; don't push or commit"] {
        assert_eq!(left(request), 0, "{request}");
    }
}

#[test]
fn a_number_of_something_else_is_no_box_of_an_old_list() {
    let list = "# Tasks\n\n## 1. Read\n- [x] 1.1 read\n\n## 3. Write\n-[ ] 3.1 write it\n";
    let input = json!({"file_path": "/home/ada/tool/docs/tasks.md", "content": list});
    let written = json!({"name": "Write", "input": input, "output": "Wrote it."});
    // A box can stand right behind its bullet.
    assert_eq!(open_lines(&[written.clone(), json!("It is there.")], "box"), ["3.1 write it"]);
    let told_after = |request: &str| {
        let steps = [
            written.clone(),
            json!("It is there."),
            told("look at the logs of the server"),
            json!("They are fine."),
            told("look at the ports of the server"),
            json!("Fine, too."),
            told(request),
            edit("src/b.rs", "x", "y"),
        ];
        open_lines(&steps, "box").len()
    };
    for request in ["go on with section 3", "start step 3", "continue with docs"] {
        assert_eq!(told_after(request), 1, "{request}");
    }
    for request in [
        "fix issue #3",
        "see section 3 of the RFC and mend the header",
        "CI fails in step 3 of the build; mend it",
        "continue: now tidy the docs build",
    ] {
        assert_eq!(told_after(request), 0, "{request}");
    }
}

#[test]
fn an_answer_that_speaks_of_an_opinion_is_one() {
    let decided = |answer: &str| {
        let options = json!([{"label": "Rows"}, {"label": "Columns"}]);
        let input = json!({"questions": [{"question": "Which way?", "options": options}]});
        let asked = json!({"name": "AskUserQuestion", "input": input, "answers": {"Which way?": answer}, "output": "Answered."});
        let told = pack(&[json!("Two ways."), asked, edit("src/a.rs", "x", "y")]);
        told["decisions"].as_array().unwrap().len()
    };
    for answer in [
        "I trust your opinion, take Rows",
        "Your takeaway was right: Rows",
        "Go with your take",
        "不管怎么样，用 Rows",
        "你觉得哪个好就用哪个",
    ] {
        assert_eq!(decided(answer), 1, "{answer}");
    }
    for answer in ["Rows, what's your take", "what do you think, rows or columns"] {
        assert_eq!(decided(answer), 0, "{answer}");
    }
}

#[test]
fn words_about_something_else_answer_no_question() {
    let input = json!({"command": "gh run watch 7", "run_in_background": true});
    let launched =
        "Command running in background with ID: bci. Output is being written to: /tmp/bci.output";
    let begun = json!({"name": "Bash", "input": input, "output": launched});
    let end = "<summary>Background command \"ci\" completed (exit code 0)</summary>";
    let asks = |more: &[Value]| {
        let words = "The review of the parser is settled.\n\nIts pages are read.\n\nWant me to merge the importer first, or start on the writer while it sits?";
        let steps = [
            edit("src/a.rs", "x", "y"),
            begun.clone(),
            json!(words),
            ended("bci", "completed", end),
        ];
        pack(&[&steps[..], more].concat())["now"]["asks"] == json!(true)
    };
    assert!(asks(&[json!("The review has a remark, too.")]));
    let look = shell("cat /tmp/bci.output", "all green");
    assert!(asks(&[json!("Let me see what came of the importer."), look]));
    assert!(!asks(&[json!("The importer is merged now.")]));
}
