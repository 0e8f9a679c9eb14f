#!/usr/bin/env python3
"""Damages CAD drawings, and has them built.

Each run damages one drawing of a folder in some places. The program must end by itself, with status 0, 65, or 64 for
too many pixels, with one line of error unless it is 0, and without control characters. All processes that it started
must have ended, and none of them may have taken more memory than `--memory` and what programs need without drawings.

    damaged_drawings.py PROGRAM FOLDER [--count 2000] [--seed N] [--only NUMBER] [--jobs 2]

FOLDER has undamaged DXF files. A finding is printed with the options that repeat it.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

MEMORY = 384 << 20
# The program itself, libraries of Python, and threads' stacks; resident memory also counts files that are mapped.
BASE = 256 << 20
# Seconds of processor time for a drawing, and of wall time for all.
SECONDS, PATIENCE = 10, 240
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
AT = ["--anchor", "0,0,11.5,48.1", "--zoom", "17"]

# Values that programs stumble over.
NUMBERS = ["0", "-1", "1e308", "-1e308", "1e-308", "nan", "inf", "2147483648", "-9223372036854775809",
           "99999999999999999999", "1,5", "", "0x10", "1e400", "7", "32767", "65536", "3.14159265358979"]
WORDS = ["", "*", "*Model_Space", "0", "\\P\\H1e9;x", "{\\fNone;", "%%999", "\\U+ZZZZ", "../../etc/passwd", "x" * 5000,
         "\x00\x1b[31m", "LINE", "INSERT", "HATCH", "ENDSEC", "EOF", "SECTION", "\u202eabc"]


class Damage:
    """Damages a drawing as text: pairs of lines, a group code and a value."""

    def __init__(self, data: bytes, dice: random.Random) -> None:
        self.dice = dice
        self.data = data
        self.is_binary = data.startswith(b"AutoCAD Binary DXF")

    def result(self) -> bytes:
        if self.is_binary or self.dice.random() < 0.2:
            return self._bytes()
        pairs = self._pairs()
        for _ in range(self.dice.choice([1, 1, 2, 4, 16])):
            damage = [self._value, self._value, self._code, self._drop, self._double, self._swap, self._cut]
            self.dice.choice(damage)(pairs)
        return b"".join(line + b"\n" for pair in pairs for line in pair)

    def _pairs(self) -> list[list[bytes]]:
        lines = self.data.replace(b"\r\n", b"\n").split(b"\n")
        return [lines[place : place + 2] for place in range(0, len(lines) - 1, 2)]

    def _bytes(self) -> bytes:
        data = bytearray(self.data)
        for _ in range(self.dice.choice([1, 4, 32])):
            place = self.dice.randrange(len(data))
            kind = self.dice.randrange(4)
            if kind == 0:
                data[place] = self.dice.randrange(256)
            elif kind == 1:
                del data[place : place + self.dice.choice([1, 2, 100, 5000])]
            elif kind == 2:
                data[place:place] = self.dice.randbytes(self.dice.choice([1, 8, 200]))
            else:
                del data[place + 1 :]
            if not data:
                return b""
        return bytes(data)

    def _place(self, pairs: list[list[bytes]]) -> int:
        # The entities are at the end, tables and blocks before them.
        return min(len(pairs) - 1, int(len(pairs) * self.dice.random()))

    def _value(self, pairs: list[list[bytes]]) -> None:
        pair = pairs[self._place(pairs)]
        is_number = re.fullmatch(rb"\s*[-+0-9.eE]+\s*", pair[1])
        pair[1] = self.dice.choice(NUMBERS if is_number and self.dice.random() < 0.9 else WORDS).encode()

    def _code(self, pairs: list[list[bytes]]) -> None:
        pairs[self._place(pairs)][0] = self.dice.choice(
            [b"0", b"5", b"330", b"10", b"20", b"70", b"90", b"91", b"310", b"1071", b"-5", b"x", b"999", b"8", b"2"])

    def _drop(self, pairs: list[list[bytes]]) -> None:
        place = self._place(pairs)
        del pairs[place : place + self.dice.choice([1, 1, 5, 50, 500])]
        if not pairs:
            pairs.append([b"0", b"EOF"])

    def _double(self, pairs: list[list[bytes]]) -> None:
        place = self._place(pairs)
        part = [list(pair) for pair in pairs[place : place + self.dice.choice([1, 5, 50, 500])]]
        target = self._place(pairs)
        pairs[target:target] = part * self.dice.choice([1, 1, 20])

    def _swap(self, pairs: list[list[bytes]]) -> None:
        one, other = self._place(pairs), self._place(pairs)
        pairs[one][1], pairs[other][1] = pairs[other][1], pairs[one][1]

    def _cut(self, pairs: list[list[bytes]]) -> None:
        if self.dice.random() < 0.3:
            del pairs[self._place(pairs) + 1 :]


def findings(program: str, drawing: pathlib.Path, folder: pathlib.Path) -> tuple[list[str], int]:
    """What is wrong with a run, and the largest process in bytes."""
    # A group of its own for each run: whatever is left of it is found by the environment.
    mark = f"DAMAGED_DRAWING={folder.name}"
    environment = dict(os.environ, TILEWRIGHT_RENDER_SECONDS=str(SECONDS), TMPDIR=str(folder))
    environment["DAMAGED_DRAWING"] = folder.name
    command = [program, "build", str(drawing), *AT, "-o", str(folder / "tiles"), "--memory", str(MEMORY),
               "--max-pixels", "40000000", "--jobs", "1"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
        most = Watch(run, mark)
        try:
            _, output = run.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            run.kill()
            return ["it does not end"], most.bytes
    errors = output.decode(errors="replace")
    wrong = [f"a process took {most.bytes >> 20} MB"] if most.bytes > MEMORY + BASE else []
    lines = [line for line in errors.splitlines() if not line.startswith(("warning: ", "  "))]
    problems = [line for line in lines if line.startswith("error: ")]
    if run.returncode not in (0, 64, 65):
        wrong.append(f"status {run.returncode}: {errors[-400:]}")
    if run.returncode and len(problems) != 1:
        wrong.append(f"{len(problems)} lines of error: {errors[-400:]}")
    if "Traceback" in errors or COMMANDS.search(errors.replace("\n", "")):
        wrong.append(f"control characters, or a trace: {errors[-400:]!r}")
    if left := marked(mark):
        wrong.append(f"processes are left: {left}")
    if run.returncode and any(folder.joinpath("tiles").rglob("*.png")):
        wrong.append("tiles were written")
    return wrong, most.bytes


class Watch(threading.Thread):
    """Watches the memory of a program, and of those that it starts, until it ends."""

    def __init__(self, program: subprocess.Popen, mark: str) -> None:
        super().__init__(daemon=True)
        self.bytes = 0
        self.program, self.mark = program, mark
        self.start()

    def run(self) -> None:
        while self.program.returncode is None:
            for place in marked(self.mark):
                self._look(place)
            time.sleep(0.1)

    def _look(self, place: pathlib.Path) -> None:
        try:
            peak = re.search(r"VmHWM:\s+(\d+) kB", place.joinpath("status").read_text())
        except OSError:
            return
        self.bytes = max(self.bytes, int(peak[1]) << 10 if peak else 0)


def marked(mark: str) -> list[pathlib.Path]:
    """The processes that have a mark in their environment."""
    found = []
    for place in pathlib.Path("/proc").iterdir():
        try:
            if place.name.isdigit() and mark.encode() in place.joinpath("environ").read_bytes().split(b"\0"):
                found.append(place)
        except OSError:
            pass
    return found


def run(program: str, seeds: list[pathlib.Path], number: int, seed: int) -> tuple[int, list[str], int]:
    """One run, in a folder of its own."""
    dice = random.Random(f"{seed}-{number}")
    source = dice.choice(seeds)
    with tempfile.TemporaryDirectory(prefix="damaged-") as name:
        folder = pathlib.Path(name)
        drawing = folder / "plan.dxf"
        drawing.write_bytes(Damage(source.read_bytes(), dice).result())
        wrong, most = findings(program, drawing, folder)
        if wrong:
            kept = pathlib.Path(tempfile.gettempdir()) / f"damaged-{seed}-{number}.dxf"
            shutil.copy(drawing, kept)
            wrong = [f"{source.name} (kept as {kept}): {problem}" for problem in wrong]
        return number, wrong, most


def main() -> None:
    parser = argparse.ArgumentParser(description="Damages CAD drawings, and has them built.")
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--only", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    seeds = sorted(options.folder.glob("*.dxf"))
    numbers = range(options.count) if options.only is None else [options.only]
    count = largest = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run, options.program, seeds, number, options.seed) for number in numbers]
        for done in concurrent.futures.as_completed(runs):
            number, wrong, most = done.result()
            largest = max(largest, most)
            count += bool(wrong)
            for problem in wrong:
                print(f"--seed {options.seed} --only {number}: {problem}", flush=True)
    print(f"{len(numbers)} drawings, {count} with findings, at most {largest >> 20} MB in a process")
    sys.exit(count > 0)


if __name__ == "__main__":
    main()
