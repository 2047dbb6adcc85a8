//! The model in forms for other programs.

mod atif;
mod content;
mod document;
mod markdown;
mod ndjson;
mod times;
mod trajectory;

pub use atif::{Atif, Image, Images};
pub use document::Document;
pub use markdown::markdown;
pub use ndjson::Ndjson;
pub use trajectory::Trajectory;

/// What the forms of other programs say of the harness that recorded a session.
#[derive(Clone, Copy, Debug)]
pub struct Recorder<'a> {
    /// The name by which other programs know it.
    pub name: &'a str,
    /// Whether its files say of a call that it succeeded, not only of one that it failed.
    pub says_success: bool,
}

/// What stands for a summary that only the provider of the model can read.
const NO_SUMMARY: &str =
    "The harness replaced what is before by a summary that cannot be read here.";
