//! How a session ended, and what is to be gone on from then: words that an error followed, a plan or a question
//! that waits for the user, thanks, a recap.

use serde_json::{Value, json};

use super::carried;
use super::program::Call;
use super::status::{edit, pack, printed, segue, shell, status, told};

const LIMIT: &str = "You've hit your session limit · resets 3pm";

fn recap(text: &str) -> Value {
    json!({ "recap": text })
}

#[test]
fn a_recap_says_that_the_user_is_asked_where_the_words_before_it_ask() {
    let work = edit("src/a.rs", "x", "y");
    let asks =
        "Go on from the recap above: the user is asked something that is not answered yet.\n";
    let next = recap("The importer is written. Next: push it and open a request for it.");
    let asked = [work.clone(), json!("It is written. Shall I push it?"), next.clone()];
    assert!(printed(&asked).contains(asks), "{}", printed(&asked));
    // So does a recap that leaves it to the user by itself.
    let decide = recap("The importer is written. Next: decide whether it is one change or two.");
    let left = [work.clone(), json!("It is written."), decide];
    assert!(printed(&left).contains(asks), "{}", printed(&left));
    assert_eq!(status(&left)["reasons"], json!(["missing_evidence", "waits_for_user"]));
    let told = [work, json!("It is written."), next];
    assert!(printed(&told).contains("\nGo on from the recap above.\n"), "{}", printed(&told));
}

#[test]
fn an_error_at_the_end_does_not_take_the_place_of_what_the_agent_said() {
    let said = "Two fail because of the quote rule. I mend that now.";
    let error = json!({ "error": LIMIT });
    let open = format!("- [ ] the session ended with an error: {LIMIT} (W-");
    let work = [shell("ls", "a.rs"), json!(said)];
    // Right behind the words.
    let text = printed(&[&work[..], std::slice::from_ref(&error)].concat());
    let words = format!("The agent's last words: {said}\n");
    assert!(text.contains(&words) && text.contains(&open), "{text}");
    assert!(text.contains("Go on from the agent's last words above."), "{text}");
    // Behind what was done since.
    let since = [&work[..], &[edit("src/a.rs", "x", "y"), error.clone()]].concat();
    let text = printed(&since);
    assert!(text.contains(&words) && text.contains(&open), "{text}");
    assert!(text.contains("Done since: edited src/a.rs"), "{text}");
    assert!(
        text.contains("Go on after what was done since the agent's last words above."),
        "{text}"
    );
    // A question stays one.
    let asked = [json!("It is written. Shall I push it?"), error.clone()];
    let reasons = &status(&asked)["reasons"];
    assert_eq!(reasons, &json!(["pending_items_open", "waits_for_user"]), "{reasons}");
    // What the user stopped is told with what was said before, and is for the user to say.
    let stopped = [&work[..], &[told("[Request interrupted by user]")]].concat();
    let text = printed(&stopped);
    assert!(text.contains(&words) && text.contains("The user stopped this"), "{text}");
    // Of an earlier turn nothing is the last.
    let text = printed(&[&work[..], &[told("and the docs"), error]].concat());
    assert!(!text.contains("The agent's last words") && text.contains("Then go on"), "{text}");
}

#[test]
fn who_only_waits_has_not_gone_on_since_its_last_words() {
    let said = "It is pushed. I'm watching the checks until they have ended.";
    let watch = json!({"name": "Bash", "input": {"command": "gh run watch 7", "run_in_background": true}, "output": "Command running in background with ID: b1"});
    let poll = json!({"name": "BashOutput", "input": {"bash_id": "b1"}, "output": "<status>running</status>\n<stdout>* unit in progress</stdout>"});
    let waits = [&[json!(said), watch][..], &vec![poll; 15]].concat();
    let text = printed(&waits);
    assert!(text.contains(&format!("The agent's last words: {said}\n")), "{text}");
    let open = status(&waits)["open"].to_string();
    assert!(open.contains("I'm watching the checks"), "{open}");
    let look = shell("sleep 60; tail -5 /tmp/b1.output; gh pr checks 7", "unit\tpending");
    let waits = [&[json!(said)][..], &vec![look; 15]].concat();
    assert!(printed(&waits).contains(&format!("The agent's last words: {said}\n")));
    // What it only thinks is no step.
    let thinks =
        (0..10).flat_map(|at| [json!({"thought": "hm"}), shell(&format!("cat a{at}.rs"), "x")]);
    let thinks = std::iter::once(json!(said)).chain(thinks).collect::<Vec<_>>();
    assert!(printed(&thinks).contains(&format!("The agent's last words: {said}\n")));
    // After as many steps that do something what was announced is long past.
    let looks: Vec<_> = (0..15).map(|at| shell(&format!("cat src/a{at}.rs"), "x")).collect();
    let went_on = [&[json!(said)][..], &looks].concat();
    assert!(!printed(&went_on).contains("The agent's last words"));
    assert!(!status(&went_on)["open"].to_string().contains("I'm watching"));
}

