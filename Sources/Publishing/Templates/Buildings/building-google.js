// __TITLE__: the floors of a building for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__

__ENLARGING__

/** Shows one floor at a time, and switches between them. */
class __NAME__ {
  __INDEX_MEMBERS__

  // The floor on the map.

  /** The buttons, once it is on a map. */
  get element() { return this.#buttons; }

  /** The layer of the floor, for its opacity and events. Each floor has its own layer. */
  layer = null;

  #map = null;

  /** Adds the floor to a map. */
  addTo(map) {
    this.#map = map;
    this.#lay();
    this.#addButtons(map.getDiv());
  }

  /** Removes the floor and its buttons from the map. */
  remove() {
    const overlays = this.#map.overlayMapTypes;
    overlays.removeAt(overlays.getArray().indexOf(this.layer));
    this.#takeOffButtons();
    this.#map = this.layer = null;
  }

  /** Shows all of the building. */
  showAll() {
    const [west, south, east, north] = this.bounds;
    this.#map.fitBounds({ west, south, east, north }, 64);
  }

  /** Limits the camera to the zooms and the area of the building. */
  limitCamera() {
    const [west, south, east, north] = this.bounds;
    const width = east - west, height = north - south;
    this.#map.setOptions({
      minZoom: this.firstZoom,
      maxZoom: this.lastZoom,
      // These bounds limit the whole view. They are large enough to centre each corner.
      restriction: {
        latLngBounds: {
          west: west - width / 2, south: south - height / 2,
          east: east + width / 2, north: north + height / 2,
        },
        strictBounds: false,
      },
    });
  }

  #lay() {
    if (!this.#map) return;
    const floor = this.floor;
    const layer = new __LAYER__({
      name: floor.label,
      // Pixels of the page: files of 512 pixels are shown sharper on dense displays.
      tileSize: new google.maps.Size(256, 256),
      opacity: 1,
      minZoom: floor.minzoom,
      // The last zoom with tiles; above it, up to maxZoom, tiles are enlarged.
      lastZoom: floor.maxzoom,
      maxZoom: this.lastZoom,
      url: (x, y, zoom) => __NAME__.#tile(floor, x, y, zoom),
    });
    // Replaces the previous floor, whose tiles the map then frees.
    const overlays = this.#map.overlayMapTypes;
    const index = overlays.getArray().indexOf(this.layer);
    if (index < 0) overlays.push(layer); else overlays.setAt(index, layer);
    this.layer = layer;
  }

  __BUTTON_MEMBERS__
}

// `map` is your google.maps.Map. After an update: floors.reload().
__NAME__.load().then((floors) => {
  floors.addTo(map);
  map.controls[google.maps.ControlPosition.RIGHT_CENTER].push(floors.element);
  __BEGINNING__
}).catch((error) => console.error(error));
