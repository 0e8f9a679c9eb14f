// Rough placement of the plan on the map: by dragging, by pins, by numbers.

// Wider plans come from a map that shows half the world.
const MOST_METRES = 50000;

// The size of a screen pixel at a place of the map.
const metresPerPixel = (place, zoom = map.getZoom()) =>
  2 * Math.PI * 6378137 * Math.cos(place.y * DEGREE) / (256 * 2 ** zoom);

function layHere() {
  const { lng, lat } = map.getCenter(), view = map.getSize();
  const fitting = 0.7 * Math.min(view.x / size.width, view.y / size.height) * metresPerPixel({ y: lat });
  state.rough = {
    lon: lng, lat, scale: settings.lock && state.rough ? state.rough.scale : fitting,
    bearing: state.rough?.bearing ?? plan.turn,
  };
  commit();
  speak(phrase("place.liesInMiddle"));
}

// Whether the plan is moved, turned and scaled by hand: it has no points that place it.
const canLay = () => settings.step === "rough" && state.rough && !solution.isByPoints;

// Arrow keys move the plan by pixels of the screen, otherwise the map.
function arrowOnMap(way, isFar) {
  if (isFar || !canLay()) return map.panBy([way.x, way.y], { animate: false });
  const { rough } = solution, at = sides.map.toView(rough.toPlace(rough.centre));
  Object.assign(state.rough, rough.shifted(rough.centre, sides.map.fromView(plus(at, way))));
  commit("nudge");
}

function setRough(name, value, label) {
  if (!state.rough || !Number.isFinite(value) || name === "scale" && !(value > 0)) return render();
  state.rough[name] = name === "bearing" ? (value % 360 + 360) % 360 : value;
  commit(label);
}

// Fingers or the pointer on the plan. Each holds a pixel of the plan.
const grips = new Map();

function pressPlan(event) {
  if (!canLay() || settings.hold || event.button || event.target.closest("a, .leaflet-control")) return;
  const pixel = solution.rough.toPixel(sides.map.fromView(sides.map.local(event)));
  if (!grips.size && !isInside(pixel)) return;
  if (grips.size > 1) return;
  map.dragging.disable();
  map.touchZoom.disable();
  map.getContainer().setPointerCapture(event.pointerId);
  grips.set(event.pointerId, { at: sides.map.local(event) });
  regrip();
}

// Each finger holds the pixel that it touches now.
function regrip() {
  for (const grip of grips.values()) grip.pixel = solution.rough.toPixel(sides.map.fromView(grip.at));
}

function dragPlan(event) {
  const grip = grips.get(event.pointerId);
  if (!grip) return;
  grip.at = sides.map.local(event);
  const pairs = [...grips.values()].map(({ pixel, at }) => ({ pixel, place: sides.map.fromView(at) }));
  if (pairs.length === 1) Object.assign(state.rough, solution.rough.shifted(pairs[0].pixel, pairs[0].place));
  else state.rough = Rough.through(pairs, size, settings.lock && state.rough.scale) ?? state.rough;
  render(true);
}

function releasePlan(event) {
  if (!grips.delete(event.pointerId)) return;
  regrip();
  if (grips.size) return;
  map.dragging.enable();
  map.touchZoom.enable();
  commit();
}

function showRough() {
  const { rough } = state, isOpen = Boolean(rough) && !solution.isByPoints;
  element("rough-tools").hidden = !rough && !solution.isByPoints;
  for (const id of ["bearing", "scale", "lock", "hold", "loose", "lay"]) {
    element(id).disabled = id === "lay" ? solution.isByPoints : !isOpen;
  }
  const isVast = isOpen && size.width * rough.scale > MOST_METRES;
  element("extent").classList.toggle("wrong", isVast);
  element("extent").textContent = solution.isByPoints ? phrase("place.isPlacedByPoints")
    : !rough ? "" : phrase(isVast ? "place.extentVast" : "place.extent",
      { width: metresText(size.width * rough.scale), height: metresText(size.height * rough.scale) });
  if (!rough) return;
  const fill = (id, value) => { if (document.activeElement !== element(id)) element(id).value = value; };
  fill("bearing", rough.bearing.toFixed(2));
  fill("scale", Number(rough.scale.toPrecision(6)));
}

// The layers under the plan, for comparison: a map, layers, and other floors of the building at their
// current positions.

