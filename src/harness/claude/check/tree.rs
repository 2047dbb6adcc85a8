//! How the lines hang together: what of them is resumed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::key::Key;
use super::{Check, Kind, Link, Rule};
use crate::harness::Severity::{Error, Info, Warning};

/// Looks at the links between the lines.
pub(super) fn check(check: &mut Check) {
    check.unanswered();
    let links = std::mem::take(&mut check.links);
    let by_key: FxHashMap<Key, usize> =
        links.iter().enumerate().map(|(at, link)| (link.key, at)).collect();
    let is_talk = |link: &&Link| matches!(link.kind, Kind::User | Kind::Assistant | Kind::Summary);
    if !links.iter().filter(is_talk).any(|link| !link.is_side) {
        return check.add(Rule {
            severity: Error,
            name: "no_conversation",
            message: "no line of the conversation itself is there: no program finds the session",
            hint: "",
        }, 0);
    }
    if check.is_side_file == Some(true) {
        check.add(
            Rule {
                severity: Info,
                name: "sub_agent",
                message: "the session of a sub-agent: it is not resumed by itself",
                hint: "",
            },
            0,
        );
    }
    parents(check, &links, &by_key);
    let leaf = links.iter().rposition(|link| is_talk(&link) && !link.is_side);
    let path = leaf.map(|leaf| path(leaf, &links, &by_key)).unwrap_or_default();
    compactions(check, &links, &path);
    order(check, &links, &path);
    if let (Some((key, number)), Some(leaf)) = (check.pointer, leaf) {
        pointer(check, (key, number), leaf, &links, &by_key);
    }
}

/// Returns the lines from the last one back to the root or the last boundary, the root first.
fn path(leaf: usize, links: &[Link], by_key: &FxHashMap<Key, usize>) -> Vec<usize> {
    let (mut path, mut seen) = (Vec::new(), FxHashSet::default());
    let mut at = Some(leaf);
    while let Some(place) = at.filter(|place| seen.insert(*place)) {
        path.push(place);
        let link = &links[place];
        at = (link.kind != Kind::Boundary).then(|| by_key.get(&link.parent).copied()).flatten();
    }
    path.reverse();
    path
}

fn parents(check: &mut Check, links: &[Link], by_key: &FxHashMap<Key, usize>) {
    let mut keys = FxHashSet::default();
    let mut roots = 0;
    for link in links.iter().filter(|link| !link.is_side) {
        let rule = if link.key != 0 && !keys.insert(link.key) {
            (
                Warning,
                "uuid_used_again",
                "an earlier line has the same uuid: this one replaces it",
                "",
            )
        } else if link.key != 0 && link.parent == link.key {
            (
                Error,
                "own_parent",
                "the line is its own parent: 2.0.77 and 1.0.128 hang",
                "name the line before it as its parent",
            )
        } else if link.parent != 0 && !by_key.contains_key(&link.parent) {
            (
                Warning,
                "dangling_parent",
                "its parent is not in the file: 2.1.84 and older lose all before it",
                "name the line before it as its parent",
            )
        } else if link.parent == 0 && link.kind != Kind::Boundary {
            roots += 1;
            if roots == 1 {
                continue;
            }
            (
                Warning,
                "second_root",
                "the line has no parent: what stands before it is not resumed",
                "name the line before it as its parent",
            )
        } else {
            continue;
        };
        let (severity, name, message, hint) = rule;
        check.add(Rule { severity, name, message, hint }, link.number);
    }
    cycles(check, links, by_key);
}

/// Finds lines that are their own ancestors.
fn cycles(check: &mut Check, links: &[Link], by_key: &FxHashMap<Key, usize>) {
    // 0 for a line that was not seen, the number of the walk for one that was.
    let mut walks = vec![0_usize; links.len()];
    for start in 0..links.len() {
        let mut at = Some(start);
        while let Some(place) = at {
            if walks[place] != 0 {
                let link = &links[place];
                if walks[place] == start + 1 && link.parent != link.key {
                    check.add(
                        Rule {
                            severity: Error,
                            name: "circle_of_parents",
                            message: "the line is its own ancestor",
                            hint: "name the line before it as its parent",
                        },
                        link.number,
                    );
                }
                break;
            }
            walks[place] = start + 1;
            at = by_key.get(&links[place].parent).copied().filter(|_| links[place].parent != 0);
        }
    }
}

