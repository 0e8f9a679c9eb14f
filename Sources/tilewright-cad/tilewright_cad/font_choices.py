"""Chooses substitutes for fonts that the system lacks."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

from ezdxf.fonts.font_measurements import FontMeasurements

from .font_files import FontFiles, Style, stem_of, style_of
from .font_widths import MEAN, Widths, widths_of_family, widths_of_shapes

# Bold letters are wider than regular ones: Arial's 1.046 times on average, those of Times New Roman 1.049 times.
_BOLD = 1.05


class Wanted(NamedTuple):
    """A font as a drawing names it."""

    name: str
    """A file, as romans.shx, or a family, as Arial."""
    big_font: str = ""
    """The file with Asian letters; empty if there is none."""
    style: Style = Style()
    family: str = ""
    """The family, if the drawing names it in addition to a file."""

    @property
    def is_shapes(self) -> bool:
        """Whether it is a shape font: by its ending, or by a known name without ending."""
        name = self.name.lower()
        if name.endswith((".shx", ".shp")):
            return True
        return not any(sign in name for sign in ". ") and name not in _FAMILIES and widths_of_shapes(name) is not None


class Choice(NamedTuple):
    """A file that may be drawn with, and how its letters are stretched."""

    path: str
    is_named: bool = False
    """Whether it is the font that the drawing names."""
    cap_height: float | None = None
    """For a font with the same widths: the height of capital letters of the named font, in em."""
    widths: Widths | None = None
    """The widths of the named font, if this one has others; None if they are not known."""
    widening: float = 1
    """The factor of these widths."""
    measurements: FontMeasurements | None = None
    """The heights of the named font, for capital letters of height 1, if it has others and they are known."""

    @property
    def is_alike(self) -> bool:
        """Whether text looks as in the font that the drawing names."""
        return self.is_named or self.cap_height is not None

    def width(self, letter: str) -> float | None:
        """The width of a letter for capital letters of height 1, if it is known that it is not the file's."""
        width = self.widths.width(letter) if self.widths else None
        return None if width is None else width * self.widening


class _Family(NamedTuple):
    """A TrueType family that drawings name."""

    files: tuple[str, ...]
    """Beginnings of the names of its files."""
    twins: tuple[str, ...]
    """Families whose letters have the same widths."""
    cap_height: float
    """The height of its capital letters, in em."""
    alike: tuple[str, ...] = ()
    """Families that look alike."""


# Nearly all shape fonts of AutoCAD have letters without ascenders that are 2/3, and descenders that are 1/3, as high as
# capital letters. Texts that are aligned at their middle or bottom depend on them.
_SHAPE_MEASUREMENTS = FontMeasurements(0, 1, 2 / 3, 1 / 3)

_SANS_TWINS = ("liberationsans", "arimo", "nimbussans", "arial", "helvetica")

# The heights of capital letters are those in the fonts' tables OS/2.
_FAMILIES = {
    "arial": _Family(("arial", "arialmt", "arialuni", "arialunicodems"), _SANS_TWINS, 0.716),
    "helvetica": _Family(("helvetica", "swiss", "swis721bt"), _SANS_TWINS, 0.718),
    "arialnarrow": _Family(("arialn", "arialnarrow"), ("liberationsansnarrow", "nimbussansnarrow"), 0.716),
    "timesnewroman": _Family(("times", "timesnewroman"), ("liberationserif", "tinos", "nimbusroman"), 0.662),
    "couriernew": _Family(("cour", "couriernew", "courier"), ("liberationmono", "cousine", "nimbusmonops"), 0.571),
    "calibri": _Family(("calibri", "calibril", "calibrilight"), ("carlito",), 0.632),
    "cambria": _Family(("cambria",), ("caladea",), 0.667),
    "georgia": _Family(("georgia",), ("gelasio",), 0.693),
    "verdana": _Family(("verdana",), (), 0.727, ("dejavusans",)),
    "tahoma": _Family(("tahoma",), (), 0.727, ("dejavusanscondensed",)),
    "isocpeur": _Family(("isocpeur",), (), 0.7, ("osifont",)),
    "isocteur": _Family(("isocteur",), (), 0.7, ("osifont",)),
}

