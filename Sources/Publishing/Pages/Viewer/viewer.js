// The page of `viewer`.

// The background of the pictures: a map, or a pattern or colour that shows edges and transparent parts.
const BACKGROUNDS = ["map", "checkerboard", "white", "black", "color"];

class Background {
  constructor(map, options, change) {
    this.map = map;
    this.box = element("map");
    this.layer = openStreetMap({ ...options, className: "background" });
    noteMissing(this.layer, element("no-map"));
    this.select = element("background");
    this.color = element("color");
    this.select.addEventListener("change", () => change(() => this.update()));
    this.color.addEventListener("input", () => change(() => this.update()));
  }

  // The form in links: a name, or the digits of a colour.
  get value() { return this.select.value === "color" ? this.color.value.slice(1) : this.select.value; }

  set value(text) {
    if (/^[0-9a-f]{6}$/.test(text)) {
      this.color.value = `#${text}`;
      this.select.value = "color";
    } else {
      this.select.value = BACKGROUNDS.includes(text) && text !== "color" ? text : "map";
    }
    this.update();
  }

  update() {
    const { value } = this.select;
    for (const name of BACKGROUNDS) this.box.classList.toggle(name, name === value);
    this.box.style.background = value === "color" ? this.color.value : "";
    this.color.hidden = value !== "color";
    if (value === "map") this.layer.addTo(this.map);
    else {
      this.layer.remove();
      element("no-map").hidden = true;
    }
  }
}

class Viewer {
  constructor() {
    const change = (action) => this.change(action);
    this.shown = new Shown(buildings);
    this.layers = [];
    this.switch = new FloorSwitch(this.shown, change);
    this.comparison = new Comparison(this.shown, change);
    this.arrange();
    // The remaining room.
    this.map = this.makeMap();
    this.background = new Background(this.map, { maxZoom: this.maxZoom, zIndex: 1 }, change);
    this.marks = new TileMarks(this.map, { maxZoom: this.maxZoom, zIndex: 1000 });
    this.readout = new Readout(this);
    this.addControls();
    this.open();
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
    new ResizeObserver(() => this.fillRoom(map)).observe(element("map"));
    return map;
  }

  // The map loses its exact middle when its size is updated.
  fillRoom(map) {
    const { clientWidth, clientHeight } = map.getContainer();
    if (!map.getSize().equals([clientWidth, clientHeight])) map.invalidateSize({ animate: false });
  }

  addControls() {
    for (const id of ["opacity", "borders"]) element(id).addEventListener("input", () => this.change());
    element("fit").addEventListener("click", () => this.showArea(this.area()));
    element("exact").addEventListener("click", () => {
      const { main } = this.shown, zoom = exactZoom(main, shownZoom(main, this.map.getZoom()));
      this.setZoom(() => this.map.setZoom(zoom, { animate: false }));
    });
    this.addPlaces();
  }

  // Buildings may be far from each other.
  addPlaces() {
    const select = element("building");
    element("near").hidden = !this.shown.areSeveral;
    select.append(part("option", { value: "", textContent: phrase("viewer.building") }));
    buildings.forEach(({ name }, value) =>
      select.append(part("option", { value, textContent: name || phrase("viewer.others") })));
    select.addEventListener("change", () => {
      if (select.value !== "") this.showArea(this.area([buildings[select.value]]));
      select.value = "";
    });
  }

  // The first view: from the page's address, otherwise everything.
  open() {
    const link = readLink(this.shown, location.hash);
    follow(this.shown, link);
    this.showArea(this.area(), { animate: false });
    this.setView(link);
    this.takeSettings(link);
    this.map.on("zoomend moveend", () => this.updateView());
    this.map.on("move zoomend resize", () => this.clip());
    addEventListener("hashchange", () => this.turnTo(readLink(this.shown, location.hash)));
    this.change();
    this.switch.scrollToChosen();
    document.body.dataset.ready = "";
  }

  // Another address was typed or pasted.
  turnTo(link) {
    clearTimeout(this.timer);
    this.timer = null;
    this.change(() => {
      follow(this.shown, link);
      this.setView(link);
      this.takeSettings(link);
    });
  }

  takeSettings(link) {
    this.background.value = link.one("background") ?? "map";
    const opacity = parseInt(link.one("opacity") ?? "100", 10);
    element("opacity").value = Number.isFinite(opacity) ? opacity : 100;
    element("borders").checked = link.one("borders") === "1";
  }

