"""Tries what the page of `place` can do besides placing: opening, correcting, undoing, comparing, saving.

    place_details.py PAGE FOLDER

Prints, as JSON, what was tried and whether it did what it should. Beside the page in FOLDER, it needs a file
good.points of six points that lie on one affine transform, saved on an image of 2100 x 1350 pixels.
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page


def places(page, done):
    """What people copy as a place, and what they type who have none."""
    page.click_on("#step-rough")

    def go(text):
        page.click_on("#go")
        page.evaluate("document.activeElement.select()")
        page.type(text)
        page.key("Enter")
        return [round(page.evaluate(f"map.getCenter().{axis}"), 4) for axis in ("lng", "lat")]

    for text, place in {
            "1.73, 48.217": [1.73, 48.217], "48.217° N, 1.73° W": [-1.73, 48.217],
            "48° 13′ 1.2″ N 1° 43′ 48″ E": [1.73, 48.217], "S 33.5 E 151.25": [151.25, -33.5],
            "https://www.openstreetmap.org/way/1#map=18/48.217/1.73": [1.73, 48.217]}.items():
        done[f"the place '{text}'"] = go(text) == place
    go("48.217, 1.73")
    page.click_on("#go-note button")
    done["two numbers are swapped"] = page.evaluate("map.getCenter().lat.toFixed(3)") == "48.217"
    go("Harbour Mall & Sons")
    done["a name is looked for elsewhere"] = page.evaluate("document.querySelector('#go-note a').href") == (
        "https://www.openstreetmap.org/search?query=Harbour%20Mall%20%26%20Sons")


def main():
    url, folder = sys.argv[1], Path(sys.argv[2])
    good = (folder / "good.points").read_text()
    (folder / "bad.points").write_text(good.replace(",2050,-1300,", ",1950,-1300,"))
    (folder / "other.points").write_text(good.replace("2100x1350", "1050x675"))
    page = Page(url, downloads=folder.resolve())
    done = {}
    text = lambda identifier: page.evaluate(f"document.getElementById('{identifier}').textContent")
    state = lambda: page.evaluate("JSON.stringify(state)")

    def open_file(name):
        page.click_on("#step-save")
        document = page.send("DOM.getDocument")["root"]["nodeId"]
        field = page.send("DOM.querySelector", nodeId=document, selector="#open")["nodeId"]
        page.send("DOM.setFileInputFiles", nodeId=field, files=[str(folder.resolve() / name)])
        page.wait("settings.step === 'points'")

    def saved(name):
        for _ in range(100):
            if (folder / name).exists() and (folder / name).stat().st_size:
                return (folder / name).read_text()
            time.sleep(0.05)
        return None

    try:
        open_file("bad.points")
        done["a wrong point is named"] = text("verdict").startswith("Point 2 is probably wrong")
        done["and marked in the list"] = page.evaluate(
            "document.querySelectorAll('#list .wrong').length") == 1
        # 100 pixels of the plan to the right, where it belongs.
        before = state()
        start, step = page.middle("#plan-pane [data-key='2']"), page.evaluate("100 * pane.zoom")
        page.drag(start, (start[0] + step, start[1]))
        done["dragging its mark mends it"] = page.evaluate(
            "solution.fit.suspect === null && solution.fit.rms.pixels < 2")
        after = state()
        page.key("z", ctrl=True)
        done["undone by keys"] = state() == before
        page.key("Z", ctrl=True, shift=True)
        done["done again by keys"] = state() == after
        page.click_on("#undo")
        done["undone by the button"] = state() == before

        open_file("good.points")
        page.evaluate("document.querySelector('#list [data-id=\"2\"] details').open = true")
        page.click_on("#list [data-id='2'] [data-part=pixel]")
        page.evaluate("document.activeElement.select()")
        page.type("2060, 1310")
        page.key("Enter")
        done["a pixel is typed"] = page.evaluate("find(2).pixel.x === 2060 && find(2).pixel.y === 1310")
        page.click_on("#list [data-id='2'] [data-part=enabled]")
        done["a point is left out of the fit"] = page.evaluate("solution.points.length") == 5
        page.click_on("#list [data-id='2'] .remove")
        done["a point is removed"] = page.evaluate("state.points.length") == 5

        page.click_on("input[value=similarity]")
        page.click_on("#step-save")
        done["the command names the model"] = text("build-line").endswith("--transform similarity -o tiles")
        page.evaluate("document.getElementById('world').open = true")
        page.click_on("#world-file")
        page.click_on("#projection")
        done["a world file has six lines"] = len((saved("second.pgw") or "").split()) == 6
        done["its system is the plane"] = "Transverse_Mercator" in (saved("second.prj") or "")

        page.click_on("#step-compare")
        opacity = "getComputedStyle(document.querySelector('.plan-layer')).opacity"
        page.send("Input.dispatchKeyEvent", type="keyDown", key="b", text="b")
        done["B hides the plan"] = page.evaluate(opacity) == "0"
        page.send("Input.dispatchKeyEvent", type="keyUp", key="b")
        done["and shows it again"] = page.evaluate(opacity) == "0.7"
        shown = """[...document.querySelector('.plan-layer').getContext('2d').getImageData(0, 0,
            map.getSize().x, map.getSize().y).data].filter((value, index) => index % 4 === 3 && value > 40).length"""
        whole = page.evaluate(shown)
        page.click_on("#ink")
        done["lines alone cover little"] = page.evaluate(shown) < 0.5 * whole

        open_file("other.points")
        done["another size is told"] = "1050 × 675" in text("size-notice")
        page.reload()
        done["also when the page is loaded again"] = "1050 × 675" in text("size-notice")
        page.click_on("#size-notice button")
        done["and can be scaled"] = page.evaluate("find(1).pixel.y") == 2600
        done["once"] = page.evaluate("document.getElementById('size-notice').hidden")
        places(page, done)
        page.click_on("#step-points")
        turn = page.evaluate("pane.turn")
        page.click_on("#plan-right")
        done["the plan's pane is turned"] = page.evaluate("pane.turn") == turn + 15
        done["nothing went wrong"] = page.problems == []
        print(json.dumps(done))
    finally:
        page.close()


main()
