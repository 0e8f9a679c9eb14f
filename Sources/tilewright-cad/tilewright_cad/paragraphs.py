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
from ezdxf.math import BoundingBox2d, Matrix44
from ezdxf.tools import text_layout
from ezdxf.tools.text import MTextContext, estimate_mtext_extents
from ezdxf.tools.text_layout import ContentCell, Layout, LayoutAlignment, Paragraph
from ezdxf.tools.text_layout import Text as Word

from .fonts import is_shapes
from .lettering import without_lines
from .text_placement import Part, ink_box, sane_oblique

# A line may be so many times as long as ezdxf estimates, and so many times its capital letters. ezdxf makes tab stops
# as far as a line may reach.
_LONGEST, _WIDEST = 10, 10_000

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
    has_gap = column > 0 and is_shapes(face)
    inks = [
        ink_box(without_lines(line), engine, face, height) if has_gap or (row and index == len(lines) - 1) else None
        for index, (line, _, height) in enumerate(lines)
    ]
    raised = 0.0
    if lines and row:
        heights = engine.get_font_measurements(face, lines[-1][2])
        depth = _depth(inks[-1])
        bottom = depth - heights.descender_height
        raised = bottom if row == 2 else (depth + heights.x_height - heights.cap_height) / 2
    for (line, matrix, height), ink in zip(lines, inks):
        gap = _gap(ink, engine.get_text_line_width(line.rstrip(), face, height)) * column / 2 if has_gap else 0
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
        widest = _WIDEST * mtext.dxf.char_height
        mtext.dxf.width = min(mtext.dxf.get("width", 0), widest)
        if mtext.has_columns or mtext.dxf.width > 1e-6 or " " not in mtext.text:
            return super().layout_engine(mtext)
        mtext.dxf.width = min(_LONGEST * estimate_mtext_extents(mtext)[0], widest)
        widths = [
            line.total_width + paragraph.content_width - paragraph.line_width(first=False)
            for paragraph in _paragraphs(super().layout_engine(mtext))
            for line in paragraph
        ]
        mtext.dxf.width = min(1.001 * max(widths, default=widest), widest)
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


def _gap(ink: BoundingBox2d, width: float) -> float:
    """The space between the ink of a line and its end."""
    return width - ink.extmax.x if ink.has_data else 0


def _depth(ink: BoundingBox2d) -> float:
    """How far the ink of a line reaches below it."""
    return max(-ink.extmin.y, 0) if ink.has_data else 0


def _ink_of(word: TextRenderer) -> BoundingBox2d:
    return ink_box(word.text, word.backend.text_engine, word.properties.font, word.cap_height)


def _words(line: text_layout.AbstractLine) -> list[TextRenderer]:
    """What draws the words of a line, but fractions."""
    renderers = (cell.renderer for cell in line.flatten() if isinstance(cell, Word))
    return [renderer for renderer in renderers if isinstance(renderer, TextRenderer)]


def _last_gap(line: text_layout.AbstractLine) -> float:
    """The space behind the last letter, if it is of a shape font."""
    words = _words(line)
    if not words or not is_shapes(words[-1].properties.font) or not isinstance(list(line.flatten())[-1], Word):
        return 0
    word = words[-1]
    width = word.backend.text_engine.get_text_line_width(word.text, word.properties.font, word.cap_height)
    return _gap(_ink_of(word), width) * word.width_factor


def _layout_depth(layout: Layout) -> float:
    """How far the letters of the last line reach below it; 0 for more than one column."""
    content = list(layout)[-1] if len(layout) == 1 else []
    last = list(content)[-1:]
    if not last or not isinstance(last[0], Paragraph):
        return 0
    words = [word for line in list(last[0])[-1:] for word in _words(line)]
    return max((_depth(_ink_of(word)) for word in words), default=0)


def _paragraphs(layout: Layout) -> Iterator[Paragraph]:
    """The paragraphs that are not empty."""
    return (paragraph for column in layout for paragraph in column if isinstance(paragraph, Paragraph))
