#!/usr/bin/env python3
"""Compares the server with nginx on the same tiles, and prints a table in Markdown.

usage: serve.py [--work DIR] [--rounds N] [--seconds N] [--limits] SERVER

SERVER is tilewright-serve, with tilewright in the same folder. nginx serves a folder of tiles with Debian's
configuration: a worker for each core, sendfile, an access log. The server serves the folder, and an MBTiles
and a PMTiles archive with the same tiles. wrk requests all tiles from each in the same order, over 64
persistent connections. Each run is compared with a run of nginx just before it. The table has medians, and
peak memory.

With --limits, the status is 1 if a limit is exceeded: half of nginx's requests, three times its 99th percentile,
100 MB. Needs Linux, nginx and wrk (Debian's nginx-light and wrk), numpy and Pillow.
"""

import argparse
import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
WIDTH, ZOOMS = 16000, "16-22"
HEIGHT = round(0.724 * WIDTH)
# Web Mercator metres: a corner, and a pixel of the finest zoom.
WEST, NORTH, CELL = 13366515.98, 3541405.05, 2 * 20037508.342789244 / 256 / 2**22
THREADS, CONNECTIONS = 2, 64
COMPARED = 50
START_SECONDS = 10
LEAST_REQUESTS, MOST_LATENCY, MOST_MEGABYTES = 0.5, 3, 100

# Each thread begins with a different tile. The final output is easier to parse than that of wrk.
SCRIPT = """
local threads = 0
function setup(thread)
  thread:set("first", threads * 7919)
  threads = threads + 1
end
function init(args)
  requests = {}
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", path) end
  turn = first
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('{"requests": %f, "bytes": %f, "p99": %f, "errors": %d}\\n',
    summary.requests / summary.duration * 1e6, summary.bytes / summary.duration * 1e6,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"""

