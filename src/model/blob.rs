//! Images and other bytes inside a session, named by their digest.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use base64_simd::{AsOut as _, STANDARD_NO_PAD};
use sha2::{Digest as _, Sha256};

/// How many characters are decoded at once; a multiple of four.
const STEP: usize = 64 * 1024;

/// What is wanted of the bytes inside a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blobs {
    /// How many they are, and their digest.
    #[default]
    Named,
    /// The bytes themselves.
    Carried,
    /// Only how many they are.
    Sized,
}

impl Blobs {
    /// Returns what is wanted before the bytes are gone.
    fn name(self, data: &str) -> Option<Name> {
        match self {
            Self::Named => Some(digest(data)),
            Self::Carried => None,
            Self::Sized => {
                let bytes = size(data).unwrap_or(data.len() as u64);
                Some(Name { sha256: None, bytes: Some(bytes) })
            }
        }
    }
}

/// An image or other bytes: what and how large, and the bytes only on demand.
#[derive(Clone, Debug)]
pub struct Blob<'a> {
    /// Such as `image/png`.
    pub media_type: Cow<'a, str>,
    /// SHA-256 of the bytes, in hexadecimal, and how many they are; for bytes that are carried it
    /// is made when somebody asks.
    name: Option<Name>,
    /// The path or address where it was said to be.
    pub address: Option<Cow<'a, str>>,
    /// The bytes in base64, where they were asked for.
    pub data: Option<Cow<'a, str>>,
}

/// What tells one blob from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// SHA-256 of the bytes, in hexadecimal; absent where only an address is known.
    pub sha256: Option<String>,
    /// How many bytes.
    pub bytes: Option<u64>,
}

impl<'a> Blob<'a> {
    /// Takes the bytes that `data` holds in base64, as far as they are `wanted`.
    ///
    /// What is not base64 is named by its characters.
    pub fn base64(media_type: Cow<'a, str>, data: Cow<'a, str>, wanted: Blobs) -> Self {
        let name = wanted.name(&data);
        let data = Some(data).filter(|_| wanted == Blobs::Carried);
        Self { media_type, name, address: None, data }
    }

    /// Takes bytes that are text, as far as they are `wanted`.
    pub fn text(media_type: Cow<'a, str>, text: &str, wanted: Blobs) -> Self {
        Self::base64(media_type, STANDARD.encode(text).into(), wanted)
    }

    /// Reads an address: a `data:` one is taken apart, any other is only named.
    pub fn address(address: Cow<'a, str>, wanted: Blobs) -> Self {
        let taken = match &address {
            Cow::Borrowed(text) => inside(text)
                .map(|(kind, data)| Self::base64(Cow::Borrowed(kind), Cow::Borrowed(data), wanted)),
            Cow::Owned(text) => inside(text)
                .map(|(kind, data)| Blob::base64(kind.into(), data.into(), wanted).into_owned()),
        };
        taken.unwrap_or_else(|| {
            let media_type = Cow::Borrowed("application/octet-stream");
            Self { media_type, name: None, address: Some(address), data: None }
        })
    }

    /// Takes what a record of ours says of a blob.
    pub fn told(media_type: Cow<'a, str>, name: Name) -> Self {
        Self { media_type, name: Some(name), address: None, data: None }
    }

    /// Returns its digest and size.
    pub fn name(&self) -> Cow<'_, Name> {
        match (&self.name, &self.data) {
            (Some(name), _) => Cow::Borrowed(name),
            (None, Some(data)) => Cow::Owned(digest(data)),
            (None, None) => Cow::Owned(Name::default()),
        }
    }

    /// Returns the bytes, where they were kept and are what they say.
    pub fn decoded(&self) -> Option<Vec<u8>> {
        STANDARD.decode(self.data.as_deref()?).ok()
    }

    /// Returns the text that its bytes are, where they were kept and are plain text.
    pub fn words(&self) -> Option<String> {
        let is_text = self.media_type.starts_with("text/plain");
        is_text.then(|| String::from_utf8(self.decoded()?).ok()).flatten()
    }

    /// Returns the same without a copy of its bytes.
    pub fn borrowed(&self) -> Blob<'_> {
        Blob {
            media_type: Cow::Borrowed(&*self.media_type),
            name: self.name.clone(),
            address: self.address.as_deref().map(Cow::Borrowed),
            data: self.data.as_deref().map(Cow::Borrowed),
        }
    }

    /// Leaves of bytes that are carried only how many they are.
    pub fn keep_size(&mut self) {
        if let Some(data) = self.data.take() {
            self.name = Blobs::Sized.name(&data);
        }
    }

    /// Returns a blob that borrows nothing.
    pub fn into_owned(self) -> Blob<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        Blob {
            media_type: own(self.media_type),
            name: self.name,
            address: self.address.map(own),
            data: self.data.map(own),
        }
    }
}

