#!/usr/bin/env python3
"""Builds the same jobs with two programs, and compares the tiles byte by byte.

usage: same_bytes.py PROGRAM [OTHER] [--data FOLDER] [--only NAME]... [--jobs N]

Prints a table in Markdown: each job, its tiles and one digest of their addresses and bytes. With OTHER, a
second program, prints which jobs gave the same tiles, names tiles that differ, and ends with status 1 if
there are any. Only tiles are compared, not the rest of an archive, nor documents next to tiles.

FOLDER contains real images that are not part of the project (aerial/*.jpg, geotiff/*.tif, mall/*.json, and
../tools/make_plan.py next to FOLDER). Without FOLDER, their jobs are skipped, and the photograph is noise.
All other images are drawn again in each run. Digests depend on the libraries that encode tiles and draw the
images; two programs on one machine share these libraries. Needs numpy and Pillow, and matplotlib for the
floor of mall/.
"""

import argparse
import dataclasses
import functools
import gzip
import hashlib
import pathlib
import sqlite3
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "Examples"
PLAN_BOUNDS = "11.0031,47.2041,11.0189,47.2119"
SHOWN = 5  # tiles that differ, per job


# Reading tiles: a dictionary of bytes by "zoom/column/row", or by path if the folder has its own template

def tiles_of_folder(path):
    return {str(file.relative_to(path).with_suffix("")): file.read_bytes()
            for file in sorted(path.rglob("*"))
            if file.suffix in (".png", ".jpg", ".jpeg", ".webp") and file.is_file()}


def tiles_of_mbtiles(path):
    archive = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = archive.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
    # The specification counts rows from the south.
    return {f"{z}/{x}/{(1 << z) - 1 - y}": bytes(data) for z, x, y, data in rows}


def varints(data, start, count):
    values = []
    for _ in range(count):
        value = shift = 0
        while True:
            byte = data[start]
            start += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        values.append(value)
    return values, start


def directory(data):
    """The entries of a directory of PMTiles, version 3: (tile ID, run length, offset, length)."""
    (count,), start = varints(data, 0, 1)
    steps, start = varints(data, start, count)
    runs, start = varints(data, start, count)
    lengths, start = varints(data, start, count)
    offsets, start = varints(data, start, count)
    entries, tile, end = [], 0, 0
    for step, run, length, offset in zip(steps, runs, lengths, offsets):
        tile += step
        at = offset - 1 if offset else end
        end = at + length
        entries.append((tile, run, at, length))
    return entries


def address(tile):
    """Zoom, column and row of a tile ID, which counts along a Hilbert curve per zoom."""
    zoom = 0
    while tile >= 1 << 2 * zoom:
        tile -= 1 << 2 * zoom
        zoom += 1
    x = y = 0
    size = 1
    while size < 1 << zoom:
        right = tile >> 1 & 1
        up = (tile ^ right) & 1
        if not up:
            if right:
                x, y = size - 1 - x, size - 1 - y
            x, y = y, x
        x, y = x + size * right, y + size * up
        tile >>= 2
        size *= 2
    return f"{zoom}/{x}/{y}"


def tiles_of_pmtiles(path):
    data = path.read_bytes()
    root, root_length, _, _, leaves, _, contents, _ = struct.unpack_from("<8Q", data, 8)
    unpack = gzip.decompress if data[97] == 2 else bytes
    found = {}

    def visit(entries):
        for tile, run, at, length in entries:
            if run == 0:
                visit(directory(unpack(data[leaves + at:leaves + at + length])))
            for copy in range(run):
                found[address(tile + copy)] = data[contents + at:contents + at + length]

    visit(directory(unpack(data[root:root + root_length])))
    return found


def tiles_at(path):
    read = {".mbtiles": tiles_of_mbtiles, ".pmtiles": tiles_of_pmtiles}
    return read.get(path.suffix, tiles_of_folder)(path)


def digest(tiles):
    total = hashlib.sha256()
    for name in sorted(tiles):
        total.update(f"{name}\0{len(tiles[name])}\0".encode())
        total.update(tiles[name])
    return total.hexdigest()[:16]


# Inputs

