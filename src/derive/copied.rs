//! Where commands put what they copy, move, link, fetch or empty.

use super::outcomes::CONTAINERS;
use super::paths::is_file;
use super::place;

/// Options of the programs that copy which have a word behind them.
const VALUED: &[(&str, &[&str])] = &[
    ("cp", &["-S", "-t"]),
    ("install", &["-S", "-g", "-m", "-o", "-t"]),
    ("ln", &["-S", "-t"]),
    ("mv", &["-S", "-t"]),
    ("rsync", &["-e", "-f", "--exclude", "--filter", "--include"]),
    ("scp", &["-F", "-P", "-c", "-i", "-l", "-o"]),
    ("truncate", &["-r", "-s", "--reference", "--size"]),
];
/// Those by which they only say what they would do, make folders, or may leave what is there as it is.
const NOT: &[&str] = &["--dry-run", "--no-clobber", "--directory", "--interactive"];

/// Returns the files at which a command puts something, as it names them, or the folder where it does not name
/// what comes into it.
pub(super) fn targets(words: &[String]) -> Vec<String> {
    let [program, rest @ ..] = words else { return Vec::new() };
    match program.as_str() {
        // Out of a container, or into it, as `cp` does.
        program if CONTAINERS.contains(&program) => match rest {
            [verb, rest @ ..] if verb == "cp" => by_operands("cp", &["-c", "-n"], rest),
            _ => Vec::new(),
        },
        "curl" => behind(rest, 'o', "--output"),
        "wget" => behind(rest, 'O', "--output-document"),
        program => VALUED
            .iter()
            .find(|(name, _)| *name == program)
            .map(|(_, valued)| by_operands(program, valued, rest))
            .unwrap_or_default(),
    }
}

/// Returns the word behind an option that names the file for an output: `-o f`, `-sLo f`, `--output=f`.
fn behind(words: &[String], letter: char, long: &str) -> Vec<String> {
    let (mut found, mut is_next) = (Vec::new(), false);
    for word in words {
        if std::mem::take(&mut is_next) {
            found.push(word.clone());
        } else if let Some(rest) = word.strip_prefix(long) {
            is_next = rest.is_empty();
            found.extend(rest.strip_prefix('=').map(str::to_owned));
        } else {
            is_next = word.starts_with('-') && !word.starts_with("--") && word.ends_with(letter);
        }
    }
    // What goes to the standard output, or is thrown away.
    found.retain(|path| path != "-" && !path.starts_with("/dev/"));
    found
}

fn by_operands(program: &str, valued: &[&str], words: &[String]) -> Vec<String> {
    let (mut operands, mut into): (Vec<&str>, Option<&str>) = (Vec::new(), None);
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let has = |letter: char| letters.is_some_and(|letters| letters.contains(letter));
        let is_not = match program {
            "rsync" => has('n'),
            "install" => has('d'),
            "cp" | "mv" => has('n') || has('i'),
            _ => false,
        };
        if NOT.contains(&word) || is_not {
            return Vec::new();
        }
        if let Some(folder) = word.strip_prefix("--target-directory=") {
            into = Some(folder);
        } else if valued.contains(&word) {
            let value = words.next();
            into = value.filter(|_| word == "-t").or(into);
        } else if !word.starts_with('-') {
            operands.push(word);
        }
    }
    if program == "truncate" {
        return operands.into_iter().map(str::to_owned).collect();
    }
    let (from, to) = match (into, operands.split_last()) {
        (Some(folder), _) => (operands.as_slice(), folder),
        (None, Some((to, from))) if !from.is_empty() => (from, *to),
        _ => return Vec::new(),
    };
    // Of another machine, unless it is a drive of this one.
    if to.find(':').is_some_and(|at| at > 1) {
        return Vec::new();
    }
    let is_folder =
        into.is_some() || from.len() > 1 || to.ends_with('/') || matches!(to, "." | "..");
    let is_told = |from: &&str| is_file(from) && !from.contains(['*', '?', '[', '$', '{']);
    if !is_folder || !from.iter().all(is_told) {
        return vec![to.to_owned()];
    }
    let to = to.trim_end_matches('/');
    from.iter().map(|from| format!("{to}/{}", place::name(from))).collect()
}

