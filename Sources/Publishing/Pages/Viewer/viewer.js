// The page of `viewer`.

// The map under all: of a shared page, the one that it names, or none.
function baseMap(options) {
  if (basemap === "") return null;
  return basemap ? backgroundMap(basemap, options) : openStreetMap(options);
}

const DEFAULT_BACKGROUND = basemap === "" ? "white" : "map";

// The background of the pictures: a map, or a pattern or colour that shows edges and transparent parts.
class Background {
  constructor(map, options, change) {
    Object.assign(this, { map, select: element("background"), color: element("color") });
    this.layer = baseMap({ ...options, className: "background" });
    const [option] = this.select.options;
    if (!this.layer) option.remove();
    else if (basemap) option.textContent = new URL(basemap).host;
    noteMissing(this.layer, element("no-map"));
    this.select.onchange = this.color.oninput = () => change(() => this.update());
  }

  // A name, or the digits of a colour.
  get value() { return this.select.value === "color" ? this.color.value.slice(1) : this.select.value; }

  set value(text) {
    const isColor = /^[0-9a-f]{6}$/.test(text);
    if (isColor) this.color.value = `#${text}`;
    this.select.value = isColor ? "color" : text;
    // There is no such name.
    if (this.select.value === "") this.select.value = DEFAULT_BACKGROUND;
    this.update();
  }

  // The form in links, where "map" means the default.
  get inLink() { return this.value === DEFAULT_BACKGROUND ? "map" : this.value; }

  update() {
    const { value } = this.select, box = element("map");
    box.dataset.background = value;
    box.style.background = value === "color" ? this.color.value : "";
    this.color.hidden = value !== "color";
    if (value === "map") this.layer.addTo(this.map);
    else {
      this.layer?.remove();
      element("no-map").hidden = true;
    }
  }
}

class Viewer {
  constructor() {
    const change = (action) => this.change(action);
    Object.assign(this, { shown: new Shown(buildings), layers: [] });
    this.switch = new FloorSwitch(this.shown, change);
    this.comparison = new Comparison(this.shown, change);
    this.arrange();
    // The map takes the room that is left.
    this.map = this.makeMap();
    this.background = new Background(this.map, { maxZoom: this.maxZoom, zIndex: 1 }, change);
    this.marks = new TileMarks(this.map, { maxZoom: this.maxZoom, zIndex: 1000 });
    this.readout = new Readout(this);
    // Tiles from elsewhere would come too late for a printed sheet.
    if (isShared) this.sheet = new Sheet(this);
    this.addControls();
    this.showLink(true);
    this.map.on("zoomend moveend", () => this.updateView());
    this.map.on("move zoomend resize", () => this.clip());
    addEventListener("hashchange", () => this.showLink());
    // Towers may have more floors than fit on the screen.
    const box = element("floors"), chosen = box.querySelector(".floor :checked").parentNode;
    box.scrollTop = chosen.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
    document.body.dataset.ready = "";
  }

  arrange() {
    element("settings").open = innerWidth > 700;
    document.body.classList.toggle("several", this.shown.areSeveral);
    document.body.classList.toggle("many", buildings.length > 3);
    element("side").hidden = element("readout").hidden = false;
  }

  makeMap() {
    const floors = buildings.flatMap((one) => one.floors);
    // Pixels can be enlarged 16 times.
    this.maxZoom = Math.max(...floors.map((one) => one.maxzoom + Math.max(0, zoomOffset(one)))) + 4;
    const map = L.map("map", { maxZoom: this.maxZoom, fadeAnimation: false, zoomControl: false });
    L.control.zoom({ zoomInTitle: phrase("page.zoomIn"), zoomOutTitle: phrase("page.zoomOut") }).addTo(map);
    creditLibrary(map);
    L.control.scale().addTo(map);
    new ResizeObserver(([{ target }]) => {
      // The map loses its exact middle when its size is updated.
      const isSame = map.getSize().equals([target.clientWidth, target.clientHeight]);
      if (!isSame) map.invalidateSize({ animate: false });
    }).observe(map.getContainer());
    return map;
  }

  addControls() {
    element("opacity").oninput = element("borders").oninput = () => this.change();
    element("fit").onclick = () => this.showArea(this.area());
    element("exact").onclick = () => {
      const { main } = this.shown, zoom = exactZoom(main, shownZoom(main, this.map.getZoom()));
      this.setZoom(() => this.map.setZoom(zoom, { animate: false }));
    };
    // Buildings may be far from each other.
    const select = element("building"), names = buildings.map(({ name }) => name || phrase("viewer.others"));
    element("near").hidden = !this.shown.areSeveral;
    select.append(...[phrase("viewer.building"), ...names].map((name) => new Option(name)));
    select.onchange = () => {
      const building = buildings[select.selectedIndex - 1];
      if (building) this.showArea(this.area([building]));
      select.selectedIndex = 0;
    };
  }

  // Shows what the page's address says, which may be typed or pasted. The first view is otherwise everything.
  showLink(isFirst = false) {
    const link = readLink(this.shown, location.hash), opacity = parseInt(link.one("opacity"), 10);
    follow(this.shown, link);
    if (link.view) {
      const [zoom, lat, lng] = link.view;
      // Exact to the fraction of a pixel, unlike a pan.
      this.setZoom(() => this.map.setView([lat, lng], zoom, { animate: false, reset: true }));
    } else if (isFirst) this.showArea(this.area(), { animate: false });
    this.background.value = link.one("background") ?? DEFAULT_BACKGROUND;
    element("opacity").value = Number.isFinite(opacity) ? opacity : 100;
    element("borders").checked = link.one("borders") === "1";
    this.change();
  }

