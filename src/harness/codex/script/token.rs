//! JavaScript to tokens, as far as it takes to find calls and literals.

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or keyword.
    Word(String),
    /// A quoted text.
    Text(String),
    /// A text in backticks, and the same as it stands.
    Template(Vec<Bit>, String),
    /// A number as it stands.
    Number(String),
    /// One sign; see the constants for longer ones.
    Mark(char),
}

/// `=>`
pub(super) const ARROW: char = '→';
/// `...`
pub(super) const SPREAD: char = '…';
/// Any operator that makes a value unknown.
pub(super) const OTHER: char = '¤';

/// A piece of a text in backticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bit {
    /// Plain text.
    Text(String),
    /// What stands in `${}`.
    Source(String),
}

/// A token, and whether a line begins with it.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) token: Token,
    pub(super) fresh: bool,
}

/// Takes a script apart; what is no JavaScript gives some tokens or other, never a failure.
pub(super) fn tokens(script: &str) -> Vec<Spot> {
    let mut lexer =
        Lexer { chars: script.chars().collect(), at: 0, found: Vec::new(), fresh: true };
    while lexer.step() {}
    lexer.found
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    found: Vec<Spot>,
    fresh: bool,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn push(&mut self, token: Token) {
        self.found.push(Spot { token, fresh: std::mem::take(&mut self.fresh) });
    }

    fn step(&mut self) -> bool {
        if self.at >= self.chars.len() {
            return false;
        }
        match (self.peek(0), self.peek(1)) {
            ('/', '/') => self.skip_line(),
            ('/', '*') => self.skip_comment(),
            ('/', _) if self.expects_value() => self.regex(),
            ('"' | '\'', _) => self.quoted(),
            ('`', _) => self.template(),
            (sign, _) if sign.is_whitespace() => {
                self.fresh |= sign == '\n';
                self.at += 1;
            }
            (sign, _) if sign.is_ascii_digit() => self.number(),
            (sign, _) if is_name(sign) => self.word(),
            _ => self.mark(),
        }
        true
    }

    fn skip_line(&mut self) {
        while self.at < self.chars.len() && self.peek(0) != '\n' {
            self.at += 1;
        }
    }

    fn skip_comment(&mut self) {
        self.at += 2;
        while self.at < self.chars.len() && (self.peek(0), self.peek(1)) != ('*', '/') {
            self.at += 1;
        }
        self.at += 2;
    }

    /// Tells whether a slash here begins a regular expression rather than divides.
    fn expects_value(&self) -> bool {
        match self.found.last().map(|spot| &spot.token) {
            None => true,
            Some(Token::Mark(sign)) => !matches!(sign, ')' | ']' | '}'),
            Some(Token::Word(word)) => {
                matches!(word.as_str(), "return" | "typeof" | "await" | "of")
            }
            Some(_) => false,
        }
    }

    fn regex(&mut self) {
        let mut in_class = false;
        self.at += 1;
        while self.at < self.chars.len() {
            match self.peek(0) {
                '\\' => self.at += 1,
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => break,
                '\n' => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        while is_name(self.peek(0)) {
            self.at += 1;
        }
        self.push(Token::Mark(OTHER));
    }

    fn quoted(&mut self) {
        let quote = self.peek(0);
        let mut text = String::new();
        self.at += 1;
        while self.at < self.chars.len() && self.peek(0) != quote {
            self.take_into(&mut text);
        }
        self.at += 1;
        self.push(Token::Text(text));
    }

    /// Takes one character of a text, or one escape.
    fn take_into(&mut self, text: &mut String) {
        if self.peek(0) != '\\' {
            text.push(self.peek(0));
            self.at += 1;
            return;
        }
        let sign = self.peek(1);
        self.at += 2;
        match sign {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'v' => text.push('\u{b}'),
            '0' => text.push('\0'),
            'x' => self.hex(2, text),
            'u' => self.unicode(text),
            '\n' => {}
            other => text.push(other),
        }
    }

    fn hex(&mut self, digits: usize, text: &mut String) {
        if let Some(unit) = self.digits(digits) {
            self.at += digits;
            text.push(char::from_u32(unit).unwrap_or('\u{fffd}'));
        }
    }

    fn digits(&self, count: usize) -> Option<u32> {
        let digits: String = self.chars.get(self.at..self.at + count)?.iter().collect();
        u32::from_str_radix(&digits, 16).ok()
    }

    fn unicode(&mut self, text: &mut String) {
        if self.peek(0) == '{' {
            let length = self.chars[self.at..].iter().take(9).position(|sign| *sign == '}');
            let length = length.unwrap_or(1);
            self.at += 1;
            let unit = self.digits(length - 1);
            self.at += length;
            text.push(unit.and_then(char::from_u32).unwrap_or('\u{fffd}'));
            return;
        }
        let first = self.digits(4).unwrap_or(0xFFFD);
        self.at += 4;
        let is_pair =
            (0xD800..0xDC00).contains(&first) && (self.peek(0), self.peek(1)) == ('\\', 'u');
        if !is_pair {
            text.push(char::from_u32(first).unwrap_or('\u{fffd}'));
            return;
        }
        self.at += 2;
        let second = self.digits(4).unwrap_or(0xDC00);
        self.at += 4;
        let unit = 0x10000 + ((first - 0xD800) << 10) + (second.wrapping_sub(0xDC00) & 0x3FF);
        text.push(char::from_u32(unit).unwrap_or('\u{fffd}'));
    }

    fn template(&mut self) {
        let (mut bits, mut text) = (Vec::new(), String::new());
        self.at += 1;
        let from = self.at;
        while self.at < self.chars.len() && self.peek(0) != '`' {
            if (self.peek(0), self.peek(1)) == ('$', '{') {
                bits.push(Bit::Text(std::mem::take(&mut text)));
                bits.push(Bit::Source(self.hole()));
            } else {
                self.take_into(&mut text);
            }
        }
        bits.push(Bit::Text(text));
        let to = self.at.min(self.chars.len());
        let raw = self.chars[from.min(to)..to].iter().collect();
        self.at += 1;
        self.push(Token::Template(bits, raw));
    }

    /// Takes what stands in `${}`, texts with braces included.
    fn hole(&mut self) -> String {
        self.at += 2;
        let from = self.at;
        let (mut depth, mut quote) = (1, None);
        while self.at < self.chars.len() {
            let sign = self.peek(0);
            match (quote, sign) {
                (Some(_), '\\') => self.at += 1,
                (Some(open), close) if open == close => quote = None,
                (None, '"' | '\'' | '`') => quote = Some(sign),
                (None, '{') => depth += 1,
                (None, '}') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            self.at += 1;
        }
        let to = self.at.min(self.chars.len());
        self.at += 1;
        self.chars[from.min(to)..to].iter().collect()
    }

    fn number(&mut self) {
        let from = self.at;
        while self.peek(0).is_ascii_alphanumeric() || matches!(self.peek(0), '.' | '_') {
            self.at += 1;
        }
        let digits: String =
            self.chars[from..self.at].iter().filter(|sign| **sign != '_').collect();
        self.push(Token::Number(digits));
    }

    fn word(&mut self) {
        let from = self.at;
        while is_name(self.peek(0)) || self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        let word = self.chars[from..self.at].iter().collect();
        self.push(Token::Word(word));
    }

    fn mark(&mut self) {
        let next = [self.peek(0), self.peek(1), self.peek(2)];
        let (sign, length) = match next {
            ['=', '>', _] => (ARROW, 2),
            ['.', '.', '.'] => (SPREAD, 3),
            ['?', '.', '('] | ['?', '.', '['] => (OTHER, 2),
            ['?', '.', _] => ('.', 2),
            ['=', '=', '='] | ['!', '=', '='] => (OTHER, 3),
            ['=' | '!' | '<' | '>' | '+' | '-' | '*', '=', _]
            | ['&', '&', _]
            | ['|', '|', _]
            | ['?', '?', _]
            | ['+', '+', _]
            | ['-', '-', _] => (OTHER, 2),
            [sign, ..] => (sign, 1),
        };
        self.at += length;
        self.push(Token::Mark(sign));
    }
}

fn is_name(sign: char) -> bool {
    sign.is_alphabetic() || sign == '_' || sign == '$'
}
