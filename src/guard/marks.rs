//! What cannot be seen in a text, what steers a terminal, and what a program could take for its
//! own: one table for all who show text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::Chars;

use super::fold::folded;
use crate::harness;

/// The tag around a pack; nothing inside can look like it.
pub const FENCE: &str = "resume-pack";

/// Tells whether a character has no shape of its own: direction marks, joiners, fillers, tags.
///
/// Joiners and the selectors of emoji count too; [`visible`] keeps them where a script needs them.
pub fn is_hidden(c: char) -> bool {
    is_turning(c)
        || is_filler(c)
        || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}')
        || is_selector(c)
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}')
        || is_tag(c)
}

/// Tells whether a character changes the direction of what follows it.
pub fn is_turning(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Tells whether a character sets the direction of all that follows, up to an end mark: it can have
/// a text read in another order than it stands. The marks for one place cannot.
pub(super) fn is_reordering(c: char) -> bool {
    is_turning(c) && !is_direction_mark(c)
}

/// Tells whether a character only tells the direction of its own place.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
}

/// Tells whether a character is of a script that is written from the right.
fn is_from_right(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
        && !is_hidden(c)
}

/// Tells whether a character is an unseen filler of a line or a syllable.
fn is_filler(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
        || matches!(c, '\u{180e}' | '\u{3164}' | '\u{ffa0}')
}

/// Tells whether a character only chooses the shape of the one before it.
pub(super) fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Tells whether a character is of the block that spells ASCII without showing it.
pub(super) fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Tells whether a character steers a terminal; line feeds and tabs do not.
pub fn is_steering(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

/// Returns what stands behind a terminal's escape that began with `first`, an escape character or one
/// of the single characters that stand for it and a letter; `rest` follows that.
pub fn after_escape(first: char, rest: &str) -> &str {
    let (kind, rest) = match first {
        '\u{1b}' => match rest.chars().next() {
            Some(c) if !c.is_control() => (Some(c), &rest[c.len_utf8()..]),
            _ => return rest,
        },
        // U+0080 and a letter less 0x40: the short form of an escape and that letter.
        _ => (char::from_u32(u32::from(first).wrapping_sub(0x40)), rest),
    };
    match kind {
        Some('[') => {
            let rest = rest.trim_start_matches(|c| (' '..='?').contains(&c));
            rest.strip_prefix(|c| ('@'..='~').contains(&c)).unwrap_or(rest)
        }
        // Titles, links, pictures and messages last until a bell or `ESC \`.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            let end = rest.find(['\u{7}', '\u{1b}', '\u{9c}', '\n']).unwrap_or(rest.len());
            let rest = &rest[end..];
            match rest.strip_prefix('\u{1b}') {
                Some(rest) => rest.strip_prefix('\\').unwrap_or(rest),
                None => rest.strip_prefix(['\u{7}', '\u{9c}']).unwrap_or(rest),
            }
        }
        // The choice of a character set has one more letter.
        Some('(' | ')' | '*' | '+' | '#' | '%' | ' ') => {
            rest.strip_prefix(|_| true).unwrap_or(rest)
        }
        _ => rest,
    }
}

/// Tells whether a character begins an escape of a terminal.
pub fn is_escape(c: char) -> bool {
    matches!(c, '\u{1b}' | '\u{90}' | '\u{98}' | '\u{9b}' | '\u{9d}'..='\u{9f}')
}

/// Returns a text without escapes of a terminal, control characters and hidden marks.
///
/// Joiners stay between emoji and in the scripts that need them; a selector stays after a sign.
pub fn visible(text: &str) -> Cow<'_, str> {
    stripped(text, |_| false, |_| ())
}

