#!/usr/bin/env python3
"""Runs commands on folders as if an attacker had sent them.

A sequence takes a folder that the program made (tiles, floors, a building, a campus, archives, a job, images with
sidecar files), edits the program's own files in it, signs these again, and plants links and other special files. Then
it runs some commands. After each command:

- nothing is changed, made or removed except the command's own output: bytes, times, modes, owners;
- the command has ended by itself, within some seconds, with a status of the README other than 70;
- its output contains no control characters for a terminal;
- no file outside of the folder was sent to clients of the server, or to standard output.

    received.py PROGRAM [--sequences 500] [--seed N] [--only NUMBER] [--keep]

PROGRAM is tilewright, with tilewright-serve in the same folder. A finding is printed with the options that repeat it.
Run by root, this script also plants devices.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import hashlib
import http.client
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

from edits import Edits
from served import noise

AT = ["--bounds", "2,48,2.003,48.002"]
# Seconds that a command may take, and the end of a server.
PATIENCE = 10
STATUSES = {0, 1, 64, 65, 66, 71, 73, 74, 75}
# The limit of a command's address space: enough for any command, but not for a file that claims to be huge.
MOST_MEMORY = 6 << 30
# Characters that a terminal may take for a command, or that hide a line.
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
MOST_SHOWN = 3
MANIFEST = """name: House
output: received
template: "L{floor}_{z}_{x}_{y}.{ext}"
zoom: 16-17
bounds: 2,48,2.003,48.002
floors:
  - {floor: 0, label: Ground, ordinal: 0, image: plan.png}
  - {floor: 1, label: First, ordinal: 1, image: first.png}
