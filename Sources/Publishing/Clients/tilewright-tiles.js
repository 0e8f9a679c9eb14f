// Reads the tiles that tilewright makes: those of a plan (`TileArchive`), and the floors of a building
// (`Building`). `FloorPicker` switches floors on a map. For browsers since 2023 and Node 18, without
// dependencies. Columns of tiles count from the west, rows from the north.

/** Milliseconds without a byte after which a request has failed. */
const LONGEST_SILENCE = 15_000;
/** Milliseconds after which the next floor replaces the last one, even if it is not complete. */
const LONGEST_SWITCH = 5_000;
/** An archive's header and its first directory are within these bytes. */
const ARCHIVE_START = 16_384;
const MAX_DOCUMENT = 16 << 20, MAX_TILE = 64 << 20;

/**
 * Why there is no answer. `kind` is "notNow" (no network, a busy server), or a fault that does not end by
 * itself: "denied" (status 401 or 403), "missing" (no such archive or document), "unreadable" (damaged, or of
 * another kind or version), "noPicture" (such as the login page of a wireless network).
 */
export class TileError extends Error {
  constructor(kind, message, options) {
    super(message, options);
    Object.assign(this, { name: "TileError", kind, status: options?.status });
  }

  get isFault() { return this.kind !== "notNow"; }
}

const unreadableError = (url, reason) => new TileError("unreadable", `cannot read ${url}: ${reason}`);

function statusError(url, status) {
  const kind = [401, 403].includes(status) ? "denied" : [404, 410].includes(status) ? "missing"
    : [408, 429].includes(status) || status >= 500 ? "notNow" : "unreadable";
  return new TileError(kind, `cannot read ${url}: the server answers with status ${status}`, { status });
}

/** When the last byte of any request came: a browser lets some requests wait for others. */
let lastByteTime = 0;

async function bytesOf(stream, limit) {
  const parts = [], reader = stream.getReader();
  for (let length = 0; length <= limit;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    lastByteTime = Date.now();
    parts.push(value);
    length += value.length;
  }
  reader.cancel().catch(() => {});
  throw new RangeError(`it has more than ${limit} bytes`);
}

/**
 * The bytes at an address, or a range of them: offset and length. A server that does not support ranges sends
 * the whole file, which is read only if `takesWhole`.
 */
