//! Commands that move a list of work or take it away.

use crate::derive::{place, shell, variables};

/// Words behind which a command stands, beside those of a block, and programs by which something is moved or taken away.
const BEFORE: &[&str] = &["git", "sudo"];
const MOVING: &[&str] = &["Move-Item", "Remove-Item", "mv", "rm", "rmdir"];

/// Programs that run another one.
const RUNNING: &[&str] = &["bunx", "mise", "npx", "pnpm", "uv", "uvx", "yarn"];
/// Words behind them that say so.
const RUN: &[&str] = &["dlx", "exec", "run", "x"];

/// Whether a command line moves the file `path` or a folder that it lies in, takes it away, or has a program put it
/// into an archive.
pub(super) fn moves(line: &str, path: &str) -> bool {
    if !MOVING.iter().chain(&["archive"]).any(|word| line.contains(word)) {
        return false;
    }
    let line = variables::put_in(line);
    shell::raw(&line).iter().any(|(raw, _)| {
        let is_set =
            |word: &str| word.split('=').next().is_some_and(|name| name.len() < word.len());
        let is_before =
            |word: &&str| shell::BLOCKS.contains(word) || BEFORE.contains(word) || is_set(word);
        let words = raw.split_whitespace().skip_while(is_before);
        let words: Vec<&str> = words.map(|word| word.trim_matches(['\'', '"'])).collect();
        let ahead =
            |word: &&&str| RUNNING.contains(*word) || RUN.contains(*word) || word.starts_with('-');
        let at = words.iter().take_while(ahead).count();
        let is_archive = |at: usize| words.get(at) == Some(&"archive");
        let archives =
            || (is_archive(at + 1) || at > 0 && is_archive(at)) && !shell::only_looks(raw);
        let moves = words.first().is_some_and(|word| MOVING.contains(word)) || archives();
        moves && words[1..].iter().any(|word| is_on_way(word, path))
    })
}

/// Whether a word of a command line is a file or a folder that it lies in, perhaps told from elsewhere.
fn is_on_way(word: &str, path: &str) -> bool {
    let word = word.trim_end_matches("/*").trim_end_matches('/').trim_start_matches("./");
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    let mut ways = ends.map(|end| &path[..end]).filter(|way| !way.is_empty());
    !word.is_empty()
        && ways.any(|way| {
            place::ends_with(way, word) || place::is_whole(word) && place::ends_with(word, way)
        })
}

#[cfg(test)]
mod tests {
    use super::moves;

    #[test]
    fn a_list_is_gone_where_it_or_a_folder_of_it_is_an_argument() {
        let path = "changes/read-dates/tasks.md";
        for line in [
            "git mv changes/read-dates changes/archive/2026-read-dates",
            "cd changes && rm -rf read-dates",
            "rm -rf /home/ada/tool/changes/read-dates/",
            "D=changes/read-dates; mv $D old/",
            "if git mv changes/read-dates old/; then echo moved; fi",
            "if true; then mv \"changes/read-dates/tasks.md\" x.md; fi",
            "npx planner archive read-dates --yes",
            "planner archive read-dates",
            "PLANNER_QUIET=1 planner archive read-dates",
            "pnpm dlx planner archive read-dates",
            "pnpm run archive read-dates",
            "mise exec -- planner archive read-dates",
            "rm changes/read-dates/*",
        ] {
            assert!(moves(line, path), "{line}");
        }
        for line in [
            "echo 'confirm the read-dates tasks.md'",
            "cat <<'EOF' > a.md\nin form of read-dates/tasks.md\nEOF",
            "grep archive changes/read-dates/tasks.md",
            "rm -f changes/read-dates/.reviewed",
            "rm docs/tasks.md",
            "echo archive read-dates",
            "planner instructions archive --change \"read-dates\"",
            "mv read-dates.md old/",
            "planner list --archive; cat changes/read-dates/tasks.md",
        ] {
            assert!(!moves(line, path), "{line}");
        }
    }
}
