//! What happens when the disk, the folders or another run are in the way: the message names the file,
//! the exit code is that of the README, and nothing is lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::data::{self, files};
use crate::memory::Place;
use crate::program::{Call, Said};

const DEMO: &str = "fixtures/demo/session.jsonl";
const COMPACTED: &str = "fixtures/claude/2.1.330/compaction-preserved.jsonl";
const SOURCES: [&str; 4] = [
    DEMO,
    COMPACTED,
    "fixtures/claude/2.1.330/filed-side-session/e7420af1-b4f4-483b-b081-1aaed47273dd.jsonl",
    "fixtures/homes/three/.claude/projects/-home-ada-tool/3f2c8a10-1111-4aaa-8aaa-000000000001.jsonl",
];

/// A home with the folders of all harnesses.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    [".claude", ".codex", ".gemini", ".hermes"]
        .iter()
        .for_each(|folder| fs::create_dir(home.path().join(folder)).unwrap());
    home
}

fn call(home: &Path, args: &[&str]) -> Said {
    Call::new("nobody", args).env("HOME", home.to_str().unwrap()).run()
}

/// Starts a run beside others.
fn start(home: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_segue"));
    command.args(args).env_clear().env("HOME", home).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> Output {
    child.wait_with_output().unwrap()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn drafts(folder: &Path) -> Vec<PathBuf> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let is_left =
        |path: &PathBuf| name(path).starts_with(".segue-") && !name(path).contains("export");
    files(folder).into_iter().filter(is_left).collect()
}

/// Returns the session of the demo with a longer output, so that a pack is clearly smaller than it.
fn long_demo(times: usize) -> String {
    let line = "//! Reads records.\\n";
    text(Path::new(DEMO)).replacen(line, &line.repeat(times), 1)
}

/// Runs a script of the shell where it may mount; says that it cannot otherwise.
///
/// What it mounts is seen by nobody else and goes with it.
fn mounting(script: &str, folder: &Path) -> Option<String> {
    let session = tempfile::NamedTempFile::new().unwrap();
    fs::write(session.path(), long_demo(150)).unwrap();
    let script = script.replace("{session}", session.path().to_str().unwrap());
    let run = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-c", script]).env("DIR", folder);
        command.env("SEGUE", env!("CARGO_BIN_EXE_segue")).output().ok()
    };
    if !run("mount -t tmpfs none \"$DIR\"").is_some_and(|said| said.status.success()) {
        data::tell(
            "SKIPPED: no file system can be mounted here; full and read-only disks are not tried",
        );
        return None;
    }
    let said = run(&script).unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some(text(said.stdout) + &text(said.stderr))
}

#[test]
fn a_full_disk_is_told_by_file_and_what_was_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
        mount -t tmpfs -o size=200k none "$DIR" || exit 9
        export HOME="$DIR/home"
        mkdir -p "$HOME/.codex" "$HOME/.hermes/memories" "$DIR/project/.git" "$DIR/all"
        printf old > "$DIR/out"; printf '# Own\n' > "$DIR/AGENTS.md"
        printf 'Deploys run on Mondays.' > "$HOME/.hermes/memories/MEMORY.md"
        head -c 400k /dev/zero > "$DIR/filler" 2>/dev/null
        try() {
            "$SEGUE" "$@" > /dev/null 2> /tmp/said.$$; echo "code $?: $*"
            grep -v '^segue: \|^note: \|^hint: ' /tmp/said.$$
        }
        try export fixtures/demo/session.jsonl --out "$DIR/out"
        try pack fixtures/demo/session.jsonl --out "$DIR/out"
        try convert fixtures/demo/session.jsonl --to gemini --out "$DIR/out"
        try convert fixtures/demo/session.jsonl --to codex --install
        try sync --session {session} --budget 700 "$DIR/AGENTS.md"
        try memory migrate --from hermes --to codex --write --project "$DIR/project"
        try memory edit hermes --match Deploys --replace "Deploys run on Fridays, at noon." --write
        echo "out $(cat "$DIR/out")"; echo "agents $(cat "$DIR/AGENTS.md")"
        echo "memory $(cat "$HOME/.hermes/memories/MEMORY.md")"
        cd "$DIR"; find . -type f ! -name filler | sort; rm -f /tmp/said.$$
    "#;
    let Some(said) = mounting(script, folder.path()) else { return };
    let dir = folder.path().to_str().unwrap();
    let codes: Vec<_> = said.lines().filter(|line| line.starts_with("code ")).collect();
    assert_eq!(codes.len(), 7, "{said}");
    assert!(codes.iter().all(|line| line.starts_with("code 4: ")), "{said}");
    let errors: Vec<_> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 7, "{said}");
    for error in errors {
        assert!(error.starts_with(&format!("error: cannot write `{dir}/")), "{error}");
        assert!(error.contains("no space is left there") && !error.contains(".segue-"), "{error}");
    }
    let kept = "out old\nagents # Own\nmemory Deploys run on Mondays.\n./AGENTS.md\n\
                ./home/.hermes/memories/MEMORY.md\n./out\n";
    assert!(said.ends_with(kept), "{said}");
}

