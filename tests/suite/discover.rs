//! Which session is chosen, and why none.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use segue::discover::{
    Caller, Found, Ids, Look, Project, Selector, Wide, World, choose, project_root, sessions,
};
use segue::harness::Want;
use segue::jsonl::Input;
use segue::model::{Header, Session};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::program::Call;

/// Returns an empty folder for one test.
fn folder(name: &str) -> Utf8PathBuf {
    let folder = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join("discover").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the world as a run sees it that began in `cwd`, and that no session started.
fn world_of<'v>(cwd: &str, var: &'v dyn Fn(&str) -> Option<String>) -> World<'v> {
    let caller = Caller::default();
    World { cwd: cwd.into(), var, caller, is_named: false, watch: None, now: None }
}

/// Returns the ids of all sessions of a home, newest first.
fn ids(home: &Utf8Path) -> Vec<String> {
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let world = world_of("/home/ada/tool", &var);
    sessions(&world, None, None, Look::Whole)
        .found
        .into_iter()
        .map(|found| found.header.id)
        .collect()
}

/// Copies one session into a home, under the name `name`.
fn place(home: &Utf8Path, name: &str) -> Utf8PathBuf {
    let folder = home.join(".codex/sessions/2026/01/05");
    fs::create_dir_all(&folder).unwrap();
    let source = "fixtures/homes/three/.codex/sessions/2026/01/05/\
                  rollout-2026-01-05T11-00-00-01990000-a0c1-7000-8000-0000000000c1.jsonl";
    fs::copy(source, folder.join(name)).unwrap();
    folder.join(name)
}

const NAME: &str = "rollout-2026-01-05T11-00-00-01990000-a0c1-7000-8000-0000000000c1.jsonl";

#[test]
fn the_project_is_the_git_root_around_the_folder() {
    let top = folder("git");
    fs::create_dir_all(top.join("repo/.git")).unwrap();
    fs::create_dir_all(top.join("repo/src/deep")).unwrap();
    fs::create_dir_all(top.join("tree/src")).unwrap();
    fs::write(top.join("tree/.git"), "gitdir: elsewhere\n").unwrap();
    let root = |folder: &Utf8Path| project_root(folder, &Wide::default());
    assert_eq!(root(&top.join("repo/src/deep")), top.join("repo"));
    assert_eq!(root(&top.join("tree/src")), top.join("tree"));
    assert_eq!(root(Utf8Path::new("/no/such/folder")), "/no/such/folder");
}

#[test]
fn a_project_holds_what_lies_below_it_by_components() {
    let project = Project::around(Utf8Path::new("/home/ada/tool"), &Wide::default());
    let header = |cwd: &str| Header { cwd: Some(cwd.into()), ..Header::default() };
    assert!(project.holds(&header("/home/ada/tool")));
    assert!(project.holds(&header("/home/ada/tool/docs")));
    assert!(!project.holds(&header("/home/ada/toolbox")));
    assert!(!project.holds(&header("/home/ada")));
    assert!(!project.holds(&Header::default()));
}

#[test]
#[cfg(unix)]
fn a_project_is_the_same_through_a_link() {
    let top = folder("link");
    fs::create_dir_all(top.join("real/src")).unwrap();
    std::os::unix::fs::symlink(top.join("real"), top.join("link")).unwrap();
    let header = |cwd: Utf8PathBuf| Header { cwd: Some(cwd.into()), ..Header::default() };
    // Everything lies within the repository of this program, unless it is a project of its own.
    fs::create_dir_all(top.join("real/.git")).unwrap();
    for (project, cwd) in [("real", "link/src"), ("link", "real/src"), ("link", "link")] {
        assert!(
            Project::around(&top.join(project), &Wide::default()).holds(&header(top.join(cwd))),
            "{project} {cwd}"
        );
    }
}

/// A session whose file holds no more of the folder in which it began than its digest, with one call.
fn by_digest(home: &Utf8Path, began: &str, (id, day): (&str, u8), path: &str) {
    let digest = Sha256::digest(began.as_bytes());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let chats = home.join(".gemini/tmp").join(&digest).join("chats");
    fs::create_dir_all(&chats).unwrap();
    let at = format!("2026-01-{day:02}T00:00:00.000Z");
    let call = json!([{"id": "c", "name": "read_file", "args": {"absolute_path": path}}]);
    let session = json!({
        "sessionId": id, "projectHash": digest, "startTime": at, "lastUpdated": at,
        "messages": [
            {"id": "1", "timestamp": at, "type": "user", "content": "Read it."},
            {"id": "2", "timestamp": at, "type": "gemini", "content": "It is read.", "toolCalls": call},
        ],
    });
    fs::write(chats.join(format!("session-{id}.json")), session.to_string()).unwrap();
}

