//! Texts that are cut, and never so that of a secret something is left that nobody would know as one.

use std::borrow::Cow;
use std::ops::Range;

use super::text::GAP;
use crate::{guard, model};

/// How far the end of what is left out is moved on so that it does not stand inside of a word, in characters.
const WORD_CHARS: usize = 20;

/// How far before a cut a secret is looked for, in bytes.
const BEFORE_BYTES: usize = 1024;
/// How far behind it: a rule may need what follows.
const BEHIND_BYTES: usize = 256;

/// The longest word that is looked at whole, in bytes.
const TOKEN_BYTES: usize = 16 * 1024;

/// Returns about the bounds `from` and `to` of a text, so that no key or number lies across one of them.
fn window(text: &str, from: usize, to: usize) -> (usize, usize) {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_.-".contains(byte);
    let (from, to) = (text.floor_char_boundary(from), text.ceil_char_boundary(to));
    let (before, behind) = (&text.as_bytes()[..from], &text.as_bytes()[to..]);
    let back = before.iter().rev().take(TOKEN_BYTES).take_while(|byte| is_token(byte)).count();
    let on = behind.iter().take(TOKEN_BYTES).take_while(|byte| is_token(byte)).count();
    (from - back, to + on)
}

/// Returns the head of a text up to `at`, without a secret that nobody would know as one by what is left there.
pub(super) fn head(text: &str, at: usize) -> &str {
    let (from, to) = window(text, at.saturating_sub(BEFORE_BYTES), at + BEHIND_BYTES);
    let whole = guard::secrets(&text[from..to]);
    let mut lost = whole.into_iter().filter(|place| place.start + from < at).peekable();
    if lost.peek().is_none() {
        return &text[..at];
    }
    let left = guard::secrets(&text[from..at]);
    let lost = lost.find(|place| !left.contains(place));
    &text[..lost.map_or(at, |place| place.start + from)]
}

/// Returns the end of a text from `at` on, without such a secret.
pub(super) fn tail(text: &str, at: usize) -> &str {
    let (from, to) = window(text, at.saturating_sub(BEHIND_BYTES), at + BEFORE_BYTES);
    let whole = guard::secrets(&text[from..to]);
    let lost = whole.iter().rev().map(|place| place.start + from..place.end + from);
    let mut lost = lost.filter(|place| place.end > at).peekable();
    if lost.peek().is_none() {
        return &text[at..];
    }
    let left = guard::secrets(&text[at..to]);
    let is_left =
        |place: &Range<usize>| left.iter().any(|left| (left.start + at..left.end + at) == *place);
    &text[lost.find(|place| !is_left(place)).map_or(at, |place| place.end)..]
}

/// Returns a text with each private key as its first line alone: by some of its lines nobody would know it.
pub(super) fn without_keys(text: &str) -> Cow<'_, str> {
    let keys = guard::private_keys(text);
    if keys.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut told, mut from) = (String::new(), 0);
    for key in keys {
        told.push_str(&text[from..key.start]);
        told.push_str(text[key.clone()].lines().next().unwrap_or_default());
        from = key.end;
    }
    told.push_str(&text[from..]);
    Cow::Owned(told)
}

/// A text of so many characters is cut between lines.
const LINES_FROM: usize = 1000;

/// Cuts a text of several lines between them, and tells how many are left out; nothing where single lines are so
/// long that not even half of the room would be used.
fn by_lines(text: &str, most: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let taken = |lines: &mut dyn Iterator<Item = &&str>, room: usize| {
        let mut left = room;
        let fits = |line: &&&str| {
            let cost = line.chars().count() + 1;
            let fits = cost <= left;
            left -= if fits { cost } else { 0 };
            fits
        };
        let count = lines.take_while(fits).count();
        (count, room - left)
    };
    let (head, of_head) = taken(&mut lines.iter(), most - most / 4);
    let (tail, of_tail) = taken(&mut lines[head..].iter().rev(), most / 4);
    let left = lines.len() - head - tail;
    if left == 0 || of_head + of_tail < most / 2 {
        return None;
    }
    let are = if left == 1 { "line is" } else { "lines are" };
    // How many stood where a text was cut before nobody knows.
    let was_cut = lines[head..lines.len() - tail].contains(&GAP.trim());
    let least = if was_cut { "at least " } else { "" };
    let gap = format!("[… {least}{left} {are} not shown]");
    let (head, tail) = (lines[..head].join("\n"), lines[lines.len() - tail..].join("\n"));
    Some(
        [head.trim_end(), gap.as_str(), tail.trim_start_matches('\n')].join("\n").trim().to_owned(),
    )
}

