//! What is written with a pack in it is no change of the project that the pack tells of.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Call, Said};

/// A repository with one commit, in which the demo was worked on; nothing where there is no git.
struct Project {
    folder: PathBuf,
    session: String,
}

impl Project {
    fn new(name: &str) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sync-git").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let project = folder.join("tally");
        fs::create_dir(&project).unwrap();
        let line = "//! Reads records.\\n";
        let demo = fs::read_to_string("fixtures/demo/session.jsonl").unwrap();
        let demo = demo.replacen(line, &line.repeat(150), 1);
        let session = folder.join("session.jsonl");
        fs::write(&session, demo.replace("/home/ada/tally", project.to_str().unwrap())).unwrap();
        let this = Self { folder: project, session: session.to_str().unwrap().to_owned() };
        fs::write(this.folder.join("a.txt"), "one\n").unwrap();
        if this.git(&["init", "-q", "-b", "trunk"]).is_none() {
            crate::data::tell("skipped: no git program");
            return None;
        }
        this.commit("a.txt");
        Some(this)
    }

    fn git(&self, args: &[&str]) -> Option<String> {
        let mut git = Command::new("git");
        git.current_dir(&self.folder).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]);
        git.env_remove("GIT_DIR").env("GIT_CONFIG_GLOBAL", "/dev/null");
        let output = git.args(args).output().ok()?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8(output.stdout).unwrap().trim_end().to_owned())
    }

    fn commit(&self, file: &str) -> String {
        self.git(&["add", "--", file]).unwrap();
        self.git(&["commit", "-q", "-m", file]).unwrap();
        self.git(&["rev-parse", "HEAD"]).unwrap()
    }

    fn run(&self, args: &[&str]) -> Said {
        let mut all = args.to_vec();
        all.extend(["--budget", "700"]);
        let path = std::env::var("PATH").unwrap();
        let said = Call::new("nobody", &all).env("PATH", &path).at(&self.folder, "none").run();
        assert!(said.code < 2, "{}", said.stderr);
        said
    }

    fn sync(&self, more: &[&str]) -> i32 {
        self.run(&[&["sync", "--session", &self.session], more].concat()).code
    }

    fn line(&self, file: &str) -> String {
        let text = fs::read_to_string(self.folder.join(file)).unwrap();
        text.lines().find(|line| line.starts_with("The repository now")).unwrap().to_owned()
    }
}

#[test]
fn a_commit_of_the_block_does_not_make_it_stale() {
    let Some(project) = Project::new("commit") else { return };
    let first = project.git(&["rev-parse", "HEAD"]).unwrap();
    for file in ["AGENTS.md", "docs/NOTES.md"] {
        fs::create_dir_all(project.folder.join("docs")).unwrap();
        assert_eq!(project.sync(&[file]), 0);
        assert!(project.line(file).contains(&format!("commit {}", &first[..7])));
        assert!(project.line(file).contains(", 0 uncommitted files"), "{}", project.line(file));
        assert_eq!(project.sync(&[file, "--check"]), 0, "{file}");
        project.commit(file);
        assert_eq!(project.sync(&[file, "--check"]), 0, "{file}");
    }
    fs::write(project.folder.join("a.txt"), "two\n").unwrap();
    assert_eq!(project.sync(&["AGENTS.md", "--check"]), 1);
    let second = project.commit("a.txt");
    assert_eq!(project.sync(&["AGENTS.md", "--check"]), 1);
    assert_eq!(project.sync(&["AGENTS.md"]), 0);
    assert!(project.line("AGENTS.md").contains(&format!("commit {}", &second[..7])));
}

#[test]
fn a_commit_at_which_the_session_was_counts() {
    let Some(project) = Project::new("then") else { return };
    fs::write(project.folder.join("AGENTS.md"), "own\n").unwrap();
    let then = project.commit("AGENTS.md");
    let records = Call::new("nobody", &["export", &project.session]).run().stdout;
    let told = records.replacen("\"git\":{", &format!("\"git\":{{\"commit\":\"{then}\","), 1);
    assert_ne!(told, records);
    let ndjson = project.folder.with_file_name("session.ndjson");
    fs::write(&ndjson, told).unwrap();
    let sync = |more: &[&str]| {
        let session = ndjson.to_str().unwrap();
        project.run(&[&["sync", "--session", session, "AGENTS.md"], more].concat()).code
    };
    assert_eq!(sync(&[]), 0);
    let line = project.line("AGENTS.md");
    assert!(line.contains(&format!("commit {},", &then[..7])) && !line.contains("(then"), "{line}");
    project.commit("AGENTS.md");
    assert_eq!(sync(&["--check"]), 0);
}

#[test]
fn the_file_of_a_pack_is_no_uncommitted_one() {
    let Some(project) = Project::new("out") else { return };
    fs::create_dir(project.folder.join("new")).unwrap();
    // A folder with nothing but context files is none either.
    fs::create_dir(project.folder.join("sub")).unwrap();
    fs::write(project.folder.join("sub/CLAUDE.md"), "own\n").unwrap();
    for file in ["PACK.md", "new/PACK.md", "näme [1]*.md"] {
        let pack = || {
            project.run(&["pack", &project.session, "--out", file]);
            fs::read_to_string(project.folder.join(file)).unwrap()
        };
        let first = pack();
        assert!(first.contains(", 0 uncommitted files"), "{first}");
        assert_eq!(pack(), first);
        fs::write(project.folder.join("new/other.txt"), "x").unwrap();
        assert!(pack().contains(", 1 uncommitted file"), "{file}");
        fs::remove_file(project.folder.join("new/other.txt")).unwrap();
        fs::remove_file(project.folder.join(file)).unwrap();
    }
}

#[test]
fn a_block_in_a_file_that_nobody_has_merged_is_told_to_stand_beside_both() {
    const NOTE: &str = "`AGENTS.md` is not merged yet: the block stands beside both its versions";
    let Some(project) = Project::new("unmerged") else { return };
    let commit = |text: &str| {
        fs::write(project.folder.join("AGENTS.md"), text).unwrap();
        project.commit("AGENTS.md")
    };
    let first = commit("one\n");
    let theirs = commit("two\n");
    project.git(&["reset", "-q", "--hard", &first]).unwrap();
    let ours = commit("three\n");
    let sync = || project.run(&["sync", "--session", &project.session, "AGENTS.md"]).stderr;
    assert!(!sync().contains(NOTE));
    project.git(&["reset", "-q", "--hard"]).unwrap();
    project.git(&["read-tree", "-m", &first, &ours, &theirs]).unwrap();
    let said = sync();
    assert!(said.contains(NOTE), "{said}");
}
