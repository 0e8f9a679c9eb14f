"""Lays the second floor of the example on the map as a person would: by mouse, by touch or by keys.

    place_by_hand.py PAGE WAY FOLDER [SCREENSHOTS]

Leaves second.png.points in FOLDER, and prints what a test wants to know, as JSON.
"""

import json
import math
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page

# Corners of the building in metres, along the plan's right and up, and what building.geojson says of them.
OUTLINE = [(0, 0), (80, 0), (80, 38), (66, 38), (66, 50), (0, 50)]
EXAMPLES = Path(__file__).parents[4] / "Examples"
RING = json.loads((EXAMPLES / "building.geojson").read_text())["features"][0]["geometry"]["coordinates"][0]
CORNERS = [0, 1, 2, 5]


def pixel(x, y):
    """A point of the building on second.png: 25 pixels to a metre, and a margin of 50."""
    return 50 + 25 * x, 50 + 25 * (50 - y)


def place(x, y):
    """Its longitude and latitude, linear between three corners: to a millimetre."""
    origin, right, up = RING[0], RING[1], RING[5]
    return [origin[i] + (right[i] - origin[i]) * x / 80 + (up[i] - origin[i]) * y / 50 for i in (0, 1)]


class Person:
    """Somebody at the page, who knows where points of the building are on the plan and on the map."""

    pixel, place = staticmethod(pixel), staticmethod(place)
    # How near the plan is looked at when a point is set, in pixels of the screen for each of the plan.
    plan_zoom = 2

    def __init__(self, page, screenshots):
        self.page, self.screenshots, self.count = page, screenshots, 0

    def look(self, name):
        if self.screenshots:
            self.count += 1
            time.sleep(0.3)
            self.page.screenshot(f"{self.screenshots}/{self.count}-{name}.png")

    def on_map(self, lon_lat):
        """Where a place is in the window."""
        return self.page.evaluate(f"""(() => {{
            const b = map.getContainer().getBoundingClientRect();
            const p = sides.map.toView({{x: {lon_lat[0]!r}, y: {lon_lat[1]!r}}});
            return [b.left + p.x, b.top + p.y]; }})()""")

    def of_plan_on_map(self, column, row):
        """Where a pixel of the plan is seen on the map."""
        return self.on_map(self.page.evaluate(f"""(() => {{
            const p = solution.placement.toPlace({{x: {column}, y: {row}}});
            return [p.x, p.y]; }})()"""))

    def on_plan(self, column, row):
        """Where a pixel is in the window, in the pane of the plan."""
        return self.page.evaluate(f"""(() => {{
            const b = pane.box.getBoundingClientRect(), p = pane.toPane({{x: {column}, y: {row}}});
            return [b.left + p.x, b.top + p.y]; }})()""")

    def middle_of(self, selector):
        left, top, width, height = self.page.box(selector)
        return left + width / 2, top + height / 2

    def error(self):
        """How far the farthest corner of the building is from its place, in metres."""
        pairs = [[self.pixel(*corner), self.place(*corner)] for corner in OUTLINE]
        return self.page.evaluate(f"""Math.max(...{json.dumps(pairs)}.map(([p, q]) => {{
            const plane = new LocalPlane([xy(q)]);
            return length(minus(plane.point(solution.placement.toPlace(xy(p))), plane.point(xy(q))));
        }}))""")

    def pins(self):
        """The pins' points of the building."""
        pins = self.page.evaluate("state.pins.map(({x, y}) => [x, y])")
        return [((column - 50) / 25, 50 - (row - 50) / 25) for column, row in pins]


class Mouse(Person):
    """With a mouse and its wheel."""

    def press(self, selector):
        self.page.click_on(selector)

    def lay(self):
        self.page.drag(self.of_plan_on_map(1050, 200), self.on_map(self.place(40, 44)))
        self.look("moved")
        for index, point in enumerate(self.pins()):
            self.page.drag(self.page.middle(f"[data-key=pin{index}]"), self.on_map(self.place(*point)))
        self.look("laid")

    def closer(self, at, zoom):
        for _ in range(200):
            if not self.page.evaluate(zoom):
                return
            self.page.send("Input.dispatchMouseEvent", type="mouseWheel", x=at[0], y=at[1], deltaX=0,
                           deltaY=-120)
            time.sleep(0.12)
        raise RuntimeError(f"the wheel does not come nearer: {zoom}")

    def point(self, corner, number):
        self.press("#plan-fit")
        at = self.on_plan(*self.pixel(*corner))
        self.closer(at, f"pane.zoom < {self.plan_zoom}")
        self.page.click(*self.on_plan(*self.pixel(*corner)))
        self.look(f"point-{number}-plan")
        self.press("#map-fit")
        self.closer(self.on_map(self.place(*corner)), "map.getZoom() < 22.5")
        self.page.mouse("mouseMoved", *self.on_map(self.place(*corner)))
        self.look(f"point-{number}-map")
        self.page.click(*self.on_map(self.place(*corner)))


