//! Fenced blocks of code in a Markdown text.

use std::ops::Range;

/// Follows the fenced blocks of a text, line by line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fences {
    /// The mark of the block that is open, and how often it stands in its fence.
    open: Option<(char, usize)>,
}

impl Fences {
    /// Takes the next line, and tells whether it stands in a block, or is a fence.
    pub fn takes(&mut self, line: &str) -> bool {
        let bare = line.trim();
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'));
        let run = mark.map(|mark| (mark, bare.chars().take_while(|c| *c == mark).count()));
        match (self.open, run.filter(|(_, width)| *width >= 3)) {
            (None, None) => return false,
            // Code within a line.
            (None, Some(('`', width))) if bare[width..].contains('`') => return false,
            (None, open) => self.open = open,
            (Some((open, least)), Some((mark, width))) => {
                let ends = mark == open && width >= least && bare.chars().all(|c| c == mark);
                self.open = self.open.filter(|_| !ends);
            }
            (Some(_), None) => {}
        }
        true
    }

    /// Returns the fence that ends the block that is open.
    pub fn end(self) -> Option<String> {
        self.open.map(|(mark, width)| mark.to_string().repeat(width))
    }
}

/// Returns where fenced blocks stand in `text`, fences included; not one that nothing ends.
pub(super) fn fenced(text: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut fences, mut at, mut from) = (Vec::new(), Fences::default(), 0, None);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let is_in = fences.takes(&String::from_utf8_lossy(line));
        let start = *from.get_or_insert(at);
        at += line.len();
        if fences.open.is_none() {
            from = None;
            found.extend(is_in.then_some(start..at));
        }
    }
    found
}
