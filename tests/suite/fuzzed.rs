//! What is promised to the fuzzers holds for every fixture; so they are also built with the tests.

use camino::Utf8Path;

use crate::{data, fuzz};

/// What is longer is left to them, as is most of the work.
const MOST_BYTES: usize = 6_000;

/// Gives `hold` each fixture of some kinds that is short, with its place below the folder of fixtures.
fn each(ends: &[&str], hold: impl Fn(&Utf8Path, &[u8])) {
    let folder = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"));
    let mut count = 0;
    for path in data::files(folder.as_std_path()) {
        let path = Utf8Path::from_path(&path).unwrap();
        let is_meant = path.extension().is_some_and(|end| ends.contains(&end));
        let bytes = if is_meant { std::fs::read(path).unwrap() } else { Vec::new() };
        if !bytes.is_empty() && bytes.len() <= MOST_BYTES {
            hold(path.strip_prefix(folder).unwrap(), &bytes);
            count += 1;
        }
    }
    assert!(count >= 5, "{count} fixtures that end with {ends:?}");
}

#[test]
fn sessions_are_read_packed_converted_and_checked() {
    each(&["json", "jsonl"], |path, bytes| {
        let first = path.components().next().unwrap().as_str();
        if ["claude", "codex", "gemini"].contains(&first) {
            fuzz::read::hold(first, bytes);
        }
        fuzz::lines::hold(bytes);
        fuzz::pack::hold(bytes);
        fuzz::carry::hold(bytes);
        fuzz::check::hold(bytes);
    });
}

#[test]
fn texts_are_guarded_counted_and_kept_around_a_block() {
    each(&["md", "json", "jsonl"], |_, bytes| {
        fuzz::guard::hold(bytes);
        fuzz::tokens::hold(bytes);
        fuzz::json::hold(bytes);
        fuzz::block::hold(&[bytes, b"\n=====\nA body\n"].concat());
    });
}

#[test]
fn memories_are_written_where_they_belong_and_templates_end() {
    each(&["md"], |_, bytes| {
        for (harness, place) in [
            ("claude", ".claude/CLAUDE.md"),
            ("codex", ".codex/memories/MEMORY.md"),
            ("gemini", ".gemini/GEMINI.md"),
            ("hermes", ".hermes/memories/MEMORY.md"),
        ] {
            let file = [format!("@@ {place}\n").as_bytes(), bytes].concat();
            fuzz::memory::hold(harness, &file);
        }
        fuzz::pack::template(bytes);
    });
}
