#!/usr/bin/env python3
"""Makes a large session of a small one: its lines again and again, each time with fresh ids.

usage: repeat.py SESSION COPIES OUT

Ids of lines (UUIDs), of responses (`msg_01...`), of calls (`toolu_01...`, `call_...`) are changed in
each copy; which record follows which stays as it was inside a copy.
"""
import re
import sys

ID = re.compile(rb'"([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")')
NAMED = re.compile(rb'"(msg_|toolu_|call_)([0-9A-Za-z]{8})')


def copy(text: bytes, number: int) -> bytes:
    def fresh(match):
        return b'"%08x%s' % ((int(match[1], 16) + number * 0x01000193) & 0xFFFFFFFF, match[2])

    def named(match):
        return b'"%s%08x' % (match[1], (hash_of(match[2]) + number * 0x01000193) & 0xFFFFFFFF)

    return NAMED.sub(named, ID.sub(fresh, text)) if number else text


def hash_of(name: bytes) -> int:
    return int.from_bytes(name, "big") % 0xFFFFFFFB


def main() -> None:
    source, copies, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    # The name of the session itself stays.
    session = None
    with open(source, "rb") as file:
        lines = file.read()
    found = re.search(rb'"(?:sessionId|id)":"([0-9a-f]{8})-', lines[:100_000])
    if found:
        session = found[1]
        lines = lines.replace(b'"%s-' % session, b'"@session@-')
    with open(out, "wb") as file:
        for number in range(copies):
            text = copy(lines, number)
            if session:
                text = text.replace(b'"@session@-', b'"%s-' % session)
            file.write(text)


if __name__ == "__main__":
    main()
