#!/usr/bin/env python3
"""Feeds the program files that were made to break readers.

The files are the images in some folders, such as the test suites of libpng and libtiff. Prints a summary, and fails
if a limit was exceeded.

For each file, `info` and `build` must:

- end by themselves, with status 0, 64 or 65, and with one line of explanation unless it is 0;
- take at most the memory that `info` announces, plus 64 MiB;
- take at most some seconds of CPU time.

    hostile.py PROGRAM FILES... [--jobs N] [--list FILE]

The list gets a line for each file: statuses, name, MB, CPU seconds, error.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

STATUSES = {0, 64, 65}
SIGNATURES = (b"\x89PNG", b"\xff\xd8", b"II*\0", b"MM\0*", b"II+\0", b"MM\0+", b"RIFF")
ENDINGS = {".png", ".jpg", ".jpeg", ".jpe", ".tif", ".tiff", ".heic", ".heif", ".hif", ".avif", ".webp"}
PLACE = ["--bounds", "2,48,2.003,48.002"]
BUDGET = 256 << 20
# Memory of the program itself, with the libraries that it loads.
PROGRAM_BYTES = 64 << 20
MOST_SECONDS = 10
# Ends hangs and decompression bombs.
LIMITS = {resource.RLIMIT_CPU: 60, resource.RLIMIT_CORE: 0}


@dataclasses.dataclass
class Run:
    """The end of a run, and its memory and time."""

    status: int
    output: bytes
    errors: str
    bytes: int
    seconds: float

    def complaints(self, most_bytes):
        """The violations of a run."""
        if self.status not in STATUSES:
            yield f"status {self.status}"
        if self.status != 0 and len(re.findall("^error: .", self.errors, re.M)) != 1:
            yield "not one error"
        if self.status == 0 and "error: " in self.errors:
            yield "an error, and status 0"
        if self.bytes > most_bytes:
            yield f"{self.bytes / 1e6:.0f} MB of {most_bytes / 1e6:.0f}"
        if self.seconds > MOST_SECONDS:
            yield f"{self.seconds:.1f} s of CPU"


def limit():
    for what, most in LIMITS.items():
        resource.setrlimit(what, (most, most))


def run(command, folder):
    """Runs to the end. A sanitizer's report has a separate status."""
    with open(folder / "output", "w+b") as output, open(folder / "errors", "w+b") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Run(
            process.returncode, output.read(), errors.read().decode(errors="replace"),
            usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            usage.ru_utime + usage.ru_stime)


@dataclasses.dataclass
class Result:
    """The results for a file."""

    path: pathlib.Path
    runs: list
    faults: list
    announced: int

    @property
    def is_accepted(self):
        return self.runs[-1].status == 0

    @property
    def line(self):
        last = self.runs[-1]
        said = next((line for line in last.errors.splitlines() if line.startswith("error: ")), "")
        return "\t".join([
            "accepted" if self.is_accepted else str(last.status), str(self.path),
            f"{max(run.bytes for run in self.runs) / 1e6:.1f}",
            f"{max(run.seconds for run in self.runs):.2f}", said])


def attempt(program, path):
    """Runs `info`, then `build` up to the image's native zoom, or less if that would be too much."""
    with tempfile.TemporaryDirectory(prefix="tilewright-hostile-") as name:
        folder = pathlib.Path(name)
        options = [str(path.resolve()), *PLACE, "--memory", str(BUDGET), "--max-pixels", "100M"]
        info = run([program, "info", *options, "--json"], folder)
        announced = 0
        if info.status == 0:
            estimate = json.loads(info.output)["estimate"]
            announced = estimate["memory"] + estimate["scratch"]
        build = [program, "build", *options, "--quiet", "-o", folder / "tiles"]
        runs = [info, run(build, folder)]
        if runs[-1].status == 64:
            options[-1] = "20G"
            low = ["--zoom", "15"]
            info = run([program, "info", *options, *low, "--json"], folder)
            if info.status == 0:
                estimate = json.loads(info.output)["estimate"]
                announced = max(announced, estimate["memory"] + estimate["scratch"])
            build = [program, "build", *options, *low, "--quiet", "-o", folder / "tiles"]
            runs += [info, run(build, folder)]
        faults = [
            f"{path}: {complaint}: {one.errors[-1000:]!r}"
            for one in runs for complaint in one.complaints(announced + PROGRAM_BYTES)]
        return Result(path, runs, faults, announced)


def is_image(path):
    """By its name, or by its first bytes."""
    if path.suffix.lower() in ENDINGS:
        return True
    with open(path, "rb") as file:
        head = file.read(8)
    return head.startswith(SIGNATURES) or head[4:] == b"ftyp"


def images(places):
    """The images among files and folders, in the order of their names."""
    for place in map(pathlib.Path, places):
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        yield from (file for file in files if file.is_file() and is_image(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", type=argparse.FileType("w"))
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda path: attempt(program, path), images(options.files)):
            results.append(result)
            for fault in result.faults:
                print(fault, flush=True)
            if options.list:
                print(result.line, file=options.list, flush=True)
    if not results:
        sys.exit("there are no images")
    report(results)
    sys.exit(any(result.faults for result in results))


def report(results):
    accepted = sum(result.is_accepted for result in results)
    runs = [run for result in results for run in result.runs]
    print(
        f"{len(results)} files tried, {accepted} built, {len(results) - accepted} refused; "
        f"at most {max(run.bytes for run in runs) / 1e6:.0f} MB and "
        f"{max(run.seconds for run in runs):.1f} s of CPU; "
        f"crashes: {sum(run.status not in STATUSES for run in runs)}, "
        f"limits exceeded: {sum(bool(result.faults) for result in results)}")


if __name__ == "__main__":
    main()
