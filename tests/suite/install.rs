//! What `segue convert` puts into a harness's home, and what it refuses.

#[cfg(unix)]
mod links;

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
        fs::create_dir(home.0.path().join("tool")).unwrap();
        home
    }

    /// The folder in which a converted session goes on.
    fn tool(&self) -> String {
        self.path().canonicalize().unwrap().join("tool").to_str().unwrap().to_owned()
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn call(&self, args: &[&str]) -> Call {
        Call::new("nobody", args).env("HOME", self.path().to_str().unwrap())
    }

    fn convert(&self, session: &str, to: &str, more: &[&str]) -> crate::program::Said {
        let tool = self.tool();
        let mut args = vec!["convert", session, "--to", to, "--cwd", &tool];
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
        let start = format!("cd {} && ", home.tool());
        assert!(said.stdout.starts_with(&start), "{}", said.stdout);
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
        let losses = |said: &str| -> Vec<String> {
            said.lines().filter(|line| line.starts_with("loss: ")).map(str::to_owned).collect()
        };
        assert_eq!(losses(&again.stderr), losses(&said.stderr), "{to}");
        let report = home.convert(COMPACTED, to, &["--install", "--report", "-"]);
        let value: Value = serde_json::from_str(&report.stdout).unwrap();
        let resume = value["target"]["resume"].as_str().unwrap();
        assert!(report.stderr.lines().any(|line| line == resume), "{}", report.stderr);
        assert_eq!(home.sessions(), made);
        assert_eq!(fs::read(&made[0]).unwrap(), bytes);
    }
}

