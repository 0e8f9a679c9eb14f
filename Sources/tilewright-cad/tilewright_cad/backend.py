"""Turns what ezdxf draws into operators of a PDF page, and measures it."""

from __future__ import annotations

import math
import zlib
from typing import Iterable, Sequence, Tuple

import numpy as np
from ezdxf.addons.drawing.backend import Backend, BkPath2d, BkPoints2d, ImageData
from ezdxf.addons.drawing.properties import BackendProperties
from ezdxf.addons.drawing.type_hints import Color
from ezdxf.math import Vec2
from ezdxf.npshapes import CMD_CURVE3_TO, CMD_CURVE4_TO, CMD_LINE_TO

from .pdf import POINTS_PER_MILLIMETRE, PDFPage, Picture, number

# CAD draws lines of weight 0 as thin as it can; ezdxf's SVG draws them with this width, too.
_THINNEST_MILLIMETRES = 0.05

# Coordinates beyond this, in points, are not numbers that a page can hold.
_FARTHEST = 1e9
# In units of a drawing: more digits than numbers have are needed for a place there.
_FARTHEST_ORIGIN = 1e15

_MOST_SAMPLES = 4096

_TEXTS = {"TEXT", "MTEXT", "ATTRIB", "ATTDEF"}

# The renderer draws thin areas, such as walls of a plan, at least a pixel thick. It knows letters by this miter limit,
# which fills nothing: they would become uneven.
_LETTERS = "12.5 M %s f* 10 M"

_Line = Tuple[float, float, float, float]
_LINE = "%.4f %.4f m %.4f %.4f l S"


