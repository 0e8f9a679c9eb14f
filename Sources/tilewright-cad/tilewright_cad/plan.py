"""Makes the page of a drawing, and describes it."""

from __future__ import annotations

import gc
import os
from typing import Any

import ezdxf
import numpy as np
from ezdxf.addons import acadctb
from ezdxf.addons.drawing.properties import RenderContext
from ezdxf.math import Matrix44, Vec2

from . import geodata, layouts
from .backend import PageBackend
from .conversation import DRAWING_DESCRIPTOR, PAGE_DESCRIPTOR, Progress, Refusal, Request
from .drawing import Plotter, configuration
from .fonts import Fonts
from .layers import Layers
from .layouts import Paper
from .named_styles import NamedStyles
from .pdf import POINTS_PER_MILLIMETRE, PDFPage
from .reading import read
from .references import References
from .text_codes import decode_texts
from .units import USUAL_SCALE, Unit, usual_scale

# The share of the reading time in which the file is read; its objects are made in the rest.
_SHARE_OF_FILE = 0.5

# Points around the ink, three pixels at 150 dpi: an outermost line at the very edge of a page, which is turned on the
# map, loses a quarter of its smooth edge.
_MARGIN = 1.44

# A drawing that is so many times as large as nearly all of its content has something far from the rest.
_FAR = 20.0
_FEWEST_SAMPLES = 20

# In points: a kilometre of paper. Longer pages are a mistake, and tilewright refuses them.
LONGEST_PAGE = 1000 * 1000 * POINTS_PER_MILLIMETRE


