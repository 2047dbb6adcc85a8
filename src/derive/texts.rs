//! Every text in the facts, with what it belongs to.

use super::{
    AgentSaid, Command, Decision, Ending, Fact, Facts, Failure, FileFact, LastCheck, Lesson,
    ListLeft, Now, Reality, SessionFact, Trust, Turn, Warning, Work,
};
use crate::model::{GONE_ON, Header};

/// Whose words a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// The user's: they are what the work is about.
    User,
    /// The agent's, or its harness's.
    Agent,
    /// What came out of a tool, or may have.
    Tool,
}

/// What a text belongs to.
#[derive(Clone, Copy, Debug)]
pub struct TextOf<'i> {
    /// The id of the fact; of what has none, the item or turn that it rests on; else empty.
    pub id: &'i str,
    /// Which thing, counted from 1 in the order of the facts: texts of one thing share it.
    pub thing: usize,
    /// Whose words it is.
    pub voice: Voice,
    /// Whether it is the text that stands for the thing where only one is shown.
    pub first: bool,
}

/// Takes a text and may change it.
pub type Visit<'v> = dyn FnMut(TextOf<'_>, &mut String) + 'v;

impl Facts {
    /// Shows every text to `visit`, in the order of the facts; ids are not texts.
    ///
    /// What becomes empty in a list goes out of it.
    pub fn texts_mut(&mut self, visit: &mut Visit<'_>) {
        // Each field is named, so that a new one is not forgotten here.
        let Self {
            session,
            ending,
            now: card,
            open_work,
            failures,
            decisions,
            facts,
            lessons,
            files,
            commands,
            summary,
            turns,
            checks,
            sessions,
            warnings,
            done_work: _,
            dropped: _,
            stamps: _,
            reality,
        } = self;
        let mut things = Things { visit, count: 0 };
        header(session, &mut things);
        ending_texts(ending, &mut things);
        now(card, &mut things);
        open_work.iter_mut().for_each(|one| work(one, &mut things));
        failures.iter_mut().for_each(|one| failure(one, &mut things));
        decisions.iter_mut().for_each(|one| decision(one, &mut things));
        facts.iter_mut().for_each(|one| fact(one, &mut things));
        lessons.iter_mut().for_each(|one| lesson(one, &mut things));
        files.iter_mut().for_each(|one| file(one, &mut things));
        commands.iter_mut().for_each(|one| command(one, &mut things));
        if let Some(summary) = summary {
            for section in &mut summary.sections {
                let mut thing = things.next(&summary.id, Voice::Agent);
                thing.text(&mut section.text);
                thing.text(&mut section.title);
            }
        }
        turns.iter_mut().for_each(|one| turn(one, &mut things));
        things.each("", Voice::Tool, checks);
        sessions.iter_mut().for_each(|one| session_fact(one, &mut things));
        warnings.iter_mut().for_each(|one| warning(one, &mut things));
        if let Some(reality) = reality {
            reality_texts(reality, &mut things);
        }
    }
}

/// Counts the things.
struct Things<'v, 'w> {
    visit: &'v mut Visit<'w>,
    count: usize,
}

/// One thing and whose words it is.
struct Thing<'t, 'v, 'w> {
    things: &'t mut Things<'v, 'w>,
    id: &'t str,
    voice: Voice,
    first: bool,
}

impl<'v, 'w> Things<'v, 'w> {
    fn next<'t>(&'t mut self, id: &'t str, voice: Voice) -> Thing<'t, 'v, 'w> {
        self.count += 1;
        Thing { things: self, id, voice, first: true }
    }

    /// Shows each text of a list as a thing of its own.
    fn each(&mut self, id: &str, voice: Voice, texts: &mut Vec<String>) {
        texts.iter_mut().for_each(|text| self.next(id, voice).text(text));
        texts.retain(|text| !text.is_empty());
    }
}

impl Thing<'_, '_, '_> {
    fn text(&mut self, text: &mut String) {
        let Self { id, voice, first, .. } = *self;
        (self.things.visit)(TextOf { id, thing: self.things.count, voice, first }, text);
        self.first = false;
    }

    fn option(&mut self, text: &mut Option<String>) {
        if let Some(inner) = text {
            self.text(inner);
        }
        text.take_if(|text| text.is_empty());
    }

    fn list(&mut self, texts: &mut Vec<String>) {
        texts.iter_mut().for_each(|text| self.text(text));
        texts.retain(|text| !text.is_empty());
    }

    /// Shows lines that stand below each other as one text: what is found may go over several.
    fn lines(&mut self, lines: &mut Vec<String>) {
        let mut whole = lines.join("\n");
        let before = whole.clone();
        self.text(&mut whole);
        if whole != before {
            *lines = whole.lines().map(str::to_owned).collect();
        }
    }
}