#[test]
fn of_a_list_with_nothing_begun_the_first_entry_is_not_what_comes_next() {
    let list = |first: &str| {
        let one = |text: &str, status: &str| json!({"content": text, "status": status, "activeForm": text});
        let todos = [one("read the parser", first), one("move the dates", "pending")];
        json!({"name": "TodoWrite", "input": {"todos": todos}, "output": "ok"})
    };
    let next = |steps: &[Value]| pack(steps)["now"]["next"].as_str().unwrap_or("").to_owned();
    let goes_on =
        [json!("I've read the parser. Now I move the dates."), shell("cat src/b.rs", "x")];
    let said = [&[list("pending")][..], &goes_on].concat();
    assert_eq!(next(&said), "I've read the parser. Now I move the dates.");
    for (first, rest) in [("in_progress", &goes_on[..]), ("pending", &goes_on[1..])] {
        let steps = [&[list(first)], rest].concat();
        assert_eq!(next(&steps), "go on with: read the parser", "{first}");
    }
}

#[test]
fn a_plan_or_a_question_that_was_not_answered_stands_in_the_card() {
    let plan = "# Import amounts\n\n1. Read the sign\n2. Write the tests";
    let proposed = [json!({"name": "ExitPlanMode", "input": {"plan": plan}})];
    let text = printed(&proposed);
    let quoted = "The agent's last words:\n> # Import amounts\n>\n> 1. Read the sign\n> 2. Write the tests\n";
    let asks = "they ask the user something that is not answered yet.";
    assert!(text.contains(quoted) && text.contains(asks), "{text}");
    let open = segue(&["status", "-"], &proposed).stdout;
    assert!(
        open.contains("open: the plan waits for the user's approval: # Import amounts"),
        "{open}"
    );
    let question = json!({"questions": [{"question": "Where shall it go?", "header": "Place",
        "options": [{"label": "a bucket"}, {"label": "the registry"}]}]});
    let asked = [json!({"name": "AskUserQuestion", "input": question})];
    let text = printed(&asked);
    assert!(text.contains("> Where shall it go?\n> - a bucket\n> - the registry\n"), "{text}");
    let open = segue(&["status", "-"], &asked).stdout;
    assert!(open.contains("open: the user has not answered: Where shall it go?"), "{open}");
    assert_eq!(status(&asked)["reasons"], json!(["pending_items_open", "waits_for_user"]));
    // What was answered does not wait.
    let answered = [json!({"name": "ExitPlanMode", "input": {"plan": plan}, "output": "approved"})];
    assert_eq!(pack(&answered)["now"]["asks"], json!(false));
}

#[test]
fn thanks_are_no_goal() {
    let rest = "The page of amounts is written. The page of dates is still missing.";
    let work = [edit("docs/amounts.md", "x", "y"), json!(rest)];
    for (thanks, answer) in [
        ("thanks, that is all for today", Some("You are welcome.")),
        ("谢谢，今天就到这里", Some("不客气。")),
        ("perfect, thanks!", None),
    ] {
        let answer = answer.map(|words| json!(words));
        let steps = [&work[..], &[told(thanks)], answer.as_slice()].concat();
        let now = &pack(&steps)["now"];
        assert_eq!(now["goal_id"], json!("T-1"), "{now}");
        assert_eq!(now["last_words"]["text"], json!(rest), "{now}");
        let text = segue(&["status", "-"], &steps).stdout;
        assert!(text.contains("mentioned: The page of dates is still missing."), "{text}");
    }
    // What asks for more, answers a question, or is followed by work is a request.
    let said = |steps: &[Value]| pack(steps)["now"]["goal_id"].clone();
    for steps in [
        [&work[..], &[told("thanks, now the page of dates")]].concat(),
        vec![json!("Is the page right?"), told("perfect, thanks")],
        [&work[..], &[told("thanks"), edit("docs/dates.md", "x", "y"), json!("Done.")]].concat(),
    ] {
        assert_eq!(said(&steps), json!("T-2"), "{steps:?}");
    }
}

