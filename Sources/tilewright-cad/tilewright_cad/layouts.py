"""Layouts: the model space, or a sheet of paper that shows it through viewports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from ezdxf.document import Drawing
from ezdxf.entities import Viewport
from ezdxf.layouts import Layout
from ezdxf.math import Matrix44, Vec2, Vec3

from .conversation import Refusal
from .pdf import MILLIMETRES_PER_INCH, POINTS_PER_INCH, POINTS_PER_MILLIMETRE

MODEL = "Model"

# The bit of a viewport that is turned off (DXF reference, VIEWPORT, group 90).
_OFF = 0x20000

# Units of a layout that no sheet has.
_LARGEST = 1e6


def names(doc: Drawing) -> list[str]:
    """The names of all layouts, the model space first."""
    return [MODEL] + [name for name in doc.layout_names_in_taborder() if name.lower() != MODEL.lower()]


def find(doc: Drawing, name: str | None) -> Layout:
    """A layout by its name, in any case; the model space for None."""
    if name is None or name.lower() == MODEL.lower():
        return doc.modelspace()
    known = names(doc)
    match = next((known_name for known_name in known if known_name.lower() == name.lower()), None)
    if match is None:
        listed = ", ".join(f"'{known_name}'" for known_name in known)
        raise Refusal("no_layout", f"there is no layout '{name}': it has {listed}")
    return doc.paperspace(match)


def has_content(layout: Layout) -> bool:
    """Whether a layout has more than viewports."""
    return any(not isinstance(entity, Viewport) for entity in layout)


@dataclass(frozen=True)
class Paper:
    """The sheet of a layout: its lower left corner and its size in the layout's units."""

    left: float
    bottom: float
    width: float
    height: float
    points_per_unit: float

    @staticmethod
    def of(layout: Layout) -> Paper | None:
        """The sheet as it is plotted; None if the layout does not say its size."""
        settings = layout.dxf_layout.dxf
        is_in_inches = settings.get("plot_paper_units", 1) == 0
        unit = MILLIMETRES_PER_INCH if is_in_inches else 1.0
        points = POINTS_PER_INCH if is_in_inches else POINTS_PER_MILLIMETRE
        # Sizes and margins are millimetres; so many units of the layout are one of the paper.
        ratio = _positive(settings.get("scale_denominator", 1)) / _positive(settings.get("scale_numerator", 1))
        width, height = (float(settings.get(key, 0)) / unit for key in ("paper_width", "paper_height"))
        if not (0 < width < _LARGEST and 0 < height < _LARGEST):
            return None
        left, bottom, right, top = (
            float(settings.get(f"{side}_margin", 0)) / unit for side in ("left", "bottom", "right", "top")
        )
        # The sheet is turned by quarters; its printable corner is the origin of what is plotted.
        turns = int(settings.get("plot_rotation", 0)) % 4
        if turns % 2:
            width, height = height, width
        corner = [(left, bottom), (bottom, right), (right, top), (top, left)][turns]
        shift = [float(settings.get(f"plot_origin_{axis}_offset", 0)) / unit for axis in ("x", "y")]
        origin = _plotted_origin(layout)
        return Paper(
            left=origin.x - (corner[0] + shift[0]) * ratio,
            bottom=origin.y - (corner[1] + shift[1]) * ratio,
            width=width * ratio,
            height=height * ratio,
            points_per_unit=points / ratio,
        )


def _plotted_origin(layout: Layout) -> Vec2:
    """The lower left corner of what is plotted: the extents, the limits, or a window, if not the layout as it is."""
    settings = layout.dxf_layout.dxf
    window = [[settings.get(f"plot_window_{axis}{end}", 0.0) for axis in "xy"] for end in (1, 2)]
    areas = {1: [settings.get("extmin"), settings.get("extmax")], 2: [settings.get("limmin"), settings.get("limmax")]}
    corners = [Vec2(point or (0, 0)) for point in {**areas, 4: window}.get(settings.get("plot_type", 5), ())]
    # Before a layout is first plotted, its extents are 1e20 to -1e20.
    is_stated = len(corners) == 2 and 0 < (corners[1] - corners[0]).magnitude < _LARGEST
    return Vec2(min(corners, key=lambda c: c.x).x, min(corners, key=lambda c: c.y).y) if is_stated else Vec2(0, 0)


def _positive(value: object) -> float:
    number = float(value)  # type: ignore[arg-type]
    return number if number > 0 else 1.0


def views(viewports: Sequence[Viewport]) -> list[Viewport]:
    """Those of a layout's viewports, in the order of the drawing, that show the model space.

    One is the sheet itself: 1 by its number, or the first where CAD has not numbered them yet. Neither numbers nor
    states are kept for a layout that was not opened since the drawing was, and a converted DWG has none.
    """
    sheets = [view for view in viewports if view.dxf.id == 1 or (_is_new(view) and _is_sheet(view))]
    if not sheets:
        sheets = [view for view in viewports[:1] if _is_new(view)]
    has_states = any(view.dxf.status > 0 for view in viewports)
    return [
        view for view in viewports
        if view not in sheets and not view.dxf.flags & _OFF and (view.dxf.status != 0 or not has_states)
    ]


def _is_new(view: Viewport) -> bool:
    """Whether CAD has given it neither a number nor a state of its own."""
    return view.dxf.id < 1 and view.dxf.status < 2


def _is_sheet(view: Viewport) -> bool:
    """Whether a viewport shows what is there anyway: the place of the sheet that it covers, at 1:1."""
    place = view.get_view_center_point() + Vec3(view.dxf.view_target_point) - view.dxf.center
    return abs(view.get_scale() - 1) < 1e-6 and place.vec2.magnitude < 1e-6 * abs(view.dxf.height)


def main_view(layout: Layout) -> Matrix44 | None:
    """From the model space to the layout by its largest viewport that looks from above; None if it has none."""
    viewports = [view for view in layout if isinstance(view, Viewport)]
    shown = [view for view in views(viewports) if view.is_top_view and view.get_scale() > 0]
    if not shown:
        return None
    largest = max(shown, key=lambda view: view.dxf.width * view.dxf.height)
    return largest.get_transformation_matrix()
