//! The guard over facts: what is redacted, and what is only pointed at.

use std::collections::{BTreeMap, BTreeSet};

use clap::builder::PossibleValuesParser;

use super::Cli;
use crate::derive::{Facts, TextOf, Voice};
use crate::guard::{self, Finding, Redacted, Redactor, Threat};
use crate::select::Pack;

// What the guard lets through.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct GuardArgs {
    /// Leave keys, tokens and passwords in
    #[arg(long)]
    pub(super) no_redact: bool,

    /// Let through what looks like this kind of hidden instruction
    #[arg(long, value_name = "RULE", value_parser = PossibleValuesParser::new(guard::rules()))]
    #[arg(hide_possible_values = true)]
    allow: Vec<String>,

    #[arg(skip)]
    pub(super) only_looks: bool,
}

impl GuardArgs {
    /// Marks what may be a hidden instruction and leaves the rest to a later guard.
    pub(super) fn only_looking() -> Self {
        Self { only_looks: true, ..Self::default() }
    }

    pub(super) fn allows(&self, rule: &str) -> bool {
        self.allow.iter().any(|allowed| allowed == rule)
    }

    /// Returns what takes secrets out, unless they are to stay in.
    pub(super) fn redactor(&self) -> Option<Redactor> {
        (!self.no_redact).then(Redactor::default)
    }
}

/// What the guard did to facts, and whom it names.
pub(super) struct Guarded {
    redactor: Option<Redactor>,
    findings: Vec<Finding>,
}

/// Takes the secrets out of `facts`, and leaves of what looks like a hidden instruction its id.
///
/// The user's own words are redacted too, but stay: they are what the work is about. Ids are those
/// of the whole content.
pub(super) fn guard(facts: &mut Facts, args: &GuardArgs) -> Guarded {
    let mut redactor = args.redactor();
    let findings = guard_with(facts, args, &mut redactor);
    Guarded { redactor, findings }
}

/// The same with a redactor that may know secrets already.
pub(super) fn guard_with(
    facts: &mut Facts,
    args: &GuardArgs,
    redactor: &mut Option<Redactor>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The rule by which a thing is withheld.
    let mut withheld: BTreeMap<usize, &'static str> = BTreeMap::new();
    facts.texts_mut(&mut |of, text| {
        for threat in threats(of, text) {
            let finding = Finding { id: of.id.to_owned(), threat };
            if threat.severity.withholds() && !args.allows(threat.rule) {
                withheld.entry(of.thing).or_insert(threat.rule);
            }
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
        if let Some(redactor) = redactor {
            redactor.string(text);
        }
    });
    if !withheld.is_empty() {
        facts.texts_mut(&mut |of, text| {
            if let Some(rule) = withheld.get(&of.thing) {
                *text = if of.first { pointer(of.id, rule) } else { String::new() };
            }
        });
    }
    findings
}

/// Returns what a text may be meant for, unless the user wrote it.
fn threats(of: TextOf<'_>, text: &str) -> Vec<Threat> {
    if of.voice == Voice::User { Vec::new() } else { guard::threats(text) }
}

fn pointer(id: &str, rule: &str) -> String {
    match id {
        "" => format!("[withheld: looks like {rule}]"),
        id => format!("[withheld: looks like {rule}; `segue show {id}` has it]"),
    }
}

impl Guarded {
    /// Puts into a pack what was found in the facts, and how often a tag stands in it.
    pub(super) fn tell(&self, mut pack: Pack) -> Pack {
        if let Some(redactor) = self.redactor.as_ref().filter(|redactor| !redactor.is_idle()) {
            let text = serde_json::to_string(&pack).unwrap_or_default();
            pack.redacted = redactor.counts_in(&text);
        }
        pack.findings.clone_from(&self.findings);
        pack
    }
}

/// Says what was redacted and withheld.
pub(super) fn say(pack: &Pack, cli: &Cli) {
    if let Some(line) = redacted(&pack.redacted) {
        cli.say(&format!("{line}; `--no-redact` leaves them in"));
    }
    let grave = pack.findings.iter().filter(|finding| finding.threat.severity.withholds());
    let (ids, rules): (BTreeSet<_>, BTreeSet<_>) =
        grave.map(|finding| (finding.id.as_str(), finding.threat.rule)).unzip();
    if !ids.is_empty() {
        let rules: Vec<_> = rules.into_iter().collect();
        cli.say(&format!(
            "segue: {} that may hide instructions ({}): only pointed at, unless `--allow RULE`",
            counted(ids.len(), "item", "items"),
            rules.join(", "),
        ));
    }
}

/// Returns one line on what was redacted, if anything was.
pub(super) fn redacted(counts: &[Redacted]) -> Option<String> {
    let total: usize = counts.iter().map(|one| one.count).sum();
    let kinds: Vec<_> = counts.iter().map(|one| format!("{} {}", one.rule, one.count)).collect();
    let places = counted(total, "secret", "secrets");
    (total > 0).then(|| format!("segue: redacted {places} ({})", kinds.join(", ")))
}

pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
