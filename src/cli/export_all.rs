//! `segue export --all`: many sessions into a folder, what is up to date left alone.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::copies::without_copies;
use super::export::{self, Args};
use super::{Cli, guarded, tell_at};
use crate::discover::{self, Found, Look, Search};
use crate::emit;
use crate::error::{Error, Result};
use crate::guard::Redacted;
use crate::jsonl::Input;
use crate::model::hex;
use crate::note::{Note, NoteKind};

/// The file in the folder that says what each other one was made of.
const BOOK: &str = ".segue-export.ndjson";
/// How many sessions are in memory at a time.
const MOST_THREADS: usize = 8;
/// How deep the folder beside a session is looked into.
const BESIDE_DEPTH: usize = 4;

/// What a file was made of.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Made {
    file: String,
    /// The hash of the session, of the names and sizes beside it, and of the options.
    of: String,
    /// The hash of the file itself.
    is: String,
    /// The hash of the names and sizes of its images, if it has a folder of them.
    #[serde(default)]
    images: Option<String>,
    /// Whether something was noted that it lacks.
    #[serde(default)]
    noted: bool,
}

/// What became of all sessions.
#[derive(Default)]
struct Outcome {
    made: usize,
    kept: usize,
    /// The files in which somebody had changed something.
    changed: Vec<Utf8PathBuf>,
    failed: Vec<(Utf8PathBuf, Error)>,
    notes: BTreeMap<(NoteKind, String), Noted>,
    redacted: BTreeMap<&'static str, usize>,
}

/// A note of all sessions together, and where it comes from first.
struct Noted {
    count: u64,
    first: (Utf8PathBuf, u64),
}

/// Exports every session of all projects, or of one that the user named.
pub(super) fn run(args: &Args, dir: &Utf8Path, cli: &Cli) -> Result<()> {
    let search = search(args, cli)?;
    let book = dir.join(BOOK);
    let known = read_book(&book);
    let jobs = jobs(&without_copies(&search), args, dir);
    let progress = cli.progress("exporting sessions");
    progress.of(jobs.len());
    let outcome = Mutex::new(Outcome::default());
    let log = Mutex::new(emit::append_to(dir, BOOK)?);
    let next = AtomicUsize::new(0);
    let is_strict = cli.strict;
    let work = || {
        while let Some((found, out)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let done = one(found, out, args, &known, is_strict);
            if let Ok(Some(Exported { made, .. })) = &done {
                log_line(&log, made);
            }
            take(&outcome, (found, out), done);
            progress.step();
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        (1..threads.min(MOST_THREADS)).for_each(|_| _ = scope.spawn(work));
        work();
    });
    drop(progress);
    let mut outcome = outcome.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    outcome.failed.extend(search.unreadable.into_iter().map(|error| (Utf8PathBuf::new(), error)));
    say(outcome, dir, cli)
}

/// Looks for the sessions that are meant; there must be one.
fn search(args: &Args, cli: &Cli) -> Result<Search> {
    let place = args.place();
    let progress = cli.progress("looking at sessions");
    let world = place.world(None, false)?;
    let project = place.has_project().then(|| world.project());
    let watched = world.watched(&progress);
    let search = discover::sessions(&watched, place.harness(), project.as_ref(), Look::Whole);
    // What cannot be read has failed, and is told as such.
    if search.found.is_empty() && search.unreadable.is_empty() {
        let looked_in = discover::places(&world, place.harness());
        let everywhere = project.is_none();
        return Err(Error::NoSession {
            wanted: "to export".to_owned(),
            looked_in,
            everywhere,
            near: None,
        });
    }
    Ok(search)
}

/// Returns each session with the file that it becomes; no two become the same. Of several files of one id the
/// first by its path has the plain name, whichever is gone on with or packed.
fn jobs<'f>(found: &[&'f Found], args: &Args, dir: &Utf8Path) -> Vec<(&'f Found, Utf8PathBuf)> {
    let named = |found: &&'f Found| {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
        let id: String = found.header.id.chars().take(100).map(safe).collect();
        (*found, format!("{}-{id}", found.harness.name()))
    };
    let named: Vec<_> = found.iter().map(named).collect();
    let mut owners: HashMap<String, &Utf8Path> = HashMap::new();
    for (found, name) in &named {
        let owner = owners.entry(name.to_lowercase()).or_insert(&found.path);
        if by_path(&found.path) < by_path(owner) {
            *owner = &found.path;
        }
    }
    let job = |(found, name): &(&'f Found, String)| {
        let is_plain = owners.get(&name.to_lowercase()) == Some(&found.path.as_path());
        let name =
            if is_plain { name.clone() } else { format!("{name}-{}", path_name(&found.path)) };
        (*found, dir.join(format!("{name}.{}", args.ending())))
    };
    named.iter().map(job).collect()
}

