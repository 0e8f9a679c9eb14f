"""Tests the code for web clients that 'snippet' prints, in Chromium with the map libraries themselves.

    TILEWRIGHT=.build/debug/tilewright LEAFLET=FOLDER MAPLIBRE=FOLDER OPENLAYERS=FOLDER \\
        python3 Tests/Clients/Web/test_pages.py [-v] [TestCase.test]

The folders have leaflet.js (Debian's libjs-leaflet), maplibre-gl.js (`srcjs` of the Python package maplibre)
and ol.js (`service/templates/demo/static` of the Python package mapproxy) with their style sheets. A library
without a folder is left out. Google's API is replaced by google_fake.js. SCREENSHOTS names a folder for pictures.
"""

import base64
import functools
import http.server
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/EndToEndTests/Support"))

from browser import Page  # noqa: E402

PROGRAM = str(Path(os.environ.get("TILEWRIGHT", ROOT / ".build/debug/tilewright")).resolve())
FOLDERS = {name: os.environ.get(name.upper()) for name in ("leaflet", "maplibre", "openlayers")}
CLIENTS = [name for name, folder in FOLDERS.items() if folder] + ["google"]
# Of the clients, for the program, if they differ.
NAMES = {"google": "google-js"}
SCREENSHOTS = os.environ.get("SCREENSHOTS")


# Pages

STARTS = {
    "leaflet": 'const map = L.map("map", { fadeAnimation: true, attributionControl: false });',
    "openlayers": """const view = new ol.View({ center: [0, 0], zoom: 1, maxZoom: 28 });
        const map = new ol.Map({ target: "map", controls: [], view });""",
    "maplibre": """const white = { id: "white", type: "background", paint: { "background-color": "#fff" } };
        const map = new maplibregl.Map({ container: "map", attributionControl: false, maxZoom: 24,
            style: { version: 8, sources: {}, layers: [white] } });""",
    "google": 'const map = new google.maps.Map(document.getElementById("map"));',
}
LIBRARIES = {
    name: f'<link rel="stylesheet" href="/{file}.css"><script src="/{file}.js"></script>'
    for name, file in (
        ("leaflet", "leaflet/leaflet"), ("openlayers", "openlayers/ol"), ("maplibre", "maplibre/maplibre-gl")
    )
}
LIBRARIES["google"] = '<script src="/google_fake.js"></script>'
OL_IMPORTS = {
    "ol/View.js": "View",
    "ol/control/Control.js": "control.Control",
    "ol/layer/Tile.js": "layer.Tile",
    "ol/source/XYZ.js": "source.XYZ",
}
ZOOMS = {
    "leaflet": ("map.getMinZoom()", "map.getMaxZoom()", "map.setZoom(ZOOM, { animate: false })"),
    "openlayers": ("map.getView().getMinZoom()", "map.getView().getMaxZoom()", "map.getView().setZoom(ZOOM)"),
    "maplibre": ("map.getMinZoom() + 1", "map.getMaxZoom() + 1", "map.jumpTo({ zoom: ZOOM - 1 })"),
    "google": ("map.options.minZoom", "map.options.maxZoom", "map.setZoom(ZOOM)"),
}


def start_page(client):
    """A page with a map, and what it says about faults."""
    imports = {name: f"data:text/javascript,export default ol.{path};" for name, path in OL_IMPORTS.items()}
    imports["ol/proj.js"] = "data:text/javascript,export const transformExtent = ol.proj.transformExtent;"
    return f"""<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
{LIBRARIES[client]}
<script type="importmap">{json.dumps({"imports": imports})}</script>
<style>html, body, #map {{ height: 100%; margin: 0; background: #fff; }}</style><div id="map"></div>
<script>const faults = []; console.warn = (error) => faults.push(String(error));
{STARTS[client]}</script>
"""


