//! What the two ends of a file say of its session is what all of it says, whatever its lines are.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use segue::discover::{Caller, Found, Look, Search, World, sessions};
use segue::harness::Want;
use segue::jsonl::Input;
use segue::model::Session;

const ID: &str = "00000001-0000-4000-8000-000000000000";

/// Makes the lines of a session for one harness, and knows where it keeps them below the home.
#[derive(Clone, Copy)]
struct Maker {
    home: &'static str,
    folder: &'static str,
    file: &'static str,
    /// The lines with which a session begins, and one of a request, of an answer, and without a
    /// time; `ID`, `AT`, `NUMBER` and `WORDS` stand for these.
    first: &'static str,
    asked: &'static str,
    answered: &'static str,
    timeless: &'static str,
}

const MAKERS: [Maker; 3] = [
    Maker {
        home: "one",
        folder: ".claude/projects/-home-ada-tool",
        file: "00000001-0000-4000-8000-000000000000.jsonl",
        first: "",
        asked: r#"{"isSidechain":false,"cwd":"/home/ada/tool","sessionId":"ID","type":"user","message":{"role":"user","content":[{"type":"text","text":"WORDS"}]},"uuid":"NUMBER","timestamp":"AT"}"#,
        answered: r#"{"isSidechain":false,"cwd":"/home/ada/tool","sessionId":"ID","type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"WORDS"}]},"uuid":"NUMBER","timestamp":"AT","toolUseResult":{}}"#,
        timeless: r#"{"type":"file-history-snapshot","snapshot":{"of":"WORDS"}}"#,
    },
    Maker {
        home: "two",
        folder: ".codex/sessions/2026/01/05",
        file: "rollout-2026-01-05T10-00-00-00000001-0000-4000-8000-000000000000.jsonl",
        first: r#"{"timestamp":"AT","type":"session_meta","payload":{"id":"ID","timestamp":"AT","cwd":"/home/ada/tool","cli_version":"0.142.0","source":"cli"}}"#,
        asked: r#"{"timestamp":"AT","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"WORDS"}]}}"#,
        answered: r#"{"timestamp":"AT","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"WORDS"}]}}"#,
        timeless: r#"{"type":"later_than_known","payload":{"of":"WORDS"}}"#,
    },
    Maker {
        home: "three",
        folder: ".gemini/tmp/tool/chats",
        file: "session-2026-01-05T10-00-00000001.jsonl",
        first: r#"{"sessionId":"ID","projectHash":"x","startTime":"AT","lastUpdated":"AT","kind":"main"}"#,
        asked: r#"{"id":"NUMBER","timestamp":"AT","type":"user","content":[{"text":"WORDS"}]}"#,
        answered: r#"{"id":"NUMBER","timestamp":"AT","type":"gemini","content":"WORDS","model":"m-1"}"#,
        timeless: r#"{"$set":{"later_than_known":"WORDS"}}"#,
    },
];

impl Maker {
    /// The lines with which a session begins: where it is, and what is asked.
    fn start(self) -> String {
        let first = fill(self.first, 0, "");
        let rest = self.line(0, "Make it fast");
        if first.is_empty() { rest } else { format!("{first}\n{rest}") }
    }

    /// A line of that minute with those words: a request in minute 0, later an answer.
    fn line(self, minute: u32, words: &str) -> String {
        let form = if minute == 0 { self.asked } else { self.answered };
        fill(form, minute, words) + "\n"
    }

    /// A line that says nothing of a time.
    fn timeless(self, words: &str) -> String {
        fill(self.timeless, 0, words) + "\n"
    }

    /// A session of that many lines of 5 kB, one a minute.
    fn long(self, lines: u32) -> String {
        let answers = (1..lines).map(|minute| self.line(minute, &"word ".repeat(1000)));
        self.start() + &answers.collect::<String>()
    }

    /// Writes the session into a home of its own, and returns that and the file.
    fn place(self, test: &str, bytes: &[u8]) -> (Utf8PathBuf, Utf8PathBuf) {
        let home =
            Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join("ends").join(test).join(self.home);
        let _ = fs::remove_dir_all(&home);
        let folder = home.join(self.folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.parent().unwrap().join(".project_root"), "/home/ada/tool").unwrap();
        let path = folder.join(self.file);
        fs::write(&path, bytes).unwrap();
        (home, path)
    }

