//! Lists of work in files: what is told of their boxes once work went on.

use serde_json::{Value, json};

use crate::status::{self, edit, printed, shell, status, told};

const LIST: &str = "# Tasks\n\n- [ ] read dates\n- [ ] read times\n- [ ] read zones\n";

fn write(path: &str) -> Value {
    let path =
        if path.starts_with('/') { path.to_owned() } else { format!("/home/ada/tool/{path}") };
    json!({"name": "Write", "input": {"file_path": path, "content": LIST}, "output": "ok"})
}

fn read_list(text: &str) -> Value {
    let rows = text.lines().enumerate().map(|(at, row)| format!("{:>6}\t{row}", at + 1));
    status::read("docs/tasks.md", &rows.collect::<Vec<_>>().join("\n"))
}

/// Returns what is told of lists among what to look at first, and what of that speaks against the work being done.
fn checked(steps: &[Value]) -> (Vec<String>, Vec<String>) {
    let passed = shell("cargo test", "test result: ok. 3 passed; 0 failed");
    let steps = [steps, &[passed, json!("All done.")]].concat();
    let text = printed(&steps);
    let checks = text.split("## Check first\n").nth(1).unwrap_or_default();
    let checks = checks.lines().filter(|line| line.contains(" boxes of "));
    let checks: Vec<_> = checks.map(|line| line.trim_start_matches("- ").to_owned()).collect();
    let status = status(&steps);
    let missing = status["missing"].as_array().unwrap().iter();
    let missing: Vec<_> = missing.map(|line| line.as_str().unwrap().to_owned()).collect();
    assert_eq!(missing.is_empty(), text.contains("Nothing known is left"), "{text}");
    (checks, missing)
}

/// Returns what is told of lists, all of which speaks against the work being done.
fn missing(steps: &[Value]) -> Vec<String> {
    let (checks, missing) = checked(steps);
    assert_eq!(checks, missing);
    checks
}

/// Returns what is told of lists, none of which speaks against the work being done.
fn unsure(steps: &[Value]) -> Vec<String> {
    let (checks, missing) = checked(steps);
    assert_eq!(missing, [""; 0]);
    checks
}

fn tick(item: &str) -> Value {
    edit("docs/tasks.md", &format!("- [ ] {item}"), &format!("- [x] {item}"))
}

#[test]
fn open_boxes_of_a_list_are_told_though_work_went_on() {
    let code = || edit("src/a.rs", "x", "y");
    let seen = |open: usize| {
        format!("{open} of 3 boxes of `docs/tasks.md` were open when it was last seen, in T-1")
    };
    let written = write("docs/tasks.md");
    assert_eq!(missing(&[written.clone(), code()]), [seen(3)]);
    assert_eq!(missing(&[written.clone(), tick("read dates"), code()]), [seen(2)]);
    let read = read_list(LIST);
    assert_eq!(missing(&[read.clone(), code(), tick("read dates"), code()]), [seen(2)]);
    let shown = shell("cat docs/tasks.md", LIST);
    assert_eq!(missing(&[shown, tick("read dates"), code()]), [seen(2)]);
    let by_sed = shell("sed -i 's/- \\[ \\] read dates/- [x] read dates/' docs/tasks.md", "");
    assert_eq!(missing(&[read.clone(), by_sed, code()]), [seen(2)]);
    let by_perl = shell("perl -pi -e 's/\\[ \\] (read d)/[x] $1/' docs/tasks.md", "");
    let since = format!("{}; it was changed since, in T-1", seen(3));
    assert_eq!(unsure(&[read.clone(), by_perl.clone(), code()]), [since]);
    // What is known to be ticked later makes the rest no surer.
    let later = [read.clone(), by_perl.clone(), tick("read times"), code()];
    assert_eq!(unsure(&later), [format!("{}; it was changed since, in T-1", seen(2))]);
    let again = read_list(&LIST.replace("[ ] read dates", "[x] read dates"));
    assert_eq!(missing(&[read, by_perl, again, code()]), [seen(2)]);
    // What a harness says in place of the file is not its text.
    let unchanged = status::read("docs/tasks.md", "File unchanged since last read.");
    assert_eq!(missing(&[written, unchanged, code()]), [seen(3)]);
    let ticked =
        "which boxes of `docs/tasks.md` are open is not known: some were ticked off in T-1";
    assert_eq!(unsure(&[tick("read dates"), code()]), [ticked]);
}

