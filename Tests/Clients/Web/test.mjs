// Tests of Sources/Publishing/Clients/tilewright-tiles.js in Node 18 or later; there are no packages.
//
//   TILEWRIGHT=.build/debug/tilewright node --test Tests/Clients/Web/test.mjs

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { RangeServer, run, scratch, writePlan } from "./fixtures.mjs";

const source = new URL("../../../Sources/Publishing/Clients/tilewright-tiles.js", import.meta.url);
const folder = scratch();
// A copy with a short time-out, and a name that Node takes for a module's.
const copy = join(folder, "tilewright-tiles.mjs");
const text = readFileSync(source, "utf8");
writeFileSync(copy, text.replace("LONGEST_SILENCE = 15_000", "LONGEST_SILENCE = 2000"));
const { Building, FloorPicker, TileArchive, TileError } = await import(copy);

let server, tiles;

/** A random number generator, so that each run does the same. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

const bytesOf = async (blob) => Buffer.from(await blob.arrayBuffer());

/** The error of an action; anything but a TileError is a bug. */
async function fault(action) {
  try {
    await action();
  } catch (error) {
    assert.ok(error instanceof TileError, String(error.stack));
    return error;
  }
  return assert.fail("no error");
}

function writeManifest(name, output, more = "") {
  writeFileSync(join(folder, name), `name: Harbour Mall
output: "${output}"
${more}
zoom: 15-18
bounds: 2,48,2.01,48.005
floors:
  - {floor: B1, label: Basement, ordinal: -1, image: b1.png}
  - {floor: 0, label: Ground floor, ordinal: 0, image: 0.png, default: true}
  - {floor: 1, label: First floor, ordinal: 1, image: 1.png}
`);
}

before(async () => {
  writePlan(join(folder, "plan.png"), 2400, 1800);
  for (const [index, name] of ["b1", "0", "1"].entries()) {
    writePlan(join(folder, `${name}.png`), 800, 600, index + 1);
  }
  const options = ["--zoom", "8-21", "--format", "jpg", "--quality", "30"];
  run(folder, "plan.png", "--bounds", "2,48,2.02,48.01", "-o", "plan.pmtiles", ...options);
  run(folder, "convert", "plan.pmtiles", "plan");
  run(folder, "convert", "plan.pmtiles", "south", "--scheme", "tms", "--template", "a b/{z}_{x}_{y}.{ext}");
  run(folder, "convert", "plan.pmtiles", "keys", "--template", "{quadkey}.{ext}");
  writeManifest("building.yaml", "mall", "template: \"{floor}/{z}/{x}/{y}.{ext}\"");
  run(folder, "building.yaml");
  writeManifest("archives.yaml", "archives/{floor}.pmtiles");
  run(folder, "archives.yaml");
  server = await RangeServer.of(folder);
  const index = JSON.parse(readFileSync(join(folder, "plan/tilejson.json")));
  // Tiles that exist, spread over all zooms, and some that do not.
  const next = random(7);
  tiles = Array.from({ length: 500 }, () => {
    const zoom = 8 + Math.floor(next() * 14);
    const limits = index.tileMatrixSetLimits.find((one) => Number(one.tileMatrix) === zoom);
    const between = (low, high) => low + Math.floor(next() * (high - low + 1));
    const { minTileCol, maxTileCol, minTileRow, maxTileRow } = limits;
    return [zoom, between(minTileCol, maxTileCol), between(minTileRow, maxTileRow)];
  });
});

after(() => server.close());

beforeEach(() => {
  server.requests.length = 0;
  server.files.clear();
  Object.assign(server, { answer: () => false, hasRanges: true, hasStamps: true });
});

const open = (name, options) => TileArchive.open(`${server.address}/${name}`, options);

