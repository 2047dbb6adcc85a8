//! A bar on standard error while many files are written, where somebody watches.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that counts up to a total; nothing where standard error is no terminal.
#[derive(Clone, Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Begins; `is_quiet` shows nothing in any case.
    pub fn begin(total: usize, is_quiet: bool) -> Self {
        let shows = !is_quiet && std::io::stderr().is_terminal();
        let target =
            if shows { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} ({eta} left)") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Counts one more.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
