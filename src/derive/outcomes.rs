//! What runs of tests, builds and checks showed: how they ended last, errors and what mended them,
//! dead ends, and what they tell of the machine.

use super::fact::Fact;
use super::timeline::Timeline;

/// Finds them, newest first.
pub(super) fn outcomes(_timeline: &Timeline<'_>) -> Vec<Fact> {
    Vec::new()
}
