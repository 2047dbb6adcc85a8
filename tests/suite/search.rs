//! What `segue search` and `segue span` find.

use std::fs;
use std::path::{Path, PathBuf};

use crate::guard::{BASE64, made};
use crate::program::{Call, Said};

fn search(args: &[&str]) -> Said {
    Call::new("nobody", &[&["search", "--demo"], args].concat()).run()
}

#[test]
fn each_item_with_all_words_is_a_line_newest_first() {
    let said = search(&["Parse_Amount", "sign"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let lines: Vec<_> = said.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", said.stdout);
    assert!(lines[0].contains(" T-2 message: good. keep the sign handling inside parse_amount"));
    assert!(lines[1].contains(" T-1 message: `parse_amount` drops the minus sign"), "{}", lines[1]);
    let id = lines[0].split(' ').next().unwrap();
    let shown = Call::new("nobody", &["show", "--demo", id]).run();
    assert!(shown.stdout.starts_with(&format!("[message {id}] user")), "{}", shown.stdout);
}

#[test]
fn what_a_command_is_for_is_found() {
    let said = search(&["look at the samples"]);
    assert!(
        said.stdout.ends_with(" tool_call: Look at the samples\n"),
        "{}{}",
        said.stdout,
        said.stderr
    );
}

#[test]
fn words_in_quotes_are_looked_for_as_they_stand() {
    let said = search(&["no new dependency"]);
    assert!(said.stdout.contains("no new dependency"), "{}", said.stdout);
    assert_eq!(search(&["dependency no new"]).code, 1);
    assert!(search(&["dependency", "no", "new"]).stdout.contains("no new dependency"));
}

#[test]
fn whole_words_and_a_limit() {
    assert_eq!(search(&["parse_amoun"]).code, 0);
    assert_eq!(search(&["parse_amoun", "--whole-words"]).code, 1);
    let all = search(&["parse_amount", "--limit", "0"]);
    let one = search(&["parse_amount", "--limit", "1"]);
    assert_eq!(one.stdout.lines().collect::<Vec<_>>(), [all.stdout.lines().next().unwrap()]);
    assert!(one.stderr.contains("1 of "), "{}", one.stderr);
}

#[test]
fn no_match_is_told_with_exit_code_1() {
    let said = search(&["no-such-thing", "anywhere"]);
    assert_eq!((said.code, said.stdout.as_str()), (1, ""));
    let told = "error: no item holds `no-such-thing` and `anywhere`; --all-items looks further\n";
    assert_eq!(said.stderr, told);
}

#[test]
fn reasoning_is_searched_only_if_all_items_are_wanted() {
    let line = |number: u32, content: serde_json::Value| {
        let role = if number == 1 { "user" } else { "assistant" };
        serde_json::json!({
            "type": role, "uuid": format!("0a0a0000-0000-4000-8000-{number:012}"),
            "sessionId": "0a0a0000-0000-4000-8000-000000000000", "cwd": "/home/ada/p",
            "parentUuid": (number > 1).then_some("0a0a0000-0000-4000-8000-000000000001"),
            "timestamp": format!("2026-03-14T09:00:{number:02}.000Z"), "version": "2.1.84",
            "message": {"role": role, "content": content},
        })
        .to_string()
    };
    let thought = serde_json::json!([{"type": "thinking", "thinking": "Perhaps a marmot.",
                                      "signature": ""}]);
    let bytes = format!("{}\n{}\n", line(1, "Which animal?".into()), line(2, thought));
    let search = |more: &[&str]| {
        let arguments = [&["search", "marmot", "--session", "-"], more].concat();
        Call::new("nobody", &arguments).stdin(bytes.as_bytes()).run()
    };
    assert_eq!(search(&[]).code, 1);
    let said = search(&["--all-items"]);
    assert!(said.stdout.ends_with(" T-1 reasoning: Perhaps a marmot.\n"), "{}", said.stdout);
}

/// A project with what the session of the demo left in `src/csv.rs`.
fn project(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join("src")).unwrap();
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join("src/a.rs"), "one\ntwo\u{1b}[2J\nthree <my-tag>\n").unwrap();
    root
}

fn span(root: &Path, args: &[&str]) -> Said {
    let arguments = [&["span", "--project", root.to_str().unwrap()], args].concat();
    Call::new("nobody", &arguments).run()
}

#[test]
fn lines_are_numbered_and_left_as_they_are() {
    let root = project("span-lines");
    let said = span(&root, &["src/a.rs", "2..9"]);
    assert_eq!(said.stdout, "2  two\u{fffd}[2J\n3  three <my-tag>\n", "{}", said.stderr);
    assert_eq!(span(&root, &["src/a.rs", "1"]).stdout, "1  one\n");
    let past = span(&root, &["src/a.rs", "4..5"]);
    assert_eq!((past.code, past.stdout.as_str()), (1, ""));
    assert!(past.stderr.starts_with("error: `src/a.rs` has only 3 lines\n"), "{}", past.stderr);
    fs::write(root.join("src/none.rs"), "").unwrap();
    let empty = span(&root, &["src/none.rs", "1..2"]);
    assert!(empty.stderr.starts_with("error: `src/none.rs` is empty\n"), "{}", empty.stderr);
    for wrong in ["0..2", "3..1", "a..b", "1..", ""] {
        assert_eq!(span(&root, &["src/a.rs", wrong]).code, 2, "{wrong}");
    }
}

