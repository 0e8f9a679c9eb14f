#!/usr/bin/env python3
"""Counts the instructions of kernels, codecs and small builds, and compares them with limits.

usage: instructions.py PROGRAM BENCHMARKS [--update] [--limits FILE]

Runs PROGRAM (tilewright) and BENCHMARKS (tilewright-benchmarks) under Callgrind. Unlike seconds, instructions hardly
depend on the machine or its load: a repeated run differs by less than 0.1 %. Start-up is not counted:

- of BENCHMARKS, only instructions inside `tilewright_counted` are counted;
- of a build, the instructions of a second run, which has nothing to do, are subtracted;
- of a rendering, only the second one is counted.

FILE (default: instructions.json next to this script) has the instructions of each work, the allowed increase in per
cent, and the versions of toolchain and libraries to which these limits apply. If a work exceeds its limit, the
status is 1. With other versions, the table is printed without a comparison. --update writes new limits to FILE.

Valgrind 3.19 emulates a machine with AVX2 and without AVX-512 on every machine. So the same kernels are counted
everywhere, but not those for AVX-512 and NEON.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import platform
import queue
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLAN = HERE.parents[1] / "Examples" / "second.png"
LIBRARIES = ["libpng", "libjpeg", "libwebp", "libdeflate"]
ALLOWED = 2  # per cent

BUILDS = {
    "build: upright plan": ["--bounds", "1.7293,48.2166,1.7307,48.2174", "--zoom", "17-20", "-o", "tiles"],
    "build: turned plan, PMTiles": [
        "--anchor", "50,50,1.729583605,48.217320181", "--scale", "0.04", "--bearing", "17",
        "--zoom", "17-19", "-o", "plan.pmtiles"],
}

# Pyramids without codecs and files, of which only the second is counted.
RENDERS = {"render: upright plan": "upright", "render: turned plan": "turned"}

# No variables of the caller, since they affect the choice of kernels, data paths, and the size of the stack.
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C",
    # Otherwise, the order of hash tables is random in each run, and functions of libraries are looked up late.
    "SWIFT_DETERMINISTIC_HASHING": "1", "LD_BIND_NOW": "1",
}


# Counting

def callgrind(folder, command, *options):
    """Runs a command in a folder. Returns its output, and the instructions of each part in order."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=count", *options, *map(str, command)],
        cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"instructions.py: status {run.returncode} of {' '.join(map(str, command))}\n{run.stderr}")
    # Parts are numbered from 1; instructions after the last part have no number.
    parts = sorted(folder.glob("count.*"), key=lambda path: int(path.suffix[1:]))
    return run.stdout, [total(path) for path in [*parts, folder / "count"]]


def total(path):
    return int(re.search(r"^(?:totals|summary): (\d+)", path.read_text(), re.MULTILINE)[1])


def without_debug_information(program, folder):
    """Makes a copy without debug information of Swift, which Valgrind 3.19 cannot read."""
    copy = folder / pathlib.Path(program).name
    subprocess.run(["strip", "--strip-debug", "-o", copy, program], check=True)
    return copy


def count_benchmarks(program, folder):
    folder.mkdir()
    output, counts = callgrind(
        folder, [program, "instructions"], "--toggle-collect=tilewright_counted",
        "--dump-after=tilewright_counted")
    names = output.splitlines()
    if len(names) != len(counts) - 1 or min(counts[:-1], default=0) == 0:
        sys.exit(f"instructions.py: {len(names)} works, {len(counts) - 1} counts")
    return dict(zip(names, counts))


def difference(folder, first, second):
    """The additional instructions of the second command."""
    counts = []
    for name, command in (("first", first), ("second", second)):
        place = folder / name
        place.mkdir(parents=True)
        counts.append(sum(callgrind(place, command)[1]))
    return counts[1] - counts[0]


def count_build(program, arguments, folder):
    command = [program, "build", PLAN, *arguments, "--jobs", "1", "--memory", "256M", "--quiet"]
    folder.mkdir(parents=True)
    first, again = (sum(callgrind(folder, command)[1]) for _ in range(2))
    return first - again


