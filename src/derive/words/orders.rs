//! The text of a command or a skill: what it is for, and what it forbids. It is a document that somebody wrote for an
//! agent, so that other rules hold than for what was typed; what is no English says nothing here.

use super::cues::is_question;
use super::lists::VERBS;
use super::sentence::{self, Sentence};
use crate::derive::text;

/// How many characters of a sentence are told.
const CHARS: usize = 160;
/// What forbids further behind in a longer sentence is told from its clause on.
const FAR_BYTES: usize = 110;
/// A longer list of what may be done is left out before what may not.
const MAY_BYTES: usize = 60;
/// A shorter sentence is told with the next one.
const SHORT_CHARS: usize = 60;
/// Fewer words are rather a heading.
const LEAST_WORDS: usize = 3;

/// A stretch of prose: a paragraph or an entry of a list.
struct Stretch {
    words: String,
    /// Whether it stands before the first heading or list that follows prose.
    is_lead: bool,
}

/// Returns what a text says that it is for, in `most` characters.
pub(in crate::derive) fn purpose(text: &str, most: usize) -> Option<String> {
    if let Some(described) = described(&front(text).0).filter(|words| words.contains(' ')) {
        return Some(text::line(&described, most));
    }
    stretches(text).iter().find_map(|stretch| first_of(&stretch.words.replace("**", ""), most))
}

/// Returns what a text says of itself at its head, be it on several lines.
fn described(front: &[&str]) -> Option<String> {
    let at = front.iter().position(|line| line.starts_with("description:"))?;
    let own = front[at].split_once(':')?.1.trim();
    // These say only how the lines below are joined.
    let own = Some(own).filter(|own| !own.trim_matches(['>', '|', '-', '+']).is_empty());
    let below = front[at + 1..].iter().take_while(|line| line.starts_with([' ', '\t']));
    let all: Vec<_> = own.into_iter().chain(below.map(|line| line.trim())).collect();
    Some(all.join(" ").trim_matches(['"', '\'']).to_owned())
}

/// Returns the first sentence of a paragraph that says something, a short one with what follows it.
fn first_of(paragraph: &str, most: usize) -> Option<String> {
    let is_told = |part: &&str| part.ends_with(['.', '!']) && is_whole(part);
    let parts = sentence::split(paragraph)
        .into_iter()
        .map(str::trim)
        .skip_while(|part| !is_told(part) || part.split_whitespace().count() < LEAST_WORDS);
    let mut told = String::new();
    for part in parts.take_while(is_told) {
        let is_full = told.chars().count() + part.chars().count() >= most;
        if !told.is_empty() && (is_full || told.chars().count() >= SHORT_CHARS) {
            break;
        }
        told = format!("{told} {part}").trim_start().to_owned();
    }
    (!told.is_empty()).then(|| text::line(&told, most))
}

/// Returns what a text says that must or must not be done, each on one line, the strongest first.
pub(in crate::derive) fn orders(text: &str) -> Vec<String> {
    let mut found: Vec<(u8, String)> = Vec::new();
    for stretch in stretches(text) {
        let bold = bold(&stretch.words);
        for sentence in sentence::wrapped(&stretch.words.replace("**", "")) {
            let is_told = is_whole(&sentence.text) && stands_alone(&sentence);
            let Some(cue) = cue(&sentence).filter(|_| is_told) else { continue };
            let rank = rank(&sentence, &cue, (stretch.is_lead, &bold));
            let told = short(&sentence.text, cue.word);
            if found.iter().all(|(_, known)| *known != told) {
                found.push((rank, told));
            }
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, told)| told).collect()
}

/// Whether a sentence has nothing in it that was to be filled in, nor leads to what stands below it.
fn is_whole(sentence: &str) -> bool {
    !sentence.contains("$ARGUMENTS") && !sentence.contains("{{") && !sentence.ends_with(':')
}

/// Whether a sentence can be understood without the document in which it stands.
fn stands_alone(sentence: &Sentence) -> bool {
    let names = ["above", "below", "this skill", "this command"];
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_step = sentence.find("step").is_some_and(|at| is_number(sentence.word(at + 1)));
    !is_step && !names.iter().any(|name| sentence.find(name).is_some())
}

/// Returns the lines at the head of a text between marks, and what stands below them.
fn front(text: &str) -> (Vec<&str>, &str) {
    let bare = text.trim_start();
    let from = bare.starts_with("<name>").then(|| bare.find("\n---\n")).flatten();
    let bare = from.map_or(bare, |from| &bare[from + 1..]);
    match bare.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) {
        Some((front, rest)) => (front.lines().collect(), rest),
        None => (Vec::new(), text),
    }
}

/// Words of a heading, or of a line that leads to others, under which stands how something is done wrong, or an example.
const SHOWN: &[&str] =
    &["anti-pattern", "antipattern", "bad", "example", "incorrect", "mistake", "wrong"];