#[test]
fn a_file_of_the_project_of_a_named_session_is_looked_for_there() {
    let (root, other) = (project("span-there"), project("span-here"));
    let text = fs::read_to_string("fixtures/demo/session.jsonl").unwrap();
    let session = root.join("session.jsonl");
    fs::write(&session, text.replace("/home/ada/tally", root.to_str().unwrap())).unwrap();
    fs::remove_file(other.join("src/a.rs")).unwrap();
    let said = span(&other, &["src/a.rs", "1", "--session", session.to_str().unwrap()]);
    let hint = format!("hint: it is in the session's project: --project {}\n", root.display());
    assert!(said.code != 0 && said.stderr.ends_with(&hint), "{}", said.stderr);
}

#[test]
fn lines_of_a_secret_are_known_by_what_stands_around_them() {
    let root = project("span-secret");
    let rows: Vec<_> = (0..12).map(|row| made(BASE64, 64, 40 + row)).collect();
    let edge = |word: &str| format!("-----{word} RSA PRIVATE {}-----", "KEY");
    let key = [vec![edge("BEGIN")], rows.clone(), vec!["aB3=".to_owned(), edge("END")]].concat();
    // Lines 3 to 17 are the key.
    let file = |end: &str| {
        let lines =
            [&["one".to_owned(), "two".to_owned()], &key[..], &["last".to_owned()]].concat();
        lines.iter().map(|line| format!("{line}{end}")).collect::<String>()
    };
    let tag = "[REDACTED:private-key:1]";
    for end in ["\n", "\r\n"] {
        fs::write(root.join("key.pem"), file(end)).unwrap();
        let shown = |lines: &str| span(&root, &["key.pem", lines]).stdout;
        assert_eq!(shown("1..40"), format!(" 1  one\n 2  two\n 3  {tag}\n18  last\n"));
        for (lines, wanted) in [
            ("2..5", format!("2  two\n3  {tag}\n")),
            ("5..9", format!("5  {tag}\n")),
            ("7", format!("7  {tag}\n")),
            ("16..18", format!("16  {tag}\n18  last\n")),
            ("18", "18  last\n".to_owned()),
        ] {
            assert_eq!(shown(lines), wanted, "{lines}");
        }
        let whole = span(&root, &["key.pem", "5..6", "--no-redact"]);
        assert_eq!(whole.stdout, format!("5  {}\n6  {}\n", rows[1], rows[2]));
    }
    // The same far in a large file, and as a string of a program.
    let lines = "It is a line of words and no more.\n".repeat(20_000);
    fs::write(root.join("key.pem"), format!("{lines}{}{lines}", file("\n"))).unwrap();
    let said = span(&root, &["key.pem", "20005..20006"]);
    assert_eq!(said.stdout, format!("20005  {tag}\n"));
    assert!(said.stderr.contains("segue: redacted 1 secret (private-key 1)"), "{}", said.stderr);
    let quoted: String = key.iter().map(|row| format!("    \"{row}\\n\" +\n")).collect();
    fs::write(root.join("key.pem"), quoted).unwrap();
    let said = span(&root, &["key.pem", "4..5"]).stdout;
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(rows.iter().all(|row| !said.contains(&row[..20])), "{said}");
}

#[test]
fn blank_lines_keep_their_numbers() {
    let root = project("span-blank");
    fs::write(root.join("a.txt"), "\n\none\n\n\n").unwrap();
    assert_eq!(span(&root, &["a.txt", "1..9"]).stdout, "1  \n2  \n3  one\n4  \n5  \n");
    assert_eq!(span(&root, &["a.txt", "5"]).stdout, "5  \n");
    assert_eq!(span(&root, &["a.txt", "6"]).code, 1);
    fs::write(root.join("a.txt"), "one\n\ntwo").unwrap();
    assert_eq!(span(&root, &["a.txt", "2..3"]).stdout, "2  \n3  two\n");
}

#[test]
#[cfg(unix)]
fn nothing_outside_of_the_project_is_read() {
    let root = project("span-outside");
    let secret = Path::new(env!("CARGO_TARGET_TMPDIR")).join("span-secret.txt");
    fs::write(&secret, "secret\n").unwrap();
    std::os::unix::fs::symlink(&secret, root.join("link.txt")).unwrap();
    std::os::unix::fs::symlink(root.join("src/a.rs"), root.join("inner.txt")).unwrap();
    for file in ["link.txt", "../span-secret.txt", secret.to_str().unwrap()] {
        let said = span(&root, &[file, "1"]);
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{file}");
        assert!(said.stderr.contains("lies outside of the project"), "{}", said.stderr);
    }
    assert_eq!(span(&root, &["inner.txt", "1"]).stdout, "1  one\n");
    let folder = span(&root, &["src", "1"]);
    assert_eq!((folder.code, folder.stdout.as_str()), (3, ""));
    assert!(folder.stderr.contains("it is a folder, not a file"), "{}", folder.stderr);
    assert_eq!(span(&root, &["gone.rs", "1"]).code, 3);
}