describe("tiles", () => {
  test("an archive and folders have the bytes that `tilewright tile` writes", async () => {
    const names = ["plan.pmtiles", "plan", "south/tilejson.json", "keys/"];
    const archives = await Promise.all(names.map((one) => open(one)));
    for (const [index, tile] of tiles.entries()) {
      // The program is slow to start: for some of the tiles it is asked, for the others their files.
      const expected = index % 10 === 0 ? run(folder, "tile", "plan.pmtiles", tile.join("/"))
        : readFileSync(join(folder, "plan", `${tile.join("/")}.jpg`));
      for (const archive of archives) {
        const blob = await archive.tile(...tile);
        assert.equal(blob.type, "image/jpeg");
        assert.ok((await bytesOf(blob)).equals(expected), tile.join("/"));
      }
    }
  });

  test("facts are those of the TileJSON", async () => {
    const [archive, plan] = [await open("plan.pmtiles"), await open("plan")];
    const json = JSON.parse(readFileSync(join(folder, "plan/tilejson.json")));
    for (const one of [archive, plan]) {
      assert.deepEqual(one.zooms, [8, 21]);
      assert.deepEqual(one.bounds.map((edge) => edge.toFixed(6)), json.bounds.map((edge) => edge.toFixed(6)));
      assert.deepEqual([one.tileSize, one.name, one.digest], [256, json.name, json.digest]);
    }
    assert.equal(plan.limits.length, 14);
  });

  test("an archive takes one request at the start, and one for each tile", async () => {
    const archive = await open("plan.pmtiles");
    assert.deepEqual(server.requests, ["/plan.pmtiles bytes=0-16383"]);
    for (const tile of tiles) await archive.tile(...tile);
    const ofLeaves = server.requests.length - 1 - tiles.length;
    assert.ok(ofLeaves > 0 && ofLeaves < 10, `${ofLeaves} requests for directories`);
    server.requests.length = 0;
    for (const tile of tiles) await archive.tile(...tile);
    assert.equal(server.requests.length, tiles.length);
  });

  test("tiles that need the same directory at the same time share its request", async () => {
    const archive = await open("plan.pmtiles"), last = tiles.filter(([zoom]) => zoom === 21);
    server.requests.length = 0;
    await Promise.all(last.map((tile) => archive.tile(...tile)));
    const ranges = server.requests.map((one) => one.split("=")[1]);
    const repeated = ranges.filter((one, index) => ranges.indexOf(one) !== index);
    const names = new Set(last.map(String));
    assert.equal(repeated.length, last.length - names.size);
  });

  test("outside the limits nothing is requested", async () => {
    const plan = await open("plan"), archive = await open("plan.pmtiles");
    server.requests.length = 0;
    const outside = [
      [7, 64, 44], [22, 0, 0], [31, 0, 0], [21, 0, 0], [10, -1, 5], [10, 5, 1024], [10, 1024, 5],
      [10.5, 1, 1], [NaN, 1, 1], [10, 1, undefined],
    ];
    for (const tile of outside) assert.equal(await plan.tile(...tile), null);
    assert.deepEqual(server.requests, []);
    for (const tile of outside) assert.equal(await archive.tile(...tile), null);
  });

  test("versions are in the addresses, so that caches keep tiles until they change", async () => {
    const plan = await open("plan"), { digest } = plan;
    assert.equal(plan.address(8, 129, 88), `${server.address}/plan/8/129/88.jpg?v=${digest.slice(0, 8)}`);
    assert.equal(plan.address(8, 0, 0), null);
  });
});

