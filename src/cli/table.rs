//! Tables for people, as wide as the terminal at most.

use std::io::IsTerminal as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Returns how many columns the terminal has, where standard output is one.
pub(super) fn terminal_width() -> Option<usize> {
    let (width, _) =
        std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten()?;
    Some(width.0.into())
}

/// How many columns of a terminal the last cells should have at least.
pub(super) const LAST_ROOM: usize = 12;

/// Sets the cells in columns, two blanks apart; each line is cut to the width there is.
///
/// Where that leaves no room for the last cells, the columns of `spare` are left out, the first of
/// them first, one after the other until there is.
pub(super) fn aligned(lines: &[Vec<String>], spare: &[usize], width: Option<usize>) -> String {
    aligned_for(lines, spare, LAST_ROOM, width)
}

/// The same, where the last cells should have `last` columns at least.
pub(super) fn aligned_for(
    lines: &[Vec<String>],
    spare: &[usize],
    last: usize,
    width: Option<usize>,
) -> String {
    let Some(room) = width else { return set(lines) };
    let mut lines = lines.to_vec();
    let mut gone: Vec<usize> = Vec::new();
    for column in spare {
        if widths(&lines).iter().map(|width| width + 2).sum::<usize>() + last <= room {
            break;
        }
        let at = column - gone.iter().filter(|other| *other < column).count();
        lines.iter_mut().for_each(|cells| _ = cells.remove(at));
        gone.push(*column);
    }
    let firsts: usize = widths(&lines).iter().map(|width| width + 2).sum();
    for last in lines.iter_mut().filter_map(|cells| cells.last_mut()) {
        *last = cut(last, room.saturating_sub(firsts));
    }
    set(&lines).lines().map(|line| cut(line, room) + "\n").collect()
}

/// Sets the cells in columns; where one line does not fit, the last cells stand below their lines,
/// broken and never cut.
pub(super) fn aligned_whole(lines: &[Vec<String>], width: Option<usize>) -> String {
    let whole = set(lines);
    let Some(room) = width.filter(|room| whole.lines().any(|line| line.width() > *room)) else {
        return whole;
    };
    let firsts = |cells: &Vec<String>| cells[..cells.len().saturating_sub(1)].to_vec();
    let first = set(&lines.iter().map(firsts).collect::<Vec<_>>());
    let last = lines.iter().map(|cells| cells.last().map_or("", String::as_str));
    let both = first.lines().zip(last);
    both.map(|(first, last)| {
        format!("{}\n{}", cut(first, room), wrapped(&format!("    {last}"), 4, width))
    })
    .collect()
}

/// Breaks a line at its blanks so that it fits; all lines but the first begin with `indent` blanks.
pub(super) fn wrapped(line: &str, indent: usize, width: Option<usize>) -> String {
    let Some(room) = width.filter(|room| line.width() > *room && indent + 8 < *room) else {
        return format!("{line}\n");
    };
    let mut out = String::new();
    let mut rest = line;
    let mut lead = 0;
    while lead + rest.width() > room {
        let (now, later) = broken(rest, room - lead);
        out += &format!("{}{}\n", " ".repeat(lead), now.trim_end());
        rest = later.trim_start();
        lead = indent;
    }
    out + &format!("{}{rest}\n", " ".repeat(lead))
}

/// Breaks `text` where no more than `room` columns stand before: at a blank if there is one behind
/// the first word, else behind a folder of a path.
fn broken(text: &str, room: usize) -> (&str, &str) {
    let mut used = 0;
    let beyond = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > room
    });
    let most = beyond.map_or(text.len(), |(at, _)| at);
    let start = text.len() - text.trim_start().len();
    // A blank right behind what fits is as good as one in it.
    let reach = most + text[most..].chars().next().filter(|c| *c == ' ').map_or(0, char::len_utf8);
    let blank = text[..reach].rfind(' ').filter(|at| *at > start);
    // A path that is longer than a line is broken behind a folder.
    let folder =
        || text[..most].rfind('/').map(|at| at + 1).filter(|at| is_enough(&text[..*at], room));
    text.split_at(blank.or_else(folder).unwrap_or(most))
}

/// Returns the width of each column but the last.
fn widths(lines: &[Vec<String>]) -> Vec<usize> {
    let columns = lines.first().map_or(0, Vec::len).saturating_sub(1);
    let widest = |column: usize| lines.iter().map(|cells| cells[column].width()).max().unwrap_or(0);
    (0..columns).map(widest).collect()
}

/// Sets the cells in columns, whatever that takes.
fn set(lines: &[Vec<String>]) -> String {
    let widths = widths(lines);
    let mut text = String::new();
    for cells in lines {
        for (cell, width) in cells.iter().zip(&widths) {
            text += cell;
            text += &" ".repeat(width - cell.width() + 2);
        }
        text += cells.last().map_or("", String::as_str);
        text.push('\n');
    }
    text
}