#[test]
fn boxes_are_told_one_by_one_where_the_list_was_kept_last() {
    let code = || edit("src/a.rs", "x", "y");
    let [dates, sed] = [
        tick("read dates"),
        shell("sed -i 's/- \\[ \\] read zones/- [x] read zones/' docs/tasks.md", ""),
    ];
    let open = |steps: &[Value]| {
        let text = printed(steps);
        let lines = text.lines().filter_map(|line| line.strip_prefix("- [ ] read "));
        let lines = lines.map(|line| line.split(" (").next().unwrap_or_default().to_owned());
        (lines.collect::<Vec<_>>(), text.contains(" boxes of "))
    };
    let all = ["dates", "times", "zones"].map(str::to_owned).to_vec();
    assert_eq!(open(&[code(), write("docs/tasks.md")]), (all.clone(), false));
    assert_eq!(open(&[code(), write("docs/tasks.md"), dates.clone()]), (all[1..].to_vec(), false));
    assert_eq!(open(&[read_list(LIST), code(), dates.clone()]), (all[1..].to_vec(), false));
    let ticked = [read_list(LIST), dates.clone()];
    assert_eq!(open(&[&ticked[..], &[sed]].concat()), (vec!["times".to_owned()], false));
    // While the agent is at work it is better to know of them; once it says that it is done nobody knows.
    let work_went_on = [&ticked[..], &[code()]].concat();
    assert_eq!(open(&work_went_on), (all[1..].to_vec(), true));
    let ended = [&work_went_on[..], &[json!("All done.")]].concat();
    assert_eq!(open(&ended), (Vec::new(), true));
    assert_eq!(open(&[write("docs/tasks.md"), code()]), (Vec::new(), true));
}

#[test]
fn boxes_of_a_list_that_was_changed_unseen_are_told_as_last_seen() {
    let script = shell(
        "python3 - <<'EOF'\np='docs/tasks.md'\ns=open(p).read().replace('[ ] read dates', '[x] read dates')\nopen(p,'w').write(s)\nEOF",
        "",
    );
    let steps = [read_list(LIST), script, edit("src/a.rs", "x", "y")];
    let text = printed(&steps);
    let is_told =
        |box_of: &str| text.contains(&format!("- [ ] (as last seen in T-1) read {box_of} ("));
    assert_eq!(["dates", "times", "zones"].map(is_told), [false, true, true], "{text}");
    assert!(text.contains("2 of 3 boxes of `docs/tasks.md`"), "{text}");
    let ended = [&steps[..], &[json!("All done.")]].concat();
    assert!(!printed(&ended).contains("(as last seen"));
    // Nor does anybody know of them in the next piece of work.
    let next = [&ended[..], &[told("look at the checks"), shell("gh pr checks 3", "")]].concat();
    assert!(!printed(&next).contains("(as last seen"));
}

