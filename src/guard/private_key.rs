//! Private keys: what stands between their first and last lines, whatever else stands between the rows,
//! such as a mark of a quotation, the number of a line, the name of a file, the joints of a program's text.

mod row;

use std::ops::Range;

use regex::bytes::Regex;

use row::{NEAR_BYTES, Row, is_short_row, runs};

/// What a program that shows what it found writes around it, as it is and as an escape.
macro_rules! colour {
    () => {
        r"(?:\x1b|\\+(?:u001b|x1b|033|e))\[[0-9;]*[MK]"
    };
}
/// A few of them, one behind the other.
macro_rules! colours {
    () => {
        concat!("(?:", colour!(), "){0,4}")
    };
}

/// The first and last lines of PEM, PGP, SSH2 and `PuTTY`, also as a part of an address and in Base64.
///
/// What is not private is an edge, too: no rows are looked for behind it.
pub(super) const EDGE: &str = concat!(
    r"(?i:-{4,5} ?",
    colours!(),
    r"(?:BEGIN|END)(?:(?:[ A-Z0-9+]|%20|",
    colour!(),
    r"){0,40}?) ?",
    colours!(),
    r"-{4,5})",
    r"|Private-Lines: ?\d+",
    // In Base64 a word has one of three forms, by how many bytes stand before it.
    r"|(?:LS0tLS1CRUdJTi|0tLS0tQkVHSU4g|tLS0tLUJFR0lOI)[A-Za-z0-9+/]{0,40}?",
    r"(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF)",
    r"|Private-MAC:",
    // What was redacted before divides as the key did.
    r"|\[REDACTED:private-key:\d+\]",
);
/// A text without one of these has no edge, and they are found sooner than the words.
pub(super) const SIGNS: &[&str] = &[
    "----",
    "Private-",
    "LS0tLS1CRUdJTi",
    "0tLS0tQkVHSU4g",
    "tLS0tLUJFR0lOI",
    "[REDACTED:private-key:",
];
/// A text without one of these has no private edge.
pub(super) const WORDS: &[&str] = &[
    "PRIVATE KEY",
    "PRIVATE%20KEY",
    "PRIVATE+KEY",
    // What is coloured.
    "PRIVATE\u{1b}",
    "PRIVATE\\",
    "Private-Lines",
    "Private-MAC:",
    "LS0tLS1CRUdJTi",
    "0tLS0tQkVHSU4g",
    "tLS0tLUJFR0lOI",
];

/// How many bytes lie between the first and the last line of one key, at most, where nothing but letters
/// tells that these are rows; and from one row to the next, where they look like rows, and to the first,
/// since a key can have headers.
const KEY_BYTES: usize = 16 << 10;
const INNER_GAP_BYTES: usize = 1 << 10;
const INNER_HEAD_BYTES: usize = 4 << 10;
/// How many bytes stand between two rows of a key that lacks one of these lines, and behind the first
/// line, where a key can have headers.
const GAP_BYTES: usize = 192;
const HEAD_BYTES: usize = 320;
/// How many bytes a row has at least where both lines are there.
const INNER_ROW_BYTES: usize = 16;
/// How many letters the least key has.
const KEY_LETTERS: usize = 40;
/// How many rows of one length behind a first line are rows, whatever their letters; how long these are
/// at least, and how many bytes of marks stand between two.
const EVEN_ROWS: usize = 3;
const EVEN_ROW_BYTES: usize = 8;
const MARK_BYTES: usize = 32;
/// Of how many bytes between the first and the last line one is of a row, at least.
const ROW_SHARE: usize = 16;
/// The first or the last line of a block.
struct Edge {
    place: Range<usize>,
    is_begin: bool,
    is_end: bool,
}

impl Edge {
    fn of(text: &str, place: Range<usize>) -> Self {
        let words = text[place.clone()].to_ascii_uppercase();
        // Those of other forms name no kind, and what was redacted is of none.
        let is_line = words.starts_with('-');
        let is_private = match is_line {
            true => words.contains("PRIVATE") && words.contains("KEY"),
            false => !words.starts_with('['),
        };
        let last = if is_line { "END" } else { "PRIVATE-MAC" };
        let is_end = match (words.find(last), words.find("BEGIN")) {
            (Some(end), Some(begin)) => end < begin,
            (end, _) => end.is_some(),
        };
        Self { place, is_begin: is_private && !is_end, is_end: is_private && is_end }
    }
}

