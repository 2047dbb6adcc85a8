//! Files of archives: what a command lists or takes out of one is no file of the project.

use super::super::paths::is_file;
use super::super::shell;

/// Programs that look into archives, whatever they are told.
const UNPACKING: &[&str] =
    &["7z", "7za", "ar", "bsdtar", "jar", "tar", "unrar", "unzip", "zipinfo"];
/// How archives end.
const ARCHIVES: &[&str] = &[
    "7z", "a", "bz2", "crate", "deb", "egg", "gem", "gz", "jar", "nupkg", "rar", "rpm", "tar",
    "tgz", "vsix", "whl", "xz", "zip", "zst",
];

/// Whether a command line lists or takes out what is in an archive.
pub(super) fn unpacks(line: &str) -> bool {
    UNPACKING.iter().any(|program| line.contains(program))
        && shell::raw(line).iter().any(|(part, _)| is_unpacking(part))
}

/// Returns what a command line names of the files in archives.
pub(super) fn members(line: &str) -> Vec<String> {
    if !unpacks(line) {
        return Vec::new();
    }
    let parts = shell::raw(line);
    let parts = parts.iter().filter(|(part, _)| is_unpacking(part));
    parts.flat_map(|(part, _)| named(part)).collect()
}

fn named(part: &str) -> Vec<String> {
    let words = part.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let is_archive =
        |word: &str| word.rsplit_once('.').is_some_and(|(_, ending)| ARCHIVES.contains(&ending));
    words.skip(1).filter(|word| is_file(word) && !is_archive(word)).map(str::to_owned).collect()
}

/// Whether a command looks into an archive, and does not make one.
fn is_unpacking(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let program = words.next().unwrap_or_default();
    let first = words.next().unwrap_or_default();
    match program {
        "unzip" | "zipinfo" => true,
        "7z" | "7za" | "unrar" => matches!(first, "l" | "x" | "e" | "v" | "p" | "lb"),
        "tar" | "bsdtar" | "jar" | "ar" => {
            let is_long = matches!(first, "--list" | "--extract" | "--get");
            let is_letters = !first.starts_with("--") && !first.contains(['/', '.']);
            is_long || is_letters && first.contains(['t', 'x']) && !first.contains('c')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_an_archive_is_told_from_what_goes_into_one() {
        for line in [
            "unzip -l out.nupkg | head",
            "cd /tmp && tar -xzf a.tgz",
            "tar tf a.tar",
            "jar tf x.jar",
            "7z l a.7z",
            "tar --list -f a.tar",
        ] {
            assert!(unpacks(line), "{line}");
        }
        for line in ["tar czf a.tgz src/a.rs", "zip -r a.zip src", "ls tar", "cat src/unzip.rs"] {
            assert!(!unpacks(line), "{line}");
        }
        assert_eq!(
            members(
                "cat b.rs; tar -xzf p.tgz package/lib/build.js; unzip -p a.whl 'x/METADATA.txt'"
            ),
            ["package/lib/build.js", "x/METADATA.txt"]
        );
        assert_eq!(members("tar czf a.tgz src/a.rs"), Vec::<String>::new());
    }
}
