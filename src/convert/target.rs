//! The id of a converted session.

use std::io::{self, Read};

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Stands for this program among all that make ids from names.
const SPACE: Uuid = Uuid::from_u128(0x6b1f_9c52_70d4_4b1e_9f0a_2d0c_5e9a_73b1);

/// Returns the id of what a source becomes: the same for the same source, content, target and
/// options, so that a second run finds what the first one wrote.
pub fn target_id(parts: &[&str]) -> String {
    // No part can hold the byte that stands between them.
    Uuid::new_v5(&SPACE, parts.join("\0").as_bytes()).to_string()
}

/// Returns the SHA-256 of all that `input` gives, in hexadecimal.
pub fn digest(mut input: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = input.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        hash.update(&buffer[..count]);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