/// Returns where private keys stand, or pieces of them where the end of a string stands between.
///
/// A line that only names a key, without a row near it, is none. `edge` is `EDGE`, compiled.
pub(super) fn keys(text: &str, edge: &Regex) -> Vec<Range<usize>> {
    let mut edges = edge.find_iter(text.as_bytes()).map(|found| Edge::of(text, found.range()));
    let (mut found, mut left) = (Vec::new(), None);
    loop {
        let right = edges.next();
        found.extend(between(text, left.as_ref(), right.as_ref()));
        left = match right {
            Some(edge) => Some(edge),
            None => return found,
        };
    }
}

/// Returns what there is of keys between two edges, with the edges that belong to it.
fn between(text: &str, left: Option<&Edge>, right: Option<&Edge>) -> Vec<Range<usize>> {
    let within =
        left.map_or(0, |edge| edge.place.end)..right.map_or(text.len(), |edge| edge.place.start);
    let left = left.filter(|edge| edge.is_begin).map(|edge| &edge.place);
    let right = right.filter(|edge| edge.is_end).map(|edge| &edge.place);
    if left.is_some() && right.is_some() {
        let rows = inner(text, within.clone());
        if !rows.is_empty() {
            return joined(text, left, rows, right);
        }
    }
    let ahead = left.map(|_| following(text, within.clone())).unwrap_or_default();
    let behind = right.map(|_| leading(text, within)).unwrap_or_default();
    let mut found = joined(text, left, ahead, None);
    found.extend(joined(text, None, behind, right));
    found
}

/// Returns the rows between the first and the last line of one key; none where these are not of one,
/// but stand in a program's text that looks for both.
fn inner(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    if within.len() <= KEY_BYTES
        && let Some(rows) = bare(text, within.clone())
    {
        return rows;
    }
    let rows = Row::all(text, within.clone()).filter(|row| row.is_of(INNER_ROW_BYTES));
    let rows: Vec<_> = rows.collect();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
    let is_near = |pair: &[Row]| pair[1].place.start - pair[0].place.end <= INNER_GAP_BYTES;
    let is_key = first.place.start - within.start <= INNER_HEAD_BYTES
        && within.end - last.place.end <= INNER_GAP_BYTES
        && rows.windows(2).all(is_near)
        && are_enough(text, within, &rows);
    if is_key { rows.into_iter().map(|row| row.place).collect() } else { Vec::new() }
}

/// Whether rows have their share of what stands between two edges.
fn are_enough(text: &str, within: Range<usize>, rows: &[Row]) -> bool {
    let filled = text[within].bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
    let mut needed = filled.div_ceil(ROW_SHARE);
    rows.iter().filter(|row| row.is_sure(text)).any(|row| {
        needed = needed.saturating_sub(row.place.len());
        needed == 0
    })
}

/// Returns all letters of a piece of text where there is nothing but them and what marks lines.
fn bare(text: &str, within: Range<usize>) -> Option<Vec<Range<usize>>> {
    let lines = lines(text, within).map(|line| line.is_alone.then_some(line.place));
    lines.collect::<Option<Vec<_>>>().filter(|rows| is_varied(text, rows))
}

/// Returns the rows that follow a first line without its last, as far as they go on.
fn following(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let mut rows = even(text, within.clone());
    let gap = if rows.is_empty() { HEAD_BYTES } else { GAP_BYTES };
    let (mut end, mut gap) = (rows.last().map_or(within.start, |last| last.end), gap);
    for row in Row::all(text, end..within.end) {
        let bytes = row.place.start - end;
        if bytes > INNER_GAP_BYTES {
            break;
        }
        let can_be = !rows.is_empty() && bytes <= NEAR_BYTES || row.is_sure(text);
        // Of a key that was cut inside, more rows follow the cut.
        let is_behind_cut = row.is_behind_cut && !rows.is_empty() && row.goes_on(0, 0);
        if can_be && (row.goes_on(bytes, gap) || is_behind_cut && bytes <= INNER_GAP_BYTES) {
            (end, gap) = (row.place.end, GAP_BYTES);
            rows.push(row.place);
        }
    }
    rows
}

