"""Cuts the second floor of the example out by hand: by mouse, by touch or by keys.

    place_cutline.py PAGE WAY FOLDER [SCREENSHOTS]

The page has the points good.points in FOLDER. Leaves second.cutline.geojson there, and prints what was tried and
whether it did what it should, as JSON.
"""

import json
import math
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page
from place_by_hand import Finger, Keys, Mouse, OUTLINE, pixel, place

# A yard in the building, in metres.
YARD = [(30, 15), (50, 15), (50, 30), (30, 30)]


class Drawing:
    """Draws outlines: on the plan, and on the map."""

    def __init__(self, person, way):
        self.person, self.page, self.way = person, person.page, way

    def press(self, at):
        self.page.tap(*at) if self.way == "touch" else self.page.click(*at)

    def corner(self, point, on_map):
        person = self.person
        if self.way == "keys":
            if on_map:
                person.under_cross("#map", lambda: person.on_map(place(*point)), "map.getZoom() < 19")
            else:
                person.under_cross("#plan-box", lambda: person.on_plan(*pixel(*point)), "pane.zoom < .3")
            self.page.key("Enter")
        else:
            self.press(person.on_map(place(*point)) if on_map else person.on_plan(*pixel(*point)))

    def outline(self, points, on_map, by_button):
        for point in points:
            self.corner(point, on_map)
        if by_button:
            self.person.press("#cut-close")
            return
        side = "map" if on_map else "plan"
        first = self.page.evaluate("openCut().corners[0].id")
        selector = f"#{side}-pane [data-key=corner{first}]"
        self.person.press(selector) if self.way == "keys" else self.press(self.page.middle(selector))

    def drag(self, start, end):
        if self.way == "touch":
            self.page.swipe([start], [end])
            # A browser makes no click of a tap that follows a swipe at once.
            time.sleep(0.4)
        else:
            self.page.drag(start, end)


def happens(condition):
    """Whether something comes true: the browser makes clicks of taps a little later."""
    for _ in range(100):
        if condition():
            return True
        time.sleep(0.03)
    return False


def saved(folder, name):
    for _ in range(200):
        if (folder / name).exists() and (folder / name).stat().st_size:
            return (folder / name).read_text()
        time.sleep(0.05)
    return None


def correct(drawing, done):
    """Moves a corner, sets one more, removes it, and undoes all of it."""
    page, person = drawing.page, drawing.person
    corners = lambda: page.evaluate("JSON.stringify(state.cuts)")
    count = lambda: page.evaluate("state.cuts[0].corners.length")
    before, pixel_before = corners(), page.evaluate("({...state.cuts[0].corners[0]})")
    first = f"#plan-pane [data-key=corner{pixel_before['id']}]"
    if drawing.way == "keys":
        page.tab_to(first)
        done["what has the focus is in sight"] = page.evaluate("""((at, {clientWidth, clientHeight}) =>
            at.x >= 0 && at.y >= 0 && at.x <= clientWidth && at.y <= clientHeight)(
                sides.plan.toView(state.cuts[0].corners[0]), sides.plan.marks)""")
        page.key("ArrowRight", shift=True)
        page.key("ArrowRight", shift=True)
    else:
        start = page.middle(first)
        drawing.drag(start, (start[0] + 20, start[1]))
    moved = page.evaluate("state.cuts[0].corners[0].x") - pixel_before["x"]
    done["a corner is moved"] = abs(moved - 20 / page.evaluate("pane.zoom")) < 1
    page.key("z", ctrl=True) if drawing.way == "keys" else person.press("#undo")
    done["and back"] = happens(lambda: corners() == before)
    ring = page.evaluate("betweens.get(state.cuts[0].corners.slice(0, 2).map(({id}) => id).join(' '))")
    if drawing.way == "keys":
        page.tab_to(f"#plan-pane [data-key=corner{ring}]")
        page.key("Enter")
    else:
        start = page.middle(f"#plan-pane [data-key=corner{ring}]")
        drawing.drag(start, (start[0], start[1] + 30))
    done["a corner is set between two"] = happens(lambda: count() == len(OUTLINE) + 1)
    person.look("between")
    if drawing.way == "keys":
        page.tab_to(f"#plan-pane [data-key=corner{ring}]")
        page.key("Delete")
    else:
        person.press("#cut-corner")
    done["and removed"] = happens(lambda: corners() == before)


