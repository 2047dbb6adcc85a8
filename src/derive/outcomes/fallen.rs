//! Checks that failed though no exit code says so, and those that fail still.

use super::run::Run;
use super::{Ended, Outcomes, unseen};
use crate::derive::shell;
use crate::derive::timeline::Timeline;

/// Whether a line failed where its command at `at` did: what follows was to run only if that worked, or shows what
/// it printed; what stands behind that runs whatever came out.
fn fails_with(all: &[(String, String)], at: usize) -> bool {
    let mut rest =
        all.iter().skip(at).map(|(_, joint)| joint.as_str()).skip_while(|it| *it == "&&");
    rest.all(|joint| matches!(joint, "" | "|"))
}

impl Outcomes {
    /// Returns the numbers of the calls of which a check failed that alone printed what their lines show, or failed with
    /// which their lines did where no exit code is kept, each with that of the call by which it is known.
    pub(in crate::derive) fn fallen(&self, timeline: &Timeline<'_>) -> Vec<(usize, usize)> {
        let lines: Vec<_> = timeline.done().map(|done| done.command()).collect();
        let codes: Vec<_> =
            timeline.done().map(|done| done.result.and_then(|result| result.exit_code)).collect();
        let is_known = |at: usize| codes.get(at).is_some_and(Option::is_some);
        let is_alone = |run: &&Run| {
            let line = lines.get(run.began).copied().flatten();
            let is_known = is_known(run.began) || is_known(run.over);
            line.map(shell::raw).is_some_and(|all| {
                unseen::prints_alone(&all, run.at) || !is_known && fails_with(&all, run.at)
            })
        };
        let has_fallen = |run: &&Run| {
            let is_own = run.remote.is_none() && self.is_of_project(run);
            run.is_check && run.ended == Ended::Failed && is_own
        };
        let still_runs = |run: &&Run| self.still_out(run.began).is_some();
        let fallen = self.runs.iter().filter(has_fallen).filter(is_alone);
        let fallen = fallen.filter(|run| !still_runs(run));
        fallen.map(|run| (run.began, run.over)).collect()
    }

    /// Whether a check of a call failed, and has not passed since.
    pub(in crate::derive) fn still_fails(&self, item: &str) -> bool {
        self.checks.iter().any(|check| check.fails() && check.run.item == item)
    }
}
