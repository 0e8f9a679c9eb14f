"""Makes documents as people have them, each of the same floor plan, for tests and to look at.

    python3 make_documents.py FOLDER [NAME...]    makes them, or those that are named
    python3 make_documents.py --list              says what each needs

Writes NAME.pdf or NAME.svg for each that this machine has the programs for, and documents.json, a list of
objects: name, about, file (absent if it was not made), skipped (what is missing), and what to expect:

    width, height    of the first page as it is seen, in points, y down
    pages            how many
    marks            [[x, y], [red, green, blue]]: which colour is seen where, in points
    password         that opens it
    position         crs, topLeft and metresPerPoint of the page, if it lies on the Earth; or
    lonLat           [[x, y], [longitude, latitude]]: where points lie
    neatline         the ring around its map, in points
    layers           [name, whether it is shown], in the order of the document
    missingFonts     that the document does not bring along
    picture          columns, rows and pixels to the inch of the picture that is all of the page
    resolution       pixels to the inch that the drawing counts in
    sheetColor       that the page paints all of itself in
    opens            false, and nothing else, if no program can open it

An entry needs what it says it needs, and no entry needs the network.
"""

import json
import os
import sys

import drawings  # noqa: F401: registers its documents
import plan
import programs  # noqa: F401
import special  # noqa: F401
from registry import DOCUMENTS


def expected(recipe):
    """What a test may expect of a document."""
    facts = dict(recipe.facts)
    if facts.get("opens") is False:
        return {"opens": False}
    if facts["marks"] is True:
        facts["marks"] = [[list(place), list(colour)] for place, colour in plan.MARKS]
    return {key: value for key, value in facts.items() if value is not False}


def make(name, folder):
    """Makes one; gives its entry."""
    recipe = DOCUMENTS[name]
    entry = {"name": name, "about": recipe.about} | expected(recipe)
    if lacking := recipe.missing():
        print(f"{name}: skipped, not installed: {', '.join(lacking)}", file=sys.stderr)
        return entry | {"skipped": lacking}
    file = f"{name}.{recipe.ending}"
    path = os.path.join(folder, file)
    recipe.make(path)
    print(f"{name}: {os.path.getsize(path)} bytes", file=sys.stderr)
    return entry | {"file": file}


def main():
    """Reads the command line."""
    arguments = sys.argv[1:]
    if arguments == ["--list"]:
        for name, recipe in DOCUMENTS.items():
            needs = recipe.programs + [f"python3 with {module}" for module in recipe.modules]
            print(f"{name}: {recipe.about} Needs: {', '.join(needs) or 'nothing'}.")
        return
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    folder, *names = arguments
    if unknown := [name for name in names if name not in DOCUMENTS]:
        sys.exit(f"there is no document '{unknown[0]}': {', '.join(DOCUMENTS)}")
    os.makedirs(folder, exist_ok=True)
    entries = [make(name, folder) for name in names or DOCUMENTS]
    with open(os.path.join(folder, "documents.json"), "w") as file:
        json.dump(entries, file, indent=1)


if __name__ == "__main__":
    main()