class Finger(Person):
    """With fingers on a phone."""

    def press(self, selector):
        self.page.tap_on(selector)

    def lay(self):
        self.page.swipe([self.of_plan_on_map(1050, 300)], [self.on_map(self.place(40, 40))])
        self.look("moved")
        ends = [(10, 25), (70, 25)]
        self.page.swipe([self.of_plan_on_map(*self.pixel(*end)) for end in ends],
                        [self.on_map(self.place(*end)) for end in ends])
        self.look("laid")

    def spread(self, where, condition):
        """Pulls two fingers apart, around a point that stays in view."""
        while self.page.evaluate(condition):
            x, y = where()
            self.page.swipe([(x - 15, y), (x + 15, y)], [(x - 45, y), (x + 45, y)], steps=4)

    def into_middle(self, selector, where):
        """Swipes until a point is in the middle of a pane."""
        for _ in range(20):
            x, y = self.middle_of(selector)
            at = where()
            if math.hypot(at[0] - x, at[1] - y) < 15:
                return
            way = [min(60, max(-60, end - start)) for start, end in zip(at, (x, y))]
            self.page.swipe([(x - way[0] / 2, y - way[1] / 2)], [(x + way[0] / 2, y + way[1] / 2)], steps=5)

    def point(self, corner, number):
        self.press("#plan-fit")
        for selector, where, zoom in (
                ("#plan-box", lambda: self.on_plan(*self.pixel(*corner)), f"pane.zoom < {self.plan_zoom}"),
                ("#map", lambda: self.on_map(self.place(*corner)), "map.getZoom() < 22.5")):
            if selector == "#map":
                self.press("#map-fit")
            self.into_middle(selector, where)
            for _ in range(8):
                if not self.page.evaluate(zoom):
                    break
                x, y = self.middle_of(selector)
                self.page.swipe([(x - 15, y), (x + 15, y)], [(x - 45, y), (x + 45, y)], steps=4)
                self.into_middle(selector, where)
            self.page.tap(*where())
            self.look(f"point-{number}-{selector[1:]}")


class Keys(Person):
    """With the keyboard alone."""

    def press(self, selector):
        self.page.tab_to(selector)
        self.page.key("Enter")

    def go_to_step(self, name):
        self.page.tab_to("[role=tab][aria-selected=true]")
        while not self.page.evaluate(f"document.activeElement.id === 'step-{name}'"):
            self.page.key("ArrowRight")

    def write(self, selector, text):
        self.page.tab_to(selector)
        self.page.key("a", ctrl=True)
        self.page.evaluate("document.activeElement.select()")
        self.page.type(text)
        self.page.key("Enter")

    def lay(self):
        self.write("#bearing", "17")
        self.write("#scale", "0.04")
        self.page.tab_to("#map")
        at, end = self.of_plan_on_map(1050, 675), self.on_map(self.place(40, 25))
        self.arrows(end[0] - at[0], end[1] - at[1])
        self.look("laid")

    def arrows(self, x, y, far=None):
        """Goes so many pixels: in steps of a hundred, of ten and of one."""
        for names, way in ((("ArrowLeft", "ArrowRight"), x), (("ArrowUp", "ArrowDown"), y)):
            rest = round(way)
            name = names[1] if rest > 0 else names[0]
            if far:
                self.page.key(name, ctrl=True, times=abs(rest) // 100)
                rest = abs(rest) % 100
            self.page.key(name, shift=True, times=abs(rest) // 10)
            self.page.key(name, times=abs(rest) % 10)

    def under_cross(self, selector, where, zoom):
        """Brings a point under the cross of a pane, nearer and nearer."""
        self.page.tab_to(selector)
        for _ in range(40):
            x, y = self.middle_of(selector)
            at = where()
            self.arrows(at[0] - x, at[1] - y, far=True)
            if not self.page.evaluate(zoom):
                return
            self.page.key("+", times=2)

    def point(self, corner, number):
        self.under_cross("#plan-box", lambda: self.on_plan(*self.pixel(*corner)), f"pane.zoom < {self.plan_zoom}")
        self.page.key("Enter")
        self.under_cross("#map", lambda: self.on_map(self.place(*corner)), "map.getZoom() < 22.5")
        self.look(f"point-{number}")
        self.page.key("Enter")
        for selector in ("#plan-fit", "#map-fit"):
            self.press(selector)


def main():
    url, way, folder = sys.argv[1:4]
    screenshots = sys.argv[4] if len(sys.argv) > 4 else None
    width, height = (390, 844) if way == "touch" else (1200, 800)
    page = Page(url, width, height, touch=way == "touch", downloads=Path(folder).resolve())
    try:
        person = {"mouse": Mouse, "touch": Finger, "keys": Keys}[way](page, screenshots)
        person.look("begin")
        result = {"unnamed": page.unnamed()}
        person.lay()
        result["laid"] = person.error()
        step = person.go_to_step if way == "keys" else lambda name: person.press(f"#step-{name}")
        step("points")
        person.look("points")
        for number, index in enumerate(CORNERS, 1):
            person.point(OUTLINE[index], number)
        for selector in ("#plan-fit", "#map-fit"):
            person.press(selector)
        person.look("fitted")
        result["fitted"] = person.error()
        result["unnamed"] += page.unnamed()
        result["wider"] = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        result["small"] = page.evaluate("""[...document.querySelectorAll("button, .mark")]
            .filter((e) => e.offsetWidth && Math.min(e.offsetWidth, e.offsetHeight) < 36).length""")
        result["verdict"] = page.evaluate("document.getElementById('verdict').textContent")
        result["points"] = page.evaluate("state.points.length")
        step("compare")
        person.look("compare")
        page.reload()
        result["kept"] = page.evaluate("state.points.length")
        result["step"] = page.evaluate("settings.step")
        step("save")
        person.look("save")
        person.press("#download")
        target = Path(folder) / "second.png.points"
        for _ in range(200):
            if target.exists() and target.stat().st_size:
                break
            time.sleep(0.05)
        result["fit"] = page.evaluate("({rms: solution.fit.rms, model: solution.model})")
        result["asked"] = [url for url in page.requests if not url.startswith(("data:", "blob:", "file:"))]
        result["problems"] = page.problems
        print(json.dumps(result))
    finally:
        page.close()


if __name__ == "__main__":
    main()
