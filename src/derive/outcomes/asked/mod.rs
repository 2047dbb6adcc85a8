//! What a command is asked to look at, so that a run on less is told from one on as much.

mod around;
pub(super) mod options;
mod places;
mod read;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::reach::RUNNERS;
pub(super) use around::Around;
use options::{ADDING, leaves_out, only_narrows};
use read::Reader;

/// Programs whose words each name a task.
const TASKS: &[&str] = &["gmake", "make", "ninja", "rake"];
/// Programs that by themselves take all that lies below the folder in which they run.
const WALKING: &[&str] = &["biome", "eslint", "jest", "prettier", "pytest", "ruff", "vitest"];
/// Programs of which a plain word is a part of the names of what they run, and no folder of tests.
const FILTERED: &[&str] = &["cargo", "go", "jest", "swift", "vitest"];

/// Whether an option with its value only adds to what runs without it.
fn is_added(option: &str) -> bool {
    ADDING.contains(&option.split(' ').next().unwrap_or_default())
}

/// Options by which a program takes what failed last.
const FAILED_LAST: &[&str] = &[
    "--failed",
    "--last-failed",
    "--lf",
    "--only-failures",
    "--onlyFailures",
    "--rerun-failed",
    "--sw",
];

/// Options by which tests are taken by their names.
const BY_NAME: &[&str] = &[
    "--filter",
    "--match",
    "--only",
    "--test-name-pattern",
    "--tests",
    "--tests-regex",
    "-Dtest",
    "-R",
    "-g",
    "-k",
    "-run",
    "-t",
];

/// Whether a file names several projects, of which one mostly is the one that is given; another such file is another.
fn is_solution_of(name: &str, project: &str) -> bool {
    let is_solution = |name: &str| name.ends_with(".sln") || name.ends_with(".slnx");
    is_solution(name) && !is_solution(project)
}

/// Whether a filter has a word that another one is, whatever stands around it.
fn has_word(filter: &str, word: &str) -> bool {
    filter.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&filter[..at], &filter[at + word.len()..]);
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
    })
}

/// What a command is asked to look at.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// The first word that names a program, without its folder.
    program: String,
    /// What runs and in which box, and options that are not known.
    words: BTreeSet<String>,
    /// To what it is bound, by the option that says so: files, tests and tasks have none.
    bound: BTreeMap<String, BTreeSet<String>>,
    /// Whether it was told to take all below its folder.
    takes_all: bool,
    /// What it does beyond what it does by itself.
    more: BTreeSet<String>,
    /// What it asks beside that its tests pass: how much of the code they reach.
    beside: BTreeSet<String>,
    /// The folder in which an option has it run.
    inside: String,
    /// Where it runs, and with which variables.
    around: Around,
    /// What it is asked if a plain word behind an option that is not known is none of its value.
    otherwise: Option<Box<Asked>>,
    /// What it is asked as one asks for it in the session's folder, if that is said in another way.
    top: Option<Box<Asked>>,
}

impl Asked {
    /// Reads it from a command, also one that runs in a box.
    pub(super) fn of(part: &str) -> Self {
        let read = Reader::read(part, false);
        let otherwise = read.is_unsure.then(|| Box::new(Reader::read(part, true).asked));
        Self { otherwise, ..read.asked }
    }

    /// Takes what stands around the command.
    pub(super) fn within(self, around: Around) -> Self {
        let asked = Self { around, ..self };
        Self { top: asked.seen_from_top().map(Box::new), ..asked }
    }

    /// Whether it is asked for all that `first` is asked for.
    pub(super) fn is_as_wide(&self, first: &Self) -> bool {
        let (mine, others) = (self.top.as_deref(), first.top.as_deref());
        self.looks_there(first)
            || self.runs_above(first) && self.reads(first, Self::takes_in)
            || (mine.is_some() || others.is_some())
                && mine.unwrap_or(self).looks_there(others.unwrap_or(first))
            || self.around != first.around && self.is_of_package(first)
    }

    /// Whether it runs where `first` does, and is asked for all that this is asked for.
    fn looks_there(&self, first: &Self) -> bool {
        self.runs_there(first) && self.reads(first, Self::takes_in)
    }

    /// Whether it asks all that `first` asks beside that its tests pass.
    pub(super) fn asks_beside(&self, first: &Self) -> bool {
        first.beside.is_subset(&self.beside)
    }

    /// Whether it runs where `first` does, with all variables that are set for that.
    pub(super) fn runs_there(&self, first: &Self) -> bool {
        self.around.holds(&first.around, (&self.inside, &first.inside))
    }