def count_render(program, shape, folder):
    """The median of three: sometimes an additional thread starts, for which PROJ makes another context. This takes
    three per cent of a turned plan."""
    return statistics.median_low(
        difference(folder / str(turn), [program, "render", shape, 1], [program, "render", shape, 2])
        for turn in range(3))


def one_thread_for_each_processor():
    """A pool whose threads, and the programs that they start, stay on their CPUs.

    A program that sees one CPU works on one thread. With two, the number of threads that work, and so the number of
    PROJ contexts, would be random.
    """
    processors = queue.SimpleQueue()
    for processor in os.sched_getaffinity(0):
        processors.put(processor)
    return concurrent.futures.ThreadPoolExecutor(
        processors.qsize(), initializer=lambda: os.sched_setaffinity(0, {processors.get()}))


def count(program, benchmarks):
    with tempfile.TemporaryDirectory(prefix="instructions-") as name:
        folder = pathlib.Path(name)
        program, benchmarks = (without_debug_information(path, folder) for path in (program, benchmarks))
        with one_thread_for_each_processor() as pool:
            works = pool.submit(count_benchmarks, benchmarks, folder / "works")
            others = {title: pool.submit(count_render, benchmarks, shape, folder / title)
                      for title, shape in RENDERS.items()}
            others |= {title: pool.submit(count_build, program, arguments, folder / title)
                       for title, arguments in BUILDS.items()}
            return works.result() | {title: other.result() for title, other in others.items()}


# Comparing

def answer(*command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return run.stdout.strip() if run.returncode == 0 else "none"


def versions():
    """The versions on which a count depends, in addition to the code."""
    swift = re.search(r"Swift version (\S+)", answer("swift", "--version"))
    found = {"machine": f"{platform.system()} {platform.machine()}", "swift": swift[1] if swift else "none",
             "valgrind": answer("valgrind", "--version"), "libc": " ".join(platform.libc_ver())}
    return found | {name: answer("pkg-config", "--modversion", name) for name in LIBRARIES}


def table(counts, limits, allowed):
    """Prints a line for each work.

    Returns the works that take too many instructions, and those that take clearly fewer than before.
    """
    over, under = [], []
    width = max(map(len, counts)) + 2
    print(f"{'work':{width}}{'instructions':>14}{'limit from':>14}{'change':>10}")
    for name, value in counts.items():
        limit = limits.get(name)
        if limit is None:
            print(f"{name:{width}}{value:>14}{'-':>14}")
            continue
        change = 100 * (value / limit - 1)
        if change > allowed:
            over.append(name)
        elif change < -allowed:
            under.append(name)
        print(f"{name:{width}}{value:>14}{limit:>14}{change:>+9.2f}%{' TOO MANY' if name in over else ''}")
    return over, under


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("benchmarks")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--limits", type=pathlib.Path, default=HERE / "instructions.json")
    options = parser.parse_args()
    counts, here = count(options.program, options.benchmarks), versions()
    known = json.loads(options.limits.read_text()) if options.limits.exists() else {}
    allowed = known.get("allowedPercent", ALLOWED)
    limits = known.get("instructions", {})
    over, under = table(counts, limits, allowed)
    if options.update:
        written = {"allowedPercent": allowed, "holdsFor": here, "instructions": counts}
        options.limits.write_text(json.dumps(written, indent=2) + "\n")
        print(f"\nwritten: {options.limits}")
        return 0
    there = known.get("holdsFor", {})
    others = [f"{name} {here.get(name)} here, {there.get(name)} there"
              for name in sorted(here.keys() | there.keys()) if here.get(name) != there.get(name)]
    if others:
        print("\nNOT COMPARED: the limits apply to other versions:\n  " + "\n  ".join(others))
        return 0
    again = "make bench-instructions UPDATE=1 writes new limits"
    if under:
        print(f"\nfaster by more than {allowed} %; {again}, so that it stays so:\n  " + "\n  ".join(under))
    failed = False
    if over:
        print(f"\nmore than {allowed} % slower. If that has a reason, {again}:\n  " + "\n  ".join(over))
        failed = True
    if counts.keys() != limits.keys():
        print(f"\nworks without a limit, or limits without a work; {again}:\n  "
              + "\n  ".join(sorted(counts.keys() ^ limits.keys())))
        failed = True
    return 1 if failed else 0


sys.exit(main())
