#!/usr/bin/env python3
"""Measures builds from an image on a web server, next to the same image as a file, and GDAL's way to read it.

usage: far.py [--work DIR] [--rounds N] [--photographs FOLDER] [--only PART]... TILEWRIGHT

The server is the tests' own, on this machine; it waits before each answer, and limits all connections together to a
bandwidth. Runs take turns, round by round; wall seconds are medians. Requests and bytes are those of the image, not
of files that may lie next to it. GDAL reads the same pixels through /vsicurl and writes them without compression, which
is less work than tiles are; gdal2tiles.py makes tiles of the last zoom. Parts: jpeg, deflate, tile, gdal2tiles.

The status is 1 if a goal is missed: 1.15 times the wall of the file at 1 ms; 1.5 times at 50 ms with 100 Mbit/s, for
the JPEG image; 8 requests and 2 MB for one tile of a file of 10 GB. Needs gdal-bin, numpy and Pillow.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SUPPORT = HERE.parent / "EndToEndTests" / "Support" / "Far"
PHOTOGRAPHS = HERE.parent.parent.parent / "shared" / "data" / "aerial"
# Web Mercator metres: corner and edges of the photograph, whose pixels are somewhat finer than those of zoom 20.
WEST, NORTH, WIDTH, HEIGHT = 900_000, 6_000_000, 1500, 843.75
PROFILES = {"1 ms": (["--latency", "1"], 1.15), "50 ms, 100 Mbit/s": (["--latency", "50", "--mbit", "100"], 1.5)}
TILE_REQUESTS, TILE_BYTES = 8, 2_000_000
ZOOMS = "14-20"


@contextlib.contextmanager
def server(folder, options, work):
    """A server, and a function that lists the requests for a file so far."""
    log = pathlib.Path(tempfile.mkstemp(dir=work, suffix=".jsonl")[1])
    command = [sys.executable, SUPPORT / "range_server.py", folder, "--log", log, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    address = f"http://127.0.0.1:{process.stdout.readline().strip()}"

    def requests(name):
        found = [json.loads(line) for line in log.read_text().splitlines()]
        return [request for request in found if request["path"] == "/" + name]

    try:
        yield address, requests
    finally:
        process.kill()
        process.wait()


def run(command, environment=None):
    """Wall and CPU seconds of a command; the CPU time is that of all of its processes."""
    before, start = os.times(), time.monotonic()
    done = subprocess.run(list(map(str, command)), env=os.environ | (environment or {}), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: '{' '.join(map(str, command))}' failed:\n{done.stdout}{done.stderr}")
    wall, after = time.monotonic() - start, os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return wall, cpu


def cpu_model():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if os.path.exists("/proc/cpuinfo") else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")


class Measurement:
    def __init__(self, options):
        self.options = options
        self.work = options.work
        self.site = self.work / "site"
        self.site.mkdir(parents=True, exist_ok=True)
        self.missed = []

    # Inputs

    def draw(self):
        photograph = self.work / "photograph.jpg"
        if not photograph.exists():
            names = sorted(self.options.photographs.glob("*.jpg")) if self.options.photographs.is_dir() else []
            run([sys.executable, HERE / "make_aerial.py", photograph, *names])
        place = ["-a_srs", "EPSG:3857", "-a_ullr", WEST, NORTH, WEST + WIDTH, NORTH - HEIGHT]
        for name, options in [("jpeg", ["COMPRESS=JPEG", "QUALITY=75"]), ("deflate", ["COMPRESS=DEFLATE", "PREDICTOR=YES"])]:
            path = self.site / f"{name}.tif"
            if not path.exists():
                creation = [word for option in options for word in ("-co", option)]
                run(["gdal_translate", "-q", "-of", "COG", *creation, *place, photograph, path])
                path.with_suffix(".tif.aux.xml").unlink(missing_ok=True)

    # Builds

    def build(self, name):
        """The same build from the file and from each kind of server, and GDAL's reading of it."""
        size = (self.site / f"{name}.tif").stat().st_size
        print(f"\n## {name}: COG of {size / 1e6:.0f} MB\n")
        print("| job | server | wall s | of the file's | CPU s | requests | MB |\n| --- | --- | --- | --- | --- | --- | --- |")
        for job in ["tilewright", "GDAL"]:
            walls, cpus, counts = {}, {}, {}
            for _ in range(self.options.rounds):
                for profile in [None, *PROFILES]:
                    wall, cpu, count = self.run_once(job, name, profile)
                    walls.setdefault(profile, []).append(wall)
                    cpus.setdefault(profile, []).append(cpu)
                    counts[profile] = count
            for profile in [None, *PROFILES]:
                wall, near = statistics.median(walls[profile]), statistics.median(walls[None])
                cpu = statistics.median(cpus[profile])
                requests, sent = counts[profile]
                # Each far run beside the file's run of the same round.
                factor = statistics.median(a / b for a, b in zip(walls[profile], walls[None]))
                row = [job, profile or "none: the file", f"{wall:.2f}", f"{factor:.2f}", f"{cpu:.2f}",
                       requests if profile else "", f"{sent / 1e6:.1f}" if profile else ""]
                print("|", " | ".join(map(str, row)), "|", flush=True)
                if job == "tilewright" and profile and (name == "jpeg" or profile == "1 ms"):
                    goal = PROFILES[profile][1]
                    if factor > goal:
                        self.missed.append(f"{name} at {profile}: {factor:.2f}, the goal is {goal}")

    def run_once(self, job, name, profile):
        output = self.work / "output"
        shutil.rmtree(output, ignore_errors=True)
        output.mkdir()
        with contextlib.ExitStack() as stack:
            source, requests = self.site / f"{name}.tif", None
            if profile:
                address, requests = stack.enter_context(server(self.site, PROFILES[profile][0], self.work))
                source = f"{address}/{name}.tif"
            if job == "tilewright":
                command = [self.options.program, source, "-z", ZOOMS, "--format", "jpeg", "-o", output / "tiles"]
            else:
                if profile:
                    source = f"/vsicurl/{source}"
                command = ["gdal_translate", "-q", "-of", "GTiff", "-co", "TILED=YES", source, output / "all.tif"]
            # GDAL would otherwise list the folder and look for files in it.
            wall, cpu = run(command, {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"})
            asked = requests(f"{name}.tif") if requests else []
        return wall, cpu, (len(asked), sum(request["bytes"] for request in asked))

    # One tile of a large file

    def tile(self):
        print("\n## One tile of a file of 10 GB\n\n| blocks | tool | wall s at 50 ms | requests | kB |\n| --- | --- | --- | --- | --- |")
        for words in [["--block", "256"], ["--block", "512", "--overviews"]]:
            path = self.site / "city.tif"
            made = subprocess.run([sys.executable, SUPPORT / "sparse_tiff.py", path, *words], capture_output=True, text=True)
            tile = json.loads(made.stdout)["groups"][-1]["tile"]
            for job in ["tilewright", "GDAL"]:
                with server(self.site, ["--latency", "50"], self.work) as (address, requests):
                    wall, _ = run(self.tile_command(job, f"{address}/city.tif", tile),
                                  {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"})
                    asked = requests("city.tif")
                count, sent = len(asked), sum(request["bytes"] for request in asked)
                print(f"| {' '.join(words)} | {job} | {wall:.2f} | {count} | {sent / 1000:.0f} |", flush=True)
                if job == "tilewright" and (count > TILE_REQUESTS or sent > TILE_BYTES):
                    self.missed.append(f"one tile: {count} requests, {sent} bytes")
            path.unlink()

    def tile_command(self, job, address, tile):
        output = self.work / "tile.png"
        output.unlink(missing_ok=True)
        if job == "tilewright":
            return [self.options.program, "tile", address, tile, "--zoom", "20", "-o", output]
        zoom, column, row = map(int, tile.split("/"))
        half = 20037508.342789244
        edge = 2 * half / 2**zoom
        bounds = [column * edge - half, half - (row + 1) * edge, (column + 1) * edge - half, half - row * edge]
        return ["gdalwarp", "-q", "-overwrite", "-r", "cubic", "-te", *bounds, "-ts", 256, 256, "-of", "PNG",
                f"/vsicurl/{address}", output]

    # Tiles by GDAL

    def gdal2tiles(self):
        print("\n## gdal2tiles.py, the last zoom of the JPEG image\n")
        for profile in [None, *PROFILES]:
            with contextlib.ExitStack() as stack:
                source, requests = self.site / "jpeg.tif", lambda name: []
                if profile:
                    address, requests = stack.enter_context(server(self.site, PROFILES[profile][0], self.work))
                    source = f"/vsicurl/{address}/jpeg.tif"
                output = self.work / "gdal2tiles"
                shutil.rmtree(output, ignore_errors=True)
                # Its processes would share a connection, which then fails.
                wall, _ = run(["gdal2tiles.py", "-q", "-w", "none", "-z", "20", "--xyz", "--processes", 1,
                                 source, output], {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"})
                asked = requests("jpeg.tif")
                sent = sum(request["bytes"] for request in asked)
                print(f"- {profile or 'the file'}: {wall:.1f} s, {len(asked)} requests, {sent / 1e6:.1f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=pathlib.Path, help="folder of inputs, which are kept; default: a temporary one")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--photographs", type=pathlib.Path, default=PHOTOGRAPHS)
    parser.add_argument("--only", action="append", choices=["jpeg", "deflate", "tile", "gdal2tiles"])
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    options.program = options.program.resolve()
    with contextlib.ExitStack() as stack:
        if options.work is None:
            options.work = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        options.work = options.work.resolve()
        measurement = Measurement(options)
        measurement.draw()
        gdal = subprocess.run(["gdalinfo", "--version"], capture_output=True, text=True).stdout.split(",")[0]
        print(f"{cpu_model()}, {os.cpu_count()} cores; {gdal}; {options.rounds} rounds")
        for part in options.only or ["jpeg", "deflate", "tile"]:
            {"tile": measurement.tile, "gdal2tiles": measurement.gdal2tiles}.get(
                part, lambda part=part: measurement.build(part))()
    if measurement.missed:
        sys.exit("missed: " + "; ".join(measurement.missed))


if __name__ == "__main__":
    main()
