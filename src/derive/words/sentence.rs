//! What a human typed as sentences, without what was pasted, quoted or is code.

use super::{logged, sections};

/// A sentence, and its words as rules look at them.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// As it was typed, on one line.
    pub text: String,
    /// In small letters; quotes and code hold none.
    pub words: Vec<Word>,
    /// How its words begin, see [`beginning`].
    beginnings: u64,
}

/// A word of a sentence.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// In small letters, without marks around it; empty for a quote or code.
    pub low: String,
    /// Whether a comma or another mark that ends a clause follows it.
    pub ends: bool,
}

/// A message of more lines may be a pasted document; only its outer lines count.
const TYPED_LINES: usize = 30;
/// How many lines count there at each end.
const OUTER_LINES: usize = 5;
/// A line that is as long may have been broken by an editor.
const WRAPPED_CHARS: usize = 60;

impl Sentence {
    fn new(text: &str) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words(&unquoted(&text));
        let beginnings = words.iter().fold(0, |all, word| all | beginning(&word.low));
        Self { text, words, beginnings }
    }

    /// The words after `at`, at most `most` of them.
    pub(super) fn after(&self, at: usize, most: usize) -> Vec<&str> {
        self.words.iter().skip(at + 1).take(most).map(|word| word.low.as_str()).collect()
    }

    /// The words before `at` in its clause, the nearest first.
    pub(super) fn clause_before(&self, at: usize) -> impl Iterator<Item = &str> {
        let clause = self.words[..at].iter().rev().take_while(|word| !word.ends);
        clause.map(|word| word.low.as_str())
    }

    /// Where the clause ends in which the word `at` stands: behind its last word.
    pub(super) fn clause_end(&self, at: usize) -> usize {
        let ends = self.words.iter().skip(at).position(|word| word.ends);
        ends.map_or(self.words.len(), |ends| at + ends + 1)
    }

    /// The word at `at`; empty where there is none.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.low)
    }

    /// Tells whether the words of `phrase` stand one after the other, and where first.
    pub(super) fn find(&self, phrase: &str) -> Option<usize> {
        // Most phrases are in most sentences not.
        let may_be = self.beginnings & beginning(phrase) != 0;
        (0..self.words.len()).filter(|_| may_be).find(|at| self.begins_at(*at, phrase))
    }

    /// Tells whether `phrase` stands at word `at`.
    pub(super) fn begins_at(&self, at: usize, phrase: &str) -> bool {
        let mut rest = phrase;
        for word in self.words.iter().skip(at) {
            rest = match rest.strip_prefix(word.low.as_str()) {
                Some("") => return true,
                Some(more) => match more.strip_prefix(' ') {
                    Some(next) => next,
                    None => return false,
                },
                None => return false,
            };
        }
        false
    }
}

/// Returns one bit for how the first word of a phrase begins; others may have the same.
fn beginning(phrase: &str) -> u64 {
    let mut bytes = phrase.bytes().take_while(|byte| *byte != b' ').map(u32::from);
    let (first, second) = (bytes.next().unwrap_or(0), bytes.next().unwrap_or(0));
    1 << ((first * 31 + second) % u64::BITS)
}

/// Headings under which a human writes rules.
const RULES: &[&str] = &["constraint", "rule", "important", "acceptance", "convention"];

/// Returns the lines of a message without the document that was pasted below it: what follows a
/// heading after other words, but for sections that hold rules.
fn without_document(message: &str) -> Vec<&str> {
    let (mut kept, mut below, mut skips) = (Vec::new(), false, false);
    let mut headed = false;
    for line in message.lines() {
        let is_heading = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        if is_heading && below {
            let low = line.to_lowercase();
            skips = !RULES.iter().any(|word| low.contains(word));
        }
        // A heading at the top is the human's own.
        below |= !is_heading && !headed && !line.trim().is_empty();
        if !skips {
            headed |= line.starts_with('#');
            kept.push(line);
        }
    }
    kept
}

/// Takes the words of a human apart into sentences; what was pasted or quoted gives none.
pub(super) fn typed(message: &str) -> Vec<Sentence> {
    let lines = sections::without_tags(&without_document(message));
    let outer = lines.len() > TYPED_LINES;
    let rules = if outer { sections::below_rules(message, &lines) } else { Vec::new() };
    let last = lines.len().saturating_sub(OUTER_LINES);
    let mut found = Pieces::default();
    for (number, line) in lines.iter().enumerate() {
        let is_rule = rules.get(number).is_some_and(|is_rule| *is_rule);
        if outer && (OUTER_LINES..last).contains(&number) && !is_rule {
            found.pass(line.trim());
            continue;
        }
        found.line(line);
    }
    found.sentences()
}

