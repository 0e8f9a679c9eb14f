// A tileset as it was written into this page: the place of its tiles or archive, and its pictures on the
// map. Rows count from the north.

const { buildings, title } = JSON.parse(element("tilesets").textContent);

// How the pages' own module reads it. Versions keep caches from showing old tiles after an update.
for (const tileset of buildings.flatMap(({ floors }) => floors)) {
  const limits = tileset.limits.map(([z, west, east, north, south]) => [z, west, north, east, south]);
  const facts = { ...tileset, limits, tiles: tileset.address, digest: tileset.version };
  tileset.files = new TileArchive(facts, "", { takesWhole: true });
}

// The difference between the map's zoom and the tiles' zoom at which a pixel of a tile is about a pixel of
// the screen. The screen may have several pixels per pixel of the page.
const zoomOffset = (tileset) => Math.round(Math.log2(tileset.tileSize / 256 / devicePixelRatio));

// The zoom of the map at which a pixel of the tiles of a zoom is one of the screen.
const exactZoom = (tileset, z) => z + Math.log2(tileset.tileSize / 256 / devicePixelRatio);

// The zoom of the tiles that a map shows at its own zoom.
function shownZoom(tileset, zoom) {
  const z = Math.round(zoom) - zoomOffset(tileset);
  return Math.min(Math.max(z, tileset.minzoom), tileset.maxzoom);
}

// The tile at a place, and the share of its edge that lies west and north of the place.
function tileAt(tileset, latlng, zoom) {
  const z = shownZoom(tileset, zoom);
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

// Why an archive cannot be read.
function reasonText({ kind, status, cause, message }) {
  if (status) return phrase("viewer.serverAnswers", { status });
  return kind === "notNow" ? cause?.message ?? message : phrase("viewer.noArchive");
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
    this.on("tileunload", ({ tile }) => forget(this.images, tile));
  },

  createTile(coords, done) {
    const { x, y } = coords, z = coords.z - zoomOffset(this.tileset);
    if (this.tileset.files.has(z, x, y)) return this.draw(z, x, y, done);
    setTimeout(done);
    return document.createElement("div");
  },

  draw(z, x, y, done) {
    const image = part("img", { alt: "" }), name = tileName(z, x, y);
    image.dataset.tile = name;
    this.images.set(name, image);
    image.onload = () => {
      if (this.tileset.archive) URL.revokeObjectURL(image.src);
      this.note(name, true);
      done(null, image);
    };
    // A missing tile is transparent.
    image.onerror = () => {
      hide(image);
      this.note(name, false);
      done(null, image);
    };
    if (this.tileset.archive) this.drawFromArchive(image, [z, x, y], done);
    else image.src = this.tileset.files.address(z, x, y);
    return image;
  },

  async drawFromArchive(image, place, done) {
    try {
      const blob = await this.tileset.files.tile(...place);
      if (blob) image.src = URL.createObjectURL(blob);
      else image.onerror();
    } catch (error) {
      done(error, image);
      tell(phrase("viewer.cannotRead", { file: this.tileset.archive, reason: reasonText(error) }));
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