describe("states", () => {
  const tile = [8, 129, 88];

  for (const [status, kind] of [
    [401, "denied"], [403, "denied"], [408, "notNow"], [429, "notNow"], [500, "notNow"], [503, "notNow"],
    [418, "unreadable"],
  ]) {
    test(`status ${status} is ${kind}`, async () => {
      for (const name of ["plan", "plan.pmtiles"]) {
        const faults = [];
        const archive = await open(name, { onFault: (error) => faults.push(error.kind) });
        server.answer = (request, response) => Boolean(response.writeHead(status).end("no"));
        for (let i = 0; i < 3; i++) {
          const error = await fault(() => archive.tile(...tile));
          assert.equal(error.kind, kind);
          assert.equal(error.isFault, kind !== "notNow");
        }
        // It is said once, but asked each time.
        assert.deepEqual(faults, kind === "notNow" ? [] : [kind]);
        server.answer = () => false;
        assert.ok(await archive.tile(...tile));
        assert.equal((await fault(() => {
          server.answer = (request, response) => Boolean(response.writeHead(status).end("no"));
          return open(name);
        })).kind, kind);
        server.answer = () => false;
      }
    });
  }

  for (const status of [404, 410, 204, 200]) {
    test(`status ${status} without a body: the folder has no such tile`, async () => {
      const plan = await open("plan");
      server.answer = (request, response) => Boolean(response.writeHead(status).end());
      assert.equal(await plan.tile(...tile), null);
    });
  }

  test("an archive or a TileJSON that is missing is a fault", async () => {
    for (const name of ["none.pmtiles", "none", "none/tilejson.json"]) {
      assert.equal((await fault(() => open(name))).kind, "missing");
    }
  });

  test("redirects are followed", async () => {
    server.answer = (request, response, path) => path.startsWith("/moved/")
      && Boolean(response.writeHead(302, { Location: request.url.replace("/moved", "") }).end());
    for (const name of ["moved/plan", "moved/plan.pmtiles"]) {
      assert.ok(await (await open(name)).tile(...tile));
    }
  });

  test("a page instead of a picture is a fault", async () => {
    for (const name of ["plan", "plan.pmtiles"]) {
      const faults = [];
      const archive = await open(name, { onFault: (error) => faults.push(error.kind) });
      server.answer = (request, response) => Boolean(response.writeHead(
        request.headers.range ? 206 : 200, { "Content-Type": "text/html" }).end("<!doctype html>Log in!"));
      await fault(() => archive.tile(...tile));
      await fault(() => archive.tile(...tile));
      // An archive seems to have been replaced.
      assert.deepEqual(faults, [name === "plan" ? "noPicture" : "unreadable"]);
      server.answer = () => false;
    }
  });

  test("a server that is silent, or cuts its answer off, is a fault that heals", async () => {
    for (const name of ["plan", "plan.pmtiles"]) {
      const archive = await open(name);
      const answers = [
        () => true,
        (request, response) => response.writeHead(request.headers.range ? 206 : 200).write("\xff\xd8\xff"),
        (request, response) => {
          response.writeHead(request.headers.range ? 206 : 200, { "Content-Length": 5000 });
          response.write("\xff\xd8\xff");
          return setTimeout(() => response.destroy(), 50);
        },
        (request) => !request.socket.destroy() || true,
      ];
      for (const answer of answers) {
        server.answer = (...all) => Boolean(answer(...all));
        assert.equal((await fault(() => archive.tile(...tile))).kind, "notNow");
      }
      server.answer = () => false;
      assert.ok(await archive.tile(...tile));
    }
  });

  test("a slow answer is not a silent one", async () => {
    const plan = await open("plan"), bytes = readFileSync(join(folder, "plan", `${tile.join("/")}.jpg`));
    server.answer = (request, response) => {
      const parts = [0, 500, 1000, 1500].map((start) => bytes.subarray(start, start + 500));
      parts.forEach((part, index) => setTimeout(() => response.write(part), index * 700));
      setTimeout(() => response.end(bytes.subarray(2000)), 2800);
      return true;
    };
    assert.ok((await bytesOf(await plan.tile(...tile))).equals(bytes));
  });

  test("a request can be cancelled, and a directory that others wait for is not", async () => {
    const archive = await open("plan.pmtiles"), stop = new AbortController();
    const last = tiles.find(([zoom]) => zoom === 21);
    const both = [archive.tile(...last, { signal: stop.signal }), archive.tile(...last)];
    stop.abort();
    assert.equal((await fault(() => both[0])).kind, "notNow");
    assert.ok(await both[1]);
    assert.equal((await fault(() => archive.tile(...last, { signal: stop.signal }))).kind, "notNow");
  });

  test("without a network, later requests ask again", async () => {
    const other = await RangeServer.of(folder), { port } = other.http.address();
    const addresses = ["plan", "plan.pmtiles"].map((one) => `${other.address}/${one}`);
    const archives = await Promise.all(addresses.map((one) => TileArchive.open(one)));
    other.close();
    for (const archive of archives) assert.equal((await fault(() => archive.tile(...tile))).kind, "notNow");
    other.http.listen(port, "127.0.0.1");
    for (const archive of archives) assert.ok(await archive.tile(...tile));
    other.close();
  });

  test("a server without ranges is a fault, and its answer is not read", async () => {
    server.hasRanges = false;
    assert.equal((await fault(() => open("plan.pmtiles"))).kind, "unreadable");
    const archive = await open("plan.pmtiles", { takesWhole: true });
    server.requests.length = 0;
    for (const one of tiles.slice(0, 50)) assert.ok(await archive.tile(...one));
    assert.deepEqual(server.requests, []);
  });
});

