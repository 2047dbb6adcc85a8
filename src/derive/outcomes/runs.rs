//! Every run of a command that matters, with how it ended.

mod share;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::answers;
use super::aside::Aside;
use super::asked::Around;
use super::boxes;
use super::codes::exit;
use super::common::Common;
use super::echoed;
use super::filters;
use super::flaky::flaky;
use super::formatters;
use super::labels;
use super::lines::Line;
use super::movers;
use super::nothing;
use super::recognise::{self, Ended, Seen};
use super::run::Run;
use super::runners;
use super::signature;
use super::silent;
use super::sounds::{is_no_check, only_looks, runs_test_task, sounds_like_a_check};
use crate::derive::timeline::Timeline;
use crate::derive::{paths, shell};

/// Finds the runs of command lines, in order, without those for which the changes were put aside.
pub(super) fn runs(timeline: &Timeline<'_>, lines: &[Line<'_>], aside: &Aside) -> Vec<Run> {
    let mut said = HashSet::new();
    let is_own = |line: &&Line<'_>| has_part(timeline.parts(&line.done));
    let mut runs: Vec<Run> =
        lines.iter().filter(is_own).flat_map(|line| of_line(line, aside, &mut said)).collect();
    know_again(&mut runs);
    runs
}

/// Takes a run for the check that its command was before, where a program that is known only by what it prints
/// said then that it failed, and now nothing but the exit code says that it passed.
fn know_again(runs: &mut [Run]) {
    let mut known: HashMap<String, (&'static str, &'static str)> = HashMap::new();
    for run in runs {
        if run.is_check && run.ended == Ended::Failed {
            known.insert(run.command.clone(), (run.family, run.unit));
        } else if !run.is_check
            && run.ended == Ended::Passed
            && let Some((family, unit)) = known.get(&run.command)
        {
            (run.is_check, run.family, run.unit) = (true, *family, *unit);
        }
    }
}

fn has_part(parts: &[String]) -> bool {
    parts.iter().any(|part| !tells_of_others(part))
}

/// Whether a command shows what others ran, so that its output says nothing of itself.
fn tells_of_others(part: &str) -> bool {
    let program = shell::program(part);
    ["git", "gh", "glab", "curl", "wget", "journalctl", "history", "tmux", "screen"]
        .contains(&program)
        || ["docker logs", "kubectl logs", "docker compose logs"]
            .iter()
            .any(|logs| part.starts_with(logs))
}

/// Finds what ran on a line; `said` has the tasks of which their runner said that they failed.
fn of_line(line: &Line<'_>, aside: &Aside, said: &mut HashSet<String>) -> Vec<Run> {
    let commands = Commands::new(line, aside);
    let fallen = commands.fallen();
    // Of two tasks of which both may have said it nobody knows which one failed.
    if let [at] = fallen[..] {
        said.insert(commands.joined[at].0.clone());
    }
    let run = |at: &usize| (*at, commands.run(*at, &fallen, said));
    let mut runs: Vec<(usize, Run)> = commands.places.iter().map(run).collect();
    forget_unreached(&commands.joined, line.runs_on, &mut runs);
    runs.into_iter().map(|(_, run)| run).collect()
}

/// The commands of a line, and what stands with them.
struct Commands<'l> {
    line: &'l Line<'l>,
    joined: Vec<(String, String)>,
    /// The programs that each names.
    named: Vec<Vec<&'static str>>,
    /// What stands around each.
    around: Vec<Around>,
    /// Where those stand that count.
    places: Vec<usize>,
}

