//! What a pack says, as one number: the same on another day and from another place.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::Pack;

/// How many hexadecimal digits of a hash stand in the text of a pack.
pub const SHORT: usize = 8;

/// Stands for a hash that is not known yet. No other costs more tokens: no two of its characters
/// are read as one.
pub(super) const UNKNOWN: &str = "a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0";

/// Returns the SHA-256 of a pack in hexadecimal digits, keys sorted and no blanks, without what
/// differs by the day on which it was made and by the way to the file that it was read from.
pub(super) fn hash(pack: &Pack) -> Option<String> {
    let mut value = serde_json::to_value(pack).ok()?;
    if let Some(session) = value.get_mut("session").and_then(Value::as_object_mut) {
        session.remove("as_of");
        session.remove("source");
    }
    value.as_object_mut()?.remove("pack_hash");
    value.as_object_mut()?.remove("fetch");
    // It follows from the rest and the target.
    value.as_object_mut()?.remove("masks_mentions");
    without_ages(&mut value);
    value.sort_all_objects();
    let digest = Sha256::digest(value.to_string().as_bytes());
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Takes out every age, however deep.
fn without_ages(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("age_days");
            map.values_mut().for_each(without_ages);
        }
        Value::Array(list) => list.iter_mut().for_each(without_ages),
        _ => {}
    }
}
