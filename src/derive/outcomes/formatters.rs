//! Programs that set text in order, and those that are only told to look whether it is.

use super::asked::options::IN_FRONT;
use super::recognise::{self, Ended};
use super::run::Run;

/// A program that sets text in order.
struct Formatter {
    /// Its name, and the word that tells it to.
    words: &'static [&'static str],
    /// The options by one of which it writes; without any it does so by itself.
    writing: &'static [&'static str],
    /// Its own options by which it only looks.
    looking: &'static [&'static str],
    /// Whether it finds fault with more than the form where it does not write.
    finds_more: bool,
}

const fn row(
    words: &'static [&'static str],
    writing: &'static [&'static str],
    looking: &'static [&'static str],
) -> Formatter {
    Formatter { words, writing, looking, finds_more: false }
}

const FORMATTERS: &[Formatter] = &[
    row(&["autopep8"], &["--in-place", "-i"], &[]),
    row(&["biome", "format"], &["--fix", "--write"], &[]),
    Formatter { finds_more: true, ..row(&["biome"], &["--apply", "--fix", "--write"], &[]) },
    row(&["black"], &[], &[]),
    row(&["buf", "format"], &["--write", "-w"], &["--exit-code"]),
    row(&["cargo", "fmt"], &[], &[]),
    row(&["clang-format"], &["-i"], &["--dry-run", "-n"]),
    row(&["dart", "format"], &[], &["--set-exit-if-changed"]),
    row(&["deno", "fmt"], &[], &[]),
    row(&["dotnet", "format"], &[], &[]),
    row(&["gofmt"], &["-w"], &["-d"]),
    row(&["gofumpt"], &["-w"], &["-d"]),
    row(&["isort"], &[], &["--check-only", "-c"]),
    row(&["mix", "format"], &[], &["--check-formatted"]),
    row(&["nixfmt"], &[], &["-c"]),
    row(&["oxfmt"], &[], &[]),
    row(&["prettier"], &["--write", "-w"], &["-c"]),
    row(&["ruff", "format"], &[], &[]),
    row(&["rustfmt"], &[], &[]),
    row(&["shfmt"], &["--write", "-w"], &["-d"]),
    row(&["taplo"], &[], &[]),
    row(&["terraform", "fmt"], &[], &["-write=false"]),
    row(&["tofu", "fmt"], &[], &["-write=false"]),
    row(&["yapf"], &["--in-place", "-i"], &["-d"]),
    row(&["zig", "fmt"], &[], &[]),
];
/// Options with which any of them only looks.
const LOOKING: &[&str] =
    &["--check", "--diff", "--list-different", "--verify-no-changes", "-check", "-l"];
/// Options with which it writes no file: it tells something of itself, or is given a text and shows what it makes
/// of that.
const TELLING: &[&str] = &["--code", "--help", "--stdout", "--version", "-", "-V", "-c", "-h"];
/// How others of that kind begin.
const TELLING_STARTS: &[&str] = &["--emit", "--show-", "--stdin"];
/// Words in the names of programs and tasks that set text in order or look whether it is.
const FORMING: &[&str] = &["black", "fmt", "format", "gofmt", "prettier", "rustfmt"];

/// What a command does to the form of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// The place of its program in the table.
    program: Option<usize>,
    /// Whether it sets text in order.
    writes: bool,
    /// Whether it only looks whether that is so.
    pub(super) looks: bool,
}

impl Form {
    /// Reads it from a command.
    pub(super) fn of(command: &str) -> Self {
        let program = place(command);
        let has = |options: &[&str]| command.split_whitespace().any(|it| options.contains(&it));
        let Some(row) = program.map(|at| &FORMATTERS[at]) else {
            return Self { program, writes: false, looks: has(LOOKING) };
        };
        let is_told = has(row.writing);
        // What is found may be listed while it is written.
        let looks = !is_told && (has(LOOKING) || has(row.looking));
        let tells = |word: &str| {
            TELLING.contains(&word) || TELLING_STARTS.iter().any(|start| word.starts_with(start))
        };
        let only_tells = command.split_whitespace().any(tells);
        let writes = (is_told || row.writing.is_empty()) && !looks && !only_tells;
        Self { program, writes, looks }
    }

    /// Whether what only looked as `look` says was set in order by the same program.
    fn writes_over(self, look: Self) -> bool {
        self.writes && look.looks && self.program == look.program
    }
}

/// Whether a run sets in order what `look` found not to be: all that it looked at, or each file that it named.
pub(super) fn settles(later: &Run, look: &Run) -> bool {
    let names_each = || !look.is_cut && later.asked.names_each(&look.files, &look.asked);
    later.form.writes_over(look.form)
        && later.ended == Ended::Passed
        && later.asked.goes_as_deep(&look.asked)
        && (later.asked.names_all_of(&look.asked) || names_each())
}

/// Returns the place in the table of the program that a command runs.
fn place(command: &str) -> Option<usize> {
    let plain = |word: &&str| !word.starts_with(['-', '+']);
    let words: Vec<&str> = command.split_whitespace().filter(plain).map(recognise::name).collect();
    let is_runner = |word: &&&str| recognise::RUNNING.contains(word);
    let before = words.iter().take_while(is_runner).count();
    let runs = |row: &Formatter| (0..=before).any(|at| words[at..].starts_with(row.words));
    FORMATTERS.iter().position(runs)
}

