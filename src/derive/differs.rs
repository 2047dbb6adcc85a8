//! What an output shows of changes between two texts: lines of a file, which tell of no failure, unless the change
//! is what was found.

use std::borrow::Cow;

/// How rows begin that say of which file the changes below them are.
const HEADS: &[&str] = &[
    "diff --git ",
    "--- a/",
    "--- /dev/null",
    "+++ b/",
    "+++ /dev/null",
    "index ",
    "new file mode ",
    "deleted file mode ",
    "similarity index ",
    "rename from ",
    "rename to ",
];
/// How one begins that says where in a file they lie.
const HUNK: &str = "@@ -";
/// How one begins, and ends, that says so of what stands out of form.
const OF_FORM: (&str, &str) = ("Diff in ", ":");

/// Returns an output without the lines of changes that it shows: what stands in a file tells of no failure.
pub(super) fn without_changes(output: &str) -> Cow<'_, str> {
    if !shows_some(output) {
        return Cow::Borrowed(output);
    }
    let mut lines = Lines::default();
    let stays = |row: &&str| lines.take(row) == Row::Other;
    let rest = output.lines().filter(stays).collect::<Vec<_>>().join("\n");
    // Where it shows nothing else, the change is what was found.
    let is_nothing = rest.lines().all(|row| row.trim().is_empty() || is_file(row));
    if is_nothing { Cow::Borrowed(output) } else { Cow::Owned(rest) }
}

/// Returns what tells most of the changes with which an output ends, but for rows by which a runner says that its
/// task failed: for each file the row that names it and the first lines that went and came.
pub(super) fn changes(output: &str) -> Vec<&str> {
    if !shows_some(output) {
        return Vec::new();
    }
    let (mut lines, mut is_last) = (Lines::default(), false);
    let (mut told, mut head, mut sides): (Vec<&str>, _, [bool; 2]) = (Vec::new(), None, [true; 2]);
    for row in output.lines() {
        let kind = lines.take(row);
        if !row.trim().is_empty() && !says_a_task_failed(row) {
            is_last = kind == Row::Line;
        }
        match kind {
            Row::Other if is_file(row) => head = Some(named(row)),
            Row::Head if !row.starts_with("index ") => {
                // The last of them names the file as it is now, unless that is gone.
                head = head.filter(|_| row.ends_with("/dev/null")).or(Some(named(row)));
            }
            Row::Line => {
                if let Some(head) = head.take() {
                    told.push(head);
                    sides = [false; 2];
                }
                for (side, mark) in sides.iter_mut().zip(['-', '+']) {
                    if row.starts_with(mark) && !*side && row.len() > 1 {
                        *side = true;
                        told.push(row);
                    }
                }
            }
            _ => {}
        }
    }
    if is_last { told } else { Vec::new() }
}

/// Returns a row that names a file without when that was written.
fn named(row: &str) -> &str {
    row.split('\t').next().unwrap_or(row).trim_end()
}

/// Whether an output may show changes.
fn shows_some(output: &str) -> bool {
    [HUNK, OF_FORM.0].iter().any(|mark| {
        output.starts_with(mark)
            || output.match_indices(mark).any(|(at, _)| output[..at].ends_with('\n'))
    })
}

/// Whether a row names a file of which changes follow.
fn is_file(row: &str) -> bool {
    let names = row.starts_with("+++ ") || row.starts_with("--- ");
    names && !row.starts_with("--- FAIL") || is_of_form(row)
}

