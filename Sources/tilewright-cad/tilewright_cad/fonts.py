"""The fonts of a drawing: its files, or substitutes that take the same space."""

from __future__ import annotations

from typing import Iterable, Iterator

from ezdxf.addons.drawing.properties import RenderContext
from ezdxf.entities import Textstyle
from ezdxf.fonts import fonts as ezdxf_fonts
from ezdxf.fonts.font_face import FontFace
from ezdxf.fonts.font_manager import FontManager
from ezdxf.lldxf.validator import make_table_key
from ezdxf.npshapes import NumpyPath2d

from .faces import Boxes, DamagedFont, Face, FileFace
from .font_choices import Choice, Wanted, choices, fallbacks
from .font_files import FontFiles, Style, is_stroke_file
from .lettering import Lettering

# The font of texts that name none, as in CAD.
_DEFAULT = "txt.shx"


class Fonts:
    """The fonts of a drawing. Files are opened when the first text needs them."""

    def __init__(self, folder: str | None) -> None:
        self.missing: list[str] = []
        """Fonts of drawn text that were replaced by fonts with other letters; each once."""
        self.lacking: list[str] = []
        """Letters that no font has; each once."""
        self.files: list[str] = []
        """Font files that were read in the drawing's folder."""
        self.font_files = FontFiles(folder)
        self._faces: dict[str, FileFace | None] = {}
        self._letterings: dict[str, Lettering] = {}

    def install(self) -> None:
        """Makes ezdxf draw all text with these fonts."""
        ezdxf_fonts.font_manager = _Manager()
        ezdxf_fonts.make_font = self.font  # type: ignore[assignment]

        def add_text_style(context: RenderContext, style: Textstyle) -> None:
            context.fonts[make_table_key(style.dxf.name)] = self.face(style)

        RenderContext.add_text_style = add_text_style  # type: ignore[assignment]

    def face(self, style: Textstyle) -> FontFace:
        """What ezdxf knows a text style's font by."""
        family, is_italic, is_bold = style.get_extended_font_data()
        name = style.dxf.font or family or _DEFAULT
        return _face(Wanted(name, style.dxf.bigfont, Style(is_bold, is_italic), family))

    def font(self, name: str, cap_height: float, width_factor: float = 1.0) -> ezdxf_fonts.AbstractFont:
        """The font of the face with a file name."""
        key = name.lower()
        if key not in self._letterings:
            self._letterings[key] = Lettering(_Source(self, _wanted(name)))
        return _Font(name, self._letterings[key], cap_height, width_factor)

    def open(self, candidates: Iterable[Choice]) -> Iterator[tuple[FileFace, Choice]]:
        """The files that are not damaged."""
        for choice in candidates:
            if choice.path not in self._faces:
                self._faces[choice.path] = self._opened(choice.path)
            if face := self._faces[choice.path]:
                yield face, choice

    def is_damaged(self, path: str) -> bool:
        """Whether a file was opened, and is damaged."""
        return path in self._faces and self._faces[path] is None

    def exclude(self, path: str) -> None:
        """Does without a damaged file from now on."""
        self._faces[path] = None

    def _opened(self, path: str) -> FileFace | None:
        if self.font_files.is_own(path):
            self.files.append(path)
        try:
            return FileFace(path)
        except DamagedFont:
            return None


class _Source:
    """Finds faces for the text of one font, and keeps account of what is missing."""

    def __init__(self, fonts: Fonts, wanted: Wanted) -> None:
        self._fonts = fonts
        self._wanted = wanted

    def first(self) -> tuple[Face, Choice]:
        candidates = choices(self._wanted, self._fonts.font_files)
        return next(self._fonts.open(candidates), (Boxes(), Choice("")))

    def note(self, choice: Choice) -> None:
        named = (other.path for other in choices(self._wanted, self._fonts.font_files) if other.is_named)
        if not choice.is_alike or any(map(self._fonts.is_damaged, named)):
            name = self._wanted.name.replace("\\", "/").rpartition("/")[2]
            _add(name + (".shx" if self._wanted.is_shapes and "." not in name else ""), self._fonts.missing)

    def outlines(self) -> Face:
        candidates = choices(self._wanted, self._fonts.font_files)
        areas = (choice for choice in candidates if not is_stroke_file(choice.path))
        return next((face for face, _ in self._fonts.open(areas)), Boxes())

    def fallback(self, letter: str) -> Face | None:
        if self._wanted.big_font:
            _add(self._wanted.big_font, self._fonts.missing)
        for face, _ in self._fonts.open(fallbacks(self._fonts.font_files)):
            if face.has(letter):
                return face
        _add(letter, self._fonts.lacking)
        return None

    def exclude(self, path: str) -> None:
        self._fonts.exclude(path)


