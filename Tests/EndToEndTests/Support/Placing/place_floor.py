"""Places a floor over another one's tiles by a few points, with a mouse.

    place_floor.py PAGE FOLDER [SCREENSHOTS]

FOLDER has points.json: [{"name", "pixel": [C, R] of the plan, "place": [LON, LAT] of the same corner on the floor
below}], and gets what the page saves. Prints what the page shows, as JSON.
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page
from place_by_hand import Mouse


def click(page, at):
    """A mouse clicks whole pixels of the screen."""
    page.click(*(round(value) for value in at))


def main():
    url, folder = sys.argv[1], Path(sys.argv[2])
    page = Page(url, downloads=folder.resolve())
    text = lambda identifier: page.evaluate(f"document.getElementById('{identifier}').textContent")
    try:
        person = Mouse(page, sys.argv[3] if len(sys.argv) > 3 else None)
        person.look("begin")
        page.click_on("#step-points")
        for point in json.loads((folder / "points.json").read_text()):
            column, row = point["pixel"]
            page.click_on("#plan-fit")
            person.closer(person.on_plan(column, row), "pane.zoom < 6")
            click(page, person.on_plan(column, row))
            person.look(f"{point['name']}-plan")
            page.click_on("#map-fit")
            person.closer(person.on_map(point["place"]), "map.getZoom() < 22")
            click(page, person.on_map(point["place"]))
            person.look(f"{point['name']}-map")
        for selector in ("#plan-fit", "#map-fit"):
            page.click_on(selector)
        person.look("points")
        result = {"model": page.evaluate("solution.model"), "verdict": text("verdict"), "hint": text("hint")}
        page.click_on("#step-compare")
        person.look("compare")
        page.click_on("#step-save")
        person.look("save")
        result["line"] = text("build-line")
        page.click_on("#download")
        name = page.evaluate("`${plan.name}.points`")
        for _ in range(200):
            if (folder / name).exists() and (folder / name).stat().st_size:
                break
            time.sleep(0.05)
        result["problems"] = page.problems
        print(json.dumps(result))
    finally:
        page.close()


if __name__ == "__main__":
    main()
