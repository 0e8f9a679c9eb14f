"""Mends what CAD draws, but ezdxf would not."""

from __future__ import annotations

from ezdxf.document import Drawing
from ezdxf.entities import Dimension, Insert


def mend(doc: Drawing) -> None:
    """Mends references to blocks, and dimensions."""
    for entity in list(doc.entitydb.values()):
        if not entity.is_alive:
            continue
        if isinstance(entity, Insert) and entity.dxf.zscale == 0:
            # Programs that know no heights write this. The block would be flat, and its arcs have no plane.
            entity.dxf.zscale = 1.0
        elif isinstance(entity, Dimension):
            _draw_dimension(entity)


def _draw_dimension(dimension: Dimension) -> None:
    """Draws a dimension of a program that left this to CAD: in its style, into a block."""
    if dimension.is_dimensional_constraint or dimension.get_geometry_block():
        return
    if dimension.doc is not None and dimension.dxf.dimstyle not in dimension.doc.dimstyles:
        dimension.dxf.dimstyle = "Standard"
    try:
        dimension.render()
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a damaged one raises whatever the library did not expect
        pass