/// Whether a command sets text in order or shows how that would be, and finds fault with nothing.
pub(super) fn only_forms(command: &str) -> bool {
    let form = Form::of(command);
    let of_table = form.program.is_some_and(|at| !FORMATTERS[at].finds_more || form.writes);
    let of_task = || leading(command).iter().any(|word| matches!(*word, "fmt" | "format"));
    !form.looks && (of_table || of_task())
}

/// Whether the program or the task of a command has to do with the form of text.
pub(in crate::derive) fn is_about_form(command: &str) -> bool {
    let mut parts =
        leading(command).into_iter().flat_map(|it| it.split(|c: char| !c.is_alphanumeric()));
    parts.any(|part| FORMING.contains(&part))
}

/// Whether a row tells that text is not in order.
pub(super) fn tells_of_form(row: &str) -> bool {
    row.contains("reformat") || row.contains("unformatted")
}

/// Returns the program that a command runs and what that is told to do: behind options an argument may have any
/// name.
fn leading(command: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut words = command.split_whitespace();
    while let Some(word) = words.next().filter(|_| found.len() < 2) {
        let name = recognise::name(word);
        if IN_FRONT.contains(&word) && found.is_empty() {
            words.next();
        } else if word.starts_with('-') && !found.is_empty() {
            break;
        } else if !word.starts_with(['-', '+']) && !recognise::RUNNING.contains(&name) {
            // A path behind the program is what that works on.
            found.extend((found.is_empty() || !word.contains('/')).then_some(name));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::asked::Asked;
    use super::{Form, is_about_form, only_forms};

    fn sets_in_order(later: &str, look: &str) -> bool {
        let (asked, first) = (Asked::of(later), Asked::of(look));
        Form::of(later).writes_over(Form::of(look))
            && asked.goes_as_deep(&first)
            && asked.names_all_of(&first)
    }

    #[test]
    fn only_the_same_program_sets_in_order_what_was_looked_at() {
        for (later, look) in [
            ("cargo fmt", "cargo fmt --check"),
            ("cargo fmt --all", "cargo fmt --all -- --check"),
            ("npx prettier --write 'src'", "npx prettier --check src"),
            ("npx prettier --write .", "npx prettier --check src"),
            ("npx prettier --write src tests", "npx prettier --check tests"),
            ("npx prettier --write src", "npx prettier --check src/a.ts"),
            ("npx prettier --write --list-different src", "npx prettier --check src"),
            ("uv run ruff format", "uv run ruff format --check src tests"),
            ("python3 -m black src", "python3 -m black --check src"),
            ("gofmt -w .", "gofmt -l ."),
            ("gofmt -l -w .", "gofmt -l ."),
            ("deno fmt", "deno fmt --check"),
            ("isort src", "isort --check-only src"),
            ("terraform fmt -recursive", "terraform fmt -check"),
            ("terraform fmt -recursive", "terraform fmt -check -recursive infra"),
            ("tofu fmt -recursive -diff infra", "tofu fmt -check -recursive infra/net"),
            ("terraform fmt infra", "terraform fmt -check -no-color infra"),
        ] {
            assert!(sets_in_order(later, look), "{later}");
        }
        for (later, look) in [
            ("uv run pytest", "uv run black --check ."),
            ("npm run build", "npm run lint -- --check"),
            ("npx prettier --write a.md", "npx prettier --check src"),
            ("npx prettier --check src", "npx prettier --check src"),
            ("npx prettier --write src", "npx prettier --check src tests"),
            ("npx prettier --write src", "npx prettier --check ."),
            ("npx prettier src", "npx prettier --check src"),
            ("npm run lint -- src", "npm run lint -- --check src"),
            ("npx eslint src", "npx prettier --check src"),
            ("cargo fmt -p a", "cargo fmt --check"),
            ("cargo fmt --version", "cargo fmt --check"),
            ("black --version", "black --check src"),
            ("black --help", "black --check src"),
            ("black -c x=1", "black --check src"),
            ("black -", "black --check src"),
            ("isort --stdout src", "isort --check src"),
            ("isort --show-settings", "isort --check src"),
            ("rustfmt --emit=stdout src/a.rs", "rustfmt --check src/a.rs"),
            ("black src", "black --check --config b.toml src"),
            ("terraform fmt", "terraform fmt -check -recursive"),
            ("terraform fmt -recursive infra", "terraform fmt -check -recursive"),
            ("terraform fmt -write=false", "terraform fmt -check"),
        ] {
            assert!(!sets_in_order(later, look), "{later}");
        }
    }

    #[test]
    fn what_sets_in_order_is_no_check_and_what_is_called_so_is_one() {
        for command in ["black src", "cargo fmt", "npm run format", "uv run ruff format a.py"] {
            assert!(only_forms(command), "{command}");
        }
        for command in [
            "black --check src",
            "pytest -k format",
            "cargo test format",
            "pytest tests/format",
            "biome check src",
            "npm run format:check",
            "cargo fmt -- --check",
        ] {
            assert!(!only_forms(command), "{command}");
        }
        for command in ["npm run format:check", "ruff format --check", "npx --yes prettier -c ."] {
            assert!(is_about_form(command), "{command}");
        }
        assert!(!is_about_form("pytest -k format") && !is_about_form("cargo test format"));
    }
}
