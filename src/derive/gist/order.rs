//! In which order the sentences of a message are told.

use super::answered::{answered, numbers};
use super::asked::{asked, named, open};
use super::counted::{counted, pointed};
use super::led::{block, led};
use super::lines::{Line, LineKind, row};
use super::marked;
use crate::derive::words;
use crate::model::QUESTION_MARKS;

/// In a reply of more words a number is hardly the name of what was chosen.
const CHOICE_WORDS: usize = 12;
/// So many sentences of the last paragraph come before the heads of numbered entries.
const LAST_PARTS: usize = 2;
/// An opening of fewer characters says too little.
const OPENING_CHARS: usize = 60;
/// So many lines an entry has at most that is told with its head.
const MOST_BELOW: usize = 40;

/// What the letter A counts as at the beginning of an entry: no list has so many with numbers.
const LETTER_A: u32 = 10_001;

/// Returns the parts in the order in which they are taken; some more than once.
pub(super) fn order(
    message: &str,
    lines: &[Line],
    (reply, request): (&str, &str),
) -> Vec<(usize, usize)> {
    let of = |kind: LineKind| (0..lines.len()).filter(move |at| lines[*at].kind == kind);
    let prose: Vec<usize> = of(LineKind::Prose).collect();
    let whole = |at: usize| (0..lines[at].parts.len()).map(move |part| (at, part));
    let text = |(line, part): (usize, usize)| &message[lines[line].parts[part].clone()];
    let mut told = 0;
    let opening = prose.iter().flat_map(|at| whole(*at)).take_while(|next| {
        let before = told;
        told += text(*next).chars().count();
        before < OPENING_CHARS
    });
    let opening: Vec<_> = opening.collect();
    let mut all: Vec<(usize, usize)> = opening.first().copied().into_iter().collect();
    let end = prose.last().map(|last| (*last, lines[*last].parts.len() - 1));
    let asks = |at: &(usize, usize)| text(*at).trim_end().ends_with(QUESTION_MARKS);
    // Nor is it known what comes without what the agent says that it does next.
    all.extend(end.filter(|at| asks(at) || words::goes_on(text(*at))));
    let above = || asked_above(message, lines, &prose);
    let question = end.filter(asks).or_else(above);
    let asked = question.filter(|at| Some(*at) != end);
    all.extend(asked.into_iter().flat_map(|(at, part)| {
        let is_short = text((at, part)).trim().chars().count() < ASKED_CHARS;
        whole(at).skip(part).take(1 + usize::from(is_short))
    }));
    all.extend(meant(message, lines, reply));
    if question.is_some() {
        // What has titles of its own is chosen among these.
        let (titles, mut options) = (titles(message, lines), options(message, lines));
        if titles.len() > 1 && options.first().is_none_or(|first| first < &titles[0]) {
            options = titles;
        }
        all.extend(options.iter().flat_map(|at| entry(lines, *at)));
    }
    let mut leading = opening.iter().map(|(at, _)| block(message, lines, *at));
    let rows = leading.find(|rows| !rows.is_empty()).unwrap_or_default();
    all.extend(rows.flat_map(whole));
    let rest = opening.into_iter().chain(body(message, lines, request));
    all.extend(rest.flat_map(|at| std::iter::once(at).chain(led(message, lines, at))));
    all
}

/// Returns the parts that a reply names, then those of a list of which the message names an entry at its end.
fn meant(message: &str, lines: &[Line], reply: &str) -> Vec<(usize, usize)> {
    let whole = |at: usize| (0..lines[at].parts.len()).map(move |part| (at, part));
    let chosen = chosen(message, lines, reply).into_iter().flat_map(whole);
    let answered = answered(message, lines, reply).into_iter().flat_map(|at| entry(lines, at));
    let mut all: Vec<(usize, usize)> = chosen.chain(answered).collect();
    let prose = lines.iter().rposition(|line| line.kind == LineKind::Prose);
    let ending = prose.map_or("", |last| row(message, lines, last));
    let counted = counted(message, lines, reply);
    for list in [counted, pointed(message, lines, reply), pointed(message, lines, ending)] {
        all.extend(list.first().map(|first| (lead_of(message, lines, *first), 0)));
        all.extend(list.into_iter().flat_map(|at| entry(lines, at)));
    }
    all.extend(named(message, lines, reply).into_iter().map(|at| (at, 0)));
    all
}

