//! Commands that the human ran in the shell mode, which stand among the user's messages.

use crate::harness::HumanRan;

/// How a message begins that tells of one.
const COMMAND: &str = "I ran the following shell command:\n```sh\n";
/// What stands between the command and what came of it.
const RESULT: &str = "\n```\n\nThis produced the following result:\n```\n";
/// How the result begins where the command failed.
const EXITED: &str = "Command exited with code ";

/// Tells by its beginning whether a text tells of a command that the human ran.
pub(super) fn tells_of_one(start: &str) -> bool {
    start.starts_with(COMMAND)
}

/// Returns the command that the human ran with what came of it, if a text is that.
pub(super) fn human_ran(text: &str) -> Option<HumanRan> {
    let (command, result) = text.trim_start().strip_prefix(COMMAND)?.split_once(RESULT)?;
    let output = result.trim_end().strip_suffix("```").unwrap_or(result).trim_end_matches('\n');
    let code = output.strip_prefix(EXITED).and_then(|rest| rest.split_once('.'));
    Some(HumanRan {
        command: Some(command.to_owned()),
        output: Some(output.to_owned()),
        exit_code: code.and_then(|(code, _)| code.parse().ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_human_ran_is_told_with_how_it_ended() {
        let told = |result: &str| human_ran(&format!("{COMMAND}make test{RESULT}{result}\n```"));
        let ran = told("Command exited with code 2.\n1 failed").unwrap();
        assert_eq!(ran.command.as_deref(), Some("make test"));
        let output = Some("Command exited with code 2.\n1 failed");
        assert_eq!((ran.output.as_deref(), ran.exit_code), (output, Some(2)));
        let ran = told("3 passed").unwrap();
        assert_eq!((ran.output.as_deref(), ran.exit_code), (Some("3 passed"), None));
        assert_eq!(human_ran("I ran the following shell command:\n```sh\nls\n```"), None);
        assert_eq!(human_ran("I ran make test"), None);
    }
}
