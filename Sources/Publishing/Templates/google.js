// __TITLE__ for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__
// __IF_TILES__
// __IF_MODULE__

// The module comes from the command: tilewright snippet --library --for google-js > tilewright-tiles.js
import { TileArchive } from "./tilewright-tiles.js";
// __END_MODULE__

const archive__NAME__ = new TileArchive({
  // __IF_TREES__
  tiles: __ADDRESS__, scheme: __SCHEME__,
  // __END_TREES__
  // __IF_ARCHIVES__
  archive: __ADDRESS__,
  // __END_ARCHIVES__
  minzoom: __MIN_ZOOM__, maxzoom: __MAX_ZOOM__, tileSize: __TILE_SIZE__,
  // The tiles that exist: zoom, first column, first row, last column, last row; rows count from the north.
  limits: [
    __LIMITS__
  ],
}, document.baseURI, { onFault: console.warn });

class __LAYER__ {
  name = __TITLE_TEXT__;
  // __SIZE_NOTE__
  tileSize = new google.maps.Size(256, 256);
  minZoom = __MIN_ZOOM__;
  maxZoom = __ENLARGE_TO__;
  opacity = 1;
  #tiles = new Map();

  // Called by the map, at every zoom. Column numbers go on past the antimeridian.
  getTile({ x, y }, zoom, page) {
    const canvas = page.createElement("canvas"), stop = new AbortController(), count = 2 ** zoom;
    Object.assign(canvas.style, { width: "256px", height: "256px", opacity: this.opacity });
    this.#tiles.set(canvas, stop);
    const { signal } = stop, enlargeTo = this.maxZoom;
    archive__NAME__.draw(canvas, zoom, ((x % count) + count) % count, y, { enlargeTo, signal })
      .catch(() => {});
    return canvas;
  }

  // Called by the map.
  releaseTile(canvas) {
    this.#tiles.get(canvas)?.abort();
    this.#tiles.delete(canvas);
  }

  setOpacity(opacity) {
    this.opacity = opacity;
    for (const canvas of this.#tiles.keys()) canvas.style.opacity = opacity;
  }
}

// Shows all tiles.
function showAll__NAME__(map) {
  map.fitBounds({ west: __WEST__, south: __SOUTH__, east: __EAST__, north: __NORTH__ }, 64);
}

// Limits the camera to the zooms and the area of the tiles.
function limitCameraTo__NAME__(map) {
  map.setOptions({
    minZoom: __CAMERA_MIN_ZOOM__,
    maxZoom: __CAMERA_MAX_ZOOM__,
    // These bounds limit the whole view. They are large enough to show all tiles.
    restriction: {
      latLngBounds: {
        west: __CAMERA_WEST__, south: __CAMERA_SOUTH__, east: __CAMERA_EAST__, north: __CAMERA_NORTH__,
      },
      strictBounds: false,
    },
  });
}

// `map` is your google.maps.Map. Leave the last line out if the map shows more than these tiles.
// The last overlay is the uppermost. After an update of the tiles, remove the layer and add another one.
map.overlayMapTypes.push(new __LAYER__());
showAll__NAME__(map);
limitCameraTo__NAME__(map);
// __END_TILES__
// __IF_CAMERA__

const cameraOptions = {
  center: { lat: __LATITUDE__, lng: __LONGITUDE__ },
  zoom: __ZOOM__,
  // Without this option, raster maps round the zoom.
  isFractionalZoomEnabled: true,
  heading: __BEARING__,
  tilt: __TILT__,
  // __IF_ZOOMS__
  minZoom: __MIN_ZOOM__,
  maxZoom: __MAX_ZOOM__,
  // __END_ZOOMS__
  // __IF_BOUNDS__
  // These bounds limit the whole view, while the SDKs for apps limit the target. So they contain the
  // target's bounds, and what the camera sees in a view of __WIDTH__ x __HEIGHT__ points.
  restriction: {
    latLngBounds: { west: __WEST__, south: __SOUTH__, east: __EAST__, north: __NORTH__ },
    strictBounds: false,
  },
  // __END_BOUNDS__
};

// `map` is your google.maps.Map; you can also pass these options when you create the map.
map.setOptions(cameraOptions);
// __END_CAMERA__