class Site(http.server.SimpleHTTPRequestHandler):
    """A server with ranges, which lists what it is asked for."""

    requests, delay = [], 0

    def log_message(self, *_):
        pass

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def do_GET(self):
        path = self.path.split("?")[0]
        wanted = self.headers.get("Range")
        Site.requests.append((path, wanted))
        if Site.delay and re.search(r"\.(png|pmtiles)$", path):
            time.sleep(Site.delay)
        file = Path(self.translate_path(path))
        if not wanted or not file.is_file():
            super().do_GET()
            return
        first, last = map(int, wanted[6:].split("-"))
        data = file.read_bytes()
        part = data[first : last + 1]
        self.send_response(206)
        self.send_header("ETag", f'"{zlib.crc32(data)}"')
        self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


def pixels(png):
    """The rows of a PNG of eight bits without interlacing, each a list of colours."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            data += body
        at += length + 12
    count = {2: 3, 6: 4}[color]
    raw, rows, before = zlib.decompress(data), [], bytes(width * count)
    for y in range(height):
        start = y * (width * count + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + width * count])
        for i in range(len(row)):
            left, up = row[i - count] if i >= count else 0, before[i]
            corner = before[i - count] if i >= count else 0
            if kind == 4:
                base = left + up - corner
                near = min(
                    (abs(base - left), 0, left), (abs(base - up), 1, up), (abs(base - corner), 2, corner)
                )[2]
            else:
                near = {0: 0, 1: left, 2: up, 3: (left + up) // 2}[kind]
            row[i] = (row[i] + near) & 255
        rows.append([tuple(row[i : i + 3]) for i in range(0, len(row), count)])
        before = bytes(row)
    return rows


class MapPage(Page):
    """A page of any density, which is ready when all that it asked for has come."""

    def __init__(self, url, width=390, height=500, scale=1, touch=False):
        self.open_requests, self.frames = {}, []
        self.metrics = dict(width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        super().__init__("about:blank", width, height, touch=touch, ready="true")
        self.send("Emulation.setDeviceMetricsOverride", **self.metrics)
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && typeof map === 'object'")
        self.settle()

    def note(self, event):
        super().note(event)
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent" and parameters["request"]["url"].startswith("http"):
            self.open_requests[parameters["requestId"]] = parameters["request"]["url"]
        elif method in ("Network.loadingFinished", "Network.loadingFailed"):
            self.open_requests.pop(parameters["requestId"], None)
        elif method == "Page.screencastFrame":
            self.frames.append(base64.b64decode(parameters["data"]))
            self.acknowledge = parameters["sessionId"]

    def settle(self, seconds=0.35):
        quiet, last, end = time.time(), None, time.time() + 15
        while time.time() - quiet < seconds and time.time() < end:
            self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            state = len(self.requests)
            if state != last or self.open_requests:
                quiet, last = time.time(), state

    def middle_colors(self, size=24):
        """The colours in the middle of the page."""
        box = dict(
            x=self.metrics["width"] / 2 - size / 2,
            y=self.metrics["height"] / 2 - size / 2,
            width=size,
            height=size,
            scale=1,
        )
        png = self.send("Page.captureScreenshot", format="png", clip=box)["data"]
        return {color for row in pixels(base64.b64decode(png)) for color in row}


def is_white(color):
    return min(color) > 250


def write_plan(path, red):
    """A plan of one colour with a pattern: a place of it is never white."""
    width, height = 600, 450
    rows = b"".join(
        b"\0" + b"".join(bytes((red, (x // 30 + y // 30) % 2 * 90 + 40, 90)) for x in range(width))
        for y in range(height)
    )
    chunk = (
        lambda kind, data: struct.pack(">I", len(data))
        + kind
        + data
        + struct.pack(">I", zlib.crc32(kind + data))
    )
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


MANIFEST = """name: Harbour Mall
output: "{output}"
{template}
zoom: 16-19
tile-size: {size}
bounds: 2.00013,48.00017,2.00413,48.00219
floors:
  - {{floor: B1, label: Basement, ordinal: -1, image: b1.png}}
  - {{floor: 0, label: Ground floor, ordinal: 0, image: 0.png, default: true}}
  - {{floor: 1, label: First floor, ordinal: 1, image: 1.png}}
