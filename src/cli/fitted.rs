//! A pack that fits its budget, with its text.

use super::guarded::Guarded;
use super::templates;
use super::until::Point;
use crate::derive::Facts;
use crate::error::{Error, Result};
use crate::render::{Renderer, Template};
use crate::select::tokens::Counter;
use crate::select::{Budget, Pack, Selection, Weights, fetch};

/// How a pack is told.
#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    /// The command that looks up its ids, where the session's own id does not find it.
    pub fetch: Option<&'a str>,
    /// The point of the past that it is of.
    pub until: Option<&'a Point>,
    pub template: Template<'a>,
    /// What it is made for.
    pub target: &'a str,
}

/// Selects and renders until the text fits, measured on the final text.
pub(super) fn packed(
    facts: &Facts,
    guarded: &Guarded,
    weights: &Weights,
    as_of: &str,
    form: Form<'_>,
    budget: Budget,
    counter: &Counter,
) -> Result<(Pack, String)> {
    let count = |text: &str| counter.count(text);
    let renderer = Renderer::new(form.template)?;
    let rendered = |pack| rendered(pack, &renderer, form.target);
    let selection = Selection::new(facts, weights, as_of, &count);
    let build = |taken: usize, as_of: &str| {
        let mut pack = guarded.tell(selection.pack_as_of(taken, as_of));
        pack.target = templates::told(form.target);
        if let Some(fetch) = form.fetch {
            fetch.clone_into(&mut pack.fetch);
        }
        if let Some(point) = form.until {
            pack.fetch += &format!(" --until {}", fetch::quoted(&point.to_string()));
        }
        rendered(pack)
    };
    let size = |text: &str| (count(text), budget.chars.map_or(0, |_| units(text)));
    let fits = |(tokens, chars): (usize, usize)| {
        tokens <= budget.tokens && budget.chars.is_none_or(|most| chars <= most)
    };
    // What is told must not hang on the day; only where that leaves no room, or not enough, it does.
    let measured = selection.measured_as_of();
    for measured in [measured.as_str(), as_of] {
        let card = size(&build(0, measured)?.1);
        if !fits(card) {
            continue;
        }
        // The sum of the costs says where to look; the text itself decides.
        let mut search = selection.search(card, budget);
        while let Some(at) = search.next() {
            let (tokens, chars) = size(&build(at, measured)?.1);
            search.tell(at, tokens, chars);
        }
        let (mut pack, text) = rendered(build(search.found(), as_of)?.0.sealed())?;
        let size = size(&text);
        if fits(size) {
            pack.explanation = Some(selection.explain(search.found(), budget.tokens - size.0));
            return Ok((pack, text));
        }
    }
    Err(too_small(size(&build(0, as_of)?.1), budget))
}

/// Says what the card alone would take.
fn too_small((tokens, chars): (usize, usize), budget: Budget) -> Error {
    let (budget, needed, unit) = match budget.chars.filter(|_| tokens <= budget.tokens) {
        Some(most) => (most, chars, "characters"),
        None => (budget.tokens, tokens, "tokens"),
    };
    Error::BudgetTooSmall { budget, needed, unit }
}

/// Counts the UTF-16 code units of a text; it never has more characters.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns a pack with its text, which ends with a line end.
fn rendered(mut pack: Pack, renderer: &Renderer<'_>, target: &str) -> Result<(Pack, String)> {
    let harmless = |pack: &Pack| {
        let text = renderer.render(pack)?;
        Ok((templates::mentions(target)(text.clone()), text))
    };
    pack.masks_mentions = false;
    let (mut text, plain) = harmless(&pack)?;
    if text != plain {
        pack.masks_mentions = true;
        text = harmless(&pack)?.0;
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok((pack, text))
}
