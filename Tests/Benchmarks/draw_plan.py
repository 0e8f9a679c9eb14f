#!/usr/bin/env python3
"""Draws a large floor plan for benchmarks: a turned building of rooms with numbers, doors and hatching.

usage: draw_plan.py OUT.png WIDTH

The plan is RGBA, transparent outside, and 0.724 times as high as wide. It is drawn in strips at twice its
size, and halved, so that it takes little memory. Rows have the Paeth filter, as in most drawing programs.
Needs numpy and Pillow.
"""

import math
import struct
import sys
import zlib

import numpy
from PIL import Image, ImageDraw

STRIP = 256  # rows
SAMPLES = 2  # along each axis of a pixel
ASPECT = 0.724
TURN = math.radians(12)  # of the building on the sheet
COLUMNS, ROWS = 48, 34  # rooms
FILLS = [(197, 234, 245), (251, 232, 200), (217, 242, 208), (245, 213, 221), (228, 220, 245)]
WALL, INK, HATCH = (68, 85, 102, 255), (34, 51, 68, 255), (150, 165, 180, 255)

# Digits as the strokes of a seven-segment display, on a grid 1 wide and 2 high.
STROKES = {"a": (0, 0, 1, 0), "b": (1, 0, 1, 1), "c": (1, 1, 1, 2), "d": (0, 2, 1, 2),
           "e": (0, 1, 0, 2), "f": (0, 0, 0, 1), "g": (0, 1, 1, 1)}
DIGITS = ["abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abfgcd"]


class Sheet:
    """Plan coordinates, in rooms, to pixels of the oversized drawing."""

    def __init__(self, width):
        self.width, self.height = width, round(width * ASPECT)
        self.room = 0.8 * width * SAMPLES / COLUMNS

    def point(self, u, v):
        x, y = (u - COLUMNS / 2) * self.room, (v - ROWS / 2) * self.room * 0.85
        cos, sin = math.cos(TURN), math.sin(TURN)
        return (self.width * SAMPLES / 2 + x * cos - y * sin,
                self.height * SAMPLES / 2 + x * sin + y * cos)


def shapes(sheet):
    """All shapes on the sheet, from the lowest layer up: (top, bottom, draw)."""
    found = []

    def add(points, draw, margin=0):
        ys = [y for _, y in points]
        found.append((min(ys) - margin, max(ys) + margin, points, draw))

    wall, pen = sheet.room * 0.035, sheet.room * 0.02
    for v in range(ROWS):
        for u in range(COLUMNS):
            number = u * 7 + v * 13
            if number % 11 == 0:  # a courtyard or a shaft
                continue
            corners = [sheet.point(u + a, v + b) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            add(corners, ("fill", FILLS[number % 5] + (255,)))
            if number % 9 == 4:
                for step in range(1, 20):
                    at = step / 20
                    add([sheet.point(u + at, v), sheet.point(u, v + at)], ("line", HATCH, pen / 3), pen)
                    add([sheet.point(u + 1, v + at), sheet.point(u + at, v + 1)],
                        ("line", HATCH, pen / 3), pen)
            door = 0.25 + number % 3 * 0.2
            sides = [((0, 0), (1, 0)), ((0, 0), (0, 1)), ((1, 0), (1, 1)), ((0, 1), (door, 1)),
                     ((door + 0.2, 1), (1, 1))]
            for (a, b), (c, d) in sides:
                add([sheet.point(u + a, v + b), sheet.point(u + c, v + d)], ("line", WALL, wall), wall)
            for place, digit in enumerate(f"{v * COLUMNS + u:04d}"):
                for stroke in DIGITS[int(digit)]:
                    ends = STROKES[stroke]
                    left, top = u + 0.27 + place * 0.12, v + 0.4
                    add([sheet.point(left + ends[i] * 0.08, top + ends[i + 1] * 0.09) for i in (0, 2)],
                        ("line", INK, pen), pen)
    return found


def strips(sheet):
    """The plan in strips of rows, top down."""
    drawn = shapes(sheet)
    for top in range(0, sheet.height, STRIP):
        rows = min(STRIP, sheet.height - top)
        image = Image.new("RGBA", (sheet.width * SAMPLES, rows * SAMPLES))
        pen = ImageDraw.Draw(image)
        first, last = top * SAMPLES, (top + rows) * SAMPLES
        for upper, lower, points, draw in drawn:
            if lower < first or upper > last:
                continue
            shifted = [(x, y - first) for x, y in points]
            if draw[0] == "fill":
                pen.polygon(shifted, fill=draw[1])
            else:
                pen.line(shifted, fill=draw[1], width=max(1, round(draw[2])))
        yield numpy.asarray(image.reduce(SAMPLES))


def paeth(rows, above):
    """The rows' bytes with the Paeth filter, each row preceded by the filter's number."""
    values = rows.reshape(len(rows), -1).astype(numpy.int16)
    up = numpy.vstack([above[None], values[:-1]])
    left, corner = numpy.zeros_like(values), numpy.zeros_like(values)
    left[:, 4:], corner[:, 4:] = values[:, :-4], up[:, :-4]
    estimate = left + up - corner
    to_left, to_up, to_corner = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    predicted = numpy.where((to_left <= to_up) & (to_left <= to_corner), left,
                            numpy.where(to_up <= to_corner, up, corner))
    filtered = numpy.full((len(rows), values.shape[1] + 1), 4, numpy.uint8)
    filtered[:, 1:] = (values - predicted).astype(numpy.uint8)
    return filtered.tobytes(), values[-1]


def chunk(file, kind, data):
    file.write(struct.pack(">I", len(data)) + kind + data)
    file.write(struct.pack(">I", zlib.crc32(kind + data)))


def main():
    path, sheet = sys.argv[1], Sheet(int(sys.argv[2]))
    compressor = zlib.compressobj(6)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        chunk(file, b"IHDR", struct.pack(">IIBBBBB", sheet.width, sheet.height, 8, 6, 0, 0, 0))
        above = numpy.zeros(sheet.width * 4, numpy.int16)
        for rows in strips(sheet):
            filtered, above = paeth(rows, above)
            data = compressor.compress(filtered)
            if data:
                chunk(file, b"IDAT", data)
        chunk(file, b"IDAT", compressor.flush())
        chunk(file, b"IEND", b"")


main()
