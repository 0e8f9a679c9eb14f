"""The site that is served to hostile clients, with secrets around it, and the server's process."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import zlib

# The size of the source. Tiles of noise are large: the archive is larger than the system's buffers for a connection,
# some 4 MB, so that a response can be truncated.
WIDTH, HEIGHT = 1500, 1100
START_SECONDS = 10


class Site:
    """A folder of tiles and an archive of them in a scratch folder, and private files.

    The folder is served as `tiles`, the archive as `plan`. `content` contains the tiles by address.
    """

    def __init__(self, tilewright, randomness):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilewright-requests-")).resolve()
        self.marker = f"MARKER{randomness.getrandbits(64):016x}".encode()
        self.root = self.folder / "site"
        self.tiles = self.root / "tiles"
        self.root.mkdir()
        source = self.root / "plan.png"
        source.write_bytes(noise(WIDTH, HEIGHT, randomness))
        self.run(tilewright, source, "--bounds", "2,48,2.003,48.002", "-q", "-o", self.tiles)
        self.run(tilewright, "convert", self.tiles, self.root / "plan.pmtiles", "-q")
        source.unlink()
        self.content = {
            f"/tiles/{path.relative_to(self.tiles)}": path.read_bytes()
            for path in sorted(self.tiles.glob("*/*/*.png"))}
        self.archive = (self.root / "plan.pmtiles").read_bytes()
        # Two tiles of the finest zoom: one that is requested, and one whose request is hidden in other requests.
        self.tile, self.hidden = list(self.content)[-2:]
        self.numbers = re.findall(r"\d+", self.tile)
        self.secrets = self.hide_secrets(self.numbers[0])

    @staticmethod
    def run(*command):
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)

    def hide_secrets(self, zoom):
        """Writes secrets above the served folder, next to it, under a name that begins like it, and inside."""
        names = ["secret.txt", "site/secret.txt", "site/tiles-secret/secret.txt", "site/tiles/secret.txt",
                 "site/tiles/.secret", f"site/tiles/{zoom}/secret.png"]
        for name in names:
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_bytes(self.marker)
        return names

    @property
    def unspeakable(self):
        """Strings that no response may contain: the secret, and paths of this machine."""
        places = {self.folder, pathlib.Path.cwd(), pathlib.Path.home()}
        return [self.marker, b"root:x:0:0"] + [
            str(place).encode() for place in places if len(place.parts) > 2]

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def noise(width, height, randomness):
    """An opaque PNG of random pixels."""
    raw = b"".join(b"\0" + randomness.randbytes(3 * width) for _ in range(height))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 1))
            + chunk(b"IEND", b""))


class Server:
    """The program, serving a site at a free port of this machine, with a limit of open files."""

    def __init__(self, program, site, most_files=None):
        self.program = program
        self.said = site.folder / f"said-{most_files}"
        with open(self.said, "wb") as errors:
            self.process = subprocess.Popen(
                [program, "tiles", "plan.pmtiles", "--listen", "127.0.0.1:0"], cwd=site.root,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                preexec_fn=most_files and (lambda: resource.setrlimit(
                    resource.RLIMIT_NOFILE, (most_files, most_files))))
        self.port = self.wait_for_port()

    def wait_for_port(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(rb"listening on http://127\.0\.0\.1:(\d+)", self.said.read_bytes())
            if found:
                return int(found[1])
            time.sleep(0.02)
        self.kill()
        raise SystemExit(f"the server does not listen: {self.said.read_bytes()!r}")

    @property
    def ending(self):
        """The status with which it ended; None while it runs."""
        return self.process.poll()

    @property
    def peak(self):
        """Its peak memory so far, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) << 10

    @property
    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def control_characters(self):
        """Control characters in its standard error, which may be a terminal."""
        said = self.said.read_bytes()
        return sorted(set(re.findall(rb"[^\n\t\x20-\x7e\x80-\xff]", said)))

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def kill(self):
        if self.ending is None:
            self.process.kill()
            self.process.wait()


def is_tilejson(body, host):
    """Whether a body is a TileJSON whose addresses have the host of the request."""
    try:
        return json.loads(body)["tiles"][0].startswith(f"http://{host}/")
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