fn compactions(check: &mut Check, links: &[Link], path: &[usize]) {
    let Some(first) = path.first().map(|first| &links[*first]) else { return };
    let starts = path
        .iter()
        .map(|at| &links[*at])
        .find(|link| matches!(link.kind, Kind::User | Kind::Assistant | Kind::Summary));
    if let Some(start) = starts.filter(|start| start.kind == Kind::Assistant) {
        check.add(
            Rule {
                severity: Error,
                name: "model_speaks_first",
                message: "the conversation begins with the model: the provider refuses it",
                hint: "put a line of the user's before it",
            },
            start.number,
        );
    }
    let has_summary = path.iter().any(|at| links[*at].kind == Kind::Summary);
    if has_summary && first.kind != Kind::Boundary {
        check.add(
            Rule {
                severity: Warning,
                name: "summary_without_boundary",
                message: "only a boundary cuts: all before the summary is sent too",
                hint: "put a line with `compact_boundary` and without a parent before it",
            },
            first.number,
        );
    }
    if let Some(last) = links.iter().rfind(|link| !link.is_side && link.kind == Kind::Boundary) {
        let is_last = links
            .iter()
            .filter(|link| !link.is_side)
            .all(|link| link.number <= last.number || link.kind == Kind::Link);
        if is_last {
            check.add(
                Rule {
                    severity: Warning,
                    name: "nothing_after_boundary",
                    message: "nothing follows the boundary: all that it replaced is sent again",
                    hint: "put the summary after it",
                },
                last.number,
            );
        }
    }
}

/// Looks whether the older programs, which take the latest line, would take another one.
fn order(check: &mut Check, links: &[Link], path: &[usize]) {
    let Some(leaf) = path.last().map(|leaf| &links[*leaf]) else { return };
    let is_talk = |link: &&Link| matches!(link.kind, Kind::User | Kind::Assistant);
    let latest = links.iter().filter(is_talk).filter(|link| !link.is_side);
    let latest = latest.max_by_key(|link| link.time);
    if let Some(latest) = latest.filter(|latest| latest.time > leaf.time && leaf.time > 0) {
        check.add(Rule {
            severity: Warning,
            name: "last_line_is_not_latest",
            message: "a line before the last has a later time: 2.1.84 and 2.0.77 go on from there",
            hint: "give each line a time later than the one before",
        }, latest.number);
    }
}

fn pointer(
    check: &mut Check,
    (key, number): (Key, u64),
    leaf: usize,
    links: &[Link],
    by_key: &FxHashMap<Key, usize>,
) {
    let Some(place) = by_key.get(&key).copied() else {
        return check.add(
            Rule {
                severity: Info,
                name: "pointer_to_nothing",
                message: "it points at a line that is not in the file",
                hint: "take it out",
            },
            number,
        );
    };
    let chain = Chain { links, by_key };
    if chain.up(leaf).any(|step| step == place) || chain.goes_beside(leaf, place) {
        return;
    }
    check.add(
        Rule {
            severity: Warning,
            name: "pointer_moves_the_end",
            message: "2.1.330 goes on from the line that it points at, not from the last one",
            hint: "take it out if that is not meant",
        },
        number,
    );
}

/// The lines of the chain by their parents.
struct Chain<'l> {
    links: &'l [Link],
    by_key: &'l FxHashMap<Key, usize>,
}

impl Chain<'_> {
    fn parent(&self, place: usize) -> Option<usize> {
        let parent = self.links[place].parent;
        self.by_key.get(&parent).copied().filter(|_| parent != 0)
    }

    /// Returns the line of the call that a result answers: the one that it names, else its parent.
    fn call(&self, result: usize) -> Option<usize> {
        let named = self.links[result].call;
        let named = self.by_key.get(&named).copied().filter(|_| named != 0);
        named.or_else(|| self.parent(result))
    }

    /// Returns a line, its parent, and so on to the root.
    fn up(&self, from: usize) -> impl Iterator<Item = usize> {
        let next = |place: &usize| self.parent(*place);
        std::iter::successors(Some(from), next).take(self.links.len())
    }

    /// Whether the conversation goes on by another call or result of the response to which `place`
    /// belongs, as `Walk::is_beside` tells it.
    fn goes_beside(&self, leaf: usize, place: usize) -> bool {
        let talk = self.up(place).find(|at| self.links[*at].kind != Kind::Link);
        let call = match talk {
            Some(result) if self.links[result].is_result => self.call(result),
            talk => talk.filter(|talk| *talk == place),
        };
        let is_call = |at: usize| {
            let is_result = |place: &usize| self.links[*place].is_result;
            (0..self.links.len()).filter(is_result).any(|place| self.call(place) == Some(at))
        };
        let response = call.filter(|call| is_call(*call)).map(|call| self.links[call].response);
        let Some(response) = response.filter(|response| *response != 0) else { return false };
        let above: FxHashSet<usize> = self.up(place).collect();
        let after = self.up(leaf).take_while(|at| !above.contains(at)).last();
        let meeting = after.and_then(|after| self.parent(after));
        let Some((after, meeting)) = after.zip(meeting) else { return false };
        let is_of_it = |at: usize| self.links[at].response == response;
        (self.links[after].is_result || is_of_it(after)) && is_of_it(meeting) && is_call(meeting)
    }
}