NGINX = """
{user}
worker_processes auto;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 768; }}
http {{
  access_log {folder}/access.log;
  sendfile on;
  tcp_nopush on;
  types {{ image/png png; }}
  keepalive_requests 1000000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


@dataclasses.dataclass
class Run:
    requests: float  # a second
    bytes: float  # a second
    p99: float  # ms
    errors: int


class Subject:
    """A server process at a port of this machine."""

    def __init__(self, name, command, port, folder):
        self.name, self.port, self.runs, self.ratios = name, port, [], []
        self.log = folder / f"{name}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def wait(self):
        """Waits until it responds. The server prints its port."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(rb"listening on http://127\.0\.0\.1:(\d+)", self.log.read_bytes())
            self.port = int(found[1]) if found else self.port
            with contextlib.suppress(OSError):
                if self.port:
                    socket.create_connection(("127.0.0.1", self.port)).close()
                    return
            time.sleep(0.02)
        sys.exit(f"error: {self.name} does not respond: {self.log.read_text(errors='replace')}")

    def tiles(self, paths):
        """The bytes at some addresses."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        for path in paths:
            client.request("GET", path)
            answer = client.getresponse()
            data = answer.read()
            if answer.status != 200 or answer.getheader("content-type") != "image/png":
                sys.exit(f"error: {self.name}: {path}: {answer.status} {answer.getheader('content-type')}")
            yield data
        client.close()

    def run(self, seconds, script, paths):
        said = subprocess.run(
            ["wrk", f"-t{THREADS}", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", "-s", script,
             f"http://127.0.0.1:{self.port}", "--", paths], check=True, capture_output=True, text=True).stdout
        run = Run(**json.loads(said.splitlines()[-1]))
        if run.errors:
            sys.exit(f"error: {self.name}: {run.errors} requests failed: {said}")
        self.runs.append(run)
        print(f"  {self.name}: {run.requests:.0f} requests a second", file=sys.stderr, flush=True)

    def median(self, figure):
        return statistics.median(getattr(run, figure) for run in self.runs)

    def ratio(self, figure):
        """The median of the ratios to nginx."""
        return statistics.median(getattr(own, figure) / getattr(other, figure) for own, other in self.ratios)

    @property
    def megabytes(self):
        """Its peak memory, including the processes that it started."""
        pid = self.process.pid
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return sum(peak(process) for process in [pid, *children]) / 1e6

    def end(self):
        self.process.terminate()
        self.process.wait()


def peak(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) << 10


def free_port():
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        return plug.getsockname()[1]


def make_tiles(tilewright, work):
    """The folder and both archives, which are kept for the next run."""
    plan, folder = work / f"drawn-{WIDTH}.png", work / f"served-{WIDTH}"
    if not plan.exists():
        scratch = plan.with_suffix(".part.png")
        subprocess.run([sys.executable, HERE / "draw_plan.py", scratch, str(WIDTH)], check=True)
        scratch.rename(plan)
    tiles = [folder / "tiles", folder / "tiles.mbtiles", folder / "tiles.pmtiles"]
    folder.mkdir(exist_ok=True)
    bounds = ",".join(str(edge) for edge in (WEST, NORTH - HEIGHT * CELL, WEST + WIDTH * CELL, NORTH))
    place = ["--crs", "EPSG:3857", "--bounds", bounds, "-z", ZOOMS]
    subprocess.run([tilewright, plan, *place, "-q", "-o", tiles[0]], check=True)
    for archive in tiles[1:]:
        subprocess.run([tilewright, "convert", tiles[0], archive, "-q"], check=True)
    return tiles


def start_nginx(root, folder):
    port = free_port()
    (folder / "nginx.conf").write_text(NGINX.format(
        user="user root;" if os.geteuid() == 0 else "", folder=folder, port=port, root=root))
    return Subject("nginx", ["nginx", "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"],
                   port, folder)


def check_bytes(subjects, paths):
    """Checks that all return the same bytes, before they are measured."""
    some = random.Random(2).sample(paths, min(COMPARED, len(paths)))
    first, *others = [list(subject.tiles(some)) for subject in subjects]
    for subject, tiles in zip(subjects[1:], others):
        for path, expected, found in zip(some, first, tiles):
            if found != expected:
                sys.exit(f"error: {subject.name}: {path} differs from {subjects[0].name}'s")


def measure(nginx, servers, options, script, paths):
    for _ in range(options.rounds):
        for server in servers:
            nginx.run(options.seconds, script, paths)
            server.run(options.seconds, script, paths)
            server.ratios.append((server.runs[-1], nginx.runs[-1]))


def print_table(nginx, servers):
    print("| | requests/s | MB/s | 99th percentile ms | requests / nginx's | 99th percentile / nginx's | "
          "peak MB |\n| --- | --- | --- | --- | --- | --- | --- |")
    for subject in [nginx, *servers]:
        ratios = f"{subject.ratio('requests'):.2f} | {subject.ratio('p99'):.2f}" if subject.ratios else " | "
        print(f"| {subject.name} | {subject.median('requests'):.0f} | {subject.median('bytes') / 1e6:.0f} | "
              f"{subject.median('p99'):.2f} | {ratios} | {subject.megabytes:.0f} |", flush=True)


def missed(servers):
    """The limits that are exceeded."""
    for server in servers:
        requests, latency = server.ratio("requests"), server.ratio("p99")
        if requests < LEAST_REQUESTS:
            yield f"{server.name}: {requests:.2f} of nginx's requests, and not {LEAST_REQUESTS}"
        if latency > MOST_LATENCY:
            yield f"{server.name}: {latency:.2f} times nginx's 99th percentile, and not {MOST_LATENCY}"
        if server.megabytes > MOST_MEGABYTES:
            yield f"{server.name}: {server.megabytes:.0f} MB, and not {MOST_MEGABYTES}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("--work", default=".build/bench", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--limits", action="store_true")
    options = parser.parse_args()
    for tool in ("nginx", "wrk"):
        if not shutil.which(tool):
            sys.exit(f"error: {tool} is not installed (Debian: nginx-light, wrk)")
    program = pathlib.Path(options.server).resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    tiles = make_tiles(program.parent / "tilewright", options.work.resolve())
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tilewright-serve-")))
        nginx = start_nginx(tiles[0].parent, folder)
        stack.callback(nginx.end)
        servers = []
        for name, path in zip(("folder", "MBTiles", "PMTiles"), tiles):
            command = [program, f"tiles={path}", "--listen", "127.0.0.1:0"]
            servers.append(Subject(name, command, None, folder))
            stack.callback(servers[-1].end)
        for subject in [nginx, *servers]:
            subject.wait()
        paths = sorted(f"/{path.relative_to(tiles[0].parent)}" for path in tiles[0].glob("*/*/*.png"))
        check_bytes([nginx, *servers], paths)
        random.Random(1).shuffle(paths)
        (folder / "paths").write_text("\n".join(paths) + "\n")
        (folder / "script.lua").write_text(SCRIPT)
        measure(nginx, servers, options, folder / "script.lua", folder / "paths")
        size = sum(path.stat().st_size for path in tiles[0].glob("*/*/*.png"))
        print(f"{len(paths)} tiles of {size / len(paths) / 1e3:.1f} kB, {os.cpu_count()} cores, "
              f"{CONNECTIONS} connections, {options.rounds} rounds of {options.seconds} s\n")
        print_table(nginx, servers)
        faults = list(missed(servers)) if options.limits else []
    for fault in faults:
        print(f"missed: {fault}", file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