fn ending_texts(ending: &mut Ending, things: &mut Things<'_, '_>) {
    let Ending {
        outcome: _,
        claimed_done: _,
        plan: _,
        changed: _,
        lists,
        last_check,
        passed_elsewhere: _,
    } = ending;
    for ListLeft { path, told, is_sure: _ } in lists {
        let mut thing = things.next("", Voice::Tool);
        thing.text(path);
        thing.text(told);
    }
    if let Some(LastCheck { command, ended: _, edits_since: _, is_vague: _, told }) = last_check {
        let mut thing = things.next("", Voice::Tool);
        thing.text(command);
        thing.text(told);
    }
}

fn reality_texts(reality: &mut Reality, things: &mut Things<'_, '_>) {
    let Reality {
        repository: _,
        branch,
        commit: _,
        uncommitted: _,
        uncommitted_touched: _,
        going_on: _,
        going_on_with,
        unmerged,
        unmerged_more: _,
        gone: _,
        changed: _,
        committed_since,
        left_behind,
    } = reality;
    let mut thing = things.next("", Voice::Tool);
    thing.option(branch);
    thing.option(going_on_with);
    thing.option(committed_since);
    thing.list(unmerged);
    thing.list(left_behind);
}

fn header(header: &mut Header, things: &mut Things<'_, '_>) {
    let Header {
        id: _,
        harness: _,
        harness_version: _,
        cwd,
        project,
        git,
        started_at: _,
        ended_at: _,
        title,
        model,
        parent: _,
        converted_from: _,
        source,
        is_side: _,
        is_automatic: _,
        has_request: _,
        has_answer: _,
    } = header;
    things.next("", of_title(title.as_deref())).option(title);
    let mut thing = things.next("", Voice::User);
    let named = [cwd, project, model, &mut git.branch, &mut git.commit, &mut git.remote];
    named.into_iter().for_each(|text| thing.option(text));
    thing.text(&mut source.path);
}

fn now(now: &mut Now, things: &mut Things<'_, '_>) {
    let Now {
        goal,
        goal_id: id,
        unasked,
        goal_before,
        asked_too,
        called,
        replies_to,
        new_topic: _,
        acceptance,
        active,
        blockers,
        last_done,
        next,
        came_back: _,
        next_trust: _,
        last_words,
        acted_since: _,
        is_on_its_way: _,
        answered: _,
        is_replied: _,
        closed: _,
        asks: _,
        stopped: _,
        unfinished: _,
        event,
        recap,
        handed,
    } = now;
    // Whoever wrote what a pack quotes, it was not typed here.
    let quoted = |is_quoted: bool| if is_quoted { Voice::Agent } else { Voice::User };
    let asked = quoted(handed.as_ref().is_some_and(|handed| handed.gave_goal));
    things.next(id, asked).text(goal);
    things.next(id, Voice::Tool).option(unasked);
    if let Some(before) = goal_before {
        things.next(&before.id, quoted(before.is_quoted)).text(&mut before.text);
        for one in &mut before.between {
            let is_quoted = before.is_quoted && one.id == before.id;
            things.next(&one.id, quoted(is_quoted)).text(&mut one.text);
        }
    }
    for one in asked_too {
        things.next(&one.id, Voice::User).text(&mut one.text);
    }
    for one in called {
        things.next(&one.id, Voice::Agent).text(&mut one.name);
        things.next(&one.id, Voice::Agent).text(&mut one.about);
    }
    said(replies_to, things);
    things.each(id, asked, acceptance);
    things.next(id, Voice::Agent).option(active);
    things.each(id, Voice::Tool, blockers);
    things.next(id, Voice::Agent).option(last_done);
    things.next(id, Voice::Agent).option(next);
    said(last_words, things);
    if let Some(event) = event {
        things.next(&event.id, Voice::Tool).text(&mut event.text);
        said(&mut event.answer, things);
    }
    if let Some(recap) = recap {
        things.next(&recap.id, Voice::Agent).text(&mut recap.text);
    }
}

fn said(said: &mut Option<AgentSaid>, things: &mut Things<'_, '_>) {
    if let Some(said) = said {
        things.next(&said.item, Voice::Agent).text(&mut said.text);
    }
}

