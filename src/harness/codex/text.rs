//! Which texts were typed and which were put there by the harness, and how texts are matched.

use serde_json::value::RawValue;

use super::wire::{Passthrough, Payload, Piece};
use crate::harness::{HumanRan, Late};
use crate::jsonl::{self, Lax};
use crate::model::{Part, SEALED, Status, Text};

/// How the user-role texts begin that nobody typed.
const INJECTED: &[&str] = &[
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<environment_context>",
    "<turn_aborted>",
    "<subagent_notification>",
    SKILL,
    "<codex_internal_context",
    "<goal_context>",
    "<recommended_plugins>",
    "<external_",
    "<hook_prompt",
    "<user_action>",
    "Warning: The maximum number of unified exec processes",
    "Warning: apply_patch was requested via ",
    "Warning: Your account was flagged",
    SUMMARY_START,
];
/// How the text of a skill begins that the client puts in.
const SKILL: &str = "<skill>";
/// What the client tells the model of a turn that the user stopped.
pub(super) const ABORTED: &str = "<turn_aborted>\nThe user interrupted the previous turn on purpose. \
    Any running unified exec processes may still be running in the background. If any tools/commands \
    were aborted, they may have partially executed.\n</turn_aborted>";
/// What the client puts in the place of an image that it cannot read.
const UNREAD_IMAGE: &str = "Codex could not read the local image at";
/// How a compaction summary begins since 0.66.
const SUMMARY_START: &str = "Another language model started to solve this problem and produced";
/// All that the client puts before a summary.
pub(super) const SUMMARY_LEAD: &str = "Another language model started to solve this problem and \
    produced a summary of its thinking process. You also have access to the state of the tools \
    that were used by that language model. Use this to build on the work that has already been \
    done and avoid duplicating work. Here is the summary produced by the other language model, \
    use the information in this summary to assist with your own analysis:";
/// How the sentence ends that stands before the summary.
const SUMMARY_LEAD_END: &str = "assist with your own analysis:";
/// A command that the human ran; its text begins with this.
const USER_COMMAND: &str = "<user_shell_command>";
/// What an editor puts before the request when it sends along which files are open.
const EDITOR_START: &str = "# Context from my IDE setup:";
/// The heading of the request itself, after what the editor sent along.
const EDITOR_REQUEST: &str = "## My request for Codex:";
/// How far into a text to look for one of the beginnings.
const LOOK_BYTES: usize = 96;

/// How the lines begin by which the model tells the desktop client what it did with git, so that it
/// looks there; others of that form hold words for the reader.
const SCREEN_MARK: &str = "::git-";

/// Returns what the model said without marks for the client's screen, if it has any.
pub(super) fn without_marks(answer: &Text<'_>) -> Option<String> {
    // They end the answer.
    let end = answer.end(MARKS_BYTES);
    end.contains(SCREEN_MARK).then_some(())?;
    let is_mark = |line: &str| line.starts_with(SCREEN_MARK) && line.trim_end().ends_with('}');
    let is_of_end = |line: &str| line.starts_with("::") || line.trim().is_empty();
    let whole = answer.plain();
    let lines: Vec<&str> = whole.lines().collect();
    let said = lines.iter().rposition(|line| !is_of_end(line.trim_start()))? + 1;
    let marks = lines[said..].iter().filter(|line| !is_mark(line.trim_start()));
    let bare: Vec<&str> = lines[..said].iter().chain(marks).copied().collect();
    let bare = bare.join("\n");
    Some(bare.trim_end().to_owned()).filter(|bare| bare.len() < whole.trim_end().len())
}

/// How far from the end of an answer to look for marks.
const MARKS_BYTES: usize = 4096;

/// The lines between which a plan stands that is put to the user.
pub(super) const PLAN_TAGS: (&str, &str) = ("<proposed_plan>", "</proposed_plan>");

/// Whose text a part of a user message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// The human's, as far as the text tells.
    Human,
    /// A command that the human ran.
    Command,
    /// The harness's.
    Harness,
    /// The tags around an image, or what stands in its place: nobody's.
    Wrapper,
}