class PageBackend(Backend):
    """Draws onto a page.

    Coordinates are those of the layout; `origin`, near the content, is subtracted before they are rounded, so that
    a building at 5 500 000 m is drawn as exactly as one at 0.
    """

    def __init__(self, page: PDFPage, points_per_unit: float, origin: Vec2 | None) -> None:
        super().__init__()
        self.points_per_unit = points_per_unit
        self.origin = origin
        """The coordinates of (0, 0) of the content; that of the first thing drawn, if it was None."""
        self.is_measured = True
        """Whether what is drawn counts for the extents."""
        self.is_drawn = True
        """Whether what is drawn is written; else it only counts for the extents."""
        self.is_empty = True
        """Whether nothing was written yet."""
        self.low = [math.inf, math.inf]
        """The least x and y of the ink, in points from the origin."""
        self.high = [-math.inf, -math.inf]
        """The greatest x and y of the ink."""
        self.outermost: dict[str, str] = {}
        """What is outermost on each side."""
        self.samples: list[list[float]] = []
        """Places of some of what was drawn, in points from the origin."""
        self._stride, self._sampled = 1, 0
        self._endless: list[_Line] = []
        self._page = page
        self._stroke: tuple[str, float] | None = None
        self._fill: str | None = None
        self._alpha = 255

    # Lines

    def draw_point(self, pos: Vec2, properties: BackendProperties) -> None:
        self.draw_line(pos, pos, properties)

    def draw_line(self, start: Vec2, end: Vec2, properties: BackendProperties) -> None:
        # Most of a drawing are single lines: without numpy, they take half the time.
        width = self._set_stroke(properties)
        origin, scale = self._origin_near(start), self.points_per_unit
        left, right = (start.x - origin.x) * scale, (end.x - origin.x) * scale
        bottom, top = (start.y - origin.y) * scale, (end.y - origin.y) * scale
        self._count([min(left, right), min(bottom, top)], [max(left, right), max(bottom, top)], width)
        line = (left, bottom, right, top)
        if self.is_measured:
            self._add(_LINE % line)
        elif self.is_drawn:
            # Renderers draw lines elsewhere that are much longer than the page: it is cut when the page is known.
            self._endless.append(line)
            self._add(f"/{self._page.form()} Do")

    def cut_endless_lines(self, left: float, bottom: float, width: float, height: float) -> None:
        """Draws lines without an end as far as the page: a rectangle in points from the origin."""
        for line in self._endless:
            part = _cut(line, (left, bottom), (left + width, bottom + height))
            self._page.forms.append("" if part is None else _LINE % part)

    def draw_solid_lines(self, lines: Iterable[tuple[Vec2, Vec2]], properties: BackendProperties) -> None:
        points = [(point.x, point.y) for line in lines for point in line]
        placed = self._placed(points, self._set_stroke(properties))
        if placed is None:
            return
        segments = (f"{a} {b} m {c} {d} l" for a, b, c, d in placed.reshape(-1, 4).round(4).tolist())
        self._add(" ".join(segments) + " S")

    def draw_path(self, path: BkPath2d, properties: BackendProperties) -> None:
        operators = self._outline(path, self._set_stroke(properties))
        if operators:
            self._add(operators + " S")

    # Areas

    def draw_filled_paths(self, paths: Iterable[BkPath2d], properties: BackendProperties) -> None:
        self._set_fill(properties)
        outlines = [self._outline(path, 0.0) for path in paths]
        operators = " h ".join(outline for outline in outlines if outline)
        if operators:
            self._add(_LETTERS % operators if self._is_text else operators + " f*")

    @property
    def _is_text(self) -> bool:
        return self.current_entity is not None and self.current_entity.dxftype() in _TEXTS

    def draw_filled_polygon(self, points: BkPoints2d, properties: BackendProperties) -> None:
        self._set_fill(properties)
        placed = self._placed(points.np_vertices()[:, :2], 0.0)
        if placed is not None and len(placed) > 2:
            self._add(_polyline(placed.round(4).tolist()) + " f*")

    # Pictures

    def draw_image(self, image_data: ImageData, properties: BackendProperties) -> None:
        height, width = image_data.image.shape[:2]
        corners = list(image_data.transform.transform_vertices([(0, 0), (width, 0), (0, height), (width, height)]))
        placed = self._placed([(corner.x, corner.y) for corner in corners], 0.0)
        if placed is None or not self.is_drawn:
            return
        origin, right, up = placed[0], placed[1] - placed[0], placed[2] - placed[0]
        name = self._page.picture(_picture(image_data.image))
        self._set_alpha(255)
        matrix = " ".join(number(value) for value in (*right, *up, *origin))
        self._add(f"q {matrix} cm /{name} Do Q")

    # The rest of what a backend has to have.

    def set_background(self, color: Color) -> None:
        pass

    def clear(self) -> None:
        pass

    # Parts

    def _add(self, operators: str) -> None:
        if self.is_drawn:
            self.is_empty = False
            self._page.add(operators)

    def _outline(self, path: BkPath2d, width: float) -> str:
        codes = path.command_codes()
        is_curved = CMD_CURVE4_TO in codes or CMD_CURVE3_TO in codes
        placed = self._placed(path.np_vertices()[:, :2], width, path if is_curved else None)
        return "" if placed is None or len(placed) < 2 else _operators(codes, placed)

    def _placed(
        self, points: Sequence[tuple[float, float]] | np.ndarray, width: float, curve: BkPath2d | None = None
    ) -> np.ndarray | None:
        """Points of the page, counted for the extents with half a line's width; None if there are none."""
        if len(points) == 0:
            return None
        placed = np.array(points, dtype=np.float64)
        placed -= self._origin_near(placed[0])
        placed *= self.points_per_unit
        self._count(placed.min(axis=0).tolist(), placed.max(axis=0).tolist(), width, curve)
        return placed

    def _origin_near(self, point: Vec2 | np.ndarray) -> Vec2:
        if self.origin is None:
            x, y = float(point[0]), float(point[1])
            # Nothing could be near it.
            if not abs(x) + abs(y) < _FARTHEST_ORIGIN:
                raise ValueError("a coordinate is out of range")
            self.origin = Vec2(x, y)
        return self.origin

    def _count(self, low: list[float], high: list[float], width: float, curve: BkPath2d | None = None) -> None:
        """Counts a box for the extents, or the curve in it if that may be the outermost ink."""
        if not all(-_FARTHEST < value < _FARTHEST for value in low + high):
            raise ValueError("a coordinate is out of range")
        if not self.is_measured:
            return
        self._sample(low)
        if self._is_outermost(low, high, width / 2):
            if curve is not None:
                flat = np.array([(point.x, point.y) for point in curve.flattening(0.01 / self.points_per_unit)])
                flat = (flat - self.origin) * self.points_per_unit
                low, high = flat.min(axis=0).tolist(), flat.max(axis=0).tolist()
            self._measure(low, high, width / 2)

    def _sample(self, place: list[float]) -> None:
        """Keeps some places, evenly among all: at most `_MOST_SAMPLES`."""
        self._sampled += 1
        if self._sampled % self._stride == 0:
            self.samples.append(place)
            if len(self.samples) > _MOST_SAMPLES:
                self.samples = self.samples[::2]
                self._stride *= 2

    def _is_outermost(self, low: list[float], high: list[float], margin: float) -> bool:
        return any(
            low[axis] - margin < self.low[axis] or high[axis] + margin > self.high[axis] for axis in (0, 1)
        )

    def _measure(self, low: list[float], high: list[float], margin: float) -> None:
        for axis in (0, 1):
            if low[axis] - margin < self.low[axis]:
                self.low[axis] = low[axis] - margin
                self._note("left" if axis == 0 else "bottom")
            if high[axis] + margin > self.high[axis]:
                self.high[axis] = high[axis] + margin
                self._note("right" if axis == 0 else "top")

    def _note(self, side: str) -> None:
        if self.entity_stack:
            entity, properties = self.entity_stack[0]
            self.outermost[side] = f"{entity.dxftype()} on layer '{properties.layer}'"

    def _set_stroke(self, properties: BackendProperties) -> float:
        """Sets the colour and the width of lines; returns the width in points."""
        width = max(properties.lineweight, _THINNEST_MILLIMETRES) * POINTS_PER_MILLIMETRE
        color = properties.color[:7]
        if self.is_drawn and self._stroke != (color, width):
            self._stroke = (color, width)
            self._page.add(f"{_rgb(color)} RG {number(width)} w")
        self._set_alpha(_alpha(properties.color))
        return width

    def _set_fill(self, properties: BackendProperties) -> None:
        color = properties.color[:7]
        if self.is_drawn and self._fill != color:
            self._fill = color
            self._page.add(f"{_rgb(color)} rg")
        self._set_alpha(_alpha(properties.color))

    def _set_alpha(self, alpha: int) -> None:
        if self.is_drawn and self._alpha != alpha:
            self._alpha = alpha
            self._page.add(f"/{self._page.opacity(alpha)} gs")


