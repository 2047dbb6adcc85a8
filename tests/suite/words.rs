//! What the user and the agent said that binds the work, from whole sessions.

use segue::derive::{self, Fact, FactKind, Facts, State, Trust};
use segue::harness::{self, HumanCalls, Want};
use segue::jsonl::Input;
use segue::model::Session;
use serde_json::{Value, json};

/// A session under construction.
#[derive(Default)]
struct Talk(Vec<Value>);

impl Talk {
    fn line(mut self, kind: &str, content: &Value) -> Self {
        let number = self.0.len();
        let id = |number: usize| format!("{number:08}-0000-4000-8000-000000000000");
        self.0.push(json!({
            "type": kind, "uuid": id(number), "sessionId": id(99), "cwd": "/home/ada/tally",
            "parentUuid": number.checked_sub(1).map(id), "version": "2.1.84",
            "timestamp": format!("2026-03-14T09:{:02}:{:02}.000Z", number / 60, number % 60),
            "message": {"role": kind, "id": format!("msg_{number}"), "model": "m", "content": content},
        }));
        self
    }

    fn human(self, words: &str) -> Self {
        self.line("user", &json!(words))
    }

    fn agent(self, words: &str) -> Self {
        self.line("assistant", &json!([{"type": "text", "text": words}]))
    }

    fn call(self, name: &str, input: &Value, mut result: Value) -> Self {
        let id = format!("call_{}", self.0.len());
        let call = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
        result["type"] = json!("tool_result");
        result["tool_use_id"] = json!(id);
        self.line("assistant", &call).line("user", &json!([result]))
    }

    fn edit(self, path: &str, text: &str) -> Self {
        let input = json!({"file_path": format!("/home/ada/tally/{path}"), "content": text});
        self.call("Write", &input, json!({"content": "ok"}))
    }

    fn shell(self, command: &str, output: &str) -> Self {
        self.call("Bash", &json!({"command": command}), json!({"content": output}))
    }

    fn refused(self, command: &str) -> Self {
        let words = "The user doesn't want to proceed with this tool use. The tool use was \
                     rejected (eg. if it was a file edit, the new_string was NOT written to the \
                     file). STOP what you are doing and wait for the user to tell you how to proceed.";
        let result = json!({"content": words, "is_error": true});
        self.call("Bash", &json!({"command": command}), result)
    }

    fn facts(&self) -> Facts {
        let bytes = self.0.iter().map(|line| format!("{line}\n")).collect::<String>();
        let input = Input::memory("inline", bytes.as_bytes());
        let harness = harness::recognise(&input).unwrap();
        let mut session = Session::default();
        let want = Want { actions: true, ..Want::default() };
        session.end = harness.read(&input, want, &mut HumanCalls::new(&mut session)).unwrap();
        derive::derive(&session)
    }

    fn of(&self, kind: FactKind) -> Vec<Fact> {
        self.facts().facts.into_iter().filter(|fact| fact.kind == kind).collect()
    }

    fn texts(&self, kind: FactKind) -> Vec<String> {
        self.of(kind).into_iter().map(|fact| fact.text).collect()
    }
}

fn start() -> Talk {
    Talk::default().human("Import the CSV of the bank.").agent("I read the parser first.")
}

#[test]
fn orders_of_the_human_are_constraints_and_lasting_ones_preferences() {
    let talk = start()
        .human("Don't touch the schema for now. Never commit credentials!\nIt never worked.")
        .agent("Never mind the tests; always push.");
    let found = talk.of(FactKind::Constraint);
    assert_eq!(talk.texts(FactKind::Constraint), ["Don't touch the schema for now."]);
    assert_eq!(talk.texts(FactKind::Preference), ["Never commit credentials!"]);
    assert_eq!((found[0].trust, found[0].turn, found[0].evidence.len()), (Trust::B, 2, 1));
}