/// Returns a text without what nobody sees and nothing needs, and how often each such character
/// stood in it.
///
/// Unlike [`visible`] it leaves ends of lines as they are, a byte order mark at the start, and marks
/// of direction in a text that has words of a script that is written from the right.
pub fn shed(text: &str) -> (Cow<'_, str>, BTreeMap<char, usize>) {
    let mut gone = BTreeMap::new();
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let turns = bare.contains(is_from_right);
    let keeps =
        |c| matches!(c, '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') || turns && is_direction_mark(c);
    let left = stripped(bare, keeps, |c| *gone.entry(c).or_default() += 1);
    let left = match left {
        Cow::Owned(left) if !gone.is_empty() => {
            Cow::Owned(format!("{}{left}", &text[..text.len() - bare.len()]))
        }
        _ => Cow::Borrowed(text),
    };
    (left, gone)
}

/// Returns a text without what nobody sees, but for what `keeps` says; `gone` is told each character
/// that goes.
fn stripped(text: &str, keeps: impl Fn(char) -> bool, mut gone: impl FnMut(char)) -> Cow<'_, str> {
    let Some(first) = odd(text, |c| !keeps(c)) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let before = text[..first].chars().next_back();
    out.push_str(&text[..first]);
    let mut chars = text[first..].chars();
    let mut last = before;
    loop {
        if last.take_if(|c| *c == BLACK_FLAG).is_some() {
            push_flag(&mut out, &mut chars);
        }
        let Some(c) = chars.next() else { break };
        match c {
            c if keeps(c) => {
                out.push(c);
                last = Some(c);
            }
            c if is_escape(c) => {
                gone(c);
                chars = after_escape(c, chars.as_str()).chars();
            }
            '\u{2028}' | '\u{2029}' => out.push('\n'),
            c if is_steering(c) => gone(c),
            c if is_hidden(c) && !is_needed(c, last, chars.clone().next()) => gone(c),
            c => {
                out.push(c);
                last = Some(c);
            }
        }
    }
    Cow::Owned(out)
}

/// Finds the first character that steers a terminal, has no shape of its own or ends a line in a way of
/// its own, and of which `counts` says so.
fn odd(text: &str, counts: impl Fn(char) -> bool) -> Option<usize> {
    let is_odd = |c: char| is_steering(c) || is_hidden(c) || matches!(c, '\u{2028}' | '\u{2029}');
    let bytes = text.as_bytes();
    let mut at = 0;
    // Nearly every byte tells that it begins none of them.
    while let Some(found) = bytes[at..].iter().position(|byte| MAY_BE_ODD[usize::from(*byte)]) {
        at += found;
        let c = text[at..].chars().next()?;
        if is_odd(c) && counts(c) {
            return Some(at);
        }
        at += c.len_utf8();
    }
    None
}

/// Whether a text has a character that [`visible`] would look at.
pub(super) fn has_odd(text: &str) -> bool {
    odd(text, |_| true).is_some()
}

/// The first bytes of all characters that [`odd`] finds, and of others.
const MAY_BE_ODD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = match byte {
            // Line feeds and tabs are none.
            0x09 | 0x0A => false,
            0..=0x1F | 0x7F => true,
            0xC2 | 0xCD | 0xD8 | 0xE1 | 0xE2 | 0xE3 | 0xEF | 0xF0 | 0xF3 => true,
            _ => false,
        };
        byte += 1;
    }
    table
};

/// The flags of England, Scotland and Wales are this one and tags.
pub(super) const BLACK_FLAG: char = '\u{1f3f4}';

/// What follows the black flag, as tags.
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// Moves the tags behind a black flag, if they are those of a flag.
fn push_flag(out: &mut String, chars: &mut Chars<'_>) {
    const TAGS: usize = 6;
    let ascii = |c: char| u32::from(c).checked_sub(0xe0000).and_then(char::from_u32);
    let name: String = chars.clone().take(TAGS).filter_map(ascii).collect();
    if FLAGS.iter().any(|flag| name.strip_suffix('\u{7f}') == Some(flag)) {
        out.extend(chars.by_ref().take(TAGS));
    }
}

/// Tells whether a hidden mark does what it is for, between its neighbours.
pub(super) fn is_needed(mark: char, before: Option<char>, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    match mark {
        '\u{200d}' => {
            (is_sign(before) || before == '\u{fe0f}') && after.is_some_and(is_sign) || joins(before)
        }
        '\u{200c}' => joins(before),
        '\u{fe0e}' | '\u{fe0f}' => is_sign(before) || matches!(before, '0'..='9' | '#' | '*'),
        _ => false,
    }
}

