//! The help and the pages of the manual, as a stranger reads them.

use std::process::{Command, Stdio};

use clap::{CommandFactory as _, Parser as _};
use segue::cli::Cli;
use unicode_width::UnicodeWidthStr as _;

use crate::data::tell;
use crate::program::Call;

/// Returns the words of every command, those below another included.
pub(crate) fn commands() -> Vec<Vec<String>> {
    fn walk(command: &clap::Command, above: &[String], all: &mut Vec<Vec<String>>) {
        for one in command.get_subcommands().filter(|one| one.get_name() != "help") {
            let words = [above, &[one.get_name().to_owned()]].concat();
            all.push(words.clone());
            walk(one, &words, all);
        }
    }
    let mut all = vec![Vec::new()];
    let mut program = Cli::command();
    program.build();
    walk(&program, &[], &mut all);
    all
}

/// Returns the lines of examples of a help.
fn examples(help: &str) -> Vec<&str> {
    let at = help.find("\nExample");
    let lines = at.map_or("", |at| &help[at + 1..]).lines().skip(1);
    lines.take_while(|line| line.starts_with("  ")).collect()
}

#[test]
fn each_has_an_example_that_can_be_typed_and_fits_80_columns() {
    for words in commands() {
        let args: Vec<_> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let help = Call::new("nobody", &args).run().stdout;
        let examples = examples(&help);
        assert!(!examples.is_empty(), "{words:?} has no example");
        for line in examples {
            assert!(line.width() <= 80, "{words:?}: {line}");
            let own = line.split(" | ").next().unwrap().split(" && ").next().unwrap();
            let own = own.split(" > ").next().unwrap().trim();
            // What stands behind two blanks says what it is for.
            let own = own.split("  ").next().unwrap();
            let read = Cli::try_parse_from(typed(own));
            assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
        }
    }
}

/// Cuts a line into arguments, as a shell does with quotes.
fn typed(line: &str) -> Vec<String> {
    let pieces = line.split(['"', '\'']).enumerate();
    pieces
        .flat_map(|(at, piece)| match at % 2 {
            0 => piece.split_whitespace().map(str::to_owned).collect(),
            _ => vec![piece.to_owned()],
        })
        .collect()
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("man1");
    let said = Call::new("nobody", &["man", "--out-dir", path.to_str().unwrap()]).run();
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""));
    let whole = Call::new("nobody", &["man"]).run().stdout;
    assert_eq!(std::fs::read_to_string(path.join("segue.1")).unwrap(), whole);
    let all = commands();
    for words in &all {
        let name = [&["segue".to_owned()][..], words].concat().join("-");
        let page = std::fs::read_to_string(path.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1 ")), "{name}");
        assert!(page.contains(".SH EXAMPLES\n.nf\n  segue "), "{name}");
        let heading = format!(".SH \"SEGUE {}\"", words.join(" ").to_uppercase());
        assert!(words.is_empty() || whole.contains(&heading), "{name}");
    }
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), all.len());
    lint(&path);
}

/// Has the programs that set pages look at all of them; one that is not there is told of.
fn lint(folder: &std::path::Path) {
    let programs: [(&str, &[&str]); 2] = [
        ("mandoc", &["-Tlint", "-Wwarning"]),
        ("groff", &["-K", "utf8", "-man", "-ww", "-Tutf8", "-z"]),
    ];
    for (program, args) in programs {
        for page in crate::data::files(folder) {
            let said = Command::new(program).args(args).arg(&page).stdin(Stdio::null()).output();
            let Ok(said) = said else {
                tell(&format!("SKIPPED: {program} is not here; it looks at pages of the manual"));
                break;
            };
            let text = String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned();
            // A page is the same whenever it is made, so that it has no date.
            let bad: Vec<_> = text.lines().filter(|line| !line.contains("missing date")).collect();
            assert!(bad.is_empty(), "{program}: {bad:#?}");
        }
    }
}
