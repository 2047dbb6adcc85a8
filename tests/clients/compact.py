#!/usr/bin/env python3
"""Can Claude Code compact a session that was converted for it, and go on?

  compact.py [--segue PROGRAM] [--data FOLDER] [FILE...]

Each FILE (without one, a fixture of Codex CLI and one of Gemini CLI) is installed into a fresh home, resumed with
`/compact`, and then with a prompt. All of the conversation must be in what the scripted model is to sum up, or be kept
behind the summary; the prompt must come with the summary, and not with all that it replaced. Afterwards the file must
pass `segue check`, and hold both the old conversation and the summary. All else is as in installed.py.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # the folder is one of sources

import headline
import installed
import matrix

SAMPLES = installed.SAMPLES[1:]
SUMMARY = "The summary that the scripted model wrote."


def exported(asked, made, view):
    """What segue reads of the file that the program went on with."""
    out = subprocess.run([asked.segue, "export", made, "--view", view], capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def compacted(bench, session):
    """Has the program compact; returns the request for a summary, and what was wrong."""
    ended, printed, _ = bench.run(f'claude -p --resume {session} "/compact"')
    request = max(bench.requests, key=lambda r: len(r.get("messages") or []), default={})
    return request.get("messages") or [], "" if ended else f"/compact: {printed[-500:]}"


def gone_on(bench, probe_claude, session):
    """Has the program go on; returns the request with the prompt, and what was wrong."""
    ended, printed, sent = bench.run(f'claude -p --resume {session} "{installed.PROMPT}"')
    messages = (installed.with_prompt(list(bench.requests)) or {}).get("messages") or []
    if not ended or not messages:
        return messages, f"going on: {printed[-500:]}"
    if not any(SUMMARY in text for text in sent):
        return messages, "the summary was not sent"
    return messages, "; ".join(probe_claude.lint(messages))


def told(asked, probe_claude, file, before, after):
    """Checks that the conversation was summed up or kept; returns what was wrong."""
    # The newest messages may stay as they are, behind the summary: they are not asked to be summed up then.
    got = [piece for messages in (before, after)
           for piece in matrix.sent_claude({"conversation": probe_claude.reduce(messages, installed.PROMPT)})]
    want = matrix.expected(asked.segue, file, "claude")
    if lack := matrix.missing(want, got):
        return f"neither summed up nor kept: {lack}"
    again = [text for kind, text in want if kind == "said" and any(text in matrix.fold(t) for t in headline.texts(after))]
    return "nothing was compacted" if len(want) > 1 and len(again) == sum(kind == "said" for kind, _ in want) else ""


def kept(asked, file, made):
    """Checks the file that is left; returns what was wrong."""
    checked = subprocess.run([asked.segue, "check", made, "--as", "claude"], capture_output=True, text=True)
    if checked.returncode:
        return checked.stdout.strip()
    full, live = (" ".join(headline.texts(exported(asked, made, view))) for view in ("full", "live"))
    if SUMMARY not in live:
        return "the summary is not live"
    lost = [text for kind, text in matrix.expected(asked.segue, file, "claude") if kind == "said" and text not in matrix.fold(full)]
    return f"not in the file any more: {lost[0][:90]!r}" if lost else ""


def prove(bench, asked, probe_claude, file):
    """Returns what was wrong with one session."""
    command, _, said = installed.install(bench, asked, file, "claude")
    made = matrix.written(said)
    if not made:
        return f"not installed: {said[-300:]}"
    session = command.split()[-1]
    before, fault = compacted(bench, session)
    if fault:
        return fault
    after, fault = gone_on(bench, probe_claude, session)
    return fault or told(asked, probe_claude, file, before, after) or kept(asked, file, made)


def main():
    asked = installed.arguments(__doc__, SAMPLES)
    probes, clients = installed.prepared(asked)
    if "claude" not in clients:
        print("SKIPPED  claude is not installed")
        return 0
    wrong = 0
    for file in asked.files:
        with tempfile.TemporaryDirectory(prefix="segue-compact-", ignore_cleanup_errors=True) as root:
            bench = headline.Bench(Path(root), asked.segue, clients, probes, SUMMARY)
            fault = prove(bench, asked, probes[0], file)
            bench.stop()
        wrong += bool(fault)
        print(f"{'WRONG' if fault else 'ok':8} {file}{': ' if fault else ''}{fault}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
