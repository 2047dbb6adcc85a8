//! Where a command runs, and which variables are set for it.

use std::collections::{BTreeMap, BTreeSet};

use super::options;
use crate::derive::place::{below, is_whole, known, one_form, without_ways_up};
use crate::derive::shell;
use crate::derive::sure::in_quotes;
use crate::derive::timeline::Done;
use crate::model::Action;

/// Where a command runs, and which variables are set for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Around {
    /// The session's own folder.
    home: String,
    /// The folder, from that of the session; nothing where nobody knows it.
    folder: Option<String>,
    /// The variables by which it may do something else.
    variables: BTreeMap<String, String>,
    /// Those that only say where it keeps or finds something, and are told.
    places: BTreeMap<String, String>,
    /// What else stands before it and may make it end otherwise: the names of variables that only say how it finds
    /// what it needs, and what has it run with other rights or for as long.
    how: BTreeMap<String, String>,
}

/// Variables that say how a program finds what it needs or how it tells what it does.
const HOW: &[&str] = &[
    "CARGO_INCREMENTAL",
    "CI",
    "COLUMNS",
    "DEBUG",
    "FORCE_COLOR",
    "HOME",
    "LANG",
    "NO_COLOR",
    "PATH",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPATH",
    "PYTHONUNBUFFERED",
    "TERM",
    "TMP",
    "TMPDIR",
    "V",
    "VERBOSE",
];
/// How the names of others begin or end.
const HOW_STARTS: &[&str] = &["GIT_", "LC_", "XDG_"];
const HOW_ENDS: &[&str] =
    &["_BACKTRACE", "_CACHE", "_COLOR", "_DIR", "_HOME", "_LOG", "_THREADS", "_TOKEN", "_VERBOSE"];
/// Variables with which a program does something else, not more, and words of those by which it leaves out
/// something.
const OTHERWISE: &[&str] = &["CARGO_BUILD_TARGET", "GOARCH", "GOOS"];
const LESS: &[&str] = &["ONLY", "SKIP"];

/// Variables without which a program asks less, or runs something else, and words in the names of such.
const CHOOSING: &[&str] =
    &["CFLAGS", "CXXFLAGS", "PYTHONHASHSEED", "RUSTDOCFLAGS", "RUSTFLAGS", "TOXENV", "TZ"];
const CHOOSING_WORDS: &[&str] = &[
    "ALL",
    "BACKEND",
    "BROWSER",
    "DATABASE",
    "DB",
    "DSN",
    "E2E",
    "EXTRA",
    "FEATURE",
    "FEATURES",
    "FULL",
    "INTEGRATION",
    "LIVE",
    "SEED",
    "SLOW",
    "STRICT",
    "TARGET",
    "URL",
];

/// Words in the names of variables that say to what a command does something.
const ADDRESSING: &[&str] = &[
    "CLUSTER",
    "CONTEXT",
    "ENV",
    "HOST",
    "KUBECONFIG",
    "NAMESPACE",
    "PROFILE",
    "PROJECT",
    "REGION",
    "REPO",
    "WORKSPACE",
];

/// How many bytes the value of a variable has at most that is told.
const VALUE_BYTES: usize = 40;

/// What stands in the names of variables that are secrets.
const SECRET: &[&str] = &[
    "AUTH", "BASIC", "BEARER", "COOKIE", "CRED", "DSN", "HOOK", "JWT", "KEY", "OTP", "PASS", "PAT",
    "PIN", "PRIVATE", "PSK", "PW", "SALT", "SECRET", "SESSION", "SIGN", "TOKEN",
];

/// Whether a value is short, means what it is whatever shell reads it, and is no secret by its name.
fn is_told(name: &str, value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:+,@%".contains(c);
    let is_short = (1..=VALUE_BYTES).contains(&value.len());
    let is_secret = SECRET.iter().any(|part| name.to_ascii_uppercase().contains(part));
    is_short && value.chars().all(is_plain) && !value.contains('@') && !is_secret
}

fn has_word(name: &str, words: &[&str]) -> bool {
    name.split('_').any(|word| words.contains(&word))
}

/// Whether a program may do something else without a variable.
fn chooses(name: &str) -> bool {
    CHOOSING.contains(&name) || OTHERWISE.contains(&name) || has_word(name, CHOOSING_WORDS)
}

