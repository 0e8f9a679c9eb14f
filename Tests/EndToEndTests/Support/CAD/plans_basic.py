"""Drawings whose units, places and blocks differ."""

import math
import pathlib

from building import door, floor, marks
from sheet import Sheet


def old(folder: pathlib.Path) -> Sheet:
    """R12 without units: bulges, old polylines, blocks, umlauts of a code page."""
    sheet = Sheet("old", "R12", "none")
    sheet.doc.encoding = "cp1252"
    sheet.ground()
    floor(sheet)
    sheet.layer("MÖBEL", 6)
    sheet.on_anchor(10.0, 53.55, 0)
    marks(sheet)
    sheet.space.add_polyline2d(
        [(*sheet.at(3, 9.4), sheet.long(0.1), sheet.long(0.1), 0.5),
         (*sheet.at(6, 9.4), sheet.long(0.1), sheet.long(0.3), 0), (*sheet.at(6, 10.6), 0, 0, 0)],
        format="xyseb", dxfattribs={"layer": "MÖBEL"})
    table = sheet.doc.blocks.new("TISCH")
    table.add_circle((0, 0), sheet.long(0.6), dxfattribs={"layer": "MÖBEL"})
    for angle in range(0, 360, 60):
        x, y = (sheet.long(0.9) * f(math.radians(angle)) for f in (math.cos, math.sin))
        table.add_circle((x, y), sheet.long(0.2), dxfattribs={"color": 0})
    sheet.space.add_blockref("TISCH", sheet.at(9.5, 3.6), {"color": 4, "layer": "MÖBEL"})
    sheet.space.add_blockref("TISCH", sheet.at(15.5, 3.6), {"color": 30, "xscale": 1.3, "yscale": 0.8, "rotation": 25})
    sheet.text("Büro Süd, Größe 24 m²", (12.4, 11), 0.35, "NAMES")
    sheet.text("Übergang", (7.6, 10.6), 0.4, "NAMES", rotation=20, oblique=15, width=0.9)
    sheet.spec["warnings"] = ["INSUNITS"]
    sheet.spec["layers"] = {"MÖBEL": "shown", "WALLS": "shown"}
    return sheet


def far(folder: pathlib.Path) -> Sheet:
    """Metres in a national grid, millions of units from the origin, in a binary file."""
    sheet = Sheet("far", "R2018", "m")
    sheet.on_grid()
    sheet.is_binary = True
    floor(sheet)
    marks(sheet)
    sheet.layer("STAIRS", 4, 30)
    for step in range(12):
        sheet.line((14 + 0.3 * step, 9.2), (14 + 0.3 * step, 11), "STAIRS")
    sheet.space.add_circle(sheet.at(4, 10.6), 0.8, {"layer": "STAIRS", "lineweight": 100})
    sheet.space.add_mtext("HALL\\P24 m²", {"insert": sheet.at(8.5, 11), "char_height": 0.4, "layer": "NAMES"})
    return sheet


