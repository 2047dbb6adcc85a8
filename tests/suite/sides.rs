//! Side sessions are written as files that are linked to the calls that began them.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use segue::harness::{self, Harness, Severity, SideFile, Target};
use segue::jsonl::Input;
use segue::model::{Body, Conversation, Side};
use segue::note::{LossKind, Losses};

use crate::convert::{conversation, read};
use crate::corpus::{complaints, sessions};
use crate::data::folder;
use crate::there_and_back::{missing, told};

/// How many side sessions were read back.
static COMPARED: AtomicUsize = AtomicUsize::new(0);
const ID: &str = "5f1d9a52-70d4-5b1e-9f0a-2d0c5e9a73b1";

/// What was written of a session.
struct Written {
    home: tempfile::TempDir,
    main: Utf8PathBuf,
    sides: Vec<SideFile>,
    losses: Losses,
}

fn write(made: &Conversation, to: &dyn Harness) -> Written {
    let home = tempfile::tempdir().unwrap();
    let [id, origin, cwd] = [ID, "other:1", "/home/ada/tool"].map(str::to_owned);
    let target = Target { id, cwd, origin, now: None };
    let writer = to.writer().unwrap();
    let place = writer.place(Utf8Path::from_path(home.path()).unwrap(), made, &target).unwrap();
    let mut text = Vec::new();
    let mut losses = writer.write(made, &target, &mut text).unwrap();
    let (sides, lost) = harness::sides(writer, made, &target, &place.file).unwrap();
    losses.add(lost);
    let sides: Vec<_> = sides.into_iter().map(|side| side.file).collect();
    let all = sides.iter().map(|side| (&side.path, &side.text));
    let beside = sides.iter().filter_map(|side| side.beside.as_ref());
    for (path, text) in all.chain(beside.map(|(path, text)| (path, text))) {
        assert!(path.starts_with(place.file.parent().unwrap()), "{path}");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(!path.exists(), "{path} twice");
        fs::write(path, text).unwrap();
    }
    fs::create_dir_all(place.file.parent().unwrap()).unwrap();
    fs::write(&place.file, text).unwrap();
    Written { home, main: place.file, sides, losses }
}

/// Says what is wrong with one side session that was read back, and those below it.
fn compared(there: &Side, back: &Side, to: &dyn Harness, found: &mut Vec<String>) {
    let mut wrong = |what: String| found.push(format!("side session {}: {what}", there.id));
    if there.call_id != back.call_id {
        wrong(format!("its call is {:?}, not {:?}", back.call_id, there.call_id));
    }
    // What the call says of the agent is all that some harnesses keep.
    let is_kept = to.name() != "gemini";
    if is_kept && there.agent.is_some() && there.agent != back.agent {
        wrong(format!("its agent is {:?}, not {:?}", back.agent, there.agent));
    }
    if is_kept && there.title.is_some() && there.title != back.title {
        wrong(format!("its title is {:?}, not {:?}", back.title, there.title));
    }
    let list = back.losses.list().into_iter().chain(there.losses.list());
    let mut told_lost =
        list.filter(|loss| loss.kind == LossKind::HarnessText).map(|loss| loss.count).sum();
    let (said, again) = (told(&there.conversation, to), told(&back.conversation, to));
    missing(&said, &again, true, &mut told_lost).into_iter().for_each(wrong);
    all_compared(&there.conversation.sides, &back.conversation.sides, to, found);
}

/// Finds those that were written, where the target had no place for some.
fn written_of(sides: &[Side], back: &[Side]) -> Vec<Side> {
    let is_there = |side: &&Side| back.iter().any(|other| other.call_id == side.call_id);
    sides.iter().filter(is_there).cloned().collect()
}

fn all_compared(there: &[Side], back: &[Side], to: &dyn Harness, found: &mut Vec<String>) {
    if there.len() != back.len() {
        let ids = |sides: &[Side]| sides.iter().map(|side| side.id.clone()).collect::<Vec<_>>();
        found.push(format!("{:?} became {:?}", ids(there), ids(back)));
        return;
    }
    for side in there {
        let same = back.iter().filter(|other| other.call_id == side.call_id);
        let mut tries: Vec<_> = same
            .map(|other| {
                let mut wrong = Vec::new();
                compared(side, other, to, &mut wrong);
                wrong
            })
            .collect();
        tries.sort_by_key(Vec::len);
        match tries.into_iter().next() {
            Some(wrong) => found.extend(wrong),
            None => found.push(format!("no side session of the call {:?}", side.call_id)),
        }
    }
}

/// Writes a session with side sessions for every harness, and reads each again.
fn check(path: &Path) -> Vec<String> {
    let Some(session) = read(path) else { return Vec::new() };
    if !session.items.iter().any(|item| matches!(item.body, Body::SideSession(_))) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for to in harness::ALL {
        let made = conversation(session.clone(), to.name(), false);
        if !made.conversation.has_words() || made.lacks_summary() {
            continue;
        }
        let written = write(&made.conversation, *to);
        for path in written.sides.iter().map(|side| &side.path).chain([&written.main]) {
            let input = Input::file(path).unwrap();
            let findings = to.writer().unwrap().check(&input).unwrap();
            let bad = findings.iter().filter(|one| one.severity < Severity::Info);
            found.extend(bad.map(|one| format!("{path}: {} [{}]", one.message, one.rule)));
        }
        let back = read(written.main.as_std_path()).unwrap();
        let back = conversation(back, to.name(), false);
        // One that the target has no place for was told as lost.
        let lost = written.losses.list().into_iter().any(|one| one.kind == LossKind::SideSession);
        let (mut there, back) = (made.conversation.sides, back.conversation.sides);
        if lost {
            there = written_of(&there, &back);
        }
        COMPARED.fetch_add(there.len(), Ordering::Relaxed);
        all_compared(&there, &back, *to, &mut found);
        found.iter_mut().for_each(|what| *what = format!("to {}: {what}", to.name()));
        drop(written.home);
    }
    found.iter().map(|what| format!("{}: {what}", path.display())).collect()
}

#[test]
fn side_sessions_of_fixtures_come_back_at_their_calls() {
    let fixtures = sessions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    let wrong = complaints(&fixtures, |_, path| check(path));
    assert!(wrong.is_empty(), "{} wrong: {}", wrong.len(), wrong.join("\n"));
    assert!(COMPARED.load(Ordering::Relaxed) >= 12, "hardly any was there");
}

#[test]
fn side_sessions_of_real_sessions_come_back_at_their_calls() {
    for name in ["real", "corpus"] {
        let Some(folder) = folder(name) else { return };
        let wrong = complaints(&sessions(&folder), |_, path| check(path));
        let first = wrong[..wrong.len().min(12)].join("\n");
        assert!(wrong.is_empty(), "{} wrong: {first}", wrong.len());
    }
}
