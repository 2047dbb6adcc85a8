//! What has to hold for any bytes at all; a target below `fuzz_targets/` gives each of these to a
//! fuzzer. A promise that is broken panics.

pub mod block;
pub mod carry;
pub mod check;
pub mod guard;
pub mod json;
pub mod lines;
pub mod memory;
pub mod pack;
pub mod read;
pub mod tokens;
