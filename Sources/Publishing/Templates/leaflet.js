// __TITLE__ for Leaflet 1. Written by tilewright.
// __NOTE__
// __IF_ARCHIVES__
// __PART_ARCHIVE_JS__

// __PART_LAYER_LEAFLET_JS__
// __END_ARCHIVES__
// __IF_TILES__

function add__NAME__(map) {
  // __IF_ARCHIVES__
  const layer = new __NAME__Layer({
    archive: archive__NAME__,
  // __END_ARCHIVES__
  // __IF_TREES__
  const layer = L.tileLayer(__ADDRESS__, {
  // __END_TREES__
    // The area of the tiles; no others are requested. Bounds cannot cross the antimeridian.
    bounds: [[__SOUTH__, __LEAFLET_WEST__], [__NORTH__, __LEAFLET_EAST__]],
    minZoom: __MIN_ZOOM__,
    // The last zoom with tiles; above it, up to maxZoom, tiles are enlarged.
    maxNativeZoom: __MAX_ZOOM__,
    maxZoom: __ENLARGE_TO__,
    // __IF_LARGE__
    // Pixels of the page: files of 512 pixels are shown sharper on dense displays. To show
    // them larger instead: tileSize: 512, zoomOffset: -1, and zooms of the map, one more than
    // the tiles': minZoom: __LARGE_MIN_ZOOM__, maxNativeZoom: __LARGE_MAX_ZOOM__, maxZoom: __LARGE_ENLARGE_TO__.
    // __END_LARGE__
    tileSize: 256,
    tms: __TMS__, // Rows are counted from the south.
    // __IF_QUADKEY__
    // The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.
    quadkey: ({ x, y, z }) => Array.from({ length: z }, (_, i) => z - 1 - i)
      .map((bit) => (x >> bit & 1) | (y >> bit & 1) << 1).join(""),
    // __END_QUADKEY__
    opacity: 1,
    zIndex: 100,
    attribution: __ATTRIBUTION__,
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
map.setMinZoom(__CAMERA_MIN_ZOOM__);
map.setMaxZoom(__CAMERA_MAX_ZOOM__);
map.setView([__CAMERA_LATITUDE__, __CAMERA_LONGITUDE_UNWRAPPED__], __CAMERA_ZOOM__, { animate: false });
// __IF_CAMERA_BOUNDS__
// These bounds limit the whole view, while Google's SDKs for apps limit the target. So they contain the
// target's bounds, and what the camera sees in a view of __CAMERA_SIZE__ points.
map.setMaxBounds([[__CAMERA_SOUTH__, __CAMERA_WEST__], [__CAMERA_NORTH__, __CAMERA_EAST_UNWRAPPED__]]);
// __END_CAMERA_BOUNDS__
// __END_CAMERA__
