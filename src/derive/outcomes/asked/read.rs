//! Reads what a command is asked to look at from its words.

use super::options::{
    ALIKE, BARE, FOLDER, IN_FRONT, MENDING, MORE, MORE_OF_CARGO, MORE_VALUE, OF_NPM, SUPPLYING,
    TARGETS, VALUED, is_how, is_typescript,
};
use super::{Asked, around, path};
use crate::derive::outcomes::reach::{RUNNERS, SHOWING, SHOWING_VALUE};
use crate::derive::outcomes::{boxes, recognise};
use crate::derive::shell;

/// Programs of which the next word says what they do.
const TOLD_WHAT: &[&str] = &[
    "biome",
    "buf",
    "cabal",
    "cargo",
    "dart",
    "dotnet",
    "dune",
    "flutter",
    "go",
    "helm",
    "just",
    "manage.py",
    "meson",
    "mise",
    "mix",
    "ng",
    "nx",
    "playwright",
    "rails",
    "react-scripts",
    "ruff",
    "swift",
    "task",
    "terraform",
    "tofu",
    "turbo",
    "zig",
];
/// Programs that are often told to clear away what they made before they make it again, and how.
const CLEARED: &[&str] = &["gradle", "gradlew", "mvn", "mvnw"];
const CLEANING: &[&str] = &["clean", "cleanTest"];
/// Programs that keep packages, which run a task by its name and have options of their own around that.
const PACKAGERS: &[&str] = &["bun", "npm", "pnpm", "yarn"];

/// What is read of a command.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) asked: Asked,
    /// Whether a plain word behind an option that is not known is none of its value.
    splits: bool,
    /// Whether there was such a word.
    pub(super) is_unsure: bool,
    /// Whether one that keeps packages runs it, and may have options here.
    is_packager: bool,
}

impl Reader {
    /// Reads a command, also one that runs in a box.
    pub(super) fn read(part: &str, splits: bool) -> Self {
        let mut reader = Self { splits, ..Self::default() };
        let part = &*shell::in_one_way(part);
        let commands = boxes::commands(part);
        if boxes::inner(part).is_some() {
            let first = commands.first().and_then(|one| one.split_whitespace().next());
            let words = part.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
            let around = words.take_while(|word| Some(*word) != first);
            let plain = around.filter(|word| !word.starts_with('-'));
            reader.asked.words.extend(plain.map(str::to_owned));
        }
        for command in commands.iter().filter(|command| !command.starts_with("cd ")) {
            reader.add(command);
        }
        reader.forget_cleaning();
        reader.forget_whole();
        reader
    }

    /// Takes the words of one command.
    fn add(&mut self, command: &str) {
        let words = shlex::split(command).unwrap_or_else(|| {
            let words = command.split_whitespace();
            words.map(|word| word.trim_matches(['"', '\'']).to_owned()).collect()
        });
        let mut at = self.add_program(&words);
        while let Some(word) = words.get(at) {
            at += self.take(word, words.get(at + 1).map(String::as_str));
        }
    }

    /// Takes the words up to the program and what that is told to do; returns how many these are.
    fn add_program(&mut self, words: &[String]) -> usize {
        let mut at = 0;
        let mut left = 1;
        while let Some(word) = words.get(at).filter(|_| left > 0) {
            let name = recognise::name(word);
            self.is_packager |= PACKAGERS.contains(&name);
            let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
            if IN_FRONT.contains(&option) || self.is_packager && name == "workspace" {
                let glued = word.split_once('=').map(|(_, value)| value.to_owned());
                at += usize::from(glued.is_none());
                let value = glued.or_else(|| words.get(at).cloned()).unwrap_or_default();
                self.add_in_front(option, &value);
            } else if word == "--test" || !recognise::RUNNING.contains(&name) && is_plain(word) {
                let is_first = self.asked.program.is_empty();
                left = if is_first && TOLD_WHAT.contains(&name) { 1 } else { 0 };
                if is_first {
                    name.clone_into(&mut self.asked.program);
                }
                if !RUNNERS.contains(&name) {
                    self.asked.words.insert(name.to_owned());
                }
            }
            at += 1;
        }
        at
    }