/// Cuts a text at `most` characters, in the middle, so that its head and its end stay; not inside of
/// a word that is not very long.
pub fn clip(text: &str, most: usize) -> String {
    let text = text.trim();
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    if let Some(lines) = by_lines(text, most).filter(|_| most >= LINES_FROM) {
        return lines;
    }
    let tail = most / 4;
    let place = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    let head = head(text, model::word_end(text, place(most - tail)));
    let end = self::tail(text, place(count - tail));
    let in_word = |at: usize| {
        let mut around = text.chars().skip(at.saturating_sub(1)).take(2);
        around.all(|c| !c.is_whitespace())
    };
    let first = end.split(char::is_whitespace).next().unwrap_or_default();
    // The end of a long name or number says nothing, and could be that of a key.
    let is_odd = match first.chars().count() < WORD_CHARS {
        true => first.len() < end.len(),
        false => first.is_ascii(),
    };
    let end = if in_word(count - tail) && is_odd { &end[first.len()..] } else { end };
    let (head, tail) = (head.trim_end(), end.trim_start());
    let left = &text[head.len()..text.len() - tail.len()];
    format!("{head}{}{tail}", gap(left)).trim_end().to_owned()
}

/// Returns what stands for a part of a text that is `left` out: what stood on two lines does not become one.
fn gap(left: &str) -> &'static str {
    match left.rsplit_once('\n') {
        None => " […] ",
        Some((_, last)) if last.trim().is_empty() => " […]\n",
        Some(_) => " […]\n[…] ",
    }
}

/// Puts a text on one line of at most `most` characters, cut at its end.
pub(super) fn line(text: &str, most: usize) -> String {
    let (mut folded, mut count, mut end) = (String::new(), 0, None);
    for word in text.split_whitespace() {
        let blank = usize::from(!folded.is_empty());
        count += word.chars().count() + blank;
        folded.push_str(&" "[..blank]);
        folded.push_str(word);
        if count > most {
            let place = || folded.char_indices().nth(most.saturating_sub(1)).map(|(at, _)| at);
            let end = *end.get_or_insert_with(|| place().unwrap_or(folded.len()));
            if folded.len() > end + BEHIND_BYTES {
                break;
            }
        }
    }
    match end {
        Some(end) => format!("{}…", head(&folded, model::word_end(&folded, end)).trim_end()),
        None => folded,
    }
}

/// Cuts a line of code or output at its end; its indentation stays.
pub(super) fn cut(row: &str, most: usize) -> String {
    match row.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", head(row, model::word_end(row, at))),
        None => row.to_owned(),
    }
}

/// A beginning shorter than this says too little.
const TELLING_START: usize = 24;

