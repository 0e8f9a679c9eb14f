#!/usr/bin/env python3
"""Proves that instructions.py finds slowdowns: adds one to a copy of the sources, and counts.

usage: plant.py [kernel | encoder | build]... [--percent 5] [--copy FOLDER]

Each slowdown is tested alone: an idle loop in a kernel for AVX2, in the PNG writer, or in the Swift code that
renders rows, which makes the work slower by about that many per cent. Each must fail the check, with the name of
its work. The copy and its release build stay in FOLDER (default: .build/plant), so that only the first run builds
everything. Needs a program from `make bench-instructions`, and the versions to which its limits apply.
"""

import argparse
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build/release/tilewright"
LIMITS = json.loads((ROOT / "Tests/Benchmarks/instructions.json").read_text())["instructions"]

# About ten instructions per turn.
IDLE_C = """
    for (size_t planted = 0; planted < %d; planted++)
        __asm__ volatile("nop\\nnop\\nnop\\nnop\\nnop\\nnop\\nnop\\nnop");"""
IDLE_SWIFT = """
        plantedTurns(%d)"""
IDLE_SWIFT_FUNCTION = """
@inline(never) @_optimize(none)
private func plantedTurns(_ count: Int) {
    var turn = 0
    while turn < count { turn &+= 1 }
}
"""


@dataclasses.dataclass
class Plant:
    """A position for an idle loop."""
    folder: str
    file: str
    # The code after which the loop is inserted.
    function: str
    code: str
    # The work that becomes slower; the number of its calls to the function; instructions of a turn.
    work: str
    calls: int
    turn: int
    rest: str = ""


PLANTS = {
    "kernel": Plant("CKernels", "kernels_avx2.c", r"static void combine_rows\([^{]*\{", IDLE_C,
                    "avx2: combine_rows, 8 rows", calls=4, turn=10),
    "encoder": Plant("CCodec", "png_write.c", r"cc_status cc_png_write\([^{]*\{", IDLE_C,
                     "encode PNG, default: plan with soft edges", calls=4, turn=10),
    "build": Plant("Pyramid", "RenderWorker.swift", r"private func render\([^{]*\{", IDLE_SWIFT,
                   "render: upright plan", calls=34, turn=8, rest=IDLE_SWIFT_FUNCTION),
}


def copy_sources(copy):
    """Copies the files that git tracks, with their current content. Times stay, so that little is built again."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True,
                           text=True).stdout.split("\0")
    for name in filter(None, names):
        source, target = ROOT / name, copy / name
        if source.exists() and (not target.exists() or source.read_bytes() != target.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for path in (copy / "Sources").rglob("*.*"):
        if path.is_file() and not (ROOT / path.relative_to(copy)).exists():
            path.unlink()


def insert(plant, percent, copy):
    paths = list((copy / "Sources" / plant.folder).rglob(plant.file))
    if len(paths) != 1:
        sys.exit(f"plant.py: {len(paths)} files {plant.folder}/**/{plant.file}")
    turns = round(LIMITS[plant.work] * percent / 100 / plant.calls / plant.turn)
    text, count = re.subn(plant.function, lambda match: match[0] + plant.code % turns,
                          paths[0].read_text())
    if count != 1:
        sys.exit(f"plant.py: {count} places for it in {paths[0]}")
    paths[0].write_text(text + plant.rest)


def check(name, percent, copy):
    """Whether the planted slowdown is found; prints its line."""
    copy_sources(copy)
    insert(PLANTS[name], percent, copy)
    subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib",
                    "--product", "tilewright-benchmarks"], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    counted = subprocess.run(
        [sys.executable, copy / "Tests/Benchmarks/instructions.py", PROGRAM,
         copy / ".build/release/tilewright-benchmarks"], stdout=subprocess.PIPE, text=True)
    lines = counted.stdout.splitlines()
    work = PLANTS[name].work
    found = counted.returncode == 1 and any(
        line.startswith(work) and line.endswith("TOO MANY") for line in lines)
    print(f"{name}, {percent} %: {'found' if found else 'NOT FOUND'}")
    shown = [line for line in lines if line.endswith("TOO MANY") or line.startswith((work, "NOT"))]
    print("\n".join(f"  {line}" for line in shown), flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plants", nargs="*", metavar="kernel | encoder | build")
    parser.add_argument("--percent", type=float, default=5)
    parser.add_argument("--copy", type=pathlib.Path, default=ROOT / ".build" / "plant")
    options = parser.parse_args()
    unknown = set(options.plants) - PLANTS.keys()
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}")
    results = [check(name, options.percent, options.copy) for name in options.plants or PLANTS]
    sys.exit(0 if all(results) else 1)


main()
