//! The managed block of a context file: every other byte stays.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fastrand::Rng;
use segue::block::{self, Fault, PACK};

use crate::program::{Call, Said};

const DEMO: &str = "fixtures/demo/session.jsonl";

/// Pieces of which files are made: all line ends, text, half markers, no text.
const PIECES: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"# Title",
    b"- a line",
    b"  ",
    b"\t",
    b"\xff\xfe",
    b"\x00",
    b"<!-- segue:pack:star -->",
    b"`<!-- segue:pack:end -->`",
    b"\xef\xbb\xbf",
    b"@AGENTS.md",
    "日本".as_bytes(),
];

fn random_text(rng: &mut Rng) -> Vec<u8> {
    (0..rng.usize(0..8)).flat_map(|_| PIECES[rng.usize(0..PIECES.len())].to_vec()).collect()
}

/// Returns a file of random bytes that has no fault of its own.
fn random_file(rng: &mut Rng) -> Vec<u8> {
    std::iter::repeat_with(|| random_text(rng))
        .find(|text| block::find(text, PACK) == Ok(None))
        .unwrap()
}

#[test]
fn taking_a_block_out_gives_the_bytes_of_before() {
    let mut rng = Rng::with_seed(3);
    for round in 0..20_000 {
        let text = random_file(&mut rng);
        let with = block::put(&text, PACK, "0123", "one\ntwo\n").unwrap();
        assert!(with.starts_with(&text), "round {round}");
        assert_eq!(with.ends_with(b"\n"), text.is_empty() || text.ends_with(b"\n"));
        assert_eq!(block::find(&with, PACK).unwrap().unwrap().hash, "0123");
        assert_eq!(block::put(&with, PACK, "0123", "one\ntwo\n").unwrap(), with, "round {round}");
        let without = block::take_out(&with, PACK).unwrap().unwrap();
        assert_eq!(without, text, "round {round}: {:?}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn a_line_that_was_put_right_behind_the_block_is_a_line_of_its_own() {
    for end in ["\n", "\r\n"] {
        let with = block::put_signed(format!("one{end}two").as_bytes(), PACK, "0", "old").unwrap();
        assert!(with.ends_with(b"<!-- segue:pack:end -->"));
        let grown = [&with[..], b"- my new rule", end.as_bytes()].concat();
        let found = block::find(&grown, PACK).unwrap().unwrap();
        assert_eq!((found.place.end, block::body(&grown, &found)), (with.len(), "old".to_owned()));
        let again = block::put(&grown, PACK, "1", "new").unwrap();
        let want = ["<!-- segue:pack:start hash=1 -->", "new", "<!-- segue:pack:end -->"];
        let want = format!("one{end}two{end}{end}{}{end}- my new rule{end}", want.join(end));
        assert_eq!(String::from_utf8_lossy(&again), want);
        assert_eq!(block::put(&again, PACK, "1", "new").unwrap(), again);
        let bare = format!("one{end}two{end}- my new rule{end}");
        for text in [&grown, &again] {
            let out = block::take_out(text, PACK).unwrap().unwrap();
            assert_eq!(String::from_utf8_lossy(&out), bare);
        }
        // Where the text is another, the block may have lost its own marker.
        let text = String::from_utf8_lossy(&grown).replace("old", "old\nmine");
        assert!(block::find(text.as_bytes(), PACK).is_err());
        let end = "<!-- segue:pack:end -->";
        let text = format!("<!-- segue:pack:start hash=0 body=0 -->\nx\n{end}mine\n{end}\n");
        assert_eq!(block::find(text.as_bytes(), PACK).unwrap().unwrap().place, 0..text.len());
    }
}

#[test]
fn the_body_of_a_block_is_read_as_it_is_put_again() {
    for end in ["\n", "\r\n"] {
        let file = format!("x{end}");
        let once = block::put(file.as_bytes(), PACK, "0", "a\r\r\r\nb\r\nc\rd").unwrap();
        let body = |text: &[u8]| block::body(text, &block::find(text, PACK).unwrap().unwrap());
        assert_eq!(body(&once), "a\nb\nc\rd");
        assert_eq!(block::put(&once, PACK, "0", &body(&once)).unwrap(), once);
    }
}

#[test]
fn a_block_anywhere_is_replaced_and_nothing_else() {
    let mut rng = Rng::with_seed(4);
    for round in 0..20_000 {
        let end = ["\n", "\r\n"][rng.usize(0..2)];
        let line = format!("x{end}");
        let before = [line.as_bytes(), &random_file(&mut rng), end.as_bytes()].concat();
        let after = random_file(&mut rng);
        let old = format!("<!-- segue:pack:start hash=0 -->{end}old{end}<!-- segue:pack:end -->");
        let last = if after.is_empty() && rng.bool() { "" } else { end };
        let text = [&before, old.as_bytes(), last.as_bytes(), &after].concat();
        let Ok(Some(_)) = block::find(&text, PACK) else { continue };
        let new = block::put(&text, PACK, "1", "new\nlines").unwrap();
        let body = format!(
            "<!-- segue:pack:start hash=1 -->{end}new{end}lines{end}<!-- segue:pack:end -->{last}"
        );
        let whole = [&before, body.as_bytes(), &after].concat();
        assert_eq!(new, whole, "round {round}");
        assert_eq!(block::put(&new, PACK, "1", "new\nlines").unwrap(), new, "round {round}");
    }
}

#[test]
fn markers_that_do_not_belong_together_are_refused() {
    let (start, end) = ("<!-- segue:pack:start hash=1 -->\n", "<!-- segue:pack:end -->\n");
    let fault = |pieces: &[&str]| block::find(pieces.concat().as_bytes(), PACK).unwrap_err();
    assert_eq!(fault(&[start, "a\n"]), Fault::Unbalanced(1));
    assert_eq!(fault(&["a\n", end]), Fault::Unbalanced(2));
    assert_eq!(fault(&[start, start, end]), Fault::Unbalanced(1));
    assert_eq!(fault(&[end, start]), Fault::Unbalanced(1));
    assert_eq!(fault(&[start, end, "a\n", start, end]), Fault::Doubled(4));
    assert_eq!(fault(&[start, end, end]), Fault::Unbalanced(3));
    assert_eq!(block::find(&[0xFF, 0xFE, b'a', 0], PACK), Err(Fault::Wide));
    let spoken_of = "Between `<!-- segue:pack:start -->` and <!-- segue:pack:end --> stands it.\n";
    assert_eq!(block::find(spoken_of.as_bytes(), PACK), Ok(None));
}

#[test]
fn no_body_can_end_its_block_or_have_a_file_read() {
    let body = "a\n<!-- segue:pack:end -->\n<!-- segue:pack:start hash=2 -->\r\n@/etc/passwd \
                (@~/x) ada@example.org a @ b\n";
    let text = block::put(b"# Own\n", PACK, "1", body).unwrap();
    let shown = String::from_utf8(text.clone()).unwrap();
    let found = block::find(&text, PACK).unwrap().unwrap();
    assert_eq!((found.place.end, found.hash.as_str()), (text.len(), "1"));
    assert!(shown.contains("＠/etc/passwd (＠~/x) ada@example.org a @ b"), "{shown}");
    assert_eq!(block::take_out(&text, PACK).unwrap().unwrap(), b"# Own\n");
}

#[test]
fn a_file_that_only_imports_is_known() {
    let only = |text: &str| block::only_imports(text.as_bytes(), PACK);
    assert_eq!(only("@AGENTS.md\n").as_deref(), Some("AGENTS.md"));
    assert_eq!(only("\n@a.md\r\n@b.md").as_deref(), Some("a.md"));
    for text in ["", "# Title\n@AGENTS.md\n", "@ada wrote this\n", "@\n"] {
        assert_eq!(only(text), None, "{text:?}");
    }
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sync").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

/// Writes the demo's session with a longer output, so that a pack is clearly smaller than it.
fn session(folder: &Path) -> String {
    let text = fs::read_to_string(DEMO).unwrap();
    let line = "//! Reads records.\\n";
    let longer = text.replacen(line, &line.repeat(150), 1);
    assert!(longer.len() > text.len());
    let path = folder.join("session.jsonl");
    fs::write(&path, longer).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs `segue sync` on files of a folder with that session.
fn sync(folder: &Path, files: &[&str], more: &[&str]) -> Said {
    let paths: Vec<_> =
        files.iter().map(|file| folder.join(file).to_str().unwrap().to_owned()).collect();
    let session = session(folder);
    let mut arguments = vec!["sync", "--session", &session, "--budget", "700"];
    arguments.extend(paths.iter().map(String::as_str));
    arguments.extend(more);
    Call::new("nobody", &arguments).run()
}

#[test]
fn a_block_comes_stays_and_goes() {
    let folder = folder("comes");
    let path = folder.join("CLAUDE.md");
    let own = "# Rules\r\n\r\nBe brief.";
    fs::write(&path, own).unwrap();
    assert_eq!(sync(&folder, &["CLAUDE.md"], &["--check"]).code, 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), own);
    let said = sync(&folder, &["CLAUDE.md"], &[]);
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&format!("{own}\r\n\r\n<!-- segue:pack:start hash=")), "{text}");
    assert!(text.ends_with("</resume-pack>\r\n<!-- segue:pack:end -->"), "{text}");
    assert!(text.contains("keep the sign handling inside parse_amount"), "{text}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let again = sync(&folder, &["CLAUDE.md"], &["--as-of", "2031-04-01"]);
    assert!(again.stderr.contains("was up to date"), "{}", again.stderr);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    assert_eq!(sync(&folder, &["CLAUDE.md"], &["--check"]).code, 0);
    let gone = sync(&folder, &["CLAUDE.md"], &["--remove"]);
    assert_eq!(gone.code, 0, "{}", gone.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), own);
}

#[test]
fn another_day_writes_nothing_and_another_pack_does() {
    let folder = folder("days");
    let path = folder.join("GEMINI.md");
    assert_eq!(sync(&folder, &["GEMINI.md"], &[]).code, 0);
    let first = fs::read_to_string(&path).unwrap();
    let other_day = sync(&folder, &["GEMINI.md"], &["--as-of", "2030-09-01"]);
    assert!(other_day.stderr.contains("was up to date"), "{}", other_day.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), first);
    let more = sync(&folder, &["GEMINI.md"], &["--max-chars", "2200"]);
    assert_eq!(more.code, 0, "{}", more.stderr);
    let second = fs::read_to_string(&path).unwrap();
    assert!(second != first && second.matches("segue:pack:start").count() == 1);
}

