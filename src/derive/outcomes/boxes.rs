//! What runs in a box: a container, another machine or another shell, which a command line hands what
//! to run.

use std::cell::RefCell;
use std::rc::Rc;

use super::recognise::Ended;
use super::{codes, sounds};
use crate::derive::{place, shell};

/// Programs that reach into containers.
pub(in crate::derive) const CONTAINERS: &[&str] =
    &["docker", "docker-compose", "kubectl", "nerdctl", "oc", "podman", "podman-compose"];
/// Programs that run what they are given on another machine.
pub(in crate::derive) const MACHINES: &[&str] = &["ssh", "vagrant"];

/// Where a command line stands for a box in the words that open it.
enum Given {
    /// Behind as many words, such as the name of the box.
    Behind(usize),
    /// Behind `--`.
    Marked,
    /// As the value of one of these options.
    Value(&'static [&'static str]),
}

/// A program that opens a box.
struct Opener {
    /// The program, and the words behind it that say that something is to run.
    words: &'static [&'static str],
    /// Options in front of the box that have a value of their own.
    valued: &'static [&'static str],
    given: Given,
    /// The exit code by which it says that nothing ran.
    unopened: Option<i64>,
}

const fn row(
    words: &'static [&'static str],
    valued: &'static [&'static str],
    given: Given,
    unopened: Option<i64>,
) -> Opener {
    Opener { words, valued, given, unopened }
}

const SSH: &[&str] = &[
    "-B", "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-O", "-o", "-p",
    "-Q", "-R", "-S", "-W", "-w",
];
const EXEC: &[&str] = &["-e", "--env", "--env-file", "-u", "--user", "-w", "--workdir"];
const RUN: &[&str] = &[
    "-e",
    "--add-host",
    "--cap-add",
    "--cpus",
    "--entrypoint",
    "--env",
    "--env-file",
    "--gpus",
    "-h",
    "--hostname",
    "-l",
    "--label",
    "--link",
    "-m",
    "--memory",
    "--mount",
    "--name",
    "--net",
    "--network",
    "-p",
    "--platform",
    "--publish",
    "--pull",
    "--security-opt",
    "--shm-size",
    "--tmpfs",
    "-u",
    "--ulimit",
    "--user",
    "--userns",
    "-v",
    "--volume",
    "-w",
    "--workdir",
];
const COMPOSE: &[&str] = &[
    "-e",
    "--entrypoint",
    "--env",
    "--env-file",
    "-f",
    "--file",
    "--index",
    "-l",
    "--label",
    "--name",
    "-p",
    "--profile",
    "--project-directory",
    "--project-name",
    "--publish",
    "-u",
    "--user",
    "-v",
    "--volume",
    "-w",
    "--workdir",
];
const SHELL: Given =
    Given::Value(&["-c", "-ce", "-cx", "-ec", "-lc", "-lic", "-ilc", "-euc", "-exc", "-xc"]);
/// What a program for containers says where it could not run anything.
const DAEMON: Option<i64> = Some(125);

const OPENERS: &[Opener] = &[
    row(&["ssh"], SSH, Given::Behind(1), Some(255)),
    row(&["docker", "exec"], EXEC, Given::Behind(1), DAEMON),
    row(&["docker", "container", "exec"], EXEC, Given::Behind(1), DAEMON),
    row(&["docker", "run"], RUN, Given::Behind(1), DAEMON),
    row(&["docker", "container", "run"], RUN, Given::Behind(1), DAEMON),
    row(&["docker", "compose", "exec"], COMPOSE, Given::Behind(1), None),
    row(&["docker", "compose", "run"], COMPOSE, Given::Behind(1), None),
    row(&["docker-compose", "exec"], COMPOSE, Given::Behind(1), None),
    row(&["docker-compose", "run"], COMPOSE, Given::Behind(1), None),
    row(&["kubectl", "exec"], &["--context", "-c", "-n", "--namespace"], Given::Marked, None),
    row(&["oc", "exec"], &["--context", "-c", "-n", "--namespace"], Given::Marked, None),
    row(&["vagrant", "ssh"], &[], Given::Value(&["-c", "--command"]), None),
    row(&["nix", "develop"], &[], Given::Value(&["-c", "--command"]), None),
    row(&["nix-shell"], &[], Given::Value(&["--run", "--command"]), None),
    row(&["devcontainer", "exec"], &["--config", "--workspace-folder"], Given::Behind(0), None),
    row(&["conda", "run"], &["--cwd", "-n", "--name", "-p", "--prefix"], Given::Behind(0), None),
    row(&["direnv", "exec"], &[], Given::Behind(1), None),
    row(&["distrobox", "enter"], &[], Given::Marked, None),
    row(&["mise", "exec"], &[], Given::Marked, None),
    row(&["op", "run"], &[], Given::Marked, None),
    row(&["opam", "exec"], &[], Given::Marked, None),
    row(&["doppler", "run"], &[], Given::Marked, None),
    row(&["wsl"], &["--cd", "-d", "--distribution", "-u", "--user"], Given::Behind(0), None),
    row(&["xcrun"], &["--sdk"], Given::Behind(0), None),
    row(&["bash"], &[], SHELL, None),
    row(&["sh"], &[], SHELL, None),
    row(&["zsh"], &[], SHELL, None),
];

