//! Literals of a script as JSON, with the names that stand for them.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::token::{self, Bit, SPREAD, Spot, Token};

/// How deep expressions are followed.
const MAX_DEPTH: usize = 40;

/// What names stand for.
pub(super) type Names = FxHashMap<String, Value>;

/// Tokens with the means to read values out of them.
pub(super) struct Code {
    pub(super) spots: Vec<Spot>,
}

impl Code {
    /// Returns the token at `at`.
    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.spots.get(at).map(|spot| &spot.token)
    }

    /// Tells whether the sign at `at` is `sign`.
    pub(super) fn is(&self, at: usize, sign: char) -> bool {
        self.token(at) == Some(&Token::Mark(sign))
    }

    /// Returns the name at `at`.
    pub(super) fn word(&self, at: usize) -> Option<&str> {
        match self.token(at) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Returns where the bracket at `at` is closed.
    pub(super) fn close(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for (place, spot) in self.spots.iter().enumerate().skip(at) {
            match spot.token {
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return place;
            }
        }
        self.spots.len()
    }

    /// Returns where the bracket that is closed at `at` is opened.
    pub(super) fn open(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for place in (0..=at.min(self.spots.len().saturating_sub(1))).rev() {
            match self.spots[place].token {
                Token::Mark(')' | ']' | '}') => depth += 1,
                Token::Mark('(' | '[' | '{') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return place;
            }
        }
        0
    }

    /// Returns where an expression ends: at a comma, a semicolon or a closing bracket.
    pub(super) fn stop(&self, at: usize) -> usize {
        let mut place = at;
        while place < self.spots.len() {
            match self.spots[place].token {
                Token::Mark('(' | '[' | '{') => place = self.close(place),
                Token::Mark(',' | ';' | ')' | ']' | '}') => return place,
                _ => {}
            }
            place += 1;
        }
        self.spots.len()
    }

    /// Reads the expression at `at`; nothing if it is not made of literals.
    pub(super) fn value(&self, at: usize, names: &Names) -> Option<Value> {
        self.whole(at, names, 0)
    }

    fn whole(&self, at: usize, names: &Names, depth: usize) -> Option<Value> {
        let (value, next) = self.sum(at, names, depth)?;
        let ends = match self.spots.get(next) {
            None => true,
            Some(spot) => {
                spot.fresh || matches!(spot.token, Token::Mark(',' | ';' | ')' | ']' | '}'))
            }
        };
        ends.then_some(value)
    }

    fn sum(&self, at: usize, names: &Names, depth: usize) -> Option<(Value, usize)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (mut value, mut next) = self.term(at, names, depth)?;
        while self.is(next, '+') {
            let (more, after) = self.term(next + 1, names, depth)?;
            if !value.is_string() && !more.is_string() {
                return None;
            }
            value = Value::String(format!("{}{}", words(&value)?, words(&more)?));
            next = after;
        }
        Some((value, next))
    }

    fn term(&self, at: usize, names: &Names, depth: usize) -> Option<(Value, usize)> {
        let (mut value, mut next) = self.primary(at, names, depth)?;
        loop {
            if self.is(next, '[') && !self.spots[next].fresh {
                let index = self.whole(next + 1, names, depth + 1)?;
                value = element(&value, &index)?;
                next = self.close(next) + 1;
            } else if self.is(next, '.') {
                let name = self.word(next + 1)?;
                if self.is(next + 2, '(') {
                    value = self.method(&value, name, next + 3, names, depth)?;
                    next = self.close(next + 2) + 1;
                } else {
                    value = value.get(name)?.clone();
                    next += 2;
                }
            } else {
                return Some((value, next));
            }
        }
    }

    fn method(
        &self,
        value: &Value,
        name: &str,
        at: usize,
        names: &Names,
        depth: usize,
    ) -> Option<Value> {
        match name {
            "join" => {
                let between = self.whole(at, names, depth + 1).and_then(|value| words(&value));
                let between = between.unwrap_or_else(|| ",".to_owned());
                let texts: Option<Vec<String>> = value.as_array()?.iter().map(words).collect();
                Some(Value::String(texts?.join(&between)))
            }
            "trim" | "trimStart" | "trimEnd" => Some(Value::String(value.as_str()?.trim().into())),
            "toString" => Some(Value::String(words(value)?)),
            "filter" if value.is_array() && self.word(at) == Some("Boolean") => Some(value.clone()),
            _ => None,
        }
    }

    fn primary(&self, at: usize, names: &Names, depth: usize) -> Option<(Value, usize)> {
        match self.token(at)? {
            Token::Text(text) => Some((Value::String(text.clone()), at + 1)),
            Token::Template(bits, _) => Some((Value::String(filled(bits, names, depth)), at + 1)),
            Token::Number(digits) => Some((number(digits)?, at + 1)),
            Token::Mark('-') => match self.token(at + 1)? {
                Token::Number(digits) => Some((number(&format!("-{digits}"))?, at + 2)),
                _ => None,
            },
            Token::Mark('[') => Some((self.array(at, names, depth), self.close(at) + 1)),
            Token::Mark('{') => Some((self.object(at, names, depth), self.close(at) + 1)),
            Token::Mark('(') => Some((self.whole(at + 1, names, depth + 1)?, self.close(at) + 1)),
            Token::Word(word) => self.named(word, at, names, depth),
            Token::Mark(_) => None,
        }
    }

    fn named(&self, word: &str, at: usize, names: &Names, depth: usize) -> Option<(Value, usize)> {
        match word {
            "true" => Some((Value::Bool(true), at + 1)),
            "false" => Some((Value::Bool(false), at + 1)),
            "null" | "undefined" => Some((Value::Null, at + 1)),
            "String" if self.word(at + 2) == Some("raw") => match self.token(at + 3)? {
                Token::Template(_, raw) => Some((Value::String(raw.clone()), at + 4)),
                _ => None,
            },
            "JSON" if self.word(at + 2) == Some("stringify") => {
                let value = self.whole(at + 4, names, depth + 1)?;
                Some((Value::String(value.to_string()), self.close(at + 3) + 1))
            }
            _ => Some((names.get(word)?.clone(), at + 1)),
        }
    }

    /// Reads a list; what is unknown in it is null.
    fn array(&self, at: usize, names: &Names, depth: usize) -> Value {
        let (mut list, mut next, end) = (Vec::new(), at + 1, self.close(at));
        while next < end {
            if self.is(next, SPREAD) {
                match self.whole(next + 1, names, depth + 1) {
                    Some(Value::Array(more)) => list.extend(more),
                    _ => list.push(Value::Null),
                }
            } else {
                list.push(self.whole(next, names, depth + 1).unwrap_or_default());
            }
            next = self.stop(next) + 1;
        }
        Value::Array(list)
    }

    /// Reads an object; fields that are unknown are left out.
    fn object(&self, at: usize, names: &Names, depth: usize) -> Value {
        let (mut fields, mut next, end) = (Map::new(), at + 1, self.close(at));
        while next < end {
            if self.is(next, SPREAD) {
                if let Some(Value::Object(more)) = self.whole(next + 1, names, depth + 1) {
                    fields.extend(more);
                }
            } else if let Some((key, value)) = self.field(next, names, depth) {
                fields.insert(key, value);
            }
            next = self.stop(next) + 1;
        }
        Value::Object(fields)
    }

    fn field(&self, at: usize, names: &Names, depth: usize) -> Option<(String, Value)> {
        let key = match self.token(at)? {
            Token::Word(key) | Token::Text(key) | Token::Number(key) => key.clone(),
            Token::Template(..) | Token::Mark(_) => return None,
        };
        if self.is(at + 1, ':') {
            return Some((key, self.whole(at + 2, names, depth + 1)?));
        }
        let value = names.get(&key)?.clone();
        Some((key, value))
    }
}

/// Returns a value as it would stand inside a text.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn element(value: &Value, index: &Value) -> Option<Value> {
    match index {
        Value::String(key) => value.get(key).cloned(),
        Value::Number(place) => value.get(usize::try_from(place.as_u64()?).ok()?).cloned(),
        _ => None,
    }
}

fn number(digits: &str) -> Option<Value> {
    let whole = digits.parse::<i64>().ok().map(Value::from);
    whole.or_else(|| digits.parse::<f64>().ok().map(Value::from))
}

/// Fills the holes of a text; what is unknown stays as it stands.
fn filled(bits: &[Bit], names: &Names, depth: usize) -> String {
    let mut text = String::new();
    for bit in bits {
        match bit {
            Bit::Text(plain) => text.push_str(plain),
            Bit::Source(source) => {
                let code = Code { spots: token::tokens(source) };
                let value = (depth < MAX_DEPTH).then(|| code.whole(0, names, depth + 8)).flatten();
                match value.as_ref().and_then(words) {
                    Some(value) => text.push_str(&value),
                    None => text.push_str(&format!("${{{source}}}")),
                }
            }
        }
    }
    text
}