#[test]
fn a_script_of_agents_that_runs_on_is_open_work() {
    let script = "export const meta = {\n  name: 'audit',\n  description: 'Verify every finding of the audit',\n}";
    let launched = "Workflow launched in background. Task ID: wabc123\nSummary: Verify every finding of the audit";
    let run = json!({"name": "Workflow", "input": {"script": script}, "output": launched});
    let works = &pack(&[run, json!("While that runs, I look at the rest.")])["open_work"];
    let told = works.as_array().unwrap().iter().find(|work| work["source"] == json!("agent"));
    assert_eq!(told.unwrap()["text"], json!("Verify every finding of the audit"), "{works}");
}

#[test]
fn an_agent_that_was_sent_off_for_an_earlier_request_is_not_forgotten() {
    let launched = "Async agent launched successfully.\nagentId: a7f2 (internal ID)\nThe agent is working in the background.";
    let input =
        json!({"description": "Survey the readers", "prompt": "Look", "run_in_background": true});
    let agent = json!({"name": "Agent", "input": input, "output": launched});
    let steps = [agent, json!("It looks."), told("how is it called?"), json!("It is called tool.")];
    let works = pack(&steps)["open_work"].clone();
    let told =
        "an agent was sent off in T-1, and nothing tells that it came back: Survey the readers";
    assert_eq!(works[0]["text"], json!(told), "{works}");
    // A part of what was asked for is missing.
    assert_eq!(status(&steps)["reasons"], json!(["pending_items_open"]));
    let text = segue(&["status", "-"], &steps).stdout;
    assert!(text.contains(&format!("open: {told} (agent, W-")), "{text}");
    // Somebody who looked at what it does may know what it found.
    let look = shell("cat /tmp/tasks/a7f2.output", "The readers are three.");
    let looked = [&steps[..], &[look, json!("The readers are three.")]].concat();
    let status = status(&looked);
    assert_eq!(status["open"][0]["source"], json!("running"), "{status}");
    assert_eq!(status["done"], json!(true), "{status}");
}

#[test]
fn commands_that_are_left_to_the_user_stand_on_a_line_that_says_the_same() {
    let left =
        "Ready. Please run:\n\n```bash\ngit add src/a.rs && \\\n  git commit -m x\ngit push\n```";
    let open = |session: &[Value]| segue(&["status", "-"], session).stdout;
    let work = edit("src/a.rs", "x", "y");
    let told = "(git commit): git add src/a.rs && git commit -m x; git push (";
    let status = open(&[work.clone(), json!(left)]);
    assert!(status.contains(told), "{status}");
    // What was run on one line was not left.
    let ran = shell("git add src/a.rs && git commit -m x; git push", "[main abc1234] x");
    let status = open(&[work, ran, json!(left)]);
    assert!(!status.contains("left to the user"), "{status}");
}

#[test]
fn the_closing_line_says_that_the_turn_has_no_answer_yet() {
    let (said, change, look) =
        (json!("I read the module first."), edit("src/a.rs", "x", "y"), shell("ls src", "a.rs"));
    let close = |steps: &[Value]| {
        let text = printed(steps);
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines[lines.len() - 2].clone()
    };
    for (steps, told) in [
        (
            [said.clone(), look.clone()].as_slice(),
            "The turn has no answer yet: go on from the agent's last words above.",
        ),
        (
            &[said.clone(), change.clone(), look.clone()],
            "The turn has no answer yet: go on after what was done since the agent's last words above.",
        ),
        (
            &[change.clone(), look.clone()],
            "The turn has no answer yet: go on with the goal above (T-1).",
        ),
        (
            &[change.clone(), json!("The reader is written. Now I will write its tests.")],
            "Go on from the agent's last words above: what they announce was not done yet.",
        ),
    ] {
        assert_eq!(close(steps), told);
        let reasons = &status(steps)["reasons"];
        assert!(reasons.to_string().contains("pending_items_open"), "{reasons}");
    }
    // What else is said of the end says it already.
    let list = json!({"name": "TodoWrite", "output": "ok", "input": {"todos": [
        {"content": "parse the amounts", "status": "pending", "activeForm": "parsing"}]}});
    for steps in [
        [change.clone(), json!("The reader is written.")].as_slice(),
        &[change.clone(), json!("It is written. Shall I push it?")],
        &[change.clone(), json!("The reader is written."), told("and its tests")],
        &[said, list, look],
    ] {
        let closing = close(steps);
        assert!(!closing.contains("no answer yet") && !closing.contains("announce"), "{closing}");
    }
}

