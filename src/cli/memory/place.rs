//! Whose memories are meant, and what was read of them.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use clap::builder::PossibleValuesParser;

use super::super::session::{absolute, current_dir, var};
use super::super::{Cli, tell};
use super::guarded::{self, GuardArgs};
use crate::discover::{Caller, World, main_work_tree, memories as gathering};
use crate::emit;
use crate::error::{Error, Result};
use crate::harness::memory::{self, At, Memories, Read, Root, Tree};
use crate::jsonl::Input;
use crate::model::{Layer, Level, Memory};
use crate::note::{Note, NoteKind};

/// Which project, and how wide.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct PlaceArgs {
    /// The folder of the project, in place of the project around the current directory
    #[arg(long, value_name = "DIR")]
    project: Option<Utf8PathBuf>,

    /// Only what holds in every project, or only what holds in this one
    #[arg(long, value_enum, value_name = "SCOPE")]
    scope: Option<Scope>,
}

/// Whose memories, where several may be meant.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SomeArgs {
    /// Names of harnesses, or files; left out, all that are here
    #[arg(value_name = "HARNESS|FILE")]
    pub(super) what: Vec<String>,

    #[command(flatten)]
    pub(super) place: PlaceArgs,

    /// The memories of all projects
    #[arg(long, conflicts_with = "project")]
    pub(super) all: bool,
}

impl SomeArgs {
    /// Reads them.
    pub(super) fn read(&self, guard: &GuardArgs) -> Result<Vec<Held>> {
        self.place.read_all(&self.what, self.all, guard)
    }
}

/// How wide a memory holds, as the user types it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Scope {
    /// What holds in every project
    Global,
    /// What holds in this project
    Project,
}

/// Layers that are only taken if they are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum With {
    /// Context files that humans write
    Instructions,
    /// Files of rules that humans write
    Rules,
    /// What sub-agents keep for themselves
    Agents,
    /// Summaries of single sessions
    Sessions,
    /// Instructions for a kind of task, step by step
    Skills,
}

impl With {
    /// Returns the layer that is meant.
    pub(super) fn layer(self) -> Layer {
        match self {
            Self::Instructions => Layer::Instructions,
            Self::Rules => Layer::Rules,
            Self::Agents => Layer::Agent,
            Self::Sessions => Layer::Session,
            Self::Skills => Layer::Skills,
        }
    }
}

/// The names of those whose memories are known.
pub(super) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(memory::ALL.iter().map(|one| one.name()))
}

/// What one harness keeps, as it was read.
pub(super) struct Held {
    pub(super) of: &'static dyn Memories,
    pub(super) at: At,
    pub(super) tree: Tree,
    pub(super) memories: Vec<Memory>,
    pub(super) notes: Vec<Note>,
    /// What the guard did.
    pub(super) guarded: guarded::Done,
}

/// Says what was noted and guarded.
pub(super) fn told(held: &[Held], cli: &Cli) -> Result<()> {
    held.iter().for_each(|one| guarded::say(&one.guarded, cli));
    held.iter().try_for_each(|one| tell(&one.notes, cli))
}

impl PlaceArgs {
    /// Means one project, and what holds everywhere.
    pub(super) fn of(project: Option<&Utf8Path>) -> Self {
        Self { project: project.map(Utf8Path::to_owned), scope: None }
    }

    /// Tells whether the user named a project.
    pub(super) fn has_project(&self) -> bool {
        self.project.is_some()
    }

    /// Says that the project which the user named is no folder here; it may be misspelt.
    pub(super) fn tell_missing(&self, cli: &Cli) {
        let is_missing = |project: &&Utf8PathBuf| !project.is_dir();
        if let Some(project) = self.project.as_ref().filter(is_missing) {
            let told = "as --project says, is no folder here: is it spelled right?";
            cli.say(&format!("hint: `{project}`, {told}"));
        }
    }

    /// Returns how wide a memory must hold to be meant.
    pub(super) fn level(&self) -> Option<Level> {
        self.scope.map(|scope| match scope {
            Scope::Global => Level::Global,
            Scope::Project => Level::Project,
        })
    }

    /// Returns where memories of `of` are looked for; nothing if there is no home for it here.
    ///
    /// With `all`, every project is meant.
    pub(super) fn at(&self, of: &dyn Memories, all: bool) -> Result<Option<At>> {
        let Some(home) = of.home(&var) else { return Ok(None) };
        let set = |name: &&str| Some(((*name).to_owned(), var(name)?));
        let mut at = At {
            roots: of.roots(&home)?,
            home,
            user: var("HOME").or_else(|| var("USERPROFILE")).map(Utf8PathBuf::from),
            variables: of.variables().iter().filter_map(set).collect::<BTreeMap<_, _>>(),
            ..At::default()
        };
        let world = match self.world() {
            Err(_) if all => return Ok(Some(at)),
            world => world?,
        };
        let project = world.project();
        at.work_trees = project.roots().map(Utf8Path::to_owned).collect();
        at.alone = project.is_alone();
        let top = main_work_tree(&project.root).unwrap_or(project.root);
        at.own_store = of.store_of(&at.home, &top);
        at.project = Some(top);
        at.cwd = Some(world.cwd);
        Ok(Some(if all { every_project(of, at) } else { at }))
    }

