"""Text of several lines: where its lines go, and what their codes do."""

from __future__ import annotations

import copy
from typing import Iterator

from ezdxf.addons.drawing.mtext_complex import ComplexMTextRenderer, TextRenderer
from ezdxf.addons.drawing.pipeline import AbstractPipeline
from ezdxf.addons.drawing.properties import Properties, RenderContext
from ezdxf.addons.drawing.text import simplified_text_chunks
from ezdxf.addons.drawing.unified_text_renderer import UnifiedTextRenderer
from ezdxf.entities import MText
from ezdxf.fonts.font_face import FontFace
from ezdxf.math import Matrix44
from ezdxf.tools import text_layout
from ezdxf.tools.text import MTextContext, estimate_mtext_extents
from ezdxf.tools.text_layout import ContentCell, Layout, LayoutAlignment, Paragraph

from .fonts import is_shapes
from .lettering import without_lines
from .text_placement import Part, ink_box, sane_oblique

# A line may be so many times as long as ezdxf estimates.
_LONGEST = 10

# The factors of the space between letters that CAD allows.
_LEAST_TRACKING, _MOST_TRACKING = 0.75, 4.0


def plain_lines(mtext: MText, engine: UnifiedTextRenderer, face: FontFace) -> Iterator[Part]:
    """The lines of a text without codes.

    CAD's box of a text reaches from the capital letters of its first line to the ink of its last one, and in shape
    fonts ends at the ink of the last letters. The middle of ezdxf's box is that of small letters, and its bottom is
    that of letters such as p.
    """
    lines = list(simplified_text_chunks(mtext, engine, font_face=face))
    row, column = divmod(mtext.dxf.attachment_point - 1, 3)
    raised = 0.0
    if lines and row:
        last, _, height = lines[-1]
        heights = engine.get_font_measurements(face, height)
        depth = _depth(last, engine, face, height)
        bottom = depth - heights.descender_height
        raised = bottom if row == 2 else (depth + heights.x_height - heights.cap_height) / 2
    for line, matrix, height in lines:
        gap = _gap(line, engine, face, height) * column / 2 if column else 0
        yield line, Matrix44.translate(gap, raised, 0) @ matrix, height


def draw_formatted(ctx: RenderContext, pipeline: AbstractPipeline, mtext: MText, properties: Properties) -> None:
    """Draws a text with codes."""
    layout = _Renderer(ctx, pipeline, properties).layout_engine(mtext)
    layout.place(align=LayoutAlignment(mtext.dxf.attachment_point))
    raised = _layout_depth(layout) * ((mtext.dxf.attachment_point - 1) // 3) / 2
    layout.render(Matrix44.translate(0, raised, 0) @ mtext.ucs().matrix)


class _Renderer(ComplexMTextRenderer):
    """Draws lines, also with codes that space their letters."""

    def layout_engine(self, mtext: MText) -> Layout:
        """The lines. Those of a text without a width end where they are told to, even if codes make them longer."""
        if mtext.has_columns or mtext.dxf.get("width", 0) > 1e-6:
            return super().layout_engine(mtext)
        estimated, _ = estimate_mtext_extents(mtext)
        mtext.dxf.width = max(_LONGEST * estimated, mtext.dxf.char_height)
        widths = [
            line.total_width + paragraph.content_width - paragraph.line_width(first=False)
            for column in super().layout_engine(mtext)
            for paragraph in column
            if isinstance(paragraph, Paragraph)
            for line in paragraph
        ]
        mtext.dxf.width = 1.001 * max(widths, default=estimated)
        return super().layout_engine(mtext)

    def word(self, text: str, ctx: MTextContext) -> ContentCell:
        tracking = _tracking(ctx)
        ctx = copy.copy(ctx)
        ctx.oblique = sane_oblique(ctx.oblique)
        cell = super().word(text, ctx)
        if tracking != 1:
            font = self.get_font(ctx)
            steps = [font.text_width(letter) * tracking for letter in text]
            cell._width = sum(steps)
            cell.renderer = _SpacedLetters(cell.renderer, steps)
        return cell

    def space_width(self, ctx: MTextContext) -> float:
        return super().space_width(ctx) * _tracking(ctx)


class _SpacedLetters(TextRenderer):
    """Draws the letters of a word with steps between them."""

    def __init__(self, word: TextRenderer, steps: list[float]) -> None:
        super().__init__(word.text, word.cap_height, word.width_factor, word.oblique, word.properties, word.backend)
        self._steps = steps

    def render(self, left: float, bottom: float, right: float, top: float, m: Matrix44 | None = None) -> None:
        word = self.text
        for self.text, step in zip(word, self._steps):
            super().render(left, bottom, left + step, top, m)
            left += step
        self.text = word


class _CenterLine(text_layout.CenterLine):
    """A line whose ink is in the middle."""

    def start_offset(self) -> float:
        return super().start_offset() + _last_gap(self) / 2


class _RightLine(text_layout.RightLine):
    """A line whose ink ends at the right."""

    def start_offset(self) -> float:
        return super().start_offset() + _last_gap(self)


def use_ink() -> None:
    """Makes ezdxf align lines as CAD does."""
    text_layout.CenterLine = _CenterLine  # type: ignore[misc]
    text_layout.RightLine = _RightLine  # type: ignore[misc]


def _tracking(ctx: MTextContext) -> float:
    """The factor of the space between letters."""
    return min(max(ctx.char_tracking_factor, _LEAST_TRACKING), _MOST_TRACKING)


def _gap(line: str, engine: UnifiedTextRenderer, face: FontFace, height: float) -> float:
    """The space behind the last letter of a shape font."""
    ink = ink_box(without_lines(line), engine, face, height) if is_shapes(face) else None
    return engine.get_text_line_width(line.rstrip(), face, height) - ink.extmax.x if ink and ink.has_data else 0


def _depth(line: str, engine: UnifiedTextRenderer, face: FontFace, height: float) -> float:
    """How far the letters of a line reach below it."""
    ink = ink_box(without_lines(line), engine, face, height)
    return max(-ink.extmin.y, 0) if ink.has_data else 0


def _words(line: text_layout.AbstractLine) -> list[TextRenderer]:
    """What draws the words of a line, but fractions."""
    renderers = (cell.renderer for cell in line.flatten() if isinstance(cell, text_layout.Text))
    return [renderer for renderer in renderers if isinstance(renderer, TextRenderer)]


def _last_gap(line: text_layout.AbstractLine) -> float:
    cells = list(line.flatten())
    if not cells or not isinstance(cells[-1], text_layout.Text):
        return 0
    word = cells[-1].renderer
    return _gap(word.text, word.backend.text_engine, word.properties.font, word.cap_height) * word.width_factor


def _layout_depth(layout: Layout) -> float:
    """How far the letters of the last line reach below it; 0 for more than one column."""
    paragraphs = [paragraph for column in layout for paragraph in column]
    if len(layout) != 1 or not paragraphs or not isinstance(paragraphs[-1], Paragraph):
        return 0
    words = [word for line in list(paragraphs[-1])[-1:] for word in _words(line)]
    depths = (_depth(word.text, word.backend.text_engine, word.properties.font, word.cap_height) for word in words)
    return max(depths, default=0)
