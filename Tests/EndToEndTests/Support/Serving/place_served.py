"""Saves a plan through the server that gave the page in which it is placed, with a mouse.

    place_served.py PAGE [SCREENSHOTS]

The plan has points already. Prints what the page says, before and behind the server's back, as JSON.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page


def save(page):
    """Saves, and returns what the page says then."""
    page.evaluate("element('sent').hidden = true")
    page.click_on("#send")
    page.wait("!element('sent').hidden && !element('send').disabled")
    return page.evaluate("element('sent').innerText")


def main():
    page = Page(sys.argv[1])
    try:
        page.evaluate("settings.basemap = ''; setBasemap()")
        page.click_on("#step-save")
        result = {"saved": save(page), "link": page.evaluate("element('sent').querySelector('a').pathname"),
                  "takes": page.evaluate("element('commands').firstElementChild.hidden")}
        if len(sys.argv) > 2:
            page.screenshot(f"{sys.argv[2]}/saved.png")
        # As if it had ended.
        page.send("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1,
                  uploadThroughput=-1)
        result["offline"] = save(page)
        result["isUnsaved"] = page.evaluate("position.isChanged || !position.isSaved")
        print(json.dumps(result))
    finally:
        page.close()


main()
