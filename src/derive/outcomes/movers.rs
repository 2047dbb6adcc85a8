//! Commands that bring, start or stop something, and test nothing: what tests printed is not theirs.

use super::boxes::CONTAINERS;
use crate::derive::shell;

/// Programs that do nothing else.
const MOVERS: &[&str] = &[
    "brew",
    "chmod",
    "chown",
    "cp",
    "export",
    "install",
    "kill",
    "killall",
    "ln",
    "mkdir",
    "mv",
    "pkill",
    "rclone",
    "rm",
    "rsync",
    "scp",
    "service",
    "sftp",
    "sleep",
    "source",
    "sync",
    "systemctl",
    "tar",
    "touch",
    "unzip",
    "wait",
    "zip",
];
/// Words by which a program for containers runs nothing in one.
const MOVING: &[&str] = &[
    "apply", "cp", "create", "delete", "down", "kill", "network", "ps", "pull", "push", "restart",
    "rm", "scale", "start", "stop", "volume", "wait",
];
/// Words by which they leave what they start to itself.
const DETACHED: &[&str] = &["-d", "--detach"];

/// Whether a command only brings, starts or stops something.
pub(super) fn only_moves(part: &str) -> bool {
    let mut words = shell::led(part);
    let program = words.next().unwrap_or_default();
    if !CONTAINERS.contains(&program) {
        return MOVERS.contains(&program);
    }
    let is_group = |word: &&str| matches!(*word, "compose" | "container" | "image");
    match words.find(|word| !word.starts_with('-') && !is_group(word)) {
        Some("up") => words.any(|word| DETACHED.contains(&word)),
        Some(verb) => MOVING.contains(&verb),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::only_moves;

    #[test]
    fn what_brings_starts_or_stops_something_tests_nothing() {
        for part in [
            "rsync -a ./ box:p/",
            "docker compose down -v",
            "docker compose up -d db",
            "docker stop app",
            "sudo systemctl restart app",
            "kubectl delete pod x",
        ] {
            assert!(only_moves(part), "{part}");
        }
        for part in [
            "docker compose run --rm test",
            "docker compose up --exit-code-from test",
            "docker run --rm app",
            "docker exec app ./try.sh",
            "kubectl exec deploy/app -- ./try.sh",
            "./run.sh",
            "ssh box ./run.sh",
        ] {
            assert!(!only_moves(part), "{part}");
        }
    }
}
