//! The files that are measured, made once and kept between runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The largest session that is generated; longer ones repeat it with fresh ids.
const GENERATED_BYTES: u64 = 100_000_000;

/// Returns a session of a size, or what is missing for it.
pub(crate) fn session(harness: &str, bytes: u64) -> Result<PathBuf, String> {
    let path = folder().join(format!("{harness}-{bytes}.jsonl"));
    if path.exists() {
        return Ok(path);
    }
    let draft = path.with_extension("draft");
    if bytes > GENERATED_BYTES {
        let one = session(harness, GENERATED_BYTES)?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/repeat.py");
        let copies = (bytes / GENERATED_BYTES).to_string();
        python(Command::new("python3").arg(script).arg(one).arg(copies).arg(&draft))?;
    } else {
        let mut command = Command::new("python3");
        python(command.arg(generator()?).args([harness, &bytes.to_string(), "1"]).arg(&draft))?;
    }
    std::fs::rename(&draft, &path).map_err(|cause| cause.to_string())?;
    Ok(path)
}

/// Returns a home with `count` sessions.
pub(crate) fn tree(count: usize, bytes: usize) -> Result<PathBuf, String> {
    let home = folder().join(format!("home-{count}-{bytes}"));
    let (projects, draft) = (home.join("projects"), home.join("draft"));
    if projects.exists() {
        return Ok(home);
    }
    std::fs::create_dir_all(&home).map_err(|cause| cause.to_string())?;
    let mut command = Command::new("python3");
    command.arg(generator()?).args(["tree", "claude", &count.to_string(), &bytes.to_string()]);
    python(command.arg(&draft))?;
    std::fs::rename(&draft, &projects).map_err(|cause| cause.to_string())?;
    Ok(home)
}

/// Returns a program that does nothing.
pub(crate) fn empty() -> Result<PathBuf, String> {
    let (source, program) = (folder().join("empty.rs"), folder().join("empty"));
    std::fs::write(&source, "fn main() {}\n").map_err(|cause| cause.to_string())?;
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let made = Command::new(rustc).arg("-O").arg(source).arg("-o").arg(&program).status();
    match made {
        Ok(status) if status.success() => Ok(program),
        Ok(status) => Err(format!("rustc ended with {status}")),
        Err(cause) => Err(format!("rustc: {cause}")),
    }
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn generator() -> Result<PathBuf, String> {
    let root = std::env::var_os("SEGUE_DATA").unwrap_or_else(|| "../shared".into());
    let script = Path::new(&root).join("bench/gen.py");
    if script.exists() { Ok(script) } else { Err(format!("{} is not there", script.display())) }
}

fn python(command: &mut Command) -> Result<(), String> {
    match command.stdout(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("python3 ended with {status}")),
        Err(cause) => Err(format!("python3: {cause}")),
    }
}
