//! Commands that make a project: what they made is there, and nobody makes it again to see whether that works.

use super::checking::MAKES;
use super::outcomes;

/// Programs that fetch another one and run it.
const FETCHING: &[&str] = &["bunx", "npx", "pipx", "pnpx", "uvx"];
/// Words behind other programs by which they do, or run one of the project's.
const HANDING_ON: &[&str] = &["dlx", "exec", "x"];
/// Programs behind which a word of `MAKES` has them make something: no task of that name is run.
const MAKERS: &[&str] = &[
    "bun",
    "bundle",
    "cargo",
    "composer",
    "deno",
    "django-admin",
    "dotnet",
    "flutter",
    "mix",
    "ng",
    "npm",
    "pnpm",
    "poetry",
    "rails",
    "uv",
    "yarn",
];
/// How other words begin by which they make a project.
const STARTING: &[&str] = &["create-", "startapp", "startproject"];

/// Whether a command makes a project, whatever that is to have: `npx create-thing a --eslint`. Run again it makes another
/// one, or fails.
pub(super) fn makes_project(part: &str) -> bool {
    // A test may be called so.
    makes(part) && !outcomes::names_test_program(part)
}

fn makes(part: &str) -> bool {
    let starts = |word: &str| STARTING.iter().any(|start| word.starts_with(start));
    let begins = |word: &str| MAKES.contains(&word) || starts(word);
    let mut words = part.split_whitespace().filter(|word| !word.starts_with('-')).peekable();
    let program = words.next().unwrap_or_default();
    let fetches = FETCHING.contains(&program);
    if !fetches && !MAKERS.contains(&program) {
        // Others of that name make something else each time: `create-dmg`.
        let name = program.split('@').next().unwrap_or_default();
        return starts(program) && name.ends_with("-app");
    }
    let hands_on = words.next_if(|word| HANDING_ON.contains(word) || fetches && *word == "run");
    if !fetches && hands_on.is_none() {
        return words.next().is_some_and(begins);
    }
    words.next().is_some_and(starts) || words.next().is_some_and(begins)
}

#[cfg(test)]
mod tests {
    use super::makes_project;

    #[test]
    fn what_makes_a_project_is_told_from_its_tasks() {
        for part in [
            "npx create-next-app@latest lamp --typescript --eslint",
            "npx --yes create-vite lamp",
            "pnpm dlx create-next-app lamp",
            "pnpm create vite lamp --template lint",
            "npm init vite@latest lamp",
            "npm exec create-vite lamp",
            "bunx create-expo lamp",
            "bunx nuxi init lamp-test",
            "yarn create react-app lamp",
            "create-react-app lamp",
            "cargo new lamp-test --lib",
            "cargo init --lib",
            "dotnet new xunit -n Lamp.Tests",
            "ng new lamp --skip-tests",
            "rails new lamp --skip-test",
            "bundle exec rails new lamp",
            "django-admin startproject lamp",
            "composer create-project a/lamp lamp",
            "uv init lamp",
            "poetry new lamp",
        ] {
            assert!(makes_project(part), "{part}");
        }
        for part in [
            "npm run create-test-db",
            "npm test",
            "npx tsc --init",
            "npx eslint src",
            "npx jest create",
            "npx vitest new",
            "cargo test new",
            "cargo run --bin create-lamp",
            "poetry run pytest create",
            "yarn lint",
            "make new test",
            "./create.sh",
            "pytest -k init",
            "openspec new change lamp",
            "",
        ] {
            assert!(!makes_project(part), "{part}");
        }
    }
}
