"""The letters of one font file."""

from __future__ import annotations

import itertools
import math
import os
from typing import Callable, Container, Protocol, Sequence, TypeVar

from ezdxf.fonts import lff, shapefile
from ezdxf.fonts.font_measurements import FontMeasurements
from ezdxf.fonts.glyphs import Glyphs
from ezdxf.fonts.ttfonts import TTFontRenderer
from ezdxf.math import Vec2
from ezdxf.npshapes import NumpyPath2d
from fontTools.ttLib import TTFont

from .font_files import is_stroke_file

_Result = TypeVar("_Result")

# Larger files are not fonts.
_MOST_BYTES = 256 << 20

# Wider letters, in cap heights, are damaged.
_WIDEST = 1000

# Shape fonts of the old format have these signs at other numbers.
_OLD_SIGNS = str.maketrans({"°": "\x7f", "±": "\x80", "Ø": "\x81", "∅": "\x81", "⌀": "\x81"})


class DamagedFont(Exception):
    """A font file that cannot be read."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Face(Protocol):
    """Letters for capital letters of height 1, on a line at height 0."""

    is_stroke: bool
    """Whether letters are lines instead of areas."""
    cap_height: float
    """The height of capital letters in em."""
    measurements: FontMeasurements
    """Heights for capital letters of height 1."""

    def has(self, letter: str) -> bool:
        """Whether a letter can be drawn."""

    def width(self, letter: str) -> float:
        """The advance width of a letter."""

    def paths(self, text: str, cap_height: float, width_factor: float) -> list[NumpyPath2d]:
        """The letters of a text that begins at (0, 0)."""


class FileFace:
    """The letters of a font file; throws DamagedFont, also later if a letter turns out to be damaged."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_stroke = is_stroke_file(path)
        self.cap_height = 1.0
        self._glyphs: Glyphs
        self._codes: Container[int]
        self._widths: dict[str, float] = {}
        self._read(self._open)
        is_old = self.is_stroke and 0xB0 not in self._codes and 0x7F in self._codes
        self._signs = _OLD_SIGNS if is_old else {}

    def has(self, letter: str) -> bool:
        return letter.isspace() or ord(letter.translate(self._signs)) in self._codes

    def width(self, letter: str) -> float:
        width = self._widths.get(letter)
        if width is None:
            width = self._read(self._glyphs.get_text_length, letter.translate(self._signs), 1.0)
            if not 0 <= width < _WIDEST:
                raise DamagedFont(self.path)
            self._widths[letter] = width
        return width

    def paths(self, text: str, cap_height: float, width_factor: float) -> list[NumpyPath2d]:
        return self._read(self._glyphs.get_text_glyph_paths, text.translate(self._signs), cap_height, width_factor)

    def _read(self, function: Callable[..., _Result], *arguments: object) -> _Result:
        """A function's result; whatever it throws but for a lack of memory means that the file is damaged."""
        try:
            return function(*arguments)
        except MemoryError:
            raise
        except Exception as error:
            raise DamagedFont(self.path) from error

    def _open(self) -> None:
        if os.path.getsize(self.path) > _MOST_BYTES:
            raise ValueError("too large")
        if not self.is_stroke:
            font = TTFont(self.path, fontNumber=0, lazy=True)
            self._glyphs = outlines = TTFontRenderer(font)
            self._codes = outlines.cmap
            self.cap_height = outlines.font_measurements.cap_height / font["head"].unitsPerEm
        elif self.path.lower().endswith(".lff"):
            with open(self.path, encoding="utf-8", errors="replace") as file:
                self._glyphs = lines = lff.GlyphCache(lff.loads(file.read()))
            self._codes = lines.font._glyphs
        else:
            self._glyphs = shapes = shapefile.GlyphCache(_shapes(self.path))
            self._codes = shapes.font.shapes
        raw = self._glyphs.font_measurements
        factor = self._glyphs.get_scaling_factor(1.0)
        self.measurements = FontMeasurements(0.0, 1.0, raw.x_height * factor, raw.descender_height * factor)
        if raw.cap_height <= 0 or not all(map(math.isfinite, self.measurements)):
            raise ValueError("no capital letters")


def _shapes(path: str) -> shapefile.ShapeFile:
    """The shapes of a file; letters made of others name these with the high byte first, which ezdxf reads last."""
    file = shapefile.readfile(path)
    codes = file.get_codes

    def get_codes(number: int) -> Sequence[int]:
        swapped = (number & 0xFF) << 8 | number >> 8
        return codes(swapped if number not in file.shapes and swapped in file.shapes else number)

    file.get_codes = get_codes  # type: ignore[method-assign]
    return file


class Boxes:
    """A box for each word, for systems without fonts."""

    is_stroke = True
    cap_height = 0.7
    measurements = FontMeasurements(0.0, 1.0, 0.7, 0.3)

    def has(self, letter: str) -> bool:
        return True

    def width(self, letter: str) -> float:
        return 0.8

    def paths(self, text: str, cap_height: float, width_factor: float) -> list[NumpyPath2d]:
        step = self.width("") * cap_height * width_factor
        boxes = []
        for is_space, run in itertools.groupby(enumerate(text), key=lambda item: item[1].isspace()):
            places = [place for place, _ in run]
            if not is_space:
                boxes.append(box(places[0] * step, 0, (places[-1] + 0.9) * step, cap_height))
        return boxes


def box(left: float, bottom: float, right: float, top: float) -> NumpyPath2d:
    """A closed rectangle."""
    corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
    return NumpyPath2d.from_vertices(Vec2.list(corners), close=True)
