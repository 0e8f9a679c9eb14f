// A tileset as it was written into this page: the place of its tiles or archive, and its pictures on the
// map. Rows count from the north.

const { buildings, title, basemap } = JSON.parse(element("tilesets").textContent);

// How the pages' own module reads it. Versions keep caches from showing old tiles after an update.
for (const tileset of buildings.flatMap(({ floors }) => floors)) {
  const facts = { ...tileset, tiles: tileset.address, digest: tileset.version };
  tileset.files = new TileArchive(facts, "", { takesWhole: true });
}

// The tiles are in elements of a shared page: an image's data, or the id of the element with the same image.
const isShared = buildings.some(({ floors }) => floors.some((one) => one.inside !== undefined));

function addressInside(tileset, tile) {
  const text = (id) => element(id)?.textContent ?? "";
  const own = text([tileset.inside, ...tile].join("/")), data = own[0] === "=" ? text(own.slice(1)) : own;
  return data && `data:image/${data}`;
}

// The pixels per pixel of the page that a sheet of paper has while it is printed; null on the screen.
let sheetDensity = null;

// The zoom of the map at which a pixel of the tiles of a zoom is one of the screen. The screen may have
// several pixels per pixel of the page.
const exactZoom = (tileset, z) => z + Math.log2(tileset.tileSize / 256 / (sheetDensity ?? devicePixelRatio));

// The difference between the map's zoom and the tiles' zoom at which a pixel of a tile is about a pixel of
// the screen.
const zoomOffset = (tileset) => Math.round(exactZoom(tileset, 0));

// The zoom of the tiles that a map shows at its own zoom.
function shownZoom(tileset, zoom) {
  const z = Math.round(zoom) - zoomOffset(tileset);
  return Math.min(Math.max(z, tileset.minzoom), tileset.maxzoom);
}

// The tile at a place, and the share of its edge that lies west and north of the place.
function tileAt(tileset, latlng, zoom) {
  const z = shownZoom(tileset, zoom);
  const point = L.CRS.EPSG3857.latLngToPoint(latlng.wrap(), z).divideBy(256), { x, y } = point.floor();
  return { tile: [z, x, y], right: point.x - x, down: point.y - y };
}

// The links and the text of an attribution, without any other HTML.
function credit(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const node of body.querySelectorAll("*")) {
    const inside = node.matches("script, style") ? [] : [...node.childNodes];
    if (node.matches("a[href]") && /^https?:/.test(node.href)) {
      const link = part("a", { href: node.href });
      link.append(...inside);
      node.replaceWith(link);
    } else node.replaceWith(...inside);
  }
  return body.innerHTML;
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

// The zoom, the column and the row of a tile of the map's library.
const tileOf = (tileset, { x, y, z }) => [z - zoomOffset(tileset), x, y];

const Pictures = typeof L === "undefined" ? null : L.GridLayer.extend({
  initialize(tileset, options) {
    L.GridLayer.prototype.initialize.call(this, {
      ...optionsOf(tileset), attribution: credit(tileset.attribution), className: "plan", ...options,
    });
    this.tileset = tileset;
  },

  // The picture of a tile, which may still be loading, or be missing.
  image(name) { return this.getContainer().querySelector(`[data-tile="${name}"]`); },

  createTile(coords, done) {
    const tile = tileOf(this.tileset, coords), image = part("img", { alt: "" });
    if (!this.tileset.files.has(...tile)) {
      setTimeout(done);
      return part("div");
    }
    image.dataset.tile = tile.join("/");
    image.onload = () => {
      URL.revokeObjectURL(image.src);
      done(null, image);
    };
    // A missing tile is transparent.
    image.onerror = () => {
      hide(image);
      image.isMissing = true;
      done(null, image);
    };
    this.load(image, tile).catch((error) => {
      done(error, image);
      tell(phrase("viewer.cannotRead", { file: this.tileset.archive, reason: reasonText(error) }));
    });
    return image;
  },

  // A page on a disk can show files of a folder, but not read them.
  async load(image, tile) {
    if (isShared) {
      const address = addressInside(this.tileset, tile);
      if (address) {
        image.src = address;
        return;
      }
      // Even a page that is printed at once shows nothing there.
      hide(image);
      setTimeout(image.onerror);
      return;
    }
    const { files, archive } = this.tileset, blob = archive && await files.tile(...tile);
    image.src = blob ? URL.createObjectURL(blob) : files.address(...tile) ?? "";
  },

  // Pixels are squares beyond the last zoom. Elsewhere lines would become dashes: some pixels would be wider
  // than others.
  showPixels(zoom) {
    this.getContainer().classList.toggle("enlarged", zoom - this.options.maxNativeZoom >= 1);
  },
});
