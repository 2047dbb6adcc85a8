//! Memories of Hermes: what is read, what is written, and what never is.

use camino::{Utf8Path, Utf8PathBuf};
use segue::discover::memories::gather;
use segue::harness::memory::{At, How, Memories, Stored, Tree, by_name};
use segue::model::{DatedBy, Layer, Level, Memory, MemoryKind, MemoryScope};
use segue::plan::{MemoryFate, MemoryPlan};

use crate::data;

fn hermes() -> &'static dyn Memories {
    by_name("hermes").unwrap()
}

fn at(home: &str) -> At {
    At { home: home.into(), ..At::default() }
}

fn fixture() -> (Tree, At) {
    let home = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/memory/hermes/home");
    (gather(hermes(), &at(home)), at(home))
}

/// Does what a plan says.
fn apply(plan: &MemoryPlan, tree: &mut Tree) {
    for change in &plan.changes {
        assert_eq!(change.before, tree.bytes(&change.path), "{}", change.path);
        let file = tree.get(&change.path).cloned().unwrap_or_default();
        let modified_at = change.modified_at.clone().or(file.modified_at.clone());
        let bytes = change.after.clone().unwrap();
        let layer = if change.path.ends_with(".segue.json") { Layer::Settings } else { file.layer };
        tree.put(change.path.clone(), Stored { bytes, modified_at, layer, ..file });
    }
}

fn write(wanted: &[Memory], tree: &mut Tree, at: &At) -> MemoryPlan {
    let plan = hermes().write(wanted, tree, at, &How::default());
    apply(&plan, tree);
    plan
}

fn fates(plan: &MemoryPlan) -> Vec<MemoryFate> {
    plan.rows.iter().map(|row| row.fate).collect()
}

fn text(tree: &Tree, path: &str) -> String {
    String::from_utf8(tree.bytes(Utf8Path::new(path)).unwrap()).unwrap()
}

fn memory(kind: MemoryKind, key: &str, body: &str) -> Memory {
    let mut memory = Memory {
        kind,
        title: key.to_owned(),
        body_md: body.to_owned(),
        scope: MemoryScope { level: Level::Global, cwd: None },
        updated_at: Some("2026-02-03T04:05:06Z".to_owned()),
        ..Memory::default()
    };
    memory.source.harness = "other".to_owned();
    memory.source.key = key.to_owned();
    memory.finished()
}

#[test]
fn both_stores_and_those_of_profiles_are_read() {
    let (tree, at) = fixture();
    let read = hermes().read(&tree, &at);
    let told: Vec<_> = read
        .memories
        .iter()
        .map(|one| (one.kind, one.title.as_str(), one.source.first_line.unwrap()))
        .collect();
    let want = [
        (MemoryKind::Project, "The lamp repo is built with `make lamp`…", 1),
        (MemoryKind::Reference, "Staging runs on two hosts", 3),
        (MemoryKind::Reference, "The tide table is under docs/tides.md", 6),
        (MemoryKind::User, "User lives in Bergen and writes at night", 1),
        (MemoryKind::Feedback, "User wants short answers, never tables", 3),
        (MemoryKind::Reference, "Kites fly best at noon", 1),
        (MemoryKind::Reference, "An entry that somebody appended by hand and…", 3),
        (MemoryKind::Reference, "A last one", 6),
    ];
    assert_eq!(told, want);
    let tides = &read.memories[2];
    assert_eq!(tides.updated_at.as_deref(), Some("2026-01-05T00:00:00Z"));
    assert_eq!(tides.dated_by, Some(DatedBy::Field));
    assert_eq!(read.memories[0].dated_by, Some(DatedBy::File));
    assert!(tides.source.key.starts_with("memories/MEMORY.md#"), "{}", tides.source.key);
    assert_eq!(read.memories[1].verbatim.as_deref().unwrap().lines().count(), 2);
    let notes: Vec<_> = read.notes.list().iter().map(ToString::to_string).collect();
    let want = [
        "left out memories that stand in their file twice `USER.md`: 1 (first at line 5)",
        "left out files that are no memories `README.md`: 1",
    ];
    assert_eq!(notes, want);
}