def blocks(folder: pathlib.Path) -> Sheet:
    """Blocks in blocks, mirrored, stretched, in rows, with attributes, colours and weights of the block reference."""
    sheet = Sheet("blocks", "R2000", "cm")
    sheet.on_grid()
    floor(sheet)
    sheet.layer("CHAIRS", 30, 40)
    u = sheet.long
    chair = sheet.doc.blocks.new("CHAIR")
    chair.add_lwpolyline(
        [(0, 0), (u(0.5), 0), (u(0.5), u(0.5)), (0, u(0.5))], close=True,
        dxfattribs={"color": 0, "lineweight": -2, "linetype": "BYBLOCK"})
    chair.add_line((u(0.1), u(0.4)), (u(0.4), u(0.4)), {"layer": "CHAIRS"})
    chair.add_circle((u(0.25), u(0.2)), u(0.1), {"color": 0})
    desk = sheet.doc.blocks.new("DESK")
    desk.add_lwpolyline([(0, 0), (u(1.6), 0), (u(1.6), u(0.8)), (0, u(0.8))], close=True)
    desk.add_blockref("CHAIR", (u(0.5), u(0.9)), {"color": 0, "lineweight": -2})
    desk.add_blockref("CHAIR", (u(1.2), u(-0.2)), {"color": 1, "rotation": 180, "lineweight": 70})
    desk.add_attdef("NUMBER", (u(0.2), u(0.2)), dxfattribs={"height": u(0.35), "color": 0})
    desk.add_attdef("SECRET", (u(0.2), u(0.6)), dxfattribs={"height": u(0.3), "flags": 1})
    group = sheet.doc.blocks.new("*U12")
    group.add_blockref("DESK", (0, 0), {"color": 3})
    group.add_blockref("DESK", (u(2.2), 0), {"xscale": -1, "color": 0, "rotation": 30})
    for number, options in enumerate([
        {}, {"xscale": -1}, {"yscale": -1, "color": 1}, {"rotation": 35, "color": 5, "lineweight": 100},
        {"xscale": 1.2, "yscale": 0.7, "rotation": -20, "color": 6},
    ]):
        place = sheet.at(3 + 4 * number, 3 + 0.4 * number)
        desk_ref = sheet.space.add_blockref("DESK", place, {"layer": "CHAIRS", **options})
        if number == 2:
            # Some programs write this. ezdxf would mend it here.
            desk_ref.dxf.__dict__["zscale"] = 0.0
        desk_ref.add_auto_attribs({"NUMBER": f"N{number}", "SECRET": "nobody sees this"})
        for attribute in desk_ref.attribs:
            attribute.is_invisible = attribute.dxf.tag == "SECRET"
    sheet.space.add_blockref("*U12", sheet.at(4, 9.6), {"layer": "CHAIRS", "color": 210, "lineweight": 50})
    sheet.space.add_blockref("CHAIR", sheet.at(13, 9), {
        "column_count": 5, "row_count": 3, "column_spacing": u(1.0), "row_spacing": u(0.9), "rotation": 12,
        "color": 140, "linetype": "DASHED2", "ltscale": 0.01, "layer": "CHAIRS", "lineweight": 40,
    })
    return sheet


def feet(folder: pathlib.Path) -> Sheet:
    """Feet, turned on the map; traces, old solids and thick lines."""
    sheet = Sheet("feet", "R2004", "ft")
    sheet.ground()
    floor(sheet)
    sheet.on_anchor(-0.1, 54.2, 23)
    marks(sheet)
    sheet.layer("PIPES", 150, 140)
    sheet.path([(2, 3), (5, 3), (5, 5), (9, 5)], "PIPES", lineweight=140)
    sheet.path([(2, 4), (4, 4), (4, 5.2), (9, 5.2)], "PIPES", lineweight=70, color=10)
    sheet.space.add_trace(sheet.all([(12, 3), (12, 3.3), (16, 4), (16, 5)]), {"color": 92})
    sheet.fill([(18, 3), (20, 3), (19, 5)], "PIPES")
    door(sheet, (20, 9.5), 90, 1.4)
    return sheet