impl<'l> Commands<'l> {
    fn new(line: &'l Line<'l>, aside: &Aside) -> Self {
        let joined = shell::joined(line.command);
        let named: Vec<_> = joined.iter().map(|(part, _)| recognise::named(part)).collect();
        let counts = |part: &str| !part.is_empty() && !tells_of_others(part);
        // What the same program printed before or after stands among what it printed then.
        let index = line.done.index;
        let is_tried = |at: &usize| aside.tries(index, *at);
        let of = |are: bool| (0..joined.len()).filter(move |at| is_tried(at) == are);
        let tried: Vec<_> = of(true).map(|at| &named[at]).collect();
        // What ran on the line without the change as well tells of the work.
        let is_apart = of(false).all(|at| named[at].is_empty() || !tried.contains(&&named[at]));
        let is_aside = |at: &usize| aside.holds(index, *at) && (is_apart || !is_tried(at));
        let names: HashSet<_> = (0..joined.len()).filter(is_aside).map(|at| &named[at]).collect();
        let told_aside = |at: usize| names.contains(&named[at]);
        let is_place = |at: &usize| counts(&joined[*at].0) && !told_aside(*at);
        let places = (0..joined.len()).filter(is_place).collect();
        let around = Around::of_last(&line.done, joined.len());
        Self { line, joined, named, around, places }
    }

