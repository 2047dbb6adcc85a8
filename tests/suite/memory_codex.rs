//! Memories of Codex: every form is read, and what is written is found again.

use camino::{Utf8Path, Utf8PathBuf};
use segue::discover::memories::gather;
use segue::harness::memory::{At, How, Memories, Read, Root, Stored, Tree, by_name};
use segue::model::{DatedBy, Layer, Level, Memory, MemoryKind, MemoryScope};
use segue::plan::MemoryFate;

fn codex() -> &'static dyn Memories {
    by_name("codex").unwrap()
}

fn fixture(name: &str) -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/memory/codex").join(name)
}

fn read(name: &str, project: Option<&str>) -> Read {
    let at = At { home: fixture(name), project: project.map(Into::into), ..At::default() };
    codex().read(&gather(codex(), &at), &at)
}

fn titled<'m>(read: &'m Read, start: &str) -> &'m Memory {
    let found = read.memories.iter().find(|memory| memory.title.starts_with(start));
    found.unwrap_or_else(|| panic!("no {start}: {:#?}", read.memories))
}

#[test]
fn a_preference_keeps_its_quote_and_knows_its_tasks() {
    let read = read("v1", None);
    let memory = titled(&read, "when a test is flaky");
    assert_eq!(memory.kind, MemoryKind::Feedback);
    assert!(memory.body_md.contains("\"find the cause, do not retry\""));
    assert_eq!(
        memory.how_to_apply.as_deref(),
        Some("look for shared state before a retry is added")
    );
    assert_eq!(memory.scope.cwd.as_deref(), Some("/home/ada/my shop"));
    assert_eq!(memory.extra["folders"], r"/home/ada/my shop, C:\work\shop");
    assert_eq!(memory.keywords, ["checkout", "flaky", "retry"]);
    assert_eq!(memory.outcome.as_deref(), Some("success"));
    assert_eq!(memory.links, ["2026-04-22T13-49-36-w0BD-checkout_tests"]);
    assert_eq!(memory.updated_at.as_deref(), Some("2026-04-22T14:20:00Z"));
    assert_eq!(memory.dated_by, Some(DatedBy::Field));
    assert_eq!(memory.source.first_line, Some(27));
    assert!(memory.source.key.starts_with("memories/MEMORY.md#"));
    assert!(memory.verbatim.as_deref().unwrap().ends_with("[Task 1]\n"));
    let both = titled(&read, "when reporting");
    assert_eq!(both.updated_at.as_deref(), Some("2026-05-01T10:00:00Z"));
    assert_eq!(both.keywords.len(), 5);
}

#[test]
fn an_entry_says_what_its_group_is_about() {
    let read = read("v1", None);
    let body = &titled(&read, "The checkout suite").body_md;
    let want = "shop checkout tests: The checkout suite needs `SHOP_DB=memory`\n\n\
                Scope: use when tests of the checkout fail or are slow; \
                reuse: safe while the test runner stays the same";
    assert_eq!(body, want);
    let text =
        "# Task Group: servers of the lamp team\n\n## Reusable knowledge\n- The port is 1.\n";
    let file = Stored { bytes: text.into(), layer: Layer::Memory, ..Stored::default() };
    let at = At { home: "/h/.codex".into(), ..At::default() };
    let mut tree = Tree::default();
    tree.put("/h/.codex/memories/MEMORY.md", file);
    let found = codex().read(&tree, &at).memories;
    for name in ["claude", "gemini", "hermes"] {
        let at = At { home: "/h/.other".into(), ..At::default() };
        let plan = by_name(name).unwrap().write(&found, &Tree::default(), &at, &How::default());
        let texts = plan.changes.iter().filter_map(|change| change.after.as_deref());
        let texts = texts.map(String::from_utf8_lossy).collect::<Vec<_>>().concat();
        assert!(texts.contains("servers of the lamp team: The port is 1."), "{name}: {texts}");
    }
}

