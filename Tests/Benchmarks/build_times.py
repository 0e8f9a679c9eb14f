#!/usr/bin/env python3
"""Measures the CPU seconds that each module takes to build from nothing.

    build_times.py FOLDER [ARGUMENT ...]

The build is `swift build --scratch-path FOLDER ARGUMENT ...`, with this script in place of both compilers: it starts
the compiler, and records the CPU time of the compiler and its children.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
from collections import defaultdict

LOG = "TILEWRIGHT_BUILD_TIMES"


def module_of(arguments):
    """The module that a compiler builds. A C file belongs to its folder's target."""
    if "-emit-executable" in arguments or "-emit-library" in arguments:
        return "linking"
    if "-module-name" in arguments:
        return arguments[arguments.index("-module-name") + 1]
    for argument in arguments:
        if found := re.search(r"/([^/]+)\.build/", argument):
            return found.group(1)
    return "other"


def compile_and_note(arguments):
    """Runs the compiler with the name under which this script was called."""
    compiler = os.environ[f"{LOG}_{os.path.basename(arguments[0]).upper()}"]
    status = subprocess.call([compiler, *arguments[1:]])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.environ[LOG], "a", encoding="utf-8") as log:
        log.write(f"{module_of(arguments)}\t{used.ru_utime + used.ru_stime:.3f}\n")
    return status


def main(folder, *arguments):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "compilers/bin"))
    environment = dict(os.environ)
    log = environment[LOG] = os.path.join(os.path.abspath(folder), "times")
    for name, variable in (("swiftc", "SWIFT_EXEC"), ("clang", "CC")):
        environment[f"{LOG}_{name.upper()}"] = os.environ.get(variable) or shutil.which(name)
        environment[variable] = os.path.join(os.path.abspath(folder), "compilers/bin", name)
        os.symlink(os.path.abspath(__file__), environment[variable])
    # The package manager loads a library from this folder.
    compiler = os.path.realpath(os.path.dirname(environment[f"{LOG}_SWIFTC"]))
    os.symlink(os.path.join(os.path.dirname(compiler), "lib"), os.path.join(folder, "compilers/lib"))
    command = ["swift", "build", "--scratch-path", folder, *arguments]
    status = subprocess.call(command, env=environment)
    times = defaultdict(float)
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            module, seconds = line.split("\t")
            times[module] += float(seconds)
    for module, seconds in sorted(times.items(), key=lambda item: -item[1]):
        print(f"{seconds:8.1f}  {module}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{sum(times.values()):8.1f}  all of these\n{used.ru_utime + used.ru_stime:8.1f}  with the package manager")
    return status


if __name__ == "__main__":
    if LOG in os.environ and os.path.basename(sys.argv[0]) in ("swiftc", "clang"):
        sys.exit(compile_and_note(sys.argv))
    sys.exit(main(*sys.argv[1:]))
