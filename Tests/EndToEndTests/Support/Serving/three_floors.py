"""Draws the plans of an office with three floors, a sheet A1 at 1:100 for each, and says where it is.

    three_floors.py FOLDER

Writes FOLDER/plans.pdf and FOLDER/walls.geojson, the middle of the outer walls. Needs pycairo.
"""

import json
import math
import sys
from pathlib import Path

# Sheets in millimetres, as ISO 216 has A1.
WIDTH, HEIGHT = 841, 594
# The middle of the outer walls on a sheet: left, top, width and height; and what is not the building.
WALLS = (90, 120, 480, 300)
TITLE = (641, 514, 190, 70)
LEGEND = (731, 30, 100, 90)
SCALE = 100
FLOORS = 3

# Where the middle of the building is, and its bearing: its own up is turned so many degrees to the east.
LONGITUDE, LATITUDE, BEARING = 8.5417, 47.3769, 17


def on_sheet(x, y):
    """Millimetres from a sheet's top left for metres in the building, right and up from the walls' corner."""
    left, top, _, height = WALLS
    return left + x * 1000 / SCALE, top + height - y * 1000 / SCALE


def on_earth(x, y):
    """Longitude and latitude for metres in the building, by the radii of curvature of WGS 84."""
    x, y = x - WALLS[2] * SCALE / 2000, y - WALLS[3] * SCALE / 2000
    turn, phi = math.radians(BEARING), math.radians(LATITUDE)
    east, north = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    axis, flattening = 6378137, 1 / 298.257223563
    squared = flattening * (2 - flattening)
    root = math.sqrt(1 - squared * math.sin(phi) ** 2)
    meridian = axis * (1 - squared) / root ** 3
    # The prime vertical where the point is: the building spans tens of metres.
    latitude = phi + north / meridian
    normal = axis / math.sqrt(1 - squared * math.sin(latitude) ** 2)
    return [LONGITUDE + math.degrees(east / (normal * math.cos(latitude))), math.degrees(latitude)]


CORNERS = [(0, 0), (WALLS[2] / 10, 0), (WALLS[2] / 10, WALLS[3] / 10), (0, WALLS[3] / 10)]


class Sheet:
    """A sheet that is drawn in millimetres."""

    def __init__(self, context, number):
        self.context, self.number = context, number
        context.save()
        context.scale(72 / 25.4, 72 / 25.4)
        context.set_source_rgb(1, 1, 1)
        context.paint()
        context.set_source_rgb(0, 0, 0)
        context.select_font_face("DejaVu Sans")

    def box(self, x, y, width, height, pen):
        self.context.set_line_width(pen)
        self.context.rectangle(x, y, width, height)
        self.context.stroke()

    def line(self, x, y, end_x, end_y, pen):
        self.context.set_line_width(pen)
        self.context.move_to(x, y)
        self.context.line_to(end_x, end_y)
        self.context.stroke()

    def text(self, x, y, size, words):
        self.context.set_font_size(size)
        self.context.move_to(x, y)
        self.context.show_text(words)

    def draw(self):
        self.box(20, 10, WIDTH - 30, HEIGHT - 20, 0.7)
        self.draw_title()
        self.draw_legend()
        self.draw_walls()
        self.draw_hatch()
        self.draw_dimensions()
        self.context.restore()

    def draw_title(self):
        x, y, width, height = TITLE
        self.box(*TITLE, 0.35)
        lines = ["Office", f"Floor {self.number}", "Scale 1:100", "2026-11-01", f"A-10{self.number}"]
        for index, words in enumerate(lines):
            self.line(x, y + height * index / 5, x + width, y + height * index / 5, 0.35)
            self.text(x + 3, y + height * (index + 0.7) / 5, 5, words)

    def draw_legend(self):
        x, y, _, _ = LEGEND
        self.box(*LEGEND, 0.35)
        self.text(x + 3, y + 7, 5, "Legend")
        for index in range(5):
            self.box(x + 3, y + 12 + 15 * index, 14, 8, 0.35)
            self.text(x + 20, y + 18 + 15 * index, 4, f"Wall type {index + 1}")

    def draw_walls(self):
        x, y, width, height = WALLS
        # The outer walls are 30 cm thick, the others 15 cm.
        self.box(*WALLS, 3)
        for row in (120, 180):
            self.line(x, y + row, x + width, y + row, 1.5)
        for column in range(60, width, 60):
            self.line(x + column, y, x + column, y + 120, 1.5)
            self.line(x + column, y + 180, x + column, y + height, 1.5)
        for index in range(8):
            self.text(x + 60 * index + 12, y + 60, 8, f"{self.number}{index + 1:02}")

    def draw_hatch(self):
        """A room that differs from floor to floor."""
        x, y = WALLS[0] + 60 * self.number, WALLS[1] + 180
        self.context.save()
        self.context.rectangle(x, y, 60, 120)
        self.context.clip()
        for shift in range(-120, 60, 3):
            self.line(x + shift, y, x + shift + 120, y + 120, 0.25)
        self.context.restore()

    def draw_dimensions(self):
        x, y, width, height = WALLS
        self.line(x, y - 15, x + width, y - 15, 0.18)
        for column in range(0, width + 1, 60):
            self.line(x + column, y - 18, x + column, y - 12, 0.18)
        self.line(x - 15, y, x - 15, y + height, 0.18)
        for row in (0, 120, 180, height):
            self.line(x - 18, y + row, x - 12, y + row, 0.18)


def draw(folder):
    # Only who draws needs it.
    import cairo

    surface = cairo.PDFSurface(str(folder / "plans.pdf"), WIDTH * 72 / 25.4, HEIGHT * 72 / 25.4)
    context = cairo.Context(surface)
    for number in range(FLOORS):
        Sheet(context, number).draw()
        context.show_page()
    surface.finish()
    ring = [on_earth(*corner) for corner in CORNERS + CORNERS[:1]]
    (folder / "walls.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [{
        "type": "Feature", "properties": {"kind": "outline"},
        "geometry": {"type": "Polygon", "coordinates": [ring]}}]}))


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
