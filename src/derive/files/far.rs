//! Files that a command line names on another machine or in a container: none of them lies here.

use std::collections::HashSet;

use super::is_outside;
use crate::derive::command::command;
use crate::derive::here::document;
use crate::derive::outcomes::{CONTAINERS, in_box};
use crate::derive::paths::paths_in;
use crate::derive::place::lies_in;
use crate::derive::shell;

/// Programs that reach other machines.
const MACHINES: &[&str] = &["rsync", "scp", "sftp", "ssh"];

/// Returns the files that a line names only there; a container may have the folder `home` of the session in the same
/// place.
pub(super) fn far(line: &str, home: &str) -> HashSet<String> {
    let (mut far, mut near) = (HashSet::new(), Vec::new());
    if !MACHINES.iter().chain(CONTAINERS).any(|program| line.contains(program)) {
        return far;
    }
    for (part, _) in shell::raw(line) {
        let mut words = shell::led(&part);
        let program = words.next().unwrap_or_default();
        let is_box = CONTAINERS.contains(&program);
        if !is_box && !MACHINES.contains(&program) {
            near.extend(paths_in(&part));
            continue;
        }
        let is_there = |path: &String| !is_box || is_outside(path) && !lies_in(path, home);
        let (bare, target) = without_target(&part);
        near.extend(target);
        // Where a here document is cut out of its words nobody knows what it runs.
        let whole = || (program == "ssh").then(|| bare.clone());
        let inner = in_box(&bare).or_else(whole).map(|line| paths_in(&line)).unwrap_or_default();
        let read = document(line, &part).filter(|_| program == "ssh");
        let read = read.map(|text| paths_in(&text)).unwrap_or_default();
        far.extend(inner.into_iter().chain(read).filter(is_there));
        for word in bare.split_whitespace().skip_while(|word| *word != program) {
            match on_machine(word) {
                Some(path) => far.extend([paths_in(word), paths_in(path)].concat()),
                None if program != "ssh" && !is_box => near.extend(paths_in(word)),
                None => {}
            }
        }
    }
    far.retain(|path| !near.contains(path));
    far
}

/// Returns a command without the file that takes what it prints, which is one of this machine, and that.
fn without_target(part: &str) -> (String, Option<String>) {
    let told = command(part).and_then(|it| {
        let words = shlex::try_join(it.words.iter().map(String::as_str)).ok()?;
        Some((words, it.target?.0))
    });
    told.map_or((part.to_owned(), None), |(words, target)| (words, Some(target)))
}

/// Returns what stands behind the name of a machine or a container: `box:/srv/a.py`. A single letter is a drive.
fn on_machine(word: &str) -> Option<&str> {
    let (name, path) = word.trim_matches(['"', '\'']).split_once(':')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-@".contains(c);
    (name.len() > 1 && name.chars().all(is_part) && !path.starts_with("//")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::far;

    #[test]
    fn what_lies_on_another_machine_is_told_from_what_lies_here() {
        let told = |line: &str| {
            let mut found: Vec<_> = far(line, "/home/ada/p").into_iter().collect();
            found.sort();
            found
        };
        assert_eq!(told("ssh web 'cat /etc/a.conf && rm src/b.py'"), ["/etc/a.conf", "src/b.py"]);
        assert_eq!(told("ssh -i key.pem web \"sudo sed -i s/a/b/ /etc/a.conf\""), ["/etc/a.conf"]);
        assert_eq!(told("docker exec app cat /app/a.py src/b.py"), ["/app/a.py"]);
        assert_eq!(told("kubectl exec web -- cat /app/a.py"), ["/app/a.py"]);
        assert_eq!(told("ssh web 'sudo tee /etc/a.conf <<E\nx\nE'"), ["/etc/a.conf"]);
        // What is redirected outside of the quotes comes here.
        assert_eq!(told("ssh web cat /srv/b.py > src/b.py"), ["/srv/b.py"]);
        assert_eq!(told("ssh web 'cat /srv/b.py > src/c.py'"), ["/srv/b.py", "src/c.py"]);
        assert_eq!(told("docker exec app cat /srv/b.py > src/b.py"), ["/srv/b.py"]);
        assert_eq!(told("ssh web <<'E'\ncat x > src/c.py\nE"), ["src/c.py"]);
        for line in [
            "cat src/b.py; ssh web 'cat src/b.py'",
            "docker exec app cat /home/ada/p/src/b.py",
            "docker compose exec app pytest tests/test_b.py",
            "scp src/b.py web:",
            "git commit -m 'ssh: read /etc/a.conf'",
            "cat docker/a.conf ssh.md",
            "ssh web",
        ] {
            assert_eq!(told(line), [""; 0], "{line}");
        }
        assert!(told("scp src/b.py web:/srv/c.py").contains(&"/srv/c.py".to_owned()));
        assert!(!told("scp src/b.py web:/srv/c.py").contains(&"src/b.py".to_owned()));
    }
}