fn is_of_form(row: &str) -> bool {
    let behind =
        row.strip_prefix(OF_FORM.0).and_then(|rest| rest.trim_end().strip_suffix(OF_FORM.1));
    let line = behind.and_then(|rest| rest.rsplit([':', ' ']).next());
    line.is_some_and(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What a row is of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    /// It names the file.
    Head,
    /// It says where in the file.
    Hunk,
    /// A line of the file.
    Line,
    Other,
}

/// Goes through the rows of an output.
#[derive(Default)]
struct Lines {
    /// How many rows of the old and of the new text are still to come.
    left: [usize; 2],
    /// Whether rows follow of which nobody knows how many.
    is_open: bool,
}

impl Lines {
    fn take(&mut self, row: &str) -> Row {
        if let Some(counts) = hunk(row) {
            (self.left, self.is_open) = (counts, false);
            return Row::Hunk;
        }
        if is_of_form(row) {
            self.is_open = true;
            self.left = [0; 2];
            return Row::Other;
        }
        // Between lines of a file one may be blank.
        let is_blank = row.is_empty() && (self.is_open || !self.left.contains(&0));
        let is_change = self.left != [0; 2] || self.is_open;
        let is_line =
            is_blank || is_change && row.starts_with(['+', '-', ' ']) || row.starts_with('\\');
        if !is_line {
            self.left = [0; 2];
            self.is_open = false;
            return if HEADS.iter().any(|head| row.starts_with(head)) {
                Row::Head
            } else {
                Row::Other
            };
        }
        for (side, marks) in self.left.iter_mut().zip([['-', ' '], ['+', ' ']]) {
            *side -= usize::from(is_blank || row.starts_with(marks)).min(*side);
        }
        Row::Line
    }
}

/// Returns how many rows of the old and of the new text stand below the head of a change, as in `@@ -1,2 +1,2 @@`.
fn hunk(row: &str) -> Option<[usize; 2]> {
    let (old, rest) = row.strip_prefix(HUNK)?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count =
        |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    Some([count(old)?, count(new)?])
}

/// How rows begin, and what stands in them, by which a program that runs tasks says that one failed, and by which
/// code, and not why.
const TASKS: &[(&str, &str)] = &[
    ("ELIFECYCLE", "Command failed"),
    ("ERROR task failed", ""),
    ("error Command failed with exit code ", ""),
    ("error: Recipe `", "failed"),
    ("error: recipe `", "failed"),
    ("npm ERR! Lifecycle script `", "failed"),
    ("npm ERR! code ELIFECYCLE", ""),
    ("npm ERR! command ", ""),
    ("npm ERR! errno ", ""),
    ("npm ERR! path ", ""),
    ("npm error Lifecycle script `", "failed"),
    ("npm error code ELIFECYCLE", ""),
    ("npm error command ", ""),
    ("npm error path ", ""),
    ("task: Failed to run task ", "exit status "),
];

/// Whether a row says only that a task failed, as `make: *** [Makefile:3: check] Error 1` does.
pub(super) fn says_a_task_failed(row: &str) -> bool {
    let row = row.trim();
    let row = row.strip_prefix('\u{2009}').unwrap_or(row);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let made = || {
        let rest = row.strip_prefix('g').unwrap_or(row).strip_prefix("make")?;
        let (level, rest) = rest.split_once(": *** [")?;
        let (_, code) = rest.rsplit_once("] Error ")?;
        let depth = level.strip_prefix('[').and_then(|level| level.strip_suffix(']'));
        Some((level.is_empty() || depth.is_some_and(is_number)) && is_number(code))
    };
    // Of one that a program gave, not of an error of its own such as `ENOTFOUND`.
    let of_npm = || {
        let code = ["npm ERR! code ", "npm error code "].iter().find_map(|it| row.strip_prefix(it));
        code.is_some_and(is_number)
    };
    made() == Some(true)
        || of_npm()
        || TASKS
            .iter()
            .any(|(start, holds)| row.strip_prefix(start).is_some_and(|rest| rest.contains(holds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_by_their_files_and_first_lines() {
        let form = "Diff in /p/src/a.rs:12:\n fn a() {\n-    let x=1;\n+    let x = 1;\n }\n\nDiff in /p/src/b.rs:3:\n-x\n+y\n+z\nmake: *** [Makefile:3: fmt] Error 1\n";
        assert_eq!(
            changes(form),
            [
                "Diff in /p/src/a.rs:12:",
                "-    let x=1;",
                "+    let x = 1;",
                "Diff in /p/src/b.rs:3:",
                "-x",
                "+y"
            ]
        );
        assert_eq!(
            without_changes(form),
            "Diff in /p/src/a.rs:12:\nDiff in /p/src/b.rs:3:\nmake: *** [Makefile:3: fmt] Error 1"
        );
        let git = "go generate\ndiff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@ package x\n-const A = 1\n+const A = 2\n x\nmake: *** [check] Error 1\n";
        assert_eq!(changes(git), ["+++ b/x.go", "-const A = 1", "+const A = 2"]);
        let blank =
            "--- a.py\t2026-01-02\n+++ a.py\t2026-01-03\n@@ -1,3 +1,3 @@\n\n \n-x=1\n+x = 1\n";
        assert_eq!(changes(blank), ["+++ a.py", "-x=1", "+x = 1"]);
        let gone = "--- a/x.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        assert_eq!(changes(gone), ["--- a/x.go", "-x"]);
        let more = format!("{gone}1 file would change\n");
        assert_eq!(changes(&more), Vec::<&str>::new());
        for other in ["Diff in form:\n- a\n", "a\n- b\n+ c\n", "--- FAIL: TestX\n", ""] {
            assert_eq!(changes(other), Vec::<&str>::new(), "{other}");
        }
    }

    #[test]
    fn a_change_that_is_all_there_is_stays() {
        let found = "--- want.txt\n+++ got.txt\n@@ -1 +1 @@\n-an error\n+two\n";
        assert_eq!(without_changes(found), found);
    }

    #[test]
    fn a_row_of_a_runner_says_only_that_a_task_failed() {
        for row in [
            "make: *** [Makefile:3: fmt] Error 1",
            "make[2]: *** [check] Error 101",
            "gmake: *** [x.mk:1: a] Error 2",
            "error: Recipe `lint` failed on line 3 with exit code 1",
            "\u{2009}ELIFECYCLE\u{2009} Command failed with exit code 1.",
            "task: Failed to run task \"lint\": exit status 1",
            "npm ERR! code 2",
            "npm error code 1",
            "npm ERR! command sh -c tsc -p .",
        ] {
            assert!(says_a_task_failed(row), "{row}");
        }
        for row in [
            "make: *** No rule to make target 'x'.  Stop.",
            "make: *** [Makefile:3: t] Segmentation fault",
            "makeshift: *** [x] Error 1",
            "npm error Missing script: \"x\"",
            "npm ERR! code ENOTFOUND",
            "error: no such table",
            "task: Failed to run task \"lint\": no such file",
        ] {
            assert!(!says_a_task_failed(row), "{row}");
        }
    }
}
