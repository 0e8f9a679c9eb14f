// A tileset as it was written into this page: the place of its tiles or archive, and its pictures on the
// map. Rows count from the north.

const hasTile = (tileset, z, x, y) => tileset.limits.some(([zoom, west, east, north, south]) =>
  zoom === z && west <= x && x <= east && north <= y && y <= south);

function address(tileset, z, x, y) {
  const row = tileset.scheme === "tms" ? 2 ** z - 1 - y : y;
  let quadkey = "";
  for (let bit = z - 1; bit >= 0; bit--) quadkey += (x >> bit & 1) | (y >> bit & 1) << 1;
  const values = { "{z}": z, "{x}": x, "{y}": row, "{-y}": 2 ** z - 1 - y, "{quadkey}": quadkey };
  return tileset.address.replace(/\{(z|x|y|-y|quadkey)\}/g, (name) => values[name]);
}

// A cache may still have the old tiles after an update; a file system does not.
const versioned = (tileset, url) =>
  tileset.version && location.protocol !== "file:" ? `${url}?v=${tileset.version}` : url;

// The difference between the map's zoom and the tiles' zoom at which a pixel of a tile is about a pixel of
// the screen. The screen may have several pixels per pixel of the page.
const zoomOffset = (tileset) => Math.round(Math.log2(tileset.tileSize / 256 / devicePixelRatio));

// The zoom of the map at which a pixel of the tiles of a zoom is one of the screen.
const exactZoom = (tileset, z) => z + Math.log2(tileset.tileSize / 256 / devicePixelRatio);

// The zoom of the tiles that a map shows at its own zoom.
function tileZoom(tileset, zoom) {
  const z = Math.round(zoom) - zoomOffset(tileset);
  return Math.min(Math.max(z, tileset.minzoom), tileset.maxzoom);
}

// The tile at a place, and the share of its edge that lies west and north of the place.
function tileAt(tileset, latlng, zoom) {
  const z = tileZoom(tileset, zoom);
  const point = L.CRS.EPSG3857.latLngToPoint(latlng, z).divideBy(256);
  const x = Math.floor(point.x), y = Math.floor(point.y), count = 2 ** z;
  return { z, x: ((x % count) + count) % count, y, right: point.x - x, down: point.y - y };
}

// The links and the text of an attribution, without any other HTML.
function credit(html) {
  const clean = document.createElement("div");
  const copy = (from, to) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent);
      else if (node.tagName === "A" && /^https?:/.test(node.href)) {
        const link = part("a", { href: node.href });
        to.append(link);
        copy(node, link);
      } else if (!/^(SCRIPT|STYLE)$/.test(node.tagName)) copy(node, to);
    }
  };
  copy(new DOMParser().parseFromString(html, "text/html").body, clean);
  return clean.innerHTML;
}

// PMTiles, version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md

const PNG_JPEG_WEBP = { 2: "image/png", 3: "image/jpeg", 4: "image/webp" };
// The header of 127 bytes and the root directory are within these bytes.
const ARCHIVE_HEAD = 16384;

class Archive {
  constructor(url) {
    this.url = url;
    this.directories = new Map();
  }

  async bytes(offset, length) {
    if (!this.whole) {
      const range = `bytes=${offset}-${offset + length - 1}`;
      const response = await fetch(this.url, { headers: { Range: range } });
      if (!response.ok) throw new Error(phrase("viewer.serverAnswers", { status: response.status }));
      const buffer = await response.arrayBuffer();
      if (response.status === 206) return buffer;
      // A server without support for ranges sends the whole file.
      this.whole = buffer;
    }
    return this.whole.slice(offset, offset + length);
  }

  async open() {
    const head = await this.bytes(0, ARCHIVE_HEAD);
    const view = new DataView(head);
    const magic = new TextDecoder().decode(head.slice(0, 7));
    if (head.byteLength < 127 || magic !== "PMTiles" || view.getUint8(7) !== 3) {
      throw new Error(phrase("viewer.noArchive"));
    }
    const number = (offset) => Number(view.getBigUint64(offset, true));
    this.leaves = number(40);
    this.data = number(56);
    this.compression = view.getUint8(97);
    this.type = PNG_JPEG_WEBP[view.getUint8(99)] ?? "image/png";
    this.root = this.directory(number(8), number(16));
  }

  ready() {
    this.opening ??= this.open();
    return this.opening;
  }

  directory(offset, length) {
    if (!this.directories.has(offset)) {
      const entries = this.bytes(offset, length).then((bytes) => this.entries(bytes));
      entries.catch(() => this.directories.delete(offset));
      this.directories.set(offset, entries);
    }
    return this.directories.get(offset);
  }

