#!/usr/bin/env python3
"""Fails if documents or imports name what is not there, so that they follow when code moves.

In the README and in all articles, code that is a path of the project must exist. In the articles for
maintainers, code that is a name must occur in the sources. The table of targets in Architecture must
agree with the manifest. A target imports exactly the targets that the manifest lists for it: SwiftPM also
accepts what is listed for a target below, and says nothing about what is listed and not imported.
"""

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
CATALOGUE = PROJECT / "Sources/TilewrightKit/TilewrightKit.docc"
ARCHITECTURE = CATALOGUE / "Maintainers/Architecture.md"

PATH = re.compile(r"(?:Sources|Tests|Examples|\.documentation|\.ci)(?:/[\w.+-]+)+/?")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
# What a run makes.
MADE = ("Examples/tiles", "Examples/view.png")
# What other programs name.
FOREIGN = {"map", "images", "YSCALE"}


def main():
    words = words_of_sources()
    faults = []
    for page in [PROJECT / "README.md", *sorted(CATALOGUE.rglob("*.md"))]:
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for code in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text):
            if PATH.fullmatch(code) and not code.startswith(MADE) and "NAME" not in code:
                if not (PROJECT / code).exists():
                    faults.append(f"{page.name}: '{code}' does not exist")
            elif page.parent.name == "Maintainers" and NAME.fullmatch(code):
                parts = set(code.split(".")) - FOREIGN
                if not parts <= words and "NAME" not in code:
                    faults.append(f"{page.name}: '{code}' is not a name in the sources")
    faults += faults_of_architecture() + list(faults_of_imports())
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


def words_of_sources():
    """Every word of the code, and the stems of its files."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT, check=True, capture_output=True, text=True,
    ).stdout.split("\n")
    words = set()
    for path in listed:
        if re.search(r"(\.(swift|c|h|py|mk)|Makefile)$", path) and (PROJECT / path).exists():
            words |= set(re.findall(r"\w+", (PROJECT / path).read_text(encoding="utf-8")))
            words |= set(re.findall(r"\w+", path))
    return words


def faults_of_architecture():
    """Where the table of targets and the manifest differ."""
    manifest = targets_of_manifest()
    faults, named = [], set()
    for name, imports in re.findall(
        r"^\| \d \| `([\w-]+)` \|[^|]*\| ?([^|]*?) ?\|$", ARCHITECTURE.read_text("utf-8"), re.M
    ):
        named.add(name)
        if name not in manifest:
            faults.append(f"Architecture.md: '{name}' is not a target")
            continue
        told = set(re.findall(r"\w+", imports))
        if imports != "all Swift targets above" and told != manifest[name]:
            faults.append(
                f"Architecture.md: {name} imports {' '.join(sorted(manifest[name])) or 'nothing'}"
            )
    of_libraries = [path.name for path in (PROJECT / "Sources/SystemLibraries").iterdir()]
    return faults + [
        f"Architecture.md: does not have the target '{name}'"
        for name in sorted(set(manifest) - named - set(of_libraries))
    ]


def faults_of_imports():
    """Where the imports of a target and the list of the manifest differ."""
    manifest = targets_of_manifest()
    own = set().union(manifest, *manifest.values())
    for name, listed in manifest.items():
        imported_by_target = set()
        for path in sorted((PROJECT / "Sources" / name).rglob("*.swift")):
            # Code for apps, which is not compiled here.
            if "Templates" in path.parts:
                continue
            code = path.read_text(encoding="utf-8")
            imported = set(re.findall(r"^\s*(?:\S+ )*?import (?:\w+ )??(\w+)\b(?! \w)", code, re.M))
            imported_by_target |= imported
            for other in sorted((imported & own) - listed):
                yield f"{path.relative_to(PROJECT)}: imports {other}, which Package.swift does not list"
        # The imports of C targets are headers: make lint asks the linker about their libraries. A loader
        # defines the functions of a library, and has no module to import.
        for other in sorted(listed - imported_by_target) if imported_by_target else ():
            if other.endswith("Loader"):
                continue
            yield f"Package.swift: {name} lists {other}, which it does not import"


def targets_of_manifest():
    """The targets but for tests, with what each imports."""
    text = re.sub(r"//.*", "", (PROJECT / "Package.swift").read_text(encoding="utf-8"))
    targets = {}
    for part in re.split(r"\.(?:target|executableTarget|testTarget)\(", text)[1:]:
        name = re.match(r'\s*name: "([^"]+)"', part)[1]
        path = re.search(r'path: "([^"]+)"', part)
        listed = re.search(r"dependencies: \[(.*?)\n? *\](?=,|\))", part, re.S)
        if not name.endswith("Tests") and not (path and path[1].startswith("Tests")):
            listed = re.sub(r"package: \"[^\"]*\"", "", listed[1]) if listed else ""
            targets[name] = set(re.findall(r'"([^"]+)"', listed))
    return targets


if __name__ == "__main__":
    main()
