//! Tables for people, as wide as the terminal at most.

use std::io::IsTerminal as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Returns how many columns the terminal has, where standard output is one.
pub(super) fn terminal_width() -> Option<usize> {
    let (width, _) =
        std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten()?;
    Some(width.0.into())
}

/// Sets the cells in columns, two blanks apart; each line is cut to the width there is.
pub(super) fn aligned(lines: &[Vec<String>], width: Option<usize>) -> String {
    let columns = lines.first().map_or(0, Vec::len).saturating_sub(1);
    let widest = |column: usize| lines.iter().map(|cells| cells[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let mut text = String::new();
    for cells in lines {
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(&widths) {
            line += cell;
            line += &" ".repeat(width - cell.width() + 2);
        }
        line += &cells[columns];
        text += &cut(&line, width.unwrap_or(usize::MAX));
        text.push('\n');
    }
    text
}

/// Returns `text`, or as much of its end as fits `room` columns with an ellipsis.
pub(super) fn cut_front(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let fits = |at: &usize| text[*at..].width() < room;
    let from = text.char_indices().map(|(at, _)| at).find(fits).unwrap_or(text.len());
    format!("…{}", &text[from..])
}

/// Returns `text`, or as much of it as fits `room` columns with an ellipsis.
fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= room
    };
    text.chars().take_while(fits).chain(Some('…')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_cut_to_the_columns_that_it_takes() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("日本語", 4), "日…");
    }

    #[test]
    fn a_table_fits_the_terminal_and_is_whole_elsewhere() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let lines =
            [row(["ID", "SIZE", "TITLE"]), row(["日本", "7 B", "A rather long title here"])];
        let narrow = aligned(&lines, Some(30));
        assert_eq!(narrow, "ID    SIZE  TITLE\n日本  7 B   A rather long tit…\n");
        assert!(narrow.lines().all(|line| line.width() <= 30));
        assert!(aligned(&lines, None).ends_with("A rather long title here\n"));
        assert_eq!(cut_front("/home/ada/日本", 8), "…da/日本");
    }
}
