//! Runs that are killed while they write: each file is the old or the new one, and the next run
//! leaves what a run that nobody disturbed would have left.
//!
//! `SEGUE_KILLS=500 cargo test kills` kills so many runs in all; without it there are a few of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use fastrand::Rng;
use regex::Regex;

use crate::data;

const SIDES: &str =
    "fixtures/claude/2.1.330/filed-side-session/e7420af1-b4f4-483b-b081-1aaed47273dd.jsonl";
/// How many runs of each command are killed if nobody says how many.
const FEW: usize = 2;
/// What the files of before were last changed, in seconds since 1970.
const MODIFIED_S: u64 = 1_770_000_000;

/// A command that writes, with what is there before; `{}` stands for its folder.
struct Case {
    args: &'static [&'static str],
    before: &'static [(&'static str, &'static str)],
}

const BLOCK: &str = "# Rules\n\nBe brief.\n\n<!-- segue:pack:start hash=00000000 -->\nold\n<!-- segue:pack:end -->\n\nMore.\n";
const TOPIC: &str = "---\nname: tabs\ndescription: Indent with tabs\nmetadata: \n  type: feedback\n---\n\nUse port 8080.\n";
const OTHER: &str = "---\nname: round\ndescription: Round half to even\nmetadata: \n  type: project\n---\n\nRound once.\n";
const LEDGER: &str = "{\"records\":[{\"source_path\":\"/a\",\"content_sha256\":\"0\"}]}";
const RECORD: &str = r#"{"type":"memory","schema":"segue.memory/1","id":"x","kind":"reference","name":"n","title":"Port","summary":"The port","body_md":"It is 8080.","scope":{"level":"global"},"source":{"harness":"other","path":"/x/y.md","layer":"memory","key":"k","generation":"g"},"content_sha256":"","flags":{}}"#;
/// The records of the program's own memories on the way into a home that has entries.
const ENTRIES: &str = "Deploys run on Mondays.\n§\nThe cache lives in Redis.";

const CASES: &[Case] = &[
    Case {
        args: &["export", "{}/long.jsonl", "--out", "{}/run.ndjson"],
        before: &[("run.ndjson", "old")],
    },
    Case {
        args: &["export", "{}/long.jsonl", "--to", "atif", "--out", "{}/run.json"],
        before: &[],
    },
    Case {
        args: &["export", "--all", "--out-dir", "{}/all"],
        before: &[("all/claude-3f2c8a10-1111-4aaa-8aaa-000000000001.ndjson", "old")],
    },
    Case {
        args: &["pack", "{}/long.jsonl", "--as-of", "2026-03-15", "--out", "{}/PACK.md"],
        before: &[("PACK.md", "old")],
    },
    Case {
        args: &[
            "sync",
            "--session",
            "{}/long.jsonl",
            "--budget",
            "900",
            "{}/AGENTS.md",
            "{}/CLAUDE.md",
        ],
        before: &[("AGENTS.md", BLOCK), ("CLAUDE.md", "# Own\r\n")],
    },
    Case {
        args: &[
            "convert",
            "{}/long.jsonl",
            "--to",
            "gemini",
            "--out",
            "{}/g.jsonl",
            "--report",
            "{}/r.json",
        ],
        before: &[("g.jsonl", "old"), ("r.json", "old")],
    },
    Case {
        args: &["convert", "{}/long.jsonl", "--to", "codex", "--install"],
        before: &[("home/.codex/external_agent_session_imports.json", LEDGER)],
    },
    Case { args: &["convert", SIDES, "--to", "codex", "--install"], before: &[] },
    Case { args: &["convert", SIDES, "--to", "gemini", "--install"], before: &[] },
    Case {
        args: &[
            "memory",
            "migrate",
            "--from",
            "claude",
            "--to",
            "codex",
            "--activate",
            "--write",
            "--project",
            "{}/project",
        ],
        before: &[("home/.codex/memories/memory_summary.md", "v1\n\n# Own\n")],
    },
    Case {
        args: &[
            "memory",
            "migrate",
            "--from",
            "claude",
            "--to",
            "hermes",
            "--write",
            "--project",
            "{}/project",
        ],
        before: &[("home/.hermes/memories/MEMORY.md", ENTRIES)],
    },
    Case {
        args: &[
            "memory",
            "import",
            "{}/records.ndjson",
            "--to",
            "claude",
            "--write",
            "--project",
            "{}/project",
        ],
        before: &[
            ("records.ndjson", RECORD),
            ("home/.claude/rules/imported-memories.md", "# Own\n"),
        ],
    },
    Case {
        args: &[
            "memory",
            "edit",
            "claude",
            "--match",
            "8080",
            "--replace",
            "Use 9090.",
            "--write",
            "--project",
            "{}/project",
        ],
        before: &[],
    },
];

