//! Heads of Markdown files and small settings files: indented `name: value` lines.
//!
//! What agents write here is often no valid YAML (a colon in a plain text, an unclosed quote), so that
//! it is read line by line: nothing is refused, and what is not understood stays text.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// The line above and below a head.
const FENCE: &str = "---";

/// A text with the head that it begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct Headed<'t> {
    /// The fields, nested where the lines are indented; values are strings, lists of strings, or maps.
    pub fields: Map<String, Value>,
    /// The head with both fences and the line end of the closing one.
    pub head: &'t str,
    /// What follows it.
    pub body: &'t str,
}

/// Cuts the head off a text; nothing if it does not begin with one.
pub fn headed(text: &str) -> Option<Headed<'_>> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == FENCE)?;
    let mut at = first.len();
    let closed = lines.find_map(|line| {
        let from = at;
        at += line.len();
        (line.trim_end() == FENCE).then_some(from)
    })?;
    let (head, body) = text.split_at(at);
    Some(Headed { fields: fields(&text[first.len()..closed]), head, body })
}

/// Reads indented `name: value` lines.
pub fn fields(text: &str) -> Map<String, Value> {
    let lines: Vec<_> = text.lines().filter(|line| is_said(line)).collect();
    let (mut at, mut all) = (0, Map::new());
    while at < lines.len() {
        let (map, next) = block(&lines, at, 0);
        all.extend(map);
        at = next.max(at + 1);
    }
    all
}

fn is_said(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#') && line != FENCE
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// How deep fields may lie in each other; what is deeper is passed over.
const DEPTH: usize = 16;

/// Reads the fields that begin in line `at`, as far as they are indented alike; returns them and the
/// line after.
fn block(lines: &[&str], mut at: usize, depth: usize) -> (Map<String, Value>, usize) {
    let mut map = Map::new();
    let Some(width) = lines.get(at).map(|line| indent(line)) else { return (map, at) };
    while let Some(line) = lines.get(at).filter(|line| indent(line) >= width) {
        at += 1;
        let Some((name, rest)) = named(line) else { continue };
        let deeper =
            |at: usize| lines.get(at).is_some_and(|line| indent(line) > indent(lines[at - 1]));
        let value = match rest {
            "" if lines
                .get(at)
                .is_some_and(|next| is_element(next) && indent(next) >= indent(line)) =>
            {
                let (list, next) = elements(lines, at, indent(line));
                at = next;
                list
            }
            "" if deeper(at) && depth < DEPTH => {
                let (inner, next) = block(lines, at, depth + 1);
                at = next;
                Value::Object(inner)
            }
            "|" | ">" | "|-" | ">-" | "|+" | ">+" => {
                let (text, next) = folded(lines, at, indent(line), rest.starts_with('|'));
                at = next;
                Value::String(text)
            }
            rest => scalar(rest),
        };
        map.insert(name.into_owned(), value);
    }
    (map, at)
}

/// Returns the name before the first colon that ends a name, and what follows.
fn named(line: &str) -> Option<(Cow<'_, str>, &str)> {
    let line = line.trim();
    let (name, rest) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let name = name.trim();
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    (!name.is_empty()).then(|| (name.into(), rest.trim()))
}

fn is_element(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("- ") || line.trim_end() == "-"
}

/// Reads `- value` lines.
fn elements(lines: &[&str], mut at: usize, width: usize) -> (Value, usize) {
    let mut list = Vec::new();
    while let Some(line) = lines.get(at).filter(|line| indent(line) >= width) {
        if is_element(line) {
            list.push(scalar(line.trim_start().trim_start_matches('-').trim()));
        } else if indent(line) <= width {
            break;
        }
        at += 1;
    }
    (Value::Array(list), at)
}

/// Reads the lines that are indented deeper than `width`, as lines or as one.
fn folded(lines: &[&str], mut at: usize, width: usize, keeps: bool) -> (String, usize) {
    let mut parts = Vec::new();
    while let Some(line) = lines.get(at).filter(|line| indent(line) > width) {
        parts.push(line.trim());
        at += 1;
    }
    (parts.join(if keeps { "\n" } else { " " }), at)
}

/// Reads a value that stands in its line.
fn scalar(text: &str) -> Value {
    let bracketed = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    if let Some(list) = bracketed {
        let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
        return Value::Array(parts.map(|part| Value::String(unquoted(part))).collect());
    }
    Value::String(unquoted(text))
}

fn unquoted(text: &str) -> String {
    if text.len() < 2 {
        return text.to_owned();
    }
    if text.starts_with('"') && text.ends_with('"') {
        let inner = || text[1..text.len() - 1].to_owned();
        return serde_json::from_str(text).unwrap_or_else(|_| inner());
    }
    match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'"),
        None => text.to_owned(),
    }
}

/// Returns a value as it can stand in a head: plain where that is safe, else quoted.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " ._/+()-—,".contains(c);
    let first = text.chars().next().is_some_and(char::is_alphanumeric);
    if first && text.chars().all(is_plain) && text.trim() == text {
        return text.to_owned();
    }
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns the text of a field; a list is joined.
pub fn text_of(fields: &Map<String, Value>, name: &str) -> Option<String> {
    let text = match fields.get(name)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Returns the fields that lie in a field.
pub fn map_of<'m>(fields: &'m Map<String, Value>, name: &str) -> Option<&'m Map<String, Value>> {
    fields.get(name)?.as_object()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_every_kind_are_read() {
        let text = "---\nname: a-b\ndescription: \"it: \\\"quotes\\\"\"\nmetadata: \n  type: feedback\n  \
                    node_type: memory\ntags: [one, 'two']\nlist:\n- x\n- y: z\nlong: >\n  one\n  two\n---\n\nBody\n";
        let headed = headed(text).unwrap();
        let want = serde_json::json!({
            "name": "a-b", "description": "it: \"quotes\"",
            "metadata": {"type": "feedback", "node_type": "memory"},
            "tags": ["one", "two"], "list": ["x", "y: z"], "long": "one two",
        });
        assert_eq!(Value::Object(headed.fields), want);
        assert_eq!(headed.body, "\nBody\n");
        assert_eq!(format!("{}{}", headed.head, headed.body), text);
    }

    #[test]
    fn what_is_no_yaml_is_read_all_the_same() {
        let odd =
            fields("description: use `a: b` and \"c\n  stray: 1\nplain\n\tname:x\ntime: 12:30\n");
        let want =
            serde_json::json!({"description": "use `a: b` and \"c", "stray": "1", "time": "12:30"});
        assert_eq!(Value::Object(odd), want);
        assert_eq!(headed("---\nname: x\nno end\n"), None);
        assert_eq!(headed("text\n---\n"), None);
        assert!(fields(&"a:\n".repeat(3)).contains_key("a"));
        let deep: String =
            (0..200).map(|depth| format!("{}k{depth}:\n", " ".repeat(depth))).collect();
        assert!(fields(&deep).contains_key("k0"));
    }

    #[test]
    fn a_quoted_value_is_read_back() {
        for text in [
            "plain words",
            "it: has",
            "\"x\"",
            "- dash",
            "[a]",
            " blank",
            "# no",
            "größe 2.0",
            "a\nb",
            "|",
        ] {
            let read = fields(&format!("name: {}\n", quoted(text)));
            assert_eq!(read["name"], text, "{text}");
        }
    }
}