#[test]
fn a_session_that_tells_its_folder_only_by_a_digest_is_of_the_project_that_has_it() {
    let home = folder("digest");
    by_digest(&home, "/home/ada/tool", ("aaaaaaaa", 2), "a.rs");
    let run = |args: &[&str]| {
        let said = Call::new("nobody", args).env("HOME", home.as_str()).run();
        assert_eq!(said.code, 0, "{args:?}: {}", said.stderr);
        said.stdout
    };
    let tool = ["--project", "/home/ada/tool"];
    assert!(run(&[&["list"][..], &tool].concat()).contains("aaaaaaaa"));
    assert!(run(&["list", "--project", "/home/ada/tool/"]).contains("aaaaaaaa"));
    let pack: serde_json::Value =
        serde_json::from_str(&run(&[&["pack", "--json"][..], &tool].concat())).unwrap();
    assert_eq!(pack["session"]["cwd"], "/home/ada/tool");
    assert!(run(&[&["doctor"][..], &tool].concat()).contains("1 session, gemini:aaaaaaaa"));
    // Among all, it is of the folder that another session beside it names.
    let folders =
        || run(&["list", "--all", "--json"]).matches("\"project\":\"/home/ada/tool\"").count();
    assert_eq!(folders(), 0);
    by_digest(&home, "/home/ada/tool", ("bbbbbbbb", 1), "/home/ada/tool/src/a.rs");
    assert_eq!(folders(), 2);
    // One that is older and tells more is not the newest.
    assert!(run(&[&["pack"][..], &tool].concat()).contains("gemini:aaaaaaaa"));
}

#[test]
fn who_stands_below_the_top_of_a_project_finds_what_began_there() {
    let home = folder("digest-below");
    for made in ["tool/.git", "tool/docs"] {
        fs::create_dir_all(home.join(made)).unwrap();
    }
    let below = home.join("tool/docs").canonicalize_utf8().unwrap();
    by_digest(&home, below.as_str(), ("cccccccc", 3), "a.rs");
    let root = home.join("tool").canonicalize_utf8().unwrap();
    by_digest(&home, root.as_str(), ("dddddddd", 2), "a.rs");
    for command in ["list", "pack"] {
        let said = Call::new("nobody", &[command]).at(below.as_std_path(), home.as_str()).run();
        assert!(said.stdout.contains("cccccccc"), "{}{}", said.stdout, said.stderr);
    }
}

#[test]
fn a_folder_of_windows_is_named_as_sessions_name_it() {
    let home = folder("windows");
    let path = place(&home, NAME);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("/home/ada/tool", r"C:\\Users\\ada\\tool")).unwrap();
    for project in [r"C:\Users\ada\tool", r"C:\Users\ada\other"] {
        let call = Call::new("nobody", &["list", "--project", project]);
        let said = call.env("HOME", home.as_str()).run();
        assert_eq!(said.code == 0, project.ends_with("tool"), "{}", said.stderr);
    }
}

#[test]
fn a_word_for_a_session_is_read_as_it_looks() {
    let read = |word| {
        let (harness, selector) = Selector::read(Some(word));
        (harness.map(|harness| harness.name()), selector)
    };
    assert_eq!(Selector::read(None).1, Selector::Newest);
    assert_eq!(read("latest"), (None, Selector::Newest));
    assert_eq!(read("codex:latest"), (Some("codex"), Selector::Newest));
    assert_eq!(read("-"), (None, Selector::Stdin));
    assert_eq!(read("./latest"), (None, Selector::File("./latest".into())));
    assert_eq!(read("gone.jsonl"), (None, Selector::File("gone.jsonl".into())));
    assert_eq!(read("Cargo.lock"), (None, Selector::File("Cargo.lock".into())));
    assert_eq!(read("3f2c8a10"), (None, Selector::Id("3f2c8a10".into())));
    assert_eq!(read("claude:3f2c"), (Some("claude"), Selector::Id("3f2c".into())));
    assert_eq!(read("other:3f2c"), (None, Selector::Id("other:3f2c".into())));
}