#[test]
fn a_read_only_disk_is_told_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
        mount -t tmpfs none "$DIR" || exit 9
        export HOME="$DIR/home"
        mkdir -p "$HOME/.codex" "$HOME/.hermes/memories" "$DIR/project/.git"
        printf old > "$DIR/out"; printf '# Own\n' > "$DIR/AGENTS.md"
        printf 'Deploys run on Mondays.' > "$HOME/.hermes/memories/MEMORY.md"
        mount -o remount,ro "$DIR" || exit 9
        try() { "$SEGUE" "$@" 2>&1 > /dev/null | grep '^error'; }
        try export fixtures/demo/session.jsonl --out "$DIR/out"
        try export fixtures/demo/session.jsonl --to atif --out "$DIR/run.json"
        try convert fixtures/demo/session.jsonl --to codex --install
        try sync --session {session} --budget 700 "$DIR/AGENTS.md"
        try memory migrate --from hermes --to codex --write --project "$DIR/project"
        HOME=fixtures/homes/three; export HOME
        try export --all --out-dir "$DIR/all"
    "#;
    let Some(said) = mounting(script, folder.path()) else { return };
    assert_eq!(said.lines().count(), 6, "{said}");
    let dir = folder.path().to_str().unwrap();
    for line in said.lines() {
        assert!(line.starts_with(&format!("error: cannot write `{dir}/")), "{line}");
        assert!(line.contains("what is there can only be read"), "{line}");
    }
}

