"""Draws a layout with ezdxf: what CAD would plot, for a light or a dark background."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, Callable, Iterable, Sequence

import ezdxf.addons.drawing.frontend as ezdxf_frontend
from ezdxf.addons.drawing.config import BackgroundPolicy, Configuration, LineweightPolicy
from ezdxf.addons.drawing.frontend import UniversalFrontend
from ezdxf.addons.drawing.gfxproxy import DXFGraphicProxy
from ezdxf.addons.drawing.pipeline import LinetypeStage2d, RenderPipeline2d
from ezdxf.addons.drawing.properties import Filling, Properties, RenderContext
from ezdxf.entities import Dimension, DXFEntity, DXFGraphic, Insert, MText, Text, Viewport
from ezdxf.entities.pattern import PatternLine
from ezdxf.entities.polygon import DXFPolygon
from ezdxf.math import Vec2
from ezdxf.npshapes import NumpyPath2d
from ezdxf.path import Path
from PIL.Image import DecompressionBombError

from . import paragraphs
from .backend import PageBackend
from .layers import Layers
from .layouts import views
from .named_styles import NamedStyles
from .references import References
from .text_placement import parts

# Blocks within blocks: deeper ones are a loop or a bomb.
_DEEPEST = 64

# A line with more dashes than this is drawn without gaps, and so are all lines after so many dashes.
_MOST_DASHES, _MOST_DASHES_OF_ALL = 100_000, 2_000_000

# For the random bit by which a hatch is moved: the same for each, so that a drawing always has the same tiles.
_SEED = 1

# Millimetres on paper: curves are this exact, dashes at least this long, and lines of a hatch this far apart; closer
# ones are an area.
_FLATNESS, _SHORTEST_DASH, _CLOSEST_HATCH_LINES = 0.01, 0.1, 0.05

# Millimetres on paper of a line without an end: 10 km at 1:100.
_ENDLESS = 1e5

# Types that have nothing to draw, or whose parts are drawn elsewhere.
_WITHOUT_PICTURE = {"VIEWPORT", "SUN", "LIGHT", "SECTIONOBJECT", "CAMERA", "GEOPOSITIONMARKER", "SEQEND", "ATTDEF"}

# Types that are areas: white ones stay white on light paper, as masks.
_AREAS = {"HATCH", "MPOLYGON", "SOLID", "TRACE", "WIPEOUT", "IMAGE"}


def configuration(units_per_millimetre: float, is_on_dark: bool) -> Configuration:
    """How ezdxf draws, by the number of drawing units that a millimetre of the page shows."""
    return Configuration(
        background_policy=BackgroundPolicy.BLACK if is_on_dark else BackgroundPolicy.WHITE,
        lineweight_policy=LineweightPolicy.ABSOLUTE,
        max_flattening_distance=_FLATNESS * units_per_millimetre,
        min_dash_length=_SHORTEST_DASH * units_per_millimetre,
        min_hatch_line_distance=_CLOSEST_HATCH_LINES * units_per_millimetre,
        infinite_line_length=_ENDLESS * units_per_millimetre,
        hatching_timeout=20.0,
    )


class Plotter(UniversalFrontend):
    """Draws entities, and notes those that it cannot draw."""

    def __init__(
        self, ctx: RenderContext, backend: PageBackend, config: Configuration, layers: Layers, references: References
    ) -> None:
        super().__init__(ctx, _Pipeline(backend), config)
        self.entity_count = 0
        """The entities of the layout that were drawn."""
        self.left_out: Counter[str] = Counter()
        """How many entities of a type cannot be drawn."""
        self.damaged: Counter[str] = Counter()
        """How many entities of a type are damaged."""
        self.named_styles: NamedStyles | None = None
        """The plot styles of layers and entities, if the drawing is plotted by these."""
        self._backend = backend
        self._layers = layers
        self._references = references
        self._blocks: list[str] = []
        self._swapped = ("#000000", "#ffffff") if config.background_policy == BackgroundPolicy.BLACK else (
            "#ffffff", "#000000")
        paragraphs.use_ink()
        # A helix is a spline with further attributes.
        self._dispatch["HELIX"] = self.draw_curve_entity
        # ezdxf would also open files elsewhere.
        ezdxf_frontend._find_image_path = _picture_finder(references)  # type: ignore[assignment]

    # Entities

    def draw_entities(
        self, entities: Iterable[DXFGraphic], *, filter_func: Callable[[DXFGraphic], bool] | None = None
    ) -> None:
        """Draws what is visible; an entity that is damaged is left out."""
        self._draw_all(entities, self.ctx)

    def draw_entities_callback(self, ctx: RenderContext, entities: Iterable[DXFGraphic]) -> None:
        """Draws what a viewport shows."""
        outer, self.ctx = self.ctx, ctx
        try:
            self._draw_all(entities, ctx)
        finally:
            self.ctx = outer

    def _draw_all(self, entities: Iterable[DXFGraphic], ctx: RenderContext) -> None:
        viewports: list[Viewport] = []
        for entity in entities:
            if isinstance(entity, Viewport):
                viewports.append(entity)
                continue
            if not self._blocks:
                self.entity_count += 1
            self._draw_safely(entity, ctx)
        for view in views(viewports):
            self._draw_safely(view, ctx)

    def _draw_safely(self, entity: DXFGraphic, ctx: RenderContext) -> None:
        stacks = self._stacks(ctx)
        depths = [len(stack) for stack in stacks]
        reference = ctx.current_block_reference_properties
        try:
            self._draw(entity, ctx)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - a damaged entity raises whatever the library did not expect
            self.damaged[entity.dxftype()] += 1
            for stack, depth in zip(stacks, depths):
                del stack[depth:]
            ctx.current_block_reference_properties = reference

    def _stacks(self, ctx: RenderContext) -> tuple[list[Any], ...]:
        """What grows while parts of an entity are drawn: entities, properties, clips and blocks."""
        clips = self.pipeline.clipping_portal._stages  # type: ignore[attr-defined]
        return self._backend.entity_stack, ctx._saved_states, clips, self._blocks

    def _draw(self, entity: DXFGraphic, ctx: RenderContext) -> None:
        if isinstance(entity, Viewport):
            self.draw_viewport(entity)
            return
        if not isinstance(entity, DXFGraphic):
            entity = DXFGraphicProxy(entity)
        properties = ctx.resolve_all(entity)
        if isinstance(entity, Insert) and self._layers.is_frozen(properties.layer):
            return
        # What a block holds has its own styles.
        if self.named_styles and not isinstance(entity, Insert):
            self.named_styles.apply(entity, properties)
        self.exec_property_override(entity, properties)
        if properties.is_visible:
            # Lines without an end do not make the page larger.
            self._backend.is_measured = entity.dxftype() not in ("XLINE", "RAY")
            self._backend.is_drawn = self._layers.is_drawn(properties.layer)
            self.draw_entity(entity, properties)
            self._backend.is_measured = True

    def draw_composite_entity(self, entity: DXFGraphic, properties: Properties) -> None:
        """Draws the parts of a block, unless it is within itself."""
        name = str(entity.dxf.name).lower() if isinstance(entity, Insert) else ""
        if len(self._blocks) >= _DEEPEST or (name and name in self._blocks):
            self.damaged[entity.dxftype()] += 1
            return
        if isinstance(entity, Dimension) and _has_no_picture(entity):
            self.skip_entity(entity, "unsupported")
        self._blocks.append(name)
        super().draw_composite_entity(entity, properties)
        self._blocks.pop()

    def override_properties(self, entity: DXFGraphic, properties: Properties) -> None:
        """Makes lines and texts readable that have the colour of the background; gives gradients their mean colour."""
        filling = properties.filling
        if filling is not None and filling.type == Filling.GRADIENT:
            properties.color = _mean(filling.gradient_color1, filling.gradient_color2) + properties.color[7:]
        if properties.color[:7].lower() == self._swapped[0] and entity.dxftype() not in _AREAS:
            properties.color = self._swapped[1] + properties.color[7:]

    def skip_entity(self, entity: DXFEntity, msg: str) -> None:
        """Counts what cannot be drawn."""
        if msg != "invisible" and entity.dxftype() not in _WITHOUT_PICTURE:
            self.left_out[entity.dxftype()] += 1

    def draw_text_entity_2d(self, entity: DXFGraphic, properties: Properties) -> None:
        """Draws a text of one line."""
        if isinstance(entity, Text):
            for part, matrix, cap_height in parts(entity, self.text_engine, self.get_font_face(properties)):
                self.pipeline.draw_text(part, matrix, properties, cap_height, entity.dxftype())

    def draw_simple_mtext(self, mtext: MText, properties: Properties) -> None:
        """Draws a text of several lines without codes."""
        for line, matrix, cap_height in paragraphs.plain_lines(
            mtext, self.text_engine, self.get_font_face(properties)
        ):
            self.pipeline.draw_text(line, matrix, properties, cap_height, mtext.dxftype())

    def draw_complex_mtext(self, mtext: MText, properties: Properties) -> None:
        """Draws a text of several lines with codes."""
        paragraphs.draw_formatted(self.ctx, self.pipeline, mtext, properties)

    def draw_ole2frame_entity(self, entity: DXFGraphic, properties: Properties) -> None:
        """An embedded document of another program has no picture that can be read."""
        self.skip_entity(entity, "unsupported")

    def draw_hatch_pattern(self, polygon: DXFPolygon, paths: list[Path], properties: Properties) -> None:
        """Draws a pattern from an origin near the area: from a far one, ezdxf's lines are metres off."""
        if polygon.pattern is not None and paths:
            for line in polygon.pattern.lines:
                line.base_point = _near(line, Vec2(paths[0].start))
        # ezdxf moves the origin by a random bit, so that lines do not run along edges.
        random.seed(_SEED)
        super().draw_hatch_pattern(polygon, paths, properties)

    def draw_image_entity(self, entity: DXFGraphic, properties: Properties) -> None:
        """Draws a picture; one that cannot be read is named."""
        try:
            super().draw_image_entity(entity, properties)
        except (OSError, ValueError, DecompressionBombError):
            name = entity.image_def.dxf.filename  # type: ignore[attr-defined]
            self._references.warn_once(
                f"the picture '{name}' is left out: it is damaged, of a type that is not read, or larger than "
                "178 million pixels"
            )

    def draw_viewport(self, vp: Viewport) -> None:
        """Draws the model space as a viewport shows it, unless it does so from the side."""
        if not vp.is_top_view:
            self.left_out["VIEWPORT that does not look from above"] += 1
            return
        self.pipeline.draw_viewport(vp, self.ctx, self._bbox_cache)