/// Programs that are told as another one is.
const ALIKE: &[(&str, &str)] = &[
    ("nerdctl", "docker"),
    ("podman", "docker"),
    ("podman-compose", "docker-compose"),
    ("mamba", "conda"),
    ("wsl.exe", "wsl"),
];

/// How programs say that there is no such box, or that it is shut, whatever their exit code: how the row begins,
/// and what stands behind that.
const SHUT: &[(&str, &str)] = &[
    ("Cannot connect to the Docker daemon", ""),
    ("Cannot connect to Podman", ""),
    ("ERROR: No container found for ", ""),
    ("ERROR: No such service: ", ""),
    ("Error from server", ""),
    ("Error response from daemon: ", ""),
    ("Error: No such container: ", ""),
    ("Error: can only create exec sessions on running containers", ""),
    ("Error: no container with name or ID ", ""),
    ("The connection to the server ", " was refused"),
    ("Unable to connect to the server: ", ""),
    ("error: unable to upgrade connection: ", ""),
    ("no such service: ", ""),
    ("permission denied while trying to connect to the Docker daemon", ""),
    ("service \"", "\" is not running"),
];
/// In how many rows at its head an output says so.
const HEAD_ROWS: usize = 2;

/// How many boxes can stand in one another.
const MOST: usize = 4;

/// A command line that runs in a box.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inner {
    /// The line.
    pub line: String,
    /// The exit code by which the box says that nothing ran.
    pub unopened: Option<i64>,
}

/// Returns what a command has run in a box, through boxes in it.
pub(super) fn inner(part: &str) -> Option<Inner> {
    let mut found = opened(part)?;
    for _ in 1..MOST {
        // A line of several commands may open one for each.
        let Some(next) = opened(&found.line) else { break };
        found = Inner { line: next.line, unopened: found.unopened.or(next.unopened) };
    }
    Some(found)
}

/// What stands for files that a command is handed.
const HANDED: &str = "{}";

/// A command, and what it runs.
struct Apart {
    part: String,
    /// The line in its box, if it opens one.
    inner: Option<Inner>,
    /// The commands on that line, each with what joins it to the next.
    joined: Vec<(String, String)>,
    /// Those in its box, the one to which it hands files, else itself.
    commands: Rc<[String]>,
}

thread_local! {
    /// The command that was asked of last.
    static LAST: RefCell<Rc<Apart>> = RefCell::new(Rc::new(taken_apart("")));
}

/// Returns the commands that a command runs: those in its box, the one to which it hands files, else itself.
pub(super) fn commands(part: &str) -> Rc<[String]> {
    Rc::clone(&apart(part).commands)
}

/// Takes a command apart: one is mostly asked of many times in a row, and a box takes long.
fn apart(part: &str) -> Rc<Apart> {
    let known = LAST.with_borrow(|last| (last.part == part).then(|| Rc::clone(last)));
    known.unwrap_or_else(|| {
        let apart = Rc::new(taken_apart(part));
        LAST.set(Rc::clone(&apart));
        apart
    })
}