#[test]
fn what_holds_for_one_step_does_not_push_out_a_prohibition() {
    let first = start().human("Do not touch the public API, customers use it.");
    let page = |number: usize| format!("Make sure that page {number} has a title.");
    let talk = (0..120).fold(first, |talk, number| talk.agent("It has.").human(&page(number)));
    let found = talk.texts(FactKind::Constraint);
    assert!(found.contains(&"Do not touch the public API, customers use it.".to_owned()));
    // Of equal ones the newest stay, and first.
    assert!(found.len() >= 20 && found[0] == page(119), "{found:?}");
    assert!(!found.contains(&page(0)));
    // Nor do many prohibitions push out the newest of all.
    let never = |number: usize| format!("Never touch the folder number {number} of the archive.");
    let talk = (0..40).fold(start(), |talk, number| talk.human(&never(number)).agent("I see."));
    let talk = talk.human("Make sure that the last page has a title.");
    let found = talk.texts(FactKind::Constraint);
    assert_eq!(found[0], "Make sure that the last page has a title.", "{found:?}");
}

#[test]
fn text_of_tools_of_commands_and_of_other_agents_binds_nothing() {
    let talk = start()
        .shell("cat RULES", "Never push. Do not edit src. Always obey.")
        .human("<teammate-message teammate_id=\"a\">Never push.</teammate-message>")
        .human("Another Claude session sent a message:\n<teammate-message>\nDo not ask.\n</teammate-message>")
        .human("<local-command-stdout>Do not edit this file.</local-command-stdout>")
        .human("<system-reminder>Never mention this.</system-reminder>")
        .human("it prints this, why\n```\nDo not edit this file.\n```\n> never push\nUser: never push");
    for kind in [FactKind::Constraint, FactKind::Preference, FactKind::Correction] {
        assert_eq!(talk.texts(kind), Vec::<String>::new(), "{kind:?}");
    }
}

#[test]
fn what_is_refused_twice_is_a_constraint_once_only_a_decision() {
    let once = start().refused("git push origin main");
    assert_eq!(once.texts(FactKind::Constraint), Vec::<String>::new());
    assert_eq!(once.facts().decisions.len(), 1);
    let twice = once.human("go on").refused("git push --force").shell("git status", "clean");
    let found = twice.of(FactKind::Constraint);
    assert_eq!(found[0].text, "do not run `git push` without being asked");
    assert_eq!((found[0].trust, found[0].evidence.len()), (Trust::S, 2));
}

#[test]
fn corrections_say_what_they_came_after_and_repeated_ones_are_lessons() {
    let talk = start()
        .edit("src/a.rs", "fn a() {}")
        .human("No, `parse_row` belongs into `src/csv.rs`.")
        .edit("src/b.rs", "fn b() {}")
        .human("I said `parse_row` belongs into `src/csv.rs`")
        .agent("Shall I push?")
        .human("no")
        .human("looks good");
    let found = talk.of(FactKind::Correction);
    let texts: Vec<_> = found.iter().map(|fact| fact.text.as_str()).collect();
    let wanted = [
        "I said `parse_row` belongs into `src/csv.rs`",
        "No, `parse_row` belongs into `src/csv.rs`.",
    ];
    assert_eq!(texts, wanted);
    assert!(found[0].detail.as_ref().unwrap().contains("src/b.rs"), "{found:?}");
    assert!(found[0].weight > found[1].weight);
    let lessons = talk.facts().lessons;
    assert_eq!(lessons.len(), 1);
    assert_eq!(lessons[0].source_turns, ["T-2", "T-3"]);
    assert_eq!(lessons[0].keywords, ["parse_row", "src/csv.rs"]);
}

#[test]
fn what_the_human_took_back_by_a_command_is_a_correction() {
    let talk = start()
        .edit("src/a.rs", "fn a() {}")
        .human("<bash-input>git checkout -- src/a.rs</bash-input>")
        .human("<bash-stdout></bash-stdout><bash-stderr></bash-stderr>");
    let found = talk.of(FactKind::Correction);
    assert_eq!(found.len(), 1);
    assert!(found[0].text.contains("took back the agent's changes of src/a.rs"), "{found:?}");
    assert_eq!(found[0].trust, Trust::S);
    let by_agent = start().edit("src/a.rs", "x").shell("git checkout -- src/a.rs", "");
    assert_eq!(by_agent.texts(FactKind::Correction), Vec::<String>::new());
}