    /// Takes an option that stands before what is run, and says where or of what that is run.
    fn add_in_front(&mut self, option: &str, value: &str) {
        if FOLDER.contains(&option) {
            self.go_inside(option, value);
        } else if !SUPPLYING.contains(&option) {
            let key = format!("{} before", if option == "-w" { "--workspace" } else { option });
            self.asked.bound.entry(key).or_default().insert(value.to_owned());
        }
    }

    fn go_inside(&mut self, option: &str, value: &str) {
        let is_file = option == "--manifest-path";
        let folder = match value.rsplit_once('/') {
            Some((folder, _)) if is_file => folder,
            _ if is_file => "",
            _ => value,
        };
        let folder = path(folder);
        let inside = &mut self.asked.inside;
        match inside.is_empty() || folder.starts_with('/') {
            _ if folder == "." => {}
            true => folder.clone_into(inside),
            false => *inside = format!("{inside}/{folder}"),
        }
    }

    /// Takes a word behind the program; returns 2 where the next one is its value, else 1.
    fn take(&mut self, word: &str, next: Option<&str>) -> usize {
        if !word.starts_with('-') {
            self.add_plain(word);
            return 1;
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => self.glued(word),
        };
        let next = next.filter(|next| value.is_none() && self.is_value(name, next));
        let taken = if next.is_some() { 2 } else { 1 };
        let program = self.asked.program.as_str();
        let is_of_task = name == "-x" && matches!(program, "gradle" | "gradlew");
        let is_shown = SHOWING.contains(&word) && !is_of_task
            || SHOWING_VALUE.contains(&name)
            || is_how(program, word)
            || MENDING.contains(&name);
        if word == "--" {
            self.is_packager = false;
        } else if self.is_packager && OF_NPM.contains(&name) {
            self.add_in_front(name, value.or(next).unwrap_or_default());
        } else if let Some(folder) = value.or(next).and_then(|it| self.folder_of(name, it)) {
            self.go_inside(name, folder);
        } else if !is_shown {
            self.add_option(word, name, value.or(next));
        }
        taken
    }

