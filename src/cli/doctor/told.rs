//! What was found, for people.

use super::super::check;
use super::super::session::size;
use super::super::table::{aligned_for, terminal_width, wrapped};
use super::{GitState, Home, Project, Report, Row, USER};
use crate::emit;

/// How many columns a folder should have at least.
const FOLDER: usize = 36;
/// Columns that a narrow terminal has no room for: when, how large, the memories, the version, how
/// many.
const SPARE: [usize; 5] = [3, 2, 5, 4, 1];

/// Writes the report for people: the homes, the project, the findings.
pub(super) fn told(report: &Report) -> String {
    let width = terminal_width();
    let head = ["HARNESS", "SESSIONS", "SIZE", "LAST (UTC)", "VERSION", "MEMORIES", "HOME"];
    let head = head.map(str::to_owned).to_vec();
    let lines: Vec<_> = std::iter::once(head).chain(report.harnesses.iter().map(row)).collect();
    let mut text = aligned_for(&lines, &SPARE, FOLDER, width);
    if let Some(project) = &report.project {
        text.push('\n');
        of_project(project).iter().for_each(|line| text += &wrapped(line, 2, width));
    }
    if !report.findings.is_empty() {
        text.push('\n');
    }
    report.findings.iter().for_each(|row: &Row| text += &check::finding(&row.finding, width));
    if report.more_findings > 0 {
        text += &format!("and {} more\n", report.more_findings);
    }
    text
}

fn row(home: &Home) -> Vec<String> {
    let count =
        |count: Option<usize>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
    let newest = home.newest.as_deref().and_then(|at| at.parse::<jiff::Timestamp>().ok());
    let minute = newest.map(|at| at.strftime("%Y-%m-%d %H:%M").to_string());
    let from = match home.variable.as_deref() {
        Some(USER) | None => "default",
        Some(variable) => variable,
    };
    let place = match (&home.home, home.there) {
        (Some(folder), true) => format!("{folder} ({from})"),
        (Some(folder), false) => format!("not here: {folder} ({from})"),
        (None, _) => "not known: HOME is not set".to_owned(),
    };
    let dash = || "-".to_owned();
    let cells = [
        home.name.to_owned(),
        count(home.sessions.filter(|_| home.there)),
        home.bytes.filter(|_| home.there).map_or_else(dash, size),
        minute.unwrap_or_else(dash),
        home.versions.first().cloned().unwrap_or_else(dash),
        count(home.memories.filter(|_| home.there)),
        place,
    ];
    cells.map(|cell| emit::one_line(&cell)).to_vec()
}

fn of_project(project: &Project) -> Vec<String> {
    let sessions = match (project.sessions, &project.newest) {
        (0, None) => "no sessions".to_owned(),
        (0, Some(newest)) => format!("no sessions began in it, {newest} changed it"),
        (count, None) => format!("{count} sessions, none to go on with"),
        (1, Some(newest)) => format!("1 session, {newest}"),
        (count, Some(newest)) => format!("{count} sessions, the newest {newest}"),
    };
    let git = match project.git {
        GitState::Repository => "a repository",
        GitState::NoRepository => "no repository",
        GitState::NoGit => "git does not answer",
        GitState::NoFolder => "not on this machine",
    };
    let mut lines = vec![format!("project {}: {sessions}; {git}", project.root)];
    for one in &project.blocks {
        let what = match (&one.session, one.perhaps_stale) {
            (Some(session), _) if one.hidden_by.is_some() => {
                format!("a pack of {session}, which is not read")
            }
            (Some(session), false) => {
                let sync = &one.sync;
                format!(
                    "a pack of {session}, the newest session; `{sync} --check` compares all of it: give it the options with which it was made"
                )
            }
            (Some(session), true) => format!("a pack of {session}, perhaps out of date"),
            (None, _) => "a block of memories".to_owned(),
        };
        lines.push(format!("block in {}: {what}", one.file));
    }
    lines.iter().map(|line| emit::one_line(line)).collect()
}
