"""Sets points of the second floor of the example by clicks that miss, and looks at what the page says of them.

    place_judged.py PAGE [SCREENSHOTS]

Prints, as JSON, what was tried and whether it did what it should.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))

from browser import Page
from place_by_hand import OUTLINE, Person, pixel, place

# Where clicks on the map miss, in pixels of the screen: no two alike.
MISSES = [(2, 1), (-2, 1), (1, -2), (-1, -2), (2, 2)]


def main():
    url, screenshots = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    page = Page(url, 1280, 800)
    person, done = Person(page, screenshots), {}
    hint = lambda: page.evaluate("document.getElementById('hint').textContent")
    disagrees = lambda: hint() == page.evaluate("phrase('place.hintDisagree')")
    # Nothing is scrolled for it.
    in_sight = lambda name: page.evaluate(f"""(() => {{
        const box = document.getElementById('to-{name}').getBoundingClientRect();
        return box.height > 30 && box.bottom <= innerHeight; }})()""")

    def click_points(zoom, factor):
        page.evaluate("void setState({ ...state, points: [] }), commit()")
        for corner, miss in zip(OUTLINE, MISSES):
            page.click_on("#plan-fit")
            page.click(*person.on_plan(*pixel(*corner)))
            page.evaluate(f"void map.setView([{place(*corner)[1]}, {place(*corner)[0]}], {zoom}, {{animate: false}})")
            at = person.on_map(place(*corner))
            page.click(at[0] + factor * miss[0], at[1] + factor * miss[1])
        page.evaluate("void map.setView(map.getCenter(), 22, {animate: false})")

    try:
        page.evaluate("document.getElementById('lay').click()")
        done["Next is in sight where the plan is laid"] = in_sight("points")
        page.click_on("#step-points")
        click_points(18, 1)
        person.look("far")
        done["the points are there"] = page.evaluate("solution.points.length") == 5
        done["they miss by many pixels of the plan"] = page.evaluate("solution.fit.rms.pixels") > 5
        done["clicks of a small map are not blamed for its pixels"] = not disagrees()
        done["Next is in sight below five points"] = in_sight("cut")
        best = page.evaluate("advised(solution.fits)")
        done["a model is advised"] = best is not None
        done["it is the one that is chosen"] = page.evaluate(
            "document.querySelector('[name=model]:checked').value") == best == page.evaluate("solution.model")
        page.click_on("input[value=projective]")
        done["another one can be chosen"] = page.evaluate("solution.model") == "projective"
        page.click_on("#undo")
        done["and taken back"] = page.evaluate("solution.model") == best
        click_points(22, 20)
        person.look("near")
        done["clicks that miss by twenty pixels are told"] = disagrees() or page.evaluate(
            "solution.fit.suspect !== null")
        for step, following in (("cut", "compare"), ("compare", "save")):
            page.click_on(f"#step-{step}")
            done[f"Next is in sight in {step}"] = in_sight(following)
        done["nothing went wrong"] = page.problems == []
        print(json.dumps(done))
    finally:
        page.close()


main()
