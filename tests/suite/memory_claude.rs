//! Memories of Claude Code: every generation read, untouched ones written back byte for byte, and no
//! limit passed.

use camino::{Utf8Path, Utf8PathBuf};
use segue::discover::memories::{gather, gather_file};
use segue::harness::memory::folder::{MOST_BYTES, MOST_LINES};
use segue::harness::memory::{At, How, Memories, Root, Stored, Tree, by_name};
use segue::model::{DatedBy, Layer, Level, Memory, MemoryKind, MemoryScope};
use segue::plan::{MemoryFate, MemoryPlan};

use crate::data;

const HOME: &str = "/h/.claude";
const STORE: &str = "/h/.claude/projects/-p-shop/memory";

fn claude() -> &'static dyn Memories {
    by_name("claude").unwrap()
}

fn at() -> At {
    At {
        home: HOME.into(),
        user: Some("/h".into()),
        project: Some("/p/shop".into()),
        ..At::default()
    }
}

/// A tree of files, each on the shelf where the harness would find it.
fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::default();
    let shelves = claude().shelves(&at());
    for (path, text) in files {
        let path = Utf8Path::new(path);
        let fits = shelves
            .iter()
            .filter(|shelf| path.starts_with(&shelf.path) && path.as_str().ends_with(shelf.suffix));
        let shelf = fits.max_by_key(|shelf| shelf.path.as_str().len()).unwrap();
        let file = Stored {
            shelf: shelf.path.clone(),
            layer: shelf.layer,
            scope: shelf.scope.clone(),
            bytes: text.as_bytes().to_vec(),
            modified_at: Some("2026-04-05T06:07:08Z".to_owned()),
            ..Stored::default()
        };
        tree.put(path, file);
    }
    tree
}

fn read(files: &[(&str, &str)]) -> Vec<Memory> {
    claude().read(&tree(files), &at()).memories
}

fn apply(plan: &MemoryPlan, tree: &mut Tree) {
    for change in &plan.changes {
        assert_eq!(change.before, tree.bytes(&change.path), "{}", change.path);
        let bytes = change.after.clone().unwrap();
        let modified_at = change.modified_at.clone();
        let scope = MemoryScope { level: Level::Project, cwd: Some("/p/shop".into()) };
        let layer = if change.path.starts_with(STORE) { Layer::Memory } else { Layer::Rules };
        let shelf = STORE.into();
        tree.put(
            change.path.clone(),
            Stored { shelf, layer, scope, bytes, modified_at, ..Stored::default() },
        );
    }
}

#[test]
fn a_memory_that_is_its_summary_alone_is_read_and_an_empty_one_is_none() {
    let told = "---\nname: tabs\ndescription: Indent with tabs\ntype: feedback\n---\n\n";
    let files = [
        ("/h/.claude/projects/-p-shop/memory/tabs.md", told),
        ("/h/.claude/projects/-p-shop/memory/none.md", ""),
    ];
    let memories = read(&files);
    let [memory] = &memories[..] else { panic!("{memories:?}") };
    assert_eq!((memory.summary.as_str(), memory.body_md.as_str()), ("Indent with tabs", ""));
}

#[test]
fn every_generation_of_topic_files_is_read() {
    let first = "---\nname: How we release\ndescription: Tags, then notes\ntype: project\n---\nTag first.\n";
    let with_session = "---\nname: x\ndescription: \"a: b\"\ntype: user\noriginSessionId: 5e90e000-0000-4000-8000-000000000001\n---\n\nAda.\n";
    let nested = "---\nname: n\ndescription: d\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: s\n  modified: 2026-07-29T13:16:34.420Z\n  pinned: true\n  mood: calm\n---\n\nRule.\n\n**Why:** because\nof that\n\n**How to apply:** always\n";
    let odd = "---\nname: r\ndescription: d\ntype: report\n---\nNumbers.\n";
    let files = [
        ("/h/.claude/projects/-p-shop/memory/a.md", first),
        ("/h/.claude/projects/-p-shop/memory/b.md", with_session),
        ("/h/.claude/projects/-p-shop/memory/c.md", nested),
        ("/h/.claude/projects/-p-shop/memory/d.md", odd),
        ("/h/.claude/projects/-p-shop/memory/feedback_e.md", "No head at all.\n"),
        ("/h/.claude/projects/-p-shop/memory/team/f.md", first),
        (
            "/h/.claude/projects/-p-shop/memory/MEMORY.md",
            "- [E](feedback_e.md) — what E says\n\n## Loose\n\nA memory in the index.\n",
        ),
    ];
    let found = read(&files);
    let told: Vec<_> = found
        .iter()
        .map(|one| (one.title.as_str(), one.kind, one.source.generation.as_str()))
        .collect();
    let want = [
        ("Loose", MemoryKind::Reference, "index_text"),
        ("How we release", MemoryKind::Project, "front_matter_1"),
        ("x", MemoryKind::User, "front_matter_1"),
        ("n", MemoryKind::Feedback, "front_matter_2"),
        ("r", MemoryKind::Reference, "front_matter_1"),
        ("feedback e", MemoryKind::Feedback, "plain"),
        ("How we release", MemoryKind::Project, "front_matter_1"),
    ];
    assert_eq!(told, want);
    let [_, _, b, c, d, e, _] = &found[..] else { panic!("{}", found.len()) };
    assert_eq!(b.source.session_id.as_deref(), Some("5e90e000-0000-4000-8000-000000000001"));
    assert_eq!(b.summary, "a: b");
    assert_eq!(c.updated_at.as_deref(), Some("2026-07-29T13:16:34.420Z"));
    assert_eq!((c.dated_by, b.dated_by), (Some(DatedBy::Field), Some(DatedBy::File)));
    assert_eq!(
        (c.why.as_deref(), c.how_to_apply.as_deref()),
        (Some("because of that"), Some("always"))
    );
    assert!(c.flags.pinned && c.extra["mood"] == "calm");
    assert_eq!(d.kind_as_written.as_deref(), Some("report"));
    assert_eq!(e.summary, "what E says");
    assert!(found.iter().all(|one| one.scope.cwd.as_deref() == Some("/p/shop")));
}

