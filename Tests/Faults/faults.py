#!/usr/bin/env python3
"""Does to the program what the world does: kills it, fills its disk, lets its system calls fail, and
feeds it damaged files. Prints how many faults were tried, and fails where one was not survived.

What holds after a fault:

- the program ended by itself with a status of the README, unless it was killed, and said one line why;
- every file of the output is whole: as the run before left it, or as this run was to leave it;
- the same command, undisturbed, comes to the bytes of an undisturbed run.

    faults.py PROGRAM [--short] [--shim fail_call.so] [--only PART] [--seed N]
"""

import argparse
import dataclasses
import errno
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

STATUSES = {0, 64, 65, 66, 71, 73, 74, 75}


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
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilewright-faults-"))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return self.folder / name

    def command(self, output, source="plan.png", options=()):
        where = ["--bounds", "2,48,2.003,48.002", "--zoom", "15-18", "--jobs", "2"]
        return [self.program, source, *where, "-o", str(output), *options]

    def run(self, command, environment=None, timeout=120):
        """Runs to the end; a crash, a hang or an odd status is a fault that was not survived."""
        try:
            done = subprocess.run(
                command, cwd=self.folder, env={**os.environ, **(environment or {})},
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=timeout)
        except subprocess.TimeoutExpired as hang:
            raise Lost(f"{command} hangs") from hang
        said = done.stderr.decode(errors="replace")
        if done.returncode not in STATUSES:
            raise Lost(f"{command} ends with {done.returncode}: {said[-2000:]}")
        errors = [line for line in said.splitlines() if line.startswith("error: ")]
        if done.returncode != 0 and len(errors) != 1:
            raise Lost(f"{command} ends with {done.returncode} and says {said[-2000:]!r}")
        return done.returncode, said

    def succeed(self, command):
        status, said = self.run(command)
        if status != 0:
            raise Lost(f"{command} ends with {status}, undisturbed: {said}")


def contents(output):
    """The files of an output, without the program's own."""
    output = pathlib.Path(output)
    if output.is_file():
        return {"": output.read_bytes()}
    files = {}
    for path in output.rglob("*"):
        name = path.relative_to(output)
        if path.is_file() and name.parts[0] != ".tilewright":
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
        self.command = bench.command(self.output.name)
        bench.path("plan.png").write_bytes(png(300, 200, seed=1))
        bench.succeed(bench.command(self.before.name))
        bench.path("plan.png").write_bytes(png(300, 200, seed=2))
        fresh = bench.path("fresh" + ending)
        bench.succeed(bench.command(fresh.name))
        self.old, self.new = contents(self.before), contents(fresh)
        self.remove(fresh)

    @staticmethod
    def remove(path):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

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

    def check_finish(self):
        """The same command, undisturbed, comes to the same end."""
        self.bench.succeed(self.command)
        if contents(self.output) != self.new:
            raise Lost(f"{self.output.name} is not what an undisturbed run makes")
        left = [path.name for path in self.bench.folder.glob(self.output.name + ".*")]
        if left:
            raise Lost(f"{left} are left behind")


def kills(bench, ending, count):
    """SIGKILL at random moments, several in a row now and then."""
    tally = Tally()
    scene = Scene(bench, ending)
    start = time.monotonic()
    scene.reset(is_empty=True)
    bench.succeed(scene.command)
    duration = time.monotonic() - start
    while tally.faults < count:
        scene.reset(is_empty=bench.random.random() < 0.5)
        for _ in range(bench.random.choice([1, 1, 1, 3])):
            process = subprocess.Popen(
                scene.command, cwd=bench.folder, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            time.sleep(bench.random.uniform(0, 1.1 * duration))
            process.send_signal(signal.SIGKILL)
            tally.count(process.wait())
            scene.check_whole()
        scene.check_finish()
    return tally


def calls(bench, ending, step):
    """Each system call that changes a file fails, or the program is killed in its place."""
    tally = Tally()
    scene = Scene(bench, ending)
    counter = bench.path("calls")
    for is_empty in (True, False):
        scene.reset(is_empty)
        counter.write_text("")
        bench.run(scene.command, {"LD_PRELOAD": bench.shim, "FAULT_COUNT": str(counter)})
        total = int(counter.read_text().split()[-1])
        for number in range(1 + bench.random.randrange(step), total + 1, step):
            fault = bench.random.choice([errno.ENOSPC, errno.EIO, errno.EACCES, "kill"])
            scene.reset(is_empty)
            environment = {"LD_PRELOAD": bench.shim, "FAULT_AT": str(number)}
            if fault == "kill":
                killed = subprocess.run(
                    scene.command, cwd=bench.folder, stderr=subprocess.DEVNULL,
                    env={**os.environ, **environment, "FAULT_KILL": "1"})
                tally.count(killed.returncode)
            else:
                environment["FAULT_ERRNO"] = str(fault)
                status, _ = bench.run(scene.command, environment)
                tally.count(status)
            try:
                scene.check_whole()
                scene.check_finish()
            except Lost as lost:
                raise Lost(f"call {number} of {total}, {fault}, empty {is_empty}: {lost}") from lost
    return tally


def full_disks(bench, ending, count):
    """A small file system that fills up, and is then made larger."""
    tally = Tally()
    scene = Scene(bench, ending)
    disk = bench.path("disk")
    disk.mkdir(exist_ok=True)
    size = sum(len(data) + 4096 for data in scene.new.values())
    for step in range(count):
        room = max(16, int(size / 1024 * (step + 1) / count))
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}k", "none", disk], check=True)
        try:
            output = disk / ("out" + ending)
            command = bench.command(output)
            status, _ = bench.run(command)
            tally.count(status)
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
            bench.succeed(command)
            if contents(output) != scene.new:
                raise Lost(f"{room} KiB: the output is not what an undisturbed run makes")
        finally:
            subprocess.run(["umount", disk], check=True)
    return tally


