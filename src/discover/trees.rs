//! Sessions that began around the project that is meant: in another work tree of its repository, or above it.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::choose::is_caller;
use super::{
    Found, Look, Project, World, files_at, linked_work_trees, main_work_tree, searched, sessions,
    to_go_on_with,
};
use crate::harness::Harness;

/// Says where sessions began that may be meant, for who stands in a folder below, or in another work
/// tree of the same repository, and where nothing says that both are one project.
pub fn near(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    project: &Project,
) -> Option<String> {
    let mut found = sessions(world, harness, None, Look::Ends).found;
    found.retain(|found| !project.holds(&found.header));
    let wide = world.wide();
    let is_worked_in = |tree: &Utf8PathBuf| {
        let tree = Project::at(tree.clone(), &wide);
        found.iter().any(|found| tree.holds(&found.header))
    };
    if let Some(tree) = main_work_tree(&project.root).filter(is_worked_in) {
        return Some(format!("in the repository's main work tree, `{tree}`"));
    }
    if let Some(tree) = linked_work_trees(&project.root).into_iter().find(is_worked_in) {
        return Some(format!("in another work tree of the repository, `{tree}`"));
    }
    let began: HashSet<&str> =
        found.iter().filter_map(|found| found.header.cwd.as_deref()).collect();
    let above = project.parents(&wide).find(|folder| began.contains(folder.as_str()))?;
    Some(format!("above it, in `{above}`"))
}

/// Returns the work tree in which a session began that can be gone on with and ended after `ended`, for who
/// stands in the main one of the repository.
pub fn newer_in_work_tree(
    world: &World<'_>,
    harness: Option<&'static dyn Harness>,
    ended: jiff::Timestamp,
) -> Option<Utf8PathBuf> {
    let (project, wide) = (world.project(), world.wide());
    let trees = linked_work_trees(&project.root).into_iter().map(|tree| Project::at(tree, &wide));
    let trees: Vec<Project> = trees.filter(|tree| !project.contains(&tree.root)).collect();
    if trees.is_empty() {
        return None;
    }
    let roots: Vec<&Utf8Path> = trees.iter().flat_map(Project::roots).collect();
    let (mut files, unreadable) = files_at(world, harness, Some(&roots));
    // What was written before that holds nothing newer.
    files.retain(|file| file.modified().is_none_or(|at| at >= ended));
    let of = |found: &Found| trees.iter().find(|tree| tree.holds(&found.header));
    let is_newer = |found: &Found| found.ended() > Some(ended) && !is_caller(world, found);
    let wanted = |found: &Found| of(found).is_some() && is_newer(found);
    let search = searched((files, unreadable), (Look::Ends, world), wanted);
    let whole = search.found.into_iter().filter_map(|mut one| one.is_whole().then_some(one));
    let (newest, passed) = to_go_on_with(whole, 1);
    // What a program ran and left nothing is no work to go on with.
    let newest = newest.first().filter(|one| !one.header.is_automatic || !passed.is_empty())?;
    of(newest).map(|tree| tree.root.clone())
}