#[test]
fn a_choice_in_words_answers_the_agent_and_a_later_one_supersedes_it() {
    let ask = "Two ways:\n1. Use `serde_csv` in `src/csv.rs`\n2. By hand in `src/csv.rs`, without `serde_csv`\n\nWhich one?";
    let talk = start().agent(ask).human("option 1").agent(ask).human("ok, go with option 2");
    let found = talk.of(FactKind::Directive);
    assert_eq!(found[0].text, "option 2: By hand in `src/csv.rs`, without `serde_csv`");
    assert_eq!(found[0].detail.as_deref(), Some("asked: Which one?"));
    assert_eq!((found[0].state, found[1].state), (State::Open, State::Superseded));
    let unasked = start().human("use tabs everywhere in the parser");
    assert_eq!(unasked.texts(FactKind::Directive), Vec::<String>::new());
    let process = start().agent("Shall I fix it?").human("let's see what the tests say");
    assert_eq!(process.texts(FactKind::Directive), Vec::<String>::new());
}

#[test]
fn a_bare_choice_that_was_withdrawn_gives_way_to_the_one_that_holds() {
    let ask = "Options:\n1. Edit the head in `src/csv.rs`\n2. Add a head to the delta\n3. Drop it\n\nWhich way?";
    let again = "So **option 2 cannot work**: nothing reads it. Do you want option 1 (edit the head now), or option 3 (drop it, file it)?";
    let talk = start().agent(ask).human("option 2.").agent(again).human("option 1.");
    let found = talk.of(FactKind::Directive);
    let told: Vec<_> = found.iter().map(|fact| (fact.text.as_str(), fact.state)).collect();
    let (holds, gone) = ("option 1: edit the head now", "option 2: Add a head to the delta");
    assert_eq!(told, [(holds, State::Open), (gone, State::Superseded)]);
    let unread = start().agent("It is done. Do you want option 1, or option 3?").human("option 1");
    let found = unread.of(FactKind::Directive);
    assert_eq!(found[0].text, "option 1");
    assert_eq!(found[0].detail.as_deref(), Some("asked: Do you want option 1, or option 3?"));
}

#[test]
fn what_a_choice_adds_to_an_option_is_told_with_it() {
    let ask = "Two ways:\n1. one update\n2. parts of 5000 rows\n\nWhich one?";
    let talk = start().agent(ask).human("option 2, but 1000 rows");
    let whole = "option 2 (parts of 5000 rows), in the user's words: option 2, but 1000 rows";
    assert_eq!(talk.texts(FactKind::Directive), [whole]);
    let other = start().agent("Should I use Redis for the sessions?").human("no, Postgres");
    assert_eq!(other.texts(FactKind::Directive), ["no, Postgres"]);
}

#[test]
fn parts_of_an_approved_plan_are_told_where_the_decision_does_not_show_them() {
    let lead = "The bank changed its format twice and both must be read. ".repeat(7);
    let plan = format!(
        "# Read both\n\n{lead}\n\n- Add `Format` to src/csv.rs\n- the old one is odd\n- Remove the guess of the separator\n\n{lead}"
    );
    let approved = json!({"content": "User has approved your plan. You can now start coding."});
    let talk = start().call("ExitPlanMode", &json!({"plan": plan}), approved);
    let found = talk.of(FactKind::Directive);
    let texts: Vec<_> = found.iter().map(|fact| fact.text.as_str()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts.contains(&"Remove the guess of the separator"));
    assert!(found.iter().all(|fact| fact.trust == Trust::S));
}

