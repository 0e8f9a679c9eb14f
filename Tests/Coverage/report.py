#!/usr/bin/env python3
"""Prints how much of each target the tests reach, and lists what they do not.

SUMMARY is what `llvm-cov export` writes: see `make coverage`.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
KINDS = ("lines", "regions")
# What the renderer runs, which may write no file of counts.
SANDBOXED = ("CConfinement", "CDocuments", "tilewright-render")
SHOWN = 20  # files with lines or regions that no test reaches
CODE = 0  # the kind of a region that is not skipped by the preprocessor, and no gap


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("export", metavar="SUMMARY")
    parser.add_argument("--missed", help="a file that gets a line for each region that no test reaches")
    parser.add_argument("--least", nargs=2, type=float, metavar=("LINES", "REGIONS"),
                        help="fail if a smaller share of all is reached, in percent")
    options = parser.parse_args()
    exported = json.loads(Path(options.export).read_text())["data"][0]
    files = {Path(file["filename"]): file["summary"] for file in exported["files"]}
    files = {path.relative_to(SOURCES): summary for path, summary in files.items()
             if is_counted(path)}
    print_targets(files)
    print_worst(files)
    if options.missed:
        Path(options.missed).write_text("\n".join(missed_regions(exported)) + "\n")
        print(f"\nEach region that no test reaches: {options.missed}")
    for kind, least in zip(KINDS, options.least or ()):
        if share(files.values(), kind) < least:
            sys.exit(f"the tests reach {share(files.values(), kind):.2f} % of all {kind}, "
                     f"and should reach {least} %")


def is_counted(path):
    return path.is_relative_to(SOURCES) and path.relative_to(SOURCES).parts[0] not in SANDBOXED


def print_targets(files):
    by_target = defaultdict(list)
    for path, summary in files.items():
        by_target[path.parts[0]].append(summary)
    print(row("target", "lines", "missed", "reached", "regions", "missed", "reached"))
    for target in sorted(by_target):
        print(row(target, *figures(by_target[target])))
    print(row("all", *figures(files.values())))


def print_worst(files):
    print()
    print(row("file", "lines", "missed", "reached", "regions", "missed", "reached"))
    worst = sorted(files, key=lambda path: [-missed([files[path]], kind) for kind in KINDS])
    for path in worst[:SHOWN]:
        if any(missed([files[path]], kind) for kind in KINDS):
            print(row(path, *figures([files[path]])))


def missed_regions(exported):
    """A line for each region that no function reaches: generic functions are compiled more than once."""
    counts = defaultdict(int)
    for function in exported["functions"]:
        for *place, count, file, _, kind in function["regions"]:
            path = Path(function["filenames"][file])
            if kind == CODE and is_counted(path):
                counts[path, tuple(place)] += count
    for (path, (line, column, last, end)) in sorted(place for place, count in counts.items() if count == 0):
        text = path.read_text().splitlines()[line - 1]
        code = text[column - 1:end - 1 if last == line else None]
        yield f"{path.relative_to(ROOT)}:{line}:{column}: {code}   in   {text.strip()}"


def counted(summaries, what):
    return sum(summary[what]["count"] for summary in summaries)


def missed(summaries, what):
    return counted(summaries, what) - sum(summary[what]["covered"] for summary in summaries)


def share(summaries, what):
    return 100 - 100 * missed(summaries, what) / max(counted(summaries, what), 1)


def figures(summaries):
    for what in KINDS:
        yield from (counted(summaries, what), missed(summaries, what), f"{share(summaries, what):.1f} %")


def row(name, *cells):
    return f"{name!s:62}" + "".join(f"{cell!s:>9}" for cell in cells)


if __name__ == "__main__":
    main()
