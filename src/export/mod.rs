//! The model in forms for other programs.

mod atif;
mod content;
mod document;
mod markdown;
mod ndjson;
mod times;
mod trajectory;

use std::collections::HashSet;

use crate::model::{Body, Item, Session};

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

/// What is said of turns that the user took back, and of where that was done.
const ROLLED_BACK: &str = "rolled_back";

/// Returns the ids of the places where turns were taken back.
fn rollbacks(session: &Session) -> HashSet<&str> {
    let is_one =
        |item: &&Item<'_>| matches!(&item.body, Body::Notice { kind, .. } if kind == ROLLED_BACK);
    session.items.iter().filter(is_one).map(|item| item.id.as_ref()).collect()
}

/// Tells how an item came to be no part of what was said in the end, if it is none.
fn left(item: &Item<'_>, rollbacks: &HashSet<&str>) -> Option<&'static str> {
    match item.dropped_by.as_deref()? {
        "branch" => Some("branch"),
        by if by == ROLLED_BACK || rollbacks.contains(by) => Some(ROLLED_BACK),
        _ => None,
    }
}
