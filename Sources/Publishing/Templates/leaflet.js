// __TITLE__ for Leaflet 1. Written by tilewright.
// __NOTE__
// __IF_TILES__
// __IF_ARCHIVES__
// __IF_MODULE__

// The module comes from the command: tilewright snippet --library --for leaflet > tilewright-tiles.js
import { TileArchive } from "./tilewright-tiles.js";
// __END_MODULE__

// The tiles that exist; no others are requested.
const archive__NAME__ = new TileArchive({
  archive: __ADDRESS__,
  minzoom: __MIN_ZOOM__, maxzoom: __MAX_ZOOM__, tileSize: __TILE_SIZE__,
  // Zoom, first column, first row, last column, last row; rows count from the north.
  limits: [
    __LIMITS__
  ],
}, document.baseURI, { onFault: console.warn });

const __LAYER__ = L.GridLayer.extend({
  createTile({ x, y, z }, done) {
    const canvas = document.createElement("canvas");
    canvas.stop = new AbortController();
    archive__NAME__.draw(canvas, z, x, y, canvas.stop)
      .then(() => done(null, canvas), (error) => done(error, canvas));
    return canvas;
  },
});
// __END_ARCHIVES__

function add__NAME__(map) {
  // __IF_ARCHIVES__
  const layer = new __LAYER__({
  // __END_ARCHIVES__
  // __IF_TREES__
  const layer = L.tileLayer(__ADDRESS__, {
  // __END_TREES__
    // __BOUNDS_NOTE__
    bounds: [[__SOUTH__, __LEAFLET_WEST__], [__NORTH__, __LEAFLET_EAST__]],
    minZoom: __MIN_ZOOM__,
    // The last zoom with tiles; above it, up to maxZoom, tiles are enlarged.
    maxNativeZoom: __MAX_ZOOM__,
    maxZoom: __ENLARGE_TO__,
    // __SIZE_NOTE__
    tileSize: 256,
    // __IF_TREES__
    // __TMS_NOTE__
    __TMS__,
    __QUADKEY__,
    // __END_TREES__
    opacity: 1,
    zIndex: 100,
    __ATTRIBUTION__,
  });
  // __IF_ARCHIVES__
  layer.on("tileunload", ({ tile }) => tile.stop.abort());
  // __END_ARCHIVES__
  return layer.addTo(map);
}

const bounds__NAME__ = L.latLngBounds([[__SOUTH__, __WEST__], [__NORTH__, __EAST_UNWRAPPED__]]);

// Shows all tiles.
function showAll__NAME__(map) {
  map.fitBounds(bounds__NAME__, { padding: [64, 64], animate: false });
}

// Limits the camera to the zooms and the area of the tiles.
function limitCameraTo__NAME__(map) {
  map.setMinZoom(__CAMERA_MIN_ZOOM__);
  map.setMaxZoom(__CAMERA_MAX_ZOOM__);
  // These bounds limit the whole view. They are large enough to centre each corner.
  map.setMaxBounds(bounds__NAME__.pad(0.5));
}

// __IF_TREES__
// `map` is your L.Map. After an update of the tiles: layer.setUrl() with another version.
// __END_TREES__
// __IF_ARCHIVES__
// `map` is your L.Map. The layer notices if the archive is replaced; layer.redraw() loads its tiles again.
// __END_ARCHIVES__
// Leave the last line out if the map shows more than these tiles.
const layer__NAME__ = add__NAME__(map);
showAll__NAME__(map);
limitCameraTo__NAME__(map);
// __END_TILES__
// __IF_CAMERA__

// `map` is your L.Map. With a zoomSnap of 1, the default, the map would round the zoom.
map.options.zoomSnap = 0;
// __IF_ZOOMS__
map.setMinZoom(__MIN_ZOOM__);
map.setMaxZoom(__MAX_ZOOM__);
// __END_ZOOMS__
map.setView([__LATITUDE__, __LONGITUDE_UNWRAPPED__], __ZOOM__, { animate: false });
// __IF_BOUNDS__
// These bounds limit the whole view, while Google's SDKs for apps limit the target. So they contain the
// target's bounds, and what the camera sees in a view of __WIDTH__ x __HEIGHT__ points.
map.setMaxBounds([[__SOUTH__, __WEST__], [__NORTH__, __EAST_UNWRAPPED__]]);
// __END_BOUNDS__
// __END_CAMERA__
