#!/usr/bin/env python3
"""Checks where tilewright-cad draws the letters of texts, by arithmetic.

usage: texts_check.py

Needs a Python with ezdxf and Pillow, and the font DejaVu Sans. Prints what was checked; exits with 1 if a check fails.
"""

from __future__ import annotations

import struct
import tempfile
from typing import Callable

import fonts_check
from fonts_check import fonts, near, shapes
import ezdxf
from ezdxf.addons.drawing import RenderContext
from ezdxf.addons.drawing.backend import BkPath2d
from ezdxf.enums import TextEntityAlignment
from ezdxf.math import Vec2
from tilewright_cad.backend import PageBackend
from tilewright_cad.drawing import Plotter, configuration
from tilewright_cad.layers import Layers
from tilewright_cad.references import References


class Strokes(PageBackend):
    """Keeps the ends of lines, from bottom to top, instead of writing them."""

    def __init__(self) -> None:
        super().__init__(None, 1, Vec2(0, 0))  # type: ignore[arg-type]
        self.is_drawn = False
        self.ends: list[tuple[float, ...]] = []

    def draw_path(self, path: BkPath2d, properties: object) -> None:
        self.ends.append(tuple(round(value, 2) + 0 for end in path.control_vertices()[:2] for value in end))


def strokes(text: str, alignment: str = "LEFT", style: int = 0, **attributes: object) -> list[tuple[float, ...]]:
    """The letters of a text of height 6 at (100, 0): upright strokes.

    A takes 4 units, B 12; q takes 4 units, and reaches from the line to 2 units below it.
    """
    below = struct.pack("<HH", ord("q"), 7) + bytes([0, 0x2C, 2, 8, 4, 2, 0])
    these = fonts({"plan.shx": shapes({" ": 3, "A": 4, "B": 12, "x": 4, "p": 4}) + below}, "dejavusans")
    these.install()
    document = ezdxf.new("R2010")
    document.styles.add("S", font="plan.shx", dxfattribs={"flags": style})
    attributes |= {"style": "S", "insert": (100, 0)}
    if "char_height" in attributes:
        document.modelspace().add_mtext(text, dxfattribs=attributes)
    else:
        entity = document.modelspace().add_text(text, height=6, dxfattribs=attributes)
        entity.set_placement((100, 0), (140, 0), TextEntityAlignment[alignment])
    backend = Strokes()
    plotter = Plotter(
        RenderContext(document), backend, configuration(1, False), Layers(document, None), References(None))
    plotter.draw_layout(document.modelspace(), finalize=False)
    return backend.ends


def check_slants() -> None:
    """Oblique letters lean to the right by the tangent of their angle, whatever their width; mirrored ones do not."""
    assert strokes("AB", oblique=45) == [(100, 0, 106, 6), (104, 0, 110, 6)]
    assert strokes("AB", oblique=45, width=0.5) == [(100, 0, 106, 6), (102, 0, 108, 6)]
    assert strokes("AB", oblique=315) == [(100, 0, 94, 6), (104, 0, 98, 6)]
    assert strokes("AB", oblique=88) == [(100, 0, 100, 6), (104, 0, 104, 6)]
    assert strokes("AB", oblique=45, rotation=90) == [(100, 0, 94, 6), (100, 4, 94, 10)]
    assert strokes("AB", oblique=45, text_generation_flag=2) == [(100, 0, 94, 6), (96, 0, 90, 6)]
    assert strokes("AB", oblique=45, text_generation_flag=4) == [(100, 0, 106, -6), (104, 0, 110, -6)]
    assert strokes("AB", oblique=45, extrusion=(0, 0, -1)) == [(-100, 0, -106, 6), (-104, 0, -110, 6)]


def check_ends_of_lines() -> None:
    """Lines of shape fonts are aligned by their ink: the space behind B does not count."""
    assert strokes("AB", "RIGHT") == [(96, 0, 96, 6), (100, 0, 100, 6)]
    assert strokes("AB", "CENTER") == [(98, 0, 98, 6), (102, 0, 102, 6)]
    assert strokes("AB", "FIT") == [(100, 0, 100, 6), (140, 0, 140, 6)]


def check_letters_below() -> None:
    """Letters of vertical styles hang one below the other, with 10/21 of their height between them."""
    gap = 60 / 21
    for alignment, top in (("LEFT", 0), ("CENTER", 6 + gap / 2), ("RIGHT", 12 + gap), ("TOP_LEFT", 0)):
        expected = (100, top - 6, 100, top, 100, top - 12 - gap, 100, top - 6 - gap)
        found = sum(strokes("AB", alignment, style=4), ())
        assert len(found) == 8 and all(near(a, b, 0.01) for a, b in zip(found, expected)), found


def check_boxes() -> None:
    """Boxes of text of several lines are as high as capital letters and their ink, and as wide as their ink."""
    for code in ("", r"\C1;"):
        def at(text: str, place: int) -> list[tuple[float, ...]]:
            return strokes(code + text, char_height=6, attachment_point=place, width=50)
        assert at("A", 5) == [(100, -3, 100, 3)], at("A", 5)
        assert at("A", 9) == [(100, 0, 100, 6)]
        assert at("Aq", 8) == [(98, 2, 98, 8), (102, 2, 102, 0)]
        assert at("Aq", 6) == [(96, -2, 96, 4), (100, -2, 100, -4)]
        assert at("Aq", 1) == [(100, -6, 100, 0), (104, -6, 104, -8)]
        assert at(r"A\PA", 5) == [(100, 2, 100, 8), (100, -8, 100, -2)]


def check_tracking() -> None:
    """Codes in text of several lines space its letters."""
    place = {"char_height": 6, "attachment_point": 7}
    assert [x for x, *_ in strokes(r"AB\T2;AB A", **place)] == [100, 104, 116, 124, 116 + 2 * (4 + 12 + 3)]
    assert [x for x, *_ in strokes(r"\T99;AB", **place)] == [100, 116]


def check_lines_without_width() -> None:
    """Text of several lines that has no width has no other lines than its own, whatever its codes."""
    ends = strokes(r"\H12;A A A A\PB", char_height=6, attachment_point=4, width=0)
    assert [x for x, *_ in ends] == [100, 114, 128, 142, 100] and len({y for _, y, *_ in ends}) == 2, ends


CHECKS: list[Callable[[], None]] = [check for name, check in list(globals().items()) if name.startswith("check_")]

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as fonts_check.WORK:
        for check in CHECKS:
            check()
            print(f"{check.__name__.removeprefix('check_').replace('_', ' ')}: {check.__doc__}")
