#!/usr/bin/env python3
"""Compares time and bytes of tilewright's encoders with those of other tools, and prints tables in Markdown.

usage: encoders.py [--work DIR] [--tiles N] [--only KIND]... TILEWRIGHT BENCHMARKS

TILEWRIGHT builds tiles of a plan, of a scan of the plan, and of photographs. BENCHMARKS encodes them again with each
of its encoders. `optipng`, `oxipng`, `zopflipng`, `pngquant`, `cjpeg` and `cwebp` encode the same tiles if they are on
the PATH: `cjpeg` from PPM, over white, the others from PNG files of libpng with default settings.

Times are CPU time on one core. For each start of another tool, its time for an image of one pixel is subtracted. Its
remaining time still includes reading and writing files, which takes little time.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
from dataclasses import dataclass

import numpy
from PIL import Image, ImageFilter

import compare

QUALITY = "85"
# The size and zoom of the scanned plan and of photographs: some hundred tiles at native resolution.
WIDTH, ZOOM = 6000, 20


# Inputs

def scan(plan, path):
    """A simulated scan of a plan: soft lines, uneven light, and noise."""
    drawing = Image.open(plan).convert("RGBA")
    paper = Image.new("RGBA", drawing.size, "#f6f2e8")
    picture = Image.alpha_composite(paper, drawing).convert("RGB").filter(ImageFilter.GaussianBlur(0.8))
    pixels = numpy.asarray(picture, numpy.float32)
    light = numpy.linspace(0.94, 1, pixels.shape[1], dtype=numpy.float32)[None, :, None]
    noise = numpy.random.default_rng(1).normal(0, 2.5, pixels.shape[:2]).astype(numpy.float32)[:, :, None]
    Image.fromarray(numpy.clip(pixels * light + noise, 0, 255).astype(numpy.uint8)).save(path)


def photograph(aerial, path):
    """A part of the photographs that takes no longer than the plan."""
    Image.open(aerial).crop((0, 0, WIDTH // 2, WIDTH // 2)).save(path)


def inputs(bench):
    """The kinds of images, and the function that makes the file of each."""
    plan = bench.plan(WIDTH).path
    return {
        "plan": (plan, None),
        "scan": (bench.work / "scan.png", lambda path: scan(plan, path)),
        "photographs": (bench.work / "photograph.png", lambda path: photograph(bench.aerial().path, path)),
    }


def sample(bench, image, folder, count):
    """Builds an image's tiles, and copies some of them to a folder."""
    tree = folder / "tree"
    source = compare.Source(image, compare.ZOOM_22_CELL * 2 ** (22 - ZOOM))
    compare.measure(bench.own("tiles", source, "-z", str(ZOOM)).command(tree), folder)
    paths = sorted(tree.glob("[0-9]*/*/*.png"))
    tiles = folder / "tiles"
    tiles.mkdir()
    for index, path in enumerate(random.Random(1).sample(paths, min(count, len(paths)))):
        shutil.copy(path, tiles / f"{index:04}.png")
    return tiles


def prepare(tiles, folder):
    """The same pixels in the other tools' input formats: PNG of libpng, and PPM over white."""
    png, ppm = folder / "png", folder / "ppm"
    png.mkdir()
    ppm.mkdir()
    for path in sorted(tiles.iterdir()):
        tile = Image.open(path).convert("RGBA")
        white = Image.alpha_composite(Image.new("RGBA", tile.size, "white"), tile).convert("RGB")
        white.save(ppm / f"{path.stem}.ppm")
        (white if tile.getextrema()[3] == (255, 255) else tile).save(png / path.name)
    return png, ppm


# Encoders

@dataclass
class Point:
    name: str
    group: str
    microseconds: float
    bytes: float


@dataclass
class Other:
    name: str
    group: str
    source: str  # png or ppm
    command: callable  # of an input and an output

    def measure(self, folder):
        """Encodes all files of a folder, one after the other."""
        output = folder.parent / "output"
        start = self.seconds(folder.parent / f"dot.{self.source}", output)
        seconds, size, files = 0, 0, sorted(folder.iterdir())
        for path in files:
            seconds += self.seconds(path, output) - start
            size += output.stat().st_size
        return Point(self.name, self.group, max(seconds, 0) / len(files) * 1e6, size / len(files))

    def seconds(self, path, output):
        output.unlink(missing_ok=True)
        return compare.measure(self.command(path, output), output.parent).cpu


