//! Entries of a review: what each says, how grave it is, and where in the files that lies.

use super::grades::{Graded, MARKS, SCALES, ends_graded, graded, is_grade, is_level};
use crate::derive::{paths, text};

/// The longest that is told of one, in characters.
const LONGEST: usize = 240;
/// Words beside it in a heading that says no more than how grave all is that stands below it.
const KINDS: &[&str] = &["findings", "finding", "issues", "issue", "defects", "bugs", "problems"];
/// Names of what says in short what a finding is about, the best first.
const TITLES: &[&str] = &["title", "finding", "issue", "problem", "summary", "impact"];
/// How an agent says that it dealt with findings.
pub(super) const SETTLED: &[&str] =
    &["addressed", "corrected", "dealt", "fixed", "mended", "repaired", "resolved"];
/// Marks of what is done.
const DONE: &[&str] = &["✅", "✓", "✔", "☑", "~~", "[x]", "[X]"];
/// How many lines of an entry are looked at.
const BODY: usize = 30;
/// Names of columns that tell how far a finding is dealt with.
const STATES: &[&str] =
    &["commit", "did", "done", "fixed", "resolution", "resolved", "state", "status"];
/// Names of columns that tell what was or shall be done about it.
const ACTS: &[&str] = &["action", "actions", "change", "changes", "fix", "fixes"];
/// How a finding is called that nobody dealt with.
const OPEN: &[&str] =
    &["confirmed", "new", "no", "not", "open", "outstanding", "pending", "todo", "unresolved"];

/// An entry, and what belongs to it.
pub(super) struct Entry<'w> {
    /// Its first line.
    pub head: &'w str,
    /// The lines that belong to it.
    body: &'w [&'w str],
    /// The line above that says what it is about, where it has only names and values.
    pub title: Option<&'w str>,
    /// The names of the columns, where it is a row of a table.
    columns: Option<&'w str>,
}