  // Otherwise the map rounds zooms.
  setZoom(action) {
    this.map.options.zoomSnap = 0;
    action();
    this.map.options.zoomSnap = 1;
  }

  // Shows all of an area. On a phone, the area fills the room that the map's buttons leave free, at a
  // fractional zoom.
  showArea(area, options) {
    if (innerWidth > 700) return this.map.fitBounds(area, options);
    this.setZoom(() => {
      const zoom = ([start, end]) => this.map.getBoundsZoom(area, false, start.add(end));
      const [room] = freeRooms(this.map).sort((a, b) => zoom(b) - zoom(a));
      this.map.fitBounds(area, {
        animate: false, maxZoom: withoutGaps(zoom(room)), paddingTopLeft: room[0], paddingBottomRight: room[1],
      });
    });
  }

  // A building has one frame for all its floors; tilesets that only share a page have their own frames.
  area(of = this.shown.inSight) {
    const some = of.length > 0 ? of : buildings;
    const floors = some.flatMap((one) => one.isBuilding ? one.floors : [this.shown.floor(one)]);
    const [west, south, east, north] = around(floors.map(({ bounds }) => bounds));
    return [[south, west], [north, east]];
  }

  // Runs an action, and updates the page.
  change(action) {
    action?.();
    this.updateLayers();
    this.marks.update(element("borders").checked ? this.layers : []);
    this.switch.update();
    this.comparison.update();
    this.clip();
    this.updateNames();
    this.updateView();
  }

  updateLayers() {
    const opacity = element("opacity").value / 100, before = this.layers;
    this.layers = this.shown.layers.map(({ floor, side }, index) => {
      const layer = before.find((one) => one.tileset === floor) ?? this.pictures(floor);
      return Object.assign(layer, { side }).setZIndex(2 + index).setOpacity(opacity);
    });
    for (const layer of before) if (!this.layers.includes(layer)) layer.remove();
  }

  removeLayers() {
    for (const layer of this.layers) layer.remove();
    this.layers = [];
  }

  pictures(floor) {
    const layer = new Pictures(floor, { maxZoom: this.maxZoom }).on("tileload", ({ tile }) => {
      this.marks.refresh(tile.dataset.tile);
      this.readout.update();
    });
    return layer.addTo(this.map);
  }

  clip() { for (const layer of this.layers) this.comparison.clip(this.map, layer); }

  updateNames() {
    const { main, areSeveral } = this.shown;
    const name = title ?? (main.building.name || main.name);
    element("title").replaceChildren(named(name));
    element("map").setAttribute("aria-label", phrase("viewer.mapOf", { name }));
    document.title = title && !areSeveral
      ? phrase("page.both", { first: main.label, second: title }) : name;
    element("description").textContent = areSeveral ? "" : main.description;
  }

  updateView() {
    const zoom = this.map.getZoom();
    for (const layer of this.layers) layer.showPixels(zoom);
    this.showZoom(zoom);
    this.readout.update();
    this.remember();
  }

  // Browsers refuse more than a hundred changes of the address in half a minute; a slider could cause more.
  remember() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (sheetDensity) return;
      history.replaceState(null, "", linkText(this.shown, {
        zoom: this.map.getZoom(), center: this.map.getCenter(), background: this.background.inLink,
        opacity: Number(element("opacity").value), hasBorders: element("borders").checked,
      }));
    }, 350);
  }

  showZoom(zoom) {
    const { main } = this.shown, z = shownZoom(main, zoom), scale = 2 ** (zoom - exactZoom(main, z));
    const isExact = Math.abs(scale - 1) < 1e-3, isNative = isExact && z === main.maxzoom;
    const factor = Math.round(Math.max(scale, 1 / scale) * 100) / 100;
    const size = isExact ? "1:1" : phrase(scale > 1 ? "viewer.enlarged" : "viewer.shrunk", { factor });
    element("zoom").textContent = phrase(isNative ? "viewer.zoomNative" : "viewer.zoom", { zoom: z, size });
    element("zoom").classList.toggle("native", isNative);
  }
}

// The free areas below and next to the map's buttons: their distances from the map's corners.
function freeRooms(map) {
  const gap = 6, all = map.getContainer().getBoundingClientRect();
  const box = (selector) => map.getContainer().querySelector(selector).getBoundingClientRect();
  const buttons = box(".leaflet-control-zoom");
  const feet = [".leaflet-control-scale", ".leaflet-control-attribution"].map((one) => box(one).top);
  const starts = [[gap, buttons.bottom - all.top + gap], [buttons.right - all.left + gap, gap]];
  return starts.map((start) => [L.point(start), L.point(gap, all.bottom - Math.min(...feet) + gap)]);
}

// The next zoom at which tiles are whole pixels wide, so that no lines appear between them.
function withoutGaps(zoom) {
  const whole = Math.round(zoom), width = Math.floor(256 * 2 ** (zoom - whole) + 1e-6);
  return whole + Math.log2(width / 256);
}

if (isWithoutLibrary("viewer")) {
  // There is nothing to show.
} else if (location.protocol === "file:" && buildings.some(({ floors }) => floors.some((one) => one.archive))) {
  tell(phrase("viewer.archiveFile", {
    command: "python3 -m http.server", address: `http://localhost:8000/${location.pathname.split("/").pop()}`,
  }));
} else globalThis.viewer = new Viewer();
