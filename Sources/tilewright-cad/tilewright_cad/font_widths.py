"""How wide letters are in fonts that drawings name and few systems have, so that a substitute takes the same space.

The widths of shape fonts were measured in files of AutoCAD. Those of romans are Hershey's Roman Simplex but for a few
signs. Those of Arial, Times New Roman and Calibri, in thousandths of an em, were read in Liberation Sans, Liberation
Serif and Carlito, which are made to have the same.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple


class Widths(NamedTuple):
    """Advance widths of the letters of a font."""

    cap_height: float
    """The height of capital letters, in the unit of the widths."""
    letters: dict[str, int]
    """The advance widths of the letters from space to ~."""
    wide: int | None = None
    """The advance width of wide Asian letters; None if it is not known."""

    def width(self, letter: str) -> float | None:
        """A letter's width, in cap heights; that of its base for a letter with accents, None if it is not known."""
        width = self.letters.get(letter)
        if width is None:
            width = self.letters.get(unicodedata.normalize("NFD", letter)[0])
        if width is None and unicodedata.east_asian_width(letter) in "FW":
            width = self.wide
        return None if width is None else width / self.cap_height


def _widths(cap_height: float, numbers: str) -> Widths:
    return Widths(cap_height, {chr(32 + index): int(number) for index, number in enumerate(numbers.split())})


def _shapes(cap_height: int, numbers: str) -> Widths:
    """Widths of a shape font; letters of the big fonts next to it are 1 (chineset) to 1.2 (bigfont) wide."""
    return _widths(cap_height, numbers)._replace(wide=round(1.1 * cap_height))


def _monospaced(width: float) -> Widths:
    return _shapes(1000, 95 * f"{round(1000 * width)} ")


_TXT = _shapes(6, """
    6 2 4 6 6 6 6 3 4 4 6 6 3 6 2 6 5 4 6 6 6 6 6 6 6 6 2 3 5 6 5 5 6 6 6 6 6 6 6 6 6 4 6 6 6 6 6 6 6 6 6 6 6 6 8 8 6
    6 6 4 6 4 6 6 3 6 6 6 6 6 6 6 6 2 5 6 3 6 6 6 6 6 6 6 6 6 6 6 6 6 6 4 2 4 6""")

_ROMANS = _shapes(21, """
    21 10 14 21 20 24 26 10 14 14 16 26 10 26 10 22 20 20 20 20 20 20 20 20 20 20 10 10 24 26 24 18 27 18 21 21 21 19
    18 21 22 8 16 21 17 24 22 22 21 22 21 20 16 22 18 24 20 18 20 14 22 13 22 24 12 19 19 18 19 18 12 19 19 8 10 17 8
    30 19 19 19 19 13 17 12 19 16 22 17 16 17 14 8 14 26""")

_SIMPLEX = _shapes(21, """
    19 13 15 19 20 22 26 9 14 14 16 26 10 26 10 22 20 16 20 20 20 20 20 20 20 20 15 14 20 26 20 18 24 22 21 21 21 19
    18 21 22 8 16 21 17 24 22 22 21 22 21 20 18 22 20 24 20 20 20 15 22 12 20 24 9 19 19 18 19 18 12 19 19 8 10 17 8
    30 19 19 19 19 13 17 14 19 16 22 17 16 17 12 7 11 26""")

_COMPLEX = _shapes(21, """
    21 11 15 21 20 24 23 9 14 14 16 26 9 26 11 22 20 15 20 19 21 20 20 20 20 20 15 14 20 26 20 19 26 21 22 21 22 21 20
    23 24 11 15 22 18 25 23 22 22 22 22 20 19 24 20 24 20 21 20 15 22 16 22 24 9 20 21 19 21 19 13 19 22 11 11 21 11
    33 22 19 21 20 17 17 15 22 18 24 20 19 18 12 7 11 26""")

