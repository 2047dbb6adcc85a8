//! Questions to the git program, asked so that no repository can run anything through them.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use camino::Utf8Path;

/// How long one question may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How much of an answer is read at most, in bytes.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// Settings that make git start no other program: no watcher, no hook.
const HARMLESS: [(&str, &str); 2] = [("core.fsmonitor", "false"), ("core.hooksPath", "/dev/null")];
/// What a hook's surroundings could say of another repository, or of how its files are named.
const ELSEWHERE: [&str; 10] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
    "GIT_CONFIG_PARAMETERS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];

/// What git said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It worked and printed this.
    Said(Vec<u8>),
    /// It failed: no repository, no such commit, no such file.
    Refused,
    /// It took too long or said too much.
    TooMuch,
    /// There is no such program.
    Missing,
}

impl Answer {
    /// Returns what was printed, without the last line end, if it worked and is text.
    pub(super) fn text(self) -> Option<String> {
        let Self::Said(bytes) = self else { return None };
        String::from_utf8(bytes).ok().map(|text| text.trim_end().to_owned())
    }

    /// Returns what was printed between NUL bytes, if it worked; what is no text is passed over.
    pub(super) fn names(self) -> Option<Vec<String>> {
        let Self::Said(bytes) = self else { return None };
        let parts = bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty());
        Some(parts.filter_map(|part| String::from_utf8(part.to_vec()).ok()).collect())
    }
}

/// Asks git in `folder`.
pub(super) fn ask(folder: &Utf8Path, arguments: &[&str]) -> Answer {
    asked(command(folder, &[], arguments))
}

/// Asks git in `folder` something for which it looks into files.
///
/// A repository may name programs through which its files go. They are switched off, so that
/// such a file can count as changed.
pub(super) fn ask_of_files(folder: &Utf8Path, arguments: &[&str]) -> Answer {
    let wanted = r"^filter\..*\.(clean|smudge|process|required)$";
    let found = ask(folder, &["config", "--includes", "--name-only", "-z", "--get-regexp", wanted]);
    let off = match found {
        Answer::Said(_) => found.names().unwrap_or_default(),
        // Nothing is set.
        Answer::Refused => Vec::new(),
        other => return other,
    };
    asked(command(folder, &off, arguments))
}

fn command(folder: &Utf8Path, filters: &[String], arguments: &[&str]) -> Command {
    let off = filters.iter().map(|name| match name.ends_with(".required") {
        true => (name.as_str(), "false"),
        false => (name.as_str(), ""),
    });
    let mut command = Command::new("git");
    command.arg("--no-pager").args(arguments).current_dir(folder);
    for name in ELSEWHERE {
        command.env_remove(name);
    }
    let mut count = 0;
    // Names from a repository can hold `=`, so that they cannot stand in an argument.
    for (name, value) in HARMLESS.into_iter().chain(off) {
        command.env(format!("GIT_CONFIG_KEY_{count}"), name);
        command.env(format!("GIT_CONFIG_VALUE_{count}"), value);
        count += 1;
    }
    command.env("GIT_CONFIG_COUNT", count.to_string());
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    command.env("GIT_NO_LAZY_FETCH", "1").env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Runs it, within the bounds of time and size.
fn asked(mut command: Command) -> Answer {
    let Ok(mut child) = command.spawn() else { return Answer::Missing };
    let Some(stdout) = child.stdout.take() else { return stopped(child) };
    let (tell, hear) = mpsc::channel();
    let reader = thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        // Nobody listens any more if this took too long.
        let _ = tell.send(read.map(|_| bytes));
    });
    let said = reader.ok().and_then(|_| hear.recv_timeout(PATIENCE).ok());
    let Some(Ok(bytes)) = said.filter(|said| {
        said.as_ref().is_ok_and(|bytes| u64::try_from(bytes.len()).is_ok_and(|n| n <= MOST_BYTES))
    }) else {
        return stopped(child);
    };
    match child.wait() {
        Ok(status) if status.success() => Answer::Said(bytes),
        _ => Answer::Refused,
    }
}

fn stopped(mut child: Child) -> Answer {
    // It may have ended by itself in between.
    let _ = child.kill();
    let _ = child.wait();
    Answer::TooMuch
}
