"""Looks at a page of `share` from a disk, without a network, and prints it.

    share_page.py PAGE FOLDER [SCREENSHOTS]

Leaves in FOLDER a picture of each floor, N.png, with pixels of the finest tiles 1:1, and a printed sheet, N.pdf.
Prints as JSON where the tiles are in the pictures, and what the page has asked for.
"""

import base64
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page

READY = "document.body.dataset.ready !== undefined"
TILES = """[...document.querySelectorAll("#map .plan img")].filter((one) => one.naturalWidth > 0).map((one) => {
    const { left, top, width } = one.getBoundingClientRect();
    return [one.dataset.tile, left, top, width]; })"""


def settle(page):
    page.wait("[...document.querySelectorAll('#map .plan img')].every((one) => one.complete)"
              " && !viewer.map._animatingZoom")


def main():
    url, folder, screenshots = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    page = Page("about:blank", width=1280, height=800, ready="true")
    page.send("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1,
              uploadThroughput=-1)
    page.ready = READY
    page.go(url)
    floors = []
    for index in range(page.evaluate("document.querySelectorAll('#floors .floor').length")):
        x, y = page.evaluate(f"""(() => {{
            const box = document.querySelectorAll("#floors .floor")[{index}].getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2]; }})()""")
        page.click(x, y)
        page.click_on("#exact")
        settle(page)
        name = page.evaluate("viewer.shown.main.label")
        if screenshots:
            page.screenshot(f"{screenshots[0]}/{index}.png")
        page.evaluate("document.querySelector('.leaflet-control-container').style.visibility = 'hidden'")
        page.screenshot(folder / f"{index}.png")
        seen = page.evaluate(TILES)
        page.evaluate("document.querySelector('.leaflet-control-container').style.visibility = ''")
        before = page.evaluate("[viewer.map.getZoom(), viewer.map.getCenter().lat, viewer.map.getSize().x]")
        # As the browser's own dialog prints if the user changes nothing.
        sheet = page.send("Page.printToPDF", preferCSSPageSize=True)
        (folder / f"{index}.pdf").write_bytes(base64.b64decode(sheet["data"]))
        settle(page)
        after = page.evaluate("[viewer.map.getZoom(), viewer.map.getCenter().lat, viewer.map.getSize().x]")
        _, _, width, height = page.box("#stage")
        floors.append({"name": name, "tiles": seen, "width": width, "height": height,
                       "isRestored": before == after})
    page.mouse("mouseMoved", width / 2, height / 2)
    time.sleep(0.1)
    pixel = page.evaluate("document.getElementById('value').textContent")
    print(json.dumps({
        "floors": floors, "problems": page.problems, "title": page.evaluate("document.title"), "pixel": pixel,
        "requests": [one for one in page.requests if not one.startswith("data:")],
        "hacked": page.evaluate("typeof hacked !== 'undefined'"),
    }))
    page.close()


main()
