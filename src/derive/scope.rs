//! Which sessions facts come from, and which of these look like one work.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Facts, FileFact, text};

/// A session that facts come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SessionFact {
    /// `S1` for the newest, and so on; it stands before the ids of what comes from the session.
    pub name: String,
    /// Sessions of one number look like one work; 1 is that of the newest.
    pub lane: usize,
    /// The name of the harness that recorded it.
    pub harness: String,
    /// The id by which the harness resumes it.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// The folder in which it began.
    pub folder: Option<String>,
    /// Its last time stamp, as recorded.
    pub ended_at: Option<String>,
    /// What the user asked for last, on one line.
    pub goal: String,
    /// The files that it was most about, from its folder.
    pub files: Vec<String>,
}

/// Something about the choice of sessions that a reader of the pack should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What it is, for programs.
    pub code: WarningCode,
    /// The same for people.
    pub message: String,
    /// The sessions that it is about, by their names in the pack; empty if they are not in it.
    pub sessions: Vec<String>,
    /// The folder that it is about, if it is about one.
    pub folder: Option<String>,
}

/// What can be said of the choice of sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// The sessions look like different work, so that there is no one goal.
    DifferentWork,
    /// Most changes of a session lie in another repository than where it began.
    EditsElsewhere,
    /// A session ends in the future, by the clock here.
    EndsInFuture,
    /// More sessions fit than are packed at most.
    MoreSessions,
    /// A session could not be read and is not in the pack.
    UnreadableSession,
}

/// How many files are named of each session.
const MOST_FILES: usize = 6;
/// How much of the last request is told of each, in characters.
const GOAL_CHARS: usize = 160;
/// The share of common files from which two sessions are one work.
const SAME_FILES: f64 = 0.2;
/// The share of common words of the requests from which they are.
const SAME_WORDS: f64 = 0.3;
/// With fewer different words the requests say too little to compare.
const FEWEST_WORDS: usize = 4;
/// How many words must be common at least: one or two stand in requests of any kind.
const FEWEST_COMMON: usize = 3;
/// Words of fewer letters are mostly those that stand in any request.
const SHORTEST_WORD: usize = 5;

/// Says of a session what tells it from others.
pub(super) fn session(facts: &Facts) -> SessionFact {
    let header = &facts.session;
    SessionFact {
        name: "S1".to_owned(),
        lane: 1,
        harness: header.harness.clone(),
        id: header.id.clone(),
        title: header.title.clone(),
        folder: header.cwd.clone(),
        ended_at: header.ended_at.clone(),
        goal: text::line(&facts.now.goal, GOAL_CHARS),
        files: worked_on(facts).take(MOST_FILES).map(|file| file.path.clone()).collect(),
    }
}

/// Returns the files that a session changed; if none, those that it opened.
fn worked_on(facts: &Facts) -> impl Iterator<Item = &FileFact> {
    let changes = facts.files.iter().any(|file| file.edits > 0);
    facts.files.iter().filter(move |file| file.edits > 0 || (!changes && file.was_opened()))
}

/// Returns the lane of each session, from 0.
///
/// Two sessions are one work if a fifth of the files of the smaller one are files of the other
/// too, or three tenths of the words of its requests and at least three of them. What is one work with
/// any session of a lane is in the lane. A session that can be compared with none says nothing of the
/// others: it is one work with the newest that can.
pub(super) fn lanes(all: &[Facts]) -> Vec<usize> {
    lanes_of(&all.iter().map(Marks::of).collect::<Vec<_>>())
}

fn lanes_of(marks: &[Marks]) -> Vec<usize> {
    let mut lanes: Vec<usize> = (0..marks.len()).collect();
    let mut is_known = vec![false; marks.len()];
    for (later, of_later) in marks.iter().enumerate() {
        for (earlier, of_earlier) in marks.iter().enumerate().take(later) {
            let is_one_work = of_later.is_one_work_with(of_earlier);
            if is_one_work.is_some() {
                (is_known[later], is_known[earlier]) = (true, true);
            }
            if is_one_work == Some(true) {
                let (from, to) = (lanes[later], lanes[earlier]);
                let (from, to) = (from.max(to), from.min(to));
                lanes.iter_mut().filter(|lane| **lane == from).for_each(|lane| *lane = to);
            }
        }
    }
    let newest = is_known.iter().position(|is_known| *is_known).map_or(0, |at| lanes[at]);
    let unknown = lanes.iter_mut().zip(&is_known).filter(|(_, is_known)| !**is_known);
    unknown.for_each(|(lane, _)| *lane = newest);
    let used: BTreeSet<usize> = lanes.iter().copied().collect();
    lanes.iter().map(|lane| used.range(..lane).count()).collect()
}

