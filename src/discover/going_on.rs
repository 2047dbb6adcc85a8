//! The sessions that can be gone on with, and where those belong that began in a folder that holds everything.

use camino::Utf8Path;

use super::{
    Found, Look, Project, Search, World, asking, choose, files_at, newest_first, roots, searched,
    without_copies,
};
use crate::harness::Harness;
use crate::model::Header;

/// How many sessions that began in a folder that holds everything are read to see where they
/// belong.
const MOST_STRAYS: usize = 8;

/// Returns the sessions that can be gone on with in `project`, or in any, newest first: they have a
/// request and an answer, and did not start this run. A conversion with which nobody went on is not
/// among them where the session is of which it was made.
///
/// Among them are those that began in a folder that holds everything. Where these belong is told
/// by their edits alone, which headers do not show.
pub fn going_on(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    project: Option<&Project>,
    look: Look,
) -> Search {
    let mut search = perhaps_going_on(world, harness, project, look);
    search.found.retain_mut(Found::is_whole);
    search
}

/// Returns the same before it is known whether they have a request and an answer.
pub(super) fn perhaps_going_on(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    project: Option<&Project>,
    look: Look,
) -> Search {
    let wide = world.wide();
    let roots: Option<Vec<_>> = project.map(|one| roots(world, one).chain(wide.each()).collect());
    let found = files_at(world, harness, roots.as_deref());
    let is_stray = |header: &Header| {
        let folder = header.cwd.as_deref().or(header.project.as_deref());
        folder.is_some_and(|folder| wide.has(Utf8Path::new(folder)))
    };
    let belongs = |project: &Project, header: &Header| {
        project.holds(header) || (!project.is_alone() && is_stray(header))
    };
    let wanted = |found: &Found| project.is_none_or(|project| belongs(project, &found.header));
    let mut search = searched(found, (look, world), wanted);
    search.found.retain(|found| !choose::is_caller(world, found));
    // What began elsewhere may not belong to the project, and then stands for nothing in it.
    let is_inside = |found: &Found| project.is_none_or(|project| project.holds(&found.header));
    let (inside, strays) = std::mem::take(&mut search.found).into_iter().partition(is_inside);
    search.found = [inside, strays].into_iter().flat_map(without_copies).collect();
    newest_first(&mut search.found);
    asking::take_out(world, &mut search.found);
    search
}

/// Tells whether the edits of a session lie in a project.
pub type Votes<'a> = dyn Fn(&Found, &Project) -> bool + 'a;

/// Keeps the sessions that belong to the project. Those that began in a folder that holds everything
/// belong to it if their edits say so.
pub fn belonging<'a>(
    found: impl IntoIterator<Item = Found> + 'a,
    project: &'a Project,
    votes: &'a Votes<'_>,
) -> impl Iterator<Item = Found> + 'a {
    let mut strays = 0;
    let belongs = move |one: &Found| {
        project.holds(&one.header) || {
            strays += 1;
            strays <= MOST_STRAYS && votes(one, project)
        }
    };
    found.into_iter().filter(belongs)
}