/// Words with which a heading begins that tells of something: what is to be done stands under it.
const TELLING: &[&str] = &["how", "if", "what", "when", "why"];
/// How a line begins that shows that, or quotes somebody.
const SHOWS: &[&str] =
    &["assistant:", "avoid:", "bad:", "e.g.", "example:", "user:", "wrong:", "❌"];

/// Whether a heading, or a line that leads to others, has such a word.
fn leads_to_shown(line: &str) -> bool {
    let low = line.to_lowercase();
    let mut words = low
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|word| !word.is_empty())
        .peekable();
    let tells = words.peek().is_some_and(|first| TELLING.contains(first));
    let is_shown = |word: &str| {
        SHOWN.contains(&word) || word.strip_suffix('s').is_some_and(|it| SHOWN.contains(&it))
    };
    line.contains('❌') || !tells && words.any(is_shown)
}

/// What is only shown: all below a heading, or the next block behind a line that leads to it.
#[derive(Default)]
struct Shown {
    below_heading: bool,
    /// Whether a line led to the block, and what of it was seen: nothing yet, a paragraph or a list.
    block: Option<Block>,
    /// Whether a blank line stood before.
    is_parted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Awaited,
    Paragraph,
    List,
}

impl Shown {
    /// Takes a line, and tells whether it is only shown.
    fn takes(&mut self, line: &str, is_entry: bool) -> bool {
        let bare = line.trim();
        let is_parted = std::mem::replace(&mut self.is_parted, bare.is_empty());
        if bare.starts_with('#') {
            *self = Self { below_heading: leads_to_shown(bare), ..Self::default() };
        } else if bare.ends_with(':') {
            self.block = leads_to_shown(bare).then_some(Block::Awaited);
        } else if !bare.is_empty() {
            let goes_on = !is_parted || is_entry || line.starts_with([' ', '\t']);
            self.block = match self.block {
                Some(Block::Awaited) if is_entry => Some(Block::List),
                Some(Block::Awaited) => Some(Block::Paragraph),
                Some(Block::List) if goes_on => Some(Block::List),
                Some(Block::Paragraph) if !is_parted => Some(Block::Paragraph),
                _ => None,
            };
        }
        self.below_heading || self.block.is_some()
    }
}

/// Takes a text apart: headings, tables, quotes, code, examples and lists of boxes are no prose.
fn stretches(text: &str) -> Vec<Stretch> {
    let text = front(text).1;
    let mut found: Vec<Stretch> = Vec::new();
    let (mut until, mut open, mut is_lead): (Option<String>, bool, bool) = (None, false, true);
    let mut shown = Shown::default();
    for raw in text.lines() {
        let line = raw.trim();
        let begins = sentence::opened(line).or_else(|| {
            let is_remark = line.starts_with("<!--") && !line.contains("-->");
            is_remark.then(|| "-->".to_owned())
        });
        if let Some(end) = &until {
            let is_over =
                line.starts_with(end.as_str()) || !end.starts_with('`') && line.contains(end);
            until = until.filter(|_| !is_over);
            open = false;
            continue;
        }
        until = begins;
        let (bare, is_entry) = sentence::without_mark(line);
        let is_shown = shown.takes(raw, is_entry);
        is_lead &= found.is_empty() || !(line.starts_with('#') || is_entry);
        if is_shown || until.is_some() || is_no_prose(line) {
            open = false;
            continue;
        }
        match found.last_mut().filter(|_| open && !is_entry) {
            Some(last) => {
                last.words.push(' ');
                last.words.push_str(bare);
            }
            None => found.push(Stretch { words: bare.to_owned(), is_lead }),
        }
        open = true;
    }
    found
}

/// Whether a line ends what stands above it and is none of it.
fn is_no_prose(line: &str) -> bool {
    line.is_empty()
        || line.starts_with(['#', '|', '>', '<', '{', '}', '+', '='])
        || line.starts_with("---")
        || ["- [ ]", "- [x]", "- [X]", "* [ ]", "* [x]"].iter().any(|mark| line.starts_with(mark))
        || shows(sentence::without_mark(line).0)
}

fn shows(line: &str) -> bool {
    let low = line.trim_start_matches(['*', '_']).to_lowercase();
    SHOWS.iter().any(|start| low.starts_with(start))
}

/// Returns what stands in bold type; a mark alone is rather one of a path.
fn bold(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split("**").collect();
    let count = if parts.len() % 2 == 1 { parts.len() } else { 0 };
    parts.into_iter().take(count).skip(1).step_by(2).map(str::trim).collect()
}

/// The word by which a sentence binds.
struct Cue {
    word: &'static str,
    at: usize,
}

