//! Writes the table of tokens that the program counts with (see `layout.rs`), and says how the program is linked.

use std::path::Path;
use std::{env, fs};

use layout::{Entry, LONGEST_BYTES, PLACE_BYTES, PLACES};

#[path = "layout.rs"]
#[allow(dead_code, reason = "the program reads entries")]
mod layout;

/// How many tokens `o200k_base` has, its special ones aside.
const TOKENS: u32 = 199_998;

fn main() {
    println!("cargo::rerun-if-changed=src/select/tokens/build.rs");
    println!("cargo::rerun-if-changed=src/select/tokens/layout.rs");
    link_to_fixed_addresses();
    write_table();
}

/// Has the program linked to fixed addresses where the linker is known to take that.
///
/// Else the loader writes 16,800 addresses into 80 pages of memory before `main` runs: `segue --version` takes a
/// sixth to a third less processor time without that.
fn link_to_fixed_addresses() {
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_dynamic = !target("FEATURE").split(',').any(|feature| feature == "crt-static");
    // Who says how to link, as one who wants random addresses does, has the word.
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let is_said = flags.contains("relocation-model") || flags.contains("-pie");
    if target("OS") == "linux" && target("ENV") == "gnu" && is_dynamic && !is_said {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

fn write_table() {
    let tokens = tiktoken_rs::o200k_base().expect("the encoding is part of the crate");
    let mut places = vec![0_u64; PLACES];
    let mut bytes = Vec::new();
    for rank in 0..TOKENS {
        let token = tokens.decode_bytes(&[rank]).expect("ranks have no gaps");
        assert!((1..=LONGEST_BYTES).contains(&token.len()), "{rank} is too long");
        let (_, mut at) = layout::place(&token);
        while places[at] != 0 {
            at = (at + 1) % PLACES;
        }
        places[at] = Entry::new(&token, bytes.len(), rank).bits();
        bytes.extend_from_slice(&token);
    }
    assert!(bytes.len() < 1 << 24, "the starts have 24 bits");
    let mut table = Vec::with_capacity(PLACES * PLACE_BYTES + bytes.len());
    places.iter().for_each(|place| table.extend_from_slice(&place.to_le_bytes()));
    table.extend_from_slice(&bytes);
    let folder = env::var_os("OUT_DIR").expect("cargo says where");
    fs::write(Path::new(&folder).join("o200k.table"), table).expect("the table can be written");
}
