//! Where code blocks begin and end in Markdown of others, as a reader of it sees them.

/// How many columns more make a line code by itself.
const CODE: usize = 4;

/// A code block that is open.
struct Fence {
    mark: String,
    /// The column of its mark, with which it is closed.
    column: usize,
    /// The column from which on the text of the list item stands that it is in.
    within: usize,
}

/// What is open after the lines that were taken.
#[derive(Default)]
pub(super) struct Blocks {
    /// The columns from which on the texts of list items stand, the outermost first.
    items: Vec<usize>,
    fence: Option<Fence>,
    /// The line before was of a paragraph, which the next one may go on with from any column.
    in_words: bool,
}

impl Blocks {
    /// Takes a line; tells whether it is one of a code block, its marks included.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        let (indent, bare) = indented(line);
        if let Some(fence) = &self.fence {
            // Where a list item ends, what is open in it ends, too.
            if bare.is_empty() || indent >= fence.within {
                let mark = mark_of(bare);
                let closes = mark.starts_with(&fence.mark) && bare.trim_end() == mark;
                if closes && indent - fence.within < CODE {
                    self.fence = None;
                }
                return true;
            }
            self.fence = None;
        }
        if bare.is_empty() {
            self.in_words = false;
            return false;
        }
        let begins = item_mark(bare) > 0 || opening(bare).is_some() || bare.starts_with(['#', '>']);
        if begins || !self.in_words {
            self.items.retain(|column| indent >= *column);
        }
        let (column, rest) = self.enter(indent, bare);
        let within = self.items.last().copied().unwrap_or(0);
        let mark = opening(rest).filter(|_| column.saturating_sub(within) < CODE);
        self.in_words = mark.is_none() && !rest.is_empty();
        self.fence = mark.map(|mark| Fence { mark: mark.to_owned(), column, within });
        self.fence.is_some()
    }

    /// Enters the list items that begin in a line; returns what is left of it, and its column.
    fn enter<'l>(&mut self, indent: usize, bare: &'l str) -> (usize, &'l str) {
        let (mut column, mut rest) = (indent, bare);
        loop {
            let width = item_mark(rest);
            let within = self.items.last().copied().unwrap_or(0);
            if width == 0 || column.saturating_sub(within) >= CODE {
                return (column, rest);
            }
            let (blanks, inner) = indented(&rest[width..]);
            column += width + if blanks > CODE { 1 } else { blanks.max(1) };
            self.items.push(column);
            rest = inner;
        }
    }

    /// Returns the line that closes the code block that is open.
    pub(super) fn end(self) -> Option<String> {
        self.fence.map(|fence| " ".repeat(fence.column) + &fence.mark)
    }
}

/// Returns the column at which a line begins to say something, and what it says.
fn indented(line: &str) -> (usize, &str) {
    let bare = line.trim_start_matches([' ', '\t']);
    let blanks = line[..line.len() - bare.len()].chars();
    let column = blanks.fold(0, |column, c| match c {
        '\t' => (column / CODE + 1) * CODE,
        _ => column + 1,
    });
    (column, bare)
}

/// Returns how long the mark of a list item is with which a line begins.
fn item_mark(line: &str) -> usize {
    /// More digits begin no item.
    const MOST_DIGITS: usize = 9;
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if digits == 0 { &['-', '*', '+'] } else { &['.', ')'] };
    let after = line[digits..].strip_prefix(marks);
    let is_item = after.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
    if is_item && digits <= MOST_DIGITS { digits + 1 } else { 0 }
}

/// Returns the mark of a code block that a line opens.
fn opening(line: &str) -> Option<&str> {
    let mark = mark_of(line);
    let is_inline = mark.starts_with('`') && line[mark.len()..].contains('`');
    (mark.len() >= 3 && !is_inline).then_some(mark)
}

/// Returns the run of backticks or tildes at the start of a line.
fn mark_of(line: &str) -> &str {
    let Some(first) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else { return "" };
    let end = line.find(|c| c != first).unwrap_or(line.len());
    &line[..end]
}
