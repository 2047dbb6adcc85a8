//! What is written for Codex: exact copies where it makes some itself, the rest beside them, and
//! nothing of a human's changed.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use segue::harness::memory::{At, How, Memories, Root, Shelf, Stored, Tree, beside, by_name};
use segue::model::{Layer, Level, Memory, MemoryKind, MemoryScope, MemorySource};
use segue::plan::{MemoryFate, MemoryPlan};

const HOME: &str = "/h/.codex";
const SHOP: &str = "/home/ada/shop";
const STORES: [&str; 2] = ["memories", "memories_v2"];
const INDEX: &str =
    "- [x](feedback_x.md) — short diffs\n- [gone](gone.md) — nothing\n\nPlain words.\n";
const TOPIC: &str = "---\nname: x\ndescription: short diffs\nmetadata: \n  type: feedback\n---\n\nKeep diffs short.\n";

fn codex() -> &'static dyn Memories {
    by_name("codex").unwrap()
}

fn at() -> At {
    At { home: HOME.into(), project: Some(SHOP.into()), ..At::default() }
}

fn how() -> How {
    How { now: "2026-06-01T10:00:00Z".to_owned(), ..How::default() }
}

/// Returns a tree as it is gathered: each file with the layer of its shelf.
fn tree(files: &BTreeMap<Utf8PathBuf, Vec<u8>>) -> Tree {
    let mut tree = Tree::default();
    for (path, bytes) in files {
        let shelf = codex().shelves(&at()).into_iter().find(|shelf| path.starts_with(&shelf.path));
        let shelf = shelf.unwrap_or_default();
        let stored = Stored {
            shelf: shelf.path,
            layer: shelf.layer,
            scope: shelf.scope,
            bytes: bytes.clone(),
            modified_at: Some("2026-01-01T00:00:00Z".to_owned()),
            ..Stored::default()
        };
        tree.put(path, stored);
    }
    tree
}

type Files = BTreeMap<Utf8PathBuf, Vec<u8>>;

fn apply(files: &mut Files, plan: &MemoryPlan) {
    for change in &plan.changes {
        assert_eq!(files.get(&change.path), change.before.as_ref(), "{}", change.path);
        match &change.after {
            Some(after) => files.insert(change.path.clone(), after.clone()),
            None => files.remove(&change.path),
        };
    }
    let mut paths: Vec<_> = plan.changes.iter().map(|change| &change.path).collect();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), plan.changes.len(), "a file changes twice");
}

fn fates(plan: &MemoryPlan) -> Vec<MemoryFate> {
    plan.rows.iter().map(|row| row.fate).collect()
}

/// Returns the memories of a store of Claude Code, and what stands beside them.
fn of_claude(topics: &[(&str, &str)]) -> (Vec<Memory>, How) {
    let store = Utf8Path::new("/h/.claude/projects/-home-ada-shop");
    let scope = MemoryScope { level: Level::Project, cwd: Some(SHOP.to_owned()) };
    let mut tree = Tree::default();
    for (name, text) in topics {
        let file = Stored {
            shelf: store.join("memory"),
            layer: Layer::Memory,
            scope: scope.clone(),
            bytes: text.as_bytes().to_vec(),
            modified_at: Some("2026-03-04T05:06:07Z".to_owned()),
            ..Stored::default()
        };
        tree.put(store.join("memory").join(name), file);
    }
    let root = Root { store: store.to_owned(), cwd: Some(SHOP.into()) };
    let at = At { home: "/h/.claude".into(), roots: vec![root], ..At::default() };
    let memories = by_name("claude").unwrap().read(&tree, &at).memories;
    let beside = beside(&tree, &memories);
    (memories, How { beside, ..how() })
}

fn memory(title: &str, body: &str) -> Memory {
    Memory {
        kind: MemoryKind::Feedback,
        title: title.to_owned(),
        body_md: body.to_owned(),
        scope: MemoryScope { level: Level::Project, cwd: Some(SHOP.to_owned()) },
        updated_at: Some("2026-02-03T04:05:06Z".to_owned()),
        source: MemorySource {
            harness: "other".into(),
            key: title.into(),
            ..MemorySource::default()
        },
        ..Memory::default()
    }
    .finished()
}

