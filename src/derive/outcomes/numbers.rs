//! Which page a command of a hoster's program names.

/// What stands in an address before the number of a page, or of a run.
const BEFORE: &[&str] = &["/pull/", "/issues/", "/merge_requests/", "/runs/"];
/// Options behind which a word stands that may be a number and is not that of the page.
const VALUED: &[&str] = &[
    "--attempt",
    "--body",
    "--comment",
    "--interval",
    "--limit",
    "--milestone",
    "--subject",
    "--title",
    "-L",
    "-b",
    "-i",
];
/// An option that has one where a page is closed or opened again; where it is shown it has none.
const WITH_COMMENT: &str = "-c";
/// How the repository is named.
const REPOSITORY: &[&str] = &["-R", "--repo"];

/// Returns the number of the page or the run that a command of a hoster's program names, be it by an address. What
/// stands in quotes beside other words, or is the value of an option, is none.
pub(in crate::derive) fn number_of(part: &str) -> Option<String> {
    let words = words(part);
    let comments = words.get(2).is_some_and(|verb| matches!(verb.as_str(), "close" | "reopen"));
    let mut is_value = false;
    let named = words.iter().skip(3).find_map(|word| {
        let was_value = std::mem::replace(
            &mut is_value,
            VALUED.contains(&word.as_str()) || comments && word == WITH_COMMENT,
        );
        number_in(word).filter(|_| !was_value)
    });
    named.map(str::to_owned)
}

/// Returns the words of a command as its shell hands them on, or those before the first quote. A `#` begins a remark in
/// a script alone.
fn words(part: &str) -> Vec<String> {
    let is_quoted = |word: &str| word.contains(['\'', '"']);
    let plain = || part.split_whitespace().take_while(|word| !is_quoted(word));
    let told = is_quoted(part).then(|| shlex::split(part)).flatten();
    told.unwrap_or_else(|| plain().map(str::to_owned).collect())
}

fn number_in(word: &str) -> Option<&str> {
    let behind = BEFORE.iter().find_map(|mark| word.split_once(mark));
    let number = match behind {
        Some((_, rest)) => rest.split(['/', '#', '?']).next().unwrap_or_default(),
        None => word.strip_prefix('#').unwrap_or(word),
    };
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Returns the repository that a command names.
pub(super) fn repository_of(part: &str) -> Option<&str> {
    let mut words = part.split_whitespace();
    words.find(|word| REPOSITORY.contains(word)).and_then(|_| words.next())
}

#[cfg(test)]
mod tests {
    use super::{number_of, repository_of};

    #[test]
    fn a_page_is_named_by_its_number_or_its_address_wherever_that_stands() {
        for part in [
            "gh pr merge 7 --squash",
            "gh pr merge --squash 7",
            "gh pr view '#7'",
            "gh pr view #7 --comments",
            "gh pr view -c 7",
            "gh pr checks https://github.com/a/b/pull/7/checks",
            "gh issue close https://github.com/a/b/issues/7#issuecomment-9",
            "glab mr merge https://git.example/a/b/-/merge_requests/7 --yes",
            "gh pr close -c 'superseded by #5' 7",
            "gh pr close 7 --comment 'see 9'",
            "gh pr close -c 9 7",
            "gh pr comment --body 'done 2 of 5' 7",
            "gh pr checks --watch --interval 10 7",
            "gh pr merge -R a/b 7",
            "gh pr comment 7 --body \"$(cat <<'E'\nIt's 5\nE\n)",
        ] {
            assert_eq!(number_of(part).as_deref(), Some("7"), "{part}");
        }
        for part in ["gh pr close old-branch -d", "gh run list -L 5", "gh pr view", "gh pr 7"] {
            assert_eq!(number_of(part), None, "{part}");
        }
        assert_eq!(repository_of("gh pr merge 7 --repo a/b"), Some("a/b"));
        assert_eq!(repository_of("gh pr merge 7"), None);
    }
}
