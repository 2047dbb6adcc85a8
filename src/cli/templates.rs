//! `segue templates`: what a pack can be made for, and through which template.

use camino::Utf8Path;
use clap::builder::PossibleValuesParser;

use super::table::{aligned, terminal_width};
use crate::block::{unmentioned, without_file_mentions};
use crate::error::{Error, Result};
use crate::select::Target;
use crate::{emit, harness, render};

/// The target of a pack that is made for no harness in particular.
pub(super) const PLAIN: &str = "plain";

const EXAMPLE: &str = "\
Example:
  segue templates plain > own.md.j2 && segue pack --template own.md.j2";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// The target whose template to print
    #[arg(value_parser = names())]
    name: Option<String>,
}

/// Every target: none in particular, then each harness.
pub(super) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(all())
}

fn all() -> impl Iterator<Item = &'static str> {
    std::iter::once(PLAIN).chain(harness::ALL.iter().map(|harness| harness.name()))
}

/// Returns how many tokens count for 100 of `o200k_base` in a pack for `target`.
pub(super) fn tokens_per_100(target: &str) -> usize {
    harness::by_name(target).map_or(100, |harness| harness.tokens_per_100())
}

/// Returns what a pack for `target` tells of it; nothing if it is none in particular.
pub(super) fn told(target: &str) -> Option<Target> {
    let harness = harness::by_name(target)?;
    Some(Target { name: harness.name(), context_file: harness.context_file().name })
}

/// Returns what takes from a pack the mentions of files that a target would read.
pub(super) fn mentions(target: &str) -> fn(String) -> String {
    match harness::by_name(target) {
        Some(harness) if harness.reads_mentions() => |text| unmentioned(&text),
        Some(_) => |text| text,
        // It may be piped into any of them.
        None => |text| without_file_mentions(&text),
    }
}

/// Reads a template of the user's.
pub(super) fn read(path: &Utf8Path) -> Result<String> {
    let bytes = super::pack::own_file(path, "--template")?;
    String::from_utf8(bytes)
        .map_err(|_| Error::Template { message: format!("{path}: is not UTF-8") })
}

/// Runs `segue templates`.
pub(super) fn run(args: &Args) -> Result<()> {
    if args.name.is_some() {
        return emit::print(render::BUILT_IN.text.as_bytes());
    }
    let row = |target: &str| {
        let per_100 = tokens_per_100(target);
        let counts = format!("a token counts {}.{:02}", per_100 / 100, per_100 % 100);
        vec![target.to_owned(), "pack.md.j2".to_owned(), counts]
    };
    let rows: Vec<_> = all().map(row).collect();
    emit::print(aligned(&rows, &[1], terminal_width()).as_bytes())
}