#[test]
fn what_humans_and_sub_agents_write_is_told_apart() {
    let found = read(&[
        ("/h/.claude/CLAUDE.md", "- Speak German\n- Be short\n"),
        (
            "/p/shop/CLAUDE.md",
            "# Shop\n\n<!-- a note -->\n\nUse pnpm.\n\n<!-- segue:pack:start hash=1 -->\n# Pack\nwords\n<!-- segue:pack:end -->\n",
        ),
        ("/p/shop/.claude/rules/api.md", "---\npaths: [\"src/**\"]\n---\n# API\n\nValidate.\n"),
        ("/p/shop/.claude/agent-memory/reviewer/MEMORY.md", "# Notes\n\n- Look at tests first\n"),
        (
            "/h/.claude/projects/-p-shop/5e90e000/session-memory/summary.md",
            "# Session Title\n_A short title_\n\nMend the till\n\n# Learnings\n_What was learnt_\n\nIt rounds.\n",
        ),
    ]);
    let told: Vec<_> =
        found.iter().map(|one| (one.body_md.as_str(), one.source.layer, one.scope.level)).collect();
    let want = [
        ("Speak German", Layer::Instructions, Level::Global),
        ("Be short", Layer::Instructions, Level::Global),
        (
            "# Session Title\n\nMend the till\n\n# Learnings\n\nIt rounds.",
            Layer::Session,
            Level::Project,
        ),
        ("Look at tests first", Layer::Agent, Level::Project),
        ("For files `src/**`:\n\n# API\n\nValidate.", Layer::Rules, Level::Project),
        ("Use pnpm.", Layer::Instructions, Level::Project),
    ];
    assert_eq!(told, want);
    assert_eq!(found[2].title, "Mend the till");
    assert_eq!(found[3].keywords.last().map(String::as_str), Some("reviewer"));
    assert_eq!(found[4].extra["paths"], serde_json::json!(["src/**"]));
}

#[test]
fn a_rule_for_some_files_says_so_in_every_other_place() {
    let found = read(&[(
        "/p/shop/.claude/rules/api.md",
        "---\npaths:\n  - \"src/api/**/*.ts\"\n---\nValidate every input.\n",
    )]);
    assert_eq!(found[0].summary, "For files `src/api/**/*.ts`: Validate every input.");
    for name in ["codex", "gemini", "hermes"] {
        let root = Root { store: "/h/.x/shop".into(), cwd: Some("/p/shop".into()) };
        let at = At { home: "/h/.x".into(), roots: vec![root], ..at() };
        let plan = by_name(name).unwrap().write(&found, &Tree::default(), &at, &How::default());
        let texts = plan.changes.iter().filter_map(|change| change.after.as_deref());
        let texts = texts.map(String::from_utf8_lossy).collect::<Vec<_>>().concat();
        assert!(texts.contains("For files `src/api/**/*.ts`: Validate"), "{name}: {texts}");
        assert!(plan.rows[0].lost.contains(&"paths"), "{name}: {:?}", plan.rows[0]);
    }
}

