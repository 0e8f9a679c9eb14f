// The pictures of a floor on the map. Without the library the page has none of it, and says so.

const optionsOf = (tileset) => ({
  tileSize: 256 * 2 ** zoomOffset(tileset),
  minNativeZoom: tileset.minzoom + zoomOffset(tileset),
  maxNativeZoom: tileset.maxzoom + zoomOffset(tileset),
});

const tileName = (z, x, y) => `${z}/${x}/${y}`;

const Pictures = typeof L === "undefined" ? null : L.GridLayer.extend({
  initialize(tileset, options) {
    L.GridLayer.prototype.initialize.call(this, {
      ...optionsOf(tileset), attribution: credit(tileset.attribution), className: "plan", ...options,
    });
    this.tileset = tileset;
    this.images = new Map();
    // What became of tiles that were asked for: true if they came, false if there are none.
    this.outcomes = new Map();
    if (tileset.archive) this.archive = new Archive(versioned(tileset, tileset.archive));
    this.on("tileunload", ({ tile }) => this.forget(tile));
  },

  createTile(coords, done) {
    const { x, y } = coords, z = coords.z - zoomOffset(this.tileset);
    if (hasTile(this.tileset, z, x, y)) return this.draw(z, x, y, done);
    setTimeout(done);
    return document.createElement("div");
  },

  draw(z, x, y, done) {
    const image = document.createElement("img"), name = tileName(z, x, y);
    image.alt = "";
    image.dataset.tile = name;
    this.images.set(name, image);
    image.onload = () => {
      if (this.archive) URL.revokeObjectURL(image.src);
      this.note(name, true);
      done(null, image);
    };
    // What is missing was transparent.
    image.onerror = () => {
      hide(image);
      this.note(name, false);
      done(null, image);
    };
    if (this.archive) this.drawFromArchive(image, [z, x, y], done);
    else image.src = versioned(this.tileset, address(this.tileset, z, x, y));
    return image;
  },

  async drawFromArchive(image, place, done) {
    try {
      const blob = await this.archive.tile(...place);
      if (blob) image.src = URL.createObjectURL(blob);
      else image.onerror();
    } catch (error) {
      done(error, image);
      tell(phrase("viewer.cannotRead", { file: this.tileset.archive, reason: error.message }));
    }
  },

  note(name, isThere) {
    this.outcomes.set(name, isThere);
    this.fire("outcome", { name });
  },

  forget(image) {
    const name = image.dataset.tile;
    if (this.images.get(name) === image) this.images.delete(name);
  },

  // Pixels are squares beyond the last zoom. Elsewhere lines would become dashes: some pixels would be wider than others.
  showPixels(zoom) {
    const last = this.tileset.maxzoom + zoomOffset(this.tileset);
    this.getContainer()?.classList.toggle("enlarged", zoom - last >= 1);
  },
});