/// Returns the command that the human ran with what came of it, if a text is that.
pub(super) fn human_ran(text: &str) -> Option<HumanRan> {
    let inside = text.trim_start().strip_prefix(USER_COMMAND)?;
    let (_, command) = inside.split_once("<command>\n")?;
    let (command, rest) = command.split_once("\n</command>")?;
    let result = rest.split_once("<result>\n").map_or("", |(_, result)| result);
    let result = result.rsplit_once("\n</result>").map_or(result, |(result, _)| result);
    let code = result.lines().find_map(|line| line.strip_prefix("Exit code: "));
    let output = result.split_once("Output:\n").map(|(_, output)| output.to_owned());
    Some(HumanRan {
        command: Some(command.to_owned()),
        output,
        exit_code: code.and_then(|code| code.trim().parse().ok()),
    })
}

/// Returns as what a skill is called whose text a message holds.
pub(super) fn called(message: &str) -> Option<String> {
    let (_, rest) = message.strip_prefix(SKILL)?.split_once("<name>")?;
    let (name, _) = rest.split_once("</name>")?;
    Some(format!("${}", name.trim())).filter(|name| name.len() > 1)
}

/// Tells by its beginning whose text it is.
pub(super) fn whose(text: &Text<'_>) -> Whose {
    let start = text.start(LOOK_BYTES);
    let start = start.trim_start();
    if start.starts_with(USER_COMMAND) {
        return Whose::Command;
    }
    let stands_for_image = start.starts_with("<image name=[") || start.starts_with(UNREAD_IMAGE);
    if stands_for_image || start.trim_end() == "</image>" {
        return Whose::Wrapper;
    }
    let injected = INJECTED.iter().any(|lead| start.starts_with(lead));
    if injected { Whose::Harness } else { Whose::Human }
}

/// Returns a summary without the sentence that the harness puts before it.
pub(super) fn bare_summary(message: &str) -> &str {
    if !message.starts_with(SUMMARY_START) {
        return message;
    }
    let end = message.find(SUMMARY_LEAD_END).map(|at| at + SUMMARY_LEAD_END.len());
    end.map_or(message, |end| message[end..].trim_start())
}

/// Returns the request alone, if an editor put its own words before it.
pub(super) fn request(words: &str) -> Option<&str> {
    let rest = words.trim_start().strip_prefix(EDITOR_START)?;
    let at = rest.rfind(EDITOR_REQUEST)? + EDITOR_REQUEST.len();
    Some(rest[at..].trim())
}

/// Returns the folder that an environment context names; the oldest files have it nowhere else.
pub(super) fn folder(context: &str) -> Option<String> {
    let rest = context.trim_start().strip_prefix("<environment_context>")?;
    let from = rest.find("<cwd>")? + "<cwd>".len();
    let to = rest[from..].find("</cwd>")?;
    let folder = rest[from..from + to].trim();
    (!folder.is_empty()).then(|| folder.to_owned())
}

/// Returns the pieces of a list; a plain text counts as the text of one piece.
pub(super) fn pieces<'a>(raw: Option<&'a RawValue>) -> Vec<(&'a RawValue, Piece<'a>)> {
    let piece = |raw: &'a RawValue| {
        if raw.get().starts_with('"') {
            return (raw, Piece { text: Some(raw), ..Piece::default() });
        }
        (raw, jsonl::shaped(Some(raw)).unwrap_or_default())
    };
    jsonl::elements(raw).into_iter().map(piece).collect()
}

/// What the client itself says of each piece of a message, where it does.
pub(super) fn kinds<'a>(payload: &Payload<'a>) -> Vec<Lax<'a>> {
    let beside = payload.internal_chat_message_metadata_passthrough;
    let beside: Passthrough<'a> = jsonl::shaped(beside).unwrap_or_default();
    jsonl::shaped(beside.content_item_kinds).unwrap_or_default()
}

/// Tells whose the piece number `at` of a user message is.
pub(super) fn whose_piece(piece: &Piece<'_>, kind: Option<&Lax<'_>>) -> Whose {
    let by_text = piece.text.and_then(Text::json).map_or(Whose::Human, |text| whose(&text));
    match kind.and_then(Lax::filled) {
        Some(_) if by_text == Whose::Wrapper => Whose::Wrapper,
        Some(kind) if kind.starts_with("user.") => Whose::Human,
        Some("unknown") | None => by_text,
        Some(_) if by_text == Whose::Command => Whose::Command,
        Some(_) => Whose::Harness,
    }
}

/// Returns the texts of `parts`, one under the other.
pub(super) fn plain(parts: &[Part<'_>]) -> String {
    let texts = parts.iter().filter_map(Part::as_text);
    texts.map(Text::plain).collect::<Vec<_>>().join("\n")
}

/// A message of another agent, without the form around it.
pub(super) struct Letter<'t> {
    kind: &'t str,
    /// Who wrote it.
    pub(super) sender: &'t str,
    /// To whom it is written.
    pub(super) task: Option<&'t str>,
    words: &'t str,
}

