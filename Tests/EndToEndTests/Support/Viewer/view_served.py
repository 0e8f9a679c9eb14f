"""Looks at pages of the same map one after the other, and switches floors by the mouse or with a finger.

    view_served.py PAGE SIZE FOLDER PLAN [SCREENSHOTS]

SIZE is wide or phone. PLAN is JSON: the labels of floors, and pages: a name, an address, and perhaps commands
that change what is shown, after which the page is loaded again. PAGE is the address of the first one. Leaves
pictures in FOLDER, NAME-INDEX.png for each floor and NAME-after-INDEX.png for what was changed, and prints as
JSON where the map is in them, what was asked for, and what went wrong.
"""

import json
import subprocess
import sys

from view_campus import Person


def look(person, name, floors, way):
    """Takes a picture of each floor, or of all that there is."""
    for index, floor in enumerate(floors or [None]):
        if floor:
            selector = f"#floors [aria-label={json.dumps(floor)}]"
            person.page.tap_on(selector) if way == "phone" else person.page.click_on(selector)
            person.page.wait(f"document.querySelector({json.dumps(selector)}).checked")
        person.look(f"{name}-{index}")


def main():
    first, way, folder, plan, *screenshots = sys.argv[1:]
    plan = json.loads(plan)
    size = {"width": 390, "height": 844, "touch": True} if way == "phone" else {"width": 1200, "height": 800}
    person = Person(first, folder, screenshots[0] if screenshots else None, way, **size)
    boxes = {}
    for page in plan["pages"]:
        person.page.send("Page.navigate", url="about:blank")
        person.page.go(page["url"])
        look(person, page["name"], plan["floors"], way)
        boxes[page["name"]] = person.page.box("#map")
        if page.get("commands"):
            for command in page["commands"]:
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            person.page.reload()
            look(person, page["name"] + "-after", plan["floors"], way)
    print(json.dumps(person.done(boxes=boxes)))


if __name__ == "__main__":
    main()
