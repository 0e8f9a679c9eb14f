"""Mends what CAD draws, but ezdxf would not."""

from __future__ import annotations

from ezdxf.document import Drawing
from ezdxf.entities import Dimension, Insert, MText, Text
from ezdxf.math import Vec3, Z_AXIS

_MOST_DECIMALS = 8

# The cosine of 25 degrees: texts that are tilted less look as on level ground.
_NEARLY_LEVEL = 0.9


def mend(doc: Drawing) -> None:
    """Mends references to blocks, dimensions, and texts that follow a slope."""
    for entity in list(doc.entitydb.values()):
        if not entity.is_alive:
            continue
        if isinstance(entity, Insert) and entity.dxf.zscale == 0:
            # Programs that know no heights write this. The block would be flat, and its arcs have no plane.
            entity.dxf.zscale = 1.0
        elif isinstance(entity, Dimension):
            _draw_dimension(entity)
        elif isinstance(entity, (Text, MText)):
            _lay_level(entity)


def _draw_dimension(dimension: Dimension) -> None:
    """Draws a dimension of a program that left this to CAD: in its style, into a block."""
    if dimension.is_dimensional_constraint or dimension.get_geometry_block():
        return
    if dimension.doc is not None and dimension.dxf.dimstyle not in dimension.doc.dimstyles:
        dimension.dxf.dimstyle = "Standard"
    try:
        style = dimension.override()
        for name in ("dimdec", "dimadec", "dimaltd"):
            # CAD has no more decimals. A damaged drawing may ask for millions.
            if style.get(name, 0) > _MOST_DECIMALS:
                style[name] = _MOST_DECIMALS
        style.render()
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a damaged one raises whatever the library did not expect
        pass


def _lay_level(text: Text | MText) -> None:
    """Lays a text of a slope, as surveys have them, on level ground."""
    up = text.dxf.extrusion
    if up.x == up.y == 0 or up.z < _NEARLY_LEVEL * up.magnitude:
        return
    ocs = text.ocs()
    direction = ocs.to_wcs(Vec3.from_deg_angle(text.dxf.rotation))
    if isinstance(text, MText):
        text.dxf.text_direction = text.dxf.get("text_direction", direction).replace(z=0)
    else:
        text.dxf.rotation = direction.angle_deg
        for point in ("insert", "align_point"):
            if text.dxf.hasattr(point):
                text.dxf.set(point, ocs.to_wcs(text.dxf.get(point)))
    text.dxf.extrusion = Z_AXIS