  // Exact to the fraction of a pixel, unlike a pan.
  setView({ view }) {
    if (!view) return;
    const [zoom, lat, lng] = view;
    this.setZoom(() => this.map.setView([lat, lng], zoom, { animate: false, reset: true }));
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
    const rooms = freeRooms(this.map);
    this.setZoom(() => {
      const zoom = ([top, right, bottom, left]) =>
        this.map.getBoundsZoom(area, false, L.point(left + right, top + bottom));
      const room = rooms.reduce((a, b) => zoom(b) > zoom(a) ? b : a), [top, right, bottom, left] = room;
      this.map.fitBounds(area, {
        animate: false, maxZoom: withoutGaps(zoom(room)), paddingTopLeft: [left, top],
        paddingBottomRight: [right, bottom],
      });
    });
  }

  area(of = this.shown.inSight) {
    const some = of.length > 0 ? of : buildings;
    const [west, south, east, north] = around(some.map((one) => frame(one, this.shown.floor(one))));
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
    const opacity = element("opacity").value / 100;
    const before = this.layers;
    this.layers = this.shown.layers.map(({ floor, side }, index) => {
      const layer = before.find((one) => one.floor === floor)?.layer ?? this.pictures(floor);
      layer.setZIndex(2 + index).setOpacity(opacity);
      return { floor, side, layer };
    });
    for (const { floor, layer } of before) {
      if (!this.layers.some((one) => one.floor === floor)) layer.remove();
    }
  }

  pictures(floor) {
    const layer = new Pictures(floor, { maxZoom: this.maxZoom }).addTo(this.map);
    layer.on("outcome", () => this.readout.show(this.readout.place));
    return layer;
  }

  clip() {
    for (const { layer, side } of this.layers) this.comparison.clip(this.map, layer, side);
  }

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
    for (const { layer } of this.layers) layer.showPixels(zoom);
    this.showZoom(zoom);
    this.readout.update();
    this.remember();
  }

  // Browsers refuse more than a hundred changes of the address in half a minute; a slider could cause more.
  remember() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      history.replaceState(null, "", this.link);
    }, this.isRemembered ? 350 : 0);
    this.isRemembered = true;
  }

  get link() {
    return linkText(this.shown, {
      zoom: this.map.getZoom(), center: this.map.getCenter(), background: this.background.value,
      opacity: Number(element("opacity").value), hasBorders: element("borders").checked,
    });
  }

  showZoom(zoom) {
    const { main } = this.shown, z = shownZoom(main, zoom), scale = 2 ** (zoom - exactZoom(main, z));
    const isExact = Math.abs(scale - 1) < 1e-3, isNative = isExact && z === main.maxzoom;
    const size = isExact ? "1:1"
      : scale > 1 ? phrase("viewer.enlarged", { factor: rounded(scale) })
        : phrase("viewer.shrunk", { factor: rounded(1 / scale) });
    element("zoom").textContent = phrase(isNative ? "viewer.zoomNative" : "viewer.zoom", { zoom: z, size });
    element("zoom").className = isNative ? "native" : "";
  }
}

// The free areas below and next to the map's buttons: the distance of each area from the edges of the map.
function freeRooms(map) {
  const gap = 6, all = map.getContainer().getBoundingClientRect();
  const box = (selector) => map.getContainer().querySelector(selector).getBoundingClientRect();
  const buttons = box(".leaflet-control-zoom");
  const foot = Math.min(...[".leaflet-control-scale", ".leaflet-control-attribution"].map((one) => box(one).top));
  const bottom = all.bottom - foot + gap;
  return [
    [buttons.bottom - all.top + gap, gap, bottom, gap],
    [gap, gap, bottom, buttons.right - all.left + gap],
  ];
}

// The next zoom at which tiles are whole pixels wide, so that no lines appear between them.
function withoutGaps(zoom) {
  const whole = Math.round(zoom), width = Math.floor(256 * 2 ** (zoom - whole) + 1e-6);
  return whole + Math.log2(width / 256);
}

const rounded = (number) => String(Math.round(number * 100) / 100);

if (isWithoutLibrary("viewer")) {
  // There is nothing to show.
} else if (location.protocol === "file:" && buildings.some(({ floors }) => floors.some((one) => one.archive))) {
  tell(phrase("viewer.archiveFile", {
    command: "python3 -m http.server", address: `http://localhost:8000/${location.pathname.split("/").pop()}`,
  }));
} else globalThis.viewer = new Viewer();