/// Takes a text whose lines were broken at a width apart into sentences: lines go on until a blank
/// one, or one that begins an entry of a list.
pub(super) fn wrapped(text: &str) -> Vec<Sentence> {
    let mut pieces: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let (bare, is_entry) = without_mark(line.trim());
        match pieces.last_mut().filter(|_| open && !is_entry) {
            Some(last) => {
                last.push(' ');
                last.push_str(bare);
            }
            None => pieces.push(bare.to_owned()),
        }
        open = !bare.is_empty();
    }
    let sentences = pieces.iter().flat_map(|piece| split(piece)).map(Sentence::new);
    sentences.filter(|sentence| !sentence.text.is_empty()).collect()
}

/// Tells whether a text has one of `cues`, which are in small letters: most have none, and need not
/// be taken apart.
pub(super) fn has_any(text: &str, cues: &[&str]) -> bool {
    let low = text.to_ascii_lowercase();
    cues.iter().any(|cue| low.contains(cue))
}

/// Takes prose of the agent apart into sentences.
pub(super) fn prose(message: &str) -> Vec<Sentence> {
    let mut found = Pieces::default();
    message.lines().for_each(|line| found.line(line));
    found.sentences()
}

/// Lines that belong together, as they are gathered.
#[derive(Default)]
struct Pieces {
    done: Vec<String>,
    /// What closes the fence or the tag that is open.
    until: Option<String>,
    /// Whether the next line may go on with the last piece.
    open: bool,
}

impl Pieces {
    fn line(&mut self, raw: &str) {
        let line = raw.trim();
        let goes_on = self.open;
        if self.pass(line) || line.is_empty() || is_pasted(raw) {
            return;
        }
        let (bare, is_entry) = without_mark(line);
        let wrapped = goes_on && !is_entry && bare.starts_with(char::is_lowercase);
        match self.done.last_mut().filter(|_| wrapped) {
            Some(last) => {
                last.push(' ');
                last.push_str(bare);
            }
            None => self.done.push(bare.to_owned()),
        }
        self.open = raw.chars().count() >= WRAPPED_CHARS && !line.ends_with(['.', '!', '?', ':']);
    }

    /// Goes past a line, and tells whether it is of a fence or of a tag.
    fn pass(&mut self, line: &str) -> bool {
        self.open = false;
        if let Some(end) = &self.until {
            if line.starts_with(end.as_str()) || (end.starts_with("</") && line.contains(end)) {
                self.until = None;
            }
            return true;
        }
        self.until = opened(line);
        self.until.is_some()
    }

    fn sentences(self) -> Vec<Sentence> {
        let parts = self.done.iter().flat_map(|piece| split(piece));
        let parts = parts.filter(|part| !is_broken_off(part));
        parts.map(Sentence::new).filter(|sentence| !sentence.text.is_empty()).collect()
    }
}

/// Words with which no sentence ends: what follows them was pasted, or is a link.
const HANGING: &[&str] = &["and", "per", "the"];

/// Whether a sentence has no end.
fn is_broken_off(sentence: &str) -> bool {
    let last = sentence.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    HANGING.iter().any(|word| last.eq_ignore_ascii_case(word))
}

/// Returns what closes the fence, or the tag alone on its line, that `line` opens.
pub(super) fn opened(line: &str) -> Option<String> {
    // A fence is closed by one that is as long.
    if let Some(mark) = ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence)) {
        return Some(line.chars().take_while(|c| mark.starts_with(*c)).collect());
    }
    let tag = line.strip_prefix('<')?.split(['>', ' ']).next()?;
    let is_tag = tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let end = format!("</{tag}>");
    (is_tag && !line.contains(&end)).then_some(end)
}

/// Beginnings of lines that were copied from a conversation, a terminal or a log.
const COPIED: &[&str] = &[
    ">",
    "|",
    "#",
    "$ ",
    "% ",
    "@@",
    "+++",
    "---",
    "===",
    "//",
    "/*",
    "❯",
    "⏺",
    "●",
    "⎿",
    "PS ",
    "User:",
    "Human:",
    "Assistant:",
    "System:",
    "Traceback",
    "File \"",
    "at ",
    "error:",
    "error[",
    "warning:",
    "fatal:",
    "npm ",
    "Error:",
    "INFO",
    "WARN",
    "ERROR",
    "DEBUG",
    "{",
    "}",
    "[",
    "<",
];