#[test]
fn a_packed_twin_and_a_copy_count_once() {
    let home = folder("twins");
    let path = place(&home, NAME);
    let packed = zstd::encode_all(fs::File::open(&path).unwrap(), 3).unwrap();
    fs::write(format!("{path}.zst"), packed).unwrap();
    assert_eq!(ids(&home), ["01990000-a0c1-7000-8000-0000000000c1"]);
    let later = place(&home, &NAME.replace("11-00-00", "11-30-00"));
    let text = fs::read_to_string(&later).unwrap().replace("T11:00:04", "T11:31:00");
    fs::write(&later, text).unwrap();
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let world = world_of("/home/ada/tool", &var);
    let found = sessions(&world, None, None, Look::Whole).found;
    assert_eq!(found.iter().map(|found| &found.path).collect::<Vec<_>>(), [&later]);
    fs::remove_file(&path).unwrap();
    fs::remove_file(&later).unwrap();
    assert_eq!(ids(&home), ["01990000-a0c1-7000-8000-0000000000c1"], "the packed one alone");
}

#[test]
fn an_id_is_found_in_a_renamed_file() {
    let home = folder("renamed");
    place(&home, "rollout-2026-01-05T11-00-00-renamed.jsonl");
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let world = world_of("/", &var);
    let chosen =
        choose(&world, None, &Selector::Id("01990000-a0c1".into()), &|_, _| false).unwrap();
    assert_eq!(chosen.header.unwrap().id, "01990000-a0c1-7000-8000-0000000000c1");
}

#[test]
fn a_shown_id_is_long_enough_to_be_typed() {
    let shortest = |id, others: &[&'static str]| {
        let own = format!("{id}.jsonl");
        let all = [id, own.as_str()].into_iter().chain(others.iter().copied());
        Ids::new(all).shortest(id, &[id, &own]).to_owned()
    };
    assert_eq!(shortest("abcdefgh-1", &["xyz"]), "abcdefgh");
    assert_eq!(shortest("abcdefgh-1", &["abcdefgh-2", "x-abcdefgh.jsonl"]), "abcdefgh-1");
    // What has no name that holds it twice is told apart by its end alone.
    assert_eq!(shortest("abcdefgh-abcdefgh-1", &["abcdefgh-2"]), "abcdefgh-a");
    assert_eq!(shortest("abc", &[]), "abc");
    // Nobody types a hyphen at the end.
    assert_eq!(shortest("abcdefgh-1x", &["zabcdefgh"]), "abcdefgh-1");
}

#[test]
fn the_list_of_a_real_home_is_that_of_a_full_read() {
    let Some(real) = crate::data::folder("real/claude") else { return };
    let homes = walkdir::WalkDir::new(real).max_depth(3).into_iter().map(|entry| entry.unwrap());
    for home in homes.filter(|entry| entry.file_name() == "dot-claude") {
        let home = home.path().to_str().unwrap().to_owned();
        let var = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| home.clone());
        let world = world_of("/", &var);
        let search = sessions(&world, None, None, Look::Whole);
        assert!(!search.found.is_empty() && search.unreadable.is_empty(), "{home}");
        for found in search.found {
            let mut session = Session::default();
            let input = Input::file(&found.path).unwrap();
            found.harness.read(&input, Want::default(), &mut session).unwrap();
            assert_eq!(session.header, found.header);
            assert!(!session.items.is_empty() && !found.header.is_side, "{}", found.path);
        }
    }
}

/// Lines of a long session as a harness keeps it: asked at the start, answered to the end, and in
/// the middle, where no end reaches, a title.
fn long_session(id: &str, last_minute: u32) -> String {
    let line = |number: usize, body: &str| {
        format!(
            "{{\"parentUuid\":null,\"isSidechain\":false,\"cwd\":\"/home/ada/tool\",\"sessionId\":\
             \"{id}\",\"version\":\"2.1.84\",\"gitBranch\":\"main\",{body},\"uuid\":\
             \"{number:08x}-0000-4000-8000-000000000000\",\"timestamp\":\
             \"2026-01-05T10:{:02}:00.000Z\"}}\n",
            (number as u32).min(last_minute)
        )
    };
    let asked = "\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"Make it fast\"}";
    let words = "word ".repeat(1000);
    let answered = format!(
        "\"type\":\"assistant\",\"message\":{{\"id\":\"m\",\"role\":\"assistant\",\"model\":\"m-1\",\
         \"content\":[{{\"type\":\"text\",\"text\":\"{words}\"}}]}}"
    );
    let mut text = line(0, asked);
    for number in 1..60 {
        text += &line(number, &answered);
        if number == 30 {
            text += &format!(
                "{{\"type\":\"custom-title\",\"customTitle\":\"Given\",\"sessionId\":\"{id}\"}}\n"
            );
        }
    }
    text
}

