//! The checks of native files: any bytes get an answer.

use segue::harness;
use segue::jsonl::Input;

/// Has each harness check `bytes`.
pub fn hold(bytes: &[u8]) {
    let input = Input::memory("fuzzed", bytes);
    for of in harness::ALL {
        let Some(writer) = of.writer() else { continue };
        match writer.check(&input) {
            Ok(found) => {
                let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
                assert!(found.iter().all(|one| one.line <= lines), "a line that is not there");
            }
            Err(error) => assert_eq!(error.exit_code(), 3, "{error}"),
        }
    }
}
