//! Words by a role, and whose they really are.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::item::{lent, own};
use super::sent::without_packs;
use super::{Blob, Text};

/// Who speaks in the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The model.
    Assistant,
    /// The side that the model answers.
    User,
    /// Instructions above both.
    System,
}

/// Where the words really come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A human typed it, or sent it by a program.
    Human,
    /// The model.
    Model,
    /// The harness put it there: context, reminders, notifications.
    Harness,
    /// A command that the human ran in the harness, its output, or what it asks the model.
    Command,
    /// A compaction summary.
    Summary,
    /// Another agent.
    Agent,
}

/// Words by a role.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    /// Who speaks.
    pub role: Role,
    /// Where the words come from.
    pub origin: Origin,
    /// The same for all pieces of one response of the model.
    pub message_id: Option<Cow<'a, str>>,
    /// The model that spoke.
    pub model: Option<Cow<'a, str>>,
    /// The pieces.
    pub parts: Vec<Part<'a>>,
    /// What the human typed, where the harness wrapped it or put other text around it; in what a pack is made of also
    /// what another agent wrote, or what the harness tells that happened.
    pub said: Option<Text<'a>>,
    /// Whether the model had not ended its turn with it, where the harness says so.
    pub interim: bool,
    /// The command or the skill whose text it is, as it was called, where the harness put that in; only in what a pack
    /// is made of.
    pub called: Option<String>,
}

/// Whether words begin with a command of a harness, such as `/fix`: a path begins with no name alone.
pub fn is_command(words: &str) -> bool {
    command_in(words).is_some()
}

fn command_in(words: &str) -> Option<&str> {
    let typed = words.split_whitespace().next()?;
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, ':' | '-' | '_' | '.');
    let name = typed.strip_prefix('/').filter(|name| name.chars().all(is_of_name))?;
    name.starts_with(char::is_alphabetic).then_some(typed)
}

impl<'a> Message<'a> {
    /// A message of one text.
    pub fn text(role: Role, origin: Origin, text: impl Into<Text<'a>>) -> Self {
        let parts = vec![Part::Text(text.into())];
        Self {
            role,
            origin,
            message_id: None,
            model: None,
            parts,
            said: None,
            interim: false,
            called: None,
        }
    }

    pub(super) fn into_owned(self) -> Message<'static> {
        Message {
            role: self.role,
            origin: self.origin,
            message_id: self.message_id.map(own),
            model: self.model.map(own),
            parts: self.parts.into_iter().map(Part::into_owned).collect(),
            said: self.said.map(Text::into_owned),
            interim: self.interim,
            called: self.called,
        }
    }

    /// Returns the words of its author, without what the harness put around them, and without packs
    /// of earlier sessions that were piped in: a pack does not hold a pack. Where a human sent only
    /// such a pack, or images or other bytes, these are named.
    pub fn words(&self) -> Cow<'_, str> {
        let words = self.sent();
        match self.origin {
            Origin::Human if words.trim().is_empty() => self.sent_without_words().into(),
            Origin::Human => without_packs(words),
            _ => words,
        }
    }

    /// Returns the words of its author as they were sent, packs of earlier sessions and all.
    pub fn sent(&self) -> Cow<'_, str> {
        self.said.as_ref().map_or_else(|| self.plain(), Text::plain)
    }

    /// Whether a human wrote it.
    pub fn is_by_human(&self) -> bool {
        self.origin == Origin::Human
    }

    /// Whether the model said it.
    pub fn is_by_model(&self) -> bool {
        self.role == Role::Assistant && self.origin == Origin::Model
    }

    /// Returns the command of a harness that its author typed, such as `/fix`, without what follows it.
    pub fn command(&self) -> Option<String> {
        command_in(&self.sent()).map(str::to_owned)
    }

    /// Returns the kinds of what was sent, such as `(sent without words: image/png)`; nothing if
    /// there is none.
    fn sent_without_words(&self) -> String {
        match &self.kinds()[..] {
            [] => String::new(),
            kinds => format!("(sent without words: {})", kinds.join(", ")),
        }
    }

    /// Says behind `told`, which tells its words, what a human sent with them, such as `(with image/png)`: whoever
    /// goes on has not seen that.
    pub fn with_images(&self, told: String, joint: &str) -> String {
        let (words, kinds) = (self.sent(), self.kinds());
        // Programs put a mark for each image into the words.
        let is_named = words.trim().is_empty() || words.contains("[Image");
        if self.origin != Origin::Human || is_named || kinds.is_empty() || told.is_empty() {
            return told;
        }
        format!("{told}{joint}(with {})", kinds.join(", "))
    }

    /// Returns the kinds of the images and other bytes in it.
    fn kinds(&self) -> Vec<&str> {
        let mut kinds: Vec<&str> = self.parts.iter().filter_map(Part::media_type).collect();
        kinds.dedup();
        kinds
    }

    /// Tells whether what was typed stands in what was sent, if only as single words.
    pub fn shows_typed(&self) -> bool {
        let Some(said) = &self.said else { return true };
        let (said, sent) = (said.plain(), self.plain());
        let has_words = |line: &str| line.split_whitespace().all(|word| sent.contains(word));
        said.lines().all(|line| sent.contains(line.trim()) || has_words(line))
    }

    /// Returns all its texts, one under the other.
    pub fn plain(&self) -> Cow<'_, str> {
        plain(&self.parts)
    }

    /// Tells whether it has neither a text nor anything else.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Text(text) if text.is_blank()))
    }
}

