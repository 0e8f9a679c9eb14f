"""Goes from plans to a page for colleagues with 'open', as a person does who knows where the building is.

    open_guide.py FOLDER MODE PROGRAM [SCREENSHOTS]

FOLDER is empty and gets plans.pdf, walls.geojson and all that the program writes. MODE is mouse, touch or keys,
which go through all steps; kill, which kills the program after each of them; two, for two browsers at once; or
LANGUAGE-WIDTH-light or -dark, which only looks. Prints what a test wants to know, as JSON.
"""

import json
import math
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import three_floors
from guide_people import WAYS
from guide_server import Server
from guide_visit import Visit


def go_through(visit):
    visit.name_floors()
    visit.leave_pages()
    visit.lay()
    visit.set_points()
    visit.leave_place()
    visit.start_build()
    visit.finish_build()
    visit.leave_build()
    visit.look_at_floors()
    visit.leave_look()
    visit.share()


def errors(server):
    """How far the farthest corner of the walls of each floor is from its place, in metres, as 'info' has it."""
    said = subprocess.run([server.program, "info", "building.yaml", "--json"], cwd=server.folder, check=True,
                          stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    crops = [json.loads(line.split(": ")[1]) for line in (server.folder / "building.yaml").read_text().split("\n")
             if "crop:" in line]
    return [error(floor["plan"], crop) for floor, crop in zip(json.loads(said.stdout)["floors"], crops)]


def error(plan, crop):
    width, corners = plan["image"]["width"], plan["position"]["corners"]
    misses = []
    for corner in three_floors.CORNERS:
        column, row = (edge * width / three_floors.WIDTH for edge in three_floors.on_sheet(*corner))
        # Linear between the corners of the frame: tens of metres.
        right, down = (column - crop[0]) / crop[2], (row - crop[1]) / crop[3]
        here = [a + (b - a) * right + (d - a) * down for a, b, _, d in zip(*corners)]
        east, north = (here[axis] - three_floors.on_earth(*corner)[axis] for axis in (0, 1))
        misses.append(math.hypot(east * 111320 * math.cos(math.radians(three_floors.LATITUDE)), north * 111320))
    return max(misses)


def all_steps(server, way, screenshots):
    visit = Visit(server, way, screenshots)
    try:
        go_through(visit)
        visit.result["walls"] = errors(server)
        return visit.result
    except Exception:
        visit.person.look("failed")
        raise
    finally:
        visit.close()


class Killed:
    """Goes through the steps, and opens each page again, in a new browser, after the program was killed."""

    def __init__(self, server, screenshots):
        self.server, self.screenshots, self.kept, self.problems = server, screenshots, {}, []
        self.visit = Visit(server, screenshots=screenshots)

    def compare(self, name, step, look):
        """Notes whether the page says the same after the program was killed."""
        self.visit.wait_until_saved()
        before = look(self.visit)
        self.reopen(step)
        after = look(self.visit)
        self.kept[name] = after == before and bool(before)
        if after != before:
            self.problems.append(f"{name}: {json.dumps(before)} became {json.dumps(after)}")

    def reopen(self, step):
        self.visit.close()
        self.problems += self.visit.result["problems"]
        self.server.restart()
        self.visit = Visit(self.server, screenshots=self.screenshots)
        self.visit.go(step)

    def run(self):
        self.begin_without_server()
        self.visit.name_floors()
        self.compare("floors, their names and frames", "pages", Visit.content)
        self.change_without_server()
        self.visit.leave_pages()
        self.visit.show_place()
        self.visit.person.go_to_step("points")
        self.visit.set_point(1)
        self.compare("a point that is no position yet", "place", Visit.points)
        self.kept["it is in no file"] = "gcps" not in self.manifest()
        self.visit.person.go_to_step("rough")
        self.visit.put_plan()
        self.compare("the rough position", "place", Visit.rough)
        self.compare("and the point with it", "place", Visit.points)
        self.visit.person.go_to_step("points")
        self.visit.set_point(2)
        self.compare("two points", "place", Visit.points)
        self.kept["they are in the manifest"] = "gcps" in self.manifest()
        self.kept["and right"] = self.visit.error() < 0.1
        self.visit.leave_place()
        self.visit.start_build()
        self.reopen("build")
        self.visit.start_build()
        self.visit.finish_build()
        self.compare("the tiles", "build", lambda visit: visit.page.evaluate("facts.isBuilt"))
        self.visit.leave_build()
        self.compare("the floors on the map", "look", lambda visit: visit.seen())
        self.visit.leave_look()
        self.visit.share()
        before = (self.server.folder / "building.html").read_bytes()
        self.reopen("share")
        self.kept["the page for others"] = (self.server.folder / "building.html").read_bytes() == before
        self.visit.close()
        return {"kept": self.kept, "problems": self.problems}

    def begin_without_server(self):
        """Frames and pictures that the program did not give any more are asked for again."""
        visit = self.visit
        visit.page.wait("floorIDs().length === 3")
        self.server.kill()
        visit.page.wait("element('guide-banner').dataset.kind === 'ended'")
        self.server.start()
        visit.see_pages()
        self.kept["frames that were not proposed yet"] = visit.framed() == [True] * 3
        visit.page.wait("[...document.querySelectorAll('#sheets img')].every((one) => one.naturalWidth > 0"
                        " && getComputedStyle(one).visibility === 'visible')")

    def change_without_server(self):
        """What is typed while the program is away is saved when it is back."""
        visit = self.visit
        self.server.kill()
        visit.person.write("#name", "Town hall", ends=False)
        visit.page.wait("element('guide-banner').dataset.kind === 'ended'")
        visit.person.look("ended")
        self.server.start()
        visit.page.wait("element('guide-banner').hidden")
        visit.wait_until_saved()
        self.kept["a change while the program was away"] = "Town hall" in self.manifest()

    def manifest(self):
        return (self.server.folder / "building.yaml").read_text()


def two_browsers(server, screenshots):
    said = {}
    first, second = Visit(server, screenshots=screenshots), None
    try:
        first.name_floors()
        second = Visit(server, screenshots=screenshots)
        second.go("pages")
        second.see_pages()
        banner = "element('guide-banner').dataset.kind"
        second.page.wait(f"{banner} === 'other'")
        second.person.look("told")
        said["the second is told"] = True
        second.person.write("#name", "Nobody's", ends=False)
        time.sleep(1)
        said["what it changes is not saved"] = "Nobody" not in (server.folder / "building.yaml").read_text()
        second.page.evaluate("window.isOld = true")
        second.person.press("#guide-banner button")
        second.page.wait("window.isOld === undefined && document.readyState === 'complete'")
        second.see_pages()
        said["it goes on with what the first has saved"] = second.content()["name"] == "Office"
        first.page.wait(f"{banner} === 'other'", 10)
        first.person.look("told-first")
        said["the first is told then"] = True
        first.person.write("#name", "Old", ends=False)
        second.person.write("#name", "New", ends=False)
        second.wait_until_saved()
        time.sleep(1)
        text = (server.folder / "building.yaml").read_text()
        said["only the second saves now"] = "name: New" in text and "Old" not in text
        said["problems"] = first.page.problems + second.page.problems
        return said
    finally:
        for one in filter(None, (first, second)):
            one.close()


def look_only(server, mode, screenshots):
    """All pages of a building that is done, in a language."""
    language, width, theme = mode.split("-")
    # It need not wait for the browser before.
    server.restart()
    visit = Visit(server, screenshots=screenshots, language=language, dark=theme == "dark", width=int(width))
    try:
        visit.look_at_all(language, mode)
        return visit.result
    finally:
        visit.close()


def main():
    folder, mode, program = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    screenshots = sys.argv[4] if len(sys.argv) > 4 else None
    if not (folder / "plans.pdf").exists():
        three_floors.draw(folder)
    server = Server(program, folder)
    try:
        if mode in WAYS:
            result = all_steps(server, mode, screenshots)
        elif mode == "kill":
            result = Killed(server, screenshots).run()
        elif mode == "two":
            result = two_browsers(server, screenshots)
        else:
            result = [look_only(server, one, screenshots) for one in mode.split(",")]
            result = {"looks": result}
        manifest = folder / "building.yaml"
        result["manifest"] = manifest.read_text() if manifest.exists() else None
        print(json.dumps(result))
    finally:
        server.kill()


if __name__ == "__main__":
    main()
