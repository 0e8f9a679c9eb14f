// The place, the tile and its pixel under the pointer or the tapping finger; in the middle of the map after
// moves by keys.

class Readout {
  constructor(viewer) {
    const { map } = viewer, box = map.getContainer();
    Object.assign(this, { viewer, map, pixels: new PixelReader(), place: null });
    const cross = L.divIcon({ className: "cross", iconSize: [0, 0] });
    this.mark = L.marker([0, 0], { icon: cross, interactive: false, keyboard: false });
    box.addEventListener("pointerdown", ({ pointerType }) => { this.pointer = pointerType; });
    box.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.move(map.mouseEventToLatLng(event), { isMarked: false });
    });
    map.on("click", ({ latlng }) => { if (this.pointer !== "mouse") this.move(latlng); });
    const hold = () => this.move(map.getCenter(), { isHeld: true });
    box.addEventListener("keydown", ({ key }) => { if (/^(Arrow|[-+=]$)/.test(key)) hold(); });
    map.on("move", () => { if (this.isHeld) hold(); });
  }

  move(place, { isMarked = true, isHeld = false } = {}) {
    Object.assign(this, { place, isHeld });
    if (isMarked) this.mark.setLatLng(place).addTo(this.map);
    else this.mark.remove();
    this.update();
  }

  // The uppermost picture with a visible pixel there; otherwise the uppermost that has a tile there.
  found(place) {
    const { layers, comparison } = this.viewer;
    const share = this.map.latLngToContainerPoint(place).x / this.map.getSize().x;
    const seen = layers.filter((layer) => comparison.isSeen(layer, share)).reverse();
    const looked = seen.map((layer) => this.look(layer, place));
    return looked.find(({ pixel }) => pixel?.[3] > 0)
      ?? looked.find(({ text }) => text !== OUTSIDE) ?? looked[0];
  }

  look(layer, place) {
    const { tileset } = layer, { tile, right, down } = tileAt(tileset, place, this.map.getZoom());
    const name = tile.join("/"), image = layer.image(name), about = { tileset, name };
    if (!tileset.files.has(...tile)) return { ...about, text: OUTSIDE };
    if (image?.isMissing) return { ...about, text: missing(tileset) };
    if (!image?.complete || !image.naturalWidth) return { ...about, text: phrase("viewer.loading") };
    about.column = Math.floor(right * image.naturalWidth);
    about.row = Math.floor(down * image.naturalHeight);
    try {
      const pixel = this.pixels.read(image, about.column, about.row);
      return { ...about, pixel, text: colourText(pixel) };
    } catch {
      return { ...about, text: phrase("viewer.needsServer") };
    }
  }

  update() {
    if (!this.place) return;
    const { lat, lng } = this.place.wrap(), found = this.found(this.place);
    element("place").textContent = isolated(`${lng.toFixed(6)}, ${lat.toFixed(6)}`);
    element("tile").textContent = !found ? "" : phrase(
      found.column === undefined ? "viewer.tile" : "viewer.tilePixel", found);
    element("value").textContent = found ? this.describe(found) : "";
    element("swatch").hidden = !found?.pixel;
    if (found?.pixel) element("swatch").style.setProperty("--pixel", css(found.pixel));
  }

  // With the floor, if it is one of several.
  describe({ text, tileset }) {
    const { layers, shown } = this.viewer;
    if (text === OUTSIDE || layers.length < 2) return text;
    return phrase("page.both", { first: text, second: shown.name(tileset) });
  }
}

const OUTSIDE = phrase("viewer.outsideLimits");

const css = ([red, green, blue, alpha]) => `rgb(${red} ${green} ${blue} / ${alpha / 255})`;

// The colour of a pixel of a picture, as its file has it.
class PixelReader {
  constructor() {
    const gl = this.gl = document.createElement("canvas").getContext("webgl"), texture = gl?.createTexture();
    if (!gl) return;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
  }

  // Red, green, blue and alpha, of 255. Throws if the page may not read the file, for example on a disk.
  read(image, column, row) {
    return this.readExactly(image, column, row) ?? this.readPlainly(image, column, row);
  }

  // Colours without premultiplied alpha, so that those of faint pixels are not rounded.
  readExactly(image, column, row) {
    const { gl } = this, pixel = new Uint8Array(4);
    if (!gl) return null;
    if (this.image !== image) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    this.image = image;
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) return null;
    gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel];
  }

  readPlainly(image, column, row) {
    const plain = part("canvas", { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
    plain.drawImage(image, -column, -row);
    return [...plain.getImageData(0, 0, 1, 1).data];
  }
}

// `#aabbcc, alpha 50.2 %` in English
function colourText([red, green, blue, alpha]) {
  if (alpha === 0) return phrase("viewer.transparent");
  const digits = [red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("");
  return phrase("viewer.alpha", { color: `#${digits}`, percent: Number((alpha / 2.55).toFixed(1)) });
}
