//! What must not go on: secrets, instructions that somebody hid, and characters that nobody sees.
//!
//! Pure: texts in, texts and findings out. Whose words a text is, and so what follows from a
//! finding, is for the caller to know.

mod bare;
mod fold;
mod likely;
pub mod marks;
mod patterns;
mod plain;
mod prefilter;
mod private_key;
mod rules;
mod secrets;
mod threats;

use serde::Serialize;

pub use prefilter::Words;
pub use secrets::{Redacted, Redactor, private_keys, secrets};
pub use threats::{only_warns_in_memory, rules, threats, threats_in_memory};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Hardly ever honest: not shown unless it is asked for.
    Block,
    /// Seldom honest: not shown unless it is asked for.
    Quarantine,
    /// Often honest: shown, and told.
    Warn,
}

impl Severity {
    /// Tells whether a text with such a finding is only pointed at.
    pub fn withholds(self) -> bool {
        self != Self::Warn
    }
}

/// What a text looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Threat {
    /// The name of the rule.
    pub rule: &'static str,
    /// How grave it is.
    pub severity: Severity,
}

/// A threat in one item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The id of the fact, or of the item that it rests on.
    pub id: String,
    /// What was found.
    #[serde(flatten)]
    pub threat: Threat,
}
