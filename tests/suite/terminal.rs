//! What a terminal shows: how far the work is, and tables that fit it. Elsewhere there is none of it.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use unicode_width::UnicodeWidthStr as _;

use crate::data::{files, tell};
use crate::program::Call;

const PROGRAM: &str = env!("CARGO_BIN_EXE_segue");
const SESSION: &str =
    ".claude/projects/-home-ada-toolbox/aa11bb22-4444-4ddd-8ddd-000000000004.jsonl";
/// What is shown while standard input is read.
const WAITING: &str = "reading standard input";
/// Goes back to the start of a line and makes it empty.
const ERASED: &str = "\r\u{1b}[2K";

/// Has a shell run `line` in a terminal of its own; nothing if there is no program for that here.
fn in_terminal(line: &str, folder: &Path, vars: &[(&str, &str)]) -> Option<Child> {
    let mut command = Command::new("script");
    command.args(["-qefc", line, "/dev/null"]).current_dir(folder).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", "home").env("TERM", "xterm").env("SHELL", "/bin/sh");
    command.envs(vars.iter().copied());
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    if started.is_err() {
        tell("SKIPPED: the program `script` is not here; what a terminal shows is not tried");
    }
    started.ok()
}

/// Returns what a terminal showed until the end.
fn shown(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Reads until `wanted` is shown.
fn read_to(child: &mut Child, wanted: &str) -> String {
    let (mut text, mut buffer) = (Vec::new(), [0; 1024]);
    let stdout = child.stdout.as_mut().unwrap();
    while !String::from_utf8_lossy(&text).contains(wanted) {
        let count = stdout.read(&mut buffer).unwrap();
        assert!(count > 0, "ended before `{wanted}`: {:?}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Makes a folder with a home in which a session has a long title in wide signs.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for home in ["three", "memories"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/homes").join(home);
        for file in files(&from) {
            let to = place.path().join("home").join(file.strip_prefix(&from).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(&file, &to).unwrap();
        }
    }
    let path = place.path().join("home").join(SESSION);
    let text = fs::read_to_string(&path).unwrap().replace("Sort the screws", &wide());
    fs::write(&path, text).unwrap();
    let memory = "home/.claude/projects/-home-ada-toolbox/memory/ada.md";
    let path = place.path().join(memory);
    let text =
        fs::read_to_string(&path).unwrap().replace("name: ada", &format!("name: {}", wide()));
    fs::write(&path, text).unwrap();
    place
}

fn wide() -> String {
    "ねじを長さの順に並べ替える".repeat(6)
}

#[test]
fn who_waits_sees_that_something_is_done_and_nothing_of_it_stays() {
    let place = place();
    let folder = place.path();
    for name in ["shown", "dumb", "quiet"] {
        let made = Command::new("mkfifo").arg(folder.join(name)).status();
        if !made.is_ok_and(|status| status.success()) {
            return tell("SKIPPED: the program `mkfifo` is not here; progress is not tried");
        }
    }
    let line = |name: &str, options: &str| {
        format!("'{PROGRAM}' {options} pack --as-of 2026-02-01 - < {name} > {name}.out")
    };
    let Some(dumb) = in_terminal(&line("dumb", ""), folder, &[("TERM", "dumb")]) else { return };
    let quiet = in_terminal(&line("quiet", "-q"), folder, &[]).unwrap();
    // What must stay quiet has waited as long as the one that shows something.
    let mut piped = Command::new(PROGRAM)
        .args(["pack", "--as-of", "2026-02-01", "-"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let open = |name: &str| fs::File::options().write(true).open(folder.join(name)).unwrap();
    let mut feeds = vec![open("dumb"), open("quiet")];
    let mut child = in_terminal(&line("shown", ""), folder, &[]).unwrap();
    feeds.push(open("shown"));
    let before = read_to(&mut child, WAITING);
    assert!(!before.contains("\u{1b}[3"), "it has no colour: {before:?}");
    let session = fs::read(folder.join("home").join(SESSION)).unwrap();
    feeds.iter_mut().for_each(|feed| feed.write_all(&session).unwrap());
    drop(feeds);
    piped.stdin.take().unwrap().write_all(&session).unwrap();
    let all = before + &shown(child);
    let (_, left) = all.rsplit_once(ERASED).unwrap();
    assert!(!left.contains("reading"), "{all:?}");
    assert_eq!((shown(dumb), shown(quiet)), (String::new(), String::new()));
    let piped = piped.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(piped.stderr).unwrap(), "");
    for name in ["shown", "dumb", "quiet"] {
        assert_eq!(fs::read(folder.join(format!("{name}.out"))).unwrap(), piped.stdout, "{name}");
    }
}

#[test]
fn who_names_a_pipe_sees_that_it_is_waited_for() {
    let place = place();
    let pipe = place.path().join("pipe");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        return tell("SKIPPED: the program `mkfifo` is not here; a pipe is not waited for");
    }
    let line = format!("'{PROGRAM}' status pipe > out");
    let Some(mut child) = in_terminal(&line, place.path(), &[]) else { return };
    let before = read_to(&mut child, "waiting for what comes out of a pipe");
    fs::write(&pipe, fs::read(place.path().join("home").join(SESSION)).unwrap()).unwrap();
    assert!((before + &shown(child)).ends_with(ERASED));
    assert_eq!(fs::read_to_string(place.path().join("out")).unwrap(), "done\n");
}

#[test]
fn what_is_done_at_once_shows_nothing_of_its_progress() {
    let place = place();
    let line = format!("'{PROGRAM}' list --all > out");
    let Some(child) = in_terminal(&line, place.path(), &[]) else { return };
    assert_eq!(shown(child), "");
    assert!(fs::read_to_string(place.path().join("out")).unwrap().contains(&wide()));
}

#[test]
fn tables_fit_the_terminal_and_are_whole_elsewhere() {
    let place = place();
    let toolbox = "--project /home/ada/toolbox";
    let commands = [
        format!("list {toolbox}"),
        "list --all".to_owned(),
        format!("memory list {toolbox}"),
        format!("memory migrate --from claude --to hermes --no-diff {toolbox}"),
        format!("memory check {toolbox}"),
        "templates".to_owned(),
        format!("check home/{SESSION} --as gemini"),
        format!("doctor {toolbox}"),
    ];
    for command in &commands {
        let args: Vec<&str> = command.split(' ').collect();
        let whole = Call::new("nobody", &args).at(place.path(), "home").run().stdout;
        let is_cut = whole.contains('…') && !command.contains("migrate");
        assert!(!whole.is_empty() && !is_cut, "{command}: {whole}");
        for width in [40, 80, 200] {
            let line = format!("stty cols {width} rows 24; '{PROGRAM}' {command} 2> said");
            let Some(child) = in_terminal(&line, place.path(), &[]) else { return };
            let text = shown(child).replace("\r\n", "\n");
            let long = text.lines().find(|line| line.width() > width);
            assert_eq!(long, None, "{command} at {width} columns");
            assert!(text.lines().count() >= whole.lines().count(), "{command}: {text}");
            let fits = whole.lines().all(|line| line.width() <= width);
            assert!(!fits || text == whole, "{command} at {width} columns: {text}");
        }
    }
    let list = Call::new("nobody", &["list", "--all"]).at(place.path(), "home").run().stdout;
    assert!(list.contains(&wide()), "{list}");
}

#[test]
fn colour_is_left_out_where_it_is_not_wanted() {
    let place = place();
    let line = format!("'{PROGRAM}' --help; '{PROGRAM}' pakc; '{PROGRAM}' pack nope.jsonl");
    let Some(plain) = in_terminal(&line, place.path(), &[("NO_COLOR", "1")]) else { return };
    let plain = shown(plain);
    assert!(plain.contains("Usage:") && plain.contains("error:"), "{plain}");
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
}
