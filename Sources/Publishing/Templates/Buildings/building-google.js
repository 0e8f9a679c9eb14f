// __TITLE__: the floors of a building for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__
__MODULE__

// __PART_LAYER_GOOGLE_JS__

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
    const layer = new __NAME__Layer(floor.archive(), this.building.lastZoom, 0);
    this.map.overlayMapTypes.push(layer);
    return layer;
  }

  whenLoaded(layer) { return layer.whenDrawn(); }

  showLayer(layer) { layer.setOpacity(this.opacity); }

  removeLayer(layer) {
    const overlays = this.map.overlayMapTypes;
    overlays.removeAt(overlays.getArray().indexOf(layer));
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
      maxZoom: this.building.lastZoom,
      // These bounds limit the whole view. They are large enough to centre each corner.
      restriction: {
        latLngBounds: { west: west - x, south: south - y, east: east + x, north: north + y },
        strictBounds: false,
      },
    });
  }
}

// `map` is your google.maps.Map.
// __PART_BUILDING_JS__
