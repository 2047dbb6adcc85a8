//! Names that code defines.

use super::super::text;

/// Words before a name that is being defined.
const DEFINING: &[&str] = &[
    "fn",
    "def",
    "class",
    "function",
    "struct",
    "enum",
    "trait",
    "interface",
    "type",
    "const",
    "impl",
    "mod",
    "static",
    "func",
    "var",
    "let",
    "module",
    "namespace",
    "macro_rules!",
    "protocol",
    "object",
];
/// Words that can stand between such a word and the name.
const MODIFYING: &[&str] = &[
    "async",
    "bool",
    "default",
    "double",
    "export",
    "final",
    "float",
    "int",
    "long",
    "mut",
    "override",
    "private",
    "protected",
    "public",
    "readonly",
    "static",
    "string",
    "unsigned",
    "virtual",
    "void",
    "const",
    "enum",
    "class",
    "struct",
    "fn",
    "function",
    "ref",
    "sealed",
    "abstract",
    "partial",
];
/// Returns the name that a line of code defines.
pub(super) fn defined(line: &str) -> Option<&str> {
    let code =
        line.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == '→');
    let mut words =
        code.split(|c: char| c.is_whitespace() || matches!(c, '(' | '<' | ':' | '{' | '='));
    let is_marker = |word: &&str| DEFINING.contains(word);
    let marker = words.by_ref().take(4).find(is_marker)?;
    let name = words.find(|word| !word.is_empty() && !MODIFYING.contains(word))?;
    let name = name.trim_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    // What a block keeps to itself is worth telling only if it looks like a name.
    let is_local = matches!(marker, "let" | "const" | "var") && code.len() < line.len();
    if is_local && text::names(name).next().is_none() {
        return None;
    }
    let fits = (4..=60).contains(&name.len());
    (fits && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_from_definitions() {
        let found: Vec<_> = [
            "   12→pub fn read_all(x: u8)",
            "export const MAX_SIZE = 3",
            "  return value",
            "class Reader:",
        ]
        .iter()
        .filter_map(|line| defined(line))
        .collect();
        assert_eq!(found, ["read_all", "MAX_SIZE", "Reader"]);
        assert_eq!(
            ["    let names = 1;", "  const readAll = 2"].map(defined),
            [None, Some("readAll")]
        );
    }
}
