//! What the README says is so.

use std::io;
use std::path::Path;

use clap::Parser as _;
use segue::cli::Cli;
use segue::error::Error;
use segue::harness;

use crate::program::Call;

const README: &str = include_str!("../../README.md");
/// The file whose export the README shows.
const TOOLBOX: &str = "fixtures/homes/three/.claude/projects/-home-ada-toolbox/\
                       aa11bb22-4444-4ddd-8ddd-000000000004.jsonl";

/// Returns the fenced blocks of one language.
fn blocks(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}\n");
    README.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// Returns the rows of the table under `head`, cells without marks.
fn table(head: &str) -> Vec<Vec<&'static str>> {
    let (_, rest) = README.split_once(head).unwrap();
    let rows = rest.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &'static str| {
        row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect()
    };
    rows.map(cells).collect()
}

#[test]
fn every_command_line_can_be_typed() {
    let lines = blocks("sh").into_iter().chain(blocks("text")).flat_map(str::lines);
    let mut parsed = 0;
    for line in lines {
        let line = line.trim_start_matches("$ ");
        let own = line.strip_prefix("segue ").or(line.strip_prefix("cargo run -- "));
        let Some(arguments) = own else { continue };
        let arguments = arguments.split(['#', '|', '>']).next().unwrap().split_whitespace();
        let read = Cli::try_parse_from(std::iter::once("segue").chain(arguments));
        assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
        parsed += 1;
    }
    assert!(parsed >= 10, "only {parsed} lines were found");
}

#[test]
fn every_option_that_it_names_is_there() {
    let helps =
        ["list", "pack", "sync", "show", "search", "span", "status", "export", "convert", "check"];
    let of_memory = ["list", "export", "import", "migrate", "edit", "check", "seed"];
    let alone = helps.iter().map(|name| vec![*name]);
    let helps: Vec<_> = alone
        .chain(of_memory.iter().map(|name| vec!["memory", name]))
        .map(|words| Call::new("nobody", &[&words[..], &["--help"]].concat()).run().stdout)
        .collect();
    let names = README.split('`').filter(|code| code.starts_with('-') && code.len() > 1);
    for name in names {
        let option = name.split_whitespace().next().unwrap();
        let there = helps.iter().any(|help| help.contains(option));
        assert!(there, "{option} is in no help");
    }
}

#[test]
fn the_commands_are_those_of_the_help() {
    let help = Call::new("nobody", &["--help"]).run().stdout;
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names: Vec<_> = names.filter(|name| *name != "help").collect();
    let rows = table("| command | what it does |");
    let told: Vec<_> = rows.iter().map(|row| row[0].trim_start_matches("segue ")).collect();
    assert_eq!(told, names);
}

#[test]
fn the_harnesses_are_those_of_the_program() {
    let kept = table("| name | harness | what is read |");
    let told: Vec<_> = kept.iter().map(|row| (row[0], row[1])).collect();
    let names: Vec<_> = harness::memory::ALL.iter().map(|one| (one.name(), one.title())).collect();
    assert_eq!(told, names);
    let rows = table("| name | harness | versions read |");
    let told: Vec<_> = rows.iter().map(|row| (row[0], row[1])).collect();
    let names: Vec<_> = harness::ALL.iter().map(|one| (one.name(), one.title())).collect();
    assert_eq!(told, names);
}

#[test]
fn the_compiler_that_it_asks_for_is_that_of_the_manifest() {
    let needed = env!("CARGO_PKG_RUST_VERSION");
    assert!(README.contains(&format!("needs Rust {needed} or later")), "{needed}");
}

#[test]
fn the_exit_codes_are_those_of_the_help() {
    let help = Call::new("nobody", &["--help"]).run().stdout;
    let (_, codes) = help.split_once("Exit codes: ").unwrap();
    let codes = codes.split("\n\n").next().unwrap();
    let codes = codes.split_whitespace().collect::<Vec<_>>().join(" ");
    let codes: Vec<_> = codes.trim_end_matches('.').split("; ").collect();
    let rows = table("| code | meaning |");
    let told: Vec<_> = rows.iter().map(|row| format!("{} {}", row[0], row[1])).collect();
    assert_eq!(told, codes);
}

