//! What is said on a line: what the provider would refuse, and calls with their results.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::value::RawValue;

use super::super::wire::{Block, ImageSource, Line, Message};
use super::{Check, Rule};
use crate::harness::Severity::{Error, Warning};
use crate::jsonl;

/// The calls of the file, by their ids, and the responses.
#[derive(Default)]
pub(super) struct Calls {
    /// Where a call stands, and whether it has a result.
    of: FxHashMap<String, (u64, bool)>,
    /// The response that is being said, and all before it.
    response: String,
    responses: FxHashSet<String>,
}

impl Check {
    pub(super) fn talk(&mut self, line: &Line<'_>, number: u64) {
        let is_model = line.kind.text() == "assistant";
        let Some(message) = &line.message.0 else {
            return self.add(
                Rule {
                    severity: Error,
                    name: "missing_message",
                    message: "the line has no message",
                    hint: "take it out and give its children its parent",
                },
                number,
            );
        };
        if is_model {
            self.envelope(message, number);
        }
        let elements = jsonl::elements(message.content);
        let is_said = |raw: &&RawValue| raw.get().starts_with('"');
        if elements.is_empty() || elements.iter().any(|raw| is_said(raw) && is_empty(raw)) {
            self.empty(number);
        }
        let blocks = elements.into_iter().filter_map(|raw| jsonl::shaped(Some(raw)));
        let blocks: Vec<Block<'_>> = blocks.collect();
        for block in &blocks {
            self.block(block, is_model, number);
        }
        let has_words = blocks.iter().any(|block| block.kind.text() != "tool_result");
        if !is_model && (has_words || blocks.is_empty()) {
            self.calls.response.clear();
        }
    }

    fn envelope(&mut self, message: &Message<'_>, number: u64) {
        if message.content.is_some_and(|content| content.get().starts_with('"')) {
            self.add(Rule {
                severity: Error,
                name: "content_is_text",
                message: "the model's words are no list of blocks: 2.1.84 and 2.0.77 fail to load",
                hint: "write `[{\"type\": \"text\", \"text\": …}]`",
            }, number);
        }
        let Some(id) = message.id.filled() else {
            return self.add(Rule {
                severity: Error,
                name: "missing_message_id",
                message: "2.1.84 and 2.0.77 merge all responses without an id, in another order",
                hint: "give all lines of a response one id that no other has",
            }, number);
        };
        if self.calls.response != id {
            id.clone_into(&mut self.calls.response);
            if !self.calls.responses.insert(id.to_owned()) {
                self.add(
                    Rule {
                        severity: Warning,
                        name: "message_id_used_again",
                        message: "an earlier response has the same id: the two are sent as one",
                        hint: "give each response an id of its own",
                    },
                    number,
                );
            }
        }
    }

    fn empty(&mut self, number: u64) {
        self.add(
            Rule {
                severity: Error,
                name: "empty_text",
                message: "the provider refuses an empty text, on every turn",
                hint: "take it out",
            },
            number,
        );
    }

    fn block(&mut self, block: &Block<'_>, is_model: bool, number: u64) {
        let kind = block.kind.text();
        match kind {
            "text" if block.text.is_none_or(is_empty) => self.empty(number),
            "tool_use" if is_model => self.call(block, number),
            "tool_result" if !is_model => self.result(block, number),
            "tool_use" | "tool_result" | "thinking" | "redacted_thinking"
                if !is_model || kind == "tool_result" =>
            {
                self.add(Rule {
                    severity: Error,
                    name: "block_on_wrong_side",
                    message: "calls and thinking are the model's, results the user's; the provider \
                              refuses it",
                    hint: "",
                }, number);
            }
            "thinking" if block.signature.is_none_or(is_empty) => self.add(
                Rule {
                    severity: Error,
                    name: "unsigned_thinking",
                    message: "the provider refuses thinking that it has not signed",
                    hint: "take it out, or carry it as text",
                },
                number,
            ),
            "image" => self.image(block, number),
            _ => {}
        }
    }

