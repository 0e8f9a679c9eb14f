// __TITLE__: the floors of a building for MapLibre GL JS 5. Written by tilewright.
// __NOTE__
__MODULE__

/** Shows one floor at a time, and switches between them. */
class __NAME__ extends FloorPicker {
  opacity = 1;
  /** The name of the layer that the floor goes below; on top of all others if there is none. */
  before = "";
  static #archives = new Map();

  // The map asks for addresses such as __NAME__://3/20/529325/363552.
  static {
    maplibregl.addProtocol("__NAME__", async ({ url }, stop) => {
      const [number, ...tile] = url.split("://")[1].split("/").map(Number);
      const picture = await this.#archives.get(number)?.tile(...tile, stop);
      // A tile without bytes is transparent.
      return { data: await picture?.arrayBuffer() ?? new ArrayBuffer(0) };
    });
  }

  constructor(map, building) {
    super(building, map.getContainer());
    this.map = map;
    this.element.classList.add("maplibregl-ctrl");
    this.control = { onAdd: () => this.element, onRemove() {} };
    map.addControl(this.control, "top-right");
    map.on("styledata", this.#keep);
    this.#keep();
  }

  // Layers cannot be added until the style has loaded. Another style removes them.
  #keep = () => {
    if (!this.map.getStyle() || (this.layer && this.map.getLayer(this.layer))) return;
    this.layer = null;
    this.redraw();
  };

  addLayer(floor) {
    const number = __NAME__.#archives.size + 1, id = `__NAME__${number}`, [minzoom, maxzoom] = floor.zooms;
    __NAME__.#archives.set(number, floor.archive());
    this.map.addSource(id, {
      type: "raster",
      tiles: [`__NAME__://${number}/{z}/{x}/{y}`],
      // Pixels of the page: files of 512 pixels are shown sharper on dense displays.
      tileSize: 256,
      minzoom,
      // The last zoom with tiles; above it, tiles are enlarged.
      maxzoom,
      // Bounds cannot cross the antimeridian.
      bounds: floor.bounds[2] > 180 ? [-180, -85.051129, 180, 85.051129] : floor.bounds,
      attribution: floor.attribution,
    });
    const paint = {
      "raster-opacity": 0, "raster-opacity-transition": { duration: 0, delay: 0 }, "raster-fade-duration": 0,
    };
    const below = this.map.getLayer(this.before) ? this.before : undefined;
    this.map.addLayer({ id, type: "raster", source: id, paint }, below);
    return id;
  }

  async whenLoaded(id) {
    while (this.map.getSource(id) && !this.map.isSourceLoaded(id)) await this.map.once("sourcedata");
  }

  showLayer(id) { this.map.setPaintProperty(id, "raster-opacity", this.opacity); }

  removeLayer(id) {
    if (this.map.getLayer(id)) this.map.removeLayer(id);
    if (this.map.getSource(id)) this.map.removeSource(id);
  }

  /** Removes the floor and its buttons from the map. */
  remove() {
    this.map.off("styledata", this.#keep);
    super.remove();
    this.map.removeControl(this.control);
  }

  /** Shows all of the building. */
  showAll() {
    this.map.fitBounds(this.building.bounds, { padding: 64, linear: true, animate: false });
  }

  /** Limits the camera to the zooms and the area of the building. */
  limitCamera() {
    const { map, building } = this, [west, south, east, north] = building.bounds;
    // These zooms are for a world 512 points wide: one less than those of the tiles' addresses.
    map.setMaxZoom(building.lastZoom - 1);
    map.setMinZoom(building.zooms[0] - 1);
    // __PART_TARGET_MAPLIBRE_JS__
  }
}

// `map` is your maplibregl.Map; it may still be loading.
// __PART_BUILDING_JS__