#[test]
fn a_turn_that_was_broken_off_says_so_and_not_what_was_said_on_the_way() {
    let stop = json!({"told": [{"type": "text", "text": "[Request interrupted by user]"}]});
    let (said, change) = (json!("Let me look at the module."), edit("src/a.rs", "x", "y"));
    let later = [told("and the page"), json!("The page is there.")];
    let error = json!({ "error": LIMIT });
    let failed = "changed src/a.rs; ended by an error of the harness";
    for (steps, outcome) in [
        ([said.clone(), stop.clone()].as_slice(), "stopped by the user"),
        (&[said.clone(), change.clone(), stop], "changed src/a.rs; stopped by the user"),
        (&[said.clone(), change, error.clone()], failed),
        // What went on after it, or was said before, stands.
        (&[said, error.clone(), json!("The module is fine.")], "The module is fine."),
        (&[json!("The module is fine."), error], "The module is fine."),
    ] {
        let steps = [steps, &later].concat();
        let line = format!("→ {outcome}\n");
        let shown = segue(&["show", "T-1", "--level", "tiny", "--session", "-"], &steps).stdout;
        assert!(shown.contains(&line), "{shown}");
    }
}

#[test]
fn an_answer_that_the_harness_cut_off_at_its_end_is_one() {
    let answer = json!({"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "The module is fine."}]});
    for (reason, outcome) in
        [("replaced", "The module is fine."), ("interrupted", "stopped by the user")]
    {
        let mut lines = carried::codex(std::slice::from_ref(&answer));
        let over = json!({"type": "turn_aborted", "reason": reason});
        lines.push(carried::record(8, "event_msg", &over));
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let shown = Call::new("nobody", &["show", "T-1", "--level", "tiny", "--session", "-"])
            .stdin(text.as_bytes())
            .run();
        assert!(shown.stdout.contains(&format!("go → {outcome}\n")), "{}", shown.stdout);
    }
}

#[test]
fn a_server_that_was_stopped_does_not_run_any_more() {
    let begun =
        "Command running in background with ID: b7x. Output is being written to: /tmp/b7x.output.";
    let input = json!({"command": "pnpm dev", "run_in_background": true});
    let server = json!({"name": "Bash", "input": input, "output": begun});
    let stopped = "{\"message\":\"Successfully stopped task: b7x (pnpm dev)\",\"task_id\":\"b7x\"}";
    let stop = json!({"name": "TaskStop", "input": {"task_id": "b7x"}, "output": stopped});
    let look = shell("curl -s localhost:3000/health", "{\"ok\":true}");
    let steps = [server, look, stop, json!("It answers; the server is stopped.")];
    let text = printed(&steps);
    assert!(text.contains("\nLast done: stopped `pnpm dev`\n"), "{text}");
    assert!(text.contains("\n- ran `pnpm dev` → stopped later\n"), "{text}");
    // What changes something counts more.
    let text = printed(&[&[edit("src/a.rs", "x", "y")], &steps[..]].concat());
    assert!(text.contains("\nLast done: edited src/a.rs"), "{text}");
    // What nobody stopped may run on.
    let text = printed(&[&steps[..2], &steps[3..]].concat());
    assert!(!text.contains("stopped later"), "{text}");
}

#[test]
fn only_who_says_that_it_is_done_leaves_nothing_to_ask_for() {
    let work = |words: &str| {
        let passed = shell("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
        printed(&[edit("src/a.rs", "x", "y"), passed, json!(words)])
    };
    let nothing = "Nothing known is left of the goal above (T-1): ask what comes next.";
    let text = work("Done. The importer reads dates.");
    assert!(text.contains(nothing), "{text}");
    let text = work("The draft is there; the part on dates is thin.");
    let neutral = "Go on from the agent's last words above, or ask what comes next: nothing else is known to be open.";
    assert!(text.contains(neutral) && !text.contains(nothing), "{text}");
}