#[test]
fn topic_files_become_the_tree_that_codex_makes_itself() {
    let (wanted, how) = of_claude(&[
        ("MEMORY.md", INDEX),
        ("feedback_x.md", TOPIC),
        ("team/y.md", "No head here.\n"),
    ]);
    let mut files = Files::new();
    let plan = codex().write(&wanted, &tree(&files), &at(), &how);
    assert!(fates(&plan).iter().all(|fate| *fate == MemoryFate::New), "{:#?}", plan.rows);
    assert!(plan.warnings[0].contains("costs tokens"));
    let topic = plan.changes.iter().find(|change| change.path.ends_with("feedback_x.md")).unwrap();
    assert_eq!(topic.modified_at.as_deref(), Some("2026-03-04T05:06:07Z"));
    apply(&mut files, &plan);
    for store in STORES {
        let folder =
            Utf8Path::new(HOME).join(store).join("extensions/external_agent_import/resources");
        let found: Vec<_> = files
            .iter()
            .filter_map(|(path, bytes)| {
                let name = path.strip_prefix(&folder).ok()?;
                Some((name.as_str(), String::from_utf8_lossy(bytes).into_owned()))
            })
            .collect();
        let index = "- [x](feedback_x.md) — short diffs\n\nPlain words.\n";
        let want = [
            ("-home-ada-shop/MEMORY.md", index.to_owned()),
            ("-home-ada-shop/feedback_x.md", TOPIC.to_owned()),
            ("-home-ada-shop/scope.json", format!("{{\"cwd\":\"{SHOP}\"}}")),
            ("-home-ada-shop/team/y.md", "No head here.\n".to_owned()),
        ];
        assert_eq!(found, want);
    }
    let again = codex().write(&wanted, &tree(&files), &at(), &how);
    assert!(fates(&again).iter().all(|fate| *fate == MemoryFate::Same), "{:#?}", again.rows);
    assert!(again.changes.is_empty() && again.warnings.is_empty(), "{:#?}", again.changes);
}

#[test]
fn a_copy_follows_its_source_until_a_human_touches_it() {
    let (wanted, how) = of_claude(&[("feedback_x.md", TOPIC)]);
    let mut files = Files::new();
    let first = codex().write(&wanted, &tree(&files), &at(), &how);
    apply(&mut files, &first);
    let (newer, how) = of_claude(&[("feedback_x.md", &TOPIC.replace("short.", "very short."))]);
    let plan = codex().write(&newer, &tree(&files), &at(), &how);
    assert_eq!(fates(&plan), [MemoryFate::Changed]);
    apply(&mut files, &plan);
    let path = Utf8Path::new(HOME).join(
        "memories_v2/extensions/external_agent_import/resources/-home-ada-shop/feedback_x.md",
    );
    assert!(String::from_utf8_lossy(&files[&path]).contains("very short."));
    files.insert(path.clone(), b"By hand.\n".to_vec());
    let plan = codex().write(&wanted, &tree(&files), &at(), &how);
    assert_eq!(fates(&plan), [MemoryFate::Conflict]);
    assert!(plan.changes.iter().all(|change| change.path != path));
}

#[test]
fn other_memories_come_back_as_they_were() {
    let full = Memory {
        kind: MemoryKind::Skill,
        created_at: Some("2025-01-01T00:00:00Z".to_owned()),
        outcome: Some("success".to_owned()),
        keywords: vec!["one".to_owned(), "two".to_owned()],
        ..memory("A: skill", "Do it.\n\n**Why:** it works.")
    }
    .finished();
    let global = Memory {
        scope: MemoryScope { level: Level::Global, cwd: None },
        ..memory("Everywhere", "Short answers.")
    }
    .finished();
    let foreign = Memory {
        scope: MemoryScope { level: Level::Project, cwd: Some("/elsewhere".to_owned()) },
        ..memory("Foreign", "Not here.")
    };
    let wanted = [full.clone(), global.clone(), foreign];
    let mut files = Files::new();
    let plan = codex().write(&wanted, &tree(&files), &at(), &how());
    assert_eq!(fates(&plan), [MemoryFate::New, MemoryFate::New, MemoryFate::Dropped]);
    assert_eq!(plan.rows[2].reason.as_deref(), Some("it belongs to another project"));
    apply(&mut files, &plan);
    assert!(files.keys().all(|path| !path.as_str().contains("external_agent_import")));
    let read = codex().read(&tree(&files), &at()).memories;
    assert_eq!(read.len(), 2, "{read:#?}");
    for wanted in [&full, &global] {
        let back = read.iter().find(|one| one.title == wanted.title).unwrap();
        let of = |one: &Memory| {
            let times = (one.created_at.clone(), one.updated_at.clone());
            (
                one.kind,
                one.body_md.clone(),
                one.scope.clone(),
                one.keywords.clone(),
                one.outcome.clone(),
                times,
            )
        };
        assert_eq!(of(back), of(wanted));
        assert_eq!(back.content_sha256, wanted.content_sha256);
    }
    let again = codex().write(&wanted, &tree(&files), &at(), &how());
    assert_eq!(fates(&again), [MemoryFate::Same, MemoryFate::Same, MemoryFate::Dropped]);
    assert!(again.changes.is_empty());
}