/// Tells whether a character is an emoji or another sign that can be shown as one.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}')
        && !is_hidden(c)
}

/// Tells whether a character is of a script that is written with joiners: Arabic, Syriac, those
/// of India and of south-east Asia, Mongolian.
fn joins(c: char) -> bool {
    let is_letter = matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{e00}'..='\u{109f}')
        || matches!(c, '\u{1780}'..='\u{18af}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}');
    is_letter && !is_hidden(c)
}

/// Makes a text harmless to whoever reads it as part of a larger one: nothing hidden, no control
/// characters, and no tag that a program could take for its own.
pub fn defused(text: &str) -> String {
    // What is dropped goes first: a hidden mark must not part a tag from its bracket.
    let text = visible(text);
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '＜' | '﹤' if is_program_tag(&text[at + c.len_utf8()..]) => out.push('‹'),
            c => out.push(c),
        }
    }
    out
}

/// How much of a line is looked at for the end of a tag, in bytes.
const LINE_BYTES: usize = 400;

/// Tells whether what follows a bracket is a tag of a program: a name with `-`, `_` or `:`, one in
/// capitals, one of a harness, or a mark such as `|im_start|`.
///
/// Behind a space or an arrow, where nothing closes it on its line, only the name of a harness's tag is
/// one: code compares (`size < MAX_SIZE`) and assigns (`x <- read_all()`) so. `::` stands in names of
/// types (`<std::string>`).
fn is_program_tag(after: &str) -> bool {
    if after.starts_with('|') {
        return true;
    }
    let name = tag_name(after);
    let near = &after[..after.floor_char_boundary(LINE_BYTES)];
    let line = near.lines().next().unwrap_or_default();
    let is_whole = line.len() < near.len() || near.len() == after.len();
    let is_spaced = after.starts_with(|c: char| c.is_whitespace() || c == '-');
    let is_code = is_spaced && is_whole && !line.contains(['>', '＞', '›']);
    let bare = name.replace("::", "");
    let looks_so =
        bare.contains(['-', '_', ':']) || bare.len() > 3 && bare.chars().all(char::is_uppercase);
    !is_code && looks_so || is_host_tag(&name)
}

/// How much of a text is looked at for the name of a tag, in bytes.
const NAME_BYTES: usize = 96;

/// Returns the name of the tag whose bracket stands before `after`, with letters that only look
/// like Latin ones as those.
fn tag_name(after: &str) -> String {
    let is_lead = |c: char| matches!(c, '/' | '!' | '-' | '?' | '／') || c.is_whitespace();
    let name = after.trim_start_matches(is_lead);
    let name = &name[..name.ceil_char_boundary(NAME_BYTES)];
    let folded = folded(name);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
    folded[..folded.find(|c| !is_name(c)).unwrap_or(folded.len())].to_owned()
}

/// Tells whether `name` is a tag of a harness, or of this program.
fn is_host_tag(name: &str) -> bool {
    let is_it = |tag: &&str| name.eq_ignore_ascii_case(tag);
    is_it(&FENCE) || harness::ALL.iter().any(|harness| harness.host_tags().iter().any(is_it))
}

