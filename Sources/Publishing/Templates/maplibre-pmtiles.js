// __TITLE__: a PMTiles archive for MapLibre GL JS. Written by tilewright.
// __NOTE__
//
// It needs pmtiles.js (https://www.npmjs.com/package/pmtiles) beside MapLibre, and a server that
// knows range requests, as most do.

function add__NAME__(map) {
  maplibregl.addProtocol("pmtiles", new pmtiles.Protocol().tile);
  // The archive says its zooms and bounds, and the map asks for nothing beyond.
  map.addSource(__ID__, {
    type: "raster",
    url: "pmtiles://" + __ADDRESS__,
    // __SIZE_NOTE__
    tileSize: 256,
    __ATTRIBUTION__,
  });
  // The last layer is the uppermost; a second argument names the layer that this one goes below.
  map.addLayer({ id: __ID__, type: "raster", source: __ID__, paint: { "raster-opacity": 1 } });
}

__VIEW__

// `map` is your maplibregl.Map; where it has loaded already, call the function at once. After an
// update of the archive, add it with another version in its address.
map.on("load", () => add__NAME__(map));
// Leave the last line out for a map of more than these tiles.
showAll__NAME__(map);
limitCameraTo__NAME__(map);
