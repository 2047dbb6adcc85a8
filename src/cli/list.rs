//! `segue list`: the sessions that are there.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use camino::Utf8PathBuf;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::Cli;
use super::session::{PlaceArgs, size};
use super::table::{LAST_ROOM, aligned, cut_front, terminal_width};
use super::until;
use crate::discover::{self, Found, Ids, Look, Project, Search, World};
use crate::emit;
use crate::error::{Error, Result};
use crate::guard::Redactor;
use crate::guard::marks::visible;

/// How many sessions the table shows unless the user says otherwise.
const TABLE_ROWS: usize = 20;
/// Columns that a narrow terminal has no room for.
const HARNESS: usize = 0;
const LAST: usize = 2;
const SIZE: usize = 3;
/// The column of the project, where it is shown.
const PROJECT: usize = 4;
/// How many columns a folder of the project takes before a title at most.
const FOLDER_ROOM: usize = 24;
/// How far a project may be cut on a narrow terminal.
const NARROWEST_PROJECT: usize = 12;

const EXAMPLE: &str = "\
Example:
  segue list --all --since 7d";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Show the sessions of all projects
    #[arg(long, conflicts_with = "project")]
    all: bool,

    #[command(flatten)]
    place: PlaceArgs,

    /// Only sessions that ended since then: 30m, 12h, 7d, 2w, a date such as 2026-01-02, or a time in
    /// UTC such as 2026-01-02T15:04
    #[arg(long, value_name = "TIME", value_parser = Since::read, allow_hyphen_values = true)]
    since: Option<Since>,

    /// Show at most this many, 0 for all and each in a row of its own [default: 20; with --json all]
    #[arg(long, value_name = "N", value_parser = super::number, allow_negative_numbers = true)]
    limit: Option<usize>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// A point in time as the user types it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Since {
    Ago(SignedDuration),
    Date(jiff::civil::Date),
    Time(Timestamp),
}

impl Since {
    /// Reads a time such as `30m`, `7d`, `2026-01-02` or `2026-01-02T15:04`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if let Some(time) = until::time(text) {
            return Ok(Self::Time(time));
        }
        if let Ok(date) = text.parse() {
            return Ok(Self::Date(date));
        }
        let refusal = "it takes 30m, 12h, 7d, 2w, a date such as 2026-01-02, or a time such as 2026-01-02T15:04";
        let (at, unit) = text.char_indices().next_back().ok_or(refusal)?;
        let hours = match unit {
            'm' => None,
            'h' => Some(1),
            'd' => Some(24),
            'w' => Some(7 * 24),
            _ => return Err(refusal.to_owned()),
        };
        let count: i32 = text[..at].parse().ok().filter(|count| *count >= 0).ok_or(refusal)?;
        let minutes = i64::from(count) * hours.map_or(1, |hours: i64| hours * 60);
        Ok(Self::Ago(SignedDuration::from_mins(minutes)))
    }

    /// Returns the moment that it means, counted back from `now`.
    pub(super) fn start(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Ago(duration) => now.checked_sub(duration).unwrap_or(Timestamp::MIN),
            Self::Time(time) => time,
            Self::Date(date) => {
                let midnight = date.to_zoned(jiff::tz::TimeZone::UTC);
                midnight.map_or(Timestamp::MIN, |midnight| midnight.timestamp())
            }
        }
    }
}

/// Runs `segue list`.
pub(super) fn run(args: &Args, cli: &Cli) -> Result<()> {
    let world = args.place.world(None, !args.all)?;
    let project = (!args.all).then(|| world.project());
    let progress = cli.progress("looking at sessions");
    let watched = world.watched(&progress);
    // The table shows the newest; which they are the ends of the files tell.
    let look = if args.json { Look::Whole } else { Look::Ends };
    let mut search = discover::sessions(&watched, args.place.harness(), project.as_ref(), look);
    drop(progress);
    let newest = search.found.first().and_then(Found::ended);
    if let Some(since) = args.since {
        let start = since.start(Timestamp::now());
        search.found.retain(|found| found.ended().is_some_and(|ended| ended >= start));
    }
    tell_unreadable(&search, cli);
    if search.found.is_empty() {
        return Err(none(args, &world, project.as_ref(), newest));
    }
    let most = args.limit.unwrap_or(if args.json { 0 } else { TABLE_ROWS });
    let all = search.found.len();
    let alike = if args.json || most == 0 { Alike::default() } else { gather(&mut search.found) };
    let rows = all - alike.values().map(|times| times - 1).sum::<usize>();
    let shown = if most == 0 { all } else { most.min(rows) };
    search.found[..shown].iter_mut().for_each(Found::look_at_all);
    // A title is what somebody typed first.
    let mut redactor = Redactor::default();
    let titles = search.found[..shown].iter_mut().filter_map(|found| found.header.title.as_mut());
    titles.for_each(|title| {
        if !args.json {
            *title = visible(title).into_owned();
        }
        redactor.string(title);
    });
    // All of a file may say that it ended later than its ends do.
    discover::newest_first(&mut search.found[..shown]);
    let rows = &search.found[..shown];
    let text = match args.json {
        true => json(rows),
        false => table(rows, &alike, &search, (args, &world, project.as_ref())),
    };
    emit::print(text.as_bytes())?;
    let behind = rows.iter().filter_map(|found| alike.get(&found.path)).map(|times| times - 1);
    let told = [of_future(rows), not_shown(all - shown, behind.sum())];
    told.into_iter().flatten().for_each(|told| cli.say(&told));
    Ok(())
}

