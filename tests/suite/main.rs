//! The tests: one module a stage.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod codex;
mod data;
mod gemini;
mod live;
