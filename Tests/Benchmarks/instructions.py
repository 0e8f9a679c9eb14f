#!/usr/bin/env python3
"""Counts the instructions of kernels, codecs and small builds, and compares them with what is allowed.

usage: instructions.py PROGRAM BENCHMARKS [--update] [--limits FILE]

Runs PROGRAM (tilewright) and BENCHMARKS (tilewright-benchmarks) under Callgrind. Instructions, unlike
seconds, hardly depend on the machine or on what else it does: a repeated run differs by less than a
tenth of a per cent. Start-up does not count: of BENCHMARKS only what runs inside `tilewright_counted`,
of a build what it takes beyond a second run, which finds all in its place, of a rendering what a second
one takes.

FILE (instructions.json beside this script) says how many instructions each work takes, how many per
cent more are allowed, and the toolchain and libraries for which that holds. A work that takes more ends
with status 1. With other versions, nothing is compared: the table is printed, and says so. --update
writes FILE anew.

Valgrind 3.19 shows programs a machine with AVX2, and none of AVX-512, whatever the machine has: so the
kernels counted are the same everywhere, and those for AVX-512 and NEON are not counted.
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

# Pyramids without codecs and files; of these, what a second one takes.
RENDERS = {"render: upright plan": "upright", "render: turned plan": "turned"}

# Nothing of the caller's: variables choose kernels, places of data, and the length of the stack.
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C",
    # Hash tables are otherwise laid out at random in each run, and libraries' functions looked up late.
    "SWIFT_DETERMINISTIC_HASHING": "1", "LD_BIND_NOW": "1",
}


# Counting

def callgrind(folder, command, *options):
    """Runs a command in a folder; its output, and the instructions of each part in their order."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=count", *options, *map(str, command)],
        cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"instructions.py: status {run.returncode} of {' '.join(map(str, command))}\n{run.stderr}")
    # Parts are numbered from 1; what was counted after the last one has no number.
    parts = sorted(folder.glob("count.*"), key=lambda path: int(path.suffix[1:]))
    return run.stdout, [total(path) for path in [*parts, folder / "count"]]


def total(path):
    return int(re.search(r"^(?:totals|summary): (\d+)", path.read_text(), re.MULTILINE)[1])


def without_debug_information(program, folder):
    """A copy: Valgrind 3.19 gives up at Swift's."""
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
    """What the second command takes more than the first."""
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
    """The middle of three: a thread that waits is sometimes joined by another one, for which PROJ makes a
    context of its own. That is three per cent of a turned plan."""
    return statistics.median_low(
        difference(folder / str(turn), [program, "render", shape, 1], [program, "render", shape, 2])
        for turn in range(3))


def one_thread_for_each_processor():
    """A pool whose threads, and the programs that they start, stay on their processors.

    A program that sees one processor does its work on one thread. On two, which of them does it, and so
    how many contexts of PROJ there are, would be a matter of chance.
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
    """All that a count depends on beside the code."""
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
        print("\nNOT COMPARED: the limits hold for other versions:\n  " + "\n  ".join(others))
        return 0
    again = "make bench-instructions UPDATE=1 writes the limits anew"
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
