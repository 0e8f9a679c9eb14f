__MODULE__

const archive__NAME__ = new TileArchive({
  // __IF_TREES__
  tiles: __ADDRESS__, scheme: __SCHEME__,
  // __END_TREES__
  // __IF_ARCHIVES__
  archive: __ADDRESS__,
  // __END_ARCHIVES__
  name: __TITLE_TEXT__, minzoom: __MIN_ZOOM__, maxzoom: __MAX_ZOOM__, tileSize: __TILE_SIZE__,
  // The tiles that exist: zoom, first column, first row, last column, last row; rows count from the north.
  limits: [
    __LIMITS__
  ],
}, document.baseURI, { onFault: console.warn });
