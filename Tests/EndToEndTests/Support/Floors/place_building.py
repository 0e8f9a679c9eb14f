"""Places the floors of the example as a person would: the first floor by points, two of which are named after
lifts, and the second floor by these.

    place_building.py PAGE WAY FOLDER [SCREENSHOTS]

WAY is mouse or touch. Leaves first.png.points and second.png.points in FOLDER, and prints what a test wants to
know, as JSON. If WAY is shared, two floors that share a position are placed, and then one of them by itself, with
the points of good.points in FOLDER.
"""

import json
import sys
import time
from pathlib import Path

SUPPORT = Path(__file__).parents[1]
sys.path[:0] = [str(SUPPORT), str(SUPPORT / "Placing")]

from browser import Page
from place_by_hand import Finger, Mouse, OUTLINE, place

# Of each floor: pixels to a metre, the margin on the left, and the row of the building's lower edge.
SHEETS = {"0": (22, 88, 1188), "1": (22, 88, 1188), "2": (25, 50, 1300)}
# Corners of the building that stand for lifts.
LIFTS = {"Lift A": (0, 0), "Lift B": (80, 38)}


def sheet(floor):
    """What turns metres of the building into pixels of a floor's plan."""
    scale, left, bottom = SHEETS[floor]
    return lambda x, y: (left + scale * x, bottom - scale * y)


class Visit:
    """Somebody with all floors of a building in one page."""

    def __init__(self, page, person):
        self.page, self.person, self.press = page, person, person.press

    def text(self, selector):
        return self.page.evaluate(f"document.querySelector({selector!r})?.textContent")

    def texts(self, selector):
        return self.page.evaluate(f"[...document.querySelectorAll({selector!r})].map((one) => one.textContent)")

    def rows(self):
        """What the list says of each floor, the uppermost first."""
        return [" ".join(row.split()) for row in self.page.evaluate(
            "[...document.querySelectorAll('.floor .choose')].map((one) => [...one.children]"
            ".map((part) => part.textContent).join(': '))")]

    def choose(self, floor):
        if self.page.evaluate("document.getElementById('floors-button').offsetWidth > 0"):
            self.press("#floors-button")
            self.person.look("list")
        row = self.page.evaluate(f"listed.toReversed().findIndex((one) => one.floor === {floor!r})") + 1
        self.press(f".floor:nth-child({row}) .choose")
        self.page.wait(f"floor.floor === {floor!r} && floor.shown")
        # The person's way from metres to pixels is that of the floor that is shown.
        self.person.pixel = sheet(floor)
        self.person.look(f"floor-{floor}")

    def name(self, index, name):
        """Names a point in the list."""
        self.page.evaluate(f"document.querySelectorAll('#list details')[{index}].open = true")
        field = f"#list li:nth-child({index + 1}) [data-part=name]"
        self.page.evaluate(f"document.querySelector({field!r}).scrollIntoView({{block: 'center'}})")
        self.press(field)
        self.page.evaluate("document.activeElement.select()")
        self.page.type(name)
        self.page.key("Enter")
        self.page.evaluate(f"document.querySelectorAll('#list details')[{index}].open = false")

    def click_on_plan(self, corner):
        at = lambda: self.person.on_plan(*self.person.pixel(*corner))
        self.press("#plan-fit")
        if isinstance(self.person, Mouse):
            self.person.closer(at(), "pane.zoom < 2")
            self.page.click(*at())
            return
        self.person.into_middle("#plan-box", at)
        for _ in range(8):
            if not self.page.evaluate("pane.zoom < 2"):
                break
            x, y = self.person.middle_of("#plan-box")
            self.page.swipe([(x - 15, y), (x + 15, y)], [(x - 45, y), (x + 45, y)], steps=4)
            self.person.into_middle("#plan-box", at)
        self.page.tap(*at())

    def save(self, folder, name):
        self.press("#step-save")
        self.person.look("save")
        self.press("#download")
        for _ in range(200):
            if (folder / name).exists() and (folder / name).stat().st_size:
                break
            time.sleep(0.05)


def place_first(visit, done):
    """The first floor: its lifts, and two more corners."""
    person = visit.person
    visit.press("#step-points")
    corners = [*LIFTS.values(), (80, 0), (0, 50)]
    for number, corner in enumerate(corners, 1):
        person.point(corner, number)
    for index, name in enumerate(LIFTS):
        visit.name(index, name)
    done["first"] = person.error()
    done["changed"] = visit.rows()
    person.look("first-placed")


def place_second(visit, done):
    """The second floor by the lifts that the first one offers, and nothing else."""
    person = visit.person
    visit.press("#step-points")
    done["offered"] = visit.texts("#known button")
    done["legend"] = visit.text("#known legend")
    person.look("offered")
    for name, corner in LIFTS.items():
        visit.press("#known button")
        visit.click_on_plan(corner)
    done["second"] = person.error()
    done["left"] = visit.page.evaluate("!document.getElementById('known').hidden")
    person.look("second-placed")