#[test]
fn routes_come_only_when_asked_for_and_keep_what_is_there() {
    let summary = Utf8Path::new(HOME).join("memories/memory_summary.md");
    let text = "v1\n\n## User Profile\n\nAda.\n\n## What's in Memory\n\n### /x\n\n- old: one\n";
    let mut files = Files::from([(summary.clone(), text.as_bytes().to_vec())]);
    let wanted = [memory("First", "One."), memory("Second", "Two.")];
    let quiet = codex().write(&wanted, &tree(&files), &at(), &how());
    assert!(quiet.changes.iter().all(|change| !change.path.ends_with("memory_summary.md")));
    let how = How { activate: true, ..how() };
    let plan = codex().write(&wanted, &tree(&files), &at(), &how);
    assert!(plan.warnings[0].contains("consolidate"), "{:?}", plan.warnings);
    apply(&mut files, &plan);
    let told = String::from_utf8_lossy(&files[&summary]).into_owned();
    let routes = told.strip_prefix(text).unwrap();
    let want = "\n### Older Memory Topics\n\n#### /home/ada/shop\n\n\
                - First: extensions/segue/resources/";
    assert!(routes.starts_with(want), "{told}");
    assert!(routes.trim_end().lines().last().unwrap().starts_with("- Second: "), "{told}");
    let again = codex().write(&wanted, &tree(&files), &at(), &how);
    assert!(again.changes.is_empty(), "{:#?}", again.changes);
    let touched = told.replace("- First: ", "- First, by hand: ");
    files.insert(summary.clone(), touched.into_bytes());
    let later =
        [Memory { body_md: "Other.".into(), summary: String::new(), ..memory("First", "One.") }
            .finished()];
    let plan = codex().write(&later, &tree(&files), &at(), &how);
    assert!(plan.changes.iter().all(|change| change.path != summary), "{:#?}", plan.changes);
}

#[test]
fn proposals_are_notes_and_none_is_left_twice() {
    let wanted = [memory("Größe: keep", "One."), memory("grö e keep", "Two.")];
    let mut files = Files::new();
    let plan = codex().propose(&wanted, &tree(&files), &at(), &how());
    let names: Vec<_> = plan.changes.iter().filter_map(|change| change.path.file_name()).collect();
    let want = ["2026-06-01T10-00-00-gr-e-keep.md", "2026-06-01T10-00-00-gr-e-keep-2.md"];
    assert_eq!(names, want);
    apply(&mut files, &plan);
    let text = String::from_utf8_lossy(&files[&plan.changes[0].path]).into_owned();
    assert!(text.contains("One.") && text.contains("True on 2026-02-03"), "{text}");
    let later = How { now: "2026-06-02T10:00:00Z".to_owned(), ..how() };
    let again = codex().propose(&wanted, &tree(&files), &at(), &later);
    assert_eq!((fates(&again), again.changes.len()), (vec![MemoryFate::Same; 2], 0));
}

