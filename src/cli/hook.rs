//! What a harness tells a hook on its standard input: which session is calling.

#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::io::Seek as _;
use std::io::{self, IsTerminal as _, Read};
#[cfg(unix)]
use std::os::fd::AsFd as _;
#[cfg(unix)]
use std::os::unix::fs::{FileExt as _, FileTypeExt};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use camino::Utf8PathBuf;
#[cfg(target_os = "linux")]
use rustix::pipe::SpliceFlags;
use serde::Deserialize;

use super::Cli;

/// How long to wait for it; a pipe may be open without anybody ever writing into it.
const PATIENCE: Duration = Duration::from_millis(100);
/// How much of it to read at most.
const MOST_BYTES: u64 = 1024 * 1024;
/// How much is read at a time.
const PIECE: usize = 4096;

/// What a hook is for that runs when a session starts.
pub(super) const START: &str = "SessionStart";

/// What was heard of the calling session.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Heard {
    /// Its id.
    pub(super) session_id: Option<String>,
    /// Its file.
    pub(super) transcript_path: Option<Utf8PathBuf>,
    /// The folder in which it runs; hooks themselves may run elsewhere.
    pub(super) cwd: Option<Utf8PathBuf>,
    /// What happened that the hook is for; nothing where no hook calls.
    #[serde(rename = "hook_event_name")]
    pub(super) event: Option<String>,
}

/// Returns what standard input tells of the calling session; of anything else there it is said that
/// nobody read it, as of a session that somebody piped and did not name.
///
/// Never waits for longer than a tenth of a second: the thread that reads is left behind if
/// nothing comes, and ends with the program.
pub(super) fn listen(cli: &Cli) -> Option<Heard> {
    cli.heard.get_or_init(|| heard(cli)).clone()
}

fn heard(cli: &Cli) -> Option<Heard> {
    if io::stdin().is_terminal() {
        return None;
    }
    let (tell, hear) = mpsc::channel();
    let listener = thread::Builder::new().spawn(move || {
        // Nobody listens any more if this took too long.
        let _ = tell.send(object());
    });
    let text = listener.ok().and_then(|_| hear.recv_timeout(PATIENCE).ok())?;
    let heard = understood(&text);
    if heard.is_none() && !text.trim_ascii().is_empty() {
        cli.say("hint: standard input is read only where the session is `-`");
    }
    heard
}

/// Returns what standard input holds of an object. What cannot be one is left there where the system
/// lets a program look without taking: it may be the lines of a loop in which a shell runs this.
#[cfg(unix)]
fn object() -> Vec<u8> {
    let Ok(input) = io::stdin().as_fd().try_clone_to_owned() else { return Vec::new() };
    let mut input = File::from(input);
    let kind = input.metadata().map(|meta| meta.file_type()).ok();
    if kind.is_some_and(|kind| kind.is_file()) {
        let at = input.stream_position().unwrap_or_default();
        return object_in(Looked { file: input, at });
    }
    match kind.filter(FileTypeExt::is_fifo).and_then(|_| start_of(&input)) {
        Some(start) if !may_begin(&start) => start,
        _ => object_in(input),
    }
}

#[cfg(not(unix))]
fn object() -> Vec<u8> {
    object_in(io::stdin().lock())
}

/// A file that is looked at from a place on: for whoever has it open too, nothing was read.
#[cfg(unix)]
struct Looked {
    file: File,
    at: u64,
}

#[cfg(unix)]
impl Read for Looked {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(piece, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Returns what stands next in a pipe, and leaves it there; waits until there is something.
#[cfg(target_os = "linux")]
fn start_of(pipe: &File) -> Option<Vec<u8>> {
    let (mut copy, into) = io::pipe().ok()?;
    let count = rustix::pipe::tee(pipe, &into, PIECE, SpliceFlags::empty()).ok()?;
    let mut start = vec![0; count];
    copy.read_exact(&mut start).ok()?;
    Some(start)
}

/// Elsewhere a pipe cannot be looked into.
#[cfg(all(unix, not(target_os = "linux")))]
fn start_of(_pipe: &File) -> Option<Vec<u8>> {
    None
}

/// Reads until a whole JSON object is there, or nothing more can make one.
fn object_in(input: impl Read) -> Vec<u8> {
    let mut text = Vec::new();
    let mut input = input.take(MOST_BYTES);
    let mut piece = [0; PIECE];
    loop {
        // What is no object is known by one byte, and no more is taken of it.
        let room = if may_begin(&text) { PIECE } else { 1 };
        let Ok(count @ 1..) = input.read(&mut piece[..room]) else { break };
        text.extend_from_slice(&piece[..count]);
        let is_other = !text.trim_ascii().is_empty() && !may_begin(&text);
        let may_be_whole = text.trim_ascii_end().ends_with(b"}");
        if is_other || (may_be_whole && understood(&text).is_some()) {
            break;
        }
    }
    text
}

/// Tells whether `text` begins as an object does.
fn may_begin(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{")
}

fn understood(text: &[u8]) -> Option<Heard> {
    let mut heard: Heard = serde_json::from_slice(text).ok()?;
    heard.session_id.as_ref()?;
    heard.cwd = heard.cwd.filter(|cwd| cwd.is_absolute() && cwd.is_dir());
    Some(heard)
}

#[cfg(test)]
mod tests {
    use super::understood;

    #[test]
    fn only_an_object_that_names_a_session_is_heard() {
        let heard = understood(br#"{"session_id":"s1","cwd":"/no/such/folder","more":[1]}"#);
        let heard = heard.unwrap();
        assert_eq!((heard.session_id.as_deref(), heard.cwd), (Some("s1"), None));
        for other in ["", "x", "{", "[]", "null", r#"{"cwd":"/"}"#, r#"{"session_id":7}"#] {
            assert!(understood(other.as_bytes()).is_none(), "{other}");
        }
    }
}
