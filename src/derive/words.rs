//! What the user and the agent said that binds the work: constraints, corrections, choices,
//! assumptions.

use super::fact::Fact;
use super::timeline::Timeline;

/// Finds them, newest first.
pub(super) fn words(_timeline: &Timeline<'_>) -> Vec<Fact> {
    Vec::new()
}
