//! The index of a folder of memories: how its links are read, and what becomes of its lines.

use std::fs;
use std::path::{Path, PathBuf};

use crate::memory::Place;

/// Puts a memory into a file of the project's store.
fn topic(place: &Place, file: &str, text: &str) {
    let text = format!(
        "---\nname: {text}\ndescription: about {text}\nmetadata: \n  type: user\n---\n\nSays {text}.\n"
    );
    place.put(&place.store().join(file), &text);
}

/// The index of the project's store.
fn index(place: &Place) -> PathBuf {
    place.store().join("MEMORY.md")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The folders of Codex with copies of the project's store.
fn copies(place: &Place) -> [PathBuf; 2] {
    let key = place.store().parent().unwrap().file_name().unwrap().to_owned();
    ["memories", "memories_v2"].map(|store| {
        let folder = place.path("home/.codex").join(store);
        folder.join("extensions/external_agent_import/resources").join(&key)
    })
}

#[test]
fn a_memory_that_goes_takes_only_its_own_item_of_the_index_along() {
    let place = Place::new();
    for name in ["tea", "coffee", "water"] {
        topic(&place, &format!("{name}.md"), name);
    }
    topic(&place, "team/milk.md", "milk");
    let told = "# Index\n\nTea is in [T](tea.md), coffee in [C](coffee.md).\n- [W](water.md) — see also [C](coffee.md)\n";
    let items = "- [C](./coffee.md) — about coffee\n- [M](team/milk.md) — about milk\n";
    place.put(&index(&place), &format!("{told}{items}"));
    let remove = |word: &str| {
        let said = place.run(&["edit", "claude", "--match", word, "--remove", "--write"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stderr
    };
    let named = |line: usize| {
        format!("warning: `{}:{line}` names it still: what else stands", index(&place).display())
    };
    let said = remove("Says coffee.");
    assert!(said.contains(&named(3)) && said.contains(&named(4)), "{said}");
    let said = remove("Says milk.");
    assert!(!said.contains("names it still"), "{said}");
    assert_eq!(text(&index(&place)), told);
    let said = remove("Says tea.");
    assert!(said.contains(&named(3)) && text(&index(&place)) == told, "{said}");
}

#[test]
fn a_copy_that_goes_takes_its_item_of_both_copied_indexes_along() {
    let place = Place::new();
    topic(&place, "tea.md", "tea");
    topic(&place, "coffee.md", "coffee");
    place.put(&index(&place), "- [T](tea.md) — about tea\n- [C](coffee.md) — about coffee\n");
    let migrate =
        || place.json(&["migrate", "--from", "claude", "--to", "codex", "--json", "--write"]);
    migrate();
    let remove = ["edit", "codex", "--match", "Says coffee.", "--remove", "--write"];
    assert_eq!(place.run(&remove).code, 0);
    for folder in copies(&place) {
        assert_eq!(text(&folder.join("MEMORY.md")), "- [T](tea.md) — about tea\n");
    }
    // It is still the copy that was made, and is brought up to date.
    place.put(&index(&place), "- [T](tea.md) — all about tea\n");
    fs::remove_file(place.store().join("coffee.md")).unwrap();
    migrate();
    for folder in copies(&place) {
        assert_eq!(text(&folder.join("MEMORY.md")), "- [T](tea.md) — all about tea\n");
    }
}