#[test]
fn boxes_that_a_loop_ticks_off_are_known_by_its_words() {
    let list = "- [ ] 1.1 read dates\n- [ ] 1.2 read times\n- [ ] 1.3 read zones\n";
    let line = "for n in 1.1 1.2; do sed -i \"s/- \\[ \\] $n /- [x] $n /\" docs/tasks.md; done; grep -n 1.3 docs/tasks.md";
    let steps = [read_list(list), shell(line, ""), edit("src/a.rs", "x", "y")];
    let text = printed(&steps);
    let is_told = |number: &str| text.contains(&format!("{number} read"));
    assert_eq!(["1.1", "1.2", "1.3"].map(is_told), [false, false, true], "{text}");
    assert!(text.contains("1 of 3 boxes of `docs/tasks.md`"), "{text}");
    // What is known of it stays in the way of the end.
    let loops = &[read_list(list), shell(line, ""), edit("src/a.rs", "x", "y")];
    assert!(missing(loops)[0].starts_with("1 of 3"));
    let page = shell("gh pr create --body 'See docs/tasks.md. - [x] python -m pytest passes'", "");
    assert!(missing(&[read_list(list), tick("1.1 read dates"), page])[0].starts_with("2 of 3"));
    let elsewhere =
        "cd changes/other && for n in 1.1 1.2; do sed -i \"s/\\[ \\] $n /[x] $n /\" tasks.md; done";
    let kept = [read_list(list), tick("1.1 read dates"), shell(elsewhere, "")];
    assert!(missing(&kept)[0].starts_with("2 of 3"), "{:?}", missing(&kept));
    // Where it is not known which it ticks off, nobody knows which are open.
    for line in [
        "for n in 1.{1..2}; do sed -i \"s/- \\[ \\] $n /- [x] $n /\" docs/tasks.md; done",
        "for n in 1.1 1.2 1.3; do [ $n = 1.3 ] || sed -i \"s/- \\[ \\] $n /- [x] $n /\" docs/tasks.md; done",
        "for n in 1.1 1.2; do sed -i \"s/- \\[ \\] $n /- [x] $n /\" docs/tasks.md; break; done",
        "for n in 1.1 1.2; do perl -pi -e \"s/- \\[ \\] $n /- [x] $n /\" docs/tasks.md; done",
    ] {
        let steps = [read_list(list), shell(line, ""), edit("src/a.rs", "x", "y")];
        let hedge = "3 of 3 boxes of `docs/tasks.md` were open when it was last seen, in T-1; it was changed since";
        assert!(unsure(&steps)[0].starts_with(hedge), "{line}\n{:?}", unsure(&steps));
    }
    let rows = "for n in 1.1 1.2\ndo\n  sed -i \"s/- \\[ \\] $n /- [x] $n /\" docs/tasks.md\ndone";
    let steps = [read_list(list), shell(rows, ""), edit("src/a.rs", "x", "y")];
    assert!(missing(&steps)[0].starts_with("1 of 3"), "{:?}", missing(&steps));
    // A box that the newest request names by its number is at hand, however long ago its list was seen.
    let next = |asked: &str| {
        [
            told("look at the logs"),
            json!("They are fine."),
            told("and the ports?"),
            json!("Fine, too."),
            told(asked),
            edit("src/b.rs", "x", "y"),
        ]
    };
    let steps = [read_list(list), tick("1.1 read dates"), json!("1.1 is done.")];
    let later = |asked: &str| printed(&[&steps[..], &next(asked)].concat());
    assert!(later("go on with 1.2, then close it").contains("2 of 3 boxes"));
    assert!(!later("go on with the page of 9.2, then close it").contains("2 of 3 boxes"));
    // Short orders for other work are requests as any other, short answers are none.
    let short = |asked: &str, one: &str, two: &str| {
        let more = [
            json!(asked),
            told(one),
            edit("src/b.rs", "x", "y"),
            json!(asked),
            told(two),
            edit("src/c.rs", "x", "y"),
            json!("That is in."),
        ];
        printed(&[&[read_list(list), tick("1.1 read dates")], &more[..]].concat())
            .contains("2 of 3 boxes")
    };
    assert!(!short("It is in.", "fix logout", "update deps"));
    assert!(short("It is in.", "looks good", "commit it"));
    assert!(short("Which way, 1 or 2?", "2", "1"));
    // To look for ticked boxes changes none.
    let look = shell("grep -n '[x] 1.1' docs/tasks.md > /tmp/a; cat /tmp/a", "");
    assert!(missing(&[read_list(list), tick("1.1 read dates"), look])[0].starts_with("2 of 3"));
}

#[test]
fn boxes_that_are_ticked_off_in_a_list_of_which_an_older_text_is_known_are_not_open() {
    let script =
        shell("python3 - <<'EOF'\np='docs/tasks.md'\nopen(p,'w').write(renumbered(p))\nEOF", "");
    let both = edit(
        "docs/tasks.md",
        "2. done\n- [ ] read dates\n- [ ] read times",
        "2. done\n- [x] read dates\n- [x] read times",
    );
    let steps = [write("docs/tasks.md"), script, both, edit("src/a.rs", "x", "y")];
    let text = printed(&steps);
    let is_told = |about: &str| text.contains(&format!("(as last seen in T-1) read {about}"));
    assert_eq!(["dates", "times", "zones"].map(is_told), [false, false, true], "{text}");
}

#[test]
fn a_list_goes_away_only_where_a_command_moves_it() {
    let confirmed = shell("cat > /tmp/a.md <<'EOF'\nConfirm the archive of docs/tasks.md\nEOF", "");
    let steps = [read_list(LIST), tick("read dates"), confirmed, edit("src/a.rs", "x", "y")];
    assert!(missing(&steps)[0].starts_with("2 of 3 boxes"));
}

#[test]
fn the_list_that_the_request_names_is_told() {
    let [new, old] = ["changes/read-dates/tasks.md", "changes/read-times/tasks.md"].map(write);
    let request = |words: &str| {
        let steps = [new.clone(), old.clone(), json!("Both are planned."), told(words)];
        printed(&[&steps[..], &[edit("src/a.rs", "x", "y")]].concat())
    };
    let is_box = |line: &&str| line.starts_with("- [ ] (as last seen in T-1) read ");
    let boxes = |text: &str| text.lines().filter(is_box).count();
    assert_eq!(boxes(&request("/apply read-dates")), 3);
    assert_eq!(boxes(&request("go on with changes/read-dates/tasks.md")), 3);
    for words in ["/apply read-dates-again", "read the dates of all changes and tasks"] {
        assert_eq!(boxes(&request(words)), 0, "{words}");
    }
    assert_eq!(boxes(&request("go on with changes")), 3);
}