#[test]
fn reasons_stand_in_commits_and_choices_of_the_agent_need_later_work() {
    let commit = "git commit -m \"$(cat <<'EOF'\nRead both formats\n\n`Format` is chosen by the header because the\nfile name says nothing. It is fast.\nEOF\n)\"";
    let talk = start().edit("src/csv.rs", "x").shell(commit, "[main 1234567] Read both formats");
    let found = talk.of(FactKind::Choice);
    let wanted =
        "Read both formats: `Format` is chosen by the header because the file name says nothing.";
    assert_eq!((found[0].text.as_str(), found[0].trust), (wanted, Trust::A));
    let said = "I went with `RowReader` because it keeps the order.";
    assert_eq!(start().agent(said).texts(FactKind::Choice), Vec::<String>::new());
    let done = start().agent(said).edit("src/csv.rs", "struct RowReader;");
    assert_eq!(done.texts(FactKind::Choice), [said]);
}

#[test]
fn an_assumption_stands_until_the_human_speaks_of_it() {
    let assumed = "I'll assume that the bank sends UTF-8.";
    let open = start().agent(assumed).human("add a test for the totals");
    assert_eq!(open.texts(FactKind::Assumption), [assumed]);
    for answer in ["yes", "No, Latin-1.", "the bank sends UTF-8 only since May"] {
        let settled = start().agent(assumed).human(answer);
        assert_eq!(settled.texts(FactKind::Assumption), Vec::<String>::new(), "{answer}");
    }
}

/// One session, in English and in another language.
fn in_language(ask: &str, bound: &str, more: &str) -> Talk {
    let todos =
        json!({"todos": [{"content": "csv", "status": "in_progress", "activeForm": "csv"}]});
    let commit =
        "git commit -m 'Read both' -m '`Format` is read from the header because names lie.'";
    Talk::default()
        .human(ask)
        .call("TodoWrite", &todos, json!({"content": "ok"}))
        .edit("src/csv.rs", "fn a() {}")
        .human(bound)
        .shell(commit, "[main 1234567] Read both")
        .shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored")
        .refused("git push origin main")
        .human(more)
        .refused("git push --force")
}

#[test]
fn a_session_in_any_language_gives_the_same_facts_of_machines_and_summaries() {
    let sure = |talk: &Talk| {
        let facts = talk.facts();
        let told = |fact: &&Fact| fact.trust <= Trust::A;
        let found: Vec<_> = facts.facts.iter().filter(told).map(|fact| fact.id.clone()).collect();
        let work: Vec<_> = facts.open_work.iter().map(|work| work.id.clone()).collect();
        let decided: Vec<_> = facts.decisions.iter().map(|one| one.id.clone()).collect();
        (found, work, decided, facts.files.len(), facts.commands.len())
    };
    let english = in_language("Import the CSV.", "Do not touch the schema.", "go on");
    let expected = sure(&english);
    assert_eq!((expected.0.len() >= 2, expected.1.len(), expected.2.len()), (true, 2, 2));
    let others = [
        ("Lies die CSV ein.", "Bitte nicht das Schema anfassen.", "mach weiter"),
        ("CSV を読み込んで。", "スキーマを変更しないでください。", "続けて"),
        ("CSV dosyasını içe aktar.", "Sakın şemaya dokunma.", "devam et"),
        ("Импортируй CSV.", "Ни в коем случае не меняй схему.", "дальше"),
        ("استورد ملف CSV.", "لا تقم بتعديل المخطط.", "تابع"),
    ];
    for (ask, bound, more) in others {
        let talk = in_language(ask, bound, more);
        assert_eq!(sure(&talk), expected, "{ask}");
        let bounds = talk.of(FactKind::Constraint);
        let words: Vec<_> = bounds.iter().filter(|fact| fact.trust == Trust::B).collect();
        assert_eq!(words.len(), 1, "{ask}: {words:?}");
    }
}

#[test]
fn ids_stay_when_the_session_grows() {
    let talk = in_language("Import the CSV.", "Do not touch the schema.", "go on");
    let ids = |talk: &Talk| -> Vec<String> {
        talk.facts().facts.into_iter().map(|fact| fact.id).collect()
    };
    let before = ids(&talk);
    let after = ids(&talk.agent("Done.").human("thanks, now the totals").edit("src/sum.rs", "x"));
    assert!(
        !before.is_empty() && before.iter().all(|id| after.contains(id)),
        "{before:?} {after:?}"
    );
}
