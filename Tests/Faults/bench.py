"""Runs the program in scratch folders, and checks its output and status."""

import contextlib
import dataclasses
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import tempfile
import time
import zlib

# The dynamic linker's status if the program cannot be loaded.
NOT_STARTED = 127
STATUSES = {0, 64, 65, 66, 71, 73, 74, 75}
# If the system refuses resources, Swift's runtime or libdispatch may end the program with a signal.
WITHOUT_MEANS = {0, 71, *(-number for number in (
    signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGSEGV))}
# The ending of a building's folder in these tests, which the program does not know.
BUILDING = ".building"
# An MBTiles file that is changed where it is.
CHANGED = ".changed.mbtiles"
# The same by a patch.
PATCHED = ".patched.mbtiles"


class Lost(Exception):
    """A fault that was not survived."""


@dataclasses.dataclass
class Tally:
    """The number of faults in a part, and their results."""

    faults: int = 0
    refused: int = 0

    def count(self, status):
        self.faults += 1
        self.refused += status != 0


class Bench:
    """A folder with a source, and methods that run the program there."""

    def __init__(self, program, shim, randomness):
        self.program = str(pathlib.Path(program).resolve())
        self.shim = shim and str(pathlib.Path(shim).resolve())
        self.random = randomness
        self.scenes = {}
        # The class of an output by its ending.
        self.kinds = {BUILDING: BuildingScene, CHANGED: ChangedScene, PATCHED: PatchedScene}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilewright-faults-"))
        self.path("plan.png").write_bytes(png(300, 200, seed=2))

    def copy(self, randomness):
        """Another bench with the same files."""
        other = Bench(self.program, self.shim, randomness)
        shutil.copytree(self.folder, other.folder, dirs_exist_ok=True)
        return other

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return self.folder / name

    def scene(self, ending):
        """The scene for one kind of output: its earlier and its new content."""
        if ending not in self.scenes:
            self.scenes[ending] = self.kinds.get(ending, Scene)(self, ending)
        return self.scenes[ending]

    def command(self, output, source="plan.png", options=()):
        where = ["--bounds", "2,48,2.003,48.002", "--zoom", "15-18", "--jobs", "2"]
        return [self.program, source, *where, "-o", str(output), *options]

    def run(self, command, environment=None, prepare=None, statuses=STATUSES, timeout=60):
        """Runs to the end. A crash, a hang or an unexpected status raises `Lost`.

        `prepare` is called in the process before it becomes the program.
        """
        try:
            done = subprocess.run(
                command, cwd=self.folder, env={**os.environ, **(environment or {})},
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=timeout,
                preexec_fn=prepare)
        except subprocess.TimeoutExpired as hang:
            raise Lost(f"{command} hangs: {hang.stderr}") from hang
        said = done.stderr.decode(errors="replace")
        if done.returncode not in statuses:
            raise Lost(f"{command} ends with {done.returncode}: {said[-2000:]}")
        errors = [line for line in said.splitlines() if line.startswith("error: ")]
        # A building has an error for each floor, and one that names the failed floors.
        most = 3 if command[1].endswith(".yaml") else 1
        if done.returncode > 0 and done.returncode != NOT_STARTED and not 1 <= len(errors) <= most:
            raise Lost(f"{command} ends with {done.returncode} and says {said[-2000:]!r}")
        return done.returncode, said

    def succeed(self, command):
        status, said = self.run(command)
        if status != 0:
            raise Lost(f"{command} ends with {status}, undisturbed: {said}")

    def start(self, command):
        """Starts a command in the background, without output."""
        return subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def contents(output):
    """The files of an output, without the program's own."""
    output = pathlib.Path(output)
    if output.is_file():
        return {"": output.read_bytes()}
    files = {}
    for path in output.rglob("*"):
        name = path.relative_to(output)
        # Like an archive, the index of a building is written under a temporary name, which is also its lock.
        if path.is_file() and name.parts[0] != ".tilewright" and path.suffix != ".tilewright-partial":
            files[str(name)] = path.read_bytes()
    return files


