#!/usr/bin/env python3
"""Draws the pictures of the README and the articles from the first floor of the example: pictures/*.png.

    plan.png      the sheet, and its tiles next to it
    zooms.png     the tiles of three zooms with their addresses
    kernels.png   one place in tiles of two zooms and of several kernels
    fit.png       the picture of fit --plot, half as large
    views.png     pictures of snapshot: straight, turned, tilted, and nearer at a fractional zoom

Runs the program that the variable TILEWRIGHT names, else the one that was built in this repository, else
the one on the PATH. Its output goes to a temporary folder. Needs Pillow, the DejaVu fonts and,
for fit.png, tilewright-render.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / ".build/release/tilewright"
PROGRAM = os.environ.get("TILEWRIGHT") or (
    str(BUILT) if BUILT.exists() else shutil.which("tilewright"))

SHEET = HERE / "first.png"
# The sheet without its margin and title block, as in building.yaml.
CROP = (66, 66, 1804, 1144)
TILE = 256
GROUND, FRAME, TEXT = (228, 230, 233), (196, 62, 48), (50, 54, 62)
GAP = 20


def font(size, bold=False):
    return ImageFont.truetype(f"DejaVuSans{'-Bold' if bold else ''}.ttf", size)


def build(folder, *options):
    """Builds the first floor and returns its tiles: (zoom, column, row) to an RGBA image."""
    output = Path(folder) / "-".join(options or ("default",)).replace("/", "_")
    crop = ",".join(str(number) for number in CROP)
    subprocess.run(
        [PROGRAM, "build", str(SHEET), "-o", str(output), "--quiet", "--zoom", "18-21",
         "--crop", crop, "--nodata", "255,255,255", *options], check=True)
    tiles = {}
    for path in output.glob("*/*/*.png"):
        zoom, column, row = (int(word) for word in re.findall(r"\d+", str(path))[-3:])
        tiles[zoom, column, row] = Image.open(path).convert("RGBA")
    return tiles


def range_of(tiles, zoom):
    columns = [x for z, x, _ in tiles if z == zoom]
    rows = [y for z, _, y in tiles if z == zoom]
    return min(columns), max(columns) + 1, min(rows), max(rows) + 1


def mosaic(tiles, zoom, gap=0, edge=TILE):
    """All tiles of a zoom, each scaled to a width, some pixels apart, on the pictures' background."""
    west, east, north, south = range_of(tiles, zoom)
    step = edge + gap
    result = Image.new(
        "RGBA", ((east - west) * step - gap, (south - north) * step - gap), GROUND)
    for (z, column, row), tile in tiles.items():
        if z == zoom:
            tile = tile if edge == TILE else tile.resize((edge, edge), Image.Resampling.LANCZOS)
            result.alpha_composite(tile, ((column - west) * step, (row - north) * step))
    return result


def beside(parts, captions):
    """Images side by side with a line of text above each."""
    head = 30
    width = sum(part.width for part in parts) + GAP * (len(parts) + 1)
    height = max(part.height for part in parts) + head + GAP
    result = Image.new("RGB", (width, height), GROUND)
    draw = ImageDraw.Draw(result)
    x = GAP
    for part, caption in zip(parts, captions):
        draw.text((x, head - 7), caption, TEXT, font(15, bold=True), anchor="ls")
        result.paste(part.convert("RGB"), (x, head))
        x += part.width + GAP
    return result


def save(image, name):
    # Except at edges, a drawing has few colours: with a palette, it takes a third of the bytes.
    few = image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(HERE / "pictures" / name, optimize=True)


def draw_plan(tiles):
    sheet = Image.open(SHEET).convert("RGB")
    sheet.thumbnail((620, 620), Image.Resampling.LANCZOS)
    shown = mosaic(tiles, 20, gap=6, edge=150)
    save(beside([sheet, shown], ["a sheet of paper", "its tiles at zoom 20, north up"]), "plan.png")


def draw_zooms(tiles):
    zooms, edge = (18, 19, 20), 150
    parts = []
    for zoom in zooms:
        west, _, north, _ = range_of(tiles, zoom)
        part = mosaic(tiles, zoom, edge=edge)
        draw = ImageDraw.Draw(part)
        for z, column, row in tiles:
            if z != zoom:
                continue
            x, y = (column - west) * edge, (row - north) * edge
            draw.rectangle((x, y, x + edge - 1, y + edge - 1), outline=FRAME)
            draw.text(
                (x + 5, y + edge - 6), f"{zoom}/{column}/{row}", FRAME, font(11), anchor="ls",
                stroke_width=2, stroke_fill=GROUND)
        parts.append(part)
    save(beside(parts, [f"zoom {zoom}" for zoom in zooms]), "zooms.png")


def detail(tiles, zoom, size, at=(1058653.70, 727105.55)):
    """A square around a place, in tiles of zoom 21 from the world's corner, as large as there."""
    west, _, north, _ = range_of(tiles, zoom)
    scale = 2 ** (21 - zoom)
    x, y = (at[0] / scale - west) * TILE, (at[1] / scale - north) * TILE
    half = size / scale / 2
    part = mosaic(tiles, zoom).crop(
        (round(x - half), round(y - half), round(x + half), round(y + half)))
    return part.resize((size, size), Image.Resampling.NEAREST)


def draw_kernels(folder, tiles):
    size = 288
    nearest = build(folder, "--resampling", "nearest")
    cubic = build(folder, "--resampling", "cubic", "--overview-resampling", "cubic")
    parts = [detail(tiles, 21, size), detail(tiles, 20, size), detail(cubic, 20, size),
             detail(nearest, 20, size)]
    captions = ["zoom 21, area", "zoom 20, area, enlarged", "zoom 20, cubic, enlarged",
                "zoom 20, nearest, enlarged"]
    save(beside(parts, captions), "kernels.png")


def draw_fit(folder):
    path = Path(folder) / "fit.png"
    subprocess.run(
        [PROGRAM, "fit", str(SHEET), "--plot", str(path)], check=True, stdout=subprocess.DEVNULL)
    plot = Image.open(path).convert("RGB")
    save(plot.resize((plot.width // 2, plot.height // 2), Image.Resampling.LANCZOS), "fit.png")


def draw_views(folder):
    tiles = Path(folder) / "default"
    views = {
        "straight": [],
        "--bearing 17 --zoom 18.7": ["--bearing", "17", "--zoom", "18.7"],
        "--tilt 55 --zoom 18.9": ["--bearing", "17", "--tilt", "55", "--zoom", "18.9"],
        "--tilt 40 --zoom 20.3": ["--bearing", "60", "--tilt", "40", "--zoom", "20.3"],
    }
    parts = []
    for index, options in enumerate(views.values()):
        path = Path(folder) / f"view{index}.png"
        subprocess.run(
            [PROGRAM, "snapshot", str(tiles), "--size", "280x250@1", "--padding", "16", "--quiet",
             "--background", "#ffffff", *options, "-o", str(path)], check=True)
        parts.append(Image.open(path).convert("RGB"))
    save(beside(parts, list(views)), "views.png")


def main():
    (HERE / "pictures").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        tiles = build(folder)
        draw_plan(tiles)
        draw_zooms(tiles)
        draw_kernels(folder, tiles)
        draw_fit(folder)
        draw_views(folder)


if __name__ == "__main__":
    main()
