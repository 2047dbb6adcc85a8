//! The help and its examples, as a stranger reads them.

use clap::{CommandFactory as _, Parser as _};
use segue::cli::Cli;
use unicode_width::UnicodeWidthStr as _;

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
    walk(&Cli::command(), &[], &mut all);
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