/// Tells whether a line was pasted rather than typed: code, a log, a table, a transcript, a quote.
fn is_pasted(raw: &str) -> bool {
    let line = raw.trim();
    let indented = raw.starts_with("    ") || raw.starts_with('\t');
    let stamped = line.len() > 8
        && line.chars().take(4).all(|c| c.is_ascii_digit())
        && line.chars().take(24).filter(|c| matches!(c, ':' | '-' | '/' | 'T')).count() > 2;
    let coded = line.ends_with(['{', ';']) || line.contains("=>") || line.contains("::");
    let first = line.as_bytes().first();
    let copied =
        COPIED.iter().any(|head| head.as_bytes().first() == first && line.starts_with(head));
    copied && !is_of_page(line)
        || stamped
        || logged::is_logged(line)
        || coded
        || (indented && !line.starts_with(['-', '*']))
}

/// What stands behind the number of a step in the log of a build, beside numbers and words in capital letters.
const STEPS: &[&str] = &[
    "building",
    "copying",
    "installing",
    "preparing",
    "pulling",
    "sending",
    "exporting",
    "extracting",
    "importing",
    "load",
    "naming",
    "npm",
    "pushing",
    "resolve",
    "transferring",
    "unpacking",
    "writing",
];

/// Whether a line is a sentence that begins with the number of an issue or a pull request, and no row of a log or of a
/// trace of calls.
fn is_of_page(line: &str) -> bool {
    let behind =
        line.strip_prefix('#').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let is_number = line[1..].starts_with(|c: char| c.is_ascii_digit());
    let is_sentence = is_number && line.ends_with(['.', '?', '!']);
    let Some(behind) = behind.filter(|_| is_sentence) else { return false };
    let first = behind.strip_prefix(' ').unwrap_or(behind).split(' ').next().unwrap_or_default();
    let bare = first.trim_end_matches([':', ',']);
    let is_loud = bare.len() > 2 && bare.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_of_log = first.is_empty()
        || first.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '[' | '/' | '{'))
        || bare.find([':', '(']).is_some_and(|at| at > 0)
        || STEPS.contains(&bare);
    !is_loud && !is_of_log
}

/// Tells whether a line is a numbered entry of a list.
pub(super) fn is_numbered(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit()) && without_mark(line).1
}

/// Takes the mark of an entry of a list off a line, and tells whether there was one.
pub(super) fn without_mark(line: &str) -> (&str, bool) {
    let bare = ["- [ ] ", "- [x] ", "- ", "* ", "• "].iter().find_map(|m| line.strip_prefix(m));
    if let Some(bare) = bare {
        return (bare.trim_start(), true);
    }
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '+');
    let bare = digits.strip_prefix(". ").or_else(|| digits.strip_prefix(") "));
    match bare.filter(|_| digits.len() < line.len()) {
        Some(bare) => (bare.trim_start(), true),
        None => (line, false),
    }
}

/// Abbreviations whose point ends no sentence.
const SHORT: &[&str] =
    &["e.g", "i.e", "etc", "vs", "cf", "approx", "z.b", "bzw", "ca", "nr", "p.ej"];

/// Cuts a piece after each mark that ends a sentence.
pub(in crate::derive) fn split(piece: &str) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    let mut chars = piece.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let blank = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let last = || piece[from..at].rsplit(char::is_whitespace).next().unwrap_or_default();
        let short =
            c == '.' && blank && SHORT.contains(&last().trim_matches('(').to_lowercase().as_str());
        let ends = matches!(c, '。' | '！' | '？' | '।')
            || (matches!(c, '.' | '!' | '?') && blank && !short);
        if ends {
            parts.push(&piece[from..at + c.len_utf8()]);
            from = at + c.len_utf8();
        }
    }
    parts.push(&piece[from..]);
    parts
}

/// Stands for what was in quotes or code.
const HIDDEN: char = '\u{1}';

/// Whether a word stands for a quote or for code.
pub(super) fn is_quote(word: &str) -> bool {
    word.starts_with(HIDDEN)
}

/// Marks that open a quote, and what closes it.
const QUOTES: &[(char, char)] =
    &[('`', '`'), ('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』')];

