"""Draws twenty plans into a folder, each with a NAME.json: what it needs and what must be said of it.

    python draw_plans.py FOLDER [NAME ...]
"""

import json
import logging
import pathlib
import sys

import plans_basic as basic
import plans_lines as lines
import plans_parts as parts

PLANS = [
    basic.old, basic.far, basic.blocks, basic.feet, basic.hatches, basic.colours,
    lines.texts, lines.dimensions, lines.curves, lines.line_types, lines.overlaps, lines.upside_down,
    parts.pictures, parts.references, parts.layout, parts.plot_style, parts.monochrome, parts.layers,
    parts.endless, parts.undrawn,
]


def draw(folder: pathlib.Path, names: list[str]) -> list[dict]:
    """Draws the plans of these names, or all, and returns what checks need."""
    # R12 has no units, which is what that plan is about.
    logging.getLogger("ezdxf").setLevel(logging.ERROR)
    folder.mkdir(parents=True, exist_ok=True)
    specs = []
    for plan in PLANS:
        if names and plan.__name__ not in names:
            continue
        sheet = plan(folder)
        sheet.finish()
        sheet.save(folder)
        folder.joinpath(f"{sheet.name}.json").write_text(json.dumps(sheet.spec, indent=1))
        specs.append(sheet.spec)
    return specs


if __name__ == "__main__":
    draw(pathlib.Path(sys.argv[1]), sys.argv[2:])
