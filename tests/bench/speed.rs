//! Speed and memory of whole runs, as ratios to `wc -l` on the same file, and the two parsers of
//! JSON on a whole document.
//!
//! Asserts nothing. Says what is missing where a measurement cannot be made. `SEGUE_BENCH=all` adds
//! files of 1 and 10 GB, for which 12 GB must be free; `SEGUE_BENCH=growth` makes only that table,
//! with the file of 1 GB.

#![allow(clippy::unwrap_used, reason = "a benchmark that panics has failed")]
#![allow(clippy::print_stdout, reason = "the table is the output")]

mod cost;
mod made;
mod parsers;

use std::path::Path;

use cost::{Cost, Line, in_turns};

/// The program.
const SEGUE: &str = env!("CARGO_BIN_EXE_segue");

fn main() {
    // The program runs itself once for each measurement: what a child took is told to its parent.
    if cost::is_measuring() {
        return cost::measure();
    }
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    println!("machine: {}, {cores} cores, {os} {arch}", processor());
    println!("processor time, user and system; medians of {} rounds in turns,", cost::ROUNDS);
    println!("output to /dev/null, files in the page cache\n");
    if wants("growth") {
        return said("growth", growth());
    }
    start();
    for (harness, targets) in [("claude", TARGETS), ("codex", TARGETS)] {
        said(harness, made::session(harness, 100_000_000).map(|path| programs(&path, targets)));
    }
    said("list", made::tree(2000, 500_000).map(|home| list(&home)));
    said("growth", growth());
    parsers::parsers();
}

fn wants(what: &str) -> bool {
    std::env::var_os("SEGUE_BENCH").is_some_and(|value| value == what)
}

/// The harnesses into whose form is converted.
const TARGETS: &[&str] = &["claude", "codex", "gemini"];

fn said(what: &str, done: Result<(), String>) {
    if let Err(missing) = done {
        println!("{what}: not measured: {missing}\n");
    }
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name"));
    model.map_or("unknown processor", |rest| rest.trim_start_matches([' ', '\t', ':'])).to_owned()
}

/// What a start costs, beside a program that does nothing, and a pack of a small session.
fn start() {
    let empty = match made::empty() {
        Ok(empty) => empty,
        Err(missing) => return println!("start: not measured: {missing}\n"),
    };
    let lines = [Line::new(empty.to_str().unwrap()), Line::new(&format!("{SEGUE} --version"))];
    table("start", "an empty program", &in_turns(&lines, 5 * cost::ROUNDS));
    let small = made::session("claude", 1_000_000);
    said(
        "a small session",
        small.map(|path| {
            let path = path.display();
            let line = Line::new(&format!("{SEGUE} pack -q --budget 4000 {path}"));
            let wall = in_turns(&[line], 3 * cost::ROUNDS)[0].1.wall;
            println!("`segue pack` of 1 MB, all included: {:.0} ms\n", wall * 1000.0);
        }),
    );
}

/// Every command on one file.
fn programs(path: &Path, targets: &[&str]) {
    let path = path.display();
    let mut lines = vec![Line::new(&format!("wc -l {path}"))];
    lines.push(Line::new(&format!("{SEGUE} export -q {path}")));
    lines.push(Line::new(&format!("{SEGUE} export -q --view live {path}")));
    lines.push(Line::new(&format!("{SEGUE} pack -q --budget 4000 {path}")));
    let to = |target: &&str| Line::new(&format!("{SEGUE} convert -q --to {target} {path}"));
    lines.extend(targets.iter().map(to));
    let costs = in_turns(&lines, cost::ROUNDS);
    let bytes = std::fs::metadata(path.to_string()).map_or(0, |meta| meta.len());
    table(&format!("a session of {bytes} bytes"), "`wc -l`", &costs);
}

fn list(home: &Path) {
    let count = format!("find {}/ -type f -name *.jsonl -exec wc -l {{}} +", home.display());
    let home = |line: &str| Line::new(&format!("{SEGUE} {line}")).with("CLAUDE_CONFIG_DIR", home);
    let lines = [Line::new(&count), home("list --all -q"), home("list --all -q --json")];
    table("2,000 sessions of 500 kB", "`wc -l` over all", &in_turns(&lines, cost::ROUNDS));
}

/// Whether time and memory grow with the size alone.
fn growth() -> Result<(), String> {
    println!(
        "growth:\n\n| bytes | export s | MB | pack s | MB | `wc -l` s |\n|---|---|---|---|---|---|"
    );
    let mut sizes = vec![1_000_000, 10_000_000, 100_000_000];
    if wants("growth") || wants("all") {
        sizes.push(1_000_000_000);
    }
    if wants("all") {
        sizes.push(10_000_000_000);
    }
    for size in sizes {
        let path = made::session("claude", size)?;
        let path = path.display();
        let lines = [
            Line::new(&format!("{SEGUE} export -q {path}")),
            Line::new(&format!("{SEGUE} pack -q --budget 4000 {path}")),
            Line::new(&format!("wc -l {path}")),
        ];
        // What is read for the first time comes from the disk.
        in_turns(&lines[2..], 1);
        let rounds = if size > 100_000_000 { 1 } else { cost::ROUNDS };
        let costs = in_turns(&lines, rounds);
        let [export, pack, wc] = [0, 1, 2].map(|at: usize| costs[at].1);
        println!(
            "| {size} | {:.3} | {:.0} | {:.3} | {:.0} | {:.3} |",
            export.cpu, export.peak_mb, pack.cpu, pack.peak_mb, wc.cpu
        );
    }
    println!();
    Ok(())
}

/// Prints what each command took; the first is what the others are held against.
fn table(title: &str, base: &str, costs: &[(String, Cost)]) {
    println!("{title}:\n\n| command | CPU ms | × {base} | peak MB |\n|---|---|---|---|");
    let first = costs[0].1.cpu.max(1e-6);
    for (line, cost) in costs {
        let line = line.replace(SEGUE, "segue");
        let ratio = cost.cpu / first;
        println!("| {line} | {:.1} | {ratio:.2} | {:.0} |", cost.cpu * 1000.0, cost.peak_mb);
    }
    println!();
}