/// Returns a command that no file mode is open to, as whoever runs the tests; nothing where that is
/// the superuser and cannot be changed.
fn as_nobody() -> Option<Command> {
    let binary = env!("CARGO_BIN_EXE_segue");
    let closed = tempfile::NamedTempFile::new().unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    fs::set_permissions(closed.path(), mode).unwrap();
    if fs::File::open(closed.path()).is_err() {
        return Some(Command::new(binary));
    }
    let command = || {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", binary]);
        command
    };
    let works = command().arg("--version").output().is_ok_and(|said| said.status.success());
    if !works {
        data::tell(
            "SKIPPED: the superuser may read everything, and cannot become somebody else here",
        );
    }
    works.then(command)
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn what_may_not_be_read_or_written_is_told_by_file_and_stops_nothing_else() {
    if as_nobody().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    allow(folder.path(), 0o755);
    let run = |args: &[&str]| {
        let mut command = as_nobody().unwrap();
        command.args(args).env_clear().env("HOME", folder.path()).current_dir(folder.path());
        let said = command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (said.status.code().unwrap(), text(said.stdout), text(said.stderr))
    };
    let shelf = folder.path().join(".claude/projects/-home-ada-tool");
    fs::create_dir_all(&shelf).unwrap();
    let name = Path::new(SOURCES[3]).file_name().unwrap();
    let (open, closed) =
        (shelf.join(name), shelf.join("5e90e000-0000-4000-8000-00000000000c.jsonl"));
    fs::copy(SOURCES[3], &open).unwrap();
    fs::copy(DEMO, &closed).unwrap();
    allow(&closed, 0o000);
    let shown = closed.to_str().unwrap();
    for args in [&["pack", shown][..], &["export", shown], &["check", shown]] {
        let (code, stdout, stderr) = run(args);
        assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
        let wanted = format!("error: cannot read `{shown}`: you have no permission");
        assert!(stderr.contains(&wanted), "{stderr}");
    }
    let (code, stdout, stderr) = run(&["list", "--all", "-v"]);
    assert!(code == 0 && stdout.contains("3f2c8a10"), "{stderr}");
    assert!(stderr.contains(shown) && stderr.contains("you have no permission"), "{stderr}");
    // Nothing may be made in these folders.
    let out = folder.path().join("out");
    for args in [
        &["export", open.to_str().unwrap(), "--out", out.to_str().unwrap()][..],
        &["export", "--all", "--out-dir", out.to_str().unwrap()],
        &["convert", open.to_str().unwrap(), "--to", "claude", "--install"],
    ] {
        let (code, stdout, stderr) = run(args);
        assert_eq!((code, stdout.as_str()), (4, ""), "{args:?}: {stderr}");
        let error = stderr.lines().find(|line| line.starts_with("error: ")).unwrap();
        let wanted = format!("error: cannot write `{}/", folder.path().display());
        assert!(error.starts_with(&wanted) && error.contains("you have no permission"), "{error}");
    }
    let template = folder.path().join("own.md.j2");
    fs::write(&template, "x").unwrap();
    allow(&template, 0o000);
    let (code, _, stderr) = run(&["pack", "--demo", "--template", template.to_str().unwrap()]);
    assert!(code == 3 && stderr.contains(template.to_str().unwrap()), "{stderr}");
    allow(&folder.path().join(".claude"), 0o000);
    let (code, _, stderr) = run(&["list", "--all", "-v"]);
    assert!(code == 1 && stderr.contains("you have no permission"), "{stderr}");
}

#[test]
fn a_file_that_is_gone_before_it_is_read_is_told_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for source in [SOURCES[0], "fixtures/codex/0.145.0/tools-legacy.jsonl"] {
        let path = folder.path().join("session.jsonl");
        fs::copy(source, &path).unwrap();
        let path = camino::Utf8Path::from_path(&path).unwrap();
        let input = segue::jsonl::Input::file(path).unwrap();
        let harness = segue::harness::recognise(&input).unwrap();
        fs::remove_file(path).unwrap();
        let mut session = segue::model::Session::default();
        let error =
            harness.read(&input, segue::harness::Want::default(), &mut session).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        let wanted = format!("cannot read `{path}`: there is no such file");
        assert!(error.to_string().starts_with(&wanted), "{error}");
    }
}

#[test]
fn what_is_written_into_a_context_file_meanwhile_is_not_lost() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let agents = folder.path().join("AGENTS.md");
    fs::write(&agents, "# Old rules\n").unwrap();
    // More than a pipe holds: once it is written, the run has begun to read it, and has read the file.
    let session = long_demo(20_000);
    let mut command = Command::new(env!("CARGO_BIN_EXE_segue"));
    command.args(["sync", "--session", "-", "--budget", "700", agents.to_str().unwrap()]);
    command.env_clear().env("HOME", folder.path()).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let (most, rest) = session.as_bytes().split_at(session.len() - 10);
    stdin.write_all(most).unwrap();
    fs::write(&agents, "# New rules\n").unwrap();
    stdin.write_all(rest).unwrap();
    drop(stdin);
    let said = end(child);
    assert_eq!(said.status.code(), Some(0), "{}", String::from_utf8_lossy(&said.stderr));
    let now = text(&agents);
    assert!(now.starts_with("# New rules\n\n<!-- segue:pack:start"), "{now}");
    assert_eq!(drafts(folder.path()), Vec::<PathBuf>::new());
}