def sources(folder):
    """The inputs that are damaged: their files, and the options that a run with them takes."""
    examples = pathlib.Path(__file__).resolve().parents[2] / "Examples"
    shutil.copy(examples / "ground.png", folder / "ground.png")
    for name in ("ground.pgw", "ground.prj", "first.png", "first.png.points"):
        shutil.copy(examples / name, folder / name)
    (folder / "plan.png").write_bytes(png(300, 200, seed=2))
    at = ["--bounds", "2,48,2.003,48.002"]
    found = {
        "plan.png": (["plan.png"] + at, 1),
        "ground.pgw": (["ground.png"], 1),
        "ground.prj": (["ground.png"], 1),
        "first.png.points": (["first.png"], 1),
    }
    try:
        from PIL import Image
        picture = Image.open(folder / "plan.png").convert("RGB")
        picture.save(folder / "plan.jpg", quality=80)
        picture.save(folder / "plan.tif", compression="tiff_lzw")
        found["plan.jpg"] = (["plan.jpg"] + at, 1)
        found["plan.tif"] = (["plan.tif"] + at, 1)
    except ImportError:
        print("python3-pil is not here: no JPEG and no TIFF is damaged")
    return found


def damaged(bench, truncations, flips):
    """Sources and sidecars that are cut off, or have a bit wrong. The output stays as it was."""
    tally = Tally()
    inputs = sources(bench.folder)
    output = bench.path("out")
    for name, (source, _) in inputs.items():
        path = bench.path(name)
        whole = path.read_bytes()
        command = [bench.program, *source, "--zoom", "16-17", "-o", "out"]
        shutil.rmtree(output, ignore_errors=True)
        bench.succeed(command)
        before = contents(output)
        faults = [whole[:len(whole) * cut // truncations] for cut in range(truncations)]
        for _ in range(flips):
            place = bench.random.randrange(len(whole))
            flipped = bytes([whole[place] ^ 1 << bench.random.randrange(8)])
            faults.append(whole[:place] + flipped + whole[place + 1:])
        for fault in faults:
            path.write_bytes(fault)
            try:
                status, _ = bench.run(command)
            except Lost as lost:
                keep = pathlib.Path(tempfile.gettempdir()) / ("fault-" + name)
                keep.write_bytes(fault)
                raise Lost(f"{name} as in {keep}: {lost}") from lost
            tally.count(status)
            if status == 0:
                path.write_bytes(whole)
                bench.succeed(command)
            if contents(output) != before:
                raise Lost(f"{name}: the output is not as it was")
        path.write_bytes(whole)
    return tally


def is_inside_namespace():
    return os.environ.get("TILEWRIGHT_FAULTS_INSIDE") == "1"


def parts(bench, is_short):
    """The parts by their names: what runs them."""
    endings = {"folder": "", "MBTiles": ".mbtiles", "PMTiles": ".pmtiles"}
    for name, ending in endings.items():
        yield f"kills, {name}", lambda ending=ending: kills(bench, ending, 6 if is_short else 100)
    if bench.shim:
        for name, ending in endings.items():
            yield f"system calls, {name}", lambda ending=ending: calls(
                bench, ending, 40 if is_short else 1)
    if is_inside_namespace() or os.geteuid() == 0:
        for name, ending in endings.items():
            yield f"full disks, {name}", lambda ending=ending: full_disks(
                bench, ending, 3 if is_short else 20)
    yield "damaged files", lambda: damaged(bench, 5 if is_short else 50, 10 if is_short else 1000)


def enter_namespace():
    """Runs all again where it may mount, if the system lets it."""
    if os.geteuid() == 0 or is_inside_namespace() or not shutil.which("unshare"):
        return
    if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ["TILEWRIGHT_FAULTS_INSIDE"] = "1"
        os.execvp("unshare", ["unshare", "-rm", sys.executable, *sys.argv])
    print("no file system can be mounted here: disks do not fill up")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--shim")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    enter_namespace()
    bench = Bench(options.program, options.shim, random.Random(options.seed))
    print(f"seed {options.seed}")
    total = Tally()
    try:
        for name, run in parts(bench, options.short):
            if options.only not in name:
                continue
            tally = run()
            print(f"{name}: {tally.faults} faults, {tally.refused} of them ended a run", flush=True)
            total.faults += tally.faults
    except Lost as lost:
        print(f"not survived: {name}: {lost}")
        sys.exit(1)
    finally:
        bench.close()
    print(f"{total.faults} faults tried, {total.faults} survived; "
          "tiles lost: 0, tiles wrong: 0, crashes: 0")


if __name__ == "__main__":
    main()