    /// Whether it runs in a folder above that of `first`, and takes all below that.
    fn runs_above(&self, first: &Self) -> bool {
        let program = self.program.as_str();
        let walks = WALKING.contains(&program)
            || self.more.iter().any(|more| more.starts_with("--workspace"))
            || program == "go" && self.takes_all;
        walks
            && !self.bound.contains_key("")
            && self.around.is_above(&first.around, (&self.inside, &first.inside))
    }

    /// Tells the variables that are set for it, as they stand before the command.
    pub(super) fn variables(&self) -> String {
        self.around.set()
    }

    /// What stands around it.
    pub(super) fn around(&self) -> &Around {
        &self.around
    }

    /// Tells the variables that are set for it otherwise than for `first`, as they stand before the command.
    pub(super) fn set_beside(&self, first: &Self) -> String {
        self.around.set_beside(&first.around)
    }

    /// Returns the folder in which it runs, from that of the session; nothing where nobody knows it.
    pub(super) fn folder(&self) -> Option<&str> {
        self.around.folder()
    }

    /// Tells where it runs and with which variables, where that says something.
    pub(super) fn told_around(&self) -> String {
        self.around.told()
    }

    /// Whether something holds of both as they are read, in one way or in the other.
    fn reads(&self, first: &Self, holds: impl Fn(&Self, &Self) -> bool) -> bool {
        let (mine, others) = (self.otherwise.as_deref(), first.otherwise.as_deref());
        holds(self, first)
            || (mine.is_some() || others.is_some())
                && holds(mine.unwrap_or(self), others.unwrap_or(first))
    }

    /// Whether its words are asked for all that those of `first` are.
    fn takes_in(&self, first: &Self) -> bool {
        // In a box, or as another task, it is another run.
        let is_same = |word: &String| word.starts_with('-') || self.words.contains(word);
        self.words.is_subset(&first.words)
            && first.words.iter().all(is_same)
            && first.more.is_subset(&self.more)
            && self.more.difference(&first.more).all(|more| is_added(more))
            && self.bound.keys().all(|option| self.is_whole(option, first))
            && self.keeps(first)
    }

    /// Whether it has every option of `first` without which it may be asked for less, or something else.
    fn keeps(&self, first: &Self) -> bool {
        let program = first.program.as_str();
        let has_word = |word: &String| {
            !word.starts_with('-') || self.words.contains(word) || only_narrows(program, word)
        };
        let has = |(option, before): (&String, &BTreeSet<String>)| match option.as_str() {
            "targets" => {
                self.bound.contains_key(option) || before.iter().all(|it| first.is_run(it))
            }
            _ if only_narrows(program, option) => true,
            _ => self.bound.get(option).is_some_and(|it| self.reaches(option, it, before)),
        };
        first.words.iter().all(has_word) && first.bound.iter().all(has)
    }

    /// Whether cargo takes a target also where none is named.
    fn is_run(&self, target: &str) -> bool {
        let kind = target.split(' ').next().unwrap_or_default();
        let only_builds = ["build", "b", "check", "c", "clippy"];
        match kind {
            "--lib" | "--bin" | "--bins" => true,
            "--bench" | "--benches" => false,
            _ => !only_builds.iter().any(|word| self.words.contains(*word)),
        }
    }

    /// Whether it builds all that `first` builds on the way, whatever tests it runs of that.
    pub(super) fn builds_as_much(&self, first: &Self) -> bool {
        // Cargo and swift are given names of tests, and a project of dotnet builds all that it needs.
        let builds_more = ["cargo", "dotnet", "swift"].contains(&self.program.as_str());
        let kinds: &[&str] = if builds_more { &["-p"] } else { &["", "-p"] };
        // What another program makes of the options nobody knows.
        let is_same = self.program == first.program;
        let keeps = !is_same || self.reads(first, Self::keeps);
        // Of the others another word has the program do another thing.
        let is_task = |word: &&String| !word.starts_with('-');
        let is_known = |word: &String| first.words.contains(word);
        let asks_no_less = !is_same
            || builds_more
            || self.program == "go"
            || self.words.iter().all(is_known)
                && self.bound.keys().all(|option| self.is_whole(option, first));
        let does_it = !is_same
            || builds_more
            || self.program == "go"
            || self.words.iter().filter(is_task).all(|word| first.words.contains(word));
        keeps
            && does_it
            && asks_no_less
            && self.runs_there(first)
            && first.more.is_subset(&self.more)
            && kinds.iter().all(|kind| self.is_whole(kind, first))
    }

