//! `segue man`: the manual page, made from the help.

use std::io;

use camino::Utf8PathBuf;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::Cli;
use crate::emit;
use crate::error::{Error, Result};

const EXAMPLE: &str = "\
Examples:
  segue man > ~/.local/share/man/man1/segue.1
  segue man --out-dir ~/.local/share/man/man1    a page a command, too
  segue man | man -l -                           read it at once";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Write the page, and one a command, into this folder
    #[arg(long, value_name = "DIR", value_parser = super::folder)]
    out_dir: Option<Utf8PathBuf>,
}

/// Runs `segue man`.
pub(super) fn run(args: &Args) -> Result<()> {
    let program = program();
    let fail = |cause| Error::write("-", cause);
    let Some(folder) = &args.out_dir else {
        return emit::print(&page(&program).map_err(fail)?);
    };
    emit::file_in(folder, "segue.1", &page(&program).map_err(fail)?)?;
    for command in commands(&program) {
        let mut text = Vec::new();
        man(command).render(&mut text).map_err(fail)?;
        emit::file_in(folder, &format!("{}.1", page_name(command)), &tidy(&text))?;
    }
    Ok(())
}

fn program() -> Command {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    program
}

/// Returns every command, each before those below it.
fn commands(program: &Command) -> Vec<&Command> {
    let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
    shown.flat_map(|command| std::iter::once(command).chain(commands(command))).collect()
}

/// Returns the name of the page of a command.
fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_default()
}

/// Returns the page with all commands on it.
fn page(program: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man(program).render(&mut page)?;
    // What it names stands on the same page.
    let mut text = String::from_utf8_lossy(&page).into_owned();
    for command in program.get_subcommands() {
        let name = command.get_name();
        text = text.replace(&format!("segue\\-{name}(1)"), &format!("segue {name}"));
    }
    let mut page = text.into_bytes();
    commands(program).into_iter().try_for_each(|command| section(command, &mut page))?;
    Ok(tidy(&page))
}

/// Returns what writes the page of a command.
fn man(command: &Command) -> Man {
    let source = concat!("segue ", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone()).source(source).manual("segue")
}

/// Adds a command: its own sections, one level down.
fn section(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let name = command.get_bin_name().unwrap_or_default().to_uppercase();
    let man = man(command);
    let mut text = Vec::new();
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    man.render_extra_section(&mut text)?;
    let text = String::from_utf8_lossy(&text).replace(".SH ", ".SS ");
    page.extend(format!(".SH \"{name}\"\n{text}").into_bytes());
    Ok(())
}

/// Sets examples as they stand, and takes out what formatters of pages warn of: breaks around an empty
/// line, and blanks at an end. There is no date, so that a page is the same whenever it is made.
fn tidy(page: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(page).replace("\n.br\n\n.br\n", "\n.sp\n");
    let text = text.replacen(" 1  \"", " 1 \"\" \"", 1);
    let mut lines = Vec::new();
    let (mut level, mut is_example) = (".SH", false);
    for line in text.lines().map(str::trim_end) {
        if line.starts_with('.') && std::mem::take(&mut is_example) {
            lines.push(".fi".to_owned());
        }
        match line {
            ".SH EXTRA" | ".SS EXTRA" => {
                level = &line[..3];
                lines.push(format!("{level} NOTES"));
            }
            "Example:" | "Examples:" => {
                // Where nothing stands before them, there are no notes.
                lines.pop_if(|last| last == ".PP" || last.ends_with(" NOTES"));
                lines.extend([format!("{level} EXAMPLES"), ".nf".to_owned()]);
                is_example = true;
            }
            "" if is_example => {}
            "" => lines.push(".PP".to_owned()),
            line => lines.push(line.to_owned()),
        }
    }
    lines.extend(is_example.then(|| ".fi".to_owned()));
    (lines.join("\n") + "\n").into_bytes()
}
