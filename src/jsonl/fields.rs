//! Fields that may be missing or of another type: a line is read for what it has.

use crate::json;
use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A text field that may be missing or of another type; numbers are read as their digits.
///
/// Borrows where the text has no escapes (a plain `Option<Cow<str>>` would always copy).
#[derive(Clone, Debug, Default)]
pub struct Lax<'a>(pub Option<Cow<'a, str>>);

impl<'a> Lax<'a> {
    /// The text, if there was one.
    pub fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The text, empty if there was none.
    pub fn text(&self) -> &str {
        self.0.as_deref().unwrap_or("")
    }

    /// The text, if there was one that is not empty.
    pub fn filled(&self) -> Option<&str> {
        self.get().filter(|text| !text.is_empty())
    }

    /// Gives the text away.
    pub fn take(self) -> Option<Cow<'a, str>> {
        self.0
    }
}

struct LaxVisitor;

impl<'de> Visitor<'de> for LaxVisitor {
    type Value = Lax<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(text))))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Lax<'de>, E> {
        Ok(Lax(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Lax<'de>, E> {
        Ok(Lax(None))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Lax<'de>, E> {
        Ok(Lax(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Lax<'de>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Lax(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Lax<'de>, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Lax(None))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Lax<'a> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LaxVisitor)
    }
}

/// A nested object that may be missing or of another type.
///
/// Read together with what is around it: a raw value that is parsed later is gone through twice.
#[derive(Clone, Debug, Default)]
pub struct Nested<T>(pub Option<T>);

struct NestedVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NestedVisitor<T> {
    type Value = Nested<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Nested<T>, A::Error> {
        let object = T::deserialize(de::value::MapAccessDeserializer::new(fields))?;
        Ok(Nested(Some(object)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Nested<T>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Nested(None))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<Nested<T>, E> {
        Ok(Nested(None))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nested<T> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NestedVisitor(std::marker::PhantomData))
    }
}

/// Reads a flag: true only where the value is `true`.
pub fn flag<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(raw.get() == "true")
}

/// Reads a count: nothing where the value is no whole number.
pub fn count<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(raw.get().parse().ok())
}

/// Reads `raw` as `T` if it has that shape.
pub fn shaped<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    raw.and_then(|raw| json::from_str(raw.get()).ok())
}

/// Reads a list as its elements, an object or text as the one element of a list.
pub fn elements(raw: Option<&RawValue>) -> Vec<&RawValue> {
    let Some(raw) = raw else { return Vec::new() };
    match raw.get().as_bytes().first() {
        Some(b'[') => json::from_str(raw.get()).unwrap_or_default(),
        Some(b'n') | None => Vec::new(),
        Some(_) => vec![raw],
    }
}

/// Reads `raw` as a text, if it is one.
pub fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    raw.get().starts_with('"').then(|| json::from_str::<Lax<'_>>(raw.get()).ok()?.0).flatten()
}