class Plan:
    """A drawing, what it refers to, and the layout that becomes a page."""

    def __init__(self, request: Request, progress: Progress) -> None:
        size = max(1, os.fstat(DRAWING_DESCRIPTOR).st_size)
        progress.begin("reading", lambda: _SHARE_OF_FILE * os.lseek(DRAWING_DESCRIPTOR, 0, os.SEEK_CUR) / size)
        self.request = request
        self.doc, self._is_damaged = read(DRAWING_DESCRIPTOR)
        self.warnings = ["it is damaged: only what could be read is drawn"] if self._is_damaged else []
        self.layout = layouts.find(self.doc, request.layout)
        self.references = References(request.folder)
        self.references.embed(self.doc)
        decode_texts(self.doc)
        self.layers = Layers(self.doc, request.layers)
        self.fonts = Fonts(request.folder)
        self.fonts.install()
        self._own_unit = Unit.of(self.doc)
        self.unit = self._own_unit if request.unit is None else Unit.of_metres(request.unit)
        self.paper = None if self._is_model else Paper.of(self.layout)
        self._styles = self.references.plot_styles(self.layout)
        self._begin_drawing(progress, (request.scale or USUAL_SCALE) if self._is_model else 1.0)

    def draw(self) -> dict[str, Any]:
        """Writes the page; returns its description."""
        # What drawing leaves behind is garbage, but the drawing itself is not.
        gc.freeze()
        gc.enable()
        left, bottom, width, height = self._draw()
        if self._is_model and self.request.scale is None:
            scale = usual_scale(_metres(max(width, height)) * self.scale)
            if scale != self.scale:
                self._begin_drawing(self._progress, scale)
                left, bottom, width, height = self._draw()
        self._backend.cut_endless_lines(left, bottom, width, height)
        self._page.end(left, bottom, width, height)
        return self._described(left, bottom, width, height)

    def _draw(self) -> tuple[float, float, float, float]:
        os.ftruncate(PAGE_DESCRIPTOR, 0)
        os.lseek(PAGE_DESCRIPTOR, 0, os.SEEK_SET)
        self._page.begin()
        self._plotter.draw_layout(self.layout, finalize=False)
        return self._box()

    @property
    def _is_model(self) -> bool:
        return self.layout.is_modelspace

    @property
    def _points_per_unit(self) -> float:
        if self._is_model:
            return self.unit.metres * 1000 / self.scale * POINTS_PER_MILLIMETRE
        return self.paper.points_per_unit if self.paper else POINTS_PER_MILLIMETRE

    def _make_plotter(self) -> Plotter:
        styles = self._styles
        named = isinstance(styles, acadctb.NamedPlotStyles)
        context = RenderContext(self.doc, ctb=acadctb.new_ctb() if named else styles, export_mode=True)
        context.document_dir = context.document_dir or os.curdir  # type: ignore[assignment]
        context.set_layer_properties_override(self.layers.override)
        units_per_millimetre = POINTS_PER_MILLIMETRE / self._points_per_unit
        config = configuration(units_per_millimetre, self.request.is_on_dark)
        plotter = Plotter(context, self._backend, config, self.layers, self.references)
        plotter.named_styles = NamedStyles(self.doc, styles) if named else None
        return plotter

    def _begin_drawing(self, progress: Progress, scale: float) -> None:
        self._progress, self.scale = progress, scale
        self._page = PDFPage(PAGE_DESCRIPTOR)
        self._backend = PageBackend(self._page, self._points_per_unit, None if self._is_model else Vec2(0, 0))
        self._plotter = self._make_plotter()
        views = len(self.layout.query("VIEWPORT")) if not self._is_model else 0
        total = max(1, len(self.layout) + views * len(self.doc.modelspace()))
        plotter = self._plotter
        progress.begin("drawing", lambda: plotter.entity_count / total)

    def _box(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of the page in the content's points."""
        points = self._points_per_unit
        if self.paper:
            paper = self.paper
            return paper.left * points, paper.bottom * points, paper.width * points, paper.height * points
        low, high = self._backend.low, self._backend.high
        if self._backend.is_empty or not low[0] <= high[0]:
            if self._is_damaged:
                raise Refusal("damaged", "it is damaged, and nothing is left of it that can be drawn")
            raise Refusal("no_layer", f"nothing is drawn: {self._why_empty()}")
        width, height = high[0] - low[0] + 2 * _MARGIN, high[1] - low[1] + 2 * _MARGIN
        if max(width, height) > LONGEST_PAGE:
            raise Refusal("no_layer", self._too_large(max(width, height)))
        return low[0] - _MARGIN, low[1] - _MARGIN, width, height

    def _too_large(self, longest: float) -> str:
        cause = self._far_content(longest)
        if cause:
            way = f", because of {cause[0]}: delete it, or freeze its layer in CAD, or"
        else:
            way = f" in {self.unit.name}: if the unit is wrong, set it in CAD ($INSUNITS), else"
        return f"at 1:{self.scale:g} its page would be {_metres(longest):.0f} m long{way} give a coarser --scale 1:N"

    def _why_empty(self) -> str:
        place = "the model space" if self._is_model else f"the layout '{self.layout.name}'"
        if len(self.layout) == 0:
            sheets = [name for name in layouts.names(self.doc)[1:] if layouts.has_content(self.doc.paperspace(name))]
            other = f"; try --layout '{sheets[0]}'" if sheets and self._is_model else ""
            return f"{place} is empty{other}"
        if not self._backend.is_empty:
            return f"{place} has only lines without an end"
        unseen = self._plotter.left_out + self._plotter.damaged
        if unseen:
            kinds = " and ".join(_counted(count, kind) for kind, count in sorted(unseen.items()))
            return f"{kinds} in {place} cannot be drawn"
        return f"everything in {place} is on hidden layers; choose others with --layers"

    # The description

    def _described(self, left: float, bottom: float, width: float, height: float) -> dict[str, Any]:
        origin = self._backend.origin or Vec2(0, 0)
        unit = 1 / self._points_per_unit
        # From points of the page, y down, to units of the layout.
        place = [unit, 0.0, left * unit + origin.x, 0.0, -unit, (bottom + height) * unit + origin.y]
        self._warn(width, height)
        return {
            "width": width,
            "height": height,
            "scale": self.scale,
            "layout": layouts.MODEL if self._is_model else self.layout.name,
            "layouts": layouts.names(self.doc),
            "unit": self.unit.name,
            "metres_per_unit": self.unit.metres,
            "is_unit_assumed": self.unit.is_assumed,
            "units_from_points": place if self._is_model else self._through_view(place),
            "geodata": geodata.described(self.doc, self.unit.metres, self.warnings),
            "layers": self.layers.described(),
            "missing_fonts": self.fonts.missing,
            "warnings": self.warnings,
            "bulk": self._bulk(left, bottom + height),
            "far_content": self._far_clause(max(width, height)) if self._is_model else None,
            "files": sorted(set(self.references.files + self.fonts.files)),
            "entities": self._plotter.entity_count,
        }

    def _through_view(self, place: list[float]) -> list[float] | None:
        """From points of a sheet to the model space, as its main viewport shows it."""
        view = layouts.main_view(self.layout)
        if view is None:
            return None
        try:
            view.inverse()
        except ZeroDivisionError:
            return None
        return _followed(place, view)

    def _warn(self, width: float, height: float) -> None:
        self._warn_of_unit(max(width, height))
        self.warnings += self.references.warnings
        if self.fonts.lacking:
            letters = " ".join(self.fonts.lacking[:10])
            self.warnings.append(f"no installed font has these letters of its texts: {letters}")
        for kind, count in sorted(self._plotter.left_out.items()):
            self.warnings.append(f"{_counted(count, kind)} cannot be drawn")
        for kind, count in sorted(self._plotter.damaged.items()):
            self.warnings.append(
                f"{_counted(count, kind)} {'is' if count == 1 else 'are'} damaged, and left out: run AUDIT in CAD"
            )

    def _warn_of_unit(self, longest: float) -> None:
        name = self.unit.name
        if self.request.unit is not None:
            own = self._own_unit
            why = "only then are they" if own.is_assumed else f"in {own.name}, its unit ($INSUNITS), they are not"
            self.warnings.append(f"its coordinates are read as {name}: {why} in the area of the reference system")
        elif self.unit.is_assumed:
            self.warnings.append(
                f"it does not say its unit ($INSUNITS): {name} are assumed; set it in CAD if that is wrong"
            )
        if self._is_model and self.request.scale is None and self.scale < USUAL_SCALE:
            metres = _metres(longest) * self.scale
            self.warnings.append(
                f"it is only {metres:.3g} m long in {name}, so its page is drawn at 1:{self.scale:g}; if the unit is "
                "wrong, set it in CAD ($INSUNITS)"
            )

    def _bulk(self, left: float, top: float) -> list[float] | None:
        """Left, top, right and bottom of nearly all content, in points of the page; None if there is little content."""
        if len(self._backend.samples) < _FEWEST_SAMPLES:
            return None
        low, high = self._bounds_of_bulk()
        return [low[0] - left, top - high[1], high[0] - left, top - low[1]]

    def _bounds_of_bulk(self) -> list[list[float]]:
        return np.percentile(np.array(self._backend.samples), [2, 98], axis=0).tolist()

    def _far_clause(self, longest: float) -> str | None:
        found = self._far_content(longest)
        if found is None:
            return None
        what, times = found
        return (
            f"{what} is far from nearly everything else, and makes the page {times:.0f} times as large: delete it, or "
            "freeze its layer in CAD"
        )

    def _far_content(self, longest: float) -> tuple[str, float] | None:
        """What makes the page so much larger than nearly all content, and how many times; None if nothing does."""
        if len(self._backend.samples) < _FEWEST_SAMPLES:
            return None
        low, high = self._bounds_of_bulk()
        bulk = max(high[0] - low[0], high[1] - low[1])
        if bulk <= 0 or longest < _FAR * bulk:
            return None
        ends = {
            "left": low[0] - self._backend.low[0],
            "bottom": low[1] - self._backend.low[1],
            "right": self._backend.high[0] - high[0],
            "top": self._backend.high[1] - high[1],
        }
        side = max(ends, key=lambda name: ends[name])
        return self._backend.outermost.get(side, "something"), longest / bulk


def _metres(points: float) -> float:
    """A length on paper."""
    return points / POINTS_PER_MILLIMETRE / 1000


def _followed(place: list[float], view: Matrix44) -> list[float]:
    """A transform of the plane, followed by the plane part of a matrix."""
    a, b, c, d, e, f = place
    origin, right, down = (
        Vec2(view.transform((c + a * x + b * y, f + d * x + e * y, 0))) for x, y in ((0, 0), (1, 0), (0, 1))
    )
    right, down = right - origin, down - origin
    return [right.x, down.x, origin.x, right.y, down.y, origin.y]


def _counted(count: int, kind: str) -> str:
    return f"1 object of type {kind}" if count == 1 else f"{count} objects of type {kind}"


def versions() -> str:
    """The libraries that decide what is drawn, with their versions."""
    import fontTools

    return f"ezdxf {ezdxf.__version__}, fontTools {fontTools.version}"
