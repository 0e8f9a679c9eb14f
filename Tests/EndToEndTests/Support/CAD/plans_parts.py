"""Drawings with pictures, external references, layouts, plot styles, layers, and what cannot be drawn."""

import io
import pathlib
import struct
import zlib

import ezdxf.xref
from ezdxf.acis import api as acis
from ezdxf.addons import acadctb
from ezdxf.render.forms import cube
from PIL import Image

from building import floor, marks
from sheet import Sheet


def pictures(folder: pathlib.Path) -> Sheet:
    """A picture next to the drawing, one that is missing, and one outside of the drawing's folder."""
    sheet = Sheet("pictures", "R2010", "m")
    sheet.on_grid()
    cells = [(200, 60, 60), (60, 160, 60), (60, 60, 200), (220, 200, 80), (90, 90, 90), (250, 250, 250)]
    picture = Image.new("RGB", (3, 2))
    picture.putdata(cells)
    folder.joinpath("pictures").mkdir(exist_ok=True)
    picture.resize((3000, 2000), Image.Resampling.NEAREST).save(folder / "pictures" / "tiles.png")
    picture.save(folder.parent / "outside.png")
    space = sheet.space
    here = sheet.doc.add_image_def("pictures\\tiles.png", (3000, 2000))
    space.add_image(here, sheet.at(2, 2.7), (4.5, 3.0))
    space.add_image(here, sheet.at(10, 2.8), (3, 2), rotation=30)
    for x, y, size, turn in ((2, 2.7, 1.5, 0), (10, 2.8, 1.0, 30)):
        sheet.spec["pictures"].append({
            "corner": sheet.at(x, y), "cell": size, "turn": turn, "columns": 3, "rows": 2, "colours": cells})
    lost = sheet.doc.add_image_def("lost.jpg", (640, 480))
    space.add_image(lost, sheet.at(14, 9), (4, 3)).dxf.flags = 1
    outside = sheet.doc.add_image_def("..\\outside.png", (3, 2))
    space.add_image(outside, sheet.at(3, 9), (3, 2))
    # In place of a picture its name is drawn, in CAD's own font.
    sheet.spec["warnings"] += ["lost.jpg", "outside.png", "txt.shx"]
    sheet.spec["unlike"] = [[13.9, 8.9, 18.1, 12.1], [2.9, 8.9, 6.1, 11.1]]
    # Above the pictures, as the reference has it.
    floor(sheet)
    return sheet


def references(folder: pathlib.Path) -> Sheet:
    """External references: one that is there, one inside it, one in an overlay, and two that are missing."""
    for name, color in (("columns", 1), ("grid", 5)):
        part = Sheet(name, "R2010", "m")
        part.layer("PART", color, 50)
        for x in range(4):
            if name == "columns":
                part.fill([(x * 5, 0), (x * 5 + 0.4, 0), (x * 5 + 0.4, 0.4), (x * 5, 0.4)], "PART")
            else:
                part.line((x * 5 + 0.2, -0.8), (x * 5 + 0.2, 1.2), "PART")
        if name == "columns":
            part.space.add_circle((1, 1), 0.5, {"color": 3})
            ezdxf.xref.attach(part.doc, block_name="GRID", filename="grid.dxf")
        folder.joinpath("parts").mkdir(exist_ok=True)
        part.doc.saveas(folder / "parts" / f"{name}.dxf")
    sheet = Sheet("references", "R2013", "m")
    sheet.on_grid()
    floor(sheet)
    doc = sheet.doc
    ezdxf.xref.attach(doc, block_name="COLUMNS", filename="parts\\columns.dxf", insert=sheet.at(3, 3.4))
    sheet.space.add_blockref("COLUMNS", sheet.at(4, 10), {"rotation": 4, "xscale": 0.9, "yscale": 0.9})
    ezdxf.xref.attach(doc, block_name="TOP", filename=".\\parts\\grid.dxf", insert=sheet.at(3, 9), overlay=True)
    ezdxf.xref.attach(doc, block_name="HEATING", filename="C:\\plans\\heating.dwg", insert=sheet.at(3, 3))
    ezdxf.xref.attach(doc, block_name="LIGHTS", filename="lights.dxf", insert=sheet.at(3, 3))
    sheet.spec["warnings"] += ["heating.dwg", "lights.dxf"]
    return sheet


