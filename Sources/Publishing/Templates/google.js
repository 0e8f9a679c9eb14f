// __TITLE__ for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__
// __IF_TILES__
// __PART_ARCHIVE_JS__

// __PART_LAYER_GOOGLE_JS__

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
map.overlayMapTypes.push(new __NAME__Layer(archive__NAME__, __ENLARGE_TO__));
showAll__NAME__(map);
limitCameraTo__NAME__(map);
// __END_TILES__
// __IF_CAMERA__

const cameraOptions = {
  center: { lat: __CAMERA_LATITUDE__, lng: __CAMERA_LONGITUDE__ },
  zoom: __CAMERA_ZOOM__,
  // Without this option, raster maps round the zoom.
  isFractionalZoomEnabled: true,
  heading: __CAMERA_BEARING__,
  tilt: __CAMERA_TILT__,
  minZoom: __CAMERA_MIN_ZOOM__,
  maxZoom: __CAMERA_MAX_ZOOM__,
  // __IF_CAMERA_BOUNDS__
  // These bounds limit the whole view, while the SDKs for apps limit the target. So they contain the
  // target's bounds, and what the camera sees in a view of __CAMERA_SIZE__ points.
  restriction: {
    latLngBounds: { west: __CAMERA_WEST__, south: __CAMERA_SOUTH__, east: __CAMERA_EAST__, north: __CAMERA_NORTH__ },
    strictBounds: false,
  },
  // __END_CAMERA_BOUNDS__
};

// `map` is your google.maps.Map; you can also pass these options when you create the map.
map.setOptions(cameraOptions);
// __END_CAMERA__
