// __TITLE__: the floors of a building for Leaflet 1. Written by tilewright.
// __NOTE__
__MODULE__

// __PART_LAYER_LEAFLET_JS__

/** Shows one floor at a time, and switches between them. */
class __NAME__ extends FloorPicker {
  opacity = 1;
  zIndex = 100;

  constructor(map, building) {
    super(building, map.getContainer());
    this.map = map;
    this.control = L.control({ position: "topright" });
    this.control.onAdd = () => this.element;
    this.control.addTo(map);
    L.DomEvent.disableClickPropagation(this.element);
    L.DomEvent.disableScrollPropagation(this.element);
    this.redraw();
  }

  addLayer(floor) {
    const [west, south, east, north] = floor.bounds, [minZoom, maxNativeZoom] = floor.zooms;
    const layer = new __NAME__Layer({
      archive: floor.archive(),
      // The area of the tiles; no others are requested. Bounds cannot cross the antimeridian.
      bounds: east > 180 ? undefined : [[south, west], [north, east]],
      // Above the last zoom with tiles, tiles are enlarged.
      minZoom, maxNativeZoom, maxZoom: this.building.lastZoom,
      // Pixels of the page: files of 512 pixels are shown sharper on dense displays.
      tileSize: 256,
      opacity: 0,
      zIndex: this.zIndex,
      attribution: floor.attribution,
    });
    layer.on("tileunload", ({ tile }) => tile.stop.abort());
    return layer.addTo(this.map);
  }

  // The last tile is faded in for a fifth of a second.
  async whenLoaded(layer) {
    if (layer.isLoading()) await new Promise((done) => { layer.once("load", () => setTimeout(done, 250)); });
  }

  showLayer(layer) { layer.setOpacity(this.opacity); }

  removeLayer(layer) { layer.remove(); }

  /** Removes the floor and its buttons from the map. */
  remove() {
    super.remove();
    this.control.remove();
  }

  /** Shows all of the building. */
  showAll() {
    this.map.fitBounds(this.#box, { padding: [64, 64], animate: false });
  }

  /** Limits the camera to the zooms and the area of the building. */
  limitCamera() {
    this.map.setMinZoom(this.building.zooms[0]);
    this.map.setMaxZoom(this.building.lastZoom);
    // These bounds limit the whole view. They are large enough to centre each corner.
    this.map.setMaxBounds(this.#box.pad(0.5));
  }

  get #box() {
    const [west, south, east, north] = this.building.bounds;
    return L.latLngBounds([[south, west], [north, east]]);
  }
}

// `map` is your L.Map.
// __PART_BUILDING_JS__
