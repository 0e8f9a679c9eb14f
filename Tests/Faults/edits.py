"""Edits of an attacker to a folder: lists of files that are edited and signed again, documents and archives with
other content, and links or special files in place of files."""

import ctypes
import ctypes.util
import gzip
import json
import os
import pathlib
import shutil
import sqlite3
import struct

MARK = ".tilewright"
HASH_SIZE, RECORD_SIZE = 16, 32
# Parts of file names that a terminal may interpret as commands.
COMMANDS = ["\x1b[2J", "\x9b31m", "\r", "\x7f", "\u202egnp", "\u2028removed x", "\n"]
LARGE = [8 << 30, 1 << 40]
# Files above this size were planted here.
MOST_EDITED = 1 << 25


def xxh3(data):
    """XXH3-128 in the program's order: the high half before the low half."""
    try:
        import xxhash
        value = xxhash.xxh3_128_intdigest(data)
        return struct.pack("<QQ", value >> 64, value & (1 << 64) - 1)
    except ImportError:
        value = library().XXH3_128bits(data, len(data))
        return struct.pack("<QQ", value.high, value.low)


def library():
    class Hash(ctypes.Structure):
        _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]

    loaded = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
    loaded.XXH3_128bits.restype = Hash
    loaded.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return loaded


def is_plain(path):
    return path.is_file() and not path.is_symlink()


