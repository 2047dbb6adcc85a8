//! `segue schema`: the JSON Schemas of what this program prints, and of the table that it takes.

use clap::builder::PossibleValuesParser;

use crate::emit;
use crate::error::Result;

/// Every published schema by the name that users type; the first is the default.
const SCHEMAS: &[(&str, &str)] = &[
    ("session", include_str!("../../schemas/session-1.schema.json")),
    ("pack", include_str!("../../schemas/pack-1.schema.json")),
    ("status", include_str!("../../schemas/status-1.schema.json")),
    ("frame", include_str!("../../schemas/frame-1.schema.json")),
    ("weights", include_str!("../../schemas/weights-1.schema.json")),
    ("diff", include_str!("../../schemas/diff-1.schema.json")),
    ("conversion", include_str!("../../schemas/conversion-1.schema.json")),
    ("check", include_str!("../../schemas/check-1.schema.json")),
    ("doctor", include_str!("../../schemas/doctor-1.schema.json")),
    ("memory", include_str!("../../schemas/memory-1.schema.json")),
    ("memory-plan", include_str!("../../schemas/memory-plan-1.schema.json")),
    ("memory-check", include_str!("../../schemas/memory-check-1.schema.json")),
];

const EXAMPLE: &str = "\
Example:
  segue schema session > session-1.schema.json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Which schema
    #[arg(default_value = SCHEMAS[0].0, value_parser = names())]
    name: String,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(SCHEMAS.iter().map(|(name, _)| *name))
}

/// Runs `segue schema`.
pub(super) fn run(args: &Args) -> Result<()> {
    let text = SCHEMAS.iter().find(|(name, _)| *name == args.name).map_or("", |(_, text)| *text);
    emit::print(text.as_bytes())
}
