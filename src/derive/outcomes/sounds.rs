//! What sounds like a check, where no program of the table is named.

use super::recognise;

/// Words by which a script is told to check something.
pub(super) const CHECKING: &[&str] = &[
    "bats",
    "build",
    "check",
    "clippy",
    "compile",
    "lint",
    "test",
    "tests",
    "typecheck",
    "validate",
    "validator",
    "verify",
    "vet",
];
/// Programs that only run another one, whose name follows.
const WRAPPERS: &[&str] = &["bunx", "npx", "pnpx", "poetry", "uv", "uvx"];
/// Words that say so.
const RUNNING: &[&str] = &["run", "exec", "task", "dlx"];
/// Programs that only look where an option has them check.
const CHECKED_BY_OPTION: &[&str] = &[
    "autopep8",
    "biome",
    "black",
    "buf",
    "cargo",
    "dart",
    "deno",
    "gofumpt",
    "isort",
    "mix",
    "nixfmt",
    "oxfmt",
    "prettier",
    "ruff",
    "rustfmt",
    "shfmt",
    "taplo",
    "terraform",
    "tofu",
    "yapf",
    "zig",
];
/// Words that change files or only tell something.
const CHANGING: &[&str] = &["fmt", "format", "--version", "--help", "-h", "-V"];

/// Whether a command, by its own name or by that of the script that it runs, is one that checks.
pub(super) fn sounds_like_a_check(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program);
    let is_wrapper = WRAPPERS.contains(&name);
    let is_on_way = |word: &&str| RUNNING.contains(word) || (is_wrapper && word.starts_with('-'));
    let script = words.clone().find(|word| !is_on_way(word)).unwrap_or_default();
    let is_plain = !script.starts_with('-') && !script.contains(['/', '=', '"', '\'', '.']);
    let ran = if is_wrapper { script } else { name };
    let only_reads = match name {
        "bash" | "sh" | "zsh" => script == "-n",
        "docker" | "podman" => image(words).is_some_and(is_checker),
        _ => CHECKED_BY_OPTION.contains(&ran) && part.contains("-check"),
    };
    // The value of an option in between may sound like anything.
    let is_sure = !is_wrapper || words_are_plain(part, script);
    only_reads || builds_all(name, part) || checks(name) || (is_plain && is_sure && checks(script))
}

/// Whether no option with a value stands before the program that another one runs.
fn words_are_plain(part: &str, script: &str) -> bool {
    let before = part.split_whitespace().take_while(|word| *word != script);
    let mut options = before.filter(|word| word.starts_with('-'));
    options.all(|word| word.contains('=') || matches!(word, "-y" | "--yes" | "-q" | "--quiet"))
}

/// Whether a word is the name of something that checks.
fn checks(word: &str) -> bool {
    is_checker(word) || word.split([':', '-', '.', '_']).any(|word| CHECKING.contains(&word))
}

/// Whether a word is the name of a program that does nothing else.
fn is_checker(word: &str) -> bool {
    word.ends_with("lint") || word.ends_with("check") || word == "zizmor"
}

/// Options of `docker run` without a value; others are taken to have one.
const BARE: &[&str] = &["--init", "--privileged", "--rm", "-d", "-i", "-it", "-t", "-ti"];

/// Returns what the image that `docker run` runs is called, without where it comes from and which of it
/// is meant.
fn image<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    words.next().filter(|word| *word == "run")?;
    let image = loop {
        let word = words.next()?;
        match word.starts_with('-') {
            false => break word,
            true if BARE.contains(&word) || word.contains('=') => {}
            true => {
                words.next()?;
            }
        }
    };
    let name = image.rsplit('/').next().unwrap_or(image);
    name.split([':', '@']).next()
}

/// Whether a program is asked for no more than what it makes by itself.
fn builds_all(name: &str, part: &str) -> bool {
    let is_how = |word: &str| matches!(word, "-B" | "-k" | "-s") || word.starts_with("-j");
    matches!(name, "gmake" | "make" | "ninja") && part.split_whitespace().skip(1).all(is_how)
}

/// Whether a program tests, builds or checks without a word behind it.
pub(in crate::derive) fn checks_alone(program: &str) -> bool {
    !recognise::named(program).is_empty() || sounds_like_a_check(program)
}

/// Whether a command looks at how text is written, and runs nothing of it.
pub(super) fn only_looks(part: &str) -> bool {
    let mut words = part.split_whitespace();
    words.any(|word| CHANGING.contains(&word) || word == "prettier" || is_checker(word))
}

/// Whether a command only sets text in order, or only tells of itself.
pub(super) fn is_no_check(part: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    let only_looks = words.contains(&"--check") || words.contains(&"--diff");
    !only_looks && words.iter().any(|word| CHANGING.contains(word))
}
