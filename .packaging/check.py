#!/usr/bin/env python3
"""Fails if what packages are made of and the project disagree: check.py PROGRAMS FORMULAE

PROGRAMS are the names of all programs that are installed, FORMULAE those of the packages that 'make deps' and 'make
companions' have Homebrew install. Each program must have a package in control, a text of rights and a line in the
archive and the SBOM; the formula must depend on the same packages; each library that a loader opens late must be a
dependency; all builds must take the same release of the toolchain.
"""

import re
import subprocess
import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent
PROJECT = PACKAGING.parent


def main():
    programs, formulae = (set(argument.split()) for argument in sys.argv[1:3])
    faults = [*faults_of_programs(programs), *faults_of_formula(formulae), *faults_of_loaders(), *faults_of_images()]
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


def text_of(name):
    return (PACKAGING / name).read_text(encoding="utf-8")


def faults_of_programs(programs):
    packages = set(re.findall(r"^Package: (\S+)$", text_of("control"), re.M))
    if packages != programs:
        yield f"control: packages {sorted(packages)}, but programs {sorted(programs)}"
    for program in sorted(programs):
        rights = subprocess.run([PACKAGING / "copyright.sh", program], capture_output=True)
        if rights.returncode:
            yield f"copyright.sh: no rights of {program}"
        for name in ("make_dist.sh", "make_deb.sh", "sbom.py"):
            if not re.search(rf"\b{program}(?![\w-])", text_of(name)):
                yield f"{name}: does not name {program}"


def faults_of_formula(formulae):
    # 'pkg-config' is another name of the same package.
    wanted = {{"pkg-config": "pkgconf"}.get(name, name) for name in formulae}
    general = text_of("tilewright.rb").split("on_macos")[0]
    depends = set(re.findall(r'depends_on "([^"]+)"', general))
    for name in sorted(wanted ^ depends):
        yield f"tilewright.rb: {name} is {'missing' if name in wanted else 'not what the Makefile installs'}"


def faults_of_loaders():
    for loader in sorted((PROJECT / "Sources/SystemLibraries").glob("CLoader/*.c")):
        for soname in re.findall(r'"(lib[\w-]+\.so\.\d+)"', loader.read_text(encoding="utf-8")):
            if not re.search(rf"\bloaded [^)]*\b{re.escape(soname)}", text_of("make_deb.sh")):
                yield f"make_deb.sh: no package depends on {soname}, which {loader.name} loads"


def faults_of_images():
    release = re.search(r"^ARG SWIFT=swift:(\d+\.\d+)[.\d]*-(\w+)$", text_of("Containerfile"), re.M)
    if not release:
        yield "Containerfile: no 'ARG SWIFT=swift:RELEASE-SYSTEM'"
        return
    for workflow in sorted((PROJECT / ".github/workflows").glob("*.yml")):
        for image in re.findall(r"\bswift:[\w.-]+", workflow.read_text(encoding="utf-8")):
            if image != f"swift:{release[1]}-{release[2]}":
                yield f"{workflow.name}: builds with {image}, the container with {release[0].split('=')[1]}"


if __name__ == "__main__":
    main()
