#!/usr/bin/env python3
"""Injects faults into runs of the program, and checks its output.

Kills the program, limits its memory, fills its disk, removes its output, makes its system calls fail, and feeds it
damaged files.

Prints how many faults were tried, and fails at the first fault that was not survived. After a fault:

- the program has ended by itself, with a status of the README and one line, unless it was killed;
- every file of the output is whole: either from the earlier run, or from this run;
- the same command without a fault gives the same bytes as an undisturbed run.

    faults.py PROGRAM [--short] [--shim fail_call.so] [--only PART] [--seed N]
"""

import argparse
import itertools
import os
import random
import shutil
import subprocess
import sys
import time

import disturbances
import inputs
import limits
import refusals
import shards
from bench import BUILDING, CHANGED, PATCHED, Bench, Lost, Tally


def is_inside_namespace():
    return os.environ.get("TILEWRIGHT_FAULTS_INSIDE") == "1"


ENDINGS = {"folder": "", "MBTiles": ".mbtiles", "PMTiles": ".pmtiles", "changed MBTiles": CHANGED,
           "building": BUILDING}


def parts(bench, is_short):
    """The parts: a name and a function that runs the part. With --short, most parts use one kind of output."""
    turn = itertools.cycle(ENDINGS.items())

    def each(title, run, always=False):
        chosen = ENDINGS.items() if always or not is_short else [next(turn)]
        for name, ending in chosen:
            yield f"{title}, {name}", lambda ending=ending: run(ending)

    def size(short, long):
        return short if is_short else long

    yield from each(
        "kills", lambda ending: disturbances.kills(bench, ending, size(4, 100)), always=True)
    yield from each("signals", lambda ending: disturbances.signals(bench, ending, size(4, 60)))
    yield from each(
        "vanishing outputs", lambda ending: disturbances.vanishing(bench, ending, size(4, 70)))
    yield "floors at once", lambda: disturbances.floors_at_once(bench, size(3, 24))
    if bench.shim:
        yield from each("second runs", lambda ending: disturbances.second_runs(bench, ending))
        yield from each("--fsync", lambda ending: disturbances.flushes(bench, ending), always=True)
        for kind, short in (("write", 50), ("read", 100)):
            yield from each(
                f"system calls that {kind}",
                lambda ending, kind=kind, short=short: disturbances.calls(
                    bench, ending, kind, size(short, 1)), always=True)
        if not is_sanitized():
            yield "allocations of codecs", lambda: refusals.memory_of_codecs(bench, size(40, 500))
            yield "allocations of their libraries", lambda: refusals.memory_of_libraries(
                bench, size(10, 500))
            yield "reads of codecs", lambda: refusals.reads_of_codecs(bench, size(30, 500))
    if not is_sanitized():
        yield from each("file sizes", lambda ending: limits.file_sizes(bench, ending, size(3, 20)))
        yield from each("memory", lambda ending: limits.memory(bench, ending, size(4, 60)))
        yield from each(
            "open files", lambda ending: limits.open_files(
                bench, ending, (5, 40) if is_short else range(3, 65)))
    yield from each("streams", lambda ending: limits.streams(bench, ending))
    yield "scratch files", lambda: limits.scratch(bench)
    yield from parts_of_patches(bench, size)
    yield from parts_of_shards(bench, is_short, size)
    if os.geteuid() == 0 and not is_inside_namespace() and not is_sanitized():
        yield from each(
            "threads", lambda ending: limits.threads(bench, ending, size((2,), range(1, 13))))
    if is_inside_namespace() or os.geteuid() == 0:
        yield from each(
            "full disks", lambda ending: disturbances.full_disks(bench, ending, size(3, 20)),
            always=True)
        yield "small disks for scratch files", lambda: disturbances.small_scratch_disks(
            bench, size((16,), (4, 8, 16, 24, 32, 64, 1000, 60000)))
        yield from each(
            "inodes", lambda ending: disturbances.few_inodes(bench, ending, size(3, 20)))
        yield from each(
            "read-only disks", lambda ending: disturbances.read_only_disks(bench, ending))
    yield "damaged sources", lambda: inputs.damaged(bench, size(0, 50), size(1, 1000))
    yield "damaged tilesets", lambda: inputs.damaged_tilesets(bench, size(0, 50), size(2, 1000))


def parts_of_patches(bench, size):
    """Faults of a patch that is applied to an archive."""
    yield "kills, patch", lambda: disturbances.kills(bench, PATCHED, size(4, 100))
    if bench.shim:
        for kind, short in (("write", 20), ("read", 100)):
            yield f"system calls that {kind}, patch", lambda kind=kind, short=short: disturbances.calls(
                bench, PATCHED, kind, size(short, 1))


def parts_of_shards(bench, is_short, size):
    """Faults of workers, and of the merge of their shards."""
    bench.kinds[shards.SHARD] = shards.ShardScene
    bench.kinds[shards.MERGED] = shards.MergeScene
    for name, ending in (("shard", shards.SHARD), ("merge", shards.MERGED)):
        yield f"kills, {name}", lambda ending=ending: disturbances.kills(bench, ending, size(4, 100))
        if bench.shim:
            for kind, short in (("write", 20), ("read", 50)):
                yield f"system calls that {kind}, {name}", lambda ending=ending, kind=kind, short=short: (
                    disturbances.calls(bench, ending, kind, size(short, 1)))
        if not is_sanitized():
            yield f"memory, {name}", lambda ending=ending: limits.memory(bench, ending, size(4, 30))
            yield f"open files, {name}", lambda ending=ending: limits.open_files(
                bench, ending, (5, 40) if is_short else range(3, 40))
    yield "shards that are made twice at once", lambda: shards.twins(bench, size(3, 50))
    yield "damaged shards", lambda: shards.damaged(bench, size(20, 1000))
    yield "shards of another source", lambda: shards.changed_sources(bench, size(5, 100))
    if is_inside_namespace() or os.geteuid() == 0:
        yield "full disks, shard", lambda: shards.full_disks(bench, size(3, 20))
        yield "full disks, merge", lambda: disturbances.full_disks(bench, shards.MERGED, size(3, 20))


def is_sanitized():
    """Whether the program was built with a sanitizer, whose runtime fails under tight limits."""
    return "ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ


def enter_namespace():
    """Restarts this script where it may mount file systems, if the system allows this."""
    if os.geteuid() == 0 or is_inside_namespace() or not shutil.which("unshare"):
        return
    if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ["TILEWRIGHT_FAULTS_INSIDE"] = "1"
        os.execvp("unshare", ["unshare", "-rm", sys.executable, *sys.argv])
    print("no file system can be mounted here: disks do not fill up")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--shim")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    enter_namespace()
    bench = Bench(options.program, options.shim, random.Random(options.seed))
    print(f"seed {options.seed}")
    total = Tally()
    try:
        for name, run in parts(bench, options.short):
            if options.only not in name:
                continue
            start = time.monotonic()
            tally = run()
            print(f"{name}: {tally.faults} faults, {tally.refused} of them ended a run, "
                  f"{time.monotonic() - start:.1f} s", flush=True)
            total.faults += tally.faults
    except Lost as lost:
        print(f"not survived: {name}: {lost}")
        sys.exit(1)
    finally:
        bench.close()
    print(f"{total.faults} faults tried, {total.faults} survived; "
          "tiles lost: 0, tiles wrong: 0, crashes: 0")


if __name__ == "__main__":
    main()
