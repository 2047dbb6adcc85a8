//! What goes on in the background: how a result says so, and how its end is told.

use crate::harness::{Begun, Late};
use crate::model::Status;

/// How the result begins of a command that runs on.
const BEGUN: &str = "Command moved to background (PID: ";
/// How the results begin of a look at what such a command printed: none says whether it runs still.
const LOOKED: &[&str] = &["Full Log Output:\n", "Showing last ", "Log is empty."];
/// How the program begins to tell the model that one has ended.
const TOLD: &str = "Background execution update:";
/// What stands around what it tells then.
const OPENS: &str = "<background_output>";
const CLOSES: &str = "</background_output>";
/// What it says of one.
const COMPLETED: &str = "[Background command completed ";
/// What stands before the number of a command in the name of the file with what it printed.
const LOG: &str = "background-";

/// Says by what number a command runs on, by how its result begins.
pub(super) fn begun(result: &str) -> Option<Begun> {
    let number = number(super::shell::unwrapped(result).strip_prefix(BEGUN)?)?;
    Some(Begun { name: number.to_owned(), is_agent: false })
}

/// Whether what was asked of a command leaves open whether it runs on.
pub(super) fn runs_on(result: &str) -> bool {
    LOOKED.iter().any(|start| result.starts_with(start))
}

/// Tells by its beginning whether a text tells of something that has ended.
pub(super) fn tells_of_end(start: &str) -> bool {
    let told = start.strip_prefix(TOLD).map(str::trim_start);
    told.is_some_and(|told| told.starts_with(OPENS)) || start.starts_with(COMPLETED)
}

/// Returns which commands ended, if a text tells that. One that failed is told of like any other.
pub(super) fn late(message: &str) -> Vec<Late> {
    match tells_of_end(message) {
        true => message.split(COMPLETED).skip(1).filter_map(end).collect(),
        false => Vec::new(),
    }
}

/// Returns what is told of the end of one.
fn end(told: &str) -> Option<Late> {
    let (how, rest) = told.split_once(". Output saved to ")?;
    let file = rest.split(".log").next()?;
    let name = number(file.rsplit_once(LOG)?.1)?.to_owned();
    let failed = how.starts_with("with error");
    let told = if failed { format!("it ended {how}") } else { "it ended".to_owned() };
    // What it printed may stand behind.
    let printed = rest.split_once("]").map_or("", |(_, printed)| printed);
    let printed = printed.split(CLOSES).next().unwrap_or_default().trim();
    let told = if printed.is_empty() { told } else { format!("{told}\n{printed}") };
    let status = if failed { Status::Error } else { Status::Ok };
    Some(Late { name, status, exit_code: None, told, report: None })
}

/// Returns the number with which a text begins.
fn number(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(&text[..digits])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_on_is_told_by_its_number() {
        let told = "Command moved to background (PID: 4711). Output hidden. Press Ctrl+B to view.";
        let name = |text: &str| begun(text).map(|begun| begun.name);
        assert_eq!(name(told).as_deref(), Some("4711"));
        let wrapped = format!("<untrusted_context>\n{told}\n</untrusted_context>");
        assert_eq!(name(&wrapped).as_deref(), Some("4711"));
        assert_eq!(name(&format!("Output: {told}")), None);
        assert_eq!(name("Command moved to background (PID: undefined)."), None);
    }

    #[test]
    fn how_it_ended_is_told_later() {
        let told = |how: &str| {
            late(&format!(
                "{TOLD}\n<background_output>\n[Background command completed {how}. Output saved to /t/background-processes/background-4711.log\\]\n</background_output>\n\nA previously backgrounded execution has completed."
            ))
        };
        let done = told("successfully").pop().unwrap();
        assert_eq!((done.name.as_str(), done.status, done.exit_code), ("4711", Status::Ok, None));
        let failed = told("with error: spawn sh ENOENT").pop().unwrap();
        assert_eq!(failed.status, Status::Error);
        assert_eq!(failed.told, "it ended with error: spawn sh ENOENT");
        let quoted = "I saw [Background command completed successfully. Output saved to /t/background-1.log]";
        assert!(late(quoted).is_empty());
        let one = |number: u32| {
            format!(
                "[Background command completed successfully. Output saved to /t/background-{number}.log]\n"
            )
        };
        let two = format!("{TOLD}\n{OPENS}\n{}{}</background_output>", one(7), one(8));
        let names: Vec<_> = late(&two).into_iter().map(|late| late.name).collect();
        assert_eq!(names, ["7", "8"]);
        let with_output =
            format!("{TOLD}\n{OPENS}\n{}\ntest result: FAILED. 1 failed\n{CLOSES}\n", one(7));
        assert_eq!(late(&with_output)[0].told, "it ended\ntest result: FAILED. 1 failed");
        // What somebody pastes of it is theirs.
        assert!(late(&format!("{TOLD} see {}", one(7))).is_empty());
    }
}