/// Whether a variable says where a program keeps or finds something, without which it may not work, and its value
/// is a path that can be told.
fn is_place(name: &str, value: &str) -> bool {
    let says_where = matches!(name, "HOME" | "PYTHONPATH" | "TMP" | "TMPDIR")
        || name.starts_with("XDG_")
        || ["_CACHE", "_DIR", "_HOME"].iter().any(|end| name.ends_with(end));
    let plain = value.strip_prefix(['~', '$']).unwrap_or(value);
    // A word by itself may be a secret, and so may one behind a sign.
    let mut folders = value.split('/');
    let is_sign = |first: &str| matches!(first, "" | "~") || first.starts_with('.');
    let is_variable = |first: &str| {
        let name = first.strip_prefix('$').unwrap_or_default();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    let begins = folders.next().is_some_and(|first| {
        let is_word = || first.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        is_sign(first) || is_variable(first) || name == "PYTHONPATH" && is_word()
    });
    let is_path = begins && folders.all(|folder| !folder.is_empty());
    let name = if name == "PYTHONPATH" { "" } else { name };
    says_where && is_path && is_told(name, plain) && !value.contains(':')
}

/// Whether a variable changes nothing of what a program looks at.
pub(super) fn is_how(name: &str) -> bool {
    HOW.contains(&name)
        || HOW_STARTS.iter().any(|start| name.starts_with(start))
        || HOW_ENDS.iter().any(|end| name.ends_with(end))
}

impl Around {
    /// Returns what stands around each command on the line of a call.
    fn each(done: &Done<'_>) -> Vec<Self> {
        let Some(Action::Shell { command: line, .. }) = done.call.action.as_deref() else {
            return Vec::new();
        };
        let mut folder = begins_in(done);
        let mut left = Vec::new();
        let mut exported = BTreeMap::new();
        let of_part = |(raw, _): (String, String)| {
            let text = raw.trim();
            let opens = text.bytes().take_while(|byte| *byte == b'(').count();
            left.extend((0..opens).map(|_| folder.clone()));
            let text = text.trim_start_matches(['(', '{', ' ']);
            let mut variables: BTreeMap<String, String> = exported.clone();
            variables.extend(set_for(text));
            let mut places = variables.clone();
            places.retain(|name, value| is_place(name, value));
            let mut how = variables.clone();
            how.retain(|name, _| is_how(name));
            how.extend(wrapped(text));
            variables.retain(|name, _| !is_how(name));
            let around =
                Self { home: String::new(), folder: folder.clone(), variables, places, how };
            match text.strip_prefix("export ") {
                Some(set) => exported.extend(set_for(set)),
                None => folder = gone_to(text, folder.take()),
            }
            let closes = (opens + count(&raw, ')')).saturating_sub(count(&raw, '('));
            for _ in 0..closes.min(left.len()) {
                folder = left.pop().flatten();
            }
            around
        };
        let home = one_form(done.cwd);
        let told = |around: Self| Self {
            folder: around.folder.map(|folder| from_home(&one_form(&folder), &home)),
            home: home.clone(),
            ..around
        };
        shell::raw(line).into_iter().map(of_part).map(told).collect()
    }

    /// Returns the same of the last `count` commands: the line as it was given may go to the session's folder first,
    /// which is not told.
    pub(in super::super) fn of_last(done: &Done<'_>, count: usize) -> Vec<Self> {
        let mut around = Self::each(done);
        around.drain(..around.len().saturating_sub(count));
        let missing = count - around.len();
        around.splice(0..0, (0..missing).map(|_| Self::default()));
        around
    }

    /// Whether a command runs where `first` does, with all variables that are set for that. `inside` are the
    /// folders that options of both name.
    pub(super) fn holds(&self, first: &Self, inside: (&str, &str)) -> bool {
        let is_there = match (&self.folder, &first.folder) {
            (here, there) if here == there && inside.0 == inside.1 => true,
            (Some(here), Some(there)) => joined(here, inside.0) == joined(there, inside.1),
            _ => inside.0 == inside.1,
        };
        is_there && self.sets_all(first)
    }

    /// Whether a command runs in a folder above that in which `first` does, with all variables that are set for
    /// that.
    pub(super) fn is_above(&self, first: &Self, inside: (&str, &str)) -> bool {
        let (Some(here), Some(there)) = (&self.folder, &first.folder) else { return false };
        let (here, there) = (joined(here, inside.0), joined(there, inside.1));
        let is_below = match here.as_str() {
            "" => !there.is_empty() && !is_whole(&there) && !there.starts_with(".."),
            here => there.strip_prefix(here).is_some_and(|rest| rest.starts_with('/')),
        };
        is_below && self.sets_all(first)
    }

    /// Returns the folder in which an option has it run, from that of the session; nothing where nobody knows it.
    pub(super) fn inside(&self, inside: &str) -> Option<String> {
        self.folder.as_deref().map(|folder| joined(folder, inside))
    }

    /// Returns the same in another folder.
    pub(super) fn at(&self, folder: String) -> Self {
        Self { folder: Some(folder), ..self.clone() }
    }

    /// Returns what a command there names, from the session's folder.
    pub(super) fn seen_from_top(&self, folder: &str, name: &str) -> String {
        match below(name, &self.home).filter(|_| is_whole(name)) {
            Some(name) => name.to_owned(),
            None => joined(folder, name),
        }
    }

    /// Whether all variables are set that are for `first`, and none by which it does something else.
    fn sets_all(&self, first: &Self) -> bool {
        let is_set = |(name, value): (&String, &String)| match self.variables.get(name) {
            Some(set) => set == value || options::only_narrows("", name),
            None => !chooses(name),
        };
        let is_alike = |name: &String| {
            let changes = OTHERWISE.contains(&name.as_str()) || has_word(name, LESS);
            !changes || first.variables.contains_key(name)
        };
        first.variables.iter().all(is_set) && self.variables.keys().all(is_alike)
    }

    /// Tells the variables without which a command is another one as they stand before it, with a blank behind
    /// each, where they are short and mean what they are. What others are set to can be anything, also a secret.
    pub(in super::super) fn set(&self) -> String {
        self.set_by(|name| chooses(name) || has_word(name, LESS))
    }

    /// Tells the same of a command that is no check: the variables that say to what it does something.
    pub(in super::super) fn set_for_act(&self) -> String {
        self.set_by(|name| has_word(name, ADDRESSING))
    }

    fn set_by(&self, is_meant: impl Fn(&str) -> bool) -> String {
        let told = |(name, value): &(&String, &String)| is_meant(name) && is_told(name, value);
        let set = self.variables.iter().filter(told);
        set.map(|(name, value)| format!("{name}={value} ")).collect()
    }

    /// Tells the variables that are set otherwise than for `first`, as they stand before the command; of one of which
    /// it is not known what it means, or whose value may be a secret, the name alone.
    pub(in super::super) fn set_beside(&self, first: &Self) -> String {
        let is_new =
            |(name, value): &(&String, &String)| first.variables.get(*name) != Some(*value);
        let told = |(name, value): (&String, &String)| {
            let is_known = chooses(name) || has_word(name, LESS) || has_word(name, ADDRESSING);
            format!("{name}={} ", if is_known && is_told(name, value) { value } else { "…" })
        };
        self.variables.iter().filter(is_new).map(told).collect()
    }

    /// Tells what stands before it and not before `first` that may make it end otherwise, though it looks at the same;
    /// of variables the names alone, but for those of `told`.
    pub(in super::super) fn how_beside(&self, first: &Self, told: &[String]) -> String {
        let is_new = |(name, value): &(&String, &String)| {
            first.how.get(*name) != Some(*value) && !told.contains(name)
        };
        let word = |(name, value): (&String, &String)| match name.starts_with(WRAPS) {
            true => format!("{value} "),
            false => format!("{name}=… "),
        };
        self.how.iter().filter(is_new).map(word).collect()
    }

    /// Tells what stands before `first` and no more before it.
    pub(in super::super) fn left_out(&self, first: &Self) -> String {
        let all = |of: &Self| -> BTreeMap<String, String> {
            of.variables.iter().chain(&of.how).map(|(k, v)| (k.clone(), v.clone())).collect()
        };
        let mine = all(self);
        let gone = all(first).into_iter().filter(|(name, _)| !mine.contains_key(name));
        let word = |(name, value): (String, String)| match name.starts_with(WRAPS) {
            true => format!("`{value}`"),
            false => format!("`{name}=…`"),
        };
        gone.map(word).collect::<Vec<_>>().join(", ")
    }

    /// Whether some are set that say where it keeps or finds something.
    pub(in super::super) fn has_places(&self) -> bool {
        !self.places.is_empty()
    }

    /// Returns the names of those that say where it keeps or finds something and are not set for `first`, if all else
    /// that is set for it is.
    pub(in super::super) fn places_beside(&self, first: &Self) -> Vec<String> {
        let is_new = |name: &&String| !first.places.contains_key(*name);
        let new = self.places.keys().filter(is_new).filter(|_| self.variables == first.variables);
        new.cloned().collect()
    }

    /// Tells those of some names that say where it keeps or finds something, as they stand before the command.
    pub(in super::super) fn places(&self, names: &BTreeSet<String>) -> String {
        let meant = self.places.iter().filter(|(name, _)| names.contains(*name));
        meant.map(|(name, value)| format!("{name}={value} ")).collect()
    }

    /// Returns the folder, from that of the session; nothing where nobody knows it.
    pub(in super::super) fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// Tells it in a word, where that says more than that it is the session's folder.
    pub(in super::super) fn told(&self) -> String {
        let set = self.variables.iter().map(|(name, value)| format!("{name}={value}"));
        let folder = self.folder.iter().filter(|folder| !folder.is_empty()).cloned();
        folder.chain(set).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the folder in which a call begins; nothing where nobody knows it.
fn begins_in(done: &Done<'_>) -> Option<String> {
    match done.call.action.as_deref() {
        Some(Action::Shell { cwd: Some(cwd), .. }) => {
            Some(from_home(&one_form(cwd), &one_form(done.cwd)))
        }
        _ => done.is_home.then(String::new),
    }
}

/// Returns a folder as it is told from that of the session.
fn from_home(folder: &str, home: &str) -> String {
    match folder == home || folder == "." {
        true => String::new(),
        false => below(folder, home).unwrap_or(folder).to_owned(),
    }
}

/// Returns the folder in which the shell is after a command that began in `folder`.
fn gone_to(text: &str, folder: Option<String>) -> Option<String> {
    let mut words = text.split_whitespace();
    let goes = words.next().is_some_and(|word| matches!(word, "cd" | "pushd" | "popd"));
    let to = in_quotes(text).or(words.next()).filter(|_| goes);
    let to = to.map(|to| to.trim_end_matches('/'));
    match (to, folder) {
        (_, folder) if !goes => folder,
        (Some("." | ""), folder) => folder,
        (Some(".."), Some(folder)) => {
            let is_known = !folder.is_empty() && !folder.ends_with("..");
            is_known.then(|| folder.rsplit_once('/').map_or("", |(above, _)| above).to_owned())
        }
        (Some(to), folder) if !to.starts_with('-') => known(to, folder.as_deref()),
        _ => None,
    }
}

/// Returns the variables that stand before a command.
fn set_for(text: &str) -> Vec<(String, String)> {
    if !text.contains('=') {
        return Vec::new();
    }
    let words =
        shlex::split(text).unwrap_or_else(|| text.split_whitespace().map(str::to_owned).collect());
    let words = words.into_iter().skip_while(|word| matches!(word.as_str(), "env" | "time"));
    let set = words.take_while(|word| shell::is_assignment(word));
    let pair = |word: String| {
        let (name, value) = word.split_once('=')?;
        Some((name.to_owned(), value.to_owned()))
    };
    set.filter_map(pair).collect()
}

/// How the names begin under which it is kept what a command is wrapped in; no variable has such a one.
const WRAPS: char = ' ';

/// Returns what a command is wrapped in by which it has other rights, or ends after some time.
fn wrapped(text: &str) -> Vec<(String, String)> {
    let mut words =
        text.split_whitespace().skip_while(|word| shell::is_assignment(word)).peekable();
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        let told = match (word, words.peek()) {
            ("sudo", _) => word.to_owned(),
            ("timeout", Some(limit)) => format!("{word} {limit}"),
            ("time" | "env" | "nohup" | "exec" | "command" | "!" | "(" | "{", _) => continue,
            _ if shell::is_assignment(word) => continue,
            _ => break,
        };
        if word == "timeout" {
            words.next();
        }
        found.push((format!("{WRAPS}{word}"), told));
    }
    found
}

fn count(raw: &str, wanted: char) -> usize {
    shell::unquoted(raw).filter(|(_, c)| *c == wanted).count()
}

fn joined(folder: &str, inside: &str) -> String {
    match (folder, inside) {
        (folder, "") => folder.to_owned(),
        (_, inside) if is_whole(inside) => inside.to_owned(),
        ("", inside) => without_ways_up(inside),
        (folder, inside) => without_ways_up(&format!("{folder}/{inside}")),
    }
}
