"""Where the letters of texts of one line go: slanted, or one below the other."""

from __future__ import annotations

import math
from typing import Iterator, Tuple

from ezdxf.addons.drawing.text import simplified_text_chunks
from ezdxf.addons.drawing.unified_text_renderer import UnifiedTextRenderer
from ezdxf.entities import Text
from ezdxf.enums import TextEntityAlignment
from ezdxf.fonts.font_face import FontFace
from ezdxf.math import BoundingBox2d, Matrix44, Vec3

from .fonts import is_shapes
from .lettering import without_lines

# A greater angle, in degrees, is a mistake.
_MOST_OBLIQUE = 85.0

# Between letters one below the other, in cap heights: as in Autodesk's simplex.shx and complex.shx, 10/21.
_GAP = 10 / 21

# The part of letters one below the other that is above their place, by group 72: centre, right and middle.
_RAISED = {1: 0.5, 2: 1.0, 4: 0.5}

# Generation flags.
_BACKWARD, _UPSIDE_DOWN = 2, 4

Part = Tuple[str, Matrix44, float]
"""Text, the way from a baseline that begins at (0, 0) to its place, and the height of capital letters."""


def parts(text: Text, engine: UnifiedTextRenderer, face: FontFace) -> Iterator[Part]:
    """The parts of a text of one line: all of it, or its letters if they are one below the other."""
    if not text.dxf.hasattr("align_point"):
        text.dxf.align_point = text.dxf.insert
    if is_shapes(face) and _is_vertical(text):
        yield from _letters_below(text, engine, face)
        return
    # Where a text ends matters only to those that do not begin at their place.
    widths = _InkWidths(engine) if text.dxf.halign and is_shapes(face) else engine
    for line, matrix, height in simplified_text_chunks(text, widths, font_face=face):
        yield line, _slant(text.dxf.oblique, matrix) @ matrix, height


class _InkWidths(UnifiedTextRenderer):
    """Measures lines as CAD does: those of shape fonts end with the ink of their last letter."""

    def __init__(self, engine: UnifiedTextRenderer) -> None:
        self._font_cache = engine._font_cache

    def get_text_line_width(self, text: str, font_face: FontFace, cap_height: float = 1.0) -> float:
        ink = ink_box(without_lines(text), self, font_face, cap_height)
        return ink.extmax.x if ink.has_data else super().get_text_line_width(text, font_face, cap_height)


def ink_box(text: str, engine: UnifiedTextRenderer, face: FontFace, height: float) -> BoundingBox2d:
    """The box of a line of text, without the spaces at its ends."""
    paths = engine.get_text_glyph_paths(text, face, height)
    if engine.is_stroke_font(face):
        # The last point of a letter of lines is where the next one begins.
        paths = [part for path in paths for part in path.sub_paths()]
    points = [path.np_vertices()[:, :2] for path in paths if len(path)]
    corners = [corner for part in points for corner in (part.min(axis=0), part.max(axis=0))]
    return BoundingBox2d(corners)


def _is_vertical(text: Text) -> bool:
    styles = text.doc.styles if text.doc else None
    name = text.dxf.style
    return styles is not None and name in styles and styles.get(name).is_vertical_stacked


def sane_oblique(angle: float) -> float:
    """An angle from the upright in degrees, from -85 to 85; 0 for a mistake."""
    angle = (angle + 90) % 180 - 90 if math.isfinite(angle) else 0
    return angle if abs(angle) <= _MOST_OBLIQUE else 0


def _slant(angle: float, matrix: Matrix44) -> Matrix44:
    """Slants letters by an angle that they have behind a matrix, which may make them wider."""
    width, height = matrix.ux.magnitude, matrix.uy.magnitude
    slant = math.tan(math.radians(sane_oblique(angle))) * height / width if width > 0 else 0
    return Matrix44([1, 0, 0, 0, slant, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])


def _letters_below(text: Text, engine: UnifiedTextRenderer, face: FontFace) -> Iterator[Part]:
    """Letters that hang from each other's ink, with the centres of their ink below the place of the text."""
    height = text.dxf.height
    hung: list[tuple[str, float, float]] = []
    length = 0.0
    for letter in without_lines(text.plain_text()):
        ink = ink_box(letter, engine, face, height)
        if ink.has_data:
            hung.append((letter, -ink.center.x, -length - ink.extmax.y))
        length += (ink.size.y if ink.has_data else height) + _GAP * height
    matrix = _below(text, length - _GAP * height)
    matrix = _slant(text.dxf.oblique, matrix) @ matrix
    for letter, x, y in hung:
        yield letter, Matrix44.translate(x, y, 0) @ matrix, height


def _below(text: Text, length: float) -> Matrix44:
    """The way from letters below (0, 0) to their place: the alignment of a line then is that along the letters."""
    dxf = text.dxf
    alignment, place, end = text.get_placement()
    angle, wide, high = dxf.rotation, dxf.width, 1.0
    if alignment == TextEntityAlignment.ALIGNED and length > 0 and not place.isclose(end):
        angle = (end - place).angle_deg + 90
        wide = high = place.distance(end) / length
    if dxf.text_generation_flag & _BACKWARD:
        wide = -wide
    if dxf.text_generation_flag & _UPSIDE_DOWN:
        high = -high
    mirrored = -1 if Vec3(dxf.extrusion).z < 0 else 1
    return (
        Matrix44.translate(0, length * _RAISED.get(dxf.halign, 0), 0)
        @ Matrix44.scale(wide, high, 1)
        @ Matrix44.z_rotate(math.radians(angle))
        @ Matrix44.translate(place.x, place.y, 0)
        @ Matrix44.scale(mirrored, 1, 1)
    )
