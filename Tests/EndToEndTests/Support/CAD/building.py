"""Walls, doors and stairs: a floor that is behind what each drawing shows."""

import math

from sheet import Point, Sheet

WALL = 0.3


def floor(sheet: Sheet, rooms: int = 4) -> None:
    """Outer walls, a corridor and rooms on both sides of it, with doors."""
    sheet.layer("WALLS", 7, 50)
    sheet.layer("DOORS", 3, 25)
    sheet.layer("WINDOWS", 5, 35)
    sheet.layer("NAMES", 1, 35)
    w, h = sheet.width - 1, sheet.height - 1
    sheet.frame(1, 1, w, h, "WALLS")
    sheet.frame(1 + WALL, 1 + WALL, w - WALL, h - WALL, "WALLS")
    low, high = h / 2 - 0.6, h / 2 + 1.4
    sheet.line((1 + WALL, low), (w - WALL, low), "WALLS")
    sheet.line((1 + WALL, high), (w - WALL, high), "WALLS")
    step = (w - 1) / rooms
    for number in range(rooms):
        x = 1 + number * step
        if number > 0:
            sheet.line((x, 1 + WALL), (x, low), "WALLS")
            sheet.line((x, high), (x, h - WALL), "WALLS")
        door(sheet, (x + 0.8, low), -90)
        door(sheet, (x + 0.8, high), 90)
        window(sheet, (x + step / 2 - 0.9, 1))
        window(sheet, (x + step / 2 - 0.9, h - WALL))
        sheet.text(f"R {number + 1}", (x + 0.6, 1.7), 0.45, "NAMES")
        sheet.text(f"R {number + 11}", (x + 0.6, h - 1.3), 0.45, "NAMES")


def door(sheet: Sheet, hinge: Point, angle: float, width: float = 0.9) -> None:
    """A leaf that is open, and its swing."""
    x, y = hinge
    turn = math.radians(angle)
    sheet.line(hinge, (x + width * math.cos(turn), y + width * math.sin(turn)), "DOORS")
    start, end = (angle, 0) if angle < 0 else (0, angle)
    sheet.space.add_arc(sheet.at(x, y), sheet.long(width), start, end, dxfattribs={"layer": "DOORS"})


def window(sheet: Sheet, corner: Point, width: float = 1.8) -> None:
    """A window in a wall."""
    x, y = corner
    sheet.frame(x, y + 0.08, x + width, y + WALL - 0.08, "WINDOWS")
    sheet.line((x, y + WALL / 2), (x + width, y + WALL / 2), "WINDOWS")


def marks(sheet: Sheet) -> None:
    """Two squares and a circle in the corridor, far from each other."""
    y = (sheet.height - 1) / 2 + 0.4
    sheet.mark(2.2, y, 0.9)
    sheet.mark(sheet.width / 2, y, 0.8)
    # R12 has no areas with round edges.
    sheet.mark(sheet.width - 2.6, y, 0.9, "square" if sheet.doc.dxfversion <= "AC1009" else "circle")
