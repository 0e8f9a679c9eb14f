const bounds__NAME__ = [__WEST__, __SOUTH__, __EAST_UNWRAPPED__, __NORTH__];

// Shows all tiles.
function showAll__NAME__(map) {
  map.fitBounds(bounds__NAME__, { padding: 64, linear: true, animate: false });
}

// Keeps the camera to the zooms that show something, and its target to the tiles.
function limitCameraTo__NAME__(map) {
  // Zooms of a world of 512 points: one less than those of the tiles' addresses.
  map.setMaxZoom(__CAMERA_MAX_ZOOM__);
  map.setMinZoom(__CAMERA_MIN_ZOOM__);
  const [west, south, east, north] = bounds__NAME__;
  __TARGET_LIMIT__
}
