"""Floors in metres on a sheet, and shapes of buildings; see draw_sheets.py."""
import math
import cairo


class Plan:
    """A floor in metres on a sheet: y down, the origin at a place of the sheet."""

    def __init__(self, sheet, x, y, scale, turn=0.0, style="solid", wall=0.36):
        self.sheet, self.x, self.y, self.k = sheet, x, y, 1000 / scale
        self.cos, self.sin, self.turn = math.cos(turn), math.sin(turn), turn
        self.style, self.wall = style, wall

    def at(self, x, y):
        x, y = x * self.k, y * self.k
        return self.x + x * self.cos - y * self.sin, self.y + x * self.sin + y * self.cos

    def walls(self, polygon, thickness, outer=True, closed=True):
        """Strokes walls along a polygon, whose edge they do not exceed."""
        if outer:
            polygon = inset(polygon, thickness / 2)
        points = [self.at(*p) for p in polygon]
        half = thickness / 2
        for x, y in polygon if outer else []:
            self.sheet.walls += [self.at(x + dx, y + dy) for dx in (-half, half) for dy in (-half, half)]
        c, width = self.sheet.c, thickness * self.k
        c.set_line_join(cairo.LINE_JOIN_MITER)

        def path():
            c.move_to(*points[0])
            for point in points[1:]: c.line_to(*point)
            if closed: c.close_path()

        path()
        c.set_source_rgb(0, 0, 0)
        c.set_line_width(width)
        c.stroke()
        fills = {"solid": None, "grey": (0.6, 0.6, 0.6), "outline": (1, 1, 1), "hatch": (1, 1, 1), "brick": (0.85, 0.45, 0.35)}
        fill = fills[self.style]
        if fill:
            path()
            c.set_source_rgb(*fill)
            c.set_line_width(max(0.05, width - 0.7))
            c.stroke()
        if self.style == "hatch": self.hatch(polygon, thickness, closed)

    def hatch(self, polygon, thickness, closed):
        for a, b in zip(polygon, polygon[1:] + polygon[:1] if closed else polygon[1:]):
            length = math.dist(a, b)
            if length == 0: continue
            ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
            h, t = thickness / 2, 0.0
            while t < length:
                p = (a[0] + ux * t - uy * h, a[1] + uy * t + ux * h)
                q = (a[0] + ux * min(length, t + thickness) + uy * h, a[1] + uy * min(length, t + thickness) - ux * h)
                self.sheet.line(self.at(*p), self.at(*q), width=0.13)
                t += max(0.12, 1.2 / self.k)

    def hole(self, x, y, w, h):
        self.sheet.line(*(self.at(*p) for p in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))), close=True,
            fill=(1, 1, 1), width=0)

    def window(self, x, y, length, across, wall):
        """A window in a wall whose outer edge begins at a point."""
        w, h = (length, wall) if across else (wall, length)
        self.hole(x, y, w, h)
        for i in range(3):
            if across: a, b = (x, y + wall * i / 2), (x + length, y + wall * i / 2)
            else: a, b = (x + wall * i / 2, y), (x + wall * i / 2, y + length)
            self.sheet.line(self.at(*a), self.at(*b), width=0.18)

    def door(self, x, y, size, across, wall):
        self.hole(x, y - 0.02, size, wall + 0.04) if across else self.hole(x - 0.02, y, wall + 0.04, size)
        hinge, end = ((x, y), (x, y - size)) if across else ((x, y), (x - size, y))
        self.sheet.line(self.at(*hinge), self.at(*end), width=0.25)
        c = self.sheet.c
        c.new_sub_path()
        start = math.pi * 1.5 if across else math.pi / 2
        px, py = self.at(*hinge)
        c.arc(px, py, size * self.k, start + self.turn, start + math.pi / 2 + self.turn)
        c.set_source_rgb(0, 0, 0)
        c.set_line_width(0.13)
        c.stroke()

    def rooms(self, x, y, w, h, least=4.0, names=("Büro", "Lager", "Flur", "WC")):
        """Cuts a rectangle into rooms with partitions and doors."""
        r, part = self.sheet.random, 0.15
        if max(w, h) > 2 * least and (w * h > 4 * least * least or r.random() < 0.7):
            share = r.uniform(0.35, 0.65)
            if w >= h:
                cut = x + w * share
                self.walls([(cut, y), (cut, y + h)], part, outer=False, closed=False)
                self.rooms(x, y, w * share, h, least, names)
                self.rooms(cut, y, w * (1 - share), h, least, names)
                self.door(cut - part / 2, y + h * r.uniform(0.2, 0.6), 0.9, False, part)
            else:
                cut = y + h * share
                self.walls([(x, cut), (x + w, cut)], part, outer=False, closed=False)
                self.rooms(x, y, w, h * share, least, names)
                self.rooms(x, cut, w, h * (1 - share), least, names)
                self.door(x + w * r.uniform(0.2, 0.6), cut - part / 2, 0.9, True, part)
            return
        px, py = self.at(x + w / 2, y + h / 2)
        self.sheet.text(px, py, r.choice(names), 2.2, align=0.5, angle=self.turn)
        self.sheet.text(px, py + 4, f"{w * h:.1f} m²", 1.8, align=0.5, angle=self.turn)
        if r.random() < 0.4:
            self.sheet.line(*(self.at(*p) for p in ((x + 0.8, y + 0.8), (x + 2, y + 0.8), (x + 2, y + 1.5), (x + 0.8, y + 1.5))), close=True, width=0.13)

    def building(self, polygon, rects, entrance=True, names=("Büro", "Lager", "Flur", "WC"), least=4.0):
        for rect in rects: self.rooms(*rect, names=names, least=least)
        self.walls(polygon, self.wall)
        for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1]):
            across, length = y0 == y1, abs(x1 - x0) + abs(y1 - y0)
            t = 1.5
            while t + 2 < length:
                # The wall is to the right of the clockwise outline.
                if across: self.window(x0 + t if x1 > x0 else x0 - t - 1.2, y0 if x1 > x0 else y0 - self.wall, 1.2, True, self.wall)
                else: self.window(x0 - self.wall if y1 > y0 else x0, y0 + t if y1 > y0 else y0 - t - 1.2, 1.2, False, self.wall)
                t += 3.0
        if entrance:
            (x0, y0), (x1, _) = polygon[0], polygon[1]
            self.door((x0 + x1) / 2, y0 + self.wall / 2 - 0.1, 1.2, True, 0.2)

    def stairs(self, x, y, w, h, steps=14):
        for i in range(steps + 1):
            self.sheet.line(self.at(x + w * i / steps, y), self.at(x + w * i / steps, y + h), width=0.13)
        self.sheet.line(self.at(x, y + h / 2), self.at(x + w, y + h / 2), width=0.13)

    def dimensions(self, x0, y0, x1, y1, sides="NESW", rows=2, gap=8):
        """Dimension lines around a rectangle."""
        s, r = self.sheet, self.sheet.random
        for side in sides:
            across = side in "NS"
            a, b = (x0, x1) if across else (y0, y1)
            for row in range(rows):
                distance = (gap + row * 8) / self.k
                level = {"N": y0 - distance, "S": y1 + distance, "W": x0 - distance, "E": x1 + distance}[side]
                cuts = [a, b] if row == rows - 1 else sorted([a, b] + [r.uniform(a, b) for _ in range(5)])
                ends = [(cuts[0], level), (cuts[-1], level)]
                s.line(*(self.at(*(p if across else p[::-1])) for p in ends), width=0.18)
                for cut in cuts:
                    px, py = self.at(*((cut, level) if across else (level, cut)))
                    s.line((px - 1, py + 1), (px + 1, py - 1), width=0.35)
                    s.line((px, py - 2), (px, py + 2), width=0.13) if across else s.line((px - 2, py), (px + 2, py), width=0.13)
                for p, q in zip(cuts, cuts[1:]):
                    if (q - p) * self.k > 9:
                        px, py = self.at(*(((p + q) / 2, level) if across else (level, (p + q) / 2)))
                        s.text(px - (0 if across else 1), py - 1, f"{q - p:.2f}", 1.8, align=0.5, angle=self.turn + (0 if across else -math.pi / 2))

    def grid(self, xs, ys, x0, y0, x1, y1, reach=18, radius=4):
        """Axes with bubbles at their ends."""
        s, d = self.sheet, reach / self.k
        for i, x in enumerate(xs):
            s.line(self.at(x, y0 - d), self.at(x, y1 + d), width=0.18, dash=[6, 1.5, 1, 1.5])
            for y in (y0 - d, y1 + d):
                px, py = self.at(x, y + (-radius if y < y0 else radius) / self.k)
                s.circle(px, py, radius, fill=(1, 1, 1))
                s.text(px, py + 1.3, str(i + 1), 2.8, align=0.5)
        for i, y in enumerate(ys):
            s.line(self.at(x0 - d, y), self.at(x1 + d, y), width=0.18, dash=[6, 1.5, 1, 1.5])
            for x in (x0 - d, x1 + d):
                px, py = self.at(x + (-radius if x < x0 else radius) / self.k, y)
                s.circle(px, py, radius, fill=(1, 1, 1))
                s.text(px, py + 1.3, "ABCDEFGHIJ"[i], 2.8, align=0.5)


