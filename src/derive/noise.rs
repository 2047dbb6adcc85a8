//! Rows of an output that tell how far something was, or invite to something else: nobody needs them later.

use std::borrow::Cow;

use super::pattern::Pattern;

/// What holds one of the words without which no row is such.
const SIGNS: &[&str] = &[
    "remote:",
    "    Blocking ",
    "ompiling ",
    "ownload",
    "hecking ",
    "objects:",
    "deltas:",
    "sha256:",
    "Pull complete",
    "Pulling fs layer",
    "Already exists",
    "output",
    NAMED,
];

/// How the hint begins by which git tells that it made up who commits, and how it ends.
const NAMED: &str = "Your name and email address were configured automatically";
const RENAMED: &str = "--reset-author";
/// How many rows it has at most.
const HINT_ROWS: usize = 14;

/// Rows that tell how far something is, of cargo, of what fetches images and of git; and those by which a harness says
/// how much of an output it left out.
static PROGRESS: Pattern = Pattern::new(concat!(
    r"^ {2,}(?:Blocking waiting for file lock|(?:Checking|Compiling|Downloaded) \S+ v\d|Downloading crates)\b.*$",
    r"|^ ?[0-9a-f]{12}:? (?:Already exists|Download complete|Downloading|Extracting|Pull complete|Pulling fs layer|Verifying Checksum|Waiting)\b.*$",
    r"|^#\d+ (?:sha256:|extracting sha256:).*$",
    r"|^(?:remote: )?(?:Compressing|Counting|Enumerating|Receiving|Writing) objects: .*$",
    r"|^(?:remote: )?Resolving deltas: .*$",
    r"|^Warning: truncated output \(original token count: \d+\)$",
    r"|^Total output lines: \d+$",
));
/// What a server says behind a push: nothing, or where one could go on.
static INVITING: Pattern = Pattern::new(concat!(
    r"^remote:\s*$",
    r"|^remote: (?:Create a (?:new )?pull request|To create a merge request|Create pull request)\b.*$",
    r"|^remote:\s+https?://\S+(?:/pull/new/|/merge_requests/new|/pull-requests/new)\S*\s*$",
));

/// Returns an output without such rows.
pub(super) fn without(output: &str) -> Cow<'_, str> {
    if !SIGNS.iter().any(|sign| output.contains(sign)) {
        return Cow::Borrowed(output);
    }
    let rows: Vec<&str> = output.lines().collect();
    let mut hint = 0;
    let stays = |at: &usize| {
        let row = rows[*at];
        if row.starts_with(NAMED) {
            // One that is cut off has no end, and what stands behind it is something else.
            let mut within = rows[*at..].iter().take(HINT_ROWS);
            hint = within.position(|row| row.contains(RENAMED)).map_or(1, |last| last + 1);
        }
        let is_hint = hint > 0;
        hint = hint.saturating_sub(1);
        !is_hint && !PROGRESS.is_match(row) && !INVITING.is_match(row)
    };
    let kept: Vec<&str> = (0..rows.len()).filter(stays).map(|at| rows[at]).collect();
    Cow::Owned(kept.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_how_far_it_is_is_left_out() {
        assert!(PROGRESS.is_sound() && INVITING.is_sound());
        for row in [
            "   Compiling serde v1.0.2 (/srv/p)",
            "    Checking core v0.1.0",
            "  Downloaded regex v1.2.3",
            "8a1e25ce7c4f: Pull complete",
            "#7 sha256:0123456789ab 1.05MB / 3.2MB 0.2s",
            "remote: Counting objects: 100% (5/5), done.",
            "Writing objects: 100% (3/3), 300 bytes | 300.00 KiB/s, done.",
            "remote: ",
            "remote: Create a pull request for 'f' on GitHub by visiting:",
            "remote:      https://example.com/a/b/pull/new/f",
            "Warning: truncated output (original token count: 3031)",
            "Total output lines: 278",
        ] {
            assert_eq!(without(&format!("a\n{row}\nb")), "a\nb", "{row}");
        }
        for row in [
            "remote: error: GH013: Repository rule violations found",
            "remote: warning: File a.bin is large",
            "remote: Building source:",
            "remote:      https://example.com/deploys/7",
            "   1a2b3c4..5d6e7f8  main -> main",
            "    Finished `dev` profile in 0.1s",
            "Compiling the sentence list v2",
            "Warning: truncated output",
            "Total output lines: 278 of 300",
            "Checking core v0.1.0 of the plan",
            "error: could not compile `core`",
            "8a1e25ce7c4f Pull the lever",
        ] {
            assert_eq!(without(&format!("a\n{row}\nremote:\nb")), format!("a\n{row}\nb"), "{row}");
        }
    }

    #[test]
    fn the_hint_who_commits_is_left_out() {
        let hint = "[main 1a2b3c4] Mend it\n Committer: Ada <ada@box.local>\nYour name and email address were configured automatically based\non your username and hostname. Please check that they are accurate.\n\n    git config --global --edit\n\nAfter doing this, you may fix the identity used for this commit with:\n\n    git commit --amend --reset-author\n\n 1 file changed";
        let told = "[main 1a2b3c4] Mend it\n Committer: Ada <ada@box.local>\n\n 1 file changed";
        assert_eq!(without(hint), told);
        let cut = "Your name and email address were configured automatically based\non your username\n1 failed, 3 passed";
        assert_eq!(without(cut), "on your username\n1 failed, 3 passed");
        let there = "remote: View merge request for f:\nremote:   https://example.com/a/-/merge_requests/41";
        assert_eq!(without(there), there);
    }
}
