#!/usr/bin/env python3
"""Writes the project's changelog as that of a Debian package, to standard output.

A section of a version becomes an entry of that version and its date. What is not released yet becomes the entry
of the version that is packed, with the time of SOURCE_DATE_EPOCH; so does a version without a section.

    changelog.py VERSION MAINTAINER
"""

import os
import re
import sys
import textwrap
from datetime import datetime, timezone
from email.utils import format_datetime
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parent.parent / ".github/CHANGELOG.md"
HEADING = re.compile(r"^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$", re.M)


def main():
    version, maintainer = sys.argv[1:3]
    now = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    entries = []
    parts = HEADING.split(CHANGELOG.read_text(encoding="utf-8"))[1:]
    for name, date, body in zip(parts[::3], parts[1::3], parts[2::3]):
        if name == "Unreleased":
            if body.strip():
                entries.append((f"{version}-1", now, body))
        else:
            if not date:
                sys.exit(f"the changelog does not say when {name} was released")
            day = datetime.fromisoformat(date).replace(tzinfo=timezone.utc)
            entries.append((f"{name}-1", day, body))
    if not entries or entries[0][0] != f"{version}-1":
        entries.insert(0, (f"{version}-1", now, "- Packed from this commit."))
    print("\n\n".join(entry(*parts, maintainer) for parts in entries))


def entry(version, date, body, maintainer):
    lines = "\n".join(lines_of(body))
    return (
        f"tilewright ({version}) unstable; urgency=medium\n\n{lines}\n\n"
        f" -- {maintainer}  {format_datetime(date)}"
    )


def lines_of(body):
    """Headings and points as Debian indents them; a link keeps its text."""
    body = re.sub(r"^\[[^\]]+\]: .*$", "", body, flags=re.M)
    body = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", body)
    for block in re.split(r"\n\s*\n|\n(?=- )", body.strip()):
        text = " ".join(block.split())
        if text.startswith("### "):
            yield f"  {text[4:]}:"
        else:
            yield textwrap.fill(
                text.removeprefix("- "), 79, initial_indent="  * ", subsequent_indent="    ",
                break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    main()