#[test]
fn a_store_is_known_by_its_sessions_and_else_by_its_name() {
    let home = tempfile::tempdir().unwrap();
    let home = Utf8PathBuf::from_path_buf(home.path().canonicalize().unwrap()).unwrap();
    let put = |path: &str, text: &str| {
        let path = home.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let line = r#"{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","cwd":"/p/a-b","version":"2.1.0","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hi"}}"#;
    put("projects/-p-a-b/memory/one.md", "One.\n");
    put("projects/-p-a-b/5e90e000-0000-4000-8000-000000000001.jsonl", line);
    put("projects/-p-a-c/memory/two.md", "Two.\n");
    put("projects/-p-a-d/5e90e000-0000-4000-8000-000000000002.jsonl", line);
    let roots = claude().roots(&home).unwrap();
    let told: Vec<_> = roots
        .iter()
        .map(|Root { store, cwd }| {
            (store.file_name().unwrap(), cwd.as_ref().map(|cwd| cwd.as_str()))
        })
        .collect();
    assert_eq!(told, [("-p-a-b", Some("/p/a-b")), ("-p-a-c", None)]);
    let bodies = |project: &str| {
        let at = At {
            home: home.clone(),
            project: Some(project.into()),
            roots: roots.clone(),
            ..At::default()
        };
        let tree = gather(claude(), &at);
        claude().read(&tree, &at).memories.into_iter().map(|one| one.body_md).collect::<Vec<_>>()
    };
    // The name alone fits both `/p/a-b` and `/p/a/b`; the session says which it is.
    assert_eq!(bodies("/p/a-b"), ["One."]);
    assert_eq!(bodies("/p/a/c"), ["Two."]);
    assert_eq!(bodies("/q"), [""; 0]);
    let all = At { home: home.clone(), roots: roots.clone(), ..At::default() };
    assert_eq!(claude().read(&gather(claude(), &all), &all).memories.len(), 2);
}

#[test]
fn the_settings_can_name_another_folder() {
    let mut tree = tree(&[
        ("/h/.claude/settings.json", r#"{"autoMemoryDirectory": "~/notes"}"#),
        ("/p/shop/.claude/settings.local.json", r#"{"autoMemoryDirectory": "/p/kept"}"#),
    ]);
    let more = claude().more(&tree, &at());
    assert_eq!(more.iter().map(|shelf| shelf.path.as_str()).collect::<Vec<_>>(), ["/p/kept"]);
    let memory = Memory { title: "T".into(), body_md: "B".into(), ..Memory::default() }.finished();
    let plan = claude().write(&[memory], &tree, &at(), &How::default());
    assert_eq!(plan.changes[0].path, "/p/kept/t.md");
    tree.files.remove(Utf8Path::new("/p/shop/.claude/settings.local.json"));
    assert_eq!(claude().more(&tree, &at())[0].path, "/h/notes");
}

#[test]
fn the_settings_of_a_repository_name_no_folder_outside_of_it() {
    let shared = "/p/shop/.claude/settings.json";
    for (folder, is_taken) in [
        ("/p/shop/docs/memory", true),
        ("/h/.claude/projects/-p-shop/notes", true),
        ("/h/.claude/notes", false),
        ("/h/.claude/projects/-p-other/memory", false),
        ("/h/.claude/../.ssh", false),
        ("/p/kept", false),
        ("/p/shop/../kept", false),
        ("~/.ssh", false),
        ("/", false),
    ] {
        let tree = tree(&[(shared, &format!("{{\"autoMemoryDirectory\": \"{folder}\"}}"))]);
        let more = claude().more(&tree, &at());
        assert_eq!(more.iter().any(|shelf| shelf.path == folder), is_taken, "{folder}");
        let notes = claude().read(&tree, &at()).notes.list();
        let noted = notes.iter().filter(|note| note.name.starts_with(shared)).count();
        assert_eq!(noted, usize::from(!is_taken), "{folder}: {notes:?}");
    }
    // What holds everything is no folder of memories, whoever says so.
    for folder in ["/", "~/"] {
        let own = format!("{{\"autoMemoryDirectory\": \"{folder}\"}}");
        let tree = tree(&[("/h/.claude/settings.json", &own)]);
        assert!(claude().more(&tree, &at()).is_empty(), "{folder}");
    }
}

#[test]
fn untouched_memories_come_back_byte_for_byte() {
    let texts = [
        (
            "feedback_x.md",
            "---\nname: x\ndescription: \"a: b\"\nmetadata: \n  type: feedback\n---\n\n\nBody  \n\nlast",
        ),
        ("plain.md", "\u{feff}No head.\r\n"),
        (
            "user.md",
            "---\nname: Ada\ndescription: it is: odd\ntype: user\nfoo: [a, b]\n---\nAda.\n",
        ),
    ];
    let files: Vec<_> =
        texts.iter().map(|(name, text)| (format!("{STORE}/{name}"), *text)).collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let found = read(&files);
    let plan = claude().write(&found, &Tree::default(), &at(), &How::default());
    for (path, text) in &files {
        let change = plan.changes.iter().find(|change| change.path == *path).unwrap();
        let text = text.trim_start_matches('\u{feff}');
        assert_eq!(String::from_utf8(change.after.clone().unwrap()).unwrap(), text, "{path}");
        assert!(change.modified_at.is_some());
    }
    // Where they are already nothing changes.
    let again = claude().write(&found, &tree(&files), &at(), &How::default());
    assert!(again.changes.is_empty(), "{:?}", again.changes);
    // One that was changed on the way is written with a mark.
    let changed = Memory { body_md: "Other.".into(), ..found[0].clone() }.finished();
    let plan = claude().write(&[changed], &Tree::default(), &at(), &How::default());
    let text = String::from_utf8(plan.changes[0].after.clone().unwrap()).unwrap();
    assert!(text.contains("\n  segue: ") && text.ends_with("\n\nOther.\n"), "{text}");
}

#[test]
fn no_index_passes_its_limits_and_no_line_of_a_human_goes() {
    let mut rng = fastrand::Rng::with_seed(7);
    let words = |rng: &mut fastrand::Rng, most: usize| {
        let signs: Vec<char> = "abc déß日 \n[]()—:\"'#@`".chars().collect();
        (0..rng.usize(1..most)).map(|_| signs[rng.usize(..signs.len())]).collect::<String>()
    };
    for round in 0..40 {
        let own: String =
            (0..rng.usize(..150)).map(|at| format!("- [Mine {at}](m{at}.md) — kept\n")).collect();
        let index = format!("{STORE}/MEMORY.md");
        let mut tree =
            if own.is_empty() { Tree::default() } else { tree(&[(index.as_str(), own.as_str())]) };
        let wanted: Vec<Memory> = (0..rng.usize(1..200))
            .map(|at| {
                let mut memory = Memory {
                    title: words(&mut rng, 120),
                    summary: words(&mut rng, 300),
                    body_md: format!("{at} {}", words(&mut rng, 400)),
                    ..Memory::default()
                };
                memory.source.key = at.to_string();
                memory.finished()
            })
            .collect();
        let plan = claude().write(&wanted, &tree, &at(), &How::default());
        assert_eq!(plan.rows.len(), wanted.len());
        apply(&plan, &mut tree);
        if let Some(file) = tree.get(Utf8Path::new(&index)) {
            let text = file.text();
            let (lines, bytes) = (text.lines().count(), text.len());
            let most = (MOST_LINES.max(own.lines().count()), MOST_BYTES.max(own.len()));
            assert!(
                lines <= most.0 && bytes <= most.1,
                "round {round}: {lines} lines, {bytes} bytes"
            );
            assert!(text.starts_with(&own), "round {round}");
        }
        let again = claude().write(&wanted, &tree, &at(), &How::default());
        assert!(again.changes.is_empty(), "round {round}: {:?}", again.changes.first());
        let there = again.rows.iter().filter(|row| row.fate == MemoryFate::Same).count();
        let written = plan.rows.iter().filter(|row| row.fate != MemoryFate::Dropped).count();
        assert_eq!(there, written, "round {round}");
    }
}

#[test]
fn memories_of_the_corpus_are_read_and_others_refused() {
    let Some(folder) = data::folder("corpus/memory") else { return };
    let (mut read, mut refused) = (Vec::new(), 0);
    for path in data::files(&folder) {
        let path = Utf8PathBuf::from_path_buf(path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let found = segue::harness::memory::ALL
            .iter()
            .find_map(|of| Some((*of, of.recognises(&path, &text)?)));
        let Some((of, shelf)) = found else {
            refused += 1;
            continue;
        };
        let at = At { home: path.parent().unwrap().to_owned(), ..At::default() };
        let tree = gather_file(of, shelf, &at);
        let memories = of.read(&tree, &at).memories;
        assert!(!memories.is_empty(), "{path}");
        read.push((of.name(), path.file_name().unwrap().to_owned()));
    }
    let want = [
        ("claude", "MEMORY.md"),
        ("claude", "feedback-endpoint-deployment.md"),
        ("claude", "MEMORY.md"),
        ("claude", "MEMORY.md"),
        ("hermes", "MEMORY.md"),
        ("hermes", "USER.md"),
    ];
    assert_eq!(read, want.map(|(of, name)| (of, name.to_owned())));
    assert_eq!(refused, 11);
}

#[test]
fn a_title_is_one_line_whatever_ends_the_lines_of_its_file() {
    let odd = "---\nname: tabs-not.\r-blanks\ndescription: d\ntype: feedback\n---\nIndent.\n";
    let memories = read(&[("/h/.claude/projects/-p-shop/memory/tabs.md", odd)]);
    assert_eq!(memories[0].title, "tabs-not. -blanks");
}
