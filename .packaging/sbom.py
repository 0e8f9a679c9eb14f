#!/usr/bin/env python3
"""Writes what is in built programs as an SPDX 2.3 document (JSON), to standard output.

    sbom.py PROGRAMS PACKED VERSION

PROGRAMS is a folder with tilewright, and with its companions if they were built; PACKED is one with the same programs
as they are passed on, whose sums are taken. Each is a file of the package tilewright. Packages of Swift come from
Package.resolved: one is linked into a program if the program in PROGRAMS has symbols of its modules. Libraries come
from the dynamic section of each program, and those that a loader opens late from its source; dpkg says which package
of this system a library belongs to. The same programs on the same system give the same bytes; the time is that of
SOURCE_DATE_EPOCH.
"""

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
from datetime import datetime, timezone
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PROGRAMS = ("tilewright", "tilewright-serve", "tilewright-render")

SWIFT = "Apache-2.0 WITH Swift-exception"
# What the license files of the packages say; all others of Swift's are under that of the runtime.
LICENSES = {"swift-nio": "Apache-2.0 AND MIT"}
# poppler's, which holds for the whole program: see the article on the renderer.
LICENSES_OF_PROGRAMS = {"tilewright-render": "GPL-2.0-only OR GPL-3.0-only"}
# Parts of the toolchain that are linked into every program, by a symbol that shows it.
RUNTIME = {
    "swift-stdlib": "swift_retain",
    "swift-foundation": "$s20FoundationEssentials",
    "swift-corelibs-foundation": "$s10Foundation",
    "swift-corelibs-libdispatch": "dispatch_async",
}


def main():
    folder, packed, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    found = [name for name in PROGRAMS if (folder / name).exists()]
    document = Document(version)
    for name in found:
        document.add_program(name, folder / name, packed / name)
    json.dump(document.finished(), sys.stdout, indent=2, sort_keys=True)
    print()


