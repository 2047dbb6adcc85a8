//! Which files a command line names.

use super::far::far;
use super::{is_address, packed};
use crate::derive::here::without_here_documents;
use crate::derive::paths::paths_in;
use crate::derive::place::{below, one_form};
use crate::derive::shows::{shown, shown_here};
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{place, shell};

/// Programs that get what stands at an address.
const FETCHING: &[&str] = &["curl ", "wget "];

/// The files that a command line names, from its folder.
pub(super) struct Named {
    pub paths: Vec<String>,
    /// Those of which it shows the content.
    pub shown: Vec<String>,
    /// Those of them that lie on this machine.
    pub here: Vec<String>,
    /// The only one, where it is that and no end of an address that a script has, or a line that fetches.
    pub only: Option<String>,
}

impl Named {
    pub(super) fn new(timeline: &Timeline<'_>, done: &Done<'_>, command: &str) -> Self {
        let folder = done.folder();
        let outside = without_here_documents(command);
        let is_given = |path: &str| !outside.contains(path);
        let is_inside = |folder: &String| below(&one_form(folder), &one_form(done.cwd)).is_some();
        let is_text = outside.len() < command.len()
            && folder.as_ref().is_some_and(is_inside)
            && !gives_script(&outside);
        let at = |path: &String| {
            // A text names the files of a project from where that is, wherever in it the line runs.
            let folder = folder.as_deref().filter(|_| !is_text || !is_given(path));
            timeline.path_in(folder, path)
        };
        let packed = packed::members(command);
        let far = far(command, done.cwd);
        let mut named = paths_in(command);
        named.retain(|path| !far.contains(path));
        let paths: Vec<_> = named.iter().filter(|path| !packed.contains(path)).map(at).collect();
        let fetches = FETCHING.iter().any(|program| command.contains(program));
        let is_end = named.iter().all(|path| is_address(path) && (fetches || is_given(path)));
        let only = match paths.as_slice() {
            [only] if !is_end => Some(only.clone()),
            _ => None,
        };
        // A pattern is the name of no file.
        let is_one = |path: &String| !far.contains(path) && !path.contains('*');
        let shown = shown(command).into_iter().filter(is_one);
        let shown: Vec<_> = shown.map(|path| at(&path)).collect();
        let here = if shown.is_empty() { Vec::new() } else { shown_here(command) };
        Self { paths, shown, here: here.iter().map(at).collect(), only }
    }

    /// Each of them once.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.paths.iter().chain(self.shown.iter().filter(|path| !self.paths.contains(path)))
    }
}

/// Whether a command of a line gives a here document to a program that runs it.
fn gives_script(outside: &str) -> bool {
    let interprets = |word: &str| shell::interprets(place::name(word));
    let runs = |(part, _): &(String, String)| {
        part.contains("<<") && part.split_whitespace().any(interprets)
    };
    shell::raw(outside).iter().any(runs)
}