    /// Whether it is bound to no files and packages, or to all of those that `first` is bound to.
    pub(super) fn names_all_of(&self, first: &Self) -> bool {
        let names = |later: &Self, first: &Self| {
            let is_same = |option: &String| {
                only_narrows(&first.program, option)
                    || later.bound.get(option) == first.bound.get(option)
            };
            let is_whole = |kind: &&str| later.is_whole(kind, first);
            ["", "-p"].iter().all(is_whole) && first.bound.keys().all(is_same)
        };
        self.runs_there(first) && self.reads(first, names)
    }

    /// Whether it goes into folders below the one that it is given, if `first` does.
    pub(super) fn goes_as_deep(&self, first: &Self) -> bool {
        let goes_down =
            |asked: &Self| asked.more.iter().any(|more| more.trim_end() == "-recursive");
        goes_down(self) || !goes_down(first)
    }

    /// Whether both run the same program, and it is known which.
    pub(super) fn is_of_program(&self, other: &Self) -> bool {
        !self.program.is_empty() && self.program == other.program
    }

    /// Whether it is bound to all of `files` that `first` is asked for, and there are some.
    pub(super) fn names_each(&self, files: &[String], first: &Self) -> bool {
        let names = |asked: &Self, file: &str| {
            let named = asked.bound.get("");
            named.is_none_or(|named| named.iter().any(|one| asked.holds(one, file)))
        };
        let mut asked =
            files.iter().map(|file| path(file)).filter(|it| names(first, it)).peekable();
        self.runs_there(first) && asked.peek().is_some() && asked.all(|file| names(self, file))
    }

    /// Returns how many files, tests, tasks and packages it is bound to.
    pub(super) fn bounds(&self) -> usize {
        self.bound.values().map(BTreeSet::len).sum()
    }