/// Whether a file lies in the folder of another one of its kind, as one of the work does.
pub(super) fn is_beside(path: &str, other: &str) -> bool {
    let parts = |path: &'_ str| {
        let (folder, name) = path.rsplit_once('/')?;
        Some((folder.to_owned(), name.rsplit_once('.')?.1.to_owned()))
    };
    parts(path).is_some_and(|it| Some(it) == parts(other))
}

/// Folders that programs fill.
const BUILT: &[&str] = &[
    ".cache",
    ".coverage",
    ".git",
    ".mypy_cache",
    ".next",
    ".nyc_output",
    ".pytest_cache",
    ".ruff_cache",
    "__pycache__",
    "_build",
    "build",
    "coverage",
    "dist",
    "node_modules",
    "obj",
    "out",
    "site-packages",
    "target",
    "venv",
];
/// How the names of files end that programs leave behind or keep for themselves, or that hold what was there before.
const LEFT: &[&str] = &[
    "~",
    ".bak",
    ".db",
    ".lock",
    ".log",
    ".old",
    ".orig",
    ".out",
    ".pid",
    ".pyc",
    ".rej",
    ".sqlite",
    ".sum",
    ".swp",
    ".tmp",
    "-lock.json",
    "-lock.yaml",
];

/// Whether a file of the project is one that programs make or that only keeps what was there before.
pub(super) fn is_left(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let is_built = |folder: &str| BUILT.contains(&folder);
    folders.split('/').any(is_built) || is_built(path) || LEFT.iter().any(|end| path.ends_with(end))
}

/// How the names of files end that a program gives, and nobody works on unless they were seen.
const RESULTS: &[&str] = &[
    "csv", "gif", "gz", "html", "jpg", "json", "jsonl", "mp4", "pdf", "png", "svg", "tsv", "txt",
    "webp", "xml", "zip",
];

/// Whether a path is one of a file that may be what a program gave.
pub(super) fn is_result(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| RESULTS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::targets;

    #[test]
    fn what_is_put_somewhere_is_told_by_its_target() {
        let told = |line: &str| targets(&shlex::split(line).unwrap()).join(" ");
        for (line, want) in [
            ("cp ../b/a.py src/a.py", "src/a.py"),
            ("cp -p a.py b.py src/", "src/a.py src/b.py"),
            ("cp -r ../b/src .", "."),
            ("cp ../b/*.py src/", "src/"),
            ("cp -t src a.py", "src/a.py"),
            ("mv a.py src/b.py", "src/b.py"),
            ("install -m 644 /tmp/a.py src/a.py", "src/a.py"),
            ("ln -sf ../b/a.py src/a.py", "src/a.py"),
            ("rsync -a --exclude x.py /tmp/src/ src/", "src/"),
            ("scp host:/srv/a.py src/a.py", "src/a.py"),
            ("docker cp app:/srv/a.py src/a.py", "src/a.py"),
            ("curl -fsSLo src/a.py https://x.example/a.py", "src/a.py"),
            ("curl https://x.example --output=a.py", "a.py"),
            ("wget -qO src/a.py https://x.example", "src/a.py"),
            ("truncate -s 0 src/a.py", "src/a.py"),
        ] {
            assert_eq!(told(line), want, "{line}");
        }
        for line in [
            "cp a.py",
            "cp -n a.py b.py",
            "docker cp src/a.py app:/srv/a.py",
            "docker cp app:/srv/a.py -",
            "docker compose cp",
            "rsync -an src/ host/",
            "rsync -a src/ host:/srv/",
            "install -d src/new",
            "curl -s https://x.example/a.py",
            "curl -so /dev/null https://x.example",
            "wget -qO- https://x.example",
            "make a.py b.py",
        ] {
            assert_eq!(told(line), "", "{line}");
        }
    }
}