    /// Returns what surrounds this run, for looking at the sessions of the project.
    pub(super) fn world(&self) -> Result<World<'static>> {
        self.world_of(false)
    }

    /// The same; with `all` no project is meant.
    pub(super) fn world_of(&self, all: bool) -> Result<World<'static>> {
        let cwd = match &self.project {
            Some(project) => absolute(project)?,
            None if all => Utf8PathBuf::from("/"),
            None => current_dir()?,
        };
        Ok(World {
            cwd,
            var: &var,
            caller: Caller::default(),
            is_named: self.project.is_some(),
            watch: None,
            now: None,
        })
    }

    /// Reads what `of` keeps.
    pub(super) fn read(
        &self,
        of: &'static dyn Memories,
        all: bool,
        guard: &GuardArgs,
    ) -> Result<Held> {
        let Some(at) = self.at(of, all)? else {
            let what = format!("there is no home of {} here", of.title());
            return Err(Error::Nothing { what });
        };
        let tree = gathering::gather(of, &at);
        Ok(held(of, at, tree, guard, self.level()))
    }

    /// Reads what the words mean: names of harnesses, or files; without any, all that are here.
    pub(super) fn read_all(
        &self,
        words: &[String],
        all: bool,
        guard: &GuardArgs,
    ) -> Result<Vec<Held>> {
        if words.is_empty() {
            let here =
                |of: &&&'static dyn Memories| of.home(&var).is_some_and(|home| home.is_dir());
            return memory::ALL.iter().filter(here).map(|of| self.read(*of, all, guard)).collect();
        }
        let one = |word: &String| match memory::by_name(word) {
            Some(of) => self.read(of, all, guard),
            None => self.read_file(word, guard),
        };
        words.iter().map(one).collect()
    }

    /// Reads a file that was given by its path.
    fn read_file(&self, word: &str, guard: &GuardArgs) -> Result<Held> {
        /// Enough to tell what a file is, in bytes.
        const HEAD_BYTES: usize = 64 * 1024;
        let path = absolute(word.into())?;
        if !path.exists() && !word.contains(['/', '.']) {
            let names: Vec<_> = memory::ALL.iter().map(|one| one.name()).collect();
            let what = format!("`{word}` is no harness whose memories are known, and no file");
            return Err(Error::usage(what, format!("one of {}, or a file", names.join(", "))));
        }
        let head = Input::file(&path)?.head(HEAD_BYTES)?;
        let text = String::from_utf8_lossy(&head);
        let found = memory::ALL.iter().find_map(|of| Some((*of, of.recognises(&path, &text)?)));
        let Some((of, shelf)) = found else {
            let names: Vec<_> = memory::ALL.iter().map(|one| one.title()).collect();
            return Err(Error::NotASession {
                path: emit::one_line(word),
                why: "is no file with memories that segue knows".into(),
                hint: Some(format!("files of {} can be read", names.join(", "))),
            });
        };
        let at = match self.at(of, false) {
            Ok(Some(at)) => at,
            _ => At { home: path.parent().unwrap_or(&path).to_owned(), ..At::default() },
        };
        let tree = gathering::gather_file(of, shelf, &at);
        Ok(held(of, at, tree, guard, self.level()))
    }
}

/// Means every project; of a store in which nothing tells whose it is, that of `at` is known by its name.
fn every_project(of: &dyn Memories, mut at: At) -> At {
    let is_here = |root: &Root| root.cwd.is_none() && of.is_named(root, &at);
    let named: Vec<bool> = at.roots.iter().map(is_here).collect();
    for (root, _) in at.roots.iter_mut().zip(named).filter(|(_, is_here)| *is_here) {
        root.cwd.clone_from(&at.project);
    }
    At { project: None, cwd: None, work_trees: Vec::new(), ..at }
}

fn held(
    of: &'static dyn Memories,
    at: At,
    tree: Tree,
    guard: &GuardArgs,
    level: Option<Level>,
) -> Held {
    let Read { mut memories, mut notes } = of.read(&tree, &at);
    for (path, why) in &tree.unreadable {
        notes.add(NoteKind::UnreadableMemory, &format!("{path}: {why}"), 0);
    }
    memories.retain(|memory| level.is_none_or(|level| level == memory.scope.level));
    let guarded = guarded::guard(&mut memories, guard);
    Held { of, at, tree, memories, notes: notes.list(), guarded }
}
