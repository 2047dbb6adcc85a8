//! Turns at four levels: what each holds, and that none is longer than the one above it.

use std::path::Path;

use camino::Utf8Path;
use segue::derive::levels::{self, Level};
use segue::harness::{self, Want};
use segue::jsonl::Input;
use segue::model::Session;

use crate::corpus::{complaints, sessions};
use crate::data;

/// Reads a session with what its calls mean; nothing if the file is none.
fn read(path: &Path) -> Option<Session> {
    let input = Input::file(Utf8Path::from_path(path)?).ok()?;
    let harness = harness::recognise(&input).ok()?;
    let mut session = Session::default();
    let want = Want { actions: true, ..Want::default() };
    session.end = harness.read(&input, want, &mut session).ok()?;
    Some(session)
}

fn demo() -> Session {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo/session.jsonl")).unwrap()
}

fn turn(number: u32, level: Level) -> String {
    let found = levels::turns(&demo(), |turn| turn == number, level);
    found.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn no_level_is_longer_than_the_one_above_it() {
    let mut paths = sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    for name in ["real", "corpus"] {
        paths.extend(data::folder(name).iter().flat_map(|folder| sessions(folder)));
    }
    let found = complaints(&paths, |_, path| {
        let Some(session) = read(path) else { return Vec::new() };
        let all = Level::ALL.map(|level| levels::turns(&session, |_| true, level));
        let grows = |(above, below): (&(u32, String), &(u32, String))| {
            let fine = below.0 == above.0 && below.1.chars().count() <= above.1.chars().count();
            (!fine).then(|| format!("{}: T-{} grows", path.display(), above.0))
        };
        let mut found: Vec<_> =
            all.windows(2).flat_map(|two| two[0].iter().zip(&two[1]).filter_map(grows)).collect();
        let breaks = all[3].iter().filter(|(_, tiny)| tiny.contains('\n'));
        found.extend(breaks.map(|(turn, _)| format!("{}: T-{turn} breaks", path.display())));
        found
    });
    assert!(found.is_empty(), "{} complaints:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_demo_at_every_level() {
    for level in [Level::Smooth, Level::Compact, Level::Tiny] {
        let found = levels::turns(&demo(), |_| true, level);
        let text: Vec<_> = found.iter().map(|(turn, text)| format!("T-{turn}\n{text}")).collect();
        let name = format!("demo-{}", level.letter());
        crate::program::snapshots("levels")
            .bind(|| insta::assert_snapshot!(name, text.join("\n\n")));
    }
}

#[test]
fn raw_has_every_item_of_the_turn_with_its_id() {
    let session = demo();
    let raw = turn(1, Level::Raw);
    let items = session.items.iter().filter(|item| item.turn == 1);
    for item in items {
        assert!(raw.contains(&format!("[{} {}]", item.body.type_name(), item.id)), "{}", item.id);
    }
}

#[test]
fn tags_name_the_turns_and_the_level() {
    assert_eq!(levels::tag(12, 12, Level::Raw), "T-12-R");
    assert_eq!(levels::tag(1, 9, Level::Tiny), "T-1-through-9-T");
}