/// So many lines from the end the user can be asked something.
const ASKED_ABOVE: usize = 4;
/// A question of fewer characters hardly says by itself what is asked: the sentence behind it does.
const ASKED_CHARS: usize = 24;

/// Returns the question that the user is asked a little above the end.
fn asked_above(message: &str, lines: &[Line], prose: &[usize]) -> Option<(usize, usize)> {
    let asks = |text: &str| text.trim_end_matches(['*', '_', ' ']).ends_with(QUESTION_MARKS);
    let asking = |at: &usize| {
        let part = lines[*at].parts.iter().rposition(|part| asks(&message[part.clone()]))?;
        Some((*at, part))
    };
    let (at, part) = prose.iter().rev().take(ASKED_ABOVE).find_map(asking)?;
    let is_apart = lines[at].is_apart;
    (is_apart && words::asks_user(&message[lines[at].parts[part].start..])).then_some((at, part))
}

/// Returns the parts in the order in which they are taken behind the opening.
fn body(message: &str, lines: &[Line], request: &str) -> Vec<(usize, usize)> {
    let of = |kind: LineKind| (0..lines.len()).filter(move |at| lines[*at].kind == kind);
    let prose: Vec<usize> = of(LineKind::Prose).collect();
    let whole = |at: usize| (0..lines[at].parts.len()).map(move |part| (at, part));
    let mut all: Vec<(usize, usize)> = Vec::new();
    all.extend(asked(message, lines, request).into_iter().map(|at| (at, 0)));
    all.extend(marked::failed(message, lines).into_iter().map(|at| (at, 0)));
    let numbered = prose.iter().copied().filter(|at| number(row(message, lines, *at)).is_some());
    // What can be chosen by its number is more than that.
    if numbered.clone().next().is_none() {
        all.extend(marked::core(message, lines).into_iter().map(|at| (at, 0)));
    }
    let heads = |at: usize| {
        [lead_of(message, lines, at), head_of(message, lines, at), at].map(|at| (at, 0))
    };
    let is_set_off = |at: &usize| marked::is_bold(message, lines, lead_of(message, lines, *at));
    all.extend(numbered.clone().filter(is_set_off).flat_map(heads));
    // What ends a list is no paragraph: of that the heads come first, too.
    let last = prose.last().filter(|at| lines[**at].is_apart);
    let last: Vec<_> = last.into_iter().flat_map(|at| whole(*at)).collect();
    all.extend(last.iter().take(LAST_PARTS));
    all.extend(open(message, lines).into_iter().map(|at| (at, 0)));
    all.extend(titles(message, lines).into_iter().flat_map(heads));
    all.extend(numbered.flat_map(heads));
    all.extend(sections(lines).into_iter().flat_map(|at| entry(lines, at)));
    all.extend(last_list(message, lines).into_iter().flat_map(heads));
    all.extend(last);
    all.extend(prose.iter().rev().copied().flat_map(heads));
    all.extend(of(LineKind::Row).map(|at| (at, 0)));
    all.extend(prose.iter().rev().flat_map(|at| whole(*at)));
    all.extend((0..lines.len()).rev().flat_map(whole));
    all
}

/// Returns the numbered entries that are bold and stand over what is said of each, in order.
fn titles(message: &str, lines: &[Line]) -> Vec<usize> {
    let is_title = |at: &usize| {
        let row = row(message, lines, *at);
        lines[*at].kind == LineKind::Prose && row.starts_with("**") && number(row).is_some()
    };
    (0..lines.len()).filter(is_title).collect()
}

