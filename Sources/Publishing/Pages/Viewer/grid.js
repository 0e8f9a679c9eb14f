// Borders and addresses of tiles, missing tiles, and areas where no tiles are requested.

const line = (textContent, className = "") => part("span", { textContent, className, dir: "auto" });

const fileName = (tileset, tile) => tileset.archive ? tile.join("/")
  : decoded(tileAddress(tileset.address, tileset.scheme, ...tile));

// If a tileset is not complete, its fully transparent tiles were skipped.
const missing = ({ isComplete }) => phrase(isComplete ? "viewer.missing" : "viewer.missingOrTransparent");

// Pictures that one grid can be drawn for: those of the same size and zooms.
function alike(pictures) {
  const shape = ({ tileset }) => JSON.stringify(optionsOf(tileset));
  return [...new Set(pictures.map(shape))].map((one) => pictures.filter((other) => shape(other) === one));
}

// The grids of what is shown, and their legend.
class TileMarks {
  constructor(map, options) { Object.assign(this, { map, options, grids: [], key: "" }); }

  // Marks the tiles of some pictures; without pictures, the grid is removed.
  update(pictures) {
    const key = pictures.map((one) => L.stamp(one)).join();
    element("legend").hidden = pictures.length === 0;
    if (key === this.key) return;
    this.key = key;
    for (const grid of this.grids) grid.remove();
    this.grids = alike(pictures).map((some) => this.grid(some).addTo(this.map));
    const isComplete = pictures.every(({ tileset }) => tileset.isComplete);
    element("missing").textContent = missing({ isComplete });
    this.count();
  }

  grid(pictures) {
    const { tileset } = pictures[0], grid = L.gridLayer({ ...optionsOf(tileset), ...this.options });
    grid.createTile = (coords) => {
      const box = part("div", { className: "box", pictures });
      box.dataset.tile = tileOf(tileset, coords).join("/");
      this.fill(box);
      return box;
    };
    return grid.on("load tileunload", () => this.count());
  }

  fill(box) {
    const name = box.dataset.tile, tile = name.split("/").map(Number);
    const inside = box.pictures.filter(({ tileset }) => tileset.files.has(...tile));
    const absent = inside.filter((one) => one.image(name)?.isMissing);
    box.dataset.state = inside.length === 0 ? "outside" : absent.length > 0 ? "missing" : "there";
    const files = inside.map(({ tileset }) => fileName(tileset, tile));
    const lines = files.map((file, index) => absent.includes(inside[index])
      ? line(phrase("page.pair", { first: missing(inside[index].tileset), second: file }), "bad") : line(file));
    if (inside.length === 0) lines.push(line(OUTSIDE));
    // The names of all files may contain the tile's own name.
    const isNamed = inside.length > 0 && files.every((text) => text.startsWith(name));
    box.replaceChildren(...(isNamed ? [] : [line(name)]), ...lines);
  }

  // A tile was loaded, or is missing.
  refresh(name) {
    for (const box of document.querySelectorAll(`.box[data-tile="${name}"]`)) this.fill(box);
    this.count();
  }

  // The counts of the tiles on the screen.
  count() {
    const number = (state) => document.querySelectorAll(`.box[data-state=${state}]`).length;
    element("count").textContent = phrase("viewer.count", {
      there: number("there"), missing: number("missing"), outside: number("outside"),
    });
  }
}
