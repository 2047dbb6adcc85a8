//! What the program leaves on a machine, and that it has no way to send anything.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::data;

const DEMO: &str = "fixtures/demo/session.jsonl";
const LOCK: &str = include_str!("../../Cargo.lock");
const COMMANDS: &str = include_str!("../../src/cli/command.rs");

/// Every command, with what it is to leave: the files, or the start of their paths, below the place
/// of the test, `{}`.
const RUNS: &[(&[&str], &[&str])] = &[
    (&["list"], &[]),
    (&["list", "--all", "--json"], &[]),
    (&["pack", DEMO], &[]),
    (&["pack", "-"], &[]),
    (&["pack", DEMO, "--with-memory"], &[]),
    (&["pack", DEMO, "--out", "{}/PACK.md"], &["PACK.md"]),
    (&["sync", "--session", DEMO, "{}/AGENTS.md", "--check"], &[]),
    (&["sync", "--session", "{}/long.jsonl", "--budget", "700", "{}/AGENTS.md"], &["AGENTS.md"]),
    (&["show", "--demo", "T-1"], &[]),
    (&["status", DEMO], &[]),
    (&["frame", DEMO], &[]),
    (&["search", "--demo", "parse"], &[]),
    (&["span", "Cargo.toml", "1..3"], &[]),
    (&["diff", DEMO, "--from", "T-1"], &[]),
    (&["export", DEMO], &[]),
    (&["export", DEMO, "--out", "{}/run.ndjson"], &["run.ndjson"]),
    (
        &["export", "{}/image.jsonl", "--to", "atif", "--out", "{}/run.json"],
        &["run.json", "run.images/"],
    ),
    (&["export", "--all", "--out-dir", "{}/deep/all"], &["deep/all/"]),
    (&["convert", DEMO, "--to", "codex", "--dry-run"], &[]),
    (&["convert", DEMO, "--to", "codex", "--install", "--dry-run"], &[]),
    (
        &["convert", DEMO, "--to", "gemini", "--out", "{}/g.jsonl", "--report", "{}/r.json"],
        &["g.jsonl", "r.json"],
    ),
    (&["convert", DEMO, "--to", "claude", "--install"], &["home/.claude/projects/-"]),
    (
        &["convert", DEMO, "--to", "codex", "--install"],
        &["home/.codex/sessions/2026/", "home/.codex/external_agent_session_imports.json"],
    ),
    (
        &["convert", DEMO, "--to", "gemini", "--install"],
        &["home/.gemini/tmp/", "home/.gemini/projects.json"],
    ),
    (&["check", DEMO], &[]),
    (&["doctor", "--project", "{}/project"], &[]),
    (&["memory", "list", "--all"], &[]),
    (&["memory", "show", "mem_"], &[]),
    (&["memory", "check"], &[]),
    (&["memory", "export", "--project", "{}/project"], &[]),
    (&["memory", "migrate", "--from", "claude", "--to", "codex", "--project", "{}/project"], &[]),
    (
        &[
            "memory",
            "migrate",
            "--from",
            "claude",
            "--to",
            "codex",
            "--project",
            "{}/project",
            "--write",
        ],
        &["home/.codex/memories/", "home/.codex/memories_v2/", "home/.codex/segue_memories.json"],
    ),
    (
        &[
            "memory",
            "migrate",
            "--from",
            "claude",
            "--to",
            "hermes",
            "--project",
            "{}/project",
            "--write",
        ],
        &["home/.hermes/memories/"],
    ),
    (&["memory", "edit", "claude", "--match", "8080", "--remove", "--project", "{}/project"], &[]),
    (&["memory", "import", "{}/none.ndjson", "--to", "claude", "--write"], &[]),
    (&["memory", "seed", "codex"], &[]),
    (&["templates"], &[]),
    (&["schema", "pack"], &[]),
    (&["completions", "bash"], &[]),
    (&["man"], &[]),
    (&["man", "--out-dir", "{}/man"], &["man/"]),
    (&["--help"], &[]),
];

/// Every file and folder with its mode and what it holds; folders hold nothing.
type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

fn add(folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mode = path.symlink_metadata().unwrap().permissions().mode() & 0o7777;
        tree.insert(path.clone(), (mode, fs::read(&path).unwrap_or_default()));
        if path.is_dir() && !path.is_symlink() {
            add(&path, tree);
        }
    }
}

