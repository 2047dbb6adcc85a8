//! JSON text as serde sees it.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Result};

use super::quoted;
use super::skip::{self, Open};
use super::unescape::unescaped;

/// The name by which `serde_json` asks for a raw value.
const RAW_VALUE: &str = "$serde_json::private::RawValue";
/// How deep values that are looked into may be nested, as in `serde_json`.
const MAX_DEPTH: u8 = 127;
/// A whole number of so many digits fits any type.
const SAFE_DIGITS: usize = 18;

/// A text and the place up to which it was read.
pub(super) struct Reader<'de> {
    text: &'de str,
    at: usize,
    depth: u8,
    /// A buffer for what is open in a value that is skipped.
    open: Open,
}

impl<'de> Reader<'de> {
    pub(super) fn new(text: &'de str) -> Self {
        Self { text, at: 0, depth: 0, open: Open::default() }
    }

    /// Makes sure that nothing follows.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.peek().is_some() { Err(wrong("more than one value")) } else { Ok(()) }
    }

    /// Returns the next byte that is no blank, and stays before it.
    fn peek(&mut self) -> Option<u8> {
        self.at = skip::blanks(self.text.as_bytes(), self.at);
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        if self.peek() != Some(byte) {
            return Err(wrong("a mark is missing"));
        }
        self.at += 1;
        Ok(())
    }

    /// Goes past a value and returns it as it stands.
    fn raw(&mut self) -> Result<&'de str> {
        self.peek();
        let end = skip::value(self.text.as_bytes(), self.at, &mut self.open);
        self.take(end)
    }

    /// Returns the text up to `end` and goes there.
    fn take(&mut self, end: Option<usize>) -> Result<&'de str> {
        let end = end.ok_or_else(|| wrong("no value"))?;
        let taken = &self.text[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn word<T>(&mut self, word: &str, value: T) -> Result<T> {
        let end = skip::word(self.text.as_bytes(), self.at, word.as_bytes());
        self.take(end).map(|_| value)
    }

    /// Gives a string away: as it stands where it has no escapes.
    fn string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let closed = quoted::close(self.text.as_bytes(), self.at + 1);
        let quoted = closed.ok_or_else(|| wrong("no string"))?;
        let whole = self.take(Some(quoted.end + 1))?;
        let inside = &whole[1..whole.len() - 1];
        if !quoted.has_escapes {
            return visitor.visit_borrowed_str(inside);
        }
        // Only an escape by number can be half of a pair, which is refused.
        if memchr::memmem::find(inside.as_bytes(), b"\\u").is_some() {
            return serde_json::Deserializer::from_str(whole).deserialize_str(visitor);
        }
        visitor.visit_string(unescaped(inside, usize::MAX).into_owned())
    }

    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let end = skip::number(self.text.as_bytes(), self.at);
        let digits = self.take(end)?;
        match digits.parse() {
            Ok(number) if digits.len() <= SAFE_DIGITS => visitor.visit_u64(number),
            _ => serde_json::Deserializer::from_str(digits).deserialize_any(visitor),
        }
    }

    /// Goes into a list or an object, and out of it when `inside` is done with it.
    fn nested<T>(
        &mut self,
        closing: u8,
        inside: impl FnOnce(Elements<'_, 'de>) -> Result<T>,
    ) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(wrong("nested too deeply"));
        }
        self.depth += 1;
        self.at += 1;
        let value = inside(Elements { reader: self, closing, is_first: true })?;
        self.depth -= 1;
        self.expect(closing)?;
        Ok(value)
    }
}

fn wrong(why: &str) -> Error {
    Error::custom(why)
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek() {
            Some(b'"') => self.string(visitor),
            Some(b'{') => self.nested(b'}', |fields| visitor.visit_map(fields)),
            Some(b'[') => self.nested(b']', |items| visitor.visit_seq(items)),
            Some(b't') => self.word("true", true).and_then(|yes| visitor.visit_bool(yes)),
            Some(b'f') => self.word("false", false).and_then(|no| visitor.visit_bool(no)),
            Some(b'n') => self.word("null", ()).and_then(|()| visitor.visit_unit()),
            Some(_) => self.number(visitor),
            None => Err(wrong("the text ended")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.peek() == Some(b'n') {
            self.word("null", ())?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == RAW_VALUE {
            return visitor.visit_map(Raw(Some(self.raw()?)));
        }
        visitor.visit_newtype_struct(self)
    }

    /// Refuses what is none without a look into it: an error that shows a long text takes longer than all else.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.peek() {
            Some(b'{' | b'[') => self.deserialize_any(visitor),
            _ => Err(wrong("no object")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.raw()?;
        visitor.visit_unit()
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        serde_json::Deserializer::from_str(self.raw()?).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier
    }
}

/// What stands in a list or an object.
struct Elements<'r, 'de> {
    reader: &'r mut Reader<'de>,
    closing: u8,
    is_first: bool,
}

impl Elements<'_, '_> {
    /// Goes to the next element; false where there is no other.
    fn next(&mut self) -> Result<bool> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        match self.reader.peek() {
            Some(byte) if byte == self.closing => Ok(false),
            Some(b',') if !is_first => {
                self.reader.at += 1;
                match self.reader.peek() {
                    Some(byte) if byte == self.closing => Err(wrong("a comma too much")),
                    _ => Ok(true),
                }
            }
            Some(_) if is_first => Ok(true),
            _ => Err(wrong("a comma is missing")),
        }
    }
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next()? { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }
}

impl<'de> MapAccess<'de> for Elements<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.next()? {
            return Ok(None);
        }
        if self.reader.peek() != Some(b'"') {
            return Err(wrong("a name is missing"));
        }
        seed.deserialize(Name(self.reader)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        self.reader.expect(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

/// The name of a field: it is looked at even where nobody wants it, as `serde_json` does.
struct Name<'r, 'de>(&'r mut Reader<'de>);

impl<'de> Deserializer<'de> for Name<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.0.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A raw value as `serde_json` takes it: an object of one field with a name that only it knows.
struct Raw<'de>(Option<&'de str>);

impl<'de> MapAccess<'de> for Raw<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.0.is_none() {
            return Ok(None);
        }
        seed.deserialize(BorrowedStrDeserializer::new(RAW_VALUE)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let raw = self.0.take().ok_or_else(|| wrong("there is one raw value"))?;
        seed.deserialize(BorrowedStrDeserializer::new(raw))
    }
}
