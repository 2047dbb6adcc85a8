//! Damaged files: nothing panics, and every line is still accounted for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use camino::Utf8Path;
use fastrand::Rng;
use segue::harness::{self, Harness, Want};
use segue::jsonl::Input;

use crate::corpus::{Records, adds_up, complaints, sessions};
use crate::data;

/// Of larger files the first lines are damaged, up to so many bytes.
const FILE_BYTES: usize = 150_000;
/// How many damaged copies of each file are read unless `SEGUE_MUTATIONS` says otherwise.
const MUTATIONS: u64 = 20;

#[test]
fn damaged_fixtures_are_read_without_a_panic() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
}

#[test]
fn damaged_real_files_are_read_without_a_panic() {
    for folder in ["real", "corpus"] {
        if let Some(folder) = data::folder(folder) {
            run(&folder);
        }
    }
}

fn run(folder: &Path) {
    let sessions: Vec<_> = sessions(folder).into_iter().filter_map(session).collect();
    assert!(!sessions.is_empty(), "no session below {}", folder.display());
    hold(&sessions);
}

/// Reads damaged copies of each of `sessions`.
pub(crate) fn hold(sessions: &[(&'static dyn Harness, PathBuf, Vec<u8>)]) {
    let count = std::env::var("SEGUE_MUTATIONS").ok().and_then(|count| count.parse().ok());
    let count: u64 = count.unwrap_or(MUTATIONS);
    let found = complaints(sessions, |at, (harness, path, bytes)| {
        let check = |number| {
            let mut rng = Rng::with_seed((at as u64) << 32 | number);
            let damaged = damaged(bytes, &mut rng);
            let complaint = catch_unwind(AssertUnwindSafe(|| read(*harness, &damaged)));
            let complaint = complaint.unwrap_or_else(|_| Some("panicked".to_owned()))?;
            Some(format!("{} mutation {number}: {complaint}", path.display()))
        };
        (0..count).filter_map(check).take(3).collect()
    });
    data::tell(&format!("{} files, {count} mutations each", sessions.len()));
    assert!(found.is_empty(), "{} complaints:\n{}", found.len(), found.join("\n"));
}

fn session(path: PathBuf) -> Option<(&'static dyn Harness, PathBuf, Vec<u8>)> {
    let input = Input::file(Utf8Path::from_path(&path)?).ok()?;
    let harness = harness::recognise(&input).ok()?;
    let mut bytes = std::fs::read(&path).ok()?;
    if bytes.len() > FILE_BYTES {
        let line_end = bytes[..FILE_BYTES].iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(line_end.map_or(FILE_BYTES, |at| at + 1));
    }
    Some((harness, path, bytes))
}

/// Reads damaged bytes as what they were, and by what they look like.
fn read(harness: &dyn Harness, bytes: &[u8]) -> Option<String> {
    let input = Input::memory("damaged", bytes);
    let looks_like = harness::recognise(&input).ok();
    let other = looks_like.filter(|other| other.name() != harness.name());
    std::iter::once(harness).chain(other).find_map(|harness| read_as(harness, &input))
}

fn read_as(harness: &dyn Harness, input: &Input) -> Option<String> {
    let want = Want {
        actions: true,
        bare: false,
        blobs: segue::model::Blobs::Carried,
        raw_lines: true,
        places: true,
        live_only: false,
        native: true,
    };
    let mut sink = Records::new(false);
    let header = harness.header(input);
    match harness.read(input, want, &mut sink) {
        Ok(end) if !adds_up(&end.tally) => Some(format!("counts differ: {:?}", end.tally)),
        Ok(_) if header.is_err() => Some("read, but without a header".to_owned()),
        Ok(_) if header.ok() != sink.header => Some("two headers".to_owned()),
        Ok(_) => None,
        Err(error) if error.exit_code() == 3 => None,
        Err(error) => Some(error.to_string()),
    }
}

/// Returns `bytes` with a few kinds of damage that files really suffer, and some that they do not.
pub(crate) fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.usize(1..4) {
        if bytes.is_empty() {
            break;
        }
        match rng.u8(0..5) {
            0 => flip_bits(&mut bytes, rng),
            1 => bytes.truncate(rng.usize(0..bytes.len())),
            2 => cut_out(&mut bytes, rng),
            3 => change_lines(&mut bytes, rng, |lines, a, b| lines.swap(a, b)),
            _ => change_lines(&mut bytes, rng, |lines, a, b| lines.insert(b, lines[a].clone())),
        }
    }
    bytes
}

fn flip_bits(bytes: &mut [u8], rng: &mut Rng) {
    for _ in 0..rng.usize(1..9) {
        let at = rng.usize(0..bytes.len());
        bytes[at] ^= 1 << rng.u8(0..8);
    }
}

fn cut_out(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let from = rng.usize(0..bytes.len());
    let to = (from + rng.usize(1..200)).min(bytes.len());
    bytes.drain(from..to);
}

fn change_lines(
    bytes: &mut Vec<u8>,
    rng: &mut Rng,
    change: impl FnOnce(&mut Vec<Vec<u8>>, usize, usize),
) {
    let mut lines: Vec<_> =
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (rng.usize(0..lines.len()), rng.usize(0..lines.len()));
    change(&mut lines, a, b);
    *bytes = lines.concat();
}
