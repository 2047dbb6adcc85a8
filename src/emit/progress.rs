//! What a user who waits sees on standard error: how far the work is, and nothing of it once it is done.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done before that shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often what is shown is drawn anew.
const TICK: Duration = Duration::from_millis(120);

/// What is shown while the user waits: a bar where it is known how much there is, else the time that
/// has passed. It appears after half a second, and is gone when this is dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Ends the thread that lets it appear.
    watcher: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins work that `words` tell of; where it is not shown, nothing ever appears.
    pub fn begin(words: &'static str, is_shown: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        style(&bar, "{spinner} {msg} {elapsed}");
        bar.set_message(words);
        let watcher = is_shown.then(|| watch(&bar)).flatten();
        Self { bar, watcher }
    }

    /// Says how much there is to do; of one piece nothing is said but the time.
    pub fn of(&self, total: usize) {
        if total < 2 {
            return;
        }
        style(&self.bar, "{msg} {wide_bar} {pos}/{len}");
        self.bar.set_length(total as u64);
        self.bar.set_position(0);
    }

    /// Counts one more.
    pub fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.watcher.take() {
            drop(stop);
            // It only draws; a fault of it must not hide what the work gave.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// Lets the bar appear once the user has waited, unless the work ends first.
fn watch(bar: &ProgressBar) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (stop, stopped) = mpsc::channel();
    let bar = bar.clone();
    let wait = move || {
        if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    };
    let thread = std::thread::Builder::new().spawn(wait).ok()?;
    Some((stop, thread))
}

fn style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}