def knot(drawing, done):
    """Interchanges two corners: the outline crosses itself, which is told, and nothing is saved."""
    page = drawing.page
    page.evaluate("""{ const [a, b] = state.cuts[1].corners; [state.cuts[1].corners[0],
        state.cuts[1].corners[1]] = [b, a]; commit(); }""")
    done["an outline that crosses itself is told"] = "crosses itself" in page.evaluate(
        "document.getElementById('cut-problem').textContent")
    drawing.person.press("#step-save")
    done["and not saved"] = page.evaluate("document.getElementById('download-cut').disabled")
    drawing.person.press("#undo")


def main():
    url, way, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    screenshots = sys.argv[4] if len(sys.argv) > 4 else None
    width, height = (390, 844) if way == "touch" else (1200, 800)
    page = Page(url, width, height, touch=way == "touch", dark=way == "touch", downloads=folder.resolve())
    done = {}
    try:
        person = {"mouse": Mouse, "touch": Finger, "keys": Keys}[way](page, screenshots)
        page.evaluate(f"openText({json.dumps((folder / 'good.points').read_text())})")
        step = person.go_to_step if way == "keys" else lambda name: person.press(f"#step-{name}")
        step("cut")
        for selector in ("#plan-fit", "#map-fit"):
            person.press(selector)
        person.look("begin")
        drawing = Drawing(person, way)
        drawing.outline(OUTLINE, on_map=False, by_button=False)
        person.look("outline")
        done["the outline is closed"] = happens(
            lambda: page.evaluate("!openCut() && state.cuts.length === 1"))
        correct(drawing, done)
        drawing.outline(YARD, on_map=True, by_button=True)
        person.look("hole")
        done["what lies inside is a hole"] = happens(lambda: "hole" in page.evaluate(
            "document.getElementById('cut-list').textContent"))
        page.key("Tab", times=3)
        done["marks lie where the picture is"] = page.evaluate("""Object.values(sides).every(({marks}) =>
            marks.scrollLeft === 0 && marks.scrollTop === 0)""")
        done["a screen reader has a name for everything"] = page.unnamed() == []
        done["nothing is wider than the page"] = page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth")
        if way == "mouse":
            knot(drawing, done)
        step("compare")
        person.look("compare")
        alpha = """((at) => document.querySelector('.plan-layer').getContext('2d')
            .getImageData(at[0], at[1], 1, 1).data[3])(%s)"""
        left, top = page.box("#map")[:2]
        seen = lambda point: page.evaluate(alpha % [
            round(value - edge) for value, edge in zip(person.on_map(place(*point)), (left, top))])
        done["the yard is cut"] = happens(lambda: seen((40, 22)) == 0)
        done["and what lies outside, but nothing else"] = seen((-1.2, 25)) == 0 and seen((20, 22)) == 255
        page.reload()
        done["all of it is kept"] = page.evaluate("state.cuts.map((cut) => cut.corners.length)") == [6, 4]
        step("save")
        person.look("save")
        line = lambda: page.evaluate("document.getElementById('build-line').textContent")
        done["the command names the file"] = happens(
            lambda: line() == "tilewright second.png --transform similarity "
            "--cutline second.cutline.geojson -o tiles")
        person.press("#download-cut")
        text = saved(folder, "second.cutline.geojson")
        done["it is saved"] = text is not None
        before = page.evaluate("state.cuts.map((cut) => cut.corners.map(({x, y}) => [x, y]))")
        page.evaluate(f"openText({json.dumps(text)})")
        after = page.evaluate("state.cuts.map((cut) => cut.corners.map(({x, y}) => [x, y]))")
        # Rings may begin elsewhere, and run the other way.
        done["and opens again"] = [len(ring) for ring in after] == [len(ring) for ring in before] and all(
            min(math.dist(corner, other) for other in two) < 1e-3
            for one, two in zip(before, after) for corner in one)
        done["nothing went wrong"] = page.problems == []
        print(json.dumps(done))
    finally:
        page.close()


if __name__ == "__main__":
    main()
