"""Limits of the system: memory, open files, threads, file sizes, standard streams."""

import copy
import os
import resource
import shutil
import subprocess

from bench import NOT_STARTED, STATUSES, WITHOUT_MEANS, Lost, Scene, Tally

MIB = 1 << 20
# The user ID of an unprivileged user: the limit of threads does not apply to root.
NOBODY = 65534


def check(bench, scene, tally, prepare, statuses, what, is_empty=True, environment=None):
    """Runs under a limit, then without."""
    scene.reset(is_empty)
    try:
        status, _ = bench.run(scene.command, environment, prepare, statuses)
        tally.count(status)
        scene.check_whole()
        if status == 0:
            scene.check_success()
        scene.check_finish()
    except Lost as lost:
        raise Lost(f"{what}: {lost}") from lost
    return status


def limit(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


def file_sizes(bench, ending, count):
    """Limits the size of files: SIGXFSZ, or EFBIG."""
    tally = Tally()
    scene = bench.scene(ending)
    largest = max(map(len, scene.new.values()))
    for step in range(count):
        size = largest * step // max(1, count - 1)
        check(bench, scene, tally, limit(resource.RLIMIT_FSIZE, size), {0, 71, 74},
              f"files of {size} bytes", is_empty=step % 2 == 0,
              # Otherwise coverage data would be truncated, and could not be read.
              environment={"LLVM_PROFILE_FILE": os.devnull})
    return tally


def begins(program, size):
    """Whether the program can start with this address space. With less, the linker and Swift's runtime may crash."""
    version = subprocess.run([program, "--version"], capture_output=True,
                             preexec_fn=limit(resource.RLIMIT_AS, size))
    return version.returncode in (0, 71)


def memory(bench, ending, count):
    """Limits the address space, from the least with which the program can start to plenty."""
    tally = Tally()
    scene = bench.scene(ending)
    succeeded = 0
    for step in range(count):
        # Most of the limits are near the memory of a small run.
        size = 28 * MIB + int(472 * MIB * (step / max(1, count - 1)) ** 2)
        if not begins(bench.program, size):
            continue
        status = check(bench, scene, tally, limit(resource.RLIMIT_AS, size),
                       {*WITHOUT_MEANS, NOT_STARTED}, f"{size} bytes of addresses", step % 2 == 0)
        succeeded += status == 0
    if not succeeded:
        raise Lost("no run had enough memory")
    return tally


def open_files(bench, ending, numbers):
    """Limits the number of open files."""
    tally = Tally()
    scene = bench.scene(ending)
    for number in numbers:
        check(bench, scene, tally, limit(resource.RLIMIT_NOFILE, number),
              {*WITHOUT_MEANS, NOT_STARTED}, f"{number} open files", is_empty=number % 2 == 0)
    return tally


def threads(bench, ending, numbers):
    """Limits the number of threads, for a user without other threads."""
    tally = Tally()
    scene = bench.scene(ending)
    bench.folder.chmod(0o777)

    def become_nobody(number):
        resource.setrlimit(resource.RLIMIT_NPROC, (number, number))
        os.setgroups([])
        os.setuid(NOBODY)

    for number in numbers:
        check(bench, scene, tally, lambda number=number: become_nobody(number),
              WITHOUT_MEANS, f"{number} threads")
    return tally


def streams(bench, ending):
    """Standard output and error are closed, full, or pipes without a reader."""
    tally = Tally()
    scene = bench.scene(ending)

    def point(numbers, open_one):
        def prepare():
            for number in numbers:
                os.dup2(open_one(), number)
        return prepare

    def close(numbers):
        def prepare():
            for number in numbers:
                os.close(number)
        return prepare

    def full():
        return os.open("/dev/full", os.O_WRONLY)

    def unread():
        reader, writer = os.pipe()
        os.close(reader)
        return writer

    scene = copy.copy(scene)
    scene.command = scene.command + ["--verbose", "--progress", "json"]
    ways = [close([1]), close([2]), close([0, 1, 2]), point([1, 2], full), point([1, 2], unread)]
    for prepare in ways:
        check(bench, scene, tally, prepare, {0}, "standard streams")
    return tally


def scratch(bench):
    """There is no usable folder for scratch files."""
    tally = Tally()
    folder = bench.path("scratch")
    for ending in ("", ".pmtiles"):
        scene = bench.scene(ending)
        options = ["--memory", "1M", "--tmpdir"]
        for place in ("none", "/proc", "plan.png"):
            scene.reset(is_empty=tally.faults % 2 == 0)
            status, _ = bench.run(scene.command + options + [place])
            tally.count(status)
            if status not in (73, 74):
                raise Lost(f"--tmpdir {place} ends with {status}")
            scene.check_whole()
            scene.check_finish()
        folder.mkdir(exist_ok=True)
        scene.reset(is_empty=True)
        bench.succeed(scene.command + options + [folder.name])
        scene.check_success()
        if os.listdir(folder):
            raise Lost(f"{os.listdir(folder)} are left in --tmpdir")
        shutil.rmtree(folder)
    return tally
