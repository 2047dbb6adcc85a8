//! Images and other bytes inside a session, named by their digest.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// How many characters are decoded at once; a multiple of four.
const STEP: usize = 64 * 1024;

/// An image or other bytes: what and how large, and the bytes only on demand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blob<'a> {
    /// Such as `image/png`.
    pub media_type: Cow<'a, str>,
    /// SHA-256 of the bytes, in hexadecimal; absent where only an address is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// How many bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The path or address where it was said to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<Cow<'a, str>>,
    /// The bytes in base64, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Cow<'a, str>>,
}

impl<'a> Blob<'a> {
    /// Names the bytes that `data` holds in base64; `keep` carries them along.
    ///
    /// What is not base64 is named by its characters.
    pub fn base64(media_type: Cow<'a, str>, data: Cow<'a, str>, keep: bool) -> Self {
        let (sha256, bytes) = digest(&data);
        let data = keep.then_some(data);
        Self { media_type, sha256: Some(sha256), bytes: Some(bytes), address: None, data }
    }

    /// Reads an address: a `data:` one is taken apart, any other is only named.
    pub fn address(address: Cow<'a, str>, keep: bool) -> Self {
        let parts = address.strip_prefix("data:").and_then(|rest| rest.split_once(','));
        if let Some((kind, data)) = parts {
            let kind = kind.split(';').next().unwrap_or_default().to_owned();
            return Self::base64(kind.into(), data.to_owned().into(), keep);
        }
        let media_type = Cow::Borrowed("application/octet-stream");
        Self { media_type, sha256: None, bytes: None, address: Some(address), data: None }
    }

    /// Returns the bytes, where they were kept and are what they say.
    pub fn decoded(&self) -> Option<Vec<u8>> {
        STANDARD.decode(self.data.as_deref()?).ok()
    }

    /// Returns a blob that borrows nothing.
    pub fn into_owned(self) -> Blob<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        Blob {
            media_type: own(self.media_type),
            sha256: self.sha256,
            bytes: self.bytes,
            address: self.address.map(own),
            data: self.data.map(own),
        }
    }
}

/// Returns digest and size of what `data` encodes.
fn digest(data: &str) -> (String, u64) {
    let mut hash = Sha256::new();
    let (mut bytes, mut buffer) = (0, Vec::with_capacity(STEP));
    for step in data.as_bytes().chunks(STEP) {
        buffer.clear();
        if STANDARD.decode_vec(step, &mut buffer).is_err() {
            return (hex(&Sha256::digest(data.as_bytes())), data.len() as u64);
        }
        hash.update(&buffer);
        bytes += buffer.len() as u64;
    }
    (hex(&hash.finalize()), bytes)
}

/// Writes bytes in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_named_by_their_digest_and_kept_on_demand() {
        let blob = Blob::address("data:image/png;base64,aGVsbG8=".into(), false);
        assert_eq!(
            (blob.media_type.as_ref(), blob.bytes, &blob.data),
            ("image/png", Some(5), &None)
        );
        let want = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
        assert_eq!(blob.sha256.as_deref(), Some(want));
        let kept = Blob::base64("image/png".into(), "aGVsbG8=".into(), true);
        assert_eq!(kept.data.as_deref(), Some("aGVsbG8="));
        assert_eq!(kept.decoded().as_deref(), Some(b"hello".as_slice()));
        assert_eq!(blob.decoded(), None);
    }
}
