//! Where work outside of the session's folder lies.

use std::borrow::Cow;

use crate::derive::FileFact;

/// What stands for that folder in the paths of a pack.
const SHORT: &str = "…/";
/// How deep a folder lies at least that one piece of work can fill.
const LEAST_DEPTH: usize = 3;

/// Returns the folder that holds all files that the session changed outside of its own, if it changed at
/// least two: another working tree, another repository.
pub(super) fn root(files: &[FileFact]) -> Option<String> {
    let mut changed =
        files.iter().filter(|file| file.is_elsewhere()).map(|file| file.path.as_str());
    let first = folders(changed.next()?);
    let (mut depth, mut count) = (first.len(), 1);
    for path in changed {
        depth = first.iter().zip(folders(path)).take(depth).take_while(|(a, b)| *a == b).count();
        count += 1;
    }
    (count > 1 && depth > LEAST_DEPTH).then(|| first[..depth].join("/"))
}

fn folders(path: &str) -> Vec<&str> {
    let mut parts: Vec<_> = path.split('/').collect();
    parts.pop();
    parts
}

/// Returns a path with the short form of that folder.
pub(crate) fn shortened<'p>(path: &'p str, root: Option<&str>) -> Cow<'p, str> {
    let inside = root.and_then(|root| path.strip_prefix(root)?.strip_prefix('/'));
    inside.map_or(Cow::Borrowed(path), |inside| Cow::Owned(format!("{SHORT}{inside}")))
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn only_paths_below_the_folder_are_shortened() {
        let short = |path: &'static str| shortened(path, Some("/home/ada/other")).into_owned();
        assert_eq!(short("/home/ada/other/src/a.rs"), "…/src/a.rs");
        for path in ["/mnt/home/ada/other/a.rs", "/home/ada/other2/a.rs", "src/a.rs"] {
            assert_eq!(short(path), path);
        }
    }
}