def _cut(line: _Line, low: tuple[float, float], high: tuple[float, float]) -> _Line | None:
    """The part of a line in a rectangle, by Liang and Barsky; None if there is none."""
    x, y, x1, y1 = line
    steps = (x1 - x, y1 - y)
    first, last = 0.0, 1.0
    for axis, start in enumerate((x, y)):
        if steps[axis] == 0:
            if not low[axis] <= start <= high[axis]:
                return None
            continue
        ends = sorted(((low[axis] - start) / steps[axis], (high[axis] - start) / steps[axis]))
        first, last = max(first, ends[0]), min(last, ends[1])
    if first >= last:
        return None
    return x + first * steps[0], y + first * steps[1], x + last * steps[0], y + last * steps[1]


def _polyline(points: list[list[float]]) -> str:
    first, *rest = points
    return f"{first[0]} {first[1]} m " + " ".join(f"{x} {y} l" for x, y in rest)


def _operators(codes: list[int], points: np.ndarray) -> str:
    """The operators of a path. Quadratic curves become cubic ones."""
    places = points.tolist()
    parts = ["%.4f %.4f m" % tuple(places[0])]
    index = 1
    for code in codes:
        if code == CMD_CURVE3_TO:
            (a, b), (c, d), (e, f) = places[index - 1 : index + 2]
            # Each control point is two thirds of the way from an end to the control point of the quadratic curve.
            parts.append(_CURVE % ((a + 2 * c) / 3, (b + 2 * d) / 3, (e + 2 * c) / 3, (f + 2 * d) / 3, e, f))
            index += 2
        elif code == CMD_CURVE4_TO:
            (a, b), (c, d), (e, f) = places[index : index + 3]
            parts.append(_CURVE % (a, b, c, d, e, f))
            index += 3
        else:
            x, y = places[index]
            parts.append("%.4f %.4f l" % (x, y) if code == CMD_LINE_TO else "%.4f %.4f m" % (x, y))
            index += 1
    return " ".join(parts)


_CURVE = "%.4f %.4f %.4f %.4f %.4f %.4f c"


def _rgb(color: str) -> str:
    return " ".join(number(int(color[index : index + 2], 16) / 255) for index in (1, 3, 5))


def _alpha(color: str) -> int:
    return int(color[7:9], 16) if len(color) == 9 else 255


def _picture(image: np.ndarray) -> Picture:
    """A picture of red, green, blue and alpha."""
    alpha = image[:, :, 3]
    return Picture(
        width=image.shape[1],
        height=image.shape[0],
        colors=zlib.compress(np.ascontiguousarray(image[:, :, :3]).tobytes(), 1),
        alpha=None if alpha.min() == 255 else zlib.compress(np.ascontiguousarray(alpha).tobytes(), 1),
    )