#[test]
fn a_memory_that_stands_in_an_index_alone_is_read() {
    let text = "# Index\n\n- [Port](port.md) — 8080\n- Deploy on Mondays\n";
    let mut tree = Tree::default();
    let folder = "/h/.codex/memories/extensions/external_agent_import/resources/-p-x";
    for (name, text) in [("MEMORY.md", text), ("port.md", "The port is 8080.\n")] {
        let file = Stored { bytes: text.into(), layer: Layer::Imported, ..Stored::default() };
        tree.put(format!("{folder}/{name}"), file);
    }
    let at = At { home: "/h/.codex".into(), ..At::default() };
    let found = codex().read(&tree, &at).memories;
    let told: Vec<_> = found.iter().map(|one| one.body_md.as_str()).collect();
    assert_eq!(told, ["Deploy on Mondays", "The port is 8080."]);
    // Where it comes from it has a line already.
    let store = "/h/.claude/projects/-p-x";
    let mut claude = Tree::default();
    let file =
        Stored { shelf: format!("{store}/memory").into(), bytes: text.into(), ..Stored::default() };
    claude.put(format!("{store}/memory/MEMORY.md"), file);
    let root = Root { store: store.into(), cwd: Some("/p/x".into()) };
    let project = Some("/p/x".into());
    let at = At { home: "/h/.claude".into(), roots: vec![root], project, ..At::default() };
    let scope = MemoryScope { level: Level::Project, cwd: Some("/p/x".into()) };
    let wanted = [Memory { scope, ..found[0].clone() }.finished()];
    let plan = by_name("claude").unwrap().write(&wanted, &claude, &at, &How::default());
    assert_eq!(plan.rows[0].fate, MemoryFate::Same, "{plan:#?}");
}

#[test]
fn every_file_of_the_first_store_is_read() {
    let read = read("v1", None);
    assert!(read.notes.list().is_empty(), "{:?}", read.notes.list());
    let told: Vec<_> = read
        .memories
        .iter()
        .map(|one| (one.source.generation.as_str(), one.kind, one.scope.level, one.title.as_str()))
        .collect();
    let has = |generation, kind, level, title: &str| {
        let fits = told.contains(&(generation, kind, level, title));
        assert!(fits, "{title} is not in {told:#?}");
    };
    use Level::{Global, Project};
    has("handbook", MemoryKind::Reference, Project, "The checkout suite needs `SHOP_DB=memory`");
    has(
        "handbook",
        MemoryKind::Reference,
        Project,
        "tests hang -> the port is taken -> start with port 0",
    );
    has("handbook", MemoryKind::Reference, Project, "whether the nightly run may be parallel");
    has("handbook", MemoryKind::Task, Global, "write release notes, uncertain");
    has("summary", MemoryKind::User, Global, "User Profile");
    has("summary", MemoryKind::Reference, Global, "Run the formatter before the tests.");
    has("raw", MemoryKind::Task, Project, "make the checkout tests pass");
    has("rollout_summary", MemoryKind::Task, Project, "Checkout tests made to pass");
    has("skill", MemoryKind::Skill, Global, "release");
    has("front_matter_2", MemoryKind::Feedback, Project, "notes");
    let note = titled(&read, "Remember: the shop");
    assert_eq!((note.source.layer, note.dated_by), (Layer::Notes, Some(DatedBy::Name)));
    assert_eq!(note.updated_at.as_deref(), Some("2026-05-03T08:15:00Z"));
    assert_eq!(told.len(), 14, "{told:#?}");
    let odd = titled(&read, "whether the nightly");
    assert_eq!(odd.kind_as_written.as_deref(), Some("Open questions"));
    let raw = titled(&read, "make the checkout");
    assert_eq!(raw.outcome.as_deref(), Some("success"));
    assert_eq!(raw.keywords, ["checkout", "flaky"]);
    assert!(raw.body_md.starts_with("### Task 1"), "{}", raw.body_md);
}

#[test]
fn only_memories_of_the_project_and_of_all_are_read() {
    let one = read("v1", Some("/home/ada/shop"));
    assert!(one.memories.iter().any(|memory| memory.title == "notes"));
    assert!(!one.memories.iter().any(|memory| memory.title.starts_with("when a test is flaky")));
    let windows = read("v1", Some(r"C:\work\shop"));
    let memory = titled(&windows, "when a test is flaky");
    assert_eq!(memory.scope.cwd.as_deref(), Some(r"C:\work\shop"));
}

