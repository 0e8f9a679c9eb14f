// __TITLE__: map tiles for the Google Maps JavaScript API. Written by tilewright.
// __NOTE__

function add__NAME__(map) {
  // The tiles that exist: zoom, first and last column from the west, first and last row from the
  // north.
  const limits = [
    __LIMITS__
  ];
  const layer = new google.maps.ImageMapType({
    name: __TITLE_TEXT__,
    // __SIZE_NOTE__
    tileSize: new google.maps.Size(256, 256),
    opacity: 1,
    minZoom: __MIN_ZOOM__,
    maxZoom: __MAX_ZOOM__,
    getTileUrl(tile, zoom) {
      // Columns go on counting around the world.
      const edge = 2 ** zoom, x = ((tile.x % edge) + edge) % edge, y = tile.y;
      // An overlay is asked at every zoom, whatever its maxZoom; null is "no tile".
      const exists = limits.some(([z, west, east, north, south]) =>
        z === zoom && west <= x && x <= east && north <= y && y <= south);
      return exists ? __URL__ : null;
    },
  });
  // The last overlay is the uppermost. After an update of the tiles, take the layer out of
  // overlayMapTypes and add it again.
  map.overlayMapTypes.push(layer);
  return layer;
}
__QUADKEY__

// `map` is your google.maps.Map; this is where the tiles lie:
// map.fitBounds({ west: __WEST__, south: __SOUTH__, east: __EAST__, north: __NORTH__ });
add__NAME__(map);