describe("an archive that is replaced", () => {
  for (const hasStamps of [true, false]) {
    test(`is opened again, ${hasStamps ? "by its ETag" : "by its length"}`, async () => {
      server.hasStamps = hasStamps;
      const archive = await open("plan.pmtiles"), small = readFileSync(join(folder, "archives/0.pmtiles"));
      const { limits } = JSON.parse(readFileSync(join(folder, "archives/building.json"))).floors[1];
      server.files.set("/plan.pmtiles", small);
      const other = await open("archives/0.pmtiles");
      server.requests.length = 0;
      for (const [zoom, west, north] of [...limits].reverse()) {
        const [one, two] = [await archive.tile(zoom, west, north), await other.tile(zoom, west, north)];
        assert.ok((await bytesOf(one)).equals(await bytesOf(two)));
      }
      assert.ok(server.requests.filter((one) => one === "/plan.pmtiles bytes=0-16383").length === 1);
    });
  }

  test("again and again is not now, and ends", async () => {
    const archive = await open("plan.pmtiles");
    let count = 0;
    server.answer = (request, response) => {
      response.setHeader("ETag", `"${count++}"`);
      return false;
    };
    server.hasStamps = false;
    assert.equal((await fault(() => archive.tile(8, 129, 88))).kind, "notNow");
    assert.ok(count < 5);
  });
});