#[test]
fn a_check_tells_limits_drift_and_doubles() {
    let (tree, at) = fixture();
    let found = hermes().check(&tree, &at);
    let told: Vec<_> = found
        .iter()
        .map(|(path, one)| {
            let path = path.strip_prefix(&at.home).unwrap();
            format!("{path}:{} {} {}", one.line, one.rule, one.message)
        })
        .collect();
    let want = [
        "memories/README.md:0 not_loaded it stands beside the stores and is never loaded",
        "memories/USER.md:5 doubled_entry the same as the entry on line 1",
        "profiles/coder/memories/MEMORY.md:0 over_limit 129 of 60 characters: no entry can be added",
        "profiles/coder/memories/MEMORY.md:0 drift blanks or empty entries around separators: no entry can be changed",
        "profiles/coder/memories/MEMORY.md:3 oversize_entry an entry of 87 characters, over the limit of 60: no entry can be changed",
        "profiles/coder/memories/MEMORY.md:6 lone_separator a lone `§` inside the entry `§ A last one.`",
    ];
    assert_eq!(told, want);
}

#[test]
fn what_is_read_is_written_back_byte_for_byte() {
    let (tree, at) = fixture();
    let own: Vec<_> = hermes().read(&tree, &at).memories;
    let plan = hermes().write(&own[..5], &tree, &at, &How::default());
    assert!(plan.changes.is_empty(), "{:?}", plan.changes);
    assert!(fates(&plan).iter().all(|fate| *fate == MemoryFate::Same));
    let mut empty = Tree::default();
    write(&own[..3], &mut empty, &at);
    let path = at.home.join("memories/MEMORY.md");
    assert_eq!(empty.bytes(&path), tree.bytes(&path));
}

#[test]
fn a_second_run_changes_nothing_and_humans_stay() {
    let (mut tree, at) = (Tree::default(), at("/h"));
    tree.put(
        "/h/memories/MEMORY.md",
        Stored {
            bytes: b"A human's entry.\n".to_vec(),
            modified_at: Some("2025-05-05T05:05:05Z".to_owned()),
            ..Stored::default()
        },
    );
    let mut wanted = vec![
        memory(MemoryKind::Feedback, "a", "Always test with the lock file."),
        memory(MemoryKind::User, "b", "Ada likes blue."),
    ];
    let first = write(&wanted, &mut tree, &at);
    assert_eq!(fates(&first), [MemoryFate::New, MemoryFate::New]);
    let notes = "A human's entry.\n§\nAlways test with the lock file. (as of 2026-02-03)";
    assert_eq!(text(&tree, "/h/memories/MEMORY.md"), notes);
    assert_eq!(text(&tree, "/h/memories/USER.md"), "Ada likes blue. (as of 2026-02-03)");
    let ages: Vec<_> = first.changes.iter().map(|one| one.modified_at.as_deref()).collect();
    assert_eq!(ages, [Some("2025-05-05T05:05:05Z"), Some("2026-02-03T04:05:06Z"), None]);
    let second = write(&wanted, &mut tree, &at);
    assert!(second.changes.is_empty());
    assert_eq!(fates(&second), [MemoryFate::Same, MemoryFate::Same]);

    wanted[0] = memory(MemoryKind::Feedback, "a", "Always test twice.");
    let user = tree.get(Utf8Path::new("/h/memories/USER.md")).cloned().unwrap();
    let edited = Stored { bytes: b"Ada likes green. (as of 2026-02-03)".to_vec(), ..user };
    tree.put("/h/memories/USER.md", edited);
    let third = write(&wanted, &mut tree, &at);
    assert_eq!(fates(&third), [MemoryFate::Changed, MemoryFate::Conflict]);
    let notes = "A human's entry.\n§\nAlways test twice. (as of 2026-02-03)";
    assert_eq!(text(&tree, "/h/memories/MEMORY.md"), notes);
    assert!(text(&tree, "/h/memories/USER.md").starts_with("Ada likes green."));
    assert!(write(&[], &mut tree, &at).changes.is_empty());
}