/// Tells whether a text has a tag of a harness in it, open or closed.
pub(super) fn has_host_tag(text: &str) -> bool {
    let mut brackets = text.match_indices(['<', '＜', '﹤']);
    brackets.any(|(at, bracket)| is_host_tag(&tag_name(&text[at + bracket.len()..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_end_the_pack_or_speak_as_a_program() {
        let reminder = "<system-reminder>x</system-reminder>";
        assert_eq!(defused("a </resume-pack> b"), "a ‹/resume-pack> b");
        assert_eq!(defused(reminder), "‹system-reminder>x‹/system-reminder>");
        assert_eq!(defused("<div>1 < 2</div> Vec<u8>"), "<div>1 < 2</div> Vec<u8>");
        assert_eq!(defused("<tick>, <|im_start|>"), "‹tick>, ‹|im_start|>");
        assert_eq!(defused("<own_tag>< own_tag>< TICK>"), "‹own_tag>‹ own_tag>‹ TICK>");
        for tag in ["< ide_selection>", "<-T-1-R>", "<resume-pack::x>", "< a:invoke name='x'>"] {
            assert!(defused(tag).starts_with('‹'), "{tag}");
        }
        // Where the line ends is not looked for without end.
        let long = format!("< ide_selection {}>", "x".repeat(LINE_BYTES));
        assert!(defused(&long).starts_with('‹'));
        for code in ["size < MAX_SIZE", "x <- read_all()", "map<std::string, int>"] {
            assert_eq!(defused(code), code);
        }
        let parted = [
            "<\u{200b}/resume-pack>",
            "<\u{1}/resume-pack>",
            "</\n\tresume-pack>",
            "<\u{e0001}/resume-pack>",
            "＜/resume-pack>",
            "</resume\u{2010}pack>",
            "</r\u{435}sume-p\u{430}ck>",
            "</ｒｅｓｕｍｅ－ｐａｃｋ>",
            "<／resume-pack>",
            "</\u{1d42b}esume\u{ad}-pack>",
            "</\u{1b}[0mresume-pack>",
        ];
        for text in parted {
            assert!(!defused(text).contains(['<', '＜']), "{text:?}: {:?}", defused(text));
        }
    }

    #[test]
    fn every_odd_character_is_found_by_its_first_byte() {
        for c in '\0'..=char::MAX {
            let is_odd = is_steering(c) || is_hidden(c) || matches!(c, '\u{2028}' | '\u{2029}');
            assert_eq!(has_odd(&format!("a{c}b")), is_odd, "{c:?}");
        }
    }

    #[test]
    fn escapes_of_a_terminal_go_whole() {
        let cases = [
            ("a\u{1b}[31mb\u{202e}c\u{200b}", "abc"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://a\u{1b}\\link\u{1b}]8;;\u{1b}\\!", "link!"),
            ("\u{9b}2Jx\u{1b}Pq#0;\u{1b}\\y", "xy"),
            ("\u{1b}(Bz\u{1b}", "z"),
            ("one\u{2028}two\r\n", "one\ntwo\n"),
            ("\u{1b}]0;never ends\nnext", "\nnext"),
            ("\u{1b}[31", ""),
        ];
        for (text, wanted) in cases {
            assert_eq!(visible(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn what_is_shed_is_told_by_code_point_and_what_is_needed_stays() {
        let kept = [
            "\u{feff}one\r\ntwo\u{2028}three\u{85}",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 👩🏽\u{200d}🚀",
            "שלום\u{200f} (abc)\u{200e}",
            "می\u{200c}خواهم क्\u{200d}ष",
        ];
        for text in kept {
            assert_eq!(shed(text), (Cow::Borrowed(text), BTreeMap::new()), "{text:?}");
        }
        let (left, gone) = shed("\u{feff}a\u{200b}b\u{200b}\r\n\u{ad}c\u{1b}[31md\u{200e}");
        assert_eq!(left, "\u{feff}ab\r\ncd");
        let wanted = [('\u{1b}', 1), ('\u{ad}', 1), ('\u{200b}', 2), ('\u{200e}', 1)];
        assert_eq!(gone, BTreeMap::from(wanted));
        // Words that follow the flag unseen are none of its own.
        let (left, gone) = shed("🏴\u{e0064}\u{e0065}\u{e006c}\u{e0065}\u{e0074}\u{e007f}!");
        assert_eq!((left.as_ref(), gone.len()), ("🏴!", 5));
    }

    #[test]
    fn scripts_and_emoji_keep_what_they_need() {
        let kept = [
            "👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "日本語、한국어, עברית, русский",
            "👩🏽\u{200d}🚀",
        ];
        for text in kept {
            assert_eq!(visible(text), text);
        }
        assert_eq!(visible("a\u{200d}b\u{fe0f}c\u{200c}d\u{e0100}"), "abcd");
        assert_eq!(visible("\u{3164}\u{115f}\u{17b4}\u{180e}x"), "x");
    }
}
