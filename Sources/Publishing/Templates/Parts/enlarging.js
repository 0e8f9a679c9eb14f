// An overlay. Beyond `lastZoom`, up to `maxZoom`, a tile shows a part of its ancestor's picture. The browser
// enlarges that picture, and keeps it for the tiles that show its other parts.
class __LAYER__ {
  #tiles = new Set();

  // name, tileSize, opacity, minZoom, lastZoom, maxZoom, and url(x, y, zoom): null is "no tile".
  constructor(options) {
    Object.assign(this, options);
  }

  // Called by the map, at every zoom, whatever maxZoom is.
  getTile({ x, y }, zoom, page) {
    const tile = page.createElement("div"), { width, height } = this.tileSize;
    const place = { width: `${width}px`, height: `${height}px`, overflow: "hidden" };
    Object.assign(tile.style, place, { opacity: this.opacity });
    this.#tiles.add(tile);
    // Column numbers go on past the antimeridian.
    const edge = 2 ** zoom, column = ((x % edge) + edge) % edge;
    const steps = Math.max(0, zoom - this.lastZoom), count = 2 ** steps;
    const url = zoom > this.maxZoom ? null : this.url(column >> steps, y >> steps, zoom - steps);
    if (url === null) return tile;
    // The whole picture is enlarged, so that smoothing at the part's edges uses the pixels beyond them.
    const image = page.createElement("img");
    Object.assign(image, { src: url, alt: "", onerror: () => image.remove() });
    Object.assign(image.style, {
      display: "block", maxWidth: "none", width: `${width * count}px`, height: `${height * count}px`,
      marginLeft: `${-width * (column % count)}px`, marginTop: `${-height * (y % count)}px`,
    });
    tile.append(image);
    return tile;
  }

  // Called by the map. Cancels a picture that is still loading.
  releaseTile(tile) {
    this.#tiles.delete(tile);
    tile.firstChild?.removeAttribute("src");
  }

  setOpacity(opacity) {
    this.opacity = opacity;
    for (const tile of this.#tiles) tile.style.opacity = opacity;
  }
}
