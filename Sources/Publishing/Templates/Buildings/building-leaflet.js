// __TITLE__: the floors of a building for Leaflet 1. Written by tilewright.
// __NOTE__

/** A control that shows one floor at a time, and switches between them. */
class __NAME__ extends L.Control {
  __INDEX_MEMBERS__

  // The floor on the map.

  /** The layer of the floor, for its opacity and events. Each floor has its own layer. */
  layer = null;

  #map = null;

  /** Called by the map. */
  onAdd(map) {
    this.#map = map;
    this.#lay();
    const element = this.#addButtons(map.getContainer());
    L.DomEvent.disableClickPropagation(element);
    L.DomEvent.disableScrollPropagation(element);
    return element;
  }

  /** Called by the map. */
  onRemove() {
    this.#takeOffButtons();
    this.layer.remove();
    this.#map = this.layer = null;
  }

  /** Shows all of the building. */
  showAll() {
    this.#map.fitBounds(this.#box, { padding: [64, 64], animate: false });
  }

  /** Limits the camera to the zooms and the area of the building. */
  limitCamera() {
    this.#map.setMinZoom(this.firstZoom);
    this.#map.setMaxZoom(this.lastZoom);
    // These bounds limit the whole view. They are large enough to centre each corner.
    this.#map.setMaxBounds(this.#box.pad(0.5));
  }

  get #box() {
    const [west, south, east, north] = this.bounds;
    return L.latLngBounds([[south, west], [north, east]]);
  }

  #lay() {
    if (!this.#map) return;
    const floor = this.floor;
    const [west, south, east, north] = floor.bounds;
    const layer = L.tileLayer("", {
      // The area of the tiles; no others are requested. Bounds cannot cross the antimeridian.
      bounds: east > 180 ? undefined : [[south, west], [north, east]],
      minZoom: floor.minzoom,
      // The last zoom with tiles; above it, up to maxZoom, tiles are enlarged.
      maxNativeZoom: floor.maxzoom,
      maxZoom: this.lastZoom,
      // Pixels of the page: files of 512 pixels are shown sharper on dense displays.
      tileSize: 256,
      opacity: 1,
      zIndex: 100,
      attribution: floor.attribution,
    });
    layer.getTileUrl = ({ x, y, z }) => __NAME__.#tile(floor, x, y, z) ?? L.Util.emptyImageUrl;
    layer.addTo(this.#map);
    // The map stops loading what it no longer shows.
    this.layer?.remove();
    this.layer = layer;
  }

  __BUTTON_MEMBERS__
}

// `map` is your L.Map. After an update: floors.reload().
__NAME__.load({ position: "topright" }).then((floors) => {
  floors.addTo(map);
  __BEGINNING__
}).catch((error) => console.error(error));