def inset(polygon, distance):
    """A clockwise polygon with right angles (y down), moved inwards."""
    result, count = [], len(polygon)
    for i in range(count):
        (ax, ay), (bx, by), (cx, cy) = polygon[i - 1], polygon[i], polygon[(i + 1) % count]
        normals = [(-(y1 - y0) / math.dist((x0, y0), (x1, y1)), (x1 - x0) / math.dist((x0, y0), (x1, y1)))
            for (x0, y0), (x1, y1) in (((ax, ay), (bx, by)), ((bx, by), (cx, cy)))]
        result.append((bx + distance * (normals[0][0] + normals[1][0]), by + distance * (normals[0][1] + normals[1][1])))
    return result


def rectangle(w, h, x=0, y=0): return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)], [(x, y, w, h)]


def ell(w, h, a, b):
    """An L: the corner at the top right is missing, `a` wide and `b` high."""
    return [(0, 0), (w - a, 0), (w - a, b), (w, b), (w, h), (0, h)], [(0, 0, w - a, b), (0, b, w, h - b)]


def ring(w, h, d): return [(0, 0), (w, 0), (w, h), (0, h)], [(0, 0, w, d), (0, h - d, w, d), (0, d, d, h - 2 * d), (w - d, d, d, h - 2 * d)]


def you(w, h, a, b):
    """A U that is open at the bottom: the gap is `a` wide and `b` high."""
    l = (w - a) / 2
    return ([(0, 0), (w, 0), (w, h), (w - l, h), (w - l, h - b), (l, h - b), (l, h), (0, h)],
        [(0, 0, w, h - b), (0, h - b, l, b), (w - l, h - b, l, b)])
