"""Types the scale of the second floor's drawing, and sets two points, as a person would.

    place_scale.py PAGE FOLDER [SCREENSHOTS]

The drawing is at 1 : 100 and knows its paper. Leaves second.png.points and one.points, with a single point, in
FOLDER, and prints what a test wants to know, as JSON.
"""

import json
import math
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))

from browser import Page
from place_by_hand import Mouse, OUTLINE

SCALE = 100 * 0.0254 / 63.5


def main():
    url, folder = sys.argv[1], Path(sys.argv[2])
    page = Page(url, downloads=folder.resolve())
    done = {}
    text = lambda identifier: page.evaluate(f"document.getElementById('{identifier}').textContent")
    checked = lambda selector: page.evaluate(f"document.querySelector('{selector}').checked")

    def write(selector, number):
        page.click_on(selector)
        page.evaluate("document.activeElement.select()")
        page.type(number)
        page.key("Enter")

    try:
        person = Mouse(page, sys.argv[3] if len(sys.argv) > 3 else None)
        done["the field is shown"] = page.box("#ratio")[2] > 0
        done["a screen reader has a name for everything"] = page.unnamed() == []
        page.click_on("#ratios button:nth-child(3)")
        done["a button sets 1:200"] = page.evaluate("ratioOf(state.rough.scale)") == 200
        write("#ratio", "100")
        person.look("ratio")
        done["100 is metres per pixel"] = page.evaluate("state.rough.scale") == SCALE
        done["and is kept"] = checked("#lock") and page.evaluate("state.kept") == SCALE
        person.lay()
        done["pins do not change it"] = abs(page.evaluate("state.rough.scale") / SCALE - 1) < 1e-12
        page.click_on("#lock")
        done["it is let go"] = page.evaluate("state.kept") is None
        page.key("z", ctrl=True)
        done["undone"] = page.evaluate("state.kept") == SCALE and checked("#lock")

        page.click_on("#step-points")
        person.point(OUTLINE[0], 1)
        done["one point is enough"] = "this point is enough" in text("hint")
        person.point(OUTLINE[2], 2)
        person.look("points")
        done["the model is rigid"] = page.evaluate("solution.model") == "rigid" and checked("input[value=rigid]")
        numbers = page.evaluate("solution.placement.transform.numbers")
        done["the fit keeps the scale"] = abs(math.hypot(numbers[0], numbers[3]) / SCALE - 1) < 1e-14
        done["two points show errors"] = text("verdict").startswith("Off by")
        page.click_on("input[value=similarity]")
        done["another model lets it go"] = page.evaluate("state.kept") is None
        page.click_on("input[value=rigid]")
        done["this one keeps what is measured"] = abs(page.evaluate("state.kept") / SCALE - 1) < 0.01
        page.click_on("#step-rough")
        write("#ratio", "100")
        done["typed, for points too"] = page.evaluate("state.kept") == SCALE
        page.reload()
        done["kept when the page is loaded again"] = page.evaluate("solution.model") == "rigid" and checked("#lock")

        page.click_on("#step-save")
        done["the file says it"] = text("build-line") == "tilewright second.png -o tiles"
        done["the options say it"] = "--transform rigid --scale 1:100 -o tiles" in text("gcp-line")
        page.click_on("#download")
        for _ in range(200):
            if (folder / "second.png.points").exists() and (folder / "second.png.points").stat().st_size:
                break
            time.sleep(0.05)
        done["the file is read again"] = page.evaluate("readPoints(savedText()).scale") == SCALE
        fit = page.evaluate("({rms: solution.fit.rms, line: document.getElementById('gcp-line').textContent})")

        page.click_on("#step-points")
        page.click_on("#list li:nth-child(2) .remove")
        page.click_on("#step-rough")
        write("#bearing", "30.5")
        page.click_on("#step-save")
        # North at the point is not quite north at the plan's middle.
        bearing = float(text("gcp-line").split("--bearing ")[1].split()[0])
        done["one point and a bearing are options"] = abs(bearing - 30.5) < 0.001
        (folder / "one.points").write_text(page.evaluate("savedText()"))
        corner = page.evaluate("(({x, y}) => [x, y])(solution.placement.toPlace({x: 2100, y: 0}))")
        line = text("gcp-line")
        page.evaluate("openText(savedText())")
        again = page.evaluate("(({x, y}) => [x, y])(solution.placement.toPlace({x: 2100, y: 0}))")
        done["it is opened"] = max(abs(a - b) for a, b in zip(corner, again)) < 1e-8
        done["nothing went wrong"] = page.problems == []
        print(json.dumps({"done": done, "fit": fit, "corner": corner, "line": line}))
    finally:
        page.close()


main()