function setBasemap() {
  base?.remove();
  const address = settings.basemap === "own" ? settings.address.trim() : settings.basemap;
  element("address-form").hidden = settings.basemap !== "own";
  const options = { maxZoom: MAX_ZOOM, zIndex: 1 };
  if (!address) base = null;
  else if (address === "osm") base = openStreetMap(options).addTo(map);
  else base = backgroundMap(address, { ...options, maxNativeZoom: 22 }).addTo(map);
  noteMissing(base, element("no-map"));
}

function buildBasemaps() {
  const own = basemap ? [[basemap, basemap]] : [];
  const choices = [...own, ["osm", "OpenStreetMap"], ["", phrase("place.none")],
    ["own", phrase("place.anotherAddress")]];
  for (const [value, name] of choices) element("basemap").append(new Option(name, value));
  const isOffered = choices.some(([value]) => value === settings.basemap);
  // The command's map takes precedence over what was chosen on an earlier page.
  if (!isOffered || basemap && settings.given !== basemap) settings.basemap = basemap ?? "osm";
  settings.given = basemap;
}

const overlays = [];

function buildLayers() {
  layers.forEach((layer, index) => {
    const [west, south, east, north] = layer.bounds ?? [];
    overlays[index] = layer.picture
      ? L.imageOverlay(layer.picture, [[south, west], [north, east]], { zIndex: index })
      : L.geoJSON(JSON.parse(element(`lines-${index}`).textContent), {
        interactive: false, style: { color: "#d0249a", weight: 2, fill: false },
        pointToLayer: (_, place) => L.circleMarker(place, { radius: 4, color: "#d0249a" }),
      });
    const label = part("label", { className: "check" });
    const input = part("input", { type: "checkbox", checked: settings.layers[index] ?? true });
    const show = () => {
      settings.layers[index] = input.checked;
      if (input.checked) overlays[index].addTo(map);
      else overlays[index].remove();
      remember();
    };
    input.addEventListener("change", show);
    label.append(input, " ", named(layer.name));
    element("layers").append(label);
    show();
  });
  element("layers").hidden = !layers.length;
}

function blink(isOn) {
  isBlinking = isOn;
  showOpacity();
}

const showOpacity = () => { planLayer.canvas.style.opacity = isBlinking ? 0 : settings.opacity / 100; };

// Other floors

const lowerLayers = new Map();
let belowCount = 0;

const ringsOf = ({ cuts }) => cuts.filter((cut) => !cut.isOpen).map((cut) => cut.corners);

// The floors under the plan, the nearest first: those that were chosen, or the next lower one, but none that
// shares the plan's position, since it would move with it.
function floorsBelow() {
  const placed = otherFloors().filter(placementOf);
  if (floor.below) return placed.filter((one) => floor.below.includes(nameOf(one)));
  return placed.filter((one) => one.position !== position).slice(0, 1);
}

function toggleBelow(one) {
  const names = floorsBelow().map(nameOf), name = nameOf(one);
  floor.below = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
  showBelow();
  showFloors();
  remember();
}

async function showBelow() {
  const count = ++belowCount, wanted = floorsBelow();
  await Promise.all(wanted.map(load));
  // Meanwhile another choice may have been made.
  if (count !== belowCount) return;
  for (const [one, layer] of lowerLayers) {
    if (wanted.includes(one)) continue;
    layer.remove();
    lowerLayers.delete(one);
  }
  for (const one of wanted.filter(({ shown }) => shown).reverse()) {
    const layer = lowerLayers.get(one) ?? new PlanLayer(one.shown, one.plan, "below").addTo(map);
    lowerLayers.set(one, layer);
    layer.canvas.parentNode.append(layer.canvas);
    layer.setPlacement(placementOf(one), oriented(ringsOf(one.position.state)));
  }
  forgetPictures([floor, ...wanted]);
}

// Floors that share the plan's position move with it.
function moveSharing() {
  for (const [one, layer] of lowerLayers) {
    if (one.position === position) layer.setPlacement(solution.placement, oriented(ringsOf(state)));
  }
}

// Pictures that are opened take much memory, and only few of them are shown.
function forgetPictures(shown) {
  for (const one of floors) if (!shown.includes(one)) one.shown = null;
}

async function load(one) {
  if (one.shown) return true;
  const image = new Image();
  image.src = element(`picture-${one.index}`).textContent;
  try {
    await image.decode();
  } catch {
    return false;
  }
  one.shown = new Picture(image, xy(one.plan.scale));
  return true;
}

const unreadable = () => phrase(
  "place.unreadable", { command: `tilewright place ${shellWord(source)} --preview 2048` });
