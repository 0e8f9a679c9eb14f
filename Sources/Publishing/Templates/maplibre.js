// __TITLE__: map tiles for MapLibre GL JS. Written by tilewright.
// __NOTE__

function add__NAME__(map) {
  const add = (id, bounds) => {
    map.addSource(id, {
      type: "raster",
      tiles: [__ADDRESS__],
      // __SIZE_NOTE__
      tileSize: 256,
      minzoom: __MIN_ZOOM__,
      // The last zoom with tiles of its own; above it they are enlarged.
      maxzoom: __MAX_ZOOM__,
      // Where the tiles lie: none is asked for beyond.
      bounds,
      scheme: __SCHEME__,
      __ATTRIBUTION__,
    });
    // The last layer is the uppermost; a second argument names the layer that this one goes below.
    map.addLayer({ id, type: "raster", source: id, paint: { "raster-opacity": 1 } });
  };
  __ADD__
}

__VIEW__

// `map` is your maplibregl.Map; where it has loaded already, call the function at once. After an
// update of the tiles: map.getSource(__ID__).setTiles([another version of the address]).
map.on("load", () => add__NAME__(map));
// Leave the last line out for a map of more than these tiles.
showAll__NAME__(map);
limitCameraTo__NAME__(map);