#[test]
fn a_block_that_somebody_changed_is_put_right() {
    let folder = folder("touched");
    let path = folder.join("CLAUDE.md");
    fs::write(&path, "own\r\n").unwrap();
    assert_eq!(sync(&folder, &["CLAUDE.md"], &[]).code, 0);
    let text = fs::read_to_string(&path).unwrap();
    let end = "<!-- segue:pack:end -->";
    let others = [
        text.replace("two places", "three places"),
        text.replace(end, &format!("a line of mine\r\n{end}")),
        text.replace(" body=", " somebody="),
    ];
    for other in others {
        assert_ne!(other, text);
        fs::write(&path, &other).unwrap();
        let said = sync(&folder, &["CLAUDE.md"], &["--check"]);
        assert_eq!(said.code, 1, "{other}\n{}", said.stderr);
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
        assert_eq!(sync(&folder, &["CLAUDE.md"], &[]).code, 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // Who takes it out is told, too.
    fs::write(&path, text.replace("two places", "three places")).unwrap();
    let said = sync(&folder, &["CLAUDE.md"], &["--remove"]).stderr;
    assert!(said.contains("the block is gone; what was changed in it by hand is gone"), "{said}");
    // Other line ends say the same.
    fs::write(&path, text.replace("\r\n", "\n")).unwrap();
    assert_eq!(sync(&folder, &["CLAUDE.md"], &["--check"]).code, 0);
}

#[test]
fn a_file_of_nothing_but_the_block_goes_with_it() {
    let folder = folder("alone");
    let gone = "the block is gone, and the file, since nothing else was in it";
    let path = folder.join("GEMINI.md");
    assert_eq!(sync(&folder, &["GEMINI.md"], &[]).code, 0);
    assert_eq!(fs::read(&path).unwrap().last(), Some(&b'\n'));
    let said = sync(&folder, &["GEMINI.md"], &["--remove"]);
    assert!(said.code == 0 && said.stderr.contains(gone), "{}", said.stderr);
    assert!(!path.exists());
    // A line end is something that somebody wrote, and so is a link; a file that is read in place of
    // another hides that by being there.
    fs::write(folder.join("RULES.md"), "\n").unwrap();
    fs::write(folder.join("AGENTS.override.md"), "").unwrap();
    let mut names = vec!["RULES.md", "AGENTS.override.md"];
    if cfg!(unix) {
        fs::write(folder.join("real.md"), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("real.md", folder.join("CLAUDE.md")).unwrap();
        names.push("CLAUDE.md");
    }
    for name in names {
        let before = fs::read(folder.join(name)).unwrap();
        assert_eq!(sync(&folder, &[name], &[]).code, 0, "{name}");
        assert_ne!(fs::read(folder.join(name)).unwrap(), before, "{name}");
        assert_eq!(sync(&folder, &[name], &["--remove"]).code, 0, "{name}");
        assert_eq!(fs::read(folder.join(name)).unwrap(), before, "{name}");
    }
}

#[test]
fn a_file_is_refused_before_any_is_written() {
    let folder = folder("refused");
    let both = ["GEMINI.md", "CLAUDE.md"];
    fs::write(folder.join("GEMINI.md"), "own\n").unwrap();
    for (text, word) in [
        ("<!-- segue:pack:end -->\n", "line 1 has no other half"),
        ("@AGENTS.md\n", "only imports `AGENTS.md`"),
    ] {
        fs::write(folder.join("CLAUDE.md"), text).unwrap();
        let said = sync(&folder, &both, &[]);
        assert_eq!(said.code, 4, "{}", said.stderr);
        assert!(said.stderr.contains(word) && said.stderr.contains("hint: "), "{}", said.stderr);
        assert_eq!(fs::read_to_string(folder.join("GEMINI.md")).unwrap(), "own\n");
    }
    fs::write(folder.join("CLAUDE.md"), b"\xff\xfea\0").unwrap();
    let said = sync(&folder, &both, &[]);
    assert!(said.stderr.contains("not in UTF-8\nhint: save it as UTF-8"), "{}", said.stderr);
    let said = sync(&folder, &["session.jsonl"], &[]);
    assert_eq!(said.code, 2, "{}", said.stderr);
}

#[test]
fn a_file_that_only_imports_names_the_command_for_what_it_imports() {
    let folder = folder("imports");
    fs::create_dir(folder.join("sub")).unwrap();
    let at = |file: &str, text: &str| {
        fs::write(folder.join(file), text).unwrap();
        let said = sync(&folder, &[file], &[]);
        assert_eq!(said.code, 4, "{}", said.stderr);
        said.stderr.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap().to_owned()
    };
    // Pasted, it is to put the same session there.
    let session = session(&folder);
    let by = |file: &str| format!("{file} --session {session}`");
    let from = at("sub/CLAUDE.md", "@../AGENTS.md\n");
    assert!(from.ends_with(&by("sub/../AGENTS.md")) && from.starts_with("`segue sync "), "{from}");
    let beside = at("sub/CLAUDE.md", "@a&b.md\n");
    assert!(
        beside.ends_with(&by("sub/a&b.md'")) && beside.starts_with("`segue sync '"),
        "{beside}"
    );
    let home = at("sub/CLAUDE.md", "@~/mine.md\n");
    assert!(home.starts_with("`segue sync ") && home.ends_with(&by("/nobody/mine.md")), "{home}");
    assert_eq!(at("sub/CLAUDE.md", "@/etc/mine.md\n"), by("`segue sync /etc/mine.md"));
    let there = ["--project", "/home/ada/tool", "--harness", "claude"];
    let said = sync(&folder, &["sub/CLAUDE.md"], &there);
    let meant = format!("--session {session} --project /home/ada/tool --harness claude`\n");
    assert!(said.stderr.ends_with(&meant), "{}", said.stderr);
}

#[test]
fn the_file_that_is_read_in_place_is_meant_only_where_it_stands() {
    let folder = folder("instead");
    let said = sync(&folder, &["AGENTS.override.md"], &[]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(!folder.join("AGENTS.override.md").exists());
    fs::write(folder.join("AGENTS.override.md"), "mine\n").unwrap();
    let said = sync(&folder, &["AGENTS.md"], &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(!folder.join("AGENTS.md").exists());
    let text = fs::read_to_string(folder.join("AGENTS.override.md")).unwrap();
    assert!(text.starts_with("mine\n\n<!-- segue:pack:start"), "{text}");
}

#[test]
fn a_block_goes_also_where_another_file_came_in_its_place() {
    let folder = folder("hidden");
    assert_eq!(sync(&folder, &["AGENTS.md"], &[]).code, 0);
    fs::write(folder.join("AGENTS.override.md"), "mine\n").unwrap();
    let said = sync(&folder, &["AGENTS.md"], &["--remove"]);
    assert!(said.code == 0 && said.stderr.contains("the block is gone"), "{}", said.stderr);
    assert!(!folder.join("AGENTS.md").exists());
    // Each has one.
    assert_eq!(sync(&folder, &["AGENTS.md"], &[]).code, 0);
    let text = fs::read(folder.join("AGENTS.override.md")).unwrap();
    fs::write(folder.join("AGENTS.md"), text).unwrap();
    assert_eq!(sync(&folder, &["AGENTS.md"], &["--remove"]).code, 0);
    for name in ["AGENTS.md", "AGENTS.override.md"] {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), "mine\n", "{name}");
    }
}

#[test]
fn a_block_that_would_not_be_read_is_not_put_in() {
    let folder = folder("window");
    fs::create_dir(folder.join(".git")).unwrap();
    fs::create_dir(folder.join("part")).unwrap();
    fs::write(folder.join("AGENTS.md"), "a".repeat(20_000)).unwrap();
    let own = "b".repeat(12_000);
    fs::write(folder.join("part/AGENTS.md"), &own).unwrap();
    let said = sync(&folder, &["part/AGENTS.md"], &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("only 32768 are read"), "{}", said.stderr);
    assert_eq!(fs::read_to_string(folder.join("part/AGENTS.md")).unwrap(), own);
    fs::write(folder.join("part/CLAUDE.md"), &own).unwrap();
    assert_eq!(sync(&folder, &["part/CLAUDE.md"], &[]).code, 0);
    assert_ne!(fs::read_to_string(folder.join("part/CLAUDE.md")).unwrap(), own);
}

#[test]
fn a_block_of_a_session_without_a_name_says_that_it_has_none() {
    let path = folder("unnamed").join("GEMINI.md");
    let args = ["sync", path.to_str().unwrap(), "--session", "-"];
    let said = Call::new("nobody", &args).stdin(&fs::read(DEMO).unwrap()).run();
    let note = "note: a session from standard input has no name in the block: ";
    assert!(said.code == 0 && said.stderr.starts_with(note), "{}", said.stderr);
}

#[test]
fn a_pack_that_is_not_clearly_smaller_is_not_put_in() {
    let folder = folder("small");
    let path = folder.join("GEMINI.md");
    let said = Call::new("nobody", &["sync", path.to_str().unwrap(), "--session", DEMO]).run();
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("the session itself only"), "{}", said.stderr);
    assert!(!path.exists());
}

#[test]
#[cfg(unix)]
fn a_link_stays_one_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder("link");
    fs::create_dir(folder.join("shared")).unwrap();
    let real = folder.join("shared/RULES.md");
    fs::write(&real, "own\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("shared/RULES.md", folder.join("CLAUDE.md")).unwrap();
    assert_eq!(sync(&folder, &["CLAUDE.md"], &[]).code, 0);
    assert!(folder.join("CLAUDE.md").symlink_metadata().unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("segue:pack:start"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_file_that_git_tracks_is_told() {
    let folder = folder("tracked");
    fs::write(folder.join("CLAUDE.md"), "own\n").unwrap();
    fs::write(folder.join("GEMINI.md"), "own\n").unwrap();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(&folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
        git.output().is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q"]) || !git(&["add", "CLAUDE.md"]) {
        crate::data::tell("skipped: no git program");
        return;
    }
    let path = std::env::var("PATH").unwrap();
    let call = |name: &str| {
        let file = folder.join(name);
        let session = session(&folder);
        let arguments = ["sync", file.to_str().unwrap(), "--session", &session, "--budget", "700"];
        Call::new("nobody", &arguments).env("PATH", &path).run().stderr
    };
    assert!(call("CLAUDE.md").contains("is tracked by git"));
    assert!(!call("GEMINI.md").contains("is tracked by git"));
}

#[test]
fn a_file_that_is_read_only_stays_and_none_is_written_beside_it() {
    let folder = folder("read_only");
    let both = ["GEMINI.md", "CLAUDE.md"];
    let may_write = |name: &str, may: bool| {
        let mut allowed = fs::metadata(folder.join(name)).unwrap().permissions();
        allowed.set_readonly(!may);
        fs::set_permissions(folder.join(name), allowed).unwrap();
    };
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    for name in both {
        fs::write(folder.join(name), "own\n").unwrap();
    }
    may_write("CLAUDE.md", false);
    let said = sync(&folder, &both, &[]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    let why = "CLAUDE.md` stays as it is: it is read-only\nhint: `chmod u+w` ";
    assert!(said.stderr.contains(why), "{}", said.stderr);
    assert_eq!(both.map(text), ["own\n", "own\n"]);
    // Nor is a block taken out, be it all that is there; one that is up to date needs nothing.
    may_write("CLAUDE.md", true);
    fs::remove_file(folder.join("GEMINI.md")).unwrap();
    assert_eq!(sync(&folder, &both, &[]).code, 0);
    let with = both.map(text);
    both.iter().for_each(|name| may_write(name, false));
    assert_eq!(sync(&folder, &both, &[]).code, 0);
    assert_eq!(sync(&folder, &both, &["--check"]).code, 0);
    assert_eq!(sync(&folder, &["GEMINI.md"], &["--remove"]).code, 4);
    may_write("GEMINI.md", true);
    assert_eq!(sync(&folder, &both, &["--remove"]).code, 4);
    assert_eq!(both.map(text), with);
    may_write("CLAUDE.md", true);
    assert_eq!(sync(&folder, &both, &["--remove"]).code, 0);
}

#[test]
#[cfg(unix)]
fn a_file_stays_its_owners_and_its_groups() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
    let folder = folder("owner");
    let path = folder.join("CLAUDE.md");
    fs::write(&path, "own\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    if chown(&path, Some(1234), Some(2345)).is_err() {
        eprintln!("skipped: only root can give files away");
        return;
    }
    let whose = || {
        let meta = path.metadata().unwrap();
        (meta.uid(), meta.gid(), meta.permissions().mode() & 0o777)
    };
    assert_eq!(sync(&folder, &["CLAUDE.md"], &[]).code, 0);
    assert!(fs::read_to_string(&path).unwrap().contains("segue:pack:start"));
    assert_eq!(whose(), (1234, 2345, 0o640));
    let out = path.to_str().unwrap();
    assert_eq!(Call::new("nobody", &["pack", DEMO, "--no-check", "--out", out]).run().code, 0);
    assert!(!fs::read_to_string(&path).unwrap().starts_with("own"));
    assert_eq!(whose(), (1234, 2345, 0o640));
}

#[test]
fn a_file_that_imports_another_one_with_the_block_has_none_of_its_own() {
    let folder = folder("bridge");
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let has_block = |name: &str| text(name).contains("segue:pack:start");
    let both = ["AGENTS.md", "CLAUDE.md"];
    let own = "@AGENTS.md\n\n# Own\nText.\n";
    fs::write(folder.join("CLAUDE.md"), own).unwrap();
    for _ in 0..2 {
        let said = sync(&folder, &both, &[]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let why = "CLAUDE.md` stays as it is: it imports `";
        assert!(said.stderr.contains(why), "{}", said.stderr);
        assert!(has_block("AGENTS.md") && text("CLAUDE.md") == own);
        assert_eq!(sync(&folder, &both, &["--check"]).code, 0);
    }
    // Also where nothing else stands in it; alone it names the other.
    fs::write(folder.join("CLAUDE.md"), "@AGENTS.md\n").unwrap();
    assert_eq!(sync(&folder, &both, &[]).code, 0);
    fs::write(folder.join("CLAUDE.md"), own).unwrap();
    let said = sync(&folder, &["CLAUDE.md"], &[]);
    assert_eq!((said.code, text("CLAUDE.md").as_str()), (4, own), "{}", said.stderr);
    let hint = "it imports `AGENTS.md`, which has a block\nhint: `segue sync ";
    assert!(said.stderr.contains(hint), "{}", said.stderr);
    // A block that both have goes from the one that imports the other.
    assert_eq!(sync(&folder, &["AGENTS.md"], &["--remove"]).code, 0);
    assert_eq!(sync(&folder, &["CLAUDE.md"], &[]).code, 0);
    assert!(has_block("CLAUDE.md"));
    assert_eq!(sync(&folder, &both, &["--check"]).code, 1);
    let said = sync(&folder, &both, &[]);
    let gone = "CLAUDE.md`: the block is gone: it imports `";
    assert!(said.code == 0 && said.stderr.contains(gone), "{}", said.stderr);
    assert!(has_block("AGENTS.md") && text("CLAUDE.md") == own);
}

#[test]
fn an_import_that_brings_no_block_keeps_none_out() {
    let folder = folder("no_bridge");
    let has_block =
        |name: &str| fs::read_to_string(folder.join(name)).unwrap().contains("segue:pack:start");
    // In code, of another file, and where nobody reads imports.
    fs::write(folder.join("CLAUDE.md"), "Not `@AGENTS.md`, but @docs/a.md\n").unwrap();
    fs::write(folder.join("AGENTS.md"), "See @CLAUDE.md\n").unwrap();
    let both = ["AGENTS.md", "CLAUDE.md"];
    assert_eq!(sync(&folder, &both, &[]).code, 0);
    assert!(both.iter().all(|name| has_block(name)));
    // Of two that import each other one has it.
    fs::write(folder.join("CLAUDE.md"), "@GEMINI.md\n# Own\n").unwrap();
    fs::write(folder.join("GEMINI.md"), "@CLAUDE.md\n# Own\n").unwrap();
    assert_eq!(sync(&folder, &["CLAUDE.md", "GEMINI.md"], &[]).code, 0);
    assert!(!has_block("CLAUDE.md") && has_block("GEMINI.md"));
    // What is no text has none.
    fs::write(folder.join("notes.txt"), b"\xff\xfea\0b\0").unwrap();
    fs::write(folder.join("CLAUDE.md"), "See @notes.txt\n# Own\n").unwrap();
    assert_eq!(sync(&folder, &["CLAUDE.md"], &[]).code, 0);
    assert!(has_block("CLAUDE.md"));
    // What the other file has no room for is put into this one.
    fs::write(folder.join("AGENTS.md"), "a".repeat(40_000)).unwrap();
    fs::write(folder.join("CLAUDE.md"), "@AGENTS.md\n# Own\n").unwrap();
    assert_eq!(sync(&folder, &both, &[]).code, 0);
    assert!(!has_block("AGENTS.md") && has_block("CLAUDE.md"));
}

#[test]
fn an_example_of_a_block_is_none() {
    let (start, end) = ("<!-- segue:pack:start hash=abc body=def -->", "<!-- segue:pack:end -->");
    let texts = [
        format!("# How\n\n```md\n{start}\nexample\n{end}\n```\n\nMore.\n"),
        format!("- as here:\n\n      {start}\n      example\n      {end}\n"),
        format!("~~~~\n{start}\nexample\n```\n{end}\n~~~~\n"),
        format!("```\n{start}\nexample\n{end}\n```\n```\n{start}\nexample\n{end}\n```"),
        format!("It begins so:\n```\n{start}\n```\nand ends so:\n~~~~\n{end}\n~~~~\n"),
    ];
    for text in texts {
        assert_eq!(block::find(text.as_bytes(), PACK), Ok(None), "{text}");
        let body = "words\n```sh\nls\n```\nmore";
        let once = block::put_signed(text.as_bytes(), PACK, "1", body).unwrap();
        assert!(once.starts_with(text.as_bytes()), "{text}");
        let again = block::put_signed(&once, PACK, "1", body).unwrap();
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&once));
        assert_eq!(block::take_out(&once, PACK).unwrap().unwrap(), text.as_bytes());
    }
}

#[test]
fn a_block_behind_a_fence_that_nothing_ends_is_one() {
    for (body, more) in [("words", ""), ("words\n```\nls\n```\nmore", ""), ("words", "```\n")] {
        let once = block::put_signed(b"# Own\n```\nls\n", PACK, "1", body).unwrap();
        let text = [&once, more.as_bytes()].concat();
        let found = block::find(&text, PACK).unwrap().unwrap();
        assert!(block::is_as_put(&text, &found), "{body} {more}");
        assert_eq!(block::put_signed(&text, PACK, "1", body).unwrap(), text);
    }
    // So it is where the fences before it, in it and behind it make pairs of their own.
    let once =
        block::put_signed(b"# Own\n```\nls\n", PACK, "1", "words\n```\nls\n```\nmore").unwrap();
    let text = [&once, &b"\n```sh\nls\n```\n"[..]].concat();
    assert!(block::find(&text, PACK).unwrap().is_some());
    // The other half may be that of a block, whose own was lost.
    let lost = "```\n<!-- segue:pack:start hash=1 body=2 -->\n```\nmine\n<!-- segue:pack:end -->\n";
    assert!(block::find(lost.as_bytes(), PACK).unwrap().is_some());
    // What stands for a block may hold the end of the fence of an example.
    let (start, end) = ("<!-- segue:pack:start hash=1 -->", "<!-- segue:pack:end -->");
    let astride = format!("~~~\n{start}\nx\n{end}\n{start}\nx\n~~~\ny\n{end}\n");
    assert!(block::find(astride.as_bytes(), PACK).unwrap().is_some());
    assert_eq!(block::put(astride.as_bytes(), PACK, "2", "words"), Err(Fault::Doubled(5)));
    let touched = "```\n<!-- segue:pack:start hash=1 body=2 -->\nmine\n<!-- segue:pack:end -->\n";
    assert!(block::find(touched.as_bytes(), PACK).unwrap().is_some());
}
