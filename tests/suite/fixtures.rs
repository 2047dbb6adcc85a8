//! The fixtures themselves: each is listed, small, and holds nothing of a person or a machine.

use std::path::{Path, PathBuf};

/// The most bytes of a fixture; the session of `--demo` may have some more.
const MOST_BYTES: u64 = 16 * 1024;
const DEMO_BYTES: u64 = 20 * 1024;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Returns every fixture by its path from the folder of fixtures.
fn names() -> Vec<String> {
    let relative = |path: PathBuf| {
        let path = path.strip_prefix(folder()).unwrap().to_str().unwrap().to_owned();
        path.replace('\\', "/")
    };
    let files = crate::data::files(&folder()).into_iter().map(relative);
    files.filter(|name| !name.ends_with("README.md")).collect()
}

#[test]
fn each_is_listed_and_each_that_is_listed_is_there() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let listed: Vec<_> = rows.map(str::to_owned).collect();
    let names = names();
    let unlisted: Vec<_> = names.iter().filter(|name| !covered(&listed, name)).collect();
    assert!(unlisted.is_empty(), "not in fixtures/README.md: {unlisted:#?}");
    let gone = |row: &&String| !names.iter().any(|name| covers(row, name));
    let gone: Vec<_> = listed.iter().filter(gone).collect();
    assert!(gone.is_empty(), "only in fixtures/README.md: {gone:#?}");
}

fn covered(listed: &[String], name: &str) -> bool {
    listed.iter().any(|row| covers(row, name))
}

/// A row names a file, or with a slash at its end a folder.
fn covers(row: &str, name: &str) -> bool {
    row == name || (row.ends_with('/') && name.starts_with(row))
}

#[test]
fn each_is_small() {
    for name in names() {
        let bytes = folder().join(&name).metadata().unwrap().len();
        let most = if name.starts_with("demo/") { DEMO_BYTES } else { MOST_BYTES };
        assert!(bytes <= most, "{name} has {bytes} bytes");
    }
}

#[test]
fn none_holds_a_secret_or_a_path_of_a_machine() {
    let secret = [
        "sk-ant-",
        "sk-proj-",
        "ghp_",
        "gho_",
        "github_pat_",
        "AKIA",
        "AIza",
        "xoxb-",
        "xoxp-",
        "glpat-",
        "-----BEGIN",
        "Bearer ey",
    ];
    let place = ["/work/", "/root/", "/Users/", "C:\\\\Users"];
    for name in names() {
        let text = std::fs::read_to_string(folder().join(&name)).unwrap();
        let found = secret.iter().chain(&place).find(|word| text.contains(**word));
        assert_eq!(found, None, "{name}");
        let begins = |at: &usize| !text[..*at].ends_with(char::is_alphanumeric);
        let homes = text.match_indices("/home/").map(|(at, _)| at).filter(begins);
        let mut homes = homes.map(|at| text[at..].chars().take(20).collect::<String>());
        let stranger = homes.find(|home| !home.starts_with("/home/ada"));
        assert_eq!(stranger, None, "{name}");
    }
}
