// __TITLE__ for OpenLayers. Written by tilewright.
// __NOTE__
// __IF_IMPORTS__

import View from "ol/View.js";
// __IF_TILES__
import TileLayer from "ol/layer/Tile.js";
import { transformExtent } from "ol/proj.js";
import XYZ from "ol/source/XYZ.js";
// __END_TILES__
// __IF_CAMERA__
import * as proj from "ol/proj.js";
// __END_CAMERA__
// __END_IMPORTS__
// __IF_ARCHIVES__
// __PART_ARCHIVE_JS__

// __PART_LOAD_OPENLAYERS_JS__
// __END_ARCHIVES__
// __IF_TILES__

// The area of the tiles. The extent of a layer cannot cross the antimeridian.
const extent__NAME__ = transformExtent(
  [__WEST__, __SOUTH__, __EAST_UNWRAPPED__, __NORTH__], "EPSG:4326", "EPSG:3857");

const layer__NAME__ = new TileLayer({
  extent: __EXTENT__,
  // Exclusive: the layer is visible above this zoom.
  minZoom: __BELOW_ZOOM__,
  opacity: 1,
  zIndex: 100,
  source: new XYZ({
    // __IF_TREES__
    url: __TEMPLATE__,
    // __IF_QUADKEY__
    tileUrlFunction: ([zoom, x, y]) => {
      // A digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.
      let quadkey = "";
      for (let bit = zoom - 1; bit >= 0; bit--) quadkey += (x >> bit & 1) | (y >> bit & 1) << 1;
      return __URL__;
    },
    // __END_QUADKEY__
    // __END_TREES__
    // __IF_ARCHIVES__
    tileUrlFunction: (tile) => tile.join("/"),
    tileLoadFunction: load__NAME__(archive__NAME__),
    // __END_ARCHIVES__
    minZoom: __MIN_ZOOM__,
    // The last zoom with tiles; above it, tiles are enlarged.
    maxZoom: __MAX_ZOOM__,
    // __IF_LARGE__
    // Files of 512 pixels are shown in 256 of the page, sharper on dense displays. To show
    // them larger instead, put tileSize: 512 in its place.
    // __END_LARGE__
    tilePixelRatio: __PIXEL_RATIO__,
    attributions: __ATTRIBUTION__,
  }),
});

// Shows all tiles.
function showAll__NAME__(map) {
  map.getView().fit(extent__NAME__, { padding: [64, 64, 64, 64] });
}

// Limits the camera to the zooms and the area of the tiles.
function limitCameraTo__NAME__(map) {
  const view = map.getView();
  map.setView(new View({
    center: view.getCenter(),
    resolution: view.getResolution(),
    rotation: view.getRotation(),
    minZoom: __CAMERA_MIN_ZOOM__,
    maxZoom: __CAMERA_MAX_ZOOM__,
    // These bounds limit the target in the middle of the view; the rest of the view may be outside.
    extent: extent__NAME__,
    constrainOnlyCenter: true,
  }));
}

// __IF_TREES__
// `map` is your ol/Map. After an update of the tiles: layer.getSource().setUrl() with another version.
// __END_TREES__
// __IF_ARCHIVES__
// `map` is your ol/Map. After an update of the archive: layer.getSource().refresh().
// __END_ARCHIVES__
// Leave the last line out if the map shows more than these tiles.
map.addLayer(layer__NAME__);
showAll__NAME__(map);
limitCameraTo__NAME__(map);
// __END_TILES__
// __IF_CAMERA__

const cameraView = new View({
  center: proj.fromLonLat([__CAMERA_LONGITUDE_UNWRAPPED__, __CAMERA_LATITUDE__]),
  zoom: __CAMERA_ZOOM__,
  // In radians. The map turns in the opposite direction of the camera.
  rotation: __CAMERA_ROTATION__,
  // Otherwise OpenLayers sets rotations below 5 degrees to 0.
  constrainRotation: false,
  minZoom: __CAMERA_MIN_ZOOM__,
  maxZoom: __CAMERA_MAX_ZOOM__,
  // __IF_CAMERA_BOUNDS__
  // These bounds limit the target in the middle of the view; the rest of the view may be outside.
  extent: proj.transformExtent(
    [__CAMERA_WEST__, __CAMERA_SOUTH__, __CAMERA_EAST_UNWRAPPED__, __CAMERA_NORTH__], "EPSG:4326", "EPSG:3857"),
  constrainOnlyCenter: true,
  // __END_CAMERA_BOUNDS__
});

// `map` is your ol/Map.
map.setView(cameraView);
// __END_CAMERA__
