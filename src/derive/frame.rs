//! The last turn as one frame of state, and questions by which a tool can test whether an agent
//! that goes on knows where it is.

use std::collections::HashMap;

use serde::Serialize;

use super::frame_files::{self, Known};
use super::{FactKind, Facts, Lane, State, text};
use crate::model::Session;

/// What the last turn was about and left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// `segue-frame-1`.
    pub schema: &'static str,
    /// The session.
    pub session: String,
    /// The time of the last item; nothing if the session has no times.
    pub ts: Option<String>,
    /// What it is about.
    pub task: Task,
    /// What was decided in this turn.
    pub decisions: Vec<Line>,
    /// Files that were touched in this turn, and checks that ran in it.
    pub artifacts: Vec<Artifact>,
    /// What comes next, and what is open.
    pub next_actions: Vec<String>,
}

/// What a turn is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Task {
    /// The turn, such as `T-12`.
    pub id: String,
    /// The request, in the user's words.
    pub goal: String,
    /// The step that was being worked on.
    pub active: Option<String>,
}

/// Something with its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its id.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// A file or a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Artifact {
    /// `P-…` or `F-…`.
    pub id: String,
    /// `file` or `check`.
    pub kind: &'static str,
    /// The path, or how the check ended.
    pub text: String,
    /// The strongest thing done to a file; how a check stands.
    pub state: String,
    /// Lines that came, over the whole session.
    pub added_lines: usize,
    /// Lines that went.
    pub removed_lines: usize,
    /// First and last lines of a file that this turn read or wrote, where the calls name them.
    pub spans: Vec<(u64, u64)>,
    /// SHA-256 of the text that the session left in a file, where its last change wrote all of it.
    pub sha256: Option<String>,
}

/// How many files are named.
const MOST_FILES: usize = 20;
/// How many next actions.
const MOST_NEXT: usize = 6;
/// From how many characters on a text that stands within another is taken out of it: a short one may
/// stand anywhere.
const SHORTEST_PIECE: usize = 24;

/// Makes the frame of the last turn of `session`, of which `facts` were found.
pub fn frame(facts: &Facts, session: &Session) -> Frame {
    let id = facts.turns.first().map_or_else(|| facts.now.goal_id.clone(), |turn| turn.id.clone());
    let last = id.strip_prefix("T-").and_then(|turn| turn.parse::<u32>().ok()).unwrap_or(0);
    let decided = facts.decisions.iter().filter(|decision| decision.turn == last);
    let mut decisions: Vec<_> =
        decided.map(|one| Line { id: one.id.clone(), text: text::clip(&one.text, 300) }).collect();
    let said = facts.facts.iter().filter(|fact| fact.turn == last && fact.lane == Lane::Decision);
    decisions.extend(said.map(|one| Line { id: one.id.clone(), text: one.text.clone() }));
    // Where all is answered the last words are no step.
    let next = facts.now.next.as_deref().filter(|_| !facts.now.is_replied);
    let open = facts.open_work.iter().map(|work| text::line(&work.text, 240));
    Frame {
        schema: "segue-frame-1",
        session: facts.session.id.clone(),
        ts: facts.session.ended_at.clone(),
        task: Task {
            id,
            goal: text::clip(&facts.now.goal, 1000),
            active: facts.now.active.clone(),
        },
        decisions,
        artifacts: artifacts(facts, last, frame_files::known(session, last)),
        next_actions: next_actions(next, open.collect()),
    }
}

/// Returns what comes first, then what else is open; what begins with the former is the same, told whole.
fn next_actions(next: Option<&str>, mut open: Vec<String>) -> Vec<String> {
    if let Some(next) = next {
        let begin = next.trim_end_matches('…');
        match open.iter().position(|one| one.starts_with(begin)) {
            Some(at) => open[..=at].rotate_right(1),
            None => {
                open.retain(|one| !holds(next, one));
                open.insert(0, next.to_owned());
            }
        }
    }
    open.truncate(MOST_NEXT);
    open
}

