//! What things are worth: one table, which a file may change.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What each rendering of each kind of thing is worth; only the ratio of these numbers to each other
/// and to the tokens that they cost counts.
///
/// A list has one number a level, for what that level adds to the one before.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// The request beyond its first words.
    pub goal: [f64; 3],
    /// The request before it, where the card tells that too.
    pub before: [f64; 2],
    /// What the agent had said before the request, where that is a reply to it; then more of it.
    pub replied: [f64; 4],
    /// The last sentence of the harness's recap, then the whole; a short one is told whole at once.
    pub recap: [f64; 2],
    /// The agent's last words; then more of them.
    pub last_words: [f64; 4],
    /// A piece of open work.
    pub work: f64,
    /// The rest of one that is long.
    pub rest_of_work: f64,
    /// What the harness's list tells of it besides; then more of it.
    pub work_details: [f64; 2],
    /// What a failing command said.
    pub failure: [f64; 2],
    /// What the user decided.
    pub decision: [f64; 2],
    /// A fact of any other kind, and its detail.
    pub fact: [f64; 2],
    /// A file that was opened or changed; then more and more names in it.
    pub file: [f64; 4],
    /// A file that was only listed or named.
    pub listed: f64,
    /// How much more the likeliest file is worth than others: the power of its share.
    pub file_power: f64,
    /// A command.
    pub command: f64,
    /// The rest of a long command.
    pub rest: f64,
    /// The same for commands.
    pub command_power: f64,
    /// A section of the harness's own summary.
    pub section: [f64; 3],
    /// A turn in one line; then more of its request.
    pub tiny: [f64; 2],
    /// How much less that is worth for each turn after it.
    pub tiny_fade: f64,
    /// A step of a turn in one line.
    pub step: f64,
    /// What the agent said in the current turn, in a few words.
    pub news: f64,
    /// How much less that is worth for each time that it spoke after it.
    pub news_fade: f64,
    /// What the last call did, where the agent has said nothing since; then the first and last rows that it printed.
    pub unread: [f64; 2],
    /// The lines of a step that changed or ran something; then more of them.
    pub detail: [f64; 2],
    /// The same for a step that only looked.
    pub looked: [f64; 2],
    /// How much less a step is worth for each step after it.
    pub step_fade: f64,
    /// How what turns cost is shared among their levels: all, with details, a line a step, one line.
    pub shares: [f64; 4],
    /// What is near the words of the next task is worth so many times more.
    pub focus: f64,
    /// The words of the next task; not part of the table.
    #[serde(skip)]
    pub focus_on: String,
}

/// The largest that is taken: sums of larger ones say nothing any more.
const MOST: f64 = 1_000_000.0;

impl Weights {
    /// Says which weight is none: less than nothing, or too large.
    pub fn wrong(&self) -> Option<String> {
        let table = serde_json::to_value(self).unwrap_or_default();
        let is_wrong = |value: &Value| match value.as_array() {
            Some(list) => list.iter().any(is_none),
            None => is_none(value),
        };
        let found = table.as_object()?.iter().find(|(_, value)| is_wrong(value));
        found.map(|(name, _)| format!("`{name}` is not from 0 to {MOST}"))
    }
}

fn is_none(value: &Value) -> bool {
    !value.as_f64().is_some_and(|weight| (0.0..=MOST).contains(&weight))
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            goal: [400.0, 500.0, 160.0],
            before: [200.0, 160.0],
            replied: [260.0, 80.0, 70.0, 50.0],
            recap: [30.0, 15.0],
            last_words: [260.0, 65.0, 60.0, 40.0],
            work: 60.0,
            rest_of_work: 25.0,
            work_details: [40.0, 25.0],
            failure: [160.0, 30.0],
            decision: [45.0, 25.0],
            fact: [40.0, 20.0],
            file: [26.0, 40.0, 30.0, 20.0],
            listed: 55.0,
            file_power: 0.3,
            command: 40.0,
            rest: 4.0,
            command_power: 0.5,
            section: [60.0, 70.0, 60.0],
            tiny: [40.0, 14.0],
            tiny_fade: 0.75,
            step: 11.0,
            news: 40.0,
            news_fade: 0.8,
            unread: [60.0, 90.0],
            detail: [24.0, 28.0],
            looked: [16.0, 24.0],
            step_fade: 0.94,
            shares: [40.0, 16.0, 30.0, 14.0],
            focus: 4.0,
            focus_on: String::new(),
        }
    }
}
