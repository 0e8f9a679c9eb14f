"""A PDF of one page, written piece by piece: lines, areas and pictures, in coordinates of its content."""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass, field

POINTS_PER_INCH = 72.0
MILLIMETRES_PER_INCH = 25.4
POINTS_PER_MILLIMETRE = POINTS_PER_INCH / MILLIMETRES_PER_INCH

# Content is compressed in pieces of this size.
_PIECE = 1 << 20


def number(value: float) -> str:
    """A number of the content: 0.0001 points are 4 micrometres in a drawing at 1:100."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@dataclass
class Picture:
    """A picture: its size, its compressed samples, and its compressed alpha, if it is not opaque."""

    width: int
    height: int
    colors: bytes
    alpha: bytes | None


@dataclass
class PDFPage:
    """Writes a page to an open file. The page's size and place are known only at the end.

    The caller adds operators (ISO 32000-2, annex A) in points, y up, from any origin near the content.
    """

    descriptor: int
    _offset: int = 0
    _places: dict[int, int] = field(default_factory=dict)
    _pending: list[str] = field(default_factory=list)
    _pending_size: int = 0
    _compressor: zlib._Compress = field(default_factory=lambda: zlib.compressobj(1))
    _pictures: list[Picture] = field(default_factory=list)
    _opacities: dict[int, str] = field(default_factory=dict)
    _form_count: int = 0
    forms: list[str] = field(default_factory=list)
    """The operators of all forms, which are due at the end."""

    # Numbers of the objects; those of pictures follow.
    _CATALOG, _PAGES, _PAGE, _FIRST, _CONTENT, _LENGTH, _RESOURCES, _NEXT = range(1, 9)

    def begin(self) -> None:
        """Writes the beginning, up to the content."""
        self._write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        self._begin_object(self._CONTENT)
        self._write(f"<</Filter/FlateDecode/Length {self._LENGTH} 0 R>>stream\n".encode())
        self._content_start = self._offset
        # Round caps and joins.
        self.add("1 J 1 j")

    def add(self, operators: str) -> None:
        """Adds operators to the content."""
        self._pending.append(operators)
        self._pending_size += len(operators) + 1
        if self._pending_size > _PIECE:
            self._flush()

    def opacity(self, alpha: int) -> str:
        """The name of the graphics state for an alpha from 0 to 255."""
        return self._opacities.setdefault(alpha, f"A{alpha}")

    def picture(self, picture: Picture) -> str:
        """Keeps a picture until the end; returns its name."""
        self._pictures.append(picture)
        return f"P{len(self._pictures)}"

    def form(self) -> str:
        """The name of a new part of the content that is known only at the end."""
        self._form_count += 1
        return f"F{self._form_count}"

    def end(self, left: float, bottom: float, width: float, height: float) -> None:
        """Writes the rest: the page shows a rectangle of the content's coordinates, in points."""
        self._flush()
        self._write(self._compressor.flush())
        length = self._offset - self._content_start
        self._write(b"\nendstream\nendobj\n")
        self._object(self._LENGTH, str(length))
        move = f"1 0 0 1 {number(-left)} {number(-bottom)} cm\n"
        self._object(self._FIRST, f"<</Length {len(move)}>>stream\n{move}endstream")
        self._object(self._RESOURCES, self._resources())
        self._write_pictures()
        self._write_forms(left, bottom, width, height)
        box = f"[0 0 {number(width)} {number(height)}]"
        self._object(
            self._PAGE,
            f"<</Type/Page/Parent {self._PAGES} 0 R/MediaBox{box}/Resources {self._RESOURCES} 0 R"
            f"/Contents[{self._FIRST} 0 R {self._CONTENT} 0 R]>>",
        )
        self._object(self._PAGES, f"<</Type/Pages/Count 1/Kids[{self._PAGE} 0 R]>>")
        self._object(self._CATALOG, f"<</Type/Catalog/Pages {self._PAGES} 0 R>>")
        self._write_index()

    def _resources(self) -> str:
        states = "".join(
            f"/{name}<</ca {number(alpha / 255)}/CA {number(alpha / 255)}>>"
            for alpha, name in self._opacities.items()
        )
        pictures = "".join(
            f"/P{index + 1} {self._NEXT + 2 * index} 0 R" for index in range(len(self._pictures))
        )
        forms = "".join(f"/F{index + 1} {self._first_form + index} 0 R" for index in range(len(self.forms)))
        return f"<</ExtGState<<{states}>>/XObject<<{pictures}{forms}>>>>"

    @property
    def _first_form(self) -> int:
        return self._NEXT + 2 * len(self._pictures)

    def _write_forms(self, left: float, bottom: float, width: float, height: float) -> None:
        box = " ".join(number(value) for value in (left, bottom, left + width, bottom + height))
        for index, form in enumerate(self.forms):
            self._object(
                self._first_form + index,
                f"<</Type/XObject/Subtype/Form/BBox[{box}]/Length {len(form)}>>stream\n{form}\nendstream",
            )

    def _write_pictures(self) -> None:
        for index, picture in enumerate(self._pictures):
            place = self._NEXT + 2 * index
            mask = "" if picture.alpha is None else f"/SMask {place + 1} 0 R"
            self._image(place, picture, "/DeviceRGB", picture.colors, mask)
            if picture.alpha is not None:
                self._image(place + 1, picture, "/DeviceGray", picture.alpha, "")

    def _image(self, place: int, picture: Picture, space: str, samples: bytes, mask: str) -> None:
        self._begin_object(place)
        head = (
            f"<</Type/XObject/Subtype/Image/Width {picture.width}/Height {picture.height}/ColorSpace{space}"
            f"/BitsPerComponent 8/Filter/FlateDecode{mask}/Length {len(samples)}>>stream\n"
        )
        self._write(head.encode() + samples + b"\nendstream\nendobj\n")

    def _write_index(self) -> None:
        start = self._offset
        count = max(self._places) + 1
        entries = [b"0000000000 65535 f \n"]
        for place in range(1, count):
            offset = self._places.get(place)
            entries.append(b"0000000000 65535 f \n" if offset is None else b"%010d 00000 n \n" % offset)
        self._write(b"xref\n0 %d\n" % count + b"".join(entries))
        trailer = f"trailer<</Size {count}/Root {self._CATALOG} 0 R>>\nstartxref\n{start}\n%%EOF\n"
        self._write(trailer.encode())

    def _object(self, place: int, text: str) -> None:
        self._begin_object(place)
        self._write(text.encode() + b"\nendobj\n")

    def _begin_object(self, place: int) -> None:
        self._places[place] = self._offset
        self._write(b"%d 0 obj\n" % place)

    def _flush(self) -> None:
        text = "\n".join(self._pending) + "\n"
        self._pending, self._pending_size = [], 0
        self._write(self._compressor.compress(text.encode()))

    def _write(self, data: bytes) -> None:
        self._offset += len(data)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]