fn put(path: PathBuf, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Makes a place with a home in which every harness was, and something to read.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let three = Path::new("fixtures/homes/three");
    for path in data::files(three) {
        put(root.join("home").join(path.strip_prefix(three).unwrap()), &fs::read(&path).unwrap());
    }
    for folder in ["home/.hermes", "project/.git", "temporary", "away"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    let name = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let project: String = root.join("project").to_str().unwrap().chars().map(name).collect();
    let store = root.join("home/.claude/projects").join(project).join("memory");
    put(store.join("port.md"), b"---\nname: port\ndescription: The port\n---\n\nUse port 8080.\n");
    let demo = fs::read_to_string(DEMO).unwrap();
    let line = "//! Reads records.\\n";
    put(root.join("long.jsonl"), demo.replacen(line, &line.repeat(150), 1).as_bytes());
    let image = r#"{"type":"user","uuid":"00000001-0000-4000-8000-000000000000","sessionId":"5e90e000-0000-4000-8000-000000000000","timestamp":"2026-01-02T03:04:05.000Z","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}}"#;
    put(root.join("image.jsonl"), format!("{image}\n").as_bytes());
    place
}

#[test]
fn nothing_is_written_but_what_was_asked_for_and_that_for_its_owner_only() {
    for (args, wanted) in RUNS {
        let place = place();
        let root = place.path().canonicalize().unwrap();
        let (mut before, mut after) = (Tree::new(), Tree::new());
        add(&root, &mut before);
        let args: Vec<_> =
            args.iter().map(|arg| arg.replace("{}", root.to_str().unwrap())).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_segue"));
        command.args(&args).env_clear().env("HOME", root.join("home"));
        command.env("TMPDIR", root.join("temporary")).env("PATH", "/usr/bin:/bin");
        for name in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            command.env(name, root.join("away"));
        }
        let stdin = fs::File::open(DEMO).unwrap();
        let said = command.stdin(stdin).stdout(Stdio::null()).output().unwrap();
        add(&root, &mut after);
        let stderr = String::from_utf8_lossy(&said.stderr);
        for (path, old) in &before {
            assert_eq!(after.get(path), Some(old), "{args:?}: {}\n{stderr}", path.display());
        }
        let is_new = |path: &&PathBuf| !before.contains_key(*path);
        let new: Vec<_> = after.keys().filter(is_new).collect();
        assert_eq!(new.is_empty(), wanted.is_empty(), "{args:?}: {new:?}\n{stderr}");
        for path in new {
            let shown = path.strip_prefix(&root).unwrap().to_str().unwrap();
            let is_dir = path.is_dir();
            let is_meant =
                |start: &&str| shown.starts_with(*start) || (is_dir && start.starts_with(shown));
            assert!(wanted.iter().any(is_meant), "{args:?}: {shown}");
            assert_eq!(after[path].0, if is_dir { 0o700 } else { 0o600 }, "{args:?}: {shown}");
        }
    }
}

#[test]
fn every_command_is_looked_at() {
    let names = COMMANDS.split("Self::").skip(1).filter_map(|one| one.split_once("(args) =>"));
    let names: Vec<_> = names.map(|(name, _)| name.to_lowercase()).collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        assert!(RUNS.iter().any(|(args, _)| args[0] == name), "{name} is not run");
    }
}

/// Crates that open connections, or that others open them with.
const NETWORK: &[&str] = &[
    "async-std",
    "attohttpc",
    "curl",
    "curl-sys",
    "h2",
    "hickory-resolver",
    "http",
    "hyper",
    "hyper-util",
    "isahc",
    "libssh2-sys",
    "mio",
    "minreq",
    "native-tls",
    "openssl",
    "openssl-sys",
    "quinn",
    "reqwest",
    "rustls",
    "schannel",
    "security-framework",
    "smol",
    "socket2",
    "tokio",
    "tonic",
    "tungstenite",
    "ureq",
    "webpki-roots",
];

#[test]
fn no_crate_and_no_line_of_the_program_opens_a_connection() {
    let names = LOCK.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let names: Vec<_> = names.collect();
    assert!(names.contains(&"segue") && names.len() > 50);
    for name in names {
        assert!(!NETWORK.contains(&name), "{name} is a crate for the network");
    }
    for path in data::files(Path::new("src")) {
        let text = fs::read_to_string(&path).unwrap();
        for word in
            ["std::net", "TcpStream", "UdpSocket", "ToSocketAddrs", "UnixStream", "unix::net"]
        {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
}
