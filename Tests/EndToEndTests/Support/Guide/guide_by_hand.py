"""Goes from plans to one file for others through the pages of the guide, with a mouse, or with fingers on a phone.

    guide_by_hand.py ADDRESS WAY LANGUAGE [SCREENSHOTS]

WAY is mouse or finger. Prints what the pages say, as JSON.
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page

# The page of 'place' has shown a step.
SHOWS_STEP = "document.querySelector('[role=tab][aria-selected=true]') !== null"
READY = "typeof guide === 'object' && document.documentElement.style.getPropertyValue('--guide') !== ''"


class Visitor:
    """Somebody who goes from step to step."""

    def __init__(self, address, way, language, folder):
        self.way, self.folder, self.seen = way, folder, {"wider": 0, "unnamed": []}
        size = {"width": 1200, "height": 800} if way == "mouse" else {"width": 390, "height": 844, "touch": True}
        self.page = Page(f"{address}/", ready=READY, language=language, **size)

    def press(self, selector):
        (self.page.click_on if self.way == "mouse" else self.page.tap_on)(selector)

    def drag(self, start, end):
        if self.way == "mouse":
            self.page.drag(start, end)
        else:
            self.page.swipe([start], [end])

    def look(self, name):
        time.sleep(0.3)
        self.seen["wider"] = max(
            self.seen["wider"], self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))
        self.seen["unnamed"] += self.page.unnamed()
        if self.folder:
            self.page.screenshot(f"{self.folder}/{self.way}-{name}.png")

    def arrive(self, step, condition="true"):
        self.page.wait(f"location.pathname === '/{step}' && document.readyState === 'complete' && {READY} && {condition}")

    def saved(self):
        self.page.wait("!guide.savers.some((one) => one.isWanted || one.running)")

    def choose_pages(self):
        page = self.page
        self.arrive("pages")
        page.wait("floorIDs().every((id) => floorOf(id).isFramed)")
        self.seen["proposed"] = page.evaluate(
            "floorIDs().map(floorOf).map(({ floor, label, ordinal }) => [floor, label, ordinal])")
        self.look("pages")
        # The frame of the second floor, by its corner.
        self.press("#sheets li:nth-child(2) .picture")
        page.wait("element('frame-dialog').open && element('frame-image').complete")
        time.sleep(0.3)
        page.evaluate("element('frame-whole').click()")
        self.look("frame")
        left, top, width, height = page.box("#frame-sheet")
        self.drag((left + width - 1, top + height - 1), (left + width * 0.8, top + height * 0.9))
        self.seen["crop"] = page.evaluate("dialog.frame")
        time.sleep(0.5)
        self.press("#frame-ok")
        self.press("#name")
        page.type("Town hall")
        self.saved()
        self.seen["note"] = page.evaluate("element('guide-note').textContent")
        self.press("#next")

    def place(self):
        page = self.page
        self.arrive("place", SHOWS_STEP)
        page.evaluate("settings.basemap = ''; setBasemap()")
        self.look("place")
        left, top, width, height = page.box("#map")
        middle = (left + width / 2, top + height / 2 + 20)
        self.drag(middle, (middle[0] + 30, middle[1] - 20))
        self.saved()
        page.wait("element('guide-note').textContent")
        self.press("#step-save")
        self.look("placed")
        # The other floor is where the first one is, and stays there.
        page.evaluate("window.before = floor; void chooseFloor(plannedFloors().find((one) => one !== floor))")
        page.wait("floor !== before")
        time.sleep(0.5)
        page.evaluate("goTo('save')")
        if page.evaluate("!element('accept').hidden"):
            self.press("#accept button")
        page.wait("!element('to-build').hidden")
        self.saved()
        self.look("next")
        page.reload()
        page.wait(SHOWS_STEP)
        self.seen["statuses"] = page.evaluate("plannedFloors().map((one) => statusOf(one).kind)")
        page.evaluate("goTo('save')")
        page.wait("!element('to-build').hidden")
        self.press("#to-build a")

    def build(self):
        page = self.page
        self.arrive("build")
        page.wait("estimate")
        self.seen["cost"] = page.evaluate("element('cost').textContent")
        self.press("#build")
        page.wait("progress.state === 'done' && !element('next').hidden", seconds=60)
        self.look("build")
        self.seen["states"] = page.evaluate("progress.floors.map(({ state }) => state)")
        self.press("#next")

    def share(self):
        page = self.page
        self.arrive("look", "document.body.dataset.ready !== undefined")
        self.look("look")
        self.seen["floors"] = page.evaluate("buildings[0].floors.map(({ label }) => label)")
        self.press("#guide-next")
        self.arrive("share")
        self.press("#make")
        page.wait("!element('result').hidden", seconds=60)
        self.look("share")
        self.seen["file"] = page.evaluate("element('result-name').textContent")
        self.seen["steps"] = page.evaluate("[...guide.open]")


def main():
    address, way, language, *folder = sys.argv[1:]
    visitor = Visitor(address, way, language, folder[0] if folder else None)
    try:
        for act in (visitor.choose_pages, visitor.place, visitor.build, visitor.share):
            act()
        print(json.dumps({**visitor.seen, "problems": visitor.page.problems}))
    finally:
        visitor.page.close()


main()
