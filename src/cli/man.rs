//! `segue man`: the manual page, made from the help.

use std::io;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::Cli;
use crate::emit;
use crate::error::{Error, Result};

const EXAMPLE: &str = "\
Example:
  segue man > ~/.local/share/man/man1/segue.1";

/// Print the manual page
///
/// All commands are on the one page.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {}

/// Runs `segue man`.
pub(super) fn run() -> Result<()> {
    let page = page().map_err(|cause| Error::write("-", cause))?;
    emit::print(&page)
}

fn page() -> io::Result<Vec<u8>> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut page = Vec::new();
    Man::new(program.clone()).render(&mut page)?;
    // There is one page, not one a command.
    let mut text = String::from_utf8_lossy(&page).into_owned();
    for command in program.get_subcommands() {
        let name = command.get_name();
        text = text.replace(&format!("segue\\-{name}(1)"), &format!("segue {name}"));
    }
    let mut page = text.into_bytes();
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        section(command, &mut page)?;
    }
    Ok(page)
}

/// Adds a command: its own sections, one level down.
fn section(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let name = command.get_bin_name().unwrap_or_default().to_uppercase();
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    man.render_extra_section(&mut text)?;
    let text = String::from_utf8_lossy(&text).replace(".SH ", ".SS ");
    page.extend(format!(".SH \"{name}\"\n{text}").into_bytes());
    Ok(())
}
