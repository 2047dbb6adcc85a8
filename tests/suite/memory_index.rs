//! The index of a folder of memories: how its links are read, and what becomes of its lines.

use std::fs;
use std::path::{Path, PathBuf};

use crate::memory::{Place, fates};

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
    // What is left is still the copy that was made, and is brought up to date; what was taken out does
    // not come back by itself.
    place.put(&index(&place), "- [T](tea.md) — all about tea\n- [C](coffee.md) — about coffee\n");
    let plan = migrate();
    assert_eq!(fates(&plan), ["conflict", "same"], "{plan}");
    let why = plan["rows"][0]["reason"].as_str().unwrap();
    assert_eq!(why, "it was taken out there since it was written");
    for folder in copies(&place) {
        assert_eq!(text(&folder.join("MEMORY.md")), "- [T](tea.md) — all about tea\n");
        assert!(!folder.join("coffee.md").exists());
    }
    // Where only one of the stores lost it, it is no human's doing.
    let [first, second] = copies(&place).map(|folder| folder.join("tea.md"));
    fs::remove_file(&second).unwrap();
    migrate();
    assert_eq!(text(&first), text(&second));
}

#[test]
fn a_link_is_the_same_however_it_is_spelled() {
    let place = Place::new();
    for name in ["my note", "b", "ü", "c", "d", "e"] {
        place.put(&place.store().join(format!("{name}.md")), &format!("Says {name}.\n"));
    }
    topic(&place, "a/deep/f.md", "f");
    let told = "- [N](my%20note.md) — of notes\n1. [B](<b.md>) — of b\n* **[U](%C3%BC.md)** — of ü\n\
                - [C](./c.md \"title\") — of c\n- [F](a/deep/f.md)\n\n[D](d.md) and\nmore in [E](e.md#top).\n";
    place.put(&index(&place), told);
    let said = place.run(&["check", "claude"]);
    let is_told = ["is not there", "no index points"].iter().any(|why| said.stdout.contains(why));
    assert!(said.code == 0 && !is_told, "{}", said.stdout);
    let said = place.run(&["export", "claude"]);
    assert!(!said.stderr.contains("missed"), "{}", said.stderr);
    for hook in ["of notes", "of b", "of ü", "of c"] {
        assert!(
            said.stdout.contains(&format!("\"summary\":\"{hook}\"")),
            "{hook}: {}",
            said.stdout
        );
    }
    place.run(&["migrate", "--from", "claude", "--to", "codex", "--write"]);
    for folder in copies(&place) {
        assert_eq!(text(&folder.join("MEMORY.md")), told);
    }
    // What is not there is told once, whether an item or a sentence names it.
    place.put(&index(&place), &told.replace("./c.md", "./no%20c.md").replace("(e.md", "(no-e.md"));
    let said = place.run(&["check", "claude"]).stdout;
    assert!(said.contains(":4: `./no c.md` is not there; take the line out ["), "{said}");
    assert!(said.contains(":8: `no-e.md` is not there; take the link out ["), "{said}");
    assert_eq!(said.matches("no index points").count(), 2, "{said}");
}

#[test]
fn a_line_that_is_written_leads_to_its_file() {
    let place = Place::new();
    for name in ["my note", "50%20", "a(b"] {
        place.put(&place.store().join(format!("{name}.md")), &format!("Says {name}.\n"));
    }
    place.run(&["migrate", "--from", "claude", "--to", "codex", "--write"]);
    for folder in copies(&place) {
        let told = text(&folder.join("MEMORY.md"));
        for link in ["(my%20note.md)", "(50%2520.md)", "(a%28b.md)"] {
            assert!(told.contains(link), "{told}");
        }
    }
    let remove = ["edit", "codex", "--match", "Says my", "--remove", "--write"];
    assert_eq!(place.run(&remove).code, 0);
    let left = text(&copies(&place)[1].join("MEMORY.md"));
    assert!(!left.contains("note") && left.lines().count() == 2, "{left}");
}

#[test]
fn a_line_that_is_brought_up_to_date_is_that_of_its_file_alone() {
    let place = Place::new();
    topic(&place, "tea.md", "tea");
    place.json(&["migrate", "--from", "claude", "--to", "gemini", "--json", "--write"]);
    let index = place.path("home/.gemini/tmp/project/memory/MEMORY.md");
    let told = "Tea is in [T](tea.md), my words.\n";
    place.put(&index, &format!("{told}{}", text(&index)));
    let file = place.store().join("tea.md");
    place.put(&file, &text(&file).replace("about tea", "all of tea"));
    place.put(&file, &text(&file).replace("Says tea.", "Tells of tea."));
    let plan = place.json(&["migrate", "--from", "claude", "--to", "gemini", "--json", "--write"]);
    assert_eq!(fates(&plan), ["changed"], "{plan}");
    assert_eq!(text(&index), format!("{told}- [tea](tea.md) — all of tea\n"));
}

#[test]
fn titles_of_signs_are_told_apart() {
    let place = Place::new();
    topic(&place, "tea.md", "tea");
    let said = place.run(&["export", "claude"]);
    let one: serde_json::Value = serde_json::from_str(said.stdout.lines().next().unwrap()).unwrap();
    let record = |(title, text): (&str, &str)| {
        let mut record = one.clone();
        (record["title"], record["body_md"]) = (title.into(), text.into());
        (record["name"], record["source"]["key"]) = ("".into(), text.into());
        format!("{record}\n")
    };
    let file = place.path("records.ndjson");
    let records =
        [("🚀", "It flies."), ("🎉", "It sings."), ("🚀 Port", "It is 1."), ("Port", "It is 2.")];
    fs::write(&file, records.map(record).concat()).unwrap();
    for to in ["claude", "gemini"] {
        let plan = place.json(&["import", file.to_str().unwrap(), "--to", to, "--json"]);
        assert_eq!(fates(&plan), ["new"; 4], "{plan}");
    }
}

#[test]
fn an_item_on_a_file_outside_does_not_come_along() {
    let place = Place::new();
    topic(&place, "tea.md", "tea");
    let items = "- [tea](tea.md) — about tea\n- [X](../outside.md) — x\n- [Y](/abs/y.md) — y\n";
    place.put(&index(&place), items);
    let said = place.run(&["migrate", "--from", "claude", "--to", "codex", "--write"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    for folder in copies(&place) {
        let want = "- [tea](tea.md) — about tea\n- [Y](/abs/y.md) — y\n";
        assert_eq!(text(&folder.join("MEMORY.md")), want);
    }
}