"""
# The manifest of a building with archives.
ARCHIVES = MANIFEST.replace("output: received", "output: received/floor-{floor}.pmtiles").replace(
    'template: "L{floor}_{z}_{x}_{y}.{ext}"\n', "")
POINTS = """mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize
2,48.002,0,0,1,0,0,0,a,300x200
2.003,48.002,300,0,1,0,0,0,b,300x200
2,48,0,-200,1,0,0,0,c,300x200
"""


class Found(Exception):
    """A violated condition: its kind, and details."""


class Forms:
    """Folders that the program made, each with its command. They are copied for each sequence."""

    def __init__(self, program, root):
        self.program, self.root = program, root
        chance = random.Random(1)
        pictures = [noise(300, 200, chance) for _ in range(2)]
        self.names = ["tiles", "floors", "building", "archives", "campus", "archive", "job", "survey", "images"]
        for name in self.names:
            folder = root / name
            folder.mkdir(parents=True)
            for picture, file in zip(pictures, ("plan.png", "first.png")):
                (folder / file).write_bytes(picture)
            getattr(self, name)(folder)
        self.victims(root / "victim", pictures[0])

    def run(self, folder, *arguments):
        subprocess.run(
            [self.program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def tiles(self, folder):
        self.run(folder, "plan.png", *AT, "-o", "received")

    def floors(self, folder):
        for floor, image in (("0", "plan.png"), ("1", "first.png")):
            self.run(folder, image, *AT, "-o", "received", "--floor", floor, "--template",
                     "L{floor}_{z}_{x}_{y}.{ext}")

    def building(self, folder):
        (folder / "house.yaml").write_text(MANIFEST)
        self.run(folder, "house.yaml")

    def archives(self, folder):
        (folder / "house.yaml").write_text(ARCHIVES)
        self.run(folder, "house.yaml")

    def campus(self, folder):
        (folder / "campus.yaml").write_text(
            "name: Campus\noutput: received\nbuildings:\n" + "".join(
                "  - " + MANIFEST.replace("House", name).replace("received", f"received/{name}").replace(
                    "\n", "\n    ").rstrip() + "\n" for name in ("A", "B")))
        self.run(folder, "campus.yaml")

    def archive(self, folder):
        (folder / "received").mkdir()
        for ending in ("pmtiles", "mbtiles"):
            self.run(folder, "plan.png", *AT, "-o", f"received/plan.{ending}")

    def job(self, folder, *options):
        self.run(folder, "split", "plan.png", *AT, "--shards", "3", "-o", "received", *options)
        if not options:
            self.run(folder, "shard", "received", "0")

    def survey(self, folder):
        self.job(folder, "--palette", "16")
        for index in range(3):
            self.run(folder, "shard", "received", str(index), "--survey")
        self.run(folder, "merge", "received", "--survey")

    def images(self, folder):
        (folder / "received").mkdir()
        for file in ("plan.png", "first.png"):
            shutil.copy(folder / file, folder / "received")
        (folder / "received/plan.png.points").write_text(POINTS)

    def victims(self, folder, picture):
        """Makes private files: files, tiles with the same paths as the received ones, archives."""
        folder.mkdir()
        (folder / "plan.png").write_bytes(picture)
        self.run(folder, "plan.png", *AT, "-o", "tiles")
        self.run(folder, "convert", "tiles", "precious.pmtiles")
        self.run(folder, "convert", "tiles", "precious.mbtiles")
        self.run(folder, "viewer", "tiles", "-o", "page.html")
        secret = hashlib.sha256(b"secret").hexdigest()
        for name in ("secret.txt", "secret.json", "deep/secret.png", "deep/.hidden"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(secret)
        (folder / "empty").mkdir()
        (folder / "linked.bin").write_bytes(b"linked")
        (folder / "secret.txt").chmod(0o640)
        self.secret = secret.encode()


def state(path):
    """The state of a path, without following links."""
    found = os.lstat(path)
    kind = stat.S_IFMT(found.st_mode)
    content = None
    if kind == stat.S_IFLNK:
        content = os.readlink(path)
    elif kind == stat.S_IFREG:
        content = found.st_size
        if found.st_size < 1 << 24:
            with open(path, "rb") as file:
                content = hashlib.blake2b(file.read(), digest_size=16).hexdigest()
    return found.st_mode, found.st_uid, found.st_gid, found.st_mtime_ns, content


def states(root, spared):
    """The states of all paths below a folder, except those that may change."""
    found = {}

    def add(folder, is_spared_inside):
        for entry in os.scandir(folder):
            path = os.path.relpath(entry.path, root)
            if path in spared:
                continue
            found[path] = state(entry.path)
            if entry.is_dir(follow_symlinks=False):
                add(entry.path, False)

    add(root, False)
    return found


class Sequence:
    """A folder that was received, and the commands that are run on it."""

    def __init__(self, forms, seed, number, root, patience):
        self.forms, self.number, self.patience = forms, number, patience
        self.random = random.Random(f"{seed} {number}")
        self.root = root / str(number)
        self.form = self.random.choice(forms.names)
        self.log = [f"form {self.form}"]
        self.made = 0

    def play(self):
        shutil.copytree(self.forms.root / self.form, self.root, symlinks=True)
        shutil.copytree(self.forms.root / "victim", self.root / "victim", symlinks=True)
        edits = Edits(self.random, self.root / "received", self.root / "victim")
        self.log += edits.make(self.random.choice([1, 2, 2, 3, 4]))
        # Only the same command continues an unfinished run.
        if any("did not end" in line for line in self.log) and self.random.random() < 0.7:
            self.check(self.same, {"received"})
        for _ in range(self.random.randrange(1, 5)):
            command, outputs = self.random.choice(self.commands)()
            self.check(command, {"received", *outputs})

    @property
    def same(self):
        """The command that made the folder."""
        if self.form == "floors":
            return ["plan.png", *AT, "-o", "received", "--floor", "0", "--template", "L{floor}_{z}_{x}_{y}.{ext}"]
        manifest = "campus.yaml" if self.form == "campus" else "house.yaml"
        return ["plan.png", *AT, "-o", "received"] if self.form == "tiles" else [manifest]

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)

    # Commands: their arguments, and the paths that they may write outside of the folder.

    @property
    def commands(self):
        reading = [self.info, self.verify, self.convert, self.viewer, self.snippet, self.snapshot, self.tile,
                   self.serve, self.camera]
        writing = [self.build] * 8 + [self.remove] * 5 + [self.convert_into] * 2
        return {
            "building": reading + [self.manifest] * 15 + [self.remove] * 4,
            "campus": [self.info, self.viewer, self.serve] + [self.manifest] * 8 + [self.remove],
            "archives": reading + [self.manifest] * 15 + [self.remove] * 4,
            "job": [self.shard, self.merge, self.split], "survey": [self.shard, self.merge, self.split],
            "images": [self.image],
        }.get(self.form, reading + writing)

    @property
    def output(self):
        """The folder, in one of several spellings; or an archive in it."""
        archives = sorted(path.name for path in (self.root / "received").glob("*.?[mb]tiles")
                          ) if (self.root / "received").is_dir() else []
        if archives and self.random.random() < 0.8:
            return f"received/{self.random.choice(archives)}"
        return self.random.choice(["received", "received/", "./received", str(self.root / "received")])

    def new(self, ending=""):
        self.made += 1
        return f"new-{self.made}{ending}"

    @property
    def floor(self):
        """Usually the option that chooses one of several floors."""
        if self.form not in ("floors", "building") or self.random.random() < 0.1:
            return []
        return ["--floor", self.random.choice("01")]

    def some(self, *options, share=0.4):
        return [word for option in options if self.random.random() < share for word in option]

    def info(self):
        return ["info", self.output, *self.some(["--json"]), *self.floor], []

    def verify(self):
        return ["verify", self.output, *self.floor], []

    def camera(self):
        return ["camera", self.output, *self.floor], []

    def convert(self):
        new = self.new(self.random.choice(["", ".pmtiles", ".mbtiles"]))
        return ["convert", self.output, new, *self.floor], [new]

    def convert_into(self):
        source, output = self.random.choice(["victim/tiles", "victim/precious.pmtiles"]), self.output
        return ["convert", source, output, *self.some(["--floor", "1"]), *self.force(output)], []

    def force(self, output):
        """Sometimes --force; but not for a link, since the command may then replace the link's target."""
        return [] if (self.root / output).is_symlink() else self.some(["--force"])

    def viewer(self):
        new = self.new(".html")
        options = self.some(["-o", new], ["--force"])
        return ["viewer", self.output, *options], [new]

    def snippet(self):
        client = self.random.choice(["leaflet", "maplibre", "ios-swift", "openlayers"])
        return ["snippet", self.output, "--for", client, "--url", "https://e.org/t", *self.floor], []

    def snapshot(self):
        new = self.new(".png")
        return ["snapshot", self.output, "-o", new, "--size", "300x200", *self.floor], [new]

    def tile(self):
        new = self.new(".png")
        address = self.random.choice(["17/66264/45561", "16/33132/22780", "0/0/0"])
        return ["tile", self.output, address, "-o", new, *self.floor], [new]

    def remove(self):
        new = self.new(".txt")
        floor = self.random.choice(["0", "1", "no", "../victim"])
        what = self.random.choice([["--all"], ["--all"], ["--floor", floor]])
        return ["remove", self.output, *what, *self.some(["--changes", new])], [new]

    def build(self):
        """The same command again, or with other options."""
        new = self.new(".txt")
        if self.form == "floors":
            floor, image = self.random.choice([("0", "plan.png"), ("1", "first.png"), ("1", "plan.png")])
            options = ["--floor", floor, "--template", "L{floor}_{z}_{x}_{y}.{ext}"]
        else:
            image, options = self.random.choice(["plan.png", "plan.png", "first.png"]), []
        if self.random.random() < 0.5:
            options += self.some(["--zoom", "16"], ["--format", "webp"], ["--changes", new], ["--fsync"], share=0.3)
            if self.form == "tiles":
                options += self.some(
                    ["--template", "{z}_{x}_{y}.{ext}"], ["--doc-kml", "overlay"], ["--scheme", "tms"],
                    ["--floor", "1"], share=0.2)
        output = self.output
        return [image, *AT, "-o", output, *options, *self.force(output)], [new]

    def manifest(self):
        manifest = "campus.yaml" if self.form == "campus" else "house.yaml"
        new = self.new(".txt")
        return self.random.choice([
            lambda: ([manifest, *self.some(["--force"], ["--changes", new], ["--only", "1"])], [new]),
            lambda: ([self.smaller(manifest), *self.some(["--force"], ["--changes", new])], [new]),
            lambda: (["verify", manifest], []),
            lambda: (["viewer", manifest, *self.some(["--force"])], []),
            lambda: (["snippet", manifest, "--for", "leaflet"], []),
            lambda: (["info", manifest], []),
        ])()

    def smaller(self, manifest):
        """The manifest without its last floor, which is then removed from the index."""
        path = self.root / manifest
        lines = path.read_text().rstrip().split("\n")
        if "floor: 1" in lines[-1]:
            path.write_text("\n".join(lines[:-1]) + "\n")
        return manifest

    def shard(self):
        return ["shard", "received", str(self.random.randrange(4)), *self.some(["--survey"])], []

    def merge(self):
        new = self.new(self.random.choice(["", ".pmtiles", ".mbtiles"]))
        if self.random.random() < 0.3:
            return ["merge", "received", "--survey"], []
        return ["merge", "received", "-o", self.random.choice([new, new, "received"]), *self.some(["--force"])], [new]

    def split(self):
        new = self.new()
        target = self.random.choice([new, "received"])
        return ["split", "plan.png", *AT, "--shards", "3", "-o", target, *self.some(["--earlier", "received"])], [new]

    def image(self):
        image = f"received/{self.random.choice(['plan.png', 'plan.png', 'first.png'])}"
        new, page, world = self.new(), self.new(".html"), self.new(".pgw")
        (self.root / "saved.points").write_text(POINTS)
        return self.random.choice([
            lambda: (["info", image], []), lambda: (["fit", image, *self.some(["--json"])], []),
            lambda: (["fit", image, "-o", world], [world, world.replace("pgw", "prj")]),
            lambda: (["fit", image, "-o", "received"], []),
            lambda: ([image, "-o", new], [new]), lambda: ([image, *AT, "-o", new], [new]),
            lambda: ([image, "-o", "received", *self.some(["--force"])], []),
            lambda: (["place", image, "-o", page], [page]), lambda: (["place", image], []),
            lambda: (["place", image, "--take", "saved.points", *self.some(["--force"])], []),
            lambda: (["split", image, "--shards", "2", "-o", new], [new]),
        ])()

    def serve(self):
        return ["serve", self.output], []

    # Checks

    def check(self, command, outputs):
        self.log.append("tilewright " + " ".join(map(ascii, command)))
        before = states(self.root, outputs)
        if command[0] == "serve":
            told = self.play_server(command)
        else:
            told = self.run(command)
        after = states(self.root, outputs)
        different = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
        if different:
            # A folder changes together with its content.
            different.sort(key=lambda path: (stat.S_ISDIR(before.get(path, after.get(path))[0]), path))
            first = different[0]
            what = "made" if first not in before else "removed" if first not in after else "changed"
            raise Found(f"{what} outside: {kind_of(first)}", "\n    ".join(
                f"{path!a}: {before.get(path)} -> {after.get(path)}" for path in different[:MOST_SHOWN]))
        # The target of a hard link counts as received.
        if self.forms.secret in told:
            raise Found("told a secret", command[0])

    def run(self, command):
        process = self.start(command)
        try:
            said, errors = process.communicate(timeout=self.patience)
        except subprocess.TimeoutExpired:
            kill(process)
            raise Found(f"hangs: {command[0] if '.' not in command[0] else 'build'}", "") from None
        self.check_end(process.returncode, errors, command)
        # Tiles are binary, and go to files.
        self.check_words(said, command)
        return said + errors

    def start(self, command):
        return subprocess.Popen(
            [self.forms.program, *command], cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True)

    def check_end(self, status, errors, command, statuses=STATUSES):
        verb = command[0] if "." not in command[0] else "build"
        if status < 0 and -status not in statuses:
            raise Found(f"died by {signal.Signals(-status).name}: {verb}", errors[-600:].decode(errors="replace"))
        if status >= 0 and status not in statuses:
            raise Found(f"status {status}: {verb}", errors[-600:].decode(errors="replace"))
        self.check_words(errors, command)

    @staticmethod
    def check_words(said, command):
        verb = command[0] if "." not in command[0] else "build"
        found = COMMANDS.search(said.decode(errors="replace"))
        if found:
            raise Found(f"commands a terminal: {verb}", ascii(found.string[max(0, found.start() - 200):][:400]))

    def play_server(self, command):
        process = self.start(["serve", *command[1:], "--listen", "127.0.0.1:0"])
        said, bodies = b"", b""
        os.set_blocking(process.stderr.fileno(), False)
        end = time.monotonic() + self.patience
        port = None
        while port is None and process.poll() is None:
            if time.monotonic() > end:
                kill(process)
                raise Found("hangs: serve", said.decode(errors="replace"))
            said += process.stderr.read() or b""
            port = re.search(rb"listening on http://127\.0\.0\.1:(\d+)", said)
            time.sleep(0.02)
        if port is not None:
            for target in self.targets():
                bodies += self.ask(process, int(port[1]), target)
            process.terminate()
        try:
            process.wait(timeout=self.patience)
        except subprocess.TimeoutExpired:
            kill(process)
            raise Found("the server does not end", "") from None
        said += process.stderr.read() or b""
        self.check_end(process.returncode, said, command, STATUSES | {143, int(signal.SIGTERM)})
        return said + bodies

    def targets(self):
        names = ["received", "plan", "0", "1", "A/0", "floor-1", "house"]
        name = self.random.choice(names)
        return ["/", "/building.json", "/campus.json", f"/{name}.json", f"/{name}.pmtiles"] + [
            f"/{name}/17/66264/45561.png" for name in names] + [
            "/received/16/33132/22780.png", "/received/..%2f..%2fvictim%2fsecret.txt", "/../victim/secret.txt"]

    def ask(self, process, port, target):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=self.patience)
        with contextlib.closing(connection):
            try:
                connection.request("GET", target)
                return connection.getresponse().read()
            except TimeoutError:
                kill(process)
                raise Found("hangs: a request", target) from None
            except (OSError, http.client.HTTPException) as fault:
                if process.poll() is not None:
                    self.check_end(process.returncode, process.stderr.read() or b"", ["serve"])
                kill(process)
                raise Found("no answer", f"{target}: {fault!r}") from None


