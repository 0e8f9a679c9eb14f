// __TITLE__: map tiles for Leaflet 1. Written by tilewright.
// __NOTE__

function add__NAME__(map) {
  return L.tileLayer(__ADDRESS__, {
    // __BOUNDS_NOTE__
    bounds: [[__SOUTH__, __LEAFLET_WEST__], [__NORTH__, __LEAFLET_EAST__]],
    minZoom: __MIN_ZOOM__,
    // The last zoom with tiles of its own; above it, up to maxZoom, they are enlarged.
    maxNativeZoom: __MAX_ZOOM__,
    maxZoom: __OVER_ZOOM__,
    // __SIZE_NOTE__
    tileSize: 256,
    // __TMS_NOTE__
    __TMS__,
    __QUADKEY__,
    opacity: 1,
    zIndex: 100,
    __ATTRIBUTION__,
  }).addTo(map);
}

// `map` is your L.Map. After an update of the tiles: layer.setUrl() with another version.
const layer__NAME__ = add__NAME__(map);
// map.fitBounds([[__SOUTH__, __WEST__], [__NORTH__, __EAST_UNWRAPPED__]]);
