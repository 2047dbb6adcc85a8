//! Memories of Gemini CLI: what is read, what is written, and what is proposed.

use camino::{Utf8Path, Utf8PathBuf};
use segue::discover::memories::gather;
use segue::harness::memory::{At, How, Memories, Root, Stored, Tree, by_name};
use segue::model::{Layer, Level, Memory, MemoryKind, MemoryScope};
use segue::plan::{MemoryFate, MemoryPlan};

fn gemini() -> &'static dyn Memories {
    by_name("gemini").unwrap()
}

fn fixture() -> Utf8PathBuf {
    Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/memory/gemini"))
}

/// The fixture's home, for its project with this name, started in a folder of it.
fn at(project: &str) -> At {
    let home = fixture().join("home/.gemini");
    let project = fixture().join(project);
    let mut roots = gemini().roots(&home).unwrap();
    for root in &mut roots {
        root.cwd = root.cwd.as_ref().map(|cwd| fixture().join(cwd.file_name().unwrap()));
    }
    At { home, cwd: Some(project.join("src")), project: Some(project), roots, ..At::default() }
}

fn apply(plan: &MemoryPlan, tree: &mut Tree) {
    for change in &plan.changes {
        assert_eq!(change.before, tree.bytes(&change.path), "{}", change.path);
        let path = change.path.as_str();
        let layer = match path {
            _ if path.ends_with(".patch") || path.ends_with(".project_root") => Layer::Settings,
            _ if path.ends_with("GEMINI.md") => Layer::Instructions,
            _ => Layer::Memory,
        };
        let file = tree.get(&change.path).cloned().unwrap_or_default();
        tree.put(path, Stored { bytes: change.after.clone().unwrap(), layer, ..file });
    }
}

fn memory(level: Level, title: &str, body: &str) -> Memory {
    let cwd = (level == Level::Project).then(|| "/p/lamp".to_owned());
    let mut memory = Memory {
        kind: MemoryKind::Feedback,
        title: title.to_owned(),
        body_md: body.to_owned(),
        scope: MemoryScope { level, cwd },
        updated_at: Some("2026-02-03T04:05:06Z".to_owned()),
        ..Memory::default()
    };
    memory.source.harness = "other".to_owned();
    memory.source.key = title.to_owned();
    memory.finished()
}

fn fates(plan: &MemoryPlan) -> Vec<MemoryFate> {
    plan.rows.iter().map(|row| row.fate).collect()
}

fn there() -> At {
    At { home: "/h/.gemini".into(), project: Some("/p/lamp".into()), ..At::default() }
}

#[test]
fn a_file_without_anything_in_it_is_no_memory() {
    let mut tree = Tree::default();
    for (path, text) in [("4.md", "\n"), ("tabs.md", "Indent with tabs.\n")] {
        let file = Stored { layer: Layer::Memory, bytes: text.into(), ..Stored::default() };
        tree.put(format!("/h/.gemini/tmp/lamp/memory/{path}"), file);
    }
    let memories = gemini().read(&tree, &there()).memories;
    let [memory] = &memories[..] else { panic!("{memories:?}") };
    assert_eq!(memory.body_md, "Indent with tabs.");
}

#[test]
fn every_layer_of_a_project_is_read() {
    let at = at("lamp");
    let tree = gather(gemini(), &at);
    let read = gemini().read(&tree, &at);
    let told: Vec<_> = read
        .memories
        .iter()
        .map(|one| {
            let source = &one.source;
            let path = Utf8Path::new(&source.path).strip_prefix(fixture()).unwrap();
            let line = source.first_line.unwrap();
            format!("{path}:{line} {:?} {:?} {}", source.layer, one.kind, one.title)
        })
        .collect();
    let want = [
        "home/.gemini/GEMINI.md:5 Instructions Instruction Short answers.",
        "home/.gemini/GEMINI.md:6 Instructions Instruction No tables.",
        "home/.gemini/GEMINI.md:9 Memory User I live in Bergen.",
        "home/.gemini/GEMINI.md:10 Memory User I like @mentions in `code` only.",
        "home/.gemini/tmp/lamp/memory/MEMORY.md:5 Memory Reference The bulb is changed on Mondays.",
        "home/.gemini/tmp/lamp/memory/notes.md:1 Memory Reference notes",
        "home/.gemini/tmp/lamp/memory/port.md:1 Memory Reference port",
        "lamp/GEMINI.md:3 Instructions Instruction Lamp",
        "lamp/docs/more.md:3 Instructions Instruction More",
        "lamp/src/RULES.md:3 Instructions Instruction Source",
    ];
    assert_eq!(told, want);
    let levels: Vec<_> = read.memories.iter().map(|one| one.scope.level).collect();
    assert!(levels[..4].iter().all(|level| *level == Level::Global));
    assert!(levels[4..].iter().all(|level| *level == Level::Project));
    let notes: Vec<_> = read.notes.list().iter().map(|note| note.kind.words()).collect();
    assert_eq!(notes, ["missed memories that an index names", "did not follow imports"]);
}

