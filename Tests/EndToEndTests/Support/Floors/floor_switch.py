"""Switches the floors of a building as somebody does who has a mouse, a keyboard or a finger.

    floor_switch.py PAGE FOLDER CLIENT REBUILD...

PAGE has a map, `map`, and the floors' control, `floors`: the basement B1, the ground floor 0, which is shown first,
and floor 1. REBUILD is a command that changes the picture of the ground floor. Leaves pictures of what the page shows
in FOLDER: 0.png, 1.png, B1.png, and rebuilt.png and reloaded.png after REBUILD. Prints, as JSON, what was tried and
whether it did what it should.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page


class MapPage(Page):
    """A page that is ready when its floors are on the map and all that it asked for has come."""

    def __init__(self, *arguments, **options):
        self.open, self.cancelled = {}, []
        super().__init__(*arguments, **options)

    def go(self, url):
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        self.send("Page.navigate", url=url)
        self.wait_for_floors()

    def reload(self):
        self.evaluate("window.isOld = true")
        self.send("Page.reload")
        self.wait("!window.isOld")
        self.wait_for_floors()

    def wait_for_floors(self):
        self.wait("document.readyState === 'complete' && typeof floors === 'object'")
        self.settle()

    def note(self, event):
        super().note(event)
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            # A worker out of a blob never ends.
            if parameters["request"]["url"].startswith("http"):
                self.open[parameters["requestId"]] = parameters["request"]["url"]
        elif method in ("Network.loadingFinished", "Network.loadingFailed"):
            url = self.open.pop(parameters["requestId"], "")
            if parameters.get("canceled"):
                self.cancelled.append(url)

    def settle(self):
        """Waits until nothing has been asked for or answered for a while, and the picture is drawn."""
        quiet, last = time.time(), None
        while time.time() - quiet < 0.5:
            self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            state = (len(self.requests), len(self.open))
            if state != last or self.open:
                quiet, last = time.time(), state

    def shown(self):
        return self.evaluate("floors.floor.name")

    def chosen(self):
        """The floors whose buttons say that they are chosen."""
        return self.evaluate(
            "[...document.querySelectorAll('[role=radio]')].filter((one) => one.ariaChecked === 'true')"
            ".map((one) => one.dataset.floor)")

    def tiles(self, since):
        """The floors whose tiles were asked for."""
        return {url.split("/tiles/")[1].split("/")[0] for url in self.requests[since:] if ".png" in url}


def check_buttons(page, done):
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    by_role = lambda role: [node["name"]["value"] for node in nodes
                            if not node.get("ignored") and node.get("role", {}).get("value") == role]
    done["radio buttons, the uppermost first"] = by_role("radio") == [
        "First floor (1)", "Ground floor (0)", "Basement (B1)"]
    done["a group with the building's name"] = by_role("radiogroup") == ["Harbour Mall"]
    done["all that can be used has a name"] = page.unnamed() == []


def use_mouse(page, folder, done):
    done["the default first"] = page.shown() == "0" and page.chosen() == ["0"]
    page.screenshot(folder / "0.png")
    page.evaluate("window.told = []; floors.onchange = (floor) => told.push(floor.name)")
    for floor in ("1", "B1"):
        since = len(page.requests)
        page.click_on(f"[data-floor='{floor}']")
        page.settle()
        done[f"a click shows {floor}"] = page.shown() == floor and page.chosen() == [floor]
        done[f"tiles of {floor} alone are asked for"] = page.tiles(since) == {floor}
        page.screenshot(folder / f"{floor}.png")
        done[f"the button of {floor} can be read under the mouse"] = page.evaluate(
            "(() => { const { color, backgroundColor } = getComputedStyle(document.querySelector("
            "'[aria-checked=true]:hover')); return color + ' on ' + backgroundColor; })()"
        ) == "rgb(255, 255, 255) on rgb(51, 51, 51)"
    done["onchange tells"] = page.evaluate("told.join()") == "1,B1"


def use_keys(page, client, done):
    center = {"leaflet": "map.getCenter() + map.getZoom()", "maplibre": "map.getCenter() + ' ' + map.getZoom()",
              "openlayers": "map.getView().getCenter() + ' ' + map.getView().getZoom()", "google-js": "0"}[client]
    before = page.evaluate(center)
    page.tab_to("[role=radio]")
    done["Tab comes to the floor that is shown"] = page.evaluate("document.activeElement.dataset.floor") == "B1"
    seen = []
    for key in ("Home", "ArrowDown", "End", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Space"):
        page.key(key)
        focused = page.evaluate("document.activeElement.dataset.floor")
        seen.append(page.shown() if page.chosen() == [focused] == [page.shown()] else None)
    done["keys go through the floors"] = seen == ["1", "0", "B1", "1", "B1", "0", "B1", "B1"]
    done["focus is seen"] = "inset" in page.evaluate("getComputedStyle(document.activeElement).boxShadow")
    page.settle()
    done["keys leave the map alone"] = page.evaluate(center) == before


def switch_early(page, done):
    """Another floor is shown before the one before has come."""
    page.evaluate("floors.show('0')")
    page.settle()
    page.send("Network.setCacheDisabled", cacheDisabled=True)
    conditions = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    page.send("Network.emulateNetworkConditions", latency=2000, **conditions)
    page.evaluate("floors.show('1')")
    of_floor = lambda urls: {url for url in urls if "/tiles/1/" in url}
    end = time.time() + 10
    while not of_floor(page.open.values()) and time.time() < end:
        page.evaluate("0")
        time.sleep(0.1)
    time.sleep(0.3)
    page.evaluate("0")
    asked = of_floor(page.open.values())
    page.evaluate("floors.show('B1')")
    end = time.time() + 1
    while of_floor(page.open.values()) and time.time() < end:
        page.evaluate("0")
        time.sleep(0.05)
    done["what the old floor asked for is cancelled"] = bool(asked) and asked <= set(page.cancelled)
    page.send("Network.emulateNetworkConditions", latency=0, **conditions)
    page.send("Network.setCacheDisabled", cacheDisabled=False)
    page.settle()


def fail(page, done):
    done["no such floor is an error"] = page.evaluate(
        "(() => { try { floors.show('9'); } catch (error) { return `${error.name}: ${error.message}`; } })()"
    ) == "RangeError: there is no floor '9'"
    done["errors change nothing"] = page.shown() == "B1" and page.chosen() == ["B1"]


def take_off(page, client, done):
    layers = {
        "leaflet": "Object.keys(map._layers).length",
        "maplibre": "map.getLayersOrder().length - 1",
        "openlayers": "map.getLayers().getLength()",
        "google-js": "map.overlayMapTypes.getArray().length",
    }[client]
    state = lambda: page.evaluate(
        f"[{layers}, document.querySelectorAll('[role=radio]').length, document.adoptedStyleSheets.length].join()")
    done["one layer, three buttons"] = state() == "1,3,1"
    page.evaluate("floors.remove()")
    done["nothing is left of it"] = state() == "0,0,0"
    page.evaluate("void (window.floors = new floors.constructor(map, floors.building))")
    page.settle()
    done["it can be used again"] = state() == "1,3,1"
    page.click_on("[data-floor='1']")
    page.key("ArrowDown")
    done["and has one listener for keys"] = page.shown() == "0"
    page.settle()


def change_style(page, done):
    page.evaluate("""void map.setStyle({ version: 8, sources: {}, layers: [
        { id: "other", type: "background", paint: { "background-color": "#fff" } }] })""")
    page.settle()
    done["a floor outlives the map's style"] = page.evaluate("map.getLayersOrder().length") == 2
    page.evaluate("""void map.setStyle({ version: 8, sources: {}, layers: [
        { id: "third", type: "background", paint: { "background-color": "#fff" } }] }, { diff: false })""")
    page.settle()
    done["also without a comparison"] = page.evaluate("map.getLayersOrder().length") == 2


def use_finger(url, done):
    page = MapPage(url, 390, 500, touch=True)
    try:
        boxes = [page.box(f"[data-floor='{floor}']") for floor in ("1", "0", "B1")]
        done["room for a finger"] = all(width >= 44 and height >= 44 for _, _, width, height in boxes)
        done["the uppermost floor is on top"] = boxes[0][1] < boxes[1][1] < boxes[2][1]
        page.tap_on("[data-floor='1']")
        page.settle()
        done["a tap shows a floor"] = page.shown() == "1"
        done["no problem with a finger"] = page.problems == []
    finally:
        page.close()


def main():
    url, folder, client, rebuild = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    done = {}
    page = MapPage(url, 300, 200)
    try:
        check_buttons(page, done)
        use_mouse(page, folder, done)
        use_keys(page, client, done)
        switch_early(page, done)
        fail(page, done)
        take_off(page, client, done)
        if client == "maplibre":
            change_style(page, done)
        page.evaluate("floors.show('0')")
        page.settle()
        subprocess.run(rebuild, check=True, capture_output=True)
        page.evaluate("floors.reload()")
        page.settle()
        page.screenshot(folder / "rebuilt.png")
        page.reload()
        page.screenshot(folder / "reloaded.png")
        problems = page.problems
    finally:
        page.close()
    use_finger(url, done)
    print(json.dumps({"done": done, "problems": problems}))


if __name__ == "__main__":
    main()
