#!/usr/bin/env python3
"""Compares tilewright with other tools in one run, and prints tables in Markdown.

usage: compare.py [--work DIR] [--history DIR] [--rounds N] [--peers PREFIX] [--only PART]...
                  TILEWRIGHT BENCHMARKS
       compare.py --chart [--work DIR] [--history DIR]

TILEWRIGHT is the program, BENCHMARKS the program that times codecs alone. `gdal raster tile`,
`gdal2tiles.py` and `vips dzsave` also run if they are on the PATH. They run again with PREFIX, a command such as
`chroot /srv/unstable`, where newer versions are installed and DIR has the same path.

All tools of a job take turns, round by round. Wall and CPU seconds are medians, peaks are maxima. A run of more
than 20 s is not repeated. CPU and peak are the system's values for the process; with several processes, the peak
is that of the largest process. Outputs are kept until all runs are over, since file systems are slow after many
files were deleted. On a memory disk, each output replaces the one before: a virtual machine takes longer to get
new memory than to write it.

The results are stored in a folder, one file per run, and drawn as a chart of all runs; see history.py. --chart
draws the chart without measuring.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

import history

HERE = pathlib.Path(__file__).resolve().parent
SHARED = HERE.parent.parent.parent / "shared"
CORES = os.cpu_count()
SLOW = 20  # seconds

# The north-west corner of all images, in Web Mercator metres, and the width of the plan.
WEST, NORTH, PLAN_WIDTH = 13366515.98, 3541405.05, 370.694
UTM_CORNER, UTM_CELL = (218286.5, 3355071.2), 0.0645  # metres in zone 51
ZOOM_22_CELL = 2 * 20037508.342789244 / 256 / 2**22


# Runs

@dataclass
class Run:
    wall: float
    cpu: float
    peak: float  # MB
    resident: float = 0  # MB, without mapped files that have no name


def measure(command, folder, watches_mappings=False):
    """Runs a command to its end. Its messages go to a log next to its output."""
    with open(folder / "log", "ab") as log:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        watch = MappingWatch(process.pid) if watches_mappings else None
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"error: '{shlex.join(map(str, command))}' failed: see {folder / 'log'}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000,
               watch.finish() if watch else 0)


class MappingWatch:
    """Samples the resident memory of a process, without mapped scratch files."""

    def __init__(self, pid):
        self.path, self.peak, self.done = f"/proc/{pid}/smaps", 0, threading.Event()
        self.thread = threading.Thread(target=self.sample)
        self.thread.start()

    def sample(self):
        while not self.done.wait(0.05):
            try:
                self.peak = max(self.peak, self.resident())
            except (FileNotFoundError, ProcessLookupError):
                return

    def resident(self):
        kilobytes, is_scratch = 0, False
        with open(self.path) as maps:
            for line in maps:
                if re.match("[0-9a-f]+-[0-9a-f]+ ", line):
                    is_scratch = line.endswith("(deleted)\n")
                elif line.startswith("Rss:") and not is_scratch:
                    kilobytes += int(line.split()[1])
        return kilobytes * 1.024 / 1000

    def finish(self):
        self.done.set()
        self.thread.join()
        return self.peak


# Tools

@dataclass
class Tool:
    name: str
    command: callable  # of an output folder
    runs: list = field(default_factory=list)
    output: pathlib.Path = None

    @property
    def wall(self):
        return statistics.median(run.wall for run in self.runs)

    @property
    def cpu(self):
        return statistics.median(run.cpu for run in self.runs)

    @property
    def peak(self):
        return max(run.peak for run in self.runs)

    def tiles(self):
        """The number and the bytes of the tiles, without other files of the tool."""
        sizes = [os.path.getsize(os.path.join(folder, name))
                 for folder, _, names in os.walk(self.output) if re.search(r"/\d+/\d+$", folder)
                 for name in names if re.fullmatch(r"\d+\.(png|jpe?g)", name)]
        return len(sizes), sum(sizes) / 1e6

    def results(self):
        """The stored results of the tool's runs."""
        count, megabytes = self.tiles()
        return {"name": self.name, "wall": self.wall, "cpu": self.cpu, "peak": self.peak, "tiles": count,
                "megabytes": megabytes}


@dataclass
class Codecs:
    """Seconds of one core for decoding a source once, and for encoding its tiles again."""
    decode: float
    encode: float

    @property
    def floor(self):
        """The lower limit in seconds for a build with these codecs."""
        return max(self.decode, (self.decode + self.encode) / CORES)


