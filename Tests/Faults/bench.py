"""Where the program is run, what it works on, and how it must end."""

import dataclasses
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import zlib

# The dynamic linker's, where the program cannot even be loaded.
NOT_STARTED = 127
STATUSES = {0, 64, 65, 66, 71, 73, 74, 75}
# Where the system refuses what the runtime of Swift or libdispatch cannot do without, they end the program by a signal.
WITHOUT_MEANS = {0, 71, *(-number for number in (
    signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGSEGV))}
# How the folder of a building ends here; its name means nothing to the program.
BUILDING = ".building"


class Lost(Exception):
    """A fault that was not survived."""


@dataclasses.dataclass
class Tally:
    """What was tried in a part, and how it ended."""

    faults: int = 0
    refused: int = 0

    def count(self, status):
        self.faults += 1
        self.refused += status != 0


class Bench:
    """A folder with a source, and the ways in which the program is run there."""

    def __init__(self, program, shim, randomness):
        self.program = str(pathlib.Path(program).resolve())
        self.shim = shim and str(pathlib.Path(shim).resolve())
        self.random = randomness
        self.scenes = {}
        # What is known of an output by how its name ends.
        self.kinds = {BUILDING: BuildingScene}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilewright-faults-"))
        self.path("plan.png").write_bytes(png(300, 200, seed=2))

    def copy(self, randomness):
        """Another one with the same files."""
        other = Bench(self.program, self.shim, randomness)
        shutil.copytree(self.folder, other.folder, dirs_exist_ok=True)
        return other

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return self.folder / name

    def scene(self, ending):
        """What is there, and what is to become of it, for one kind of output."""
        if ending not in self.scenes:
            self.scenes[ending] = self.kinds.get(ending, Scene)(self, ending)
        return self.scenes[ending]

    def command(self, output, source="plan.png", options=()):
        where = ["--bounds", "2,48,2.003,48.002", "--zoom", "15-18", "--jobs", "2"]
        return [self.program, source, *where, "-o", str(output), *options]

    def run(self, command, environment=None, prepare=None, statuses=STATUSES, timeout=60):
        """Runs to the end; a crash, a hang or an odd status is a fault that was not survived.

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
        # What is wrong with each floor of a building is said, and which failed.
        most = 3 if command[1].endswith(".yaml") else 1
        if done.returncode > 0 and done.returncode != NOT_STARTED and not 1 <= len(errors) <= most:
            raise Lost(f"{command} ends with {done.returncode} and says {said[-2000:]!r}")
        return done.returncode, said

    def succeed(self, command):
        status, said = self.run(command)
        if status != 0:
            raise Lost(f"{command} ends with {status}, undisturbed: {said}")

    def start(self, command):
        """Runs it beside, without a word."""
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
        # The index of a building is written under another name, and locked by it, as archives are.
        if path.is_file() and name.parts[0] != ".tilewright" and path.suffix != ".tilewright-partial":
            files[str(name)] = path.read_bytes()
    return files


def png(width, height, seed):
    """A plan: rooms of flat colours with walls, transparent around it."""
    randomness = random.Random(seed)
    row = [bytearray(4 * width) for _ in range(height)]
    for _ in range(12):
        left, top = randomness.randrange(width - 60), randomness.randrange(height - 60)
        color = bytes(randomness.randrange(256) for _ in range(3)) + b"\xff"
        for y in range(top, top + 50):
            edge = y in (top, top + 49)
            wall = b"\0\0\0\xff"
            row[y][4 * left:4 * (left + 50)] = wall * 50 if edge else wall + color * 48 + wall
    raw = b"".join(b"\0" + bytes(line) for line in row)

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw))
            + chunk(b"IEND", b""))


class Scene:
    """An output that an earlier plan made, and what a new plan is to make of it."""

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
        self.old, self.new = contents(self.before), contents(fresh)
        self.remove(fresh)

    def command_for(self, output, is_earlier=False):
        """The command that makes an output, as the earlier run did, or as the new one is to."""
        inside = output.parent == self.bench.folder
        return self.bench.command(output.name if inside else output)

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
        """Nothing, or what the earlier plan made."""
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
        """Every file is one of the two."""
        if not self.output.exists():
            return
        for name, data in contents(self.output).items():
            if data not in (self.old.get(name), self.new.get(name)):
                raise Lost(f"{self.output.name}/{name} is neither the old one nor the new one")

    def check_success(self):
        """What a run that says it succeeded has made."""
        if contents(self.output) != self.new:
            raise Lost(f"{self.output.name} is not what an undisturbed run makes, with status 0")

    def check_finish(self):
        """The same command, undisturbed, comes to the same end."""
        self.bench.succeed(self.command)
        if contents(self.output) != self.new:
            raise Lost(f"{self.output.name} is not what an undisturbed run makes")
        left = [path.name for path in self.bench.folder.glob(self.output.name + ".*")]
        if left:
            raise Lost(f"{left} are left behind")


class BuildingScene(Scene):
    """A building by a manifest: two floors, and one that the earlier manifest named besides."""

    def command_for(self, output, is_earlier=False):
        # All manifests have one name, by which a building knows its own.
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
        """Every file is one of the two, and what the index says of each floor is the one or the other."""
        if not self.output.exists():
            return
        files = contents(self.output)
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
        """What an index says of each floor; which one comes first depends on the others."""
        floors = json.loads(index)["floors"]
        return {floor["floor"]: {**floor, "default": None} for floor in floors}