fn work(work: &mut Work, things: &mut Things<'_, '_>) {
    let Work { id, text, details, status: _, blocked_by, source: _, trust: _, evidence: _ } = work;
    let mut thing = things.next(id, Voice::Agent);
    thing.text(text);
    thing.option(details);
    thing.list(blocked_by);
}

fn failure(failure: &mut Failure, things: &mut Things<'_, '_>) {
    let Failure {
        id,
        command,
        by_agent: _,
        exit_code: _,
        key_lines,
        why,
        lines,
        edits_since: _,
        turn: _,
        evidence: _,
        got_round: _,
        is_committed: _,
        refused: _,
        is_outside: _,
        is_last: _,
    } = failure;
    let mut thing = things.next(id, Voice::Tool);
    thing.text(command);
    thing.list(key_lines);
    thing.option(why);
    thing.lines(lines);
}

fn decision(decision: &mut Decision, things: &mut Things<'_, '_>) {
    let Decision { id, kind: _, text, outline, brief, words, alternatives, turn: _, evidence: _ } =
        decision;
    let mut thing = things.next(id, Voice::User);
    thing.text(text);
    thing.option(outline);
    thing.option(brief);
    thing.option(words);
    thing.list(alternatives);
}

fn fact(fact: &mut Fact, things: &mut Things<'_, '_>) {
    let Fact {
        id,
        kind: _,
        lane: _,
        text,
        detail,
        trust,
        state: _,
        turn: _,
        evidence: _,
        weight: _,
        is_lesson: _,
    } = fact;
    let voice = match trust {
        Trust::S => Voice::Tool,
        Trust::A | Trust::C => Voice::Agent,
        Trust::B => Voice::User,
    };
    let mut thing = things.next(id, voice);
    thing.text(text);
    thing.option(detail);
}

fn lesson(lesson: &mut Lesson, things: &mut Things<'_, '_>) {
    let Lesson { id, topic, keywords, content, source_turns: _, weight: _ } = lesson;
    let mut thing = things.next(id, Voice::Tool);
    thing.text(content);
    thing.text(topic);
    thing.list(keywords);
}

fn file(file: &mut FileFact, things: &mut Things<'_, '_>) {
    let FileFact {
        id,
        path,
        state: _,
        edits: _,
        by_agents: _,
        looks: _,
        added_lines: _,
        removed_lines: _,
        turn: _,
        edited_in: _,
        names,
        evidence: _,
        weight: _,
        was_there: _,
        was_shown: _,
        is_passed: _,
        mark: _,
        // Only those are told that stand among the names, too.
        names_gone: _,
    } = file;
    let mut thing = things.next(id, Voice::Tool);
    thing.text(path);
    thing.list(names);
}

fn command(command: &mut Command, things: &mut Things<'_, '_>) {
    let Command { id, command, runs: _, worked: _, turn: _, evidence: _, weight: _ } = command;
    things.next(id, Voice::Agent).text(command);
}

fn turn(turn: &mut Turn, things: &mut Things<'_, '_>) {
    let Turn { id, number: _, asks, outcome, steps } = turn;
    things.next(id, Voice::User).list(asks);
    things.next(id, Voice::Agent).text(outcome);
    for step in steps {
        let voice = if step.said { Voice::Agent } else { Voice::Tool };
        let mut thing = things.next(step.evidence.first().unwrap_or(id), voice);
        thing.text(&mut step.text);
        thing.list(&mut step.details);
    }
}

/// Whose words a title is: that of a session that went on with a pack is quoted from it.
fn of_title(title: Option<&str>) -> Voice {
    match title.is_some_and(|title| title.ends_with(GONE_ON)) {
        true => Voice::Agent,
        false => Voice::User,
    }
}

fn session_fact(session: &mut SessionFact, things: &mut Things<'_, '_>) {
    let SessionFact {
        name: _,
        lane: _,
        harness: _,
        id: _,
        title,
        folder,
        ended_at: _,
        goal,
        files,
    } = session;
    let mut thing = things.next("", of_title(title.as_deref()));
    thing.option(title);
    thing.option(folder);
    thing.text(goal);
    things.each("", Voice::Tool, files);
}

fn warning(warning: &mut Warning, things: &mut Things<'_, '_>) {
    let Warning { code: _, message, sessions: _, folder } = warning;
    let mut thing = things.next("", Voice::User);
    thing.text(message);
    thing.option(folder);
}
