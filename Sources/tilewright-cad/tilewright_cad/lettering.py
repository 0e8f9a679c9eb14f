"""Lines of text in a font that a drawing names: as wide as in that font, even if another one draws them."""

from __future__ import annotations

import itertools
import string
import unicodedata
from typing import Callable, Protocol, TypeVar

from ezdxf.fonts.font_measurements import FontMeasurements
from ezdxf.math import Matrix44, Vec2
from ezdxf.npshapes import NumpyPath2d

from .faces import DamagedFont, Face, box
from .font_choices import Choice

# The heights of lines under, over and through letters, in cap heights, by the combining letters for them.
_LINES = {"\u0332": -0.2, "\u0305": 1.2, "\u0336": 0.4}
_LINE_THICKNESS = 0.07

_Result = TypeVar("_Result")


class FaceSource(Protocol):
    """Finds faces for the text of one font."""

    def first(self) -> tuple[Face, Choice]:
        """The face to draw with, and how it replaces the font."""

    def note(self, choice: Choice) -> None:
        """Text is drawn with the choice."""

    def outlines(self) -> Face:
        """A face of areas, for texts with letters that a face of lines lacks."""

    def fallback(self, letter: str) -> Face | None:
        """Another face with a letter; None if there is none."""

    def exclude(self, path: str) -> None:
        """Does without a damaged file from now on."""


class Lettering:
    """Draws and measures text of one font."""

    def __init__(self, source: FaceSource) -> None:
        self._source = source
        self._face: Face | None = None
        self._choice = Choice("")
        self._is_drawn = False
        self._mean_stretch = 1.0
        self._widths: dict[str, float] = {}
        self._faces: dict[str, Face] = {}

    def measurements(self) -> FontMeasurements:
        """Heights for capital letters of height 1."""
        return self._with_face(lambda face: self._choice.measurements or face.measurements)

    def width(self, text: str) -> float:
        """The width of a line of text, for capital letters of height 1."""
        return self._with_face(lambda face: sum(self._width(letter, face) for letter in _composed(text)))

    def paths(self, text: str, cap_height: float, width_factor: float) -> tuple[list[NumpyPath2d], bool]:
        """The paths of a line of text that begins at (0, 0), and whether they are lines instead of areas."""
        return self._with_face(lambda face: self._paths(_composed(text), cap_height, width_factor, face))

    def _with_face(self, function: Callable[[Face], _Result]) -> _Result:
        """What a function returns for the best face that is not damaged."""
        while True:
            try:
                return function(self._face or self._choose())
            except DamagedFont as damaged:
                self._source.exclude(damaged.path)
                self._face = None

    def _choose(self) -> Face:
        face, self._choice = self._source.first()
        self._widths, self._faces, self._is_drawn = {}, {}, False
        self._mean_stretch = _mean_stretch(face, self._choice)
        self._face = face
        return face

    def _width(self, letter: str, face: Face) -> float:
        """A letter's width in the font that the drawing names, as far as it is known."""
        width = self._widths.get(letter)
        if width is None:
            known = self._choice.width(letter)
            width = self._mean_stretch * self._face_with(letter, face).width(letter) if known is None else known
            self._widths[letter] = 0 if letter in _LINES else width
        return self._widths[letter]

    def _face_with(self, letter: str, face: Face) -> Face:
        """The face that has a letter: the given one if it has, or if no other one has."""
        found = self._faces.get(letter)
        if found is None:
            found = face if face.has(letter) else self._source.fallback(letter) or face
            self._faces[letter] = found
        return found

    def _faces_for(self, letters: str, face: Face) -> list[Face]:
        """The face of each letter: all of them of lines, or all of areas."""
        faces = [self._face_with(letter, face) for letter in letters]
        if not face.is_stroke or all(found.is_stroke for found in faces):
            return faces
        outlines = self._source.outlines()
        return [outlines if outlines.has(letter) else self._source.fallback(letter) or outlines for letter in letters]

    def _paths(
        self, text: str, cap_height: float, width_factor: float, face: Face
    ) -> tuple[list[NumpyPath2d], bool]:
        if not self._is_drawn:
            self._source.note(self._choice)
            self._is_drawn = True
        letters = without_lines(text)
        faces = self._faces_for(letters, face)
        own = sum(found.width(letter) for found, letter in zip(faces, letters))
        wanted = sum(self._width(letter, face) for letter in letters)
        stretch = width_factor * (wanted / own if own > 0 else 1)
        paths: list[NumpyPath2d] = []
        edges = [0.0]
        for found, run in itertools.groupby(zip(faces, letters), key=lambda pair: pair[0]):
            part = "".join(letter for _, letter in run)
            paths += _moved(found.paths(part, cap_height, stretch), edges[-1])
            for letter in part:
                edges.append(edges[-1] + found.width(letter) * stretch * cap_height)
        is_stroke = all(found.is_stroke for found in faces)
        return paths + _lines(text, edges, cap_height, is_stroke), is_stroke


def without_lines(text: str) -> str:
    """Text without the combining letters for lines."""
    return "".join(letter for letter in text if letter not in _LINES)


def _mean_stretch(face: Face, choice: Choice) -> float:
    """How much wider a font's letters are than those of a face that draws them, on average."""
    if choice.cap_height is not None:
        return face.cap_height / choice.cap_height
    known = sum(choice.width(letter) or 0 for letter in string.ascii_letters)
    own = sum(face.width(letter) for letter in string.ascii_letters)
    return known / own if known > 0 and own > 0 else 1


def _composed(text: str) -> str:
    """Text with letters and accents as one where there is such a letter, and without letters that format it."""
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFC", text) if unicodedata.category(letter) != "Cf")


def _moved(paths: list[NumpyPath2d], x: float) -> list[NumpyPath2d]:
    if x:
        for path in paths:
            path.transform_inplace(Matrix44.translate(x, 0, 0))
    return paths


def _lines(text: str, edges: list[float], cap_height: float, is_stroke: bool) -> list[NumpyPath2d]:
    """The lines under, over and through the letters that are followed by the combining letters for them."""
    paths = []
    for mark, height in _LINES.items():
        if mark not in text:
            continue
        for left, right in _spans(text, mark):
            bottom, top = height * cap_height, (height + _LINE_THICKNESS) * cap_height
            if is_stroke:
                paths.append(NumpyPath2d.from_vertices(Vec2.list([(edges[left], bottom), (edges[right], bottom)])))
            else:
                paths.append(box(edges[left], bottom, edges[right], top))
    return paths


def _spans(text: str, mark: str) -> list[tuple[int, int]]:
    """The runs of letters with a mark, as indices of the first one and behind the last one."""
    is_marked: list[bool] = []
    for letter in text:
        if letter not in _LINES:
            is_marked.append(False)
        elif letter == mark and is_marked:
            is_marked[-1] = True
    spans, index = [], 0
    for marked, run in itertools.groupby(is_marked):
        length = len(list(run))
        if marked:
            spans.append((index, index + length))
        index += length
    return spans
