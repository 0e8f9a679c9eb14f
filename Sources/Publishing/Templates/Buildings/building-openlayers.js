// __TITLE__: the floors of a building for OpenLayers 10. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import View from "ol/View.js";
import Control from "ol/control/Control.js";
import TileLayer from "ol/layer/Tile.js";
import { transformExtent } from "ol/proj.js";
import XYZ from "ol/source/XYZ.js";
// __END_IMPORTS__
__MODULE__

// __PART_LOAD_OPENLAYERS_JS__

/** Shows one floor at a time, and switches between them. */
class __NAME__ extends FloorPicker {
  opacity = 1;
  zIndex = 100;

  constructor(map, building) {
    super(building, map.getTargetElement());
    this.map = map;
    this.element.classList.add("ol-unselectable", "ol-control");
    Object.assign(this.element.style, { top: "0.5em", right: "0.5em" });
    this.control = new Control({ element: this.element });
    map.addControl(this.control);
    this.redraw();
  }

  addLayer(floor) {
    const stop = new AbortController(), [minZoom, maxZoom] = floor.zooms;
    const layer = new TileLayer({
      // The area of the tiles. An extent cannot cross the antimeridian.
      extent: floor.bounds[2] > 180 ? undefined : transformExtent(floor.bounds, "EPSG:4326", "EPSG:3857"),
      // Exclusive: the layer is visible above this zoom.
      minZoom: minZoom - 1,
      opacity: 0,
      zIndex: this.zIndex,
      properties: { stop },
      source: new XYZ({
        tileUrlFunction: (tile) => tile.join("/"),
        tileLoadFunction: load__NAME__(floor.archive(), stop),
        // Above the last zoom with tiles, tiles are enlarged.
        minZoom, maxZoom,
        // Files of 512 pixels are shown in 256 of the page, sharper on dense displays.
        tilePixelRatio: floor.tileSize / 256,
        attributions: floor.attribution,
        transition: 0,
      }),
    });
    this.map.addLayer(layer);
    return layer;
  }

  whenLoaded() { return new Promise((done) => { this.map.once("rendercomplete", done); }); }

  showLayer(layer) { layer.setOpacity(this.opacity); }

  removeLayer(layer) {
    this.map.removeLayer(layer);
    layer.get("stop").abort();
  }

  /** Removes the floor and its buttons from the map. */
  remove() {
    super.remove();
    this.map.removeControl(this.control);
  }

  /** Shows all of the building. */
  showAll() {
    this.map.getView().fit(this.#extent, { padding: [64, 64, 64, 64] });
  }

  /** Limits the camera to the zooms and the area of the building. */
  limitCamera() {
    const view = this.map.getView();
    this.map.setView(new View({
      center: view.getCenter(),
      resolution: view.getResolution(),
      rotation: view.getRotation(),
      minZoom: this.building.zooms[0],
      maxZoom: this.building.lastZoom,
      // These bounds limit the target in the middle of the view; the rest of the view may be outside.
      extent: this.#extent,
      constrainOnlyCenter: true,
    }));
  }

  get #extent() { return transformExtent(this.building.bounds, "EPSG:4326", "EPSG:3857"); }
}

// `map` is your ol/Map.
// __PART_BUILDING_JS__
