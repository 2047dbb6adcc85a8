//! Letters that only look like Latin ones, as those.

use std::borrow::Cow;

/// Returns `text` with what looks like ASCII as ASCII: wide and mathematical letters, the Greek and
/// Cyrillic ones of the same shape, dashes and spaces of any kind.
///
/// Meant for comparing, never for showing: words of other languages come out changed.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = text.as_bytes()[at..].iter().position(|byte| !byte.is_ascii()) {
        at += found;
        let Some(c) = text[at..].chars().next() else { break };
        let folded = fold(c);
        if folded != c {
            out.push_str(&text[copied..at]);
            out.push(folded);
            copied = at + c.len_utf8();
        }
        at += c.len_utf8();
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

fn fold(c: char) -> char {
    match c {
        c if c.is_ascii() => c,
        // The wide forms stand in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => shifted(c, 0xfee0),
        '\u{1d400}'..='\u{1d6a3}' => mathematical(c),
        '\u{24b6}'..='\u{24cf}' => shifted(c, 0x24b6 - 0x41),
        '\u{24d0}'..='\u{24e9}' => shifted(c, 0x24d0 - 0x61),
        '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '\u{2018}' | '\u{2019}' => '\'',
        c => SHAPES.iter().find(|(shape, _)| *shape == c).map_or(c, |(_, latin)| *latin),
    }
}

fn shifted(c: char, by: u32) -> char {
    char::from_u32(u32::from(c) - by).unwrap_or(c)
}

/// The mathematical alphabets follow each other, 26 capital and 26 small letters each.
fn mathematical(c: char) -> char {
    let place = (u32::from(c) - 0x1d400) % 52;
    let code = if place < 26 { 0x41 + place } else { 0x61 + place - 26 };
    char::from_u32(code).unwrap_or(c)
}

/// Greek and Cyrillic letters and the Latin ones that they cannot be told from.
const SHAPES: &[(char, char)] = &[
    ('а', 'a'),
    ('е', 'e'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('у', 'y'),
    ('х', 'x'),
    ('і', 'i'),
    ('ј', 'j'),
    ('ѕ', 's'),
    ('ԁ', 'd'),
    ('һ', 'h'),
    ('ԛ', 'q'),
    ('ԝ', 'w'),
    ('А', 'A'),
    ('В', 'B'),
    ('Е', 'E'),
    ('К', 'K'),
    ('М', 'M'),
    ('Н', 'H'),
    ('О', 'O'),
    ('Р', 'P'),
    ('С', 'C'),
    ('Т', 'T'),
    ('У', 'Y'),
    ('Х', 'X'),
    ('І', 'I'),
    ('Ѕ', 'S'),
    ('ο', 'o'),
    ('α', 'a'),
    ('ν', 'v'),
    ('ρ', 'p'),
    ('ι', 'i'),
    ('υ', 'u'),
    ('κ', 'k'),
    ('Α', 'A'),
    ('Β', 'B'),
    ('Ε', 'E'),
    ('Η', 'H'),
    ('Ι', 'I'),
    ('Κ', 'K'),
    ('Μ', 'M'),
    ('Ν', 'N'),
    ('Ο', 'O'),
    ('Ρ', 'P'),
    ('Τ', 'T'),
    ('Χ', 'X'),
    ('Υ', 'Y'),
    ('Ζ', 'Z'),
    ('ı', 'i'),
    ('ɡ', 'g'),
    ('ℹ', 'i'),
    ('ꜱ', 's'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_ascii_is_compared_as_ascii() {
        assert_eq!(folded("іgnоrе"), "ignore");
        assert_eq!(folded("ｉｇｎｏｒｅ　ａｌｌ"), "ignore all");
        assert_eq!(folded("𝐢𝐠𝐧𝐨𝐫𝐞 ⓐⓛⓛ"), "ignore all");
        assert_eq!(folded("日本語 é"), "日本語 é");
    }
}