async function get(url, { range, limit = range?.[1], takesWhole, signal, cache }) {
  const stop = new AbortController(), cancel = () => stop.abort(), start = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - Math.max(start, lastByteTime) > LONGEST_SILENCE) cancel();
  }, 500);
  signal?.addEventListener("abort", cancel);
  try {
    signal?.throwIfAborted();
    const headers = range ? { Range: `bytes=${range[0]}-${range[0] + range[1] - 1}` } : {};
    const response = await fetch(url, { headers, cache, signal: stop.signal });
    if (!response.ok) throw statusError(url, response.status);
    const isWhole = range !== undefined && response.status !== 206;
    if (isWhole && !takesWhole) throw unreadableError(url, "the server does not support range requests");
    const bytes = await bytesOf(response.body ?? new Blob().stream(), isWhole ? Infinity : limit);
    return { bytes, isWhole, headers: response.headers };
  } catch (cause) {
    if (cause instanceof TileError) throw cause;
    if (cause instanceof RangeError) throw unreadableError(url, cause.message);
    throw new TileError("notNow", `cannot read ${url}: ${cause.message}`, { cause });
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

const textOf = (bytes) => new TextDecoder().decode(bytes);

function parsed(text, url) {
  try {
    const json = JSON.parse(text);
    if (json && typeof json === "object") return json;
  } catch { /* HTML, for example. */ }
  throw unreadableError(url, "it is not a JSON object");
}

/** A PMTiles archive: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */
class PMTiles {
  #takesWhole; #whole; #opened;
  #cache = "default";

  constructor(url, takesWhole) {
    this.url = url;
    this.#takesWhole = takesWhole;
  }

  /** Facts from the header and the metadata, which take another request if they are large. */
  async facts() {
    const head = await this.#head(), [offset, length] = head.metadata;
    if (length > MAX_DOCUMENT) throw this.#damaged();
    const bytes = length > 0 && await this.#unpacked(head, await this.#read(head, offset, length));
    const json = bytes ? parsed(textOf(bytes), this.url) : {};
    return { ...json, minzoom: head.zooms[0], maxzoom: head.zooms[1], bounds: head.bounds };
  }

  /** The bytes of a tile, or null. An archive that was replaced is opened again, once. */
  async tile(zoom, column, row, signal) {
    for (let attempt = 0; attempt < 2; attempt++) {
      const opened = this.#head(), head = await opened;
      if (zoom < head.zooms[0] || zoom > head.zooms[1]) return null;
      try {
        return await this.#find(head, tileNumber(zoom, column, row), signal);
      } catch (error) {
        if (error.kind !== "replaced") throw error;
      }
      if (this.#opened === opened) this.#opened = undefined;
      // The browser's cache may have parts of the old archive.
      this.#cache = "reload";
    }
    throw new TileError("notNow", `cannot read ${this.url}: it is being replaced`);
  }

  #damaged() { return unreadableError(this.url, "a directory is damaged"); }

  #head() {
    return this.#opened ??= this.#open().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
  }

  async #open() {
    const head = { leaves: new Map(), size: this.#whole?.length ?? Number.MAX_SAFE_INTEGER };
    const start = await this.#read(head, 0, ARCHIVE_START);
    if (start.length < 127 || textOf(start.subarray(0, 8)) !== "PMTiles\x03") {
      throw unreadableError(this.url, "it is not a PMTiles archive of version 3");
    }
    head.kept = start;
    const view = new DataView(start.buffer), degrees = (at) => view.getInt32(at, true) / 1e7;
    const section = (at) => [at, at + 8].map((one) => Number(view.getBigUint64(one, true)));
    const [root, metadata, leafSection, data] = [8, 24, 40, 56].map(section);
    if ([root, metadata, leafSection, data].some(([offset, length]) => offset + length > head.size)) {
      throw unreadableError(this.url, "it is cut short");
    }
    if (root[0] + root[1] > start.length) throw this.#damaged();
    const [west, south, east, north] = [102, 106, 110, 114].map(degrees);
    Object.assign(head, {
      metadata, leafSection, data, compression: start[97], zooms: [start[100], start[101]],
      bounds: [west, south, east < west ? east + 360 : east, north],
    });
    head.root = await this.#directory(head, await this.#read(head, ...root));
    return head;
  }

  async #find(head, number, signal) {
    let directory = head.root;
    for (let depth = 0; depth < 4; depth++) {
      const index = directory.numbers.findLastIndex((one) => one <= number);
      if (index < 0) return null;
      const run = directory.runs[index], offset = directory.offsets[index], length = directory.lengths[index];
      if (run > 0 && number >= directory.numbers[index] + run) return null;
      const [start, size] = run > 0 ? head.data : head.leafSection, most = run > 0 ? MAX_TILE : MAX_DOCUMENT;
      if (length < 1 || length > most || offset < 0 || offset + length > size) throw this.#damaged();
      if (run > 0) return this.#read(head, start + offset, length, signal);
      directory = await this.#leaf(head, start + offset, length);
    }
    throw this.#damaged();
  }

  /** A directory, which is kept. Tiles that need it at the same time share one request. */
  #leaf(head, offset, length) {
    if (!head.leaves.has(offset)) {
      const leaf = this.#read(head, offset, length).then((bytes) => this.#directory(head, bytes));
      leaf.catch(() => head.leaves.delete(offset));
      head.leaves.set(offset, leaf);
    }
    return head.leaves.get(offset);
  }

  /** A part of the file; only the start may be shorter. */
  async #read(head, offset, length, signal) {
    const end = offset + length;
    const kept = this.#whole ?? (end <= head.kept?.length ? head.kept : null);
    const bytes = kept?.subarray(offset, end) ?? await this.#request(head, offset, length, signal);
    if (bytes.length < length && offset > 0) throw unreadableError(this.url, "it is cut short");
    return bytes;
  }

  async #request(head, offset, length, signal) {
    if (this.url.startsWith("file:")) {
      throw unreadableError(this.url, "a page on the disk cannot read it; start a web server in its folder");
    }
    const options = { range: [offset, length], takesWhole: this.#takesWhole, cache: this.#cache, signal };
    const { bytes, isWhole, headers } = await get(this.url, options).catch((error) => {
      throw error.status === 416 && head.stamp ? new TileError("replaced") : error;
    });
    const size = isWhole ? bytes.length : /\/(\d+)$/.exec(headers.get("content-range"))?.[1];
    const stamp = `${headers.get("etag") ?? headers.get("last-modified")} ${size}`;
    head.stamp ??= stamp;
    if (stamp !== head.stamp) throw new TileError("replaced");
    if (size) head.size = Number(size);
    if (isWhole) this.#whole = bytes;
    return isWhole ? bytes.subarray(offset, offset + length) : bytes;
  }

  async #unpacked({ compression }, bytes) {
    if (compression === 1) return bytes;
    if (compression !== 2) throw unreadableError(this.url, "its compression is unknown");
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return bytesOf(stream, MAX_DOCUMENT).catch(() => { throw this.#damaged(); });
  }

  async #directory(head, packed) {
    const input = await this.#unpacked(head, packed);
    let at = 0;
    const next = () => {
      for (let value = 0, factor = 1; at < input.length && factor < 2 ** 53; factor *= 128) {
        const byte = input[at++];
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
      throw this.#damaged();
    };
    // An entry has at least four bytes.
    const count = next();
    if (count > input.length / 4) throw this.#damaged();
    const [numbers, runs, lengths, offsets] = Array.from({ length: 4 }, () =>
      Float64Array.from({ length: count }, next));
    for (let i = 0; i < count; i++) {
      if (i > 0) numbers[i] += numbers[i - 1];
      offsets[i] = offsets[i] === 0 && i > 0 ? offsets[i - 1] + lengths[i - 1] : offsets[i] - 1;
    }
    return { numbers, runs, lengths, offsets };
  }
}