/// Returns the headings, in order; none if there is only one.
fn sections(lines: &[Line]) -> Vec<usize> {
    let is_heading = |at: &usize| lines[*at].kind == LineKind::Heading;
    let all: Vec<usize> = (0..lines.len()).filter(is_heading).collect();
    if all.len() > 1 { all } else { Vec::new() }
}

/// Returns how an entry begins: one that is a heading says nothing without what stands below it.
fn entry(lines: &[Line], at: usize) -> impl Iterator<Item = (usize, usize)> {
    let is_heading = lines[at].kind == LineKind::Heading;
    let below = is_heading && lines.get(at + 1).is_some_and(|line| line.kind == LineKind::Prose);
    [Some(at), below.then_some(at + 1)].into_iter().flatten().map(|at| (at, 0))
}

/// Returns the line that leads to the list in which one stands; itself if it stands in none, or if none
/// does.
fn lead_of(message: &str, lines: &[Line], at: usize) -> usize {
    let is_entry = |at: &usize| {
        let row = row(message, lines, *at);
        // What is only printed bold is none.
        let bare = row.trim_start().strip_prefix(['-', '*', '•', '+']);
        let marked = bare.is_some_and(|bare| bare.starts_with([' ', '\t']));
        row.starts_with([' ', '\t']) || marked || number(row).is_some()
    };
    if !is_entry(&at) {
        return at;
    }
    let above = (0..at).rev().take(MOST_BELOW).find(|above| !is_entry(above));
    let leads = |above: &usize| {
        let row = row(message, lines, *above).trim_end_matches(['*', '_']);
        lines[*above].kind == LineKind::Heading || row.ends_with([':', '：'])
    };
    above.filter(leads).unwrap_or(at)
}

/// Returns the line under which one stands by its indentation, which says nothing without it; one that is
/// not indented stands for itself.
fn head_of(message: &str, lines: &[Line], at: usize) -> usize {
    let depth = |at: usize| {
        let row = row(message, lines, at);
        row.len() - row.trim_start_matches([' ', '\t']).len()
    };
    let own = depth(at);
    (0..at)
        .rev()
        .take(MOST_BELOW)
        .find(|above| depth(*above) < own)
        .filter(|_| own > 0)
        .unwrap_or(at)
}

/// Returns the lines with which the entries of the last numbered list begin, in order; none if they do not
/// begin with the first.
fn options(message: &str, lines: &[Line]) -> Vec<usize> {
    let number_of = |at: usize| number(row(message, lines, at));
    let mut found: Vec<usize> = Vec::new();
    for at in (0..lines.len()).rev() {
        let Some(number) = number_of(at) else { continue };
        // One that does not count down belongs to another list.
        if found.last().is_some_and(|next| number_of(*next) != Some(number + 1)) {
            break;
        }
        found.push(at);
    }
    // Where it does not begin with the first, they are no options.
    let is_first = |at: &usize| matches!(number_of(*at), Some(1 | LETTER_A));
    let is_whole = found.last().is_some_and(is_first);
    found.reverse();
    if is_whole { found } else { Vec::new() }
}

/// Returns the lines with which the entries of the last list without numbers begin, in order: with the last
/// ones alone nobody would know of the others.
fn last_list(message: &str, lines: &[Line]) -> Vec<usize> {
    let row = |at: usize| row(message, lines, at);
    let is_entry = |at: &usize| {
        let bare = row(*at).strip_prefix(['-', '*', '•', '+']);
        lines[*at].kind == LineKind::Prose && bare.is_some_and(|bare| bare.starts_with(' '))
    };
    let is_below = |at: &usize| is_entry(at) || row(*at).starts_with([' ', '\t']);
    let end = (0..lines.len()).rev().find(is_entry).map_or(0, |at| at + 1);
    let all = (0..end).rev().take_while(is_below).filter(is_entry);
    let mut all: Vec<usize> = all.collect();
    all.reverse();
    if all.len() > 1 { all } else { Vec::new() }
}