#[test]
fn a_file_that_is_there_is_told_by_what_it_holds() {
    for (to, _) in TARGETS {
        let home = Home::new();
        assert_eq!(home.convert(COMPACTED, to, &["--install"]).code, 0);
        let made = &home.sessions()[0];
        let whole = fs::read_to_string(made).unwrap();
        let again = |text: &str| {
            fs::write(made, text).unwrap();
            let said = home.convert(COMPACTED, to, &["--install"]);
            assert_eq!(fs::read_to_string(made).unwrap(), text, "{to}: it is never written over");
            (said.code, said.stderr)
        };
        let (code, told) = again(&format!("{whole}{{\"type\":\"more\"}}\n"));
        assert!(code == 0 && told.contains("was gone on with since"), "{to}: {told}");
        let (first, rest) = whole.split_once('\n').unwrap();
        let (code, told) = again(&format!("{first}\n{{\"of\":\"another version\"}}\n{rest}"));
        assert!(code == 0 && told.contains("not in the words"), "{to}: {told}");
        let (code, told) = again("{\"type\":\"something\"}\n");
        assert!(code == 4 && told.contains("holds something else"), "{to}: {told}");
        assert!(told.contains("hint: move it away"), "{to}: {told}");
        let digits = whole.replacen('2', &"2".repeat(3 * whole.len()), 1);
        assert!(
            again(&digits).1.contains("holds something else"),
            "{to}: it is not read to its end"
        );
        for cut in [whole.find('\n').unwrap() + 1, 0] {
            let (code, told) = again(&whole[..cut]);
            assert_eq!(code, 4, "{to}: {told}");
            assert!(told.contains("only holds the beginning"), "{to}: {told}");
        }
        let (code, told) = again(&whole);
        assert!(code == 0 && told.contains("is there already, and stays"), "{to}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn where_no_session_can_be_nothing_is_written_or_resumed() {
    use std::os::unix::fs::symlink;
    use std::process::Command;
    for (to, _) in TARGETS {
        let home = Home::new();
        assert_eq!(home.convert(COMPACTED, to, &["--install"]).code, 0);
        let made = &home.sessions()[0];
        let again = |what: &str| {
            let said = home.convert(COMPACTED, to, &["--install"]);
            assert_eq!((said.code, said.stdout.as_str()), (4, ""), "{to} {what}: {}", said.stderr);
            assert!(said.stderr.contains(what), "{to}: {}", said.stderr);
            // A dry run says the same.
            let dry = home.convert(COMPACTED, to, &["--install", "--dry-run"]);
            assert_eq!((dry.code, dry.stdout, dry.stderr), (said.code, said.stdout, said.stderr));
        };
        fs::remove_file(made).unwrap();
        fs::create_dir(made).unwrap();
        again("is there and is no file");
        fs::remove_dir(made).unwrap();
        symlink("nowhere", made).unwrap();
        again("is there and is a link that leads nowhere");
        fs::remove_file(made).unwrap();
        // A pipe would be waited for.
        assert!(Command::new("mkfifo").arg(made).status().unwrap().success());
        again("is there and is no file");
        // Nor is one beside it.
        fs::rename(made, made.with_file_name("rollout-2026-01-01T00-00-00-pipe.jsonl")).unwrap();
        assert_eq!(home.convert(COMPACTED, to, &["--install"]).code, 0);
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
fn what_goes_on_in_another_folder_is_told_as_that() {
    let home = Home::new();
    assert_eq!(home.convert(TOOLS, "codex", &["--install"]).code, 0);
    let convert = |cwd: &str| {
        home.call(&["convert", TOOLS, "--to", "codex", "--install", "--cwd", cwd]).run()
    };
    let said = convert(home.path().to_str().unwrap());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("in another folder is there as "), "{}", said.stderr);
    let said = home.convert(TOOLS, "codex", &["--install", "--redact"]);
    assert!(said.stderr.contains("with other options, is there as "), "{}", said.stderr);
}

#[test]
fn a_folder_that_is_not_here_is_told_before_anything_is_written() {
    let home = Home::new();
    for cwd in [home.path().join("none"), Path::new(TOOLS).to_owned()] {
        let args = ["convert", TOOLS, "--to", "codex", "--install", "--cwd", cwd.to_str().unwrap()];
        for more in [&[][..], &["--dry-run"]] {
            let said = home.call(&[&args[..], more].concat()).run();
            assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{}", said.stderr);
            assert!(said.stderr.contains("as --cwd says, is no folder here"), "{}", said.stderr);
        }
        assert!(home.sessions().is_empty());
    }
}

#[test]
fn nothing_is_written_through_a_link_or_without_a_home() {
    for (to, folder) in TARGETS {
        let home = Home::new();
        fs::remove_dir(home.path().join(folder)).unwrap();
        let said = home.convert(COMPACTED, to, &["--install"]);
        assert_eq!(said.code, 4, "{to}: {}", said.stderr);
        let dry = home.convert(COMPACTED, to, &["--install", "--dry-run"]);
        assert_eq!((dry.code, dry.stdout, &dry.stderr), (4, String::new(), &said.stderr));
        assert!(said.stderr.contains("its program makes it when it runs first"), "{}", said.stderr);
        assert!(said.stderr.contains("hint: `--out FILE`"), "{}", said.stderr);
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
        let dry = home.convert(COMPACTED, to, &["--install", "--dry-run"]);
        assert_eq!((dry.code, dry.stdout, &dry.stderr), (4, String::new(), &said.stderr));
        assert!(said.stderr.contains("symbolic link"), "{}", said.stderr);
        assert_eq!(files(elsewhere.path()), Vec::<PathBuf>::new());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_dry_run_is_refused_where_the_run_would_be_for_lack_of_permission() {
    use std::os::unix::fs::PermissionsExt as _;
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for (to, folder) in TARGETS {
        let home = Home::new();
        set(home.path(), 0o755);
        let folder = home.path().join(folder);
        set(&folder, 0o555);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(TOOLS);
        let source = source.to_str().unwrap();
        let tool = home.tool();
        let args = ["convert", source, "--to", to, "--cwd", &tool, "--install"];
        // Nothing is forbidden to root.
        let call = |args: &[&str]| home.call(args).by_nobody_if_root(home.path()).run();
        let said = call(&args);
        assert_eq!(said.code, 4, "{}", said.stderr);
        let error = said.stderr.lines().find(|line| line.starts_with("error: ")).unwrap();
        assert!(error.ends_with("you have no permission"), "{error}");
        let dry = call(&[&args[..], &["--dry-run"]].concat());
        assert_eq!((dry.code, dry.stdout.as_str()), (4, ""), "{}", dry.stderr);
        assert!(dry.stderr.lines().any(|line| line == error), "{error}\n{}", dry.stderr);
        set(&folder, 0o777);
        assert_eq!(call(&[&args[..], &["--dry-run"]].concat()).code, 0);
        assert!(home.sessions().is_empty());
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
            let resume = format!("\nresume    cd {} && ", home.tool());
            assert!(said.stdout.contains(&resume), "{}", said.stdout);
            assert_eq!(files(home.path()), Vec::<PathBuf>::new());
            let out = home.path().join("x.jsonl");
            let said = home.convert(source, to, &["--out", out.to_str().unwrap(), "--dry-run"]);
            let named = format!("\nfile      {}\n", out.display());
            assert!(said.stdout.contains(&named) && !out.exists(), "{}", said.stdout);
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

const WITH_SIDES: [&str; 3] = [
    "fixtures/claude/2.1.330/filed-side-session/e7420af1-b4f4-483b-b081-1aaed47273dd.jsonl",
    "fixtures/codex/0.169.0/rollout-2026-11-21T20-41-09-01a1ffd7-67cd-7213-aa49-898cbb18d436.jsonl",
    "fixtures/gemini/0.61.0/sub-agent/chats/session-2026-11-21T20-26-6614a8f5.jsonl",
];

/// Returns the file of the session itself, and those of side sessions.
fn parted(home: &Home, said: &crate::program::Said) -> (PathBuf, Vec<PathBuf>) {
    let written = said.stderr.lines().find_map(|line| line.strip_suffix(": written"));
    let main = PathBuf::from(written.unwrap().strip_prefix("segue: ").unwrap());
    let (own, sides) = home.sessions().into_iter().partition(|path| *path == main);
    assert_eq!(own, std::slice::from_ref(&main));
    (main, sides)
}

#[test]
fn side_sessions_are_put_beside_the_session_and_stay_as_they_are() {
    for (to, source) in TARGETS.iter().flat_map(|(to, _)| WITH_SIDES.map(|source| (*to, source))) {
        let home = Home::new();
        let dry = home.convert(source, to, &["--install", "--dry-run"]);
        assert!(dry.stdout.contains("\nbeside    1 side sessions\n"), "{}", dry.stdout);
        let said = home.convert(source, to, &["--install"]);
        assert_eq!(said.code, 0, "{to}: {}", said.stderr);
        assert!(!said.stderr.contains("side sessions, whose"), "{}", said.stderr);
        let (main, sides) = parted(&home, &said);
        assert_eq!(sides.len(), 1, "{sides:?}");
        let listed = home.call(&["list", "--all", "--json"]).run();
        assert_eq!(listed.stdout.lines().count(), 1, "{}", listed.stdout);
        for path in [&main, &sides[0]] {
            let checked = home.call(&["check", path.to_str().unwrap()]).run();
            assert_eq!(checked.code, 0, "{}", checked.stdout);
        }
        let before: Vec<_> =
            files(home.path()).iter().map(|path| fs::read(path).unwrap()).collect();
        assert_eq!(home.convert(source, to, &["--install"]).code, 0);
        let after: Vec<_> = files(home.path()).iter().map(|path| fs::read(path).unwrap()).collect();
        assert_eq!(before, after);
        // What somebody else put there is nobody's to overwrite.
        fs::remove_file(&main).unwrap();
        assert_eq!(home.convert(source, to, &["--install"]).code, 0);
        fs::remove_file(&main).unwrap();
        let own = fs::read(&sides[0]).unwrap();
        fs::write(&sides[0], "taken\n").unwrap();
        let left = |said: &crate::program::Said| {
            let path = sides[0].canonicalize().unwrap();
            let told = format!("segue: {}: something else is there", path.display());
            assert_eq!(said.code, 0, "{}", said.stderr);
            assert!(said.stderr.contains(&told), "{to}: {}", said.stderr);
            assert!(said.stderr.contains("side sessions, whose"), "{}", said.stderr);
            assert!(!said.stderr.contains("side sessions written beside"), "{}", said.stderr);
        };
        let dry = home.convert(source, to, &["--install", "--dry-run"]);
        left(&dry);
        assert!(!dry.stdout.contains("\nbeside "), "{}", dry.stdout);
        let report = home.path().join("report.json");
        let more = ["--install", "--report", report.to_str().unwrap()];
        left(&home.convert(source, to, &more));
        assert_eq!(fs::read(&sides[0]).unwrap(), b"taken\n");
        assert!(main.exists());
        let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
        assert_eq!(report["target"]["side_sessions"], 0);
        // What was left out is told again, and written once nothing is in its way.
        left(&home.convert(source, to, &["--install"]));
        fs::remove_file(&sides[0]).unwrap();
        let whole = home.path().join("whole.json");
        let more = ["--install", "--report", whole.to_str().unwrap()];
        let said = home.convert(source, to, &more);
        assert_eq!(said.code, 0, "{to}: {}", said.stderr);
        let told = "segue: side sessions written beside it: 1\n";
        assert!(said.stderr.contains(told), "{to}: {}", said.stderr);
        assert!(said.stderr.contains("is there already, and stays as it is"), "{}", said.stderr);
        // It may be dated when it is written.
        let undated = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii_digit()).count();
        assert_eq!(undated(&fs::read(&sides[0]).unwrap()), undated(&own), "{to}");
        assert!(!home.convert(source, to, &["--install"]).stderr.contains(told));
        // Where the session is there in other words, nothing may lead to it.
        fs::remove_file(&sides[0]).unwrap();
        let text = fs::read_to_string(&main).unwrap();
        fs::write(&main, text.replacen("\n{", "\n{ ", 1)).unwrap();
        let said = home.convert(source, to, &["--install"]);
        let told = "the side session is not there; it is written only with its session";
        assert!(said.stderr.contains(told), "{to}: {}", said.stderr);
        let whole: Value = serde_json::from_slice(&fs::read(whole).unwrap()).unwrap();
        assert!(report["carried"].as_u64() < whole["carried"].as_u64(), "{report} {whole}");
    }
}

#[test]
fn a_small_file_that_is_taken_keeps_no_side_session_from_being_written() {
    let home = Home::new();
    assert_eq!(home.convert(WITH_SIDES[0], "claude", &["--install"]).code, 0);
    let ends = |end: &'static str| move |path: &PathBuf| path.to_str().unwrap().ends_with(end);
    let is_side = |path: &&PathBuf| ends(".meta.json")(path);
    let all = files(home.path());
    let small = all.iter().find(is_side).unwrap();
    let side = PathBuf::from(small.to_str().unwrap().replace(".meta.json", ".jsonl"));
    let text = fs::read(&side).unwrap();
    home.sessions().iter().for_each(|path| fs::remove_file(path).unwrap());
    fs::write(small, "{\"mine\":1}\n").unwrap();
    let said = home.convert(WITH_SIDES[0], "claude", &["--install"]);
    let small = small.canonicalize().unwrap();
    let told = format!("segue: {}: something else is there and stays as it is\n", small.display());
    assert!(said.stderr.contains(&told), "{}", said.stderr);
    assert!(!said.stderr.contains("side sessions, whose"), "{}", said.stderr);
    assert_eq!(fs::read(&side).unwrap(), text);
    assert_eq!(fs::read(&small).unwrap(), b"{\"mine\":1}\n");
}

#[cfg(unix)]
#[test]
fn a_link_above_all_files_is_told_once() {
    for ((to, folder), source) in TARGETS.iter().zip(WITH_SIDES) {
        for is_loop in [true, false] {
            let home = Home::new();
            let made = home.convert(source, to, &["--install", "--dry-run"]).stdout;
            let file = made.lines().find_map(|line| line.strip_prefix("file      ")).unwrap();
            let top = home.path().canonicalize().unwrap().join(folder);
            let rest = Path::new(file).strip_prefix(&top).unwrap();
            let link = top.join(rest.components().next().unwrap());
            let target = if is_loop { link.clone() } else { home.path().join("elsewhere") };
            fs::create_dir(home.path().join("elsewhere")).unwrap();
            std::os::unix::fs::symlink(target, &link).unwrap();
            for more in [&["--install"][..], &["--install", "--dry-run"]] {
                let said = home.convert(source, to, more);
                assert_eq!(said.code, 4, "{}", said.stderr);
                assert!(said.stderr.contains("is a symbolic link"), "{}", said.stderr);
                assert!(!said.stderr.contains("something else is there"), "{to}: {}", said.stderr);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_side_session_behind_a_link_is_told_as_it_is() {
    let home = Home::new();
    let made = home.convert(WITH_SIDES[0], "claude", &["--install"]);
    let (_, sides) = parted(&home, &made);
    let (link, elsewhere) = (home.path().join(".claude/projects"), home.path().join("elsewhere"));
    fs::rename(&link, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
    // The session and the side session are there, by another way.
    let said = home.convert(WITH_SIDES[0], "claude", &["--install"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(!said.stderr.contains("side session is not written"), "{}", said.stderr);
    fs::remove_file(&sides[0]).unwrap();
    let said = home.convert(WITH_SIDES[0], "claude", &["--install"]);
    let told = "is a symbolic link, which is not written through; the side session is not written";
    assert!(said.stderr.contains(told), "{}", said.stderr);
    assert!(!said.stderr.contains("something else is there"), "{}", said.stderr);
}

#[test]
fn a_file_of_the_users_own_has_no_place_for_side_sessions() {
    for (to, source) in TARGETS.iter().flat_map(|(to, _)| WITH_SIDES.map(|source| (*to, source))) {
        let home = Home::new();
        let out = home.path().join("out.jsonl");
        let said = home.convert(source, to, &["--out", out.to_str().unwrap()]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stderr.contains("side sessions, whose answers stand"), "{}", said.stderr);
        assert_eq!(home.sessions(), [out]);
    }
}

#[test]
fn secrets_of_side_sessions_are_replaced_too() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(WITH_SIDES[0]);
    let id = source.file_stem().unwrap();
    let beside = source.with_extension("").join("subagents");
    let to = folder.path().join(id).join("subagents");
    fs::create_dir_all(&to).unwrap();
    let main = folder.path().join(source.file_name().unwrap());
    fs::copy(source, &main).unwrap();
    let key = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    for path in files(&beside) {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.replace("[[sub2]] say hi", &format!("say {key}"));
        let text = text.replace("Other stuff", &format!("Other {key}"));
        fs::write(to.join(path.file_name().unwrap()), text).unwrap();
    }
    for (to, _) in TARGETS {
        let home = Home::new();
        let said = home.convert(main.to_str().unwrap(), to, &["--install", "--redact"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let all: Vec<_> =
            files(home.path()).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
        assert!(all.iter().any(|text| text.contains("[REDACTED:github-token:1]")), "{to}");
        assert!(!all.iter().any(|text| text.contains(&key)), "{to}");
    }
}

/// A side session of each harness, the session that began it, and some of its words.
const SIDES: [(&str, &str, &str); 3] = [
    (
        "fixtures/claude/2.1.330/filed-side-session/e7420af1-b4f4-483b-b081-1aaed47273dd/subagents/agent-a54a9f0f278258c3b.jsonl",
        "e7420af1-b4f4-483b-b081-1aaed47273dd",
        "[[sub2]] say hi",
    ),
    (
        "fixtures/codex/0.169.0/rollout-2026-11-21T20-41-09-01a1ffd7-685e-7fb2-b571-024ce7469a7e.jsonl",
        "01a1ffd7-67cd-7213-aa49-898cbb18d436",
        "Look at README and report",
    ),
    (
        "fixtures/gemini/0.61.0/sub-agent/chats/6614a8f5-c7e1-4574-995e-efd0fab34898/41cf1cc8-f897-45ee-82a3-19bb7c178cc2.jsonl",
        "6614a8f5-c7e1-4574-995e-efd0fab34898",
        "Find the entry point",
    ),
];

#[test]
fn a_side_session_that_is_named_goes_on_by_itself() {
    for (to, (side, main, words)) in
        TARGETS.iter().flat_map(|(to, _)| SIDES.map(|side| (*to, side)))
    {
        let home = Home::new();
        let said = home.convert(side, to, &["--install"]);
        assert_eq!(said.code, 0, "{side}: {}", said.stderr);
        let told =
            format!("it is a side session of {main}; `segue convert {main} --to {to} --install`");
        assert!(said.stderr.contains(&told), "{}", said.stderr);
        let [path] = &home.sessions()[..] else { panic!("{:?}", home.sessions()) };
        let path = path.to_str().unwrap();
        assert_eq!(home.call(&["check", path]).run().code, 0);
        let live = home.call(&["export", path, "--view", "live"]).run().stdout;
        assert!(live.contains(words), "{to}: {live}");
        assert!(!live.contains("\"side_session\""), "{to}: {live}");
        let listed = home.call(&["list", "--all", "--json"]).run().stdout;
        assert_eq!(listed.lines().count(), 1, "{listed}");
    }
}

#[test]
fn a_pack_of_a_side_session_alone_tells_what_another_agent_asked() {
    for (side, _, words) in SIDES {
        let said = Home::new().call(&["pack", side]).run();
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stdout.contains("another agent wrote: "), "{side}: {}", said.stdout);
        assert!(said.stdout.contains(words), "{side}: {}", said.stdout);
    }
}

/// Copies a session of which more was said, and its side session, in which more was said too.
fn with_more_said(folder: &Path) -> PathBuf {
    let main = PathBuf::from(WITH_SIDES[0]);
    let beside = main.with_extension("");
    let copy = folder.join(main.file_name().unwrap());
    for path in files(&beside).into_iter().chain([main.clone()]) {
        let to = folder.join(path.strip_prefix(main.parent().unwrap()).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let mut text = fs::read_to_string(&path).unwrap();
        if to.extension().unwrap() == "jsonl" {
            text.push_str(&more_said(&text));
        }
        fs::write(to, text).unwrap();
    }
    copy
}

/// Returns lines that follow a session: one prompt of some thousand tokens and a short one.
fn more_said(text: &str) -> String {
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let last = lines.rfind(|line| line["type"] == "assistant").unwrap();
    let mut parent = last["uuid"].clone();
    let mut told = String::new();
    for (number, words) in
        ["one two three four five ".repeat(1000), "And now?".into()].iter().enumerate()
    {
        let uuid = format!("00000000-0000-4000-8000-00000000000{number}");
        let mut line = last.clone();
        line["type"] = "user".into();
        line["message"] = serde_json::json!({ "role": "user", "content": words });
        line["parentUuid"] = std::mem::replace(&mut parent, uuid.clone().into());
        line["uuid"] = uuid.into();
        line["timestamp"] = format!("2026-11-21T21:00:0{number}.000Z").into();
        told.push_str(&format!("{line}\n"));
    }
    told
}

#[test]
fn what_a_window_means_for_side_sessions_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let source = with_more_said(folder.path());
    for (to, _) in TARGETS {
        let (home, report) = (Home::new(), folder.path().join(format!("{to}.json")));
        let more = ["--install", "--max-tokens", "2500", "--report", report.to_str().unwrap()];
        let said = home.convert(source.to_str().unwrap(), to, &more);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stderr.contains("entries are folded into a pack"), "{}", said.stderr);
        let told: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
        let count = |kind: &str| {
            let list = told["losses"].as_array().unwrap();
            list.iter().find(|loss| loss["kind"] == kind).map(|loss| loss["count"].clone())
        };
        assert_eq!(count("long_side"), Some(1.into()), "{to}: {told}");
        assert!(said.stderr.contains("loss: carried side sessions whole"), "{}", said.stderr);
        // Where what was folded has no place, its side session has none either.
        let is_left = to == "gemini";
        assert_eq!(count("side_session").is_some(), is_left, "{to}: {told}");
        let (_, sides) = parted(&home, &said);
        assert_eq!(sides.len(), usize::from(!is_left), "{to}: {sides:?}");
        assert_eq!(
            told["carried"].as_u64().unwrap() + told["lost"].as_u64().unwrap(),
            told["source"]["items"].as_u64().unwrap()
        );
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
    let install = || {
        let said = home.convert(COMPACTED, "codex", &["--install"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(said.stdout.contains("codex resume "), "{}", said.stdout);
        assert!(said.stderr.contains("json stays as it is"), "{}", said.stderr);
    };
    std::os::unix::fs::symlink(&other, &list).unwrap();
    install();
    assert_eq!(fs::read(&other).unwrap(), b"{}");
    // A pipe would be waited for.
    fs::remove_file(&list).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&list).status().unwrap().success());
    install();
}

#[test]
fn a_loss_is_told_and_stops_a_strict_run() {
    let home = Home::new();
    let said = home.convert("fixtures/codex/0.169.0/code-mode.jsonl", "claude", &["--strict"]);
    assert_eq!(said.code, 5, "{}", said.stderr);
    assert!(said.stderr.contains("loss: "), "{}", said.stderr);
}