def others():
    def png(name, *options):
        return Other(" ".join([name, *options]), "PNG", "png",
                     lambda path, output: [name, *options, "-out", output, path])

    def jpeg(*options):
        return Other(" ".join(["cjpeg", *options]), "JPEG", "ppm",
                     lambda path, output: ["cjpeg", "-quality", QUALITY, *options, "-outfile", output, path])

    def webp(group, *options):
        return Other(" ".join(["cwebp", *options]), group, "png",
                     lambda path, output: ["cwebp", "-quiet", *options, path, "-o", output])

    found = [
        png("optipng", "-o1"), png("optipng", "-o2"), png("optipng", "-o5"),
        Other("oxipng -o2", "PNG", "png", lambda path, output: ["oxipng", "-o2", "--out", output, path]),
        Other("zopflipng", "PNG", "png", lambda path, output: ["zopflipng", "-y", path, output]),
        Other("pngquant 256 (rounds colours)", "PNG", "png",
              lambda path, output: ["pngquant", "--force", "--output", output, "256", path]),
        jpeg("-baseline"), jpeg("-optimize"), jpeg("-progressive"),
        webp("WebP", "-q", QUALITY, "-m", "4"), webp("WebP", "-q", QUALITY, "-m", "6"),
        webp("WebP, lossless", "-exact", "-z", "3"), webp("WebP, lossless", "-exact", "-z", "6"),
        webp("WebP, lossless", "-exact", "-z", "9"),
    ]
    return [other for other in found if shutil.which(other.name.split()[0])]


def own(benchmarks, tiles):
    """Time and bytes of tilewright's encoders."""
    output = subprocess.run([benchmarks, "encoders", tiles], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines()[1:]:
        name, microseconds, size = line.rsplit(None, 2)
        kind, _, rest = name.partition(", ")
        if kind == "png":
            group = "PNG"
        elif kind == "jpeg" and rest.startswith(QUALITY):
            group, rest = "JPEG", rest.partition(", ")[2]
        elif name == "webp, lossless":
            group, rest = "WebP, lossless", "default"
        elif name == f"webp, quality {QUALITY}":
            group, rest = "WebP", "default"
        else:
            continue
        yield Point(f"**tilewright**, {rest}", group, float(microseconds), float(size))


def table(kind, count, points):
    print(f"\n**{kind}**, {count} tiles; JPEG and WebP of quality {QUALITY}. Time and bytes of `default` are 1.\n")
    print("| | encoder | µs a tile | bytes a tile | time | bytes |\n| --- | --- | --- | --- | --- | --- |")
    for group in dict.fromkeys(point.group for point in points):
        members = sorted((point for point in points if point.group == group), key=lambda point: point.microseconds)
        default = next(point for point in members if point.name.endswith(", default"))
        for point in members:
            print(f"| {group} | {point.name} | {point.microseconds:.0f} | {point.bytes:.0f} | "
                  f"{point.microseconds / default.microseconds:.2f} | {point.bytes / default.bytes:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilewright")
    parser.add_argument("benchmarks")
    parser.add_argument("--work", default=".build/bench")
    parser.add_argument("--tiles", type=int, default=100)
    parser.add_argument("--only", action="append", choices=["plan", "scan", "photographs"])
    parser.set_defaults(peers="")
    options = parser.parse_args()
    bench = compare.Bench(options)
    for kind, (image, make) in inputs(bench).items():
        if options.only and kind not in options.only:
            continue
        if make and not image.exists():
            scratch = image.with_suffix(".part.png")
            make(scratch)
            scratch.rename(image)
        folder = bench.work / f"encoders-{os.getpid()}-{kind}"
        folder.mkdir()
        tiles = sample(bench, image, folder, options.tiles)
        png, ppm = prepare(tiles, folder)
        Image.new("RGB", (1, 1)).save(folder / "dot.png")
        Image.new("RGB", (1, 1)).save(folder / "dot.ppm")
        points = list(own(bench.benchmarks, tiles))
        points += [other.measure({"png": png, "ppm": ppm}[other.source]) for other in others()]
        table(kind, len(list(tiles.iterdir())), points)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