def layout(folder: pathlib.Path) -> Sheet:
    """A paper with two views of the model, in one of which a layer is frozen.

    It is as CAD writes one that was not opened: without numbers and states of views. Its extents are what is plotted.
    """
    sheet = Sheet("layout", "R2018", "mm")
    sheet.on_grid()
    floor(sheet)
    marks(sheet)
    sheet.layer("FURNITURE", 30, 50)
    sheet.frame(3, 3, 6, 5, "FURNITURE", lineweight=70)
    sheet.path([(9, 9), (12, 9), (12, 12)], "FURNITURE", linetype="DASHED", ltscale=sheet.long(0.01))
    sheet.layer("VIEWPORTS", 7, 25, plot=0)
    sheet.layer("FRAME", 7, 70)
    paper = sheet.doc.layouts.new("Plan A3")
    paper.page_setup(size=(420, 297), margins=(10, 15, 10, 20), units="mm")
    middle = sheet.at(12, 7)
    x, y = 1000, 500
    paper.add_viewport((x + 150, y + 130), (250, 160), middle, sheet.long(16))
    detail = paper.add_viewport((x + 330, y + 200), (100, 80), sheet.at(5, 4), sheet.long(4))
    detail.frozen_layers = ["DOORS", "WALLS"]
    for view in paper.viewports():
        view.dxf.id = view.dxf.status = 0
    frame = [(x, y), (x + 380, y), (x + 380, y + 277), (x, y + 277)]
    paper.add_lwpolyline(frame, close=True, dxfattribs={"layer": "FRAME"})
    paper.add_text("Ground floor 1:100", height=8, dxfattribs={"insert": (x + 230, y + 20), "layer": "FRAME"})
    paper.dxf.update({"plot_type": 1, "extmin": frame[0], "extmax": frame[2]})
    sheet.spec.update(layout="Plan A3", units=[x - 20, y - 10, x + 400, y + 287])
    sheet.spec["options"] += ["--layout", "Plan A3"]
    shift = [middle[0] - (x + 150) * 100, middle[1] - (y + 130) * 100]
    sheet.spec["metres_from_units"] = [0.1, 0, shift[0] * 0.001, 0, 0.1, shift[1] * 0.001]
    for mark in sheet.spec["marks"]:
        mark.update(x=(mark["x"] - shift[0]) / 100, y=(mark["y"] - shift[1]) / 100, size=mark["size"] / 100)
    return sheet


def save_styles(styles: acadctb.PlotStyleTable, path: pathlib.Path) -> None:
    """Writes a table of plot styles: ezdxf 1.4 writes the header's numbers in eight bytes instead of four."""
    kind = path.suffix[1:].upper().encode()
    text = io.StringIO()
    styles.write_content(text)
    plain = text.getvalue().encode() + b"\0"
    packed = zlib.compress(plain)
    sizes = struct.pack("<LLL", zlib.adler32(packed), len(plain), len(packed))
    path.write_bytes(b"PIAFILEVERSION_2.0," + kind + b"VER1,compress\r\npmzlibcodec" + sizes + packed)


def plot_style(folder: pathlib.Path) -> Sheet:
    """Colours and weights of a plot style next to the drawing."""
    sheet = Sheet("plot_style", "R2000", "m")
    sheet.on_grid()
    floor(sheet)
    styles = acadctb.new_ctb()
    for aci, colour, weight in ((1, (0, 120, 200), 0.7), (3, (200, 0, 0), 0.5), (5, (90, 90, 90), 1.0)):
        styles.new_style(aci).color = colour
        styles[aci].set_lineweight(weight)
    save_styles(styles, folder / "office.ctb")
    sheet.spec["plot_style"] = "office.ctb"
    sheet.space.dxf_layout.dxf.current_style_sheet = "office.ctb"
    sheet.path([(2, 3), (6, 5), (10, 3)], color=1)
    sheet.path([(10, 5), (14, 3), (18, 5)], color=3)
    sheet.path([(3, 9), (12, 11), (20, 9)], color=5)
    return sheet


def monochrome(folder: pathlib.Path) -> Sheet:
    """CAD's own plot style in black, which is named but not there."""
    sheet = Sheet("monochrome", "R2018", "mm")
    sheet.on_grid()
    sheet.is_binary = True
    floor(sheet)
    sheet.space.dxf_layout.dxf.current_style_sheet = "monochrome.ctb"
    sheet.path([(2, 3), (6, 5), (10, 3)], color=1, lineweight=70)
    sheet.path([(10, 5), (14, 3), (18, 5)], color=253, lineweight=100)
    sheet.spec["plot_style"] = "monochrome"
    return sheet