/// Tells whether a piece of some length stands in a text, without its marks and as far as it is told.
fn holds(text: &str, piece: &str) -> bool {
    let bare = |text: &str| {
        let words: Vec<_> = text.split_whitespace().collect();
        words.join(" ").replace(['*', '`'], "")
    };
    let piece = bare(piece.trim_matches('…'));
    piece.chars().count() >= SHORTEST_PIECE && bare(text).contains(piece.trim())
}

fn artifacts(facts: &Facts, turn: u32, mut known: HashMap<String, Known>) -> Vec<Artifact> {
    let files = facts.files.iter().filter(|file| file.turn == turn && file.was_opened());
    let file = |file: &super::FileFact| {
        let Known { spans, sha256 } = known.remove(&file.id).unwrap_or_default();
        Artifact {
            id: file.id.clone(),
            kind: "file",
            text: file.path.clone(),
            state: file.state.to_owned(),
            added_lines: file.added_lines,
            removed_lines: file.removed_lines,
            spans,
            sha256,
        }
    };
    let checks =
        facts.facts.iter().filter(|fact| fact.turn == turn && fact.kind == FactKind::Check);
    let check = |fact: &super::Fact| Artifact {
        id: fact.id.clone(),
        kind: "check",
        text: fact.text.clone(),
        state: match fact.state {
            State::Open => "open",
            State::Done => "done",
            State::Superseded => "superseded",
            State::Stale => "stale",
        }
        .to_owned(),
        added_lines: 0,
        removed_lines: 0,
        spans: Vec::new(),
        sha256: None,
    };
    files.take(MOST_FILES).map(file).chain(checks.map(check)).collect()
}

/// A question about the state of the work, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Question {
    /// What to ask an agent that goes on.
    pub question: &'static str,
    /// What it should know; `none` where there is nothing.
    pub answer: String,
}

/// Returns five questions: what the work is for, what comes next, what failed last, what was decided
/// last, what stands in the way.
pub fn self_check(facts: &Facts) -> Vec<Question> {
    let now = &facts.now;
    let next = match now.acceptance.as_slice() {
        [] => now.next.clone().unwrap_or_default(),
        lines => lines.join("; "),
    };
    let failing = facts.open_work.iter().find(|work| work.source == "check");
    let failed = failing.map(|work| work.text.clone()).or_else(|| {
        facts.failures.first().map(|failure| format!("`{}`", text::line(&failure.command, 200)))
    });
    let decided: Vec<_> =
        facts.decisions.iter().take(3).map(|decision| text::line(&decision.text, 200)).collect();
    let dead_ends = facts.facts.iter().filter(|fact| fact.kind == FactKind::DeadEnd);
    let blockers: Vec<_> =
        now.blockers.iter().cloned().chain(dead_ends.map(|fact| fact.text.clone())).collect();
    let pairs = [
        ("What did the user ask for?", text::clip(&now.goal, 400)),
        ("What must hold in the end, or what comes next?", text::clip(&next, 400)),
        ("Which test or command failed last?", failed.unwrap_or_default()),
        ("What did the user decide last?", decided.join("; ")),
        ("What stands in the way?", blockers.join("; ")),
    ];
    let none = |answer: String| if answer.is_empty() { "none".to_owned() } else { answer };
    pairs.map(|(question, answer)| Question { question, answer: none(answer) }).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_action_stands_once_and_first() {
        let open =
            || ["Write the tests", "Fix the lexer: it loses the last token"].map(str::to_owned);
        let whole = "Fix the lexer: it loses the last token";
        for next in ["Fix the lexer: it loses…", "Fix the lexer: it loses", whole] {
            assert_eq!(next_actions(Some(next), open().into()), [whole, "Write the tests"]);
        }
        assert_eq!(next_actions(Some("Ask Ada"), open().into())[0], "Ask Ada");
        assert_eq!(next_actions(None, open().into()), open());
        let said =
            "**The lexer is slow.** I only ran it on short files.\nA long one may take an hour.";
        let pieces =
            ["**The lexer is slow.** I only ran it", "A long one may take an ho…", "A long one"];
        assert_eq!(
            next_actions(Some(said), pieces.map(str::to_owned).into()),
            [said, "A long one"]
        );
    }
}
