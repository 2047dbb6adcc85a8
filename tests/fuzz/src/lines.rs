//! Lines and documents: the quick pass counts what the careful one counts, and a document has the
//! values that `serde_json` gives it.

use segue::json;
use segue::jsonl::{Fault, Input, document, each_record, skim};
use segue::note::{Fate, Notes};
use serde::de::IgnoredAny;
use serde_json::Value;

/// Goes through `bytes` as lines and as one document.
pub fn hold(bytes: &[u8]) {
    let input = Input::memory("fuzzed", bytes);
    if input.head(1).is_err() {
        return;
    }
    let take = |text: &str| -> Result<Fate, Fault> {
        json::from_str::<IgnoredAny>(text)?;
        Ok(Fate::Used)
    };
    let (mut careful, mut quick) = (Vec::new(), Vec::new());
    let one = each_record(&input, &mut Notes::default(), |line, text, _| {
        let fate = take(text)?;
        careful.push((line, text.len()));
        Ok(fate)
    });
    let other = skim(&input, |line, text| {
        let fate = take(text)?;
        quick.push((line, text.len()));
        Ok(fate)
    });
    assert_eq!(one.as_ref().ok(), other.as_ref().ok());
    let numbers = |found: &[(u64, usize)]| found.iter().map(|one| one.0).collect::<Vec<_>>();
    assert_eq!(numbers(&careful), numbers(&quick));
    let Ok(tally) = one else { return };
    let mut lines = input.lines().expect("memory");
    let mut joined = Vec::new();
    while let Some(line) = lines.next_line().expect("memory") {
        joined.extend_from_slice(line.bytes);
        joined.extend_from_slice(if line.ended { b"\n" } else { b"" });
        assert!(line.number <= tally.lines_read);
    }
    let whole = input.head(usize::MAX).expect("memory");
    assert!(joined == whole, "the lines do not make the source");
    let half = input.again().expect("memory").until_line(tally.lines_read / 2).expect("memory");
    assert!(whole.starts_with(&half.head(usize::MAX).expect("memory")));
    one_document(&input);
}

fn one_document(input: &Input) {
    let ours = document(input);
    let bytes = input.all().expect("memory");
    let Ok(text) = std::str::from_utf8(&bytes) else { return };
    match (ours, serde_json::from_str::<Value>(text)) {
        (Ok(ours), Ok(theirs)) => assert!(same(&ours, &theirs), "{ours}\n{theirs}"),
        (Ok(_), Err(error)) => assert!(text.contains("\\u"), "taken, but {error}"),
        (Err(error), Ok(_)) => assert!(error.to_string().contains("too deep"), "{error}"),
        (Err(_), Err(_)) => {}
    }
}

/// Whether two values are the same; the parser of documents reads `-0` as a whole number.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a.as_f64() == Some(0.0) && b.as_f64() == Some(0.0))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let equal = |(key, value)| b.get(key).is_some_and(|other| same(value, other));
            a.len() == b.len() && a.iter().all(equal)
        }
        _ => ours == theirs,
    }
}
