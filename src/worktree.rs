//! The project's files as they are now.
//!
//! Nothing is changed, and nothing outside the project is looked at: paths come from sessions, which
//! are other people's words.

mod git;
pub mod lines;
pub mod look;

use camino::{Utf8Path, Utf8PathBuf};

use git::Answer;

/// Tells whether git keeps track of `file`; not if there is no git or no repository.
pub fn is_tracked(file: &Utf8Path) -> bool {
    let Some(name) = file.file_name() else { return false };
    let name = format!(":(literal){name}");
    matches!(
        git::ask(folder_of(file), &["ls-files", "--error-unmatch", "--", &name]),
        Answer::Said(_)
    )
}

/// Tells whether git has more than one version of `file`, which nobody has merged yet.
pub fn is_unmerged(file: &Utf8Path) -> bool {
    let name = file.file_name().map(|name| format!(":(literal){name}"));
    name.is_some_and(|name| !unmerged(folder_of(file), &["--", &name]).is_empty())
}

/// Returns the files below `folder`, or those of `which`, of which git has more than one version.
fn unmerged(folder: &Utf8Path, which: &[&str]) -> Vec<String> {
    // Of a file each version has a line.
    let asked = [&["ls-files", "--unmerged", "-z"], which].concat();
    let lines = git::ask(folder, &asked).names().unwrap_or_default();
    let names = lines.iter().filter_map(|line| line.split_once('\t'));
    let mut names: Vec<_> = names.map(|(_, name)| name.to_owned()).collect();
    names.dedup();
    names
}

/// Returns how many bytes the files that are read before `file` have together: in each folder from
/// the top of the repository down to the one above it, the first of `names` that is there.
pub fn bytes_above(file: &Utf8Path, names: &[&str]) -> u64 {
    let Ok(folder) = folder_of(file).canonicalize_utf8() else { return 0 };
    let root = folder.ancestors().find(|folder| folder.join(".git").exists());
    let Some(root) = root.map(Utf8Path::to_owned) else { return 0 };
    let above = folder.ancestors().skip(1).take_while(|folder| folder.starts_with(&root));
    let size = |folder: &Utf8Path| {
        let there = names.iter().filter_map(|name| folder.join(name).metadata().ok());
        there.filter(std::fs::Metadata::is_file).map(|meta| meta.len()).next()
    };
    above.filter_map(size).sum()
}

/// Returns the file of another name beside `file`, if it is there.
pub fn beside(file: &Utf8Path, name: &str) -> Option<Utf8PathBuf> {
    Some(file.with_file_name(name)).filter(|other| other.is_file())
}

fn folder_of(file: &Utf8Path) -> &Utf8Path {
    file.parent().filter(|folder| !folder.as_str().is_empty()).unwrap_or(Utf8Path::new("."))
}
