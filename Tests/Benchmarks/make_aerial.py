#!/usr/bin/env python3
"""Makes a photograph for benchmarks, 12000 x 6750 pixels: a grid of photographs, or noise without photographs.

usage: make_aerial.py OUT.jpg [PHOTOGRAPH...]

The noise is a sum of octaves, with a spectrum like that of a photograph. Needs numpy and Pillow.
"""

import itertools
import sys

import numpy
from PIL import Image

WIDTH, HEIGHT, GRID = 12000, 6750, 3


def noise(width, height):
    generator = numpy.random.default_rng(1)
    total = numpy.zeros((height, width, 3), numpy.float32)
    for octave in range(9):
        step = 2**octave
        size = (height // step + 2, width // step + 2, 3)
        values = (generator.random(size) * 255).astype(numpy.uint8)
        layer = Image.fromarray(values).resize((width, height), Image.Resampling.BICUBIC)
        total += (numpy.asarray(layer, numpy.float32) - 128) * step**0.9
    total *= 40 / total.std()
    return Image.fromarray(numpy.clip(total + 110, 0, 255).astype(numpy.uint8))


def main():
    path, names = sys.argv[1], sys.argv[2:]
    width, height = WIDTH // GRID, HEIGHT // GRID
    parts = [Image.open(name).convert("RGB").resize((width, height)) for name in names]
    parts = itertools.cycle(parts or [noise(width, height)])
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for row, column in itertools.product(range(GRID), repeat=2):
        image.paste(next(parts), (column * width, row * height))
    image.save(path, quality=92)


main()
