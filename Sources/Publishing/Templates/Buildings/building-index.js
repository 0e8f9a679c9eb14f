// __IF_CLASS__
/** The address of the folder with the building's index and tiles. */
static address = __INDEX__;

/** The name of the building. */
name = "";
/** The floors from the lowest, as building.json describes them: floor, label, shortName and more. */
floors = [];
/** The floor that is shown. */
floor = null;
/** The area of the building: west, south, east, north; the east is beyond 180 across the antimeridian. */
bounds = null;
/** The camera that shows the building on a phone held upright: target and zoom. */
camera = null;
/** Called with the floor when another floor is shown, or when the floor changed. */
onchange = () => {};

/** Reads the index. The promise is rejected if that fails. */
static async load(...options) {
  const building = new this(...options);
  await building.reload();
  return building;
}

/** Reads the index again and shows its changes. If that fails, everything stays as it is. */
async reload() {
  // "no-cache" asks the server whether the copy in the browser's cache is still valid. A server
  // that is not the page's own must allow the page to read it (Access-Control-Allow-Origin).
  const response = await fetch(__NAME__.address, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${response.url}: status ${response.status}`);
  const { version, name, bounds, camera, floors } = await response.json();
  if (version !== 1) throw new Error(`${response.url}: version ${version} needs newer code`);
  if (!floors.length) throw new Error(`${response.url}: there are no floors`);
  if (!floors.every((one) => one.__PLACE__)) {
    throw new Error(`${response.url}: the floors are not in __CONTAINER__; print this code again`);
  }
  const floor = floors.find((one) => one.floor === this.floor?.floor)
    ?? floors.find((one) => one.default) ?? floors[0];
  const isNew = JSON.stringify(floor) !== JSON.stringify(this.floor);
  Object.assign(this, { name, bounds, camera, floors, floor });
  this.#listFloors();
  if (isNew) this.#change();
}

/** Shows this floor instead of the current one. `name` is the `floor` of one of the floors. */
show(name) {
  const floor = this.floors.find((one) => one.floor === name);
  if (!floor) throw new RangeError(`there is no floor "${name}"`);
  if (floor === this.floor) return;
  this.floor = floor;
  this.#markFloor();
  this.#change();
}

/** The lowest zoom, at which the whole building is in view. */
get firstZoom() {
  return Math.min(Math.floor(this.camera.zoom), ...this.floors.map((floor) => floor.minzoom));
}

/** The zoom up to which tiles are enlarged. */
get lastZoom() {
  const last = Math.max(...this.floors.map((floor) => floor.maxzoom));
  return __LAST_ZOOM__;
}

#change() {
  this.#lay();
  this.onchange(this.floor);
}

// The address contains the first digits of the tiles' digest, so that a cache keeps tiles until they change.
static #url(path, { digest }) {
  const folder = path.includes("://") ? "" : __NAME__.address.replace(/[^/]*$/, "");
  return `${folder}${path}${path.includes("?") ? "&" : "?"}v=${digest.slice(0, 8)}`;
}
// __IF_TILE__

// Null if there is no such tile; `y` counts from the north.
static #tile(floor, x, y, zoom) {
  const exists = floor.limits.some(([z, west, north, east, south]) =>
    z === zoom && west <= x && x <= east && north <= y && y <= south);
  if (!exists) return null;
  const isFromSouth = floor.scheme === "tms" || floor.tiles.includes("{-y}");
  const row = isFromSouth ? 2 ** zoom - 1 - y : y;
  // One digit per zoom: 0 NW, 1 NE, 2 SW, 3 SE.
  let quadkey = "";
  for (let bit = zoom - 1; bit >= 0; bit--) quadkey += (x >> bit & 1) | (y >> bit & 1) << 1;
  const values = { z: zoom, x, y: row, "-y": row, quadkey };
  return __NAME__.#url(floor.tiles, floor)
    .replace(/{(z|x|-?y|quadkey)}/g, (_, name) => values[name]);
}
// __END_TILE__
// __END_CLASS__
// __IF_USE__
floors.showAll();
// Leave this out if the map shows more than the building.
floors.limitCamera();
// floors.show("1");
// floors.onchange = (floor) => console.log(floor.label);
// __END_USE__