#[test]
fn a_context_file_stands_in_for_an_index_that_is_not_there() {
    let at = at("kite");
    let mut tree = gather(gemini(), &at);
    let own: Vec<_> = gemini().read(&tree, &at).memories;
    let kite = own.iter().find(|one| one.title == "Kite").unwrap();
    assert_eq!((kite.kind, kite.source.layer), (MemoryKind::Project, Layer::Memory));
    assert_eq!(kite.source.generation, "fallback");
    let scope =
        MemoryScope { level: Level::Project, cwd: Some(at.project.clone().unwrap().into()) };
    let one = Memory { scope, ..memory(Level::Project, "String", "It is long.") }.finished();
    let plan = gemini().write(&[one], &tree, &at, &How::default());
    assert!(plan.warnings[0].contains("is not loaded any more"), "{:?}", plan.warnings);
    apply(&plan, &mut tree);
    let rules: Vec<_> = gemini().check(&tree, &at).iter().map(|(_, one)| one.rule).collect();
    assert!(rules.contains(&"not_loaded"), "{rules:?}");
}

#[test]
fn a_check_tells_what_is_not_found() {
    let at = at("lamp");
    let told: Vec<_> = gemini()
        .check(&gather(gemini(), &at), &at)
        .iter()
        .map(|(path, one)| format!("{}:{} {}", path.file_name().unwrap(), one.line, one.rule))
        .collect();
    let want = [
        "MEMORY.md:4 missing_file",
        "notes.md:1 no_description",
        "notes.md:0 not_in_index",
        "more.md:3 import",
    ];
    assert_eq!(told, want);
}

#[test]
fn layers_stay_apart_and_a_second_run_changes_nothing() {
    let (at, mut tree) = (there(), Tree::default());
    let human =
        Stored { bytes: b"# Mine\n".to_vec(), layer: Layer::Instructions, ..Stored::default() };
    tree.put("/h/.gemini/GEMINI.md", human);
    let far = MemoryScope { level: Level::Project, cwd: Some("/p/kite".to_owned()) };
    let mut wanted = vec![
        memory(Level::Global, "Ask @ada", "Ask @ada/docs.md first."),
        memory(Level::Project, "Port of @lamp", "It is 4100, see @docs/port.md."),
        Memory { scope: far, ..memory(Level::Project, "Kite", "Sundays.") }.finished(),
    ];
    let write = |wanted: &[Memory], tree: &Tree| gemini().write(wanted, tree, &at, &How::default());
    let first = write(&wanted, &tree);
    assert_eq!(fates(&first), [MemoryFate::New, MemoryFate::New, MemoryFate::Dropped]);
    apply(&first, &mut tree);
    let text = |tree: &Tree, path: &str| tree.get(Utf8Path::new(path)).unwrap().text().into_owned();
    let global = text(&tree, "/h/.gemini/GEMINI.md");
    assert!(global.starts_with("# Mine\n\n<!-- segue:memory:start hash="), "{global}");
    assert!(global.contains("Ask ＠ada/docs.md first.") && !global.contains("4100"), "{global}");
    let index = text(&tree, "/h/.gemini/tmp/lamp/memory/MEMORY.md");
    assert!(
        index.starts_with("- [Port of ＠lamp](port-of-lamp.md) — ") && !index.contains('@'),
        "{index}"
    );
    let topic = text(&tree, "/h/.gemini/tmp/lamp/memory/port-of-lamp.md");
    assert!(
        topic.contains("see @docs/port.md.") && topic.contains("modified: 2026-02-03"),
        "{topic}"
    );
    assert_eq!(text(&tree, "/h/.gemini/tmp/lamp/.project_root"), "/p/lamp");
    let second = write(&wanted, &tree);
    assert!(second.changes.is_empty(), "{:?}", fates(&second));

    wanted[1] = memory(Level::Project, "Port of @lamp", "It is 4200.");
    let third = write(&wanted, &tree);
    assert_eq!(fates(&third)[..2], [MemoryFate::Same, MemoryFate::Changed]);
    let touched = Stored { bytes: topic.replace("4100", "4101").into(), ..Stored::default() };
    tree.put("/h/.gemini/tmp/lamp/memory/port-of-lamp.md", touched);
    let fourth = write(&wanted, &tree);
    assert_eq!(fates(&fourth)[..2], [MemoryFate::Same, MemoryFate::Conflict]);
    assert!(fourth.changes.is_empty());
}