#[test]
fn a_path_counts_from_here_too_where_the_project_is_elsewhere() {
    let root = project("span-here");
    let (above, name) = (root.parent().unwrap(), root.file_name().unwrap().to_str().unwrap());
    let span = |file: &str| {
        let arguments = ["span", file, "1", "--project", name];
        Call::new("nobody", &arguments).at(above, "no-home").run()
    };
    for file in ["src/a.rs", &format!("{name}/src/a.rs")] {
        let said = span(file);
        assert_eq!((said.code, said.stdout.as_str()), (0, "1  one\n"), "{}", said.stderr);
    }
    let gone = span("gone.rs");
    assert_eq!(gone.code, 3);
    assert!(
        gone.stderr.contains("hint: a path counts from the project's top folder"),
        "{}",
        gone.stderr
    );
}

#[test]
fn a_session_that_is_named_must_be_there() {
    let root = project("span-typo");
    let said = span(&root, &["src/a.rs", "1", "--session", "feedbeef"]);
    assert_eq!((said.code, said.stdout.as_str()), (1, ""));
    assert!(said.stderr.contains("no session with the id `feedbeef`"), "{}", said.stderr);
    let left_out = span(&root, &["src/a.rs", "1"]);
    assert_eq!((left_out.code, left_out.stdout.as_str()), (0, "1  one\n"));
    assert!(left_out.stderr.contains("was set against no session"), "{}", left_out.stderr);
}

#[test]
fn no_word_is_refused() {
    let said = Call::new("nobody", &["search", "--demo", "", " "]).run();
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("no word to look for"), "{}", said.stderr);
}

#[test]
fn a_file_that_is_not_as_the_session_left_it_is_told() {
    let root = project("span-since");
    let session = |content: &str, ended: &str| {
        let line = |number: u32, role: &str, content: serde_json::Value| {
            serde_json::json!({
                "type": role, "uuid": format!("0b0b0000-0000-4000-8000-{number:012}"),
                "sessionId": "0b0b0000-0000-4000-8000-000000000000", "cwd": "/home/ada/p",
                "parentUuid": (number > 1)
                    .then(|| format!("0b0b0000-0000-4000-8000-{:012}", number - 1)),
                "timestamp": ended, "version": "2.1.84",
                "message": {"role": role, "content": content},
            })
            .to_string()
        };
        let call = serde_json::json!([{"type": "tool_use", "id": "c1", "name": "Write",
            "input": {"file_path": "/home/ada/p/src/b.rs", "content": content}}]);
        let done = serde_json::json!([{"type": "tool_result", "tool_use_id": "c1",
                                       "content": "File created successfully"}]);
        let lines = [line(1, "user", "Write it.".into()), line(2, "assistant", call)];
        format!("{}\n{}\n{}\n", lines[0], lines[1], line(3, "user", done))
    };
    fs::write(root.join("src/b.rs"), "fn b() {}\n").unwrap();
    let said = |file: &str, session: String| {
        let root = root.to_str().unwrap();
        let arguments = ["span", "--project", root, "--session", "-", file, "1"];
        Call::new("nobody", &arguments).stdin(session.as_bytes()).run()
    };
    let (past, future) = ("2020-01-01T00:00:00.000Z", "2120-01-01T00:00:00.000Z");
    let same = said("src/b.rs", session("fn b() {}\n", past));
    assert_eq!((same.stdout.as_str(), same.stderr.as_str()), ("1  fn b() {}\n", ""));
    let other = said("src/b.rs", session("fn c() {}\n", future));
    assert_eq!(other.stderr, "segue: src/b.rs is not as the session left it\n");
    let later = said("src/a.rs", session("", past));
    let told = "segue: src/a.rs was changed since the session's last item, at 20";
    assert!(later.stderr.starts_with(told), "{}", later.stderr);
    assert_eq!(said("src/a.rs", session("", future)).stderr, "");
}

#[test]
fn a_secret_that_is_looked_for_is_found_without_being_shown() {
    let key = ["ghp_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let steps = [super::status::shell("env", &format!("GH_TOKEN={key}"))];
    let said = super::status::segue(&["search", "--session", "-", &key], &steps);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stdout.ends_with(": in what is redacted; `--no-redact` shows it\n"),
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains(&key[8..]), "{}", said.stdout);
    let shown = super::status::segue(&["search", "--session", "-", "--no-redact", &key], &steps);
    assert!(shown.stdout.contains(&key), "{}", shown.stdout);
    assert_eq!(shown.stdout.lines().count(), said.stdout.lines().count());
}
