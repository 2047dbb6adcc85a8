//! The completions, as the shells that are here load them.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use segue::harness;

use crate::data::tell;

/// Has a shell run `script`, with the completions in its folder of work; nothing if it is not here.
fn run(shell: &str, args: &[&str], script: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
    let home = tempfile::tempdir().unwrap();
    let started = Command::new(shell)
        .args(args)
        .current_dir(folder)
        .env("HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        tell(&format!("SKIPPED: {shell} is not here; its completions are not tried"));
        return None;
    };
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let said = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{shell}: {stderr}");
    Some(String::from_utf8(said.stdout).unwrap())
}

/// Checks what a shell offered for `segue pa`, `segue convert --to ` and `segue memory mi`.
fn offers(shell: &str, told: &str) {
    let parts: Vec<&str> = told.split("--next--").collect();
    let [commands, harnesses, nested] = parts[..] else { panic!("{shell}: {told}") };
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    assert_eq!(words(commands).first().map(String::as_str), Some("pack"), "{shell}: {told}");
    for one in harness::ALL {
        assert!(words(harnesses).iter().any(|word| word == one.name()), "{shell}: {told}");
    }
    assert_eq!(words(nested).first().map(String::as_str), Some("migrate"), "{shell}: {told}");
}

#[test]
fn bash_completes() {
    let script = r#"
source ./segue.bash
try() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _segue segue "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[@]}"
}
try segue pa; echo --next--
try segue convert --to ""; echo --next--
try segue memory mi
"#;
    let Some(told) = run("bash", &["--norc", "--noprofile"], script) else { return };
    offers("bash", &told);
}

#[test]
fn fish_completes() {
    let script = "source ./segue.fish
complete -C 'segue pa'; echo --next--
complete -C 'segue convert --to '; echo --next--
complete -C 'segue memory mi'
";
    let Some(told) = run("fish", &["--no-config"], script) else { return };
    offers("fish", &told);
}

/// Completions of zsh only run inside its line editor, so that they are only read here.
#[test]
fn zsh_reads_the_completions() {
    let Some(told) = run("zsh", &["-f", "-n", "./_segue"], "") else { return };
    assert_eq!(told, "");
}

#[test]
fn powershell_completes() {
    let script = r#"
. ./_segue.ps1
function Try-Line($line) {
    $found = [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null)
    ($found.CompletionMatches | ForEach-Object { $_.CompletionText }) -join ' '
}
Try-Line 'segue pa'; '--next--'
Try-Line 'segue memory mi'
"#;
    let Some(told) = run("pwsh", &["-NoProfile", "-Command", "-"], script) else { return };
    // The values of options are not completed there.
    let (commands, nested) = told.split_once("--next--").unwrap();
    assert!(commands.contains("pack") && nested.contains("migrate"), "{told}");
}