/// Where the commands run; each begins with the same files, made anew.
struct Place(tempfile::TempDir);

/// What every file holds.
type Tree = BTreeMap<PathBuf, Vec<u8>>;

impl Place {
    fn root(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap().join("place")
    }

    /// Makes what is there before `case` runs.
    fn begin(&self, case: &Case, long: &str) {
        let root = self.root();
        let _ = fs::remove_dir_all(&root);
        let put = |path: PathBuf, text: &[u8]| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(MODIFIED_S);
            fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        };
        for folder in [".claude", ".codex", ".gemini", ".hermes"] {
            fs::create_dir_all(root.join("home").join(folder)).unwrap();
        }
        fs::create_dir_all(root.join("project/.git")).unwrap();
        let three = Path::new("fixtures/homes/three");
        for path in data::files(three) {
            put(
                root.join("home").join(path.strip_prefix(three).unwrap()),
                &fs::read(&path).unwrap(),
            );
        }
        let name = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let project: String = root.join("project").to_str().unwrap().chars().map(name).collect();
        let store = root.join("home/.claude/projects").join(project).join("memory");
        put(store.join("tabs.md"), TOPIC.as_bytes());
        put(store.join("round.md"), OTHER.as_bytes());
        put(store.join("MEMORY.md"), b"- [Tabs](tabs.md)\n- [Round](round.md)\n");
        put(root.join("long.jsonl"), long.as_bytes());
        for (path, text) in case.before {
            put(root.join(path), text.as_bytes());
        }
    }

    fn start(&self, case: &Case) -> Child {
        let root = self.root();
        let args = case.args.iter().map(|arg| arg.replace("{}", root.to_str().unwrap()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_segue"));
        command.args(args).env_clear().env("HOME", root.join("home"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    fn tree(&self) -> Tree {
        let files = data::files(&self.root()).into_iter();
        files.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

/// A session of 120 messages with `words` in each, and an image.
fn long_session(words: &str) -> String {
    let mut text = String::new();
    let image = serde_json::json!({"type": "image", "source": {
        "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo".repeat(4000)}});
    for number in 1..=120_u32 {
        let kind = if number % 2 == 1 { "user" } else { "assistant" };
        let uuid = |number: u32| format!("{number:08x}-0000-4000-8000-000000000000");
        let words = format!("step {number}: {words}");
        let mut content = vec![serde_json::json!({"type": "text", "text": words})];
        content.extend((number == 1).then(|| image.clone()));
        let line = serde_json::json!({
            "type": kind, "uuid": uuid(number), "parentUuid": (number > 1).then(|| uuid(number - 1)),
            "sessionId": "5e90e000-0000-4000-8000-000000000000", "cwd": "/home/ada/tool",
            "timestamp": format!("2026-01-02T03:{:02}:{:02}.000Z", number / 60, number % 60),
            "message": {"id": format!("msg_{number}"), "role": kind, "content": content},
        });
        text.push_str(&format!("{line}\n"));
    }
    text
}

/// Takes out what differs between two runs that say the same: times of now, and the order of lines
/// in the book of an export.
fn same(path: &Path, bytes: &[u8]) -> String {
    let times = Regex::new(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|\b\d{10}\b").unwrap();
    let text = times.replace_all(&String::from_utf8_lossy(bytes), "TIME").into_owned();
    if !path.ends_with(".segue-export.ndjson") {
        return text;
    }
    let lines: BTreeSet<&str> = text.lines().collect();
    lines.into_iter().collect::<Vec<_>>().join("\n")
}

/// Tells whether a file is only there while a run lives.
fn is_draft(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    name.starts_with(".segue-draft-") || name.starts_with(".segue-changes-")
}

/// Returns the file that `path` is a copy of.
fn copied(path: &Path) -> Option<PathBuf> {
    let name = path.file_name().unwrap().to_str().unwrap();
    Some(path.with_file_name(name.split_once(".bak.")?.0))
}

/// Holds what a killed run left to what was there before and what would have come.
fn is_old_or_new(left: &Tree, old: &Tree, new: &Tree, context: &str) {
    for (path, bytes) in left.iter().filter(|(path, _)| !is_draft(path)) {
        let shown = path.display();
        if let Some(of) = copied(path) {
            assert_eq!(Some(bytes), old.get(&of), "{context}: {shown} is a torn copy");
        } else if path.ends_with(".segue-export.ndjson") {
            let text = String::from_utf8_lossy(bytes);
            let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
            let whole: BTreeSet<_> = std::str::from_utf8(&new[path]).unwrap().lines().collect();
            lines.for_each(|line| assert!(whole.contains(line.trim_end()), "{context}: {line}"));
        } else {
            let is = |tree: &Tree| {
                tree.get(path).is_some_and(|own| same(path, own) == same(path, bytes))
            };
            assert!(is(old) || is(new), "{context}: {shown} is neither old nor new");
        }
    }
    let lost = |path: &&PathBuf| new.contains_key(*path) && !left.contains_key(*path);
    assert_eq!(old.keys().find(lost), None, "{context}: lost");
}

/// Holds what is there in the end to what a run leaves that nobody disturbed.
fn is_as_undisturbed(left: &Tree, new: &Tree, context: &str) {
    let plain = |tree: &Tree| {
        let named = tree.iter().map(|(path, bytes)| {
            let name = copied(path).map_or(path.clone(), |of| of.with_extension("a copy"));
            (name, same(path, bytes))
        });
        named.collect::<Vec<_>>()
    };
    let (left, new) = (plain(left), plain(new));
    let names =
        |tree: &[(PathBuf, String)]| tree.iter().map(|one| one.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&left), names(&new), "{context}: other files");
    for (one, other) in left.iter().zip(&new) {
        assert_eq!(one, other, "{context}: {}", one.0.display());
    }
}

/// What a run is killed at.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// A draft is there, and this long after.
    Draft(Duration),
    /// Something has its name that was not there before, and this long after.
    Named(Duration),
    /// Any moment of the run.
    Any(Duration),
}

impl Moment {
    /// Kills the run at this moment; returns whether it was still there.
    fn kill(self, mut child: Child, place: &Place, old: &BTreeSet<PathBuf>) -> bool {
        let names = || data::files(&place.root()).into_iter().filter(|path| !old.contains(path));
        let mut until = |is_time: &dyn Fn() -> bool| {
            while child.try_wait().unwrap().is_none() && !is_time() {
                std::thread::yield_now();
            }
        };
        let after = match self {
            Self::Draft(after) => {
                until(&|| names().any(|path| is_draft(&path)));
                after
            }
            Self::Named(after) => {
                until(&|| names().any(|path| !is_draft(&path)));
                after
            }
            Self::Any(after) => after,
        };
        let begun = Instant::now();
        until(&|| begun.elapsed() >= after);
        let _ = child.kill();
        child.wait().unwrap().code().is_none()
    }

    fn random(rng: &mut Rng, whole: Duration) -> Self {
        let short = Duration::from_micros(rng.u64(0..2_000));
        match rng.u8(0..3) {
            0 => Self::Draft(short),
            1 => Self::Named(short),
            _ => Self::Any(whole.mul_f64(rng.f64() * 1.1)),
        }
    }
}

/// What became of the runs.
#[derive(Default)]
struct Count {
    killed: usize,
    with_draft: usize,
    changed: usize,
}

fn try_case(case: &Case, kills: usize, rng: &mut Rng, long: &str) -> Count {
    let place = Place(tempfile::tempdir().unwrap());
    place.begin(case, long);
    let old = place.tree();
    let begun = Instant::now();
    assert_eq!(place.start(case).wait().unwrap().code(), Some(0), "{:?}", case.args);
    let whole = begun.elapsed();
    let new = place.tree();
    assert!(old != new && !new.keys().any(|path| is_draft(path)), "{:?}", case.args);
    let names = old.keys().cloned().collect();
    let mut count = Count::default();
    for _ in 0..kills {
        let moment = Moment::random(rng, whole);
        let context = format!("{:?} killed at {moment:?}", case.args);
        place.begin(case, long);
        let killed = moment.kill(place.start(case), &place, &names);
        let left = place.tree();
        count.killed += usize::from(killed);
        count.with_draft += usize::from(left.keys().any(|path| is_draft(path)));
        count.changed += usize::from(killed && left != old);
        is_old_or_new(&left, &old, &new, &context);
        let code = place.start(case).wait().unwrap().code();
        // What was edited before the kill is not found once more.
        assert!(code == Some(0) || (code == Some(1) && left != old), "{context}: {code:?}");
        is_as_undisturbed(&place.tree(), &new, &context);
    }
    count
}

#[test]
fn a_run_that_is_killed_leaves_the_old_or_the_new_and_the_next_one_cleans_up() {
    let wanted = std::env::var("SEGUE_KILLS").ok().map(|count| count.parse::<usize>().unwrap());
    let each = wanted.map_or(FEW, |all| all.div_ceil(CASES.len()));
    // Longer where there is time, so that a run is longer at its writing.
    let long =
        long_session(&"words of a long answer ".repeat(if wanted.is_some() { 200 } else { 20 }));
    let try_each = |half: usize| {
        let mut rng = Rng::with_seed(half as u64);
        for case in CASES.iter().skip(half).step_by(2) {
            let Count { killed, with_draft, changed } = try_case(case, each, &mut rng, &long);
            if wanted.is_some() {
                data::tell(&format!(
                    "kills: {killed} of {each} in time, {with_draft} left a draft, \
                     {changed} left anything: {}",
                    case.args.join(" ")
                ));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| try_each(1));
        try_each(0);
    });
}