class _Pipeline(RenderPipeline2d):
    """The stages from entities to the page."""

    def build_render_pipeline(self):  # type: ignore[no-untyped-def]
        clipping = super().build_render_pipeline()
        stage = clipping.next_stage
        clipping.next_stage = _Dashes(self.config, stage.get_ltype_scale, stage.next_stage)
        return clipping


class _Dashes(LinetypeStage2d):
    """Draws dashed lines, but those with too many dashes without gaps."""

    _left = _MOST_DASHES_OF_ALL

    def draw_line(self, start: Vec2, end: Vec2, properties: Properties) -> None:
        self._limit(start.distance(end), properties)
        super().draw_line(start, end, properties)

    def draw_path(self, path: NumpyPath2d, properties: Properties) -> None:
        if len(properties.linetype_pattern) > 1:
            vertices = path.control_vertices()
            self._limit(sum(a.distance(b) for a, b in zip(vertices, vertices[1:])), properties)
        super().draw_path(path, properties)

    def _limit(self, length: float, properties: Properties) -> None:
        pattern: Sequence[float] = self.pattern(properties) if len(properties.linetype_pattern) > 1 else ()
        if not pattern:
            return
        dashes = length * len(pattern) / sum(pattern)
        if dashes > min(_MOST_DASHES, self._left):
            properties.linetype_pattern = ()
        else:
            self._left -= dashes


def _mean(*colors: str) -> str:
    return "#" + "".join(f"{sum(int(c[i:i + 2], 16) for c in colors) // len(colors):02x}" for i in (1, 3, 5))


def _has_no_picture(dimension: Dimension) -> bool:
    return not dimension.is_dimensional_constraint and next(dimension.virtual_entities(), None) is None


def _near(line: PatternLine, place: Vec2) -> Vec2:
    """The point near a place from which a line of a pattern, and its dashes, are repeated as from its base point."""
    along, away = Vec2.from_deg_angle(line.angle), place - line.base_point
    if abs(along.det(line.offset)) < 1e-12:
        return line.base_point
    moved = line.offset * round(along.det(away) / along.det(line.offset))
    period = sum(abs(length) for length in line.dash_length_items)
    rest = along.dot(away - moved)
    return line.base_point + moved + along * (round(rest / period) * period if period > 0 else rest)


def _picture_finder(references: References) -> Callable[[object, str], str]:
    def find(_: object, name: str) -> str:
        # There is no file without a name: ezdxf draws a frame with the picture's name.
        return references.picture(name) or ""

    return find
