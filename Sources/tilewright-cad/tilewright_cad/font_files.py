"""Finds font files by name, without opening them."""

from __future__ import annotations

import os
from typing import Iterator, NamedTuple

FOLDERS = (
    "/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts",
    "/Library/Fonts", "/System/Library/Fonts", "~/Library/Fonts",
)
"""Where systems keep fonts."""

_OUTLINES = (".ttf", ".otf", ".ttc")
_STROKES = (".shx", ".shp", ".lff")

# How file names say a style, in lower case without spaces: DejaVuSans-Bold, arialbd, calibriz, Arial Bold.
_STYLES = {
    (False, False): ("-regular", "", "-book", "-roman"),
    (True, False): ("-bold", "bold", "bd", "b"),
    (False, True): ("-italic", "-oblique", "italic", "oblique", "i"),
    (True, True): ("-bolditalic", "-boldoblique", "bolditalic", "boldoblique", "bi", "z"),
}


class Style(NamedTuple):
    """The style of a font."""

    is_bold: bool = False
    is_italic: bool = False


class FontFiles:
    """The font files of the system and of the drawing's folder; their folders are listed once, at the start."""

    def __init__(self, folder: str | None) -> None:
        self._system = {stem: path for path in _files_below(FOLDERS) for stem in [stem_of(path)]}
        self._own = {name.lower(): path for name, path in _files_in(folder)}

    def own(self, name: str) -> Iterator[str]:
        """Files of the drawing's folder for a font: of its name, then of its name but for the ending."""
        stem = stem_of(name)
        for candidate in dict.fromkeys([name.lower(), *(stem + end for end in (*_STROKES, *_OUTLINES))]):
            if candidate in self._own:
                yield self._own[candidate]

    def is_own(self, path: str) -> bool:
        """Whether a file is one of the drawing's folder."""
        return path in self._own.values()

    def of_system(self, stem: str) -> str | None:
        """The system's file with a name, in lower case without spaces and ending."""
        return self._system.get(stem)

    def of_family(self, family: str, style: Style) -> str | None:
        """The system's file of a family, in lower case without spaces; of a plainer style if need be."""
        for plainer in dict.fromkeys([style, Style(style.is_bold), Style()]):
            for suffix in _STYLES[plainer]:
                if path := self._system.get(family + suffix):
                    return path
        return None

    def any_of_system(self) -> Iterator[str]:
        """All files of the system, upright and regular ones first."""
        unwanted = ("bold", "italic", "oblique", "light", "thin", "black", "mono", "symbol", "emoji", "icon", "math")
        stems = sorted(self._system, key=lambda stem: (any(word in stem for word in unwanted), stem))
        yield from (self._system[stem] for stem in stems)


def stem_of(name: str) -> str:
    """A file's name in lower case, without folders, spaces and ending."""
    return os.path.splitext(name.replace("\\", "/").rpartition("/")[2])[0].lower().replace(" ", "")


def style_of(stem: str, family: str) -> Style | None:
    """The style that a file's name says, if it is one of the family; None if not."""
    for style, suffixes in _STYLES.items():
        if any(stem == family + suffix for suffix in suffixes):
            return Style(*style)
    return None


def is_stroke_file(path: str) -> bool:
    """Whether a file's letters are lines instead of areas."""
    return path.lower().endswith(_STROKES)


def _files_below(folders: tuple[str, ...]) -> Iterator[str]:
    """The outline fonts in folders; the first of a name last, as the last one is kept."""
    files = []
    for folder in folders:
        for parent, children, names in os.walk(os.path.expanduser(folder)):
            children.sort()
            files += [os.path.join(parent, name) for name in sorted(names) if name.lower().endswith(_OUTLINES)]
    return reversed(files)


def _files_in(folder: str | None) -> list[tuple[str, str]]:
    """The names and paths of the fonts in the drawing's folder, without what is not a file."""
    try:
        names = sorted(os.listdir(folder)) if folder else []
    except OSError:
        return []
    fonts = [(name, os.path.join(folder or "", name)) for name in names if name.lower().endswith(_OUTLINES + _STROKES)]
    return [(name, path) for name, path in fonts if os.path.isfile(path)]
