//! Here documents in command lines: input, not commands.

use std::borrow::Cow;
use std::collections::HashSet;

use super::shell::Quotes;

/// How a here document begins that is an argument, such as the message of a commit.
const ARGUMENT: &str = "$(cat <<";

/// Drops the text of here documents. Of one that is an argument the first line is told in its place.
pub(super) fn without_here_documents(line: &str) -> Cow<'_, str> {
    if !line.contains("<<") && !line.contains('\r') && !line.ends_with('\n') {
        return Cow::Borrowed(line);
    }
    let mut out = Vec::new();
    let mut end: Option<String> = None;
    let line = arguments_told(line);
    for row in line.lines() {
        match &end {
            Some(word) if row.trim() == word => end = None,
            Some(_) => {}
            None => {
                end = here_document(row);
                out.push(row);
            }
        }
    }
    Cow::Owned(out.join("\n"))
}

/// Returns the text of the here document of a command, which stands on `line`; nothing where it does
/// not end there, or where another one begins in the same way.
pub(super) fn document(line: &str, command: &str) -> Option<String> {
    let opening = command.lines().rfind(|row| here_document(row).is_some())?.trim();
    let end = here_document(opening)?;
    let mut rows = line.lines().skip_while(|row| !row.contains(opening));
    rows.next()?;
    let rest: Vec<&str> = rows.collect();
    let last = rest.iter().position(|row| row.trim() == end)?;
    let is_only = !rest[last..].iter().any(|row| row.contains(opening));
    is_only.then(|| rest[..last].join("\n"))
}

/// Returns the word that ends the here document that begins on a line.
fn here_document(row: &str) -> Option<String> {
    let (before, rest) = row.split_once("<<").filter(|(_, rest)| !rest.starts_with('<'))?;
    if is_quoted(before, rest) {
        return None;
    }
    let word = rest.trim_start_matches('-').trim_start().trim_start_matches(['\'', '"', '\\']);
    let word: String = word.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!word.is_empty()).then_some(word)
}

/// Whether what stands between two texts is in quotes that end on the same line, and no command of its
/// own.
fn is_quoted(before: &str, rest: &str) -> bool {
    let mut quotes = Quotes::default();
    quotes.take(before);
    let is_inside = quotes.open.is_some() && !before.contains("$(") && !before.contains('`');
    is_inside && {
        quotes.take(rest);
        quotes.open.is_none()
    }
}

/// Puts the first line of a document in the place of each that is an argument in quotes.
fn arguments_told(line: &str) -> Cow<'_, str> {
    if !line.contains(ARGUMENT) {
        return Cow::Borrowed(line);
    }
    let (mut told, mut rest, mut quotes) = (String::new(), line, Quotes::default());
    // Words of which no line is left.
    let mut endless: HashSet<String> = HashSet::new();
    while let Some(at) = rest.find(ARGUMENT) {
        let before = &rest[..at];
        quotes.take(before);
        told.push_str(before);
        let argument = match quotes.open {
            Some('"') => argument(&rest[at..], &mut endless),
            _ => None,
        };
        let (first, after) = argument.unwrap_or_else(|| {
            // It stays as it is, and only its rows are dropped.
            (ARGUMENT.to_owned(), &rest[at + ARGUMENT.len()..])
        });
        told.push_str(&first);
        rest = after;
    }
    Cow::Owned(told + rest)
}

/// Returns the first line of the document that begins here, and what stands after its bracket;
/// `endless` has the words that end no document here or later.
fn argument<'t>(text: &'t str, endless: &mut HashSet<String>) -> Option<(String, &'t str)> {
    let (head, body) = text.split_once('\n')?;
    let word = here_document(head).filter(|word| !endless.contains(word))?;
    let mut at = 0;
    let ends = |row: &&str| {
        at += row.len();
        row.trim() == word
    };
    let Some(last) = body.split_inclusive('\n').find(ends) else {
        endless.insert(word);
        return None;
    };
    let after = body[at..].trim_start().strip_prefix(')')?;
    let mut rows = body[..at - last.len()].lines().map(str::trim).filter(|row| !row.is_empty());
    // It stands in quotes, which it must not end, and in which it must mean itself.
    let first = rows.next().unwrap_or_default().replace(['"', '`'], "'");
    let first = first.replace('\\', "\\\\").replace('$', "\\$");
    let more = if rows.next().is_some() { " …" } else { "" };
    Some((first + more, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_here_document_holds_is_no_command() {
        assert_eq!(without_here_documents("cat <<EOF > a\nmake\nEOF\nls"), "cat <<EOF > a\nls");
        assert_eq!(without_here_documents("make <<< word\nls"), "make <<< word\nls");
        assert_eq!(without_here_documents("echo \"a << b\" > c\nls"), "echo \"a << b\" > c\nls");
        assert_eq!(without_here_documents("x \"$(cat <<E\nmake\nE\nls"), "x \"$(cat <<E\nls");
    }

    #[test]
    fn of_a_document_that_is_an_argument_the_first_line_is_told() {
        let line = "git commit -m \"$(cat <<'EOF'\n\nfix: say \"no\"\n\nmore\nEOF\n)\" && git push";
        assert_eq!(without_here_documents(line), "git commit -m \"fix: say 'no' …\" && git push");
        let path = "git commit -m \"$(cat <<'EOF'\nuse `a` of b\\\nEOF\n)\" && make all";
        assert_eq!(without_here_documents(path), "git commit -m \"use 'a' of b\\\\\" && make all");
        let bare = "node run.js $(cat <<EOF\na; make all\nEOF\n)";
        assert_eq!(without_here_documents(bare), "node run.js $(cat <<EOF\n)");
        let open = "git commit -m \"$(cat <<EOF\nfix";
        assert_eq!(without_here_documents(open), "git commit -m \"$(cat <<EOF");
    }

    #[test]
    fn documents_without_an_end_are_looked_for_once() {
        let open = "a '$(cat <<E\n' \"$(cat <<E\n\"".repeat(100_000);
        assert_eq!(without_here_documents(&open).lines().count(), 1);
    }
}
