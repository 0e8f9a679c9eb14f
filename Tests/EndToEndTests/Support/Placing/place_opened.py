"""Opens outlines of a building in the page of `place`, and aligns with them, without a map.

    place_opened.py PAGE FOLDER [SCREENSHOTS]

The page has a map whose server does not answer. FOLDER has building.kml, a rectangle with the corners of RING.
Prints, as JSON, what was tried and whether it did what it should.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page

# Longitudes and latitudes, some 74 by 111 metres.
RING = [[1.73, 48.217], [1.731, 48.217], [1.731, 48.218], [1.73, 48.218]]


class Opening:
    def __init__(self, url, folder, screenshots):
        self.folder, self.screenshots = Path(folder).resolve(), screenshots
        self.page, self.done, self.number = Page(url), {}, 0
        self.evaluate = self.page.evaluate

    def check(self, what, script):
        self.done[what] = self.evaluate(script) is True

    def look(self):
        self.number += 1
        if self.screenshots:
            self.page.screenshot(f"{self.screenshots}/{self.number:02}.png")

    def choose(self, field, name):
        """Opens a file by a field."""
        document = self.page.send("DOM.getDocument")["root"]["nodeId"]
        node = self.page.send("DOM.querySelector", nodeId=document, selector=field)["nodeId"]
        self.page.send("DOM.setFileInputFiles", nodeId=node, files=[str(self.folder / name)])

    def drop(self, name, text):
        """Drops a file on the map."""
        self.evaluate(f"""(() => {{
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));
            element("map").dispatchEvent(new DragEvent("drop", {{dataTransfer, bubbles: true, cancelable: true}}));
        }})()""")

    def go(self, text):
        self.page.click_on("#go")
        self.evaluate("document.activeElement.select()")
        self.page.type(text)
        self.page.key("Enter")

    def is_near(self, longitude, latitude):
        return self.evaluate(f"""Math.abs(map.getCenter().lng - {longitude}) < 1e-6
            && Math.abs(map.getCenter().lat - {latitude}) < 1e-6""")

    def addresses(self):
        self.go("https://www.google.com/maps/place/Mall/@48.2,1.7,17z/data=!3m1!4b1!8m2!3d48.217!4d1.73")
        self.done["a place wins over the view of its address"] = self.is_near(1.73, 48.217)
        self.check("and the zoom is the address's", "map.getZoom() === 17")
        self.check("nothing is unclear", "element('go-note').hidden")
        self.go("48,217 N 1,73 O")
        self.done["the letter O is taken for east"] = self.is_near(1.73, 48.217)
        self.page.click_on("#go-note button")
        self.done["or for west"] = self.is_near(-1.73, 48.217)
        for text, word in {"https://maps.app.goo.gl/abc": "short links", "https://map.baidu.com/@1,2,3z": "shifted",
                           "https://www.google.com/maps/place/Mall": "no coordinates"}.items():
            self.go(text)
            self.check(f"'{text}' is refused in words", f"element('go-note').textContent.includes({word!r})")
        self.done["and the map stays"] = self.is_near(-1.73, 48.217)

    def without_map(self):
        self.page.wait("!element('no-map').hidden")
        self.check("a missing map is told, and what works without it",
                   "element('no-map').textContent === phrase('place.noMapLayers')")
        x, y = self.page.middle("#map")
        self.page.click(x + 150, y + 100)
        self.check("the note goes", "element('no-map').hidden")
        self.evaluate("map.panBy([300, 0], { animate: false }); 0")
        self.evaluate("new Promise((done) => setTimeout(done, 500))")
        self.check("and does not come again", "element('no-map').hidden")

    def outlines(self):
        self.choose("#outline-file", "building.kml")
        self.page.wait("underLayers.length === 2")
        self.check("an opened outline is in the list, and is shown",
                   "element('layers').textContent.includes('building.kml') && map.hasLayer(underLayers[1].overlay)")
        self.check("and in sight", "map.getBounds().contains(underLayers[1].overlay.getBounds())")
        self.check("the plan is on it", "Math.abs(state.rough.lon - 1.7305) < 1e-3")
        self.check("its places are those of the file", "JSON.stringify(underLayers[1].corners.slice(0, 4)) === "
                   + f"JSON.stringify({json.dumps([{'x': x, 'y': y} for x, y in RING])})")
        self.look()
        for name, text, key in (("a.json", "{", "NotRead"), ("a.kmz", "PK", "NotRead"), ("a.kml", "<a/>", "NotRead"),
                                ("a.kml", "<kml><Placemark/></kml>", "None"),
                                ("a.json", '{"type":"Point","coordinates":[2600000,1200000]}', "NotPlaces")):
            self.drop(name, text)
            self.page.wait(f"element('notice').textContent === phrase('place.outline{key}', {{ file: '{name}' }})")
            self.done[f"{name} with {text} is refused in words"] = True
        self.drop("line.geojson", json.dumps({"type": "LineString", "coordinates": RING}))
        self.page.wait("underLayers.length === 3")
        self.check("a dropped file is added", "element('notice').hidden && !state.cuts.length")

    def snapping(self):
        page = self.page
        page.click_on("#step-points")
        self.evaluate("map.setView([48.217, 1.73], 19, { animate: false }); 0")
        corner = lambda: self.evaluate("""(() => { const at = sides.map.toView({ x: 1.73, y: 48.217 }),
            box = sides.map.marks.getBoundingClientRect(); return [box.left + at.x, box.top + at.y]; })()""")
        page.click(*page.middle("#plan-box"))
        x, y = corner()
        page.mouse("mouseMoved", x + 5, y + 3)
        self.check("a ring shows where a point would snap", "!attraction.hidden")
        self.look()
        page.click(x + 5, y + 3)
        self.check("a point snaps to a corner",
                   "state.points[0].place.x === 1.73 && state.points[0].place.y === 48.217")
        mark = "#map-pane [data-key='1']"
        page.drag(page.middle(mark), (x + 60, y + 40))
        self.check("and can be dragged away", "state.points[0].place.x > 1.73001 && attraction.hidden")
        page.drag(page.middle(mark), (x - 4, y + 4))
        self.check("and back", "state.points[0].place.x === 1.73 && attraction.hidden")
        page.tab_to(mark)
        page.key("ArrowRight")
        self.check("keys move it by a pixel", "state.points[0].place.x > 1.73")
        self.evaluate("removePoint(state.points[0].id)")
        page.click(*page.middle("#plan-box"))
        for kind in ("mousePressed", "mouseReleased"):
            page.send("Input.dispatchMouseEvent", type=kind, x=x + 5, y=y + 3, button="left", clickCount=1,
                      buttons=int(kind == "mousePressed"), modifiers=1)
        self.check("with Alt, a point is where it was set", "state.points[0].place.x > 1.73")
        self.evaluate("removePoint(state.points[0].id)")

    def others(self):
        page = self.page
        page.click_on("#step-cut")
        self.drop("part.kml", (self.folder / "building.kml").read_text())
        page.wait("state.cuts.length === 1")
        self.check("in the step 'cut', a file is what stays", "state.cuts[0].corners.length === 4"
                   " && underLayers.length === 3")
        page.reload()
        names = "underLayers.map(({ name }) => name).join()"
        self.check("outlines are kept", f"{names} === 'F.geojson,building.kml,line.geojson'")
        page.click_on("#step-compare")
        page.click_on("#layers button")
        page.reload()
        self.check("and can be removed", f"{names} === 'F.geojson,line.geojson'")
        self.look()


def main():
    opening = Opening(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
    try:
        opening.without_map()
        opening.addresses()
        opening.outlines()
        opening.snapping()
        opening.others()
        opening.done["nothing went wrong"] = opening.page.problems == []
        opening.done["no request leaves the machine"] = all(
            url.startswith(("data:", "blob:", "file:", "http://127.0.0.1:9/")) for url in opening.page.requests)
        print(json.dumps(opening.done))
    finally:
        opening.page.close()


main()
