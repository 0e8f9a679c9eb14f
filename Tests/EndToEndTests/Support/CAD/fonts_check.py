#!/usr/bin/env python3
"""Checks how tilewright-cad chooses, measures and draws fonts.

usage: fonts_check.py

Needs a Python with ezdxf and Pillow, and the font DejaVu Sans. Prints what was checked; exits with 1 if a check fails.
"""

from __future__ import annotations

import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
from typing import Callable, Iterator

SOURCES = pathlib.Path(__file__).resolve().parents[4] / "Sources" / "tilewright-cad"
sys.path.insert(0, str(SOURCES))

from tilewright_cad import font_files, plain_ezdxf  # noqa: E402, F401
import ezdxf  # noqa: E402
from ezdxf.addons.drawing import Frontend, RenderContext, recorder  # noqa: E402
from ezdxf.addons.drawing.backend import BkPath2d  # noqa: E402
from ezdxf.fonts.fonts import FontRenderType  # noqa: E402
from ezdxf.math import BoundingBox2d  # noqa: E402
from PIL import ImageFont  # noqa: E402

from tilewright_cad.fonts import Fonts  # noqa: E402
from tilewright_cad.text_codes import decode_texts, decoded  # noqa: E402

SYSTEM = font_files.FontFiles(None)


def near(value: float, expected: float, tolerance: float = 1e-6) -> bool:
    """Whether two widths are the same."""
    return abs(value - expected) <= tolerance * max(1, abs(expected))


def shapes(letters: dict[str, int]) -> bytes:
    """A shape font with capital letters of height 6: each letter is an upright line, and as wide as given."""
    records = b"".join(
        struct.pack("<HH", ord(letter), 7) + bytes([0, 0x64, 2, 8, width, 256 - 6, 0])
        for letter, width in letters.items()
    )
    return b"AutoCAD-86 unifont 1.0\r\n\x1a" + bytes(6) + b"TEST\0" + bytes([6, 2, 0, 0, 0, 0]) + records


def files_of_system(*stems: str) -> Iterator[pathlib.Path]:
    """The system's files with names; those that it lacks are left out."""
    for stem in stems:
        if path := SYSTEM.of_system(stem):
            yield pathlib.Path(path)


