#!/usr/bin/env python3
"""Prints how much of each target the tests reach, and the files of which they miss most.

usage: report.py SUMMARY.JSON

SUMMARY.JSON is what `llvm-cov export -summary-only` writes: see `make coverage`.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources"
SHOWN = 40  # files with lines or regions that no test reaches


def main():
    exported = json.load(open(sys.argv[1]))
    files = {Path(file["filename"]): file["summary"] for file in exported["data"][0]["files"]}
    files = {path.relative_to(SOURCES): summary for path, summary in files.items()
             if path.is_relative_to(SOURCES)}
    by_target = defaultdict(list)
    for path, summary in files.items():
        by_target[path.parts[0]].append(summary)
    print(row("target", "lines", "missed", "covered", "regions", "missed", "covered"))
    for target in sorted(by_target):
        print(row(target, *figures(by_target[target])))
    print(row("all", *figures(files.values())))
    print()
    print(row("file", "lines", "missed", "covered", "regions", "missed", "covered"))
    worst = sorted(files, key=lambda path: (-missed(files[path], "lines"), -missed(files[path], "regions")))
    for path in worst[:SHOWN]:
        if missed(files[path], "lines") or missed(files[path], "regions"):
            print(row(path, *figures([files[path]])))


def missed(summary, what):
    return summary[what]["count"] - summary[what]["covered"]


def figures(summaries):
    for what in ("lines", "regions"):
        count = sum(summary[what]["count"] for summary in summaries)
        covered = sum(summary[what]["covered"] for summary in summaries)
        yield from (count, count - covered, f"{100 * covered / max(count, 1):.1f} %")


def row(name, *cells):
    return f"{name!s:62}" + "".join(f"{cell!s:>9}" for cell in cells)


main()