/// Returns the texts of `parts`, one under the other.
pub(crate) fn plain<'p>(parts: &'p [Part<'_>]) -> Cow<'p, str> {
    let mut texts = parts.iter().filter_map(Part::as_text).map(Text::plain);
    let mut all = texts.next().unwrap_or_default();
    texts.for_each(|text| {
        all.to_mut().push('\n');
        all.to_mut().push_str(&text);
    });
    all
}

/// A piece of a message or of a tool's output.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// Words.
    Text(Text<'a>),
    /// An image or other bytes.
    Blob(Blob<'a>),
    /// Anything else, as it stands in the source.
    Other {
        /// What the source calls it.
        kind: Cow<'a, str>,
        /// The whole piece.
        json: Cow<'a, RawValue>,
    },
}

impl<'a> Part<'a> {
    /// Returns its words, if it is of words.
    pub fn as_text(&self) -> Option<&Text<'a>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Blob(_) | Self::Other { .. } => None,
        }
    }
}

impl Part<'_> {
    /// Returns the kind of an image or of other bytes.
    fn media_type(&self) -> Option<&str> {
        match self {
            Self::Blob(blob) => Some(&blob.media_type),
            Self::Text(_) | Self::Other { .. } => None,
        }
    }

    /// Returns the same without a copy.
    pub fn borrowed(&self) -> Part<'_> {
        match self {
            Self::Text(text) => Part::Text(text.borrowed()),
            Self::Blob(blob) => Part::Blob(blob.borrowed()),
            Self::Other { kind, json } => {
                Part::Other { kind: lent(kind), json: Cow::Borrowed(json) }
            }
        }
    }

    /// Returns a part that borrows nothing.
    pub fn into_owned(self) -> Part<'static> {
        match self {
            Self::Text(text) => Part::Text(text.into_owned()),
            Self::Blob(blob) => Part::Blob(blob.into_owned()),
            Self::Other { kind, json } => {
                Part::Other { kind: own(kind), json: Cow::Owned(json.into_owned()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Name;

    #[test]
    fn a_command_begins_with_a_name_and_no_path() {
        for words in ["/fix", " /review:all the tests", "/continue"] {
            assert!(is_command(words), "{words}");
        }
        for words in ["/home/ada/x.rs is broken", "/ is full", "fix /x", "", "/2 of it"] {
            assert!(!is_command(words), "{words}");
        }
    }

    #[test]
    fn a_pack_that_was_piped_in_is_no_request() {
        let pack = "<resume-pack from=\"segue\" session=\"a:1\">\nold\n</resume-pack>\n";
        let words =
            |text: String| Message::text(Role::User, Origin::Human, text).words().into_owned();
        assert_eq!(words(format!("go on\n{pack}")), "go on");
        assert_eq!(words(format!("go on\n\n<stdin>\n{pack}</stdin>")), "go on");
        assert_eq!(words(format!("{pack}\n\ngo on")), "go on");
        assert_eq!(words(pack.to_owned()), "(a pack of a:1)");
        assert_eq!(words("what is <resume-pack> for?".to_owned()), "what is <resume-pack> for?");
    }

    #[test]
    fn what_was_sent_without_words_is_named() {
        let blob = |kind: &'static str| Part::Blob(Blob::told(kind.into(), Name::default()));
        let words = |origin, parts: Vec<Part<'static>>| {
            Message { parts, ..Message::text(Role::User, origin, "") }.words().into_owned()
        };
        let two = vec![blob("image/png"), blob("image/png"), blob("application/pdf")];
        let told = "(sent without words: image/png, application/pdf)";
        assert_eq!(words(Origin::Human, two.clone()), told);
        assert_eq!(words(Origin::Agent, two.clone()), "");
        let said = [vec![Part::Text("this one".into())], two].concat();
        assert_eq!(words(Origin::Human, said.clone()), "this one");
        let told = |parts| {
            let message = Message { parts, ..Message::text(Role::User, Origin::Human, "") };
            message.with_images("told".to_owned(), " ")
        };
        let marked = [vec![Part::Text("see [Image #1]".into())], said[1..].to_vec()].concat();
        assert_eq!(told(said), "told (with image/png, application/pdf)");
        assert_eq!(told(marked), "told");
        assert_eq!(words(Origin::Human, vec![]), "");
    }
}