def hatches(folder: pathlib.Path) -> Sheet:
    """Solid and pattern hatches with islands and curved edges; GEODATA whose north is not up."""
    sheet = Sheet("hatches", "R2010", "mm")
    sheet.on_geodata((0.3, 1.0))
    floor(sheet)
    marks(sheet)
    u = sheet.long
    sheet.layer("HATCH", 8, 25)
    brick = sheet.space.add_hatch(color=1, dxfattribs={"layer": "HATCH"})
    brick.set_pattern_fill("ANSI31", color=1, scale=u(0.1), angle=10)
    brick.paths.add_polyline_path(sheet.all([(2, 2.6), (6, 2.6), (6, 5.6), (2, 5.6)]), is_closed=True, flags=1)
    brick.paths.add_polyline_path(sheet.all([(3, 3.4), (5, 3.4), (4, 5)]), is_closed=True, flags=16)
    cross = sheet.space.add_hatch(color=4, dxfattribs={"layer": "HATCH"})
    cross.set_pattern_fill("ANSI37", color=4, scale=u(0.15))
    edges = cross.paths.add_edge_path(flags=1)
    edges.add_line(sheet.at(8, 3), sheet.at(11, 3))
    edges.add_arc(sheet.at(11, 4), u(1), -90, 90)
    edges.add_line(sheet.at(11, 5), sheet.at(8, 5))
    edges.add_arc(sheet.at(8, 4), u(1), 90, 270)
    solid = sheet.space.add_hatch(color=40, dxfattribs={"layer": "HATCH", "hatch_style": 0})
    for size, flags in ((1.5, 1), (1.0, 16), (0.5, 16)):
        solid.paths.add_edge_path(flags=flags).add_ellipse(sheet.at(15, 4.1), (u(size), 0), 0.7, 0, 360)
    dots = sheet.space.add_hatch(color=6, dxfattribs={"layer": "HATCH", "lineweight": 50})
    dots.set_pattern_fill("EARTH", color=6, scale=u(0.2))
    dots.paths.add_polyline_path(
        [(*sheet.at(18.5, 2.6), 0.4), (*sheet.at(21.5, 2.6), 0), (*sheet.at(21.5, 5), -0.3), (*sheet.at(18.5, 5), 0)],
        is_closed=True, flags=1)
    lines = sheet.space.add_hatch(color=94, dxfattribs={"layer": "HATCH"})
    lines.set_pattern_fill("USER", color=94, definition=[
        [45, (0, 0), (u(-0.2), u(0.2)), []], [0, (0, 0), (0, u(0.35)), [u(0.3), u(-0.2)]]])
    lines.paths.add_edge_path(flags=1).add_spline(
        control_points=sheet.all([(3, 9), (6, 8.8), (7, 12), (3, 12), (2, 10), (3, 9)]), degree=3,
        knot_values=[0, 0, 0, 0, 1, 2, 3, 3, 3, 3])
    polygon = sheet.space.add_mpolygon(color=5, fill_color=51, dxfattribs={"layer": "HATCH"})
    polygon.paths.add_polyline_path(sheet.all([(14, 9), (19, 9), (19, 11.6), (14, 11.6)]), is_closed=True)
    polygon.paths.add_polyline_path(sheet.all([(15, 9.6), (18, 9.6), (16.5, 11)]), is_closed=True)
    return sheet


def colours(folder: pathlib.Path) -> Sheet:
    """Gradients, transparency, true colours, and what is white on a black screen."""
    sheet = Sheet("colours", "R2013", "m")
    sheet.on_grid()
    floor(sheet)
    sheet.layer("GLASS", 4, 35)
    sheet.doc.layers.get("GLASS").transparency = 0.5
    sheet.layer("SIGNS", 7, 50, true_color=0xC04080)
    for number in range(4):
        x = 2 + 3 * number
        area = sheet.space.add_hatch(dxfattribs={"layer": "GLASS", "true_color": 0x3060C0 + 0x204000 * number})
        area.paths.add_polyline_path(sheet.all([(x, 2.6), (x + 4, 2.6), (x + 4, 5), (x, 5)]), is_closed=True)
        area.transparency = 0.2 + 0.2 * number
    sheet.path([(2, 3), (10, 3), (10, 4.6), (18, 4.6)], "SIGNS", lineweight=120)
    sheet.path([(15, 3), (22, 3)], "GLASS", lineweight=140)
    grey = sheet.space.add_hatch(color=8)
    grey.paths.add_polyline_path(sheet.all([(18, 9), (22, 9), (22, 12), (18, 12)]), is_closed=True)
    white = sheet.space.add_hatch(dxfattribs={"true_color": 0xFFFFFF})
    white.paths.add_polyline_path(sheet.all([(19, 9.6), (21, 9.6), (20, 11.4)]), is_closed=True)
    sheet.line((14, 9), (17, 12), "0", true_color=0xFFFFFF, lineweight=70)
    sheet.line((14, 10), (17, 13 - 0.6), "0", color=255, lineweight=70)
    sheet.line((14, 9.5), (17, 12.5), "0", color=7, lineweight=70)
    shaded = sheet.space.add_hatch()
    shaded.set_gradient((200, 40, 40), (40, 40, 200), name="LINEAR", rotation=30)
    shaded.paths.add_polyline_path(sheet.all([(8, 9), (12, 9), (12, 12), (8, 12)]), is_closed=True)
    sheet.text("grün", (3, 10), 0.6, "SIGNS", true_color=0x108030)
    return sheet