#[test]
fn a_full_store_lists_its_entries() {
    let (mut tree, at) = (Tree::default(), at("/h"));
    let file = |text: String| Stored { bytes: text.into_bytes(), ..Stored::default() };
    tree.put("/h/memories/USER.md", file(format!("{}\n§\nshort", "x".repeat(1350))));
    let wanted = [memory(MemoryKind::User, "b", "Ada likes blue.")];
    let plan = write(&wanted, &mut tree, &at);
    assert_eq!(fates(&plan), [MemoryFate::Dropped]);
    assert!(plan.changes.is_empty());
    let why = "no room: USER.md has 1358 of 1375 characters, and this entry 34";
    assert_eq!(plan.rows[0].reason.as_deref(), Some(why));
    let full = &plan.full[0];
    assert_eq!((full.used, full.limit, full.entries.len()), (1358, 1375, 2));
    assert_eq!((full.entries[1].size, full.entries[1].preview.as_str()), (5, "short"));
    assert_eq!(full.left_out[0].preview, "Ada likes blue. (as of 2026-02-03)");
    let told = full.to_string();
    let want = "  5  short\nand has no room for\n      34  Ada likes blue. (as of 2026-02-03)";
    assert!(told.ends_with(want), "{told}");
}

#[test]
fn another_project_is_left_out_and_its_own_is_named() {
    let at = At { project: Some("/p/lamp".into()), ..at("/h") };
    let here = |cwd: &str, body: &str| {
        let scope = MemoryScope { level: Level::Project, cwd: Some(cwd.to_owned()) };
        Memory { scope, ..memory(MemoryKind::Project, cwd, body) }.finished()
    };
    let mut tree = Tree::default();
    let plan = write(&[here("/p/lamp", "Port 1."), here("/p/kite", "Port 2.")], &mut tree, &at);
    assert_eq!(fates(&plan), [MemoryFate::New, MemoryFate::Dropped]);
    let want = "Project lamp: Port 1. (as of 2026-02-03)";
    assert_eq!(text(&tree, "/h/memories/MEMORY.md"), want);
    // All projects see it.
    assert!(plan.rows[0].lost.contains(&"scope"), "{:?}", plan.rows[0]);
    assert!(
        plan.warnings[0].starts_with("1 memory of one project will be read in every"),
        "{:?}",
        plan.warnings
    );
}

#[test]
fn one_entry_is_replaced_or_removed() {
    let (mut tree, at) = fixture();
    let own = hermes().read(&tree, &at).memories;
    let path = at.home.join("memories/MEMORY.md");
    let edit = |index: usize, text, tree: &Tree| hermes().edit(&own[index], text, tree, &at);
    let plan = edit(1, Some("Staging is gone.\n§\n"), &tree).unwrap();
    apply(&plan, &mut tree);
    let all = text(&tree, path.as_str());
    assert!(all.contains("4100.\n§\nStaging is gone.\n(§)\n§\nThe tide"), "{all}");
    apply(&edit(0, None, &tree).unwrap(), &mut tree);
    assert!(text(&tree, path.as_str()).starts_with("Staging is gone."));
    assert_eq!(edit(0, None, &tree).unwrap_err(), "the entry is not there any more");
    let why = edit(2, Some(&"x".repeat(700)), &tree).unwrap_err();
    assert!(why.starts_with("no room: MEMORY.md has "), "{why}");
}

#[test]
fn only_stores_are_recognised() {
    let is = |path: &str, text| hermes().recognises(Utf8Path::new(path), text).is_some();
    assert!(is("/u/.hermes/memories/MEMORY.md", "One."));
    assert!(is("/u/x/profiles/a/memories/USER.md", "One."));
    assert!(is("/srv/agent/memories/USER.md", "One.\n§\nTwo."));
    assert!(!is("/u/.codex/memories/MEMORY.md", "# Task Group: x"));
    assert!(!is("/u/.hermes/memories/README.md", "One."));
    assert!(!is("/u/docs/MEMORY.md", "One.\n§\nTwo."));
}

