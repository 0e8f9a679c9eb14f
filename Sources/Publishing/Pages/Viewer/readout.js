// The place, the tile and its pixel under the pointer or the tapping finger; in the middle of the map after
// moves by keys.

class Readout {
  constructor(viewer) {
    const { map } = viewer;
    Object.assign(this, { viewer, map, pixels: new PixelReader(), place: null });
    const cross = L.divIcon({ className: "cross", iconSize: [0, 0] });
    this.mark = L.marker([0, 0], { icon: cross, interactive: false, keyboard: false });
    const box = map.getContainer();
    box.addEventListener("pointerdown", ({ pointerType }) => { this.pointer = pointerType; });
    box.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.follow(map.mouseEventToLatLng(event));
    });
    map.on("click", ({ latlng }) => { if (this.pointer !== "mouse") this.pin(latlng); });
    box.addEventListener("keydown", ({ key }) => { if (/^(Arrow|[-+=]$)/.test(key)) this.hold(); });
    map.on("move", () => { if (this.isHeld) this.pin(map.getCenter(), true); });
  }

  follow(latlng) {
    this.mark.remove();
    this.isHeld = false;
    this.show(latlng);
  }

  pin(latlng, isHeld = false) {
    this.isHeld = isHeld;
    this.mark.setLatLng(latlng).addTo(this.map);
    this.show(latlng);
  }

  hold() { this.pin(this.map.getCenter(), true); }

  show(latlng) {
    this.place = latlng;
    if (!this.isWaiting) requestAnimationFrame(() => this.update());
    this.isWaiting = true;
  }

  // The uppermost picture with a visible pixel there; otherwise the uppermost that has a tile there.
  found(latlng) {
    const x = this.map.latLngToContainerPoint(latlng).x, width = this.map.getSize().x;
    const { layers, comparison } = this.viewer;
    const seen = layers.filter(({ side }) => comparison.isSeen(side, x, width)).reverse();
    const looked = seen.map(({ floor, layer }) => this.look(floor, layer, latlng));
    return looked.find(({ pixel }) => pixel?.[3] > 0) ?? looked.find(({ text }) => text !== OUTSIDE) ?? looked[0];
  }

  look(tileset, layer, latlng) {
    const tile = tileAt(tileset, latlng, this.map.getZoom());
    const name = tileName(tile.z, tile.x, tile.y), image = layer.images.get(name);
    const about = { tileset, name };
    if (!tileset.files.has(tile.z, tile.x, tile.y)) return { ...about, text: OUTSIDE };
    if (layer.outcomes.get(name) === false) return { ...about, text: missing(tileset) };
    if (!image?.complete || !image.naturalWidth) return { ...about, text: phrase("viewer.loading") };
    const column = Math.floor(tile.right * image.naturalWidth), row = Math.floor(tile.down * image.naturalHeight);
    return { ...about, column, row, ...this.pixel(image, column, row) };
  }

  // With the floor, if it is one of several.
  describe({ text, tileset }) {
    const { layers, shown } = this.viewer;
    if (text === OUTSIDE || layers.length < 2) return text;
    return phrase("page.both", { first: text, second: shown.name(tileset) });
  }

  pixel(image, column, row) {
    try {
      const pixel = this.pixels.read(image, column, row);
      return { pixel, text: colourText(pixel) };
    } catch {
      return { text: phrase("viewer.needsServer") };
    }
  }

  update() {
    this.isWaiting = false;
    if (!this.place) return;
    const { lat, lng } = this.place.wrap();
    element("place").textContent = isolated(`${lng.toFixed(6)}, ${lat.toFixed(6)}`);
    const found = this.found(this.place);
    element("tile").textContent = !found ? "" : phrase(
      found.column === undefined ? "viewer.tile" : "viewer.tilePixel", found);
    element("value").textContent = found ? this.describe(found) : "";
    element("swatch").hidden = !found?.pixel;
    if (found?.pixel) element("swatch").style.setProperty("--pixel", css(found.pixel));
  }
}

const OUTSIDE = phrase("viewer.outsideLimits");

const css = ([red, green, blue, alpha]) => `rgb(${red} ${green} ${blue} / ${alpha / 255})`;

// The colour of a pixel of a picture, as its file has it.

class PixelReader {
  constructor() {
    const options = { alpha: true, antialias: false, depth: false };
    this.gl = document.createElement("canvas").getContext("webgl", options);
    if (this.gl) this.prepare(this.gl);
    const canvas = part("canvas", { width: 1, height: 1 });
    this.plain = canvas.getContext("2d", { willReadFrequently: true });
  }

  prepare(gl) {
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
  }

  // Red, green, blue and alpha, of 255. Throws if the page may not read the file, for example on a disk.
  read(image, column, row) {
    return this.readExactly(image, column, row) ?? this.readPlainly(image, column, row);
  }

  // Colours without premultiplied alpha, so that those of faint pixels are not rounded.
  readExactly(image, column, row) {
    const { gl } = this;
    if (!gl || gl.isContextLost()) return null;
    if (this.image !== image) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
      const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      this.image = image;
    }
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) return null;
    const pixel = new Uint8Array(4);
    gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel];
  }

  readPlainly(image, column, row) {
    this.plain.clearRect(0, 0, 1, 1);
    this.plain.drawImage(image, -column, -row);
    return [...this.plain.getImageData(0, 0, 1, 1).data];
  }
}

// `#aabbcc, alpha 50.2 %` in English
function colourText([red, green, blue, alpha]) {
  if (alpha === 0) return phrase("viewer.transparent");
  const digits = [red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("");
  return phrase("viewer.alpha", { color: `#${digits}`, percent: Number((alpha / 2.55).toFixed(1)) });
}
