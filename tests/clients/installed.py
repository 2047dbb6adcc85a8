#!/usr/bin/env python3
"""Does `segue convert --install` put a session where the real program finds it, and does the printed command resume it?

  installed.py [--segue PROGRAM] [--data FOLDER] [FILE...]

Each FILE (without one, a fixture of each harness) is installed into a fresh home for every program that is there. The
command that segue printed is then typed on a terminal, with a prompt behind it. What the program sends to its scripted
model is held against `segue export --view live` of the source, as matrix.py does it. Then the file of the session must
still pass `segue check`. PROGRAM, FOLDER and the programs are found as headline.py finds them.
Exit code: 0 all that could be run was right, 1 something was not, 2 there is no program to test.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # the folder is one of sources

import headline
import matrix

SAMPLES = ["fixtures/claude/2.1.330/compaction-preserved.jsonl", "fixtures/codex/0.145.0/tools-legacy.jsonl",
           "fixtures/gemini/0.61.0/tools/chats/session-2026-11-21T20-24-c20e3001.jsonl",
           # With side sessions.
           "fixtures/claude/2.1.330/filed-side-session/e7420af1-b4f4-483b-b081-1aaed47273dd.jsonl",
           "fixtures/codex/0.169.0/rollout-2026-11-21T20-41-09-01a1ffd7-67cd-7213-aa49-898cbb18d436.jsonl",
           "fixtures/gemini/0.61.0/sub-agent/chats/session-2026-11-21T20-26-6614a8f5.jsonl"]
PROMPT = "go on where you stopped"
# How each program takes a prompt behind the printed command.
ASK = {"claude": f'"{PROMPT}"', "codex": f'"{PROMPT}"', "gemini": f'-i "{PROMPT}"'}


def arguments(text, samples):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segue", default=os.environ.get("SEGUE"))
    parser.add_argument("--data", default=os.environ.get("SEGUE_DATA") or headline.ROOT.parent / "shared", type=Path)
    parser.add_argument("files", nargs="*", default=[str(headline.ROOT / sample) for sample in samples])
    return parser.parse_args()


def prepared(asked):
    """Returns the probes and the programs that are there; ends the run where it makes no sense."""
    if not asked.segue or not os.access(asked.segue, os.X_OK):
        print("no program to test: name it with --segue or SEGUE", file=sys.stderr)
        sys.exit(2)
    sys.path.insert(0, str(asked.data / "clients"))
    try:
        import probe_claude
        import probe_codex
        import probe_gemini
    except ImportError as error:
        print(f"SKIPPED: no probes in {asked.data / 'clients'} ({error})")
        sys.exit(0)
    clients = headline.installed()
    if clients:
        probe_codex.isolate()  # starts this file again where only loopback is to be reached
    return (probe_claude, probe_codex, probe_gemini), clients


def install(bench, asked, file, to):
    """Installs a session into the home of the bench; returns the printed command and the files that were made."""
    there = set(bench.home.rglob("*.jsonl"))
    made = subprocess.run([asked.segue, "convert", file, "--to", to, "--cwd", bench.project, "--install"],
                          env=bench.environment, capture_output=True, text=True)
    new = sorted(set(bench.home.rglob("*.jsonl")) - there)
    return made.stdout.strip(), new, made.stderr


def conversation(to, request, probe_claude):
    """What a request to the model holds, in the form that the comparison of matrix.py takes."""
    if to == "claude":
        return {"conversation": probe_claude.reduce(request.get("messages") or [], PROMPT)}
    if to == "codex":
        return {"input": (request.get("body") or {}).get("input")}
    return {"contents": (request.get("request") or {}).get("contents")}


def with_prompt(requests):
    """The first request that carries the prompt, and tools."""
    return next((r for r in requests if PROMPT in headline.texts(r) and "tools" in str(r)), None)


def prove(bench, asked, file, to, probe_claude):
    """Returns what was wrong with one session that was installed and resumed."""
    command, made, said = install(bench, asked, file, to)
    if not made or not command.startswith("cd "):
        return f"not installed: {command} {said[-300:]}"
    _, printed, _ = bench.run_on_terminal(f"{command} {ASK[to]}", lambda: with_prompt(list(bench.requests)))
    request = with_prompt(list(bench.requests))
    if not request:
        return f"nothing was sent; it printed: {printed[-1500:]}"
    lack = matrix.missing(matrix.expected(asked.segue, file, to), matrix.SENT[to](conversation(to, request, probe_claude)))
    checked = [subprocess.run([asked.segue, "check", one, "--as", to], capture_output=True, text=True) for one in made]
    gone = [one for one in made if not one.exists()]
    return lack or "\n".join([f"{one} is gone" for one in gone] + [one.stdout.strip() for one in checked if one.returncode])


def main():
    asked = arguments(__doc__, SAMPLES)
    probes, clients = prepared(asked)
    wrong = 0
    for to in headline.NAMES:
        if to not in clients:
            print(f"SKIPPED  {to} is not installed")
            continue
        for file in asked.files:
            with tempfile.TemporaryDirectory(prefix="segue-installed-", ignore_cleanup_errors=True) as root:
                bench = headline.Bench(Path(root), asked.segue, clients, probes)
                fault = prove(bench, asked, file, to, probes[0])
                bench.stop()
            wrong += bool(fault)
            print(f"{'WRONG' if fault else 'ok':8} {to} <- {file}{': ' if fault else ''}{fault}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
