"""Layouts: the model space, or a sheet of paper that shows it through viewports."""

from __future__ import annotations

from dataclasses import dataclass

from ezdxf.document import Drawing
from ezdxf.entities import Viewport
from ezdxf.layouts import Layout
from ezdxf.math import Matrix44

from .conversation import Refusal
from .pdf import MILLIMETRES_PER_INCH, POINTS_PER_INCH, POINTS_PER_MILLIMETRE

MODEL = "Model"


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
        if not (0 < width < 1e6 and 0 < height < 1e6):
            return None
        left, bottom, right, top = (
            float(settings.get(f"{side}_margin", 0)) / unit for side in ("left", "bottom", "right", "top")
        )
        # The sheet is turned by quarters; its printable corner is the layout's origin.
        turns = int(settings.get("plot_rotation", 0)) % 4
        if turns % 2:
            width, height = height, width
        corner = [(left, bottom), (bottom, right), (right, top), (top, left)][turns]
        shift = [float(settings.get(f"plot_origin_{axis}_offset", 0)) / unit for axis in ("x", "y")]
        return Paper(
            left=-(corner[0] + shift[0]) * ratio,
            bottom=-(corner[1] + shift[1]) * ratio,
            width=width * ratio,
            height=height * ratio,
            points_per_unit=points / ratio,
        )


def _positive(value: object) -> float:
    number = float(value)  # type: ignore[arg-type]
    return number if number > 0 else 1.0


def main_view(layout: Layout) -> Matrix44 | None:
    """From the model space to the layout by its largest viewport that looks from above; None if it has none."""
    views = [view for view in layout.query("VIEWPORT") if isinstance(view, Viewport) and _shows_model(view)]
    if not views:
        return None
    largest = max(views, key=lambda view: view.dxf.width * view.dxf.height)
    return largest.get_transformation_matrix()


def _shows_model(view: Viewport) -> bool:
    # The viewport 1 is the sheet itself.
    return view.dxf.status > 1 and view.is_top_view and view.get_scale() > 0
