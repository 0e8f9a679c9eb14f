"""Looks at a campus on the page of `viewer` as a person would: by mouse and keys, or with a finger on a phone.

    view_campus.py PAGE WAY FOLDER [SCREENSHOTS]

WAY is switch, compare, touch or borders. Leaves pictures of the page in FOLDER, and prints as JSON what a test
wants to know.
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page

READY = "document.body.dataset.ready !== undefined"
# Inside the buildings, away from all edges.
MALL, PAVILION = (2.002, 48.001), (2.0042, 48.0005)


class Person:
    """Somebody at the page."""

    def __init__(self, url, folder, screenshots, way, **options):
        self.url, self.folder, self.screenshots, self.way = url, folder, screenshots, way
        self.page = Page(url, ready=READY, **options)
        self.steps = []

    def settle(self):
        """Waits for all pictures, and for the zoom to end."""
        self.page.wait("[...document.querySelectorAll('#map .plan img')].every((one) => one.complete)"
                       " && !viewer.map._animatingZoom")
        # The address of the page follows later.
        time.sleep(0.45)

    def where(self, place):
        """Where a place is in the window."""
        return self.page.evaluate(f"""(() => {{
            const box = document.querySelector("#map").getBoundingClientRect();
            const at = viewer.map.latLngToContainerPoint([{place[1]}, {place[0]}]);
            return [box.left + at.x, box.top + at.y]; }})()""")

    def look(self, name):
        """Takes a picture, and says where the buildings are in it."""
        self.settle()
        self.page.screenshot(f"{self.folder}/{name}.png")
        if self.screenshots:
            self.page.screenshot(f"{self.screenshots}/{name}.png")
        self.steps.append({
            "name": name, "hash": self.page.evaluate("location.hash"),
            "mall": self.where(MALL), "pavilion": self.where(PAVILION),
            "chosen": self.page.evaluate("""[...document.querySelectorAll("#floors :checked[type=radio]")]
                .map((one) => one.getAttribute("aria-label"))"""),
            "pressed": self.page.evaluate("""[...document.querySelectorAll("#floors [aria-pressed=true]")]
                .map((one) => one.textContent)""")})

    def leave_and_return(self):
        """Opens the page anew by the address that it has."""
        self.settle()
        link = self.page.evaluate("location.hash")
        self.page.send("Page.navigate", url="about:blank")
        self.page.go(self.url + link)
        return link

    def readout(self):
        time.sleep(0.2)
        return {name: self.page.evaluate(f"element({name!r}).textContent") for name in ("place", "tile", "value")}

    def done(self, **more):
        """What is to be known of every page."""
        result = {
            "steps": self.steps, "problems": self.page.problems, "unnamed": self.page.unnamed(),
            "overlaps": self.page.evaluate(OVERLAPS), "small": self.page.evaluate(SMALL),
            "wider": self.page.evaluate("document.scrollingElement.scrollWidth - innerWidth"),
            "asked": self.page.requests, **more}
        self.page.close()
        return result


# What is used by a finger, and is less than 44 pixels wide or high.
SMALL = """[...document.querySelectorAll("button, select, summary, label.floor, label.check, #handle, input, "
    + ".leaflet-bar a")].filter((one) => one.checkVisibility() && !(one.closest("label.floor, label.check")
    && one.matches("input"))).map((one) => [one.id || one.className || one.tagName, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.9 || box.height < 43.9).map(([name]) => name)"""

# Parts that cover each other.
OVERLAPS = """(() => {
    const inside = ["#left-name b", "#right-name b", ".leaflet-control-zoom", ".leaflet-control-scale",
        ".leaflet-control-attribution", "#handle"];
    const outside = ["#stage", "#title", "#floors", "#settings", "#readout"];
    const found = [];
    for (const group of [inside, outside]) {
        const boxes = group.map((name) => [name, document.querySelector(name)])
            .filter(([, one]) => one?.checkVisibility())
            .map(([name, one]) => [name, one.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
        for (const [name, a] of boxes) for (const [other, b] of boxes) {
            if (name < other && a.left < b.right - .5 && b.left < a.right - .5 && a.top < b.bottom - .5
                && b.top < a.bottom - .5) found.push(`${name} ${other}`);
        }
    }
    return found;
})()"""


def choose(selector, value):
    return f"""(() => {{ const one = document.querySelector({selector!r}); one.value = {value!r};
        one.dispatchEvent(new Event("change")); }})()"""


def switch(person):
    """Switches floors of one building, of all, and by keys; follows a link."""
    page = person.page
    page.evaluate(choose("#background", "white"))
    person.look("default")
    page.click_on("#floors [aria-label='1: Gallery']")
    person.look("gallery")
    page.click_on("#floors .level[aria-label^='1:']")
    person.look("level-1")
    page.click_on("#floors .level[aria-label^='B1:']")
    person.look("level-B1")
    page.tab_to("#floors [aria-label='B1: Basement']")
    page.key("ArrowUp")
    person.look("arrow")
    page.click_on("#floors [aria-label='Show Pavilion']")
    person.look("hidden")
    page.click_on("#floors [aria-label='Show Pavilion']")
    person.leave_and_return()
    person.look("link")
    # A floor alone, as links had it to a page of one building.
    page.evaluate("location.hash = '#17/48.001/2.002&floor=Mall/1&floor=Pavilion/nothing'")
    page.wait("viewer.map.getZoom() === 17")
    person.look("typed")
    return person.done()


def compare(person):
    """Divides the map between two floors, by the mouse and by keys."""
    page = person.page
    page.evaluate(choose("#background", "white"))
    page.click_on("#compare")
    person.look("begun")
    x, y = person.where(MALL)
    handle = page.middle("#handle")
    page.drag(handle, (x + 60, handle[1]))
    person.look("right")
    page.drag(page.middle("#handle"), (x - 60, handle[1]))
    person.look("left")
    values = [page.evaluate("element('handle').getAttribute('aria-valuenow')")]
    page.tab_to("#handle")
    for key, times in (("ArrowRight", 3), ("ArrowLeft", 1), ("End", 1), ("Home", 1)):
        page.key(key, times=times)
        values.append(page.evaluate("element('handle').getAttribute('aria-valuenow')"))
        person.look(key)
    page.key("End")
    page.key("ArrowLeft", shift=True, times=4)
    link = person.leave_and_return()
    person.look("link")
    page.click_on("#floors [aria-label='B1: Basement']")
    person.look("basement")
    page.evaluate(choose("#right", "3"))
    person.look("other-building")
    return person.done(values=values, link=link, role=page.evaluate("element('handle').getAttribute('role')"))


def touch(person):
    """On a phone: switches, compares and reads a pixel with a finger."""
    page = person.page
    page.tap_on("#floors .level[aria-label^='1:']")
    person.look("phone")
    # In the pale strip of the first floor, and in the middle of it.
    readouts = []
    for place in ((2.0003, 48.0013), MALL, (2.0033, 48.0015)):
        page.tap(*person.where(place))
        readouts.append(person.readout())
    person.look("read")
    page.tap_on("summary")
    time.sleep(0.3)
    page.evaluate("element('background').scrollIntoView()")
    page.tap_on("#compare")
    person.look("settings")
    small = page.evaluate(SMALL)
    page.tap_on("summary")
    time.sleep(0.3)
    x, _ = person.where(MALL)
    handle = page.middle("#handle")
    page.swipe([handle], [(x + 30, handle[1])])
    person.look("swiped")
    return person.done(readouts=readouts, smallSettings=small, link=page.evaluate("location.hash"))


def borders(person):
    """Marks tiles that are missing, and where there are none."""
    page = person.page
    page.evaluate(choose("#background", "white"))
    page.click_on("#borders")
    person.look("borders")
    page.wait("document.querySelector('.box[data-state=missing]') !== null")
    boxes = page.evaluate("""[...document.querySelectorAll(".box")]
        .map((one) => [one.dataset.tile, one.dataset.state, one.innerText])""")
    page.mouse("mouseMoved", *person.where(MALL))
    return person.done(boxes=boxes, count=page.evaluate("element('count').textContent"),
                       readout=person.readout())


def main():
    url, way, folder, *screenshots = sys.argv[1:]
    size = {"width": 390, "height": 844, "touch": True} if way == "touch" else {"width": 1200, "height": 800}
    person = Person(url, folder, screenshots[0] if screenshots else None, way, **size,
                    dark=url.endswith("#dark"))
    print(json.dumps(globals()[way](person)))


if __name__ == "__main__":
    main()