#[test]
fn an_untouched_store_is_written_back_byte_for_byte() {
    let at = at("lamp");
    let tree = gather(gemini(), &at);
    let own: Vec<_> = gemini().read(&tree, &at).memories;
    let files: Vec<_> = own.into_iter().filter(|one| one.verbatim.is_some()).collect();
    assert_eq!(files.len(), 2);
    for one in &files {
        let bytes = tree.bytes(Utf8Path::new(&one.source.path)).unwrap();
        assert_eq!(one.verbatim.as_ref().unwrap().as_bytes(), bytes);
    }
    let plan = gemini().write(&files, &tree, &at, &How::default());
    assert!(plan.changes.is_empty() && fates(&plan) == [MemoryFate::Same; 2]);
}

#[test]
fn proposals_are_patches_that_the_inbox_takes() {
    let at = At {
        roots: vec![Root { store: "/h/.gemini/tmp/l".into(), cwd: Some("/p/lamp".into()) }],
        ..there()
    };
    let mut tree = Tree::default();
    let human =
        Stored { bytes: b"# Mine\n".to_vec(), layer: Layer::Instructions, ..Stored::default() };
    tree.put("/h/.gemini/GEMINI.md", human);
    let wanted = [
        memory(Level::Global, "Tabs", "Tabs only."),
        memory(Level::Project, "Port", "It is 4100."),
    ];
    let propose = |tree: &Tree| gemini().propose(&wanted, tree, &at, &How::default());
    let plan = propose(&tree);
    let paths: Vec<_> = plan.changes.iter().map(|change| change.path.as_str()).collect();
    let inbox = "/h/.gemini/tmp/l/memory/.inbox";
    let [global, private] = ["global", "private"].map(|kind| format!("{inbox}/{kind}/segue.patch"));
    assert_eq!(paths, [&global, &private]);
    apply(&plan, &mut tree);
    let text = |path: &str| tree.get(Utf8Path::new(path)).unwrap().text().into_owned();
    let patch = text(&private);
    let lines: Vec<_> = patch.lines().collect();
    assert_eq!(
        lines[1..4],
        ["--- /dev/null", "+++ /h/.gemini/tmp/l/memory/port.md", "@@ -0,0 +1,11 @@"]
    );
    assert!(
        patch.contains("+++ /h/.gemini/tmp/l/memory/MEMORY.md\n@@ -0,0 +1 @@\n+- [Port](port.md)"),
        "{patch}"
    );
    let patch = text(&global);
    assert!(
        patch.contains("--- /h/.gemini/GEMINI.md\n+++ /h/.gemini/GEMINI.md\n@@ -1 +1,"),
        "{patch}"
    );
    let again = propose(&tree);
    assert_eq!((again.changes.len(), fates(&again)), (0, vec![MemoryFate::Same; 2]));
    let touched = Stored { bytes: (patch + "# by hand\n").into(), ..Stored::default() };
    tree.put(global.as_str(), Stored { layer: Layer::Settings, ..touched });
    let last = propose(&tree);
    assert_eq!((last.changes.len(), fates(&last)[0]), (0, MemoryFate::Conflict));
}

#[test]
fn only_its_own_files_are_recognised() {
    let layer =
        |path: &str| gemini().recognises(Utf8Path::new(path), "text").map(|shelf| shelf.layer);
    assert_eq!(layer("/u/.gemini/tmp/lamp/memory/MEMORY.md"), Some(Layer::Memory));
    assert_eq!(layer("/u/lamp/GEMINI.md"), Some(Layer::Instructions));
    assert_eq!(layer("/u/lamp/docs/MEMORY.md"), None);
    assert_eq!(layer("/u/lamp/README.md"), None);
}

#[test]
fn no_memory_gets_the_name_of_a_context_file() {
    let (at, mut tree) = (there(), Tree::default());
    let named = Memory { name: "GEMINI".into(), ..memory(Level::Project, "Style", "Short.") };
    let wanted = [named.finished()];
    let plan = gemini().write(&wanted, &tree, &at, &How::default());
    assert_eq!(fates(&plan), [MemoryFate::New]);
    apply(&plan, &mut tree);
    let file = Utf8Path::new("/h/.gemini/tmp/lamp/memory/GEMINI-2.md");
    assert!(tree.get(file).is_some(), "{:?}", plan.changes);
    let again = gemini().write(&wanted, &tree, &at, &How::default());
    assert!(again.changes.is_empty() && fates(&again) == [MemoryFate::Same]);
}