def fonts(own: dict[str, bytes], *system: str) -> Fonts:
    """The fonts of a drawing in a folder with some files, on a system that has only some fonts."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    for name, content in own.items():
        (folder / name).write_bytes(content)
    installed = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    for path in files_of_system(*system):
        shutil.copy(path, installed)
    font_files.FOLDERS = (str(installed),)
    return Fonts(str(folder))


def drawn(mtext: str, style: str, these: Fonts, **attributes: object) -> list[BoundingBox2d]:
    """The boxes of what ezdxf draws for a text."""
    document = ezdxf.new("R2010")
    document.styles.add("S", font=style)
    document.modelspace().add_mtext(mtext, dxfattribs={"style": "S", "char_height": 1, **attributes})
    return boxes(document, these)


def boxes(document: ezdxf.document.Drawing, these: Fonts) -> list[BoundingBox2d]:
    """The boxes of what ezdxf draws for a drawing."""
    these.install()
    backend = recorder.Recorder()
    Frontend(RenderContext(document), backend).draw_layout(document.modelspace())
    return [
        BoundingBox2d(BkPath2d.control_vertices(path))
        for record, *_ in backend.player().recordings()
        for path in getattr(record, "paths", [getattr(record, "path", None)])
        if path is not None and len(path)
    ]


def check_import() -> None:
    """Importing ezdxf opens no font, and writes nothing into the home folder."""
    code = "from tilewright_cad import plain_ezdxf; from ezdxf.fonts.fonts import font_manager as m; print(m.dumps())"
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "PYTHONPATH": str(SOURCES), "PYTHONDONTWRITEBYTECODE": "1"}
        output = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
        assert json.loads(output)["font-faces"] == [] and not list(pathlib.Path(home).iterdir())


def check_widths_of_outlines() -> None:
    """TrueType text is as wide as FreeType says."""
    text = "Grundriss EG, Büro 24.5 m² Ø"
    for path in files_of_system("dejavusans", "dejavuserif", "liberationsans-regular", "nimbussans-regular"):
        freetype = ImageFont.truetype(str(path), 2000, layout_engine=ImageFont.Layout.BASIC)
        left, top, right, bottom = freetype.getbbox("A", anchor="ls")
        expected = sum(map(freetype.getlength, text)) / -top
        width = fonts({path.name: path.read_bytes()}, "dejavusans").font(path.name, 1).text_width(text)
        assert near(width, expected, 2e-3), (path, width, expected)


def check_widths_of_shapes() -> None:
    """Text of shape fonts takes their space: Hershey's Roman Simplex has A 18, B 21, a 19 for capital letters of 21."""
    these = fonts({}, "dejavusans")
    assert near(these.font("romans.shx", 21).text_width("ABa"), 18 + 21 + 19) and these.missing == []
    assert near(these.font("ROMANS", 42).text_width("ABa"), 2 * (18 + 21 + 19))
    assert near(these.font("romans.shx", 21, 0.5).text_width("Äa"), (18 + 19) / 2)
    assert near(these.font("monotxt.shx", 6).text_width("iW m"), 4 * 6)
    assert near(these.font("ISOCPEUR", 40).text_width("Nn"), 32 + 28)
    for name in ("txt", "simplex.shx", "isocp.shx", "complex.shx", "arial.ttf", "calibri.ttf"):
        font = these.font(name, 10)
        path = font.text_path("Hauseingang H")
        assert near(path.bbox().size.x, font.text_width("Hauseingang H"), 0.03), name
        assert near(path.bbox().extmax.y, 10, 0.07), name
    assert these.missing == ["txt.shx", "simplex.shx", "isocp.shx", "complex.shx", "arial.ttf", "calibri.ttf"]


def check_twins() -> None:
    """Fonts with the widths of Arial are as wide as Arial, whose capital letters are 0.716 em high."""
    arial = 778 + 333 + 556 + 556 + 556 + 333 + 222 + 500 + 500
    for system in ("liberationsans-regular", "nimbussans-regular", "dejavusans"):
        these = fonts({}, system)
        if SYSTEM.of_system(system):
            font = these.font("ARIAL.TTF", 0.716)
            assert font.text_glyph_paths("Grundriss", 1), system
            assert near(font.text_width("Grundriss"), arial / 1000, 2e-3), system
            assert these.missing == (["ARIAL.TTF"] if system == "dejavusans" else []), these.missing


