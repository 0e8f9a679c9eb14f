// A map that asks overlays for tiles as Google's does: at whole zooms, with columns that count on around the
// world. It asks some time after an overlay was added, and frees the tiles of an overlay that was removed.

const google = { maps: {
  Size: class { constructor(width, height) { Object.assign(this, { width, height }); } },
  ControlPosition: { RIGHT_CENTER: 0 },
  Map: class {
    #overlays = [];
    #tiles = [];
    #zoom = 1;
    #middle = [0.5, 0.5];
    options = {};
    overlayMapTypes = {
      getArray: () => this.#overlays,
      push: (overlay) => { this.#overlays.push(overlay); setTimeout(() => this.#draw(overlay), 20); },
      removeAt: (index) => this.#clear(this.#overlays.splice(index, 1)[0]),
    };
    controls = [{ push: (element) => {
      Object.assign(element.style, { position: "absolute", top: "0", right: "0", zIndex: 1 });
      this.div.append(element);
    } }];

    constructor(div) {
      this.div = div;
      Object.assign(div.style, { position: "relative", overflow: "hidden" });
    }

    getDiv() { return this.div; }

    setOptions(options) { Object.assign(this.options, options); }

    fitBounds({ west, south, east, north }) {
      const y = (latitude) => 0.5 - Math.asinh(Math.tan(latitude * Math.PI / 180)) / 2 / Math.PI;
      const x = (longitude) => longitude / 360 + 0.5;
      this.#middle = [(x(west) + x(east)) / 2, (y(north) + y(south)) / 2];
      const width = (this.div.clientWidth - 128) / (x(east) - x(west));
      const height = (this.div.clientHeight - 128) / (y(south) - y(north));
      this.setZoom(Math.floor(Math.log2(Math.min(width, height) / 256)));
    }

    getZoom() { return this.#zoom; }

    setZoom(zoom) {
      this.#zoom = zoom;
      for (const overlay of this.#overlays) {
        this.#clear(overlay);
        this.#draw(overlay);
      }
    }

    #clear(overlay) {
      for (const [, tile] of this.#tiles.filter(([owner]) => owner === overlay)) {
        overlay.releaseTile(tile);
        tile.remove();
      }
      this.#tiles = this.#tiles.filter(([owner]) => owner !== overlay);
    }

    #draw(overlay) {
      if (!this.#overlays.includes(overlay)) return;
      const { width, height } = overlay.tileSize, count = 2 ** this.#zoom;
      const { clientWidth, clientHeight } = this.div;
      const [left, top] = [
        Math.round(this.#middle[0] * 256 * count - clientWidth / 2),
        Math.round(this.#middle[1] * 256 * count - clientHeight / 2)];
      for (let x = Math.floor(left / width); x * width < left + clientWidth; x++) {
        for (let y = Math.floor(top / height); y * height < top + clientHeight; y++) {
          const tile = overlay.getTile({ x: x + count, y }, this.#zoom, document);
          const place = { left: `${x * width - left}px`, top: `${y * height - top}px` };
          Object.assign(tile.style, { position: "absolute", ...place });
          this.div.prepend(tile);
          this.#tiles.push([overlay, tile]);
        }
      }
    }
  },
} };
