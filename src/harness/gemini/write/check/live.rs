//! The messages that would be sent, and what the provider would say to them.

use rustc_hash::FxHashMap;

use super::Findings;
use super::message::Known;
use crate::harness::Severity;
use crate::harness::gemini::content::Speaker;
use crate::harness::gemini::replay::hash;
use crate::harness::gemini::write::tools;

/// The messages that are live at this point of the replay, in order.
#[derive(Default)]
pub(super) struct Live {
    list: Vec<(u64, Known)>,
    places: FxHashMap<u64, usize>,
}

impl Live {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.places.clear();
    }

    /// Adds a message, or puts it in the place of the one with the same id.
    pub(super) fn put(&mut self, id: &str, known: Known) {
        let key = hash(id);
        match self.places.get(&key) {
            Some(at) => self.list[*at] = (key, known),
            None => {
                self.places.insert(key, self.list.len());
                self.list.push((key, known));
            }
        }
    }

    /// Drops a message and all behind it; all there are where it is not among them.
    pub(super) fn rewind(&mut self, id: &str) -> bool {
        let at = self.places.get(&hash(id)).copied();
        for (key, _) in self.list.split_off(at.unwrap_or(0)) {
            self.places.remove(&key);
        }
        at.is_some()
    }

    /// Adds what is wrong with the messages; tells whether the session can be resumed for any.
    pub(super) fn find(&self, findings: &mut Findings) -> bool {
        let mut calls = Calls::default();
        for (_, known) in &self.list {
            if known.is_command {
                let what = "the text begins with `/` or `?` and is not sent";
                let hint = "put a word before it";
                findings.add(Severity::Warning, "command_text", known.line, what, hint);
                continue;
            }
            if known.speaker == Some(Speaker::Model) && known.calls.is_empty() && !known.can_resume
            {
                findings.add(Severity::Info, "empty_message", known.line, "it says nothing", "");
            }
            calls.take(known, findings);
        }
        calls.finish(findings);
        self.list.iter().any(|(_, known)| known.can_resume)
    }
}

/// The calls that were sent, by id: how many wait, and where the last one was made.
#[derive(Default)]
struct Calls {
    waiting: FxHashMap<String, (u32, u64, String)>,
}

impl Calls {
    fn take(&mut self, known: &Known, findings: &mut Findings) {
        for call in &known.calls {
            if !call.has_object {
                let what = format!("the arguments of `{}` are no object", call.name);
                let hint = "the provider refuses them; make them an object";
                findings.add(Severity::Error, "arguments", known.line, &what, hint);
            }
            if tools::legal(&call.name) != call.name {
                let what = format!("the provider refuses `{}` as the name of a tool", call.name);
                findings.add(Severity::Error, "tool_name", known.line, &what, "rename it");
            }
            let waiting = self.waiting.entry(call.id.clone()).or_default();
            *waiting = (waiting.0 + 1, known.line, call.name.clone());
        }
        // Without an id the harness pairs them by name.
        for id in known.answers.iter().filter(|id| !id.is_empty()) {
            match self.waiting.get_mut(id) {
                Some((0, ..)) => {
                    let what = format!("call `{id}` is answered once more, and both are sent");
                    findings.add(Severity::Warning, "repeated_result", known.line, &what, "");
                }
                Some((count, ..)) => *count -= 1,
                None => {
                    let what = format!("a result names call `{id}`, which is not sent before it");
                    let hint = "the provider refuses it; remove the result";
                    findings.add(Severity::Error, "orphan_result", known.line, &what, hint);
                }
            }
        }
    }

    fn finish(self, findings: &mut Findings) {
        let mut open: Vec<_> = self.waiting.into_iter().collect();
        open.retain(|(id, (count, ..))| *count > 0 && !id.is_empty());
        open.sort_by_key(|(_, (_, line, _))| *line);
        for (id, (_, line, name)) in open {
            let what = format!("no result of call `{id}` of `{name}` is sent");
            let hint = "the provider refuses a call without one; add a result that says so";
            findings.add(Severity::Error, "call_without_result", line, &what, hint);
        }
    }
}