def layers(folder: pathlib.Path) -> Sheet:
    """Layers that are off, frozen or do not plot; only some are chosen. One has a named plot style."""
    sheet = Sheet("layers", "R2010", "m")
    sheet.on_grid()
    floor(sheet)
    for number, name in enumerate(["OFF", "FROZEN", "SKETCH", "Defpoints", "PIPES", "UNWANTED"]):
        if name not in sheet.doc.layers:
            sheet.layer(name, number + 1, 70)
        sheet.path([(3, 3 + number * 0.5), (9, 3 + number * 0.5), (10, 9 + number * 0.4)], name)
    sheet.doc.layers.get("OFF").off()
    sheet.doc.layers.get("FROZEN").freeze()
    sheet.doc.layers.get("SKETCH").dxf.plot = 0
    block = sheet.doc.blocks.new("PARTS")
    block.add_circle((0, 0), 0.5)
    block.add_circle((0, 0), 0.8, {"layer": "OFF"})
    block.add_circle((0, 0), 1.1, {"layer": "PIPES"})
    sheet.space.add_blockref("PARTS", sheet.at(14, 4), {"layer": "PIPES"})
    sheet.space.add_blockref("PARTS", sheet.at(18, 4), {"layer": "OFF"})
    sheet.line((3, 8.8), (9, 8.8), "PIPES", invisible=1)
    styles = acadctb.new_stb()
    thick = styles.new_style("Thick blue")
    thick.color = (0, 120, 200)
    thick.set_lineweight(1.0)
    save_styles(styles, folder / "office.stb")
    sheet.space.dxf_layout.dxf.current_style_sheet = "office.stb"
    sheet.doc.header["$PSTYLEMODE"] = 0
    sheet.doc.plotstyles["Thick blue"] = sheet.doc.objects.add_placeholder(sheet.doc.plotstyles.dxf.handle)
    sheet.doc.layers.get("PIPES").dxf.plotstyle_handle = sheet.doc.plotstyles["Thick blue"].dxf.handle
    sheet.spec["restyled"] = {"PIPES": [0x0078C8, 100]}
    sheet.spec["options"] += ["--layers", "0,WALLS,DOORS,PIPES"]
    sheet.spec["chosen"] = ["0", "WALLS", "DOORS", "PIPES"]
    sheet.spec["layers"] = {"OFF": "off", "FROZEN": "frozen", "SKETCH": "not plotted", "PIPES": "shown"}
    return sheet


def endless(folder: pathlib.Path) -> Sheet:
    """Lines without an end, points as crosses, meshes; a world file next to the drawing."""
    sheet = Sheet("endless", "R2000", "m")
    sheet.ground()
    floor(sheet)
    sheet.doc.header["$PDMODE"] = 35
    sheet.doc.header["$PDSIZE"] = 0.4
    sheet.layer("AXES", 1, 35)
    space, at = sheet.space, sheet.at
    space.add_xline(at(7, 7), (1, 0.2), {"layer": "AXES"})
    space.add_ray(at(12, 3), (0.3, 1), {"layer": "AXES", "color": 5})
    for x in range(3, 22, 2):
        space.add_point(at(x, 4.4), {"color": x % 6 + 1, "lineweight": 30})
    box = cube()
    box.scale_uniform(1.5).translate(20, 10, 0)
    box.render_mesh(space, {"color": 3})
    box.translate(-4, 0, 0).render_polyface(space, {"color": 4})
    mesh = space.add_polymesh((3, 3), {"color": 6})
    for row in range(3):
        for column in range(3):
            mesh.set_mesh_vertex((row, column), (*at(3 + 1.5 * column + 0.3 * row, 9 + 1.2 * row), 0))
    sheet.on_world_file(folder)
    return sheet


def undrawn(folder: pathlib.Path) -> Sheet:
    """What is drawn by stand-ins or not at all: solids, frames of other programs, underlays, multi-lines."""
    sheet = Sheet("undrawn", "R2018", "m")
    sheet.on_grid()
    floor(sheet)
    sheet.space.add_mline(sheet.all([(3, 3), (8, 3), (8, 5)]), close=False, dxfattribs={"scale_factor": 0.4})
    for solid in (sheet.space.add_3dsolid(), sheet.space.add_region()):
        acis.export_dxf(solid, [acis.body_from_mesh(cube())])
    sheet.space.dxf_layout.dxf.current_style_sheet = "lost.ctb"
    underlay = sheet.doc.add_underlay_def("site.pdf", fmt="pdf", name="1")
    sheet.space.add_underlay(underlay, sheet.at(3, 9), 0.01)
    sheet.doc.mleader_styles.get("Standard").dxf.arrow_head_size = 0.25
    builder = sheet.space.add_multileader_mtext("Standard")
    builder.set_content("Fire door", char_height=0.4)
    builder.add_leader_line(ezdxf.render.mleader.ConnectionSide.left, [ezdxf.math.Vec2(sheet.at(12, 3))])
    builder.build(insert=ezdxf.math.Vec2(sheet.at(14, 4.6)))
    sheet.spec["warnings"] += ["3DSOLID", "REGION", "PDF", "lost.ctb"]
    return sheet