/// Puts the first words of a text on one line of at most `most` characters: a word is cut only
/// where too little would stand before it.
pub fn start(text: &str, most: usize) -> String {
    let cut = line(text, most);
    let Some(begun) = cut.strip_suffix('…') else { return cut };
    let count = begun.split_whitespace().count();
    let last = text.split_whitespace().nth(count.saturating_sub(1));
    if begun.chars().count() + 2 <= most && last.is_some_and(|last| begun.ends_with(last)) {
        return format!("{begun} …");
    }
    match begun.trim_end().rsplit_once(' ') {
        Some((words, _)) if words.chars().count() >= TELLING_START => format!("{words} …"),
        _ => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::Redactor;

    #[test]
    fn a_long_text_of_lines_is_cut_between_them() {
        let text: Vec<_> = (1..=200).map(|n| format!("{n}. Step {n} of the plan")).collect();
        let told = clip(&text.join("\n"), 1200);
        assert!(told.chars().count() < 1240, "{told}");
        let (head, tail) = told.split_once("\n[… ").unwrap();
        let (left, tail) = tail.split_once(" lines are not shown]\n").unwrap();
        assert!(text.join("\n").starts_with(head) && text.join("\n").ends_with(tail));
        assert_eq!(
            head.lines().count() + tail.lines().count() + left.parse::<usize>().unwrap(),
            200
        );
        let cut_before = text.join("\n").replace("\n100. Step 100 of the plan\n", GAP);
        assert!(clip(&cut_before, 1200).contains("\n[… at least "));
        // One line has no end to be cut at.
        assert!(clip(&"word ".repeat(400), 1200).contains("word […] word"));
    }

    #[test]
    fn clipping_keeps_both_ends() {
        assert_eq!(clip("abcdefghij", 8), "abcdef […] ij");
        assert_eq!(clip("one two\nthree four\nfive six", 16), "one two […]\n[…] six");
        assert_eq!(clip("one two\nthree four\nsix", 14), "one two […]\nsix");
        assert_eq!(clip("one word of many, twenty one of them", 24), "one word of many, […] them");
        // What could be the end of a key does not stay, whatever stands behind it.
        let key = format!("the key is {}", "a1B2".repeat(40));
        assert_eq!(clip(&key, 120), format!("the key is {} […]", &key[11..90]));
        assert_eq!(clip(&format!("{key} ok"), 120), format!("the key is {} […] ok", &key[11..90]));
        assert_eq!(line("a  b\nc", 10), "a b c");
        assert_eq!(line("日本語のテキスト", 4), "日本語…");
    }

    #[test]
    fn no_cut_leaves_a_part_of_a_secret() {
        let secret = "ytbxAk7jqevt0MLaMRTv";
        let texts = [
            format!(
                "curl -fsS -o out.txt https://ada:{secret}@host.example.com/x/y and more of it"
            ),
            format!("psql postgres://ada:{secret}@db.example.com:5432/prod -c 'select 1' and more"),
            format!("run it with DB_PASSWORD={secret} cargo test and some more words"),
            format!("curl -s -H \"X-Api-Key: {secret}\" https://a.example/x and some more"),
            format!("my words are long, the password: {secret} and so on, and some more words"),
            format!(
                "日本語のテキスト、鍵は ghp_{secret}{}。それから続きの言葉がここにある",
                &secret[..16]
            ),
            format!("cargo publish --token ghp_{secret}{} and some more words", &secret[..16]),
        ];
        let leaks = |told: &str| {
            let shown = Redactor::default().text(told).into_owned();
            (0..secret.len() - 7).any(|at| shown.contains(&secret[at..at + 8]))
        };
        for text in &texts {
            assert!(!leaks(text), "{text}");
            for most in 8..text.len() {
                for told in [line(text, most), cut(text, most), clip(text, most), start(text, most)]
                {
                    assert!(!leaks(&told), "{told}");
                }
            }
        }
    }

    #[test]
    fn the_end_of_a_long_token_stays_in_no_text_without_blanks() {
        let part = |seed: usize, bytes: usize| -> String {
            let sign =
                |at: usize| char::from(b'A' + u8::try_from((at * seed + at / 7) % 26).unwrap());
            (0..bytes).map(sign).collect()
        };
        let token = format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", part(7, 700), part(11, 500));
        let text = format!("{}{token}。{}", "終わり".repeat(60), "日".repeat(40));
        for most in (60..text.chars().count()).step_by(13) {
            let shown = Redactor::default().text(&clip(&text, most)).into_owned();
            let leaks = (0..token.len() - 24).any(|at| shown.contains(&token[at..at + 24]));
            assert!(!leaks, "{most}: {shown}");
        }
    }

    #[test]
    fn of_a_private_key_the_first_line_is_left() {
        let key = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\nkScSojOMkTB6+A==\n-----END PRIVATE KEY-----",
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"
                .repeat(6)
                .trim_end(),
        );
        let told = without_keys(&format!("a\n{key}\nb")).into_owned();
        assert_eq!(told, "a\n-----BEGIN PRIVATE KEY-----\nb");
    }
}
