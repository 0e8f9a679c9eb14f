// __TITLE__: the floors of a building for OpenLayers. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import View from "ol/View.js";
import Control from "ol/control/Control.js";
import TileLayer from "ol/layer/Tile.js";
import { transformExtent } from "ol/proj.js";
import XYZ from "ol/source/XYZ.js";
// __END_IMPORTS__

/** A control that shows one floor at a time, and switches between them. */
export class __NAME__ extends Control {
  __INDEX_MEMBERS__

  // The floor on the map.

  /** The layer of the floor, for its opacity and its source's events. Each floor has its own layer. */
  layer = null;

  #loading = new Set();

  constructor() {
    super({ element: document.createElement("div") });
  }

  /** Called by the map. */
  setMap(map) {
    if (this.getMap()) this.#clear();
    if (this.#buttons) this.#takeOffButtons();
    super.setMap(map);
    if (!map) return;
    this.#addButtons(map.getTargetElement(), this.element);
    this.#lay();
  }

  /** Shows all of the building. */
  showAll() {
    this.getMap().getView().fit(this.#extent, { padding: [64, 64, 64, 64] });
  }

  /** Limits the camera to the zooms and the area of the building. */
  limitCamera() {
    const view = this.getMap().getView();
    this.getMap().setView(new View({
      center: view.getCenter(),
      resolution: view.getResolution(),
      rotation: view.getRotation(),
      minZoom: this.firstZoom,
      maxZoom: this.lastZoom,
      // These bounds limit the target in the middle of the view; the rest of the view may be outside.
      extent: this.#extent,
      constrainOnlyCenter: true,
    }));
  }

  get #extent() {
    return transformExtent(this.bounds, "EPSG:4326", "EPSG:3857");
  }

  #lay() {
    const map = this.getMap();
    if (!map) return;
    this.#clear();
    const floor = this.floor;
    this.layer = new TileLayer({
      // The area of the tiles. An extent cannot cross the antimeridian.
      extent: floor.bounds[2] > 180
        ? undefined : transformExtent(floor.bounds, "EPSG:4326", "EPSG:3857"),
      // Exclusive: the layer is visible above this zoom.
      minZoom: floor.minzoom - 1,
      opacity: 1,
      zIndex: 100,
      source: new XYZ({
        tileUrlFunction: ([zoom, x, y]) => __NAME__.#tile(floor, x, y, zoom) ?? undefined,
        tileLoadFunction: (tile, address) => this.#load(tile.getImage(), address),
        minZoom: floor.minzoom,
        // The last zoom with tiles; above it, tiles are enlarged.
        maxZoom: floor.maxzoom,
        // Pixels of the files per pixel of the page: files of 512 are shown in 256 of the page,
        // sharper on dense displays.
        tilePixelRatio: floor.tileSize / 256,
        attributions: floor.attribution,
      }),
    });
    map.addLayer(this.layer);
  }

  #load(image, address) {
    this.#loading.add(image);
    for (const end of ["load", "error"]) {
      image.addEventListener(end, () => this.#loading.delete(image), { once: true });
    }
    image.src = address;
  }

  // Also stops loading what is no longer shown.
  #clear() {
    this.getMap().removeLayer(this.layer);
    for (const image of this.#loading) image.removeAttribute("src");
    this.#loading.clear();
  }

  __BUTTON_MEMBERS__
}

// `map` is your ol/Map. After an update: floors.reload().
__NAME__.load().then((floors) => {
  map.addControl(floors);
  __BEGINNING__
}).catch((error) => console.error(error));