  async entries(bytes) {
    if (this.compression === 2) {
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      bytes = await new Response(stream).arrayBuffer();
    } else if (this.compression !== 1) {
      throw new Error(phrase("viewer.compressed"));
    }
    const input = new Uint8Array(bytes);
    let at = 0;
    const varint = () => {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        if (at >= input.length) throw new Error(phrase("viewer.damaged"));
        const byte = input[at++];
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
    };
    const count = varint();
    if (count > input.length) throw new Error(phrase("viewer.damaged"));
    const entries = Array.from({ length: count }, () => ({}));
    let id = 0;
    for (const entry of entries) entry.id = id += varint();
    for (const entry of entries) entry.run = varint();
    for (const entry of entries) entry.length = varint();
    entries.forEach((entry, index) => {
      const offset = varint();
      const before = entries[index - 1];
      entry.offset = offset === 0 && before ? before.offset + before.length : offset - 1;
    });
    return entries;
  }

  // The bytes of a tile, or null if there is none.
  async tile(z, x, y) {
    await this.ready();
    const id = tileID(z, x, y);
    let entries = await this.root;
    for (let depth = 0; depth < 4; depth++) {
      const entry = lastUpTo(entries, id);
      if (!entry) return null;
      if (entry.run > 0) {
        if (id >= entry.id + entry.run) return null;
        const bytes = await this.bytes(this.data + entry.offset, entry.length);
        return new Blob([bytes], { type: this.type });
      }
      entries = await this.directory(this.leaves + entry.offset, entry.length);
    }
    return null;
  }
}

// The number of a tile on the Hilbert curve of its zoom, after all tiles of lower zooms.
function tileID(z, x, y) {
  let id = (4 ** z - 1) / 3;
  for (let half = 2 ** z / 2; half >= 1; half /= 2) {
    const right = x & half ? 1 : 0, below = y & half ? 1 : 0;
    id += half * half * ((3 * right) ^ below);
    if (!below) {
      if (right) {
        x = half - 1 - (x & (half - 1));
        y = half - 1 - (y & (half - 1));
      }
      [x, y] = [y, x];
    }
  }
  return id;
}

function lastUpTo(entries, id) {
  let low = 0, high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].id <= id) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

// The pictures on the map. Without the library the page has none, and says so.

const optionsOf = (tileset) => ({
  tileSize: 256 * 2 ** zoomOffset(tileset),
  minNativeZoom: tileset.minzoom + zoomOffset(tileset),
  maxNativeZoom: tileset.maxzoom + zoomOffset(tileset),
});

const tileName = (z, x, y) => `${z}/${x}/${y}`;

// Removes what is kept for a tile, unless it is of a newer element for the same tile.
function forget(kept, tile) {
  if (kept.get(tile.dataset.tile) === tile) kept.delete(tile.dataset.tile);
}

const Pictures = typeof L === "undefined" ? null : L.GridLayer.extend({
  initialize(tileset, options) {
    L.GridLayer.prototype.initialize.call(this, {
      ...optionsOf(tileset), attribution: credit(tileset.attribution), className: "plan", ...options,
    });
    this.tileset = tileset;
    this.images = new Map();
    // The results of requests for tiles: true if a tile was loaded, false if it is missing.
    this.outcomes = new Map();
    if (tileset.archive) this.archive = new Archive(versioned(tileset, tileset.archive));
    this.on("tileunload", ({ tile }) => forget(this.images, tile));
  },

  createTile(coords, done) {
    const { x, y } = coords, z = coords.z - zoomOffset(this.tileset);
    if (hasTile(this.tileset, z, x, y)) return this.draw(z, x, y, done);
    setTimeout(done);
    return document.createElement("div");
  },

  draw(z, x, y, done) {
    const image = part("img", { alt: "" }), name = tileName(z, x, y);
    image.dataset.tile = name;
    this.images.set(name, image);
    image.onload = () => {
      if (this.archive) URL.revokeObjectURL(image.src);
      this.note(name, true);
      done(null, image);
    };
    // A missing tile is transparent.
    image.onerror = () => {
      hide(image);
      this.note(name, false);
      done(null, image);
    };
    if (this.archive) this.drawFromArchive(image, [z, x, y], done);
    else image.src = versioned(this.tileset, address(this.tileset, z, x, y));
    return image;
  },

  async drawFromArchive(image, place, done) {
    try {
      const blob = await this.archive.tile(...place);
      if (blob) image.src = URL.createObjectURL(blob);
      else image.onerror();
    } catch (error) {
      done(error, image);
      tell(phrase("viewer.cannotRead", { file: this.tileset.archive, reason: error.message }));
    }
  },

  note(name, isThere) {
    this.outcomes.set(name, isThere);
    this.fire("outcome", { name });
  },

  // Pixels are squares beyond the last zoom. Elsewhere lines would become dashes: some pixels would be wider
  // than others.
  showPixels(zoom) {
    const last = this.tileset.maxzoom + zoomOffset(this.tileset);
    this.getContainer()?.classList.toggle("enlarged", zoom - last >= 1);
  },
});