class Edits:
    """Random changes to a folder. Each method returns a line about its change, or None without a change."""

    def __init__(self, randomness, folder, victims):
        self.random, self.folder, self.victims = randomness, folder, victims

    @property
    def all(self):
        weighted = {
            self.list_of_files: 6, self.document: 6, self.raw_document: 2, self.plant: 10, self.stage: 5,
            self.pmtiles: 3, self.mbtiles: 3, self.bytes_of_something: 2, self.strange_name: 2,
        }
        return [edit for edit, weight in weighted.items() for _ in range(weight)]

    def make(self, count):
        """Makes a number of changes."""
        done = []
        while len(done) < count:
            try:
                said = self.random.choice(self.all)()
            except OSError:
                # A name is too long, or leads through a file.
                continue
            if said:
                done.append(said)
        return done

    # Names

    def victim(self, is_folder=None):
        """A path outside of the folder, which the folder must never affect."""
        found = [path for path in sorted(self.victims.rglob("*"))
                 if is_folder is None or path.is_dir() == is_folder]
        return self.random.choice(found)

    def way_out(self):
        """A name that leads out of the folder, or tries to. Even as root, a program that follows it harms only the
        victims, since no file of the system is named."""
        victim = self.victim(is_folder=False if self.random.random() < 0.7 else None)
        name = os.path.relpath(victim, self.folder)
        return self.random.choice([
            name, name, name, name, name, f"../{name}", f"../{name}", str(victim), f"x/../{name}", f"./{name}",
            name.replace("../", "..//"), "..", ".", "", MARK, "~", f"{name}\0.png", f"{name}/", "x" * 300,
            "y/" * 3000 + "z", self.command(),
        ])

    def command(self):
        return "name" + self.random.choice(COMMANDS) + "end"

    def files(self, *patterns):
        return sorted(path for pattern in patterns for path in self.folder.rglob(pattern)
                      if is_plain(path) and path.stat().st_size < MOST_EDITED)

    def place(self):
        """A name in the folder that the program uses or may use. The file may be missing."""
        homes = [path for path in sorted(self.folder.rglob(f"{MARK}/*")) if path.is_dir()]
        home = self.random.choice(homes) if homes else self.folder / MARK / "tileset"
        # Files next to tiles, a job or an image; the state of a tileset; unfinished files.
        names = self.random.choice([
            [self.folder / name for name in (
                "tilejson.json", "metadata.json", "building.json", "campus.json", "index.html", "job.json",
                "palette.json", "shards", "17", "16", MARK, "leaflet.js", "tilemapresource.xml", "doc.kml", "new")],
            [home / name for name in (
                "manifest", "lock", "partial", "staging", "staging/journal", "staging/17",
                "staging/17/66264", "staging/17/66264/45561")],
            [path.with_name(path.name + ending) for path in sorted(self.folder.iterdir()) for ending in (
                ".tilewright-partial", "-journal", "-wal", "-shm", ".points", ".aux.xml", ".msk", ".page2.points")],
            [path.with_suffix(ending) for path in sorted(self.folder.iterdir()) for ending in (
                ".pgw", ".wld", ".prj", ".html")],
            [path for path in sorted(self.folder.rglob("*")) if len(path.parts) < 40],
        ])
        partial = [path for path in names if path.name.endswith("tiles.tilewright-partial")]
        return self.random.choice(partial or names or [self.folder / "new"])

    def say(self, what, path):
        return f"{what}: {os.path.relpath(path, self.folder.parent)!a}"

    # Lists of files

    def list_of_files(self):
        """Edits the manifest of a tileset, and corrects its hash."""
        lists = self.files("manifest")
        if not lists:
            return None
        path = self.random.choice(lists)
        data = path.read_bytes()[:-HASH_SIZE]
        head, separator, records = data.partition(b"\n\n")
        if not separator:
            return None
        lines, records = head.decode(errors="surrogateescape").split("\n"), bytearray(records)
        what = self.edit_list(lines, records)
        data = "\n".join(lines).encode(errors="surrogateescape") + b"\n\n" + bytes(records)
        path.write_bytes(data + xxh3(data))
        return self.say(f"signed anew, {what}", path)

    def edit_list(self, lines, records):
        choice = self.random.choice([0, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8])
        if choice <= 2:
            line = f"side {self.way_out()}"
            lines.insert(1, line)
            return f"{line!a}"
        if choice <= 4:
            victim = os.path.relpath(self.victim(is_folder=True), self.folder)
            twins = os.path.relpath(self.victims / "tiles", self.folder)
            template = self.random.choice([
                f"{victim}/{{z}}/{{x}}/{{y}}.png", f"{twins}/{{z}}/{{x}}/{{y}}.png",
                f"{victim}/{{z}}_{{x}}_{{y}}.png", f"/{victim}/{{z}}/{{x}}/{{y}}",
                "{z}/../{x}/{y}.png", f"{{z}}/{{x}}/{{y}}/{self.way_out()}", "a\x1b[2J{z}/{x}/{y}.png", "{z}/{x}.png"])
            place = [at for at, line in enumerate(lines) if line.startswith("tiles ")]
            if place and self.random.random() < 0.7:
                count = lines[place[0]].split(" ")[1]
                lines[place[0]] = f"tiles {count} xyz {template}"
            else:
                lines.append(f"tiles 1 xyz {template}")
                records += struct.pack("<IIII", 17, 66264, 45561, 99) + bytes(16)
            return f"template {template!a}"
        if choice == 5 and len(lines) > 2:
            return f"without {lines.pop(self.random.randrange(1, len(lines)))!a}"
        if choice == 6 and records:
            at = self.random.randrange(len(records))
            records[at] ^= 1 << self.random.randrange(8)
            return f"byte {at} of the records"
        if choice == 7:
            line = self.random.choice([
                "job " + "0" * 32, "made " + "f" * 32, f"image {self.way_out()}", f"told http://e/{self.command()}",
                f"said {'0' * 32} {self.way_out()}", "told -", "nonsense here", "tiles 99999999999 xyz {z}/{x}/{y}.png",
                "tiles -1 xyz {z}/{x}/{y}.png"])
            lines.insert(self.random.randrange(1, len(lines) + 1), line)
            return f"{line[:60]!a}"
        del records[self.random.randrange(len(records) + 1):]
        return "records cut off"

    # Documents

    DOCUMENTS = ("building.json", "campus.json", "tilejson*.json", "metadata*.json", "job.json", "palette.json")

    def document(self):
        """Changes a value of a document."""
        documents = self.files(*self.DOCUMENTS)
        if not documents:
            return None
        path = self.random.choice(documents + 2 * [path for path in documents if path.name == "building.json"])
        try:
            document = json.loads(path.read_bytes())
            places = list(walk(document)) if isinstance(document, dict) else []
        except (ValueError, RecursionError):
            places = []
        if not places:
            return None
        named = [place for place in places if place[1] in (
            "archive", "tilejson", "tiles", "floor", "path", "manifest", "folder", "name", "label", "lists", "url",
            "template", "limits", "attribution", "description", "digest", "index")]
        holder, key = self.random.choice(named if named and self.random.random() < 0.7 else places)
        value = self.value(holder[key])
        floors = [floor for floor in document.get("floors") or [] if isinstance(floor, dict)]
        if path.name == "building.json" and floors and self.random.random() < 0.3:
            holder, key = self.random.choice(floors), "archive"
            value = os.path.relpath(self.random.choice(sorted(self.victims.glob("*.*tiles"))), path.parent)
        holder[key] = value
        if isinstance(holder, dict) and self.random.random() < 0.3 and "floor" in holder:
            holder["floor"] = self.random.choice([self.way_out(), "no such floor", self.command()])
        text = json.dumps(document, indent=2)
        # The program ends its files in the same way.
        path.write_text(text + "\n")
        return self.say(f"{key!a} becomes {str(value)[:80]!a}", path)

    def value(self, old):
        if isinstance(old, str) and self.random.random() < 0.8:
            return self.random.choice([self.way_out(), self.way_out(), self.command(), old + self.command()])
        return self.random.choice([
            0, -1, 1 << 31, 1 << 63, 1e308, -0.5, None, True, "", [], {}, [0, 0, 0, 1 << 31, 1 << 31],
            [[30, 0, 0, (1 << 30) - 1, (1 << 30) - 1]] * 3, ["x"] * 1000, self.way_out(), "9" * 400])

    def raw_document(self):
        """Replaces a document by something else."""
        path = self.random.choice(self.files(*self.DOCUMENTS) or [self.folder / "tilejson.json"])
        if not path.parent.is_dir() or path.is_symlink() or path.exists() and not path.is_file():
            return None
        contents = self.random.choice([
            b"", b"{", b"null", b"[" * 200_000, b'{"a":' * 100_000, b"\xff\xfe\0",
            b'{"tiles":["' + b"x" * (1 << 24) + b'"]}',
            bytes(self.random.randbytes(300)), b'{"generator": "tilewright"\n}\n'])
        path.write_bytes(contents)
        return self.say(f"holds {contents[:20]!a}, {len(contents)} bytes", path)

    def bytes_of_something(self):
        """Flips a bit of any file, or truncates the file."""
        files = [path for path in self.files("*") if path.stat().st_size]
        if not files:
            return None
        path = self.random.choice(files)
        data = bytearray(path.read_bytes())
        at = self.random.randrange(len(data))
        if self.random.random() < 0.5:
            del data[at:]
        else:
            data[at] ^= 1 << self.random.randrange(8)
        path.write_bytes(data)
        return self.say(f"byte {at}", path)

    # Archives

    def pmtiles(self):
        archives = self.files("*.pmtiles")
        if not archives:
            return None
        path = self.random.choice(archives)
        data = bytearray(path.read_bytes())
        if len(data) < 127:
            return None
        if self.random.random() < 0.5:
            # Offsets and lengths of sections, counts, types, zooms and bounds.
            at = self.random.choice(range(8, 96, 8))
            numbers = [0, 1, 127, len(data), 1 << 31, 1 << 62, (1 << 64) - 1]
            struct.pack_into("<Q", data, at, self.random.choice(numbers))
            what = f"number at {at}"
        else:
            offset, length = struct.unpack_from("<QQ", data, 24)
            try:
                words = json.loads(gzip.decompress(bytes(data[offset:offset + length])))
                words[self.random.choice(sorted(words) or ["name"])] = self.value("")
            except (OSError, ValueError, EOFError, MemoryError, TypeError):
                words = {"name": self.command(), "generator": "tilewright", "images": [self.way_out()]}
            section = gzip.compress(json.dumps(words).encode())
            struct.pack_into("<QQ", data, 24, len(data), len(section))
            data += section
            what = "metadata"
        path.write_bytes(data)
        return self.say(what, path)

    def mbtiles(self):
        archives = self.files("*.mbtiles")
        if not archives:
            return None
        path = self.random.choice(archives)
        statement, values = self.random.choice([
            ("UPDATE metadata SET value = ? WHERE rowid = 1 + abs(random()) % 9", (self.way_out(),)),
            ("INSERT INTO metadata VALUES (?, ?)", (self.command(), self.command())),
            ("UPDATE metadata SET value = ? WHERE name = 'tileCount'", (str(1 << 62),)),
            ("INSERT INTO metadata VALUES ('json', ?)", ("[" * 100_000,)),
            ("UPDATE metadata SET value = zeroblob(1 << 20)", ()),
            ("CREATE TABLE sqlite_stat9 (a)", ()),
        ])
        try:
            with sqlite3.connect(path) as database:
                database.execute(statement, values)
        except sqlite3.Error:
            return None
        return self.say(f"{statement} {str(values)[:60]!a}", path)

    # Special files

    def plant(self):
        """Plants a special file, or another user's file, under a name that the program uses."""
        path = self.place()
        if any(parent.is_symlink() or parent.exists() and not parent.is_dir() for parent in path.parents):
            return None
        kinds = {
            "a FIFO": lambda: os.mkfifo(path),
            "a link to a file outside": lambda: path.symlink_to(self.victim(is_folder=False)),
            "a link to a folder outside": lambda: path.symlink_to(self.victim(is_folder=True)),
            "a relative link to outside": lambda: path.symlink_to(
                os.path.relpath(self.victim(), path.parent)),
            "a link to nothing outside": lambda: path.symlink_to(self.victims / "absent"),
            "a link to itself": lambda: path.symlink_to(path.name),
            "a hard link to a file outside": lambda: os.link(self.victims / "linked.bin", path),
            "a folder": lambda: path.mkdir(),
            "an empty file": lambda: path.touch(),
            "a huge file": lambda: self.make_huge(path),
            "a file that nobody may read": lambda: (path.touch(), path.chmod(0)),
        }
        if os.geteuid() == 0:
            for name, numbers in {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 9)}.items():
                kinds[f"the device {name}"] = lambda numbers=numbers: os.mknod(path, 0o20666, os.makedev(*numbers))
        kind = self.random.choice(sorted(kinds))
        path.parent.mkdir(parents=True, exist_ok=True)
        self.clear(path)
        kinds[kind]()
        return self.say(f"planted {kind}", path)

    def make_huge(self, path):
        with open(path, "wb") as file:
            file.truncate(self.random.choice(LARGE))

    @staticmethod
    def clear(path):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.is_symlink() or path.exists():
            path.unlink()

    def stage(self):
        """Tiles of an unfinished run, some of them replaced; the same command continues with them."""
        homes = [path.parent for path in self.files("manifest") if path.parent.parent.name == MARK]
        if not homes:
            return None
        home = self.random.choice(homes)
        head, _, records = home.joinpath("manifest").read_bytes().partition(b"\n\n")
        made = [line.split(b" ")[1] for line in head.split(b"\n") if line.startswith((b"made ", b"job "))]
        if not made or (home / "staging").exists() or (home / "staging").is_symlink():
            return None
        staging = home / "staging"
        tiles = [path for path in self.files("*.png") if len(path.relative_to(self.folder).parts) == 3]
        for tile in tiles:
            place = staging / tile.relative_to(self.folder).with_suffix("")
            place.parent.mkdir(parents=True, exist_ok=True)
            tile.rename(place)
        staging.mkdir(exist_ok=True)
        journal = b"tilewright journal 1 " + made[0] + b"\n" + records[:-16]
        if self.random.random() < 0.5:
            journal += struct.pack("<IIII", 17, 66264, 45561, 1) + bytes(16)
        (staging / "journal").write_bytes(journal)
        home.joinpath("manifest").unlink()
        folders = sorted(path for path in staging.rglob("*") if path.is_dir())
        if folders and self.random.random() < 0.8:
            folder = self.random.choice(folders)
            victim = self.victim(is_folder=True)
            if self.random.random() < 0.5:
                # The victim has the files that the run expects there.
                victim = self.victims / "tiles" / folder.relative_to(staging)
            shutil.rmtree(folder)
            folder.symlink_to(victim)
            return self.say(f"a run that did not end, with a link to {victim.name}", folder)
        return self.say("a run that did not end", staging)

    def strange_name(self):
        """Adds a file with a strange name."""
        folders = [self.folder] + [path for path in sorted(self.folder.rglob("*"))
                                   if path.is_dir() and not path.is_symlink()]
        folder = os.fsencode(self.random.choice(folders))
        name = self.random.choice([
            b"a\nb", b"\x1b[2J.png", b"\xff\xfe.png", b"n" * 255, b"-rf", b"floor-..", b"floor-a\x1b[31m",
            b"floor-\xff", b"tilejson-a\x1b[2J.json", "\u202egnp.json".encode(), b"45561.png\n", b"007", b" ",
            b"tilejson-..json"])
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            return None
        if name.startswith(b"floor") or self.random.random() < 0.3:
            os.mkdir(path)
            with open(os.path.join(path, b"manifest"), "wb") as file:
                file.write(b"x")
        else:
            with open(path, "wb") as file:
                file.write(b"{}")
        return f"a strange name: {os.path.relpath(path, os.fsencode(self.folder.parent))!a}"


def walk(document):
    """Each value of a document: its container, and its key."""
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in list(items):
        yield document, key
        if isinstance(value, (dict, list)):
            yield from walk(value)