/// Returns the path of a session without what tells that it is packed, then as it is.
fn by_path(path: &Utf8Path) -> (&str, &str) {
    (path.as_str().strip_suffix(".zst").unwrap_or(path.as_str()), path.as_str())
}

/// Returns by what a path is told from others in the name of a file.
fn path_name(path: &Utf8Path) -> String {
    let mut name = hex(&Sha256::digest(path.as_str().as_bytes()));
    name.truncate(8);
    name
}

/// A session that was exported.
struct Exported {
    made: Made,
    notes: Vec<Note>,
    redacted: Vec<Redacted>,
    /// Whether the file that was there was another than the one that was made.
    was_changed: bool,
}

/// Exports one session; nothing if its file is up to date. A file that lacks something is not where that
/// is an error: another run would pass over what failed.
fn one(
    found: &Found,
    out: &Utf8Path,
    args: &Args,
    known: &HashMap<String, Made>,
    is_strict: bool,
) -> Result<Option<Exported>> {
    let input = found.open()?;
    let of = source_hash(&input, &found.path, &args.fingerprint())?;
    let file = out.file_name().unwrap_or_default().to_owned();
    let was_changed = known.get(&file).zip(file_hash(out)).is_some_and(|(made, is)| made.is != is);
    let is_same = |made: &Made| {
        let is_enough = !(is_strict && made.noted);
        let is_whole = out.is_file() && !was_changed && made.images == images_hash(args, out);
        is_enough && made.of == of && is_whole
    };
    if known.get(&file).is_some_and(is_same) {
        return Ok(None);
    }
    let (notes, redacted) = export::one(found.harness, &input, &args.to_file(out))?;
    let is = file_hash(out).unwrap_or_default();
    let (noted, redacted) = (!notes.is_empty(), redacted.unwrap_or_default());
    let made = Made { file, of, is, images: images_hash(args, out), noted };
    Ok(Some(Exported { made, notes, redacted, was_changed }))
}

/// Returns the hash of what is in the folder of images beside the file `out`, if there is one.
fn images_hash(args: &Args, out: &Utf8Path) -> Option<String> {
    let folder = args.to_file(out).images_folder().filter(|folder| folder.is_dir())?;
    let mut hash = Sha256::new();
    beside(&mut hash, &folder, 1);
    Some(hex(&hash.finalize()))
}

fn take(
    outcome: &Mutex<Outcome>,
    (found, out): (&Found, &Utf8Path),
    done: Result<Option<Exported>>,
) {
    let mut outcome = outcome.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match done {
        Ok(None) => outcome.kept += 1,
        Ok(Some(Exported { notes, redacted, was_changed, .. })) => {
            outcome.made += 1;
            outcome.changed.extend(was_changed.then(|| out.to_owned()));
            for note in notes {
                let first = (found.path.clone(), note.first_line);
                let noted = outcome.notes.entry((note.kind, note.name));
                let noted = noted.or_insert_with(|| Noted { count: 0, first: first.clone() });
                noted.count += note.count;
                // Which session is done first hangs on the threads.
                noted.first = std::mem::take(&mut noted.first).min(first);
            }
            for one in redacted {
                *outcome.redacted.entry(one.rule).or_default() += one.count;
            }
        }
        Err(error) => outcome.failed.push((found.path.clone(), error)),
    }
}

