//! Which session is chosen, and why none.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use segue::discover::{
    Caller, Project, Selector, Wide, World, choose, project_root, sessions, unique_prefix,
};
use segue::harness::Want;
use segue::jsonl::Input;
use segue::model::{Header, Session};

/// Returns an empty folder for one test.
fn folder(name: &str) -> Utf8PathBuf {
    let folder = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join("discover").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the ids of all sessions of a home, newest first.
fn ids(home: &Utf8Path) -> Vec<String> {
    let var = |name: &str| (name == "HOME").then(|| home.to_string());
    let world = World {
        cwd: "/home/ada/tool".into(),
        var: &var,
        caller: Caller::default(),
        is_named: false,
        watch: None,
    };
    sessions(&world, None, None).found.into_iter().map(|found| found.header.id).collect()
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
    let world = World {
        cwd: "/home/ada/tool".into(),
        var: &var,
        caller: Caller::default(),
        is_named: false,
        watch: None,
    };
    let found = sessions(&world, None, None).found;
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
    let world = World {
        cwd: "/".into(),
        var: &var,
        caller: Caller::default(),
        is_named: false,
        watch: None,
    };
    let chosen = choose(&world, None, &Selector::Id("01990000-a0c1".into())).unwrap();
    assert_eq!(chosen.header.unwrap().id, "01990000-a0c1-7000-8000-0000000000c1");
}

#[test]
fn a_shown_id_is_long_enough_to_be_typed() {
    assert_eq!(unique_prefix("abcdefgh-1", &["xyz"]), "abcdefgh");
    assert_eq!(unique_prefix("abcdefgh-1", &["abcdefgh-2", "x-abcdefgh.jsonl"]), "abcdefgh-1");
    assert_eq!(unique_prefix("abc", &[]), "abc");
}

#[test]
fn the_list_of_a_real_home_is_that_of_a_full_read() {
    let Some(real) = crate::data::folder("real/claude") else { return };
    let homes = walkdir::WalkDir::new(real).max_depth(3).into_iter().map(|entry| entry.unwrap());
    for home in homes.filter(|entry| entry.file_name() == "dot-claude") {
        let home = home.path().to_str().unwrap().to_owned();
        let var = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| home.clone());
        let world = World {
            cwd: "/".into(),
            var: &var,
            caller: Caller::default(),
            is_named: false,
            watch: None,
        };
        let search = sessions(&world, None, None);
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
