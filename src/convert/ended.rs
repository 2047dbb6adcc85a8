//! How calls ended that ran on in the background: their harness tells it in words for its own model,
//! which no other is sent, so that it is put to the call, behind the receipt that stands there.

use std::collections::{HashMap, HashSet};

use super::Options;
use crate::model::{Body, Ended, Item, Origin, Part, Status, ToolKind};

/// How many bytes of a result say that its call runs on.
const BEGUN_BYTES: usize = 1024;

/// Puts to the results that say that something runs on how it ended.
pub(super) fn tell(items: &mut [Item<'static>], options: &Options<'_>) {
    let (mut asked, mut open) = (HashSet::new(), HashMap::new());
    let mut ends: Vec<(usize, Ended)> = Vec::new();
    for (place, item) in items.iter().enumerate() {
        match &item.body {
            Body::ToolCall(call) if matches!(call.kind, ToolKind::Shell | ToolKind::Agent) => {
                asked.insert(call.call_id.as_ref());
            }
            Body::ToolResult(result) if asked.remove(result.call_id.as_ref()) => {
                let (Some(Part::Text(text)), Status::Ok) = (result.output.first(), result.status)
                else {
                    continue;
                };
                let name = (options.begun)(&text.start(BEGUN_BYTES));
                open.extend(name.map(|name| (name, place)));
            }
            Body::Message(message) if message.origin == Origin::Harness && !open.is_empty() => {
                for (name, ended) in (options.ended)(&message.plain()) {
                    let at = item.ts.as_deref().map(str::to_owned);
                    ends.extend(open.remove(&name).map(|place| (place, Ended { at, ..ended })));
                }
            }
            _ => {}
        }
    }
    for (place, ended) in ends {
        if let Body::ToolResult(result) = &mut items[place].body {
            let words = [Some(ended.told.as_str()), ended.report.as_deref()];
            let words = words.into_iter().flatten().filter(|words| !words.trim().is_empty());
            let words = words.collect::<Vec<_>>().join("\n");
            if !words.is_empty() {
                result.output.push(Part::Text(words.into()));
            }
            result.ended = Some(Box::new(ended));
        }
    }
}