/// Takes words apart into entries; a line can be one of its own, and belong to the one above it.
pub(super) fn entries<'w>(lines: &'w [&'w str]) -> Vec<Entry<'w>> {
    let (mut found, mut columns) = (Vec::new(), None);
    for (at, head) in lines.iter().copied().enumerate() {
        if !is_row(head) {
            columns = None;
        } else if columns.is_none() {
            columns = Some(head);
            continue;
        }
        let entry = match grade_named(head) {
            Some(_) => named(lines, at),
            None => Entry { head, body: &lines[at + 1..end(lines, at)], title: None, columns },
        };
        found.extend((!head.trim().is_empty()).then_some(entry));
    }
    found
}

/// Returns the entry whose line `at` names how grave it is, with the names and values around that line.
fn named<'w>(lines: &'w [&'w str], at: usize) -> Entry<'w> {
    let is_more = |line: &&&str| pair(line).is_some() && grade_named(line).is_none();
    let above = lines[..at].iter().rev().take_while(is_more).count();
    let below = lines[at + 1..].iter().take_while(is_more).count();
    let body = &lines[at - above..=at + below];
    let title = lines[..at - above].iter().rev().find(|line| !line.trim().is_empty());
    let title = title.copied().filter(|line| bare(line).len() < line.trim().len());
    Entry { head: lines[at], body, title, columns: None }
}

/// Returns where the entry ends that begins at line `at`.
fn end(lines: &[&str], at: usize) -> usize {
    let own = rank(lines[at]);
    let ends = |(place, line): (usize, &&str)| {
        let is_blank = line.trim().is_empty();
        let is_apart = is_blank && lines.get(place + 1).is_none_or(|next| !next.starts_with("  "));
        let other = rank(line);
        match own {
            0 | 1 => other <= own,
            usize::MAX => is_blank || other < own,
            _ => is_apart || other <= own,
        }
    };
    let most = lines.len().min(at + 1 + BODY);
    let mut rest = lines.iter().enumerate().take(most).skip(at + 1);
    rest.find(|one| ends(*one)).map_or(most, |(at, _)| at)
}

/// Returns how far up a line stands: headings, lines in bold, entries of lists by how far they are moved in, others.
fn rank(line: &str) -> usize {
    let start = line.trim_start();
    let is_item = ["- ", "* ", "+ ", "• "].iter().any(|mark| start.starts_with(mark));
    let digits = start.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = digits.len() < start.len() && digits.starts_with([')', '.']);
    match line {
        _ if start.starts_with('#') => 0,
        _ if text::marked_heading(line).is_some() => 1,
        _ if is_item || is_numbered || is_row(line) => 2 + line.len() - start.len(),
        _ => usize::MAX,
    }
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Returns a line without what marks it as an entry or a heading.
fn bare(line: &str) -> &str {
    line.trim().trim_start_matches(|c: char| c.is_ascii_digit() || ".)-*#+• ".contains(c))
}

/// Returns the name and the value of a line such as `- **File:** a.rs`.
pub(super) fn pair(line: &str) -> Option<(String, &str)> {
    let (name, value) = bare(line).split_once(':')?;
    let is_name = |word: &str| word.chars().all(|c| c.is_alphabetic() || c == '*');
    let few = name.split_whitespace().count() <= 3 && name.split_whitespace().all(is_name);
    let value = value.trim_start_matches(['*', ' ']).trim();
    (few && !value.is_empty()).then(|| (name.replace('*', "").trim().to_lowercase(), value))
}

/// Returns how grave an entry is of which a line says nothing else: `Severity: high`.
fn grade_named(line: &str) -> Option<&str> {
    let (name, value) = pair(line)?;
    SCALES.contains(&name.as_str()).then(|| value.trim_matches(MARKS)).filter(|it| is_grade(it))
}

/// Returns how far up a heading stands that says only how grave all is that stands below it: `## High findings`.
pub(super) fn grades_below(line: &str) -> Option<usize> {
    let words = bare(line).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_kind = |word: &&str| KINDS.contains(&word.to_lowercase().as_str());
    let rest: Vec<&str> = words.filter(|word| !is_kind(word)).collect();
    (text::marked_heading(line).is_some() && is_grade(&rest.join(" "))).then(|| depth(line))
}

/// Returns how deep a heading stands.
pub(super) fn depth(line: &str) -> usize {
    match line.trim_start().bytes().take_while(|byte| *byte == b'#').count() {
        0 => usize::MAX,
        marks => marks,
    }
}

impl Entry<'_> {
    /// Returns what a finding comes to: an entry that has a grade, or stands `below` one, and a place in a file, or
    /// has enough to say behind its grade.
    pub(super) fn finding(&self, below: bool) -> Option<String> {
        if let Some(columns) = self.columns {
            return self.row(columns).filter(|_| !self.is_mended());
        }
        if let Some(grade) = grade_named(self.head) {
            let told = told(&format!("{grade}: {}", self.about()?), Some(&self.place()?));
            return told.filter(|_| !self.is_mended());
        }
        let head = bare(self.head);
        let is_marked = head.len() < self.head.trim().len();
        let graded = graded(head);
        let says = graded.as_ref().is_some_and(|graded| graded.says_all(is_marked));
        let goes_with_place = match &graded {
            Some(graded) => graded.goes_with_place(),
            None => is_marked && (ends_graded(head) || below && rank(self.head) < 4),
        };
        if !says && !goes_with_place {
            return None;
        }
        let place = self.place();
        let is_one = (says || place.is_some()) && !self.is_mended();
        told(head, place.as_deref()).filter(|_| is_one)
    }

    /// Returns a finding that begins with its grade and goes on behind a mark.
    pub(super) fn plain_finding(&self) -> Option<String> {
        let head = bare(self.head);
        let is_marked = head.len() < self.head.trim().len();
        let is_plain = |graded: &Graded<'_>| !graded.is_named && graded.says_all(is_marked);
        graded(head).filter(is_plain).and_then(|_| self.finding(false))
    }

    /// Returns the place in a file that it names.
    fn place(&self) -> Option<String> {
        place(self.head).or_else(|| place(&self.body.join(" ")))
    }

    /// Returns what names and values say in short, by the title above them or the name that promises most.
    fn about(&self) -> Option<String> {
        if let Some(title) = self.title {
            return Some(bare(title).trim_end_matches([':', '*']).to_owned());
        }
        let pairs: Vec<_> = self.body.iter().filter_map(|line| pair(line)).collect();
        let named =
            |title: &str| pairs.iter().find(|(name, _)| name.split(' ').any(|word| word == title));
        let says = |(_, value): &&(String, &str)| value.split_whitespace().count() > 2;
        let found =
            TITLES.iter().find_map(|title| named(title)).or_else(|| pairs.iter().find(says));
        found.map(|(_, value)| (*value).to_owned())
    }

    /// Returns what a row of a table comes to in which a cell is a grade: one that cannot be anything else with a
    /// place, or one below such a name.
    fn row(&self, columns: &str) -> Option<String> {
        let cells = |line: &str| -> Vec<String> {
            line.trim()
                .trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().replace("**", ""))
                .collect()
        };
        let (names, row) = (cells(columns), cells(self.head));
        let at = row.iter().position(|cell| is_grade(cell))?;
        let has = |name: &str, words: &[&str]| {
            let name = name.to_lowercase();
            name.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
        };
        let named = || row.iter().zip(&names);
        let is_open = named().all(|(cell, name)| !has(name, STATES) || is_open(cell));
        let is_named = has(names.get(at)?, &["severity"]);
        let place = place(self.head);
        let others = named().filter(|(_, name)| !has(name, STATES) && !has(name, ACTS));
        let (about, _) = others.max_by_key(|(cell, _)| cell.split_whitespace().count())?;
        let says = about.split_whitespace().count() > 1;
        let is_one = is_open && says && (is_named || place.is_some() && is_level(&row[at]));
        told(&format!("{}: {about}", row[at]), place.as_deref()).filter(|_| is_one)
    }

    /// Whether the entry itself says that it is dealt with.
    fn is_mended(&self) -> bool {
        let mends = |line: &&str| {
            let line = bare(line);
            DONE.iter().any(|mark| line.starts_with(mark))
                || match pair(line) {
                    Some((name, value)) if name == "status" => is_settled(value),
                    _ => is_settled(line),
                }
        };
        let clauses = self.head.split(|c: char| "—–·|:()[]*`".contains(c));
        let is_ticked = |clause: &str| DONE.iter().any(|mark| clause.trim().starts_with(mark));
        clauses.clone().any(|clause| is_settled(clause) || is_ticked(clause))
            || self.head.split(". ").any(is_settled)
            || mends(&self.head)
            || self.body.iter().any(mends)
    }
}

/// Whether a clause says that something is dealt with: `now fixed`, `fixed in 1a2b3c4`.
fn is_settled(clause: &str) -> bool {
    let low = clause.to_lowercase();
    let words =
        low.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words = words.filter(|word| !word.is_empty());
    let mut words =
        words.skip_while(|word| ["already", "been", "has", "is", "now", "was"].contains(word));
    words.next().is_some_and(|word| SETTLED.contains(&word))
        && words.next().is_none_or(|word| ["at", "by", "in", "with"].contains(&word))
}

/// Whether what is told of the state of a finding says that nobody dealt with it.
pub(super) fn is_open(state: &str) -> bool {
    let first = state.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    first.is_some_and(|word| OPEN.contains(&word.to_lowercase().as_str()))
}

/// Returns the place in a file that words name first: `src/a.rs:3`, or `src/a.rs, lines 3-5`.
pub(super) fn place(words: &str) -> Option<String> {
    let is_outer = |c: char| c.is_whitespace() || "`()[]<>*|,;\"'".contains(c);
    let words: Vec<&str> = words.split(is_outer).filter(|word| !word.is_empty()).collect();
    let is_file = |path: &str| {
        let is_path = || path.contains('/') && path.ends_with(char::is_alphanumeric);
        !path.contains("://") && (paths::is_file(&path.replace('\\', "/")) || is_path())
    };
    let begins = |number: &str| number.starts_with(|c: char| c.is_ascii_digit());
    words.iter().enumerate().find_map(|(at, word)| {
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let cut = word.find([':', '#']).into_iter().chain(word.rfind(':')).find(|at| {
            let number = word[at + 1..].trim_start_matches('L');
            begins(number) && is_file(&word[..*at])
        });
        let line = |at: usize| words.get(at).map_or("", |word| word.trim_end_matches([':', '.']));
        let is_line = matches!(line(at + 1).to_lowercase().as_str(), "line" | "lines");
        match cut {
            Some(_) => Some(word.to_owned()),
            None if is_line && begins(line(at + 2)) && is_file(word) => {
                Some(format!("{word}:{}", line(at + 2)))
            }
            None => None,
        }
    })
}

/// Returns the head of an entry on one line, and its place where that does not stand in it.
pub(super) fn told(head: &str, place: Option<&str>) -> Option<String> {
    let head = head.replace("**", "");
    let more = place.filter(|place| !head.contains(place)).map(|place| format!(" ({place})"));
    let more = more.unwrap_or_default();
    let line = text::line(whole(&head).trim_end_matches('|'), LONGEST.saturating_sub(more.len()));
    (!line.is_empty()).then(|| line + &more)
}

/// Returns an entry without the words that lead to what stands below it, such as `For:`.
pub(super) fn whole(entry: &str) -> &str {
    let entry = entry.trim_end();
    let cut = entry.strip_suffix(':').and_then(|entry| entry.rfind(". "));
    cut.map_or(entry, |at| &entry[..=at])
}

#[cfg(test)]
mod tests {
    use super::{entries, place};

    fn found(words: &str) -> Vec<String> {
        entries(&words.lines().collect::<Vec<_>>())
            .iter()
            .filter_map(|entry| entry.finding(false))
            .collect()
    }

    #[test]
    fn findings_are_known_in_each_form() {
        let lamp = "The lamp burns at noon";
        for (words, wanted) in [
            (
                "severity: P1  \nfile: `src/lamp.rs:25`  \ntrigger: dusk falls twice.  \nobservable impact: the lamp burns at noon.  \nfix: read the clock.",
                "P1: the lamp burns at noon. (src/lamp.rs:25)",
            ),
            (
                "**Severity:** High\n**File:** src/lamp.rs\n**Line:** 25\n**Problem:** The lamp burns at noon.",
                "High: The lamp burns at noon. (src/lamp.rs:25)",
            ),
            (
                "1. **The lamp burns at noon**\n   - Severity: High\n   - File: src/lamp.rs:25",
                "High: The lamp burns at noon (src/lamp.rs:25)",
            ),
            ("**P1** `src/lamp.rs:25` — it burns.", "P1 `src/lamp.rs:25` — it burns."),
            ("1. **High** src/lamp.rs:25: it burns.", "High src/lamp.rs:25: it burns."),
            (
                "### 1. The lamp burns at noon (P1)\n`src/lamp.rs:25`\n\nIt does.",
                "The lamp burns at noon (P1) (src/lamp.rs:25)",
            ),
            (
                "- The lamp burns at noon, src/lamp.rs:25 [High]",
                "The lamp burns at noon, src/lamp.rs:25 [High]",
            ),
            ("## [P2] Count the lamps first", "[P2] Count the lamps first"),
            ("[P1] It burns\nsrc/lamp.rs:25\nAt noon.", "[P1] It burns (src/lamp.rs:25)"),
            (
                "- 🔴 **Critical**: it burns at noon in there",
                "🔴 Critical: it burns at noon in there",
            ),
            (
                "| # | Severity | File | Problem |\n|---|---|---|---|\n| 1 | P1 | src/lamp.rs:25 | The lamp burns at noon |",
                "P1: The lamp burns at noon (src/lamp.rs:25)",
            ),
        ] {
            assert_eq!(found(words), [wanted], "{words}");
        }
        let fix = "| Severity | Problem | Fix | Status |\n|--|--|--|--|\n| High | it burns at noon | let it read the clock first | open |";
        assert_eq!(found(fix), ["High: it burns at noon"]);
        assert_eq!(found(&format!("| Part | Severity |\n|--|--|\n| {lamp} | high |")).len(), 1);
    }

    #[test]
    fn praise_and_what_is_mended_are_no_findings() {
        for words in [
            "No P1 findings in src/lamp.rs:25.",
            "**Low** risk: src/lamp.rs:25 is fine",
            "- Low-level code in src/lamp.rs:25 is clean and good",
            "- High-quality names are used in all of it",
            "High load is fine, see src/lamp.rs:25",
            "P1: none",
            "severity: P1\nfile: none\nimpact: none",
            "| Part | Load | Place |\n|--|--|--|\n| the first lamp | high | src/lamp.rs:25 |",
            "- Priority: high",
            "## The lamp burns (P1)\n\nNo place is known.",
            "- [P1] src/lamp.rs:25 — fixed in 1a2b3c4",
            "- ~~[P1] src/lamp.rs:25: it burns at noon~~",
            "- **P1 (fixed)** `src/lamp.rs:25`: it burns at noon",
            "severity: P1\nfile: src/lamp.rs:25\nimpact: it burns at noon.\nstatus: Resolved",
            "| Severity | Problem | State |\n|--|--|--|\n| P1 | it burns at src/lamp.rs:25 | ✅ Fixed |",
            "- [P1] src/lamp.rs:25: it burns at noon\n  Fixed by reading the clock.",
            "| Severity | Problem | State |\n|--|--|--|\n| High | it burns at noon | put off to next week |",
            "| Severity | Problem | What I did |\n|--|--|--|\n| High | it burns at noon | read the clock first |",
        ] {
            assert_eq!(found(words), Vec::<String>::new(), "{words}");
        }
        assert_eq!(found("- [P1] src/lamp.rs:25: it is not fixed in the old lamp").len(), 1);
        assert_eq!(found("- [P1] src/lamp.rs:25: Fixed buffers run over").len(), 1);
    }

    #[test]
    fn a_place_is_a_file_and_a_line() {
        for (words, wanted) in [
            ("see [lamp.rs:3](/w/lamp.rs:3):", "lamp.rs:3"),
            ("`src/lamp.rs:3-5`.", "src/lamp.rs:3-5"),
            ("(src/lamp.rs#L3)", "src/lamp.rs#L3"),
            ("in `src/lamp.rs`, lines 3-5.", "src/lamp.rs:3-5"),
            ("C:\\w\\lamp.rs:3", "C:\\w\\lamp.rs:3"),
        ] {
            assert_eq!(place(words).as_deref(), Some(wanted), "{words}");
        }
        for words in ["at 10:30", "http://a.example/b:80", "localhost:8080", "src/lamp.rs", "1:2"] {
            assert_eq!(place(words), None, "{words}");
        }
    }
}
