//! Letters, however they are written.

use unicode_normalization::UnicodeNormalization as _;

/// Writes a text in small letters without accents, in one way however its letters are put together.
pub fn low(text: &str) -> String {
    let low = text.to_lowercase();
    if low.is_ascii() {
        return low;
    }
    let is_mark = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    let mut base = ' ';
    // Only those of Latin and Greek letters: in other scripts a mark makes another letter.
    let kept = low.nfd().filter(|c| {
        base = if is_mark(*c) { base } else { *c };
        !is_mark(*c) || base > '\u{3ff}' && base.is_alphabetic()
    });
    kept.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::low;

    #[test]
    fn accents_go_and_letters_stay() {
        assert_eq!(low("Café, CAFE\u{301}, ΆΛΦΑ"), "cafe, cafe, αλφα");
        assert_eq!(low("МОЙ мои"), "мой мои");
    }
}
