class __NAME__Layer {
  // __IF_LARGE__
  // Pixels of the page: files of 512 pixels are shown sharper on dense displays. With
  // Size(512, 512) they would be tiles of the next lower zoom.
  // __END_LARGE__
  tileSize = new google.maps.Size(256, 256);
  #tiles = new Map();

  constructor(archive, maxZoom, opacity = 1) {
    Object.assign(this, { archive, name: archive.name, minZoom: archive.zooms[0], maxZoom, opacity });
  }

  // Called by the map, at every zoom. Column numbers go on past the antimeridian.
  getTile({ x, y }, zoom, page) {
    const canvas = page.createElement("canvas"), stop = new AbortController(), count = 2 ** zoom;
    Object.assign(canvas.style, { width: "256px", height: "256px", opacity: this.opacity });
    const options = { enlargeTo: this.maxZoom, signal: stop.signal };
    const drawn = this.archive.draw(canvas, zoom, ((x % count) + count) % count, y, options).catch(() => {});
    this.#tiles.set(canvas, { stop, drawn });
    return canvas;
  }

  // Called by the map.
  releaseTile(canvas) {
    this.#tiles.get(canvas)?.stop.abort();
    this.#tiles.delete(canvas);
  }

  setOpacity(opacity) {
    this.opacity = opacity;
    for (const canvas of this.#tiles.keys()) canvas.style.opacity = opacity;
  }
  // __IF_INDEX__

  /** Waits until the map has asked for tiles, and these are drawn. */
  async whenDrawn() {
    while (this.#tiles.size === 0) await new Promise(requestAnimationFrame);
    await Promise.all([...this.#tiles.values()].map(({ drawn }) => drawn));
  }
  // __END_INDEX__
}
