"""Looks at a page with a browser of some language, on a phone and on a wide screen.

    see_language.py PAGE KIND LANGUAGE [SCREENSHOTS]

KIND is viewer, place or guide, for the first page of the guide. Prints as JSON, per width, the language and the direction of the page, what it says, what is
cut off or beyond the window, which digits it writes, and what of the plan the first view hides.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browser import Page

READY = {
    "viewer": "document.body.dataset.ready !== undefined", "place": "typeof solution === 'object'",
    "guide": "document.documentElement.style.getPropertyValue('--guide') !== ''",
}
STEPS = {
    "viewer": ["", "element('settings').open = true; element('borders').click(); element('compare').click()"],
    "guide": ["", "openFrame(floorIDs()[0])", "dialog.dialog.close()"],
    "place": ["element('lay').click()"] + [f"goTo('{one}')" for one in ("points", "cut", "compare", "save")],
}

# What scrolls may be wider than it seems.
CUT = """[...document.querySelectorAll('button, summary, label, legend, h1, h2, p, select, aside, header, nav')]
  .filter((one) => one.offsetParent).map((one) => {
    const { left, right } = one.getBoundingClientRect(), { overflowX, display } = getComputedStyle(one);
    const isCut = one.scrollWidth > one.clientWidth + 1 && !['auto', 'scroll'].includes(overflowX)
      && display !== 'inline';
    const isBeyond = left < -1 || right > innerWidth + 1;
    return isCut || isBeyond ? `${one.tagName} ${one.id} ${one.textContent.trim()}` : '';
  }).filter(Boolean)"""

# The corners of the plan, and which controls of the map lie on it.
HIDDEN = """(() => {
  const { map } = viewer, [[south, west], [north, east]] = viewer.area();
  const low = map.latLngToContainerPoint([south, west]), high = map.latLngToContainerPoint([north, east]);
  const all = map.getContainer().getBoundingClientRect();
  const found = low.x < 0 || high.x > all.width || high.y < 0 || low.y > all.height ? ['not in the map'] : [];
  for (const one of document.querySelectorAll('.leaflet-control')) {
    const box = one.getBoundingClientRect();
    if (box.left - all.left < high.x && box.right - all.left > low.x && box.top - all.top < low.y
      && box.bottom - all.top > high.y) found.push(one.className);
  }
  return found;
})()"""


def said(page):
    """All that people read or hear."""
    return page.evaluate("""[document.title, document.body.innerText,
      ...[...document.querySelectorAll('[title], [aria-label]')].flatMap((one) => [one.title, one.ariaLabel])]
      .filter(Boolean).join('\\n')""")


def look(url, kind, language, width, height, folder):
    page = Page(url, width=width, height=height, touch=width < 500, dark=width > 500, ready=READY[kind],
                language=language)
    try:
        seen = {
            "language": page.evaluate("document.documentElement.lang"),
            "direction": page.evaluate("document.documentElement.dir"),
            "hidden": page.evaluate(HIDDEN) if kind == "viewer" else [],
            "isMirrored": page.evaluate("""(() => { const side = document.querySelector('#side h1, #panel, #guide-note')
              .getBoundingClientRect(); return side.left + side.width / 2 < innerWidth / 2; })()"""),
            "cut": [], "wider": 0, "text": "",
        }
        for index, step in enumerate(STEPS[kind]):
            page.evaluate(f"void (() => {{ {step} }})()")
            seen["cut"] += page.evaluate(CUT)
            seen["wider"] = max(seen["wider"], page.evaluate("document.documentElement.scrollWidth - innerWidth"))
            seen["text"] += said(page) + "\n"
            if folder:
                page.screenshot(f"{folder}/{kind}-{language}-{width}-{index}.png")
        return {**seen, "unnamed": page.unnamed(), "problems": page.problems}
    finally:
        page.close()


def main():
    url, kind, language, *folder = sys.argv[1:]
    sizes = {"phone": (390, 844), "wide": (1200, 800)}
    print(json.dumps({name: look(url, kind, language, *size, folder[0] if folder else None)
                      for name, size in sizes.items()}))


if __name__ == "__main__":
    main()
