#!/usr/bin/env python3
"""Lets the real programs resume converted sessions, and compares what they send with what should be sent.

  matrix.py --segue BIN --data DIR [--to HARNESS,...] [--jobs N] FILE...

Each FILE is converted for every target, checked with `segue check`, and resumed by the target's real program against a
scripted model on loopback (the probes in DIR/clients). What the program sends is held against `segue export --view live`
of the source: every text, call and result, in order. Prints a line a pair with a cell that is not green, then the
matrix; exits 1 if any cell is red. Standard library only.
"""
import argparse, concurrent.futures, json, os, re, subprocess, sys, tempfile

TARGETS = ["claude", "codex", "gemini"]
# How much of a text is compared, in characters.
HEAD = 4000
# What fits the window of every program, in tokens.
FITS = 100000


def run(argv, **more):
    return subprocess.run(argv, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, **more)


def fold(text):
    # A side session that is written anew has a new id, which the results of Codex CLI's calls name.
    text = re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "<id>", text)
    return re.sub(r"\s+", " ", text).strip()


def plain(parts):
    """The text of a message's parts, or of an output."""
    if isinstance(parts, str):
        return parts
    texts = [p.get("text") or "" for p in parts or [] if isinstance(p, dict) and p.get("type", "text") in ("text", "input_text", "output_text")]
    return "\n".join(texts)


# ---------------------------------------------------------------- what should be sent
def expected(segue, file, to):
    """A list of (kind, text): 'said', 'call' with its result."""
    out = run([segue, "export", file, "--view", "live"])
    records = [json.loads(line) for line in out.stdout.splitlines()]
    own = records and records[0].get("harness") == to
    parents = {r["parent_call"] for r in records if r.get("type") == "tool_call" and r.get("parent_call")}
    results, outputs, bare = {}, {}, {}
    for r in records:
        # The words around a summary are those of its harness.
        if r["type"] == "compaction" and r.get("summary_id"):
            bare[r["summary_id"]] = r.get("summary") or ""
        if r["type"] == "tool_result":
            outputs.setdefault(r["call_id"], r.get("output") or [])
            results.setdefault(r["call_id"], plain(r.get("output")))
    want = []
    for r in records:
        kind = r["type"]
        if kind == "message":
            text = fold(bare.get(r["id"]) or plain(r.get("parts") or r.get("content")))
            foreign = r.get("origin") == "harness" or r.get("role") == "system"
            if text and not foreign:
                want.append(("said", text))
        elif kind == "tool_call":
            child = r.get("parent_call")
            if (own and child) or (not own and r["call_id"] in parents):
                continue
            # What the provider answered itself is sent again only where it still offers that tool.
            if own and r["call_id"].startswith("srvtoolu_"):
                continue
            told = results.get(r["call_id"], "")
            # Another harness is sent the calls of a script, with what they printed while it was waited for.
            if not own and r["call_id"] not in parents and is_wait(r):
                # Before it stands what the harness says of the script.
                printed = [fold(plain([part])) for part in outputs.get(r["call_id"], [])[1:]]
                want += [("printed", text) for text in printed if text]
                continue
            want.append(("call", fold(told)))
    return want


def is_wait(call):
    """Whether a call of Codex CLI only waits for a script that runs on."""
    return call.get("name") == "wait" and "cell_id" in (call.get("arguments") or {})


# ---------------------------------------------------------------- what was sent
def sent_claude(probe):
    results, got = {}, []
    blocks = [b for m in probe.get("conversation") or [] for b in (m["content"] if isinstance(m["content"], list) else [{"type": "text", "text": m["content"]}])]
    for b in blocks:
        if b.get("type") == "tool_result":
            results[b.get("tool_use_id")] = plain(b.get("content"))
    for b in blocks:
        if b.get("type") == "text":
            got.append(("said", fold(b["text"])))
        elif b.get("type") == "tool_use":
            got.append(("call", fold(results.get(b["id"], "\0"))))
    return got


