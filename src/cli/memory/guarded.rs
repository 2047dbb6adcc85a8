//! The guard over memories: secrets out, hidden instructions held back.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;

pub(super) use super::super::guarded::GuardArgs;
use super::super::{Cli, guarded as shared};
use crate::guard::{self, Redacted, Redactor, marks};
use crate::harness::{Finding, Severity};
use crate::model::{Memory, MemoryFlags, slug};

/// The rule of a finding that tells characters by their code points.
const UNSEEN: &str = "hidden_mark";

/// What a record is held back for that does not say for what.
const UNNAMED: &str = "unnamed";

/// What the guard did to memories.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    redacted: Vec<Redacted>,
    /// Characters that nobody sees and that were taken out, by code point.
    invisible: BTreeMap<String, usize>,
    /// How many are held back, and for which rules.
    quarantined: usize,
    rules: BTreeSet<String>,
    warned: BTreeMap<String, usize>,
}

/// Takes the secrets and what nobody sees out of `memories`, and marks those that look like hidden
/// instructions.
///
/// Ids are those of the whole content; the digest of the content is that of what is carried.
pub(super) fn guard(memories: &mut [Memory], args: &GuardArgs) -> Done {
    let mut redactor = Redactor::default();
    let mut done = Done::default();
    // Where tags stand: a record says some of its text twice.
    let mut said = String::new();
    for memory in memories {
        look(memory, args, &mut done);
        if args.only_looks {
            continue;
        }
        let mut is_changed = shed(memory, &mut done);
        if !args.no_redact && redact(memory, &mut redactor) {
            let once = once(memory);
            let found: usize = redactor.counts_in(&once).iter().map(|one| one.count).sum();
            memory.flags.redactions += found.max(1);
            said += &once;
            is_changed = true;
        }
        if is_changed {
            let (id, finished) = (memory.id.clone(), memory.clone().finished());
            *memory = Memory { id, ..finished };
        }
    }
    done.redacted = redactor.counts_in(&said);
    done
}

/// Takes the secrets out of a memory; tells whether there were any.
fn redact(memory: &mut Memory, redactor: &mut Redactor) -> bool {
    let is_named = memory.name == slug(&memory.title) || redactor.text(&memory.name) != memory.name;
    let before = whole(memory);
    let cut = [&memory.title, &memory.summary].map(|text| cut_word(text).to_owned());
    let mut is_changed = false;
    for text in memory.texts_mut() {
        if let Cow::Owned(redacted) = redactor.text(text) {
            *text = redacted;
            is_changed = true;
        }
    }
    if !is_changed {
        return false;
    }
    let after = whole(memory);
    for (text, word) in [&mut memory.title, &mut memory.summary].into_iter().zip(cut) {
        let was_secret = !word.is_empty() && before.contains(&word) && !after.contains(&word);
        if let Some(head) = text.strip_suffix(&format!("{word}…")).filter(|_| was_secret) {
            *text = format!("{head}…");
        }
    }
    // The name is made of the title again.
    if is_named {
        memory.name.clear();
    }
    true
}

/// Returns the texts of which title and summary are the beginning.
fn whole(memory: &Memory) -> String {
    let verbatim = memory.verbatim.as_deref().unwrap_or_default();
    format!("{}\n{verbatim}", memory.body_md)
}

/// Returns the last word of a text that was cut, which may be a part of one.
fn cut_word(text: &str) -> &str {
    let left = text.strip_suffix('…').unwrap_or_default();
    left.rsplit(char::is_whitespace).next().unwrap_or_default()
}

/// Takes what nobody sees and nothing needs out of a memory; tells whether there was any.
fn shed(memory: &mut Memory, done: &mut Done) -> bool {
    let whole = memory.verbatim.as_deref().unwrap_or_default();
    let mut gone = marks::shed(whole).1;
    // What stands in the whole text stands in its parts too.
    for (c, count) in marks::shed(&once(memory)).1 {
        let most = gone.entry(c).or_default();
        *most = count.max(*most);
    }
    for text in memory.texts_mut() {
        if let Cow::Owned(left) = marks::shed(text).0 {
            *text = left;
        }
    }
    for (c, count) in &gone {
        let name = format!("U+{:04X}", u32::from(*c));
        *done.invisible.entry(name.clone()).or_default() += count;
        *memory.flags.invisible.entry(name).or_default() += count;
    }
    !gone.is_empty()
}

/// Returns what a memory says, each text once: title and summary often stand in the body.
fn once(memory: &Memory) -> String {
    let beside = [&memory.title, &memory.summary].into_iter();
    let beside = beside.filter(|text| !memory.body_md.contains(text.trim_end_matches('…')));
    beside.chain([&memory.body_md]).map(|text| format!("{text}\n")).collect()
}

