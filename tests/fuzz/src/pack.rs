//! A pack: any session is derived, guarded, selected and rendered, and the text stays what it is.

use std::sync::LazyLock;

use segue::derive::{self, Facts, Voice};
use segue::error::Error;
use segue::guard::marks::is_steering;
use segue::guard::{Redactor, threats};
use segue::harness::{self, HumanCalls, Want};
use segue::jsonl::Input;
use segue::model::Session;
use segue::render::{Renderer, Template, render};
use segue::select::{Pack, Selection, Weights};

/// The day from which ages count.
const DAY: &str = "2026-11-22";

/// Makes packs of a session.
pub fn hold(bytes: &[u8]) {
    let Some(session) = session(bytes) else { return };
    let facts = guarded(derive::derive(&session));
    let weights = Weights::default();
    let selection = Selection::new(&facts, &weights, DAY, &str::len);
    let _ = selection.explain(selection.len() / 2, 0);
    for taken in [0, 1, selection.len() / 2, selection.len()] {
        let pack = selection.pack(taken).sealed();
        assert_eq!(pack.pack_hash, selection.pack(taken).sealed().pack_hash);
        let text = render(&pack).expect("the built-in template renders any pack");
        fine(&text);
        serde_json::to_string(&pack).expect("a pack is JSON");
    }
    let _ = derive::frame(&facts, &session);
    let _ = derive::status(&facts);
}

fn session(bytes: &[u8]) -> Option<Session> {
    let input = Input::memory("fuzzed", bytes);
    let reader = harness::recognise(&input).ok()?;
    let mut session = Session::default();
    let want = Want { actions: true, ..Want::default() };
    session.end = reader.read(&input, want, &mut HumanCalls::new(&mut session)).ok()?;
    Some(session)
}

/// Does what the program does between `derive` and `select`.
fn guarded(mut facts: Facts) -> Facts {
    let mut redactor = Redactor::default();
    facts.texts_mut(&mut |of, text| {
        if of.voice != Voice::User {
            let _ = threats(text);
        }
        redactor.string(text);
    });
    facts
}

/// Nothing in a pack can end it, or steer a terminal.
fn fine(text: &str) {
    assert!(!text.contains(is_steering), "{text:?}");
    assert_eq!(text.matches("</resume-pack").count(), 1, "{text}");
    assert_eq!(text.matches("<resume-pack").count(), 1, "{text}");
}

/// The pack that templates are given.
static DEMO: LazyLock<Pack> = LazyLock::new(|| {
    let session =
        session(include_bytes!("../../../fixtures/demo/session.jsonl")).expect("a session");
    let facts = guarded(derive::derive(&session));
    let weights = Weights::default();
    let selection = Selection::new(&facts, &weights, DAY, &str::len);
    selection.pack(selection.len()).sealed()
});

/// Renders a pack through a template of a user's.
pub fn template(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Renderer::new(Template::of_user("fuzzed.j2", text)).and_then(|by| by.render(&DEMO)) {
        Ok(_) => {}
        Err(error) => assert!(matches!(error, Error::Template { .. }), "{error}"),
    }
}