/** The number of a tile on the Hilbert curve of its zoom, after all tiles of lower zooms. */
function tileNumber(zoom, column, row) {
  let number = (4 ** zoom - 1) / 3, x = column, y = row;
  for (let half = 2 ** zoom / 2; half >= 1; half /= 2) {
    const right = x & half ? 1 : 0, below = y & half ? 1 : 0;
    number += half * half * ((3 * right) ^ below);
    x &= half - 1;
    y &= half - 1;
    if (!below) [x, y] = right ? [half - 1 - y, half - 1 - x] : [y, x];
  }
  return number;
}

/** The media type of a picture by its first bytes. */
function pictureType(bytes) {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const starts = {
    png: /^\x89PNG\r\n/, jpeg: /^\xff\xd8\xff/, webp: /^RIFF....WEBP/s, gif: /^GIF8/,
    avif: /^....ftypavi[fs]/s,
  };
  const name = Object.keys(starts).find((one) => starts[one].test(start));
  return name && `image/${name}`;
}

/** The address of a tile: `{z}`, `{x}`, `{y}`, `{-y}` and `{quadkey}` are replaced. */
function tileAddress(template, scheme, zoom, column, row) {
  const fromSouth = 2 ** zoom - 1 - row;
  let quadkey = "";
  for (let bit = zoom - 1; bit >= 0; bit--) quadkey += (column >> bit & 1) | (row >> bit & 1) << 1;
  const values = { z: zoom, x: column, y: scheme === "tms" ? fromSouth : row, "-y": fromSouth, quadkey };
  return template.replace(/\{(z|x|-?y|quadkey)\}/g, (_, name) => values[name]);
}

const areNumbers = (list, count, test = Number.isFinite) =>
  Array.isArray(list) && list.length === count && list.every(test);

/** The facts in a received document: a TileJSON, or a floor in building.json. */
function factsOf(json, url) {
  const { minzoom, maxzoom, bounds = [-180, -85.051129, 180, 85.051129], tileSize = 256 } = json;
  const limits = json.limits ?? json.tileMatrixSetLimits?.map((one) =>
    [Number(one.tileMatrix), one.minTileCol, one.minTileRow, one.maxTileCol, one.maxTileRow]) ?? [];
  const areSound = areNumbers([minzoom, maxzoom, tileSize], 3, Number.isInteger) && minzoom >= 0
    && maxzoom >= minzoom && maxzoom <= 30 && tileSize > 0 && tileSize <= 4096 && areNumbers(bounds, 4)
    && Array.isArray(limits) && limits.every((one) => areNumbers(one, 5));
  if (!areSound) throw unreadableError(url, "its zooms, bounds, limits or tile size are damaged");
  const text = (name) => String(json[name] ?? "");
  const [format, attribution, digest] = ["format", "attribution", "digest"].map(text);
  return { zooms: [minzoom, maxzoom], bounds, tileSize, limits, format, attribution, digest };
}

