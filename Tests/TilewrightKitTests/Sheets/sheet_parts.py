"""Sheets in millimetres, and what is around the drawings on them; see draw_sheets.py."""
import math, random
import cairo

POINTS = 72 / 25.4
SIZES = {"A3": (420, 297), "A2": (594, 420), "A1": (841, 594), "A0": (1189, 841), "D": (914.4, 609.6)}


class Sheet:
    """A page in millimetres, with the rectangles that are known of it."""

    def __init__(self, path, size, portrait=False, seed=1, font="DejaVu Sans"):
        w, h = SIZES[size]
        self.w, self.h = (h, w) if portrait else (w, h)
        self.surface = cairo.PDFSurface(path, self.w * POINTS, self.h * POINTS)
        self.c = cairo.Context(self.surface)
        self.c.scale(POINTS, POINTS)
        self.random = random.Random(seed)
        self.font, self.walls, self.outside = font, [], []

    # Primitives

    def line(self, *points, width=0.18, dash=None, close=False, fill=None, color=(0, 0, 0)):
        c = self.c
        c.set_dash(dash or [])
        c.move_to(*points[0])
        for point in points[1:]: c.line_to(*point)
        if close: c.close_path()
        if fill:
            c.set_source_rgb(*fill)
            c.fill_preserve()
        c.set_source_rgb(*color)
        c.set_line_width(width)
        if width: c.stroke()
        else: c.new_path()
        c.set_dash([])

    def box(self, x, y, w, h, **style):
        self.line((x, y), (x + w, y), (x + w, y + h), (x, y + h), close=True, **style)

    def circle(self, x, y, r, width=0.18, fill=None):
        self.c.new_sub_path()
        self.c.arc(x, y, r, 0, 2 * math.pi)
        if fill:
            self.c.set_source_rgb(*fill)
            self.c.fill_preserve()
        self.c.set_source_rgb(0, 0, 0)
        self.c.set_line_width(width)
        self.c.stroke()

    def text(self, x, y, text, size=2.5, angle=0, bold=False, align=0.0, color=(0, 0, 0)):
        """Writes a text; returns its width. `align` is the share of the width left of the point."""
        c = self.c
        weight = cairo.FONT_WEIGHT_BOLD if bold else cairo.FONT_WEIGHT_NORMAL
        c.select_font_face(self.font, cairo.FONT_SLANT_NORMAL, weight)
        c.set_font_size(size * 1.4)
        width = c.text_extents(text).x_advance
        c.save()
        c.translate(x, y)
        c.rotate(angle)
        c.move_to(-width * align, 0)
        c.set_source_rgb(*color)
        c.show_text(text)
        c.restore()
        return width

    def lines_of_text(self, x, y, texts, size=2.5, step=1.9, **style):
        widths = [self.text(x, y + (i + 1) * size * step, text, size, **style) for i, text in enumerate(texts)]
        return x, y, x + max(widths), y + (len(texts) + 0.4) * size * step

    def keep_out(self, left, top, right, bottom): self.outside.append([left, top, right, bottom])

    # Parts of sheets

    def frame(self, left=10, top=10, right=10, bottom=10, width=0.7):
        self.box(left, top, self.w - left - right, self.h - top - bottom, width=width)

    def zones(self, edge, gap):
        """A double frame with letters and numbers between its lines."""
        self.frame(edge, edge, edge, edge, 0.25)
        inner = edge + gap
        self.frame(inner, inner, inner, inner, 0.7)
        for count, length, across in ((8, self.w, True), (6, self.h, False)):
            step = (length - 2 * inner) / count
            for i in range(count):
                place, middle = inner + i * step, inner + (i + 0.5) * step
                for far in (edge, (self.h if across else self.w) - inner):
                    if across:
                        if i: self.line((place, far), (place, far + gap))
                        self.text(middle, far + gap * 0.75, str(i + 1), 2.5, align=0.5)
                    else:
                        if i: self.line((far, place), (far + gap, place))
                        self.text(far + gap / 2, middle, "ABCDEFGH"[i], 2.5, align=0.5)

    def table(self, x, y, w, rows, columns=1, row=7, texts=None, size=2.2, width=0.25):
        texts = texts or ["Index", "Datum", "gez.", "Bemerkung"]
        self.box(x, y, w, rows * row, width=width * 2)
        for i in range(1, rows): self.line((x, y + i * row), (x + w, y + i * row), width=width)
        for i in range(1, columns): self.line((x + w * i / columns, y), (x + w * i / columns, y + rows * row), width=width)
        for i in range(rows):
            for j in range(columns):
                text = texts[(i * columns + j) % len(texts)]
                if self.random.random() < 0.85:
                    self.text(x + w * j / columns + 1.5, y + (i + 0.7) * row, text, size)

    def logo(self, x, y, w, h):
        """A picture, as of an office's sign."""
        pixels = cairo.ImageSurface(cairo.FORMAT_RGB24, 120, 60)
        c = cairo.Context(pixels)
        gradient = cairo.LinearGradient(0, 0, 120, 60)
        gradient.add_color_stop_rgb(0, 0.1, 0.3, 0.5)
        gradient.add_color_stop_rgb(1, 0.9, 0.5, 0.1)
        c.set_source(gradient)
        c.paint()
        c.set_source_rgb(1, 1, 1)
        c.arc(30, 30, 20, 0, 6.3)
        c.fill()
        self.c.save()
        self.c.translate(x, y)
        self.c.scale(w / 120, h / 60)
        self.c.set_source_surface(pixels, 0, 0)
        self.c.paint()
        self.c.restore()

    def north(self, x, y, r=10, angle=0.3):
        self.circle(x, y, r)
        tip = (x + r * 1.3 * math.sin(angle), y - r * 1.3 * math.cos(angle))
        for side, fill in ((1, (0, 0, 0)), (-1, (1, 1, 1))):
            wing = (x + side * r * 0.4 * math.cos(angle), y + side * r * 0.4 * math.sin(angle))
            self.line(tip, wing, (x, y), close=True, fill=fill)
        self.text(tip[0], tip[1] - 2, "N", 3.5, align=0.5, bold=True)

    def scale_bar(self, x, y, unit=10, count=5):
        for i in range(count):
            self.box(x + i * unit, y, unit, 2.5, fill=(0, 0, 0) if i % 2 == 0 else (1, 1, 1))
            self.text(x + i * unit, y - 1.5, str(i), 2, align=0.5)
        self.text(x + count * unit, y - 1.5, f"{count} m", 2, align=0.5)

    def key_plan(self, x, y, w, h, boxed=True):
        if boxed: self.box(x, y, w, h)
        self.line((x + w * 0.15, y + h * 0.2), (x + w * 0.8, y + h * 0.2), (x + w * 0.8, y + h * 0.5),
            (x + w * 0.45, y + h * 0.5), (x + w * 0.45, y + h * 0.8), (x + w * 0.15, y + h * 0.8), close=True)
        self.box(x + w * 0.45, y + h * 0.2, w * 0.35, h * 0.3, fill=(0.35, 0.35, 0.35))
        self.text(x + w * 0.5, y + h * 0.95, "key plan", 2, align=0.5)

    def legend(self, x, y, texts, title="Legende", boxed=True, size=2.5, step=7):
        """Swatches with their meanings."""
        right = x
        self.text(x + 3, y + 6, title, size * 1.4, bold=True)
        for i, text in enumerate(texts):
            top = y + 10 + i * step
            self.box(x + 3, top, 9, step * 0.6, fill=[(0, 0, 0), (1, 1, 1), (0.7, 0.7, 0.7), (0.9, 0.8, 0.6)][i % 4])
            if i % 4 == 1:
                for k in range(1, 5): self.line((x + 3 + 2 * k - 1, top), (x + 3 + 2 * k - 1.6, top + step * 0.6))
            right = max(right, x + 16 + self.text(x + 15, top + step * 0.5, text, size))
        bottom = y + 12 + len(texts) * step
        if boxed: self.box(x, y, right + 3 - x, bottom - y, width=0.35)
        self.keep_out(x, y, right + (3 if boxed else 0), bottom)

    def done(self, name):
        left, top = min(p[0] for p in self.walls), min(p[1] for p in self.walls)
        right, bottom = max(p[0] for p in self.walls), max(p[1] for p in self.walls)
        for x0, y0, x1, y1 in self.outside:
            assert x1 < left - 2 or x0 > right + 2 or y1 < top - 2 or y0 > bottom + 2, (name, "overlap", (left, top, right, bottom), (x0, y0, x1, y1))
        assert left > 5 and top > 5 and right < self.w - 5 and bottom < self.h - 5, (name, left, top, right, bottom)
        self.surface.finish()
        return {"name": name, "size": [self.w, self.h], "walls": [left, top, right, bottom], "outside": self.outside}
