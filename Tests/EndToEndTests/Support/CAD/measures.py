"""How far tiles are from what they should be."""

import math
import pathlib

import numpy as np
from PIL import Image

from earth import Point

TILE = 256


def tiles(folder: pathlib.Path, zoom: int, window: list[int]) -> np.ndarray:
    """The tiles of a tree on white paper, in a window of whole tiles; a tile that is not there is empty."""
    left, top, width, height = window
    sheet = Image.new("RGB", (width, height), "white")
    for file in folder.glob(f"{zoom}/*/*.png"):
        x, y = int(file.parent.name) * TILE - left, int(file.stem) * TILE - top
        tile = Image.open(file).convert("RGBA")
        sheet.paste(tile, (x, y), tile)
    return np.asarray(sheet, dtype=np.float32)


def decibels(one: np.ndarray, other: np.ndarray, mask: np.ndarray) -> float:
    """The peak signal-to-noise ratio where the mask is set."""
    error = float(np.mean((one[mask] - other[mask]) ** 2, dtype=np.float64))
    return 99.0 if error == 0 else 10 * math.log10(255**2 / error)


def shift(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """How far `one` is moved against `other`, in pixels: the first step of Lucas and Kanade."""
    first, second = one.mean(axis=2, dtype=np.float64), other.mean(axis=2, dtype=np.float64)
    down, right = np.gradient(second)
    difference = second - first
    matrix = np.array([[np.sum(right * right), np.sum(right * down)], [np.sum(right * down), np.sum(down * down)]])
    # Along an edge that has no end here nothing is known.
    moves = np.linalg.pinv(matrix, rcond=0.05, hermitian=True)
    x, y = moves @ [np.sum(right * difference), np.sum(down * difference)]
    return float(x), float(y)


def largest_shift(one: np.ndarray, other: np.ndarray, mask: np.ndarray) -> float:
    """The largest shift of any ninth of the picture."""
    one = np.where(mask[:, :, None], one, other)
    height, width = mask.shape
    found = 0.0
    for row in range(3):
        for column in range(3):
            part = (slice(row * height // 3, (row + 1) * height // 3),
                    slice(column * width // 3, (column + 1) * width // 3))
            found = max(found, math.hypot(*shift(one[part], other[part])))
    return found


def centroid(image: np.ndarray, near: Point, size: float) -> tuple[Point, float]:
    """The centre of the dark shape of about `size` pixels near a place, and its area in pixels.

    Nothing else may be within a quarter of its size around it.
    """
    reach = size * 0.72
    x0, x1 = math.floor(near[0] - reach), math.ceil(near[0] + reach)
    y0, y1 = math.floor(near[1] - reach), math.ceil(near[1] + reach)
    part = image[y0:y1, x0:x1].mean(axis=2, dtype=np.float64)
    paper = float(np.median(np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])))
    dark = (paper - part) / paper
    area = float(dark.sum())
    if area <= 0:
        return (math.inf, math.inf), 0.0
    ys, xs = np.mgrid[y0:y1, x0:x1] + 0.5
    return (float((dark * xs).sum() / area), float((dark * ys).sum() / area)), area
