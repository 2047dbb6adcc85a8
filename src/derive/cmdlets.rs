//! What commands of PowerShell do to files.

use super::place::known;
use super::{place, powershell};

/// What a command does to a file; paths with forward slashes, from where the line began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Writes it, and whether anew.
    Write(String, bool),
    /// Puts another one there.
    Copy(String),
    /// Takes it away.
    Remove(String),
    /// Moves it: from, to.
    Move(String, String),
}

/// What a command does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Write,
    Append,
    Make,
    Remove,
    Copy,
    Move,
    Rename,
}

/// The commands and their other names, in small letters, with the arguments that name what they are for: the first
/// word without an argument stands for the first of these, the next for the one behind.
const COMMANDS: &[(&[&str], Kind)] = &[
    (&["set-content", "sc"], Kind::Write),
    (&["out-file", "tee-object"], Kind::Write),
    (&["clear-content", "clc"], Kind::Append),
    (&["add-content", "ac"], Kind::Append),
    (&["new-item", "ni"], Kind::Make),
    (&["remove-item", "ri", "rm", "del", "erase"], Kind::Remove),
    (&["copy-item", "cpi", "cp", "copy"], Kind::Copy),
    (&["move-item", "mi", "mv", "move"], Kind::Move),
    (&["rename-item", "rni", "ren"], Kind::Rename),
];
/// Arguments for the file itself, and for where it goes.
const PATHS: &[&str] = &["-filepath", "-literalpath", "-lp", "-path", "-pspath"];
const TARGETS: &[&str] = &["-destination", "-newname"];
/// Arguments without a word behind them.
const SWITCHES: &[&str] = &[
    "-append",
    "-asbytestream",
    "-confirm",
    "-container",
    "-force",
    "-noclobber",
    "-nonewline",
    "-passthru",
    "-recurse",
    "-r",
    "-fo",
    "-verbose",
    "/f",
    "/q",
    "/s",
    "/y",
];
/// Those by which a command makes no file, or only says what it would do.
const NOT: &[&str] = &["-whatif", "-variable", "-stream"];
/// Methods of files, each with what it does.
const METHODS: &[(&str, Kind)] = &[
    ("WriteAll", Kind::Write),
    ("AppendAll", Kind::Append),
    ("Delete", Kind::Remove),
    ("Copy", Kind::Copy),
    ("Move", Kind::Move),
];
/// What stands before them.
const FILE: &str = "IO.File]::";
/// Words of a line behind which nobody knows what ran.
const BLOCKS: &[&str] =
    &["if", "else", "elseif", "for", "foreach", "while", "switch", "function", "catch", "do"];

/// Finds what a line that ended well does to files; nothing for lines of other shells.
pub(super) fn deeds(line: &str) -> Vec<Deed> {
    let mut found = methods(line);
    if !is_one(line) {
        return found;
    }
    let mut folder = Some(String::new());
    for (part, _) in powershell::split(line) {
        let words = words(&part);
        let Some(program) = words.first().map(|word| word.to_ascii_lowercase()) else { continue };
        match program.as_str() {
            "cd" | "sl" | "set-location" | "push-location" | "pushd" => {
                let to = words.iter().skip(1).rfind(|word| !word.starts_with('-'));
                folder = to.and_then(|to| known(&slashed(to), folder.as_deref()));
            }
            "pop-location" | "popd" => folder = None,
            _ => {}
        }
        if BLOCKS.contains(&program.as_str()) {
            return found;
        }
        let kind = COMMANDS.iter().find(|(names, _)| names.contains(&program.as_str()));
        match kind {
            Some((_, kind)) => found.extend(by_command(*kind, &words[1..], folder.as_deref())),
            None => found.extend(redirected(&part, folder.as_deref())),
        }
    }
    found
}

/// Whether a line that ended well took away or moved a file.
pub(super) fn takes_away(line: &str) -> bool {
    deeds(line).iter().any(|deed| matches!(deed, Deed::Remove(_) | Deed::Move(..)))
}

/// Whether a line is one of that shell, or names a file as only it and its kin do.
fn is_one(line: &str) -> bool {
    let is_own = |word: &str| {
        let word = word.to_ascii_lowercase();
        COMMANDS.iter().any(|(names, _)| names.contains(&word.as_str()))
    };
    let parts_folders = || {
        let bytes = line.as_bytes();
        bytes.windows(2).any(|pair| pair[0] == b'\\' && pair[1].is_ascii_alphanumeric())
    };
    powershell::is_one(line)
        || line.split_whitespace().next().is_some_and(is_own) && parts_folders()
}

/// The arguments of a command.
#[derive(Default)]
struct Arguments {
    /// The files that it is for.
    from: Vec<String>,
    /// Where they go, or what they are called then.
    to: Option<String>,
    /// The name of one in a folder.
    name: Option<String>,
    appends: bool,
}