"""


def on_each_map(store, **options):
    """Runs a test for each client, with a page on whose map a building is shown."""

    def decorate(test):
        @functools.wraps(test)
        def run(self):
            for client in CLIENTS:
                Site.delay = 0
                with self.subTest(client=client):
                    page = MapPage(self.building_page(client, store), **options)
                    try:
                        page.wait("window.floors !== undefined")
                        page.settle()
                        test(self, client, page)
                    finally:
                        page.close()

        return run

    return decorate


class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="tilewright-pages-")
        cls.folder = folder = Path(cls.scratch.name)
        for index, name in enumerate(("b1", "0", "1")):
            write_plan(folder / f"{name}.png", 40 + 90 * index)
        for size in (256, 512):
            for name, output, pattern in (
                ("mall", f"mall{size}", 'template: "{floor}/{z}/{x}/{y}.{ext}"'),
                ("archives", f"archives{size}/{{floor}}.pmtiles", ""),
            ):
                manifest = folder / f"{name}{size}.yaml"
                manifest.write_text(MANIFEST.format(output=output, template=pattern, size=size))
                cls.run_program(manifest.name)
        (folder / "tilewright-tiles.js").write_text(cls.snippet("--library", "--for", "leaflet"))
        (folder / "google_fake.js").write_text((Path(__file__).parent / "google_fake.js").read_text())
        for name, path in FOLDERS.items():
            if path:
                (folder / name).symlink_to(Path(path).resolve())
        handler = functools.partial(Site, directory=folder)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_port}"

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()
        cls.scratch.cleanup()

    @classmethod
    def run_program(cls, *arguments):
        return subprocess.run(
            [PROGRAM, *arguments], cwd=cls.folder, check=True, capture_output=True, text=True
        ).stdout

    @classmethod
    def snippet(cls, *arguments):
        return cls.run_program("snippet", *arguments)

    def setUp(self):
        Site.delay = 0
        Site.requests.clear()

    def write_page(self, name, client, code):
        (self.folder / f"{name}.html").write_text(
            start_page(client) + f'<script type="module">\n{code}\n</script>'
        )
        return f"{self.address}/{name}.html"

    def building_page(self, client, store):
        code = self.snippet(
            f"{store}.yaml", "--for", NAMES.get(client, client), "--url", f"{self.address}/{store}"
        )
        self.assertLessEqual(code.count("\n"), 120, client)
        return self.write_page(
            f"{store}-{client}", client, code.replace('// floors.show("1");', "window.floors = floors;")
        )

    def tileset_page(self, client, store):
        words = [f"{store}/0.pmtiles"] if store.startswith("archives") else [store, "--floor", "0"]
        url = f"{self.address}/{words[0]}"
        code = self.snippet(*words, "--for", NAMES.get(client, client), "--url", url)
        self.assertLessEqual(code.count("\n"), 80, client)
        return self.write_page(f"tiles-{store}-{client}", client, code)

    def floors(self, store):
        return json.loads((self.folder / store / "building.json").read_text())["floors"]

    def check_requests(self, store):
        """No tile outside the limits, and no missing one, was requested."""
        limits = {one["floor"]: one["limits"] for one in self.floors(store)}
        tiles = [re.fullmatch(rf"/{store}/([^/]+)/(\d+)/(\d+)/(\d+)\.png", path) for path, _ in Site.requests]
        for tile in filter(None, tiles):
            zoom, x, y = map(int, tile.groups()[1:])
            self.assertTrue(
                any(z == zoom and w <= x <= e and n <= y <= s for z, w, n, e, s in limits[tile[1]]), tile[0]
            )
        if store.startswith("mall"):
            self.assertTrue(any(tiles))

    def see_all_zooms(self, page, client, what):
        lowest, highest, setter = ZOOMS[client]
        low, high = page.evaluate(lowest), page.evaluate(highest)
        self.assertEqual(high, 22, what)
        for zoom in range(int(-(-low // 1)), int(high) + 1):
            page.evaluate(f"void {setter.replace('ZOOM', str(zoom))}")
            page.settle()
            colors = page.middle_colors(4)
            self.assertFalse(any(map(is_white, colors)), f"{what}: zoom {zoom}: {colors}")

    def test_buildings_are_seen_at_every_zoom(self):
        for client in CLIENTS:
            for scale, store in (
                (1, "mall256"),
                (2, "mall512"),
                (3, "mall256"),
                (1, "archives512"),
                (2, "archives256"),
                (3, "mall512"),
            ):
                with self.subTest(client=client, scale=scale, store=store):
                    Site.requests.clear()
                    page = MapPage(self.building_page(client, store), scale=scale)
                    try:
                        page.wait("window.floors !== undefined")
                        page.settle()
                        self.see_all_zooms(page, client, f"{client} {store} {scale}")
                        self.assertEqual(page.evaluate("faults"), [])
                        self.assertEqual(page.problems, [])
                    finally:
                        page.close()
                    self.check_requests(store)

    def test_tilesets_are_seen_at_every_zoom(self):
        for client in CLIENTS:
            for scale, store in (
                (1, "mall256"),
                (2, "mall512"),
                (3, "mall256"),
                (1, "archives512"),
                (2, "archives256"),
            ):
                # MapLibre needs pmtiles.js for an archive.
                if client == "maplibre" and store.startswith("archives"):
                    continue
                with self.subTest(client=client, scale=scale, store=store):
                    Site.requests.clear()
                    page = MapPage(self.tileset_page(client, store), scale=scale)
                    try:
                        self.see_all_zooms(page, client, f"{client} {store} {scale}")
                        self.assertEqual(page.problems, [])
                    finally:
                        page.close()
                    self.check_requests(store)

    @on_each_map("mall256")
    def test_floors_change_without_a_flash(self, client, page):
        Site.delay = 0.15
        for name, red in (("1", 220), ("B1", 40), ("0", 130)):
            self.watch_switch(page, name, red)
        self.assertEqual(page.problems, [])

    def watch_switch(self, page, name, red):
        page.frames.clear()
        page.acknowledge = None
        page.send("Page.startScreencast", format="png", maxWidth=130, maxHeight=170, everyNthFrame=1)
        page.click_on(f"[data-floor='{name}']")
        end = time.time() + 3
        while time.time() < end:
            if page.acknowledge is not None:
                page.send("Page.screencastFrameAck", sessionId=page.acknowledge)
                page.acknowledge = None
            page.evaluate("new Promise((done) => requestAnimationFrame(done))")
        page.send("Page.stopScreencast")
        page.settle()
        self.assertGreater(len(page.frames), 1)
        for frame in page.frames:
            rows = pixels(frame)
            y, x = len(rows) // 2, len(rows[0]) // 2
            self.assertFalse(
                any(is_white(rows[y + dy][x + dx]) for dy in (-4, 0, 4) for dx in (-4, 0, 4)), name
            )
        self.assertTrue(
            all(abs(color[0] - red) < 25 for color in page.middle_colors()), (name, page.middle_colors())
        )
        chosen = page.evaluate(
            "[...document.querySelectorAll('[aria-checked=true]')].map((one) => one.dataset.floor)"
        )
        self.assertEqual(chosen, [name])

    @on_each_map("archives256")
    def test_quick_switches_keys_reload_and_removal(self, client, page):
        layers = {
            "leaflet": "Object.values(map._layers).filter((one) => one.options.archive).length",
            "maplibre": "map.getLayersOrder().length - 1",
            "openlayers": "map.getLayers().getLength()",
            "google": "map.overlayMapTypes.getArray().length",
        }
        page.evaluate(
            "floors.show('1'); floors.show('B1'); floors.show('0'); void floors.show('1')"
        )
        time.sleep(1)
        page.settle()
        self.assertEqual(page.evaluate(layers[client]), 1)
        self.assertTrue(all(abs(color[0] - 220) < 25 for color in page.middle_colors()))
        page.send("Emulation.setFocusEmulationEnabled", enabled=True)
        page.tab_to("[role=radio]")
        for key in ("ArrowDown", "End", "Home", "ArrowDown"):
            page.key(key)
        page.settle()
        self.assertEqual(
            page.evaluate("floors.floor.name + document.activeElement.dataset.floor"), "00"
        )
        page.evaluate("floors.reload()")
        page.settle()
        self.assertEqual(page.evaluate(layers[client]), 1)
        if client == "maplibre":
            page.evaluate(
                "void map.setStyle({ version: 8, sources: {}, layers: [] }, { diff: false })"
            )
            time.sleep(1)
            self.assertEqual(page.evaluate("map.getLayersOrder().length"), 1)
        page.evaluate("void floors.remove()")
        self.assertEqual(page.evaluate("document.querySelectorAll('[role=radio]').length"), 0)
        self.assertEqual(page.evaluate("document.adoptedStyleSheets.length"), 0)
        self.assertEqual(page.problems, [])

    @on_each_map("mall256", width=390, height=700, scale=2, touch=True)
    def test_buttons_have_room_for_fingers_and_names(self, client, page):
        boxes = [page.box(f"[data-floor='{name}']") for name in ("1", "0", "B1")]
        self.assertTrue(all(width >= 44 and height >= 44 for _, _, width, height in boxes), boxes)
        self.assertTrue(boxes[0][1] < boxes[1][1] < boxes[2][1])
        self.assertTrue(
            all(left >= 0 and left + width <= 390 for left, _, width, _ in boxes), boxes
        )
        self.assertEqual(page.unnamed(), [])
        page.tap_on("[data-floor='1']")
        page.settle()
        self.assertEqual(page.evaluate("floors.floor.name"), "1")
        if SCREENSHOTS:
            page.screenshot(Path(SCREENSHOTS) / f"{client}.png")

    def test_an_index_that_fails_is_taken_from_its_copy(self):
        page = MapPage(self.building_page("google", "mall512"))
        try:
            page.wait("window.floors !== undefined")
            index = self.folder / "mall512/building.json"
            text = index.read_text()
            try:
                index.write_text("<!doctype html>")
                page.evaluate("window.old = floors.building; void 0")
                page.evaluate("floors.reload()")
                self.assertEqual(page.evaluate("floors.building.source"), "copy")
                page.reload()
                page.wait("window.floors !== undefined")
                self.assertEqual(page.evaluate("floors.building.source"), "copy")
                self.assertEqual(len(page.evaluate("faults")), 1)
            finally:
                index.write_text(text)
        finally:
            page.close()

    def test_a_whole_page_opens_from_the_disk(self):
        for client in [one for one in CLIENTS if one != "maplibre"]:
            with self.subTest(client=client):
                text = self.snippet("mall256.yaml", "--for", NAMES.get(client, client), "--local", "--page")
                # The library of this machine.
                text = re.sub(r'<(link|script)[^>]*"https:[^>]*>(</script>)?\n', "", text)
                text = text.replace("<style>", LIBRARIES[client].replace('"/', '"') + "\n<style>", 1)
                (self.folder / f"disk-{client}.html").write_text(
                    text.replace('// floors.show("1");', "window.floors = floors;")
                )
                page = MapPage((self.folder / f"disk-{client}.html").as_uri())
                try:
                    page.wait("window.floors !== undefined")
                    page.settle()
                    page.click_on("[data-floor='1']")
                    time.sleep(1)
                    page.settle()
                    self.assertTrue(all(abs(color[0] - 220) < 25 for color in page.middle_colors()))
                    self.assertEqual(page.problems, [])
                finally:
                    page.close()

    def test_an_archive_on_the_disk_is_a_fault_that_says_so(self):
        index = json.loads((self.folder / "archives256/building.json").read_text())
        module = re.sub(r"(?m)^export ", "", (self.folder / "tilewright-tiles.js").read_text())
        page = f"<!doctype html><script>const map = {{}};{module}</script>"
        (self.folder / "archive.html").write_text(page)
        page = MapPage((self.folder / "archive.html").as_uri())
        try:
            tile = next(one for one in index["floors"][0]["limits"])
            self.assertTrue(tile)
            said = page.evaluate(
                f"""new Building({json.dumps(index)}, "archives256/building.json").floors[0].archive()
                .tile({tile[0]}, {tile[1]}, {tile[2]}).catch((error) => error.kind + ": " + error.message)"""
            )
            self.assertTrue(said.startswith("unreadable") and "web server" in said, said)
        finally:
            page.close()


if __name__ == "__main__":
    unittest.main()
