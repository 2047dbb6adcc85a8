#!/usr/bin/env python3
"""Does a pack reach the model of the real Claude Code, Codex CLI and Gemini CLI byte for byte?

  headline.py [--segue PROGRAM] [--data FOLDER]

Types the command lines of the README's section "Into the next session", and starts Claude Code with the settings of
that section: first with `--demo` added to `segue pack`, then as they stand there, when the session that is carried on is
the one that the client before has left. The models are scripted ones on loopback, of the probes in FOLDER/clients; they
keep what they were sent.

PROGRAM is $SEGUE or `segue` of the PATH, FOLDER is $SEGUE_DATA or ../shared beside the checkout. The clients are
$CLAUDE_BIN, $CODEX_BIN and $GEMINI_JS, or where FOLDER/clients/install.sh puts them. What is not installed is SKIPPED.
Exit code: 0 all that could be run was right, 1 something was not, 2 there is no program to test.
"""
import argparse
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECTION = "## Into the next session\n"
SECONDS = 60
NAMES = {"claude": "CLAUDE_BIN", "codex": "CODEX_BIN", "gemini": "GEMINI_JS"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segue", default=os.environ.get("SEGUE") or shutil.which("segue"))
    parser.add_argument("--data", default=os.environ.get("SEGUE_DATA") or ROOT.parent / "shared", type=Path)
    return parser.parse_args()


def installed():
    """Returns the clients that are there, by the name that a user types."""
    folder = Path(os.environ.get("SEGUE_CLIENTS") or Path.home() / ".cache/segue-clients")
    found = {}
    for name, variable in NAMES.items():
        path = Path(os.environ.get(variable) or folder / name / "node_modules/.bin" / name)
        if path.exists():
            found[name] = path.resolve()
    return found


def readme():
    """Returns the command lines and the settings that the README shows."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").split(SECTION, 1)[1].split("\n## ")[0]
    shell, settings = (re.search(rf"```{kind}\n(.*?)```", text, re.S).group(1) for kind in ("sh", "json"))
    lines = [line.split("  #")[0].rstrip() for line in shell.splitlines()]
    return [line for line in lines if line], settings


def texts(value):
    """Returns every string in a JSON value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    return [text for part in value for text in texts(part)] if hasattr(value, "__iter__") else []


class Bench:
    """A fresh home, a project, a PATH with the programs, and three models."""

    def __init__(self, root, segue, clients, probes, reply="noted"):
        self.requests = []
        claude, codex, gemini = probes
        claude_at = claude.make_mock(self.requests, reply).server_address[1]
        model = codex.Mock()
        model.requests = self.requests
        gemini.Mock.log = self.requests
        server = ThreadingHTTPServer(("127.0.0.1", 0), gemini.Mock)
        threading.Thread(target=server.serve_forever, daemon=True).start()

        self.home, self.project, programs = root / "home", root / "project", root / "bin"
        for folder in (self.home / ".claude", self.home / ".codex", self.home / ".gemini", self.project, programs):
            folder.mkdir(parents=True)
        for name, path in {**clients, "segue": Path(segue).resolve()}.items():
            (programs / name).symlink_to(path)
        subprocess.run(["git", "init", "-q", self.project], check=True)
        (self.home / ".claude.json").write_text(json.dumps({
            "hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": ["made-up"]},
            "projects": {str(self.project): {"hasTrustDialogAccepted": True}}}))
        (self.home / ".gemini/settings.json").write_text(json.dumps(gemini.SETTINGS))
        (self.home / ".codex/config.toml").write_text(
            'model_provider = "scripted"\ncheck_for_update_on_startup = false\n'
            f'[projects."{self.project}"]\ntrust_level = "trusted"\n'
            '[model_providers.scripted]\nname = "scripted"\nenv_key = "MADE_UP_KEY"\n'
            f'base_url = "http://127.0.0.1:{model.port}/v1"\nwire_api = "responses"\nsupports_websockets = false\n')
        self.environment = {
            "HOME": str(self.home), "PATH": f"{programs}:{os.environ['PATH']}", "LANG": "C.UTF-8", "TERM": "dumb",
            "NO_PROXY": "127.0.0.1", "HTTPS_PROXY": "http://127.0.0.1:9",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{claude_at}", "ANTHROPIC_API_KEY": "made-up",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "MADE_UP_KEY": "made-up",
            "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{server.server_port}", "GEMINI_API_KEY": "made-up",
            "GEMINI_MODEL": "gemini-2.5-pro",
            "GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_FORCE_FILE_STORAGE": "true",
        }

    def pack(self, command):
        """Returns what a command prints."""
        said = subprocess.run(["sh", "-c", command], cwd=self.project, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return said.stdout.decode("utf-8", "replace")

    def run(self, line):
        """Types a command line, and returns whether it ended well, what it printed, and what strings were sent."""
        self.requests.clear()
        typed = subprocess.Popen(["sh", "-c", line], cwd=self.project, env=self.environment, start_new_session=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            printed = typed.communicate(timeout=SECONDS)[0].decode("utf-8", "replace")
            if typed.returncode:
                printed += f"\nexit code {typed.returncode}"
        except subprocess.TimeoutExpired:
            os.killpg(typed.pid, signal.SIGKILL)
            typed.communicate()
            printed = f"no end after {SECONDS} seconds"
        return typed.returncode == 0, printed, texts(list(self.requests))

    def run_on_terminal(self, line, done):
        """Types a command line on a terminal, until `done` says so or the time is over; returns the same."""
        self.requests.clear()
        process, terminal = pty.fork()
        if not process:
            os.chdir(self.project)
            os.execvpe("sh", ["sh", "-c", line], {**self.environment, "TERM": "xterm-256color"})
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        printed, end = b"", time.monotonic() + SECONDS
        while time.monotonic() < end and not done():
            if not select.select([terminal], [], [], 0.2)[0]:
                continue
            try:
                read = os.read(terminal, 65536)
            except OSError:  # the program has ended
                break
            printed += read
            if b"\x1b[6n" in read:  # it asks where the cursor is
                os.write(terminal, b"\x1b[1;1R")
        os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
        return True, printed.decode("utf-8", "replace"), texts(list(self.requests))

    def stop(self):
        """Ends what a client left running: programs that were started from the fresh home."""
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if (process / "cmdline").read_bytes().startswith(os.fsencode(self.home)):
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:  # it has ended, or is somebody else's
                pass


def judge(pack, sent):
    """Returns whether the pack was sent, and how what was sent differs from it."""
    if not pack:
        return False, "no pack was printed"
    for form, lacks in ((pack, ""), (pack.rstrip("\n"), ", without its last line end")):
        for text in sent:
            before, there, after = text.partition(form)
            if there:
                around = [("before", before[-40:]), ("after", after[:40])]
                around = [f"; {side} it {json.dumps(words)}" for side, words in around if words]
                return True, f"byte for byte{lacks}" + "".join(around)
    return False, "not sent whole"


def main():
    asked = arguments()
    if not asked.segue or not os.access(asked.segue, os.X_OK):
        print("no program to test: name it with --segue or SEGUE", file=sys.stderr)
        return 2
    sys.path.insert(0, str(asked.data / "clients"))
    sys.dont_write_bytecode = True
    try:
        import probe_claude
        import probe_codex
        import probe_gemini
    except ImportError as error:
        print(f"SKIPPED: no probes in {asked.data / 'clients'} ({error})")
        return 0
    clients = installed()
    if clients:
        probe_codex.isolate()  # starts this file again where only loopback is to be reached

    lines, settings = readme()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="segue-headline-", ignore_cleanup_errors=True) as root:
        bench = Bench(Path(root), asked.segue, clients, (probe_claude, probe_codex, probe_gemini))

        def prove(name, line, source, title):
            """Types `line`, for the pack that is printed by the command which stands in `source`."""
            nonlocal wrong
            if name not in clients:
                return print(f"SKIPPED  {title}: {name} is not installed")
            pack = bench.pack(re.search(r'segue pack[^|)"]*', source).group())
            alone = " -p " in line or " exec " in line
            ended, printed, sent = bench.run(line) if alone else bench.run_on_terminal(
                line, lambda: judge(pack, texts(list(bench.requests)))[0])
            right, how = judge(pack, sent)
            right = right and ended
            wrong += not right
            print(f"{'ok' if right else 'WRONG':8} {title}: {how}")
            if not right:
                print(f"         {len(sent)} strings were sent; it printed: {printed[-1500:]}")

        hooks = bench.home / ".claude/settings.json"
        for command in ("segue pack --demo", "segue pack"):
            for line in lines:
                line = line.replace("segue pack", command)
                prove(next(name for name in NAMES if f"{name} " in line), line, line, line)
            hook = settings.replace("segue pack", command)
            hooks.write_text(hook)
            prove("claude", 'claude -p "go on"', hook, f"Claude Code with a hook of `{command}`")
            hooks.unlink()
        bench.stop()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
