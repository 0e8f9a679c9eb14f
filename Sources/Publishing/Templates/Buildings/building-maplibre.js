// __TITLE__: the floors of a building for MapLibre GL JS. Written by tilewright.
// __NOTE__
// __IF_ARCHIVES__
//
// It needs pmtiles.js (https://www.npmjs.com/package/pmtiles) in addition to MapLibre, and a server that
// supports range requests, as most do.
// __END_ARCHIVES__

/** A control that shows one floor at a time, and switches between them. */
class __NAME__ {
  __INDEX_MEMBERS__

  // The floor on the map.

  /** The name of the layer that the floor goes below; on top of all others if there is none. */
  before = "";

  /** The names of the floor's layers: two across the antimeridian, else one. */
  layers = [];

  #map = null;

  /** Called by the map. */
  onAdd(map) {
    this.#map = map;
    // If the map changes its style, the floor must be added again.
    map.on("styledata", this.#keep);
    this.#lay();
    return this.#addButtons(map.getContainer());
  }

  /** Called by the map. */
  onRemove(map) {
    map.off("styledata", this.#keep);
    this.#clear();
    this.#takeOffButtons();
    this.#map = null;
  }

  /** Shows all of the building. */
  showAll() {
    this.#map.fitBounds(this.bounds, { padding: 64, linear: true, animate: false });
  }

  /** Limits the camera to the zooms and the area of the building. */
  limitCamera() {
    const map = this.#map, [west, south, east, north] = this.bounds;
    // These zooms are for a world 512 points wide: one less than those of the tiles' addresses.
    map.setMaxZoom(this.lastZoom - 1);
    map.setMinZoom(this.firstZoom - 1);
    __TARGET_LIMIT__
  }

  #keep = () => {
    const isThere = this.layers.length && this.layers.every((id) => this.#map.getLayer(id));
    if (!isThere) this.#lay();
  };

  #lay() {
    const map = this.#map;
    // Layers cannot be added while the style is loading. The event "styledata" comes when it is loaded.
    if (!map?.getStyle()) return;
    this.#clear();
    const below = map.getLayer(this.before) ? this.before : undefined;
    for (const source of this.#sources()) {
      const id = "__NAME__" + (this.layers.length || "");
      map.addSource(id, source);
      map.addLayer({ id, type: "raster", source: id, paint: { "raster-opacity": 1 } }, below);
      this.layers.push(id);
    }
  }

  // The map stops loading what it no longer shows.
  #clear() {
    for (const id of this.layers) {
      if (this.#map.getLayer(id)) this.#map.removeLayer(id);
      if (this.#map.getSource(id)) this.#map.removeSource(id);
    }
    this.layers = [];
  }

  #sources() {
    const floor = this.floor;
    const { minzoom, maxzoom, attribution = "" } = floor;
    // Pixels of the page: files of 512 pixels are shown sharper on dense displays.
    const common = { type: "raster", tileSize: 256, attribution };
    // __IF_ARCHIVES__
    // The archive contains its zooms and bounds, and the map requests nothing beyond.
    return [{ ...common, url: "pmtiles://" + __NAME__.#url(floor.archive, floor) }];
    // __END_ARCHIVES__
    // __IF_TREES__
    const isFromSouth = floor.scheme === "tms" || floor.tiles.includes("{-y}");
    const tiles = [__NAME__.#url(floor.tiles, floor).replaceAll("{-y}", "{y}")];
    const scheme = isFromSouth ? "tms" : "xyz";
    return __NAME__.#boxes(floor).map((bounds) =>
      ({ ...common, tiles, scheme, minzoom, maxzoom, bounds }));
    // __END_TREES__
  }
  // __IF_TREES__

  // The box with tiles at all zooms: west, south, east, north. Across the antimeridian, two boxes.
  static #boxes(floor) {
    const longitude = (column, zoom) => column / 2 ** zoom * 360 - 180;
    const latitude = (row, zoom) =>
      Math.atan(Math.sinh(Math.PI * (1 - 2 * row / 2 ** zoom))) * 180 / Math.PI;
    // In degrees, slightly smaller, because the next tile does not exist.
    const hair = 1e-9;
    const all = floor.limits.map(([zoom, west, north, east, south]) => ({ zoom, box: [
      longitude(west, zoom) + hair, latitude(south + 1, zoom) + hair,
      longitude(east + 1, zoom) - hair, latitude(north, zoom) - hair,
    ] }));
    const meet = (one, other) => [
      Math.max(one[0], other[0]), Math.max(one[1], other[1]),
      Math.min(one[2], other[2]), Math.min(one[3], other[3]),
    ];
    return all.filter(({ zoom }) => zoom === floor.maxzoom).map(({ box }) =>
      all.map((one) => meet(one.box, box)).filter(([west, , east]) => west < east)
        .reduce(meet, box));
  }
  // __END_TREES__

  __BUTTON_MEMBERS__
}
// __IF_ARCHIVES__

maplibregl.addProtocol("pmtiles", new pmtiles.Protocol().tile);
// __END_ARCHIVES__

// `map` is your maplibregl.Map; it may still be loading. After an update: floors.reload().
__NAME__.load().then((floors) => {
  map.addControl(floors, "top-right");
  __BEGINNING__
}).catch((error) => console.error(error));
