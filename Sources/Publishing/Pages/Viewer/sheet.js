// A printed page: the plan as it is shown, fitted to a sheet of A4.

// The room within the margins of a portrait sheet, below its title, in pixels of the page (96 to the inch).
const SHEET = { width: 716, height: 1044, margin: "10mm", head: 64 };

// 288 pixels of a tile to the inch, as printers show.
const SHEET_DENSITY = 3;

class Sheet {
  constructor(viewer) {
    Object.assign(this, { viewer, rule: part("style") });
    document.head.append(this.rule);
    addEventListener("beforeprint", () => this.open());
    addEventListener("afterprint", () => this.close());
  }

  // The part of the buildings that is in sight.
  get area() {
    const { map } = this.viewer, view = map.getBounds(), whole = L.latLngBounds(this.viewer.area());
    if (!view.overlaps(whole)) return view;
    return L.latLngBounds(
      [Math.max(view.getSouth(), whole.getSouth()), Math.max(view.getWest(), whole.getWest())],
      [Math.min(view.getNorth(), whole.getNorth()), Math.min(view.getEast(), whole.getEast())]);
  }

  open() {
    if (sheetDensity) return;
    const { viewer, area } = this, { map, shown } = viewer;
    this.view = [map.getCenter(), map.getZoom()];
    const size = map.project(area.getSouthEast(), 0).subtract(map.project(area.getNorthWest(), 0));
    const edges = [SHEET.width, SHEET.height], isWide = size.x > size.y;
    const [width, height] = isWide ? edges.reverse() : edges;
    this.rule.textContent = `@page { size: A4 ${isWide ? "landscape" : "portrait"}; margin: ${SHEET.margin}; }`;
    const names = shown.layers.map(({ floor }) => shown.name(floor));
    element("sheet-title").replaceChildren(named(element("title").textContent));
    element("sheet-floors").textContent = together(names);
    Object.assign(element("stage").style, { width: `${width}px`, height: `${height - SHEET.head}px` });
    document.body.dataset.sheet = "";
    this.show(SHEET_DENSITY, () => map.fitBounds(area, { animate: false }));
  }

  close() {
    if (!sheetDensity) return;
    delete document.body.dataset.sheet;
    Object.assign(element("stage").style, { width: "", height: "" });
    this.rule.textContent = "";
    this.show(null, () => this.viewer.map.setView(...this.view, { animate: false, reset: true }));
  }

  // Shows tiles of another density in the room that the map now has.
  show(density, action) {
    const { viewer } = this;
    viewer.removeLayers();
    sheetDensity = density;
    viewer.map.invalidateSize({ animate: false, pan: false });
    viewer.setZoom(action);
    viewer.change();
  }
}
