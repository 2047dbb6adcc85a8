//! What a hook objected to, and what was begun and goes on: it is open, whatever was said.

use serde_json::{Value, json};

use super::program::Call;
use super::status::{edit, session, shell, told};

const PASSED: &str = "==== 4 passed in 0.10s ====";

#[test]
fn what_a_hook_objected_to_is_open_until_somebody_sees_to_it() {
    let work = [edit("src/a.py", "x", "y"), shell("pytest -q", PASSED), json!("Fixed.")];
    let feedback = "Stop hook feedback:\n- [./check.sh]: the list of changes has no entry";
    let open = |steps: &[Value], hooks: &[&str]| {
        let lines = session(steps);
        let marked = lines.lines().map(|line| {
            let is_hook = hooks.iter().any(|hook| line.contains(hook));
            let mark = if is_hook { "{\"isMeta\":true," } else { "{" };
            line.replacen('{', mark, 1) + "\n"
        });
        let text: String = marked.collect();
        let said = Call::new("nobody", &["status", "-"]).stdin(text.as_bytes()).run().stdout;
        said.lines()
            .filter(|line| line.contains("a hook objected"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let stopped = [&work[..], &[told(feedback)]].concat();
    let found = open(&stopped, &["Stop hook"]);
    assert!(found[0].contains("[./check.sh]: the list of changes has no entry"), "{found:?}");
    let seen = [&stopped[..], &[json!("I wrote the entry.")]].concat();
    assert!(open(&seen, &["Stop hook"]).is_empty());
    // What somebody typed is no hook's.
    assert!(open(&stopped, &[]).is_empty());
}
