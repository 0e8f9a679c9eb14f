// A camera for OpenLayers. Written by tilewright.
// __NOTE__

import View from "ol/View.js";
// __IF_BOUNDS__
import { fromLonLat, transformExtent } from "ol/proj.js";
// __END_BOUNDS__
// __IF_UNBOUNDED__
import { fromLonLat } from "ol/proj.js";
// __END_UNBOUNDED__

const cameraView = new View({
  center: fromLonLat([__LONGITUDE_UNWRAPPED__, __LATITUDE__]),
  zoom: __ZOOM__,
  // In radians. The map turns in the opposite direction of the camera.
  rotation: __ROTATION__,
  // Otherwise OpenLayers sets rotations below 5 degrees to 0.
  constrainRotation: false,
  // __IF_ZOOMS__
  minZoom: __MIN_ZOOM__,
  maxZoom: __MAX_ZOOM__,
  // __END_ZOOMS__
  // __IF_BOUNDS__
  // These bounds limit the target in the middle of the view; the rest of the view may be outside.
  extent: transformExtent(
    [__WEST__, __SOUTH__, __EAST_UNWRAPPED__, __NORTH__], "EPSG:4326", "EPSG:3857"),
  constrainOnlyCenter: true,
  // __END_BOUNDS__
});

// `map` is your ol/Map.
map.setView(cameraView);
