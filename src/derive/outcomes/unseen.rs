//! Commands that failed by what they print, where their exit code is not seen: behind a pipe, or before another
//! command.

use std::cell::LazyCell;
use std::sync::LazyLock;

use super::codes::exit;
use super::echoed;
use super::recognise::{self, Ended};
use crate::derive::pattern::Pattern;
use crate::derive::shell;
use crate::derive::timeline::Done;

/// How programs say that what they were to do is not done.
struct Row {
    programs: &'static [&'static str],
    /// Words of which one says that they do something; any, where there are none.
    verbs: &'static [&'static str],
    fatal: Pattern,
}

const fn row(
    programs: &'static [&'static str],
    verbs: &'static [&'static str],
    fatal: &'static str,
) -> Row {
    Row { programs, verbs, fatal: Pattern::new(fatal) }
}

/// How programs say that what they were to do is done after all, whatever they said before.
static DONE: Pattern = Pattern::new(concat!(
    r"^\[\S+(?: \(root-commit\))? [0-9a-f]{7,}\] |^[ +*]{0,3}[0-9a-f]{7,}\.\.\.?[0-9a-f]{7,} ",
    r"|\[new (?:branch|tag)\]|cleanly\.$|^Successfully |^Fast-forward|^✓ |^ *✅",
    r"|^(?:added|changed|removed) \d+ packages?|^up to date|^Apply complete!|successfully initialized",
    r"| has been (?:upgraded|installed)|^STATUS: deployed|digest: sha256:",
));

/// The last line of a trace.
const TRACE: &str = r"^(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?:: [^\n]*)?\s*\z|^Error: P\d+";

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    vec![
        row(
            &["git"],
            &["commit"],
            r"^- exit code: [1-9]|^husky - \S+ (?:script failed|hook exited)|^(?:fatal|error): ",
        ),
        row(
            &["git"],
            &["am", "apply", "cherry-pick", "clone", "merge", "pull", "push", "rebase", "revert"],
            r"^(?:fatal|error): ",
        ),
        row(&["git"], &["stash"], r"^CONFLICT |^(?:fatal|error): "),
        row(
            &["gh", "glab"],
            &["close", "comment", "create", "edit", "merge", "ready", "review", "upload"],
            r"^X |^pull request (?:create|update) failed: |^GraphQL: |^HTTP [45]\d\d|^failed to ",
        ),
        row(
            &["bun", "npm", "pnpm", "yarn"],
            &["add", "ci", "i", "install", "publish", "remove", "uninstall", "update", "upgrade"],
            r"^npm (?:error|ERR!) code |\bERR_PNPM_[A-Z]|^error (?:An unexpected error|Couldn't)",
        ),
        row(
            &["pip", "pip3"],
            &["install"],
            r"^ERROR: (?:Cannot|Could not|Failed|Invalid|No matching|[A-Z]\w+Error)\b",
        ),
        row(&["poetry", "uv"], &["add", "lock", "publish", "sync"], r"^error: |^ {2}× "),
        row(&["apt", "apt-get"], &["install", "update", "upgrade"], r"^E: "),
        row(
            &["docker", "podman"],
            &["pull", "push", "up"],
            r"^(?:denied|unauthorized|error|Error): |^Error response from daemon",
        ),
        row(&["terraform", "tofu"], &["apply", "destroy", "import", "init"], r"^(?:│ )?Error: "),
        row(&["cdk"], &["deploy", "destroy"], r"^\s*❌"),
        row(&["helm"], &["install", "rollback", "uninstall", "upgrade"], r"^Error: "),
        row(
            &["kubectl"],
            &["apply", "create", "delete", "patch", "scale", "wait"],
            r"^error: |^Error from server",
        ),
        row(&["fly", "flyctl", "netlify", "vercel"], &["deploy"], r"^(?:✖ )?Error(?::| )"),
        row(&["vercel"], &["--prod"], r"^Error: "),
        row(&["cargo"], &["add", "install", "publish"], r"^error: "),
        row(&["psql"], &["-c", "-f"], r"^psql:[^\n]*: ERROR: |^ERROR:  "),
        row(&["alembic"], &["downgrade", "upgrade"], TRACE),
        row(&["manage.py"], &["migrate"], TRACE),
        row(&["knex", "prisma", "sequelize"], &[], TRACE),
    ]
});

/// What the last lines of a script are that was ended by an error.
static THROWN: Pattern = Pattern::new(
    r#"^(?:    raise |  File "|Traceback )[^\n]*\n(?:[^\n]*\n)*?(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?:: [^\n]*)?\s*\z|^Node\.js v\d+\.[\d.]+\s*\z"#,
);

/// Whether a command of a call failed by what it printed, while nobody saw its exit code.
pub(in crate::derive) fn failed_unseen(done: &Done<'_>) -> bool {
    has_failed(done, |_| true)
}

/// Whether one of the commands of a call that are meant did so.
pub(super) fn has_failed(done: &Done<'_>, is_meant: impl Fn(&str) -> bool) -> bool {
    // Nothing else hides the exit code of one command of several.
    let hides = |line: &&str| line.contains(['|', ';', '\n', '&']);
    let Some(line) = done.command().filter(hides).filter(|_| done.worked()) else { return false };
    let output = LazyCell::new(|| done.output());
    let (joined, all) = (shell::joined(line), shell::raw(line));
    let is_hidden = |at: usize| exit(&joined, at, Some(0), line) == Ended::Unknown;
    let fails = |(at, (part, _)): (usize, &(String, String))| {
        // The line may print the code that it hides.
        let is_well = || echoed::ended(&joined, at, line, &output) == Ended::Passed;
        is_meant(part)
            && is_hidden(at)
            && prints_alone(&all, at)
            && says_fatal(part, &output)
            && !is_well()
    };
    joined.iter().enumerate().any(fails)
}

