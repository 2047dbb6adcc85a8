//! Comments that the session posted on pages of a hoster.

use crate::derive::shell;
use crate::derive::timeline::Done;

/// The longest address that is told, in bytes.
const MOST_ADDRESS_BYTES: usize = 200;
/// Commands that post a comment and print its address.
const COMMENTING: &[&str] = &["gh pr comment", "gh issue comment", "gh discussion comment"];
/// Options with which they change or take away the last one.
const ON_LAST: &[&str] = &["--delete-last", "--edit-last"];
/// What stands in the address of one, and in none of a page.
const OF_COMMENT: &[&str] = &["#issuecomment-", "#discussioncomment-", "#discussion_r"];

/// Returns the address of the comment that a call posted: of what it printed only that one is of a comment.
pub(super) fn comment(done: &Done<'_>) -> Option<String> {
    let line = done.command().filter(|line| line.contains("gh "))?;
    let posts = |field: &str| {
        field.starts_with("add") && (field.ends_with("Comment") || field.ends_with("Reply"))
    };
    let is_posted = || mutation(line).is_some_and(posts);
    let is_command = |part: &String| {
        COMMENTING.iter().any(|form| part.starts_with(form))
            && !ON_LAST.iter().any(|option| part.contains(option))
    };
    if !shell::parts(line).iter().any(is_command) && !is_posted() {
        return None;
    }
    let output = done.output();
    let is_end = |c: char| c.is_whitespace() || c.is_control() || "\"'\\<>`)".contains(c);
    let pages = output.match_indices("https://").filter_map(|(at, _)| {
        let page = output[at..].split(is_end).next()?;
        OF_COMMENT.iter().any(|mark| page.contains(mark)).then_some(page)
    });
    let mut pages: Vec<&str> = pages.collect();
    pages.dedup();
    let [page] = pages[..] else { return None };
    (page.len() <= MOST_ADDRESS_BYTES).then(|| page.to_owned())
}

/// Returns the numbers of the comments that a call took away.
pub(super) fn taken_away(done: &Done<'_>) -> Vec<String> {
    let Some(line) = done.command().filter(|line| line.contains("gh api")) else {
        return Vec::new();
    };
    let takes = |part: &&String| part.starts_with("gh api") && part.contains("DELETE");
    let is_number = |word: &&str| word.len() > 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let parts = shell::parts(line);
    let words =
        parts.iter().filter(takes).flat_map(|part| part.split(|c: char| !c.is_alphanumeric()));
    words.filter(is_number).map(str::to_owned).collect()
}

/// Returns what a request for data of a hoster changes there, by the first field of its `mutation`.
fn mutation(line: &str) -> Option<&str> {
    let (_, query) = line.split_once("api graphql")?;
    let (before, query) = query.split_once("mutation")?;
    // It is the word with which the query begins.
    let is_begun = before.trim_end().ends_with(['\'', '"', '=']);
    let (_, fields) = query.split_once('{').filter(|_| is_begun)?;
    let fields = fields.trim_start();
    let field = &fields[..fields.find(|c: char| !c.is_alphanumeric()).unwrap_or(fields.len())];
    (!field.is_empty()).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::mutation;

    #[test]
    fn a_mutation_is_named_by_its_first_field() {
        let line = "gh api graphql -f query='mutation($id: ID!, $body: String!) {\n  addReply(input: {id: $id}) { id } }' -f id=1";
        assert_eq!(mutation(line), Some("addReply"));
        assert_eq!(mutation("gh api graphql -f query='mutation { close }'"), Some("close"));
        assert_eq!(mutation("gh api graphql -f query='query { mutation { id } }'"), None);
        assert_eq!(mutation("gh api graphql -F query=@q.txt"), None);
    }
}
