"""A floor plan that says much in few strokes, for every program that can draw it.

A page of 600 x 400 points, y down. What a picture of it must show stands in `MARKS`: places and colours.
"""

import math

WIDTH, HEIGHT = 600, 400

# Widths of pens that people plot with, in points, from a hairline to an outer wall.
PENS = [0.1, 0.25, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0]

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
ROOM = (255, 236, 179)
GLASS = (0, 90, 200)
# Half of GLASS over paper, and over ROOM.
GLASS_ON_PAPER = (128, 172, 228)
GLASS_ON_ROOM = (128, 163, 190)

# Squares of 8 points around these places, by which a picture is measured.
CORNERS = [((20, 20), (220, 0, 0)), ((580, 20), (0, 160, 0)), ((580, 380), (0, 0, 220)), ((20, 380), BLACK)]

# Where a picture has which colour, well inside of an area.
MARKS = CORNERS + [
    ((100, 80), ROOM), ((300, 130), GLASS_ON_PAPER), ((190, 130), GLASS_ON_ROOM), ((300, 350), WHITE),
]


def square(centre, half):
    """The corners of a square around a place."""
    (x, y), h = centre, half
    return [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]


def areas():
    """Filled polygons in the order of drawing: corners, colour, opacity."""
    yield [(60, 60), (220, 60), (220, 200), (60, 200)], ROOM, 1
    yield [(160, 110), (340, 110), (340, 150), (160, 150)], GLASS, 0.5
    for centre, colour in CORNERS:
        yield square(centre, 4), colour, 1


def lines():
    """Strokes: from, to, width."""
    outer = [(60, 60), (540, 60), (540, 320), (60, 320), (60, 60)]
    for start, end in zip(outer, outer[1:]):
        yield start, end, 3.0
    yield (220, 60), (220, 200), 1.4
    yield (60, 200), (300, 200), 1.4
    yield (360, 200), (540, 200), 1.4
    # Every pen, upright and leaning, a centimetre apart.
    for index, pen in enumerate(PENS):
        x = 80 + 28.3 * index
        yield (x, 215), (x, 260), pen
        yield (x, 260), (x + 14, 305), pen
    # A hatch of a wall: 0.7 points apart at 45 degrees, in the thinnest pen.
    for step in range(0, 90, 2):
        yield (400 + step / 2, 90), (400 + step / 2 + 40, 130), 0.1
    # A door's swing.
    turn = [math.radians(angle) for angle in range(0, 91, 10)]
    arc = [(300 + 60 * math.sin(a), 200 - 60 * math.cos(a)) for a in turn]
    for start, end in zip(arc, arc[1:]):
        yield start, end, 0.5


def labels():
    """Texts: left end of the base line, height of the letters' square, degrees anticlockwise, words."""
    yield (70, 90), 12, 0, "Room 101"
    yield (250, 90), 5, 0, "Store 1.02, 12.4 m2"
    yield (530, 190), 9, 90, "Corridor"
    yield (400, 290), 14, 30, "Stairs"