describe("damaged archives", () => {
  const asked = [[8, 129, 88], [15, 16566, 11364], [21, 1060225, 727850], [0, 0, 0], [21, 2 ** 21 - 1, 0]];

  async function tryAll(bytes) {
    server.files.set("/damaged.pmtiles", bytes);
    let archive;
    try {
      archive = await open("damaged.pmtiles");
    } catch (error) {
      assert.ok(error instanceof TileError, String(error.stack));
      return "fault";
    }
    for (const tile of asked) {
      try {
        const blob = await archive.tile(...tile);
        assert.ok(blob === null || blob.type.startsWith("image/"));
      } catch (error) {
        assert.ok(error instanceof TileError, String(error.stack));
      }
    }
    return "open";
  }

  test("cut short", async () => {
    const bytes = readFileSync(join(folder, "plan.pmtiles"));
    const lengths = [0, 1, 7, 8, 100, 126, 127, 128, 200, 394, 1000, 16383, 16384, 16385, 20000, 1e5, 1e7];
    for (const length of lengths) {
      assert.equal(await tryAll(bytes.subarray(0, length)), "fault");
    }
  });

  test("random bytes in the header and the directories", async () => {
    const original = readFileSync(join(folder, "plan.pmtiles")), next = random(3);
    const counts = { fault: 0, open: 0 };
    for (let round = 0; round < 400; round++) {
      const end = round % 2 ? 127 : 23545;
      const places = Array.from({ length: 1 + round % 4 }, () => Math.floor(next() * end));
      const before = places.map((place) => original[place]);
      for (const place of places) original[place] = Math.floor(next() * 256);
      counts[await tryAll(original)]++;
      places.forEach((place, index) => { original[place] = before[index]; });
    }
    assert.ok(counts.fault > 50 && counts.open > 50, JSON.stringify(counts));
  });

  test("directories without compression, with random bytes", async () => {
    const next = random(5);
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.alloc(2000);
      for (let i = 127; i < bytes.length; i++) bytes[i] = Math.floor(next() * (next() < 0.3 ? 256 : 8));
      bytes.write("PMTiles\x03", "latin1");
      const sections = { 8: 127, 16: 200, 24: 127, 32: 0, 40: 400, 48: 600, 56: 1000, 64: 1000 };
      for (const [at, value] of Object.entries(sections).map((one) => one.map(Number))) {
        bytes.writeBigUInt64LE(BigInt(value), at);
      }
      [bytes[97], bytes[100], bytes[101]] = [1, 0, 25];
      await tryAll(bytes);
    }
  });

  test("a directory that unpacks to very much is not unpacked", async () => {
    const { gzipSync } = await import("node:zlib");
    const bomb = gzipSync(Buffer.alloc(64 << 20), { level: 9 });
    const bytes = Buffer.alloc(400 + bomb.length);
    bytes.write("PMTiles\x03", "latin1");
    // The root directory has one entry: a leaf.
    const leaf = [...Buffer.from([1, 0, 0])];
    let length = bomb.length;
    for (; length > 127; length = Math.floor(length / 128)) leaf.push(length % 128 + 128);
    const directory = gzipSync(Buffer.from([...leaf, length, 1]));
    directory.copy(bytes, 127);
    bomb.copy(bytes, 400);
    for (const [at, value] of [
      [8, 127], [16, directory.length], [24, 127], [32, 0], [40, 400], [48, bomb.length], [56, 400], [64, 0],
    ]) bytes.writeBigUInt64LE(BigInt(value), at);
    [bytes[97], bytes[100], bytes[101]] = [2, 0, 25];
    server.files.set("/bomb.pmtiles", bytes);
    const archive = await open("bomb.pmtiles");
    assert.equal((await fault(() => archive.tile(0, 0, 0))).kind, "unreadable");
  });
});