fn taken_apart(part: &str) -> Apart {
    let inner = inner(part);
    let joined = inner.as_ref().map(|inner| shell::joined(&inner.line)).unwrap_or_default();
    let commands = match (shell::handed(part), &inner) {
        // On which files it runs is not known.
        (Some(handed), _) => vec![format!("{handed} {HANDED}")],
        (None, None) => vec![part.to_owned()],
        (None, Some(_)) => joined.iter().map(|(part, _)| part.clone()).collect(),
    };
    Apart { part: part.to_owned(), inner, joined, commands: commands.into() }
}

/// Says how what a command runs in a box ended, of which `ended` and `code` are those of the command; `is_behind`
/// where others before it may have printed, too.
pub(super) fn through(
    part: &str,
    (ended, code): (Ended, Option<i64>),
    output: &str,
    is_behind: bool,
) -> Ended {
    let apart = apart(part);
    let Some(Inner { line, unopened }) = apart.inner.as_ref().filter(|_| ended != Ended::Unknown)
    else {
        return ended;
    };
    let is_shut = || says_shut(output) || is_behind && ends_shut(output);
    if unopened.is_some() && code == *unopened || is_shut() {
        return Ended::Unknown;
    }
    let commands = &apart.joined;
    // How the others end says nothing, as long as they hide nothing.
    let counts = |at: &usize| sounds::checks_alone(&commands[*at].0);
    let checks = (0..commands.len()).filter(counts);
    let mut ends = checks.map(|at| codes::exit(commands, at, code, line) == ended);
    let is_told = if ended == Ended::Failed { ends.any(|is| is) } else { ends.all(|is| is) };
    if is_told { ended } else { Ended::Unknown }
}

/// Whether the last row of an output says that a box is shut.
fn ends_shut(output: &str) -> bool {
    output.lines().rev().find(|row| !row.trim().is_empty()).is_some_and(is_shut)
}

/// Whether an output begins with words that say that a box is shut; what only warns may stand
/// before them.
fn says_shut(output: &str) -> bool {
    let is_before = |row: &&str| {
        let starts = ["WARN", "WARNING", "time=\""];
        row.trim().is_empty() || starts.iter().any(|start| row.starts_with(start))
    };
    output.lines().skip_while(is_before).take(HEAD_ROWS).any(is_shut)
}

/// Whether a row says that a box is shut.
fn is_shut(row: &str) -> bool {
    let holds = |(start, rest): &(&str, &str)| {
        row.strip_prefix(start).is_some_and(|behind| behind.contains(rest))
    };
    SHUT.iter().any(holds)
}

/// Returns what a command runs in its own box.
fn opened(part: &str) -> Option<Inner> {
    let first = part.split_whitespace().next()?;
    let name = place::name(first);
    let name = ALIKE.iter().find(|(alike, _)| *alike == name).map_or(name, |(_, name)| name);
    // What is let go says nothing of how it ends.
    let is_one = || matches!(&shell::raw(part)[..], [(_, joint)] if joint != "&");
    if !OPENERS.iter().any(|opener| opener.words[0] == name) || !is_one() {
        return None;
    }
    let words = shlex::split(part)?;
    let opens = |opener: &&Opener| opener.words[0] == name && follows(&words, opener).is_some();
    let opener = OPENERS.iter().find(opens)?;
    let rest = &words[follows(&words, opener)?..];
    let rest = match opener.given {
        Given::Behind(count) => {
            let (how, rest) = rest.split_at(options(rest, opener.valued));
            if how.iter().any(|word| lets_go(name, word)) {
                return None;
            }
            let rest = rest.get(count..)?;
            &rest[usize::from(rest.first().is_some_and(|word| word == "--"))..]
        }
        Given::Marked => &rest[rest.iter().position(|word| word == "--")? + 1..],
        Given::Value(names) => {
            let is_option = |word: &&String| word.starts_with('-') || opener.words.len() > 1;
            let mut before = rest.iter().take_while(is_option);
            &rest[before.position(|word| names.contains(&word.as_str()))? + 1..]
        }
    };
    // The text of a shell is one word, and what follows it are its arguments.
    let is_text = matches!(opener.given, Given::Value(_)) && opener.words.len() == 1;
    let rest = if is_text { rest.get(..1)? } else { rest };
    (!rest.is_empty()).then(|| Inner { line: line(rest), unopened: opener.unopened })
}

/// Returns behind how many words a command says that it opens a box, if it does: options may stand in between.
fn follows(words: &[String], opener: &Opener) -> Option<usize> {
    let mut at = 1;
    for wanted in &opener.words[1..] {
        at += options(&words[at..], opener.valued);
        (words.get(at)? == wanted).then_some(())?;
        at += 1;
    }
    Some(at)
}

