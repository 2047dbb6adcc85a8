//! Sessions that a program ran and that left nothing to go on with, such as those in which a hook has a
//! text summed up.

use super::Found;
use crate::error::Result;
use crate::harness::{Sink, Want};
use crate::model::{Action, Blobs, Body, Header, Item, Origin};

/// How many are read whole to see what they left; of more of them it is taken for granted that that is
/// nothing.
const MOST_READ: usize = 50;
/// From how many bytes on a session is taken for work without a look: those by the way are short.
const WORK_BYTES: u64 = 4_000_000;

/// Takes the first `most` of `found`, newest first, without those by the way, and returns too which were
/// passed over. Where all are such, these are what there is.
pub fn to_go_on_with(found: impl Iterator<Item = Found>, most: usize) -> (Vec<Found>, Vec<Found>) {
    let (mut kept, mut passed) = (Vec::new(), Vec::new());
    for one in found {
        if kept.len() == most {
            break;
        }
        let is_kept = !one.header.is_automatic || passed.len() < MOST_READ && left_something(&one);
        if is_kept { &mut kept } else { &mut passed }.push(one);
    }
    if kept.is_empty() {
        passed.truncate(most);
        return (passed, Vec::new());
    }
    (kept, passed)
}

/// Returns how many of those that were passed over would have been taken: all of them where fewer than `most`
/// are, else those that ended after the last.
pub fn in_place_of(passed: &[Found], taken: &[Found], most: usize) -> usize {
    let last = taken.last().and_then(Found::ended);
    passed.iter().filter(|one| taken.len() < most || one.ended() > last).count()
}

/// Whether more was said in a session than one request, or a file was changed; one that cannot be read is
/// not judged here.
fn left_something(one: &Found) -> bool {
    if one.header.source.bytes >= WORK_BYTES {
        return true;
    }
    let want = Want { actions: true, blobs: Blobs::Sized, ..Want::default() };
    let mut left = Left::default();
    let read = one.open().and_then(|input| one.harness.read(&input, want, &mut left));
    read.is_err() || left.requests > 1 || left.has_edit
}

/// What a session left.
#[derive(Default)]
struct Left {
    requests: usize,
    has_edit: bool,
}

impl Sink for Left {
    fn header(&mut self, _header: &Header) -> Result<()> {
        Ok(())
    }

    fn item(&mut self, item: Item<'_>) -> Result<()> {
        match &item.body {
            Body::Message(message) if message.origin == Origin::Human => self.requests += 1,
            Body::ToolCall(call) => {
                self.has_edit |= match call.action.as_deref() {
                    Some(Action::Edit { .. }) => true,
                    Some(Action::Shell { command, .. }) => may_write(command),
                    _ => false,
                };
            }
            _ => {}
        }
        Ok(())
    }
}

/// Words of a command line by which it changes files, for all that is known without a look at them.
const WRITING: &[&str] = &[
    "--fix",
    "--in-place",
    "--write",
    "apply",
    "commit",
    "cp",
    "fmt",
    "mv",
    "patch",
    "rm",
    "tee",
    "touch",
];

/// The same of more words: `-i` alone also stands where somebody searches.
const WRITING_SO: &[&str] = &["sed -i", "perl -i", "perl -pi"];
/// Where what is written is no file of the project.
const ASIDE: &[&str] = &["&", "/dev/null", "/tmp/"];

/// Whether a command line may change a file: rather too often than that work is passed over.
fn may_write(line: &str) -> bool {
    // What an arrow or a comparison is in a text cannot be told from it here.
    let redirects =
        line.split('>').skip(1).map(str::trim_start).any(|target| {
            !target.is_empty() && !ASIDE.iter().any(|aside| target.starts_with(aside))
        });
    let writes = WRITING_SO.iter().any(|words| line.contains(words));
    redirects
        || writes
        || line.contains("<<")
        || line.split_whitespace().any(|word| WRITING.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::may_write;

    #[test]
    fn a_command_line_that_writes_is_told_from_one_that_looks() {
        for line in [
            "cat > src/ü.rs",
            "x >>log",
            "sed -i s/a/b/ a.rs",
            "python3 - <<'E'",
            "git commit -am x",
        ] {
            assert!(may_write(line), "{line}");
        }
        for line in [
            "",
            "ls -la 2>/dev/null",
            "cargo test 2>&1 | tail -5",
            "git log > /dev/null",
            "rg -n x",
            "rg -n -i x docs | head > /tmp/rows",
        ] {
            assert!(!may_write(line), "{line}");
        }
    }
}