/// What tells one work from another.
#[derive(Default)]
struct Marks {
    files: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Marks {
    fn of(facts: &Facts) -> Self {
        let folder = facts.session.cwd.as_deref().unwrap_or_default();
        let files = worked_on(facts).map(|file| absolute(&file.path, folder)).collect();
        let requests = facts.turns.iter().filter_map(|turn| turn.asks.last().map(String::as_str));
        let words = requests.chain([facts.now.goal.as_str()]).flat_map(words).collect();
        Self { files, words }
    }

    /// Tells whether two sessions are one work; nothing where there is nothing to compare.
    fn is_one_work_with(&self, other: &Self) -> Option<bool> {
        let files = Common::of(&self.files, &other.files);
        let words = Common::of(&self.words, &other.words);
        let no_words = words.of < FEWEST_WORDS;
        let same_words = !no_words && words.count >= FEWEST_COMMON && words.share() >= SAME_WORDS;
        let is_one_work = files.share() >= SAME_FILES || same_words;
        (files.of > 0 || !no_words).then_some(is_one_work)
    }
}

/// How much two sets have in common.
struct Common {
    count: usize,
    /// The size of the smaller set.
    of: usize,
}

impl Common {
    fn of(one: &BTreeSet<String>, other: &BTreeSet<String>) -> Self {
        Self { count: one.intersection(other).count(), of: one.len().min(other.len()) }
    }

    /// Returns the part of the smaller set that is common.
    fn share(&self) -> f64 {
        text::share(self.count, self.of)
    }
}

/// Returns a path of a session from the root, where that can be told.
pub(super) fn absolute(path: &str, folder: &str) -> String {
    let has_root = path.starts_with(['/', '~']) || path.get(1..3) == Some(":/");
    match has_root || folder.is_empty() {
        true => path.to_owned(),
        false => format!("{}/{path}", folder.replace('\\', "/").trim_end_matches('/')),
    }
}

/// Returns the words of a text that can tell one work from another: those of five letters and
/// more. What is written without blanks is taken two characters at a time.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let chars: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
        if chars.iter().any(|c| text::is_unparted(*c)) {
            found.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if chars.len() >= SHORTEST_WORD {
            found.push(chars.into_iter().collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(files: &[&str], request: &str) -> Marks {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        Marks { files, words: words(request).into_iter().collect() }
    }

    #[test]
    fn a_common_file_or_common_words_make_one_work() {
        let parser = marks(&["/p/a.rs", "/p/b.rs"], "Mend the decimal marks of the invoice parser");
        let again = marks(&["/p/b.rs"], "Go on, please");
        let same_words = marks(&["/p/c.rs"], "The invoice parser drops decimal marks again");
        let other = marks(&["/p/site.css"], "Give the landing pages a darker background colour");
        assert_eq!(parser.is_one_work_with(&again), Some(true));
        assert_eq!(parser.is_one_work_with(&same_words), Some(true));
        assert_eq!(parser.is_one_work_with(&other), Some(false));
        assert_eq!(again.is_one_work_with(&marks(&[], "ok")), None, "nothing to compare");
    }

    #[test]
    fn what_cannot_be_compared_makes_no_two_works_one() {
        let parser = || marks(&["/p/a.rs"], "Mend the decimal marks of the invoice parser");
        let site = || marks(&["/p/site.css"], "Give the landing pages a darker background colour");
        let nod = || marks(&[], "ok go on");
        assert_eq!(lanes_of(&[site(), nod(), parser()]), [0, 0, 1]);
        assert_eq!(lanes_of(&[nod(), site(), parser()]), [0, 0, 1]);
        assert_eq!(lanes_of(&[parser(), nod(), parser()]), [0, 0, 0]);
        assert_eq!(lanes_of(&[nod(), parser()]), [0, 0]);
        assert_eq!(lanes_of(&[nod(), nod()]), [0, 0]);
        assert_eq!(lanes_of(&[]), [0; 0]);
    }

    #[test]
    fn words_are_compared_in_every_script() {
        let one = marks(&[], "修复发票解析器的小数点");
        assert_eq!(one.is_one_work_with(&marks(&[], "发票解析器的小数点还是错的")), Some(true));
        assert_eq!(one.is_one_work_with(&marks(&[], "给首页换一个深色背景")), Some(false));
        assert_eq!(words("Größe ändern"), ["größe", "ändern"]);
    }

    #[test]
    fn paths_are_told_from_the_root() {
        assert_eq!(absolute("src/a.rs", "/home/ada/p/"), "/home/ada/p/src/a.rs");
        assert_eq!(absolute("/etc/x.conf", "/home/ada"), "/etc/x.conf");
        assert_eq!(absolute("a.rs", "C:\\p"), "C:/p/a.rs");
        assert_eq!(absolute("C:/q/a.rs", "C:\\p"), "C:/q/a.rs");
        assert_eq!(absolute("a.rs", ""), "a.rs");
    }
}
