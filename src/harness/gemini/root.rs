//! The folder of a session's project by its digest, which is all that the file holds of it: the
//! folders of the absolute paths that the session's calls and their results name are tried.

use rustc_hash::FxHashSet;
use sha2::{Digest as _, Sha256};

/// So many folders are tried at most.
const MOST_TRIED: usize = 4096;
/// No path is longer, in bytes.
const LONGEST: usize = 4096;

/// The search for the folder, while the records go by.
#[derive(Default)]
pub(super) struct Root {
    digest: Option<[u8; 32]>,
    found: Option<String>,
    tried: FxHashSet<Box<str>>,
    /// How many were tried, for other digests too.
    count: usize,
}

impl Root {
    /// Takes the digest that a record tells; what is said later counts.
    pub(super) fn expect(&mut self, digest: &str) {
        let digest = bytes(digest);
        if digest.is_some() && digest != self.digest {
            *self = Self { digest, count: self.count, ..Self::default() };
        }
    }

    /// Returns the folder, if a path lay in it.
    pub(super) fn found(&self) -> Option<&str> {
        self.found.as_deref()
    }

    /// Tries the folders of all absolute paths in the JSON text of calls.
    pub(super) fn look(&mut self, json: &str) {
        let mut from = 0;
        while self.is_wanted()
            && let Some(at) = memchr::memchr2(b'/', b':', &json.as_bytes()[from..])
        {
            let at = from + at;
            from = at + 1;
            if let Some(path) = path_at(json, at) {
                from = at + path.len();
                // In JSON a backslash is doubled.
                self.try_all(&path.replace("\\\\", "\\"));
            }
        }
    }

    fn is_wanted(&self) -> bool {
        self.digest.is_some() && self.found.is_none() && self.count < MOST_TRIED
    }

    /// Tries a path and each folder above it, until one was tried before.
    fn try_all(&mut self, path: &str) {
        let mut folder = path.trim_end_matches(['/', '\\']);
        while !folder.is_empty() && !folder.ends_with(':') && self.tried.insert(folder.into()) {
            self.count += 1;
            if self.digest.is_some_and(|digest| Sha256::digest(folder)[..] == digest) {
                self.found = Some(folder.to_owned());
                return;
            }
            folder = folder.rsplit_once(['/', '\\']).map_or("", |(above, _)| above);
        }
    }
}

/// Returns the absolute path whose first slash, or the colon of whose drive, stands at `at`.
fn path_at(json: &str, at: usize) -> Option<&str> {
    let bytes = json.as_bytes();
    let is_drive = json[at..].starts_with(":\\\\");
    if is_drive && !bytes[..at].last()?.is_ascii_alphabetic() {
        return None;
    }
    let start = if is_drive { at - 1 } else { at };
    let before = *bytes[..start].last()?;
    // At the begin of a text it is all of it: a folder's name may have blanks in it.
    let ends: &[char] = match before {
        b'"' => &['"'],
        b' ' | b'\'' | b'(' | b'=' | b'`' => &['"', ' ', '\'', ')', '`', ',', ';'],
        _ => return None,
    };
    let rest = &json[start..];
    let length = rest.find(ends)?;
    let path = &rest[..length];
    // An escape of anything but a backslash ends it.
    let escape = path.match_indices('\\').find(|(at, _)| is_other_escape(path, *at));
    let path = &path[..escape.map_or(length, |(at, _)| at)];
    (path.len() > 1 && path.len() <= LONGEST).then_some(path)
}

/// Tells whether the backslash at `at` neither doubles another nor is doubled.
fn is_other_escape(path: &str, at: usize) -> bool {
    let bytes = path.as_bytes();
    bytes.get(at + 1) != Some(&b'\\') && (at == 0 || bytes[at - 1] != b'\\')
}

/// Reads a digest in hexadecimal.
fn bytes(digest: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if digest.len() != 64 || !digest.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digest[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::project;
    use super::*;

    fn found(root: &str, json: &str) -> Option<String> {
        let mut search = Root::default();
        search.expect(&project::digest(root));
        search.look(json);
        search.found().map(str::to_owned)
    }

    #[test]
    fn the_folder_is_found_in_the_paths_of_calls() {
        let root = "/home/ada/my tool";
        let is_found = |json: &str| found(root, json).as_deref() == Some(root);
        assert!(is_found(r#"{"file_path":"/home/ada/my tool/src/a.rs"}"#));
        assert!(is_found(r#"{"dir":"/home/ada/my tool/"}"#));
        assert!(is_found(r#"{"output":"/home/ada/my tool\n"}"#));
        assert!(!is_found(r#"{"file_path":"/home/ada/my"}"#));
        assert!(!is_found(r#"{"file_path":"home/ada/my tool/src/a.rs"}"#));
        assert!(!is_found(r#"{"url":"https://a.example/home/ada/my tool/a"}"#));
        let root = "/home/ada/tool";
        let spoken = r#"{"output":"Output: /home/ada/tool\nError: (none)"}"#;
        assert_eq!(found(root, spoken).as_deref(), Some(root));
        let run = r#"{"command":"cd /home/ada/tool && make"}"#;
        assert_eq!(found(root, run).as_deref(), Some(root));
        let drive = r"C:\Users\ada\tool";
        let file = r#"{"file_path":"C:\\Users\\ada\\tool\\src\\a.rs"}"#;
        assert_eq!(found(drive, file).as_deref(), Some(drive));
    }

    #[test]
    fn what_is_no_path_is_passed_over() {
        let no_paths =
            ["", "/", "\"/", "\"/\"", "\":\\\\\"", "é:\\\\x\"", "\"/\\\"", "\"C:\\\\\\\""];
        for json in no_paths {
            assert_eq!(found("/x", json), None, "{json}");
        }
        let mut search = Root::default();
        search.expect("not a digest");
        search.look("\"/x/y\"");
        assert!(search.tried.is_empty());
    }

    #[test]
    fn not_more_than_so_many_folders_are_tried() {
        let mut search = Root::default();
        search.expect(&project::digest("/x"));
        (0..2 * MOST_TRIED).for_each(|at| search.look(&format!("\"/y/{at}\"")));
        assert!(search.tried.len() <= MOST_TRIED + 1);
    }
}
