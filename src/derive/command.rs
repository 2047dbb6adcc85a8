//! The words of one command, and where what it prints goes.

use super::shell::{Quotes, unquoted, without_comment};

/// A command without its redirections.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    /// Its words, without quotes.
    pub(super) words: Vec<String>,
    /// The file that takes what it prints, and whether anew.
    pub(super) target: Option<(String, bool)>,
}

impl Command {
    /// Returns the program; empty if there is none.
    pub(super) fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}

/// Takes one command apart; nothing where a quote is open, or where a backslash may as well part
/// folders.
pub(super) fn command(raw: &str) -> Option<Command> {
    let raw = without_comment(raw);
    if parts_folders(raw) {
        return None;
    }
    let (mut bare, mut from, mut target) = (String::new(), 0, None);
    for (at, c) in unquoted(raw) {
        if at < from || !matches!(c, '<' | '>') {
            continue;
        }
        // What stands right before names what is redirected.
        let head = raw[from..at].trim_end_matches(|c: char| c.is_ascii_digit());
        let fd = &raw[from + head.len()..at];
        let is_fd = head.is_empty() || head.ends_with(|c: char| c.is_whitespace() || c == '&');
        let (head, fd) = if is_fd { (head, fd) } else { (&raw[from..at], "") };
        let rest = &raw[at..];
        let length = rest.find(|c| !matches!(c, '<' | '>' | '|' | '&' | '-')).unwrap_or(rest.len());
        let (operator, rest) = rest.split_at(length);
        let word = word(rest.trim_start());
        if operator.starts_with('>') && !operator.contains('&') && matches!(fd, "" | "1") {
            let name = shlex::split(word)?.pop()?;
            target = Some((name, !operator.starts_with(">>")));
        }
        bare.push_str(head.strip_suffix('&').unwrap_or(head));
        bare.push(' ');
        from = raw.len() - rest.trim_start().len() + word.len();
    }
    bare.push_str(raw.get(from..)?);
    Some(Command { words: shlex::split(&bare)?, target })
}

/// Whether a backslash outside of quotes stands before a letter.
fn parts_folders(raw: &str) -> bool {
    let (mut quotes, mut before) = (Quotes::default(), None);
    raw.chars().any(|c| {
        let is_open = before == Some('\\') && c.is_alphanumeric();
        // A backslash that stands by itself escapes what comes; the second of two does not.
        let begins = c == '\\' && quotes.open.is_none() && before != Some('\\');
        quotes.step(c);
        before = begins.then_some(c);
        is_open
    })
}

/// Returns the first word of a text as it stands there.
fn word(text: &str) -> &str {
    let mut quotes = Quotes::default();
    let ends = |(_, c): &(usize, char)| {
        quotes.step(*c) && (c.is_whitespace() || matches!(c, '<' | '>' | ';' | '|' | '&'))
    };
    text.char_indices().find(ends).map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirections_are_told_from_words() {
        let told = |raw: &str| {
            let Command { words, target } = command(raw)?;
            Some((words.join("|"), target.map(|(path, anew)| format!("{path} {anew}"))))
        };
        let is =
            |words: &str, target: Option<&str>| Some((words.to_owned(), target.map(str::to_owned)));
        assert_eq!(told("cat > 'a b.rs' <<'EOF'"), is("cat", Some("a b.rs true")));
        assert_eq!(told("cat <<-EOF >>a.rs 2>/dev/null"), is("cat", Some("a.rs false")));
        assert_eq!(told("echo 'x > y' 2>&1 >z"), is("echo|x > y", Some("z true")));
        assert_eq!(told("make 2> err.txt < in"), is("make", None));
        assert_eq!(told("echo >&2 x1>f"), is("echo|x1", Some("f true")));
        assert_eq!(told("make &> out.txt"), is("make", Some("out.txt true")));
        assert_eq!(told("cat <<< word x"), is("cat|x", None));
        assert_eq!(told("echo x >|f"), is("echo|x", Some("f true")));
        assert_eq!(told("echo \"open"), None);
        assert_eq!(told("type src\\a.rs"), None);
        assert_eq!(told("grep 'a\\b' c\\\\d"), is("grep|a\\b|c\\d", None));
        assert_eq!(told("rm my\\ file"), is("rm|my file", None));
        assert_eq!(told("echo a # > b"), is("echo|a", None));
        assert_eq!(told(">"), None);
    }
}
