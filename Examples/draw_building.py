#!/usr/bin/env python3
"""Draws the example building: three floor plans, their positions, and the reference for checks.

All files come from one geometry in metres (x to the plan's right, y up, origin in the south-west corner
of the building), so the floors are exactly above one another:

    ground.png   transparent; rotated world file ground.pgw in UTM 31N, with ground.prj
    first.png    a white sheet with a margin and title block; control points first.png.points
    second.png   transparent, at another scale; the Makefile locates it by the anchor printed here
    building.geojson   outline, courtyard and rooms of each floor in WGS 84 longitude, latitude

Needs Pillow, the DejaVu fonts, and PROJ's cs2cs and projinfo, which compute every coordinate. The
results are committed; run this again only to change the building.
"""

import json
import math
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).parent

# The position of the building's centre (40, 25), on a field of the Beauce in France, and the compass bearing
# of the plan's up direction.
LONGITUDE, LATITUDE = 1.7300, 48.2170
BEARING = 17.0
CENTRE = (40.0, 25.0)
# Metres on the ground, undistorted: the ellipsoid's transverse Mercator, tangent at the centre.
LOCAL_PLANE = f"+proj=tmerc +lat_0={LATITUDE} +lon_0={LONGITUDE} +k=1 +datum=WGS84"
LONLAT = "+proj=longlat +datum=WGS84"
WORLD_FILE_CRS = "EPSG:32631"
CONTROL_POINT_CRS = "EPSG:3857"

OUTLINE = [(0, 0), (80, 0), (80, 38), (66, 38), (66, 50), (0, 50)]
OUTER_WALL, INNER_WALL = 0.48, 0.24
COURTYARD = [(24, 19), (56, 19), (56, 31), (24, 31)]

PALETTE = {
    "public": (253, 240, 217), "work": (222, 235, 247), "learn": (226, 241, 222),
    "service": (237, 233, 240), "core": (226, 226, 228), "way": (248, 247, 243),
    "void": (246, 246, 246), "open": (232, 240, 224), "court": (206, 227, 196),
}
WALL, LINE, FAINT, TEXT = (62, 66, 74), (104, 110, 120), (168, 173, 181), (50, 54, 62)
GLASS, LEAF = (214, 232, 240), (150, 182, 138)
# Not the paper's white, which is to become transparent.
OBJECT = (253, 253, 253)
PAPER = (255, 255, 255)


@dataclass
class Room:
    name: str
    kind: str
    ring: list
    holes: list = field(default_factory=list)
    furniture: str = ""

    def area(self):
        return ring_area(self.ring) - sum(ring_area(hole) for hole in self.holes)

    def box(self):
        """The rectangle for furniture and label: from the ring's first corner to its third."""
        (x0, y0), (x1, y1) = self.ring[0], self.ring[2]
        return x0, y0, x1, y1


@dataclass
class Door:
    """An opening centred on (x, y) in a wall that runs across ('h') or up ('v').

    Its leaf swings to `side`: +1 is up or right, -1 down or left, 0 an opening without a leaf.
    """
    x: float
    y: float
    wall: str
    side: int
    width: float = 1.2
    hinge: int = -1


@dataclass
class Floor:
    name: str
    rooms: list
    doors: list


def ring_area(ring):
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1])) / 2