#[test]
fn boxes_can_have_numbers_in_place_of_bullets() {
    let list = json!({"name": "Write", "output": "Wrote it.", "input": {"file_path": "/home/ada/tool/TODO.md",
        "content": "1. [ ] read the rows\n2. [ ] sum them\n"}});
    let ticked = edit("TODO.md", "1. [ ] read the rows", "1. [x] read the rows");
    let steps = [list, edit("src/a.rs", "x", "y"), ticked];
    assert!(printed(&steps).contains("- [ ] sum them (W-"), "{}", printed(&steps));
    let said = [edit("src/a.rs", "x", "y"), json!("Done:\n1. [x] parse\n2. [ ] rotate the key")];
    assert_eq!(status(&said)["reasons"][0], json!("dod_incomplete"));
}

#[test]
fn who_nods_asks_for_no_other_work_than_the_list() {
    let work = [write("docs/tasks.md"), json!("It is planned."), told("go on"), tick("read dates")];
    let more = [json!("One is done."), told("yes"), edit("src/a.rs", "x", "y"), json!("And that.")];
    let again = [told("ok"), edit("src/b.rs", "x", "y")];
    let text = printed(&[&work[..], &more, &again].concat());
    assert!(text.contains("2 of 3 boxes of `docs/tasks.md`"), "{text}");
    // Whatever their language and script.
    for nod in ["好的", "продолжай", "sí, continúa", "続けて"] {
        let again = [told(nod), edit("src/b.rs", "x", "y")];
        let text = printed(&[&work[..], &more, &again].concat());
        assert!(text.contains("2 of 3 boxes of `docs/tasks.md`"), "{nod}: {text}");
    }
}

#[test]
fn a_command_of_the_harness_asks_for_its_list() {
    let done = json!("Done with the first; I stop here.");
    let work = [told("/apply read-dates"), write("docs/tasks.md"), tick("read dates"), done];
    let typo = [told("mend the typo in foo.ts, please"), edit("foo.ts", "x", "y")];
    let text = printed(&[&work[..], &typo].concat());
    assert!(text.contains("2 of 3 boxes of `docs/tasks.md`"), "{text}");
}

#[test]
fn a_box_whose_words_begin_as_those_of_another_is_not_that_one() {
    let list = "- [ ] item 1\n- [ ] item 10\n";
    let row = |mark: &str| format!("- [{mark}] item 1\n");
    let steps =
        [read_list(list), edit("docs/tasks.md", &row(" "), &row("x")), edit("src/a.rs", "x", "y")];
    assert_eq!(missing(&steps).concat().split(" boxes").next(), Some("1 of 2"));
}

#[test]
fn of_a_list_that_is_done_away_or_no_list_of_the_work_nothing_is_told() {
    let code = || edit("src/a.rs", "x", "y");
    let read = read_list(LIST);
    let all = [read.clone(), tick("read dates"), tick("read times"), tick("read zones"), code()];
    assert_eq!(missing(&all), [""; 0]);
    let mut each = edit("docs/tasks.md", "- [ ]", "- [x]");
    each["input"]["replace_all"] = json!(true);
    assert_eq!(missing(&[read.clone(), each, code()]), [""; 0]);
    for shown in ["cd /home/ada/tool && cat docs/tasks.md", "sed -n '1,200p' docs/tasks.md"] {
        let [dates, times, zones] = ["read dates", "read times", "read zones"].map(tick);
        assert_eq!(missing(&[shell(shown, LIST), dates, times, zones]), [""; 0], "{shown}");
    }
    let apart = edit(
        "docs/tasks.md",
        "- [ ] read dates\n- [ ] read zones\n",
        "- [x] read dates\n- [x] read zones\n",
    );
    assert_eq!(missing(&[read.clone(), apart, tick("read times"), code()]), [""; 0]);
    // Who only reads one does not work from it.
    assert_eq!(missing(&[read.clone(), code()]), [""; 0]);
    let away = shell("git mv docs/tasks.md docs/old/tasks.md", "");
    assert_eq!(missing(&[read, tick("read dates"), away, code()]), [""; 0]);
    for path in ["tests/fixtures/tasks.md", "/tmp/tasks.md", "docs/notes.md"] {
        assert_eq!(missing(&[write(path), code()]), [""; 0], "{path}");
    }
}
