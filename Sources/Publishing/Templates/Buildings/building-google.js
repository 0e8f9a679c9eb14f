// __TITLE__: the floors of a building for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__

/** Shows one floor at a time, and switches between them. */
class __NAME__ {
__INDEX_MEMBERS__

  // The floor on the map.

  /** The buttons, once it is on a map. */
  get element() { return this.#buttons; }

  /** The layer of the floor: its opacity, its events. Each floor has another. */
  layer = null;

  #map = null;

  /** Lays the floor over a map. */
  addTo(map) {
    this.#map = map;
    this.#lay();
    this.#addButtons(map.getDiv());
  }

  /** Takes the floor and its buttons off the map. */
  remove() {
    const overlays = this.#map.overlayMapTypes;
    overlays.removeAt(overlays.getArray().indexOf(this.layer));
    this.#takeOffButtons();
    this.#map = this.layer = null;
  }

  #lay() {
    if (!this.#map) return;
    const floor = this.floor;
    const layer = new google.maps.ImageMapType({
      name: floor.label,
      // Pixels of the page: files of 512 pixels are shown sharper on dense displays.
      tileSize: new google.maps.Size(256, 256),
      opacity: 1,
      minZoom: floor.minzoom,
      maxZoom: floor.maxzoom,
      getTileUrl(tile, zoom) {
        // Columns go on counting around the world. An overlay is asked at every zoom, whatever its
        // maxZoom; null is "no tile".
        const edge = 2 ** zoom, x = ((tile.x % edge) + edge) % edge;
        return __NAME__.#tile(floor, x, tile.y, zoom);
      },
    });
    // In the place of the floor before, whose tiles the map then drops.
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
  // floors.show("1");
  // floors.onchange = (floor) => console.log(floor.label);
  // const [west, south, east, north] = floors.floor.bounds;
  // map.fitBounds({ west, south, east, north });
}).catch((error) => console.error(error));