/// For a session that stands for older ones too: how many it is in all.
type Alike = HashMap<Utf8PathBuf, usize>;

/// Puts to the end what a program ran under the title of a newer session of the same project: a hook
/// that runs again and again would leave no room for anything else. What it asked may differ further on.
fn gather(found: &mut Vec<Found>) -> Alike {
    let (mut newest, mut alike, mut older) = (HashMap::new(), Alike::new(), Vec::new());
    for one in std::mem::take(found) {
        let header = &one.header;
        let Some(title) = header.title.clone().filter(|_| header.is_automatic) else {
            found.push(one);
            continue;
        };
        match newest.entry((one.harness.name(), project_of(&one).map(str::to_owned), title)) {
            Entry::Occupied(first) => {
                *alike.entry(Utf8PathBuf::clone(first.get())).or_insert(1) += 1;
                older.push(one);
            }
            Entry::Vacant(place) => {
                place.insert(one.path.clone());
                found.push(one);
            }
        }
    }
    found.append(&mut older);
    alike
}

/// Says how many sessions end in the future.
fn of_future(rows: &[Found]) -> Option<String> {
    let count = rows.iter().filter(|found| found.is_future()).count();
    (count > 0).then(|| {
        format!(
            "note: sessions that end in the future by their time stamps: {count} (a clock was wrong, or a time zone \
             left out); where their files were written before now, that is their time here"
        )
    })
}

/// Says how many sessions have no row, of which some are `behind` a newer one that has.
fn not_shown(count: usize, behind: usize) -> Option<String> {
    let behind_told = "that a program ran, of the same title as a newer one, counted in its row";
    let told = match (count - behind, behind) {
        (0, 0) => return None,
        (more, 0) => format!("{more} more"),
        (0, behind) => format!("{behind} more {behind_told}"),
        (more, behind) => format!("{more} more, and {behind} {behind_told}"),
    };
    Some(format!("segue: {told}; `--limit 0` shows all"))
}

/// Says that there is no session; the newest that is left out ended at `newest`.
fn none(
    args: &Args,
    world: &World<'_>,
    project: Option<&Project>,
    newest: Option<Timestamp>,
) -> Error {
    let mut wanted = project.map_or_else(|| "of any project".to_owned(), Project::told_empty);
    if args.since.is_some() {
        wanted += &since_told(newest);
    }
    let looked_in = discover::places(world, args.place.harness());
    let near = project.and_then(|project| discover::near(world, args.place.harness(), project));
    Error::NoSession { wanted, looked_in, everywhere: project.is_none(), near }
}

/// Says of which time there is none, and when the newest that is left out ended.
pub(super) fn since_told(newest: Option<Timestamp>) -> String {
    let ended = |newest: Timestamp| newest.strftime("; the newest ended %Y-%m-%d %H:%M UTC");
    let ended = newest.map(|newest| ended(newest).to_string());
    format!(" since then{}", ended.unwrap_or_default())
}

fn tell_unreadable(search: &Search, cli: &Cli) {
    if cli.verbose {
        let all = search.unreadable.iter().chain(&search.empty);
        all.for_each(|error| cli.say(&format!("note: {error}")));
        cli.count_unreadable(search.unreadable.len());
    } else {
        cli.say_unreadable(search.unreadable.len(), "`-v`");
    }
}

fn json(rows: &[Found]) -> String {
    #[derive(Serialize)]
    struct Row<'a> {
        harness: &'a str,
        id: &'a str,
        project: Option<&'a str>,
        title: Option<&'a str>,
        started_at: Option<&'a str>,
        ended_at: Option<&'a str>,
        path: &'a str,
        bytes: u64,
        model: Option<&'a str>,
        /// Whether a program ran it, where the harness says so.
        automatic: bool,
        /// The session of which it was made by a conversion, as `harness:id`.
        converted_from: Option<&'a str>,
    }
    let line = |found: &Found| {
        let header = &found.header;
        let row = Row {
            harness: found.harness.name(),
            id: &header.id,
            project: project_of(found),
            title: header.title.as_deref(),
            started_at: header.started_at.as_deref(),
            ended_at: header.ended_at.as_deref(),
            path: found.path.as_str(),
            bytes: header.source.bytes,
            model: header.model.as_deref(),
            automatic: header.is_automatic,
            converted_from: header.converted_from.as_deref(),
        };
        let line = serde_json::to_string(&row).unwrap_or_default();
        format!("{}\n", emit::escaped_json(&line))
    };
    rows.iter().map(line).collect()
}

/// Returns the harness of the session of which one was made by a conversion.
fn source_of(found: &Found) -> Option<String> {
    let (harness, _) = found.header.converted_from.as_deref()?.split_once(':')?;
    Some(emit::one_line(harness))
}

