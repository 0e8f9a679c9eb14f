// __TITLE__: the floors of a building for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__
// __IF_MODULE__

// The module comes from the command: tilewright snippet --library --for google-js > tilewright-tiles.js
import { Building, FloorPicker } from "./tilewright-tiles.js";
// __END_MODULE__

class __LAYER__ {
  // Pixels of the page: files of 512 pixels are shown sharper on dense displays.
  tileSize = new google.maps.Size(256, 256);
  opacity = 0;
  #tiles = new Map();

  constructor(floor, enlargeTo) {
    Object.assign(this, { name: floor.label, minZoom: floor.zooms[0], maxZoom: enlargeTo });
    this.archive = floor.archive();
  }

  // Called by the map, at every zoom. Column numbers go on past the antimeridian.
  getTile({ x, y }, zoom, page) {
    const canvas = page.createElement("canvas"), stop = new AbortController(), count = 2 ** zoom;
    Object.assign(canvas.style, { width: "256px", height: "256px", opacity: this.opacity });
    const options = { enlargeTo: this.maxZoom, signal: stop.signal };
    const drawn = this.archive.draw(canvas, zoom, ((x % count) + count) % count, y, options).catch(() => {});
    this.#tiles.set(canvas, { stop, drawn });
    return canvas;
  }

  // Called by the map.
  releaseTile(canvas) {
    this.#tiles.get(canvas)?.stop.abort();
    this.#tiles.delete(canvas);
  }

  setOpacity(opacity) {
    this.opacity = opacity;
    for (const canvas of this.#tiles.keys()) canvas.style.opacity = opacity;
  }

  /** Waits until the map has asked for tiles, and these are drawn. */
  async whenDrawn() {
    while (this.#tiles.size === 0) await new Promise(requestAnimationFrame);
    await Promise.all([...this.#tiles.values()].map(({ drawn }) => drawn));
  }
}

/** Shows one floor at a time, and switches between them. */
class __NAME__ extends FloorPicker {
  opacity = 1;

  constructor(map, building) {
    super(building, map.getDiv());
    this.map = map;
    this.element.style.margin = "10px";
    map.controls[google.maps.ControlPosition.RIGHT_CENTER].push(this.element);
    this.redraw();
  }

  // The last overlay is the uppermost.
  addLayer(floor) {
    const layer = new __LAYER__(floor, this.lastZoom);
    this.map.overlayMapTypes.push(layer);
    return layer;
  }

  whenLoaded(layer) { return layer.whenDrawn(); }

  showLayer(layer) { layer.setOpacity(this.opacity); }

  removeLayer(layer) {
    const overlays = this.map.overlayMapTypes;
    overlays.removeAt(overlays.getArray().indexOf(layer));
  }

  /** The zoom up to which tiles are enlarged. */
  get lastZoom() {
    const last = this.building.zooms[1];
    return __LAST_ZOOM__;
  }

  /** Shows all of the building. */
  showAll() {
    const [west, south, east, north] = this.building.bounds;
    this.map.fitBounds({ west, south, east, north }, 64);
  }

  /** Limits the camera to the zooms and the area of the building. */
  limitCamera() {
    const [west, south, east, north] = this.building.bounds, x = (east - west) / 2, y = (north - south) / 2;
    this.map.setOptions({
      minZoom: this.building.zooms[0],
      maxZoom: this.lastZoom,
      // These bounds limit the whole view. They are large enough to centre each corner.
      restriction: {
        latLngBounds: { west: west - x, south: south - y, east: east + x, north: north + y },
        strictBounds: false,
      },
    });
  }
}

// `map` is your google.maps.Map.
// __IF_INSIDE__
const index__NAME__ = __INSIDE__;
Promise.resolve(new Building(index__NAME__, __INDEX__, { onFault: console.warn })).then((building) => {
// __END_INSIDE__
// __IF_FETCHED__
Building.open(__INDEX__, { onFault: console.warn }).then((building) => {
// __END_FETCHED__
  const floors = new __NAME__(map, building);
  floors.showAll();
  // Leave this out if the map shows more than the building.
  floors.limitCamera();
  // floors.show("1");
  // floors.onchange = (floor) => console.log(floor.label);
  // After an update: floors.reload();
}).catch((error) => console.error(error));
