//! The tests: one module a stage.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod gemini;