def sent_codex(probe):
    results, got = {}, []
    for i in probe.get("input") or []:
        if str(i.get("type", "")).endswith("_call_output"):
            results[i.get("call_id")] = plain(i.get("output"))
    for i in probe.get("input") or []:
        kind = str(i.get("type", ""))
        if kind == "agent_message" or kind == "message" and i.get("role") != "developer":
            got.append(("said", fold(plain(i.get("content")))))
        elif kind.endswith("_call"):
            got.append(("call", fold(results.get(i.get("call_id"), "\0"))))
    return got


def sent_gemini(probe):
    results, got = {}, []
    parts = [p for c in probe.get("contents") or [] for p in c.get("parts") or []]
    for p in parts:
        r = p.get("functionResponse")
        if r:
            said = r.get("response") or {}
            results[r.get("id")] = "\n".join(v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in said.values())
    for p in parts:
        if p.get("text") and not p.get("thought"):
            got.append(("said", fold(p["text"])))
        elif p.get("functionCall"):
            got.append(("call", fold(results.get(p["functionCall"].get("id"), "\0"))))
    return got


SENT = {"claude": sent_claude, "codex": sent_codex, "gemini": sent_gemini}


def is_begun(head, cut):
    """Whether a text begins with a cut result: of most tools the program shows that as JSON."""
    # The cut may fall into an escape, and into an id that has been folded.
    quoted = re.match(r'\{ "\w+": "(.*)', cut)
    tries = [f'"{quoted[1][:len(quoted[1]) - less]}"' for less in range(6)] if quoted else []
    for text in tries:
        try:
            cut = fold(json.loads(text))
            break
        except ValueError:
            pass
    return head.startswith(re.sub(r"[0-9a-f-]+$", "", cut))


def is_told(head, text, sent):
    """Whether what was sent tells a text, whose beginning is `head`."""
    # Gemini CLI itself cuts older results that are long, when it sends them: their beginning is left, or of those of a
    # failed command nothing but where it put the whole. Number and order of the calls are compared all the same.
    if re.fullmatch(r"<tool_output_masked> Output too large\. Full output available at: \S+ </tool_output_masked>", sent):
        return True
    masked = re.fullmatch(r"<tool_output_masked> (.*?) \.\.\. \[.*", sent)
    if masked:
        # A call of a script has no result of its own: the last one bears that of the script.
        return not text or (len(text) > len(sent) and is_begun(head, masked[1]))
    # A message may be sent as several blocks, and several as one.
    return head in sent or bool(sent) and sent[:HEAD].rstrip() in text


def missing(want, got):
    """The first thing that was not sent, or not in its order."""
    calls = sum(kind == "call" for kind, _ in want), sum(kind == "call" for kind, _ in got)
    if calls[0] != calls[1]:
        return f"{calls[0]} calls expected, {calls[1]} sent"
    at = 0
    everything = "\n".join(text for kind, text in got if kind == "call")
    for place, (kind, text) in enumerate(want):
        head = text[:HEAD].rstrip()
        if kind == "printed":
            # What Gemini CLI cut of older results cannot be looked into.
            if head not in everything and "<tool_output_masked>" not in everything:
                return f"{kind} {place} of {len(want)}: {head[:90]!r}"
            continue
        while at < len(got) and not (got[at][0] == kind and is_told(head, text, got[at][1])):
            at += 1
        if at == len(got):
            return f"{kind} {place} of {len(want)}: {head[:90]!r}"
        if kind == "call":
            at += 1
    return ""


def installed(segue, file, to, home, *more):
    """Installs the converted session into a home of its own; returns its file, or None, and what was said."""
    # Not `--out`: only a file that is installed bears the time of writing, which programs that clean up look at.
    os.makedirs(os.path.join(home, f".{to}"))
    made = run([segue, "convert", file, "--to", to, "--install", "--cwd", home, *more], env={"PATH": os.environ["PATH"], "HOME": home})
    return (None if made.returncode else written(made.stderr)), made.stderr.strip()