_SANS = ("liberationsans", "arimo", "dejavusans", "notosans", "opensans", "freesans", "arial", "helvetica")
_SERIF = ("liberationserif", "tinos", "dejavuserif", "notoserif", "freeserif", "times", "timesnewroman")
_MONO = ("liberationmono", "cousine", "dejavusansmono", "notosansmono", "freemono", "cour", "couriernew")
_LOOKS = (
    (_MONO, ("mono", "cour", "consol", "fixed", "typewriter", "isoct")),
    (("osifont", *_SANS), ("iso",)),
    (_SERIF, ("complex", "romanc", "romant", "times", "serif", "georgia", "garamond", "cambria", "palat", "simsun")),
)

# Fonts with many letters, the nearest to plain Latin first.
_FALLBACKS = (
    "dejavusans", "notosans-regular", "notosanscjk-regular", "notosanscjksc-regular", "wqy-zenhei", "wqy-microhei",
    "droidsansfallbackfull", "droidsansfallback", "arialunicode", "arialuni", "pingfang", "msgothic", "simsun",
    "malgun", "unifont", "freesans", "notosanssymbols2-regular",
)


def choices(wanted: Wanted, files: FontFiles) -> Iterator[Choice]:
    """Files to draw a font's letters with, the best one first."""
    yield from (Choice(path, is_named=True) for path in files.own(wanted.name))
    if wanted.is_shapes:
        name = stem_of(wanted.name)
        if "." not in wanted.name:
            yield from _existing(files.of_family(name, wanted.style), is_named=True)
        for choice in _alike((), name, Style(), widths_of_shapes(name) or MEAN, files):
            yield choice._replace(measurements=_SHAPE_MEASUREMENTS)
    else:
        yield from _outlines(wanted, files)


def fallbacks(files: FontFiles) -> Iterator[Choice]:
    """Files with letters that others lack."""
    for stem in _FALLBACKS:
        yield from _existing(files.of_system(stem))


def _outlines(wanted: Wanted, files: FontFiles) -> Iterator[Choice]:
    """Files for a TrueType font."""
    name, style = _family_and_style(wanted)
    known = _FAMILIES.get(name)
    stems = (stem_of(wanted.name), *(known.files if known else (name,)))
    for stem in stems:
        yield from _existing(files.of_family(stem, style), is_named=True)
    if known:
        for twin in known.twins:
            yield from _existing(files.of_family(twin, style), cap_height=known.cap_height)
    # Files of Autodesk with the letters of shape fonts are called romans__.ttf.
    widths = widths_of_shapes(name) if name.endswith("_") else widths_of_family(name)
    yield from _alike(known.alike if known else (), name, style, widths, files)


def _family_and_style(wanted: Wanted) -> tuple[str, Style]:
    """The family in lower case without spaces, and the style that the file's name or the drawing says."""
    for stem in filter(None, (stem_of(wanted.name), stem_of(wanted.family))):
        for family, known in _FAMILIES.items():
            for beginning in (family, *known.files):
                if style := style_of(stem, beginning):
                    return family, Style(*(a or b for a, b in zip(style, wanted.style)))
    return stem_of(wanted.family or wanted.name), wanted.style


def _alike(
    first: tuple[str, ...], name: str, style: Style, widths: Widths | None, files: FontFiles
) -> Iterator[Choice]:
    """Files that look like a font, then any, with their letters stretched to its widths."""
    families = next((families for families, words in _LOOKS if any(word in name for word in words)), _SANS)
    widening = _BOLD if style.is_bold else 1
    for family in dict.fromkeys((*first, *families, *_SANS)):
        yield from _existing(files.of_family(family, style), widths=widths, widening=widening)
    yield from (Choice(path, widths=widths, widening=widening) for path in files.any_of_system())


def _existing(path: str | None, **properties: Any) -> list[Choice]:
    return [Choice(path, **properties)] if path else []
