#!/usr/bin/env python3
"""Writes the articles and the library's symbols as web pages, with DocC.

    site.py SYMBOLS FOLDER [PATH]

SYMBOLS is a folder with the symbol graph of TilewrightKit; FOLDER gets the pages, in "pages". PATH is
where on its host the site will be, if not at the root. Links between
articles are relative links to files, which a web forge follows and DocC does not: a copy of the
catalogue gets links and pictures of DocC's own. Links out of the catalogue lead to the forge only,
and become plain text. A warning of DocC is an error.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from check_links import CATALOGUE, PROJECT

LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)")
PICTURE = re.compile(r'<img src="([^"]+)" alt="([^"]*)">')


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    symbols, folder = map(Path, sys.argv[1:3])
    shutil.rmtree(folder, ignore_errors=True)
    copy = folder / "catalogue" / CATALOGUE.name
    shutil.copytree(CATALOGUE, copy)
    for page in sorted(CATALOGUE.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        text = LINK.sub(lambda match: link(match, page), text)
        text = PICTURE.sub(lambda match: picture(match, page, copy), text)
        (copy / page.relative_to(CATALOGUE)).write_text(text, encoding="utf-8")
    subprocess.run(
        ["docc", "convert", copy, "--additional-symbol-graph-dir", symbols, "--warnings-as-errors",
         "--transform-for-static-hosting", *(["--hosting-base-path", *sys.argv[3:]] if sys.argv[3:] else []),
         "--output-dir", folder / "pages"], check=True)


def link(match, page):
    text, path, anchor = match.groups()
    target = (page.parent / path).resolve() if path else page
    if CATALOGUE not in target.parents:
        return text
    name = target.stem if target.stem != CATALOGUE.stem else f"/{CATALOGUE.stem}"
    heading = f"#{heading_of(target, anchor)}" if anchor else ""
    return f"[{text}](doc:{name}{heading})"


def heading_of(page, anchor):
    """DocC's anchor for the heading that a forge calls by another."""
    for title in re.findall(r"^#+ +(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        if re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") == anchor:
            return re.sub(r"['\"`]", "", title).replace(" ", "-")
    return anchor


def picture(match, page, copy):
    source = (page.parent / match[1]).resolve()
    shutil.copy(source, copy / source.name)
    return f"![{match[2]}]({source.name})"


if __name__ == "__main__":
    main()