def written(said):
    """The session's own file, by what segue said: the files of side sessions stand beside it."""
    named = re.search(r"^segue: (.*): written$", said, re.M)
    return named and named[1]


def probed(data, to, out):
    """Has the real program resume a file; returns what the probe says."""
    probe = run([sys.executable, os.path.join(data, "clients", f"probe_{to}.py"), out, *(["--full"] if to == "codex" else [])], timeout=600)
    try:
        return json.loads(probe.stdout)
    except ValueError:
        return {"loaded": False, "errors": [(probe.stdout + probe.stderr).strip()[-200:]]}


def is_listed(said):
    listed = said.get("listed", said.get("loaded"))
    # One answer for each way of asking: the picker asks for what was begun in a terminal, of any provider.
    return listed.get("interactive_any_provider") is True if isinstance(listed, dict) else bool(listed)


def compacted_first(said):
    """Whether the program compacted the session before it answered."""
    if "compacted first" in said.get("note", ""):
        return True
    conversation = said.get("conversation") or []
    first = " ".join(plain(m["content"]) for m in conversation[:1])
    # Nobody but the scripted model has said that, for a summary.
    return said.get("n_requests", 0) > 1 and "PROBE-REPLY" in first


def cell(segue, data, file, to, folder):
    """Loaded, listed, complete, lint-clean; and what is wrong."""
    with tempfile.TemporaryDirectory(dir=folder) as d:
        out, told = installed(segue, file, to, os.path.join(d, "whole"))
        if not out:
            return {"loaded": False}, f"convert: {told[-160:]}"
        said = probed(data, to, out)
        want = expected(segue, file, to)
        if compacted_first(said):
            # The session is longer than the program's window, so that it compacts before it answers, and the probe
            # keeps what follows alone. Judged is the session folded to fit, by what segue reads of it.
            out, told = installed(segue, file, to, os.path.join(d, "folded"), "--max-tokens", str(FITS))
            said = probed(data, to, out) if out else {}
            want = expected(segue, out, to) if out else []
            print(f"LONG  {to} {file}: folded to {FITS} tokens", flush=True)
        checked = run([segue, "check", out, "--as", to])
        lint = said.get("api_lint") or said.get("api_warnings") or said.get("errors") or []
        lack = missing(want, SENT[to](said))
        got = {"loaded": bool(said.get("loaded")), "listed": is_listed(said), "complete": not lack, "lint": not lint, "check": checked.returncode == 0}
        why = [lack, *map(str, lint[:2]), checked.stdout.strip()[:200] if checked.returncode else ""]
        return got, "; ".join(w for w in why if w)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--segue", required=True)
    ap.add_argument("--data", required=True)
    ap.add_argument("--to", default=",".join(TARGETS))
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("files", nargs="+")
    a = ap.parse_args()
    rows = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        work = {}
        for file in a.files:
            head = run([a.segue, "export", file]).stdout.partition("\n")[0]
            if not head:
                continue
            source = json.loads(head)["harness"]
            for to in a.to.split(","):
                work[pool.submit(cell, a.segue, a.data, file, to, folder)] = (source, to, file)
        for done in concurrent.futures.as_completed(work):
            source, to, file = work[done]
            try:
                got, why = done.result()
            except subprocess.TimeoutExpired:
                got, why = {"loaded": False}, "no answer"
            green = len(got) > 1 and all(got.values())
            row = rows.setdefault((source, to), [0, 0])
            row[0] += green
            row[1] += 1
            if not green:
                bad = [k for k, v in got.items() if not v]
                print(f"RED {source} -> {to} {file}: {', '.join(bad)}: {why}", flush=True)
    for (source, to), (green, count) in sorted(rows.items()):
        print(f"{source:7} -> {to:7} {green} of {count} green")
    sys.exit(any(green < count for green, count in rows.values()))


if __name__ == "__main__":
    main()