_ITALIC = _shapes(21, """
    21 15 18 19 21 22 26 15 15 17 17 26 12 26 11 24 21 14 21 21 21 21 21 20 21 21 14 15 22 26 21 23 24 23 24 19 23 23
    23 21 26 15 18 23 20 27 25 21 23 21 24 23 21 23 24 26 25 22 22 19 16 19 22 24 9 21 20 17 21 17 15 20 21 16 13 21
    12 34 24 17 22 19 17 17 14 23 20 29 20 21 20 12 12 11 26""")

_ISOCP = _shapes(40, """
    16 12 24 36 28 44 36 14 16 16 28 28 14 28 12 28 28 20 28 28 32 28 28 28 28 28 12 14 28 28 28 28 44 36 32 28 32 28
    28 32 32 12 24 32 28 36 32 32 32 36 32 32 32 32 36 44 36 36 32 16 28 16 24 44 20 28 28 24 28 28 24 28 28 12 20 28
    16 36 28 28 28 28 24 28 24 28 28 36 28 28 28 20 12 20 28""")

_ISO = _shapes(18, """
    18 7 13 20 16 30 18 7 9 9 14 14 7 14 7 12 14 10 14 14 16 14 14 14 14 14 7 7 14 14 14 14 26 18 16 14 16 14 14 16 16
    6 12 16 14 18 16 16 16 17 16 15 16 16 18 22 18 18 16 9 13 9 14 10 7 16 14 12 14 14 12 14 14 7 10 14 10 18 14 14 14
    14 12 14 12 14 14 18 14 14 14 11 6 11 16""")

_ARIAL = """
    278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278
    584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944
    667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500
    278 556 500 722 500 500 500 334 260 334 584"""

_TIMES = _widths(662, """
    250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278
    564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944
    722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389
    278 500 500 722 500 500 444 480 200 480 541""")

_CALIBRI = _widths(632, """
    226 326 401 498 507 715 682 221 303 303 498 498 250 306 252 386 507 507 507 507 507 507 507 507 507 507 268 268
    498 498 498 463 894 579 544 533 615 488 459 631 623 252 319 520 420 855 646 662 517 673 543 459 487 642 567 890
    519 487 468 307 386 307 498 498 291 479 525 423 525 498 305 471 525 229 239 455 229 799 525 527 525 525 349 391
    335 525 452 715 433 453 395 314 460 314 498""")

# Widths of shape fonts, by the name of the file without ".shx"; the longest of the beginnings of a name counts.
_SHAPE_FONTS = {
    "txt": _TXT, "monotxt": _monospaced(1), "monos": _monospaced(1),
    "romans": _ROMANS, "simplex": _SIMPLEX, "roman": _COMPLEX, "complex": _COMPLEX, "gothic": _COMPLEX,
    "greeks": _ROMANS, "greekc": _COMPLEX, "italic": _ITALIC, "script": _ITALIC,
    "isocp": _ISOCP, "isoct": _monospaced(1.1), "iso3098": _ISOCP, "iso": _ISO,
    "gbe": _ISOCP._replace(cap_height=48),
}

# Widths of TrueType fonts, by the name of the family without spaces.
_FAMILIES = {
    "arial": _widths(716, _ARIAL), "helvetica": _widths(716, _ARIAL), "arialnarrow": _widths(716 / 0.82, _ARIAL),
    "timesnewroman": _TIMES, "times": _TIMES, "calibri": _CALIBRI, "couriernew": _monospaced(600 / 571),
    "isocpeur": _ISOCP, "isocteur": _monospaced(1.1),
}


def widths_of_shapes(name: str) -> Widths | None:
    """The widths of a shape font, by its name in lower case without ".shx"; None if they are not known."""
    known = [beginning for beginning in _SHAPE_FONTS if name.startswith(beginning)]
    return _SHAPE_FONTS[max(known, key=len)] if known else None


def widths_of_family(family: str) -> Widths | None:
    """The widths of a TrueType font, by its family in lower case without spaces; None if they are not known."""
    return _FAMILIES.get(family)


MEAN = _ROMANS
"""The widths of shape fonts that are not known."""