#[test]
fn every_error_has_an_exit_code_of_the_table() {
    let cause = || io::Error::other("x");
    let text = || "x".to_owned();
    let errors = [
        (1, Error::NoSession { wanted: text(), looked_in: vec![], everywhere: false, near: None }),
        (1, Error::OutOfDate { files: vec![], can_be_mended: true }),
        (1, Error::Nothing { what: text() }),
        (2, Error::Ambiguous { wanted: text(), candidates: vec![] }),
        (2, Error::Unsure { hint: text(), candidates: vec![] }),
        (2, Error::Usage { what: text(), hint: None }),
        (2, Error::BudgetTooSmall { budget: 1, needed: 2, unit: "tokens" }),
        (3, Error::Read { path: text(), cause: cause() }),
        (3, Error::NotASession { path: text(), why: text(), hint: None }),
        (3, Error::Template { message: text() }),
        (3, Error::SomeFailed { failed: 1, of: 2, were_read: false }),
        (4, Error::Write { path: text(), cause: cause() }),
        (4, Error::SomeFailed { failed: 2, of: 2, were_read: true }),
        (4, Error::Refused { what: text(), hint: None }),
        (5, Error::Strict { notes: 1 }),
        (0, Error::Write { path: text(), cause: io::ErrorKind::BrokenPipe.into() }),
    ];
    let rows = table("| code | meaning |");
    for (code, error) in errors {
        assert_eq!(error.exit_code(), code, "{error:?}");
        assert!(rows.iter().any(|row| row[0] == code.to_string()), "{code} is in no row");
    }
}

#[test]
fn what_it_shows_is_what_the_program_prints() {
    for block in blocks("text") {
        let (command, shown) = block.split_once('\n').unwrap();
        let arguments: Vec<_> = command.trim_start_matches("$ segue ").split(' ').collect();
        let home = match arguments[0] {
            "memory" | "doctor" => "memories",
            _ => "nobody",
        };
        stands_in(shown, &Call::new(home, &arguments).run().stdout);
    }
    let export = Call::new("nobody", &["export", TOOLBOX]).run().stdout;
    stands_in(blocks("json")[1], &export);
}

#[test]
fn the_command_of_the_hook_can_be_typed() {
    let settings: serde_json::Value = serde_json::from_str(blocks("json")[0]).unwrap();
    let command = &settings["hooks"]["SessionStart"][0]["hooks"][0]["command"];
    let read = Cli::try_parse_from(command.as_str().unwrap().split_whitespace());
    assert!(read.is_ok(), "{command}: {}", read.unwrap_err());
}

/// Checks that the pieces of `shown` between the marks of omission stand in `whole`, in order.
fn stands_in(shown: &str, whole: &str) {
    let mut rest = whole;
    for piece in shown.split("[…]") {
        let piece = piece.trim();
        let at = rest.find(piece).unwrap_or_else(|| panic!("not printed: {piece}\n{whole}"));
        rest = &rest[at + piece.len()..];
    }
}

#[test]
fn the_program_opens_no_connection() {
    let lock = include_str!("../../Cargo.lock");
    for name in ["hyper", "reqwest", "ureq", "curl", "rustls", "openssl", "tokio", "socket2"] {
        assert!(!lock.contains(&format!("name = \"{name}\"\n")), "{name} is a dependency");
    }
    for file in crate::data::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains("std::net"), "{}", file.display());
    }
}

#[test]
fn a_run_leaves_nothing_in_the_home() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-alone");
    let _ = std::fs::remove_dir_all(&home);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/homes/three");
    for file in crate::data::files(&from) {
        let to = home.join(file.strip_prefix(&from).unwrap());
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(&file, &to).unwrap();
    }
    let state = || {
        let files = crate::data::files(&home);
        files.into_iter().map(|file| (std::fs::read(&file).unwrap(), file)).collect::<Vec<_>>()
    };
    let before = state();
    for words in [&["list"][..], &["pack"], &["show", "T-1"], &["search", "a"], &["export"]] {
        let arguments = [words, &["--project", "/home/ada/tool"]].concat();
        let said = Call::new("three", &arguments).env("HOME", home.to_str().unwrap()).run();
        assert_eq!(said.code, 0, "{words:?}: {}", said.stderr);
    }
    assert!(before == state(), "a run changed something");
}

#[test]
#[cfg(unix)]
fn a_file_that_it_makes_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("owner-only");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("PACK.md");
    let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    let write = || {
        let out = path.to_str().unwrap();
        let said = Call::new("nobody", &["pack", "--demo", "--out", out]).run();
        assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
    };
    write();
    assert_eq!(mode(), 0o600);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    write();
    assert_eq!(mode(), 0o644);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}