#[test]
fn no_limit_is_ever_passed() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..200 {
        let limits = [random.usize(10..3000), random.usize(10..2000)];
        let [notes, user] = limits;
        let config = format!("memory:\n  memory_char_limit: {notes}\n  user_char_limit: {user}\n");
        let (mut tree, at) = (Tree::default(), at("/h"));
        let layer = Layer::Settings;
        tree.put("/h/config.yaml", Stored { bytes: config.into(), layer, ..Stored::default() });
        for round in 0..3 {
            let keys: Vec<_> = (0..40).filter(|_| random.bool()).collect();
            let some: Vec<_> = keys.into_iter().map(|key| any(&mut random, key, round)).collect();
            write(&some, &mut tree, &at);
            let again = hermes().write(&some, &tree, &at, &How::default());
            assert!(again.changes.is_empty(), "{:?}", fates(&again));
            for (name, limit) in ["MEMORY.md", "USER.md"].into_iter().zip(limits) {
                let path = Utf8PathBuf::from("/h/memories").join(name);
                let text = String::from_utf8(tree.bytes(&path).unwrap_or_default()).unwrap();
                assert!(text.chars().count() <= limit, "{name}: {limit}\n{text}");
                assert_eq!(text.trim(), text);
            }
            assert!(hermes().check(&tree, &at).is_empty());
        }
    }
}

/// Makes up a memory, with a key that comes again in later rounds.
fn any(random: &mut fastrand::Rng, key: usize, round: usize) -> Memory {
    const KINDS: [MemoryKind; 4] =
        [MemoryKind::Feedback, MemoryKind::User, MemoryKind::Project, MemoryKind::Task];
    const WORDS: [&str; 6] = ["lamp", "größe", "§", "\n§\n", "😀 kite.", "\n\n**Why:** so"];
    let words = random.usize(0..60);
    let body: Vec<_> = (0..words).map(|_| WORDS[random.usize(0..WORDS.len())]).collect();
    let kind = KINDS[random.usize(0..KINDS.len())];
    memory(kind, &key.to_string(), &format!("{key} {} {round}", body.join(" ")))
}

#[test]
fn a_real_home_is_read_and_written_back() {
    let Some(folder) = data::folder("corpus/memory") else { return };
    let homes = data::files(&folder)
        .into_iter()
        .filter(|path| path.ends_with(".hermes/memories/MEMORY.md"));
    for path in homes {
        let path = Utf8PathBuf::from_path_buf(path).unwrap();
        let at = at(path.parent().unwrap().parent().unwrap().as_str());
        let tree = gather(hermes(), &at);
        let own = hermes().read(&tree, &at).memories;
        assert!(own.len() > 200, "{}", own.len());
        let plan = hermes().write(&own, &tree, &at, &How::default());
        assert!(
            plan.changes.is_empty() && fates(&plan).iter().all(|fate| *fate == MemoryFate::Same)
        );

        let config = "memory:\n  memory_char_limit: 40000\n  user_char_limit: 30000\n".into();
        let (mut other, there) = (Tree::default(), self::at("/h"));
        other.put("/h/config.yaml", Stored { bytes: config, ..Stored::default() });
        write(&own, &mut other, &there);
        for name in ["MEMORY.md", "USER.md"] {
            let before = text(&tree, at.home.join("memories").join(name).as_str());
            assert_eq!(text(&other, &format!("/h/memories/{name}")), before.trim());
        }
        let small = write(&own, &mut Tree::default(), &there);
        assert!(small.full.iter().all(|full| full.used <= full.limit && !full.left_out.is_empty()));
        data::tell(&format!(
            "{path}: {} entries; within the usual limits {} are kept",
            own.len(),
            fates(&small).iter().filter(|fate| **fate == MemoryFate::New).count(),
        ));
    }
}

#[test]
fn a_store_keeps_its_line_ends() {
    let at = at("/h");
    let mut tree = Tree::default();
    let path = "/h/memories/MEMORY.md";
    let bytes = b"one\r\nmore\r\n\xc2\xa7\r\ntwo".to_vec();
    tree.put(path, Stored { bytes, layer: Layer::Memory, ..Stored::default() });
    write(&[memory(MemoryKind::Project, "three", "Three\nlines.")], &mut tree, &at);
    assert_eq!(
        text(&tree, path),
        "one\r\nmore\r\n§\r\ntwo\r\n§\r\nThree lines. (as of 2026-02-03)"
    );
    let own = hermes().read(&tree, &at).memories;
    assert_eq!(own.len(), 3);
    apply(&hermes().edit(&own[1], Some("2\n3"), &tree, &at).unwrap(), &mut tree);
    assert!(text(&tree, path).starts_with("one\r\nmore\r\n§\r\n2\r\n3\r\n§\r\n"));
}