#[test]
fn the_ends_of_a_long_file_put_it_in_order_and_all_of_it_names_it() {
    let home = folder("ends");
    let shelf = home.join(".claude/projects/-home-ada-tool");
    fs::create_dir_all(&shelf).unwrap();
    for (id, minute) in [("00000001", 40), ("00000002", 50), ("00000003", 45)] {
        let id = format!("{id}-0000-4000-8000-000000000000");
        fs::write(shelf.join(format!("{id}.jsonl")), long_session(&id, minute)).unwrap();
    }
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let world = world_of("/home/ada/tool", &var);
    let mut seen = sessions(&world, None, None, Look::Ends).found;
    let ids: Vec<_> = seen.iter().map(|found| &found.header.id[..8]).collect();
    assert_eq!(ids, ["00000002", "00000003", "00000001"]);
    let titles = |found: &[Found]| {
        found.iter().map(|found| found.header.title.clone().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(titles(&seen), ["Make it fast"; 3]);
    seen.iter_mut().for_each(Found::look_at_all);
    assert_eq!(titles(&seen), ["Given"; 3]);
    let whole = sessions(&world, None, None, Look::Whole).found;
    let headers = |found: Vec<Found>| found.into_iter().map(|found| found.header).collect();
    let (seen, whole): (Vec<Header>, Vec<Header>) = (headers(seen), headers(whole));
    assert_eq!(seen, whole);
    // The newest is chosen with all that is said of it.
    let chosen = choose(&world, None, &Selector::Newest, &|_, _| false).unwrap();
    assert_eq!(chosen.header.unwrap(), whole[0]);
}

#[test]
fn a_file_that_grows_out_of_order_is_read_whole() {
    let home = folder("ends-odd");
    let shelf = home.join(".claude/projects/-home-ada-tool");
    fs::create_dir_all(&shelf).unwrap();
    let id = "00000001-0000-4000-8000-000000000000";
    // The last lines are older than the first: the end does not tell when it ended.
    let text = long_session(id, 50);
    let (first, rest) = text.split_once('\n').unwrap();
    let late = first.replace("2026-01-05T10:00:00.000Z", "2026-01-05T11:00:00.000Z");
    fs::write(shelf.join(format!("{id}.jsonl")), format!("{late}\n{rest}")).unwrap();
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let world = world_of("/", &var);
    let found = sessions(&world, None, None, Look::Ends).found;
    assert_eq!(found[0].header.ended_at.as_deref(), Some("2026-01-05T11:00:00.000Z"));
    assert_eq!(found[0].header.title.as_deref(), Some("Given"));
}

#[test]
fn the_ends_of_real_files_say_what_all_of_them_says() {
    let Some(corpus) = crate::data::folder("corpus") else { return };
    let home = folder("ends-real");
    for path in crate::data::files(&corpus) {
        let path = Utf8PathBuf::from_path_buf(path).unwrap();
        let shelf = match path.strip_prefix(corpus.to_str().unwrap()).unwrap().iter().next() {
            Some("claude") => home.join(".claude/projects/all"),
            Some("codex") => home.join(".codex/sessions/2026/01/05"),
            _ => continue,
        };
        fs::create_dir_all(&shelf).unwrap();
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(&path, shelf.join(path.file_name().unwrap()));
    }
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let world = world_of("/", &var);
    let by_path = |look| {
        let found = sessions(&world, None, None, look).found.into_iter();
        found.map(|one| (one.path.clone(), one.header)).collect::<Vec<_>>()
    };
    let (ends, whole) = (by_path(Look::Ends), by_path(Look::Whole));
    assert!(whole.len() > 100, "{}", whole.len());
    let order = |all: &[(Utf8PathBuf, Header)]| {
        all.iter().map(|(path, header)| (path.clone(), header.ended_at.clone())).collect::<Vec<_>>()
    };
    assert_eq!(order(&ends), order(&whole));
    for ((path, seen), (_, all)) in ends.iter().zip(&whole) {
        let told = |one: &Header| (one.id.clone(), one.cwd.clone(), one.is_side);
        assert_eq!(told(seen), told(all), "{path}");
    }
}

/// Returns the sessions of Ada's tool that the ends of files tell, and those that all of each file
/// does; each as all of its file says it is.
fn seen_and_whole(home: &Utf8Path) -> (Vec<Header>, Vec<Header>) {
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let world = World {
        cwd: "/home/ada/tool".into(),
        var: &var,
        caller: Caller::default(),
        is_named: true,
        watch: None,
        now: None,
    };
    let project = world.project();
    let headers = |look| {
        let found = sessions(&world, None, Some(&project), look).found.into_iter();
        let all_of = |mut found: Found| {
            found.look_at_all();
            found.header
        };
        found.map(all_of).collect()
    };
    (headers(Look::Ends), headers(Look::Whole))
}

/// A long session whose first request fills more than is looked at of the start, after a line that
/// names no folder; `change` gives the lines that follow it.
fn long_request(id: &str, change: impl Fn(&str) -> String) -> String {
    let text = long_session(id, 40);
    let (first, rest) = text.split_once('\n').unwrap();
    let first = first.replace("Make it fast", &"Make it fast! ".repeat(2000));
    format!("{{\"type\":\"file-history-snapshot\"}}\n{first}\n{}", change(rest))
}

#[test]
fn a_session_that_went_elsewhere_stays_in_the_project_in_which_it_began() {
    let home = folder("ends-elsewhere");
    let shelf = home.join(".claude/projects/-home-ada-tool");
    fs::create_dir_all(&shelf).unwrap();
    let id = "00000001-0000-4000-8000-000000000000";
    for folder in ["/home/ada/other", "/home/ada", "/home/ada/tool/deep"] {
        let text =
            long_request(id, |rest| rest.replace("\"/home/ada/tool\"", &format!("{folder:?}")));
        fs::write(shelf.join(format!("{id}.jsonl")), text).unwrap();
        let (seen, whole) = seen_and_whole(&home);
        assert_eq!(whole[0].cwd.as_deref(), Some("/home/ada/tool"));
        assert_eq!(seen, whole, "{folder}");
    }
}

#[test]
fn a_session_that_ends_with_a_side_session_is_no_side_session() {
    let home = folder("ends-side");
    let shelf = home.join(".claude/projects/-home-ada-tool");
    fs::create_dir_all(&shelf).unwrap();
    let id = "00000001-0000-4000-8000-000000000000";
    let side = |rest: &str| rest.replace("\"isSidechain\":false", "\"isSidechain\":true");
    fs::write(shelf.join(format!("{id}.jsonl")), long_request(id, side)).unwrap();
    let (seen, whole) = seen_and_whole(&home);
    assert_eq!(whole.len(), 1);
    assert_eq!(seen, whole);
}

#[test]
fn the_table_is_in_the_order_of_the_times_that_it_shows() {
    let home = folder("ends-late");
    let shelf = home.join(".claude/projects/-home-ada-tool");
    fs::create_dir_all(&shelf).unwrap();
    for (number, minute) in [(1, 40), (2, 50)] {
        let id = format!("0000000{number}-0000-4000-8000-000000000000");
        let text = long_session(&id, minute);
        // In the middle, where no end reaches, a clock was wrong.
        let text = match number {
            1 => text.replacen("2026-01-05T10:30:00", "2026-01-05T12:30:00", 1),
            _ => text,
        };
        fs::write(shelf.join(format!("{id}.jsonl")), text).unwrap();
    }
    let args = ["list", "--project", "/home/ada/tool"];
    let said = Call::new("three", &args).env("HOME", home.as_str()).run();
    let starts: Vec<_> = said.stdout.lines().skip(1).map(|line| &line[..35]).collect();
    assert_eq!(
        starts,
        ["claude   00000001  2026-01-05 12:30 ", "claude   00000002  2026-01-05 10:50 "]
            .map(|line| &line[..35])
    );
}