impl Arguments {
    /// Reads them; nothing where the command does nothing to files.
    fn of(words: &[String]) -> Option<Self> {
        let (mut all, mut operands) = (Self::default(), Vec::new());
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let low = word.to_ascii_lowercase();
            let (name, value) = match word.split_once(':').filter(|_| word.starts_with('-')) {
                Some((name, value)) => (low.get(..name.len())?, Some(value.to_owned())),
                None => (low.as_str(), None),
            };
            all.appends |= name == "-append";
            match name {
                _ if NOT.contains(&name) => return None,
                _ if SWITCHES.contains(&name) => {}
                _ if !name.starts_with('-') => operands.push(word.clone()),
                _ => all.take(name, value.or_else(|| rest.next().cloned())?)?,
            }
        }
        let mut operands = operands.into_iter();
        if all.from.is_empty() {
            all.from.extend(operands.next());
        }
        all.to = all.to.or_else(|| operands.next());
        Some(all)
    }

    /// Takes the word behind an argument; nothing where it says that no file is made.
    fn take(&mut self, argument: &str, value: String) -> Option<()> {
        match argument {
            "-itemtype" | "-type" if !value.eq_ignore_ascii_case("file") => return None,
            "-name" => self.name = Some(value),
            _ if PATHS.contains(&argument) => self.from.push(value),
            _ if TARGETS.contains(&argument) => self.to = Some(value),
            _ => {}
        }
        Some(())
    }
}

fn by_command(kind: Kind, words: &[String], folder: Option<&str>) -> Vec<Deed> {
    let Some(Arguments { from, to, name, appends }) = Arguments::of(words) else {
        return Vec::new();
    };
    let named = from.iter().flat_map(|word| word.split(',')).map(str::trim);
    let mut named: Vec<String> = named.map(slashed).collect();
    if let Some(name) = name.filter(|_| kind == Kind::Make) {
        let folder = named.pop().map(|folder| folder + "/").unwrap_or_default();
        named = vec![folder + &name];
    }
    let named = named.iter().filter_map(|path| known(path, folder));
    let anew = kind != Kind::Append && !appends;
    match kind {
        Kind::Write | Kind::Append | Kind::Make => {
            named.map(|path| Deed::Write(path, anew)).collect()
        }
        Kind::Remove => named.map(Deed::Remove).collect(),
        Kind::Copy | Kind::Move | Kind::Rename => {
            let Some(to) = to.map(|to| slashed(&to)) else { return Vec::new() };
            named.filter_map(|from| brought(kind, from, &to, folder)).collect()
        }
    }
}

/// Says what becomes of a file that goes to `to`, or only gets that name.
fn brought(kind: Kind, from: String, to: &str, folder: Option<&str>) -> Option<Deed> {
    let above = from.rsplit_once('/').map(|(above, _)| above.to_owned());
    Some(match kind {
        Kind::Rename => {
            let renamed = above.map_or(to.to_owned(), |above| format!("{above}/{to}"));
            Deed::Move(from, renamed)
        }
        Kind::Move => Deed::Move(from.clone(), into(&from, to, folder)?),
        _ => Deed::Copy(into(&from, to, folder)?),
    })
}

/// Returns where a file is that goes to `to`, which may be a folder.
fn into(from: &str, to: &str, folder: Option<&str>) -> Option<String> {
    let name = place::name(from);
    if to.ends_with('/') { known(&format!("{to}{name}"), folder) } else { known(to, folder) }
}

/// Finds the file into which a command prints a text or a variable.
fn redirected(part: &str, folder: Option<&str>) -> Option<Deed> {
    let start = part.trim_start().to_ascii_lowercase();
    let prints = ["\"", "'", "$", "echo ", "write-output "].iter().any(|it| start.starts_with(it));
    let at = outside_quotes(part).find(|(at, c)| {
        // Before it can stand which output it takes.
        *c == '>'
            && part[..*at]
                .chars()
                .next_back()
                .is_none_or(|c| c.is_whitespace() || c == '"' || c == '\'')
    });
    let (at, _) = at.filter(|_| prints)?;
    let rest = &part[at + 1..];
    let (anew, rest) = rest.strip_prefix('>').map_or((true, rest), |rest| (false, rest));
    let path = words(rest).into_iter().next()?;
    (!path.starts_with('&'))
        .then(|| known(&slashed(&path), folder))
        .flatten()
        .map(|path| Deed::Write(path, anew))
}

/// Finds what the methods of files do that a line calls.
fn methods(line: &str) -> Vec<Deed> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices(FILE) {
        let rest = &line[at + FILE.len()..];
        let kind = METHODS.iter().find(|(name, _)| rest.starts_with(name)).map(|(_, kind)| *kind);
        let (Some(kind), Some((_, arguments))) = (kind, rest.split_once('(')) else { continue };
        let mut paths = arguments.split(',').map(str::trim).map_while(quoted);
        let Some(first) = paths.next() else { continue };
        found.extend(match kind {
            Kind::Remove => Some(Deed::Remove(first)),
            Kind::Copy => paths.next().map(Deed::Copy),
            Kind::Move => paths.next().map(|to| Deed::Move(first, to)),
            kind => Some(Deed::Write(first, kind == Kind::Write)),
        });
    }
    found
}