/// Words behind a cue that point to what stands before it, or say nothing.
const POINTING: &[&str] =
    &["it", "them", "this", "that", "these", "those", "so", "either", "mind", "worry"];
/// Words behind which an order can begin.
const BEFORE: &[&str] = &["and", "but", "or", "please", "so", "then", "also", "you"];
/// Words by which something is the way it is.
const BEING: &[&str] = &["is", "are", "be", "stay", "stays", "remain", "remains", "strictly"];

/// Finds the word by which a sentence says to whoever reads it what must or must not be done.
fn cue(sentence: &Sentence) -> Option<Cue> {
    if is_question(sentence) {
        return None;
    }
    let found = (0..sentence.words.len()).find_map(|at| Some((at, binds_at(sentence, at)?)));
    found.map(|(at, word)| Cue { word, at })
}

fn binds_at(sentence: &Sentence, at: usize) -> Option<&'static str> {
    let before = at.checked_sub(1).map_or("", |before| sentence.word(before));
    let opens = at == 0 || sentence.words[at - 1].ends || BEFORE.contains(&before);
    let next = sentence.word(at + 1);
    let names = |word: &str| !word.is_empty() && !POINTING.contains(&word);
    let acts = |at: usize| names(sentence.word(at)) && !POINTING.contains(&sentence.word(at + 1));
    match sentence.word(at) {
        "never" if (opens || before == "must") && acts(at + 1) => Some("never"),
        "must" if matches!(next, "not" | "never") && acts(at + 2) => Some("must"),
        "mustn't" if acts(at + 1) => Some("mustn't"),
        "do" if next == "not" && opens && acts(at + 2) => Some("do not"),
        "don't" | "dont" if opens && acts(at + 1) => Some("don"),
        "should" if before == "you" && matches!(next, "not" | "never") && acts(at + 2) => {
            Some("should")
        }
        "shouldn't" if before == "you" && acts(at + 1) => Some("should"),
        "avoid" if opens && acts(at + 1) => Some("avoid"),
        "refrain" if opens && next == "from" && acts(at + 2) => Some("refrain"),
        "always" if opens && VERBS.contains(&next) && acts(at + 1) => Some("always"),
        "only" if matches!(next, "when" | "if" | "after" | "with") => {
            (VERBS.contains(&before) && names(sentence.word(at + 2))).then_some("only")
        }
        "read-only" if opens || BEING.contains(&before) => Some("read-only"),
        _ => None,
    }
}

/// Words that bind less than others.
const SOFT: &[&str] = &["always", "avoid", "refrain", "should"];

/// Says how much a sentence matters among those that bind, the least the most.
fn rank(sentence: &Sentence, cue: &Cue, (is_lead, bold): (bool, &[&str])) -> u8 {
    let is_loud = |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let loud = ["NEVER", "NOT", "MUST", "ONLY", "ALWAYS"];
    let is_strong =
        sentence.text.split_whitespace().any(|word| is_loud(word) && loud.contains(&word))
            || bold.iter().any(|span| {
                span.to_lowercase().contains(cue.word)
                    && (span.contains(&sentence.text) || sentence.text.contains(span))
            });
    let is_conditional = ["if", "when", "where", "for"].contains(&sentence.word(0));
    // What names a command or a file says what is meant.
    let names_code = sentence::is_quote(sentence.word(cue.at + 1));
    match () {
        () if is_conditional || SOFT.contains(&cue.word) => 4,
        () if is_strong => 0,
        () if is_lead => 1,
        () if cue.at == 0 || cue.word == "only" || names_code => 2,
        () => 3,
    }
}

/// Returns a sentence on one line; of a long one that forbids far behind, from that clause on.
fn short(sentence: &str, cue: &str) -> String {
    let lead = sentence
        .split_once(": ")
        .filter(|(lead, _)| !lead.is_empty() && lead.bytes().all(|byte| byte.is_ascii_uppercase()));
    let sentence = lead.map_or(sentence, |(_, rest)| rest);
    // What may be done stands before what may not.
    let denied = sentence.rsplit_once(", but ").filter(|(may, _)| may.len() > MAY_BYTES);
    let denied = denied.filter(|(_, not)| not.to_ascii_lowercase().contains(cue));
    let sentence = denied.map_or(sentence.to_owned(), |(_, not)| format!("… {not}"));
    let sentence = sentence.as_str();
    if sentence.chars().count() <= CHARS {
        return sentence.to_owned();
    }
    let at = sentence.to_ascii_lowercase().find(cue).filter(|at| *at > FAR_BYTES);
    let clause = at.and_then(|at| sentence[..at].rfind(['—', ';', ',', ':']));
    let rest = clause.map(|at| sentence[at..].trim_start_matches(['—', ';', ',', ':', ' ']));
    match rest {
        Some(rest) => text::line(&format!("… {rest}"), CHARS),
        None => text::line(sentence, CHARS),
    }
}
