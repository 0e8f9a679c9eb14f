#!/usr/bin/env python3
"""Runs random jobs with two programs, and compares what they write byte by byte.

usage: random_jobs.py PROGRAM OTHER [--count N] [--seed N] [--only NUMBER]

Jobs are builds of one image and of several, with any kernels, sizes and formats, cutlines and floors, also
across the antimeridian and around the world; builds in shards; views; and single tiles. Of an archive, the
tiles are compared. Programs may refuse a job, if both do. Ends with status 1 if there is a difference, and
names the seed and the number of the job. Needs numpy and Pillow.
"""

import argparse
import json
import math
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import numpy
from PIL import Image, ImageDraw

from same_bytes import tiles_at

KERNELS = ["nearest", "bilinear", "cubic", "lanczos", "area", "mode"]
WORLD = 40075016.685578


# Inputs

def draw(path, chance):
    """A plan of flat colours and thin lines, or noise, as gray, RGB, RGBA or a palette."""
    width, height = chance.randint(30, 1400), chance.randint(30, 1100)
    mode = chance.choice(["L", "RGB", "RGB", "RGBA", "RGBA", "P"])
    if chance.random() < 0.35:
        numbers = numpy.random.default_rng(chance.randrange(1 << 30))
        field = numbers.integers(0, 256, (height, width, 4), dtype=numpy.uint8)
        picture = Image.fromarray(field, "RGBA").resize((width, height))
    else:
        clear = chance.random() < 0.5
        picture = Image.new("RGBA", (width, height), (255, 255, 255, 0 if clear else 255))
        pen = ImageDraw.Draw(picture)
        for _ in range(chance.randint(1, 60)):
            box = sorted(chance.randint(0, width) for _ in range(2)), sorted(chance.randint(0, height) for _ in range(2))
            fill = tuple(chance.randrange(256) for _ in range(3)) + (chance.choice([255, 255, 128]),)
            corners = [box[0][0], box[1][0], box[0][1], box[1][1]]
            if chance.random() < 0.5:
                pen.rectangle(corners, fill=fill)
            else:
                pen.line(corners, fill=fill, width=chance.randint(1, 4))
    picture = picture.convert("RGB").quantize(40) if mode == "P" else picture.convert(mode)
    if mode in ("L", "RGB") and chance.random() < 0.4:
        path = path.with_suffix(chance.choice([".jpg", ".tif"]))
    options = {"compression": "tiff_lzw"} if path.suffix == ".tif" else {}
    picture.save(path, **options)
    return path, width, height


class Place:
    """Where an image lies, and the zoom whose pixels are about as large as the image's."""

    def __init__(self, chance, width, height):
        self.longitude, self.latitude = chance.uniform(-180, 180), chance.uniform(-75, 75)
        if chance.random() < 0.2:
            self.longitude = chance.choice([-180, 180]) + chance.uniform(-0.001, 0.001)
        self.cell = 10 ** chance.uniform(-1.5, 3)  # metres
        self.is_world = chance.random() < 0.08
        if self.is_world:
            self.cell = WORLD / width
        self.zoom = math.log2(WORLD / 256 / (self.cell / math.cos(math.radians(self.latitude))))
        self.width, self.height = width, height

    def options(self, chance):
        degrees = self.cell / 111319.49
        across = degrees * self.width / math.cos(math.radians(self.latitude)) / 2
        down = degrees * self.height / 2
        if self.is_world:
            edges = chance.choice([(-180, 180), (-170.5, 189.5), (-180, 176), (10, 370)])
            return ["--bounds", f"{edges[0]},{-80},{edges[1]},{80}"]
        kind = chance.random()
        if kind < 0.45:
            north, south = min(85, self.latitude + down), max(-85, self.latitude - down)
            return ["--bounds", f"{self.longitude - across},{south},{self.longitude + across},{north}"]
        if kind < 0.75:
            return ["--anchor", f"{self.width / 2},{self.height / 2},{self.longitude:.7f},{self.latitude:.7f}",
                    "--scale", f"{self.cell:.6f}", "--bearing", f"{chance.uniform(0, 360):.2f}"]
        turn = math.radians(chance.uniform(-30, 30))
        corners = []
        for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
            x, y = x + chance.uniform(-0.1, 0.1), y + chance.uniform(-0.1, 0.1)
            corners.append(f"{self.longitude + across * (x * math.cos(turn) - y * math.sin(turn)):.8f},"
                           f"{self.latitude + down * (x * math.sin(turn) + y * math.cos(turn)):.8f}")
        return ["--corners", " ".join(corners)]


# Jobs

