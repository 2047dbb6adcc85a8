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

/// Where each outside crate may be named; a folder stands for all below it, and the file of its name.
const ONE_PLACE: &[(&str, &str)] = &[
    ("wide", "json"),
    ("base64_simd", "model"),
    ("simd_json", "jsonl.rs"),
    ("aho_corasick", "guard"),
    ("minijinja", "render.rs"),
    ("indicatif", "emit"),
    ("tiktoken_rs", "select"),
    ("unicode_general_category", "select"),
    ("pulp", "json"),
    ("walkdir", "discover"),
    ("clap", "cli"),
    ("clap_complete", "cli"),
    ("clap_mangen", "cli"),
    ("terminal_size", "cli"),
    ("shlex", "derive"),
    ("strsim", "cli"),
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
fn an_outside_crate_has_one_place() {
    // `main` asks for the arguments, which are defined under `cli`.
    for file in files_under(&src()).into_iter().filter(|file| *file != src().join("main.rs")) {
        let text = fs::read_to_string(&file).unwrap();
        for (name, place) in ONE_PLACE {
            let uses =
                text.contains(&format!("{name}::")) || text.contains(&format!("use {name};"));
            let home = src().join(place).display().to_string();
            let fine = !uses || file.display().to_string().starts_with(&home);
            assert!(fine, "{}: {name} belongs into src/{place}", file.display());
        }
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

#[test]
fn the_architecture_names_every_outside_crate_and_its_place() {
    let manifest = include_str!("../../Cargo.toml");
    let (_, list) = manifest.split_once("[dependencies]\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.split(' ').next());
    let rows = table("| crate | place | why |");
    let plain = |name: &str| name.replace('_', "-");
    let row = |name: &str| {
        let wanted = plain(name);
        rows.iter().find(|row| row[0].split(", ").any(|one| plain(one) == wanted))
    };
    // They may stand anywhere.
    for name in names.filter(|name| *name != "serde") {
        assert!(row(name).is_some(), "{name} has no row in ARCHITECTURE.md");
    }
    for (name, place) in ONE_PLACE {
        let told = &row(name).unwrap_or_else(|| panic!("{name}"))[1];
        assert!(told.contains(place.trim_end_matches(".rs")), "{name}: {told} is not {place}");
    }
}
