// __TITLE__ for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__
// __IF_TILES__

__ENLARGING__

function add__NAME__(map) {
  // The tiles that exist: zoom, first and last column from the west, first and last row from the
  // north.
  const limits = [
    __LIMITS__
  ];
  const layer = new __LAYER__({
    name: __TITLE_TEXT__,
    // __SIZE_NOTE__
    tileSize: new google.maps.Size(256, 256),
    opacity: 1,
    minZoom: __MIN_ZOOM__,
    // The last zoom with tiles; above it, up to maxZoom, tiles are enlarged.
    lastZoom: __MAX_ZOOM__,
    maxZoom: __ENLARGE_TO__,
    url(x, y, zoom) {
      const exists = limits.some(([z, west, east, north, south]) =>
        z === zoom && west <= x && x <= east && north <= y && y <= south);
      return exists ? __URL__ : null;
    },
  });
  // The last overlay is the uppermost. After an update of the tiles, take the layer out of
  // overlayMapTypes and add it again.
  map.overlayMapTypes.push(layer);
  return layer;
}
__QUADKEY__

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
add__NAME__(map);
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