/// Whether an option, which may be written with others in one word, has a program not wait for what it runs.
fn lets_go(program: &str, word: &str) -> bool {
    let (flag, others) = match program {
        "ssh" => ('f', "46AaCGgKkMNnqsTtVvXxYy"),
        "docker" | "docker-compose" => ('d', "iPTqt"),
        _ => return false,
    };
    let is_flag = |c: char| c == flag || others.contains(c);
    let flags = word.strip_prefix('-').unwrap_or_default();
    word.starts_with("--detach") || flags.contains(flag) && flags.chars().all(is_flag)
}

/// Returns how many words at the beginning are options and their values.
fn options(words: &[String], valued: &[&str]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-') && *word != "--") {
        at += if valued.contains(&word.as_str()) { 2 } else { 1 };
    }
    at.min(words.len())
}

/// Writes words as a line: one alone is a line by itself, as a shell takes it; of several each is a word.
fn line(words: &[String]) -> String {
    match words {
        [one] => one.clone(),
        [program, option, text, ..]
            if shell::interprets(program) && option.starts_with('-') && option.ends_with('c') =>
        {
            format!("{program} {option} {}", quoted(text))
        }
        _ => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

fn quoted(word: &str) -> String {
    let is_plain =
        !word.is_empty() && !word.contains([' ', '\'', '"', ';', '|', '&', '\n', '#', '\\']);
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::{ends_shut, inner, says_shut};

    #[test]
    fn a_box_that_is_shut_says_so_at_once() {
        for output in [
            "service \"app\" is not running\n",
            "WARN[0000] a.yml: `version` is obsolete\nno such service: app\n",
            "The connection to the server localhost:8080 was refused - did you specify the right host or port?\n",
            "Error: no container with name or ID \"app\" found: no such container\n",
            "Error from server (NotFound): pods \"app\" not found\n",
        ] {
            assert!(says_shut(output), "{output}");
        }
        let long = "1 passed\n1 passed\n1 failed\nError from server: no page\n";
        assert!(!says_shut(long) && !says_shut("service \"app\" answers\n") && !says_shut(""));
        let listed =
            "CONTAINER ID  IMAGE\na  b\nc  d\nError response from daemon: No such container: app\n";
        assert!(ends_shut(listed) && !ends_shut("Error from server: x\n1 failed\n"));
    }

    #[test]
    fn what_runs_in_a_box_is_told() {
        let told = |part: &str| inner(part).map(|inner| inner.line);
        for (part, line) in [
            ("ssh box 'cargo test'", "cargo test"),
            ("ssh -p 22 -o A=b ada@box cargo test", "cargo test"),
            ("ssh box 'cd p && cargo test 2>&1 | tail -3'", "cd p && cargo test 2>&1 | tail -3"),
            ("docker exec -it app sh -c 'pytest -q'", "pytest -q"),
            ("docker exec -u 1000 app npm run test:unit", "npm run test:unit"),
            ("docker run --rm -v $PWD:/p -w /p golang:1.22 go vet ./...", "go vet ./..."),
            ("podman run --rm --env A=b image make check", "make check"),
            ("docker compose -f a.yml run --rm app npm test", "npm test"),
            ("docker-compose exec -T app bash -lc \"cd /p; pytest\"", "cd /p; pytest"),
            ("kubectl -n x exec pod -c app -- pytest", "pytest"),
            ("nix develop --command cargo test", "cargo test"),
            ("nix-shell --run 'make check'", "make check"),
            ("conda run -n env pytest tests", "pytest tests"),
            ("bash -lc 'cargo test'", "cargo test"),
        ] {
            assert_eq!(told(part).as_deref(), Some(line), "{part}");
        }
        for part in [
            "ssh box",
            "docker run -d image pytest",
            "docker run -dit image pytest",
            "docker exec --detach=true app pytest",
            "ssh -fn box pytest",
            "ssh box 'sh -c pytest' &",
            "docker build -t test .",
            "docker compose up test",
            "kubectl exec pod pytest",
            "bash script.sh -c x",
            "cargo test",
            "ssh box 'open",
        ] {
            assert_eq!(told(part), None, "{part}");
        }
    }
}