def answers(command):
    """The first line of a command's output, or None if the command is not installed."""
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return None
    lines = (result.stdout or result.stderr).splitlines()
    return lines[0].strip() if result.returncode == 0 and lines else None


class Bench:
    def __init__(self, options):
        self.options = options
        self.tilewright = os.path.abspath(options.tilewright)
        self.benchmarks = os.path.abspath(options.benchmarks)
        self.work = pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.runs = 0
        types = answers(["stat", "--file-system", "--format=%T", str(self.work)])
        self.is_in_memory = types in ("tmpfs", "ramfs")
        self.goals = []
        self.jobs = []
        self.prefixes = [[]] + ([shlex.split(options.peers)] if options.peers else [])

    def folder(self):
        self.runs += 1
        path = self.work / f"run-{os.getpid()}-{self.runs}"
        path.mkdir()
        return path

    def versions(self):
        found = [answers([self.tilewright, "--version"])]
        for prefix in self.prefixes:
            found += [answers(prefix + ["gdalinfo", "--version"]), answers(prefix + ["vips", "--version"])]
        return [version for version in found if version]

    # Inputs

    def plan(self, width):
        """A plan of that width, of a real building if its data and matplotlib are available."""
        data = SHARED / "data/mall/B1-geojson_map.json"
        draw = [sys.executable, SHARED / "tools/make_plan.py", data]
        is_real = data.exists() and answers([sys.executable, "-c", "import matplotlib; print(1)"])
        path = self.work / f"{'mall' if is_real else 'drawn'}-{width}.png"
        if not path.exists():
            command = draw if is_real else [sys.executable, HERE / "draw_plan.py"]
            scratch = path.with_suffix(".part.png")
            subprocess.run([*command, scratch, str(width)], check=True, stdout=subprocess.DEVNULL)
            scratch.rename(path)
        return Source(path, PLAN_WIDTH / width)

    def aerial(self):
        """Photographs, or noise that is about as hard, 12000 x 6750 pixels."""
        path = self.work / "aerial.jpg"
        if not path.exists():
            photographs = sorted(map(str, (SHARED / "data/aerial").glob("*.jpg")))
            command = [sys.executable, HERE / "make_aerial.py", path, *photographs]
            subprocess.run(command, check=True)
        return Source(path, 0.98 * ZOOM_22_CELL)

    def aerial_in_utm(self):
        """The same photographs as a tiled, deflated GeoTIFF in UTM, at the scale of zoom 21."""
        path = self.work / "aerial-utm.tif"
        if not path.exists():
            west, north = UTM_CORNER
            corners = map(str, (west, north, west + 12000 * UTM_CELL, north - 6750 * UTM_CELL))
            subprocess.run(
                ["gdal_translate", "-q", "-a_srs", "EPSG:32651", "-a_ullr", *corners, "-co", "TILED=YES",
                 "-co", "COMPRESS=DEFLATE", self.aerial().path, path], check=True)
        return path

    # Tools of a job

    def own(self, name, source, *options, jobs=CORES):
        bounds = ",".join(f"{edge:.9f}" for edge in source.bounds)
        return Tool(name, lambda output: [
            self.tilewright, source.path, "--crs", "EPSG:3857", "--bounds", bounds, "-q",
            "-j", str(jobs), "-o", output, *options])

    def peers(self, source, zooms, file_type="png", vips_only=False):
        tools = []
        for prefix in self.prefixes:
            version = answers(prefix + ["gdalinfo", "--version"])
            if version and not vips_only:
                tools += self.gdal(prefix, version.split()[1].rstrip(","), source, zooms)
            version = answers(prefix + ["vips", "--version"])
            if version:
                suffix = ".png" if file_type == "png" else ".jpg[Q=75]"
                tools.append(Tool(
                    f"`vips dzsave` {version.split('-')[1].split()[0]}",
                    lambda output, prefix=prefix: [
                        *prefix, "vips", "dzsave", source.path, output, "--layout", "google",
                        "--suffix", suffix]))
        return tools

    def gdal(self, prefix, version, source, zooms):
        path = source.path.with_suffix(".vrt")
        west, south, east, north = map(str, source.bounds)
        subprocess.run([*prefix, "gdal_translate", "-q", "-of", "VRT", "-a_srs", "EPSG:3857", "-a_ullr",
                        west, north, east, south, source.path, path], check=True)
        lowest, highest = zooms.split("-")
        if answers(prefix + ["gdal", "raster", "tile", "--help"]):
            yield Tool(f"`gdal raster tile` {version}", lambda output: [
                *prefix, "gdal", "raster", "tile", "-q", "-j", str(CORES), "--skip-blank", "--min-zoom",
                lowest, "--max-zoom", highest, "-r", "cubic", "--webviewer", "none", path, output])
        if answers(prefix + ["gdal2tiles.py", "--version"]):
            yield Tool(f"`gdal2tiles.py` {version}", lambda output: [
                *prefix, "gdal2tiles.py", "-q", f"--processes={CORES}", "-x", "-z", zooms, "-r", "cubic",
                "-w", "none", path, output])

    # Measuring

    def alternate(self, tools, after=lambda tool: None):
        """Runs tools in turns. Calls `after` with each tool after its run."""
        for turn in range(self.options.rounds):
            for tool in tools:
                if turn > 0 and tool.runs[0].wall > SLOW:
                    continue
                if self.is_in_memory and tool.output:
                    shutil.rmtree(tool.output.parent)
                folder = self.folder()
                tool.output = folder / "tiles"
                tool.runs.append(measure(tool.command(tool.output), folder))
                print(f"  {tool.name}: {tool.runs[-1].wall:.2f} s", file=sys.stderr, flush=True)
                after(tool)
        return tools

    def codecs(self, source, tool, *options):
        """Seconds of one core for decoding the source once, and for encoding the tiles again."""
        output = subprocess.run(
            [self.benchmarks, "floor", source.path, tool.output, *options], check=True,
            capture_output=True, text=True).stdout
        times = json.loads(output)
        return Codecs(times["decode"], times["encode"])

    def goal(self, text, value, limit):
        self.goals.append((text, value, limit))

    def compare(self, title, source, tools, goals, floors, codecs=()):
        """Runs a job's tools, and prints their table. The first tool is tilewright.

        `floors` are the limits of its wall time, in multiples of the codec floor, on a disk and on a memory disk.
        `codecs` are the codecs' options. The codecs run right next to each run of the tool: a minute later, a machine
        may take half as long again.
        """
        own, alone = tools[0], []
        self.alternate(tools, lambda tool: tool is own and alone.append(self.codecs(source, own, *codecs)))
        decode, encode, least = (
            statistics.median(part) for part in zip(*((one.decode, one.encode, one.floor) for one in alone)))
        ratio = statistics.median(run.wall / one.floor for run, one in zip(own.runs, alone))
        count, size = own.tiles()
        print(f"\n**{title}** ({source.path.name}). Codecs alone: {decode:.2f} s to decode the source once, "
              f"{encode:.2f} s to encode the tiles; floor {least:.2f} s.\n")
        print("| tool | wall s | CPU s | peak MB | tiles | MB | our wall | our bytes |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for tool in tools:
            tiles, megabytes = tool.tiles()
            ratios = "" if tool is own else f"{own.wall / tool.wall:.3f} | {size / megabytes:.2f}"
            print(f"| {tool.name} | {tool.wall:.2f} | {tool.cpu:.2f} | {tool.peak:.0f} | {tiles} | "
                  f"{megabytes:.1f} | {ratios or ' | '} |", flush=True)
        self.jobs.append({
            "title": title, "decode": decode, "encode": encode, "floor": least,
            "tools": [tool.results() for tool in tools]})
        self.goal(f"{title}: wall / codec floor", ratio, floors[self.is_in_memory])
        for name, quantity, limit in goals:
            if quantity == "peak":
                self.goal(f"{title}: peak MB", own.peak, limit)
                continue
            for tool in tools[1:]:
                if tool.name.startswith(name):
                    ratio = own.wall / tool.wall if quantity == "wall" else size / tool.tiles()[1]
                    self.goal(f"{title}: {quantity} / {tool.name}", ratio, limit)


@dataclass
class Source:
    path: pathlib.Path
    cell: float  # Web Mercator metres

    @property
    def size(self):
        if self.path.suffix == ".jpg":
            return 12000, 6750
        head = self.path.open("rb").read(24)
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")

    @property
    def bounds(self):
        width, height = self.size
        return WEST, NORTH - height * self.cell, WEST + width * self.cell, NORTH


# Parts

CUBIC = ["--resampling", "cubic", "--overview-resampling", "cubic"]
OLD, NEW = "`gdal2tiles.py` 3.6", "`gdal raster tile`"


def compare_plan(bench):
    source, zooms = bench.plan(12000), "16-22"
    tools = [bench.own("tilewright", source, "-z", zooms),
             bench.own("tilewright, cubic", source, "-z", zooms, *CUBIC), *bench.peers(source, zooms)]
    bench.compare("Plan to PNG", source, tools, [
        (OLD, "wall", 1 / 40), (NEW, "wall", 1 / 6), ("`vips", "wall", 1 / 3), (OLD, "bytes", 0.7),
        ("", "peak", 200)], floors=(1.5, 1.3))


def compare_aerial_jpeg(bench):
    source, zooms = bench.aerial(), "14-22"
    options = ["-z", zooms, "--format", "jpeg", "--quality", "75"]
    tools = [bench.own("tilewright", source, *options),
             *bench.peers(source, zooms, "jpeg", vips_only=True)]
    bench.compare("Photograph to JPEG, quality 75", source, tools,
                  [("`vips", "wall", 0.75), ("", "peak", 150)], floors=(1.6, 1.4),
                  codecs=["--quality", "75"])


def compare_aerial_png(bench):
    source, zooms = bench.aerial(), "14-22"
    tools = [bench.own("tilewright", source, "-z", zooms),
             bench.own("tilewright, cubic", source, "-z", zooms, *CUBIC), *bench.peers(source, zooms)]
    bench.compare("Photograph to PNG", source, tools, [
        (OLD, "wall", 1 / 12), (NEW, "wall", 1 / 5), (OLD, "bytes", 1), (NEW, "bytes", 1)],
                  floors=(1.25, 1.25))


def compare_aerial_utm(bench):
    path = bench.aerial_in_utm()
    own = ["-q", "-j", str(CORES), "-z", "14-21", "--format", "jpeg", "--quality", "75"]
    peer = ["-q", "-j", str(CORES), "--min-zoom", "14", "--max-zoom", "21", "-r", "cubic",
            "--webviewer", "none", "--output-format", "JPEG", "--co", "QUALITY=75"]
    tools = [Tool("tilewright", lambda output: [bench.tilewright, path, "-o", output, *own])]
    for prefix in bench.prefixes:
        version = answers(prefix + ["gdalinfo", "--version"])
        if version and answers(prefix + ["gdal", "raster", "tile", "--help"]):
            name = f"`gdal raster tile` {version.split()[1].rstrip(',')}"
            tools.append(Tool(name, lambda output, prefix=prefix: [
                *prefix, "gdal", "raster", "tile", *peer, path, output]))
    bench.compare("GeoTIFF in UTM to JPEG, quality 75", Source(path, UTM_CELL), tools,
                  [(NEW, "wall", 1 / 6), ("", "peak", 200)], floors=(1.8, 1.8), codecs=["--quality", "75"])


def measure_growth(bench):
    """Time and memory from 26 to 417 megapixels, with one job and with two."""
    print("\n**Growth**: plans to PNG, each with one zoom more.\n")
    print("| width | megapixels | decode s | 1 job s | 2 jobs s | 2 jobs / 1 job | peak MB, 2 jobs |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    rows = []
    for width, zooms in ((6000, "16-21"), (12000, "16-22"), (24000, "16-23")):
        source = bench.plan(width)
        one, two = bench.alternate([
            bench.own(f"{width} px, {jobs} job(s)", source, "-z", zooms, jobs=jobs) for jobs in (1, 2)])
        decode = bench.codecs(source, two).decode
        pixels = source.size[0] * source.size[1] / 1e6
        print(f"| {width} | {pixels:.0f} | {decode:.2f} | {one.wall:.2f} | {two.wall:.2f} | "
              f"{two.wall / one.wall:.2f} | {two.peak:.0f} |", flush=True)
        bench.goal(f"{width} px: wall of 2 jobs / 1 job, decoding aside",
                   (two.wall - decode) / (one.wall - decode), 0.55)
        rows.append((pixels, one, two))
    for (fewer, one, two), (more, next_one, next_two) in zip(rows, rows[1:]):
        bench.goal(f"{fewer:.0f} to {more:.0f} megapixels: growth of CPU / growth of pixels",
                   next_two.cpu / two.cpu / (more / fewer), 1)
    bench.goal("417 megapixels: peak / (2 x peak of 104)", rows[2][2].peak / rows[1][2].peak / 2, 1.3)


def measure_turned(bench):
    """A plan that is turned on the map: its memory, since most rows are needed at once, and the cost of turning."""
    print("\n**Turned by 13 degrees**, `--memory 256M`. Resident leaves out mapped scratch files.\n")
    print("| width | wall s | CPU s | resident MB |\n| --- | --- | --- | --- |")
    for width, zooms in ((12000, "16-22"), (24000, "16-23")):
        source = bench.plan(width)
        folder = bench.folder()
        run = measure(turned(bench, source, zooms, folder / "tiles"), folder, watches_mappings=True)
        print(f"| {width} | {run.wall:.2f} | {run.cpu:.2f} | {run.resident:.0f} |", flush=True)
    bench.goal("turned, 417 megapixels, --memory 256M: resident MB", run.resident, 300)
    source, zooms = bench.plan(12000), "16-22"
    upright, askew = bench.alternate([
        bench.own("12000 px, upright", source, "-z", zooms),
        Tool("12000 px, turned", lambda output: turned(bench, source, zooms, output))])
    bench.goal("12000 px: wall turned / upright",
               statistics.median(one.wall / other.wall for one, other in zip(askew.runs, upright.runs)), 1.6)


def turned(bench, source, zooms, output):
    """The command that builds a plan turned by 13 degrees."""
    columns, rows = source.size
    ground = source.cell * 0.8646  # metres on the ground at 30.3 degrees of latitude
    return [
        bench.tilewright, source.path, "--anchor", f"{columns / 2},{rows / 2},120.0751,30.2932",
        "--scale", f"{ground:.6f}", "--bearing", "13", "-z", zooms, "--memory", "256M", "-q",
        "-j", str(CORES), "-o", output]


def measure_start(bench):
    """The cost of a run that has almost nothing to do."""
    source = bench.plan(256)
    tool = bench.own("256 px, one zoom", source, "-z", "16")
    for _ in range(20):
        folder = bench.folder()
        tool.runs.append(measure(tool.command(folder / "tiles"), folder))
    print(f"\n**Start**: an image 256 pixels wide, one zoom, median of 20: {tool.wall * 1000:.0f} ms, "
          f"{tool.peak:.0f} MB.")
    bench.goal("start: ms", tool.wall * 1000, 30)
    bench.goal("start: MB", tool.peak, 30)


PARTS = {"plan": compare_plan, "aerial-jpeg": compare_aerial_jpeg, "aerial-png": compare_aerial_png,
         "aerial-utm": compare_aerial_utm, "growth": measure_growth, "turned": measure_turned, "start": measure_start}


def machine():
    for line in open("/proc/cpuinfo") if os.path.exists("/proc/cpuinfo") else []:
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return os.uname().machine


def print_goals(goals):
    print("\n| goal | measured | at most | |\n| --- | --- | --- | --- |")
    for text, value, limit in goals:
        print(f"| {text} | {value:.3g} | {limit:.3g} | {'met' if value <= limit else 'missed'} |")


def keep(bench, folder, commit):
    """Stores the results, and prints the path of the chart of all runs."""
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    versions = bench.versions()
    history.keep(folder, {
        "date": date, "commit": commit or "unknown", "version": versions[0] if versions else "",
        "machine": {"processor": machine(), "cores": CORES}, "tools": versions[1:], "jobs": bench.jobs,
        "goals": [{"text": text, "value": value, "limit": limit} for text, value, limit in bench.goals]})
    draw(folder)


def draw(folder):
    path = history.draw(folder)
    print(f"\nThe history of all runs: {path}" if path else f"\nThere are no results in '{folder}' to draw.")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilewright", nargs="?")
    parser.add_argument("benchmarks", nargs="?")
    parser.add_argument("--work", default=".build/bench")
    parser.add_argument("--history", type=pathlib.Path)
    parser.add_argument("--chart", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", default="")
    parser.add_argument("--only", action="append", choices=PARTS)
    options = parser.parse_args()
    folder = options.history or pathlib.Path(options.work) / "history"
    if options.chart:
        return draw(folder)
    if not options.benchmarks:
        parser.error("TILEWRIGHT and BENCHMARKS are missing")
    bench = Bench(options)
    commit = answers(["git", "-C", str(HERE), "describe", "--always", "--dirty"])
    print(f"{datetime.date.today()}, commit {commit}, {CORES} cores of {machine()}; "
          + ", ".join(bench.versions()), flush=True)
    for name, part in PARTS.items():
        if not options.only or name in options.only:
            part(bench)
    print_goals(bench.goals)
    for path in bench.work.glob(f"run-{os.getpid()}-*"):
        shutil.rmtree(path)
    keep(bench, folder, commit)


if __name__ == "__main__":
    main()
