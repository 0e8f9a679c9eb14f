#!/usr/bin/env python3
"""Fails if a relative link of the README or of an article leads nowhere.

A link must lead to a file of the project and, if it names a heading, to a heading of that file, as a
web forge makes anchors of headings. The landing page must lead to every article, both by a link to
the file, which a forge follows, and in its Topics, which DocC follows.
"""

import re
import sys
from pathlib import Path
from urllib.parse import unquote

PROJECT = Path(__file__).resolve().parent.parent
CATALOGUE = PROJECT / "Sources/TilewrightKit/TilewrightKit.docc"
LANDING_PAGE = CATALOGUE / "TilewrightKit.md"

# A link or a picture, of Markdown or of HTML: DocC wants pictures of Markdown within the catalogue.
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\]|!\[[^\]]*\]\([^)]*\))*\]\(\s*<?([^)\s>]*)>?[^)]*\)|<img src=\"([^\"]*)\"")
TOPIC = re.compile(r"<doc:([^>]+)>")


def main():
    pages = [PROJECT / "README.md", *sorted(CATALOGUE.rglob("*.md"))]
    texts = {page: prose(page) for page in pages}
    faults = []
    for page, text in texts.items():
        for match in LINK.finditer(text):
            target = match[1] or match[2]
            fault = fault_of(target, page)
            if fault:
                line = text[: match.start()].count("\n") + 1
                faults.append(f"{page.relative_to(PROJECT)}:{line}: '{target}' {fault}")
    faults += faults_of_landing_page(texts)
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


def prose(page):
    """The text with code blanked out, so that positions in it stay."""
    text = page.read_text(encoding="utf-8")
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r"^(```|~~~).*?^\1", blank, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(?:(?<=\n\n)|(?<=\A))(?: {4}.*(?:\n|\Z)|\n)+", blank, text)
    return re.sub(r"(?<!`)(`+)(?!`)(?:(?!\n\n).)*?(?<!`)\1(?!`)", code_span, text, flags=re.DOTALL)


def code_span(match):
    return re.sub(r"[^\n]", "x", match[0])


def fault_of(target, page):
    """Why a link leads nowhere, or None."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    path, _, anchor = target.partition("#")
    file = (page.parent / unquote(path)).resolve() if path else page
    if not file.is_relative_to(PROJECT):
        return "leads out of the project"
    if not file.exists():
        return "does not exist"
    if anchor and file.suffix != ".md":
        return "names a heading of a file that has none"
    if anchor and anchor not in anchors(file):
        return "names a heading that does not exist"
    return None


def anchors(page):
    """What a web forge makes of a page's headings."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    result = set()
    for title in re.findall(r"^#{1,6} +(.*?)[ #]*$", text, re.MULTILINE):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        repeated = 0
        while (slug if repeated == 0 else f"{slug}-{repeated}") in result:
            repeated += 1
        result.add(slug if repeated == 0 else f"{slug}-{repeated}")
    return result


def faults_of_landing_page(texts):
    text = texts[LANDING_PAGE]
    linked = {(CATALOGUE / match[1]).resolve() for match in LINK.finditer(text) if match[1]}
    topics = TOPIC.findall(text)
    articles = [page for page in texts if CATALOGUE in page.parents and page != LANDING_PAGE]
    name = LANDING_PAGE.relative_to(PROJECT)
    names = [article.stem for article in articles]
    return (
        [f"{name}: has no link to '{page.name}'" for page in articles if page not in linked]
        + [f"{name}: has no topic 'doc:{stem}'" for stem in names if stem not in topics]
        + [f"{name}: 'doc:{topic}' is not an article" for topic in topics if topic not in names]
    )


if __name__ == "__main__":
    main()
