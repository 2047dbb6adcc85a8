//! Where a file lies and what it is called.

use camino::Utf8Path;
use uuid::Uuid;

use super::found::Found;
use crate::harness::Severity::{Error, Info, Warning};
use crate::jsonl::Input;

/// What a name looks like, where `0` stands for any digit.
const TIME: &str = "0000-00-00T00-00-00";

/// Looks at the place of a file; one outside of the client's folders is not yet installed.
pub(super) fn check(input: &Input, id: &str, found: &mut Found) {
    let Some(path) = input.path() else { return };
    let shelf = |name| path.ancestors().skip(1).find(|above| above.file_name() == Some(name));
    if shelf("archived_sessions").is_some() {
        found.add(Error, 0, "archived", "is archived: the client does not resume it");
        return;
    }
    let home = shelf("sessions");
    let named = id_of(path);
    match named {
        None => {
            let severity = if home.is_some() { Error } else { Info };
            let why = "is not called `rollout-<time>-<uuid>.jsonl`, by which the client finds it";
            found.add(severity, 0, "file_name", why);
        }
        Some(named) if !id.is_empty() && Uuid::parse_str(id).ok() != Some(named) => {
            let why = format!("is called after {named}, but its id is {id}");
            found.add(Warning, 0, "file_name", &why);
        }
        Some(_) => {}
    }
    if home.is_some() && home == path.parent() {
        let why = "lies right in `sessions`: the client finds it by its id, but does not list it";
        found.add(Warning, 0, "folder", why);
    }
}

/// Returns the id in a file's name, if that has the right form.
fn id_of(path: &Utf8Path) -> Option<Uuid> {
    let name = path.file_name()?.strip_prefix("rollout-")?;
    let name = name.strip_suffix(".zst").unwrap_or(name).strip_suffix(".jsonl")?;
    let (time, rest) = name.split_at_checked(TIME.len())?;
    let is_time = time.bytes().zip(TIME.bytes()).all(|(byte, like)| match like {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    });
    let id = rest.strip_prefix('-').filter(|_| is_time)?;
    Uuid::parse_str(id).ok()
}
