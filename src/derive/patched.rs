//! Which files a patch changed that a command line applied.

use super::here;
use super::place::known;
use super::sure::walk;

/// How a program says of a file that it changed it.
const SAYING: &[&str] = &["patching file ", "Patching file "];
/// Options by which it only looks at the patch.
const LOOKING: &[&str] =
    &["--check", "--dry-run", "--help", "--numstat", "--stat", "--summary", "--version"];

/// Whether a command applies a patch.
pub(super) fn applies(raw: &str) -> bool {
    let words: Vec<&str> = raw.split_whitespace().collect();
    let is_one = matches!(words.as_slice(), ["patch", ..] | ["git", "apply" | "am", ..]);
    let goes_on = ["--abort", "--quit", "--show-current-patch"];
    is_one && !words.iter().any(|word| LOOKING.contains(word) || goes_on.contains(word))
}

/// Returns the files of the patches that a line that ended well applied, as they are told from where it began: those
/// that the output names, else those of a patch that stands on the line.
pub(super) fn names(line: &str, output: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !line.contains("patch") && !line.contains("git apply") {
        return found;
    }
    walk(line, |one| {
        if !applies(one.raw.trim()) {
            return;
        }
        let said: Vec<&str> = output.lines().filter_map(said).collect();
        let patch = said.is_empty().then(|| here::document(line, one.raw)).flatten();
        let own = patch.iter().flat_map(|patch| patch.lines().filter_map(headed));
        found.extend(said.iter().copied().chain(own).filter_map(|path| known(path, one.folder)));
    });
    found
}

fn said(row: &str) -> Option<&str> {
    let path = SAYING.iter().find_map(|start| row.strip_prefix(start))?;
    // Behind the name stands what was changed to find the place.
    let path = path.split(" (").next().unwrap_or(path).trim();
    Some(path.trim_matches('\'')).filter(|path| !path.is_empty())
}

/// Returns the file whose new form begins on a row of a patch.
fn headed(row: &str) -> Option<&str> {
    let path = row.strip_prefix("+++ ")?.split('\t').next()?.trim();
    let path = path.strip_prefix("b/").unwrap_or(path);
    (path != "/dev/null").then_some(path)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_patch_names_its_files() {
        let said = "patching file src/a.py\nHunk #1 succeeded at 3 (offset 1 line).\n";
        assert_eq!(names("cd sub && patch -p1 < fix.patch", said), ["sub/src/a.py"]);
        let line = "git apply <<'EOF'\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\nEOF";
        assert_eq!(names(line, ""), ["src/a.py"]);
        assert_eq!(names("git apply fix.patch", ""), Vec::<String>::new());
        for line in ["patch --dry-run -p1 < a.patch", "cat a.patch", "make || patch -p1 < a.patch"]
        {
            assert_eq!(names(line, said), Vec::<String>::new(), "{line}");
        }
    }
}