    /// Returns the names that it is bound to.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let values = self.bound.iter().filter(|(option, _)| !leaves_out(option));
        let words = values.flat_map(|(_, values)| values).flat_map(|it| it.split_whitespace());
        words.filter(|word| !word.starts_with('-'))
    }

    /// Whether options bind it to no other part of its files than `first`.
    pub(super) fn filters_as(&self, first: &Self) -> bool {
        let is_filter = |option: &String| !option.is_empty() && !self.only_builds(option);
        let mut filters = self.bound.iter().filter(|(option, _)| is_filter(option));
        filters.all(|(option, values)| first.bound.get(option) == Some(values))
    }

    /// Returns the values of options that take tests by their names, where `first` has other ones.
    pub(super) fn name_filters_beside<'a>(
        &'a self,
        first: &'a Self,
    ) -> impl Iterator<Item = &'a str> {
        let is_new = |(option, values): &(&String, &BTreeSet<String>)| {
            self.is_by_name(option) && first.bound.get(*option) != Some(*values)
        };
        let new = self.bound.iter().filter(is_new);
        new.flat_map(|(_, values)| values).map(String::as_str)
    }

    /// Whether an option takes tests by their names.
    fn is_by_name(&self, option: &str) -> bool {
        let of_rspec = || ["--example", "-E", "-e"].contains(&option);
        BY_NAME.contains(&option) || self.program == "rspec" && of_rspec()
    }

    /// Whether it is bound to a project of which `first` says nothing, which can have the same files run otherwise.
    pub(super) fn is_of_other_project(&self, first: &Self) -> bool {
        let of_files = ["jest", "playwright", "vitest"].contains(&self.program.as_str());
        let is_other = |option: &&str| self.bound.get(*option) != first.bound.get(*option);
        let options = ["--projects", "--selectProjects", "-p"];
        let mut new = options.iter().filter(|option| self.bound.contains_key(**option));
        of_files && new.any(is_other)
    }

    /// Whether an option only says how something is built: nothing of what is tested.
    fn only_builds(&self, option: &str) -> bool {
        self.program == "dotnet" && option == "-c"
    }

    /// Whether it is asked for what failed last, wherever `first` looked.
    pub(super) fn takes_what_failed(&self, first: &Self) -> bool {
        let takes = |word: &String| FAILED_LAST.contains(&word.as_str());
        self.words.iter().any(takes)
            && self.program == first.program
            && self.runs_there(first)
            && self.bound.keys().all(|option| self.is_whole(option, first))
    }

    /// Whether it is bound to all that `first` is, and by no more options, though it may name it beside more.
    pub(super) fn names_the_same(&self, first: &Self) -> bool {
        let is_file = |name: &str, before: &str| name == before || is_solution_of(name, before);
        let is_filter = |name: &str, before: &str| {
            let mut parts = before.split(['|', ',']).flat_map(|it| it.split(" or ")).map(str::trim);
            !name.contains("not ") && parts.all(|part| has_word(name, part))
        };
        let holds = |(option, values): (&String, &BTreeSet<String>)| {
            let before = first.bound.get(option).filter(|_| !leaves_out(option));
            let is_same = |name: &str, before: &str| match option.is_empty() {
                true => is_file(name, before),
                false => is_filter(name, before),
            };
            let is_held = |before: &String| values.iter().any(|name| is_same(name, before));
            before.is_some_and(|before| before.iter().all(is_held))
        };
        let mut bound = self.bound.iter().filter(|(option, _)| !self.only_builds(option));
        let is_known = |word: &String| !word.starts_with('-') || first.words.contains(word);
        self.program == first.program
            && self.runs_there(first)
            && !self.bound.is_empty()
            && self.words.iter().all(is_known)
            && first.more.is_subset(&self.more)
            && bound.all(holds)
    }

    /// Whether it leaves something out that `first` did not, by an option or by words that deny.
    pub(super) fn leaves_more_out(&self, first: &Self) -> bool {
        let denies = |value: &String| {
            value.contains(['!', '~']) || value.split_whitespace().any(|word| word == "not")
        };
        let is_new = |(option, values): (&String, &BTreeSet<String>)| {
            let before = first.bound.get(option);
            let is_known = |value: &String| before.is_some_and(|before| before.contains(value));
            // Which tests a filter by name takes is known of each.
            let by_name = self.is_by_name(option);
            let takes_out = |value: &String| leaves_out(option) || !by_name && denies(value);
            values.iter().any(|value| takes_out(value) && !is_known(value))
        };
        self.bound.iter().any(is_new)
    }

    /// Whether it says nothing that `first` does not say.
    pub(super) fn is_within(&self, first: &Self) -> bool {
        let is_said = |(option, values): (&String, &BTreeSet<String>)| {
            first.bound.get(option).is_some_and(|before| values.is_subset(before))
        };
        self.words.is_subset(&first.words)
            && self.more.is_subset(&first.more)
            && self.bound.iter().all(is_said)
    }

    /// Whether an option is given nothing that binds it, or all that it was given before.
    fn is_whole(&self, option: &str, first: &Self) -> bool {
        self.bound.get(option).is_none_or(|values| {
            let before = first.bound.get(option);
            option.is_empty() && self.is_all_tests(values, before)
                || before.is_some_and(|before| self.reaches(option, values, before))
        })
    }

    /// Whether what an option is given holds all that it was given before.
    fn reaches(&self, option: &str, values: &BTreeSet<String>, before: &BTreeSet<String>) -> bool {
        if leaves_out(option) {
            return values.is_subset(before);
        }
        let is_in = |one: &String| values.iter().any(|value| self.holds(value, one));
        before.iter().all(is_in)
    }

    /// Whether `one` is what is named, or lies in it.
    fn holds(&self, named: &str, one: &str) -> bool {
        if options::runs_on_way(&self.program, named, one) {
            return true;
        }
        let folder = named.strip_suffix("/...");
        // A package of Go is no more than its own folder.
        let is_own = self.program == "go" && folder.is_none();
        let rest = one.strip_prefix(folder.unwrap_or(named));
        rest.is_some_and(|rest| {
            rest.is_empty() || !is_own && (rest.starts_with('/') || rest.starts_with("::"))
        })
    }

    /// Whether what a program that runs tests is given are its tests as such, and no part of what was given
    /// before.
    fn is_all_tests(&self, names: &BTreeSet<String>, before: Option<&BTreeSet<String>>) -> bool {
        let program = self.program.as_str();
        let runs_tests = RUNNERS.contains(&program) && !TASKS.contains(&program);
        let is_tests = |word: &String| matches!(word.as_str(), "test" | "tests");
        // Of a task of one part, as `:a:test`, all of that name are as much.
        let is_below = |one: &String| {
            one.rsplit_once(':')
                .is_some_and(|(part, name)| part.starts_with(':') && names.contains(name))
        };
        runs_tests
            && !FILTERED.contains(&program)
            && names.iter().all(is_tests)
            && before.is_none_or(|before| before.iter().all(is_below))
    }
}

/// Returns a path without what can stand around it.
fn path(word: &str) -> &str {
    match word.trim_start_matches("./").trim_end_matches('/') {
        "" => ".",
        path => path,
    }
}
