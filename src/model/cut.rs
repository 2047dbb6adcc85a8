//! Where a text may be cut.

/// The longest word that is left out where a cut would stand in it, in characters; a longer one is no word.
const WORD_CHARS: usize = 20;

/// Tells whether a character is of a script that has no blanks between words: Thai and its
/// neighbours, and the scripts of East Asia.
pub fn is_unparted(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns where to cut a text that is to be cut at the byte `at` or before, so that no word is cut: `at` itself
/// where a word ends, where words are not parted by blanks, or where more would go than a word or than half.
pub fn word_end(text: &str, at: usize) -> usize {
    let (kept, rest) = text.split_at(at);
    let (last, next) = (kept.chars().next_back(), rest.chars().next());
    // What was cut before stays as it is.
    let ends = |c: char| c.is_whitespace() || c == '…' || is_unparted(c);
    let parts = |c: Option<char>| c.is_none_or(ends);
    if parts(last) || parts(next) {
        return at;
    }
    let words = kept.trim_end_matches(|c: char| !c.is_whitespace());
    let is_word = kept[words.len()..].chars().count() <= WORD_CHARS;
    match is_word && 2 * words.trim_end().len() >= at {
        true => words.trim_end().len(),
        false => at,
    }
}

/// Returns a text, or its first `most` characters and an ellipsis, up to the end of a word.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text[..word_end(text, at)].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_text_is_cut_at_the_end_of_a_word() {
        let text = "Mend the decimal marks";
        for (most, told) in [
            (22, "Mend the decimal marks"),
            (21, "Mend the decimal…"),
            (17, "Mend the decimal…"),
            (16, "Mend the decimal…"),
            (15, "Mend the…"),
            // Half of it would go.
            (7, "Mend…"),
            (3, "Men…"),
        ] {
            assert_eq!(shortened(text, most), told, "{most}");
        }
        for most in 1..22 {
            let told = shortened(text, most);
            assert_eq!(shortened(&told, most), told, "{most}");
        }
        assert_eq!(shortened("日本語のテキスト", 4), "日本語の…");
        assert_eq!(shortened("see 日本語のテキスト", 6), "see 日本…");
        // What is longer than a word has no end that could be waited for.
        let path = format!("see {}", "ab/".repeat(20));
        assert_eq!(shortened(&path, 40), format!("{}…", &path[..40]));
    }
}