#[test]
fn an_entry_is_replaced_or_taken_out_alone() {
    let path = Utf8Path::new(HOME).join("memories/MEMORY.md");
    let text = "# Task Group: g\r\n\r\nscope: s\r\napplies_to: cwd=/home/ada/shop\r\n\r\n\
                ## Reusable knowledge\r\n\r\n- one\r\n- two\r\n  more\r\n- three\r\n";
    let files = Files::from([(path.clone(), text.as_bytes().to_vec())]);
    let tree = tree(&files);
    let read = codex().read(&tree, &at()).memories;
    let two = read.iter().find(|one| one.title.starts_with("two")).unwrap();
    let after = |text| {
        let plan = codex().edit(two, text, &tree, &at()).unwrap();
        assert_eq!(plan.warnings.len(), 1);
        String::from_utf8(plan.changes[0].after.clone().unwrap()).unwrap()
    };
    assert_eq!(after(None), text.replace("- two\r\n  more\r\n", ""));
    assert_eq!(after(Some("2")), text.replace("- two\r\n  more\r\n", "- 2\r\n"));
    let moved = Memory { verbatim: Some("- other\n".to_owned()), ..two.clone() };
    assert!(codex().edit(&moved, None, &tree, &at()).is_err());
}

#[test]
fn a_check_names_what_is_wrong() {
    let file = |path: &str, text: &str| (Utf8Path::new(HOME).join(path), text.as_bytes().to_vec());
    let import = "extensions/external_agent_import/resources/k";
    let long = format!("v2\n- rollout_summaries/gone.md\n{}", "x".repeat(10_000));
    let files = Files::from([
        file("memories/memory_summary.md", &long),
        file("memories/MEMORY.md", "Text\n"),
        file("memories/skills/A/SKILL.md", "---\nname: A b\n---\n"),
        file("memories/extensions/ad_hoc/notes/note.md", "Remember.\n"),
        file(&format!("memories/{import}/a.md"), "Text\n"),
        file("AGENTS.md", "Rules\n"),
        file("AGENTS.override.md", "Other\n"),
    ]);
    let mut rules: Vec<_> =
        codex().check(&tree(&files), &at()).into_iter().map(|(_, finding)| finding.rule).collect();
    rules.sort_unstable();
    let want = [
        "broken_pointer",
        "hidden",
        "import_drift",
        "no_groups",
        "no_scope",
        "note_name",
        "skill_description",
        "skill_name",
        "summary_too_long",
        "summary_version",
    ];
    assert_eq!(rules, want);
}

/// Returns words of any script, with what could be taken for marks.
fn words(rng: &mut fastrand::Rng, most: usize) -> String {
    const PIECES: [&str; 12] = [
        "plain ",
        "größe ",
        "数 ",
        "# ",
        "- x\n",
        "](a.md)",
        "---\n",
        "\n\n",
        "@file ",
        "🦀",
        "metadata:\n",
        "v1",
    ];
    (0..rng.usize(0..most)).map(|_| PIECES[rng.usize(0..PIECES.len())]).collect()
}

#[test]
fn no_limit_is_passed_whatever_comes() {
    for seed in 0..12 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let human = format!("v1\n\n## General Tips\n\n{}\n", "tip ".repeat(rng.usize(0..2_400)));
        let path = Utf8Path::new(HOME).join("memories/memory_summary.md");
        let mut files = Files::from([(path.clone(), human.clone().into_bytes())]);
        let wanted: Vec<_> = (0..rng.usize(1..90))
            .map(|number| {
                let title = format!("{number} {}", words(&mut rng, 20));
                let body = words(&mut rng, 60);
                let level = if rng.bool() { Level::Global } else { Level::Project };
                let cwd = Some(SHOP.to_owned()).filter(|_| level == Level::Project);
                Memory { scope: MemoryScope { level, cwd }, ..memory(&title, &body) }.finished()
            })
            .collect();
        let how = How { activate: true, ..how() };
        let plan = codex().write(&wanted, &tree(&files), &at(), &how);
        assert_eq!(plan.rows.len(), wanted.len());
        apply(&mut files, &plan);
        for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with("memory_summary.md")) {
            assert!(bytes.len() < 10_000, "{path}: {}", bytes.len());
        }
        let text = String::from_utf8_lossy(&files[&path]).into_owned();
        assert!(text.starts_with(human.trim_end()), "{text}");
        let again = codex().write(&wanted, &tree(&files), &at(), &how);
        let changed: Vec<_> = again.changes.iter().map(|change| &change.path).collect();
        assert!(changed.is_empty(), "seed {seed}: {changed:?}");
        let proposed = codex().propose(&wanted, &tree(&files), &at(), &how);
        let mut after = files.clone();
        apply(&mut after, &proposed);
        assert_eq!(codex().propose(&wanted, &tree(&after), &at(), &how).changes, []);
    }
}