/// Returns the rows right behind a first line that are as long as each other, however short they are,
/// with the shorter one that ends them.
fn even(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut end = within.start;
    for line in lines(text, within) {
        let length = rows.first().map_or(line.place.len(), Range::len);
        let is_even = line.place.len() == length && length >= EVEN_ROW_BYTES;
        let ends = line.place.len() < length && is_short_row(text, &line.place);
        let marks = text[end..line.place.start].split_whitespace().map(str::len).sum::<usize>();
        if !line.is_alone || marks > MARK_BYTES || !(is_even || ends) {
            break;
        }
        end = line.place.end;
        rows.push(line.place);
        if ends {
            break;
        }
    }
    let are_enough =
        rows.get(EVEN_ROWS - 1).is_some_and(|row| Some(row.len()) == rows.first().map(Range::len));
    let is_key = are_enough && is_varied(text, &rows);
    if is_key { rows } else { Vec::new() }
}

/// Whether there are letters enough for a key, and of each kind.
fn is_varied(text: &str, rows: &[Range<usize>]) -> bool {
    let letters = || rows.iter().flat_map(|row| text[row.clone()].bytes());
    let has = |is: fn(&u8) -> bool| letters().any(|byte| is(&byte));
    let kinds = [u8::is_ascii_digit, u8::is_ascii_lowercase, u8::is_ascii_uppercase];
    letters().count() >= KEY_LETTERS && kinds.into_iter().all(has)
}

/// Letters, and whether nothing else stands on their line but marks and numbers.
struct Line {
    place: Range<usize>,
    is_alone: bool,
}

/// Returns all runs of letters but the numbers of lines.
fn lines(text: &str, within: Range<usize>) -> impl Iterator<Item = Line> {
    let is_number = |place: &Range<usize>| {
        place.len() < EVEN_ROW_BYTES
            && text[place.clone()].bytes().all(|byte| byte.is_ascii_digit())
    };
    let (start, end) = (within.start, within.end);
    let mut runs = runs(text, within).filter(move |place| !is_number(place)).peekable();
    let mut is_first_of_line = breaks(&text[start..runs.peek().map_or(start, |next| next.start)]);
    std::iter::from_fn(move || {
        let place = runs.next()?;
        let next = runs.peek().map_or(end, |next| next.start);
        let is_last = next == end || breaks(&text[place.end..next]);
        let is_alone = is_first_of_line && is_last;
        is_first_of_line = is_last;
        Some(Line { place, is_alone })
    })
}

/// Whether a line ends in a piece of text, also where the end of it is escaped.
fn breaks(piece: &str) -> bool {
    piece.contains('\n') || piece.contains("\\n") || piece.contains("\\r")
}

/// Returns the rows that lead to a last line without its first.
fn leading(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let until = within.end;
    let (mut rows, mut end, mut is_sure) = (Vec::new(), within.start, false);
    for row in Row::all(text, within) {
        let is_next = !rows.is_empty() && row.goes_on(row.place.start - end, GAP_BYTES);
        if !is_next && row.goes_on(0, 0) {
            (rows, is_sure) = (Vec::new(), false);
        } else if !is_next {
            continue;
        }
        is_sure = is_sure || row.is_sure(text);
        end = row.place.end;
        rows.push(row.place);
    }
    if is_sure && end + GAP_BYTES >= until { rows } else { Vec::new() }
}

/// Joins rows, and the edges beside them, but for where the end of a string stands between.
fn joined(
    text: &str,
    left: Option<&Range<usize>>,
    rows: Vec<Range<usize>>,
    right: Option<&Range<usize>>,
) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let Some(last) = rows.last().cloned() else { return found };
    let short = right.and_then(|right| short_row(text, &last, last.end..right.start));
    for place in left.into_iter().cloned().chain(rows).chain(short).chain(right.cloned()) {
        match found.last_mut().filter(|last| !ends_string(&text[last.end..place.start])) {
            Some(last) => last.end = place.end,
            None => found.push(place),
        }
    }
    found
}

