//! Words that were typed while the agent worked and of which the file tells no more than that they wait.
//!
//! What waits is written once more, as a line of the conversation, when it is sent: only what has not come so
//! far by the end of the file is told from here.

use std::collections::VecDeque;

use super::key;
use super::said;
use super::scan::{self, text_of};
use super::wire::{Attachment, Line};
use crate::jsonl;
use crate::model::Origin;

/// What waits, the oldest first.
#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
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
            "attachment" if !line.is_side => {
                let wire: Option<Attachment<'_>> = jsonl::shaped(line.attachment);
                if wire.is_some_and(|wire| wire.kind.text() == "queued_command") {
                    self.forget();
                }
            }
            _ if scan::is_talk(line) && !line.is_side => {
                let content = line.message.0.as_ref().and_then(|message| message.content);
                let is_told = line.kind.text() == "user" && !scan::has_results(content);
                match is_told && !line.is_meta {
                    true => self.sent(content.and_then(text_of).as_deref().unwrap_or_default()),
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
                self.waiting.push_back(Waiting { number, text: key::hash(&text), is_request });
            }
            ("dequeue", _) => self.taken.extend(self.waiting.pop_front()),
            ("remove", Some(text)) => {
                let text = key::hash(&text);
                if let Some(at) = self.waiting.iter().position(|one| one.text == text) {
                    self.waiting.remove(at);
                }
            }
            ("enqueue", _) => {}
            // All of it went, or nobody knows what.
            _ => self.forget(),
        }
    }

    /// Takes out what was sent. Where it is told in other words, nobody knows which of them it is, and nothing is
    /// to be told twice; what the program says itself is none.
    fn sent(&mut self, text: &str) {
        let hash = key::hash(text);
        let is_it = |one: &Waiting| one.text == hash;
        if let Some(at) = self.taken.iter().position(is_it) {
            self.taken.remove(at);
        } else if let Some(at) = self.waiting.iter().position(is_it) {
            self.waiting.remove(at);
        } else if said::origin(text) == Origin::Human {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.waiting.clear();
        self.taken.clear();
    }

    /// Returns the numbers of the lines with what still waits for an answer, in order.
    pub(super) fn unsent(self) -> Vec<u64> {
        let all = self.taken.into_iter().chain(self.waiting);
        let mut all: Vec<u64> = all.filter(|one| one.is_request).map(|one| one.number).collect();
        all.sort_unstable();
        all
    }
}

/// Whether a text is a request of the human's, and no setting of the program and nothing that it told itself.
fn is_request(text: &str) -> bool {
    let text = text.trim_start();
    // A path is no command of the program.
    let name = text.strip_prefix('/').and_then(|rest| rest.split_whitespace().next());
    let is_command = name.is_some_and(|name| !name.contains('/'));
    said::origin(text) == Origin::Human && !is_command && !text.starts_with(['<', '!'])
}
