"""The position on the Earth that a drawing states: its GEODATA object (DXF reference, AcDbGeoData)."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

from ezdxf.document import Drawing
from ezdxf.entities.geodata import GeoData
from ezdxf.math import Vec3


def described(doc: Drawing, metres_per_unit: float, warnings: list[str]) -> dict[str, object] | None:
    """The position for tilewright; None if the drawing has none that is understood.

    A point p of the model space is at `reference_point` + `metres_from_units` (p - `design_point`), east and north; the
    product is in metres, the reference point in coordinates of the reference system `crs`.
    """
    try:
        data = doc.modelspace().get_geodata()
    except Exception:  # noqa: BLE001 - damaged objects
        data = None
    if data is None:
        return None
    if data.dxf.get("coordinate_type", GeoData.LOCAL_GRID) == GeoData.UNKNOWN:
        warnings.append("its GEODATA has coordinates of an unknown type, and is ignored")
        return None
    code, is_north_first = _system(data.coordinate_system_definition)
    design, reference = Vec3(data.dxf.design_point), Vec3(data.dxf.reference_point)
    target = [reference.y, reference.x] if is_north_first else [reference.x, reference.y]
    a, b, c, d = _matrix(data, metres_per_unit)
    return {
        "crs": None if code is None else f"EPSG:{code}",
        "design_point": [design.x, design.y],
        "reference_point": target,
        "metres_from_units": [a, b, c, d],
    }


def _matrix(data: GeoData, metres_per_unit: float) -> tuple[float, float, float, float]:
    """a, b, c, d of east = a x + b y, north = c x + d y, in metres."""
    scale = float(data.dxf.get("horizontal_unit_scale", 0)) or metres_per_unit
    if data.dxf.get("scale_estimation_method", GeoData.NONE) == GeoData.USER_SCALE:
        scale *= float(data.dxf.get("user_scale_factor", 1)) or 1.0
    # The direction of north in the drawing becomes up.
    north = Vec3(data.dxf.get("north_direction", (0, 1)))
    turn = math.pi / 2 - math.atan2(north.y, north.x) if north.magnitude > 0 else 0.0
    cosine, sine = scale * math.cos(turn), scale * math.sin(turn)
    return cosine, -sine, sine, cosine


def _system(definition: str) -> tuple[int | None, bool]:
    """The EPSG code of a definition in XML, and whether its first axis is the one to the north."""
    # Entities are refused: a definition needs none, and they can grow without bound.
    if "<!" in definition.replace("<!--", "") or len(definition) > 1 << 20:
        return None, False
    try:
        root = ElementTree.fromstring(re.sub(r"""\sxmlns(:\w+)?=("[^"]*"|'[^']*')""", "", definition))
    except ElementTree.ParseError:
        return None, False
    code = None
    for alias in root.iter("Alias"):
        space = (alias.findtext("Namespace") or "").strip()
        number = (alias.get("id") or "").strip()
        if alias.get("type") == "CoordinateSystem" and space == "EPSG Code" and number.isascii() and number.isdigit():
            code = int(number)
            break
    axis = next((a for a in root.iter("CoordinateSystemAxis") if a.findtext("AxisOrder") == "1"), None)
    first = "" if axis is None else (axis.findtext("AxisAbbreviation") or "").strip().upper()
    return code, first[:1] == "N"
