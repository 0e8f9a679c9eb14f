"""A writer of PDF for what no program writes when asked: objects as bytes, and a table of where they are."""

import math

import plan


class Document:
    """Objects by number, from 1; the first is the catalogue."""

    def __init__(self):
        self.objects = [b"", b""]
        self.pages = []
        self.catalogue = b""

    def add(self, body):
        """Keeps an object; gives its number."""
        self.objects.append(body if isinstance(body, bytes) else body.encode("latin-1"))
        return len(self.objects)

    def stream(self, data, entries=""):
        """Keeps a stream; gives its number."""
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        head = f"<< /Length {len(data)} {entries} >>\nstream\n".encode("latin-1")
        return self.add(head + data + b"\nendstream")

    def page(self, content, resources="", entries="", box=(0, 0, plan.WIDTH, plan.HEIGHT)):
        """Adds a page; gives its number."""
        number = self.stream(content)
        edges = " ".join(f"{edge:g}" for edge in box)
        body = f"<< /Type /Page /Parent 2 0 R /MediaBox [{edges}] /Contents {number} 0 R"
        self.pages.append(self.add(f"{body} /Resources << {resources} >> {entries} >>"))
        return self.pages[-1]

    def bytes(self, version="1.7"):
        """The file."""
        kids = " ".join(f"{page} 0 R" for page in self.pages)
        self.objects[0] = b"<< /Type /Catalog /Pages 2 0 R " + self.catalogue + b" >>"
        self.objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode()
        data, offsets = f"%PDF-{version}\n%\xe2\xe3\xcf\xd3\n".encode("latin-1"), []
        for number, body in enumerate(self.objects, 1):
            offsets.append(len(data))
            data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
        count = len(self.objects) + 1
        trailer = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
        return data + f"xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}".encode()


def rgb(colour):
    """A colour as operands."""
    return " ".join(f"{value / 255:.4f}" for value in colour)


def polygon(points):
    """A path."""
    first, *others = [f"{x:g} {plan.HEIGHT - y:g}" for x, y in points]
    return f"{first} m " + " ".join(f"{point} l" for point in others) + " h"


# The half-transparent state that `content` names.
GLASS = "/ExtGState << /Glass << /ca 0.5 >> >>"
FONT = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"


def content(texts=False, pens=None):
    """The plan in operators of PDF; it needs `GLASS`, and `FONT` with its texts.

    pens: a width for all lines, in the place of their own.
    """
    parts = []
    for points, colour, opacity in plan.areas():
        state = "/Glass gs " if opacity < 1 else ""
        parts.append(f"q {state}{rgb(colour)} rg {polygon(points)} f Q")
    for (x0, y0), (x1, y1), width in plan.lines():
        width = width if pens is None else pens
        parts.append(f"{width:g} w {x0:g} {plan.HEIGHT - y0:g} m {x1:g} {plan.HEIGHT - y1:g} l S")
    if texts:
        parts += [text(*label) for label in plan.labels()]
    return "\n".join(parts)


def text(place, size, angle, words):
    """A text in the font F."""
    (x, y), a = place, math.radians(angle)
    turn = f"{math.cos(a):.5f} {math.sin(a):.5f} {-math.sin(a):.5f} {math.cos(a):.5f}"
    return f"BT /F {size:g} Tf {turn} {x:g} {plan.HEIGHT - y:g} Tm ({words}) Tj ET"
