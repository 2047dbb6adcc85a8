//! Words that were typed while the agent worked and of which the file tells no more than that they wait.
//!
//! What waits is written once more, as a line of the conversation, when it is sent: only what has not come so
//! far by the end of the file is told from here.

use super::key;
use super::said;
use super::scan::{self, text_of};
use super::wire::{Attachment, Line};
use crate::jsonl;
use crate::model::Origin;

/// What waits, the oldest first.
#[derive(Default)]
pub(super) struct Queue {
    waiting: Vec<Waiting>,
    /// What was taken out to be sent, and has not been sent.
    taken: Vec<Waiting>,
}

/// A text that waits.
struct Waiting {
    /// The number of its line.
    number: u64,
    /// What tells its text from others.
    text: u64,
    is_request: bool,
}

impl Queue {
    /// Takes a line of any type.
    pub(super) fn line(&mut self, line: &Line<'_>, number: u64) {
        match line.kind.text() {
            "queue-operation" => self.operation(line, number),
            "attachment" => {
                let wire: Option<Attachment<'_>> = jsonl::shaped(line.attachment);
                if wire.is_some_and(|wire| wire.kind.text() == "queued_command") {
                    self.forget();
                }
            }
            _ if scan::is_talk(line) && !line.is_side => {
                let content = line.message.0.as_ref().and_then(|message| message.content);
                let is_told = line.kind.text() == "user" && !scan::has_results(content);
                match is_told && !line.is_meta {
                    // Whichever of them it is: nothing is told twice.
                    true => self.forget(),
                    // The agent goes on: it was sent in a way that nobody knows.
                    false => self.taken.clear(),
                }
            }
            _ => {}
        }
    }

    fn operation(&mut self, line: &Line<'_>, number: u64) {
        let text = line.content.and_then(text_of);
        match (line.operation.text(), text) {
            ("enqueue", Some(text)) => {
                let is_request = is_request(&text);
                self.waiting.push(Waiting { number, text: key::hash(&text), is_request });
            }
            ("dequeue", _) if !self.waiting.is_empty() => {
                self.taken.push(self.waiting.remove(0));
            }
            ("remove", Some(text)) => {
                let text = key::hash(&text);
                if let Some(at) = self.waiting.iter().position(|one| one.text == text) {
                    self.waiting.remove(at);
                }
            }
            ("enqueue" | "dequeue", _) => {}
            // All of it went, or nobody knows what.
            _ => self.forget(),
        }
    }

    fn forget(&mut self) {
        self.waiting.clear();
        self.taken.clear();
    }

    /// Returns the numbers of the lines with what still waits for an answer, in order.
    pub(super) fn unsent(self) -> Vec<u64> {
        let all = self.taken.into_iter().chain(self.waiting);
        all.filter(|one| one.is_request).map(|one| one.number).collect()
    }
}

/// Whether a text is a request of the human's, and no setting of the program and nothing that it told itself.
fn is_request(text: &str) -> bool {
    said::origin(text) == Origin::Human && !text.trim_start().starts_with(['<', '/', '!'])
}
