//! Checks that failed though no exit code says so, and those that fail still.

use std::collections::HashMap;

use super::run::Run;
use super::{Ended, Outcomes, unseen};
use crate::derive::shell;
use crate::derive::timeline::{Ending, Timeline};

/// Whether a line failed where its command at `at` did: what follows was to run only if that worked, or it is piped
/// into all the rest.
fn fails_with(all: &[(String, String)], at: usize) -> bool {
    let mut rest = all.iter().skip(at).map(|(_, joint)| joint.as_str()).peekable();
    // Else what stands behind a pipe decides whether the line goes on.
    let is_piped = rest.peek() == Some(&"|");
    match is_piped && !all[..at].iter().any(|(part, _)| part.contains("pipefail")) {
        true => rest.all(|joint| matches!(joint, "" | "|")),
        false => rest.all(|joint| matches!(joint, "" | "&&" | "|")),
    }
}

impl Outcomes {
    /// Tells how the calls ended of which their own results do not tell it: by an exit code that came later, or by what
    /// was printed. A check fell that alone printed what its line shows, or that failed with which its line did where no
    /// exit code is kept.
    pub(in crate::derive) fn ends(&mut self, timeline: &Timeline<'_>) -> Vec<Ending> {
        let mut ends = std::mem::take(&mut self.ends);
        let known: HashMap<usize, usize> =
            ends.iter().enumerate().map(|(at, end)| (end.began, at)).collect();
        for (began, over) in self.fallen(timeline) {
            match known.get(&began).and_then(|at| ends.get_mut(*at)) {
                Some(end) => end.fell = true,
                None => ends.push(Ending { began, told: over, over, fell: true }),
            }
        }
        ends
    }

    fn fallen(&self, timeline: &Timeline<'_>) -> Vec<(usize, usize)> {
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
        // Nobody may have waited for it yet.
        let has_name: Vec<bool> =
            timeline.done().map(|done| done.result.is_some_and(|it| it.out.is_some())).collect();
        let still_runs = |run: &&Run| {
            // What had counted its failures by then had come to its end.
            let has_ended = run.unit == "test" && run.failed > 0;
            let is_out =
                || !has_ended && run.over == run.began && has_name.get(run.began) == Some(&true);
            self.still_out(run.began).is_some() || is_out()
        };
        let fallen = self.runs.iter().filter(has_fallen).filter(is_alone);
        let fallen = fallen.filter(|run| !still_runs(run));
        fallen.map(|run| (run.began, run.over)).collect()
    }

    /// Whether a check of a call failed, and has not passed since.
    pub(in crate::derive) fn still_fails(&self, item: &str) -> bool {
        self.checks.iter().any(|check| check.fails() && check.run.item == item)
    }
}

#[cfg(test)]
mod tests {
    use super::fails_with;
    use crate::derive::shell;

    #[test]
    fn a_line_fails_with_what_its_rest_hangs_on() {
        let fails = |line: &str| {
            let all = shell::raw(line);
            let at = all.iter().position(|(part, _)| part.trim() == "make check");
            fails_with(&all, at.unwrap())
        };
        for line in [
            "make check",
            "make check | tail -3",
            "make check && git commit -m x && git log | head -3 && git push",
            "make check && make docs | tail -3",
            "set -o pipefail; make check | tail -3 && git push",
        ] {
            assert!(fails(line), "{line}");
        }
        for line in [
            "make check | tail -3 && git push",
            "make check; git push",
            "make check || true",
            "make check && git push; ls",
        ] {
            assert!(!fails(line), "{line}");
        }
    }
}