class Document:
    def __init__(self, version):
        self.version = version
        self.root = "SPDXRef-Package-tilewright"
        self.files = []
        self.packages = {
            self.root: {
                "SPDXID": self.root, "name": "tilewright", "versionInfo": version,
                "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
                "licenseDeclared": "MIT", "copyrightText": "Copyright (c) 2026 the tilewright authors",
                "primaryPackagePurpose": "APPLICATION",
            }
        }
        self.relations = {("SPDXRef-DOCUMENT", "DESCRIBES", self.root, None)}

    def add_program(self, name, path, packed):
        data = packed.read_bytes()
        file = f"SPDXRef-File-{name}"
        self.files.append({
            "SPDXID": file, "fileName": f"./bin/{name}", "fileTypes": ["BINARY"],
            "checksums": [
                {"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()},
            ],
            "licenseConcluded": LICENSES_OF_PROGRAMS.get(name, "NOASSERTION"), "licenseInfoInFiles": ["MIT"],
            "copyrightText": "NOASSERTION",
        })
        self.relate(self.root, "CONTAINS", file)
        symbols = symbols_of(path)
        if not symbols.strip():
            sys.exit(f"{path} has no symbols: take programs that are not stripped")
        for package in swift_packages():
            if any(symbol_of_module(module) in symbols for module in modules_of(package["identity"])):
                self.relate(file, "STATIC_LINK", self.add_swift_package(package))
        for part, symbol in RUNTIME.items():
            if symbol in symbols:
                self.relate(file, "STATIC_LINK", self.add_part_of_toolchain(part))
        for soname in needed(path):
            self.relate(file, "DYNAMIC_LINK", self.add_library(soname), soname)
        for soname in loaded_late():
            if soname.encode() in data:
                comment = f"{soname}, which is loaded when it is first needed"
                self.relate(file, "DYNAMIC_LINK", self.add_library(soname), comment)

    def relate(self, one, kind, other, comment=None):
        self.relations.add((one, kind, other, comment))

    def add_swift_package(self, package):
        name, state, location = package["identity"], package["state"], package["location"]
        location = location.removesuffix(".git")
        return self.add(
            name, state.get("version", state["revision"]), f"git+{location}@{state['revision']}",
            LICENSES.get(name, SWIFT), re.sub(r"^https?://", "pkg:swift/", location))

    def add_part_of_toolchain(self, part):
        return self.add(part, toolchain(), "https://www.swift.org/install", SWIFT, None)

    def add_library(self, soname):
        """The package of this system that has a library: of Debian's, or the library itself."""
        package = debian_package(soname)
        if not package:
            return self.add(soname, None, "NOASSERTION", "NOASSERTION", None)
        name, version, processor, source = package
        system = os_release()
        purl = f"pkg:deb/{system['ID']}/{name}"
        return self.add(
            name, version, "NOASSERTION", "NOASSERTION", purl,
            f"?arch={processor}&distro={system['ID']}-{system.get('VERSION_ID', 'unknown')}",
            f"source package {source}")

    def add(self, name, version, location, license, purl, qualifiers="", comment=None):
        key = "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        package = {
            "SPDXID": key, "name": name, "downloadLocation": location, "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": license, "copyrightText": "NOASSERTION",
            "primaryPackagePurpose": "LIBRARY",
        }
        if version:
            package["versionInfo"] = version
        if comment:
            package["comment"] = comment
        if purl:
            # '+' and ':' of Debian's versions may stand in a locator only as they are escaped.
            at = f"@{version.replace('+', '%2B').replace(':', '%3A')}" if version else ""
            package["externalRefs"] = [{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                "referenceLocator": f"{purl}{at}{qualifiers}",
            }]
        self.packages[key] = package
        return key

    def finished(self):
        epoch = int(os.environ["SOURCE_DATE_EPOCH"])
        body = {
            "packages": [self.packages[key] for key in sorted(self.packages)],
            "files": self.files,
            "relationships": [
                {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                | ({"comment": comment} if comment else {})
                for one, kind, other, comment in sorted(self.relations, key=lambda r: tuple(map(str, r)))
            ],
        }
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        name = f"tilewright-{self.version}-linux-{platform.machine()}"
        return body | {
            "SPDXID": "SPDXRef-DOCUMENT", "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "name": name,
            # It need not lead anywhere; it must differ if the content does.
            "documentNamespace": f"https://spdx.org/spdxdocs/{name.replace('+', '-').replace('~', '-')}-{digest[:32]}",
            "creationInfo": {
                "created": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "creators": ["Organization: the tilewright authors", "Tool: tilewright-sbom"],
                "comment": f"Packages of Debian are those of the system of the build, {os_release()['PRETTY_NAME']}.",
            },
        }


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def symbols_of(path):
    """The symbols that a program defines, as one text, each after a line's end."""
    return "\n" + output_of("nm", "--defined-only", "--format=just-symbols", str(path))


def symbol_of_module(module):
    """How a symbol of Swift begins that a module defines."""
    return f"\n$s{len(module)}{module}"


@cache
def swift_packages():
    return json.loads((PROJECT / "Package.resolved").read_text())["pins"]


def modules_of(identity):
    sources = PROJECT / ".build/checkouts" / identity / "Sources"
    if not sources.is_dir():
        sys.exit(f"{sources} is not there: run 'swift package resolve'")
    return sorted(path.name for path in sources.iterdir() if path.is_dir())


@cache
def toolchain():
    return re.search(r"Swift version (\S+)", output_of(os.environ.get("SWIFT", "swift"), "--version"))[1]


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "--dynamic", "--wide", str(path)))


@cache
def loaded_late():
    loaders = sorted((PROJECT / "Sources/SystemLibraries").glob("CLoader/*.c"))
    return [name for path in loaders for name in re.findall(r'"(lib[\w-]+\.so\.\d+)"', path.read_text())]


@cache
def debian_package(soname):
    """Name, version, processor and source of the package that has a library, or None."""
    match = re.search(rf"^\s*{re.escape(soname)} .*=> (\S+)$", output_of("/sbin/ldconfig", "-p"), re.M)
    path = match[1] if match else f"/lib64/{soname}"
    # dpkg knows a file by where its package put it, be it below /lib or below /usr/lib.
    places = {path, f"/usr{path}", path.removeprefix("/usr"), str(Path(path).resolve())}
    owner = re.search(r"^([^:,\s]+)[:,]", output_of("dpkg-query", "-S", *sorted(places)), re.M)
    if not owner:
        return None
    form = "${Package}\t${Version}\t${Architecture}\t${source:Package} ${source:Version}\n"
    return tuple(output_of("dpkg-query", "-W", "-f", form, owner[1]).split("\n")[0].split("\t"))


@cache
def os_release():
    lines = Path("/etc/os-release").read_text().splitlines()
    return {key: value.strip('"') for key, _, value in (line.partition("=") for line in lines) if value}


if __name__ == "__main__":
    main()
