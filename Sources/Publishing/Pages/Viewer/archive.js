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
      if (!response.ok) throw new Error(phrase("viewer.serverAnswers", { status: response.status }));
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
