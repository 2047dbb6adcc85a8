//! What `segue convert` puts into a harness's home, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::data::files;
use crate::program::Call;

const COMPACTED: &str = "fixtures/claude/2.1.330/compaction-preserved.jsonl";
const TOOLS: &str = "fixtures/codex/0.145.0/tools-legacy.jsonl";
const TARGETS: [(&str, &str); 3] =
    [("claude", ".claude"), ("codex", ".codex"), ("gemini", ".gemini")];

/// A home with the folders of all harnesses.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        for (_, folder) in TARGETS {
            fs::create_dir(home.0.path().join(folder)).unwrap();
        }
        home
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn call(&self, args: &[&str]) -> Call {
        Call::new("nobody", args).env("HOME", self.path().to_str().unwrap())
    }

    fn convert(&self, session: &str, to: &str, more: &[&str]) -> crate::program::Said {
        let mut args = vec!["convert", session, "--to", to, "--cwd", "/home/ada/tool"];
        args.extend(more);
        self.call(&args).run()
    }

    fn sessions(&self) -> Vec<PathBuf> {
        let ends = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jsonl");
        files(self.path()).into_iter().filter(ends).collect()
    }
}

#[test]
fn it_goes_where_the_harness_finds_it_and_stays_as_it_is() {
    for (to, _) in TARGETS {
        let home = Home::new();
        let said = home.convert(COMPACTED, to, &["--install"]);
        assert_eq!(said.code, 0, "{to}: {}", said.stderr);
        assert!(said.stdout.starts_with("cd /home/ada/tool && "), "{}", said.stdout);
        let made = home.sessions();
        assert_eq!(made.len(), 1, "{to}: {made:?}");
        let bytes = fs::read(&made[0]).unwrap();
        assert!(bytes.ends_with(b"\n"));
        #[cfg(unix)]
        for path in files(home.path()) {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{}", path.display());
        }
        let listed = home.call(&["list", "--all", "--json"]).run();
        let list: Value = serde_json::from_str(&listed.stdout).unwrap();
        assert!(listed.stdout.contains(to), "{to} does not list it: {list}");
        let again = home.convert(COMPACTED, to, &["--install"]);
        assert_eq!((again.code, &again.stdout), (0, &said.stdout));
        assert!(again.stderr.contains("is there already"), "{}", again.stderr);
        assert_eq!(home.sessions(), made);
        assert_eq!(fs::read(&made[0]).unwrap(), bytes);
    }
}

#[test]
fn a_source_that_has_grown_is_a_session_of_its_own() {
    for (to, _) in TARGETS {
        let home = Home::new();
        let source = home.path().join("source");
        let whole = fs::read_to_string(TOOLS).unwrap();
        let lines: Vec<_> = whole.lines().collect();
        fs::write(&source, lines[..lines.len() - 2].join("\n") + "\n").unwrap();
        let path = source.to_str().unwrap();
        assert_eq!(home.convert(path, to, &["--install"]).code, 0);
        fs::write(&source, &whole).unwrap();
        let said = home.convert(path, to, &["--install"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stderr.contains("an earlier state of the session"), "{to}: {}", said.stderr);
        assert_eq!(home.sessions().len(), 2);
    }
}

#[test]
fn nothing_is_written_through_a_link_or_without_a_home() {
    for (to, folder) in TARGETS {
        let home = Home::new();
        fs::remove_dir(home.path().join(folder)).unwrap();
        let said = home.convert(COMPACTED, to, &["--install"]);
        assert_eq!(said.code, 4, "{to}: {}", said.stderr);
        assert!(said.stderr.contains("has its program ever run here"), "{}", said.stderr);
        assert_eq!(files(home.path()), Vec::<PathBuf>::new());
    }
    #[cfg(unix)]
    for (to, folder, inner) in [
        ("claude", ".claude", "projects"),
        ("codex", ".codex", "sessions"),
        ("gemini", ".gemini", "tmp"),
    ] {
        let (home, elsewhere) = (Home::new(), tempfile::tempdir().unwrap());
        let link = home.path().join(folder).join(inner);
        std::os::unix::fs::symlink(elsewhere.path(), link).unwrap();
        let said = home.convert(COMPACTED, to, &["--install"]);
        assert_eq!(said.code, 4, "{to}: {}", said.stderr);
        assert!(said.stderr.contains("symbolic link"), "{}", said.stderr);
        assert_eq!(files(elsewhere.path()), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_dry_run_writes_nothing_and_a_report_fits_its_schema() {
    let schema: Value =
        serde_json::from_str(include_str!("../../schemas/conversion-1.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for (to, _) in TARGETS {
        for source in [COMPACTED, TOOLS] {
            let home = Home::new();
            let said = home.convert(source, to, &["--install", "--dry-run"]);
            assert_eq!(said.code, 0, "{}", said.stderr);
            assert!(said.stdout.contains("\nresume    cd /home/ada/tool && "), "{}", said.stdout);
            assert_eq!(files(home.path()), Vec::<PathBuf>::new());
            let (out, report) = (home.path().join("out"), home.path().join("report.json"));
            let more = ["--out", out.to_str().unwrap(), "--report", report.to_str().unwrap()];
            assert_eq!(home.convert(source, to, &more).code, 0);
            let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
            assert_eq!(schema.validate(&report).map_err(|error| error.to_string()), Ok(()));
            let number = |value: &Value| value.as_u64().unwrap();
            let (carried, lost) = (number(&report["carried"]), number(&report["lost"]));
            assert_eq!(carried + lost, number(&report["source"]["items"]));
            assert!(carried > 0);
        }
    }
}

#[test]
fn a_session_that_was_taken_over_is_entered_once() {
    let home = Home::new();
    let list = home.path().join(".codex/external_agent_session_imports.json");
    for _ in 0..2 {
        assert_eq!(home.convert(COMPACTED, "codex", &["--install"]).code, 0);
        let list: Value = serde_json::from_slice(&fs::read(&list).unwrap()).unwrap();
        assert_eq!(list["records"].as_array().unwrap().len(), 1);
        assert!(list["records"][0]["source_path"].as_str().unwrap().ends_with(COMPACTED));
    }
    let other = Home::new();
    assert_eq!(other.convert(TOOLS, "codex", &["--install"]).code, 0);
    assert!(!other.path().join(".codex/external_agent_session_imports.json").exists());
}

#[cfg(unix)]
#[test]
fn a_list_that_cannot_be_changed_takes_nothing_from_the_session() {
    let (home, elsewhere) = (Home::new(), tempfile::tempdir().unwrap());
    let other = elsewhere.path().join("list.json");
    fs::write(&other, "{}").unwrap();
    let list = home.path().join(".codex/external_agent_session_imports.json");
    std::os::unix::fs::symlink(&other, list).unwrap();
    let said = home.convert(COMPACTED, "codex", &["--install"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("codex resume "), "{}", said.stdout);
    assert!(said.stderr.contains("stays as it is"), "{}", said.stderr);
    assert_eq!(fs::read(&other).unwrap(), b"{}");
}

#[test]
fn a_loss_is_told_and_stops_a_strict_run() {
    let home = Home::new();
    let said = home.convert("fixtures/codex/0.169.0/code-mode.jsonl", "claude", &["--strict"]);
    assert_eq!(said.code, 5, "{}", said.stderr);
    assert!(said.stderr.contains("loss: "), "{}", said.stderr);
}
