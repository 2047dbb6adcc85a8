//! Holds the one way that the data goes: who may use whom, and where vendor words may stand.

use std::fs;
use std::path::{Path, PathBuf};

/// What each module may name with `crate::`, besides itself.
///
/// `cli` knows the chain and may name all. A module that is not there yet is passed over.
const MAY_USE: &[(&str, &[&str])] = &[
    ("note", &[]),
    // Text in, text out.
    ("block", &[]),
    ("plan", &["note"]),
    // The prose of an error points at notes.
    ("error", &["note"]),
    ("model", &["json", "note"]),
    ("json", &[]),
    ("jsonl", &["json", "note", "error"]),
    // What is made ready to be written.
    ("convert", &["model", "note"]),
    // Memories of one harness for another.
    ("migrate", &["model"]),
    ("harness", &["model", "json", "jsonl", "note", "plan", "block", "error"]),
    // Headers are read from files.
    ("discover", &["harness", "model", "jsonl", "error"]),
    ("derive", &["model", "guard", "note"]),
    ("select", &["derive", "guard", "model"]),
    // The tags of hosts come from the table of harnesses.
    ("guard", &["harness", "note"]),
    ("render", &["select", "guard", "error"]),
    ("export", &["model", "note", "error"]),
    ("worktree", &["note", "error"]),
    ("emit", &["plan", "guard", "error"]),
];

/// Words that belong to one vendor: names of harnesses, tools and record types.
const VENDOR_WORDS: &[&str] = &[
    "claude",
    "codex",
    "gemini",
    "hermes",
    "anthropic",
    "openai/",
    "apply_patch",
    "str_replace",
    "todowrite",
    "exitplanmode",
    "askuserquestion",
    "run_shell_command",
    "write_stdin",
    "update_plan",
    "rollout",
    "issidechain",
    "parentuuid",
];

#[test]
fn modules_only_look_upstream() {
    for (module, allowed) in MAY_USE {
        for file in sources(module) {
            let text = fs::read_to_string(&file).unwrap();
            for name in crate_names(&text) {
                let fine = name == *module || allowed.contains(&name);
                assert!(fine, "{}: {module} may not use crate::{name}", file.display());
            }
        }
    }
}

#[test]
fn every_module_has_its_row() {
    let lib = fs::read_to_string(src().join("lib.rs")).unwrap();
    let modules = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let rows: Vec<_> = MAY_USE.iter().map(|(module, _)| *module).collect();
    for module in modules.filter(|module| *module != "cli") {
        assert!(rows.contains(&module), "{module} has no row in MAY_USE");
    }
}

#[test]
fn vendor_words_stay_in_harness() {
    // Keys are named by who issues them, and agents by the variables that they heed.
    let names_issuers = ["guard/rules.rs", "guard/patterns.rs"].map(|name| src().join(name));
    let outside =
        |file: &PathBuf| !file.starts_with(src().join("harness")) && !names_issuers.contains(file);
    for file in files_under(&src()).into_iter().filter(outside) {
        let text = fs::read_to_string(&file).unwrap().to_lowercase();
        for word in VENDOR_WORDS {
            assert!(!text.contains(word), "{} says {word}", file.display());
        }
    }
}

/// Returns every name that follows `crate::`, alone or in braces.
fn crate_names(text: &str) -> impl Iterator<Item = &str> {
    let paths = text.split("crate::").skip(1);
    let names = paths.flat_map(|path| match path.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap().split(',').collect(),
        None => vec![path],
    });
    let word = |name: &'_ str| {
        let name = name.trim_start();
        name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len())
    };
    names.map(move |name| &name.trim_start()[..word(name)]).filter(|name| !name.is_empty())
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(module: &str) -> Vec<PathBuf> {
    let mut found = files_under(&src().join(module));
    found.extend(Some(src().join(format!("{module}.rs"))).filter(|file| file.exists()));
    found
}

fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files_under(&path)) } else { found.push(path) }
    }
    found
}

/// Returns the rows of a table of ARCHITECTURE.md by its head, cells without marks.
fn table(head: &str) -> Vec<Vec<String>> {
    let text = include_str!("../../ARCHITECTURE.md");
    let (_, rest) = text.split_once(head).unwrap();
    let rows = rest.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let inner = row.trim_start_matches("| ").trim_end_matches('|');
        inner.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    rows.map(cells).collect()
}

#[test]
fn the_architecture_has_the_same_table() {
    let told = table("| module | may use |");
    let held: Vec<_> = MAY_USE
        .iter()
        .map(|(module, others)| vec![(*module).to_owned(), others.join(", ")])
        .collect();
    assert_eq!(told, held);
}

/// Returns which modules use an outside crate, tests aside.
fn users(name: &str) -> Vec<String> {
    let uses = |text: &str| {
        let places =
            text.match_indices(name).map(|(at, _)| (&text[..at], &text[at + name.len()..]));
        let is_it = |(before, behind): (&str, &str)| {
            let begins = !before.ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c));
            begins
                && (behind.starts_with("::") || before.ends_with("use ") && behind.starts_with(';'))
        };
        places.into_iter().any(is_it)
    };
    let mut found: Vec<String> = Vec::new();
    for file in files_under(&src()) {
        let text = fs::read_to_string(&file).unwrap();
        let (text, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        let place = file.strip_prefix(src()).unwrap().iter().next().unwrap().to_str().unwrap();
        let module = place.strip_suffix(".rs").unwrap_or(place);
        if !found.iter().any(|known| known == module) && uses(text) {
            found.push(module.to_owned());
        }
    }
    found.sort();
    found
}

#[test]
fn the_architecture_names_every_outside_crate_and_its_places() {
    let manifest = include_str!("../../Cargo.toml");
    let (_, list) = manifest.split_once("[dependencies]\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let rows = table("| crate | place | why |");
    for name in names.filter_map(|line| line.split(' ').next()) {
        let row = rows.iter().find(|row| row[0].split(", ").any(|one| one == name));
        let told = &row.unwrap_or_else(|| panic!("{name} has no row in ARCHITECTURE.md"))[1];
        let mut told: Vec<String> =
            told.split(", ").map(|place| place.trim_matches('`').to_owned()).collect();
        told.sort();
        if told != ["anywhere"] {
            assert_eq!(told, users(&name.replace('-', "_")), "{name}");
        }
    }
}

#[test]
fn readers_open_files_through_jsonl() {
    for file in files_under(&src().join("harness")) {
        let text = fs::read_to_string(&file).unwrap();
        let (text, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        for opens in ["File::open", "fs::read", "read_to_string", "OpenOptions"] {
            assert!(!text.contains(opens), "{}: {opens} belongs into src/jsonl", file.display());
        }
    }
}
