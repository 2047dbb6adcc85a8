//! What a record does to the messages before it.

use segue::harness;
use segue::jsonl::Input;
use segue::model::{Body, Item, Origin, Status};

use super::{lines, outline, read, record, said, sound};

#[test]
fn a_rewind_drops_the_message_and_what_follows() {
    let (a, b) = (said("u1", "user", "one"), said("g1", "gemini", "first"));
    let (c, d) = (said("u2", "user", "two"), said("g2", "gemini", "second"));
    let rewind = r#"{"$rewindTo":"u2"}"#;
    let session = lines(&record(&[&a, &b, &c, &d, rewind, &said("u3", "user", "three")]));
    let want = [
        "1: Human one",
        "1: Model first",
        "2: Human two - rewind-6",
        "2: Model second - rewind-6",
        "2: notice rewound - never_sent",
        "3: Human three",
    ];
    assert_eq!(outline(&session), want);
    let lost = lines(&record(&[&a, &b, r#"{"$rewindTo":"nobody"}"#, &c]));
    let want = [
        "1: Human one - rewind-4",
        "1: Model first - rewind-4",
        "1: notice rewound - never_sent",
        "2: Human two",
    ];
    assert_eq!(outline(&lost), want);
}

#[test]
fn what_the_model_said_in_an_earlier_version_is_kept() {
    let (a, draft) = (said("u1", "user", "one"), said("g1", "gemini", "draft"));
    let last = said("g1", "gemini", "final");
    let session = lines(&record(&[&a, &draft, &last, &said("u2", "user", "two")]));
    let want = ["1: Human one", "1: Model final", "1: Model draft - superseded", "2: Human two"];
    assert_eq!(outline(&session), want);
    assert_eq!(session.end.tally.lines_bookkeeping, 0);
    // One that comes back is no other, and nor is one that was written twice.
    let session = lines(&record(&[&a, &draft, &last, &draft]));
    assert_eq!(
        outline(&session),
        ["1: Human one", "1: Model draft", "1: Model final - superseded"]
    );
    let session = lines(&record(&[&a, &draft, &draft]));
    assert_eq!(outline(&session), ["1: Human one", "1: Model draft"]);
    // Nor is what the next version goes on with.
    let session = lines(&record(&[&a, &said("g1", "gemini", "dra"), &draft]));
    assert_eq!(outline(&session), ["1: Human one", "1: Model draft"]);
    let session = lines(&record(&[&a, &draft, &said("g1", "gemini", "dra")]));
    let want = ["1: Human one", "1: Model dra", "1: Model draft - superseded"];
    assert_eq!(outline(&session), want);
}

#[test]
fn what_the_model_thought_in_an_earlier_version_is_kept_once() {
    let thinking = |said: &str, thoughts: &str| {
        let thought = |of: char| format!(r#"{{"subject":"","description":"{of}"}}"#);
        let thoughts = thoughts.chars().map(thought).collect::<Vec<_>>().join(",");
        format!(r#"{},"thoughts":[{thoughts}]}}"#, said.strip_suffix('}').unwrap())
    };
    let (a, draft, last) =
        (said("u1", "user", "one"), said("g1", "gemini", "draft"), said("g1", "gemini", "final"));
    let told = |first: &str, then: &str| {
        outline(&lines(&record(&[&a, &thinking(&draft, first), &thinking(&last, then)])))
    };
    let want = ["1: Human one", "1: thinks B - never_sent", "1: Model final"];
    assert_eq!(told("B", "B")[..3], want);
    assert_eq!(told("B", "B")[3..], ["1: Model draft - superseded"]);
    assert_eq!(told("A", "B")[3..], ["1: thinks A - superseded", "1: Model draft - superseded"]);
    // Only what the last version does not have.
    assert_eq!(told("A", "AB")[3..], ["1: Model draft - superseded"]);
    assert_eq!(told("AC", "AB")[3..], ["1: thinks C - superseded", "1: Model draft - superseded"]);
    // In words that are the same, or that the next version goes on with.
    for before in ["final", "fin"] {
        let before = said("g1", "gemini", before);
        let again = lines(&record(&[&a, &thinking(&before, "A"), &thinking(&last, "B")]));
        assert_eq!(outline(&again)[..3], want);
        assert_eq!(outline(&again)[3..], ["1: thinks A - superseded"]);
        let without = lines(&record(&[&a, &thinking(&before, "A"), &last]));
        assert_eq!(outline(&without)[1..], ["1: Model final", "1: thinks A - superseded"]);
    }
    // In several versions, and in parts of the message.
    let three = [&thinking(&draft, "A"), &thinking(&said("g1", "gemini", "other"), "A"), &last];
    let told = outline(&lines(&record(&[&a, three[0], three[1], three[2]])));
    assert_eq!(told.iter().filter(|one| one.contains("thinks A")).count(), 1, "{told:?}");
    let part = |thought: &str| {
        format!(
            r#"{{"id":"g1","type":"gemini","content":[{{"text":"{thought}","thought":true}},{{"text":"final"}}]}}"#
        )
    };
    let told = outline(&lines(&record(&[&a, &part("A"), &part("B")])));
    assert_eq!(told[1..], [want[1], want[2], "1: thinks A - superseded"]);
    // Whenever it came to it, and however it is written; and also what only a list has.
    let timed = |time: &str| thinking(&last, "B").replace("\"B\"", &format!("\"B\",{time}"));
    let times =
        ["\"timestamp\":\"2026-01-02T03:04:05Z\"", "\"timestamp\":\"2026-01-02T03:04:06Z\""];
    assert_eq!(outline(&lines(&record(&[&a, &timed(times[0]), &timed(times[1])]))), want);
    let set = |message: &str| format!(r#"{{"$set":{{"messages":[{a},{message}]}}}}"#);
    let listed = [thinking(&last, "B"), set(&timed(times[0])), set(&part("B"))];
    assert_eq!(outline(&lines(&record(&[&a, &listed[0], &listed[1], &listed[2]]))), want);
    let told = outline(&lines(&record(&[&a, &last, &set(&thinking(&last, "B")), &listed[2]])));
    assert_eq!(told, ["1: Human one", "1: Model final", "1: thinks B - superseded"]);
}

/// A list says more of a message because it has its call; the words of the record are the model's, too.
#[test]
fn what_a_list_has_in_other_words_does_not_lose_those_of_the_record() {
    let (a, own) = (said("u1", "user", "one"), said("g1", "gemini", "own words"));
    let call =
        r#"[{"id":"c1","name":"run_shell_command","args":{"command":"ls"},"status":"success"}]"#;
    let fuller = said("g1", "gemini", "other words");
    let fuller = format!(r#"{},"toolCalls":{call}}}"#, fuller.strip_suffix('}').unwrap());
    let set = |list: &[&str]| format!(r#"{{"$set":{{"messages":[{}]}}}}"#, list.join(","));
    for (records, kept) in [
        ([&own, &set(&[&a, &fuller])], "own words"),
        ([&set(&[&a, &said("g1", "gemini", "listed")]), &fuller], "listed"),
    ] {
        let session = lines(&record(&[&a, records[0], records[1]]));
        let told = outline(&session);
        assert!(told.contains(&"1: Model other words".to_owned()), "{told:?}");
        assert!(told.contains(&format!("1: Model {kept} - superseded")), "{told:?}");
    }
}

#[test]
fn a_shorter_list_rolls_back_and_another_supersedes() {
    let (a, b) = (said("u1", "user", "one"), said("g1", "gemini", "first"));
    let c = said("u2", "user", "two");
    let set = |list: &[&str]| format!(r#"{{"$set":{{"messages":[{}]}}}}"#, list.join(","));
    let session = lines(&record(&[&a, &b, &c, &set(&[&a, &b])]));
    assert_eq!(outline(&session)[2], "2: Human two - rolled_back");
    let info = said("i1", "info", "cancelled");
    let context = r#"{"id":"ctx","type":"user","content":[{"text":"<session_context>"}]}"#;
    let session = lines(&record(&[&a, &info, &b, &c, &set(&[context, &a, &b])]));
    assert_eq!(outline(&session)[3], "2: Human two - rolled_back");
    let session = lines(&record(&[&a, &b, &c, &set(&[&a, &c])]));
    assert_eq!(outline(&session)[1], "1: Model first - superseded");
    let session = lines(&record(&[&a, &b, &c, &set(&[&a]), &set(&[&a, &b, &c])]));
    assert!(session.items.iter().all(|item| item.live));
}

/// Two compactions and a resume after each: what was copied once is the same message for good.
#[test]
fn compactions_in_a_row_lead_back_to_the_first_message() {
    let set = |list: &[&str]| format!(r#"{{"$set":{{"messages":[{}]}}}}"#, list.join(","));
    let talk = |prefix: &str, names: &[&str]| -> Vec<String> {
        let kind = |name: &str| if name.starts_with('u') { "user" } else { "gemini" };
        names.iter().map(|name| said(&format!("{prefix}{name}"), kind(name), name)).collect()
    };
    let summary = |id: &str| {
        [
            said(&format!("{id}s"), "user", "<state_snapshot>so far</state_snapshot>"),
            said(&format!("{id}a"), "gemini", "Got it. Thanks for the additional context!"),
        ]
    };
    fn strs(list: &[String]) -> Vec<&str> {
        list.iter().map(String::as_str).collect()
    }
    let first = talk("", &["u1", "g1", "u2", "g2"]);
    let once: Vec<String> = summary("x").into_iter().chain(talk("x", &["u2", "g2"])).collect();
    let twice: Vec<String> = summary("y").into_iter().chain(talk("y", &["g2"])).collect();
    let resumed = set(&strs(&once));
    let mut all = strs(&first);
    let (one, two) = (set(&strs(&once)), set(&strs(&twice)));
    all.extend([one.as_str(), resumed.as_str(), two.as_str()]);
    let session = lines(&record(&all));
    sound(&session, "two compactions");
    let want = [
        "1: Human u1 - compaction-6",
        "1: Model g1 - compaction-6",
        "2: Human u2 - compaction-6",
        "2: Model g2 - compaction-6",
        "2: compaction - compaction-8",
        "2: Summary <state_snapshot>so far</state_sn - compaction-8",
        "2: Harness Got it. Thanks for the additiona - compaction-8",
        "2: Human u2 (copy) - compaction-8",
        "2: Model g2 (copy) - compaction-8",
        "2: compaction",
        "2: Summary <state_snapshot>so far</state_sn",
        "2: Harness Got it. Thanks for the additiona",
        "2: Model g2 (copy)",
    ];
    assert_eq!(outline(&session), want);
    assert_eq!(session.items.last().unwrap().copy_of.as_deref(), Some("g2"));
}

/// The harness loads the last message of an id, in the place of the first; the others are told, too.
#[test]
fn an_id_that_comes_again_with_other_words_is_another_message() {
    let again = [
        said("a", "user", "one"),
        said("", "gemini", "no id"),
        said("", "user", "no id either"),
        said("a", "user", "two"),
        said("", "gemini", "at last"),
    ];
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let session = lines(&record(&again));
    sound(&session, "an id comes again");
    let want = [
        "1: Human one - superseded",
        "1: Model no id - superseded",
        "2: Human no id either - superseded",
        "3: Human two",
        "3: Model at last",
    ];
    assert_eq!(outline(&session), want);
    assert_eq!(session.end.tally.lines_used, 6);
    // A document is loaded whole.
    let document =
        format!(r#"{{"sessionId":"s","projectHash":"h","messages":[{}]}}"#, again.join(","));
    let session = lines(&document);
    assert_eq!(session.items.iter().filter(|item| item.live).count(), 5);
}

#[test]
fn what_was_typed_is_told_from_what_was_sent() {
    let shown = r#"{"id":"u1","type":"user","content":[{"text":"Explain a.rs: fn main() {}"}],"displayContent":[{"text":"/explain a.rs"}]}"#;
    let files = r#"{"id":"u2","type":"user","content":["look at @b.rs",{"text":"\n--- Content from referenced files ---"},{"text":"fn b() {}"},{"text":"<hook_context>x</hook_context>"}]}"#;
    let session = lines(&record(&[shown, files]));
    let words = session.items.iter().map(|item| match &item.body {
        Body::Message(message) => (message.origin, message.words().into_owned()),
        _ => panic!("{}", item.id),
    });
    let want = [
        (Origin::Human, "/explain a.rs".into()),
        (Origin::Harness, "<hook_context>x</hook_context>".into()),
        (Origin::Human, "look at @b.rs".into()),
    ];
    assert_eq!(words.collect::<Vec<_>>(), want);
}

#[test]
fn a_whole_result_is_preferred_to_a_masked_one() {
    let call = |output: &str| {
        format!(
            r#"{{"id":"g1","type":"gemini","content":"","toolCalls":[{{"id":"read_file__c1","name":"read_file","args":{{}},"status":"success","result":[{{"functionResponse":{{"id":"read_file__c1","name":"read_file","response":{{"output":"{output}"}}}}}}]}}]}}"#
        )
    };
    let masked = call("<tool_output_masked>gone</tool_output_masked>");
    let asked = said("u1", "user", "read it");
    let session = lines(&record(&[&asked, &call("all of it"), &masked]));
    let Body::ToolResult(result) = &session.items[2].body else {
        panic!("{:?}", outline(&session))
    };
    assert_eq!(result.call_id, "c1");
    let segue::model::Part::Text(text) = &result.output[0] else { panic!() };
    assert_eq!(text.plain(), "all of it");
    sound(&session, "masked");
}

#[test]
fn the_live_view_has_its_own_order() {
    let context = r#"{"id":"ctx","type":"user","content":[{"text":"<session_context>\nhere"}]}"#;
    let (a, b) = (said("u1", "user", "one"), said("g1", "gemini", "first"));
    let set = format!(r#"{{"$set":{{"messages":[{context},{a},{b}]}}}}"#);
    let session = lines(&record(&[&a, &b, &set]));
    let mut live: Vec<&Item<'_>> = session.items.iter().filter(|item| item.live).collect();
    live.sort_by_key(|item| item.rank);
    let ids: Vec<&str> = live.iter().map(|item| item.id.as_ref()).collect();
    assert_eq!(ids, ["ctx", "u1", "g1"]);
}

#[test]
fn calls_without_ids_are_paired_by_name() {
    let text = r#"[{"role":"user","parts":[{"text":"go"}]},
        {"role":"model","parts":[{"functionCall":{"name":"glob","args":{"pattern":"*"}}},{"functionCall":{"name":"run_shell_command","args":{"command":"ls"}}}]},
        {"role":"user","parts":[{"functionResponse":{"name":"glob","response":{"output":"a"}}},{"functionResponse":{"name":"run_shell_command","response":{"error":"no"}}}]},
        {"role":"model","parts":[{"text":"done"}]}]"#;
    let input = Input::memory("memory", text.as_bytes());
    assert_eq!(harness::recognise(&input).unwrap().name(), "gemini");
    let session = read(&input);
    sound(&session, "checkpoint");
    let want = [
        "1: Human go",
        "1: calls glob",
        "1: calls run_shell_command",
        "1: Ok",
        "1: Error",
        "1: Model done",
    ];
    assert_eq!(outline(&session), want);
}

#[test]
fn a_call_that_ran_when_the_program_ended_has_no_result_and_answers_are_told() {
    let call = r#"{"id":"g1","type":"gemini","content":null,"tokens":null,"toolCalls":[
        {"id":"c1","name":"run_shell_command","args":{"command":"sleep 9"},"status":"executing"},
        {"id":"c2","name":"write_todos","args":{"todos":[{"description":"x","status":"blocked"}]},"status":"cancelled","result":null},
        {"id":"c3","name":"ask_user","args":{"questions":[{"question":"Which?","options":[{"label":"A"}]}]},"status":"success","result":"{\"answers\":{\"0\":\"A\"}}"}]}"#;
    let session = lines(&record(&[&said("u1", "user", "go"), &call.replace('\n', "")]));
    let results = session.items.iter().filter_map(|item| match &item.body {
        Body::ToolResult(result) => Some(result),
        _ => None,
    });
    let results: Vec<_> = results.collect();
    let statuses: Vec<_> = results.iter().map(|result| result.status).collect();
    assert_eq!(statuses, [Status::Interrupted, Status::Ok]);
    assert_eq!(
        (results[1].answers[0].question.as_str(), results[1].answers[0].answer.as_str()),
        ("Which?", "A")
    );
    assert!(!outline(&session).iter().any(|line| line.contains("plan")));
}

#[test]
fn a_session_that_was_killed_in_the_middle_of_a_call_was_not_stopped_by_its_user() {
    for (status, is_stopped) in
        [("executing", false), ("awaiting_approval", false), ("cancelled", true)]
    {
        let call = format!(
            r#"{{"id":"g1","type":"gemini","content":null,"tokens":null,"toolCalls":[{{"id":"c1","name":"run_shell_command","args":{{"command":"make test"}},"status":"{status}"}}]}}"#
        );
        let session = lines(&record(&[&said("u1", "user", "make the tests pass"), &call]));
        let facts = segue::derive::derive(&session);
        assert_eq!(facts.now.stopped, is_stopped, "{status}");
        let open: Vec<_> = facts.open_work.iter().map(|work| work.text.as_str()).collect();
        assert!(open[0].starts_with("the session ended during: ran `make test`"), "{open:?}");
    }
}

#[test]
fn steps_of_a_summary_that_are_not_done_are_open_work() {
    let steps =
        "1. [DONE] parse the amounts\n2. [IN PROGRESS] sum them\n3. [TODO] the page of totals";
    let snapshot = format!(
        "<state_snapshot>\\n<task_state>\\n{}\\n</task_state>\\n</state_snapshot>",
        steps.replace('\n', "\\n")
    );
    let (asked, answered) = (said("u1", "user", "one"), said("g1", "gemini", "first"));
    let summary = said("s", "user", &snapshot);
    let heard = said("a", "gemini", "Got it. Thanks for the additional context!");
    let set = format!(r#"{{"$set":{{"messages":[{summary},{heard}]}}}}"#);
    let call = r#"{"id":"g2","timestamp":"2026-01-02T03:09:00.000Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"run_shell_command","args":{"command":"ls"},"status":"success","timestamp":"2026-01-02T03:09:01.000Z","result":[{"functionResponse":{"id":"c1","name":"run_shell_command","response":{"output":"a.py"}}}]}]}"#;
    let session = lines(&record(&[&asked, &answered, &set, call]));
    let open = segue::derive::derive(&session).open_work;
    let told: Vec<_> = open.iter().map(|work| (work.source, work.text.as_str())).collect();
    assert!(told.contains(&("summary", "sum them")), "{told:?}");
    assert!(told.contains(&("summary", "the page of totals")), "{told:?}");
    assert!(!told.iter().any(|(_, text)| text.contains("parse")), "{told:?}");
}