def png(width, height, seed, room=None):
    """A plan: rooms of flat colours with walls, transparent around it; and a small room at a place."""
    randomness = random.Random(seed)
    row = [bytearray(4 * width) for _ in range(height)]
    for _ in range(12):
        left, top = randomness.randrange(width - 60), randomness.randrange(height - 60)
        color = bytes(randomness.randrange(256) for _ in range(3)) + b"\xff"
        for y in range(top, top + 50):
            edge = y in (top, top + 49)
            wall = b"\0\0\0\xff"
            row[y][4 * left:4 * (left + 50)] = wall * 50 if edge else wall + color * 48 + wall
    for y in range(room[1], room[1] + 6) if room else ():
        row[y][4 * room[0]:4 * (room[0] + 6)] = b"\x30\x60\x90\xff" * 6
    raw = b"".join(b"\0" + bytes(line) for line in row)

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw))
            + chunk(b"IEND", b""))


class Scene:
    """An output of an earlier plan, and the expected output of a new plan."""

    def __init__(self, bench, ending):
        self.bench = bench
        self.output = bench.path("out" + ending)
        self.before = bench.path("before" + ending)
        self.command = self.command_for(self.output)
        bench.path("plan.png").write_bytes(png(300, 200, seed=1))
        bench.succeed(self.command_for(self.before, is_earlier=True))
        bench.path("plan.png").write_bytes(png(300, 200, seed=2))
        fresh = bench.path("fresh" + ending)
        bench.succeed(self.command_for(fresh))
        self.old, self.new = self.contents(self.before), self.contents(fresh)
        self.remove(fresh)

    def command_for(self, output, is_earlier=False):
        """The command that makes an output: that of the earlier run, or of the new one."""
        inside = output.parent == self.bench.folder
        return self.bench.command(output.name if inside else output)

    contents = staticmethod(contents)

    @staticmethod
    def remove(path):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)

    def duration(self):
        """Seconds that a run takes."""
        self.reset(is_empty=True)
        start = time.monotonic()
        self.bench.succeed(self.command)
        return time.monotonic() - start

    def reset(self, is_empty):
        """Restores the start: no output, or that of the earlier plan."""
        self.remove(self.output)
        for left in self.bench.folder.glob(self.output.name + ".*"):
            self.remove(left)
        if is_empty:
            return
        if self.before.is_dir():
            shutil.copytree(self.before, self.output)
        else:
            shutil.copyfile(self.before, self.output)

    def check_whole(self):
        """Every file is the earlier or the new one."""
        if not self.output.exists():
            return
        for name, data in self.contents(self.output).items():
            if data not in (self.old.get(name), self.new.get(name)):
                raise Lost(f"{self.output.name}/{name} is neither the old one nor the new one")

    def check_success(self):
        """After success, the output is the new one."""
        if self.contents(self.output) != self.new:
            raise Lost(f"{self.output.name} is not what an undisturbed run makes, with status 0")

    def check_finish(self):
        """The same command, undisturbed, gives the new output."""
        self.bench.succeed(self.command)
        if self.contents(self.output) != self.new:
            raise Lost(f"{self.output.name} is not what an undisturbed run makes")
        left = [path.name for path in self.bench.folder.glob(self.output.name + ".*")]
        if left:
            raise Lost(f"{left} are left behind")


