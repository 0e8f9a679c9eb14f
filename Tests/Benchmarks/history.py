#!/usr/bin/env python3
"""Stores the results of benchmark runs, and draws their history as a chart.

usage: history.py [FOLDER]

FOLDER contains a JSON file for each run, written by compare.py. The chart is written to the same folder as
chart.svg; drawing it needs no other program. It shows only ratios, since seconds drift between runs. Files that are
damaged, or have an unknown format, are reported and skipped.
"""

import json
import math
import pathlib
import re
import sys

import history_chart

FORM = 1  # the files' format version; others are skipped
CHART = "chart.svg"


# Storing

def keep(folder, run):
    """Writes a run's results atomically, and returns the file.

    run: `date` in UTC as 2026-11-24T09:00:00Z, `commit`, `version`, `machine` with `processor` and `cores`,
    `tools`, `goals`, and `jobs`: each with `title`, `decode`, `encode` and `floor` in seconds, and `tools`, tilewright
    first, each with `name`, `wall`, `cpu`, `peak`, `tiles` and `megabytes`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w-]", "", f"{run['date']}-{run['commit']}")
    path = folder / f"{name}.json"
    scratch = path.with_suffix(".part")
    scratch.write_text(json.dumps({"form": FORM, **run}, indent=1) + "\n", encoding="utf-8")
    scratch.replace(path)
    return path


def load(folder):
    """The runs sorted by date, and a line for each skipped file."""
    runs, faults = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            run = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(run, dict) or run.get("form") != FORM:
                raise ValueError("it is of another form")
            runs.append(Results(run))
        except (OSError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError,
                RecursionError) as error:
            faults.append(f"passed over {path}: {type(error).__name__}: {error}")
    return sorted(runs, key=lambda run: run.date), faults


class Results:
    """A run as the chart shows it."""

    def __init__(self, run):
        machine = run["machine"]
        self.date, self.commit = text(run["date"]), text(run["commit"])
        if not re.match(r"\d{4}-\d\d-\d\d", self.date):
            raise ValueError("it has no date")
        self.machine = f"{text(machine['processor'])}, {int(machine['cores'])} cores"
        self.jobs = {text(job["title"]): ratios(job) for job in run["jobs"]}


def text(value):
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def ratios(job):
    """The ratios of a job's first tool to each reference, by name."""
    own, peers = job["tools"][0], job["tools"][1:]
    found = {"wall / codec floor": quotient(own["wall"], job["floor"]),
             "CPU / codecs' CPU": quotient(own["cpu"], job["decode"] + job["encode"])}
    for peer in peers:
        name = kind(text(peer["name"]))
        ratio = quotient(own["wall"], peer["wall"])
        # If there are several versions, the fastest one.
        if name and ratio:
            name = f"wall / {name}"
            found[name] = max(ratio, found.get(name, 0))
    return {name: ratio for name, ratio in found.items() if ratio}


def kind(tool):
    """Another tool's name without its version; None for tilewright with other options."""
    quoted = re.match(r"`([^`]+)`", tool)
    return quoted.group(1) if quoted else None


def quotient(value, by):
    """A ratio that has a logarithm, or None."""
    if isinstance(value, bool) or isinstance(by, bool) or not value > 0 or not by > 0:
        return None
    ratio = value / by
    return ratio if math.isfinite(ratio) and 1e-6 < ratio < 1e6 else None


# Drawing

def draw(folder):
    """Draws the runs of a folder, and returns the chart's file, or None without runs."""
    runs, faults = load(folder)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not any(ratios for run in runs for ratios in run.jobs.values()):
        return None
    path = folder / CHART
    path.write_text(history_chart.chart(runs), encoding="utf-8")
    return path


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".build/bench/history")
    path = draw(folder)
    if path is None:
        sys.exit(f"error: there are no results in '{folder}': make bench keeps some")
    print(path)


if __name__ == "__main__":
    main()