    /// Returns the folder in which an option of the program has that run, as it is named.
    fn folder_of<'v>(&self, name: &str, value: &'v str) -> Option<&'v str> {
        let is_project = matches!(name, "-p" | "--project");
        match self.asked.program.as_str() {
            "ctest" => (name == "--test-dir").then_some(value),
            "gradle" | "gradlew" => (FOLDER.contains(&name) || name == "-p").then_some(value),
            // Of a folder it takes that file by itself; another one has it look at something else.
            program if is_typescript(program) && is_project => {
                let folder = value.strip_suffix("tsconfig.json").unwrap_or(value);
                (folder.is_empty() || !folder.ends_with(".json")).then_some(folder)
            }
            _ => FOLDER.contains(&name).then_some(value),
        }
    }

    fn add_plain(&mut self, word: &str) {
        if shell::is_assignment(word) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            if !around::is_how(name) {
                self.asked.bound.entry(name.to_owned()).or_default().insert(value.to_owned());
            }
        } else if !word.starts_with('+') && word != "run" && word != "t" {
            self.asked.bound.entry(String::new()).or_default().insert(path(word).to_owned());
        }
    }

    fn add_option(&mut self, word: &str, name: &str, value: Option<&str>) {
        let known = ALIKE.iter().find(|(alike, _)| *alike == name).map_or(name, |(_, one)| one);
        let value = value.unwrap_or_default();
        let program = self.asked.program.as_str();
        if self.does_more(name) && (value.is_empty() || MORE_VALUE.contains(&name)) {
            self.asked.more.insert(format!("{known} {value}"));
        } else if name.starts_with("--cov") {
            self.asked.beside.insert(format!("{name} {value}"));
        } else if TARGETS.contains(&name) && program == "cargo" {
            let targets = self.asked.bound.entry("targets".to_owned()).or_default();
            targets.insert(format!("{name} {value}"));
        } else if value.is_empty() {
            self.asked.words.insert(word.to_owned());
        } else if !is_default(program, known, value) {
            self.asked.bound.entry(known.to_owned()).or_default().insert(path(value).to_owned());
        }
    }

    /// Takes an option apart that has its value in the same word: `-Dwarnings`, `-j8`.
    fn glued<'w>(&self, word: &'w str) -> (&'w str, Option<&'w str>) {
        let Some((name, value)) = word.split_at_checked(2).filter(|(_, rest)| !rest.is_empty())
        else {
            return (word, None);
        };
        let counts = SHOWING_VALUE.contains(&name) && value.bytes().all(|b| b.is_ascii_digit());
        let is_lint = self.asked.program == "cargo" && ["-D", "-F", "-W"].contains(&name);
        if counts || is_lint { (name, Some(value)) } else { (word, None) }
    }

    fn does_more(&self, name: &str) -> bool {
        MORE.contains(&name) || self.asked.program == "cargo" && MORE_OF_CARGO.contains(&name)
    }

    /// Whether the word behind an option is its value: of one that is not known, unless it looks like a path.
    fn is_value(&mut self, name: &str, next: &str) -> bool {
        let is_of_dotnet = matches!(name, "-f" | "-v") && self.asked.program == "dotnet";
        let is_of_npm = self.is_packager && OF_NPM.contains(&name);
        let is_of_task =
            name == "-x" && matches!(self.asked.program.as_str(), "gradle" | "gradlew");
        let is_bare = SHOWING.contains(&name) && !is_of_task
            || BARE.contains(&name)
            || is_how(&self.asked.program, name)
            || name == "--tests" && self.asked.program == "cargo"
            || self.does_more(name) && !MORE_VALUE.contains(&name);
        let is_number = next.parse::<i64>().is_ok();
        let is_known =
            is_of_task || VALUED.contains(&name) || self.does_more(name) || name == "--tests";
        match next.starts_with('-') {
            true => false,
            false if is_of_dotnet || is_of_npm => true,
            false if SHOWING_VALUE.contains(&name) && is_number => true,
            false if name == "--" || is_bare => false,
            false if is_known => true,
            false => self.may_be_value(name, next),
        }
    }

    /// Whether a plain word is the value of an option that is not known: nobody can tell.
    fn may_be_value(&mut self, name: &str, next: &str) -> bool {
        let is_plain = !next.contains(['/', '.']);
        let is_unsure = is_plain && name.starts_with("--") && !SHOWING_VALUE.contains(&name);
        self.is_unsure |= is_unsure;
        is_plain && !(is_unsure && self.splits)
    }

    /// Takes out what is only cleared away before something else is run.
    fn forget_cleaning(&mut self) {
        let cleans = |name: &String| CLEANING.contains(&name.as_str());
        let is_cleared = CLEARED.contains(&self.asked.program.as_str());
        if let Some(names) = self.asked.bound.get_mut("").filter(|_| is_cleared)
            && !names.iter().all(cleans)
        {
            names.retain(|name| !cleans(name));
        }
    }

    /// Takes out what names all there is.
    fn forget_whole(&mut self) {
        // A folder of Go is no more than itself.
        let is_folder = self.asked.program == "go";
        let is_of_cabal = self.asked.program == "cabal";
        let is_all = |word: &String| match word.as_str() {
            "." => !is_folder,
            "all" => is_of_cabal,
            word => word == "...",
        };
        if self.asked.bound.get("").is_some_and(|names| names.iter().any(is_all)) {
            self.asked.takes_all = true;
            self.asked.bound.remove("");
        }
    }
}

/// Whether a word may name a program.
fn is_plain(word: &str) -> bool {
    !word.starts_with(['-', '+']) && !shell::is_assignment(word)
}

/// Whether an option is given what a program takes by itself.
fn is_default(program: &str, option: &str, value: &str) -> bool {
    program == "dotnet" && option == "-c" && value == "Debug"
}
