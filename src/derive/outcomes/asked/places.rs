//! What a command looks at as one names it from the session's folder, wherever it ran.

use std::collections::BTreeSet;

use super::{Asked, WALKING};
use crate::derive::place;

/// Programs that are given files and folders.
const OF_FILES: &[&str] = &["dotnet", "go", "mypy", "phpunit", "playwright", "pyright", "rspec"];
/// Options by which a program takes one of several packages, which mostly has the name of its folder.
const OF_PACKAGE: &[&str] = &["--filter before", "--workspace before", "-F before", "-pl"];

impl Asked {
    /// Returns what it is asked as one asks for it in the session's folder, where that is said in another way than it is
    /// here: by an address of a file, or since it ran elsewhere.
    pub(super) fn seen_from_top(&self) -> Option<Self> {
        let program = self.program.as_str();
        let is_of_files = WALKING.contains(&program) || OF_FILES.contains(&program);
        let folder = self.around.inside(&self.inside).filter(|_| is_of_files)?;
        let own = match program {
            // Of these a folder is no more than itself.
            "go" if self.takes_all => Some("..."),
            "go" => Some(""),
            _ => WALKING.contains(&program).then_some(""),
        };
        let names: BTreeSet<String> = match self.bound.get("") {
            Some(names) => {
                names.iter().map(|name| self.around.seen_from_top(&folder, name)).collect()
            }
            None if folder.is_empty() => return None,
            None => [folder.clone() + if own? == "..." { "/..." } else { "" }].into(),
        };
        let is_as_told = folder.is_empty() && self.bound.get("") == Some(&names);
        let mut told = self.in_folder(String::new());
        told.bound.insert(String::new(), names);
        (!is_as_told).then_some(told)
    }

    /// Whether both are asked for one package, which one of them names, and the other runs in its folder.
    pub(super) fn is_of_package(&self, first: &Self) -> bool {
        let key = |asked: &Self| {
            let is_it = |option: &&String| {
                OF_PACKAGE.contains(&option.as_str()) || asked.program == "cargo" && *option == "-p"
            };
            asked.bound.keys().find(is_it).cloned()
        };
        // Returns what the one that names it is asked for where the other runs.
        let there = |named: &Self, placed: &Self| {
            let mut told = named.in_folder(placed.around.inside(&placed.inside)?);
            let packages = told.bound.remove(&key(named)?)?;
            let package = packages.first().filter(|_| packages.len() == 1)?;
            let folder = told.around.folder()?;
            // What has a scope is named, not pointed at.
            let is_it = key(placed).is_none()
                && match package.starts_with('@') {
                    true => place::name(folder) == place::name(package),
                    false => place::ends_with(folder, package.trim_start_matches("./")),
                };
            is_it.then_some(told)
        };
        let mine = || there(self, first).is_some_and(|it| it.looks_there(first));
        mine() || there(first, self).is_some_and(|it| self.looks_there(&it))
    }

    /// Returns the same where an option has it run in no other folder than it runs in.
    fn in_folder(&self, folder: String) -> Self {
        let around = self.around.at(folder);
        Self { around, inside: String::new(), otherwise: None, top: None, ..self.clone() }
    }
}
