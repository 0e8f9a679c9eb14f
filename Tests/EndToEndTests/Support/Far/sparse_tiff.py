#!/usr/bin/env python3
"""Writes a tiled BigTIFF that is as long as one of a city, of which only some blocks have data. The rest is a hole in
the file, so it takes little of the disk.

usage: sparse_tiff.py OUT.tif [--edge 131072] [--block 256] [--length 10000000000] [--overviews] [--compression deflate]

RGB of 8 bits, black is nodata, in EPSG:3857 with pixels of 0.1 m; all directories are at the start, and the tables of
blocks follow them, as in a COG. Blocks with data are groups of 4 x 4: one near the north-west corner, one in the middle,
and one at the south-east corner, whose last block ends the file. Blocks without data have offset and length 0, which GDAL
calls sparse. It prints JSON: edge, block, and the groups, with the column and row of the first block of each, and the
tiles of Web Mercator at their centres.
"""

import argparse
import json
import math
import random
import struct
import zlib

GROUP = 4
CELL = 0.1
WEST, NORTH = 900_000.0, 6_000_000.0  # metres
HALF_WORLD = math.pi * 6_378_137
TABLES = (324, 325)  # offsets and lengths of blocks
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 12: 8, 16: 8}  # bytes of TIFF's types
FORMATS = {3: "H", 4: "I", 12: "d", 16: "Q"}


def block_bytes(column, row, block, compression):
    """Stripes and specks, others in each block."""
    generator = random.Random(column * 1_000_003 + row)
    base = [generator.randrange(40, 200) for _ in range(3)]
    specks = bytes(base[0] + (value & 7) for value in generator.randbytes(4096 + block))
    stripes = bytes(base[1] + (24 if x & 32 else 0) for x in range(2 * block))
    ramp = bytes(base[2] + x * 20 // block for x in range(block))
    rows = []
    for y in range(block):
        line = bytearray(3 * block)
        line[0::3] = specks[y * 37 % 4096:][:block]
        line[1::3] = stripes[y:y + block]
        line[2::3] = ramp
        rows.append(bytes(line))
    raw = b"".join(rows)
    return raw if compression == "none" else zlib.compress(raw, 1)


class Level:
    """One directory: an image, or an overview of it."""

    def __init__(self, edge, options, is_overview):
        self.edge, self.options, self.is_overview = edge, options, is_overview
        self.across = -(-edge // options.block)
        self.offsets = bytearray(8 * self.across**2)
        self.counts = bytearray(4 * self.across**2)

    def groups(self):
        """The first block of each group, once each."""
        last = max(0, self.across - GROUP)
        places = [self.across // 16, self.across // 2, last]
        return sorted({(min(place, last), min(place, last)) for place in places})

    def blocks(self):
        found = {(x + dx, y + dy) for x, y in self.groups() for dx in range(GROUP) for dy in range(GROUP)}
        return sorted((y * self.across + x, x, y) for x, y in found if x < self.across and y < self.across)

    def place(self, index, offset, count):
        struct.pack_into("<Q", self.offsets, 8 * index, offset)
        struct.pack_into("<I", self.counts, 4 * index, count)

    def fields(self):
        options = self.options
        fields = [
            (256, 4, [self.edge]), (257, 4, [self.edge]), (258, 3, [8, 8, 8]),
            (259, 3, [1 if options.compression == "none" else 8]), (262, 3, [2]), (277, 3, [3]), (284, 3, [1]),
            (322, 3, [options.block]), (323, 3, [options.block]), (324, 16, self.offsets), (325, 4, self.counts),
            (339, 3, [1, 1, 1]), (42113, 2, b"0\0"),
        ]
        if self.is_overview:
            return [(254, 4, [1])] + fields
        place = [(33550, 12, [CELL, CELL, 0]), (33922, 12, [0, 0, 0, WEST, NORTH, 0]),
                 (34735, 3, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 3857])]
        return sorted(fields + place)

    def packed(self):
        return [((tag, kind), bytes(values) if isinstance(values, (bytes, bytearray))
                 else struct.pack(f"<{len(values)}{FORMATS[kind]}", *values)) for tag, kind, values in self.fields()]

    def size(self):
        """The bytes of the directory and its values, without the tables of blocks."""
        return 16 + 20 * len(self.fields()) + sum(
            len(data) for (tag, _), data in self.packed() if len(data) > 8 and tag not in TABLES)

    def write(self, file, at, tables_at, following):
        fields = self.packed()
        places = {False: at + 16 + 20 * len(fields), True: tables_at}
        entries = []
        for (tag, kind), data in fields:
            entry = struct.pack("<HHQ", tag, kind, len(data) // SIZES[kind])
            if len(data) > 8:
                place = places[tag in TABLES]
                places[tag in TABLES] += len(data)
                file.seek(place)
                file.write(data)
                entries.append(entry + struct.pack("<Q", place))
            else:
                entries.append(entry + data.ljust(8, b"\0"))
        file.seek(at)
        file.write(struct.pack("<Q", len(fields)) + b"".join(entries) + struct.pack("<Q", following))


def tile(column, row, options):
    """The tile of Web Mercator in the middle of a group, at the zoom whose pixels are next above CELL."""
    zoom = math.ceil(math.log2(2 * HALF_WORLD / 256 / CELL)) - 1
    edge = 2 * HALF_WORLD / 2**zoom
    half = (GROUP / 2) * options.block
    x = WEST + (column * options.block + half) * CELL
    y = NORTH - (row * options.block + half) * CELL
    return f"{zoom}/{int((x + HALF_WORLD) // edge)}/{int((HALF_WORLD - y) // edge)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--edge", type=int, default=131072)
    parser.add_argument("--block", type=int, default=256)
    parser.add_argument("--length", type=int, default=10_000_000_000)
    parser.add_argument("--compression", choices=["deflate", "none"], default="deflate")
    parser.add_argument("--overviews", action="store_true")
    options = parser.parse_args()

    levels = [Level(options.edge, options, False)]
    while options.overviews and levels[-1].edge > 2 * options.block:
        levels.append(Level(levels[-1].edge // 2, options, True))
    places = [16]
    for level in levels:
        places.append((places[-1] + level.size() + 15) // 16 * 16)

    tables = [places[-1]]
    for level in levels:
        tables.append(tables[-1] + len(level.offsets) + len(level.counts))

    with open(options.out, "wb") as file:
        # Overviews come before the image, the smallest first; each has a quarter of the next one's length.
        file.truncate(options.length)
        start = tables[-1]
        for number, level in reversed(list(enumerate(levels))):
            room = (options.length - start) * 3 // 4 if number else options.length - start
            room = min(room, options.length // 4**number) if number else room
            data = [(index, block_bytes(column, row + number, options.block, options.compression))
                    for index, column, row in level.blocks()]
            length = sum(len(packed) for _, packed in data)
            at = start
            for index, packed in data:
                at = max(at, start + index * (room - length) // level.across**2)
                if index == level.across**2 - 1:
                    at = start + room - len(packed)
                level.place(index, at, len(packed))
                file.seek(at)
                file.write(packed)
                at += len(packed)
            start += room
        file.seek(0)
        file.write(struct.pack("<2sHHHQ", b"II", 43, 8, 0, places[0]))
        for number, level in enumerate(levels):
            level.write(file, places[number], tables[number],
                        places[number + 1] if number + 1 < len(levels) else 0)
    groups = [{"column": x, "row": y, "tile": tile(x, y, options)} for x, y in levels[0].groups()]
    print(json.dumps({"edge": options.edge, "block": options.block, "groups": groups}))


if __name__ == "__main__":
    main()
