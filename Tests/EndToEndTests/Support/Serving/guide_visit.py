"""A person's way through the steps of 'open', from page to page."""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import three_floors
from browser import Page
from guide_people import WAYS

STEPS = ["pages", "place", "build", "look", "share"]
READY = {
    "place": "typeof solution === 'object' && floor.shown && map.getContainer().isConnected",
    "look": "document.body.dataset.ready !== undefined",
}


def ready(step):
    return (f"typeof guide === 'object' && guide.step === '{step}' && guide.hasEnded === false"
            f" && ({READY.get(step, 'true')})")


def contains(outer, inner):
    return all(outer[axis] <= inner[axis] and outer[axis] + outer[axis + 2] >= inner[axis] + inner[axis + 2]
               for axis in (0, 1))


def meets(one, other):
    return all(one[axis] < other[axis] + other[axis + 2] and other[axis] < one[axis] + one[axis + 2]
               for axis in (0, 1))


class Visit:
    """One person's way through the guide; `result` is what a test wants to know."""

    def __init__(self, server, way="mouse", screenshots=None, language="en", dark=False, width=None):
        self.server, self.result = server, {"unnamed": [], "wider": {}, "small": {}}
        kind = WAYS[way]
        size = (width, 844 if width < 600 else 800) if width else kind.size
        self.page = Page(server.url("", language if language != "en" else None), *size, touch=size[0] < 600,
                         dark=dark, ready="typeof guide === 'object' && guide.hasEnded === false", language=language)
        self.person = kind(self.page, screenshots)

    def close(self):
        self.result["problems"] = self.page.problems
        self.result["asked"] = [url for url in self.page.requests
                                if not url.startswith((self.server.url(), "data:", "blob:"))]
        self.page.close()

    def go(self, step, language=None):
        self.page.ready = ready(step)
        self.page.go(self.server.url(step, language))

    def arrive(self, step, seconds=60):
        self.page.ready = ready(step)
        self.page.wait(f"document.readyState === 'complete' && {self.page.ready}", seconds)

    def check(self, step):
        """Names for screen readers, and the sizes of the page and of what fingers hit."""
        self.person.look(step)
        self.measure(step)

    def measure(self, step):
        self.result["unnamed"] += [f"{step}: {role}" for role in self.page.unnamed()]
        self.result["wider"][step] = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        self.result["small"][step] = self.page.evaluate("""
            [...document.querySelectorAll("#guide a[href], .guided button, .guided a, dialog[open] button")]
            .filter((e) => e.checkVisibility() && Math.min(e.offsetWidth, e.offsetHeight) < 40)
            .map((e) => e.id || e.className || e.textContent)""")

    def wait_until_saved(self):
        self.page.wait("guide.savers.every((one) => !one.isWanted && !one.running)")

    # The pages that are floors

    def see_pages(self):
        self.arrive("pages")
        self.page.wait("floorIDs().length === 3 && floorIDs().every((id) => floorOf(id).isFramed)", 60)

    def name_floors(self):
        self.see_pages()
        self.check("pages")
        person = self.person
        person.write("#name", "Office", ends=False)
        person.write("#sheets li:nth-child(3) .fields label input", "Upper floor", ends=False)
        self.wait_until_saved()
        self.result["framed"] = self.framed()
        person.press("#sheets li:nth-child(3) .fields > button")
        self.page.wait("element('frame-dialog').open && element('frame-image').complete")
        self.check("frame")
        person.widen(20)
        person.press("#frame-ok")
        self.page.wait("!element('frame-dialog').open")
        self.wait_until_saved()
        before, after = self.page.evaluate("[1, 2].map((index) => floorOf(floorIDs()[index]).crop)")
        self.result["widened"] = after[2] > before[2] and [*after[:2], after[3]] == [*before[:2], before[3]]
        self.result["floors"] = self.page.evaluate("""floorIDs().map(floorOf)
            .map(({floor, label, ordinal}) => [floor, label, ordinal])""")

    def framed(self):
        """Whether the proposed frames have all of the walls, and nothing of the title block or the legend."""
        walls, title, legend = ([edge * self.person.per_millimetre for edge in box] for box in (
            three_floors.WALLS, three_floors.TITLE, three_floors.LEGEND))
        return [contains(crop, walls) and not meets(crop, title) and not meets(crop, legend)
                for crop in self.page.evaluate("floorIDs().map((id) => floorOf(id).crop)")]

    def content(self):
        """What was decided on the page of the floors."""
        self.see_pages()
        return self.page.evaluate("({name: content.name, floors: floorIDs().map(floorOf)"
                                  ".map(({floor, label, ordinal, crop}) => [floor, label, ordinal, crop])})")

    def leave_pages(self):
        self.person.press("#next")
        self.arrive("place")

    # One position for all floors

    def lay(self):
        self.check("place")
        self.show_place()
        self.put_plan()
        self.check("lay")

    def show_place(self):
        self.person.write("#go", f"{three_floors.LATITUDE} N, {three_floors.LONGITUDE} E")
        self.page.wait(f"Math.abs(map.getCenter().lat - {three_floors.LATITUDE}) < 1e-5"
                       f" && Math.abs(map.getCenter().lng - {three_floors.LONGITUDE}) < 1e-5")

    def put_plan(self):
        self.person.press("#lay")
        self.person.write("#ratio", str(three_floors.SCALE))
        self.person.write("#bearing", str(three_floors.BEARING))
        self.wait_until_saved()
        self.result["rough"] = self.rough()

    def rough(self):
        return self.page.evaluate("({...state.rough, kept: state.kept})")

    def points(self):
        return self.page.evaluate("state.points.map(({pixel, place}) => [pixel, place])")

    def set_point(self, number):
        """Sets a point on a corner of the building."""
        self.person.point(three_floors.CORNERS[2 * number - 2], number)

    def set_points(self):
        self.person.go_to_step("points")
        for number in (1, 2):
            self.set_point(number)
        self.wait_until_saved()
        self.check("points")
        self.result["verdict"] = self.page.evaluate("element('verdict').textContent")
        self.result["error"] = self.error()
        self.result["model"] = self.page.evaluate("solution.model")

    def error(self):
        """How far the farthest corner of the walls is from its place on the page, in metres."""
        pairs = [[self.person.pixel(*corner), self.person.place(*corner)] for corner in three_floors.CORNERS]
        return self.page.evaluate(f"""Math.max(...{json.dumps(pairs)}.map(([p, q]) => {{
            const plane = new LocalPlane([xy(q)]);
            return length(minus(plane.point(solution.placement.toPlace(xy(p))), plane.point(xy(q))));
        }}))""")

    def leave_place(self):
        self.person.go_to_step("save")
        self.page.wait("!element('to-build').hidden")
        self.check("placed")
        self.person.press("#to-build a")
        self.arrive("build")

    # The tiles

    def start_build(self):
        self.page.wait("estimate && !element('build').disabled", 60)
        self.check("build")
        self.result["cost"] = self.page.evaluate("element('cost').textContent")
        self.person.press("#build")

    def finish_build(self):
        self.page.wait("progress.state !== 'running' && facts.isBuilt && !element('next').hidden", 240)
        self.check("built")
        self.result["built"] = self.page.evaluate("""({state: progress.state, warnings: progress.warnings,
            floors: progress.floors.map(({floor, state, done, total, problem}) =>
                [floor, state, done, total, problem ?? null])})""")

    def leave_build(self):
        self.person.press("#next")
        self.arrive("look")

    # What came out

    def look_at_floors(self):
        page, seen = self.page, []
        for index in range(page.evaluate("document.querySelectorAll('#floors .floor').length")):
            self.person.choose_floor(index)
            page.wait("""(() => { const all = [...document.querySelectorAll("#map .plan img")];
                return all.length && all.every((one) => one.complete); })()""")
            self.person.look(f"look-{index}")
            seen.append([page.evaluate("viewer.shown.main.label"), page.evaluate(
                """[...document.querySelectorAll("#map .plan img")].filter((one) => one.naturalWidth).length""")])
        self.result["seen"] = seen
        self.check("look")

    def seen(self):
        self.page.wait("document.querySelectorAll('#map .plan img').length")
        return self.page.evaluate("viewer.shown.buildings[0].floors.map(({label}) => label)")

    def leave_look(self):
        self.person.press("#guide-next")
        self.arrive("share")

    # For colleagues

    def share(self):
        self.check("share")
        self.person.press("#make")
        self.page.wait("!element('result').hidden || !element('too-large').hidden", 60)
        self.check("shared")
        self.result["shared"] = self.page.evaluate("element('result-name').textContent")

    # Every page

    def look_at_all(self, language, name):
        looked = []
        for step in STEPS:
            self.go(step, language)
            if step == "pages":
                self.see_pages()
            if step == "build":
                self.page.wait("estimate", 60)
            time.sleep(1)
            self.measure(step)
            looked += self.page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
            self.capture(f"{name}-{STEPS.index(step) + 1}-{step}")
            if step == "pages":
                self.page.evaluate("document.querySelector('#sheets .picture').click()")
                self.page.wait("element('frame-image').complete")
                self.capture(f"{name}-1-frame")
                self.page.evaluate("element('frame-cancel').click()")
            if step == "place":
                for tab in ("rough", "points", "save"):
                    self.page.evaluate(f"goTo('{tab}')")
                    self.measure(f"place-{tab}")
                    self.capture(f"{name}-2-place-{tab}")
            if step == "share":
                self.page.evaluate("element('make').click(); document.querySelector('.guided details').open = true")
                self.page.wait("!element('result').hidden", 60)
                self.capture(f"{name}-5-shared")
        self.result["looked"] = looked

    def capture(self, name):
        """The whole page, if somebody wants to see it."""
        if not self.person.screenshots:
            return
        width, height = self.page.evaluate("[innerWidth, innerHeight]")
        whole = self.page.evaluate("document.documentElement.scrollHeight")
        self.resize(width, whole)
        time.sleep(0.3)
        self.page.screenshot(f"{self.person.screenshots}/{name}.png")
        self.resize(width, height)

    def resize(self, width, height):
        self.page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                       mobile=width < 600)