class _Font(ezdxf_fonts.AbstractFont):
    """Text of one height, as ezdxf asks for it."""

    def __init__(self, name: str, lettering: Lettering, cap_height: float, width_factor: float) -> None:
        super().__init__(lettering.measurements().scale(cap_height))
        self.name = name
        self._lettering = lettering
        self._cap_height = cap_height
        self._width_factor = width_factor

    def text_width(self, text: str) -> float:
        return self.text_width_ex(text, self._cap_height, self._width_factor)

    def text_width_ex(self, text: str, cap_height: float, width_factor: float = 1.0) -> float:
        return self._lettering.width(text) * cap_height * width_factor

    def space_width(self) -> float:
        return self.text_width(" ")

    def text_path(self, text: str) -> NumpyPath2d:
        return self.text_path_ex(text, self._cap_height, self._width_factor)

    def text_path_ex(self, text: str, cap_height: float, width_factor: float = 1.0) -> NumpyPath2d:
        paths = self.text_glyph_paths(text, cap_height, width_factor)
        return NumpyPath2d.concatenate(paths) if paths else NumpyPath2d(None)

    def text_glyph_paths(self, text: str, cap_height: float, width_factor: float = 1.0) -> list[NumpyPath2d]:
        paths, is_stroke = self._lettering.paths(text, cap_height, width_factor)
        # ezdxf asks for the kind of the paths after the paths, and it may differ from text to text.
        types = ezdxf_fonts.FontRenderType
        self.font_render_type = types.STROKE if is_stroke else types.OUTLINE
        return paths


class _Manager(FontManager):
    """Names fonts for ezdxf, which then asks for the font of a name."""

    def has_font(self, font_name: str) -> bool:
        return False

    def get_font_face(self, font_name: str) -> FontFace:
        return _face(_wanted(font_name))

    def find_best_match(
        self, family: str = "", style: str = "", weight: int = 400, width: int = 5, italic: bool | None = False
    ) -> FontFace:
        return _face(_wanted_family(FontFace("", family, "Italic" if italic else "", weight)))

    def find_font_name(self, font_face: FontFace) -> str:
        return font_face.filename or _face(_wanted_family(font_face)).filename


def is_shapes(face: FontFace) -> bool:
    """Whether a face is that of a shape font."""
    return (_wanted(face.filename) if face.filename else _wanted_family(face)).is_shapes


def _face(wanted: Wanted) -> FontFace:
    """A face whose file name says all of a font."""
    styles = "".join(letter for letter, is_set in zip("bi", wanted.style) if is_set)
    parts = (wanted.name, wanted.big_font, styles, wanted.family)
    name = "|".join(part.replace("|", "") for part in parts).rstrip("|")
    return FontFace(
        name, wanted.name, "Italic" if wanted.style.is_italic else "Regular", 700 if wanted.style.is_bold else 400
    )


def _wanted(name: str) -> Wanted:
    """The font that a face's file name says."""
    parts = [*name.split("|"), "", "", ""]
    return Wanted(parts[0] or _DEFAULT, parts[1], Style("b" in parts[2], "i" in parts[2]), parts[3])


def _wanted_family(face: FontFace) -> Wanted:
    """The font that text names on its own: a family, or a shape font and a big font, separated by a comma."""
    name, _, big_font = face.family.partition(",")
    if name in ("", "sans-serif"):
        name = _DEFAULT
    return Wanted(name, big_font, Style(face.is_bold, face.is_italic))


def _add(value: str, values: list[str]) -> None:
    if value.lower() not in map(str.lower, values):
        values.append(value)
