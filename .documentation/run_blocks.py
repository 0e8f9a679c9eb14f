#!/usr/bin/env python3
"""Runs the commands that README and articles show, and fails if one of them fails.

    run_blocks.py PROGRAM [DOCUMENT...]

All documents are taken if none is named. The commands of a document run in their order, by a shell, in a folder of
their own that has a copy of `Examples`, and what `blocks.toml` makes for it. If a block shows what its command says,
it must say just that. `blocks.toml` names the commands that are not run, and why; a name of its that fits nothing any
more is a fault. Of `make`, only the rule must be there.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from reference import PROJECT
from run_examples import run

CATALOGUE = PROJECT / "Sources/TilewrightKit/TilewrightKit.docc"
TABLE = PROJECT / ".documentation/blocks.toml"

# What a paragraph of commands begins with. Whatever else is indented is text.
COMMAND = re.compile(
    r"(\$ )?(tilewright\S*|make|apt|apt-get|aws|brew|cp|curl|docker|gh|rclone|rsync|sha256sum|tar|\(cd) "
)


class Step:
    """A command of a document, and what it must say if the document shows that."""

    def __init__(self, line, command):
        self.line = line
        self.command = command
        self.shown = None


class Document:
    """The commands of a page of Markdown, and its fenced blocks of other languages."""

    def __init__(self, path):
        self.name = str(path.relative_to(CATALOGUE if path.is_relative_to(CATALOGUE) else PROJECT))
        self.steps = []
        # Language and text.
        self.listings = []
        lines = path.read_text().split("\n")
        at = 0
        while at < len(lines):
            if lines[at].startswith("```"):
                end = lines.index("```", at + 1)
                self.listings.append((lines[at][3:], "\n".join(lines[at + 1 : end]) + "\n"))
                at = end + 1
            elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
                end = at
                while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                    end += 1
                self.read([line[4:] for line in lines[at:end]], at + 1)
                at = end
            else:
                at += 1

    def read(self, lines, first):
        """Takes the commands of an indented block; what follows them is what they say."""
        last = None
        at = 0
        while at < len(lines):
            begins = at == 0 or not lines[at - 1]
            if begins and COMMAND.match(lines[at]):
                is_session = lines[at].startswith("$ ")
                while at < len(lines) and lines[at] and (not is_session or lines[at].startswith("$ ")):
                    end = at + 1
                    while lines[end - 1].endswith(("\\", "|")):
                        end += 1
                    last = Step(first + at, "\n".join(lines[at:end]).removeprefix("$ "))
                    self.steps.append(last)
                    at = end
                continue
            if last and (lines[at] or last.shown):
                last.shown = (last.shown or "") + lines[at] + "\n"
            at += 1
        if last and last.shown:
            last.shown = last.shown.strip("\n") + "\n"


class Rule:
    """A command that is not run, or another that runs in its place."""

    def __init__(self, entry):
        self.pattern = re.compile(entry["command"])
        self.document = entry.get("in")
        self.why = entry.get("why")
        self.instead = entry.get("run")
        self.is_used = False

    def fits(self, document, step):
        return self.document in (None, document.name) and self.pattern.search(step.command) is not None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = Path(sys.argv[1]).resolve()
    pages = [Path(name).resolve() for name in sys.argv[2:]] or [
        PROJECT / "README.md", *sorted(CATALOGUE.rglob("*.md"))
    ]
    table = tomllib.loads(TABLE.read_text())
    rules = [Rule(entry) for entry in table["rule"]]
    documents = [document for document in map(Document, pages) if document.steps]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = sum(pool.map(lambda some: faults_of(some, table, rules, program), documents), [])
    if len(sys.argv) == 2:
        faults += [f"{TABLE.name}: '{rule.pattern.pattern}' fits no command" for rule in rules if not rule.is_used]
        names = {document.name for document in documents}
        faults += [f"{TABLE.name}: '{name}' has no commands" for name in table["before"] if name not in names]
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


def faults_of(document, table, rules, program):
    """Runs a document; what is wrong with it."""
    for companion in table["needs"].get(document.name, []):
        if not (program.parent / companion).exists():
            print(f"{document.name}: left out, for {companion} is not beside {program}")
            return []
    with tempfile.TemporaryDirectory() as folder:
        work = prepared(document, Path(folder), program)
        variables = {
            **os.environ, "HOME": str(work), "PATH": f"{work}/bin:{folder}:{os.environ['PATH']}", "COLUMNS": "80"
        }
        before = table["before"].get(document.name)
        if before:
            status, said = run(f"set -e\n{table['functions']}\n{before}", program, work, variables)
            if status:
                return [f"{TABLE.name}: {document.name}: status {status}\n{said}"]
        faults = [fault_of(step, document, rules, program, work, variables) for step in document.steps]
        return [fault for fault in faults if fault]


def prepared(document, folder, program):
    """The folder that a document's commands run in."""
    work = folder / "work"
    shutil.copytree(PROJECT / "Examples", work / "Examples", ignore=shutil.ignore_patterns("Cluster", "Embedding"))
    (folder / "tilewright").symlink_to(program)
    (work / "blocks").mkdir()
    for index, (language, text) in enumerate(document.listings):
        (work / "blocks" / f"{index + 1}.{language or 'txt'}").write_text(text)
    return work


def fault_of(step, document, rules, program, work, variables):
    """Runs a command, unless a rule is against it; what is wrong, if anything."""
    place = f"{document.name}:{step.line}"
    command = step.command
    for rule in rules:
        if rule.fits(document, step):
            rule.is_used = True
            if rule.why:
                return None
            command = rule.instead
    if command.startswith("make "):
        missing = [name for name in make_rules(command) if not re.search(rf"^[a-z -]*\b{name}\b[a-z -]*:", MAKEFILE, re.M)]
        return f"{place}: there is no rule {missing[0]}" if missing else None
    # Commands that write the same output are other ways for a reader, and not one after the other.
    output = re.match(r"tilewright .* -o (tiles\S*)", command, re.S)
    if output and "--floor" not in command:
        remove(work / output[1])
    status, said = run(command, program, work, variables)
    if status != 0:
        return f"{place}: status {status}: {command}\n{said}"
    elif step.shown and said != step.shown:
        return f"{place}: {command}\nsays\n{said}and not\n{step.shown}"
    return None


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


MAKEFILE = (PROJECT / "Makefile").read_text()
MAKEFILE += "".join((PROJECT / name).read_text() for name in re.findall(r"\S+\.mk", MAKEFILE))


def make_rules(command):
    """The names of rules in a call of make."""
    words = re.sub(r"#.*|'[^']*'|\"[^\"]*\"", "", command).split()[1:]
    return [word for word in words if "=" not in word]


if __name__ == "__main__":
    main()
