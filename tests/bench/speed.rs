//! Speed on large files: processor time and peak memory of whole runs, beside `wc -l`; and the two
//! parsers of JSON on a whole document.
//!
//! Asserts nothing. Says what is missing where a measurement cannot be made.

#![allow(clippy::unwrap_used, reason = "a benchmark that panics has failed")]
#![allow(clippy::print_stdout, reason = "the table is the output")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Size of each generated session, in bytes.
const FILE_BYTES: usize = 100_000_000;
/// Size of the generated document, in bytes, more or less.
const DOCUMENT_BYTES: usize = 20_000_000;
/// How often everything is run; the table has medians.
const ROUNDS: usize = 5;

/// What one run of a program took.
#[derive(Clone, Copy)]
struct Cost {
    /// Processor time of the child, user and system, in seconds.
    cpu: f64,
    /// Peak of its memory, in kilobytes.
    memory: f64,
}

fn main() {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    println!("machine: {}, {cores} cores, {os} {arch}", processor());
    println!("medians of {ROUNDS} rounds, output to /dev/null\n");
    for harness in ["claude", "codex"] {
        match session(harness) {
            Ok(path) => programs(harness, &path),
            Err(missing) => println!("{harness}: not measured: {missing}\n"),
        }
    }
    parsers();
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name"));
    model.map_or("unknown processor", |rest| rest.trim_start_matches([' ', '\t', ':'])).to_owned()
}

/// Returns a generated session, made once and kept between runs, or what is missing for it.
fn session(harness: &str) -> Result<PathBuf, String> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{harness}-{FILE_BYTES}.jsonl"));
    if path.exists() {
        return Ok(path);
    }
    let root = std::env::var_os("SEGUE_DATA").ok_or("SEGUE_DATA is not set")?;
    let script = Path::new(&root).join("bench/gen.py");
    if !script.exists() {
        return Err(format!("{} is not there", script.display()));
    }
    let draft = path.with_extension("draft");
    let mut python = Command::new("python3");
    python.arg(script).args([harness, &FILE_BYTES.to_string(), "1"]).arg(&draft);
    let made =
        python.stdout(Stdio::null()).status().map_err(|cause| format!("python3: {cause}"))?;
    if !made.success() {
        return Err(format!("gen.py ended with {made}"));
    }
    std::fs::rename(&draft, &path).map_err(|cause| cause.to_string())?;
    Ok(path)
}

/// Measures each program on a file, in turns, so that a busy moment hits all of them.
fn programs(harness: &str, path: &Path) {
    let segue = env!("CARGO_BIN_EXE_segue");
    let lines: [&[&str]; 4] = [
        &["wc", "-l"],
        &[segue, "export", "-q"],
        &[segue, "export", "-q", "--view", "live"],
        &[segue, "pack", "-q", "--budget", "4000"],
    ];
    let mut costs = vec![Vec::new(); lines.len()];
    for _ in 0..ROUNDS {
        for (line, costs) in lines.iter().zip(&mut costs) {
            match measured(line, path) {
                Ok(cost) => costs.push(cost),
                Err(missing) => return println!("{harness}: not measured: {missing}\n"),
            }
        }
    }
    let bytes = path.metadata().map_or(0, |meta| meta.len());
    println!("{harness}: {bytes} bytes");
    println!("| command | CPU s | × `wc -l` | peak MB |\n|---|---|---|---|");
    let base = median(costs[0].iter().map(|cost| cost.cpu));
    for (line, costs) in lines.iter().zip(&costs) {
        let cpu = median(costs.iter().map(|cost| cost.cpu));
        let memory = median(costs.iter().map(|cost| cost.memory)) / 1000.0;
        let shown = line.join(" ").replace(segue, "segue");
        println!("| `{shown}` | {cpu:.2} | {:.1} | {memory:.0} |", cpu / base.max(0.01));
    }
    println!();
}

/// Runs a program under GNU time, which alone tells time and memory of a child without `unsafe`.
fn measured(line: &[&str], path: &Path) -> Result<Cost, String> {
    let told = Path::new(env!("CARGO_TARGET_TMPDIR")).join("time.txt");
    let mut time = Command::new("/usr/bin/time");
    time.args(["-f", "%U %S %M", "-o"]).arg(&told).args(line).arg(path);
    let run = time.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let run = run.map_err(|cause| format!("GNU time as /usr/bin/time: {cause}"))?;
    if !run.success() {
        return Err(format!("`{}` ended with {run}", line.join(" ")));
    }
    let told = std::fs::read_to_string(told).map_err(|cause| cause.to_string())?;
    let numbers: Vec<f64> = told.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [user, system, memory] => Ok(Cost { cpu: user + system, memory }),
        _ => Err(format!("/usr/bin/time is not GNU time: {told}")),
    }
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

/// Compares the parsers on one large value, and on lines that are only looked into.
fn parsers() {
    let document = document();
    let lines = lines();
    let simd = |bytes: &[u8]| {
        let mut copy = bytes.to_vec();
        assert!(simd_json::serde::from_slice::<Value>(&mut copy).is_ok());
    };
    let serde = |bytes: &[u8]| assert!(serde_json::from_slice::<Value>(bytes).is_ok());
    println!("parsers, in this process, to a value:");
    println!("| input | bytes | simd-json ms | serde_json ms |\n|---|---|---|---|");
    let row = |name: &str, bytes: &[u8], pieces: &[&[u8]]| {
        let of = |parse: &dyn Fn(&[u8])| millis(&|| pieces.iter().for_each(|piece| parse(piece)));
        println!("| {name} | {} | {:.0} | {:.0} |", bytes.len(), of(&simd), of(&serde));
    };
    row("one document", &document, &[&document]);
    let pieces: Vec<&[u8]> = lines.split(|byte| *byte == b'\n').filter(|l| !l.is_empty()).collect();
    row("lines", &lines, &pieces);
    let raw = millis(&|| {
        for piece in &pieces {
            let fields: std::collections::HashMap<&str, &serde_json::value::RawValue> =
                serde_json::from_slice(piece).unwrap();
            assert!(!fields.is_empty());
        }
    });
    println!("| lines, fields left unparsed | {} | - | {raw:.0} |", lines.len());
}

fn millis(work: &dyn Fn()) -> f64 {
    let one = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed()
    };
    median((0..ROUNDS).map(one).map(|took: Duration| took.as_secs_f64() * 1000.0))
}

/// One message of a made-up session, with code, quotes and text that is not ASCII.
fn message(number: usize) -> Value {
    let code =
        "fn parse(line: &str) -> Option<Entry> {\n\tlet (a, b) = line.split_once(\"=\")?;\n}\n";
    json!({
        "id": format!("{number:08x}-0000-4000-8000-000000000000"),
        "timestamp": "2026-03-14T09:00:00.000Z",
        "type": if number.is_multiple_of(2) { "user" } else { "gemini" },
        "content": format!("step {number}: 会话 → done\n{}", code.repeat(1 + number % 40)),
        "tokens": {"input": number, "output": 20, "cached": 0, "total": number + 20},
    })
}

fn document() -> Vec<u8> {
    let messages: Vec<Value> = (0..DOCUMENT_BYTES / 2_100).map(message).collect();
    serde_json::to_vec(&json!({"sessionId": "x", "messages": messages})).unwrap()
}

fn lines() -> Vec<u8> {
    let lines = (0..DOCUMENT_BYTES / 2_100).map(|number| format!("{}\n", message(number)));
    lines.collect::<String>().into_bytes()
}