def correct_lift(visit, done):
    """A lift that is corrected on one floor is offered to the other, which stays as it is until somebody asks."""
    page, before = visit.page, visit.page.evaluate("JSON.stringify(state.points)")
    visit.choose("1")
    visit.press("#step-points")
    page.evaluate("{ find(1).place.x += 1e-5; commit(); }")
    moved = page.evaluate("JSON.stringify(find(1).place)")
    visit.choose("2")
    done["untouched"] = page.evaluate("JSON.stringify(state.points)") == before
    done["moved"] = visit.texts("#moved button")
    visit.person.look("moved")
    visit.press("#moved button")
    done["taken"] = page.evaluate("JSON.stringify(find(1).place)") == moved
    done["settled"] = page.evaluate("document.getElementById('moved').hidden")
    visit.press("#undo")
    done["undone"] = page.evaluate("JSON.stringify(state.points)") == before
    visit.choose("1")
    visit.press("#undo")
    done["back"] = page.evaluate("JSON.stringify(find(1).place)") != moved
    visit.choose("2")


def place_shared(visit, folder, done):
    """Both floors by the points of a file, and then the upper one by itself."""
    page = visit.page
    done["shares"] = visit.text("#shares")
    points = (folder / "good.points").read_text()
    page.evaluate(f"openText({json.dumps(points)})")
    done["both"] = visit.rows()
    visit.save(folder, "ground.png.points")
    done["saved both"] = visit.rows()
    done["top"] = [visit.text("#take-line"), visit.text("#write-hint"), *visit.texts("#write-lines code")]
    visit.choose("1")
    before = page.evaluate("JSON.stringify(solution.placement.toPlace({x: 0, y: 0}))")
    visit.press("#shares button")
    done["own"] = visit.text("#shares")
    done["as before"] = page.evaluate("JSON.stringify(solution.placement.toPlace({x: 0, y: 0}))") == before
    done["separate"] = visit.rows()
    page.evaluate("{ find(1).name = 'Lift A'; find(1).place.x += 1e-5; commit(); }")
    visit.save(folder, "upper.png.points")
    done["floor"] = [visit.text("#take-line"), visit.text("#write-hint"), *visit.texts("#write-lines code")]
    visit.choose("0")
    done["ground stays"] = page.evaluate("JSON.stringify(solution.placement.toPlace({x: 0, y: 0}))") == before
    visit.choose("1")
    page.reload()
    page.wait("solution?.placement")
    done["kept"] = visit.text("#shares")
    visit.press("#shares button")
    done["again"] = page.evaluate("JSON.stringify(solution.placement.toPlace({x: 0, y: 0}))") == before
    done["shared again"] = visit.rows()


def main():
    url, way, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    width, height = (390, 844) if way == "touch" else (1280, 800)
    page = Page(url, width, height, touch=way == "touch", downloads=folder.resolve())
    try:
        person = (Finger if way == "touch" else Mouse)(page, sys.argv[4] if len(sys.argv) > 4 else None)
        visit, done = Visit(page, person), {}
        if way == "shared":
            place_shared(visit, folder, done)
            print(json.dumps({**done, "problems": page.problems}))
            return
        done["begin"] = visit.rows()
        done["floor"] = page.evaluate("floor.floor")
        visit.person.pixel = sheet(done["floor"])
        done["below"] = page.evaluate("floorsBelow().map(nameOf)")
        person.look("begin")
        done["unnamed"] = page.unnamed()
        place_first(visit, done)
        visit.save(folder, "first.png.points")
        done["line"] = visit.text("#take-line")
        visit.choose("2")
        done["below second"] = page.evaluate("floorsBelow().map(nameOf)")
        place_second(visit, done)
        correct_lift(visit, done)
        visit.save(folder, "second.png.points")
        done["lines"] = [visit.text("#take-line"), *visit.texts("#write-lines code"),
                         visit.text("#write-hint"), visit.text("#build-line")]
        person.look("saved")
        page.reload()
        page.wait("solution?.placement")
        done["kept"] = [page.evaluate("floor.floor"), page.evaluate("state.points.length"), *visit.rows()]
        done["wider"] = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        done["small"] = page.evaluate("""[...document.querySelectorAll("button, .mark")]
            .filter((e) => e.offsetWidth && Math.min(e.offsetWidth, e.offsetHeight) < 36).length""")
        done["unnamed"] += page.unnamed()
        done["asked"] = [url for url in page.requests if not url.startswith(("data:", "blob:", "file:"))]
        done["problems"] = page.problems
        print(json.dumps(done))
    finally:
        page.close()


if __name__ == "__main__":
    main()