def kind_of(path):
    """A path without the parts that differ between sequences."""
    return re.sub(r"\d{2,}", "N", ascii(path)[1:-1])[:60]


def kill(process):
    """Kills a command, and the processes that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def play(forms, options, root, number):
    sequence = Sequence(forms, options.seed, number, root, options.patience)
    try:
        sequence.play()
        return None
    except Found as found:
        return (*found.args, sequence.log)
    finally:
        if not options.keep:
            sequence.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--sequences", type=int, default=500)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--patience", type=float, default=PATIENCE)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    print(f"seed {options.seed}", flush=True)
    # Removes temporary files.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Commands inherit it.
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    root = pathlib.Path(tempfile.mkdtemp(prefix="tilewright-received-")).resolve()
    counts, start = collections.Counter(), time.monotonic()
    numbers = range(options.sequences) if options.only is None else [options.only]
    try:
        forms = Forms(options.program, root / "forms")
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            played = pool.map(lambda number: play(forms, options, root, number), numbers)
            for number, found in zip(numbers, played):
                if found is None:
                    continue
                kind, rest, log = found
                counts[kind] += 1
                if counts[kind] <= MOST_SHOWN or options.only is not None:
                    print(f"FINDING: {kind}; repeat it with --seed {options.seed} --only {number}\n    {rest}")
                    print("".join(f"    {line}\n" for line in log), end="", flush=True)
    finally:
        if options.keep:
            print(f"kept: {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)
    print(f"{len(numbers)} sequences in {time.monotonic() - start:.0f} s; findings: {sum(counts.values())}")
    for kind, count in counts.most_common():
        print(f"{count:6} {kind}")
    sys.exit(1 if counts else 0)


if __name__ == "__main__":
    main()