describe("buildings", () => {
  const address = () => `${server.address}/mall/building.json`;
  const index = (name = "mall") => JSON.parse(readFileSync(join(folder, name, "building.json")));

  /** Copies in memory. */
  function memory() {
    const texts = new Map();
    return { texts, get: (url) => texts.get(url), set: (url, one) => { texts.set(url, one); } };
  }

  test("have their floors from the lowest, in folders or archives", async () => {
    for (const name of ["mall", "archives"]) {
      const building = await Building.open(`${server.address}/${name}/building.json`, { copies: null });
      assert.equal(building.name, "Harbour Mall");
      assert.equal(building.source, "fresh");
      const said = building.floors.map(({ name: floor, label, shortName, ordinal, isDefault }) =>
        [floor, label, shortName, ordinal, isDefault]);
      assert.deepEqual(said, [
        ["B1", "Basement", "B1", -1, false], ["0", "Ground floor", "0", 0, true],
        ["1", "First floor", "1", 1, false],
      ]);
      assert.equal(building.defaultFloor.name, "0");
      assert.deepEqual(building.zooms, [Math.max(...building.floors.map((one) => one.zooms[0])), 18]);
      for (const floor of building.floors) {
        const archive = floor.archive();
        const source = name === "mall" ? ["mall", "--floor", floor.name] : [`archives/${floor.name}.pmtiles`];
        for (const [zoom, west, north] of floor.limits) {
          const [input, ...options] = source;
          const expected = run(folder, "tile", input, `${zoom}/${west}/${north}`, ...options);
          assert.ok((await bytesOf(await archive.tile(zoom, west, north))).equals(expected));
        }
      }
    }
  });

  test("the last copy is used, then the one inside", async () => {
    const copies = memory(), faults = [];
    const options = { copies, onFault: (error) => faults.push(error.kind) };
    const failing = [
      [(request, response) => response.writeHead(503).end(), "notNow"],
      [(request, response) => response.writeHead(403).end(), "denied"],
      [(request, response) => response.writeHead(404).end(), "missing"],
      [(request, response) => response.end("<!doctype html>"), "unreadable"],
      [(request, response) => response.end('{"version": 2}'), "unreadable"],
      [(request, response) => response.end('{"version": 1, "floors": [{}]}'), "unreadable"],
      [(request) => !request.socket.destroy() || true, "notNow"],
    ];
    const fail = (answer) => { server.answer = (...all) => Boolean(answer(...all)) || true; };
    for (const [answer, kind] of failing) {
      fail(answer);
      assert.equal((await fault(() => Building.open(address(), options))).kind, kind);
    }
    const inside = new Building(index(), address());
    assert.equal((await Building.open(address(), { ...options, inside })).source, "inside");
    server.answer = () => false;
    const fresh = await Building.open(address(), options);
    assert.equal(fresh.source, "fresh");
    for (const [answer] of failing) {
      fail(answer);
      const copy = await Building.open(address(), { ...options, inside });
      assert.equal(copy.source, "copy");
      assert.deepEqual(JSON.stringify(copy.floors), JSON.stringify(fresh.floors));
      assert.equal((await fresh.reload()).source, "copy");
    }
    copies.texts.set(address(), "{ damaged");
    assert.equal((await Building.open(address(), { ...options, inside })).source, "inside");
    assert.deepEqual([...new Set(faults)].sort(), ["denied", "missing", "unreadable"]);
  });

  test("copies that fail are as good as none", async () => {
    const broken = { get: () => { throw new Error("no"); }, set: async () => { throw new Error("full"); } };
    assert.equal((await Building.open(address(), { copies: broken })).source, "fresh");
    server.answer = (request, response) => Boolean(response.writeHead(500).end());
    assert.equal((await fault(() => Building.open(address(), { copies: broken }))).kind, "notNow");
    assert.equal((await fault(() => Building.open(address()))).kind, "notNow");
  });

  test("names that leave the folder are refused", () => {
    const bad = [
      "../x.pmtiles", "/x.pmtiles", "a/../../x.pmtiles", "https://a.org/x.pmtiles", "//a.org/x",
      "file:///etc/passwd", "data:,x", "..\\x", "%2e%2e/x", "..%2fx", "\\\\a\\x", "javascript:x", "C:\\x", 7,
      null, "\t/x", "ht\ntps://a.org/x",
    ];
    const change = (name, members) => {
      const json = index(name);
      Object.assign(json.floors[0], members);
      return () => new Building(json, address());
    };
    for (const name of bad) {
      assert.throws(change("archives", { archive: name }), TileError, `archive ${name}`);
      assert.throws(change("mall", { tilejson: name }), TileError, `tilejson ${name}`);
      if (!/^https:/.test(name)) assert.throws(change("mall", { tiles: name }), TileError, `tiles ${name}`);
    }
    change("mall", { tiles: "https://a.org/{z}/{x}/{y}.png" })();
    change("archives", { archive: "B1%20b.pmtiles" })();
    assert.ok(change("mall", { unknown: 1 })().floors.length === 3);
  });

  test("damaged members are refused", () => {
    const next = random(9), values = [null, -1, 1e9, "x", [], {}, [1], true, NaN, [[1, 2]]];
    for (let round = 0; round < 500; round++) {
      const json = index(), floor = json.floors[Math.floor(next() * 3)];
      const owner = next() < 0.3 ? json : floor, names = Object.keys(owner);
      owner[names[Math.floor(next() * names.length)]] = values[Math.floor(next() * values.length)];
      try {
        const building = new Building(json, address());
        for (const one of building.floors) one.archive().address(15, 16565, 11364);
        building.zooms.map(Number);
      } catch (error) {
        assert.ok(error instanceof TileError, String(error.stack));
      }
    }
  });
});

