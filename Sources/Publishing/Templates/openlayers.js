// __TITLE__ for OpenLayers. Written by tilewright.
// __NOTE__

// __IF_CAMERA__
import View from "ol/View.js";
// __END_CAMERA__
// __IF_TILES__
// __IF_IMPORTS__
import View from "ol/View.js";
import TileLayer from "ol/layer/Tile.js";
import { transformExtent } from "ol/proj.js";
import XYZ from "ol/source/XYZ.js";
// __END_IMPORTS__
// __IF_ARCHIVES__
// __IF_MODULE__
// The module comes from the command: tilewright snippet --library --for openlayers > tilewright-tiles.js
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

async function load__NAME__(tile) {
  const canvas = document.createElement("canvas");
  try {
    if (await archive__NAME__.draw(canvas, ...tile.getTileCoord())) tile.setImage(canvas);
    else tile.setState(4); // There is no such tile.
  } catch {
    tile.setState(3); // Not now.
  }
}
// __END_ARCHIVES__

// __BOUNDS_NOTE__
const extent__NAME__ = transformExtent(
  [__WEST__, __SOUTH__, __EAST_UNWRAPPED__, __NORTH__], "EPSG:4326", "EPSG:3857");

const layer__NAME__ = new TileLayer({
  __EXTENT__,
  // Exclusive: the layer is visible above this zoom.
  minZoom: __BELOW_ZOOM__,
  opacity: 1,
  zIndex: 100,
  source: new XYZ({
    // __IF_TREES__
    __SOURCE__,
    // __END_TREES__
    // __IF_ARCHIVES__
    tileUrlFunction: (tile) => tile.join("/"),
    tileLoadFunction: load__NAME__,
    // __END_ARCHIVES__
    minZoom: __MIN_ZOOM__,
    // The last zoom with tiles; above it, tiles are enlarged.
    maxZoom: __MAX_ZOOM__,
    // __SIZE_NOTE__
    tilePixelRatio: __PIXEL_RATIO__,
    __ATTRIBUTION__,
  }),
});
__QUADKEY__

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
// __END_CAMERA__