/// Returns the last row of a key, which is short, before the last line: of all that look so the one that
/// stands behind the same as the row before it.
fn short_row(text: &str, last: &Range<usize>, within: Range<usize>) -> Option<Range<usize>> {
    let rows = runs(text, within).filter(|row| is_short_row(text, row));
    rows.max_by_key(|row| common(&text.as_bytes()[..last.start], &text.as_bytes()[..row.start]))
}

/// Returns how many bytes two texts have in common at their ends, as far as that tells something.
fn common(one: &[u8], two: &[u8]) -> usize {
    let pairs = one.iter().rev().zip(two.iter().rev()).take(MARK_BYTES);
    pairs.take_while(|(one, two)| one == two).count()
}

/// Whether a string ends in a piece of text: a quote stands there that is not escaped, or one that is
/// as it ends a string of JSON in a string of JSON.
fn ends_string(piece: &str) -> bool {
    // White space, also where it is escaped.
    let is_white = |c: char| c.is_whitespace() || matches!(c, '\\' | 'n' | 'r' | 't');
    let mut slashes = 0;
    piece.bytes().enumerate().any(|(at, byte)| {
        let rest = || piece[at + 1..].trim_start_matches(is_white);
        let is_end = || rest().starts_with([',', ':', ']', '}']);
        let ends = byte == b'"' && (slashes % 2 == 0 || is_end());
        slashes = if byte == b'\\' { slashes + 1 } else { 0 };
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::row::{PUBLIC, is_mixed, is_row};
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let edge = regex::bytes::RegexBuilder::new(EDGE).unicode(false).build().unwrap();
        keys(text, &edge).into_iter().map(|place| &text[place]).collect()
    }

    const ROW: &str = "MIIEpAIBAAKCAQEA7v0Xy1bq9ZK4s2mPz8RrTfLwQe3n5Jc6hDgUaYtVoWxSk0Ij";
    const BEGIN: &str = "-----BEGIN RSA PRIVATE KEY-----";
    const END: &str = "-----END RSA PRIVATE KEY-----";
    /// Longer than what may stand between two rows.
    const FAR: &str = "It goes on with words that are of no key, and there are a lot of them, one behind \
         the other, so that nobody takes what comes then for a piece of what stood there before, not \
         even a reader who is in a hurry. ";

    #[test]
    fn rows_are_found_whatever_stands_between() {
        for (before, after, pieces) in
            [("> ", "", 1), ("  12→", "", 1), (FAR, "", 1), ("  \"", "\\n\",", 5)]
        {
            let line = |row: &str| format!("{before}{row}{after}\n");
            let text = [BEGIN, ROW, ROW, "aBc=", END].map(line).concat();
            let found = found(&text);
            assert_eq!(found.len(), pieces, "{found:?}");
            assert!(found.iter().any(|one| one.contains("aBc=")), "{found:?}");
        }
        // Nor is the short row what stands behind it.
        let lines = [ROW, "aBc=", END].map(|row| format!(r#"{{"at":"10:0Z","row":"{row}"}}"#));
        assert_eq!(found(&format!("{BEGIN} {}", lines.join("\n"))), [BEGIN, ROW, "aBc=", END]);
        // Names of fields are no short rows.
        let fields =
            [BEGIN, ROW, "aBc=", END].map(|row| format!(r#"{{"isRow":12,"text":"{row}"}}"#));
        assert_eq!(found(&fields.join(",")), [BEGIN, ROW, "aBc=", END]);
    }

    #[test]
    fn one_edge_is_enough_for_the_rows_near_it() {
        let rows = format!("> {ROW}\n> {ROW}\n> abc=\n");
        let before = format!("{FAR}{ROW} {FAR}\n");
        let starts = format!("{BEGIN}\n{rows}");
        assert_eq!(found(&format!("{before}{starts}{before}")), [&starts[..starts.len() - 8]]);
        assert_eq!(
            found(&format!("{before}{rows}{END} {before}")),
            [&format!("{}{END}", &rows[2..])]
        );
        // Behind a cut the key goes on, and a piece of a row is enough.
        let cut = format!("{BEGIN}\n{ROW}\n{FAR}[…] {ROW}");
        assert_eq!(found(&cut), [&cut]);
        assert_eq!(found(&format!("… > {}\n> {END}", &ROW[30..])).len(), 1);
        // But not words that only stand behind one, far from the key.
        let words = FAR.repeat(8);
        assert_eq!(
            found(&format!("{BEGIN}\n{ROW}\n{words}… aB3dE6gH9jK2")),
            [&cut[..BEGIN.len() + 1 + ROW.len()]]
        );
        // What is no private key divides.
        let other = BEGIN.replace("RSA PRIVATE", "PUBLIC");
        assert_eq!(found(&format!("{BEGIN}{other}{ROW}{END}")), [format!("{ROW}{END}")]);
        assert_eq!(found(&format!("{BEGIN}{other}{ROW}{other}{END}")), [""; 0]);
    }

    #[test]
    fn other_forms_are_known() {
        let url = format!("{BEGIN}%0A{ROW}%0A{}", END.replace(' ', "%20"));
        let putty = format!("Private-Lines: 2\n{ROW}\n{ROW}\nPrivate-MAC:");
        let colours = |text: &str| {
            let on =
                text.replace("PRIVATE KEY", "\u{1b}[01;31m\u{1b}[KPRIVATE KEY\u{1b}[m\u{1b}[K");
            on.replace("BEGIN", "\u{1b}[1mBEGIN\u{1b}[0m").replace("RSA ", "RSA \u{1b}[38;2;1;2;3m")
        };
        let coloured = colours(&format!("{BEGIN}\n{ROW}\n{END}"));
        for escape in ["\\u001b", "\\\\u001B", "\\x1b", "\\033", "\\e"] {
            let key = coloured.replace('\u{1b}', escape);
            assert_eq!(found(&format!("It is {key}\nand no more")), [&key]);
        }
        let ssh2 = format!("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{ROW}");
        for base64 in [
            ["LS0tLS1CRUdJTiB", "FQyBQUklWQVRFIEtFWS0tLS0tCk1", ROW],
            ["0tLS0tQkVHSU4", "gUlNBIFBSSVZBVEUgS0VZLS0tLS0K", ROW],
            ["tLS0tLUJFR0lO", "IFJTQSBQUklWQVRFIEtFWS0tLS0tC", ROW],
        ] {
            let key = base64.concat();
            assert_eq!(found(&format!("It is AA{key}\nand no more")), [&key]);
        }
        for key in [url.replace(' ', "+"), url.replace(' ', "%20"), putty, ssh2, coloured] {
            assert_eq!(found(&format!("It is {key}\nand no more")), [&key]);
        }
    }

    #[test]
    fn what_only_names_a_key_is_none() {
        let path = "is in /home/ada/Projects2/Some/long/path/of/sources/that/has/digits3";
        let name = "getPrivateKeyFromCertificateAndSignItWith256BitsOfEntropy";
        let hex = "0123456789abcdef".repeat(4);
        for text in [path, name, &hex, FAR, ""] {
            for text in [format!("{BEGIN} {text} {END} {text}"), format!("{text} {BEGIN} {text}")] {
                assert_eq!(found(&text), [""; 0]);
            }
        }
        assert_eq!(found(&format!("{ROW} {BEGIN}")), [""; 0]);
    }

    #[test]
    fn names_of_a_programs_text_are_no_rows() {
        let far = FAR.repeat(20);
        for text in [
            "const key = readPKCS8PrivateKey(text);",
            "key, err := x509.ParsePKCS8PrivateKey(block.Bytes)",
            "PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(decode(body));",
            "func testParsePKCS8EncryptedPrivateKey() throws {",
            "let kind = detectRSA4096Key(x);",
            "see https://example.org/Docs/HowToMakeRSA2048KeysForYou for it",
            "checked by SHA256withRSAandMGF1PSS padding then",
            "use aes::Aes256GcmX9Key4Ab7Cd; Aes256GcmX9Key4Ab7Cd::new()",
        ] {
            let alone = format!("{BEGIN}\n{text}\n");
            for text in [format!("{alone}{END}"), format!("{BEGIN}{far}{text}{far}{END}"), alone] {
                assert_eq!(found(&text), [""; 0]);
            }
        }
        // However long the lines are in which rows stand, they are of one key.
        let rows: Vec<_> = (0..90).map(|_| format!("{FAR} {ROW}\n")).collect();
        let long = format!("{BEGIN}\n{}{END}", rows.concat());
        assert_eq!(found(&long), [&long]);
        for public in PUBLIC {
            assert_eq!(found(&format!("{BEGIN}\n{public}{ROW} ada@box\n")), [""; 0]);
        }
        // One that looks like a row is far too little for all that stands between.
        let piece = &ROW[..30];
        assert_eq!(found(&format!("{BEGIN} {far} {piece} {far} {END}")), [""; 0]);
    }

    #[test]
    fn rows_of_all_kinds_of_keys_are_mixed() {
        let head = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcn";
        for row in [
            head,
            ROW,
            "MC4CAQAwBQYDK2VwBCIEIF2qTq9nGxkXw7n3",
            "NhAAAAAwEAAQAAAYEA0wKl8a5QSgW/BN6EknIc",
        ] {
            assert!(is_row(row.as_bytes()) && is_mixed(row.as_bytes()), "{row}");
        }
    }

    #[test]
    fn narrow_rows_are_found() {
        let letters = [ROW, &ROW[3..], &ROW[7..], "9aB="].concat();
        for width in [12, 20, 30] {
            let rows: Vec<_> = letters.as_bytes().chunks(width).collect();
            let rows: Vec<_> = rows.iter().map(|row| std::str::from_utf8(row).unwrap()).collect();
            let forms = ["", "> ", "  12→", "| 7 | "].map(|mark| {
                let lines: String = rows.iter().map(|row| format!("{mark}{row}\n")).collect();
                (format!("{mark}{BEGIN}\n{lines}"), mark)
            });
            for (open, mark) in forms {
                let start = &open[mark.len()..open.len() - 1];
                assert_eq!(found(&format!("{open}That is all.\n")), [start]);
                let whole = format!("{start}\n{mark}{END}");
                assert_eq!(found(&format!("{mark}{whole}\nand no more")), [&whole]);
                let escaped = format!("{open}{mark}").replace('\n', "\\n");
                assert_eq!(found(&escaped), [start.replace('\n', "\\n")]);
            }
        }
        // Neither words are rows nor a few lines of one length.
        let words = "It\nis\nMine2now\nAnd4ever\nand not\nyours\n";
        for text in ["Function12\nFunction13\n", "one two three Four5\n", words] {
            for text in [format!("{BEGIN}\n{text}"), format!("{BEGIN}\n{text}{END}")] {
                assert_eq!(found(&text), [""; 0]);
            }
        }
    }

    #[test]
    fn what_looks_like_an_escape_ends_nowhere_inside_of_a_letter() {
        assert_eq!(found(&format!(r#"{BEGIN}","\n{ROW}\u0022\nabc"#)), [BEGIN, ROW]);
        for odd in [r"C:\dev\unité", r"\uni漢字", r"\u000é", r"\u漢", r"\n漢", r"\u12"] {
            for text in
                [format!("…{odd}\n> {ROW}\n{odd}\n{END}"), format!("{BEGIN}\n{odd}\n{ROW}{odd}")]
            {
                assert_eq!(found(&text).len(), 1, "{text}");
            }
        }
        assert!(ends_string(r#"\", \""#) && ends_string(r#"\\\"}"#));
        assert!(ends_string(r#"\"\n  ],\n  [\n    \""#));
        assert!(!ends_string(r#"\n\" + \""#) && ends_string(r#"\\","#) && ends_string("\"\n\""));
    }
}