class Inputs:
    """Source images, drawn when they are first used."""

    def __init__(self, folder, data):
        self.folder, self.data = folder, data

    def real(self, name):
        """A file in the folder of real images, or None if it is missing."""
        path = self.data / name if self.data else None
        return path if path and path.exists() else None

    @functools.cache
    def plan(self, width):
        path = self.folder / f"plan-{width}.png"
        draw("draw_plan.py", path, width)
        return path

    @functools.cache
    def aerial(self):
        path = self.folder / "aerial.jpg"
        photographs = sorted((self.data / "aerial").glob("*.jpg")) if self.data else []
        draw("make_aerial.py", path, *photographs)
        return path

    @functools.cache
    def floor(self):
        """A real floor, turned on its sheet by 17 degrees, with its world file."""
        source, tool = self.real("mall/F1-geojson_map.json"), self.real("../tools/make_plan.py")
        if not source or not tool:
            return None
        path = self.folder / "floor.png"
        draw(tool, source, path, 2500, "--rotate", 17)
        return path


def draw(script, *arguments):
    command = [sys.executable, str(HERE / script), *map(str, arguments)]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"same_bytes.py: {script} failed: see above what it lacks")


# Jobs

@dataclasses.dataclass
class Job:
    name: str
    # The program's arguments without the output; None if an input is missing.
    arguments: object
    # The ending of the output; empty for a folder.
    ending: str = ""


CORNERS = "11.0031,47.2098 11.02447,47.20544 11.02092,47.19577 10.99959,47.20005"
GCPS = [(20, 30, 11.00311, 47.20976), (1000, 15, 11.01339, 47.20818), (1980, 40, 11.02342, 47.20643),
        (35, 720, 11.00151, 47.20431), (1010, 735, 11.01224, 47.20297), (1960, 700, 11.02186, 47.20129),
        (15, 1430, 10.99990, 47.19917), (990, 1420, 11.01033, 47.19759), (1970, 1435, 11.02066, 47.19606)]


def upright(inputs, *options):
    return [inputs.plan(3000), "--bounds", PLAN_BOUNDS, "--zoom", "14-19", *options]


def turned(inputs, *options):
    return [inputs.plan(2000), "--corners", CORNERS, *(() if "--zoom" in options else ("--zoom", "13-17")),
            *options]


def bent(inputs, *options):
    points = [text for point in GCPS for text in ("--gcp", ",".join(map(str, point)))]
    return [inputs.plan(2000), *points, "--transform", "tps", "--zoom", "13-17", *options]


def several(inputs, *options):
    """Plans that are transparent outside, so that one shows through around the next."""
    scratch = inputs.folder / "several"
    scratch.mkdir(exist_ok=True)
    found = []
    # Centres of the top left pixels in Web Mercator; the last one is turned.
    for index, (x, y, turn) in enumerate([(1224800, 5979300, 0), (1225900, 5979000, 0),
                                          (1225200, 5979600, 0.25)]):
        path = scratch / f"sheet-{index}.png"
        path.write_bytes(inputs.plan(1500).read_bytes())
        lines = (1.1, -turn, -turn, -1.1, x, y)
        path.with_suffix(".pgw").write_text("".join(f"{line}\n" for line in lines))
        found.append(path)
    return [*found, "--crs", "EPSG:3857", "--zoom", "12-17", *options]


def geotiff(inputs, name, *options):
    path = inputs.real(f"geotiff/{name}")
    return [path, *options] if path else None


def floor(inputs, *options):
    path = inputs.floor()
    return [path, "--crs", "EPSG:3857", *options] if path else None


def aerial(inputs, *options):
    return [inputs.aerial(), "--bounds", "-0.12,50.81,-0.08,50.825", "--zoom", "12-18", *options]


def example(name, *options):
    return lambda inputs: [EXAMPLES / name, "--zoom", "17-21", *options]