#[test]
fn two_runs_at_once_write_one_block_and_lose_nothing_around_it() {
    let folder = tempfile::tempdir().unwrap();
    let agents = folder.path().join("AGENTS.md");
    let session = folder.path().join("session.jsonl");
    fs::write(&session, long_demo(150)).unwrap();
    for round in 0..5 {
        fs::write(&agents, format!("# Rules {round}\n")).unwrap();
        let run = |budget: &str| {
            let (session, agents) = (session.to_str().unwrap(), agents.to_str().unwrap());
            start(folder.path(), &["sync", "--session", session, "--budget", budget, agents])
        };
        let both = [run("500"), run("700")];
        for said in both.map(end) {
            assert_eq!(said.status.code(), Some(0), "{}", String::from_utf8_lossy(&said.stderr));
        }
        let now = text(&agents);
        assert!(now.starts_with(&format!("# Rules {round}\n\n<!-- segue:pack:start")), "{now}");
        assert_eq!(now.matches("<!-- segue:pack:").count(), 2, "{now}");
        assert!(now.trim_end().ends_with("<!-- segue:pack:end -->"), "{now}");
    }
    assert_eq!(drafts(folder.path()), Vec::<PathBuf>::new());
}

#[test]
fn two_runs_at_once_put_a_session_in_place_once() {
    for to in ["claude", "codex", "gemini"] {
        let home = home();
        let args = ["convert", COMPACTED, "--to", to, "--install"];
        let said = [start(home.path(), &args), start(home.path(), &args)].map(end);
        let words: String = said.iter().map(|said| String::from_utf8_lossy(&said.stderr)).collect();
        assert!(said.iter().all(|said| said.status.code() == Some(0)), "{words}");
        assert_eq!(said[0].stdout, said[1].stdout);
        assert_eq!(words.matches(": written\n").count(), 1, "{words}");
        assert_eq!(words.matches(": is there already").count(), 1, "{words}");
        let sessions = files(home.path())
            .into_iter()
            .filter(|path| path.extension() == Some("jsonl".as_ref()));
        let sessions: Vec<_> = sessions.collect();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        let checked = call(home.path(), &["check", sessions[0].to_str().unwrap()]);
        assert_eq!(checked.code, 0, "{}", checked.stdout);
        assert_eq!(drafts(home.path()), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_list_that_many_runs_enter_something_in_loses_none_of_it() {
    let home = home();
    let list = home.path().join(".codex/external_agent_session_imports.json");
    let begin =
        |source: &&str| start(home.path(), &["convert", source, "--to", "codex", "--install"]);
    for said in SOURCES.iter().map(begin).collect::<Vec<_>>().into_iter().map(end) {
        assert_eq!(said.status.code(), Some(0), "{}", String::from_utf8_lossy(&said.stderr));
    }
    let list: Value = serde_json::from_str(&text(&list)).unwrap();
    assert_eq!(list["records"].as_array().unwrap().len(), SOURCES.len(), "{list}");
}

#[test]
fn two_runs_at_once_export_the_same_files() {
    let out = tempfile::tempdir().unwrap();
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/homes/three");
    let args = ["export", "--all", "--out-dir", out.path().to_str().unwrap()];
    let said = [start(&home, &args), start(&home, &args)].map(end);
    let words: String = said.iter().map(|said| String::from_utf8_lossy(&said.stderr)).collect();
    assert!(said.iter().all(|said| said.status.code() == Some(0)), "{words}");
    assert_eq!(drafts(out.path()), Vec::<PathBuf>::new());
    let book = text(&out.path().join(".segue-export.ndjson"));
    book.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap()));
    let again = call(&home, &args);
    assert!(again.stderr.contains("0 exported, 6 up to date, 0 failed"), "{}", again.stderr);
}

#[test]
fn a_book_that_was_cut_off_is_gone_on_with() {
    let out = tempfile::tempdir().unwrap();
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/homes/three");
    let args = ["export", "--all", "--out-dir", out.path().to_str().unwrap()];
    assert_eq!(call(&home, &args).code, 0);
    let book = out.path().join(".segue-export.ndjson");
    let whole = text(&book);
    fs::write(&book, &whole[..whole.len() - 20]).unwrap();
    let again = call(&home, &args);
    assert!(again.stderr.contains("1 exported, 5 up to date"), "{}", again.stderr);
    let again = call(&home, &args);
    assert!(again.stderr.contains("0 exported, 6 up to date"), "{}", again.stderr);
}

#[test]
fn two_runs_at_once_that_change_memories_lose_none() {
    let entries = ["Deploys run on Mondays.", "The cache lives in Redis."];
    for _ in 0..5 {
        let place = Place::new();
        for (entry, name) in entries.iter().zip(["one", "two"]) {
            let record = format!(
                r#"{{"type":"memory","schema":"segue.memory/1","id":"{name}","kind":"reference","name":"{name}","title":"{name}","summary":"","body_md":"{entry}","scope":{{"level":"global"}},"source":{{"harness":"other","path":"/{name}.md","layer":"memory","key":"{name}","generation":"g"}},"content_sha256":"","flags":{{}}}}"#
            );
            place.put(&place.path(&format!("{name}.ndjson")), &format!("{record}\n"));
        }
        let (home, project) = (place.path("home"), place.path("project"));
        let import = |name: &str| {
            let file = place.path(&format!("{name}.ndjson"));
            let project = project.to_str().unwrap();
            let args = ["memory", "import", file.to_str().unwrap(), "--to", "hermes", "--write"];
            start(&home, &[&args[..], &["--project", project]].concat())
        };
        let said = [import("one"), import("two")].map(end);
        let now = text(&home.join(".hermes/memories/MEMORY.md"));
        let list = text(&home.join(".hermes/memories/.segue.json"));
        for ((said, entry), name) in said.iter().zip(entries).zip(["one", "two"]) {
            let words = String::from_utf8_lossy(&said.stderr);
            match said.status.code() {
                Some(0) => assert!(
                    now.contains(entry) && list.contains("sha256"),
                    "{name}: {words}\n{now}"
                ),
                code => {
                    assert_eq!(code, Some(4), "{words}");
                    assert!(
                        words.contains("was changed meanwhile: nothing was written"),
                        "{words}"
                    );
                    assert!(words.contains("hint: the same again"), "{words}");
                }
            }
        }
        assert!(said.iter().any(|said| said.status.code() == Some(0)));
        assert_eq!(list.matches("sha256").count(), now.matches('.').count(), "{list}\n{now}");
        assert_eq!(drafts(&home), Vec::<PathBuf>::new());
    }
}

/// Commands that print, each in its own way.
const PRINTING: &[&[&str]] = &[
    &["list", "--all"],
    &["pack", "--demo"],
    &["pack", "--demo", "--json"],
    &["show", "--demo", "T-1"],
    &["status", DEMO, "--json"],
    &["frame", DEMO],
    &["search", "--demo", "parse"],
    &["export", DEMO],
    &["export", DEMO, "--to", "json"],
    &["export", DEMO, "--to", "markdown"],
    &["convert", DEMO, "--to", "codex"],
    &["convert", DEMO, "--to", "codex", "--dry-run"],
    &["check", DEMO, "--json"],
    &["templates"],
    &["schema", "pack"],
    &["completions", "bash"],
    &["man"],
    &["memory", "list", "--all"],
    &["memory", "export", "--project", "/home/ada/toolbox"],
];

#[test]
fn a_reader_that_goes_away_and_a_full_output_are_met_by_every_command() {
    let run = |args: &[&str], stdout: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_segue"));
        let home = if args[0] == "memory" { "memories" } else { "three" };
        command.args(args).env_clear().env("HOME", format!("fixtures/homes/{home}"));
        command.stdin(Stdio::null()).stdout(stdout).output().unwrap()
    };
    for args in PRINTING {
        let plain = run(args, Stdio::null());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let gone = run(args, writer.into());
        let words = String::from_utf8_lossy(&gone.stderr).into_owned();
        assert!(!words.contains("error: cannot write"), "{args:?}: {words}");
        // What the command says itself by its exit code may stay unsaid.
        let code = gone.status.code();
        assert!(code == Some(0) || code == plain.status.code(), "{args:?}: {code:?} {words}");
        let Ok(full) = fs::File::options().write(true).open("/dev/full") else { continue };
        assert!(!run(args, Stdio::piped()).stdout.is_empty(), "{args:?}");
        let full = run(args, full.into());
        let words = String::from_utf8_lossy(&full.stderr);
        assert_eq!(full.status.code(), Some(4), "{args:?}: {words}");
        assert!(
            words.contains("error: cannot write standard output: no space is left there"),
            "{args:?}: {words}"
        );
    }
}
