// A camera for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__

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
