//! What a long message comes to.

mod answered;
mod asked;
mod counted;
mod led;
mod lines;
mod marked;
mod order;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(super) use self::answered::{answers, is_numbered};
use self::lines::{Line, LineKind, lines, row};
use self::order::order;
use super::text;

/// With room for fewer characters nothing of the next part is told.
const LEAST_CHARS: usize = 60;
/// What stands where something was left out.
const GAP: &str = "[…]";

/// Returns what a message comes to in about `most` characters; more room only adds.
///
/// First stand its opening with the few rows of code that this leads to, the question with which it ends, or that the
/// user is asked a little above that, or what it says there that comes next, the list of which it names an entry at its
/// end, and the heads of what can be chosen, then the rows that tell that something failed and the numbered entries under
/// a bold line, the first sentences of the paragraph with which it ends, what stands under titles for what is left or
/// advised, the heads of its other numbered entries, its headings, each with the sentence below it, the heads of its last
/// list and the rest of that paragraph, then the head of each other line, the last first, since what is found or proposed
/// mostly stands in lists and at the end; each under what leads to its list, and with the short code that it leads to.
/// Rows of tables come next, then the rest of the lines, then code. What `reply` chooses by its number comes whole after the opening,
/// and so do the heads of the points that it answers by their numbers, of the list that it counts, "the 4 things", and of
/// the parts that it names by a word of their titles.
pub fn gist(message: &str, reply: &str, most: usize) -> String {
    told_of(message, (reply, ""), most, &|_| false)
}

/// Returns the same of what answers a request, without the sentences that are told elsewhere, or the lines;
/// where the whole message has room it is told whole. What stands under a heading that names what was asked for
/// comes behind the opening.
pub fn gist_without(
    message: &str,
    request: &str,
    most: usize,
    is_told: &dyn Fn(&str) -> bool,
) -> String {
    told_of(message, ("", request), most, is_told)
}

/// Returns what a message comes to beside the reply to it and the request before it.
fn told_of(
    message: &str,
    (reply, request): (&str, &str),
    most: usize,
    is_told: &dyn Fn(&str) -> bool,
) -> String {
    let message = message.trim();
    if message.chars().count() <= most {
        return message.to_owned();
    }
    let lines = lines(message);
    let elsewhere: Vec<bool> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| line.kind == LineKind::Prose && is_told(row(message, &lines, at)))
        .collect();
    let mut left = most;
    let mut taken: Vec<Vec<usize>> = lines.iter().map(|line| vec![0; line.parts.len()]).collect();
    for (line, part) in order(message, &lines, (reply, request)) {
        // The rest of a long sentence says nothing without its beginning.
        let begin = begins(message, &lines[line].parts, part);
        let told = |part: usize| is_told(&message[lines[line].parts[part].clone()]);
        let is_elsewhere = || elsewhere[line] || told(part) || begin < part && told(begin);
        if taken[line][part] > 0 || is_elsewhere() {
            continue;
        }
        let text = &message[lines[line].parts[part].clone()];
        let cost = text.chars().count() + 1;
        if cost > left {
            // Of what does not fit whole its first words; half a row of a table says nothing.
            let is_cut = left >= LEAST_CHARS && lines[line].kind != LineKind::Row;
            taken[line][part] = if is_cut { start(text, left) } else { 0 };
            break;
        }
        left -= cost;
        taken[line][part] = text.len();
    }
    close(message, &lines, &mut taken);
    led::drop_bare(message, &lines, &mut taken);
    drop_bare_headings(message, &lines, &mut taken);
    told(message, &lines, &taken)
}

/// Leaves out headings below which nothing is told; a number may name what can be chosen.
fn drop_bare_headings(message: &str, lines: &[Line], taken: &mut [Vec<usize>]) {
    let depth = |at: &usize| {
        let bare = row(message, lines, *at).trim_start();
        bare.len() - bare.trim_start_matches('#').len()
    };
    let is_heading = |at: &usize| lines[*at].kind == LineKind::Heading;
    for at in (0..lines.len()).filter(is_heading) {
        let ends = |below: &usize| is_heading(below) && depth(below) <= depth(&at);
        let mut below = (at + 1..lines.len()).take_while(|below| !ends(below));
        let tells = |below: usize| !is_heading(&below) && taken[below].iter().any(|it| *it > 0);
        if !below.any(tells) && order::number(row(message, lines, at)).is_none() {
            taken[at].fill(0);
        }
    }
}

/// Takes both fences of each block of code of which something is taken, and of no other: one alone would
/// make code of what stands below it.
fn close(message: &str, lines: &[Line], taken: &mut [Vec<usize>]) {
    let is_code = |at: &usize| lines[*at].kind == LineKind::Code;
    let is_fence = |at: &usize| is_code(at) && text::is_fence(row(message, lines, *at));
    let fences: Vec<usize> = (0..lines.len()).filter(is_fence).collect();
    for pair in fences.chunks(2) {
        let end = pair.get(1).copied().unwrap_or(lines.len());
        let is_told = taken[pair[0] + 1..end].iter().flatten().any(|bytes| *bytes > 0);
        for fence in pair {
            let parts = lines[*fence].parts.iter();
            taken[*fence] = parts.map(|part| if is_told { part.len() } else { 0 }).collect();
        }
    }
}

/// Returns the number of the part with which the sentence of a part begins.
fn begins(message: &str, parts: &[Range<usize>], part: usize) -> usize {
    let ends = |c: char| matches!(c, '.' | '!' | '?' | ':' | '。' | '！' | '？' | '*' | ')' | '`');
    let goes_on = |at: &usize| !message[parts[*at - 1].clone()].trim_end().ends_with(ends);
    (1..=part).rev().find(|at| !goes_on(at)).unwrap_or(0)
}

/// Returns how many bytes of a text its first words have, in at most `most` characters.
fn start(text: &str, most: usize) -> usize {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let is_blank = |at: &usize| text[*at..].starts_with(char::is_whitespace);
    let blank = (end / 2..=end).rev().filter(|at| text.is_char_boundary(*at)).find(is_blank);
    text::head(text, blank.unwrap_or(end)).len()
}

/// Puts what was taken together again, with a mark where something is missing; `taken` has how many bytes
/// of each part.
fn told(message: &str, lines: &[Line], taken: &[Vec<usize>]) -> String {
    let (mut told, mut is_missing, mut is_apart) = (String::new(), false, false);
    for (line, taken) in lines.iter().zip(taken) {
        is_apart |= line.is_apart;
        let mut is_new = taken.iter().any(|bytes| *bytes > 0);
        for (part, bytes) in line.parts.iter().zip(taken) {
            if *bytes == 0 {
                is_missing = true;
                continue;
            }
            if std::mem::take(&mut is_missing) && !told.is_empty() {
                told.push(' ');
                told.push_str(GAP);
            }
            let is_first = std::mem::take(&mut is_new);
            if is_first && !told.is_empty() {
                told.push_str(if std::mem::take(&mut is_apart) { "\n\n" } else { "\n" });
            }
            let text = &message[part.start..part.start + bytes];
            // Only the begin of a line has its indentation.
            let is_inner = is_first && part.start != line.parts[0].start;
            told.push_str(if is_inner { text.trim_start() } else { text });
            is_missing = part.start + bytes < part.end;
        }
    }
    if is_missing {
        told.push(' ');
        told.push_str(GAP);
    }
    told.trim().to_owned()
}
