"""Sets points whose places the floor below knows: each is chosen by its name, and clicked on the plan.

    place_known.py PAGE [SCREENSHOTS]

Prints what a test wants to know, as JSON.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page
from place_by_hand import Mouse, OUTLINE, pixel


def main():
    page = Page(sys.argv[1])
    try:
        person = Mouse(page, sys.argv[2] if len(sys.argv) > 2 else None)
        page.click_on("#step-points")
        person.look("offered")
        offered = page.evaluate("[...document.querySelectorAll('#known button')].map((one) => one.textContent)")
        for corner in OUTLINE:
            page.click_on("#known button")
            person.look("chosen")
            page.click(*person.on_plan(*pixel(*corner)))
        person.look("set")
        print(json.dumps({
            "offered": offered, "set": page.evaluate("solution.points.map(({name}) => name)"),
            "left": page.evaluate("!document.getElementById('known').hidden"), "error": person.error(),
            "problems": page.problems,
        }))
    finally:
        page.close()


if __name__ == "__main__":
    main()
