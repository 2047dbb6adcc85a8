//! What a conversion begins with: its source, and what that becomes.

use camino::Utf8PathBuf;

use super::convert::Args;
use super::session::{absolute, current_dir};
use crate::convert::{self, Converted, Options, State};
use crate::discover::Chosen;
use crate::emit::install;
use crate::error::{Error, Result};
use crate::harness::{self, Harness, Imported, Late, Target};
use crate::json;
use crate::jsonl::Input;
use crate::model::{Action, Deed, Ended, Header, Session, ToolCall};
use crate::plan::Plan;
use crate::select::fetch::quoted;

/// Says of a side session whose it is, and which command converts both, if they are to go on in `to`.
pub(super) fn side_of(main: &str, to: Option<&str>) -> String {
    let id = quoted(main);
    let both = |to| format!("; `segue convert {id} --to {to} --install` writes both");
    format!("it is a side session of {id}{}", to.map(both).unwrap_or_default())
}

/// Refuses a session with nothing to go on with, and says what is missing; a side session goes with its main one.
pub(super) fn nothing_to_go_on_with(
    chosen: &Chosen,
    header: &Header,
    missing: &str,
    to: Option<&str>,
) -> Error {
    let path = chosen.input.shown().to_owned();
    let why = format!("has nothing to go on with: {missing}");
    let main = header.parent.as_ref().filter(|_| header.is_side);
    let hint = main.map(|id| side_of(id, to));
    Error::NotASession { path, why, hint }
}

/// Tells the state of the source from any other; `read` is what was read of it in lines.
pub(super) fn state(chosen: &Chosen, read: State) -> Result<String> {
    let input = &chosen.input;
    let is_whole = read.bytes > 0 && read.bytes == input.bytes;
    let fail = |cause| Error::read(input.shown(), cause);
    let state = if is_whole { Ok(read) } else { State::of(input.open()?).map_err(fail) };
    state.map(|state| state.told())
}

/// Says of a source what a list of sessions that were taken over holds; nothing if it is no file.
pub(super) fn imported(chosen: &Chosen, title: Option<String>) -> Option<Imported> {
    let path = chosen.input.path()?.canonicalize_utf8().ok()?;
    let modified = path.metadata().and_then(|meta| meta.modified()).ok()?;
    let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    let modified_ns = u64::try_from(since.as_nanos()).ok()?;
    let now_s = jiff::Timestamp::now().as_second();
    let content_sha256 = convert::digest(chosen.input.open().ok()?).ok()?;
    Some(Imported { path, content_sha256, modified_ns, now_s, title })
}

/// Says as what and where the session goes on.
pub(super) fn target(args: &Args, to: &str, content: &str, session: &Session) -> Result<Target> {
    let header = &session.header;
    let own = header.cwd.clone().or_else(|| header.project.clone()).filter(|own| !own.is_empty());
    let cwd = match (&args.cwd, own) {
        (Some(cwd), _) if args.install && !cwd.is_dir() => {
            let hint = "without --install it is written for a folder that is elsewhere";
            return Err(Error::usage(format!("`{cwd}`, as --cwd says, is no folder here"), hint));
        }
        (Some(cwd), _) => absolute(cwd)?.into_string(),
        (None, Some(own)) => own,
        // A session without a folder goes on where the user is.
        (None, None) => current_dir()?.into_string(),
    };
    let cwd = seen_inside(cwd);
    // The command that is printed has it, and no folder that one can go to.
    if cwd.contains(char::is_control) {
        let what = "the session's folder has control characters in its name";
        return Err(Error::usage(what, "name the folder in which it is to go on: `--cwd DIR`"));
    }
    let origin = format!("{}:{}", header.harness, header.id);
    let all = if args.full_history { "full" } else { "live" };
    let most = args.max_tokens.map(|most| most.to_string()).unwrap_or_default();
    let redacted = if args.redact { "redacted" } else { "" };
    let id = convert::target_id(&origin, to, &[content, all, &most, redacted, &cwd]);
    let now = args.install.then(|| jiff::Timestamp::now().to_string());
    Ok(Target { id, cwd, origin, now })
}

/// Returns a folder as a program sees it that runs there: through no link and without a slash at its
/// end. One that is not on this machine has no other name.
fn seen_inside(folder: String) -> String {
    if let Ok(real) = Utf8PathBuf::from(&folder).canonicalize_utf8() {
        return real.into_string();
    }
    match folder.trim_end_matches('/') {
        "" => folder,
        bare => bare.to_owned(),
    }
}

/// Makes the session ready to be written as `target`.
pub(super) fn conversation(
    session: Session,
    target: &Target,
    same: bool,
    full_history: bool,
) -> Converted {
    let source = harness::by_name(&session.header.harness);
    let home = session.header.cwd.clone().unwrap_or_default();
    let deed = |call: &ToolCall<'_>| {
        // The harness's own calls are written as they are.
        if same {
            return None;
        }
        let arguments = json::from_str(call.arguments.get()).ok()?;
        let deed = moved(source?.deed(&call.name, &arguments)?, call, target, &home);
        Some((deed, source?.asks_more(&call.name, &arguments)))
    };
    let is_alone =
        |call: &ToolCall<'_>| source.is_some_and(|source| source.keeps_no_result(&call.name));
    let printed = |output| match source {
        Some(source) => source.printed(output),
        None => output,
    };
    let begun = |result: &str| source?.begun(result).map(|begun| begun.name);
    let ended = |message: &str| {
        let told = |Late { name, status, exit_code, told, report }| {
            (name, Ended { status, exit_code, told, report, at: None })
        };
        let all = source.map(|source| source.late(message)).unwrap_or_default();
        all.into_iter().map(told).collect()
    };
    let waits_for =
        |call: &ToolCall<'_>| match source?.action(&call.name, call.kind, &call.arguments) {
            Some(Action::Wait { on, .. }) => on,
            // What waits can also end what it waits for, and brings what that printed.
            Some(Action::Stop { on }) if call.name == "wait" => Some(on),
            _ => None,
        };
    let options = Options {
        same,
        full_history,
        deed: &deed,
        is_alone: &is_alone,
        printed: &printed,
        begun: &begun,
        ended: &ended,
        waits_for: &waits_for,
    };
    convert::convert(session, &options)
}

/// Returns what a call did with the folder in which it ran where `target` has that.
fn moved(mut deed: Deed, call: &ToolCall<'_>, target: &Target, home: &str) -> Deed {
    if let Deed::Shell { cwd, .. } = &mut deed {
        // Its arguments can be of before the session moved.
        let noted = call.cwd.as_deref().map(|at| (at != home).then(|| at.to_owned()));
        let folder = noted.unwrap_or_else(|| cwd.take());
        *cwd = folder.map(|at| target.folder(&at, home));
    }
    deed
}

/// Says what another run made of the source, the same folder first.
pub(super) fn kin(plan: &Plan, to: &dyn Harness, target: &Target) -> Option<String> {
    let start = target.id.get(..convert::KIN_CHARS)?;
    let others = install::kin(plan, start).into_iter().filter_map(|path| {
        let header = Input::file(&path).and_then(|input| to.header(&input)).ok()?;
        let is_elsewhere = header.cwd.is_some_and(|cwd| cwd != target.cwd);
        (!header.is_side).then_some((is_elsewhere, path))
    });
    let (is_elsewhere, path) = others.min()?;
    let what = match is_elsewhere {
        true => "what goes on with the session in another folder",
        false => "an earlier state of the session, or the same with other options,",
    };
    Some(format!("{what} is there as {path}"))
}
