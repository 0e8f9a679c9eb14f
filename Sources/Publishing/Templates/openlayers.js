// __TITLE__: map tiles for OpenLayers. Written by tilewright.
// __NOTE__

import TileLayer from "ol/layer/Tile.js";
import { transformExtent } from "ol/proj.js";
import XYZ from "ol/source/XYZ.js";

// __BOUNDS_NOTE__
const extent__NAME__ = transformExtent(
  [__WEST__, __SOUTH__, __EAST_UNWRAPPED__, __NORTH__], "EPSG:4326", "EPSG:3857");

const layer__NAME__ = new TileLayer({
  __EXTENT__,
  // Exclusive: the layer is seen above this zoom.
  minZoom: __BELOW_ZOOM__,
  opacity: 1,
  zIndex: 100,
  source: new XYZ({
    __SOURCE__,
    minZoom: __MIN_ZOOM__,
    // The last zoom with tiles of its own; above it they are enlarged.
    maxZoom: __MAX_ZOOM__,
    // __SIZE_NOTE__
    tilePixelRatio: __PIXEL_RATIO__,
    __ATTRIBUTION__,
  }),
});
__QUADKEY__

// `map` is your ol/Map. After an update of the tiles: layer.getSource().setUrl() with another
// version.
map.addLayer(layer__NAME__);
// map.getView().fit(extent__NAME__);