describe("floors", () => {
  class Recorder extends FloorPicker {
    said = [];
    waiting = new Map();
    addLayer(floor) { this.said.push(`add ${floor.name}`); return floor.name; }
    whenLoaded(layer) { return new Promise((done) => { this.waiting.set(layer, done); }); }
    showLayer(layer) { this.said.push(`show ${layer}`); }
    removeLayer(layer) { this.said.push(`remove ${layer}`); }
  }
  const soon = () => new Promise((done) => { setTimeout(done, 5); });

  test("the next one is there before the last one goes", async () => {
    const building = await Building.open(`${server.address}/mall/building.json`);
    const picker = new Recorder(building), changes = [];
    picker.onchange = ({ name }) => changes.push(name);
    await picker.redraw();
    assert.deepEqual(picker.said.splice(0), ["add 0", "show 0"]);
    picker.show("1");
    await soon();
    assert.deepEqual(picker.said.splice(0), ["add 1"]);
    picker.waiting.get("1")();
    await soon();
    assert.deepEqual(picker.said.splice(0), ["show 1", "remove 0"]);
    // Another one, before the one before has come.
    picker.show("0");
    picker.show("B1");
    picker.waiting.get("0")();
    picker.waiting.get("B1")();
    await soon();
    assert.deepEqual(picker.said.splice(0), ["add 0", "remove 0", "add B1", "show B1", "remove 1"]);
    assert.deepEqual(changes, ["1", "0", "B1"]);
    picker.show("B1");
    assert.throws(() => picker.show("9"), RangeError);
    await picker.reload();
    assert.deepEqual(picker.said.splice(0), []);
    picker.remove();
    assert.deepEqual(picker.said.splice(0), ["remove B1"]);
  });

  test("a floor that changed is shown again", async () => {
    const picker = new Recorder(await Building.open(`${server.address}/mall/building.json`));
    await picker.redraw();
    const json = JSON.parse(readFileSync(join(folder, "mall/building.json")));
    json.floors[1].digest = "0123456789abcdef";
    server.files.set("/mall/building.json", Buffer.from(JSON.stringify(json)));
    picker.said.length = 0;
    await picker.reload();
    assert.deepEqual(picker.said.splice(0), ["add 0"]);
    assert.match(picker.floor.archive().address(...picker.floor.limits[0].slice(0, 3)), /\?v=01234567$/);
    picker.remove();
  });
});

describe("the module as a script in a page", () => {
  test("has `export` only at the beginnings of lines, and no other words of modules", () => {
    const lines = readFileSync(source, "utf8").split("\n");
    const exported = lines.filter((line) => /^export (class|function|async function|const) /.test(line));
    assert.ok(exported.length >= 4);
    assert.ok(lines.every((line) => !/^\s*import\b|^export default|^await\b/.test(line)));
    // Also strict, as in the pages.
    new Function(`"use strict";${lines.map((line) => line.replace(/^export /, "")).join("\n")}`);
  });

  test("has names that no script of our pages has", () => {
    const start = /^(?:export )?(?:const|let|class|(?:async )?function)\s+([\w$]+)/gm;
    const names = (code) => [...code.matchAll(start)].map((match) => match[1]);
    const pages = new URL("../../../Sources/Publishing/Pages/", import.meta.url);
    const files = readdirSync(pages, { recursive: true }).map(String).filter((one) => one.endsWith(".js"));
    assert.ok(files.length > 10);
    const ours = new Set(names(readFileSync(source, "utf8")));
    for (const file of files) {
      const common = names(readFileSync(new URL(file, pages), "utf8")).filter((one) => ours.has(one));
      assert.deepEqual(common, [], file);
    }
  });
});
