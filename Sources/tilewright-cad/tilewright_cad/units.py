"""Units of length of drawings: `$INSUNITS`, or a guess that is told; and the usual scale of a page."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ezdxf import bbox
from ezdxf.document import Drawing
from ezdxf.math import BoundingBox2d

# The US survey foot is 1200/3937 m, the international foot 0.3048 m.
_FOOT, _SURVEY_FOOT = 0.3048, 1200 / 3937

# The values of $INSUNITS (DXF reference): metres, and the word for people.
_UNITS: dict[int, tuple[float, str]] = {
    1: (_FOOT / 12, "inches"),
    2: (_FOOT, "feet"),
    3: (5280 * _FOOT, "miles"),
    4: (1e-3, "millimetres"),
    5: (1e-2, "centimetres"),
    6: (1.0, "metres"),
    7: (1e3, "kilometres"),
    8: (_FOOT / 12e6, "microinches"),
    9: (_FOOT / 12e3, "mils"),
    10: (3 * _FOOT, "yards"),
    11: (1e-10, "angstroms"),
    12: (1e-9, "nanometres"),
    13: (1e-6, "microns"),
    14: (1e-1, "decimetres"),
    15: (1e1, "decametres"),
    16: (1e2, "hectometres"),
    17: (1e9, "gigametres"),
    21: (_SURVEY_FOOT, "US survey feet"),
    22: (_SURVEY_FOOT / 12, "US survey inches"),
    23: (3 * _SURVEY_FOOT, "US survey yards"),
    24: (5280 * _SURVEY_FOOT, "US survey miles"),
}

# The denominator of the scale of a page, unless the drawing is no building.
USUAL_SCALE = 100.0
# Scales for smaller drawings, the coarsest first: on tiles, lines of 0.25 mm would hide what they draw.
_FINER_SCALES = [mantissa * 10.0**power for power in range(1, -6, -1) for mantissa in (5, 2, 1)]
# In metres: nothing smaller is a building; and the longest edge of the page of what is smaller.
_SMALLEST_BUILDING, _SMALL_PAGE = 5.0, 0.15

# A building or a site in metres is smaller than this, one in millimetres larger.
_LARGEST_IN_METRES = 1000.0

# In metres, the longest way around the Earth: coordinates of maps are smaller.
_EARTH = 40e6

# Local coordinates begin within so many times the size of a drawing: a room is far from the corner of a large site.
_FAR = 200.0


@dataclass(frozen=True)
class Unit:
    """The unit of a drawing's coordinates."""

    metres: float
    name: str
    is_assumed: bool = False

    @staticmethod
    def of(doc: Drawing) -> Unit:
        """The unit that a drawing names, or a likely one for its size."""
        known = _UNITS.get(_integer(doc.header.get("$INSUNITS", 0)))
        if known:
            return Unit(*known)
        box = _stated_box(doc) or _measured_box(doc)
        size = max(box.size.x, box.size.y) if box else 0.0
        # So far from the origin are coordinates of a map, which are metres or feet, or millimetres.
        is_far = box is not None and _FAR * size < box.center.magnitude < _EARTH
        if doc.header.get("$MEASUREMENT", 1) == 0 and doc.header.get("$ACADVER", "") > "AC1009":
            return Unit(*_UNITS[2 if is_far else 1], is_assumed=True)
        return Unit(*_UNITS[6 if is_far or 0 < size <= _LARGEST_IN_METRES else 4], is_assumed=True)

    @staticmethod
    def of_metres(metres: float) -> Unit:
        """The unit of so many metres."""
        names = [name for known, name in _UNITS.values() if math.isclose(known, metres, rel_tol=1e-9)]
        return Unit(metres, names[0] if names else f"units of {metres:g} m")


def usual_scale(longest: float) -> float:
    """The denominator of the scale of a page of the model space, given its longest edge in metres on the ground."""
    if longest >= _SMALLEST_BUILDING:
        return USUAL_SCALE
    return next((scale for scale in _FINER_SCALES if longest / scale >= _SMALL_PAGE), _FINER_SCALES[-1])


def _integer(value: object) -> int:
    try:
        return int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return 0


def _stated_box(doc: Drawing) -> BoundingBox2d | None:
    """The extents that the drawing's header states; None if it does not."""
    try:
        box = BoundingBox2d([doc.header["$EXTMIN"][:2], doc.header["$EXTMAX"][:2]])
    except (KeyError, TypeError, IndexError):
        return None
    # Before a drawing is first saved by CAD, its extents are 1e20 to -1e20.
    return box if 0 < max(box.size.x, box.size.y) < 1e15 else None


def _measured_box(doc: Drawing) -> BoundingBox2d | None:
    """The extents of the model space, which take long to find."""
    whole = BoundingBox2d()
    for entity in doc.modelspace():
        try:
            box = bbox.extents([entity], fast=True)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - a damaged entity raises whatever the library did not expect
            continue
        if box.has_data:
            whole.extend([box.extmin, box.extmax])
    return whole if whole.has_data else None