/// Returns where in the project a session began, if not at its top; where all projects are shown they have a column.
fn folder_of(found: &Found, project: Option<&Project>) -> Option<String> {
    let project = project?;
    let folder = project.other_folder(&found.header, &project.root)?;
    let below = project.roots().find_map(|root| folder.strip_prefix(root).ok());
    Some(cut_front(&emit::one_line(below.unwrap_or(folder).as_str()), FOLDER_ROOM))
}

fn project_of(found: &Found) -> Option<&str> {
    found.header.project.as_deref().or(found.header.cwd.as_deref())
}

/// Returns the table; it fits the terminal where standard output is one.
fn table(
    rows: &[Found],
    alike: &Alike,
    search: &Search,
    (args, world, project): (&Args, &World<'_>, Option<&Project>),
) -> String {
    // An id has to tell a session from those of all projects.
    let has_all = args.all && args.place.harness().is_none();
    let others = if has_all { Vec::new() } else { discover::files(world, None, None).0 };
    let names = search.names.iter().map(String::as_str);
    let names = names.chain(others.iter().map(discover::Candidate::name));
    let ids = search.found.iter().map(|found| found.header.id.as_str());
    let known = Ids::new(names.chain(ids));
    let mut lines = vec![head(args.all)];
    for found in rows {
        let id = &found.header.id;
        // Other files of it are no other sessions.
        let others = search.others.iter().filter(|other| other.header.id == *id);
        let own: Vec<&str> =
            [id, found.name()].into_iter().chain(others.map(Found::name)).collect();
        let mut cells = row(found, known.shortest(id, &own), args.all);
        if let (Some(folder), Some(title)) = (folder_of(found, project), cells.last_mut()) {
            *title = format!("(in {folder}) {title}");
        }
        if let (Some(source), Some(title)) = (source_of(found), cells.last_mut()) {
            *title = format!("(from {source}) {title}");
        }
        if let (Some(times), Some(title)) = (alike.get(&found.path), cells.last_mut()) {
            *title = format!("({times}×) {title}");
        }
        lines.push(cells);
    }
    let width = terminal_width();
    if let Some(width) = width.filter(|_| args.all) {
        shorten_projects(&mut lines, width);
    }
    let spare: &[usize] =
        if args.all { &[SIZE, LAST, PROJECT, HARNESS] } else { &[SIZE, LAST, HARNESS] };
    aligned(&lines, spare, width)
}

fn head(all: bool) -> Vec<String> {
    let names = ["HARNESS", "ID", "LAST (UTC)", "SIZE", "PROJECT", "TITLE"];
    let shown = names.iter().filter(|name| all || **name != "PROJECT");
    shown.map(ToString::to_string).collect()
}

fn row(found: &Found, id: &str, all: bool) -> Vec<String> {
    let minute = |ended: Timestamp| ended.strftime("%Y-%m-%d %H:%M").to_string();
    let mut cells = vec![
        found.harness.name().to_owned(),
        emit::one_line(id),
        found.ended().map_or_else(|| "-".to_owned(), minute),
        size(found.header.source.bytes),
    ];
    if all {
        cells.push(emit::one_line(project_of(found).unwrap_or("-")));
    }
    let title = found.header.title.as_deref().map(emit::one_line);
    // What nobody sees is none.
    let title = title.filter(|title| !title.trim().is_empty());
    cells.push(title.unwrap_or_else(|| "(no title)".to_owned()));
    cells
}

/// Shortens the projects so that half of what the other columns leave is for titles.
fn shorten_projects(lines: &mut [Vec<String>], width: usize) {
    let takes =
        |column: usize| lines.iter().map(|cells| cells[column].width()).max().unwrap_or(0) + 2;
    let mut others: usize = (0..PROJECT).map(takes).sum();
    // These give way before a project is cut to nothing.
    for column in [SIZE, LAST] {
        if others + NARROWEST_PROJECT + 2 + LAST_ROOM > width {
            others -= takes(column);
        }
    }
    let room = (width.saturating_sub(others) / 2).max(NARROWEST_PROJECT);
    lines.iter_mut().for_each(|cells| cells[PROJECT] = cut_front(&cells[PROJECT], room));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_takes_durations_and_dates() {
        let now: Timestamp = "2026-01-08T12:00:00Z".parse().unwrap();
        let start = |text: &str| Since::read(text).unwrap().start(now).to_string();
        assert_eq!(start("30m"), "2026-01-08T11:30:00Z");
        assert_eq!(start("7d"), "2026-01-01T12:00:00Z");
        assert_eq!(start("2026-01-02"), "2026-01-02T00:00:00Z");
        assert_eq!(start("2026-01-02 15:04"), "2026-01-02T15:04:00Z");
        assert_eq!(start("2026-01-02T15:04+02:00"), "2026-01-02T13:04:00Z");
        for wrong in ["", "d", "-1d", "7", "7y", "2026-13-02", "日"] {
            assert!(Since::read(wrong).is_err(), "{wrong}");
        }
    }
}
