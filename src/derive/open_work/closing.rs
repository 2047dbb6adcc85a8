//! Open work in the agent's last words: what stands in a list under a heading for it, what a
//! sentence says is not done, a command that is left to the user.

use super::Work;
use super::left::is_by_human;
use super::said::{MOST, entry, last_words, says_nothing, work};
use super::undone::marked_open;
use crate::derive::outcomes::Outcomes;
use crate::derive::timeline::{Done, Timeline};
use crate::derive::{Trust, place, shell, tagged, text, words};

/// Headings under which an agent lists what it leaves.
const LEFT: &[&str] = &[
    "next steps",
    "next step",
    "remaining",
    "remaining work",
    "todo",
    "to do",
    "todos",
    "follow-ups",
    "follow-up",
    "follow ups",
    "not done",
    "known issues",
    "what's left",
    "whats left",
    "what is left",
    "still open",
    "open items",
    "left to do",
    "outstanding",
    "not yet done",
    "remaining tasks",
    "pending",
];
/// Words by which an entry is an offer, not work.
const OFFERS: &[&str] = &[
    "want me to",
    "would you like",
    "i can ",
    "let me know",
    "if you want",
    "if you'd like",
    "happy to",
    "shall i",
    "should i",
    "feel free",
    "optional",
    "you can ",
    "you could ",
];

/// How many sentences are taken.
const SENTENCES: usize = 4;

/// Returns what the agent's last words leave to do.
pub(super) fn closing(timeline: &Timeline<'_>, outcomes: &Outcomes) -> Vec<Work> {
    let Some((id, words)) = last_words(timeline) else { return Vec::new() };
    let words = tagged::answer(&words);
    let (entries, led) = listed(&words);
    let entries = entries.into_iter().take(MOST);
    let mut found: Vec<_> = entries.map(|line| work(line, Trust::C, "agent_said", &id)).collect();
    // With what it announced last it ended, and did not do it.
    let announced = words::announced(&words).filter(|line| !is_offer(line));
    found.extend(announced.iter().map(|line| {
        work(&format!("do what the agent announced: {line}"), Trust::C, "unanswered", &id)
    }));
    let left = words::unfinished(&words);
    // What leads to a list that is told says nothing more.
    let is_led =
        |line: &str| led.iter().any(|lead| lead.contains(line.trim_end_matches([':', '：'])));
    let is_title = |line: &str| heading(line).is_some_and(|title| is_left(&title));
    let is_other = |line: &&String| {
        !is_offer(line) && announced.as_ref() != Some(line) && !is_led(line) && !is_title(line)
    };
    let left = left.iter().filter(is_other).take(SENTENCES);
    found.extend(left.map(|line| work(line, Trust::C, "agent_said", &id)));
    let rows = marked_open(&words).into_iter().take(MOST);
    found.extend(rows.map(|line| work(&line, Trust::C, "agent_said", &id)));
    let fix = words::proposed_fix(&words)
        .filter(|line| !is_offer(line) && changed_nothing(timeline, outcomes));
    found.extend(fix.map(|line| work(&line, Trust::C, "agent_said", &id)));
    found.extend(
        handed_over(timeline, outcomes, &words)
            .map(|line| work(&line, Trust::C, "agent_said", &id)),
    );
    found
}

/// Whether nothing was changed or committed for the last request.
fn changed_nothing(timeline: &Timeline<'_>, outcomes: &Outcomes) -> bool {
    let newest = timeline.requests().next_back().map_or(0, |(item, _)| item.turn);
    let before = timeline.done().take_while(|done| done.item.turn < newest).count();
    outcomes.edits_from(before).next().is_none()
        && outcomes.commits.last().is_none_or(|commit| commit.index < before)
}

/// Returns the entries of lists under headings for what is left, or below a line that says so; and those
/// lines.
fn listed(words: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut found, mut led) = (Vec::new(), Vec::new());
    let (mut is_under, mut lead) = (false, None);
    for line in text::unfenced(words) {
        if leads(line) || words::leads_to_conditions(line) {
            (is_under, lead) = (true, Some(line));
            continue;
        }
        if let Some(title) = heading(line) {
            (is_under, lead) = (is_left(&title), None);
            continue;
        }
        let own = entry(line);
        // A list below a sentence ends with the next one.
        let ends = own.is_none() && !line.trim().is_empty() && !line.starts_with([' ', '\t']);
        if ends && lead.take().is_some() {
            is_under = false;
        }
        let is_top = line.len() - line.trim_start().len() < 2;
        let Some(entry) = own.filter(|_| is_under && is_top) else { continue };
        if !is_offer(entry) && !says_nothing(entry) {
            found.push(entry);
            led.extend(lead);
        }
    }
    (found, led)
}

/// By which a line tells what was done, whatever it says beside that.
const DONE: &[&str] = &["i did ", "so far", "i changed", "i made "];

/// Whether a line leads to a list of which it says that it is not done.
fn leads(line: &str) -> bool {
    let low = line.to_lowercase();
    let leads = entry(line).is_none() && line.trim_end().ends_with([':', '：']);
    leads
        && !DONE.iter().any(|form| low.contains(form))
        && !words::unfinished(line).is_empty()
        && words::announced(line).is_none()
}

fn is_offer(line: &str) -> bool {
    let low = line.to_lowercase().replace('’', "'");
    OFFERS.iter().any(|offer| low.contains(offer))
}

/// Programs with which work is handed on, and what they do then.
const HANDS_ON: &[&str] =
    &["git commit", "git push", "git tag", "git merge", "gh pr create", "gh pr merge"];

