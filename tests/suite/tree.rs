//! What git tells of the working tree: what is committed, taken back, or stopped in the middle.

use serde_json::{Value, json};

use crate::status::{edit, failing, open_by, pack, shell, status, told as said};

const COMMITTED: &str = "[main 1a2b3c4] Read amounts\n 1 file changed";
const FAILED: &str =
    "FAILED tests/test_a.py::test_sum - assert 1 == 2\n==== 1 failed, 3 passed in 0.10s ====";
const PASSED: &str = "==== 4 passed in 0.10s ====";

/// Returns a session that edits and commits, then does `steps`.
fn committed(steps: &[Value]) -> Vec<Value> {
    let first = [
        edit("src/a.rs", "let a = 1;", "let a = 2;"),
        shell("git add -A && git commit -m 'Read amounts'", COMMITTED),
    ];
    let last = [json!("Next comes the index.")];
    first.iter().chain(steps).chain(&last).cloned().collect()
}

/// What to look at first in the pack of a session.
fn checks(pack: &Value) -> String {
    pack["checks"].to_string()
}

fn state(pack: &Value, path: &str) -> String {
    let files = pack["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["path"] == path);
    file.map_or_else(String::new, |file| file["state"].as_str().unwrap().to_owned())
}

#[test]
fn what_came_after_a_commit_by_other_ways_than_edits_is_not_committed() {
    let agent = json!({"name": "Task", "input": {"description": "Mend the index", "prompt": "Mend it"},
        "output": "I changed docs/index.md."});
    let gone = "commit: what was changed since 1a2b3c4 \"Read amounts\": docs/old.md";
    for (steps, open) in [
        (vec![shell("git rm -q docs/old.md", "")], Some(gone)),
        (vec![shell("git mv docs/old.md docs/new.md", "")], Some(gone)),
        (vec![shell("rm docs/old.md", "")], None),
        (
            vec![shell("python3 gen.py", ""), shell("git status --short", "M  docs/old.md")],
            Some(gone),
        ),
        (vec![agent], None),
    ] {
        let pack = pack(&committed(&steps));
        let told = checks(&pack);
        assert!(told.contains("is 1a2b3c4 there, and was more changed after it?"), "{told}");
        assert!(!told.contains("made after the last change"), "{told}");
        assert_eq!(open_by(&pack, "uncommitted").first().map(String::as_str), open, "{steps:?}");
    }
    // What was there before is not of this session.
    let before = shell("git status --short", "?? notes.md");
    let steps = [vec![before.clone()], committed(&[before])].concat();
    let pack = pack(&steps);
    assert!(checks(&pack).contains("1a2b3c4, made after the last change"), "{}", checks(&pack));
    assert!(open_by(&pack, "uncommitted").is_empty());
}

#[test]
fn a_branch_that_was_not_gone_to_or_takes_changes_along_settles_nothing() {
    let refused = "Please commit your changes or stash them before you switch branches.\nAborting";
    let open = |line: &str, output: &str| {
        let steps = [edit("src/b.rs", "let b = 1;", "let b = 2;"), shell(line, output)];
        open_by(&pack(&committed(&steps)), "uncommitted")
    };
    for (line, output) in [
        ("git checkout main 2>&1 | tail -2", refused),
        ("git checkout main", "Switched to branch 'main'\nM\tsrc/b.rs"),
        ("git checkout main", "Already on 'main'"),
        ("git pull", "Already up to date."),
        ("git reset src/c.rs", ""),
    ] {
        assert!(open(line, output)[0].starts_with("commit: 1 file edited since 1a2b3c4"), "{line}");
    }
    assert!(open("git checkout main", "Switched to branch 'main'").is_empty());
}

#[test]
fn what_is_reset_and_cleaned_away_is_not_changed() {
    let new = json!({"name": "Write", "input": {"file_path": "/home/ada/tool/src/fast.rs", "content": "fn f() {}\n"},
        "output": "File created successfully"});
    let steps = [
        edit("src/a.rs", "let a = 1;", "let a = 2;"),
        new,
        shell("pytest -q", PASSED),
        shell(
            "git reset --hard && git clean -fd",
            "HEAD is now at 1234567 x\nRemoving src/fast.rs",
        ),
        json!("Everything is as before."),
    ];
    let told = pack(&steps);
    assert_eq!((&*state(&told, "src/a.rs"), &*state(&told, "src/fast.rs")), ("read", "deleted"));
    let last = told["now"]["last_done"].as_str().unwrap();
    assert_eq!(last, "ran `git reset --hard && git clean -fd`");
    assert!(!checks(&told).contains("changes named here"), "{}", checks(&told));
    let status = status(&steps);
    assert_eq!((&status["changed"], &status["done"]), (&json!(false), &json!(true)), "{status}");
}

#[test]
fn a_revert_is_a_commit_and_takes_back_the_one_that_it_names() {
    let reverted = "[main 5d6e7f8] Revert \"Read amounts\"\n 1 file changed";
    let pack = pack(&committed(&[shell("git revert --no-edit HEAD", reverted)]));
    assert_eq!(state(&pack, "src/a.rs"), "read");
    assert!(!checks(&pack).contains("1a2b3c4"), "{}", checks(&pack));
    assert!(open_by(&pack, "uncommitted").is_empty());
    // Another change after it is not committed since the revert.
    let later = edit("src/b.rs", "let b = 1;", "let b = 2;");
    let pack = self::pack(&committed(&[shell("git revert --no-edit HEAD", reverted), later]));
    let open = open_by(&pack, "uncommitted");
    assert!(open[0].starts_with("commit: 1 file edited since 5d6e7f8"), "{open:?}");
}

#[test]
fn what_was_taken_back_and_brought_back_is_there() {
    let commit = |sha: &str, subject: &str| format!("[main {sha}] {subject}\n 1 file changed");
    let revert =
        |sha: &str, subject: &str| shell("git revert --no-edit HEAD", &commit(sha, subject));
    let undo = revert("2b3c4d5", "Revert \"Read amounts\"");
    for again in ["Revert \"Revert \"Read amounts\"\"", "Reapply \"Read amounts\""] {
        let pack = pack(&committed(&[undo.clone(), revert("3c4d5e6", again)]));
        assert_eq!(state(&pack, "src/a.rs"), "edited", "{again}");
    }
    let gone = shell("git reset --hard HEAD~1", "HEAD is now at 0a1b2c3 Begin");
    let back = shell("git reset --hard ORIG_HEAD", "HEAD is now at 1a2b3c4 Read amounts");
    let pack = pack(&committed(&[gone, back]));
    assert_eq!(state(&pack, "src/a.rs"), "edited");
    assert!(checks(&pack).contains("1a2b3c4"), "{}", checks(&pack));
    // What another branch keeps is not gone, and a commit is told by its whole first line.
    for line in [
        "git branch amounts && git reset --hard HEAD~1 && git checkout amounts",
        "git checkout main && git reset --hard HEAD~1",
    ] {
        let pack = self::pack(&committed(&[shell(line, "HEAD is now at 0a1b2c3 Begin")]));
        assert_eq!(state(&pack, "src/a.rs"), "edited", "{line}");
    }
    let more = [
        edit("src/b.rs", "let b = 1;", "let b = 2;"),
        shell("git commit -qam x && git log --oneline -1", "2b3c4d5 Read amounts of a page"),
        revert("3c4d5e6", "Revert \"Read amounts\""),
    ];
    let pack = self::pack(&committed(&more));
    assert_eq!(
        (state(&pack, "src/a.rs"), state(&pack, "src/b.rs")),
        ("read".to_owned(), "edited".to_owned())
    );
    for steps in [
        vec![shell("git mv a.rs b.rs", ""), shell("git mv b.rs a.rs", "")],
        vec![shell("git rm -q c.rs", ""), shell("git checkout HEAD -- c.rs", "")],
    ] {
        let open = open_by(&self::pack(&committed(&steps)), "uncommitted");
        assert!(open.is_empty(), "{open:?}");
    }
}

#[test]
fn a_merge_that_its_line_went_through_with_is_not_open() {
    let output = "CONFLICT (content): Merge conflict in lock.json\nAutomatic merge failed; fix conflicts and then commit the result.\n[main 3c4d5e6] Merge branch 'x'";
    let line = "git merge x --no-edit; git checkout --theirs lock.json && git add lock.json && git commit --no-edit";
    assert!(open_by(&pack(&committed(&[shell(line, output)])), "interrupted").is_empty());
}

#[test]
fn a_commit_that_is_taken_back_is_none() {
    let steps = |reset: &str| {
        pack(&committed(&[
            edit("src/b.rs", "let b = 1;", "let b = 2;"),
            shell(
                "git commit -qam 'Write amounts' && git log --oneline -1",
                "2b3c4d5 Write amounts",
            ),
            shell(reset, ""),
        ]))
    };
    let soft = steps("git reset --soft HEAD~1");
    let open = open_by(&soft, "uncommitted");
    assert!(open[0].starts_with("commit: 1 file edited since 1a2b3c4"), "{open:?}");
    assert_eq!(state(&soft, "src/b.rs"), "edited");
    let hard = steps("git reset --hard HEAD~1");
    assert!(open_by(&hard, "uncommitted").is_empty());
    assert_eq!(state(&hard, "src/b.rs"), "read");
}

#[test]
fn a_check_that_failed_by_changes_which_were_taken_back_is_not_open() {
    let tried = || vec![edit("src/a.py", "return 1 + 1", "return 2"), failing("pytest -q", FAILED)];
    let open = |steps: &[Value]| {
        let pack = pack(&[steps, &[json!("I took it back.")]].concat());
        let failing = pack["failures"].as_array().unwrap().len();
        (open_by(&pack, "check").len(), failing, state(&pack, "src/a.py"))
    };
    for back in [
        shell("git checkout src/a.py", "Updated 1 path from the index"),
        shell("git restore .", ""),
        shell("git reset --hard", "HEAD is now at 1234567 x"),
        edit("src/a.py", "return 2", "return 1 + 1"),
    ] {
        let passed = vec![shell("pytest -q", PASSED)];
        let steps = [passed, tried(), vec![back.clone()]].concat();
        assert_eq!(open(&steps), (0, 0, "read".to_owned()), "{back}");
        // Where nothing passed before, nothing shows that it failed by the change.
        let steps = [tried(), vec![back.clone()]].concat();
        assert_eq!(open(&steps).0, 1, "{back}");
    }
    // It failed before already, or something else was changed, too.
    let back = || shell("git checkout src/a.py", "");
    let before = [vec![failing("pytest -q", FAILED)], tried(), vec![back()]].concat();
    assert_eq!(open(&before).0, 1);
    let other = edit("src/b.py", "return 1 + 1", "return 2");
    let more = [vec![other], tried(), vec![back()]].concat();
    assert_eq!(open(&more).0, 1);
}

#[test]
fn a_break_that_a_line_takes_back_itself_is_not_open() {
    let line = "pytest -q; git checkout -- src/a.py && echo restored";
    let steps = [
        shell("pytest -q", PASSED),
        edit("src/a.py", "return 1 + 1", "return 2"),
        shell(line, &format!("{FAILED}\nrestored")),
        json!("The test catches it. All is as before."),
    ];
    let told = pack(&steps);
    assert!(open_by(&told, "check").is_empty(), "{told}");
    assert_eq!(state(&told, "src/a.py"), "read");
    // The same with other options had passed.
    let packed = |to: &str| format!("cargo build --release --target-dir {to}");
    let broken = format!("{}; git checkout -- src/a.py && echo restored", packed("b"));
    let error = "error[E0425]: no\nerror: could not compile `a`\nrestored";
    let built = shell(&packed("a"), "    Finished release");
    let tried = [built, steps[1].clone(), shell(&broken, error), steps[3].clone()];
    assert!(open_by(&pack(&tried), "check").is_empty(), "{}", pack(&tried));
    assert_eq!(open_by(&pack(&tried[1..]), "check").len(), 1);
    // Where the user said in between that it fails, it may fail without the change.
    let [passed, change, run, end] = steps;
    let since = [passed, json!("ok"), said("it fails for me now, find out why"), change, run, end];
    assert_eq!(open_by(&pack(&since), "check").len(), 1);
    // What ran on the file as it was restored says how it stands.
    let turned = "git checkout -- src/a.py && pytest -q";
    let steps = [edit("src/a.py", "return 1 + 1", "return 2"), failing(turned, FAILED)];
    assert_eq!(open_by(&pack(&steps), "check").len(), 1);
}

#[test]
fn a_move_to_a_name_that_the_line_gives_is_a_deed() {
    let last = |line: &str, output: &str| {
        let steps = [edit("plans/a.md", "one line", "two lines"), shell(line, output)];
        let pack = pack(&steps);
        let last = pack["now"]["last_done"].as_str().unwrap().to_owned();
        (last, state(&pack, "old/plans/a.md"))
    };
    let (told, state) =
        last("T=\"old/plans\"\ngit mv plans \"$T\"\necho \"moved to $T\"", "moved to old/plans");
    assert!(told.contains("git mv plans") && state == "edited", "{told} {state}");
    let line = "T=old/plans; if [ -e $T ]; then echo there; else git mv plans $T && echo \"moved to $T\"; fi";
    assert_eq!(last(line, "moved to old/plans").1, "edited");
    assert_eq!(last(line, "there").1, "");
    // Where nobody knows to where, it was moved all the same.
    assert!(last("git mv plans \"$(date +%F)\"", "").0.contains("git mv plans"));
}

#[test]
fn a_rebase_or_merge_that_stopped_is_open_until_somebody_goes_on_with_it() {
    let rebase = || {
        failing(
            "git rebase origin/main",
            "CONFLICT (content): Merge conflict in a.go\nerror: could not apply 4f1c2aa... retry: add budget",
        )
    };
    let merge = || {
        failing(
            "git merge main",
            "CONFLICT (content): Merge conflict in a.go\nAutomatic merge failed; fix conflicts and then commit the result.",
        )
    };
    let open = |steps: &[Value]| {
        let steps = [steps, &[json!("It is resolved.")]].concat();
        let open: Vec<_> = open_by(&pack(&steps), "interrupted");
        assert_eq!(status(&steps)["done"], json!(open.is_empty()), "{open:?}");
        open
    };
    assert_eq!(
        open(&[rebase()]),
        [
            "finish the rebase, which stopped at 4f1c2aa \"retry: add budget\": conflicts were in a.go; `git rebase --continue` goes on with it"
        ]
    );
    assert_eq!(
        open(&[merge(), shell("git add a.go", "")]),
        ["finish the merge: conflicts were in a.go; `git commit` concludes it"]
    );
    for steps in [
        [
            rebase(),
            shell(
                "git add a.go && GIT_EDITOR=true git rebase --continue",
                "Successfully rebased and updated refs/heads/x.",
            ),
        ],
        [rebase(), shell("git rebase --abort", "")],
        [merge(), shell("git commit --no-edit", "[main 1a2b3c4] Merge branch 'main'")],
        [merge(), shell("git reset --hard", "HEAD is now at 1a2b3c4 x")],
        [
            shell(
                "git merge --no-commit main; git merge --abort",
                "CONFLICT (content): Merge conflict in a.go",
            ),
            shell("ls", "a.go"),
        ],
    ] {
        assert_eq!(open(&steps), Vec::<String>::new(), "{steps:?}");
    }
    let again = failing(
        "git rebase --continue",
        "CONFLICT (content): Merge conflict in b.go\nerror: could not apply 77b2d10... retry: use it",
    );
    let told = open(&[rebase(), again.clone()]);
    assert!(
        told.len() == 1 && told[0].contains("77b2d10") && told[0].contains("in b.go"),
        "{told:?}"
    );
    let failures = pack(&[rebase(), again])["failures"].clone();
    assert_eq!(failures.as_array().unwrap().len(), 1, "{failures}");
}

#[test]
fn a_commit_takes_only_what_git_was_given() {
    let steps = |between: &[Value], commit: &str| {
        let first = [edit("src/a.rs", "let a = 1;", "let a = 2;"), edit("src/b.rs", "x", "y")];
        let last = [shell(commit, COMMITTED), json!("Next comes the index.")];
        first.iter().chain(between).chain(&last).cloned().collect::<Vec<_>>()
    };
    let open =
        |between: &[Value], commit: &str| open_by(&pack(&steps(between, commit)), "uncommitted");
    let left = "commit: 1 file edited and not known to be in 1a2b3c4 \"Read amounts\": src/b.rs";
    let commit = "git commit -m 'Read amounts'";
    for given in ["git add src/a.rs", "git log -1; git add ./src/a.rs 2>&1"] {
        assert_eq!(open(&[shell(given, "")], commit), [left], "{given}");
        let text = checks(&pack(&steps(&[shell(given, "")], commit)));
        assert!(text.contains("`git status`: are the changes named here still there?"), "{text}");
    }
    assert_eq!(open(&[], &format!("git add src/a.rs && {commit}")), [left]);
    // What was taken out again was not given.
    let out = ["git add -A", "git reset -q", "git checkout mise.toml", "git add src/a.rs"];
    assert_eq!(open(&out.map(|line| shell(line, "")), commit), [left]);
    // What was changed again after it was given is not in it.
    let again = [shell("git add src", ""), edit("src/b.rs", "y", "z")];
    assert_eq!(open(&again, commit), [left]);
    for given in [
        "git add src",
        "git add -A",
        "git add src/a.rs src/b.rs",
        "git add src/a.rs && git add ../tool/src/b.rs",
        "git add $(git diff --name-only)",
        "git ls-files -m | xargs git add",
        "git -C /home/ada/tool add src/a.rs",
        "git add /home/ada/tool/src",
        "true",
    ] {
        assert_eq!(open(&[shell(given, "")], commit), [""; 0], "{given}");
    }
    for commit in ["git commit -am 'Read amounts'", "git commit -m 'Read amounts' src/b.rs"] {
        assert_eq!(open(&[shell("git add src/a.rs", "")], commit), [""; 0], "{commit}");
    }
    // A listing knows better: what it does not name is not kept, or committed.
    let given = shell("git add src/a.rs", "");
    let listed = |rows: &str| {
        let listed = shell("git status --short", rows);
        open_by(
            &pack(&[steps(std::slice::from_ref(&given), commit), vec![listed]].concat()),
            "uncommitted",
        )
    };
    assert_eq!(listed(" M src/b.rs"), [left]);
    assert_eq!(listed("?? notes.md"), [""; 0]);
}

#[test]
fn what_may_have_been_taken_back_is_not_left_out_of_a_commit() {
    let first = [edit("src/a.rs", "let a = 1;", "let a = 2;"), edit("src/b.rs", "x", "y")];
    let commit = || shell("git add src/a.rs && git commit -m 'Read amounts'", COMMITTED);
    let open = |before: &[Value], after: &[Value]| {
        let steps = [&first[..], before, &[commit()], after, &[json!("It is done.")]].concat();
        open_by(&pack(&steps), "uncommitted")
    };
    let left = "commit: 1 file edited and not known to be in 1a2b3c4 \"Read amounts\": src/b.rs";
    for line in [
        "git checkout -q src/b.rs",
        "git checkout .",
        "git restore --source HEAD src/b.rs",
        "git stash -q; git stash drop -q",
        "git diff --name-only | xargs git checkout --",
        "cp /tmp/b.orig src/b.rs",
        "sed -i 's/y/x/' src/b.rs",
        "rm src/b.*",
        "mv src lib",
    ] {
        let done = shell(line, "");
        assert_eq!(open(std::slice::from_ref(&done), &[]), [""; 0], "before: {line}");
        assert!(!open(&[], &[done]).concat().contains("not known"), "after: {line}");
    }
    // What git showed as changed nothing had taken back before.
    let shown = shell("git status --short", " M src/a.rs\n M src/b.rs");
    assert_eq!(open(&[shell("mv \"$f\" lib", ""), shown.clone()], &[]), [left]);
    assert_eq!(open(&[shown, shell("mv \"$f\" lib", "")], &[]), [""; 0]);
    // A folder that is listed may hold it no more.
    let folder = shell("git status --short", "?? src/");
    assert_eq!(open(&[shell("mv src/b.rs /tmp", ""), folder.clone()], &[]), [""; 0]);
    assert_eq!(open(&[shell("mv \"$f\" lib", ""), folder], &[]), [left]);
    let copied = shell("cp src/a.rs src/b.rs /tmp/backup/", "");
    assert_eq!(open(&[copied], &[]), [left]);
    let synced = shell("rsync -a /tmp/orig/ src/ --exclude target", "");
    assert_eq!(open(&[synced], &[]), [""; 0]);
    let both = shell("git status --short; git checkout src/b.rs", " M src/a.rs\n M src/b.rs");
    assert_eq!(open(&[both], &[]), [""; 0]);
    let temporary = "W=/tmp/a/wf; rm -rf $W; cp -r src $W; T=$(mktemp -d); mv $W \"$T\"";
    assert_eq!(open(&[shell(temporary, "")], &[]), [left]);
    let back = edit("src/b.rs", "y", "x");
    assert_eq!(open(std::slice::from_ref(&back), &[]), [""; 0]);
    assert!(!open(&[], &[back]).contains(&left.to_owned()));
    let made = json!({"name": "Write", "input": {"file_path": "scratch.rs", "content": "fn main() {}\n"}, "output": "File created successfully at: scratch.rs"});
    assert_eq!(open(std::slice::from_ref(&made), &[]).len(), 1);
    for line in ["unlink scratch.rs", "rm -f {a,scratch}.rs", "rm \"$(pwd)/scratch.rs\""] {
        let told = open(&[made.clone(), shell(line, "")], &[]).concat();
        assert!(!told.contains("scratch"), "{line}: {told}");
    }
    for line in ["git checkout -b cart", "git stash list", "cargo test", "rm -rf target/*"] {
        assert_eq!(open(&[shell(line, "")], &[]), [left], "{line}");
    }
    assert_eq!(open(&[], &[shell("git status --short | head -20", "?? notes.md")]), [""; 0]);
}

#[test]
fn what_the_user_may_have_committed_is_not_left_out_of_a_commit() {
    let first = [edit("src/a.rs", "let a = 1;", "let a = 2;"), edit("src/b.rs", "x", "y")];
    let open = |since: &[Value]| {
        let steps =
            [&first[..], &[json!("It is done."), said("I committed that; now the sum")], since];
        open_by(&pack(&[&steps.concat()[..], &[json!("It is done.")]].concat()), "uncommitted")
    };
    let sum = edit("src/sum.rs", "x", "y");
    let commit =
        |path: &str| shell(&format!("git add {path} && git commit -m 'Read amounts'"), COMMITTED);
    assert_eq!(open(&[sum.clone(), commit("src/sum.rs")]), [""; 0]);
    assert_eq!(open(&[edit("src/a.rs", "x", "y"), commit("src/a.rs")]), [""; 0]);
    // A listing shows that nobody did, and so does a commit of what was changed with it.
    let listed = shell("git status --short", " M src/a.rs\n M src/b.rs\n M src/sum.rs");
    let left = open(&[sum, listed, commit("src/sum.rs")]);
    assert!(left[0].ends_with("src/a.rs, src/b.rs"), "{left:?}");
    let left = open(&[commit("src/a.rs")]);
    assert!(left[0].ends_with("src/b.rs"), "{left:?}");
}

#[test]
fn where_git_was_given_what_is_not_there_it_was_given_nothing() {
    let line = "git add src/a.rs src/gone.rs\ngit commit -m 'Read amounts'";
    let output = format!("fatal: pathspec 'src/gone.rs' did not match any files\n{COMMITTED}");
    let steps = [
        shell("git rm -q src/old.rs", ""),
        edit("src/a.rs", "let a = 1;", "let a = 2;"),
        shell(line, &output),
        json!("Next comes the index."),
    ];
    let open = open_by(&pack(&steps), "uncommitted");
    assert!(open[0].ends_with("not known to be in 1a2b3c4 \"Read amounts\": src/a.rs"), "{open:?}");
    // What another command of the line was given and is not there takes nothing from it.
    let line = "git rm -q src/gone.rs; git add src/a.rs; git commit -m 'Read amounts'";
    let steps = [steps[1].clone(), shell(line, &output), steps[3].clone()];
    assert_eq!(open_by(&pack(&steps), "uncommitted"), [""; 0]);
    // Nor does that a mark in a name is written with another one before it.
    let page = edit("app/(shop)/page.tsx", "x", "y");
    let given = shell(r"git add src/a.rs app/\(shop\)/page.tsx && git commit -m x", COMMITTED);
    assert_eq!(open_by(&pack(&[steps[0].clone(), page, given]), "uncommitted"), [""; 0]);
    // What a listing after the commit names and the session changed was told before, too.
    let dirty = shell("git status --short", " M src/a.rs");
    let steps = [
        edit("src/a.rs", "let a = 1;", "let a = 2;"),
        dirty.clone(),
        shell("git add -A && git commit -m 'Read amounts'", COMMITTED),
        dirty,
        json!("Next comes the index."),
    ];
    let open = open_by(&pack(&steps), "uncommitted");
    assert_eq!(open, ["commit: what was changed since 1a2b3c4 \"Read amounts\": src/a.rs"]);
}