    fn image(&mut self, block: &Block<'_>, number: u64) {
        let source: Option<ImageSource<'_>> = jsonl::shaped(block.source);
        let is_fine = source.is_some_and(|source| {
            let kinds = ["image/png", "image/jpeg", "image/gif", "image/webp"];
            source.url.filled().is_some()
                || source.data.filled().is_some() && kinds.contains(&source.media_type.text())
        });
        if !is_fine {
            self.add(
                Rule {
                    severity: Error,
                    name: "image_is_refused",
                    message: "the provider takes images as PNG, JPEG, GIF or WebP with their bytes",
                    hint: "put a line of text in its place",
                },
                number,
            );
        }
    }

    fn call(&mut self, block: &Block<'_>, number: u64) {
        if !block.input.is_some_and(|input| input.get().starts_with('{')) {
            self.add(
                Rule {
                    severity: Error,
                    name: "input_is_no_object",
                    message: "the provider refuses arguments that are no object, on every turn",
                    hint: "parse the text, or write `{\"value\": …}`",
                },
                number,
            );
        }
        let id = block.id.text();
        if !is_legal(id, 200) {
            self.add(Rule {
                severity: Error,
                name: "call_id_is_refused",
                message: "the provider takes only letters, digits, `_` and `-` in the id of a call",
                hint: "give call and result another id",
            }, number);
        }
        if !is_legal(block.name.text(), 200) {
            self.add(Rule {
                severity: Error,
                name: "tool_name_is_refused",
                message: "the provider takes only letters, digits, `_` and `-` in the name of a tool",
                hint: "rename it",
            }, number);
        }
        if self.calls.of.insert(id.to_owned(), (number, false)).is_some() {
            self.add(Rule {
                severity: Warning,
                name: "call_id_used_again",
                message: "an earlier call has the same id: only one of the two keeps its result",
                hint: "give call and result another id",
            }, number);
        }
    }

    fn result(&mut self, block: &Block<'_>, number: u64) {
        if block.is_error && says_nothing(block.content) {
            self.add(
                Rule {
                    severity: Error,
                    name: "empty_failure",
                    message: "the provider refuses a failure without any content, on every turn",
                    hint: "write `(empty)`, or take `is_error` out",
                },
                number,
            );
        }
        let (name, message) = match self.calls.of.get_mut(block.tool_use_id.text()) {
            Some((_, done)) if !*done => {
                *done = true;
                return;
            }
            Some(_) => ("second_result", "the call has a result already: this one is dropped"),
            None => {
                let message = "no call before has this id: 2.0.77 and 1.0.128 send it, and the \
                               provider refuses it; later programs drop it";
                ("result_without_call", message)
            }
        };
        let severity = if name == "second_result" { Warning } else { Error };
        self.add(Rule { severity, name, message, hint: "take it out" }, number);
    }

    /// Tells the calls that never got a result.
    pub(super) fn unanswered(&mut self) {
        let open = self.calls.of.values().filter(|(_, done)| !done).map(|(number, _)| *number);
        let mut open: Vec<u64> = open.collect();
        open.sort_unstable();
        for number in open {
            self.add(Rule {
                severity: Warning,
                name: "call_without_result",
                message: "the call has no result: it is dropped on resume, or gets one that says so",
                hint: "write a result that says that it was interrupted",
            }, number);
        }
    }
}

/// Tells whether a text says nothing.
fn is_empty(raw: &RawValue) -> bool {
    jsonl::string(raw).is_none_or(|text| text.trim().is_empty())
}

/// Tells whether the content of a result is missing, or only blank texts.
fn says_nothing(content: Option<&RawValue>) -> bool {
    let is_blank = |raw: &RawValue| match jsonl::shaped::<Block<'_>>(Some(raw)) {
        Some(block) => block.kind.text() == "text" && block.text.is_none_or(is_empty),
        None => is_empty(raw),
    };
    jsonl::elements(content).into_iter().all(is_blank)
}

fn is_legal(name: &str, longest: usize) -> bool {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !name.is_empty() && name.len() <= longest && name.bytes().all(fine)
}