    /// Holds the ends of a session and all of it together; returns when it ended, if it is one.
    fn agree(self, test: &str, bytes: &[u8]) -> Option<String> {
        let (home, _) = self.place(test, bytes);
        agree(&home, test)
    }
}

fn fill(form: &str, minute: u32, words: &str) -> String {
    let number = format!("{minute:08x}-0000-4000-8000-000000000000");
    let time = format!("2026-01-05T10:{minute:02}:00.000Z");
    let form = form.replace("ID", ID).replace("NUMBER", &number).replace("AT", &time);
    form.replace("WORDS", words)
}

fn search(home: &Utf8Path, look: Look) -> Search {
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let caller = Caller::default();
    let world =
        World { cwd: "/".into(), var: &var, caller, is_named: false, watch: None, now: None };
    sessions(&world, None, None, look)
}

fn agree(home: &Utf8Path, test: &str) -> Option<String> {
    let (mut ends, whole) = (search(home, Look::Ends), search(home, Look::Whole));
    let told = |found: &Found| {
        let header = &found.header;
        let (id, cwd, ended) = (header.id.clone(), header.cwd.clone(), header.ended_at.clone());
        (found.path.clone(), id, cwd, ended, header.is_side, header.source.bytes)
    };
    let all = |search: &Search| search.found.iter().map(told).collect::<Vec<_>>();
    assert_eq!(all(&ends), all(&whole), "{test}");
    let errors = |search: &Search| {
        let all = search.empty.iter().chain(&search.unreadable);
        all.map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(errors(&ends), errors(&whole), "{test}");
    ends.found.iter_mut().for_each(Found::look_at_all);
    for (ends, whole) in ends.found.iter().zip(&whole.found) {
        assert_eq!(ends.header, whole.header, "{test}");
    }
    whole.found.first().and_then(|found| found.header.ended_at.clone())
}

/// A time stamp of that minute.
fn at(minute: u32) -> Option<String> {
    Some(format!("2026-01-05T10:{minute:02}:00.000Z"))
}

#[test]
fn a_last_line_of_any_length_tells_the_end() {
    for maker in MAKERS {
        let start = maker.long(40);
        for length in [0, 10, 7_000, 9_000, 17_000, 50_000, 100_000, 300_000, 900_000] {
            let text = format!("{start}{}", maker.line(50, &"x".repeat(length)));
            assert_eq!(maker.agree("long-last", text.as_bytes()), at(50), "{length}");
        }
        // The line ends just where a piece that is read begins, and around that.
        let bare = maker.line(50, "").len();
        for piece in [8, 16, 32, 64] {
            for length in piece * 1024 - 1..=piece * 1024 + 1 {
                let line = maker.line(50, &"x".repeat(length - bare));
                assert_eq!(maker.agree("edge", format!("{start}{line}").as_bytes()), at(50));
                let cut = &line[..line.len() - 1];
                assert_eq!(maker.agree("edge", format!("{start}{cut}").as_bytes()), at(50));
            }
        }
    }
}

#[test]
fn a_last_line_that_is_cut_off_or_broken_tells_nothing() {
    for maker in MAKERS {
        let start = maker.long(40);
        for length in [10, 10_000, 100_000] {
            let line = maker.line(50, &"x".repeat(length));
            for cut in [1, line.len() / 2, line.len() - 2] {
                let text = format!("{start}{}", &line[..cut]);
                assert_eq!(maker.agree("cut", text.as_bytes()), at(39), "{cut}");
                // Something was written behind it: the line has a whole end and no whole start.
                let glued = format!("{text}{}", maker.line(51, "back again"));
                maker.agree("glued", glued.as_bytes());
                let broken = format!("{text}\n");
                assert_eq!(maker.agree("broken", broken.as_bytes()), at(39), "{cut}");
            }
        }
        let wrong = format!("{start}{}", maker.line(50, "a \\q"));
        maker.agree("escape", wrong.as_bytes());
        let mut odd = format!("{start}{}", maker.line(50, "a ÿ")).into_bytes();
        let place = odd.len() - 40;
        odd[place] = 0xFF;
        maker.agree("encoding", &odd);
    }
}

#[test]
fn last_lines_without_a_time_are_passed_over() {
    for maker in MAKERS {
        let start = maker.long(60);
        for length in [10, 10_000, 60_000] {
            for count in [1, 2, 20] {
                let rest = maker.timeless(&"x".repeat(length / count)).repeat(count);
                let text = format!("{start}{rest}");
                assert_eq!(maker.agree("timeless", text.as_bytes()), at(59), "{length} {count}");
            }
        }
        let all = maker.start() + &maker.timeless(&"x".repeat(9_000)).repeat(50);
        assert_eq!(maker.agree("timeless-all", all.as_bytes()), at(0));
    }
}

#[test]
fn times_that_are_out_of_order_at_the_end_are_compared() {
    for maker in MAKERS {
        let start = maker.long(40);
        let last: String = [47, 50, 48, 45].map(|minute| maker.line(minute, "words")).concat();
        assert_eq!(maker.agree("order", format!("{start}{last}").as_bytes()), at(50));
        // One time at both ends.
        let same = start.replace(&at(39).unwrap(), &at(0).unwrap());
        maker.agree("same", same.as_bytes());
    }
}

#[test]
fn lines_of_odd_length_elsewhere_change_nothing() {
    for maker in MAKERS {
        for length in [9_000, 70_000, 600_000] {
            let middle = maker.line(20, &"x".repeat(length));
            let rest = maker.long(40);
            let (first, last) = rest.split_at(rest.find("word").unwrap());
            let (line, last) = last.split_once('\n').unwrap();
            let text = format!("{first}{line}\n{middle}{last}");
            assert_eq!(maker.agree("middle", text.as_bytes()), at(39), "{length}");
            let first =
                maker.start().replace("Make it fast", &"Make it fast! ".repeat(length / 14));
            let text = rest.replacen(&maker.start(), &first, 1);
            assert_eq!(maker.agree("first", text.as_bytes()), at(39), "{length}");
        }
    }
}

#[test]
fn marks_around_lines_change_nothing() {
    for maker in MAKERS {
        let text = maker.long(40);
        assert_eq!(maker.agree("crlf", text.replace('\n', "\r\n").as_bytes()), at(39));
        assert_eq!(maker.agree("bom", format!("\u{feff}{text}").as_bytes()), at(39));
        assert_eq!(maker.agree("blank", format!("\n\n{text}\n\r\n\n").as_bytes()), at(39));
        let zeros = format!("{text}{}", "\0".repeat(20_000));
        assert_eq!(maker.agree("zeros", zeros.as_bytes()), at(39));
    }
}

#[test]
fn what_is_hardly_a_session_is_told_as_by_a_full_read() {
    for maker in MAKERS {
        let one = maker.line(0, &"x".repeat(500_000));
        maker.agree("one-line", one.as_bytes());
        maker.agree("one-line-cut", &one.as_bytes()[..one.len() - 9]);
        maker.agree("empty", b"");
        maker.agree("no-lines", "\n".repeat(100_000).as_bytes());
        maker.agree("no-items", maker.timeless(&"x".repeat(3_000)).repeat(50).as_bytes());
        maker.agree("words", "no JSON at all\n".repeat(10_000).as_bytes());
        maker.agree("short", maker.start().as_bytes());
        maker.agree("short-cut", &maker.long(3).as_bytes()[..8_000]);
        let packed = zstd::encode_all(maker.long(40).as_bytes(), 3).unwrap();
        maker.agree("packed", &packed);
        let large: Vec<u8> =
            (0..60_000u32).flat_map(|n| n.wrapping_mul(0x9E37_79B9).to_le_bytes()).collect();
        maker.agree("packed-magic", &[&[0x28, 0xB5, 0x2F, 0xFD][..], &large].concat());
    }
}

#[test]
#[cfg(unix)]
fn a_link_is_what_it_leads_to() {
    for maker in MAKERS {
        let (home, path) = maker.place("link", maker.long(40).as_bytes());
        let real = home.join("elsewhere");
        fs::rename(&path, &real).unwrap();
        std::os::unix::fs::symlink(&real, &path).unwrap();
        assert_eq!(agree(&home, "link"), at(39));
        fs::remove_file(&real).unwrap();
        assert_eq!(agree(&home, "link to nothing"), None);
    }
}

#[test]
fn a_file_that_changes_meanwhile_is_what_it_was() {
    let maker = MAKERS[0];
    let text = maker.long(60);
    let (_, path) = maker.place("grows", text.as_bytes());
    let lines = |input: &Input| {
        let (mut lines, mut all) = (input.lines().unwrap(), Vec::new());
        while let Some(line) = lines.next_line().unwrap() {
            all.push(String::from_utf8(line.bytes.to_vec()).unwrap());
        }
        all
    };
    let mut ends = Input::quick(&path, true).unwrap();
    let before = lines(&ends);
    assert!(!ends.is_whole() && before.len() < 10, "{}", before.len());
    fs::write(&path, format!("{text}{}", maker.line(59, "more"))).unwrap();
    assert_eq!(lines(&ends), before);
    ends.more_of_end().unwrap();
    ends.more_of_start().unwrap();
    let after = lines(&ends);
    assert!(after.len() > before.len() && !after.iter().any(|line| line.contains("more")));
    let all: Vec<_> = text.lines().collect();
    assert!(
        all.starts_with(&[after[0].as_str()])
            && all.last() == after.last().map(String::as_str).as_ref()
    );
    assert!(after.iter().all(|line| all.contains(&line.as_str())));
    // Cut off, it has nothing more to say.
    fs::write(&path, &text[..20_000]).unwrap();
    assert_eq!(ends.more_of_end(), None);
    assert_eq!(lines(&ends), after);
}

#[test]
fn only_what_spares_something_is_read_by_its_ends() {
    let maker = MAKERS[0];
    let whole = |text: &str, is_log| {
        let (_, path) = maker.place("spares", text.as_bytes());
        Input::quick(&path, is_log).unwrap().is_whole()
    };
    assert!(whole(&maker.long(3), false));
    assert!(whole(&maker.long(60), false));
    assert!(!whole(&maker.long(60), true));
    let most = maker.start() + &maker.line(1, &"x".repeat(300_000));
    assert!(whole(&most, true));
}

#[test]
fn a_header_alone_is_that_of_the_whole_session() {
    let maker = MAKERS[0];
    let (one, other) = (fill("NUMBER", 3, ""), fill("NUMBER", 99, ""));
    // Only the summary of a line that is there names the session.
    for (leaf, title) in [(one, "Told"), (other, "Make it fast")] {
        let text =
            format!("{{\"type\":\"summary\",\"summary\":\"Told\",\"leafUuid\":\"{leaf}\"}}\n");
        let (home, path) = maker.place("summary", format!("{text}{}", maker.long(40)).as_bytes());
        let found = search(&home, Look::Whole).found.remove(0);
        let mut session = Session::default();
        let input = Input::file(&path).unwrap();
        found.harness.read(&input, Want::default(), &mut session).unwrap();
        assert_eq!(found.header, session.header);
        assert_eq!(found.header.title.as_deref(), Some(title));
        assert_eq!(agree(&home, "summary"), at(39));
    }
}

/// RFC 3339 lets a program write small letters, and a fraction as long as it likes.
#[test]
fn a_time_is_read_in_every_form_of_the_rfc() {
    for maker in MAKERS {
        let text = format!("{}{}", maker.start(), maker.line(39, "Done."));
        let told = |written: &str, read: &str| {
            let text = text.replace(&at(39).unwrap(), written);
            assert_eq!(maker.agree("forms", text.as_bytes()).as_deref(), Some(read), "{written}");
            let mut session = Session::default();
            let input = Input::memory("forms", text.as_bytes());
            let harness = segue::harness::recognise(&input).unwrap();
            let end = harness.read(&input, Want::default(), &mut session).unwrap();
            assert_eq!(end.notes, [], "{written}");
            assert_eq!(session.items.last().unwrap().ts.as_deref(), Some(read));
        };
        told("2026-01-05t10:39:00z", "2026-01-05T10:39:00Z");
        told("2026-01-05T10:39:00.1234567891Z", "2026-01-05T10:39:00.123456789Z");
        // Later than any time that can be counted with.
        let last = "9999-12-31T23:59:59Z";
        told(last, last);
        let (home, _) = maker.place("forms", text.replace(&at(39).unwrap(), last).as_bytes());
        let ended = search(&home, Look::Ends).found[0].ended();
        assert!(ended > at(40).unwrap().parse().ok(), "{ended:?}");
    }
}