#[test]
fn what_stands_beside_another_file_of_its_name_has_a_route_at_once() {
    let mut other = memory("one", "Another text.");
    other.source.key = "other".to_owned();
    let wanted = [memory("one", "A text."), other.finished()];
    let (mut files, how) = (Files::new(), How { activate: true, ..how() });
    let plan = codex().write(&wanted, &tree(&files), &at(), &how);
    assert_eq!(fates(&plan), [MemoryFate::New, MemoryFate::Conflict]);
    apply(&mut files, &plan);
    for store in STORES {
        let path = Utf8Path::new(HOME).join(store).join("memory_summary.md");
        let summary = String::from_utf8(files[&path].clone()).unwrap();
        assert!(summary.contains("/one.md — ") && summary.contains("/one-2.md — "), "{summary}");
    }
    let again = codex().write(&wanted, &tree(&files), &at(), &how);
    assert_eq!(fates(&again), [MemoryFate::Same; 2]);
    assert_eq!(again.changes, []);
}

#[test]
fn a_summary_that_cannot_be_read_keeps_nothing_else_from_being_written() {
    let path = Utf8Path::new(HOME).join("memories/memory_summary.md");
    let mut tree = tree(&Files::new());
    tree.unreadable.insert(path.clone(), "it is no text in UTF-8".to_owned());
    let how = How { activate: true, ..how() };
    let plan = codex().write(&[memory("one", "A text.")], &tree, &at(), &how);
    assert_eq!(fates(&plan), [MemoryFate::New]);
    let changes = |end: &str| plan.changes.iter().any(|change| change.path.as_str().ends_with(end));
    assert!(!plan.changes.iter().any(|change| change.path == path), "{:?}", plan.changes);
    assert!(changes("memories_v2/memory_summary.md") && changes("/one.md"), "{:?}", plan.changes);
    let told = format!("`{path}` cannot be read, and gets no routes: it is no text in UTF-8");
    assert!(plan.warnings.contains(&told), "{:?}", plan.warnings);
}

#[test]
fn words_of_an_index_that_go_with_a_line_are_not_told_as_written() {
    let (wanted, how) = of_claude(&[
        ("MEMORY.md", "- [gone](gone.md) — nothing\nWords right below it.\n"),
        ("feedback_x.md", TOPIC),
    ]);
    let mut files = Files::new();
    for _ in 0..2 {
        let plan = codex().write(&wanted, &tree(&files), &at(), &how);
        apply(&mut files, &plan);
        for (row, one) in plan.rows.iter().zip(&wanted) {
            let has = |bytes: &Vec<u8>| {
                String::from_utf8_lossy(bytes).replace('\r', "").contains(one.body_md.trim())
            };
            let is_there = row.place.as_ref().is_some_and(|place| has(&files[place]));
            assert_eq!(is_there, row.fate != MemoryFate::Dropped, "{row:?}");
        }
    }
}

#[test]
fn an_import_is_read_as_deep_as_the_store_goes_that_it_came_from() {
    let store = Shelf::folder("/s", Layer::Memory, MemoryScope::default());
    let shelves = codex().shelves(&at()).into_iter();
    let depths: Vec<_> = shelves
        .filter(|shelf| shelf.path.ends_with("extensions"))
        .map(|shelf| shelf.depth)
        .collect();
    let above = "external_agent_import/resources/-home-ada-shop".split('/').count();
    assert_eq!(depths.len(), STORES.len());
    assert!(depths.iter().all(|depth| *depth >= store.depth + above), "{depths:?}");
}

#[test]
fn folders_in_a_store_that_are_named_as_one_is_keep_files_apart() {
    let within = "projects/-home-ada-shop/memory/feedback_x.md";
    let (wanted, how) = of_claude(&[("feedback_x.md", TOPIC), (within, "Another text.\n")]);
    let mut files = Files::new();
    let plan = codex().write(&wanted, &tree(&files), &at(), &how);
    apply(&mut files, &plan);
    let again = codex().write(&wanted, &tree(&files), &at(), &how);
    assert_eq!(fates(&again), [MemoryFate::Same; 2], "{:#?}", again.rows);
    let folder = "memories_v2/extensions/external_agent_import/resources/-home-ada-shop";
    let copy = Utf8Path::new(HOME).join(folder).join(within);
    assert_eq!(String::from_utf8_lossy(&files[&copy]), "Another text.\n");
}
