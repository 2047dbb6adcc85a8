//! The two parsers of JSON on one large value, and on lines that are only looked into.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cost::ROUNDS;

/// Size of the generated document, in bytes, more or less.
const DOCUMENT_BYTES: usize = 20_000_000;

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

/// Compares them.
pub(crate) fn parsers() {
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
