//! One test binary; each module below tests one stage or one promise.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod ages;
mod atif;
mod atif_read;
mod attack;
mod check_codex;
mod claude;
mod cli;
mod codex;
mod completions;
mod convert;
mod convert_run;
mod corpus;
mod data;
mod discover;
mod eval;
mod export_all;
mod fixtures;
mod frames;
mod gemini;
mod guard;
mod install;
mod json;
mod layering;
mod levels;
mod live;
mod markdown;
mod mutations;
mod pack;
mod program;
mod readme;
mod reality;
mod rebuild;
mod schema;
mod scope;
mod search;
mod show;
mod stable;
mod status;
mod sync;
mod templates;
mod there_and_back;
mod trajectory;
mod unified;
mod words;
mod write_claude;
mod write_codex;
mod write_gemini;