/// Takes the secrets and what nobody sees out of whole files, and leaves out the lines that look like
/// hidden instructions; a file that still does goes whole.
pub(super) fn files(
    mut files: BTreeMap<Utf8PathBuf, String>,
    args: &GuardArgs,
    cli: &Cli,
) -> BTreeMap<Utf8PathBuf, String> {
    let mut redactor = Redactor::default();
    files.retain(|path, text| {
        let rules = withholding(text, args);
        if rules.is_empty() {
            return true;
        }
        let lines = text.split_inclusive('\n');
        let left: String = lines.filter(|line| withholding(line, args).is_empty()).collect();
        let stays = withholding(&left, args).is_empty();
        let what = if stays { "lines of" } else { "the whole of" };
        let name = crate::emit::one_line(path.as_str());
        let rules = rules.join(", ");
        if cli.verbose {
            cli.say(&format!("note: {what} {name} may hide instructions ({rules}): left out"));
        }
        *text = left;
        stays
    });
    for text in files.values_mut() {
        if let Cow::Owned(left) = marks::shed(text).0 {
            *text = left;
        }
        if !args.no_redact {
            redactor.string(text);
        }
    }
    files
}

/// Returns the rules for which a text is held back.
fn withholding(text: &str, args: &GuardArgs) -> Vec<&'static str> {
    let threats = guard::threats_in_memory(text).into_iter();
    let grave = threats.filter(|one| one.severity.withholds() && !args.allows(one.rule));
    grave.map(|one| one.rule).collect()
}

/// Returns the rules that a record is marked with, and those for which it is held back.
///
/// They stay with it: what a rule saw may have been taken out of its text when it was written.
fn marked(flags: &MemoryFlags, args: &GuardArgs) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut rules: BTreeSet<String> = flags.threats.iter().cloned().collect();
    if !flags.quarantined {
        return (rules, BTreeSet::new());
    }
    if rules.is_empty() {
        rules.insert(UNNAMED.to_owned());
    }
    let is_grave = |rule: &&String| !guard::only_warns_in_memory(rule);
    let mut grave: BTreeSet<String> = rules.iter().filter(is_grave).cloned().collect();
    if grave.is_empty() {
        grave.clone_from(&rules);
    }
    grave.retain(|rule| !args.allows(rule));
    (rules, grave)
}

/// Marks a memory with what it looks like.
fn look(memory: &mut Memory, args: &GuardArgs, done: &mut Done) {
    let (mut rules, mut grave) = marked(&memory.flags, args);
    for text in memory.texts_mut() {
        for threat in guard::threats_in_memory(text) {
            if threat.severity.withholds() && !args.allows(threat.rule) {
                grave.insert(threat.rule.to_owned());
            }
            rules.insert(threat.rule.to_owned());
        }
    }
    memory.flags.quarantined = !grave.is_empty();
    if memory.flags.quarantined {
        done.quarantined += 1;
        done.rules.extend(grave);
    } else {
        rules.iter().for_each(|rule| *done.warned.entry(rule.clone()).or_default() += 1);
    }
    memory.flags.threats = rules.into_iter().collect();
}

/// Says what was redacted and held back.
pub(super) fn say(done: &Done, cli: &Cli) {
    if let Some(line) = shared::redacted(&done.redacted) {
        cli.say(&format!("{line}; `--no-redact` leaves them in"));
    }
    if !done.invisible.is_empty() {
        let points = points(&done.invisible);
        cli.say(&format!("segue: taken out what nobody sees ({points})"));
    }
    if done.quarantined > 0 {
        let rules: Vec<_> = done.rules.iter().map(String::as_str).collect();
        let count = done.quarantined;
        let noun = if count == 1 { "memory" } else { "memories" };
        cli.say(&format!(
            "segue: {count} {noun} held back that may hide instructions ({}); `--allow RULE` carries them",
            rules.join(", ")
        ));
    }
    if cli.verbose {
        for (rule, count) in &done.warned {
            cli.say(&format!("note: looks a little like {rule}: {count}"));
        }
    }
}

/// Returns what the guard found in what was read, as findings of a check.
pub(super) fn findings(held: &super::place::Held) -> impl Iterator<Item = (String, Finding)> {
    let memories = held.memories.iter();
    memories.flat_map(|memory| {
        let line = memory.source.first_line.unwrap_or(0) as u64;
        let found =
            move |severity, rule, message| Finding { severity, line, rule, message, hint: None };
        let secrets = (memory.flags.redactions > 0).then(|| {
            let secrets = shared::counted(memory.flags.redactions, "secret", "secrets");
            let message = format!("`{}` has {secrets} in it", memory.title);
            found(Severity::Warning, "secret", message)
        });
        let unseen = (!memory.flags.invisible.is_empty()).then(|| {
            let points = points(&memory.flags.invisible);
            let message = format!("`{}` has characters that nobody sees: {points}", memory.title);
            found(Severity::Warning, "invisible_character", message)
        });
        let grave = if memory.flags.quarantined { Severity::Warning } else { Severity::Info };
        let rules = memory.flags.threats.iter().filter(|rule| *rule != UNSEEN);
        let threats = rules.map(move |rule| {
            found(grave, "hidden_instruction", format!("`{}` looks like {rule}", memory.title))
        });
        let all = secrets.into_iter().chain(unseen).chain(threats);
        all.map(|finding| (memory.source.path.clone(), finding))
    })
}

/// How many code points are named; words that are spelled unseen have many.
const POINTS: usize = 8;

/// Returns code points, and how often each stands there.
fn points(invisible: &BTreeMap<String, usize>) -> String {
    let named = invisible.iter().take(POINTS);
    let named: Vec<_> = named.map(|(point, count)| format!("{point} {count}")).collect();
    let more = match invisible.len().saturating_sub(POINTS) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    named.join(", ") + &more
}