    /// Returns the rows that the command at `at` may have printed.
    fn rows(&self, at: usize) -> Cow<'_, str> {
        let rows = labels::rows_of(&self.joined, at, &self.line.output);
        match (self.share(at, &rows), rows) {
            (Some(share), Cow::Borrowed(rows)) => Cow::Borrowed(&rows[share]),
            (Some(share), Cow::Owned(rows)) => Cow::Owned(rows[share].to_owned()),
            (None, rows) => rows,
        }
    }

    /// Returns where those stand of which their runner says that they failed.
    fn fallen(&self) -> Vec<usize> {
        let told_fallen = |at: &usize| runners::failed(&self.joined[*at].0, || self.rows(*at));
        self.places.iter().copied().filter(told_fallen).collect()
    }

    /// Whether the runner of a task says nothing that said once that it failed: it would say so again, at
    /// the end; in a frame of the harness stands the beginning.
    fn says_nothing(&self, at: usize, said: &HashSet<String>) -> bool {
        let ends =
            |(part, joint): &(String, String)| joint == ";" || part.is_empty() && joint == "&&";
        self.shows_end() && self.joined[..at].iter().all(ends) && said.contains(&self.joined[at].0)
    }

    /// Whether a command said nothing by which its program says that all is well.
    fn is_silent(&self, at: usize, code: Option<i64>, output: &str) -> bool {
        let joint = &self.joined[at].1;
        !self.line.runs_on
            && silent::was_reached(&self.joined, at, code)
            && output.trim().is_empty()
            && silent::says_nothing(&self.named[at], joint, self.line.command)
            && !silent::runs_program(&self.joined[at].0)
    }

    fn came_to_end(&self) -> bool {
        !self.line.is_out && !self.line.was_stopped
    }

    /// Whether the end of what was printed is there.
    fn shows_end(&self) -> bool {
        let line = self.line;
        let is_whole = !line.output.is_empty() && !line.output.starts_with('<');
        is_whole && self.came_to_end() && !silent::hides_end(line.command)
    }

    /// Returns what the programs tell that the command at `at` may have run; `is_well` where its exit code says that
    /// it passed.
    fn told(&self, at: usize, output: &str, is_well: bool) -> Vec<Seen> {
        let known = recognise::Known { is_well, is_one: is_well || self.runs_once(at) };
        let mut told = recognise::seen_by(&self.named[at], output, known);
        if recognise::names_tests(&self.named[at]) || runs_test_task(&self.joined[at].0) {
            // That it could be built says nothing of tests.
            told.retain(|seen| seen.unit == "test" || seen.ended == Ended::Failed);
        }
        if self.others_of_family(at) {
            told.retain(|seen| self.is_own_row(at, seen));
        }
        let is_other = || only_looks(&self.joined[at].0) || !self.may_have_tested(at);
        if self.places.len() > 1 && is_other() {
            told.retain(|seen| seen.unit != "test");
        }
        if self.named[at].is_empty() && self.places.len() > 1 {
            // A script may run anything but what the other commands of the line run.
            told.retain(|seen| !self.named.iter().flatten().any(|name| *name == seen.name));
        }
        let fails = |seen: &Seen| seen.ended == Ended::Failed;
        if told.iter().any(|seen| seen.ended == Ended::Passed)
            && told.iter().any(fails)
            && told.iter().all(|seen| !fails(seen) || seen.is_found)
        {
            // What passed may have printed what was found; nobody knows.
            told.clear();
        }
        // That all was packed says nothing of tests.
        if told.iter().all(|seen| nothing::packs(seen) && seen.ended == Ended::Passed) {
            let none = nothing::seen(&self.joined[at].0, &self.named[at], output);
            told = none.map_or(told, |seen| vec![seen]);
        }
        told
    }

    /// Whether the command at `at` may have run the tests of which its line tells: one that is known to do so, else
    /// one whose words say so, else the last that may run anything.
    fn may_have_tested(&self, at: usize) -> bool {
        let part = |at: usize| self.joined[at].0.as_str();
        let tests =
            |at: &usize| recognise::names_tests(&self.named[*at]) || runs_test_task(part(*at));
        let may_run = |at: &usize| {
            let part = part(*at);
            self.named[*at].is_empty() && !movers::only_moves(part) && !only_looks(part)
        };
        if !self.named[at].is_empty() || tests(&at) || self.places.iter().any(tests) {
            return !self.named[at].is_empty() || tests(&at);
        }
        let says = |at: &usize| {
            let low = part(*at).to_lowercase();
            TESTING.iter().any(|word| low.contains(word))
        };
        let all: Vec<usize> = self.places.iter().copied().filter(may_run).collect();
        match all.iter().any(says) {
            true => all.contains(&at) && says(&at),
            false => all.last() == Some(&at),
        }
    }

    /// Forgets how many tests passed where a command behind the one at `at` is told the same count, and neither names the
    /// program that counts: what stands at the end is of the last.
    fn forget_counts(&self, at: usize, told: &mut [Seen]) {
        let is_unnamed =
            |at: usize| self.named[at].is_empty() && runs_test_task(&self.joined[at].0);
        let mut later =
            self.places.iter().copied().filter(|later| *later > at && is_unnamed(*later));
        let Some(last) = later.next_back().filter(|_| is_unnamed(at)) else { return };
        let others = self.told(last, &self.rows(last), true);
        let is_its = |seen: &Seen| {
            others.iter().any(|other| other.name == seen.name && other.total == seen.total)
        };
        let passed = told.iter_mut().filter(|seen| seen.ended == Ended::Passed && is_its(seen));
        passed.for_each(Seen::forget_count);
    }

    /// Whether the same program is told on the line to do something else, too.
    fn others_of_family(&self, at: usize) -> bool {
        let forms = |at: usize| formatters::is_about_form(&self.joined[at].0);
        let is_other =
            |other: &usize| self.named[*other] == self.named[at] && forms(*other) != forms(at);
        !self.named[at].is_empty() && self.places.iter().any(is_other)
    }

    /// Whether what was seen may be of the command at `at`, and not of one by which the same program does something
    /// else: findings are none of what looks at the form, nor texts that are not in order of what does not.
    fn is_own_row(&self, at: usize, seen: &Seen) -> bool {
        let is_of_form = seen.bad.as_deref().is_some_and(formatters::tells_of_form);
        seen.ended != Ended::Failed || is_of_form == formatters::is_about_form(&self.joined[at].0)
    }

    /// Tells the run of the command at `at`; `fallen` are those that failed by their runner.
    fn run(&self, at: usize, fallen: &[usize], said: &HashSet<String>) -> Run {
        let (line, output) = (self.line, self.rows(at));
        // How something ends that is stopped says nothing of it.
        let has_code = !line.runs_on && !line.was_stopped;
        let code = line.exit.or(line.done.failed().then_some(1)).filter(|_| has_code);
        // Where a program says nothing that is known, its exit code does.
        let exit = match exit(&self.joined, at, code, line.command) {
            Ended::Unknown if has_code => {
                echoed::ended(&self.joined, at, line.command, &line.output)
            }
            exit => exit,
        };
        let is_behind = at > usize::from(line.command.starts_with("cd "));
        // Such as that a plan has something to change.
        let is_answer = |code: i64| answers::is_answer(&self.joined[at].0, code, &output);
        let exit = match exit {
            Ended::Failed if code.is_some_and(is_answer) => Ended::Passed,
            exit => exit,
        };
        let exit = boxes::through(&self.joined[at].0, (exit, code), &output, is_behind);
        let mut told = self.told(at, &output, exit == Ended::Passed);
        if exit == Ended::Unknown {
            for seen in told.iter_mut().filter(|seen| seen.ended == Ended::Passed) {
                if filters::may_hide_a_part(line.command, at, seen.name, &output) {
                    seen.ended = Ended::Unknown;
                }
            }
        }
        self.forget_counts(at, &mut told);
        if shell::is_in_loop(line.command, at) {
            // Of the rounds only the last is known.
            told.iter_mut()
                .filter(|seen| seen.ended == Ended::Passed)
                .for_each(|seen| seen.ended = Ended::Unknown);
        }
        let ended = match exit {
            Ended::Failed | Ended::Unknown if fallen == [at] => Ended::Failed,
            // It may have been handed no file at all.
            Ended::Passed
                if shell::handed(&self.joined[at].0).is_some() && output.trim().is_empty() =>
            {
                Ended::Unknown
            }
            Ended::Unknown if fallen.is_empty() && self.says_nothing(at, said) => Ended::Passed,
            Ended::Unknown if self.came_to_end() && self.is_silent(at, code, &output) => {
                Ended::Passed
            }
            ended => ended,
        };
        let run = run(line, &output, &self.joined[at].0, &self.named[at], &told, ended);
        let saw_no_error = run.ended == Ended::Unknown
            && self.places.len() == 1
            && !line.runs_on
            && self.shows_end()
            && !super::says_failed(&output)
            && !BROKEN_OFF.iter().any(|word| output.contains(word));
        let asked = run.asked.within(self.around[at].clone());
        Run { saw_no_error, asked, at, ..run }
    }
}

