"""The picture that the tiles should be: ezdxf's own SVG, drawn at four times the tiles' resolution by librsvg."""

import io
import math
import pathlib
import subprocess
from xml.etree import ElementTree

import ezdxf
import ezdxf.xref
import numpy as np
from ezdxf.addons.drawing import Frontend, RenderContext, config, layout, svg
from ezdxf.addons import acadctb
from ezdxf.addons.drawing.properties import Properties
from ezdxf.addons.drawing.text import simplified_text_chunks
from ezdxf.document import Drawing
from ezdxf.entities import MText, Text
from ezdxf.layouts import Modelspace
from ezdxf.lldxf import const
from ezdxf.math import BoundingBox2d, Matrix44, Vec2
from PIL import Image

from earth import Affine

# Pixels of the picture in one pixel of the finest tiles.
FINER = 4
# Units of the SVG in a millimetre of paper: it counts in whole numbers, and adds them up along each path.
FINENESS = 10_000
Image.MAX_IMAGE_PIXELS = None


class Slanting(Frontend):
    """Draws as ezdxf does, but slants texts by their angle, which ezdxf passes over.

    The middle and bottom of texts without codes are those of capital letters, as ezdxf has them in texts with codes.
    """

    def draw_text_entity_2d(self, entity: Text, properties: Properties) -> None:
        slant = math.tan(math.radians(entity.dxf.oblique)) / entity.dxf.width
        slanted = Matrix44([1, 0, 0, 0, slant, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        for line, place, height in simplified_text_chunks(
                entity, self.text_engine, font_face=self.get_font_face(properties)):
            self.pipeline.draw_text(line, slanted @ place, properties, height, entity.dxftype())

    def draw_simple_mtext(self, mtext: MText, properties: Properties) -> None:
        draw = self.draw_complex_mtext if mtext.dxf.attachment_point > 3 else super().draw_simple_mtext
        draw(mtext, properties)


def opened(path: pathlib.Path) -> Drawing:
    """The drawing, with the external references that are there as blocks."""
    doc = ezdxf.readfile(path)
    for block in list(doc.blocks):
        if not block.block.is_xref and not block.block.is_xref_overlay:
            continue
        block.block.set_flag_state(const.BLK_XREF, True)
        name = block.block.dxf.xref_path.replace("\\", "/")
        block.block.dxf.xref_path = name
        if (path.parent / name).exists():
            ezdxf.xref.embed(block, load_fn=lambda part: opened(pathlib.Path(part)), search_paths=[path.parent])
    complete(doc)
    return doc


def complete(doc: Drawing) -> None:
    """Adds what CAD draws of a drawing, but ezdxf does not."""
    for insert in doc.query("INSERT[zscale==0]"):
        insert.dxf.zscale = 1
    for dimension in doc.query("DIMENSION"):
        if dimension.get_geometry_block() is None:
            dimension.render()
    for text in doc.query("TEXT"):
        if text.dxf.extrusion.x:
            text.dxf.insert = text.ocs().to_wcs(text.dxf.insert)
            text.dxf.extrusion = (0, 0, 1)
    for hatch in doc.query("HATCH"):
        if hatch.gradient is not None:
            colors = zip(hatch.gradient.color1, hatch.gradient.color2)
            hatch.rgb = tuple((first + second) // 2 for first, second in colors)
            hatch.gradient = None
    for paper in doc.layouts:
        # The first view is the sheet itself, and has to be the active one.
        for number, view in enumerate(paper.query("VIEWPORT")):
            view.dxf.status = min(number, 1) + 1


def hatch_near(space: Modelspace) -> None:
    """Moves origins of hatches without dashes by whole lines: from a far one, ezdxf's lines are metres off."""
    for hatch in space.query("HATCH"):
        near = Vec2(hatch.paths.paths[0].vertices[0][:2])
        for line in hatch.pattern.lines:
            across = line.offset.normalize()
            count = round((near - line.base_point).dot(across) / line.offset.magnitude)
            lattice = line.base_point + line.offset * count
            line.base_point = near - across * (near - lattice).dot(across)


def styles(path: pathlib.Path, spec: dict) -> acadctb.ColorDependentPlotStyles:
    """The plot style of the drawing."""
    name = spec.get("plot_style")
    if name and name.endswith(".ctb"):
        return acadctb.load(path.parent / name)
    table = acadctb.new_ctb()
    if name == "monochrome":
        for aci in range(1, 256):
            table[aci].color = (0, 0, 0)
    return table


def drawn(path: pathlib.Path, spec: dict) -> tuple[ElementTree.Element, Affine]:
    """The root of the SVG, and the way from its units to those of the drawing."""
    doc = opened(path)
    for layer, (color, weight) in spec.get("restyled", {}).items():
        doc.layers.get(layer).dxf.update({"true_color": color, "lineweight": weight})
    space = doc.layouts.get(spec["layout"]) if spec["layout"] else doc.modelspace()
    if spec.get("is_hatched_afar"):
        hatch_near(space)
    context = RenderContext(doc, ctb=styles(path, spec), export_mode=True)
    if "chosen" in spec:
        context.set_layer_properties_override(
            lambda layers: [setattr(x, "is_visible", x.layer in spec["chosen"]) for x in layers])
    x0, y0, x1, y1 = spec["units"]
    millimetres = spec["paper_millimetres"]
    backend = svg.SVGBackend()
    Slanting(context, backend, config=config.Configuration(
        background_policy=config.BackgroundPolicy.WHITE,
        lineweight_policy=config.LineweightPolicy.ABSOLUTE,
        infinite_line_length=4 * (x1 - x0),
        # a thirtieth of a pixel
        max_flattening_distance=0.003 / millimetres,
        min_dash_length=0.1 / millimetres,
    )).draw_layout(space)
    size = [(x1 - x0) * millimetres, (y1 - y0) * millimetres]
    root = backend.get_xml_root_element(
        layout.Page(*size, layout.Units.mm), render_box=BoundingBox2d([(x0, y0), (x1, y1)]),
        settings=layout.Settings(
            fit_page=False, scale=millimetres, page_alignment=layout.PageAlignment.TOP_LEFT,
            output_coordinate_space=max(round(v, 1) for v in size) * FINENESS))
    units = backend.transformation_matrix.copy()
    units.inverse()
    # Far from the origin small steps are not exact.
    step = 1e6
    origin, right, down = (units.transform(p) for p in ((0, 0, 0), (step, 0, 0), (0, step, 0)))
    return root, [
        (right.x - origin.x) / step, (down.x - origin.x) / step, origin.x,
        (right.y - origin.y) / step, (down.y - origin.y) / step, origin.y,
    ]


def chained(first: Affine, then: Affine) -> Affine:
    """The transform that does one after the other."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return [p * a + q * d, p * b + q * e, p * c + q * f + r, s * a + t * d, s * b + t * e, s * c + t * f + u]


def moved(matrix: Affine, x: float, y: float) -> tuple[float, float]:
    """The point on the other side of a transform."""
    a, b, c, d, e, f = matrix
    return a * x + b * y + c, d * x + e * y + f


def pictures(spec: dict, group: ElementTree.Element, units: Affine) -> None:
    """Adds the cells of pictures, which ezdxf's SVG leaves out, below all else."""
    for picture in spec["pictures"]:
        x, y = picture["corner"]
        turn = math.radians(picture["turn"])
        place = [math.cos(turn), -math.sin(turn), x, math.sin(turn), math.cos(turn), y]
        a, b, c, d, e, f = chained(place, inverted(units))
        inner = ElementTree.Element("g", transform=f"matrix({a} {d} {b} {e} {c} {f})")
        for number, colour in enumerate(picture["colours"]):
            column, row = number % picture["columns"], number // picture["columns"]
            cell = picture["cell"]
            ElementTree.SubElement(
                inner, "rect", x=str(column * cell), y=str((picture["rows"] - 1 - row) * cell), width=str(cell),
                height=str(cell), fill="rgb(%d,%d,%d)" % tuple(colour))
        group.insert(0, inner)


def inverted(matrix: Affine) -> Affine:
    """The way back."""
    a, b, c, d, e, f = matrix
    size = a * e - b * d
    return [e / size, -b / size, (b * f - c * e) / size, -d / size, a / size, (c * d - a * f) / size]


def picture(path: pathlib.Path, spec: dict, pixels: Affine, window: list[int]) -> np.ndarray:
    """The drawing on white paper: rows of RGB, `FINER` times as fine as the pixels of `window` (x, y, width, height).

    `pixels` leads from units of the drawing to pixels of tiles.
    """
    root, units = drawn(path, spec)
    left, top, width, height = window
    a, b, c, d, e, f = [FINER * v for v in chained(units, pixels)]
    matrix = f"matrix({a!r} {d!r} {b!r} {e!r} {c - FINER * left!r} {f - FINER * top!r})"
    defs, entities = root[0], root[2]
    pictures(spec, entities, units)
    for style in defs.iter("style"):
        # What is white on a black screen is drawn in black, but for areas.
        style.text = style.text.replace("stroke: #ffffff", "stroke: #000000")
    clip = ""
    if spec["page"]:
        corners = [moved(inverted(units), *spec["page"][i:i + 2]) for i in (0, 2)]
        (x0, y1), (x1, y0) = corners
        defs.append(ElementTree.fromstring(
            f'<clipPath id="page"><rect x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}"/></clipPath>'))
        clip = ' clip-path="url(#page)"'
    content = ElementTree.tostring(defs, "unicode") + ElementTree.tostring(entities, "unicode")
    rows = []
    strip = 512
    for start in range(0, height, strip):
        size = (FINER * width, FINER * min(strip, height - start))
        text = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
            f'viewBox="0 {FINER * start} {size[0]} {size[1]}"><g transform="{matrix}"{clip}>{content}</g></svg>')
        done = subprocess.run(
            ["rsvg-convert", "--unlimited", "-b", "white"], input=text.encode(), capture_output=True, check=True)
        rows.append(np.asarray(Image.open(io.BytesIO(done.stdout)).convert("RGB")))
    return np.concatenate(rows)


def averaged(fine: np.ndarray, factor: int) -> np.ndarray:
    """Each square of `factor` pixels as one, in sRGB as the tiles are."""
    height, width, bands = fine.shape
    parts = fine.reshape(height // factor, factor, width // factor, factor, bands)
    return parts.mean(axis=(1, 3), dtype=np.float32)
