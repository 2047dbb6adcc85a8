//! What can be seen of an output, and what its silence tells.

use crate::derive::shell;

/// Whether a command of `named` programs, behind which `joint` stands, that printed nothing said by that that
/// all is well: also where a pipe hides its exit code.
pub(super) fn says_nothing(named: &[&str], joint: &str, line: &str) -> bool {
    let Some(name) = named.first().filter(|name| SILENT.contains(name)) else { return false };
    // What is built is written, what is found is printed.
    let writes = |word: &str| WRITING.contains(&word.split('=').next().unwrap_or_default());
    let is_printed = *name == "go build" || !line.split_whitespace().any(writes);
    joint == "|" && is_printed && shows_all(line)
}

/// Whether nothing before the command at `at`, behind which stands a pipe, kept it from running, and the line
/// did not fail.
pub(super) fn was_reached(joined: &[(String, String)], at: usize, code: Option<i64>) -> bool {
    let before = joined[..at].iter().rev().map(|(_, joint)| joint.as_str());
    let before: Vec<&str> = before.take_while(|joint| *joint != ";").collect();
    let tells = |joint: &str| ["", "|", "&&"].contains(&joint);
    let is_told = code == Some(0) && joined[at..].iter().all(|(_, joint)| tells(joint));
    match before[..] {
        [] => code.is_none_or(|code| code == 0),
        _ => is_told && before.iter().all(|joint| tells(joint)),
    }
}

/// Programs that say nothing where they find nothing, and name all that they find.
const SILENT: &[&str] = &[
    "actionlint",
    "eslint",
    "flake8",
    "go build",
    "hadolint",
    "markdownlint",
    "shellcheck",
    "tsc",
    "yamllint",
];
/// Programs behind a pipe that show something wherever something comes in.
const SHOWING: &[&str] = &["cat", "head", "tail", "tee"];

/// Options by which a program writes what it finds into a file.
const WRITING: &[&str] = &["-o", "--output-file"];

/// Whether a line shows at least something of all that its commands print.
fn shows_all(line: &str) -> bool {
    let is_shown = |part: &str| {
        let part = ["-n ", "-c ", "--lines ", "--bytes "]
            .iter()
            .fold(part.to_owned(), |part, option| part.replace(option, option.trim_end()));
        let mut words = part.split_whitespace();
        // `tail -n +2` and `head -n -1` leave out a line even where there is no other.
        let leaves_out = |word: &str| {
            let starts = ["--lines", "--bytes", "-n", "-c"];
            let given = starts.iter().find_map(|start| word.strip_prefix(start));
            let count = given.map(|count| count.trim_start_matches('='));
            let number = count.unwrap_or(word).trim_start_matches(['-', '+']);
            let is_none = number.parse() == Ok(0_u64);
            word.starts_with('+') || count.is_some_and(|it| it.starts_with(['+', '-'])) || is_none
        };
        let program = words.next().unwrap_or_default();
        SHOWING.contains(&program) && !words.any(leaves_out)
    };
    !line.replace("2>&1", "").contains('>') && line.split('|').skip(1).all(is_shown)
}

/// Commands that build a program and run it: how that ended says nothing of the code.
const RUNNING: &[&str] = &["cargo run", "dotnet run", "go run"];

/// Whether a command builds a program and runs it.
pub(super) fn runs_program(part: &str) -> bool {
    RUNNING.iter().any(|run| part.starts_with(run))
}

/// Programs behind a pipe that show a part only, and those that leave out the end.
const CUTTING: &[&str] = &["head", "tail", "grep", "rg", "sed"];
const NOT_END: &[&str] = &["head", "grep", "rg", "sed", "awk", "wc"];

/// Whether only a part of the output can be seen, so that sums of it are too small.
pub(super) fn is_cut(line: &str) -> bool {
    is_cut_by(line, CUTTING)
}

/// How a row says of itself that others were left out, as harnesses write it.
const LEFT_OUT: &[&str] = &["truncated", "omitted", "more lines", "… +"];
/// How many characters such a row has at most.
const MOST_CHARS: usize = 80;

/// Whether an output says that a part of it was left out.
pub(super) fn says_cut(output: &str) -> bool {
    let says = |row: &str| {
        let has_mark = || LEFT_OUT.iter().any(|mark| row.contains(mark));
        let begins = row.starts_with(['.', '…', '[', '<', '(']);
        begins
            && row.len() <= MOST_CHARS
            && row.contains(|c: char| c.is_ascii_digit())
            && has_mark()
    };
    output.lines().any(|row| says(row.trim()))
}

/// Whether the end of the output may not be seen.
pub(super) fn hides_end(line: &str) -> bool {
    is_cut_by(line, NOT_END)
}

fn is_cut_by(line: &str, programs: &[&str]) -> bool {
    line.split('|').skip(1).any(|part| programs.contains(&shell::program(part)))
}

#[cfg(test)]
mod tests {
    use super::{runs_program, says_cut, says_nothing};

    #[test]
    fn silence_says_that_all_is_well() {
        let told = |line: &str| says_nothing(&["tsc"], "|", line);
        assert!(told("npx tsc --noEmit 2>&1 | tail -5") && told("tsc | tee"));
        assert!(told("tsc | head -n 10") && told("tsc | tail -c 100") && told("tsc | cat -n"));
        for line in [
            "tsc | grep error",
            "tsc > a.log | tail",
            "tsc 2>/dev/null | head -3",
            "tsc | tail -n +2",
            "tsc | head -n -1",
            "tsc | tail -n 0",
            "tsc | head -0",
            "tsc | head -n0",
            "tsc | head --lines=00",
            "tsc | tail -c 0",
            "tsc | tail +2",
            "eslint . -o a.txt | cat",
        ] {
            assert!(!told(line), "{line}");
        }
        assert!(!says_nothing(&["cargo test"], "|", "cargo test 2>&1 | tail -5"));
        assert!(says_nothing(&["go build"], "|", "go build -o bin/a ./... | tail -5"));
    }

    #[test]
    fn an_output_of_which_rows_were_left_out_says_so() {
        for row in ["... [150 lines truncated] ...", "[... omitted 12 of 40 lines ...]"] {
            assert!(says_cut(&format!("a\n{row}\nb")), "{row}");
        }
        assert!(!says_cut("test truncated_rows_2 ... ok\n3 rows were truncated"));
    }

    #[test]
    fn a_program_that_is_built_and_run_is_no_check() {
        assert!(runs_program("cargo run -q -- list") && runs_program("go run ./cmd"));
        assert!(!runs_program("cargo build") && !runs_program("npm run test"));
    }
}