/// Returns the lines of the entries that a short reply chooses by their numbers: of those with one number
/// the last, since what can be chosen stands at the end.
fn chosen(message: &str, lines: &[Line], reply: &str) -> Vec<usize> {
    let is_short = reply.split_whitespace().count() <= CHOICE_WORDS;
    let words = reply.split(|c: char| !c.is_alphanumeric()).filter(|_| is_short);
    let row = |at: usize| &message[lines[at].parts[0].start..];
    let is_inner = |at: &usize| row(*at).starts_with(char::is_whitespace);
    let is_more = |at: &usize| is_inner(at) && number(row(*at)).is_none();
    let number_of = |at: usize| match lines[at].kind {
        LineKind::Row => numbers(super::lines::row(message, lines, at)).1.first().copied(),
        _ => number(row(at)),
    };
    let entry = |wanted: u32| {
        let from = (0..lines.len()).rev().find(|at| number_of(*at) == Some(wanted))?;
        Some(std::iter::once(from).chain((from + 1..lines.len()).take_while(is_more)))
    };
    words.filter_map(|word| word.parse().ok()).filter_map(entry).flatten().collect()
}

/// Returns the number with which an entry of a list begins, as in `2.`, `(2)`, `**Option 2:**`, or that of its
/// letter where it is bold, a heading or in brackets: `**B.**`, `(B)`; or that behind it: `**B2 — …**`.
pub(super) fn number(row: &str) -> Option<u32> {
    let bare = row.trim_start_matches(|c: char| c.is_whitespace() || "*-+•#_(".contains(c));
    let (word, rest) = bare.split_once(' ').unwrap_or(("", bare));
    let is_named = !word.is_empty() && word.chars().all(char::is_alphabetic);
    let bare = if is_named { rest } else { bare };
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &bare[digits..];
    let is_mark = after.starts_with(['.', ')', ':', '*', '、', '．']);
    let is_dash = is_named && after.trim_start().starts_with(['—', '–', '-']);
    let is_version = after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit());
    let found = bare[..digits].parse().ok().filter(|_| (is_mark || is_dash) && !is_version);
    found.or_else(|| letter(row)).or_else(|| coded(row))
}

/// Returns the number behind the letter with which an entry begins that is bold or a heading, as in `**W1 — …`.
fn coded(row: &str) -> Option<u32> {
    let bare = row.trim_start_matches([' ', '\t', '-', '#']);
    let inner = bare.trim_start_matches("**");
    let is_marked = inner.len() < bare.len() || row.trim_start().starts_with('#');
    let rest = inner.strip_prefix(|c: char| c.is_ascii_uppercase()).filter(|_| is_marked)?;
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &rest[..rest.len() - after.len()];
    let is_apart = after.trim_start().starts_with(['—', '–', '-']) && after.starts_with(' ');
    let ends = is_apart || after.starts_with(['.', ')', ':', '*']);
    digits.parse().ok().filter(|_| ends && digits.len() < 3)
}

/// Returns what stands for the letter with which an entry begins.
fn letter(row: &str) -> Option<u32> {
    let marks = row.trim_start_matches([' ', '\t', '-', '#']);
    let bare = marks.trim_start_matches("**").trim_start_matches('(');
    let is_marked = bare.len() < marks.len() || row.trim_start().starts_with('#');
    let named = bare.split_once(' ').filter(|(word, _)| word.chars().all(char::is_alphabetic));
    let named = named.filter(|_| !marks.starts_with('('));
    let mut chars = named.map_or(bare, |(_, rest)| rest).chars();
    // Small ones number what stands below an entry.
    let letter = chars.next().filter(|c| is_marked && c.is_ascii_uppercase())?;
    let ends = chars.next().is_some_and(|c| matches!(c, '.' | ')' | ':'));
    let goes_on = chars.next().is_none_or(|c| c.is_whitespace() || c == '*');
    (ends && goes_on).then(|| LETTER_A + u32::from(letter) - u32::from('A'))
}