class ChangedScene(Scene):
    """An MBTiles file that is changed where it is, since the new plan has only one other room.

    Its pages depend on what was there before, so its tables are compared.
    """

    def __init__(self, bench, ending):
        self.bench = bench
        self.output = bench.path("out" + ending)
        self.before = bench.path("before" + ending)
        self.command = self.command_for(self.output)
        room = bench.path("room.png")
        room.write_bytes(png(300, 200, seed=1))
        bench.succeed(self.command_for(self.before))
        room.write_bytes(png(300, 200, seed=1, room=(8, 8)))
        fresh = bench.path("fresh" + ending)
        bench.succeed(self.command_for(fresh))
        self.old, self.new = self.contents(self.before), self.contents(fresh)
        self.reset(is_empty=False)
        file = self.output.stat().st_ino
        bench.succeed(self.command)
        if self.output.stat().st_ino != file:
            raise Lost(f"{self.output.name} is not changed where it is")

    def command_for(self, output, is_earlier=False):
        place = output.name if output.parent == self.bench.folder else output
        return self.bench.command(place, "room.png", ["--zoom", "15-20"])

    @staticmethod
    def contents(output):
        """The tables, as SQLite reads them from a copy, in which it undoes what a killed run has left."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "copy"
            shutil.copyfile(output, copy)
            journal = output.with_name(output.name + "-journal")
            if journal.exists():
                shutil.copyfile(journal, copy.with_name("copy-journal"))
            with contextlib.closing(sqlite3.connect(copy)) as database:
                if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                    raise Lost(f"{output.name} is damaged")
                return {query: repr(database.execute(query).fetchall()) for query in (
                    "SELECT * FROM tiles ORDER BY 1, 2, 3", "SELECT * FROM metadata ORDER BY 1")}

    def check_whole(self):
        """It is the earlier or the new one as a whole, also for our own reader."""
        if not self.output.exists():
            return
        if self.contents(self.output) not in (self.old, self.new):
            raise Lost(f"{self.output.name} is neither the old one nor the new one")
        self.bench.succeed([self.bench.program, "verify", self.output.name])


class PatchedScene(ChangedScene):
    """The same change, by a patch."""

    def __init__(self, bench, ending):
        super().__init__(bench, ending)
        self.reset(is_empty=False)
        new = bench.path("new" + ending)
        bench.succeed(self.command_for(new))
        patch = bench.path("patch.mbtiles")
        bench.succeed([bench.program, "diff", self.output.name, new.name, "-o", patch.name])
        self.remove(new)
        self.command = [bench.program, "patch", self.output.name, patch.name]

    def reset(self, is_empty):
        """Restores the earlier archive: a patch needs one."""
        super().reset(is_empty=False)

    def check_finish(self):
        """The patch can be applied, unless it was: then it is refused."""
        if self.contents(self.output) != self.new:
            super().check_finish()


class BuildingScene(Scene):
    """A building with a manifest of two floors; the earlier manifest has one more floor."""

    def command_for(self, output, is_earlier=False):
        # All manifests have the same name, by which the program recognizes a building of its own.
        folder = self.bench.path("manifest-" + output.name)
        folder.mkdir(exist_ok=True)
        floors = ["{floor: 0, image: ../plan.png}",
                  "{floor: 1, image: ../plan.png, crop: [0, 0, 280, 180], bounds: [2, 48, 2.003, 48.002]}"]
        floors += ["{floor: 2, image: ../plan.png, format: webp}"] if is_earlier else []
        lines = ["name: House", f"output: {output}", "zoom: 15-18", "bounds: [2, 48, 2.003, 48.002]",
                 "floors:", *("  - " + floor for floor in floors)]
        manifest = folder / "house.yaml"
        manifest.write_text("\n".join(lines) + "\n")
        return [self.bench.program, str(manifest), "--jobs", "2"]

    def check_whole(self):
        """Every file is the earlier or the new one, and so is each floor's entry in the index."""
        if not self.output.exists():
            return
        files = self.contents(self.output)
        index = files.pop("building.json", None)
        for name, data in files.items():
            if data not in (self.old.get(name), self.new.get(name)):
                raise Lost(f"{self.output.name}/{name} is neither the old one nor the new one")
        known = [self.floors(self.old["building.json"]), self.floors(self.new["building.json"])]
        for name, floor in self.floors(index).items() if index else ():
            if floor not in (known[0].get(name), known[1].get(name)):
                raise Lost(f"the index says of floor {name} what no run has built: {floor}")

    @staticmethod
    def floors(index):
        """The index's entry of each floor, without the default, which depends on the other floors."""
        floors = json.loads(index)["floors"]
        return {floor["floor"]: {**floor, "default": None} for floor in floors}
