//! segue carries a coding agent's work from one session into the next.
//!
//! ```text
//! argv -> cli -> discover -> harness/<h>/read -> model -+-> export (NDJSON, JSON) ------------+
//!                                                       +-> derive -> select -> render -------+-> emit
//!                                                       +-> convert -> harness/<h>/write -----+
//! ```
//!
//! One value goes from stage to stage. Only `cli` knows the chain, only `emit` writes.

pub mod block;
pub mod cli;
pub mod convert;
pub mod derive;
pub mod discover;
pub mod emit;
pub mod error;
pub mod export;
pub mod guard;
pub mod harness;
pub mod json;
pub mod jsonl;
pub mod migrate;
pub mod model;
pub mod note;
pub mod plan;
pub mod render;
pub mod select;
pub mod worktree;
