// What is under the pointer, under the finger that tapped, or in the middle for who moves by keys: the place,
// the tile, and its pixel.

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

  // The uppermost picture with something there; else the uppermost that has a tile there.
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
    if (!hasTile(tileset, tile.z, tile.x, tile.y)) return { ...about, text: OUTSIDE };
    if (layer.outcomes.get(name) === false) return { ...about, text: missingTile(tileset) };
    if (!image?.complete || !image.naturalWidth) return { ...about, text: phrase("viewer.loading") };
    const column = Math.floor(tile.right * image.naturalWidth), row = Math.floor(tile.down * image.naturalHeight);
    return { ...about, column, row, ...this.pixel(image, column, row) };
  }

  // With the floor, if it is one of several.
  describe({ text, tileset }) {
    const { layers, shown } = this.viewer;
    if (text === OUTSIDE || layers.length < 2) return text;
    return phrase("viewer.valueOf", { value: text, floor: shown.name(tileset) });
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

// A tileset that is not complete left tiles out that are wholly transparent.
const missingTile = ({ isComplete }) =>
  phrase(isComplete ? "viewer.missingTile" : "viewer.missingOrTransparentTile");

const css = ([red, green, blue, alpha]) => `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