/// Takes a `data:` address apart: of what kind it is, and the bytes in base64.
fn inside(address: &str) -> Option<(&str, &str)> {
    let (kind, data) = address.strip_prefix("data:")?.split_once(',')?;
    Some((kind.split(';').next().unwrap_or_default(), data))
}

impl PartialEq for Blob<'_> {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &Option<Cow<'_, str>>, b: &Option<Cow<'_, str>>| a == b;
        self.media_type == other.media_type
            && same(&self.address, &other.address)
            && same(&self.data, &other.data)
            && (self.data.is_some() || self.name == other.name)
    }
}

impl Eq for Blob<'_> {}

/// Returns digest and size of what `data` encodes.
fn digest(data: &str) -> Name {
    let mut hash = Sha256::new();
    match decode(data, |bytes| hash.update(bytes)) {
        Some(bytes) => named(hash.finalize().as_ref(), bytes),
        None => named(Sha256::digest(data.as_bytes()).as_ref(), data.len() as u64),
    }
}

/// Returns how many bytes `data` encodes, by its first and its last step; nothing if one of them is
/// not base64.
fn size(data: &str) -> Option<u64> {
    let steps = data.as_bytes().chunks(STEP);
    let between = steps.len().saturating_sub(2);
    let ends = steps.clone().take(1).chain(steps.skip(between + 1));
    let mut bytes = (between * (STEP / 4 * 3)) as u64;
    for end in ends {
        bytes += STANDARD.decode(end).ok()?.len() as u64;
    }
    Some(bytes)
}

/// Gives the bytes that `data` encodes to `take`, in steps, and returns how many they are; nothing
/// if it is not base64.
fn decode(data: &str, mut take: impl FnMut(&[u8])) -> Option<u64> {
    let (mut bytes, mut buffer) = (0, vec![0; STEP.min(data.len())]);
    for step in data.as_bytes().chunks(STEP) {
        // The quick way knows no padding, which stands in the last step.
        let quick = (step.len() % 4 == 0).then(|| quick(step, &mut buffer)).flatten();
        let count = match quick {
            Some(count) => count,
            None => STANDARD.decode_slice(step, &mut buffer).ok()?,
        };
        take(&buffer[..count]);
        bytes += count as u64;
    }
    Some(bytes)
}

/// Decodes whole groups of four characters, many at a time; nothing where one is none of base64.
fn quick(groups: &[u8], buffer: &mut [u8]) -> Option<usize> {
    STANDARD_NO_PAD.decode(groups, buffer.as_out()).ok().map(|bytes| bytes.len())
}

fn named(digest: &[u8], bytes: u64) -> Name {
    Name { sha256: Some(hex(digest)), bytes: Some(bytes) }
}

/// Writes bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_long_bytes_is_told_without_decoding_all() {
        for bytes in [0, 1, STEP / 4 * 3, STEP, 2 * STEP + 1, 5 * STEP + 2] {
            let data = STANDARD.encode(vec![7; bytes]);
            assert_eq!(size(&data), Some(bytes as u64));
            assert_eq!(size(&data), decode(&data, |_| ()));
            assert_eq!(size(&format!("{data}-")), None);
        }
    }

    #[test]
    fn bytes_are_named_by_their_digest_and_kept_on_demand() {
        let address = "data:image/png;base64,aGVsbG8=";
        let blob = Blob::address(address.into(), Blobs::Named);
        let name = blob.name();
        assert_eq!(
            (blob.media_type.as_ref(), name.bytes, &blob.data),
            ("image/png", Some(5), &None)
        );
        let want = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
        assert_eq!(name.sha256.as_deref(), Some(want));
        let sized = Blob::address(address.into(), Blobs::Sized);
        assert_eq!(
            (sized.name().into_owned(), &sized.data),
            (Name { sha256: None, bytes: Some(5) }, &None)
        );
        let kept = Blob::base64("image/png".into(), "aGVsbG8=".into(), Blobs::Carried);
        assert_eq!(kept.name(), name);
        assert_eq!(kept.data.as_deref(), Some("aGVsbG8="));
        assert_eq!(kept.decoded().as_deref(), Some(b"hello".as_slice()));
        assert_eq!(blob.decoded(), None);
    }
}
