// A camera for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__

const cameraOptions = {
  center: { lat: __LATITUDE__, lng: __LONGITUDE__ },
  zoom: __ZOOM__,
  // Raster maps round the zoom without it.
  isFractionalZoomEnabled: true,
  heading: __BEARING__,
  tilt: __TILT__,
  // __IF_ZOOMS__
  minZoom: __MIN_ZOOM__,
  maxZoom: __MAX_ZOOM__,
  // __END_ZOOMS__
  // __IF_BOUNDS__
  // It holds what is seen, and not the target, as limits in the SDKs for apps do: here are the target's
  // bounds, and what the camera sees in a view of __WIDTH__ x __HEIGHT__ points.
  restriction: {
    latLngBounds: { west: __WEST__, south: __SOUTH__, east: __EAST__, north: __NORTH__ },
    strictBounds: false,
  },
  // __END_BOUNDS__
};

// `map` is your google.maps.Map; the options may also be those that it is made with.
map.setOptions(cameraOptions);