#[test]
fn the_older_handbook_and_the_second_store_are_read() {
    let older = read("older", None);
    assert_eq!(older.memories.len(), 3);
    let orders = titled(&older, "Orders are read");
    assert_eq!(orders.keywords, ["import", "csv", "orders"]);
    assert_eq!(orders.links, ["2026-02-02T10-00-00-abcd-import"]);
    assert_eq!(orders.scope.cwd.as_deref(), Some("/home/ada/shop"));
    assert_eq!(orders.updated_at.as_deref(), Some("2026-02-02T11:00:00Z"));
    assert_eq!(orders.source.generation, "handbook_head");
    assert_eq!(titled(&older, "Rates stand").scope.level, Level::Global);

    let second = read("v2", None);
    let told: Vec<_> = second.memories.iter().map(|one| one.title.as_str()).collect();
    let session = "2026-06-01T08-00-00-0199bbbb-0000-7000-8000-000000000001-prices";
    assert_eq!(told, ["User Profile", "shipping", session]);
    let shipping = titled(&second, "shipping");
    assert_eq!(shipping.summary, "how zones are chosen");
    assert_eq!(shipping.scope.cwd.as_deref(), Some("/home/ada/shop"));
}

#[test]
fn context_files_go_down_to_the_folder_and_the_window_is_told() {
    let project = fixture("project");
    let at = At {
        home: fixture("project_home"),
        cwd: Some(project.join("api")),
        project: Some(project),
        ..At::default()
    };
    let read = codex().read(&gather(codex(), &at), &at);
    let told: Vec<_> =
        read.memories.iter().map(|one| (one.scope.level, one.body_md.as_str())).collect();
    let want = [
        (Level::Global, "Answer in short sentences."),
        (Level::Project, "Only this one is read here, since it goes first."),
        (Level::Project, "Routes end without a slash."),
        (Level::Project, "This line stands beyond what is loaded."),
    ];
    assert_eq!(told, want);
    assert!(read.memories.iter().all(|one| one.source.layer.is_human()));
    let notes: Vec<_> = read.notes.list().iter().map(ToString::to_string).collect();
    let want = "found instructions beyond what the harness loads `HOUSE.md`: 1 (first at line 7)";
    assert_eq!(notes, [want]);
}

#[test]
fn only_its_own_files_are_recognised() {
    let is_own = |path: &str, text: &str| codex().recognises(path.into(), text).is_some();
    let handbook = std::fs::read_to_string(fixture("v1/memories/MEMORY.md")).unwrap();
    assert!(is_own("/x/MEMORY.md", &handbook));
    assert!(!is_own("/x/MEMORY.md", "# Memory\n\nHow memory is laid out.\n"));
    assert!(!is_own("/x/README.md", &handbook));
    assert!(is_own("/x/AGENTS.md", "Rules\n"));
    assert!(is_own("/x/memory_summary.md", "v1\n"));
    assert!(is_own("/x/a.md", "thread_id: 1\nrollout_path: /r\n\nText\n"));
    assert!(!is_own("/x/skills/a/SKILL.md", "---\nname: a\n---\n"));
}

#[test]
fn nothing_of_the_corpus_is_taken_for_its_own() {
    let Some(folder) = crate::data::folder("corpus/memory") else { return };
    for path in crate::data::files(&folder) {
        let path = Utf8PathBuf::from_path_buf(path).unwrap();
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        assert_eq!(codex().recognises(&path, &text), None, "{path}");
    }
}

#[test]
fn a_file_that_was_given_is_read_whole() {
    let path = fixture("v1/memories/MEMORY.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let shelf = codex().recognises(&path, &text).unwrap();
    let at = At { home: "/nowhere".into(), project: Some("/other".into()), ..At::default() };
    let tree = segue::discover::memories::gather_file(codex(), shelf, &at);
    assert_eq!(codex().read(&tree, &at).memories.len(), 6);
}
