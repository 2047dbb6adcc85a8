//! What a harness tells a hook on its standard input: which session is calling.

use std::io::{IsTerminal as _, Read as _};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use camino::Utf8PathBuf;
use serde::Deserialize;

use super::Cli;

/// How long to wait for it; a pipe may be open without anybody ever writing into it.
const PATIENCE: Duration = Duration::from_millis(100);
/// How much of it to read at most.
const MOST_BYTES: u64 = 1024 * 1024;

/// What was heard of the calling session.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Heard {
    /// Its id.
    pub(super) session_id: Option<String>,
    /// Its file.
    pub(super) transcript_path: Option<Utf8PathBuf>,
    /// The folder in which it runs; hooks themselves may run elsewhere.
    pub(super) cwd: Option<Utf8PathBuf>,
}

/// Returns what standard input tells of the calling session; of anything else there it is said that
/// nobody read it, as of a session that somebody piped and did not name.
///
/// Never waits for longer than a tenth of a second: the thread that reads is left behind if
/// nothing comes, and ends with the program.
pub(super) fn listen(cli: &Cli) -> Option<Heard> {
    if std::io::stdin().is_terminal() {
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

/// Reads until a whole JSON object is there, or nothing more can make one.
fn object() -> Vec<u8> {
    let mut text = Vec::new();
    let mut input = std::io::stdin().lock().take(MOST_BYTES);
    let mut piece = [0; 4096];
    while let Ok(count @ 1..) = input.read(&mut piece) {
        text.extend_from_slice(&piece[..count]);
        let is_object = text.trim_ascii_start().first().is_none_or(|first| *first == b'{');
        let may_be_whole = text.trim_ascii_end().ends_with(b"}");
        if !is_object || (may_be_whole && understood(&text).is_some()) {
            break;
        }
    }
    text
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