JOBS = [
    Job("upright plan", upright),
    Job("upright plan, lanczos",
        lambda i: upright(i, "--resampling", "lanczos", "--overview-resampling", "cubic")),
    Job("photograph to JPEG", lambda i: aerial(i, "--format", "jpeg", "--quality", "80")),
    Job("GeoTIFF in UTM", lambda i: geotiff(i, "RGB.byte.tif")),
    Job("GeoTIFF in UTM, deflated, to JPEG",
        lambda i: geotiff(i, "rgb_deflate.tif", "--format", "jpeg")),
    Job("GeoTIFF with alpha", lambda i: geotiff(i, "alpha.tif")),
    Job("GeoTIFF of gray", lambda i: geotiff(i, "shade.tif", "--rescale", "20,230")),
    Job("GeoTIFF of the world", lambda i: geotiff(i, "world.rgb.tif", "--resampling", "nearest")),
    Job("plan turned by four corners", turned),
    Job("plan turned by four corners, nearest", lambda i: turned(i, "--resampling", "nearest")),
    Job("thin plate spline", bent),
    Job("thin plate spline, cubic", lambda i: bent(i, "--resampling", "cubic")),
    Job("several images with alpha", several),
    Job("tiles of 512 pixels", lambda i: turned(i, "--tile-size", "512", "--zoom", "12-16")),
    Job("palette", lambda i: upright(i, "--palette", "24")),
    Job("PNG, small", lambda i: upright(i, "--png-level", "small")),
    Job("JPEG, small", lambda i: turned(i, "--format", "jpeg", "--jpeg-level", "small")),
    Job("WebP, lossy", lambda i: turned(i, "--format", "webp", "--quality", "75")),
    Job("WebP, lossless", lambda i: turned(i, "--format", "webp", "--lossless")),
    Job("JPEG or PNG as suits each tile", lambda i: turned(i, "--format", "auto")),
    Job("JPEG over a colour",
        lambda i: turned(i, "--format", "jpeg", "--background", "#f0e8d0")),
    Job("PMTiles", upright, ".pmtiles"),
    Job("MBTiles", upright, ".mbtiles"),
    Job("floor with a world file", floor),
    Job("example, world file in UTM", example("ground.png")),
    Job("example, points of QGIS", example(
        "first.png", "--crop", "66,66,1804,1144", "--nodata", "255,255,255")),
    Job("example, anchor", example(
        "second.png", "--anchor", "50,50,1.729583605,48.217320181", "--scale", "0.04",
        "--bearing", "17")),
]


def build(program, job, arguments, folder, jobs):
    """Builds the tiles; if a run fails, the script ends."""
    folder.mkdir(parents=True)
    output = folder / f"tiles{job.ending}"
    command = [program, "build", *map(str, arguments), "-o", str(output), "-q", "-j", str(jobs)]
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"same_bytes.py: {job.name}: status {run.returncode}: {run.stderr.strip()}\n"
                 f"  {' '.join(command)}")
    return tiles_at(output)


def differences(first, second):
    """Lines that name the tiles that differ."""
    found = []
    for name in sorted(first.keys() | second.keys()):
        if name not in second:
            found.append(f"{name}: only the first program wrote it")
        elif name not in first:
            found.append(f"{name}: only the second program wrote it")
        elif first[name] != second[name]:
            found.append(f"{name}: {len(first[name])} and {len(second[name])} bytes differ")
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--only", action="append", help="a part of a job's name; repeat it")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if len(options.programs) > 2:
        parser.error("more than two programs")
    if options.data and not options.data.is_dir():
        parser.error(f"folder '{options.data}' not found")
    chosen = [job for job in JOBS
              if not options.only or any(part in job.name for part in options.only)]
    left_out, lines = [], []
    print("| job | tiles | digest | |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="same-bytes-") as name:
        folder = pathlib.Path(name)
        inputs = Inputs(folder, options.data)
        for number, job in enumerate(chosen):
            arguments = job.arguments(inputs)
            if arguments is None:
                left_out.append(job.name)
                continue
            built = [build(program, job, arguments, folder / f"{number}-{index}", options.jobs)
                     for index, program in enumerate(options.programs)]
            if not built[0]:
                sys.exit(f"same_bytes.py: {job.name}: no tiles")
            found = differences(built[0], built[-1])
            verdict = "" if len(built) == 1 else f"{len(found)} DIFFER" if found else "same"
            print(f"| {job.name} | {len(built[0])} | {digest(built[0])} | {verdict} |", flush=True)
            lines += [f"{job.name}: {line}" for line in found[:SHOWN]]
    for job in left_out:
        print(f"skipped without --data: {job}")
    print("\n".join(lines), end="\n" if lines else "")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
