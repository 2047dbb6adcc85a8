//! Checks that failed though no exit code says so, and those that fail still.

use super::run::Run;
use super::{Ended, Outcomes, unseen};
use crate::derive::shell;
use crate::derive::timeline::Timeline;

impl Outcomes {
    /// Returns the numbers of the calls of which a check failed that alone printed what their lines show, each with
    /// that of the call by which it is known.
    pub(in crate::derive) fn fallen(&self, timeline: &Timeline<'_>) -> Vec<(usize, usize)> {
        let lines: Vec<_> = timeline.done().map(|done| done.command()).collect();
        let is_alone = |run: &&Run| {
            let line = lines.get(run.began).copied().flatten();
            line.is_some_and(|line| unseen::prints_alone(&shell::raw(line), run.at))
        };
        let has_fallen = |run: &&Run| {
            let is_own = run.remote.is_none() && self.is_of_project(run);
            run.is_check && run.ended == Ended::Failed && is_own
        };
        let fallen = self.runs.iter().filter(has_fallen).filter(is_alone);
        fallen.map(|run| (run.began, run.over)).collect()
    }

    /// Whether a check of a call failed, and has not passed since.
    pub(in crate::derive) fn still_fails(&self, item: &str) -> bool {
        self.checks.iter().any(|check| check.fails() && check.run.item == item)
    }
}
