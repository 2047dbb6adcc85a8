//! `--install`: the session where its harness looks for it.

use std::collections::HashSet;
use std::io::ErrorKind;

use camino::Utf8Path;

use super::Work;
use crate::cli::converted::{self, SideFiles};
use crate::cli::source::{imported, kin};
use crate::emit::install;
use crate::error::{Error, Result};
use crate::jsonl::Input;
use crate::note::LossKind;
use crate::plan::Plan;

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

    /// Returns what would be written: what stands beside the session, and its own text.
    fn ready(&mut self) -> Result<(Plan, Vec<u8>)> {
        let mut plan = self.plan()?;
        let name = plan.file.to_string();
        let is_there = install::is_there(&plan);
        let text = if is_there {
            let mut text = Vec::new();
            // What it lacks is the same as when it was written.
            self.put(&mut text, &name)?;
            text
        } else {
            self.text(&name)?
        };
        let mut left = HashSet::new();
        for side in self.side_files(&plan.file)? {
            let lies_below = side.under.as_ref().is_some_and(|id| left.contains(id));
            match obstacle(&plan.home, &side, is_there) {
                None if !lies_below => plan.beside.extend(side.files),
                told => {
                    told.iter().for_each(|told| self.cli.say(&format!("segue: {told}")));
                    self.sides -= 1;
                    self.converted.losses.lose_many(LossKind::SideSession, side.items, &side.id);
                    left.insert(side.id);
                }
            }
        }
        Ok((plan, text))
    }

    /// Fails where the session could not be put in place, as far as that can be seen before.
    pub(super) fn tried(&mut self) -> Result<Plan> {
        let (plan, text) = self.ready()?;
        let fail = |cause| Error::write(&plan.file, cause);
        install::tried(&plan, |out| out.write_all(&text).map_err(fail))?;
        Ok(plan)
    }

    /// Puts the session in place.
    pub(super) fn install(&mut self) -> Result<String> {
        let (plan, text) = self.ready()?;
        let name = plan.file.to_string();
        let kin = kin(&plan, self.to, &self.target);
        let made = install::install(&plan, |out| {
            out.write_all(&text).map_err(|cause| Error::write(&name, cause))
        })?;
        self.cli.say(&format!("segue: {name}: {}", made.words()));
        if self.sides > 0 && made == install::Installed::Made {
            self.cli.say(&format!("segue: side sessions written beside it: {}", self.sides));
        }
        if let Some(kin) = kin.filter(|_| made == install::Installed::Made) {
            self.cli.say(&format!(
                "segue: an earlier state of the session is there as {kin}; this is a session of its own"
            ));
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

/// Says why a side session is not written, if it is not: something else has its place, or it is missing beside
/// its session, which `is_there`.
fn obstacle(home: &Utf8Path, side: &SideFiles, is_there: bool) -> Option<String> {
    let taken = side.files.iter().find(|(path, text)| install::is_taken(home, path, text));
    if let Some((path, _)) = taken {
        return Some(format!(
            "{path}: something else is there and stays as it is; the side session is not written"
        ));
    }
    let (path, _) = side.files.first().filter(|_| is_there)?;
    let is_missing =
        path.symlink_metadata().is_err_and(|cause| cause.kind() == ErrorKind::NotFound);
    is_missing.then(|| {
        format!("{path}: the side session is not there; it is written only with its session")
    })
}