/// Replaces what stands in quotes or is code by a mark that is no word.
fn unquoted(text: &str) -> String {
    if text.is_ascii() && memchr::memchr2(b'`', b'"', text.as_bytes()).is_none() {
        return text.to_owned();
    }
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(|c| QUOTES.iter().any(|(open, _)| *open == c)) {
        let open = rest[at..].chars().next().unwrap_or_default();
        let inner = &rest[at + open.len_utf8()..];
        let close = QUOTES.iter().find(|(mark, _)| *mark == open).map_or(open, |(_, close)| *close);
        out.push_str(&rest[..at]);
        let Some((_, after)) = inner.split_once(close) else {
            rest = inner;
            continue;
        };
        out.push(HIDDEN);
        rest = after;
    }
    out + rest
}

fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    for raw in text.split_whitespace() {
        let low = raw.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let ends = raw.ends_with([',', ';', ':', ')', '，', '；', '：', '،', '؛']);
        let is_dash = raw.chars().all(|c| matches!(c, '-' | '–' | '—' | '/' | '+'));
        match found.last_mut().filter(|_| is_dash) {
            Some(last) => last.ends = true,
            // A quote is a word that no rule knows.
            None if low.is_empty() && raw.contains(HIDDEN) => {
                found.push(Word { low: HIDDEN.to_string(), ends });
            }
            None => found.push(Word { low: low.replace('’', "'"), ends }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(message: &str) -> Vec<String> {
        typed(message).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn of_a_long_message_the_outer_lines_count() {
        let pasted = "some text\n\n".repeat(20);
        let message = format!("Never push.\nKeep it small.\n\n\n\n{pasted}\n\n\n\nGo on.");
        assert_eq!(texts(&message), ["Never push.", "Keep it small.", "Go on."]);
        let fenced = format!("Look here.\n```\n{pasted}```\n\n\nGo on.");
        assert_eq!(texts(&fenced), ["Look here.", "Go on."]);
    }

    #[test]
    fn a_sentence_that_is_broken_off_is_none() {
        let message = "Keep the names. Publish a list of them as told by the\n[norm](https://a.example/norm).";
        assert_eq!(texts(message), ["Keep the names."]);
        assert_eq!(texts("Fang damit an"), ["Fang damit an"]);
    }

    #[test]
    fn sentences_are_told_apart() {
        let message =
            "Fix the parser, e.g. the lexer. Never touch v1.2!\n2. Keep it small\n- [ ] tests";
        let all =
            ["Fix the parser, e.g. the lexer.", "Never touch v1.2!", "Keep it small", "tests"];
        assert_eq!(texts(message), all);
        assert_eq!(texts("不要改。今すぐ。"), ["不要改。", "今すぐ。"]);
        let wrapped =
            "this line was broken by an editor because it has become too long\nfor the window.";
        assert_eq!(texts(wrapped).len(), 1);
    }

    #[test]
    fn what_was_pasted_or_quoted_gives_no_words() {
        let message = "```\nnever push\n```\n> never push\n$ never push\n<log>\nnever push\n</log>\n2026-01-02 10:00:01 never push\nAssistant: never push\nok";
        assert_eq!(texts(message), ["ok"]);
        let quoted = &typed("it prints \"never push\" and `always x`, why")[0];
        assert!(quoted.find("never").is_none() && quoted.find("always").is_none());
    }

    #[test]
    fn a_document_below_a_message_is_not_the_message() {
        let pasted = "do this\n\n## About\nNever push.\n## Constraints\nUse tabs.\n## More\nx";
        assert_eq!(texts(pasted), ["do this", "Use tabs."]);
        assert_eq!(
            texts("# Task\nBuild it.\n## Details\nNever push."),
            ["Build it.", "Never push."]
        );
    }

    #[test]
    fn lines_broken_at_a_width_are_one_sentence() {
        let found = wrapped("It is kept because\n`Foo` needs it. So\nbe it.\n- one\n- two");
        let texts: Vec<_> = found.iter().map(|sentence| sentence.text.as_str()).collect();
        assert_eq!(texts, ["It is kept because `Foo` needs it.", "So be it.", "one", "two"]);
    }

    #[test]
    fn rules_in_tags_are_typed() {
        let found = typed("<task>Look at it.</task><hard_rules>Do not edit. Be kind.</hard_rules>");
        let texts: Vec<_> = found.iter().map(|sentence| sentence.text.as_str()).collect();
        assert_eq!(texts, ["Look at it.", "Do not edit.", "Be kind."]);
        assert!(typed("<p>Do not edit.</p>").is_empty());
    }

    #[test]
    fn what_stands_in_the_humans_own_tags_is_typed() {
        for message in [
            "Build it.\n<rules>\nNever push.\n</rules>",
            "<task>Build it.\nNever push.</task>",
            "<task>\nBuild it.\n<hard-rules>\n- Never push.\n</hard-rules>\n</task>",
            "Build it. <constraints>Never push.</constraints>",
            "<task>Build it.</task> Never push.",
        ] {
            assert_eq!(texts(message), ["Build it.", "Never push."], "{message}");
        }
        for message in [
            "Build it.\n<log>\nNever push.\n</log>",
            "Build it.\n<example>\n<rules>\nNever push.\n</rules>\n</example>",
            "Build it.\n<system_rules>\nNever push.\n</system_rules>",
            "Build it.\n```\n<rules>\nNever push.\n</rules>\n```",
            "Build it.\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>",
        ] {
            assert_eq!(texts(message), ["Build it."], "{message}");
        }
        for lead in [
            "Make these shorter:",
            "improve the wording",
            "Fix the prompt so that the model follows it.",
            "Why does it ignore this",
            "convert this to a table",
            "here is what the other agent got as instructions",
            "This config fails to parse",
        ] {
            for name in ["rules", "constraints", "task"] {
                let shown = format!("{lead}\n\n<{name}>\nNever push.\n</{name}>");
                assert_eq!(texts(&shown), [lead]);
            }
        }
        for data in ["<request>\nNever push.\n</request>", "<important>Never push.</important>"] {
            assert!(texts(data).is_empty(), "{data}");
        }
        assert_eq!(texts("Never put a <task> in it."), ["Never put a <task> in it."]);
    }

    #[test]
    fn rules_below_a_heading_count_in_the_middle_of_a_long_message() {
        let rows = "- a row of the table\n".repeat(20);
        let has = |head: &str, below: &str| {
            let message =
                format!("{head}Build it.\n\nRows:\n{rows}\n{below}\n\nPages:\n{rows}\nGo on.");
            texts(&message).contains(&"Never push.".to_owned())
        };
        for below in [
            "Constraints:\n- Use tabs.\n- Never push.",
            "Constraints:\n\n- Use tabs.\n\n- Never push.",
            "## Rules\nNever push.",
            "**Out of scope**\n1. Never push.",
        ] {
            assert!(has("", below) && has("# Task\n", below), "{below}");
            // A document that was pasted is not what was typed.
            assert!(!has("# How to work here\n", below), "{below}");
            assert!(!has("this is the mail of the customer, answer it\n", below), "{below}");
            assert!(!has("This is the AGENTS.md of the other repo\n", below), "{below}");
        }
        for below in [
            "Never push.",
            "Rules:\n- Use tabs.\n\nThe log says so.\nNever push.",
            "Notes:\n- Never push.",
            "Important:\n- Never push.",
            "Rules:\n```\nNever push.\n```",
        ] {
            assert!(!has("", below), "{below}");
        }
    }

    #[test]
    fn a_sentence_on_a_page_is_told_from_a_row_of_a_log() {
        for said in [
            "#7 is open.",
            "#12 waits for a review.",
            "#3 still fails, never merge it!",
            "#12 first, then #13.",
            "#7: don't merge it.",
            "#7 - never merge it before Friday.",
            "#42, #43 and #44 are the ones I care about.",
            "#12 (the cart) is green, shall I merge it?",
        ] {
            assert!(is_of_page(said), "{said}");
        }
        for row in [
            "#8 13.10 npm warn You must never run npm as root.",
            "#0 0x0000 in assert_never () at a.c:2, this must never happen.",
            "#8 DONE 0.3s.",
            "#8 exporting layers, never mind.",
            "#3 /app/a.php(12): must never be called.",
            "#9 sha256:14e0 must not be used.",
            "#Never change this by hand.",
            "#8 installing dependencies, you should never run as root.",
            "# 7 is a title.",
        ] {
            assert!(!is_of_page(row), "{row}");
        }
    }

    #[test]
    fn of_a_long_message_only_the_outer_lines_count() {
        let body = (0..60).map(|number| format!("line {number}.\n")).collect::<String>();
        let found = texts(&body);
        assert_eq!(
            (found.len(), found[4].as_str(), found[5].as_str()),
            (10, "line 4.", "line 55.")
        );
    }
}