class Job:
    """A job in a folder: lists of arguments, of which OUT is the output."""

    def __init__(self, folder, chance):
        self.folder, self.chance = folder, chance
        self.ending = chance.choice(["", "", "", ".pmtiles", ".mbtiles"])
        path, width, height = draw(folder / "image.png", chance)
        self.place = Place(chance, width, height)
        self.image = [path.name] + self.place.options(chance)
        self.sources = list(self.image)
        if chance.random() < 0.15:
            self.sources = self.sheets()

    def sheets(self):
        """Several images with world files, in Web Mercator, which overlap or meet."""
        chance, place, names = self.chance, self.place, []
        x, y = place.longitude * 111319.49, math.asinh(math.tan(math.radians(place.latitude))) * 6378137
        for index in range(chance.randint(2, 5)):
            path, width, height = draw(self.folder / f"sheet{index}.png", chance)
            turn = chance.choice([0, 0, 0.2])
            step = place.cell * chance.uniform(0.8, 1.3)
            lines = (step, -turn * step, -turn * step, -step, x + index * step * width * chance.uniform(0, 1), y)
            path.with_suffix({".png": ".pgw", ".jpg": ".jgw", ".tif": ".tfw"}[path.suffix]).write_text(
                "".join(f"{line}\n" for line in lines))
            names.append(path.name)
        return [*names, "--crs", "EPSG:3857"]

    def zooms(self):
        chance = self.chance
        highest = max(0, min(24, round(self.place.zoom) + chance.choice([-3, -2, -1, 0, 0, 0, 1])))
        return ["--zoom", f"{max(0, highest - chance.randint(0, 4))}-{highest}"]

    def pyramid(self):
        chance = self.chance
        options = self.zooms() + ["--resampling", chance.choice(KERNELS)]
        if chance.random() < 0.7:
            options += ["--overview-resampling", chance.choice(KERNELS)]
        if chance.random() < 0.3:
            options += ["--tile-size", "512"]
        options += chance.choice([[], [], [], ["--format", "jpeg"], ["--format", "webp", "--lossless"],
                                  ["--format", "auto"], ["--palette", "24"], ["--empty", "write"]])
        if chance.random() < 0.2:
            options += ["--background", "#f0e8d0"]
        if chance.random() < 0.2:
            options += ["--cutline", self.cutline()]
        return options

    def cutline(self):
        chance, place = self.chance, self.place
        reach = place.cell * min(place.width, place.height) / 111319.49 / 2 * chance.uniform(0.3, 1.2)
        ring = [[place.longitude + reach * math.cos(angle) / math.cos(math.radians(place.latitude)) * size,
                 place.latitude + reach * math.sin(angle) * size]
                for angle, size in ((math.tau * k / 9, chance.uniform(0.5, 1)) for k in range(9))]
        (self.folder / "cut.geojson").write_text(
            json.dumps({"type": "Polygon", "coordinates": [ring + ring[:1]]}))
        return "cut.geojson"

    def machine(self):
        chance = self.chance
        options = ["-j", str(chance.randint(1, 4))]
        return options + (["--memory", "16M"] if chance.random() < 0.15 else [])

    def commands(self):
        chance = self.chance
        kind = chance.random()
        if kind < 0.62:
            options = self.pyramid()
            if chance.random() < 0.15 and not self.ending:
                options += ["--floor", "2", "--template", "L{floor}_{z}_{x}_{y}.{ext}"]
            return [["build", *self.sources, *options, *self.machine(), "-q", "-o", f"OUT{self.ending}"]]
        if kind < 0.76:
            shards = chance.randint(1, 4)
            return [["split", *self.sources, *self.pyramid(), "--shards", str(shards), "-o", "job"],
                    *(["shard", "job", str(index), "-q"] for index in range(shards)),
                    ["merge", "job", "-q", "-o", f"OUT{self.ending}"]]
        if kind < 0.92:
            camera = ["--size", f"{chance.randint(50, 900)}x{chance.randint(50, 900)}@{chance.randint(1, 2)}"]
            if chance.random() < 0.7:
                camera += ["--bearing", f"{chance.uniform(0, 360):.1f}", "--tilt", f"{chance.uniform(0, 40):.1f}"]
            if chance.random() < 0.5:
                camera += ["--zoom", f"{max(0, self.place.zoom + chance.uniform(-3, 1.5)):.2f}"]
            return [["snapshot", *self.sources, *camera, "-q", "-o", "OUT.png"]]
        zooms = self.zooms()
        zoom = int(zooms[1].split("-")[1])
        column = int((self.place.longitude / 360 + 0.5) % 1 * 2 ** zoom)
        sine = math.sin(math.radians(self.place.latitude))
        row = int((0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * 2 ** zoom)
        return [["tile", *self.sources, f"{zoom}/{column}/{row}", "-o", "OUT.png"]]


def run(program, commands, folder):
    """What a program writes; or the first lines of what it says if it refuses."""
    for command in commands:
        result = subprocess.run([program, *command], cwd=folder, capture_output=True, text=True)
        if result.returncode:
            if result.returncode < 0 or result.returncode == 70:
                raise RuntimeError(f"status {result.returncode}: {result.stderr}")
            return f"status {result.returncode}"
    output = next((path for path in sorted(folder.glob("OUT*")) if not path.name.endswith(".json")), None)
    if output is None:
        return "nothing"
    return output.read_bytes() if output.suffix == ".png" else tiles_at(output)


def compare(programs, number, seed, folder):
    """The result of the first program, and whether the other one has the same."""
    results = []
    for program in programs:
        place = folder / "run"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        commands = Job(place, random.Random(f"{seed} {number}")).commands()
        results.append(run(program, commands, place))
    return commands, results


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs=2, metavar="PROGRAM")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    programs = [pathlib.Path(program).resolve() for program in options.programs]
    numbers = range(options.count) if options.only is None else [options.only]
    counts, different = {}, 0
    with tempfile.TemporaryDirectory(prefix="random-jobs-") as name:
        for number in numbers:
            commands, results = compare(programs, number, options.seed, pathlib.Path(name))
            kind = commands[0][0]
            done, refused = counts.get(kind, (0, 0))
            counts[kind] = (done + 1, refused + isinstance(results[0], str))
            if options.only is not None:
                print(*(" ".join(command) for command in commands), results[0] if isinstance(results[0], str) else
                      f"{len(results[0])} tiles or bytes", sep="\n")
            if results[0] != results[1]:
                different += 1
                print(f"job {number} of seed {options.seed} differs: {commands[0]}", flush=True)
    for kind, (done, refused) in sorted(counts.items()):
        print(f"{kind}: {done} jobs, {refused} of them refused")
    print(f"{different} of {len(numbers)} jobs differ; seed {options.seed}")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
