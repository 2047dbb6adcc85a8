//! One test binary; each module below tests one stage or one promise.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod cli;
mod completions;
mod data;
mod discover;
mod layering;
mod mutations;
mod program;
mod rebuild;
mod schema;
