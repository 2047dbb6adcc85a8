//! The folders that a line of Codex's memories says it holds for.

/// Returns every folder that `text` names with `cwd=`, in order, each once.
///
/// Folders can hold blanks, so that one ends only where something else clearly begins: a semicolon,
/// the next `name=`, another absolute path after `and` or a comma, or a bracket that closes.
pub(super) fn folders(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split("cwd=").skip(1) {
        let part = until_field(&part[..end(part)]);
        for path in paths(part) {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Returns where a value ends for certain.
fn end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            ';' | '\n' => return at,
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Cuts `, name=value` off, and an `and` or a comma that was before the next `cwd=`.
fn until_field(text: &str) -> &str {
    let mut cut = text;
    for (at, mark) in text.match_indices([',', ' ']) {
        let word = text[at + mark.len()..].trim_start();
        let name: &str = word.split('=').next().unwrap_or_default();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        if is_name && word.len() > name.len() {
            cut = &text[..at];
            break;
        }
    }
    let cut = cut.trim_end();
    let cut = cut.strip_suffix(" and").or_else(|| cut.strip_suffix(" or")).unwrap_or(cut);
    cut.trim_end_matches([',', ' '])
}

/// Splits a list of absolute paths.
fn paths(text: &str) -> Vec<String> {
    let mut parts = vec![text];
    for joint in [" and ", " or ", ", "] {
        parts = parts.into_iter().flat_map(|part| split(part, joint)).collect();
    }
    parts.into_iter().map(plain).filter(|path| !path.is_empty()).collect()
}

/// Splits at `joint` where an absolute path follows.
fn split<'t>(text: &'t str, joint: &str) -> Vec<&'t str> {
    let (mut from, mut parts) = (0, Vec::new());
    for (at, _) in text.match_indices(joint) {
        let next = at + joint.len();
        if is_absolute(text[next..].trim_start_matches(['`', '"', '\''])) {
            parts.push(&text[from..at]);
            from = next;
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Returns a path without quotes, closing slash and the prefix by which Windows allows long ones.
pub(super) fn plain(path: &str) -> String {
    let path = path.trim().trim_matches(['`', '"', '\'']).trim_end_matches('.');
    let path = match path.strip_prefix(r"\\?\UNC\") {
        Some(share) => format!(r"\\{share}"),
        None => path.strip_prefix(r"\\?\").unwrap_or(path).to_owned(),
    };
    match path.trim_end_matches('/') {
        "" => path,
        bare => bare.to_owned(),
    }
}

/// Tells whether a text begins like a path from the root of a system, or from the user's folder.
pub(super) fn is_absolute(path: &str) -> bool {
    let mut bytes = path.bytes();
    let start = (bytes.next(), bytes.next(), bytes.next());
    match start {
        (Some(b'/'), ..) | (Some(b'~'), Some(b'/'), _) | (Some(b'\\'), Some(b'\\'), _) => true,
        (Some(drive), Some(b':'), Some(b'\\' | b'/')) => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_blanks_and_lists_of_them_are_told() {
        for (text, want) in [
            ("cwd=/home/ada/proj; reuse_rule=safe", vec!["/home/ada/proj"]),
            ("cwd=/home/ada/my proj and cwd=/srv/b; x", vec!["/home/ada/my proj", "/srv/b"]),
            ("cwd=/a/rock and roll", vec!["/a/rock and roll"]),
            ("cwd=/a b and /c d, /e", vec!["/a b", "/c d", "/e"]),
            (r"cwd=\\?\C:\Users\ada\x; r", vec![r"C:\Users\ada\x"]),
            (r"cwd=\\?\UNC\host\share", vec![r"\\host\share"]),
            ("(cwd=/a/b, rollout_path=/r.jsonl, updated_at=2026)", vec!["/a/b"]),
            ("cwd=/a/b rollout_path=/r", vec!["/a/b"]),
            ("cwd=`/a/b/`, cwd=/a/b", vec!["/a/b"]),
            ("cwd=/a (old)/b; x", vec!["/a (old)/b"]),
            ("cwd=any checkout; reuse_rule=x", vec!["any checkout"]),
            ("cwd=/", vec!["/"]),
            ("cwd=", vec![]),
            ("workflow-scoped", vec![]),
        ] {
            assert_eq!(folders(text), want, "{text}");
        }
    }
}