/// Takes back how runs ended that may not have begun: what a check before one printed may be all that
/// there is. Of a line that came to its end it is known that it was reached where it passed.
fn forget_unreached(joined: &[(String, String)], runs_on: bool, runs: &mut [(usize, Run)]) {
    let (mut from, mut is_open) = (0, false);
    for (at, run) in runs {
        is_open &= joined[from..*at].iter().all(|(_, joint)| joint == "&&");
        from = *at;
        let has_ended = run.ended == Ended::Failed || runs_on && run.ended == Ended::Passed;
        if is_open && has_ended && run.unit != "test" {
            run.forget_end();
        }
        // Behind a check that failed nothing was reached.
        is_open |= run.is_check && run.ended != Ended::Passed;
    }
}

/// Tells a run of `part`, of which `output` are the rows.
fn run(
    line: &Line<'_>,
    output: &str,
    part: &str,
    named: &[&'static str],
    told: &[Seen],
    exit: Ended,
) -> Run {
    let main = main(told);
    // What did not even start says so last, also where a pipe hides its exit code.
    let unstarted = match (main, exit) {
        (None, Ended::Unknown) if !line.runs_on => signature::unstarted(output),
        _ => None,
    };
    let ended = match unstarted {
        Some(_) => Ended::Failed,
        None => ended(told, exit, || is_short(line, output)),
    };
    let failing = main.map(|seen| seen.failing.clone()).unwrap_or_default();
    let sounds = || sounds_like_a_check(part) || runs_test_task(part);
    let is_known = main.is_some() || !named.is_empty() || sounds();
    // That a program does not do what was asked of it is no failing check.
    let is_program = ended == Ended::Failed && main.is_none() && silent::runs_program(part);
    let is_check = is_known && !is_program && !is_no_check(part);
    let signature = || {
        let known = unstarted.or_else(|| signature::signature(&failing, output));
        let bad = || main.and_then(|seen| signature::counted(seen.bad.as_deref()?));
        let words = || signature::told(&echoed::without_codes(line.command, output));
        let is_late = line.exit == Some(TIMED_OUT) && line.command.contains("timeout ");
        let late = || is_late.then(|| "timed out".to_owned());
        known.or_else(bad).or_else(late).or_else(|| words().filter(|_| is_check))
    };
    let has_failed = ended == Ended::Failed;
    // The last summary of a program that prints one for each part is not all.
    let counts_whole = || {
        !silent::is_cut(line.command) || main.is_some_and(|seen| !filters::is_of_parts(seen.name))
    };
    let tests = main.filter(|seen| has_failed && seen.unit == "test");
    let common = tests.and_then(|seen| Common::of(&failing, seen.failed, output));
    Run {
        family: main.map(|seen| seen.name).or(named.first().copied()).unwrap_or_default(),
        unit: main.map_or("", |seen| seen.unit),
        is_check,
        ended,
        failed: main.map_or(0, |seen| seen.failed),
        errors: main.map_or(0, |seen| seen.errors),
        total: main.and_then(|seen| seen.total).filter(|_| !silent::is_cut(line.command)),
        counts_all: main.is_some_and(|seen| seen.counts_all),
        left_out: main.filter(|_| counts_whole()).map(|seen| seen.left_out),
        flaky: main.filter(|seen| seen.name == FLAKY).map(|_| flaky(output)).unwrap_or_default(),
        skipped: main.and_then(|seen| seen.skipped).filter(|_| !silent::is_cut(line.command)),
        signature: has_failed.then(signature).flatten(),
        files: if has_failed { paths::paths_in(output) } else { Vec::new() },
        is_cut: silent::is_cut(line.command) || has_failed && silent::says_cut(output),
        common,
        failing,
        ..Run::unknown(line, part)
    }
}

/// Whether what was told is not all that would have been.
fn is_short(line: &Line<'_>, output: &str) -> bool {
    let is_stopped = line.was_stopped && !labels::is_through(output);
    is_stopped || line.runs_on && labels::is_short(output)
}

/// Says how a command ended by what programs tell, and by its exit code.
fn ended(told: &[Seen], exit: Ended, is_short: impl Fn() -> bool) -> Ended {
    let main = main(told);
    match exit {
        _ if told.iter().any(|seen| seen.ended == Ended::Failed) => Ended::Failed,
        // That all tests were skipped says nothing, whatever the exit code.
        Ended::Passed | Ended::Unknown if main.is_some_and(|seen| seen.ended == Ended::Unknown) => {
            Ended::Unknown
        }
        // Something beside the tests went wrong, such as a threshold.
        Ended::Failed => Ended::Failed,
        // What still ran may fail yet.
        _ if main.is_some() && is_short() => Ended::Unknown,
        _ if main.is_some() => Ended::Passed,
        other => other,
    }
}

/// Returns the program that tells most: one that failed before one that passed, one that says how much or what
/// before one that only says so, tests before builds, one that names what before others.
pub(super) fn main(told: &[Seen]) -> Option<&Seen> {
    let rank = |seen: &&Seen| {
        let (has_failed, has_name) = (seen.ended == Ended::Failed, !seen.failing.is_empty());
        let only_says_so = has_failed && seen.failed == 0 && !has_name;
        (!has_failed, only_says_so, seen.unit != "test", has_failed && !has_name)
    };
    told.iter().min_by_key(rank)
}

/// The program that tells which tests passed only when they were tried again.
const FLAKY: &str = "playwright";
/// The exit code of `timeout` where it stopped what it ran.
const TIMED_OUT: i64 = 124;
/// Words by which a script says that it tests.
const TESTING: &[&str] = &["test", "check", "spec", "verif"];
/// What stands at the end of an output that did not come to its end.
const BROKEN_OFF: &[&str] = &[
    "Killed",
    "Terminated",
    "Aborted",
    "Blocking waiting",
    "Segmentation fault",
    "core dumped",
    "timed out",
];