/// Says once what became of all, and of each file that failed why.
fn say(mut outcome: Outcome, dir: &Utf8Path, cli: &Cli) -> Result<()> {
    outcome.failed.sort_by(|a, b| a.0.cmp(&b.0));
    let is_full = |error: &Error| matches!(error, Error::Write { cause, .. } if cause.kind() == ErrorKind::StorageFull);
    let full = outcome.failed.iter().filter(|(_, error)| is_full(error)).count();
    let first = outcome.failed.iter().position(|(_, error)| is_full(error));
    for (at, (path, error)) in outcome.failed.iter().enumerate() {
        // It is the same for each.
        if is_full(error) && first != Some(at) {
            continue;
        }
        let error = error.to_string();
        let named = path.as_str().is_empty() || error.contains(path.as_str());
        emit::say(&if named {
            format!("error: {error}")
        } else {
            format!("error: {path}: {error}")
        });
    }
    if full > 1 {
        emit::say(&format!("error: and so it was with {} more", full - 1));
    }
    let redacted = outcome.redacted.iter().map(|(rule, count)| Redacted { rule, count: *count });
    if let Some(line) = guarded::redacted(&redacted.collect::<Vec<_>>()) {
        cli.say(&line);
    }
    outcome.changed.sort();
    for path in &outcome.changed {
        cli.say(&format!("segue: {path} made anew; what was changed in it by hand is gone"));
    }
    let failed = outcome.failed.len();
    cli.say(&format!(
        "segue: {} exported, {} up to date, {failed} failed, in {dir}",
        outcome.made, outcome.kept,
    ));
    tell_notes(outcome.notes, cli)?;
    if failed > 0 {
        let of = outcome.made + outcome.kept + failed;
        let were_read =
            outcome.failed.iter().all(|(_, error)| matches!(error, Error::Write { .. }));
        return Err(Error::SomeFailed { failed, of, were_read });
    }
    Ok(())
}

/// Tells the notes of all sessions; each with the first file where all are asked for.
fn tell_notes(notes: BTreeMap<(NoteKind, String), Noted>, cli: &Cli) -> Result<()> {
    let (mut all, mut places) = (Vec::new(), Vec::new());
    for ((kind, name), Noted { count, first: (path, line) }) in notes {
        // The line says nothing without its file.
        all.push(Note { kind, name, count, first_line: 0 });
        places.push(if line > 0 { format!("{path}:{line}") } else { path.into_string() });
    }
    let place = |at: usize| format!(" (first in {})", places[at]);
    tell_at(&all, &place, cli)
}

/// Returns what was made before; the last line on a file counts, a broken one says nothing.
fn read_book(book: &Utf8Path) -> HashMap<String, Made> {
    let text = Input::companion(book).and_then(|book| book.all().ok()).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| serde_json::from_slice::<Made>(line).ok());
    lines.map(|made| (made.file.clone(), made)).collect()
}

/// Adds a line as soon as a file is whole, so that a run that is killed is gone on with.
fn log_line(log: &Mutex<emit::Log>, made: &Made) {
    let mut log = log.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Ok(line) = serde_json::to_string(made) {
        // Without it the file is made once more the next time, and nothing worse.
        let _ = log.line(&line);
    }
}

/// Returns the hash of all that an export depends on.
fn source_hash(input: &Input, path: &Utf8Path, options: &str) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(options.as_bytes());
    add(&mut hash, &mut *input.open()?).map_err(|cause| Error::read(path, cause))?;
    // What belongs to a session stands in a folder of its name.
    beside(&mut hash, &path.with_extension(""), BESIDE_DEPTH);
    Ok(hex(&hash.finalize()))
}

fn beside(hash: &mut Sha256, folder: &Utf8Path, depth: usize) {
    let Ok(entries) = folder.read_dir_utf8() else { return };
    let mut entries: Vec<_> = entries.filter_map(std::result::Result::ok).collect();
    entries.sort_by(|a, b| a.file_name().cmp(b.file_name()));
    for entry in entries {
        let Ok(meta) = entry.metadata() else { continue };
        hash.update(format!("{}\n{}\n", entry.path(), meta.len()).as_bytes());
        if meta.is_dir() && depth > 1 {
            beside(hash, entry.path(), depth - 1);
        }
    }
}

fn file_hash(path: &Utf8Path) -> Option<String> {
    let mut hash = Sha256::new();
    add(&mut hash, &mut std::fs::File::open(path).ok()?).ok()?;
    Some(hex(&hash.finalize()))
}

fn add(hash: &mut Sha256, from: &mut dyn std::io::Read) -> std::io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(()),
            count => hash.update(&buffer[..count]),
        }
    }
}