/// Reads a path in quotes with which an argument begins.
fn quoted(argument: &str) -> Option<String> {
    let quote = argument.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    known(&slashed(argument[1..].split(quote).next()?), Some(""))
}

/// Writes a path with forward slashes, told from the folder at hand.
fn slashed(word: &str) -> String {
    let word = ["$PWD\\", "$pwd\\", "$PWD/"]
        .iter()
        .find_map(|here| word.strip_prefix(here))
        .unwrap_or(word);
    word.replace('\\', "/")
}

/// Returns the words of a command without quotes; no backslash escapes anything there.
fn words(part: &str) -> Vec<String> {
    let (mut words, mut word, mut has_word) = (Vec::new(), String::new(), false);
    let (mut quote, mut escaped) = (None, false);
    for c in part.chars() {
        match (c, quote) {
            _ if escaped => {
                escaped = false;
                word.push(c);
            }
            ('`', None | Some('"')) => escaped = true,
            ('"' | '\'', None) => (quote, has_word) = (Some(c), true),
            (c, Some(open)) if c == open => quote = None,
            (c, None) if c.is_whitespace() => {
                // Files of a list can have blanks behind their commas.
                if (has_word || !word.is_empty()) && !word.ends_with(',') {
                    words.push(std::mem::take(&mut word));
                    has_word = false;
                }
            }
            _ => word.push(c),
        }
    }
    if has_word || !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns the characters of a command outside of quotes with their places.
fn outside_quotes(part: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    part.char_indices().filter(move |(_, c)| {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(*c),
            (c, Some(open)) if *c == open => {
                quote = None;
                return false;
            }
            _ => {}
        }
        quote.is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let told = deeds(line).into_iter().map(|deed| match deed {
            Deed::Write(path, true) => path,
            Deed::Write(path, false) => format!("+{path}"),
            Deed::Copy(path) => format!("={path}"),
            Deed::Remove(path) => format!("-{path}"),
            Deed::Move(from, to) => format!("{from}>{to}"),
        });
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_command_does_to_files_is_told_by_its_arguments() {
        for (line, want) in [
            ("Set-Content -Path src\\a.py -Value 'x y'", "src/a.py"),
            ("(Get-Content src\\a.py) -replace 'a','b' | Set-Content src\\a.py", "src/a.py"),
            ("$c = Get-Content a.py -Raw; Set-Content a.py $c -NoNewline", "a.py"),
            ("\"x\" | Out-File src\\a.py -Encoding utf8", "src/a.py"),
            ("\"x\" | Out-File -Append -FilePath src\\a.py", "+src/a.py"),
            ("Add-Content src\\a.py \"y\"", "+src/a.py"),
            ("New-Item -ItemType File -Path src -Name a.py", "src/a.py"),
            ("New-Item src\\a.py -Value \"x\"", "src/a.py"),
            ("Remove-Item -Recurse -Force src\\a.py, 'b c.py'", "-src/a.py -b c.py"),
            ("del src\\a.py", "-src/a.py"),
            ("Copy-Item src\\a.py -Destination src\\b.py", "=src/b.py"),
            ("Move-Item src\\a.py src\\b.py", "src/a.py>src/b.py"),
            ("Rename-Item src\\a.py b.py", "src/a.py>src/b.py"),
            ("mi src\\a.py old\\; ni b.py", "src/a.py>old/a.py b.py"),
            ("cd web; Remove-Item a.py; cd ..\\api", "-web/a.py"),
            ("@\"\nx\n\"@ > src\\a.py", "src/a.py"),
            ("$env:CI=1; \"x\" >> src\\a.py", "+src/a.py"),
            ("[System.IO.File]::WriteAllText(\"C:\\p\\a.py\", $c)", "C:/p/a.py"),
            ("[IO.File]::AppendAllText('a.py', \"x\")", "+a.py"),
            ("[IO.File]::Move('a.py', 'b.py')", "a.py>b.py"),
            ("[IO.File]::Delete(\"$PWD\\src\\a.py\")", "-src/a.py"),
        ] {
            assert_eq!(told(line), want, "{line}");
        }
    }

    #[test]
    fn what_is_not_known_to_be_done_is_not_told() {
        for line in [
            "Get-Content src\\a.py",
            "Remove-Item $path",
            "Remove-Item src\\*.py -WhatIf",
            "if (Test-Path a.py) { Remove-Item a.py }",
            "New-Item -ItemType Directory src\\new",
            "Get-ChildItem | ForEach-Object { Remove-Item $_ }",
            "npm test 2>&1 | Select-Object -Last 3",
            "rm a.py; cp a.py b.py",
            "grep -r 'a\\b' src",
            "[IO.File]::ReadAllText('a.py')",
        ] {
            assert_eq!(told(line), "", "{line}");
        }
    }
}