def check_styles() -> None:
    """Bold and italic fonts are found by file, by style and by code within text."""
    these = fonts({}, "dejavusans", "dejavusans-bold", "dejavuserif")
    regular, bold = (these.font(name, 1).text_width("Halle") for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
    assert bold > 1.05 * regular
    document = ezdxf.new("R2010")
    style = document.styles.add("S", font="")
    style.set_extended_font_data("DejaVu Sans", bold=True)
    assert near(these.font(these.face(style).filename, 1).text_width("Halle"), bold)
    plain = max(box.extmax.x for box in drawn(r"{\fDejaVu Sans|b0|i0;Halle}", "txt", these))
    heavy = max(box.extmax.x for box in drawn(r"{\fDejaVu Sans|b1|i0;Halle}", "txt", these))
    assert near(heavy / plain, bold / regular, 0.02), (heavy, plain)
    assert these.missing == [], these.missing


def check_own_files() -> None:
    """A shape font in the drawing's folder draws lines; texts with letters that it lacks are drawn with areas."""
    made_of_b = struct.pack("<HH", ord("C"), 5) + bytes([0, 7, 0, ord("B"), 0])
    plan = shapes({" ": 3, "A": 4, "B": 12, "x": 4, "p": 4}) + made_of_b
    these = fonts({"Plan.SHX": plan}, "dejavusans")
    font = these.font("plan.shx", 6)
    assert near(font.text_width("A BA"), 4 + 3 + 12 + 4) and near(font.text_width("C"), 12)
    paths = font.text_glyph_paths("AB", 6)
    assert [len(path.sub_paths()) for path in paths] == [1, 1] and font.font_render_type == FontRenderType.STROKE
    assert near(paths[1].bbox().extmin.x, 4) and near(paths[1].bbox().extmax.y, 6)
    assert these.missing == [] and [pathlib.Path(path).name for path in these.files] == ["Plan.SHX"]
    assert len(font.text_glyph_paths("ABЖ", 6)) == 3 and font.font_render_type == FontRenderType.OUTLINE
    assert font.text_width("ABЖ") > 16


def check_damaged_files() -> None:
    """Damaged files are replaced, and named; also those whose letters turn out to be damaged."""
    whole = shapes({" ": 3, "A": 4, "x": 4, "p": 4})
    loop = whole + struct.pack("<HH", ord("B"), 6) + bytes([0, 7, ord("B"), 0, 0, 0])
    outline = next(files_of_system("dejavusans")).read_bytes()
    damaged = {"a.shx": whole[:-9], "b.shx": loop, "arial.ttf": outline[:30000], "c.lff": b"\xff" * 99}
    these = fonts(damaged, "dejavusans")
    for name in ("a.shx", "b.shx", "arial.ttf", "c.shx"):
        font = these.font(name, 1)
        assert font.text_width("AB") > 1 and font.text_glyph_paths("AB", 1), name
        assert font.font_render_type == FontRenderType.OUTLINE, name
    assert these.missing == ["a.shx", "b.shx", "arial.ttf", "c.shx"], these.missing


def check_systems_without_fonts() -> None:
    """Without any font, words are boxes, and fonts are named."""
    these = fonts({})
    assert len(these.font("Arial", 1).text_glyph_paths("zwei Kisten", 1)) == 2
    assert these.missing == ["Arial"], these.missing


def check_lacking_letters() -> None:
    """Letters that no font has are named, and the font for Asian letters."""
    these = fonts({}, "dejavusans")
    these.font("txt.shx|gbcbig.shx", 1).text_glyph_paths("A中", 1)
    assert these.missing == ["txt.shx", "gbcbig.shx"] and these.lacking == ["中"], (these.missing, these.lacking)


def check_codes() -> None:
    """Codes within text come out as letters, and as lines under and over letters."""
    assert decoded(r"B\U+00FCro \M+182A0", "cp1252") == "Büro あ"
    assert decoded("%%176 %%127 %%065 %%999 100%%", "cp1252") == "° ° A %%999 100%%"
    assert decoded("%%196", "cp1251") == "Д"
    document = ezdxf.new("R2000")
    text = document.modelspace().add_text(r"%%uB\U+00FCro 45%%d%%u %%oA%%o %%c %%p", height=1)
    decode_texts(document)
    assert text.plain_text().replace("\u0332", "").replace("\u0305", "") == "Büro 45° A Ø ±", text.plain_text()
    *letters, under, over = boxes(document, fonts({}, "dejavusans"))
    degree, a, diameter = letters[6:9]
    assert near(under.extmin.x, 0) and degree.extmax.x < under.extmax.x < a.extmin.x and under.extmax.y < 0
    assert degree.extmax.x < over.extmin.x <= a.extmin.x < over.extmax.x < diameter.extmin.x and over.extmin.y > 1


CHECKS: list[Callable[[], None]] = [check for name, check in list(globals().items()) if name.startswith("check_")]

if __name__ == "__main__":
    if not SYSTEM.of_system("dejavusans"):
        sys.exit("fonts_check.py: DejaVu Sans is not installed; Debian has it in fonts-dejavu-core")
    with tempfile.TemporaryDirectory() as WORK:
        for check in CHECKS:
            check()
            print(f"{check.__name__.removeprefix('check_').replace('_', ' ')}: {check.__doc__}")