def rect(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def room(name, kind, *box, furniture=""):
    return Room(name, kind, rect(*box), furniture=furniture)


# The rooms of every floor: the corridors round the courtyard, stairs, lifts, toilets.
def shared_rooms():
    return [
        Room("", "way", rect(20, 15, 60, 35), [COURTYARD]),
        room("", "way", 0, 15, 20, 18),
        room("Stairs A", "core", 12, 27, 20, 35, furniture="stairs"),
        room("Stairs B", "core", 60, 25, 68, 35, furniture="stairs"),
        room("Toilets", "service", 12, 18, 20, 27, furniture="toilets"),
    ]


def shared_doors():
    return [
        Door(20, 33.6, "v", -1, 1.8), Door(60, 33.6, "v", 1, 1.8), Door(20, 20.5, "v", -1),
        Door(20, 16.5, "v", 0, 2.76), Door(2, 18, "h", 1),
    ]


EAST_BLOCK = [(68, 18), (80, 18), (80, 38), (66, 38), (66, 35), (68, 35)]

GROUND = Floor("Ground floor", shared_rooms() + [
    room("", "way", 60, 15, 80, 18),
    room("Toilets", "service", 60, 18, 68, 25, furniture="toilets"),
    room("Kitchen", "service", 0, 0, 14, 15, furniture="counter"),
    room("Café", "public", 14, 0, 32, 15, furniture="tables"),
    room("Entrance hall", "public", 32, 0, 48, 15, furniture="reception"),
    room("Shop", "public", 48, 0, 62, 15, furniture="shelves"),
    room("Workshop", "work", 62, 0, 80, 15, furniture="benches"),
    Room("Seminar room", "learn", EAST_BLOCK, furniture="desks"),
    room("Office", "work", 0, 18, 12, 27, furniture="desks"),
    room("Store", "service", 0, 27, 12, 35, furniture="shelves"),
    room("Library", "learn", 0, 35, 26, 50, furniture="shelves"),
    room("Reading room", "learn", 26, 35, 44, 50, furniture="tables"),
    room("Lecture hall", "learn", 44, 35, 66, 50, furniture="seats"),
], shared_doors() + [
    Door(40, 0, "h", 1, 3.0), Door(0, 16.5, "v", 1, 1.8), Door(80, 16.5, "v", -1, 1.8),
    Door(40, 15, "h", 0, 10), Door(60, 16.5, "v", 0, 2.76),
    Door(24, 25, "v", 1, 1.8), Door(56, 25, "v", -1, 1.8),
    Door(25, 15, "h", -1, 1.8), Door(54, 15, "h", -1, 1.8), Door(14, 5, "v", -1),
    Door(11, 15, "h", -1), Door(70, 15, "h", -1, 1.8), Door(74, 18, "h", 1, 1.8),
    Door(60, 22.5, "v", 1), Door(6, 35, "h", -1), Door(22.5, 35, "h", 1, 1.8),
    Door(35, 35, "h", 1, 1.8), Door(52, 35, "h", 1, 1.8),
])

FIRST = Floor("First floor", shared_rooms() + [
    room("", "way", 60, 15, 80, 18),
    room("Toilets", "service", 60, 18, 68, 25, furniture="toilets"),
    room("Studio 1.1", "work", 0, 0, 16, 15, furniture="benches"),
    room("Studio 1.2", "work", 16, 0, 32, 15, furniture="benches"),
    room("Void over hall", "void", 32, 0, 48, 15, furniture="void"),
    room("Class 1.3", "learn", 48, 0, 62, 15, furniture="desks"),
    room("Class 1.4", "learn", 62, 0, 80, 15, furniture="desks"),
    Room("Staff room", "public", EAST_BLOCK, furniture="tables"),
    room("Office", "work", 0, 18, 6, 35, furniture="desks"),
    room("Archive", "service", 6, 18, 12, 35, furniture="shelves"),
    room("Media room", "learn", 0, 35, 24, 50, furniture="seats"),
    room("Class 1.5", "learn", 24, 35, 38, 50, furniture="desks"),
    room("Class 1.6", "learn", 38, 35, 52, 50, furniture="desks"),
    room("Laboratory", "work", 52, 35, 66, 50, furniture="benches"),
], shared_doors() + [
    Door(60, 16.5, "v", 0, 2.76), Door(10, 15, "h", -1),
    Door(29, 15, "h", -1), Door(51, 15, "h", -1), Door(70, 15, "h", -1), Door(74, 18, "h", 1, 1.8),
    Door(60, 22.5, "v", 1), Door(8.5, 18, "h", 1), Door(22, 35, "h", 1, 1.8),
    Door(27, 35, "h", 1), Door(41, 35, "h", 1), Door(55, 35, "h", 1),
])

SECOND = Floor("Second floor", shared_rooms() + [
    room("Restaurant", "public", 0, 0, 26, 15, furniture="tables"),
    room("Kitchen", "service", 26, 0, 40, 15, furniture="counter"),
    room("Meeting room", "work", 40, 0, 60, 15, furniture="tables"),
    Room("Roof terrace", "open",
         [(60, 0), (80, 0), (80, 25), (80, 38), (66, 38), (66, 35), (68, 35), (68, 25), (60, 25)],
         furniture="planters"),
    room("Administration", "work", 0, 18, 12, 35, furniture="desks"),
    room("Gallery", "public", 0, 35, 30, 50, furniture="plinths"),
    room("Lounge", "public", 30, 35, 50, 50, furniture="tables"),
    room("Plant room", "service", 50, 35, 66, 50, furniture="counter"),
], shared_doors() + [
    Door(22.5, 15, "h", -1, 1.8), Door(26, 12, "v", 1),
    Door(46, 15, "h", -1, 1.8), Door(60, 20, "v", 1, 1.8), Door(24, 35, "h", 1, 1.8),
    Door(38, 35, "h", 1, 1.8), Door(54, 35, "h", 1),
])


# Positions

def on_the_ground(points):
    """East and north in the local plane of points of the plan."""
    sine, cosine = math.sin(math.radians(BEARING)), math.cos(math.radians(BEARING))
    offsets = [(x - CENTRE[0], y - CENTRE[1]) for x, y in points]
    return [(x * cosine + y * sine, y * cosine - x * sine) for x, y in offsets]


def project(ground_points, crs):
    """Coordinates in `crs` (easting, northing or longitude, latitude), by PROJ's cs2cs."""
    text = "".join(f"{east:.9f} {north:.9f}\n" for east, north in ground_points)
    lines = subprocess.run(
        ["cs2cs", "-f", "%.11f", *LOCAL_PLANE.split(), "+to", *crs.split()],
        input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    return [tuple(float(word) for word in line.split()[:2]) for line in lines]


def well_known_text(crs, variant):
    return subprocess.run(
        ["projinfo", "-q", "--single-line", "-o", variant, crs],
        capture_output=True, text=True, check=True).stdout.strip()


@dataclass
class Sheet:
    """The paper of one floor: pixels per metre, and metres of paper round the building."""
    scale: int
    left: float
    right: float
    top: float
    bottom: float

    def size(self):
        return (round((80 + self.left + self.right) * self.scale),
                round((50 + self.top + self.bottom) * self.scale))

    def pixel(self, x, y):
        """Column and row of a point of the plan, from the image's top-left corner."""
        return (x + self.left) * self.scale, (50 + self.top - y) * self.scale

    def plan(self, column, row):
        return column / self.scale - self.left, 50 + self.top - row / self.scale


GROUND_SHEET = Sheet(20, 3, 3, 3, 3)
FIRST_SHEET = Sheet(22, 4, 4, 4, 13)
SECOND_SHEET = Sheet(25, 2, 2, 2, 2)


def write_world_file(sheet, name):
    """Writes six numbers that refer to pixel centres. Over 80 m, an affine map is accurate to 0.1 mm."""
    width, height = sheet.size()
    centres = [(0.5, 0.5), (width - 0.5, 0.5), (0.5, height - 0.5)]
    origin, right, down = project(
        on_the_ground([sheet.plan(*centre) for centre in centres]), WORLD_FILE_CRS)
    numbers = [
        (right[0] - origin[0]) / (width - 1), (right[1] - origin[1]) / (width - 1),
        (down[0] - origin[0]) / (height - 1), (down[1] - origin[1]) / (height - 1), *origin]
    (HERE / f"{name}.pgw").write_text("".join(f"{number:.12f}\n" for number in numbers))
    (HERE / f"{name}.prj").write_text(well_known_text(WORLD_FILE_CRS, "WKT1_ESRI") + "\n")


# Corners that were clicked on the sheet and surveyed outside: the plan's point, the error of the
# click in pixels, the error of the survey in metres east and north.
CONTROL_POINTS = [
    ((0, 0), (0.3, -0.4), (0.021, -0.013)),
    ((80, 0), (-0.2, 0.1), (-0.034, 0.008)),
    ((66, 50), (0.4, 0.3), (0.012, 0.027)),
    ((0, 50), (-0.1, -0.3), (-0.018, -0.022)),
    ((56, 19), (0.2, 0.4), (0.026, 0.005)),
]


def write_control_points(sheet, name):
    """A QGIS .points file: columns from the left edge, rows negative down from the top edge."""
    surveyed = []
    for point, _, (east_error, north_error) in CONTROL_POINTS:
        (east, north), = on_the_ground([point])
        surveyed.append((east + east_error, north + north_error))
    lines = [f"#CRS: {well_known_text(CONTROL_POINT_CRS, 'WKT2:2019')}",
             "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual"]
    for (point, click, _), (x, y) in zip(CONTROL_POINTS, project(surveyed, CONTROL_POINT_CRS)):
        column, row = sheet.pixel(*point)
        lines.append(f"{x:.6f},{y:.6f},{column + click[0]:.2f},{-(row + click[1]):.2f},1,0,0,0")
    (HERE / f"{name}.png.points").write_text("\n".join(lines) + "\n")


def anchor_options(sheet):
    """The options that locate a floor by its north-west corner, scale and bearing."""
    (longitude, latitude), = project(on_the_ground([(0, 50)]), LONLAT)
    column, row = sheet.pixel(0, 50)
    return (f"--anchor {column:g},{row:g},{longitude:.9f},{latitude:.9f} "
            f"--scale {1 / sheet.scale:g} --bearing {BEARING:g}")


def feature(rings, **properties):
    # RFC 7946: outer rings run counter-clockwise, holes clockwise; the last point is the first.
    turned = [rings[0]] + [hole[::-1] for hole in rings[1:]]
    coordinates = [
        [[round(value, 9) for value in point]
         for point in project(on_the_ground(ring + ring[:1]), LONLAT)]
        for ring in turned]
    return {"type": "Feature", "properties": properties,
            "geometry": {"type": "Polygon", "coordinates": coordinates}}


def write_geojson(floors):
    features = [feature([OUTLINE, COURTYARD], kind="outline"),
                feature([COURTYARD], kind="courtyard")]
    for number, floor in enumerate(floors):
        features += [feature([r.ring, *r.holes], kind="room", floor=number, name=r.name)
                     for r in floor.rooms if r.name]
    body = ",\n".join(json.dumps(f, ensure_ascii=False) for f in features)
    (HERE / "building.geojson").write_text(
        f'{{"type": "FeatureCollection", "features": [\n{body}\n]}}\n')


# Appearance

# The index of the transparent colour in a palette.
CLEAR = 127

# Shapes are drawn four times as large and averaged, because Pillow's shapes have hard edges.
OVERSAMPLING = 4


class Drawing:
    """A canvas with coordinates in metres of the plan."""

    def __init__(self, sheet, background):
        self.sheet = sheet
        self.image = Image.new("RGB", tuple(OVERSAMPLING * n for n in sheet.size()), background)
        self.draw = ImageDraw.Draw(self.image)
        self.metre = sheet.scale * OVERSAMPLING

    def at(self, x, y):
        column, row = self.sheet.pixel(x, y)
        return column * OVERSAMPLING, row * OVERSAMPLING

    def box(self, x0, y0, x1, y1, fill=None, outline=None, width=0.06):
        (left, bottom), (right, top) = self.at(x0, y0), self.at(x1, y1)
        # Pillow includes the last pixel.
        self.draw.rectangle((left, top, right - 1, bottom - 1), fill, outline,
                            round(width * self.metre))

    def polygon(self, ring, fill):
        self.draw.polygon([self.at(*point) for point in ring], fill)

    def line(self, points, fill=LINE, width=0.06):
        self.draw.line([self.at(*p) for p in points], fill, round(width * self.metre), "curve")

    def circle(self, x, y, radius, fill=None, outline=LINE, width=0.06):
        column, row = self.at(x, y)
        reach = radius * self.metre
        self.draw.ellipse((column - reach, row - reach, column + reach, row + reach), fill, outline,
                          round(width * self.metre))

    def arc(self, x, y, radius, start, end):
        column, row = self.at(x, y)
        reach = radius * self.metre
        self.draw.arc((column - reach, row - reach, column + reach, row + reach), start, end, LINE,
                      round(0.05 * self.metre))

    def font(self, height, bold):
        name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
        return ImageFont.truetype(name, round(height * self.metre))

    def text(self, x, y, words, height, fill=TEXT, bold=False, anchor="mm"):
        self.draw.text(self.at(x, y), words, fill, self.font(height, bold), anchor)

    def length(self, words, height, bold):
        return self.draw.textlength(words, self.font(height, bold)) / self.metre

    def wall(self, ring, thickness, fill=WALL):
        half = thickness / 2
        for (x0, y0), (x1, y1) in edges(ring):
            self.box(min(x0, x1) - half, min(y0, y1) - half,
                     max(x0, x1) + half, max(y0, y1) + half, fill)

    def finished(self):
        return self.image.reduce(OVERSAMPLING)


def edges(ring):
    return list(zip(ring, ring[1:] + ring[:1]))


def grid(x0, y0, x1, y1, step_x, step_y):
    """Centres of as many cells of about the given size as fit into a rectangle."""
    across, up = max(1, int(abs(x1 - x0) / step_x)), max(1, int(abs(y1 - y0) / step_y))
    return [(x0 + (x1 - x0) * (i + 0.5) / across, y0 + (y1 - y0) * (j + 0.5) / up)
            for j in range(up) for i in range(across)]


def draw_stairs(d, x0, y0, x1, y1, _):
    lift = (x0 + 0.8, y0 + 0.8, x0 + 3.2, y0 + 3.2)
    d.box(*lift, OBJECT, LINE, 0.1)
    d.line([lift[:2], lift[2:]])
    d.line([(lift[0], lift[3]), (lift[2], lift[1])])
    left, right, low, high = x0 + 3.8, x1 - 0.6, y0 + 0.6, y1 - 2.6
    middle, first_tread = (left + right) / 2, low + 1.2
    d.box(left, low, right, high, (240, 240, 241), LINE)
    for i in range(int((high - first_tread) / 0.3) + 1):
        d.line([(left, first_tread + 0.3 * i), (right, first_tread + 0.3 * i)], FAINT, 0.05)
    d.box(middle - 0.1, first_tread, middle + 0.1, high, OBJECT, LINE, 0.05)
    d.line([(left + 0.8, high - 0.2), (left + 0.8, low + 0.6), (right - 0.8, low + 0.6),
            (right - 0.8, high - 0.4)], LINE, 0.08)
    d.polygon([(right - 1.05, high - 0.6), (right - 0.8, high), (right - 0.55, high - 0.6)], LINE)


def draw_void(d, x0, y0, x1, y1, _):
    d.line([(x0, y0), (x1, y1)], FAINT)
    d.line([(x0, y1), (x1, y0)], FAINT)


def draw_tables(d, x0, y0, x1, y1, free):
    for x, y in free(grid(x0 + 1, y0 + 1.2, x1 - 1, y1 - 1.2, 3.6, 3.4), 1.3, 1.3):
        for dx, dy in [(0.95, 0), (-0.95, 0), (0, 0.95), (0, -0.95)]:
            d.circle(x + dx, y + dy, 0.28, OBJECT, FAINT)
        d.circle(x, y, 0.65, OBJECT, FAINT)


def draw_worktops(d, box, free, wide, deep):
    x0, y0, x1, y1 = box
    places = grid(x0 + 1, y0 + 1.2, x1 - 1, y1 - 1.2, 1.9 * wide, 3.2)
    for x, y in free(places, wide / 2, deep / 2 + 0.7):
        d.box(x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2, OBJECT, FAINT)
        d.circle(x, y - deep / 2 - 0.4, 0.27, OBJECT, FAINT)


def draw_desks(d, x0, y0, x1, y1, free):
    draw_worktops(d, (x0, y0, x1, y1), free, 1.5, 0.7)


def draw_benches(d, x0, y0, x1, y1, free):
    draw_worktops(d, (x0, y0, x1, y1), free, 2.6, 1.1)


def draw_shelves(d, x0, y0, x1, y1, free):
    for x, y in free(grid(x0 + 1, y0 + 1.2, x1 - 1, y1 - 1.2, 2.2, 4.6), 0.3, 1.7):
        d.box(x - 0.3, y - 1.7, x + 0.3, y + 1.7, OBJECT, FAINT)
        d.line([(x, y - 1.7), (x, y + 1.7)], FAINT)


def draw_seats(d, x0, y0, x1, y1, free):
    for x, y in free(grid(x0 + 1.5, y0 + 2.2, x1 - 4, y1 - 1.2, 0.9, 1.2), 0.3, 0.3):
        d.box(x - 0.3, y - 0.3, x + 0.3, y + 0.3, OBJECT, FAINT)
    middle = (y0 + y1) / 2
    d.box(x1 - 2.2, middle - 3, x1 - 1.2, middle + 3, OBJECT, FAINT)


def draw_counter(d, x0, y0, x1, y1, _):
    d.box(x0 + 0.6, y0 + 0.6, x1 - 0.6, y0 + 1.4, OBJECT, FAINT)
    stove = (x0 + 2.6, y1 - 4.6, x1 - 2.6, y1 - 3.4)
    d.box(*stove, OBJECT, FAINT)
    for x, y in grid(*stove, 2, 1.2):
        d.circle(x, y, 0.3, None, FAINT)


def draw_reception(d, x0, y0, x1, y1, free):
    d.box(x0 + 1.2, y0 + 3, x0 + 2.2, y1 - 4, OBJECT, FAINT)
    for x, y in free(grid(x1 - 5, y0 + 2, x1 - 1, y1 - 3, 2, 3), 0.5, 0.9):
        d.box(x - 0.5, y - 0.9, x + 0.5, y + 0.9, OBJECT, FAINT)


def draw_toilets(d, x0, y0, x1, _, __):
    for x, y in grid(x0 + 0.3, y0 + 0.3, x0 + 4.7, y0 + 2, 1.1, 1.7):
        d.box(x - 0.55, y0 + 0.3, x + 0.55, y0 + 2, None, LINE)
        d.circle(x, y0 + 0.8, 0.22, OBJECT, FAINT)


def draw_plinths(d, x0, y0, x1, y1, free):
    for x, y in free(grid(x0 + 1, y0 + 1.2, x1 - 1, y1 - 1.2, 5, 5), 0.6, 0.6):
        d.box(x - 0.6, y - 0.6, x + 0.6, y + 0.6, OBJECT, FAINT)


def draw_planters(d, x0, y0, x1, y1, free):
    for x, y in free(grid(x0 + 1, y0 + 1, x1 - 1, y1 - 1, 5, 5), 1, 1):
        d.circle(x, y, 1.0, PALETTE["court"], LEAF)
        d.circle(x, y, 0.35, None, LEAF)


FURNITURE = {
    "stairs": draw_stairs, "void": draw_void, "tables": draw_tables, "desks": draw_desks,
    "benches": draw_benches, "shelves": draw_shelves, "seats": draw_seats, "counter": draw_counter,
    "reception": draw_reception, "toilets": draw_toilets, "plinths": draw_plinths,
    "planters": draw_planters,
}


def draw_furniture(d, r):
    """Furnishes a room, except where its label is."""
    left, bottom, right, top = label_box(d, r)

    def free(places, reach_x, reach_y):
        return [(x, y) for x, y in places
                if x + reach_x < left or x - reach_x > right
                or y + reach_y < bottom or y - reach_y > top]

    FURNITURE[r.furniture](d, *r.box(), free)


def draw_windows(d, ring, corners, doors, open_air, window=2.2, pitch=3.5):
    """Windows along a ring's walls, where no partition, door or open air meets them."""
    taken = list(corners) + [(door.x, door.y) for door in doors]
    for (x0, y0), (x1, y1) in edges(ring):
        for x, y in grid(x0, y0, x1, y1, pitch, pitch):
            if any(math.hypot(x - cx, y - cy) < window / 2 + 0.9 for cx, cy in taken):
                continue
            if any(lies_on((x, y), edge) for edge in open_air):
                continue
            along_x, along_y = (window / 2, 0) if y0 == y1 else (0, window / 2)
            dx, dy = max(along_x, 0.14), max(along_y, 0.14)
            d.box(x - dx, y - dy, x + dx, y + dy, GLASS)
            d.line([(x - along_x, y - along_y), (x + along_x, y + along_y)], LINE, 0.05)


def lies_on(point, edge):
    (x, y), ((x0, y0), (x1, y1)) = point, edge
    return min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1)


def draw_leaf(d, door, hinge_offset, width, toward):
    """One leaf of a door, open by a right angle, and the quarter circle it sweeps."""
    if door.wall == "h":
        x, y = door.x + hinge_offset, door.y
        d.line([(x, y), (x, y + door.side * width)], LINE, 0.08)
        start = {(1, 1): 270, (-1, 1): 180, (1, -1): 0, (-1, -1): 90}[(toward, door.side)]
    else:
        x, y = door.x, door.y + hinge_offset
        d.line([(x, y), (x + door.side * width, y)], LINE, 0.08)
        start = {(1, 1): 270, (1, -1): 180, (-1, 1): 0, (-1, -1): 90}[(toward, door.side)]
    d.arc(x, y, width, start, start + 90)


def draw_door(d, door):
    outer = any(lies_on((door.x, door.y), edge) for edge in edges(OUTLINE) + edges(COURTYARD))
    half, deep = door.width / 2, (OUTER_WALL if outer else INNER_WALL) / 2
    dx, dy = (half, deep) if door.wall == "h" else (deep, half)
    d.box(door.x - dx, door.y - dy, door.x + dx, door.y + dy, PALETTE["way"])
    if door.side == 0:
        return
    if door.width >= 1.6:
        draw_leaf(d, door, -half, half, 1)
        draw_leaf(d, door, half, half, -1)
    else:
        draw_leaf(d, door, door.hinge * half, door.width, -door.hinge)


def draw_courtyard(d):
    d.polygon(COURTYARD, PALETTE["court"])
    d.box(27, 24.2, 53, 25.8, (232, 228, 214))
    for x, y in [(29, 21.6), (35, 28.6), (42, 21.4), (48.5, 28.4), (52, 21.8), (28.4, 28.2)]:
        d.circle(x, y, 1.5, (178, 208, 164), LEAF)
        d.circle(x, y, 0.18, LEAF, None)
    d.text(40, 28.9, "Courtyard", 0.95, (88, 116, 78))


def label_lines(r):
    """The lines of a room's label: words, height in metres, colour, whether bold."""
    if r.furniture == "stairs":
        return [(r.name, 0.75, TEXT, False)]
    x0, _, x1, _ = r.box()
    return [(r.name, 0.75 if x1 - x0 < 10 else 1.05, TEXT, True),
            (f"{r.area():.0f} m²", 0.7, LINE, False)]


def label_place(r):
    x0, y0, x1, y1 = r.box()
    return (x0 + x1) / 2, y1 - 1.4 if r.furniture == "stairs" else (y0 + y1) / 2


def label_box(d, r):
    x, y = label_place(r)
    longest = max(d.length(words, height, bold) for words, height, _, bold in label_lines(r))
    reach = longest / 2 + 0.3
    return x - reach, y - 1.1, x + reach, y + 1.1


def draw_label(d, r):
    x, y = label_place(r)
    lines = label_lines(r)
    if len(lines) > 1:
        y += 0.4
        d.box(*label_box(d, r), PALETTE[r.kind])
    for i, (words, height, colour, bold) in enumerate(lines):
        d.text(x, y - 1.05 * i, words, height, colour, bold)


def draw_floor(d, floor):
    named = [r for r in floor.rooms if r.name]
    corners = [corner for r in floor.rooms for corner in r.ring]
    for r in floor.rooms:
        d.polygon(r.ring, PALETTE[r.kind])
    for r in named:
        draw_furniture(d, r)
    draw_courtyard(d)
    for r in floor.rooms:
        d.wall(r.ring, INNER_WALL)
    d.wall(OUTLINE, OUTER_WALL)
    d.wall(COURTYARD, 0.36)
    open_air = [edge for r in floor.rooms if r.kind == "open" for edge in edges(r.ring)]
    draw_windows(d, OUTLINE, corners, floor.doors, open_air)
    draw_windows(d, COURTYARD, COURTYARD, floor.doors, open_air, 3.2, 4)
    for x, y in [(x, y) for x in (24, 32, 40, 48, 56) for y in (19, 31)]:
        d.box(x - 0.3, y - 0.3, x + 0.3, y + 0.3, WALL)
    for door in floor.doors:
        draw_door(d, door)
    for r in named:
        draw_label(d, r)


def draw_north_arrow(d, x, y, radius):
    # Up on the sheet has the bearing BEARING, so north is turned to the left of up by the same angle.
    angle = math.radians(90 + BEARING)

    def at(turn, reach=radius):
        return x + reach * math.cos(angle + turn), y + reach * math.sin(angle + turn)

    d.circle(x, y, radius, None, LINE, 0.08)
    d.polygon([at(0), at(math.radians(150)), (x, y)], WALL)
    d.polygon([at(0), at(math.radians(-150)), (x, y)], FAINT)
    d.text(*at(0, radius + 0.8), "N", 1, bold=True)


def draw_title_block(d, title):
    """The sheet's frame and, below the building, the title block with north arrow and scale bar."""
    d.box(-3, -12, 83, 53, None, WALL, 0.12)
    d.line([(-3, -3), (83, -3)], WALL, 0.12)
    for x in (20, 34, 60):
        d.line([(x, -12), (x, -3)], LINE, 0.08)
    d.text(-1.5, -6.2, "House of the Example", 1.5, bold=True, anchor="lm")
    d.text(-1.5, -9.2, "a building that was never built", 0.95, LINE, anchor="lm")
    draw_north_arrow(d, 27, -7.9, 2.6)
    for i in range(4):
        d.box(37 + 5 * i, -8, 42 + 5 * i, -7.4, WALL if i % 2 == 0 else PAPER, WALL)
    for metres in (0, 10, 20):
        d.text(37 + metres, -9.2, f"{metres} m", 0.9, LINE)
    d.text(61.5, -5.6, title, 1.5, bold=True, anchor="lm")
    d.text(61.5, -8, "Sheet 2 of 3", 0.95, LINE, anchor="lm")
    d.text(61.5, -10, "drawn by draw_building.py", 0.95, LINE, anchor="lm")


def transparent_outside(sheet, image):
    """Cuts the building out. Around it, the sheet has the walls' colour, so that no edge is pale."""
    mask = Drawing(sheet, (0, 0, 0))
    mask.polygon(OUTLINE, PAPER)
    mask.wall(OUTLINE, OUTER_WALL, PAPER)
    image.putalpha(mask.finished().convert("L"))
    return image


def in_few_colours(image):
    """The image with a palette: the commonest colours, so that fills stay exact, and a transparent one."""
    opaque = image.convert("RGB")
    counted = [colour for _, colour in sorted(opaque.getcolors(1 << 24), reverse=True)]
    palette = counted[:CLEAR]
    nearest = {colour: min(range(CLEAR), key=lambda i: math.dist(colour, palette[i]))
               for colour in counted}
    few = Image.new("P", image.size)
    few.putpalette([value for colour in palette + [PAPER] for value in colour])
    samples = opaque.tobytes()
    few.putdata([nearest[c] for c in zip(samples[0::3], samples[1::3], samples[2::3])])
    few.paste(CLEAR, mask=image.getchannel("A").point(lambda alpha: 255 if alpha < 128 else 0))
    return few


def draw_plan(floor, sheet, paper):
    built = sum(r.area() for r in floor.rooms)
    if abs(built - (ring_area(OUTLINE) - ring_area(COURTYARD))) > 1e-6:
        raise ValueError(f"the rooms of the {floor.name.lower()} overlap or leave a gap")
    drawing = Drawing(sheet, PAPER if paper else WALL)
    draw_floor(drawing, floor)
    if paper:
        draw_title_block(drawing, floor.name)
        return drawing.finished()
    return transparent_outside(sheet, drawing.finished())


def main():
    draw_plan(GROUND, GROUND_SHEET, paper=False).save(HERE / "ground.png", optimize=True)
    write_world_file(GROUND_SHEET, "ground")
    draw_plan(FIRST, FIRST_SHEET, paper=True).save(HERE / "first.png", optimize=True)
    write_control_points(FIRST_SHEET, "first")
    in_few_colours(draw_plan(SECOND, SECOND_SHEET, paper=False)).save(
        HERE / "second.png", optimize=True, transparency=CLEAR)
    print("second.png:", anchor_options(SECOND_SHEET))
    write_geojson([GROUND, FIRST, SECOND])


if __name__ == "__main__":
    main()