impl<'t> Letter<'t> {
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let (head, words) = text.strip_prefix("Message Type: ")?.split_once("\nPayload:")?;
        let row = |lead| head.lines().find_map(|row| row.strip_prefix(lead)).map(str::trim);
        let kind = head.lines().next().unwrap_or_default();
        let (sender, task) = (row("Sender: ")?, row("Task name: "));
        Some(Self { kind: kind.trim(), sender, task, words: words.trim_start() })
    }
}

/// Returns the form of a message of another agent up to its words, where these do not say by whom and
/// for whom they are.
pub(super) fn mail_head(payload: &Payload<'_>, parts: &[Part<'_>]) -> Option<String> {
    let author = payload.author.filled()?;
    let has_form = Letter::of(&plain(parts)).is_some();
    let task = payload.recipient.text();
    (!has_form)
        .then(|| format!("Message Type: MESSAGE\nTask name: {task}\nSender: {author}\nPayload:\n"))
}

/// Returns who sent a message of another agent, and what it says.
pub(super) fn letter(text: &str) -> Option<String> {
    let letter = Letter::of(text)?;
    let words = if letter.words.is_empty() { SEALED } else { letter.words };
    Some(format!("{}: {words}", letter.sender))
}

/// Returns what another agent reported, if a message is its last answer.
pub(super) fn report(text: &str) -> Option<Late> {
    let letter = Letter::of(text).filter(|letter| letter.kind == "FINAL_ANSWER")?;
    Some(Late {
        name: letter.sender.to_owned(),
        status: Status::Ok,
        exit_code: None,
        told: SEALED.to_owned(),
        report: Some(letter.words.trim_end().to_owned()).filter(|words| !words.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_around_what_another_agent_wrote_is_taken_off() {
        let form = "Message Type: FINAL_ANSWER\nTask name: /root\nSender: /root/review\nPayload:\nP2: it is\nPayload: x";
        assert_eq!(letter(form).as_deref(), Some("/root/review: P2: it is\nPayload: x"));
        assert_eq!(letter("Payload:\nx"), None);
        let late = report(form).unwrap();
        let told = (late.name.as_str(), late.report.as_deref());
        assert_eq!(told, ("/root/review", Some("P2: it is\nPayload: x")));
        assert_eq!(report(&form.replace("FINAL_ANSWER", "MESSAGE")), None);
    }

    #[test]
    fn marks_for_the_screen_go_and_words_stay() {
        let said = "Done.\n\n::code-comment{title=\"Fix\"}\n::git-stage{cwd=\"/x\"}\n::git-push{cwd=\"/x\"}";
        let bare = without_marks(&Text::from(said));
        assert_eq!(bare.as_deref(), Some("Done.\n\n::code-comment{title=\"Fix\"}"));
        let shown = "::git-stage{a}\nis how it looks.\n  ::git-push{b}\n";
        assert_eq!(
            without_marks(&Text::from(shown)).as_deref(),
            Some("::git-stage{a}\nis how it looks.")
        );
        assert_eq!(without_marks(&Text::from("::git-push{b}")), None);
        let spoken = "A line `::git-stage{...}` tells the client.\n::git-stage is one of them.";
        assert_eq!(without_marks(&Text::from(spoken)), None);
        assert_eq!(without_marks(&Text::from("Done.")), None);
    }

    #[test]
    fn what_the_human_ran_is_told_with_how_it_ended() {
        let told = |result: &str| {
            human_ran(&format!("{USER_COMMAND}\n<command>\nmake\nmake test\n</command>\n{result}"))
        };
        let result = "<result>\nExit code: 2\nDuration: 0.0309 seconds\nOutput:\na </result>\n\n\
                      </result>\n</user_shell_command>";
        let ran = told(result).unwrap();
        assert_eq!(ran.command.as_deref(), Some("make\nmake test"));
        assert_eq!((ran.output.as_deref(), ran.exit_code), (Some("a </result>\n"), Some(2)));
        let cut_off = told("</user_shell_command>").unwrap();
        assert_eq!((cut_off.output, cut_off.exit_code), (None, None));
        assert_eq!(human_ran("see <user_shell_command>\n<command>\nx\n</command>"), None);
    }
}
