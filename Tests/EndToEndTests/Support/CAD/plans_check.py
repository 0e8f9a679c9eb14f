"""Builds tiles of the twenty plans and compares them with ezdxf's own picture and with arithmetic.

    python plans_check.py TILEWRIGHT FOLDER [NAME ...]

Prints a line for each plan and zoom, and ends with 1 if one is less alike than 40 dB, a position is off by more than a
tenth of a pixel, or a warning or a layer is missing.
"""

import json
import math
import pathlib
import shutil
import subprocess
import sys

import numpy as np

import draw_plans
import earth
import measures
import reference

FINEST = 23
LEAST_DECIBELS = 40.0
LARGEST_ERROR = 0.1


def completed(spec: dict) -> None:
    """Adds what follows from the spec: the box in units of the drawing, and the paper's millimetres in a unit."""
    a, b, _, d, e, _ = spec["metres_from_units"]
    metres = math.sqrt(abs(a * e - b * d))
    spec["paper_millimetres"] = 1.0 if spec["layout"] else metres * 10


def window(corners: list[earth.Point]) -> list[int]:
    """The whole tiles around points, an even number of them from an even one: x, y, width, height in pixels."""
    step = 2 * measures.TILE
    sides = []
    for values in zip(*corners):
        low, high = math.floor(min(values) / step) * step, math.ceil(max(values) / step) * step
        sides.append((low, high - low))
    return [sides[0][0], sides[1][0], sides[0][1], sides[1][1]]


def built(program: str, folder: pathlib.Path, spec: dict) -> tuple[pathlib.Path, list[str]]:
    """Builds the two finest zooms; returns the folder and what went wrong."""
    output = folder / "tiles" / spec["name"]
    shutil.rmtree(output, ignore_errors=True)
    command = [program, str(folder / spec["file"]), *spec["options"], "--zoom", f"{FINEST - 1}-{FINEST}",
               "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    faults = [f"no warning of '{w}'" for w in spec["warnings"] if w.lower() not in done.stderr.lower()]
    if done.returncode != 0:
        faults = [f"ended with {done.returncode}: {done.stderr.strip()[-300:]}"]
    said = [line for line in done.stderr.splitlines() if spec["file"] in line]
    faults += [f"unexpected: {line}" for line in said if not any(w.lower() in line.lower() for w in spec["warnings"])]
    return output, faults


def layers(program: str, folder: pathlib.Path, spec: dict) -> list[str]:
    """What `info` says otherwise of the layers."""
    if not spec["layers"]:
        return []
    place = spec["options"] if "chosen" not in spec else spec["options"][:spec["options"].index("--layers")]
    command = [program, "info", str(folder / spec["file"]), *place, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        return [f"info ended with {done.returncode}: {done.stderr.strip()[-300:]}"]
    drawing = json.loads(done.stdout)["image"]["drawing"]
    said = {layer["name"]: layer["state"] for layer in drawing["layers"]}
    return [f"layer {name} is {said.get(name)}, not {state}"
            for name, state in spec["layers"].items() if said.get(name) != state]


def marks(image: np.ndarray, spec: dict, zoom: int, corner: earth.Point) -> float:
    """How far the centre or an edge of a mark is from where arithmetic has it, in pixels."""
    convert = earth.pixels_from_units(spec, zoom)
    worst = 0.0
    for mark in spec["marks"]:
        x, y = convert(mark["x"], mark["y"])
        right = convert(mark["x"] + mark["size"], mark["y"])
        size = math.hypot(right[0] - x, right[1] - y)
        expected = (x - corner[0], y - corner[1])
        centre, area = measures.centroid(image, expected, size)
        share = area / (size * size * (math.pi / 4 if mark["kind"] == "circle" else 1))
        off = math.hypot(centre[0] - expected[0], centre[1] - expected[1])
        edge = abs(math.sqrt(share) - 1) * size / 2
        worst = max(worst, off, edge)
    return worst


def check(program: str, folder: pathlib.Path, spec: dict) -> list[str]:
    """Checks one plan, prints its lines, and returns what is wrong."""
    completed(spec)
    output, faults = built(program, folder, spec)
    faults += layers(program, folder, spec)
    convert = earth.pixels_from_units(spec, FINEST)
    x0, y0, x1, y1 = spec["units"]
    area = window([convert(x, y) for x in (x0, x1) for y in (y0, y1)])
    pixels = earth.affine(convert, spec["units"])
    fine = reference.picture(folder / spec["file"], spec, pixels, area)
    for zoom in (FINEST, FINEST - 1):
        half = 2 ** (FINEST - zoom)
        part = [v // half for v in area]
        expected = reference.averaged(fine, reference.FINER * half)
        image = measures.tiles(output, zoom, part)
        mask = kept(spec, [v / half for v in pixels], part)
        alike = measures.decibels(image, expected, mask)
        moved = measures.largest_shift(image, expected, mask)
        off = marks(image, spec, zoom, (part[0], part[1]))
        known = f"{off:8.3f}" if spec["marks"] else "       -"
        print(f"{spec['name']:14} {zoom} {alike:7.1f} dB {moved:8.3f} px {known} px", flush=True)
        if alike < LEAST_DECIBELS:
            faults.append(f"zoom {zoom}: {alike:.1f} dB")
        if not max(moved, off) <= LARGEST_ERROR:
            faults.append(f"zoom {zoom}: {max(moved, off):.3f} pixels off")
    return faults


def kept(spec: dict, pixels: earth.Affine, part: list[int]) -> np.ndarray:
    """The pixels to compare: those in the box of the drawing, without what is drawn otherwise on purpose."""
    a, b, c, d, e, f = reference.inverted(pixels)
    ys, xs = np.mgrid[0:part[3], 0:part[2]] + 0.5
    xs, ys = xs + part[0], ys + part[1]
    x, y = a * xs + b * ys + c, d * xs + e * ys + f
    x0, y0, x1, y1 = spec["units"]
    mask = (x > x0) & (x < x1) & (y > y0) & (y < y1)
    for left, low, right, high in spec.get("unlike", []):
        mask &= ~((x > left) & (x < right) & (y > low) & (y < high))
    return mask


def main() -> int:
    """Runs the checks."""
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    is_wrong = False
    print("plan         zoom   likeness  position    marks")
    for spec in draw_plans.draw(folder, sys.argv[3:]):
        for fault in check(program, folder, spec):
            is_wrong = True
            print(f"{spec['name']}: {fault}")
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