/** Checks the name of a file in a received document: the file is in the document's folder. */
function checkName(name, url) {
  const isRelative = typeof name === "string" && !/^\/|^[a-z][a-z0-9+.-]*:|\\|%2f|%5c/i.test(name);
  if (isRelative && new URL(name, url).href.startsWith(new URL(".", url).href)) return;
  throw unreadableError(url, `it names '${name}', which is not in its folder`);
}

const checkTiles = (template, url) => /^https?:\/\//i.test(template) || checkName(template, url);

/** An address, which may be relative to the page's. */
const absolute = (address) => new URL(address, globalThis.document?.baseURI);

/** The tiles of a plan or a floor: a folder or a PMTiles archive. */
export class TileArchive {
  #base; #file; #template; #scheme;
  #told = new Set();
  #ancestors = new Map();

  /**
   * Uses facts that are known, and reads nothing yet.
   *
   * @param json the members of a TileJSON, or of a floor in building.json: minzoom, maxzoom, tileSize, limits
   *   (zoom, first column, first row, last column, last row) and more; and `tiles` or `archive`, an address.
   * @param base the address that the tiles' address is relative to.
   * @param options `onFault` is called with a `TileError`, once for each kind.
   */
  constructor(json, base = "", { onFault = () => {}, takesWhole = false } = {}) {
    this.#base = absolute(base).href;
    Object.assign(this, { name: String(json.name ?? ""), onFault }, factsOf(json, this.#base));
    [this.#template, this.#scheme] = [[json.tiles].flat()[0], json.scheme];
    if (json.archive) this.#file = new PMTiles(this.#versioned(json.archive), takesWhole);
  }

  /** Opens a .pmtiles file, or a folder by its address or by that of its TileJSON. */
  static async open(address, options = {}) {
    const url = absolute(address);
    if (/\.pmtiles$/i.test(url.pathname)) {
      const file = new PMTiles(url.href, options.takesWhole);
      const archive = new TileArchive({ ...await file.facts(), limits: [] }, url, options);
      archive.#file = file;
      return archive;
    }
    if (!/\.json$/i.test(url.pathname)) url.pathname = url.pathname.replace(/\/?$/, "/tilejson.json");
    const { bytes } = await get(url.href, { cache: "no-cache", limit: MAX_DOCUMENT });
    const json = parsed(textOf(bytes), url);
    checkTiles([json.tiles].flat()[0], url);
    return new TileArchive(json, url, options);
  }

  /** Whether there may be such a tile; otherwise it is not requested. */
  has(zoom, column, row) {
    const areCounts = [zoom, column, row].every((one) => Number.isInteger(one) && one >= 0);
    if (!areCounts || zoom > 30 || Math.max(column, row) >= 2 ** zoom) return false;
    // Without limits an archive says itself what it has: it may be replaced.
    const [first, last] = this.zooms;
    if (this.limits.length === 0) return this.#file !== undefined || (first <= zoom && zoom <= last);
    return this.limits.some(([z, west, north, east, south]) =>
      z === zoom && west <= column && column <= east && north <= row && row <= south);
  }

  /** The address of a tile's file in a folder; null if there is none. */
  address(zoom, column, row) {
    if (this.#file || !this.has(zoom, column, row)) return null;
    return this.#versioned(tileAddress(this.#template, this.#scheme, zoom, column, row));
  }

  // The address contains the first digits of the digest, so that a cache keeps tiles until they change.
  #versioned(name) {
    const url = new URL(name, this.#base);
    if (this.digest && url.protocol !== "file:") {
      url.search += `${url.search ? "&" : "?"}v=${this.digest.slice(0, 8)}`;
    }
    return url.href;
  }

  /** A blob with the bytes of a tile's file; null if there is no such tile, and none will come. */
  async tile(zoom, column, row, { signal } = {}) {
    if (!this.has(zoom, column, row)) return null;
    try {
      const bytes = this.#file ? await this.#file.tile(zoom, column, row, signal)
        : (await get(this.address(zoom, column, row), { limit: MAX_TILE, signal })).bytes;
      if (!bytes?.length) return null;
      const type = pictureType(bytes);
      if (type) return new Blob([bytes], { type });
    } catch (error) {
      if (error.kind === "missing" && !this.#file) return null;
      throw this.#tell(error);
    }
    throw this.#tell(this.#noPicture([zoom, column, row]));
  }

  #noPicture(tile) {
    const place = this.#file?.url ?? this.#base;
    return new TileError("noPicture", `tile ${tile.join("/")} of ${place} is not a picture, or is damaged`);
  }

  // Once for each kind.
  #tell(error) {
    if (error.isFault && !this.#told.has(error.kind)) this.onFault(error);
    this.#told.add(error.kind);
    return error;
  }

  /**
   * Draws a tile on a canvas; beyond the last zoom, up to `enlargeTo`, an enlarged part of a tile of the last
   * zoom. Returns whether there is one.
   */
  async draw(canvas, zoom, column, row, { enlargeTo = this.zooms[1] + 3, signal } = {}) {
    const steps = Math.max(0, zoom - this.zooms[1]), parts = 2 ** steps;
    if (steps > 0 && zoom > enlargeTo) return false;
    const ancestor = [zoom - steps, Math.floor(column / parts), Math.floor(row / parts)];
    const picture = await (steps > 0 ? this.#ancestor(ancestor) : this.#picture(ancestor, signal));
    if (!picture) return false;
    const size = steps > 0 ? Math.max(picture.width, Math.round(256 * devicePixelRatio)) : picture.width;
    canvas.width = canvas.height = size;
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    // The whole picture is enlarged, so that smoothing at the edges of the part uses the pixels beyond them.
    context.drawImage(picture, -(column % parts) * size, -(row % parts) * size, size * parts, size * parts);
    return true;
  }

  // The last few pictures are kept for other tiles that are parts of them.
  #ancestor(tile) {
    const key = tile.join("/"), picture = this.#ancestors.get(key) ?? this.#picture(tile);
    this.#ancestors.delete(key);
    this.#ancestors.set(key, picture);
    picture.catch(() => this.#ancestors.delete(key));
    if (this.#ancestors.size > 8) this.#ancestors.delete(this.#ancestors.keys().next().value);
    return picture;
  }

  async #picture(tile, signal) {
    // A page on the disk may show files, but not read them.
    if (!this.#file && this.#base.startsWith("file:")) {
      const image = new Image();
      image.src = this.address(...tile) ?? "";
      return image.decode().then(() => image, () => null);
    }
    const blob = await this.tile(...tile, { signal });
    return blob && createImageBitmap(blob).catch(() => { throw this.#tell(this.#noPicture(tile)); });
  }
}

/** The copies of building.json. */
const pageCopies = {
  get: (url) => localStorage.getItem(`tilewright ${url}`),
  set: (url, text) => localStorage.setItem(`tilewright ${url}`, text),
};

/** A building: name, bounds, camera, and its floors from the lowest. */
export class Building {
  /** Where the index is from: it was "fresh", a "copy", or "inside" the page or app. */
  source = "inside";
  #url; #options;

  /**
   * Uses an index that is in the page or app.
   *
   * @param json the contents of building.json.
   * @param address the address of building.json, which those of the tiles are relative to.
   * @param options as those of `open`.
   */
  constructor(json, address, options = {}) {
    const url = absolute(address).href, { version, name, bounds, camera, floors } = json;
    if (version !== 1) throw unreadableError(url, `version ${version} needs newer code`);
    const areSound = Array.isArray(floors) && floors.length > 0 && areNumbers(bounds, 4)
      && areNumbers([camera?.target, camera?.zoom].flat(), 3);
    if (!areSound) throw unreadableError(url, "it does not describe a building");
    Object.assign(this, { name: String(name), bounds, camera });
    this.floors = floors.map((floor) => readFloor(floor, url, options));
    [this.#url, this.#options] = [url, options];
  }

  /**
   * Reads building.json. If that fails, the last copy is used, else `inside`, a `Building` of the page or
   * app.
   *
   * @param options `onFault` is called with a `TileError`, once for each kind and floor; `copies` keeps
   *   texts: it has get(url) and set(url, text); `enlargeTo` is for `lastZoom`: three zooms more by default.
   */
  static async open(address, options = {}) {
    const url = absolute(address).href, { inside, copies = pageCopies } = options;
    const made = (text, source) => Object.assign(new Building(parsed(text, url), url, options), { source });
    const keep = async (text) => copies?.set(url, text);
    const kept = async () => made(await copies.get(url), "copy");
    try {
      // "no-cache": what the browser has is used only if the server confirms it.
      const { bytes } = await get(url, { cache: "no-cache", limit: MAX_DOCUMENT });
      const text = textOf(bytes), building = made(text, "fresh");
      await keep(text).catch(() => {});
      return building;
    } catch (error) {
      if (error.isFault) options.onFault?.(error);
      const other = await kept().catch(() => inside);
      if (other) return other;
      throw error;
    }
  }

  /** Reads the index again, with the same options. */
  reload() { return Building.open(this.#url, { ...this.#options, inside: this }); }

  get defaultFloor() { return this.floors.find((one) => one.isDefault) ?? this.floors[0]; }

  /** The lowest zoom at which every floor has tiles, and the highest zoom at which any has. */
  get zooms() {
    return [0, 1].map((end) => Math.max(...this.floors.map((one) => one.zooms[end])));
  }

  /** The zoom up to which tiles are enlarged. */
  get lastZoom() { return Math.max(this.zooms[1], this.#options.enlargeTo ?? this.zooms[1] + 3); }
}

function readFloor(json, url, options) {
  const { floor: name, label, shortName, ordinal } = json ?? {};
  const areTexts = [name, label, shortName].every((one) => typeof one === "string");
  if (!areTexts || !Number.isInteger(ordinal)) throw unreadableError(url, "it does not describe its floors");
  if (json.archive !== undefined) checkName(json.archive, url);
  else {
    checkName(json.tilejson, url);
    checkTiles(json.tiles, url);
  }
  let tiles;
  const archive = () => tiles ??= new TileArchive({ ...json, name: label }, url, options);
  const isDefault = json.default === true;
  return { name, label, shortName, ordinal, isDefault, ...factsOf(json, url), archive };
}

/**
 * Shows one floor of a building at a time, and switches floors by buttons, the uppermost on top. A subclass
 * for a map library has functions for its layers.
 */
export class FloorPicker {
  /** The layer that is shown. */
  layer = null;
  /** Called with the floor when another floor is shown, or when the floor has changed. */
  onchange = () => {};
  #next = null;
  #takeOff = () => {};

  /** @param container the element around the map, which gets the style of the buttons. */
  constructor(building, container) {
    Object.assign(this, { building, floor: building.defaultFloor });
    if (container) this.#addButtons(container);
  }

  /** Adds a floor to the map, not visible yet, and returns its layer. */
  addLayer() { return {}; }
  /** Waits until the tiles of a layer are there. */
  async whenLoaded() {}
  /** Makes a layer visible. */
  showLayer() {}
  removeLayer() {}

  /** Shows this floor instead of the current one. `name` is the name of one of the floors. */
  show(name) {
    const floor = this.building.floors.find((one) => one.name === name);
    if (!floor) throw new RangeError(`there is no floor '${name}'`);
    if (floor !== this.floor) this.#turnTo(floor);
  }

  /** Reads building.json again, and shows what has changed. If that fails, everything stays as it is. */
  async reload() {
    this.building = await this.building.reload();
    const { floors, defaultFloor } = this.building, before = this.floor;
    this.floor = floors.find((one) => one.name === before.name) ?? defaultFloor;
    this.#listFloors();
    if (JSON.stringify(this.floor) !== JSON.stringify(before)) this.#turnTo(this.floor);
  }

  #turnTo(floor) {
    this.floor = floor;
    this.#markFloor();
    this.redraw();
    this.onchange(floor);
  }

  /** Adds the floor's layer again; the last one stays until the next one is there. */
  async redraw() {
    if (this.#next) this.removeLayer(this.#next);
    const next = this.#next = this.addLayer(this.floor);
    const tooLong = new Promise((done) => { setTimeout(done, LONGEST_SWITCH); });
    if (this.layer) await Promise.race([this.whenLoaded(next), tooLong]);
    if (this.#next !== next) return;
    this.showLayer(next);
    if (this.layer) this.removeLayer(this.layer);
    [this.layer, this.#next] = [next, null];
  }

  /** Removes the floor and the buttons from the map. */
  remove() {
    for (const layer of [this.#next, this.layer]) if (layer) this.removeLayer(layer);
    this.layer = this.#next = null;
    this.#takeOff();
  }

  #addButtons(container) {
    const element = this.element = document.createElement("div");
    element.className = "tilewright-floors";
    element.setAttribute("role", "radiogroup");
    element.onkeydown = (event) => this.#press(event);
    // A style sheet object also works in a shadow root, and where a security policy allows no style elements.
    const root = container.getRootNode(), sheet = new CSSStyleSheet();
    sheet.replaceSync(PICKER_STYLE);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    // If there is no room for all floors, they can be scrolled.
    const watch = new ResizeObserver(() => {
      element.style.maxHeight = `${Math.max(132, container.clientHeight * 0.6)}px`;
      this.#markFloor();
    });
    watch.observe(container);
    // Without a network, tiles may be missing.
    const again = () => this.redraw();
    addEventListener("online", again);
    this.#takeOff = () => {
      root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheet);
      watch.disconnect();
      removeEventListener("online", again);
      element.remove();
    };
    this.#listFloors();
  }

  #listFloors() {
    if (!this.element) return;
    const { floors, name } = this.building;
    const hadFocus = this.element.contains(this.element.getRootNode().activeElement);
    this.element.hidden = floors.length < 2;
    this.element.setAttribute("aria-label", name);
    this.element.replaceChildren(...floors.map((floor) => this.#button(floor)).reverse());
    this.#markFloor();
    if (hadFocus) this.element.querySelector("[tabindex='0']").focus();
  }

  #button({ name, label, shortName }) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: shortName, title: label });
    button.setAttribute("role", "radio");
    // The label contains the visible text, as voice control requires.
    button.setAttribute("aria-label", label.includes(shortName) ? label : `${label} (${shortName})`);
    button.dataset.floor = name;
    button.addEventListener("click", () => this.show(name));
    return button;
  }

  #markFloor() {
    for (const button of this.element?.children ?? []) {
      const isShown = button.dataset.floor === this.floor.name;
      button.setAttribute("aria-checked", isShown);
      // The Tab key moves to this button, the arrow keys to the others.
      button.tabIndex = isShown ? 0 : -1;
      if (!isShown) continue;
      // Scrolls the buttons instead of the page.
      const seen = this.element.getBoundingClientRect(), box = button.getBoundingClientRect();
      this.element.scrollTop += Math.min(0, box.top - seen.top) + Math.max(0, box.bottom - seen.bottom);
    }
  }

  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = [...this.element.children], count = buttons.length, index = buttons.indexOf(event.target);
    const next = {
      ArrowUp: index - 1, ArrowLeft: index - 1, ArrowDown: index + 1, ArrowRight: index + 1,
      Home: 0, End: count - 1, Enter: index, " ": index,
    }[event.key];
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const button = buttons[(next + count) % count];
    button.focus();
    button.click();
  }
}

// The class is repeated so that its rules are stronger than those of map libraries for their buttons.
const PICKER_STYLE = `
  .x { overflow: hidden auto; scrollbar-width: thin; padding: 0; border-radius: 4px; background: none;
    box-shadow: 0 1px 4px rgb(0 0 0 / 30%); }
  .x > button { all: unset; display: flex; align-items: center; justify-content: center; box-sizing: border-box;
    width: 100%; min-width: 30px; height: 30px; padding: 0 6px; font: 600 13px/1 system-ui, sans-serif;
    white-space: nowrap; cursor: pointer; color: #333; background: #fff; }
  .x > button + button { border-top: 1px solid #ddd; }
  .x > [aria-checked="false"]:hover { background: #eee; }
  .x > [aria-checked="true"] { color: #fff; background: #333; }
  .x > :focus-visible { box-shadow: inset 0 0 0 3px #06c; }
  .x > [aria-checked="true"]:focus-visible { box-shadow: inset 0 0 0 3px #9cf; }
  @media (pointer: coarse) { .x > button { min-width: 44px; height: 44px; font-size: 15px; } }
  @media (forced-colors: active) {
    .x > [aria-checked="true"] { forced-color-adjust: none; color: HighlightText; background: Highlight; }
    .x > :focus-visible { outline: 3px solid !important; outline-offset: -5px; }
  }
`.replaceAll(".x", ".tilewright-floors.tilewright-floors");