/// Whether all that is printed is of the command at `at` and what it is piped through, and no other was to run
/// where it failed. Those of its own program before it ended well, or it had not begun.
pub(super) fn prints_alone(all: &[(String, String)], at: usize) -> bool {
    let is_quiet = |part: &str| {
        let program = shell::program(part);
        program.is_empty() || shell::QUIET.contains(&program) || part.trim().starts_with("git add")
    };
    let piped = all.iter().skip(at).take_while(|(_, joint)| joint == "|").count();
    let own = shell::program(&all[at].0);
    let is_before = |(part, joint): &(String, String)| {
        is_quiet(part) || joint == "&&" && shell::program(part) == own
    };
    all[..at].iter().all(is_before)
        && all.iter().skip(at + piped + 1).all(|(part, _)| is_quiet(part))
        && !all.iter().skip(at).any(|(_, joint)| joint == "||")
        && !all.iter().skip(at).any(|(part, _)| shell::program(part) == "sort")
}

/// Whether an output says that the command which printed it did not do what it was to.
fn says_fatal(part: &str, output: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    let is_runner =
        |word: &&&str| word.starts_with('-') || recognise::RUNNING.contains(&recognise::name(word));
    let ran = words.iter().take_while(is_runner).count();
    let is_it = |row: &&Row| {
        let at = [0, ran].into_iter().find(|at| {
            words.get(*at).is_some_and(|word| row.programs.contains(&recognise::name(word)))
        });
        let behind = at.map_or(&[][..], |at| &words[at + 1..]);
        let has_verb = || row.verbs.is_empty() || behind.iter().any(|it| row.verbs.contains(it));
        at.is_some() && has_verb()
    };
    let runs_script = || {
        let first = words.first().copied().map(recognise::name).unwrap_or_default();
        shell::interprets(first) || matches!(first, "tsx" | "ts-node" | "uv" | "poetry" | "bundle")
    };
    let is_fatal = ROWS.iter().filter(is_it).any(|row| row.fatal.is_match(output));
    is_fatal && !DONE.is_match(output) || runs_script() && THROWN.is_match(output.trim_end())
}

#[cfg(test)]
mod tests {
    use super::{DONE, ROWS, THROWN, says_fatal};

    #[test]
    fn the_patterns_can_be_made() {
        assert!(
            ROWS.iter().all(|row| row.fatal.is_sound()) && THROWN.is_sound() && DONE.is_sound()
        );
    }

    #[test]
    fn what_says_that_it_is_not_done_is_told_from_what_only_warns() {
        for (part, output) in [
            ("git commit -m x", "ruff....Failed\n- hook id: ruff\n- exit code: 1"),
            ("git commit -am x", "✖ 1 problem\n\nhusky - pre-commit script failed (code 1)"),
            ("git push", "remote: no\nfatal: unable to access 'https://example.com/'"),
            ("git stash pop", "CONFLICT (content): Merge conflict in a.rs"),
            ("gh pr create --fill", "pull request create failed: GraphQL: No commits"),
            ("gh pr merge 4 --squash", "X Pull request #4 is not mergeable: it is blocked."),
            ("npm install left-pad", "npm error code ERESOLVE\nnpm error ERESOLVE no"),
            ("pip install x", "ERROR: No matching distribution found for x"),
            ("docker push a/b", "denied: requested access to the resource is denied"),
            ("alembic upgrade head", "sqlalchemy.exc.OperationalError: no such table: x"),
            ("python manage.py migrate", "django.db.utils.ProgrammingError: it is there"),
            ("npx prisma migrate deploy", "Error: P3009\n\nfailed migrations"),
            ("terraform apply", "Error: creating a bucket\n\n  with x"),
            ("npx cdk deploy", "❌  the stack failed\nROLLBACK_COMPLETE"),
            ("python3 scripts/fill.py", "    raise KeyError(k)\nKeyError: 'a'"),
            ("python3 manage.py migrate", "  File \"x\"\n    y()\ndjango.db.DataError: no"),
            ("node scripts/fill.js", "TypeError: no\n    at main (a.js:3:1)\n\nNode.js v20.1.0"),
            ("psql -f a.sql", "psql:a.sql:3: ERROR:  column \"x\" does not exist"),
            ("cargo publish", "error: failed to publish"),
        ] {
            assert!(says_fatal(part, output), "{part}: {output}");
        }
        for (part, output) in [
            ("git log", "error: this is a subject"),
            ("git commit -m x", "[main 1234567] error: is told\n 1 file changed"),
            ("git push", "remote: warning: slow\nTo x\n   1..2  main -> main"),
            ("gh pr view 4", "X is told here"),
            ("npm install", "npm warn deprecated a@1: Error: no\n\nadded 3 packages"),
            (
                "pip install x",
                "ERROR: pip's dependency resolver does not look at all\nSuccessfully",
            ),
            ("python3 scripts/fill.py", "KeyError: 3 rows were skipped"),
            ("python3 scripts/fill.py", "  File \"x\"\nKeyError: caught\nWrote 3 rows"),
            ("git commit -m x", "error: a hook\n[main 1234567] x\n 1 file changed"),
            ("git apply --3way a", "error: patch failed\nApplied patch to 'a' cleanly."),
            ("npm ci", "npm error code EUSAGE\nadded 3 packages in 2s"),
            (
                "python3 scripts/doc.py",
                "Raises:\n    when it is empty\nValueError: where it is no number",
            ),
            ("cat notes.txt", "fatal: it is a word\nError: so is this"),
            ("grep -rn Error: src", "Error: P1"),
        ] {
            assert!(!says_fatal(part, output), "{part}: {output}");
        }
    }
}
