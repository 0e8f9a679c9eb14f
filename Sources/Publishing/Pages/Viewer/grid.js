// Borders and addresses of tiles, missing tiles, and areas where no tiles are requested.

const Grid = typeof L === "undefined" ? null : L.GridLayer.extend({
  // All pictures have tiles of the same size and the same zooms.
  initialize(pictures, options) {
    L.GridLayer.prototype.initialize.call(this, { ...optionsOf(pictures[0].tileset), ...options });
    this.pictures = pictures;
    this.boxes = new Map();
    this.on("tileunload", ({ tile }) => forget(this.boxes, tile));
  },

  onAdd(map) {
    L.GridLayer.prototype.onAdd.call(this, map);
    for (const one of this.pictures) one.on("outcome", this.refresh, this);
  },

  onRemove(map) {
    for (const one of this.pictures) one.off("outcome", this.refresh, this);
    L.GridLayer.prototype.onRemove.call(this, map);
  },

  createTile(coords, done) {
    const { x, y } = coords, z = coords.z - zoomOffset(this.pictures[0].tileset);
    const box = document.createElement("div"), name = tileName(z, x, y);
    box.dataset.tile = name;
    this.boxes.set(name, box);
    this.fill(box, z, x, y);
    setTimeout(done);
    return box;
  },

  fill(box, z, x, y) {
    const name = tileName(z, x, y);
    const inside = this.pictures.filter((one) => one.tileset.files.has(z, x, y));
    const absent = inside.filter((one) => one.outcomes.get(name) === false);
    box.dataset.state = inside.length === 0 ? "outside" : absent.length > 0 ? "missing" : "there";
    box.className = `leaflet-tile leaflet-tile-loaded box ${box.dataset.state}`;
    const files = inside.map(({ tileset }) => fileName(tileset, z, x, y));
    const lines = files.map((file, index) => absent.includes(inside[index])
      ? line(phrase("page.pair", { first: missing(inside[index].tileset), second: file }), "bad") : line(file));
    if (inside.length === 0) lines.push(line(OUTSIDE));
    // The names of all files may contain the tile's own name.
    const isNamed = inside.length > 0 && files.every((text) => text.startsWith(name));
    box.replaceChildren(...(isNamed ? [] : [line(name)]), ...lines);
  },

  refresh({ name }) {
    const box = this.boxes.get(name);
    if (box) this.fill(box, ...name.split("/").map(Number));
    this.fire("count");
  },
});

const line = (textContent, className = "") => part("span", { textContent, className, dir: "auto" });

const fileName = (tileset, z, x, y) =>
  tileset.archive ? tileName(z, x, y) : decoded(tileAddress(tileset.address, tileset.scheme, z, x, y));

// If a tileset is not complete, its fully transparent tiles were skipped.
const missing = ({ isComplete }) => phrase(isComplete ? "viewer.missing" : "viewer.missingOrTransparent");

// Pictures that one grid can be drawn for.
function alike(pictures) {
  const groups = new Map();
  for (const one of pictures) {
    const { tileSize, minzoom, maxzoom } = one.tileset, key = `${tileSize} ${minzoom} ${maxzoom}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

// The grids of what is shown, and their legend.
class TileMarks {
  constructor(map, options) { Object.assign(this, { map, options, grids: [], key: "" }); }

  // Marks the tiles of some layers; without layers, the grid is removed.
  update(layers) {
    const pictures = layers.map(({ layer }) => layer), key = pictures.map((one) => L.stamp(one)).join();
    element("legend").hidden = layers.length === 0;
    if (key === this.key) return;
    this.key = key;
    for (const grid of this.grids) grid.remove();
    this.grids = alike(pictures).map((some) => new Grid(some, this.options));
    for (const grid of this.grids) grid.on("count load", () => this.count()).addTo(this.map);
    const isComplete = pictures.every(({ tileset }) => tileset.isComplete);
    element("missing").textContent = missing({ isComplete });
    this.count();
  }

  // The counts of the tiles on the screen.
  count() {
    const boxes = this.grids.flatMap((grid) => [...grid.boxes.values()]);
    const number = (state) => boxes.filter((box) => box.dataset.state === state).length;
    element("count").textContent = phrase("viewer.count", {
      there: number("there"), missing: number("missing"), outside: number("outside"),
    });
  }
}