/// Returns a path, or as much of its end as fits `room` columns with an ellipsis, from the beginning
/// of a name on where that leaves enough of it.
pub(super) fn cut_front(path: &str, room: usize) -> String {
    if path.width() <= room {
        return path.to_owned();
    }
    let fits = |at: &usize| path[*at..].width() < room;
    let from = path.char_indices().map(|(at, _)| at).find(fits).unwrap_or(path.len());
    let end = &path[from..];
    let begins = |is: fn(char) -> bool| end.find(is).filter(|at| is_enough(&end[*at..], room));
    let begin = begins(|c| c == '/').or_else(|| begins(|c| !c.is_alphanumeric()));
    format!("…{}", &end[begin.unwrap_or(0)..])
}

/// Returns `text`, or as much of it as fits `room` columns with an ellipsis, up to the end of a word
/// where that leaves enough of it.
pub(super) fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut used = 1;
    let beyond = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > room
    });
    let most = beyond.map_or(text.len(), |(at, _)| at);
    // What begins there may be a blank, so that a word ends right before it.
    let reach = most + text[most..].chars().next().map_or(0, char::len_utf8);
    let word = text[..reach].rfind(' ').map(|at| text[..at].trim_end());
    let kept = word.filter(|word| is_enough(word, room)).unwrap_or(&text[..most]);
    format!("{}…", kept.trim_end())
}

/// Whether a piece that ends at a word fills half of the room.
fn is_enough(piece: &str, room: usize) -> bool {
    piece.width() * 2 >= room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_cut_to_the_columns_that_it_takes() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("Commit and push changes", 15), "Commit and…");
        assert_eq!(cut("Commit and push changes", 16), "Commit and push…");
        assert_eq!(cut("Fix android.platforms", 15), "Fix android.pl…");
    }

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        vec![
            row(["HARNESS", "ID", "SIZE", "TITLE"]),
            row([
                "one",
                "3f2c8a10",
                "7 kB",
                "日本語の長い題名をここに書いておきます、続きもあります",
            ]),
            row(["another", "90d1e2f3", "12.5 MB", "A rather long title here"]),
        ]
    }

    #[test]
    fn a_table_fits_the_terminal_and_is_whole_elsewhere() {
        let whole = aligned(&rows(), &[2, 0], None);
        assert!(whole.contains("続きもあります\n") && whole.contains("long title here\n"));
        for width in [40, 80, 200] {
            let text = aligned(&rows(), &[2, 0], Some(width));
            assert!(text.lines().all(|line| line.width() <= width), "{width}: {text}");
            assert!(text.lines().all(|line| !line.is_empty()));
        }
        assert_eq!(aligned(&rows(), &[2, 0], Some(200)), whole);
    }

    #[test]
    fn a_path_is_cut_at_the_beginning_of_a_name() {
        assert_eq!(cut_front("/home/ada/toolbox", 17), "/home/ada/toolbox");
        assert_eq!(cut_front("/home/ada/toolbox", 11), "…/toolbox");
        assert_eq!(cut_front("/home/ada/bank-import", 11), "…-import");
        assert_eq!(cut_front("/home/ada/bank-importer", 12), "…-importer");
        assert_eq!(cut_front("/home/ada/日本", 8), "…/日本");
        assert_eq!(cut_front("/home/ada/tool", 5), "…tool");
    }

    #[test]
    fn columns_that_can_be_spared_make_room_for_the_last() {
        let head =
            |width| aligned(&rows(), &[2, 0], Some(width)).lines().next().unwrap().to_owned();
        assert_eq!(head(40), "HARNESS  ID        SIZE     TITLE");
        assert_eq!(head(39), "HARNESS  ID        TITLE");
        assert_eq!(head(30), "ID        TITLE");
        let narrow = aligned(&rows(), &[2, 0], Some(20));
        assert_eq!(narrow.lines().nth(1), Some("3f2c8a10  日本語の…"));
    }

    #[test]
    fn what_must_be_read_whole_is_broken_and_never_cut() {
        let rows: Vec<_> = rows().iter().map(|cells| cells[1..].to_vec()).collect();
        assert_eq!(aligned_whole(&rows, None), aligned_whole(&rows, Some(200)));
        let narrow = aligned_whole(&rows, Some(26));
        assert!(narrow.lines().all(|line| line.width() <= 26), "{narrow}");
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(plain(&narrow), plain(&aligned_whole(&rows, None)));
        assert!(
            narrow.contains("90d1e2f3  12.5 MB\n    A rather long title\n    here\n"),
            "{narrow}"
        );
    }

    #[test]
    fn a_line_is_broken_at_blanks_and_a_long_word_anywhere() {
        assert_eq!(wrapped("one two", 2, None), "one two\n");
        assert_eq!(wrapped("one two three four", 2, Some(13)), "one two three\n  four\n");
        assert_eq!(wrapped("/a/path/of/many/parts", 2, Some(12)), "/a/path/of/\n  many/parts\n");
        assert_eq!(wrapped("日本語日本語日本語", 2, Some(12)), "日本語日本語\n  日本語\n");
    }
}
