// A tileset as it was written into this page: name, address or archive, limits of each zoom.
const tilesets = JSON.parse(element("tilesets").textContent).tilesets;

// PMTiles, version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md

const PNG_JPEG_WEBP = { 2: "image/png", 3: "image/jpeg", 4: "image/webp" };
// A header of 127 bytes and the root directory lie within these.
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
      if (!response.ok) throw new Error(`the server answers ${response.status}`);
      const buffer = await response.arrayBuffer();
      if (response.status === 206) return buffer;
      // A server that does not know ranges sends all of it.
      this.whole = buffer;
    }
    return this.whole.slice(offset, offset + length);
  }

  async open() {
    const head = await this.bytes(0, ARCHIVE_HEAD);
    const view = new DataView(head);
    const magic = new TextDecoder().decode(head.slice(0, 7));
    if (head.byteLength < 127 || magic !== "PMTiles" || view.getUint8(7) !== 3) {
      throw new Error("it is no PMTiles archive of version 3");
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
      throw new Error("its directories are compressed in a way that browsers cannot undo");
    }
    const input = new Uint8Array(bytes);
    let at = 0;
    const varint = () => {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        if (at >= input.length) throw new Error("a directory is damaged");
        const byte = input[at++];
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
    };
    const count = varint();
    if (count > input.length) throw new Error("a directory is damaged");
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

  // The bytes of a tile, or null where there is none.
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

// The number of a tile on the Hilbert curve of its zoom, behind all tiles of lower zooms.
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

// Tiles

const hasTile = (tileset, z, x, y) => tileset.limits.some(([zoom, west, east, north, south]) =>
  zoom === z && west <= x && x <= east && north <= y && y <= south);

function address(tileset, z, x, y) {
  const row = tileset.scheme === "tms" ? 2 ** z - 1 - y : y;
  let quadkey = "";
  for (let bit = z - 1; bit >= 0; bit--) quadkey += (x >> bit & 1) | (y >> bit & 1) << 1;
  const values = { "{z}": z, "{x}": x, "{y}": row, "{-y}": 2 ** z - 1 - y, "{quadkey}": quadkey };
  return tileset.address.replace(/\{(z|x|y|-y|quadkey)\}/g, (name) => values[name]);
}

// A cache on the way may still have what was there before an update; a file system has not.
const versioned = (tileset, url) =>
  tileset.version && location.protocol !== "file:" ? `${url}?v=${tileset.version}` : url;

// By how many zooms the map's count runs ahead of the tiles', so that a pixel of a tile is about a
// pixel of the screen, which has several for one of the page.
const zoomOffset = (tileset) => Math.round(Math.log2(tileset.tileSize / 256 / devicePixelRatio));

// The zoom of the map at which a pixel of the tiles of a zoom is one of the screen.
const exactZoom = (tileset, z) => z + Math.log2(tileset.tileSize / 256 / devicePixelRatio);

function start() {
  const Layer = L.GridLayer.extend({
    initialize(tileset, options) {
      const offset = zoomOffset(tileset);
      L.GridLayer.prototype.initialize.call(this, {
        tileSize: 256 * 2 ** offset,
        minNativeZoom: tileset.minzoom + offset,
        maxNativeZoom: tileset.maxzoom + offset,
        attribution: credit(tileset.attribution),
        ...options,
      });
      this.tileset = tileset;
      this.offset = offset;
      if (tileset.archive) this.archive = new Archive(versioned(tileset, tileset.archive));
    },

    createTile(coords, done) {
      const { x, y } = coords, z = coords.z - this.offset;
      if (!hasTile(this.tileset, z, x, y)) {
        setTimeout(done);
        return document.createElement("div");
      }
      return this.draw(z, x, y, done);
    },
  });

  const Picture = Layer.extend({
    draw(z, x, y, done) {
      const image = document.createElement("img");
      image.alt = "";
      image.onload = () => {
        if (this.archive) URL.revokeObjectURL(image.src);
        done(null, image);
      };
      // What is missing was transparent.
      image.onerror = () => {
        hide(image);
        done(null, image);
      };
      if (!this.archive) {
        image.src = versioned(this.tileset, address(this.tileset, z, x, y));
        return image;
      }
      this.archive.tile(z, x, y).then((blob) => {
        if (blob) image.src = URL.createObjectURL(blob);
        else image.onerror();
      }).catch((error) => {
        done(error, image);
        tell(`cannot read ${this.tileset.archive}: ${error.message}`);
      });
      return image;
    },
  });

  const Border = Layer.extend({
    draw(z, x, y, done) {
      const box = document.createElement("div");
      box.className = "border";
      const text = document.createElement("span");
      const place = `${z}/${x}/${y}`;
      const name = this.tileset.archive ? place : decoded(address(this.tileset, z, x, y));
      text.textContent = name.startsWith(place) ? name : `${place} ${name}`;
      box.append(text);
      setTimeout(done);
      return box;
    },
  });

  const highest = Math.max(...tilesets.map((one) => one.maxzoom + Math.max(0, zoomOffset(one))));
  const map = L.map("map", { maxZoom: highest + 4, fadeAnimation: false, zoomControl: true });
  creditLibrary(map);
  L.control.scale().addTo(map);
  const base = openStreetMap({ maxZoom: highest + 4, zIndex: 1 });

  let tileset, picture, border;

  function show(index) {
    tileset = tilesets[index];
    picture?.remove();
    border?.remove();
    const zooms = { maxZoom: highest + 4 };
    picture = new Picture(tileset, { ...zooms, className: "plan", zIndex: 2 }).addTo(map);
    border = new Border(tileset, { ...zooms, zIndex: 3 });
    element("title").textContent = document.title = tileset.name;
    element("description").textContent = tileset.description;
    setOpacity();
    setBorders();
  }

  const area = () => {
    const [west, south, east, north] = tileset.bounds;
    return [[south, west], [north, east]];
  };

  const setOpacity = () => picture.setOpacity(element("opacity").value / 100);
  const setBorders = () => element("borders").checked ? border.addTo(map) : border.remove();

  function setBackground() {
    const choice = element("background").value;
    element("map").classList.remove("checkerboard", "white", "black");
    if (choice === "map") base.addTo(map);
    else {
      base.remove();
      element("map").classList.add(choice);
    }
  }

  // The zoom of the tiles that are on the screen.
  const shownZoom = () => {
    const zoom = Math.round(map.getZoom()) - zoomOffset(tileset);
    return Math.min(Math.max(zoom, tileset.minzoom), tileset.maxzoom);
  };

  function showZoom() {
    const z = shownZoom(), scale = 2 ** (map.getZoom() - exactZoom(tileset, z));
    const isNative = z === tileset.maxzoom && Math.abs(scale - 1) < 1e-3;
    const size = Math.abs(scale - 1) < 1e-3 ? "1:1"
      : scale > 1 ? `enlarged ${round(scale)}×` : `shrunk to 1/${round(1 / scale)}`;
    element("zoom").textContent = `Zoom ${z}, ${isNative ? "native, " : ""}${size}`;
    element("zoom").className = isNative ? "native" : "";
    element("map").classList.toggle("enlarged", scale > 1.01);
    remember();
  }

  const round = (number) => String(Math.round(number * 100) / 100);

  // The address of the page says what is seen, so that it can be passed on.
  function remember() {
    const { lat, lng } = map.getCenter();
    const floor = tilesets.length > 1 ? `/${encodeURIComponent(tileset.label)}` : "";
    const view = `#${Number(map.getZoom().toFixed(4))}/${lat.toFixed(7)}/${lng.toFixed(7)}${floor}`;
    history.replaceState(null, "", view);
  }

  function viewOfAddress() {
    const [zoom, lat, lng, ...label] = location.hash.slice(1).split("/");
    const numbers = [zoom, lat, lng].map(parseFloat);
    if (!numbers.every(Number.isFinite)) return null;
    const name = decoded(label.join("/"));
    return { numbers, index: tilesets.findIndex((one) => one.label === name) };
  }

  function setZoom(zoom) {
    // The map rounds zooms otherwise.
    map.options.zoomSnap = 0;
    map.setZoom(zoom, { animate: false });
    map.options.zoomSnap = 1;
  }

  tilesets.forEach((one, index) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name: "floor", value: index });
    input.addEventListener("change", () => {
      show(index);
      showZoom();
    });
    label.append(input, ` ${one.label}${one.label === one.name ? "" : `: ${one.name}`}`);
    element("floors").append(label);
  });
  element("floors").hidden = tilesets.length < 2;
  element("panel").open = innerWidth > 600;
  element("panel").hidden = element("readout").hidden = false;
  element("background").addEventListener("change", setBackground);
  element("opacity").addEventListener("input", setOpacity);
  element("borders").addEventListener("change", setBorders);
  element("fit").addEventListener("click", () => map.fitBounds(area()));
  element("exact").addEventListener("click", () => setZoom(exactZoom(tileset, shownZoom())));
  map.on("zoomend moveend", showZoom);
  map.on("mousemove", (event) => {
    const { lat, lng } = event.latlng.wrap();
    element("place").textContent = `${lng.toFixed(6)}, ${lat.toFixed(6)}`;
  });

  const view = viewOfAddress();
  const ground = tilesets.findIndex((one) => one.label === "0");
  const first = view && view.index >= 0 ? view.index : Math.max(ground, 0);
  element("floors").querySelectorAll("input")[first].checked = true;
  tileset = tilesets[first];
  map.fitBounds(area());
  if (view) {
    const [zoom, lat, lng] = view.numbers;
    map.options.zoomSnap = 0;
    map.setView([lat, lng], zoom, { animate: false });
    map.options.zoomSnap = 1;
  }
  show(first);
  setBackground();
  showZoom();
}

// Links and text of an attribution, and nothing else that HTML can do.
function credit(html) {
  const clean = document.createElement("div");
  const copy = (from, to) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent);
      else if (node.tagName === "A" && /^https?:/.test(node.href)) {
        const link = document.createElement("a");
        link.href = node.href;
        to.append(link);
        copy(node, link);
      } else if (!/^(SCRIPT|STYLE)$/.test(node.tagName)) copy(node, to);
    }
  };
  copy(new DOMParser().parseFromString(html, "text/html").body, clean);
  return clean.innerHTML;
}

if (isWithoutLibrary("viewer")) {
  // Nothing can be shown.
} else if (location.protocol === "file:" && tilesets.some((one) => one.archive)) {
  tell("A browser does not let a page that was opened as a file read an archive. In its folder, "
    + "run\n\npython3 -m http.server\n\nand open http://localhost:8000/"
    + location.pathname.split("/").pop());
} else start();
