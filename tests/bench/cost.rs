//! What a run of a program takes.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

/// How often everything is run; the tables have medians.
pub(crate) const ROUNDS: usize = 7;
/// Tells the program, run by itself, to measure the command in its arguments.
const MEASURE: &str = "--measure";

/// What one run of a program took.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Processor time, user and system, in seconds.
    pub(crate) cpu: f64,
    /// Time that went by, in seconds.
    pub(crate) wall: f64,
    /// Peak of its memory, in megabytes.
    pub(crate) peak_mb: f64,
}

/// A command, and what its environment says besides.
pub(crate) struct Line {
    words: Vec<String>,
    var: Option<(&'static str, String)>,
}

impl Line {
    /// Takes a command, its words apart by blanks.
    pub(crate) fn new(line: &str) -> Self {
        Self { words: line.split(' ').map(str::to_owned).collect(), var: None }
    }

    /// Sets a variable for it.
    pub(crate) fn with(mut self, name: &'static str, value: &Path) -> Self {
        self.var = Some((name, value.display().to_string()));
        self
    }

    /// The command without its folders.
    fn shown(&self) -> String {
        let bare = |word: &String| match word.rsplit_once('/') {
            Some((_, "")) | None => word.clone(),
            Some((_, name)) => name.to_owned(),
        };
        format!("`{}`", self.words.iter().map(bare).collect::<Vec<_>>().join(" "))
    }

    fn run(&self) -> Cost {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg(MEASURE).args(&self.words).stdin(Stdio::null()).stderr(Stdio::inherit());
        command.envs(self.var.as_ref().map(|(name, value)| (*name, value.as_str())));
        let said = command.output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let numbers: Vec<f64> =
            said.split(' ').filter_map(|word| word.trim().parse().ok()).collect();
        let [cpu, wall, peak_mb] = numbers[..] else { panic!("{}: {said}", self.shown()) };
        Cost { cpu, wall, peak_mb }
    }
}

/// Runs commands in turns, so that a busy moment hits all of them; returns their medians.
pub(crate) fn in_turns(lines: &[Line], rounds: usize) -> Vec<(String, Cost)> {
    let mut costs = vec![Vec::new(); lines.len()];
    for _ in 0..rounds {
        for (line, costs) in lines.iter().zip(&mut costs) {
            costs.push(line.run());
        }
    }
    let median = |costs: &[Cost], of: fn(&Cost) -> f64| {
        let mut numbers: Vec<f64> = costs.iter().map(of).collect();
        numbers.sort_by(f64::total_cmp);
        numbers[numbers.len() / 2]
    };
    let middle = |costs: &Vec<Cost>| Cost {
        cpu: median(costs, |cost| cost.cpu),
        wall: median(costs, |cost| cost.wall),
        peak_mb: median(costs, |cost| cost.peak_mb),
    };
    lines.iter().zip(&costs).map(|(line, costs)| (line.shown(), middle(costs))).collect()
}

/// Tells whether this run is to measure one command.
pub(crate) fn is_measuring() -> bool {
    std::env::args().nth(1).is_some_and(|word| word == MEASURE)
}

/// Runs the command in the arguments and prints what it took; it is the only child.
pub(crate) fn measure() {
    let words: Vec<String> = std::env::args().skip(2).collect();
    let begun = Instant::now();
    let mut command = Command::new(&words[0]);
    let run = command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null());
    let status = run.stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "`{}` ended with {status}", words.join(" "));
    let wall = begun.elapsed().as_secs_f64();
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    let seconds =
        |micros: i64| std::time::Duration::from_micros(micros.unsigned_abs()).as_secs_f64();
    let cpu = seconds(used.user_time().num_microseconds() + used.system_time().num_microseconds());
    // The system counts in units of 1,024 bytes.
    let peak_mb = used.max_rss() as f64 * 1024.0 / 1e6;
    println!("{cpu} {wall} {peak_mb}");
}