/// Returns what the last block of commands would hand on, if the session did not run it after its
/// last change: the user shall.
fn handed_over(timeline: &Timeline<'_>, outcomes: &Outcomes, words: &str) -> Option<String> {
    let block = last_block(words)?;
    let step = HANDS_ON.iter().find(|step| block.contains(*step))?;
    let commands = shell::parts(&block);
    let runs_all = |line: &str| {
        let own = shell::parts(line);
        !commands.is_empty() && commands.iter().all(|command| own.contains(command))
    };
    let changed = grown(timeline, outcomes, step);
    let ran = |done: &Done<'_>| {
        let is_it =
            |line: &str| same_words(line, &block) || same_words(&block, line) || runs_all(line);
        // What failed as the user ran it is told as that.
        let is_since = changed.is_none_or(|changed| done.index >= changed);
        is_since && (done.worked() || is_by_human(done.call)) && done.command().is_some_and(is_it)
    };
    let cwd = timeline.header.cwd.as_deref().unwrap_or_default();
    let command = text::line(&place::on_one_line(&place::in_short(&block, cwd)), 160);
    (!timeline.done().any(|done| ran(&done)))
        .then(|| format!("run what it left to the user ({step}): {command}"))
}

/// Returns the call since which there is something new to hand on by such a step: a tag is set and a branch merged
/// once, but more can be committed and pushed, and another request opened and merged.
fn grown(timeline: &Timeline<'_>, outcomes: &Outcomes, step: &str) -> Option<usize> {
    let last = |forms: &[&str]| {
        let begins = |part: &String| forms.iter().any(|form| part.starts_with(form));
        let begun = |done: &Done<'_>| done.worked() && timeline.parts(done).iter().any(begins);
        timeline.done().rev().find(begun).map(|done| done.index)
    };
    match step {
        "git commit" => outcomes.edits_after(0).last(),
        "git push" => outcomes.commits.last().map(|commit| commit.index),
        "gh pr create" => last(&["git switch -c", "git checkout -b", "gh pr merge"]),
        "gh pr merge" => last(&["gh pr create"]),
        // Of what was merged once, more may lie on its branch since.
        "git merge" => {
            let back = last(&["git checkout", "git switch"]).filter(|at| Some(*at) > last(&[step]));
            let commit = outcomes.commits.last().map(|commit| commit.index);
            commit.filter(|commit| back.is_some_and(|back| back < *commit))
        }
        _ => None,
    }
}

fn same_words(one: &str, other: &str) -> bool {
    let bare =
        |text: &str| place::on_one_line(text).split_whitespace().collect::<Vec<_>>().join(" ");
    bare(one).contains(&bare(other))
}

/// Returns the last block between fences that is for a shell.
fn last_block(words: &str) -> Option<String> {
    let mut found = None;
    let mut open: Option<Vec<&str>> = None;
    for line in words.lines() {
        match (text::is_fence(line), open.as_mut()) {
            (true, Some(block)) => {
                found = Some(block.join("\n"));
                open = None;
            }
            (true, None) => open = Some(vec![line.trim_start().trim_start_matches(['`', '~'])]),
            (false, Some(block)) => block.push(line),
            (false, None) => {}
        }
    }
    let (name, block) = found.as_deref()?.split_once('\n')?;
    ["", "bash", "sh", "shell", "zsh", "console"].contains(&name.trim()).then(|| block.to_owned())
}

/// Returns the title of a line that is a heading: marked, bold, or a few words before a colon.
fn heading(line: &str) -> Option<String> {
    let plain = || {
        line.trim()
            .strip_suffix(':')
            .filter(|rest| rest.split_whitespace().count() <= 5 && entry(line).is_none())
    };
    let title = text::marked_heading(line).or_else(plain)?;
    Some(title.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'"))
}

fn is_left(title: &str) -> bool {
    let bare = title.split(['(', ':', '—', '–']).next().unwrap_or(title).trim();
    LEFT.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_what_is_left_are_known() {
        for line in ["## Next steps", "**Remaining:**", "Known issues:", "### What’s left (2)"] {
            assert!(heading(line).is_some_and(|title| is_left(&title)), "{line}");
        }
        for line in
            ["## What I did", "remaining", "- next steps:", "The next steps are as follows:"]
        {
            assert!(!heading(line).is_some_and(|title| is_left(&title)), "{line}");
        }
    }

    #[test]
    fn what_a_sentence_leads_to_as_not_done_is_left() {
        let left =
            |lead: &str| listed(&format!("Done.\n\n{lead}\n\n- the page of amounts\n")).0.len();
        assert_eq!(left("Two things I have not checked yet, since the key is missing:"), 1);
        assert_eq!(left("Still open from before, as it was:"), 1);
        assert_eq!(left("Two things that I changed on the way there:"), 0);
        assert_eq!(left("Now let me look at:"), 0);
        assert_eq!(left("What I did so far, though not finished:"), 0);
        let ended = "Still open from before, as it was:\n- the page\n\nThese are the files that I changed today:\n- a.rs has the key\n";
        assert_eq!(listed(ended).0, ["the page"]);
    }

    #[test]
    fn the_last_block_for_a_shell_is_found() {
        let words = "```bash\nls\n```\nthen\n```sh\ngit push\n```\nRun it.";
        assert_eq!(last_block(words).as_deref(), Some("git push"));
        assert_eq!(last_block("```rust\ngit push\n```"), None);
        assert_eq!(last_block("```bash\ngit push"), None);
    }
}
