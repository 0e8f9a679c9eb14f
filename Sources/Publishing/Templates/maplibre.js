// __TITLE__ for MapLibre GL JS. Written by tilewright.
// __NOTE__
// __IF_TILES__
// __IF_ARCHIVES__
//
// It needs pmtiles.js in addition to MapLibre, and a server that supports range requests, as most do:
// npm install pmtiles@4.3.0, or <script src="https://unpkg.com/pmtiles@4.3.0/dist/pmtiles.js">.
// __END_ARCHIVES__

function add__NAME__(map) {
  // __IF_TREES__
  const add = (id, bounds) => {
    map.addSource(id, {
      type: "raster",
      tiles: [__ADDRESS__],
      // __IF_LARGE__
      // Pixels of the page: files of 512 pixels are shown sharper on dense displays. With
      // 512 they are shown larger, at zooms of the map that are one less.
      // __END_LARGE__
      tileSize: 256,
      minzoom: __MIN_ZOOM__,
      // The last zoom with tiles; above it, tiles are enlarged.
      maxzoom: __MAX_ZOOM__,
      // The area of the tiles; no others are requested.
      bounds,
      scheme: __SCHEME__,
      attribution: __ATTRIBUTION__,
    });
    // The last layer is the uppermost; a second argument names the layer that this one goes below.
    map.addLayer({ id, type: "raster", source: id, paint: { "raster-opacity": 1 } });
  };
  __ADD__
  // __END_TREES__
  // __IF_ARCHIVES__
  maplibregl.addProtocol("pmtiles", new pmtiles.Protocol().tile);
  // The archive contains its zooms and bounds, and the map requests nothing beyond.
  map.addSource(__ID__, {
    type: "raster",
    url: "pmtiles://" + __ADDRESS__,
    // __IF_LARGE__
    // Pixels of the page: files of 512 pixels are shown sharper on dense displays. With
    // 512 they are shown larger, at zooms of the map that are one less.
    // __END_LARGE__
    tileSize: 256,
    attribution: __ATTRIBUTION__,
  });
  // The last layer is the uppermost; a second argument names the layer that this one goes below.
  map.addLayer({ id: __ID__, type: "raster", source: __ID__, paint: { "raster-opacity": 1 } });
  // __END_ARCHIVES__
}

const bounds__NAME__ = [__WEST__, __SOUTH__, __EAST_UNWRAPPED__, __NORTH__];

// Shows all tiles.
function showAll__NAME__(map) {
  map.fitBounds(bounds__NAME__, { padding: 64, linear: true, animate: false });
}

// Limits the camera to the zooms and the area of the tiles.
function limitCameraTo__NAME__(map) {
  // These zooms are for a world 512 points wide: one less than those of the tiles' addresses.
  map.setMaxZoom(__CAMERA_MAX_ZOOM__);
  map.setMinZoom(__CAMERA_MIN_ZOOM__);
  const [west, south, east, north] = bounds__NAME__;
  // __PART_TARGET_MAPLIBRE_JS__
}

// `map` is your maplibregl.Map; it may still be loading. After an
// __IF_TREES__
// update of the tiles: map.getSource(__ID__).setTiles([another version of the address]).
// __END_TREES__
// __IF_ARCHIVES__
// update of the archive, add it with another version in its address.
// __END_ARCHIVES__
if (map.getStyle()) add__NAME__(map);
else map.once("load", () => add__NAME__(map));
// Leave the last line out if the map shows more than these tiles.
showAll__NAME__(map);
limitCameraTo__NAME__(map);
// __END_TILES__
// __IF_CAMERA__

// `map` is your maplibregl.Map. Its zooms are for a world 512 points wide: they are one less than those of
// Google's maps and of the tiles' addresses.
map.setMaxZoom(__CAMERA_MAX_ZOOM__);
map.setMinZoom(__CAMERA_MIN_ZOOM__);
map.setMaxPitch(__CAMERA_MAX_PITCH__); // By default, MapLibre allows up to 60 degrees.
map.jumpTo({
  center: [__CAMERA_LONGITUDE_UNWRAPPED__, __CAMERA_LATITUDE__],
  zoom: __CAMERA_ZOOM__,
  bearing: __CAMERA_BEARING__,
  pitch: __CAMERA_TILT__,
});
// __IF_CAMERA_BOUNDS__
// These bounds limit the whole view, while Google's SDKs for apps limit the target. So they contain the
// target's bounds, and what the camera sees in a view of __CAMERA_SIZE__ points.
map.setMaxBounds([[__CAMERA_WEST__, __CAMERA_SOUTH__], [__CAMERA_EAST_UNWRAPPED__, __CAMERA_NORTH__]]);
// __END_CAMERA_BOUNDS__
// __END_CAMERA__
