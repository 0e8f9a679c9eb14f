"""Drawings of texts, dimensions, curves and line types."""

import math
import pathlib

from ezdxf.enums import TextEntityAlignment
from ezdxf.math import OCS, Vec2

from building import floor
from sheet import Sheet


def texts(folder: pathlib.Path) -> Sheet:
    """Texts of many lines: columns, colours, fractions, alignments; a font that is not there."""
    sheet = Sheet("texts", "R2018", "mm")
    sheet.on_grid()
    floor(sheet, 3)
    u = sheet.long
    sheet.doc.styles.add("OLD", font="nosuchfont.shx")
    sheet.doc.styles.add("SERIF", font="DejaVuSerif.ttf")
    sheet.spec["warnings"] += ["nosuchfont"]
    # The font in its place is not ezdxf's.
    sheet.spec["unlike"] = [[3.8, 6.8, 8.6, 7.7]]
    sheet.layer("TEXT", 7, 35)
    sheet.space.add_mtext(
        r"{\C1;Red} {\C5;blue} \H1.4x;large\H0.7x; {\LUnderlined\l} m{\H0.7x;\S2^ ;} and \S3/4; "
        r"{\fDejaVu Serif|b0;serif}",
        {"insert": sheet.at(2, 12), "char_height": u(0.35), "width": u(7), "layer": "TEXT"})
    sheet.space.add_mtext_static_columns(
        ["First column of\nwords in a room", "Second column\nof fewer words"], u(4.4), u(0.8), u(3),
        {"insert": sheet.at(9.4, 12), "char_height": u(0.35), "layer": "TEXT"})
    sheet.space.add_mtext(
        "A paragraph that is wrapped at the width of its frame, for it is too long.",
        {"insert": sheet.at(2, 5.6), "char_height": u(0.35), "width": u(5), "rotation": 4, "layer": "TEXT",
         "line_spacing_factor": 1.2})
    for number, place in enumerate(range(1, 10)):
        x, y = 11 + 3.2 * (number % 3), 2.9 + 1.2 * (number // 3)
        # Of letters that reach below the line, ezdxf has another middle than CAD.
        sheet.space.add_mtext("HALL", {
            "insert": sheet.at(x, y), "char_height": u(0.35), "attachment_point": place, "layer": "TEXT"})
        sheet.line((x - 0.3, y), (x + 0.3, y), "DOORS")
    for number, align in enumerate(["LEFT", "CENTER", "RIGHT", "MIDDLE_CENTER"]):
        text = sheet.text(align.lower(), (20, 9 + 0.8 * number), 0.35, "TEXT", style="SERIF")
        text.set_placement(sheet.at(20.3, 8.9 + 0.8 * number), align=TextEntityAlignment[align])
    sheet.text("Round %%c20 45%%d %%p0", (10, 7), 0.4, "TEXT")
    sheet.text("OLD FONT", (4, 7), 0.45, "TEXT", style="OLD")
    sheet.text("back", (20, 7), 0.5, "TEXT", text_generation_flag=2)
    return sheet


def dimensions(folder: pathlib.Path) -> Sheet:
    """Dimensions of all kinds, and leaders."""
    sheet = Sheet("dimensions", "R2010", "m", 26, 16)
    sheet.on_grid()
    floor(sheet)
    sheet.layer("DIMS", 2, 25)
    sheet.doc.dimstyles.new("PLAN", dxfattribs={
        "dimtxsty": "Standard", "dimtxt": 0.3, "dimasz": 0.25, "dimexe": 0.1, "dimexo": 0.1, "dimgap": 0.1,
        "dimclrd": 1, "dimclre": 3, "dimclrt": 5, "dimtad": 1, "dimdec": 2, "dimlfac": 1.0, "dimscale": 1.0,
        # A comma reaches below the line, which ezdxf does not count.
        "dimdsep": ord("."),
    })
    sheet.doc.dimstyles.duplicate_entry("PLAN", "TICKS")
    ticks = sheet.doc.dimstyles.get("TICKS")
    ticks.dxf.dimtsz = 0.15
    space, at, look = sheet.space, sheet.at, {"layer": "DIMS"}
    common = {"dimstyle": "PLAN", "dxfattribs": look}
    space.add_linear_dim(at(0, 0.2), at(1, 1), at(25, 1), **common).render()
    space.add_linear_dim(at(0.3, 0), at(1, 1), at(1, 15), angle=90, dimstyle="TICKS", dxfattribs=look).render()
    space.add_multi_point_linear_dim(
        at(0, 15.6), sheet.all([(1, 15), (7.25, 15), (13.5, 15), (25, 15)]), dimstyle="TICKS", dxfattribs=look)
    # CAD draws what is not rendered.
    space.add_aligned_dim(at(3, 3), at(6, 5), 0.6, **common)
    space.add_angular_dim_2l(
        at(10.6, 4), (at(8, 3), at(11, 3)), (at(8, 3), at(10.5, 5.4)), **common).render()
    space.add_angular_dim_3p(at(15.5, 4.6), at(14, 3), at(16.5, 3.2), at(14.5, 5.4), **common)
    space.add_arc_dim_cra(at(20, 3), 1.6, 20, 110, 0.7, **common).render()
    space.add_arc(at(20, 3), 1.6, 20, 110)
    for x, kind in ((4, "radius"), (10, "diameter")):
        space.add_circle(at(x, 11.6), 1.2)
        maker = space.add_radius_dim if kind == "radius" else space.add_diameter_dim
        maker(center=at(x, 11.6), radius=1.2, angle=35, **common).render()
    space.add_ordinate_x_dim(at(16, 10), Vec2(0.4, 1.6), origin=at(1, 1), **common).render()
    space.add_ordinate_y_dim(at(18, 10), Vec2(1.6, 0.5), origin=at(1, 1), **common).render()
    space.add_leader(sheet.all([(20, 10), (21, 11.6), (23, 11.6)]), "PLAN", dxfattribs=look)
    space.add_point(at(22, 12.6), {"layer": "Defpoints"})
    return sheet


def curves(folder: pathlib.Path) -> Sheet:
    """Inches: splines, ellipses, wide polylines with bulges."""
    sheet = Sheet("curves", "R2000", "in")
    sheet.ground()
    floor(sheet, 3)
    sheet.on_anchor(10.0, 53.55, 300)
    sheet.layer("CURVES", 6, 50)
    look = {"layer": "CURVES"}
    spline = sheet.space.add_spline(degree=3, dxfattribs=look)
    spline.set_open_uniform(sheet.all([(2, 3), (3, 5.6), (5, 2.6), (7, 5.4), (7.6, 3)]), degree=3)
    sheet.space.add_spline(sheet.all([(2, 10), (4, 12.4), (6, 9), (7.5, 12)]), dxfattribs={**look, "color": 1})
    closed = sheet.space.add_spline(dxfattribs={**look, "color": 5})
    closed.set_open_uniform(sheet.all([(9, 10), (11, 12.4), (14, 11), (12, 9), (9, 10)]), degree=3)
    rational = sheet.space.add_spline(dxfattribs={**look, "color": 30})
    rational.set_open_rational(sheet.all([(9, 3), (11, 6), (13, 2.4), (15, 5)]), weights=[1, 3, 0.5, 1], degree=3)
    ellipse = sheet.space.add_ellipse
    ellipse(sheet.at(18.5, 4), (sheet.long(2), sheet.long(0.8)), 0.45, dxfattribs=look)
    ellipse(sheet.at(18.5, 4), (sheet.long(1.2), 0), 0.5, 0.5, 4.2, {**look, "lineweight": 100})
    sheet.space.add_arc(sheet.at(18, 10), sheet.long(1.6), 200, 80, dxfattribs={**look, "lineweight": 140})
    wide = [(16, 8.8, 0.1, 0.4, 0.0), (18, 8.8, 0.4, 0.4, 0.6), (20, 10, 0.4, 0.1, -0.4), (22, 10, 0.1, 0.1, 0)]
    sheet.space.add_lwpolyline(
        [(*sheet.at(x, y), sheet.long(s), sheet.long(e), b) for x, y, s, e, b in wide], "xyseb",
        dxfattribs={**look, "color": 94})
    sheet.space.add_lwpolyline(
        [(*sheet.at(20, 11), 0.7), (*sheet.at(22.4, 11), 0.7), (*sheet.at(22.4, 12.2), 0)], "xyb", close=True,
        dxfattribs={**look, "color": 4})
    return sheet


def line_types(folder: pathlib.Path) -> Sheet:
    """Line types with a scale for all and for each entity, on lines, arcs, splines and polylines."""
    sheet = Sheet("line_types", "R2007", "m")
    sheet.on_grid()
    sheet.is_binary = True
    floor(sheet, 2)
    sheet.doc.header["$LTSCALE"] = 0.5
    names = ["DASHED", "DASHDOT", "CENTER", "HIDDEN", "PHANTOM", "DIVIDE", "BORDER", "DOT"]
    sheet.doc.linetypes.add("BARS", [1.2, 0.8, -0.1, 0.2, -0.1], description="bars __ - __ -")
    for number, name in enumerate([*names, "BARS"]):
        layer = sheet.layer(f"L_{name}", number % 6 + 1, [35, 50, 40][number % 3], linetype=name)
        sheet.line((2, 2.6 + 0.4 * number), (11, 2.6 + 0.4 * number), layer, ltscale=[1, 0.5, 2][number % 3])
    sheet.path([(13, 3), (17, 3), (17, 5.4), (22, 5.4), (22, 3)], "L_CENTER", lineweight=50)
    sheet.space.add_circle(sheet.at(5, 10.4), 1.5, {"layer": "L_DASHED", "lineweight": 70})
    sheet.space.add_arc(sheet.at(10, 9), 2.6, 0, 130, dxfattribs={"layer": "L_HIDDEN", "ltscale": 0.4})
    sheet.space.add_spline(sheet.all([(13, 9), (15, 12), (18, 9), (21, 12)]), dxfattribs={
        "layer": "L_DASHDOT", "lineweight": 50})
    sheet.space.add_ellipse(sheet.at(19, 10.6), (2, 0.6), 0.5, dxfattribs={"linetype": "DASHED2", "ltscale": 0.3})
    bulges = [(13, 8.9, 0.3), (17, 8.6, -0.3), (22, 9, 0)]
    sheet.space.add_lwpolyline([(*sheet.at(x, y), b) for x, y, b in bulges], "xyb", dxfattribs={"linetype": "BARS"})
    return sheet


def overlaps(folder: pathlib.Path) -> Sheet:
    """Wipeouts over hatches and lines, and an order of drawing that is not that of the file."""
    sheet = Sheet("overlaps", "R2004", "mm")
    sheet.on_grid()
    floor(sheet)
    sheet.layer("TOP", 1, 70)
    u = sheet.long
    hatch = sheet.space.add_hatch(color=151)
    hatch.set_pattern_fill("ANSI31", color=151, scale=u(0.12))
    sheet.spec["is_hatched_afar"] = True
    hatch.paths.add_polyline_path(sheet.all([(2, 2.6), (13, 2.6), (13, 5.6), (2, 5.6)]), is_closed=True)
    sheet.space.add_wipeout(sheet.all([(3, 3), (6, 3.4), (5, 5.2)]))
    sheet.space.add_wipeout(sheet.all([(8, 3), (12, 5.2)]))
    sheet.text("FREE", (8.6, 3.8), 0.7, "TOP")
    below = sheet.fill([(15, 9), (19, 9), (19, 12), (15, 12)], "0", color=51)
    above = sheet.fill([(17, 8.8), (21, 9.6), (20, 11), (16, 11)], "0", color=131)
    sheet.space.add_wipeout(sheet.all([(17.5, 9.2), (18.5, 11.6)]))
    sheet.line((14.6, 10), (21.6, 10.6), "TOP")
    handles = [below.dxf.handle, above.dxf.handle]
    sheet.space.set_redraw_order(list(zip(handles, reversed(handles))))
    for angle in range(0, 180, 15):
        x, y = 2 * math.cos(math.radians(angle)), 2 * math.sin(math.radians(angle))
        sheet.line((5, 9.2), (5 + x, 9.2 + y), "TOP")
    sheet.space.add_wipeout(sheet.all([(4.2, 8.8), (5.8, 8.8), (5.8, 10), (5, 10.4), (4.2, 10)]))
    return sheet


def upside_down(folder: pathlib.Path) -> Sheet:
    """Entities whose z axis points down, or that were drawn in a user coordinate system."""
    sheet = Sheet("upside_down", "R2004", "m", 20, 12)
    sheet.ground()
    sheet.on_anchor(9.2, 53.9, 0)
    floor(sheet, 3)
    down = {"extrusion": (0, 0, -1)}
    space = sheet.space
    sheet.layer("DOWN", 5, 50)
    look = {"layer": "DOWN", **down}
    space.add_circle((-4, 3.4), 1, look)
    space.add_arc((-4, 3.4), 1.3, 10, 120, dxfattribs=look)
    space.add_lwpolyline([(-7, 2.4, 0.5), (-9, 2.4, 0), (-9, 4.4, -0.3)], "xyb", dxfattribs=look)
    space.add_lwpolyline(
        [(-10, 2.6, 0.1, 0.3), (-13, 2.6, 0.3, 0.1), (-13, 4, 0.1, 0.1)], "xyse", dxfattribs={**look, "color": 1})
    space.add_text("MIRROR", height=0.5, dxfattribs={**look, "insert": (-13, 9)})
    # A text that follows a slope.
    slope = {"layer": "DOWN", "extrusion": (0.002, -0.003, 1)}
    place = OCS(slope["extrusion"]).from_wcs((7, 10, 400))
    space.add_text("+4.00", height=0.5, dxfattribs={**slope, "insert": place})
    hatch = space.add_hatch(color=3, dxfattribs=look)
    hatch.set_pattern_fill("ANSI31", color=3, scale=0.1)
    hatch.paths.add_polyline_path([(-2, 8, 0), (-5, 8, 0.4), (-5, 10, 0)], is_closed=True)
    block = sheet.doc.blocks.new("ARROW")
    block.add_lwpolyline([(0, 0), (1.4, 0), (1.4, 0.6), (2.2, -0.2)])
    block.add_blockref("DOT", (1, 1), {"rotation": 30})
    dot = sheet.doc.blocks.new("DOT")
    dot.add_circle((0.2, 0), 0.3, {"extrusion": (0, 0, -1)})
    dot.add_line((0, 0), (0.8, 0))
    space.add_blockref("ARROW", (-7, 8.6), {**look, "rotation": 20, "xscale": 1.2})
    space.add_blockref("ARROW", (13.4, 8.4), {"layer": "DOWN", "yscale": -1, "rotation": -10})
    tilted = {"layer": "DOWN", "extrusion": (0.4, 0.1, 0.9), "color": 6}
    space.add_circle(OCS(tilted["extrusion"]).from_wcs((15, 3.4, -5)), 1, tilted)
    space.add_solid([(-15, 2), (-16, 2), (-15, 3), (-16, 4)], {**look, "color": 30})
    space.add_3dface([(16, 8, 0), (18, 8, 1), (18, 10, 2), (16, 9.6, 0)], {"color": 4, "layer": "DOWN"})
    space.add_line((14, 3, 7), (18, 5, -300), {"layer": "DOWN"})
    return sheet
