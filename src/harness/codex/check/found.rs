//! What was found, so many of a kind and no more.

use std::collections::BTreeMap;

use crate::harness::{Finding, Severity};

/// How many findings of one rule are listed; the others are counted.
const LISTED: u64 = 20;

/// Collects findings.
#[derive(Default)]
pub(super) struct Found {
    list: Vec<Finding>,
    counts: BTreeMap<&'static str, (Severity, u64)>,
}

impl Found {
    pub(super) fn add(&mut self, severity: Severity, line: u64, rule: &'static str, what: &str) {
        let (_, count) = self.counts.entry(rule).or_insert((severity, 0));
        *count += 1;
        if *count <= LISTED {
            let message = what.to_owned();
            self.list.push(Finding { severity, line, rule, message, hint: None });
        }
    }

    /// Says what to do about what was found last.
    pub(super) fn hint(&mut self, hint: &str) {
        if let Some(last) = self.list.last_mut() {
            last.hint = Some(hint.to_owned());
        }
    }

    /// Returns them in the order of the file.
    pub(super) fn list(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|finding| finding.line);
        for (rule, (severity, count)) in self.counts {
            if let Some(more) = count.checked_sub(LISTED).filter(|more| *more > 0) {
                let message = format!("{more} more of these");
                self.list.push(Finding { severity, line: 0, rule, message, hint: None });
            }
        }
        self.list
    }
}

/// Returns the beginning of a name, fit for one line.
pub(super) fn short(name: &str) -> String {
    name.chars().filter(|sign| !sign.is_control()).take(60).collect()
}
