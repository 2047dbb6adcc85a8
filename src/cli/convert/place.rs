//! `--install`: the session where its harness looks for it.

use std::collections::HashSet;
use std::io::ErrorKind;

use camino::{Utf8Path, Utf8PathBuf};

use super::Work;
use crate::cli::converted::{self, SideFiles};
use crate::cli::source::{imported, kin};
use crate::emit::install::{self, Installed};
use crate::error::{Error, Result};
use crate::jsonl::Input;
use crate::note::LossKind;
use crate::plan::Plan;

/// What would be written.
struct Ready {
    /// The session, and what stands beside it.
    plan: Plan,
    /// Its text.
    text: Vec<u8>,
    /// What stands in its place already.
    found: Option<Installed>,
    /// How many side sessions are not there yet.
    new: usize,
}

impl Work<'_> {
    /// Returns the side sessions, as they would be written for `file`.
    pub(super) fn side_files(&mut self, file: &Utf8Path) -> Result<Vec<SideFiles>> {
        let redact = self.args.redact;
        let sides =
            converted::side_files(self.writer, &mut self.converted, &self.target, file, redact)?;
        self.sides = sides.len();
        self.all_found().map(|()| sides)
    }

    /// Returns the session as it would be written, if its harness would take it.
    fn text(&mut self, name: &str) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        self.put(&mut text, name)?;
        let findings = self.writer.check(&Input::memory(name, &text))?;
        converted::refusal(&findings).map_or(Ok(text), Err)
    }

    /// Returns what would be written; fails where the session could not be put in place.
    fn ready(&mut self) -> Result<Ready> {
        let mut plan = self.plan()?;
        let name = plan.file.to_string();
        let text = if install::is_there(&plan) {
            let mut text = Vec::new();
            // What it lacks is the same as when it was written.
            self.put(&mut text, &name)?;
            text
        } else {
            self.text(&name)?
        };
        let found = install::found(&plan, |out| {
            out.write_all(&text).map_err(|cause| Error::write(&name, cause))
        });
        let found = found.map_err(|error| match error {
            Error::Refused { what, hint: None } => {
                let hint = Some("`--out FILE` in place of --install writes it elsewhere".into());
                Error::Refused { what, hint }
            }
            other => other,
        })?;
        let (mut left, mut new) = (HashSet::new(), 0);
        for mut side in self.side_files(&plan.file)? {
            let told = obstacle(&plan.home, &mut side, found == Some(Installed::Changed));
            told.iter().for_each(|told| self.cli.say(&format!("segue: {told}")));
            let lies_below = side.under.as_ref().is_some_and(|id| left.contains(id));
            if side.files.is_empty() || lies_below {
                self.sides -= 1;
                self.converted.losses.lose_many(LossKind::SideSession, side.items, &side.id);
                left.insert(side.id);
            } else {
                new += usize::from(side.files.first().is_some_and(is_missing));
                plan.beside.extend(side.files);
            }
        }
        Ok(Ready { plan, text, found, new })
    }

    /// Fails where the session could not be put in place, as far as that can be seen before.
    pub(super) fn tried(&mut self) -> Result<Plan> {
        let plan = self.ready()?.plan;
        install::tried(&plan).map(|()| plan)
    }

    /// Puts the session in place.
    pub(super) fn install(&mut self) -> Result<String> {
        let Ready { plan, text, found, new } = self.ready()?;
        let name = plan.file.to_string();
        let kin = kin(&plan, self.to, &self.target);
        let made = install::install(&plan, found, |out| {
            out.write_all(&text).map_err(|cause| Error::write(&name, cause))
        })?;
        self.cli.say(&format!("segue: {name}: {}", made.words()));
        if new > 0 {
            self.cli.say(&format!("segue: side sessions written beside it: {new}"));
        }
        if let Some(kin) = kin.filter(|_| made == Installed::Made) {
            self.cli.say(&format!("segue: {kin}; this is a session of its own"));
        }
        self.enter(&plan.home);
        if !Utf8Path::new(&self.target.cwd).is_dir() {
            let hint = "its folder is not on this machine; `--cwd DIR` lets it go on in another";
            self.cli.say(&format!("hint: {hint}"));
        }
        self.show(&self.command())?;
        Ok(name)
    }

    /// Enters the source in the target's list of what it took over, so that it does not offer that.
    ///
    /// The session is in place by then; a list that cannot be changed takes nothing from it.
    fn enter(&self, home: &Utf8Path) {
        let header = &self.converted.conversation.header;
        let Some(list) = self.writer.ledger(home, &header.harness) else { return };
        let Some(source) = imported(self.chosen, header.title.clone()) else { return };
        let entered = |old: &str| self.writer.entered(old, &source, &self.target);
        match install::amend(home, &list, entered) {
            Ok(true) => {
                self.cli.say(&format!("segue: entered in {list}, so that it is not offered again"));
            }
            Ok(false) => {}
            Err(error) => self.cli.say(&format!("segue: {list} stays as it is: {error}")),
        }
    }
}

/// Takes out of a side session what is not written of it, and says why: something else has its place, or it
/// is missing beside a session that `is_other`, in which nothing may lead to it. Without its own file none is.
fn obstacle(home: &Utf8Path, side: &mut SideFiles, is_other: bool) -> Option<String> {
    let way = |(path, text): &(Utf8PathBuf, Vec<u8>)| install::in_the_way(home, path, text);
    let own = side.files.first()?;
    let own = if let Some(why) = way(own) {
        Some(format!("{}: {why}; the side session is not written", own.0))
    } else if is_other && is_missing(own) {
        let why = "the side session is not there; it is written only with its session";
        Some(format!("{}: {why}", own.0))
    } else {
        None
    };
    if own.is_some() {
        side.files.clear();
        return own;
    }
    let mut beside = side.files.iter().skip(1);
    let (path, why) = beside.find_map(|file| Some((file.0.clone(), way(file)?)))?;
    side.files.retain(|(other, _)| *other != path);
    Some(format!("{path}: {why}"))
}

fn is_missing((path, _): &(Utf8PathBuf, Vec<u8>)) -> bool {
    path.symlink_metadata().is_err_and(|cause| cause.kind() == ErrorKind::NotFound)
}
